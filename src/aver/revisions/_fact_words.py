"""Facts that are words: members of a class, opposites, ordinals, names of pages, a negated verb.

An exchange decides only where the two fillers exclude each other. A list ("with A , B and C") or a thing somebody
may well do twice ("appeared in A") is left alone; in the subject the evidence then speaks of something else, and
the claim is open (`position`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from aver.labels import Label
from aver.revisions._fact import UNIQUE, Fact, Filler, N, R, S, position, some_number, swap
from aver.revisions._lexicon import ALIKE, CLASSES, OPPOSITES, ORDINALS

__all__ = ["find_classes", "find_names", "find_negations", "find_opposites", "find_ordinals"]

_CLASS_OF = {member: name for name, members in CLASSES.items() for member in members}
_OTHERS = {
    word: tuple(o for o in CLASSES[name] if not any({o, word} <= alike for alike in ALIKE))
    for word, name in _CLASS_OF.items()
}
_MEMBER = re.compile(
    r"(?<![\w-])(?:" + "|".join(map(re.escape, sorted(_CLASS_OF, key=len, reverse=True))) + r")(?![\w-])"
)
_OPPOSITE = dict(OPPOSITES) | {
    b: a
    for a, b in OPPOSITES
    if b not in ("lost", "lower", "rejected", "closed", "cold", "left", "fell", "real", "far from", "opposed", "sister",
                 "brother", "uncle", "aunt", "niece", "nephew")
}  # fmt: skip
_TURNABLE = re.compile(
    r"(?<![\w-])(?:" + "|".join(map(re.escape, sorted(_OPPOSITE, key=len, reverse=True))) + r")(?![\w-])"
)
_ORDINAL = re.compile(
    r"(?:(?<=\bthe )|(?<=\bhis )|(?<=\bher )|(?<=\bits )|(?<='s )|(?<=\btheir )|(?<=\bThe ))"
    r"(?:("
    + "|".join(ORDINALS)
    + r")|(\d{1,3})(?:st|nd|rd|th))\b(?! (?:century|two|three|four|five|six|time|half|to|day|\d+)\b)"
)

# --- members of a class ----------------------------------------------------------------------------------------

# What must follow or come before for a word to be of its class here. Type nouns ("film", "village", "actor") only
# as what the subject is said to be: "is a 1999 drama film directed by". Elsewhere they only refer back.
# "is a port on the Sbu river" says of a port that it is one
_IS_A = re.compile(
    r"\b(?:is|was|are|were|became|remains) (?:an?|the)(?: (?!(?:on|in|at|by|for|from|near|with|to)\b)[\w'-]+){0,4} $"
)
_NOUN_ENDS = re.compile(
    r" ?[.,;(]| (?:in|of|from|by|that|who|which|for|based|located|on|at|with|to|directed|released|written|starring|"
    r"published|produced|situated|near|created|known|whose|where|held|recorded)\b"
)
_FOLLOWS = {
    "music": re.compile(r" (?:music|band|singer|musician|song|album|group|artist|guitarist|duo)\b"),
    "reception": re.compile(r" (?:to \w+ )?reviews\b"),
    "genre": re.compile(r" (?:film|television|TV|series|novel|play|miniseries|anthology|movie)\b"),
    "sport": re.compile(r" (?:player|coach|team|club|league|tournament|manager|stadium|match|season|championship)\b"),
    "party": re.compile(r" (?:Party|candidate|politician|member|nominee|leader|incumbent|primary|ticket|government)\b"),
    "frequency": re.compile(r" (?:newspaper|magazine|journal|newsletter|in|by)\b|$"),
}
_TYPES = ("occupation", "work", "place", "body", "beast")
_THE = ("United States", "United Kingdom", "Netherlands", "Philippines")  # countries with an article
_PLACES = ("country", "city", "state", "continent")
# "capital city", "studio album": one word in two
_COMPOUND = re.compile(
    r"\b(?:capital|studio|live|market|port|county|host|home|rules|feature|compilation|tribute|concept) $"
)
# What may be so in more than one place: a film released in Italy may have been released in Spain.
_ELSEWHERE_TOO = re.compile(
    r"\b(?:releas|publish|distribut|market|broadcast|spoke[n]?|sold|aired|available|perform|tour|grown|cultivat|found|"
    r"used|popular|common|chart|work|shown|exhibit|competed|appear|occurs?\b|known|sells?\b)[a-z]*\b[^,;]*$"
)
_WHERE = re.compile(r"\b(?:in|from|of|to|near|at|into|across|throughout|outside) (?:the )?$|[A-Z]\w* ?, $")


def find_classes(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    """Words of which each excludes the others: nationalities, countries, occupations, kinds of work …"""
    for match in _MEMBER.finditer(sentence):
        word, (start, end) = match[0], match.span()
        name = _CLASS_OF[word]
        before, after = sentence[:start], sentence[end:]
        if name in ("month", "colour") or _listed(before, after) or (word[0].isupper() and _in_a_name(before, after)):
            continue
        if name in _FOLLOWS and not _FOLLOWS[name].match(after):
            continue
        if name == "sport" and re.search(r"\b(?:ice|field|rules|[A-Z]\w+) $", before):
            continue  # "ice hockey", "Gaelic football"
        if name in _TYPES and (not (_IS_A.search(before) and _NOUN_ENDS.match(after)) or _COMPOUND.search(before)):
            continue
        if word == "play" and before.endswith(" of "):
            continue  # "the highest level of play"
        if name == "nationality" and re.match(r" (?:football|rules)\b", after):
            continue  # "American football" is another sport
        if name in _PLACES and _ELSEWHERE_TOO.search(before):
            continue
        if name in _PLACES and start > 0 and not _WHERE.search(before):
            continue
        the = before.endswith(("the ", "The "))
        where = position(sentence, start)
        if where == "predicate" or (
            where == "subject" and start == 0 and name in _PLACES and not UNIQUE.search(sentence)
        ):
            others = [o for o in _OTHERS[word] if o not in sentence and (name != "country" or (o in _THE) == the)]
            if not others:
                continue
            other = R if where == "predicate" else N
            kind = "entity" if word[0].isupper() else "word"
            yield swap(kind, start, end, word, rng.choice(others), other=other)


def _listed(before: str, after: str) -> bool:
    """Whether the word is one of several: then another in its place leaves open whether it belongs there too."""
    if re.search(
        r"(?:\b(?:and|or|nor|including|include[sd]?|like|with|between|among|both|featuring|"
        r"starring|versus)|&|such as|/) (?:the |an? )?$",
        before,
    ):
        return True
    if re.match(r" ?(?:,? (?:and|or|nor)|&|/|-)(?: |$)", after) or re.match(r" ?, [\w' -]{2,30} ?(?:,|and|or) ", after):
        return True
    return re.search(r"[a-z\w] ?, [\w' -]{2,30} ?, (?:and |or )?$", before) is not None


def _in_a_name(before: str, after: str) -> bool:
    """ "Greek Revival", "Bank of China": part of a longer name."""
    follows = re.match(r" ?('s\b)?(?: ?[A-Z])", after)
    return (follows is not None and not follows[1]) or bool(
        re.search(r"(?:^|[^.] )[A-Z][\w.'’-]* $|[A-Z]\w+ (?:of|the|in|de|for|and) (?:the )?$", before)
    )


# --- opposites -------------------------------------------------------------------------------------------------

_CONTEST = (
    r" (?:(?:the|an?|his|her|its|their|every|all) )?(?:\S+ ){0,4}?(?:game|match|election|final|battle|war|seat|race|"
    r"case|championship|title|series|fight|bout|lawsuit|primary|vote|tie|playoff|semifinal|semi-final)s?\b"
)
_ADJECTIVE = r" [a-z]+(?:ly|ful|ous|ive|able|ible|al|ent|ant|ic|ar|ed|ing|ary|ern|ex|ult)\b"
# word -> what must follow (or "") and what must not come before
_ONLY: dict[str, tuple[str, str]] = {
    "before": (r" (?!long|then|now)", r""),
    "after": (r" (?!all\b|that\b|which\b|him\b|her\b|them\b|the [A-Z]|[A-Z])",
              r"(?:named|model+ed|look\w*|tak\w+|took|pattern\w*|sought|call\w+|titled|go\w*|year|day|week|one) $"),
    "most": (_ADJECTIVE, r"^(?!.*\b(?:the|'s|its|his|her|their) $)"),
    "least": (_ADJECTIVE, r"^(?!.*\b(?:the|'s|its|his|her|their) $)"),
    "more": (_ADJECTIVE + r"(?: \S+){0,3} than ", r"(?:no|any|once|much|two|three|even|or|the) $"),
    "less": (_ADJECTIVE + r"(?: \S+){0,3} than ", r"(?:no|any|much|even|or|the) $"),
    "best": (r" (?!known|remembered|selling|seller|friend|interests|of|man\b|in\b|way)",
             r"^(?!.*\b(?:the|'s|its) $)"),
    "worst": (r" (?!known|of)", r"^(?!.*\b(?:the|'s|its) $)"),
    "better": (r" (?!known|remembered|off)", r""),
    "accepted": (r" (?!to\b|as\b|that\b)", r"(?:widely|generally|commonly|universally) $"),
    "successful": (r" (?!enough)", r""), "higher": (r" (?!education|learning)", r""),
    "won": (_CONTEST, r"(?:has|have|had|who|which|that|also|and) $"), "winning": (_CONTEST, r"award $"),
    "losing": (_CONTEST, r""),
    "later": (r"", r"^(?!.*\b(?:years?|months?|days?|weeks?|decades?) $)"),
    "earlier": (r"", r"^(?!.*\b(?:years?|months?|days?|weeks?|decades?) $)"),
    # who joined has perhaps left as well: only what a date tells apart
    "began": (r" (?:in|on|at|his|her|its|the|their) .*\b\d{4}\b", r""), "joined": (r" .*\b\d{4}\b", r""),
    "ended": (r" (?:in|on|at|his|her|its|the|their) .*\b\d{4}\b", r""),
    "grew": (r" (?:by|from|to|in|rapidly|quickly|steadily) ", r""), "shrank": (r"", r""),
    "rose": (r" (?:by|from|to|in|rapidly|sharply|steadily) ", r"\b(?:the|a|white|red) $"),
    "open": (r" (?:to|from|on|all|year|daily|during)\b", r"^(?!.*\b(?:is|are|was|were|remains?|remained) $)"),
    "opened": (r" (?:in|on|its|to|at|for)\b.*\b\d{4}\b", r"(?:was|were|been|be) $"),
    "public": (r" (?:school|university|college|company|research|library|park|high|hospital|land|institution)", r""),
    "private": (r" (?:school|university|college|company|research|high|hospital|co|land|institution|airport)", r""),
    "common": (r" (?:in|throughout|and widespread|species|bird|plant)\b", r"\bin $"),
    "popular": (r" (?:in|with|among|tourist|destination|throughout)\b", r"(?:most|more|less|least) $"),
    "victory": (r" (?!over|against)", r""), "defeat": (r" (?!of|over)", r"^(?!.*\b(?:a|the|his|their|its) $)"),
    "real": (r"(?!)", r""), "left": (r"(?!)", r""),
    "above": (r" (?!all\b|average)", r"\bthe $"), "below": (r" (?!is\b)", r"\bthe $"),
    "near": (r" (?:the |[A-Z])", r"\b(?:the|a|very|too) $"),
    "father": (r" (?:of|was|is|in)\b", r"founding $"), "mother": (r" (?:of|was|is)\b", r""),
    "major": (r" (?:role|part|factor|hit|success|influence|source|cause|impact|change|character|port|road)\b", r""),
    "minor": (r" (?:role|part|factor|hit|success|influence|impact|change|character|road)\b", r""),
    "upper": (r" (?:part|reaches|house|course|slopes|half|town|end|section|basin|class)\b", r""),
    "strong": (r" ", r"\b\d+ $"),
    "north": (r" (?:of|side|end|coast|bank|shore|shores|part|to)\b", r"(?:the far|up) $"),
    "supported": (r" (?:the|by|his|a)\b", r""),
    "modern": (r" (?!day|name|times|era)", r""),
    "all": (r"(?!)", r""), "none": (r"(?!)", r""),
}  # fmt: skip
_FITS = {word: (re.compile(follows), re.compile(bar) if bar else None) for word, (follows, bar) in _ONLY.items()}


def find_opposites(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    """Words that turn into their opposite: comparatives, directions, "increased", "won" …"""
    for match in _TURNABLE.finditer(sentence):
        word, (start, end) = match[0], match.span()
        where = position(sentence, start)
        # "The northern part is flat" says nothing about the southern part; a verb itself may come first
        if where is None or (where == "subject") != (word in _VERBS and where == "subject"):
            continue
        if where == "predicate" and _listed(sentence[:start], sentence[end:]):
            continue
        follows, bar = _FITS.get(word, (None, None))
        if (follows is not None and not follows.match(sentence, end)) or (bar and bar.search(sentence[:start])):
            continue
        if _OPPOSITE[word] not in sentence:
            yield swap("comparative", start, end, word, _OPPOSITE[word])


_VERBS = {"increased", "decreased", "rose", "grew", "won", "opened", "began", "ended", "joined", "accepted", "approved",
          "supported", "gained"}  # fmt: skip


def find_ordinals(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    """ "the fourth single", "his 12th goal": in the predicate they decide, in the subject they leave open."""
    for match in _ORDINAL.finditer(sentence):
        where = position(sentence, match.start())
        before, after = sentence[: match.start()], sentence[match.end() :]
        if where is None or re.match(r" (?:[A-Z]|and |or |-)", after):
            continue  # "the Third Reich", "the first and second"
        noun = _ORDERED.match(after)
        if re.search(r"\b(?:one of|among) (?:the|\S+(?: 's)?) $", before) or (noun and _PLURAL.search(noun[0])):
            continue  # "one of the first", "the first settlers"
        if where == "subject" and UNIQUE.search(sentence):
            continue
        if match[1]:
            least = 1 if re.match(r"[ -](?:most\b|[a-z]+est\b)", after) else 0  # nobody writes "first largest"
            new = rng.choice([word for word in ORDINALS[least:8] if word != match[1]])
        else:
            new = _ordinal(max(1, int(match[2]) + rng.choice((-10, -3, -2, -1, 1, 2, 3, 10))))
        if new not in sentence:
            other: Label = R if where == "predicate" else N
            yield swap("ordinal", match.start(), match.end(), match[0], new, other=other)


_ORDERED = re.compile(
    r"(?: [A-Za-z-]+){1,3}?(?= (?:of|in|on|at|for|to|from|and|by|with|who|that|was|is|were|are|had|has)\b| ?[.,;]|$)"
)
_PLURAL = re.compile(r"(?<![sui])s$")


def _ordinal(number: int) -> str:
    suffix = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


# --- names -----------------------------------------------------------------------------------------------------

_NAME = re.compile(
    r"(?<![\w.'-])[A-Z][\w.'’&-]*(?: (?:of|the|and|de|van|von|la|&|[A-Z0-9][\w.'’&-]*))*(?<! the)(?<! of)(?<! and)"
)
_ONE_WORD = ("place", "country", "island", "company", "person")  # of other kinds a single word is seldom the name meant
# Where a name excludes all others. "By" is left out after verbs that more than one can do.
_BY = re.compile(r"(?<!used )(?<!influenced )(?<!inspired )(?<!covered )(?<!praised )(?<!served )(?<!followed )\bby $")
_EXCLUDES = {
    "person": re.compile(_BY.pattern + r"|\b(?:of|succeeded|defeated|married|replaced|against|after) $"),
    "place": re.compile(r"\b(?:in|from|of|at|near|to) $"),
    "work": re.compile(r"\b(?:based on|from|from the album|of|theme of|sequel to|by) (?:the )?$"),
    "maker": re.compile(_BY.pattern + r"|\b(?:of|from|at|for|joined|against|defeated) (?:the )?$"),
}
_GROUP = {
    "person": "person", "band": "maker", "company": "maker", "team": "maker", "university": "maker",
    "newspaper": "maker", "place": "place", "country": "place", "island": "place", "water": "place", "peak": "place",
}  # fmt: skip


def find_names(
    sentence: str, rng: random.Random, names: Mapping[str, str], pools: Mapping[str, Sequence[str]]
) -> Iterator[Fact]:
    """Names of pages, exchanged for names of pages of the same kind."""
    for match in _NAME.finditer(sentence):
        words = match[0].split(" ")
        # the longest known name at the start of the capitalised run
        for length in range(len(words), 0, -1):
            name = " ".join(words[:length])
            name = name if name in names else name.rstrip(".")  # the stop may be the sentence's own
            kind = names.get(name)
            if kind is None or name in _CLASS_OF or (length == 1 and (match.start() == 0 or kind not in _ONE_WORD)):
                continue
            found = _named(sentence, match.start(), name, kind, rng, pools[kind])
            if found is not None:
                yield found
            break


def _named(sentence: str, start: int, name: str, kind: str, rng: random.Random, pool: Sequence[str]) -> Fact | None:
    new = pool[rng.randrange(len(pool))]
    end = start + len(name)
    before, after = sentence[:start], sentence[end:]
    if new in sentence or name in new or _listed(before, after) or re.match(r" ?[A-Z0-9]| (?:of|and)\b| ?['’]", after):
        return None
    where = position(sentence, start)
    if where == "subject" and start == 0:
        if UNIQUE.search(sentence):
            return None
        return swap("entity", start, end, name, new, other=N)
    if _GROUP.get(kind) == "place" and _ELSEWHERE_TOO.search(before):
        return None
    if where != "predicate" or not _EXCLUDES[_GROUP.get(kind, "work")].search(before):
        return None
    lead = re.search(r"\b(?:by|from|at|near) $", before)
    if lead and re.match(r" ?[.,;]", after):
        head = before[lead.start() :]
        return swap("entity", lead.start(), end, head + name, head + new, vague="")
    return swap("entity", start, end, name, new)


# --- negation --------------------------------------------------------------------------------------------------

_COPULA = re.compile(
    r"(?<=\w )(is|was|are|were|has been|had been|can|will|could|would)(?= \w)(?! not| never| no | also )"
)
_ALREADY = re.compile(r"\b(?:not|never|no|only|nor|neither|n't|none|cannot|hardly|rarely|without)\b|n't\b")


def find_negations(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    """The first auxiliary, with and without "not"."""
    match = _COPULA.search(sentence)
    if match is None or _ALREADY.search(sentence) or some_number(sentence, match.start()):
        return
    verb = match[0]
    first, *more = verb.split(" ")
    rest = " ".join(more)
    negated = f"{first} not {rest}".rstrip()
    fillers = (
        Filler(verb, S, R),
        Filler(negated, R, S),
        Filler(f"{first} never {rest}".rstrip() if rng.random() < 0.3 and rest else negated, R, S),
    )
    yield Fact("negation", match.start(), match.end(), verb, negated, fillers)
