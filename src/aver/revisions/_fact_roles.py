"""Facts that are roles: who did it to whom, from where to where, what was in which year.

The words of a sentence stay and trade places. Claims say the same in the active and in the passive, with the roles as
they were and exchanged.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from aver.revisions._fact import SUBJECT, VERB, Fact, Filler, R, S
from aver.revisions._lexicon import MADE_BY, ROLE_VERBS

__all__ = ["NAME", "OBJECT", "find_exchanges", "find_roles"]

# A word of a name takes a stop along where it is an initial or a short form, but not the sentence's own.
_WORD = (
    r"[A-Z](?:[\w'’-]|\.(?=\w))*(?:(?:(?<=\b[A-Z])|(?<=\b[JSDM]r)|(?<=\b(?:St|Mt|Ft|Co))|(?<=\b(?:Inc|Ltd)))"
    r"(?:\.(?= ?[\w,;(])))?"
)
NAME = rf"(?:the )?{_WORD}(?: (?:of )?{_WORD}){{0,3}}"
# He defeated Ray -> Ray defeated him
OBJECT = {"He": "him", "She": "her", "It": "it", "They": "them"}
_OF = "|".join(sorted(ROLE_VERBS, key=len, reverse=True))
_NEXT = (
    r"(?= ?[;(]| ?[.]$| ?, (?![A-Z])| (?:in|on|at|for|from|with|to|after|before|during|as|while|when|by|over|"
    r"twice|again|\d)\b)"
)
_ACTIVE = re.compile(rf"(?<![\w.'’-])(?P<a>(?:The )?{NAME}) (?P<verb>{_OF}) (?P<b>{NAME}){_NEXT}")
_PASSIVE = re.compile(
    rf"(?<![\w.'’-])(?P<a>(?:The )?{NAME}) (?P<was>was|were) (?P<verb>{'|'.join(sorted(set(ROLE_VERBS.values())))}) by "
    rf"(?P<b>{NAME}){_NEXT}"
)
_DONE = re.compile(rf" (?:{_OF}|{'|'.join(sorted(set(ROLE_VERBS.values())))}) ")
_PAST = {passive: active for active, passive in ROLE_VERBS.items()}
_NO_NAME = set("In This Who There Later And But When While After As Although That Which So On At By For".split())
_LEAD_ENDS = re.compile(
    r"^(?:In|On|By|At|During|After|Later|However|Eventually|Subsequently)\b[^,]*(?: ?,|[12]\d{3}) $|; $|, but $"
)


def find_roles(
    sentence: str, rng: random.Random, names: Mapping[str, str], pools: Mapping[str, Sequence[str]]
) -> Iterator[Fact]:
    """ "A defeated B" and "B defeated A", in the active and in the passive; "X wrote it" for "written by X"."""
    done = _DONE.search(sentence) is not None  # most sentences have no such verb
    for m in (*_ACTIVE.finditer(sentence), *_PASSIVE.finditer(sentence)) if done else ():
        first = m["a"].split(" ")[0]
        if (
            m["a"] == m["b"]
            or first in _NO_NAME
            or m["b"].split(" ")[0] in OBJECT
            or (first in OBJECT and " " in m["a"])
            or _TOLD_MORE.match(sentence, m.end())
            or (first in OBJECT and _PRONOUN_TOLD_MORE.match(sentence, m.end()))
        ):
            continue
        if m.start() and not _LEAD_ENDS.search(sentence[: m.start()]):
            continue  # the subject may begin further to the left
        yield _both_ways(sentence, m)
    made = _made_by(sentence, rng, names, pools)
    if made is not None:
        yield made


def _both_ways(sentence: str, m: re.Match[str]) -> Fact:
    active = "was" not in m.groupdict()
    a, b = m["a"], m["b"]
    pronoun = a if a in OBJECT else ""
    subject = SUBJECT if pronoun else re.sub(r"^The ", "the ", a)
    verb, participle = (m["verb"], ROLE_VERBS[m["verb"]]) if active else (_PAST[m["verb"]], m["verb"])

    def said(doer: str, done: str, *, passive: bool) -> str:
        was = "were" if _PEOPLE.match(done) else "was"
        words = f"{done} {was} {participle} by {doer}" if passive else f"{doer} {verb} {done}"
        return words[0].upper() + words[1:] if m.start() == 0 else words

    away = OBJECT.get(a, subject)
    new = said(b, away, passive=False) if active else said(away, b, passive=True)
    doer, done = (subject, b) if active else (b, subject)
    fillers: list[Filler] = []
    for passive in (not active, active):
        fillers += [Filler(said(doer, done, passive=passive), S, R), Filler(said(done, doer, passive=passive), R, S)]
    ends = _GOES_ON.match(sentence, m.end()) is not None
    return Fact("roles", m.start(), m.end(), m[0], new, tuple(fillers), ends=ends, pronoun=pronoun)


# "the Normans", "the English"
_PEOPLE = re.compile(
    r"the (?:.*s|(?:Brit|Engl|Ir|Scott|Dan|Swed|Finn|Pol|Span|Turk)ish|Welsh|French|Dutch|[A-Z][a-z]+ese)$"
)
# ", a magazine", "it , which": said of the one that stands before it
_TOLD_MORE = re.compile(r" ?, an? ")
_PRONOUN_TOLD_MORE = re.compile(r" ?, (?:who|which|whose|where|the|then|now|formerly|later) ?")
# "to win the cup", ", who resigned": said of one of the two
_GOES_ON = re.compile(r" ?[,(]|.* (?:and|to|while|when|before|after|with|who|which|his|her|their|its) ")
_MADE_BY = re.compile(
    rf"(?P<a>It|(?:The )?{NAME}) (?:is|was|are|were) (?:(?:an?|the) [^,;()]{{2,60}}? )?"
    rf"(?P<verb>{'|'.join(MADE_BY)}) by "
    rf"(?P<b>{_WORD}(?: {_WORD}){{1,3}})(?= ?[.,;]| in [12]\d{{3}}| (?:for|on) )"
)


def _made_by(
    sentence: str, rng: random.Random, names: Mapping[str, str], pools: Mapping[str, Sequence[str]]
) -> Fact | None:
    """ "It was written by X", and "Y wrote it" for a claim."""
    m = _MADE_BY.match(sentence)
    if m is None or names.get(m["b"]) != "person" or re.match(r" ?, (?:[A-Z]|and )", sentence[m.end() :]):
        return None
    other = rng.choice(pools["person"])
    if other in sentence or m["b"] in other or m["a"].split(" ")[0] in _NO_NAME:
        return None
    pronoun = m["a"] if m["a"] in OBJECT else ""
    work = SUBJECT if pronoun else m["a"]
    rest = m[0][len(m["a"]) : m.start("b")]
    fillers = [
        Filler(text, *labels)
        for name, labels in ((m["b"], (S, R)), (other, (R, S)))
        for text in (f"{name} {MADE_BY[m['verb']]} {re.sub('^The ', 'the ', work)}", f"{work}{rest}{name}")
    ]
    fillers = [fillers[1], fillers[3], fillers[0], fillers[2]]
    return Fact("roles", 0, m.end(), m[0], m["a"] + rest + other, tuple(fillers), ends=True, pronoun=pronoun)


# --- things that trade places ----------------------------------------------------------------------------------

_FROM_TO = re.compile(
    r"\b(?:moved|relocated|transferred|emigrated|immigrated|migrated|travelled|traveled|flew|sailed|marched|switched|"
    r"changed|renamed|converted|defected|sent|shipped|deported|drove|walked|promoted|relegated|demoted)\b"
    rf"[^,;.()]{{0,40}}? (?P<both>from (?P<a>{NAME}) to (?P<b>{NAME}))"
    r"(?= ?[,;]| ?[.]$| (?:in|on|at|after|before|for|by|as|with)\b)"
)
_BORN_DIED = re.compile(
    rf"\bwas (?P<both>born in (?P<a>{NAME})(?P<mid> (?:in|on) [^,;()]{{4,20}})? and died in (?P<b>{NAME}))"
    r"(?= ?[.,;]| (?:in|on|at)\b)"
)
_IN_YEARS = re.compile(
    r" (?P<both>in (?P<a>[12]\d{3}) ,? ?and "
    r"(?P<mid>(?![12]\d{3}\b)(?:the\b|an?\b|its|his|her|their|in|at|to|for|from|\$|[A-Z\d])[^,;()]{1,50}?) "
    r"in (?P<b>[12]\d{3}))(?= ?[.;]|$| ?, (?:and|but|which|with)\b)"
)
_WORDS = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_COUNTS = re.compile(
    rf"(?<![\w.,$£€-])(?P<a>\d[\d,]*|{_WORDS}) (?P<x>(?:[a-z-]+ )?[a-z]{{3,}}s) and (?P<b>\d[\d,]*|{_WORDS}) "
    r"(?P<y>(?:[a-z-]+ )?[a-z]{3,}s)(?= ?[.,;]|$| (?:in|for|at|on|from|with|during|as|to|by)\b)"
)
_MEASURES = re.compile(
    r"\b(?:feet|inches|years|months|days|hours|minutes|seconds|weeks|miles|yards|pounds|metres|meters)\b"
)


def find_exchanges(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    """Two names, years or counts of a sentence that trade places."""
    fillers: tuple[Filler, ...]
    for m in _FROM_TO.finditer(sentence):
        a, b = m["a"], m["b"]
        if a != b:
            fillers = (
                Filler(f"from {a} to {b}", S, R), Filler(f"from {b} to {a}", R, S),
                Filler(f"to {b} from {a}", S, R), Filler(f"to {a} from {b}", R, S),
            )  # fmt: skip
            yield Fact("exchange", m.start("both"), m.end("both"), m["both"], fillers[1].text, fillers)
    for m in _BORN_DIED.finditer(sentence):
        a, b, mid = m["a"], m["b"], m["mid"] or ""
        if a != b:
            fillers = (
                Filler(f"was born in {a}", S, R), Filler(f"was born in {b}", R, S),
                Filler(f"died in {b}", S, R), Filler(f"died in {a}", R, S),
            )  # fmt: skip
            new = f"was born in {b}{mid} and died in {a}"
            yield Fact("exchange", m.start(), m.end(), m[0], new, fillers)
    for m in _IN_YEARS.finditer(sentence):
        before = sentence[: m.start()]
        if m["a"] == m["b"] or VERB.search(m["mid"]) or re.search(r"\b(?:between|both)\b|[12]\d{3}", before):
            continue
        if _NAMED_ALL.search(before):
            continue  # "The winners are A in 2002 , and B in 2010": one of them is not the winners
        fillers = Filler(f"in {m['a']}", S, R), Filler(f"in {m['b']}", R, S)
        new = m["both"].replace(m["a"], SUBJECT).replace(m["b"], m["a"]).replace(SUBJECT, m["b"])
        yield Fact("exchange", m.start("both"), m.end("both"), m["both"], new, fillers)
    for m in _COUNTS.finditer(sentence):
        a, b, x, y = m["a"], m["b"], m["x"], m["y"]
        if (
            a == b
            or a.isalpha() != b.isalpha()
            or x == y
            or _MEASURES.search(m[0])
            or _LISTED.search(sentence[: m.start()])
        ):
            continue
        fillers = (
            Filler(f"{a} {x}", S, R), Filler(f"{b} {x}", R, S), Filler(f"{b} {y}", S, R), Filler(f"{a} {y}", R, S),
            Filler(f"more {x if _larger(a, b) else y} than {y if _larger(a, b) else x}", S, R),
            Filler(f"more {y if _larger(a, b) else x} than {x if _larger(a, b) else y}", R, S),
        )  # fmt: skip
        yield Fact("exchange", m.start(), m.end(), m[0], f"{b} {x} and {a} {y}", fillers)


_NAMED_ALL = re.compile(rf"\b(?:are|were) {NAME}$")
_LISTED = re.compile(
    r"(?:\d|\w) ?, $|\b(?:all|the|other|least|most|than|over|about|around|approximately|some|nearly|first|last|"
    r"and|of|between|only) $"
)


def _larger(one: str, other: str) -> bool:
    return _count(one) > _count(other)


def _count(text: str) -> int:
    return _WORDS.split("|").index(text) + 2 if text.isalpha() else int(text.replace(",", ""))
