"""What changed in a collection since a moment: for whoever keeps answers true while the documents change.

Every state of a document gets a revision number higher than all before it, so a moment is a number: everything up to
it was there. Removed documents leave no trace; they are found by asking which of the known ones still stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from aver.collection._collection import Collection
from aver.collection._documents import Document, Revision
from aver.collection._names import ALIAS

__all__ = ["Change", "Changes", "Standing", "Stock"]

_MOST = 500


class Change(NamedTuple):
    """A document that came in, or whose current text is another one."""

    document: int
    key: str
    title: str
    revision: int
    new: bool
    """It was not there before (or was removed and came back)."""


class Standing(NamedTuple):
    """A document as it stands now, without its text."""

    document: int
    revision: int
    hash: str


class Stock(NamedTuple):
    """Enough to tell whether documents were removed since, without looking at each."""

    last: int
    """The highest number a document has."""
    documents: int
    aliases: int


class Changes:
    """Asks an open collection what changed.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with Collection(folder.name + "/tea", create=True) as tea:
    ...     _ = tea.add_documents([{"title": "Tea", "text": "Tea is hot."}, {"title": "Ice", "text": "Ice is cold."}])
    ...     changes = Changes(tea)
    ...     then = changes.position()
    ...     _ = tea.add_documents([{"title": "Tea", "text": "Tea is served cold."}])
    ...     [(change.key, change.new) for change in changes.since(then)]
    [('Tea', False)]
    >>> folder.cleanup()
    """

    def __init__(self, collection: Collection) -> None:
        self._tables = collection._tables

    def created(self) -> str:
        """When the collection was made: what belongs to another one is known by it."""
        row = self._tables.connection.execute("SELECT value FROM settings WHERE name = 'created'").fetchone()
        return str(row[0])

    def position(self) -> int:
        """The moment now: the highest revision that can be searched, with all below it."""
        ask = self._tables.connection.execute
        highest = ask("SELECT coalesce(max(id), 0) FROM revisions").fetchone()[0]
        # what the index has not taken in yet cannot have been found
        waiting = ask("SELECT min(d.revision) FROM unindexed u JOIN documents d ON d.id = u.document").fetchone()[0]
        return int(highest if waiting is None else min(highest, waiting - 1))

    def since(self, position: int) -> list[Change]:
        """The documents whose current revision came after that moment, in the order they came."""
        rows = self._tables.connection.execute(
            """SELECT d.id, d.key, d.title, d.revision,
                NOT EXISTS (SELECT 1 FROM revisions o WHERE o.document = d.id AND o.id <= ?)
            FROM revisions r JOIN documents d ON d.revision = r.id WHERE r.id > ? ORDER BY r.id""",
            (position, position),
        )
        return [Change(document, key, title, revision, bool(new)) for document, key, title, revision, new in rows]

    def stock(self) -> Stock:
        """What there is, to be compared later."""
        row = self._tables.connection.execute(
            "SELECT coalesce(max(id), 0), count(*), (SELECT count(*) FROM names WHERE kind = ?) FROM documents",
            (ALIAS,),
        ).fetchone()
        return Stock(*map(int, row))

    def removed_since(self, stock: Stock) -> int:
        """How many of the documents that were there then are gone."""
        row = self._tables.connection.execute("SELECT count(*) FROM documents WHERE id <= ?", (stock.last,)).fetchone()
        return stock.documents - int(row[0])

    def standing(self, keys: Sequence[str]) -> dict[str, Standing]:
        """Those of these documents that are there; the others are left out."""
        found: dict[str, Standing] = {}
        for start in range(0, len(keys), _MOST):
            part = keys[start : start + _MOST]
            rows = self._tables.connection.execute(
                f"""SELECT d.key, d.id, d.revision, r.hash FROM documents d JOIN revisions r ON r.id = d.revision
                WHERE d.key IN ({",".join("?" * len(part))})""",
                part,
            )
            found.update((key, Standing(document, revision, digest.hex())) for key, document, revision, digest in rows)
        return found

    def revision(self, number: int) -> Revision | None:
        """One revision by its number; None where it went with its document."""
        row = self._tables.connection.execute("SELECT document FROM revisions WHERE id = ?", (number,)).fetchone()
        if row is None:
            return None
        return next((found for found in self._tables.revisions(row[0]) if found.id == number), None)

    def revision_at(self, document: int, position: int) -> int | None:
        """The revision a document had at a moment; None where it was not there."""
        row = self._tables.connection.execute(
            "SELECT max(id) FROM revisions WHERE document = ? AND id <= ?", (document, position)
        ).fetchone()
        return None if row[0] is None else int(row[0])

    def turned(self, document: int, after: int, before: str, now: str) -> int | None:
        """The first revision behind `after` that holds the sentence of hash `now`, or, where that is empty, the first
        that no longer holds the one of hash `before`."""
        holds = "EXISTS (SELECT 1 FROM sentences s WHERE s.revision = r.id AND s.hash = ?)"
        row = self._tables.connection.execute(
            f"""SELECT min(r.id) FROM revisions r WHERE r.document = ? AND r.id > ?
            AND {holds if now else f"NOT {holds}"}""",
            (document, after, bytes.fromhex(now or before)),
        ).fetchone()
        return None if row[0] is None else int(row[0])

    def aliases(self) -> Iterator[tuple[str, str]]:
        """(other name, folded title it leads to) of all aliases."""
        yield from self._tables.connection.execute("SELECT folded, target FROM names WHERE kind = ?", (ALIAS,))

    def documents(self, numbers: Sequence[int]) -> Iterator[Document]:
        """These documents with their texts, some at a time."""
        for start in range(0, len(numbers), _MOST):
            yield from self._tables.documents(numbers[start : start + _MOST]).values()
