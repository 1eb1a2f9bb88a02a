"""Every error a user can cause or meet, in one tree.

    AverError                    catch this to catch them all; the command exits with 2
    ├── InputError               the data handed in cannot be used as it is (also a ValueError)
    │   └── LabelError           a label nobody knows
    ├── MissingExtra             an optional part is not installed (also an ImportError)
    ├── ModelError               a model's files are missing, damaged or of another kind
    └── BackendError             an outside service (an endpoint, a hub) failed

A message says what was seen, what was expected, and what to do next. `InputError.problems` holds every
problem found, not only the first; the message prints the first twenty.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Number

__all__ = [
    "AverError",
    "BackendError",
    "InputError",
    "LabelError",
    "MissingExtra",
    "ModelError",
    "Problems",
    "count_of",
    "kind_of",
]

SHOWN = 20


class AverError(Exception):
    """Base of everything aver raises on purpose."""


class InputError(AverError, ValueError):
    """The data handed in cannot be used as it is; `hints` are what helps with several of the problems, told once.

    >>> InputError("two files disagree", ["a.jsonl line 7: no id"]).problems
    ('a.jsonl line 7: no id',)
    """

    def __init__(self, message: str, problems: Sequence[str] = (), hints: Sequence[str] = ()) -> None:
        self.problems = tuple(problems)
        if self.problems:
            shown = [f"  - {p}" for p in self.problems[:SHOWN]]
            if len(self.problems) > SHOWN:
                shown.append(f"  … and {len(self.problems) - SHOWN} more")
            message = "\n".join([message, *shown, *hints])
        super().__init__(message)


class LabelError(InputError):
    """A label nobody knows; `accepted` says which spellings are known."""

    def __init__(self, message: str, accepted: str = "") -> None:
        self.accepted = accepted
        super().__init__(f"{message}; {accepted}" if accepted else message)


class MissingExtra(AverError, ImportError):
    """An optional part is not installed.

    >>> print(MissingExtra("plots", "matplotlib"))
    this needs matplotlib, which is not installed: pip install 'aver[plots]'
    """

    def __init__(self, extra: str, package: str) -> None:
        super().__init__(f"this needs {package}, which is not installed: pip install 'aver[{extra}]'")


class ModelError(AverError):
    """A model's files are missing, damaged or of another kind."""


class BackendError(AverError):
    """An outside service failed."""


class Problems:
    """Collects what is wrong with an input, so that one error can tell all of it.

    >>> problems = Problems()
    >>> problems.add("gold.jsonl line 2", "has no 'label'")
    >>> problems.raise_if_any("the references cannot be scored")
    Traceback (most recent call last):
    aver.errors.InputError: the references cannot be scored (1 problem)
      - gold.jsonl line 2: has no 'label'
    """

    def __init__(self) -> None:
        self._found: list[str] = []
        self._hints: dict[str, None] = {}

    def add(self, place: str, what: str, *, hint: str = "") -> None:
        """Notes one problem; a `hint` that goes for many of them is told once, below the list."""
        self._found.append(f"{place}: {what}" if place else what)
        if hint:
            self._hints[hint] = None

    def __len__(self) -> int:
        return len(self._found)

    def raise_if_any(self, summary: str) -> None:
        if self._found:
            raise InputError(f"{summary} ({count_of(len(self._found), 'problem')})", self._found, tuple(self._hints))


def count_of(count: int, one: str, many: str = "") -> str:
    """A count and what is counted, as a message says it; `many` where an s at the end does not make it.

    >>> count_of(1, "row"), count_of(2_000, "row"), count_of(0, "row is", "rows are")
    ('1 row', '2,000 rows', '0 rows are')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def kind_of(value: object, *, none: str = "null") -> str:
    """What kind of value stands where another was expected, in words and with its article.

    >>> kind_of(5), kind_of([]), kind_of(None), kind_of(None, none="missing"), kind_of(Problems())
    ('a number', 'a list', 'null', 'missing', 'a Problems')
    """
    if value is None:
        return none
    if isinstance(value, float) and value != value:
        return "nan"  # what a table has where a cell is empty
    for types, words in _KINDS:
        if isinstance(value, types):
            return words
    name = type(value).__name__
    if name in ("bool", "bool_"):
        return "a truth value"  # numpy's, which is no bool
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "a truth value"), (Number, "a number"), (str, "a string"), (bytes, "bytes"), (list, "a list"),
    (tuple, "a tuple"), (dict, "a dictionary"),
)  # fmt: skip
