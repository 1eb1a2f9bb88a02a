"""Is one correlation really larger than another? Williams's test, and Holm's correction for many of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from aver.errors import InputError
from aver.frank._student import t_tail

__all__ = ["Williams", "holm", "williams"]

_SAME = 1e-12  # correlations closer than this differ by rounding only


class Williams(NamedTuple):
    """t with its degrees of freedom, and the chance of a difference this large when there is none."""

    t: float
    df: int
    p_one: float
    """One-sided: that the first correlation is not the larger. This is what FRANK's script computes."""
    p_two: float
    """Two-sided: that they are equal. The one to use unless the direction was chosen before seeing the data."""


def williams(r12: float, r13: float, r23: float, n: int) -> Williams:
    """Tests whether x1 correlates with x2 as it does with x3, all three measured on the same n items.

    Williams (1959), as in Steiger (1980), eq. 7, and Graham and Baldwin (2014), with n − 3 degrees of freedom.
    Correlations that are equal but for rounding have t = 0, as those of a metric and of twice that metric.

    >>> test = williams(0.5, 0.4, 0.6, 103)
    >>> round(test.t, 4), test.df, round(test.p_one, 4), round(test.p_two, 4)
    (1.2959, 100, 0.099, 0.198)
    """
    if n <= 3:
        raise InputError(f"Williams's test needs more than 3 rows that both metrics score; there are {n}")
    if not all(-1 <= r <= 1 for r in (r12, r13, r23)):
        raise InputError(f"correlations lie between -1 and 1; these are {r12}, {r13} and {r23}")
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    squared = 2 * max(determinant, 0.0) * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    top = (r12 - r13) * math.sqrt((n - 1) * max(1 + r23, 0.0))
    if abs(r12 - r13) <= _SAME:
        t = 0.0
    elif squared <= 0:
        t = math.copysign(math.inf, top)
    else:
        t = top / math.sqrt(squared)
    return Williams(t, n - 3, t_tail(t, n - 3), 2 * t_tail(abs(t), n - 3))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's (1979) step-down correction: p-values that stay honest when many tests are made at once.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [0.0] * len(p_values)
    reached = 0.0
    for rank, i in enumerate(order):
        reached = max(reached, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = reached
    return adjusted
