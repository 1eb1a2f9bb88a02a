"""Edited sentences of a history: which come out, and which do not."""

from __future__ import annotations

import bz2
import gzip
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest

from aver.errors import InputError
from aver.revisions import MinedEdit, MiningReport, PageRevision, fold_of, mine, mine_revisions, split_of
from aver.revisions._vandalism import vandalised_sentence

HEAD = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="en"><siteinfo></siteinfo>'
REST = (
    "The town of Arle lies on a river in the north of the country. Its harbour is old, and its market is known far "
    "beyond the valley for cheese and for wool. "
)


class Longer:
    """A flagger for tests: an edit that adds digits or letters is factual."""

    name, threshold = "longer", 0.5

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float | None]:
        return [0.9 if len(after) >= len(before) else 0.1 for before, after in pairs]


def history(*texts: str | tuple[str, str], page: str = "Arle") -> list[PageRevision]:
    """Revisions 1, 2, 3 … with these texts (or texts and comments), each behind some that never changes."""
    given = [text if isinstance(text, tuple) else (text, "") for text in texts]
    return [
        PageRevision(page, str(number), f"2024-01-{number:02}", comment, REST * 5 + "\n" + text, "wikitext")
        for number, (text, comment) in enumerate(given, 1)
    ]


def tower(height: int, more: str = "") -> str:
    return f"'''The [[tower]]''' is {height} metres high.<ref>A book, page {height}</ref>{more}"


def told(edits: list[MinedEdit]) -> list[tuple[str, str, str]]:
    return [(edit.revision, edit.before, edit.after) for edit in edits]


def test_an_edit_comes_out_clean() -> None:
    (edit,) = mine_revisions(history(tower(52), (tower(57), "measured again")))
    assert (edit.before, edit.after) == ("The tower is 52 metres high.", "The tower is 57 metres high.")
    assert (edit.page, edit.revision, edit.parent, edit.comment) == ("Arle", "2", "1", "measured again")
    assert (edit.kind, edit.alignment, edit.probability) == ("quantity", "reworded", None)
    assert (edit.fold, edit.split) == (fold_of("Arle"), split_of("Arle"))


def test_reverts_by_their_text() -> None:
    report = MiningReport()
    revisions = history(tower(52), tower(99), tower(98), tower(52), tower(57))
    assert told(list(mine_revisions(revisions, report=report))) == [
        ("5", "The tower is 52 metres high.", "The tower is 57 metres high.")
    ]
    assert (report.reverts, report.reverted) == (1, 2)


def test_reverts_by_what_they_say() -> None:
    revisions = history(tower(52), tower(99), (tower(52, " It is old indeed."), "rv"), tower(57, " It is old indeed."))
    assert [edit.revision for edit in mine_revisions(revisions)] == ["4"]
    revisions = history(tower(52), tower(99), tower(99, " Old."), (tower(52, " Old."), "Undid revision 2 by X"))
    assert list(mine_revisions(revisions)) == []


def test_a_sentence_that_is_put_back_counts_neither_way() -> None:
    more = "\n\nNew text of a page."
    revisions = history(tower(52), tower(99), tower(99, more), tower(52, more))
    assert list(mine_revisions(revisions)) == []


def test_a_revert_is_seen_fifteen_revisions_on_and_no_further() -> None:
    def after(others: int) -> list[MinedEdit]:
        between = [tower(99, f"\n\nLine {n} of some other text." * n) for n in range(1, others)]
        return list(mine_revisions(history(tower(52), tower(99), *between, tower(52))))

    assert not any("99 metres" in edit.after for edit in after(14))
    assert any("99 metres" in edit.after for edit in after(20))


