"""FEVER: the figures by hand, the laws they obey, matching, explanations, and everything a user can get wrong."""

from __future__ import annotations

import copy
import gzip
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver import InputError, measure
from aver.metrics import FEVER, explain_fever, fever

NEI = "NOT ENOUGH INFO"


def guess(label: str, *evidence: Any, **more: Any) -> dict[str, Any]:
    return {"label": label, "evidence": list(evidence), **more}


def gold(label: str, *sets: list[Any], **more: Any) -> dict[str, Any]:
    return {"label": label, "evidence_sets": list(sets), **more}


# -- the figures -------------------------------------------------------------------------------------------


def test_pooled_and_averaged_evidence_differ() -> None:
    guesses = [guess("SUPPORTS", "a"), guess("REFUTES", "b", "x", "y", "z")]
    golds = [gold("SUPPORTS", ["a"]), gold("REFUTES", ["b", "c"])]
    card, official = fever(guesses, golds), fever(guesses, golds, official=True)
    assert card["evidence_precision"] == pytest.approx(2 / 5)
    assert official["evidence_precision"] == pytest.approx((1 + 1 / 4) / 2)
    assert card["evidence_recall"] == pytest.approx(2 / 3)
    assert official["evidence_recall"] == pytest.approx(1 / 2)
    assert card["fever_score"] == official["fever_score"] == 0.5
    assert card["label_accuracy"] == 1.0


def test_the_sixth_prediction_counts_only_for_the_card() -> None:
    guesses, golds = [guess("SUPPORTS", *"12345", "a")], [gold("SUPPORTS", ["a"])]
    assert fever(guesses, golds)["fever_score"] == 1.0
    assert fever(guesses, golds, official=True)["fever_score"] == 0.0
    assert fever(guesses, golds, official=True, at=6)["fever_score"] == 1.0
    assert fever(guesses, golds, official=True, at=0)["fever_score"] == 1.0
    assert fever(guesses, golds, at=5)["fever_score"] == 0.0


def test_not_enough_info() -> None:
    assert fever([guess(NEI)], [gold(NEI)])["fever_score"] == 1.0
    assert fever([guess(NEI, "x")], [gold(NEI)])["fever_score"] == 1.0
    # by the card, what is predicted for it counts as wrong; in the shared task it is not looked at
    two = [guess(NEI, "x"), guess("SUPPORTS", "a")], [gold(NEI), gold("SUPPORTS", ["a"])]
    assert fever(*two)["evidence_precision"] == 0.5
    assert fever(*two, official=True)["evidence_precision"] == 1.0
    # evidence may be left out on both sides
    assert fever([{"predicted_label": "nei"}], [{"label": "nei"}])["fever_score"] == 1.0
    # a claim that is NOT ENOUGH INFO but has sets must have one found, by the card
    assert fever([guess(NEI)], [gold(NEI, ["a"])])["fever_score"] == 0.0


def test_null_pages_of_the_official_files() -> None:
    released = {"label": NEI, "evidence": [[[108548, None, None, None]]]}
    for official in (False, True):
        assert fever([guess(NEI, ["P", 1])], [released], official=official)["fever_score"] == 1.0
    half = {"label": "SUPPORTS", "evidence": [[[1, 2, "P", 1], [1, 2, "Q", None]]]}
    for official in (False, True):
        score = fever([guess("SUPPORTS", ["P", 1])], [half], official=official)
        assert score["fever_score"] == 0.0, "a set with an empty place is never complete"
    assert fever([guess("SUPPORTS", ["P", 1])], [half])["evidence_recall"] == 1.0


def test_claims_without_a_set_to_find() -> None:
    score = fever([guess("SUPPORTS", "a")], [gold("SUPPORTS")], official=True)
    assert (score["fever_score"], score["evidence_recall"], score["evidence_precision"]) == (0.0, 1.0, 0.0)
    assert fever([guess("SUPPORTS")], [gold("SUPPORTS", [])])["fever_score"] == 1.0


def test_repeats_count_once_by_the_card_and_each_time_officially() -> None:
    guesses, golds = [guess("SUPPORTS", "a", "x", "x", "x")], [gold("SUPPORTS", ["a"])]
    assert fever(guesses, golds)["evidence_precision"] == 0.5
    assert fever(guesses, golds, official=True)["evidence_precision"] == 0.25


