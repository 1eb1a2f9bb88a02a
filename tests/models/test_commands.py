"""`aver judge`, `aver explain` and `aver models`, run as a user runs them."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Make = Callable[..., Path]
Cli = Callable[..., Any]
ROWS = [
    {"id": 1, "claim": "the tower", "evidence": "yes", "label": "SUPPORTED"},
    {"id": 2, "claim": "the tower", "evidence": "no", "label": "SUPPORTS"},
    {"id": 3, "claim": "the tower", "evidence": ["the river", "hmm"], "label": "NEI", "note": "kept"},
    {"id": 4, "claim": "", "evidence": "yes", "label": "REFUTES"},
    {"id": 5, "evidence": "yes"},
    {"id": 6, "claim": "the tower", "evidence": ""},
]


def test_lines_keep_their_fields_and_gain_ours(run_cli: Cli, write_jsonl: Cli, make_model: Make) -> None:
    done = run_cli("judge", write_jsonl("p.jsonl", ROWS), "--model", make_model(), "--json")
    assert done.code == 0
    lines = done.jsonl
    assert [line["id"] for line in lines] == [1, 2, 3, 4, 5, 6]
    assert [line["label"] for line in lines] == ["SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO", None, None, None]
    assert [line["status"] for line in lines] == ["scored"] * 3 + ["error", "error", "abstained"]
    assert [line.get("gold_label") for line in lines] == ["SUPPORTED", "SUPPORTS", "NEI", "REFUTES", None, None]
    assert lines[2]["note"] == "kept"
    assert lines[2]["evidence"] == ["the river", "hmm"]
    assert set(lines[0]["probabilities"]) == {"SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO"}
    assert lines[0]["coverage"] == 1.0
    assert lines[0]["model"].startswith("tiny@")
    assert lines[4]["reason"] == "the claim is missing; it must be text"
    # 2 of 4 with a gold label: the pair that could not be judged is not right
    assert "accuracy: 0.5000 (2 of 4)" in done.err
    assert "6 pairs in" in done.err
    assert "scored 3" in done.err


def test_standard_input_and_lines_for_people(run_cli: Cli, make_model: Make) -> None:
    text = "\n".join(json.dumps(row) for row in ROWS)
    done = run_cli("judge", "-", "--model", make_model(), stdin=text)
    assert done.code == 0
    assert done.out.splitlines()[0].split()[0] == "SUPPORTS"
    assert "the claim is empty" in done.out
    assert run_cli("judge", "-", "--model", make_model("other"), stdin="").out == ""


def test_it_goes_on_where_it_stopped(run_cli: Cli, write_jsonl: Cli, make_model: Make, tmp_path: Path) -> None:
    folder, pairs, out = make_model(), write_jsonl("p.jsonl", ROWS), tmp_path / "out.jsonl"
    assert run_cli("judge", pairs, "--model", folder, "--output", out).code == 0
    whole = out.read_bytes()
    lines = whole.splitlines(keepends=True)
    for torn in (b"", b"".join(lines[:2]), b"".join(lines[:3]) + lines[3][:17], lines[0][:-1], whole):
        out.write_bytes(torn)
        done = run_cli("judge", pairs, "--model", folder, "--output", out)
        assert done.code == 0
        assert out.read_bytes() == whole
        assert "accuracy: 0.5000 (2 of 4)" in done.err
    assert "0 pairs in" in done.err
    assert "6 were there already" in done.err


def test_an_output_of_something_else_is_left_alone(
    run_cli: Cli, write_jsonl: Cli, make_model: Make, tmp_path: Path
) -> None:
    folder, pairs, out = make_model(), write_jsonl("p.jsonl", ROWS), tmp_path / "out.jsonl"
    run_cli("judge", pairs, "--model", folder, "--output", out)
    before = out.read_bytes()
    other = write_jsonl("q.jsonl", [{"claim": "a", "evidence": "b"}] * 9)
    done = run_cli("judge", other, "--model", folder, "--output", out)
    assert done.code == 2
    assert "out.jsonl line 1: comes from another input" in done.err
    done = run_cli("judge", pairs, "--model", make_model("second", labels=["REFUTES", "SUPPORTS", "NOT_ENOUGH_INFO"]),
                   "--output", out)  # fmt: skip
    assert done.code == 2
    assert "was judged by tiny@" in done.err
    assert out.read_bytes() == before
    done = run_cli("judge", pairs, "--model", folder, "--output", pairs)
    assert done.code == 2
    assert "is the input" in done.err
    assert run_cli("judge", pairs, "--model", folder, "--output", tmp_path / "no" / "o.jsonl").code == 2
    for mine in ("a note of mine", "first\nlast", '[\n  {"claim": "Tea is hot."}\n]'):
        out.write_text(mine, encoding="utf-8")
        assert run_cli("judge", pairs, "--model", folder, "--output", out).code == 2
        assert out.read_text(encoding="utf-8") == mine


def test_a_broken_line_is_named_after_what_came_before_it(run_cli: Cli, make_model: Make, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"claim": "the tower", "evidence": "yes"}\n{broken\n{"claim": "a", "evidence": "b"}\n')
    done = run_cli("judge", path, "--model", make_model(), "--json")
    assert done.code == 2
    assert len(done.jsonl) == 1
    assert "p.jsonl line 2: broken JSON" in done.err
    assert run_cli("judge", tmp_path / "none.jsonl", "--model", make_model("b")).code == 2
    assert "no such file" in run_cli("judge", tmp_path / "none.jsonl", "--model", make_model("c")).err


def test_every_broken_line_of_a_file_is_named(run_cli: Cli, make_model: Make, tmp_path: Path) -> None:
    path, good = tmp_path / "p.jsonl", '{"claim": "the tower", "evidence": "yes"}'
    path.write_text("\n".join([good, "{broken", good, "[]", *["x"] * 25]), encoding="utf-8")
    model = make_model()
    done = run_cli("judge", path, "--model", model, "--json")
    assert done.code == 2
    assert len(done.jsonl) == 1
    assert "the pairs before its first fault were judged (27 problems)" in done.err
    assert "p.jsonl line 2: broken JSON" in done.err
    assert "p.jsonl line 4: expected a JSON object, found a list" in done.err
    assert "… and 7 more" in done.err
    # a stream may be endless: it is left at its first
    done = run_cli("judge", "-", "--model", model, "--json", stdin=path.read_text(encoding="utf-8"))
    assert done.code == 2
    assert "standard input line 2: broken JSON" in done.err
    assert "line 4" not in done.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a thing of Unix")
def test_a_pipe_with_a_broken_line_is_not_read_twice(run_cli: Cli, make_model: Make, tmp_path: Path) -> None:
    pipe, model = tmp_path / "pipe", make_model()
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(b"{broken\n[]\n"))
    writer.start()
    done = run_cli("judge", pipe, "--model", model)
    writer.join()
    assert done.code == 2
    assert "pipe line 1: broken JSON" in done.err


def test_a_verdict_judged_again_keeps_the_first_gold(run_cli: Cli, write_jsonl: Cli, make_model: Make) -> None:
    folder = make_model()
    first = run_cli("judge", write_jsonl("p.jsonl", ROWS[1:2]), "--model", folder, "--json").jsonl
    again = run_cli("judge", write_jsonl("q.jsonl", first), "--model", folder, "--json").jsonl
    assert again == first


def test_explain(run_cli: Cli, make_model: Make) -> None:
    folder = make_model()
    words = ("explain", "--claim", "the tower", "--evidence", "the town has yes copies", "--model", folder)
    done = run_cli(*words)
    assert done.code == 0
    assert done.out.startswith("SUPPORTS")
    assert "rationale: yes  [head]" in done.out
    for method in ("head", "mask"):
        found = run_cli(*words, "--method", method, "--json").json
        assert found["rationale"] == ["yes"]
        chosen = [w for w in found["evidence_words"] if w["chosen"]]
        assert [(w["start"], w["end"]) for w in chosen] == [(13, 16)]
        assert found["label"] == "SUPPORTS"
    done = run_cli("explain", "--claim", "", "--evidence", "yes", "--model", folder)
    assert done.out.strip() == "error: the claim is empty"


def test_models_list_and_show(run_cli: Cli, make_model: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from aver.models import _folder

    card = {
        "base": "some-encoder", "base_licence": "Apache-2.0", "summary": "reads claims",
        "scores": {"VitaminC real": {"value": 86.4, "low": 85.9, "high": 86.9}, "ece": 0.021},
        "limits": ["English only", "sentences, not books"], "folds": [0, 1, 2],
    }  # fmt: skip
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    make_model("shelf/fast", card=card | {"name": "fast"})
    make_model("shelf/default", card=card | {"name": "default"})
    monkeypatch.setattr(_folder, "WEIGHTS", shelf)
    rows = run_cli("models", "list", "--json").json
    assert [row["name"] for row in rows] == ["default", "fast"]
    assert len(rows[0]["hash"]) == 12
    assert "some-encoder" in run_cli("models", "list").out
    table = run_cli("models", "show", "default").out
    assert "86.4 [85.9, 86.9]" in table
    page = run_cli("models", "show", "fast", "--markdown").out
    assert page.startswith("# fast\n")
    assert "| VitaminC real | 86.4 [85.9, 86.9] |" in page
    assert "- English only" in page
    assert run_cli("models", "show", "fast", "--json").json["base_licence"] == "Apache-2.0"
    wrong = run_cli("models", "show", "quick")
    assert wrong.code == 2
    assert "installed: default, fast" in wrong.err
    monkeypatch.setattr(_folder, "WEIGHTS", tmp_path / "nothing")
    assert run_cli("models", "list", "--json").json == []


def test_score_revision_asks_a_model(make_model: Any, run_cli: Any, write_jsonl: Any) -> None:
    gold = {"reference": "six cases", "source": "five cases", "claim": "six cases"}
    files = write_jsonl("said.jsonl", [{"prediction": "six cases"}]), write_jsonl("gold.jsonl", [gold])
    done = run_cli("score", "revision", *files, "--judge", make_model("tiny"), "--json")
    assert done.code == 0, done.err
    support = done.json["scores"][-1]
    assert support["measure"].startswith("Support(judge=tiny@")
    assert support["support_rate"] + support["refute_rate"] + support["nei_rate"] == 100
