"""Tables of pages: a row says what its values are of."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["under_heads"]


def under_heads(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as paragraphs: the head of its first column, then the rows, with the head of its column by each value.

    The other heads stand in every row; years side by side would look like a statement. A row of another length, or
    with no more than its first cell, is as it is.

    >>> under_heads(["EUR", "2022", "2021"], [["Assets", "", ""], ["EBITDA", "31.5", "36.9"], ["Net debt", "4", ""]])
    'EUR\\n\\nAssets\\n\\nEBITDA: 2022 31.5; 2021 36.9.\\n\\nNet debt: 2022 4.'
    """
    lines = [heads[0], *(_row(cells, heads) for cells in rows)]
    return "\n\n".join(" ".join(line.split()) for line in lines if line.strip())


def _row(cells: Sequence[str], heads: Sequence[str]) -> str:
    if len(cells) != len(heads) or not any(cells[1:]):
        return " ".join(cells)
    values = "; ".join(f"{head} {cell}".strip() for head, cell in zip(heads[1:], cells[1:], strict=True) if cell)
    return (f"{cells[0]}: " if cells[0] else "") + values + ("" if values.endswith((".", "!", "?")) else ".")
