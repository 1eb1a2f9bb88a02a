"""Facts that are measures: the same number in another unit, the same measure in another unit, and wrong conversions.

"5 km" is "3.1 miles" and "5,000 metres", but neither "5 miles" nor "3.1 km". Every claim is the one evidence's
measure, written in a unit of its own, and the two measures are far enough apart for any rounding.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from aver.revisions._fact import Fact, Filler, R, S
from aver.revisions._fact_numbers import amount_use, in_words, nearby, quantities
from aver.text._quantities import Quantity

__all__ = ["UNITS", "Measure", "Unit", "Writer", "apart", "find_units"]


class Unit(NamedTuple):
    """A unit as people write it."""

    dimension: str
    size: float
    """In the dimension's first unit."""
    least: float
    most: float
    """The range of numbers in which people use the unit."""
    names: tuple[str, ...]
    """As it is written after a number: in full, then short. American spellings come from these."""


_SIZES: dict[str, list[tuple[float, float, float, str]]] = {
    "length": [
            (1.0, 0.5, 20_000, "metres|m"), (1000.0, 0.5, 50_000, "kilometres|km"), (0.01, 1, 500, "centimetres|cm"),
            (0.001, 1, 500, "millimetres|mm"), (1609.344, 0.4, 30_000, "miles|mi"), (0.3048, 2, 60_000, "feet|ft"),
            (0.0254, 1, 100, "inches|in"), (0.9144, 5, 2000, "yards|yd"),
        ],
    "area": [
            (1.0, 5, 100_000, "square metres|m2"), (1e6, 0.5, 2e7, "square kilometres|km2"),
            (1e4, 0.5, 500_000, "hectares|ha"), (4046.856, 0.5, 2e6, "acres"),
            (2_589_988.0, 0.4, 1e7, "square miles|sq mi"), (0.092903, 20, 2e6, "square feet|sq ft"),
        ],
    "mass": [
            (1.0, 0.5, 20_000, "kilograms|kg"), (0.001, 1, 5000, "grams|g"), (1000.0, 0.5, 1e7, "tonnes"),
            (0.453592, 1, 50_000, "pounds|lb"), (0.0283495, 1, 40, "ounces|oz"),
        ],
    "speed": [
            (1.0, 2, 5000, "km/h"), (1.609344, 2, 4000, "mph"), (1.852, 2, 2000, "knots"),
            (3.6, 1, 2000, "metres per second|m/s"),
        ],
    "power": [(1.0, 5, 200_000, "watts"), (1000.0, 0.5, 50_000, "kilowatts|kW"),
                  (1e6, 0.5, 50_000, "megawatts|MW"), (745.7, 5, 30_000, "horsepower|hp")],
    "frequency": [(1.0, 100, 200_000, "kHz"), (1000.0, 0.5, 3000, "MHz")],
    "volume": [(1.0, 0.5, 50_000, "litres|L"), (0.001, 1, 5000, "millilitres|mL"),
                   (1000.0, 0.5, 1e8, "cubic metres|m3")],
    "time": [(1.0, 2, 600, "seconds"), (60.0, 2, 600, "minutes"), (3600.0, 1.5, 200, "hours"),
                 (86_400.0, 2, 120, "days"), (604_800.0, 2, 60, "weeks")],
    "age": [(1.0, 2, 60, "months"), (12.0, 2, 2000, "years"), (120.0, 2, 40, "decades"),
                (1200.0, 2, 40, "centuries")],
    "temperature": [(1.0, -60, 5000, "°C"), (1.8, -80, 9000, "°F")],
}  # fmt: skip
UNITS = [
    Unit(dimension, size, least, most, tuple(names.split("|")))
    for dimension, units in _SIZES.items()
    for size, least, most, names in units
]
_ALIASES = {
    "km²": "km2", "sq km": "km2", "m²": "m2", "sq m": "m2", "sq. mi": "sq mi", "lbs": "lb", "kph": "km/h",
    "kilometres per hour": "km/h", "miles per hour": "mph", "metric tons": "tonnes", "l": "L", "° C": "°C",
    "° F": "°F", "degrees Celsius": "°C", "degrees Fahrenheit": "°F",
}  # fmt: skip
_BY_NAME = {name: unit for unit in UNITS for name in unit.names}
_BY_NAME |= {alias: _BY_NAME[name] for alias, name in _ALIASES.items()}


def _american(name: str) -> str:
    return name.replace("metre", "meter").replace("litre", "liter")


_BY_NAME |= {_american(name): unit for name, unit in _BY_NAME.items()}
_NAMES = "|".join(map(re.escape, sorted(_BY_NAME, key=len, reverse=True)))
_AFTER = re.compile(
    rf" ?(?P<unit>{_NAMES})(?![\w²³/°])"
    rf"(?P<again>(?P<open> ?\( ?)(?P<number>\d[\d,]*(?:\.\d+)?) (?P<other>{_NAMES})(?P<close> ?\)))?"
)
# What may follow a measure that says how much, and not which ("the 100 m final", "20 miles per gallon").
_ENDS = re.compile(
    r" ?[.,;)]| (?:long|wide|high|tall|deep|thick|broad|away|off|in|from|of|to|(?:north|south|east|west)\w*|above|"
    r"below|and|at|by|on|for|with|inland|upstream|downstream|apart|across|along|outside|when|while|around|between|through|"
    r"into|over)\b|$"
)
_WEIGHS = re.compile(r"\b(?:weigh\w*|weight|mass|heavy|cargo|loads?)\b")
_NO_MEASURE = re.compile(r" ?(?:old|later|earlier|ago|prior|and (?:\d|a half)|\d|of age|before|after)\b")
_CHANGE = re.compile(r"\b(?:by|increase\w*|rise|rose|warming|drop\w*|difference|more|colder|warmer) (?:\w+ ){0,2}$")


