"""Contrastive data from plain sentences: one claim, nearly identical evidences, opposite labels.

VitaminC (Schuster et al., 2021) got such groups from Wikipedia's revisions; here a small edit plays the revision.
From a sentence with a fact in it a group of six pairs is made: a claim true of the sentence and a claim true of
its edited twin, each judged against both, and each against a text that leaves it open. So every claim comes once
with every label, and every evidence with two: neither side alone tells the answer. Where the twin itself leaves a
claim open (bounds, hedges, quantifiers), the groups are smaller and even out over many.
"""

from __future__ import annotations

import dataclasses
import hashlib
import random
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from aver.errors import InputError, Problems, kind_of
from aver.labels import Label
from aver.revisions._claims import SLOT, Subject, claim_about, fill
from aver.revisions._fact import SUBJECT
from aver.revisions._facts import Fact, Filler, find_facts, loosened
from aver.revisions._lexicon import CLASSES, TYPE_NOUNS

__all__ = ["KINDS", "ContrastPair", "Passage", "gazetteer", "synthesise"]

KINDS = (
    "number", "bounded number", "unit", "spelled number", "clock", "date", "entity", "word", "comparative", "converse",
    "ordinal", "negation", "hedge", "quantifier", "roles", "exchange", "relation",
    "step",
)  # fmt: skip

