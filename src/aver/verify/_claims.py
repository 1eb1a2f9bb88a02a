"""The claims of a text, and which of them can be verified.

Definition 1 of CLIMATE-FEVER: a claim is potentially verifiable if it is well-formed (a single English sentence,
consistent, unambiguous and complete) and subjectively investigable (evidence could be found that makes its truth less
uncertain). The checks are rules over words; each has a code. A sentence that begins with a pronoun takes the last named
subject before it, and says so. The mark of a list item is no part of its claim. Whether a sentence contradicts itself
is not tested; whether two of a text do is, by `check_text`.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from aver.text import split_sentences, words
from aver.verify._pronouns import named_subject, resolve

__all__ = ["REASONS", "Claim", "find_claims", "verifiability"]

REASONS = {
    "no_words": "there is no word in it",
    "several_sentences": "it is more than one sentence",
    "too_long": "it has more than 80 words",
    "question": "it asks and does not state",
    "instruction": "it tells somebody to do something",
    "incomplete": "it is a heading or a fragment: too few words, or neither a verb nor a full stop",
    "ambiguous": "its subject is a word such as “it” or “they” that only the text around it explains",
    "first_person": "it is about whoever speaks",
    "opinion": "it is a judgement of taste or duty, which no document settles",
    "prediction": "it is about what is yet to come",
}
"""Why a sentence is not verifiable, by code. The first seven are about form, the last three about investigability."""

_VERBS = frozenset(
    "is are was were be been am has have had do does did can could may might must shall should will would became "
    "become becomes began begins begun built came come comes cost costs cut died drew fell felt flew found fought "
    "gave gives go goes gone got grew held hit holds kept knew known laid led left lies lost made makes meant met "
    "opens owns paid put ran rose runs said sang sat saw says sees sells sent sets shot sings sold spent spoke "
    "spread stands stood struck swam takes taught tells thought told took understood went wins won wrote writes "
    "causes contains covers".split()
)
_POINTING = frozenset("it they he she this that these those its their his her such there here".split())
_OPINION = re.compile(
    r"\b(?:should|ought to|must not|deserves?|in my (?:view|opinion)|(?:most )?(?:beautiful|wonderful|terrible|awful|"
    r"disgraceful|disgusting|magnificent|delightful|boring)|unfortunately|sadly|hopefully)\b",
    re.IGNORECASE,
)
_FIRST = re.compile(r"(?:^|[\s“\"(])(?:I|I'm|I’m|I've|I’ve|[Ww]e|[Mm]y|[Oo]ur|us|me)\b(?![.'])")
_FUTURE = re.compile(r"\b(?:will|shall|going to|won't|won’t)\b", re.IGNORECASE)
_SAID = re.compile(
    r"\b(?:said|says|stated|states|wrote|writes|promised|announced|predicted|predicts|projected|according)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^(?:please|let's|let us|click|see|read|note|remember|consider|don't|do not|never|always|make sure|imagine|"
    r"subscribe|share|follow|visit|contact|call|buy|try)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"")
_LONGEST = 80
_BULLET = re.compile(r"(?:[-*+•‣◦–—]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?(?=\S)")
_NEXT_BLOCK = re.compile(r"[ \t\r]*(?:\n[ \t\r]*){2,}(?=\S)")
# what stands before a noun: behind it a word in -s is a plural ("in numbers"), no third person ("Tea grows")
_BEFORE_NOUNS = frozenset(
    "a an the these those my your his her its our their some any no all both many few several most more "
    "about above after against among and around as at before behind below between by during for from in into near of "
    "off on or over per since than through to toward towards under until via with within without".split()
)


@dataclasses.dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of a text: `text` is `[start:end]` of it."""

    text: str
    start: int
    end: int
    reasons: tuple[str, ...]
    """Codes of `REASONS`; empty where it can be verified."""
    resolved: str = ""
    """The claim with the pronoun it begins with replaced, where that could be done."""
    pronoun: str = ""
    """The pronoun that was replaced."""
    subject: str = ""
    """What it was replaced by: the last named subject of the text before it."""

    @property
    def statement(self) -> str:
        """What is verified: the claim with its pronoun replaced, or as it stands."""
        return self.resolved or self.text

    @property
    def verifiable(self) -> bool:
        """Well-formed and investigable, as far as rules can tell."""
        return not self.reasons

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self) | {"verifiable": self.verifiable, "statement": self.statement}


