"""What a sentence leaves to be worked out: "opened in 1920, rebuilt 30 years later", "doubled from €20 million".

A claim's figure that the only figure like it disagrees with may be what comes of two things the sentence says. What
does come of them is not told here, only what may: that makes a comparison unclear.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from aver.text import find_unit
from aver.verify._figure import Figure, Range
from aver.verify._figure_outcome import alike
from aver.verify._figure_unread import ANNIVERSARY

__all__ = ["may_come_of"]

_SECONDS = Decimal(86_400)
_WEEK, _MONTH, _YEAR = Decimal(7), Decimal(28), Decimal("365.2425")
_BESIDE = re.compile(
    r"\b(?:(?:following|next|previous|preceding)|(?:an?|one|the)(?=\s\w+\s(?:later|earlier|before|after)\b))"
    r"(?=\s(?:day|week|month|year|decade)\b)",
    re.IGNORECASE,
)
"""Before a day, week or year that is counted from a date: "the following year", "a month later", "the year before"."""
_OF_AGE = re.compile(r"\b(?:aged?|old|birthday)\b", re.IGNORECASE)
"""How old somebody was leaves open in which of two years it was."""
_ONE_MORE = re.compile(
    r"\bone(?=\s(?:after|also|at|before|by|from|in|later|more|on|other|was|who)\b|[.,;]|$)"
    r"|\banother\b(?!\s\w+s\b)",
    re.IGNORECASE,
)
"""One more of the same: "two goals before the break and one after", "four were killed and another died"."""
_OFTEN = r"(?!\s(?:(?:an?|per|each|every)\s(?:hour|day|week|month|season|year)|daily|weekly|monthly|yearly)\b)"
"""Not before how often something is so: a club that meets twice a week has no more members for it."""
_TIMES = (
    (re.compile(rf"\b(?:doubl\w+|twice{_OFTEN}|twofold|halv\w+|half)\b", re.IGNORECASE), 2),
    (re.compile(rf"\b(?:tripl\w+|trebl\w+|threefold|three\stimes{_OFTEN})\b", re.IGNORECASE), 3),
    (re.compile(rf"\b(?:quadrupl\w+|fourfold|four\stimes{_OFTEN})\b", re.IGNORECASE), 4),
)
_OF = re.compile(r"\s(?:of|more|fewer|less|others?|further)\b")
_PEOPLE = frozenset(
    "person crew passenger man woman child adult boy girl soldier civilian officer worker student teacher guest "
    "visitor member inhabitant resident victim".split()
)
_OPPOSITES = tuple(map(frozenset, (("man", "woman"), ("boy", "girl"), ("adult", "child"), ("soldier", "civilian"))))
"""Of these one is never some of the other: 15 men and 10 women are not 25 men."""
_POINTS = frozenset(("percentage", "point"))
_NEAR = Decimal("0.01")
_COARSE = 6
"""From what two years leave open, five days cannot be worked out."""
_MOST = 30
"""Of a sentence with more figures nothing is worked out: by chance anything comes of two of them."""


def may_come_of(figure: Figure, evidence: str, others: Sequence[Figure]) -> bool:
    """The claim's figure may be what comes of what the sentence says; of a bounded one only sums are looked at."""
    if figure.family == "number" and (total := _total(figure, others)) is not None and total.within(figure.meant):
        return True
    if not figure.exact or len(others) > _MOST:
        return False
    if figure.family == "date":
        return any(not day.apart(figure.loose) for day in _dates(evidence, others))
    if figure.family == "time" and any(_lasts(figure, time) for time in _times(others)):
        return True
    if figure.family == "clock" or figure.value is None:
        return False
    wide = abs(figure.value) * _NEAR if figure.family not in ("number", "per cent") else Decimal(0)
    wanted = figure.fine if figure.family == "per cent" else Range(figure.value - wide, figure.value + wide)
    return any(Range(n, n).within(wanted) for n in _numbers(figure, evidence, others))


def _total(figure: Figure, others: Sequence[Figure]) -> Range | None:
    """All that the sentence counts of it: five at the scene and two more in hospital are seven."""
    parts = [o.value for o in others if o.family == "number" and o.value is not None and o.unit in ("", figure.unit)]
    total = sum(parts, Decimal(0))
    return Range(total, total) if len(parts) > 1 else None


