"""Numbers and dates of a claim held against those of a sentence, by rule.

Every figure says something about where a value lies: "over 90 million" anything above, "about 40" a tenth either
way, "1987" some day of that year, "before 1990" any day until then. A claim's figure *agrees* with a sentence's where
all that the sentence leaves possible is what the claim says, *disagrees* where none of it is, and is *unclear*
otherwise: "in 1987" does not settle "in May 1987". Only like is compared with like: money in one currency, per cent,
dates, and numbers of the same thing.
"""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Literal, NamedTuple

from aver.text import Bound, Date, Quantity, find_dates, find_quantities

__all__ = ["Comparison", "FigureCheck", "check_figures"]

Outcome = Literal["agrees", "disagrees", "unclear"]

_WHEN = re.compile(
    r"\b(before|prior to|earlier than|until|by|after|since|following|later than)\s+(?:the\s+)?(?:end of\s+)?$",
    re.IGNORECASE,
)
# Cues that stand further from the number, or are said of ratings and sizes: find_quantities reads the common ones.
_THAN = re.compile(
    r"\b(?:(?P<above>more|higher|greater|larger|bigger|longer|better|later)|(?P<below>less|fewer|lower|smaller|shorter|worse))"
    r"\s+than(?:\s+(?:of|a|US|the))*\s*(?:[^\w\s]|US|Rs\.?)?\s*$"
    r"|\b(?:(?P<least>minimum|at least)|(?P<most>maximum|at most))\s+(?:of\s+)?(?:[^\w\s]\s*)?$",
    re.IGNORECASE,
)
_UNIT = re.compile(r"[\s-]*(?:of\s+)?(?:the\s+)?([^\W\d_]{2,})(?:[\s-]+([^\W\d_]{2,}))?")
_EMPTY_UNITS = frozenset(
    "and or in of to by on at for as from with the an is was were are than that which who more less per over under "
    "between during after before while when where since until but".split()
)
_ABOUT = Decimal("0.1")
_ROUND = 3
"""From so many trailing zeros on (or with a word such as million) a number is taken to be rounded."""


class _Range(NamedTuple):
    """What a figure leaves possible; None is no bound. A bound that is open excludes its own value."""

    low: Decimal | None
    high: Decimal | None
    open_low: bool = False
    open_high: bool = False

    def within(self, other: _Range) -> bool:
        return _above(self, other) and _above(other.mirrored, self.mirrored, turned=True)

    @property
    def mirrored(self) -> _Range:
        low = None if self.high is None else -self.high
        high = None if self.low is None else -self.low
        return _Range(low, high, self.open_high, self.open_low)

    def apart(self, other: _Range) -> bool:
        return _before(self, other) or _before(other, self)


def _above(inner: _Range, outer: _Range, *, turned: bool = False) -> bool:
    """The lower bound of `inner` is not below that of `outer` (turned: the arguments come mirrored and swapped)."""
    if turned:
        inner, outer = outer, inner
    if outer.low is None:
        return True
    if inner.low is None:
        return False
    return inner.low > outer.low or (inner.low == outer.low and (inner.open_low or not outer.open_low))


def _before(left: _Range, right: _Range) -> bool:
    if left.high is None or right.low is None:
        return False
    return left.high < right.low or (left.high == right.low and (left.open_high or right.open_low))


class _Figure(NamedTuple):
    text: str
    family: str
    unit: str
    said: _Range
    """As the sentence of an evidence says it."""
    meant: _Range
    """As a claim means it: a rounded number covers what rounds to it."""
    loose: _Range
    """What a reader might let pass: used only to call a comparison unclear."""


@dataclasses.dataclass(frozen=True, slots=True)
class Comparison:
    """One figure of the claim and one of the sentence."""

    claim: str
    evidence: str
    kind: str
    """`number`, `per cent`, `date`, or a currency."""
    outcome: Outcome

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self)


