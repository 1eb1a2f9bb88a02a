"""Killed at any moment, a collection opens again with all that was reported, and the same command does the rest."""

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

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")

COUNT = 1500

# Adds the file, prints the number of documents after each batch, and dies where it is told to.
CHILD = """
import os, signal, sys
from aver.collection import Collection, _adding, _lexical, _writing
_adding._BATCH_DOCUMENTS = 100
_writing._SETTLE_DOCUMENTS = 200
folder, file, point, turn = sys.argv[1:5]
turns = int(turn)

def dying(function, before):
    def call(*arguments, **options):
        global turns
        turns -= 1
        if before and turns == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        done = function(*arguments, **options)
        if not before and turns == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return done
    return call

if point == "before the index":
    _lexical.Lexical.put = dying(_lexical.Lexical.put, True)
elif point == "after the index":
    _lexical.Lexical.put = dying(_lexical.Lexical.put, False)
elif point == "after the index has kept it":
    _lexical.Lexical.commit = dying(_lexical.Lexical.commit, False)
elif point == "while it is gathered":
    _writing._MOST_SEGMENTS = 0
    gather = _lexical.Lexical.gather
    def gathering(self, documents):
        def some():
            for number, document in enumerate(documents):
                if number == 100 * int(turn):
                    os.kill(os.getpid(), signal.SIGKILL)
                yield document
        gather(self, some())
    _lexical.Lexical.gather = gathering
elif point == "inside the transaction":
    _writing.Writer._revise = dying(_writing.Writer._revise, False)
with Collection(folder, create=True) as collection:
    report = collection.add(file, progress=lambda r: print(r.documents, flush=True))
print("added", report.added, "unchanged", report.unchanged, flush=True)
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("crash") / "documents.jsonl"
    more = "More text. " * 20
    rows = [{"id": f"d{n}", "title": f"Page {n}", "text": f"Word{n} is here. {more}"} for n in range(COUNT)]
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return path


def start(folder: Path, file: Path, point: str = "", turn: int = 0) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", CHILD, str(folder), str(file), point, str(turn)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def check(folder: Path, reported: int) -> None:
    """Opens what was left, and holds it to what was reported."""
    if not (folder / "collection.sqlite").exists():
        assert reported == 0
        return
    with Collection(folder) as collection:
        stored = {document.key for document in collection}
        assert {f"d{n}" for n in range(reported)} <= stored
        for document in collection:
            assert collection.sentences(document), "a document without its sentences"
        # the index says what the tables say: every document is found once, by a word only it has
        for n in random.sample(sorted(int(key[1:]) for key in stored), min(40, len(stored))):
            assert [hit.document.key for hit in collection.bm25(f"word{n}")] == [f"d{n}"]
        assert len(collection.bm25("more", limit=2 * COUNT)) == len(stored)
    connection = sqlite3.connect(folder / "collection.sqlite")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def finish(folder: Path, file: Path) -> None:
    with start(folder, file) as child:
        assert child.stdout is not None
        said = child.stdout.read().split()
    assert child.returncode == 0
    assert int(said[-3]) + int(said[-1]) == COUNT
    check(folder, COUNT)
    with Collection(folder) as collection:
        assert len(collection) == COUNT


def reported_before_death(child: subprocess.Popen[str]) -> int:
    assert child.stdout is not None
    lines = child.stdout.read().split("\n")
    assert child.wait() == -signal.SIGKILL
    return int(lines[-2]) if len(lines) > 1 else 0


@pytest.mark.parametrize(
    "point",
    [
        "before the index",
        "after the index",
        "after the index has kept it",
        "while it is gathered",
        "inside the transaction",
    ],
)
@pytest.mark.parametrize("turn", [1, 4])
def test_killed_at_the_worst_points(tmp_path: Path, file: Path, point: str, turn: int) -> None:
    folder = tmp_path / "c"
    with start(folder, file, point, turn * 150 if point == "inside the transaction" else turn) as child:
        reported = reported_before_death(child)
    assert (reported == COUNT) == (point == "while it is gathered")
    check(folder, reported)
    finish(folder, file)


def test_killed_again_and_again_at_random(tmp_path: Path, file: Path) -> None:
    chance = random.Random(20)
    folder = tmp_path / "c"
    died = reported = 0
    for _ in range(6):
        with start(folder, file) as child:
            assert child.stdout is not None
            # some batches on, then a moment more: somewhere within the next one
            for _ in range(chance.randrange(4)):
                child.stdout.readline()
            time.sleep(chance.random() * 0.1)
            child.kill()
            said = [line for line in child.stdout.read().split("\n") if line.isdigit()]
        died += child.returncode == -signal.SIGKILL
        reported = max([reported, *map(int, said)])
        check(folder, reported)
    assert died
    finish(folder, file)


def test_an_open_reader_finds_what_a_killed_writer_stored(tmp_path: Path, file: Path) -> None:
    folder = tmp_path / "c"
    with Collection(folder, create=True) as reader:
        reader.add_documents([{"title": "Alpha", "text": "Alpha is here."}])
        assert len(reader.bm25("word0")) == 0
        with start(folder, file, "after the index", 1) as child:
            assert reported_before_death(child) == 0
        assert [hit.document.key for hit in reader.bm25("word0")] == ["d0"]


@pytest.mark.parametrize("left", ["collection.sqlite.new", "collection.sqlite.new-journal"])
def test_killed_while_it_was_made(tmp_path: Path, left: str) -> None:
    (tmp_path / "tea" / "lexical").mkdir(parents=True)
    (tmp_path / "tea" / left).write_bytes(b"half")
    with Collection(tmp_path / "tea", create=True) as tea:
        tea.add_documents([{"title": "Tea", "text": "Tea is a drink."}])
        assert len(tea) == 1
    assert not list((tmp_path / "tea").glob("*.new*"))
