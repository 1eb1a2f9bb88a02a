"""What files say of one document, what no longer stands in them, and what is no file to read."""

from __future__ import annotations

import gzip
import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from aver.collection import Collection
from aver.errors import InputError


@pytest.fixture
def tea(tmp_path: Path) -> Iterator[Collection]:
    with Collection(tmp_path / "tea", create=True) as collection:
        yield collection


def csv(path: Path, *rows: str) -> Path:
    path.write_text("\n".join(["id,title,text", *rows, ""]))
    return path


def touch(path: Path) -> None:
    """Another time, whatever the file system's clock does."""
    state = path.stat()
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns + 1_000_000_000))


def test_two_files_of_one_run_that_disagree_are_a_fault_that_names_both(tea: Collection, tmp_path: Path) -> None:
    a = csv(tmp_path / "a.csv", "1,Alpha,Alpha opened in 1900.", "2,Beta,Beta closed.")
    b = csv(tmp_path / "b.csv", "1,Gamma,Gamma opened in 1950.", "2,Beta,Beta closed.", "3,Delta,Delta stands.")
    for report in (tea.add([a, b]), tea.add([a, b]), tea.update(), tea.update()):
        assert report.failed == 1
        (reason,) = report.files[1].reasons
        assert reason.startswith(f"{report.files[1].path} line 2: its key '1' stands in {a.resolve().as_posix()} with")
        assert tea.get("1").title == "Alpha"
        assert len(tea) == 3
    touch(a)
    touch(b)
    assert tea.update().failed == 1
    assert len(tea.revisions("1")) == 1
    csv(b, "3,Delta,Delta stands.")
    touch(b)
    assert not tea.update().is_broken
    assert len(tea) == 3


def test_a_file_does_not_clash_with_what_it_said_before(tea: Collection, tmp_path: Path) -> None:
    a, b = (csv(tmp_path / f"{name}.csv", "1,Alpha,Alpha opened.") for name in "ab")
    tea.add([a, b])
    csv(b, "1,Alpha,Alpha opened in 1900.")
    touch(b)
    assert tea.update().failed == 0
    assert tea.get("1").text == "Alpha opened in 1900."
    a.unlink()
    tea.update(prune=True)
    assert tea.get("1").text == "Alpha opened in 1900."


def test_a_third_file_makes_no_exception(tea: Collection, tmp_path: Path) -> None:
    paths = [csv(tmp_path / f"{name}.csv", "1,Alpha,Alpha opened.") for name in "cab"]
    tea.add(paths[0])
    csv(paths[2], "1,Gamma,Gamma opened.")
    report = tea.add(paths[1:])
    assert (report.unchanged, report.failed) == (1, 1)
    assert paths[1].resolve().as_posix() in report.files[1].reasons[0]


def test_a_later_file_updates_and_the_older_one_does_not_take_it_back(tea: Collection, tmp_path: Path) -> None:
    old = csv(tmp_path / "old.csv", "1,Alpha,Alpha opened in 1900.")
    new = csv(tmp_path / "new.csv", "1,Alpha,Alpha opened in 1901.")
    tea.add(old)
    report = tea.add(new)
    assert (report.updated, report.moved, report.failed) == (1, 1, 0)
    assert all(file.skipped for file in tea.update().files)
    for touched in ((old,), (old, new)):
        for path in touched:
            touch(path)
        report = tea.update()
        assert (report.updated, report.overtaken, report.failed) == (0, 1, 0)
        assert tea.get("1").source == new.resolve().as_posix()
    csv(old, "1,Alpha,Alpha opened in 1902.")
    touch(old)
    assert tea.update().moved == 1
    assert tea.get("1").text == "Alpha opened in 1902."


def test_files_of_one_run_that_swap_their_texts_are_told(tea: Collection, tmp_path: Path) -> None:
    a = csv(tmp_path / "a.csv", "1,Alpha,Alpha opened in 1900.")
    b = csv(tmp_path / "b.csv", "1,Alpha,Alpha opened in 1901.")
    tea.add(a)
    tea.add(b)
    csv(a, "1,Alpha,Alpha opened in 1902.")
    touch(a)
    touch(b)
    report = tea.update()
    assert (report.moved, report.failed) == (1, 1)


