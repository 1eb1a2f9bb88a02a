"""The file format of a collection, and opening it: SQLite in WAL mode, one writer beside any number of readers.

    collection.sqlite   documents, revisions, sentences, names, sources; the truth
    lexical/            the tantivy index; made from the documents, and made anew where it is missing
    vectors/            reserved for embeddings, by model and sentence hash
    watch/              watched claims and the history of their verdicts (aver.revisions.watch)
    writer.lock         held by the one process that writes
"""

from __future__ import annotations

import contextlib
import datetime
import sqlite3
from pathlib import Path

from aver.collection._home import DATABASE
from aver.errors import InputError

__all__ = ["FORMAT", "connect", "create", "half_made", "is_damaged", "now"]

FORMAT = 1
"""Raised whenever an older aver could misread what a newer one wrote."""

_APPLICATION = 0x61766572  # "aver"

_SCHEMA = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    format TEXT NOT NULL,
    options TEXT NOT NULL,      -- how it was read, as JSON: a later update reads it the same way
    size INTEGER NOT NULL,
    mtime INTEGER NOT NULL,     -- in nanoseconds
    whole INTEGER NOT NULL,     -- 1 once it was read to its end without a fault
    documents INTEGER NOT NULL  -- how many it held then
);
-- AUTOINCREMENT: the number of a removed document is never given to another one
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    revision INTEGER NOT NULL,  -- the current one
    source INTEGER
);
CREATE INDEX documents_by_source ON documents (source);
CREATE TABLE revisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    hash BLOB NOT NULL,         -- of title and text
    origin TEXT,                -- the id it has in the outside world
    timestamp TEXT,             -- and its time there
    added TEXT NOT NULL
);
CREATE INDEX revisions_by_document ON revisions (document, origin);
CREATE TABLE sentences (
    revision INTEGER NOT NULL,
    number INTEGER NOT NULL,
    start INTEGER NOT NULL,     -- in characters of the revision's text
    stop INTEGER NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (revision, number)
) WITHOUT ROWID;
-- what documents are called; an alias (kind 2) has no document but the folded title it leads to
CREATE TABLE names (
    folded TEXT NOT NULL,
    kind INTEGER NOT NULL,
    document INTEGER NOT NULL,
    target TEXT NOT NULL DEFAULT '',
    name TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (folded, kind, document, target)
) WITHOUT ROWID;
-- documents whose entry in the lexical index is not yet what the tables say
CREATE TABLE unindexed (document INTEGER PRIMARY KEY);
"""

# Collections that were made without it get it when they are next written to; nothing that only reads needs it.
_ALSO_IN = """
-- files that hold a document beside the one it is taken from, or hold another text under its key
CREATE TABLE IF NOT EXISTS also_in (
    document INTEGER NOT NULL,
    source INTEGER NOT NULL,
    hash BLOB NOT NULL,         -- of title and text as they stand in that file
    clash INTEGER NOT NULL,     -- 1 where they were refused: both files were read in one run
    PRIMARY KEY (document, source)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS also_in_by_source ON also_in (source);
"""


def half_made(folder: Path) -> list[Path]:
    """What was left of a collection whose making was stopped: the file it was to be, and that file's journal."""
    return list(folder.glob(f"{DATABASE}.new*"))


def create(folder: Path, settings: dict[str, str]) -> None:
    """Makes an empty collection. A half-made one is never seen: the file appears with everything in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{DATABASE}.new"
        for left in half_made(folder):
            left.unlink(missing_ok=True)
        connection = sqlite3.connect(path, isolation_level=None)
        try:
            connection.executescript(_SCHEMA + _ALSO_IN)
            rows = {**settings, "created": now(), "changed": now(), "generation": "0"}
            connection.executemany("INSERT INTO settings VALUES (?, ?)", rows.items())
            connection.execute(f"PRAGMA user_version = {FORMAT}")
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        finally:
            connection.close()
        path.replace(folder / DATABASE)
    except (OSError, sqlite3.Error) as error:
        raise InputError(f"{folder}: a collection cannot be made there: {error}") from error


def connect(folder: Path, *, write: bool = False) -> sqlite3.Connection:
    """A connection to the collection in a folder; a newer format, or another kind of file, is an error."""
    path = folder / DATABASE
    try:
        connection = _open(path, write)
        try:
            application = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.Error:
            connection.close()
            raise
    except sqlite3.Error as error:
        remedy = _REMEDY.format(folder) if is_damaged(folder) else ""
        raise InputError(f"{folder}: cannot be opened as a collection: {error}{remedy}") from error
    if application != _APPLICATION:
        connection.close()
        if is_damaged(folder):
            raise InputError(f"{folder}: its file {DATABASE} is damaged{_REMEDY.format(folder)}")
        raise InputError(f"{folder}: is no collection of aver's, though it has a file {DATABASE}")
    if version > FORMAT:
        connection.close()
        raise InputError(
            f"{folder}: was written by a newer aver (format {version}; this one reads up to {FORMAT}); "
            "upgrade with: pip install -U aver"
        )
    if write:
        connection.executescript(_ALSO_IN)
    return connection


_REMEDY = "; put a copy in its place, or remove it (aver collection remove {}) and add its files again"


def is_damaged(folder: Path) -> bool:
    """It is a collection of aver's, but its documents can no longer be read."""
    if not _is_ours(folder):
        return False
    try:
        with contextlib.closing(_open(folder / DATABASE, False)) as connection:
            connection.execute("SELECT count(*) FROM documents")
    except sqlite3.OperationalError as error:
        # what somebody else has locked is not damaged
        return "no such" in str(error)
    except sqlite3.DatabaseError:
        return True
    return False


def _is_ours(folder: Path) -> bool:
    try:
        with (folder / DATABASE).open("rb") as file:
            head = file.read(72)
        if len(head) == 72 and head.startswith(b"SQLite format 3\x00"):
            return head[68:] == _APPLICATION.to_bytes(4)
        # that the file itself does not say it: the index beside it is aver's
        return b'"tokenizer":"aver"' in (folder / "lexical" / "meta.json").read_bytes().replace(b" ", b"")
    except OSError:
        return False


def _open(path: Path, write: bool) -> sqlite3.Connection:
    if not write:
        connection = _for_reading(path, "mode=ro")
        try:
            connection.execute("SELECT 1 FROM settings LIMIT 1")
            return connection
        except sqlite3.Error as error:
            connection.close()
            if not isinstance(error, sqlite3.OperationalError):
                raise
            if Path(f"{path}-wal").exists() and Path(f"{path}-wal").stat().st_size:
                raise
            # a folder that may not be written to: no writer can be there either
            return _for_reading(path, "immutable=1")
    connection = sqlite3.connect(path, isolation_level=None, timeout=30)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        # One commit in thousands of documents: the price of surviving a power cut is small.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA cache_size = -65536")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _for_reading(path: Path, how: str) -> sqlite3.Connection:
    # each connection serves one thread, but whoever closes the collection closes them all
    address = f"{path.resolve().as_uri()}?{how}"
    return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