def test_blanking_and_vandalism() -> None:
    report = MiningReport()
    first, second = history(tower(52))[0], PageRevision("Arle", "2", "", "", "gone", "wikitext")
    third = PageRevision("Arle", "3", "", "", REST * 5 + "\n" + tower(57), "wikitext")
    assert [(e.revision, e.parent) for e in mine_revisions([first, second, third], report=report)] == [("3", "1")]
    assert report.vandalism == {"blanked": 1}
    # blanked twice to the same words: what was written in between stands
    fourth = PageRevision("Arle", "4", "", "", "gone", "wikitext")
    fifth = PageRevision("Arle", "5", "", "rv", third.text, "wikitext")
    assert [e.revision for e in mine_revisions([first, second, third, fourth, fifth])] == ["3"]
    # and a page that was cut down for good is mined further
    short = [PageRevision("Arle", str(n), "", "", tower(50 + n, " Short."), "wikitext") for n in range(2, 9)]
    assert [e.revision for e in mine_revisions([first, *short])] == ["5", "6", "7", "8"]
    report = MiningReport()
    revisions = history(tower(52), tower(52).replace("high", "high and it sucks balls"), tower(53))
    assert [e.after for e in mine_revisions(revisions, report=report)] == []
    assert report.vandalism == {"obscenity": 1, "repaired": 1}


@pytest.mark.parametrize(
    ("after", "rule"),
    [
        ("The tower is sooooooo high.", "repetition"),
        ("The tower is high high high high.", "repetition"),
        ("The tower is high THIS IS BORING.", "shouting"),
        ("The tower is stupid.", "obscenity"),
        ("The tower is sdfghjkl high.", "mashing"),
        ("The tower is high!! lol", "chatter"),
        ("The tower of the USA is 57 metres high.", None),
    ],
)
def test_rules_of_vandalism(after: str, rule: str | None) -> None:
    assert vandalised_sentence("The tower is high.", after) == rule


def test_what_is_no_running_text_does_not_come_out() -> None:
    for line in ("| height = {}", "* [[Tower]] {}", "{{{{Infobox|height={}}}}}", "== Since {} ==", "Height: {} m"):
        assert list(mine_revisions(history(line.format(52), line.format(57)))) == []
    # only what stands in a note changed
    assert list(mine_revisions(history(tower(52), tower(52).replace("page 52", "page 53")))) == []


def test_pages_are_apart_and_flags_are_given() -> None:
    report = MiningReport()
    revisions = history(tower(52), tower(557)) + history(tower(52), tower(7), page="Berg")
    found = list(mine_revisions(revisions, flagger=Longer(), report=report))
    assert [(e.page, e.factual, e.probability, e.flagger) for e in found] == [
        ("Arle", True, 0.9, "longer"), ("Berg", False, 0.1, "longer"),
    ]  # fmt: skip
    assert (report.pages, report.revisions, report.pairs, report.factual) == (2, 4, 2, 1)


def test_limit_and_wrong_settings(tmp_path: Path) -> None:
    revisions = history(*(tower(n) for n in range(50, 60)))
    assert len(list(mine_revisions(revisions, limit=3))) == 3
    assert len(list(mine_revisions(revisions, limit=3, flagger=Longer()))) == 3
    with pytest.raises(InputError) as problem:
        mine(tmp_path, limit=0, namespaces=())
    assert len(problem.value.problems) == 2


def xml(pages: int, revisions: int) -> bytes:
    made = []
    for number in range(pages):
        made.append(f"<page><title>Page {number}</title><ns>0</ns><id>{number}</id>")
        for at in range(revisions):
            text = REST * 40 + "\n" + tower(50 + at).replace("<", "&lt;").replace(">", "&gt;")
            made.append(
                f"<revision><id>{number * 1000 + at}</id><timestamp>2024-01-01T00:00:00Z</timestamp>"
                f"<text>{text}</text></revision>"
            )
        made.append("</page>")
    return (HEAD + "".join(made) + "</mediawiki>").encode()


def test_memory_does_not_grow_with_the_dump(tmp_path: Path) -> None:
    def peak(pages: int) -> int:
        path = tmp_path / f"{pages}.xml.gz"
        path.write_bytes(gzip.compress(xml(pages, 20), 1))
        tracemalloc.start()
        count = sum(1 for _ in mine(path))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert count == pages * 19
        return most

    small, large = peak(5), peak(40)
    assert large < 1.5 * small


