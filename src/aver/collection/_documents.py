"""What a collection holds and gives back: documents, their revisions and sentences, mentions and hits."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

__all__ = [
    "Document",
    "DocumentSentence",
    "Hit",
    "Info",
    "Mention",
    "MentionKind",
    "Revision",
    "ScoredSentence",
    "Source",
    "VectorInfo",
]

MentionKind = Literal["exact", "folded", "base", "alias", "phrase"]


@dataclasses.dataclass(frozen=True, slots=True)
class Document:
    """A document as it stands now: one row of the collection, with the text of its current revision."""

    id: int
    """The collection's own number; it never changes and is never used again."""
    key: str
    """What the document is called from outside: its id in a data set, its page title, or its file."""
    title: str
    text: str
    revision: int
    """The number of its current revision in this collection."""
    hash: str
    """Of title and text, in hexadecimal."""
    source: str
    """The file it came from; empty where it was handed in from Python."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self)


@dataclasses.dataclass(frozen=True, slots=True)
class Revision:
    """One state of a document. `origin` and `timestamp` are the outside world's, such as a wiki's revision id."""

    id: int
    document: int
    title: str
    text: str
    hash: str
    current: bool
    origin: str | None
    timestamp: str | None
    added: str
    """When it came into the collection, in UTC."""


class DocumentSentence(NamedTuple):
    """A sentence of a stored revision: `text` is `[start:end]` of that revision's text.

    `number` counts from 0; in FEVER's wiki-pages it is the page's own line number, which has gaps where lines
    are empty.
    """

    document: int
    revision: int
    number: int
    text: str
    start: int
    end: int
    hash: str


class Mention(NamedTuple):
    """A name of the collection found in a text, and one document it may mean.

    `exact`: the title as it is written. `folded`: but for case, accents and punctuation. `base`: the title
    without its addition in brackets, or without "The". `alias`: a redirect. `phrase`: a title that holds all words of a
    noun phrase, where these were asked for.
    """

    text: str
    start: int
    end: int
    document: int
    title: str
    kind: MentionKind
    words: int
    """How many words the name has."""
    maximal: bool
    """No longer name covers it."""
    rivals: int
    """How many documents bear the name; 1 means that it is clear which is meant."""


class ScoredSentence(NamedTuple):
    """A sentence, and how much of what was asked it holds: the share of the query's words, rare ones counting more."""

    sentence: DocumentSentence
    score: float


@dataclasses.dataclass(frozen=True, slots=True)
class Hit:
    """A document found, why, and its best sentences."""

    document: Document
    score: float
    """What the hits are ordered by."""
    bm25: float
    mention: Mention | None
    """The name in the query that led here, if any."""
    sentences: tuple[ScoredSentence, ...] = ()
    via: DocumentSentence | None = None
    """The sentence that names it, where it was followed from another hit; such hits stand last."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON, without the document's whole text."""
        document = self.document
        return {
            "key": document.key,
            "title": document.title,
            "revision": document.revision,
            "hash": document.hash,
            "score": self.score,
            "bm25": self.bm25,
            "mention": None if self.mention is None else self.mention._asdict(),
            "via": None if self.via is None else self.via._asdict(),
            "sentences": [
                {
                    "number": found.sentence.number,
                    "text": found.sentence.text,
                    "start": found.sentence.start,
                    "end": found.sentence.end,
                    "hash": found.sentence.hash,
                    "score": found.score,
                }
                for found in self.sentences
            ],
        }


@dataclasses.dataclass(frozen=True, slots=True)
class Source:
    """A file that a collection was made from."""

    path: str
    format: str
    whole: bool
    """It was read to its end without a fault, and nothing of it was changed or removed since."""
    documents: int
    """How many documents of the collection are its."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self)


class VectorInfo(NamedTuple):
    """The vectors of one encoder."""

    model: str
    dimensions: int
    documents: int
    """Documents whose vectors are those of their current text."""
    sentences: int
    behind: int
    """Documents that have none yet, or those of an older text; `aver collection embed` brings them up to date."""
    bytes: int
    error: str | None = None
    """Why they cannot be read, and what to do; `model` is then their folder's name, and no document has vectors."""


@dataclasses.dataclass(frozen=True, slots=True)
class Info:
    """What is in a collection."""

    name: str
    folder: str
    format: int
    documents: int
    revisions: int
    sentences: int
    aliases: int
    sources: int
    bytes: int
    created: str
    changed: str
    settings: Mapping[str, str]
    vectors: tuple[VectorInfo, ...] = ()
    """What was embedded, by encoder."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        vectors = [vectors._asdict() for vectors in self.vectors]
        return dataclasses.asdict(self) | {"settings": dict(self.settings), "vectors": vectors}

    @property
    def notes(self) -> list[str]:
        """What is wrong with it, a line each."""
        return [f"the vectors of {found.model} {found.error}" for found in self.vectors if found.error is not None]
