"""One writer at a time: a lock that the system releases when its holder dies, however it dies."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from aver.errors import InputError

__all__ = ["WriterLock", "locked"]


class WriterLock:
    """Held from `acquire` to `release`; `acquire` answers False at once where another process has it."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "writer.lock"
        self._file: IO[bytes] | None = None

    def acquire(self) -> bool:
        try:
            file = self._path.open("a+b")
        except OSError as error:
            raise InputError(f"{self._path.parent}: cannot be written to: {error.strerror}") from error
        if not _take(file):
            file.close()
            return False
        file.seek(0)
        file.truncate()
        file.write(str(os.getpid()).encode())
        file.flush()
        self._file = file
        return True

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def holder(self) -> str:
        """The process that has it, as it signed itself."""
        try:
            return self._path.read_text(encoding="ascii").strip() or "unknown"
        except OSError:
            return "unknown"


@contextlib.contextmanager
def locked(folder: Path, doing: str) -> Iterator[None]:
    """While this lasts no other process does the same in this folder; an InputError where one does."""
    lock = WriterLock(folder)
    if not lock.acquire():
        raise InputError(f"another process (number {lock.holder()}) is {doing}; try again when it is done")
    try:
        yield
    finally:
        lock.release()


if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _take(file: IO[bytes]) -> bool:
        try:
            # a byte far behind the process number, so that others can read that
            file.seek(1 << 20)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _take(file: IO[bytes]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
