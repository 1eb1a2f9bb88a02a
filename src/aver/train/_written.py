"""Claims and changes in VitaminC's manner that a small language model writes: how it is asked, and what they become.

People's claims are few. A language model that has read how they were written from a sentence, and how the sentence was
then changed so that it says otherwise of them, writes as many more as are wanted, about any sentence. Whether it wrote
what was asked for is for a teacher to judge.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from aver.errors import InputError
from aver.labels import Label
from aver.records import iter_records
from aver.train._mix import (
    FEVER,
    TRAIN_FOLDS,
    Row,
    evaluation_rows,
    held_out_claims,
    introduction_sentences,
    normalised,
    read,
)
from aver.train._packed import Array, Packed

__all__ = [
    "WRITTEN",
    "Lesson",
    "Told",
    "Topic",
    "as_meant",
    "fever_claims",
    "lessons",
    "prompt_for_change",
    "prompt_for_claim",
    "reported_evidence",
    "told_apart",
    "topics",
    "written_rows",
]

WRITTEN = "written"
"""Sources of written rows begin so."""
APART = 0.35
"""Share of the written rows on which teachers count as far apart."""
MEANT = 2.0
"""How much likelier a verdict becomes where it is the one that the writer was asked for."""
_DOES = {Label.SUPPORTS: "supports", Label.REFUTES: "refutes", Label.NOT_ENOUGH_INFO: "leaves open"}
_SHORTEST, _LONGEST = 8, 55
"""Words of a sentence that is written about."""


class Lesson(NamedTuple):
    """What the writer is asked, and what people wrote."""

    prompt: str
    answer: str


class Topic(NamedTuple):
    """A text to write about."""

    page: str
    text: str
    source: str


class Told(NamedTuple):
    """A text with a claim that people made of it: the change is left to write."""

    topic: Topic
    claim: str
    label: Label


def prompt_for_claim(page: str, text: str, label: Label) -> str:
    """
    >>> print(prompt_for_claim("Arle", "Arle has 300 inhabitants .", Label.REFUTES))
    Page: Arle
    Text: Arle has 300 inhabitants .
    A claim that the text refutes:
    """
    return f"{_headed(page, text)}\nA claim that the text {_DOES[label]}:"


def prompt_for_change(page: str, text: str, claim: str, was: Label, wanted: Label) -> str:
    """
    >>> print(prompt_for_change("", "It has 3 rooms .", "It has 3 rooms .", Label.SUPPORTS, Label.REFUTES))
    Text: It has 3 rooms .
    Claim: It has 3 rooms .
    The text supports the claim. Changed so that it refutes it:
    """
    change = f"The text {_DOES[was]} the claim. Changed so that it {_DOES[wanted]} it:"
    return f"{_headed(page, text)}\nClaim: {claim}\n{change}"


def _headed(page: str, text: str) -> str:
    return f"Page: {page}\nText: {text}" if page else f"Text: {text}"


def lessons(data: Path, *, seed: int = 1, limit: int | None = None) -> list[Lesson]:
    """How people wrote: VitaminC's training folds and FEVER's sample, without the claims of sets we report on."""
    held_out, rng = held_out_claims(data), random.Random(seed)
    found: list[Lesson] = []
    for rows in _parts(data, held_out, limit):
        for row in rows:
            label = Label(row["label"])
            # some without their page, as FEVER's are: a text does not always come with one
            for page in (row["page"], "")[: 1 + (rng.random() < 0.15)]:
                found.append(Lesson(prompt_for_claim(page, row["evidence"], label), row["claim"]))
        for one, two in _contrasts(rows):
            prompt = prompt_for_change(
                one["page"], one["evidence"], one["claim"], Label(one["label"]), Label(two["label"])
            )
            found.append(Lesson(prompt, two["evidence"]))
    for told in fever_claims(data, held_out, limit=limit):
        found.append(Lesson(prompt_for_claim("", told.topic.text, told.label), told.claim))
    rng.shuffle(found)
    return found


def topics(data: Path, *, count: int, seed: int = 1, limit: int | None = None) -> list[Topic]:
    """Sentences to write about: Wikipedia's that are like VitaminC's evidence, and VitaminC's own, which come twice.

    Evidence of sets we report on is left out: what is written about it could come near their claims.
    """
    held_out, rng = held_out_claims(data), random.Random(seed)
    reported = reported_evidence(data)
    everything = {(row["page"], row["evidence"]) for rows in _parts(data, held_out, limit) for row in rows}
    own = sorted(found for found in everything if normalised(found[1]) not in reported)
    pages = itertools.islice(introduction_sentences(data), limit)
    short = (found for found in pages if _SHORTEST <= len(found[1].split()) <= _LONGEST)
    sentences = [found for found in short if normalised(found[1]) not in reported]
    like = _like([text for _, text in own], [text for _, text in sentences])
    # drawn without putting back, as often as they are like: the largest of log weight and Gumbel noise
    noise = np.random.default_rng(seed).gumbel(size=len(sentences))
    chosen = np.argsort(-(like + noise), kind="stable")[: max(0, count - 2 * len(own))]
    found = [Topic(page, text, "wikipedia") for page, text in (sentences[place] for place in chosen.tolist())]
    found += [Topic(page, text, "vitaminc") for page, text in own for _ in range(2)]
    rng.shuffle(found)
    return found


def reported_evidence(data: Path) -> frozenset[str]:
    """The evidence, normalised, of the sets we report on."""
    return frozenset(normalised(row.evidence) for rows in evaluation_rows(data).values() for row in rows)


def fever_claims(data: Path, held_out: frozenset[str], *, limit: int | None = None) -> list[Told]:
    """FEVER's training claims with their sentence, which can be changed to say otherwise of them."""
    rows = itertools.islice(read(data / "pairs" / f"{FEVER}.jsonl.gz"), limit)
    return [
        Told(Topic("", row["evidence"], "fever"), row["claim"], Label(row["label"]))
        for row in rows
        if normalised(row["claim"]) not in held_out and len(row["evidence"].split()) <= _LONGEST
    ]