def _dates(evidence: str, others: Sequence[Figure]) -> Iterator[Range]:
    """As far before or after a date as something lasted, or came: "in 1920 … 30 years later", "in 2020, aged 40"."""
    # at 40 in 2020: born in 1979 or 1980
    older = _YEAR if _OF_AGE.search(evidence) else Decimal(0)
    for (low, high), (days, unit) in itertools.product(_days(others), _spans(evidence, others)):
        if high - low > _WEEK:
            slack = -min(Decimal(5), days / 4)  # 30 years after 1920 is 1950, whatever the leap years
        else:
            slack = unit / 4 if unit >= _MONTH else Decimal(unit >= _WEEK)
        yield Range(low - days - slack - older, high - days + slack)
        yield Range(low + days - slack, high + days + slack + older)


def _spans(evidence: str, others: Sequence[Figure]) -> Iterator[tuple[Decimal, Decimal]]:
    """The days that something lasted, and those of the unit this is counted in."""
    for figure in others:
        if figure.family == "time" and figure.said.low is not None and figure.value:
            days = figure.said.low / _SECONDS
            yield days, min(days / abs(figure.value), _YEAR)
    for match in _BESIDE.finditer(evidence):
        unit = find_unit(evidence, match.end())
        if unit is not None:
            days = unit.factor / _SECONDS
            yield days, min(days, _YEAR)
    for match in ANNIVERSARY.finditer(evidence):
        yield int(match[1]) * _YEAR, _YEAR


def _days(others: Sequence[Figure]) -> list[tuple[Decimal, Decimal]]:
    """The first and last day of each date, also of one that something was so until or since."""
    dates = [f.fine for f in others if f.family == "date"]
    return sorted((fine.low, fine.high) for fine in dates if fine.low is not None and fine.high is not None)


def _lasts(figure: Figure, time: Range) -> bool:
    """The claim's time lies in one that two dates leave open, if they are not too far apart to tell anything of it."""
    said, low, high = figure.said.low or Decimal(0), time.low or Decimal(0), time.high or Decimal(0)
    return high - low <= _COARSE * said and not time.apart(figure.meant)


def _times(others: Sequence[Figure]) -> Iterator[Range]:
    """How many seconds may lie between two dates, or the first and the last of a time."""
    for (first, last), (begin, end) in itertools.combinations(_days(others), 2):
        yield Range(max(Decimal(0), begin - last) * _SECONDS, (end - first + 1) * _SECONDS)
    for figure in others:
        if figure.lasting and figure.said.low is not None and figure.said.high is not None:
            days = figure.said.high - figure.said.low + 1
            yield Range(max(Decimal(0), days - 2 * _YEAR) * _SECONDS, days * _SECONDS)


def _numbers(figure: Figure, evidence: str, others: Sequence[Figure]) -> Iterator[Decimal]:
    """What a number of the sentence comes to with another: that more or less, twice it, a tenth more, a share of it."""
    like = [o for o in others if alike(figure, o) and o.unit == figure.unit and o.value is not None]
    bare = [o for o in others if o.family == "number" and o.value is not None]
    shares = [o.value for o in others if o.family == "per cent" and o.value is not None]
    for one in like:
        assert one.value is not None
        beside = [o.value for o in bare if o is not one and o.value is not None and _may_add(figure, o, evidence)]
        if figure.family == "number" and _one_more(figure, evidence):
            beside.append(Decimal(1))
        for value in beside:
            yield from (one.value + value, abs(one.value - value))
        for pattern, times in _TIMES:
            if pattern.search(evidence):
                yield from (one.value * times, one.value / times)
        for share in shares if figure.family != "per cent" else ():
            part = one.value * share / 100
            yield from (part, one.value + part, one.value - part)
            if share > 0:
                yield from (one.value * 100 / share, one.value * 100 / (100 + share))
    if figure.family == "per cent":
        for some, whole in itertools.permutations(bare, 2):
            if some.value is not None and whole.value:
                yield 100 * some.value / whole.value


def _one_more(figure: Figure, evidence: str) -> bool:
    """One more of what the claim counts: "one man is shirtless while the other two men work"."""
    named = re.compile(rf"\bone\s(?:\w+\s)?{re.escape(figure.unit)}\b", re.IGNORECASE)
    return _ONE_MORE.search(evidence) is not None or named.search(evidence) is not None


def _may_add(figure: Figure, other: Figure, evidence: str) -> bool:
    """A number beside one like the claim's may be more or less of the same: "300 of its 1,500 people", "60 fewer"."""
    if figure.family == "per cent":
        return other.unit in _POINTS
    if {figure.unit, other.unit} <= _PEOPLE:
        return frozenset((figure.unit, other.unit)) not in _OPPOSITES
    return other.unit in ("", figure.unit) or other.unit.endswith(" of") or _OF.match(evidence, other.end) is not None
