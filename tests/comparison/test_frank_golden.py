"""FRANK's own numbers: every run of its script under golden/frank, and UniEval's released correlations."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aver.frank import (
    BASELINES,
    Benchmark,
    ablate,
    check_flips,
    compare,
    correlate,
    load,
    load_frank,
)

RUNS: dict[str, dict[str, Any]] = {
    "hm_all": {},
    "hm_all_allbaselines": {"all_metrics": True},
    "hm_all_bbc": {"dataset": "bbc"},
    "hm_all_cnndm": {"dataset": "cnndm"},
    "hm_all_human_EntE": {"human": "EntE"},
    "hm_all_human_Semantic_Frame_Errors": {"human": "Semantic_Frame_Errors"},
    "hm_all_model_bart": {"systems": ["bart"]},
    "hm_all_model_pgn": {"systems": ["pgn"]},
    "hm_all_nopartial": {"control": None},
    "hm_all_pvar_dataset": {"control": "dataset"},
    "hm_valid": {"split": "valid"},
}
ABLATIONS: dict[str, dict[str, Any]] = {
    "abl_all": {},
    "abl_all_allflips": {"categories": ["all"]},
    "abl_all_cnndm": {"dataset": "cnndm"},
}


@pytest.fixture(scope="session")
def bench(data: Path) -> Benchmark:
    return load(data / "frank")


def read(folder: Path, name: str) -> Any:
    return json.loads((folder / name).read_text())


def test_every_run_of_the_golden_folder_is_tested_here(golden: Path) -> None:
    assert {p.name for p in (golden / "frank").iterdir()} == {*RUNS, *ABLATIONS, "mm_all", "mm_all_bbc"}


@pytest.mark.parametrize("run", RUNS)
def test_correlations_are_those_of_franks_script(bench: Benchmark, golden: Path, run: str) -> None:
    expected = read(golden / "frank" / run, "out_df.json")
    settings = dict(RUNS[run])
    rows = {key: settings.pop(key) for key in ("dataset", "systems", "split") if key in settings}
    metrics = list(bench.metrics) if settings.pop("all_metrics", False) else None
    found = correlate(bench.select(**rows), metrics=metrics, degrees="original", resamples=0, **settings)
    assert {row.metric for row in found} == set(expected["pearson"])
    for row in found:
        assert row.r == pytest.approx(expected[row.method][row.metric], abs=1e-8 if row.method == "pearson" else 1e-5)
        # the original's Spearman breaks some ties by rounding; its p follows its r
        assert row.p == pytest.approx(
            expected[f"{row.method} p-value"][row.metric], abs=1e-8 if row.method == "pearson" else 1e-4
        )


@pytest.mark.parametrize("run", ABLATIONS)
def test_ablations_are_those_of_franks_script(bench: Benchmark, golden: Path, run: str) -> None:
    expected = read(golden / "frank" / run, "out_df.json")
    settings = dict(ABLATIONS[run])
    found = ablate(bench.select(dataset=settings.pop("dataset", None)), **settings)
    assert {f"Flip_{category}" for category in found.categories} == set(expected)
    for row in found.rows:
        assert row.contribution == pytest.approx(expected[f"Flip_{row.category}"][row.metric], abs=1e-8)


@pytest.mark.parametrize(("run", "dataset"), [("mm_all", None), ("mm_all_bbc", "bbc")])
def test_metric_metric_correlations_and_williams_are_those_of_franks_script(
    bench: Benchmark, golden: Path, run: str, dataset: str | None
) -> None:
    between, williams = read(golden / "frank" / run, "out_df.json"), read(golden / "frank" / run, "williams.json")
    found = compare(bench.select(dataset=dataset), degrees="original")
    for one in BASELINES:
        for other in BASELINES:
            assert found.between[one][other] == pytest.approx(between[one][other], abs=1e-8)
            if one != other:
                assert found.pair(one, other).p_one == pytest.approx(williams[one][other], abs=1e-8)


def test_without_a_control_metrics_are_compared_plainly(bench: Benchmark) -> None:
    """FRANK's script leaves the control in when told not to use it in this mode."""
    found = compare(bench, metrics=["Bleu", "FactCC"], control=None)
    x, y = bench.metrics["Bleu"], bench.metrics["FactCC"]
    assert found.between["Bleu"]["FactCC"] == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-10)
    assert found.between["Bleu"]["FactCC"] != pytest.approx(
        compare(bench, metrics=["Bleu", "FactCC"]).between["Bleu"]["FactCC"], abs=1e-3
    )


