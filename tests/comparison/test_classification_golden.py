"""The classification report against VitaminC's own evaluation and scikit-learn."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

import orjson
import pytest

from aver.metrics import calibration, classification


@pytest.mark.parametrize("case", ["verdict", "verdict_two_gold_classes", "flagging"])
def test_vitaminc(golden: Path, case: str) -> None:
    told = orjson.loads((golden / "vitaminc" / "cls_metrics_golden.json").read_bytes())[case]
    predictions = [row.index(max(row)) for row in told["logits"]]
    report = classification(predictions, told["labels"], labels="any")
    assert report.accuracy == pytest.approx(told["metrics"]["acc"], abs=1e-12)
    assert report.macro.f1 == pytest.approx(told["metrics"]["macro_f1"], abs=1e-12)
    if "precision" in told["metrics"]:
        assert report.macro.precision == pytest.approx(told["metrics"]["precision"], abs=1e-12)
        assert report.macro.recall == pytest.approx(told["metrics"]["recall"], abs=1e-12)


def test_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    chance = random.Random(11)
    for _ in range(30):
        size = chance.randint(1, 60)
        gold = chance.choices("abcd", [4, 3, 2, 0.2], k=size)
        said = [label if chance.random() < 0.5 else chance.choice("abcde") for label in gold]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = metrics.classification_report(gold, said, output_dict=True, zero_division=0)
        ours = classification(said, gold, labels="any", macro="seen")
        # it leaves the line out when there is a micro average instead
        assert ours.accuracy == pytest.approx(metrics.accuracy_score(gold, said))
        for name, average in (("macro avg", ours.macro), ("weighted avg", ours.weighted)):
            for field, value in (
                ("precision", average.precision),
                ("recall", average.recall),
                ("f1-score", average.f1),
            ):
                assert value == pytest.approx(theirs[name][field])
        for scores in ours.classes:
            assert scores.f1 == pytest.approx(theirs[scores.label]["f1-score"])
            assert scores.support == theirs[scores.label]["support"]
        order = list(ours.labels)
        assert [list(row) for row in ours.confusion] == metrics.confusion_matrix(gold, said, labels=order).tolist()


def test_scikit_learn_log_loss() -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    chance = random.Random(12)
    gold, rows = [], []
    for _ in range(50):
        parts = [chance.random() for _ in "abc"]
        rows.append([part / sum(parts) for part in parts])
        gold.append(chance.choice("abc"))
    ours = calibration([dict(zip("abc", row, strict=True)) for row in rows], gold, labels="any")
    assert ours.nll == pytest.approx(metrics.log_loss(gold, rows, labels=list("abc")))
