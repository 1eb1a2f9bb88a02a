"""HTML: the title and the running text of a page, without scripts, menus and forms."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from aver.collection.readers._heads import under_heads
from aver.collection.readers._items import Incoming, Item, ReadOptions
from aver.collection.readers._opened import BROKEN, decoded, opened, reason
from aver.collection.readers._raised import LINK, MARKS, NOTE, placed, unmarked
from aver.collection.readers._text import file_key, file_title
from aver.errors import InputError

__all__ = ["html_text", "page_source", "read"]

_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w\-]+)", re.IGNORECASE)


def read(path: Path, options: ReadOptions) -> Iterator[Item]:
    """One page, one document; its <title>, else its first heading, is the title."""
    with opened(path) as file:
        try:
            data = file.read()
        except BROKEN as error:
            raise InputError(f"{path}: {reason(error)}") from error
    title, text = html_text(page_source(data, options.encoding, str(path)))
    yield Incoming(file_key(path), title or file_title(path), text, place=str(path))


def page_source(data: bytes, encoding: str | None, place: str) -> str:
    """The source of a page, in the encoding that is given, else the one that it says it has."""
    said = _CHARSET.search(data[:4096])
    if encoding is None and said is not None and not data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        encoding = said.group(1).decode("ascii")
    return decoded(data, encoding, place)


def html_text(page: str) -> tuple[str, str]:
    """A page's title and text; a block is a paragraph, an item of a list a line.

    A row of a table with a head row says what its values are of: first cell, then head and value of each column.

    >>> html_text("<title>A &amp; B</title><nav>Home</nav><p>One <b>two</b>.<script>x()</script><ul><li>three")
    ('A & B', 'One two.\\n\\n- three')
    >>> html_text("<table><tr><th>EUR<th>2022<th>2021<tr><td>EBITDA<td>31.5<td>36.9</table>")[1]
    'EUR\\n\\nEBITDA: 2022 31.5; 2021 36.9.'
    """
    parser = _Page()
    parser.feed(unmarked(page))
    parser.close()
    return parser.result()


_DROPPED = frozenset(
    "applet aside audio button canvas datalist dialog embed fieldset footer form iframe menu nav noscript object "
    "script select style svg template textarea video".split()
)
_BLOCKS = frozenset(
    "address article blockquote body caption center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 header "
    "hgroup hr html main ol p pre section summary table tbody tfoot thead tr ul".split()
)
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_ROLES = frozenset({"banner", "complementary", "contentinfo", "navigation", "search"})
_MARKED_NOTE = re.compile(r"\b(?:reference|foot-?note|fn-?ref|note-?ref|endnote|cite[_-]ref)", re.IGNORECASE)


@dataclasses.dataclass(slots=True)
class _Row:
    """A row of a table: where its cells begin among the parts of the page, and whether they are heads."""

    in_head: bool
    cells: list[int] = dataclasses.field(default_factory=list)
    heads: list[bool] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(slots=True)
class _Table:
    """A table that is being read; `is_plain` where its cells stand under no one head: a layout, or cells that span."""

    is_plain: bool
    in_head: bool = False
    rows: list[_Row] = dataclasses.field(default_factory=list)

    def cell(self, at: int, tag: str, given: dict[str, str | None]) -> None:
        if self.rows:
            self.rows[-1].cells.append(at)
            self.rows[-1].heads.append(tag == "th")
            wide = (given.get("colspan") or "1").strip() != "1" and (len(self.rows) == 1 or self.rows[-1].in_head)
            self.is_plain |= wide or (given.get("rowspan") or "1").strip() != "1"


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._parts: list[str] = []
        self._titles: dict[str, list[str]] = {"title": [], "h1": []}
        self._taking: str | None = None
        # the element whose content is passed over, and how many of its kind are open within it
        self._passing: str | None = None
        self._depth = 0
        self._tables: list[_Table] = []
        # how many parts there were when a link began
        self._link = -1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._passing is not None:
            self._depth += tag == self._passing
            return
        given = dict(attrs)
        hidden = "hidden" in given or given.get("aria-hidden") == "true" or given.get("role") in _ROLES
        if (tag in _DROPPED or hidden) and tag not in _VOID and tag not in ("html", "body"):
            self._passing, self._depth = tag, 1
        elif tag in self._titles and not self._titles[tag]:
            self._taking = tag
        if tag == "br":
            self._parts.append("\n")
        elif tag == "li":
            self._parts.append("\n\n- ")
        elif tag in ("td", "th"):
            self._parts.append(" ")
        elif tag in _BLOCKS:
            self._parts.append("\n\n")
        if self._passing is None:
            if tag in MARKS:
                self._mark(MARKS[tag][0])
                if tag == "sup" and any(_MARKED_NOTE.search(given.get(key) or "") for key in ("class", "id", "role")):
                    self._mark(NOTE)
                elif tag == "sup" and self._link == len(self._parts) - 1:
                    self._mark(LINK)
            elif tag == "a":
                if self._parts and self._parts[-1] == MARKS["sup"][0]:
                    self._mark(LINK)
                self._link = len(self._parts)
            self._in_table(tag, given)

    def _mark(self, mark: str) -> None:
        self._parts.append(mark)
        if self._taking is not None:
            self._titles[self._taking].append(mark)

    def _in_table(self, tag: str, given: dict[str, str | None]) -> None:
        """Notes where rows and cells begin; their end tags may be left out."""
        if tag == "table":
            if self._tables:
                self._tables[-1].is_plain = True
            self._tables.append(_Table(given.get("role") in ("none", "presentation")))
        elif self._tables:
            table = self._tables[-1]
            if tag in ("thead", "tbody", "tfoot"):
                table.in_head = tag == "thead"
            elif tag == "tr":
                table.rows.append(_Row(table.in_head))
            elif tag in ("td", "th"):
                table.cell(len(self._parts), tag, given)

    def _end_table(self) -> None:
        """Writes the heads of a table's columns into its rows, where it has one row of heads."""
        table = self._tables.pop()
        rows = [row for row in table.rows if row.cells]
        if table.is_plain or len(rows) < 2:
            return
        starts = [at for row in rows for at in row.cells]
        ends = iter([*starts[1:], len(self._parts)])
        texts = [["".join(self._parts[at : next(ends)]).strip() for at in row.cells] for row in rows]
        first = texts[0]
        # of one cell, a row is the head of those below it: "Assets"
        heads = [
            len(told) == len(first) > 1
            and any(told[1:])
            and (row.in_head or all(head or not text for head, text in zip(row.heads, told, strict=True)))
            for row, told in zip(rows[:2], texts, strict=False)
        ]
        several = any(re.search(r"\n\s*\n", text) for told in texts for text in told)
        if several or heads != [True, False]:
            return
        self._parts[starts[0] :] = [under_heads(first, texts[1:])]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._passing is None and tag in ("br", "hr"):
            self._parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if self._passing is not None:
            self._depth -= tag == self._passing
            if self._depth == 0:
                self._passing = None
            return
        if tag in MARKS:
            self._mark(MARKS[tag][1])
        if tag == self._taking:
            self._taking = None
        if tag == "table" and self._tables:
            self._end_table()
        if tag in _BLOCKS or tag == "li":
            self._parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        if self._passing is not None:
            return
        if self._taking is not None:
            self._titles[self._taking].append(data)
        if self._taking != "title":
            # line breaks of the source mean nothing on the page
            self._parts.append(re.sub(r"\s+", " ", data))

    def result(self) -> tuple[str, str]:
        title = " ".join(placed("".join(self._titles["title"] or self._titles["h1"])).split())
        blocks = re.split(r"\n\s*\n", placed("".join(self._parts)))
        lines = ["\n".join(" ".join(line.split()) for line in block.split("\n")).strip() for block in blocks]
        text = "\n\n".join(line for line in lines if line and line != "-")
        # items of one list stand line under line
        return title, re.sub(r"(?m)(^- [^\n]*)\n\n(?=- )", r"\1\n", text)
