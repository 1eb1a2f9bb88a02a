"""From what was read about one sentence to how likely its source bears it out.

A judge is trained on evidence somebody chose for a claim. A sentence of a summary is another matter: it is copied in
part or in whole, put together from several places, and where it is wrong the wrong thing is mostly not in the source at
all. So what the judge says is weighed with what the words tell, by a logistic regression. A sentence whose words follow
each other as in the source is weighed as a copy: where it departs from the source's wording, two sentences were mostly
fused into one. A sentence in words of its own is not: how it is worded says little about its truth. `copying` says how
far it is the one or the other, and each kind has its own coefficients. They are in one table by model;
`python benchmarks/consistency.py --fit` makes them anew, and says what they were fitted on.

Two numbers come out. The *score* counts on how often people find such sentences right: of summaries in words of their
own, not often. The *verdict* supposes that right and wrong are equally frequent, as a reader does who wants both told
apart; it is the score moved by a step for copies and another for the rest.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from aver.consistency._source import Source, stem, stems
from aver.consistency._spans import STOP, absent_figures
from aver.labels import Label
from aver.models import Judge
from aver.text import words

__all__ = [
    "FEATURES", "MARK_FEATURES", "RAW", "WEIGHTS", "Numbers", "Weighed", "Weights", "measured", "plain_score", "weigh",
    "weigh_strictly", "weights_for",
]  # fmt: skip

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO
Probabilities = Mapping[str, float]
_FLOOR = 1e-3

RAW = ("support", "refutation", "joint", "balance", "coverage", "figures", "pairs", "triples", "marked", "marks")
"""What is measured of a sentence. Of the judge: the strongest support and the strongest refutation among the nearest
source sentences, as log odds; what those say together, as a log ratio of support to silence, and support minus
refutation. Of the words: the share of its content words that the source holds; how many of its figures stand nowhere in
the source (up to three); the share of its word pairs that the best single source sentence holds; the share of its word
triples that stand in the source. Of a judge that marks the claim's words that are not borne out: the highest and the
mean mark of its content words, as log odds, in the joint reading."""
FEATURES = (
    "own_support", "own_refutation", "own_joint", "own_balance", "own_coverage", "own_figures",
    "copied_support", "copied_joint", "copied_pairs", "copied_triples", "copying",
)  # fmt: skip
"""What is weighed for any judge; `Weights` says how the names are made."""
MARK_FEATURES = ("own_marked", "own_marks", "copied_marked", "copied_marks")
"""And besides for one that marks the words of a claim."""
MARKS = frozenset({"marked", "marks"})
_STRICT = 4.0
"""How steeply the strict score follows support minus refutation; it is half where they are equal, whatever this is."""
_HALF, _STEEP = 0.6, 0.08
"""From this share of its word pairs standing in the source on, a sentence is more of a copy than not; chosen with the
features."""


class Weights(NamedTuple):
    """A constant, and a coefficient for each feature by its name.

    A feature is one of `RAW` behind `own_` (times 1 - `copying`) or `copied_` (times `copying`), or `copying` itself.
    """

    name: str
    constant: float
    coefficients: Mapping[str, float]
    verdict: tuple[float, float] = (0.0, 0.0)
    """What the verdict adds to the score's log odds for a sentence in its own words, and for a copy."""
    marks_at: float = 0.5
    """From this probability on a word of the claim is shown as not borne out, by a judge that marks them."""

    @property
    def needs_marks(self) -> bool:
        return any(name.partition("_")[2] in MARKS for name in self.coefficients)


