"""What one process at a time may do with a collection: write to it, and delete it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from pathlib import Path
from types import TracebackType

from aver.collection._home import DATABASE, collection_folder
from aver.collection._lock import WriterLock
from aver.collection._schema import is_damaged
from aver.collection._writing import Writer
from aver.errors import InputError

__all__ = ["Writing", "delete_damaged", "delete_files", "taken"]

_PATIENCE = 2.0
"""Seconds to wait for another writer."""


def delete_damaged(name: str | os.PathLike[str]) -> None:
    """Deletes a collection that can no longer be opened because its database is damaged; anything else is an error."""
    folder = collection_folder(name)
    if not is_damaged(folder):
        raise InputError(f"{folder}: is no damaged collection of aver's")
    delete_files(folder, taken(folder, os.fspath(name)))


def taken(folder: Path, name: str) -> WriterLock:
    """The lock of a collection, waited for a little; an error where another process keeps it."""
    lock = WriterLock(folder)
    # a reader that works off what a dead writer left has it for a moment only
    until = time.monotonic() + _PATIENCE
    while not lock.acquire():
        if time.monotonic() > until:
            raise InputError(
                f"{name}: another process (number {lock.holder()}) is writing to this collection; "
                "try again when it is done"
            )
        time.sleep(0.02)
    return lock


def delete_files(folder: Path, lock: WriterLock) -> None:
    """Deletes what is aver's in a folder; anything else there stays, and the folder with it."""
    # the file that makes it a collection goes first: a half-deleted one is none
    for name in (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm"):
        (folder / name).unlink(missing_ok=True)
    for name in ("lexical", "vectors", "watch"):
        shutil.rmtree(folder / name, ignore_errors=True)
    lock.release()
    (folder / "writer.lock").unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()


class Writing:
    """The writer while it is needed, under the lock."""

    def __init__(self, folder: Path, lock: WriterLock) -> None:
        self._folder = folder
        self._lock = lock

    def __enter__(self) -> Writer:
        try:
            self._writer = Writer(self._folder)
        except BaseException:
            self._lock.release()
            raise
        return self._writer

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        wrong: BaseException | None = error
        try:
            try:
                if error is None:
                    self._writer.gather()
            finally:
                self._writer.close()
        except (sqlite3.Error, OSError, ValueError) as late:  # tantivy raises ValueError
            wrong = error or late
        finally:
            self._lock.release()
        if wrong is not error or isinstance(error, sqlite3.Error):
            raise InputError(f"{self._folder}: cannot be written: {wrong}; what was reported is stored") from wrong
