"""Krippendorff's alpha: how far the observed disagreement is from what chance would give."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from aver.agreement._tally import Tally, Votes, tally, too_few
from aver.errors import InputError
from aver.measures import Card, Measure, Score

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Alpha", "Level", "alpha"]

Level = Literal["nominal", "ordinal", "interval", "ratio"]
_LEVELS = ("nominal", "ordinal", "interval", "ratio")


def alpha(votes: Votes, *, level: Level = "nominal", order: Sequence[Hashable] | None = None) -> float | None:
    """Krippendorff's alpha over items with any number of votes each.

    `votes` holds a row per item and a column per voter, None or NaN where a vote is missing (mind the
    direction: some packages want a row per voter). `level` says what the values are: names (`nominal`), ranks
    (`ordinal`), numbers with meaningful differences (`interval`) or also with a true zero (`ratio`). `order`
    names the values from low to high, so that ordered words can be read at the `ordinal` level.

    None where alpha is not defined: no item has two votes, or all votes are the same.

    >>> round(alpha([["a", "a"], ["b", "b"], ["a", "b"]]), 4)
    0.4444
    >>> alpha([["a", "a"], ["a", "a"]]) is None
    True
    """
    if level not in _LEVELS:
        raise InputError(f"unknown level {level!r}; there are: {', '.join(_LEVELS)}")
    if order is not None and level != "ordinal":
        raise InputError(f"an order of the values is for the ordinal level; this is {level}")
    counted = tally(votes).pairable()
    if not counted.items:
        return None
    if level == "nominal":
        return _nominal(counted)
    numbers = _numbers(counted.values, level, order)
    if level == "ratio":
        return _ratio(counted, numbers)
    return _interval(counted, _midranks(counted, numbers) if level == "ordinal" else numbers)


def _one_minus(observed: float, expected: float) -> float | None:
    return None if expected <= 0 else 1 - observed / expected


def _nominal(t: Tally) -> float | None:
    # Coincidences of unlike values: n² − Σ c² of the n(n−1) ordered pairs in an item, each weighing 1/(n−1).
    import numpy as np

    item, _, count = t.cells()
    sizes = t.sizes()
    alike = np.bincount(item, weights=(count * count).astype(float), minlength=t.items)
    observed = float(((sizes * sizes - alike) / (sizes - 1)).sum())
    totals = np.bincount(t.code).astype(float)
    n = float(len(t.code))
    return _one_minus(observed, float(n * n - (totals * totals).sum()) / (n - 1))


def _interval(t: Tally, numbers: NDArray[np.float64]) -> float | None:
    # Σ over ordered pairs of (x − y)² is 2(n Σx² − (Σx)²): no table of pairs is needed.
    import numpy as np

    value = numbers[t.code]
    value = value - value.mean()  # the sums of squares then lose no digits to a large offset
    if not value.any():
        return None
    sizes = t.sizes()
    sums = np.bincount(t.item, weights=value, minlength=t.items)
    centred = value - (sums / sizes)[t.item]
    squares = np.bincount(t.item, weights=centred * centred, minlength=t.items)
    observed = 2 * float((sizes * squares / (sizes - 1)).sum())
    n = float(len(value))
    return _one_minus(observed, 2 * n * float((value * value).sum()) / (n - 1))


def _midranks(t: Tally, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    # Krippendorff's ordinal distance, (Σ of n_g for g from c to k, less half of n_c and of n_k)², is the
    # squared difference of the two values' middle ranks: ordinal alpha is interval alpha over those ranks.
    import numpy as np

    totals = np.bincount(t.code, minlength=len(numbers)).astype(float)
    by_size = np.argsort(numbers, kind="stable")
    ranks = np.empty_like(totals)
    ranks[by_size] = np.cumsum(totals[by_size]) - totals[by_size] / 2
    return ranks


def _ratio(t: Tally, numbers: NDArray[np.float64]) -> float | None:
    import numpy as np

    value, sizes = numbers[t.code], t.sizes()
    weight = 1 / (sizes - 1)
    observed = 0.0
    for step in range(1, int(sizes.max())):
        near = np.flatnonzero(t.item[step:] == t.item[:-step])
        distance = _ratio_distance(value[near], value[near + step])
        observed += 2 * float((distance * weight[t.item[near]]).sum())
    totals = np.bincount(t.code, minlength=len(numbers)).astype(float)
    expected = 0.0
    for start in range(0, len(numbers), 512):  # in strips: the whole square may not fit in memory
        strip = slice(start, start + 512)
        expected += float(totals[strip] @ _ratio_distance(numbers[strip, None], numbers[None, :]) @ totals)
    return _one_minus(observed, expected / (len(value) - 1))


def _ratio_distance(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    total = a + b
    return ((a - b) / np.where(total == 0, 1.0, total)) ** 2


def _numbers(values: Sequence[Hashable], level: Level, order: Sequence[Hashable] | None) -> NDArray[np.float64]:
    import numpy as np

    if order is not None:
        if len(set(order)) != len(order):
            raise InputError(f"the order names a value twice: {', '.join(map(str, order))}")
        places = {value: place for place, value in enumerate(order)}
        strangers = sorted({repr(value) for value in values if value not in places})
        if strangers:
            raise InputError(f"the order lacks values that were voted for: {', '.join(strangers)}")
        return np.array([places[value] for value in values], dtype=float)
    for value in values:
        if not isinstance(value, (int, float, np.number)) or not math.isfinite(value):
            help_ = "; or name the words' order, lowest first" if level == "ordinal" else ""
            raise InputError(f"alpha at the {level} level needs numbers, found the vote {str(value)!r}{help_}")
        if level == "ratio" and value < 0:
            raise InputError(f"alpha at the ratio level needs numbers from 0 up, found {value}; try interval")
    return np.array(values, dtype=float)


@dataclasses.dataclass(frozen=True)
class Alpha(Measure):
    """Krippendorff's alpha as a measure: `Alpha(level=ordinal).score(votes)`.

    >>> print(Alpha("interval"))
    Alpha(level=interval)
    """

    level: Level = "nominal"

    name: ClassVar[str] = "Alpha"
    card: ClassVar[Card] = Card(
        title="Krippendorff's alpha",
        meaning="How reliably voters agree, with the agreement that chance would give taken out: 1 is "
        "perfect agreement, 0 is what shuffled votes would show, below 0 is systematic disagreement. Any "
        "number of voters per item and missing votes are allowed, and `level` says how far apart two "
        "different votes are.",
        formula=r"\alpha = 1 - \frac{D_o}{D_e}, \quad D_o = \sum_u \frac{1}{n_u - 1} \sum_{i \ne j \in u} "
        r"\delta(v_i, v_j), \quad D_e = \frac{1}{n - 1} \sum_{c,k} n_c n_k\, \delta(c, k); \quad \delta = "
        r"[c \ne k]\ (nominal),\ (r_c - r_k)^2\ (ordinal,\ r\ the\ middle\ rank),\ (c - k)^2\ (interval),\ "
        r"((c - k)/(c + k))^2\ (ratio)",
        range=(-1.0, 1.0),
        direction="higher",
        inputs="A row per item with its votes (`votes`), None or NaN where one is missing. Names for the "
        "nominal level, numbers for the others.",
        values={"alpha": "alpha over all items that have at least two votes"},
        example=">>> from aver.agreement import Alpha\n"
        '>>> votes = [["SUPPORTS", "SUPPORTS", None], ["REFUTES", "REFUTES", "SUPPORTS"], ["SUPPORTS"] * 3]\n'
        ">>> round(Alpha().score(votes).main, 4)\n"
        "0.4167",
        edge_cases=(
            "Items with fewer than two votes say nothing about agreement; they are left out and counted in the notes.",
            "Undefined (null) where no item has two votes. The `krippendorff` package raises a ValueError.",
            "Undefined (null) where all votes are the same value: chance alone would agree as well. The "
            "`krippendorff` package raises a ValueError. Look at `TotalAgreement` beside it.",
            "At the ratio level two zeros are at distance 0; negative numbers are an error.",
        ),
        limits=(
            "Alpha falls when one label is much more frequent than the others, at the same share of agreement.",
            "The pooled alpha of several groups of voters is not the mean of the groups' alphas.",
            "With few items it moves a lot with a single vote.",
        ),
        citation="Klaus Krippendorff. Computing Krippendorff's Alpha-Reliability. 2011.",
    )

    def score(self, votes: Votes) -> Score:
        """Alpha over a row of votes per item."""
        counted = tally(votes)
        used = counted.pairable()
        value = alpha(used, level=self.level)
        notes = []
        if left := counted.items - used.items:
            notes.append(f"{too_few(left, counted.items)}: left out")
        if value is None:
            notes.append("undefined: no item has two votes" if not used.items else "undefined: all votes are the same")
        return Score(str(self), {"alpha": value}, used.items, tuple(notes))
