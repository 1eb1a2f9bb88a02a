"""Williams, Holm, letters, and the sentences made of them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from aver.errors import InputError
from aver.frank import Benchmark, compare, holm, letters, load_example, williams


def test_williams_is_the_formula() -> None:
    r12, r13, r23, n = 0.52, 0.31, 0.44, 80
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    t = (
        (r12 - r13)
        * np.sqrt((n - 1) * (1 + r23))
        / np.sqrt(2 * k * (n - 1) / (n - 3) + ((r12 + r13) ** 2 / 4) * (1 - r23) ** 3)
    )
    found = williams(r12, r13, r23, n)
    assert found.t == pytest.approx(t)
    assert found.p_one == pytest.approx(scipy.stats.t.sf(t, n - 3))
    assert found.p_two == pytest.approx(2 * scipy.stats.t.sf(t, n - 3))
    turned = williams(r13, r12, r23, n)
    assert (turned.t, turned.p_two) == pytest.approx((-t, found.p_two))
    assert turned.p_one == pytest.approx(1 - found.p_one)


def test_williams_at_the_edges() -> None:
    # the second pair differs by the last bit only, which must not count as a difference without any error
    for one, other in ((0.4, 0.4), (np.nextafter(0.4, 1), 0.4)):
        same = williams(float(one), other, 1.0, 50)
        assert (same.t, same.p_one, same.p_two) == (0.0, 0.5, 1.0)
    with pytest.raises(InputError, match="more than 3 rows"):
        williams(0.4, 0.3, 0.1, 3)
    with pytest.raises(InputError, match="between -1 and 1"):
        williams(1.4, 0.3, 0.1, 30)


def test_williams_keeps_its_level_when_there_is_no_difference() -> None:
    chance = np.random.default_rng(0)
    below = 0
    for _ in range(1000):
        human = chance.normal(size=60)
        a, b = (human + 2 * chance.normal(size=60) for _ in range(2))
        r = np.corrcoef([human, a, b])
        below += williams(r[0, 1], r[0, 2], r[1, 2], 60).p_two < 0.05
    assert 30 <= below <= 72


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_only_raises_and_keeps_the_order(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(p <= q <= 1 for p, q in zip(p_values, adjusted, strict=True))
    order = np.argsort(p_values, kind="stable")
    assert all(np.diff(np.array(adjusted)[order]) >= 0)
    assert min(adjusted) == pytest.approx(min(1.0, len(p_values) * min(p_values)))


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 6), st.data())
def test_names_share_a_letter_exactly_where_no_difference_was_found(size: int, data: st.DataObject) -> None:
    names = [f"m{i}" for i in range(size)]
    pairs = list(itertools.combinations(names, 2))
    different = [set(pair) for pair in pairs if data.draw(st.booleans())]
    shown = letters(names, different)
    assert all(shown.values())
    for one, other in pairs:
        assert bool(set(shown[one]) & set(shown[other])) == ({one, other} not in different)


def test_pairs_are_compared_on_the_rows_both_score() -> None:
    found = compare(load_example())
    assert found.metrics == ("Careful", "Partial", "Overlap")
    assert found.pair("Partial", "Careful").n == 75
    assert found.pair("Overlap", "Careful").n == 120
    pair = found.pair("Overlap", "Careful")
    assert pair.df == 120 - 3 - 3
    assert found.pair("Overlap", "Careful").sentence == "Careful correlates better than Overlap, p < .001"
    assert compare(load_example(), degrees="original").pair("Overlap", "Careful").df == 117


def test_a_twin_is_not_told_apart() -> None:
    bench = load_example()
    twin = bench.with_metrics({"Twin": bench.metrics["Careful"].copy()})
    pair = compare(twin, metrics=["Careful", "Twin"]).pairs[0]
    assert (pair.t, pair.p_two, pair.significant) == (0.0, 1.0, False)
    assert "does not correlate detectably better" in pair.sentence


def test_what_cannot_be_compared_is_said() -> None:
    bench = load_example()
    with pytest.raises(InputError, match="two metrics or more"):
        compare(bench, metrics=["Careful"])
    with pytest.raises(InputError, match="not 'kendall'"):
        compare(bench, method="kendall")  # type: ignore[arg-type]
    flat = Benchmark("flat", ("1", "2", "3"), ("x",) * 3, human={"h": np.arange(3.0)},
                     metrics={"a": np.ones(3), "b": np.arange(3.0)})  # fmt: skip
    with pytest.raises(InputError, match="fewer than two metrics") as caught:
        compare(flat)
    assert caught.value.problems == ("a: it or h does not vary on its 3 rows within one system",)
    with pytest.raises(InputError, match="alpha is 5"):
        compare(bench, alpha=5)


def test_a_metric_without_a_correlation_is_left_out_with_its_reason() -> None:
    bench = load_example()
    more = bench.with_metrics({"Flat": np.full(120, 0.1), "None": np.full(120, np.nan)})
    found = compare(more)
    assert found.metrics == ("Careful", "Partial", "Overlap")
    assert found.left_out == (
        ("Flat", "it or Factuality does not vary on its 120 rows within one system"),
        ("None", "it scores none of the 120 rows taken"),
    )
    assert found.pairs == compare(bench).pairs
    assert found.n == {"Careful": 120, "Partial": 75, "Overlap": 120}


@given(st.floats(0.01, 100), st.floats(-100, 100), st.sampled_from(["pearson", "spearman", "spearman-ranked"]),
       st.sampled_from([None, "system"]))  # fmt: skip
@settings(max_examples=40, deadline=None)
def test_a_rescaled_metric_is_the_same_metric(times: float, plus: float, method: Any, control: str | None) -> None:
    bench = load_example()
    copied = bench.with_metrics({"Copy": bench.metrics["Careful"] * times + plus})
    pair = compare(copied, metrics=["Careful", "Copy"], method=method, control=control).pairs[0]
    assert pair.p_two > 0.99
    assert not pair.significant


def test_metrics_that_share_no_rows_are_left_uncompared() -> None:
    bench = load_example()
    careful = bench.metrics["Careful"]
    early, late = (np.where((np.arange(120) < 60) == side, careful, np.nan) for side in (True, False))
    split = bench.with_metrics({"Early": early, "Late": late})
    found = compare(split, resamples=20)
    assert [pair[:2] for pair in found.not_compared] in ([("Early", "Late")], [("Late", "Early")])
    assert found.not_compared[0][2] == "they share 0 rows, too few"
    assert found.between["Early"]["Late"] is None
    assert len(found.pairs) == 9
    with pytest.raises(InputError, match="no pair can be compared"):
        compare(split, metrics=["Early", "Late"])
