"""Flagged edits: how likely each changes a fact, and what sort of thing it touches."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from aver.errors import Problems
from aver.revisions._edit_kind import EditKind, edit_kinds
from aver.revisions._flaggers import Flagger, load_flagger
from aver.revisions._times import with_times_of
from aver.revisions._word_diff import WordEdit, diff_words

if TYPE_CHECKING:
    from aver.models import Judge

__all__ = ["FlaggedEdit", "flag_edits"]

_AT_ONCE = 64
LONGEST = 100_000
"""Characters of a sentence: a longer one is no sentence, and comparing its words would take minutes."""


@dataclasses.dataclass(frozen=True, slots=True)
class FlaggedEdit:
    """Two versions of a sentence and what the edit does."""

    before: str
    after: str
    probability: float | None
    """That a fact changed, calibrated on as many edits that change one as edits that do not; None where the flagger
    could not read the pair."""
    factual: bool | None
    """Whether the probability reaches the flagger's threshold."""
    kind: EditKind
    kinds: tuple[EditKind, ...]
    words: tuple[WordEdit, ...]
    flagger: str
    reason: str = ""
    """Why there is no probability."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON; `score` is what `aver score flagging` reads."""
        fields: dict[str, Any] = {
            "before": self.before,
            "after": self.after,
            "score": self.probability,
            "probability": self.probability,
            "factual": self.factual,
            "kind": self.kind,
            "kinds": list(self.kinds),
            "words": [edit.as_dict() for edit in self.words],
            "flagger": self.flagger,
        }
        return fields | ({"reason": self.reason} if self.reason else {})


def flag_edits(
    pairs: Iterable[tuple[str, str]],
    *,
    flagger: str | Flagger = "aver",
    model: str | os.PathLike[str] | Judge = "default",
    threshold: float | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[FlaggedEdit]:
    """For each (before, after): the probability that a fact changed, and what was touched.

    `flagger` is one of `FLAGGERS` or any object with a `score`; `model` the judge it reads with. Versions that differ
    in nothing but white space, or in how a time of the day is written, change no fact, and nobody is asked. `progress`
    is called with the number of pairs scored since the last call.

    >>> [edit.kind for edit in flag_edits([("It has 3 bells.", "It has 4 bells.")], flagger="distance")]
    ['quantity']
    """
    wanted = list(pairs)
    problems = Problems()
    for number, pair in enumerate(wanted, 1):
        place = f"pair {number}"
        if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not all(isinstance(side, str) for side in pair):
            problems.add(place, f"must be two texts, before and after; got {pair!r:.60}")
        elif not all(side.strip() for side in pair):
            problems.add(place, "one version is empty: what was added or removed has nothing to compare with")
        elif max(map(len, pair)) > LONGEST:
            problems.add(place, f"has {max(map(len, pair)):,} characters without the end of a sentence, and at most "
                                f"{LONGEST:,} are compared; split the text into lines or sentences first")  # fmt: skip
    if threshold is not None and not 0 <= threshold <= 1:
        problems.add("threshold", f"is {threshold}; it must lie between 0 and 1")
    problems.raise_if_any("the edits cannot be flagged")
    asked = load_flagger(flagger, model=model, threads=threads) if isinstance(flagger, str) else flagger
    level = asked.threshold if threshold is None else threshold
    told = [(before, with_times_of(after, before)) for before, after in wanted]
    changed = [(a, b) for a, b in told if a.split() != b.split()]
    scores = iter(_scores(asked, changed, progress))
    found = []
    for (before, after), (_, read) in zip(wanted, told, strict=True):
        edits = diff_words(before, after)
        kinds = edit_kinds(before, after, edits)
        score = 0.0 if before.split() == read.split() else next(scores)
        reason = "" if score is not None else "longer than the model reads at once, or without words"
        factual = None if score is None else score >= level
        found.append(FlaggedEdit(before, after, score, factual, kinds[0], kinds, edits, asked.name, reason))
    return found


def _scores(
    flagger: Flagger, pairs: Sequence[tuple[str, str]], progress: Callable[[int], None] | None
) -> list[float | None]:
    """The score of each pair, some at a time, so that progress can be told."""
    found: list[float | None] = []
    for start in range(0, len(pairs), _AT_ONCE):
        some = pairs[start : start + _AT_ONCE]
        found += flagger.score(some)
        if progress is not None:
            progress(len(some))
    return found