def test_histories_in_several_files_are_no_clash(tea: Collection, tmp_path: Path) -> None:
    head = "<mediawiki><page><title>Tea</title><ns>0</ns><id>1</id>"
    for number in (10, 11):
        text = f"<id>{number}</id><timestamp>20{number}-01-01T00:00:00Z</timestamp><text>Tea costs {number}.</text>"
        (tmp_path / f"{number}.xml").write_text(f"{head}<revision>{text}</revision></page></mediawiki>")
    report = tea.add([tmp_path / "11.xml", tmp_path / "10.xml"])
    assert (report.added, report.updated, report.failed) == (1, 1, 0)
    assert tea.get("Tea").text == "Tea costs 11."


def test_what_is_no_longer_in_its_file_is_told_and_pruned(tea: Collection, tmp_path: Path) -> None:
    rows = tmp_path / "a.jsonl"
    rows.write_text('{"id": "x", "text": "One."}\n{"id": "y", "text": "Two."}\n')
    for name in ("b.txt", "c.md", "d.html"):
        (tmp_path / name).write_text("Three.")
    tea.add(tmp_path)
    rows.write_text('{"id": "x", "text": "One."}\n')
    for name in ("b.txt", "c.md", "d.html"):
        (tmp_path / name).write_text("")
    for _ in range(2):
        report = tea.update()
        assert (report.missing, report.removed, report.empty, report.failed) == (4, 0, 3, 0)
    assert len(tea) == 5
    report = tea.update(prune=True)
    assert (report.missing, report.removed) == (0, 4)
    assert [document.key for document in tea] == ["x"]
    assert tea.bm25("two") == []
    assert all(file.skipped for file in tea.update().files)


@pytest.mark.parametrize("prune", [False, True])
@pytest.mark.parametrize(("left", "taken"), [("a", "b"), ("b", "a")])
def test_a_row_that_moves_to_another_file_keeps_its_revisions(
    tea: Collection, tmp_path: Path, prune: bool, left: str, taken: str
) -> None:
    old = csv(tmp_path / f"{left}.csv", "1,Alpha,Alpha opened in 1900.", "2,Beta,Beta closed.", "3,Delta,Delta stands.")
    new = csv(tmp_path / f"{taken}.csv", "9,Omega,Omega ends.")
    tea.add([old, new])
    csv(old, "3,Delta,Delta stands.")
    csv(new, "1,Alpha,Alpha opened in 1901.", "2,Beta,Beta closed.", "9,Omega,Omega ends.")
    report = tea.update(prune=prune)
    assert (report.moved, report.missing, report.removed, report.failed) == (1, 0, 0, 0)
    assert len(tea.revisions("1")) == 2
    assert {tea.get(key).source for key in "129"} == {new.resolve().as_posix()}
    assert all(file.skipped for file in tea.update().files)


def test_nothing_is_pruned_of_a_file_that_was_not_read_to_its_end(tea: Collection, tmp_path: Path) -> None:
    good = gzip.compress(b'{"id": "x", "text": "One."}\n{"id": "y", "text": "Two."}\n')
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(good)
    tea.add(path)
    for content in (good[:-9], gzip.compress(b'{"id": "x", "text": "One."}\n{broken\n'), b"\xff\xfe"):
        path.write_bytes(content)
        report = tea.update(prune=True)
        assert report.is_broken
        assert (report.missing, report.removed, len(tea)) == (0, 0, 2)


def test_what_another_file_holds_too_is_not_pruned(tea: Collection, tmp_path: Path) -> None:
    a = csv(tmp_path / "a.csv", "1,Alpha,Alpha opened.", "2,Beta,Beta closed.", "3,Delta,Delta stands.")
    b = csv(tmp_path / "b.csv", "1,Alpha,Alpha opened.", "2,Beta,Beta closed.")
    tea.add([a, b])
    csv(a, "2,Beta,Beta closed.")
    touch(a)
    assert tea.update(prune=True).removed == 1
    assert sorted(document.key for document in tea) == ["1", "2"]
    assert tea.get("1").source == b.resolve().as_posix()
    a.unlink()
    assert tea.update(prune=True).removed == 0
    csv(b, "1,Alpha,Alpha opened.")
    touch(b)
    assert tea.update(prune=True).removed == 1
    assert [document.key for document in tea] == ["1"]
    tea.remove("1")
    assert tea.sources() == []


