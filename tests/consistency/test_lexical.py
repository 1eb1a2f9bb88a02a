"""The lexical family, beside the packages whose arithmetic it follows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from aver import InputError
from aver.consistency import metric, metrics
from aver.consistency._lexical import LEXICAL, bleu, copied, longest_common, ngram_precision

WORDS = st.lists(st.sampled_from("the cat sat on a mat Dogs bark 1931 . ,".split()), max_size=25).map(" ".join)


@settings(deadline=None)
@given(WORDS, WORDS)
def test_rouge_precision_is_that_of_rouge_score(text: str, source: str) -> None:
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=False)
    theirs = scorer.score(source, text)
    ours = {
        "rouge1": ngram_precision(text, source, 1), "rouge2": ngram_precision(text, source, 2),
        "rougeL": longest_common(text, source),
    }  # fmt: skip
    for name, value in ours.items():
        # where there is nothing to count, theirs is 0 and ours is no score
        assert theirs[name].precision == pytest.approx(0.0 if value is None else value), name


@settings(deadline=None)
@given(WORDS, WORDS)
def test_all_lie_between_0_and_1_and_a_copy_is_1(text: str, source: str) -> None:
    for name, function in LEXICAL.items():
        score = function(text, source)
        assert score is None or 0 <= score <= 1, name
        own = function(text, f"{text} {source}")
        assert own is None or own == pytest.approx(1.0, abs=1e-9), name


def test_novel_sequences_count_against() -> None:
    assert copied("a b c d", "a b c x", 3) == 0.5
    assert copied("a b", "a b", 3) is None
    assert bleu("the cat", "a dog ran off") == pytest.approx(0, abs=0.3)


def test_a_long_source_is_cheap() -> None:
    source = " ".join(f"word{at}" for at in range(50_000))
    assert longest_common("word7 word9 nothing word49999", source) == 0.75


def test_the_family_is_in_the_list_and_takes_no_judge() -> None:
    assert set(LEXICAL) <= set(metrics())
    with pytest.raises(InputError, match="reads with no judge"):
        metric("rouge-1", judge="fast")
    for name in LEXICAL:
        assert metric(name).score(["", "Tea is hot here."], ["Tea.", "Tea is hot here."])[1] == pytest.approx(1), name
        assert metric(name).score([""], ["Tea."]) == [None], name
