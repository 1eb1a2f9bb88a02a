"""A measure is a value: it prints as its canonical name, and the name parses back to it.

    FEVER(official)@5     SARI(easse)     Alpha(level=nominal)     ROUGE(2, stem=true)

A measure is a frozen dataclass whose fields are its parameters. A field called `variant` prints bare, a field
called `at` prints behind an @, the others as key=value; a field that is None is left out. Beside its arithmetic
each measure carries a `Card`: the documentation pages and `aver score --list` are made from it, so they can't
drift from the code. The cards' examples run as tests.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal

from aver.errors import InputError

__all__ = ["Card", "Measure", "Score", "parse_measure"]

Direction = Literal["higher", "lower", "none"]


@dataclasses.dataclass(frozen=True, slots=True)
class Card:
    """What a measure means, for people. Every field is shown on its page."""

    title: str
    meaning: str
    """One paragraph: what the number says."""
    formula: str
    """TeX or plain text."""
    range: tuple[float, float]
    direction: Direction
    inputs: str
    """What it reads, with the names of the fields."""
    values: Mapping[str, str]
    """The names in its JSON and what each means; the first is the main one."""
    example: str
    """A doctest session, run by the tests."""
    edge_cases: tuple[str, ...]
    limits: tuple[str, ...]
    citation: str


@dataclasses.dataclass(frozen=True, slots=True)
class Score:
    """A measure's answer: the figures by name, and what they were computed from.

    A value is None where the measure is not defined on this input; the card says when.
    """

    measure: str
    values: Mapping[str, float | None]
    n: int
    """How many items were scored."""
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> float | None:
        return self.values[name]

    @property
    def main(self) -> float | None:
        """The first figure."""
        return next(iter(self.values.values()))

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON: the figures by their own names beside `measure` and `n`.

        >>> Score("Accuracy", {"accuracy": 0.5}, 2).as_dict()
        {'measure': 'Accuracy', 'n': 2, 'accuracy': 0.5}
        """
        rest = {"notes": list(self.notes)} if self.notes else {}
        return {"measure": self.measure, "n": self.n, **self.values, **rest}


class Measure:
    """Base of all measures: a name, parameters, a card, and `score`.

    `score` takes what the card's `inputs` say and returns a `Score`, or a result that has one as `.score`.
    """

    name: ClassVar[str]
    card: ClassVar[Card]
    score: Any

    def __str__(self) -> str:
        words: list[str] = []
        at = ""
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if value is None:
                continue
            if field.name == "at":
                at = f"@{value}"
            elif field.name == "variant":
                words.insert(0, _write(value))
            else:
                words.append(f"{field.name}={_write(value)}")
        return self.name + (f"({', '.join(words)})" if words else "") + at


_NAME = re.compile(r"\s*([A-Za-z][\w-]*)\s*(?:\(([^()]*)\))?\s*(?:@\s*(\d+))?\s*")


def parse_measure(name: str, known: Iterable[type[Measure]]) -> Measure:
    """The measure of that name among `known`; names are read in any case.

    `aver.measure` does this over every measure there is.
    """
    by_name = {cls.name.casefold(): cls for cls in known}
    match = _NAME.fullmatch(name)
    if match is None:
        raise InputError(f"{name!r} is no measure's name; write it like FEVER(official)@5 or Alpha(level=nominal)")
    word, inside, at = match.groups()
    cls = by_name.get(word.casefold())
    if cls is None:
        raise InputError(f"unknown measure {word!r}; there are: {', '.join(sorted(c.name for c in by_name.values()))}")
    types_by_name = typing.get_type_hints(cls)
    fields = {f.name: types_by_name[f.name] for f in dataclasses.fields(cls)}  # type: ignore[arg-type]
    settings: dict[str, Any] = {}
    for part in filter(None, (p.strip() for p in (inside or "").split(","))):
        key, equals, text = (w.strip() for w in part.partition("="))
        if not equals:
            key, text = "variant", key
        if key not in fields or key == "at":
            options = ", ".join(f for f in fields if f != "at") or "none"
            raise InputError(f"{name!r}: {cls.name} has no parameter {part!r}; its parameters: {options}")
        settings[key] = _read(text, fields[key], f"{name!r}: {key}")
    if at is not None:
        if "at" not in fields:
            raise InputError(f"{name!r}: {cls.name} takes no @ cut-off")
        settings["at"] = int(at)
    return cls(**settings)


def _write(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read(text: str, wanted: Any, what: str) -> Any:
    if typing.get_origin(wanted) in (typing.Union, types.UnionType):
        wanted = next(part for part in typing.get_args(wanted) if part is not type(None))
    if typing.get_origin(wanted) is Literal:
        choices = typing.get_args(wanted)
        for choice in choices:
            if _write(choice).casefold() == text.casefold():
                return choice
        raise InputError(f"{what} is {text!r}; it can be: {', '.join(map(_write, choices))}")
    if wanted is bool:
        return _read(text, Literal[True, False], what)
    if wanted in (int, float):
        try:
            return wanted(text)
        except ValueError:
            raise InputError(f"{what} is {text!r}; it must be a number") from None
    return text