# How often a kind is taken where a sentence offers several: numbers and dates decide most real edits.
_WEIGHT = {
    "number": 4.0,
    "bounded number": 3.0,
    "unit": 8.0,
    "clock": 20.0,
    "date": 2.5,
    "roles": 12.0,
    "exchange": 12.0,
    "converse": 12.0,
    "quantifier": 12.0,
    "relation": 3.0,
    "step": 3.0,
    "comparative": 1.5,
    "ordinal": 1.2,
    "negation": 0.25,
    "hedge": 0.25,
}
# Facts whose slot holds the verb, and those where a claim must keep all that narrows it down.
_VERBAL = ("negation", "hedge", "roles", "converse", "step")
_SUPERLATIVE = re.compile(r"most|least|best|worst|[a-z]+est")
_EVENTS = ("began", "ended", "opened", "closed", "joined", "left")  # another date would not exclude them
_WHOLE = (
    *_VERBAL, "quantifier", "exchange", "relation", "bounded number", "unit", "spelled number", "clock", "ordinal"
)  # fmt: skip

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

    >>> page = Passage("Barnyard", ["Barnyard grossed $ 116 million .", "It was directed by Steve Oedekerk in 2006 ."])
    >>> for pair in synthesise([page], seed=7, kinds=["number", "date"], limit=6):
    ...     print(pair.label, "|", pair.claim, "|", pair.evidence)
    SUPPORTS | Barnyard made in excess of $ 95 million . | Barnyard grossed $ 116 million .
    REFUTES | Barnyard made in excess of $ 95 million . | Barnyard grossed $ 93 million .
    NOT_ENOUGH_INFO | Barnyard made in excess of $ 95 million . | It was directed by Steve Oedekerk in 2006 .
    REFUTES | Barnyard made less than $ 95 million . | Barnyard grossed $ 116 million .
    SUPPORTS | Barnyard made less than $ 95 million . | Barnyard grossed $ 93 million .
    NOT_ENOUGH_INFO | Barnyard made less than $ 95 million . | It was directed by Steve Oedekerk in 2006 .
    """
    _check(per_sentence, kinds, limit)
    return _pairs(passages, seed, per_sentence, kinds, limit)


def _check(per_sentence: int, kinds: Sequence[str], limit: int | None) -> None:
    if isinstance(kinds, str) or not isinstance(kinds, Collection):
        raise InputError(f"kinds is {kind_of(kinds, none='None')}; give a list, of: {', '.join(KINDS)}")
    problems = Problems()
    for kind in dict.fromkeys(kinds):
        if kind not in KINDS:
            problems.add("kinds", f"there is no kind {kind!r}; there are: {', '.join(KINDS)}")
    if not kinds:
        problems.add("kinds", f"none is given; there are: {', '.join(KINDS)}")
    if per_sentence < 1:
        problems.add("per_sentence", f"at least 1 group a sentence, not {per_sentence}")
    if limit is not None and limit < 1:
        problems.add("limit", f"at least 1 pair, not {limit}; leave it out for all of them")
    problems.raise_if_any("pairs cannot be made")


def _pairs(
    passages: Iterable[Passage], seed: int, per_sentence: int, kinds: Sequence[str], limit: int | None
) -> Iterator[ContrastPair]:
    pages = [Passage(page.title, [sentence for sentence in page.sentences if _usable(sentence)])
             for page in map(_read, passages)]  # fmt: skip
    names, pools = gazetteer(pages)
    made = 0
    for page in pages:
        subject = _subject(page)
        for index, sentence in enumerate(page.sentences):
            rng = random.Random(f"{seed}|{page.title}|{index}|{sentence}")
            for pair in _groups(page, subject, index, rng, names, pools, kinds, per_sentence):
                yield pair
                made += 1
                if made == limit:
                    return


def _read(page: Passage) -> Passage:
    """The page itself; an InputError where it is none: one text would be read letter by letter."""
    if not isinstance(page, Passage):
        raise InputError(f"a page is a Passage(title, sentences); got {kind_of(page, none='None')}")
    if not isinstance(page.title, str):
        raise InputError(f"the title of a page is {kind_of(page.title, none='None')}; it must be text")
    several = isinstance(page.sentences, Sequence) and not isinstance(page.sentences, str)
    if not several or not all(isinstance(sentence, str) for sentence in page.sentences):
        raise InputError(
            f"page {page.title!r}: its sentences must be a list of texts; aver.text.split_sentences makes one of a text"
        )
    return page


# "43 m. the town was occupied": two sentences that were taken for one
_RUN_ON = re.compile(r"\d ?(?:[ckm]?m|ft|mi|in|k?g|lb|ha|h|min|sec|sq) ?\. [a-z]")


def _usable(sentence: str) -> bool:
    return (
        5 <= sentence.count(" ") <= 60 and len(sentence) <= 2000 and not _OURS.search(sentence)
        and not _RUN_ON.search(sentence)
    )  # fmt: skip


_OURS = re.compile(f"[{SLOT}{SUBJECT}]")


def _groups(
    page: Passage, subject: Subject, index: int, rng: random.Random, names: Mapping[str, str],
    pools: Mapping[str, Sequence[str]], kinds: Sequence[str], per_sentence: int,
) -> Iterator[ContrastPair]:  # fmt: skip
    sentence = page.sentences[index]
    facts = [fact for fact in find_facts(sentence, rng, names, pools) if fact.kind in kinds]
    done = 0
    for fact in _in_order(_seldom_negated(facts, kinds, rng), rng):
        if done == per_sentence:
            return
        group = _group(page, subject, index, fact, facts, rng, names, pools, kinds)
        if group:
            done += 1
            yield from group


def _seldom_negated(facts: Sequence[Fact], kinds: Sequence[str], rng: random.Random) -> list[Fact]:
    """Nearly every sentence can be negated or hedged; people seldom do it."""
    seldom = [kind for kind in ("negation", "hedge") if rng.random() >= 0.3 and len(kinds) > 1]
    return [fact for fact in facts if fact.kind not in seldom]


def _in_order(facts: Sequence[Fact], rng: random.Random) -> list[Fact]:
    """Weighted order without replacement (Efraimidis and Spirakis): the kinds people edit most come first."""
    return sorted(facts, key=lambda fact: rng.random() ** (1 / _WEIGHT.get(fact.kind, 1.0)), reverse=True)


def _group(
    page: Passage, subject: Subject, index: int, fact: Fact, facts: Sequence[Fact], rng: random.Random,
    names: Mapping[str, str], pools: Mapping[str, Sequence[str]], kinds: Sequence[str],
) -> list[ContrastPair]:  # fmt: skip
    sentence = page.sentences[index]
    template = sentence[: fact.start] + SLOT + sentence[fact.end :]
    about = _claim_about(template, subject, rng, fact)
    if about is None:
        return []
    if fact.kind not in _WHOLE and rng.random() < 0.4:
        about = loosened(about, rng, SLOT)
    chosen = _claims(fact, rng)
    if chosen is None:
        return []
    key = f"{page.title}|{index}|{fact.kind}|{fact.start}|{fact.new}"
    digest = hashlib.blake2b(key.encode(), digest_size=8).hexdigest()
    pairs = []
    open_evidence, extra = _open(page, subject, index, fact, facts, rng, names, pools, kinds)
    claims = [_said(about, filler, subject) for filler in chosen]
    if fact.pronoun and any(claim.count(subject.called(about)) > 1 for claim in claims):
        return []  # father and son of one name
    # For all claims or for none: an open evidence for one of them only would tell them apart.
    is_open = open_evidence is not None and all(
        N not in (filler.under_old, filler.under_new) and _says_nothing(open_evidence[0], claim, fact, filler.text)
        for filler, claim in zip(chosen, claims, strict=True)
    )
    for filler, claim in zip(chosen, claims, strict=True):
        for text, label, edited in ((fact.old, filler.under_old, False), (fact.new, filler.under_new, True)):
            if label is None:
                continue
            evidence, spans = _filled(template, text)
            pairs.append(
                ContrastPair(digest, claim, evidence, label, fact.kind, page.title, edited, spans if label != N else ())
            )
        if open_evidence is not None and is_open:
            evidence, edited = open_evidence
            pairs.append(ContrastPair(digest, claim, evidence, N, fact.kind, page.title, edited, ()))
    return pairs + [dataclasses.replace(pair, case_id=digest) for pair in extra if is_open]


def _claim_about(template: str, subject: Subject, rng: random.Random, fact: Fact) -> str | None:
    if fact.pronoun and fact.pronoun.lower() not in subject.pronouns:
        return None
    if fact.ends:
        template = template[: template.index(SLOT) + 1] + (" ." if template.endswith(" .") else ".")
    whole = fact.kind in _WHOLE or fact.old in _EVENTS or _SUPERLATIVE.fullmatch(fact.old) is not None
    return claim_about(template, subject, rng, slot_is_verb=fact.kind in _VERBAL, whole=whole)


def _said(about: str, filler: Filler, subject: Subject) -> str:
    return fill(about, filler.text.replace(SUBJECT, subject.called(about)))


def _claims(fact: Fact, rng: random.Random) -> tuple[Filler, ...] | None:
    """One claim the sentence supports and one it does not, the other way round under the edit; or one of the sets."""
    if fact.sets:
        return rng.choice(fact.sets)
    old = [filler for filler in fact.fillers if filler.under_old == S and filler.under_new != S]
    new = [filler for filler in fact.fillers if filler.under_new == S and filler.under_old != S]
    if not old or not new:
        return None
    # The same form on both sides, or the form would hint at the label: both plain, or both reworded.
    if len(old) > 1 and len(new) > 1 and rng.random() < 0.65:
        return rng.choice(old[1:]), rng.choice(new[1:])
    return old[0], new[0]


def _open(
    page: Passage, subject: Subject, index: int, fact: Fact, facts: Sequence[Fact], rng: random.Random,
    names: Mapping[str, str], pools: Mapping[str, Sequence[str]], kinds: Sequence[str],
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
                about = _claim_about(template, subject, rng, others[0]) if others else None
                chosen = _claims(others[0], rng) if others else None
                if about is None or chosen is None or sorted(str(f.under_old) for f in chosen) != [str(R), str(S)]:
                    continue
                _, spans = _filled(template, others[0].old)
                return (silent, True), [
                    ContrastPair("", _said(about, filler, subject), silent, label, other.kind, page.title, True, spans)
                    for filler in chosen
                    if (label := filler.under_old) is not None
                ]
    near = [i for i in range(max(0, index - 4), min(len(page.sentences), index + 5)) if i != index]
    rng.shuffle(near)
    for at in near[:4]:
        neighbour = page.sentences[at]
        # Only a sentence that could be evidence for something itself, or having no fact in it would tell.
        changes = _in_order(_seldom_negated(find_facts(neighbour, rng, names, pools), kinds, rng), rng)
        if changes:
            if rng.random() < 0.5:
                return (neighbour, False), []
            template = neighbour[: changes[0].start] + SLOT + neighbour[changes[0].end :]
            return (_filled(template, changes[0].new)[0], True), []
    return None, []


def _filled(template: str, text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    filled = fill(template, text)
    if not text:
        return filled, ()
    at = filled.lower().find(text.lower(), max(0, template.index(SLOT) - 4))
    return filled, ((at, at + len(text)),) if at >= 0 else ()


_DIRECTION = re.compile(r"(?:north|south|east|west)+(?:ern)?")
_WORD = re.compile(r"[A-Za-z]{4,}|\d[\d,.]*")


def _says_nothing(evidence: str, claim: str, fact: Fact, filler: str) -> bool:
    """A text that shares the filler or most of the claim's words may well decide it."""
    if fact.kind != "negation" and any(said.lower() in evidence.lower() for said in (fact.old, fact.new) if said):
        return False
    if _DIRECTION.fullmatch(fact.old) and _DIRECTION.search(evidence):
        return False  # a town 500 km north of the capital is hardly in the south
    digits = set(re.findall(r"\d[\d,.]*", filler))
    if (digits and digits & set(re.findall(r"\d[\d,.]*", evidence))) or (
        not digits and fact.kind != "negation" and filler.lower() in evidence.lower()
    ):
        return False
    return bool(set(_WORD.findall(claim)) - set(_WORD.findall(evidence)))


