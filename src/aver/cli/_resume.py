"""What the commands that stream JSON lines share: counting lines, naming faults, going on with an output."""

from __future__ import annotations

import contextlib
import os
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO

import orjson

from aver.errors import InputError, Problems
from aver.records import iter_records

__all__ = ["count_lines", "cut_torn_line", "name_every_fault", "open_to_append"]


def name_every_fault(path: str, done: str) -> None:
    """Raises an InputError with every line of a file that cannot be read, and what was `done` nevertheless.

    A stream, which may be endless and cannot be read again, is left at its first.
    """
    if path == "-" or not Path(path).is_file():
        return
    problems = Problems()
    try:
        for _ in iter_records(path, problems=problems):
            pass
    except InputError as error:
        problems.add("", str(error))
    problems.raise_if_any(f"this file cannot be read as JSON lines; {done}")


def open_to_append(output: str | None) -> AbstractContextManager[IO[bytes] | None]:
    """The file that lines are added to; None where they are printed."""
    if output is None:
        return contextlib.nullcontext()
    try:
        return Path(output).open("ab")
    except OSError as error:
        raise InputError(f"{output}: cannot be written: {error.strerror}") from error


def count_lines(path: str) -> int | None:
    """How many lines there are to answer, for the bar; only where counting is cheap."""
    if path == "-" or path.endswith(".gz") or not Path(path).is_file() or not sys.stderr.isatty():
        return None
    with Path(path).open("rb") as file:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))


def cut_torn_line(path: Path) -> None:
    """Cuts off what a killed process left behind the last whole line: the beginning of a row.

    Anything else that stands there is somebody's: it is refused, and a whole row only gets the end of its line.
    """
    try:
        with path.open("r+b") as file:
            end = _behind_last_line(file)
            file.seek(end)
            torn = file.read()
            if not torn.strip():
                file.truncate(end)
            elif not torn.startswith(b"{"):
                raise InputError(f"{path}: its last line is no answer of aver; name another --output or remove this")
            elif _is_whole(torn):
                file.write(b"\n")
            else:
                file.truncate(end)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error


def _behind_last_line(file: IO[bytes]) -> int:
    file.seek(0, os.SEEK_END)
    end = file.tell()
    while end > 0:
        start = max(0, end - 65536)
        file.seek(start)
        at = file.read(end - start).rfind(b"\n")
        if at >= 0:
            return start + at + 1
        end = start
    return 0


def _is_whole(row: bytes) -> bool:
    try:
        orjson.loads(row)
    except orjson.JSONDecodeError:
        return False
    return True
