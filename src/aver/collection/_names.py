"""The names documents go by, folded so that a claim's words find them."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

__all__ = ["ALIAS", "BASE", "TITLE", "Token", "fold_name", "fold_tokens", "title_names"]

TITLE, BASE, ALIAS = 0, 1, 2
"""Kinds of a name: the title itself, the title without an addition, another name that leads to a title."""

_WORD = re.compile(r"[^\W_]+")
_ADDITION = re.compile(r"\s*\([^()]*\)\s*$")
_ARTICLES = frozenset({"the", "a", "an"})


class Token(NamedTuple):
    """A folded word and where it stands in the text it came from."""

    text: str
    start: int
    end: int


def fold_tokens(text: str) -> list[Token]:
    """The words of a text without case and accents; punctuation and underscores only part them.

    >>> [token.text for token in fold_tokens("Beyoncé's “Single_Ladies” (U.S.)")]
    ['beyonce', 's', 'single', 'ladies', 'u', 's']
    """
    if text.isascii():
        return [Token(m.group().lower(), m.start(), m.end()) for m in _WORD.finditer(text)]
    return [Token(_fold(m.group()), m.start(), m.end()) for m in _WORD.finditer(text)]


def fold_name(text: str) -> str:
    """A name as it is looked up.

    >>> fold_name("Soul Food (film)")
    'soul food film'
    """
    words = _WORD.findall(text)
    return " ".join(words).lower() if text.isascii() else " ".join(map(_fold, words))


def title_names(title: str) -> list[tuple[str, int]]:
    """The names a title can be called by, each with its kind.

    >>> title_names("The Office (American TV series)")
    [('the office american tv series', 0), ('the office', 1), ('office', 1)]
    """
    whole = fold_name(title)
    if not whole:
        return []
    names = {whole: TITLE}
    base = fold_name(_ADDITION.sub("", title))
    if base:
        names.setdefault(base, BASE)
        article, _, rest = base.partition(" ")
        if rest and article in _ARTICLES:
            names.setdefault(rest, BASE)
    return list(names.items())


def _fold(word: str) -> str:
    if word.isascii():
        return word.lower()
    apart = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in apart if not unicodedata.combining(c))
