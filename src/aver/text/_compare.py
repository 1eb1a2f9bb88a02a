"""How the numbers and dates of an evidence compare with those of a claim, as marks for a model to read.

A word-piece encoder sees "99,274,467" as nine unrelated pieces and can't tell that it is more than "90 million".
So the comparison is done here, by rule, and handed to the model as marks behind the numbers: the first four
figures of the claim are lettered a–d, and each figure of the evidence that can be compared with one of them gets
a mark for the letter and the relation. Only like is compared with like: money with money, per cent with per cent,
dates with dates (at the coarser of the two granularities), ranks with ranks, lengths with lengths, whichever their
units ("5 km" equals "3.1 miles"), and so with other measures; numbers without a unit with each other.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from aver.text._periods import find_periods
from aver.text._quantities import MONTHS, ODD_LETTERS, WORDS, find_dates, find_quantities
from aver.text._units import find_unit

__all__ = ["MARKS", "Mark", "compare_figures", "mark_places"]

LETTERS = 4
RELATIONS = ("far below", "below", "equal", "above", "far above")
MARKS = LETTERS * (1 + len(RELATIONS))
"""How many different marks there are: four letters, and five relations to each."""

_RANKS = {
    word: n
    for n, word in enumerate(
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"], 1
    )
}
_MONTH = "|".join(MONTHS)
_DAY = re.compile(
    rf"\b(?P<m1>{_MONTH})\s(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\b|\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m2>{_MONTH})\b"
)
_RATING = re.compile(r"(?<![\w/])(\d+(?:\.\d+)?)\s?/\s?(5|10|100)(?![\w/])")
_RANK = re.compile(r"\b(?:(\d{1,4})(?:st|nd|rd|th)|(" + "|".join(_RANKS) + r"))\b", re.IGNORECASE)


# Most pairs have no figure on one of the sides: a quick look saves reading both closely.
_HINT = re.compile(r"\d|\bcentury|\b(?:" + "|".join([*_RANKS, *list(WORDS)[2:]]) + r")", re.IGNORECASE)


class Mark(NamedTuple):
    """A mark and the character behind which it belongs. 0–3 letter a claim's figures; then come the relations."""

    end: int
    mark: int
    start: int = 0
    """Where its figure begins, which ends at `end`: a number and its unit."""


_Value = Decimal | tuple[int, ...]


class _Figure(NamedTuple):
    start: int
    end: int
    family: str
    value: _Value
    unit: str = ""
    written: _Value | None = None
    """The number beside its unit, as it stands there."""
    years: tuple[int, int] | None = None
    """The first and last year of a decade or century, which are dates too."""
    around: tuple[int, int] | None = None
    """… and of all that it may be taken for: of "the late 1990s" the decade, of "the 1900s" the century."""


def compare_figures(
    claim: str, evidence: str, *, units: bool = True, periods: bool = True
) -> tuple[list[Mark], list[Mark]]:
    """The marks of a claim and of an evidence, in reading order; both empty where nothing can be compared.

    Without `units` a measure is a number like any other, and without `periods` a decade or a century is nothing to
    compare, as for models that learnt it so.

    >>> claim, evidence = compare_figures("It made more than $ 90 million .", "The film grossed $ 99,274,467 in 1999 .")
    >>> claim, [(mark.end, describe(mark.mark)) for mark in evidence]
    ([Mark(end=30, mark=0, start=18)], [(29, 'above a')])
    """
    theirs = _figures(claim, units, periods)[:LETTERS] if _HINT.search(claim) and _HINT.search(evidence) else ()
    if not theirs:
        return [], []
    marks: list[Mark] = []
    used: set[int] = set()
    for figure in _figures(evidence, units, periods):
        for letter, other in enumerate(theirs):
            relation = _compared(figure, other)
            if relation is not None:
                marks.append(Mark(figure.end, LETTERS + letter * len(RELATIONS) + relation, figure.start))
                used.add(letter)
    return [Mark(figure.end, letter, figure.start) for letter, figure in enumerate(theirs) if letter in used], marks


def mark_places(offsets: Sequence[tuple[int, int]], marks: Sequence[Mark]) -> list[int]:
    """For each mark the token it stands before: the first that begins behind the figure, or none (their number).

    >>> mark_places([(0, 2), (3, 5), (6, 7)], [Mark(5, 0), Mark(7, 1)])
    [2, 3]
    """
    starts = [start for start, _ in offsets]
    return [next((at for at, start in enumerate(starts) if start >= mark.end), len(starts)) for mark in marks]


