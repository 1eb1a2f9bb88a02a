"""What comes back: frozen results that name their model and say how much of the text was read."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from aver.labels import Label

__all__ = ["Explanation", "Judgement", "RationaleWord", "Status"]

Status = Literal["scored", "no_claims", "abstained", "error"]

_NOTHING: Mapping[str, float] = MappingProxyType({})


@dataclasses.dataclass(frozen=True, slots=True)
class Judgement:
    """What one text says about one claim.

    >>> Judgement.unread("abstained", "the evidence is empty", model="fast@0123456789ab").as_dict()
    {'label': None, 'probabilities': {}, 'coverage': 0.0, 'status': 'abstained', 'model': 'fast@0123456789ab', \
'relevance': None, 'windows': 0, 'conflict': False, 'reason': 'the evidence is empty'}
    """

    label: Label | None
    """None where nothing was judged."""
    probabilities: Mapping[str, float]
    """By label name; they sum to 1. Empty where nothing was judged."""
    coverage: float
    """The share of the words of claim and evidence that the model read: 1.0 unless the text holds words its
    vocabulary has nothing for."""
    status: Status
    model: str
    """Name and content hash, `name@0123456789ab`."""
    relevance: float | None = None
    """How likely the evidence bears on the claim at all, where the model has a head for it."""
    windows: int = 0
    """How many pieces the pair was read in."""
    conflict: bool = False
    """One window supports the claim and another refutes it."""
    reason: str = ""
    """Why nothing was judged, or what should be known about the judgement."""
    unsupported: tuple[float, ...] | None = None
    """For each word of the claim, as `aver.text.words` counts them, the probability that the evidence does not bear it
    out; None where that was not asked for or the model was not trained to tell (see `Judge.judge_marking`)."""

    @classmethod
    def unread(cls, status: Status, reason: str, *, model: str) -> Judgement:
        """A judgement that could not be made, and why."""
        return cls(None, _NOTHING, 0.0, status, model, reason=reason)

    @property
    def confidence(self) -> float | None:
        """The probability of the label."""
        return None if self.label is None else self.probabilities[self.label]

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON; `reason` and `unsupported` only where there are any."""
        fields: dict[str, Any] = {
            "label": None if self.label is None else str(self.label),
            "probabilities": dict(self.probabilities),
            "coverage": self.coverage,
            "status": self.status,
            "model": self.model,
            "relevance": self.relevance,
            "windows": self.windows,
            "conflict": self.conflict,
        }
        if self.unsupported is not None:
            fields["unsupported"] = list(self.unsupported)
        return fields | ({"reason": self.reason} if self.reason else {})


class RationaleWord(NamedTuple):
    """One word of a text, where it stands, how much it weighs, and whether it is part of the rationale."""

    text: str
    start: int
    end: int
    score: float
    chosen: bool


@dataclasses.dataclass(frozen=True, slots=True)
class Explanation:
    """The words that decide a judgement.

    `evidence` and `claim` hold every word of the two texts; those with `chosen` are the rationale. Where the
    judgement is NOT_ENOUGH_INFO nothing decides, and nothing is chosen.
    """

    judgement: Judgement
    method: Literal["head", "mask"]
    """`head`: the model's own token head. `mask`: words were hidden until the verdict became NOT_ENOUGH_INFO."""
    claim: tuple[RationaleWord, ...]
    evidence: tuple[RationaleWord, ...]
    reason: str = ""
    """What should be known about the rationale, such as that no set of words was found."""

    @property
    def words(self) -> tuple[str, ...]:
        """The chosen words of the evidence, in order."""
        return tuple(word.text for word in self.evidence if word.chosen)

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON: the judgement's fields, the rationale's words and all words with their spans."""
        fields: dict[str, Any] = self.judgement.as_dict() | {
            "method": self.method,
            "rationale": list(self.words),
            "evidence_words": [word._asdict() for word in self.evidence],
            "claim_words": [word._asdict() for word in self.claim],
        }
        return fields | ({"reason": self.reason} if self.reason else {})
