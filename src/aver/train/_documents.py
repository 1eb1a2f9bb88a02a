"""Rows whose evidence is a passage: several sentences, of which some, together or none, bear the claim out.

Pairs of a claim and the one sentence that decides it teach nothing about who "she" is two sentences on, nor what a
summary gets wrong: a name of the right passage in the wrong place, two sentences fused, something the passage never
said. Here sentences of a passage are shortened, given their subject back, or changed, and are read against the whole
of it; and questions people asked about a passage become claims, with the right answer and with a wrong one. Where a
claim was changed by us, the changed words are known: they are marked, so that a judge learns to point at them.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from aver.errors import InputError
from aver.labels import Label
from aver.revisions import Passage, synthesise
from aver.text import split_sentences
from aver.train._related import shared
from aver.train._spans import changed_spans, twins

__all__ = ["QUESTION_FILES", "SWAPPED_FILE", "Told", "from_passages", "from_questions", "from_swapped", "passages"]

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO
Spans = tuple[tuple[int, int], ...]

QUESTION_FILES = tuple(
    f"qa_text/squad_shifts_{name}.json.gz"
    for name in ("amazon_reviews_v1.0", "new_wiki_v1.0", "nyt_v1.0", "reddit_v1.0", "squaddev_v1.1")
)
SWAPPED_FILE = "qa_text/contextual_parametric_knowledge_conflicts_task.json.gz"

_WORDS = 150  # of a passage: with its claim it then fits into what a judge reads at once
_NAME = re.compile(r"\b[A-Z][\w'’-]+(?: (?:of |de |van |the )?[A-Z][\w'’-]+)*")
_NOT_NAMES = frozenset(
    "I The A An In On At It He She They We You This That These Those His Her Its Their My Our But And Or So If When "
    "While After Before As For From With By To Not No Monday Tuesday Wednesday Thursday Friday Saturday Sunday January "
    "February March April May June July August September October November December Mr Mrs Ms Dr".split()
)
_PRONOUN = re.compile(r"^(?:He|She|It|They) (?=(?:was|is|were|are|has|had|have|will|[a-z]+ed)\b)")
_ENDS_OPEN = re.compile(r"\b(?:in|of|to|for|with|by|from|at|on|about|as|into|called|named|known|like)$", re.IGNORECASE)


class Told(NamedTuple):
    """A claim against a passage; `claim_spans` are the characters of the claim that the passage does not bear out."""

    claim: str
    evidence: str
    label: Label
    claim_spans: Spans | None = None
    spans: Spans | None = None


class _Question(NamedTuple):
    text: str
    answer: str
    at: int


def passages(data: Path) -> Iterator[tuple[str, list[_Question]]]:
    """The passages people asked questions about, with the questions."""
    for name in QUESTION_FILES:
        for page in _load(data / name, "data"):
            for paragraph in page["paragraphs"]:
                asked = [
                    _Question(q["question"].strip(), q["answers"][0]["text"], q["answers"][0]["answer_start"])
                    for q in paragraph["qas"]
                    if q["answers"] and q["question"].strip()
                ]
                yield paragraph["context"], asked


def from_questions(asked: Sequence[tuple[str, list[_Question]]], rng: random.Random) -> Iterator[Told]:
    """Each question as a claim with its answer; with another answer of the same kind; and without its sentence."""
    for context, questions in asked:
        if len(context.split()) > _WORDS * 1.3:
            continue
        sentences = list(split_sentences(context))
        for question in questions:
            spans = ((question.at, question.at + len(question.answer)),)
            kind = _kind(question.answer)
            others = [
                q.answer
                for q in questions
                if _kind(q.answer) == kind and not _overlap(q.answer, question.answer) and kind != "phrase"
            ]
            if kind == "figure":
                others = others or [w for w in re.findall(r"\d[\d,.]*\d", context) if not _overlap(w, question.answer)]
            elif kind == "name":
                others = others or [n for n in names(context) if not _overlap(n, question.answer)]
            if others or rng.random() < 0.5:  # not many more right answers than wrong ones
                claim, _ = statement(question.text, question.answer)
                yield Told(claim, context, S, (), spans)
            if others:
                other = rng.choice(others)
                claim, place = statement(question.text, other)
                yield Told(claim, context, R, (place,), spans)
            if rng.random() < 0.3:
                kept = [s.text for s in sentences if not s.start <= question.at < s.end]
                if kept and question.answer.lower() not in " ".join(kept).lower():
                    claim, place = statement(question.text, question.answer)
                    yield Told(claim, " ".join(kept), N, (place,))


def from_swapped(data: Path, rng: random.Random) -> Iterator[Told]:
    """Questions about texts in which the answer was replaced: what the text says now is right, what it said is not."""
    for example in _load(data / SWAPPED_FILE, "examples"):
        question, _, context = example["input"].strip().partition("\nContext:")
        question, context = question.removeprefix("Question:").strip(), context.strip()
        if not context or len(context.split()) > _WORDS:
            continue
        for answer, score in example["target_scores"].items():
            if answer.lower() in question.lower() or rng.random() < 0.3:
                continue
            claim, place = statement(question[:1].upper() + question[1:], answer)
            if score:
                at = context.find(answer)
                yield Told(claim, context, S, (), ((at, at + len(answer)),) if at >= 0 else None)
            elif answer.lower() not in context.lower():
                yield Told(claim, context, R, (place,))


def statement(question: str, answer: str) -> tuple[str, tuple[int, int]]:
    """A question and its answer as one statement where that is simple, else one after the other; and the answer's span.

    >>> statement("Who wrote Emma?", "Jane Austen")
    ('Jane Austen wrote Emma.', (0, 11))
    >>> statement("What was the name of the ship?", "Ark")
    ('The name of the ship was Ark.', (25, 28))
    >>> statement("When did it sink?", "1912")
    ('When did it sink? 1912', (18, 22))
    """
    answer = answer.strip().rstrip(".")
    rest = question.rstrip(" ?")
    who = re.match(
        r"(?:Who|What|Which [a-z]+) (?!(?:did|do|does|are|were|is|was|has|have|had|can|will)\b)(?=[a-z])", rest
    )
    if who or (re.match(r"Who (?:was|is) (?:the|a|an) ", rest) and not _ENDS_OPEN.search(rest)):
        verb = rest[who.end() :] if who else rest[4:]
        return f"{answer[:1].upper()}{answer[1:]} {verb}.", (0, len(answer))
    what = re.match(r"What (was|is|were|are) ((?:the|his|her|their|its) .+)", rest)
    if what and not _ENDS_OPEN.search(rest) and not re.search(r"(?:ed|ing)$", rest):
        told = f"{what[2][:1].upper()}{what[2][1:]} {what[1]} "
        return f"{told}{answer}.", (len(told), len(told) + len(answer))
    told = f"{rest}? "
    return told + answer, (len(told), len(told) + len(answer))


def from_passages(pages: Sequence[Passage], rng: random.Random) -> Iterator[Told]:
    """Sentences of each passage against it: kept, changed, fused, taken out, or brought in from elsewhere."""
    changed: dict[str, list[tuple[str, str]]] = {}
    by_title = {page.title: page for page in pages}
    for pair in synthesise(pages, seed=rng.randrange(2**32)):
        if pair.edited and pair.label is R:
            original = next((s for s in by_title[pair.page].sentences if twins(s, pair.evidence)), None)
            if original:
                changed.setdefault(pair.page, []).append((original, pair.evidence))
    foreign = [
        s for page in rng.sample(list(pages), min(len(pages), 2000)) for s in page.sentences if _PRONOUN.match(s)
    ]
    for page in pages:
        if len(page.sentences) < 3:
            continue
        for original, edited in rng.sample(changed.get(page.title, []), min(2, len(changed.get(page.title, [])))):
            text = _around(page.sentences, original)
            # where words were only taken out, none of those left can be pointed at
            yield Told(edited, text, R, changed_spans(edited, original) or None)
            yield Told(_shortened(original, rng), text, S, ())
        sentence = rng.choice(page.sentences)
        if len(sentence.split()) < 5:
            continue
        text = _around(page.sentences, sentence)
        swapped = _other_name(sentence, text, rng)
        if swapped is not None:
            yield Told(swapped[0], text, R, (swapped[1],))
            yield Told(_shortened(sentence, rng), text, S, ())
        if rng.random() < 0.4:
            other = rng.choice([s for s in page.sentences if s != sentence] or [""])
            if other and other in text:
                fused = f"{_shortened(sentence, rng).rstrip(' .')} and {other[:1].lower()}{other[1:]}"
                yield Told(fused, text, S, ())
        if rng.random() < 0.4:
            kept = " ".join(s for s in page.sentences if s != sentence and shared(sentence, s) < 0.5)
            if len(kept.split()) > 15:
                yield Told(sentence, _cut(kept), N)
        yield from _about_the_subject(page, foreign, rng)


def _about_the_subject(page: Passage, foreign: Sequence[str], rng: random.Random) -> Iterator[Told]:
    """What a pronoun says with the subject's name, with another name, and what was said of another subject."""
    subject = re.sub(r"\s*\([^)]*\)$", "", page.title)
    if not page.sentences[0].startswith(subject):
        return
    pronouns = [s for s in page.sentences[1:] if _PRONOUN.match(s)]
    if pronouns:
        sentence = rng.choice(pronouns)
        text = _around(page.sentences, sentence, whole=True)
        rest = sentence[_PRONOUN.match(sentence).end() :]  # type: ignore[union-attr]
        if sentence in text and text.startswith(subject):
            yield Told(f"{subject} {rest}", text, S, ())
            others = [n for n in names(text) if not _overlap(n, subject) and n not in sentence]
            if others:
                other = rng.choice(others)
                yield Told(f"{other} {rest}", text, R, ((0, len(other)),))
    if foreign and rng.random() < 0.4:
        sentence = rng.choice(foreign)
        text = _cut(" ".join(page.sentences))
        if sentence not in text and shared(sentence, text) < 0.4:
            rest = sentence[_PRONOUN.match(sentence).end() :]  # type: ignore[union-attr]
            yield Told(f"{subject} {rest}", text, N, ((len(subject) + 1, len(subject) + 1 + len(rest)),))


