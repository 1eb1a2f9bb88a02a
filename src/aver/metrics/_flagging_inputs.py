"""Reading flagged revisions: scores or labels in one file, what they are in the other."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from typing import NamedTuple

from aver.errors import Problems
from aver.metrics._matching import STATUSES, match_records, read_both, read_status
from aver.records import Record

__all__ = ["Flags", "read_flags"]

SPELLINGS: Mapping[str, bool] = {
    "factual": True, "true": True, "1": True,
    "not factual": False, "non factual": False, "nonfactual": False, "false": False, "0": False,
}  # fmt: skip


class Flags(NamedTuple):
    """Columns for `Flagging.score`, and what became of every row."""

    ids: list[str]
    scores: list[float | bool]
    labels: list[bool]
    status: Mapping[str, int]
    notes: list[str]
    """How rows were matched, where that should be known."""


def read_flags(predictions: str | os.PathLike[str], references: str | os.PathLike[str]) -> Flags:
    """Reads and matches two JSON-lines files; one InputError lists everything that is wrong with them.

    A prediction has a `score` (a number, higher for factual) or, if no row has one, a `label`; null in its place
    says that the system abstained. A reference has a `label`: factual or not factual, true or false, 1 or 0.
    """
    problems = Problems()
    said, gold = read_both(predictions, references)
    key = "score" if any("score" in record.fields for record in said) else "label"
    status = dict.fromkeys(STATUSES, 0)
    found = Flags([], [], [], status, [])
    for name, prediction, reference in match_records(said, gold, problems, notes=found.notes):
        label = _label(reference, problems)
        if key not in prediction.fields and not prediction.fields.get("status") and not prediction.fields.get("error"):
            others = ", which other lines have" if key == "score" else " and no 'score'"
            problems.add(prediction.place, f"has no {key!r}{others}; null says that the system abstained")
        empty = "abstained" if prediction.fields.get(key) is None else None
        became = read_status(prediction.fields, prediction.place, problems, empty=empty)
        status[became] += 1
        if became != "scored" or label is None:
            continue
        flag = _score(prediction, problems) if key == "score" else _label(prediction, problems)
        if flag is not None:
            found.ids.append(name)
            found.scores.append(flag)
            found.labels.append(label)
    problems.raise_if_any("the revisions cannot be scored")
    return found


def _score(record: Record, problems: Problems) -> float | None:
    value = record.fields["score"]
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        problems.add(record.place, f"'score' is {value!r}; it must be a number (higher: more surely factual)")
        return None
    return float(value)


def _label(record: Record, problems: Problems) -> bool | None:
    value = record.fields.get("label")
    word = " ".join(str(value).replace("_", " ").replace("-", " ").split()).casefold()
    if value is None or word not in SPELLINGS:
        seen = "has no 'label'" if value is None else f"unknown label {str(value)[:60]!r}"
        problems.add(record.place, seen, hint="accepted labels: factual, not factual, true, false, 1, 0")
        return None
    return SPELLINGS[word]
