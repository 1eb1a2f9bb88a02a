"""A measure is a value: its name prints, parses back, and means the same everywhere; its card is complete."""

from __future__ import annotations

import dataclasses
import itertools
import math
from types import UnionType
from typing import Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aver
from aver import Card, InputError, Measure, Score, measure, measures
from aver._cards import card_fields, card_page, variants
from aver.measures import parse_measure

CARD = Card("t", "m", "f", (0, 1), "higher", "i", {"x": "y"}, ">>> 1\n1", (), (), "c")


@dataclasses.dataclass(frozen=True)
class Toy(Measure):
    variant: Literal["mild", "hot"] = "mild"
    level: int = 2
    smooth: float | None = None
    stem: bool = False
    at: int | None = None
    name: ClassVar[str] = "Toy"
    card: ClassVar[Card] = CARD


@dataclasses.dataclass(frozen=True)
class Plain(Measure):
    name: ClassVar[str] = "Plain"
    card: ClassVar[Card] = CARD


TOYS = st.builds(
    Toy,
    variant=st.sampled_from(["mild", "hot"]),
    level=st.integers(-5, 5),
    smooth=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    stem=st.booleans(),
    at=st.none() | st.integers(0, 100),
)


@given(TOYS)
def test_names_parse_back(toy: Toy) -> None:
    assert parse_measure(str(toy), [Toy, Plain]) == toy
    assert parse_measure(f" {str(toy).lower()} ", [Plain, Toy]) == toy


def test_how_names_are_written() -> None:
    assert str(Toy()) == "Toy(mild, level=2, stem=false)"
    assert str(Toy("hot", smooth=0.5, at=3)) == "Toy(hot, level=2, smooth=0.5, stem=false)@3"
    assert str(Plain()) == "Plain"
    assert parse_measure("toy(hot,level=3)@7", [Toy]) == Toy("hot", 3, at=7)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Toyota", "unknown measure 'Toyota'; there are: Plain, Toy"),
        ("Toy(", "is no measure's name; write it like"),
        ("", "is no measure's name"),
        ("Toy(tepid)", "variant is 'tepid'; it can be: mild, hot"),
        ("Toy(level=two)", "level is 'two'; it must be a number"),
        ("Toy(depth=2)", "has no parameter 'depth=2'; its parameters: variant, level, smooth, stem"),
        ("Toy(at=2)", "has no parameter 'at=2'"),
        ("Plain(x=1)", "its parameters: none"),
        ("Plain@3", "takes no @ cut-off"),
    ],
)
def test_names_that_cannot_be_read(name: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_measure(name, [Toy, Plain])
    assert told in str(caught.value)


def test_a_score_stands_in_json_by_its_own_names() -> None:
    score = Score("Toy", {"x": 0.5, "y": None}, 3, ("a note",))
    assert score.main == score["x"] == 0.5
    assert score.as_dict() == {"measure": "Toy", "n": 3, "x": 0.5, "y": None, "notes": ["a note"]}


# -- the real ones -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", measures(), ids=lambda kind: kind.name)
def test_every_measure(kind: type[Any]) -> None:
    assert kind.__dataclass_params__.frozen
    for one in variants(kind):
        name = str(one)
        assert measure(name) == one, "the name parses back"
        assert card_fields(one)["measure"] == name
        page = card_page(one)
        assert f"`{name}`" in page
        for heading in ("Formula", "Input", "Figures", "Example", "Citation"):
            assert f"\n## {heading}\n" in page
    card = kind.card
    for field in dataclasses.fields(card):
        value = getattr(card, field.name)
        assert value or field.name in ("edge_cases", "limits", "range"), f"{kind.name}'s card has no {field.name}"
    assert card.edge_cases, "every measure has an edge"
    low, high = card.range
    assert low < high
    assert not math.isnan(low + high) or math.inf in (high, -low)
    assert callable(kind.score)


@pytest.mark.parametrize("kind", measures(), ids=lambda kind: kind.name)
def test_every_parameter_prints_and_parses_back(kind: type[Any]) -> None:
    values = {field.name: choices(get_type_hints(kind)[field.name]) for field in dataclasses.fields(kind)}
    made = 0
    for combination in itertools.product(*values.values()):
        try:
            one = kind(**dict(zip(values, combination, strict=True)))
        except InputError:
            continue  # a combination this measure does not take
        assert measure(str(one)) == one
        made += 1
    assert made


def choices(wanted: Any) -> list[Any]:
    """Some values of a parameter's type: all where they are few."""
    if get_origin(wanted) in (Union, UnionType):
        return [value for part in get_args(wanted) for value in choices(part)]
    if get_origin(wanted) is Literal:
        return list(get_args(wanted))
    some = {bool: [True, False], int: [1, 7], float: [0.25, 1e-9], str: ["a", "fast@0123456789ab", "hf:org/model"]}
    return some.get(wanted, [None])


def test_names_are_unique_and_known_to_the_front_door() -> None:
    names = [kind.name.casefold() for kind in measures()]
    assert len(set(names)) == len(names)
    assert aver.measure("FEVER(official)@5") == aver.metrics.FEVER("official")
