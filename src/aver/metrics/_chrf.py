"""chrF, by sacrebleu."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, ClassVar

from aver.measures import Card, Measure, Score
from aver.metrics._bleu import streams
from aver.metrics._sentences import check_columns

__all__ = ["ChrF"]


@dataclasses.dataclass(frozen=True)
class ChrF(Measure):
    """Sequences of one to six characters shared by output and reference."""

    name: ClassVar[str] = "chrF"
    reads: ClassVar[tuple[str, ...]] = ("predictions", "references")

    def score(self, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> Score:
        """chrF of the corpus, and the mean of the sentences' own."""
        check_columns(predictions, references)
        if not predictions:
            return Score(str(self), {"chrf": None, "sentence_chrf": None}, 0)
        corpus = _scorer().corpus_score(predictions, streams(references))
        rows = [row["chrf"] for row in self.rows(predictions, references)]
        values = {"chrf": float(corpus.score), "sentence_chrf": sum(rows) / len(rows)}
        return Score(str(self), values, len(rows))

    def rows(self, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> list[dict[str, float]]:
        """Each sentence's own chrF.

        >>> ChrF().rows(["the same"], [["another", "the same"]])
        [{'chrf': 100.0}]
        """
        check_columns(predictions, references)
        scorer = _scorer()
        return [
            {"chrf": float(scorer.sentence_score(prediction, list(several)).score)}
            for prediction, several in zip(predictions, references, strict=True)
        ]

    card: ClassVar[Card] = Card(
        title="chrF",
        meaning=(
            "How many sequences of one to six characters output and reference share, recall counting twice "
            "as much as precision. It forgives a changed ending where a word-based measure sees another "
            "word. The arithmetic is sacrebleu's, with its defaults."
        ),
        formula=r"chrF = (1 + \beta^2)\,\frac{P \cdot R}{\beta^2 P + R}, \beta = 2",
        range=(0.0, 100.0),
        direction="higher",
        inputs="`predictions` (texts) and `references` (a list of texts for each prediction)",
        values={
            "chrf": "chrF of the whole corpus, counts pooled over all sentences",
            "sentence_chrf": "mean over sentences of each one's chrF",
        },
        example=(
            ">>> import aver\n"
            '>>> score = aver.measure("chrF").score(["He was born in 1976 ."], [["He was born in 1975 ."]])\n'
            ">>> round(score['chrf'], 2)\n"
            "85.98\n"
        ),
        edge_cases=(
            "No prediction at all: both figures are None.",
            "An empty prediction has chrF 0.",
            "Of several references the best one counts, sentence by sentence.",
        ),
        limits=("One wrong digit costs little: it says how alike two texts look, not whether they agree.",),
        citation="Popović (2015), chrF: character n-gram F-score for automatic MT evaluation, WMT",
    )


def _scorer() -> Any:
    from sacrebleu.metrics.chrf import CHRF

    return CHRF()
