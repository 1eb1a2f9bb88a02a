from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aver
from aver import InputError
from aver.metrics import Flagging

scores = st.floats(-5, 5, allow_nan=False).map(lambda x: round(x, 1))
rows = st.lists(st.tuples(scores, st.booleans()), min_size=1, max_size=30)


@settings(deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_names_parse_back(threshold: float) -> None:
    assert aver.measure(str(Flagging(threshold))) == Flagging(threshold)


@settings(deadline=None)
@given(rows)
def test_auc_counts_the_pairs(rows: list[tuple[float, bool]]) -> None:
    marks, gold = [row[0] for row in rows], [row[1] for row in rows]
    pairs = [(a, b) for a, x in rows if x for b, y in rows if not y]
    expected = sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs) if pairs else None
    assert Flagging().score(marks, gold)["auc"] == (None if expected is None else pytest.approx(expected))


@settings(deadline=None)
@given(rows, scores)
def test_figures_from_the_counts(rows: list[tuple[float, bool]], threshold: float) -> None:
    marks, gold = [row[0] for row in rows], [row[1] for row in rows]
    score = Flagging(threshold).score(marks, gold)
    flagged = [mark >= threshold for mark in marks]
    right = sum(f and g for f, g in zip(flagged, gold, strict=True))
    assert score["precision"] == (pytest.approx(right / sum(flagged)) if any(flagged) else None)
    assert score["recall"] == (pytest.approx(right / sum(gold)) if any(gold) else None)
    assert score["accuracy"] == pytest.approx(sum(f == g for f, g in zip(flagged, gold, strict=True)) / len(rows))
    other = Flagging().score([not f for f in flagged], [not g for g in gold])
    f1s = [value for value in (score["f1"], other["f1"]) if value is not None]
    assert score["macro_f1"] == pytest.approx(sum(f1s) / len(f1s))


@settings(deadline=None)
@given(rows)
def test_no_threshold_beats_the_tuned_one(rows: list[tuple[float, bool]]) -> None:
    marks, gold = [row[0] for row in rows], [row[1] for row in rows]
    if len(set(gold)) < 2:
        with pytest.raises(InputError, match="rows of both kinds"):
            Flagging.tuned(marks, gold)
        return
    for target in ("macro_f1", "f1", "accuracy"):
        best = Flagging.tuned(marks, gold, target=target).score(marks, gold)[target]  # type: ignore[arg-type]
        tried = [Flagging(mark).score(marks, gold)[target] or 0.0 for mark in marks]
        assert best == pytest.approx(max(tried))


def test_yes_and_no_have_no_auc() -> None:
    score = Flagging(3.0).score([True, False], [True, True])
    assert score["auc"] is None
    assert score["recall"] == 0.5
    assert "without scores" in score.notes[0]


def test_nothing_at_all_and_scores_that_are_none() -> None:
    assert set(Flagging().score([], []).values.values()) == {None}
    with pytest.raises(InputError, match="row 2: the score is nan"):
        Flagging().score([0.1, float("nan")], [True, False])
    with pytest.raises(InputError, match="it must be a finite number"):
        Flagging(float("inf"))


def test_from_files_with_a_tuned_threshold(write_jsonl: Callable[..., Path], run_cli: Callable[..., Any]) -> None:
    dev = write_jsonl("dev.jsonl", [{"case_id": "a", "label": "factual"}, {"case_id": "b", "label": "not factual"}])
    dev_said = write_jsonl("dev_said.jsonl", [{"case_id": "b", "score": -2}, {"case_id": "a", "score": 4.0}])
    gold = [{"id": 1, "label": True}, {"id": 2, "label": 0}, {"id": 3, "label": "Non-factual"}]
    test = write_jsonl("test.jsonl", gold)
    said = write_jsonl("said.jsonl", [{"id": n, "score": s} for n, s in ((1, 1.5), (2, 0.5), (3, None))])
    result = run_cli("score", "flagging", said, test, "--tune", dev_said, dev, "--json")
    assert result.code == 0, result.err
    assert result.json["threshold"] == 1.0
    assert result.json["status"]["abstained"] == 1
    assert result.json["scores"][0]["measure"] == "Flagging(threshold=1.0)"
    assert result.json["scores"][0]["macro_f1"] == 1.0
    shown = run_cli("score", "flagging", said, test, "--threshold", "0").out
    assert "threshold: 0 (as given)" in shown
    assert "2 scored" in shown


def test_labels_in_place_of_scores(write_jsonl: Callable[..., Path], run_cli: Callable[..., Any]) -> None:
    gold = write_jsonl("gold.jsonl", [{"label": 1}, {"label": 0}])
    said = write_jsonl("said.jsonl", [{"label": "factual"}, {"label": "factual"}])
    result = run_cli("score", "flagging", said, gold, "--json")
    assert result.json["scores"][0]["auc"] is None
    assert result.json["scores"][0]["precision"] == 0.5


def test_all_faults_come_in_one_error(write_jsonl: Callable[..., Path], run_cli: Callable[..., Any]) -> None:
    gold = write_jsonl("gold.jsonl", [{"label": "maybe"}, {"label": 0}, {"label": 1}, {"label": 1}])
    said = write_jsonl("said.jsonl", [{"score": 1}, {"score": "high"}, {"label": 1}, {"score": 1, "status": "fine"}])
    result = run_cli("score", "flagging", said, gold)
    assert result.code == 2
    assert "4 problems" in result.err
    for told in ("unknown label 'maybe'", "'score' is 'high'", "has no 'score', which other lines have", "'fine'"):
        assert told in result.err
    assert run_cli("score", "flagging", said, gold, "--threshold", "1", "--tune", said, gold).code == 2
