"""`aver judge`, `aver explain` and `aver models`, run as a user runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aver.cli._resume import cut_torn_line, open_to_append

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
    folder = make_model()
    done = run_cli("judge", write_jsonl("p.jsonl", ROWS), "--model", folder, "--json")
    assert done.code == 2
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
    # what has no verdict is named
    assert "p.jsonl line 4 (id 4): error: the claim is empty\n" in done.err
    assert "p.jsonl line 5 (id 5): error: the claim is missing" in done.err
    assert "p.jsonl line 6 (id 6): abstained: the evidence is empty\n" in done.err
    assert "2 pairs, named above, could not be judged\n" in done.err
    shown = run_cli("judge", write_jsonl("p.jsonl", ROWS), "--model", folder).out
    assert "error              –    (id 4)  [the claim is empty]\n" in shown


def test_a_table_is_told_from_json_lines(run_cli: Cli, tmp_path: Path) -> None:
    for name, content in (
        ("pairs.csv", "the tower,yes\n"),
        ("pairs.txt", 'id,"Claim",evidence\n1,the tower,yes\n'),
        ("pairs.tsv", "id\tclaim\n1\tthe tower\n"),
    ):
        file = tmp_path / name
        file.write_text(content, encoding="utf-8")
        said = f"aver: {file}: looks like a table (CSV or TSV), and JSON lines are wanted: one object a line, such as "
        done = run_cli("judge", file)
        assert (done.code, done.err) == (2, said + '{"claim": "…", "evidence": "…"}\n')
        done = run_cli("check", "--claims", file, "--evidence", "Tea.")
        assert (done.code, done.err) == (2, said + '{"claim": "…"}\n')


@pytest.mark.parametrize("table", ["id,claim,evidence\n1,a,b\n", "id;Claim\r\n1;a\r\n", '\ufeff"","claim"\n0,"a"\n'])
def test_a_table_on_standard_input_is_told_from_json_lines(table: str, run_cli: Cli, make_model: Make) -> None:
    for words in (["judge", "-", "--model", make_model()], ["consistency", "-", "--metric", "rouge-l"], ["agree", "-"]):
        done = run_cli(*words, stdin=table)
        assert (done.code, done.out) == (2, "")
        said = "standard input line 1: looks like the head of a table (CSV or TSV), and JSON lines are wanted"
        assert said in done.err
    done = run_cli("check", "--claims", "-", "--evidence", "Tea.", stdin=table)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("aver: standard input: looks like a table (CSV or TSV), and JSON lines are wanted")


def test_the_exit_code_says_whether_every_pair_has_a_verdict(
    run_cli: Cli, write_jsonl: Cli, make_model: Make, tmp_path: Path
) -> None:
    folder = make_model()
    for rows, code in ((ROWS[:3], 0), (ROWS[5:], 0), (ROWS[3:], 2), ([], 2)):
        assert run_cli("judge", write_jsonl("p.jsonl", rows), "--model", folder).code == code
    done = run_cli("judge", write_jsonl("p.jsonl", []), "--model", folder, "--output", tmp_path / "out.jsonl")
    assert "p.jsonl: holds no pairs" in done.err
    assert not (tmp_path / "out.jsonl").exists()
    odd = write_jsonl("q.jsonl", [ROWS[0], ROWS[0] | {"label": "banana"}, {"claim": "a", "evidence": "b" * 10**6 * 2}])
    done = run_cli("judge", odd, "--model", folder)
    assert done.code == 2
    assert "q.jsonl line 2 (id 1): the gold label 'banana' is not known to aver, and not counted" in done.err
    assert "accuracy: 1.0000 (1 of 1)" in done.err
    assert "q.jsonl line 3: error: the evidence has 2,000,000 characters" in done.err


def test_fields_of_our_names_are_kept(run_cli: Cli, write_jsonl: Cli, make_model: Make) -> None:
    own = {"model": "T-600", "status": "draft", "reason": "because", "coverage": 7, "probabilities": [1]}
    rows = [ROWS[0] | own, ROWS[0] | own | {"gold_label": "NEI", "input": "mine"}, ROWS[0] | {"input": "mine"}]
    done = run_cli("judge", write_jsonl("p.jsonl", rows), "--model", make_model(), "--json")
    first, second, third = done.jsonl
    assert first["input"] == own
    assert (first["status"], first["coverage"], first["gold_label"]) == ("scored", 1.0, "SUPPORTED")
    assert "reason" not in first
    assert second["input"] == own | {"label": "SUPPORTED", "input": "mine"}
    assert second["gold_label"] == "NEI"
    assert third["input"] == "mine"
    again = run_cli("judge", write_jsonl("q.jsonl", done.jsonl), "--model", make_model("other"), "--json").jsonl
    assert [line["input"] for line in again] == [line["input"] for line in done.jsonl]
    assert [line["gold_label"] for line in again] == [line["gold_label"] for line in done.jsonl]


def test_large_numbers_stay_what_they_are(run_cli: Cli, make_model: Make, tmp_path: Path) -> None:
    row = {"id": 2**70, "claim": "the tower", "evidence": "yes é", "least": -(2**80), "half": 0.5}
    (tmp_path / "p.jsonl").write_text(json.dumps(row) + "\n" + json.dumps(row))
    for _ in range(2):
        done = run_cli("judge", tmp_path / "p.jsonl", "--model", make_model("m" + str(_)), "--json")
        lines = [json.loads(line) for line in done.out.splitlines()]
        assert all({name: line[name] for name in row} == row for line in lines)
        assert len(lines) == 2


def test_what_came_is_answered_before_more_comes(make_model: Make) -> None:
    command = [sys.executable, "-c", "from aver.cli import main; main()", "judge", "-", "--json", "--model"]
    with subprocess.Popen([*command, make_model()], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for evidence in ("yes", "no", "yes"):
            process.stdin.write(json.dumps({"claim": "the tower", "evidence": evidence}).encode() + b'\n\n{"cl')
            process.stdin.flush()
            # without an answer to this line the next one is never written
            assert json.loads(process.stdout.readline())["evidence"] == evidence
            process.stdin.write(b'aim": "a tower", "evidence": "yes"}\n')
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["claim"] == "a tower"
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.wait() == 0


def test_standard_input_and_lines_for_people(run_cli: Cli, make_model: Make) -> None:
    text = "\n".join(json.dumps(row) for row in ROWS)
    done = run_cli("judge", "-", "--model", make_model(), stdin=text)
    assert done.code == 2
    assert done.out.splitlines()[0].split()[0] == "SUPPORTS"
    assert "the claim is empty" in done.out
    marked = b"\xef\xbb\xbf" + text.encode()
    assert run_cli("judge", "-", "--model", make_model("marked"), stdin=marked).out == done.out
    done = run_cli("judge", "-", "--model", make_model("other"), stdin="\n")
    assert (done.code, done.out) == (2, "")
    assert "standard input: holds no pairs" in done.err


def test_it_goes_on_where_it_stopped(run_cli: Cli, write_jsonl: Cli, make_model: Make, tmp_path: Path) -> None:
    folder, pairs, out = make_model(), write_jsonl("p.jsonl", ROWS), tmp_path / "out.jsonl"
    assert run_cli("judge", pairs, "--model", folder, "--output", out).code == 2
    whole = out.read_bytes()
    lines = whole.splitlines(keepends=True)
    for torn in (b"", b"".join(lines[:2]), b"".join(lines[:3]) + lines[3][:17], lines[0][:-1], whole):
        out.write_bytes(torn)
        done = run_cli("judge", pairs, "--model", folder, "--output", out)
        assert done.code == 2
        assert "p.jsonl line 4 (id 4): error: the claim is empty" in done.err
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
    for mine in ("a note of mine", "first\nlast", '[\n  {"claim": "Tea is hot."}\n]', "{draft} my notes",
                 '{"title": "a book"} of mine', '{"title": "a book"}', '{\n  "title": "a book"\n}'):  # fmt: skip
        out.write_text(mine, encoding="utf-8")
        assert run_cli("judge", pairs, "--model", folder, "--output", out).code == 2
        assert out.read_text(encoding="utf-8") == mine


def test_every_beginning_of_a_row_is_cut_off(run_cli: Cli, write_jsonl: Cli, make_model: Make, tmp_path: Path) -> None:
    folder, pairs, out = make_model(), write_jsonl("p.jsonl", [ROWS[0] | {"note": "é\n", "x": -1.5e9}]), tmp_path / "o"
    run_cli("judge", pairs, "--model", folder, "--output", out)
    whole = out.read_bytes()
    for end in range(len(whole)):
        out.write_bytes(whole[:end])
        cut_torn_line(out)
        assert out.read_bytes() == (whole if end == len(whole) - 1 else b""), whole[:end]


def test_an_output_is_written_by_one_process_at_a_time(
    run_cli: Cli, write_jsonl: Cli, make_model: Make, tmp_path: Path
) -> None:
    pytest.importorskip("fcntl", reason="this kind of lock is a thing of Unix")
    folder, pairs, out = make_model(), write_jsonl("p.jsonl", ROWS[:3]), tmp_path / "out.jsonl"
    with open_to_append(str(out)):
        done = run_cli("judge", pairs, "--model", folder, "--output", out)
    assert done.code == 2
    assert "out.jsonl: another process is writing to it" in done.err
    assert run_cli("judge", pairs, "--model", folder, "--output", out).code == 0
    assert len(out.read_bytes().splitlines()) == 3


def test_outputs_that_cannot_be_gone_on_with_are_not_begun(
    run_cli: Cli, write_jsonl: Cli, make_model: Make, tmp_path: Path
) -> None:
    folder, out = make_model(), tmp_path / "out.jsonl"
    done = run_cli("judge", tmp_path / "none.jsonl", "--model", folder, "--output", out)
    assert done.code == 2
    assert not out.exists()
    packed = tmp_path / "out.jsonl.gz"
    done = run_cli("judge", write_jsonl("p.jsonl", ROWS[:3]), "--model", folder, "--output", packed)
    assert done.code == 2
    assert "name it without .gz" in done.err
    assert not packed.exists()


def test_errors_are_tried_again_in_their_places(
    run_cli: Cli, write_jsonl: Cli, make_model: Make, tmp_path: Path
) -> None:
    folder, pairs, out = make_model(), write_jsonl("p.jsonl", ROWS[:5]), tmp_path / "out.jsonl"
    run_cli("judge", pairs, "--model", folder, "--output", out)
    before = out.read_bytes().splitlines()
    write_jsonl("p.jsonl", [*ROWS[:3], ROWS[3] | {"claim": "the tower"}, *ROWS[4:]])
    done = run_cli("judge", pairs, "--model", folder, "--output", out)
    assert done.code == 2
    assert "where it was an error that is mended now, add --retry-errors" in done.err
    done = run_cli("judge", pairs, "--model", folder, "--output", out, "--retry-errors")
    assert done.code == 2
    assert "3 pairs in" in done.err
    assert "3 were there already" in done.err
    after = out.read_bytes().splitlines()
    assert after[:3] == before[:3]
    assert [json.loads(line)["status"] for line in after[3:]] == ["scored", "error", "abstained"]
    assert [json.loads(line)["id"] for line in after] == [1, 2, 3, 4, 5, 6]
    assert run_cli("judge", pairs, "--model", folder, "--retry-errors").code == 2


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
    for claim, evidence, said in (("", "yes", "the claim is empty"), ("the tower", "", "the evidence is empty")):
        for method in ("head", "mask"):
            done = run_cli("explain", "--claim", claim, "--evidence", evidence, "--model", folder, "--method", method)
            assert (done.code, done.out) == (2, "")
            assert f"nothing could be judged: {said}" in done.err
    done = run_cli(*words, "--labels", "A,B,C")
    assert done.code == 2
    assert "takes no option labels" in done.err


@pytest.mark.parametrize("name", ["page.txt", "page.html", "page.md", "-"])
def test_explain_reads_the_evidence_from_a_file(name: str, run_cli: Cli, make_model: Make, tmp_path: Path) -> None:
    page = "<p>the town has <b>yes</b> copies" if name.endswith("html") else "\ufeffthe town has yes copies"
    (tmp_path / name).write_text(page, encoding="utf-8")
    file = name if name == "-" else tmp_path / name
    words = ("explain", "--claim", "the tower", "--evidence-file", file, "--model", make_model(), "--json")
    done = run_cli(*words, stdin=page)
    assert done.code == 0
    assert done.json["evidence"] == "the town has yes copies"
    assert done.json["rationale"] == ["yes"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n  "])
def test_explain_shows_lines_as_one(end: str, run_cli: Cli, make_model: Make, tmp_path: Path) -> None:
    file = tmp_path / "page.txt"
    file.write_bytes(f"the town has{end}yes copies{end}".encode())
    done = run_cli("explain", "--claim", "the tower", "--evidence-file", file, "--model", make_model())
    assert done.out.splitlines()[2:] == ["evidence:  the town has yes copies", "rationale: yes  [head]"]


def test_explain_wants_one_evidence(run_cli: Cli, make_model: Make, write_jsonl: Cli, tmp_path: Path) -> None:
    words = ("explain", "--claim", "the tower", "--model", make_model())
    for given in ((), ("--evidence", "yes", "--evidence-file", "-")):
        done = run_cli(*words, *given)
        assert (done.code, done.out) == (2, "")
        assert "--evidence, or a file that holds it with --evidence-file" in done.err
    done = run_cli(*words, "--evidence-file", tmp_path / "none.txt")
    assert (done.code, done.out) == (2, "")
    assert f"{tmp_path / 'none.txt'}: " in done.err
    done = run_cli(*words, "--evidence-file", "-")
    assert (done.code, done.out) == (2, "")
    assert "the evidence is empty" in done.err
    done = run_cli(*words, "--evidence-file", write_jsonl("pairs.jsonl", ROWS))
    assert (done.code, done.out) == (2, "")
    assert "is JSON, no running text; a file of pairs is read by `aver judge`" in done.err


def test_models_list_and_show(run_cli: Cli, make_model: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from aver.models import _folder

    card = {
        "base": "some-encoder", "base_licence": "Apache-2.0", "summary": "reads claims",
        "scores": {"VitaminC real": {"value": 86.4, "low": 85.9, "high": 86.9}, "ece": 0.021},
        "limits": ["English only", "sentences, not books"], "folds": [0, 1, 2],
        "data": [{"source": "edits", "rows": 12, "licence": "a|b"}, {"source": "pages", "rows": 7, "licence": "MIT"}],
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
    lines = [" ".join(line.split()) for line in table.splitlines()]
    at = lines.index("limits English only")
    assert lines[at + 1] == "sentences, not books"
    assert "source pages, rows 7, licence MIT" in lines
    page = run_cli("models", "show", "fast", "--markdown").out
    assert page.startswith("# fast\n")
    assert "| VitaminC real | 86.4 [85.9, 86.9] |" in page
    assert "- English only" in page
    assert "| source | rows | licence |\n|---|---|---|\n| edits | 12 | a\\|b |\n| pages | 7 | MIT |\n" in page
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
