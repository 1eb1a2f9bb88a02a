"""Files into a collection: what is new is added, what has changed becomes a new revision, the rest stays."""

from __future__ import annotations

import dataclasses
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import orjson

from aver.collection._reports import FileReport
from aver.collection._writing import Writer
from aver.collection.readers import (
    Alias,
    Fault,
    FoundFile,
    Incoming,
    Item,
    ReadOptions,
    detect_format,
    position,
    read_file,
)
from aver.errors import AverError, InputError

__all__ = ["NO_FILE", "UNKNOWN_KIND", "Intake", "Missing", "Progress", "add_file", "options_text", "settle_missing"]

NO_FILE = "a pipe, socket or device"
UNKNOWN_KIND = "of a kind aver does not know"
"""Why what lies in a folder was not read."""

Progress = Callable[[FileReport], None]
"""Called after every batch and at the end of every file: what its counts say is safely stored."""

_BATCH_DOCUMENTS = 10_000
_BATCH_CHARACTERS = 32_000_000
_LONGEST_KEY = 2_000


class Missing(NamedTuple):
    """Documents that no longer stand in a file that was read to its end."""

    report: FileReport
    source: int
    documents: list[int]


class Intake:
    """Gathers documents into batches, stores them, and keeps count."""

    def __init__(self, writer: Writer, report: FileReport, source: int | None, progress: Progress | None) -> None:
        self._writer = writer
        self._report = report
        self._source = source
        self._progress = progress
        self._documents: list[Incoming] = []
        self._aliases: list[Alias] = []
        self._characters = 0
        # key -> place, by hash: the same key twice in one file is a mistake, unless it is another revision
        self._seen: set[int] = set()
        # documents that stood in the file when it was read before, and did not come yet
        self.unseen = set() if source is None else writer.held(source)

    def take(self, items: Iterable[Item]) -> None:
        """Takes everything in, and stores batch after batch."""
        for item in items:
            if isinstance(item, Alias):
                self._aliases.append(item)
            elif isinstance(item, Fault):
                self._report.fault(f"{item.place}: {item.reason}")
            else:
                self._document(item)
            full = len(self._documents) >= _BATCH_DOCUMENTS or self._characters >= _BATCH_CHARACTERS
            if full or len(self._aliases) >= 10 * _BATCH_DOCUMENTS:
                self.flush()

    def _document(self, incoming: Incoming) -> None:
        if not incoming.text.strip():
            self._report.empty += 1
            return
        wrong = _unfit(incoming)
        if wrong is None and incoming.origin is None:
            mark = hash(incoming.key)
            if mark in self._seen:
                wrong = f"its key {incoming.key[:80]!r} stood in the file before; keys must differ"
            self._seen.add(mark)
        if wrong is not None:
            self._report.fault(f"{incoming.place or incoming.key[:80]}: {wrong}")
            return
        self._documents.append(incoming)
        self._characters += len(incoming.text)

    def flush(self) -> None:
        """Stores what is waiting; only then is it counted."""
        if self._documents or self._aliases:
            stored = self._writer.put(self._documents, self._aliases, self._source)
            self.unseen.difference_update(stored.documents)
            counts = Counter(stored.outcomes)
            self._report.added += counts["added"]
            self._report.updated += counts["updated"] + counts["moved"]
            self._report.moved += counts["moved"]
            self._report.unchanged += counts["unchanged"]
            self._report.overtaken += counts["overtaken"]
            for place, other in stored.clashes.items():
                clashing = self._documents[place]
                self._report.fault(
                    f"{clashing.place}: its key {clashing.key[:80]!r} stands in {other} with another title or text, "
                    "which stays; give them different ids, or each file a collection of its own"
                )
            self._report.aliases += stored.aliases
            self._documents, self._aliases, self._characters = [], [], 0
            if self._progress is not None:
                self._report.read = position(Path(self._report.path)) or self._report.read
                self._progress(self._report)


