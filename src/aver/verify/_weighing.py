"""From what each sentence says, and what they say together, to the probabilities of a claim's label.

A judge is trained on evidence that somebody chose for a claim. Sentences that a search brought up are another matter:
most have nothing to say, and the nearest of them look as if they had. So what the judge says is weighed again, by a
logistic regression over the numbers of `FEATURES`: what the sentences say one by one and together, and how near they
are to the claim. It was fitted on claims whose label is known, with as many that nothing decides as others, and which
numbers there are was chosen by cross-validation over the same claims; `python benchmarks/verification.py --fit` prints
the weights anew, and what leaving out each number costs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from aver.labels import Label
from aver.results import Probabilities
from aver.text import words
from aver.verify._results import Evidence

__all__ = ["FEATURES", "WEIGHTS", "Weights", "claim_overlap", "evidence_overlap", "features", "weigh", "weights_for"]

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO
_Shares = Mapping[str, float]
_FLOOR = 1e-3
_STOP = frozenset(
    "a an and are as at be been but by did do does for from had has have he her his in into is it its of on or she "
    "that the their there they this to was were which who will with".split()
)


FEATURES = {
    "support": "the strongest support of a single sentence, as log odds",
    "refutation": "the strongest refutation of a single sentence, as log odds",
    "joint support": "what the sentences say together: SUPPORTS against NOT_ENOUGH_INFO, as log odds",
    "joint refutation": "the same for REFUTES",
    "overlap": "the share of the claim's content words that the fullest sentence holds, its title included",
    "subject": "1 where the first sentence, its title included, holds the first name in the claim, else 0",
    "cosine": "the nearest sentence's, by the static encoder; 0 where it was not used",
    "first support": "what the first sentence says, near enough to take sides or not: SUPPORTS, as log odds",
    "first silence": "the same for NOT_ENOUGH_INFO",
    "documents": "how many documents the sentences come from",
    "relevance": "the highest relevance of a sentence, as log odds; 0 where the judge does not tell",
}
"""What is weighed: up to `cosine` over the sentences that take sides, then over all that are kept."""


class Weights(NamedTuple):
    """For SUPPORTS and for REFUTES, against NOT_ENOUGH_INFO: a coefficient for each of `FEATURES`, and a constant."""

    name: str
    supports: tuple[float, ...]
    refutes: tuple[float, ...]
    dispute: float
    """From which probability of both sides on a claim is DISPUTED: at most 1 in 100 of the claims it was fitted on, of
    which none is disputed, reach it (3 in 100 for `fast`, which sees both sides more easily and would hardly ever say
    so otherwise), and it is never less than for evidence that was handed in."""


WEIGHTS: dict[str, Weights] = {
    "default": Weights(
        "default-11",
        (0.071, -0.081, 0.166, -0.049, 0.013, 0.343, 1.116, 0.122, -0.117, -0.049, 0.059, -1.953),
        (-0.063, 0.117, -0.001, 0.294, -1.246, 0.411, 0.56, -0.077, -0.112, -0.196, 0.024, -0.415),
        0.79,
    ),
    "fast": Weights(
        "fast-5",
        (0.097, -0.178, 0.206, 0.005, 1.011, 1.349, 3.534, 0.198, -0.346, -0.226, -0.266, -4.162),
        (-0.069, 0.215, 0.008, 0.207, 0.159, 1.145, 1.284, -0.179, -0.281, -0.181, -0.094, -2.884),
        0.81,
    ),
}
"""By the model's name or the first twelve digits of its hash; of a model that is not here the readings are combined as
the windows of a long text are."""


def weights_for(model: str) -> Weights | None:
    """The weights fitted for a model, named `name@hash`: by its hash, whatever it is called, else by its name.

    >>> weights_for("fast@0123456789ab").name, weights_for("llm:some-model@0123456789ab")
    ('fast-5', None)
    """
    name, _, digest = model.rpartition("@")
    return WEIGHTS.get(digest) or WEIGHTS.get(name)


def features(claim: str, evidence: Sequence[Evidence], joint: _Shares) -> list[float]:
    """The numbers of `FEATURES`, from the kept sentences, the one that bears most on the claim first."""
    sides = [e for e in evidence if e.probabilities and not e.aside] or list(evidence)
    first = evidence[0].judgement.probabilities
    told = [e.judgement.relevance for e in evidence if e.judgement.relevance is not None]
    return [
        _odds(max(e.probabilities[S] for e in sides)),
        _odds(max(e.probabilities[R] for e in sides)),
        math.log(joint[S] + _FLOOR) - math.log(joint[N] + _FLOOR),
        math.log(joint[R] + _FLOOR) - math.log(joint[N] + _FLOOR),
        max(evidence_overlap(claim, e) for e in sides),
        float(_holds_subject(sides[0].passage.titled, claim)),
        max(e.passage.cosine for e in sides),
        _odds(first[S]),
        _odds(first[N]),
        float(len({e.passage.document for e in evidence})),
        _odds(max(told)) if told else 0.0,
    ]


def weigh(numbers: Sequence[float], weights: Weights) -> _Shares:
    """The probabilities of SUPPORTS, REFUTES and NOT_ENOUGH_INFO.

    >>> found = weigh([3.0, -3.0, 3.0, -2.0, 1.0, 1.0, 0.8, 3.0, -3.0, 1.0, 3.0], WEIGHTS["fast"])
    >>> max(found, key=found.get), round(sum(found.values()), 6)
    ('SUPPORTS', 1.0)
    """
    scores = [
        sum(w * x for w, x in zip(row, (*numbers, 1.0), strict=True)) for row in (weights.supports, weights.refutes)
    ]
    most = max(*scores, 0.0)
    powers = [math.exp(score - most) for score in (*scores, 0.0)]
    return Probabilities({str(label): p / sum(powers) for label, p in zip((S, R, N), powers, strict=True)})


def claim_overlap(claim: str, text: str, *, compared: Sequence[str] = ()) -> float:
    """The share of the claim's content words that the text holds, by their first six letters.

    `compared` are figures of the claim that the text has a counterpart for: whatever they say, they are not missing.

    >>> claim_overlap("The bridge was opened in 1931.", "Arle Bridge: It opened to traffic in 1931.")
    1.0
    """
    wanted = _terms(claim)
    held = _terms(text).union(*map(_terms, compared))
    return len(wanted & held) / len(wanted) if wanted else 0.0


def evidence_overlap(claim: str, evidence: Evidence) -> float:
    """The same for a sentence under its title; figures that were compared with the claim's are not missing."""
    compared = [c.claim for c in evidence.figures.comparisons if c.outcome != "unclear"]
    return claim_overlap(claim, evidence.passage.titled, compared=compared)


def _holds_subject(text: str, claim: str) -> bool:
    """All words of the claim's first name stand in the text: what refutes a claim speaks of the same thing, too.

    A name is a run of words with a capital or a digit. A claim without any lacks none.
    """
    name: list[str] = []
    for word in words(claim):
        if (word.text[0].isupper() or word.text[0].isdigit()) and word.text.casefold() not in _STOP:
            name.append(word.text)
        elif name:
            break
    return _terms(" ".join(name)) <= _terms(text)


def _terms(text: str) -> set[str]:
    found = (w.text.casefold() for w in words(text) if not w.is_punctuation)
    return {word.removesuffix("'s")[:6] for word in found if word not in _STOP}


def _odds(share: float) -> float:
    return math.log(share + _FLOOR) - math.log(1 - share + _FLOOR)
