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
_DATES = frozenset(
    {"start date", "start date and age", "end date", "end date and age", "birth date", "birth date and age", "bda",
     "death date", "death date and age", "dda", "birth-date", "birth-date and age", "death-date", "death-date and age",
     "birth year and age", "film date", "dts", "date"}
)  # fmt: skip
_MONTHS = "January February March April May June July August September October November December".split()
_BETWEEN = {"-": "–", "–": "–", "to": " to ", "to(-)": " to ", "and": " and ", "or": " or ", "by": " by ", "x": " × ",
            "×": " × ", "+/-": " ± ", "±": " ± "}  # fmt: skip


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
    if name in _DATES:
        day_first = any(part.replace(" ", "").lower() in ("df=y", "df=yes", "df=1") for part in given)
        return _date(plain, day_first)
    if name in ("convert", "cvt"):
        return _measured(plain)
    if name in ("circa", "c."):
        return " ".join(["c.", *plain[:1]])
    return ""


def _date(parts: list[str], day_first: bool) -> str:
    """Year, month and day as they are shown; a date that is written out stays as it is.

    >>> _date(["1931", "5", "1"], False), _date(["1931", "05"], True), _date(["May 1, 1931"], False)
    ('May 1, 1931', 'May 1931', 'May 1, 1931')
    """
    year, month, day = [*parts, "", "", ""][:3]
    if not (year.isdecimal() and month.isdecimal() and 1 <= int(month) <= 12):
        return year
    named = _MONTHS[int(month) - 1]
    if not day.isdecimal():
        return f"{named} {year}"
    return f"{int(day)} {named} {year}" if day_first else f"{named} {int(day)}, {year}"


def _measured(parts: list[str]) -> str:
    """The given quantity without its conversion.

    >>> _measured(["412", "m", "ft", "0"]), _measured(["5", "ft", "11", "in", "m"]), _measured(["3", "-", "4", "km"])
    ('412 m', '5 ft 11 in', '3–4 km')
    """
    if len(parts) < 2:
        return "".join(parts)
    value, rest = parts[0], parts[1:]
    while len(rest) > 2 and rest[0] in _BETWEEN:
        value, rest = f"{value}{_BETWEEN[rest[0]]}{rest[1]}", rest[2:]
    shown = f"{value} {rest[0]}"
    # feet and inches, pounds and ounces; other numbers are the precision
    return f"{shown} {rest[1]} {rest[2]}" if len(rest) > 2 and rest[2] in ("in", "lb", "oz", "yd") else shown


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
