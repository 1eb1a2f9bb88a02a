"""Times of the day in two texts that are compared: "3 pm" and "15:00" are one time, and are read as one."""

from __future__ import annotations

import re
from typing import NamedTuple

from aver.verify._figure_dates import find_clock

__all__ = ["Time", "find_times", "time_like", "with_times_of"]

# `find_clock` leaves out what such a word bounds; here it is a time like any other
_BOUND = re.compile(r"\b(?:before|prior|earlier|until|by|after|since|following|later)\b", re.IGNORECASE)


class Time(NamedTuple):
    """A time of the day: where it stands, and its minutes since midnight."""

    start: int
    end: int
    minutes: int


def find_times(text: str) -> list[Time]:
    """The times of the day that say whether they are of the morning, left to right.

    >>> find_times("It began at 3 p.m. and ended before 21:10.")
    [Time(start=12, end=18, minutes=900), Time(start=36, end=41, minutes=1270)]
    """
    found = []
    for figure in find_clock(_BOUND.sub(lambda match: "x" * len(match[0]), text)):
        if figure.said.low is not None:
            # the stop of "p.m." at the end is the sentence's own
            end = figure.end - (text[: figure.end].endswith(".") and not text[figure.end :].strip())
            found.append(Time(figure.start, end, int(figure.said.low)))
    return sorted(found)


def with_times_of(text: str, other: str) -> str:
    """The text with its times of the day written as the other text writes its own.

    >>> with_times_of("It began at 15:00 and ended at 16:30.", "It began at 3 pm.")
    'It began at 3 pm and ended at 4:30 pm.'
    """
    theirs = find_times(other)
    if not theirs:
        return text
    known = {time.minutes: other[time.start : time.end] for time in reversed(theirs)}
    for time in reversed(find_times(text)):
        new = known.get(time.minutes) or time_like(other[theirs[0].start : theirs[0].end], time.minutes)
        text = text[: time.start] + new + text[time.end :]
    return text


def time_like(old: str, minutes: int) -> str:
    """Another time in the dress of one.

    >>> time_like("3 p.m", 750), time_like("3:00PM", 60), time_like("09:10", 1320), time_like("9:10", 65)
    ('12:30 p.m', '1:00AM', '22:00', '1:05')
    """
    hour, minute = divmod(minutes, 60)
    half = re.search(r"(\s?)([ap])(\.?m\.?)$", old, re.IGNORECASE)
    if half is None:
        return f"{hour:02}:{minute:02}" if old.startswith("0") or hour > 9 else f"{hour}:{minute:02}"
    letter = "a" if hour < 12 else "p"
    told = f"{(hour - 1) % 12 + 1}" + (f":{minute:02}" if minute or ":" in old else "")
    return f"{told}{half[1]}{letter.upper() if half[2].isupper() else letter}{half[3]}"
