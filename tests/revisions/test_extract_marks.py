"""The paper's form of an edit: both versions come back to the letter, whatever they hold."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aver import InputError
from aver.revisions import Edit, mark_edit, read_edit
from aver.revisions._extract_marks import changed_regions

# lines as the paper prints them
PRINTED = {
    "2020 coronavirus pandemic in Germany: there have been{*| 349 -> 444 |}confirmed cases and 16 recoveries.": Edit(
        "there have been 349 confirmed cases and 16 recoveries.",
        "there have been 444 confirmed cases and 16 recoveries.",
        "2020 coronavirus pandemic in Germany",
    ),
    "Diego Corrales: Corrales was born to a{*| Puerto Rican -> African American |}father and a"
    "{*| Dominican -> Mexican |}mother .": Edit(
        "Corrales was born to a Puerto Rican father and a Dominican mother .",
        "Corrales was born to a African American father and a Mexican mother .",
        "Diego Corrales",
    ),
}


@pytest.mark.parametrize("line", PRINTED)
def test_the_papers_lines_are_read_and_written(line: str) -> None:
    edit = PRINTED[line]
    assert read_edit(line, titled=True) == edit
    assert mark_edit(edit.before, edit.after, title=edit.title) == line


def test_what_is_put_in_or_taken_out_has_an_empty_side() -> None:
    assert mark_edit("a big tree", "a tree") == "a{*| big -> |}tree"
    assert mark_edit("a tree", "a big tree") == "a{*| -> big |}tree"


# pieces that are signs, halves of signs, and what surrounds them
signs = st.sampled_from(["{*|", "->", "|}", "{", "*", "|", "}", "-", ">", "\\", ": ", ":", " ", "  ", "\n", "a", "7"])
texts = st.one_of(st.text(), st.lists(signs, max_size=12).map("".join))


@settings(deadline=None)
@given(texts, texts, st.none() | texts)
def test_round_trip(before: str, after: str, title: str | None) -> None:
    line = mark_edit(before, after, title=title)
    assert read_edit(line, titled=title is not None) == Edit(before, after, title)


@settings(deadline=None)
@given(texts)
def test_nothing_is_marked_where_nothing_changed(text: str) -> None:
    assert read_edit(mark_edit(text, text)) == Edit(text, text)
    assert not changed_regions(text, text)


@settings(deadline=None)
@given(st.lists(st.sampled_from("the a 12 13 Rome Oslo was in , .".split()), min_size=1, max_size=12), st.data())
def test_regions_turn_one_version_into_the_other(words: list[str], data: st.DataObject) -> None:
    before = " ".join(words)
    after = " ".join(data.draw(st.permutations(words)))
    for bridge in (False, True):
        pieces, last = [], 0
        for region in changed_regions(before, after, bridge=bridge):
            pieces += [before[last : region.start], " ", after[region.new_start : region.new_end], " "]
            last = region.end
        made = "".join([*pieces, before[last:]])
        assert made.split() == after.split()


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("a {*| b -> c", "not closed"),
        ("a {*| b |} c", "out of place"),
        ("a -> b", "out of place"),
        ("{*| a {*| b -> c |} |}", "out of place"),
    ],
)
def test_a_broken_line_says_what_is_wrong(line: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        read_edit(line)


def test_a_title_that_is_not_there_is_asked_for() -> None:
    with pytest.raises(InputError, match="Title"):
        read_edit("no colon here", titled=True)
