"""Which prediction belongs to which reference: by id where both files have ids, else by place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aver.errors import Problems
from aver.records import Record

__all__ = ["STATUSES", "match_records", "read_status"]

STATUSES = ("scored", "no_claims", "abstained", "error")
"""What can become of a row; only `scored` rows enter a mean."""

IDS = ("id", "unique_id", "case_id")
"""Where the data sets keep a row's id, in the order we look."""


def match_records(
    predictions: Sequence[Record], references: Sequence[Record], problems: Problems
) -> list[tuple[str, Record, Record]]:
    """Pairs in the references' order, each with its id (its number where there are no ids).

    Missing, extra and doubled ids, files of unequal length and files with ids on some lines only go into
    `problems`; what could be paired is returned, so that its own faults can be told in the same error.
    """
    keys = [_id_key(records) for records in (predictions, references)]
    for what, records in (("predictions", predictions), ("references", references)):
        if not records:
            problems.add("", f"there are no {what}: the file is empty")
    if not predictions or not references:
        return []
    if None in keys:
        if len(predictions) != len(references):
            problems.add(
                "",
                f"{len(predictions):,} predictions but {len(references):,} references; without ids in both "
                "files they are matched by place, so there must be as many of each",
            )
        pairs = zip(predictions, references, strict=False)
        return [(str(number), said, gold) for number, (said, gold) in enumerate(pairs, 1)]
    by_id = _by_id(predictions, str(keys[0]), problems)
    gold_by_id = _by_id(references, str(keys[1]), problems)
    for name, record in by_id.items():
        if name not in gold_by_id:
            problems.add(record.place, f"id {name} is not among the references")
    for name, record in gold_by_id.items():
        if name not in by_id:
            problems.add(record.place, f"id {name} has no prediction")
    return [(name, by_id[name], gold) for name, gold in gold_by_id.items() if name in by_id]


def _id_key(records: Sequence[Record]) -> str | None:
    return next((key for key in IDS if any(key in record.fields for record in records)), None)


def _by_id(records: Sequence[Record], key: str, problems: Problems) -> dict[str, Record]:
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
