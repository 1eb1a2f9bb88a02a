"""The claims of a text, and which of them can be verified.

Definition 1 of CLIMATE-FEVER: a claim is potentially verifiable if it is well-formed (a single English sentence,
consistent, unambiguous and complete) and subjectively investigable (evidence could be found that makes its truth less
uncertain). The checks are rules over words; each has a code. A sentence that begins with a pronoun takes the last named
subject before it, and says so. The mark of a list item is no part of its claim. That a sentence contradicts itself is
seen only where it says and denies the same in the same words; whether two of a text do is tested by `check_text`.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from aver.text import split_sentences, words
from aver.verify._pronouns import KINDS, begins_with_pronoun, named_subject, resolve
from aver.verify._quotes import QUOTED

__all__ = ["REASONS", "Claim", "find_claims", "verifiability"]

REASONS = {
    "no_words": "there is no word in it",
    "several_sentences": "it is more than one sentence",
    "too_long": "it has more than 80 words",
    "question": "it asks and does not state",
    "instruction": "it tells somebody to do something",
    "incomplete": "it is a heading or a fragment: too few words, no subject, or neither a verb nor a full stop",
    "ambiguous": "its subject is a word such as “it” or “they” that only the text around it explains",
    "inconsistent": "it says something and denies it",
    "first_person": "it is about whoever speaks",
    "opinion": "it is a judgement of taste or duty, which no document settles",
    "prediction": "it is about what is yet to come",
}
"""Why a sentence is not verifiable, by code. The first eight are about form, the last three about investigability."""

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
_EXISTS = re.compile(
    r"there\s+(?:is|are|was|were|exists?|existed|(?:has|have|had|can|could|may|might|must|will)\s+(?:not\s+)?be(?:en)?)\b",
    re.IGNORECASE,
)
_FIRST = re.compile(r"(?:^|[\s“\"(])(?:I|I'm|I’m|I've|I’ve|[Ww]e|[Mm]y|[Oo]ur|us|me)\b(?![.'])")
_FUTURE = re.compile(r"\b(?:will|shall|going to|won't|won’t)\b", re.IGNORECASE)
# "his will", "a man of good will", "the will was read", "the will to live": what somebody wants or leaves behind
_BEFORE_A_WILL = re.compile(
    r"(?:(?:\b(?:an?|the|his|her|their|its|my|our|your|no|any)|\w['’]s|s['’])\s+(?:(?:free|good|handwritten|iron|last|living|"
    r"own|political|strong)\s+)?|\b(?:at|of|free|political|popular)\s+)$",
    re.IGNORECASE,
)
_BEHIND_A_WILL = re.compile(r"\s+(?:is|was|were|has|had|did|of|to|[a-z]{2,}(?<!e)ed)\b")
_SAID = re.compile(
    r"\b(?:said|says|stated|states|wrote|writes|promised|announced|predicted|predicts|projected|according)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^(?:please|let's|let us|click|see|read(?!\s+et\s+al\b)|note|remember|consider|don't|do not|never|always|"
    r"make sure|imagine|subscribe|share|follow|visit|contact|call|buy|try|"
    r"(?:turn|switch|put|take|pick|write)\s+(?:on|off|up|down))\b"
    r"|^(?:add|ask|bring|change|check|choose|clean|close|do|download|drink|eat|enjoy|enter|fill|find|get|give|have|help|"
    r"hold|install|join|keep|leave|listen to|lock|look at|move|open|pay|pick|press|pull|push|put|remove|save|select|"
    r"send|show|shut|start|stop|switch|take|tell|turn|use|wait for|wash|watch|wear|write)\s+"
    r"(?:the|an?|your|it|them|him|me|us|this|these|those)\b",
    re.IGNORECASE,
)
# "Put up in 1887, it burnt down", "Read by millions, the paper closed": what was done to something
_DONE = re.compile(
    r"(?:put\s+(?:up|on|off|down|together|forward)|read|shut(?:\s+down)?)\s+(?:in|by|for|at|to|as|after|since|during)\b"
    r"[^,]*,\s+(?!and\b|or\b|then\b|please\b)(?P<rest>\w.*)",
    re.IGNORECASE | re.DOTALL,
)
# "Note that the mayor resigned": what follows is stated
_NOTE = re.compile(r"\s*(?:(?:please\s+)?(?:note|remember|recall)\s+that\s+)+", re.IGNORECASE)
_ASKING = frozenset("is are was were am does did do has have can could would should".split())
_ASKED = re.compile(
    r"(?:who|what|when|where|why|how|which)\s+(?:(?:many|much|long|old|far|often)\s+)?"
    r"(?:is|are|was|were|does|did|do|has|have|can|could|will|would|should)\s",
    re.IGNORECASE,
)
_NAMES = frozenset(("can", "do"))
_WHO = frozenset("i you he she it we they there this that these those".split())
_LONGEST_QUESTION = 25
"""Words of a question that has no mark; more are the rest of some sentence."""
_EXCLAIMED = re.compile(r"(?:what\s+an?|how)\s", re.IGNORECASE)
_BOTH = re.compile(
    r"(?P<subject>\w.*?)\s+(?P<verb>is|are|was|were|has|have|had|can|could)(?P<no>\s+not|n['’]t)?\s+(?P<what>\w.*?),?"
    r"\s+(?:and|but|yet)\s+(?:(?P<again>(?P=subject)|it|he|she|they)\s+)?(?P=verb)(?P<nor>\s+not|n['’]t)?\s+(?P=what)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"")
_LONGEST = 80
_BULLET = re.compile(r"(?:[-*+•‣◦–—]|\d{1,2}[.)]|\(?[a-z]\))\s+(?:\[[ xX]\]\s+)?(?=\S)")
_NEXT_BLOCK = re.compile(r"[ \t\r]*(?:\n[ \t\r]*){2,}(?=\S)")
# what stands before a noun: behind it a word in -s is a plural ("in numbers"), no third person ("Tea grows")
_BEFORE_NOUNS = frozenset(
    "a an the these those my your his her its our their some any no all both many few several most more "
    "about above after against among and around as at before behind below between by during for from in into near of "
    "off on or over per since than through to toward towards under until via with within without".split()
)
# "And so on.", "Not at all.": words that name nothing and say nothing of it
_LITTLE = _BEFORE_NOUNS | frozenset(
    "again all also but course else ever forth here indeed just least like much never not now only others rest so some "
    "still then there thus too usual versa vice well yet".split()
)
_BEHIND_PARTICIPLES = _BEFORE_NOUNS | frozenset("again also around here later only there twice once not".split())
_IN_NAMES = frozenset("a al an and at de et for in jr la of on sr the to van von".split())
_NAME_ENDS = re.compile(r"(?:\s+[A-Z][\w.'’-]*)*(?:\s*[,(–—]|['’]s\b|(?<=['’]s)\s)")
_ADVERBS = frozenset("also first later never once then".split())
_BARE = frozenset("be become come cost cut do go have hit put spread".split())
"""Of the verbs, those that are the same behind “will”."""
# "World War I", "Charles I": a number
_FIRST_OF_ITS_NAME = re.compile(
    r"\b(?:War|Part|Phase|Type|Class|Volume|Chapter|Article|Title|Division|Act|Level|Albert|Alexander|Charles|Edward|"
    r"Elizabeth|Ferdinand|Francis|Frederick|George|Henry|James|Joseph|Leopold|Mary|Napoleon|Nicholas|Otto|Peter|Philip|"
    r"Richard|Wilhelm|William)$"
)
_LONGEST_TWICE = 600
"""Characters of a sentence that is looked at for what it both says and denies; a longer one is never that plain."""
_FAMILY = frozenset("dad daddy mama mom mother mum mummy father grandma grandpa granny lord".split())


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
    meant: dict[str, str] = {}
    for s in split_sentences(text):
        start = _behind_bullet(text, s.start, s.end)
        own = text[start : s.end]
        if start == s.start and _is_heading(text, s.start, s.end):
            claims.append(Claim(own, start, s.end, tuple(dict.fromkeys((*verifiability(own), "incomplete")))))
            continue
        found = resolve(own, subjects, meant=meant)
        if found is None:
            reasons = verifiability(own)
            claims.append(Claim(own, start, s.end, reasons))
            # "Is it safe?" has no subject before its verb that a later “it” could mean, "Profit: $1m" has none at all
            states = not {"question", "instruction"}.intersection(reasons)
            states = states and ("incomplete" not in reasons or _ended(own))
            named = named_subject(own)
            if states and (named or not (_EXISTS.match(own) or own[0] in "“\"'‘„«")):
                subjects.append(named or "")  # whose subject cannot be told stands between those before and a pronoun
        else:
            kind = KINDS.get(found.pronoun.casefold())
            if kind is not None:
                meant[found.subject] = kind
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
    note = _NOTE.match(claim)
    if note is not None and _has_verb(_bare_words(claim[note.end() :])):
        return verifiability(claim[note.end() :])
    found = _bare_words(claim)
    if not found:
        return ("no_words",)
    reasons: list[str] = []
    if len(split_sentences(claim)) > 1:
        reasons.append("several_sentences")
    if len(found) > _LONGEST:
        reasons.append("too_long")
    # what somebody is quoted as saying may be anything: that it was said can be verified
    own = _QUOTED.sub(" ", QUOTED.sub(" ", claim))
    exclaimed = _is_exclaimed(claim, found)
    if form := _form(claim, found):
        reasons.append(form)
    pointing = found[0].casefold() in _POINTING and not _EXISTS.match(claim.lstrip(" “\"'‘("))
    if (pointing or begins_with_pronoun(claim)) and form != "question":
        reasons.append("ambiguous")
    if form != "question" and _contradicts_itself(claim):
        reasons.append("inconsistent")
    if _speaks_of_itself(own):
        reasons.append("first_person")
    if exclaimed or _OPINION.search(own):
        reasons.append("opinion")
    if _is_about_the_future(own) and not _SAID.search(own):
        reasons.append("prediction")
    return tuple(reasons)


def _form(claim: str, found: list[str]) -> str:
    """`question`, `instruction` or `incomplete`, or "" where it is none of them."""
    bare = claim.strip()
    if claim.rstrip(" \"”’')").endswith("?"):
        return "question"
    done = _DONE.match(bare)
    told = done is not None and _has_verb(_bare_words(done["rest"]))
    asked = _asks(found, bare) and found[1].casefold() in _WHO
    if _ORDER.match(bare) and not (told or _begins_with_name(found) or asked):
        return "instruction"
    if _asks(found, bare):
        return "question"
    if len(found) < 3 or not (_ended(claim) or _has_verb(found)):
        return "incomplete"
    if _has_no_subject(claim, found) or all(word.casefold() in _LITTLE for word in found):
        return "incomplete"
    return "incomplete" if _is_exclaimed(claim, found) and not _has_verb(found) else ""


def _asks(found: list[str], bare: str) -> bool:
    """Whether it is a question without its mark: "Is Paris in France", "Where is Paris".

    What ends in a full stop may have lost its subject instead ("Is the capital of France."): there only a name or a
    pronoun is taken for one that was asked about.
    """
    if not 3 <= len(found) <= _LONGEST_QUESTION or (found[0].isupper() and len(found[0]) > 1 and not bare.isupper()):
        return False  # "IS claimed the attack"
    if _is_titled(found) or (bare[0] in "“\"‘'" and bare[-1] not in "”\"’'"):
        return False  # "Is This It is an album", "“Is It Art” was sold"
    ended = _ended(bare)
    if _ASKED.match(bare):
        return not ended and "," not in bare
    first, second = found[0].casefold(), found[1].casefold()
    if first == "will":
        return not ended and _is_modal(bare, 0, 4)
    if first not in _ASKING or (first in ("should", "were") and "," in bare):
        return False
    if _is_verb(found[1], "") or second in ("not", "born") or (second in _BEFORE_NOUNS and not _before_subject(second)):
        return False  # "Can is a band", "Was born in Paris"
    if ended:
        return second in _WHO or (found[1][0].isupper() and first not in ("do", "have"))
    return True


def _is_titled(found: list[str]) -> bool:
    """Whether it is about a work whose name reads like a sentence: several words in capitals, then a verb.

    One word and a participle are none: "Was Paris built on a hill".
    """
    at = next((at for at, word in enumerate(found) if not word[0].isupper() and word not in _IN_NAMES), 0)
    if at > 1 and found[at] in ("is", "was", "are", "were", "has", "had"):
        return True
    return at > 2 and _is_finite(found[at])


def _before_subject(folded: str) -> bool:
    return folded in (
        "a", "an", "the", "my", "your", "his", "her", "its", "our", "their", "some", "any", "all", "both", "many",
        "most", "more", "few", "several",
    )  # fmt: skip


def _has_no_subject(claim: str, found: list[str]) -> bool:
    """Whether it begins with its verb: "Born in 1950.", "Was closed in 1987."."""
    first, second = found[0].casefold(), found[1].casefold()
    if first in _ASKING:
        # "Can is a band", "IS claimed the attack"
        return found[0][1:].islower() and not _is_titled(found) and (first not in _NAMES or not _is_finite(found[1]))
    if not (_is_finite(found[0]) or first in ("born", "seen", "set", "situated")) or second not in _BEHIND_PARTICIPLES:
        return False
    # "Born in 1950, she …", "Left of the bridge stands …" go on; "Born in a house that was red" does not
    rest = [word for at, word in enumerate(found[1:]) if found[at].casefold() not in ("that", "which", "who", "where")]
    return "," not in claim and not _has_verb(rest)


def _is_exclaimed(claim: str, found: list[str]) -> bool:
    """Whether it cries out over something: "What a day!"."""
    return _EXCLAIMED.match(claim.lstrip(" “\"'‘(")) is not None and (
        claim.rstrip(" \"”’')").endswith("!") or (found[0].casefold() == "what" and not _has_verb(found))
    )


def _contradicts_itself(claim: str) -> bool:
    """Whether it says and denies the same of the same, word for word: "The tower is tall and is not tall."."""
    found = None if len(claim) > _LONGEST_TWICE else _BOTH.fullmatch(claim.strip(" .!“”\"'‘’"))
    if found is None or bool(found["no"]) == bool(found["nor"]) or _SAID.search(claim):
        return False
    # of "Nobody thinks that the tower is tall and is not tall" the beginning is more than a subject
    return not _has_verb(_bare_words(found["subject"]))


def _speaks_of_itself(own: str) -> bool:
    return any(not _is_title(own, match) for match in _FIRST.finditer(own))


def _is_title(own: str, match: re.Match[str]) -> bool:
    """Whether “My” or “Our” begins a name (My Lai, Our Lady of Paris, the film My Fair Lady), or “I” is a number."""
    word = match.group().lstrip("“\"( \n\t")
    if word == "I":
        return _FIRST_OF_ITS_NAME.search(own[: match.start()]) is not None
    if word not in ("My", "Our"):
        return False
    rest = _bare_words(own[match.end() :])
    if not rest or not rest[0][0].isupper():
        return False
    if any(c.isalnum() for c in own[: match.start()]) or rest[0] in ("Lai", "Lady"):
        return True
    return rest[0].casefold() not in _FAMILY and _begins_with_name(["My", *rest])


def _is_about_the_future(own: str) -> bool:
    return any(
        match.group().casefold() != "will" or _is_modal(own, match.start(), match.end())
        for match in _FUTURE.finditer(own)
    )


def _is_modal(own: str, start: int, end: int) -> bool:
    """Whether the “will” at a place is the verb: not somebody of that name, and nothing that was left or wanted."""
    before = own[:start].rstrip(" “\"'‘(")
    if own[start:end] != "Will":
        return not (_BEFORE_A_WILL.search(own[:start]) or _BEHIND_A_WILL.match(own, end))
    if before and before[-1] not in ":.!?;":
        # amid a sentence it is a name, but in a headline
        return all(word[0].isupper() for word in _bare_words(own) if len(word) > 3)
    if own.rstrip(" \"”’')").endswith("?"):
        return True
    return not _begins_with_name(_bare_words(own[start:]), after=own[end:])


def _begins_with_name(found: list[str], after: str = "") -> bool:
    """Whether the first word begins a name and a verb comes behind it: "Will Smith won", "Call of Duty is".

    With what stands `after` that word, also one that a comma or bracket follows, or that owns something.
    """
    at = 1
    while at < len(found) and (found[at][0].isupper() or found[at].casefold() in _IN_NAMES):
        at += 1
    if after and found[1:2] == ["the"]:
        return False
    if after and (_NAME_ENDS.match(after) or (at > 1 and found[at - 1].casefold() in _IN_NAMES)):
        return any(map(_is_finite, found[at:]))
    while at < len(found) and (found[at].endswith("ly") or found[at] in _ADVERBS):
        at += 1
    if at >= len(found):
        return False
    return _is_finite(found[at]) or (bool(after) and found[at] not in _BARE and _is_verb(found[at], found[at - 1]))


def _bare_words(text: str) -> list[str]:
    return [w.text for w in words(text) if not w.is_punctuation]


def _has_verb(found: list[str]) -> bool:
    return any(map(_is_verb, found, ["", *found]))


def _is_finite(word: str) -> bool:
    """Whether a word is a verb that cannot stand behind “will”."""
    folded = word.casefold()
    return folded not in _BARE and _is_sure_verb(folded) and not folded.endswith("eed")


def _ended(claim: str) -> bool:
    # a full stop is a better sign of a sentence than a list of verbs: "Polar bears live on sea ice."
    return claim.rstrip(" \"”'’)]").endswith((".", "!", "…"))


def _is_sure_verb(folded: str) -> bool:
    return folded in _VERBS or folded.endswith(("n't", "n’t")) or (len(folded) > 3 and folded.endswith("ed"))


def _is_verb(word: str, before: str) -> bool:
    if word == "May":
        return False  # "5 May 2024: public hearing"
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
