"""MediaWiki XML dumps, articles or full history: bz2, gz, xz, plain, or 7z (extra `mediawiki`).

Streams: whatever the size of the dump, only the revision being read is held. A dump has no business declaring
entities or a document type, so a file that does is refused before any of it can be expanded.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat

from aver.collection.readers._items import Alias, Incoming, Item, ReadOptions
from aver.collection.readers._opened import BROKEN, opened, reason
from aver.collection.readers._wikitext import redirect_target, strip_wikitext
from aver.errors import InputError, MissingExtra

__all__ = ["SEVEN_ZIP", "read"]

SEVEN_ZIP = b"7z\xbc\xaf\x27\x1c"
_CHUNK = 1 << 16
_TEXT_MODELS = frozenset({"wikitext", "text", ""})


def read(path: Path, options: ReadOptions) -> Iterator[Item]:
    """Pages of the wanted namespaces: each revision in the file, and redirects as aliases. The title is the key."""
    pages = _Pages(set(options.namespaces), str(path))
    with path.open("rb") as file:
        zipped = file.read(6) == SEVEN_ZIP
    chunks = _unzipped(path) if zipped else _chunks(path)
    with contextlib.closing(chunks):
        for chunk in chunks:
            yield from pages.feed(chunk)
    yield from pages.finish()


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


class _Pages:
    """Turns the XML of a dump, as it comes, into documents and aliases."""

    _TAKEN = frozenset("title ns id timestamp text model".split())

    def __init__(self, namespaces: set[int], name: str) -> None:
        self._namespaces = namespaces
        self._name = name
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.buffer_size = 1 << 16
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._data
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._parser.EntityDeclHandler = self._refuse
        self._ready: list[Item] = []
        self._path: list[str] = []
        self._taking: list[str] | None = None
        self._page: dict[str, str] = {}
        self._revision: dict[str, str] = {}
        self._count = 0

    def feed(self, chunk: bytes, final: bool = False) -> list[Item]:
        try:
            self._parser.Parse(chunk, final)
        except expat.ExpatError as error:
            if error.code == expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]:
                raise InputError("is empty; expected a MediaWiki XML dump") from None
            what = "cut off" if final else f"broken XML at line {error.lineno}"
            self._fail(f"{what}: {expat.ErrorString(error.code)}")
        ready, self._ready = self._ready, []
        return ready

    def finish(self) -> list[Item]:
        return self.feed(b"", final=True)

    def _fail(self, what: str) -> None:
        # what was read before the fault is sound, and goes in when the file is read again after repair
        raise InputError(f"{what} (after {self._count:,} revisions)") from None

    def _refuse(self, *_: Any) -> None:
        raise InputError("declares a document type or entities, which no MediaWiki dump does; refused")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if not self._path and tag != "mediawiki":
            raise InputError(f"the outermost element is <{tag}>; expected a MediaWiki dump with <mediawiki>")
        self._path.append(tag)
        if tag == "page":
            self._page = {}
        elif tag == "revision":
            self._revision = {}
        elif tag == "redirect" and len(self._path) == 3:
            self._page["redirect"] = attributes.get("title", "")
        elif tag == "text" and "deleted" in attributes:
            self._revision["deleted"] = "yes"
        if tag in self._TAKEN:
            self._taking = []

    def _data(self, data: str) -> None:
        if self._taking is not None:
            self._taking.append(data)

    def _end(self, tag: str) -> None:
        self._path.pop()
        if self._taking is not None and tag in self._TAKEN:
            value = "".join(self._taking)
            self._taking = None
            inside = self._path[-1] if self._path else ""
            # a contributor has an <id> too
            if inside == "page":
                self._page[tag] = value.strip()
            elif inside == "revision":
                self._revision[tag] = value
        if tag == "revision":
            self._finish_revision()
        elif tag == "page" and self._wanted() and self._page.get("redirect"):
            self._ready.append(Alias(self._page["title"], self._page["redirect"].partition("#")[0]))

    def _wanted(self) -> bool:
        try:
            return int(self._page.get("ns") or 0) in self._namespaces and bool(self._page.get("title"))
        except ValueError:
            return False

    def _finish_revision(self) -> None:
        self._count += 1
        revision = self._revision
        self._revision = {}
        text = revision.get("text", "")
        if not self._wanted() or "deleted" in revision or revision.get("model", "").strip() not in _TEXT_MODELS:
            return
        target = redirect_target(text)
        if target is not None:
            self._ready.append(Alias(self._page["title"], target))
            return
        if self._page.get("redirect"):
            # redirects in a form this module does not know; the element says so
            return
        title = self._page["title"]
        origin = revision.get("id", "").strip() or None
        self._ready.append(
            Incoming(
                title,
                title,
                strip_wikitext(text),
                origin=origin,
                timestamp=revision.get("timestamp", "").strip() or None,
                place=f"{self._name} page {title!r}" + (f" revision {origin}" if origin else ""),
            )
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
                        raise InputError(f"holds {len(names)} files; expected one MediaWiki dump")
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
