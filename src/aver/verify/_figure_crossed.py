"""Figures that a sentence gives the other way round: 52 feet long and 12 wide; 12 long and 52 wide."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from aver.verify._figure import Figure
from aver.verify._figure_outcome import alike, outcome_of

__all__ = ["Crossed", "crossed", "exchanged"]

_CLAUSE = re.compile(r"[\d,;:()]|\b(?:and|or|but)\b")
_LITTLE = frozenset("the an of by to from is are was were has had have it he she they with for as in its this".split())
_WORD = re.compile(r"\s*([^\W\d_]{2,})")
_BEFORE = frozenset(("in", "on", "at", "during"))


class Crossed(NamedTuple):
    """What the claim gives, and what the sentence does in its place."""

    claim: str
    evidence: str
    kind: str


def crossed(ours: Sequence[Figure], theirs: Sequence[Figure]) -> Crossed | None:
    """A number of the claim that the sentence gives for another of the claim's dates, and the other way round."""
    claimed, given = _by_date(ours), _by_date(theirs)
    if len(claimed) != 2 or len(given) != 2:
        return None
    for date, number in claimed:
        here = [other for when, other in given if outcome_of(date, when) == "agrees"]
        if len(here) != 1 or not alike(number, here[0]):
            return None
        # 10 per cent might be 5, rounded; not where the 5 stands beside the other date
        exact = number.exact and here[0].exact
        if outcome_of(number, here[0]) not in (("disagrees", "unclear") if exact else ("disagrees",)):
            return None
        if not any(alike(number, other) and outcome_of(number, other) == "agrees" for _, other in given):
            return None
    date, number = claimed[0]
    _, other = given[0] if outcome_of(date, given[0][0]) == "agrees" else given[1]
    return Crossed(f"{number.text}, {date.text}", f"{other.text}, {date.text}", number.family)


def exchanged(claim: str, evidence: str, ours: Sequence[Figure], theirs: Sequence[Figure]) -> Crossed | None:
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
                return Crossed(f"{one.text} {said[0]}", f"{other.text} {said[0]}", family)
        there = (second, first) if turned else (first, second)
        mine, others = _told_apart(claim, one, two), _told_apart(evidence, *there)
        if mine[0] & others[0] and mine[1] & others[1] and not (mine[0] & others[1] or mine[1] & others[0]):
            return Crossed(one.text, there[0].text, family)
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
