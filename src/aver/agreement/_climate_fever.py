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

from aver.agreement._read import Item

__all__ = ["table_1_slice"]


def table_1_slice(item: Item) -> str:
    """`slice 1`, or `other slices` for claims that cannot be told apart."""
    cast = "".join(who for who, vote in zip(item.who, item.votes, strict=True) if vote is not None)
    recovered = cast == "1235" or (cast == "12345" and item.claim != "1007")
    return "slice 1" if recovered else "other slices"
