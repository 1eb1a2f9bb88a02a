"""What comes back for a text and its source: a score, and everything it rests on."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal

from aver.labels import Label
from aver.results import Status

__all__ = ["Assessment", "Coverage", "Kind", "SentenceAssessment", "SourceSentence", "Span"]

Kind = Literal["unsupported", "contradicted"]


@dataclasses.dataclass(frozen=True, slots=True)
class Span:
    """Words of the text that the source does not bear out: `text` is `[start:end]` of it."""

    text: str
    start: int
    end: int
    kind: Kind
    reason: str
    """`figure`: a number or date that does not match; `name`: a name the source does not have; `word`: a word the
    source has no counterpart for, or that the judge's word-marking points at; `sentence`: nothing smaller was found."""
    source: str = ""
    """What the source says instead, where that is known: the figure compared with."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self)


@dataclasses.dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence of the source, or with a peer's rule a chunk of it, and what it says by itself about a sentence."""

    number: int
    """The number of the sentence in the source, from 0; of a chunk that of its first."""
    text: str
    start: int
    end: int
    label: Label | None
    probabilities: Mapping[str, float] = dataclasses.field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "number": self.number,
            "text": self.text,
            "start": self.start,
            "end": self.end,
            "label": None if self.label is None else str(self.label),
            "probabilities": dict(self.probabilities),
        }


@dataclasses.dataclass(frozen=True, slots=True)
class SentenceAssessment:
    """One sentence of the text: `text` is `[start:end]` of it."""

    text: str
    start: int
    end: int
    status: Status
    """`scored`, `no_claims` (it states nothing), `abstained` or `error`."""
    score: float | None
    label: Label | None = None
    probabilities: Mapping[str, float] = dataclasses.field(default_factory=dict)
    evidence: tuple[SourceSentence, ...] = ()
    """The sentences of the source that decide, the weightiest first."""
    spans: tuple[Span, ...] = ()
    """Words of this sentence that the source does not bear out; their places are those in the whole text."""
    reason: str = ""
    """Why there is no score, or what should be known about it."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON; `reason` only where there is one."""
        fields: dict[str, Any] = {
            "text": self.text,
            "start": self.start,
            "end": self.end,
            "status": self.status,
            "score": self.score,
            "label": None if self.label is None else str(self.label),
            "probabilities": dict(self.probabilities),
            "evidence": [e.as_dict() for e in self.evidence],
            "spans": [s.as_dict() for s in self.spans],
        }
        return fields | ({"reason": self.reason} if self.reason else {})


@dataclasses.dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the text and of the source was read."""

    sentences: int
    """Sentences of the text."""
    scored: int
    """Of them, those that have a score."""
    source_sentences: int
    source_read: int
    """Sentences of the source that the judge read against some sentence of the text, alone or with others; the rest
    were compared by their words only."""
    words: float
    """The share of the words handed to the judge that it could read."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self)


@dataclasses.dataclass(frozen=True, slots=True)
class Assessment:
    """How far a text is true to its source, sentence by sentence."""

    score: float | None
    """In [0, 1], higher being more consistent; None where nothing was scored."""
    status: Status
    metric: str
    model: str
    """Name and content hash of the judge; empty for metrics that have none."""
    sentences: tuple[SentenceAssessment, ...]
    coverage: Coverage
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def spans(self) -> tuple[Span, ...]:
        """The words of the text that the source does not bear out, in order."""
        return tuple(span for sentence in self.sentences for span in sentence.spans)

    @property
    def offending(self) -> tuple[str, ...]:
        """The same, as words."""
        return tuple(span.text for span in self.spans)

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "score": self.score,
            "status": self.status,
            "metric": self.metric,
            "model": self.model,
            "spans": [s.as_dict() for s in self.spans],
            "sentences": [s.as_dict() for s in self.sentences],
            "coverage": self.coverage.as_dict(),
            "notes": list(self.notes),
            "seconds": self.seconds,
        }