def names(text: str) -> list[str]:
    """The names in a text, in their order, each once: capitalised words that do not merely begin a sentence.

    >>> names("Yesterday the mayor of Bern met Ann Lee. She met Karl too.")
    ['Bern', 'Ann Lee', 'Karl']
    """
    found: dict[str, None] = {}
    for match in _NAME.finditer(text):
        before = text[: match.start()].rstrip()
        first = match[0].split()[0]
        begins = not before or before[-1] in ".!?\"“`'"
        if first in _NOT_NAMES or (begins and " " not in match[0]):
            continue
        found.setdefault(match[0])
    return list(found)


def _other_name(sentence: str, text: str, rng: random.Random) -> tuple[str, tuple[int, int]] | None:
    """The sentence with one of its names replaced by another of the passage."""
    mine = names(sentence)
    if not mine:
        return None
    name = rng.choice(mine)
    others = [n for n in names(text) if n not in sentence and not _overlap(n, name) and (" " in n) == (" " in name)]
    if not others:
        return None
    other, at = rng.choice(others), sentence.find(name)
    return sentence[:at] + other + sentence[at + len(name) :], (at, at + len(other))


def _shortened(sentence: str, rng: random.Random) -> str:
    """The sentence without an aside, a lead or a tail it can do without; often as it is."""
    way = rng.randrange(5)
    short = sentence
    if way == 0:
        short = re.sub(r" ?(?:\([^)]*\)|-LRB-.*?-RRB-)", "", sentence)
    elif way == 1:
        short = re.sub(r" ?, (?:which|who|where) [^,.]+(?= ?[,.])", "", sentence)
    elif way == 2:
        led = re.match(r"(?:In|On|At|After|During) [^,]{3,40}, ?(?=[A-Zt])", sentence)
        short = sentence[led.end() :] if led else sentence
        short = short[:1].upper() + short[1:]
    elif way == 3:
        head = sentence.rstrip(" .").split(" , ")[0] if " , " in sentence else sentence.rstrip(" .").split(", and ")[0]
        short = head + (" ." if sentence.endswith(" .") else ".") if len(head.split()) >= 7 else sentence
    return short if len(short.split()) >= 5 else sentence


