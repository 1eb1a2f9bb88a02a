"""What comes back: frozen results that name their model and say how much of the text was read."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, NoReturn

from aver.labels import Label

__all__ = ["Explanation", "Judgement", "Probabilities", "RationaleWord", "Status"]

Status = Literal["scored", "no_claims", "abstained", "error"]


class Probabilities(dict[str, float]):
    """Probabilities by label name: a dictionary that cannot be changed, but can be copied, pickled and hashed.

    >>> shares = Probabilities({"SUPPORTS": 1.0})
    >>> shares["SUPPORTS"] = 0.0
    Traceback (most recent call last):
    TypeError: a result cannot be changed; change a copy: dict(...)
    >>> dict(shares) == shares
    True
    """

    __slots__ = ()

    def _fixed(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a result cannot be changed; change a copy: dict(...)")

    __setitem__ = __delitem__ = __ior__ = _fixed
    clear = pop = popitem = setdefault = update = _fixed

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type[Probabilities], tuple[dict[str, float]]]:
        # as pickle and copy would have it, item by item, it could not be filled again
        return Probabilities, (dict(self),)


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

    def __post_init__(self) -> None:
        if not isinstance(self.probabilities, Probabilities):
            object.__setattr__(self, "probabilities", Probabilities(self.probabilities))

    @classmethod
    def unread(cls, status: Status, reason: str, *, model: str) -> Judgement:
        """A judgement that could not be made, and why."""
        return cls(None, {}, 0.0, status, model, reason=reason)

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
