"""aver: what a body of text says about a claim, the words that decide it, and the field's own measures."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from aver._catalogue import measure, measures
from aver._judge import explain, judge
from aver.errors import AverError, BackendError, InputError, LabelError, MissingExtra, ModelError
from aver.labels import Label
from aver.measures import Card, Measure, Score
from aver.results import Explanation, Judgement, RationaleWord

if TYPE_CHECKING:
    from aver import agreement, collection, frank, metrics, models, text
    from aver.collection import Collection

__version__ = "0.1.0"

__all__ = [
    "AverError",
    "BackendError",
    "Card",
    "Collection",
    "Explanation",
    "InputError",
    "Judgement",
    "Label",
    "LabelError",
    "Measure",
    "MissingExtra",
    "ModelError",
    "RationaleWord",
    "Score",
    "__version__",
    "agreement",
    "collection",
    "explain",
    "frank",
    "judge",
    "measure",
    "measures",
    "metrics",
    "models",
    "text",
]

# Rooms open when they are first asked for: `aver --help` and `import aver` need none of them.
_ROOMS = frozenset({"agreement", "collection", "frank", "metrics", "models", "text"})


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"aver.{name}")
    if name == "Collection":
        from aver.collection import Collection

        globals()[name] = Collection
        return Collection
    raise AttributeError(f"module 'aver' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