_KIND = re.compile(
    r"\b(?:is|was|are|were) (?:an?|the|one of the) ((?:[\w'-]+ ){0,6}?[\w'-]+)"
    r"(?= (?:in|of|from|by|that|who|which|and|for|based|located|on|at|with|to|directed|released|written)\b| ?[,.;(])"
)
_PRONOUNS = {
    "person": frozenset({"he", "she", "his", "her"}), "band": frozenset({"they", "their"}),
    "team": frozenset({"they", "their", "it", "its"}), "company": frozenset({"it", "its"}),
}  # fmt: skip


def _kind_of(page: Passage) -> str | None:
    """What kind of thing a page is about, read off its first sentence."""
    if not page.sentences:
        return None
    first = re.sub(r"\s*\([^()]*\)", "", page.sentences[0])
    found = _KIND.search(first)
    kind = TYPE_NOUNS.get(found[1].split()[-1]) if found else None
    return kind or (
        "person" if re.search(r"\( ?born |\(.{0,40}\d{4} ?[-–] ?.{0,20}\d{4} ?\)", page.sentences[0]) else None
    )


def _subject(page: Passage) -> Subject:
    kind = _kind_of(page)
    name = re.sub(r"\s*\([^)]*\)$", "", page.title)
    head = name.partition(",")[0]
    if head != name and page.sentences and _begins(head, page.sentences[0]):
        name = head  # "Esperance, Western Australia", whose text says "Esperance"
    if not _named(name, page.sentences):
        name = ""  # "notes-2", a file's name: nothing that the text calls its subject
    # without a name nothing can be put for a pronoun
    return Subject(name, kind, _PRONOUNS.get(kind or "", frozenset({"it", "its"})) if name else frozenset())