def _unfit(incoming: Incoming) -> str | None:
    if not incoming.key:
        return "has no key"
    if len(incoming.key) > _LONGEST_KEY:
        return f"its key has {len(incoming.key):,} characters; at most {_LONGEST_KEY:,} are taken"
    for what, text in (("key", incoming.key), ("title", incoming.title), ("text", incoming.text)):
        try:
            text.encode()
        except UnicodeEncodeError as error:
            return f"its {what} holds half a surrogate pair at character {error.start + 1}, which no text may"
    return None


def add_file(
    writer: Writer,
    found: FoundFile,
    options: ReadOptions,
    *,
    known: dict[str, tuple[int, int, str, int]],
    missing: list[Missing],
    progress: Progress | None = None,
) -> FileReport:
    """Reads one file into the collection. Whatever is wrong with it stands in the report and fails nothing else.

    `known` holds what was read to its end before, by path: size, time, options and number of documents. A file
    that has changed in none of these is not read again. `missing` takes what no longer stands in it, where it was
    read to its end without a fault.
    """
    path = found.path
    report = FileReport(_escaped(str(path)))
    given = options_text(options)
    try:
        state = path.stat()
        report.size = state.st_size
        real = path.resolve().as_posix()
        if _escaped(real) != real:
            raise InputError("its name is not UTF-8; rename it")
        if stat.S_ISDIR(state.st_mode):
            os.scandir(path).close()  # it was to be looked into; says why it cannot be
            raise InputError("is a folder, not a file")
        regular = stat.S_ISREG(state.st_mode)
        if not found.named and not regular:
            report.skipped = NO_FILE
            return _told(report, progress)
        before = known.get(real)
        if before is not None and before[:3] == (state.st_size, state.st_mtime_ns, given):
            report.unchanged = before[3]
            report.skipped = "not changed since it was read"
            return _told(report, progress)
        if not found.named and options.format is None and detect_format(path) is None:
            report.skipped = UNKNOWN_KIND
            return _told(report, progress)
        kind, items = read_file(path, options)
        if regular and not state.st_size and not path.read_bytes():
            # of whatever kind: a document without text, no damaged one
            items = iter(())
            report.empty = 1
        report.format = kind
        source = writer.source(real, kind, given)
    except (AverError, OSError) as error:
        report.error = _why(error, path)
        return _told(report, progress)
    intake = Intake(writer, report, source, progress)
    try:
        intake.take(items)
    except (AverError, OSError) as error:
        report.error = _why(error, path)
    intake.flush()
    if report.is_broken:
        writer.forget_source(source)
    else:
        gone = writer.hand_over(sorted(intake.unseen), source)
        if gone:
            missing.append(Missing(report, source, gone))
        # what is missing is looked for again, until it is back or removed
        writer.finish_source(source, state.st_size, state.st_mtime_ns, report.documents, whole=not gone)
    return _told(report, progress)


def settle_missing(writer: Writer, missing: Iterable[Missing], *, prune: bool) -> None:
    """Counts what is missing in its file once all files are read, for it may stand in another now; or removes it."""
    for report, source, documents in missing:
        gone = writer.hand_over(documents, source)
        if prune:
            writer.remove(gone)
            report.removed = len(gone)
        else:
            report.missing = len(gone)
        if not report.missing:
            writer.make_whole(source)


def _escaped(text: str) -> str:
    """A name as it can be stored and printed: what is not UTF-8 in it is written out."""
    return text.encode(errors="backslashreplace").decode()


def options_text(options: ReadOptions) -> str:
    """Options as they are remembered beside a source."""
    return orjson.dumps(dataclasses.asdict(options), option=orjson.OPT_SORT_KEYS).decode()


def _told(report: FileReport, progress: Progress | None) -> FileReport:
    report.read = report.size
    if progress is not None:
        progress(report)
    return report


def _why(error: BaseException, path: Path) -> str:
    if isinstance(error, FileNotFoundError):
        return "a link that leads nowhere" if path.is_symlink() else "there is no such file"
    if isinstance(error, OSError):
        return f"cannot be read: {error.strerror or error}"
    # the report names the file already
    return str(error).removeprefix(f"{path}: ")
