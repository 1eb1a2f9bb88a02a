"""Calibration, thresholds, intervals: each against the plain definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aver.errors import InputError
from aver.metrics import Rationale, calibration, classification
from aver.text import words
from aver.train._bars import Figure, bootstrap, weighted_ece, weighted_f1
from aver.train._calibrate import fit_calibration
from aver.train._rationales import Contrast, best_threshold, contrasts, edited_words

NAMES = ("SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO")


def _drawn(
    scale: float, bias: tuple[float, float, float] = (0, 0, 0), rows: int = 4000
) -> tuple[np.ndarray, np.ndarray]:
    """Logits whose true probabilities are softmax(scale * logits + bias)."""
    rng = np.random.default_rng(0)
    logits = rng.normal(0, 3, (rows, 3))
    z = logits * scale + np.array(bias)
    p = np.exp(z - z.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    return logits, (rng.random(rows)[:, None] > p.cumsum(1)).sum(1).clip(max=2)


class TestCalibration:
    def test_finds_the_temperature_of_a_model_too_sure(self) -> None:
        found = fit_calibration(*_drawn(0.4))
        assert found.temperature == pytest.approx(2.5, abs=0.2)
        assert found.ece_before > 0.1
        assert found.ece_after < 0.03
        assert found.nll_after < found.nll_before

    def test_no_verdict_changes_even_where_a_class_is_favoured(self) -> None:
        logits, gold = _drawn(0.5, (1.0, -0.5, -0.5))
        found = fit_calibration(logits, gold)
        assert found.nll_after < found.nll_before
        assert ((logits / found.temperature).argmax(1) == logits.argmax(1)).all()

    def test_a_calibrated_model_stays_as_it_is(self) -> None:
        found = fit_calibration(*_drawn(1.0))
        assert found.temperature == pytest.approx(1, abs=0.08)
        assert abs(found.nll_after - found.nll_before) < 0.002

    def test_ece_is_the_measure(self) -> None:
        logits, gold = _drawn(0.4, rows=300)
        p = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
        stated = [dict(zip(NAMES, map(float, row), strict=True)) for row in p]
        wanted = calibration(stated, [NAMES[g] for g in gold]).ece
        assert fit_calibration(logits, gold).ece_before == pytest.approx(wanted)

    def test_too_few_rows(self) -> None:
        with pytest.raises(InputError, match="two rows or more"):
            fit_calibration(np.zeros((1, 3)), np.zeros(1))


class TestEditedWords:
    def test_deleted_and_replaced_words_but_no_stop_words(self) -> None:
        text = "The river , which is long , has more than 30 old bridges ."
        other = "A river has more than 40 bridges ."
        assert [words(text)[i].text for i in sorted(edited_words(text, other))] == ["long", "30", "old"]

    def test_an_insertion_edits_nothing(self) -> None:
        assert edited_words("It has 3 rooms .", "It has about 3 rooms .") == frozenset()

    def test_the_opposite_verdict_is_the_counterpart(self) -> None:
        rows = [
            {"case_id": "1", "claim": "c", "evidence": "It has 3 rooms .", "label": "SUPPORTS"},
            {"case_id": "1", "claim": "c", "evidence": "It stands on hills .", "label": "NOT ENOUGH INFO"},
            {"case_id": "1", "claim": "c", "evidence": "It has 5 rooms .", "label": "REFUTES"},
            {"case_id": "2", "claim": "c", "evidence": "It has 9 rooms .", "label": "REFUTES"},
        ]
        found = contrasts(rows)
        assert [(row.evidence, [words(row.evidence)[i].text for i in row.wanted]) for row in found] == [
            ("It has 3 rooms .", ["3"]),
            ("It has 5 rooms .", ["5"]),
        ]
        assert found[0].unlabelled == {0, 1, 4}, "it, has and the full stop"


rows_of_words = st.lists(
    st.lists(st.tuples(st.integers(0, 8), st.booleans(), st.booleans()), min_size=1, max_size=6), min_size=1, max_size=6
)


@given(rows_of_words)
def test_no_threshold_is_better(drawn: list[list[tuple[int, bool, bool]]]) -> None:
    rows = []
    scores = []
    for row in drawn:
        silent = frozenset(i for i, (_, _, s) in enumerate(row) if s)
        wanted = frozenset(i for i, (_, w, _) in enumerate(row) if w) - silent
        rows.append(Contrast("c", "e", "1", wanted, silent))
        scores.append(np.array([s / 8 for s, _, _ in row]))

    def f1(threshold: float) -> float:
        marked = [{i for i, s in enumerate(own) if s >= threshold} for own in scores]
        found = Rationale().score(marked, [r.wanted for r in rows], [r.unlabelled for r in rows])["f1"]
        return 0.0 if found is None else found

    threshold, best = best_threshold(scores, rows)
    assert f1(threshold) == pytest.approx(best)
    assert best >= max(f1(t / 16) for t in range(18)) - 1e-12


class TestIntervals:
    def test_of_a_share(self) -> None:
        right = np.array([1.0] * 300 + [0.0] * 100)
        value, low, high = bootstrap(lambda w: float((right * w).sum() / w.sum()), list(range(400)))
        assert value == 0.75
        # the normal approximation: 1.96 * sqrt(.75 * .25 / 400) = .0424
        assert (low, high) == (pytest.approx(0.7076, abs=0.008), pytest.approx(0.7924, abs=0.008))

    def test_rows_that_go_together_widen_it(self) -> None:
        right = np.repeat([1.0, 0.0] * 20, 10)
        statistic = lambda w: float((right * w).sum() / w.sum())  # noqa: E731
        _, low, high = bootstrap(statistic, list(range(400)))
        _, wide_low, wide_high = bootstrap(statistic, [i // 10 for i in range(400)])
        assert wide_high - wide_low > 2 * (high - low)

    def test_the_same_seed_gives_the_same_interval(self) -> None:
        right = np.array([1.0, 0.0, 1.0])
        runs = [bootstrap(lambda w: float((right * w).sum()), "abc", seed=s, resamples=50) for s in (1, 1)]
        assert runs[0] == runs[1]


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from([*NAMES, "DISPUTED"])), min_size=1, max_size=30))
def test_weighted_f1_is_the_reports(drawn: list[tuple[str, str]]) -> None:
    gold, said = (np.array(column) for column in zip(*drawn, strict=True))
    wanted = classification(list(said), list(gold)).weighted.f1
    assert weighted_f1(said, gold)(np.ones(len(gold))) == pytest.approx(wanted)


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(34, 100), st.booleans()), min_size=1, max_size=40))
def test_weighted_ece_is_the_measures(drawn: list[tuple[int, bool]]) -> None:
    confidence = np.array([c / 100 for c, _ in drawn])
    right = np.array([r for _, r in drawn], float)
    stated = [{"SUPPORTS": c, "REFUTES": 1 - c} for c in confidence.tolist()]
    gold = ["SUPPORTS" if r else "NOT_ENOUGH_INFO" for r in right]
    wanted = calibration(stated, gold, predictions=["SUPPORTS"] * len(gold)).ece
    assert weighted_ece(confidence, right)(np.ones(len(right))) == pytest.approx(wanted)


def test_a_figure_knows_its_bar() -> None:
    def figure(value: float, bar: float | None, better: bool = True) -> Figure:
        return Figure("x", "X", value, 0, 1, 10, "pairs", bar, better)

    assert figure(0.9, 0.8).passed is True
    assert figure(0.9, 0.95).passed is False
    assert figure(0.02, 0.03, better=False).passed is True
    assert figure(0.9, None).passed is None
    assert figure(0.9, 0.8).as_dict()["passed"] is True
