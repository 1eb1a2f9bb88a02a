"""Every measure there is, by name, whichever room it lives in."""

from __future__ import annotations

from aver.measures import Measure, parse_measure

__all__ = ["measure", "measures"]


def measures() -> tuple[type[Measure], ...]:
    """All measure classes, by room and name.

    >>> "FEVER" in [m.name for m in measures()]
    True
    """
    from aver import agreement, consistency, frank, metrics

    found = [
        thing
        for room in (metrics, agreement, frank, consistency)
        for thing in (getattr(room, name) for name in room.__all__)
        if isinstance(thing, type) and issubclass(thing, Measure) and thing is not Measure
    ]
    return tuple(found)


def measure(name: str) -> Measure:
    """The measure of that name.

    >>> print(measure("fever(official)"))
    FEVER(official)@5
    """
    return parse_measure(name, measures())
