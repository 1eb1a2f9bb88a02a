"""aver: what a body of text says about a claim, the words that decide it, and the field's own measures."""

from __future__ import annotations

from aver import agreement, metrics
from aver._catalogue import measure, measures
from aver.errors import AverError, BackendError, InputError, LabelError, MissingExtra, ModelError
from aver.labels import Label
from aver.measures import Card, Measure, Score

__version__ = "0.1.0"

__all__ = [
    "AverError",
    "BackendError",
    "Card",
    "InputError",
    "Label",
    "LabelError",
    "Measure",
    "MissingExtra",
    "ModelError",
    "Score",
    "__version__",
    "agreement",
    "measure",
    "measures",
    "metrics",
]
