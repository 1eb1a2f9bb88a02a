"""Rows as retrieval hands them to a judge: several titled sentences about a claim's subject.

Data sets of pairs hold the one sentence that decides. A judge that has seen only these takes anything that is about
the same subject for a verdict. So here the deciding sentence stands among others, and others stand without it: those
say nothing of the claim, and the label is NOT ENOUGH INFO.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from aver.labels import Label

__all__ = ["Claim", "Related", "Subjects", "bound", "conjoined", "elsewhere", "grounded", "retrieved", "shared"]

_SENTENCE_END = re.compile(r"(?<= [.!?]) (?=[A-Z\"`(\d])")
_DEFINES = re.compile(r"\b(?:is|was|are|were) (?:a|an|the|not|only|born)\b")
_SAID = re.compile(
    r"(?P<name>(?!There\b)[A-Z][\w'.&-]*(?: (?:[A-Z][\w'.&-]*|of|the|and|de|van))*(?: \([\w ]+\))?) "
    r"(?P<said>(?:is|was|has|had|did|does|can|will|[a-z]+(?:ed|s))\b[^.]{4,120})\.?$"
)
"""A claim that begins with its subject's name, and what it says of it."""
_PLAIN = re.compile(
    r"(?i)(?:a|an|and|are|as|at|be|been|born|by|did|for|from|had|has|have|he|her|his|in|is|it|its|made|not|of|on|one|only|"
    r"or|out|she|that|the|their|there|they|to|two|was|were|which|who|with)\b"
)
"""Words that a page is called too, and no claim means."""
_STYLES = ("( {} ) ", "( {} ) ", "{} : ", "{}: ", "")


class Claim(NamedTuple):
    """A claim with the sentence that decides it, and the title of the page it is from, where that is known."""

    text: str
    label: Label
    gold: str
    page: str = ""


class Related(NamedTuple):
    """A claim with several sentences."""

    claim: str
    evidence: str
    label: Label
    gold_at: int
    """Where the deciding sentence begins in the evidence; -1 where there is none."""


def words(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}|\d+", text.lower()))


def shared(claim: str, text: str) -> float:
    """The share of a claim's words that a text has too."""
    wanted = words(claim)
    return len(wanted & words(text)) / max(1, len(wanted))


class Subjects:
    """The pages of an encyclopedia by title, found in a claim by its capitalised words."""

    def __init__(self, pages: Mapping[str, str]) -> None:
        self._pages: dict[str, list[tuple[str, str]]] = {}
        for title, text in pages.items():
            self._pages.setdefault(re.sub(r"\s*\([^)]*\)$", "", title), []).append((title, text))

    def of(self, claim: Claim) -> list[tuple[str, str, list[str]]]:
        """The pages a claim is about, that of its sentence first: the name in the claim, the title, the sentences.

        >>> pages = {"Mel B": "Mel B is a singer . She was born in Leeds .", "Bern": "Bern is a city ."}
        >>> Subjects(pages).of(Claim("Mel B was born in Bern.", Label.REFUTES, "Mel B , a singer , is from Leeds ."))
        [('Mel B', 'Mel B', ['Mel B is a singer .', 'She was born in Leeds .'])]
        """
        found, taken = [], ""
        names = re.findall(r"[\w'.&-]*[\w&-]", claim.text)
        if claim.page:
            names = claim.page.split()
        for size in range(min(7, len(names)), 0, -1):
            for at in range(len(names) - size + 1):
                name = " ".join(names[at : at + size])
                # one word alone is a subject at the head of a claim only: elsewhere it is part of something longer
                if not name[0].isupper() or name in taken or len(name) < 3 or (size == 1 and at > 0):
                    continue
                for title, text in self._pages.get(name, ())[:3]:
                    found.append((name, title, _SENTENCE_END.split(text)))
                    taken += "|" + name
        ranked = sorted(found, key=lambda page: -shared(claim.gold, " ".join(page[2])))
        return ranked[:3] if ranked and shared(claim.gold, " ".join([ranked[0][1], *ranked[0][2]])) > 0.55 else []

    def beside(self, claim: str, name: str) -> list[tuple[str, str]]:
        """Titled sentences of the other pages that a claim's words name, the nearest first; none names its subject.

        >>> pages = {"Mel B": "Mel B is a singer .", "Jail": "A jail holds prisoners before their trial ."}
        >>> Subjects(pages).beside("Mel B is in jail.", "Mel B")
        [('Jail', 'A jail holds prisoners before their trial .')]
        """
        said = re.findall(r"[\w'.&-]*[\w&-]", claim.replace(name, "|"))
        found: dict[tuple[str, str], None] = {}
        for size in (4, 3, 2, 1):
            for at in range(len(said) - size + 1):
                other = " ".join(said[at : at + size])
                other = other[0].upper() + other[1:]
                if len(other) < 3 or _PLAIN.match(other):
                    continue
                for title, text in self._pages.get(other, ())[:2]:
                    for sentence in _SENTENCE_END.split(text):
                        if not words(name) & words(sentence) and len(words(sentence)) >= 4:
                            found.setdefault((title, sentence))
        return sorted(found, key=lambda sentence: -shared(claim, " ".join(sentence)))[:6]


