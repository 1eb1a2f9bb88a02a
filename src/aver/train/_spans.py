"""Two versions of a sentence: whether they are, and which words the one has and the other has not."""

from __future__ import annotations

import difflib
import re

__all__ = ["changed_spans", "twins"]

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


def twins(a: str, b: str) -> bool:
    """Whether two sentences are a small edit apart: as long, and the same at the beginning or at the end.

    >>> twins("It sank in April 1912 .", "It sank in April 1913 ."), twins("It sank .", "It sank .")
    (True, False)
    """
    return a != b and abs(len(a) - len(b)) < 30 and (a[:12] == b[:12] or a[-20:] == b[-20:])
