from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aver
from aver import InputError
from aver.metrics import Rationale, read_rationales

marks = st.frozensets(st.integers(0, 9), max_size=6)
rows = st.lists(st.tuples(marks, marks), min_size=1, max_size=5)


@settings(deadline=None)
@given(rows)
def test_figures_lie_between_0_and_1_and_swap_with_the_sides(rows: list[tuple[frozenset[int], frozenset[int]]]) -> None:
    said, gold = [row[0] for row in rows], [row[1] for row in rows]
    one, other = Rationale().score(said, gold), Rationale().score(gold, said)
    assert (one["precision"], one["recall"], one["f1"]) == (other["recall"], other["precision"], other["f1"])
    assert all(value is None or 0 <= value <= 1 for value in one.values.values())
    precision, recall = one["precision"], one["recall"]
    if precision and recall:
        assert one["f1"] == pytest.approx(2 * precision * recall / (precision + recall))


@settings(deadline=None)
@given(st.lists(marks.filter(bool), min_size=1, max_size=5))
def test_the_reference_itself_is_perfect(gold: list[frozenset[int]]) -> None:
    for variant in ("words", "vitaminc"):
        assert set(aver.measure(f"Rationale({variant})").score(gold, gold).values.values()) == {1.0}


def test_the_variants_differ_on_unlabelled_words_and_on_nothing() -> None:
    said, gold, skipped = [{0, 1}], [{1}], [{0}]
    assert Rationale("words").score(said, gold, skipped)["precision"] == 1
    assert Rationale("vitaminc").score(said, gold, skipped)["precision"] == 0.5
    assert Rationale("words").score([()], [()])["f1"] is None
    assert Rationale("vitaminc").score([()], [()])["f1"] == 1
    assert set(Rationale("vitaminc").score([], []).values.values()) == {None}


def test_word_numbers_masks_and_spans_say_the_same(
    write_jsonl: Callable[..., Path], run_cli: Callable[..., Any]
) -> None:
    evidence = "The outbreak began in  November 2019 ."
    gold = write_jsonl("gold.jsonl", [{"id": 1, "evidence": evidence, "masked_inds": [4, 5]}])
    start = evidence.index("November")
    for row in (
        {"id": 1, "rationale": [2, 4]},
        {"id": "1", "mask": [0, 0, 1, 0, 1, 0, 0]},
        {"id": 1, "spans": [[13, 18], [start + 1, start + 3]]},
    ):
        said = write_jsonl("said.jsonl", [row])
        result = run_cli("score", "rationale", said, gold, "--json")
        assert result.code == 0, result.err
        score = result.json["scores"][0]
        assert (score["precision"], score["recall"], score["f1"]) == (0.5, 0.5, 0.5), row
        assert score["measure"] == "Rationale(words)"


def test_abstentions_are_counted_and_not_scored(write_jsonl: Callable[..., Path], run_cli: Callable[..., Any]) -> None:
    gold = write_jsonl("gold.jsonl", [{"mask": [1, 0]}, {"mask": [0, 1]}, {"mask": [0, 1]}])
    said = write_jsonl("said.jsonl", [{"mask": [1, 0]}, {"mask": None}, {"error": "out of memory"}])
    result = run_cli("score", "rationale", said, gold, "--json", "--vitaminc")
    assert result.json["status"] == {"scored": 1, "no_claims": 0, "abstained": 1, "error": 1}
    assert result.json["scores"][0]["n"] == 1
    assert result.json["scores"][0]["f1"] == 1
    assert "1 abstained" in run_cli("score", "rationale", said, gold).out


def test_all_faults_come_in_one_error(write_jsonl: Callable[..., Path]) -> None:
    evidence = "Two words"
    gold = write_jsonl("gold.jsonl", [{"id": n, "evidence": evidence, "rationale": [0]} for n in range(7)])
    said = write_jsonl(
        "said.jsonl",
        [
            {"id": 0, "rationale": [2]},
            {"id": 1, "rationale": ["word"]},
            {"id": 2, "mask": [0, 2]},
            {"id": 3, "mask": [0, 1, 0]},
            {"id": 4, "spans": [[3, 99]]},
            {"id": 5, "rationale": "0"},
            {"id": 6},
        ],
    )
    with pytest.raises(InputError) as caught:
        read_rationales(said, gold)
    told = caught.value.problems
    assert [problem.split(": ")[0].rpartition(" ")[2] for problem in told] == ["1", "2", "3", "4", "5", "6", "7"]
    assert "the evidence has words 0 to 1" in told[0]
    assert "its mask has 3 words" in told[3]
