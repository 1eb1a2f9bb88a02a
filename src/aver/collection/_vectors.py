"""The vectors of a collection's sentences on disk, by encoder: eight bits a number, read straight from the file.

    vectors/<encoder>/codes-N.i8      a row for each sentence, as it was appended
    vectors/<encoder>/scales-N.f32    what a row's numbers are multiplied by
    vectors/<encoder>/rows.sqlite     which rows are which document's, at which revision; the truth about the files
    vectors/<encoder>/faiss-N-R.index what FAISS made of the first R rows; only ever a shortcut

Rows are appended to the files and reach the disk before the table says that they are there. Whoever is killed in
between leaves rows that the table does not know, and the next to embed writes over them. Rows of documents that were
removed or changed are dead; when every fourth one is, the living move to new files, and the table says so in one step.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from aver.errors import InputError

__all__ = ["Encoder", "Held", "StoreWriter", "Vectors", "folder_name", "open_rows", "stores"]

FORMAT = 1
Vectors = NDArray[np.float32]
_DEAD_SHARE = 0.25
_BLOCK = 65_536

_SCHEMA = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE embedded (
    document INTEGER PRIMARY KEY,
    revision INTEGER NOT NULL,
    start INTEGER NOT NULL,  -- its first row
    count INTEGER NOT NULL   -- and how many it has, one for each of its sentences in their order
);
"""


