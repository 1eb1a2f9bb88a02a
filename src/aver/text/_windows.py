"""Cutting a sequence into pieces that fit, none of it left out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from aver.errors import InputError

__all__ = ["windows"]


def windows(sizes: Sequence[int], room: int, *, overlap: float = 0.25) -> list[tuple[int, int]]:
    """Ranges of items, each of at most `room` in total size, that together hold every item.

    Neighbours share about `overlap` of a window, so that what is cut apart in one stands together in the next.
    An item that is larger than the room gets a window of its own; whoever asked has to deal with it.

    >>> windows([1] * 10, 4)
    [(0, 4), (3, 7), (6, 10)]
    >>> windows([2, 2], 10), windows([], 10), windows([1, 9, 1], 4)
    ([(0, 2)], [], [(0, 1), (1, 2), (2, 3)])
    """
    if room < 1 or not 0 <= overlap < 1:
        raise InputError(f"windows need a room of at least 1 and an overlap in [0, 1); got {room} and {overlap}")
    ends = [0, *accumulate(sizes)]
    found: list[tuple[int, int]] = []
    start = 0
    while start < len(sizes):
        stop = start + 1
        while stop < len(sizes) and ends[stop + 1] - ends[start] <= room:
            stop += 1
        found.append((start, stop))
        if stop == len(sizes):
            break
        # step back over the words the next window repeats, but always go forward
        following = stop
        while following - 1 > start and ends[stop] - ends[following - 1] <= overlap * room:
            following -= 1
        if ends[stop + 1] - ends[following] > room and following < stop:
            # the next word alone needs what the overlap would take; give it as much as fits
            while following < stop and ends[stop + 1] - ends[following] > room:
                following += 1
        start = following
    return found
