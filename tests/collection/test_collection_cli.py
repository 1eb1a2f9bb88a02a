"""`aver collection` and `aver search` as a person uses them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AVER_HOME", str(tmp_path / "home"))
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "coffee.txt").write_text("Coffee is a drink. It was first drunk in Yemen.")
    (folder / "tea.md").write_text("# Tea\n\nTea is hot.")
    return folder


def test_from_files_to_an_answer(run_cli: Run, own_home: Path) -> None:
    assert "make one with: aver collection add" in run_cli("collection", "list").out
    done = run_cli("collection", "add", "drinks", own_home)
    assert (done.code, done.err) == (0, "")
    assert "drinks: 2 added, 0 updated, 0 unchanged" in done.out
    assert "2 unchanged" in run_cli("collection", "add", "drinks", own_home).out
    listed = run_cli("collection", "list", "--json").json
    assert [(row["name"], row["documents"]) for row in listed["collections"]] == [("drinks", 2)]
    assert "drinks" in run_cli("collection", "list").out
    shown = run_cli("search", "Where was coffee first drunk?", "--in", "drinks")
    assert "1. coffee" in shown.out
    assert "It was first drunk in Yemen." in shown.out
    hit = run_cli("search", "coffee", "--in", "drinks", "--json", "--limit", 1).json["hits"][0]
    assert hit["sentences"][0]["text"] == "Coffee is a drink."
    assert hit["key"] == (own_home / "coffee.txt").resolve().as_posix()
    assert run_cli("search", "coffee", "--in", "drinks", "--bm25", "--json").json["hits"][0]["mention"] is None
    assert run_cli("search", "zzz", "--in", "drinks").out == "nothing found\n"


def test_update_info_and_remove(run_cli: Run, own_home: Path) -> None:
    run_cli("collection", "add", "drinks", own_home)
    (own_home / "tea.md").write_text("# Tea\n\nTea is cold.")
    assert "0 added, 1 updated, 1 unchanged" in run_cli("collection", "update", "drinks").out
    info = run_cli("collection", "info", "drinks", "--json").json
    assert (info["documents"], info["revisions"], len(info["files"])) == (2, 3, 2)
    assert "revisions" in run_cli("collection", "info", "drinks").out
    (own_home / "tea.md").unlink()
    gone = run_cli("collection", "update", "drinks")
    assert gone.code == 1
    assert "tea.md: there is no such file" in gone.err
    assert run_cli("collection", "update", "drinks", "--prune").code == 0
    assert "1 removed" in run_cli("collection", "remove", "drinks", own_home / "coffee.txt").out
    assert run_cli("collection", "remove", "drinks", "nope").code == 2
    assert run_cli("collection", "remove", "drinks", stdin="n\n").code == 130
    assert run_cli("collection", "remove", "drinks", "--yes", "--json").json["deleted"] is True
    assert run_cli("collection", "info", "drinks").code == 2


def test_a_broken_file_is_named_and_the_exit_says_so(run_cli: Run, own_home: Path, tmp_path: Path) -> None:
    (own_home / "bad.txt").write_bytes(b"\xfc\xfd")
    (own_home / "rows.jsonl").write_text('{"id": 1, "text": "One."}\n{oops\n')
    (own_home / "what.bin").write_bytes(b"\x00")
    done = run_cli("collection", "add", "drinks", own_home)
    assert done.code == 1
    assert "bad.txt: not UTF-8 at byte 1" in done.err
    assert "rows.jsonl line 2: broken JSON" in done.err
    assert "3 added, 0 updated, 0 unchanged, 2 failed, 1 file of an unknown kind left out" in done.out
    report = run_cli("collection", "add", "drinks", own_home, "--json")
    assert report.code == 1
    assert (report.json["unchanged"], report.json["failed"]) == (3, 2)
    only = run_cli("collection", "add", "none", own_home / "bad.txt", tmp_path / "nope.txt")
    assert only.code == 2
    assert not (tmp_path / "home" / "collections" / "none").exists()


def test_mistakes(run_cli: Run, own_home: Path, tmp_path: Path) -> None:
    for words, said in (
        (("search", "tea", "--in", "nope"), "there is no collection 'nope'"),
        (("search", " ", "--in", "nope"), "the query is empty"),
        (("collection", "add", "my drinks", own_home), "cannot be a collection's name"),
        (("collection", "add", "d", own_home, "--format", "word"), "there is no format 'word'"),
        (("collection", "add", "d", own_home, "--encoding", "klingon"), "there is no encoding"),
        (("collection", "add", own_home, own_home), "is no collection"),
        (("collection", "add", "d", tmp_path / "home"), "no files in"),
        (("collection", "add", "d"), "PATHS"),
        (("collection", "update", "nope"), "there is no collection"),
    ):
        (tmp_path / "home").mkdir(exist_ok=True)
        done = run_cli(*words)
        assert done.code == 2, words
        assert said in done.err
        assert done.out == ""
    assert run_cli("collection", "list", "--json").json["collections"] == []


def test_standard_input_and_given_fields(run_cli: Run, tmp_path: Path) -> None:
    rows = '{"u": 1, "b": "One thing."}\n{"u": 2}\n'
    done = run_cli("collection", "add", tmp_path / "c", "-", "--id-field", "u", "--text-field", "b", stdin=rows)
    assert done.code == 1
    assert "standard input line 2: has no field 'b'" in done.err
    assert run_cli("search", "thing", "--in", tmp_path / "c", "--json").json["hits"][0]["key"] == "1"


def test_as_a_program(own_home: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-c", "from aver.cli import main; main()", "collection", "add", str(tmp_path / "c")]
    done = subprocess.run([*words, str(own_home)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 added" in done.stdout
