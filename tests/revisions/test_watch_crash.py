"""Killed at any moment, a watch loses nothing: the next command goes on, and every flip is told."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import orjson
import pytest

from aver.collection import Collection
from aver.revisions.watch import Watch

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")

COUNT = 60

# Adds or runs with a judge that is slow on purpose, prints a line for each claim, and can die inside a transaction.
CHILD = """
import os, signal, sys, time
import numpy as np
from aver.models import Judge
from aver.models._judge import named
from aver.results import Judgement
from aver.revisions.watch import Watch, _store
import orjson

class Slow(Judge):
    name, model = "slow", "slow@000000000000"
    def judge(self, pairs, *, batch_tokens=1024):
        time.sleep(0.004)
        return [self.one(evidence) for _, evidence in pairs]
    def one(self, evidence):
        scores = np.array([0.02 + 0.96 * ("(yes)" in evidence), 0.02 + 0.96 * ("(no)" in evidence), 0.05])
        label, probabilities = named(scores / scores.sum())
        return Judgement(label, probabilities, 1.0, "scored", self.model, 0.9, 1)

folder, what, turn = sys.argv[1], sys.argv[2], int(sys.argv[3])
_store._SETTLED = 0.02
put = _store.Store.put
def dying(*arguments):
    global turn
    turn -= 1
    done = put(*arguments)
    if turn == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return done
_store.Store.put = dying
with Watch(folder, judges=lambda _: Slow()) as watch:
    step = lambda done, total: print(done, flush=True)
    if what == "add":
        watch.add([f"Place{n} has a harbour." for n in range(COUNT)], progress=step)
    else:
        tell = lambda r: print("told", orjson.dumps([e.text for e in r.events]).decode(), flush=True)
        watch.run(progress=step, tell=tell)
print("done", flush=True)
""".replace("COUNT", str(COUNT))


def start(folder: Path, what: str, turn: int = 0) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder), what, str(turn)], stdout=subprocess.PIPE, text=True
    )


def said(child: subprocess.Popen[str]) -> list[str]:
    assert child.stdout is not None
    lines = child.stdout.read().splitlines()
    child.wait()
    return lines


def texts(sign: str) -> list[dict[str, str]]:
    return [{"title": f"Place{n}", "text": f"Place{n} is a town. It has a harbour {sign}."} for n in range(COUNT)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Collection(tmp_path / "c", create=True) as collection:
        collection.add_documents(texts("(yes)"))
    return tmp_path / "c"


def whole(folder: Path) -> bool:
    connection = sqlite3.connect(folder / "watch" / "watch.sqlite")
    try:
        return connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    finally:
        connection.close()


def killed_at_random(folder: Path, what: str, chance: random.Random) -> tuple[int, list[str]]:
    """Starts, waits for some claims, kills; says how often it died, and what was told all the same."""
    died, told = 0, []
    for _ in range(5):
        with start(folder, what) as child:
            assert child.stdout is not None
            for _ in range(chance.randrange(14)):
                child.stdout.readline()
            time.sleep(chance.random() * 0.05)
            child.kill()
            told += [line for line in said(child) if line.startswith("told")]
        died += child.returncode == -signal.SIGKILL
        if (folder / "watch" / "watch.sqlite").exists():
            assert whole(folder)
    return died, told


def test_adding_goes_on_where_it_was_killed(folder: Path) -> None:
    died, _ = killed_at_random(folder, "add", random.Random(5))
    assert died
    with start(folder, "add") as child:
        assert said(child)[-1] == "done"
    with Watch(folder) as watch:
        claims = watch.claims()
        assert len(claims) == COUNT
        assert {str(claim.outcome.label) for claim in claims} == {"SUPPORTS"}
        kinds = [entry.kind for entry in watch.log(every=True)]
    assert kinds == ["added"] * COUNT, "none twice"


def test_a_run_goes_on_where_it_was_killed_and_tells_every_flip_once(folder: Path) -> None:
    with start(folder, "add") as child:
        said(child)
    with Collection(folder) as collection:
        collection.add_documents(texts("(no)"))
    died, told = killed_at_random(folder, "run", random.Random(6))
    assert died
    with start(folder, "run", 3) as child:
        told += [line for line in said(child) if line.startswith("told")]
    with start(folder, "run") as child:
        lines = said(child)
        told += [line for line in lines if line.startswith("told")]
    assert lines[-1] == "done"
    flips = [text for line in told for text in orjson.loads(line.removeprefix("told "))]
    assert set(flips) == {f"Place{n} has a harbour." for n in range(COUNT)}
    with Watch(folder) as watch:
        assert {str(claim.outcome.label) for claim in watch.claims()} == {"REFUTES"}
        events = watch.events()
    assert len(events) == len({event.text for event in events}) == COUNT, "each flip stands in the history once"
    assert all(event.causes[0].after.endswith("(no).") for event in events)
    with start(folder, "run") as child:
        assert [line for line in said(child) if line.startswith("told")] == ["told []"]


@pytest.mark.parametrize("turn", [1, 7])
def test_killed_inside_a_transaction(folder: Path, turn: int) -> None:
    with start(folder, "add", turn) as child:
        said(child)
    assert child.returncode == -signal.SIGKILL
    assert whole(folder)
    with Watch(folder) as watch:
        assert len(watch.claims()) == turn - 1, "the claim it died in is not half there"
