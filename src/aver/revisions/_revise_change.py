"""A change of a sentence: which characters go, what comes instead, and how the seams are mended."""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from aver.text import words

__all__ = ["Change", "applied", "faults", "overlapping", "size"]

_TOKENISED = re.compile(r"(?<=\w) [.,!?;](?= |$)|``|(?<=\w) 's\b")
_ARTICLE = re.compile(r"\b([Aa])(n?)(\s+(?:``\s?|[\"“‘(]\s?)?)(\w[\w.'-]*)")
# By its sound: "an hour", "an 8", "an FBI agent"; "a union", "a one-off", "a UK visit".
_VOWEL = re.compile(
    r"[aeioAEIO]|[uU](?!ni(?!n)|s[aeiu]|ti|bi|k)|8|1[18](?:\D|$)|[Hh](?:our|ono|eir|onest)|[FHLMNRSX][A-Z0-9]+(?![a-z])"
)
_NOT_VOWEL = re.compile(r"[Ee]u|[Oo]n(?:e|ce)\b|[Uu]ni(?!n)|[Uu]s[eu]|[Uu]t[ie]|U[KSN]\b")
_DOUBLE = re.compile(r"\b(\w+)\s+\1\b", re.IGNORECASE)
_CLASH = re.compile(
    r"\b(?:(?:in|on|at|of|by|to|from|with|for) (?:in|on|at|of|by|to|with|for)"
    r"|(?:in|on|at|of) (?:before|after|until|since)|(?:a|an|the) (?:a|an|the|is|was|of|in|by)"
    r"|(?:to|from|since|until) (?:until|since|in|on|at)|despite (?:because|of|in)|because because"
    r"|(?:is|was|are|were) (?:is|was|are|were|has|had))\b",
    re.IGNORECASE,
)
_ONE_OF_MANY = re.compile(
    r"(?<![\w.,$£€-])(?:1|one) (?!(?:is|was|has|yes|us|its|this|times|as|plus)\b)[a-z]+[a-rt-z]s\b"
)
_DOUBLES_ALLOWED = frozenset("that had is do ha no bora walla new big very".split())


class Change(NamedTuple):
    """Characters `start` to `end` of a sentence, what stands there, and what is to stand there."""

    start: int
    end: int
    old: str
    new: str
    kind: str
    """`figure`, `phrase`, `word`, `negation`, `insertion`, `deletion`, or `generated` by a model."""
    prior: float = 0.0
    """How likely it looked before the judge was asked."""


def applied(sentence: str, changes: Iterable[Change]) -> str:
    """The sentence with the changes made, and the seams mended: spaces, "a" or "an", the capital at the start.

    >>> applied("She is a British singer .", [Change(9, 16, "British", "Italian", "word")])
    'She is an Italian singer .'
    """
    pieces: list[str] = []
    seams: list[int] = []
    last = 0
    for change in sorted(changes):
        pieces.append(sentence[last : change.start])
        seams.append(sum(map(len, pieces)))
        pieces.append(change.new)
        seams.append(seams[-1] + len(change.new))
        last = change.end
    pieces.append(sentence[last:])
    text = "".join(pieces)
    for seam in reversed(seams):
        text = _mended(text, seam, tokenised=_TOKENISED.search(sentence) is not None)
    text = _with_articles(sentence, text)
    if sentence[:1].isupper() and text[:1].islower():
        text = text[0].upper() + text[1:]
    return text


def _mended(text: str, seam: int, *, tokenised: bool) -> str:
    """One space where words meet, none where a mark follows (unless the text puts one there)."""
    left, right = text[:seam].rstrip(" "), text[seam:].lstrip(" ")
    gap = " " if (len(left) < seam or len(right) < len(text) - seam) else ""
    if left and right and left[-1].isalnum() and right[0].isalnum():
        gap = gap or ("" if seam and text[seam - 1 : seam + 1].strip() == text[seam - 1 : seam + 1] else " ")
    if not left or not right:
        gap = ""
    if not tokenised and right[:1] in ".,;:!?)" and left:
        gap = ""
    while right.startswith((",", ";")) and (not left or left.endswith((",", ";", "("))):
        right = right[1:].lstrip(" ")
        if left.endswith((",", ";")) and right[:1].isalnum():
            gap = " "
    if right.startswith(".") and left.endswith((",", ";")):
        left = left[:-1].rstrip(" ")
    return left + gap + right


def _with_articles(before: str, text: str) -> str:
    """ "a" or "an" as the word after it needs, where the article or its word is new."""
    known = {match[0].lower() for match in _ARTICLE.finditer(before)}

    def mend(match: re.Match[str]) -> str:
        if match[0].lower() in known:
            return match[0]
        vowel = _VOWEL.match(match[4]) is not None and _NOT_VOWEL.match(match[4]) is None
        return f"{match[1]}{'n' if vowel else ''}{match[3]}{match[4]}"

    return _ARTICLE.sub(mend, text)


def faults(text: str, before: str) -> int:
    """How many small faults a change brought in: doubled words, clashing prepositions, open brackets, "1 cases".

    >>> faults("He was born in in Rome .", "He was born in Rome .")
    2
    """
    return max(0, _faults(text) - _faults(before))


def _faults(text: str) -> int:
    doubled = sum(match[1].lower() not in _DOUBLES_ALLOWED for match in _DOUBLE.finditer(text))
    clashes = len(_CLASH.findall(text))
    brackets = abs(text.count("(") - text.count(")")) + abs(text.count("``") - text.count("''"))
    number = len(_ONE_OF_MANY.findall(text))
    loose = len(re.findall(r"\s,\s*,|\(\s*\)|,\s*\.", text))
    return doubled + clashes + brackets + number + loose


def size(before: str, after: str) -> int:
    """How many words go and come, the larger of the two at each place.

    >>> size("It has 3 old seats .", "It has 12 seats .")
    2
    """
    old, new = ([w.text for w in words(text)] for text in (before, after))
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return sum(max(j - i, m - k) for kind, i, j, k, m in matcher.get_opcodes() if kind != "equal")


def overlapping(changes: Sequence[Change]) -> bool:
    """Whether two of the changes touch the same characters."""
    ordered = sorted(changes)
    return any(a.end > b.start for a, b in itertools.pairwise(ordered))
