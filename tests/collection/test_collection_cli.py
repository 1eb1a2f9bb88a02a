"""`aver collection` and `aver search` as a person uses them."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import orjson
import pytest
import rich.console

from aver.cli._collection_report import adding
from aver.collection import FileReport

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
    assert "\n      2: It was first drunk in Yemen.\n" in shown.out
    hit = run_cli("search", "coffee", "--in", "drinks", "--json", "--limit", 1).json["hits"][0]
    assert hit["sentences"][0]["text"] == "Coffee is a drink."
    assert hit["key"] == (own_home / "coffee.txt").resolve().as_posix()
    assert run_cli("search", "coffee", "--in", "drinks", "--bm25", "--json").json["hits"][0]["mention"] is None
    assert run_cli("search", "zzz", "--in", "drinks").out == "nothing found\n"


def test_update_info_and_remove(run_cli: Run, own_home: Path) -> None:
    run_cli("collection", "add", "drinks", own_home)
    (own_home / "tea.md").write_text("# Tea\n\nTea is cold.")
    updated = run_cli("collection", "update", "drinks").out
    assert "0 added, 1 updated, 1 unchanged, nothing new in 1 file\n" in updated
    assert "tea.md" in updated
    assert "coffee.txt" not in updated
    nothing = "drinks: 0 added, 0 updated, 2 unchanged, nothing new in 2 files\n"
    assert run_cli("collection", "update", "drinks").out == nothing
    assert len(run_cli("collection", "update", "drinks", "--json").json["files"]) == 2
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
    assert run_cli("collection", "remove", "drinks", stdin="n\n").code == 1
    assert run_cli("collection", "remove", "drinks", "--yes", "--json").json["deleted"] is True
    assert run_cli("collection", "info", "drinks").code == 2


def test_a_collection_is_removed_after_a_question(
    run_cli: Run, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_cli("collection", "add", "drinks", own_home)
    left = run_cli("collection", "remove", "drinks", stdin="n\n")
    assert (left.code, left.out) == (1, "drinks: nothing removed\n")
    assert run_cli("collection", "remove", "drinks", "--json", stdin="n\n").json["deleted"] is False
    unanswered = run_cli("collection", "remove", "drinks")
    assert (unanswered.code, unanswered.out) == (2, "")
    assert "\naver: nothing removed: there is nobody to answer; --yes deletes without asking\n" in unanswered.err
    with monkeypatch.context() as context:
        context.setattr("click.termui.visible_prompt_func", Mock(side_effect=KeyboardInterrupt))
        assert run_cli("collection", "remove", "drinks").code == 130
    assert run_cli("collection", "info", "drinks").code == 0
    assert run_cli("collection", "remove", "drinks", stdin="y\n").out == "drinks: deleted, with 2 documents\n"


def test_the_column_of_failures_adds_up(run_cli: Run, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(own_home)
    monkeypatch.setenv("COLUMNS", "200")
    (own_home / "bad.txt").write_bytes(b"\xfc\xfd")
    done = run_cli("collection", "add", "drinks", ".")
    head, *rows = done.out.splitlines()
    failed = slice(head.index("empty") + len("empty"), head.index("failed") + len("failed"))
    assert [row[failed].strip() for row in rows[:3]] == ["1", "0", "0"]
    assert "1 failed" in rows[3]


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


def test_lines_that_are_no_json_are_told_as_everywhere(run_cli: Run, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'{"id": 1, "text": "Tea.", "x": NaN}\n{"id": 2, "text": "caf\xe9"}\n')
    done = run_cli("collection", "add", tmp_path / "c", tmp_path / "a.jsonl")
    assert done.code == 2
    assert "a.jsonl line 1: broken JSON: NaN and Infinity are no JSON numbers; write null" in done.err
    assert "a.jsonl line 2: not UTF-8 at byte 23 of the line; save the file as UTF-8" in done.err


def test_a_sentence_that_is_found_stands_on_one_line(run_cli: Run, tmp_path: Path) -> None:
    wrapped, endless = "Tea is\r\na drink.", "Milk is " + "very " * 2_000 + "white."
    rows = b"".join(orjson.dumps({"id": text[:4], "text": text}) + b"\n" for text in (wrapped, endless))
    assert run_cli("collection", "add", tmp_path / "c", "-", stdin=rows).code == 0
    assert "      1: Tea is a drink.\n" in run_cli("search", "tea", "--in", tmp_path / "c").out
    (line,) = run_cli("search", "milk", "--in", tmp_path / "c").out.splitlines()[1:]
    assert (len(line) < 4_100, line.endswith(" …")) == (True, True)


@pytest.mark.parametrize("table", ["id,text\n7,One thing.\n8\n", "\ufeffid;text\r\n7;One thing.\r\n8\r\n"])
def test_a_table_on_standard_input(run_cli: Run, tmp_path: Path, table: str) -> None:
    words = ("collection", "add", tmp_path / "c", "-")
    done = run_cli(*words, stdin=table)
    assert done.code == 2
    assert "standard input line 1: looks like the head of a table; add --format csv to have it read as one" in done.err
    done = run_cli(*words, "--format", "csv", stdin=table)
    assert done.code == 1
    assert "standard input line 3: has 1 field where the first line names 2" in done.err
    assert run_cli("search", "thing", "--in", tmp_path / "c", "--json").json["hits"][0]["key"] == "7"


def test_a_table_that_breaks_off_on_standard_input_keeps_what_came_before(run_cli: Run, tmp_path: Path) -> None:
    table = b"id,text\n7,One thing.\n8,caf\xe9\n"
    done = run_cli("collection", "add", tmp_path / "c", "-", "--format", "csv", stdin=table + b"x" * 9_000)
    assert "standard input: after line " in done.err
    assert "not UTF-8; save it as UTF-8" in done.err
    done = run_cli("collection", "add", tmp_path / "d", "-", "--format", "csv", "--encoding", "latin-1", stdin=table)
    assert (done.code, done.err) == (0, "")
    done = run_cli("collection", "add", tmp_path / "e", "-", "--format", "csv", stdin='id,text\n7,One.\n8,"Two\n')
    assert "1 added" in done.out
    assert "standard input: after line 2: broken CSV: unexpected end of data" in done.err


def test_other_formats_are_not_read_from_standard_input(run_cli: Run, tmp_path: Path) -> None:
    done = run_cli("collection", "add", tmp_path / "c", "-", "--format", "text", stdin="Tea is hot.")
    assert (done.code, done.out) == (2, "")
    assert "standard input is read as JSON lines or, with --format csv, as a table" in done.err
    assert not (tmp_path / "c").exists()


def test_what_is_told_of_files_that_changed(run_cli: Run, own_home: Path) -> None:
    run_cli("collection", "add", "drinks", own_home)
    (own_home / "tea.md").write_text("")
    done = run_cli("collection", "update", "drinks")
    assert done.code == 0
    said = "note: 1 document is no longer in its file; `aver collection update drinks --prune` removes it"
    assert "1 without text" in done.out
    assert said in done.out
    assert "1 removed" in run_cli("collection", "update", "drinks", "--prune").out
    assert said not in run_cli("collection", "update", "drinks").out
    for name in ("a", "b"):
        (own_home / f"{name}.csv").write_text(f"id,text\n1,The {name} text.\n")
    done = run_cli("collection", "add", "drinks", own_home)
    assert done.code == 1
    assert "b.csv line 2: its key '1' stands in" in done.err
    assert "/a.csv with another title or text, which stays" in done.err
    assert run_cli("collection", "add", "others", own_home / "a.csv").code == 0
    assert "1 now from another file" in run_cli("collection", "add", "others", own_home / "b.csv").out
    (own_home / "a.csv").write_text("id,text\n1,The a text.\n\n")
    assert "1 with a later text in another file" in run_cli("collection", "update", "others").out


def test_a_damaged_collection_is_removed(run_cli: Run, own_home: Path, tmp_path: Path) -> None:
    run_cli("collection", "add", "drinks", own_home)
    folder = tmp_path / "home" / "collections" / "drinks"
    (folder / "collection.sqlite").write_bytes(b"")
    assert "remove it (aver collection remove" in run_cli("collection", "info", "drinks").err
    assert run_cli("collection", "remove", "drinks", "coffee").code == 2
    assert run_cli("collection", "remove", "drinks", stdin="n\n").code == 1
    assert folder.exists()
    assert run_cli("collection", "remove", "drinks", "--yes").out == "drinks: deleted; it was damaged\n"
    assert not folder.exists()


def program(*words: str | bytes, **environment: str) -> subprocess.CompletedProcess[bytes]:
    start = [sys.executable, "-c", "from aver.cli import main; main()"]
    return subprocess.run([*start, *words], capture_output=True, check=False, env=os.environ | environment)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="arguments are always text there")
@pytest.mark.parametrize(
    "words",
    [
        ("check", b"caf\xe9", "--in", "j"), ("check", "x", "--evidence", b"caf\xe9"), ("diff", b"caf\xe9", "x"),
        ("search", b"caf\xe9", "--in", "j"), ("collection", "remove", "j", b"caf\xe9"),
    ],
)  # fmt: skip
def test_arguments_that_are_no_text(words: tuple[str | bytes, ...]) -> None:
    done = program(*words)
    assert done.returncode == 2
    assert done.stderr.startswith(b"aver: the argument 'caf\\udce9' is not in the terminal's encoding")
    assert b"Traceback" not in done.stderr


def test_an_output_that_lacks_characters(own_home: Path) -> None:
    (own_home / "tea.md").write_text("# Tea\n\nTea is hot… – 茶 “ça” 😀.")
    program("collection", "add", "drinks", str(own_home))
    shown = program("search", "tea", "--in", "drinks", PYTHONIOENCODING="latin-1")
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert 'Tea is hot... - ? "ça" ?.'.encode("latin-1") in shown.stdout
    found = program("search", "tea", "--in", "drinks", "--json", PYTHONIOENCODING="latin-1")
    sentences = orjson.loads(found.stdout.decode("latin-1"))["hits"][0]["sentences"]
    assert "Tea is hot… – 茶 “ça” 😀." in [sentence["text"] for sentence in sentences]


def test_as_a_program(own_home: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-c", "from aver.cli import main; main()", "collection", "add", str(tmp_path / "c")]
    done = subprocess.run([*words, str(own_home)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 added" in done.stdout


@pytest.mark.parametrize(("read", "said"), [(3, "a.txt · 1 document"), (6, "putting the index in order · 1 document")])
def test_the_bar_says_what_is_being_done(
    read: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = io.StringIO()
    terminal = rich.console.Console(file=shown, force_terminal=True, width=120)
    monkeypatch.setattr(rich.console, "Console", lambda **_: terminal)
    file = tmp_path / "a.txt"
    file.write_text("a tent")
    with adding([str(file)]) as show:
        show(FileReport(str(file), size=6, read=read, added=1))
    assert said in shown.getvalue()


def _shut(monkeypatch: pytest.MonkeyPatch, under: str) -> None:
    """What lies under a folder of this name cannot be looked at, whoever runs the tests."""
    plain = Path.stat

    def stat(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if under in path.parent.parts:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return plain(path, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(Path, "stat", stat)


def test_a_collection_that_cannot_be_looked_into(
    run_cli: Run, own_home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("Tea is a drink.")
    for name in ("open", "shut"):
        assert run_cli("collection", "add", name, str(tmp_path / "a.txt")).code == 0
    _shut(monkeypatch, "shut")
    listed = run_cli("collection", "list")
    assert listed.code == 0
    assert "open" in listed.out
    assert "shut" in listed.out
    assert "Permission denied" in listed.err
    told = run_cli("search", "tea", "--in", "shut")
    assert told.code == 2
    assert "Permission denied" in told.err
    assert "Traceback" not in told.err


def test_a_name_that_is_too_long(run_cli: Run, own_home: Path) -> None:
    told = run_cli("search", "tea", "--in", "./" + 300 * "x")
    assert told.code == 2
    assert "too long" in told.err
    assert "Traceback" not in told.err
    told = run_cli("judge", 300 * "x")
    assert told.code == 2
    assert "Traceback" not in told.err
