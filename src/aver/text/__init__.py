"""Text as data: numbers and dates, and how those of two texts compare."""

from __future__ import annotations

from aver.text._compare import MARKS, Mark, compare_figures
from aver.text._quantities import Bound, Date, Quantity, find_dates, find_quantities

__all__ = [
    "MARKS",
    "Bound",
    "Date",
    "Mark",
    "Quantity",
    "compare_figures",
    "find_dates",
    "find_quantities",
]
