"""Which reader a file needs, and which files a folder holds."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import orjson

from aver.collection._home import DATABASE
from aver.collection.readers._fever import looks_like_fever
from aver.collection.readers._items import Item, Read, ReadOptions
from aver.collection.readers._mediawiki import SEVEN_ZIP
from aver.collection.readers._opened import COMPRESSED, head
from aver.errors import InputError

__all__ = ["FORMATS", "FoundFile", "detect_format", "find_files", "given_path", "read_file"]

FORMATS = ("csv", "fever", "html", "jsonl", "markdown", "mediawiki", "parquet", "pdf", "text")
"""The readers by name: each is the module `_<name>` of this package."""

_SUFFIXES = {
    ".csv": "csv", ".htm": "html", ".html": "html", ".json": "jsonl", ".jsonl": "jsonl", ".markdown": "markdown",
    ".md": "markdown", ".ndjson": "jsonl", ".parquet": "parquet", ".pdf": "pdf", ".text": "text", ".tsv": "csv",
    ".txt": "text", ".xhtml": "html", ".xml": "mediawiki", ".7z": "mediawiki",
}  # fmt: skip


class FoundFile(NamedTuple):
    """A file to read; `named` where the user gave it by its own name, not by its folder's."""

    path: Path
    named: bool


def read_file(path: Path, options: ReadOptions) -> tuple[str, Iterator[Item]]:
    """The format of a file and what its reader yields."""
    if options.format is not None and options.format not in FORMATS:
        raise InputError(f"there is no format {options.format!r}; there are: {', '.join(FORMATS)}")
    kind = options.format or detect_format(path)
    if kind is None:
        raise InputError(f"of a kind aver does not know; say which with --format ({', '.join(FORMATS)})")
    read: Read = importlib.import_module(f"aver.collection.readers._{kind}").read
    return kind, read(path, options)


def detect_format(path: Path) -> str | None:
    """By the name's ending, and by the first bytes where that says too little; None where neither does."""
    names = [suffix.lower() for suffix in path.suffixes if suffix.lower() not in COMPRESSED]
    kind = _SUFFIXES.get(names[-1]) if names else None
    if kind == "jsonl":
        return "fever" if _is_fever(path) else "jsonl"
    if kind is not None:
        return kind
    first = head(path)
    start = first.lstrip(b"\xef\xbb\xbf \t\r\n")[:200].lower()
    if first.startswith(SEVEN_ZIP) or start.startswith(b"<mediawiki"):
        return "mediawiki"
    if start.startswith(b"%pdf-"):
        return "pdf"
    if first.startswith(b"PAR1"):
        return "parquet"
    if start.startswith((b"<!doctype html", b"<html")):
        return "html"
    if start.startswith(b"{"):
        return "fever" if _is_fever(path) else "jsonl"
    return None


def _is_fever(path: Path) -> bool:
    line = head(path, 1 << 20).split(b"\n", 1)[0]
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return isinstance(row, dict) and looks_like_fever(row)


def given_path(path: str | os.PathLike[str]) -> Path:
    """A path as a user gives it: ~ is their home, unless it is nobody's."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def find_files(paths: Iterable[str | os.PathLike[str]]) -> Iterator[FoundFile]:
    """The files named and those below the folders named, each once, in the order of their names.

    Files and folders whose name begins with a dot are passed over, and so are collections. A folder is not
    followed through links.
    """
    seen: set[Path] = set()
    for given in paths:
        path = given_path(given)
        if path.is_dir():
            for folder, folders, names in os.walk(path):
                if DATABASE in names:
                    folders.clear()
                    continue
                folders[:] = sorted(name for name in folders if not name.startswith("."))
                for name in sorted(names):
                    found = Path(folder, name)
                    if not name.startswith(".") and (real := found.resolve()) not in seen:
                        seen.add(real)
                        yield FoundFile(found, named=False)
        elif (real := path.resolve()) not in seen:
            seen.add(real)
            yield FoundFile(path, named=True)
