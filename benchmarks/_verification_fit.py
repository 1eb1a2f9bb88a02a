"""The weights of `aver/verify/_weighing.py`, fitted for a judge: `benchmarks/verification.py --fit` prints them.

A multinomial logistic regression with a quadratic penalty, by Newton's method; how large the penalty is, five-fold
cross-validation over the same claims decides. Nothing that is reported on is looked at.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aver import Collection
from aver.models import Judge
from aver.results import Judgement
from aver.verify import (
    FEATURES,
    READ_AGAIN,
    Evidence,
    Settings,
    both_sides,
    features,
    find_documents,
    joint_word,
    read_jointly,
    read_sentences,
    select_sentences,
    set_aside,
    weigh_figures,
)
from aver.verify._weighing import WEIGHTS

__all__ = ["Case", "cases", "cross_validated", "fit", "fitted", "shares"]

LABELS = ("SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO")
PENALTIES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
FOLDS = 5
MOST_DISPUTED = 0.01
Floats = NDArray[np.float64]


class Case(NamedTuple):
    """A claim, its label, and what was read: as `check_passages` has it right before it decides."""

    claim: str
    label: int
    evidence: list[Evidence]
    joint: Judgement


def cases(
    collection: Collection, claims: Sequence[tuple[str, str]], judge: Judge, ranker: Judge, again: int = READ_AGAIN
) -> Iterator[Case]:
    """Retrieves, ranks and reads, the judge the best `again`; a claim for which nothing is found is left out."""
    settings = Settings()
    for number, (claim, label) in enumerate(claims):
        if number % 100 == 0:
            print(f"fit: {number:,} of {len(claims):,}", file=sys.stderr, flush=True)
        retrieved = select_sentences(collection, claim, find_documents(collection, claim))
        ranked = [r for r in read_sentences(ranker, claim, retrieved.passages) if r.judgement.label is not None]
        best = [r.passage for r in ranked[: max(again, settings.evidence)]]
        kept = [r for r in read_sentences(judge, claim, best) if r.judgement.label is not None][: settings.evidence]
        joint = read_jointly(judge, claim, kept)
        if joint is not None:
            evidence = set_aside(claim, [weigh_figures(claim, reading) for reading in kept], settings.near)
            yield Case(claim, LABELS.index(label), evidence, joint)


def fit(
    collection: Collection, claims: Sequence[tuple[str, str]], judge: Judge, ranker: Judge, again: int = READ_AGAIN
) -> None:
    """Prints the weights, and what cross-validation says of them and of leaving out each number."""
    read = list(cases(collection, claims, judge, ranker, again))
    x = np.array([features(c.claim, c.evidence, joint_word(c.evidence, c.joint)) for c in read])
    y = np.array([c.label for c in read])
    losses = {penalty: loss(cross_validated(x, y, penalty), y) for penalty in PENALTIES}
    best = min(losses, key=lambda penalty: losses[penalty])
    found = cross_validated(x, y, best)
    right = found.argmax(1) == y
    print(f"model {judge.model}, sentences ordered by {ranker.model}; {len(y):,} claims of paper_dev's first half, "
          f"{again} sentences read by the judge")  # fmt: skip
    print(f"penalty {best}: cross-validated accuracy {right.mean():.4f}, log loss {losses[best]:.4f}; "
          + ", ".join(f"{name} {right[y == at].mean():.3f}" for at, name in enumerate(LABELS)))  # fmt: skip
    for at, name in enumerate(FEATURES):
        without = cross_validated(np.delete(x, at, 1), y, best)
        print(f"  without {name:<16} accuracy {(without.argmax(1) == y).mean():.4f}, log loss {loss(without, y):.4f}")
    weights = fitted(x, y, best).round(3)
    name = judge.name if judge.name in ("default", "fast") else judge.model.rpartition("@")[2]
    before = WEIGHTS[name].name if name in WEIGHTS else f"{name}-0"
    print(f'    "{name}": Weights(\n        "{name}-{int(before.rpartition("-")[2]) + 1}",')
    for column in (0, 1):
        print(f"        ({', '.join(f'{w:g}' for w in weights[:, column])}),")
    print(f"        {threshold(read):g},\n    ),")


def threshold(read: Sequence[Case]) -> float:
    """From which probability of both sides on no more than 1 in 100 of these claims would be called DISPUTED.

    What a search brings up looks like both sides more easily than evidence that was chosen: it is never less than for
    that.
    """
    found = []
    for case in read:
        shown = {e.label for e in case.evidence}
        both = both_sides([e.probabilities for e in case.evidence if not e.aside])
        found.append(both if {"SUPPORTS", "REFUTES"} <= shown else 0.0)
    least = float(np.ceil(100 * np.quantile(found, 1 - MOST_DISPUTED)) / 100)
    return max(least, Settings().disputed_from(None))


def cross_validated(x: Floats, y: NDArray[np.int64], penalty: float) -> Floats:
    """The shares of each claim by weights that were fitted without it (nor its neighbour, the other kind of claim)."""
    fold = np.arange(len(y)) // 2 % FOLDS
    found = np.zeros((len(y), 3))
    for k in range(FOLDS):
        found[fold == k] = shares(fitted(x[fold != k], y[fold != k], penalty), x[fold == k])
    return found


def fitted(x: Floats, y: NDArray[np.int64], penalty: float, steps: int = 30) -> Floats:
    """Coefficients and constants, a column for SUPPORTS and one for REFUTES; NOT_ENOUGH_INFO is the base."""
    mean, spread = x.mean(0), x.std(0) + 1e-9
    inputs = np.c_[(x - mean) / spread, np.ones(len(x))]
    width = inputs.shape[1]
    weights = np.zeros((width, 2))
    target = np.eye(3)[y][:, :2]
    # constants are free: the share of each label is what it is
    shrink = np.diag(np.tile(np.r_[np.full(width - 1, penalty), 1e-9], 2)) * len(x)
    for _ in range(steps):
        p = shares(weights, inputs[:, :-1])[:, :2]
        gradient = (inputs.T @ (p - target)).T.ravel() + shrink @ weights.T.ravel()
        blocks = [[(inputs * (p[:, i] * ((i == j) - p[:, j]))[:, None]).T @ inputs for j in (0, 1)] for i in (0, 1)]
        step = np.linalg.solve(np.block(blocks) + shrink, gradient).reshape(2, width).T
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    slopes = weights[:-1] / spread[:, None]
    return np.r_[slopes, (weights[-1] - (slopes * mean[:, None]).sum(0))[None]]


def shares(weights: Floats, x: Floats) -> Floats:
    """The probabilities of the three labels for each row."""
    scores = np.c_[np.c_[x, np.ones(len(x))] @ weights, np.zeros(len(x))]
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(powers / powers.sum(1, keepdims=True))


def loss(found: Floats, y: NDArray[np.int64]) -> float:
    """Mean of minus the logarithm of the right label's share."""
    return float(-np.log(found[np.arange(len(y)), y] + 1e-12).mean())
