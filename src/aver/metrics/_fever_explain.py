"""Which points a claim lost, and why, in words and as data."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from aver.labels import Label
from aver.measures import Score
from aver.metrics._fever_points import Points, fold
from aver.metrics._fever_rows import Claim, Sentence

__all__ = ["LOSSES", "ClaimOutcome", "FeverExplanation", "Loss", "explain_claim"]

LOSSES = {
    "wrong_label": "label_accuracy",
    "incomplete_set": "fever_score",
    "no_gold_set": "fever_score",
    "ignored_prediction": "fever_score",
    "false_evidence": "evidence_precision",
    "missed_evidence": "evidence_recall",
}
"""Every kind of loss and the figure it lowers first."""


@dataclasses.dataclass(frozen=True, slots=True)
class Loss:
    """One reason for lost points."""

    kind: str
    """One of `LOSSES`."""
    why: str
    sentences: tuple[Sentence, ...] = ()
    """The sentences it is about: those missing, ignored or wrong."""

    @property
    def figure(self) -> str:
        """The figure that it lowers."""
        return LOSSES[self.kind]


@dataclasses.dataclass(frozen=True, slots=True)
class ClaimOutcome:
    """One claim: what it should have been, what was predicted, what it earned and lost."""

    id: object
    number: int
    """The row of its prediction."""
    label: Label
    predicted_label: Label | None
    """None: it could not be judged."""
    points: Points
    lost: tuple[Loss, ...]

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON lines."""
        return {
            "id": self.id,
            "row": self.number,
            "label": self.label.value,
            "predicted_label": None if self.predicted_label is None else self.predicted_label.value,
            "label_correct": self.points.label,
            "fever_correct": self.points.fever,
            "lost": [
                {"figure": loss.figure, "kind": loss.kind, "why": loss.why, "sentences": list(loss.sentences)}
                for loss in self.lost
            ],
        }


@dataclasses.dataclass(frozen=True, slots=True)
class FeverExplanation:
    """The score and the outcome of every claim."""

    score: Score
    claims: tuple[ClaimOutcome, ...]

    def summary(self) -> dict[str, int]:
        """How many claims lost something, by the kind of loss."""
        found = Counter(loss.kind for claim in self.claims for loss in claim.lost)
        return {kind: found[kind] for kind in LOSSES if found[kind]}


def explain_claim(claim: Claim, points: Points, variant: str, at: int | None) -> ClaimOutcome:
    """Why this claim earned no more than it did."""
    lost: list[Loss] = []
    if not points.label:
        said = "no label: it could not be judged" if claim.predicted_label is None else str(claim.predicted_label)
        lost.append(Loss("wrong_label", f"predicted {said}, gold {claim.label}"))
    same = fold if variant == "card" else _itself
    counted, ignored = claim.predicted[:at], claim.predicted[at:] if at is not None else ()
    predicted = {same(s) for s in counted}
    if points.asked and not _complete(claim.sets, predicted, same):
        lost += _incomplete(claim.sets, predicted, ignored, at, same)
    if points.asked or variant == "card":
        wanted = {same(s): s for one in claim.sets for s in one if isinstance(s, str) or s[1] is not None}
        false = _unlike(counted, wanted, same)
        if false:
            lost.append(Loss("false_evidence", f"predicted, but in no gold set: {_list(false)}", false))
        # the shared task's recall is of complete sets, which the loss above has told
        missed = tuple(s for key, s in wanted.items() if key not in predicted) if variant == "card" else ()
        if missed:
            lost.append(Loss("missed_evidence", f"gold sentences not predicted: {_list(missed)}", missed))
    return ClaimOutcome(claim.id, claim.number, claim.label, claim.predicted_label, points, tuple(lost))


def _incomplete(
    sets: Sequence[Sequence[Sentence]], predicted: set[Any], ignored: Sequence[Sentence], at: int | None, same: Any
) -> list[Loss]:
    if not sets:
        return [Loss("no_gold_set", "the gold has no evidence set for this label, so none can be complete")]
    missing = min(
        (tuple(s for s in one if same(s) not in predicted) for one in sets),
        key=lambda one: (any(isinstance(s, tuple) and s[1] is None for s in one), len(one)),
    )
    lost = [Loss("incomplete_set", f"no evidence set is complete; the nearest lacks: {_list(missing)}", missing)]
    found = {same(s) for s in ignored}
    if found and _complete(sets, predicted | found, same):
        late = tuple(s for one in sets for s in one if same(s) in found and same(s) not in predicted)
        late = tuple(dict.fromkeys(late))
        ranks = [str(at + 1 + i) for i, s in enumerate(ignored) if same(s) in {same(x) for x in late}] if at else []
        why = f"only the first {at} count; ignored at rank {', '.join(ranks)}, would complete a set: {_list(late)}"
        lost.append(Loss("ignored_prediction", why, late))
    return lost


def _complete(sets: Iterable[Sequence[Sentence]], predicted: set[Any], same: Any) -> bool:
    return any(all(not _blank(s) and same(s) in predicted for s in one) for one in sets)


def _unlike(counted: Sequence[Sentence], wanted: dict[Any, Sentence], same: Any) -> tuple[Sentence, ...]:
    return tuple(dict.fromkeys(s for s in counted if same(s) not in wanted))


def _blank(sentence: Sentence) -> bool:
    return isinstance(sentence, tuple) and sentence[1] is None


def _itself(sentence: Sentence) -> Sentence:
    return sentence


def _list(sentences: Sequence[Sentence], shown: int = 5) -> str:
    words = [_words(s) for s in sentences[:shown]]
    return "; ".join(words) + (f"; and {len(sentences) - shown} more" if len(sentences) > shown else "")


def _words(sentence: Sentence) -> str:
    if isinstance(sentence, str):
        return sentence if len(sentence) <= 120 else sentence[:117] + "…"
    page, line = sentence
    if line is None:
        return f"{page or 'a page'} (no line given in the gold: nothing can match it)"
    return f"{page} line {line}"
