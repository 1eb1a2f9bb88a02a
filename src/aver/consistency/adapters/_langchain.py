"""A string evaluator of LangChain."""

from __future__ import annotations

import importlib
import os
from typing import Any

from aver.consistency._assess import assess
from aver.consistency._named import metric as named
from aver.consistency.adapters._reason import joined, reason
from aver.errors import InputError, MissingExtra
from aver.models import Judge

__all__ = ["langchain_evaluator"]


def langchain_evaluator(
    metric: str = "aver", *, judge: str | os.PathLike[str] | Judge | None = None, threshold: float = 0.5, **options: Any
) -> Any:
    """A LangChain `StringEvaluator`: `evaluate_strings(prediction=text, reference=source)`.

    It gives `score`, `value` (`Y` from `threshold` on, `N` below it, None where there is no score), `reasoning` with
    the offending words, and `assessment`, everything there is.
    """
    base = _base()
    scorer = named(metric, judge=judge, **options)

    class Consistency(base):  # type: ignore[misc, valid-type]
        @property
        def requires_reference(self) -> bool:
            return True

        @property
        def evaluation_name(self) -> str:
            return "consistency"

        def _evaluate_strings(
            self, *, prediction: str, reference: Any = None, input: str | None = None, **_: Any
        ) -> dict[str, Any]:
            if reference is None:
                raise InputError("the source is missing; hand it in as reference")
            found = assess(prediction, joined(reference), metric=scorer)
            value = None if found.score is None else "Y" if found.score >= threshold else "N"
            return {"score": found.score, "value": value, "reasoning": reason(found), "assessment": found.as_dict()}

    return Consistency()


def _base() -> Any:
    # the evaluators moved to langchain-classic with LangChain 1.0
    for module in ("langchain_classic.evaluation", "langchain.evaluation"):
        try:
            return importlib.import_module(module).StringEvaluator
        except (ImportError, AttributeError):
            continue
    raise MissingExtra("langchain", "langchain-classic")
