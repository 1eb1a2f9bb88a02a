"""What `aver judge` writes to, and what it takes for a gold label: files gone on with, streams, its own answers."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Make = Callable[..., Path]
Cli = Callable[..., Any]
ROWS: list[dict[str, Any]] = [
    {"id": 2**70, "claim": "the tower", "evidence": "yes", "label": "SUPPORTS", "note": "kept"},
    {"id": 2, "claim": "the tower", "evidence": "no", "label": "SUPPORTS"},
    {"id": 3, "claim": "", "evidence": "no", "label": "REFUTES"},
]


def test_an_answer_of_aver_is_no_gold_label(run_cli: Cli, write_jsonl: Cli, make_model: Make) -> None:
    folder = make_model()
    pairs = [{"claim": "the tower", "evidence": evidence} for evidence in ("yes", "no")]
    first = run_cli("judge", write_jsonl("p.jsonl", pairs), "--model", folder, "--json").jsonl
    again = run_cli("judge", write_jsonl("q.jsonl", first), "--model", folder, "--json")
    assert again.jsonl == first
    assert "accuracy:" not in again.err
    assert "no gold label: 2 labels that aver wrote itself" in again.err
    # a gold label that somebody adds counts, and so does one that an earlier run kept
    gold = [first[0] | {"gold_label": "REFUTES"}, first[1]]
    again = run_cli("judge", write_jsonl("q.jsonl", gold), "--model", folder, "--json")
    assert "accuracy: 0.0000 (0 of 1)" in again.err
    assert "1 label that aver wrote itself" in again.err


def test_nor_is_one_of_aver_check(run_cli: Cli, write_jsonl: Cli, make_model: Make) -> None:
    row = {
        "id": 1, "claim": "the tower", "predicted_label": "REFUTES", "predicted_evidence": [], "label": "REFUTES",
        "confidence": 0.9, "status": "scored", "model": "m@0", "ranker": None, "notes": [], "evidence": "yes",
    }  # fmt: skip
    done = run_cli("judge", write_jsonl("p.jsonl", [row]), "--model", make_model(), "--json")
    assert "accuracy:" not in done.err
    assert "gold_label" not in done.jsonl[0]
    assert done.jsonl[0]["input"] == {"label": "REFUTES", "status": "scored", "model": "m@0"}


@pytest.mark.parametrize(
    ("number", "change", "said"),
    [
        (1, {"id": 2**70 + 1}, f"'id' was {2**70}, and at p.jsonl line 1 it is {2**70 + 1}"),
        (1, {"note": None}, "'note' was \"kept\", and at p.jsonl line 1 it is missing"),
        (1, {"label": "REFUTES"}, '\'gold_label\' was "SUPPORTS", and at p.jsonl line 1 it is "REFUTES"'),
        (2, {"id": 7}, "'id' was 2, and at p.jsonl line 2 it is 7"),
        (2, {"new": [1]}, "'new' was missing, and at p.jsonl line 2 it is [1]"),
        (3, {"id": 7}, "'id' was 3, and at p.jsonl line 3 it is 7"),
    ],
)
def test_a_row_that_changed_is_not_gone_on_with(
    number: int, change: dict[str, Any], said: str, run_cli: Cli, make_model: Make, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def write(rows: list[dict[str, Any]]) -> None:
        Path("p.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    folder, out = make_model(), tmp_path / "out.jsonl"
    monkeypatch.chdir(tmp_path)
    write(ROWS)
    told = ("judge", "p.jsonl", "--model", folder, "--output", out)
    run_cli(*told)
    whole = out.read_bytes()
    assert run_cli(*told).err.startswith("p.jsonl line 3 (id 3): error")
    write([row | (change if n == number else {}) for n, row in enumerate(ROWS, 1)])
    done = run_cli(*told)
    assert done.code == 2
    assert f"out.jsonl line {number}: its row has changed since: {said}" in done.err
    assert "name another file with --output, or remove this one" in done.err
    assert out.read_bytes() == whole


def test_an_error_of_a_row_that_changed_can_be_tried_again(
    run_cli: Cli, write_jsonl: Cli, make_model: Make, tmp_path: Path
) -> None:
    folder, out = make_model(), tmp_path / "out.jsonl"
    told = ("judge", write_jsonl("p.jsonl", ROWS[1:]), "--model", folder, "--output", out)
    run_cli(*told)
    write_jsonl("p.jsonl", [ROWS[1], ROWS[2] | {"claim": "the tower", "id": 9}])
    assert "add --retry-errors" in run_cli(*told).err
    done = run_cli(*told, "--retry-errors")
    assert done.code == 0
    assert '"id":9' in out.read_text(encoding="utf-8")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_device_is_told_of(run_cli: Cli, write_jsonl: Cli, make_model: Make) -> None:
    done = run_cli("judge", write_jsonl("p.jsonl", ROWS[1:2]), "--model", make_model(), "--output", "/dev/full")
    assert done.code == 2
    assert done.err == "aver: /dev/full: cannot be written: No space left on device\n"
    assert Path("/dev/full").is_char_device()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a thing of Unix")
def test_lines_go_into_a_pipe(run_cli: Cli, write_jsonl: Cli, make_model: Make, tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    told = ("judge", write_jsonl("p.jsonl", ROWS[1:2]), "--model", make_model())
    reader = threading.Thread(target=lambda: got.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    assert run_cli(*told, "--output", pipe).code == 0
    reader.join()
    assert got == [run_cli(*told, "--json").out]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    done = run_cli(*told, "--output", pipe, "--retry-errors")
    assert done.code == 2
    assert "--retry-errors needs a file to read again" in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="devices are a thing of Unix")
@pytest.mark.parametrize("output", ["-", "/dev/stdout"])
def test_lines_go_to_standard_output(output: str, write_jsonl: Cli, make_model: Make, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "aver", "judge", write_jsonl("p.jsonl", ROWS[1:2]), "--model", make_model()]
    plain = subprocess.run([*words, "--json"], capture_output=True, check=True, cwd=tmp_path).stdout
    assert plain
    assert subprocess.run([*words, "--output", output], capture_output=True, check=True, cwd=tmp_path).stdout == plain
    # a file that the shell has open is written on where it stands, and not replaced
    with (tmp_path / "all").open("wb") as file:
        for _ in range(2):
            subprocess.run([*words, "--output", output], stdout=file, stderr=subprocess.PIPE, check=True, cwd=tmp_path)
        file.write(b"end\n")
    assert (tmp_path / "all").read_bytes() == plain * 2 + b"end\n"
    assert not (tmp_path / "-").exists()


def test_what_is_no_text_in_a_list_is_named(run_cli: Cli, write_jsonl: Cli, make_model: Make, tmp_path: Path) -> None:
    rows = [ROWS[1], ROWS[1] | {"evidence": ["yes", "no", 5, None]}, ROWS[1] | {"evidence": ["no", "no"]}]
    told = ("judge", write_jsonl("p.jsonl", rows), "--model", make_model())
    done = run_cli(*told, "--json")
    assert done.code == 2
    said = "error: the evidence is a list, and item 3 in it is a number; it must be text\n"
    assert f"p.jsonl line 2 (id 2): {said}" in done.err
    assert [line["label"] for line in done.jsonl] == ["REFUTES", None, "REFUTES"]
    out = tmp_path / "out.jsonl"
    for words in ((), ("--retry-errors",)):
        assert "item 3 in it is a number" in run_cli(*told, "--output", out, *words).err
