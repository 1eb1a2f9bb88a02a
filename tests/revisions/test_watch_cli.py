"""`aver watch` from end to end, with the shipped model and the built-in town."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

pytest.importorskip("onnxruntime")

CLAIMS = ["The mayor of Arle is Nora Stein.", "Arle Hospital has 120 beds.", "Kelp bread contains rye flour."]


@pytest.fixture
def archive(run_cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The town of `aver demo`, in a home of its own."""
    monkeypatch.setenv("AVER_HOME", str(tmp_path / "home"))
    assert run_cli("demo", "--files", tmp_path / "files").code == 0
    assert run_cli("collection", "add", "town", tmp_path / "files" / "archive.jsonl").code == 0
    return tmp_path / "files"


def test_a_patrollers_day(archive: Path, run_cli: Callable[..., Any], tmp_path: Path) -> None:
    assert run_cli("watch", "list").out.startswith("no claims are watched")
    rows = [{"id": n, "claim": claim} for n, claim in enumerate(CLAIMS)]
    stdin = b"".join(orjson.dumps(row) + b"\n" for row in rows)
    added = run_cli("watch", "add", "--claims", "-", "--in", "town", "--model", "fast", "--json", stdin=stdin)
    assert (added.code, added.json["added"], added.json["labels"]) == (0, 3, {"SUPPORTS": 3})
    again = run_cli("watch", "add", *CLAIMS, "--in", "town", "--model", "fast")
    assert again.out.startswith("town: 0 claims added, 3 were watched already")

    quiet = run_cli("watch", "run", "--in", "town")
    assert (quiet.code, quiet.out) == (0, "town: no page changed; 0 of 3 claims verified again; every verdict stands\n")

    assert run_cli("collection", "add", "town", archive / "archive_later.jsonl").code == 0
    feed = tmp_path / "town.atom"
    run = run_cli("watch", "run", "--in", "town", "--feed", feed)
    assert run.code == 1
    assert "SUPPORTS" in run.out
    assert " → REFUTES" in run.out
    assert "− The mayor of Arle is [-Nora Stein-], who was elected in [-2020-]." in run.out
    assert "+ The mayor of Arle is {+Josef Brandt+}, who was elected in {+2024+}." in run.out
    assert "2 flipped" in run.out.splitlines()[-1]
    assert feed.read_text(encoding="utf-8").count("<entry>") == 2

    same = run_cli("watch", "run", "--in", "town", "--json")
    assert (same.code, same.json["events"], same.json["verified"]) == (0, [], 0)
    every = run_cli("watch", "run", "--in", "town", "--all", "--json")
    assert (every.code, every.json["verified"], every.json["pairs"]) == (0, 3, 0)

    log = run_cli("watch", "log", "--in", "town", "--claim", "mayor", "--json").jsonl
    assert [entry["kind"] for entry in log] == ["added", "flip"]
    assert log[1]["causes"][0]["after"].startswith("The mayor of Arle is Josef Brandt")
    assert run_cli("watch", "log", "--in", "town", "--since", "2999-01-01").out == "nothing happened since 2999-01-01\n"
    shown = run_cli("watch", "log", "--in", "town", "--changes").out
    assert shown.count("→") == 2

    listed = run_cli("watch", "list", "--in", "town", "--json").json
    assert [row["outcome"]["label"] for row in listed] == ["REFUTES", "REFUTES", "SUPPORTS"]
    assert "REFUTES" in run_cli("watch", "list", "--in", "town").out
    assert run_cli("watch", "list", "--json").json == [
        {"collection": "town", "claims": 3, "labels": {"REFUTES": 2, "SUPPORTS": 1}}
    ]
    assert run_cli("watch", "remove", "2", "--in", "town").code == 0
    assert len(run_cli("watch", "list", "--in", "town", "--json").json) == 2
    assert run_cli("watch", "feed", feed, "--in", "town", "--json").json["events"] == 2


def test_evidence_that_changed_exits_with_1_only_where_asked(archive: Path, run_cli: Callable[..., Any]) -> None:
    run_cli(
        "watch", "add", "The maternity ward of Arle Hospital was closed in 2011.", "--in", "town", "--model", "fast"
    )
    run_cli("collection", "add", "town", archive / "archive_later.jsonl")
    run = run_cli("watch", "run", "--in", "town", "--strict")
    assert run.code == 1
    assert "evidence changed, verdict stands" in run.out
    assert run_cli("watch", "run", "--in", "town", "--strict").code == 0


