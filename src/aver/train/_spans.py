"""Which words of a text another version of it does not have."""

from __future__ import annotations

import difflib
import re

__all__ = ["changed_spans"]

_TOKEN = re.compile(r"\w+(?:[.,]\d+)*|[^\w\s]")


def changed_spans(text: str, other: str) -> tuple[tuple[int, int], ...]:
    """The words of `text` that `other` does not have in their place.

    >>> changed_spans("It sank in 1912.", "It sank in 1913.")
    ((11, 15),)
    """
    mine = list(_TOKEN.finditer(text))
    matcher = difflib.SequenceMatcher(
        None, [m[0].lower() for m in mine], [w.lower() for w in _TOKEN.findall(other)], autojunk=False
    )
    changed = [mine[i] for tag, a, b, _, _ in matcher.get_opcodes() if tag != "equal" for i in range(a, b)]
    return tuple((m.start(), m.end()) for m in changed if m[0][0].isalnum())
