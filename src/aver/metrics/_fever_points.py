"""What one claim earns, by each of the two definitions of FEVER."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

import msgspec

from aver.labels import Label
from aver.metrics._fever_rows import Claim, Sentence

__all__ = ["PlainPoints", "Points", "card_figures", "card_points", "fold", "official_figures", "official_points"]

NAMES = ("fever_score", "label_accuracy", "evidence_precision", "evidence_recall", "evidence_f1")


class Points(msgspec.Struct, frozen=True, gc=False):
    """One claim's share in the figures."""

    label: bool
    """The label is right."""
    fever: bool
    """The label is right and the evidence, where it is asked for, holds a complete set."""
    asked: bool
    """The evidence of this claim counts."""
    recalled: bool
    """For the shared task's recall: a complete set was predicted, or there is none to predict."""
    hits: int
    """Predicted sentences that stand in a gold set."""
    counted: int
    """Predicted sentences that count."""
    wanted: int
    """Gold sentences there are."""


PlainPoints = tuple[bool, bool, bool, bool, int, int, int]
"""The fields of `Points` as they are summed up: large files spend their time here."""


def fold(sentence: Sentence) -> Sentence:
    """How the card's definition compares sentences: without case or outer space.

    >>> fold(" Paris is in France."), fold(("Paris", 3))
    ('paris is in france.', ('paris', 3))
    """
    if isinstance(sentence, str):
        return sentence.strip().lower()
    page, line = sentence
    # As text, which is all the card knows, `true` is not `1`; to Python it is.
    return (page.lower(), -1 - line if isinstance(line, bool) else line)


def card_points(claim: Claim, at: int | None) -> PlainPoints:
    """By the card: every distinct sentence counts, whatever the label.

    The reference implementation gives no point for a claim that is rightly called NOT ENOUGH INFO when the gold
    has no evidence sets; there is nothing to find, so we give it.
    """
    evidence, sets = claim.predicted if at is None else claim.predicted[:at], claim.sets
    fold_all: Callable[[Iterable[Sentence]], set[Sentence]] = _folded_strings
    try:
        # `_folded_strings`, written out: large files spend their time here
        predicted: set[Sentence] = set(map(_lower, map(_strip, evidence)))  # type: ignore[arg-type]
        # (gold sets are few and short: there a comprehension is quicker)
        every: set[Sentence] = {s.strip().lower() for one in sets for s in one}  # type: ignore[union-attr]
        wanted = len(every)
    except (AttributeError, TypeError):
        fold_all = _folded
        predicted, every = _folded(evidence), _folded(chain.from_iterable(sets))
        wanted = len(every) - sum(1 for s in every if isinstance(s, tuple) and s[1] is None)
    hits = 0 if every.isdisjoint(predicted) else len(every & predicted)
    label = claim.predicted_label is claim.label
    asked = wanted > 0 or claim.label is not Label.NOT_ENOUGH_INFO
    complete = False
    if label:
        # without a single hit only an empty set is complete: most claims need no look at each set
        complete = any(fold_all(one) <= predicted for one in sets) if hits else [] in sets or () in sets
    return label, label and (complete or not asked), asked, complete, hits, len(predicted), wanted


_lower, _strip = str.lower, str.strip


def _folded_strings(sentences: Iterable[Sentence]) -> set[Sentence]:
    # `fold` of each, where all are strings, as the card has them: without a call of ours for each
    return set(map(_lower, map(_strip, sentences)))  # type: ignore[arg-type]


def _folded(sentences: Iterable[Sentence]) -> set[Sentence]:
    # what a list of pairs nearly always holds is written out, which saves a third of the time
    return {(s[0].lower(), s[1]) if s.__class__ is tuple and s[1].__class__ is int else fold(s) for s in sentences}


def official_points(claim: Claim, at: int | None) -> PlainPoints:
    """By the shared task: the first `at` predictions, repeats included; NOT ENOUGH INFO needs no evidence."""
    label = claim.predicted_label is claim.label
    if claim.label is Label.NOT_ENOUGH_INFO:
        return label, label, False, False, 0, 0, 0
    predicted = claim.predicted[:at]
    sets = claim.sets
    # a gold sentence without a line is in here too, but no prediction can equal it
    wanted: set[Sentence] = set().union(*sets)
    hits = sum(map(wanted.__contains__, predicted))
    complete = any(map(set(predicted).issuperset, sets)) if hits else [] in sets or () in sets
    return label, label and complete, True, complete or not sets, hits, len(predicted), len(wanted)


def card_figures(claims: Iterable[Claim], at: int | None) -> tuple[int, dict[str, float]]:
    """How many claims, and the card's five figures: precision and recall are pooled over all of them."""
    n = labels = fevers = hits = counted = wanted = 0
    for claim in claims:
        label, fever, _, _, hit, said, there = card_points(claim, at)
        n += 1
        labels += label
        fevers += fever
        hits += hit
        counted += said
        wanted += there
    precision = hits / counted if counted else 0.0
    recall = hits / wanted if wanted else 0.0
    return n, _figures(n, fevers, labels, precision, recall)


def official_figures(claims: Iterable[Claim], at: int | None) -> tuple[int, dict[str, float]]:
    """How many claims, and the shared task's five figures: precision and recall are means over claims."""
    n = labels = fevers = asked = found = 0
    precision = 0.0
    for claim in claims:
        label, fever, asks, recalled, hits, said, _ = official_points(claim, at)
        n += 1
        labels += label
        fevers += fever
        if asks:
            asked += 1
            found += recalled
            # the shared task's convention: who predicts nothing predicts nothing wrong
            precision += hits / said if said else 1.0
    mean = precision / asked if asked else 1.0
    return n, _figures(n, fevers, labels, mean, found / asked if asked else 0.0)


def _figures(n: int, fevers: int, labels: int, precision: float, recall: float) -> dict[str, float]:
    n = n or 1  # nothing to score is an error, raised by whoever reads the input
    both = precision + recall
    f1 = 2 * precision * recall / both if both else 0.0
    return dict(zip(NAMES, (fevers / n, labels / n, precision, recall, f1), strict=True))
