"""Watching claims: `aver watch` from Python."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Self

from aver.collection import Changes, Collection
from aver.collection._lock import WriterLock
from aver.errors import InputError, Problems, count_of, kind_of
from aver.models import Judge, load_judge
from aver.revisions.watch._atom import write_atom
from aver.revisions.watch._index import enter_claim
from aver.revisions.watch._log import events, timeline
from aver.revisions.watch._results import Added, Event, Failure, LogEntry, RunReport, WatchedClaim
from aver.revisions.watch._running import Found, Judges, models_behind, see, work
from aver.revisions.watch._schema import DATABASE, FOLDER, now
from aver.revisions.watch._store import Claim, Store
from aver.revisions.watch._verifying import verify
from aver.revisions.watch._webhook import Delivery, check_url, deliver, queue, waiting
from aver.verify import Settings
from aver.verify._check import MOST_CHARACTERS

__all__ = ["PLAIN", "Watch"]

PLAIN = Settings(rationale=False)
"""How claims are verified unless it is said otherwise: as `aver check` does, without marking words."""


class Watch:
    """The claims watched in a collection: verified once, and again when an edit may change the answer.

    `collection` is an open one, a name or a folder. `judges` gives the judge of a model's name; it is there for tests
    and for judges of your own.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with Collection(folder.name + "/tea", create=True) as tea, Watch(tea) as watch:
    ...     _ = tea.add_documents([{"title": "Tea", "text": "Tea was first sold in London in 1657."}])
    ...     _ = watch.add(["Tea was sold in London in 1657."], model="fast")
    ...     _ = tea.add_documents([{"title": "Tea", "text": "Tea was first sold in London in 1660."}])
    ...     event = watch.run().events[0]
    ...     print(event.before.label, "->", event.after.label, "|", event.causes[0].after)
    SUPPORTS -> REFUTES | Tea was first sold in London in 1660.
    >>> folder.cleanup()
    """

    def __init__(self, collection: Collection | str | os.PathLike[str], *, judges: Judges = load_judge) -> None:
        self._own = not isinstance(collection, Collection)
        self.collection = collection if isinstance(collection, Collection) else Collection(collection)
        self._folder = self.collection.folder / FOLDER
        self._loaded: dict[str, Judge] = {}
        self._load = judges

    def close(self) -> None:
        """Lets go of the collection, where this watch opened it."""
        if self._own:
            self.collection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def exists(self) -> bool:
        """Whether claims were ever watched here."""
        return (self._folder / DATABASE).is_file()

    # --- writing ---

    def add(
        self,
        claims: Iterable[str | tuple[str, str | None]],
        *,
        model: str = "default",
        ranker: str | None = None,
        settings: Settings = PLAIN,
        progress: Callable[[int, int], None] | None = None,
    ) -> Added:
        """Verifies claims and watches them; a claim is its text, or (text, an id of yours).

        `model`, `ranker` and `settings` are kept with the claims, and every later run verifies them so. Those that are
        watched already are left alone, so the same call goes on where it was stopped. A claim that cannot be taken is
        an error that names all such, and then nothing is verified.
        """
        wanted = _fitting(claims)
        began = time.perf_counter()
        labels: Counter[str] = Counter()
        failures: list[Failure] = []
        pairs = 0
        with self._writing(create=True) as store:
            fresh = [(text, ref) for text, ref in wanted.items() if store.claim(text) is None]
            known = len(wanted) - len(fresh)
            total = len(self.collection)
            for done, (text, ref) in enumerate(fresh):
                if progress is not None:
                    progress(known + done, len(wanted))
                position = Changes(self.collection).position()
                claim = store.enter(text, ref, model, settings, ranker)
                ordering = None if ranker is None else self._judge(ranker)
                found = verify(self.collection, store, claim, self._judge(model), ordering, total)
                label = found.verdict.label
                if label is None:
                    store.undo()
                    failures.append(Failure(claim.id, text, found.verdict.notes[0]))
                    continue
                enter_claim(store, claim)
                store.put(claim, found.verdict, found.pages, position, found.needs, None)
                # each at once: what was counted is kept
                store.settle(now_=True)
                labels[str(label)] += 1
                pairs += found.pairs
            if progress is not None:
                progress(len(wanted), len(wanted))
        seconds = round(time.perf_counter() - began, 3)
        return Added(labels.total(), known, dict(labels), pairs, tuple(failures), seconds)

    def run(
        self,
        *,
        everything: bool = False,
        model: str | None = None,
        feed: str | os.PathLike[str] | None = None,
        webhooks: Sequence[str] = (),
        timeout: float = 10.0,
        tell: Callable[[RunReport], None] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> RunReport:
        """Verifies again what the edits since the last run may concern, and reports what changed.

        Where nothing changed, nothing is written. `everything` verifies all claims (what the model has read before it
        does not read again); only then can another `model` take over. `tell` is called with the report before its
        events count as told: whoever is killed earlier has them in the next report. `feed` is written and `webhooks`
        are posted to; a delivery that fails waits in the store for the next run that names its address, and stands in
        the notes.
        """
        for url in webhooks:
            check_url(url)
        if model is not None and not everything:
            raise InputError("another model takes over for all claims or for none: give --all with --model")
        began = time.perf_counter()
        with self._writing() as store:
            if model is not None:
                self._judge(model)  # one that cannot be loaded changes nothing
                for claim in store.claims():
                    if claim.model != model:
                        store.enter(claim.text, claim.ref, model, claim.settings, claim.ranker)
                store.settle(now_=True)
            seen = see(self.collection, store)
            resumed = store.open_run() is not None
            found = Found(0, 0, ())
            if seen.anything or resumed or everything:
                found = work(self.collection, store, seen, self._judge, everything=everything, progress=progress)
            last = store.connection.execute("SELECT coalesce(max(event), 0) FROM told").fetchone()[0]
            fresh = events(store, after=last)
            notes = self._notes(store, seen.aliases and not everything)
            report = RunReport(
                self.collection.name, store.count(), seen.new, len(seen.changed) - seen.new, len(seen.removed),
                found.verified, found.pairs, tuple(fresh), found.failures, round(time.perf_counter() - began, 3),
                resumed, tuple(notes),
            )  # fmt: skip
            if feed is not None:
                self._feed(store, feed)
            if tell is not None:
                tell(report)
            if fresh:
                for url in dict.fromkeys(webhooks):
                    queue(store, url, self.collection.name, fresh)
                newest = store.connection.execute("SELECT max(id) FROM events").fetchone()[0]
                store.insert("told", event=newest, at=now())
                store.settle(now_=True)
            self.deliveries = deliver(store, webhooks, timeout=timeout) if webhooks else []
        return report

    deliveries: Sequence[Delivery] = ()
    """What became of the webhooks of the last run."""

    def remove(self, claims: Iterable[str]) -> int:
        """Watches these claims (text, id, or the id of their file) no longer; their history stays. Says how many.

        One that is not watched is an error, and then none is removed.
        """
        with self._writing() as store:
            watched = store.claims()
            chosen: dict[int, Claim] = {}
            problems = Problems()
            for name in claims:
                said = " ".join(name.split())
                found = [c for c in watched if said in (c.text, c.ref, c.id)]
                found = found or [c for c in watched if len(said) >= 6 and c.id.startswith(said)]
                if not found:
                    problems.add("", f"{name!r} is not watched")
                chosen |= {claim.number: claim for claim in found}
            problems.raise_if_any("nothing was removed; `aver watch list` shows what is watched")
            for claim in chosen.values():
                store.leave(claim)
            store.settle(now_=True)
        return len(chosen)

    def feed(self, path: str | os.PathLike[str]) -> int:
        """Writes the Atom feed of all events; says how many there are."""
        with self._reading() as store:
            return self._feed(store, path)

    def _feed(self, store: Store, path: str | os.PathLike[str]) -> int:
        found = events(store)
        settings = dict(store.connection.execute("SELECT name, value FROM settings").fetchall())
        write_atom(path, self.collection.name, settings["id"], settings["created"], found)
        return len(found)

    # --- reading ---

    def claims(self) -> list[WatchedClaim]:
        """What is watched, in the order it was added."""
        if not self.exists:
            return []
        with self._reading() as store:
            added = dict(store.connection.execute("SELECT id, added FROM claims").fetchall())
            return [_watched(store, claim, added[claim.number]) for claim in store.claims()]

    def log(self, *, claim: str | None = None, since: str | None = None, every: bool = False) -> list[LogEntry]:
        """The timeline, the oldest first; see `aver watch log`."""
        with self._reading() as store:
            return timeline(store, claim=claim, since=since, every=every)

    def events(self) -> list[Event]:
        """Everything that ever changed, the oldest first."""
        with self._reading() as store:
            return events(store)

    # --- how it is done ---

    def _judge(self, model: str) -> Judge:
        if model not in self._loaded:
            self._loaded[model] = self._load(model)
        return self._loaded[model]

    def _notes(self, store: Store, aliases: bool) -> list[str]:
        notes = []
        specs = [spec for (spec,) in store.connection.execute("SELECT DISTINCT model FROM watches")]
        # another's model may take a minute to load: it is asked where it was needed anyway
        cheap = [spec for spec in specs if ":" not in spec or spec in self._loaded]
        for name, count in models_behind(store, self._judge, cheap).items():
            are = count_of(count, "verdict is", "verdicts are")
            notes.append(f"the model changed: {are} by {name}; `aver watch run --all` makes them anew")
        if aliases:
            notes.append("redirects came or went; claims that name a page only by one are seen with --all")
        late = Counter(url for _, url, _ in waiting(store))
        wait = ("earlier delivery waits", "earlier deliveries wait")
        notes += [f"{count_of(count, *wait)} for {url}" for url, count in late.items()]
        return notes

    @contextlib.contextmanager
    def _reading(self) -> Iterator[Store]:
        store = Store(self._folder, Changes(self.collection).created())
        try:
            yield store
        finally:
            store.close()

    @contextlib.contextmanager
    def _writing(self, *, create: bool = False) -> Iterator[Store]:
        if not create and not self.exists:
            raise InputError(
                f"{self.collection.name}: no claims are watched; begin with: "
                f'aver watch add "CLAIM" --in {self.collection.name}'
            )
        try:
            self._folder.mkdir(exist_ok=True)
        except OSError as error:
            raise InputError(f"{self._folder}: claims cannot be watched there: {error.strerror}") from error
        lock = WriterLock(self._folder)
        if not lock.acquire():
            raise InputError(
                f"{self.collection.name}: another process (number {lock.holder()}) is working on its watched claims; "
                "try again when it is done"
            )
        try:
            store = Store(self._folder, Changes(self.collection).created(), write=True, create=create)
            try:
                yield store
            except BaseException:
                store.undo()
                raise
            finally:
                store.close()
        except sqlite3.Error as error:
            raise InputError(
                f"{self._folder}: cannot be written: {error}; what was stored is kept, and the same command goes on"
            ) from error
        finally:
            lock.release()


def _watched(store: Store, claim: Claim, added: str) -> WatchedClaim:
    stored = store.standing(claim.number)
    return WatchedClaim(
        claim.id, claim.text, claim.ref, added, stored.outcome, stored.at, tuple(k.text for k in stored.deciding),
        tuple(page.key for page in stored.pages),
    )  # fmt: skip


def _fitting(claims: Iterable[str | tuple[str, str | None]]) -> dict[str, str | None]:
    """Claims as they are kept, each once; whatever is wrong with any of them is told."""
    found: dict[str, str | None] = {}
    problems = Problems()
    for number, given in enumerate(claims, 1):
        text, ref = (given, None) if isinstance(given, str) else given
        place = f"claim {number}" if ref is None else f"claim {ref}"
        if not isinstance(text, str):
            problems.add(place, f"is {kind_of(text, none='missing')}; it must be text")
            continue
        text = " ".join(text.split())
        if not any(c.isalnum() for c in text):
            problems.add(place, "has no words")
        elif len(text) > MOST_CHARACTERS:
            problems.add(place, f"has {len(text):,} characters; at most {MOST_CHARACTERS:,} are taken")
        elif not text.isprintable() and _broken(text):
            problems.add(place, "holds half a surrogate pair, which no text may")
        found.setdefault(text, ref)
    problems.raise_if_any("these claims cannot be watched")
    if not found:
        raise InputError("there are no claims to watch")
    return found


def _broken(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
