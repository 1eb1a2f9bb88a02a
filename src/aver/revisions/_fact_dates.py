"""Facts that are dates: another date, and claims by "before", "after", a year, a decade or a century, computed."""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Iterator

from aver.labels import Label
from aver.revisions._fact import Fact, Filler, N, R, S
from aver.text._quantities import MONTHS, Date, find_dates

__all__ = ["find_dated"]

_IN = re.compile(r"\b(in|on|In|On)\s$")
# "by 1980" follows from "by 1975", and "the 2010 census" is another census: exchanging these decides nothing.
_NOT_WHEN = re.compile(
    r"\b(?:before|after|by|until|as of|prior to|than|like|unlike|between)(?: early| late| the| about)? $|[A-Z]\w* of $"
    r"|\bbetween (?:\S+ ){1,3}and (?:(?:early|late) )?$",
    re.I,
)
_WHICH = re.compile(r"\bthe $", re.I)
# the worst storm since 1987 is the worst since 1997 as well
_RECORD_SINCE = re.compile(
    r"\b(?:(?:the|its|his|her|their|a) (?:[\w-]+ )?(?:[a-z]{2,}est|most|least|best|worst|first|last|only)|highest|"
    r"lowest|record)\b.*\bsince (?:the |about |early |late |at least )?$"
)


