"""Proofs on the real data sets: known figures come out, and every part finds its files."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from aver.frank import compare, load_frank
from aver.prove import PARTS, prove


def test_a_baseline_handed_in_as_scores_gets_its_own_figures(data: Path, tmp_path: Path) -> None:
    """BertScore's precision against the article: .2711 over all of FRANK, as the paper's own outputs give it."""
    bench = load_frank(data / "frank")
    values = bench.metric_scores("BertScore P Art")
    rows = [{"hash": doc, "model_name": system, "score": float(value)}
            for doc, system, value in zip(bench.doc, bench.system, values, strict=True)]  # fmt: skip
    (tmp_path / "mine.json").write_bytes(orjson.dumps(rows))
    part = prove(tmp_path / "mine.json", data=data, parts=["frank"], resamples=0)["frank"]
    assert round(part.figures["pearson"] or 0, 4) == 0.2711
    assert round(part.figures["pearson_test"] or 0, 4) == 0.2951
    assert part.n == 2246
    rows_of = {row[0]: row for row in part.tables[1].rows}
    pair = compare(bench, metrics=["BertScore P Art", "FactCC"]).pairs[0]
    assert rows_of["FactCC"][4] == pytest.approx(pair.r_better - pair.r_worse)
    assert rows_of["BertScore P Art"][5] == 1.0  # no better than itself


def test_unievals_released_predictions_stand_beside(data: Path) -> None:
    part = prove("rouge-2", data=data, parts=["qags"], limit=20, resamples=0)["qags"]
    released = {str(row[0]): row[4] for row in part.tables[0].rows if str(row[2]).startswith("UniEval")}
    assert {name: round(float(r or 0), 3) for name, r in released.items()} == {"CNN/DM": 0.682, "XSum": 0.461}


def test_every_part_finds_its_files(data: Path) -> None:
    parts = [part for part in PARTS if part != "speed"]
    report = prove("rouge-2", data=data, parts=parts, limit=40, resamples=20)
    assert {part.name: part.reason for part in report.parts if part.status != "done"} == {}
    assert report["vitaminc"].of == 3468
    assert report["summeval"].of == 1600
    assert report["frank"].of == 2246
    assert all(part.sources for part in report.parts if part.name not in ("sample", "edges"))
