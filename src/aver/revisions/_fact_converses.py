"""Facts that can be told from the other end: A is larger than B where B is smaller than A."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from aver.revisions._fact import SUBJECT, Fact, Filler, R, S
from aver.revisions._fact_roles import NAME, OBJECT

__all__ = ["find_converses"]

# relation -> the same from the other end
_THAN = {
    "greater": "smaller", "bigger": "smaller", "larger": "smaller", "higher": "lower", "taller": "shorter",
    "longer": "shorter",
    "older": "younger", "heavier": "lighter", "faster": "slower", "wider": "narrower", "deeper": "shallower",
    "richer": "poorer", "stronger": "weaker", "warmer": "colder", "more expensive": "cheaper",
}  # fmt: skip
_WINDS = {
    "north": "south", "east": "west", "northeast": "southwest", "northwest": "southeast", "north-east": "south-west",
    "north-west": "south-east",
}  # fmt: skip
# relation of A to B -> (how B stands to A, what would be said of B were it the other way round, A's relation then)
_OTHER_END = (
    {f"{word} than": (f"{other} than", f"{word} than", f"{other} than") for word, other in _THAN.items()}
    | {
        f"{other} than": (f"{word} than", f"{other} than", f"{word} than")
        for word, other in _THAN.items()
        if other != "shorter"  # of people it is "taller", of things "longer"
    }
    | {f"{word} of": (f"{other} of", f"{word} of", f"{other} of") for word, other in _WINDS.items()}
    | {f"{other} of": (f"{word} of", f"{other} of", f"{word} of") for word, other in _WINDS.items()}
    | {
        "the son of": ("a parent of", "a child of", "the father of"),
        "the daughter of": ("a parent of", "a child of", "the mother of"),
        "the father of": ("a child of", "a parent of", "the son of"),
        "the mother of": ("a child of", "a parent of", "the daughter of"),
        "a subsidiary of": ("the parent company of", "a subsidiary of", "the parent company of"),
        "the older brother of": ("younger than", "older than", "the younger brother of"),
        "the younger brother of": ("older than", "younger than", "the older brother of"),
        "the older sister of": ("younger than", "older than", "the younger sister of"),
        "the younger sister of": ("older than", "younger than", "the older sister of"),
        "the elder brother of": ("younger than", "older than", "the younger brother of"),
        "the successor of": ("the predecessor of", "the successor of", "the predecessor of"),
        "the predecessor of": ("the successor of", "the predecessor of", "the successor of"),
        "the successor to": ("the predecessor of", "the successor to", "the predecessor of"),
        "the sequel to": ("the predecessor of", "the sequel to", "the predecessor of"),
        "the teacher of": ("a student of", "a teacher of", "a student of"),
        "a student of": ("a teacher of", "a student of", "a teacher of"),
    }
)  # fmt: skip
_RELATED = re.compile(
    rf"(?P<a>He|She|It|(?:The )?{NAME})(?: \([^()]*\))?(?P<verb> (?:is|was|lies|are|were)(?: located| situated)?)"
    r"(?P<how>(?: (?:slightly|much|significantly|far|considerably|about|approximately|around|roughly|some|just|only))?"
    r"(?: [\d.,]+ (?:km|kilomet(?:re|er)s?|mi|miles?|m|met(?:re|er)s?)(?: \([^()]*\))?)?(?: to the)?) "
    rf"(?P<relation>{'|'.join(sorted(_OTHER_END, key=len, reverse=True))}) (?P<b>{NAME})(?= ?[,;]| ?[.]?$)"
    r"(?! ?, (?:Jr|Sr|[IVX]+)\b)"
)
_CAPITAL = re.compile(
    rf"(?P<a>(?!the ){NAME})(?: \([^()]*\))? (?P<was>is|was) the capital of (?P<b>(?!the ){NAME})(?= ?[,;]| ?[.]?$)"
)


def find_converses(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    """Comparisons, directions and kinship: what one is to the other, the other is to the one in reverse."""
    m = _RELATED.match(sentence)
    if m is not None and m["a"] != m["b"]:
        told, wrong, reverse = _OTHER_END[m["relation"]]
        how = re.sub(r" \([^()]*\)| (?:only|just)\b", "", m["how"])
        if told.endswith("than") and not m["relation"].endswith("than"):
            how = ""
        pronoun = m["a"] if m["a"] in OBJECT else ""
        a = SUBJECT if pronoun else re.sub("^The ", "the ", m["a"])
        b = m["b"][0].upper() + m["b"][1:]
        verb = m["verb"]
        if not b.endswith("s"):  # "The Falls are west of Rome": Rome is east of them
            verb = verb.replace("are", "is").replace("were", "was")
        fillers = Filler(f"{b}{verb}{how} {told} {a}", S, R), Filler(f"{b}{verb}{how} {wrong} {a}", R, S)
        new = sentence[: m.start("relation")] + reverse + sentence[m.end("relation") : m.end()]
        yield Fact("converse", 0, m.end(), m[0], new, fillers, ends=True, pronoun=pronoun)
    m = _CAPITAL.match(sentence)
    if m is not None and m["a"] != m["b"] and m["a"] not in OBJECT:
        a, b, was = m["a"], m["b"], m["was"]
        fillers = Filler(f"The capital of {b} {was} {a}", S, R), Filler(f"The capital of {a} {was} {b}", R, S)
        yield Fact("converse", 0, m.end(), m[0], f"{b} {was} the capital of {a}", fillers, ends=True)
