"""What a sentence speaks of where that has a number for a name: Bus 12 is not Bus 15, and neither is so many buses."""

from __future__ import annotations

import re
from typing import NamedTuple

from aver.text import find_unit
from aver.text._quantities import CUES, MONTHS

__all__ = ["Numbered", "numbered_subject", "speaks_of_another"]

_SUBJECT = re.compile(
    r"\s*(?:[-•*]\s)?[\"“‘']?(?:(?i:the|a|an|our|their|its|his|her)\s)?"
    r"(?P<name>(?:[a-z]?[A-Z][\w'’-]*\s){1,5})(?P<number>\d{1,5}[A-Z]?)(?=[\"”’]?\s[^\W\d]|['’]s\b|:)"
    r"(?!\s(?:per|percent|hundred|thousand|million|billion|and|or|to|[A-Z]\w*\s\d))"
)
_FUNCTION_WORDS = (
    "about after all almost also although and another around as at barely because before below beneath between both "
    "but by despite during each even every exactly few first following for from he her his hundreds if in including "
    "inside into it its just last less like many merely more most near nearly next no not number of on once one "
    "only or other our out over past per roughly she since so some still such than that the their then there these "
    "they this those though thousands to today top total under until upon was we when where while with within "
    "without yet you"
)
_NO_HEADS = (
    "across against age aged ages altogether amid among beyond besides children friday maybe meanwhile monday "
    "nationwide overall people perhaps population revenue saturday sunday thursday throughout together tonight "
    "tuesday turnout via wednesday worldwide yesterday"
)
_NO_NAMES = frozenset(
    (
        *_NO_HEADS.split(),
        *_FUNCTION_WORDS.split(),
        *map(str.casefold, MONTHS),
        *(w for cue in CUES for w in cue.split()),
    )
)
_COUNT = re.compile(r"\s(?:[A-Z]\w+\s)?(?:[A-Z]\w*[^\Wsu]s|People|Children|Men|Women)\b")
"""Behind a number in a headline: so many of them, "Kills 20 People"."""
_HEADLINE_VERBS = frozenset(
    "add arrest ban build buy charge claim close confirm cut face fear find fine free get had has have held hit hold "
    "hurt injure jail kill left lose lost made make name need open plan pull put rescue report save say see seize sell "
    "send sent sign take took want win won".split()
)
_NUMBERED_THINGS = frozenset("series windows games gears".split())
"""Names in -s that have numbers, and are no verbs."""
_VERBAL, _MAKERS = ("ing", "ed", "ly"), ("boeing",)
_MONTH = re.compile(rf"\s(?:{'|'.join(MONTHS)})\b")


class Numbered(NamedTuple):
    """A name that ends in a number."""

    name: str
    number: str
    span: tuple[int, int]
    """Where the number stands."""

    def __str__(self) -> str:
        return f"{self.name} {self.number}"


def numbered_subject(text: str) -> Numbered | None:
    """What a sentence begins by speaking of, where that is a name with a number.

    >>> numbered_subject("Bus 12 stops here."), numbered_subject("The Iron Man 2 premiere sold out.").name
    (Numbered(name='Bus', number='12', span=(4, 6)), 'Iron Man')
    >>> numbered_subject("Only 12 buses stop here."), numbered_subject("It was a Category 5 storm.")
    (None, None)
    """
    match = _SUBJECT.match(text)
    if match is None:
        return None
    words = match["name"].split()
    head = words[-1].casefold()
    if any(word.casefold() in _NO_NAMES for word in words) or (head.endswith(_VERBAL) and head not in _MAKERS):
        return None
    if find_unit(text, match.end("number")) is not None or _MONTH.match(text, match.end("number")):
        return None
    verb = head in _HEADLINE_VERBS or (head.endswith("s") and not head.endswith(("ss", "us")))
    if len(words) > 1 and verb and head not in _NUMBERED_THINGS and _COUNT.match(text, match.end("number")):
        return None
    if len(match["number"]) == 4 and match["number"][:2] in ("17", "18", "19", "20"):
        return None
    return Numbered(" ".join(words), match["number"], match.span("number"))


def speaks_of_another(claim: str, sentence: str, title: str = "") -> bool:
    """The sentence is on one of the same name and another number, and does not mention the claim's.

    >>> speaks_of_another("Bus 12 stops at the mill.", "Bus 15 stops at the mill.")
    True
    >>> speaks_of_another("Bus 12 stops at the mill.", "Bus 15 stops where Bus 12 does.")
    False
    """
    ours = numbered_subject(claim)
    if ours is None:
        return False
    theirs = numbered_subject(sentence)
    if theirs is None or theirs.number == ours.number or theirs.name.split()[-1] != ours.name.split()[-1]:
        return False
    # of both something is said where the number of either stands in the other
    said = (f"{title}: {sentence}", ours.number), (claim, theirs.number)
    return not any(re.search(rf"(?<!\d){re.escape(number)}(?!\d)", text) for text, number in said)
