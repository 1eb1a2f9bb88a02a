"""Short claims about what an edit changed, by rule: a clause around each changed place, with its subject named."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from aver.revisions._claims import SLOT, Subject, claim_about, fill
from aver.revisions._extract_marks import Region, changed_regions
from aver.revisions._lexicon import TYPE_NOUNS
from aver.text import Quantity, find_quantities

__all__ = ["Candidate", "candidates", "self_contained"]

WORDINGS = 6
"""How many wordings of one place are tried; they differ in where the clause ends and in what is left out."""
LONGEST = 32
"""Words: a longer claim is no short one, and is only tried where nothing shorter can be made."""

_PRONOUNS = frozenset("he she it they his her its their".split())
_SUBJECT = re.compile(
    r"^(?P<lead>(?:However|Moreover|Also|Later|Then|Thus|Subsequently) ?, )?"
    r"(?:(?P<owner>His|Her|Its|Their)|(?P<pronoun>He|She|It|They)|The (?P<noun>[a-z]+))\b"
)
_INNER = re.compile(r"^(?P<lead>[A-Z][^,]{2,80} ?, )(?P<pronoun>he|she|it|they)(?= [a-z])")
_DANGLING = re.compile(
    r"\b(?:It|it) (?:is|was|has been) (?:\w+ )?(?:that|to|said|believed|estimated|reported|thought)\b"
)
_ASIDE = re.compile(r"\s*\([^()]*\)")


class Candidate(NamedTuple):
    """A claim to be checked, and which changed place it is about (None: the whole sentence)."""

    text: str
    place: int | None
    kind: str
    """`clause`, `bound` (a threshold between the old and the new figure) or `sentence`."""


def candidates(other: str, sentence: str, title: str | None) -> list[Candidate]:
    """Claims that `sentence` may make true and `other` not, the likelier ones first, each wording once.

    >>> found = candidates("It has 349 rooms .", "It has 444 rooms .", "Hotel Arle")
    >>> [c.text for c in found if c.kind == "clause"]
    ['Hotel Arle has 444 rooms .']
    """
    regions = changed_regions(other, sentence, bridge=True)
    if not regions:
        return []
    found: dict[str, Candidate] = {}
    for place, region in enumerate(regions):
        for text, kind in _about(other, sentence, region, title):
            found.setdefault(_key(text), Candidate(text, place, kind))
    for text in _whole(sentence, title):
        found.setdefault(_key(text), Candidate(text, None, "sentence"))
    known = _key(other)
    return [candidate for key, candidate in found.items() if key != known]


def _about(other: str, sentence: str, region: Region, title: str | None) -> Iterator[tuple[str, str]]:
    start, end = region.new_start, region.new_end
    if start == end:
        # Something was taken out: the word before it, if any, holds the place.
        word = re.search(r"\S+\s*$", sentence[:start])
        if word is None:
            return
        start, end = word.start(), word.start() + len(word[0].rstrip())
    template = sentence[:start] + SLOT + sentence[end:]
    text = sentence[start:end]
    subject = _subject(title, sentence)
    made: dict[str, None] = {}
    for seed in range(WORDINGS):
        claim = claim_about(template, subject, random.Random(seed))
        if claim is not None and len(claim.split()) <= LONGEST:
            made[claim] = None
    for claim in sorted(made, key=len):
        yield fill(claim, text), "clause"
    for claim in sorted(made, key=len)[:2]:
        for bound in _bounds(other[region.start : region.end], text):
            yield fill(claim, bound), "bound"


def _bounds(old: str, new: str) -> Iterator[str]:
    """ "more than 400" where 349 became 444: as VitaminC's annotators wrote, who avoided repeating figures."""
    was, now = list(find_quantities(old)), list(find_quantities(new))
    if len(was) != 1 or len(now) != 1 or was[0].value == now[0].value or now[0].spelled:
        return
    one, two = was[0], now[0]
    if (one.currency, one.percent, two.bound) != (two.currency, two.percent, "exact"):
        return
    threshold = _between(one, two)
    if threshold is not None:
        words = "more than" if two.value > one.value else "less than"
        yield new[: two.start] + f"{words} " + threshold + new[two.end :]


def _between(old: Quantity, new: Quantity) -> str | None:
    """The roundest number between two, written as the new one is."""
    scale = {"thousand": 1000, "million": 10**6, "billion": 10**9}.get(new.scale, 1)
    if new.scale and scale == 1:
        return None
    low, high = sorted((old.value / scale, new.value / scale))
    for digits in range(9, -3, -1):
        step = Decimal(10) ** digits
        value = (low / step).to_integral_value("ROUND_FLOOR") * step + step
        if low < value < high:
            shown = f"{value:,.0f}" if value == value.to_integral_value() else f"{value.normalize():f}"
            tail = f" {new.scale}" if new.scale else ""
            sign = new.currency and f"{new.currency} "
            return f"{sign}{shown}{tail}" + (" %" if new.percent else "")
    return None


def _whole(sentence: str, title: str | None) -> Iterator[str]:
    named = self_contained(sentence, title)
    bare = _ASIDE.sub("", named)
    if bare != named and not re.search(r"[()]", bare):
        yield bare
    yield named


def self_contained(sentence: str, title: str | None) -> str:
    """The sentence with the title for what refers to it: a pronoun at its head, or "The film" of a page on a film.

    >>> self_contained("It opened in 1931 .", "Arle Bridge")
    'Arle Bridge opened in 1931 .'
    >>> self_contained("In 1931 , its span was doubled .", "Arle Bridge")
    'In 1931 , its span was doubled .'
    """
    subject = _subject(title, sentence)
    if not subject.name or subject.called(sentence).lower() in sentence.lower():
        return sentence
    name = subject.called(sentence)
    inner = _INNER.match(sentence)
    if inner and not _DANGLING.search(sentence):
        return inner["lead"] + name + sentence[inner.end() :]
    match = _SUBJECT.match(sentence)
    if match is None or (match["pronoun"] and _DANGLING.match(sentence)):
        return sentence
    if match["noun"]:
        if subject.kind is None or TYPE_NOUNS.get(match["noun"]) != subject.kind:
            return sentence
        return (match["lead"] or "") + name + sentence[match.end() :]
    owns = "" if match["pronoun"] else " 's" if re.search(r" [.,!?;]", sentence) else "'s"
    return (match["lead"] or "") + name + owns + sentence[match.end() :]


def _subject(title: str | None, sentence: str) -> Subject:
    """What the page is about. "Ghost ( 1990 film )" says its kind itself."""
    if title is None:
        return Subject("", None, frozenset())
    name, _, aside = title.replace("_", " ").partition("(")
    kinds = {TYPE_NOUNS[word] for word in re.findall(r"[a-z]+", aside) if word in TYPE_NOUNS}
    kind = next(iter(sorted(kinds)), None)
    return Subject(name.strip(), kind, _PRONOUNS)


def _key(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().casefold()
