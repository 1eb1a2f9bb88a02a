"""Which metric is really better: metric–metric correlations, Williams's test for every pair, groups of equals."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from aver.errors import InputError, count_of
from aver.frank._benchmark import Benchmark, Floats
from aver.frank._bootstrap import Job, Progress, interval, resample
from aver.frank._correlation import Degrees, check_settings, control_name, partial_values
from aver.frank._ranks import pearson
from aver.frank._williams import holm, williams

__all__ = ["Comparison", "Pair", "check_alpha", "compare", "letters", "write_p"]

Compared = Literal["pearson", "spearman", "spearman-ranked"]


@dataclasses.dataclass(frozen=True, slots=True)
class Pair:
    """Two metrics on the rows that both score; `better` is the one with the larger correlation."""

    better: str
    worse: str
    n: int
    r_better: float
    r_worse: float
    r_between: float
    """How the two metrics correlate with each other."""
    t: float
    df: int
    p_one: float
    p_two: float
    p_holm: float
    """Two-sided, corrected for all the pairs compared."""
    significant: bool
    """Whether `p_holm` is below alpha."""
    low: float | None = None
    """Lower end of the bootstrap interval of r_better − r_worse, over documents."""
    high: float | None = None

    @property
    def sentence(self) -> str:
        """The finding in words, after correction for all pairs."""
        verb = "correlates better than" if self.significant else "does not correlate detectably better than"
        return f"{self.better} {verb} {self.worse}, p {write_p(self.p_holm)}"

    def as_dict(self) -> dict[str, Any]:
        return {**dataclasses.asdict(self), "sentence": self.sentence}


@dataclasses.dataclass(frozen=True)
class Comparison:
    """All pairs of metrics."""

    metrics: tuple[str, ...]
    """By falling correlation."""
    n: dict[str, int]
    """Rows that have the metric's score and the human one."""
    correlations: dict[str, float]
    """Of each metric with the human scores, on those rows."""
    between: dict[str, dict[str, float | None]]
    """Metric–metric correlations; None for a pair that could not be compared."""
    pairs: tuple[Pair, ...]
    not_compared: tuple[tuple[str, str, str], ...]
    """Pairs that share too few rows, or rows on which a score does not vary, with the reason."""
    left_out: tuple[tuple[str, str], ...]
    """Metrics that have no correlation with the human scores at all, with the reason."""
    groups: dict[str, str]
    """Letters: two metrics that share one are not told apart by the test."""
    human: str
    method: str
    control: str | None
    degrees: str
    alpha: float

    def pair(self, one: str, other: str) -> Pair:
        """The pair of these two, whichever is better."""
        for pair in self.pairs:
            if {pair.better, pair.worse} == {one, other}:
                return pair
        raise InputError(f"{one!r} and {other!r} were not compared; compared were: {', '.join(self.metrics)}")

    def as_dict(self) -> dict[str, Any]:
        found = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        return {**found, "pairs": [pair.as_dict() for pair in self.pairs]}


