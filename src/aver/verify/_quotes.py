"""Words a claim puts between quotation marks: found as they are, found altered, or not found."""

from __future__ import annotations

import dataclasses
import difflib
import re
import unicodedata
from collections.abc import Sequence
from typing import Any, Literal

from aver.text import Word, words

__all__ = ["QuoteCheck", "check_quote", "find_quotes"]

# What a straight mark is, is told by what stands beside it: behind a digit it opens nothing (6'2"), between letters it
# is an apostrophe (it's), before '90s or 'tis too. Behind an s ("the boys' school") or a digit it may end a quotation,
# and does unless the next one can be nothing else.
QUOTED = re.compile(
    r"“([^“”]{3,2000})”"
    r"|(?:(?<!\S)\"|(?<!\d)\"(?=\S))((?:[^\"]|(?<=\d)\"(?=\s[^\"]*[^\s\d(\[—–\"-]\"(?!\w))){3,2000})\""
    r"|``\s?(.{3,2000}?)\s?''|«\s?([^«»]{3,2000}?)\s?»"
    r"|„([^„“”]{3,2000})[“”]|(?<!\w)‘((?:[^‘’]|(?<=\w)’(?=\w)){3,2000})’(?!\w)"
    r"|(?<![\w'’])'(?=[\w“\"(\[…])(?!(?:\d\ds?|tis|twas|twere|em|til|till|cause|bout|round|n|cos|neath)\b)"
    r"((?:[^']|(?<=\w)'(?=\w)|(?<=[s\d])'(?=\s(?:[^']|(?<=\w)'(?=\w))*[^\s\ds(\[—–'-]'(?![\w']))){3,2000})"
    r"(?<=\S)'(?![\w'])",
    re.IGNORECASE,
)
"""Something between quotation marks, in whichever group."""
_FEWEST_WORDS = 3
"""Fewer words in quotation marks are a name or a title, not a quotation."""
_NEAR = 0.7
"""From which share of the quote's words on, in order and close together, it counts as altered."""
_FEW = 3
"""Of so few words one may be another, which is less than that share."""
_UNTELLING = frozenset("a an and as at by for from in is it of on or that the this to was with".split())
_BREAK = re.compile(r"[.!?;:](?=\s)")
_MINUS = frozenset("-−–")
_PER_CENT = re.compile(r"\s?([%‰％])")


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
    found = [next(part for part in match.groups() if part) for match in QUOTED.finditer(claim)]
    return [quote.strip() for quote in found if _count(quote) >= _FEWEST_WORDS]


def check_quote(quote: str, texts: Sequence[tuple[str, str]]) -> QuoteCheck:
    """Looks for a quotation in (name, text) pairs; the first text with the best outcome is named.

    Case, spacing, hyphens and punctuation do not count; every word does, and of a figure its sign, per cent and
    currency.

    >>> source = [("minutes", "She said that we never once closed the old bridge.")]
    >>> check_quote("never once closed the old bridge", source).outcome
    'found'
    >>> altered = check_quote("we never closed the old bridge", source)
    >>> altered.outcome, altered.text, altered.added
    ('altered', 'we never once closed the old bridge', ('once',))
    >>> check_quote("the bridge will reopen soon", source).outcome
    'not found'
    >>> check_quote("prices rose 5%", [("report", "In May prices rose $5.")]).missing
    ('5%',)
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
        if share < _NEAR and (other := _one_other(wanted, there, text)) is not None:
            share, span = _NEAR, (other, other + len(wanted))
        if best is None or share > best[0]:
            best = share, name, text, there, span
    if best is None or best[0] < _NEAR:
        return QuoteCheck(quote, "not found")
    _, name, text, there, (first, last) = best
    start, end = there[first][1].start, there[last - 1][1].end
    own = [word for word, _ in there[first:last]]
    missing, added = _differences(wanted, own)
    return QuoteCheck(quote, "altered", name, start, end, text[start:end], missing, added)


def _count(text: str) -> int:
    return sum(not w.is_punctuation for w in words(text))


def _plain(text: str) -> list[tuple[str, Word]]:
    """The words as they are compared, with their places: apart at hyphens, figures with what belongs to them.

    >>> [word for word, _ in _plain("A state-of-the-art Mill lost -5 % of its US$ 3m.")]
    ['a', 'state', 'of', 'the', 'art', 'mill', 'lost', '-5%', 'of', 'its', 'us', '$3m']
    """
    found: list[tuple[str, Word]] = []
    for word in words(text):
        if word.is_punctuation:
            continue
        at = word.start
        for part in word.text.split("-"):
            folded, start, end = part.casefold().replace("’", "'"), at, at + len(part)
            if part[0].isdigit():
                folded, start, end = _figure(text, folded, start, end)
            found.append((folded, Word(text[start:end], start, end)))
            at += len(part) + 1
    return found


def _figure(text: str, folded: str, start: int, end: int) -> tuple[str, int, int]:
    """A figure with its sign, per cent and currency, wherever that stands: "€5" and "5 €" are the same."""
    currency = ""
    if _is_currency(text[start - 1 : start]):
        currency, start = text[start - 1], start - 1
    elif (
        text[start - 1 : start].isspace()
        and _is_currency(text[max(0, start - 2) : start - 1])
        and not text[max(0, start - 4) : start - 2].strip()[-1:].isdigit()  # of "5 € 10" the first figure has it
    ):
        currency, start = text[start - 2], start - 2
    sign = ""
    before = text[start - 1 : start]
    if before and (before in _MINUS or before == "±") and not text[max(0, start - 2) : start - 1].strip(" \t\n([“\"'‘"):
        sign, start = "±" if before == "±" else "-", start - 1
        if not currency and _is_currency(text[start - 1 : start]):  # "$-5"
            currency, start = text[start - 1], start - 1
    share = _PER_CENT.match(text, end)
    if share is not None and text[end - 1].isdigit():
        return f"{sign}{currency}{folded}{share[1].replace('％', '%')}", start, share.end()
    behind = end + text[end : end + 1].isspace()
    if not currency and _is_currency(text[behind : behind + 1]) and not text[behind + 1 : behind + 2].isdigit():
        currency, end = text[behind], behind + 1
    return f"{sign}{currency}{folded}", start, end


def _is_currency(mark: str) -> bool:
    return mark != "" and unicodedata.category(mark) == "Sc"


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


def _one_other(wanted: list[str], there: list[tuple[str, Word]], text: str) -> int | None:
    """Where a quote of three words stands with one of them another, if it does.

    The two that are the same must tell something, or the other be a figure for a figure: “the salt trade” is not
    “The Salt Road”, altered.
    """
    if len(wanted) != _FEW:
        return None
    for at in range(len(there) - _FEW + 1):
        window = there[at : at + _FEW]
        same = [word for word, (own, _) in zip(wanted, window, strict=True) if word == own]
        if len(same) != _FEW - 1 or _BREAK.search(text, window[0][1].start, window[-1][1].end):
            continue
        other = next(pair for pair in zip(wanted, (own for own, _ in window), strict=True) if pair[0] != pair[1])
        figures = all(any(c.isdigit() for c in word) for word in other)
        if sum(word not in _UNTELLING for word in same) >= (1 if figures else 2):
            return at
    return None


def _differences(wanted: list[str], own: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    missing: list[str] = []
    added: list[str] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, wanted, own, autojunk=False).get_opcodes():
        if tag != "equal":
            missing += wanted[a:b]
            added += own[c:d]
    return tuple(missing), tuple(added)
