"""Flip rate: does the verdict change when the evidence does, and as it should?"""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, ClassVar

from aver.errors import InputError, count_of
from aver.measures import Card, Measure, Score
from aver.metrics._classification import LabelKind, as_labels

__all__ = ["FlipRate", "FlipReport", "flip_rate"]


@dataclasses.dataclass(frozen=True, slots=True)
class FlipReport:
    """Flips over the claims whose gold label changes with the evidence."""

    measure: str
    n: int
    """Claims with at least two evidences whose gold labels differ."""
    flip_rate: float | None
    changed: float | None
    wrong_flip: float | None
    stuck: float | None
    steady: float | None
    same_gold: int
    """Claims with several evidences but one gold label; only `steady` is about them."""
    single: int
    """Claims with one evidence only; nothing here is about them."""
    by_change: dict[str, tuple[int, float]]
    """For each set of gold labels: how many claims, and their flip rate."""
    notes: tuple[str, ...]

    @property
    def score(self) -> Score:
        """The figures as a `Score`."""
        names = ("flip_rate", "changed", "wrong_flip", "stuck", "steady")
        return Score(self.measure, {name: getattr(self, name) for name in names}, self.n, self.notes)

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        by_change = {name: {"n": n, "flip_rate": rate} for name, (n, rate) in self.by_change.items()}
        return self.score.as_dict() | {
            "same_gold": self.same_gold, "single": self.single, "by_change": by_change
        }  # fmt: skip


@dataclasses.dataclass(frozen=True)
class FlipRate(Measure):
    """The flip rate as a measure; `aver.metrics.flip_rate` is its short form."""

    labels: LabelKind = "verdict"

    name: ClassVar[str] = "FlipRate"
    card: ClassVar[Card] = Card(
        title="Flip rate over contrastive pairs",
        meaning="Of the claims that one evidence makes true and another does not, the share whose verdict "
        "changes exactly as the gold label does: right on both. A model that looks at the claim alone gives "
        "both the same verdict and scores 0.",
        formula=r"\frac{|\{g : \forall i \in g\ \hat y_i = y_i\}|}{|\{g\}|}\ over\ groups\ g\ of\ rows\ "
        r"with\ the\ same\ claim\ and\ at\ least\ two\ different\ gold\ labels",
        range=(0.0, 1.0),
        direction="higher",
        inputs="Predicted and gold labels in the same order, and a group for each row: rows of one group "
        "have the same claim with different evidence. In files: the field named by --flip (`case_id` in "
        "VitaminC), together with `claim` where there is one.",
        values={
            "flip_rate": "the share of contrastive claims with every verdict right",
            "changed": "the share whose verdicts differ wherever the gold labels do, right or not",
            "wrong_flip": "changed, but not as the gold does",
            "stuck": "the share with one and the same verdict whatever the evidence",
            "steady": "of claims whose gold label is the same for all evidences: the share whose verdict is, too",
        },
        example=">>> from aver.metrics import flip_rate\n"
        '>>> gold = ["SUPPORTS", "REFUTES", "SUPPORTS", "REFUTES"]\n'
        '>>> flips = flip_rate(["SUPPORTS", "REFUTES", "SUPPORTS", "SUPPORTS"], gold, ["a", "a", "b", "b"])\n'
        ">>> flips.flip_rate, flips.stuck\n"
        "(0.5, 0.5)",
        edge_cases=(
            "Groups with one row, and groups whose gold labels are all the same, are not contrastive: they "
            "are counted but do not enter the flip rate.",
            "A group of three or more rows flips rightly when every row is right; it has changed when every "
            "two rows with different gold labels got different verdicts.",
            "Undefined (null) where no group is contrastive.",
        ),
        limits=("The share is over claims, not rows: compare it with accuracy squared rather than with accuracy.",),
        citation="Tal Schuster, Adam Fisch, Regina Barzilay. Get Your Vitamin C! Robust Fact Verification with "
        "Contrastive Evidence. NAACL 2021 (the contrastive pairs).",
    )

    def score(
        self, predictions: Sequence[object], references: Sequence[object], groups: Sequence[Hashable]
    ) -> FlipReport:
        """Scores predicted labels against gold labels; `groups` says which rows have the same claim."""
        if not len(predictions) == len(references) == len(groups):
            sizes = {"prediction": predictions, "reference": references, "group": groups}
            told = ", ".join(count_of(len(column), name) for name, column in sizes.items())
            raise InputError(f"{told}; they must be as many")
        predicted = as_labels(predictions, self.labels, "prediction")
        gold = as_labels(references, self.labels, "reference")
        rows: dict[Hashable, list[tuple[str, str]]] = {}
        for group, wanted, guess in zip(groups, gold, predicted, strict=True):
            rows.setdefault(group, []).append((wanted, guess))
        return _report(str(self), list(rows.values()))


def _report(measure: str, groups: list[list[tuple[str, str]]]) -> FlipReport:
    pairs = [group for group in groups if len({gold for gold, _ in group}) > 1]
    same = [group for group in groups if len(group) > 1 and len({gold for gold, _ in group}) == 1]
    right = [all(gold == guess for gold, guess in group) for group in pairs]
    changed = [all(a[1] != b[1] for a, b in itertools.combinations(group, 2) if a[0] != b[0]) for group in pairs]
    stuck = [len({guess for _, guess in group}) == 1 for group in pairs]
    kinds: Counter[str] = Counter()
    kinds_right: Counter[str] = Counter()
    for group, good in zip(pairs, right, strict=True):
        kind = " / ".join(sorted({gold for gold, _ in group}))
        kinds[kind] += 1
        kinds_right[kind] += good
    single = sum(len(group) == 1 for group in groups)
    notes = []
    if not pairs:
        notes.append("undefined: no claim has two evidences with different gold labels")
    if single:
        silent = "has one evidence only and says" if single == 1 else "have one evidence only and say"
        notes.append(f"{single:,} of {count_of(len(groups), 'claim')} {silent} nothing about flips")
    return FlipReport(
        measure=measure,
        n=len(pairs),
        flip_rate=_share(right),
        changed=_share(changed),
        wrong_flip=_share([moved and not good for moved, good in zip(changed, right, strict=True)]),
        stuck=_share(stuck),
        steady=_share([len({guess for _, guess in group}) == 1 for group in same]),
        same_gold=len(same),
        single=single,
        by_change={kind: (count, kinds_right[kind] / count) for kind, count in sorted(kinds.items())},
        notes=tuple(notes),
    )


def _share(outcomes: list[bool]) -> float | None:
    return sum(outcomes) / len(outcomes) if outcomes else None


def flip_rate(
    predictions: Sequence[object],
    references: Sequence[object],
    groups: Sequence[Hashable],
    *,
    labels: LabelKind = "verdict",
) -> FlipReport:
    """The share of claims whose verdict changes, with the evidence, exactly as the gold label does.

    Rows with the same value in `groups` are one claim with different evidences.

    >>> flip_rate(["SUPPORTS", "NEI"], ["SUPPORTS", "REFUTES"], [7, 7]).as_dict()["changed"]
    1.0
    """
    return FlipRate(labels).score(predictions, references, groups)
