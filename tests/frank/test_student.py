"""Our t and normal quantile are SciPy's."""

from __future__ import annotations

import math

import pytest
import scipy.stats
from hypothesis import example, given, settings
from hypothesis import strategies as st

from aver.frank._student import normal_quantile, t_tail


@settings(max_examples=500, deadline=None)
@given(st.floats(-60, 60), st.integers(1, 100_000))
@example(7.855148798613155e-09, 1)
def test_the_tail_of_t_is_scipys(t: float, df: int) -> None:
    # next to 0 SciPy's tail has eight digits; there it is a straight line
    near = abs(t) < 1e-5
    theirs = 0.5 - t * scipy.stats.t.pdf(0, df) if near else scipy.stats.t.sf(t, df)
    assert t_tail(t, df) == pytest.approx(theirs, rel=1e-9, abs=1e-300)


def test_the_ends_of_t() -> None:
    assert (t_tail(math.inf, 3), t_tail(-math.inf, 3), t_tail(0, 3)) == (0.0, 1.0, 0.5)


@pytest.mark.parametrize("share", [0.001, 0.05, 0.5, 0.9, 0.975, 0.9995])
def test_the_normal_quantile_is_scipys(share: float) -> None:
    assert normal_quantile(share) == pytest.approx(scipy.stats.norm.ppf(share), abs=1e-12)
