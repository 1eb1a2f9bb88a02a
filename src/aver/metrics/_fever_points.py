"""What one claim earns, by each of the two definitions of FEVER."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from aver.labels import Label
from aver.metrics._fever_rows import Gold, Guess, Sentence

__all__ = ["Points", "card_figures", "card_points", "fold", "official_figures", "official_points"]

NAMES = ("fever_score", "label_accuracy", "evidence_precision", "evidence_recall", "evidence_f1")


class Points(NamedTuple):
    """One claim's share in the figures."""

    label: bool
    """The label is right."""
    fever: bool
    """The label is right and the evidence, where it is asked for, holds a complete set."""
    asked: bool
    """The evidence of this claim counts."""
    recalled: bool
    """The shared task's recall: a complete set was predicted, or there is none to predict."""
    hits: int
    """Predicted sentences that stand in a gold set."""
    counted: int
    """Predicted sentences that count."""
    wanted: int
    """Gold sentences there are."""


def fold(sentence: Sentence) -> str:
    """How the card's definition compares sentences: as text, without case or outer space.

    >>> fold(" Paris is in France."), fold(("Paris", 3))
    ('paris is in france.', 'paris\\t3')
    """
    if isinstance(sentence, tuple):
        return f"{sentence[0]}\t{sentence[1]}".lower()
    return sentence.strip().lower()


def card_points(gold: Gold, guess: Guess, at: int | None) -> Points:
    """By the card: every distinct sentence counts, whatever the label.

    The reference implementation gives no point for a claim that is rightly called NOT ENOUGH INFO when the gold
    has no evidence sets; there is nothing to find, so we give it.
    """
    predicted = {fold(sentence) for sentence in guess.evidence[:at]}
    sets = [{fold(s) for s in one} for one in gold.sets if not _unfillable(one)]
    wanted: set[str] = set()
    for one in gold.sets:
        wanted.update(fold(s) for s in one if isinstance(s, str) or s[1] is not None)
    label = guess.label is gold.label
    asked = bool(wanted) or gold.label is not Label.NOT_ENOUGH_INFO
    complete = any(one <= predicted for one in sets)
    hits = len(wanted & predicted)
    return Points(label, label and (complete or not asked), asked, complete, hits, len(predicted), len(wanted))


def official_points(gold: Gold, guess: Guess, at: int | None) -> Points:
    """By the shared task: the first `at` predictions, repeats included; NOT ENOUGH INFO needs no evidence."""
    label = guess.label is gold.label
    if gold.label is Label.NOT_ENOUGH_INFO:
        return Points(label, label, False, False, 0, 0, 0)
    predicted = guess.evidence[:at]
    wanted = {s for one in gold.sets for s in one if isinstance(s, str) or s[1] is not None}
    complete = False
    for one in gold.sets:
        for sentence in one:
            if sentence not in predicted:
                break
        else:
            complete = True
            break
    hits = 0
    for sentence in predicted:
        if sentence in wanted:
            hits += 1
    return Points(label, label and complete, True, complete or not gold.sets, hits, len(predicted), len(wanted))


def card_figures(points: Iterable[Points]) -> tuple[int, dict[str, float]]:
    """How many claims, and the card's five figures: precision and recall are pooled over all of them."""
    n = labels = fevers = hits = counted = wanted = 0
    for p in points:
        n += 1
        labels += p.label
        fevers += p.fever
        hits += p.hits
        counted += p.counted
        wanted += p.wanted
    precision = hits / counted if counted else 0.0
    recall = hits / wanted if wanted else 0.0
    return n, _figures(n, fevers, labels, precision, recall)


def official_figures(points: Iterable[Points]) -> tuple[int, dict[str, float]]:
    """How many claims, and the shared task's five figures: precision and recall are means over claims."""
    n = labels = fevers = asked = recalled = 0
    precision = 0.0
    for p in points:
        n += 1
        labels += p.label
        fevers += p.fever
        if p.asked:
            asked += 1
            recalled += p.recalled
            # the shared task's convention: who predicts nothing predicts nothing wrong
            precision += p.hits / p.counted if p.counted else 1.0
    mean = precision / asked if asked else 1.0
    return n, _figures(n, fevers, labels, mean, recalled / asked if asked else 0.0)


def _figures(n: int, fevers: int, labels: int, precision: float, recall: float) -> dict[str, float]:
    n = n or 1  # nothing to score is an error, raised by whoever reads the input
    both = precision + recall
    f1 = 2 * precision * recall / both if both else 0.0
    return dict(zip(NAMES, (fevers / n, labels / n, precision, recall, f1), strict=True))


def _unfillable(one: tuple[Sentence, ...]) -> bool:
    return any(isinstance(s, tuple) and s[1] is None for s in one)
