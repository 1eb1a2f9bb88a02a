"""A run: from what changed in the collection to the claims it may concern, and from those to events.

Every verdict is committed within a moment, with the position it was made at. Whoever is killed leaves a run without an
end: the next one sees the same changes, passes over the claims that were verified behind them already, and ends it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import orjson

from aver.collection import Change, Changes, Collection, Inverse, Stock
from aver.errors import AverError
from aver.labels import Label
from aver.models import Judge
from aver.revisions.watch._causes import find_causes, is_stale
from aver.revisions.watch._index import ClaimIndex
from aver.revisions.watch._results import EventKind, Failure
from aver.revisions.watch._schema import now
from aver.revisions.watch._store import Claim, Store, Stored
from aver.revisions.watch._verifying import Verified, is_same, verify
from aver.verify import weights_for

__all__ = ["Found", "Judges", "Seen", "models_behind", "see", "work"]

Judges = Callable[[str], Judge]
"""From a model's name to the judge; each is loaded when first asked for."""


class Seen(NamedTuple):
    """What changed since the last run."""

    since: int
    position: int
    stock: Stock
    changed: list[Change]
    removed: list[str]
    """Pages that some claim looked into and that are gone."""
    aliases: bool
    """Redirects came or went."""
    anything: bool

    @property
    def new(self) -> int:
        """How many pages came in."""
        return sum(change.new for change in self.changed)


class Found(NamedTuple):
    """What a run did."""

    verified: int
    pairs: int
    failures: tuple[Failure, ...]


def see(collection: Collection, store: Store) -> Seen:
    """Looks at what changed; reads nothing but the changes, and the pages of claims only where pages were removed."""
    changes = Changes(collection)
    position, stock = changes.position(), changes.stock()
    end = store.last_end()
    since = store.first_position() if end is None else end.position
    removed: list[str] = []
    if end is None or changes.removed_since(end.stock):
        pages = [page for (page,) in store.connection.execute("SELECT DISTINCT page FROM candidates")]
        standing = changes.standing(pages)
        removed = [page for page in pages if page not in standing]
    changed = changes.since(since)
    aliases = end is not None and end.stock.aliases != stock.aliases
    anything = bool(changed or removed) or (end is not None and end.stock != stock)
    return Seen(since, position, stock, changed, removed, aliases, anything)


def work(
    collection: Collection, store: Store, seen: Seen, judges: Judges, *, everything: bool,
    progress: Callable[[int, int], None] | None,
) -> Found:  # fmt: skip
    """Verifies what is concerned, or `everything`, and writes down what came of it."""
    claims = store.claims() if everything else store.some(_concerned(collection, store, seen))
    run = _Run(store)
    total = len(collection)
    pairs = verified = 0
    failures: list[Failure] = []
    for done, claim in enumerate(claims):
        if progress is not None:
            progress(done, len(claims))
        try:
            pairs += _again(collection, store, claim, judges, total, run)
            verified += 1
        except AverError as error:
            failures.append(Failure(claim.id, claim.text, str(error)))
        store.settle()
    if progress is not None:
        progress(len(claims), len(claims))
    if not failures and (seen.anything or run.begun):
        counts = {"changed": len(seen.changed), "removed": len(seen.removed), "verified": verified, "pairs": pairs}
        store.insert(
            "ends", run=run.number, at=now(), position=seen.position, **seen.stock._asdict(),
            counts=orjson.dumps(counts).decode(),
        )  # fmt: skip
    store.settle(now_=True)
    return Found(verified, pairs, tuple(failures))


class _Run:
    """The row of a run, which is written with the first thing that the run writes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._number = store.open_run()

    @property
    def begun(self) -> bool:
        """Whether there is one."""
        return self._number is not None

    @property
    def number(self) -> int:
        """Its number; it begins now if it has not."""
        if self._number is None:
            end = self._store.last_end()
            since = end.position if end else self._store.first_position()
            self._number = self._store.insert("runs", started=now(), since=since)
        return self._number


def _concerned(collection: Collection, store: Store, seen: Seen) -> set[int]:
    found: dict[int, int] = {}
    if seen.changed:
        found = ClaimIndex(store, Inverse(collection)).concerned(Changes(collection), seen.changed, seen.since)
    positions = dict(store.connection.execute("SELECT claim, position FROM current").fetchall()) if found else {}
    # verified behind the edit already: by a run that was stopped, or when it was added
    wanted = {claim for claim, revision in found.items() if positions.get(claim, 0) < revision}
    for page in seen.removed:
        rows = store.connection.execute("SELECT claim FROM candidates WHERE page = ?", (page,))
        wanted |= {claim for (claim,) in rows}
    return wanted


def _again(collection: Collection, store: Store, claim: Claim, judges: Judges, total: int, run: _Run) -> int:
    """Verifies one claim, stores the verdict if anything about it differs, and the event if there is one."""
    position = Changes(collection).position()
    before = store.standing(claim.number)
    ranker = None if claim.ranker is None else judges(claim.ranker)
    found = verify(collection, store, claim, judges(claim.model), ranker, total)
    if found.verdict.label is None:
        raise AverError(found.verdict.notes[0] if found.verdict.notes else "nothing could be judged")
    if is_same(before, found):
        store.begin()
        store.connection.execute(
            "UPDATE current SET position = ?, needs = ? WHERE claim = ?", (position, found.needs, claim.number)
        )
        return found.pairs
    kind = _kind(collection, before, found)
    after = store.put(claim, found.verdict, found.pages, position, found.needs, run.number)
    if kind is not None:
        _tell(collection, store, claim, before, after, kind, run.number)
    return found.pairs


def _kind(collection: Collection, before: Stored, found: Verified) -> EventKind | None:
    label = found.verdict.label
    if label is not before.outcome.label:
        return "dispute" if label is Label.DISPUTED else "flip"
    return "stale" if is_stale(collection, before) else None


def _tell(
    collection: Collection, store: Store, claim: Claim, before: Stored, after: Stored, kind: EventKind, run: int
) -> None:
    causes = find_causes(collection, claim.text, before, after)
    reason = "edit" if causes else "ranking"
    if before.outcome.model != after.outcome.model or _are_others(before.weights, after.weights):
        reason = "edit and model" if any(cause.direct for cause in causes) else "model"
    store.insert(
        "events", run=run, at=now(), claim=claim.number, before=before.number, after=after.number, kind=kind,
        reason=reason, causes=orjson.dumps([cause.as_dict() for cause in causes]).decode(),
    )  # fmt: skip


def models_behind(store: Store, judges: Judges, specs: Sequence[str]) -> Counter[str]:
    """How many standing verdicts were made by a model, or with weights, that are no longer those they ask for, by the
    model's name, with the weights' where only they changed."""
    behind: Counter[str] = Counter()
    for spec in specs:
        rows = store.connection.execute(
            """SELECT s.model, s.weights, count(*) FROM current c
            JOIN verdicts v ON v.id = c.verdict JOIN setups s ON s.id = v.setup
            WHERE (SELECT model FROM watches WHERE claim = c.claim ORDER BY id DESC LIMIT 1) = ?
            GROUP BY s.model, s.weights""",
            (spec,),
        )
        for model, weights, count in rows.fetchall():
            judge = judges(spec)
            fitted = weights_for(judge.model)
            if model != judge.model:
                behind[model] += count
            elif _are_others(weights, fitted.name if fitted else "none"):
                behind[f"{model} with {weights}"] += count
    return behind


def _are_others(weights: str, others: str) -> bool:
    """Other weights made one verdict than the other. Where a search finds nothing, none are used."""
    return weights != others and "none" not in (weights, others)
