"""Reading predicted and gold labels: from two files matched by id, or from one that holds both."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from aver.errors import InputError, LabelError, Problems, count_of
from aver.labels import Label
from aver.metrics._classification import LabelKind
from aver.metrics._matching import STATUSES, by_id, match_records, read_both, read_status
from aver.records import Record

__all__ = ["Labelled", "read_labelled"]

GOLD = ("label", "gold", "gold_label", "claim_label")
PREDICTED = ("predicted_label", "prediction", "predicted", "verdict")
IDS = ("id", "unique_id", "claim_id")


class Labelled(NamedTuple):
    """Columns for the scorers; a row in each stands for the same case."""

    places: list[str]
    predictions: list[str]
    references: list[str]
    probabilities: list[Mapping[str, float]] | None
    """By label; None where the predictions state none."""
    fields: list[dict[str, Any]]
    """What else the reference and the prediction say, the reference first."""
    status: Mapping[str, int]
    """What became of every row; only `scored` ones are in the columns."""
    notes: list[str]
    """How rows were matched, where that should be known."""

    def groups(self, field: str) -> list[tuple[str, str]]:
        """Which rows have the same claim: the same `field`, and the same `claim` where there is one."""
        problems = Problems()
        for place, fields in zip(self.places, self.fields, strict=True):
            if not isinstance(fields.get(field), (str, int)):
                problems.add(place, f"has no {field!r} to pair claims by")
        problems.raise_if_any("the flip rate needs to know which rows have the same claim")
        return [(str(fields[field]), str(fields.get("claim", ""))) for fields in self.fields]


def read_labelled(
    predictions: str | os.PathLike[str],
    references: str | os.PathLike[str] | None = None,
    *,
    labels: LabelKind = "verdict",
    id_field: str | None = None,
    gold_field: str | None = None,
    prediction_field: str | None = None,
) -> Labelled:
    """Reads JSON lines; one InputError lists everything that is wrong with them.

    Without `references` the one file holds both labels. A prediction that is null was abstained from; it is
    counted in `status` and not scored. A prediction may be left out where `probabilities` are given: it is
    then the most probable label.
    """
    problems = Problems()
    if references is not None and os.fspath(references) == os.fspath(predictions):
        references = None  # else its `label`, read as a prediction, would agree with itself
    said, gold = read_both(predictions, references)
    reader = _Reader(problems, labels)
    gold_key = _key(gold, gold_field, GOLD, problems, "gold label")
    # In a file of predictions alone, `label` is the predicted one.
    others = () if references is None else ("label", "claim_label")
    stated = any("probabilities" in record.fields for record in said)
    key = _key(said, prediction_field, (*PREDICTED, *others), problems, "prediction", needed=not stated)
    if references is None and key is not None and key == gold_key:
        problems.add("", f"{key!r} cannot be both the gold label and the prediction")
    problems.raise_if_any("the labels cannot be found")

    status = dict.fromkeys(STATUSES, 0)
    found = Labelled([], [], [], [] if stated else None, [], status, [])
    for prediction, reference in _pairs(said, gold, id_field, problems, found.notes):
        wanted = reader.label(reference, gold_key or "label")
        given = prediction.fields.get("probabilities")
        guess = prediction.fields.get(key) if key is not None else None
        if key is not None and key not in prediction.fields and given is None and "status" not in prediction.fields:
            problems.add(prediction.place, f"has no {key!r}; null says that the system abstained")
        empty = "abstained" if guess is None and given is None else None
        became = read_status(prediction.fields, prediction.place, problems, empty=empty)
        status[became] += 1
        if became != "scored":
            continue
        if stated and (not isinstance(given, dict) or not given):
            problems.add(prediction.place, "has no 'probabilities' by label, which other lines have")
            continue
        if guess is None and given is not None:
            guess = max(given, key=lambda name: _number(given[name]))
            read = reader.read(prediction.place, guess)
        else:
            read = reader.label(prediction, key or "predicted_label")
        if wanted is None or read is None:
            continue
        found.places.append(prediction.place)
        found.predictions.append(read)
        found.references.append(wanted)
        found.fields.append({**prediction.fields, **reference.fields})
        if found.probabilities is not None and given is not None:
            found.probabilities.append(given)
    problems.raise_if_any("the labels cannot be scored")
    if not found.places:
        raise InputError(f"nothing to score: no prediction in {count_of(sum(status.values()), 'row')}")
    return found


def _number(value: object) -> float:
    # Whether it is a probability at all is checked, and told, with the other probabilities.
    return float(value) if isinstance(value, (int, float)) else -1.0


def _key(
    records: Sequence[Record],
    given: str | None,
    names: Sequence[str],
    problems: Problems,
    what: str,
    *,
    needed: bool = True,
) -> str | None:
    """The field that holds the label: the one named, else the first of the usual ones that any line has."""
    key = given or next((name for name in names if any(name in record.fields for record in records)), None)
    if given is not None and not any(given in record.fields for record in records):
        problems.add(records[0].place, f"no line has the field {given!r} for the {what}")
    elif key is None and needed:
        shown = ", ".join(map(repr, records[0].fields)) or "nothing"
        problems.add(records[0].place, f"no {what} here; expected {' or '.join(map(repr, names))}, found {shown}")
    return key


def _pairs(
    said: Sequence[Record], gold: Sequence[Record], id_field: str | None, problems: Problems, notes: list[str]
) -> list[tuple[Record, Record]]:
    ids = (id_field,) if id_field else IDS
    if id_field:
        for records in (said, gold):
            if not any(id_field in record.fields for record in records):
                problems.add(records[0].place, f"no line has the field {id_field!r}, the id to match by")
    if said is not gold:
        return [(one, two) for _, one, two in match_records(said, gold, problems, notes=notes, ids=ids)]
    key = next((name for name in ids if any(name in record.fields for record in said)), None)
    if key is not None:
        by_id(said, key, problems)  # one file: only that no row stands twice
    return [(record, record) for record in said]


class _Reader:
    """Reads labels and remembers them."""

    def __init__(self, problems: Problems, labels: LabelKind) -> None:
        self.problems = problems
        self.labels = labels
        self._known: dict[object, str] = {}

    def label(self, record: Record, key: str) -> str | None:
        if record.fields.get(key) is None:
            self.problems.add(record.place, f"has no {key!r}")
            return None
        return self.read(record.place, record.fields[key])

    def read(self, place: str, value: object) -> str | None:
        if isinstance(value, (list, dict, bool)) or (self.labels == "any" and not isinstance(value, (str, int))):
            self.problems.add(place, f"a label is a word or a whole number, found {value!r:.60}")
            return None
        key = (type(value), value)
        if key not in self._known:
            try:
                self._known[key] = Label.parse(value) if self.labels == "verdict" else str(value)
            except LabelError as error:
                hint = f"{error.accepted} (other classes: --labels any, in Python labels='any')"
                self.problems.add(place, f"unknown label {value!r:.60}", hint=hint)
                return None
        return self._known[key]
