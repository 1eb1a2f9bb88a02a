"""aver's own metric, the default: every sentence of the text against what the source says nearest to it.

1. The source is cut into sentences and indexed by words, once.
2. For each sentence of the text that states something: the nearest sentences of the source, by shared words.
3. The judge reads it against each of the nearest and against those together; all rows' pairs go in common batches.
4. What it said is weighed with what the words tell (`_weighing`): the probability that the source bears it out.
5. The text's score is the mean over its sentences: the share of them that the source bears out, as far as can be told.
   Beside it stand each sentence's verdict, the source sentences that decide, the words that are not borne out, and how
   much was read.

A sentence that is contradicted (see `is_contradicted`) has less than half at most; the verdict on one that is borne out
for sure (see `is_borne_out`) is more than half.
`aver-strict` reads the same and asks another question: is there any sentence that the source speaks against? It takes
the judge's word alone, and a text is as good as its worst sentence. Where a text was written with care and then one
thing in it changed, that tells more; where texts are copied together, less (docs/consistency.md has figures for both).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from statistics import fmean
from typing import ClassVar, NamedTuple

from aver.consistency._metric import JudgeMetric, Progress, check_pairs, judge_of
from aver.consistency._reading import claims_of, cut_in, read_in_blocks
from aver.consistency._results import Assessment, Coverage, SentenceAssessment, SourceSentence, Span
from aver.consistency._source import Source, cut_note
from aver.consistency._spans import find_spans
from aver.consistency._weighing import (
    Numbers,
    Weighed,
    Weights,
    measured,
    plain_score,
    weigh,
    weigh_strictly,
    weights_for,
)
from aver.errors import InputError, count_of
from aver.labels import Label
from aver.models import Judge
from aver.results import Judgement
from aver.text import Sentence, words
from aver.verify import check_figures

__all__ = ["BORNE_OUT", "CONTRADICTED", "AverMetric", "Read", "StrictMetric", "is_borne_out", "is_contradicted"]

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO
CONTRADICTED = 0.49
"""The most that a contradicted sentence can score."""
BORNE_OUT = 0.51
"""The least that the verdict on a sentence comes to that is borne out for sure (`is_borne_out`)."""
_LIKELY, _SURE, _CERTAIN = 0.5, 0.8, 0.9
_JOINT = 6_000
"""Characters of the source that are read together at most, beyond those that are read singly."""
_KEPT = 8
"""Indexed sources kept: rows about one source mostly follow each other."""


class Read(NamedTuple):
    """What was read about one sentence: the nearest source sentences, what each says and what they say together."""

    nearest: tuple[int, ...]
    single: tuple[Judgement, ...]
    joint: Judgement

    @property
    def numbers(self) -> tuple[list[Mapping[str, float]], Mapping[str, float]]:
        """The probabilities of those that could be read."""
        return [j.probabilities for j in self.single if j.label is not None], self.joint.probabilities


def is_contradicted(sentence: str, source: Source, read: Read) -> bool:
    """Whether the nearest source sentence and the nearest together refute it for sure, or neither supports it and its
    figures differ from the nearest's.

    Such a sentence is never called supported, however much of it is copied: a copy with one figure or one “not” changed
    is the falsehood that words alone tell least of.
    """
    if not read.single or S in (read.single[0].label, read.joint.label):
        return False
    if all(j.label is R and j.probabilities[R] >= _SURE for j in (read.single[0], read.joint)):
        return True
    return check_figures(sentence, source.sentences[read.nearest[0]].text).outcome == "disagrees"


def is_borne_out(numbers: Numbers, read: Read) -> bool:
    """Whether the nearest together support it for sure, and all its content words and figures stand in the source.

    Such a sentence is called supported, though many that are put together from two of the source's are wrong. Where all
    of it stands in one source sentence as it is, it was not put together, and more likely than not is enough.
    """
    whole = numbers.raw["coverage"] == 1.0 and numbers.raw["figures"] == 0.0
    return whole and read.joint.probabilities[S] >= (_LIKELY if numbers.raw["pairs"] == 1.0 else _CERTAIN)


def _row_of(answer: tuple[tuple[int, int], Judgement]) -> int:
    return answer[0][0]


class _Row(NamedTuple):
    source: Source
    sentences: list[tuple[Sentence, str]]
    nearest: list[tuple[int, ...]]
    cut: int
    """How many sentences of the text stand here in parts."""


class AverMetric(JudgeMetric):
    """Verdicts of a judge and overlap of words, weighed; `sentences` of the source are read singly, `together` jointly.

    More of either costs time in proportion; the weights were fitted for the defaults.
    """

    name = "aver"
    what: ClassVar[str] = "aver's own: each sentence against the nearest of the source, judged and weighed."

    def __init__(
        self, judge: str | os.PathLike[str] | Judge | None = None, *, sentences: int = 3, together: int = 8
    ) -> None:
        if sentences < 1 or together < 1:
            raise InputError(f"sentences is {sentences} and together is {together}; both must be 1 or more")
        self.judge = judge_of(judge)
        self.model = self.judge.model
        self.sentences = sentences
        self.together = together
        self._weights: Weights | None = weights_for(self.judge)
        self._sources: dict[str, Source] = {}

    def score(
        self, texts: Sequence[str], sources: Sequence[str], *, progress: Progress | None = None
    ) -> list[float | None]:
        return [found.score for found in self._all(texts, sources, progress, details=False)]

    def assess_all(
        self, texts: Sequence[str], sources: Sequence[str], *, progress: Progress | None = None
    ) -> list[Assessment]:
        return self._all(texts, sources, progress, details=True)

    def index(self, source: str) -> Source:
        """The source, indexed; the last few are kept."""
        found = self._sources.pop(source, None) or Source(source)
        self._sources[source] = found
        while len(self._sources) > _KEPT:
            del self._sources[next(iter(self._sources))]
        return found

    def read(self, sentences: Sequence[str], source: Source) -> list[Read]:
        """What the judge says of each sentence; a source without words gives nothing to read."""
        return self.read_all([(sentences, source)])[0]

    def read_all(self, rows: Sequence[tuple[Sequence[str], Source]]) -> list[list[Read]]:
        """The same for many rows, in common batches."""
        nearest = [[self._nearest(sentence, source) for sentence in sentences] for sentences, source in rows]
        asked = (
            ((row, at), sentence, evidence)
            for row, (sentences, source) in enumerate(rows)
            for at, sentence in enumerate(sentences)
            for evidence in self._evidence(nearest[row][at], source)
        )
        found: dict[tuple[int, int], list[Judgement]] = {}
        for key, judgement in read_in_blocks(self.judge, asked, marks=True):
            found.setdefault(key, []).append(judgement)
        return [
            [Read(near, tuple(found[row, at][:-1]), found[row, at][-1]) for at, near in enumerate(some) if near]
            for row, some in enumerate(nearest)
        ]

    def assess_sentence(self, sentence: Sentence, source: Source, read: Read, *, details: bool) -> SentenceAssessment:
        """The verdict on one sentence from what was read about it."""
        single, joint = read.numbers
        if not joint:
            failed = read.joint
            return SentenceAssessment(*sentence, failed.status, None, reason=failed.reason)
        score, verdict = self._weighed(sentence.text, source, read)
        # what is not supported is refuted as far as the reading that speaks most against it says so
        share = max(p[R] for p in (*single, joint))
        probabilities = {str(S): verdict, str(R): (1 - verdict) * share, str(N): (1 - verdict) * (1 - share)}
        label = S if verdict >= 0.5 else R if share >= 0.5 else N
        if not details:
            return SentenceAssessment(*sentence, "scored", score, label, probabilities)
        evidence = self._deciding(sentence.text, label, source, read)
        spans = () if label is S else self._spans(sentence, source, label, evidence, read.joint)
        return SentenceAssessment(*sentence, "scored", score, label, probabilities, evidence, spans)

    def _weighed(self, sentence: str, source: Source, read: Read) -> Weighed:
        if self._weights is None:
            plain = plain_score(*read.numbers)
            return Weighed(plain, plain)
        numbers = self._measured(sentence, source, read)
        found = weigh(numbers, self._weights)
        if is_contradicted(sentence, source, read):
            return Weighed(min(found.score, CONTRADICTED), min(found.verdict, CONTRADICTED))
        if is_borne_out(numbers, read):
            return Weighed(found.score, max(found.verdict, BORNE_OUT))
        return found

    def _measured(self, sentence: str, source: Source, read: Read) -> Numbers:
        return measured(sentence, source, read.nearest, *read.numbers, read.joint.unsupported)

    def _over(self, scores: Sequence[float]) -> float:
        return fmean(scores)

    def _all(
        self, texts: Sequence[str], sources: Sequence[str], progress: Progress | None, *, details: bool
    ) -> list[Assessment]:
        check_pairs(texts, sources)
        began = time.perf_counter()
        found: dict[int, Assessment] = {}
        rows: dict[int, _Row] = {}

        def asked() -> Iterator[tuple[tuple[int, int], str, str]]:
            for number, (text, source) in enumerate(zip(texts, sources, strict=True)):
                row = self._row(text, source)
                if not any(row.nearest):
                    found[number] = self._assessment(row, {}, details=details)
                    continue
                rows[number] = row
                for at, near in enumerate(row.nearest):
                    for evidence in self._evidence(near, row.source):
                        yield (number, at), row.sentences[at][0].text, evidence

        done = 0
        for number, answers in groupby(read_in_blocks(self.judge, asked(), marks=True), key=_row_of):
            row = rows.pop(number)
            judged: dict[int, list[Judgement]] = {}
            for (_, at), judgement in answers:
                judged.setdefault(at, []).append(judgement)
            reads = {at: Read(row.nearest[at], tuple(some[:-1]), some[-1]) for at, some in judged.items()}
            found[number] = self._assessment(row, reads, details=details)
            if progress is not None:
                progress(number + 1 - done)
                done = number + 1
        if progress is not None and len(texts) > done:
            progress(len(texts) - done)
        if len(texts) == 1:
            import dataclasses

            return [dataclasses.replace(found[0], seconds=round(time.perf_counter() - began, 4))]
        return [found[number] for number in range(len(texts))]

    def _row(self, text: str, source: str) -> _Row:
        indexed = self.index(source)
        sentences = claims_of(text)
        nearest = [() if reason else self._nearest(s.text, indexed) for s, reason in sentences]
        return _Row(indexed, sentences, nearest, cut_in(text))

    def _nearest(self, sentence: str, source: Source) -> tuple[int, ...]:
        """Those that are read, the nearest first; fewer than `together` where they are longer than sentences are."""
        found = [at for at, _ in source.nearest(sentence, max(self.sentences, self.together))]
        fitting = sum(size <= _JOINT for size in accumulate(len(source.sentences[at].text) for at in found))
        return tuple(found[: max(self.sentences, fitting)])

    def _evidence(self, nearest: Sequence[int], source: Source) -> list[str]:
        """Each of the nearest by itself, then those together; nothing where there is nothing."""
        if not nearest:
            return []
        alone = [source.sentences[at].text for at in nearest[: self.sentences]]
        return [*alone, source.joined(nearest[: self.together])]

    def _assessment(self, row: _Row, reads: Mapping[int, Read], *, details: bool) -> Assessment:
        sentences: list[SentenceAssessment] = []
        for at, (sentence, reason) in enumerate(row.sentences):
            if reason:
                sentences.append(SentenceAssessment(*sentence, "no_claims", None, reason=reason))
            elif at in reads:
                sentences.append(self.assess_sentence(sentence, row.source, reads[at], details=details))
            else:
                sentences.append(SentenceAssessment(*sentence, "abstained", None, reason="the source has no words"))
        return self.assessment(sentences, row.source, list(reads.values()), cut=row.cut)

    def assessment(
        self, sentences: Sequence[SentenceAssessment], source: Source, reads: Sequence[Read], *, cut: int = 0
    ) -> Assessment:
        """The whole from its sentences; `cut` of the text's were too long and stand here in parts."""
        scores = [s.score for s in sentences if s.score is not None]
        judged = [j for read in reads for j in (*read.single, read.joint) if j.label is not None]
        words = fmean(j.coverage for j in judged) if judged else 0.0
        seen = {at for read in reads for at in read.nearest}
        coverage = Coverage(len(sentences), len(scores), len(source), len(seen), words)
        whole = (self.name, self.model, tuple(sentences), coverage)
        long = tuple(cut_note(where, many) for where, many in (("text", cut), ("source", source.cut)) if many)
        failed = [s for s in sentences if s.status in ("error", "abstained")]
        if scores:
            notes = (f"{count_of(len(failed), 'sentence')} could not be read: {failed[0].reason}",) if failed else ()
            return Assessment(self._over(scores), "scored", *whole, (*notes, *long))
        if failed:
            worst = next((s for s in failed if s.status == "error"), failed[0])
            return Assessment(None, worst.status, *whole, (worst.reason, *long))
        return Assessment(None, "no_claims", *whole, ("no sentence of the text states anything", *long))

    def _deciding(self, sentence: str, label: Label, source: Source, read: Read) -> tuple[SourceSentence, ...]:
        """The sentences that take the verdict's side, the surest first. Where none of those read singly does, but all
        together do, the others are asked too; where no sentence does alone, the nearest stand for the rest."""
        alone = [(at, j) for at, j in zip(read.nearest, read.single, strict=False) if j.label is not None]
        side = [x for x in alone if x[1].label is label]
        if label is N:
            side = alone[:1]
        elif not side and read.joint.label is label:
            rest = read.nearest[len(read.single) :]
            asked = self.judge.judge([(sentence, source.sentences[at].text) for at in rest]) if rest else []
            side = [(at, j) for at, j in zip(rest, asked, strict=True) if j.label is label] or alone
        elif not side:
            side = alone[:1]
        side = sorted(side, key=lambda x: -x[1].probabilities[label])
        return tuple(SourceSentence(at, *source.sentences[at], j.label, j.probabilities) for at, j in side[:3])

    def _spans(
        self, sentence: Sentence, source: Source, label: Label, evidence: Sequence[SourceSentence], joint: Judgement
    ) -> tuple[Span, ...]:
        """From the judge's own marks of the sentence's words where it makes them, else from what the words tell."""
        texts = [e.text for e in evidence]
        if joint.unsupported is not None:
            bar = 0.5 if self._weights is None else self._weights.marks_at
            marked = [
                (word.start, word.end)
                for word, mark in zip(words(sentence.text), joint.unsupported, strict=True)
                if mark >= bar and not word.is_punctuation
            ]
            return find_spans(sentence, source, texts, contradicted=label is R, marked=marked, trust_marks=True)
        marked = self._marked(sentence.text, texts[0]) if label is R and texts else []
        return find_spans(sentence, source, texts, contradicted=label is R, marked=marked)

    def _marked(self, claim: str, evidence: str) -> list[tuple[int, int]]:
        """The words of the claim that the judge's own token head points at; nothing where it has none."""
        try:
            explained = self.judge.explain(claim, evidence, method="head")
        except InputError:
            return []
        return [(w.start, w.end) for w in explained.claim if w.chosen]


class StrictMetric(AverMetric):
    """Whether the source speaks against any sentence of a text, by what its nearest sentences say together alone."""

    name = "aver-strict"
    what: ClassVar[str] = "The worst sentence of the text, by the judge's reading of the nearest together alone."

    def _weighed(self, sentence: str, source: Source, read: Read) -> Weighed:
        # the score asks whether they speak against it, the verdict whether they bear it out
        return Weighed(weigh_strictly(read.joint.probabilities), read.joint.probabilities[S])

    def _over(self, scores: Sequence[float]) -> float:
        return min(scores)
