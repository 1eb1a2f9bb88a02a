"""From what each sentence says, and what they say together, to the probabilities of a claim's label.

A judge is trained on evidence that somebody chose for a claim. Sentences that a search brought up are another matter:
most have nothing to say, and the nearest of them look as if they had. So what the judge says is weighed again, by a
logistic regression over five numbers: the strongest support among the sentences, the strongest refutation, what they
say together (two numbers), and how much of the claim's wording the best sentence holds. It was fitted on claims whose
label is known, with as many that nothing decides as others; `python benchmarks/verification.py --fit` prints it anew.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from aver.labels import Label
from aver.text import words

__all__ = ["WEIGHTS", "Weights", "claim_overlap", "features", "weigh", "weights_for"]

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO
Probabilities = Mapping[str, float]
_FLOOR = 1e-3
_STOP = frozenset(
    "a an and are as at be been but by did do does for from had has have he her his in into is it its of on or she "
    "that the their there they this to was were which who will with".split()
)


class Weights(NamedTuple):
    """For SUPPORTS and for REFUTES, against NOT_ENOUGH_INFO: five coefficients and a constant."""

    name: str
    supports: tuple[float, float, float, float, float, float]
    refutes: tuple[float, float, float, float, float, float]


WEIGHTS: dict[str, Weights] = {
    "default": Weights(
        "default-1", (0.089, -0.299, 0.281, 0.072, 2.538, -3.085), (-0.13, 0.338, 0.027, 0.3, 0.272, -1.629)
    ),
    "fast": Weights(
        "fast-1", (0.21, -0.295, 0.088, -0.009, 3.531, -3.271), (-0.147, 0.497, -0.138, 0.207, 1.796, -2.686)
    ),
}
"""By the model's name or the first twelve digits of its hash; of a model that is not here the readings are combined as
the windows of a long text are."""


def weights_for(model: str) -> Weights | None:
    """The weights fitted for a model, named `name@hash`: by its hash, whatever it is called, else by its name.

    >>> weights_for("fast@0123456789ab").name, weights_for("llm:some-model@0123456789ab")
    ('fast-1', None)
    """
    name, _, digest = model.rpartition("@")
    return WEIGHTS.get(digest) or WEIGHTS.get(name)


def features(
    claim: str, sentences: Sequence[Probabilities], joint: Probabilities, overlaps: Sequence[float]
) -> list[float]:
    """The five numbers: strongest support and refutation as log odds, the joint reading's, and the overlap."""
    return [
        _odds(max(p[S] for p in sentences)),
        _odds(max(p[R] for p in sentences)),
        math.log(joint[S] + _FLOOR) - math.log(joint[N] + _FLOOR),
        math.log(joint[R] + _FLOOR) - math.log(joint[N] + _FLOOR),
        max(overlaps),
    ]


def weigh(numbers: Sequence[float], weights: Weights) -> Probabilities:
    """The probabilities of SUPPORTS, REFUTES and NOT_ENOUGH_INFO.

    >>> found = weigh([3.0, -3.0, 3.0, -2.0, 1.0], WEIGHTS["fast"])
    >>> max(found, key=found.get), round(sum(found.values()), 6)
    ('SUPPORTS', 1.0)
    """
    scores = [
        sum(w * x for w, x in zip(row, (*numbers, 1.0), strict=True)) for row in (weights.supports, weights.refutes)
    ]
    most = max(*scores, 0.0)
    powers = [math.exp(score - most) for score in (*scores, 0.0)]
    return MappingProxyType({str(label): p / sum(powers) for label, p in zip((S, R, N), powers, strict=True)})


def claim_overlap(claim: str, text: str, *, compared: Sequence[str] = ()) -> float:
    """The share of the claim's content words that the text holds, by their first six letters.

    `compared` are figures of the claim that the text has a counterpart for: whatever they say, they are not missing.

    >>> claim_overlap("The bridge was opened in 1931.", "Arle Bridge: It opened to traffic in 1931.")
    1.0
    """
    wanted = _terms(claim)
    held = _terms(text).union(*map(_terms, compared))
    return len(wanted & held) / len(wanted) if wanted else 0.0


def _terms(text: str) -> set[str]:
    found = (w.text.casefold() for w in words(text) if not w.is_punctuation)
    return {word.removesuffix("'s")[:6] for word in found if word not in _STOP}


def _odds(share: float) -> float:
    return math.log(share + _FLOOR) - math.log(1 - share + _FLOOR)
