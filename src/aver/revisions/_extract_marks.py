"""An edit on one line, as the VitaminC paper writes it: `sales of{*| 4.7 -> 5.4 |}million`.

Between `{*|` and `->` stands what was there before, between `->` and `|}` what is there after, each with the very
spaces around it, so that both versions can be read back to the letter. The paper has no rule for a text that holds
these signs itself; here a backslash before them says that they are text.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import NamedTuple

from aver.errors import InputError
from aver.text import Word, words

__all__ = ["Edit", "Region", "changed_regions", "mark_edit", "read_edit"]

# Escaped are single characters that could begin a sign, so that no sign comes about where two pieces meet.
_SIGN = re.compile(r"\\|\{(?=\*)|-(?=>)|\|(?=\})")
_PART = re.compile(r"\\([\\{|:-])|(\{\*\||->|\|\})|(: )|(.)", re.DOTALL)
_BRIDGES = frozenset("a an and by for in of on or the to , 's - – . &".split())


class Edit(NamedTuple):
    """A sentence before and after an edit, and the title of its page where one is known."""

    before: str
    after: str
    title: str | None = None


class Region(NamedTuple):
    """What an edit changed: `before[start:end]` became `after[new_start:new_end]`; one of them may be empty."""

    start: int
    end: int
    new_start: int
    new_end: int


def changed_regions(before: str, after: str, *, bridge: bool = False) -> list[Region]:
    """The places where two versions differ, word by word, left to right.

    With `bridge`, two places with no more than a small word between them are one.

    >>> changed_regions("It has 3 seats .", "It has 12 green seats .")
    [Region(start=7, end=8, new_start=7, new_end=15)]
    """
    old, new = words(before), words(after)
    matcher = difflib.SequenceMatcher(None, [w.text for w in old], [w.text for w in new], autojunk=False)
    spans: list[tuple[int, int, int, int]] = []
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind == "equal":
            continue
        if bridge and spans and i - spans[-1][1] == 1 and old[i - 1].text.lower() in _BRIDGES:
            spans[-1] = (spans[-1][0], j, spans[-1][2], m)
        else:
            spans.append((i, j, k, m))
    return [Region(*_place(before, old, i, j), *_place(after, new, k, m)) for i, j, k, m in spans]


def _place(text: str, found: Sequence[Word], start: int, end: int) -> tuple[int, int]:
    if start < end:
        return found[start].start, found[end - 1].end
    at = found[start].start if start < len(found) else found[-1].end if found else len(text)
    return at, at


def mark_edit(before: str, after: str, *, title: str | None = None) -> str:
    """Both versions on one line; `read_edit` gives them back to the letter.

    >>> mark_edit("there have been 349 cases .", "there have been 444 cases .", title="Germany")
    'Germany: there have been{*| 349 -> 444 |}cases .'
    """
    pieces: list[str] = []
    last = 0
    for start, end, new_start, new_end in _with_spaces(before, after):
        pieces += [_escape(before[last:start]), "{*|", _escape(before[start:end]), "->"]
        pieces += [_escape(after[new_start:new_end]), "|}"]
        last = end
    pieces.append(_escape(before[last:]))
    marked = "".join(pieces)
    if title is None:
        return marked
    return _escape(title).replace(": ", "\\: ") + ": " + marked


def read_edit(text: str, *, titled: bool = False) -> Edit:
    """The two versions, and the title where the line begins with one (`titled`).

    >>> read_edit("Germany: there have been{*| 349 -> 444 |}cases .", titled=True)
    Edit(before='there have been 349 cases .', after='there have been 444 cases .', title='Germany')
    """
    sides: list[list[str]] = [[], []]
    title: list[str] | None = None
    where = "text"
    for match in _PART.finditer(text):
        literal, sign, colon, other = match.groups()
        at = f"at character {match.start() + 1}"
        if sign is not None:
            if (where, sign) not in _TURNS:
                raise InputError(f"{sign} {at} is out of place: an edit is written {{*| before -> after |}}")
            where = _TURNS[where, sign]
            continue
        if colon is not None and titled and title is None and where == "text":
            title, sides = sides[0], [[], []]
            continue
        said = literal or colon or other or ""
        for side, name in enumerate(("before", "after")):
            if where in ("text", name):
                sides[side].append(said)
    if where != "text":
        raise InputError("the edit is not closed: it is written {*| before -> after |}")
    if titled and title is None:
        raise InputError("there is no 'Title: ' before the sentence")
    return Edit("".join(sides[0]), "".join(sides[1]), None if title is None else "".join(title))


_TURNS = {("text", "{*|"): "before", ("before", "->"): "after", ("after", "|}"): "text"}


def _with_spaces(before: str, after: str) -> list[tuple[int, int, int, int]]:
    """The changed places with the white space around them, so that what lies between is the same to the letter."""
    grown: list[tuple[int, int, int, int]] = []
    for start, end, new_start, new_end in changed_regions(before, after):
        last, new_last = (grown[-1][1], grown[-1][3]) if grown else (0, 0)
        while start > last and before[start - 1].isspace():
            start -= 1
        while new_start > new_last and after[new_start - 1].isspace():
            new_start -= 1
        while end < len(before) and before[end].isspace():
            end += 1
        while new_end < len(after) and after[new_end].isspace():
            new_end += 1
        grown.append((start, end, new_start, new_end))
    return _same_between(before, after, grown)


def _same_between(before: str, after: str, spans: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """Joins places where what lies between them differs after all, in its white space."""
    kept: list[tuple[int, int, int, int]] = []
    for span in [*spans, (len(before), len(before), len(after), len(after))]:
        last, new_last = (kept[-1][1], kept[-1][3]) if kept else (0, 0)
        if before[last : span[0]] == after[new_last : span[2]]:
            kept.append(span)
        elif kept:
            kept[-1] = (kept[-1][0], span[1], kept[-1][2], span[3])
        else:
            kept.append((0, span[1], 0, span[3]))
    return [span for span in kept if span[0] < span[1] or span[2] < span[3]]


def _escape(text: str) -> str:
    return _SIGN.sub(lambda match: "\\" + match[0], text)
