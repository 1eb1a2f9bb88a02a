"""Units of measure behind a number: what they measure, and how much of the dimension's own unit they are."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

__all__ = ["Unit", "find_unit"]


class Unit(NamedTuple):
    """A unit as it stands in a text. A value times `factor` plus `offset` is the value in the dimension's own unit."""

    end: int
    name: str
    """The same for every spelling: `kilometre` for "km" and "kilometers"."""
    dimension: str
    factor: Decimal
    offset: Decimal = Decimal(0)


_LENGTHS = {
    "millimetre": ("0.001", "mm|millimet(?:re|er)s?"),
    "centimetre": ("0.01", "cms?|CM|centimet(?:re|er)s?"),
    "metre": ("1", "m|met(?:re|er)s?"),
    "kilometre": ("1000", "[kK]ms?|KMs?|kilomet(?:re|er)s?"),
    "inch": ("0.0254", "inch(?:es)?"),
    "foot": ("0.3048", "[fF]t|FT|foot|feet"),
    "yard": ("0.9144", "yds?|yards?"),
    "mile": ("1609.344", "mi|miles?"),
    "nautical mile": ("1852", "nautical miles?|nmi"),
    "light year": ("9460730472580800", "light[- ]years?"),
}
_SCALED: dict[str, dict[str, tuple[str, str]]] = {
    "length": _LENGTHS,
    "mass": {
        "microgram": ("0.000000001", "[µμ]g|mcg|microgram(?:me)?s?"),
        "milligram": ("0.000001", "mg|milligram(?:me)?s?"),
        "gram": ("0.001", "g|gram(?:me)?s?"),
        "kilogram": ("1", "[kK]gs?|KGS?|kilos?|kilogram(?:me)?s?"),
        "tonne": ("1000", "tonnes?|metric tons?"),
        "ton": ("1000", "tons?"),
        "ounce": ("0.028349523125", "oz|ounces?"),
        "pound": ("0.45359237", "[lL]bs?|LBS?|pounds?"),
        "stone": ("6.35029318", "stone"),
    },
    "area": {
        "hectare": ("10000", "ha|hectares?"),
        "acre": ("4046.8564224", "acres?"),
    },
    "volume": {
        "millilitre": ("0.001", "m[lL]|millilit(?:re|er)s?"),
        "litre": ("1", "L|lit(?:re|er)s?"),
        "cubic metre": ("1000", "cubic met(?:re|er)s?|m³|m3"),
        "cubic kilometre": ("1000000000000", "cubic kilomet(?:re|er)s?|km³|km3"),
        "US gallon": ("3.785411784", "U\\.?S\\.? gallons?"),
        "imperial gallon": ("4.54609", "[iI]mperial gallons?"),
        "cubic foot": ("28.316846592", "cubic (?:foot|feet)|cu ft"),
    },
    "time": {
        "second": ("1", "secs?|seconds?"),
        "minute": ("60", "mins?|minutes?"),
        "hour": ("3600", "hrs?|hours?|h"),
        "day": ("86400", "days?"),
        "week": ("604800", "weeks?"),
        "month": ("2629746", "months?"),
        "year": ("31556952", "yrs?|years?"),
        "decade": ("315569520", "decades?"),
        "century": ("3155695200", "century|centuries"),
    },
    "speed": {
        "kilometre an hour": (
            "1", "km/hr?|kmp?h|kph|(?:km|kilomet(?:re|er))s? ?(?:per|an) ?(?:hour|hr)"
        ),
        "mile an hour": ("1.609344", "mph|MPH|mi/h|(?:mi|miles?) (?:per|an) (?:hour|hr)"),
        "metre a second": ("3.6", "m/s|(?:m|met(?:re|er)s?) (?:per|a) second"),
        "knot": ("1.852", "knots?|kn"),
    },
    "power": {
        "watt": ("1", "watts?"),
        "kilowatt": ("1000", "kW|kilowatts?"),
        "megawatt": ("1000000", "MW|megawatts?"),
        "gigawatt": ("1000000000", "GW|gigawatts?"),
        "horsepower": ("745.7", "hp|horsepower"),
    },
    "energy": {
        "kilowatt-hour": ("1", "kWh|kilowatt[- ]hours?"),
        "megawatt-hour": ("1000", "MWh|megawatt[- ]hours?"),
        "gigawatt-hour": ("1000000", "GWh|gigawatt[- ]hours?"),
        "terawatt-hour": ("1000000000", "TWh|terawatt[- ]hours?"),
    },
    "data": {
        "kilobyte": ("1", "KB|kB|kilobytes?"),
        "megabyte": ("1000", "MB|megabytes?"),
        "gigabyte": ("1000000", "GB|gigabytes?"),
        "terabyte": ("1000000000", "TB|terabytes?"),
    },
    "temperature": {
        "degree Celsius": ("1", "°\\s?C|℃|(?:degrees? )?(?:Celsius|centigrade)|degrees? C"),
        "degree Fahrenheit": (str(Decimal(5) / 9), "°\\s?F|℉|(?:degrees? )?Fahrenheit|degrees? F"),
    },
}
_OFFSETS = {"degree Fahrenheit": Decimal(-160) / 9}
_SQUARES = {"mi": "mile", "km": "kilometre", "m": "metre", "cm": "centimetre", "ft": "foot"}


