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

_SINGULAR = frozenset("he she it his her its".split())
_PLURAL = frozenset("they their".split())
_SUBJECT = re.compile(
    r"^(?P<lead>(?:However|Moreover|Also|Later|Then|Thus|Subsequently) ?, )?"
    r"(?:(?P<owner>His|Her|Its|Their)|(?P<pronoun>He|She|It|They)|The (?P<noun>[a-z]+))\b"
)
# What leads up to the subject and cannot hold another one: "In 1931 , it …", but not "As he turned , it …".
_INNER = re.compile(
    r"^(?P<lead>(?:In|On|By|During|Since|At|From|Until|For|Following|Before|After)\b"
    r"(?:(?!\b(?:he|she|it|they)\b)[^,]){2,80} ?, )(?P<pronoun>he|she|it|they)(?= [a-z])"
)
# "It is said that …", "It remains unclear whether …": nobody is meant.
_NOBODY = re.compile(
    r"\b[Ii]t (?:is|was|has been|had been|remains?|remained|became|seems?|seemed|appears?|appeared|took|takes)\b"
    r"(?: \w+){0,3} (?:that|to|whether|if|who|said|believed|estimated|reported|thought|clear|unclear)\b"
)
_POINTING = re.compile(r"(?:He|She|It|They|His|Her|Its|Their|This|These|That|Those)\b")
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
            if _POINTING.match(text):
                continue  # the pronoun was part of what changed
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
        yield _ended(fill(claim, text)), "clause"
    if not any(start <= q.start and q.end <= end for q in find_quantities(sentence)):
        return  # "30" of "30 April" is no number of anything
    for claim in sorted(made, key=len)[:2]:
        for bound in _bounds(other[region.start : region.end], text):
            yield _ended(fill(claim, bound)), "bound"


def _ended(claim: str) -> str:
    """One full stop at the end, whatever the sentence had there."""
    return re.sub(r"(?:\s*[.;:,*])*?(\s?\.)$", r"\1", claim)


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
    if inner and inner["pronoun"] in subject.pronouns:
        return inner["lead"] + name + sentence[inner.end() :]
    match = _SUBJECT.match(sentence)
    if match is None:
        return sentence
    if match["noun"]:
        if subject.kind is None or TYPE_NOUNS.get(match["noun"]) != subject.kind:
            return sentence
        return (match["lead"] or "") + name + sentence[match.end() :]
    if (match["pronoun"] or match["owner"]).lower() not in subject.pronouns:
        return sentence
    owns = "" if match["pronoun"] else " 's" if re.search(r" [.,!?;]", sentence) else "'s"
    return (match["lead"] or "") + name + owns + sentence[match.end() :]


def _subject(title: str | None, sentence: str) -> Subject:
    """What the page is about, and which pronouns may mean it. "Ghost ( 1990 film )" says its kind itself."""
    if title is None or not title.strip():
        return Subject("", None, frozenset())
    title = title.replace("_", " ").replace("-COLON-", ":").replace("-LRB-", "(").replace("-RRB-", ")")
    name, _, aside = title.partition("(")
    kinds = {TYPE_NOUNS[word] for word in re.findall(r"[a-z]+", aside) if word in TYPE_NOUNS}
    kind = next(iter(sorted(kinds)), None)
    if _NOBODY.search(sentence):
        return Subject(name.strip(), kind, frozenset())
    # "they" of a page on one thing are others: the people of a film, the guests of a show
    several = kind in ("band", "team") or re.search(r"s$|\b(?:and|&)\b", name.strip()) is not None
    return Subject(name.strip(), kind, _SINGULAR | _PLURAL if several else _SINGULAR)


def _key(text: str) -> str:
    """What two wordings share that differ in marks, in case, or in "a" and "an"."""
    return re.sub(r"\ban\b", "a", re.sub(r"\W+", " ", text).strip().casefold())
