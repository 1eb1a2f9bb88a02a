"""Numbers and dates of a claim held against those of a sentence, by rule.

Every figure says something about where a value lies: "over 90 million" anything above, "about 40" a tenth either
way, "1987" some day of that year, "before 1990" any day until then. A claim's figure *agrees* with a sentence's where
all that the sentence leaves possible is what the claim says, *disagrees* where none of it is, and is *unclear*
otherwise: "in 1987" does not settle "in May 1987". Only like is compared with like: money in one currency, per cent,
dates, times of the day, measures of one dimension ("5 km" with "3.1 miles"), and numbers of the same thing.

`aver.text` finds plain numbers and dates, and that is what a model is shown as marks. What only a rule can make use of
(units, "not more than", "twenty five", "the 1990s", "3 pm") is read in `_figure_dates`, `_figure_quantities` and
`_figure_numbers`.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Literal

from aver.text import words
from aver.text._quantities import ODD_LETTERS
from aver.verify._figure import Figure, Range
from aver.verify._figure_dates import find_clock, find_date_figures
from aver.verify._figure_numbers import find_number_figures

__all__ = ["Comparison", "FigureCheck", "check_figures", "same_but_figures"]

Outcome = Literal["agrees", "disagrees", "unclear"]

_SAME, _CLOSE, _ROUNDED = 50, 8, 20
"""Measures in different units that differ by less than one part in so many are the same, or may be meant so; a number
that was rounded differs by less than the third."""
_SAME_DEGREES, _CLOSE_DEGREES = Decimal("0.6"), 2
"""The same for temperatures on different scales, in degrees Celsius."""
_TURNS = frozenset(
    "not no nobody none never false falsely wrong wrongly myth hoax untrue incorrect rumour rumours claim claims "
    "claimed believe believes believed think thinks thought if but unless denied denies".split()
)
"""Around the words of a claim: it may be said to be otherwise."""
_GOES_ON = frozenset(
    "less more fewer below above over under short a an per each every daily weekly monthly alone ago".split()
)
"""Right behind them: it says another thing."""
_MONEY = frozenset(("$", "€", "£", "¥", "CHF"))
_A_YEAR = {
    "second": 31_556_952, "minute": 525_949, "hour": 8_766, "day": 365, "week": 52, "month": 12, "quarter": 4, "year": 1
}  # fmt: skip
_CLAUSE = re.compile(r"[\d,;:()]|\b(?:and|or|but)\b")
_LITTLE = frozenset("the an of by to from is are was were has had have it he she they with for as in its this".split())
_WORD = re.compile(r"\s*([^\W\d_]{2,})")
_DIGITS = re.compile(r"(?<!\d)(?:\d{1,3}(?:,\d{3})+|\d{3,})(?!\d)")
_BEFORE = frozenset(("in", "on", "at", "during"))
_POWER = re.compile(r"\d\s?\^\s?[-+−]?\d|10[⁰¹²³⁴-⁹⁻]|(?<![\w.])\d+(?:\.\d+)?[eE][-+]?\d+\b")
"""A number written as a power: its exponent is no figure, and none beside it is compared."""
_MOST_CHARACTERS = 5_000
"""Of a longer text no figure is compared: it is no sentence, and another figure may be meant."""
_MOST_PAIRS = 10_000
"""Of more pairs of figures none is compared: it is a table."""


@dataclasses.dataclass(frozen=True, slots=True)
class Comparison:
    """One figure of the claim and one of the sentence."""

    claim: str
    evidence: str
    kind: str
    """`number`, `per cent`, `date`, `clock`, a currency, or what is measured, such as `length`."""
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

    @property
    def telling(self) -> Comparison | None:
        """The comparison that the outcome rests on."""
        settled = {c.claim for c in self.comparisons if c.outcome == "agrees"} if self.outcome == "disagrees" else ()
        return next((c for c in self.comparisons if c.outcome == self.outcome and c.claim not in settled), None)


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
    >>> check_figures("The run is 5 km long.", "The run is 3.1 miles long.").outcome
    'agrees'
    >>> check_figures("It has 12 rooms.", "It has 40 windows.").outcome is None
    True
    """
    if max(len(claim), len(evidence)) > _MOST_CHARACTERS or _POWER.search(claim) or _POWER.search(evidence):
        return FigureCheck(None)
    ours, theirs = find_figures(claim), find_figures(evidence)
    if len(ours) * len(theirs) > _MOST_PAIRS:
        return FigureCheck(None)
    comparisons: list[Comparison] = []
    outcomes: list[Outcome] = []
    for figure in ours:
        like = [other for other in theirs if _alike(figure, other)] or _otherwise_paid(figure, theirs)
        if not like:
            continue
        judged = [_outcome(figure, other) for other in like]
        fits = any(_fits(figure, other) for other in theirs) or _written(figure, evidence) or _adds_up(figure, theirs)
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
    crossed = _crossed(ours, theirs) or _exchanged(claim, evidence, ours, theirs)
    if crossed is not None:
        return FigureCheck("disagrees", (crossed, *comparisons))
    whole: Outcome = "disagrees" if "disagrees" in outcomes else "unclear" if "unclear" in outcomes else "agrees"
    return FigureCheck(whole, tuple(comparisons))