def _table() -> tuple[dict[str, tuple[str, str, Decimal]], str]:
    """The units by the name of their group in one pattern, and the pattern."""
    forms: dict[str, tuple[str, str, Decimal, str]] = {}

    def put(name: str, dimension: str, factor: Decimal, pattern: str) -> None:
        forms[f"u{len(forms)}"] = (name, dimension, factor, pattern)

    for name, (factor, pattern) in _LENGTHS.items():
        short = "|".join(s for s, long in _SQUARES.items() if long == name)
        forms_of = f"(?:square|sq\\.?) (?:{pattern})" + (f"|(?:{short})[²2]" if short else "")
        put(f"square {name}", "area", Decimal(factor) ** 2, forms_of)
    for dimension in ("volume", "speed", "energy", "length", "mass", "area", "time", "power", "data", "temperature"):
        for name, (factor, pattern) in _SCALED[dimension].items():
            put(name, dimension, Decimal(factor), pattern)
    every = "|".join(f"(?P<{group}>{pattern})" for group, (*_, pattern) in forms.items())
    return {g: (n, d, f) for g, (n, d, f, _) in forms.items()}, rf"[ \u00a0-]?(?:{every})(?![\w/])"


_UNITS, _SPELLINGS = _table()
_EXACT, _ANY_CASE = re.compile(_SPELLINGS), re.compile(_SPELLINGS, re.IGNORECASE)
_AGE = re.compile(r"\b(?:aged?|ages?|age of)\s$", re.IGNORECASE)


def find_unit(text: str, at: int, start: int | None = None) -> Unit | None:
    """The unit that a number ending at `at` is followed by; where it begins at `start`, an age before it counts too.

    >>> find_unit("5 km deep", 1), find_unit("30°C", 2).name, find_unit("a 5-kilometre run", 3).name
    (Unit(end=4, name='kilometre', dimension='length', factor=Decimal('1000'), offset=Decimal('0')), 'degree Celsius', 'kilometre')
    >>> find_unit("40 square miles", 2).dimension, find_unit("12 rooms", 2), find_unit("aged 20", 7, 5).name
    ('area', None, 'year')
    """  # noqa: E501
    match = _EXACT.match(text, at)
    if match is None:
        # what is written in full may be in any case ("5 Miles"); an abbreviation keeps its own: "5 m" is no "5 M"
        match = _ANY_CASE.match(text, at)
        if match is None or len(match[0].lstrip(" \u00a0-")) < 4:
            if start is None or not _AGE.search(text, max(0, start - 8), start):
                return None
            return Unit(at, "year", "time", Decimal(_SCALED["time"]["year"][0]))
    name, dimension, factor = _UNITS[str(match.lastgroup)]
    return Unit(match.end(), name, dimension, factor, _OFFSETS.get(name, Decimal(0)))
