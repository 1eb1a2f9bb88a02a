"""Vectors of a collection: made once, kept up to date, safe against being killed, searched with and without FAISS."""

from __future__ import annotations

import contextlib
import re
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aver import Collection, InputError
from aver.collection import Incoming, _dense, _embedding
from aver.collection._vectors import quantised


class Words:
    """An encoder that needs no model: a text is the sum of its words' directions."""

    def __init__(self, model: str = "words@000000000000", dimensions: int = 64) -> None:
        self.model, self.dimensions = model, dimensions
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.texts += texts
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().replace(".", " ").replace(":", " ").split():
                rows[row] += np.random.default_rng(zlib.crc32(word.encode())).normal(size=self.dimensions)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(lengths > 0, lengths, 1)


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    made = Collection(tmp_path / "pages", create=True)
    made.add_documents(
        {"title": f"Page {n}", "text": f"Apple{n} is a fruit. Stone{n} is hard."} for n in range(60)
    )  # fmt: skip
    return made


def titles(hits: Sequence[object]) -> list[str]:
    return [hit.document.title for hit in hits]  # type: ignore[attr-defined]


def test_a_sentence_is_found_by_its_vector(collection: Collection) -> None:
    encoder = Words()
    report = collection.embed(encoder)
    assert (report.documents, report.sentences, report.unchanged) == (60, 120, 0)
    assert encoder.texts[0] == "Page 0: Apple0 is a fruit."
    hits = collection.dense("Page 7: Stone7 is hard.", encoder, limit=3, sentences=1)
    assert titles(hits)[0] == "Page 7"
    assert hits[0].score == pytest.approx(1, abs=1e-3)
    assert hits[0].sentences[0].sentence.text == "Stone7 is hard."
    assert len(hits) == 3


def test_only_what_is_new_or_changed_is_embedded_again(collection: Collection) -> None:
    collection.embed(Words())
    encoder = Words()
    assert collection.embed(encoder).unchanged == 60
    assert encoder.texts == []
    collection.add_documents(
        [{"title": "Page 3", "text": "Pear3 is green."}, {"title": "New", "text": "Plum is blue."}]
    )
    collection.remove("Page 4")
    # before the vectors are brought up to date, what they say of the old texts is not shown
    stale = collection.dense("Page 3: Apple3 is a fruit.", encoder, limit=60)
    assert not {"Page 3", "Page 4", "New"} & set(titles(stale))
    info = collection.info().vectors[0]
    assert (info.documents, info.behind) == (58, 2)
    encoder.texts.clear()
    report = collection.embed(encoder)
    assert (report.documents, report.forgotten) == (2, 2)
    assert sorted(encoder.texts) == ["New: Plum is blue.", "Page 3: Pear3 is green."]
    assert titles(collection.dense("Page 3: Pear3 is green.", encoder, limit=1)) == ["Page 3"]
    assert collection.info().vectors[0].behind == 0


def test_dead_rows_make_room(collection: Collection) -> None:
    encoder = Words()
    collection.embed(encoder)
    reader = Collection(collection.folder)
    assert titles(reader.dense("Page 50: Apple50 is a fruit.", encoder, limit=1)) == ["Page 50"]
    collection.remove([f"Page {n}" for n in range(30)])
    collection.embed(encoder)
    (folder,) = (collection.folder / "vectors").iterdir()
    assert (folder / "codes-1.i8").stat().st_size == 60 * 64
    assert not (folder / "codes-0.i8").exists()
    # a reader that had the old files open sees the new ones
    assert titles(reader.dense("Page 50: Apple50 is a fruit.", encoder, limit=1)) == ["Page 50"]
    reader.close()


def test_words_and_vectors_together(collection: Collection) -> None:
    encoder = Words()
    collection.embed(encoder)
    hits = collection.hybrid("Apple9 fruit", encoder, limit=5)
    assert titles(hits)[0] == "Page 9"
    assert hits[0].bm25 > 0
    assert hits[0].score == pytest.approx(1 / 61 + 1 / 61)


def test_vectors_that_are_not_there_say_how_they_are_made(collection: Collection) -> None:
    with pytest.raises(InputError, match=r"has no vectors of words@0.*make them with: aver collection embed"):
        collection.dense("apple", Words())
    collection.embed(Words())
    with pytest.raises(InputError, match="it has those of words-000000000000"):
        collection.dense("apple", Words("others@1"))
    with pytest.raises(InputError, match="limit must be at least 1"):
        collection.dense("apple", Words(), limit=0)


