"""Two files, one rule for which rows belong together: the same words from every scorer that reads two files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# task -> a row of predictions and a row of references that can be scored
ROWS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "classification": ({"predicted_label": "SUPPORTS"}, {"label": "SUPPORTS"}),
    "extraction": ({"prediction": "Six cases."}, {"reference": "Six cases.", "after": "There were six cases."}),
    "fever": ({"predicted_label": "SUPPORTS", "predicted_evidence": ["a"]}, {"label": "SUPPORTS", "evidence": [["a"]]}),
    "flagging": ({"score": 0.5}, {"label": "factual"}),
    "rationale": ({"rationale": [0]}, {"rationale": [0]}),
    "revision": ({"prediction": "Six cases."}, {"reference": "Six cases.", "source": "Five cases."}),
}


def rows(row: dict[str, Any], *ids: object) -> list[dict[str, Any]]:
    return [row if name is None else {"id": name, **row} for name in ids]


@pytest.mark.parametrize("task", ROWS)
def test_two_files_that_cannot_be_read_are_one_error(task: str, run_cli: Any, tmp_path: Path) -> None:
    done = run_cli("score", task, tmp_path / "a.jsonl", tmp_path / "b.jsonl")
    assert (done.code, done.out) == (2, "")
    assert "a.jsonl: there is no such file" in done.err
    assert "b.jsonl: there is no such file" in done.err


@pytest.mark.parametrize("task", ROWS)
def test_an_empty_file_is_named(task: str, run_cli: Any, write_jsonl: Callable[..., Path]) -> None:
    empty = write_jsonl("empty.jsonl", [])
    for pair in ((empty, write_jsonl("b.jsonl", rows(ROWS[task][1], 1, 2))),
                 (write_jsonl("a.jsonl", rows(ROWS[task][0], 1, 2)), empty)):  # fmt: skip
        done = run_cli("score", task, *pair)
        assert (done.code, done.out) == (2, "")
        assert done.err.splitlines()[1:] == [f"  - {empty}: is empty; there is nothing to score"]


@pytest.mark.parametrize("task", ROWS)
def test_ids_that_do_not_pair_up(task: str, run_cli: Any, write_jsonl: Callable[..., Path]) -> None:
    said, gold = (write_jsonl(f"{n}.jsonl", rows(r, *ids)) for n, r, ids in
                  zip("ab", ROWS[task], ([1, 2, 2, 9], [2, "1", 3]), strict=True))  # fmt: skip
    done = run_cli("score", task, said, gold)
    assert (done.code, done.out) == (2, "")
    assert "a.jsonl line 3: id 2 stands a second time" in done.err
    assert "a.jsonl line 4: id 9 is not among the references" in done.err
    assert "b.jsonl line 3: id 3 has no prediction" in done.err
    assert "(3 problems)" in done.err


@pytest.mark.parametrize("task", ROWS)
def test_position_decides_only_where_it_is_said(task: str, run_cli: Any, write_jsonl: Callable[..., Path]) -> None:
    said = write_jsonl("a.jsonl", rows(ROWS[task][0], None, None))
    gold = write_jsonl("b.jsonl", rows(ROWS[task][1], 1, 2))
    done = run_cli("score", task, said, gold, "--json")
    assert done.code == 0
    assert done.json["notes"][0] == "matched by position: the predictions have no ids"
    assert "note: matched by position: the predictions have no ids" in run_cli("score", task, said, gold).out
    short = run_cli("score", task, write_jsonl("c.jsonl", rows(ROWS[task][0], None)), gold)
    assert (short.code, short.out) == (2, "")
    assert "1 prediction but 2 references" in short.err


@pytest.mark.parametrize("task", ROWS)
def test_broken_and_latin_1_lines_are_told_together(task: str, run_cli: Any, write_jsonl: Callable[..., Path]) -> None:
    said = write_jsonl("a.jsonl", rows(ROWS[task][0], *range(8)))
    lines = said.read_bytes().splitlines()
    lines[6] = b'{"id": 6, "label'
    lines[7] = '{"id": 7, "predicted_label": "réfuté", "prediction": "é"}'.encode("latin-1")
    said.write_bytes(b"\n".join(lines))
    done = run_cli("score", task, said, write_jsonl("b.jsonl", rows(ROWS[task][1], *range(8))))
    assert (done.code, done.out) == (2, "")
    assert "a.jsonl line 7: broken JSON at column" in done.err
    assert "a.jsonl line 8: not UTF-8 at byte" in done.err
    assert "(2 problems)" in done.err
