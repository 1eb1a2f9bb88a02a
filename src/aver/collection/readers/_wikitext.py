"""Wikitext as plain text: what a reader of the page sees, without tables, notes and pictures.

mwparserfromhell builds a tree of every page and reads 0.6 MB/s; a collection needs no tree. Whatever nests is
resolved from the inside out, so that no rule has to look past a bracket.
"""

from __future__ import annotations

import html
import re

__all__ = ["redirect_target", "strip_wikitext"]

_DEEPEST = 40
"""Nothing people write nests deeper; what still has brackets then is broken, and they are dropped."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_DROPPED = "ref|math|gallery|timeline|syntaxhighlight|source|score|imagemap|chem|graph|mapframe|templatestyles|pre"
_ALONE = re.compile(rf"<(?:{_DROPPED})\b[^<>]*/>", re.IGNORECASE)
_ELEMENT = re.compile(rf"<({_DROPPED})\b[^<>]*>(?:(?!<\1\b).)*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,500}>")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
# a single bracket inside is text
_TEMPLATE = re.compile(r"\{\{([^{}]*(?:(?:\{(?!\{)|\}(?!\}))[^{}]*)*)\}\}")
_PARAMETER = re.compile(r"\{\{\{[^{}]*\}\}\}")
_TABLE = re.compile(r"\{\|(?:(?!\{\||\|\}).)*\|\}", re.DOTALL)
_LINK = re.compile(r"\[\[([^\[\]]*(?:(?:\[(?!\[)|\](?!\]))[^\[\]]*)*)\]\]")
_OUTSIDE = re.compile(r"\[(?:https?:|ftp:|mailto:|//)[^\s\]]*(?:\s+([^\[\]\n]*))?\]")
_LEFT_OVER = re.compile(r"\{\{|\}\}|\[\[|\]\]")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]+)*")
_QUOTES = re.compile(r"'{2,}")
_MAGIC = re.compile(r"__[A-Z]+__")
_HEADING = re.compile(r"^(={1,6})\s*(.+?)\s*\1\s*$", re.MULTILINE)
_LIST = re.compile(r"^[*#:;]+\s*", re.MULTILINE)
_HOLLOW = re.compile(r"\(\s*(?:[,;:–\-]\s*)*\)|(?<=\()\s*(?:[,;:]\s*)+")
_BLANKS = re.compile(r"[ \t\u00a0]+")
_REDIRECT = re.compile(r"\s*#\s*redirect\s*:?\s*\[\[([^\[\]|#]+)", re.IGNORECASE)

_UNSEEN = frozenset("file image category media special datei bild kategorie fichier archivo imagen categoría".split())
_APPENDIX = frozenset(
    {"references", "external links", "see also", "further reading", "notes", "sources", "bibliography", "citations",
     "footnotes", "gallery", "notes and references", "references and notes"}
)  # fmt: skip
_SIGNS = {"ndash": "–", "mdash": "—", "snd": " – ", "spnd": " – ", "spaced ndash": " – ", "nbsp": " ", "'": "'"}
_SHOWS_FIRST = frozenset("nowrap small big abbr em strong sic nobold center smaller larger midsize".split())
_SHOWS_LAST = frozenset("lang transl transliteration".split())


def redirect_target(text: str) -> str | None:
    """The title a redirect page leads to.

    >>> redirect_target("#REDIRECT [[Soul food#History]]")
    'Soul food'
    """
    found = _REDIRECT.match(text)
    return found.group(1).strip() if found else None


def strip_wikitext(source: str) -> str:
    """The text of a page.

    >>> strip_wikitext("'''Tea''' is a [[drink|hot drink]]<ref>A book</ref> from {{lang|zh|茶}}.{{Infobox|a=b}}")
    'Tea is a hot drink from 茶.'
    """
    text = _COMMENT.sub("", source)
    text = _ELEMENT.sub("", _ALONE.sub("", text))
    text = _BREAK.sub("\n", text)
    text = _inside_out(_PARAMETER, "", text)
    text = _inside_out(_TEMPLATE, _template, text)
    text = _inside_out(_TABLE, "", text)
    text = _inside_out(_LINK, _link, text)
    text = _OUTSIDE.sub(lambda found: found.group(1) or "", text)
    text = _TAG.sub("", _LEFT_OVER.sub("", text))
    text = _MAGIC.sub("", _QUOTES.sub("", text))
    text = html.unescape(text)
    text = _without_appendix(text)
    text = _HEADING.sub(r"\n\2\n", text)
    text = _LIST.sub("- ", text)
    text = _HOLLOW.sub("", text)
    lines = [_BLANKS.sub(" ", line).strip() for line in text.split("\n")]
    kept = [line for line in lines if not line or (line.strip("-") and not line.startswith(("{|", "|", "!")))]
    text = re.sub(r"\n{2,}", "\n\n", "\n".join(kept)).strip()
    # A line of its own is a paragraph of its own in wikitext, except in lists.
    return re.sub(r"(?<!\n)\n(?![\n-])", "\n\n", text)


def _inside_out(pattern: re.Pattern[str], by: object, text: str) -> str:
    for _ in range(_DEEPEST):
        text, count = pattern.subn(by, text)  # type: ignore[call-overload]
        if not count:
            break
    return text


def _template(found: re.Match[str]) -> str:
    name, *given = found.group(1).split("|")
    name = name.strip().lower().replace("_", " ")
    plain = [part.strip() for part in given if "=" not in part]
    if name in _SIGNS:
        return _SIGNS[name]
    if name in _SHOWS_FIRST and plain:
        return plain[0]
    if (name in _SHOWS_LAST or name.startswith("lang-")) and plain:
        return plain[-1]
    if name in ("convert", "cvt") and len(plain) >= 2:
        return f"{plain[0]} {plain[1]}"
    if name in ("circa", "c."):
        return " ".join(["c.", *plain[:1]])
    return ""


def _link(found: re.Match[str]) -> str:
    target, *labels = found.group(1).split("|")
    space, colon, _ = target.partition(":")
    if colon and (space.strip().lower() in _UNSEEN or _LANGUAGE.fullmatch(space)):
        return ""
    if not labels:
        return target.removeprefix(":").replace("_", " ").strip()
    # "[[Tea (drink)|]]" is shown as "Tea"
    return labels[-1] or re.sub(r"\s*\([^()]*\)$|,.*$", "", target.partition(":")[2] or target)


def _without_appendix(text: str) -> str:
    """Without the sections that hold no running text, down to the next heading of their rank."""
    headings = list(_HEADING.finditer(text))
    kept: list[str] = []
    at = 0
    dropping: int | None = None
    for heading in headings:
        rank = len(heading.group(1))
        if dropping is not None and rank <= dropping:
            at, dropping = heading.start(), None
        if dropping is None and heading.group(2).lower() in _APPENDIX:
            kept.append(text[at : heading.start()])
            dropping = rank
    return "".join(kept) if dropping is not None else "".join(kept) + text[at:]