def test_the_command(tmp_path: Path, run_cli: Callable[..., Any]) -> None:
    dump = tmp_path / "history.xml.bz2"
    dump.write_bytes(bz2.compress(xml(2, 3)))
    out = tmp_path / "edits.jsonl"
    done = run_cli("mine", dump, "--output", out, "--model", "fast")
    assert done.code == 0
    assert "4 edited sentences" in done.out
    rows = [orjson.loads(line) for line in out.read_bytes().splitlines()]
    assert len(rows) == 4
    assert set(rows[0]) == {
        "id", "page", "page_id", "revision", "parent", "timestamp", "comment", "before", "after", "alignment", "kind",
        "kinds", "fold", "split", "probability", "score", "factual", "flagger",
    }  # fmt: skip
    assert all(row["factual"] for row in rows)
    run = run_cli("mine", dump, "--no-flag", "--limit", 3, "--json")
    streamed = run.jsonl
    assert run.err.startswith("3 edited sentences, of "), "counts go where no line of JSON does"
    assert [row["id"] for row in streamed] == [row["id"] for row in rows[:3]]
    shown = run_cli("mine", dump, "--no-flag").out
    assert "The tower is [-50-]{+51+} metres high." in shown
    assert run_cli("mine", out, "--no-flag", "--json").jsonl == rows


def test_a_broken_dump_leaves_nothing_behind(tmp_path: Path, run_cli: Callable[..., Any]) -> None:
    whole = bz2.compress(xml(40, 4))
    out = tmp_path / "out" / "edits.jsonl"
    out.parent.mkdir()
    for name, data in (
        ("cut.xml.bz2", whole[: len(whole) // 2]),
        ("cut.xml", xml(3, 4)[:-200]),
        ("bomb.xml", b'<!DOCTYPE m [<!ENTITY a "b">]>' + xml(1, 2)),
        ("letter.txt", b"Dear reader"),
        ("empty.xml", b""),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        done = run_cli("mine", path, "--no-flag", "--output", out)
        assert done.code == 2, name
        assert name in done.err
        assert list(out.parent.iterdir()) == []


def test_mistakes_are_answered(tmp_path: Path, run_cli: Callable[..., Any]) -> None:
    dump = tmp_path / "history.xml"
    dump.write_bytes(xml(1, 2))
    broken = tmp_path / "edits.jsonl"
    broken.write_text('{"before": "a", "page": "p"}\n{"before": "a", "after": "b", "page": "p", "factual": "yes"}\n')
    for words, said in (
        (["nowhere.xml"], ["nowhere.xml"]),
        ([dump, "--output", dump], ["is the input"]),
        ([dump, "--output", tmp_path / "no" / "x.jsonl"], ["there is no folder"]),
        ([dump, "--no-flag", "--contrast", tmp_path / "c.jsonl"], ["--no-flag"]),
        ([dump, "--flagger", "nose"], ["aver, pair, diff, distance"]),
        ([dump, "--limit", "0"], ["limit"]),
        ([dump, "--output", tmp_path / "a", "--contrast", tmp_path / "a"], ["same file"]),
        ([broken, "--no-flag"], ["line 1", "line 2"]),
        ([dump, "--kind", "git"], ["git"]),
    ):
        done = run_cli("mine", *words)
        assert done.code == 2, words
        for word in said:
            assert word in done.err


def test_the_real_history(data: Path) -> None:
    pytest.importorskip("py7zr")
    (archive,) = (data / "wiki_history_aawiki").glob("*.7z")
    report = MiningReport()
    found = list(mine(archive, report=report))
    assert report.revisions > 50
    assert report.reverts > 5
    assert ("Currently, we have 0 article.", "Currently, we have 0 articles.") in [(e.before, e.after) for e in found]
