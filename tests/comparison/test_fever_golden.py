"""FEVER against what the two reference implementations answered, case by case, and on the released predictions."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from aver import InputError, Label
from aver.metrics import fever

CUTS = {"max5": 5, "max1": 1, "maxNone": 0}

# The official scorer's names for the five figures.
OFFICIAL = {
    "fever_score": "strict_score",
    "label_accuracy": "label_accuracy",
    "evidence_precision": "precision",
    "evidence_recall": "recall",
    "evidence_f1": "f1",
}

# Where ours differs from the `evaluate` metric, and why. In all other cases all five figures are equal.
NEI_WITHOUT_SETS = {5, 7, 23, 32, 33, 34, 35, 37, 39, 40, 44, 46, 49, 51, 52, 58, 59, 60, 62, 63}
"""A claim rightly called NOT ENOUGH INFO whose gold has no sets: the metric gives it no point, we do."""
LABEL_SPELLING = {18}
"""`supports` against `SUPPORTS`: the metric compares letters, we read labels."""
NOTHING_TO_SCORE = {25}
"""No rows: the metric answers 0, the official scorer divides by zero, we raise an error."""

# Where ours differs from the official scorer, and why.
UNDERSCORED_NEI = {23}
"""`NOT_ENOUGH_INFO` with underscores: the official scorer asks it for evidence, we do not."""
DIVIDES_BY_ZERO = {14, 15, 35}
"""Precision and recall are 0 at some cut-off: the official scorer divides by zero, our F1 is 0."""
OTHER_SHAPES = {26, 27, 28}
"""Tuples, and "0" for line 0: the official scorer stops or finds no tuple in a list of lists; we read them."""


@pytest.fixture(scope="module")
def cases(golden: Path) -> dict[int, dict[str, Any]]:
    lines = (golden / "fever.jsonl").read_bytes().splitlines()
    found = {case["id"]: case for case in map(orjson.loads, lines)}
    assert len(found) == 43
    return found


def test_card_equals_the_evaluate_metric(cases: dict[int, dict[str, Any]]) -> None:
    differing = set()
    for number, case in cases.items():
        if number in NOTHING_TO_SCORE:
            continue
        theirs = case["hf"]["raw_compute"]
        ours = fever(_items(case)).values
        expected = dict(theirs)
        if number in NEI_WITHOUT_SETS:
            right = [i for i in case["items"] if _nei(i["label"]) and _nei(i["predicted_label"])]
            given = [i for i in right if not i["evidence_sets"]]
            assert given
            expected["fever_score"] += len(given) / len(case["items"])
        if number in LABEL_SPELLING:
            expected |= {"label_accuracy": 1.0, "fever_score": 1.0}
        assert dict(ours) == pytest.approx(expected, abs=1e-12), f"case {number}: {case['note']}"
        if dict(ours) != pytest.approx(theirs, abs=1e-12):
            differing.add(number)
    assert differing == NEI_WITHOUT_SETS | LABEL_SPELLING


@pytest.mark.parametrize("cut", CUTS)
def test_official_equals_the_official_scorer(cases: dict[int, dict[str, Any]], cut: str) -> None:
    for number, case in cases.items():
        theirs = case["official"][cut]
        if number in NOTHING_TO_SCORE:
            continue
        ours = fever(_items(case, official=True), official=True, at=CUTS[cut]).values
        if "error" in theirs:
            if number in DIVIDES_BY_ZERO:
                assert ours["evidence_precision"] == ours["evidence_recall"] == ours["evidence_f1"] == 0.0
            else:
                assert number in OTHER_SHAPES, f"case {number}: {theirs}"
                assert ours["evidence_f1"] == 1.0
                assert ours["fever_score"] == ours["label_accuracy"] == (0.0 if number == 27 else 1.0)
            continue
        expected = {name: theirs[official] for name, official in OFFICIAL.items()}
        if number in UNDERSCORED_NEI:
            assert dict(ours) != pytest.approx(expected)
            expected |= {"fever_score": 1.0, "evidence_recall": 0.0, "evidence_f1": 0.0}
        assert dict(ours) == pytest.approx(expected, abs=1e-12), f"case {number}: {case['note']}"


def test_nothing_to_score_is_an_error(cases: dict[int, dict[str, Any]]) -> None:
    for number in NOTHING_TO_SCORE:
        assert cases[number]["items"] == []
        for official in (False, True):
            with pytest.raises(InputError, match="is empty; there is nothing to score"):
                fever(_items(cases[number]), official=official)


def test_every_shape_of_the_same_claims_scores_the_same(cases: dict[int, dict[str, Any]]) -> None:
    """One file with both, two lists, the official lists with annotation ids, and the card's strings."""
    for number, case in cases.items():
        if case["kind"] != "random":
            continue
        items = case["items"]
        guesses = [{k: i[k] for k in ("predicted_label", "predicted_evidence")} for i in items]
        said = [[f"{page} {line}" for page, line in i["predicted_evidence"]] for i in items]
        card = [{"label": i["predicted_label"], "evidence": e} for i, e in zip(items, said, strict=True)]
        golds = [{"label": i["label"], "evidence_sets": i["evidence_sets"]} for i in items]
        task = [
            {"label": i["label"], "evidence": [[[1, 2, *s] for s in one] for one in i["evidence_sets"]]} for i in items
        ]
        text = [
            {"label": i["label"], "evidence_sets": [[f"{p} {n}" for p, n in one] for one in i["evidence_sets"]]}
            for i in items
        ]
        for official in (False, True):
            whole = fever(_items(case), official=official)
            assert fever(guesses, golds, official=official) == whole, number
            assert fever(guesses, task, official=official) == whole, number
            assert fever(card, text, official=official) == whole, number


def test_released_predictions_to_six_decimals(data: Path, golden: Path) -> None:
    told = (golden / "README.md").read_text()
    line = next(line for line in told.splitlines() if line.startswith("FEVER on 9,999"))
    expected = [float(word) for word in line.split("official ")[1].split(" (")[0].split(" / ")]
    folder = data / "fever_scorer"
    score = fever(folder / "predictions.jsonl", folder / "actual.jsonl", official=True)
    assert score.n == 9_999
    assert [round(v, 6) for v in score.values.values() if v is not None] == expected
    assert score.notes == ("matched by position: every row of the references has the same id",)


def test_released_predictions_by_id_in_any_order(data: Path, write_jsonl: Callable[..., Path]) -> None:
    by_position = fever(
        data / "fever_scorer" / "predictions.jsonl", data / "fever_scorer" / "actual.jsonl", official=True
    )
    lines = (data / "fever_scorer" / "predictions.jsonl").read_bytes().splitlines()
    shuffled = write_jsonl("shuffled.jsonl", [orjson.loads(line) for line in lines[5000:] + lines[:5000][::-1]])
    by_id = fever(shuffled, data / "fever" / "paper_dev.jsonl", official=True)
    assert by_id.notes == ()
    assert dict(by_id.values) == pytest.approx(dict(by_position.values), abs=1e-12)


def _items(case: dict[str, Any], *, official: bool = False) -> list[dict[str, Any]]:
    items = copy.deepcopy(case["items"])
    for item in items:
        if official and "official_evidence" in item:
            item["evidence"] = item.pop("official_evidence")
            del item["evidence_sets"]
        if case["python_tuples"]:
            item["predicted_evidence"] = [tuple(pair) for pair in item["predicted_evidence"]]
    return items


def _nei(word: str) -> bool:
    return Label.parse(word) is Label.NOT_ENOUGH_INFO
