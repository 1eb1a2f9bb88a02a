"""Writing the tables of a collection, a batch of documents in a transaction; then the lexical index follows.

A batch is committed to the tables together with the list of documents the index does not know yet. When the index
has committed, the list is cleared. Whoever is killed in between leaves a list, and the next to open the collection
works it off: no document is ever in one and not in the other for longer than that.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Literal, NamedTuple

from aver.collection._lexical import Lexical
from aver.collection._names import ALIAS, fold_name, title_names
from aver.collection._schema import connect, now
from aver.collection.readers import Alias, Incoming
from aver.text import split_sentences

__all__ = ["Outcome", "Stored", "Writer", "document_hash", "sentence_hash"]

Outcome = Literal["added", "updated", "moved", "unchanged", "overtaken", "clash"]
"""`moved` is updated, from another file than before. `overtaken`: the file says what it said before, and another one
something else since, which stays. `clash`: another file that was read in the same run says something else."""


class Stored(NamedTuple):
    """What became of a batch, document by document."""

    outcomes: list[Outcome]
    documents: list[int]
    """Their numbers."""
    clashes: dict[int, str]
    """Place in the batch -> the file that says something else."""
    aliases: int = 0
    """How many came that were not there."""


_SETTLE_DOCUMENTS, _SETTLE_SECONDS = 25_000, 60.0
"""How much the index takes in before it is committed, and after how long it is, looked at after every batch: many small
commits leave many segments, and every query would ask them all. Whoever is stopped in between loses nothing: what the
index lacks is noted with the documents, and caught up with at the next search."""
_MOST_SEGMENTS = 2
"""Of the index, after a run that brought at least as many documents as were there: more are made one."""


def sentence_hash(text: str) -> bytes:
    """What a sentence is known by wherever it stands: 16 bytes of its text.

    >>> sentence_hash("Tea is hot.").hex()
    'dba6607dc018cdff3c502d612d80a35e'
    """
    return blake2b(text.encode(), digest_size=16).digest()


def document_hash(title: str, text: str) -> bytes:
    """What a revision is known by: 16 bytes of its title and text."""
    return blake2b(f"{title}\x00{text}".encode(), digest_size=16).digest()


class Writer:
    """The one connection that writes; whoever makes one holds the collection's lock."""

    def __init__(self, folder: Path) -> None:
        self._connection = connect(folder, write=True)
        self._waiting: list[int] = []
        # what was read in this run: two files of one run that disagree are a mistake, a file of a later run is news
        self._run: set[int] = set()
        # and what no longer stands in its file: another may say what it likes of that
        self._loose: set[int] = set()
        self._newest = int(self._connection.execute("SELECT coalesce(max(id), 0) FROM revisions").fetchone()[0])
        self._settled = time.monotonic()
        self._indexed = 0
        lexical = folder / "lexical"
        if Lexical.exists(lexical):
            self._lexical = Lexical(lexical)
        else:
            self._lexical = Lexical.anew(lexical)
            self._connection.execute("INSERT OR IGNORE INTO unindexed SELECT id FROM documents")
        self.catch_up()

    def close(self) -> None:
        try:
            self.settle()
        finally:
            try:
                self._lexical.close()
            finally:
                self._connection.close()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All of what is done inside, or nothing; and when the collection was changed last."""
        with self._together() as connection:
            yield connection
            connection.execute("UPDATE settings SET value = ? WHERE name = 'changed'", (now(),))

    @contextlib.contextmanager
    def _together(self) -> Iterator[sqlite3.Connection]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    # --- documents ---

    def put(self, batch: Sequence[Incoming], aliases: Sequence[Alias], source: int | None) -> Stored:
        """Takes documents and aliases in, and says of each document what became of it. Both are safe afterwards."""
        stored = Stored([], [], {})
        fresh: list[int] = []
        changed: set[int] = set()
        stamp = now()
        with self.transaction() as connection:
            for place, incoming in enumerate(batch):
                row = connection.execute(
                    """SELECT d.id, d.revision, d.source, r.hash, r.origin, r.timestamp FROM documents d
                    JOIN revisions r ON r.id = d.revision WHERE d.key = ?""",
                    (incoming.key,),
                ).fetchone()
                digest = document_hash(incoming.title, incoming.text)
                if row is None:
                    fresh.append(self._add(incoming, digest, source, stamp))
                    stored.documents.append(fresh[-1])
                    stored.outcomes.append("added")
                    continue
                number, latest, before, current, origin, timestamp = row
                stored.documents.append(number)
                elsewhere = source is not None and before != source
                if self._known(number, incoming, digest, current):
                    if elsewhere:
                        self._also_in(number, source, digest)
                    stored.outcomes.append("unchanged")
                    continue
                # revisions of one history may lie in many files
                if elsewhere and number not in self._loose and (origin is None or incoming.origin is None):
                    found = self._contested(number, before, source, digest, current, new=latest > self._newest)
                    if found is not None:
                        stored.outcomes.append(found[0])
                        if found[0] == "clash":
                            stored.clashes[place] = found[1]
                        continue
                revision = self._revise(number, incoming, digest, stamp)
                stored.outcomes.append("updated")
                # an older state that comes in late is kept, but does not become the current one
                if timestamp is None or incoming.timestamp is None or incoming.timestamp >= timestamp:
                    self._make_current(number, revision, incoming.title, source)
                    changed.add(number)
                    if before is not None and before != source:
                        self._also_in(number, before, current)
                        stored.outcomes[-1] = "moved"
                    if elsewhere:
                        connection.execute("DELETE FROM also_in WHERE document = ? AND source = ?", (number, source))
            new_aliases = self._put_aliases(aliases)
            stale = changed - set(fresh)
            connection.executemany(
                "INSERT OR IGNORE INTO unindexed VALUES (?)", [(number,) for number in (*fresh, *stale)]
            )
        self._index(fresh, stale)
        return stored._replace(aliases=new_aliases)

    def _put_aliases(self, aliases: Sequence[Alias]) -> int:
        """Stores aliases, each as it was written last, and says how many were not there."""
        written = {(fold_name(alias.name), fold_name(alias.target)): alias.name for alias in aliases}
        rows = [(name, f, ALIAS, t) for (f, t), name in written.items() if f and t and f != t]
        if not rows:
            return 0
        added = self._connection.executemany(
            "INSERT OR IGNORE INTO names (name, folded, kind, document, target) VALUES (?, ?, ?, 0, ?)", rows
        ).rowcount
        if added < len(rows):
            self._connection.executemany(
                "UPDATE names SET name = ? WHERE folded = ? AND kind = ? AND document = 0 AND target = ?", rows
            )
        return added

    def _add(self, incoming: Incoming, digest: bytes, source: int | None, stamp: str) -> int:
        cursor = self._connection.execute(
            "INSERT INTO documents (key, title, revision, source) VALUES (?, ?, 0, ?)",
            (incoming.key, incoming.title, source),
        )
        number = int(cursor.lastrowid or 0)
        revision = self._revise(number, incoming, digest, stamp)
        self._connection.execute("UPDATE documents SET revision = ? WHERE id = ?", (revision, number))
        self._name(number, incoming.title)
        return number

    def _known(self, number: int, incoming: Incoming, digest: bytes, current: bytes) -> bool:
        if incoming.origin is None:
            return digest == current
        row = self._connection.execute(
            "SELECT 1 FROM revisions WHERE document = ? AND origin = ? AND hash = ?", (number, incoming.origin, digest)
        ).fetchone()
        return row is not None

    def _also_in(self, number: int, source: int | None, digest: bytes, *, clash: bool = False) -> None:
        self._connection.execute("INSERT OR REPLACE INTO also_in VALUES (?, ?, ?, ?)", (number, source, digest, clash))

    def _contested(
        self, number: int, before: int | None, source: int | None, digest: bytes, current: bytes, *, new: bool
    ) -> tuple[Outcome, str] | None:
        """What becomes of a text that is not the current one, which is another file's, and which file that is; None
        where it is news. `new`: the current text came in this run."""
        ask = self._connection.execute
        said = ask(
            "SELECT clash FROM also_in WHERE document = ? AND source = ? AND hash = ?", (number, source, digest)
        ).fetchone()
        rival = before
        if said is None and before not in self._run:
            rows = ask(
                "SELECT source FROM also_in WHERE document = ? AND hash = ? AND source != ?", (number, current, source)
            ).fetchall()
            rival = next((other for (other,) in rows if other in self._run), None)
            if rival is None:
                return None
        if rival is None or (said == (0,) and not (new and before in self._run)):
            return "overtaken", ""
        self._also_in(number, source, digest, clash=True)
        return "clash", str(ask("SELECT path FROM sources WHERE id = ?", (rival,)).fetchone()[0])

    def _revise(self, number: int, incoming: Incoming, digest: bytes, stamp: str) -> int:
        cursor = self._connection.execute(
            """INSERT INTO revisions (document, title, text, hash, origin, timestamp, added)
            VALUES (?, ?, ?, ?, ?, ?, ?)""",
            (number, incoming.title, incoming.text, digest, incoming.origin, incoming.timestamp, stamp),
        )
        revision = int(cursor.lastrowid or 0)
        text = incoming.text
        if incoming.sentences is None:
            rows = [
                (revision, place, sentence.start, sentence.end, sentence_hash(sentence.text))
                for place, sentence in enumerate(split_sentences(text))
            ]
        else:
            rows = [(revision, n, start, end, sentence_hash(text[start:end])) for n, start, end in incoming.sentences]
        self._connection.executemany("INSERT INTO sentences VALUES (?, ?, ?, ?, ?)", rows)
        return revision

    def _make_current(self, number: int, revision: int, title: str, source: int | None) -> None:
        before = self._connection.execute("SELECT title FROM documents WHERE id = ?", (number,)).fetchone()[0]
        self._connection.execute(
            "UPDATE documents SET revision = ?, title = ?, source = ? WHERE id = ?", (revision, title, source, number)
        )
        if before != title:
            self._unname(number, before)
            self._name(number, title)

    def _name(self, number: int, title: str) -> None:
        self._connection.executemany(
            "INSERT OR IGNORE INTO names (folded, kind, document) VALUES (?, ?, ?)",
            [(folded, kind, number) for folded, kind in title_names(title)],
        )

    def _unname(self, number: int, title: str) -> None:
        self._connection.executemany(
            "DELETE FROM names WHERE folded = ? AND kind = ? AND document = ?",
            [(folded, kind, number) for folded, kind in title_names(title)],
        )

    def remove(self, numbers: Sequence[int]) -> None:
        """Forgets these documents with all their revisions; the files they came from count as not read."""
        if not numbers:
            return
        with self.transaction() as connection:
            for number in numbers:
                row = connection.execute("SELECT title, source FROM documents WHERE id = ?", (number,)).fetchone()
                if row is None:
                    continue
                self._unname(number, row[0])
                connection.execute(
                    """UPDATE sources SET whole = 0
                    WHERE id = ? OR id IN (SELECT source FROM also_in WHERE document = ?)""",
                    (row[1], number),
                )
                connection.execute("DELETE FROM also_in WHERE document = ?", (number,))
                connection.execute(
                    "DELETE FROM sentences WHERE revision IN (SELECT id FROM revisions WHERE document = ?)", (number,)
                )
                connection.execute("DELETE FROM revisions WHERE document = ?", (number,))
                connection.execute("DELETE FROM documents WHERE id = ?", (number,))
                connection.execute("INSERT OR IGNORE INTO unindexed VALUES (?)", (number,))
        self._index([], numbers)

    # --- sources ---

    def source(self, path: str, kind: str, options: str) -> int:
        """The number of a source, marked as not read to its end; from now on it is one of this run."""
        with self.transaction() as connection:
            row = connection.execute(
                """INSERT INTO sources (path, format, options, size, mtime, whole, documents)
                VALUES (?, ?, ?, 0, 0, 0, 0)
                ON CONFLICT (path) DO UPDATE SET format = excluded.format, options = excluded.options, whole = 0
                RETURNING id""",
                (path, kind, options),
            ).fetchone()
        self._run.add(int(row[0]))
        return int(row[0])

    def held(self, source: int) -> set[int]:
        """The documents that are known to stand in a file."""
        rows = self._connection.execute(
            "SELECT id FROM documents WHERE source = ? UNION SELECT document FROM also_in WHERE source = ?",
            (source, source),
        )
        return {number for (number,) in rows}

    def hand_over(self, numbers: Sequence[int], source: int) -> list[int]:
        """Notes that these documents no longer stand in a file. Those that another file holds as they are become that
        file's; the others that were this file's are given back."""
        left: list[int] = []
        if not numbers:
            return left
        with self.transaction() as connection:
            for number in numbers:
                connection.execute("DELETE FROM also_in WHERE document = ? AND source = ?", (number, source))
                row = connection.execute(
                    """SELECT a.source FROM documents d JOIN revisions r ON r.id = d.revision
                    LEFT JOIN also_in a ON a.document = d.id AND a.hash = r.hash WHERE d.id = ? AND d.source = ?""",
                    (number, source),
                ).fetchone()
                if row == (None,):
                    left.append(number)
                elif row is not None:
                    connection.execute("UPDATE documents SET source = ? WHERE id = ?", (row[0], number))
                    connection.execute("DELETE FROM also_in WHERE document = ? AND source = ?", (number, row[0]))
        self._loose.update(left)
        return left

    def finish_source(self, number: int, size: int, mtime: int, documents: int, *, whole: bool) -> None:
        """Notes that a source was read to its end without a fault; unless it is `whole` it will be read again."""
        with self.transaction() as connection:
            connection.execute(
                "UPDATE sources SET size = ?, mtime = ?, whole = ?, documents = ? WHERE id = ?",
                (size, mtime, whole, documents, number),
            )

    def make_whole(self, number: int) -> None:
        """Notes that nothing of a source that was read to its end has to be looked for again."""
        with self.transaction() as connection:
            connection.execute("UPDATE sources SET whole = 1 WHERE id = ?", (number,))

    def forget_source(self, number: int) -> None:
        """Forgets a source of which nothing is left."""
        with self.transaction() as connection:
            connection.execute(
                """DELETE FROM sources WHERE id = ? AND NOT EXISTS (SELECT 1 FROM documents WHERE source = ?)
                AND NOT EXISTS (SELECT 1 FROM also_in WHERE source = ?)""",
                (number, number, number),
            )

    # --- the lexical index ---

    def catch_up(self) -> None:
        """Brings the index to what the tables say, where someone was stopped before it was."""
        while True:
            rows = self._connection.execute("SELECT document FROM unindexed LIMIT ?", (_SETTLE_DOCUMENTS,)).fetchall()
            if not rows:
                return
            numbers = [row[0] for row in rows]
            self._index(numbers, numbers)
            self.settle()

    def _index(self, numbers: Sequence[int], stale: Sequence[int] | set[int]) -> None:
        wanted = list(dict.fromkeys((*numbers, *stale)))
        if wanted:
            self._lexical.put(self._texts(wanted), stale)
            self._waiting += wanted
            self._indexed += len(wanted)
        if len(self._waiting) >= _SETTLE_DOCUMENTS or time.monotonic() - self._settled > _SETTLE_SECONDS:
            self.settle()

    def settle(self) -> None:
        """Lets the index keep what it has taken in, so that searches find it."""
        self._settled = time.monotonic()
        if not self._waiting:
            return
        self._lexical.commit()
        with self._together() as connection:
            connection.executemany("DELETE FROM unindexed WHERE document = ?", [(n,) for n in self._waiting])
            # tells readers that there is something new to see
            connection.execute("UPDATE settings SET value = value + 1 WHERE name = 'generation'")
        self._waiting = []

    def gather(self) -> None:
        """Puts the index in order after a run that at least doubled it, so that a search has few places to look in."""
        self.settle()
        if self._indexed and self._lexical.is_scattered(_MOST_SEGMENTS) and 2 * self._indexed >= self._lexical.count:
            self._gather()

    def _gather(self) -> None:
        self._lexical.gather(
            self._connection.execute(
                "SELECT d.id, d.title, r.text FROM documents d JOIN revisions r ON r.id = d.revision ORDER BY d.id"
            )
        )
        with self._together() as connection:
            connection.execute("UPDATE settings SET value = value + 1 WHERE name = 'generation'")

    def _texts(self, numbers: Sequence[int]) -> Iterator[tuple[int, str, str]]:
        for number in numbers:
            row = self._connection.execute(
                "SELECT d.id, d.title, r.text FROM documents d JOIN revisions r ON r.id = d.revision WHERE d.id = ?",
                (number,),
            ).fetchone()
            if row is not None:
                yield row
