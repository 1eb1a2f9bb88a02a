"""`aver.extract`: what an edit makes true, and what it makes no longer true."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from aver.errors import Problems, kind_of
from aver.labels import Label
from aver.results import Judgement, Status
from aver.revisions._extract_claims import Candidate, candidates
from aver.revisions._extract_marks import Edit, mark_edit
from aver.revisions._times import with_times_of

if TYPE_CHECKING:
    from aver.models import Judge

__all__ = ["ExtractedClaim", "Extraction", "extract", "extract_edits"]

MOST = 3
"""Claims of each side."""
LONGEST = 5_000
"""Characters of a sentence."""
WORD_COST = 0.01
"""What a word costs against a probability: of two claims that hold equally well the shorter is the better."""
BOUND_COST = 0.05
"""What a bound ("more than 20") costs beside the figure itself: it says less."""


@dataclasses.dataclass(frozen=True, slots=True)
class ExtractedClaim:
    """A claim that one version makes true and the other does not, as the judge reads both."""

    text: str
    kind: str
    """`clause`, `bound` (a threshold between the old and the new figure) or `sentence`."""
    before: Judgement
    after: Judgement

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "claim": self.text,
            "kind": self.kind,
            **{
                side: {"label": str(found.label), "probabilities": dict(found.probabilities)}
                for side, found in (("before", self.before), ("after", self.after))
            },
        }


@dataclasses.dataclass(frozen=True, slots=True)
class Extraction:
    """What an edit changed, as claims; the best of each side comes first."""

    before: str
    after: str
    title: str | None
    gained: tuple[ExtractedClaim, ...]
    """True after the edit, and not before."""
    lost: tuple[ExtractedClaim, ...]
    """True before the edit, and not after."""
    status: Status
    """`scored`; `no_claims` where the judge finds no claim that one version supports and the other does not."""
    model: str
    reason: str = ""

    @property
    def edit(self) -> str:
        """Both versions on one line, in the paper's form: `sales of{*| 4.7 -> 5.4 |}million`."""
        return mark_edit(self.before, self.after, title=self.title)

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON; `prediction` is the first claim gained, as `aver score extraction` reads it."""
        return {
            "before": self.before,
            "after": self.after,
            "title": self.title,
            "edit": self.edit,
            "prediction": self.gained[0].text if self.gained else None,
            "gained": [claim.as_dict() for claim in self.gained],
            "lost": [claim.as_dict() for claim in self.lost],
            "status": self.status,
            "model": self.model,
        } | ({"reason": self.reason} if self.reason else {})


def extract(
    before: str, after: str, *, title: str | None = None, judge: str | os.PathLike[str] | Judge | None = None
) -> Extraction:
    """Short claims that an edit makes true, and short claims that it makes no longer true.

    Each claim stands for itself: a pronoun at the head of the sentence becomes `title`. Each is read by the judge
    against both versions, and kept only where one supports it and the other does not. `judge` is a name, a folder, or
    a judge from `aver.models.load_judge`; the default is `default`.

    >>> found = extract("It sold 12 copies .", "It sold 30 copies .", title="Ode")
    >>> found.gained[0].text, found.lost[0].text
    ('Ode sold 30 copies .', 'Ode sold 12 copies .')
    """
    return extract_edits([Edit(before, after, title)], judge=judge)[0]


def extract_edits(
    edits: Iterable[Edit], *, judge: str | os.PathLike[str] | Judge | None = None
) -> list[Extraction]:
    """As `extract`, for many edits at once: their claims go to the judge together."""
    wanted = list(edits)
    problems = Problems()
    for number, edit in enumerate(wanted, 1):
        place = f"edit {number}" if len(wanted) > 1 else ""
        for name, text in (("before", edit.before), ("after", edit.after)):
            _check(place, name, text, problems)
        if edit.title is not None and not isinstance(edit.title, str):
            problems.add(place, f"title is {kind_of(edit.title)}; it must be text")
    problems.raise_if_any("no claims can be extracted")
    from aver.models import Judge, load_judge

    reader = judge if isinstance(judge, Judge) else load_judge("default" if judge is None else judge)
    asked: list[tuple[int, bool, Candidate]] = []
    for index, edit in enumerate(wanted):
        if edit.before == edit.after:
            continue
        for gained, other, text in ((True, edit.before, edit.after), (False, edit.after, edit.before)):
            made = candidates(with_times_of(other, text), text, edit.title)
            asked += [(index, gained, found) for found in made]
    pairs = [(found.text, with_times_of(text, found.text)) for index, _, found in asked for text in wanted[index][:2]]
    judged = reader.judge(pairs)
    sides: dict[tuple[int, bool], list[tuple[Candidate, ExtractedClaim]]] = {}
    for row, (index, gained, found) in enumerate(asked):
        claim = ExtractedClaim(found.text, found.kind, judged[2 * row], judged[2 * row + 1])
        sides.setdefault((index, gained), []).append((found, claim))
    return [
        _extraction(edit, chosen(sides.get((index, True), ()), gained=True),
                    chosen(sides.get((index, False), ()), gained=False), reader.model)
        for index, edit in enumerate(wanted)
    ]  # fmt: skip


def chosen(found: Sequence[tuple[Candidate, ExtractedClaim]], *, gained: bool) -> tuple[ExtractedClaim, ...]:
    """The best claim of each changed place, the best of them first; none that the judge does not bear out."""
    ranked: list[tuple[float, int, Candidate, ExtractedClaim]] = []
    for order, (candidate, claim) in enumerate(found):
        true, other = (claim.after, claim.before) if gained else (claim.before, claim.after)
        if true.label is not Label.SUPPORTS or other.label in (None, Label.SUPPORTS):
            continue
        sure = true.probabilities[Label.SUPPORTS] * (1 - other.probabilities[Label.SUPPORTS])
        cost = WORD_COST * len(claim.text.split()) + BOUND_COST * (candidate.kind == "bound")
        ranked.append((sure - cost, -order, candidate, claim))
    ranked.sort(key=lambda row: row[:2], reverse=True)
    kept: list[ExtractedClaim] = []
    places: set[int | None] = set()
    for _, _, candidate, claim in ranked:
        # the whole sentence is said only where nothing shorter holds
        if candidate.place in places or (candidate.place is None and kept):
            continue
        places.add(candidate.place)
        kept.append(claim)
    return tuple(kept[:MOST])


def _extraction(
    edit: Edit, gained: tuple[ExtractedClaim, ...], lost: tuple[ExtractedClaim, ...], model: str
) -> Extraction:
    status: Status = "scored" if gained or lost else "no_claims"
    reason = ""
    if edit.before == edit.after:
        reason = "the two versions are the same"
    elif edit.before == with_times_of(edit.after, edit.before):
        reason = "the two versions say the same: only a time of the day is written otherwise"
    elif not gained and not lost:
        reason = "the judge finds no claim that one version supports and the other does not"
    elif not gained:
        reason = "the edit makes nothing true that was not true before"
    elif not lost:
        reason = "everything that was true before still is"
    return Extraction(edit.before, edit.after, edit.title, gained, lost, status, model, reason)


def _check(place: str, name: str, text: object, problems: Problems) -> None:
    if not isinstance(text, str):
        problems.add(place, f"{name} is {kind_of(text, none='missing')}; it must be text")
    elif not any(c.isalnum() for c in text):
        problems.add(place, f"{name} is empty" if not text.strip() else f"{name} has no words")
    elif len(text) > LONGEST:
        problems.add(place, f"{name} has {len(text):,} characters; a sentence has at most {LONGEST:,}: "
                            "split the texts into sentences first (aver diff does)")  # fmt: skip

