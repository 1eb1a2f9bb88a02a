"""Sentences of two versions, paired; and the words of a pair, compared."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aver.revisions import align, diff_words
from aver.revisions._word_diff import marked

OLD = (
    "Lake Arle is a lake in Norland. It is 50 m deep and covers 12 km2, and it freezes in winter. The town of Arle was "
    "founded in 1202. It has 4,000 inhabitants. They fish. Many tourists come in summer. The bridge opened in 1931."
)
NEW = (
    "Lake Arle is a lake in Norland. It is 52 m deep and covers 12 km2. It freezes in winter. Many tourists come in "
    "summer. The town of Arle was founded in 1202, and it has 4,100 inhabitants. The bridge was opened to traffic in "
    "1932. A new ferry runs."
)

SENTENCES = st.lists(
    st.sampled_from(
        [
            "The tower is 52 metres high.", "The tower is 57 metres high.", "Monks built it long ago.",
            "Nobody lives there now.", "A bridge crosses the river near the town.", "The river is short.",
        ]
    ),
    max_size=8,
)  # fmt: skip


def test_every_sort_of_change() -> None:
    found = [(pair.alignment, pair.moved, pair.before_text, pair.after_text) for pair in align(OLD, NEW)]
    assert found == [
        ("same", False, "Lake Arle is a lake in Norland.", "Lake Arle is a lake in Norland."),
        (
            "split", False, "It is 50 m deep and covers 12 km2, and it freezes in winter.",
            "It is 52 m deep and covers 12 km2. It freezes in winter.",
        ),
        ("removed", False, "They fish.", ""),
        ("same", False, "Many tourists come in summer.", "Many tourists come in summer."),
        (
            "merged", True, "The town of Arle was founded in 1202. It has 4,000 inhabitants.",
            "The town of Arle was founded in 1202, and it has 4,100 inhabitants.",
        ),
        ("reworded", False, "The bridge opened in 1931.", "The bridge was opened to traffic in 1932."),
        ("added", False, "", "A new ferry runs."),
    ]  # fmt: skip


def test_a_sentence_that_only_moved() -> None:
    found = align("One is here. Two is there. Three is gone away.", "Two is there. Three is gone away. One is here.")
    assert [(pair.alignment, pair.after_text) for pair in found] == [
        ("same", "Two is there."), ("same", "Three is gone away."), ("moved", "One is here."),
    ]  # fmt: skip


def test_white_space_is_no_change() -> None:
    assert [pair.alignment for pair in align("The  tower is\nhigh.", "The tower is high.")] == ["same"]
    assert align("", "") == []


@given(SENTENCES, SENTENCES)
@settings(max_examples=60, deadline=None)
def test_every_sentence_is_in_one_pair(old: list[str], new: list[str]) -> None:
    pairs = align(" ".join(old), " ".join(new))
    assert sorted(s.text for pair in pairs for s in pair.before) == sorted(old)
    assert [s.text for pair in pairs for s in pair.after] == [s for s in new if s is not None]
    for pair in pairs:
        assert (pair.alignment == "added") == (not pair.before)
        assert (pair.alignment == "removed") == (not pair.after)
        assert (len(pair.after) > 1) == (pair.alignment == "split")
        assert 0 <= pair.likeness <= 1


@given(SENTENCES)
@settings(max_examples=30, deadline=None)
def test_a_text_against_itself_is_the_same(text: list[str]) -> None:
    assert all(pair.alignment == "same" for pair in align(" ".join(text), " ".join(text)))


def test_long_and_repetitive_texts_end_in_good_time() -> None:
    # quadratic work would take many minutes
    align("The tower is high. " * 4000, "The tower is low. The tower is high. " * 3000)
    diff_words("word " * 200_000, "wort " * 200_000)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("It has 3 bells.", "It has 4 bells.", "It has [-3-]{+4+} bells."),
        ("It is old.", "It is not old.", "It is {+not+} old."),
        ("It is very old.", "It is old.", "It is [-very-] old."),
        ("It is old", "It is old", "It is old"),
        ("", "New.", "{+New.+}"),
    ],
)
def test_marked(before: str, after: str, expected: str) -> None:
    assert marked(before, after) == expected


@given(st.text(alphabet="ab .,1", max_size=60), st.text(alphabet="ab .,1", max_size=60))
@settings(deadline=None)
def test_the_edits_lead_from_one_to_the_other(before: str, after: str) -> None:
    for edit in diff_words(before, after):
        assert before[slice(*edit.before_span)] == edit.before
        assert after[slice(*edit.after_span)] == edit.after
        assert edit.before != edit.after
    if before == after:
        assert diff_words(before, after) == ()
