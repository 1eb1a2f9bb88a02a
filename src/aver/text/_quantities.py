"""Numbers and dates in running text: where they stand, what they are worth, and how they are bounded.

Reads plain and PTB-tokenised text alike ("$116.5 million", "$ 116.5 million", "1,200 people", "90K", "84 %",
"forty-two", "more than 12 million", "October 23 , 1959", "18 June 2001", "March 2020", "in 1987").
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Literal

__all__ = ["Bound", "Date", "Quantity", "find_dates", "find_quantities"]

Bound = Literal["exact", "above", "at least", "below", "at most", "about"]

SCALES = {
    "hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000,
    "trillion": 1_000_000_000_000, "lakh": 100_000, "crore": 10_000_000,
    "K": 1_000, "k": 1_000, "M": 1_000_000, "m": 1_000_000, "B": 1_000_000_000, "bn": 1_000_000_000,
}  # fmt: skip

WORDS = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}

CUES: dict[str, Bound] = {
    "more than": "above", "over": "above", "above": "above", "exceeding": "above", "in excess of": "above",
    "greater than": "above", "upwards of": "above", "at least": "at least", "no fewer than": "at least",
    "no less than": "at least", "fewer than": "below", "less than": "below", "under": "below", "below": "below",
    "at most": "at most", "up to": "at most", "no more than": "at most", "as many as": "at most",
    "about": "about", "around": "about", "approximately": "about", "roughly": "about", "some": "about",
    "nearly": "about", "almost": "about", "an estimated": "about", "circa": "about",
}  # fmt: skip

_CUE = "|".join(sorted(CUES, key=len, reverse=True))
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_QUANTITY = re.compile(
    rf"(?:\b(?P<cue>{_CUE})\s+)?"
    r"(?P<currency>(?:US|A|C|NZ|HK)?[$£€¥]\s?)?"
    r"(?:(?<![\w.,:/–−-])(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    rf"|\b(?P<word>(?:{_TENS})-(?:{'|'.join(list(WORDS)[1:10])})|{'|'.join(sorted(WORDS, key=len, reverse=True))})\b)"
    r"(?:(?P<glued>K|k|M|m|B|bn)\b|\s(?P<scale>hundred|thousand|million|billion|trillion|lakh|crore)\b)?"
    r"(?P<percent>\s?%|\spercent\b|\sper\scent\b)?"
    r"(?![\w/:–]|-\w|[.,]\d|\s?')",
    re.IGNORECASE,
)

MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
ODD_LETTERS = str.maketrans("ſı", "si")
"""Letters that a pattern takes for others whatever the case, and that stay themselves in lower case."""
_MONTH = "|".join(MONTHS)
_DATE = re.compile(
    rf"\b(?P<month1>{_MONTH})\s(?P<day1>\d{{1,2}})(?:st|nd|rd|th)?\s?,\s(?P<year1>[12]\d{{3}})\b"
    rf"|\b(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<month2>{_MONTH})\s?,?\s(?P<year2>[12]\d{{3}})\b"
    rf"|\b(?P<month3>{_MONTH})\s?,?\s(?:of\s)?(?P<year3>[12]\d{{3}})\b"
    r"|(?<![\w$£€.,:/–-])(?:(?<=\bin )|(?<=\bIn )|(?<=\bsince )|(?<=\bSince )|(?<=\buntil )|(?<=\bby )|(?<=\bBy )"
    r"|(?<=\bfrom )|(?<=\bFrom )|(?<=\bof )|(?<=\bbefore )|(?<=\bafter )|(?<=\bearly )|(?<=\blate )|(?<=\bduring )"
    r"|(?<=\bthe )|(?<=\bThe )|(?<=\ba )|(?<=\bborn )|(?<=\byear )|(?<=\band )|(?<=\bto )"
    r"|(?<=\bbetween )|(?<=\( )|(?<=\())"
    r"(?P<year4>1[0-9]{3}|20[0-9]{2})\b(?![\w%/:–-]|[.,]\d)"
)

_DAY = re.compile(rf"\b(?:{_MONTH}) $")
_OF_MONTH = re.compile(rf"(?:st|nd|rd|th)? (?:of )?(?:{_MONTH})\b")


@dataclasses.dataclass(frozen=True, slots=True)
class Quantity:
    """A number as written: `value` is what it is worth, `bound` how a cue word before it limits it."""

    start: int
    end: int
    """The span of the number itself, with its currency, scale and percent sign but without the cue."""
    cue_start: int
    """Where the cue word begins; equal to `start` where there is none."""
    value: Decimal
    bound: Bound
    currency: str
    scale: str
    percent: bool
    spelled: bool
    decimals: int


@dataclasses.dataclass(frozen=True, slots=True)
class Date:
    """A date as precise as it is written: a year, a month of a year, or a day."""

    start: int
    end: int
    year: int
    month: int | None = None
    day: int | None = None

    @property
    def key(self) -> tuple[int, ...]:
        """Year, month, day as far as they are known: comparable at the coarser of two granularities."""
        return tuple(part for part in (self.year, self.month, self.day) if part is not None)


def find_dates(text: str) -> Iterator[Date]:
    """The dates of a text, left to right.

    >>> [d.key for d in find_dates("born October 23 , 1959 , he left in 1980 and died on 18 June 2001")]
    [(1959, 10, 23), (1980,), (2001, 6, 18)]
    """
    for match in _DATE.finditer(text):
        found = match.groupdict()
        for form in "1234":
            if found.get(f"year{form}"):
                month = found.get(f"month{form}")
                day = found.get(f"day{form}")
                number = int(day) if day else None
                if number is not None and not 1 <= number <= 31:
                    break
                year = int(found[f"year{form}"] or 0)
                yield Date(match.start(), match.end(), year, MONTHS.index(month) + 1 if month else None, number)
                break


def find_quantities(text: str) -> Iterator[Quantity]:
    """The numbers of a text that are no dates, left to right.

    >>> [(str(q.value), q.bound) for q in find_quantities("It sold more than 1.5 million copies, 84 % of them in 1987")]
    [('1500000', 'above'), ('84', 'exact')]
    """
    text = text.translate(ODD_LETTERS)
    dates = [(date.start, date.end) for date in find_dates(text)]
    for match in _QUANTITY.finditer(text):
        start = match.start("currency") if match["currency"] else match.start("digits" if match["digits"] else "word")
        if any(left < match.end() and start < right for left, right in dates):
            continue
        if _DAY.search(text, max(0, start - 12), start) or _OF_MONTH.match(text, match.end()):
            continue  # "28 October", "November 29": a day without its year
        digits, word = match["digits"], (match["word"] or "").lower()
        scale = match["glued"] or (match["scale"] or "").lower()
        if digits:
            base = Decimal(digits.replace(",", ""))
        else:
            if word in ("one", "zero") and not scale:
                continue  # "one" is more often a pronoun than a count
            base = Decimal(sum(WORDS[part] for part in word.split("-")))
        value = base * SCALES.get(scale, SCALES.get(scale.lower(), 1)) if scale else base
        cue = (match["cue"] or "").lower()
        yield Quantity(
            start=start,
            end=match.end(),
            cue_start=match.start() if cue else start,
            value=value.to_integral_value() if value == value.to_integral_value() else value,
            bound=CUES.get(re.sub(r"\s+", " ", cue), "exact"),
            currency=(match["currency"] or "").strip(),
            scale=scale,
            percent=bool(match["percent"]),
            spelled=not digits,
            decimals=len(digits.partition(".")[2]) if digits else 0,
        )
