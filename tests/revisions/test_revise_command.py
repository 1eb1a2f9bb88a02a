"""`aver revise` and `aver extract` from end to end: one, many, interrupted, wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

Run = Callable[..., Any]
Write = Callable[..., Path]

REVISE = [
    {"id": "a", "sentence": "The film has 344 reviews .", "claim": "The film has more than 346 reviews ."},
    {"id": "b", "sentence": "She was born in Rome.", "claim": "Cheese is made from milk."},
    {"id": "c", "sentence": "It was shot in Rome, and is long.", "claim": "It was shot in Oslo."},
]
EXTRACT = [
    {"id": "a", "before": "It sold 12 copies .", "after": "It sold 30 copies .", "title": "Ode"},
    {"id": "b", "edit": "It sold{*| 12 -> 30 |}copies .", "title": "Ode"},
    {"id": "c", "before": "It is old .", "after": "It is old ."},
]


def test_one_sentence(run_cli: Run) -> None:
    found = run_cli("revise", "--sentence", REVISE[0]["sentence"], "--claim", REVISE[0]["claim"])
    assert found.code == 0
    assert found.out.splitlines()[0] == "The film has 347 reviews ."
    assert "figure: 344 → 347" in found.out


def test_one_sentence_as_json(run_cli: Run) -> None:
    row = run_cli("revise", "--sentence", REVISE[0]["sentence"], "--claim", REVISE[0]["claim"], "--json").json
    assert row["prediction"] == "The film has 347 reviews ."
    assert row["edit"] == "The film has{*| 344 -> 347 |}reviews ."
    assert row["changes"] == [{"start": 13, "end": 16, "old": "344", "new": "347", "kind": "figure"}]
    assert row["verdict_after"]["label"] == "SUPPORTS"


def test_a_refusal_exits_with_1_and_its_reason(run_cli: Run) -> None:
    found = run_cli("revise", "--sentence", REVISE[1]["sentence"], "--claim", REVISE[1]["claim"])
    assert found.code == 1
    assert found.out.startswith("refused: ")


def test_many_rows_keep_their_fields(run_cli: Run, write_jsonl: Write) -> None:
    found = run_cli("revise", write_jsonl("rows.jsonl", REVISE), "--json")
    rows = found.jsonl
    assert [row["id"] for row in rows] == ["a", "b", "c"]
    assert [row["status"] for row in rows] == ["scored", "abstained", "scored"]
    assert rows[2]["prediction"] == "It was shot in Oslo, and is long."
    assert "status: abstained 1, scored 2" in found.err


def test_a_row_that_cannot_be_used_is_an_error_of_that_row(run_cli: Run) -> None:
    wrong: list[dict[str, Any]] = [{"sentence": 7, "claim": "x"}, {"claim": "It is."}]
    lines = b"".join(orjson.dumps(row) + b"\n" for row in [*wrong, REVISE[0]])
    run = run_cli("revise", "-", "--json", stdin=lines)
    rows = run.jsonl
    assert run.code == 2
    assert "standard input line 1: error: the sentence is a number" in run.err
    assert "aver: 2 rows, named above, could not be answered" in run.err
    assert [row["status"] for row in rows] == ["error", "error", "scored"]
    assert "sentence is a number" in rows[0]["reason"]
    assert "sentence is missing" in rows[1]["reason"]


@pytest.mark.parametrize(("verb", "rows"), [("revise", REVISE), ("extract", EXTRACT)])
def test_an_interrupted_run_goes_on(
    verb: str, rows: list[dict[str, Any]], run_cli: Run, write_jsonl: Write, tmp_path: Path
) -> None:
    source, output = write_jsonl("rows.jsonl", rows), tmp_path / "out.jsonl"
    assert run_cli(verb, source, "--output", output).code == 0
    whole = output.read_bytes()
    lines = whole.splitlines(keepends=True)
    output.write_bytes(lines[0] + lines[1][:20])  # killed in the middle of a line
    found = run_cli(verb, source, "--output", output)
    assert found.code == 0
    assert output.read_bytes() == whole
    assert "2 rows" in found.err
    assert "1 was there already" in found.err
    # a third run has nothing left to do, and changes nothing
    assert run_cli(verb, source, "--output", output).code == 0
    assert output.read_bytes() == whole

    other = write_jsonl("other.jsonl", [{**rows[0], "claim": "It is new .", "before": "It is new ."}, *rows[1:]])
    assert "another input" in run_cli(verb, other, "--output", output).err


@pytest.mark.parametrize("verb", ["revise", "extract"])
def test_a_file_of_which_no_row_can_be_used_exits_with_2(verb: str, run_cli: Run) -> None:
    found = run_cli(verb, "-", "--json", stdin='{"text": "a"}\n{"text": "b"}\n')
    assert found.code == 2
    assert [row["status"] for row in found.jsonl] == ["error", "error"]
    assert "aver: 2 rows, named above, could not be answered" in found.err


def test_what_another_reviser_or_judge_began_is_not_gone_on_with(
    run_cli: Run, write_jsonl: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AVER_LLM_URL", "http://127.0.0.1:9/v1")
    rows = [REVISE[0], {"sentence": 7, "claim": "x", "model": "T-600"}, REVISE[2]]
    source, output = write_jsonl("rows.jsonl", rows), tmp_path / "out.jsonl"
    run_cli("revise", source, "--output", output)
    whole = output.read_bytes()
    lines = whole.splitlines(keepends=True)
    output.write_bytes(b"".join(lines[:2]))
    for option, value, said in (
        ("--with", "llm:tiny", "line 1: was made with the reviser rules, not llm:tiny@"),
        ("--model", "fast", "line 1: was made with the model default@"),
        ("--most-words", "5", "line 1: was made with the most words 12, not 5"),
    ):
        found = run_cli("revise", source, option, value, "--output", output)
        assert (found.code, found.out) == (2, "")
        assert said in found.err
        assert "name another file with --output, or remove it" in found.err
    # what a bad row says of itself is not taken for its judge
    again = run_cli("revise", source, "--output", output)
    assert again.code == 2
    assert "line 2: error: the sentence is a number" in again.err, "one that is there already is named as well"
    assert output.read_bytes() == whole


def test_a_broken_line_ends_the_run_once_the_rest_is_written(run_cli: Run, tmp_path: Path) -> None:
    source, output = tmp_path / "rows.jsonl", tmp_path / "out.jsonl"
    source.write_bytes(orjson.dumps(REVISE[0]) + b"\n{broken\n[]\n")
    found = run_cli("revise", source, "--output", output)
    assert found.code == 2
    assert "line 2" in found.err
    assert "line 3: expected a JSON object" in found.err
    assert len(output.read_bytes().splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["revise"], "give --sentence and --claim"),
        (["revise", "--sentence", "It is old ."], "give --sentence and --claim"),
        (["revise", "rows.jsonl", "--claim", "x"], "not both"),
        (["revise", "nowhere.jsonl"], "there is no such file"),
        (["revise", "--sentence", "a", "--claim", "b", "--output", "x"], "--output goes with"),
        (["revise", "--sentence", "It is .", "--claim", "It was .", "--with", "bart"], "there is no reviser"),
        (["revise", "--sentence", " ", "--claim", "..."], "the claim has no words"),
        (["revise", "--sentence", "a", "--claim", "b", "--model", "nope"], "there is no model"),
        (["extract"], "give --before and --after"),
        (["extract", "--before", "It is old ."], "give --before and --after, or --edit"),
        (["extract", "--edit", "a{*| b"], "not closed"),
        (["extract", "rows.jsonl", "--title", "x"], "--title goes with one edit"),
        (["extract", "--before", "", "--after", "b"], "before is empty"),
    ],
)
def test_mistakes_are_answered(arguments: list[str], said: str, run_cli: Run) -> None:
    found = run_cli(*arguments)
    assert found.code == 2
    assert said in found.err


def test_an_empty_file_is_said_to_be_empty(run_cli: Run, write_jsonl: Write) -> None:
    found = run_cli("extract", write_jsonl("rows.jsonl", []))
    assert found.code == 2
    assert "has no rows" in found.err


def test_one_edit(run_cli: Run) -> None:
    found = run_cli("extract", "--before", "It sold 12 copies .", "--after", "It sold 30 copies .", "--title", "Ode")
    assert found.code == 0
    assert "Ode: It sold{*| 12 -> 30 |}copies ." in found.out
    assert "+ Ode sold 30 copies ." in found.out
    assert "- Ode sold 12 copies ." in found.out


def test_many_edits_in_either_form(run_cli: Run, write_jsonl: Write) -> None:
    rows = run_cli("extract", write_jsonl("rows.jsonl", EXTRACT), "--json").jsonl
    assert [row["prediction"] for row in rows] == ["Ode sold 30 copies .", "Ode sold 30 copies .", None]
    assert rows[2]["status"] == "no_claims"
    assert rows[0]["gained"][0]["before"]["label"] == "REFUTES"
    assert rows[1]["before"] == "It sold 12 copies ."


def test_nothing_to_claim_exits_with_1(run_cli: Run) -> None:
    found = run_cli("extract", "--before", "It is old .", "--after", "It is old .")
    assert found.code == 1
    assert "the two versions are the same" in found.out


@pytest.mark.parametrize(
    ("verb", "rows", "field", "now"),
    [
        ("revise", REVISE, "id", "x"),
        ("extract", EXTRACT, "id", "x"),
        ("extract", EXTRACT, "title", "Song"),
        ("extract", EXTRACT, "edit", "It sold{*| 12 -> 31 |}copies ."),
    ],
)
def test_a_row_that_changed_is_not_gone_on_with(
    verb: str, rows: list[dict[str, Any]], field: str, now: str, run_cli: Run, write_jsonl: Write, tmp_path: Path
) -> None:
    source, output = write_jsonl("rows.jsonl", rows), tmp_path / "out.jsonl"
    run_cli(verb, source, "--output", output)
    whole = output.read_bytes()
    write_jsonl("rows.jsonl", [rows[0], {**rows[1], field: now}, rows[2]])
    found = run_cli(verb, source, "--output", output)
    assert found.code == 2
    assert "out.jsonl line 2: comes from another input, or its row has changed since" in found.err
    assert "rows.jsonl line 2 it is" in found.err
    assert output.read_bytes() == whole


def test_revisions_can_be_scored_as_they_come(run_cli: Run, write_jsonl: Write, tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl"
    assert run_cli("revise", write_jsonl("rows.jsonl", REVISE), "--output", output).code == 0
    references = [
        {"id": row["id"], "source": row["sentence"], "claim": row["claim"], "reference": row["sentence"]}
        for row in REVISE
    ]
    scored = run_cli("score", "revision", output, write_jsonl("gold.jsonl", references), "--json")
    assert scored.code == 0
    assert scored.json["status"]["abstained"] == 1