def without_a_table(folder: Path) -> None:
    (folder / "rows.sqlite").write_bytes(b"")


def junk(*names: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        for name in names or [path.name for path in folder.iterdir()]:
            (folder / name).write_bytes(b"junk" * 40_000)

    return write


def cut_off(folder: Path) -> None:
    codes = folder / "codes-0.i8"
    codes.write_bytes(codes.read_bytes()[:100])


def torn(folder: Path) -> None:
    """The first page of the table as it was, the others not."""
    data = (folder / "rows.sqlite").read_bytes()
    (folder / "rows.sqlite").write_bytes(data[:4096] + b"junk" * (len(data) // 4 - 1024))


def not_said(folder: Path) -> None:
    with contextlib.closing(sqlite3.connect(folder / "rows.sqlite")) as connection, connection:
        connection.execute("DELETE FROM settings WHERE name = 'rows'")


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (junk(), "file is not a database"),
        (without_a_table, "no such table"),
        (torn, "malformed|damaged"),
        (not_said, "their table is damaged"),
        (cut_off, "codes-0.i8 is shorter than it was"),
        (junk("scales-0.f32"), "scales-0.f32 does not hold what was written"),
        (lambda folder: (folder / "codes-0.i8").unlink(), "not there|shorter"),
    ],
)
def test_damaged_vectors_are_told_of_and_made_anew(
    collection: Collection, damage: Callable[[Path], None], told: str
) -> None:
    collection.embed(Words())
    reader = Collection(collection.folder)
    assert titles(reader.dense("Page 7: Stone7 is hard.", Words(), limit=1)) == ["Page 7"]
    (folder,) = (collection.folder / "vectors").iterdir()
    damage(folder)
    with (
        Collection(collection.folder) as opened,
        pytest.raises(InputError, match=rf"({told}).*make them anew with: aver collection embed .*pages"),
    ):
        opened.dense("apple", Words())
    info = collection.info()
    assert (info.documents, info.sentences) == (60, 120)
    (vectors,) = info.vectors
    assert (vectors.model, vectors.documents, vectors.behind) == ("words-000000000000", 0, 60)
    assert vectors.error is not None
    assert re.search(told, vectors.error)
    report = collection.embed(Words())
    assert (report.documents, report.unchanged) == (60, 0)
    assert report.damage is not None
    assert re.search(told, report.damage)
    for asked in (collection, reader):
        assert titles(asked.dense("Page 7: Stone7 is hard.", Words(), limit=1)) == ["Page 7"]
    reader.close()
    assert collection.embed(Words()).damage is None
    assert [(v.documents, v.behind, v.error) for v in collection.info().vectors] == [(60, 0, None)]


def test_vectors_of_a_newer_aver_are_not_taken_for_damaged(collection: Collection) -> None:
    collection.embed(Words())
    (folder,) = (collection.folder / "vectors").iterdir()
    with contextlib.closing(sqlite3.connect(folder / "rows.sqlite")) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = (folder / "rows.sqlite").read_bytes()
    with pytest.raises(InputError, match="written by a newer aver"):
        collection.embed(Words())
    assert (folder / "rows.sqlite").read_bytes() == before
    assert "newer aver" in str(collection.info().vectors[0].error)


def test_documents_without_sentences_count_as_embedded(collection: Collection) -> None:
    collection.add_documents([Incoming("none", "None", "Text.", sentences=())])
    collection.embed(Words())
    assert [(v.documents, v.behind) for v in collection.info().vectors] == [(61, 0)]


@pytest.mark.skipif(not _dense.faiss_there(), reason="needs the extra dense")
def test_a_damaged_index_is_only_a_shortcut_less(collection: Collection) -> None:
    collection.embed(Words(), index=True)
    (path,) = (collection.folder / "vectors").rglob("*.index")
    path.write_bytes(b"junk" * 1000)
    with Collection(collection.folder) as opened:
        assert titles(opened.dense("Page 7: Stone7 is hard.", Words(), limit=1)) == ["Page 7"]
    assert collection.embed(Words(), index=True).indexed == 120
    assert path.read_bytes()[:4] != b"junk"


def test_an_empty_collection_and_documents_without_sentences(tmp_path: Path) -> None:
    with Collection(tmp_path / "empty", create=True) as empty:
        assert empty.embed(Words()).documents == 0
        assert empty.dense("apple", Words()) == []


@pytest.mark.skipif(not _dense.faiss_there(), reason="needs the extra dense")
def test_faiss_finds_what_looking_at_every_row_finds(tmp_path: Path) -> None:
    collection = Collection(tmp_path / "many", create=True)
    collection.add_documents({"title": f"T{n}", "text": f"Word{n} here."} for n in range(2_000))
    encoder = Words(dimensions=32)
    assert collection.embed(encoder, index=False).indexed == 0
    exact = [titles(collection.dense(f"Word{n} here", encoder, limit=1)) for n in range(0, 2_000, 100)]
    assert collection.embed(encoder, index=True).indexed == 2_000
    found = [titles(collection.dense(f"Word{n} here", encoder, limit=1)) for n in range(0, 2_000, 100)]
    same = sum(a == b for a, b in zip(exact, found, strict=True))
    assert same >= 18
    # what came later is found without the index being made anew, and what was removed is not
    collection.add_documents([{"title": "Late", "text": "Thunderclap arrives."}])
    collection.remove("T100")
    collection.embed(encoder, index=False)
    assert titles(collection.dense("Thunderclap arrives", encoder, limit=1)) == ["Late"]
    assert "T100" not in titles(collection.dense("Word100 here", encoder, limit=20))
    assert collection.embed(encoder, index=True).indexed == 2_001
    assert len(list((collection.folder / "vectors").rglob("*.index"))) == 1


KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[2])
from test_vectors import Words
from aver import Collection
from aver.collection import _embedding, _vectors
_embedding._SENTENCES = 10
turns = int(sys.argv[4])
point = sys.argv[3]
def dying(function):
    def call(*arguments, **options):
        global turns
        turns -= 1
        if turns == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **options)
    return call
