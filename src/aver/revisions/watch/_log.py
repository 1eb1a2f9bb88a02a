"""The timeline: what happened to claims, read back from the history."""

from __future__ import annotations

import datetime
import re
import uuid
from collections.abc import Iterator
from typing import Any, Literal

import orjson

from aver.errors import InputError
from aver.labels import Label
from aver.revisions.watch._results import Cause, Event, LogEntry, Outcome
from aver.revisions.watch._store import Store

__all__ = ["events", "moment", "timeline"]

_SPAN = re.compile(r"(\d+)\s*([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_EVENT = """
    SELECT e.id, e.run, e.at, e.kind, c.hash, c.text, c.ref, e.reason, e.causes,
        b.label, b.confidence, b.status, t.model, a.label, a.confidence, a.status, u.model
    FROM events e JOIN claims c ON c.id = e.claim
    JOIN verdicts b ON b.id = e.before JOIN setups t ON t.id = b.setup
    JOIN verdicts a ON a.id = e.after JOIN setups u ON u.id = a.setup
"""


def moment(text: str) -> str:
    """A date, a time or a span back from now (30m, 24h, 7d, 2w), as times are written in the history.

    >>> moment("2026-03-01"), moment("2026-03-01T12:00+02:00")
    ('2026-03-01T00:00:00+00:00', '2026-03-01T10:00:00+00:00')
    """
    span = _SPAN.fullmatch(text.strip())
    if span is not None:
        back = datetime.timedelta(**{_UNITS[span[2]]: min(int(span[1]), 1_000_000)})
        return (datetime.datetime.now(datetime.UTC) - back).isoformat(timespec="seconds")
    try:
        found = datetime.datetime.fromisoformat(text.strip())
    except ValueError:
        raise InputError(
            f"{text!r} is no date; write 2026-03-01, 2026-03-01T12:00 (UTC unless it says else), or 7d, 24h, 30m back"
        ) from None
    aware = found if found.tzinfo is not None else found.replace(tzinfo=datetime.UTC)
    return aware.astimezone(datetime.UTC).isoformat(timespec="seconds")


def events(store: Store, *, after: int = 0, where: str = "", values: tuple[Any, ...] = ()) -> list[Event]:
    """The events behind number `after`, in order."""
    rows = store.connection.execute(f"{_EVENT} WHERE e.id > ? {where} ORDER BY e.id", (after, *values))
    space = uuid.UUID(store.connection.execute("SELECT value FROM settings WHERE name = 'id'").fetchone()[0])
    return [_event(space, row) for row in rows]


def _event(space: uuid.UUID, row: tuple[Any, ...]) -> Event:
    number, run, at, kind, digest, text, ref, reason, causes = row[:9]
    before, after = _outcome(row[9:13]), _outcome(row[13:17])
    told = tuple(Cause(**cause) for cause in orjson.loads(causes))
    # the same wherever and whenever it is asked for: feeds and receivers know by it what they have seen
    name = str(uuid.uuid5(space, f"event {number}"))
    return Event(name, run, at, kind, digest.hex()[:16], text, ref, before, after, told, reason)


def _outcome(row: tuple[Any, ...]) -> Outcome:
    label, confidence, status, model = row
    return Outcome(Label(label), confidence, status, model)


def timeline(
    store: Store, *, claim: str | None = None, since: str | None = None, every: bool = False
) -> list[LogEntry]:
    """What happened, the oldest first; `every`: also verifications that changed nothing.

    `claim` is an id or the beginning of one, the `id` of its file, or words that stand in it.
    """
    wanted = None if claim is None else _wanted(store, claim)
    start = "" if since is None else moment(since)
    found = [*_watches(store), *_told(store), *(_same(store) if every else ())]
    found.sort(key=lambda row: row[:2])
    return [entry for at, _, number, entry in found if at >= start and (wanted is None or number in wanted)]


def _wanted(store: Store, claim: str) -> set[int]:
    rows = store.connection.execute("SELECT id, hash, text, ref FROM claims").fetchall()
    said = " ".join(claim.split())
    exact = {n for n, digest, text, ref in rows if said in (text, ref)}
    if not exact and re.fullmatch(r"[0-9a-f]{6,}", said):
        exact = {n for n, digest, _, _ in rows if digest.hex().startswith(said)}
    found = exact or {n for n, _, text, _ in rows if said.casefold() in text.casefold()}
    if not found:
        raise InputError(f"no claim is called {claim!r}, and none has these words; see: aver watch list")
    return found


_Row = tuple[str, int, int, LogEntry]


def _watches(store: Store) -> Iterator[_Row]:
    rows = store.connection.execute(
        """SELECT w.id, w.at, w.action, w.claim, c.hash, c.text, c.ref FROM watches w JOIN claims c ON c.id = w.claim"""
    ).fetchall()
    for number, at, action, claim, digest, text, ref in rows:
        after = None
        if action == "add":
            # the first verdict behind it, which stands in the same transaction
            first = store.connection.execute(
                """SELECT v.label, v.confidence, v.status, s.model FROM verdicts v JOIN setups s ON s.id = v.setup
                WHERE v.claim = ? AND v.at >= ? ORDER BY v.id LIMIT 1""",
                (claim, at),
            ).fetchone()
            after = None if first is None else _outcome(first)
        kind: Literal["added", "removed"] = "added" if action == "add" else "removed"
        yield at, number, claim, LogEntry(at, kind, digest.hex()[:16], text, ref, None, after)


def _told(store: Store) -> Iterator[_Row]:
    numbers = dict(store.connection.execute("SELECT hash, id FROM claims").fetchall())
    short = {digest.hex()[:16]: number for digest, number in numbers.items()}
    for place, e in enumerate(events(store)):
        entry = LogEntry(e.at, e.kind, e.claim, e.text, e.ref, e.before, e.after, e.causes, e.reason)
        yield e.at, 1_000_000 + place, short[e.claim], entry


def _same(store: Store) -> Iterator[_Row]:
    rows = store.connection.execute(
        """SELECT v.id, v.at, v.claim, c.hash, c.text, c.ref, v.label, v.confidence, v.status, s.model
        FROM verdicts v JOIN claims c ON c.id = v.claim JOIN setups s ON s.id = v.setup
        WHERE v.run IS NOT NULL AND NOT EXISTS (SELECT 1 FROM events e WHERE e.after = v.id)"""
    )
    for number, at, claim, digest, text, ref, *outcome in rows:
        after = _outcome(tuple(outcome))
        yield at, number, claim, LogEntry(at, "same", digest.hex()[:16], text, ref, after, after)
