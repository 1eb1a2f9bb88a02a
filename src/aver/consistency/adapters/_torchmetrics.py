"""A metric of `torchmetrics`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from aver.consistency._named import metric as named
from aver.errors import MissingExtra
from aver.models import Judge

__all__ = ["torchmetrics_metric"]


def torchmetrics_metric(
    metric: str = "aver", *, judge: str | os.PathLike[str] | Judge | None = None, **options: Any
) -> Any:
    """A `torchmetrics.Metric`: `update(texts, sources)`, then `compute()` gives the mean over the scored rows.

    Sums and counts are kept, so it adds up across batches and processes; `unscored` counts the rows without a score.
    Where no row was scored the mean is NaN, as torchmetrics has it.
    """
    try:
        import torch
        import torchmetrics
    except ImportError:
        raise MissingExtra("torchmetrics", "torchmetrics") from None
    scorer = named(metric, judge=judge, **options)

    class Consistency(torchmetrics.Metric):  # type: ignore[misc]
        is_differentiable = False
        higher_is_better = True
        full_state_update = False

        def __init__(self) -> None:
            super().__init__()
            for name in ("total", "scored", "unscored"):
                self.add_state(name, default=torch.tensor(0.0, dtype=torch.float64), dist_reduce_fx="sum")

        def update(self, texts: Sequence[str] | str, sources: Sequence[str] | str) -> None:
            some = [texts] if isinstance(texts, str) else list(texts)
            theirs = [sources] if isinstance(sources, str) else list(sources)
            found = scorer.score(some, theirs)
            kept = [score for score in found if score is not None]
            self.total += sum(kept)
            self.scored += len(kept)
            self.unscored += len(found) - len(kept)

        def compute(self) -> Any:
            return (self.total / self.scored).to(torch.float32)

    return Consistency()
