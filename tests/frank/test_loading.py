"""Benchmarks in every form, and what is said of a broken one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aver.errors import InputError
from aver.frank import BASELINES, Benchmark, load, load_example, load_frank


def frank_folder(folder: Path) -> Path:
    """FRANK's two files, made of the example."""
    bench = load_example()
    people, outputs = [], []
    for i, (doc, system) in enumerate(zip(bench.doc, bench.system, strict=True)):
        key = {"hash": doc, "model_name": system, "split": bench.columns["split"][i]}
        people.append({**key, **{name: float(v[i]) for name, v in bench.human.items()}})
        scores = {name: None if np.isnan(v[i]) else float(v[i]) for name, v in bench.metrics.items()}
        outputs.append({**key, **scores, "Bleu": 10.0 * i})
    (folder / "human_annotations.json").write_text(json.dumps(people))
    (folder / "baseline_factuality_metrics_outputs.json").write_text(json.dumps(outputs))
    return folder


def test_franks_folder_is_read(tmp_path: Path) -> None:
    bench = load(frank_folder(tmp_path))
    example = load_example()
    assert bench.doc == example.doc
    assert bench.main_human == "Factuality"
    assert set(bench.metrics) == {"Careful", "Overlap", "Partial", "Bleu"}
    assert bench.preferred == ("Bleu",)  # of FRANK's ten
    assert "Bleu" in BASELINES
    np.testing.assert_array_equal(bench.metrics["Partial"], example.metrics["Partial"])
    assert [source.name for source in bench.sources] == [
        "human_annotations.json",
        "baseline_factuality_metrics_outputs.json",
    ]
    assert load(tmp_path / "human_annotations.json").sources == bench.sources
    (tmp_path / "baseline_factuality_metrics_outputs.json").unlink()
    assert not load_frank(tmp_path).metrics


def test_a_benchmark_written_as_json_lines_is_read_back(write_jsonl: Callable[..., Path]) -> None:
    example = load_example()
    bench = load(write_jsonl("mine.jsonl", list(example.records())))
    assert (bench.name, bench.doc, bench.system) == ("mine", example.doc, example.system)
    assert bench.columns == example.columns
    for name, values in example.metrics.items():
        np.testing.assert_allclose(bench.metrics[name], values)
    for name, values in example.human.items():
        np.testing.assert_allclose(bench.human[name], values)


def test_summevals_form(tmp_path: Path) -> None:
    whole = {
        f"d{i}": {
            "src": "…",
            "sys_summs": {s: {"sys_summ": "…", "scores": {"coherence": i + j}} for j, s in enumerate("AB")},
        }
        for i in range(3)
    }
    (tmp_path / "S.json").write_text(json.dumps(whole))
    bench = load(tmp_path / "S.json")
    assert (len(bench), bench.systems, bench.human["coherence"].tolist()) == (6, ("A", "B"), [0, 1, 1, 2, 2, 3])
    with pytest.raises(InputError, match="holds human scores but no metric"):
        bench.chosen()


def test_unievals_form(tmp_path: Path) -> None:
    rows = [
        {"doc_id": i, "system_id": 0, "system_output": "…", "scores": {"fact": i}, "predict_scores": {"fact": -i}}
        for i in range(3)
    ]
    (tmp_path / "u.json").write_text(json.dumps(rows))
    assert load(tmp_path / "u.json").metrics["UniEval fact"].tolist() == [0, -1, -2]
    for row in rows:
        del row["doc_id"]
    rows[0]["source"] = "another"
    (tmp_path / "u.json").write_text(json.dumps(rows))
    bench = load(tmp_path / "u.json")
    assert bench.doc == ("0", "1", "1")
    assert bench.system == ("0", "0", "0#2")


