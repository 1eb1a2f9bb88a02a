"""What watching gives back: watched claims, the edits that changed their verdicts, and what a run found."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Literal

from aver.labels import Label

__all__ = [
    "Added", "Cause", "CauseKind", "Event", "EventKind", "Failure", "LogEntry", "Outcome", "RunReport", "WatchedClaim",
]  # fmt: skip

EventKind = Literal["flip", "dispute", "stale"]
CauseKind = Literal["changed", "new", "removed"]


@dataclasses.dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict in short."""

    label: Label
    confidence: float
    status: str
    model: str

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self) | {"label": str(self.label)}


@dataclasses.dataclass(frozen=True, slots=True)
class WatchedClaim:
    """A claim and where it stands."""

    id: str
    """Sixteen digits of the hash of its text."""
    text: str
    ref: str | None
    """The `id` it had in the file it came from."""
    added: str
    outcome: Outcome
    verified: str
    """When it was verified last."""
    evidence: tuple[str, ...] = ()
    """The sentences the verdict rests on; none where it is NOT_ENOUGH_INFO."""
    pages: tuple[str, ...] = ()
    """The pages that were looked into, the best first."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self) | {"outcome": self.outcome.as_dict()}


@dataclasses.dataclass(frozen=True, slots=True)
class Cause:
    """An edit that a verdict changed after: what a sentence was and what it became."""

    page: str
    title: str
    kind: CauseKind
    """What happened to the page."""
    before: str
    """Empty where the sentence is new."""
    after: str
    """Empty where it is gone."""
    direct: bool
    """The verdict rested, or rests, on this very sentence; otherwise it is one of those that were weighed."""
    revision: int | None = None
    """The collection's number of the revision that made the edit; None where the page was removed."""
    origin: str | None = None
    """That revision's id in the outside world, such as a wiki's."""
    at: str | None = None
    """When it was made there or, where that is not known, when it came into the collection."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self)


@dataclasses.dataclass(frozen=True, slots=True)
class Event:
    """A verdict that changed, or whose evidence did.

    `flip`: another label. `dispute`: the label became DISPUTED. `stale`: a sentence it rested on is gone or reads
    differently, and the label is the same.
    """

    id: str
    run: int
    at: str
    kind: EventKind
    claim: str
    text: str
    ref: str | None
    before: Outcome
    after: Outcome
    causes: tuple[Cause, ...]
    reason: str
    """`edit`, or `model` where another model than before read it, or `ranking` where no page it looked into changed:
    only other pages were found."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self) | {
            "before": self.before.as_dict(),
            "after": self.after.as_dict(),
            "causes": [cause.as_dict() for cause in self.causes],
        }


@dataclasses.dataclass(frozen=True, slots=True)
class Failure:
    """A claim that could not be verified; it is tried again by the next run."""

    claim: str
    text: str
    reason: str

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self)


@dataclasses.dataclass(frozen=True, slots=True)
class Added:
    """What `add` did."""

    added: int
    known: int
    """Claims that were watched already."""
    labels: dict[str, int]
    pairs: int
    """Claim and sentence pairs that the judge read."""
    failures: tuple[Failure, ...]
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self)


@dataclasses.dataclass(frozen=True, slots=True)
class RunReport:
    """What a run found."""

    collection: str
    claims: int
    """How many are watched."""
    new: int
    """Pages that came in since the last run."""
    changed: int
    removed: int
    """Pages that some claim looked into and that are gone."""
    verified: int
    """Claims that were verified again."""
    pairs: int
    """Claim and sentence pairs that the judge read."""
    events: tuple[Event, ...]
    failures: tuple[Failure, ...]
    seconds: float
    resumed: bool = False
    """A run before this one was stopped, and this one went on with it."""
    notes: tuple[str, ...] = ()
    """What should be known: another model, redirects that changed, deliveries that wait."""

    def of(self, kind: EventKind) -> tuple[Event, ...]:
        """The events of one kind."""
        return tuple(event for event in self.events if event.kind == kind)

    @property
    def flips(self) -> tuple[Event, ...]:
        """Verdicts with another label than before, disputes among them."""
        return tuple(event for event in self.events if event.kind != "stale")

    @property
    def exit_code(self) -> int:
        """2 where a claim could not be verified, else 1 where a verdict flipped, else 0."""
        return 2 if self.failures else 1 if self.flips else 0

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "collection": self.collection,
            "claims": self.claims,
            "pages": {"new": self.new, "changed": self.changed, "removed": self.removed},
            "verified": self.verified,
            "pairs": self.pairs,
            "counts": {kind: len(self.of(kind)) for kind in ("flip", "dispute", "stale")},
            "events": [event.as_dict() for event in self.events],
            "failures": [failure.as_dict() for failure in self.failures],
            "resumed": self.resumed,
            "notes": list(self.notes),
            "seconds": self.seconds,
        }


@dataclasses.dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the timeline: a claim was added or removed, an event, or a verification that changed nothing."""

    at: str
    kind: Literal["added", "removed", "flip", "dispute", "stale", "same"]
    claim: str
    text: str
    ref: str | None
    before: Outcome | None
    after: Outcome | None
    causes: Sequence[Cause] = ()
    reason: str = ""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self) | {
            "before": None if self.before is None else self.before.as_dict(),
            "after": None if self.after is None else self.after.as_dict(),
            "causes": [cause.as_dict() for cause in self.causes],
        }
