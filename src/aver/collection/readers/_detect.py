"""Which reader a file needs, by its name and its first bytes."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import orjson

from aver.collection.readers._fever import looks_like_fever
from aver.collection.readers._items import Item, Read, ReadOptions
from aver.collection.readers._mediawiki import SEVEN_ZIP
from aver.collection.readers._opened import COMPRESSED, head
from aver.errors import InputError

__all__ = ["FORMATS", "content_format", "detect_format", "foreign", "read_file"]

FORMATS = ("csv", "fever", "html", "jsonl", "markdown", "mediawiki", "parquet", "pdf", "text")
"""The readers by name: each is the module `_<name>` of this package."""

_SUFFIXES = {
    ".csv": "csv", ".htm": "html", ".html": "html", ".json": "jsonl", ".jsonl": "jsonl", ".markdown": "markdown",
    ".md": "markdown", ".ndjson": "jsonl", ".parquet": "parquet", ".pdf": "pdf", ".text": "text", ".tsv": "csv",
    ".txt": "text", ".xhtml": "html", ".xml": "mediawiki", ".7z": "mediawiki",
}  # fmt: skip

# what may stand before a page: a declaration, comments
_BEFORE = re.compile(rb"(?:<\?xml[^>]*>|<!--.*?-->|\s)*", re.DOTALL)
_HTML = re.compile(
    rb"<(?:!doctype\s+html|(?:html|head|body|title|meta|link|script|style|article|section|main|header|div|p|h[1-6]|table|"
    rb"ul|ol|blockquote|center)[\s/>])"
)
# neither RTF nor wikitext, which begin with a brace too
_JSON = re.compile(rb"(?:\[\s*)?\{\s*[\"}]")

_FOREIGN = {
    b"PK\x03\x04": "an office file or another ZIP archive", b"\xd0\xcf\x11\xe0": "an office file of the old kind",
    b"{\\rtf": "a rich text file (RTF)",
}  # fmt: skip


def read_file(path: Path, options: ReadOptions) -> tuple[str, Iterator[Item]]:
    """The format of a file and what its reader yields."""
    if options.format is not None and options.format not in FORMATS:
        raise InputError(f"there is no format {options.format!r}; there are: {', '.join(FORMATS)}")
    kind = options.format or detect_format(path)
    if kind is None:
        if (what := foreign(head(path))) is not None:
            raise InputError(f"is {what}; save it as text, HTML or PDF")
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
    kind = content_format(head(path))
    return "fever" if kind == "jsonl" and _is_fever(path) else kind


def content_format(first: bytes) -> str | None:
    """By the first bytes alone; None where they say nothing, as those of a plain text do.

    >>> content_format(b"<!-- saved --><!DOCTYPE html><p>Tea."), content_format(b"%PDF-1.7"), content_format(b"Tea.")
    ('html', 'pdf', None)
    """
    start = first[:4096].removeprefix(b"\xef\xbb\xbf")
    start = start[_BEFORE.match(start).end() :].lower()  # type: ignore[union-attr]
    if first.startswith(SEVEN_ZIP) or start.startswith(b"<mediawiki"):
        return "mediawiki"
    if start.startswith(b"%pdf-"):
        return "pdf"
    if first.startswith(b"PAR1"):
        return "parquet"
    if _HTML.match(start):
        return "html"
    if _JSON.match(start):
        return "jsonl"
    return None


def foreign(first: bytes) -> str | None:
    """What a file is that no reader reads, where its first bytes tell; None where they do not.

    >>> foreign(b"PK\\x03\\x04..."), foreign(b"Tea is hot.")
    ('an office file or another ZIP archive', None)
    """
    return next((what for magic, what in _FOREIGN.items() if first.startswith(magic)), None)


def _is_fever(path: Path) -> bool:
    line = head(path, 1 << 20).split(b"\n", 1)[0]
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return isinstance(row, dict) and looks_like_fever(row)
