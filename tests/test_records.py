"""Files in and out: every fault named by its place, and nothing half written."""

from __future__ import annotations

import gzip
import io
import os
import stat
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import msgspec
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver import InputError
from aver.errors import Problems
from aver.records import is_stream, iter_numbered, iter_records, read_bytes, read_records, write_records, writing

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=3),
    max_leaves=6,
)


class Row(msgspec.Struct):
    a: int


@given(st.lists(st.dictionaries(st.text("xyz", min_size=1, max_size=2), JSON, max_size=3), max_size=5))
def test_what_is_written_is_read(rows: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.jsonl")
        assert write_records(path, rows) == len(rows)
        assert [record.fields for record in read_records(path)] == rows
        assert [record.fields for record in iter_records(path)] == rows


def test_what_is_named_gz_is_packed(tmp_path: Path) -> None:
    rows = [{"text": "word " * 50, "number": n} for n in range(50)]
    one, two = tmp_path / "rows.jsonl.gz", tmp_path / "again.jsonl.gz"
    assert write_records(one, rows) == write_records(two, rows) == 50
    assert [record.fields for record in read_records(one)] == rows
    assert one.read_bytes() == two.read_bytes(), "no time and no name inside"
    assert one.stat().st_size < 2_000
    with pytest.raises(TypeError):
        write_records(tmp_path / "torn.jsonl.gz", [{"a": 1}, {"a": object()}])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again.jsonl.gz", "rows.jsonl.gz"]


def test_places_count_blank_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a": 1}\r\n\n  \n{"a": 2}')
    assert [record.place for record in iter_records(path)] == [f"{path} line 1", f"{path} line 4"]


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    lines, array = tmp_path / "a.jsonl", tmp_path / "a.json"
    lines.write_bytes(b'\xef\xbb\xbf{"a": 1}\n{"a": 2}\n')
    array.write_bytes(b'\xef\xbb\xbf[{"a": 1}, {"a": 2}]')
    for path in (lines, array):
        assert [record.fields for record in read_records(path)] == [{"a": 1}, {"a": 2}]


def test_array_gzip_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    array, packed = tmp_path / "a.json", tmp_path / "a.jsonl.gz"
    array.write_bytes(b'\n[{"a": 1},\n {"a": 2}]')
    packed.write_bytes(gzip.compress(b'{"a": 1}\n{"a": 2}\n'))
    expected = [{"a": 1}, {"a": 2}]
    assert [record.fields for record in read_records(array)] == expected
    assert read_records(array)[1].place == f"{array} item 2"
    assert [record.fields for record in read_records(packed)] == expected
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"a": 1}\nx')))
    with pytest.raises(InputError, match="standard input line 2: broken JSON"):
        list(iter_records("-"))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"a": 1', "broken JSON at column"),
        (b'{"a": NaN}', "broken JSON: NaN and Infinity are no JSON numbers"),
        (b'{"a": "\xe9"}', "not UTF-8 at byte 8 of the line"),
        ('{"a": 1}'.encode("utf-16"), "looks like UTF-16; save the file as UTF-8"),
        ('{"a": 1}'.encode("utf-16-le"), "looks like UTF-16; save the file as UTF-8"),
        (b"[1]", "expected a JSON object, found a list"),
        (b'"a"', "expected a JSON object, found a string"),
        (b"null", "expected a JSON object, found null"),
    ],
)
def test_faults_are_named(tmp_path: Path, line: bytes, why: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a": 1}\n' + line + b'\n{"a": 3}\n')
    with pytest.raises(InputError) as caught:
        list(iter_records(path))
    assert f"a.jsonl line 2: {why}" in str(caught.value)
    problems = Problems()
    assert [record.fields for record in iter_records(path, problems=problems)] == [{"a": 1}, {"a": 3}]
    assert len(problems) == 1
    for typed in (None, Row):
        problems = Problems()
        rows = list(iter_numbered(path, typed=typed, problems=problems))
        assert [number for number, _ in rows] == [1, 2, 3]
        assert rows[1][1] is None
        assert len(problems) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'[{"a": 1}]', "line 1: expected a JSON object, found a list; it begins one JSON document, and JSON"),
        (b'[\n{"a": 1}\n]', "line 1: begins one JSON document, and JSON lines are wanted: one object a line"),
        (b'\xef\xbb\xbf{\r\n"a": 1\r\n}', "line 1: begins one JSON document, and JSON lines are wanted"),
        (b"id,text\n1,x\n", "line 1: looks like the head of a table (CSV or TSV), and JSON lines are wanted"),
        (gzip.compress(b'{"a": 1}\n', mtime=0), "line 1: is compressed (gzip); unpack it, or give the file a name"),
        (b'{"a": 1\n', "line 1: broken JSON at column"),
        (b'{"a": 1}\n[\n', "line 2: broken JSON at column"),
    ],
)
def test_the_first_line_says_what_else_a_file_is(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        list(iter_records(path))
    assert f"a.jsonl {said}" in str(caught.value)


def test_typed_rows_and_those_that_do_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a": 1, "b": 2}\n{"a": "one"}\n')
    assert list(iter_numbered(path, typed=Row)) == [(1, Row(1)), (2, {"a": "one"})]


@pytest.mark.parametrize(("mark", "byte"), [(b"", 4), (b"\xef\xbb\xbf", 7)])
@pytest.mark.parametrize(
    "words",
    [
        ["check", "--evidence", "Tea.", "--text", "{}"],
        ["check", "Tea is hot.", "--evidence-file", "{}"],
        ["consistency", "--text", "{}", "--source", "{}", "--metric", "rouge-1"],
        ["diff", "{}", "{}"],
        ["diff", "-", "{}"],
        ["synthesise", "{}"],
        ["collection", "add", "town", "{}"],
    ],
)
def test_a_byte_that_is_no_text_has_one_place(
    words: list[str], mark: bytes, byte: int, tmp_path: Path, run_cli: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AVER_HOME", str(tmp_path))
    path = tmp_path / "latin.txt"
    path.write_bytes(mark + b"caf\xe9 is open.\n")
    done = run_cli(*(word.format(path) for word in words), stdin=path.read_bytes())
    assert done.code == 2
    assert f"not UTF-8 at byte {byte}" in done.err
    assert "save" in done.err


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read_bytes(tmp_path / "absent")
    with pytest.raises(InputError, match="is a directory"):
        read_bytes(tmp_path)
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes(gzip.compress(b'{"a": 1}\n' * 1000)[:-20])
    with pytest.raises(InputError, match="cannot be read"):
        read_bytes(cut)
    with pytest.raises(InputError, match="cannot be read further"):
        list(iter_records(cut))
    (tmp_path / "a.json").write_bytes(b'[{"a": 1},\n nope]')
    with pytest.raises(InputError, match=r"a.json line 2: broken JSON"):
        read_records(tmp_path / "a.json")
    (tmp_path / "b.json").write_bytes(b'[{"a": 1}, 2]')
    with pytest.raises(InputError, match=r"b.json item 2: expected a JSON object, found a number"):
        read_records(tmp_path / "b.json")


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("before")

    def rows() -> Any:
        yield {"a": 1}
        raise RuntimeError("the power fails")

    with pytest.raises(RuntimeError):
        write_records(path, rows())
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path], "nothing is left behind"
    write_records(path, [{"a": 1}])
    assert orjson.loads(path.read_bytes()) == {"a": 1}
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    with pytest.raises(InputError, match="cannot be written"), writing(tmp_path / "absent" / "out"):
        pass


def test_a_sentence_of_ten_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    write_records(path, [{"text": "word " * 2_000_000}])
    assert len(read_records(path)[0].fields["text"]) == 10_000_000


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a thing of Unix")
def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(b'{"a": 1}\n{"a": 2}\n'))
    writer.start()
    assert [record.fields for record in read_records(pipe)] == [{"a": 1}, {"a": 2}]
    writer.join()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a thing of Unix")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    assert write_records(pipe, [{"a": 1}, {"a": 2}]) == 2
    reader.join()
    assert got == [b'{"a":1}\n{"a":2}\n']
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


def test_what_is_a_stream(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert not any(is_stream(tmp_path / name) for name in ("file", "link", "none", "file/below", "."))
    # also where the shell sends it to a file: there may be more to come
    assert all(map(is_stream, ("-", "/dev/stdout", "/dev/stderr", "/dev/fd/63", os.devnull)))


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n", b'\n{"a": 1}\n'])
@pytest.mark.parametrize(("line", "column"), [(b'{"claim": "a b"', 16), (b'{"claim": "a b', 15), (b'{"claim": ', 11)])
def test_where_a_line_breaks_off(tmp_path: Path, line: bytes, column: int, end: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a": 1}\n' + line + end)
    with pytest.raises(InputError, match=f"a.jsonl line 2: broken JSON at column {column}: unexpected end of data"):
        list(iter_records(path))


def test_where_an_array_breaks_off(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'[{"a": 1},\n{"a": 2},\n\n')
    with pytest.raises(InputError, match=r"a\.json line 2: broken JSON: unexpected end of data"):
        read_records(path)
