"""What a number counts."""

from __future__ import annotations

import re

from aver.verify._figure import NEAR

__all__ = ["counted"]

_COUNTED = re.compile(r"[\s+-]*(?:of\s+)?(?:the\s+)?([^\W\d_]{2,})")
_MEASURED = re.compile(
    r"\b(number\s+of\s+)?([^\W\d_]{3,})\s+(?:of|is|was|at|to|totall?ed|reached|stood\s+at)\s+(?:\w+\s+){0,2}?$",
    re.IGNORECASE,
)
_EMPTY_UNITS = frozenset(
    "and or in of to by on at for as from with the an is was were are than that which who more less per over under "
    "against elsewhere abroad overseas there here between during after before while when where since until but hundred "
    "thousand million billion trillion doubled tripled rose risen fell fallen grew grown increased decreased "
    "dropped".split()
)
_ADJECTIVES = frozenset(
    "new other more different additional further old young large small big major minor total full local official "
    "confirmed consecutive recorded known separate individual main public private male female extra".split()
)
_LABEL = re.compile(
    r"(?:\b[Nn]o\.|\b[Nn]umber|#|\b(?:Formula|Ligue|League|Type|Grade|Phase|Level|Article|Section|Top|Apollo|Route))\s?$"
)
"""Before a number that counts nothing: a rank, or part of a name."""
_YEAR = re.compile(r"\b[12]\d{3}$")
_PLURALS = {"people": "person", "children": "child", "men": "man", "women": "woman"}


def counted(text: str, end: int, cue: int) -> str:
    """What is counted: the first noun behind the number, in the singular; else what it is the number of."""
    if _LABEL.search(text, max(0, cue - NEAR), cue):
        return ""
    at = end
    for _ in range(3):
        match = _COUNTED.match(text, at)
        word = match[1].casefold() if match is not None else ""
        if match is None or word in _EMPTY_UNITS:
            break
        if word not in _ADJECTIVES:
            # "his 1959 novel" counts no novels
            year = _YEAR.search(text, max(0, end - 5), end) is not None
            return "" if year and _singular(word) == word else _singular(word)
        at = match.end()
    before = _MEASURED.search(text, max(0, cue - NEAR), cue)
    if before is None or before[2].casefold() in _EMPTY_UNITS:
        return ""
    return _singular(before[2].casefold()) if before[1] else f"{before[2].casefold()} of"


def _singular(word: str) -> str:
    """Without the ending of a plural.

    >>> [_singular(word) for word in ("copies", "rooms", "classes", "women", "glass")]
    ['copy', 'room', 'class', 'woman', 'glass']
    """
    if word in _PLURALS:
        return _PLURALS[word]
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us")) else word
