"""What may be a number in a sentence and is not read as a figure: "'94", "three o'clock", "a decade", "5,5", "dozens".

A claim's figure that only *another* figure of the sentence disagrees with may well be one of these. They are never what
a claim agrees or disagrees with: they say that it is unclear.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from aver.text import find_unit
from aver.text._quantities import MONTHS, ODD_LETTERS, SCALES, WORDS
from aver.verify._figure import Figure, Range
from aver.verify._numbered import numbered_subject

__all__ = ["ANNIVERSARY", "Unread", "find_unread", "may_be"]

_WORD = "|".join(sorted(WORDS, key=len, reverse=True))
_MONTH_NUMBERS = {month[:3]: number for number, month in enumerate(MONTHS, 1)}
_MONTH = "|".join(f"{month[:3]}(?:{month[3:]})?" for month in MONTHS)
_NUMBER = re.compile(
    rf"(?<![\w.,/'’‘])(?<![^\W\d_]-)(?:(?P<digits>\d+(?:[.,]\d+)*)|(?P<word>{_WORD})\b)"
    r"(?!\d|/|st\b|nd\b|rd\b|th\b)(?:[\s-](?P<scale>hundred|thousand|million|billion|trillion)\b)?",
    re.IGNORECASE,
)
"""Not the number of a code ("COVID-19", "B52"), a rank ("12th") or a mark ("7.5/10")."""
_DECADES = "twenties thirties forties fifties sixties seventies eighties nineties".split()
_TENS = "|".join(word for word, worth in WORDS.items() if worth >= 20)
_TEENS = "|".join(word for word, worth in WORDS.items() if 10 <= worth < 20)
_ONES = "|".join(word for word, worth in WORDS.items() if 1 <= worth < 10)
_DAY = re.compile(rf"\b(?:{_MONTH})\.?\s$"), re.compile(rf"\s(?:of\s)?(?:{_MONTH})\b")
"""Around the day of a month."""
_DAY_ALONE = re.compile(
    rf"\b(?P<month>{_MONTH})\.?\s(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\w:]|[.,]\d)"
    rf"|(?<![\w.,:])(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<month2>{_MONTH})\b"
    rf"|\b(?i:in|of|early|late|since|until|by)\s(?P<month3>{_MONTH})\b"
    r"|\b(?i:the)\s(?P<day3>\d{1,2})(?:st|nd|rd|th)\b(?!\s?[^\W_])"
)
"""A day or month without its year, "on 4 March", "in June", or without its month, "on the 22nd"."""
_YEAR = re.compile(r"(?<!\d)(?:1\d{3}|20\d\d)(?!\d)")
_SHORT_DATE = re.compile(
    r"(?<![\d/.-])\d{1,2}(?P<sign>[/.-])\d{1,2}(?P=sign)(?P<year>\d\d)(?![\d/]|[.-]\d)"
    r"|(?<!\d)(?P<whole>(?:1[89]|20)\d\d)(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)"
)
"""A date in figures alone: "11/09/01", "20010911"."""
_SHORT_YEAR = re.compile(r"(?<!\w)['’‘](\d\d)(?!\w)")
_DECADE = re.compile(
    rf"(?<!\w)['’‘](?P<digits>\d)0s\b|\b(?i:the\s(?:\w+\s)?|nineteen[ -])(?P<word>{'|'.join(_DECADES)})\b"
)
_SPELLED_YEAR = re.compile(
    rf"\b(?P<century>seventeen|eighteen|nineteen|twenty)[ -](?P<tens>{_TENS}|{_TEENS})(?:[ -](?P<ones>{_ONES}))?\b"
    r"(?!\s(?:thousand|million|billion))",
    re.IGNORECASE,
)
ANNIVERSARY = re.compile(r"\b(\d{1,3})(?:st|nd|rd|th)\s(?:birthday|anniversary)\b", re.IGNORECASE)
_CLOCK = re.compile(
    rf"\b(?P<hour>\d{{1,2}}|{_WORD})\s?o['’]\s?clock\b|(?<![\w:.])(?P<hour2>\d{{1,2}})[:.h](?P<minute>[0-5]\d)(?![\w:])"
    rf"|\b(?:(?P<half>half)\spast|(?P<quarter>quarter)\s(?P<way>past|to))\s(?P<hour3>\d{{1,2}}|{_WORD})\b"
    r"|\b(?P<noon>noon|midday|midnight)\b",
    re.IGNORECASE,
)
_ONE = re.compile(r"\b(?:(?:an?|one|the\s(?:first|last|past|whole))\b|(?P<half>half)(?=[\s-]))", re.IGNORECASE)
_AND_A_HALF = re.compile(r"\b(?=[a-z]+-and-a-half\b)", re.IGNORECASE)
_FORTNIGHT = re.compile(r"\b(?:an?|one)\sfortnight\b", re.IGNORECASE)
_SOME_TIME = re.compile(r"\b(decade|centurie|year|month|week|day|hour|minute)s\b", re.IGNORECASE)
_FEET = re.compile(r"(?<![\w.])(?P<feet>\d)\s?['’′]\s?(?:(?P<inches>\d{1,2})\s?(?:[\"”″]|''|’’)?)?(?!\w)")
_SHARE = re.compile(
    r"(?<![\w./])(?P<part>\d{1,2})/(?P<whole>\d{1,3})(?=\sof\b)|(?P<sign>[¼½¾⅓⅔])(?=\s?of\b)"
    r"|(?<![\w./])(?P<one>\d\d)/(?P<other>\d\d)(?![\w/]|[.,]\d)"
    r"|(?P<points>\d{1,4})\sbasis\spoints\b"
)
_SIGNS = {"¼": 25, "½": 50, "¾": 75, "⅓": 33, "⅔": 67}
_HALF = re.compile(r"\b(?:half|majority)\b", re.IGNORECASE)
_VAGUE = re.compile(
    r"\b(?P<tens>tens\sof\s|dozens\sof\s|hundreds\sof\s)?(?P<many>dozens|hundreds|thousands|millions|billions"
    r"|couple|pair|trio|several|few|dozen)\b",
    re.IGNORECASE,
)
_MANY = {
    "couple": (2, 3), "pair": (2, 2), "trio": (3, 3), "several": (3, 9), "few": (2, 9), "dozen": (12, 12),
    "dozens": (13, 200), "hundreds": (100, 9_999), "thousands": (1_000, 999_999),
    "millions": (10**6, 10**9), "billions": (10**9, 10**12),
}  # fmt: skip
_LONGEST_MONTH = 31
_HALF_A_DAY = 12 * 60
_NEAR = Decimal("0.02")
_HUNDRED, _A_POINT = 100, Decimal("0.5")
_PART, _YEAR_LONG = Decimal("0.1"), 31_556_952


class Unread(NamedTuple):
    """What may be a number: the kinds of figures it may be, and where its value then lies."""

    families: tuple[str, ...]
    """None stands for any but dates and hours; `year` is a date that is written as a year, `day` one without it, as 100
    times the month and the day."""
    values: tuple[Range, ...]


def find_unread(text: str, figures: Sequence[Figure]) -> list[Unread]:
    """What may be a number and is no part of a figure.

    >>> [found.families for found in find_unread("Released in '94, it ran for a decade.", [])]
    [('date',), ('time',)]
    """
    text = text.translate(ODD_LETTERS)
    named = numbered_subject(text)
    # the "three" of "three o'clock" is read, but not as what it is
    taken = [(f.start, f.end, f.family == "number") for f in figures]
    taken += [(*named.span, False)] if named is not None else []
    found = [*_dates(text), *_clock(text), *_measures(text), *_numbers(text)]
    return [
        what
        for start, end, what in found
        if not any(a < end and start < b and not (bare and what.families) for a, b, bare in taken)
    ]


def may_be(figure: Figure, unread: Iterable[Unread]) -> bool:
    """One of them may be what a claim's figure is about."""
    return any(_may_be(figure, other) for other in unread)


