"""A metric of consistency: texts and their sources in, one number each out."""

from __future__ import annotations

import abc
import os
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from aver.consistency._results import Assessment
from aver.errors import InputError, count_of, kind_of
from aver.models import Judge

__all__ = ["JudgeMetric", "Metric", "Progress", "check_pairs"]

Progress = Callable[[int], None]
"""Called with the number of texts done since the last call."""


class Metric(abc.ABC):
    """How far a text is true to its source; `aver.consistency.metric(name)` gives you one."""

    name: str
    """As it is asked for."""
    model: str = ""
    """Name and content hash of the model behind it, where there is one."""
    what: ClassVar[str]
    """One line that says what it measures."""

    @abc.abstractmethod
    def score(
        self, texts: Sequence[str], sources: Sequence[str], *, progress: Progress | None = None
    ) -> list[float | None]:
        """One number in [0, 1] for each text against its source, higher being more consistent.

        None where there is nothing to score: a text that states nothing, or a source with no words.
        """


class JudgeMetric(Metric):
    """A metric that reads: it can show its work."""

    judge: Judge

    @abc.abstractmethod
    def assess_all(
        self, texts: Sequence[str], sources: Sequence[str], *, progress: Progress | None = None
    ) -> list[Assessment]:
        """One assessment for each text against its source; the judge's work is batched across all of them."""

    def assess(self, text: str, source: str) -> Assessment:
        """The score with its sentences, their evidence and the offending words."""
        return self.assess_all([text], [source])[0]

    def score(
        self, texts: Sequence[str], sources: Sequence[str], *, progress: Progress | None = None
    ) -> list[float | None]:
        return [found.score for found in self.assess_all(texts, sources, progress=progress)]


def check_pairs(texts: Sequence[str], sources: Sequence[str]) -> None:
    """Raises an InputError that names everything wrong with the columns."""
    from aver.errors import Problems

    if isinstance(texts, str) or isinstance(sources, str):
        raise InputError("give a list of texts and a list of sources; for one text there is aver.consistency.assess")
    if len(texts) != len(sources):
        both = f"{count_of(len(texts), 'text')} and {count_of(len(sources), 'source')}"
        raise InputError(f"{both}: give as many of one as of the other")
    problems = Problems()
    for number, pair in enumerate(zip(texts, sources, strict=True)):
        for what, value in zip(("text", "source"), pair, strict=True):
            if not isinstance(value, str):
                problems.add(f"row {number}", f"the {what} is {kind_of(value, none='missing')}; it must be text")
    problems.raise_if_any("these rows cannot be scored")


def judge_of(judge: str | os.PathLike[str] | Judge | None, **options: Any) -> Judge:
    """A judge as it may be named."""
    from aver.models import load_judge

    return judge if isinstance(judge, Judge) else load_judge("default" if judge is None else judge, **options)
