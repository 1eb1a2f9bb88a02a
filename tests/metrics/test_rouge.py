from __future__ import annotations

import typing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aver
from aver import InputError
from aver.metrics import ROUGE

VARIANTS = typing.get_args(typing.get_type_hints(ROUGE)["variant"])
sentences = st.lists(st.sampled_from(["two", "cats", "cat", "sat", "down"]), max_size=8).map(" ".join)


@settings(deadline=None)
@given(st.sampled_from(VARIANTS), st.booleans())
def test_names_parse_back(variant: typing.Any, stem: bool) -> None:
    measure = ROUGE(variant, stem=stem)
    assert aver.measure(str(measure)) == measure
    assert aver.measure(f"rouge({variant})") == ROUGE(variant)


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(VARIANTS), st.booleans(), sentences, st.lists(sentences, min_size=1, max_size=3))
def test_figures_and_the_order_of_references(
    variant: typing.Any, stem: bool, prediction: str, references: list[str]
) -> None:
    measure = ROUGE(variant, stem=stem)
    score = measure.score([prediction], [references])
    assert all(0 <= value <= 100 for value in score.values.values())  # type: ignore[operator]
    assert score["f1"] == pytest.approx(measure.score([prediction], [references[::-1]])["f1"])
    assert score["f1"] == pytest.approx(max(measure.score([prediction], [[one]])["f1"] for one in references))  # type: ignore[type-var]


@settings(deadline=None)
@given(sentences.filter(lambda text: len(text.split()) > 1))
def test_the_reference_itself_is_perfect(text: str) -> None:
    for variant in VARIANTS:
        assert ROUGE(variant).score([text], [[text]])["f1"] == pytest.approx(100)


def test_stemming_takes_endings_off() -> None:
    assert ROUGE("1", stem=True).score(["walking dogs"], [["walked dog"]])["f1"] == pytest.approx(100)
    assert ROUGE("1", stem=False).score(["walking dogs"], [["walked dog"]])["f1"] == 0


def test_one_word_has_no_pairs() -> None:
    assert ROUGE("2").score(["cats"], [["cats"]])["f1"] == 0


def test_nothing_at_all_has_no_score() -> None:
    assert set(ROUGE().score([], []).values.values()) == {None}


def test_a_variant_that_is_none_is_told_with_those_that_are() -> None:
    with pytest.raises(InputError, match="it can be: 1, 2, L, Lsum"):
        aver.measure("ROUGE(7)")
