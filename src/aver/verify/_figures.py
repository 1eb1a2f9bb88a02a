"""Numbers and dates of a claim held against those of a sentence, by rule.

Every figure says something about where a value lies: "over 90 million" anything above, "about 40" a tenth either
way, "1987" some day of that year, "before 1990" any day until then. A claim's figure *agrees* with a sentence's where
all that the sentence leaves possible is what the claim says, *disagrees* where none of it is, and is *unclear*
otherwise: "in 1987" does not settle "in May 1987". Only like is compared with like: money in one currency, per cent,
dates, times of the day, measures of one dimension ("5 km" with "3.1 miles"), and numbers of the same thing.

`aver.text` finds plain numbers and dates, and that is what a model is shown as marks. What only a rule can make use of
(units, "not more than", "twenty five", "the 1990s", "3 pm", "a 12-room hotel") is read in `_figure_dates`,
`_figure_quantities`, `_figure_hyphens` and `_figure_numbers`; what may be a number and is not, in `_figure_unread`, and
what may come of two of them in `_figure_reckoned`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from aver.text import words
from aver.text._quantities import ODD_LETTERS
from aver.verify._figure import Figure
from aver.verify._figure_crossed import crossed, exchanged
from aver.verify._figure_dates import find_clock, find_date_figures
from aver.verify._figure_numbers import find_number_figures
from aver.verify._figure_outcome import MONEY, Outcome, alike, apart, outcome_of
from aver.verify._figure_reckoned import may_come_of
from aver.verify._figure_unread import find_unread, may_be

__all__ = ["Comparison", "FigureCheck", "check_figures", "same_but_figures"]

_DENIALS = frozenset(
    "myth myths hoax hoaxes nonsense rubbish false falsely falsehood untrue wrong wrongly incorrect incorrectly "
    "inaccurate erroneous erroneously mistake mistaken mistakenly misconception fallacy fake fabricated lie lies lied "
    "debunk debunks debunked disprove disproves disproved disproven refute refutes refuted doubt doubts doubted "
    "doubtful contrary unfounded baseless absurd exaggerated exaggeration".split()
)
"""In a sentence, and not in the claim: what the figures belong to is likely denied there."""
_TURNS = _DENIALS | frozenset(
    "not no nobody none never nothing neither nor cannot hardly yet claim claims claimed believe believes believed "
    "think thinks thought rumour rumours rumor rumors alleged allege alleges allegedly supposed supposedly deny denies "
    "denied denying reject rejects rejected dispute disputes disputed question questions questioned unlikely "
    "impossible if whether but unless although though except instead".split()
)
"""Around the words of a claim: it may be said to be otherwise."""
_CAPACITY = re.compile(
    r"\b(?:seat(?:s|ed|ing)?|h[oe]lds?|need(?:s|ed)?|requires?d?|reach(?:es|ed)?|accommodat\w+|capacity|speeds?|sleeps"
    r"|carr(?:y|ies|ied)|fits?|houses|stores?|takes?|allow(?:s|ed)?|permit(?:s|ted)?|limit\w*|grows?|room\sfor)\b",
    re.IGNORECASE,
)
"""In a claim with "up to 500": that is how many there is room for, and no one number that is less."""
_NEEDS = re.compile(r"\b(?:need(?:s|ed)?|requires?d?|must)\b", re.IGNORECASE)
"""In a claim with "at least 5": so many must be there, and nothing else is enough."""
_BORN = re.compile(
    r"\b(?:[Bb]orn|b\.)(?:\s(?!(?:but|had|has|he|is|it|she|that|they|was|were|which|who|"
    r"and(?!\s(?:[A-Z]|raised\b|bred\b|brought\b)))\b)[\w'’“”\"-]+){0,10}"
    r"(?:,\s(?:[A-Z]|an?\b|near\b|now\b|the\b|then\b)[^,.()]{0,40}(?=,)){0,3}(?:,(?:\s[A-Z][\w'’-]+){1,3})?"
    r",?(?:\s(?:at|in|late|of|on|the)){0,3}\s$"
)
_BIRTH = re.compile(r"\b(?:born|birth\w*|b\.)", re.IGNORECASE)
"""Before a date, and in a claim: when somebody was born is not when what a claim tells of them was. Nothing else is
told in between: not "born in Rome, he moved in 1955"."""
_WHOLE, _PARTLY = 100, Decimal("0.5")
"""Two shares that come to a whole but for less than that may be those who did and those who did not."""
_SAME_NUMBER, _SAME_MEASURE = Decimal("0.01"), Decimal("0.02")
"""How far from a number with no bound another may be that is the same, rounded, and one in another unit."""
_GOES_ON = frozenset(
    "less more fewer below above over under short a an per each every daily weekly monthly alone ago of out to too off "
    "behind ahead away left".split()
)
"""Right behind them: it says another thing."""
_CLAUSE_ENDS = frozenset(',;:–—.!?)"“”')
_LEADS = frozenset("as at by during for from in of on since to today until with".split())
_FEW = 4
"""So many words may stand before the claim's own, "In the spring of 1990", where no clause has ended."""
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
    one to compare it with, that disagrees and is no other of the claim's, and no other number of the sentence would
    fit, nor what may come of two: of several, another may be meant. The whole agrees where every figure that could be
    compared does, and disagrees where one does.

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
        like = [other for other in theirs if alike(figure, other)] or _otherwise_paid(figure, theirs)
        if not like:
            continue
        judged = [_judged(claim, evidence, figure, other) for other in like]
        comparisons += [
            Comparison(figure.text, other.text, figure.family, outcome)
            for other, outcome in zip(like, judged, strict=True)
        ]
        if "agrees" in judged:
            outcomes.append("agrees")
        else:
            alone = judged == ["disagrees"] and not (
                _spoken_for(figure, like[0], ours) or _stands_elsewhere(figure, evidence, theirs)
            )
            outcomes.append("disagrees" if alone else "unclear")
    if not outcomes:
        return FigureCheck(None)
    turned = crossed(ours, theirs) or exchanged(claim, evidence, ours, theirs)
    if turned is not None:
        return FigureCheck("disagrees", (Comparison(*turned, "disagrees"), *comparisons))
    whole: Outcome = "disagrees" if "disagrees" in outcomes else "unclear" if "unclear" in outcomes else "agrees"
    if whole == "agrees" and _denies(evidence) and not _denies(claim):
        whole = "unclear"
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


