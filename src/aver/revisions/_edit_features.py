"""What can be told of an edit besides the words themselves: the numbers that flaggers weigh.

Some are read off the two texts by rule (figures, names, negations, how much was edited), some come from a judge that
reads one version as evidence for the other, both ways: two versions that follow from each other say the same.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from aver.models import Judge, OnnxJudge
from aver.revisions._edit_kind import edit_kinds, negations
from aver.revisions._word_diff import WordEdit, diff_words
from aver.text import words

__all__ = ["FEATURES", "JUDGED", "Pair", "features", "focused", "judged_features", "odds", "rule_features"]

Pair = tuple[str, str]
Array = NDArray[np.float64]

JUDGED = ("head", "head_spread", "entailed", "refuted", "refuted_both")
RULES = (
    "quantity", "date", "entity", "negation", "names_swapped", "lost", "gained", "edited", "share", "form_only",
    "same_figures", "reordered",
)  # fmt: skip
FEATURES = (*JUDGED, *RULES)
"""The names of the columns of `features`."""

_FLOOR = 1e-4
_CLOSE = 30
"""Words of each version that are read where more do not fit."""
_STOP = frozenset(
    "a also an and are as at be been being but by did do does for from had has have he her him his i if in into is "
    "it its itself of on onto or our she so some than that the their them then there these they this those to too up "
    "was we were which while who whom will with would you".split()
)


def features(pairs: Sequence[Pair], judge: Judge) -> tuple[Array, list[bool]]:
    """A row of numbers for each pair, in the order of `FEATURES`, and whether the judge could read it."""
    judged, read = judged_features(pairs, judge)
    return np.hstack([judged, rule_features(pairs)]), read


def rule_features(pairs: Sequence[Pair]) -> Array:
    """The columns that no model is needed for.

    >>> row = rule_features([("It made $ 16 million .", "It made $ 18 million .")])[0]
    >>> dict(zip(RULES, row.round(2).tolist()))["quantity"]
    1.0
    """
    return np.array([_rules(*pair) for pair in pairs], np.float64).reshape(len(pairs), len(RULES))


def judged_features(pairs: Sequence[Pair], judge: Judge) -> tuple[Array, list[bool]]:
    """The judge's columns: the edit head's log odds (mean and spread of both ways; 0 where the judge has no such
    head), and how far the versions follow from or contradict each other."""
    found = np.zeros((len(pairs), len(JUDGED)))
    read = [True] * len(pairs)
    both = [focused(*pair) for pair in pairs]
    ways = [_answers(both, judge), _answers([(b, a) for a, b in both], judge)]
    # rare words are many tokens: what did not fit is tried once more, closer to the edit
    missed = [row for row, first in enumerate(ways[0]) if first is None or ways[1][row] is None]
    if missed:
        close = [focused(*pairs[row], most=_CLOSE) for row in missed]
        for way, turned in zip(ways, (close, [(b, a) for a, b in close]), strict=True):
            for row, answer in zip(missed, _answers(turned, judge), strict=True):
                way[row] = answer
    for row, (first, second) in enumerate(zip(*ways, strict=True)):
        if first is None or second is None:
            read[row] = False
            continue
        (edit, supports, refutes), (back, supports_back, refutes_back) = first, second
        mean, spread = (0.0, 0.0) if edit is None or back is None else ((edit + back) / 2, abs(edit - back))
        found[row] = (
            mean, spread, min(supports, supports_back), max(refutes, refutes_back), min(refutes, refutes_back),
        )  # fmt: skip
    return found, read


def _answers(pairs: Sequence[Pair], judge: Judge) -> list[tuple[float | None, float, float] | None]:
    """The log odds of a factual edit, of support and of refutation."""
    if isinstance(judge, OnnxJudge):
        return [
            None
            if answer is None
            else (
                None if answer.edit is None else odds(answer.edit),
                odds(float(answer.probabilities[0])),
                odds(float(answer.probabilities[1])),
            )
            for answer in judge.read_versions(pairs)
        ]
    judged = judge.judge(pairs)
    return [
        None if j.label is None else (None, odds(j.probabilities["SUPPORTS"]), odds(j.probabilities["REFUTES"]))
        for j in judged
    ]


def focused(before: str, after: str, *, context: int | None = None, most: int = 90) -> Pair:
    """The two versions cut down to their changed words and `context` words around them.

    Without `context` they stay whole, unless one is longer than `most` words: then what both have at their ends is cut
    until they fit, or until only what changed is left.

    >>> focused("In May , it made $ 16 million in Rome .", "In May , it made $ 18 million in Rome .", context=1)
    ('$ 16 million', '$ 18 million')
    """
    if context is None and max(before.count(" "), after.count(" ")) < most:
        return before, after
    old, new = words(before), words(after)
    if context is None and max(len(old), len(new)) <= most:
        return before, after
    edits = diff_words(before, after)
    if not edits:
        return before, after
    pieces = []
    before_spans, after_spans = [edit.before_span for edit in edits], [edit.after_span for edit in edits]
    for found, text, spans in ((old, before, before_spans), (new, after, after_spans)):
        inside = [i for i, w in enumerate(found) if any(a <= w.start < b or a == b == w.start for a, b in spans)]
        start, end = spans[0][0], spans[-1][1]
        first = inside[0] if inside else next((i for i, w in enumerate(found) if w.end > start), len(found))
        last = inside[-1] + 1 if inside else first
        if not inside:
            last = next((i for i, w in enumerate(found) if w.start >= end), len(found))
            first = min(first, last)
        around = context if context is not None else max(4, (most - (last - first)) // 2)
        left, right = max(0, first - around), min(len(found), last + around)
        pieces.append(text[found[left].start : found[right - 1].end] if left < right else text)
    return pieces[0], pieces[1]


def _rules(before: str, after: str) -> list[float]:
    edits = diff_words(before, after)
    kinds = edit_kinds(before, after, edits)
    old, new = _bag(before), _bag(after)
    lost, gained = old - new, new - old
    content_lost = [w for w in lost.elements() if w not in _STOP]
    content_gained = [w for w in gained.elements() if w not in _STOP]
    edited = sum(len(words(edit.before)) + len(words(edit.after)) for edit in edits)
    names_swapped = "entity" in kinds and any(_capital(e.before) and _capital(e.after) for e in edits)
    return [
        float("quantity" in kinds),
        float("date" in kinds),
        float("entity" in kinds),
        float(negations(before) != negations(after)),
        float(names_swapped),
        math.log1p(len(content_lost)),
        math.log1p(len(content_gained)),
        math.log1p(edited),
        edited / max(1, old.total() + new.total()),
        float(_form_only(content_lost, content_gained)),
        float(_same_figures(edits, kinds)),
        float(bool(edits) and not content_lost and not content_gained and _content(edits)),
    ]


def _same_figures(edits: Sequence[WordEdit], kinds: Sequence[str]) -> bool:
    """Digits were edited, and yet every amount and date is what it was: "1752" and "1,752"."""
    touched = any(any(map(str.isdigit, edit.before)) and any(map(str.isdigit, edit.after)) for edit in edits)
    return touched and not {"quantity", "date"} & set(kinds)


def _content(edits: Sequence[WordEdit]) -> bool:
    """Whether words that carry meaning are among the edited ones."""
    return any(
        word.text.casefold() not in _STOP and not word.is_punctuation for edit in edits for word in words(edit.before)
    )


def _bag(text: str) -> Counter[str]:
    return Counter(w.text.casefold() for w in words(text) if not w.is_punctuation)


def _capital(text: str) -> bool:
    return any(word.text[:1].isupper() for word in words(text))


def _form_only(lost: Sequence[str], gained: Sequence[str]) -> bool:
    """Nothing but small words, punctuation, inflection and spelling: each lost word has a twin among the gained."""
    if len(lost) != len(gained) or len(lost) > 12:
        return False
    rest = list(gained)
    for word in lost:
        twin = next((other for other in rest if _twins(word, other)), None)
        if twin is None:
            return False
        rest.remove(twin)
    return True


def _twins(a: str, b: str) -> bool:
    if any(map(str.isdigit, a + b)):
        return False
    shared = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    longer = max(len(a), len(b))
    return longer >= 4 and (shared >= max(3, longer - 3) or (len(a) == len(b) and sorted(a) == sorted(b)))


def odds(share: float) -> float:
    """Log odds, kept finite."""
    return math.log(share + _FLOOR) - math.log(1 - share + _FLOOR)
