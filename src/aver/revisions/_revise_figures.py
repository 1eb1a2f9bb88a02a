"""Numbers, dates and ranks of a sentence that conflict with those of a claim, and what to write instead.

A claim says "more than 346 reviews" and the sentence says 344: the smallest number that satisfies the claim is 347, and
it is written as the sentence writes its numbers. Nothing here asks a judge; the arithmetic is exact.
"""

from __future__ import annotations

import dataclasses
import datetime
import itertools
import re
from collections.abc import Mapping
from decimal import Decimal

from aver.revisions._fact_numbers import CONVERTED, OTHER_MONEY, UNIT, _like, _scale
from aver.revisions._lexicon import ORDINALS
from aver.revisions._revise_change import Change
from aver.revisions._times import find_times, time_like
from aver.text import Bound, Date, Quantity, find_dates, find_quantities, words
from aver.text._quantities import MONTHS, WORDS

__all__ = ["Figure", "figure_changes", "figures", "in_parts"]

MOST_JOINT = 6
"""Ways to pair the claim's figures with the sentence's that are tried as a whole."""

Value = Decimal | tuple[int, ...]

_WHEN: dict[str, Bound] = {
    "before": "below", "prior to": "below", "earlier than": "below", "until": "at most", "by": "at most",
    "after": "above", "later than": "above", "since": "at least", "from": "at least", "past": "above",
}  # fmt: skip
_WHEN_CUE = re.compile(rf"\b({'|'.join(_WHEN)})\s(?:early |late |mid-|the |year )*$", re.IGNORECASE)
_MONTH = "|".join(MONTHS)
_DAY = re.compile(
    rf"\b(?P<m1>{_MONTH})\s(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\b|\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m2>{_MONTH})\b"
)
_RATING = re.compile(r"(?<![\w/])(\d+(?:\.\d+)?)(\s?/\s?)(5|10|100)(?![\w/])")
_RANK = re.compile(r"\b(?:(\d{1,4})(?:st|nd|rd|th)|(" + "|".join(ORDINALS) + r"))\b", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\w$£€.,:/–-])(1[0-9]{3}|20[0-9]{2})(?![\w%:–-]|[.,]\d)")
_CUE = re.compile(
    r"\b(more than|over|above|(?:great|high|larg)er than|at least|less than|fewer than|(?:low|small)er than|under|"
    r"below|at most|up to|about|around|approximately|roughly|nearly|almost)\s+$",
    re.IGNORECASE,
)
_BOUNDS: dict[str, Bound] = {
    "more than": "above", "over": "above", "above": "above", "greater than": "above", "higher than": "above",
    "larger than": "above", "at least": "at least", "less than": "below", "fewer than": "below", "lower than": "below",
    "smaller than": "below", "under": "below", "below": "below", "at most": "at most",
    "up to": "at most", "about": "about", "around": "about", "approximately": "about", "roughly": "about",
    "nearly": "about", "almost": "about",
}  # fmt: skip
_NEAR = 4


@dataclasses.dataclass(frozen=True, slots=True)
class Figure:
    """A number, a date, a rank or a rating, and how a word before it bounds it."""

    start: int
    end: int
    cue_start: int
    family: str
    """Like is compared with like: `money`, `per cent`, `number`, `date`, `day`, `clock`, `rank`, `out of 10` …"""
    value: Value
    bound: Bound
    near: frozenset[str]
    """The words around it."""
    form: Quantity | Date | None = None


