"""What VitaminC's released code answers: token rationales and revision flagging."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from aver.metrics import Flagging, Rationale


def test_rationale_masks(golden: Path) -> None:
    cases = orjson.loads((golden / "vitaminc" / "rationale_metrics_golden.json").read_bytes())
    assert len(cases) == 3
    for case in cases:
        said = [{n for n, value in enumerate(mask) if value > 0.5} for mask in case["mask"]]
        gold = [{n for n, value in enumerate(mask) if value == 1} for mask in case["mask_labels"]]
        unlabelled = [{n for n, value in enumerate(mask) if value == -1} for mask in case["mask_labels"]]
        ours = Rationale("vitaminc").score(said, gold, unlabelled)
        for name in ("f1", "precision", "recall"):
            assert ours[name] == pytest.approx(case["metrics"][f"mask_{name}"], abs=1e-12)
        # Leaving unlabelled tokens out can only spare a system marks that count as wrong.
        fair = Rationale("words").score(said, gold, unlabelled)
        assert (fair["precision"] or 1) >= (ours["precision"] or 0)


def test_flagging(golden: Path) -> None:
    case = orjson.loads((golden / "vitaminc" / "cls_metrics_golden.json").read_bytes())["flagging"]
    scores = [factual - other for other, factual in case["logits"]]
    ours = Flagging(threshold=0.0).score(scores, [bool(label) for label in case["labels"]])
    theirs = case["metrics"]
    names = {
        "auc": "AUC", "accuracy": "acc", "macro_precision": "precision", "macro_recall": "recall",
        "macro_f1": "macro_f1",
    }  # fmt: skip
    for mine, name in names.items():
        assert ours[mine] == pytest.approx(theirs[name], abs=1e-12)
