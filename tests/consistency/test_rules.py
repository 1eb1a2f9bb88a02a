"""Peers' rules, worked out by hand over a judge that compares words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aver.consistency import RuleMetric, assess
from aver.consistency._rules import chunks
from aver.models import installed
from aver.text import split_sentences

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


@pytest.mark.parametrize("rule", ["summac-zs", "alignscore", "minicheck"])
def test_what_was_read_is_counted_in_sentences(rule: str, judge: WordJudge) -> None:
    long = " ".join(f"Sentence number {at} of the report is here." for at in range(150)) + " The bridge is green."
    found = assess("The bridge is green.", long, metric=rule, judge=judge)
    assert (found.coverage.source_sentences, found.coverage.source_read) == (151, 151)
    deciding = found.sentences[0].evidence[0]
    sentences = [s.text for s in split_sentences(long)]
    assert deciding.text.startswith(sentences[deciding.number])
    assert long[deciding.start : deciding.end] == deciding.text
    assert assess("Is it safe?", long, metric=rule, judge=judge).coverage.source_read == 0


@pytest.mark.skipif("fast" not in installed(), reason="needs a shipped model")
def test_the_report_counts_sentences(run_cli: Callable[..., Any], tmp_path: Path) -> None:
    text, source = tmp_path / "text.txt", tmp_path / "source.txt"
    text.write_text("The bridge is green.", encoding="utf-8")
    source.write_text("The bridge is green. No toll is paid. Trams do not cross it.", encoding="utf-8")
    done = run_cli("consistency", "--text", text, "--source", source, "--metric", "minicheck", "--judge", "fast")
    assert done.out.splitlines()[-1] == "read: 1 of 1 sentence, against 3 of 3 of the source"


def test_chunks_end_at_sentences_and_hold_everything() -> None:
    text = " ".join(f"Sentence number {at} is here." for at in range(100))
    found = chunks(text, 35)
    assert " ".join(c.text for c in found) == text
    assert all(text[c.start : c.end] == c.text for c in found)
    assert max(len(c.text.split()) for c in found) <= 35
    assert len(found) == 100 / 7 // 1 + 1
    assert chunks("", 10) == []
