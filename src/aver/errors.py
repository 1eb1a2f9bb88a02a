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

__all__ = ["AverError", "BackendError", "InputError", "LabelError", "MissingExtra", "ModelError", "Problems"]

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
            count = f"{len(self._found)} problem" + ("s" if len(self._found) > 1 else "")
            raise InputError(f"{summary} ({count})", self._found, tuple(self._hints))
