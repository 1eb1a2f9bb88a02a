"""Facts that are hedged: what may be, is said to be or is planned leaves open whether it is.

Four claims meet a sentence and its twin, each of which is bare, hedged, or denies the hedge: the bare one and its
negation, which the hedge leaves open, and the hedge in other words and its denial, which it supports and refutes.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import NamedTuple

from aver.revisions._fact import Fact, Filler, N, R, S, position, some_number
from aver.revisions._lexicon import VERB_FORMS

__all__ = ["find_hedges"]


class _Hedge(NamedTuple):
    """What stands for the verb, hedged; the same in other words; and its denial."""

    text: str
    again: str
    denial: str
    excludes: bool = False
    """Whether the denial says that it is not so: what cannot be is not, what was not planned may be."""


_PASTS = "|".join(sorted(VERB_FORMS, key=len, reverse=True))
_BARE = re.compile(
    r"(?<=[\w)\]] )(?P<be>is|was|are|were|has been|have been)(?= \w)(?! also\b| known to\b)"
    r"|(?<=[\w)\]] )(?<!has )(?<!have )(?<!had )(?<!the )"
    rf"(?<!is )(?<!are )(?<!was )(?<!were )(?<!been )(?<!being )(?P<past>{_PASTS})(?= [\w$])(?! by\b)"
)
_ALREADY = re.compile(
    r"\b(?:not|never|no|only|nor|neither|none|cannot|hardly|rarely|without|may|might|could|would|should|must|can|will|"
    r"perhaps|possibly|probably|allegedly|reportedly|supposedly|believed|thought|said|claimed|alleged|planned|plans|"
    r"expected|likely|if|whether|suggest\w*|propos\w*|intended|how|why|when|that|what)\b|n't\b|[\"“”`?]"
)
_DEFINES = re.compile(r" (?:an?|the|one of)\b")
_DONE = re.compile(r"(?: [a-z]+ly| also)? [a-z]+(?:ed|ilt|old|ade|own|ent|ought)\b")
_HOW = re.compile(r"\b(?!(?:famil|assemb|al|repl|supp|Ital)y)[a-z]+ly $")
_THERE = re.compile(r"(?:There|Here|This|That|These|Those|Who|Which|Both)\b")
_SOURCE = {"said": "reported", "reported": "said", "believed": "thought", "thought": "believed", "alleged": "claimed"}
_PLAN = {"planned": ("intended", "plan"), "intended": ("planned", "intend")}
_DUE = {"due": "expected", "expected": "due", "scheduled": "due", "planned": "due"}
_LEMMAS = {lemma: past for past, (lemma, _, _) in VERB_FORMS.items()}
_HEDGED = re.compile(
    rf"(?<=[\w)] )(?:(?P<are>is|are) (?P<source>{'|'.join(_SOURCE)}) to (?P<be>be|have been)"
    rf"|(?P<plan>{'|'.join(_PLAN)}) to (?P<lemma>{'|'.join(_LEMMAS)})"
    rf"|(?P<was>was|were) (?P<due>{'|'.join(_DUE)}) to be)(?= \w)"
)


def find_hedges(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    """The first finite verb, bare and hedged."""
    hedged, found = _HEDGED.search(sentence), _BARE.search(sentence)
    if found is None or _THERE.match(sentence) or position(sentence, found.end()) is None:
        return
    if some_number(sentence, found.start()):
        return  # some may have been and others not
    if hedged is not None:
        if hedged.start() <= found.start() and not _ALREADY.search(
            sentence[: hedged.start()] + sentence[hedged.end() :]
        ):
            bare, hedge = _bared(hedged)
            yield _fact(hedged, "hedged", rng.choice(("bare", "denied")), bare, hedge)
        return
    if _ALREADY.search(sentence):
        return
    if _HOW.search(sentence[: found.start()]):
        return  # "they narrowly won": what is hedged stands before the adverb
    bare = found[0]
    if bare in ("is", "are") and _DEFINES.match(sentence, found.end()):
        return  # nobody doubts that a town is a town
    if found["be"]:
        hedge = _of_be(bare, sentence[found.end() :], rng)
    else:
        hedge = _of_past(bare, sentence.startswith(("He ", "She ", "It ")), rng)
    yield _fact(found, "bare", rng.choice(("hedged", "denied")), bare, hedge)


def _fact(place: re.Match[str], old: str, new: str, bare: str, hedge: _Hedge) -> Fact:
    written = {"bare": bare, "hedged": hedge.text, "denied": hedge.denial}
    rows = {  # the labels of the bare claim, of its negation, of the hedge and of its denial
        "bare": (S, R, None, None),
        "hedged": (N, N, S, R),
        "denied": (R, S, R, S) if hedge.excludes else (N, N, R, S),
    }
    texts = bare, _negated(bare), hedge.again, hedge.denial
    told = tuple(Filler(*row) for row in zip(texts, rows[old], rows[new], strict=True))
    # one claim about the bare fact a group: with both, hedged evidence would mostly leave open
    return Fact("hedge", place.start(), place.end(), place[0], written[new], sets=((told[0], *told[2:]), told[1:]))


def _of_be(be: str, after: str, rng: random.Random) -> _Hedge:
    are = "are" if be in ("are", "were", "have been") else "is"
    infinitive = "be" if be in ("is", "are") else "have been"
    ways = [_is_said(are, rng.choice(list(_SOURCE)), infinitive)]
    done = _DONE.match(after) is not None
    if infinitive != "be" or not done:  # "may be used" is a permission
        ways.append(_may(infinitive))
    if be in ("was", "were") and done:
        ways.append(_is_due(be, rng.choice(list(_DUE))))
    return rng.choice(ways)


def _of_past(past: str, is_one: bool, rng: random.Random) -> _Hedge:
    lemma, participle, meant = VERB_FORMS[past]
    ways = [_may(f"have {participle}")]
    if is_one:
        ways.append(_is_said("is", rng.choice(list(_SOURCE)), f"have {participle}"))
    if meant:
        ways.append(_plans(rng.choice(list(_PLAN)), lemma))
    return rng.choice(ways)


def _bared(hedged: re.Match[str]) -> tuple[str, _Hedge]:
    """The hedge of a sentence, and what it would say without."""
    if hedged["are"]:
        bare = hedged["are"] if hedged["be"] == "be" else {"is": "was", "are": "were"}[hedged["are"]]
        return bare, _is_said(hedged["are"], hedged["source"], hedged["be"])
    if hedged["plan"]:
        return _LEMMAS[hedged["lemma"]], _plans(hedged["plan"], hedged["lemma"])
    return hedged["was"], _is_due(hedged["was"], hedged["due"])


def _may(infinitive: str) -> _Hedge:
    return _Hedge(f"may {infinitive}", f"might {infinitive}", f"cannot {infinitive}", excludes=True)


def _is_said(are: str, source: str, infinitive: str) -> _Hedge:
    other = _SOURCE[source]
    return _Hedge(
        f"{are} {source} to {infinitive}", f"{are} {other} to {infinitive}", f"{are} not {other} to {infinitive}"
    )


def _is_due(was: str, due: str) -> _Hedge:
    return _Hedge(f"{was} {due} to be", f"{was} {_DUE[due]} to be", f"{was} not {_DUE[due]} to be")


def _plans(plan: str, lemma: str) -> _Hedge:
    other, infinitive = _PLAN[plan][0], _PLAN[_PLAN[plan][0]][1]
    return _Hedge(f"{plan} to {lemma}", f"{other} to {lemma}", f"did not {infinitive} to {lemma}")


def _negated(bare: str) -> str:
    if bare in VERB_FORMS:
        return f"did not {VERB_FORMS[bare][0]}"
    first, _, rest = bare.partition(" ")
    return f"{first} not {rest}".rstrip()
