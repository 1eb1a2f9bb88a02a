"""A metric of Hugging Face's `evaluate`."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

from aver.consistency._assess import assess_all
from aver.consistency._named import metric as named
from aver.errors import MissingExtra
from aver.models import Judge

__all__ = ["evaluate_metric"]


def evaluate_metric(
    metric: str = "aver", *, judge: str | os.PathLike[str] | Judge | None = None, **options: Any
) -> Any:
    """An `evaluate.Metric`: `compute(predictions=[text, …], references=[source, …])`.

    It gives `consistency` (the mean over the scored rows, None where there are none), `scores` row by row (None where
    there is none), and how many rows were `scored`, had `no_claims`, were `abstained` or an `error`.
    """
    try:
        import datasets
        import evaluate
    except ImportError:
        raise MissingExtra("evaluate", "evaluate") from None
    scorer = named(metric, judge=judge, **options)

    class Consistency(evaluate.Metric):  # type: ignore[misc]
        def _info(self) -> Any:
            features = {name: datasets.Value("string") for name in ("predictions", "references")}
            return evaluate.MetricInfo(
                description="How far a text is true to its source, in [0, 1].",
                citation="",
                inputs_description="predictions: texts; references: their sources",
                features=datasets.Features(features),
            )

        def _compute(self, predictions: list[str], references: list[str]) -> dict[str, Any]:
            found = assess_all(predictions, references, metric=scorer)
            scores = [one.score for one in found]
            kept = [score for score in scores if score is not None]
            counts = Counter(one.status for one in found)
            named_counts = {name: counts[name] for name in ("scored", "no_claims", "abstained", "error")}
            return {"consistency": sum(kept) / len(kept) if kept else None, "scores": scores, **named_counts}

    return Consistency(config_name=metric)
