"""Peers' rules, worked out by hand over a judge that compares words."""

from __future__ import annotations

import pytest

from aver.consistency import RuleMetric, assess
from aver.consistency._rules import chunks

from .conftest import WordJudge

SOURCE = "The bridge is green. Trams do not cross it. No toll is paid."
TEXT = "The bridge is green. Trams cross it."


def test_summac_takes_the_best_support_less_the_best_refutation(judge: WordJudge) -> None:
    found = RuleMetric("summac-zs", judge).assess(TEXT, SOURCE)
    # every sentence against every sentence
    assert {pair for call in judge.calls for pair in call} == {
        (claim, evidence)
        for claim in ("The bridge is green.", "Trams cross it.")
        for evidence in ("The bridge is green.", "Trams do not cross it.", "No toll is paid.")
    }
    first, second = found.sentences
    green = 0.95 / (0.95 + 0.02 + 0.03)
    assert first.score == pytest.approx((1 + green - 0.02 / 1) / 2, abs=1e-6)
    assert second.score == pytest.approx((1 + 0.05 - 0.9) / 2, abs=1e-6)
    assert found.score == pytest.approx((first.score + second.score) / 2)
    assert second.evidence[0].text == "Trams do not cross it."


def test_alignscore_means_and_minicheck_takes_the_worst(judge: WordJudge) -> None:
    align = assess(TEXT, SOURCE, metric="alignscore", judge=judge)
    assert {evidence for call in judge.calls for _, evidence in call} == {SOURCE}
    scores = [s.score for s in align.sentences]
    assert None not in scores
    mini = assess(TEXT, SOURCE, metric="minicheck", judge=judge)
    assert align.score == pytest.approx(sum(scores) / 2)  # type: ignore[arg-type]
    assert mini.score == min(scores)  # type: ignore[type-var]


def test_chunks_end_at_sentences_and_hold_everything() -> None:
    text = " ".join(f"Sentence number {at} is here." for at in range(100))
    found = chunks(text, 35)
    assert " ".join(c.text for c in found) == text
    assert all(text[c.start : c.end] == c.text for c in found)
    assert max(len(c.text.split()) for c in found) <= 35
    assert len(found) == 100 / 7 // 1 + 1
    assert chunks("", 10) == []