def figures(text: str) -> list[Figure]:
    """The figures of a text, left to right.

    >>> [(f.family, str(f.value), f.bound) for f in figures("The 2nd of more than 346 reviews gave 7/10 .")]
    [('rank', '2', 'exact'), ('number', '346', 'above'), ('out of 10', '7', 'exact')]
    """
    found: list[Figure] = []
    tokens = words(text)

    def near(start: int, end: int) -> frozenset[str]:
        at = [i for i, w in enumerate(tokens) if w.end > start and w.start < end]
        if not at:
            return frozenset()
        around = tokens[max(0, at[0] - _NEAR) : at[0]] + tokens[at[-1] + 1 : at[-1] + 1 + _NEAR]
        return frozenset(w.text.lower().rstrip("s")[:6] for w in around if len(w.text) > 2)

    def free(start: int, end: int) -> bool:
        return not any(f.start < end and start < f.end for f in found)

    def add(start: int, end: int, family: str, value: Value, form: Quantity | Date | None = None) -> None:
        if not free(start, end):
            return
        cue = start
        bound: Bound = "exact"
        pattern, meant = (_WHEN_CUE, _WHEN) if family in ("date", "day", "clock") else (_CUE, _BOUNDS)
        if match := pattern.search(text[:start]):
            cue = match.start()
            bound = meant.get(match[1].lower(), "exact")
        if isinstance(form, Quantity) and form.bound != "exact":
            cue, bound = form.cue_start, form.bound
        found.append(Figure(start, end, cue, family, value, bound, near(start, end), form))

    for time in find_times(text):
        add(time.start, time.end, "clock", Decimal(time.minutes))
    for date in find_dates(text):
        add(date.start, date.end, "date", date.key, date)
    for match in _DAY.finditer(text):
        month, day = match["m1"] or match["m2"], match["d1"] or match["d2"]
        add(match.start(), match.end(), "day", (MONTHS.index(month) + 1, int(day)))
    for match in _RATING.finditer(text):
        add(match.start(), match.end(1), f"out of {match[3]}", Decimal(match[1]))
    for q in find_quantities(text):
        plain = text[q.start : q.end]
        if re.fullmatch(r"1[89]\d\d|20[0-3]\d", plain) and q.bound == "exact":
            add(q.start, q.end, "date", (int(plain),), Date(q.start, q.end, int(plain)))
            continue
        family = "money" if q.currency else "per cent" if q.percent else "number"
        add(q.start, q.end, family, q.value, q)
    for match in _YEAR.finditer(text):
        add(match.start(), match.end(), "date", (int(match[1]),), Date(match.start(), match.end(), int(match[1])))
    for match in _RANK.finditer(text):
        rank = int(match[1]) if match[1] else ORDINALS.index(match[2].lower()) + 1
        add(match.start(), match.end(), "rank", Decimal(rank))
    return sorted(found, key=lambda f: f.start)


def figure_changes(sentence: str, claim: str, weight: Mapping[int, float]) -> list[tuple[Change, ...]]:
    """Edits of figures that make the sentence satisfy the claim's: all at once first, then each alone.

    `weight` says, by character position, how much a place of the sentence decides.

    >>> edits = figure_changes("It scored 83 % in 344 reviews .", "It had more than 346 reviews .", {})
    >>> [(change.old, change.new) for change in edits[0]]
    [('344', '347')]
    """
    theirs, ours = figures(claim), figures(sentence)
    options: list[list[tuple[float, Change]]] = []
    for figure in theirs:
        rows: list[tuple[float, Change]] = []
        settled = 0.0
        for other in ours:
            values = _comparable(other, figure)
            if values is None:
                continue
            fit = _fit(other, figure, weight)
            if _satisfied(other, figure, *values):
                settled = max(settled, fit)
                continue
            new = _written(sentence, other, figure)
            if new is not None and new.text != sentence[new.start : new.end]:
                change = Change(new.start, new.end, sentence[new.start : new.end], new.text, "figure", fit)
                rows.append((fit, change))
        rows.sort(key=lambda row: -row[0])
        # a figure that the sentence has already, in as good a place, is no conflict
        options.append([row for row in rows[:3] if settled == 0 or row[0] > settled - 0.5])
    joint: list[tuple[float, tuple[Change, ...]]] = []
    conflicting = [rows for rows in options if rows]
    for chosen in itertools.islice(itertools.product(*conflicting), 81):
        changes = tuple(sorted({change for _, change in chosen}, key=lambda c: c.start))
        apart = all(a.end <= b.start for a, b in itertools.pairwise(changes))
        if changes and apart and len(changes) == len(chosen):
            joint.append((sum(fit for fit, _ in chosen) / len(chosen), changes))
    joint.sort(key=lambda row: -row[0])
    found = [changes for _, changes in joint[:MOST_JOINT]]
    found += [(change,) for rows in conflicting for _, change in rows]
    return list(dict.fromkeys(found))


