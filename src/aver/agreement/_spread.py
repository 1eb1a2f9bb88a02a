"""How the votes on an item spread: entropy, total agreement, and the number of voters."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, ClassVar

from aver.agreement._tally import Tally, Votes, tally, too_few
from aver.measures import Card, Measure, Score

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Entropy", "TotalAgreement", "Voters", "entropy", "item_entropies", "total_agreement", "voters"]


def item_entropies(counted: Tally) -> NDArray[np.float64]:
    """The entropy of each item's votes, in nats; 0 for an item with fewer than two."""
    import numpy as np

    item, _, count = counted.cells()
    share = count / counted.sizes()[item]
    return np.maximum(np.bincount(item, weights=-share * np.log(share), minlength=counted.items), 0.0)


def entropy(votes: Votes) -> float | None:
    """The mean entropy of the items' votes, in nats, over items with at least two votes.

    >>> round(entropy([["a", "b"], ["a", "a"]]), 4)
    0.3466
    """
    counted = tally(votes).pairable()
    return float(item_entropies(counted).mean()) if counted.items else None


def total_agreement(votes: Votes) -> float | None:
    """The share of items all of whose votes are the same, over items with at least two votes.

    >>> total_agreement([["a", "b"], ["a", "a", "a"]])
    0.5
    """
    counted = tally(votes).pairable()
    if not counted.items:
        return None
    item, _, count = counted.cells()
    return float((count == counted.sizes()[item]).sum() / counted.items)


def voters(votes: Votes) -> tuple[float, float] | None:
    """The mean number of votes per item and its standard deviation, over all items.

    >>> voters([["a", None], ["a", "b", "a"]])
    (2.0, 1.0)
    """
    counted = tally(votes)
    if not counted.items:
        return None
    sizes = counted.sizes()
    return float(sizes.mean()), float(sizes.std())


def _score(measure: Measure, name: str, counted: Tally, value: float | None) -> Score:
    used = counted.pairable().items
    notes = []
    if left := counted.items - used:
        notes.append(f"{too_few(left, counted.items)}: left out")
    if value is None:
        notes.append("undefined: no item has two votes")
    return Score(str(measure), {name: value}, used, tuple(notes))


_INPUTS = "A row per item with its votes (`votes`), None or NaN where one is missing."
_EDGES = (
    "Items with fewer than two votes are left out and counted in the notes.",
    "Undefined (null) where no item has two votes.",
)
_CITATION = (
    "Thomas Diggelmann, Jordan Boyd-Graber, Jannis Bulian, Massimiliano Ciaramita, Markus Leippold. "
    "CLIMATE-FEVER: A Dataset for Verification of Real-World Climate Claims. 2020 (Table 1)."
)


@dataclasses.dataclass(frozen=True)
class Entropy(Measure):
    """The mean entropy of the votes as a measure."""

    name: ClassVar[str] = "Entropy"
    card: ClassVar[Card] = Card(
        title="Entropy of the votes, in nats",
        meaning="How mixed the votes on an item are, averaged over items: 0 when all voters choose the same "
        "label, ln 2 = 0.693 when two labels get half of the votes each, ln 3 = 1.099 when three share them "
        "evenly.",
        formula=r"\bar H = \frac1N \sum_i \Big(-\sum_c \frac{n_{ic}}{n_i} \ln \frac{n_{ic}}{n_i}\Big)",
        range=(0.0, float("inf")),
        direction="lower",
        inputs=_INPUTS,
        values={"entropy": "the mean over items that have at least two votes"},
        example=">>> from aver.agreement import Entropy\n"
        '>>> round(Entropy().score([["SUPPORTS", "REFUTES"]]).main, 4)\n'
        "0.6931",
        edge_cases=_EDGES,
        limits=(
            "Items with more voters can show more entropy; compare only groups with similar numbers of voters.",
            "Chance agreement is not taken out. Alpha does that.",
        ),
        citation=_CITATION,
    )

    def score(self, votes: Votes) -> Score:
        """The mean entropy over a row of votes per item."""
        counted = tally(votes)
        return _score(self, "entropy", counted, entropy(counted))


@dataclasses.dataclass(frozen=True)
class TotalAgreement(Measure):
    """The share of unanimous items as a measure."""

    name: ClassVar[str] = "TotalAgreement"
    card: ClassVar[Card] = Card(
        title="Total agreement",
        meaning="The share of items on which every voter chose the same label.",
        formula=r"\frac1N \sum_i [\max_c n_{ic} = n_i]",
        range=(0.0, 1.0),
        direction="higher",
        inputs=_INPUTS,
        values={"total_agreement": "the share among items that have at least two votes"},
        example=">>> from aver.agreement import TotalAgreement\n"
        '>>> TotalAgreement().score([["a", "a", None], ["a", "b"]]).main\n'
        "0.5",
        edge_cases=_EDGES,
        limits=("More voters make it harder: compare only groups with similar numbers of voters.",),
        citation=_CITATION,
    )

    def score(self, votes: Votes) -> Score:
        """The share of unanimous items over a row of votes per item."""
        counted = tally(votes)
        return _score(self, "total_agreement", counted, total_agreement(counted))


@dataclasses.dataclass(frozen=True)
class Voters(Measure):
    """The number of votes per item as a measure."""

    name: ClassVar[str] = "Voters"
    card: ClassVar[Card] = Card(
        title="Voters per item",
        meaning="How many votes an item got, on average, and how much that varies.",
        formula=r"\frac1N \sum_i n_i",
        range=(0.0, float("inf")),
        direction="none",
        inputs=_INPUTS,
        values={"voters": "the mean number of votes", "voters_sd": "its standard deviation (divided by N)"},
        example=">>> from aver.agreement import Voters\n"
        '>>> Voters().score([["a", None], ["a", "b", "a"]]).as_dict()\n'
        "{'measure': 'Voters', 'n': 2, 'voters': 2.0, 'voters_sd': 1.0}",
        edge_cases=("Items with one vote or none count here.", "Undefined (null) without any item."),
        limits=("It counts votes, not people: one person who votes on everything looks like many.",),
        citation=_CITATION,
    )

    def score(self, votes: Votes) -> Score:
        """The mean number of votes over a row of votes per item."""
        counted = tally(votes)
        mean, deviation = voters(counted) or (None, None)
        return Score(str(self), {"voters": mean, "voters_sd": deviation}, counted.items)
