"""What an encoder learns from: claims, the evidence that decides each, and sentences that only look like it.

As in CLIMATE-FEVER's evidence retrieval: positives are claims with their evidence, whatever it says of them; hard
negatives are other sentences of the same page, and sentences of the pages that a search for the claim brings up.
"""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from aver.collection import Collection, Document
from aver.errors import InputError
from aver.labels import Label
from aver.train._mix import REPORT_FOLD, TRAIN_FOLDS, held_out_claims, normalised, read

__all__ = ["Example", "examples", "introductions"]

SETS = (
    "fever_train_sample_SR", "covidfact_all", "check_covid", "healthver_dev", "scifact_SR_train", "scifact_SR_dev",
    "politihop_train",
)  # fmt: skip
"""Sets of claim and evidence pairs, beside VitaminC's training folds."""
MOST_NEGATIVES = 12
HELD = 1_000
"""Claims of VitaminC's reporting fold that the figures of the card are of."""


@dataclasses.dataclass(frozen=True, slots=True)
class Example:
    """A claim, its evidence under its page's title where that is known, and what is not its evidence."""

    claim: str
    positive: str
    negatives: tuple[str, ...]
    source: str


def introductions(data: Path, folder: Path, *, limit: int | None) -> Collection:
    """The collection of Wikipedia introductions that is searched in; what is there of it is not added again."""
    path = data / "wiki_intros" / "wiki_intros.jsonl.gz"
    collection = Collection(folder, create=True)
    try:
        if limit is None:
            for file in collection.add(path).files:
                if file.error:
                    raise InputError(f"{path}: cannot be read to its end: {file.error}")
        else:
            rows = islice(read(path), 20 * limit)
            collection.add_documents({"title": row["title"], "text": row["text"]} for row in rows)
    except BaseException:
        collection.close()
        raise
    return collection


def examples(
    data: Path, collection: Collection, *, seed: int, limit: int | None, say: Callable[[str], None]
) -> tuple[list[Example], list[Example]]:
    """Those to train on, and those to report on: no claim of a set that is reported on is in the former."""
    pages = {document.title: document for document in collection}
    rng = random.Random(seed)
    leaks = held_out_claims(data)
    train: list[Example] = []
    for claim, evidence, page, source in _decided(data, limit):
        if normalised(claim) not in leaks:
            train.append(_example(collection, pages, claim, evidence, page, source, rng))
            if len(train) % 5_000 == 0:
                say(f"{len(train):,} claims with their evidence and negatives")
    held = []
    seen: set[str] = set()
    for row in read(data / "vitaminc" / "real.jsonl.gz"):
        if row["fold"] == REPORT_FOLD and row["page"] in pages and _decides(row["label"]) and row["claim"] not in seen:
            seen.add(row["claim"])
            held.append((row["claim"], row["evidence"], row["page"]))
    chosen = random.Random(seed).sample(held, min(len(held), HELD if limit is None else limit))
    return train, [_example(collection, pages, *row, "vitaminc_real", rng) for row in chosen]


def _decided(data: Path, limit: int | None) -> Iterator[tuple[str, str, str, str]]:
    """(claim, evidence, page or "", source) where the evidence supports or refutes the claim; each claim once."""
    for name in SETS:
        rows = (row for row in read(data / "pairs" / f"{name}.jsonl.gz") if _decides(row["label"]))
        for row in islice(rows, limit):
            yield row["claim"], row["evidence"], "", name
    seen: set[str] = set()
    for part in ("real", "synthetic"):
        taken = 0
        for row in read(data / "vitaminc" / f"{part}.jsonl.gz"):
            claim = normalised(row["claim"])
            if row["fold"] in TRAIN_FOLDS and _decides(row["label"]) and claim not in seen and taken != limit:
                seen.add(claim)
                taken += 1
                yield row["claim"], row["evidence"], row["page"], f"vitaminc_{part}"


def _decides(label: str) -> bool:
    return Label(label) is not Label.NOT_ENOUGH_INFO


def _example(
    collection: Collection, pages: dict[str, Document], claim: str, evidence: str, page: str, source: str,
    rng: random.Random,
) -> Example:  # fmt: skip
    on_wikipedia = bool(page) or source.startswith("fever")
    if on_wikipedia and not page:
        page = _page_of(collection, evidence)
    negatives: list[str] = []
    if page in pages:
        sentences = [s.text for s in collection.sentences(pages[page])]
        negatives += [_titled(page, text) for text in sentences if _shared(text, evidence) < 0.6][:8]
    if on_wikipedia:
        for hit in collection.search(claim, limit=6, sentences=2):
            if hit.document.title != page:
                found = (s.sentence.text for s in hit.sentences)
                negatives += [_titled(hit.document.title, text) for text in found if _shared(text, evidence) < 0.6]
    rng.shuffle(negatives)
    return Example(claim, _titled(page, evidence), tuple(negatives[:MOST_NEGATIVES]), source)


def _page_of(collection: Collection, evidence: str) -> str:
    """The page an evidence comes from: one of its sentences has 85 of 100 words in common with it."""
    for hit in collection.bm25(evidence, limit=3):
        if any(_shared(s.text, evidence) >= 0.85 for s in collection.sentences(hit.document)):
            return hit.document.title
    return ""


def _shared(text: str, evidence: str) -> float:
    """The share of a sentence's words that the evidence has; 1 where it has too few to say."""
    found = re.findall(r"\w+", text.lower())
    held = set(re.findall(r"\w+", evidence.lower()))
    return sum(word in held for word in found) / len(found) if len(found) >= 4 else 1.0


def _titled(title: str, text: str) -> str:
    return f"{title}: {text}" if title else text
