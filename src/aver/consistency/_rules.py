"""Peers' definitions over any judge: what is compared with what, and how the answers become one number.

With the judge held fixed, a difference between two of these is a difference between definitions.

- `summac-zs` (Laban et al., 2022): every sentence of the source against every sentence of the text; a sentence's
  score is its highest support minus its highest refutation, and the text's is their mean, moved from [-1, 1] to [0, 1].
- `alignscore` (Zha et al., 2023): the source in chunks of about 350 words at sentence ends; highest support over the
  chunks, mean over the sentences.
- `minicheck` (Tang et al., 2024): chunks of about 500 words; highest support over the chunks; a text is as consistent
  as its least supported sentence.

A judge that reads less than a chunk at once reads it in windows (see `aver.models`).
"""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import NamedTuple

from aver.consistency._metric import JudgeMetric, Progress, check_pairs, judge_of
from aver.consistency._reading import claims_of, cut_in, read_in_blocks
from aver.consistency._results import Assessment, Coverage, SentenceAssessment, SourceSentence
from aver.consistency._source import cut_note
from aver.labels import Label
from aver.models import Judge
from aver.results import Judgement
from aver.text import Sentence, split_sentences, words

__all__ = ["RULES", "Chunk", "Rule", "RuleMetric", "chunks"]

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO


@dataclasses.dataclass(frozen=True, slots=True)
class Rule:
    """A peer's definition."""

    words: int
    """About how many words of the source are read at once, at sentence ends; 0: one sentence."""
    minus_refutation: bool
    over_sentences: Callable[[Sequence[float]], float]
    what: str


RULES: dict[str, Rule] = {
    "summac-zs": Rule(0, True, fmean, "SummaC-ZS: every source sentence against every sentence of the text."),
    "alignscore": Rule(350, False, fmean, "AlignScore's rule: best of the source's chunks, mean over sentences."),
    "minicheck": Rule(500, False, min, "MiniCheck's rule: best of the source's chunks, the worst sentence counts."),
}


class Chunk(NamedTuple):
    """A stretch of whole sentences, and its place."""

    text: str
    start: int
    end: int
    number: int
    """Of its first sentence, from 0."""
    sentences: int


def chunks(text: str, size: int) -> list[Chunk]:
    """The text in stretches of whole sentences of about `size` words; 0: every sentence by itself.

    >>> [(c.text, c.number, c.sentences) for c in chunks("It rained. Tea is hot. So it goes.", 5)]
    [('It rained. Tea is hot.', 0, 2), ('So it goes.', 2, 1)]
    """
    found: list[Chunk] = []
    held = number = 0
    for sentence in split_sentences(text):
        count = sum(not w.is_punctuation for w in words(sentence.text))
        if not count:
            continue
        if found and held + count <= size:
            start, first = found[-1].start, found[-1].number
            found[-1] = Chunk(text[start : sentence.end], start, sentence.end, first, number - first + 1)
            held += count
        else:
            found.append(Chunk(*sentence, number, 1))
            held = count
        number += 1
    return found


class _Best:
    """The best of what chunks said about one sentence."""

    def __init__(self) -> None:
        self.supports = self.refutes = 0.0
        self.read = 0.0
        self.count = 0
        self.at: dict[Label, tuple[int, Judgement]] = {}
        self.failed: Judgement | None = None

    def add(self, at: int, judgement: Judgement) -> None:
        if judgement.label is None:
            self.failed = judgement
            return
        self.count += 1
        self.read += judgement.coverage
        supports, refutes = judgement.probabilities[S], judgement.probabilities[R]
        if S not in self.at or supports > self.supports:
            self.supports, self.at[S] = supports, (at, judgement)
        if R not in self.at or refutes > self.refutes:
            self.refutes, self.at[R] = refutes, (at, judgement)


class RuleMetric(JudgeMetric):
    """One of `RULES` over a judge."""

    def __init__(self, name: str, judge: str | os.PathLike[str] | Judge | None = None) -> None:
        self.name = name
        self.rule = RULES[name]
        self.judge = judge_of(judge)
        self.model = self.judge.model

    def assess_all(
        self, texts: Sequence[str], sources: Sequence[str], *, progress: Progress | None = None
    ) -> list[Assessment]:
        check_pairs(texts, sources)
        began = time.perf_counter()
        cut = [claims_of(text) for text in texts]
        parts: dict[str, list[Chunk]] = {}
        best: dict[tuple[int, int], _Best] = {}

        def asked() -> Iterator[tuple[tuple[int, int, int], str, str]]:
            for row, source in enumerate(sources):
                if source not in parts:
                    parts[source] = chunks(source, self.rule.words)
                for number, (sentence, reason) in enumerate(cut[row]):
                    for at, chunk in enumerate(() if reason else parts[source]):
                        yield (row, number, at), sentence.text, chunk.text
                if progress is not None:
                    progress(1)

        for (row, number, at), judgement in read_in_blocks(self.judge, asked()):
            best.setdefault((row, number), _Best()).add(at, judgement)
        seconds = round(time.perf_counter() - began, 4)
        return [
            self._row(row, cut[row], parts[source], best, cut_in(texts[row]), seconds)
            for row, source in enumerate(sources)
        ]

    def _row(
        self, row: int, cut: Sequence[tuple[Sentence, str]], parts: Sequence[Chunk],
        best: dict[tuple[int, int], _Best], too_long: int, seconds: float,
    ) -> Assessment:  # fmt: skip
        sentences = [
            self._sentence(sentence, reason, parts, best.get((row, number), _Best()))
            for number, (sentence, reason) in enumerate(cut)
        ]
        scores = [s.score for s in sentences if s.score is not None]
        read = [best[row, number] for number in range(len(cut)) if (row, number) in best]
        count = sum(b.count for b in read)
        words_read = sum(b.read for b in read) / count if count else 0.0
        total = sum(chunk.sentences for chunk in parts)
        coverage = Coverage(len(sentences), len(scores), total, total if count else 0, words_read)
        long = (cut_note("text", too_long),) if too_long else ()
        if scores:
            score = self.rule.over_sentences(scores)
            return Assessment(score, "scored", self.name, self.model, tuple(sentences), coverage, long, seconds)
        claims = [s for s in sentences if s.status != "no_claims"]
        reason = claims[0].reason if claims else "no sentence of the text states anything"
        status = claims[0].status if claims else "no_claims"
        notes = (reason, *long)
        return Assessment(None, status, self.name, self.model, tuple(sentences), coverage, notes, seconds)

    def _sentence(self, sentence: Sentence, reason: str, parts: Sequence[Chunk], best: _Best) -> SentenceAssessment:
        if reason:
            return SentenceAssessment(*sentence, "no_claims", None, reason=reason)
        if not best.count:
            failed = best.failed
            status = "abstained" if failed is None else failed.status
            why = "the source has no words" if failed is None else failed.reason
            return SentenceAssessment(*sentence, status, None, reason=why)
        score = best.supports
        if self.rule.minus_refutation:
            score = (1 + best.supports - best.refutes) / 2
        side = S if best.supports >= best.refutes else R
        at, judgement = best.at[side]
        chunk = parts[at]
        deciding = SourceSentence(
            chunk.number, chunk.text, chunk.start, chunk.end, judgement.label, judgement.probabilities
        )
        return SentenceAssessment(
            *sentence, "scored", score, judgement.label, judgement.probabilities, (deciding,)
        )
