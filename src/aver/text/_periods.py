"""Decades and centuries as years: "the 1990s", "the late 1800s", "the 19th century", "the early twentieth century"."""

from __future__ import annotations

import re
from typing import NamedTuple

from aver.text._quantities import ODD_LETTERS

__all__ = ["Period", "find_periods"]

_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth twenty-first"
).split()
_PART = r"(?:(?P<part>early|mid|late)[ -])?"
_DECADE = re.compile(rf"\b(?:the )?{_PART}(?P<year>1\d\d0|20\d0)s\b")
_CENTURY = re.compile(
    rf"\b{_PART}(?:(?P<number>\d{{1,2}})(?:st|nd|rd|th)|(?P<word>{'|'.join(reversed(_ORDINALS))}))[ -]century\b"
    r"(?! B\.?C)",
    re.IGNORECASE,
)
_TENTHS = {"early": (0, 4), "mid": (3, 7), "late": (6, 10)}


class Period(NamedTuple):
    """A decade or a century: where it stands in a text, and its years."""

    start: int
    end: int
    first: int
    last: int
    """The years it speaks of; of "the late 1990s" from 1996 on."""
    earliest: int
    latest: int
    """The years a reader might let pass: all of the decade or century, and of "the 1900s" the whole century."""


def find_periods(text: str) -> list[Period]:
    """The decades and centuries of a text, in reading order.

    >>> find_periods("from the 1950s on")
    [Period(start=5, end=14, first=1950, last=1959, earliest=1950, latest=1959)]
    >>> [(p.first, p.last) for p in find_periods("in the 19th century, or the late twentieth century")]
    [(1800, 1900), (1960, 2000)]
    """
    if "0s" not in text and "entury" not in text and "ENTURY" not in text:
        return []
    text = text.translate(ODD_LETTERS)
    found = []
    for match in _DECADE.finditer(text):
        year = int(match["year"])
        # "the 1600s" are a century, "the 1900s" and "the 2000s" may be one
        wide = 100 if year % 100 == 0 else 10
        tenth = 10 if wide == 100 and year < 1900 else 1
        first, after = _TENTHS.get((match["part"] or "").lower(), (0, 10))
        found.append(
            Period(*match.span(), year + first * tenth, year + after * tenth - 1, year, year + wide - 1)
        )
    for match in _CENTURY.finditer(text):
        number = int(match["number"]) if match["number"] else _ORDINALS.index(match["word"].lower()) + 1
        if 1 <= number <= 21:
            # people count from 1800 as well as from 1801
            begin = 100 * number - 100
            first, after = _TENTHS.get((match["part"] or "").lower(), (0, 10))
            found.append(
                Period(*match.span(), max(1, begin + 10 * first), begin + 10 * after, max(1, begin), begin + 100)
            )
    return sorted(found)
