"""The field's own scorers, one small file each; every one is a measure with a card (`aver score --list`)."""

from __future__ import annotations

from aver.metrics._fever import FEVER, explain_fever, fever
from aver.metrics._fever_explain import ClaimOutcome, FeverExplanation, Loss

__all__ = [
    "FEVER",
    "ClaimOutcome",
    "FeverExplanation",
    "Loss",
    "explain_fever",
    "fever",
]
