"""The file format of a watch: SQLite in WAL mode in the collection's own folder, one writer beside many readers.

    watch/watch.sqlite  claims, verdicts, judgements, events, deliveries: the history; rows are added, never changed
    watch/writer.lock   held by the one process that adds to it

Triggers refuse to change or delete a row of the history. The tables below the line in the schema are made from it:
they say where each claim stands now, and lead from a changed page to the claims it may concern.
"""

from __future__ import annotations

import datetime
import sqlite3
import uuid
from pathlib import Path

from aver.errors import InputError

__all__ = ["DATABASE", "FOLDER", "connect", "now"]

FOLDER, DATABASE = "watch", "watch.sqlite"
FORMAT = 1
"""Raised whenever an older aver could misread what a newer one wrote."""
_APPLICATION = 0x61767277  # "avrw"

_HISTORY = {
    "claims": "id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, text TEXT NOT NULL, ref TEXT, added TEXT NOT NULL",
    # the last row of a claim says whether it is watched, and how it is to be verified
    "watches": """id INTEGER PRIMARY KEY, claim INTEGER NOT NULL, action TEXT NOT NULL, at TEXT NOT NULL,
        model TEXT NOT NULL, settings TEXT NOT NULL""",
    # what a verdict was made with
    "setups": """id INTEGER PRIMARY KEY, model TEXT NOT NULL, weights TEXT NOT NULL, encoder TEXT NOT NULL,
        settings TEXT NOT NULL, version TEXT NOT NULL, UNIQUE (model, weights, encoder, settings, version)""",
    "runs": "id INTEGER PRIMARY KEY, started TEXT NOT NULL, since INTEGER NOT NULL",
    # a run without a row here was stopped; the next one goes on with it
    "ends": """run INTEGER PRIMARY KEY, at TEXT NOT NULL, position INTEGER NOT NULL, last INTEGER NOT NULL,
        documents INTEGER NOT NULL, aliases INTEGER NOT NULL, counts TEXT NOT NULL""",
    # events up to this one were reported; those after it are told by the next run, whoever found them
    "told": "id INTEGER PRIMARY KEY, event INTEGER NOT NULL, at TEXT NOT NULL",
    "verdicts": """id INTEGER PRIMARY KEY, claim INTEGER NOT NULL, run INTEGER, at TEXT NOT NULL,
        position INTEGER NOT NULL, setup INTEGER NOT NULL, label TEXT NOT NULL, status TEXT NOT NULL,
        confidence REAL NOT NULL, probabilities TEXT NOT NULL, evidence_hash BLOB NOT NULL, evidence TEXT NOT NULL,
        pages TEXT NOT NULL, notes TEXT NOT NULL""",
    "sentences": "hash BLOB PRIMARY KEY, text TEXT NOT NULL",
    # what the judge said of a claim and a text, under the text's hash: nothing is read twice
    "judgements": """claim INTEGER NOT NULL, model TEXT NOT NULL, evidence BLOB NOT NULL, judgement BLOB NOT NULL,
        PRIMARY KEY (claim, model, evidence)""",
    "events": """id INTEGER PRIMARY KEY, run INTEGER NOT NULL, at TEXT NOT NULL, claim INTEGER NOT NULL,
        before INTEGER NOT NULL, after INTEGER NOT NULL, kind TEXT NOT NULL, reason TEXT NOT NULL,
        causes TEXT NOT NULL""",
    "outgoing": "id INTEGER PRIMARY KEY, url TEXT NOT NULL, body TEXT NOT NULL, at TEXT NOT NULL",
    "attempts": """id INTEGER PRIMARY KEY, delivery INTEGER NOT NULL, at TEXT NOT NULL, delivered INTEGER NOT NULL,
        answer TEXT NOT NULL""",
}
_REST = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX watches_by_claim ON watches (claim);
CREATE INDEX verdicts_by_claim ON verdicts (claim);
CREATE INDEX verdicts_by_evidence ON verdicts (evidence_hash);
CREATE INDEX events_by_run ON events (run);
CREATE INDEX events_by_claim ON events (claim);
CREATE INDEX attempts_by_delivery ON attempts (delivery);
-- ---- made from the history ----
CREATE TABLE current (
    claim INTEGER PRIMARY KEY, verdict INTEGER NOT NULL,
    position INTEGER NOT NULL,  -- of the collection, when it was verified
    needs REAL NOT NULL         -- the BM25 score from which a page would be among its candidates
);
CREATE TABLE candidates (page TEXT NOT NULL, claim INTEGER NOT NULL, PRIMARY KEY (page, claim)) WITHOUT ROWID;
CREATE INDEX candidates_by_claim ON candidates (claim);
CREATE TABLE terms (term TEXT NOT NULL, claim INTEGER NOT NULL, PRIMARY KEY (term, claim)) WITHOUT ROWID;
CREATE INDEX terms_by_claim ON terms (claim);
CREATE TABLE words (word TEXT NOT NULL, claim INTEGER NOT NULL, PRIMARY KEY (word, claim)) WITHOUT ROWID;
CREATE INDEX words_by_claim ON words (claim);
"""


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def connect(folder: Path, collection: str, *, write: bool = False, create: bool = False) -> sqlite3.Connection:
    """A connection to the watch in a folder. `collection` says which one it belongs to: when that was made."""
    path = folder / DATABASE
    if not path.is_file():
        if not create:
            raise InputError(f"{folder.parent}: no claims are watched there; begin with: aver watch add CLAIM --in …")
        _make(path, collection)
    try:
        connection = _open(path, write)
    except sqlite3.Error as error:
        raise InputError(f"{path}: cannot be opened: {error}") from error
    try:
        _fits(connection, path, collection)
    except BaseException:
        connection.close()
        raise
    return connection


def _fits(connection: sqlite3.Connection, path: Path, collection: str) -> None:
    try:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        belongs = connection.execute("SELECT value FROM settings WHERE name = 'collection'").fetchone()
    except sqlite3.Error as error:
        raise InputError(f"{path}: cannot be opened: {error}") from error
    if application != _APPLICATION:
        raise InputError(f"{path}: is no file of aver's watches")
    if version > FORMAT:
        raise InputError(
            f"{path}: was written by a newer aver (format {version}; this one reads up to {FORMAT}); "
            "upgrade with: pip install -U aver"
        )
    if belongs is None or belongs[0] != collection:
        made = belongs[0] if belongs else "unknown"
        raise InputError(
            f"{path.parent}: its claims were watched in another collection (made {made}, this one {collection}); "
            "move that folder away to begin anew"
        )


def _open(path: Path, write: bool) -> sqlite3.Connection:
    if write:
        connection = sqlite3.connect(path, isolation_level=None, timeout=30)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            # A killed process loses nothing by it; a power cut may undo the last commits of a run, never half of one,
            # and the next run does them again. What a finished command wrote is synced when it closes the file.
            connection.execute("PRAGMA synchronous = NORMAL")
        except sqlite3.Error:
            connection.close()
            raise
        return connection
    address = path.resolve().as_uri()
    connection = sqlite3.connect(f"{address}?mode=ro", uri=True, isolation_level=None, timeout=30)
    try:
        connection.execute("SELECT 1 FROM settings LIMIT 1")
    except sqlite3.Error as error:
        connection.close()
        waiting = Path(f"{path}-wal")
        if not isinstance(error, sqlite3.OperationalError) or (waiting.exists() and waiting.stat().st_size):
            raise
        # a folder that may not be written to: no writer can be there either
        return sqlite3.connect(f"{address}?immutable=1", uri=True, isolation_level=None)
    return connection


def _make(path: Path, collection: str) -> None:
    """The file appears with everything in it, or not at all."""
    fresh = path.with_name(f"{DATABASE}.new")
    try:
        path.parent.mkdir(exist_ok=True)
        fresh.unlink(missing_ok=True)
        connection = sqlite3.connect(fresh, isolation_level=None)
        try:
            for name, columns in _HISTORY.items():
                rowless = " WITHOUT ROWID" if name in ("judgements", "sentences") else ""
                connection.execute(f"CREATE TABLE {name} ({columns}){rowless}")
                for action in ("UPDATE", "DELETE"):
                    connection.execute(
                        f"CREATE TRIGGER {name}_{action} BEFORE {action} ON {name} "
                        f"BEGIN SELECT RAISE(ABORT, '{name}: history is only added to'); END"
                    )
            connection.executescript(_REST)
            rows = {"id": str(uuid.uuid4()), "created": now(), "collection": collection}
            connection.executemany("INSERT INTO settings VALUES (?, ?)", rows.items())
            connection.execute(f"PRAGMA user_version = {FORMAT}")
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        finally:
            connection.close()
        fresh.replace(path)
    except (OSError, sqlite3.Error) as error:
        raise InputError(f"{path.parent}: claims cannot be watched there: {error}") from error
