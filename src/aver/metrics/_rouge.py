"""ROUGE, by Google's rouge-score."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar, Literal

from aver.measures import Card, Measure, Score
from aver.metrics._sentences import check_columns

__all__ = ["ROUGE"]


@dataclasses.dataclass(frozen=True)
class ROUGE(Measure):
    """Words, word pairs or the longest common sequence that output and reference share."""

    name: ClassVar[str] = "ROUGE"
    reads: ClassVar[tuple[str, ...]] = ("predictions", "references")

    variant: Literal["1", "2", "L", "Lsum"] = "2"
    stem: bool = True

    def score(self, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> Score:
        """The mean over sentences of F1, precision and recall."""
        rows = self.rows(predictions, references)
        names = ("f1", "precision", "recall")
        values = {name: sum(row[name] for row in rows) / len(rows) if rows else None for name in names}
        return Score(str(self), values, len(rows))

    def rows(self, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> list[dict[str, float]]:
        """Each sentence's own figures, against the reference that gives the best F1.

        >>> ROUGE("1").rows(["two cats"], [["a dog", "two cats"]])
        [{'f1': 100.0, 'precision': 100.0, 'recall': 100.0}]
        """
        from rouge_score.rouge_scorer import RougeScorer

        check_columns(predictions, references)
        kind = f"rouge{self.variant}"
        scorer = RougeScorer([kind], use_stemmer=self.stem)
        rows = []
        for prediction, several in zip(predictions, references, strict=True):
            found = [scorer.score(text, prediction)[kind] for text in several]
            best = max(found, key=lambda one: float(one.fmeasure))
            figures = {"f1": best.fmeasure, "precision": best.precision, "recall": best.recall}
            rows.append({name: 100 * float(value) for name, value in figures.items()})
        return rows

    card: ClassVar[Card] = Card(
        title="ROUGE",
        meaning=(
            "How many words (ROUGE(1)), pairs of neighbouring words (ROUGE(2)) or words of the longest "
            "common sequence (ROUGE(L); ROUGE(Lsum) line by line) output and reference share. The "
            "arithmetic is that of rouge-score, Google's package, times 100, so that it reads like BLEU and "
            "SARI beside it; `stem` takes English endings off first (Porter), as the original ROUGE script "
            "did under its usual option -m."
        ),
        formula=r"F_1 = \frac{2PR}{P + R}, P = \frac{|shared|}{|output|}, R = \frac{|shared|}{|reference|}",
        range=(0.0, 100.0),
        direction="higher",
        inputs="`predictions` (texts) and `references` (a list of texts for each prediction)",
        values={
            "f1": "mean over sentences of F1",
            "precision": "mean over sentences of the share of the output that stands in the reference",
            "recall": "mean over sentences of the share of the reference that stands in the output",
        },
        example=(
            ">>> import aver\n"
            '>>> score = aver.measure("ROUGE(2, stem=true)").score(\n'
            '...     ["Over 400 people tested positive"], [["Over 400 people have tested positive"]])\n'
            ">>> {name: round(value, 2) for name, value in score.values.items()}\n"
            "{'f1': 66.67, 'precision': 75.0, 'recall': 60.0}\n"
        ),
        edge_cases=(
            "No prediction at all: every figure is None.",
            "A text without the n-grams asked for (one word under ROUGE(2), or no letters and digits at "
            "all) has 0.",
            "Of several references the one with the best F1 counts.",
        ),
        limits=(
            "Only ASCII letters and digits are words there: text in other scripts scores 0.",
            "It compares words, not facts; ROUGE(L) takes time in the product of the two lengths.",
        ),
        citation="Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries, ACL workshop",
    )