# fmt: off
WEIGHTS: dict[str, Weights] = {
    "default": Weights(
        "default-8",
        -1.756,
        {
            "own_support": 0.147, "own_refutation": -0.118, "own_joint": 0.017,
            "own_balance": -0.069, "own_coverage": 0.256, "own_figures": -0.03,
            "copied_support": 0.223, "copied_joint": 0.086, "copied_pairs": 0.717,
            "copied_triples": 0.913, "copying": 0.415, "own_marked": -0.232,
            "own_marks": -0.225, "copied_marked": -0.035, "copied_marks": -0.176,
        },
        verdict=(1.88, -2.25),
        marks_at=0.34,
    ),
    "fast": Weights(
        "fast-4",
        -1.654,
        {
            "own_support": 0.119, "own_refutation": -0.139, "own_joint": 0.245,
            "own_balance": 0.455, "own_coverage": 0.446, "own_figures": -0.179,
            "copied_support": 0.15, "copied_joint": 0.09, "copied_pairs": 1.108,
            "copied_triples": 1.174, "copying": 0.628, "own_marked": -0.121,
            "own_marks": -0.145, "copied_marked": -0.048, "copied_marks": -0.084,
        },
        verdict=(1.75, -1.62),
        marks_at=0.38,
    ),
}
# fmt: on
"""By the model's name or the first twelve digits of its hash."""


def weights_for(judge: Judge) -> Weights | None:
    """The weights fitted for a judge, named `name@hash`: by its hash, whatever it is called, else by its name.

    None also where they count on marks that the judge does not make.
    """
    name, _, digest = judge.model.rpartition("@")
    found = WEIGHTS.get(digest) or WEIGHTS.get(name)
    return None if found is None or (found.needs_marks and not judge.marks_claims) else found


class Numbers(NamedTuple):
    """What was measured of a sentence, by the names of `RAW`, and how far it is a copy."""

    raw: Mapping[str, float]
    copying: float

    def feature(self, name: str) -> float:
        """A feature as `Weights` names it."""
        if name == "copying":
            return self.copying
        kind, _, what = name.partition("_")
        return self.raw[what] * (self.copying if kind == "copied" else 1 - self.copying)


def measured(
    sentence: str, source: Source, nearest: Sequence[int], single: Sequence[Probabilities], joint: Probabilities,
    marks: Sequence[float] | None = None,
) -> Numbers:  # fmt: skip
    """The numbers `weigh` weighs; `nearest` are the source sentences that were read, `single` what each said, and
    `marks` what the joint reading says of each word of the sentence, where the judge tells."""
    sequence = stems(sentence)
    pairs = list(pairwise(sequence))
    found = words(sentence)
    telling = [not w.is_punctuation and w.text.casefold() not in STOP for w in found]
    content = [stem(w.text) for w, counts in zip(found, telling, strict=True) if counts]
    raw = {
        "support": _odds(max((p[S] for p in single), default=0.0)),
        "refutation": _odds(max((p[R] for p in single), default=0.0)),
        "joint": math.log(joint[S] + _FLOOR) - math.log(joint[N] + _FLOOR),
        "balance": joint[S] - joint[R],
        "coverage": _share(content, source.terms.single),
        "figures": min(3.0, len(absent_figures(sentence, source))),
        "pairs": max((_share(pairs, set(pairwise(source.sentence_stems(at)))) for at in nearest), default=0.0),
        "triples": _share(list(zip(sequence, sequence[1:], sequence[2:], strict=False)), source.terms.triples),
    }
    if marks is not None:
        doubts = [_odds(mark) for mark, counts in zip(marks, telling, strict=True) if counts] or [_odds(0.0)]
        raw |= {"marked": max(doubts), "marks": fmean(doubts)}
    return Numbers(raw, _logistic((_share(pairs, source.terms.pairs) - _HALF) / _STEEP))


class Weighed(NamedTuple):
    """How likely people find a sentence borne out, and how likely it is where right and wrong are equally frequent."""

    score: float
    verdict: float


def weigh(numbers: Numbers, weights: Weights) -> Weighed:
    """The probabilities that the source bears the sentence out."""
    total = weights.constant + sum(w * numbers.feature(name) for name, w in weights.coefficients.items())
    own, copied = weights.verdict
    step = own + (copied - own) * numbers.copying
    return Weighed(_logistic(total), _logistic(total + step))


def weigh_strictly(joint: Probabilities) -> float:
    """How far the nearest sentences together speak for a sentence rather than against it: more than half where they do.

    Nothing is fitted here. Where the source is silent that is half, for it does not speak against anything.

    >>> round(weigh_strictly({S: 0.1, R: 0.8, N: 0.1}), 2)
    0.06
    """
    return _logistic(_STRICT * (joint[S] - joint[R]))


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
