"""Fleiss' kappa, and Randolph's, which does not let the voters' habits set the chance level."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from aver.agreement._tally import Tally, Votes, tally, too_few
from aver.errors import InputError
from aver.measures import Card, Measure, Score

__all__ = ["FleissKappa", "RandolphKappa", "fleiss_kappa", "randolph_kappa"]


def fleiss_kappa(votes: Votes) -> float | None:
    """Fleiss' kappa: agreement beyond what the labels' own frequencies would give.

    Items may have different numbers of votes; where all have the same, this is Fleiss' formula as published.
    None where it is not defined: no item has two votes, or all votes are the same.

    >>> round(fleiss_kappa([["a", "a"], ["b", "b"], ["a", "b"]]), 4)
    0.3333
    """
    counted = tally(votes).pairable()
    if not counted.items:
        return None
    import numpy as np

    item, code, count = counted.cells()
    share = count / counted.sizes()[item]
    by_value = np.bincount(code, weights=share) / counted.items
    return _beyond(_observed(counted), float((by_value**2).sum()))


def randolph_kappa(votes: Votes, *, categories: int | None = None) -> float | None:
    """Randolph's free-marginal kappa: chance is one in the number of `categories`, whatever the voters chose.

    `categories` is the number of labels a voter could choose; when not given, those that were chosen by
    anyone. None where it is not defined: no item has two votes, or there is one category only.

    >>> round(randolph_kappa([["a", "a"], ["b", "b"], ["a", "b"]], categories=3), 4)
    0.5
    """
    counted = tally(votes).pairable()
    if not counted.items:
        return None
    used = len(set(counted.code.tolist()))
    if categories is not None and categories < used:
        raise InputError(f"categories is {categories}, but {used} different values were voted for")
    return _beyond(_observed(counted), 1 / (categories or used))


def _observed(t: Tally) -> float:
    """The mean over items of the share of voter pairs that agree."""
    import numpy as np

    item, _, count = t.cells()
    sizes = t.sizes()
    alike = np.bincount(item, weights=(count * (count - 1)).astype(float), minlength=t.items)
    return float((alike / (sizes * (sizes - 1))).mean())


def _beyond(observed: float, chance: float) -> float | None:
    return None if 1 - chance < 1e-12 else (observed - chance) / (1 - chance)


def _notes(counted: Tally, used: Tally, value: float | None) -> tuple[str, ...]:
    notes = []
    if left := counted.items - used.items:
        notes.append(f"{too_few(left, counted.items)}: left out")
    sizes = used.sizes()
    if used.items and sizes.min() != sizes.max():
        notes.append(f"items have {sizes.min()} to {sizes.max()} votes; every item weighs the same")
    if value is None:
        notes.append("undefined: no item has two votes" if not used.items else "undefined: all votes are the same")
    return tuple(notes)


_EDGES = (
    "Items with fewer than two votes are left out and counted in the notes.",
    "Undefined (null) where no item has two votes, or where all votes are the same value (statsmodels gives NaN).",
)


@dataclasses.dataclass(frozen=True)
class FleissKappa(Measure):
    """Fleiss' kappa as a measure."""

    name: ClassVar[str] = "FleissKappa"
    card: ClassVar[Card] = Card(
        title="Fleiss' kappa",
        meaning="The share of agreeing voter pairs beyond what the labels' own frequencies would give: 1 is "
        "perfect agreement, 0 is chance. Unlike Alpha it has no correction for a small number of items.",
        formula=r"\kappa = \frac{\bar P - \bar P_e}{1 - \bar P_e}, \quad \bar P = \frac1N \sum_i "
        r"\frac{\sum_c n_{ic}(n_{ic} - 1)}{n_i (n_i - 1)}, \quad \bar P_e = \sum_c \Big(\frac1N \sum_i "
        r"\frac{n_{ic}}{n_i}\Big)^2",
        range=(-1.0, 1.0),
        direction="higher",
        inputs="A row per item with its votes (`votes`), None or NaN where one is missing.",
        values={"fleiss_kappa": "kappa over all items that have at least two votes"},
        example=">>> from aver.agreement import FleissKappa\n"
        '>>> FleissKappa().score([["a", "a"], ["b", "b"], ["a", "a"], ["b", "b"]]).main\n'
        "1.0",
        edge_cases=(
            *_EDGES,
            "Different numbers of votes per item: every item weighs the same, in the agreement and in the "
            "labels' frequencies. With equal numbers this is Fleiss' formula as published.",
        ),
        limits=(
            "When one label is much more frequent than the others, kappa can be low at high agreement.",
            "For nominal labels only: near misses count as misses. Use Alpha(level=ordinal) for ranks.",
        ),
        citation="Joseph L. Fleiss. Measuring nominal scale agreement among many raters. "
        "Psychological Bulletin 76(5), 1971.",
    )

    def score(self, votes: Votes) -> Score:
        """Kappa over a row of votes per item."""
        counted = tally(votes)
        used = counted.pairable()
        value = fleiss_kappa(used)
        return Score(str(self), {"fleiss_kappa": value}, used.items, _notes(counted, used, value))


@dataclasses.dataclass(frozen=True)
class RandolphKappa(Measure):
    """Randolph's free-marginal kappa as a measure."""

    categories: int | None = None

    name: ClassVar[str] = "RandolphKappa"
    card: ClassVar[Card] = Card(
        title="Randolph's free-marginal kappa",
        meaning="The share of agreeing voter pairs beyond an even guess among the labels: 1 is perfect "
        "agreement, 0 is guessing. It does not fall only because one label is frequent.",
        formula=r"\kappa_{free} = \frac{\bar P - 1/q}{1 - 1/q}, \quad q\ the\ number\ of\ labels",
        range=(-1.0, 1.0),
        direction="higher",
        inputs="A row per item with its votes (`votes`), None or NaN where one is missing; `categories`, "
        "the number of labels that could be chosen (when not given: those that were).",
        values={"randolph_kappa": "kappa over all items that have at least two votes"},
        example=">>> from aver.agreement import RandolphKappa\n"
        '>>> round(RandolphKappa(categories=3).score([["a", "a"], ["b", "b"], ["a", "b"]]).main, 4)\n'
        "0.5",
        edge_cases=(*_EDGES, "A label nobody chose is known only through `categories`."),
        limits=("It assumes that voters may use every label as often as they like; with fixed quotas use Fleiss'.",),
        citation="Justus J. Randolph. Free-marginal multirater kappa: An alternative to Fleiss' "
        "fixed-marginal multirater kappa. Joensuu Learning and Instruction Symposium, 2005.",
    )

    def score(self, votes: Votes) -> Score:
        """Kappa over a row of votes per item."""
        counted = tally(votes)
        used = counted.pairable()
        value = randolph_kappa(used, categories=self.categories)
        return Score(str(self), {"randolph_kappa": value}, used.items, _notes(counted, used, value))
