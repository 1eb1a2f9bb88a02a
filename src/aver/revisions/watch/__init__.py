"""Claims that are verified again when an edit may change the answer, and the history of their verdicts."""

from __future__ import annotations

from aver.revisions.watch._atom import atom, headline
from aver.revisions.watch._log import moment
from aver.revisions.watch._results import (
    Added,
    Cause,
    CauseKind,
    Event,
    EventKind,
    Failure,
    LogEntry,
    Outcome,
    RunReport,
    WatchedClaim,
)
from aver.revisions.watch._watch import PLAIN, Watch
from aver.revisions.watch._webhook import Delivery

__all__ = [
    "PLAIN",
    "Added",
    "Cause",
    "CauseKind",
    "Delivery",
    "Event",
    "EventKind",
    "Failure",
    "LogEntry",
    "Outcome",
    "RunReport",
    "Watch",
    "WatchedClaim",
    "atom",
    "headline",
    "moment",
]
