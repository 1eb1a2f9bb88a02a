"""A benchmark of metrics: documents × systems, what people said of each output, what metrics said."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import NDArray

from aver.errors import InputError, Problems, count_of

__all__ = ["NO_CONTROL", "Benchmark", "Floats", "Integers", "Source", "brief", "is_score", "score_columns"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# FRANK's own column names, accepted wherever ours are.
_ALIASES = {"model_name": "system", "model": "system", "hash": "doc", "document": "doc", "article": "doc"}
NO_CONTROL = ("none", "None", "")


def is_score(value: object) -> TypeGuard[float]:
    """Whether a value read from JSON is a finite number; true and false are none, nor is a whole number past floats.

    >>> is_score(1), is_score(0.5), is_score(True), is_score("1"), is_score(float("nan")), is_score(10**400)
    (True, True, False, False, False, False)
    """
    try:
        return type(value) in (int, float) and math.isfinite(value)  # type: ignore[arg-type]
    except OverflowError:
        return False


def brief(value: object) -> str:
    """A value for a message, cut where it is long."""
    shown = repr(value)
    return shown if len(shown) < 40 else shown[:37] + "…"


def score_columns(rows: Sequence[tuple[str, Any]], what: str, problems: Problems) -> dict[str, Floats]:
    """From each row's place and object of name and number: an array for every name, NaN where a row has none.

    >>> score_columns([("line 1", {"a": 1}), ("line 2", {"a": None, "b": 0.5})], "human", Problems())
    {'a': array([ 1., nan]), 'b': array([nan, 0.5])}
    """
    found: dict[str, Floats] = {}
    for i, (place, scores) in enumerate(rows):
        if not isinstance(scores, dict):
            problems.add(place, f"{what!r} is not an object of name and number")
            continue
        for name, value in scores.items():
            if value is None:
                continue
            if not is_score(value):
                problems.add(place, f"{what} {name!r} is {brief(value)}, not a number")
                continue
            if name not in found:
                found[name] = np.full(len(rows), np.nan)
            found[name][i] = value
    return found


class Source(NamedTuple):
    """A file a benchmark was read from: its name (never its folder) and the SHA-256 of its bytes."""

    name: str
    sha256: str


@dataclasses.dataclass(frozen=True, eq=False)
class Benchmark:
    """Rows of (document, system) with human scores and metric scores; a missing score is NaN.

    >>> bench = Benchmark("toy", doc=("a", "a", "b"), system=("x", "y", "x"),
    ...                   human={"Factuality": np.array([1.0, 0.0, 0.5])},
    ...                   metrics={"M": np.array([0.9, 0.2, np.nan])})
    >>> len(bench), bench.systems, bench.covered("M")
    (3, ('x', 'y'), 2)
    >>> bench.select(systems=["x"]).doc
    ('a', 'b')
    """

    name: str
    doc: tuple[str, ...]
    system: tuple[str, ...]
    human: Mapping[str, Floats]
    metrics: Mapping[str, Floats] = dataclasses.field(default_factory=dict)
    columns: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    """What else is known of each row, as words: `split`, `dataset`, …; any of them can be a control."""
    preferred: tuple[str, ...] = ()
    """The metrics to evaluate unless told otherwise; empty: all."""
    sources: tuple[Source, ...] = ()

    def __post_init__(self) -> None:
        problems = Problems()
        if not self.human:
            problems.add("", "there is no human score")
        held = {"system": self.system, **self.columns, **self.human, **self.metrics}
        for name, values in held.items():
            if len(values) != len(self.doc):
                problems.add(name, f"has {count_of(len(values), 'value')} for {count_of(len(self.doc), 'row')}")
        for name, scores in {**self.human, **self.metrics}.items():
            if np.isinf(scores).any():
                problems.add(name, "holds an infinity; a missing score is NaN")
        problems.raise_if_any(f"{self.name} is no benchmark")

    def __len__(self) -> int:
        return len(self.doc)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order of their first row."""
        return tuple(dict.fromkeys(self.system))

    @property
    def main_human(self) -> str:
        """The human score to evaluate against unless told otherwise: the first."""
        return next(iter(self.human))

    def column(self, name: str) -> tuple[str, ...]:
        """A column of words: `system` (FRANK's `model_name`), `doc` (FRANK's `hash`), `split`, `dataset`, …"""
        wanted = name if name in self.columns else _ALIASES.get(name, name)
        if wanted == "system":
            return self.system
        if wanted == "doc":
            return self.doc
        if wanted not in self.columns:
            known = ", ".join(["system", "doc", *self.columns])
            raise InputError(f"{self.name} has no column {name!r}; it has: {known}")
        return self.columns[wanted]

    def human_scores(self, name: str | None = None) -> Floats:
        """The human scores of that name; none: the main ones."""
        return _named(self.human, name or self.main_human, f"{self.name} has no human scores", "they are")

    def metric_scores(self, name: str) -> Floats:
        """The scores of a metric."""
        return _named(self.metrics, name, f"{self.name} has no metric", "its metrics")

    def chosen(self, metrics: Sequence[str] | None = None) -> tuple[str, ...]:
        """The metrics to evaluate: those named, else the preferred ones, else all; each must be there."""
        names = tuple(metrics) if metrics else self.preferred or tuple(self.metrics)
        if not names:
            raise InputError(
                f"{self.name} holds human scores but no metric; hand in a metric's scores (--submission FILE; in "
                "Python: submit or with_metrics)"
            )
        for name in names:
            self.metric_scores(name)
        return tuple(dict.fromkeys(names))

    def covered(self, metric: str) -> int:
        """How many rows the metric has a score for."""
        return int(np.isfinite(self.metric_scores(metric)).sum())

    def codes(self, control: str | Sequence[str] | None) -> Integers:
        """A group number for each row; several controls make a group of every combination; none: one group."""
        names = [control] if isinstance(control, str) else list(control or ())
        names = [name for name in names if name not in NO_CONTROL]
        if not names:
            return np.zeros(len(self), dtype=np.int64)
        keys = list(zip(*(self.column(name) for name in names), strict=True))
        numbers: dict[tuple[str, ...], int] = {}
        return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)

    def select(
        self,
        *,
        split: str | None = None,
        dataset: str | None = None,
        systems: Sequence[str] = (),
        where: Mapping[str, str | Sequence[str]] | None = None,
    ) -> Benchmark:
        """Only some rows: of a split (`all` or none: every row), a data set, systems, or any column's values."""
        wanted: dict[str, list[str]] = {}
        if split is not None and split != "all":
            wanted["split"] = [split]
        if dataset is not None:
            wanted["dataset"] = [dataset]
        if systems:
            wanted["system"] = list(systems)
        for name, value in (where or {}).items():
            wanted[name] = [value] if isinstance(value, str) else list(value)
        keep = np.ones(len(self), dtype=bool)
        for name, values in wanted.items():
            found = self.column(name)
            known = dict.fromkeys(found)
            for value in values:
                if value not in known:
                    shown = ", ".join(list(known)[:30])
                    raise InputError(f"{self.name}: no row has {name} {value!r}; there are: {shown}")
            keep &= np.isin(np.array(found), values)
        if not keep.any():
            said = ", ".join(f"{name} {' or '.join(values)}" for name, values in wanted.items())
            raise InputError(f"{self.name}: no row has {said} together")
        return self._rows(np.flatnonzero(keep)) if wanted else self

    def with_metrics(self, scores: Mapping[str, Floats], *, sources: Iterable[Source] = ()) -> Benchmark:
        """The same rows with more metrics (one score a row, NaN where there is none), evaluated by default too."""
        for name, values in scores.items():
            if len(values) != len(self):
                has = f"metric {name!r} has {count_of(len(values), 'score')}"
                raise InputError(f"{has}; {self.name} has {count_of(len(self), 'row')}")
            if name in self.metrics:
                raise InputError(f"{self.name} already has a metric named {name!r}; give yours another name")
        return dataclasses.replace(
            self,
            metrics={**self.metrics, **{k: np.asarray(v, dtype=np.float64) for k, v in scores.items()}},
            preferred=(*self.preferred, *scores) if self.preferred else (),
            sources=(*self.sources, *sources),
        )

    def with_human(self, scores: Mapping[str, Floats], *, sources: Iterable[Source] = ()) -> Benchmark:
        """The same rows with these human scores put in or replaced."""
        for name, values in scores.items():
            if len(values) != len(self):
                has = f"human score {name!r} has {count_of(len(values), 'value')}"
                raise InputError(f"{has}; {self.name} has {count_of(len(self), 'row')}")
        more = {name: np.asarray(values, dtype=np.float64) for name, values in scores.items()}
        return dataclasses.replace(self, human={**self.human, **more}, sources=(*self.sources, *sources))

    def records(self) -> Iterator[dict[str, Any]]:
        """The rows in the JSON-lines form that `load` reads: doc, system, columns, human, metrics."""
        for i, (doc, system) in enumerate(zip(self.doc, self.system, strict=True)):
            yield {
                "doc": doc,
                "system": system,
                **{name: values[i] for name, values in self.columns.items()},
                "human": _row(self.human, i),
                "metrics": _row(self.metrics, i),
            }

    def _rows(self, index: NDArray[np.intp]) -> Benchmark:
        return dataclasses.replace(
            self,
            doc=tuple(self.doc[i] for i in index),
            system=tuple(self.system[i] for i in index),
            columns={name: tuple(values[i] for i in index) for name, values in self.columns.items()},
            human={name: values[index] for name, values in self.human.items()},
            metrics={name: values[index] for name, values in self.metrics.items()},
        )


def _named(scores: Mapping[str, Floats], name: str, complaint: str, there: str) -> Floats:
    if name not in scores:
        raise InputError(f"{complaint} {name!r}; {there}: {', '.join(scores) or 'none'}")
    return scores[name]


def _row(scores: Mapping[str, Floats], i: int) -> dict[str, float]:
    return {name: float(values[i]) for name, values in scores.items() if np.isfinite(values[i])}
