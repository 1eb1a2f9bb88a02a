"""Words marked as deciding a verdict, against the words that do."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from typing import ClassVar, Literal

from aver.errors import InputError, count_of
from aver.measures import Card, Measure, Score

__all__ = ["Rationale"]


@dataclasses.dataclass(frozen=True)
class Rationale(Measure):
    """Precision, recall and F1 of marked words."""

    name: ClassVar[str] = "Rationale"

    variant: Literal["words", "vitaminc"] = "words"

    def score(
        self,
        predictions: Sequence[Collection[int]],
        references: Sequence[Collection[int]],
        unlabelled: Sequence[Collection[int]] | None = None,
    ) -> Score:
        """Figures over all words of all rows; each row is the set of its marked words' numbers."""
        counts = self._counted(predictions, references, unlabelled)
        right, marked, wanted = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0, 0)
        own = [row["f1"] for row in self.rows(predictions, references, unlabelled)]
        defined = [f1 for f1 in own if f1 is not None]
        row_f1 = sum(defined) / len(defined) if defined else None
        values = {**self._rates(right, marked, wanted), "row_f1": row_f1}
        return Score(str(self), values if counts else dict.fromkeys(values), len(counts))

    def rows(
        self,
        predictions: Sequence[Collection[int]],
        references: Sequence[Collection[int]],
        unlabelled: Sequence[Collection[int]] | None = None,
    ) -> list[dict[str, float | None]]:
        """Each row's own figures.

        >>> Rationale().rows([{1, 2}], [{2, 3}])
        [{'f1': 0.5, 'precision': 0.5, 'recall': 0.5}]
        """
        return [self._rates(*counts) for counts in self._counted(predictions, references, unlabelled)]

    def _counted(
        self,
        predictions: Sequence[Collection[int]],
        references: Sequence[Collection[int]],
        unlabelled: Sequence[Collection[int]] | None,
    ) -> list[tuple[int, int, int]]:
        left_out: Sequence[Collection[int]] = [()] * len(references) if unlabelled is None else unlabelled
        if not len(predictions) == len(references) == len(left_out):
            raise InputError(
                f"{count_of(len(predictions), 'prediction')}, {count_of(len(references), 'reference')}, "
                f"{count_of(len(left_out), 'list')} of unlabelled words; each row needs its own"
            )
        counts = []
        for said, gold, skipped in zip(predictions, references, left_out, strict=True):
            marked, wanted = set(said), set(gold)
            if self.variant == "words":
                marked -= set(skipped)
            counts.append((len(marked & wanted), len(marked), len(wanted)))
        return counts

    def _rates(self, right: int, marked: int, wanted: int) -> dict[str, float | None]:
        nothing = 1.0 if self.variant == "vitaminc" else None
        return {
            "f1": 2 * right / (marked + wanted) if marked + wanted else nothing,
            "precision": right / marked if marked else nothing,
            "recall": right / wanted if wanted else nothing,
        }

    card: ClassVar[Card] = Card(
        title="Word-level rationales",
        meaning=(
            "Whether the words a model marks as deciding its verdict are those that do: the words an editor "
            "changed (edit prediction) or those a person marked (rationale prediction). Counts are pooled "
            "over all words of all rows. Rationale(vitaminc) follows the released code of the VitaminC "
            "paper, which scores tokens: a mark on a token that has no label (label -1: a special token, "
            "padding, the claim) counts as wrong there, and 0/0 is 1. Rationale(words) leaves unlabelled "
            "words out, and 0/0 is not defined."
        ),
        formula=r"P = \frac{|marked \cap wanted|}{|marked|}, R = \frac{|marked \cap wanted|}{|wanted|}, "
        r"F_1 = \frac{2|marked \cap wanted|}{|marked| + |wanted|}",
        range=(0.0, 1.0),
        direction="higher",
        inputs=(
            "for each row the numbers of the marked words, counted from 0, as `predictions` and "
            "`references`, and those without a label as `unlabelled`. In files: `rationale` or "
            "`masked_inds` (word numbers), `mask` (1, 0, or -1 for unlabelled, per word), or `spans` (first "
            "and past-the-last character, with the text as `evidence`)"
        ),
        values={
            "f1": "F1 over all words",
            "precision": "share of marked words that are wanted",
            "recall": "share of wanted words that are marked",
            "row_f1": "mean over rows of each row's own F1",
        },
        example=(
            ">>> import aver\n"
            '>>> "The outbreak began in November 2019 .".split()[4]\n'
            "'November'\n"
            ">>> score = aver.measure('Rationale(words)').score([{2, 4}], [{4, 5}])\n"
            ">>> print(score['precision'], score['recall'], score['f1'])\n"
            "0.5 0.5 0.5\n"
        ),
        edge_cases=(
            "No row at all: every figure is None.",
            "Nothing marked: precision is None (vitaminc: 1). Nothing wanted: recall is None (vitaminc: 1). "
            "Neither: F1 is None (vitaminc: 1).",
            "row_f1 leaves out rows whose F1 is None.",
        ),
        limits=(
            "Words are what stands between white space; tokens of a model give other figures on the same "
            "marks.",
            "Several sets of words can be good reasons; the reference holds one.",
        ),
        citation=(
            "Schuster, Fisch and Barzilay (2021), Get Your Vitamin C! Robust Fact Verification with "
            "Contrastive Evidence, NAACL, section 4.3 and Table 5"
        ),
    )
