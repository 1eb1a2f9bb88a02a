"""The arithmetic: areas, thresholds and intervals, against plain definitions."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aver.prove._data import sample_index
from aver.prove._figures import auc, balanced, best_threshold, crossed, halves
from aver.prove._labelled import contrast_figures
from aver.prove._sample import sample_rows, sample_topics

ROWS = st.lists(st.tuples(st.sampled_from([0.0, 0.2, 0.5, 0.7, math.nan]), st.booleans()), min_size=2, max_size=30)


@settings(deadline=None)
@given(ROWS)
def test_auc_is_the_share_of_pairs_won(rows: list[tuple[float, bool]]) -> None:
    scores, labels = np.array([s for s, _ in rows]), np.array([one for _, one in rows])
    won = [
        0.5 if math.isnan(a) or math.isnan(b) or a == b else float(a > b)
        for a, b in itertools.product(scores[labels], scores[~labels])
    ]
    assert auc(scores, labels) == (pytest.approx(float(np.mean(won))) if won else None)


@settings(deadline=None)
@given(ROWS)
def test_no_threshold_is_better_than_the_best(rows: list[tuple[float, bool]]) -> None:
    kept = [(s, one) for s, one in rows if not math.isnan(s)]
    scores, labels = np.array([s for s, _ in kept]), np.array([one for _, one in kept], dtype=bool)
    best = best_threshold(scores, labels)
    if not len(labels) or labels.all() or not labels.any():
        assert best is None
        return
    assert best is not None
    found = balanced(scores >= best, labels)
    # a threshold that calls everything the same is worth a half and never chosen where there is another
    for other in (0.1, 0.3, 0.6):
        if 0 < (scores >= other).sum() < len(scores):
            assert balanced(scores >= other, labels) <= found + 1e-12  # type: ignore[operator]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_a_threshold_chosen_elsewhere_flatters_nobody(seed: int) -> None:
    draw = np.random.default_rng(seed)
    labels = draw.random(400) < 0.5
    docs = [str(i // 2) for i in range(400)]
    found = crossed(draw.random(400), labels, docs, resamples=60, seed=1)
    assert found.value is not None
    assert abs(found.value - 0.5) < 0.13
    assert found.low is not None
    assert found.high is not None
    assert found.low <= found.value <= found.high


def test_what_has_no_score_is_called_wrongly() -> None:
    labels = np.arange(40) % 2 == 0
    scores = np.where(np.arange(40) < 4, np.nan, labels + 0.0)
    assert crossed(scores, labels, [str(i) for i in range(40)], resamples=0).value == pytest.approx(0.9)


def test_halves_go_by_document() -> None:
    docs = [f"d{i // 3}" for i in range(300)]
    side = halves(docs)
    assert all(len({bool(side[i]) for i in range(300) if docs[i] == doc}) == 1 for doc in set(docs))
    assert 100 < side.sum() < 200


@settings(deadline=None)
@given(st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=60), st.integers(1, 80), st.integers(0, 5))
def test_a_sample_holds_whole_documents_in_order(units: list[str], limit: int, seed: int) -> None:
    index = sample_index(units, limit, seed)
    taken = {units[i] for i in index}
    assert index == [i for i, unit in enumerate(units) if unit in taken]
    assert index
    assert index == sample_index(units, limit, seed)
    if limit >= len(units):
        assert len(index) == len(units)


def test_a_tie_is_not_higher_and_every_evidence_counts() -> None:
    scores = np.array([0.9, 0.5, 0.6, 0.6, 0.8, 0.7, 0.75, np.nan, 0.2])
    supported = np.array([True, False, True, False, True, False, True, True, False])
    groups = ["a", "a", "b", "b", "c", "c", "c", "d", "d"]
    found = contrast_figures(scores, supported, groups)
    assert found == {"n": 4.0, "higher": 2.0, "rate": 0.5, "ties": 0.25}


def test_the_sample_is_what_it_says() -> None:
    rows = sample_rows()
    texts: dict[str, list[str]] = {}
    for row in rows:
        if row.contrast:
            texts.setdefault(row.text, []).append(row.label)
    # no text of a contrast gives its label away
    assert all(sorted(labels) == ["refuted", "supported"] for labels in texts.values())
    for topic in sample_topics():
        assert topic.passage.count(topic.old) == 1
        assert topic.new not in topic.passage
    assert len({row.place for row in rows}) == len(rows)
