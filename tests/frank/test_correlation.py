"""Partial correlation: against SciPy where SciPy has it, against a regression where it has not, and at the edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import aver
from aver.errors import InputError
from aver.frank import Benchmark, PartialCorrelation, correlate, correlation, load_example
from aver.frank._ranks import ranks, residuals


def rows(seed: int, n: int = 60, groups: int = 4) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    chance = np.random.default_rng(seed)
    codes = chance.integers(0, groups, n)
    y = np.round(chance.random(n) + 0.3 * codes, 1)  # many ties
    x = y + chance.normal(size=n) - 0.5 * codes
    return x, y, codes


@pytest.mark.parametrize("seed", range(5))
def test_without_a_control_it_is_scipys(seed: int) -> None:
    x, y, _ = rows(seed)
    for method, theirs in (
        ("pearson", scipy.stats.pearsonr(x, y)),
        ("spearman", scipy.stats.spearmanr(x, y)),
        ("spearman-ranked", scipy.stats.spearmanr(x, y)),
        ("kendall", scipy.stats.kendalltau(x, y, method="asymptotic")),
    ):
        ours = correlation(x, y, method=method)  # type: ignore[arg-type]
        assert ours.r == pytest.approx(theirs.statistic, abs=1e-12)
        assert ours.p == pytest.approx(theirs.pvalue, rel=1e-6)


def test_fishers_interval_is_scipys() -> None:
    x, y, _ = rows(1)
    low, high = scipy.stats.pearsonr(x, y).confidence_interval(0.95)
    ours = correlation(x, y)
    assert (ours.analytic_low, ours.analytic_high) == pytest.approx((low, high), abs=1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_with_a_control_it_is_that_of_the_regressions_residuals(seed: int) -> None:
    x, y, codes = rows(seed)
    design = np.eye(codes.max() + 1)[codes]
    left_x, left_y = (v - design @ np.linalg.lstsq(design, v, rcond=None)[0] for v in (x, y))
    np.testing.assert_allclose(residuals(x, codes), left_x, atol=1e-12)
    assert correlation(x, y, codes).r == pytest.approx(scipy.stats.pearsonr(left_x, left_y).statistic, abs=1e-12)


def test_the_control_costs_degrees_of_freedom() -> None:
    x, y, codes = rows(3)
    ours = correlation(x, y, codes)
    assert ours.r is not None
    assert ours.df == len(x) - 2 - 3
    t = ours.r * np.sqrt(ours.df / (1 - ours.r**2))
    assert ours.p == pytest.approx(2 * scipy.stats.t.sf(abs(t), ours.df), rel=1e-9)
    original = correlation(x, y, codes, degrees="original")
    assert original.df == len(x) - 2
    assert original.p == pytest.approx(scipy.stats.pearsonr(residuals(x, codes), residuals(y, codes)).pvalue, rel=1e-9)


def test_stratified_kendall_compares_only_rows_of_one_group() -> None:
    x, y, codes = rows(4)
    balance = free_x = free_y = 0.0
    for i in range(len(x)):
        for j in range(i):
            if codes[i] == codes[j]:
                balance += np.sign(x[i] - x[j]) * np.sign(y[i] - y[j])
                free_x += x[i] != x[j]
                free_y += y[i] != y[j]
    assert correlation(x, y, codes, method="kendall").r == pytest.approx(balance / np.sqrt(free_x * free_y), abs=1e-12)


def test_kendall_of_large_groups_is_sorted_for_and_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y, codes = rows(5, n=200)
    plain = [correlation(x, y, groups, method="kendall") for groups in (codes, None)]
    monkeypatch.setattr("aver.frank._ranks._BY_PAIRS", 10)
    assert [correlation(x, y, groups, method="kendall") for groups in (codes, None)] == plain


@pytest.mark.parametrize("method", ["pearson", "spearman", "spearman-ranked", "kendall"])
@pytest.mark.parametrize("value", [0.1, 1 / 3, 0.7, 1e6 + 0.1])
def test_a_constant_has_no_correlation(method: Any, value: float) -> None:
    chance = np.random.default_rng(0)
    for n in (2, 10, 37, 250, 1000):
        # 37 times 0.1 has a mean that is not 0.1: what is left must not pass for a score that varies
        people, groups = chance.random(n), chance.integers(0, 4, n)
        for found in (
            correlation(np.full(n, value), people, method=method),
            correlation(people, np.full(n, value), method=method),
            correlation(value + groups * 0.1, people, groups, method=method),
        ):
            assert (found.r, found.p, found.analytic_low) == (None, None, None)
    bench = load_example()
    flat = correlate(bench.with_metrics({"Flat": np.full(120, value)}), metrics=["Flat"], methods=[method],
                     control=None, resamples=20)  # fmt: skip
    assert (flat[0].r, flat[0].low, flat[0].high) == (None, None, None)


numbers = st.floats(-1e3, 1e3).map(lambda v: round(v, 3))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(numbers, numbers, st.integers(0, 3)), min_size=2, max_size=40), st.integers(-5, 5))
def test_a_shift_of_a_whole_group_changes_nothing(cells: list[tuple[float, float, int]], shift: int) -> None:
    x, y, codes = (np.array(side, dtype=float) for side in zip(*cells, strict=True))
    groups = codes.astype(np.int64)
    for method in ("pearson", "kendall"):
        plain = correlation(x, y, groups, method=method)  # type: ignore[arg-type]
        moved = correlation(x + shift * codes * 2.0, y, groups, method=method)  # type: ignore[arg-type]
        if plain.r is not None and moved.r is not None and method == "pearson":
            assert moved.r == pytest.approx(plain.r, abs=1e-6)
        assert plain.r is None or -1 <= plain.r <= 1
        assert plain.p is None or 0 <= plain.p <= 1


@settings(max_examples=100, deadline=None)
@given(st.lists(numbers, min_size=1, max_size=50))
def test_ranks_are_scipys(values: list[float]) -> None:
    np.testing.assert_array_equal(ranks(np.array(values)), scipy.stats.rankdata(values))


def test_what_does_not_vary_has_no_correlation() -> None:
    flat = correlation(np.ones(5), np.arange(5.0))
    assert (flat.r, flat.p, flat.analytic_low) == (None, None, None)
    within = correlation(np.array([1.0, 1, 2, 2]), np.arange(4.0), np.array([0, 0, 1, 1]))
    assert within.r is None
    assert correlation(np.array([1.0]), np.array([2.0])).r is None
    score = PartialCorrelation("pearson", control="none").score([1, 1], [1, 2])
    assert score.main is None
    assert score.notes


def test_a_metric_that_covers_a_part_is_taken_on_its_part() -> None:
    bench = load_example()
    by_name = {row.metric: row for row in correlate(bench, methods=["pearson"], resamples=0)}
    assert (by_name["Partial"].n, by_name["Careful"].n) == (75, 120)
    alone = correlate(bench, metrics=["Careful"], methods=["pearson"], resamples=0)[0]
    assert by_name["Careful"].r == alone.r


def test_several_controls_make_a_group_of_every_combination() -> None:
    bench = load_example()
    row = correlate(bench, metrics=["Careful"], control=["system", "dataset"], resamples=0)[0]
    assert (row.groups, row.control) == (8, "system+dataset")
    assert row.df == row.n - 2 - 7


@pytest.mark.parametrize(
    ("settings_", "words"),
    [
        ({"methods": ["gamma"]}, "unknown method 'gamma'"),
        ({"metrics": ["Nobody"]}, "no metric 'Nobody'; its metrics: Careful, Overlap, Partial"),
        ({"human": "Beauty"}, "no human scores 'Beauty'"),
        ({"control": "weather"}, "no column 'weather'; it has: system, doc, split, dataset"),
        ({"level": 95}, "level is 95"),
        ({"resamples": -1}, "resamples is -1"),
        ({"degrees": "free"}, "degrees is 'free'"),
    ],
)
def test_a_wrong_setting_is_named(settings_: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words.replace("(", r"\(")):
        correlate(load_example(), **settings_)  # type: ignore[arg-type]


def test_a_selection_that_leaves_nothing_says_so() -> None:
    bench = load_example()
    with pytest.raises(InputError, match="no row has split 'dev'; there are: valid, test"):
        bench.select(split="dev")
    with pytest.raises(InputError, match="together"):
        Benchmark("b", ("1", "2"), ("x", "y"), human={"h": np.ones(2)}, columns={"split": ("test", "valid")}).select(
            split="test", systems=["y"]
        )


def test_the_measure_prints_and_parses_back() -> None:
    for name in (
        "PartialCorrelation(method=kendall, control=none)",
        "PartialCorrelation(method=pearson, control=system)",
    ):
        assert str(aver.measure(name)) == name


def test_the_measure_refuses_what_cannot_be_correlated() -> None:
    measure = PartialCorrelation()
    with pytest.raises(InputError, match="unequal lengths: metric 2, human 1, control 2"):
        measure.score([1, 2], [1], ["a", "b"])
    with pytest.raises(InputError, match="needs the values of 'system'"):
        measure.score([1, 2], [1, 2])
    with pytest.raises(InputError, match="takes no control"):
        PartialCorrelation(control="none").score([1, 2], [1, 2], ["a", "b"])
    with pytest.raises(InputError, match="must be numbers"):
        measure.score([1, "x"], [1, 2], ["a", "b"])  # type: ignore[list-item]
    with pytest.raises(InputError, match="infinity"):
        measure.score([1, float("inf")], [1, 2], ["a", "b"])
