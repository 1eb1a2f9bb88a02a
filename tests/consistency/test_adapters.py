"""Adapters in the libraries they are made for, where those are installed; and what is said where they are not."""

from __future__ import annotations

import asyncio
import importlib.util
import math
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from aver import InputError, MissingExtra
from aver.consistency import adapters, assess
from aver.consistency.adapters._reason import joined, reason

from .conftest import WordJudge

SOURCE = "The bridge is green. Trams do not cross it."
TRUE, FALSE, NOTHING = "The bridge is green.", "King Olaf sold the harbour.", "Is it?"

NEEDED = {
    "evaluate_metric": ("evaluate", "evaluate"),
    "torchmetrics_metric": ("torchmetrics", "torchmetrics"),
    "ragas_metric": ("ragas", "ragas"),
    "langchain_evaluator": ("langchain_classic", "langchain"),
    "llama_index_evaluator": ("llama_index", "llama-index"),
}


@pytest.fixture
def make(judge: WordJudge) -> Callable[..., Any]:
    """The adapter of that name over the judge of words, or a skip where its library is not installed."""

    def made(name: str, **options: Any) -> Any:
        module, _ = NEEDED[name]
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"needs {module}, which is not installed")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what the library warns of on import is its own business
            return getattr(adapters, name)(judge=judge, **options)

    return made


@pytest.mark.parametrize("name", sorted(NEEDED))
def test_without_its_library_an_adapter_says_what_to_install(name: str, judge: WordJudge) -> None:
    module, extra = NEEDED[name]
    if importlib.util.find_spec(module) is not None:
        pytest.skip(f"{module} is installed")
    with pytest.raises(MissingExtra, match=rf"aver\[{extra}\]"):
        getattr(adapters, name)(judge=judge)


@pytest.mark.filterwarnings("ignore")
def test_evaluate(make: Callable[..., Any]) -> None:
    found = make("evaluate_metric").compute(predictions=[TRUE, FALSE, NOTHING], references=[SOURCE] * 3)
    assert found["scores"][2] is None
    assert found["scores"][0] > 0.5 > found["scores"][1]
    assert found["consistency"] == pytest.approx(sum(found["scores"][:2]) / 2)
    assert (found["scored"], found["no_claims"]) == (2, 1)
    empty = make("evaluate_metric").compute(predictions=[NOTHING], references=[SOURCE])
    assert empty["consistency"] is None


@pytest.mark.filterwarnings("ignore")
def test_torchmetrics(make: Callable[..., Any]) -> None:
    metric = make("torchmetrics_metric")
    metric.update([TRUE, NOTHING], [SOURCE, SOURCE])
    metric.update(FALSE, SOURCE)
    wanted = [assess(text, SOURCE, judge=WordJudge()).score for text in (TRUE, FALSE)]
    assert float(metric.compute()) == pytest.approx(sum(wanted) / 2)  # type: ignore[arg-type]
    assert int(metric.unscored) == 1
    metric.reset()
    assert int(metric.scored) == 0


@pytest.mark.filterwarnings("ignore")
def test_ragas(make: Callable[..., Any]) -> None:
    metric = make("ragas_metric")
    from ragas import SingleTurnSample

    def score(text: str) -> float:
        sample = SingleTurnSample(user_input="?", response=text, retrieved_contexts=SOURCE.split(". "))
        return asyncio.run(metric.single_turn_ascore(sample))  # type: ignore[no-any-return]

    assert score(TRUE) > 0.5 > score(FALSE)
    assert math.isnan(score(NOTHING))


@pytest.mark.filterwarnings("ignore")
def test_langchain(make: Callable[..., Any]) -> None:
    evaluator = make("langchain_evaluator")
    good = evaluator.evaluate_strings(prediction=TRUE, reference=SOURCE)
    bad = evaluator.evaluate_strings(prediction=FALSE, reference=SOURCE)
    assert (good["value"], bad["value"]) == ("Y", "N")
    assert "Olaf" in bad["reasoning"]
    assert evaluator.evaluate_strings(prediction=NOTHING, reference=SOURCE)["score"] is None
    assert evaluator.requires_reference


@pytest.mark.filterwarnings("ignore")
def test_llama_index(make: Callable[..., Any]) -> None:
    evaluator = make("llama_index_evaluator")
    good = evaluator.evaluate(response=TRUE, contexts=SOURCE.split(". "))
    bad = evaluator.evaluate(response=FALSE, contexts=[SOURCE])
    assert (good.passing, bad.passing) == (True, False)
    assert "Olaf" in bad.feedback
    empty = evaluator.evaluate(response=NOTHING, contexts=[SOURCE])
    assert empty.invalid_result
    with pytest.raises(InputError, match="response and contexts"):
        evaluator.evaluate(response=TRUE)


def test_a_reason_names_the_words(judge: WordJudge) -> None:
    assert reason(assess(TRUE, SOURCE, judge=judge)) == "the one sentence is borne out by the source"
    assert "King Olaf" in reason(assess(f"{TRUE} {FALSE}", SOURCE, judge=judge)) or "Olaf" in reason(
        assess(FALSE, SOURCE, judge=judge)
    )
    assert reason(assess(TRUE, SOURCE, metric="rouge-1")).startswith("rouge-1 ")
    assert joined(["a", "b"]) == "a\n\nb"
    assert joined("a") == "a"
    assert joined(None) == ""