def find_figures(text: str) -> list[Figure]:
    """The figures of a text, left to right.

    >>> [(f.text, f.family, f.unit) for f in find_figures("In the 1990s a 5-km road cost 90 000 euros, a quarter of it.")]
    [('the 1990s', 'date', ''), ('5-km', 'length', 'kilometre'), ('90 000 euros', '€', ''), ('a quarter', 'per cent', '')]
    """  # noqa: E501
    text = text.translate(ODD_LETTERS)
    found = [*find_date_figures(text), *find_clock(text)]
    found += find_number_figures(text, found)
    return sorted(found, key=lambda figure: figure.start)


def _alike(figure: Figure, other: Figure) -> bool:
    if figure.family != other.family:
        return False
    return figure.family != "number" or (figure.unit == other.unit and bool(figure.unit))


def _otherwise_paid(figure: Figure, others: Sequence[Figure]) -> list[Figure]:
    """The one sum in another currency, where its digits are the same: 49 dollars are not 49 euros."""
    money = [other for other in others if other.family in _MONEY]
    if figure.family not in _MONEY or len(money) != 1 or figure.value is None or money[0].value != figure.value:
        return []
    return money


def _fits(figure: Figure, other: Figure) -> bool:
    """The other may be what is meant; a number without a unit has that of its neighbour: "6 million euros, from 5"."""
    if other.family == figure.family:
        return _outcome(figure, other) == "agrees"
    bare = other.family == "number" and (not other.unit or other.unit.endswith(" of"))
    return bare and figure.value is not None and figure.value == other.value


def _adds_up(figure: Figure, others: Sequence[Figure]) -> bool:
    """The sentence gives it in parts: five at the scene and two more in hospital are seven."""
    if figure.family != "number":
        return False
    parts = [o.value for o in others if o.family == "number" and o.value is not None and o.unit in ("", figure.unit)]
    total = sum(parts, Decimal(0))
    return len(parts) > 1 and Range(total, total).within(figure.meant)


def _written(figure: Figure, text: str) -> bool:
    """The digits of a year or a large number stand in the text, in whatever part: "their 2002 single", "1,734"."""
    digits = figure.text.replace(",", "")
    if figure.family not in ("date", "number") or not digits.isdecimal() or len(digits) < 3:
        return False
    return digits in {number.replace(",", "") for number in _DIGITS.findall(text)}


def _outcome(claim: Figure, evidence: Figure) -> Outcome:
    if claim.negated != evidence.negated:
        return "unclear"
    if claim.per and evidence.per and claim.per != evidence.per:
        return _rated(claim, evidence)
    if claim.way and evidence.way and claim.way != evidence.way:
        return "unclear"
    if claim.lasting or (claim.family == "clock" and claim.unit != evidence.unit):
        return _lasting(claim, evidence)
    if claim.family in _MONEY and claim.family != evidence.family:
        return "disagrees"
    if claim.family != "number" and claim.unit != evidence.unit:
        return _converted(claim, evidence)
    # who writes 3.1 of what others give as 3.14 has rounded it
    rounds = claim.exact and evidence.exact and evidence.decimals > claim.decimals
    meant = claim.fine if rounds and claim.meant == claim.said else claim.meant
    if evidence.said.within(meant):
        if rounds and _share(claim, evidence) * _ROUNDED > 1:
            return "unclear"
        if claim.part and claim.part != evidence.part:
            return "unclear"
        # of two limits, "up to 300" and "up to 500", neither says that the other holds
        limits = all(None in (figure.said.low, figure.said.high) for figure in (claim, evidence))
        return "unclear" if limits and claim.said != evidence.said else "agrees"
    if bool(claim.per) != bool(evidence.per):
        return "unclear"  # so much a month, and so much in all
    return "disagrees" if evidence.said.apart(claim.loose) and evidence.loose.apart(meant) else "unclear"


