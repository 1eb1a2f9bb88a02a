"""An evaluator of LlamaIndex."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import Any

from aver.consistency._assess import assess
from aver.consistency._named import metric as named
from aver.consistency.adapters._reason import joined, reason
from aver.errors import InputError, MissingExtra
from aver.models import Judge

__all__ = ["llama_index_evaluator"]


def llama_index_evaluator(
    metric: str = "aver", *, judge: str | os.PathLike[str] | Judge | None = None, threshold: float = 0.5, **options: Any
) -> Any:
    """A LlamaIndex evaluator: `evaluate(response=text, contexts=[source, …])` gives an `EvaluationResult`.

    It has `score`, `passing` (from `threshold` on), `feedback` with the offending words; where there is no score the
    result is marked invalid with the reason.
    """
    try:
        from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
    except ImportError:
        raise MissingExtra("llama-index", "llama-index-core") from None
    scorer = named(metric, judge=judge, **options)

    class Consistency(BaseEvaluator):  # type: ignore[misc]
        def _get_prompts(self) -> dict[str, Any]:
            return {}

        def _update_prompts(self, prompts: dict[str, Any]) -> None:
            """There is nothing to prompt."""

        async def aevaluate(
            self, query: str | None = None, response: str | None = None, contexts: Sequence[str] | None = None,
            sleep_time_in_seconds: int = 0, **_: Any,
        ) -> Any:  # fmt: skip
            if response is None or contexts is None:
                raise InputError("hand in response and contexts")
            # reading takes a core for a while: other coroutines go on meanwhile
            found = await asyncio.to_thread(assess, response, joined(list(contexts)), metric=scorer)
            missing = found.score is None
            return EvaluationResult(
                query=query,
                contexts=contexts,
                response=response,
                score=found.score,
                passing=None if found.score is None else found.score >= threshold,
                feedback=reason(found),
                invalid_result=missing,
                invalid_reason=reason(found) if missing else None,
            )

    return Consistency()
