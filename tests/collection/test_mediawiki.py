"""MediaWiki dumps: real ones and made ones, broken ones and hostile ones."""

from __future__ import annotations

import bz2
import gzip
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from aver.collection.readers import Alias, Incoming, ReadOptions, read_file, strip_wikitext
from aver.errors import InputError

HEAD = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="en">'
    "<siteinfo><sitename>W</sitename></siteinfo>"
)


def page(title: str, *revisions: str, ns: int = 0, redirect: str = "") -> str:
    made = "".join(
        f"<revision><id>{number}</id><timestamp>20{number:02}-01-01T00:00:00Z</timestamp>"
        f"<contributor><username>X</username><id>99</id></contributor><model>wikitext</model>"
        f'<text bytes="1" xml:space="preserve">{text}</text></revision>'
        for number, text in enumerate(revisions, 10)
    )
    said = f'<redirect title="{redirect}" />' if redirect else ""
    return f"<page><title>{title}</title><ns>{ns}</ns><id>5</id>{said}{made}</page>"


def dump(*pages: str) -> bytes:
    return (HEAD + "".join(pages) + "</mediawiki>").encode()


def read(path: Path, **options: Any) -> list[Any]:
    return list(read_file(path, ReadOptions(**options))[1])


def test_pages_revisions_redirects_and_namespaces(tmp_path: Path) -> None:
    path = tmp_path / "w.xml"
    path.write_bytes(
        dump(
            page("Tea", "'''Tea''' is &lt;b&gt;hot&lt;/b&gt;.", "Tea is [[cold]]."),
            page("Chai", "#REDIRECT [[Tea#History]]", redirect="Tea"),
            page("Talk:Tea", "Blah.", ns=1),
        )
    )
    found = read(path)
    assert [(i.key, i.origin, i.timestamp, i.text) for i in found if isinstance(i, Incoming)] == [
        ("Tea", "10", "2010-01-01T00:00:00Z", "Tea is hot."),
        ("Tea", "11", "2011-01-01T00:00:00Z", "Tea is cold."),
    ]
    assert {i for i in found if isinstance(i, Alias)} == {Alias("Chai", "Tea")}
    assert [i.key for i in read(path, namespaces=(1,))] == ["Talk:Tea"]