def test_qagss_form(write_jsonl: Callable[..., Path]) -> None:
    def sentence(*answers: str) -> dict[str, Any]:
        return {"sentence": "…", "responses": [{"worker_id": i, "response": a} for i, a in enumerate(answers)]}

    rows = [
        {"article": "…", "summary_sentences": [sentence("yes", "yes", "no"), sentence("no", "no", "yes")]},
        {"article": "…", "summary_sentences": [sentence("yes", "no")]},
    ]
    assert load(write_jsonl("q.jsonl", rows)).human["consistency"].tolist() == [0.5, 0.0]
    rows[1]["summary_sentences"][0]["responses"][0]["response"] = "maybe"  # type: ignore[index]
    with pytest.raises(InputError, match="line 2: a sentence's response is 'maybe'"):
        load(write_jsonl("q.jsonl", rows))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the file is empty"),
        ('{"doc": "a", "system": "x", "human": {"h": 1}}\n{"doc": "a"', "line 2.*broken JSON"),
        ('{"doc": "a", "human": {"h": 1}}', "line 1: has no 'system'"),
        ('{"doc": "a", "system": "x", "human": {"h": "good"}}', "line 1: human 'h' is 'good', not a number"),
        ('{"doc": "a", "system": "x", "human": {"h": NaN}}', "human 'h' is nan"),
        ('{"doc": "a", "system": "x", "human": 1}', "'human' is not an object"),
        ('{"doc": "a", "system": "x"}', "no row has a human score"),
        ('{"doc": "a", "system": "x", "human": {"h": 1}}\n' * 2, "stood already at .* line 1"),
        ("[1, 2]", "item 1: expected a JSON object"),
        ('[{"hash": "a", "model_name": "x", "Factuality": 1}, {"hash": "b"}]', "item 2: has no 'model_name'"),
        ('[{"hash": "a", "model_name": "x"}]', "no record has a number"),
        ('[{"hash": "a", "model_name": "x", "score": 1}]', "not FRANK's annotations.*--submission"),
        ('{"doc": "a", "system": "x", "human": {"h": 1' + "0" * 400 + "}}", "human 'h' is 10*…, not a number"),
        ('{"doc": "a", "system": "x", "human": {"h": 1' + "0" * 5000 + "}}", "line 1: this JSON cannot be read"),
        ('{\n"a": 1}', "expected a JSON list of records, or one record a line"),
        ('{"d": {"sys_summs": {"A": 3}}}', "document d system A: has no human 'scores'"),
        ('[{"system_output": "o", "scores": {"c": 1}}, 7]', "item 2: expected a JSON object"),
        ('[{"system_output": "o", "scores": {"c": 1}, "predict_scores": [1]}]', "'predict_scores' is not an object"),
        ('{"article": "a", "summary_sentences": [7]}', "a sentence has no responses"),
        ('{"article": "a", "summary_sentences": [{"responses": ["x"]}]}', "a sentence's response is 'x'"),
        ('{"d": {"sys_summs": {"A": {"scores": {}}}}}', "document d system A: has no human 'scores'"),
    ],
)
def test_a_broken_benchmark_is_told_with_its_place(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "b.json").write_text(text)
    with pytest.raises(InputError, match=words):
        load(tmp_path / "b.json")


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    rows = ['{"doc": "a", "system": "x", "human": {"h": "bad"}}'] * 3
    (tmp_path / "b.jsonl").write_text("\n".join(rows))
    with pytest.raises(InputError) as caught:
        load(tmp_path / "b.jsonl")
    assert len(caught.value.problems) == 5  # three values, two repetitions


def test_a_benchmark_made_in_python_is_checked_too() -> None:
    with pytest.raises(InputError, match="toy is no benchmark") as caught:
        Benchmark("toy", ("a", "b"), ("x",), human={}, metrics={"M": np.array([1.0, np.inf]), "N": np.zeros(3)})
    assert caught.value.problems == (
        "there is no human score",
        "system: has 1 value for 2 rows",
        "N: has 3 values for 2 rows",
        "M: holds an infinity; a missing score is NaN",
    )


def test_missing_files_and_wrong_folders(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        load(tmp_path / "nowhere.json")
    with pytest.raises(InputError, match="this folder has no human_annotations"):
        load(tmp_path)
    (tmp_path / "latin.jsonl").write_bytes(b'{"doc": "caf\xe9"}')
    with pytest.raises(InputError, match="not UTF-8"):
        load(tmp_path / "latin.jsonl")