def _may_be(figure: Figure, other: Unread) -> bool:
    if "year" in other.families:
        # of the years of a sentence, most are before or after another
        return figure.family == "date" and (figure.exact or figure.lasting) and not other.values[0].apart(figure.loose)
    if "day" in other.families:
        return any(_in_its_year(figure, value) for value in other.values)
    if other.families:
        return figure.family in other.families and any(not value.apart(figure.loose) for value in other.values)
    if figure.family in ("date", "clock"):
        return False
    return any(Range(n, n).within(value) for n in _written(figure) for value in other.values)


def _in_its_year(figure: Figure, days: Range) -> bool:
    """A day or month without a year, in that of a claim's date which has a month."""
    first, last = figure.fine.low, figure.fine.high
    if figure.family != "date" or not figure.exact or first is None or last is None or first < 1:
        return False
    if last - first > _LONGEST_MONTH:
        return False
    year = datetime.date.fromordinal(int(first)).year
    try:
        begin, end = (datetime.date(year, int(day) // 100, int(day) % 100) for day in (days.low or 0, days.high or 0))
    except ValueError:
        return False
    return not Range(Decimal(begin.toordinal()), Decimal(end.toordinal())).apart(figure.loose)


def _written(figure: Figure) -> set[Decimal]:
    """The number of a figure as it is written, whatever its unit; of a range both."""
    if figure.value is not None:
        return {figure.value}
    return {n for match in _NUMBER.finditer(figure.text) for n in _worths(match)}


_Found = Iterator[tuple[int, int, Unread]]


def _point(value: Decimal | int) -> Range:
    return Range(Decimal(value), Decimal(value))


def _days(year: int) -> Range:
    first, last = datetime.date(year, 1, 1), datetime.date(year, 12, 31)
    return Range(Decimal(first.toordinal()), Decimal(last.toordinal()))


def _dates(text: str) -> _Found:
    for match in _YEAR.finditer(text):
        yield *match.span(), Unread(("year",), (_days(int(match[0])),))
    for match in _SHORT_YEAR.finditer(text):
        yield *match.span(), Unread(("date",), tuple(_days(century + int(match[1])) for century in (1800, 1900, 2000)))
    for match in _SHORT_DATE.finditer(text):
        for year in (
            (int(match["whole"]),) if match["whole"] else (1900 + int(match["year"]), 2000 + int(match["year"]))
        ):
            yield *match.span(), Unread(("year",), (_days(year),))
    for match in _DECADE.finditer(text):
        tens = int(match["digits"]) if match["digits"] else _DECADES.index(match["word"]) + 2
        decades = ((_days(c + 10 * tens), _days(c + 10 * tens + 9)) for c in (1700, 1800, 1900, 2000))
        yield *match.span(), Unread(("date",), tuple(Range(first.low, last.high) for first, last in decades))
    for match in _SPELLED_YEAR.finditer(text):
        century, tens, ones = (WORDS[(word or "zero").lower()] for word in match.group("century", "tens", "ones"))
        yield *match.span(), Unread(("date",), (_days(100 * century + tens + ones),))
    for match in _DAY_ALONE.finditer(text):
        month = match["month"] or match["month2"] or match["month3"]
        day = int(match["day"] or match["day2"] or match["day3"] or 0)
        numbers = range(1, 13) if month is None else (_MONTH_NUMBERS[month[:3]],)
        ends = (day, day) if day else (1, 28)
        values = tuple(Range(Decimal(100 * number + ends[0]), Decimal(100 * number + ends[1])) for number in numbers)
        yield *match.span(), Unread(("day",), values)


def _clock(text: str) -> _Found:
    """Hours that do not say which half of the day they are of."""
    for match in _CLOCK.finditer(text):
        said = (match["hour"] or match["hour2"] or match["hour3"] or "12").lower()
        at = 60 * (int(said) if said.isdecimal() else WORDS[said]) + int(match["minute"] or 0)
        at += 30 if match["half"] else 0 if not match["quarter"] else 15 if match["way"].lower() == "past" else -15
        both = at % _HALF_A_DAY, at % _HALF_A_DAY + _HALF_A_DAY
        yield *match.span(), Unread(("clock",), tuple(map(_point, both)))


def _measures(text: str) -> _Found:
    """ "A decade", "half-hour", "years", "6'2", "half the voters"."""
    for match in _ONE.finditer(text):
        unit = find_unit(text, match.end())
        if unit is not None:
            value = unit.factor / 2 if match["half"] else unit.factor
            around = Range(value * (1 - _NEAR), value * (1 + _NEAR))
            yield match.start(), unit.end, Unread((unit.dimension,), (around,))
    for match in _AND_A_HALF.finditer(text):
        unit = find_unit(text, match.start())
        if unit is not None:
            yield match.start(), unit.end, Unread((unit.dimension,), (_point(unit.factor * 3 / 2),))
    for match in _FORTNIGHT.finditer(text):
        yield *match.span(), Unread(("time",), (_point(14 * 86_400),))
    for match in ANNIVERSARY.finditer(text):
        years = Decimal(match[1])
        yield *match.span(), Unread(("time",), (Range((years - _PART) * _YEAR_LONG, (years + _PART) * _YEAR_LONG),))
    for match in _SOME_TIME.finditer(text):
        unit = find_unit(match[0], 0)
        if unit is not None:
            yield *match.span(), Unread(("time",), (Range(2 * unit.factor, 10 * unit.factor),))
    for match in _FEET.finditer(text):
        inches = 12 * int(match["feet"]) + int(match["inches"] or 0)
        value = inches * Decimal("0.0254")
        yield *match.span(), Unread(("length",), (Range(value * (1 - _NEAR), value * (1 + _NEAR)),))
    for match in _SHARE.finditer(text):
        if match["one"] and int(match["one"]) + int(match["other"]) != _HUNDRED:
            continue
        yield *match.span(), Unread(("per cent",), (Range(_share(match) - _A_POINT, _share(match) + _A_POINT),))
    for match in _HALF.finditer(text):
        most = match[0].lower() == "majority"
        yield *match.span(), Unread(("per cent",), (Range(Decimal(50), Decimal(99) if most else Decimal(50)),))


def _share(match: re.Match[str]) -> Decimal:
    """ "3/4", "60/40", "¾ of", "300 basis points" as per cent."""
    if match["points"] or match["sign"]:
        return Decimal(match["points"]) / _HUNDRED if match["points"] else Decimal(_SIGNS[match["sign"]])
    if match["one"]:
        return Decimal(match["one"])
    return Decimal(_HUNDRED * int(match["part"])) / (int(match["whole"]) or 1)


def _numbers(text: str) -> _Found:
    """Numbers whose unit or whose spelling is not read; of what, is not known."""
    for match in _NUMBER.finditer(text):
        day = _DAY[0].search(text, max(0, match.start() - 12), match.start()) or _DAY[1].match(text, match.end())
        if not day:
            yield *match.span(), Unread((), tuple(map(_point, _worths(match))))
    for match in _VAGUE.finditer(text):
        low, high = _MANY[match["many"].lower()]
        if match["tens"]:
            low, high = 10 * low, 1_000 * high
        yield *match.span(), Unread((), (Range(Decimal(low), Decimal(high)),))


def _worths(match: re.Match[str]) -> set[Decimal]:
    """What a number may be worth: 5.000 five or five thousand, 5,5 five and a half."""
    digits, scale = match["digits"], SCALES.get((match["scale"] or "").lower(), 1)
    if not digits:
        base = {Decimal(WORDS[match["word"].lower()])}
    else:
        whole, _, part = digits.replace(",", ".").rpartition(".")
        base = {Decimal(re.sub(r"[.,]", "", digits))} if len(part) == 3 or not whole else set()
        if whole.isdecimal():
            base.add(Decimal(f"{whole}.{part}"))
    return base | {scale * n for n in base}
