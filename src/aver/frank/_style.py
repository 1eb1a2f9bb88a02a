"""What all drawings share: colours for colour-blind readers, and names for people."""

from __future__ import annotations

__all__ = ["COLOURS", "pretty"]

COLOURS = ("#0072B2", "#E69F00", "#F0E442", "#D55E00", "#56B4E9", "#009E73", "#CC79A7", "#333333")
"""Okabe and Ito's. Neighbours differ in lightness as well as in hue, so that bars side by side stay apart in grey."""


def pretty(category: str) -> str:
    """A category's name for people.

    >>> pretty("Content_Verifiability_Errors")
    'Content verifiability'
    """
    return category.removesuffix("_Errors").replace("_", " ").capitalize() if "_" in category else category
