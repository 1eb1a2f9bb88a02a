"""Words and where they stand."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Word", "opening", "words"]


class Word(NamedTuple):
    """A word and its place: `text[start:end]` is the word."""

    text: str
    start: int
    end: int

    @property
    def is_punctuation(self) -> bool:
        """No letter and no digit in it."""
        return not any(c.isalnum() for c in self.text)


# Letters and digits run together; one of .,'’-/: inside may join two such runs (U.S, 1,000.5, don't, 24/7). Not more
# than nine of them: a table without spaces is no word.
_WORD = re.compile(r"[^\W_]+(?:[.,'’\-/:][^\W_]+){0,8}|[^\w\s]|_+", re.UNICODE)


def words(text: str) -> list[Word]:
    """The words and the punctuation marks of a text, in order, with their character spans.

    >>> [w.text for w in words("It didn't sell 1,000.5 copies (in 2019).")]
    ['It', "didn't", 'sell', '1,000.5', 'copies', '(', 'in', '2019', ')', '.']
    >>> words("  Paris ")
    [Word(text='Paris', start=2, end=7)]
    """
    return [Word(match.group(), match.start(), match.end()) for match in _WORD.finditer(text)]


def opening(text: str) -> str:
    """How a text begins, in small letters and digits alone: by this one article is the same in two data sets.

    >>> opening("The BRIDGE, opened in 1931.") == opening("the bridge opened -- in 1931")
    True
    """
    return "".join(c for c in text.lower() if c.isalnum())[:50]