def find_units(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    """The measures of a sentence: lengths, areas, weights, speeds, times, temperatures …"""
    for q in quantities(sentence):
        found = _AFTER.match(sentence, q.end)
        if found is None or q.bound not in ("exact", "about") or q.percent or q.currency or q.scale:
            continue
        unit = _BY_NAME[found["unit"]]
        if (q.spelled and unit.dimension not in ("time", "age")) or amount_use(sentence, q) != "amount":
            continue
        if not _ENDS.match(sentence, found.end()) or _NO_MEASURE.match(sentence, found.end()):
            continue
        if unit.names[0] == "pounds" and not _WEIGHS.search(sentence):
            continue  # sterling, more often
        if unit.dimension == "temperature" and _CHANGE.search(sentence[: q.cue_start]):
            continue  # a rise by 2 °C is not one by 35.6 °F
        fact = _exchanged(sentence, q, unit, found, rng)
        if fact is not None:
            yield fact


def _exchanged(sentence: str, q: Quantity, unit: Unit, found: re.Match[str], rng: random.Random) -> Fact | None:
    units = [u for u in UNITS if u.dimension == unit.dimension]
    old = Measure(float(q.value), unit)
    new = _other(old, q, [u for u in units if u is not unit], rng)
    if new is None or not apart(old, new):
        return None
    say = Writer(q.spelled, len(found["unit"]) <= 5, _american(sentence) == sentence and "meter" in sentence)
    fillers: list[Filler] = []
    for wanted in rng.sample(units, len(units)):
        if wanted is old.unit is new.unit:
            continue  # only the number would differ
        sides = [measure.into(wanted) for measure in (old, new)]
        if all(side.usual and side.value != 1 for side in sides) and sides[0].value != sides[1].value:
            about = rng.choice(("", "", "about ", "approximately ", "roughly ")) if q.bound == "exact" else ""
            one, two = (
                about * (not side.same(exact)) + say(side, rng) for side, exact in zip(sides, (old, new), strict=True)
            )
            fillers += [Filler(one, S, R), Filler(two, R, S)]
    written = sentence[q.start : found.end()]
    instead = say(new, None)
    if found["again"]:
        # the measure once more, in brackets, goes along
        second = new.into(_BY_NAME[found["other"]] if _BY_NAME[found["other"]] is not new.unit else unit)
        if not second.usual:
            return None
        instead += found["open"] + say(second, None, short=True) + found["close"]
    return Fact("unit", q.start, found.end(), written, instead, tuple(fillers)) if fillers else None


def _other(old: Measure, q: Quantity, units: Sequence[Unit], rng: random.Random) -> Measure | None:
    """The same number in another unit, the number of another unit in this one, or another measure."""
    target = rng.choice(units)
    way = rng.random()
    if way < 0.45:
        new = Measure(old.value, target)
    elif way < 0.65:
        new = Measure(old.into(target).value, old.unit)
    else:
        other = nearby(q, rng)
        if other is None:
            return None
        new = Measure(float(other), old.unit)
        if rng.random() < 0.4 and new.into(target).usual:
            new = new.into(target)
    return new if new.usual and new.value != 1 else None


def apart(one: Measure, two: Measure) -> bool:
    """Whether no rounding makes the two measures one."""
    a, b = sorted((one.base, two.base))
    return b - a >= 5 if one.unit.dimension == "temperature" else b >= 1.25 * a > 0


class Measure(NamedTuple):
    """A number of units."""

    value: float
    unit: Unit

    @property
    def usual(self) -> bool:
        whole = self.value == int(self.value) or self.unit.dimension not in ("time", "age")
        return whole and self.unit.least <= self.value <= self.unit.most

    @property
    def base(self) -> float:
        return (self.value - 32) / 1.8 if self.unit.names[0] == "°F" else self.value * self.unit.size

    def into(self, unit: Unit) -> Measure:
        """In another unit, rounded as people do: two or more digits, as many as come within one in a hundred."""
        if unit is self.unit:
            return self
        if unit.dimension == "temperature":
            return Measure(round(self.base * 1.8 + 32 if unit.names[0] == "°F" else self.base), unit)
        exact = self.base / unit.size
        for digits in range(2, 5):
            value = float(f"{exact:.{digits}g}")
            if abs(value - exact) <= 0.01 * exact:
                break
        return Measure(value, unit)

    def same(self, other: Measure) -> bool:
        return abs(self.base - other.base) <= 1e-6 * abs(other.base)


class Writer(NamedTuple):
    """Writes measures in the style of a sentence."""

    spelled: bool
    short: bool
    american: bool

    def __call__(self, measure: Measure, rng: random.Random | None, *, short: bool = False) -> str:
        """In a claim (with `rng`) a short unit may be written out."""
        value, names = measure.value, measure.unit.names
        name = names[-1] if short or (self.short and (rng is None or rng.random() < 0.5)) else names[0]
        whole = value == int(value)
        if self.spelled and whole and 2 <= value <= 20:
            number = in_words(int(value))
        else:
            number = f"{value:,.0f}" if whole else f"{value:,.4g}" if value < 1000 else f"{value:,.1f}"
        return f"{number} {_american(name) if self.american else name}"
