"""Scoring while the text is written: the same sentences and the same score, however the text comes in."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aver import InputError
from aver.consistency import assess, stream

from .conftest import SOURCE, WordJudge

TEXT = (
    "The bridge over the Arle was opened in 1932. Is it safe? Dr. Lund painted it green in May, they say. "
    "It is 200 metres long (and 9 wide). Trams cross it at 5 p.m. every day of the week."
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, len(TEXT)), max_size=12))
def test_however_a_text_is_cut_the_sentences_are_the_same(cuts: list[int]) -> None:
    whole = assess(TEXT, SOURCE, judge=WordJudge())
    places = [0, *sorted(cuts), len(TEXT)]
    scoring = stream(SOURCE, judge=WordJudge())
    early = [s for a, b in pairwise(places) for s in scoring.feed(TEXT[a:b])]
    found = scoring.finish()
    assert found.sentences[: len(early)] == tuple(early)
    assert found.sentences == whole.sentences
    assert (found.score, found.coverage) == (whole.score, whole.coverage)


def test_a_sentence_comes_as_soon_as_it_has_ended() -> None:
    scoring = stream(SOURCE, judge=WordJudge())
    came = [(at, [s.text for s in scoring.feed(c)]) for at, c in enumerate(TEXT)]
    first = next(at for at, some in came if some)
    assert first < TEXT.index("they say")
    assert scoring.score is not None
    assert len(scoring.sentences) >= 3


def test_a_finished_stream_takes_no_more() -> None:
    with stream(SOURCE, judge=WordJudge()) as scoring:
        scoring.feed("The bridge is green.")
    assert scoring.finish().coverage.scored == 1
    assert scoring.finish() == scoring.finish()
    with pytest.raises(InputError, match="finished"):
        scoring.feed("more")
    with pytest.raises(InputError, match="must be text"):
        stream(SOURCE, judge=WordJudge()).feed(None)  # type: ignore[arg-type]


def test_nothing_fed_and_nothing_to_read() -> None:
    assert stream(SOURCE, judge=WordJudge()).finish().status == "no_claims"
    empty = stream("", judge=WordJudge())
    empty.feed("The bridge is green.")
    assert empty.finish().status == "abstained"
