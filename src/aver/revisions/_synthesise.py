"""Contrastive data from plain sentences: one claim, nearly identical evidences, opposite labels.

VitaminC (Schuster et al., 2021) got such groups from Wikipedia's revisions; here a small edit plays the revision.
From a sentence with a fact in it a group of six pairs is made: a claim true of the sentence and a claim true of
its edited twin, each judged against both, and each against a text that leaves it open. So every claim comes once
with every label, and every evidence with two: neither side alone tells the answer.
"""

from __future__ import annotations

import dataclasses
import hashlib
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from aver.errors import InputError
from aver.labels import Label
from aver.revisions._claims import SLOT, claim_about, fill
from aver.revisions._facts import Fact, Filler, find_facts, true_bound
from aver.revisions._lexicon import CLASSES, TYPE_NOUNS
from aver.text._quantities import find_quantities

__all__ = ["KINDS", "ContrastPair", "Passage", "synthesise"]

KINDS = ("number", "bounded number", "date", "entity", "word", "comparative", "ordinal", "negation", "roles")

# How often a kind is taken where a sentence offers several: numbers and dates decide most real edits.
_WEIGHT = {
    "number": 4.0,
    "bounded number": 6.0,
    "date": 2.5,
    "roles": 8.0,
    "comparative": 1.5,
    "ordinal": 1.2,
    "negation": 0.25,
}

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO


class Passage(NamedTuple):
    """A page: its title and its sentences."""

    title: str
    sentences: Sequence[str]


@dataclasses.dataclass(frozen=True, slots=True)
class ContrastPair:
    """A claim, an evidence and the label that follows from how they were made."""

    case_id: str
    claim: str
    evidence: str
    label: Label
    kind: str
    page: str
    edited: bool
    """Whether the evidence was changed (or is another sentence, changed)."""
    rationale: tuple[tuple[int, int], ...]
    """Character spans of the evidence that decide; empty where nothing does."""

    def as_dict(self) -> dict[str, Any]:
        """As a line of JSON, in VitaminC's field names."""
        return {**dataclasses.asdict(self), "label": self.label.fever}


def synthesise(
    passages: Iterable[Passage],
    *,
    seed: int = 0,
    per_sentence: int = 1,
    kinds: Sequence[str] = KINDS,
    limit: int | None = None,
) -> Iterator[ContrastPair]:
    """Makes groups of contrastive pairs from pages of plain sentences; the same seed gives the same pairs.

    `per_sentence` is the most groups one sentence may give, `limit` the most pairs in all. Each sentence draws
    from its own random stream, so adding a page changes no other page's pairs (names of pages are shared: they
    are what entities are exchanged for).

    >>> page = Passage("Barnyard", ["Barnyard grossed $ 116 million worldwide .", "It was directed by Steve Oedekerk ."])
    >>> for pair in synthesise([page], seed=3, kinds=["number"]):
    ...     print(pair.label, "|", pair.claim, "|", pair.evidence)
    SUPPORTS | Barnyard made over $ 79 million . | Barnyard grossed $ 116 million worldwide .
    """
    unknown = sorted(set(kinds) - set(KINDS))
    if unknown:
        raise InputError(f"unknown kinds of edit {unknown}; there are: {', '.join(KINDS)}")
    pages = [Passage(page.title, [s for s in page.sentences if 5 <= s.count(" ") <= 60]) for page in passages]
    names, pools = _gazetteer(pages)
    made = 0
    for page in pages:
        title = re.sub(r"\s*\([^)]*\)$", "", page.title)
        for index, sentence in enumerate(page.sentences):
            rng = random.Random(f"{seed}|{page.title}|{index}|{sentence}")
            for pair in _groups(page, title, index, rng, names, pools, kinds, per_sentence):
                yield pair
                made += 1
                if made == limit:
                    return


