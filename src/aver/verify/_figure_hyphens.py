"""Numbers with a dash or a hyphen behind them: "5–10 km", "$20–30", "a 12-room hotel", "the $5-billion project"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from aver.text import Quantity, find_unit
from aver.text._quantities import SCALES, WORDS
from aver.verify._figure import cue_before

__all__ = ["DASHES", "hyphened", "paired"]

DASHES = "–—-"
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_CURRENCY = r"(?:(?:US|A|C|NZ|HK)?[$£€¥]\s?)?"
_SCALE = "hundred|thousand|million|billion|trillion"
_PERCENT = r"%|per[\s-]?cent\b"
_TENS = "|".join(word for word, worth in WORDS.items() if worth >= 20)
_WORD = rf"(?:{_TENS})-(?:{'|'.join(list(WORDS)[1:10])})|{'|'.join(sorted(WORDS, key=len, reverse=True))}"
_FREE = r"(?<![\w.,:/–—−-])"
"""Before a number that is no part of another, of a code or of a date."""
_PAIR = re.compile(
    rf"{_FREE}(?P<currency>{_CURRENCY})(?P<low>{_DIGITS})(?P<percent>\s?%)?[{DASHES}](?P<again>{_CURRENCY})"
    rf"(?P<high>{_DIGITS})(?:\s(?P<scale>{_SCALE})\b)?(?P<percent2>\s?(?:{_PERCENT}))?(?![\w/:–—]|-\d|[.,]\d|\s?')"
)
_HYPHENED = re.compile(
    rf"{_FREE}(?P<currency>{_CURRENCY})(?:(?P<digits>{_DIGITS})|(?P<word>{_WORD}))"
    rf"(?:-(?P<scale>{_SCALE})\b|\s(?P<spaced>{_SCALE})(?=-[a-z])|(?P<percent>-(?:{_PERCENT}))|(?=-[a-z]))",
    re.IGNORECASE,
)
_JOINED = re.compile(r"-([a-z]{3,})(?![\w’'])")
_NO_NOUNS = frozenset(
    "and odd off one per plus set something strong the way fold ish half halves third thirds quarter quarters fourth "
    "fourths fifth fifths sixth sixths seventh sevenths eighth eighths ninth ninths tenth tenths first second time "
    "times year century hundredth hundredths thousandth thousandths".split()
)
"""Behind a hyphen: nothing that is counted. "Two-thirds" is a part, "the twenty-first" a rank, "a two-time champion"
one who won then, and may have won since."""


def paired(text: str) -> Iterator[tuple[Quantity, Quantity]]:
    """The two numbers of each pair with an unspaced dash between them: a range, a score, or part of a name.

    >>> [[str(q.value) for q in pair] for pair in paired("5–10 km, 1.5-2 million, on 2010-12-03, COVID-19")]
    [['5', '10'], ['1.5', '2000000']]
    """
    for match in _PAIR.finditer(text):
        cue, bound = cue_before(text, match.start())
        currency, again, scale = match["currency"].strip(), match["again"].strip(), match["scale"] or ""
        if again and again != currency:
            continue
        values = [Decimal(match[name].replace(",", "")) for name in ("low", "high")]
        decimals = [len(match[name].partition(".")[2]) for name in ("low", "high")]
        percent = bool(match["percent2"])
        low_end = match.end("percent") if match["percent"] else match.end("low")
        if match["percent"] and not percent:
            continue
        high_at = match.start("again") if again else match.start("high")
        yield (
            Quantity(match.start(), low_end, cue, values[0], bound, currency, "", percent, False, decimals[0]),
            Quantity(
                high_at, match.end(), high_at, values[1] * SCALES.get(scale, 1), "exact", currency, scale, percent,
                False, decimals[1],
            ),
        )  # fmt: skip


def hyphened(text: str) -> Iterator[Quantity]:
    """Numbers that a hyphen joins with their scale, per cent, unit, currency or what they count.

    >>> [(str(q.value), q.currency, q.percent) for q in hyphened("a $5-billion, five-year, 12-room and 20-percent plan")]
    [('5000000000', '$', False), ('5', '', False), ('12', '', False), ('20', '', True)]
    >>> list(hyphened("two-thirds of the twenty-first century, a two-time champion, a 747-400"))
    []
    """  # noqa: E501
    for match in _HYPHENED.finditer(text):
        word, scale = (match["word"] or "").lower(), (match["scale"] or match["spaced"] or "").lower()
        currency, percent, end = match["currency"], bool(match["percent"]), match.end()
        unit = None if percent or currency else find_unit(text, end)
        if unit is not None and unit.name == "second" and word in _TENS.split("|"):
            continue  # "the twenty-second amendment"
        if unit is None and not (percent or scale or currency):
            noun = _JOINED.match(text, end)
            if word in ("one", "zero") or noun is None or noun[1] in _NO_NOUNS:
                continue
        digits = (match["digits"] or "").replace(",", "")
        value = (Decimal(digits) if digits else Decimal(sum(WORDS[w] for w in word.split("-")))) * SCALES.get(scale, 1)
        cue, bound = cue_before(text, match.start())
        decimals = len(digits.partition(".")[2])
        yield Quantity(
            match.start(), end, cue, value.to_integral_value() if value == value.to_integral_value() else value, bound,
            currency.strip(), scale, percent, bool(word), decimals,
        )  # fmt: skip
