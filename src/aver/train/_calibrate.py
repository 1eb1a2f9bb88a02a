"""Probabilities that can be believed: a scale and a bias for each verdict, fitted on rows nobody was trained on."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from aver.errors import InputError
from aver.metrics import calibration
from aver.train._pack import LABELS
from aver.train._packed import Array

__all__ = ["Calibration", "fit_calibration"]

PARTS = 5
"""The cross-validation that chooses between one temperature and a scale and a bias for each class."""


class Calibration(NamedTuple):
    """What is done to the logits before the softmax: `logits * scale + bias`."""

    method: str
    """`vector`: three scales and three biases. `temperature`: one scale for all."""
    scale: tuple[float, float, float]
    bias: tuple[float, float, float]
    rows: int
    nll_before: float
    nll_after: float
    ece_before: float
    ece_after: float

    def as_dict(self) -> dict[str, Any]:
        return {key: list(value) if isinstance(value, tuple) else value for key, value in self._asdict().items()}


def fit_calibration(logits: Array, gold: Array) -> Calibration:
    """Fits by the mean log loss of the gold verdicts (columns of `logits` in the order of `LABELS`).

    Vector scaling has six numbers to fit, a temperature one; the one with the better log loss on rows it was not
    fitted on is taken.

    >>> sure = np.array([[4.0, 0, 0], [4.0, 0, 0], [4.0, 0, 0], [0, 4.0, 0]] * 30)
    >>> found = fit_calibration(sure, np.array([0, 0, 1, 1] * 30))
    >>> found.method, found.nll_after < found.nll_before, found.ece_after < found.ece_before
    ('vector', True, True)
    """
    logits, gold = np.asarray(logits, np.float64), np.asarray(gold, np.int64)
    if len(logits) < 2 or len(logits) != len(gold):
        raise InputError(f"{len(logits)} rows of logits and {len(gold)} labels; calibration needs two rows or more")
    part = np.random.default_rng(0).permutation(len(gold)) % PARTS
    losses = {}
    for method in ("temperature", "vector"):
        lost = 0.0
        for held in range(PARTS):
            away = part == held
            if away.any() and not away.all():
                scale, bias = _fit(method, logits[~away], gold[~away])
                lost += _loss(logits[away], gold[away], scale, bias) * away.sum()
        losses[method] = lost
    method = min(losses, key=losses.__getitem__)
    scale, bias = _fit(method, logits, gold)
    return Calibration(
        method,
        (float(scale[0]), float(scale[1]), float(scale[2])),
        (float(bias[0]), float(bias[1]), float(bias[2])),
        len(gold),
        _loss(logits, gold, np.ones(3), np.zeros(3)),
        _loss(logits, gold, scale, bias),
        _ece(logits, gold),
        _ece(logits * scale + bias, gold),
    )


def _fit(method: str, logits: Array, gold: Array) -> tuple[Array, Array]:
    from scipy.optimize import minimize

    def spread(numbers: Array) -> tuple[Array, Array]:
        # scales are fitted as logarithms: they stay above zero; what is added to all three biases changes nothing
        if method == "temperature":
            return np.full(3, np.exp(numbers[0])), np.zeros(3)
        return np.exp(numbers[:3]), np.array([numbers[3], numbers[4], -numbers[3] - numbers[4]])

    def lost(numbers: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
        return _loss(logits, gold, *spread(numbers))

    bounds = [(-4.0, 4.0)] if method == "temperature" else [(-4.0, 4.0)] * 3 + [(-10.0, 10.0)] * 2
    found = minimize(lost, [0.0] * len(bounds), method="L-BFGS-B", bounds=bounds)
    return spread(np.asarray(found.x))


def _loss(logits: Array, gold: Array, scale: Array, bias: Array) -> float:
    z = logits * scale + bias
    z = z - z.max(-1, keepdims=True)
    return float((np.log(np.exp(z).sum(-1)) - z[np.arange(len(gold)), gold]).mean())


def _ece(logits: Array, gold: Array) -> float:
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    table = powers / powers.sum(-1, keepdims=True)
    stated = [dict(zip(LABELS, row.tolist(), strict=True)) for row in table]
    return calibration(stated, [LABELS[g] for g in gold]).ece