def find_claims(text: str) -> list[Claim]:
    """The sentences of a text with their places, and why those that cannot be verified cannot.

    >>> text = "The bridge opened in 1931. Is it safe? I love it."
    >>> [(text[c.start : c.end], c.reasons) for c in find_claims(text)]
    [('The bridge opened in 1931.', ()), ('Is it safe?', ('question',)), ('I love it.', ('first_person',))]
    >>> find_claims("The Arle Bridge opened in 1931. It was closed in 1987.")[1].statement
    'The Arle Bridge was closed in 1987.'
    """
    claims: list[Claim] = []
    subjects: list[str] = []
    for s in split_sentences(text):
        start = _behind_bullet(text, s.start, s.end)
        own = text[start : s.end]
        if start == s.start and _is_heading(text, s.start, s.end):
            claims.append(Claim(own, start, s.end, tuple(dict.fromkeys((*verifiability(own), "incomplete")))))
            continue
        found = resolve(own, subjects)
        if found is None:
            claims.append(Claim(own, start, s.end, verifiability(own)))
            if named := named_subject(own):
                subjects.append(named)
        else:
            reasons = verifiability(found.text)
            claims.append(Claim(own, start, s.end, reasons, found.text, found.pronoun, found.subject))
    return claims


def _opens_line(text: str, start: int) -> bool:
    return not text[text.rfind("\n", 0, start) + 1 : start].strip()


def _behind_bullet(text: str, start: int, end: int) -> int:
    """Where a sentence begins behind the mark of a list item, if it has one."""
    mark = _BULLET.match(text, start, end)
    return mark.end() if mark is not None and _opens_line(text, start) else start


def _is_heading(text: str, start: int, end: int) -> bool:
    """A line between blank ones, with more text below it, that neither ends like a sentence nor has a sure verb.

    A word in -s is no sure one there: "Bus lines in Arle". A question, or what ends in a colon, is told otherwise.
    """
    line = text[start:end]
    if "\n" in line or line[-1] in "?:;," or _ended(line) or _NEXT_BLOCK.match(text, end) is None:
        return False
    above = text[:start]
    if above.strip() and above[len(above.rstrip()) :].count("\n") < 2:
        return False
    return not any(_is_sure_verb(w.text.casefold()) for w in words(line) if not w.is_punctuation)


def verifiability(claim: str) -> tuple[str, ...]:
    """The codes of what keeps a claim from being verified; none where nothing does.

    >>> verifiability("The lighthouse was automated in 1979.")
    ()
    >>> verifiability("It should have been kept.")
    ('ambiguous', 'opinion')
    """
    found = [w.text for w in words(claim) if not w.is_punctuation]
    if not found:
        return ("no_words",)
    reasons: list[str] = []
    if len(split_sentences(claim)) > 1:
        reasons.append("several_sentences")
    if len(found) > _LONGEST:
        reasons.append("too_long")
    first = found[0].casefold()
    if claim.rstrip(" \"”')").endswith("?"):
        reasons.append("question")
    elif _ORDER.match(claim.strip()):
        reasons.append("instruction")
    elif len(found) < 3 or not (_ended(claim) or any(map(_is_verb, found, ["", *found]))):
        reasons.append("incomplete")
    if first in _POINTING and "question" not in reasons:
        reasons.append("ambiguous")
    # what somebody is quoted as saying may be anything: that it was said can be verified
    own = _QUOTED.sub(" ", claim)
    if _FIRST.search(own):
        reasons.append("first_person")
    if _OPINION.search(own):
        reasons.append("opinion")
    if _FUTURE.search(own) and not _SAID.search(own):
        reasons.append("prediction")
    return tuple(reasons)


def _ended(claim: str) -> bool:
    # a full stop is a better sign of a sentence than a list of verbs: "Polar bears live on sea ice."
    return claim.rstrip(" \"”'’)]").endswith((".", "!", "…"))


def _is_sure_verb(folded: str) -> bool:
    return folded in _VERBS or folded.endswith(("n't", "n’t")) or (len(folded) > 3 and folded.endswith("ed"))


def _is_verb(word: str, before: str) -> bool:
    folded = word.casefold()
    if _is_sure_verb(folded):
        return True
    # "Tea grows …": a third person in a place where a subject came before
    return (
        before != ""
        and before.casefold() not in _BEFORE_NOUNS
        and word[0].islower()
        and len(folded) > 3
        and folded.endswith("s")
        and not folded.endswith(("ss", "us", "is"))
    )
