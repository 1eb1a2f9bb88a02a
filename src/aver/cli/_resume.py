"""What the commands that stream JSON lines share: counting lines, naming faults, going on with an output."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import msgspec
import orjson

from aver.errors import InputError, Problems
from aver.records import is_stream, is_table_head, iter_lines, iter_records, place_name, streaming

__all__ = [
    "Lines",
    "changed",
    "count_lines",
    "cut_torn_line",
    "name_every_fault",
    "open_to_append",
    "refuse_input",
    "refuse_table",
    "resumed_from",
    "table_refused",
]


class Lines:
    """What lines are added to, each written at once; that it cannot be, on a full disk for instance, is told."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file, self._name = file, name

    def write(self, line: bytes) -> None:
        try:
            while line:  # without a buffer a part may be written
                line = line[self._file.write(line) :]
        except BrokenPipeError:
            raise  # the reader has enough
        except OSError as error:
            raise InputError(f"{self._name}: cannot be written: {error.strerror}") from error


def refuse_input(output: str | None, path: str) -> None:
    """Raises an InputError where the output is the file that is read."""
    if output is None or path == "-" or is_stream(output):
        return
    if Path(output).resolve() == Path(path).resolve():
        raise InputError(f"{output}: is the input; name another file with --output")


def refuse_table(path: str, wanted: str) -> None:
    """Raises an InputError where a file is a table; `wanted` is how a line should look. A stream is not looked into."""
    if path == "-" or not Path(path).is_file():
        return
    first = next((line.strip() for line in iter_lines(path) if line.strip()), b"")
    named = Path(path.removesuffix(".gz")).suffix.lower() in (".csv", ".tsv")
    if first and not first.startswith((b"{", b"[")) and (named or is_table_head(first)):
        raise table_refused(path, wanted)


def table_refused(path: str, wanted: str) -> InputError:
    """What is told to whoever gives a table."""
    return InputError(
        f"{place_name(path)}: looks like a table (CSV or TSV), and JSON lines are wanted: one object a line, such as "
        f"{wanted}"
    )


def resumed_from(output: str | None) -> Path | None:
    """The file whose lines are passed over; None where there is none, and where it is a pipe or a device."""
    if output is None or is_stream(output):
        return None
    try:
        return Path(output) if Path(output).exists() else None
    except OSError:
        return None  # told of when it is opened


def changed(done: Mapping[str, Any], kept: Mapping[str, Any], place: str, *, ours: Collection[str]) -> str:
    """How a row differs from the one that a line was made of; empty where it is the same.

    `kept` are the fields of the row as a line keeps them, `place` is the row's; `ours` are the names of what the
    command adds. A field that is null is as good as none.

    >>> changed({"id": 1, "status": "scored"}, {"id": 7}, "p.jsonl line 1", ours={"status"})
    "its row has changed since: 'id' was 1, and at p.jsonl line 1 it is 7"
    """
    for name in (*kept, *done):
        was, now = done.get(name), kept.get(name)
        if name not in ours and was != now:
            return f"its row has changed since: {name!r} was {_short(was)}, and at {place} it is {_short(now)}"
    return ""


def _short(value: Any) -> str:
    told = "missing" if value is None else json.dumps(value, ensure_ascii=False)
    return told if len(told) <= 60 else f"{told[:59]}…"


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


@contextlib.contextmanager
def open_to_append(output: str | None) -> Iterator[Lines | None]:
    """The file that lines are added to, without a torn last line; None where they are printed.

    No other process can go on with it meanwhile. A file that was made here and to which nothing came is taken away.
    Into a pipe, a device or standard output (`-`) the lines go as they are.
    """
    if output is None:
        yield None
        return
    if is_stream(output):
        with streaming(output, buffering=0) as stream:
            yield Lines(stream, "standard output" if output == "-" else output)
        return
    if output.endswith(".gz"):
        raise InputError(f"{output}: lines are added one by one, unpacked; name it without .gz, and pack it when done")
    path = Path(output)
    try:
        new = not path.exists()
        file = path.open("a+b", buffering=0)
    except OSError as error:
        raise InputError(f"{output}: cannot be written: {error.strerror}") from error
    with file:
        _hold(file, path)
        try:
            _cut(file, path)
            yield Lines(file, output)
        finally:
            if new and file.tell() == 0:
                with contextlib.suppress(OSError):  # Windows keeps open files
                    path.unlink()


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
    with open_to_append(str(path)):
        pass


def _hold(file: IO[bytes], path: Path) -> None:
    """Keeps other processes from going on with the same file, where the system has locks that do not mind readers."""
    try:
        import fcntl
    except ImportError:
        return  # Windows
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(
            f"{path}: another process is writing to it; wait until it is done, or name another file with --output"
        ) from None
    except OSError:
        return  # a file system without locks


def _cut(file: IO[bytes], path: Path) -> None:
    try:
        end = _behind_last_line(file)
        file.seek(end)
        torn = file.read()
        if _is_whole(torn):
            file.write(b"\n")
            file.flush()
        elif not torn.strip() or _is_begun(torn):
            file.truncate(end)
        else:
            raise InputError(f"{path}: its last line is no answer of aver; name another --output or remove this")
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
    """Every row that is written here has a status; a document of somebody's gets no line end."""
    try:
        found = orjson.loads(row)
    except orjson.JSONDecodeError:
        return False
    return isinstance(found, dict) and "status" in found


def _is_begun(row: bytes) -> bool:
    """Whether it is the beginning of a JSON object as rows are written, and nothing but the end is missing."""
    if not row.startswith(b'{"'[: len(row)]):
        return False
    try:
        # half a number would be called malformed
        msgspec.json.decode(row.rstrip(b"0123456789+-.eE"))
    except msgspec.DecodeError as error:
        return str(error) == "Input data was truncated"
    return False
