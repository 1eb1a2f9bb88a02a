"""Probabilities that can be believed: one temperature, fitted on rows nobody was trained on.

A scale and a bias for each verdict would fit fold 7 better, but the bias is that fold's share of labels, and costs
right verdicts where the share is another: on CLIMATE-FEVER most sentences decide nothing. A temperature never changes
a verdict.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from aver.errors import InputError
from aver.metrics import calibration
from aver.train._pack import LABELS
from aver.train._packed import Array

__all__ = ["Calibration", "fit_calibration"]


class Calibration(NamedTuple):
    """The logits are divided by `temperature` before the softmax."""

    temperature: float
    rows: int
    nll_before: float
    nll_after: float
    ece_before: float
    ece_after: float

    def as_dict(self) -> dict[str, Any]:
        return self._asdict()


def fit_calibration(logits: Array, gold: Array) -> Calibration:
    """Fits by the mean log loss of the gold verdicts (columns of `logits` in the order of `LABELS`).

    >>> sure = np.array([[4.0, 0, 0], [4.0, 0, 0], [4.0, 0, 0], [0, 4.0, 0]] * 30)
    >>> found = fit_calibration(sure, np.array([0, 0, 1, 1] * 30))
    >>> found.temperature > 1, found.nll_after < found.nll_before, found.ece_after < found.ece_before
    (True, True, True)
    """
    from scipy.optimize import minimize_scalar

    logits, gold = np.asarray(logits, np.float64), np.asarray(gold, np.int64)
    if len(logits) < 2 or len(logits) != len(gold):
        raise InputError(f"{len(logits)} rows of logits and {len(gold)} labels; calibration needs two rows or more")
    # fitted as a logarithm: it stays above zero
    found = minimize_scalar(lambda log: _loss(logits / np.exp(log), gold), bounds=(-4.0, 4.0), method="bounded")
    temperature = float(np.exp(found.x))
    cooled = logits / temperature
    return Calibration(
        temperature, len(gold), _loss(logits, gold), _loss(cooled, gold), _ece(logits, gold), _ece(cooled, gold)
    )


def _loss(logits: Array, gold: Array) -> float:
    z = logits - logits.max(-1, keepdims=True)
    return float((np.log(np.exp(z).sum(-1)) - z[np.arange(len(gold)), gold]).mean())


def _ece(logits: Array, gold: Array) -> float:
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    table = powers / powers.sum(-1, keepdims=True)
    stated = [dict(zip(LABELS, row.tolist(), strict=True)) for row in table]
    return calibration(stated, [LABELS[g] for g in gold]).ece
