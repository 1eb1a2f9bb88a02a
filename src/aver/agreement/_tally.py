"""Votes as two columns of numbers, which is all that the agreement measures need.

Every measure here looks at how often each value was voted for on each item; who voted does not matter. So
votes are kept as (item, value) pairs: no table with a column per value, which thousands of distinct numbers
would fill with zeros.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from aver.errors import InputError, count_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Tally", "Votes", "tally", "too_few"]

Votes = Any
"""Items, each with its votes: a list of lists (of any lengths, None where a vote is missing), or a NumPy
array with a row per item and a column per voter (NaN where one is missing)."""


class Tally(NamedTuple):
    """All votes on all items."""

    items: int
    """How many items there are, those without a vote among them."""
    values: tuple[Hashable, ...]
    """The different values that were voted for."""
    item: NDArray[np.intp]
    """The item of each vote, in ascending order."""
    code: NDArray[np.intp]
    """The value of each vote, as a place in `values`."""

    def sizes(self) -> NDArray[np.intp]:
        """The number of votes on each item."""
        import numpy as np

        return np.bincount(self.item, minlength=self.items)

    def pairable(self) -> Tally:
        """Without the items that have fewer than two votes: one voter cannot agree with anybody."""
        sizes = self.sizes()
        return self if (sizes >= 2).all() else self.select(sizes >= 2)

    def select(self, wanted: NDArray[np.bool_]) -> Tally:
        """Only some of the items; `wanted` says yes or no to each."""
        import numpy as np

        kept = wanted[self.item]
        number = np.cumsum(wanted) - 1
        return Tally(int(wanted.sum()), self.values, number[self.item[kept]], self.code[kept])

    def cells(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """Items, values and how often that item got that value, for every such pair that occurs."""
        import numpy as np

        width = max(len(self.values), 1)
        key = self.item * width + self.code
        if self.items * width <= 8 * len(key) + 1024:
            counts = np.bincount(key, minlength=self.items * width)
            where = np.flatnonzero(counts)
            return where // width, where % width, counts[where]
        where, counts = np.unique(key, return_counts=True)
        return where // width, where % width, counts


def tally(votes: Votes) -> Tally:
    """Counts the votes; None and NaN are votes that were not cast."""
    import numpy as np

    if isinstance(votes, Tally):
        return votes
    if isinstance(votes, np.ndarray):
        if votes.ndim != 2:
            raise InputError(f"votes have {votes.ndim} dimension(s); expected two: a row per item, a column per voter")
        if votes.dtype.kind in "fiub":
            return _tally_numbers(votes)
        votes = votes.tolist()
    return _tally_lists(votes)


def _tally_numbers(votes: NDArray[Any]) -> Tally:
    import numpy as np

    if votes.dtype.kind == "f":
        cast = ~np.isnan(votes)
        item = np.nonzero(cast)[0]
        found = votes[cast]
    else:
        item = np.repeat(np.arange(votes.shape[0]), votes.shape[1])
        found = votes.ravel()
    low, high = (found.min(), found.max()) if found.size else (0, 0)
    if low >= 0 and high < 256 and (whole := found.astype(np.intp)).size and (whole == found).all():
        # The common case, a few small whole numbers, needs no sorting.
        present = np.bincount(whole, minlength=1) > 0
        values = np.flatnonzero(present).astype(votes.dtype)
        code = (np.cumsum(present) - 1)[whole]
    else:
        values, code = np.unique(found, return_inverse=True)
    return Tally(votes.shape[0], tuple(values.tolist()), item, code)


def _tally_lists(votes: Iterable[Sequence[Hashable]]) -> Tally:
    import numpy as np

    rows: list[Sequence[Hashable]] = list(votes)
    if not {*map(type, rows)} <= {list, tuple}:
        for number, row in enumerate(rows, 1):
            if isinstance(row, (str, bytes)) or not isinstance(row, Iterable):
                raise InputError(f"item {number}: expected a list of votes, found {row!r:.60}")
            rows[number - 1] = list(row)
    flat = list(itertools.chain.from_iterable(rows))
    # Votes are mostly the same few objects, and hashing an enum's member is slow: each object is hashed once.
    # `flat` keeps them all alive, so no two have the same id.
    ids = list(map(id, flat))
    places: dict[Hashable, int] = {None: -1}
    try:
        objects = dict(zip(ids, flat, strict=True))
        by_id = {key: places.setdefault(vote, len(places) - 1) for key, vote in objects.items()}
    except TypeError:
        raise InputError(_unhashable(rows)) from None
    every = np.fromiter(map(by_id.__getitem__, ids), dtype=np.intp, count=len(ids))
    sizes = list(map(len, rows))
    item = np.repeat(np.arange(len(sizes)), sizes)
    del places[None]
    missing = [code for vote, code in places.items() if isinstance(vote, float) and math.isnan(vote)]
    cast = (every >= 0) & ~np.isin(every, missing)
    code, kept = every[cast], list(places)
    if missing:
        # NaN took places among the values: close the gaps.
        present = np.ones(len(kept), dtype=bool)
        present[missing] = False
        code = (np.cumsum(present) - 1)[code]
        kept = [vote for vote in kept if not (isinstance(vote, float) and math.isnan(vote))]
    return Tally(len(sizes), tuple(kept), item[cast], code)


def _unhashable(rows: list[Sequence[Hashable]]) -> str:
    for number, row in enumerate(rows, 1):
        try:
            set(row)
        except TypeError:
            return f"item {number}: a vote must be a word or a number, found {row!r:.60}"
    return "a vote must be a word or a number"


def too_few(left: int, items: int) -> str:
    """The beginning of a note on items that say nothing about agreement.

    >>> too_few(1, 3)
    '1 of 3 items has fewer than two votes'
    """
    return f"{left:,} of {count_of(items, 'item')} {'has' if left == 1 else 'have'} fewer than two votes"
