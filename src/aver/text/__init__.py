"""Text as data: words, sentences and windows, numbers and dates, and how those of two texts compare."""

from __future__ import annotations

from aver.text._compare import MARKS, Mark, compare_figures, mark_places
from aver.text._periods import Period, find_periods
from aver.text._phrases import Phrase, load_parser, noun_phrases
from aver.text._quantities import Bound, Date, Quantity, find_dates, find_quantities
from aver.text._sentences import Sentence, split_sentences
from aver.text._stop_words import STOP_WORDS
from aver.text._units import Unit, find_unit
from aver.text._windows import windows
from aver.text._words import Word, opening, words

__all__ = [
    "MARKS",
    "STOP_WORDS",
    "Bound",
    "Date",
    "Mark",
    "Period",
    "Phrase",
    "Quantity",
    "Sentence",
    "Unit",
    "Word",
    "compare_figures",
    "find_dates",
    "find_periods",
    "find_quantities",
    "find_unit",
    "load_parser",
    "mark_places",
    "noun_phrases",
    "opening",
    "split_sentences",
    "windows",
    "words",
]
