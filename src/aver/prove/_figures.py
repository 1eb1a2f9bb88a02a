"""The arithmetic the parts share: area under the curve, thresholds chosen on the other half, intervals."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aver.prove._scorer import Floats

__all__ = ["HALVES_RULE", "Accuracy", "Bools", "auc", "balanced", "best_threshold", "crossed", "halves"]

Bools = NDArray[np.bool_]

HALVES_RULE = (
    "The threshold is the one with the best balanced accuracy on one half of the documents, used on the other half, "
    "and the other way round; a document's half is the parity of the SHA-256 of its name"
)


class Accuracy(NamedTuple):
    """Balanced accuracy with thresholds chosen on the other half."""

    value: float | None
    """Mean of the shares of consistent and of inconsistent rows that are called so; None where a class is absent."""
    low: float | None
    high: float | None
    thresholds: tuple[float | None, float | None]
    called: Bools
    """What each row was called."""


def auc(scores: Floats, labels: Bools) -> float | None:
    """The chance that a consistent row scores above an inconsistent one, ties and unscored rows counting one half.

    >>> auc(np.array([0.9, 0.4, 0.4, np.nan]), np.array([True, True, False, False]))
    0.625
    """
    up, down = scores[labels], scores[~labels]
    if not len(up) or not len(down):
        return None
    known, others = np.sort(down[np.isfinite(down)]), up[np.isfinite(up)]
    below = np.searchsorted(known, others, side="left")
    upto = np.searchsorted(known, others, side="right")
    missing = len(up) * len(down) - len(others) * len(known)
    won = float(np.sum(below) + 0.5 * np.sum(upto - below) + 0.5 * missing)
    return won / (len(up) * len(down))


def balanced(called: Bools, labels: Bools) -> float | None:
    """The mean of the two classes' recalls.

    >>> balanced(np.array([True, False, False]), np.array([True, True, False]))
    0.75
    """
    if labels.all() or not labels.any():
        return None
    return float((called[labels].mean() + (~called[~labels]).mean()) / 2)


def best_threshold(scores: Floats, labels: Bools) -> float | None:
    """The threshold (a row is called consistent from there on) with the best balanced accuracy.

    It stands midway between two scores; of several equally good ones the middle one is taken.

    >>> best_threshold(np.array([0.1, 0.2, 0.8, 0.9]), np.array([False, False, True, True]))
    0.5
    """
    keep = np.isfinite(scores)
    scores, labels = scores[keep], labels[keep]
    if not len(scores) or labels.all() or not labels.any():
        return None
    order = np.argsort(scores, kind="stable")
    ranked, right = scores[order], labels[order]
    ends = np.flatnonzero(np.r_[ranked[1:] != ranked[:-1], True])
    if len(ends) == 1:
        return float(ranked[0])
    # calling everything above ranked[end] consistent
    lost, won = np.cumsum(right)[ends[:-1]], np.cumsum(~right)[ends[:-1]]
    quality = (1 - lost / right.sum()) + won / (~right).sum()
    best = np.flatnonzero(quality >= quality.max() - 1e-12)
    at = ends[best[len(best) // 2]]
    return float((ranked[at] + ranked[at + 1]) / 2)


def halves(docs: Sequence[str]) -> Bools:
    """Which half each row's document is in."""
    known = {doc: hashlib.sha256(doc.encode()).digest()[0] % 2 == 1 for doc in set(docs)}
    return np.array([known[doc] for doc in docs], dtype=bool)


def crossed(
    scores: Floats, labels: Bools, docs: Sequence[str], *, resamples: int = 1000, seed: int = 0,
    strata: Sequence[str] | None = None,
) -> Accuracy:  # fmt: skip
    """Balanced accuracy with each half's threshold chosen on the other, and its interval over documents.

    An unscored row is called wrongly: leaving it out would flatter. With `strata` the figure is the mean of the
    strata's balanced accuracies, as SummEdits has it for its domains.

    >>> docs = [str(i) for i in range(40)]
    >>> labels = np.arange(40) % 2 == 0
    >>> crossed(labels + 0.0, labels, docs, resamples=0).value
    1.0
    """  # fmt: skip
    side = halves(docs)
    called = ~labels  # what has no score stays wrong
    thresholds = []
    for half in (False, True):
        threshold = best_threshold(scores[side != half], labels[side != half])
        if threshold is None:  # one half holds one class only: choose on both, which is all there is
            threshold = best_threshold(scores, labels)
        thresholds.append(threshold)
        mine = (side == half) & np.isfinite(scores)
        called[mine] = scores[mine] >= threshold if threshold is not None else ~labels[mine]
    kinds = np.zeros(len(labels), dtype=np.int64)
    if strata is not None:
        kinds = np.unique(np.array(strata), return_inverse=True)[1]
    counts = _counts(called, labels, np.unique(np.array(docs), return_inverse=True)[1], kinds)
    value = _mean_balanced(counts.sum(axis=0, keepdims=True).astype(float))[0]
    low = high = None
    if resamples and np.isfinite(value):
        # documents are drawn with replacement: each sample is how often each of them was drawn
        random = np.random.default_rng(seed)
        n = len(counts)
        drawn = np.stack([np.bincount(random.integers(0, n, n), minlength=n) for _ in range(resamples)])
        totals = (drawn @ counts.reshape(n, -1)).reshape(resamples, *counts.shape[1:])
        values = _mean_balanced(totals.astype(float))
        if np.isfinite(values).any():
            low, high = (float(end) for end in np.nanpercentile(values, [2.5, 97.5]))
    return Accuracy(float(value) if np.isfinite(value) else None, low, high, (thresholds[0], thresholds[1]), called)


def _counts(called: Bools, labels: Bools, docs: NDArray[np.intp], kinds: NDArray[np.intp]) -> NDArray[np.int64]:
    """For each document and stratum: right positives, positives, right negatives, negatives."""
    table = np.zeros((int(docs.max()) + 1, int(kinds.max()) + 1, 4), dtype=np.int64)
    for column, hit in enumerate((labels & called, labels, ~labels & ~called, ~labels)):
        np.add.at(table[:, :, column], (docs, kinds), hit)
    return table


def _mean_balanced(counts: Floats) -> Floats:
    """Over the strata that have both classes; counts are (samples, strata, 4)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        each = (counts[:, :, 0] / counts[:, :, 1] + counts[:, :, 2] / counts[:, :, 3]) / 2
    there = np.isfinite(each)
    total = np.where(there, each, 0.0).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(total / there.sum(axis=1))
