"""FEVER's wiki-pages: pages with numbered lines, kept so that predictions can cite `[page, line]`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from aver.collection.readers._items import Fault, Incoming, Item, ReadOptions
from aver.collection.readers._jsonl import objects

__all__ = ["fever_title", "looks_like_fever", "read"]

_WRITTEN = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "-COLON-": ":"}


def fever_title(page: str) -> str:
    """A page's id as people write it. (The ids have their accents as characters of their own.)

    >>> fever_title("Soul_Food_-LRB-film-RRB-")
    'Soul Food (film)'
    """
    for written, meant in _WRITTEN.items():
        if written in page:
            page = page.replace(written, meant)
    return unicodedata.normalize("NFC", page.replace("_", " ").strip())


def looks_like_fever(row: dict[str, Any]) -> bool:
    """A row has the three fields of the wiki-pages files."""
    return all(isinstance(row.get(name), str) for name in ("id", "text", "lines"))


def read(path: Path, options: ReadOptions) -> Iterator[Item]:
    """The page's id is its key as it is in the file; its sentences are the file's lines under their own numbers."""
    for _, place, row in objects(path):
        if isinstance(row, Fault):
            yield row
        elif not looks_like_fever(row):
            yield Fault(place, "lacks 'id', 'text' or 'lines' as a string")
        elif row["id"].strip():
            # each file of the set opens with a page without a name or text
            yield _page(row, place)


def _page(row: dict[str, Any], place: str) -> Incoming | Fault:
    lines: list[tuple[int, str]] = []
    for line in row["lines"].split("\n"):
        number, _, rest = line.partition("\t")
        if number.isdecimal():
            # after the sentence come the links on it
            lines.append((int(number), rest.split("\t", 1)[0].strip()))
        elif line.strip() and lines:
            # a sentence with a line break in it goes on here
            last, before = lines[-1]
            lines[-1] = (last, f"{before} {line.split(chr(9), 1)[0].strip()}".strip())
    text = row["text"].strip()
    if text and not any(sentence for _, sentence in lines):
        return Fault(place, "has text, but no sentence in its 'lines'; each should be a number, a tab, the sentence")
    spans = _find(lines, text)
    if spans is None:
        text = "\n".join(sentence for _, sentence in lines if sentence)
        spans = _find(lines, text)
    return Incoming(row["id"].strip(), fever_title(row["id"]), text, sentences=spans, place=place)


def _find(lines: list[tuple[int, str]], text: str) -> tuple[tuple[int, int, int], ...] | None:
    """Where each line stands in the text; None where one cannot be found."""
    spans = []
    at = 0
    for number, sentence in lines:
        if sentence:
            start = text.find(sentence, at)
            if start < 0:
                return None
            at = start + len(sentence)
            spans.append((number, start, at))
    return tuple(spans)
