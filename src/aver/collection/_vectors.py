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
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from aver.errors import InputError

__all__ = [
    "DamagedVectors", "Encoder", "Held", "StoreWriter", "Vectors", "check_files", "clear", "file_names", "folder_name",
    "how_to_embed", "open_rows", "reading", "settings_of", "stores",
]  # fmt: skip

FORMAT = 1
Vectors = NDArray[np.float32]
_DEAD_SHARE = 0.25
_BLOCK = 65_536
_LARGEST_SCALE = 1e3
"""A row's length is 1, and its scale far below; what is read as more was never one."""

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


class DamagedVectors(InputError):
    """An encoder's vectors are not what was written; they can be made anew from the documents."""

    def __init__(self, folder: Path, reason: str) -> None:
        self.reason = reason
        super().__init__(f"{folder}: the vectors cannot be read: {reason}")


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


def how_to_embed(name: str, folder: Path) -> str:
    """The command that makes an encoder's vectors anew.

    >>> how_to_embed("archive", Path("vectors/static-0123456789ab"))
    'aver collection embed archive'
    """
    # of another encoder the folder's name does not say where it lies
    return f"aver collection embed {name}{'' if folder.name.startswith('static-') else ' --model ENCODER'}"


@contextlib.contextmanager
def reading(folder: Path) -> Iterator[None]:
    """Tells damage, which embedding again undoes, from what hinders for now: a lock, or missing rights."""
    try:
        yield
    except sqlite3.Error as error:
        # the first byte is the kind; an error in the statement means that the tables are not there
        kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if kind in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
            raise DamagedVectors(folder, str(error)) from error
        raise InputError(f"{folder}: the vectors cannot be opened: {error}") from error
    except InputError:
        raise
    except (KeyError, ValueError, TypeError) as error:
        raise DamagedVectors(folder, "their table is damaged") from error


def open_rows(folder: Path, *, write: bool = False) -> sqlite3.Connection:
    """The table of a store; a newer format is an error."""
    path = folder / "rows.sqlite"
    with reading(folder), contextlib.ExitStack() as undo:
        if write:
            connection = sqlite3.connect(path, isolation_level=None, timeout=30)
        else:
            connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=30)
        undo.callback(connection.close)
        if write:
            # no write-ahead log: then those who may only read the folder can still open it
            connection.execute("PRAGMA synchronous = FULL")
        if int(connection.execute("PRAGMA user_version").fetchone()[0]) > FORMAT:
            raise InputError(f"{folder}: the vectors were written by a newer aver; upgrade with: pip install -U aver")
        undo.pop_all()
    return connection


def clear(folder: Path) -> None:
    """Removes an encoder's vectors; whoever calls this holds the store's lock."""
    # the table last: while it is there, whoever is stopped here leaves something that is known to be damaged
    for pattern in ("faiss-*", "codes-*", "scales-*", "rows.sqlite-*", "rows.sqlite"):
        for path in folder.glob(pattern):
            try:
                path.unlink()
            except OSError as error:
                raise InputError(f"{path}: is damaged and cannot be removed: {error.strerror}") from error


def check_files(folder: Path, number: int, count: int, dimensions: int) -> None:
    """DamagedVectors where the files cannot hold the rows that the table says."""
    codes, scales = file_names(folder, number)
    for path, size in ((codes, dimensions), (scales, 4)):
        if path.stat().st_size < count * size:
            raise DamagedVectors(folder, f"{path.name} is shorter than it was")
    if count:
        with np.errstate(invalid="ignore"):
            found: Vectors = np.memmap(scales, np.float32, "r", shape=(count,))
            # what is not finite came from the encoder, and no search finds it
            if bool(((found < 0) | ((found > _LARGEST_SCALE) & np.isfinite(found))).any()):
                raise DamagedVectors(folder, f"{scales.name} does not hold what was written")


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
        try:
            with reading(folder):
                self._begin(model)
        except BaseException:
            self._rows.close()
            raise

    def _begin(self, model: str) -> None:
        (sound,) = self._rows.execute("PRAGMA quick_check(1)").fetchone()
        if sound != "ok":
            raise DamagedVectors(self._folder, "their table is damaged")
        said = settings_of(self._rows)
        if int(said["dimensions"]) != self._dimensions or said["model"] != model:
            raise InputError(
                f"{self._folder}: holds vectors of {said['model']} with {said['dimensions']} numbers, "
                f"not of {model} with {self._dimensions}; remove that folder and embed again"
            )
        self._number, self._count = int(said["file"]), int(said["rows"])
        self._tidy()

    def _tidy(self) -> None:
        """Cuts off what the table does not know, and removes files of no use."""
        files = file_names(self._folder, self._number)
        for path in files:
            path.touch()
        check_files(self._folder, self._number, self._count, self._dimensions)
        for path, size in zip(files, (self._dimensions, 4), strict=True):
            os.truncate(path, self._count * size)
        mine = {path.name for path in files}
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
            # readers know a change by its generation: one that was made anew has none of those before
            said = {"model": model, "dimensions": dimensions, "file": 0, "rows": 0, "generation": time.time_ns()}
            connection.executemany("INSERT INTO settings VALUES (?, ?)", [(k, str(v)) for k, v in said.items()])
            connection.execute(f"PRAGMA user_version = {FORMAT}")
        finally:
            connection.close()
        path.replace(folder / "rows.sqlite")
    except (OSError, sqlite3.Error) as error:
        raise InputError(f"{folder}: vectors cannot be made there: {error}") from error
