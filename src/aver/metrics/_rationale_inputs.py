"""Reading marked words: word numbers, masks or character spans, in two files."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from aver.errors import Problems, count_of, kind_of
from aver.metrics._matching import STATUSES, match_records, read_both, read_status
from aver.records import Record

__all__ = ["Rationales", "read_rationales"]

KEYS = ("rationale", "masked_inds", "mask", "spans")


class Rationales(NamedTuple):
    """Columns for `Rationale.score`, and what became of every row."""

    ids: list[str]
    predictions: list[frozenset[int]]
    references: list[frozenset[int]]
    unlabelled: list[frozenset[int]]
    status: Mapping[str, int]
    notes: list[str]
    """How rows were matched, where that should be known."""


class Marks(NamedTuple):
    words: frozenset[int]
    unlabelled: frozenset[int]
    length: int | None
    """How many words a mask speaks of."""


def read_rationales(predictions: str | os.PathLike[str], references: str | os.PathLike[str]) -> Rationales:
    """Reads and matches two JSON-lines files; one InputError lists everything that is wrong with them.

    A row marks words by `rationale` (or `masked_inds`: word numbers from 0), `mask` (1, 0 or -1 for each word) or
    `spans` ([first, past-the-last] characters of `evidence`). A prediction that is null is an abstention.
    """
    problems = Problems()
    said, gold = read_both(predictions, references)
    status = dict.fromkeys(STATUSES, 0)
    found = Rationales([], [], [], [], status, [])
    for name, prediction, reference in match_records(said, gold, problems, notes=found.notes):
        evidence = _evidence(prediction, reference, problems)
        key = next((key for key in KEYS if key in prediction.fields), None)
        empty = "abstained" if key is None or prediction.fields[key] is None else None
        if key is None and not prediction.fields.get("status") and not prediction.fields.get("error"):
            problems.add(prediction.place, f"marks no words: it has none of {', '.join(KEYS)}; null says it abstained")
        became = read_status(prediction.fields, prediction.place, problems, empty=empty)
        wanted = _marks(reference, evidence, problems)
        status[became] += 1
        if became != "scored" or wanted is None:
            continue
        marked = _marks(prediction, evidence, problems)
        if marked is None:
            continue
        if marked.length is not None and wanted.length is not None and marked.length != wanted.length:
            problems.add(
                prediction.place,
                f"its mask has {count_of(marked.length, 'word')}, that of {reference.place} has {wanted.length:,}",
            )
        found.ids.append(name)
        found.predictions.append(marked.words)
        found.references.append(wanted.words)
        found.unlabelled.append(wanted.unlabelled)
    problems.raise_if_any("the rationales cannot be scored")
    return found


def _evidence(prediction: Record, reference: Record, problems: Problems) -> str | None:
    for record in (reference, prediction):
        text = record.fields.get("evidence")
        if isinstance(text, str):
            return text
        if text is not None:
            problems.add(record.place, f"'evidence' is {kind_of(text)}; it must be text")
    return None


def _marks(record: Record, evidence: str | None, problems: Problems) -> Marks | None:
    key = next((key for key in KEYS if record.fields.get(key) is not None), None)
    if key is None:
        problems.add(record.place, f"marks no words: it has none of {', '.join(KEYS)}")
        return None
    value = record.fields[key]
    if not isinstance(value, list):
        problems.add(record.place, f"{key!r} is {kind_of(value)}; it must be a list")
        return None
    if key == "mask":
        return _from_mask(value, record.place, problems)
    if key == "spans":
        return _from_spans(value, evidence, record.place, problems)
    words = len(evidence.split()) if evidence is not None else None
    wrong = [n for n in value if isinstance(n, bool) or not isinstance(n, int) or n < 0]
    if wrong:
        problems.add(record.place, f"{key!r} holds {wrong[0]!r}; it must hold word numbers, counted from 0")
        return None
    if words is not None and value and max(value) >= words:
        problems.add(record.place, f"{key!r} names word {max(value)}, but the evidence has words 0 to {words - 1}")
        return None
    return Marks(frozenset(value), frozenset(), words)


def _from_mask(mask: Sequence[object], place: str, problems: Problems) -> Marks | None:
    wrong = [value for value in mask if value not in (-1, 0, 1)]
    if wrong:
        problems.add(place, f"'mask' holds {wrong[0]!r}; it must hold 1, 0, or -1 where there is no label")
        return None
    marked = frozenset(number for number, value in enumerate(mask) if value == 1)
    return Marks(marked, frozenset(number for number, value in enumerate(mask) if value == -1), len(mask))


def _from_spans(spans: Sequence[object], evidence: str | None, place: str, problems: Problems) -> Marks | None:
    if evidence is None:
        problems.add(place, "'spans' are of characters, and there is no 'evidence' to count them in")
        return None
    words = [match.span() for match in re.finditer(r"\S+", evidence)]
    marked = set()
    for span in spans:
        if not (isinstance(span, list) and len(span) == 2 and all(isinstance(end, int) for end in span)):
            problems.add(place, f"'spans' holds {span!r}; it must hold pairs [first, past-the-last character]")
            return None
        first, last = span
        if not 0 <= first < last <= len(evidence):
            has = count_of(len(evidence), "character")
            problems.add(place, f"the span {span} does not lie in the evidence, which has {has}")
            return None
        marked |= {number for number, (start, end) in enumerate(words) if start < last and first < end}
    return Marks(frozenset(marked), frozenset(), len(words))
