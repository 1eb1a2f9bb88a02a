"""`assert_consistent`: for tests of systems that write text."""

from __future__ import annotations

import os
from typing import Any

from aver.consistency._assess import assess
from aver.consistency._metric import Metric
from aver.consistency._results import Assessment, SentenceAssessment
from aver.models import Judge

__all__ = ["assert_consistent", "explain_failure"]


def assert_consistent(
    text: str,
    source: str,
    *,
    threshold: float = 0.5,
    metric: str | Metric = "aver",
    judge: str | os.PathLike[str] | Judge | None = None,
    require_claims: bool = False,
    **options: Any,
) -> Assessment:
    """Raises an AssertionError that shows the offending words where a text scores below `threshold`.

    A text that could not be read fails too. One that states nothing passes, unless `require_claims`. In pytest the
    fixture `assert_consistent` is the same function.

    >>> assert_consistent("Tea is served hot.", "Tea is served hot here.", judge="fast").status
    'scored'
    """
    __tracebackhide__ = True
    found = assess(text, source, metric=metric, judge=judge, **options)
    stated = found.status != "no_claims" or not require_claims
    if stated and (found.status == "no_claims" or (found.score is not None and found.score >= threshold)):
        return found
    raise AssertionError(explain_failure(found, threshold))


def explain_failure(found: Assessment, threshold: float) -> str:
    """Why a text fails, sentence by sentence: each offending sentence, its words marked, and what the source has."""
    if found.score is None:
        return f"the text has no score ({found.status}): {'; '.join(found.notes)}"
    lines = [f"the text is not true enough to its source: {found.metric} {found.score:.3f} < {threshold:g}"]
    for sentence in found.sentences:
        if not sentence.spans and (sentence.score is None or sentence.score >= threshold):
            continue
        score = "" if sentence.score is None else f"  [{sentence.score:.3f}]"
        lines += ["", f"  {sentence.text}{score}"]
        if any(span.reason != "sentence" for span in sentence.spans):
            lines.append(f"  {_underlined(sentence)}")
        for span in sentence.spans:
            said = f"; the source has “{span.source}”" if span.source else ""
            lines.append(f"    {span.kind} {span.reason}: “{span.text}”{said}")
        lines += [f"    nearest in the source: {evidence.text}" for evidence in sentence.evidence[:1]]
    return "\n".join(lines)


def _underlined(sentence: SentenceAssessment) -> str:
    """A line of ^ under the offending words."""
    marks = [" "] * len(sentence.text)
    for span in sentence.spans:
        for at in range(span.start - sentence.start, span.end - sentence.start):
            marks[at] = "^"
    return "".join(marks).rstrip()
