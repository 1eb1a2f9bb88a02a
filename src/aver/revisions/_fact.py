"""What a fact is: a slot in a sentence, its filler, another filler, and what claims about the slot are worth."""

from __future__ import annotations

import dataclasses
import re
from typing import Literal

from aver.labels import Label

__all__ = ["UNIQUE", "VERB", "Fact", "Filler", "position", "swap"]

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO


@dataclasses.dataclass(frozen=True, slots=True)
class Filler:
    """What a claim says in the slot, and its label when the evidence has the old or the new filler."""

    text: str
    under_old: Label
    under_new: Label


@dataclasses.dataclass(frozen=True, slots=True)
class Fact:
    """A slot of a sentence, what stands there, and what to put instead."""

    kind: str
    start: int
    end: int
    old: str
    new: str
    fillers: tuple[Filler, ...]
    vague: str | None = None
    """What makes the sentence silent about the fact ("many", or nothing at all); None where nothing does."""


def swap(
    kind: str, start: int, end: int, old: str, new: str, *, vague: str | None = None, other: Label = Label.REFUTES
) -> Fact:
    """A fact with two plain claims; `other` is the label of each under the other's evidence."""
    return Fact(kind, start, end, old, new, (Filler(old, S, other), Filler(new, other, S)), vague)


# Words that are finite verbs nearly wherever they stand; "-ed" in small letters only ("United" is none).
VERB = re.compile(
    r"(?<![\w-])(?:is|was|are|were|has|have|had|will|would|can|could|did|does|became|becomes|won|made|wrote|began|led|"
    r"took|grew|rose|fell|ran|sold|lies|lives|contains|includes|plays|serves|features|uses|consists|covers|"
    r"stars|follows|provides|remains|comes|got|lost|left|met|beat|came|went|gave|told|said|saw|spent|"
    r"bought|brought|begins|stands|forms|flows|belongs|tells|shows|makes|takes|"
    r"(?<!\b[Tt]he )(?<!\b[Aa] )(?<!\b[Aa]n )(?<!\bits )(?<!\bhis )(?<!\bher )(?<!\btheir )(?<!\bmost )(?<!\bof )"
    r"(?!hundred|need|speed|seed|breed|indeed|red|bed|based|aged|named|called|so-called)[a-z]+ed)(?![\w-])"
)
# What only one can be: said of another subject, it does exclude the first.
UNIQUE = re.compile(
    r"\b(?:the|its|his|her|their|'s) (?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|"
    r"tenth|last|only|most|least|sole|capital|winner|champions?|current|[a-z]+est)\b|\b(?:is|was|are|were|became) the\b"
)
_LEADING = re.compile(
    r"(?:In|On|By|During|After|Before|Since|At|From|As|Until|Following|Despite|With|For|Under|While|Although|Though|"
    r"When|Because|If|Whereas|Once|Unless|Among|Over|Within|Like|Unlike|Along|Throughout|Through|To|Born|Located)\b"
)


def position(sentence: str, start: int) -> Literal["subject", "predicate"] | None:
    """Whether a place stands before or after the first finite verb; None in a phrase that leads up to the subject.

    A sentence about another subject says nothing about the first one: "The first season has nine episodes" is
    neither right nor wrong where the evidence speaks of the third season.

    >>> position("The film was shot in Rome .", 21), position("Rome is old .", 0), position("In Rome , he left .", 3)
    ('predicate', 'subject', None)
    """
    before = sentence[:start]
    if VERB.search(before):
        return "predicate"
    if _LEADING.match(sentence) or "," in before or "(" in before:
        return None
    return "subject"