def _share(claim: Figure, evidence: Figure) -> Decimal:
    """By which share of the larger the two differ."""
    ours, theirs = claim.said.low or Decimal(0), evidence.said.low or Decimal(0)
    return abs(ours - theirs) / (max(abs(ours), abs(theirs)) or Decimal(1))


def _lasting(claim: Figure, evidence: Figure) -> Outcome:
    """A time from one date to another, or one of another zone: what lies within says nothing of its ends."""
    if claim.said == evidence.said:
        return "agrees" if claim.lasting == evidence.lasting and "" in (claim.unit, evidence.unit) else "unclear"
    return "disagrees" if claim.lasting and evidence.said.apart(claim.said) else "unclear"


def _rated(claim: Figure, evidence: Figure) -> Outcome:
    """Rates of different times: 10 a month are 120 a year, but 8 hours a day may be 40 a week."""
    if claim.family != evidence.family or claim.unit != evidence.unit or not (claim.exact and evidence.exact):
        return "unclear"
    ours, theirs = ((f.said.low or Decimal(0)) * _A_YEAR[f.per] for f in (claim, evidence))
    return "agrees" if abs(ours - theirs) * _SAME < max(abs(ours), abs(theirs)) else "unclear"


def _converted(claim: Figure, evidence: Figure) -> Outcome:
    """Measures in different units: what is converted is rounded."""
    if claim.exact and evidence.exact:
        ours, theirs = claim.said.low or Decimal(0), evidence.said.low or Decimal(0)
        if claim.family == "temperature":  # whose zero is nobody's nothing: a share of it says little
            if "by" in (claim.way, evidence.way):
                return "unclear"  # ten degrees Celsius warmer are 18 Fahrenheit
            if abs(ours - theirs) <= _SAME_DEGREES:
                return "agrees"
            near = abs(ours - theirs) <= _CLOSE_DEGREES or not evidence.loose.apart(claim.loose)
            return "unclear" if near else "disagrees"
        share = _share(claim, evidence)
        return "agrees" if share * _SAME < 1 else "unclear" if share * _CLOSE < 1 else "disagrees"
    if evidence.fine.within(claim.fine):
        return "agrees"
    return "disagrees" if evidence.fine.apart(claim.fine) else "unclear"


def _crossed(ours: Sequence[Figure], theirs: Sequence[Figure]) -> Comparison | None:
    """A number of the claim that the sentence gives for another of the claim's dates, and the other way round."""
    claimed, given = _by_date(ours), _by_date(theirs)
    if len(claimed) != 2 or len(given) != 2:
        return None
    for date, number in claimed:
        here = [other for when, other in given if _outcome(date, when) == "agrees"]
        if len(here) != 1 or not _alike(number, here[0]):
            return None
        # 10 per cent might be 5, rounded; not where the 5 stands beside the other date
        exact = number.exact and here[0].exact
        if _outcome(number, here[0]) not in (("disagrees", "unclear") if exact else ("disagrees",)):
            return None
        if not any(_alike(number, other) and _outcome(number, other) == "agrees" for _, other in given):
            return None
    (date, number), (_, other) = claimed[0], given[0] if _outcome(claimed[0][0], given[0][0]) == "agrees" else given[1]
    return Comparison(f"{number.text}, {date.text}", f"{other.text}, {date.text}", number.family, "disagrees")


def _exchanged(claim: str, evidence: str, ours: Sequence[Figure], theirs: Sequence[Figure]) -> Comparison | None:
    """Two numbers of a kind that the sentence gives the other way round: 52 feet long, 12 wide; 12 long, 52 wide."""
    for family in dict.fromkeys(figure.family for figure in ours):
        pairs = [[f for f in figures if f.family == family] for figures in (ours, theirs)]
        if any(len(pair) != 2 or not all(f.exact for f in pair) or pair[0].said == pair[1].said for pair in pairs):
            continue
        (one, two), (first, second) = pairs
        if (one.said, two.said) == (second.said, first.said):
            turned = False
        elif (one.said, two.said) == (first.said, second.said):
            turned = True
        else:
            continue
        if _clause_names(claim, one) & _clause_names(evidence, second if not turned else first):
            continue  # each keeps its own: Smith 20 and Jones 15, Jones 15 and Smith 20
        for told in (_behind, _ahead):
            said, found = [told(claim, f) for f in (one, two)], [told(evidence, f) for f in (first, second)]
            if said[0] == said[1] or "" in said:
                continue
            if said == (found[::-1] if turned else found):
                other = second if turned else first
                return Comparison(f"{one.text} {said[0]}", f"{other.text} {said[0]}", family, "disagrees")
        there = (second, first) if turned else (first, second)
        mine, others = _told_apart(claim, one, two), _told_apart(evidence, *there)
        if mine[0] & others[0] and mine[1] & others[1] and not (mine[0] & others[1] or mine[1] & others[0]):
            return Comparison(one.text, there[0].text, family, "disagrees")
    return None