def written_rows(path: Path, held_out: frozenset[str]) -> Iterator[Row]:
    """Rows from a writer's file; `label` is what it was asked for, where it was asked for that.

    Claims of sets we report on are left out, however they came about.
    """
    for place, row in iter_records(str(path)):
        try:
            claim, evidence, kind = (_text(row, name) for name in ("claim", "evidence", "source"))
            meant = None if row["meant"] is None else Label(row["meant"])
            if meant is not None and meant not in _DOES:
                raise ValueError(f"{meant} cannot be asked for")
        except (KeyError, ValueError) as error:
            raise InputError(f"{place}: is no line of `aver train write`: {error}") from error
        if normalised(claim) not in held_out:
            yield Row(claim, evidence, meant, source=f"{WRITTEN}_{kind}")


def _text(row: Mapping[str, Any], name: str) -> str:
    found = row[name]
    if not isinstance(found, str):
        raise ValueError(f"{name} is no text")
    return found


def as_meant(rows: Packed, verdict: Array) -> tuple[Packed, Array]:
    """Rows whose written ones have no label any more, and the teachers' judgement, leaning to what was asked for."""
    ours = rows.of(WRITTEN)
    lean = np.ones(verdict.shape)
    asked = np.flatnonzero(ours & (rows.label >= 0))
    lean[asked, rows.label[asked]] = MEANT
    leant = verdict.astype(np.float64) * lean
    leant /= np.maximum(leant.sum(1, keepdims=True), 1e-9)
    label = np.where(ours, -1, rows.label).astype(rows.label.dtype)
    return dataclasses.replace(rows, label=label), leant.astype(np.float16)


def told_apart(rows: Packed, first: Array, second: Array) -> Packed:
    """The same rows; of the written ones, sources say whether the two teachers' mean is far from what the first says.

    Where they agree there is little to learn: the third with most to learn can then come round more often.
    """
    places, mean = np.flatnonzero(rows.of(WRITTEN)), 0.5 * (first + second)
    if not len(places):
        return rows
    gain = (mean * (np.log(mean + 1e-6) - np.log(first + 1e-6))).sum(1)[places]
    source = rows.source.copy()
    source[places] = len(rows.sources) + (gain > np.quantile(gain, 1 - APART))
    names = [*rows.sources, f"{WRITTEN}_alike", f"{WRITTEN}_apart"]
    return dataclasses.replace(rows, source=source, sources=names)


def _parts(data: Path, held_out: frozenset[str], limit: int | None) -> Iterator[list[dict[str, Any]]]:
    for part in ("real", "synthetic"):
        rows = (row for row in read(data / "vitaminc" / f"{part}.jsonl.gz") if row["fold"] in TRAIN_FOLDS)
        yield list(itertools.islice((row for row in rows if normalised(row["claim"]) not in held_out), limit))


def _contrasts(rows: Iterable[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Rows of one claim, two and two, both ways, whose evidence and verdict differ."""
    by_claim: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_claim[row["case_id"], row["claim"]].append(row)
    for group in by_claim.values():
        for one, two in itertools.permutations(group, 2):
            if one["label"] != two["label"] and one["evidence"] != two["evidence"]:
                yield one, two


_WORD = re.compile(r"\d+|[^\W\d]+|[%$£€]")


def _words(text: str) -> list[str]:
    """Words in lower case; all figures are one."""
    return ["0" if word.isdigit() else word for word in _WORD.findall(text.casefold())]


def _like(wanted: Sequence[str], texts: Sequence[str]) -> Array:
    """By how much likelier each text's words are among those that are wanted than among all: the log, at most 2.5."""
    ours: Counter[str] = Counter(word for text in wanted for word in set(_words(text)))
    theirs: Counter[str] = Counter(word for text in texts for word in set(_words(text)))
    share = (len(texts) + 1) / (len(wanted) + 1)
    lead = {word: math.log((ours[word] + 0.5) / (count + 0.5) * share) for word, count in theirs.items()}
    found = [sum(lead[word] for word in set(_words(text))) / (1 + len(set(_words(text)))) for text in texts]
    return np.clip(3.0 * np.array(found), -4.0, 2.5)
