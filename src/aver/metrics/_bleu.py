"""BLEU, by sacrebleu."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from aver.measures import Card, Measure, Score
from aver.metrics._sentences import check_columns

__all__ = ["BLEU"]


@dataclasses.dataclass(frozen=True)
class BLEU(Measure):
    """n-grams of the output that stand in a reference, with a penalty for being short."""

    name: ClassVar[str] = "BLEU"
    reads: ClassVar[tuple[str, ...]] = ("predictions", "references")

    smooth: Literal["exp", "none", "floor", "add-k"] = "exp"

    def score(self, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> Score:
        """BLEU of the corpus, and the mean of the sentences' own."""
        check_columns(predictions, references)
        if not predictions:
            return Score(str(self), {"bleu": None, "sentence_bleu": None}, 0)
        corpus = self._scorer(sentence=False).corpus_score(predictions, streams(references))
        rows = [row["bleu"] for row in self.rows(predictions, references)]
        values = {"bleu": _at_most_100(corpus.score), "sentence_bleu": sum(rows) / len(rows)}
        return Score(str(self), values, len(predictions))

    def rows(self, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> list[dict[str, float]]:
        """Each sentence's own BLEU.

        >>> [round(row["bleu"], 2) for row in BLEU().rows(["the cat sat down ."], [["the cat sat there ."]])]
        [42.73]
        """
        check_columns(predictions, references)
        scorer = self._scorer(sentence=True)
        return [
            {"bleu": _at_most_100(scorer.sentence_score(prediction, list(several)).score)}
            for prediction, several in zip(predictions, references, strict=True)
        ]

    def _scorer(self, *, sentence: bool) -> Any:
        from sacrebleu.metrics import bleu

        # Without the effective order a sentence of three words has no 4-gram and scores by smoothing alone.
        return bleu.BLEU(smooth_method=self.smooth, effective_order=sentence)

    card: ClassVar[Card] = Card(
        title="BLEU",
        meaning=(
            "How many of the output's one- to four-word sequences stand in a reference, lowered where the "
            "output is shorter than the references. We report the corpus figure, as papers do, and the mean "
            "over sentences beside it. The arithmetic is sacrebleu's, with its 13a tokens and case kept; "
            "`smooth` is its smoothing of orders without a match."
        ),
        formula=r"BLEU = BP \cdot \exp(\tfrac14 \sum_{n=1}^{4} \log p_n), BP = \min(1, e^{1 - r/c})",
        range=(0.0, 100.0),
        direction="higher",
        inputs="`predictions` (texts) and `references` (a list of texts for each prediction)",
        values={
            "bleu": "BLEU of the whole corpus, counts pooled over all sentences",
            "sentence_bleu": "mean over sentences of each one's BLEU, with the effective n-gram order",
        },
        example=(
            ">>> import aver\n"
            '>>> predictions = ["The film grossed $ 116 million .", "He was born in 1975 ."]\n'
            '>>> references = [["The film grossed $ 117 million ."], ["He was born in 1975 ."]]\n'
            '>>> score = aver.measure("BLEU(smooth=exp)").score(predictions, references)\n'
            ">>> print(score.measure, round(score['bleu'], 2), round(score['sentence_bleu'], 2))\n"
            "BLEU(smooth=exp) 73.24 74.45\n"
        ),
        edge_cases=(
            "No prediction at all: both figures are None.",
            "An empty prediction has BLEU 0.",
            "With smooth=none, a text without a matching 4-gram has BLEU 0.",
            "Sums of logarithms give a perfect match 100.00000000000004 in sacrebleu; we stop at 100.",
        ),
        limits=(
            "It compares words: a claim in other words scores low, a wrong number scores high.",
            "Figures of other BLEU programs differ by their tokens: compare only with sacrebleu's 13a.",
        ),
        citation=(
            "Papineni et al. (2002), BLEU: a Method for Automatic Evaluation of Machine Translation, ACL; "
            "Post (2018), A Call for Clarity in Reporting BLEU Scores, WMT"
        ),
    )


def streams(references: Sequence[Sequence[str]]) -> list[list[str | None]]:
    """References turned as sacrebleu wants them: all first ones, all second ones; None where a row has fewer.

    >>> streams([["a", "b"], ["c"]])
    [['a', 'c'], ['b', None]]
    """
    most = max(map(len, references), default=0)
    return [[row[place] if place < len(row) else None for row in references] for place in range(most)]


def _at_most_100(score: float) -> float:
    return min(float(score), 100.0)
