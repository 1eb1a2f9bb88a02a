"""How well a metric follows people: partial correlation, its p-value and its intervals."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np

from aver.errors import InputError
from aver.frank._benchmark import NO_CONTROL, Benchmark, Floats, Integers
from aver.frank._bootstrap import Progress, Resampling, interval, resample
from aver.frank._ranks import pearson, ranks, residuals, rounded, tau
from aver.frank._student import normal_quantile, t_tail

__all__ = ["Correlation", "Degrees", "Method", "correlate", "correlation", "partial_values"]

Method = Literal["pearson", "spearman", "spearman-ranked", "kendall"]
"""`pearson`: of the residuals. `spearman`: of the ranks of the residuals, as FRANK's script has it.
`spearman-ranked`: of the residuals of the ranks, the textbook's (and pingouin's) order.
`kendall`: tau-b over the pairs within a group of the control."""

Degrees = Literal["adjusted", "original"]
"""`adjusted`: a control of k groups takes k − 1 degrees of freedom. `original`: none, as in FRANK's script."""


@dataclasses.dataclass(frozen=True, slots=True)
class Correlation:
    """One metric against one human score, by one method."""

    metric: str
    human: str
    method: str
    control: str | None
    n: int
    """Rows that have both scores."""
    groups: int
    """Values of the control among them; 1 without a control."""
    r: float | None
    """None where either score does not vary within the groups, or there are too few rows."""
    p: float | None
    """Two-sided, of no correlation."""
    df: int
    low: float | None = None
    """Lower end of the bootstrap interval over documents; None where none was asked for."""
    high: float | None = None
    analytic_low: float | None = None
    """Lower end of the interval by Fisher's z, which takes rows for independent."""
    analytic_high: float | None = None
    level: float = 0.95

    def as_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def correlate(
    benchmark: Benchmark,
    *,
    metrics: Sequence[str] | None = None,
    human: str | None = None,
    methods: Sequence[Method] = ("pearson", "spearman"),
    control: str | Sequence[str] | None = "system",
    degrees: Degrees = "adjusted",
    resamples: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    ranking: Resampling = "again",
    progress: Progress | None = None,
) -> list[Correlation]:
    """Every metric against the human scores, by every method, each on the rows it covers.

    `control` is a column (or several: every combination is a group) whose effect is taken out; None for plain
    correlation. Intervals come from `resamples` bootstrap samples of documents (0: none), the same samples for
    every metric; `ranking` says whether Spearman's ranks are made `again` in each sample or kept `fixed`. `progress`
    is called with the number of samples done, `resamples` for every metric and method in all.

    >>> from aver.frank import load_example
    >>> for row in correlate(load_example(), methods=["pearson"], resamples=200):
    ...     print(f"{row.metric}: r = {row.r:.3f} [{row.low:.3f}, {row.high:.3f}], n = {row.n}")
    Careful: r = 0.896 [0.865, 0.920], n = 120
    Overlap: r = 0.236 [0.083, 0.423], n = 120
    Partial: r = 0.587 [0.443, 0.701], n = 75
    """
    check_settings(methods, degrees, resamples, level)
    names = benchmark.chosen(metrics)
    human = human or benchmark.main_human
    people = benchmark.human_scores(human)
    codes = benchmark.codes(control)
    label = control_name(control)
    docs = benchmark.codes("doc")
    found: list[Correlation] = []
    for name in names:
        scores = benchmark.metric_scores(name)
        for method in methods:
            keep = np.isfinite(scores) & np.isfinite(people)
            one = correlation(scores[keep], people[keep], codes[keep], method=method, degrees=degrees, level=level)
            found.append(dataclasses.replace(one, metric=name, human=human, control=label))
    if resamples:
        jobs = [(benchmark.metric_scores(row.metric), people, row.method) for row in found]
        draws = resample(jobs, codes, docs, resamples=resamples, seed=seed, ranking=ranking, progress=progress)
        ends = [interval(draw, level) if row.r is not None else (None, None)
                for row, draw in zip(found, draws, strict=True)]  # fmt: skip
        found = [dataclasses.replace(row, low=a, high=b) for row, (a, b) in zip(found, ends, strict=True)]
    return found


