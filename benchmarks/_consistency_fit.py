"""The weights of aver's consistency metric, fitted anew: `python benchmarks/consistency.py --fit`.

People judged whole texts, the weights score sentences: a text's prediction is the mean over its sentences of the
logistic function, and the cross-entropy to what people said is made small (with a penalty on large coefficients). Every
set has a constant of its own while fitting, so that one where nearly everything is consistent teaches how sentences
differ and not how often they are wrong. The constant that is kept makes 0.5 the best place to part consistent texts
from others, by balanced accuracy, as the mean over the sets.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

import _consistency_sets as sets
from aver.consistency import AverMetric
from aver.consistency._own import CONTRADICTED, is_contradicted
from aver.consistency._reading import claims_of
from aver.consistency._weighing import FEATURES, features

__all__ = ["FIT", "Numbers", "balanced", "fit", "numbers"]

Floats = NDArray[np.float64]

FIT: dict[str, tuple[Callable[[], list[sets.Row]], int, float]] = {
    "FRANK valid, CNN/DM": (lambda: sets.frank("valid", "cnndm"), 160, 1.0),
    "FRANK valid, XSum": (lambda: sets.frank("valid", "bbc"), 296, 1.0),
    "XSumFaith": (sets.xsumfaith, 250, 0.5),
    "WiCE dev": (sets.wice, 120, 0.1),
    "BEGIN dev": (sets.begin, 200, 0.05),
    "VitaminC, fold 7": (sets.vitaminc, 300, 0.3),
}
"""What is fitted on, how many rows of each at most unless --limit says otherwise, and how much each counts. That and
the features were chosen by five-fold cross-validation over the documents of FRANK's validation split; two choices of
form were not, see consistency.py. XSumFaith shares documents with that split, so cross-validated figures for XSum are
too high: only those of the test split count."""
PENALTY = 10.0


class Numbers(NamedTuple):
    """A set as the fit sees it: the sentences' features, which text each belongs to, and what people said."""

    features: Floats
    text: NDArray[np.int64]
    human: Floats
    most: Floats
    """What each sentence can score at most: less than half where it is contradicted."""


def numbers(metric: AverMetric, rows: Sequence[sets.Row]) -> Numbers:
    """Reads every row; texts that state nothing are left out."""
    found: list[list[float]] = []
    text: list[int] = []
    human: list[float] = []
    most: list[float] = []
    plans = [([s.text for s, why in claims_of(row.text) if not why], metric.index(row.source)) for row in rows]
    for row, (sentences, source), reads in zip(rows, plans, metric.read_all(plans), strict=True):
        fitting = [(s, read) for s, read in zip(sentences, reads, strict=False) if read.numbers[1]]
        for sentence, read in fitting:
            found.append(features(sentence, source, read.nearest, *read.numbers))
            text.append(len(human))
            most.append(CONTRADICTED if is_contradicted(sentence, source, read) else 1.0)
        if fitting:
            human.append(row.human)
    return Numbers(np.array(found), np.array(text), np.array(human), np.array(most))


def fit(metric: AverMetric, limit: int | None, seed: int) -> None:
    """Prints the line for the table in `aver/consistency/_weighing.py`, and how well it does on each set."""
    began = time.perf_counter()
    read: dict[str, Numbers] = {}
    for name, (rows, most, _) in FIT.items():
        read[name] = numbers(metric, sets.sample(rows(), most if limit is None else limit, seed))
        print(f"{name}: {len(read[name].human)} texts, {len(read[name].text)} sentences "
              f"({time.perf_counter() - began:.0f} s)", flush=True)  # fmt: skip
    coefficients = _coefficients(list(read.values()), [worth for _, _, worth in FIT.values()])
    constant = _constant(read.values(), coefficients)
    name = metric.model.rpartition("@")[0]
    rounded = tuple(round(float(c), 3) for c in coefficients)
    print("\nfor WEIGHTS in src/aver/consistency/_weighing.py:")
    print(f'    "{name}": Weights("{name}-1", {constant:.3f}, {rounded}),')
    print("\nfeature by feature: " + ", ".join(f"{f} {c}" for f, c in zip(FEATURES, rounded, strict=True)))
    for name, some in read.items():
        scores = _texts(some, coefficients, constant)
        print(f"{name:<22} Pearson {np.corrcoef(scores, some.human)[0, 1]:.3f}  "
              f"balanced accuracy at 0.5 {balanced(scores >= 0.5, some.human > 0.5):.3f}")  # fmt: skip


def balanced(found: NDArray[np.bool_], right: NDArray[np.bool_]) -> float:
    """The mean of the shares of positives and of negatives that were told right."""
    return fmean((float(found[right].mean()), float(1 - found[~right].mean())))


def _texts(some: Numbers, coefficients: Floats, constant: float) -> Floats:
    each = np.minimum(some.most, _logistic(some.features @ coefficients + constant))
    return np.asarray(np.bincount(some.text, each) / np.bincount(some.text))


def _coefficients(read: Sequence[Numbers], worth: Sequence[float]) -> Floats:
    together = np.concatenate([some.features for some in read])
    mean, spread = together.mean(0), together.std(0) + 1e-9
    flat = [(some.features - mean) / spread for some in read]
    counts = [np.bincount(some.text) for some in read]
    width = together.shape[1]

    def loss(values: Floats) -> tuple[float, Floats]:
        weights = values[:width]
        total, slope = PENALTY * float(weights @ weights) / 2, np.zeros_like(values)
        slope[:width] = PENALTY * weights
        for at, (some, numbers_, count) in enumerate(zip(read, flat, counts, strict=True)):
            each = _logistic(numbers_ @ weights + values[width + at])
            text = np.clip(np.bincount(some.text, each) / count, 1e-4, 1 - 1e-4)
            share = 300 * worth[at] / len(text)  # a large set does not outweigh a small one
            total -= share * float(np.sum(some.human * np.log(text) + (1 - some.human) * np.log(1 - text)))
            by_text = -share * (some.human / text - (1 - some.human) / (1 - text)) / count
            by_sentence = by_text[some.text] * each * (1 - each)
            slope[:width] += numbers_.T @ by_sentence
            slope[width + at] += by_sentence.sum()
        return total, slope

    found = minimize(loss, np.zeros(width + len(read)), jac=True, method="L-BFGS-B").x[:width]
    return np.asarray(found / spread)


def _constant(read: Iterable[Numbers], coefficients: Floats) -> float:
    some = [one for one in read if (one.human > 0.5).any() and (one.human <= 0.5).any()]
    middle = float(np.median(np.concatenate([one.features @ coefficients for one in some])))
    tried = np.linspace(-middle - 4, -middle + 4, 81)
    marks = [
        fmean(balanced(_texts(one, coefficients, c) >= 0.5, one.human > 0.5) for one in some) for c in tried.tolist()
    ]
    # of several that do as well, the middle one
    best = np.flatnonzero(np.array(marks) >= max(marks) - 0.002)
    return float(tried[best[len(best) // 2]])


def _logistic(values: Floats) -> Floats:
    return np.asarray(0.5 * (1 + np.tanh(0.5 * values)))
