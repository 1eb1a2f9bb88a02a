"""Rows with named fields (JSON lines, CSV, Parquet) as documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aver.collection.readers._items import Fault, Incoming, ReadOptions
from aver.errors import InputError, kind_of

__all__ = ["Fields"]

# The names data sets use, the commonest first.
_TEXT = ("text", "body", "content", "contents", "article", "document")
_TITLE = ("title", "name", "headline")
_ID = ("id", "_id", "docid", "doc_id", "url")


class Fields:
    """Which fields of a row are its id, title and text: those given, else the usual names."""

    def __init__(self, options: ReadOptions) -> None:
        self._text = (options.text_field,) if options.text_field else _TEXT
        self._title = (options.title_field,) if options.title_field else _TITLE
        self._id = (options.id_field,) if options.id_field else _ID
        self._given_id = options.id_field is not None
        self._given_title = options.title_field is not None

    def document(self, row: Mapping[str, Any], place: str, fallback_key: str) -> Incoming | Fault:
        """The document a row holds. Without an id its title is its key; without that, its place.

        >>> Fields(ReadOptions()).document({"title": "Tea", "text": "Tea is hot."}, "a.jsonl line 1", "a#1").key
        'Tea'
        """
        text = self._find(row, self._text)
        if text is None:
            return self._lacking(row, place, self._text)
        if not isinstance(text, str):
            return Fault(place, f"its text is {kind_of(text)}, not a string")
        title = self._find(row, self._title)
        key = self._find(row, self._id)
        if self._given_id and key is None:
            return self._lacking(row, place, self._id)
        if self._given_title and title is None:
            return self._lacking(row, place, self._title)
        for what, value in (("title", title), ("id", key)):
            # a truth value counts as an int in Python
            if isinstance(value, bool) or (value is not None and not isinstance(value, (str, int, float))):
                return Fault(place, f"its {what} is {kind_of(value)}, not a string or number")
        title = "" if title is None else str(title).strip()
        key = "" if key is None else str(key).strip()
        return Incoming(key or title or fallback_key, title or key, text.strip(), place=place)

    def refuse_repeated(self, columns: Sequence[str]) -> None:
        """An InputError where a table names a column twice that is a row's id, title or text: which one is meant?

        >>> Fields(ReadOptions()).refuse_repeated(["id", "text", "note", "note"])
        >>> Fields(ReadOptions()).refuse_repeated(["id", "text", "text"])
        Traceback (most recent call last):
        aver.errors.InputError: has 2 columns named 'text'; rename all but the one to be read
        """
        for names in (self._id, self._title, self._text):
            name = next((name for name in names if name in columns), None)
            if name is not None and (count := columns.count(name)) > 1:
                raise InputError(f"has {count} columns named {name!r}; rename all but the one to be read")

    @staticmethod
    def _find(row: Mapping[str, Any], names: tuple[str, ...]) -> Any:
        return next((row[name] for name in names if row.get(name) is not None), None)

    @staticmethod
    def _lacking(row: Mapping[str, Any], place: str, names: tuple[str, ...]) -> Fault:
        null = next((name for name in names if name in row), None)
        if null is not None:
            return Fault(place, f"its field {null!r} is null")
        seen = ", ".join(map(str, list(row)[:12])) or "none"
        return Fault(place, f"has no field {' or '.join(map(repr, names))}; its fields are: {seen}")
