"""The figures of judges whose figures are known beforehand."""

from __future__ import annotations

import hashlib
import importlib.util
import random
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson
import pytest

from aver.agreement import claim_label
from aver.errors import InputError
from aver.labels import Label
from aver.models import Judge, open_folder
from aver.results import Explanation, Judgement, RationaleWord
from aver.text import words
from aver.train import BARS, FIGURES, evaluate, machine, pairs_per_second
from aver.train._base import open_base
from aver.train._card import runtime_card, write_folder
from aver.train._mix import EVALUATION, read

ROOT = Path(__file__).resolve().parents[2]


class Known(Judge):
    """Says what it was given for a pair, with confidence 0.8; weighs numbers 1 and other words 0."""

    name, model = "known", "known@0"

    def __init__(self, verdicts: dict[tuple[str, str], Label], *, otherwise: Label | None = None) -> None:
        self.verdicts, self.otherwise = verdicts, otherwise

    def judge(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        return [self._one(self.verdicts.get(pair, self.otherwise)) for pair in pairs]

    def _one(self, label: Label | None) -> Judgement:
        if label is None:
            return Judgement.unread("abstained", "never heard of it", model=self.model)
        stated = {str(other): 0.8 if other is label else 0.1 for other in list(Label)[:3]}
        return Judgement(label, stated, 1.0, "scored", self.model)

    def explain(self, claim: str, evidence: str, *, method: Any = "auto") -> Explanation:
        found = [RationaleWord(*w, float(w.text.replace(",", "").isdigit()), False) for w in words(evidence)]
        return Explanation(self.judge([(claim, evidence)])[0], "head", (), tuple(found))


@pytest.fixture(scope="module")
def gold(small_data: Path) -> dict[tuple[str, str], Label]:
    found: dict[tuple[str, str], Label] = {}
    names = [*EVALUATION.values(), "vitaminc/real.jsonl.gz", "vitaminc/synthetic.jsonl.gz"]
    for name in names:
        found |= {(row["claim"], row["evidence"]): Label(row["label"]) for row in read(small_data / name)}
    for claim in read(small_data / "climate_fever" / "climate-fever.jsonl"):
        found |= {(claim["claim"], one["evidence"]): Label(one["evidence_label"]) for one in claim["evidences"]}
    return found


def test_a_judge_that_is_always_right(small_data: Path, gold: dict[tuple[str, str], Label]) -> None:
    figures = {f.name: f for f in evaluate(Known(gold), small_data, resamples=50, say=len)}
    assert tuple(figures) == FIGURES
    for name in FIGURES:
        if name not in ("ece", "rationale_precision", "rationale_f1"):
            assert figures[name].value == figures[name].low == figures[name].high == 1.0, name
    assert figures["ece"].value == pytest.approx(0.2), "right every time and 0.8 sure"
    assert not figures["ece"].passed
    # every evidence holds a year, too, which no counterpart changes
    assert figures["rationale_precision"].value == pytest.approx(0.5)
    assert figures["rationale_recall"].value == 1.0
    assert figures["rationale_f1"].value == pytest.approx(2 / 3)
    assert figures["rationale_f1"].low <= figures["rationale_f1"].value <= figures["rationale_f1"].high
    assert {name: f.bar for name, f in figures.items() if f.bar is not None} == BARS
    assert figures["climate_claims"].n == 6, "three of nine claims are DISPUTED"
    assert figures["climate_pairs"].n == 45
    assert figures["vitaminc_real"].n == 10


def test_a_judge_that_looks_at_nothing(small_data: Path) -> None:
    figures = {f.name: f for f in evaluate(Known({}, otherwise=Label.SUPPORTS), small_data, resamples=20, say=len)}
    assert figures["vitaminc_real"].value == 0.5
    assert figures["flip_rate"].value == 0.0
    assert figures["flip_changed"].value == 0.0
    assert "real 0.0 %, synthetic 0.0 %" in figures["flip_changed"].notes
    assert figures["climate_claims"].value == 0.5
    assert figures["climate_claims_f1"].value == pytest.approx(1 / 3)


def test_where_silence_is_no_answer(small_data: Path) -> None:
    """Two-way: the likelier of the two classes that are there. A tie goes to SUPPORTS; three-way it is wrong."""
    judge = Known({}, otherwise=Label.NOT_ENOUGH_INFO)
    asked = ["symmetric", "fever_retrieved"]
    figures = {f.name: f for f in evaluate(judge, small_data, only=asked, resamples=5, say=len)}
    assert list(figures) == ["fever_retrieved", "symmetric"]
    assert figures["symmetric"].value == 0.5
    assert figures["fever_retrieved"].value == 0.0


def test_claims_with_words_for_and_against_are_disputed(
    small_data: Path, gold: dict[tuple[str, str], Label]
) -> None:
    assert claim_label(["SUPPORTS", "REFUTES"]) is Label.DISPUTED
    turned = dict(gold)
    first = next(read(small_data / "climate_fever" / "climate-fever.jsonl"))
    turned[first["claim"], first["evidences"][1]["evidence"]] = Label.REFUTES
    figure = evaluate(Known(turned), small_data, only=["climate_claims"], resamples=5, say=len)[0]
    assert figure.value == pytest.approx(5 / 6)
    assert figure.notes.startswith("1 were judged DISPUTED")


def test_what_was_not_judged_is_told(small_data: Path, gold: dict[tuple[str, str], Label]) -> None:
    some = dict(list(gold.items()))
    rows = list(read(small_data / EVALUATION["symmetric"]))
    missing = rows[0]["claim"], rows[0]["evidence"]
    del some[missing]
    figure = evaluate(Known(some), small_data, only=["symmetric"], resamples=5, say=len)[0]
    assert figure.n == sum((row["claim"], row["evidence"]) != missing for row in rows)
    assert "could not be judged" in figure.notes


def test_limit_and_unknown_names(small_data: Path, gold: dict[tuple[str, str], Label]) -> None:
    figure = evaluate(Known(gold), small_data, only=["fever_gold"], limit=3, resamples=5, say=len)[0]
    assert figure.n == 3
    with pytest.raises(InputError, match="there is no figure luck; there are: vitaminc_real"):
        evaluate(Known(gold), small_data, only=["luck"], say=len)


def test_speed_and_machine() -> None:
    assert pairs_per_second(Known({}, otherwise=Label.SUPPORTS), pairs=4) > 0
    assert "Python" in machine()


def test_weights_in_parts(bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import aver.train._card as card_module

    base = open_base(str(bert))
    card = runtime_card("mine", base, {"temperature": 1.5}, 0.4, version="1")
    graph = random.Random(1).randbytes(2560)
    monkeypatch.setattr(card_module, "PART_BYTES", 1000)
    write_folder(tmp_path / "mine", graph, base, card)
    folder = open_folder(tmp_path / "mine")
    assert folder.card["parts"] == ["model.onnx.z0", "model.onnx.z1", "model.onnx.z2"]
    assert max(part.stat().st_size for part in folder.parts) <= 1000
    assert folder.read_weights() == (graph, hashlib.sha256(graph).hexdigest())
    said = orjson.loads((tmp_path / "mine" / "tokenizer.json").read_bytes())
    assert (said["truncation"], said["padding"]) == (None, None)
    monkeypatch.setattr(card_module, "PART_BYTES", 10_000)
    write_folder(tmp_path / "mine", graph, base, card)
    names = sorted(path.name for path in (tmp_path / "mine").iterdir())
    assert names == ["card.json", "model.onnx.z", "tokenizer.json"], "parts of before are gone"


def test_the_benchmark_says_what_is_wrong(small_data: Path) -> None:
    spec = importlib.util.find_spec("aver")
    assert spec is not None
    run = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "judge.py", "--model", "no/such/folder"], capture_output=True, text=True,
        check=False, env={"AVER_DATA": str(small_data), "PATH": "", "PYTHONPATH": str(ROOT / "src")},
    )  # fmt: skip
    assert run.returncode == 2
    assert "no/such/folder: there is no such folder" in run.stderr
    assert "Traceback" not in run.stderr
