"""Scoring while the text is still being written: sentence by sentence, against one source."""

from __future__ import annotations

import os
from types import TracebackType

from aver.consistency._metric import judge_of
from aver.consistency._own import AverMetric, Read
from aver.consistency._reading import claims_of, cut_in
from aver.consistency._results import Assessment, SentenceAssessment
from aver.errors import InputError, kind_of
from aver.models import Judge
from aver.text import Sentence, split_sentences

__all__ = ["Stream", "stream"]

_AHEAD = 40
"""Characters that must stand behind a sentence before it counts as ended: what follows decides if “Dr.” ends one."""


class Stream:
    """Takes a text piece by piece and gives back each sentence's assessment as soon as it has ended.

    >>> with stream("The bridge was opened in 1931.", judge="fast") as scoring:
    ...     early = scoring.feed("The bridge was opened in 19")
    ...     later = scoring.feed("31. It has been open to everyone ever since, they say.")
    >>> len(early), [s.text for s in later], scoring.finish().coverage.sentences
    (0, ['The bridge was opened in 1931.'], 2)
    """

    def __init__(self, source: str, *, metric: AverMetric) -> None:
        if not isinstance(source, str):
            raise InputError(f"the source is {kind_of(source, none='missing')}; it must be text")
        self._metric = metric
        self._source = metric.index(source)
        self._waiting = ""
        self._start = 0
        self._found: list[SentenceAssessment] = []
        self._reads: list[Read] = []
        self._cut = 0
        self._closed = False

    def feed(self, text: str) -> tuple[SentenceAssessment, ...]:
        """Adds text; the sentences that have ended with it, assessed, none where none has."""
        if self._closed:
            raise InputError("this stream is finished; open another one for another text")
        if not isinstance(text, str):
            raise InputError(f"a piece of the text is {kind_of(text, none='missing')}; it must be text")
        self._waiting += text
        ended = 0
        for sentence in split_sentences(self._waiting)[:-1]:
            if len(self._waiting) - sentence.end >= _AHEAD:
                ended = sentence.end
        return self._assess(ended) if ended else ()

    def finish(self) -> Assessment:
        """Assesses what is left and gives the whole; may be called again."""
        if not self._closed:
            self._assess(len(self._waiting))
            self._closed = True
        return self._metric.assessment(self._found, self._source, self._reads, cut=self._cut)

    @property
    def sentences(self) -> tuple[SentenceAssessment, ...]:
        """What has been assessed so far."""
        return tuple(self._found)

    @property
    def score(self) -> float | None:
        """The score of what has been assessed so far."""
        return self._metric.assessment(self._found, self._source, self._reads, cut=self._cut).score

    def __enter__(self) -> Stream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.finish()

    def _assess(self, end: int) -> tuple[SentenceAssessment, ...]:
        head, self._waiting = self._waiting[:end], self._waiting[end:]
        placed = [
            (Sentence(s.text, s.start + self._start, s.end + self._start), reason) for s, reason in claims_of(head)
        ]
        self._cut += cut_in(head)
        stating = [sentence for sentence, reason in placed if not reason]
        reads = self._metric.read([s.text for s in stating], self._source)
        by_place = dict(zip((s.start for s in stating), reads, strict=False))
        fresh: list[SentenceAssessment] = []
        for sentence, reason in placed:
            if reason:
                fresh.append(SentenceAssessment(*sentence, "no_claims", None, reason=reason))
            elif sentence.start in by_place:
                read = by_place[sentence.start]
                fresh.append(self._metric.assess_sentence(sentence, self._source, read, details=True))
            else:
                fresh.append(SentenceAssessment(*sentence, "abstained", None, reason="the source has no words"))
        self._start += end
        self._reads += reads
        self._found += fresh
        return tuple(fresh)


def stream(source: str, *, judge: str | os.PathLike[str] | Judge | None = None) -> Stream:
    """Opens a stream: feed it text as it arrives, and each sentence is scored against the source when it has ended.

    >>> stream("Tea is hot.", judge="fast").feed("Tea")
    ()
    """
    return Stream(source, metric=AverMetric(judge_of(judge)))