def correlation(
    x: Floats,
    y: Floats,
    groups: Integers | None = None,
    *,
    method: Method = "pearson",
    degrees: Degrees = "adjusted",
    level: float = 0.95,
) -> Correlation:
    """The (partial) correlation of two lists of numbers with its p-value and analytic interval.

    >>> one = correlation(np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 4]))
    >>> round(one.r, 3), round(one.p, 3), one.df
    (0.8, 0.2, 2)
    """
    codes = np.zeros(len(x), dtype=np.int64) if groups is None else groups
    _, codes = np.unique(codes, return_inverse=True)
    count = int(codes.max(initial=-1)) + 1
    taken = max(0, count - 1) if degrees == "adjusted" else 0
    n, df = len(x), len(x) - 2 - taken
    r = p = None
    if n >= 2 and method == "kendall":
        r, z = tau(x, y, codes)
        p = None if z is None else math.erfc(abs(z) / math.sqrt(2))
    elif n >= 2:
        a, b = partial_values(x, codes, method), partial_values(y, codes, method)
        r = pearson(a, b)
        p = None if r is None or df < 1 else _p(r, df)
    low, high = _fisher(r, n - taken, method, level)
    return Correlation("", "", method, None, n, max(1, count), r, p, df, None, None, low, high, level)


def partial_values(values: Floats, groups: Integers, method: str) -> Floats:
    """What a method correlates: the values with the control taken out, and ranked before or after that."""
    alone = not len(groups) or int(groups.max()) == 0
    if method == "spearman-ranked":
        return residuals(ranks(values), groups)
    left = (
        values if alone else rounded(residuals(values, groups)) if method == "spearman" else residuals(values, groups)
    )
    return ranks(left) if method == "spearman" else left


def _p(r: float, df: int) -> float:
    if abs(r) >= 1.0:
        return 0.0
    t = abs(r) * math.sqrt(df / ((1 - r) * (1 + r)))
    return 2 * t_tail(t, df)


def _fisher(r: float | None, n: int, method: str, level: float) -> tuple[float | None, float | None]:
    """Fisher's z with the standard error for the coefficient.

    Pearson 1/√(n−3); Spearman √((1+r²/2)/(n−3)) (Bonett and Wright 2000); Kendall √(0.437/(n−4)) (Fieller,
    Hartley and Pearson 1957); n is less the degrees of freedom that the control takes.
    """
    spare = n - (4 if method == "kendall" else 3)
    if r is None or spare < 1:
        return None, None
    if abs(r) >= 1.0:
        return r, r
    numerator = {"pearson": 1.0, "kendall": 0.437}.get(method, 1 + r * r / 2)
    reach = normal_quantile(0.5 + level / 2) * math.sqrt(numerator / spare)
    z = math.atanh(r)
    return math.tanh(z - reach), math.tanh(z + reach)


def control_name(control: str | Sequence[str] | None) -> str | None:
    names = [control] if isinstance(control, str) else list(control or ())
    return "+".join(name for name in names if name not in NO_CONTROL) or None


def check_settings(methods: Sequence[str], degrees: str, resamples: int, level: float) -> None:
    for method in methods:
        if method not in get_args(Method):
            raise InputError(f"unknown method {method!r}; there are: {', '.join(get_args(Method))}")
    if degrees not in get_args(Degrees):
        raise InputError(f"degrees is {degrees!r}; it can be: {', '.join(get_args(Degrees))}")
    if resamples < 0:
        raise InputError(f"resamples is {resamples}; it must be 0 (no bootstrap) or more")
    if not 0 < level < 1:
        raise InputError(f"level is {level}; it must lie between 0 and 1, like 0.95")
