"""A text of several claims: each sentence that can be verified is checked, the others say why they were not."""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from aver.collection import Collection
from aver.errors import InputError
from aver.models import Judge, load_judge
from aver.results import Status
from aver.verify._check import DEFAULT, check
from aver.verify._claims import Claim, find_claims
from aver.verify._contradictions import Contradiction, find_contradictions
from aver.verify._results import Settings, Verdict

__all__ = ["ClaimCheck", "TextCheck", "check_text"]


@dataclasses.dataclass(frozen=True, slots=True)
class ClaimCheck:
    """A sentence of the text, and its verdict if it could be verified."""

    claim: Claim
    verdict: Verdict | None

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return self.claim.as_dict() | {"verdict": None if self.verdict is None else self.verdict.as_dict()}


@dataclasses.dataclass(frozen=True, slots=True)
class TextCheck:
    """What became of a text."""

    claims: tuple[ClaimCheck, ...]
    contradictions: tuple[Contradiction, ...] = ()
    """Pairs of its claims that refute each other, whatever the sources say."""
    pairs_unread: int = 0
    """Pairs that are alike and were not read against each other, since the text has too many."""
    text: str = ""
    """The text as it was read, without the markup of its file: the places of the claims count in it."""

    @property
    def status(self) -> Status:
        """`scored`, or `no_claims` where no sentence could be verified."""
        return "scored" if any(c.verdict is not None for c in self.claims) else "no_claims"

    @property
    def outcomes(self) -> dict[str, int]:
        """How many sentences got which label, and how many none."""
        counts = Counter(
            "not verifiable" if c.verdict is None else str(c.verdict.label or c.verdict.status) for c in self.claims
        )
        return dict(counts.most_common())

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {"status": self.status, "outcomes": self.outcomes, "claims": [c.as_dict() for c in self.claims]} | {
            "contradictions": [c.as_dict() for c in self.contradictions], "pairs_unread": self.pairs_unread,
            "text": self.text,
        }  # fmt: skip


def check_text(
    text: str,
    *,
    collection: Collection | str | os.PathLike[str] | None = None,
    evidence: str | Sequence[tuple[str, str]] | None = None,
    model: str | os.PathLike[str] | Judge = "default",
    ranker: str | os.PathLike[str] | Judge | None = None,
    settings: Settings = DEFAULT,
    name: str = "evidence",
    progress: Callable[[int], None] | None = None,
) -> TextCheck:
    """Splits a text into claims and checks each that can be verified; see `check` for the rest.

    Claims are then read against each other: two that refute each other are a contradiction in the text itself.

    >>> check_text("Really? Oh dear!", evidence="Tea is hot.", model="fast").status
    'no_claims'
    """
    if (collection is None) == (evidence is None):
        raise InputError("say where to look: give collection or evidence, one of them")
    claims = find_claims(text)
    if not any(claim.verifiable for claim in claims):
        return TextCheck(tuple(ClaimCheck(claim, None) for claim in claims), text=text)
    judge = model if isinstance(model, Judge) else load_judge(model)
    first = ranker if isinstance(ranker, Judge) or ranker is None else load_judge(ranker)
    opened = collection if isinstance(collection, Collection) or collection is None else Collection(collection)
    checked: list[ClaimCheck] = []
    try:
        for claim in claims:
            verdict = None
            if claim.verifiable:
                verdict = check(
                    claim.statement, collection=opened, evidence=evidence, model=judge, ranker=first,
                    settings=settings, name=name,
                )  # fmt: skip
                if claim.resolved:
                    note = f"“{claim.pronoun}” was read as “{claim.subject}”, the last subject named before"
                    verdict = dataclasses.replace(verdict, notes=(*verdict.notes, note))
            checked.append(ClaimCheck(claim, verdict))
            if progress is not None:
                progress(1)
    finally:
        if opened is not None and opened is not collection:
            opened.close()
    stated = [(at, claim.statement) for at, claim in enumerate(claims) if claim.verifiable]
    against = find_contradictions(stated, judge)
    return TextCheck(tuple(checked), against.found, against.alike - against.read, text)
