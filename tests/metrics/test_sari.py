from __future__ import annotations

import typing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aver
from aver import InputError
from aver.metrics import SARI
from aver.metrics._sari import CONVENTIONS, Variant

VARIANTS = typing.get_args(Variant)
SOURCE = "The film grossed 51 million dollars worldwide ."
TARGET = "The film grossed 116 million dollars in Europe ."

# Few words, so that n-grams repeat within a sentence and across sentences.
sentences = st.lists(st.sampled_from(["a", "b", "c", "D", "1.5", "."]), max_size=8).map(" ".join)
several = st.lists(sentences, min_size=1, max_size=4)
variants = st.sampled_from(VARIANTS)


def test_every_variant_has_a_convention() -> None:
    assert set(CONVENTIONS) == set(VARIANTS)
    assert len(set(CONVENTIONS.values())) == len(VARIANTS), "two names for one thing"


@settings(deadline=None)
@given(variants)
def test_names_parse_back(variant: Variant) -> None:
    assert aver.measure(str(SARI(variant))) == SARI(variant)
    assert str(SARI(variant)) == f"SARI({variant})"


@settings(deadline=None)
@given(variants, sentences, sentences, several)
def test_figures_lie_between_0_and_100(variant: Variant, source: str, prediction: str, references: list[str]) -> None:
    score = SARI(variant).score([prediction], [references], [source])
    assert all(0 <= value <= 100 + 1e-9 for value in score.values.values() if value is not None)
    parts = [score[name] for name in ("keep", "add", "delete")]
    assert score["sari"] == pytest.approx(sum(part for part in parts if part is not None) / 3)


@settings(deadline=None)
@given(variants, sentences, sentences, several, st.randoms(use_true_random=False))
def test_the_order_of_references_does_not_matter(
    variant: Variant, source: str, prediction: str, references: list[str], random: typing.Any
) -> None:
    shuffled = random.sample(references, len(references))
    one, other = (SARI(variant).score([prediction], [these], [source]) for these in (references, shuffled))
    assert dict(one.values) == pytest.approx(dict(other.values))


@settings(deadline=None)
@given(variants, sentences, sentences, several)
def test_saying_every_reference_twice_changes_nothing(
    variant: Variant, source: str, prediction: str, references: list[str]
) -> None:
    one, other = (SARI(variant).score([prediction], [these], [source]) for these in (references, references * 2))
    assert dict(one.values) == pytest.approx(dict(other.values))


@settings(deadline=None)
@given(sentences, sentences)
def test_the_reference_itself_is_perfect_under_t2t(source: str, target: str) -> None:
    assert SARI("t2t").score([target], [[target]], [source])["sari"] == pytest.approx(100)


@settings(deadline=None)
@given(variants, sentences, sentences)
def test_letters_case_does_not_matter(variant: Variant, source: str, target: str) -> None:
    one = SARI(variant).score([target], [[target]], [source])
    other = SARI(variant).score([target.upper()], [[target]], [source])
    assert dict(one.values) == dict(other.values)


@settings(deadline=None)
@given(variants, st.lists(st.tuples(sentences, sentences, several), min_size=1, max_size=4))
def test_the_corpus_is_the_mean_of_its_sentences_where_the_convention_says_so(
    variant: Variant, rows: list[tuple[str, str, list[str]]]
) -> None:
    sources, predictions, references = (list(column) for column in zip(*rows, strict=True))
    corpus = SARI(variant).score(predictions, references, sources)
    own = SARI(variant).rows(predictions, references, sources)
    if CONVENTIONS[variant].corpus == "mean":
        assert corpus["sari"] == pytest.approx(sum(row["sari"] for row in own) / len(own))
    if len(rows) == 1:
        assert corpus.values == own[0]


def test_easse_pools_its_counts_over_the_corpus() -> None:
    # The first row adds one word rightly, the second four words wrongly. Over single words: 1 of 5 added is right,
    # 1 of 1 wanted is found, F1 = 1/3; the mean of the rows' own F1 (1 and 0) would be 1/2.
    sources, predictions, references = ["a"] * 2, ["a b", "a c d e f"], [["a b"], ["a"]]
    pooled = SARI("easse").score(predictions, references, sources)
    # Orders 3 and 4 hold only wrong additions; order 2: 1 right of 1 + 4 added, 1 wanted.
    assert pooled["add"] == pytest.approx(100 * (1 / 3 + 1 / 3 + 0 + 0) / 4)


def test_a_copied_source_shows_how_far_the_variants_lie_apart() -> None:
    deleted = {v: SARI(v).score([SOURCE], [[TARGET]], [SOURCE])["delete"] for v in VARIANTS}
    assert deleted == {
        "easse": 0, "easse_paper": 0, "easse_precision": 0, "cocoxu": 0, "hf": 100, "t2t": 100,
    }  # fmt: skip


def test_an_empty_prediction_is_scored_as_a_sentence_without_words() -> None:
    score = SARI("easse").score([""], [[TARGET]], [SOURCE])
    assert score["keep"] == score["add"] == 0
    assert score["delete"] is not None
    assert score["delete"] > 0


def test_nothing_at_all_has_no_score() -> None:
    assert set(SARI().score([], [], []).values.values()) == {None}


def test_everything_wrong_is_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        SARI().score(["a", 7], [["b"], "c"], ["d"])  # type: ignore[list-item]
    told = "\n".join(caught.value.problems)
    assert "2 predictions but 1 source" in told
    assert "item 2: the prediction is a number, not text" in told
    assert "item 2: references is one text" in told


def test_a_text_of_ten_megabytes_is_refused_with_a_reason() -> None:
    with pytest.raises(InputError, match=r"item 1: the prediction has 10,000,000 characters; the limit is 20,000"):
        SARI().score(["word " * 2_000_000], [["a"]], ["b"])
