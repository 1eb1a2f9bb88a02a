"""A pass of a small judge over the chosen sentences, re-ranking by what it found; the best read by the judge itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from aver.labels import Label
from aver.models import Judge, installed, load_judge
from aver.results import Judgement
from aver.verify._numbered import speaks_of_another
from aver.verify._passages import Passage

__all__ = ["READ_AGAIN", "Reading", "joint_evidence", "ranker_for", "read_jointly", "read_sentences"]

SMALL = "fast"
"""The shipped judge that ranks for the larger ones."""
READ_AGAIN = 8
"""So many of the sentences that a search found and a small judge ordered are read by the judge itself, which keeps the
best of them. On the claims that weights are fitted on fifteen, or all thirty, are no better than eight, and five are
worse."""


@dataclasses.dataclass(frozen=True, slots=True)
class Reading:
    """A sentence and what the judge says it says about the claim."""

    passage: Passage
    judgement: Judgement
    rank: float
    """What readings are ordered by, see `read_sentences`."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return self.passage.as_dict() | {"rank": self.rank, "judgement": self.judgement.as_dict()}


def ranker_for(judge: Judge) -> Judge:
    """Who orders the sentences for a judge: `fast`, where both it and the judge come with aver, else the judge itself.

    Which few of thirty sentences bear on a claim the small model sees as well as the large one; what they say it does
    not (`benchmarks/verification.py --only fever` prints both).

    >>> from aver.models import load_judge
    >>> ranker_for(load_judge("fast")).name
    'fast'
    """
    shipped = installed()
    ours = any(judge.model == f"{f.name}@{str(f.card.get('sha256'))[:12]}" for f in shipped.values())
    if not ours or SMALL not in shipped or judge.name == SMALL:
        return judge
    return load_judge(SMALL, threads=getattr(judge, "threads", None))


def read_sentences(judge: Judge, claim: str, passages: Sequence[Passage]) -> tuple[Reading, ...]:
    """Judges every passage against the claim, and orders them: the one that bears on it most first.

    The order is by how near the passage is plus what the judge found: the mean of its relevance (where it has a head
    for that) and of the probability that the sentence decides. Each alone ranks worse (`benchmarks/verification.py`).
    """
    judged = judge.judge([(claim, passage.titled) for passage in passages])
    found = [Reading(p, j, p.near + _bearing(j)) for p, j in zip(passages, judged, strict=True)]
    return tuple(sorted(found, key=lambda reading: -reading.rank))


def _bearing(judgement: Judgement) -> float:
    if judgement.label is None:
        return 0.0
    decides = 1.0 - judgement.probabilities[Label.NOT_ENOUGH_INFO]
    return decides if judgement.relevance is None else (decides + judgement.relevance) / 2


def joint_evidence(readings: Sequence[Reading]) -> str:
    """Several sentences as one evidence: grouped by document, in the order they are read, each under its title.

    Sentences that follow each other in one document share the title: "It" then still means what it meant there.
    """
    order: dict[str, int] = {}
    for reading in readings:
        order.setdefault(reading.passage.document, len(order))
    kept = sorted((r.passage for r in readings), key=lambda p: (order[p.document], p.number))
    parts: list[str] = []
    before: Passage | None = None
    for passage in kept:
        follows = before is not None and (before.document, before.number + 1) == (passage.document, passage.number)
        parts.append(passage.text if follows else passage.titled)
        before = passage
    return " ".join(parts)


def read_jointly(judge: Judge, claim: str, readings: Sequence[Reading]) -> Judgement | None:
    """What these sentences say together; None where there are none. One alone has been read already.

    Those that speak of another than the claim does (Bus 15, not Bus 12) are left out where others do not.
    """
    if not readings:
        return None
    about = [r for r in readings if not speaks_of_another(claim, r.passage.text, r.passage.title)] or readings
    if len(about) == 1:
        return about[0].judgement
    return judge.judge([(claim, joint_evidence(about))])[0]