def bound(claims: Sequence[Claim], subjects: Subjects, rng: random.Random) -> Iterator[Related]:
    """What a claim says, said of something else: that decides nothing, however well it fits.

    A claim with sentences about what it mentions ("CEO" for "Ann is a CEO"), alone or among others of its subject; told
    of another subject, with the sentence that decided it; and, so that strange titles mean nothing by themselves, with
    the deciding sentence among sentences of all these kinds.
    """
    about = [subjects.of(claim) for claim in claims]
    others = [pages[0] for pages in about if pages and len(pages[0][2]) >= 2]
    for claim, pages in zip(claims, about, strict=True):
        if not pages or claim.label is Label.NOT_ENOUGH_INFO:
            continue
        name, title, sentences = pages[0]
        style = rng.choice(_STYLES[:4])  # without a title one could not tell
        own = [(title, s, at) for at, s in enumerate(sentences) if shared(s, claim.gold) < 0.6 and claim.gold not in s]
        silent = _silent(claim.text, name, own, defined=claim.label is Label.SUPPORTS)
        strange = subjects.beside(claim.text, name)
        gold = (title, _untitled(title, claim.gold))
        if strange:
            yield _bound(claim.text, strange, silent[: rng.choice((0, 1, 2, 3))], style, rng)
            yield _bound(claim.text, strange[:2], [gold, *silent[: rng.choice((0, 1, 2))]], style, rng, claim.label)
        if not others:
            continue
        other, other_title, told_of = rng.choice(others)
        told = claim.text.replace(name, other)
        if told != claim.text and not words(other) & words(claim.gold) and other not in title:
            rest = _silent(told, other, [(other_title, s, at) for at, s in enumerate(told_of)], defined=False)
            yield _bound(told, [gold], rest[: rng.choice((0, 0, 1, 2, 3))], style, rng)
            rival = [(other_title, s) for s in told_of if not words(name) & words(s)][:2]
            if rival:
                yield _bound(claim.text, rival, [gold], style, rng, claim.label)


def _bound(
    claim: str, strange: Sequence[tuple[str, str]], own: Sequence[tuple[str, str]], style: str, rng: random.Random,
    label: Label = Label.NOT_ENOUGH_INFO,
) -> Related:  # fmt: skip
    texts = [_titled(style, *sentence) for sentence in (*strange[: rng.choice((1, 1, 2, 3))], *own)]
    rng.shuffle(texts)
    return Related(claim, " ".join(texts), label, -1)


