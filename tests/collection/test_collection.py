"""A collection on disk: adding, revisions, removal, several processes, other formats."""

from __future__ import annotations

import os
import random
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import aver
from aver.collection import (
    Alias,
    Collection,
    Incoming,
    ReadOptions,
    collection_folder,
    collection_names,
    delete_damaged,
    home,
)
from aver.collection._schema import is_damaged
from aver.errors import InputError
from aver.text import split_sentences


@pytest.fixture
def tea(tmp_path: Path) -> Iterator[Collection]:
    with Collection(tmp_path / "tea", create=True) as collection:
        yield collection


def keys(hits: list[Any]) -> list[str]:
    return [hit.document.key for hit in hits]


def test_the_front_door_has_it() -> None:
    assert aver.Collection is Collection


def test_a_document_its_sentences_and_hashes(tea: Collection) -> None:
    text = "Green tea is a tea. It is not oxidised, says Dr. Smith.\n\nIt comes from China."
    report = tea.add_documents([{"title": "Green tea", "text": text}])
    assert (report.added, report.updated, report.unchanged, report.failed) == (1, 0, 0, 0)
    document = tea.get("Green tea")
    assert document.text == text
    sentences = tea.sentences(document)
    assert [s.text for s in sentences] == [s.text for s in split_sentences(text)]
    assert all(document.text[s.start : s.end] == s.text for s in sentences)
    assert [s.number for s in sentences] == [0, 1, 2]
    assert len({s.hash for s in sentences}) == 3
    assert len(tea) == 1
    assert "Green tea" in tea
    assert "green tea" not in tea
    assert [d.key for d in tea] == ["Green tea"]
    with pytest.raises(InputError, match="no document has the key"):
        tea.get("Black tea")


def test_the_same_again_changes_nothing_and_a_change_keeps_the_old_revision(tea: Collection) -> None:
    tea.add_documents([{"title": "Tea", "text": "Tea is hot."}])
    assert tea.add_documents([{"title": "Tea", "text": "Tea is hot."}]).unchanged == 1
    assert tea.add_documents([{"title": "Tea", "text": "Tea is cold."}]).updated == 1
    old, new = tea.revisions("Tea")
    assert (old.text, new.text) == ("Tea is hot.", "Tea is cold.")
    assert (old.current, new.current) == (False, True)
    assert [s.text for s in tea.sentences(old)] == ["Tea is hot."]
    assert tea.get("Tea").text == "Tea is cold."
    assert keys(tea.bm25("cold")) == ["Tea"]
    assert tea.bm25("hot") == []


def test_a_new_title_is_a_new_revision_and_the_old_name_is_gone(tea: Collection) -> None:
    tea.add_documents([{"key": "1", "title": "Tea", "text": "It is hot."}])
    tea.add_documents([{"key": "1", "title": "Coffee", "text": "It is hot."}])
    assert [r.title for r in tea.revisions("1")] == ["Tea", "Coffee"]
    assert tea.mentions("Tea or Coffee?")[0].title == "Coffee"
    assert len(tea.mentions("Tea")) == 0


def test_histories_in_any_order(tea: Collection) -> None:
    states = [
        Incoming("Tea", "Tea", f"Tea costs {n} pounds.", origin=str(n), timestamp=f"20{n}-01-01") for n in (12, 10, 11)
    ]
    assert tea.add_documents(states).added == 1
    assert tea.get("Tea").text == "Tea costs 12 pounds."
    assert [r.origin for r in tea.revisions("Tea")] == ["10", "11", "12"]
    again = tea.add_documents(states)
    assert (again.unchanged, again.updated) == (3, 0)
    assert len(tea.revisions("Tea")) == 3
    assert keys(tea.bm25("12")) == ["Tea"]
    assert tea.bm25("10") == []


