"""A collection of documents on disk: what `aver collection` and `aver search` do, from Python."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import orjson

from aver.collection import _search
from aver.collection._adding import Intake, Missing, Progress, add_file, settle_missing
from aver.collection._dense_search import OpenRows, dense, fused
from aver.collection._documents import Document, DocumentSentence, Hit, Info, Mention, Revision, ScoredSentence, Source
from aver.collection._embedding import EmbedReport, embed, vector_info
from aver.collection._exclusive import Writing, delete_files, taken
from aver.collection._home import DATABASE, collection_folder
from aver.collection._lexical import Lexical, content_terms
from aver.collection._lock import WriterLock
from aver.collection._mentions import find_mentions
from aver.collection._names import ALIAS
from aver.collection._reading import Tables
from aver.collection._reports import AddReport, FileReport
from aver.collection._schema import create, half_made
from aver.collection._vectors import Encoder
from aver.collection.readers import (
    Alias,
    Fault,
    FoundFile,
    Incoming,
    Item,
    ReadOptions,
    find_files,
    given_path,
    real_folders,
)
from aver.errors import InputError, count_of, kind_of
from aver.text import Phrase, noun_phrases

__all__ = ["Collection"]


class Collection:
    """Documents with their revisions and sentences, and an index to find them by.

    `name` is the name of a collection under the home of all collections, or a path. Any number of processes and
    threads may read a collection while one writes to it; a second writer is told so.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with Collection(folder.name + "/tea", create=True) as tea:
    ...     _ = tea.add_documents([{"title": "Green tea", "text": "Green tea is a tea. It is not oxidised."}])
    ...     hit = tea.search("Is green tea oxidised?")[0]
    ...     print(hit.document.title, "|", hit.sentences[0].sentence.text)
    Green tea | It is not oxidised.
    >>> folder.cleanup()
    """

    def __init__(self, name: str | os.PathLike[str], *, create: bool = False) -> None:
        self.name = os.fspath(name)
        self.folder = collection_folder(name)
        try:
            is_there = (self.folder / DATABASE).is_file()
        except OSError as error:
            raise InputError(f"{self.folder}: the collection cannot be read: {error.strerror}") from error
        if not is_there:
            if not create:
                raise InputError(
                    f"there is no collection {self.name!r} (looked in {self.folder}); make it with: "
                    f"aver collection add {self.name} PATHS…"
                )
            self._create()
        self._tables = Tables(self.folder)
        self._lexical: Lexical | None = None
        self._seen = -1
        self._vectors = OpenRows(self.folder / "vectors")
        self._reloading = threading.Lock()

    def _create(self) -> None:
        if self.folder.exists() and (not self.folder.is_dir() or any(self.folder.iterdir())):
            known = {"writer.lock", "lexical", "vectors", "watch", *(entry.name for entry in half_made(self.folder))}
            if not self.folder.is_dir() or {entry.name for entry in self.folder.iterdir()} - known:
                raise InputError(f"{self.folder}: is there already and is no collection; choose another place")
        Lexical.anew(self.folder / "lexical")
        create(self.folder, {"sentences": "sentencex", "terms": "english"})

    def close(self) -> None:
        """Lets go of the files."""
        self._tables.close()
        self._let_go()

    def _let_go(self) -> None:
        if self._lexical is not None:
            self._lexical.close()
            self._lexical = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return int(self._tables.connection.execute("SELECT count(*) FROM documents").fetchone()[0])

    def __repr__(self) -> str:
        return f"Collection({self.name!r})"

    # --- writing ---

    def add(
        self,
        paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        *,
        options: ReadOptions | None = None,
        progress: Progress | None = None,
    ) -> AddReport:
        """Reads files and folders in: new documents are added, changed ones get a new revision.

        Two of the files that say different things under one key are a fault of the second; a file that does so later
        updates the document, which is then its own. Documents that no longer stand in a file that is read again are
        counted and stay.

        Whatever the report, or `progress`, says is stored survives the death of the process. Called again with the
        same paths after an interruption it does the rest.
        """
        given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
        files = list(find_files(given))
        if not files:
            raise InputError(f"no files in {', '.join(map(str, given)) or 'nothing'}")
        with self._writing() as writer:
            known = self._known_sources()
            missing: list[Missing] = []
            reports = [
                add_file(writer, file, options or ReadOptions(), known=known, missing=missing, progress=progress)
                for file in files
            ]
            settle_missing(writer, missing, prune=False)
        return AddReport(tuple(reports))

    def add_documents(
        self, documents: Iterable[Item | dict[str, str]], *, name: str = "", progress: Progress | None = None
    ) -> FileReport:
        """Takes documents in from Python: `Incoming`, or dictionaries with `text` and `title` or `key` or both.

        An `Alias` is another name for a title; a `Fault` is counted as failed. `name` stands in the report.
        """
        if not isinstance(documents, Iterable):
            raise InputError(f"documents must be a list or another iterable; got {kind_of(documents, none='None')}")
        report = FileReport(name)
        with self._writing() as writer:
            intake = Intake(writer, report, None, progress)
            intake.take(_incoming(document, number) for number, document in enumerate(documents))
            intake.flush()
        return report

    def update(
        self,
        paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
        *,
        prune: bool = False,
        progress: Progress | None = None,
    ) -> AddReport:
        """Reads again the files the collection was made from (or those of them under `paths`) where they changed.

        Each is read as it was when it was added. A file that is gone is reported as an error, and documents that no
        longer stand in their file are counted; with `prune` both are removed, unless another file holds them too.
        Nothing is removed of a file that could not be read to its end without a fault.
        """
        given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
        below = [folder for path in given for folder in real_folders(path)]
        rows = self._tables.connection.execute("SELECT id, path, options FROM sources ORDER BY path").fetchall()
        wanted = [row for row in rows if not below or any(Path(row[1]).is_relative_to(folder) for folder in below)]
        if not wanted:
            where = f" under {', '.join(map(str, given))}" if given else ""
            raise InputError(f"{self.name}: no file of this collection{where} to update; `add` takes new ones in")
        reports: dict[str, FileReport] = {}
        with self._writing() as writer:
            known = self._known_sources()
            missing: list[Missing] = []
            for _, path, text in wanted:
                if prune and not Path(path).exists():
                    continue
                stored = orjson.loads(text)
                options = ReadOptions(**{**stored, "namespaces": tuple(stored["namespaces"])})
                found = FoundFile(Path(path), True)
                reports[path] = add_file(writer, found, options, known=known, missing=missing, progress=progress)
            # last: what another file has now keeps its revisions
            settle_missing(writer, missing, prune=prune)
            for number, path, _ in wanted:
                if path not in reports:
                    gone = writer.hand_over(sorted(writer.held(number)), number)
                    writer.remove(gone)
                    writer.forget_source(number)
                    said = f"gone; removed with {count_of(len(gone), 'document')}"
                    reports[path] = FileReport(path, removed=len(gone), skipped=said)
        return AddReport(tuple(reports[path] for _, path, _ in wanted))

    def remove(self, keys: str | Iterable[str]) -> int:
        """Forgets documents, by key or by the file they came from, with all their revisions; says how many.

        An unknown key is an error, and then nothing is removed.
        """
        wanted = [keys] if isinstance(keys, str) else list(keys)
        numbers: list[int] = []
        unknown: list[str] = []
        for key in wanted:
            real = Path(os.path.realpath(given_path(key))).as_posix()
            found = [document.id for document in self._tables.by_keys([key, real])]
            row = self._tables.connection.execute("SELECT id FROM sources WHERE path = ?", (real,)).fetchone()
            if row is not None:
                found += self._of_source(row[0])
            if not found:
                unknown.append(f"{key!r} is neither a document's key nor a file of the collection")
            numbers += found
        if unknown:
            raise InputError(f"{self.name}: nothing was removed", unknown)
        numbers = list(dict.fromkeys(numbers))
        with self._writing() as writer:
            writer.remove(numbers)
            for (source,) in self._tables.connection.execute("SELECT id FROM sources WHERE whole = 0").fetchall():
                writer.forget_source(source)
        return len(numbers)

    def delete(self) -> None:
        """Deletes the whole collection from the disk. It cannot be used afterwards."""
        lock = taken(self.folder, self.name)
        self.close()
        delete_files(self.folder, lock)

    def embed(
        self, encoder: Encoder, *, progress: Callable[[int], None] | None = None, index: bool | None = None
    ) -> EmbedReport:
        """Gives every sentence a vector, for `dense` and `hybrid`; `aver.models.load_encoder` makes the encoder.

        Only what is new or has changed is embedded, and what is gone loses its vectors; called again after an
        interruption it does the rest; vectors that are damaged are removed and made anew, which the report then says.
        `progress` is told how many documents are done. `index` says whether FAISS (extra `dense`) makes an index of
        them: without it, where FAISS is installed and there are many.
        """
        return embed(self.folder / "vectors", self._tables, encoder, progress=progress, index=index)

    def _writing(self) -> Writing:
        return Writing(self.folder, taken(self.folder, self.name))

    def _known_sources(self) -> dict[str, tuple[int, int, str, int]]:
        rows = self._tables.connection.execute(
            "SELECT path, size, mtime, options, documents FROM sources WHERE whole = 1"
        )
        return {path: (size, mtime, options, documents) for path, size, mtime, options, documents in rows}

    def _of_source(self, source: int) -> list[int]:
        rows = self._tables.connection.execute("SELECT id FROM documents WHERE source = ?", (source,))
        return [number for (number,) in rows]

    # --- reading ---

    def get(self, key: str) -> Document:
        """The document of a key."""
        found = self._tables.by_keys([key])
        if not found:
            raise InputError(f"{self.name}: no document has the key {key!r}")
        return found[0]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and bool(self._tables.by_keys([key]))

    def __iter__(self) -> Iterator[Document]:
        return self._tables.every_document()

    def documents(self, numbers: Iterable[int]) -> dict[int, Document]:
        """Documents by their numbers; those that are gone are left out."""
        return self._tables.documents(numbers)

    def revisions(self, key: str) -> list[Revision]:
        """All revisions of a document, the oldest first."""
        return self._tables.revisions(self.get(key).id)

    def sentences(self, of: Document | Revision) -> list[DocumentSentence]:
        """The sentences of a document as it stands, or of one revision."""
        if isinstance(of, Revision):
            return self._tables.sentences(of.id, of.document, of.text)
        return self._tables.sentences(of.revision, of.id, of.text)

    def info(self) -> Info:
        """Counts, place and size."""
        ask = self._tables.connection.execute
        settings = dict(ask("SELECT name, value FROM settings").fetchall())
        counts = {
            name: int(ask(f"SELECT count(*) FROM {name}").fetchone()[0])
            for name in ("documents", "revisions", "sentences", "sources")
        }
        aliases = int(ask("SELECT count(*) FROM names WHERE kind = ?", (ALIAS,)).fetchone()[0])
        size = sum(map(_size, self.folder.rglob("*")))
        settings.pop("generation", None)
        return Info(
            name=self.name,
            folder=str(self.folder),
            format=int(ask("PRAGMA user_version").fetchone()[0]),
            aliases=aliases,
            bytes=size,
            created=settings.pop("created", ""),
            changed=settings.pop("changed", ""),
            settings=settings,
            vectors=vector_info(self.folder / "vectors", self._tables, self.name),
            **counts,
        )

    def sources(self) -> list[Source]:
        """The files it was made from."""
        rows = self._tables.connection.execute(
            """SELECT s.path, s.format, s.whole, count(d.id) FROM sources s LEFT JOIN documents d ON d.source = s.id
            GROUP BY s.id ORDER BY s.path"""
        )
        return [Source(path, kind, bool(whole), count) for path, kind, whole, count in rows]

    # --- searching ---

    def mentions(self, text: str) -> list[Mention]:
        """The collection's names (titles, titles without additions, redirects) found in a text."""
        _text_wanted("the text", text)
        return find_mentions(self._tables, text)

    def bm25(self, query: str, *, limit: int = 10) -> list[Hit]:
        """The best documents by BM25 over title and body alone."""
        _text_wanted("the query", query)
        return _search.bm25(self._tables, self._index(), query, limit)

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        sentences: int = 3,
        follow: int = 0,
        phrases: bool | Sequence[Phrase] = False,
    ) -> list[Hit]:
        """The best documents by BM25 and the names in the query, each with its best sentences.

        `follow` keeps so many of the last places for documents that the best sentences of the first three name: a
        claim that needs two pages often names but one. `phrases` also looks for titles that hold all words of a noun
        phrase: True finds phrases by rule; `aver.text.noun_phrases` finds them with spaCy, too.
        """
        _asked(query, limit)
        found = noun_phrases(query) if phrases is True else phrases or ()
        return _search.search(self._tables, self._index(), query, limit, sentences, follow, found)

    def dense(
        self, query: str, encoder: Encoder, *, limit: int = 10, sentences: int = 3, exact: bool = False
    ) -> list[Hit]:
        """The best documents by the vectors of their sentences; `embed` makes those.

        A hit's score is the cosine of its nearest sentence. `exact` looks at every row though FAISS has an index.
        """
        _asked(query, limit)
        rows = self._vectors.get(encoder.model, self.name)
        return dense(self._tables, rows, encoder.encode([query])[0], limit, sentences, exact=exact)

    def hybrid(self, query: str, encoder: Encoder, *, limit: int = 10, sentences: int = 3) -> list[Hit]:
        """The best documents by `search` and by `dense`: their places in both rankings, fused."""
        pool = max(50, limit)
        by_vectors = self.dense(query, encoder, limit=pool, sentences=sentences)
        return fused([self.search(query, limit=pool, sentences=sentences), by_vectors], limit)

    def score_sentences(
        self, query: str, sentences: Sequence[DocumentSentence], *, title: str = ""
    ) -> list[ScoredSentence]:
        """Scores sentences by the words they share with the query, in the given order.

        Rare words count more, and those of the title, where it is given, a quarter.
        """
        _text_wanted("the query", query)
        return _search.score_sentences(self._index(), content_terms(query), sentences, title=title)

    def _index(self) -> Lexical:
        """The index as of the last commit; brought up to date where a writer was stopped before that was done."""
        with self._reloading:
            generation = self._tables.generation()
            if self._lexical is not None and generation == self._seen and not self._is_left_behind():
                return self._lexical
            lexical = self.folder / "lexical"
            if lexical.is_dir() and not os.access(lexical, os.W_OK):
                self._let_go()
                self._lexical = Lexical.linked(lexical)
            else:
                if self._is_behind() or not Lexical.exists(lexical):
                    self._catch_up()
                if self._lexical is None:
                    self._lexical = Lexical(lexical)
            self._lexical.reload()
            self._seen = generation
            return self._lexical

    def _is_behind(self) -> bool:
        """There are documents that the index lacks."""
        return self._tables.connection.execute("SELECT 1 FROM unindexed LIMIT 1").fetchone() is not None

    def _is_left_behind(self) -> bool:
        """And nobody is there to take them in: who wrote them was stopped."""
        if not self._is_behind():
            return False
        lock = WriterLock(self.folder)
        try:
            free = lock.acquire()
        except InputError:
            return False
        lock.release()
        return free

    def _catch_up(self) -> None:
        lock = WriterLock(self.folder)
        try:
            free = lock.acquire()
        except InputError:
            # may not be written to: what the index holds is what can be searched
            free = False
        if free:
            with Writing(self.folder, lock):
                pass
        elif not Lexical.exists(self.folder / "lexical"):
            raise InputError(f"{self.name}: its index is being made by another process; try again in a moment")


def _text_wanted(what: str, value: object) -> None:
    if not isinstance(value, str):
        raise InputError(f"{what} must be a string; got {kind_of(value, none='None')}")


def _asked(query: str, limit: int) -> None:
    _text_wanted("the query", query)
    if limit < 1:
        raise InputError(f"limit must be at least 1; got {limit}")
    if not query.strip():
        raise InputError("the query is empty")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        # the index merges its files beside us
        return 0


def _incoming(document: Item | dict[str, str], number: int) -> Item:
    if isinstance(document, dict):
        if not isinstance(document.get("text"), str) or not (document.get("key") or document.get("title")):
            got = sorted(map(str, document))
            raise InputError(f"document {number}: needs 'text', and 'title' or 'key' or both; got {got}")
        title = document.get("title") or document["key"]
        document = Incoming(document.get("key") or title, title, document["text"], place=f"document {number}")
    if isinstance(document, Incoming):
        for what in ("key", "title", "text"):
            _text_wanted(f"document {number}: its {what}", getattr(document, what))
    elif not isinstance(document, (Alias, Fault)):
        raise InputError(
            f"document {number}: is {kind_of(document, none='None')}; expected a dictionary with 'text', and 'title' "
            "or 'key' or both, or an Incoming"
        )
    return document
