"""Edits that nobody means: undone ones, blankings, shouting, obscenities, a hand on the keyboard.

A few plain rules, each counted by its name, in place of a model: they are cheap, they can be read, and what they let by
is seen when the pairs are labelled. Reverts are found elsewhere, by the text itself (`_mine`).
"""

from __future__ import annotations

import re

__all__ = ["VANDALISM", "says_revert", "undone_revision", "vandalised_page", "vandalised_sentence"]

VANDALISM = {
    "blanked": "four fifths of a page of 500 characters or more are gone",
    "repetition": "a character six times in a row, or a word four times, that was not there before",
    "shouting": "three words or more in a row are in capitals, where none were before",
    "obscenity": "a word of abuse that was not there before",
    "mashing": "a word put in has six consonants or more in a row and is no abbreviation",
    "chatter": "the reader is addressed or greeted (“hi”, “lol”, “!!”) where that was not so before",
}
"""The rules by the names they are counted under."""

_REVERT = re.compile(
    r"\b(?:rvv?|rev|revert(?:s|ed|ing)?|undo|undid|undoing|rollback|rolled back|restored?|vandal\w*|rm vandal\w*)\b|"
    r"\bWP:(?:UNDO|ROLLBACK|VAND)|\bUndid revision\b",
    re.IGNORECASE,
)
_UNDID = re.compile(r"\b(?:Undid|Undo|Reverted) (?:revision|edit) (\d+)", re.IGNORECASE)
_REPEATED = re.compile(r"([^\W\d_])\1{5,}|([!?])\2{3,}|\b(\w+)(?:\W+\3\b){3,}", re.IGNORECASE)
_OBSCENE = re.compile(
    r"\b(?:fuck\w*|shit\w*|bitch\w*|asshole\w*|cunt\w*|faggot\w*|nigg\w+|dickhead\w*|penis\w*|poop\w*|boob\w*|"
    r"butt ?hole\w*|wank\w*|suck(?:s|ed)? (?:dick|cock|balls|ass)|is gay|so gay|retard(?:ed)?|stupid|idiots?|loser)\b",
    re.IGNORECASE,
)
_MASHED = re.compile(r"\b[a-z]*[bcdfghjklmnpqrstvwxz]{6,}[a-z]*\b")
_CHATTER = re.compile(
    r"\b(?:hi|hello|hey|lol|lmao|omg|haha\w*|lolz|yolo|kewl|u r|wuz here|was here)\b|!{2,}|:-?[)D(](?=\s|$)",
    re.IGNORECASE,
)

_SHOUTED = re.compile(r"\b[A-Z]{2,}(?:\s+[A-Z]{2,}){2,}\b")
_RULES = (
    ("repetition", _REPEATED), ("shouting", _SHOUTED), ("obscenity", _OBSCENE), ("mashing", _MASHED),
    ("chatter", _CHATTER),
)  # fmt: skip


def says_revert(comment: str) -> bool:
    """Whether a comment says that the edit takes others back.

    >>> says_revert("rv vandalism"), says_revert("reverie added")
    (True, False)
    """
    return _REVERT.search(comment) is not None


def undone_revision(comment: str) -> str | None:
    """The revision that a comment says was undone.

    >>> undone_revision("Undid revision 12345 by [[User:X]]")
    '12345'
    """
    found = _UNDID.search(comment)
    return found[1] if found else None


def vandalised_page(old: str, new: str) -> str | None:
    """The rule that a whole edit breaks, or None."""
    return "blanked" if len(old) >= 500 and len(new) * 5 < len(old) else None


def vandalised_sentence(before: str, after: str) -> str | None:
    """The rule that an edited sentence breaks, or None.

    >>> vandalised_sentence("The town lies in Kent.", "The town lies in Kent and SUCKS BIG TIME.")
    'shouting'
    >>> vandalised_sentence("The town lies in Kent.", "The town lies in Sussex.")
    """
    for name, rule in _RULES:
        if rule.search(after) and not rule.search(before):
            return name
    return None
