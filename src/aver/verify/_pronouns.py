"""What “it” is: a sentence that begins with a pronoun takes the last named subject of the text before it.

This is the simple kind of resolution, by rules over words. The subject of a sentence is what stands before its first
verb. A pronoun takes the last that fits: “he” and “she” one without an article, “they” one that joins two by “and” or
whose head ends like a plural (that of “the number of inhabitants” does not), “it” any. “It is said that …” and “It was
raining” mean nothing by “it” and are left alone. Where no subject fits, or the verb was not recognised, nothing is
replaced. Every replacement is told in the claim's record.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from aver.text import words

__all__ = ["Resolved", "named_subject", "resolve"]

_SUBJECTS = {"he", "she", "it", "they"}
_OWNERS = {"his", "her", "its", "their"}
_ARTICLES = {"the", "a", "an", "this", "that", "these", "those", "his", "her", "its", "their"}
_AUXILIARIES = frozenset(
    "is are was were be been am has have had do does did can could may might must shall should will would became "
    "become becomes began begins built came comes cost costs died fell found gave gives goes got grew held holds kept "
    "knew laid led left lies lost made makes met opens owns ran rose runs said sang sat saw says sells sent sets sings "
    "sold spoke stands stood struck takes taught tells took went wins won wrote writes causes contains covers".split()
)
# "It is said that", "It was clear to all", "It rained", "It is 1931": a subject in form only
_EMPTY = re.compile(
    r"it(?:'s|’s|\s+(?:is|was|has been|seems?|appears?|turned out|turns out|remains|became|takes|took))\s+"
    r"(?:not\s+|also\s+|now\s+|widely\s+|often\s+|generally\s+)?(?:\w+\s+){0,2}(?:that|whether|to|how|why)\b"
    r"|it(?:'s|’s|\s+(?:is|was|has been|had been))?\s+(?:rain|snow|hail|thunder)(?:s|ed|ing)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:in|on|at|by|after|before|during|since|until|from|as of|for|with)\b[^,]{1,60},\s+", re.IGNORECASE
)
# what ends the head of a subject: "The towers | of the bridge"
_BEHIND_HEAD = re.compile(
    r"\s+(?:about|across|against|among|around|at|between|by|during|for|from|in|into|near|of|on|over|to|under|with|within|"
    r"without|that|which|who)\s",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\s+and\s+(?:the|a|an|his|her|its|their)\s", re.IGNORECASE)
_SEVERAL = re.compile(r"an?\s+(?:\w+\s+)?(?:number|group|handful|majority|couple)", re.IGNORECASE)
_PLURALS = frozenset("children men people police women".split())
_AFTER_VERBS = frozenset("a an the in on at by to from of for with into over under about as its his her their".split())


class Resolved(NamedTuple):
    """A sentence with its first pronoun replaced."""

    text: str
    pronoun: str
    subject: str


def named_subject(sentence: str) -> str | None:
    """What a sentence is about, where it names it: the words before its first verb, or up to a comma or bracket.

    >>> named_subject("Ada Lovelace, a daughter of Byron, wrote the first programme.")
    'Ada Lovelace'
    >>> named_subject("In 1931, the Arle Bridge opened to traffic."), named_subject("It was closed later.")
    ('the Arle Bridge', None)
    """
    lead = _LEAD.match(sentence.lstrip("“\"' "))
    offset = len(sentence) - len(sentence.lstrip("“\"' ")) + (lead.end() if lead else 0)
    found = words(sentence[offset:])
    last = None
    for at, word in enumerate(found[:12]):
        if word.is_punctuation and word.text not in ("'s", "’s", "-", "."):
            break
        after = found[at + 1].text.casefold() if at + 1 < len(found) else ""
        if at > 0 and _is_verb(word.text, after):
            break
        last = word
    else:
        return None  # no subject is as long as that: the verb was not recognised
    if last is None:
        return None
    subject = sentence[offset : offset + last.end].strip()
    first = found[0].text.casefold()
    if first in _SUBJECTS | _OWNERS | {"i", "we", "you", "there", "this", "that", "these", "those", "who", "what"}:
        return None
    rest = subject.split()[1:] if first in _ARTICLES else subject.split()
    named = any(part[0].isupper() or part[0].isdigit() for part in rest) if lead is None else bool(rest)
    return subject if rest and (named or first == "the") else None


def resolve(sentence: str, subjects: Sequence[str]) -> Resolved | None:
    """The sentence with the pronoun it begins with replaced by the last of the subjects that fits it.

    None where it begins with no pronoun, or none of them fits.

    >>> resolve("It opened in 1931.", ["The Arle Bridge"]).text
    'The Arle Bridge opened in 1931.'
    >>> resolve("Her house still stands.", ["Ada Lovelace", "The Arle Bridge"]).text
    "Ada Lovelace's house still stands."
    >>> resolve("It is said that it sways.", ["The Arle Bridge"]) is None
    True
    """
    bare = sentence.lstrip("“\"' ")
    found = re.match(r"(\w+)((?:'s|’s|'d|’d|'ll|’ll|'ve|’ve|'re|’re)?)(?=[\s,])", bare)
    if found is None or _EMPTY.match(bare):
        return None
    pronoun = found[1]
    folded = pronoun.casefold()
    subject = next((subject for subject in reversed(subjects) if _fits(folded, subject)), None)
    if subject is None:
        return None
    shown = subject[0].upper() + subject[1:]
    if folded in _SUBJECTS:
        return Resolved(shown + _whole(found[2]) + bare[found.end() :], pronoun, shown)
    if folded in _OWNERS and not found[2]:
        return Resolved(f"{shown}'s" + bare[found.end() :], pronoun, shown)
    return None


def _whole(ending: str) -> str:
    return {"": "", "ll": " will", "ve": " have", "re": " are"}.get(ending[1:], ending)


def _fits(pronoun: str, subject: str) -> bool:
    first = subject.split()[0].casefold()
    if pronoun in ("he", "she", "his", "her"):
        return first not in _ARTICLES
    if pronoun in ("they", "their"):
        return _is_plural(subject)
    return pronoun in ("it", "its")


def _is_plural(subject: str) -> bool:
    """Whether more than one is meant, going by the head: what stands before the first preposition.

    >>> [_is_plural(s) for s in ("The towers of Arle", "The number of inhabitants", "A number of Swiss farmers")]
    [True, False, True]
    """
    behind = _BEHIND_HEAD.search(subject)
    head = subject[: behind.start()] if behind else subject
    if behind and _SEVERAL.fullmatch(head):
        head = subject
    if " and " in head or _JOINED.search(subject):
        return True
    last = head.split()[-1].casefold()
    return last in _PLURALS or (last.endswith("s") and not last.endswith("ss"))


def _is_verb(word: str, after: str) -> bool:
    if word.casefold() in _AUXILIARIES:
        return True
    if not word[0].islower() or len(word) < 4:
        return False
    if word.endswith("ed"):
        return True
    # "Tea grows in Asia", but not "Polar bears live": what follows a verb tells it from a plural
    return word.endswith("s") and not word.endswith(("ss", "us", "is")) and after in _AFTER_VERBS