def _fit(ours: Figure, theirs: Figure, weight: Mapping[int, float]) -> float:
    """How likely two figures speak of the same thing: words around them, size, and what the judge looks at."""
    shared = len(ours.near & theirs.near) / max(1, min(len(ours.near), len(theirs.near), 3))
    size = 0.0
    if isinstance(ours.value, Decimal) and isinstance(theirs.value, Decimal):
        low, high = sorted((abs(ours.value), abs(theirs.value)))
        size = float(low / high) if high else 1.0
    heavy = max((weight.get(at, 0.0) for at in range(ours.start, ours.end)), default=0.0)
    return shared + size + heavy


def _comparable(ours: Figure, theirs: Figure) -> tuple[Value, Value] | None:
    left, right = ours.value, theirs.value
    if ours.family == theirs.family:
        if isinstance(left, tuple) and isinstance(right, tuple):
            shared = min(len(left), len(right))
            return left[:shared], right[:shared]
        return left, right
    if isinstance(left, tuple) and isinstance(right, tuple) and len(left) + len(right) == 5:
        return left[-2:], right[-2:]  # a day with and without its year
    return None


def _satisfied(ours: Figure, theirs: Figure, left: Value, right: Value) -> bool:
    if ours.bound in ("above", "below") and theirs.bound != ours.bound and left == right:
        return False  # "more than 20" does not say 20
    checks = {
        "exact": left == right, "above": left > right, "at least": left >= right,  # type: ignore[operator]
        "below": left < right, "at most": left <= right,  # type: ignore[operator]
    }  # fmt: skip
    if theirs.bound == "about":
        if isinstance(left, Decimal) and isinstance(right, Decimal):
            return abs(left - right) * 10 <= abs(right)
        return left == right
    if ours.bound == theirs.bound and left == right:
        return True
    return checks[theirs.bound]


@dataclasses.dataclass(frozen=True, slots=True)
class _Text:
    start: int
    end: int
    text: str


def _written(sentence: str, ours: Figure, theirs: Figure) -> _Text | None:
    """The sentence's figure with a value that satisfies the claim's, written as the sentence writes it."""
    if ours.family in ("date", "day"):
        return _date(sentence, ours, theirs)
    assert isinstance(theirs.value, Decimal)
    old = sentence[ours.start : ours.end]
    if ours.family == "clock":
        minutes = int(_step(theirs, Decimal(1)))
        return _Text(ours.start, ours.end, time_like(old, minutes)) if 0 <= minutes < 24 * 60 else None
    if ours.family == "rank":
        return _Text(ours.start, ours.end, _rank(old, int(_step(theirs, Decimal(1)))))
    if not isinstance(ours.form, Quantity):
        places = max(len(old.partition(".")[2]), -min(0, int(theirs.value.normalize().as_tuple().exponent)))
        value = _step(theirs, Decimal(10) ** -places)
        return _Text(ours.start, ours.end, f"{value:f}") if value >= 0 else None
    q = ours.form
    if _is_part(sentence, q):
        return None  # "1 hour 20 minutes": neither part is the whole
    if max(q.value, theirs.value) >= _HUGE:
        return None
    scale = Decimal(_scale(q))
    if theirs.value > 10_000 * max(q.value, Decimal(1)):
        return None  # "$ 5.7" of a sentence that means millions
    finer = -min(0, int((theirs.value / scale).normalize().as_tuple().exponent))
    decimals = max(q.decimals, finer if finer <= 3 else 0)
    unit = scale * Decimal(10) ** -decimals
    if ours.bound == theirs.bound and ours.bound != "exact":
        value = theirs.value  # "over 20 million" becomes "over 25 million"
    elif ours.bound == "about":
        # "about 12,000" becomes "about 16,000", not "about 15,001"
        value = _step(theirs, unit * 10 ** min(_zeros(theirs.value / unit), _zeros(q.value / unit)))
    else:
        value = _step(theirs, _round_step(theirs.value, unit))
    if value < 0 or (q.spelled and (value / scale != int(value / scale) or value / scale > 99)):
        return None
    if q.spelled and value / scale not in WORDS.values() and value / scale < 20:
        return None
    text = _like(old, dataclasses.replace(q, decimals=decimals if value % scale else q.decimals), value)
    if value % scale == 0 and (q.decimals == 0 or q.scale):  # "$7m", where it was "$5.5m"
        text = _like(old, dataclasses.replace(q, decimals=0), value)
    start = ours.start
    opposed = {ours.bound, theirs.bound} <= {"above", "below", "at least", "at most"} and ours.bound != theirs.bound
    if opposed:
        # "over 26 million" against "less than 25 million": the bound has to go, or turn
        start = ours.cue_start
    return _with_unit(sentence, q, value, _Text(start, ours.end, text))


