"""Reading and writing the files people keep: JSON lines, plain or gzipped, from a path or standard input.

Every record remembers its place (`file line 7`), so that whatever is wrong with it can be found.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import re
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

import msgspec
import orjson

from aver.errors import InputError, Problems, kind_of
from aver.lossless import as_line, exact

__all__ = [
    "Record",
    "bad_byte",
    "is_array",
    "is_stream",
    "is_table_head",
    "iter_lines",
    "iter_numbered",
    "iter_records",
    "parse_lines",
    "place_name",
    "read_bytes",
    "read_records",
    "streaming",
    "why_broken",
    "write_records",
    "writing",
]


_MARK = b"\xef\xbb\xbf"
"""The byte order mark that some programs on Windows write before UTF-8."""


class Record(NamedTuple):
    """One JSON object and where it stood."""

    place: str
    fields: dict[str, Any]


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The whole of a file (`-`: standard input), gunzipped where its name ends in .gz."""
    if os.fspath(path) == "-":
        return sys.stdin.buffer.read()
    with _opened(path) as file:
        try:
            return file.read()
        except (OSError, EOFError) as error:
            raise InputError(f"{path}: cannot be read: {error}") from error


def bad_byte(data: bytes, error: UnicodeDecodeError) -> int:
    """Which byte of `data` could not be decoded, counted from 1, as every message counts; a byte order mark counts too.

    >>> data = bytes.fromhex("efbbbf 636166 e9")
    >>> try: data.decode("utf-8-sig")
    ... except UnicodeDecodeError as error: bad_byte(data, error)
    7
    """
    # utf-8-sig counts behind the mark
    return error.start + len(data) - len(error.object) + 1


def iter_records(
    path: str | os.PathLike[str], *, whole: bool = False, problems: Problems | None = None
) -> Iterator[Record]:
    """Streams the JSON objects of a JSON-lines file; blank lines are passed over.

    With `whole`, whole numbers of more than 64 bits are kept, which else become floats.

    A line that is no JSON object raises an InputError that names it, or, where `problems` is given, is noted
    there and passed over, so that the caller can report every fault of the file at once.
    """
    name = place_name(path)
    for number, fields in parse_lines(iter_lines(path), name, whole=whole, problems=problems):
        if fields is not None:
            yield Record(f"{name} line {number}", fields)


def iter_numbered(
    path: str | os.PathLike[str], *, typed: type[msgspec.Struct] | None = None, problems: Problems | None = None
) -> Iterator[tuple[int, Any]]:
    """As `iter_records`, with bare line numbers and optionally typed rows: for scorers of large files.

    A line that fits `typed` comes as an instance of it, which is made and checked three times as fast as a
    dictionary can be; any other line comes as a dictionary. A line that cannot be read is None once it is noted
    in `problems`: it still holds its position.
    """
    return parse_lines(iter_lines(path), place_name(path), typed=typed, problems=problems)


def iter_lines(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """The lines of a file as they stand, gunzipped where its name ends in .gz, without a byte order mark."""
    with _opened(path) as file:
        number = 0
        try:
            if head := file.readline():
                number = 1
                yield head.removeprefix(_MARK)
            for number, line in enumerate(file, 2):  # noqa: B007  (told when the next line cannot be read)
                yield line
        except (OSError, EOFError) as error:
            raise InputError(f"{place_name(path)} after line {number}: cannot be read further: {error}") from error


def parse_lines(
    lines: Iterable[bytes],
    name: str,
    *,
    first: int = 1,
    typed: type[msgspec.Struct] | None = None,
    whole: bool = False,
    problems: Problems | None = None,
) -> Iterator[tuple[int, Any]]:
    """What `iter_numbered` does, for lines that are at hand already; `first` is the number of the first of them, and
    `whole` is as for `iter_records`."""
    own = Problems() if problems is None else problems
    decode = None if typed is None else msgspec.json.Decoder(typed).decode
    # Line by line, though msgspec could decode many at once: rows that die young cost the garbage collector
    # nothing, and that is worth more.
    for number, line in enumerate(lines, first):
        if decode is not None:
            try:
                fitting = decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError):
                pass
            else:
                yield number, fitting
                continue
        if line.strip():
            row = _plain(line, f"{name} line {number}", own, is_first=number == 1)
            if row is None and problems is None:
                own.raise_if_any("this file cannot be read as JSON lines")
            yield number, exact(line, row) if whole else row


