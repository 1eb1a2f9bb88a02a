"""The same sentences through the peers' own released code: SARI in six forms, sacrebleu, chrF, rouge-score."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from aver.metrics import BLEU, ROUGE, SARI, ChrF
from aver.metrics._sari import CONVENTIONS

# our name -> the name in the file
NAMES = {
    "cocoxu": "cocoxu",
    "hf": "hf",
    "easse": "easse_default",
    "easse_paper": "easse_paper",
    "easse_precision": "easse_precision_del",
    "t2t": "t2t",
}


@pytest.fixture(scope="module")
def cases(golden: Path) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in (golden / "textgen.jsonl").read_bytes().splitlines()]


@pytest.mark.parametrize("variant", NAMES)
def test_sari(cases: list[dict[str, Any]], variant: Any) -> None:
    columns = ([c["prediction"] for c in cases], [c["references"] for c in cases], [c["source"] for c in cases])
    rows = SARI(variant).rows(*columns)
    assert len(rows) == 44
    for case, ours in zip(cases, rows, strict=True):
        assert ours == pytest.approx(case["sari"][NAMES[variant]], abs=1e-9), case["id"]


def test_the_variants_lie_a_third_of_the_scale_apart_on_copied_sources(cases: list[dict[str, Any]]) -> None:
    copied = [case for case in cases if case["prediction"] == case["source"]]
    assert copied
    for case in copied:
        found = [
            SARI(variant).score([case["prediction"]], [case["references"]], [case["source"]])["sari"] or 0.0
            for variant in CONVENTIONS
        ]
        assert max(found) - min(found) > 33, case["id"]


@pytest.mark.parametrize("smooth", ["exp", "none"])
def test_sentence_bleu(cases: list[dict[str, Any]], smooth: Any) -> None:
    for case in cases:
        ours = BLEU(smooth).rows([case["prediction"]], [case["references"]])[0]["bleu"]
        assert ours == pytest.approx(case[f"sentence_bleu_{smooth}"], abs=1e-9), case["id"]


def test_chrf(cases: list[dict[str, Any]]) -> None:
    for case in cases:
        ours = ChrF().rows([case["prediction"]], [case["references"]])[0]["chrf"]
        assert ours == pytest.approx(case["chrf"], abs=1e-9), case["id"]


@pytest.mark.parametrize(("stem", "key"), [(True, "rouge_stem_ref0"), (False, "rouge_nostem_ref0")])
def test_rouge_against_the_first_reference(cases: list[dict[str, Any]], stem: bool, key: str) -> None:
    for case in cases:
        for kind, theirs in case[key].items():
            measure = ROUGE(kind.removeprefix("rouge"), stem=stem)
            row = measure.rows([case["prediction"]], [case["references"][:1]])[0]
            ours = [row["precision"] / 100, row["recall"] / 100, row["f1"] / 100]
            assert ours == pytest.approx(theirs, abs=1e-9), (case["id"], kind)
