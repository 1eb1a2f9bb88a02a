"""Reading one claim's row for the FEVER measure, in the card's shape or the shared task's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from aver.errors import LabelError, Problems
from aver.labels import Label

__all__ = ["Claim", "Gold", "GoldRow", "Guess", "GuessRow", "Row", "RowReader", "Sentence"]

Sentence = str | tuple[str, int | None]
"""A sentence by its own text or name, or by page and line. A line of None is a place in a gold set that nothing
can fill: the FEVER files write null there."""

NOWHERE: Sentence = ("", None)


class Claim(msgspec.Struct, frozen=True, gc=False):
    """One claim: its gold, what was predicted, its id, and the number of the prediction's row.

    A struct rather than a dataclass: there are two hundred thousand of these, and C makes them.
    """

    label: Label
    sets: Sequence[Sequence[Sentence]]
    """The sets of sentences of which any one proves the label."""
    predicted_label: Label | None
    """None: it could not be judged, and is never right."""
    predicted: Sequence[Sentence]
    """The best first."""
    id: object
    number: int


Gold = tuple[Label, Sequence[Sequence[Sentence]]]
"""A claim's label and evidence sets."""
Guess = tuple[Label | None, Sequence[Sentence]]
"""What was predicted for a claim; None where it says itself that nothing was."""


class GuessRow(msgspec.Struct, gc=False):
    """A line of predictions as the files of either definition have it; any other is read as a dictionary."""

    id: int | str | UnsetType = UNSET
    predicted_label: str | UnsetType = UNSET
    predicted_evidence: list[tuple[str, int] | str] | UnsetType = UNSET
    label: str | UnsetType = UNSET
    evidence: list[tuple[str, int] | str] | UnsetType = UNSET


class GoldRow(msgspec.Struct, gc=False):
    """A line of references, likewise."""

    label: str
    id: int | str | UnsetType = UNSET
    evidence_sets: list[list[tuple[str, int] | str]] | UnsetType = UNSET
    evidence: list[list[tuple[int | None, int | None, str | None, int | None] | str]] | UnsetType = UNSET


Row = GuessRow | GoldRow | Mapping[str, Any]