def _plain(line: bytes, place: str, problems: Problems, *, is_first: bool) -> dict[str, Any] | None:
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        problems.add(place, (_of_another_kind(line) if is_first else "") or why_broken(line, error))
        return None
    if isinstance(fields, dict):
        return fields
    hint = _of_another_kind(line) if is_first else ""
    problems.add(place, f"expected a JSON object, found {kind_of(fields)}{hint and '; it ' + hint}")
    return None


def _of_another_kind(first: bytes) -> str:
    """What the first line of a file says of it, where it is no JSON lines; empty where it says nothing."""
    if is_table_head(first):
        return "looks like the head of a table (CSV or TSV), and JSON lines are wanted: one object a line"
    begins = first.split() in ([b"{"], [b"["]) or first.lstrip().startswith(b"[")
    return "begins one JSON document, and JSON lines are wanted: one object a line, without [ and ]" if begins else ""


def why_broken(line: bytes, error: orjson.JSONDecodeError) -> str:
    """Why a line cannot be read as JSON, and what to do about it.

    >>> try: orjson.loads(b'{"score": NaN}')
    ... except orjson.JSONDecodeError as error: why_broken(b'{"score": NaN}', error)
    'broken JSON: NaN and Infinity are no JSON numbers; write null or leave the field out'
    """
    if line.startswith(b"\x1f\x8b"):
        return "is compressed (gzip); unpack it, or give the file a name that ends in .gz"
    if line.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in line:
        return "looks like UTF-16; save the file as UTF-8"
    try:
        line.decode()
    except UnicodeDecodeError as wrong:
        return f"not UTF-8 at byte {bad_byte(line, wrong)} of the line; save the file as UTF-8"
    if any(word in line for word in (b"NaN", b"Infinity")):
        return "broken JSON: NaN and Infinity are no JSON numbers; write null or leave the field out"
    try:
        # with its end the parser counts on into a next line, which has a column 1 of its own
        orjson.loads(line.rstrip(b"\r\n"))
    except orjson.JSONDecodeError as within:
        error = within
    return f"broken JSON at column {error.colno}: {error.msg}"


_COLUMNS = frozenset("after article before claim document evidence id label sentence source summary text title".split())


def is_table_head(line: bytes) -> bool:
    """Whether a line looks like the first one of a CSV or TSV file: a column `claim`, or words alone and a usual name.

    >>> is_table_head(b'id,"Claim"'), is_table_head(b"claim,source url"), is_table_head(b"Before, it was a school.")
    (True, True, False)
    """
    first = line.decode(errors="replace").rstrip("\r\n")
    separator = next((mark for mark in "\t;," if mark in first), None)
    if separator is None:
        return False
    columns = [column.strip(" \"'").casefold() for column in first.split(separator)]
    # a table that pandas wrote may begin with an empty name
    plain = all(re.fullmatch(r"[\w-]{0,40}", column) for column in columns)
    return "claim" in columns or (plain and not _COLUMNS.isdisjoint(columns))


def place_name(path: str | os.PathLike[str]) -> str:
    """What messages call this file."""
    return "standard input" if os.fspath(path) == "-" else os.fspath(path)


def read_records(path: str | os.PathLike[str], *, problems: Problems | None = None) -> list[Record]:
    """All objects of a JSON-lines file, or of a file that is one JSON array of objects.

    Where `problems` is given, a file that cannot be read is noted there like a line that cannot, and gives no records.
    """
    try:
        if is_array(path):
            return _read_array(path, problems)
        return list(iter_records(path, problems=problems))
    except InputError as error:
        if problems is None:
            raise
        problems.add("", str(error))
        return []


