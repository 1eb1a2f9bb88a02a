"""MediaWiki XML dumps, articles or full history: bz2, gz, xz, plain, or 7z (extra `mediawiki`).

Streams: whatever the size of the dump, only the revision being read is held.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

from aver.collection.readers._items import Alias, Fault, Incoming, Item, ReadOptions
from aver.collection.readers._mediawiki_xml import LONGEST, DumpParser, PageEnd, RawRevision
from aver.collection.readers._opened import BROKEN, opened, reason
from aver.collection.readers._wikitext import redirect_target, strip_wikitext
from aver.errors import InputError, MissingExtra, count_of

__all__ = ["SEVEN_ZIP", "TEXT_MODELS", "parsed", "read"]

SEVEN_ZIP = b"7z\xbc\xaf\x27\x1c"
_CHUNK = 1 << 18
TEXT_MODELS = frozenset({"wikitext", "text", ""})


def read(path: Path, options: ReadOptions) -> Iterator[Item]:
    """Pages of the wanted namespaces: each revision in the file, and redirects as aliases. The title is the key."""
    parser = DumpParser(set(options.namespaces))
    for found in parsed(path, parser):
        if isinstance(found, RawRevision):
            yield from _items(found, str(path))
        elif found.redirect:
            yield Alias(found.title, found.redirect.partition("#")[0])


def parsed(path: Path, parser: DumpParser) -> Iterator[RawRevision | PageEnd]:
    """What a parser finds in a dump, however it is compressed."""
    with path.open("rb") as file:
        zipped = file.read(6) == SEVEN_ZIP
    chunks = _unzipped(path) if zipped else _chunks(path)
    with contextlib.closing(chunks):
        for chunk in chunks:
            yield from parser.feed(chunk)
    yield from parser.finish()


def _chunks(path: Path) -> Generator[bytes]:
    with opened(path) as file:
        while True:
            try:
                chunk = file.read1(_CHUNK)
            except BROKEN as error:
                raise InputError(reason(error)) from error
            if not chunk:
                return
            yield chunk


def _items(revision: RawRevision, name: str) -> Iterator[Item]:
    if revision.deleted or revision.model not in TEXT_MODELS:
        return
    title, text = revision.title, revision.text
    place = f"{name} page {title!r}" + (f" revision {revision.id}" if revision.id else "")
    if revision.too_long:
        yield Fault(place, f"its text is longer than {LONGEST:,} characters; passed over")
        return
    target = redirect_target(text)
    if target is not None:
        yield Alias(title, target)
    elif not revision.redirect:
        # (a redirect in a form this module does not know: its page's element says so)
        yield Incoming(
            title,
            title,
            strip_wikitext(text),
            origin=revision.id or None,
            timestamp=revision.timestamp or None,
            place=place,
        )


def _unzipped(path: Path) -> Generator[bytes]:
    """The bytes of the one file in a 7z archive. py7zr pushes, we pull: a thread and a short queue lie between."""
    try:
        import py7zr
        import py7zr.io
    except ImportError as error:
        raise MissingExtra("mediawiki", "py7zr") from error

    waiting: queue.Queue[bytes | BaseException | None] = queue.Queue(maxsize=8)
    stopped = threading.Event()

    class Stopped(Exception):
        pass

    def put(item: bytes | BaseException | None) -> None:
        while not stopped.is_set():
            try:
                waiting.put(item, timeout=0.2)
                return
            except queue.Full:
                continue
        raise Stopped

    class Sink(py7zr.io.Py7zIO):
        length = 0

        def write(self, data: bytes | bytearray) -> int:
            self.length += len(data)
            put(bytes(data))
            return len(data)

        def read(self, size: int | None = None) -> bytes:
            return b""

        def seek(self, offset: int, whence: int = 0) -> int:
            return offset

        def flush(self) -> None:
            pass

        def size(self) -> int:
            return self.length

    class Sinks(py7zr.io.WriterFactory):
        def create(self, filename: str, *_: Any, **__: Any) -> Sink:
            return Sink()

    def work() -> None:
        with contextlib.suppress(Stopped):
            try:
                with py7zr.SevenZipFile(path) as archive:
                    names = [entry.filename for entry in archive.list() if not entry.is_directory]
                    if len(names) != 1:
                        raise InputError(f"holds {count_of(len(names), 'file')}; expected one MediaWiki dump")
                    archive.extract(targets=names, factory=Sinks())
                put(None)
            except Stopped:
                raise
            except BaseException as error:
                put(error)

    thread = threading.Thread(target=work, name=f"unzip {path.name}", daemon=True)
    thread.start()
    try:
        while (item := waiting.get()) is not None:
            if isinstance(item, InputError):
                raise item
            if isinstance(item, BaseException):
                raise InputError(f"cannot be read as a 7z archive: {item or type(item).__name__}") from item
            yield item
    finally:
        stopped.set()
        thread.join()
