"""From the windows of a pair to one answer.

A pair that fits the model is one window, and every rule below leaves it as it is.

1. *Evidence in several windows.* The windows are averaged with the weight (1 - P(NEI))^4: a window that decides
   counts, the many that have nothing to say about the claim do not dilute it, and where one window supports and
   another refutes, their probabilities meet in the middle and `conflict` is set.
2. *A claim in several parts* says all of them at once: it is supported as far as its least supported part, refuted
   as far as its most refuted part, and the rest of the probability is NOT_ENOUGH_INFO. (Support of the least
   supported part is at most 1 - refutation of the most refuted one, so the three never exceed 1.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["SHARPNESS", "Combined", "combine"]

SHARPNESS = 4


class Combined(NamedTuple):
    """Probabilities in the order SUPPORTS, REFUTES, NOT_ENOUGH_INFO, and whether windows contradict each other."""

    probabilities: NDArray[np.float64]
    conflict: bool


def combine(windows: NDArray[np.float64]) -> Combined:
    """One answer from an array of claim parts x evidence windows x 3 probabilities.

    >>> nothing, support = [0.05, 0.05, 0.9], [0.9, 0.05, 0.05]
    >>> combine(np.array([[nothing, nothing, support]])).probabilities.round(3).tolist()
    [0.9, 0.05, 0.05]
    >>> combine(np.array([[support], [nothing]])).probabilities.round(3).tolist()
    [0.05, 0.05, 0.9]
    >>> combine(np.array([[support, [0.05, 0.9, 0.05]]])).conflict
    True
    """
    if windows.shape[:2] == (1, 1):
        return Combined(windows[0, 0], conflict=False)
    # a window of pure NEI still has some weight, so that all-NEI windows have a mean
    weights = np.maximum(1 - windows[:, :, 2], 1e-6) ** SHARPNESS
    parts = (windows * weights[:, :, None]).sum(1) / weights.sum(1)[:, None]
    supports, refutes = parts[:, 0].min(), parts[:, 1].max()
    probabilities = np.array([supports, refutes, max(0.0, 1 - supports - refutes)])
    labels = windows.argmax(2)
    conflict = bool(np.any((labels == 0).any(1) & (labels == 1).any(1)))
    return Combined(probabilities / probabilities.sum(), conflict)