def retrieved(
    claims: Sequence[Claim], subjects: Subjects, rng: random.Random, *, edited: bool = False
) -> Iterator[Related]:
    """Each claim with its sentence among others of its subject; with the others alone; and told of another subject.

    Sentences that were `edited` contradict their page, so they are not put among its others.
    """
    about = [subjects.of(claim) for claim in claims]
    others = [pages[0] for pages in about if pages and len(pages[0][2]) >= 3]
    for claim, pages in zip(claims, about, strict=True):
        style = rng.choice(_STYLES)
        near = [
            (title, sentence, at)
            for _, title, sentences in pages
            for at, sentence in enumerate(sentences)
            if shared(sentence, claim.gold) < 0.6 and claim.gold not in sentence
        ]
        near.sort(key=lambda found: -shared(claim.text, found[1]))
        title = pages[0][1] if pages else ""
        for _ in range(2 if near and not edited and claim.label is not Label.NOT_ENOUGH_INFO else 0):
            # alone under its title too, or the title itself would come to mean that nothing is said
            beside = [_titled(style, t, s) for t, s, _ in near[: rng.choice((0, 0, 1, 2, 3, 4))]]
            place = rng.randint(0, len(beside))
            before, gold = "".join(s + " " for s in beside[:place]), _titled(style, title, claim.gold)
            after = "".join(" " + s for s in beside[place:])
            at = len(before) + len(gold) - len(claim.gold)
            yield Related(claim.text, before + gold + after, claim.label, at)
        if pages:
            silent = _silent(claim.text, pages[0][0], near, defined=claim.label is Label.SUPPORTS)
            if silent:
                yield Related(claim.text, _several(silent, style, rng), Label.NOT_ENOUGH_INFO, -1)
        if pages and others and not edited and not _DEFINES.search(claim.text):
            name, title, sentences = rng.choice(others)
            told = claim.text.replace(pages[0][0], name)
            if name != pages[0][0] and told != claim.text:
                found = sorted(((title, s, at) for at, s in enumerate(sentences)), key=lambda f: -shared(told, f[1]))
                silent = _silent(told, name, found, defined=True)
                if silent:
                    yield Related(told, _several(silent, style, rng), Label.NOT_ENOUGH_INFO, -1)


def _silent(claim: str, name: str, near: Sequence[tuple[str, str, int]], *, defined: bool) -> list[tuple[str, str]]:
    """Sentences that cannot decide a claim: they have little of what it says of its subject.

    The sentence that defines a subject refutes much that is wrongly said of it, so it is left out unless `defined`.
    """
    said = words(claim) - words(name)
    kept: list[tuple[str, str]] = []
    for title, sentence, at in near:
        if len(words(sentence)) < 4 or (at == 0 and not defined):
            continue
        if len(said & words(sentence)) / max(1, len(said)) < 0.34:
            kept.append((title, sentence))
    return kept[:5] if said else []


def _several(found: Sequence[tuple[str, str]], style: str, rng: random.Random) -> str:
    texts = [_titled(style, title, sentence) for title, sentence in found[: rng.choice((1, 2, 3, 3, 3, 5))]]
    rng.shuffle(texts)
    return " ".join(texts)


def _titled(style: str, title: str, sentence: str) -> str:
    return (style.format(title) if title and style else "") + sentence


def _untitled(title: str, sentence: str) -> str:
    for style in _STYLES[:4]:
        sentence = sentence.removeprefix(style.format(title))
    return sentence


def elsewhere(claims: Sequence[Claim], rng: random.Random) -> Iterator[Related]:
    """Each claim with the evidence of another claim that speaks of the same things and not of this."""
    for claim in claims:
        some = rng.sample(claims, min(150, len(claims)))
        fitting = [(shared(claim.text, o.gold), o.gold) for o in some if shared(claim.text, o.text) < 0.5]
        share, text = max((f for f in fitting if f[0] < 0.4 and f[1] != claim.gold), default=(0.0, ""))
        if share > 0.1:
            yield Related(claim.text, text, Label.NOT_ENOUGH_INFO, -1)


