"""The numbers of a text as figures: with units and currencies, bounds, rates, "between 5 and 10 km"."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from aver.text import Quantity, find_unit
from aver.verify._figure import BETWEEN, NEAR, Figure, Range, cue_before, is_negated
from aver.verify._figure_counted import counted
from aver.verify._figure_hyphens import paired
from aver.verify._figure_quantities import AND_A_HALF, BIG, REST, SMALLER, WORTH, quantities, worth_of
from aver.verify._numbered import numbered_subject

__all__ = ["find_number_figures"]

# Cues that stand further from the number, or are said of ratings and sizes: find_quantities reads the common ones.
_THAN = re.compile(
    r"\b(?P<least>(?:no|not)\s+(?:less|fewer|lower|smaller|earlier)\s+than|(?:a\s+|the\s+)?minimum(?:\s+of)?|at\s+least"
    r"|as\s+few\s+as)\s+(?:[^\w\s]\s*)?$"
    r"|\b(?P<most>(?:no|not)\s+(?:more|over|higher|greater|larger|later)(?:\s+than)?|(?:a\s+|the\s+)?maximum(?:\s+of)?"
    r"|at\s+most|as\s+m(?:uch|any)\s+as|up\s+to)\s+(?:[^\w\s]\s*)?$"
    r"|\b(?P<nearly>nearly|almost|close\s+to|just\s+(?:under|below|short\s+of))\s+(?:[^\w\s]\s*)?$"
    r"|\b(?:(?P<above>more|higher|greater|larger|bigger|longer|better|later|older|taller|deeper|wider|broader|thicker"
    r"|heavier|faster|further|farther|hotter|warmer|stronger|dearer)"
    r"|(?P<below>less|fewer|lower|smaller|shorter|worse|younger|narrower|thinner|lighter|slower|cooler|colder|cheaper"
    r"|nearer|closer|weaker))"
    r"\s+than(?:\s+(?:of|a|US|the))*\s*(?:[^\w\s]|US|Rs\.?)?\s*$"
    r"|\b(?P<passed>surpass(?:ed|es|ing)?|exceed(?:ed|s)?|topped)\s+(?:[^\w\s]\s*)?$",
    re.IGNORECASE,
)
_OR_MORE = re.compile(
    r"(?:\s+[a-z]+)?\s+or\s+(?:(more|above|over|longer|higher)|(less|fewer|below|under|shorter|lower))\b"
)
_SCALE = re.compile(r"\b(thousand|million|billion)\b", re.IGNORECASE)
_EITHER = re.compile(
    rf"\b[1-9]\d{{0,2}}(?:\.\d{{3}})+\b(?!\s?(?:%|{BIG}|per ?cent))|\bminus\s[\d.]+\s?(?:%|per ?cent)"
    r"|\b\d{1,2}\s?h\s?\d{1,2}\s?m?\b(?!\s?min)|±\s?[\d.]+"
)
"""Thousands or thousandths; less by so much, or that much below nothing; "2 h 15", a time or how long."""
_BELOW_ZERO = re.compile(r"\sbelow\szero\b", re.IGNORECASE)
_SIGN_BOUNDS = {">": "above", "<": "below", "≥": "at least", "≤": "at most", "~": "about", "≈": "about"}
_SIGN_BEFORE = re.compile(r"([><≥≤~≈])\s?$")
_BARE_INCHES = re.compile(r"(?:\s(?=\d+(?:\stall\b|[.,;)]|$))|-)(\d|1[01])(?![\d-])")
_WAY = re.compile(r"\b(by|to)\s$", re.IGNORECASE)
_JOINS = ("to", "or", "-", "–", "—")
_ABOUT_CUE = re.compile(r"about|around|approximately|roughly|some\b|an\sestimated|circa|[~≈]", re.IGNORECASE)
"""Before a range, which says no more than the range alone: "about 10 to 15"."""
_FROM = re.compile(r"(?:\bfrom\s)?$", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:r[oi]se[ns]?|fell|fall(?:s|en)?|grew|grown|increas\w+|decreas\w+|drop\w*|went|cut|rais\w+|lower\w*|reduc\w+"
    r"|climb\w*|jump\w*|slip\w*|expand\w*|shr[aiu]nk|chang\w+|up|down|mov\w+|vot\w+|votes?|won|lost|beat|win|defeat\w*"
    r"|score\w*|approved|rejected|passed)\b[^.;]*$",
    re.IGNORECASE,
)
_CURRENCIES = {
    "dollar": "$", "dollars": "$", "euro": "€", "euros": "€", "pounds sterling": "£", "yen": "¥", "usd": "$",
    "eur": "€", "gbp": "£", "jpy": "¥", "chf": "CHF", "swiss francs": "CHF", "quid": "£", "bucks": "$",
}  # fmt: skip
_CODES = "USD|EUR|GBP|JPY|CHF"
_CURRENCY = re.compile(
    rf"[\s-](?:(?:US\s|U\.S\.\s)?((?i:dollars?|euros?|pounds sterling|yen|swiss francs|quid|bucks))|({_CODES}))\b"
    r"|\s?([€£¥])"
)
_CODE_BEFORE = re.compile(rf"\b({_CODES})\s?$")
_PER = re.compile(
    r"(?:\s[^\W\d_]+)?(?:/|\s(?:per|an?|each|every)\s)(second|minute|hour|day|week|month|quarter|year)\b"
    r"(?!\s(?:ago|earlier|before|later|after|prior|previously|old)\b)"
    r"|(?:\s[^\W\d_]+)?\s(hourly|daily|weekly|monthly|quarterly|yearly|annually)\b",
    re.IGNORECASE,
)
_ADVERBS = {"daily": "day", "annually": "year"}
_ABOUT = Decimal("0.1")
_ROUNDED = Decimal("0.05")
"""How far from a round number it may be said of."""
_ROUND = 3
"""From so many trailing zeros on (or with a word such as million) a number is taken to be rounded."""


def find_number_figures(text: str, taken: Sequence[Figure]) -> Iterator[Figure]:
    """The numbers that are no part of the figures `taken` already, left to right."""
    named = numbered_subject(text)
    held = [(f.start, f.end) for f in taken] + ([named.span] if named is not None else [])
    held += [match.span() for match in _EITHER.finditer(text)]
    pairs = [(low, high) for low, high in paired(text) if not any(a < high.end and low.start < b for a, b in held)]
    ranges = [range_ for low, high in pairs if (range_ := _dashed(text, low, high)) is not None]
    held += [(low.start, high.end) for low, high in pairs]
    free = [q for q in quantities(text) if not any(start < q.end and q.start < end for start, end in held)]
    figures = [*(_quantity(text, quantity) for quantity in free), *ranges]
    # the inches of "6 feet 2 inches" are no figure by themselves
    whole = [f for f in figures if not any(o is not f and o.start <= f.start and f.end <= o.end for o in figures)]
    return _ranges(text, whole, free)


def _quantity(text: str, quantity: Quantity, first: int | None = None) -> Figure:
    """A number with what stands around it; `first` is where the range begins that it ends."""
    code = _CODE_BEFORE.search(text, max(0, quantity.start - 4), quantity.start)
    if code is not None:
        cue, said = cue_before(text, code.start())
        quantity = dataclasses.replace(quantity, start=code.start(), cue_start=cue, bound=said)
    value = quantity.value
    bound, cue = _bound(text, quantity)
    begin = quantity.start if first is None else first
    unit = find_unit(text, quantity.end, begin) if not (quantity.currency or quantity.percent) else None
    end = unit.end if unit is not None else quantity.end
    part = Decimal(1)
    if unit is not None and unit.dimension == "temperature" and (below := _BELOW_ZERO.match(text, end)):
        value, end = -value, below.end()
    smaller = SMALLER.get(unit.name) if unit is not None else None
    while smaller is not None:
        rest = REST[smaller[0]].match(text, end) or (smaller[0] == "inch" and _BARE_INCHES.match(text, end)) or None
        if rest is None:
            more = AND_A_HALF.match(text, end)
            if more is not None:
                value, end, part = value + part / 2, more.end(), part / 2
            break
        part /= smaller[1]
        value, end = value + part * (worth_of(rest[1]) or Decimal(0)), rest.end()
        smaller = SMALLER.get(smaller[0])
    money = _CURRENCY.match(text, quantity.end) if not (quantity.currency or quantity.percent) else None
    if unit is not None:
        family, name = unit.dimension, unit.name
    elif quantity.currency or money or (code and not quantity.percent):
        spelled = (money[1] or money[2] or money[3]) if money else code[1] if code else ""
        family = _CURRENCIES.get(spelled.lower(), spelled) if spelled else re.sub(r"^US", "", quantity.currency.strip())
        name, end = "", money.end() if money else end
    elif quantity.percent:
        family, name = "per cent", ""
    else:
        family, name = "number", counted(text, quantity.end, cue)
    step = _step(quantity) if part == 1 else part
    worth = _scale(quantity) * Decimal(10) ** -quantity.decimals * part
    exact = Range(value, value)
    # who says a thousand may mean 980, hardly 600
    half = min(step / 2, abs(value) * _ROUNDED)
    meant = Range(value - half, value + half, open_high=half == step / 2)
    fine = Range(value - worth / 2, value + worth / 2, open_high=True)
    is_round = bool(quantity.scale) or step >= 10**_ROUND
    tenth = abs(value) * _ABOUT
    near, fifth = Range(value - tenth, value + tenth), Range(value - 2 * tenth, value + 2 * tenth)
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
            ranges = (Range(value - tenth, value, open_high=True),) * 2 + (fifth,)
        case "about":
            ranges = (near, near, fifth)
        case _:
            wide = max(step / 2, abs(value) * _ROUNDED) if is_round else step / 2
            ranges = (exact, meant if is_round else exact, Range(value - wide, value + wide, open_high=True))
    if quantity.percent and quantity.spelled and bound == "exact":
        ranges = (Range(value - 1, value + 1),) * 2 + (Range(value - 5, value + 5),)
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
        way=way[1].lower() if (way := _WAY.search(text, max(0, cue - 4), cue)) else "",
    )


def _per(text: str, end: int) -> str:
    """The time that a rate is of, which is said behind its number."""
    match = _PER.match(text, end)
    if match is None:
        return ""
    word = (match[1] or match[2]).lower()
    return word if match[1] else _ADVERBS.get(word, word.removesuffix("ly"))


def _ranges(text: str, figures: Sequence[Figure], found: Sequence[Quantity]) -> Iterator[Figure]:
    """The same figures; "between 5 and 10 km" is one."""
    ordered = sorted(figures, key=lambda figure: figure.start)
    at = 0
    while at < len(ordered):
        figure = ordered[at]
        opened = BETWEEN.search(text, max(0, figure.start - NEAR), figure.start)
        following = ordered[at + 1] if at + 1 < len(ordered) else None
        joined = text[figure.end : following.start].strip() if following is not None else ""
        if not opened and joined in _JOINS and following is not None and _one_range(text, figure, following):
            opened, joined = _FROM.search(text, max(0, figure.start - 6), figure.start), "and"
        if opened and following is not None and joined in ("and", *_JOINS):
            number_end = next((q.end for q in found if following.start <= q.start < following.end), following.end)
            yield _joined(text, opened.start(), figure, following, number_end)
            at += 2
            continue
        yield figure
        at += 1


def _joined(text: str, start: int, low_end: Figure, high_end: Figure, number_end: int) -> Figure:
    """All that lies between two figures; a unit or scale that only the second has is the first's too."""
    low, high = low_end.said.low, high_end.said.high
    if low is not None and low_end.said.high is not None:
        low = (low + low_end.said.high) / 2  # of "about 10 to 15" the about says nothing more
    if low_end.family == "number" and high_end.unit and high_end.family != "number" and low is not None:
        unit = find_unit(text, number_end)
        low = low * unit.factor + unit.offset if unit is not None else low
    scale = _SCALE.search(high_end.text)
    if low is not None and high is not None and scale and not _SCALE.search(low_end.text) and low * 1000 < high:
        low *= WORTH[scale[1].lower()]
    span = Range(low, high)
    return dataclasses.replace(
        high_end, text=text[start : high_end.end], start=start, said=span, meant=span, loose=span, fine=span,
        exact=False, negated=is_negated(text, start), value=None, way=low_end.way, ranges=True,
    )  # fmt: skip


