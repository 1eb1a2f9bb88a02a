"""Logistic regression with a quadratic penalty, by Newton's method: enough for a few thousand rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["fit_logistic"]

Array = NDArray[np.float64]


def fit_logistic(table: Array, labels: Array, *, strength: float = 1.0, steps: int = 50) -> tuple[Array, float]:
    """Weights and constant that fit best; `strength` is the penalty on the square of the weights, none on the constant.

    >>> weights, constant = fit_logistic(np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0.0, 0.0, 1.0, 1.0]))
    >>> bool(weights[0] > 0), round(float(-constant / weights[0]), 2)
    (True, 1.5)
    """
    rows = np.hstack([table, np.ones((len(table), 1))])
    penalty = np.full(rows.shape[1], strength)
    penalty[-1] = 1e-6
    found = np.zeros(rows.shape[1])
    for _ in range(steps):
        p = 0.5 * (1 + np.tanh(0.5 * (rows @ found)))
        slope = rows.T @ (p - labels) + penalty * found
        curve = (rows * np.maximum(p * (1 - p), 1e-9)[:, None]).T @ rows + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        # a step that overshoots is halved until the fit is no worse
        size, now = 1.0, _loss(rows, labels, penalty, found)
        while size > 1e-4 and _loss(rows, labels, penalty, found - size * step) > now:
            size /= 2
        found = found - size * step
        if np.abs(size * step).max() < 1e-8:
            break
    return found[:-1], float(found[-1])


def _loss(rows: Array, labels: Array, penalty: Array, weights: Array) -> float:
    scores = rows @ weights
    return float(np.logaddexp(0, scores).sum() - (labels * scores).sum() + 0.5 * (penalty * weights**2).sum())