def grounded(claims: Sequence[Claim], subjects: Subjects, rng: random.Random) -> Iterator[Claim]:
    """The claims whose sentence speaks of their subject: it stands on its page (and mostly gets its title), names it,
    or has much of what the claim says.

    FEVER marks all sentences that decide a claim together, and one of them alone may say nothing of it: who learns from
    such pairs sees a verdict wherever something fitting is said of anything.

    >>> pages = Subjects({"Mel B": "Mel B is a singer . She was born in Leeds ."})
    >>> there = Claim("Mel B comes from Leeds.", Label.SUPPORTS, "She was born in Leeds .")
    >>> claims = [there, there._replace(gold="The city has parks .")]
    >>> [claim.gold for claim in grounded(claims, pages, random.Random(1))]
    ['( Mel B ) She was born in Leeds .']
    """
    for claim in claims:
        pages = subjects.of(claim)
        there = bool(pages) and shared(claim.gold, " ".join(pages[0][2])) > 0.8
        if there and rng.random() < 0.6:
            yield claim._replace(gold=_titled(rng.choice(_STYLES[:4]), pages[0][1], claim.gold))
        elif there or _named(claim) or shared(claim.text, claim.gold) >= 0.4:
            yield claim


def _named(claim: Claim) -> bool:
    """Some word of the name that the claim begins with stands in its sentence."""
    name = re.match(r"(?:The )?((?:[A-Z][\w'-]* ?)+)", claim.text)
    return name is not None and any(word in claim.gold for word in name[1].split() if len(word) > 3)


def conjoined(claims: Sequence[Claim], rng: random.Random) -> Iterator[Related]:
    """Two claims about one subject made one, with the sentences of both, or of one alone.

    Half a claim that is supported does not support the whole; half a claim that is refuted refutes it.

    >>> a = Claim("Mel B was born in Leeds.", Label.SUPPORTS, "Mel B is from Leeds .")
    >>> b = Claim("Mel B sings in a choir.", Label.SUPPORTS, "She is a chorister .")
    >>> for row in conjoined([a, b], random.Random(1)):
    ...     print(row.claim, "|", row.evidence, "|", row.label)
    Mel B sings in a choir and was born in Leeds. | She is a chorister . Mel B is from Leeds . | SUPPORTS
    Mel B sings in a choir and was born in Leeds. | She is a chorister . | NOT_ENOUGH_INFO
    Mel B sings in a choir and was born in Leeds. | Mel B is from Leeds . | NOT_ENOUGH_INFO
    """
    about: dict[str, list[tuple[str, Claim]]] = {}
    for claim in claims:
        found = _SAID.match(claim.text)
        if found and claim.label is not Label.NOT_ENOUGH_INFO:
            about.setdefault(found["name"], []).append((found["said"], claim))
    for name, said in about.items():
        for at, first in enumerate(said):
            second = rng.choice(said[:at] + said[at + 1 :]) if len(said) > 1 else None
            if second is None or (second[1].gold, second[0]) == (first[1].gold, first[0]) or at % 2:
                continue
            pair = [first, second]
            rng.shuffle(pair)
            (one, left), (two, right) = pair
            if shared(one, two) > 0.5:
                continue
            told = f"{name} {one} and {two}."
            golds = list(dict.fromkeys((left.gold, right.gold)))
            rng.shuffle(golds)
            both = Label.REFUTES if Label.REFUTES in (left.label, right.label) else Label.SUPPORTS
            yield Related(told, " ".join(golds), both, 0)
            for half, other in ((left, two), (right, one)):
                if half.label is Label.REFUTES and rng.random() < 0.25:  # there would be too many
                    yield Related(told, half.gold, Label.REFUTES, 0)
                if both is Label.SUPPORTS and shared(other, half.gold) < 0.34 and len(golds) > 1:
                    yield Related(told, half.gold, Label.NOT_ENOUGH_INFO, -1)