def _dashed(text: str, low: Quantity, high: Quantity) -> Figure | None:
    """The range that two numbers with a dash between them are; None where it may be a score, or part of a name."""
    ends = _quantity(text, low), _quantity(text, high, low.start)
    if not _one_range(text, *ends):
        return None
    # "5–7 members", but "a 2–3 defeat", "a record of 3–5"
    singular = re.match(rf"(?:\W+\w+)?\W+{re.escape(ends[1].unit)}\b", text[high.end :], re.IGNORECASE)
    if ends[1].family == "number" and not high.scale and (singular or ends[1].unit.endswith(" of")):
        return None
    return _joined(text, ends[0].start, *ends, high.end)


def _one_range(text: str, low: Figure, high: Figure) -> bool:
    """ "5 to 7 members": one number that lies between, and not a change from the one to the other, or a score."""
    about = _ABOUT_CUE.match(low.text) is not None
    if not ((low.exact or about) and high.exact) or low.value is None or high.value is None:
        return False
    if low.family not in (high.family, "number") or low.value >= high.value:
        return False
    if low.unit not in ("", high.unit) and not low.unit.endswith(" of"):
        return False
    if high.family == "number" and not high.unit:
        return False
    return _CHANGE.search(text, max(0, low.start - NEAR), low.start) is None


def _bound(text: str, quantity: Quantity) -> tuple[str, int]:
    """The quantity's bound, and where the words that say it begin."""
    sign = _SIGN_BEFORE.search(text, max(0, quantity.start - 2), quantity.start)
    if sign is not None:
        return _SIGN_BOUNDS[sign[1]], sign.start()
    if text[quantity.end : quantity.end + 1] == "+":
        return "at least", quantity.cue_start
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
    return Decimal(WORTH.get(quantity.scale.lower(), 1)) if quantity.decimals else Decimal(1)


def _step(quantity: Quantity) -> Decimal:
    """The worth of the last digit that is not nought: 100 for 1,200, a tenth of a million for 1.2 million."""
    value = quantity.value.normalize()
    exponent = value.as_tuple().exponent
    step = Decimal(10) ** (exponent if isinstance(exponent, int) else 0)
    if quantity.scale and quantity.decimals:
        return min(step, abs(quantity.value))
    return step
