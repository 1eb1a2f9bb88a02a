"""`aver.consistency`: a text and its source in, a score with the offending words out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from aver.consistency._metric import JudgeMetric, Metric, Progress
from aver.consistency._named import metric as named
from aver.consistency._results import Assessment, Coverage
from aver.errors import InputError, kind_of
from aver.models import Judge

__all__ = ["assess", "assess_all"]


def assess(
    text: str,
    source: str,
    *,
    metric: str | Metric = "aver",
    judge: str | os.PathLike[str] | Judge | None = None,
    **options: Any,
) -> Assessment:
    """How far a text is true to its source: a score in [0, 1], each sentence's verdict, the words not borne out.

    `aver.consistency(text, source)` is the same. `metric` is a name of `metrics()` or a metric; `judge` and the other
    options are as for `aver.consistency.metric`.

    >>> found = assess("Is it safe?", "The bridge was opened in 1931.", judge="fast")
    >>> found.score, found.status
    (None, 'no_claims')
    """
    for what, value in (("text", text), ("source", source)):
        if not isinstance(value, str):
            raise InputError(f"the {what} is {kind_of(value, none='missing')}; it must be text")
    return assess_all([text], [source], metric=metric, judge=judge, **options)[0]


def assess_all(
    texts: Sequence[str],
    sources: Sequence[str],
    *,
    metric: str | Metric = "aver",
    judge: str | os.PathLike[str] | Judge | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> list[Assessment]:
    """The same for many texts, each with its source; the judge's work is batched across all of them.

    >>> [found.score for found in assess_all(["tea is hot", "?"], ["The tea is hot.", "So."], metric="rouge-1")]
    [1.0, None]
    """
    if isinstance(metric, str):
        metric = named(metric, judge=judge, **options)
    elif judge is not None or options:
        raise InputError("a metric that is made already takes no judge and no options")
    if isinstance(metric, JudgeMetric):
        return metric.assess_all(texts, sources, progress=progress)
    scores = metric.score(texts, sources, progress=progress)
    return [_bare(metric, text, source, score) for text, source, score in zip(texts, sources, scores, strict=True)]


def _bare(metric: Metric, text: str, source: str, score: float | None) -> Assessment:
    """An assessment by a metric that only counts."""
    read = score is not None
    coverage = Coverage(int(bool(text.strip())), int(read), int(bool(source.strip())), int(read), float(read))
    if score is not None:
        return Assessment(score, "scored", metric.name, metric.model, (), coverage)
    return Assessment(None, "no_claims", metric.name, metric.model, (), coverage, ("there is nothing to count",))
