"""Words a claim puts between quotation marks: found as they are, found altered, or not found."""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Sequence
from typing import Any, Literal

from aver.text import Word, words

__all__ = ["QuoteCheck", "check_quote", "find_quotes"]

_QUOTED = re.compile(
    r"“([^“”]{3,2000})”|\"([^\"]{3,2000})\"|``\s?(.{3,2000}?)\s?''|«\s?([^«»]{3,2000}?)\s?»"
    r"|„([^„“”]{3,2000})[“”]|(?<!\w)‘((?:[^‘’]|(?<=\w)’(?=\w)){3,2000})’(?!\w)"
)
_FEWEST_WORDS = 3
"""Fewer words in quotation marks are a name or a title, not a quotation."""
_NEAR = 0.7
"""From which share of the quote's words on, in order and close together, it counts as altered."""


@dataclasses.dataclass(frozen=True, slots=True)
class QuoteCheck:
    """What became of one quotation."""

    quote: str
    outcome: Literal["found", "altered", "not found"]
    document: str = ""
    """Where it stands."""
    start: int = 0
    end: int = 0
    text: str = ""
    """What stands there."""
    missing: tuple[str, ...] = ()
    """Words of the quote that do not stand there."""
    added: tuple[str, ...] = ()
    """Words that stand there and were left out of the quote or replaced."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self)


def find_quotes(claim: str) -> list[str]:
    """The quotations of a claim: three words or more between quotation marks.

    >>> find_quotes('The mayor of “Arle” said: “We never closed the bridge.”')
    ['We never closed the bridge.']
    """
    found = [next(part for part in match.groups() if part) for match in _QUOTED.finditer(claim)]
    return [quote.strip() for quote in found if len(_plain(quote)) >= _FEWEST_WORDS]


def check_quote(quote: str, texts: Sequence[tuple[str, str]]) -> QuoteCheck:
    """Looks for a quotation in (name, text) pairs; the first text with the best outcome is named.

    Case, spacing and punctuation do not count; every word does.

    >>> source = [("minutes", "She said that we never once closed the old bridge.")]
    >>> check_quote("never once closed the old bridge", source).outcome
    'found'
    >>> altered = check_quote("we never closed the old bridge", source)
    >>> altered.outcome, altered.text, altered.added
    ('altered', 'we never once closed the old bridge', ('once',))
    >>> check_quote("the bridge will reopen soon", source).outcome
    'not found'
    """
    wanted = [folded for folded, _ in _plain(quote)]
    best: tuple[float, str, str, list[tuple[str, Word]], tuple[int, int]] | None = None
    for name, text in texts:
        there = _plain(text)
        folded = [word for word, _ in there]
        at = _position(wanted, folded)
        if at is not None:
            start, end = there[at][1].start, there[at + len(wanted) - 1][1].end
            return QuoteCheck(quote, "found", name, start, end, text[start:end])
        share, span = _nearest(wanted, folded)
        if best is None or share > best[0]:
            best = share, name, text, there, span
    if best is None or best[0] < _NEAR:
        return QuoteCheck(quote, "not found")
    _, name, text, there, (first, last) = best
    start, end = there[first][1].start, there[last - 1][1].end
    own = [word for word, _ in there[first:last]]
    missing, added = _differences(wanted, own)
    return QuoteCheck(quote, "altered", name, start, end, text[start:end], missing, added)


def _plain(text: str) -> list[tuple[str, Word]]:
    return [(w.text.casefold().replace("’", "'"), w) for w in words(text) if not w.is_punctuation]


def _position(wanted: list[str], there: list[str]) -> int | None:
    first = wanted[0] if wanted else None
    for at, word in enumerate(there[: len(there) - len(wanted) + 1] if wanted else []):
        if word == first and there[at : at + len(wanted)] == wanted:
            return at
    return None


def _nearest(wanted: list[str], there: list[str]) -> tuple[float, tuple[int, int]]:
    """The stretch that holds most of the words in order, at most half as long again as the quote."""
    room = len(wanted) + max(2, len(wanted) // 2)
    known = set(wanted)
    places = [at for at, word in enumerate(there) if word in known]
    best, span = 0.0, (0, 0)
    for start in places:
        window = there[start : start + room]
        if sum(word in known for word in window) / len(wanted) <= best:
            continue
        blocks = difflib.SequenceMatcher(None, wanted, window, autojunk=False).get_matching_blocks()[:-1]
        share = sum(block.size for block in blocks) / len(wanted)
        if blocks and share > best:
            best, span = share, (start + blocks[0].b, start + blocks[-1].b + blocks[-1].size)
    return best, span


def _differences(wanted: list[str], own: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    missing: list[str] = []
    added: list[str] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, wanted, own, autojunk=False).get_opcodes():
        if tag != "equal":
            missing += wanted[a:b]
            added += own[c:d]
    return tuple(missing), tuple(added)