def describe(mark: int) -> str:
    """A mark in words, for people.

    >>> describe(0), describe(6)
    ('a', 'equal a')
    """
    if mark < LETTERS:
        return "abcd"[mark]
    letter, relation = divmod(mark - LETTERS, len(RELATIONS))
    return f"{RELATIONS[relation]} {'abcd'[letter]}"


@functools.lru_cache(maxsize=4096)  # a claim meets many evidences, an evidence many claims
def _figures(text: str, units: bool, periods: bool) -> tuple[_Figure, ...]:
    figures = [_Figure(date.start, date.end, "date", date.key) for date in find_dates(text)]
    for period in find_periods(text) if periods else ():
        around = period.earliest, period.latest
        # "the 1900s" may be a decade or a century: what lies within the century may well be meant
        years = around if period.last - period.first == 9 else (period.first, period.last)
        figures.append(_Figure(period.start, period.end, "date", (period.first,), years=years, around=around))

    def free(match: re.Match[str]) -> bool:
        return not any(figure.start < match.end() and match.start() < figure.end for figure in figures)

    for match in filter(free, _DAY.finditer(text)):
        # without a year: comparable with the month and day of a full date
        month, day = match["m1"] or match["m2"], match["d1"] or match["d2"]
        figures.append(_Figure(match.start(), match.end(), "day", (MONTHS.index(month) + 1, int(day))))
    for match in filter(free, _RATING.finditer(text)):
        figures.append(_Figure(match.start(), match.end(), f"out of {match[2]}", Decimal(match[1])))
    for q in find_quantities(text):
        unit = find_unit(text, q.end, q.start) if units and not (q.currency or q.percent) else None
        if unit is not None:
            value = q.value * unit.factor + unit.offset
            figures.append(_Figure(q.start, unit.end, unit.dimension, value, unit.name, q.value))
            continue
        family = "money" if q.currency else "per cent" if q.percent else "number"
        figures.append(_Figure(q.start, q.end, family, q.value))
    for match in filter(free, _RANK.finditer(text)):
        rank = int(match[1]) if match[1] else _RANKS[match[2].lower().translate(ODD_LETTERS)]
        figures.append(_Figure(match.start(), match.end(), "rank", Decimal(rank)))
    return tuple(sorted(figures, key=lambda figure: figure[:3]))


def _compared(figure: _Figure, other: _Figure) -> int | None:
    """How a figure of the evidence compares with one of the claim; None where it does not."""
    if figure.family == other.family == "date" and (figure.years or other.years):
        return _placed(figure, other)
    values = _comparable(figure, other)
    return None if values is None else _relation(*values, converted=figure.unit != other.unit)


def _placed(figure: _Figure, other: _Figure) -> int | None:
    """How a date of the evidence lies to one of the claim, where one of them is a decade or a century."""
    (first, last), (begin, end) = _years(figure), _years(other)
    earliest, latest = figure.around or (first, last)
    opening, closing = other.around or (begin, end)
    if latest < opening:
        return 1 if opening - latest == 1 else 0
    if earliest > closing:
        return 3 if earliest - closing == 1 else 4
    # all of it within what the claim names; a century in the evidence tells no year, and no decade
    return 2 if other.years and begin <= first and last <= end else None


def _years(figure: _Figure) -> tuple[int, int]:
    if figure.years is not None:
        return figure.years
    assert isinstance(figure.value, tuple)
    return figure.value[0], figure.value[0]


def _comparable(figure: _Figure, other: _Figure) -> tuple[_Value, _Value] | None:
    if figure.family == other.family:
        if figure.unit == other.unit and figure.written is not None and other.written is not None:
            return figure.written, other.written
        return figure.value, other.value
    left, right = figure.value, other.value
    if {figure.family, other.family} == {"date", "day"} and isinstance(left, tuple) and isinstance(right, tuple):
        if len(left) != 2 and len(left) + len(right) == 5:
            return left[1:], right
        if len(right) != 2 and len(left) + len(right) == 5:
            return left, right[1:]
    return None


def _relation(value: _Value, other: _Value, *, converted: bool = False) -> int:
    if isinstance(value, tuple) and isinstance(other, tuple):
        shared = min(len(value), len(other))
        left, right = value[:shared], other[:shared]
        if left == right:
            return 2
        near = left[0] == right[0] or (shared == 1 and abs(left[0] - right[0]) <= 1)
        return (1 if near else 0) if left < right else (3 if near else 4)
    assert isinstance(value, Decimal)
    assert isinstance(other, Decimal)
    # what is converted is rounded: 5 km are 3.1 miles
    if value == other or (converted and abs(value - other) * 50 <= max(abs(value), abs(other))):
        return 2
    near = abs(value - other) * 10 <= max(abs(value), abs(other))
    return (1 if near else 0) if value < other else (3 if near else 4)