def _around(sentences: Sequence[str], sentence: str, *, whole: bool = False) -> str:
    """A sentence amid its neighbours, as many as a passage holds; with `whole`, from the passage's beginning."""
    at = sentences.index(sentence)
    low, high = (0, at) if whole else (at, at)
    size = sum(len(s.split()) for s in sentences[low : high + 1])
    while True:
        grown = False
        for low_too in (True, False):
            beside = low - 1 if low_too else high + 1
            if 0 <= beside < len(sentences) and size + len(sentences[beside].split()) <= _WORDS:
                size += len(sentences[beside].split())
                low, high, grown = min(low, beside), max(high, beside), True
        if not grown:
            return " ".join(sentences[low : high + 1])


def _cut(text: str) -> str:
    return " ".join(text.split()[:_WORDS])


def _kind(answer: str) -> str:
    if any(c.isdigit() for c in answer):
        return "figure"
    return "name" if answer[:1].isupper() and len(answer.split()) <= 4 else "phrase"


def _overlap(one: str, two: str) -> bool:
    return bool(set(re.findall(r"\w+", one.lower())) & set(re.findall(r"\w+", two.lower())))


def _load(path: Path, key: str) -> list[Any]:
    """The list under a key of a packed JSON file."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, EOFError, ValueError) as error:
        raise InputError(f"{path}: cannot be read as packed JSON: {error}; fetch the file again") from error
    if not isinstance(found, dict) or not isinstance(found.get(key), list):
        raise InputError(f"{path}: has no list {key!r}; is it another file?")
    return list(found[key])
