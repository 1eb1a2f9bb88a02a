"""Contrast sets: from edits that change a fact to claims with two evidences and two labels, in VitaminC's format.

An edit's claims come from `extract`: short ones that the new sentence supports and the old one does not, and the
reverse. Each claim meets both sentences, so neither the claim nor the evidence alone tells the label. The labels are
the judge's, made for people to confirm; VitaminC's were written by people.
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from aver.errors import Problems
from aver.labels import Label
from aver.records import iter_records
from aver.revisions._edit_kind import EDIT_KINDS, EditKind, edit_kinds
from aver.revisions._extract import Extraction, extract_edits
from aver.revisions._extract_marks import Edit
from aver.revisions._mine import MinedEdit, Split, fold_of, split_of
from aver.text import words

if TYPE_CHECKING:
    from aver.models import Judge

__all__ = ["ContrastRow", "ContrastStatistics", "contrast_set", "read_mined"]

_BATCH = 16
_ORDER = (Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO)


@dataclasses.dataclass(frozen=True, slots=True)
class ContrastRow:
    """A claim, one version of a sentence as its evidence, and what that says about it."""

    unique_id: str
    case_id: str
    """The edit it comes from: rows of one case share their two sentences."""
    wiki_revision_id: str
    label: Label
    claim: str
    evidence: str
    page: str
    fold: int
    split: Split
    version: Literal["before", "after"]
    """Which side of the edit the evidence is."""
    category: EditKind
    """What the edit touches."""
    label_probability: float
    """The judge's, of this label."""

    def as_dict(self) -> dict[str, Any]:
        """As a line of JSON, in VitaminC's field names and spelling; `revision_type` is `real`, as in its files."""
        return {**dataclasses.asdict(self), "label": self.label.fever, "revision_type": "real"}


