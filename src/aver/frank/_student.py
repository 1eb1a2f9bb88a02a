"""Student's t and the normal quantile, in plain Python.

SciPy has both, but importing `scipy.special` takes longer than everything else `aver frank` does on FRANK together;
the tests hold these equal to SciPy's.
"""

from __future__ import annotations

import math
from statistics import NormalDist

__all__ = ["normal_quantile", "t_tail"]


def t_tail(t: float, df: int) -> float:
    """The chance that Student's t with `df` degrees of freedom exceeds t.

    >>> t_tail(0.0, 5), round(t_tail(2.0, 10), 6)
    (0.5, 0.036694)
    """
    if math.isinf(t):
        return 0.0 if t > 0 else 1.0
    both = _incomplete_beta(df / 2, 0.5, df / (df + t * t), t * t / (df + t * t))
    return both / 2 if t >= 0 else 1 - both / 2


def normal_quantile(share: float) -> float:
    """The value a standard normal deviate stays below with that chance.

    >>> round(normal_quantile(0.975), 4)
    1.96
    """
    return NormalDist().inv_cdf(share)


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """The regularised incomplete beta function; `rest` is 1 − x, given apart so that none of it is lost."""
    if x <= 0 or rest <= 0:
        return 0.0 if x <= 0 else 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(rest))
    # the fraction converges fast below the mean; above it the function is taken from the other side
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, rest) / b


def _fraction(a: float, b: float, x: float) -> float:
    """Its continued fraction (Abramowitz and Stegun 26.5.8) by Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    value = d
    for m in range(1, 10_000):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + term * d
            c = 1 + term / c
            d = 1 / (d if abs(d) > tiny else tiny)
            c = c if abs(c) > tiny else tiny
            value *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return value