@dataclasses.dataclass(frozen=True, slots=True)
class FigureCheck:
    """All comparisons of one sentence, and what they come to."""

    outcome: Outcome | None
    """None where nothing could be compared."""
    comparisons: tuple[Comparison, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {"outcome": self.outcome, "comparisons": [c.as_dict() for c in self.comparisons]}


def check_figures(claim: str, evidence: str) -> FigureCheck:
    """Compares the numbers and dates of a claim with those of a sentence.

    A figure of the claim agrees where some figure of the sentence agrees with it; it disagrees where there is just
    one to compare it with, that disagrees, and no other number of the sentence would fit: of several, another may be
    meant. The whole agrees where every figure that could be compared does, and disagrees where one does.

    >>> check_figures("It sold more than 90 million tickets.", "It sold 99,274,467 tickets in 1999.").outcome
    'agrees'
    >>> found = check_figures("The bridge opened before 1930.", "The bridge opened in May 1931.")
    >>> found.outcome, found.comparisons
    ('disagrees', (Comparison(claim='before 1930', evidence='May 1931', kind='date', outcome='disagrees'),))
    >>> check_figures("It opened in May 1987.", "It opened in 1987.").outcome
    'unclear'
    >>> check_figures("It has 12 rooms.", "It has 40 windows.").outcome is None
    True
    """
    theirs = list(_figures(evidence))
    comparisons: list[Comparison] = []
    outcomes: list[Outcome] = []
    for figure in _figures(claim):
        like = [other for other in theirs if _alike(figure, other)]
        if not like:
            continue
        judged = [_outcome(figure, other) for other in like]
        fits = any(_outcome(figure, other) == "agrees" for other in theirs if other.family == figure.family)
        comparisons += [
            Comparison(figure.text, other.text, figure.family, outcome)
            for other, outcome in zip(like, judged, strict=True)
        ]
        if "agrees" in judged:
            outcomes.append("agrees")
        else:
            outcomes.append("disagrees" if judged == ["disagrees"] and not fits else "unclear")
    if not outcomes:
        return FigureCheck(None)
    whole: Outcome = "disagrees" if "disagrees" in outcomes else "unclear" if "unclear" in outcomes else "agrees"
    return FigureCheck(whole, tuple(comparisons))


def _alike(figure: _Figure, other: _Figure) -> bool:
    if figure.family != other.family:
        return False
    return figure.family != "number" or (figure.unit == other.unit and bool(figure.unit))


def _outcome(claim: _Figure, evidence: _Figure) -> Outcome:
    if evidence.said.within(claim.meant):
        return "agrees"
    return "disagrees" if evidence.said.apart(claim.loose) and evidence.loose.apart(claim.meant) else "unclear"


def _figures(text: str) -> Iterator[_Figure]:
    for date in find_dates(text):
        found = _date(text, date)
        if found is not None:
            yield found
    for quantity in find_quantities(text):
        yield _quantity(text, quantity)


def _date(text: str, date: Date) -> _Figure | None:
    try:
        first = datetime.date(date.year, date.month or 1, date.day or 1)
        if date.day is not None:
            last = first
        else:
            year, month = (date.year, date.month + 1) if date.month and date.month < 12 else (date.year + 1, 1)
            last = datetime.date(year, month, 1) - datetime.timedelta(days=1)
    except ValueError:
        return None
    low, high = Decimal(first.toordinal()), Decimal(last.toordinal())
    # some patterns of dates take the cue's place into the match; look before it
    cue = _WHEN.search(text, 0, date.start)
    said = _Range(low, high)
    words = text[date.start : date.end]
    if cue is not None:
        words = f"{cue[1]} {words}"
        match cue[1].lower():
            case "before" | "prior to" | "earlier than":
                said = _Range(None, low, open_high=True)
            case "until" | "by":
                said = _Range(None, high)
            case "since":
                said = _Range(low, None)
            case _:
                said = _Range(high, None, open_low=True)
    return _Figure(words, "date", "", said, said, said)


def _quantity(text: str, quantity: Quantity) -> _Figure:
    value = quantity.value
    words = " ".join(text[quantity.cue_start : quantity.end].split())
    family = quantity.currency.strip() or ("per cent" if quantity.percent else "number")
    exact = _Range(value, value)
    step = _step(quantity)
    rounded = _Range(value - step / 2, value + step / 2, open_high=True)
    is_round = bool(quantity.scale) or step >= 10**_ROUND
    tenth = abs(value) * _ABOUT
    near = _Range(value - tenth, value + tenth)
    bound, cue = _bound(text, quantity)
    words = f"{cue}{words}"
    match bound:
        case "above":
            ranges = (_Range(value, None, open_low=True),) * 2 + (_Range(value, None),)
        case "at least":
            ranges = (_Range(value, None),) * 3
        case "below":
            ranges = (_Range(None, value, open_high=True),) * 2 + (_Range(None, value),)
        case "at most":
            ranges = (_Range(None, value),) * 3
        case "about":
            ranges = (near,) * 3
        case _:
            ranges = (exact, rounded if is_round else exact, rounded)
    unit = "" if family != "number" else _unit(text, quantity.end)
    return _Figure(words, family, unit, *ranges)


def _bound(text: str, quantity: Quantity) -> tuple[Bound, str]:
    """The quantity's bound, and the words that say it where they are not part of the quantity."""
    if quantity.bound != "exact":
        return quantity.bound, ""
    match = _THAN.search(text, max(0, quantity.start - 40), quantity.start)
    if match is None:
        return "exact", ""
    names: dict[str, Bound] = {"above": "above", "below": "below", "least": "at least", "most": "at most"}
    return next(names[name] for name, found in match.groupdict().items() if found), f"{match[0].strip()} "


def _step(quantity: Quantity) -> Decimal:
    """The worth of the last digit that is not nought: 100 for 1,200, a tenth of a million for 1.2 million."""
    value = quantity.value.normalize()
    exponent = value.as_tuple().exponent
    step = Decimal(10) ** (exponent if isinstance(exponent, int) else 0)
    if quantity.scale and quantity.decimals:
        return min(step, abs(quantity.value))
    return step


def _unit(text: str, end: int) -> str:
    """What is counted: the first word behind the number, without its ending; nothing where that is no noun's place."""
    match = _UNIT.match(text, end)
    if match is None:
        return ""
    word = match[1].casefold()
    return "" if word in _EMPTY_UNITS else word[:5].rstrip("s")