def test_removal(tea: Collection) -> None:
    tea.add_documents([{"title": name, "text": f"{name} is a drink."} for name in ("Tea", "Milk", "Wine")])
    assert tea.remove("Milk") == 1
    assert sorted(keys(tea.search("drink"))) == ["Tea", "Wine"]
    assert tea.mentions("Milk") == []
    with pytest.raises(InputError, match="nothing was removed") as caught:
        tea.remove(["Tea", "Milk", "Beer"])
    assert len(caught.value.problems) == 2
    assert len(tea) == 2
    assert tea.add_documents([{"title": "Milk", "text": "Milk is back."}]).added == 1
    assert keys(tea.bm25("back")) == ["Milk"]
    info = tea.info()
    assert (info.documents, info.revisions) == (3, 3)


def test_deleting_leaves_what_others_put_there(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    collection = Collection(folder, create=True)
    collection.add_documents([{"title": "Tea", "text": "Tea."}])
    (folder / "mine.txt").write_text("keep")
    collection.delete()
    assert [entry.name for entry in folder.iterdir()] == ["mine.txt"]
    with pytest.raises(InputError, match="is no collection"):
        Collection(folder, create=True)
    other = Collection(tmp_path / "d", create=True)
    other.delete()
    assert not (tmp_path / "d").exists()


def test_files_update_and_prune(tea: Collection, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "a.txt").write_text("Tea is hot.")
    (folder / "b.jsonl").write_text('{"id": "x", "text": "One."}\n{"id": "y", "text": "Two."}\n')
    report = tea.add(folder)
    assert (report.added, report.failed) == (3, 0)
    again = tea.add([folder / "a.txt", folder])
    assert again.unchanged == 3
    assert all(file.skipped for file in again.files)
    (folder / "a.txt").write_text("Tea is cold now.")
    (folder / "b.jsonl").unlink()
    report = tea.update()
    assert (report.updated, report.failed) == (1, 1)
    assert report.files[1].error == "there is no such file"
    assert len(tea) == 3
    assert not tea.update(prune=True).is_broken
    assert len(tea) == 1
    assert [source.path for source in tea.sources()] == [(folder / "a.txt").resolve().as_posix()]
    with pytest.raises(InputError, match="`add` takes new ones in"):
        tea.update(tmp_path / "elsewhere")
    assert tea.remove(str(folder / "a.txt")) == 1
    assert tea.sources() == []


def test_a_file_is_updated_as_it_was_added(tea: Collection, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"u": "x", "b": "One."}\n')
    options = ReadOptions(id_field="u", text_field="b")
    tea.add(path, options=options)
    path.write_text('{"u": "x", "b": "Another one."}\n')
    assert tea.update().updated == 1
    assert tea.get("x").text == "Another one."


def test_a_broken_file_fails_alone(tea: Collection, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Tea is hot.")
    (tmp_path / "b.txt").write_bytes(b"\xfc\xfd")
    rows = ['{"id": 1, "text": "One."}', "{broken", '{"id": 1, "text": "Twice."}', '{"id": 2, "text": " "}']
    (tmp_path / "c.jsonl").write_text("\n".join(rows))
    report = tea.add([tmp_path / "a.txt", tmp_path / "b.txt", tmp_path / "c.jsonl", tmp_path / "nope.txt"])
    a, b, c, nope = report.files
    assert (a.added, a.is_broken) == (1, False)
    assert "not UTF-8" in str(b.error)
    assert (c.added, c.failed, c.empty) == (1, 2, 1)
    assert "line 3: its key '1' stood in the file before" in c.reasons[1]
    assert nope.error == "there is no such file"
    assert (report.added, report.failed) == (2, 4)
    # what failed is read again next time, what did not is not
    again = tea.add([tmp_path / "a.txt", tmp_path / "c.jsonl"])
    assert again.files[0].skipped
    assert (again.files[1].unchanged, again.files[1].failed) == (1, 2)


def test_text_that_no_file_can_hold_is_a_fault(tea: Collection) -> None:
    report = tea.add_documents([{"title": "a", "text": "half \ud800 pair"}, {"key": "k" * 3000, "text": "x"}])
    assert report.failed == 2
    with pytest.raises(InputError, match="document 0: needs 'text'"):
        tea.add_documents([{"title": "a"}])


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        ([{"key": 7, "text": "Seven."}], "document 0: its key must be a string; got a number"),
        ([{"title": "a", "text": "A."}, {"title": [], "key": "b", "text": 5}], "document 1: needs 'text'"),
        ([{"title": ["b"], "key": "b", "text": "B."}], "document 0: its title must be a string; got a list"),
        ([Incoming("a", "a", None)], "document 0: its text must be a string; got None"),  # type: ignore[arg-type]
        ([5], "document 0: is a number; expected a dictionary with 'text'"),
        ({"title": "a", "text": "A."}, "document 0: is a string; expected a dictionary"),
        ([{3: 4, "a": 5}], r"document 0: needs 'text', .*; got \['3', 'a'\]"),
        (None, "documents must be a list or another iterable; got None"),
    ],
)
def test_documents_of_the_wrong_kind_are_told(tea: Collection, documents: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        tea.add_documents(documents)


def test_a_query_is_a_string(tea: Collection) -> None:
    ask: Any
    for ask in (tea.search, tea.bm25, tea.mentions, lambda query: tea.score_sentences(query, [])):
        with pytest.raises(InputError, match="must be a string; got None"):
            ask(None)


def test_a_very_long_sentence(tea: Collection) -> None:
    text = "word " * 400_000
    tea.add_documents([{"title": "Long", "text": text}, {"title": "Short", "text": "A word."}])
    assert tea.sentences(tea.get("Long"))[0].end == len(text.rstrip())
    assert set(keys(tea.search("word " * 5000))) == {"Long", "Short"}


def test_redirects_are_aliases(tea: Collection) -> None:
    tea.add_documents([Alias("Chai", "Tea"), Alias("Char", "Chai"), Alias("A", "B"), Alias("B", "A")])
    tea.add_documents([{"title": "Tea", "text": "Tea is hot."}])
    for name in ("Chai", "char"):
        (mention,) = tea.mentions(f"I drink {name} daily")
        assert (mention.title, mention.kind) == ("Tea", "alias")
    assert tea.mentions("B") == []
    assert keys(tea.search("Chai")) == ["Tea"]


def test_aliases_are_counted_as_they_are_stored(tea: Collection) -> None:
    before = tea.info().aliases
    names = [Alias("Chai", "Tea"), Alias("CHAI", "Tea"), Alias("TEA", "Tea"), Alias("!", "Tea"), Alias("Chai", "Spice")]
    assert tea.add_documents(names).aliases == 2
    assert tea.info().aliases == before + 2
    # those that are there already are none more, however they are written
    assert tea.add_documents([Alias("chai", "Tea"), Alias("Char", "Tea")]).aliases == 1
    assert tea.info().aliases == before + 3
    stored = tea._tables.connection.execute("SELECT name FROM names WHERE folded = 'chai' AND target = 'tea'")
    assert stored.fetchall() == [("chai",)]


def test_readers_beside_a_writer(tea: Collection, tmp_path: Path) -> None:
    """Threads read while documents come in; nobody sees half of anything, and everybody sees the end."""
    failures: list[BaseException] = []
    done = threading.Event()

    def look() -> None:
        try:
            with Collection(tea.folder) as mine:
                while not done.is_set():
                    for hit in mine.search("drink number", limit=5):
                        assert hit.document.text.startswith("Drink number")
                        assert mine.sentences(hit.document)
                assert len(mine) == 600
                assert len(mine.bm25("drink", limit=1000)) == 600
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for start in range(0, 600, 60):
            numbers = range(start, start + 60)
            tea.add_documents({"title": f"D{n}", "text": f"Drink number {n}. It is good."} for n in numbers)
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert failures == []


def test_one_collection_used_by_many_threads(tea: Collection) -> None:
    tea.add_documents({"title": f"D{n}", "text": f"Drink number {n}."} for n in range(50))
    found: list[int] = []

    def look(seed: int) -> None:
        for n in random.Random(seed).sample(range(50), 20):
            found.append(keys(tea.search(f"number {n}", limit=1)) == [f"D{n}"])

    threads = [threading.Thread(target=look, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 80
    assert all(found)


def test_a_second_writer_is_told(tea: Collection, tmp_path: Path) -> None:
    script = """
import sys
from aver.collection import Collection
def slow():
    yield {"title": "a", "text": "a"}
    print("writing", flush=True)
    sys.stdin.read()
Collection(sys.argv[1]).add_documents(slow())
"""
    tea.add_documents([{"title": "Tea", "text": "Tea is hot."}])
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", script, str(tea.folder)], stdin=pipe, stdout=pipe) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(InputError, match=f"another process .number {other.pid}. is writing"):
            tea.add_documents([{"title": "b", "text": "b"}])
        with pytest.raises(InputError, match="another process"):
            tea.delete()
        assert keys(tea.search("tea")) == ["Tea"]
        other.communicate(b"")
    assert tea.add_documents([{"title": "b", "text": "b"}]).added == 1
    assert len(tea) == 3


def test_a_newer_format_and_other_files_are_told_apart(tea: Collection, tmp_path: Path) -> None:
    tea.close()
    with sqlite3.connect(tea.folder / "collection.sqlite") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(InputError, match=r"newer aver \(format 99; this one reads up to 1\).*pip install"):
        Collection(tea.folder)
    for name, content in (("text", b"no database at all"), ("empty", b"")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "collection.sqlite").write_bytes(content)
        with pytest.raises(InputError, match="collection"):
            Collection(tmp_path / name)


def test_a_locked_collection_is_not_damaged(tea: Collection) -> None:
    tea.close()
    holder = sqlite3.connect(tea.folder / "collection.sqlite", isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    assert not is_damaged(tea.folder)
    holder.close()


@pytest.mark.parametrize("size", [0, 50, 100, 4096, 9000])
def test_a_damaged_collection_can_be_deleted_and_nothing_else(tea: Collection, tmp_path: Path, size: int) -> None:
    tea.add_documents([{"title": "Tea", "text": "Tea is hot."}])
    tea.close()
    with pytest.raises(InputError, match="is no damaged collection"):
        delete_damaged(tea.folder)
    connection = sqlite3.connect(tea.folder / "collection.sqlite")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    os.truncate(tea.folder / "collection.sqlite", size)
    with pytest.raises(InputError, match=r"or remove it \(aver collection remove"):
        Collection(tea.folder)
    delete_damaged(tea.folder)
    assert not tea.folder.exists()
    for content in (b"", b"no database at all", b"SQLite format 3\x00" + bytes(80)):
        (tmp_path / "other").mkdir(exist_ok=True)
        (tmp_path / "other" / "collection.sqlite").write_bytes(content)
        with pytest.raises(InputError, match="is no damaged collection"):
            delete_damaged(tmp_path / "other")
        assert (tmp_path / "other" / "collection.sqlite").read_bytes() == content


def test_a_lost_index_is_made_anew(tea: Collection) -> None:
    import shutil

    tea.add_documents([{"title": "Tea", "text": "Tea is hot."}])
    tea.close()
    shutil.rmtree(tea.folder / "lexical")
    with Collection(tea.folder) as again:
        assert keys(again.bm25("hot")) == ["Tea"]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_to_can_still_be_read(tea: Collection) -> None:
    tea.add_documents([{"title": "Tea", "text": "Tea is hot."}])
    tea.close()
    paths = [tea.folder, *tea.folder.rglob("*")]
    for path in paths:
        path.chmod(stat.S_IREAD | (stat.S_IEXEC if path.is_dir() else 0))
    try:
        with Collection(tea.folder) as again:
            assert keys(again.search("hot")) == ["Tea"]
            with pytest.raises(InputError, match="cannot be written"):
                again.add_documents([{"title": "b", "text": "b"}])
    finally:
        for path in paths:
            path.chmod(stat.S_IRWXU)


def test_an_index_that_may_only_be_read(tea: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    tea.add_documents([{"title": "Tea", "text": "Tea is hot."}])
    monkeypatch.setattr("aver.collection._collection.os.access", lambda path, mode: False)
    with Collection(tea.folder) as again:
        assert keys(again.search("hot")) == ["Tea"]
        tea.add_documents([{"title": "Chai", "text": "Chai is hot."}])
        assert sorted(keys(again.search("hot"))) == ["Chai", "Tea"]


def test_names_and_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AVER_HOME", str(tmp_path / "home"))
    assert home() == tmp_path / "home" / "collections"
    assert collection_names() == []
    with Collection("archive", create=True) as made:
        assert made.folder == home() / "archive"
    assert collection_names() == ["archive"]
    assert collection_folder("./x") == Path("x")
    assert collection_folder("~/x") == Path.home() / "x"
    for wrong in ("", "a b", "-x", "a\nb", "é" * 101):
        with pytest.raises(InputError, match="cannot be a collection's name"):
            collection_folder(wrong)
    with pytest.raises(InputError, match="there is no collection 'nope'"):
        Collection("nope")
    monkeypatch.delenv("AVER_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    if sys.platform.startswith("linux"):
        assert home() == tmp_path / "data" / "aver" / "collections"


STEP = st.tuples(
    st.sampled_from(["add", "remove"]),
    st.sampled_from(["tea", "milk", "wine"]),
    st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=30),
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(STEP, max_size=8))
def test_whatever_is_done_it_holds_what_was_put_in_last(tmp_path: Path, steps: list[tuple[str, str, str]]) -> None:
    expected: dict[str, str] = {}
    with Collection(tempfile.mkdtemp(dir=tmp_path), create=True) as collection:
        for what, key, text in steps:
            if what == "add":
                collection.add_documents([{"key": key, "title": key, "text": text}])
                if text.strip():
                    expected[key] = text
            elif key in expected:
                collection.remove(key)
                del expected[key]
        assert {document.key: document.text for document in collection} == expected
        assert sorted(keys(collection.search("tea milk wine"))) == sorted(expected)
        for document in collection:
            for sentence in collection.sentences(document):
                assert document.text[sentence.start : sentence.end] == sentence.text


def test_fever_lines_can_be_cited(tea: Collection, tmp_path: Path) -> None:
    lines = "0\tTea is hot .\n1\t\n2\tIt is old ."
    page = {"id": "Tea_-LRB-drink-RRB-", "text": "Tea is hot . It is old . ", "lines": lines}
    (tmp_path / "wiki-001.jsonl").write_bytes(orjson.dumps(page) + b"\n")
    tea.add(tmp_path / "wiki-001.jsonl")
    hit = tea.search("Is tea old?")[0]
    assert [hit.document.key, hit.sentences[0].sentence.number] == ["Tea_-LRB-drink-RRB-", 2]
    assert hit.document.title == "Tea (drink)"


def test_a_disk_that_is_full_when_the_index_is_committed(tea: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: object) -> None:
        raise ValueError("No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("aver.collection._lexical.Lexical.commit", full)
        with pytest.raises(InputError, match="cannot be written: No space left on device; what was reported is stored"):
            tea.add_documents([{"title": "Tea", "text": "Tea is hot."}])
    assert [hit.document.title for hit in tea.bm25("hot tea")] == ["Tea"]


def test_a_search_beside_a_long_add_finds_what_came_first(tea: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aver.collection._adding._BATCH_DOCUMENTS", 10)
    monkeypatch.setattr("aver.collection._writing._SETTLE_DOCUMENTS", 20)
    seen: list[int] = []

    def rows() -> Iterator[dict[str, str]]:
        with Collection(tea.folder) as reader:
            for number in range(60):
                seen.append(len(reader.bm25("leaf", limit=100)))
                yield {"title": f"Tea {number}", "text": "A leaf in water."}

    tea.add_documents(rows())
    assert set(seen) == {0, 20, 40}
    assert len(tea.bm25("leaf", limit=100)) == 60
    seen.clear()
    monkeypatch.setattr("aver.collection._writing._SETTLE_DOCUMENTS", 10_000)
    monkeypatch.setattr("aver.collection._writing._SETTLE_SECONDS", 0.0)
    tea.add_documents({"title": f"{row['title']} again", "text": row["text"]} for row in rows())
    assert set(seen) == {60, 70, 80, 90, 100}, "and by time, after every batch"
