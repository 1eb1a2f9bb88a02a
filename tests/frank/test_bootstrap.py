"""The bootstrap's matrix products against the plain thing: draw documents, copy their rows, correlate."""

from __future__ import annotations

import numpy as np
import pytest

from aver.errors import InputError
from aver.frank import compare, correlate, correlation, load_example
from aver.frank._bootstrap import interval, resample

METHODS = ("pearson", "spearman", "spearman-ranked", "kendall")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("control", ["system", None, ("system", "dataset")])
@pytest.mark.parametrize("metric", ["Careful", "Partial"])
def test_a_sample_is_what_copying_the_rows_gives(method: str, control: str | None, metric: str) -> None:
    bench = load_example()
    x, y = bench.metrics[metric], bench.human_scores()
    codes, docs = bench.codes(control), bench.codes("doc")
    count = int(docs.max()) + 1
    drawn = resample([(x, y, method)], codes, docs, resamples=25, seed=7)[0]
    weights = np.random.default_rng(7).multinomial(count, np.full(count, 1 / count), size=25)
    for value, weight in zip(drawn, weights, strict=True):
        index = np.repeat(np.arange(len(x)), weight[docs])
        index = index[np.isfinite(x[index])]
        plain = correlation(x[index], y[index], codes[index], method=method)  # type: ignore[arg-type]
        assert value == pytest.approx(plain.r, abs=1e-9)


def test_ties_between_groups_share_their_rank_in_every_sample() -> None:
    """Two groups with the same few values: their residuals tie whenever their means do."""
    bench = load_example()
    x = np.tile([0.0, 1.0, 0.0, 1.0], 30)
    y = np.tile([0.0, 0.0, 1.0, 1.0], 30)
    codes, docs = np.tile([0, 0, 1, 1], 30), bench.codes("doc")
    drawn = resample([(x, y, "spearman")], codes, docs, resamples=5, seed=1)[0]
    assert np.isnan(drawn).all()  # y does not vary within the groups
    drawn = resample([(x, x[::-1].copy(), "spearman")], codes, docs, resamples=5, seed=1)[0]
    np.testing.assert_allclose(drawn, -1, atol=1e-12)


def test_the_seed_decides_and_the_number_of_samples_does_not_change_the_first_ones() -> None:
    bench = load_example()
    job = [(bench.metrics["Careful"], bench.human_scores(), "pearson")]
    codes, docs = bench.codes("system"), bench.codes("doc")
    first = resample(job, codes, docs, resamples=130, seed=3)[0]
    np.testing.assert_array_equal(first, resample(job, codes, docs, resamples=130, seed=3)[0])
    np.testing.assert_array_equal(first[:40], resample(job, codes, docs, resamples=40, seed=3)[0])
    assert not np.array_equal(first, resample(job, codes, docs, resamples=130, seed=4)[0])


def test_intervals_hold_the_estimate_and_fixed_ranks_are_near() -> None:
    bench = load_example()
    for row in correlate(bench, methods=METHODS, resamples=400):
        assert row.r is not None
        assert row.low is not None
        assert row.high is not None
        assert row.low < row.r < row.high
    again, fixed = (
        correlate(bench, metrics=["Careful"], methods=["spearman"], resamples=400, ranking=ranking)[0]
        for ranking in ("again", "fixed")
    )
    assert again.low == pytest.approx(fixed.low, abs=0.1)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    """Documents with a shared effect: of 200 intervals at 90% about 180 should hold the truth."""
    chance = np.random.default_rng(0)
    docs = np.repeat(np.arange(60), 3)
    codes = np.tile(np.arange(3), 60)
    hits = 0
    for _ in range(200):
        shared = chance.normal(size=60)[docs]
        x = shared + chance.normal(size=180) + codes
        y = shared + chance.normal(size=180) - codes
        drawn = resample([(x, y, "pearson")], codes, docs, resamples=200, seed=1)[0]
        low, high = interval(drawn, 0.9)
        assert low is not None
        assert high is not None
        hits += low <= 0.5 <= high
    assert 165 <= hits <= 196


def test_differences_of_a_pair_are_resampled_together() -> None:
    found = compare(load_example(), resamples=300)
    for pair in found.pairs:
        assert pair.low is not None
        assert pair.high is not None
        assert pair.low < pair.r_better - pair.r_worse < pair.high
    assert compare(load_example()).pairs[0].low is None


def test_an_interval_of_nothing_is_none() -> None:
    assert interval(np.full(10, np.nan)) == (None, None)


@pytest.mark.parametrize("method", ["pearson", "spearman", "spearman-ranked"])
def test_a_control_of_very_many_groups_needs_no_great_table(method: str) -> None:
    """2,500 documents, each its own group: the tables turn sparse, the numbers stay the same."""
    chance = np.random.default_rng(0)
    docs = np.repeat(np.arange(2500), 2)
    x = chance.random(5000)
    y = x + chance.random(5000)
    sparse = resample([(x, y, method)], docs, docs, resamples=3, seed=1)[0]
    index = np.repeat(np.arange(5000), np.random.default_rng(1).multinomial(2500, np.full(2500, 1 / 2500))[docs])
    plain = correlation(x[index], y[index], docs[index], method=method)  # type: ignore[arg-type]
    assert sparse[0] == pytest.approx(plain.r, abs=1e-9)


def test_kendall_over_too_many_documents_is_refused_before_it_fills_memory() -> None:
    docs = np.arange(4001)
    with pytest.raises(InputError, match="4,001 are too many"):
        resample([(docs * 1.0, docs * 1.0, "kendall")], docs * 0, docs, resamples=3)
