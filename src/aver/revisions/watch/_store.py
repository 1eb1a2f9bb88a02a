"""The rows of a watch: what is written while claims are verified, and what a run needs to know of them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from aver.collection import Stock
from aver.labels import Label
from aver.results import Judgement
from aver.revisions.watch._memory import pack, text_hash, unpack
from aver.revisions.watch._results import Outcome
from aver.revisions.watch._schema import connect, now
from aver.verify import Settings, Verdict

__all__ = ["Claim", "End", "Kept", "Page", "Store", "Stored"]

_SETTLED = 0.3
"""Seconds of work that a kill may undo; it is then done again."""


class Claim(NamedTuple):
    """A watched claim, and how it is to be verified."""

    number: int
    hash: bytes
    text: str
    ref: str | None
    model: str
    settings: Settings
    ranker: str | None = None
    """Who orders the sentences for the model, where it was named."""

    @property
    def id(self) -> str:
        """As people see it."""
        return self.hash.hex()[:16]


class Page(NamedTuple):
    """A page that was looked into, and the state it was in."""

    key: str
    hash: str
    revision: int


class Kept(NamedTuple):
    """A sentence that was kept as evidence."""

    page: str
    title: str
    revision: int | None
    number: int
    hash: str
    label: str
    confidence: float
    deciding: bool
    aside: bool
    text: str


class Stored(NamedTuple):
    """A verdict as it is stored."""

    number: int
    claim: int
    at: str
    position: int
    outcome: Outcome
    evidence: tuple[Kept, ...]
    pages: tuple[Page, ...]
    weights: str
    """The weights it was made with; another name of them counts as another model."""

    @property
    def deciding(self) -> tuple[Kept, ...]:
        """The sentences the label rests on."""
        return tuple(kept for kept in self.evidence if kept.deciding)


class End(NamedTuple):
    """Where the last finished run left the collection."""

    run: int
    position: int
    stock: Stock


class Store:
    """The tables of one watch. Whoever writes holds its lock."""

    def __init__(self, folder: Path, collection: str, *, write: bool = False, create: bool = False) -> None:
        self.connection = connect(folder, collection, write=write, create=create)
        self._begun = 0.0
        self._setups: dict[tuple[str, ...], int] = {}

    def close(self) -> None:
        """Keeps what was written."""
        self.settle(now_=True)
        self.connection.close()

    # --- transactions: short ones that begin with the first row ---

    def begin(self) -> None:
        """Opens a transaction where there is none."""
        if not self.connection.in_transaction:
            self.connection.execute("BEGIN IMMEDIATE")
            self._begun = time.monotonic()

    def settle(self, *, now_: bool = False) -> None:
        """Commits what has waited long enough, or everything."""
        if self.connection.in_transaction and (now_ or time.monotonic() - self._begun > _SETTLED):
            self.connection.execute("COMMIT")

    def undo(self) -> None:
        """Forgets what is not committed."""
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")
        self._setups.clear()

    def insert(self, table: str, **row: Any) -> int:
        """One row into the history."""
        self.begin()
        marks = ", ".join("?" * len(row))
        cursor = self.connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", [*row.values()])
        return int(cursor.lastrowid or 0)

    # --- claims ---

    def claim(self, text: str) -> Claim | None:
        """The watched claim of this text, if it is watched."""
        found = self.claims("AND c.hash = ?", (text_hash(text),))
        return found[0] if found else None

    def claims(self, where: str = "", values: Sequence[Any] = ()) -> list[Claim]:
        """The claims that are watched now, in the order they were first added."""
        rows = self.connection.execute(
            f"""SELECT c.id, c.hash, c.text, c.ref, w.model, w.settings FROM claims c JOIN watches w ON w.claim = c.id
            WHERE w.action = 'add' AND w.id = (SELECT max(id) FROM watches WHERE claim = c.id) {where} ORDER BY c.id""",
            values,
        )
        return [
            Claim(number, digest, text, ref, model, settings_of(settings), ranker_of(settings))
            for number, digest, text, ref, model, settings in rows
        ]

    def some(self, numbers: Iterable[int]) -> list[Claim]:
        """These claims, where they are watched."""
        wanted = sorted(numbers)
        found: list[Claim] = []
        for start in range(0, len(wanted), 500):
            part = wanted[start : start + 500]
            found += self.claims(f"AND c.id IN ({','.join('?' * len(part))})", part)
        return found

    def count(self) -> int:
        """How many claims are watched."""
        return int(self.connection.execute("SELECT count(*) FROM current").fetchone()[0])

    def enter(self, text: str, ref: str | None, model: str, settings: Settings, ranker: str | None = None) -> Claim:
        """A claim begins to be watched."""
        digest = text_hash(text)
        row = self.connection.execute("SELECT id, ref FROM claims WHERE hash = ?", (digest,)).fetchone()
        if row is None:
            row = self.insert("claims", hash=digest, text=text, ref=ref, added=now()), ref
        written = _written(settings, ranker)
        self.insert("watches", claim=row[0], action="add", at=now(), model=model, settings=written)
        return Claim(row[0], digest, text, row[1], model, settings, ranker)

    def leave(self, claim: Claim) -> None:
        """A claim is watched no longer; its history stays."""
        written = _written(claim.settings, claim.ranker)
        self.insert("watches", claim=claim.number, action="remove", at=now(), model=claim.model, settings=written)
        for table in ("current", "candidates", "terms", "words"):
            self.connection.execute(f"DELETE FROM {table} WHERE claim = ?", (claim.number,))

    # --- judgements ---

    def known(self, claim: int, model: str) -> dict[bytes, Judgement]:
        """What this model said about this claim, by the hash of what it read."""
        rows = self.connection.execute(
            "SELECT evidence, judgement FROM judgements WHERE claim = ? AND model = ?", (claim, model)
        )
        return {evidence: unpack(data, model) for evidence, data in rows}

    def learn(self, claim: int, model: str, learnt: dict[bytes, Judgement]) -> None:
        """Keeps what was read."""
        self.begin()
        self.connection.executemany(
            "INSERT OR IGNORE INTO judgements VALUES (?, ?, ?, ?)",
            [(claim, model, key, pack(judgement)) for key, judgement in learnt.items()],
        )

    # --- verdicts ---

    def put(
        self, claim: Claim, verdict: Verdict, pages: Sequence[Page], position: int, needs: float, run: int | None
    ) -> Stored:
        """A verdict is added, and becomes where the claim stands."""
        assert verdict.label is not None
        kept = _kept(verdict)
        provenance = verdict.provenance
        outcome = Outcome(verdict.label, verdict.confidence, verdict.status, provenance.model)
        self.begin()
        self.connection.executemany(
            "INSERT OR IGNORE INTO sentences VALUES (?, ?)", [(bytes.fromhex(k.hash), k.text) for k in kept]
        )
        digest = text_hash("\n".join(sorted(f"{k.title}\t{k.hash}" for k in kept)))
        at = now()
        number = self.insert(
            "verdicts", claim=claim.number, run=run, at=at, position=position, setup=self._setup(verdict),
            label=str(verdict.label), status=verdict.status, confidence=verdict.confidence,
            probabilities=orjson.dumps(dict(verdict.probabilities)).decode(), evidence_hash=digest,
            evidence=orjson.dumps([list(k[:-1]) for k in kept]).decode(),
            pages=orjson.dumps([list(page) for page in pages]).decode(),
            notes=orjson.dumps(list(verdict.notes)).decode(),
        )  # fmt: skip
        self.connection.execute(
            "INSERT OR REPLACE INTO current VALUES (?, ?, ?, ?)", (claim.number, number, position, needs)
        )
        self.connection.execute("DELETE FROM candidates WHERE claim = ?", (claim.number,))
        self.connection.executemany(
            "INSERT INTO candidates VALUES (?, ?)", [(page.key, claim.number) for page in pages]
        )
        return Stored(number, claim.number, at, position, outcome, kept, tuple(pages), provenance.weights)

    def _setup(self, verdict: Verdict) -> int:
        p = verdict.provenance
        # who ordered the sentences is part of how it came about; `settings_of` passes over it
        set_so = p.settings.as_dict() | {"ranker": p.ranker}
        settings = orjson.dumps(set_so, option=orjson.OPT_SORT_KEYS).decode()
        fields = {
            "model": p.model, "weights": p.weights, "encoder": p.encoder, "settings": settings, "version": p.version,
        }  # fmt: skip
        key = tuple(fields.values())
        if key not in self._setups:
            same = " AND ".join(f"{name} = ?" for name in fields)
            row = self.connection.execute(f"SELECT id FROM setups WHERE {same}", key).fetchone()
            self._setups[key] = row[0] if row else self.insert("setups", **fields)
        return self._setups[key]

    def standing(self, claim: int) -> Stored:
        """The verdict of a claim as it stands."""
        row = self.connection.execute(
            f"{_VERDICT} JOIN current c ON c.verdict = v.id WHERE c.claim = ?", (claim,)
        ).fetchone()
        return self._stored(row)

    def verdict(self, number: int) -> Stored:
        """A verdict by its number."""
        return self._stored(self.connection.execute(f"{_VERDICT} WHERE v.id = ?", (number,)).fetchone())

    def _stored(self, row: tuple[Any, ...]) -> Stored:
        number, claim, at, position, label, confidence, status, model, weights, evidence, pages = row
        listed = orjson.loads(evidence)
        texts = self._texts([bytes.fromhex(fields[4]) for fields in listed])
        kept = tuple(Kept._make([*fields, texts[fields[4]]]) for fields in listed)
        outcome = Outcome(Label(label), confidence, status, model)
        listed_pages = tuple(Page(*page) for page in orjson.loads(pages))
        return Stored(number, claim, at, position, outcome, kept, listed_pages, weights)

    def _texts(self, hashes: Sequence[bytes]) -> dict[str, str]:
        rows = self.connection.execute(
            f"SELECT hash, text FROM sentences WHERE hash IN ({','.join('?' * len(hashes))})", hashes
        )
        return {digest.hex(): text for digest, text in rows}

    def models(self) -> dict[str, int]:
        """How many of the standing verdicts were made by which model."""
        rows = self.connection.execute(
            """SELECT s.model, count(*) FROM current c JOIN verdicts v ON v.id = c.verdict
            JOIN setups s ON s.id = v.setup GROUP BY s.model ORDER BY 2 DESC"""
        )
        return dict(rows.fetchall())

    # --- runs ---

    def last_end(self) -> End | None:
        """Where the last finished run left off."""
        row = self.connection.execute(
            "SELECT run, position, last, documents, aliases FROM ends ORDER BY run DESC LIMIT 1"
        ).fetchone()
        return None if row is None else End(row[0], row[1], Stock(*row[2:]))

    def first_position(self) -> int:
        """The moment of the oldest standing verdict: where the first run begins."""
        return int(self.connection.execute("SELECT coalesce(min(position), 0) FROM current").fetchone()[0])

    def open_run(self) -> int | None:
        """A run that was stopped."""
        row = self.connection.execute("SELECT max(id) FROM runs WHERE id NOT IN (SELECT run FROM ends)").fetchone()
        return None if row[0] is None else int(row[0])


_VERDICT = """
    SELECT v.id, v.claim, v.at, v.position, v.label, v.confidence, v.status, s.model, s.weights, v.evidence, v.pages
    FROM verdicts v JOIN setups s ON s.id = v.setup
"""


def settings_of(text: str) -> Settings:
    """Settings as they were written; what an older aver did not know has its default."""
    known = Settings.__dataclass_fields__
    return Settings(**{name: value for name, value in orjson.loads(text).items() if name in known})


def ranker_of(text: str) -> str | None:
    """The ranker that was named when a claim was added, which stands beside the settings.

    >>> ranker_of('{"documents":10,"ranker":"fast"}'), ranker_of('{"documents":10}')
    ('fast', None)
    """
    named = orjson.loads(text).get("ranker")
    return named if isinstance(named, str) else None


def _written(settings: Settings, ranker: str | None) -> str:
    named = {} if ranker is None else {"ranker": ranker}
    return orjson.dumps(settings.as_dict() | named, option=orjson.OPT_SORT_KEYS).decode()


def _kept(verdict: Verdict) -> tuple[Kept, ...]:
    deciding = {id(evidence) for evidence in verdict.deciding}
    return tuple(
        Kept(
            e.passage.document, e.passage.title, e.passage.revision, e.passage.number, e.passage.hash, str(e.label),
            e.confidence, id(e) in deciding, e.aside, e.passage.text,
        )
        for e in verdict.evidence
    )  # fmt: skip
