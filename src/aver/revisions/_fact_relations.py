"""Facts that are relations: who directed a film need not have produced it, and who was nominated need not have won."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from aver.revisions._fact import VERB, Fact, Filler, N, R, S, position, some_number, swap

__all__ = ["find_relations", "find_steps"]

# What different people may have done, or the same ones: knowing one leaves the others open.
_PARTS = [
    set(parts.split())
    for parts in (
        "directed produced written edited narrated",
        "written illustrated edited translated published",
        "composed produced recorded performed arranged",
        "designed built financed restored",
        "developed published produced",
        "founded owned managed sponsored",
    )
]
_BY = re.compile(rf"(?<=[a-z,)] )(?<!and )(?<!co- )(?P<part>{'|'.join(sorted(set().union(*_PARTS)))}) by (?=[A-Z])")
_KIN = re.compile(
    r"\b(?:direct|produc|writ|wrote|edit|narrat|illustrat|translat|publish|compos|record|perform|arrang|design|buil|"
    r"script|adapt|coproduc|financ|restor|develop|found|own|manag|sponsor|author|screenplay|creat|present)\w*",
    re.IGNORECASE,
)
_BORN = re.compile(r"(?<=\bwas )born(?= in [A-Z])(?!.* on (?:\d|[A-Z][a-z]+ \d))")
_ELSEWHERE = ("raised", "educated", "buried")

# what was done, and what falls short of it
_STEPS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(rf"(?<=[\w)] ){done}"), tuple(short.split("|")))
    for done, short in (
        (r"won(?= (?:the|an?) (?:[\w'’&.-]+ ){0,6}(?:Award|Prize|Medal|Oscar|Grammy|Emmy|BAFTA)\b)",
         "was nominated for|was shortlisted for|was considered for"),
        (r"was (?:built|constructed|erected|opened|created|introduced)"
         r"(?= (?:in|on|at|for|to|near)\b| by (?:the )?[A-Z])",
         "was proposed|was planned|was suggested|was announced"),
        (r"was released(?= (?:in|on|by|for)\b)", "was announced"),
        (r"was elected (?=(?:mayor|president|governor|chairman|chair|speaker|leader|pope|senator)\b)",
         "was a candidate for |was proposed as "),
        (r"was (?:convicted|found guilty) of", "was accused of|was suspected of"),
        (r"graduated from", "attended|enrolled at|studied at"),
        (r"(?:acquired|bought|purchased)(?= (?:the|[A-Z]))", "tried to buy|offered to buy"),
        (r"(?:defeated|beat)(?= [A-Z])(?!.* \d+ ?[–-] ?\d)", "played against|faced|competed against"),
        (r"reached the summit of", "attempted to climb"),
        (r"discovered(?= (?:the|an?)\b)", "searched for"),
    )
)  # fmt: skip
_LEMMAS = {
    "won": "win", "graduated": "graduate", "acquired": "acquire", "bought": "buy", "purchased": "purchase",
    "defeated": "defeat", "beat": "beat", "reached": "reach", "discovered": "discover", "attended": "attend",
    "enrolled": "enrol", "studied": "study", "tried": "try", "offered": "offer",
    "played": "play", "faced": "face", "competed": "compete", "attempted": "attempt", "searched": "search",
}  # fmt: skip


def find_relations(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    """ "directed by", "produced by": each supports itself and leaves the other open."""
    for found in _BY.finditer(sentence):
        rest = sentence[: found.start("part")] + sentence[found.end("part") :]
        others = {part for parts in _PARTS if found["part"] in parts for part in parts} - {found["part"]}
        # a sentence that tells more of the work may well decide the other
        if not _KIN.search(rest):
            if sentence.endswith(("is ", "are "), 0, found.start("part")):
                others -= {"founded"}  # a house that is owned by somebody was founded by somebody
            other = rng.choice(sorted(others))
            yield swap("relation", found.start("part"), found.end("part"), found["part"], other, other=N)
    born = _BORN.search(sentence)
    if born is not None and not re.search(r"\b(?:rais|educat|buri|grew|school|nativ)", sentence):
        yield swap("relation", *born.span(), born[0], rng.choice(_ELSEWHERE), other=N)


def find_steps(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    """What was done, and what falls short of it: that a bridge was proposed leaves open whether it was built.

    Whether what was done had been proposed before is not clear, and no pair is made of it.
    """
    for pattern, short in _STEPS:
        found = pattern.search(sentence)
        if (
            found is not None
            and position(sentence, found.end()) is not None
            and not some_number(sentence, found.start())
            # "was built in 1956 , which raised the water": what was only announced did not
            and not ("was announced" in short and VERB.search(sentence, found.end()))
        ):
            new = rng.choice([step for step in short if _key(step) not in sentence] or [""])
            if new:
                done, undone = Filler(found[0], S, N), Filler(_negated(found[0]), R, N)
                steps = Filler(new, None, S), Filler(_negated(new), None, R)
                yield Fact("step", *found.span(), found[0], new, sets=((done, *steps), (undone, *steps)))
                return


def _key(step: str) -> str:
    words = step.split()
    return words[1] if words[0] == "was" and words[1] != "a" else words[-2] if words[0] == "was" else words[0]


def _negated(text: str) -> str:
    """The same with a "not".

    >>> _negated("was built"), _negated("won")
    ('was not built', 'did not win')
    """
    first, _, rest = text.partition(" ")
    return f"was not {rest}" if first == "was" else f"did not {_LEMMAS[first]} {rest}".rstrip()