def _judged(claim: str, evidence: str, figure: Figure, other: Figure) -> Outcome:
    """How two figures compare in their sentences."""
    found = outcome_of(figure, other)
    if found == "agrees" and other.exact and figure.family != "date":
        said = figure.said
        # a hall for 300 is none for up to 500, but it is one for fewer than 500
        if said.low is None and not said.open_high and _CAPACITY.search(claim):
            return "unclear"
        if said.high is None and not said.open_low and _NEEDS.search(claim):
            return "unclear"
    if found == "disagrees" and figure.family == "date" and _BORN.search(evidence[: other.start]):
        return "disagrees" if _BIRTH.search(claim) else "unclear"
    if found == "disagrees" and figure.family == "per cent" and figure.exact and other.exact:
        total = (figure.value or Decimal(0)) + (other.value or Decimal(0))
        if abs(total - _WHOLE) <= _PARTLY and _rest(claim, [figure]) != _rest(evidence, [other]):
            return "unclear"  # 95 per cent answered, 5 per cent did not
    return found


def _spoken_for(figure: Figure, other: Figure, ours: Sequence[Figure]) -> bool:
    """The sentence's figure is another one of the claim: "born in 1950, died in 2001" and "He died in 2001"."""
    return any(
        alike(one, other) and outcome_of(one, other) == "agrees" and one.said.apart(figure.said)
        for one in ours
        if one is not figure
    )


def _stands_elsewhere(figure: Figure, evidence: str, others: Sequence[Figure]) -> bool:
    """Another number of the sentence may be the one that is meant."""
    return (
        any(_fits(figure, other) for other in others)
        or _written(figure, evidence)
        or may_come_of(figure, evidence, others)
        or may_be(figure, find_unread(evidence, others))
    )


def _otherwise_paid(figure: Figure, others: Sequence[Figure]) -> list[Figure]:
    """The one sum in another currency, where its digits are the same: 49 dollars are not 49 euros."""
    money = [other for other in others if other.family in MONEY]
    if figure.family not in MONEY or len(money) != 1 or figure.value is None or money[0].value != figure.value:
        return []
    return money