_NEAR = 60
"""Characters before and after a figure in which what belongs to it stands."""
_HUGE = Decimal(10) ** 20
"""Of larger numbers a Decimal of 28 digits has no remainder; its module raises InvalidOperation."""
_PART = re.compile(rf"(?P<one>{UNIT.pattern}),? (?:and )?\d[\d.,]*(?P<two>{UNIT.pattern})?")
_PARTS = re.compile(rf"(?<=\d){_PART.pattern}")
_PART_BEFORE = re.compile(rf"\d(?P<one>{UNIT.pattern}),? (?:and )?$")
_MAIN = re.compile(
    rf"(?P<number>(?<![\w.,])\d[\d,]*(?:\.\d+)?)(?P<unit>{UNIT.pattern})(?P<open> ?\( ?)$"
)
_OTHER = re.compile(rf"{UNIT.pattern} ?\)")
_ASIDE = re.compile(rf"({UNIT.pattern}) ?\( ?\d[^()]*\)")
_DEGREES = re.compile(
    r"(?<![\w.,])(?P<first>[-−]?\d+(?:\.\d+)?) ?° ?(?P<one>[CF]) ?\( ?"
    r"(?P<second>[-−]?\d+(?:\.\d+)?) ?° ?(?P<two>[CF]) ?\)"
)
_ARTICLE = re.compile(r"\b[Aa]n? $")
_COUNTED = re.compile(
    r" (?P<one>second|minute|hour|day|week|month|year|decade|mile|kilomet(?:re|er)|met(?:re|er)|yard|goal|point|seat|"
    r"room|episode|season|song|member|medal|game|title|floor|track|page|vote)s?\b"
)


def in_parts(sentence: str) -> bool:
    """Whether a sentence has a measure in two parts, such as "1 hour 20 minutes", of which none changes by itself."""
    return any(part["two"] and _parted(part["one"], part["two"]) for part in _PARTS.finditer(sentence))


def _is_part(sentence: str, q: Quantity) -> bool:
    after = _PART.match(sentence, q.end)
    if after and _parted(after["one"], after["two"]):
        return True
    before, unit = _PART_BEFORE.search(sentence, max(0, q.start - _NEAR), q.start), UNIT.match(sentence, q.end)
    return before is not None and _parted(before["one"], unit and unit[0])


def _parted(one: str, two: str | None) -> bool:
    """Whether two figures with these units are one measure: not "100 km and 50 km", nor "3 days and 12 people"."""
    return one.rstrip("s") != two.rstrip("s") if two else one in (" ft", " foot", " feet")


def _with_unit(sentence: str, q: Quantity, value: Decimal, new: _Text) -> _Text | None:
    """The new figure with what has to change along: its conversion in brackets, and "hour" that becomes "hours".

    Of nought nothing can be converted: what stands in brackets goes, and None is told of what stands there itself.
    """
    pattern = OTHER_MONEY if q.currency else CONVERTED
    found = pattern.match(sentence, q.end)
    if found and (q.currency or (UNIT.match(found["unit"]) and UNIT.match(f" {found['close'].strip(' )')}"))):
        if not q.value:
            return _Text(new.start, found.end(), new.text + found["unit"])
        other = _converted(found["number"], value / q.value)
        return _Text(new.start, found.end(), f"{new.text}{found['unit']}{found['open']}{other}{found['close']}")
    if degrees := _degrees(sentence, value, new):
        return degrees
    main = _MAIN.search(sentence, max(0, q.start - _NEAR), q.start)
    if main and _OTHER.match(sentence, q.end):
        if not q.value:
            return None
        other = _converted(main["number"], value / q.value)
        return _Text(main.start(), new.end, f"{other}{main['unit']}{main['open']}{new.text}")
    if aside := _ASIDE.match(sentence, q.end):
        return _Text(new.start, aside.end(), new.text + aside[1])  # "2.03 m (6 ft 8 in)": no longer true
    noun = _COUNTED.match(sentence, q.end)
    attribute = _ARTICLE.search(sentence, max(0, q.start - 3), q.start)  # "a 1 hour film"
    if noun and not attribute and (value == 1) != (q.value == 1) and not q.scale:
        return _Text(new.start, noun.end(), f"{new.text} {noun['one']}{'' if value == 1 else 's'}")
    return new


