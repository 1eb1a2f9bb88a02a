"""Facts that are numbers in another dress: "twenty-five" for 25, "a quarter" for 25 %, "a dozen", "3 pm" for 15:00."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from aver.revisions._fact import Fact, Filler, R, S
from aver.revisions._fact_numbers import _like, amount_use, in_words, nearby, quantities, with_conversion

__all__ = ["find_spelled", "find_times"]

_SHARES = {
    10: ("a tenth",), 20: ("a fifth",), 25: ("a quarter", "one quarter"), 33: ("a third", "one third"),
    40: ("two fifths",), 50: ("half", "one half"), 60: ("three fifths",), 67: ("two thirds", "two-thirds"),
    75: ("three quarters", "three-quarters"), 80: ("four fifths",),
}  # fmt: skip
_WORTH = {name: value for value, names in _SHARES.items() for name in names} | {
    "one-third": 33, "one-quarter": 25, "one-half": 50, "one fifth": 20, "one-fifth": 20, "a half": 50,
}  # fmt: skip
_SHARE = re.compile(
    r"(?<![\w-])(?P<share>" + "|".join(sorted(_WORTH, key=len, reverse=True)) + r"|(?P<figure>\d\d)(?: ?%| per ?cent))"
    r"(?= of (?:the|its|all|his|her|their|[A-Z]))"
)
_DOZENS = {6: "half a dozen", 12: "a dozen", 24: "two dozen", 36: "three dozen"}
_LARGE = ((1_000_000_000, "billion"), (1_000_000, "million"))


def find_spelled(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    """Amounts and shares that can be written in figures and in words."""
    for q in quantities(sentence):
        if q.scale in ("m", "M", "k", "K", "B") or sentence.startswith(("°", " °"), q.end):
            continue  # "391m above sea level", "one hundred and six °C"
        if q.bound != "exact" or q.currency or q.percent or amount_use(sentence, q) != "amount":
            continue
        other = nearby(q, rng)
        if other is None or other != int(other) or q.value != int(q.value):
            continue
        old = sentence[q.start : q.end]
        new = _like(old, q, other)
        many = re.match(r" (?:[a-z-]+ )?[a-z]{2,}s\b", sentence[q.end :]) is not None
        mine, yours = _dresses(int(q.value), old, many), _dresses(int(other), new, many)
        if mine and yours:
            fillers = Filler(rng.choice(mine), S, R), Filler(rng.choice(yours), R, S)
            yield with_conversion(sentence, Fact("spelled number", q.start, q.end, old, new, fillers), q, other)
    for match in _SHARE.finditer(sentence):
        value = int(match["figure"]) if match["figure"] else _WORTH[match["share"]]
        if value in _SHARES and not _NOT_A_SHARE.search(sentence[: match.start()]):
            yield _share(match, value, rng, hedged=_ABOUT.search(sentence[: match.start()]) is not None)


_NOT_A_SHARE = re.compile(
    r"\b(?:the|first|second|last|later|early|late|other|latter|former|each|than|over|under|least|most|and|or|to) $"
    r"|\d $"
)


_ABOUT = re.compile(r"\b(?:about|approximately|around|roughly|nearly|almost|some|exactly|estimated) $", re.IGNORECASE)


def _dresses(value: int, written: str, many: bool) -> list[str]:
    """Other ways to write a number; by the dozen only where a plural follows."""
    ways = [f"{value:,}"]
    if value < 1000:
        ways.append(in_words(value))
    if many and value in _DOZENS:
        ways += [_DOZENS[value]] * 2
    ways += [f"{value / size:.4g} {name}" for size, name in _LARGE if value >= size and value % (size // 100) == 0][:1]
    return [way for way in ways if way.lower() != written.lower() and way.replace(",", "") != written]


def _share(match: re.Match[str], value: int, rng: random.Random, *, hedged: bool) -> Fact:
    """ "a third of" and "33 % of": the evidence in one dress, the claims in the other; `hedged` after "about"."""
    other = rng.choice([share for share in _SHARES if abs(share - value) >= 8])
    old = match["share"]
    figures = [f"{share} {rng.choice(('%', 'percent', 'per cent'))}" for share in (value, other)]
    words = [rng.choice(_SHARES[share]) for share in (value, other)]
    if match["figure"]:
        new = old.replace(match["figure"], str(other))
        fillers = Filler(words[0], S, R), Filler(words[1], R, S)
    else:
        new = words[1]
        about = rng.choice(("", "about ")) if not hedged and {value, other} & {33, 67} else ""
        fillers = Filler(about + figures[0], S, R), Filler(about + figures[1], R, S)
    return Fact("spelled number", match.start(), match.end(), old, new, fillers)


# --- the clock -------------------------------------------------------------------------------------------------

_TIME = re.compile(
    r"(?<![\w:.,-])(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d))?(?: ?(?P<half>[ap])\.?m(?P<stop>\.?)(?!\w)|(?<=:\d\d))"
    r"(?![\w:/–-]| of )"
)
_RECORD = re.compile(r"\b(?:of|record|score|bible|ratio|version|verse|[A-Z]\w+) $")


def find_times(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    """Times of day: "at 3 pm" and "at 15:00"."""
    for match in _TIME.finditer(sentence):
        hour, minute, half = int(match["hour"]), int(match["minute"] or 0), match["half"]
        if _BOUND.search(sentence[: match.start()]):
            continue  # what was over before 4 pm was over before 7 pm
        if half is None and (_RECORD.search(sentence[: match.start()]) or not _AT.search(sentence[: match.start()])):
            continue
        if hour > (12 if half else 23) or (half and hour == 0):
            continue
        if half:
            hour = hour % 12 + (12 if half == "p" else 0)
        other = (hour + rng.choice((12, 12, -3, -2, -1, 1, 2, 3, 10, 14))) % 24
        if {hour, other} & {10, 11, 12} or (half is None and hour < 13):
            continue  # "at 11:00" may be at night
        end = match.end() if sentence[match.end() :].strip() or not match["stop"] else match.end() - 1
        fillers = [
            Filler(_clock(told, minute, not half, match["minute"], rng), *labels)
            for told, labels in ((hour, (S, R)), (other, (R, S)))
        ]
        old = sentence[match.start() : end]
        new = _clock(other, minute, half is not None, match["minute"], None, like=old)
        # the stop of "p.m." at the end is the sentence's own
        new = new.removesuffix(".") if end < match.end() else new
        yield Fact("clock", match.start(), end, old, new, tuple(fillers))


_BOUND = re.compile(r"\b(?:before|after|by|past|since|prior to|(?:later|earlier) than)(?: about| around)? $", re.I)
_AT = re.compile(r"\b(?:at|from|until|till|to|by|before|after|around|about) $")


def _clock(hour: int, minute: int, halves: bool, minutes: str | None, rng: random.Random | None, like: str = "") -> str:
    """With "pm" or without; in the dress of `like`, where there is one."""
    if not halves:
        return f"{hour:02}:{minute:02}"
    half = "a" if hour < 12 else "p"
    mark = f"{half}.m." if re.search(r"[ap]\.m", like) or (rng is not None and rng.random() < 0.4) else f"{half}m"
    colon = "." if re.search(r"\d\.\d", like) else ":"
    told = f"{(hour - 1) % 12 + 1}" + (f"{colon}{minute:02}" if minute or (like and minutes) else "")
    glued = like and " " not in like
    return f"{told}{'' if glued else ' '}{mark}"
