"""Is this text true to its source? One number, and the offending words.

    aver.consistency(text, source)                  the room itself can be called: the same as `assess`
    metric("aver").score(texts, sources)            any metric by its name, over many texts
    stream(source)                                  sentence by sentence, while the text is still being written
"""

from __future__ import annotations

from aver.consistency._lexical import LexicalMetric
from aver.consistency._metric import JudgeMetric, Metric
from aver.consistency._named import metric, metrics
from aver.consistency._results import Assessment, Coverage, SentenceAssessment, SourceSentence, Span

__all__ = [
    "Assessment",
    "Coverage",
    "JudgeMetric",
    "LexicalMetric",
    "Metric",
    "SentenceAssessment",
    "SourceSentence",
    "Span",
    "metric",
    "metrics",
]
