"""What all drawings share: colours for colour-blind readers, and names for people."""

from __future__ import annotations

__all__ = ["COLOURS", "pretty", "shortened"]

COLOURS = ("#0072B2", "#E69F00", "#F0E442", "#D55E00", "#56B4E9", "#009E73", "#CC79A7", "#333333")
"""Okabe and Ito's. Neighbours differ in lightness as well as in hue, so that bars side by side stay apart in grey."""


def pretty(category: str) -> str:
    """A category's name for people.

    >>> pretty("Content_Verifiability_Errors")
    'Content verifiability'
    """
    return category.removesuffix("_Errors").replace("_", " ").capitalize() if "_" in category else category


def shortened(name: str, most: int) -> str:
    """A name that fits its place in a drawing; the whole stands in the table.

    >>> shortened("BertScore", 12), shortened("A metric with a long name", 12)
    ('BertScore', 'A metric wi…')
    """
    return name if len(name) <= most else name[: most - 1].rstrip() + "…"