def _groups(
    page: Passage, title: str, index: int, rng: random.Random, names: Mapping[str, str],
    pools: Mapping[str, Sequence[str]], kinds: Sequence[str], per_sentence: int,
) -> Iterator[ContrastPair]:  # fmt: skip
    sentence = page.sentences[index]
    facts = [fact for fact in find_facts(sentence, rng, names, pools) if fact.kind in kinds]
    # Weighted order without replacement (Efraimidis and Spirakis): the kinds people edit most come first.
    facts.sort(key=lambda fact: rng.random() ** (1 / _WEIGHT.get(fact.kind, 1.0)), reverse=True)
    done = 0
    for fact in facts:
        if done == per_sentence:
            return
        group = _group(page, title, index, fact, facts, rng, names, pools)
        if group:
            done += 1
            yield from group


def _group(
    page: Passage, title: str, index: int, fact: Fact, facts: Sequence[Fact], rng: random.Random,
    names: Mapping[str, str], pools: Mapping[str, Sequence[str]],
) -> list[ContrastPair]:  # fmt: skip
    sentence = page.sentences[index]
    template = sentence[: fact.start] + SLOT + sentence[fact.end :]
    about = claim_about(template, title, rng, slot_is_verb=fact.kind in ("negation", "roles"))
    if about is None:
        return []
    if rng.random() < 0.4:
        about = _loosen(about, rng)
    chosen = _two_claims(fact, rng)
    if chosen is None:
        return []
    digest = hashlib.blake2b(f"{page.title}|{index}|{fact.start}|{fact.new}".encode(), digest_size=8).hexdigest()
    pairs = []
    open_evidence, extra = _open(page, title, index, fact, facts, rng, names, pools)
    for filler in chosen:
        claim = fill(about, filler.text)
        for text, label, edited in ((fact.old, filler.under_old, False), (fact.new, filler.under_new, True)):
            evidence, spans = _filled(template, text)
            pairs.append(
                ContrastPair(digest, claim, evidence, label, fact.kind, page.title, edited, spans if label != N else ())
            )
        if open_evidence is not None and N not in (filler.under_old, filler.under_new):
            evidence, edited = open_evidence
            if _says_nothing(evidence, claim, filler.text):
                pairs.append(ContrastPair(digest, claim, evidence, N, fact.kind, page.title, edited, ()))
    if any(pair.label == N and pair.evidence == (open_evidence or ("",))[0] for pair in pairs):
        pairs += [dataclasses.replace(pair, case_id=digest) for pair in extra]
    return pairs


def _loosen(about: str, rng: random.Random) -> str:
    """Replaces the other exact figures of a claim by a bound that holds: "147 reviews" -> "more than 130 reviews"."""
    for quantity in reversed(list(find_quantities(about))):
        if quantity.bound == "exact" and not quantity.spelled and quantity.value > 3 and rng.random() < 0.7:
            loose = true_bound(quantity, rng)
            if loose:
                about = about[: quantity.start] + loose + about[quantity.end :]
    return about


def _two_claims(fact: Fact, rng: random.Random) -> tuple[Filler, Filler] | None:
    """One claim the sentence supports and one it does not, opposite under the edit."""
    if fact.kind == "bounded number":
        first, second, third, fourth = fact.fillers
        return rng.choice(((first, second), (first, fourth), (third, second)))
    old = [filler for filler in fact.fillers if (filler.under_old, filler.under_new) == (S, R)]
    new = [filler for filler in fact.fillers if (filler.under_old, filler.under_new) == (R, S)]
    if not old or not new:
        return None
    # The same form on both sides, or the form would hint at the label: both plain, or both reworded.
    if len(old) > 1 and len(new) > 1 and rng.random() < 0.65:
        return rng.choice(old[1:]), rng.choice(new[1:])
    return old[0], new[0]


