"""What differs between two versions of a sentence, word by word."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from aver.text import Word, words

__all__ = ["WordEdit", "diff_words", "marked"]

Operation = Literal["insert", "delete", "replace"]

_MOST = 1500
"""Words on a side that are compared one by one; beyond it, what lies between the common ends is one edit."""


class WordEdit(NamedTuple):
    """Words that were put in, taken out or replaced; spans are of the text before and the text after."""

    operation: Operation
    before: str
    after: str
    before_span: tuple[int, int]
    after_span: tuple[int, int]

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {**self._asdict(), "before_span": list(self.before_span), "after_span": list(self.after_span)}


def diff_words(before: str, after: str) -> tuple[WordEdit, ...]:
    """The edits that make `before` into `after`, in reading order; white space alone is no edit.

    >>> for edit in diff_words("The film made $ 16 million.", "The new film made $ 18 million."):
    ...     print(edit.operation, repr(edit.before), repr(edit.after))
    insert '' 'new'
    replace '16' '18'
    """
    old, new = words(before), words(after)
    left, right = [w.text for w in old], [w.text for w in new]
    start, stop = _common_ends(left, right)
    found = []
    for tag, a, b, c, d in _opcodes(left, right, start, stop):
        if tag != "equal":
            operation: Operation = "insert" if a == b else "delete" if c == d else "replace"
            first, second = _span(old, a, b, len(before)), _span(new, c, d, len(after))
            found.append(WordEdit(operation, before[slice(*first)], after[slice(*second)], first, second))
    return tuple(found)


def marked(before: str, after: str) -> str:
    """One line that shows the edit: [-taken out-] and {+put in+}, as `git diff --word-diff` has it.

    >>> marked("He won two medals.", "He won three medals in Rome.")
    'He won [-two-]{+three+} medals {+in Rome+}.'
    >>> marked("The fine was 10,000 euros.", "The fine was €10,000.")
    'The fine was {+€+}10,000 [-euros-].'
    """
    pieces: list[str] = []
    at = 0
    for edit in diff_words(before, after):
        start, end = edit.before_span
        pieces.append(before[at:start])
        if edit.operation == "insert":
            # the spaces around it are those of the new version, which may put it against a word or between two
            left, right = edit.after_span
            pieces[-1] = pieces[-1].rstrip()
            pieces.append(_space_before(after, left) + f"{{+{edit.after}+}}" + _space_behind(after, right))
            at = end + len(_space_behind(before, end))
            continue
        pieces.append(f"[-{edit.before}-]" + (f"{{+{edit.after}+}}" if edit.after else ""))
        at = end
    return "".join([*pieces, before[at:]])


def _space_before(text: str, at: int) -> str:
    return text[len(text[:at].rstrip()) : at]


def _space_behind(text: str, at: int) -> str:
    return text[at : len(text) - len(text[at:].lstrip())]


def _common_ends(left: Sequence[str], right: Sequence[str]) -> tuple[int, int]:
    shorter = min(len(left), len(right))
    start = next((i for i in range(shorter) if left[i] != right[i]), shorter)
    stop = next((i for i in range(shorter - start) if left[-1 - i] != right[-1 - i]), shorter - start)
    return start, stop


def _opcodes(left: list[str], right: list[str], start: int, stop: int) -> list[tuple[str, int, int, int, int]]:
    a, b, c, d = start, len(left) - stop, start, len(right) - stop
    if b - a > _MOST or d - c > _MOST:
        # difflib takes the square of the length in the worst case; such a text is no sentence
        return [("replace", a, b, c, d)] if b > a or d > c else []
    matcher = difflib.SequenceMatcher(None, left[a:b], right[c:d], autojunk=False)
    return [(tag, i + a, j + a, k + c, m + c) for tag, i, j, k, m in matcher.get_opcodes()]


def _span(found: Sequence[Word], first: int, last: int, length: int) -> tuple[int, int]:
    if first < last:
        return found[first].start, found[last - 1].end
    at = found[first - 1].end if first else 0
    return min(at, length), min(at, length)
