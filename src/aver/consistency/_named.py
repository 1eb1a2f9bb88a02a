"""Metrics by their names."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from typing import Any

from aver.consistency._lexical import LEXICAL, MEANINGS, LexicalMetric
from aver.consistency._metric import Metric
from aver.consistency._own import AverMetric, StrictMetric
from aver.consistency._rules import RULES, RuleMetric
from aver.consistency._unieval import UniEvalFact
from aver.errors import InputError
from aver.models import Judge

__all__ = ["describe_metrics", "metric", "metrics"]


def metrics() -> list[str]:
    """The names of all built-in metrics, the default first.

    >>> metrics()[:2]
    ['aver', 'unieval-fact']
    """
    return ["aver", "unieval-fact", "aver-strict", *RULES, *LEXICAL]


def describe_metrics() -> dict[str, str]:
    """What each metric is, by name.

    >>> describe_metrics()["rouge-2"]
    "The share of the text's word pairs that the source holds (ROUGE-2 precision)."
    """
    own = {kind.name: kind.what for kind in (AverMetric, UniEvalFact, StrictMetric)}
    return own | {name: rule.what for name, rule in RULES.items()} | MEANINGS


def metric(name: str, *, judge: str | os.PathLike[str] | Judge | None = None, **options: Any) -> Metric:
    """The metric of that name; see `metrics()`.

    `judge` is a name, a folder or a judge from `aver.models.load_judge`, for the metrics that read with one; for
    `unieval-fact` it is the T5 checkpoint, a folder or a hub id (left out: the published one, if it was fetched once).
    `aver` and `aver-strict` take the options `sentences` and `together`, `unieval-fact` takes `reference_behaviour`,
    `max_tokens` and `threads`.

    >>> metric("rouge-1").score(["tea is hot"], ["The tea is hot."])
    [1.0]
    >>> metric("rogue-1")
    Traceback (most recent call last):
    aver.errors.InputError: there is no metric 'rogue-1'; there are: aver, unieval-fact, aver-strict, ...
    """
    if name in LEXICAL:
        if judge is not None or options:
            raise InputError(f"{name} reads with no judge and takes no options")
        return LexicalMetric(name)
    if name in RULES:
        _fit(name, (), options)
        return RuleMetric(name, judge)
    if name in ("aver", "aver-strict"):
        _fit(name, _options(AverMetric), options)
        return AverMetric(judge, **options) if name == "aver" else StrictMetric(judge, **options)
    if name == "unieval-fact":
        _fit(name, _options(UniEvalFact), options)
        if isinstance(judge, Judge):
            raise InputError("unieval-fact reads with a T5 checkpoint: name its folder or hub id")
        return UniEvalFact(judge, **options)
    raise InputError(f"there is no metric {name!r}; there are: {', '.join(metrics())}")


def _options(kind: Callable[..., Metric]) -> tuple[str, ...]:
    return tuple(p.name for p in inspect.signature(kind).parameters.values() if p.kind is p.KEYWORD_ONLY)


def _fit(name: str, known: tuple[str, ...], options: dict[str, Any]) -> None:
    if wrong := sorted(set(options) - set(known)):
        raise InputError(f"{name} takes no option {', '.join(wrong)}; it takes: {', '.join(known) or 'none'}")
