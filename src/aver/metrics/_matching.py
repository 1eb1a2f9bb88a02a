"""Which prediction belongs to which reference: by id where both files have ids, else by position."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from aver.errors import Problems, count_of
from aver.records import Record, place_name, read_records

__all__ = ["IDS", "STATUSES", "by_id", "match_records", "position_note", "read_both", "read_status", "unequal"]

STATUSES = ("scored", "no_claims", "abstained", "error")
"""What can become of a row; only `scored` rows enter a mean."""

IDS = ("id", "unique_id", "case_id")
"""Where the data sets keep a row's id, in the order we look."""

Path = str | os.PathLike[str]


def read_both(predictions: Path, references: Path | None) -> tuple[list[Record], list[Record]]:
    """The records of two files, or twice those of one that holds both; one error tells all that cannot be read.

    Lines that could not be read would leave gaps, and what could be said of the matching then would mislead: so this
    is told first, and alone.
    """
    problems = Problems()
    said = read_records(predictions, problems=problems)
    gold = said if references is None else read_records(references, problems=problems)
    problems.raise_if_any("the files cannot be read")
    for path, records in ((predictions, said), (references, gold)):
        if path is not None and not records:
            problems.add(place_name(path), "is empty; there is nothing to score")
    problems.raise_if_any("the files cannot be scored")
    return said, gold


def match_records(
    predictions: Sequence[Record],
    references: Sequence[Record],
    problems: Problems,
    *,
    notes: list[str],
    ids: Sequence[str] = IDS,
) -> list[tuple[str, Record, Record]]:
    """Pairs in the references' order, each with its id (its number where there are no ids).

    Missing, extra and doubled ids, files of unequal length and files with ids on some lines only go into
    `problems`; what could be paired is returned, so that its own faults can be told in the same error. Where one
    side has ids and the other has none, `notes` says that position decided.
    """
    keys = [_id_key(records, ids) for records in (predictions, references)]
    if keys[0] is None or keys[1] is None:
        for key, role in zip(keys, ("predictions", "references"), strict=True):
            if key is None and any(keys):
                notes.append(position_note(role))
        if len(predictions) != len(references):
            problems.add("", unequal(len(predictions), len(references)))
        pairs = zip(predictions, references, strict=False)
        return [(str(number), said, gold) for number, (said, gold) in enumerate(pairs, 1)]
    said_by_id, gold_by_id = by_id(predictions, keys[0], problems), by_id(references, keys[1], problems)
    for name, record in said_by_id.items():
        if name not in gold_by_id:
            problems.add(record.place, f"id {name} is not among the references")
    for name, record in gold_by_id.items():
        if name not in said_by_id:
            problems.add(record.place, f"id {name} has no prediction")
    return [(name, said_by_id[name], gold) for name, gold in gold_by_id.items() if name in said_by_id]


def position_note(role: str) -> str:
    """What is told where position decided though one side has ids."""
    return f"matched by position: the {role} have no ids"


def unequal(predictions: int, references: int) -> str:
    """What is wrong with two sides of unequal length that have no ids to match by."""
    return (
        f"{count_of(predictions, 'prediction')} but {count_of(references, 'reference')}; without ids that tell rows "
        "apart in both files they are matched by position, so there must be as many of each"
    )


def _id_key(records: Sequence[Record], ids: Sequence[str]) -> str | None:
    return next((key for key in ids if any(key in record.fields for record in records)), None)


def by_id(records: Sequence[Record], key: str, problems: Problems) -> dict[str, Record]:
    """The records by what their field `key` says."""
    found: dict[str, Record] = {}
    for record in records:
        name = record.fields.get(key)
        if isinstance(name, bool) or not isinstance(name, (str, int)):
            seen = f"{key!r} is {name!r}" if key in record.fields else f"has no {key!r}, which other lines have"
            problems.add(record.place, f"{seen}; an id is text or a whole number, on every line or on none")
        elif str(name) in found:
            problems.add(record.place, f"id {name} stands a second time; first at {found[str(name)].place}")
        else:
            found[str(name)] = record
    return found


def read_status(fields: Mapping[str, Any], place: str, problems: Problems, *, empty: str | None) -> str:
    """What became of a row: its own `status`, else `error` where it carries one, else `empty`, else `scored`.

    `empty` names what it means that this row holds no prediction (null), and is None where it holds one.
    """
    status = fields.get("status")
    if status is None:
        return "error" if fields.get("error") else empty or "scored"
    if status not in STATUSES:
        problems.add(place, f"status is {status!r}; it can be: {', '.join(STATUSES)}")
        return "error"
    if status == "scored" and empty is not None:
        problems.add(place, f"status is 'scored' but there is no prediction; write {empty!r} or the prediction")
        return "error"
    return str(status)