class Encoder(Protocol):
    """What turns texts into vectors; `aver.models.load_encoder` gives you one."""

    model: str
    """Name and content hash: vectors of one are never compared with those of another."""
    dimensions: int

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A row of length 1 (or 0) for each text."""


class Held(NamedTuple):
    """The rows of one document."""

    document: int
    revision: int
    start: int
    sentences: int


def folder_name(model: str) -> str:
    """The folder of an encoder's vectors.

    >>> folder_name("static@0123456789ab")
    'static-0123456789ab'
    """
    return re.sub(r"[^\w.\-]+", "-", model)


def stores(vectors: Path) -> list[Path]:
    """The folders of all encoders that have vectors here."""
    if not vectors.is_dir():
        return []
    return sorted(path for path in vectors.iterdir() if (path / "rows.sqlite").is_file())


def open_rows(folder: Path, *, write: bool = False) -> sqlite3.Connection:
    """The table of a store; a newer format is an error."""
    path = folder / "rows.sqlite"
    try:
        if write:
            connection = sqlite3.connect(path, isolation_level=None, timeout=30)
            # no write-ahead log: then those who may only read the folder can still open it
            connection.execute("PRAGMA synchronous = FULL")
        else:
            connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=30)
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error as error:
        raise InputError(f"{folder}: the vectors cannot be opened: {error}") from error
    if version > FORMAT:
        connection.close()
        raise InputError(f"{folder}: the vectors were written by a newer aver; upgrade with: pip install -U aver")
    return connection


def settings_of(connection: sqlite3.Connection) -> dict[str, str]:
    return dict(connection.execute("SELECT name, value FROM settings").fetchall())


def file_names(folder: Path, number: int) -> tuple[Path, Path]:
    return folder / f"codes-{number}.i8", folder / f"scales-{number}.f32"


def quantised(vectors: Vectors) -> tuple[NDArray[np.int8], Vectors]:
    """Rows in eight bits, and the scale of each: the cosine to what they were is above 0.9999."""
    scales = (np.abs(vectors).max(axis=1) / 127).astype(np.float32)
    safe = np.where(scales > 0, scales, 1)[:, None]
    return np.rint(vectors / safe).astype(np.int8), scales


class StoreWriter:
    """The one that writes an encoder's vectors; whoever makes one holds the store's lock."""

    def __init__(self, folder: Path, model: str, dimensions: int) -> None:
        self._folder, self._dimensions = folder, dimensions
        if not (folder / "rows.sqlite").is_file():
            _create(folder, model, dimensions)
        self._rows = open_rows(folder, write=True)
        said = settings_of(self._rows)
        if int(said["dimensions"]) != dimensions or said["model"] != model:
            raise InputError(
                f"{folder}: holds vectors of {said['model']} with {said['dimensions']} numbers, "
                f"not of {model} with {dimensions}; remove that folder and embed again"
            )
        self._number, self._count = int(said["file"]), int(said["rows"])
        self._tidy()

    def _tidy(self) -> None:
        """Cuts off what the table does not know, and removes files of no use."""
        sizes = (self._dimensions, 4)
        for path, size in zip(file_names(self._folder, self._number), sizes, strict=True):
            path.touch()
            if path.stat().st_size < self._count * size:
                raise InputError(f"{path}: is shorter than it was; remove {self._folder} and embed again")
            os.truncate(path, self._count * size)
        mine = {path.name for path in file_names(self._folder, self._number)}
        for path in (*self._folder.glob("codes-*"), *self._folder.glob("scales-*"), *self._folder.glob("faiss-*")):
            stale = path.name not in mine and not path.name.startswith(f"faiss-{self._number}-")
            if stale or path.name.endswith(".new"):
                with contextlib.suppress(OSError):  # somebody may be reading it where that forbids removal
                    path.unlink()

    def close(self) -> None:
        self._rows.close()

    def held(self) -> dict[int, int]:
        """Document -> the revision whose sentences are embedded."""
        return dict(self._rows.execute("SELECT document, revision FROM embedded").fetchall())

    def forget(self, documents: Sequence[int]) -> None:
        """These documents have no vectors any more."""
        with self._transaction():
            self._rows.executemany("DELETE FROM embedded WHERE document = ?", [(number,) for number in documents])

    def append(self, documents: Sequence[tuple[int, int, int]], vectors: Vectors) -> None:
        """Takes in (document, revision, how many sentences) and the rows of all of them. They are safe afterwards."""
        codes, scales = quantised(vectors)
        parts = (codes.tobytes(), self._dimensions), (scales.tobytes(), 4)
        for path, (data, size) in zip(file_names(self._folder, self._number), parts, strict=True):
            with path.open("r+b") as file:
                file.seek(self._count * size)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        start, rows = self._count, []
        for document, revision, count in documents:
            rows.append(Held(document, revision, start, count))
            start += count
        with self._transaction():
            self._rows.executemany("INSERT OR REPLACE INTO embedded VALUES (?, ?, ?, ?)", rows)
            self._set("rows", start)
        self._count = start

    def compact(self) -> bool:
        """Moves the living rows together where too many are dead; says whether it did."""
        living = [Held(*row) for row in self._rows.execute("SELECT * FROM embedded ORDER BY start")]
        kept = sum(row.sentences for row in living)
        if self._count - kept <= _DEAD_SHARE * self._count:
            return False
        old, new = file_names(self._folder, self._number), file_names(self._folder, self._number + 1)
        for source, target, size in zip(old, new, (self._dimensions, 4), strict=True):
            with source.open("rb") as read, target.open("wb") as write:
                for row in living:
                    read.seek(row.start * size)
                    write.write(read.read(row.sentences * size))
                write.flush()
                os.fsync(write.fileno())
        start, moved = 0, []
        for row in living:
            moved.append((start, row.document))
            start += row.sentences
        with self._transaction():
            self._rows.executemany("UPDATE embedded SET start = ? WHERE document = ?", moved)
            self._set("file", self._number + 1)
            self._set("rows", start)
        self._number, self._count = self._number + 1, start
        self._tidy()
        return True

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._rows.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._set("generation", int(settings_of(self._rows)["generation"]) + 1)
        except BaseException:
            self._rows.execute("ROLLBACK")
            raise
        self._rows.execute("COMMIT")

    def _set(self, name: str, value: object) -> None:
        self._rows.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, str(value)))


def _create(folder: Path, model: str, dimensions: int) -> None:
    """An empty store; it is there with everything in it or not at all."""
    path = folder / "rows.sqlite.new"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        connection = sqlite3.connect(path, isolation_level=None)
        try:
            connection.executescript(_SCHEMA)
            said = {"model": model, "dimensions": dimensions, "file": 0, "rows": 0, "generation": 0}
            connection.executemany("INSERT INTO settings VALUES (?, ?)", [(k, str(v)) for k, v in said.items()])
            connection.execute(f"PRAGMA user_version = {FORMAT}")
        finally:
            connection.close()
        path.replace(folder / "rows.sqlite")
    except (OSError, sqlite3.Error) as error:
        raise InputError(f"{folder}: vectors cannot be made there: {error}") from error
