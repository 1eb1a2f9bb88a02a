"""`aver diff` as people run it."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

OLD = "The tower is 52 metres high. It began as a fort. Nobody lives there."
NEW = "The tower is 57 metres high. It started as a fort. There is a café now."


@pytest.fixture
def versions(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "old.txt").write_text(OLD, encoding="utf-8")
    (tmp_path / "new.txt").write_text(NEW, encoding="utf-8")
    return tmp_path / "old.txt", tmp_path / "new.txt"


def test_table_and_json(versions: tuple[Path, Path], run_cli: Callable[..., Any]) -> None:
    done = run_cli("diff", *versions, "--model", "fast")
    assert done.code == 0
    assert "The tower is [-52-]{+57+} metres high." in done.out
    assert "FACTUAL" in done.out.split("The tower")[0]
    assert "1 factual" in done.out.splitlines()[0]
    assert "- Nobody lives there." in done.out
    found = run_cli("diff", *versions, "--model", "fast", "--json").json
    assert found["factual"] == 1
    assert [c["alignment"] for c in found["changes"]] == ["reworded", "reworded", "removed", "added"]
    assert found["changes"][0]["words"][0]["before"] == "52"
    span = found["changes"][0]["before"][0]
    assert OLD[span["start"] : span["end"]] == span["text"]


def test_exit_code_says_whether_a_fact_changed(versions: tuple[Path, Path], run_cli: Callable[..., Any]) -> None:
    for option in ("--strict", "--exit-code"):
        assert run_cli("diff", *versions, "--model", "fast", option).code == 1
    assert run_cli("diff", versions[0], versions[0], "--exit-code").code == 0


def test_standard_input_and_markdown(tmp_path: Path, run_cli: Callable[..., Any]) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Tower\n\nThe *tower* is [57 metres](x) high.\n")
    done = run_cli("diff", "-", page, "--no-flag", "--json", stdin="Tower\n\nThe tower is 52 metres high.")
    assert done.json["counts"]["reworded"] == 1
    assert done.json["flagger"] is None
    assert done.json["factual"] is None, "nobody looked"


def test_a_page_on_standard_input_and_one_in_a_pipe(tmp_path: Path, run_cli: Callable[..., Any]) -> None:
    page = "<html><nav>Home</nav><p>The <b>tower</b> is 52 metres high.</p></html>"
    text, pipe = tmp_path / "text", tmp_path / "pipe"
    text.write_text("The tower is 52 metres high.\n")
    assert run_cli("diff", "-", text, "--no-flag", "--json", stdin=page).json["counts"]["same"] == 1
    if sys.platform != "win32":
        os.mkfifo(pipe)
        writing = threading.Thread(target=pipe.write_text, args=(page,), daemon=True)
        writing.start()
        assert run_cli("diff", pipe, text, "--no-flag", "--json").json["counts"]["same"] == 1
    (tmp_path / "letter.docx").write_bytes(b"PK\x03\x04")
    told = run_cli("diff", tmp_path / "letter.docx", "-", "--no-flag", stdin='{"text": "Tea."}')
    assert told.code == 2
    assert "letter.docx: is an office file or another ZIP archive; save it as text" in told.err
    assert "standard input: is JSON, no running text" in told.err


@pytest.mark.parametrize("flagger", ["distance", "pair", "diff"])
def test_other_flaggers(flagger: str, versions: tuple[Path, Path], run_cli: Callable[..., Any]) -> None:
    done = run_cli("diff", *versions, "--flagger", flagger, "--model", "fast", "--json")
    assert done.json["flagger"].startswith(flagger)
    assert all(c["probability"] is not None for c in done.json["changes"][:2])


def test_mistakes_are_answered(tmp_path: Path, versions: tuple[Path, Path], run_cli: Callable[..., Any]) -> None:
    latin = tmp_path / "latin.txt"
    latin.write_bytes("Café is open today.".encode("latin-1"))
    several = tmp_path / "several.jsonl"
    several.write_text('{"title": "a", "text": "One."}\n{"title": "b", "text": "Two."}\n')
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    for words, said in (
        (["nowhere.txt", "neither.txt"], ["nowhere.txt", "neither.txt"]),
        ([tmp_path, versions[0]], ["is a directory"]),
        ([latin, versions[0]], ["UTF-8"]),
        ([several, versions[0]], ["2 documents"]),
        ([empty, empty], ["both are empty"]),
        (["-", "-"], ["only one"]),
        ([*versions, "--flagger", "nose"], ["aver, pair, diff, distance"]),
        ([*versions, "--no-flag", "--exit-code"], ["--strict needs"]),
        ([*versions, "--model", "none-such"], ["none-such"]),
    ):
        done = run_cli("diff", *words)
        assert done.code == 2, words
        assert done.out == ""
        for word in said:
            assert word in done.err
    assert run_cli("diff", empty, versions[0], "--no-flag", "--json").json["counts"]["added"] == 3
