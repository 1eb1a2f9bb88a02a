"""The XML of a MediaWiki dump, pulled apart as it streams by: one revision at a time, whatever the dump's size.

A dump has no business declaring entities or a document type, so a file that does is refused before any of it can be
expanded. What is held is bounded: a text longer than `longest` is not kept, and tags or nesting beyond all reason end
the reading.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from typing import Any, NamedTuple, NoReturn
from xml.parsers import expat

from aver.errors import InputError, count_of

__all__ = ["DumpParser", "PageEnd", "RawRevision"]

LONGEST = 8_000_000
"""Characters of a revision that are kept; MediaWiki itself stores 2 MB unless told otherwise."""
_SHORT = 20_000
_DEEPEST = 64
_LONGEST_TAG = 32 << 20

_OF_PAGE = frozenset("title ns id".split())
_OF_REVISION = frozenset("id parentid timestamp comment text model".split())


@dataclasses.dataclass(slots=True)
class RawRevision:
    """A revision as the dump has it; fields that are not there are empty."""

    title: str
    namespace: int | None
    page_id: str
    redirect: str
    id: str = ""
    parent_id: str = ""
    timestamp: str = ""
    comment: str = ""
    model: str = ""
    text: str = ""
    deleted: bool = False
    too_long: bool = False
    """The text was longer than is kept, and is left out."""


class PageEnd(NamedTuple):
    """A page is over: its title, its namespace, and where it leads if it is a redirect."""

    title: str
    namespace: int | None
    redirect: str


class DumpParser:
    """Fed with bytes, gives the revisions and ends of pages that they complete.

    Of pages outside `namespaces` (None: all are wanted) no text is kept, and nothing is given.
    """

    def __init__(self, namespaces: Collection[int] | None = None, *, longest: int = LONGEST) -> None:
        self._namespaces = namespaces
        self._longest = longest
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.buffer_size = 1 << 18
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = self._refuse
        parser.EntityDeclHandler = self._refuse
        self._ready: list[RawRevision | PageEnd] = []
        self._path: list[str] = []
        self._taking: list[str] | None = None
        self._page: dict[str, str] = {}
        self._revision: dict[str, str] = {}
        self._flags: set[str] = set()
        self._wanted = True
        self._fed = 0
        self.revisions = 0
        """How many were read to their end, of whatever namespace."""

    def feed(self, chunk: bytes, final: bool = False) -> list[RawRevision | PageEnd]:
        """What these bytes complete; an InputError where they are no sound dump."""
        self._fed += len(chunk)
        try:
            self._parser.Parse(chunk, final)
        except expat.ExpatError as error:
            if error.code == expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS] and not self._path:
                raise InputError("is empty; expected a MediaWiki XML dump") from None
            what = "cut off" if final else f"broken XML at line {error.lineno}"
            expected = "" if self._path or self.revisions else "; expected a MediaWiki XML dump"
            self._fail(f"{what}: {expat.ErrorString(error.code)}{expected}")
        if self._taking is not None:
            self._bound(self._taking)
        if self._fed - self._parser.CurrentByteIndex > _LONGEST_TAG:
            self._fail(f"a tag or comment goes on for more than {_LONGEST_TAG >> 20} MB; no MediaWiki dump has such")
        ready, self._ready = self._ready, []
        return ready

    def finish(self) -> list[RawRevision | PageEnd]:
        """What the end of the file completes; an InputError where it was cut off."""
        return self.feed(b"", final=True)

    def _fail(self, what: str) -> NoReturn:
        raise InputError(f"{what} (after {count_of(self.revisions, 'revision')})") from None

    def _refuse(self, *_: Any) -> None:
        raise InputError("declares a document type or entities, which no MediaWiki dump does; refused")

    def _bound(self, taking: list[str]) -> None:
        in_text = self._path[-1] == "text"
        if sum(map(len, taking)) > (self._longest if in_text else _SHORT):
            if in_text:
                self._flags.add("too long")
            taking.clear()
            self._parser.CharacterDataHandler = None

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        path = self._path
        inside = path[-1] if path else ""
        if not inside and tag != "mediawiki":
            raise InputError(f"the outermost element is <{tag}>; expected a MediaWiki dump with <mediawiki>")
        path.append(tag)
        if len(path) > _DEEPEST:
            self._fail(f"elements nest more than {_DEEPEST} deep; no MediaWiki dump does")
        if inside == "revision":
            if tag == "text" and "deleted" in attributes:
                self._flags.add("deleted")
            if tag in _OF_REVISION and self._wanted:
                self._take()
        elif inside == "page":
            if tag == "revision":
                self._revision, self._flags = {}, set()
                self._wanted = self._is_wanted()
            elif tag == "redirect":
                self._page["redirect"] = attributes.get("title", "")
            elif tag in _OF_PAGE:
                self._take()
        elif tag == "page":
            self._page, self._wanted = {}, True

    def _take(self) -> None:
        taking: list[str] = []
        self._taking = taking
        # the list's own method: no Python code runs for the text itself, which is nearly all of a dump
        self._parser.CharacterDataHandler = taking.append

    def _end(self, tag: str) -> None:
        path = self._path
        path.pop()
        if self._taking is not None:
            # an element inside a field is none of MediaWiki's; what it holds counts to the field
            if tag not in _OF_REVISION and tag not in _OF_PAGE:
                return
            value = "".join(self._taking)
            self._taking = None
            self._parser.CharacterDataHandler = None
            if path[-1] == "page":
                self._page[tag] = value.strip()
            else:
                self._revision[tag] = value
        elif tag == "revision" and path[-1:] == ["page"]:
            self.revisions += 1
            if self._wanted:
                self._ready.append(self._finished())
        elif tag == "page" and path == ["mediawiki"] and self._is_wanted():
            page = self._page
            self._ready.append(PageEnd(page.get("title", ""), _number(page.get("ns")), page.get("redirect", "")))

    def _is_wanted(self) -> bool:
        if not self._page.get("title"):
            return False
        return self._namespaces is None or _number(self._page.get("ns")) in self._namespaces

    def _finished(self) -> RawRevision:
        page, revision, flags = self._page, self._revision, self._flags
        text = revision.get("text", "")
        too_long = "too long" in flags or len(text) > self._longest
        return RawRevision(
            page["title"], _number(page.get("ns")), page.get("id", ""), page.get("redirect", ""),
            revision.get("id", "").strip(), revision.get("parentid", "").strip(),
            revision.get("timestamp", "").strip(), revision.get("comment", "").strip()[:_SHORT],
            revision.get("model", "").strip(), "" if too_long else text, "deleted" in flags, too_long,
        )  # fmt: skip


def _number(text: str | None) -> int | None:
    try:
        return int(text or 0)
    except ValueError:
        return None
