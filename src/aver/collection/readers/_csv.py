"""CSV and TSV with a row of field names on top; one document a row."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from aver.collection.readers._items import Fault, Item, ReadOptions
from aver.collection.readers._opened import BROKEN, opened, reason
from aver.collection.readers._rows import Fields
from aver.collection.readers._text import file_key
from aver.errors import InputError, count_of

__all__ = ["read", "read_table"]


def read(path: Path, options: ReadOptions) -> Iterator[Item]:
    """Rows as in JSON lines; the delimiter (comma, semicolon or tab) is the one the first line uses most."""
    with opened(path) as file:
        yield from _documents(cast("IO[bytes]", file), str(path), file_key(path), options)


def read_table(file: IO[bytes], name: str, options: ReadOptions) -> Iterator[Item]:
    """As `read`, from a stream such as standard input; what ends the reading is a fault of it."""
    try:
        yield from _documents(file, name, name, options)
    except InputError as error:
        yield Fault(name, str(error))


def _documents(binary: IO[bytes], name: str, key: str, options: ReadOptions) -> Iterator[Item]:
    # The module's own limit of 131,072 characters a field is less than an article. (A C long: not maxsize everywhere.)
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    fields = Fields(options)
    number = 1
    file = io.TextIOWrapper(binary, encoding=options.encoding or "utf-8-sig", newline="")
    try:
        first = file.readline()
        if not first.strip() and not file.read().strip():
            return
        if not first.strip():
            raise InputError("the first line is empty; it should hold the names of the fields")
        delimiter = max(",;\t", key=first.count)
        names = next(csv.reader([first], delimiter=delimiter))
        fields.refuse_repeated(names)
        rows = csv.reader(file, delimiter=delimiter, strict=True)
        for row in rows:
            number = rows.line_num + 1
            place = f"{name} line {number}"
            if not row:
                continue
            if len(row) != len(names):
                yield Fault(place, f"has {count_of(len(row), 'field')} where the first line names {len(names)}")
            else:
                yield fields.document(dict(zip(names, row, strict=True)), place, f"{key}#{number}")
    except UnicodeDecodeError as error:
        raise InputError(
            f"after line {number}: not {error.encoding.upper()}; save it as UTF-8; "
            "`aver collection add` also takes --encoding"
        ) from None
    except csv.Error as error:
        raise InputError(f"after line {number}: broken CSV: {error}") from None
    except BROKEN as error:
        raise InputError(f"after line {number}: {reason(error)}") from error
    finally:
        file.detach()  # whoever opened it closes it
