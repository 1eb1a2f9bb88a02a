"""Plain text: one file, one document."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from aver.collection.readers._items import Incoming, Item, ReadOptions
from aver.collection.readers._opened import COMPRESSED, read_text

__all__ = ["file_key", "file_title", "read"]


def read(path: Path, options: ReadOptions) -> Iterator[Item]:
    """The file's text as it is; its name is the title."""
    yield Incoming(file_key(path), file_title(path), read_text(path, options.encoding).strip(), place=str(path))


def file_key(path: Path) -> str:
    """A file's absolute path: the same document whether its folder or the file itself is named, from anywhere."""
    return path.resolve().as_posix()


def file_title(path: Path) -> str:
    """The file's name without its endings.

    >>> file_title(Path("notes/Soul_Food.txt.gz"))
    'Soul Food'
    """
    name = path.name
    while Path(name).suffix.lower() in COMPRESSED:
        name = Path(name).stem
    return Path(name).stem.replace("_", " ").strip() or path.name
