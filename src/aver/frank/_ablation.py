"""Which kinds of error a metric sees: flip each kind's labels to correct and watch the correlation fall."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from aver.errors import InputError
from aver.frank._benchmark import Benchmark
from aver.frank._bootstrap import Progress, interval, resample
from aver.frank._correlation import Method, check_settings, control_name, correlation
from aver.frank._typology import GROUPS, OTHER

__all__ = ["Ablation", "Contribution", "ablate"]


@dataclasses.dataclass(frozen=True, slots=True)
class Contribution:
    """How much one kind of error adds to a metric's correlation with people."""

    metric: str
    category: str
    n: int
    r: float | None
    """With the human scores as they are."""
    r_flipped: float | None
    """With the sentences wrong in this way called right."""
    contribution: float | None
    """r − r_flipped: above 0, the metric notices this kind of error."""
    low: float | None = None
    high: float | None = None

    def as_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


@dataclasses.dataclass(frozen=True)
class Ablation:
    """Contributions of every category to every metric."""

    metrics: tuple[str, ...]
    categories: tuple[str, ...]
    rows: tuple[Contribution, ...]
    human: str
    method: str
    control: str | None

    def contribution(self, metric: str, category: str) -> Contribution:
        for row in self.rows:
            if (row.metric, row.category) == (metric, category):
                return row
        raise InputError(f"there is no contribution of {category!r} to {metric!r} here")

    def as_dict(self) -> dict[str, Any]:
        found = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        return {**found, "rows": [row.as_dict() for row in self.rows]}


def ablate(
    benchmark: Benchmark,
    *,
    metrics: Sequence[str] | None = None,
    categories: Sequence[str] | None = None,
    human: str = "Factuality",
    method: Method = "pearson",
    control: str | Sequence[str] | None = "system",
    resamples: int = 0,
    seed: int = 0,
    level: float = 0.95,
    progress: Progress | None = None,
) -> Ablation:
    """Correlation with the human scores less correlation with each category's flipped labels (`Flip_<category>`).

    `categories` are the typology's three groups unless others are named (`RelE`, `OutE`, …; `all` for every one the
    benchmark has). Where it has no flipped labels, make them from its sentences with `with_sentences`.

    >>> from aver.frank import load_example
    >>> found = ablate(load_example(), metrics=["Overlap"])
    >>> for row in found.rows:
    ...     print(f"{row.category} {row.contribution:+.3f}")
    Semantic_Frame_Errors -0.150
    Discourse_Errors -0.013
    Content_Verifiability_Errors +0.173
    """
    check_settings([method], "adjusted", resamples, level)
    names = benchmark.chosen(metrics)
    kinds = _categories(benchmark, categories)
    base = benchmark.human_scores(human)
    codes = benchmark.codes(control)
    labels = [base, *(benchmark.human[f"Flip_{kind}"] for kind in kinds)]
    # a difference of correlations must be one of the same rows: those that have every label
    labelled = np.all([np.isfinite(people) for people in labels], axis=0)
    jobs, rows = [], []
    for name in names:
        scores = np.where(labelled, benchmark.metric_scores(name), np.nan)
        keep = np.isfinite(scores)
        found = [correlation(scores[keep], people[keep], codes[keep], method=method).r for people in labels]
        jobs += [(scores, people, method) for people in labels]
        for kind, other in zip(kinds, found[1:], strict=True):
            lost = None if found[0] is None or other is None else found[0] - other
            rows.append(Contribution(name, kind, int(keep.sum()), found[0], other, lost))
    if resamples:
        drawn = resample(jobs, codes, benchmark.codes("doc"), resamples=resamples, seed=seed, progress=progress)
        width = len(kinds) + 1
        ends = [interval(drawn[m * width] - drawn[m * width + 1 + k], level)
                for m in range(len(names)) for k in range(len(kinds))]  # fmt: skip
        rows = [dataclasses.replace(row, low=a, high=b) if row.contribution is not None else row
                for row, (a, b) in zip(rows, ends, strict=True)]  # fmt: skip
    return Ablation(names, kinds, tuple(rows), human, method, control_name(control))


def _categories(benchmark: Benchmark, wanted: Sequence[str] | None) -> tuple[str, ...]:
    there = [name.removeprefix("Flip_") for name in benchmark.human if name.startswith("Flip_")]
    if not there:
        raise InputError(
            f"{benchmark.name} has no flipped labels (human scores named Flip_…); "
            "compute them from sentence-level annotations with --sentences"
        )
    kinds = [kind.removeprefix("Flip_") for kind in wanted or ()]
    # the files' columns call the code OtherE "Other"
    kinds = ["Other" if kind == OTHER and kind not in there else kind for kind in kinds]
    if kinds == ["all"]:
        return tuple(there)
    kinds = kinds or [group for group in GROUPS if group in there] or there
    for kind in kinds:
        if kind not in there:
            raise InputError(f"{benchmark.name} has no flipped labels for {kind!r}; it has: {', '.join(there)}")
    return tuple(dict.fromkeys(kinds))
