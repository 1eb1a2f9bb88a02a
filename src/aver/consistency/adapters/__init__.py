"""Consistency as a metric of other libraries; each is imported only when its function is called.

    evaluate_metric()          a Hugging Face `evaluate` metric
    torchmetrics_metric()      a `torchmetrics` metric
    ragas_metric()             a RAGAS single-turn metric
    langchain_evaluator()      a LangChain string evaluator
    llama_index_evaluator()    a LlamaIndex evaluator

Every one of them takes `metric` and `judge` as `aver.consistency.metric` does, works offline, and gives the same answer
every time. A text that states nothing has no score: it is left out of means and counted beside them.
"""

from __future__ import annotations

from aver.consistency.adapters._evaluate import evaluate_metric
from aver.consistency.adapters._langchain import langchain_evaluator
from aver.consistency.adapters._llama_index import llama_index_evaluator
from aver.consistency.adapters._ragas import ragas_metric
from aver.consistency.adapters._torchmetrics import torchmetrics_metric

__all__ = [
    "evaluate_metric",
    "langchain_evaluator",
    "llama_index_evaluator",
    "ragas_metric",
    "torchmetrics_metric",
]
