"""Harmless edits change the words of a sentence and none of its facts."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver.revisions import harmless_edit
from aver.revisions._harmless import _EDITS
from aver.text import find_dates, find_quantities

SENTENCES = [
    "He won two medals at the theatre , about 40 % of them gold , on May 3 , 1999 .",
    "However , it was founded in 1920 and mainly sells colour television sets to 12 countries .",
    "The film ( /fɪlm/ ) was released on 3 May 1999 , and grossed $ 40 million .",
    "She began her career in New York City because many people live there .",
]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_numbers_and_dates_stay_what_they_are(sentence: str) -> None:
    changed = set()
    for seed in range(300):
        edited = harmless_edit(sentence, random.Random(seed))
        if edited is None:
            continue
        assert edited != sentence
        changed.add(edited)
        assert [d.key for d in find_dates(edited)] == [d.key for d in find_dates(sentence)], edited
        assert sorted(q.value for q in find_quantities(edited)) == sorted(q.value for q in find_quantities(sentence)), (
            edited
        )
    assert len(changed) > 10


def test_names_stay() -> None:
    for seed in range(200):
        edited = harmless_edit(SENTENCES[3], random.Random(seed))
        assert edited is None or "New York City" in edited


def test_the_same_stream_gives_the_same_edit() -> None:
    for sentence in SENTENCES:
        assert harmless_edit(sentence, random.Random(7)) == harmless_edit(sentence, random.Random(7))


def test_nothing_to_edit() -> None:
    assert harmless_edit("", random.Random(1)) is None
    assert harmless_edit("No .", random.Random(1)) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a theatre", "a theater"), ("It won two prizes", "It won 2 prizes"), ("40 % of", "40 percent of"),
        ("on May 3 , 1999", "on 3 May 1999"), ("However , it fell", "It fell"),
        ("The dog ran", "Notably , the dog ran"), ("about 40 men", "approximately 40 men"),
        ("sold , and won", "sold and won"),
        ("It ( USA ) won", "It won"), ("the `` Ring '' cycle", 'the " Ring " cycle'),
    ],
)  # fmt: skip
def test_each_way_does_what_it_says(before: str, after: str) -> None:
    found = {edit(before, random.Random(seed)) for edit in _EDITS for seed in range(30)}
    assert after in found


@given(st.text(max_size=200), st.integers(0, 20))
def test_any_text_is_survived(text: str, seed: int) -> None:
    edited = harmless_edit(text, random.Random(seed))
    assert edited is None or edited != text


@given(
    st.lists(st.sampled_from("two 2 % percent May 3 , 1999 However ( ABC ) and began use colour 12 `` '' The".split()))
)
def test_any_jumble_is_survived(words: list[str]) -> None:
    text = " ".join(words)
    edited = harmless_edit(text, random.Random(len(text)))
    assert edited is None or re.sub(r"\W", "", edited) or edited != text