def compare(
    benchmark: Benchmark,
    *,
    metrics: Sequence[str] | None = None,
    human: str | None = None,
    method: Compared = "pearson",
    control: str | Sequence[str] | None = "system",
    degrees: Degrees = "adjusted",
    alpha: float = 0.05,
    resamples: int = 0,
    seed: int = 0,
    progress: Progress | None = None,
) -> Comparison:
    """Compares every pair of metrics on the rows both cover.

    With a control, all three correlations of the test are partial and `degrees="adjusted"` lessens n by the
    degrees of freedom the control takes. `resamples` adds a bootstrap interval of each difference, which unlike
    the test does not take the rows of one document for independent.

    >>> from aver.frank import load_example
    >>> found = compare(load_example())
    >>> for pair in found.pairs:
    ...     print(pair.sentence)
    Careful correlates better than Partial, p < .001
    Careful correlates better than Overlap, p < .001
    Partial correlates better than Overlap, p = .005
    >>> found.groups
    {'Careful': 'a', 'Partial': 'b', 'Overlap': 'c'}
    """
    if method not in ("pearson", "spearman", "spearman-ranked"):
        raise InputError(f"Williams's test is for Pearson and Spearman correlations, not {method!r}")
    check_alpha(alpha)
    check_settings([method], degrees, resamples, 1 - alpha)
    names = benchmark.chosen(metrics)
    if len(names) < 2:
        raise InputError(f"comparing needs two metrics or more; here is {names[0]!r} alone")
    human = human or benchmark.main_human
    people, codes = benchmark.human_scores(human), benchmark.codes(control)
    scored = {name: np.isfinite(benchmark.metric_scores(name)) & np.isfinite(people) for name in names}
    cache: dict[tuple[bytes, str], Floats] = {}

    def values(name: str | None, rows: np.ndarray[Any, np.dtype[np.bool_]]) -> Floats:
        key = (rows.tobytes(), name or "")
        if key not in cache:
            source = people if name is None else benchmark.metric_scores(name)
            cache[key] = partial_values(source[rows], np.unique(codes[rows], return_inverse=True)[1], method)
        return cache[key]

    def strength(one: str | None, other: str | None, rows: np.ndarray[Any, np.dtype[np.bool_]]) -> float | None:
        return pearson(values(one, rows), values(other, rows)) if rows.any() else None

    own: dict[str, float] = {}
    undefined: list[tuple[str, str]] = []
    for name in names:
        n, r = int(scored[name].sum()), strength(name, None, scored[name])
        if r is not None:
            own[name] = r
        elif n:
            undefined.append((name, f"it or {human} does not vary on its {count_of(n, 'row')}" + _within(control)))
        else:
            undefined.append((name, f"it scores none of the {len(benchmark):,} rows taken"))
    if len(own) < 2:
        raise InputError("fewer than two metrics can be compared", [f"{name}: {why}" for name, why in undefined])
    ordered = tuple(sorted(own, key=lambda name: -own[name]))
    between: dict[str, dict[str, float | None]] = {name: dict.fromkeys(ordered) for name in ordered}
    rough: list[tuple[str, str, int, float, float, float, int]] = []
    not_compared: list[tuple[str, str, str]] = []
    for one, other in itertools.combinations(ordered, 2):
        rows = scored[one] & scored[other]
        n = int(rows.sum())
        first, second, middle = strength(one, None, rows), strength(other, None, rows), strength(one, other, rows)
        taken = len(np.unique(codes[rows])) - 1 if degrees == "adjusted" else 0
        if first is None or second is None or middle is None or n - taken <= 3:
            why = "too few" if n - taken <= 3 else "on which a score does not vary" + _within(control)
            not_compared.append((one, other, f"they share {count_of(n, 'row')}, {why}"))
            continue
        between[one][other] = between[other][one] = middle
        if second > first:
            one, other, first, second = other, one, second, first
        rough.append((one, other, n, first, second, middle, taken))
    if not rough:
        raise InputError("no pair can be compared", [f"{one} and {other}: {why}" for one, other, why in not_compared])
    tests = [williams(first, second, middle, n - taken) for _, _, n, first, second, middle, taken in rough]
    corrected = holm([test.p_two for test in tests])
    ends = _differences(
        benchmark, [r[:2] for r in rough], scored, people, codes, method, resamples, seed, 1 - alpha, progress
    )
    pairs = tuple(
        Pair(one, other, n, first, second, middle, test.t, test.df, test.p_one, test.p_two, p, p < alpha, *end)
        for (one, other, n, first, second, middle, _), test, p, end in zip(rough, tests, corrected, ends, strict=True)
    )
    return Comparison(
        metrics=ordered,
        n={name: int(scored[name].sum()) for name in ordered},
        correlations={name: own[name] for name in ordered},
        between={
            name: {other: 1.0 if other == name else between[name][other] for other in ordered} for name in ordered
        },
        pairs=pairs,
        not_compared=tuple(not_compared),
        left_out=tuple(undefined),
        groups=letters(ordered, [{pair.better, pair.worse} for pair in pairs if pair.significant]),
        human=human,
        method=method,
        control=control_name(control),
        degrees=degrees,
        alpha=alpha,
    )


def letters(ordered: Sequence[str], different: Sequence[set[str]]) -> dict[str, str]:
    """A compact letter display: names share a letter exactly where no pair among them is different.

    >>> letters(["A", "B", "C"], [{"A", "C"}])
    {'A': 'a', 'B': 'ab', 'C': 'b'}
    """
    columns: list[set[str]] = [set(ordered)]
    for pair in different:
        one, other = sorted(pair)
        split = []
        for column in columns:
            split += [column - {one}, column - {other}] if pair <= column else [column]
        unique: list[set[str]] = []
        for column in split:
            if column and column not in unique:
                unique.append(column)
        columns = [c for c in unique if not any(c < other for other in unique)]
    place = {name: i for i, name in enumerate(ordered)}
    columns.sort(key=lambda column: sorted(place[name] for name in column))
    return {name: "".join(_letter(i) for i, column in enumerate(columns) if name in column) for name in ordered}


def write_p(p: float) -> str:
    """A p-value with its sign, as papers write it.

    >>> write_p(0.0031), write_p(0.00004)
    ('= .003', '< .001')
    """
    if p < 0.001:
        return "< .001"
    return "= 1" if p >= 0.9995 else f"= {p:.3f}".replace("0.", ".")


def check_alpha(alpha: float) -> None:
    if not 0 < alpha < 1:
        raise InputError(f"alpha is {alpha}; it must lie between 0 and 1, like 0.05")


def _within(control: str | Sequence[str] | None) -> str:
    label = control_name(control)
    return f" within one {label}" if label else ""


def _letter(i: int) -> str:
    return chr(ord("a") + i) if i < 26 else _letter(i // 26 - 1) + _letter(i % 26)


def _differences(
    benchmark: Benchmark,
    pairs: Sequence[tuple[str, str]],
    scored: dict[str, np.ndarray[Any, np.dtype[np.bool_]]],
    people: Floats,
    codes: np.ndarray[Any, np.dtype[np.int64]],
    method: str,
    resamples: int,
    seed: int,
    level: float,
    progress: Progress | None,
) -> list[tuple[float | None, float | None]]:
    if not resamples:
        return [(None, None)] * len(pairs)
    jobs: dict[tuple[str, bytes], Job] = {}
    for pair in pairs:
        rows = scored[pair[0]] & scored[pair[1]]
        for name in pair:
            jobs.setdefault(
                (name, rows.tobytes()), (np.where(rows, benchmark.metric_scores(name), np.nan), people, method)
            )
    draws = dict(
        zip(
            jobs,
            resample(
                list(jobs.values()), codes, benchmark.codes("doc"), resamples=resamples, seed=seed, progress=progress
            ),
            strict=True,
        )
    )
    found = []
    for one, other in pairs:
        key = (scored[one] & scored[other]).tobytes()
        found.append(interval(draws[one, key] - draws[other, key], level))
    return found