def test_a_claim_is_watched_the_way_check_checks_it(archive: Path, run_cli: Callable[..., Any]) -> None:
    how = ("--in", "town", "--model", "fast", "--ranker", "fast", "--abstain", "1", "--no-figures", "--sentences", "4")
    claim = "Arle Hospital has 130 beds."
    assert run_cli("watch", "add", claim, *how).code == 0
    for later in (False, True):
        if later:
            run_cli("collection", "add", "town", archive / "archive_later.jsonl")
            assert run_cli("watch", "run", "--in", "town").code in (0, 1)
        checked = run_cli("check", claim, *how, "--json").json
        (watched,) = run_cli("watch", "list", "--in", "town", "--json").json
        outcome = watched["outcome"]
        assert outcome["status"] == checked["status"] == "abstained"
        assert outcome["label"] == checked["label"]
        # what was read in another batch differs in its last digits
        assert outcome["confidence"] == pytest.approx(checked["confidence"], abs=1e-6)


def test_a_webhook_that_is_down_exits_with_2_and_keeps_the_flip(archive: Path, run_cli: Callable[..., Any]) -> None:
    run_cli("watch", "add", CLAIMS[0], "--in", "town", "--model", "fast")
    run_cli("collection", "add", "town", archive / "archive_later.jsonl")
    run = run_cli("watch", "run", "--in", "town", "--webhook", "http://127.0.0.1:9/", "--timeout", "1", "--json")
    assert run.code == 2
    assert run.json["counts"]["flip"] == 1
    assert "not delivered" in run.err
    assert "1 earlier delivery waits" in run_cli("watch", "run", "--in", "town").out


@pytest.mark.parametrize(
    ("words", "stdin", "message"),
    [
        (["add", "--in", "town"], "", "give claims, or a file"),
        (["add", "x y", "--claims", "-", "--in", "town"], "", "give claims, or a file"),
        (["add", "A claim.", "--in", "nowhere"], "", "there is no collection 'nowhere'"),
        (["add", "--claims", "missing.jsonl", "--in", "town"], "", "there is no such file"),
        (["add", "--claims", "-", "--in", "town"], "", "holds no claims"),
        (["add", "--claims", "-", "--in", "town"], "id,claim\n1,Tea is hot.\n", "standard input: looks like a table"),
        (["add", "--claims", "-", "--in", "town"], '{"claim": "A b."}\n{"clam": 1}\n{bad\n', "line 2: has no 'claim'"),
        (["add", "--claims", "-", "--in", "town"], 'Tea is hot.\n{"clam": 1}\n', "line 2: has no 'claim'"),
        (["add", "--claims", "-", "--in", "town"], 'Tea is hot.\n\n{bad\n', "line 3: broken JSON"),
        (["add", "--claims", "-", "--in", "town"], '{"claim": "…"}\n', "line 1: its claim has no words"),
        (["add", "--claims", "-", "--in", "town"], b"caf\xe9 is open.\n", "line 1: not UTF-8 at byte 4"),
        (["add", "A claim.", "--in", "town", "--model", "fastt"], "", "there is no model 'fastt'"),
        (["add", "A claim.", "--in", "town", "--ranker", "fastt"], "", "there is no model 'fastt'"),
        (["add", "A claim.", "--in", "town", "--abstain", "nan"], "", "Invalid value for '--abstain'"),
        (["run", "--in", "town"], "", "no claims are watched"),
        (["log", "--in", "town"], "", "no claims are watched"),
        (["feed", "x.atom", "--in", "town"], "", "no claims are watched"),
        (["remove", "x", "--in", "town"], "", "no claims are watched"),
        (["run"], "", "Missing option '--in'"),
    ],
)
def test_mistakes_are_answered(
    archive: Path, run_cli: Callable[..., Any], words: list[str], stdin: str | bytes, message: str
) -> None:
    run = run_cli("watch", *words, stdin=stdin)
    assert run.code == 2
    assert message in run.err
    assert run_cli("watch", "list", "--in", "town").out.startswith("town: no claims are watched")


def test_a_table_of_claims_is_no_list_of_them(archive: Path, run_cli: Callable[..., Any], tmp_path: Path) -> None:
    for name, table in (("claims.csv", "Arle has a bridge.\n"), ("claims.txt", "id\tclaim\n1\tArle has a bridge.\n")):
        (tmp_path / name).write_text(table, encoding="utf-8")
        run = run_cli("watch", "add", "--claims", tmp_path / name, "--in", "town")
        assert run.code == 2
        assert f"{name}: looks like a table (CSV or TSV), and JSON lines are wanted" in run.err


def test_a_file_given_as_a_claim(archive: Path, run_cli: Callable[..., Any]) -> None:
    run = run_cli("watch", "add", archive / "claims.jsonl", "--in", "town")
    assert run.code == 2
    assert "--claims" in run.err


def test_two_at_once(archive: Path, run_cli: Callable[..., Any]) -> None:
    from aver.collection import collection_folder
    from aver.collection._lock import WriterLock

    run_cli("watch", "add", CLAIMS[2], "--in", "town", "--model", "fast")
    lock = WriterLock(collection_folder("town") / "watch")
    assert lock.acquire()
    try:
        words = [sys.executable, "-c", "from aver.cli import main; main()", "watch", "run", "--in", "town"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    finally:
        lock.release()
    assert done.returncode == 2
    assert "another process" in done.stderr
