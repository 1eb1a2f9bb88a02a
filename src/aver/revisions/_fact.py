"""What a fact is: a slot in a sentence, its filler, another filler, and what claims about the slot are worth."""

from __future__ import annotations

import dataclasses
import re
from typing import Literal

from aver.labels import Label

__all__ = ["SUBJECT", "UNIQUE", "VERB", "Fact", "Filler", "denied", "only_some", "position", "some_number", "swap"]

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO

SUBJECT = "\ue001"
"""Stands for the page's name in a filler: what a pronoun in the slot means."""


@dataclasses.dataclass(frozen=True, slots=True)
class Filler:
    """What a claim says in the slot, and its label when the evidence has the old or the new filler.

    None where the label is not clear: no such pair is made.
    """

    text: str
    under_old: Label | None
    under_new: Label | None


@dataclasses.dataclass(frozen=True, slots=True)
class Fact:
    """A slot of a sentence, what stands there, and what to put instead."""

    kind: str
    start: int
    end: int
    old: str
    new: str
    fillers: tuple[Filler, ...] = ()
    """Of these a group takes two, each supported by one of the two evidences only."""
    vague: str | None = None
    """What makes the sentence silent about the fact ("many", or nothing at all); None where nothing does."""
    sets: tuple[tuple[Filler, ...], ...] = ()
    """Claims that belong together: a group takes one set. Where there are sets, `fillers` is empty."""
    ends: bool = False
    """Whether a claim ends with the slot: what follows in the sentence would be said of the wrong thing."""
    pronoun: str = ""
    """The pronoun in the slot that stands for the page's subject; the fillers have `SUBJECT` for it."""


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


# What takes back, or leaves open, what comes after it.
_DENIED = re.compile(
    r"\b(?:[Nn]ot|[Nn]ever|[Nn]o|[Nn]or|[Nn]either|[Nn]one|[Ii]f|[Uu]nless|[Ww]hether|nobody|nothing|cannot|without|hardly|rarely|seldom|scarcely|den(?:y|ies|ied)|"
    r"doubt\w*|unlikely|refus\w+|fail(?:s|ed|ing)?|may|might|should|perhaps|possibly|probably|"
    r"alleged(?:ly)?|reported(?:ly)?|supposed(?:ly)?|rumou?red|believe[sd]?|thinks?|thought|claim(?:s|ed)|propos\w+|"
    r"plan(?:s|ned|ning)?|expect\w*|intend\w*|hop(?:es|ed|ing)|want\w*|suggest\w*|said)\b|n't\b"
)
_CLAUSE = re.compile(r"[;:]|,? but |, and |, which |, who ")


def denied(sentence: str, start: int) -> bool:
    """Whether a place stands under a negation, a condition or somebody's opinion, where no edit decides.

    >>> denied("It never had more than 200 members .", 13), denied("He did not stay , but has two sons .", 26)
    (True, False)
    """
    return _DENIED.search(_CLAUSE.split(sentence[:start])[-1]) is not None


# A subject of which not all are meant: what some of them are does not keep others from being something else.
_BEGINS = r"(?:^|[,;:] |\b(?:and|but|while|whereas|that|where|because|although|though) )"
_SOME = re.compile(
    rf"{_BEGINS}(?:(?:[Aa] )?(?:[Ss]ome|[Ss]everal|[Mm]any|[Ff]ew|[Vv]arious|[Cc]ertain|[Nn]umerous|[Oo]thers?|"
    r"[Aa]nother|(?:(?:large|small|great|certain|good) )?(?:number|portion|part|handful|couple|variety|minority) of|"
    r"(?:(?:[Ll]arge|[Ss]mall|[Gg]reat) )?(?:[Pp]art|[Pp]ortion)s? of|[Mm]uch of|[Oo]ne of|"
    r"(?:[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix|[Ss]even|[Ee]ight|[Nn]ine|[Tt]en|\d+) of)|[Aa]mong)\b(?! \d)"
)
# The same for a verb and its negation, of a number or a share; or people read "not" in two ways: none, or not all?
_SHARE = re.compile(
    rf"{_BEGINS}(?:(?:[Aa]bout|[Aa]pproximately|[Aa]round|[Rr]oughly|[Nn]early|[Aa]lmost|[Ss]ome|[Oo]ver|[Uu]nder|"
    r"[Uu]p to|[Aa]t (?:least|most)|(?:[Mm]ore|[Ff]ewer|[Ll]ess) than|[Nn]o (?:more|fewer|less) than|[Jj]ust|"
    r"[Ee]xactly|[Aa]n estimated|[Aa] total of|[Oo]nly|[Ww]ell) )*"
    r"(?:[Aa]ll|[Ee]very|[Ee]ach|[Bb]oth|[Aa]ny|[Ee]ither|[Hh]alf|[Aa] (?:half|third|quarter|fifth|tenth|dozen)|"
    r"(?:[Oo]ne|[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix|[Ss]even|[Ee]ight|[Nn]ine|[Tt]en|[Ee]leven|[Tt]welve|"
    r"(?:[Tt]hir|[Ff]our|[Ff]if|[Ss]ix|[Ss]even|[Ee]igh|[Nn]ine)teen|(?:[Tt]wen|[Tt]hir|[Ff]or|[Ff]if|[Ss]ix|[Ss]even|"
    r"[Ee]igh|[Nn]ine)ty)(?:-[a-z]+)?|[Dd]ozens|[Hh]undreds|[Tt]housands|[Mm]illions|"
    r"(?!1\d{3} |20\d\d )\d[\d,.]*(?: ?%)?)(?= [a-z]|-[a-z])"
)


def only_some(sentence: str) -> int:
    """From where on a sentence tells what some of a number of things are or do; its length where nowhere.

    >>> sentence = "He left , and some of them were born in Rome ."
    >>> sentence[only_some(sentence) :]
    'were born in Rome .'
    """
    found = _SOME.search(sentence)
    verb = VERB.search(sentence, found.end()) if found else None
    return verb.start() if verb else len(sentence)


def some_number(sentence: str, verb: int) -> bool:
    """Whether the subject of a verb is a number, a share or some of them: half were not it where half were.

    >>> some_number("About half of them were women .", 19), some_number("Most of them were women .", 13)
    (True, False)
    """
    return _SOME.search(sentence, 0, verb) is not None or _SHARE.search(sentence, 0, verb) is not None


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
