"""Wikitext as plain text: what a reader of the page sees, without tables, notes and pictures.

mwparserfromhell builds a tree of every page and reads 0.6 MB/s; a collection needs no tree. Whatever nests is
resolved from the inside out, so that no rule has to look past a bracket. Of the templates, those that show a number,
a date or a word are read; the others are left out.
"""

from __future__ import annotations

import html
import re

from aver.collection.readers._raised import MARKS, placed

__all__ = ["redirect_target", "strip_wikitext"]

_DEEPEST = 40
"""Nothing people write nests deeper; what still has brackets then is broken, and they are dropped."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_DROPPED = "ref|math|gallery|timeline|syntaxhighlight|source|score|imagemap|chem|graph|mapframe|templatestyles|pre"
_ALONE = re.compile(rf"<(?:{_DROPPED})\b[^<>]*/>", re.IGNORECASE)
_ELEMENT = re.compile(rf"<({_DROPPED})\b[^<>]*>(?:(?!<\1\b).)*?</\1\s*>", re.IGNORECASE | re.DOTALL)
# "<sup>[[#Notes|1]]</sup>"
_NOTE = re.compile(
    r"<sup\b(?:[^<>]{0,300}\breference\b[^<>]*>[^<>]*|[^<>]*>\s*\[\[#[^\[\]]*\]\]\s*)</sup\s*>", re.IGNORECASE
)
_PLACED = re.compile(r"<(/?)(sup|sub|s|del|strike)\b[^<>\n]{0,500}>", re.IGNORECASE)
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
_NUMBERS = frozenset({"nts", "number", "num", "numero", "formatnumber"})
_FRACTIONS = frozenset({"frac", "fraction", "sfrac", "fracn"})
_CURRENCIES = {"us$": "US$", "usd": "US$", "$": "$", "£": "£", "gbp": "£", "pound sterling": "£", "€": "€", "eur": "€",
               "euro": "€", "¥": "¥", "jpy": "¥", "cny": "CN¥", "inr": "₹", "indian rupee": "₹", "₹": "₹", "a$": "A$",
               "aud": "A$", "au$": "A$", "ca$": "C$", "c$": "C$", "cad": "C$", "nz$": "NZ$", "hk$": "HK$"}  # fmt: skip
# an age changes day by day; where it can be left out, what belongs to it is left out with it
_AGE = re.compile(r"{{\s*[Aa]ge(?:\s(?:in\s)?\w+)?\s*\|[^{}]*}}")
_AGED = re.compile(
    rf"\s?\(\s*aged?:?\s*(?P<a>{_AGE.pattern})\s*\)|(?P<b>{_AGE.pattern})(?:-year-old\s)?", re.IGNORECASE
)
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
    text = _NOTE.sub("", _ELEMENT.sub("", _ALONE.sub("", text)))
    text = _BREAK.sub("\n", text)
    text = _inside_out(_PARAMETER, "", text)
    text = _inside_out(_TEMPLATE, _template, _AGED.sub(_aged, text) if _AGE.search(text) else text)
    text = _inside_out(_TABLE, "", text)
    text = _inside_out(_LINK, _link, text)
    text = _OUTSIDE.sub(lambda found: found.group(1) or "", text)
    text = _PLACED.sub(lambda found: MARKS[found[2].lower()][bool(found[1])], text)
    text = _TAG.sub("", _LEFT_OVER.sub("", text))
    text = _MAGIC.sub("", _QUOTES.sub("", text))
    text = placed(html.unescape(text))
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
        return _date(plain, _named(given).get("df", "").lower() in ("y", "yes", "1"))
    if name in ("convert", "cvt"):
        return _measured(plain)
    if name in ("circa", "c."):
        return " ".join(["c.", *plain[:1]])
    if name == "as of":
        return _as_of(plain, _named(given))
    if name == "val" and plain:
        return _value(plain, _named(given))
    at = found.start()
    return _number(name, plain, found.string[max(at - 1, 0) : at].isdecimal())


def _named(given: list[str]) -> dict[str, str]:
    parts = (part.partition("=") for part in given)
    return {key.strip().lower(): value.strip() for key, sign, value in parts if sign}


def _number(name: str, plain: list[str], behind_digit: bool) -> str:
    """A template that shows a number; "" for any other."""
    if name.startswith("formatnum:"):
        return _grouped(name.partition(":")[2].strip(), raw=any(part.lower() in ("r", "nosep") for part in plain))
    if not plain:
        return _CURRENCIES.get(name, "")
    if name in _NUMBERS:
        return _grouped(plain[0])
    if name in _FRACTIONS and len(plain) < 4:
        # of one number it is that part, of three a whole number stands before it
        shown = " ".join([*plain[:-2], "/".join(["1", *plain][-2:])])
        return f" {shown}" if behind_digit else shown
    if name in _CURRENCIES:
        return f"{_CURRENCIES[name]}{plain[0]}"
    if name in ("e", "10^"):
        return f"{'×' if name == 'e' else ''}10^{plain[0]}"
    if name in ("sup", "sub"):
        return f"<{name}>{plain[0]}</{name}>"
    return ""


def _grouped(number: str, raw: bool = False) -> str:
    """A number as it is shown, with commas between its thousands.

    >>> _grouped("12345"), _grouped("-1234.5"), _grouped("1931", raw=True), _grouped("about 5")
    ('12,345', '-1,234.5', '1931', 'about 5')
    """
    found = None if raw else re.fullmatch(r"([-−+]?)([0-9]{1,30})(\.[0-9]+)?", number)
    return f"{found[1]}{int(found[2]):,}{found[3] or ''}" if found else number


def _value(plain: list[str], named: dict[str, str]) -> str:
    """A measured value: what it is, give or take, times a power of ten, and its unit.

    >>> _value(["5"], {"u": "km"}), _value(["6.2", "0.1"], {"e": "18"}), _value(["3", "-", "4"], {"u": "m", "up": "s"})
    ('5 km', '6.2 ± 0.1×10^18', '3–4 m/s')
    """
    shown, rest = plain[0], plain[1:]
    while len(rest) > 1 and rest[0] in _BETWEEN:
        shown, rest = f"{shown}{_BETWEEN[rest[0]]}{rest[1]}", rest[2:]
    # "(7)" is the doubt in the last digits, and two numbers are one upwards and one downwards
    if len(rest) == 1 and re.fullmatch(r"[0-9.,]+", rest[0]):
        shown += f" ± {rest[0]}"
    if power := named.get("e"):
        shown += f"×10^{power}"
    unit = (named.get("u") or named.get("ul") or "").removeprefix("[[")
    per = named.get("up") or named.get("upl") or ""
    unit += f"/{per}" if per else ""
    apart = "" if unit[:1] in ("", "%", "°", "/") else " "
    return f"{named.get('p', '')}{shown}{apart}{unit}{named.get('s', '')}"


def _as_of(plain: list[str], named: dict[str, str]) -> str:
    """Since when something holds.

    >>> _as_of(["2020", "5"], {}), _as_of(["2020"], {"lc": "y"}), _as_of(["2020", "5", "1"], {"since": "y", "df": "us"})
    ('As of May 2020', 'as of 2020', 'Since May 1, 2020')
    """
    if "alt" in named:
        return named["alt"]
    date = _date(plain, named.get("df", "").lower() != "us")
    if named.get("bare") or not date:
        return date
    words = "Since" if named.get("since") else "As of"
    return f"{words.lower() if named.get('lc') else words} {date}"


def _aged(found: re.Match[str]) -> str:
    """An age at a given day; one of today is left out, or is "…" where the sentence needs it."""
    template = found["a"] or found["b"]
    dates = [int(part) for part in re.findall(r"\|\s*(\d{1,4})\s*(?=[|}])", template)]
    if len(dates) == 6 and re.match(r"{{\s*age(?: in years)?\s*\|", template, re.IGNORECASE):
        years = dates[3] - dates[0] - (dates[4:] < dates[1:3])
        return found.group().replace(template, str(years))
    return "" if found["a"] or found.group() != template else "…"


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