def test_the_flipped_labels_of_the_released_file_follow_our_definition(bench: Benchmark) -> None:
    """The rule in `aver.frank._sentences`, which FRANK does not state, holds in all 2,246 rows."""
    human = bench.human
    flips = [name.removeprefix("Flip_") for name in human if name.startswith("Flip_")]
    assert len(flips) == 11
    for name in flips:
        expected = human["Factuality"] + human["Other"] - human[name]
        np.testing.assert_allclose(human[f"Flip_{name}"], expected, atol=1e-9)
    groups = ["Semantic_Frame_Errors", "Discourse_Errors", "Content_Verifiability_Errors"]
    wrong = sum(human["Other"] - human[group] for group in groups)
    np.testing.assert_allclose(human["Factuality"] + wrong + 1 - human["Other"], 1, atol=1e-9)
    assert check_flips(bench) == []


def test_frank_is_read_whole(bench: Benchmark, data: Path) -> None:
    assert (len(bench), len(set(bench.doc)), len(bench.systems), len(bench.metrics)) == (2246, 499, 9, 15)
    assert (bench.covered("Dep Entail"), bench.covered("FEQA")) == (2246 - 83, 2246 - 4)
    assert len(bench.select(split="valid")) == 671
    assert bench.chosen() == BASELINES
    alone = load_frank(data / "frank" / "human_annotations.json", baselines=None)
    assert alone.doc == bench.doc


@pytest.mark.parametrize("name", ["qags_cnndm", "qags_xsum"])
def test_unievals_predictions_correlate_as_unieval_says(data: Path, golden: Path, name: str) -> None:
    bench = load(data / "unieval_fact" / f"{name}_unieval_result.json")
    table = (golden / "unieval" / f"correlation_{name}.txt").read_text()
    line = re.search(r"\| consistency \|(.*)\|", table)
    assert line is not None
    expected = [float(cell) for cell in line.group(1).split("|")]
    found = correlate(bench, methods=["pearson", "spearman", "kendall"], control=None, resamples=0)
    assert [row.r for row in found] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("name", ["cnndm", "xsum"])
def test_qagss_votes_give_the_consistency_others_released(data: Path, name: str) -> None:
    """Our majority rule over the raw votes is the `consistency` in UniEval's copy of the same data."""
    raw = load(data / "qags" / f"mturk_{name}.jsonl")
    copy = load(data / "unieval_fact" / f"qags_{name}.json")
    assert len(raw) == len(copy)
    np.testing.assert_allclose(raw.human["consistency"], copy.human["consistency"], atol=1e-6)


@pytest.mark.parametrize(
    ("file", "rows", "systems", "main"),
    [
        ("SummEval", 1600, 16, "coherence"),
        ("REALSumm", 2400, 24, "litepyramid_recall"),
        ("Rank19", 746, 2, "fact"),
        ("QAGS_XSUM", 239, 1, "fact"),
    ],
)
def test_benchmarks_of_the_same_shape_are_read(data: Path, file: str, rows: int, systems: int, main: str) -> None:
    bench = load(data / "summeval" / f"{file}.json")
    assert (len(bench), len(bench.systems), bench.main_human) == (rows, systems, main)


def test_the_command_gives_the_same_numbers(golden: Path, data: Path, run_cli: Callable[..., Any]) -> None:
    expected = read(golden / "frank" / "hm_valid", "out_df.json")
    run = run_cli("frank", "correlate", data / "frank", "--split", "valid", "--df", "original",
                  "--resamples", 0, "--json")  # fmt: skip
    assert run.code == 0, run.err
    for row in run.json["correlations"]:
        assert row["r"] == pytest.approx(expected[row["method"]][row["metric"]], abs=1e-5)


def test_a_submission_in_franks_form_is_evaluated_as_its_script_would(
    bench: Benchmark, data: Path, tmp_path: Path, run_cli: Callable[..., Any]
) -> None:
    """benchmark_data.json with a `score`: here FactCC's own outputs under another name."""
    rows = json.loads((data / "frank" / "benchmark_data_reconstructed.json").read_text())
    scores = dict(zip(zip(bench.doc, bench.system, strict=True), bench.metrics["FactCC"], strict=True))
    for row in rows:
        row["score"] = float(scores[row["hash"], row["model_name"]])
    (tmp_path / "scored.json").write_text(json.dumps(rows))
    assert run_cli("frank", "check", data / "frank", tmp_path / "scored.json").code == 0
    run = run_cli("frank", "compare", data / "frank", "--submission", f"Copy={tmp_path / 'scored.json'}",
                  "--metric", "Copy", "--metric", "FactCC", "--json")  # fmt: skip
    assert run.json["correlations"]["Copy"] == pytest.approx(run.json["correlations"]["FactCC"], abs=1e-12)
    (tmp_path / "scored.json").write_text(json.dumps(rows[:1000]))
    found = run_cli("frank", "check", data / "frank", tmp_path / "scored.json", "--json")
    assert found.code == 1
    assert len(found.json[0]["faults"]) == 1246