def find_dated(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    """The dates of a sentence that say when something was."""
    dates = list(find_dates(sentence))
    for date in dates:
        before = sentence[max(0, date.start - 40) : date.start]
        if _NOT_WHEN.search(before) or (_WHICH.search(before) and re.match(r" ['\w]", sentence[date.end :])):
            continue
        if _RECORD_SINCE.search(sentence[: date.start]):
            continue
        other = _another(date, [d for d in dates if d is not date], rng)
        if other is None:
            continue
        old = sentence[date.start : date.end]
        new = _written(old, date, other)
        lead = _IN.search(sentence, max(0, date.start - 4), date.start)
        start = lead.start() if lead else date.start
        said = before = sentence[start : date.start]
        if sentence.count("(", 0, date.start) > sentence.count(")", 0, date.start):
            # In an aside ("born 29 June 1944") the evidence has no preposition, but a claim about it needs one.
            said = "on " if date.day else "in "
        once = not said or said != before or _once(sentence, start, date.end)
        if not once and (_NUMBERED.search(sentence[:start]) or rng.random() < 0.8):
            continue  # nothing refutes their claims: too many of them would tell
        fillers = [Filler(said + old, S, R), Filler(said + new, R, S)] if once else []
        if said:
            fillers += _claims(date, other, rng, capital=said[0].isupper(), other=R if once else N)
        if not fillers:
            continue
        yield Fact("date", start, date.end, before + old, before + new, tuple(fillers), "" if lead and start else None)


# "The second creation came on 27 June": it hardly came a second time, but who says so?
_NUMBERED = re.compile(r"\b(?:second|third|fourth|fifth|sixth|final|\d+(?:st|nd|rd|th))\b")
# What happens once: another year excludes it. Who won in 1988 may have won in 2005 as well, and a town that had
# 5,000 people in 2011 may have had them before.
_ONCE = re.compile(
    r"\b(?:born|died|founded|established|opened|closed|released|published|premiered|launched|built|completed|"
    r"constructed|created|formed|dissolved|disbanded|demolished|destroyed|incorporated|signed|appointed|elected|"
    r"ordained|consecrated|killed|murdered|executed|assassinated|buried|discovered|invented|introduced|discontinued|"
    r"abolished|merged|renamed|acquired|debuted|commissioned|decommissioned|laid|sunk|sank|crashed|wrecked|described|"
    r"designated|inaugurated|ratified|adopted|enacted|recorded|filmed|written|composed|directed|began|begun|started|"
    r"ended|ceased|became|joined|retired|resigned|graduated|married|divorced|drowned|unveiled|dedicated|erected|"
    r"installed|converted|annexed|purchased|bought|sold|replaced|succeeded|split|abandoned|first|last|arrived|"
    r"emigrated|christened|baptised|knighted|patented|repealed|separated|broke up|came out|took office|passed away|"
    r"left)\b"
)
_DEED = re.compile(
    _ONCE.pattern + r"|\b(?!(?:based|named|called|aged|used|located|situated|needed|hundred|red|united)\b)"
    r"(?:[a-z]{2,}ed|won|wrote|led|lost|made|took|taught|came|went|gave|saw|met|held|ran|fell|rose|grew|had|has|is|"
    r"was|are|were)\b"
)
_HELPS = {"had", "has", "is", "was", "are", "were"}


def _once(sentence: str, start: int, end: int) -> bool:
    """Whether the verb that the date belongs to, the last one before it, tells of what happens once."""
    deeds = _DEED.findall(sentence[:start])
    if not deeds:  # "In 1990 the bridge was opened"
        deeds = [deed for deed in _DEED.findall(sentence[end:])[:2] if deed not in _HELPS][:1]
    elif deeds[-1] in _HELPS and len(deeds) > 1:
        return False
    return bool(deeds) and _ONCE.fullmatch(deeds[-1]) is not None


def _another(date: Date, others: list[Date], rng: random.Random) -> Date | None:
    """A date that stands to the sentence's other dates as this one does, so that nobody dies before being born."""
    for _ in range(6):
        new = _moved(date, rng)
        if all(_order(date, other) == _order(new, other) for other in others):
            return new
    return None


def _order(one: Date, two: Date) -> int:
    shared = min(len(one.key), len(two.key))
    left, right = one.key[:shared], two.key[:shared]
    return (left > right) - (left < right)


def _moved(date: Date, rng: random.Random) -> Date:
    year, month, day = date.year, date.month, date.day
    part = rng.random()
    if day is not None and part < 0.35:
        days = [d for d in range(max(1, day - 12), min(28, day + 12) + 1) if d != day]
        return dataclasses.replace(date, day=rng.choice(days))
    day = min(day, 28) if day else None
    if month is not None and part < 0.6:
        return dataclasses.replace(date, month=rng.choice([m for m in range(1, 13) if m != month]), day=day)
    shift = rng.choice((1, 1, 2, 2, 3, 4, 5, 8, 10, 20, 50, 100, 100, 200))
    shifted = year + shift if rng.random() < 0.5 and year + shift < 2024 else max(1, year - shift)
    return dataclasses.replace(date, year=shifted, day=day)


def _written(text: str, old: Date, new: Date) -> str:
    if old.day and new.day and old.day != new.day:
        text = re.sub(rf"\b{old.day}(?:st|nd|rd|th)?\b", str(new.day), text, count=1)
    if old.month and new.month and old.month != new.month:
        text = text.replace(MONTHS[old.month - 1], MONTHS[new.month - 1])
    return text if old.year == new.year else text.replace(str(old.year), str(new.year))


def _claims(old: Date, new: Date, rng: random.Random, *, capital: bool, other: Label) -> list[Filler]:
    """Claims that part the two dates; `other` is the label where the date is the other one."""
    early, late = sorted((old, new), key=lambda d: d.key)
    found: list[tuple[str, Label, Label]] = []
    if early.year != late.year:
        cut = rng.randint(early.year + 1, late.year)
        found.append((f"{rng.choice(('before', 'prior to'))} {cut}", S, other))
        found.append((f"after {cut - 1}", other, S))
        if early.year > 1100:
            start = rng.randint(1, min(10, late.year - early.year)), rng.randint(1, min(10, late.year - early.year))
            found.append((f"between {early.year - 3} and {late.year - start[0]}", S, other))
            found.append((f"between {early.year + start[1]} and {late.year + 3}", other, S))
        # "the 1700s" may mean a century
        if early.year // 10 != late.year // 10 and early.year // 10 % 10 and late.year // 10 % 10:
            found.append((f"in the {early.year // 10 * 10}s", S, other))
            found.append((f"in the {late.year // 10 * 10}s", other, S))
        if _century(early) != _century(late):
            found += _centuries(early, late, other, rng)
        if old.month:
            found.append((f"in {early.year}", S, other))
            found.append((f"in {late.year}", other, S))
    elif early.month and late.month and early.month != late.month:
        found.append((f"in {MONTHS[early.month - 1]} {early.year}", S, other))
        found.append((f"in {MONTHS[late.month - 1]} {late.year}", other, S))
        cut = rng.randint(early.month + 1, late.month)
        found.append((f"before {MONTHS[cut - 1]} {early.year}", S, other))
        found.append((f"after {MONTHS[cut - 2]} {early.year}", other, S))
    elif early.day and late.day and early.month:
        cut = rng.randint(early.day + 1, late.day)
        month = MONTHS[early.month - 1]
        found.append((f"before {month} {cut} , {early.year}", S, other))
        found.append((f"after {month} {cut - 1} , {early.year}", other, S))
    return [
        Filler(text[0].upper() + text[1:] if capital else text, *((a, b) if early is old else (b, a)))
        for text, a, b in found
    ]


def _century(date: Date) -> int:
    """0 where people disagree: 1900 and 2000."""
    return date.year // 100 + 1 if date.year % 100 else 0


def _centuries(early: Date, late: Date, other: Label, rng: random.Random) -> list[tuple[str, Label, Label]]:
    """Claims by the century, which the two dates do not share."""
    found: list[tuple[str, Label, Label]] = []
    if not (_century(early) and _century(late)):
        return found
    during = rng.choice(("in", "in", "during"))
    for date, labels in ((early, (S, other)), (late, (other, S))):
        names = [f"the {_ordinal(_century(date))} century"]
        if 1100 < date.year < 1900:  # "the 1900s" and "the 2000s" are a decade as often
            names.append(f"the {date.year // 100}00s")
        found.append((f"{during} {rng.choice(names)}", *labels))
    found.append((f"before the {_ordinal(_century(late))} century", S, other))
    found.append((f"after the {_ordinal(_century(early))} century", other, S))
    return found


def _ordinal(number: int) -> str:
    """A number of a century as it is written.

    >>> _ordinal(1), _ordinal(12), _ordinal(21)
    ('1st', '12th', '21st')
    """
    tail = "th" if 10 < number < 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{tail}"
