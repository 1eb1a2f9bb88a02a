"""The numbers of a text, with what `aver.text` leaves to the rule: numbers of several words, parts, scales in short."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterator
from decimal import Decimal

from aver.text import Quantity, find_quantities, find_unit
from aver.verify._figure import NEAR, cue_before
from aver.verify._figure_hyphens import hyphened

__all__ = ["AND_A_HALF", "BIG", "REST", "SMALLER", "WORTH", "quantities", "worth_of"]

_ONES = "one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
WORTH = (
    {word: n for n, word in enumerate(_ONES + _TEENS, 1)}
    | {word: 10 * n for n, word in enumerate(_TENS, 2)}
    | {
        "a": 1,
        "an": 1,
        "dozen": 12,
        "hundred": 100,
        "thousand": 1_000,
        "million": 1_000_000,
        "billion": 10**9,
        "trillion": 10**12,
    }
)
BIG = "hundred|thousand|million|billion"
_SHORT = {
    "k": "thousand", "m": "million", "mn": "million", "mln": "million", "mio": "million", "b": "billion",
    "bn": "billion", "bln": "billion", "mrd": "billion", "milliard": "billion", "milliards": "billion",
    "tn": "trillion", "trn": "trillion",
}  # fmt: skip
_SHORT_BEHIND = re.compile(
    r"[\s-]?(k|mn|mln|mio|m|bln|bn|b|mrd|milliards?|trn|tn)\b(\.(?=\s[a-zA-Z€]))?", re.IGNORECASE
)
_METRES = re.compile(r"\s(?:tall|high|long|wide|deep|thick|away|above|below|race|sprint|hurdles|freestyle)\b")
_NUMBER_WORD = "|".join([*_ONES, *_TEENS, *_TENS])
_TWO_WORDS = f"(?:{'|'.join(_TENS)})[ -](?:{'|'.join(_ONES)})"
_COMPOUND = re.compile(
    rf"\b(?:(?:a|{_NUMBER_WORD})(?:[\s-](?:and\s)?(?:{_NUMBER_WORD}|{BIG}))+|an?\s(?:dozen|{BIG}))\b"
    r"|(?<![\w.,:/–−-])\d{1,3}(?:[ \u00a0\u202f'’]\d{3}| , 000)+(?![\w/:–]|[.,]\d)",
    re.IGNORECASE,
)
_ONE = re.compile(r"\b(?:one|an?)\b", re.IGNORECASE)
"""By itself more often no number; with a measure and a smaller one behind it, "a year and six months", or with a bound
before it, "less than an hour", it is."""
_OTHER_THINGS = frozenset(("second", "stone", "pound", "yard", "ounce", "foot"))
"""Not so of these: "under a stone", "over a second term", "under a foot bridge"."""
_WHAT_OF = re.compile(r"(?:about|around)\b", re.IGNORECASE)
_MEASURES = re.compile(r"\b(?:takes?|took|taken|lasts?|lasted|for|after|in|within|of|every)\s$", re.IGNORECASE)
_BEHIND = re.compile(r"\s(?:away|ago|later|earlier|before|after|from|long|old|high|tall|deep|wide)\b")
"""Around "about an hour" where that is how long: a film may be about a day in May."""
_ONE_TO = re.compile(
    rf"\bone(?=\s(?:to|or)\s(?:\d+|{_NUMBER_WORD})\b)|(?<=\bbetween )one(?=\sand\s(?:\d+|{_NUMBER_WORD})\b)",
    re.IGNORECASE,
)
"""Where a range begins: "between one and two million"."""
_OUT_OF = re.compile(
    rf"\b(\d{{1,3}}|{_NUMBER_WORD})\s(?:in|out\sof)(?:\severy)?\s(\d{{1,3}}|{_NUMBER_WORD})(?=\s[a-z])", re.IGNORECASE
)
"""A share: one in five, two out of three."""
_MINUS = re.compile(r"(?<![\w.,:/–−-])(?:[−–-]|minus\s)(\d+(?:\.\d+)?)", re.IGNORECASE)
"""Below zero; of anything but temperatures a dash before a number is more often one of a range or a score."""
_GLUED = re.compile(r"(?<![\w.,:/–−-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?=-?[a-zA-Z])")
AND_A_HALF = re.compile(r"\sand\sa\shalf\b", re.IGNORECASE)
_PARTS = {"half": Decimal("0.5"), "third": Decimal(1) / 3, "quarter": Decimal("0.25")}
_SIGNS = {"½": Decimal("0.5"), "¼": Decimal("0.25"), "¾": Decimal("0.75"), "⅓": Decimal(1) / 3, "⅔": Decimal(2) / 3}
_FRACTION = re.compile(
    rf"(?<![\w.,])(?P<whole>\d{{1,3}})?\s?(?P<sign>[½¼¾⅓⅔])(?:\s(?P<scale1>{BIG}))?"
    rf"|\b(?P<before>{_NUMBER_WORD})\spoint\s(?P<point>{'|'.join(_ONES)})(?:\s(?P<scale2>{BIG}))?\b"
    rf"|\b(?P<and>\d{{1,3}}|{_NUMBER_WORD})[\s-]and[\s-]a[\s-](?P<more>half|quarter)(?:\s(?P<scale3>{BIG}))?\b"
    rf"|\b(?P<dozens>\d{{1,3}}|{_NUMBER_WORD})\sdozen\b"
    rf"|\b(?:(?:an?|one)\s|(?P<three>three[\s-]))?(?P<of>half|quarter|third)s?(?:\sof)?\s(?:an?|one)"
    rf"(?:\s(?P<a>dozen|{BIG})\b|(?=\s(?:hour|minute|day|year|century|mile|acre|tonne|ton|pound|kilomet|metre)))",
    re.IGNORECASE,
)
_SHARES = {
    "half": Decimal(50),
    "third": Decimal(100) / 3,
    "quarter": Decimal(25),
    "fifth": Decimal(20),
    "tenth": Decimal(10),
}
_SHARE = re.compile(
    r"\b(?:(?P<count>one|two|three|four|an?)[\s-](?P<part>half|third|quarter|fifth|tenth)s?"
    r"|(?<!first )(?<!second )(?<!other )(?<!latter )(?P<half>half))(?=\sof\b(?!\s(?:an?|one|1)\s?per))",
    re.IGNORECASE,
)
SMALLER = {
    "mile": ("yard", 1760, "yds?|yards?"),
    "foot": ("inch", 12, "in|inch|inches"),
    "kilometre": ("metre", 1000, "m|met(?:re|er)s?"),
    "metre": ("centimetre", 100, "cm|centimet(?:re|er)s?"),
    "stone": ("pound", 14, "lbs?|pounds?"),
    "pound": ("ounce", 16, "oz|ounces?"),
    "kilogram": ("gram", 1000, "g|gram(?:me)?s?"),
    "year": ("month", 12, "months?"),
    "week": ("day", 7, "days?"),
    "day": ("hour", 24, "hrs?|hours?"),
    "hour": ("minute", 60, "mins?|minutes?"),
    "minute": ("second", 60, "secs?|seconds?"),
}
"""What may follow a measure and belongs to it, "5 ft 11 in": the smaller unit, how many there are, and its names."""
REST = {
    name: re.compile(rf",?\s?(?:and\s)?(\d{{1,4}}|{_TWO_WORDS}|{_NUMBER_WORD})[\s-]?(?:{names})\b", re.IGNORECASE)
    for name, _, names in SMALLER.values()
}


def quantities(text: str) -> Iterator[Quantity]:
    """The numbers of a text; those of several words, or of several groups of digits, are one."""
    fractions = list(_fractions(text))
    yield from fractions
    compounds = [
        match
        for match in _COMPOUND.finditer(text)
        if worth_of(match[0]) is not None
        and not any(q.start < match.end() and match.start() < q.end for q in fractions)
    ]
    for match in compounds:
        value = worth_of(match[0])
        assert value is not None
        last = match[0].split()[-1].lower()
        scale = last if last in ("thousand", "million", "billion") else ""
        spelled = not match[0][0].isdigit()
        start, bound = cue_before(text, match.start())
        yield Quantity(match.start(), match.end(), start, value, bound, "", scale, False, spelled, 0)
    taken = [(match.start(), match.end()) for match in compounds] + [(q.start, q.end) for q in fractions]
    for match in _SHARE.finditer(text):
        if any(start < match.end() and match.start() < end for start, end in taken):
            continue
        value = WORTH[(match["count"] or "a").lower()] * _SHARES[(match["part"] or "half").lower()]
        taken.append((match.start(), match.end()))
        start, bound = cue_before(text, match.start())
        yield Quantity(match.start(), match.end(), start, value, bound, "", "", True, True, 0)
    for match in _OUT_OF.finditer(text):
        part, whole = worth_of(match[1]), worth_of(match[2])
        free = not any(a < match.end() and match.start() < b for a, b in taken)
        if free and part is not None and whole is not None and part < whole:
            taken.append((match.start(), match.end()))
            start, bound = cue_before(text, match.start())
            yield Quantity(match.start(), match.end(), start, 100 * part / whole, bound, "", "", True, True, 0)
    for match in _MINUS.finditer(text):
        unit = find_unit(text, match.end())
        if unit is not None and unit.dimension == "temperature":
            taken.append((match.start(), match.end()))
            start, bound = cue_before(text, match.start())
            decimals = len(match[1].partition(".")[2])
            yield Quantity(match.start(), match.end(), start, -Decimal(match[1]), bound, "", "", False, False, decimals)
    for quantity in itertools.chain(hyphened(text), find_quantities(text)):
        if not any(start < quantity.end and quantity.start < end for start, end in taken):
            taken.append((quantity.start, quantity.end))
            yield _scaled(text, quantity)
    for match in _ONE.finditer(text):
        unit = find_unit(text, match.end())
        if unit is None or any(start < match.end() and match.start() < end for start, end in taken):
            continue
        start, bound = cue_before(text, match.start())
        smaller = SMALLER.get(unit.name)
        more = smaller and (AND_A_HALF.match(text, unit.end) or REST[smaller[0]].match(text, unit.end))
        if more or (bound != "exact" and unit.name not in _OTHER_THINGS and _is_amount(text, start, unit.end)):
            yield Quantity(match.start(), match.end(), start, Decimal(1), bound, "", "", False, True, 0)
    for match in _ONE_TO.finditer(text):
        if any(start < match.end() and match.start() < end for start, end in taken):
            continue
        start, bound = cue_before(text, match.start())
        yield Quantity(match.start(), match.end(), start, Decimal(1), bound, "", "", False, True, 0)
    for match in _GLUED.finditer(text):
        start, end = match.span()
        if find_unit(text, end) is not None and not any(a < end and start < b for a, b in taken):
            value = Decimal(match[0].replace(",", ""))
            yield Quantity(start, end, start, value, "exact", "", "", False, False, len(match[0].partition(".")[2]))


def _is_amount(text: str, start: int, end: int) -> bool:
    """What begins with "about" or "around" is how much, and not what something is about."""
    if _WHAT_OF.match(text, start) is None:
        return True
    return _MEASURES.search(text, max(0, start - NEAR), start) is not None or _BEHIND.match(text, end) is not None


def _scaled(text: str, quantity: Quantity) -> Quantity:
    """The same with a scale that stands behind it in short, "$1.2 bn"; "3m high" are metres."""
    if quantity.scale == "m" and not quantity.currency and _METRES.match(text, quantity.end):
        return dataclasses.replace(quantity, end=quantity.end - 1, value=quantity.value / 1_000_000, scale="")
    short = None if quantity.scale or quantity.percent else _SHORT_BEHIND.match(text, quantity.end)
    # one letter is one of money: "5 m" may be metres
    if short is None or (len(short[1]) == 1 and not quantity.currency):
        return quantity
    scale = _SHORT[short[1].lower()]
    return dataclasses.replace(quantity, end=short.end(), value=quantity.value * WORTH[scale], scale=scale)


def _fractions(text: str) -> Iterator[Quantity]:
    """ "Half a dozen", "a quarter of a million", "two and a half million", "half an hour", "2½", "three point five"."""
    for match in _FRACTION.finditer(text):
        found = match.groupdict()
        found["scale"] = found["scale1"] or found["scale2"] or found["scale3"]
        if found["sign"]:
            value = Decimal(found["whole"] or 0) + _SIGNS[found["sign"]]
        elif found["point"]:
            value = (worth_of(found["before"]) or Decimal(0)) + Decimal(WORTH[found["point"].lower()]) / 10
        elif found["and"]:
            value = (worth_of(found["and"]) or Decimal(0)) + _PARTS[found["more"].lower()]
        elif found["dozens"]:
            value = (worth_of(found["dozens"]) or Decimal(0)) * 12
        else:
            value = _PARTS[found["of"].lower()]
            value *= 3 if found["three"] else 1
        scale = (found["scale"] or found["a"] or "").lower()
        value *= WORTH.get(scale, 1)
        scale = scale if scale in ("thousand", "million", "billion") else ""
        start, bound = cue_before(text, match.start())
        yield Quantity(match.start(), match.end(), start, value, bound, "", scale, False, True, 1)


def worth_of(words: str) -> Decimal | None:
    """What a number of several words is worth; None where they are several numbers.

    >>> [str(worth_of(w)) for w in ("twenty five", "one hundred and five", "two thousand three hundred", "90 000", "six ten")]
    ['25', '105', '2300', '90000', 'None']
    """  # noqa: E501
    if words[0].isdigit():
        return Decimal(re.sub(r"\D", "", words))
    total = part = 0
    last = 10**12
    for word in re.split(r"[\s-]+", words.lower()):
        if word == "and":
            continue
        worth = WORTH[word]
        if word == "dozen" or worth >= 100:
            if not part:
                return None
            part *= worth
            if worth >= 1000:
                total, part = total + part, 0
            last = worth
        else:
            # units follow tens or hundreds, tens follow hundreds: "twenty five", not "six ten"
            if part % 100 and not (part % 10 == 0 and part % 100 >= 20 and worth < 10):
                return None
            if last < 100:
                return None
            part += worth
    return Decimal(total + part)
