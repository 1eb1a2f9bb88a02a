"""The search for an edit: changes made likely by rule, read by the judge, and weighed against their size."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from aver.errors import InputError
from aver.labels import Label
from aver.results import Judgement
from aver.revisions._revise_change import Change, applied, faults, overlapping, size
from aver.revisions._revise_figures import figure_changes, figures, in_parts
from aver.revisions._revise_phrases import Pair, deletions, exchanges, insertions, substitutions
from aver.revisions._revise_turns import turns
from aver.revisions._revise_weights import Weights

if TYPE_CHECKING:
    from aver.models import Judge

__all__ = ["Attempt", "attempts", "best", "combined", "decisive_words", "proposals", "read"]

FIGURES = 10
MOST = {"phrase": 16, "insertion": 4, "deletion": 4, "negation": 3, "word": 3}
"""How many changes of each kind the judge is asked about."""
WIDTH = 28
"""And how many of all kinds."""
STAGE = 10
"""Figures are read first, the other changes so many at a time."""
SURE = 0.9
"""Where a change is supported with this probability, the less likely ones are not read any more: it saves time, and
the more a judge is asked the likelier it errs once."""
ENOUGH = 0.7
"""Where no single change is supported with this probability, changes are tried in pairs."""
PAIRED, PAIRS = 6, 14


class Attempt(NamedTuple):
    """A sentence that was tried, how it came about, and what the judge says of it."""

    text: str
    changes: tuple[Change, ...]
    judgement: Judgement
    size: int
    """Words that go or come."""
    faults: int
    prior: float

    @property
    def support(self) -> float:
        return self.judgement.probabilities.get(Label.SUPPORTS, 0.0)

    @property
    def figures(self) -> bool:
        """Whether it changes figures only, by exact arithmetic."""
        return all(change.kind == "figure" for change in self.changes)


def decisive_words(judge: Judge, claim: str, sentence: str) -> tuple[Judgement, dict[int, float]]:
    """What the judge says now, and how much it looks at each character of the sentence.

    A judge without a token head looks nowhere in particular; the alignment of the words has to do then, because
    hiding words one after the other would cost more than the whole search.
    """
    try:
        found = judge.explain(claim, sentence, method="head")
    except InputError:
        return judge.judge([(claim, sentence)])[0], {}
    return found.judgement, {at: word.score for word in found.evidence for at in range(word.start, word.end)}


def proposals(sentence: str, claim: str, weight: dict[int, float]) -> list[tuple[Change, ...]]:
    """Sets of changes worth a reading, figures first, then what looks likeliest of every kind."""
    found: list[tuple[Change, ...]] = list(figure_changes(sentence, claim, weight)[:FIGURES])
    settled = [(figure.start, figure.end) for figure in figures(claim)] if found or in_parts(sentence) else []
    pair = Pair(sentence, claim, weight, settled=settled)
    singles: dict[tuple[int, int, str], Change] = {}
    for change in itertools.chain(substitutions(pair), exchanges(pair), insertions(pair), deletions(pair), turns(pair)):
        place = (change.start, change.end, change.new)
        if place not in singles or singles[place].prior < change.prior:
            singles[place] = change
    counts = dict.fromkeys(MOST, 0)
    for change in sorted(singles.values(), key=lambda change: (-change.prior, change)):
        if counts[change.kind] < MOST[change.kind]:
            counts[change.kind] += 1
            found.append((change,))
    return found[:WIDTH]


def attempts(sentence: str, claim: str, sets: Sequence[tuple[Change, ...]], judge: Judge) -> list[Attempt]:
    """The proposals as the judge reads them, likeliest first, until one is surely supported; then pairs of them."""
    exact = [changes for changes in sets if changes[0].kind == "figure"]
    others = [changes for changes in sets if changes[0].kind != "figure"]
    found: list[Attempt] = []
    for stage in [exact, *(others[at : at + STAGE] for at in range(0, len(others), STAGE))]:
        found += read(sentence, claim, stage, judge, known={attempt.text for attempt in found})
        if any(attempt.support >= SURE for attempt in found):
            return found
    return found + read(sentence, claim, combined(found), judge, known={attempt.text for attempt in found})


def combined(read_so_far: Sequence[Attempt]) -> list[tuple[Change, ...]]:
    """Pairs of the changes that helped most, where none was enough: a claim may hold two facts."""
    ranked = sorted(read_so_far, key=lambda attempt: -attempt.support)[:PAIRED]
    if not ranked or ranked[0].support >= ENOUGH:
        return []
    pairs: list[tuple[Change, ...]] = []
    for one, two in itertools.combinations(ranked, 2):
        both = tuple(sorted({*one.changes, *two.changes}))
        if len(both) > max(len(one.changes), len(two.changes)) and not overlapping(both):
            pairs.append(both)
    return pairs[:PAIRS]


def read(
    sentence: str, claim: str, sets: Iterable[tuple[Change, ...]], judge: Judge, *, known: Collection[str] = ()
) -> list[Attempt]:
    """Makes each set of changes and asks the judge about the outcome; each outcome once."""
    texts: dict[str, tuple[Change, ...]] = {}
    for changes in sets:
        text = applied(sentence, changes)
        if text != sentence and text not in known:
            texts.setdefault(text, changes)
    judged = judge.judge([(claim, text) for text in texts])
    return [
        Attempt(text, changes, judgement, size(sentence, text), faults(text, sentence),
                sum(change.prior for change in changes) / len(changes))
        for (text, changes), judgement in zip(texts.items(), judged, strict=True)
    ]  # fmt: skip


def best(found: Sequence[Attempt], weights: Weights, *, most_words: int) -> Attempt | None:
    """The attempt that the judge finds supported and that says it with the least; None where there is none."""
    fitting = [a for a in found if a.judgement.label is Label.SUPPORTS and a.size <= most_words]
    return max(fitting, key=lambda attempt: (_score(attempt, weights), -attempt.size, attempt.text), default=None)


def _score(attempt: Attempt, weights: Weights) -> float:
    return (
        math.log(max(attempt.support, 1e-6))
        - weights.word * attempt.size
        - weights.change * (0 if attempt.figures else len(attempt.changes) - 1)
        - weights.fault * attempt.faults
        + weights.prior * attempt.prior
        + weights.figure * attempt.figures
    )
