"""Reading the tables of a collection: documents, revisions, sentences and names."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from aver.collection._documents import Document, DocumentSentence, Revision
from aver.collection._names import ALIAS, TITLE
from aver.collection._schema import connect

__all__ = ["Tables"]

_DOCUMENT = """
    SELECT d.id, d.key, d.title, r.text, r.id, r.hash, coalesce(s.path, '')
    FROM documents d JOIN revisions r ON r.id = d.revision LEFT JOIN sources s ON s.id = d.source
"""
_MOST = 500
"""Parameters of one statement: well below SQLite's own limit."""


class Tables:
    """A reader's view of the tables. Every thread that asks gets a connection of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._own = threading.local()
        self._all: list[sqlite3.Connection] = []
        self.connection  # noqa: B018 (a folder that cannot be read fails here, not at the first question)

    @property
    def connection(self) -> sqlite3.Connection:
        """This thread's connection."""
        found: sqlite3.Connection | None = getattr(self._own, "connection", None)
        if found is None:
            found = connect(self._folder)
            self._own.connection = found
            self._all.append(found)
        return found

    def close(self) -> None:
        """Closes every connection of every thread."""
        for connection in self._all:
            connection.close()
        self._all.clear()
        self._own = threading.local()

    def generation(self) -> int:
        """A number that grows whenever the lexical index has taken something in."""
        row = self.connection.execute("SELECT value FROM settings WHERE name = 'generation'").fetchone()
        return int(row[0])

    # --- documents ---

    def documents(self, numbers: Iterable[int]) -> dict[int, Document]:
        """These documents, by number; those that are gone are left out."""
        return {found.id: found for found in self._documents("d.id", list(numbers))}

    def by_keys(self, keys: Sequence[str]) -> list[Document]:
        """The documents of these keys; unknown keys are left out."""
        return list(self._documents("d.key", list(keys)))

    def _documents(self, column: str, values: Sequence[int | str]) -> Iterator[Document]:
        for start in range(0, len(values), _MOST):
            part = values[start : start + _MOST]
            marks = ",".join("?" * len(part))
            for row in self.connection.execute(f"{_DOCUMENT} WHERE {column} IN ({marks})", part):
                yield _document(row)

    def every_document(self) -> Iterator[Document]:
        """All documents, in the order they came in; safe against writers, who may add more meanwhile."""
        last = 0
        while True:
            rows = self.connection.execute(f"{_DOCUMENT} WHERE d.id > ? ORDER BY d.id LIMIT 1000", (last,)).fetchall()
            if not rows:
                return
            for row in rows:
                yield _document(row)
            last = rows[-1][0]

    def titles(self, numbers: Sequence[int]) -> dict[int, str]:
        """The titles of these documents."""
        found: dict[int, str] = {}
        for start in range(0, len(numbers), _MOST):
            part = numbers[start : start + _MOST]
            marks = ",".join("?" * len(part))
            found.update(self.connection.execute(f"SELECT id, title FROM documents WHERE id IN ({marks})", part))
        return found

    # --- revisions and sentences ---

    def revisions(self, document: int) -> list[Revision]:
        """All revisions of a document, the oldest first (by their own time where they have one)."""
        rows = self.connection.execute(
            """SELECT r.id, r.document, r.title, r.text, r.hash, r.id = d.revision, r.origin, r.timestamp, r.added
            FROM revisions r JOIN documents d ON d.id = r.document
            WHERE d.id = ? ORDER BY coalesce(r.timestamp, r.added), r.id""",
            (document,),
        )
        return [Revision(i, d, t, x, h.hex(), bool(c), o, s, a) for i, d, t, x, h, c, o, s, a in rows]

    def sentences(self, revision: int, document: int, text: str) -> list[DocumentSentence]:
        """The sentences of a revision, in order."""
        rows = self.connection.execute(
            "SELECT number, start, stop, hash FROM sentences WHERE revision = ? ORDER BY number", (revision,)
        )
        return [
            DocumentSentence(document, revision, number, text[start:stop], start, stop, digest.hex())
            for number, start, stop, digest in rows
        ]

    # --- names ---

    def next_name(self, folded: str) -> str | None:
        """The first name that is not before this one in order: the name itself if there is one of that name."""
        row = self.connection.execute(
            "SELECT folded FROM names WHERE folded >= ? ORDER BY folded LIMIT 1", (folded,)
        ).fetchone()
        return None if row is None else str(row[0])

    def named(self, folded: str, limit: int) -> list[tuple[int, int]]:
        """(document, kind) of those that bear a name; aliases are followed."""
        found: dict[int, int] = {}
        rows = self.connection.execute(
            "SELECT document, kind, target FROM names WHERE folded = ? ORDER BY kind LIMIT ?", (folded, limit)
        ).fetchall()
        for document, kind, target in rows:
            if kind != ALIAS:
                found.setdefault(document, kind)
            else:
                for meant in self._resolved(target):
                    found.setdefault(meant, ALIAS)
        return list(found.items())

    def _resolved(self, target: str) -> list[int]:
        # a redirect to a redirect is followed a few steps, and never round in a circle
        seen: set[str] = set()
        while target and target not in seen and len(seen) < 4:
            seen.add(target)
            rows = self.connection.execute(
                "SELECT document, kind, target FROM names WHERE folded = ? AND kind IN (?, ?) ORDER BY kind",
                (target, TITLE, ALIAS),
            ).fetchall()
            found = [document for document, kind, _ in rows if kind == TITLE]
            if found or not rows:
                return found
            target = rows[0][2]
        return []


def _document(row: tuple[int, str, str, str, int, bytes, str]) -> Document:
    number, key, title, text, revision, digest, source = row
    return Document(number, key, title, text, revision, digest.hex(), source)
