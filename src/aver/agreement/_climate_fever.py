"""Which slice of CLIMATE-FEVER's labelling task a claim was in, as far as the released file still tells.

Table 1 of the paper gives agreement for ten slices of 154 claims (770 pairs; the last has 149), but the file
does not name them. What it keeps is which of five places each vote stands in, and the slices' mean numbers of
voters tie those places to slices:

- places 1 2 3 5 (151 claims) are slice 1 alone, where four people voted;
- all five places (4 claims): slice 1 has room for three of them. Taking out claim 1007 gives the published
  figures (4.019, 0.399, 0.423, 0.380); taking out any of the others does not. Slice 0's mean of 2.227 voters
  asks for that fourth claim too.
- The other places are shared by several slices, so their claims cannot be told apart.

So slice 1 is recovered by its voters and, for one claim of 154, by fitting the published figures.
"""

from __future__ import annotations

from collections.abc import Sequence

from aver.agreement._read import Item
from aver.errors import InputError

__all__ = ["check_climate_fever", "table_1_slice"]

PAIRS = 7675
ALL_FIVE = {"1007", "2432", "2805", "2953"}


def check_climate_fever(items: Sequence[Item]) -> None:
    """Raises an InputError for any file but CLIMATE-FEVER's own: the slices mean nothing elsewhere."""
    full = {item.claim for item in items if len(item.votes) == 5 and None not in item.votes}
    if len(items) != PAIRS or full != ALL_FIVE:
        raise InputError(
            f"@table1 is for CLIMATE-FEVER's own file as released ({PAIRS:,} pairs), and this is another; "
            "for slices by who voted use @slots"
        )


def table_1_slice(item: Item) -> str:
    """`slice 1`, or `other slices` for claims that cannot be told apart."""
    cast = "".join(who for who, vote in zip(item.who, item.votes, strict=True) if vote is not None)
    recovered = cast == "1235" or (cast == "12345" and item.claim != "1007")
    return "slice 1" if recovered else "other slices"
