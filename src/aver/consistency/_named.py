"""Metrics by their names."""

from __future__ import annotations

import os
from typing import Any

from aver.consistency._lexical import LEXICAL, LexicalMetric
from aver.consistency._metric import Metric
from aver.errors import InputError
from aver.models import Judge

__all__ = ["metric", "metrics"]


def metrics() -> list[str]:
    """The names of all built-in metrics.

    >>> "rouge-1" in metrics()
    True
    """
    return [*LEXICAL]


def metric(name: str, *, judge: str | os.PathLike[str] | Judge | None = None, **options: Any) -> Metric:
    """The metric of that name; see `metrics()`.

    `judge` is a name, a folder or a judge from `aver.models.load_judge`, for the metrics that read with one.

    >>> metric("rouge-1").score(["tea is hot"], ["The tea is hot."])
    [1.0]
    """
    if name in LEXICAL:
        if judge is not None or options:
            raise InputError(f"{name} reads with no judge and takes no options")
        return LexicalMetric(name)
    raise InputError(f"there is no metric {name!r}; there are: {', '.join(metrics())}")
