"""A figure as ranges of what it leaves possible, and the words around it that bear on dates and numbers alike."""

from __future__ import annotations

import dataclasses
import re
from decimal import Decimal
from typing import NamedTuple

from aver.text import Bound
from aver.text._quantities import CUES

__all__ = ["BETWEEN", "NEAR", "Figure", "Range", "cue_before", "is_negated"]

NEAR = 60
"""How many characters before a figure are looked at for words that bear on it."""
BETWEEN = re.compile(r"\bbetween\s+(?:[^\w\s]\s?)?$", re.IGNORECASE)
_CUE = re.compile(rf"\b({'|'.join(sorted(CUES, key=len, reverse=True))})\s+$", re.IGNORECASE)
_ALL_BUT = re.compile(
    r"\b(?:all|everyone|everybody|everything|anything|nothing)\s(?:but|except(?:\sfor)?)\s$", re.IGNORECASE
)
_NOT = re.compile(
    r"(?:\b(?:not|never|cannot|without|denie[sd]|neither|nor)|n['’]t)\b(?:[\s'’]+[\w'’-]+){0,6}\s*$", re.IGNORECASE
)


class Range(NamedTuple):
    """What a figure leaves possible; None is no bound. A bound that is open excludes its own value."""

    low: Decimal | None
    high: Decimal | None
    open_low: bool = False
    open_high: bool = False

    def within(self, other: Range) -> bool:
        """All of this range lies in the other."""
        return _above(self, other) and _above(self.mirrored, other.mirrored)

    @property
    def mirrored(self) -> Range:
        """The same range seen from the other end."""
        low = None if self.high is None else -self.high
        high = None if self.low is None else -self.low
        return Range(low, high, self.open_high, self.open_low)

    def apart(self, other: Range) -> bool:
        """The two have nothing in common."""
        return _before(self, other) or _before(other, self)

    def converted(self, factor: Decimal, offset: Decimal) -> Range:
        """The same range in another unit."""
        low = None if self.low is None else self.low * factor + offset
        high = None if self.high is None else self.high * factor + offset
        return Range(low, high, self.open_low, self.open_high)


def _above(inner: Range, outer: Range) -> bool:
    """The lower bound of `inner` is not below that of `outer`."""
    if outer.low is None:
        return True
    if inner.low is None:
        return False
    return inner.low > outer.low or (inner.low == outer.low and (inner.open_low or not outer.open_low))


def _before(left: Range, right: Range) -> bool:
    if left.high is None or right.low is None:
        return False
    return left.high < right.low or (left.high == right.low and (left.open_high or right.open_low))


@dataclasses.dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a text."""

    text: str
    start: int
    end: int
    """With its cue and its unit."""
    family: str
    """`date`, `clock`, `per cent`, a currency, a dimension such as `length`, or `number`."""
    unit: str
    """A measure's unit; of a number, the beginning of what is counted."""
    said: Range
    """As the sentence of an evidence says it."""
    meant: Range
    """As a claim means it: a rounded number covers what rounds to it."""
    loose: Range
    """What a reader might let pass: used only to call a comparison unclear."""
    fine: Range
    """All that has these digits: 3.1 stands for 3.05 to 3.15."""
    decimals: int = 0
    exact: bool = True
    """No word bounds it."""
    negated: bool = False
    """A "not" or "never" stands before it."""
    value: Decimal | None = None
    """The number as it is written, without its unit; None of dates and ranges."""
    per: str = ""
    """What a rate is of: `month` of "10 euros a month"."""
    way: str = ""
    """`by` or `to`, where that stands before it: by 5 % is not to 5 %."""
    part: str = ""
    """Which part of a date is meant, where that is said and not counted: `early` of "early in May 2020"."""
    lasting: bool = False
    """It is all of the time from one date to another."""
    ranges: bool = False
    """It is all numbers from one to another, or lies somewhere there."""
    ongoing: bool = False
    """It is all of the time until a date or since one; `fine` is the date itself."""


def cue_before(text: str, start: int) -> tuple[int, Bound]:
    """Where the word before a number that bounds it begins, and how it does."""
    cue = _CUE.search(text, max(0, start - NEAR), start)
    return (start, "exact") if cue is None else (cue.start(), CUES[re.sub(r"\s+", " ", cue[1].lower())])


def is_negated(text: str, start: int) -> bool:
    """A "not" or the like stands before a figure that begins, with its cue, at `start`."""
    if _ALL_BUT.search(text, max(0, start - NEAR), start):
        return True
    # "not more than" is a bound, and not denied by its own "not"
    return _NOT.search(text[max(0, start - NEAR) : start].rpartition(",")[2]) is not None