class ContrastStatistics:
    """What a contrast set is like, counted as its rows go by.

    >>> row = ContrastRow("a_1", "a", "7", Label.SUPPORTS, "It sold 3 .", "It sold 3 .", "P", 1, "train", "after",
    ...                   "quantity", 0.9)
    >>> told = ContrastStatistics()
    >>> told.add(row)
    >>> told.as_dict()["labels"]
    {'SUPPORTS': 1, 'REFUTES': 0, 'NOT ENOUGH INFO': 0}
    """

    def __init__(self) -> None:
        self.edits = 0
        """Factual edits that claims were sought for."""
        self.without_claims = 0
        """Edits for which no claim was found that one version supports and the other does not."""
        self._labels: Counter[Label] = Counter()
        self._splits: dict[str, Counter[Label]] = defaultdict(Counter)
        self._categories: Counter[EditKind] = Counter()
        self._overlap: dict[Label, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self._lengths = [0, 0]
        self._claims: set[int] = set()
        self._cases: set[int] = set()
        self._pages: set[int] = set()

    def add(self, row: ContrastRow) -> None:
        """Counts a row."""
        self._labels[row.label] += 1
        self._splits[row.split][row.label] += 1
        self._categories[row.category] += 1
        said, held = _terms(row.claim), _terms(row.evidence)
        if said:
            self._overlap[row.label][0] += len(said & held) / len(said)
            self._overlap[row.label][1] += 1
        self._lengths[0] += len(words(row.claim))
        self._lengths[1] += len(words(row.evidence))
        # hashes, not the texts: a set of any size is counted in little memory
        self._claims.add(hash((row.case_id, row.claim)))
        self._cases.add(hash(row.case_id))
        self._pages.add(hash(row.page))

    @property
    def rows(self) -> int:
        return self._labels.total()

    def as_dict(self) -> dict[str, Any]:
        """The counts: rows, claims, cases and pages; labels, by split too; categories (rows by what the edit
        touches); overlap (the mean share of a claim's words that its evidence holds, by label: were it to differ
        much, it would give the label away)."""
        rows = max(1, self.rows)
        return {
            "edits": self.edits,
            "edits_without_claims": self.without_claims,
            "rows": self.rows,
            "claims": len(self._claims),
            "cases": len(self._cases),
            "pages": len(self._pages),
            "labels": {label.fever: self._labels[label] for label in _ORDER},
            "splits": {
                split: {label.fever: self._splits[split][label] for label in _ORDER}
                for split in ("train", "validation", "test")
            },
            "categories": {kind: self._categories[kind] for kind in EDIT_KINDS},
            "overlap": {
                label.fever: round(total / count, 4) if count else None
                for label, (total, count) in ((label, self._overlap[label]) for label in _ORDER)
            },
            "claim_words": round(self._lengths[0] / rows, 1),
            "evidence_words": round(self._lengths[1] / rows, 1),
        }


def contrast_set(
    edits: Iterable[MinedEdit],
    *,
    judge: str | os.PathLike[str] | Judge = "default",
    statistics: ContrastStatistics | None = None,
) -> Iterator[ContrastRow]:
    """Claims with both evidences and their labels, from edits flagged as factual; the others are passed over.

    Each edit gives at most one claim that became true and one that ceased to be, the best of each, and each claim two
    rows. `statistics` is filled while it runs.
    """
    told = ContrastStatistics() if statistics is None else statistics
    batch: list[MinedEdit] = []
    for edit in edits:
        if edit.factual:
            batch.append(edit)
        if len(batch) == _BATCH:
            yield from _rows(batch, judge, told)
            batch = []
    yield from _rows(batch, judge, told)


def _rows(
    edits: Sequence[MinedEdit], judge: str | os.PathLike[str] | Judge, told: ContrastStatistics
) -> Iterator[ContrastRow]:
    asked = [Edit(edit.before, edit.after, _subject(edit.page)) for edit in edits]
    for edit, found in zip(edits, extract_edits(asked, judge=judge) if asked else [], strict=True):
        told.edits += 1
        rows = list(_of_one(edit, found))
        told.without_claims += not rows
        for row in rows:
            told.add(row)
            yield row


def _of_one(edit: MinedEdit, found: Extraction) -> Iterator[ContrastRow]:
    number = 0
    seen: set[str] = set()
    for claim in (*found.gained[:1], *found.lost[:1]):
        if claim.text in seen:
            continue
        seen.add(claim.text)
        sides: tuple[tuple[Literal["before", "after"], str, Any], ...] = (
            ("before", edit.before, claim.before), ("after", edit.after, claim.after),
        )  # fmt: skip
        for version, evidence, judged in sides:
            if judged.label is None:
                continue
            number += 1
            yield ContrastRow(
                f"{edit.id}_{number}", edit.id, edit.revision, judged.label, claim.text, evidence, edit.page, edit.fold,
                edit.split, version, edit.kind, round(judged.probabilities[judged.label], 4),
            )  # fmt: skip


_FILE = re.compile(r"(?:.*/)?([^/]+)\.(?:md|markdown|mkd|txt|text|rst|adoc|org|tex|wiki|mediawiki)")


def _subject(page: str) -> str:
    """What a page is about, from its name: without what stands in brackets; of a file, without folder and ending."""
    file = _FILE.fullmatch(page)
    return (file[1] if file else page).replace("_", " ").partition(" (")[0].strip() or page


def read_mined(path: str | os.PathLike[str]) -> Iterator[MinedEdit]:
    """The edits that `aver mine` wrote, or others of their shape: `before`, `after` and `page` in each line.

    `factual` may be what people decided since. What a line lacks is made up as far as that goes: the kind from the
    texts, fold and split from the page.
    """
    problems = Problems()
    for place, fields in iter_records(path, problems=problems):
        for name in ("before", "after", "page"):
            if not isinstance(fields.get(name), str) or not fields[name].strip():
                problems.add(place, f"has no {name!r}, a text" if name not in fields else f"{name!r} must be a text")
        if fields.get("factual") not in (None, True, False):
            problems.add(place, f"'factual' is {fields['factual']!r:.40}; it must be true, false or null")
        if not len(problems):
            yield _mined(fields, place)
    problems.raise_if_any("these edits cannot be used")


def _mined(fields: Mapping[str, Any], place: str) -> MinedEdit:
    kinds = edit_kinds(fields["before"], fields["after"])
    text = {name: str(fields.get(name) or "") for name in ("page_id", "revision", "parent", "timestamp", "comment")}
    given = fields.get("probability")
    probability = float(given) if isinstance(given, (int, float)) and not isinstance(given, bool) else None
    page = fields["page"]
    return MinedEdit(
        str(fields.get("id") or place.rpartition(" ")[2]), page, text["page_id"], text["revision"], text["parent"],
        text["timestamp"], text["comment"], fields["before"], fields["after"], fields.get("alignment", "reworded"),
        kinds[0], kinds, fold_of(page), split_of(page), probability, fields.get("factual"), fields.get("flagger"),
    )  # fmt: skip


def _terms(text: str) -> set[str]:
    return {word.text.casefold() for word in words(text) if not word.is_punctuation}
