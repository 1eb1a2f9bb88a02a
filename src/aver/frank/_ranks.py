"""Ranks, residuals and the three coefficients, in plain NumPy: what every other file here computes with."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aver.frank._benchmark import Floats, Integers

__all__ = ["Tau", "pearson", "ranks", "residuals", "rounded", "tau"]

_BY_PAIRS = 6000  # rows of a group up to which all its pairs are looked at
_ROUNDING = 1e-13  # what is left of a number this much larger is rounding, not a score that varies


def residuals(values: Floats, groups: Integers) -> Floats:
    """What is left of values when their group's mean is taken off.

    That is exactly the residual of a least-squares regression on the groups' indicator variables, which is how
    FRANK's script removes a categorical control; no regression needs to be solved for it.

    >>> residuals(np.array([1.0, 3.0, 10.0]), np.array([0, 0, 1])).tolist()
    [-1.0, 1.0, 0.0]
    """
    counts = np.bincount(groups)
    # a second pass takes off what rounding left of the mean
    centred = values - (np.bincount(groups, weights=values) / np.maximum(counts, 1))[groups]
    left = centred - (np.bincount(groups, weights=centred) / np.maximum(counts, 1))[groups]
    return np.zeros_like(left) if _is_rounding(left, values) else np.asarray(left)


def rounded(values: Floats) -> Floats:
    """Values to twelve digits of their largest, so that ties broken only by rounding are ties again."""
    largest = np.abs(values).max(initial=0.0)
    return np.round(values / largest, 12) if largest > 0 else values


def ranks(values: Floats) -> Floats:
    """Ranks from 1, equal values sharing their mean rank.

    >>> ranks(np.array([0.2, 0.9, 0.2])).tolist()
    [1.5, 3.0, 1.5]
    """
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2)[inverse])


def pearson(x: Floats, y: Floats) -> float | None:
    """The plain product-moment correlation; None where either does not vary.

    >>> pearson(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]))
    1.0
    """
    left_x, left_y = x - x.mean(), y - y.mean()
    # the mean of equal numbers is not always that number: 37 times 0.1 would leave something that seems to vary
    if _is_rounding(left_x, x) or _is_rounding(left_y, y):
        return None
    x, y = left_x / np.abs(left_x).max(), left_y / np.abs(left_y).max()
    r = float(x @ y / np.sqrt((x @ x) * (y @ y)))
    return max(-1.0, min(1.0, r))


def _is_rounding(left: Floats, values: Floats) -> bool:
    return bool(np.abs(left).max(initial=0.0) <= _ROUNDING * np.abs(values).max(initial=0.0))


class Tau(NamedTuple):
    """Kendall's tau-b over the pairs of one group, and the normal deviate of its null distribution."""

    tau: float | None
    z: float | None


def tau(x: Floats, y: Floats, groups: Integers) -> Tau:
    """Kendall's tau-b over all pairs of rows in the same group.

    With one group this is the usual tau-b. With more it is the stratified one: only pairs that share the control's
    value are compared, so whatever the control does to either score, linear or not, is out. `z` divides the
    concordant less the discordant pairs by their standard deviation under independence within groups, ties counted
    (Kendall 1970, ch. 4), the variances of the groups added up.
    """
    balance = untied_x = untied_y = variance = 0.0
    for group in np.unique(groups):
        rows = groups == group
        a, b = x[rows], y[rows]
        n = len(a)
        if n < 2:
            continue
        ties_x, ties_y = (np.unique(v, return_counts=True)[1].astype(np.float64) for v in (a, b))
        pairs = n * (n - 1) / 2
        free_x, free_y = (pairs - (ties * (ties - 1)).sum() / 2 for ties in (ties_x, ties_y))
        untied_x, untied_y = untied_x + free_x, untied_y + free_y
        balance += _balance(a, b) if n <= _BY_PAIRS else _balance_by_sorting(a, b, free_x, free_y)
        variance += _null_variance(n, ties_x, ties_y)
    if untied_x == 0 or untied_y == 0:
        return Tau(None, None)
    value = balance / np.sqrt(untied_x * untied_y)
    return Tau(float(max(-1.0, min(1.0, value))), float(balance / np.sqrt(variance)) if variance > 0 else None)


def _balance(x: Floats, y: Floats) -> float:
    """Concordant less discordant pairs, in blocks of rows so that memory stays small."""
    total, step = 0.0, max(1, 4_000_000 // max(1, len(x)))
    # ranks are small whole numbers: signs of their differences are exact
    a = np.unique(x, return_inverse=True)[1].astype(np.int32)
    b = np.unique(y, return_inverse=True)[1].astype(np.int32)
    for start in range(0, len(x), step):
        stop = start + step
        signs_x = np.sign(a[start:stop, None] - a[None, :]).astype(np.float32)
        signs_y = np.sign(b[start:stop, None] - b[None, :]).astype(np.float32)
        total += float(np.einsum("ij,ij->i", signs_x, signs_y).sum(dtype=np.float64))
    return total / 2


def _balance_by_sorting(x: Floats, y: Floats, free_x: float, free_y: float) -> float:
    """The same by SciPy's sort, for groups so large that going through all pairs takes longer than importing it."""
    from scipy.stats import kendalltau

    if free_x == 0 or free_y == 0:
        return 0.0
    # tau-b is a whole number over √(free_x · free_y): rounding gives the number back exactly
    return float(np.rint(kendalltau(x, y, method="asymptotic").statistic * np.sqrt(free_x) * np.sqrt(free_y)))


def _null_variance(n: int, ties_x: Floats, ties_y: Floats) -> float:
    if n < 2:
        return 0.0
    size = float(n)
    plain = size * (size - 1) * (2 * size + 5)
    tied = [(t * (t - 1) * (2 * t + 5)).sum() for t in (ties_x, ties_y)]
    twos = [(t * (t - 1)).sum() for t in (ties_x, ties_y)]
    threes = [(t * (t - 1) * (t - 2)).sum() for t in (ties_x, ties_y)]
    variance = (plain - tied[0] - tied[1]) / 18 + twos[0] * twos[1] / (2 * size * (size - 1))
    if n > 2:
        variance += threes[0] * threes[1] / (9 * size * (size - 1) * (size - 2))
    return float(variance)