if point == "table":
    _vectors.StoreWriter._set = dying(_vectors.StoreWriter._set)
else:
    os.fsync = dying(os.fsync)
done = 0
def told(count):
    global done
    done += count
    print(done, flush=True)
with Collection(sys.argv[1]) as collection:
    collection.embed(Words(), progress=told)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize(("point", "turn"), [("table", 1), ("table", 5), ("files", 1), ("files", 2), ("files", 7)])
def test_killed_while_embedding_it_goes_on(collection: Collection, point: str, turn: int) -> None:
    folder = str(collection.folder)
    words = [sys.executable, "-c", KILLED, folder, str(Path(__file__).parent), point, str(turn)]
    killed = subprocess.run(words, capture_output=True, text=True)
    assert killed.returncode == -9, killed.stderr
    reported = int((killed.stdout.split() or ["0"])[-1])
    encoder = Words()
    report = collection.embed(encoder)
    assert report.unchanged >= reported
    assert report.documents + report.unchanged == 60
    assert len(encoder.texts) == 2 * report.documents
    for n in (0, 30, 59):
        assert titles(collection.dense(f"Page {n}: Stone{n} is hard.", encoder, limit=1)) == [f"Page {n}"]


def test_two_cannot_embed_at_once(collection: Collection) -> None:
    class Nosy(Words):
        def encode(self, texts: Sequence[str]) -> np.ndarray:
            with pytest.raises(InputError, match=r"another process .* is embedding"):
                Collection(collection.folder).embed(Words())
            return super().encode(texts)

    collection.embed(Nosy())


@given(st.integers(1, 40), st.integers(2, 40), st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_eight_bits_keep_directions(rows: int, dimensions: int, seed: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(rows, dimensions)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    codes, scales = quantised(vectors)
    again = codes.astype(np.float32) * scales[:, None]
    cosines = (again * vectors).sum(axis=1) / np.linalg.norm(again, axis=1)
    assert cosines.min() > 0.9995


def test_batches_hold_whole_documents(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_embedding, "_SENTENCES", 3)
    done: list[int] = []
    collection.embed(Words(), progress=done.append)
    assert done[0] == 0
    assert sum(done) == 60
    assert max(done) == 2
