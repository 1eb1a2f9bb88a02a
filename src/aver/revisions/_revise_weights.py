"""How much support weighs against size: one row a judge, because judges differ in how sure they are.

`python benchmarks/revisions.py --only revise --fit --judge NAME` chooses a row on VitaminC's fold 7 and prints it.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["WEIGHTS", "Weights", "revise_weights"]


class Weights(NamedTuple):
    """What each thing costs or brings, in units of the logarithm of the judge's support."""

    word: float
    """A word that goes or comes."""
    fault: float
    """A doubled word, a clash of prepositions, an open bracket."""
    prior: float
    """How likely the change looked before the judge was asked."""
    figure: float
    """The change is one of figures alone, where the arithmetic is exact."""
    change: float = 1.0
    """A second change, unless all are of figures."""


COMMON = Weights(0.1, 0.5, 0.2, 0.6)
"""For judges without a row of their own."""

WEIGHTS: dict[str, Weights] = {
    # on 200 sentences of fold 7 each; rows with less for figures nearly tie with them
    "default": Weights(0.05, 0.5, 0.4, 1.0),
    "fast": Weights(0.05, 0.5, 0.4, 1.0),
}
"""By the model's name."""


def revise_weights(model: str) -> Weights:
    """The row of a model, named `name@hash`.

    >>> revise_weights("llm:some-model@0123456789ab") == COMMON
    True
    """
    return WEIGHTS.get(model.rpartition("@")[0], COMMON)
