"""Every reader, on files that are right and on files that are not."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from aver.collection.readers import (
    Alias,
    Fault,
    Incoming,
    ReadOptions,
    detect_format,
    fever_title,
    find_files,
    prose_of,
    read_file,
)
from aver.collection.readers._html import html_text
from aver.collection.readers._markdown import markdown_text
from aver.errors import InputError


def read(path: Path, **options: Any) -> list[Any]:
    return list(read_file(path, ReadOptions(**options))[1])


def one(path: Path, **options: Any) -> Incoming:
    (item,) = read(path, **options)
    assert isinstance(item, Incoming), item
    return item


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    def make(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return make


Write = Callable[[str, str | bytes], Path]


def test_plain_text(write: Write) -> None:
    path = write("Green_tea.txt", "\ufeffGreen tea.\r\nIt is green.\n")
    found = one(path)
    assert (found.title, found.text) == ("Green tea", "Green tea.\nIt is green.")
    assert found.key == path.resolve().as_posix()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_a_byte_order_mark_says_the_encoding(write: Write, encoding: str) -> None:
    assert one(write("a.txt", "Café".encode(encoding))).text == "Café"


def test_another_encoding_is_an_error_unless_it_is_named(write: Write) -> None:
    path = write("a.txt", "Café au lait".encode("latin-1"))
    with pytest.raises(InputError, match="not UTF-8 at byte 4"):
        read(path)
    assert one(path, encoding="latin-1").text == "Café au lait"


def test_null_bytes_are_no_text(write: Write) -> None:
    with pytest.raises(InputError, match="null bytes"):
        read(write("a.txt", b"ab\x00c"))


@pytest.mark.parametrize(("suffix", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)])
def test_compressed_text_and_what_is_left_of_it(write: Write, suffix: str, pack: Callable[[bytes], bytes]) -> None:
    data = pack(b"Tea is hot. " * 5000)
    found = one(write(f"tea.txt.{suffix}", data))
    assert found.title == "tea"
    assert found.text.startswith("Tea is hot.")
    with pytest.raises(InputError, match=r"cut off|cannot be read"):
        read(write(f"half.txt.{suffix}", data[: len(data) // 2]))


def test_markdown_raised_numbers_join_none(write: Write) -> None:
    found = one(write("raised.md", b"In 1931<sup>2</sup> it held 10<sup>6</sup> cells on 5 m<sup>2</sup>.\n"))
    assert found.text == "In 1931 it held 10^6 cells on 5 m²."


def test_markdown(write: Write) -> None:
    source = """---
title: "Tea time"
---
# Tea

Tea is *hot*, see [this](x.md) and `code`.
It goes on.

- one
- two

| name | hot |
|------|-----|
| tea  | yes |