def _fits(figure: Figure, other: Figure) -> bool:
    """The other may be what is meant; a number without a unit has that of its neighbour: "6 million euros, from 5"."""
    if other.family == figure.family:
        return outcome_of(figure, other) == "agrees"
    if {figure.family, other.family} == {"£", "mass"} and "pound" in (figure.unit, other.unit):
        return figure.value is not None and figure.value == other.value  # "five million pounds" are money here
    bare = other.family == "number" and (not other.unit or other.unit.endswith(" of"))
    if not bare or figure.value is None or other.value is None:
        return False
    if figure.exact or (figure.unit and figure.family != "number"):
        return figure.value == other.value
    return other.said.within(figure.meant)


def _written(figure: Figure, text: str) -> bool:
    """The digits of a year or a large number stand in the text, in whatever part: "their 2002 single", "1,734"."""
    digits = figure.text.replace(",", "")
    if figure.family not in ("date", "number") or not digits.isdecimal() or len(digits) < 3:
        return False
    return digits in {number.replace(",", "") for number in _DIGITS.findall(text)}


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
    agreed = [(f, o) for f in ours for o in theirs if alike(f, o) and outcome_of(f, o) == "agrees"]
    if not agreed or not all(_same(f, o) for f, o in agreed):
        return False
    mine, others = (sorted({f.start: f for f in side}.values(), key=_start) for side in zip(*agreed, strict=True))
    wanted, placed = _rest(claim, mine), _placed(evidence, others)
    there = [word for _, word in placed]
    if any(f.per != o.per or (f.ongoing and f.said != o.said) for f, o in agreed):
        return False
    for at in range(len(there) - len(wanted) + 1):
        if there[at : at + len(wanted)] == wanted:
            before, behind = there[:at], there[at + len(wanted) :]
            # each for its own: "over 70 there and under 170 here" is not "70 there and 170 here"
            if any(pair not in agreed for pair in zip(mine, others[before.count("#") :], strict=False)):
                return False
            if not _begins(evidence[: placed[at][0]], before):
                return False
            return _TURNS.isdisjoint(before + behind) and (not behind or behind[0] not in _GOES_ON)
    return False


def _begins(text: str, before: Sequence[str]) -> bool:
    """What has the claim word for word begins there: "In May the star has", and not "The sister of the star has"."""
    if not before or text.rstrip()[-1] in _CLAUSE_ENDS:
        return True
    return len(before) <= _FEW and before[0] in _LEADS and (before[-1] == "today" or before[-1] not in _LEADS | {"the"})


def _same(figure: Figure, other: Figure) -> bool:
    """Rounding alone makes the two differ: $1,000 may stand for $1,004, and is another price than $1,049."""
    if not figure.exact or figure.family in ("date", "clock"):
        return True
    return apart(figure, other) <= (_SAME_NUMBER if figure.unit == other.unit else _SAME_MEASURE)


def _start(figure: Figure) -> int:
    return figure.start


def _denies(text: str) -> bool:
    """It has a word by which something is denied, other than in a name such as "True Lies"."""
    found = [word.text for word in words(text)]
    return not _DENIALS.isdisjoint([*found[1:], *(word.casefold() for word in found[:1])])


def _rest(text: str, figures: Sequence[Figure]) -> list[str]:
    """The words of a text, each figure being one."""
    return [word for _, word in _placed(text, figures)]


def _placed(text: str, figures: Sequence[Figure]) -> list[tuple[int, str]]:
    """The same with where they begin; "in 1992" is one word too, as "between 1990 and 1995" is."""
    found: dict[tuple[int, int], str] = {}
    for word in words(text):
        figure = next((f for f in figures if f.start < word.end and word.start < f.end), None)
        if figure is not None:
            found[figure.start, figure.end] = "#"
        elif not word.is_punctuation:
            found[word.start, word.end] = word.text.casefold()
    said = [(start, word) for (start, _), word in found.items()]
    after = [*(word for _, word in said[1:]), ""]
    return [(at, w) for (at, w), then in zip(said, after, strict=False) if then != "#" or w not in _BEFORE]
