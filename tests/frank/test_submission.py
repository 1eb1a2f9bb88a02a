"""Submissions: what is read, and everything that can be wrong with one, by hash and system."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aver.errors import InputError
from aver.frank import check, correlate, load_example, read_info, read_submission, submit


def whole() -> list[dict[str, Any]]:
    bench = load_example()
    return [
        {"hash": doc, "model_name": system, "score": i / 100}
        for i, (doc, system) in enumerate(zip(bench.doc, bench.system, strict=True))
    ]


def write(folder: Path, rows: Any, name: str = "mine.json") -> Path:
    (folder / name).write_text(json.dumps(rows))  # Python's writer: NaN stays NaN
    return folder / name


def test_a_complete_submission_is_evaluated_beside_the_baselines(tmp_path: Path) -> None:
    bench = load_example()
    read = read_submission(write(tmp_path, whole()), bench)
    assert read.ok
    assert read.coverage[0].complete
    both = submit(bench, [read])
    assert both.chosen() == ("Careful", "Overlap", "Partial", "mine")
    assert both.sources[-1].name == "mine.json"
    assert len(both.sources[-1].sha256) == 64


def test_rows_in_any_order_and_json_lines_and_our_names(tmp_path: Path) -> None:
    rows = [{"doc": r["hash"], "system": r["model_name"], "score": r["score"]} for r in reversed(whole())]
    (tmp_path / "m.jsonl").write_text("\n".join(map(json.dumps, rows)))
    read = read_submission(tmp_path / "m.jsonl", load_example(), name="Mine")
    assert read.ok
    np.testing.assert_allclose(read.metrics["Mine"], np.arange(120) / 100)


def test_every_fault_is_named_by_hash_and_system(tmp_path: Path) -> None:
    rows = whole()
    rows[0]["score"] = float("nan")
    rows[1]["score"] = "0.5"
    rows[2]["score"] = True
    rows[3]["score"] = float("inf")
    del rows[4]
    rows[4]["score"] = None
    rows += [{**rows[10]}, {"hash": "stranger", "model_name": "copy", "score": 1}, {"score": 1}]
    rows.append(7)  # type: ignore[arg-type]
    found = check(load_example(), write(tmp_path, rows))
    kinds: dict[str, list[str]] = {}
    for fault in found.faults:
        kinds.setdefault(fault.kind, []).append(f"{fault.hash} {fault.system}")
    bench = load_example()
    pairs = [f"{doc} {system}" for doc, system in zip(bench.doc, bench.system, strict=True)]
    assert kinds == {
        "not a number": pairs[:4],
        "duplicate": [pairs[11]],
        "unknown": ["stranger copy"],
        "unreadable": ["None None", "None None"],
        "missing": [pairs[4], pairs[5]],
    }
    assert not found.ok
    assert str(found.errors[0]).startswith("hash doc00, system copy: ")
    assert "item 121" in str(found.errors[5])
    with pytest.raises(InputError, match="cannot be evaluated") as caught:
        submit(bench, [found])
    assert len(caught.value.problems) == 8


def test_a_part_is_evaluated_on_its_part_and_leaves_the_others_alone(tmp_path: Path) -> None:
    bench = load_example()
    before = {row.metric: row for row in correlate(bench, resamples=0, methods=["pearson"])}
    read = read_submission(write(tmp_path, whole()[:50]), bench)
    assert (len(read.missing), read.errors) == (70, ())
    after = {row.metric: row for row in correlate(submit(bench, [read]), resamples=0, methods=["pearson"])}
    assert after["mine"].n == 50
    assert {name: after[name] for name in before} == before


def test_an_info_file_names_several_metrics(tmp_path: Path) -> None:
    rows = [{**row, "other": -row["score"]} for row in whole()]
    write(tmp_path, rows, "scores.json")
    info = [{"path": "scores.json", "scores": [{"name": "A", "key": "score"}, {"name": "B", "key": "other"}]}]
    read = read_info(write(tmp_path, info, "info.json"), load_example())
    assert read.ok
    assert list(read.metrics) == ["A", "B"]
    np.testing.assert_allclose(read.metrics["A"], -read.metrics["B"])


@pytest.mark.parametrize(
    ("info", "words"),
    [
        ([{"scores": []}], "item 1: has no 'path'"),
        ([{"path": "scores.json"}], "has no 'scores' like"),
        ([{"path": "scores.json", "scores": [{"name": "A"}, {"name": "B", "key": "score"}]}], "'A'} has no 'key'"),
        (
            [{"path": "s.json", "scores": [{"name": "A", "key": "x"}, {"name": "B", "key": "x"}]}],
            "the key 'x' stands there twice",
        ),
        ([{"path": "scores.json", "scores": [{"name": "A", "key": "nothing"}]}], "no record has 'nothing'"),
        (
            [{"path": "s.json", "scores": [{"name": "A", "key": "x"}, {"name": "A", "key": "y"}]}],
            "two metrics are named",
        ),
        ([{"path": "lost.json", "scores": [{"name": "A", "key": "score"}]}], "there is no such file"),
    ],
)
def test_a_broken_info_file_is_told(tmp_path: Path, info: Any, words: str) -> None:
    write(tmp_path, whole(), "scores.json")
    with pytest.raises(InputError, match=words):
        read_info(write(tmp_path, info, "info.json"), load_example())


def test_a_submission_is_called_as_its_file(tmp_path: Path) -> None:
    read = read_submission(write(tmp_path, whole(), "mine.v2.json"), load_example())
    assert list(read.metrics) == ["mine.v2"]


def test_a_number_past_all_floats_is_a_fault_of_its_row(tmp_path: Path) -> None:
    read = read_submission(write(tmp_path, [{**whole()[0], "score": 10**400}, *whole()[1:]]), load_example())
    [fault] = read.faults
    assert (fault.kind, fault.hash, fault.system) == ("not a number", "doc00", "copy")


def test_a_submission_for_another_benchmark_is_told_how_rows_are_named(tmp_path: Path) -> None:
    bench = load_example()
    strangers = [{**row, "model_name": "bart"} for row in whole()[::4]]
    read = read_submission(write(tmp_path, strangers), bench)
    assert "no such system for this hash" in read.errors[0].what
    with pytest.raises(InputError, match="example's rows are named like hash doc00, system copy"):
        submit(bench, [read])


def test_what_cannot_be_a_submission(tmp_path: Path) -> None:
    bench = load_example()
    with pytest.raises(InputError, match="no record has 'score'; their fields: hash, model_name"):
        read_submission(write(tmp_path, [{"hash": "a", "model_name": "b"}]), bench)
    (tmp_path / "broken.json").write_text('[{"hash": "a",\n "model_name" "b"}]')
    with pytest.raises(InputError, match=r"\(line 2\): broken JSON at column 15"):
        read_submission(tmp_path / "broken.json", bench)
    with pytest.raises(InputError, match="already has a metric named 'Careful'"):
        submit(bench, [read_submission(write(tmp_path, whole()), bench, name="Careful")])
    strangers = [{"hash": "a", "model_name": "b", "score": None}]
    read = read_submission(write(tmp_path, strangers), bench)
    assert {fault.kind for fault in read.faults} == {"unknown", "missing"}
    nothing = read_submission(write(tmp_path, [{**row, "score": None} for row in whole()]), bench)
    with pytest.raises(InputError, match="no score for any"):
        submit(bench, [nothing])
