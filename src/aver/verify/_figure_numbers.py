"""The numbers of a text as figures: with units and currencies, bounds, number words, shares, "between 5 and 10 km"."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from aver.text import Bound, Quantity, find_quantities, find_unit
from aver.text._quantities import CUES
from aver.verify._figure import BETWEEN, NEAR, Figure, Range, is_negated
from aver.verify._numbered import numbered_subject

__all__ = ["find_number_figures"]

# Cues that stand further from the number, or are said of ratings and sizes: find_quantities reads the common ones.
_THAN = re.compile(
    r"\b(?P<least>(?:no|not)\s+(?:less|fewer|lower|smaller|earlier)\s+than|(?:a\s+|the\s+)?minimum(?:\s+of)?|at\s+least"
    r"|as\s+few\s+as)\s+(?:[^\w\s]\s*)?$"
    r"|\b(?P<most>(?:no|not)\s+(?:more|over|higher|greater|larger|later)(?:\s+than)?|(?:a\s+|the\s+)?maximum(?:\s+of)?"
    r"|at\s+most|as\s+m(?:uch|any)\s+as|up\s+to)\s+(?:[^\w\s]\s*)?$"
    r"|\b(?P<nearly>nearly|almost|close\s+to|just\s+(?:under|below|short\s+of))\s+(?:[^\w\s]\s*)?$"
    r"|\b(?:(?P<above>more|higher|greater|larger|bigger|longer|better|later|older)"
    r"|(?P<below>less|fewer|lower|smaller|shorter|worse|younger))"
    r"\s+than(?:\s+(?:of|a|US|the))*\s*(?:[^\w\s]|US|Rs\.?)?\s*$"
    r"|\b(?P<passed>surpass(?:ed|es|ing)?|exceed(?:ed|s)?|topped)\s+(?:[^\w\s]\s*)?$",
    re.IGNORECASE,
)
_CUE = re.compile(rf"\b({'|'.join(sorted(CUES, key=len, reverse=True))})\s+$", re.IGNORECASE)
_OR_MORE = re.compile(
    r"(?:\s+[a-z]+)?\s+or\s+(?:(more|above|over|longer|higher)|(less|fewer|below|under|shorter|lower))\b"
)

_ONES = "one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORTH = (
    {word: n for n, word in enumerate(_ONES + _TEENS, 1)}
    | {word: 10 * n for n, word in enumerate(_TENS, 2)}
    | {"a": 1, "an": 1, "dozen": 12, "hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 10**9}
)
_BIG = "hundred|thousand|million|billion"
_SCALE = re.compile(r"\b(thousand|million|billion)\b", re.IGNORECASE)
_NUMBER_WORD = "|".join([*_ONES, *_TEENS, *_TENS])
_TWO_WORDS = f"(?:{'|'.join(_TENS)})[ -](?:{'|'.join(_ONES)})"
_COMPOUND = re.compile(
    rf"\b(?:(?:a|{_NUMBER_WORD})(?:[\s-](?:and\s)?(?:{_NUMBER_WORD}|{_BIG}))+|an?\s(?:dozen|{_BIG}))\b"
    r"|(?<![\w.,:/–−-])\d{1,3}(?:[ \u00a0\u202f]\d{3}| , 000)+(?![\w/:–]|[.,]\d)",
    re.IGNORECASE,
)
_ONE = re.compile(r"\b(?:one|an?)\b", re.IGNORECASE)
"""By itself more often no number; with a measure and a smaller one behind it, "a year and six months", it is."""
_MINUS = re.compile(r"(?<![\w.,:/–−-])(?:[−–-]|minus\s)(\d+(?:\.\d+)?)", re.IGNORECASE)
"""Below zero; of anything but temperatures a dash before a number is more often one of a range or a score."""
_EITHER = re.compile(r"\b\d{1,3}(?:\.000)+\b")
_GLUED = re.compile(r"(?<![\w.,:/–−-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?=-?[a-zA-Z])")
_SHARES = {
    "half": Decimal(50),
    "third": Decimal(100) / 3,
    "quarter": Decimal(25),
    "fifth": Decimal(20),
    "tenth": Decimal(10),
}
_SHARE = re.compile(
    r"\b(?:(?P<count>one|two|three|four|an?)[\s-](?P<part>half|third|quarter|fifth|tenth)s?"
    r"|(?<!first )(?<!second )(?<!other )(?<!latter )(?P<half>half))(?=\sof\b)",
    re.IGNORECASE,
)
_CURRENCIES = {
    "dollar": "$", "dollars": "$", "euro": "€", "euros": "€", "pounds sterling": "£", "yen": "¥", "usd": "$",
    "eur": "€", "gbp": "£", "jpy": "¥", "chf": "CHF", "swiss francs": "CHF",
}  # fmt: skip
_CODES = "USD|EUR|GBP|JPY|CHF"
_CURRENCY = re.compile(rf"\s(?:(?:US\s|U\.S\.\s)?((?i:dollars?|euros?|pounds sterling|yen|swiss francs))|({_CODES}))\b")
_CODE_BEFORE = re.compile(rf"\b({_CODES})\s?$")
_PER = re.compile(
    r"(?:\s[^\W\d_]+)?(?:/|\s(?:per|an?|each|every)\s)(second|minute|hour|day|week|month|quarter|year)\b"
    r"(?!\s(?:ago|earlier|before|later|after|prior|previously|old)\b)"
    r"|(?:\s[^\W\d_]+)?\s(hourly|daily|weekly|monthly|quarterly|yearly|annually)\b",
    re.IGNORECASE,
)
_ADVERBS = {"daily": "day", "annually": "year"}
_COUNTED = re.compile(r"[\s-]*(?:of\s+)?(?:the\s+)?([^\W\d_]{2,})")
_MEASURED = re.compile(
    r"\b([^\W\d_]{3,})\s+(?:of|is|was|at|to|totall?ed|reached|stood\s+at)\s+(?:\w+\s+){0,2}?$", re.IGNORECASE
)
_EMPTY_UNITS = frozenset(
    "and or in of to by on at for as from with the an is was were are than that which who more less per over under "
    "between during after before while when where since until but".split()
)
_SMALLER = {
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
_REST = {
    name: re.compile(rf",?\s?(?:and\s)?(\d{{1,4}}|{_TWO_WORDS}|{_NUMBER_WORD})[\s-]?(?:{names})\b", re.IGNORECASE)
    for name, _, names in _SMALLER.values()
}
_ABOUT = Decimal("0.1")
_ROUND = 3
"""From so many trailing zeros on (or with a word such as million) a number is taken to be rounded."""


def find_number_figures(text: str, taken: Sequence[Figure]) -> Iterator[Figure]:
    """The numbers that are no part of the figures `taken` already, left to right."""
    named = numbered_subject(text)
    held = [(f.start, f.end) for f in taken] + ([named.span] if named is not None else [])
    # 600.000 may be six hundred, or thousands of them
    held += [match.span() for match in _EITHER.finditer(text)]
    free = [q for q in _quantities(text) if not any(start < q.end and q.start < end for start, end in held)]
    figures = [_quantity(text, quantity) for quantity in free]
    # the inches of "6 feet 2 inches" are no figure by themselves
    whole = [f for f in figures if not any(o is not f and o.start <= f.start and f.end <= o.end for o in figures)]
    return _ranges(text, whole)


def _quantities(text: str) -> Iterator[Quantity]:
    """The numbers of a text; those of several words, or of several groups of digits, are one."""
    compounds = [match for match in _COMPOUND.finditer(text) if _worth(match[0]) is not None]
    for match in compounds:
        value = _worth(match[0])
        assert value is not None
        last = match[0].split()[-1].lower()
        scale = last if last in ("thousand", "million", "billion") else ""
        spelled = not match[0][0].isdigit()
        start, bound = _cue(text, match.start())
        yield Quantity(match.start(), match.end(), start, value, bound, "", scale, False, spelled, 0)
    taken = [(match.start(), match.end()) for match in compounds]
    for match in _SHARE.finditer(text):
        value = _WORTH[(match["count"] or "a").lower()] * _SHARES[(match["part"] or "half").lower()]
        taken.append((match.start(), match.end()))
        start, bound = _cue(text, match.start())
        yield Quantity(match.start(), match.end(), start, value, bound, "", "", True, True, 0)
    for match in _MINUS.finditer(text):
        unit = find_unit(text, match.end())
        if unit is not None and unit.dimension == "temperature":
            taken.append((match.start(), match.end()))
            start, bound = _cue(text, match.start())
            decimals = len(match[1].partition(".")[2])
            yield Quantity(match.start(), match.end(), start, -Decimal(match[1]), bound, "", "", False, False, decimals)
    for quantity in find_quantities(text):
        if not any(start < quantity.end and quantity.start < end for start, end in taken):
            taken.append((quantity.start, quantity.end))
            yield quantity
    for match in _ONE.finditer(text):
        unit = find_unit(text, match.end())
        if unit is not None and unit.name in _SMALLER and _REST[_SMALLER[unit.name][0]].match(text, unit.end):
            start, bound = _cue(text, match.start())
            yield Quantity(match.start(), match.end(), start, Decimal(1), bound, "", "", False, True, 0)
    for match in _GLUED.finditer(text):
        start, end = match.span()
        if find_unit(text, end) is not None and not any(a < end and start < b for a, b in taken):
            value = Decimal(match[0].replace(",", ""))
            yield Quantity(start, end, start, value, "exact", "", "", False, False, len(match[0].partition(".")[2]))


def _cue(text: str, start: int) -> tuple[int, Bound]:
    """Where the word before a number that bounds it begins, and how it does."""
    cue = _CUE.search(text, max(0, start - NEAR), start)
    return (start, "exact") if cue is None else (cue.start(), CUES[re.sub(r"\s+", " ", cue[1].lower())])


def _worth(words: str) -> Decimal | None:
    """What a number of several words is worth; None where they are several numbers.

    >>> [str(_worth(w)) for w in ("twenty five", "one hundred and five", "two thousand three hundred", "90 000", "six ten")]
    ['25', '105', '2300', '90000', 'None']
    """  # noqa: E501
    if words[0].isdigit():
        return Decimal(re.sub(r"\D", "", words))
    total = part = 0
    last = 10**12
    for word in re.split(r"[\s-]+", words.lower()):
        if word == "and":
            continue
        worth = _WORTH[word]
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


def _quantity(text: str, quantity: Quantity) -> Figure:
    code = _CODE_BEFORE.search(text, max(0, quantity.start - 4), quantity.start)
    if code is not None:
        cue, said = _cue(text, code.start())
        quantity = dataclasses.replace(quantity, start=code.start(), cue_start=cue, bound=said)
    value = quantity.value
    bound, cue = _bound(text, quantity)
    unit = find_unit(text, quantity.end, quantity.start) if not (quantity.currency or quantity.percent) else None
    end = unit.end if unit is not None else quantity.end
    part = Decimal(1)
    smaller = _SMALLER.get(unit.name) if unit is not None else None
    while smaller is not None:
        rest = _REST[smaller[0]].match(text, end)
        if rest is None:
            break
        part /= smaller[1]
        value, end = value + part * (_worth(rest[1]) or Decimal(0)), rest.end()
        smaller = _SMALLER.get(smaller[0])
    money = _CURRENCY.match(text, quantity.end) if not (quantity.currency or quantity.percent) else None
    if unit is not None:
        family, name = unit.dimension, unit.name
    elif quantity.currency or money or (code and not quantity.percent):
        spelled = (money[1] or money[2]) if money else code[1] if code else ""
        family = _CURRENCIES[spelled.lower()] if spelled else re.sub(r"^US", "", quantity.currency.strip())
        name, end = "", money.end() if money else end
    elif quantity.percent:
        family, name = "per cent", ""
    else:
        family, name = "number", _counted(text, quantity.end, cue)
    step = _step(quantity) if part == 1 else part
    worth = _scale(quantity) * Decimal(10) ** -quantity.decimals * part
    exact = Range(value, value)
    rounded = Range(value - step / 2, value + step / 2, open_high=True)
    fine = Range(value - worth / 2, value + worth / 2, open_high=True)
    is_round = bool(quantity.scale) or step >= 10**_ROUND
    tenth = abs(value) * _ABOUT
    near = Range(value - tenth, value + tenth)
    match bound:
        case "above":
            ranges = (Range(value, None, open_low=True),) * 2 + (Range(value, None),)
        case "at least":
            ranges = (Range(value, None),) * 3
        case "below":
            ranges = (Range(None, value, open_high=True),) * 2 + (Range(None, value),)
        case "at most":
            ranges = (Range(None, value),) * 3
        case "nearly":
            ranges = (Range(value - tenth, value, open_high=True),) * 2 + (near,)
        case "about":
            ranges = (near,) * 3
        case _:
            ranges = (exact, rounded if is_round else exact, rounded)
    if quantity.percent and quantity.spelled and bound == "exact":
        ranges = (Range(value - 1, value + 1),) * 3
    if bound != "exact":
        fine = ranges[0]
    if unit is not None:
        ranges = tuple(r.converted(unit.factor, unit.offset) for r in ranges)  # type: ignore[assignment]
        fine = fine.converted(unit.factor, unit.offset)
    written = " ".join(text[cue:end].split())
    negated = is_negated(text, cue)
    return Figure(
        written,
        cue,
        end,
        family,
        name,
        *ranges,
        fine,
        quantity.decimals,
        bound == "exact",
        negated,
        quantity.value,
        _per(text, end),
    )


def _per(text: str, end: int) -> str:
    """The time that a rate is of, which is said behind its number."""
    match = _PER.match(text, end)
    if match is None:
        return ""
    word = (match[1] or match[2]).lower()
    return word if match[1] else _ADVERBS.get(word, word.removesuffix("ly"))


def _ranges(text: str, figures: Sequence[Figure]) -> Iterator[Figure]:
    """The same figures; "between 5 and 10 km" is one."""
    ordered = sorted(figures, key=lambda figure: figure.start)
    at = 0
    while at < len(ordered):
        figure = ordered[at]
        opened = BETWEEN.search(text, max(0, figure.start - NEAR), figure.start)
        following = ordered[at + 1] if at + 1 < len(ordered) else None
        if opened and following is not None and text[figure.end : following.start].strip() == "and":
            low, high = figure.said.low, following.said.high
            if figure.family == "number" and following.unit and following.family != "number" and low is not None:
                unit = find_unit(text, _number_end(text, following))
                low = low * unit.factor + unit.offset if unit is not None else low
            scale = _SCALE.search(following.text)
            if low is not None and high is not None and scale and not _SCALE.search(figure.text) and low * 1000 < high:
                low *= _WORTH[scale[1].lower()]
            span = Range(low, high)
            yield dataclasses.replace(
                following, text=text[opened.start() : following.end], start=opened.start(), said=span, meant=span,
                loose=span, fine=span, exact=False, negated=is_negated(text, opened.start()), value=None,
            )  # fmt: skip
            at += 2
            continue
        yield figure
        at += 1


def _number_end(text: str, figure: Figure) -> int:
    return next(q.end for q in _quantities(text) if figure.start <= q.start < figure.end)


def _bound(text: str, quantity: Quantity) -> tuple[str, int]:
    """The quantity's bound, and where the words that say it begin."""
    match = _THAN.search(text, max(0, quantity.cue_start - NEAR), quantity.start)
    if match is not None:
        names = {
            "above": "above", "passed": "above", "below": "below", "least": "at least", "most": "at most",
            "nearly": "nearly",
        }  # fmt: skip
        return next(names[name] for name, found in match.groupdict().items() if found), match.start()
    if quantity.bound != "exact":
        return quantity.bound, quantity.cue_start
    behind = find_unit(text, quantity.end)
    more = _OR_MORE.match(text, behind.end if behind is not None else quantity.end)
    if more is not None:
        return "at least" if more[1] else "at most", quantity.cue_start
    return "exact", quantity.cue_start


def _scale(quantity: Quantity) -> Decimal:
    return Decimal(_WORTH.get(quantity.scale.lower(), 1)) if quantity.decimals else Decimal(1)


def _step(quantity: Quantity) -> Decimal:
    """The worth of the last digit that is not nought: 100 for 1,200, a tenth of a million for 1.2 million."""
    value = quantity.value.normalize()
    exponent = value.as_tuple().exponent
    step = Decimal(10) ** (exponent if isinstance(exponent, int) else 0)
    if quantity.scale and quantity.decimals:
        return min(step, abs(quantity.value))
    return step


def _counted(text: str, end: int, cue: int) -> str:
    """What is counted: the first word behind the number, without its ending; else what it is the number of."""
    match = _COUNTED.match(text, end)
    word = match[1].casefold() if match is not None else ""
    if word and word not in _EMPTY_UNITS:
        return word[:5].rstrip("s")
    before = _MEASURED.search(text, max(0, cue - NEAR), cue)
    return f"{before[1].casefold()} of" if before is not None and before[1].casefold() not in _EMPTY_UNITS else ""
