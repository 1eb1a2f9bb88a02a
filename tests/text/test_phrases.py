"""Noun phrases, by rule and by a spaCy pipeline."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver import AverError, InputError
from aver.text import load_parser, noun_phrases


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("Fox 2000 Pictures released the film Soul Food.", ["Fox 2000 Pictures", "film Soul Food"]),
        ("Telemundo is a television network.", ["Telemundo", "television network"]),
        ("War and Peace was written by Leo Tolstoy.", ["War and Peace", "Leo Tolstoy"]),
        ("It is not.", []),
        ("", []),
        ("… !", []),
    ],
)
def test_phrases_stand_between_the_small_words(text: str, phrases: list[str]) -> None:
    assert [phrase.text for phrase in noun_phrases(text)] == phrases


@given(st.text(max_size=200))
def test_places_are_right_and_in_order(text: str) -> None:
    found = noun_phrases(text)
    assert all(text[p.start : p.end] == p.text for p in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))


def test_a_pipeline_that_does_not_parse_is_told_of() -> None:
    with pytest.raises(InputError, match="finds no noun phrases"):
        noun_phrases("Tea is hot.", parser=lambda text: text)


def test_spacy_that_is_missing_or_has_no_such_pipeline_is_told_of() -> None:
    with pytest.raises(AverError, match=r"aver\[spacy\]|spacy download no_such"):
        load_parser("no_such")


def test_spacys_noun_chunks_lose_their_articles() -> None:
    spacy = pytest.importorskip("spacy")
    from spacy.tokens import Doc

    vocabulary = spacy.blank("en").vocab

    def parsed(text: str) -> Doc:
        return Doc(
            vocabulary,
            words=["The", "old", "bridge", "opened", "."],
            spaces=[True, True, True, False, False],
            pos=["DET", "ADJ", "NOUN", "VERB", "PUNCT"],
            heads=[2, 2, 3, 3, 3],
            deps=["det", "amod", "nsubj", "ROOT", "punct"],
        )

    assert [tuple(p) for p in noun_phrases("The old bridge opened.", parser=parsed)] == [("old bridge", 4, 14)]
