"""Flagging factual revisions: does an edit change what can be claimed?"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from aver.errors import InputError, Problems, count_of
from aver.measures import Card, Measure, Score

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Flagging"]

Target = Literal["macro_f1", "f1", "accuracy"]


@dataclasses.dataclass(frozen=True)
class Flagging(Measure):
    """AUC, and precision, recall and F1 at a threshold."""

    name: ClassVar[str] = "Flagging"

    threshold: float = 0.5
    """A revision is flagged as factual where its score is at least this."""

    def __post_init__(self) -> None:
        if not math.isfinite(self.threshold):
            raise InputError(f"the threshold is {self.threshold}; it must be a finite number")

    def score(self, scores: Sequence[float | bool], labels: Sequence[bool]) -> Score:
        """`scores`: how sure the system is that each edit is factual, or its bare yes and no (no AUC then)."""
        marks, gold = _columns(scores, labels)
        bare = _bare(scores)
        values = {
            "auc": None if bare else _auc(marks, gold),
            **_at(marks >= (0.5 if bare else self.threshold), gold),
        }
        notes = ("the predictions are yes and no, without scores: no AUC and no threshold",) if bare else ()
        return Score(str(self), values, len(gold), notes)

    @classmethod
    def tuned(
        cls, scores: Sequence[float], labels: Sequence[bool], *, target: Target = "macro_f1"
    ) -> Flagging:
        """The measure with the threshold that is best on these rows; use rows you do not report on.

        >>> print(Flagging.tuned([0.25, 0.5, 0.75, 1.0], [False, True, True, True]))
        Flagging(threshold=0.375)
        """
        marks, gold = _columns(scores, labels)
        if _bare(scores) or not len(gold) or gold.all() or not gold.any():
            raise InputError(
                "a threshold can be tuned only on scores of rows of both kinds, factual and not factual; "
                f"of {count_of(len(gold), 'row')} here {int(gold.sum()):,} are factual"
            )
        import numpy as np

        levels = np.unique(marks)
        # Half-way between neighbours, so that the threshold also fits scores not seen here.
        between = levels[:-1] + (levels[1:] - levels[:-1]) / 2
        cuts = np.concatenate([levels[:1], np.where(between > levels[:-1], between, levels[1:])])
        return cls(threshold=float(cuts[int(np.argmax(_sweep(marks, gold, cuts, target)))]))

    card: ClassVar[Card] = Card(
        title="Factual revision flagging",
        meaning=(
            "How well a system tells revisions that change a fact from those that do not. AUC is the chance "
            "that a factual revision gets a higher score than one that is not; precision, recall and F1 are "
            "taken at a threshold, which is part of the name and is either stated or tuned on other rows. "
            "The macro figures average the two classes, as in Table 3 of the VitaminC paper's code; the "
            "plain ones are of the factual class alone."
        ),
        formula=r"AUC = P(s^+ > s^-) + \tfrac12 P(s^+ = s^-); F_1 = \frac{2PR}{P + R}",
        range=(0.0, 1.0),
        direction="higher",
        inputs="`scores` (numbers, higher for factual; or true and false) and `labels` (true for factual)",
        values={
            "auc": "area under the ROC curve",
            "macro_f1": "mean of the two classes' F1",
            "macro_precision": "mean of the two classes' precision",
            "macro_recall": "mean of the two classes' recall",
            "f1": "F1 of the factual class",
            "precision": "share of flagged revisions that are factual",
            "recall": "share of factual revisions that are flagged",
            "accuracy": "share of revisions told right",
        },
        example=(
            ">>> import aver\n"
            ">>> measure = aver.measure('Flagging(threshold=0.5)')\n"
            ">>> score = measure.score([0.9, 0.4, 0.6, 0.1], [True, True, False, False])\n"
            ">>> print(score['auc'], score['precision'], score['recall'], score['macro_f1'])\n"
            "0.75 0.5 0.5 0.5\n"
        ),
        edge_cases=(
            "No row at all: every figure is None.",
            "Rows of one class only: AUC is None.",
            "Predictions that are true and false instead of scores: AUC is None and the threshold plays no "
            "part.",
            "Nothing flagged: precision is None. No factual row: recall is None. Both: F1 is None too. In "
            "the macro figures an undefined precision or recall counts as 0, unless the class occurs "
            "neither in the predictions nor in the labels; then it is left out.",
            "Equal scores count half in the AUC.",
        ),
        limits=(
            "Precision depends on how many factual revisions there are; compare it on the same rows only.",
            "A threshold tuned on the rows it is reported on flatters.",
        ),
        citation=(
            "Schuster, Fisch and Barzilay (2021), Get Your Vitamin C! Robust Fact Verification with "
            "Contrastive Evidence, NAACL, section 4.1 and Table 3"
        ),
    )


def _bare(scores: Sequence[float | bool]) -> bool:
    import numpy as np

    return len(scores) > 0 and all(isinstance(score, (bool, np.bool_)) for score in scores)


def _columns(
    scores: Sequence[float | bool], labels: Sequence[bool]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    import numpy as np

    problems = Problems()
    if len(scores) != len(labels):
        problems.add("", f"{count_of(len(scores), 'score')} but {count_of(len(labels), 'label')}; each row needs both")
    for number, score in enumerate(scores, 1):
        if not math.isfinite(score):
            problems.add(f"row {number}", f"the score is {score}; it must be a finite number")
    problems.raise_if_any("the revisions cannot be scored")
    return np.asarray(scores, dtype=np.float64), np.asarray(labels, dtype=np.bool_)


def _auc(scores: NDArray[np.float64], gold: NDArray[np.bool_]) -> float | None:
    positive, negative = int(gold.sum()), int((~gold).sum())
    if not positive or not negative:
        return None
    from scipy.stats import rankdata

    # Mann and Whitney's U: mid-ranks give equal scores their half.
    above = float(rankdata(scores)[gold].sum()) - positive * (positive + 1) / 2
    return above / (positive * negative)


def _at(flagged: NDArray[np.bool_], gold: NDArray[np.bool_]) -> dict[str, float | None]:
    names = ("macro_f1", "macro_precision", "macro_recall", "f1", "precision", "recall", "accuracy")
    if not len(gold):
        return dict.fromkeys(names)
    classes = []
    for said, true in ((flagged, gold), (~flagged, ~gold)):
        right, chosen, relevant = int((said & true).sum()), int(said.sum()), int(true.sum())
        classes.append(
            (
                2 * right / (chosen + relevant) if chosen + relevant else None,
                right / chosen if chosen else None,
                right / relevant if relevant else None,
            )
        )
    occurring = [rates for rates in classes if rates[0] is not None]
    macro = [sum(rates[place] or 0.0 for rates in occurring) / len(occurring) for place in range(3)]
    return dict(zip(names, [*macro, *classes[0], float((flagged == gold).mean())], strict=True))


def _sweep(
    scores: NDArray[np.float64], gold: NDArray[np.bool_], cuts: NDArray[np.float64], target: Target
) -> NDArray[np.float64]:
    """The target at every cut, from counts of the rows at or above it."""
    import numpy as np

    everyone, factual = np.sort(scores), np.sort(scores[gold])
    flagged = len(everyone) - np.searchsorted(everyone, cuts, side="left")
    right = len(factual) - np.searchsorted(factual, cuts, side="left")
    passed = len(everyone) - flagged
    rightly_passed = passed - (len(factual) - right)
    if target == "accuracy":
        return np.asarray((right + rightly_passed) / len(everyone), dtype=np.float64)
    f1 = 2 * right / (flagged + len(factual))
    if target == "f1":
        return np.asarray(f1, dtype=np.float64)
    other_f1 = 2 * rightly_passed / (passed + len(everyone) - len(factual))
    return np.asarray((f1 + other_f1) / 2, dtype=np.float64)
