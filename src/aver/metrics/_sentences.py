"""The columns a text measure reads, checked before anything is counted.

These measures compare sentences. A text of many thousands of words is a mistake more often than a wish, and
would keep ROUGE-L busy for hours, so there is a limit, and it is told.
"""

from __future__ import annotations

from collections.abc import Sequence

from aver.errors import Problems, count_of, kind_of

__all__ = ["LONGEST", "check_columns"]

LONGEST = 20_000
"""Characters of one text."""


def check_columns(
    predictions: Sequence[str], references: Sequence[Sequence[str]], sources: Sequence[str] | None = None
) -> None:
    """Raises one InputError that names every item which cannot be scored.

    >>> check_columns(["a cat"], ["a dog"])
    Traceback (most recent call last):
    aver.errors.InputError: the texts cannot be scored (1 problem)
      - item 1: references is one text; put it into a list: ["a dog"]
    """
    problems = Problems()
    for name, column in (("reference", references), ("source", sources)):
        if column is not None and len(column) != len(predictions):
            both = f"{count_of(len(predictions), 'prediction')} but {count_of(len(column), name)}"
            problems.add("", f"{both}; each needs its own")
    for number, text in enumerate(predictions, 1):
        _check_text(text, "the prediction", number, problems)
    for number, several in enumerate(references, 1):
        if isinstance(several, str):
            problems.add(f"item {number}", f'references is one text; put it into a list: ["{several[:40]}"]')
        elif not several:
            problems.add(f"item {number}", "has no reference; at least one is needed")
        else:
            for text in several:
                _check_text(text, "a reference", number, problems)
    for number, text in enumerate(sources or (), 1):
        _check_text(text, "the source", number, problems)
    problems.raise_if_any("the texts cannot be scored")


def _check_text(text: object, what: str, number: int, problems: Problems) -> None:
    if not isinstance(text, str):
        problems.add(f"item {number}", f"{what} is {kind_of(text, none='missing')}, not text")
    elif len(text) > LONGEST:
        problems.add(
            f"item {number}",
            f"{what} has {len(text):,} characters; the limit is {LONGEST:,}, because these measures compare "
            "sentences: split the text into sentences or claims first",
        )