class RowReader:
    """Turns rows into `Gold` and `Guess`; what it cannot read it notes in `problems` and answers with None.

    `place` is called with a row's number, only when something is wrong with the row.
    """

    def __init__(self, problems: Problems) -> None:
        self.kinds: dict[str, str] = {}
        """How the evidence is written, by role, as seen in the first row that has any."""
        self.unjudged = 0
        """How many predictions have null for a label."""
        self._problems = problems
        self._labels: dict[str, Label] = {}

    def guess(self, row: Row, number: int, place: Callable[[int], str]) -> Guess | None:
        """The prediction in a row: `predicted_label` and `predicted_evidence`, or `label` and `evidence`."""
        if type(row) is GuessRow:
            word = row.label if row.predicted_label is UNSET else row.predicted_label
            known = self._labels.get(word)  # type: ignore[arg-type]
            given = row.evidence if row.predicted_evidence is UNSET else row.predicted_evidence
            if known is not None and given is not UNSET and "predictions" in self.kinds:
                return known, given
        return self._guess(_fields(row), number, place)

    def gold(self, row: Row, number: int, place: Callable[[int], str]) -> Gold | None:
        """The reference in a row: `label`, and `evidence_sets` or `evidence`."""
        if type(row) is GoldRow:
            known = self._labels.get(row.label)
            if known is not None and "references" in self.kinds:
                if row.evidence_sets is not UNSET:
                    return known, row.evidence_sets
                if row.evidence is not UNSET:
                    sets = []
                    for one in row.evidence:
                        # page and line stand behind the two annotation ids
                        sets.append([s if type(s) is str else s[2:] if s[2] is not None else NOWHERE for s in one])
                    return known, sets  # type: ignore[return-value]
        return self._gold(_fields(row), number, place)

    def _guess(self, row: Mapping[str, Any], number: int, place: Callable[[int], str]) -> Guess | None:
        name = "predicted_label" if "predicted_label" in row else "label"
        if name not in row:
            self._problems.add(place(number), "has no 'predicted_label' (or 'label')")
            return None
        # null is what `aver check --claims` writes of a claim that could not be judged; a `label` is one, or is missing
        unjudged = name == "predicted_label" and row[name] is None
        self.unjudged += unjudged
        label = None if unjudged else self._label(row[name], number, place)
        name = "predicted_evidence" if "predicted_evidence" in row else "evidence"
        evidence = row.get(name)
        if evidence is None and (unjudged or label is Label.NOT_ENOUGH_INFO):
            return label, ()
        if not isinstance(evidence, (list, tuple)):
            said = f"'{name}' is {_show(evidence)}" if name in row else "has no 'predicted_evidence' (or 'evidence')"
            self._problems.add(place(number), f"{said}; expected a list of sentences or [page, line] pairs")
            return None
        sentences: list[Sentence] = []
        for item in evidence:
            # The released files hold nothing but two-item lists here: they are tried first.
            if type(item) is list and len(item) == 2 and type(item[0]) is str and type(item[1]) is int:
                sentences.append((item[0], item[1]))
            elif type(item) is str:
                sentences.append(item)
            elif _is_pair(item):
                sentences.append((item[0], int(item[1]) if isinstance(item[1], str) else item[1]))
            else:
                self._problems.add(
                    place(number),
                    f"'{name}' holds {_show(item)}; expected a sentence or [page, line] with a whole line number"
                    + ("; this looks like gold evidence: are the two files swapped?" if _is_gold(item) else ""),
                )
                return None
        if sentences and "predictions" not in self.kinds:
            self.kinds["predictions"] = _kind(sentences[0])
        return None if label is None and not unjudged else (label, tuple(sentences))

    def _gold(self, row: Mapping[str, Any], number: int, place: Callable[[int], str]) -> Gold | None:
        if "label" not in row:
            hint = "; these look like predictions: are the two files swapped?" if "predicted_label" in row else ""
            self._problems.add(place(number), f"has no 'label'{hint}")
            return None
        label = self._label(row["label"], number, place)
        name = "evidence_sets" if "evidence_sets" in row else "evidence"
        groups = row.get(name)
        if groups is None and label is Label.NOT_ENOUGH_INFO:
            return label, ()
        if not isinstance(groups, (list, tuple)):
            said = f"'{name}' is {_show(groups)}" if name in row else "has no 'evidence_sets' (or 'evidence')"
            self._problems.add(place(number), f"{said}; expected a list of evidence sets, each a list")
            return None
        sets: list[tuple[Sentence, ...]] = []
        for group in groups:
            # A flat list would be read as sets of letters (as `evaluate` does) or of annotation ids.
            if not isinstance(group, (list, tuple)) or _is_flat(group):
                self._problems.add(
                    place(number),
                    f"'{name}' holds {_show(group)} where an evidence set should stand; "
                    "put every set in a list of its own: [[…], […]]",
                )
                return None
            members: list[Sentence] = []
            for item in group:
                sentence = _gold_sentence(item)
                if sentence is None:
                    self._problems.add(
                        place(number),
                        f"'{name}' holds {_show(item)}; expected a sentence, [page, line] or "
                        "[annotation id, evidence id, page, line]",
                    )
                    return None
                members.append(sentence)
            sets.append(tuple(members))
        if "references" not in self.kinds:
            real = [s for one in sets for s in one if isinstance(s, str) or s[1] is not None]
            if real:
                self.kinds["references"] = _kind(real[0])
        return None if label is None else (label, tuple(sets))

    def _label(self, value: object, number: int, place: Callable[[int], str]) -> Label | None:
        if isinstance(value, str):
            label = self._labels.get(value)
            if label is not None:
                return label
        try:
            label = Label.parse(value)
        except LabelError as error:
            self._problems.add(place(number), f"unknown label {_show(value)}", hint=error.accepted)
            return None
        if isinstance(value, str):
            self._labels[value] = label
        return label


def _fields(row: Row) -> Mapping[str, Any]:
    if isinstance(row, (GuessRow, GoldRow)):
        return {name: value for name, value in msgspec.structs.asdict(row).items() if value is not UNSET}
    return row


def _gold_sentence(item: Any) -> Sentence | None:
    if type(item) is str:
        return item
    if isinstance(item, (list, tuple)) and len(item) in (2, 4):
        page, line = item[-2:]
        if isinstance(page, str) and (line is None or _is_line(line)):
            return (page, int(line) if isinstance(line, str) else line)
        if page is None and line is None:
            return NOWHERE
    return None


def _is_pair(item: Any) -> bool:
    return isinstance(item, (list, tuple)) and len(item) == 2 and isinstance(item[0], str) and _is_line(item[1])


def _is_line(value: Any) -> bool:
    # "3" is read as 3, and JSON's true is Python's True, which is 1 to the official scorer too.
    return isinstance(value, int) or (isinstance(value, str) and value.isascii() and value.isdecimal())


def _is_gold(item: Any) -> bool:
    return isinstance(item, (list, tuple)) and (len(item) == 4 or (bool(item) and isinstance(item[0], (list, tuple))))


def _is_flat(group: list[Any] | tuple[Any, ...]) -> bool:
    """Whether a sentence stands where a set should: [page, line], or [annotation id, evidence id, page, line]."""
    if len(group) == 4:
        return not any(isinstance(part, (list, tuple)) for part in group) and not isinstance(group[0], str)
    # ["Paris", "3"] may well be a set of two sentences
    return _is_pair(group) and not isinstance(group[1], str)


def _kind(sentence: Sentence) -> str:
    return "sentences as strings" if isinstance(sentence, str) else "[page, line] pairs"


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "…"
