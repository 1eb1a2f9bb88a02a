"""JSON lines: one object a line, one document an object; also one JSON array of objects."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import orjson

from aver.collection.readers._items import Fault, Item, ReadOptions
from aver.collection.readers._opened import BROKEN, opened, reason
from aver.collection.readers._rows import Fields
from aver.collection.readers._text import file_key
from aver.errors import InputError, kind_of
from aver.lossless import exact
from aver.records import is_table_head, why_broken

__all__ = ["objects", "read", "read_lines"]


def read(path: Path, options: ReadOptions) -> Iterator[Item]:
    """Rows with `text`, and `title` or `id` or both; or fields of other names, where they are given."""
    fields = Fields(options)
    key = file_key(path)
    for number, place, row in objects(path):
        yield row if isinstance(row, Fault) else fields.document(row, place, f"{key}#{number}")


def read_lines(file: IO[bytes], name: str, options: ReadOptions) -> Iterator[Item]:
    """As `read`, from a stream such as standard input; a table is told as one, and not read on."""
    fields = Fields(options)
    for number, line in enumerate(file, 1):
        if number == 1 and is_table_head(line.removeprefix(b"\xef\xbb\xbf")):
            yield Fault(f"{name} line 1", "looks like the head of a table; add --format csv to have it read as one")
            return
        if line.strip():
            place = f"{name} line {number}"
            row = _object(line.removeprefix(b"\xef\xbb\xbf"), place)
            yield row if isinstance(row, Fault) else fields.document(row, place, f"{name}#{number}")


def objects(path: Path) -> Iterator[tuple[int, str, dict[str, Any] | Fault]]:
    """The objects of a file with their number and place; a line that is none comes as a Fault."""
    number = 0
    with opened(path) as file:
        try:
            first = file.readline()
            if first.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
                yield from _array(path, first + file.read())
                return
            line = first.removeprefix(b"\xef\xbb\xbf")
            while line:
                number += 1
                if line.strip():
                    place = f"{path} line {number}"
                    yield number, place, _object(line, place)
                line = file.readline()
        except BROKEN as error:
            raise InputError(f"after line {number}: {reason(error)}") from error


def _object(line: bytes, place: str) -> dict[str, Any] | Fault:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return Fault(place, why_broken(line, error))
    return exact(line, row) if isinstance(row, dict) else Fault(place, f"expected a JSON object, found {kind_of(row)}")


def _array(path: Path, data: bytes) -> Iterator[tuple[int, str, dict[str, Any] | Fault]]:
    try:
        data = data.removeprefix(b"\xef\xbb\xbf").rstrip()  # one that breaks off does so in its last line
        rows = exact(data, orjson.loads(data))
    except orjson.JSONDecodeError as error:
        raise InputError(f"broken JSON at line {error.lineno}, column {error.colno}: {error.msg}") from None
    for number, row in enumerate(rows, 1):
        place = f"{path} item {number}"
        good = row if isinstance(row, dict) else Fault(place, f"expected a JSON object, found {kind_of(row)}")
        yield number, place, good
