from __future__ import annotations

import typing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aver
from aver import InputError
from aver.metrics import BLEU, ChrF

SMOOTHS = typing.get_args(typing.get_type_hints(BLEU)["smooth"])
words = st.sampled_from(["the", "cat", "sat", "on", "a", "mat", "."])
sentences = st.lists(words, max_size=9).map(" ".join)
several = st.lists(sentences.filter(bool), min_size=1, max_size=3)


@settings(deadline=None)
@given(st.sampled_from(SMOOTHS))
def test_names_parse_back(smooth: typing.Any) -> None:
    assert aver.measure(str(BLEU(smooth))) == BLEU(smooth)
    assert aver.measure("CHRF") == ChrF()


@settings(deadline=None, max_examples=50)
@given(st.sampled_from(SMOOTHS), st.lists(st.tuples(sentences, several), min_size=1, max_size=4))
def test_figures_lie_between_0_and_100(smooth: typing.Any, rows: list[tuple[str, list[str]]]) -> None:
    predictions, references = [row[0] for row in rows], [row[1] for row in rows]
    for measure in (BLEU(smooth), ChrF()):
        score = measure.score(predictions, references)
        assert all(value is not None and 0 <= value <= 100 for value in score.values.values())


@settings(deadline=None, max_examples=50)
@given(sentences, several)
def test_the_order_of_references_does_not_matter(prediction: str, references: list[str]) -> None:
    for measure in (BLEU(), ChrF()):
        one, other = (measure.score([prediction], [these]) for these in (references, references[::-1]))
        assert dict(one.values) == pytest.approx(dict(other.values))


def test_a_reference_itself_is_perfect_and_no_more() -> None:
    text = "It grossed $ 116 million worldwide ."
    assert BLEU().score([text], [["Another sentence .", text]])["bleu"] == pytest.approx(100)
    assert BLEU().score([text], [[text]])["bleu"] <= 100  # type: ignore[operator]
    assert ChrF().score([text], [[text]])["chrf"] == pytest.approx(100)


def test_rows_may_have_different_numbers_of_references() -> None:
    predictions = ["the cat sat on a mat", "a mat"]
    score = BLEU().score(predictions, [["the cat sat on a mat"], ["the mat", "a mat", "mats"]])
    assert score["bleu"] == pytest.approx(100)


def test_smoothing_is_what_tells_the_variants_apart() -> None:
    predictions, references = ["the cat sat here"], [["the cat lay there"]]
    assert BLEU("none").score(predictions, references)["bleu"] == 0
    assert BLEU("exp").score(predictions, references)["bleu"] > 0  # type: ignore[operator]


def test_nothing_at_all_has_no_score() -> None:
    assert set(BLEU().score([], []).values.values()) == {None}
    assert set(ChrF().score([], []).values.values()) == {None}


@pytest.mark.parametrize("measure", [BLEU(), ChrF()])
def test_rows_without_references_are_named(measure: typing.Any) -> None:
    with pytest.raises(InputError, match="item 2: has no reference"):
        measure.score(["a", "b"], [["a"], []])
