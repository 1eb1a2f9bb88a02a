"""What flaggers weigh their numbers with, by flagger and model; `benchmarks/revisions.py --fit` prints it anew."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

__all__ = ["SCALINGS", "Scaling", "scaling_for"]


class Scaling(NamedTuple):
    """A logistic scale: weights by name, a constant, and the probability from which an edit counts as factual."""

    name: str
    weights: Mapping[str, float]
    constant: float
    threshold: float = 0.5
    fitted: bool = True

    def probability(self, numbers: Sequence[float]) -> float:
        """Of a factual edit, from the numbers in the order of the weights."""
        score = self.constant + sum(w * float(x) for w, x in zip(self.weights.values(), numbers, strict=True))
        return 0.5 * (1 + math.tanh(0.5 * score))


SCALINGS: dict[tuple[str, str], Scaling] = {
    ("aver", "fast"): Scaling(
        "fast",
        {
            "head": 0.457, "head_spread": -0.112, "entailed": -0.319, "refuted": -0.074, "refuted_both": -0.018,
            "quantity": 0.158, "date": -0.138, "entity": 0.615, "negation": 0.751, "names_swapped": -0.085,
            "lost": 0.658, "gained": 0.167, "edited": -1.822, "share": 3.536, "form_only": -3.476,
            "same_figures": -4.780, "reordered": 2.966,
        },
        0.920,
        0.58,
    ),
    ("aver", "default"): Scaling(
        "default",
        {
            "head": 0.531, "head_spread": 0.038, "entailed": -0.234, "refuted": -0.019, "refuted_both": 0.079,
            "quantity": 0.433, "date": -0.141, "entity": 0.607, "negation": 0.638, "names_swapped": 0.113,
            "lost": 0.643, "gained": 0.038, "edited": -1.615, "share": 3.916, "form_only": -3.466,
            "same_figures": -4.399, "reordered": 3.180,
        },
        0.905,
        0.612,
    ),
    ("pair", "default"): Scaling("default", {"head": 0.738}, -0.637, 0.453),
    ("diff", "default"): Scaling("default", {"head": 0.829}, -0.479, 0.462),
    ("pair", "fast"): Scaling("fast", {"head": 0.472}, -0.708, 0.474),
    ("diff", "fast"): Scaling("fast", {"head": 0.475}, -0.421, 0.351),
    ("distance", ""): Scaling("distance", {"distance": 2.166}, -0.485, 0.48),
}  # fmt: skip
"""By flagger and model (its name, or the first twelve digits of its hash)."""

# For a model nobody fitted: the edit head as it is, and the less the versions follow from each other the more.
_PLAIN = {
    "aver": Scaling(
        "plain",
        {
            "head": 0.6, "head_spread": 0.0, "entailed": -0.4, "refuted": 0.2, "refuted_both": 0.0, "quantity": 1.0,
            "date": 0.7, "entity": 0.3, "negation": 0.7, "names_swapped": 0.3, "lost": 0.0, "gained": 0.0,
            "edited": 0.0, "share": 0.0, "form_only": -1.0, "same_figures": -2.0, "reordered": 0.0,
        },
        0.0,
        fitted=False,
    ),
    "pair": Scaling("plain", {"head": 1.0}, 0.0, fitted=False),
    "diff": Scaling("plain", {"head": 1.0}, 0.0, fitted=False),
}  # fmt: skip


def scaling_for(flagger: str, model: str = "") -> Scaling:
    """The scale fitted for a flagger and a model named `name@hash`: by its hash, else by its name, else a plain one.

    >>> scaling_for("aver", "llm:some-model@0123456789ab").fitted
    False
    """
    name, _, digest = model.rpartition("@")
    return SCALINGS.get((flagger, digest)) or SCALINGS.get((flagger, name)) or _PLAIN[flagger]
