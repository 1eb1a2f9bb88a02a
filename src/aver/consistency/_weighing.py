"""From what was read about one sentence to how likely its source bears it out.

A judge is trained on evidence somebody chose for a claim. A sentence of a summary is another matter: it is copied in
part or in whole, put together from several places, and where it is wrong the wrong thing is mostly not in the source at
all. So what the judge says is weighed with what the words tell, by a logistic regression. A sentence whose words follow
each other as in the source is weighed as a copy: where it departs from the source's wording, two sentences were mostly
fused into one. A sentence in words of its own is not: how it is worded says nothing about its truth. `copying` says how
far it is the one or the other, and each kind has its own coefficients. They are in one table by model;
`python benchmarks/consistency.py --fit` makes them anew, and says what they were fitted on.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from aver.consistency._source import Source, stem, stems
from aver.consistency._spans import STOP, absent_figures
from aver.labels import Label
from aver.text import words

__all__ = ["FEATURES", "WEIGHTS", "Weights", "features", "plain_score", "weigh", "weights_for"]

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO
Probabilities = Mapping[str, float]
_FLOOR = 1e-3

FEATURES = (
    "own_support",
    "own_refutation",
    "own_joint",
    "own_coverage",
    "own_figures",
    "copied_support",
    "copied_joint",
    "copied_pairs",
    "copied_triples",
    "copying",
)
"""For a sentence in its own words, times 1 - `copying`: the strongest support and the strongest refutation among the
nearest source sentences, as log odds; what those say together, as a log ratio of support to silence; the share of its
content words that the source holds; how many of its figures stand nowhere in the source (up to three). For a copied
one, times `copying`: support and joint support again; the share of its word pairs that the best single source sentence
holds; the share of its word triples that stand in the source. And `copying` itself."""
_HALF, _STEEP = 0.6, 0.08
"""From this share of its word pairs standing in the source on, a sentence is more of a copy than not; chosen with the
features."""


class Weights(NamedTuple):
    """A constant and one coefficient for each of `FEATURES`."""

    name: str
    constant: float
    coefficients: tuple[float, ...]


WEIGHTS: dict[str, Weights] = {
    "default": Weights("default-1", -0.495, (0.234, -0.174, 0.238, 1.184, -0.161, 0.215, 0.117, 1.158, 1.276, 0.622)),
    "fast": Weights("fast-1", -0.705, (0.151, -0.3, 0.45, 0.797, -0.256, 0.211, 0.123, 1.004, 1.246, 0.699)),
}
"""By the model's name or the first twelve digits of its hash."""


def weights_for(model: str) -> Weights | None:
    """The weights fitted for a model, named `name@hash`: by its hash, whatever it is called, else by its name."""
    name, _, digest = model.rpartition("@")
    return WEIGHTS.get(digest) or WEIGHTS.get(name)


def features(
    sentence: str, source: Source, nearest: Sequence[int], single: Sequence[Probabilities], joint: Probabilities
) -> list[float]:
    """The numbers `weigh` weighs; `nearest` are the source sentences that were read, `single` what each said."""
    sequence = stems(sentence)
    pairs = list(pairwise(sequence))
    content = [stem(w.text) for w in words(sentence) if not w.is_punctuation and w.text.casefold() not in STOP]
    copying = _logistic((_share(pairs, source.terms.pairs) - _HALF) / _STEEP)
    support = _odds(max((p[S] for p in single), default=0.0))
    together = math.log(joint[S] + _FLOOR) - math.log(joint[N] + _FLOOR)
    own = [
        support,
        _odds(max((p[R] for p in single), default=0.0)),
        together,
        _share(content, source.terms.single),
        min(3.0, len(absent_figures(sentence, source))),
    ]
    copied = [
        support,
        together,
        max((_share(pairs, set(pairwise(source.sentence_stems(at)))) for at in nearest), default=0.0),
        _share(list(zip(sequence, sequence[1:], sequence[2:], strict=False)), source.terms.triples),
    ]
    return [*((1 - copying) * x for x in own), *(copying * x for x in copied), copying]


def weigh(numbers: Sequence[float], weights: Weights) -> float:
    """The probability that the source bears the sentence out."""
    total = weights.constant + sum(w * x for w, x in zip(weights.coefficients, numbers, strict=True))
    return _logistic(total)


def plain_score(single: Sequence[Probabilities], joint: Probabilities) -> float:
    """For a judge nothing was fitted for: the strongest support, lessened by a stronger word against it.

    >>> plain_score([{S: 0.9, R: 0.0, N: 0.1}], {S: 0.6, R: 0.1, N: 0.3})
    0.9
    """
    supports = max(p[S] for p in (*single, joint))
    refutes = max(p[R] for p in (*single, joint))
    return supports if refutes <= supports else supports * (1 - refutes)


def _share(part: Sequence[object], whole: Collection[object]) -> float:
    # a sentence of one word has no pairs: nothing of it is missing
    return sum(one in whole for one in part) / len(part) if part else 1.0


def _logistic(value: float) -> float:
    return 0.5 * (1 + math.tanh(0.5 * value))


def _odds(p: float) -> float:
    return math.log(p + _FLOOR) - math.log(1 - p + _FLOOR)
