"""`aver.diff`: what changed between two versions of a text, sentence by sentence, and which changes are of fact."""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from aver.errors import InputError, kind_of
from aver.revisions._align import ALIGNMENTS, Aligned, align
from aver.revisions._flag import FlaggedEdit, flag_edits
from aver.revisions._flaggers import Flagger

if TYPE_CHECKING:
    from aver.models import Judge

__all__ = ["Diff", "SentenceChange", "diff"]


@dataclasses.dataclass(frozen=True, slots=True)
class SentenceChange:
    """A sentence that did not stay as it was; `flag` where there are two versions of it to compare."""

    pair: Aligned
    flag: FlaggedEdit | None

    @property
    def factual(self) -> bool:
        """Whether the edit is flagged as one that changes a fact."""
        return self.flag is not None and self.flag.factual is True

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        flag = self.flag
        told = {"probability": None, "factual": None, "kind": None, "kinds": []} if flag is None else {
            "probability": flag.probability, "factual": flag.factual, "kind": flag.kind, "kinds": list(flag.kinds),
        }  # fmt: skip
        reason = {"reason": flag.reason} if flag is not None and flag.reason else {}
        return self.pair.as_dict() | told | reason


@dataclasses.dataclass(frozen=True, slots=True)
class Diff:
    """Every sentence that changed, in the order of the new version, and how many there were of each sort."""

    changes: tuple[SentenceChange, ...]
    counts: Mapping[str, int]
    """Sentences (or groups of them) by what became of them: same, moved, reworded, split, merged, added, removed."""
    flagger: str | None

    @property
    def factual(self) -> tuple[SentenceChange, ...]:
        """The changes flagged as factual."""
        return tuple(change for change in self.changes if change.factual)

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        # nobody looked: that is not none
        unflagged = self.flagger is None and any(self.counts[name] for name in ("reworded", "split", "merged"))
        return {
            "flagger": self.flagger,
            "counts": dict(self.counts),
            "factual": None if unflagged else len(self.factual),
            "changes": [change.as_dict() for change in self.changes],
        }


def diff(
    old: str,
    new: str,
    *,
    flag: bool = True,
    flagger: str | Flagger = "aver",
    model: str | os.PathLike[str] | Judge = "default",
    threshold: float | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Diff:
    """What changed from one text to another: sentences aligned, words compared, edits of fact flagged.

    Sentences that were reworded, split or merged get a probability that a fact changed, and a kind; one that was
    added or removed has no counterpart and is listed only. `flag=False` leaves the flagging out, and needs no model.
    `progress` is called with the number of edits flagged since the last call.

    >>> found = diff("It is 50 m high. It is old.", "It is 52 m high. It is old.", flag=False)
    >>> [(c.pair.alignment, c.pair.words[0].before, c.pair.words[0].after) for c in found.changes]
    [('reworded', '50', '52')]
    """
    for name, text in (("old", old), ("new", new)):
        if not isinstance(text, str):
            raise InputError(f"the {name} version is {kind_of(text, none='missing')}; it must be text")
    pairs = align(old, new)
    changed = [pair for pair in pairs if pair.alignment != "same"]
    compared = [pair for pair in changed if pair.before and pair.after and pair.alignment != "moved"]
    flags: list[FlaggedEdit] = []
    if flag and compared:
        flags = flag_edits(
            [(pair.before_text, pair.after_text) for pair in compared],
            flagger=flagger, model=model, threshold=threshold, threads=threads, progress=progress,
        )  # fmt: skip
    by_pair = {id(pair): told for pair, told in zip(compared, flags, strict=False)}
    counted = Counter(pair.alignment for pair in pairs)
    return Diff(
        tuple(SentenceChange(pair, by_pair.get(id(pair))) for pair in changed),
        {name: counted[name] for name in ALIGNMENTS},
        flags[0].flagger if flags else None,
    )
