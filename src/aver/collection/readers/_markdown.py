"""Markdown: the text that a reader of the page would see."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from aver.collection.readers._heads import under_heads
from aver.collection.readers._html import html_text
from aver.collection.readers._items import Incoming, Item, ReadOptions
from aver.collection.readers._opened import read_text
from aver.collection.readers._raised import MARKS, placed
from aver.collection.readers._text import file_key, file_title

__all__ = ["markdown_text", "read"]

_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n(?:---|\.\.\.)\s*(?:\n|\Z)", re.DOTALL)
_PLACED = re.compile(r"<(/?)(sup|sub|s|del|strike)\b[^<>]*>", re.IGNORECASE)
_NOTE = re.compile(r"\[\^[^\[\]\s]{1,60}\]")
_NOTE_LINK = re.compile(r"\^\S{1,60}")
_NOTE_TEXT = re.compile(r"\A\[\^[^\[\]\s]{1,60}\]:\s+")
"""The mark of a footnote, "[^1]", also as a link named "^1" where the note is but an address, and before the note."""
_TITLE = re.compile(r"^title\s*:\s*[\"']?(.*?)[\"']?\s*$", re.MULTILINE | re.IGNORECASE)


def read(path: Path, options: ReadOptions) -> Iterator[Item]:
    """One file, one document; the title is the front matter's, else the first top heading, else the file's name."""
    title, text = markdown_text(read_text(path, options.encoding))
    yield Incoming(file_key(path), title or file_title(path), text, place=str(path))


def markdown_text(source: str) -> tuple[str, str]:
    """A page's title (may be empty) and text; a row of a table has the heads of its columns, as in HTML.

    What is struck out is left out, and so are the marks of footnotes; their texts stay where they stand.

    >>> markdown_text("# Tea\\n\\nTea is *hot*, see [this](x.md).\\n\\n- one\\n- two")
    ('Tea', 'Tea\\n\\nTea is hot, see this.\\n\\n- one\\n- two')
    >>> markdown_text("| EUR | 2022 | 2021 |\\n|---|---|---|\\n| EBITDA | 31.5 | 36.9 |")[1]
    'EUR\\n\\nEBITDA: 2022 31.5; 2021 36.9.'
    """
    from markdown_it import MarkdownIt

    title = ""
    front = _FRONT_MATTER.match(source)
    if front is not None:
        said = _TITLE.search(front.group(1))
        title = said.group(1) if said else ""
        source = source[front.end() :]
    blocks: list[str] = []
    rows: list[list[str]] = []
    heading = cell = False
    in_item = 0
    marker = ""
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(source):
        if token.type == "heading_open":
            heading = token.tag == "h1"
        elif token.type == "list_item_open":
            in_item += 1
            marker = f"{token.info}{token.markup} " if token.info else "- "
        elif token.type == "list_item_close":
            in_item -= 1
        elif token.type == "table_open":
            rows = []
        elif token.type == "tr_open":
            rows.append([])
        elif token.type == "table_close":
            blocks.append(_table(*rows))
        elif token.type in ("td_open", "th_open"):
            cell = True
        elif token.type == "inline":
            text = _inline(token.children or ())
            if heading and not title:
                title = " ".join(text.split())
            heading = False
            if cell:
                rows[-1].append(text)
                cell = False
                continue
            tight = bool(in_item and marker and blocks and re.match(r"- |\d+[.)] ", blocks[-1].rsplit("\n", 1)[-1]))
            line = marker + text
            if tight:
                blocks[-1] += "\n" + line
            else:
                blocks.append(line)
            marker = ""
        elif token.type in ("fence", "code_block"):
            blocks.append(token.content.rstrip("\n"))
        elif token.type == "html_block":
            blocks.append(html_text(token.content)[1])
    return title, "\n\n".join(block for block in blocks if block.strip()).strip()


def _table(heads: Sequence[str], *rows: Sequence[str]) -> str:
    if any(heads[1:]) and rows:
        return under_heads(heads, rows)
    # it must have a row of heads, and some are left empty
    lines = [" | ".join(cell for cell in row if cell) for row in (heads, *rows)]
    return "\n\n".join(line for line in lines if line)


def _inline(children: Sequence[Any]) -> str:
    parts: list[str] = []
    for before, child in zip((None, *children), children, strict=False):
        if before is not None and before.type == "link_open" and _NOTE_LINK.fullmatch(child.content):
            continue
        if child.type == "text":
            parts.append(_NOTE.sub("", child.content if parts else _NOTE_TEXT.sub("", child.content)))
        elif child.type == "code_inline":
            parts.append(child.content)
        elif child.type in ("s_open", "s_close"):
            parts.append(MARKS["s"][child.type == "s_close"])
        elif child.type == "softbreak":
            parts.append(" ")
        elif child.type == "hardbreak":
            parts.append("\n")
        elif child.type == "image":
            parts.append(child.content)
        elif child.type == "html_inline" and child.content.lower().startswith("<br"):
            parts.append("\n")
        elif child.type == "html_inline" and (tag := _PLACED.fullmatch(child.content)):
            parts.append(MARKS[tag[2].lower()][bool(tag[1])])
    return placed("".join(parts)).strip()
