"""Is this text true to its source? One number, and the offending words.

    aver.consistency(text, source)                  the room itself can be called: the same as `assess`
    aver.consistency.metric("aver").score(texts, sources)    any metric by its name, over many texts
    aver.consistency.stream(source)                 sentence by sentence, while the text is still being written

`aver.consistency.adapters` makes it a metric of other libraries.
"""

from __future__ import annotations

import sys as _sys
import types as _types
from typing import Any

from aver.consistency._asserting import assert_consistent
from aver.consistency._assess import assess, assess_all
from aver.consistency._lexical import LexicalMetric
from aver.consistency._measure import Consistency
from aver.consistency._metric import JudgeMetric, Metric
from aver.consistency._named import describe_metrics, metric, metrics
from aver.consistency._own import AverMetric, StrictMetric
from aver.consistency._results import Assessment, Coverage, SentenceAssessment, SourceSentence, Span
from aver.consistency._rules import RuleMetric
from aver.consistency._source import Source
from aver.consistency._stream import Stream, stream
from aver.consistency._unieval import UniEvalFact, unieval_prompt

__all__ = [
    "Assessment",
    "AverMetric",
    "Consistency",
    "Coverage",
    "JudgeMetric",
    "LexicalMetric",
    "Metric",
    "RuleMetric",
    "SentenceAssessment",
    "Source",
    "SourceSentence",
    "Span",
    "Stream",
    "StrictMetric",
    "UniEvalFact",
    "assert_consistent",
    "assess",
    "assess_all",
    "describe_metrics",
    "metric",
    "metrics",
    "stream",
    "unieval_prompt",
]


class _Room(_types.ModuleType):
    """A module that can be called: `aver.consistency` is a room and a verb, like `aver.check` is a verb."""

    def __call__(self, text: str, source: str, **options: Any) -> Assessment:
        return assess(text, source, **options)


_sys.modules[__name__].__class__ = _Room