def is_array(path: str | os.PathLike[str]) -> bool:
    """Whether a file holds one JSON array, however it is laid out, rather than JSON lines."""
    if os.fspath(path) == "-" or Path(path).is_fifo():
        return False  # what is read ahead from a pipe is lost
    with _opened(path) as file:
        try:
            return file.read(64).removeprefix(_MARK).lstrip()[:1] == b"["
        except (OSError, EOFError):
            return False  # told by whoever reads it in full


def _read_array(path: str | os.PathLike[str], problems: Problems | None) -> list[Record]:
    data = read_bytes(path).removeprefix(_MARK).rstrip()  # one that breaks off does so in its last line
    try:
        rows = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        line = data[: _byte_of(data, error.pos)].count(b"\n") + 1
        raise InputError(f"{path} line {line}: broken JSON: {error.msg}") from error
    own = Problems() if problems is None else problems
    records = []
    for number, fields in enumerate(rows, 1):
        if isinstance(fields, dict):
            records.append(Record(f"{path} item {number}", fields))
        else:
            own.add(f"{path} item {number}", f"expected a JSON object, found {kind_of(fields)}")
    if problems is None:
        own.raise_if_any("this file cannot be read as a list of JSON objects")
    return records


_STANDARD = ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
"""What standard output is called."""


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether what is written there is gone: standard output, a pipe, a device. It is never replaced by a file.

    >>> is_stream("-"), is_stream("/dev/stdout"), is_stream("predictions.jsonl")
    (True, True, False)
    """
    name = os.fspath(path)
    # one that the shell has opened, also where it leads to a file: the shell may have more to write there
    if name in (*_STANDARD, "/dev/stderr") or name.startswith(("/dev/fd/", "/proc/self/fd/")):
        return True
    try:
        mode = Path(name).stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


@contextlib.contextmanager
def streaming(path: str | os.PathLike[str], *, buffering: int = -1) -> Iterator[IO[bytes]]:
    """A stream to write to, with the buffer `open` gives; opening a named pipe waits for its reader."""
    standard: Any = sys.stdout
    try:
        if os.fspath(path) in _STANDARD:
            if standard is None:
                raise InputError("standard output is closed; name a file to write to")
            standard.flush()
            file: Any = os.fdopen(os.dup(standard.fileno()), "wb", buffering)
        else:
            file = Path(path).open("ab", buffering)  # noqa: SIM115
    except io.UnsupportedOperation:
        yield standard.buffer  # a standard output in memory
        return
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error
    with file:
        yield file


@contextlib.contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file that appears whole or not at all: written beside its place, then moved there. Streams are written to.

    One whose name ends in .gz is packed, as it is unpacked when it is read.
    """
    if is_stream(path):
        with streaming(path) as stream:
            yield stream
        return
    target = Path(path)
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent or ".")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error
    try:
        with os.fdopen(descriptor, "wb") as file:
            if target.name.endswith(".gz"):
                # without name and time: the same rows give the same file
                with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                    yield cast("IO[bytes]", packed)
            else:
                yield file
        umask = os.umask(0)
        os.umask(umask)
        Path(name).chmod(0o666 & ~umask)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_records(path: str | os.PathLike[str], rows: Iterable[dict[str, Any]]) -> int:
    """Writes JSON lines (`-`: to standard output) and says how many."""
    count = 0
    if os.fspath(path) == "-":
        for row in rows:
            sys.stdout.write(as_line(row).decode())
            count += 1
        return count
    with writing(path) as file:
        for row in rows:
            file.write(as_line(row))
            count += 1
    return count


@contextlib.contextmanager
def _opened(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    if os.fspath(path) == "-":
        yield sys.stdin.buffer
        return
    try:
        file: Any = gzip.open(path) if os.fspath(path).endswith(".gz") else Path(path).open("rb")  # noqa: SIM115
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: is a directory; name a file in it") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be opened: {error.strerror}") from error
    with file:
        yield file


def _byte_of(data: bytes, characters: int) -> int:
    return len(data.decode(errors="replace")[:characters].encode())