```
x = 1
```
"""
    found = one(write("tea.md", source))
    assert found.title == "Tea time"
    assert found.text == (
        "Tea\n\nTea is hot, see this and code. It goes on.\n\n- one\n- two\n\nname\n\ntea: hot yes.\n\nx = 1"
    )
    assert one(write("b.md", "# Only\n\nText.")).title == "Only"
    assert one(write("c_d.md", "Text.")).title == "c d"
    assert one(write("empty.md", "\n")).text == ""


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ("| | 2022 | 2021 |\n|---|--:|--:|\n| **EBITDA** | 31.5 | 36.9 |", "EBITDA: 2022 31.5; 2021 36.9."),
        ("EUR | 2022\n---|---\nAssets |\n | \nDebt | 4 approx. | more", "EUR\n\nAssets\n\nDebt: 2022 4 approx."),
        ("| Town | People<br>(2022) |\r\n|---|---|\r\n| [Arle](a.md) | 9 |", "Town\n\nArle: People (2022) 9."),
        # no heads, one column, no rows
        ("| | |\n|---|---|\n| EBITDA | 31.5 |", "EBITDA | 31.5"),
        ("| a |\n|---|\n| b |", "a\n\nb"),
        ("| a | b |\n|---|---|", "a | b"),
    ],
)
def test_rows_of_a_markdown_table_have_the_heads_of_its_columns(write: Write, table: str, text: str) -> None:
    assert one(write("table.md", f"Before.\n\n{table}\n\nAfter.")).text == f"Before.\n\n{text}\n\nAfter."


def test_tables_read_the_same_in_markdown_and_html(write: Write) -> None:
    plain = one(write("t.md", "| EUR | 2022 | 2021 |\n|---|---|---|\n| EBITDA | 31.5 | 36.9 |\n| Assets | | |"))
    page = "<table><tr><th>EUR<th>2022<th>2021<tr><td>EBITDA<td>31.5<td>36.9<tr><td>Assets<td><td></table>"
    assert plain.text == one(write("t.html", page)).text


def test_html(write: Write) -> None:
    page = """<!DOCTYPE html><html><head><title>Milk &amp; more</title><style>p{}</style></head><body>
    <nav>Home <div>About</div></nav><header><h1>Milk</h1></header>
    <p>Milk is
    white.<br>Really.<script>alert("no")</script></p><ul><li>one<li>two</ul><div hidden>secret</div>
    <div role="navigation">menu</div><table><tr><td>1</td><td>2</td></tr></table><footer>imprint</footer></body>"""
    found = one(write("milk.html", page))
    assert found.title == "Milk & more"
    assert found.text == "Milk\n\nMilk is white.\nReally.\n\n- one\n- two\n\n1 2"
    assert one(write("h.html", "<h1>Top</h1><p>Text")).title == "Top"
    assert one(write("l.html", '<meta charset="latin-1"><p>Café'.encode("latin-1"))).text == "Café"
    assert one(write("empty.html", "<html><script>1</script></html>")).text == ""


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("10<sup>6</sup> cells, 12<sup>3</sup> arches, 10<sup>&minus;9</sup>", "10^6 cells, 12^3 arches, 10^−9"),
        ("5 m<sup>2</sup>, 6 km<sup>2</sup>, 3 in<sup>2</sup>, E = mc<sup>2</sup>", "5 m², 6 km², 3 in², E = mc²"),
        ("(a+b)<sup>2</sup>, s<sup>-1</sup>, 2<sup>n</sup>, 10<sup>10<sup>6</sup></sup>", "(a+b)², s⁻¹, 2^n, 10^10^6"),
        ("1<sup>st</sup>, £5<sup>99</sup>, 7–6<sup>(7–5)</sup>", "1st, £5.99, 7–6(7–5)"),
        ("CO<sub>2</sub>, SO<sub>4</sub><sup>2−</sup>, 1010<sub>2</sub>", "CO2, SO4^2−, 1010₂"),
        ("5<sup>1</sup>/<sub>2</sub> and <sup>1</sup>⁄<sub>4</sub>, <sup>14</sup>C", "5 1/2 and 1/4, 14C"),
        ("in 1931<sup>2</sup>, a bay<sup>3</sup> of it<sup>4</sup> (12)<sup>5</sup>.", "in 1931, a bay of it (12)."),
        ("It opened.<sup>2</sup> It closed <sup>3</sup>.<sup>1</sup><sup>,</sup><sup>2</sup>", "It opened. It closed."),
        ('12<sup><a href="#n">1</a></sup>, 13<a href="#n"><sup>2</sup></a>', "12, 13"),
        ('14<sup class="reference">3</sup>, 15<sup>[4]</sup>, 16<sup>5,6</sup>', "14, 15, 16"),
        ('<a href="/c"><sup>14</sup>C</a>, <a href="/a">km<sup>2</sup></a>', "14C, km²"),
        ("<del>1931</del> <ins>1932</ins> <s>a <s>b</s></s><strike>c</strike>", "1932"),
        ("<p>in 1931<sup>2</p><p>in 19<s>31</p><p>More", "in 1931\n\nin 19 31\n\nMore"),
    ],
)  # fmt: skip
def test_what_is_raised_makes_no_number_longer(page: str, text: str) -> None:
    assert html_text(page)[1] == text


def test_a_title_with_a_power() -> None:
    assert html_text("<h1>10<sup>6</sup> cells<sup>[1]</sup></h1>") == ("10^6 cells", "10^6 cells")


@pytest.mark.parametrize("unit", ["<sup>", "</sup>", "<s>", "1<sup>2</sup>", "<sub>1", "<a><sup>"])
def test_marks_without_end_are_read_in_good_time(unit: str) -> None:
    assert "\ufdd0" not in html_text(unit * 20_000)[1]


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (
            "<caption>Key figures</caption><thead><tr><td></td><th>2022</th><th>2021</th></tr></thead>"
            "<tbody><tr><th colspan=3>Results</th></tr><tr><td><td><td></tr>"
            "<tr><th>EBITDA</th><td><p>31.5</p></td>\n<td> 36.9 </td></tr>"
            "<tr><td colspan=3>Staff</td></tr><tr><td>Heads</td><td></td><td>12 approx.</td></tr></tbody>",
            "Key figures\n\nResults\n\nEBITDA: 2022 31.5; 2021 36.9.\n\nStaff\n\nHeads: 2021 12 approx.",
        ),
        ("<tr><th>Town<th>People<br>(2022)<tr><td>Arle<td>9", "Town\n\nArle: People (2022) 9."),
        ("<tr><th>Town<th>People<tr><td>Arle<td>22,000", "Town\n\nArle: People 22,000."),
        # no head row, two of them, heads that span, a layout
        ("<tr><th>EBITDA<td>31.5<td>36.9<tr><th>EBIT<td>1<td>2", "EBITDA 31.5 36.9\n\nEBIT 1 2"),
        ("<tr><th>a<th>b<tr><th>c<th>d<tr><td>1<td>2", "a b\n\nc d\n\n1 2"),
        ("<tr><th>a<th colspan=2>b<tr><td>1<td>2<td>3", "a b\n\n1 2 3"),
        ("<tr><th>a<th>b<tr><td>1<td rowspan=2>2<tr><td>3", "a b\n\n1 2\n\n3"),
        ("<tr><th>a<th>b<tr><td><table><tr><td>x<td>y</table><td>2", "a b\n\nx y\n\n2"),
        ("<tr><th>a<th>b<tr><td>One.<p>Two.<td>2", "a b\n\nOne.\n\nTwo. 2"),
        ("<tr><th>a<th>b", "a b"),
    ],
)
def test_rows_of_an_html_table_have_the_heads_of_its_columns(write: Write, table: str, text: str) -> None:
    page = f"<p>Before.<table>{table}</table><p>After."
    assert one(write("table.html", page)).text == f"Before.\n\n{text}\n\nAfter."


def test_pdf(write: Write) -> None:
    pytest.importorskip("pypdf")
    found = one(write("tea.pdf", _pdf("Tea is hot. It is green.")))
    assert found.title == "tea"
    assert "Tea is hot. It is green." in found.text
    scan = read(write("scan.pdf", _pdf("")))
    assert isinstance(scan[0], Fault)
    assert "scan" in scan[0].reason
    for broken in (b"%PDF-1.4 nonsense", _pdf("Tea is hot.")[:120], b""):
        with pytest.raises(InputError, match="PDF"):
            read(write("broken.pdf", broken))


def _pdf(text: str) -> bytes:
    """A page with one line of text, or none, written by hand."""
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode() if text else b""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    data, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(data)
    return data + b"xref\n0 6\n0000000000 65535 f \n" + table + end


def test_json_lines(write: Write) -> None:
    rows = '{"id": 7, "title": "Tea", "text": "Hot."}\n\n{"title": "Milk", "text": "White."}\n{"text": "No name."}\n'
    path = write("a.jsonl", rows)
    found = read(path)
    assert [(item.key, item.title) for item in found[:2]] == [("7", "Tea"), ("Milk", "Milk")]
    assert found[2].key == f"{path.resolve().as_posix()}#4"


def test_json_lines_that_are_wrong_fail_alone_and_are_named(write: Write) -> None:
    path = write("a.jsonl", b'{"text": "one", "id": 1}\n{broken\n[1]\n{"id": 2}\n{"id": 3, "text": 5}\n\xff\n')
    found = read(path)
    assert [type(item).__name__ for item in found] == ["Incoming", *["Fault"] * 5]
    assert found[1].place == f"{path} line 2"
    assert "broken JSON" in found[1].reason
    assert "has no field 'text'" in found[3].reason
    assert "its fields are: id" in found[3].reason
    assert read(write("b.jsonl", '{"id": 1, "text": null}'))[0].reason == "its field 'text' is null"


def test_given_fields(write: Write) -> None:
    path = write("a.jsonl", '{"url": "u", "head": "H", "main": "Text.", "text": "other"}\n')
    found = one(path, id_field="url", title_field="head", text_field="main")
    assert (found.key, found.title, found.text) == ("u", "H", "Text.")
    (fault,) = read(path, text_field="nope")
    assert "has no field 'nope'" in fault.reason


def test_numbers_of_any_size_are_ids_as_they_are_written(write: Write) -> None:
    lines = [f'{{"id": {number}, "text": "Tea."}}' for number in (2**70, 2**70 + 1, 7, 1.5)]
    keys = [str(2**70), str(2**70 + 1), "7", "1.5"]
    assert [item.key for item in read(write("a.jsonl", "\n".join(lines)))] == keys
    assert [item.key for item in read(write("b.json", f"[{', '.join(lines)}]"))] == keys


def test_a_json_array(write: Write) -> None:
    path = write("a.json", '[{"id": "x", "text": "one"},\n 5]')
    found = read(path)
    assert found[0].key == "x"
    assert found[1].place == f"{path} item 2"
    with pytest.raises(InputError, match="broken JSON at line 1"):
        read(write("b.json", '[{"id": '))


def test_csv(write: Write) -> None:
    path = write("a.csv", 'id,title,text\n1,Tea,"Hot, and\ngreen."\n2,Milk\n3,Wine,Red.\n')
    found = read(path)
    assert found[0].text == "Hot, and\ngreen."
    assert isinstance(found[1], Fault)
    assert "has 2 fields where the first line names 3" in found[1].reason
    assert found[2].key == "3"
    assert one(write("a.tsv", "id\ttext\n1\tHot, hot.\n")).text == "Hot, hot."
    assert one(write("b.csv", "id;text\n1;Hot, hot.\n")).text == "Hot, hot."
    assert one(write("long.csv", "id,text\n1," + "x" * 300_000)).text == "x" * 300_000
    assert read(write("empty.csv", "\n")) == []
    for content in ("\n1,Hot.", "id,text\n1,Café".encode("latin-1"), 'id,text\n1,"open'):
        with pytest.raises(InputError):
            read(write("c.csv", content))


def test_parquet(tmp_path: Path, write: Write) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = pyarrow.table({"id": [1, 2, 3], "title": ["Tea", "Milk", None], "text": ["Hot.", None, "Red."]})
    parquet.write_table(table, tmp_path / "a.parquet")
    found = read(tmp_path / "a.parquet")
    assert [type(item).__name__ for item in found] == ["Incoming", "Fault", "Incoming"]
    assert (found[0].key, found[2].title) == ("1", "3")
    with pytest.raises(InputError, match="Parquet"):
        read(write("b.parquet", (tmp_path / "a.parquet").read_bytes()[:100]))


PAGES = [
    {"id": "", "text": "", "lines": ""},
    {
        "id": "Soul_Food_-LRB-film-RRB-",
        "text": "Soul Food is a film . It was a hit . ",
        "lines": "0\tSoul Food is a film .\tfilm\tFilm\n1\t\n2\tIt was a hit .\n3\t",
    },
    {"id": "Odd", "text": "Something else", "lines": "0\tFirst line .\n1\tSecond line .\tx\ty"},
]


def test_fever_pages_keep_their_line_numbers(write: Write) -> None:
    path = write("wiki-001.jsonl", b"".join(orjson.dumps(page) + b"\n" for page in PAGES))
    assert detect_format(path) == "fever"
    first, second = read(path)
    assert (first.key, first.title) == ("Soul_Food_-LRB-film-RRB-", "Soul Food (film)")
    assert first.sentences == ((0, 0, 21), (2, 22, 36))
    assert first.text[22:36] == "It was a hit ."
    # where the text is not that of the lines, the lines are what predictions are scored by
    assert second.text == "First line .\nSecond line ."
    assert [second.text[a:b] for _, a, b in second.sentences] == ["First line .", "Second line ."]


@pytest.mark.parametrize("lines", ["garbage", "", "0\t\n1\t"])
def test_a_fever_page_without_lines_is_a_fault(write: Write, lines: str) -> None:
    row = orjson.dumps({"id": "Tea", "text": "Tea is hot .", "lines": lines})
    (fault,) = read(write("wiki-001.jsonl", row))
    assert "no sentence in its 'lines'" in fault.reason


def test_fever_titles() -> None:
    assert fever_title("Mission-COLON-_Impossible_-LSB-x-RSB-") == "Mission: Impossible [x]"
    assert fever_title("Beyonce\u0301") == "Beyoncé"


def test_formats_are_seen_in_the_content_where_the_name_says_nothing(write: Write) -> None:
    assert detect_format(write("a", '{"text": "x"}\n')) == "jsonl"
    assert detect_format(write("b", "  <!doctype html><p>x")) == "html"
    assert detect_format(write("c", b"%PDF-1.7")) == "pdf"
    assert detect_format(write("dump-p1p2.bz2", bz2.compress(b'<mediawiki xml:lang="en">'))) == "mediawiki"
    assert detect_format(write("page", b"<?xml version='1.0'?>\n<!-- x -->\n<HTML lang=en>")) == "html"
    assert detect_format(write("part", "<p>Tea.</p>")) == "html"
    assert detect_format(write("array", '[ {"text": "x"} ]')) == "jsonl"
    assert detect_format(write("d.bin", b"\x00\x01")) is None
    for name, content in (("letter.rtf", "{\\rtf1 x}"), ("letter.docx", "PK\x03\x04")):
        assert detect_format(write(name, content)) is None
        with pytest.raises(InputError, match="save it as text, HTML or PDF"):
            read(write(name, content))
    with pytest.raises(InputError, match="--format"):
        read(write("e.bin", b"what"))
    assert one(write("f.log", "Text."), format="text").text == "Text."
    with pytest.raises(InputError, match="no format 'word'"):
        read(write("g.txt", "Text."), format="word")


def test_folders_are_walked_in_order_without_hidden_files(write: Write, tmp_path: Path) -> None:
    for name in ("b/2.txt", "a.txt", "b/1.txt", ".hidden", ".git/x.txt"):
        write(name, "x")
    found = [(file.path.relative_to(tmp_path).as_posix(), file.named) for file in find_files([tmp_path])]
    assert found == [("a.txt", False), ("b/1.txt", False), ("b/2.txt", False)]
    again = list(find_files([tmp_path / "b" / "1.txt", tmp_path]))
    assert [file.named for file in again] == [True, False, False]


def test_linked_folders_are_followed_once_and_not_back_up(write: Write, tmp_path: Path) -> None:
    for name in ("given/a.txt", "given/z/own.txt", "other/b.txt", "other/deep/c.txt"):
        write(name, "x")
    for link, target in (
        ("given/b-again", "../other"), ("given/link", "../other"), ("given/own", "z"), ("given/up", ".."),
        ("given/z/up", ".."), ("other/deep/round", "../../given"), ("given/self", "self"), ("given/.dot", "../other"),
    ):  # fmt: skip
        (tmp_path / link).symlink_to(target)
    found = [file.path.relative_to(tmp_path).as_posix() for file in find_files([tmp_path / "given"])]
    assert found == ["given/a.txt", "given/self", "given/z/own.txt", "given/b-again/b.txt", "given/b-again/deep/c.txt"]
    again = [file.path for file in find_files([tmp_path / "other", tmp_path / "given"])]
    assert again[:2] == [tmp_path / "other/b.txt", tmp_path / "other/deep/c.txt"]
    assert len(again) == 5


def test_a_pdf_at_hand_as_bytes(write: Write) -> None:
    pytest.importorskip("pypdf")
    data = _pdf("Tea is hot. It is green.")
    assert prose_of(data, "-", rows="") == prose_of(data, write("tea.pdf", data), rows="") == "Tea is hot. It is green."
    with pytest.raises(InputError, match="standard input: no text in it"):
        prose_of(_pdf(""), "-", rows="")


def test_an_alias_is_no_document() -> None:
    assert not isinstance(Alias("a", "b"), Incoming)


def test_a_table_with_a_column_twice_is_refused(write: Write, run_cli: Any, tmp_path: Path) -> None:
    path = write("twice.csv", "id,text,text\n1,First.,Second.\n")
    with pytest.raises(InputError, match="has 2 columns named 'text'; rename all but the one to be read"):
        read(path)
    done = run_cli("collection", "add", str(tmp_path / "made"), str(path))
    assert done.code == 2
    assert f"aver: {path}: has 2 columns named 'text'" in done.err
    done = run_cli("collection", "add", str(tmp_path / "made"), "-", "--format", "csv", stdin=path.read_bytes())
    assert done.code == 2
    assert "aver: standard input: has 2 columns named 'text'" in done.err
    with pytest.raises(InputError, match="has 3 columns named 'key'"):
        read(write("keys.tsv", "key\tkey\ttext\tkey\n1\t2\tTea.\t3\n"), id_field="key")
    # what is not read may stand there as often as it likes
    assert one(write("notes.csv", "id,text,note,note,,\n1,Tea.,a,b,,\n")).text == "Tea."
    assert one(path.rename(tmp_path / "other.csv"), id_field="id", text_field="id").text == "1"


def test_a_parquet_table_with_a_column_twice_is_refused(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = [pyarrow.array([word]) for word in ("1", "First.", "Second.")]
    parquet.write_table(pyarrow.Table.from_arrays(columns, names=["id", "text", "text"]), tmp_path / "twice.parquet")
    with pytest.raises(InputError, match="has 2 columns named 'text'"):
        read(tmp_path / "twice.parquet")


@pytest.mark.parametrize("what", ["id", "title"])
def test_a_truth_value_is_no_name(write: Write, what: str) -> None:
    (fault,) = read(write("a.jsonl", orjson.dumps({what: True, "text": "Tea."})))
    assert isinstance(fault, Fault)
    assert fault.reason == f"its {what} is a truth value, not a string or number"
    assert one(write("b.jsonl", b'{"id": 7, "text": "Tea."}')).key == "7"


def test_where_json_breaks_off(write: Write) -> None:
    (fault,) = read(write("a.jsonl", '{"text": "Tea"\n'))
    assert fault.reason == "broken JSON at column 15: unexpected end of data"
    with pytest.raises(InputError, match="broken JSON at line 2, column 8"):
        read(write("a.json", '[{"text": "Tea."},\n{"a": 1\n'))


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("~~It cost £9.4m.~~ It cost £8.9m.", "It cost £8.9m."),
        ("It is ~5 km long, ~~ and H~2~O.", "It is ~5 km long, ~~ and H~2~O."),
        ("| A | B |\n|---|---|\n| x | ~~5~~ 6 |", "A\n\nx: B 6."),
        ("Opened in 1931.[^1]\n\n[^1]: https://example.org/a", "Opened in 1931."),
        ("It cost 5[^b] million.\n\n[^b]: Minutes of 1932, p. 3.", "It cost 5 million.\n\nMinutes of 1932, p. 3."),
        ("It has *10*^6 cells, `a[^1]` and [a^1](b).", "It has 10^6 cells, a[^1] and a^1."),
    ],
)
def test_markdown_leaves_out_what_is_struck_out_and_the_marks_of_notes(page: str, text: str) -> None:
    assert markdown_text(page)[1] == text
