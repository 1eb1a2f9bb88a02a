"""aver: what a body of text says about a claim, the words that decide it, and the field's own measures."""

from __future__ import annotations

from aver import _interrupt  # noqa: F401  (first: it guards what is imported behind it)

# isort: split

import importlib
from typing import TYPE_CHECKING, Any

from aver._catalogue import measure, measures
from aver._judge import explain, judge
from aver.errors import AverError, BackendError, InputError, LabelError, MissingExtra, ModelError
from aver.labels import Label
from aver.measures import Card, Measure, Score
from aver.results import Explanation, Judgement, RationaleWord

if TYPE_CHECKING:
    from aver import agreement, collection, consistency, frank, metrics, models, prove, text, verify
    from aver.collection import Collection
    from aver.revisions import Diff, Extraction, Revision, diff, extract, mine, revise
    from aver.revisions.watch import Watch
    from aver.verify import Verdict, check

__version__ = "0.1.0"

__all__ = [
    "AverError",
    "BackendError",
    "Card",
    "Collection",
    "Diff",
    "Explanation",
    "Extraction",
    "InputError",
    "Judgement",
    "Label",
    "LabelError",
    "Measure",
    "MissingExtra",
    "ModelError",
    "RationaleWord",
    "Revision",
    "Score",
    "Verdict",
    "Watch",
    "__version__",
    "agreement",
    "check",
    "collection",
    "consistency",
    "diff",
    "explain",
    "extract",
    "frank",
    "judge",
    "measure",
    "measures",
    "metrics",
    "mine",
    "models",
    "prove",
    "revise",
    "text",
    "verify",
]

# Rooms open when they are first asked for: `aver --help` and `import aver` need none of them.
_ROOMS = frozenset({"agreement", "collection", "consistency", "frank", "metrics", "models", "prove", "text", "verify"})


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"aver.{name}")
    if name == "Collection":
        from aver.collection import Collection

        globals()[name] = Collection
        return Collection
    if name in ("Verdict", "check"):
        from aver import verify

        globals()[name] = getattr(verify, name)
        return globals()[name]
    if name in ("Diff", "Extraction", "Revision", "diff", "extract", "mine", "revise"):
        from aver import revisions

        globals()[name] = getattr(revisions, name)
        return globals()[name]
    if name == "Watch":
        from aver.revisions.watch import Watch

        globals()[name] = Watch
        return Watch
    raise AttributeError(f"module 'aver' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