def _told_apart(text: str, one: Figure, two: Figure) -> tuple[set[str], set[str]]:
    """The words beside each of two figures, in its own part of the sentence, that the other has not: "yes", "no"."""
    first, second = (
        {word.casefold() for word in re.findall(r"[^\W\d_]{2,}", " ".join(_clause(text, figure)))} - _LITTLE
        for figure in (one, two)
    )
    return first - second, second - first


def _clause_names(text: str, figure: Figure) -> set[str]:
    """The words with a capital in the part of a sentence that a figure stands in."""
    found = re.findall(r"\b[A-Z]\w+", " ".join(_clause(text, figure)))
    return {word for word in found if word.casefold() not in _LITTLE}


def _clause(text: str, figure: Figure) -> tuple[str, str]:
    """What stands before a figure and behind it in its part of a sentence."""
    before = _CLAUSE.split(text[max(0, figure.start - 60) : figure.start])[-1]
    return before, _CLAUSE.split(text[figure.end : figure.end + 60])[0]


def _behind(text: str, figure: Figure) -> str:
    """The word behind a figure."""
    match = _WORD.match(text, figure.end)
    return match[1].casefold() if match is not None else ""


def _ahead(text: str, figure: Figure) -> str:
    """The word before a figure that is no preposition."""
    clause = _CLAUSE.split(text[max(0, figure.start - 40) : figure.start])[-1]
    found = [word.casefold() for word in re.findall(r"[^\W\d_]{2,}", clause)]
    return next((word for word in reversed(found) if word not in _BEFORE and word not in _LITTLE), "")


def _by_date(figures: Sequence[Figure]) -> list[tuple[Figure, Figure]]:
    """(date, number) of a text that says nothing but numbers, each with a date."""
    dates = [figure for figure in figures if figure.family == "date"]
    numbers = [figure for figure in figures if figure.family != "date"]
    if len(dates) != len(numbers) or len({f.family == "date" for f in figures[::2]}) > 1:
        return []
    return list(zip(dates, numbers, strict=True))


def same_but_figures(claim: str, evidence: str) -> bool:
    """The sentence has the claim word for word, but for figures that agree; one is written differently, none bounded.

    >>> same_but_figures("The star has 90K followers.", "In May the star has 90,312 followers, they say.")
    True
    >>> same_but_figures("The star has 90K followers.", "The star has a friend who has 90,312 followers.")
    False
    """
    ours, theirs = find_figures(claim), find_figures(evidence)
    written = {figure.text.casefold() for figure in theirs}
    if not all(f.exact for f in theirs) or all(figure.text.casefold() in written for figure in ours):
        return False
    agreed = [(f, o) for f in ours for o in theirs if _alike(f, o) and _outcome(f, o) == "agrees"]
    wanted, there = _rest(claim, [f for f, _ in agreed]), _rest(evidence, [o for _, o in agreed])
    if any(f.per != o.per for f, o in agreed):
        return False
    for at in range(len(there) - len(wanted) + 1):
        if there[at : at + len(wanted)] == wanted:
            before, behind = there[:at], there[at + len(wanted) :]
            return _TURNS.isdisjoint(before + behind) and (not behind or behind[0] not in _GOES_ON)
    return False


def _rest(text: str, figures: Sequence[Figure]) -> list[str]:
    """The words of a text, each figure being one; "in 1992" is one too, as "between 1990 and 1995" is."""
    found: dict[tuple[int, int], str] = {}
    for word in words(text):
        figure = next((f for f in figures if f.start < word.end and word.start < f.end), None)
        if figure is not None:
            found[figure.start, figure.end] = "#"
        elif not word.is_punctuation:
            found[word.start, word.end] = word.text.casefold()
    said = list(found.values())
    return [w for w, after in itertools.zip_longest(said, said[1:], fillvalue="") if after != "#" or w not in _BEFORE]
