"""`aver consistency` from end to end, mistakes included."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SOURCE = "The bridge over the Arle was opened in 1931. It is 200 metres long. No toll is paid."
ROWS: list[dict[str, Any]] = [
    {"id": "a", "text": "It is 200 metres long.", "source": SOURCE},
    {"id": "b", "summary": "King Olaf sold the harbour in 1948.", "article": [SOURCE, "So it is."]},
    {"id": "c", "text": "Is it?", "source": SOURCE},
    {"id": "d", "text": None, "source": SOURCE},
    {"id": "e", "text": "It is so.", "source": " "},
    {"id": "f", "text": "It is so."},
]


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def test_a_file_of_rows_as_json_lines(run_cli: Callable[..., Any], rows: Path) -> None:
    run = run_cli("consistency", rows, "--judge", "fast", "--json")
    assert run.code == 2
    assert f"{rows} line 4 (id d): error: text is null, not a text\n" in run.err
    assert "aver: 2 rows, named above, could not be scored" in run.err
    found = run.jsonl
    assert [line["status"] for line in found] == ["scored", "scored", "no_claims", "error", "abstained", "error"]
    assert [line["id"] for line in found] == list("abcdef")
    assert "source" not in found[0]
    assert "article" not in found[1]
    assert found[0]["score"] > found[1]["score"]
    assert {span["text"] for span in found[1]["spans"]} & {"1948", "harbour", "King Olaf"}
    assert "line 4: text is null" in found[3]["reason"]
    assert "there is no source; it can be called: source, article" in found[5]["reason"]
    assert "status: abstained 1, error 2, no_claims 1, scored 2" in run.err
    mean = (found[0]["score"] + found[1]["score"]) / 2
    assert f"mean score: {mean:.4f} (of the 2 scored)" in run.err


def test_a_file_of_which_no_row_can_be_scored_exits_with_2(run_cli: Callable[..., Any]) -> None:
    words, rows = ("consistency", "-", "--metric", "rouge-1", "--json"), '{"claim": "a", "evidence": "b"}\n'
    assert run_cli(*words, "--threshold", "0.5", stdin=rows).code == 1
    run = run_cli(*words, stdin=rows)
    assert run.code == 2
    assert run.jsonl[0]["status"] == "error"
    assert "aver: 1 row, named above, could not be scored" in run.err


def test_a_threshold_gives_exit_code_1(run_cli: Callable[..., Any], tmp_path: Path, rows: Path) -> None:
    good = tmp_path / "good.jsonl"
    good.write_text(json.dumps(ROWS[0]) + "\n" + json.dumps(ROWS[2]) + "\n")
    assert run_cli("consistency", good, "--metric", "rouge-1", "--threshold", "0.9").code == 0
    run = run_cli("consistency", rows, "--metric", "rouge-1", "--threshold", "0.9")
    assert run.code == 1
    assert "below 0.9: " in run.err
    assert run_cli("consistency", good, "--metric", "rouge-1", "--threshold", "1.2").code == 2
    assert run_cli("consistency", rows, "--metric", "rouge-1", "--threshold", "nan").code == 2


def test_one_text_and_its_source(run_cli: Callable[..., Any], tmp_path: Path) -> None:
    text, source = tmp_path / "text.txt", tmp_path / "source.txt"
    text.write_text("The bridge over the Arle was opened in 1932. It is 200 metres long.")
    source.write_text(SOURCE)
    run = run_cli("consistency", "--text", text, "--source", source, "--judge", "fast")
    assert run.code == 0
    assert "opened in ⟦1932⟧" in run.out
    assert "contradicted figure: “1932”; the source has “1931”" in run.out
    assert "\n    source 1: The bridge" in run.out
    assert "read: 2 of 2 sentences" in run.out
    found = run_cli("consistency", "--text", text, "--source", source, "--judge", "fast", "--json", "--threshold", "1")
    assert found.code == 1
    assert found.json["spans"][0]["text"] == "1932"
    assert "is below the threshold 1" in found.err


def test_pages_are_read_as_such_and_rows_are_no_text(run_cli: Callable[..., Any], tmp_path: Path) -> None:
    page, rows, source = tmp_path / "page.html", tmp_path / "rows.csv", tmp_path / "source.txt"
    page.write_text("<html><p>The bridge <b>opened</b> in 1931.</p></html>")
    rows.write_text("text,source\n")
    source.write_text("The bridge opened in 1931.")
    words = ("--metric", "rouge-1", "--json", "--source", source)
    for file, stdin in ((page, ""), ("-", page.read_text())):
        assert run_cli("consistency", *words, "--text", file, stdin=stdin).json["score"] == 1
    told = run_cli("consistency", *words, "--text", rows)
    assert told.code == 2
    assert "rows.csv: is a table (CSV or TSV), no running text; texts and sources in rows go in as FILE" in told.err


def test_stopped_work_is_gone_on_with(run_cli: Callable[..., Any], tmp_path: Path, rows: Path) -> None:
    whole, torn = tmp_path / "whole.jsonl", tmp_path / "torn.jsonl"
    assert run_cli("consistency", rows, "--metric", "rouge-2", "--output", whole).code == 2, "two rows are no rows"
    lines = whole.read_bytes().splitlines(keepends=True)
    assert len(lines) == 6
    torn.write_bytes(b"".join(lines[:2]) + lines[2][:40])
    run = run_cli("consistency", rows, "--metric", "rouge-2", "--output", torn)
    assert "4 rows in" in run.err
    assert "2 were there already" in run.err
    assert "line 4 (id d): error: " in run.err
    assert [strip(line) for line in torn.read_bytes().splitlines()] == [strip(line) for line in lines]
    other = run_cli("consistency", rows, "--metric", "rouge-1", "--output", torn)
    assert other.code == 2
    assert "was scored by rouge-2, not rouge-1" in other.err
    changed = tmp_path / "changed.jsonl"
    changed.write_text(json.dumps(ROWS[1]) + "\n")
    again = run_cli("consistency", changed, "--metric", "rouge-2", "--output", torn)
    assert "comes from another input" in again.err
    foreign = tmp_path / "foreign.jsonl"
    foreign.write_text('{"x": 1}\n')
    assert "is no line of aver consistency" in run_cli("consistency", rows, "--metric", "bleu", "--output", foreign).err
    assert "is the input" in run_cli("consistency", rows, "--metric", "bleu", "--output", rows).err


def strip(line: bytes) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(line)
    fields.pop("seconds", None)
    return fields


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "give FILE.jsonl, or --text and --source"),
        (["--text", "x"], "--text and --source go together"),
        (["none.jsonl"], "there is no such file"),
        (["--text", "-", "--source", "-"], "only one of"),
        (["x.jsonl", "--reference-behaviour"], "belongs to --metric unieval-fact"),
        (["x.jsonl", "--metric", "summac"], "there is no metric 'summac'"),
        (["x.jsonl", "--metric", "bleu", "--judge", "fast"], "reads with no judge"),
        (["x.jsonl", "--judge", "defualt"], "there is no model 'defualt'"),
    ],
)
def test_mistakes_are_answered(
    run_cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.jsonl").write_text('{"text": "a", "source": "b"}\n')
    run = run_cli("consistency", *arguments)
    assert run.code == 2
    assert said in run.err


def test_every_broken_line_is_named(run_cli: Callable[..., Any], tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text("\n".join([json.dumps(ROWS[0]), "{oh", json.dumps(ROWS[0]), "[1]", "{no"]) + "\n")
    run = run_cli("consistency", broken, "--metric", "rouge-1", "--json")
    assert run.code == 2
    assert len(run.out.splitlines()) == 1
    for line, what in ((2, "broken JSON"), (4, "expected a JSON object"), (5, "broken JSON")):
        assert f"line {line}: {what}" in run.err
    assert "3 problems" in run.err


def test_broken_files_are_answered(run_cli: Callable[..., Any], tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text(json.dumps(ROWS[0]) + "\n{oh\n")
    run = run_cli("consistency", broken, "--metric", "rouge-1", "--json")
    assert run.code == 2
    assert len(run.jsonl) == 1
    assert "line 2: broken JSON" in run.err
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    assert "there is no row in it" in run_cli("consistency", empty, "--metric", "rouge-1").err
    latin = tmp_path / "latin.txt"
    latin.write_bytes("Käse ist gut.".encode("latin-1"))
    run = run_cli("consistency", "--text", latin, "--source", latin, "--metric", "rouge-1")
    assert "not UTF-8 at byte 2" in run.err


def test_the_list(run_cli: Callable[..., Any]) -> None:
    listed = run_cli("consistency", "--list", "--json").json
    assert list(listed)[:2] == ["aver", "unieval-fact"]
    assert "SummaC" in run_cli("consistency", "--list").out


def test_a_row_that_changed_is_not_gone_on_with(run_cli: Callable[..., Any], rows: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl"
    told = ("consistency", rows, "--metric", "rouge-1", "--output", output)
    run_cli(*told)
    whole = output.read_bytes()
    rows.write_text("".join(json.dumps(row | {"id": row["id"].upper()}) + "\n" for row in ROWS))
    done = run_cli(*told)
    assert done.code == 2
    assert f'line 1: its row has changed since: \'id\' was "a", and at {rows} line 1 it is "A"' in done.err
    assert output.read_bytes() == whole


def test_what_is_no_text_in_a_list_is_named(run_cli: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text(json.dumps(ROWS[0] | {"source": [SOURCE, 3]}))
    done = run_cli("consistency", tmp_path / "r.jsonl", "--metric", "rouge-1", "--json")
    assert "r.jsonl line 1: source is a list, and item 2 in it is a number, not a text" in done.jsonl[0]["reason"]