def _degrees(sentence: str, value: Decimal, new: _Text) -> _Text | None:
    """A temperature with the other scale's in brackets, of which either may be the new one."""
    for match in _DEGREES.finditer(sentence, max(0, new.start - _NEAR), new.end + _NEAR):
        first, second = match.span("first"), match.span("second")
        if (new.start, new.end) not in (first, second) or match["one"] == match["two"]:
            continue
        mine, yours = ("one", "second") if (new.start, new.end) == first else ("two", "first")
        other = value * 9 / 5 + 32 if match[mine] == "C" else (value - 32) * 5 / 9
        told = [new.text, f"{other:.{len(match[yours].partition('.')[2])}f}"]
        one, two = told if yours == "second" else told[::-1]
        return _Text(first[0], second[1], one + sentence[first[1] : second[0]] + two)
    return None


def _converted(number: str, factor: Decimal) -> str:
    """Another figure of the same look: "8" and a quarter more are "10"."""
    decimals = len(number.partition(".")[2])
    bare = Decimal(number.replace(",", "")) * factor
    if bare < 10 and not decimals and bare != int(bare):
        decimals = 1
    return f"{bare:,.{decimals}f}"


def _zeros(steps: Decimal) -> int:
    """How many zeros a round number ends in."""
    count = 0
    while steps and count < 12 and steps % 10 ** (count + 1) == 0:
        count += 1
    return count


def _step(theirs: Figure, unit: Decimal) -> Decimal:
    assert isinstance(theirs.value, Decimal)
    if theirs.bound == "above":
        return theirs.value + unit
    if theirs.bound == "below":
        return theirs.value - unit
    return theirs.value


def _round_step(value: Decimal, unit: Decimal) -> Decimal:
    """One unit; ten or more of them where the threshold is far rounder: nobody counts to 90,000,001."""
    zeros = _zeros(value / unit)
    return unit * (Decimal(10) ** (zeros - 3) if zeros > 3 else 1)


def _rank(old: str, rank: int) -> str:
    if rank < 1:
        rank = 1
    if old[0].isdigit():
        ending = "th" if 10 <= rank % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
        return f"{rank}{ending}"
    if rank > len(ORDINALS):
        return _rank("1st", rank)
    word = ORDINALS[rank - 1]
    return word.capitalize() if old[0].isupper() else word


def _date(sentence: str, ours: Figure, theirs: Figure) -> _Text | None:
    """The sentence's date moved as little as the claim asks, in the parts that the claim names."""
    left, right = _comparable(ours, theirs) or ((), ())
    assert isinstance(left, tuple)
    assert isinstance(right, tuple)
    moved = _moved(right, theirs.bound, "day" in (ours.family, theirs.family))
    if moved is None:
        return None
    old = sentence[ours.start : ours.end]
    with_year = ours.family == "date" and "day" not in (ours.family, theirs.family)
    parts = ("year", "month", "day") if with_year else ("month", "day")
    text = old
    for part, was, now in zip(parts, left, moved, strict=False):
        if was == now:
            continue
        if part == "month":
            text = text.replace(MONTHS[was - 1], MONTHS[now - 1])
        elif part == "day":
            text = re.sub(rf"\b{was}(?=st|nd|rd|th|\b)(?:st|nd|rd|th)?", str(now), text, count=1)
        else:
            text = text.replace(str(was), str(now))
    return _Text(ours.start, ours.end, text)


def _moved(key: tuple[int, ...], bound: Bound, without_year: bool) -> tuple[int, ...] | None:
    step = {"above": 1, "below": -1}.get(bound, 0)
    if step == 0:
        return key
    if without_year or len(key) == 3:
        year, month, day = (2001, *key) if len(key) == 2 else key
        try:
            moved = datetime.date(year, month, day) + datetime.timedelta(days=step)
        except (ValueError, OverflowError):
            return None
        return (moved.month, moved.day) if len(key) == 2 else (moved.year, moved.month, moved.day)
    if len(key) == 2:
        month = key[1] + step
        return (key[0] + (month > 12) - (month < 1), (month - 1) % 12 + 1)
    return (key[0] + step,)