@pytest.mark.parametrize(("suffix", "pack"), [("bz2", bz2.compress), ("gz", gzip.compress)])
def test_compressed_and_cut_off(tmp_path: Path, suffix: str, pack: Any) -> None:
    import random

    words = random.Random(1)
    pages = [page(f"P{n}", " ".join(f"w{words.random()}" for _ in range(400))) for n in range(400)]
    data = pack(dump(*pages))
    whole = tmp_path / f"w.xml.{suffix}"
    whole.write_bytes(data)
    assert len(read(whole)) == 400
    half = tmp_path / f"half.xml.{suffix}"
    half.write_bytes(data[: len(data) // 2])
    items = read_file(half, ReadOptions())[1]
    found = []
    with pytest.raises(InputError, match=r"cut off|cannot be read"):
        found.extend(items)
    assert 0 < len(found) < 400


def test_plain_xml_cut_off_or_broken(tmp_path: Path) -> None:
    path = tmp_path / "w.xml"
    for data, said in (
        (dump(page("A", "x"), page("B", "y"))[:-40], "cut off.*after"),
        (dump(page("A", "x")).replace(b"</title>", b"</tilte>"), "broken XML at line 1"),
        (b"", "empty"),
        (b"<rss></rss>", "expected a MediaWiki dump"),
    ):
        path.write_bytes(data)
        with pytest.raises(InputError, match=said):
            read(path)


def test_entities_are_refused_before_they_grow(tmp_path: Path) -> None:
    lines = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<!DOCTYPE mediawiki [<!ENTITY l0 "ha">{lines}]><mediawiki><page><title>&l11;</title></page></mediawiki>'
    path = tmp_path / "bomb.xml"
    path.write_text(bomb)
    with pytest.raises(InputError, match="refused"):
        read(path)
    outside = '<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><mediawiki><page><title>&x;</title></page></mediawiki>'
    path.write_text(outside)
    with pytest.raises(InputError, match="refused"):
        read(path)


def test_memory_does_not_grow_with_the_dump(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        path = tmp_path / f"{count}.xml.gz"
        path.write_bytes(gzip.compress(dump(*(page(f"P{n}", "Tea is hot. " * 400) for n in range(count)))))
        tracemalloc.start()
        for _ in read_file(path, ReadOptions())[1]:
            pass
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    small, large = peak(150), peak(1200)
    assert large < 1.5 * small


def test_seven_zip(tmp_path: Path) -> None:
    py7zr = pytest.importorskip("py7zr")
    data = dump(*(page(f"P{n}", f"Text {n} of a page.") for n in range(300)))
    path = tmp_path / "w.xml.7z"
    with py7zr.SevenZipFile(path, "w") as archive:
        archive.writestr(data, "w.xml")
    assert len(read(path)) == 300
    items = read_file(path, ReadOptions())[1]
    assert next(iter(items)).key == "P0"
    items.close()  # type: ignore[attr-defined]
    for broken in (path.read_bytes()[:200], b"7z\xbc\xaf\x27\x1c" + b"\x00" * 50):
        bad = tmp_path / "bad.7z"
        bad.write_bytes(broken)
        with pytest.raises(InputError):
            read(bad)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("'''Tea''' is a [[drink|hot drink]] of [[China]].", "Tea is a hot drink of China."),
        ("Tea{{cite|a={{b|c}}}} is hot.<ref name=x>note [[a]]</ref><ref name=y/>", "Tea is hot."),
        ("{{Infobox\n| name = Tea\n| b = {{c}}\n}}\nTea is hot.", "Tea is hot."),
        ("{| class=x\n| a\n{|\n| b\n|}\n|}\nTea.", "Tea."),
        ("[[File:a.jpg|thumb|A [[cup]] of tea]]Tea.[[Category:Tea]][[de:Tee]]", "Tea."),
        ("See [http://x.org the site] and [http://y.org].", "See the site and ."),
        ("== History ==\nOld.\n== See also ==\n* [[x]]\n== Use ==\nNew.", "History\n\nOld.\n\nUse\n\nNew."),
        ("* one\n* two", "- one\n- two"),
        ("It opened in {{start date|1931|5|1}}.", "It opened in May 1, 1931."),
        ("Born {{Birth date and age|df=yes|1931|05|01}} in {{Start date|1931}}.", "Born 1 May 1931 in 1931."),
        ("{{convert|10|to|20|km|mi|abbr=on}}, {{cvt|412|m|ft|0}} tall", "10 to 20 km, 412 m tall"),
        ("{{convert|5|km|mi}} long, {{lang|fr|très}} {{nowrap|a b}}, {{circa|1900}}.", "5 km long, très a b, c. 1900."),
        ("It is {{val|5.2|u=km}} by {{val|3|-|4|ul=m}}, {{val|6.2|(1)|e=18}}.", "It is 5.2 km by 3–4 m, 6.2×10^18."),
        ("{{formatnum:12345}}, {{formatnum:1234|R}}, {{nts|1234}} and {{number|5}}", "12,345, 1234, 1,234 and 5"),
        ("{{frac|1|2}}, 5{{frac|1|2}}, {{sfrac|3}} or {{fraction|6|1|4}}", "1/2, 5 1/2, 1/3 or 6 1/4"),
        ("{{as of|2020}}, {{As of|2020|5|lc=y}}. {{As of|2020|5|1}}", "As of 2020, as of May 2020. As of 1 May 2020"),
        ("{{US$|5 million}}, {{£|4}}, {{€|4.5}}, {{US$|{{formatnum:12345}}}}", "US$5 million, £4, €4.5, US$12,345"),
        ("He (age {{age|1969|7|20}}) is a {{age|1969|7|20}}-year-old man.", "He is a man."),
        ("He is {{age|1969|7|20}}; he was {{Age|1950|5|1|2000|4|1}}.", "He is …; he was 49."),
        ("{{val}}{{frac}}{{as of}}{{formatnum:}}{{age}}{{e}}{{agency|a|5}}Tea{{unknown|5}}.", "Tea."),
        ("10<sup>6</sup>, 12<sup>3</sup>, 6{{e|18}}, km{{sup|2}}, 9<sup>−6</sup>", "10^6, 12^3, 6×10^18, km², 9^−6"),
        ("in 1931<sup>2</sup>, 12<sup>[[#Notes|1]]</sup>, 13<sup class=reference>[1]</sup>", "in 1931, 12, 13"),
        ("<s>1931</s> <del>or</del> 1932, CO<sub>2</sub>, {{frac|7}}<sup>1", "1932, CO2, 1/7^1"),
        ("A<br/>B &amp; C&nbsp;D <!-- no --> __NOTOC__", "A\n\nB & C D"),
        ("Tea ( {{IPA|ti}}; {{x}} ) is.", "Tea is."),
        ("[[Tea (drink)|]] and [[:Category:Tea]]", "Tea and Category:Tea"),
        ("[[a|b [c] d]] {{x|{y}}} {{unclosed [[also", "b [c] d } unclosed also"),
    ],
)  # fmt: skip
def test_wikitext(source: str, text: str) -> None:
    assert strip_wikitext(source) == text


@pytest.mark.parametrize(
    "unit",
    ["{{", "[[", "{|\n", "<ref>", "<sup>", "{{age|", "(age ", "{{a|", "}}", "''", "<!--", "[http://x ", "(;", "=="],
)
def test_wikitext_that_never_ends_is_read_in_good_time(unit: str) -> None:
    # quadratic behaviour would take minutes
    strip_wikitext(unit * 20_000)
    nested = "{{a|" * 3000 + "}}" * 3000
    assert len(strip_wikitext(nested)) <= len(nested)


def test_the_real_dumps(data: Path) -> None:
    articles = data / "wiki_dump_gensim" / "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"
    found = read(articles)
    pages = {item.key: item for item in found if isinstance(item, Incoming)}
    assert len(pages) == 106
    assert pages["Anarchism"].text.startswith("Anarchism is a political philosophy that advocates self-governed")
    assert not any(mark in item.text for item in pages.values() for mark in ("{{", "[[", "<ref"))
    assert Alias("AccessibleComputing", "Computer accessibility") in found

    pytest.importorskip("py7zr")
    history = read(data / "wiki_history_aawiki" / "aawiki-20260101-pages-meta-history.xml.7z")
    revisions = [item for item in history if isinstance(item, Incoming)]
    assert len(revisions) == 81
    assert len({item.key for item in revisions}) < 81
