"""A single-turn metric of RAGAS."""

from __future__ import annotations

import asyncio
import dataclasses
import os
from typing import Any

from aver.consistency._named import metric as named
from aver.consistency.adapters._reason import joined
from aver.errors import MissingExtra
from aver.models import Judge

__all__ = ["ragas_metric"]


def ragas_metric(
    metric: str = "aver", *, judge: str | os.PathLike[str] | Judge | None = None, **options: Any
) -> Any:
    """A RAGAS metric over `response` and `retrieved_contexts`; it needs no language model.

    `single_turn_score(sample)` gives the score; NaN where there is none, as RAGAS has it.
    """
    try:
        from ragas.metrics.base import MetricType, SingleTurnMetric
    except ImportError:
        raise MissingExtra("ragas", "ragas") from None
    scorer = named(metric, judge=judge, **options)

    @dataclasses.dataclass
    class Consistency(SingleTurnMetric):  # type: ignore[misc]
        name: str = "aver_consistency"
        _required_columns: dict[Any, set[str]] = dataclasses.field(
            default_factory=lambda: {MetricType.SINGLE_TURN: {"response", "retrieved_contexts"}}
        )

        def init(self, run_config: Any) -> None:
            """There is nothing to set up."""

        async def _single_turn_ascore(self, sample: Any, callbacks: Any) -> float:
            source = joined(sample.retrieved_contexts)
            score = (await asyncio.to_thread(scorer.score, [sample.response], [source]))[0]
            return float("nan") if score is None else score

        async def _ascore(self, row: dict[str, Any], callbacks: Any) -> float:
            from ragas import SingleTurnSample

            return await self._single_turn_ascore(SingleTurnSample(**row), callbacks)

    return Consistency()
