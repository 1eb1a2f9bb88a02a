"""Windows become one answer by the rules the module states."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver.models import combine

share = st.tuples(*[st.floats(0.001, 1)] * 3).map(lambda t: (np.array(t) / sum(t)).tolist())


def grids() -> st.SearchStrategy[np.ndarray]:
    shape = st.tuples(st.integers(1, 4), st.integers(1, 5))
    return shape.flatmap(
        lambda s: st.lists(st.lists(share, min_size=s[1], max_size=s[1]), min_size=s[0], max_size=s[0])
    ).map(np.array)


@given(grids())
def test_it_is_a_distribution_and_the_order_of_windows_is_no_matter(grid: np.ndarray) -> None:
    found = combine(grid).probabilities
    assert found.sum() == pytest.approx(1)
    assert (found >= 0).all()
    assert combine(grid[::-1, ::-1]).probabilities == pytest.approx(found)
    if grid.shape[:2] == (1, 1):
        assert found.tolist() == grid[0, 0].tolist()


@given(share, st.integers(1, 4), st.integers(1, 4))
def test_windows_that_all_say_the_same_say_it_together(window: list[float], parts: int, pieces: int) -> None:
    assert combine(np.array([[window] * pieces] * parts)).probabilities == pytest.approx(window)


def test_many_silent_windows_do_not_drown_one_that_speaks() -> None:
    silent, refutes = [0.03, 0.03, 0.94], [0.02, 0.95, 0.03]
    found = combine(np.array([[silent] * 200 + [refutes]]))
    assert found.probabilities[1] > 0.9
    assert not found.conflict


def test_one_refuted_part_refutes_and_one_silent_part_leaves_it_open() -> None:
    supports, refutes, silent = [0.9, 0.05, 0.05], [0.05, 0.9, 0.05], [0.1, 0.1, 0.8]
    assert combine(np.array([[supports], [refutes]])).probabilities.argmax() == 1
    assert combine(np.array([[supports], [silent]])).probabilities.argmax() == 2
    assert combine(np.array([[supports], [supports]])).probabilities.argmax() == 0
    # parts that differ are no conflict: the windows of one part have to disagree
    assert not combine(np.array([[supports], [refutes]])).conflict
    assert combine(np.array([[supports, refutes]])).conflict
