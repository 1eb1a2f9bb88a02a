"""Which words of an evidence an edit changed, and how well a judge finds them.

As in VitaminC's section on word-level rationales: where the same claim stands with another evidence of another label,
the rationale of the evidence is its non-stop words that the other evidence deletes or replaces (`m_edit`).
"""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from aver.labels import Label
from aver.models import Judge
from aver.text import STOP_WORDS, Word, words
from aver.train._mix import read
from aver.train._packed import Array

__all__ = ["Contrast", "best_threshold", "contrasts", "edited_words", "fold_contrasts", "word_scores"]

class Contrast(NamedTuple):
    """A claim with an evidence that decides it, and the words that another evidence of the claim has not."""

    claim: str
    evidence: str
    case: str
    wanted: frozenset[int]
    """Numbers of the edited non-stop words, as `aver.text.words` counts."""
    unlabelled: frozenset[int]
    """Stop words and punctuation: neither wanted nor held against a judge."""


def edited_words(evidence: str, counterpart: str) -> frozenset[int]:
    """The words of an evidence that its counterpart deletes or replaces, stop words and punctuation left out.

    >>> found = edited_words("The outbreak began in November 2019 .", "An outbreak began in December 2019 .")
    >>> [words("The outbreak began in November 2019 .")[i].text for i in found]
    ['November']
    """
    mine, theirs = words(evidence), words(counterpart)
    matcher = difflib.SequenceMatcher(
        None, [word.text.lower() for word in mine], [word.text.lower() for word in theirs], autojunk=False
    )
    changed = [i for tag, a, b, _, _ in matcher.get_opcodes() if tag != "equal" for i in range(a, b)]
    return frozenset(i for i in changed if not _without_label(mine[i]))


def fold_contrasts(data: Path, fold: int) -> list[Contrast]:
    """Those of a fold of VitaminC, of the real part and then of the synthetic one."""
    parts = (read(data / "vitaminc" / f"{part}.jsonl.gz") for part in ("real", "synthetic"))
    return [found for part in parts for found in contrasts(row for row in part if row["fold"] == fold)]


def contrasts(rows: Iterable[Mapping[str, Any]]) -> list[Contrast]:
    """VitaminC's rows that decide, have a counterpart, and lose a non-stop word to it.

    The counterpart is the first evidence of the same claim with the opposite verdict, else one that is silent.
    """
    by_claim: dict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        by_claim[row["case_id"], row["claim"]].append(row)
    found = []
    for (case, claim), group in by_claim.items():
        for row in group:
            label = Label(row["label"])
            others = [other for other in group if Label(other["label"]) is not label]
            if label is Label.NOT_ENOUGH_INFO or not others:
                continue
            other = min(others, key=lambda r: Label(r["label"]) is Label.NOT_ENOUGH_INFO)
            wanted = edited_words(row["evidence"], other["evidence"])
            if wanted:
                silent = frozenset(i for i, word in enumerate(words(row["evidence"])) if _without_label(word))
                found.append(Contrast(claim, row["evidence"], case, wanted, silent))
    return found


def _without_label(word: Word) -> bool:
    return word.is_punctuation or word.text.lower() in STOP_WORDS


def word_scores(judge: Judge, rows: Sequence[Contrast], *, say: Callable[[str], None] = print) -> list[Array]:
    """How much each evidence word weighs, row by row, by the judge's token head.

    The scores, not the words that `explain` chooses: the task gives a pair that decides, and whether the judge sees
    that is measured elsewhere.
    """
    found = []
    for number, row in enumerate(rows, 1):
        explanation = judge.explain(row.claim, row.evidence, method="head")
        found.append(np.array([word.score for word in explanation.evidence]))
        if number % 500 == 0:
            say(f"rationales {number:,} of {len(rows):,}")
    return found


def best_threshold(scores: Sequence[Array], rows: Sequence[Contrast]) -> tuple[float, float]:
    """The threshold with the highest F1 over all words of all rows, and that F1.

    >>> row = Contrast("c", "one two three", "1", frozenset({2}), frozenset())
    >>> best_threshold([np.array([0.1, 0.2, 0.7])], [row])
    (0.45, 1.0)
    """
    score, wanted = [], []
    for row, own in zip(rows, scores, strict=True):
        kept = [i for i in range(len(own)) if i not in row.unlabelled]
        score += [float(own[i]) for i in kept]
        wanted += [i in row.wanted for i in kept]
    if not any(wanted):
        return 0.5, 0.0
    order = np.argsort(-np.array(score), kind="stable")
    values, hits = np.array(score)[order], np.cumsum(np.array(wanted)[order])
    f1 = 2 * hits / (np.arange(1, len(hits) + 1) + hits[-1])
    # a threshold cannot stand between equal scores
    f1[:-1][values[:-1] == values[1:]] = -1
    at = int(f1.argmax())
    below = values[at + 1] if at + 1 < len(values) else 0.0
    return round(float((values[at] + below) / 2), 6), float(f1[at])