def _open(
    page: Passage, title: str, index: int, fact: Fact, facts: Sequence[Fact], rng: random.Random,
    names: Mapping[str, str], pools: Mapping[str, Sequence[str]],
) -> tuple[tuple[str, bool] | None, list[ContrastPair]]:  # fmt: skip
    """An evidence that leaves the claims open, and pairs that keep it from giving itself away.

    Either the sentence without its deciding words, which then also appears as evidence for and against a claim
    about another of its facts; or a neighbouring sentence, half of the time itself edited.
    """
    sentence = page.sentences[index]
    if fact.vague is not None and rng.random() < 0.6:
        silent, _ = _filled(sentence[: fact.start] + SLOT + sentence[fact.end :], fact.vague)
        for other in facts:
            if other.start >= fact.end or other.end <= fact.start:
                others = [
                    o for o in find_facts(silent, rng, names, pools) if o.old == other.old and o.kind == other.kind
                ]
                template = silent[: others[0].start] + SLOT + silent[others[0].end :] if others else ""
                about = (
                    claim_about(template, title, rng, slot_is_verb=other.kind in ("negation", "roles"))
                    if others
                    else None
                )
                chosen = _two_claims(others[0], rng) if others else None
                if about is None or chosen is None or (chosen[0].under_old, chosen[1].under_old) != (S, R):
                    continue
                _, spans = _filled(template, others[0].old)
                return (silent, True), [
                    ContrastPair(
                        "", fill(about, filler.text), silent, filler.under_old, other.kind, page.title, True, spans
                    )
                    for filler in chosen
                ]
    near = [i for i in range(max(0, index - 4), min(len(page.sentences), index + 5)) if i != index]
    if not near:
        return None, []
    neighbour = page.sentences[rng.choice(near)]
    if rng.random() < 0.5:
        changes = find_facts(neighbour, rng, names, pools)
        if changes:
            change = rng.choice(changes)
            return (_filled(neighbour[: change.start] + SLOT + neighbour[change.end :], change.new)[0], True), []
    return (neighbour, False), []


def _filled(template: str, text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    filled = fill(template, text)
    if not text:
        return filled, ()
    at = filled.lower().find(text.lower(), max(0, template.index(SLOT) - 4))
    return filled, ((at, at + len(text)),) if at >= 0 else ()


_WORD = re.compile(r"[A-Za-z]{4,}|\d[\d,.]*")


def _says_nothing(evidence: str, claim: str, filler: str) -> bool:
    """A text that shares the filler or most of the claim's words may well decide it."""
    digits = set(re.findall(r"\d[\d,.]*", filler))
    if (digits and digits & set(re.findall(r"\d[\d,.]*", evidence))) or (
        not digits and filler.lower() in evidence.lower()
    ):
        return False
    return bool(set(_WORD.findall(claim)) - set(_WORD.findall(evidence)))


_KIND = re.compile(
    r"\b(?:is|was|are|were) (?:an?|the|one of the) ((?:[\w'-]+ ){0,6}?[\w'-]+)(?= (?:in|of|from|by|that|who|which|and|for|based|located|on|at|with|to|directed|released|written)\b| [,.;(])"
)


def _gazetteer(pages: Sequence[Passage]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Names of pages and the kind of thing each is, read off its first sentence."""
    names: dict[str, str] = {}
    for page in pages:
        if not page.sentences or len(page.title) < 3 or not page.title[0].isupper():
            continue
        found = _KIND.search(page.sentences[0])
        kind = TYPE_NOUNS.get(found[1].split()[-1]) if found else None
        if kind is not None:
            names[re.sub(r"\s*\([^)]*\)$", "", page.title)] = kind
    common = {word for members in CLASSES.values() for word in members}
    pools: dict[str, list[str]] = {}
    for name, kind in names.items():
        if (
            len(name) > 3
            and name not in common
            and (" " in name or kind not in ("song", "film", "album", "book", "series"))
        ):
            pools.setdefault(kind, []).append(name)
    pools = {kind: pool for kind, pool in pools.items() if len(pool) > 1}
    return {name: kind for name, kind in names.items() if kind in pools}, pools