def test_the_card_folds_case_and_space_and_the_official_does_not() -> None:
    guesses, golds = [guess("supported", "  paris IS big ")], [gold("SUPPORTS", ["Paris is big"])]
    assert fever(guesses, golds)["fever_score"] == 1.0
    assert fever(guesses, golds, official=True)["fever_score"] == 0.0


# -- laws --------------------------------------------------------------------------------------------------

LABELS = st.sampled_from(["SUPPORTS", "REFUTES", NEI])
SENTENCES = st.sampled_from([["P", 0], ["P", 1], ["Q", 0], ["R", 7], ["s", 3]])


@st.composite
def claims(draw: st.DrawFn) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    n = draw(st.integers(1, 8))
    guesses, golds = [], []
    for key in range(n):
        guesses.append(guess(draw(LABELS), *draw(st.lists(SENTENCES, max_size=8)), id=key))
        sets = draw(st.lists(st.lists(SENTENCES, min_size=1, max_size=3), min_size=1, max_size=3))
        label = draw(LABELS)
        golds.append(gold(label, *([] if label == NEI else sets), id=key))
    return guesses, golds


@given(claims(), st.booleans(), st.integers(0, 6))
def test_figures_stay_in_range_and_input_is_never_changed(
    both: tuple[list[Any], list[Any]], official: bool, at: int
) -> None:
    before = copy.deepcopy(both)
    score = fever(*both, official=official, at=at)
    assert both == before
    assert all(value is not None and 0.0 <= value <= 1.0 for value in score.values.values())
    assert score["fever_score"] <= score["label_accuracy"]  # type: ignore[operator]


@given(claims(), st.booleans(), st.randoms())
def test_order_of_rows_and_sets_is_indifferent(both: tuple[list[Any], list[Any]], official: bool, random: Any) -> None:
    guesses, golds = both
    before = fever(guesses, golds, official=official)
    mixed = copy.deepcopy(golds)
    random.shuffle(mixed)
    for row in mixed:
        random.shuffle(row["evidence_sets"])
    after = fever(guesses, mixed, official=official)
    assert dict(after.values) == pytest.approx(dict(before.values))


@given(claims(), st.booleans())
def test_the_gold_itself_is_perfect(both: tuple[list[Any], list[Any]], official: bool) -> None:
    golds = both[1]
    best = [guess(g["label"], *[s for one in g["evidence_sets"] for s in one], id=g["id"]) for g in golds]
    score = fever(best, golds, official=official, at=0)
    assert score["fever_score"] == score["label_accuracy"] == 1.0
    asked = any(g["evidence_sets"] for g in golds)
    assert score["evidence_f1"] == (1.0 if asked else 0.0)


@given(claims(), st.booleans(), st.integers(0, 6))
def test_explanations_add_up_to_the_score(both: tuple[list[Any], list[Any]], official: bool, at: int) -> None:
    explained = explain_fever(*both, official=official, at=at)
    assert explained.score == fever(*both, official=official, at=at)
    for claim in explained.claims:
        kinds = {loss.kind for loss in claim.lost}
        assert ("wrong_label" in kinds) == (not claim.points.label)
        if not claim.points.fever:
            assert kinds & {"wrong_label", "incomplete_set", "no_gold_set"}
        else:
            assert not kinds & {"wrong_label", "incomplete_set", "no_gold_set", "ignored_prediction"}
        if "ignored_prediction" in kinds:
            assert at or official


