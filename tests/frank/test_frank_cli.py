"""`aver frank` as people use it, mistakes included."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aver.frank import correlate, example_sentences, load_example

Runner = Callable[..., Any]


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    bench = load_example()
    rows = [
        {"hash": doc, "model_name": system, "score": i % 7}
        for i, (doc, system) in enumerate(zip(bench.doc, bench.system, strict=True))
    ]
    (tmp_path / "mine.json").write_text(json.dumps(rows))
    return tmp_path / "mine.json"


def test_correlate(run_cli: Runner, submission: Path, tmp_path: Path) -> None:
    run = run_cli("frank", "correlate", "example", "--submission", submission, "--resamples", 50)
    assert run.code == 0, run.err
    assert "example, test split: 80 rows of 20 documents × 4 systems; human Factuality; system held fixed" in run.out
    for word in ("pearson", "spearman", "Careful", "Partial", "mine", "over documents", "by Fisher"):
        assert word in run.out
    run = run_cli("frank", "correlate", "example", "--submission", f"My own={submission}", "--metric", "My own",
                  "--split", "all", "--method", "kendall", "--control", "none", "--resamples", 0,
                  "--plot", tmp_path / "p.svg", "--json")  # fmt: skip
    assert run.code == 0, run.err
    [row] = run.json["correlations"]
    assert (row["metric"], row["n"], row["control"], row["method"]) == ("My own", 120, None, "kendall")
    assert run.json["sources"][0]["name"] == "mine.json"
    assert (tmp_path / "p.svg").exists()


def test_a_metric_that_does_not_vary_is_explained(run_cli: Runner, submission: Path) -> None:
    rows = [{**row, "score": 0.1} for row in json.loads(submission.read_text())]
    submission.write_text(json.dumps(rows))
    run = run_cli("frank", "correlate", "example", "--submission", submission, "--resamples", 0)
    assert "No correlation for mine: Factuality or the metric does not vary within one system" in run.out
    run = run_cli("frank", "compare", "example", "--submission", submission)
    assert run.code == 0, run.err
    assert "mine is left out: it or Factuality does not vary on its 80 rows within one system." in run.out


def test_compare(run_cli: Runner) -> None:
    run = run_cli("frank", "compare", "example", "--split", "all", "--resamples", 50)
    assert run.code == 0, run.err
    assert "Careful correlates better than Overlap, p < .001." in run.out
    for word in ("With people", "With each other", "Williams's test", "Holm", "difference"):
        assert word in run.out
    found = run_cli("frank", "compare", "example", "--json").json
    assert {"sentence", "p_one", "p_two", "p_holm"} <= found["pairs"][0].keys()
    assert found["groups"]["Careful"] == "a"


def test_ablate_from_columns_and_from_sentences(run_cli: Runner, tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text(json.dumps(example_sentences()))
    plain = run_cli("frank", "ablate", "example", "--json").json
    computed = run_cli("frank", "ablate", "example", "--sentences", tmp_path / "s.json", "--json").json
    assert plain["rows"] == computed["rows"]
    assert computed["changed"] == {}
    run = run_cli("frank", "ablate", "example", "--category", "OutE", "--resamples", 30, "--plot", tmp_path / "a.png")
    assert run.code == 0, run.err
    assert "OutE" in run.out
    wide = run_cli("frank", "ablate", "example", "--category", "all")
    assert max(map(len, wide.out.splitlines()[1:])) < 80
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_check(run_cli: Runner, submission: Path) -> None:
    run = run_cli("frank", "check", "example", submission)
    assert (run.code, "Nothing is wrong" in run.out) == (0, True)
    rows = json.loads(submission.read_text())
    submission.write_text(json.dumps([{**rows[0], "score": "high"}, rows[1], rows[1], *rows[3:100]]))
    run = run_cli("frank", "check", "example", submission)
    assert run.code == 1
    assert "not a number: 1" in run.out
    assert "hash doc00, system copy" in run.out
    assert "duplicate: 1" in run.out
    assert "missing: 21" in run.out
    assert "… and 11 more" in run.out
    everything = run_cli("frank", "check", "example", submission, "--all")
    assert "more" not in everything.out
    assert everything.out.count("hash doc") == 23
    [found] = run_cli("frank", "check", "example", submission, "--json").json
    assert len(found["faults"]) == 23
    assert (found["ok"], found["metrics"][0]["n"]) == (False, 98)
    # and it is not evaluated as if nothing were wrong
    run = run_cli("frank", "correlate", "example", "--submission", submission)
    assert run.code == 2
    assert "hash doc00, system copy" in run.err


def test_check_of_a_benchmark_itself(run_cli: Runner, write_jsonl: Callable[..., Path]) -> None:
    assert run_cli("frank", "check", "example").code == 0
    rows = list(load_example().records())
    rows[3]["human"]["Flip_OutE"] = 2.0
    run = run_cli("frank", "check", write_jsonl("b.jsonl", rows))
    assert run.code == 1
    assert "hash doc00, system invent: Flip_OutE is 2" in run.out


def test_json_has_the_keys_that_the_documentation_names(
    run_cli: Runner, submission: Path, tmp_path: Path, write_jsonl: Callable[..., Path]
) -> None:
    text = (Path(__file__).parents[2] / "docs" / "frank.md").read_text(encoding="utf-8")
    lines = [line.strip("| ").split(" | ") for line in text.partition("## JSON")[2].splitlines() if line[:1] == "|"]
    told = {line[0]: line[1].split(", ") for line in lines[2:]}
    submission.write_text(json.dumps(json.loads(submission.read_text())[1:]))
    rows = list(load_example().records())
    rows[3]["human"]["Flip_OutE"] = 2.0
    found = {
        mode: run_cli("frank", mode, "example", "--resamples", 10, "--json", *more).json
        for mode, more in {"correlate": (), "compare": (), "ablate": (),
                           "leaderboard": ("-o", tmp_path / "page.html")}.items()
    }  # fmt: skip
    [checked] = run_cli("frank", "check", "example", submission, "--json").json
    found |= {
        "correlate: a correlation": found["correlate"]["correlations"][0],
        "compare: a pair": found["compare"]["pairs"][0],
        "ablate: a row": found["ablate"]["rows"][0],
        "check: a submission": checked,
        "check: a fault": checked["faults"][0],
        "check, without a submission": run_cli("frank", "check", write_jsonl("b.jsonl", rows), "--json").json,
    }
    assert {name: list(value) for name, value in found.items()} == told
    for row, ours in zip(found["correlate"]["correlations"],
                         correlate(load_example().select(split="test"), resamples=10), strict=True):  # fmt: skip
        assert row == ours.as_dict(), "in full, not rounded"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["correlate", "nowhere.json"], "there is no such file"),
        (["correlate", "example", "--metric", "Carefull"], "no metric 'Carefull'; its metrics: Careful"),
        (["correlate", "example", "--split", "dev"], "no row has split 'dev'"),
        (["correlate", "example", "--system", "gpt"], "no row has system 'gpt'; there are: copy"),
        (["correlate", "example", "--control", "colour"], "no column 'colour'"),
        (["correlate", "example", "--plot", "x.gif"], "ends in .svg"),
        (["correlate", "example", "--method", "gamma"], "Invalid value"),
        (["correlate"], "Missing argument"),
        (["compare", "example", "--metric", "Careful"], "two metrics or more"),
        (["ablate", "example", "--category", "Style"], "no flipped labels for 'Style'"),
        (["compare", "example", "--alpha", "5"], "alpha is 5.0; it must lie between 0 and 1"),
        (["leaderboard", "example", "--alpha", "5", "-o", "page.html"], "alpha is 5.0; it must lie between 0 and 1"),
        (["correlate", "example", "--plot", "no/x.svg"], "there is no folder no"),
        (["check", "example", "lost.json"], "there is no such file"),
    ],
)
def test_a_mistake_is_answered_with_exit_code_2(run_cli: Runner, arguments: list[str], words: str) -> None:
    run = run_cli("frank", *arguments)
    assert run.code == 2
    assert words in run.err
    assert run.out == ""
