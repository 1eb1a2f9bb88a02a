"""Which prediction belongs to which reference: by id in any order, or by position.

Both sides are streamed in step. Files in the same order, the common case, are scored without keeping a row;
rows out of order wait in memory until their partner comes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice, zip_longest
from typing import Any

import msgspec
from msgspec import UNSET

from aver.errors import InputError, Problems, count_of, kind_of
from aver.metrics._fever_rows import Claim, Gold, GoldRow, Guess, GuessRow, Row, RowReader
from aver.metrics._matching import position_note, unequal
from aver.records import is_array, iter_lines, parse_lines, place_name, read_records

__all__ = ["Pairing", "Rows"]

Rows = str | os.PathLike[str] | Iterable[Mapping[str, Any]]
"""A file of JSON lines (`-`: standard input), or the rows themselves."""


class Pairing:
    """Matches predictions with references; iterate it once, then read `notes`.

    Where both sides have ids, rows match by id. Where a side has none, or one and the same id on every row (as
    the gold file released with the FEVER scorer has), ids identify nothing and rows match by position; a note
    says so. Whatever is wrong with either side is raised as one InputError when the last row has been read.
    """

    def __init__(self, predictions: Rows, references: Rows | None) -> None:
        self.notes: list[str] = []
        self._problems = Problems()
        self._reader = RowReader(self._problems)
        self._predicted = _Side("predictions" if references is not None else "claims", predictions, self._problems)
        self._given = None if references is None else _Side("references", references, self._problems)

    def __iter__(self) -> Iterator[Claim]:
        # chained in C: nested generators would hand every claim from one to the next
        return chain.from_iterable(self._stages())

    def _stages(self) -> Iterator[Iterator[Claim]]:
        predicted, given = self._predicted, self._given
        if given is None:
            yield self._own_gold(predicted)
        elif self._by_id(predicted, given):
            yield self._match_in_step(predicted, given)
            yield self._match_ids(predicted, given)
        else:
            yield self._match_positions(predicted, given)
        for side in (predicted, given):
            if side is not None:
                side.finish()
        if unjudged := self._reader.unjudged:
            were = count_of(unjudged, "prediction has", "predictions have")
            self.notes.append(f"{were} no label (null: could not be judged); each counts as wrong")
        kinds = self._reader.kinds
        if len(set(kinds.values())) == 2:
            written = " and ".join(f"the {role} have {kind}" for role, kind in sorted(kinds.items()))
            self._problems.add("", f"the evidence cannot be compared: {written}; write both the same way")
        self._problems.raise_if_any("these predictions cannot be scored")

    def _by_id(self, *sides: _Side) -> bool:
        if all((side.has_ids and not side.one_id) or side.unknown for side in sides):
            return True
        for side in sides:
            if side.one_id:
                self.notes.append(f"matched by position: every row of the {side.role} has the same id")
            elif not side.has_ids and not side.unknown and any(other.has_ids for other in sides):
                self.notes.append(position_note(side.role))
        return False

    def _match_ids(self, predicted: _Side, given: _Side) -> Iterator[Claim]:
        read_guess, read_gold = self._reader.guess, self._reader.gold
        here, there = predicted.place, given.place
        guesses: dict[object, tuple[int, Guess | None]] = {}
        golds: dict[object, tuple[int, Gold | None]] = {}
        for one, two in zip_longest(predicted.identified(), given.identified()):
            if one and two and one[0] == two[0]:
                guess, gold = read_guess(one[2], one[1], here), read_gold(two[2], two[1], there)
                if guess is not None and gold is not None:
                    yield Claim(*gold, *guess, one[0], one[1])
                continue
            if one is not None:
                guesses[one[0]] = (one[1], read_guess(one[2], one[1], here))
            if two is not None:
                golds[two[0]] = (two[1], read_gold(two[2], two[1], there))
            for row in (one, two):
                if row is not None and row[0] in guesses and row[0] in golds:
                    (number, guess), (_, gold) = guesses.pop(row[0]), golds.pop(row[0])
                    if guess is not None and gold is not None:
                        yield Claim(*gold, *guess, row[0], number)
        # A row whose id is unknown may be the very one that is missed; it has been reported already.
        if not given.unidentified:
            for key, (number, _) in guesses.items():
                self._problems.add(predicted.place(number), f"id {key} is not among the references")
        if not predicted.unidentified:
            for key, (number, _) in golds.items():
                self._problems.add(given.place(number), f"id {key} has no prediction")

    def _match_in_step(self, predicted: _Side, given: _Side) -> Iterator[Claim]:
        """As long as both files are as they should be and in the same order; the first other line ends it."""
        if predicted.lines is None or given.lines is None:
            return
        read_guess, read_gold = self._reader.guess, self._reader.gold
        here, there = predicted.place, given.place
        decode, decode_gold = msgspec.json.Decoder(GuessRow).decode, msgspec.json.Decoder(GoldRow).decode
        seen = predicted.seen
        for number, (line, other) in enumerate(zip_longest(predicted.lines, given.lines, fillvalue=b""), 1):
            try:
                row, gold_row = decode(line), decode_gold(other)
                key = row.id
                in_step = key == gold_row.id and key.__class__ is int and key not in seen
            except (msgspec.DecodeError, UnicodeDecodeError):
                in_step = False
            if not in_step:
                predicted.put_back(line, number)
                given.put_back(other, number)
                break
            seen.add(key)
            guess, gold = read_guess(row, number, here), read_gold(gold_row, number, there)
            if guess is not None and gold is not None:
                yield Claim(gold[0], gold[1], guess[0], guess[1], key, number)
        predicted.count = given.count = len(seen)
        given.seen = set(seen)

    def _match_positions(self, predicted: _Side, given: _Side) -> Iterator[Claim]:
        for one, two in zip_longest(predicted.rows(), given.rows(), fillvalue=(0, None)):
            guess = None if one[1] is None else self._reader.guess(one[1], one[0], predicted.place)
            gold = None if two[1] is None else self._reader.gold(two[1], two[0], given.place)
            if guess is not None and gold is not None and one[1] is not None:
                yield Claim(*gold, *guess, None if predicted.one_id else _id(one[1]), one[0])
        if predicted.count != given.count and predicted.count and given.count:
            self._problems.add("", unequal(predicted.count, given.count))

    def _own_gold(self, side: _Side) -> Iterator[Claim]:
        rows: Iterator[tuple[object, int, Row | None]]
        if side.has_ids and not side.one_id:
            rows = side.identified()
        else:
            rows = ((None, number, row) for number, row in side.rows())
        for key, number, row in rows:
            if not isinstance(row, Mapping):
                continue
            lacking = [f"'{name}'" for name in ("predicted_label", "predicted_evidence", "label") if name not in row]
            if lacking:
                what = f"has no {', no '.join(lacking)}; where no references are given, a row carries its own"
                self._problems.add(side.place(number), what)
                continue
            guess, gold = self._reader.guess(row, number, side.place), self._reader.gold(row, number, side.place)
            if guess is not None and gold is not None:
                yield Claim(*gold, *guess, key, number)


class _Side:
    """One side's rows with their numbers; the first two are read ahead, to see what its ids are worth."""

    def __init__(self, role: str, source: Rows, problems: Problems) -> None:
        self.role = role
        self.count = 0
        self.unidentified = False
        """Whether a row could not be read, or has no id."""
        self.seen: set[object] = set()
        """The ids so far."""
        self.lines: Iterator[bytes] | None = None
        """The lines not yet read; None where the rows come from elsewhere."""
        self.name, self._unit = role, ""
        self._first_line = 1
        self._rows: _Numbered = iter(())
        self._problems = problems
        self._failed = False
        ahead: list[tuple[int, Row | None]] = []
        try:
            ahead = self._open(source)
        except InputError as error:
            # a file that is not there: told together with what is wrong with the other side
            problems.add("", str(error))
            self._failed = True
        ids = [_id(row) for _, row in ahead if row is not None]
        self.unknown = bool(ahead) and not ids
        """There are rows, but none could be read ahead: whether they have ids is for the other side to say."""
        self.has_ids = any(key is not None for key in ids)
        self.one_id = self.has_ids and len(ids) == 2 and ids[0] == ids[1]
        self._first = ids[0] if ids else None
        self._other: int | None = None

    def _open(self, source: Rows) -> list[tuple[int, Row | None]]:
        """Looks at the first two rows."""
        if isinstance(source, (str, os.PathLike)):
            self.name = place_name(source)
            if not is_array(source):
                self._unit = "line"
                lines, head = iter_lines(source), []
                for line in lines:
                    head.append(line)
                    if sum(1 for one in head if one.strip()) == 2:
                        break
                self.lines = chain(head, lines)
                return list(parse_lines(head, self.name, typed=_TYPES.get(self.role), whole=True, problems=Problems()))
            self._unit = "item"
            rows = _items(source, self._problems)
        else:
            rows = _checked(self.role, source, self._problems)
        ahead = list(islice(rows, 2))
        self._rows = chain(ahead, rows)
        return ahead

    def place(self, number: int) -> str:
        return f"{self.name} {self._unit} {number}" if self._unit else f"{self.name}[{number}]"

    def put_back(self, line: bytes, number: int) -> None:
        """Makes a line the next one again."""
        if self.lines is not None:
            self.lines = chain([line], self.lines)
            self._first_line = number

    def _left(self) -> _Numbered:
        """The rows not yet read."""
        if self.lines is None:
            return self._rows
        typed = _TYPES.get(self.role)
        return parse_lines(
            self.lines, self.name, first=self._first_line, typed=typed, whole=True, problems=self._problems
        )

    def rows(self) -> Iterator[tuple[int, Row | None]]:
        """All rows in order; None is one that cannot be read."""
        for number, row in self._left():
            self.count += 1
            if self.one_id and self._other is None and row is not None and _id(row) != self._first:
                self._other = number
            yield number, row

    def identified(self) -> Iterator[tuple[object, int, Row]]:
        """Rows with their ids; a row that has none, or another's, is a problem and is left out."""
        seen = self.seen
        for number, row in self._left():
            self.count += 1
            if row is None:
                self.unidentified = True
                continue
            key: Any = _id(row)
            if key.__class__ is str:
                # "12" in one file is 12 in the other, but "012" is not
                whole = key.isdecimal() and key.isascii() and len(key) < 19 and (key[0] != "0" or key == "0")
                key = int(key) if whole else key
            elif key.__class__ is not int:
                seen_here = "has no 'id', which other rows have" if key is None else f"'id' is {key!r}"
                what = f"{seen_here}; an id is text or a whole number, on every row or on none"
                self._problems.add(self.place(number), what)
                self.unidentified = True
                continue
            if key in seen:
                self._problems.add(self.place(number), f"id {key} stands a second time")
                continue
            seen.add(key)
            yield key, number, row

    def finish(self) -> None:
        """What can be told only when all rows have been seen."""
        if self.count == 0 and not self._failed:
            self._problems.add(self.name, "is empty; there is nothing to score")
        if self._other is not None:
            self._problems.add(
                self.place(self._other),
                f"has another id than the first rows, which share {self._first!r}; "
                "an id must stand on one row only, or be left out everywhere",
            )


_Numbered = Iterator[tuple[int, Row | None]]
_TYPES: dict[str, type[msgspec.Struct]] = {"predictions": GuessRow, "references": GoldRow}


def _id(row: Row) -> object:
    if isinstance(row, (GuessRow, GoldRow)):
        return None if row.id is UNSET else row.id
    return row.get("id")


def _checked(role: str, rows: Iterable[Mapping[str, Any]], problems: Problems) -> _Numbered:
    for number, row in enumerate(rows):
        if isinstance(row, Mapping):
            yield number, row
        else:
            problems.add(f"{role}[{number}]", f"expected a dictionary, found {kind_of(row)}")
            yield number, None


def _items(source: str | os.PathLike[str], problems: Problems) -> _Numbered:
    for number, record in enumerate(read_records(source, problems=problems), 1):
        yield number, record.fields
