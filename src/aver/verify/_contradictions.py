"""A text against itself: two of its claims that refute each other."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from aver.labels import Label
from aver.models import Judge
from aver.verify._figures import check_figures
from aver.verify._weighing import claim_overlap

__all__ = ["Contradiction", "Contradictions", "find_contradictions"]

ALIKE = 0.5
"""The share of one claim's content words the other must hold: what speaks of something else contradicts nothing."""
SURE = 0.85
MOST_PAIRS = 200
"""Pairs that are read, the most alike first; of a longer text the rest is counted as not read."""


class Contradiction(NamedTuple):
    """Two claims of a text, by their places among its sentences, that refute each other."""

    first: int
    second: int
    probability: float
    """That they do, by the less sure of the two readings: each claim was read as evidence for the other."""
    figures: str
    """The two figures that disagree, where the rule found that too; else empty."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return self._asdict()


@dataclasses.dataclass(frozen=True, slots=True)
class Contradictions:
    """What was found, and how many of the pairs that are alike were read."""

    found: tuple[Contradiction, ...]
    read: int
    alike: int


def find_contradictions(claims: Sequence[tuple[int, str]], judge: Judge, *, sure: float = SURE) -> Contradictions:
    """The pairs of (place, claim) that refute each other.

    Each is read against the other, both ways round. Both readings must refute, one of them as surely as `sure`.
    """
    near = []
    for (i, a), (j, b) in combinations(claims, 2):
        alike = max(claim_overlap(a, b), claim_overlap(b, a))
        if alike >= ALIKE and a != b:
            near.append((-alike, i, j, a, b))
    chosen = sorted(near)[:MOST_PAIRS]
    judged = judge.judge([pair for _, _, _, a, b in chosen for pair in ((a, b), (b, a))])
    found = []
    for (_, i, j, a, b), one, other in zip(chosen, judged[::2], judged[1::2], strict=True):
        if one.label is not Label.REFUTES or other.label is not Label.REFUTES:
            continue
        shares = one.probabilities[Label.REFUTES], other.probabilities[Label.REFUTES]
        if max(shares) >= sure:
            apart = next((c for c in check_figures(a, b).comparisons if c.outcome == "disagrees"), None)
            figures = f"“{apart.claim}” and “{apart.evidence}”" if apart is not None else ""
            found.append(Contradiction(i, j, min(shares), figures))
    return Contradictions(tuple(sorted(found)), len(chosen), len(near))