@given(claims())
def test_files_score_as_dictionaries_do(both: tuple[list[Any], list[Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = Path(folder, "p.jsonl"), Path(folder, "g.jsonl")
        for path, rows in zip(paths, both, strict=True):
            path.write_bytes(b"\n".join(orjson.dumps(row) for row in rows))
        for official in (False, True):
            assert fever(*paths, official=official) == fever(*both, official=official)


# -- a measure is a value ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["FEVER(card)", "FEVER(card)@3", "FEVER(official)@5", "FEVER(official)@0"])
def test_names_print_and_parse_back(name: str) -> None:
    assert str(measure(name)) == name


def test_settings_that_cannot_be() -> None:
    assert measure("fever(official)") == FEVER("official", 5)
    assert FEVER("card", 0) == FEVER()
    for wrong in (lambda: FEVER("strict"), lambda: FEVER(at=-1), lambda: measure("FEVER(strict)")):  # type: ignore[arg-type]
        with pytest.raises(InputError, match=r"card, official|whole number"):
            wrong()


# -- which row belongs to which ----------------------------------------------------------------------------


def test_ids_match_in_any_order_and_as_text_or_number() -> None:
    golds = [gold("SUPPORTS", ["a"], id=1), gold("REFUTES", ["b"], id=2), gold(NEI, id="x")]
    guesses = [guess(NEI, id="x"), guess("SUPPORTS", "a", id="1"), guess("REFUTES", "b", id=2)]
    score = fever(guesses, golds)
    assert score["fever_score"] == 1.0
    assert score.notes == ()
    explained = explain_fever(guesses, golds)
    assert [claim.id for claim in explained.claims] == ["x", 1, 2], "in the order of the predictions"


@pytest.mark.parametrize("at", range(6))
def test_files_that_leave_their_common_order(write_jsonl: Callable[..., Path], at: int) -> None:
    """Files in step are streamed; from the first row that is not, rows wait for their partners."""
    golds = [gold("SUPPORTS", [f"s{n}"], id=n) for n in range(6)]
    guesses = [guess("SUPPORTS", f"s{n}", id=n) for n in range(6)]
    turned = guesses[:at] + guesses[at:][::-1]
    references = write_jsonl("g.jsonl", golds)
    score = fever(write_jsonl("p.jsonl", turned), references)
    assert score.n == 6
    assert score["fever_score"] == score["evidence_f1"] == 1.0
    again = problems(write_jsonl("twice.jsonl", [*turned, guesses[0]]), references)
    assert [p.split("twice.jsonl ")[1] for p in again] == ["line 7: id 0 stands a second time"]
    less = problems(write_jsonl("less.jsonl", turned[:at] + turned[at + 1 :]), references)
    lost = turned[at]["id"]
    assert [p.split("g.jsonl ")[1] for p in less] == [f"line {lost + 1}: id {lost} has no prediction"]
    odd = [*turned[:at], turned[at] | {"evidence": [{"page": "P"}]}, *turned[at + 1 :]]
    wrong = problems(write_jsonl("odd.jsonl", odd), references)
    assert len(wrong) == 1
    assert f"odd.jsonl line {at + 1}: 'evidence' holds {{'page': 'P'}}" in wrong[0]


def test_where_ids_tell_nothing_apart_positions_do() -> None:
    guesses = [guess("SUPPORTS", "a", id=5), guess("REFUTES", "b", id=6)]
    same = [gold("SUPPORTS", ["a"], id=0), gold("REFUTES", ["b"], id=0)]
    none = [gold("SUPPORTS", ["a"]), gold("REFUTES", ["b"])]
    assert fever(guesses, same).notes == ("matched by position: every row of the references has the same id",)
    assert fever(guesses, none).notes == ("matched by position: the references have no ids",)
    bare = [guess("SUPPORTS", "a"), guess("REFUTES", "b")]
    assert fever(bare, none).notes == ()
    assert fever(guesses, same)["fever_score"] == fever(bare, same)["fever_score"] == 1.0


def test_rows_that_carry_both() -> None:
    row = {"label": "SUPPORTS", "predicted_label": "SUPPORTS", "predicted_evidence": [["P", 1]]}
    assert fever([row | {"evidence_sets": [[["P", 1]]]}])["fever_score"] == 1.0
    assert fever([row | {"evidence": [[[1, 2, "P", 1]]]}])["fever_score"] == 1.0
    # where references are given they are the gold
    assert fever([row], [gold("SUPPORTS", [["Q", 1]])])["fever_score"] == 0.0


# -- what a user can get wrong -----------------------------------------------------------------------------


def problems(*arguments: Any) -> tuple[str, ...]:
    with pytest.raises(InputError) as caught:
        fever(*arguments)
    for official in (True,):
        with pytest.raises(InputError):
            fever(*arguments, official=official)
    return caught.value.problems


def test_all_problems_are_told_at_once() -> None:
    golds = [gold("SUPPORTS", ["a"], id=1), gold("SUPPORTED?", ["a"], id=2), gold("REFUTES", ["b"], id=3)]
    golds += [gold("REFUTES", ["b"], id=3), {"id": 4, "label": "REFUTES"}]
    guesses = [guess("SUPPORTS", "a", id=1), guess("REFUTES", "b", id=2), guess("REFUTES", "b", id=9)]
    guesses += [guess("REFUTES", 17, id=4)]
    found = "\n".join(problems(guesses, golds))
    for expected in (
        "references[1]: unknown label 'SUPPORTED?'",
        "references[3]: id 3 stands a second time",
        "references[4]: has no 'evidence_sets' (or 'evidence'); expected a list of evidence sets",
        "predictions[3]: 'evidence' holds 17; expected a sentence or [page, line]",
        "predictions[2]: id 9 is not among the references",
        "references[2]: id 3 has no prediction",
    ):
        assert expected in found
    assert len(found.splitlines()) == 6


@pytest.mark.parametrize(
    ("evidence", "told"),
    [
        ("a", "'evidence' is 'a'"),
        ([["P"]], "holds ['P']"),
        ([["P", 1.5]], "holds ['P', 1.5]"),
        ([["P", None]], "holds ['P', None]"),
        ([[3, "P"]], "holds [3, 'P']"),
        ([None], "holds None"),
        ([[[1, 2, "P", 3]]], "are the two files swapped?"),
    ],
)
def test_predicted_evidence_of_the_wrong_shape(evidence: Any, told: str) -> None:
    (found,) = problems([{"label": "SUPPORTS", "evidence": evidence}], [gold("SUPPORTS", ["a"])])
    assert told in found


@pytest.mark.parametrize(
    "sets", [["a", "b"], [["P", 1], ["Q", 2]], [[1, 2, "P", 3]], [[["P", "x"]]], [[7]], "a", {"a": 1}, [[[1, 2, 3]]]]
)
def test_gold_evidence_of_the_wrong_shape(sets: Any) -> None:
    (found,) = problems([guess("SUPPORTS", "a")], [{"label": "SUPPORTS", "evidence_sets": sets}])
    assert found.startswith("references[0]: 'evidence_sets' ")


def test_strings_against_pairs_are_no_zero_but_an_error() -> None:
    (found,) = problems([guess("SUPPORTS", "P 1")], [gold("SUPPORTS", [["P", 1]])])
    assert "cannot be compared" in found


def test_lengths_ids_and_emptiness() -> None:
    one, two = [guess("SUPPORTS", "a")], [gold("SUPPORTS", ["a"])] * 2
    assert "1 prediction but 2 references" in problems(one, two)[0]
    assert problems([], []) == (
        "predictions: is empty; there is nothing to score",
        "references: is empty; there is nothing to score",
    )
    stray = [gold("SUPPORTS", ["a"], id=0), gold("SUPPORTS", ["a"], id=0), gold("SUPPORTS", ["a"], id=1)]
    assert "another id than the first rows" in problems([guess("SUPPORTS", "a")] * 3, stray)[0]
    some = [guess("SUPPORTS", "a", id=1), guess("SUPPORTS", "a")]
    named = [gold("SUPPORTS", ["a"], id=1), gold("SUPPORTS", ["a"], id=2)]
    assert problems(some, named)[0].startswith("predictions[1]: has no 'id', which other rows have; an id is")
    odd = problems([guess("SUPPORTS", id=[1])], [gold("SUPPORTS", id=1)])
    assert "'id' is [1]; an id is text or a whole number" in odd[0]
    assert "expected a dictionary, found a string" in problems(["a"], two[:1])[0]
    assert "a row carries its own" in problems([guess("SUPPORTS", "a")])[0]


# -- files and the command ---------------------------------------------------------------------------------


@pytest.fixture
def pair(write_jsonl: Callable[..., Path]) -> tuple[Path, Path]:
    guesses = [
        {"id": 1, "predicted_label": "SUPPORTS", "predicted_evidence": [["P", 1], ["Q", 2]]},
        {"id": 2, "predicted_label": "REFUTES", "predicted_evidence": [["X", n] for n in range(5)] + [["R", 0]]},
        {"id": 3, "predicted_label": NEI, "predicted_evidence": []},
    ]
    golds = [
        {"id": 3, "label": "SUPPORTS", "evidence": [[[7, 8, "S", 4], [7, 8, "T", 5]]]},
        {"id": 2, "label": "REFUTES", "evidence": [[[7, 8, "R", 0]]]},
        {"id": 1, "label": "SUPPORTS", "evidence": [[[7, 8, "P", 1]], [[7, 9, "Q", 2]]]},
    ]
    return write_jsonl("predictions.jsonl", guesses), write_jsonl("gold.jsonl", golds)


def test_the_command(run_cli: Callable[..., Any], pair: tuple[Path, Path]) -> None:
    card = run_cli("score", "fever", *pair, "--json")
    official = run_cli("score", "fever", *pair, "--official", "--json")
    assert card.code == official.code == 0
    assert card.json["measure"] == "FEVER(card)"
    assert card.json["n"] == 3
    assert set(card.json) == {
        "measure", "n", "fever_score", "label_accuracy", "evidence_precision", "evidence_recall", "evidence_f1",
    }  # fmt: skip
    assert card.json["fever_score"] == pytest.approx(2 / 3)
    assert official.json["fever_score"] == pytest.approx(1 / 3)
    table = run_cli("score", "fever", *pair)
    assert "FEVER(card) of 3 claims" in table.out
    assert "0.6667" in table.out
    assert run_cli("score", "fever", *pair, "--official", "--at", 6, "--json").json["measure"] == "FEVER(official)@6"


def test_explain_says_what_was_lost(run_cli: Callable[..., Any], pair: tuple[Path, Path], tmp_path: Path) -> None:
    told = run_cli("score", "fever", *pair, "--official", "--explain").out
    assert "claim 2  gold REFUTES, predicted REFUTES" in told
    assert "only the first 5 count; ignored at rank 6, would complete a set: R line 0" in told
    assert "claim 3  gold SUPPORTS, predicted NOT_ENOUGH_INFO" in told
    assert "the nearest lacks: S line 4; T line 5" in told
    assert "claim 1" not in told, "it lost nothing"
    into = tmp_path / "why.jsonl"
    done = run_cli("score", "fever", *pair, "--official", "--explain-to", into)
    assert done.code == 0
    rows = {row["id"]: row for row in map(orjson.loads, into.read_bytes().splitlines())}
    assert [loss["kind"] for loss in rows[2]["lost"]] == ["incomplete_set", "ignored_prediction", "false_evidence"]
    assert rows[2]["lost"][1]["sentences"] == [["R", 0]]
    assert rows[1] == {
        "id": 1, "row": 1, "label": "SUPPORTS", "predicted_label": "SUPPORTS",
        "label_correct": True, "fever_correct": True, "lost": [],
    }  # fmt: skip
    assert run_cli("score", "fever", *pair, "--explain", "--json").json["claims"][2]["id"] == 3


def test_gzip_array_and_standard_input(run_cli: Callable[..., Any], pair: tuple[Path, Path], tmp_path: Path) -> None:
    expected = run_cli("score", "fever", *pair, "--json").json
    packed, array = tmp_path / "p.jsonl.gz", tmp_path / "g.json"
    packed.write_bytes(gzip.compress(pair[0].read_bytes()))
    array.write_bytes(b"[" + b",\n".join(pair[1].read_bytes().splitlines()) + b"]")
    assert run_cli("score", "fever", packed, array, "--json").json == expected
    assert run_cli("score", "fever", "-", pair[1], "--json", stdin=pair[0].read_bytes()).json == expected
    assert run_cli("score", "fever", "-", "-").code == 2


def test_broken_files_are_one_error(run_cli: Callable[..., Any], pair: tuple[Path, Path], tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    lines = pair[0].read_bytes().splitlines()
    bad.write_bytes(b"\n".join([lines[0], b"", b'{"id": 2, "predicted_label": ', b"[1]", b'{"id": "\xff"}', lines[2]]))
    done = run_cli("score", "fever", bad, pair[1])
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("aver: these predictions cannot be scored (3 problems)")
    for line, why in ((3, "broken JSON at column"), (4, "expected a JSON object, found a list"), (5, "not UTF-8")):
        assert f"bad.jsonl line {line}: {why}" in done.err
    label = tmp_path / "label.jsonl"
    label.write_bytes(pair[0].read_bytes().replace(b'"REFUTES"', b'"PROBABLY"'))
    done = run_cli("score", "fever", label, pair[1])
    assert done.code == 2
    assert "label.jsonl line 2: unknown label 'PROBABLY'" in done.err
    assert "accepted, in any case: SUPPORTS (also" in done.err
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    done = run_cli("score", "fever", empty, tmp_path / "absent.jsonl", "--explain-to", tmp_path / "why.jsonl")
    assert done.code == 2
    assert "empty.jsonl: is empty" in done.err
    assert "absent.jsonl: there is no such file" in done.err
    assert not (tmp_path / "why.jsonl").exists()


def test_twenty_problems_are_shown(run_cli: Callable[..., Any], write_jsonl: Callable[..., Path]) -> None:
    guesses = write_jsonl("p.jsonl", [guess("SUPPORTS", "a", id=n) for n in range(50)])
    golds = write_jsonl("g.jsonl", [gold("SUPPORTS", ["a"], id=n + 25) for n in range(50)])
    done = run_cli("score", "fever", guesses, golds)
    assert done.code == 2
    assert "(50 problems)" in done.err
    assert done.err.count("\n  - ") == 20
    assert "… and 30 more" in done.err