def test_a_collection_made_before_files_were_compared(tea: Collection, tmp_path: Path) -> None:
    a = csv(tmp_path / "a.csv", "1,Alpha,Alpha opened.")
    tea.add(a)
    tea.close()
    connection = sqlite3.connect(tea.folder / "collection.sqlite")
    connection.execute("DROP TABLE also_in")
    connection.close()
    with Collection(tea.folder) as again:
        assert [hit.document.key for hit in again.search("opened")] == ["1"]
        assert again.add(csv(tmp_path / "b.csv", "1,Alpha,Alpha closed.")).moved == 1


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are always text there")
def test_names_that_are_no_text_and_pipes_stop_nothing(tea: Collection, tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.txt")).write_text("Bad.")
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "z.txt").write_text("Good.")
    report = tea.add([tmp_path])
    bad, pipe, good = (file for file in report.files if file.path.endswith(".txt"))
    assert bad.path.endswith("bad\\udcff.txt")
    assert bad.error == "its name is not UTF-8; rename it"
    assert (pipe.skipped, pipe.is_broken) == ("a pipe, socket or device", False)
    assert good.added == 1
    orjson.dumps(report.as_dict())


def test_a_linked_folder_is_added_and_updated(tea: Collection, tmp_path: Path) -> None:
    given, other = tmp_path / "given", tmp_path / "other"
    given.mkdir()
    other.mkdir()
    (other / "b.txt").write_text("Black tea is hot.")
    (given / "link").symlink_to(other)
    (given / "gone.txt").symlink_to(tmp_path / "nowhere")
    report = tea.add([given])
    assert [(file.path, file.added, file.error) for file in report.files] == [
        (str(given / "gone.txt"), 0, "a link that leads nowhere"),
        (str(given / "link" / "b.txt"), 1, None),
    ]
    assert (other / "b.txt").resolve().as_posix() in tea
    (other / "b.txt").write_text("Black tea is cold by now.")
    assert tea.update([given]).updated == 1
    assert tea.remove([str(given / "link" / "b.txt")]) == 1


def test_a_folder_that_may_not_be_looked_into_fails(
    tea: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, closed = tmp_path / "given", tmp_path / "given" / "closed"
    closed.mkdir(parents=True)
    (given / "a.txt").write_text("Tea is hot.")
    scan = os.scandir

    def scandir(path: str) -> object:
        if Path(path) == closed:
            raise PermissionError(13, "Permission denied", str(closed))
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    report = tea.add([given])
    assert (report.added, report.failed) == (1, 1)
    assert (report.files[1].path, report.files[1].error) == (str(closed), "cannot be read: Permission denied")


def test_files_of_one_name_are_documents_of_their_own(tea: Collection, tmp_path: Path) -> None:
    for name in ("one/a.txt", "one/a.html", "two/a.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"Tea of {name}.")
    assert tea.add([tmp_path / "one", tmp_path / "two"]).added == len(tea) == 3


def test_what_is_not_of_a_file_tells_that_it_takes_a_document_over(tea: Collection, tmp_path: Path) -> None:
    tea.add([csv(tmp_path / "a.csv", "1,Alpha,Alpha opened.")])
    report = tea.add_documents([{"key": "1", "title": "Alpha", "text": "Alpha closed."}])
    assert (report.updated, report.moved) == (1, 1)


def test_what_was_removed_comes_back_while_something_of_its_file_is_left(tea: Collection, tmp_path: Path) -> None:
    file = csv(tmp_path / "a.csv", "1,Alpha,Alpha opened.", "2,Beta,Beta closed.")
    tea.add([file])
    tea.remove("1")
    assert tea.update().added == 1
    tea.remove([str(file)])
    with pytest.raises(InputError, match="no file of this collection to update; `add` takes new ones in"):
        tea.update()
    assert tea.add([file]).added == 2


@pytest.mark.parametrize("suffix", ["csv", "html", "json", "jsonl", "md", "parquet", "pdf", "tsv", "txt", "xml"])
def test_an_empty_file_is_a_document_without_text(tea: Collection, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"empty.{suffix}"
    path.touch()
    report = tea.add(path)
    assert (report.empty, report.failed, len(tea)) == (1, 0, 0)