def _begins(name: str, sentence: str) -> bool:
    own = re.escape(name).replace("'", " ?'")
    return re.match(rf"(?:The )?{own}\b(?! ?,)", sentence) is not None


def _named(name: str, sentences: Sequence[str]) -> bool:
    """Whether the sentences name it: in full, or by one of its capitalised words or years."""
    words = re.findall(r"[^\W\d_][\w.-]{2,}|\d{3,}", name)
    text = " ".join(sentences)
    return any(word in text for word in words if not word.islower()) or name.lower() in text.lower()


def gazetteer(pages: Sequence[Passage]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Names of pages and the kind of thing each is."""
    names: dict[str, str] = {}
    for page in pages:
        if len(page.title) >= 3 and page.title[0].isupper():
            kind = _kind_of(page)
            name = _subject(page).called(page.sentences[0]) if kind is not None else ""
            if kind is not None and name:
                names[name] = kind
    common = {word for members in CLASSES.values() for word in members}
    pools: dict[str, list[str]] = {}
    for name, kind in names.items():
        one_word = " " not in name and kind in ("song", "film", "album", "book", "series")
        if len(name) > 3 and name not in common and "," not in name and not one_word:
            pools.setdefault(kind, []).append(name)
    pools = {kind: pool for kind, pool in pools.items() if len(pool) > 1}
    return {name: kind for name, kind in names.items() if kind in pools}, pools
