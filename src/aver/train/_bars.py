"""Figures with their intervals: what an evaluation gives, and the bar it is held to."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from aver.train._packed import Array

__all__ = ["Figure", "bootstrap", "weighted_ece", "weighted_f1"]


@dataclasses.dataclass(frozen=True, slots=True)
class Figure:
    """One figure of an evaluation."""

    name: str
    title: str
    value: float
    low: float
    """Of the 95 % interval: percentiles over resamples of whole groups (claims, or VitaminC's cases)."""
    high: float
    n: int
    unit: str
    """What `n` counts."""
    bar: float | None = None
    higher_is_better: bool = True
    notes: str = ""

    @property
    def passed(self) -> bool | None:
        """Whether the figure reaches its bar; None where it has none."""
        if self.bar is None:
            return None
        return self.value >= self.bar if self.higher_is_better else self.value <= self.bar

    def as_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self) | {"passed": self.passed}


def bootstrap(
    statistic: Callable[[Array], float], groups: Sequence[Hashable], *, resamples: int = 1000, seed: int = 0
) -> tuple[float, float, float]:
    """A statistic of weighted rows, and its 95 % interval over resamples of the groups the rows belong to.

    >>> right = np.array([1, 1, 0, 1])
    >>> value, low, high = bootstrap(lambda w: float((right * w).sum() / w.sum()), ["a", "a", "b", "c"])
    >>> value, low < value < high
    (0.75, True)
    """
    numbers: dict[Hashable, int] = {}
    member = np.array([numbers.setdefault(group, len(numbers)) for group in groups])
    rng = np.random.default_rng(seed)
    values = []
    for _ in range(resamples):
        drawn = np.bincount(rng.integers(0, len(numbers), len(numbers)), minlength=len(numbers))
        values.append(statistic(drawn[member].astype(float)))
    low, high = np.nanquantile(values, [0.025, 0.975]) if values else (np.nan, np.nan)
    return statistic(np.ones(len(member))), float(low), float(high)


def weighted_f1(predicted: Array, gold: Array) -> Callable[[Array], float]:
    """F1 by class, averaged by the gold rows of each class: a statistic for `bootstrap`."""
    classes = sorted(set(gold.tolist()))

    def statistic(weights: Array) -> float:
        total = 0.0
        for name in classes:
            hit = weights[(predicted == name) & (gold == name)].sum()
            said, wanted = weights[predicted == name].sum(), weights[gold == name].sum()
            total += wanted * (2 * hit / (said + wanted) if said + wanted else 0.0)
        return float(total / weights.sum())

    return statistic


def weighted_ece(confidence: Array, right: Array, *, bins: int = 15) -> Callable[[Array], float]:
    """The expected calibration error over bins of equal width: a statistic for `bootstrap`."""
    # as `aver.metrics.calibration` has it: a bin holds its upper edge
    place = np.clip(np.searchsorted(np.linspace(0, 1, bins + 1), confidence, side="left") - 1, 0, bins - 1)

    def statistic(weights: Array) -> float:
        gap = np.bincount(place, weights=weights * (right - confidence), minlength=bins)
        return float(np.abs(gap).sum() / weights.sum())

    return statistic
