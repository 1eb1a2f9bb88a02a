"""Parquet (extra `parquet`): one document a row, read a few thousand rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from aver.collection.readers._items import Item, ReadOptions
from aver.collection.readers._rows import Fields
from aver.collection.readers._text import file_key
from aver.errors import InputError, MissingExtra

__all__ = ["read"]


def read(path: Path, options: ReadOptions) -> Iterator[Item]:
    """Rows as in JSON lines."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra("parquet", "pyarrow") from error
    fields = Fields(options)
    key = file_key(path)
    number = 0
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            fields.refuse_repeated(file.schema_arrow.names)
            for batch in file.iter_batches(batch_size=2048):
                for row in batch.to_pylist():
                    number += 1
                    yield fields.document(row, f"{path} row {number}", f"{key}#{number}")
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(f"after row {number}: cannot be read as Parquet: {error}") from error
