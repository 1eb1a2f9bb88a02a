"""Label reads every spelling of the field, and nothing else."""

from __future__ import annotations

import contextlib
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver import InputError, Label, LabelError

S, R, N, D = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO, Label.DISPUTED

SPELLINGS = {
    S: "SUPPORTS SUPPORTED supports Supported entailment ENTAILMENT support fully_attributable completely_support",
    R: "REFUTES REFUTED refutes Refuted contradiction CONTRADICT contradicts refute contradictory",
    N: "NOT_ENOUGH_INFO NEI nei neutral not_supported partially_supported NotEnoughInfo unverifiable irrelevant",
    D: "DISPUTED disputed Disputed mixed",
}
CASES = [(word, label) for label, words in SPELLINGS.items() for word in words.split()]
CASES += [("NOT ENOUGH INFO", N), ("Not Enough Information", N), ("not-enough-info", N), ("  supports\n", S)]


@pytest.mark.parametrize(("word", "label"), CASES)
def test_spellings(word: str, label: Label) -> None:
    assert Label.parse(word) is label
    assert Label(word) is label


@given(st.sampled_from(CASES))
def test_case_and_separators_do_not_matter(case: tuple[str, Label]) -> None:
    word, label = case
    for variant in (word.upper(), word.lower(), word.swapcase(), f" {word} "):
        assert Label.parse(variant) is label
        assert Label.parse(variant.replace("_", " ")) is label
        assert Label.parse(variant.replace("_", "-")) is label


def test_a_label_is_its_own_name() -> None:
    for label in Label:
        assert Label(label.value) is label
        assert Label.parse(label.fever) is label
        assert Label.parse(label) is label
        assert str(label) == label.value == label.name
        assert orjson.loads(orjson.dumps({"label": label})) == {"label": label.value}
    assert N.fever == "NOT ENOUGH INFO"


@pytest.mark.parametrize(
    ("scheme", "numbers"),
    [("default", {0: S, 1: R, 2: N, 3: D}), ("nli", {0: S, 1: N, 2: R})],
)
def test_numbers_by_scheme(scheme: str, numbers: dict[int, Label]) -> None:
    for number, label in numbers.items():
        for written in (number, str(number), float(number)):
            assert Label.parse(written, scheme=scheme) is label
    with pytest.raises(LabelError):
        Label.parse(4, scheme=scheme)


def test_words_by_scheme() -> None:
    assert Label.parse("not_entailment", scheme="rte") is R
    assert Label.parse("False", scheme="factuality") is R
    for word in ("not_entailment", "true", "false"):
        with pytest.raises(LabelError):
            Label.parse(word)
    with pytest.raises(LabelError, match="default, nli, rte, factuality"):
        Label.parse("SUPPORTS", scheme="mnli")


NO_LABELS = ["maybe", "", " ", "SUPPORTSS", "x" * 10**6, None, True, False, -1, 4, 10**30, 1.5, [], {}]


@pytest.mark.parametrize("value", [*NO_LABELS, float("nan"), float("inf")], ids=lambda value: type(value).__name__)
def test_everything_else_is_an_error_that_teaches(value: object) -> None:
    with pytest.raises(LabelError) as caught:
        Label.parse(value, place="gold.jsonl line 7")
    told = str(caught.value)
    assert told.startswith("gold.jsonl line 7: unknown label ")
    for label in Label:
        assert f"{label.value} (also " in told
    assert len(told) < 1_000
    assert isinstance(caught.value, InputError)
    assert isinstance(caught.value, ValueError)


@given(st.one_of(st.text(), st.integers(), st.floats(), st.booleans(), st.none(), st.binary()))
def test_parse_answers_or_raises_label_error(value: object) -> None:
    with contextlib.suppress(LabelError):
        assert Label.parse(value) in Label


def test_every_label_of_the_data_sets(data: Path) -> None:
    seen: dict[str, set[str]] = {}
    for name, field in (
        ("climate_fever/climate-fever.jsonl", "claim_label"),
        ("fever_scorer/actual.jsonl", "label"),
        ("fever_scorer/predictions.jsonl", "predicted_label"),
        ("fever/fever2_dev.jsonl", "label"),
        ("fever/paper_dev.jsonl", "label"),
    ):
        for line in (data / name).read_bytes().splitlines():
            seen.setdefault(name, set()).add(orjson.loads(line)[field])
    for words in seen.values():
        assert {Label.parse(word) for word in words} >= {S, R, N}
    assert {Label.parse(word) for word in seen["climate_fever/climate-fever.jsonl"]} == set(Label)
