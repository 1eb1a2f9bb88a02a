"""One running text, from a file or standard input: what a person would read there, and no rows, dumps or archives."""

from __future__ import annotations

import os
from io import BytesIO

from aver.collection.readers._detect import content_format, detect_format, foreign
from aver.collection.readers._find import given_path
from aver.collection.readers._html import html_text, page_source
from aver.collection.readers._markdown import markdown_text
from aver.collection.readers._opened import decoded, decompressed, head
from aver.collection.readers._pdf import pdf_text
from aver.errors import InputError
from aver.records import bad_byte, place_name, read_bytes

__all__ = ["plain_text", "prose_of", "read_prose", "refuse_rows"]

_ROWS = {
    "csv": "a table (CSV or TSV)", "fever": "JSON", "jsonl": "JSON", "mediawiki": "a MediaWiki dump",
    "parquet": "a Parquet file",
}  # fmt: skip


def read_prose(path: str | os.PathLike[str], *, rows: str) -> str:
    """The text of a file (`-`: standard input): what a reader sees of HTML, Markdown and PDF, what any other holds.

    `rows` is told to whoever gives a table, JSON or a dump instead: where those go.
    """
    refuse_rows(path, rows=rows)
    place = given_path(path) if os.fspath(path) != "-" else path
    data = decompressed(read_bytes(place), place_name(path))
    seen = prose_of(data, path, rows=rows)
    return plain_text(data, place_name(path)) if seen is None else seen


def refuse_rows(path: str | os.PathLike[str], *, rows: str) -> None:
    """Raises where a file holds rows or is no text, before it is read: it may be a large one."""
    place = given_path(path)
    if os.fspath(path) != "-" and os.path.isfile(place):  # noqa: PTH113
        _wanted(detect_format(place), head(place), path, rows)


def prose_of(data: bytes, path: str | os.PathLike[str], *, rows: str) -> str | None:
    """What a reader sees of a file's content that is HTML, Markdown or PDF; None where it is plain text."""
    name = place_name(path)
    place = given_path(path)
    # what a pipe brings is known by its content alone
    named = os.fspath(path) != "-" and os.path.isfile(place)  # noqa: PTH113
    kind = _wanted(detect_format(place) if named else content_format(data), data, path, rows)
    if kind == "html":
        return html_text(page_source(data, None, name))[1]
    if kind == "markdown":
        return markdown_text(decoded(data, None, name))[1]
    if kind != "pdf":
        return None
    try:
        found = pdf_text(BytesIO(data))
    except InputError as error:
        raise InputError(f"{name}: {error}") from error
    if isinstance(found, str):
        raise InputError(f"{name}: {found}")
    return found[1]


def plain_text(data: bytes, place: str) -> str:
    """Plain text as it stands, line ends and all."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{place}: not UTF-8 at byte {bad_byte(data, error)}; save it as UTF-8, or add it to a collection, which "
            "reads other encodings and formats"
        ) from error
    if "\x00" in text:
        raise InputError(f"{place}: holds null bytes, so it is no text; save it as text, HTML or PDF")
    return text


def _wanted(kind: str | None, first: bytes, path: str | os.PathLike[str], rows: str) -> str | None:
    """The kind of a text that can be read as one; of any other an error that says what to do."""
    name = place_name(path)
    found = content_format(first) if kind == "mediawiki" else kind  # a name that ends in .xml says little
    if found in _ROWS:
        raise InputError(f"{name}: is {_ROWS[found]}, no running text; {rows}")
    what = foreign(first) if found in (None, "text") else None
    if found is None and (kind == "mediawiki" or first.removeprefix(b"\xef\xbb\xbf").startswith(b"<?xml")):
        what = "XML of a kind aver does not know"
    if what is not None:
        raise InputError(f"{name}: is {what}; save it as text, HTML or PDF")
    return found
