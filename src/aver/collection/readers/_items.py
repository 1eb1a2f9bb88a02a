"""What a reader yields: documents, aliases and faults, each with the place it came from."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["Alias", "Fault", "Incoming", "Item", "Read", "ReadOptions"]


@dataclasses.dataclass(frozen=True, slots=True)
class Incoming:
    """A document on its way into a collection.

    `sentences` (number, start, end) is given where the source has sentences of its own; otherwise the text is
    split. `origin` and `timestamp` (ISO 8601) name the revision in the outside world: where a document comes in
    several revisions, the one with the latest timestamp is the current one, in whatever order they arrive.
    """

    key: str
    title: str
    text: str
    sentences: tuple[tuple[int, int, int], ...] | None = None
    origin: str | None = None
    timestamp: str | None = None
    place: str = ""


class Alias(NamedTuple):
    """Another name for the document of a title: a redirect."""

    name: str
    target: str


class Fault(NamedTuple):
    """A part of a file that cannot be used, and why; the rest of the file still can."""

    place: str
    reason: str


Item = Incoming | Alias | Fault


@dataclasses.dataclass(frozen=True, slots=True)
class ReadOptions:
    """How files are to be read, where it differs from what they look like."""

    format: str | None = None
    """The name of a reader; None means by the file's name and first bytes."""
    id_field: str | None = None
    title_field: str | None = None
    text_field: str | None = None
    encoding: str | None = None
    """Of text files; None means UTF-8, or what a byte-order mark or an HTML page says."""
    namespaces: tuple[int, ...] = (0,)
    """Of a MediaWiki dump: which pages are wanted; 0 is the articles."""


Read = Callable[[Path, ReadOptions], Iterator[Item]]
"""A reader. What it raises (an InputError) fails the rest of the file; what it yielded before stands."""
