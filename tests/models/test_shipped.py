"""The judges that come with aver, on pairs written for this test: right answers, and the same ones every time."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

import aver
from aver.labels import Label
from aver.models import installed, load_judge

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO
PAIRS = [
    ("The film earned more than $ 90 million.", "Made for $55,000,000, the film grossed $99,274,467.", S),
    ("The film earned less than $ 90 million.", "Made for $55,000,000, the film grossed $99,274,467.", R),
    ("The mill employs 400 people.", "The mill stands in Harrow Green and sells flour.", N),
    ("Ada Birch was born in France.", "Ada Birch was born in Warsaw, in what was then the Kingdom of Poland.", R),
    ("Ada Birch was born in Poland.", "Ada Birch was born in Poland and grew up in Leeds.", S),
    ("The bridge opened in 1932.", "The bridge was opened to traffic on 19 March 1932.", S),
    ("The bridge opened in 1936.", "The bridge was opened to traffic on 19 March 1932.", R),
    ("The bridge is painted green.", "The bridge was opened to traffic on 19 March 1932.", N),
    ("The canal is 5 km long.", "The canal is 3.1 miles long.", S),
    ("The canal is 5 km long.", "The canal is 5 miles long.", R),
]


@pytest.mark.parametrize("model", ["default", "fast"])
@pytest.mark.parametrize(("claim", "evidence", "label"), PAIRS)
def test_plain_cases_come_out_right(claim: str, evidence: str, label: Label, model: str) -> None:
    judgement = aver.judge(claim, evidence, model=model)
    assert judgement.label is label
    assert judgement.coverage == 1.0
    assert sum(judgement.probabilities.values()) == pytest.approx(1)


@pytest.mark.parametrize("model", ["default", "fast"])
def test_answers_do_not_depend_on_company_order_or_threads(model: str) -> None:
    pairs = [(claim, evidence) for claim, evidence, _ in PAIRS] * 3

    def table(judged: list[aver.Judgement]) -> np.ndarray:
        return np.array([[judgement.probabilities[label] for label in (S, R, N)] for judgement in judged])

    together = table(load_judge(model, threads=2).judge(pairs))
    alone = np.vstack([table(load_judge(model, threads=1).judge([pair])) for pair in pairs[: len(PAIRS)]] * 3)
    backwards = table(load_judge(model, threads=2).judge(pairs[::-1], batch_tokens=4096))[::-1]
    assert np.abs(together - alone).max() < 1e-6
    assert np.abs(together - backwards).max() < 1e-6


def test_the_word_that_decides_is_marked() -> None:
    explanation = aver.explain("The bridge opened in 1936.", "The bridge was opened to traffic on 19 March 1932.")
    marked = [word.text for word in explanation.evidence if word.chosen]
    assert "1932" in marked
    assert "bridge" not in marked


def test_a_rationale_is_more_than_function_words() -> None:
    """Where the sentence says what the claim does, the token head marks "is" alone."""
    mayor = "The mayor of Arle is Nora Stein"
    found = aver.explain(f"{mayor}.", f"{mayor}, who was elected in 2020.")
    assert {"Nora", "Stein"} <= set(found.words)
    assert not {"who", "elected", "2020"} & set(found.words)
    denied = aver.explain("The film was not shown to critics.", "It was not screened for critics.")
    assert "not" in denied.words


@pytest.mark.parametrize("model", ["default", "fast"])
def test_figures_are_compared_as_the_model_learnt_it(model: str) -> None:
    judge = load_judge(model)
    assert judge.compared == {"units": True, "periods": True}  # type: ignore[attr-defined]
    evidence = "The bridge over the Arle was opened in 1931."
    periods = {"19th century": "REFUTES", "20th century": "SUPPORTS", "1920s": "REFUTES", "1930s": "SUPPORTS"}
    said = judge.judge([(f"The bridge was opened in the {period}.", evidence) for period in periods])
    assert [judgement.label for judgement in said] == list(periods.values())


@pytest.mark.parametrize("model", ["default", "fast"])
def test_the_card_says_what_was_measured(model: str) -> None:
    card = installed()[model].card
    assert {"vitaminc_real", "fever_gold", "rationale_f1", "climate_claims"} <= set(card["scores"])
    assert all(figure["low"] <= figure["value"] <= figure["high"] for figure in card["scores"].values())
    assert {"name", "licence"} <= set(card["base"])
    assert card["data"]
    assert card["limits"]
    assert load_judge(model).model == f"{model}@{card['sha256'][:12]}"


def test_every_card_knows_its_tokenizer() -> None:
    for folder in installed(kind=None).values():
        data = (folder.path / "tokenizer.json").read_bytes()
        assert folder.card["tokenizer_sha256"] == hashlib.sha256(data).hexdigest()


def test_all_weights_together_stay_small() -> None:
    folders = installed(kind=None).values()
    files = [file for folder in folders for file in (*folder.parts, folder.path / "tokenizer.json")]
    assert sum(file.stat().st_size for file in files) < 110e6
    assert max(file.stat().st_size for file in files) < 60e6
