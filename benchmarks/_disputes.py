"""Evidence on both sides, made of VitaminC: a claim, a sentence that supports it, and one that refutes it.

A third of the sets is disputed, two thirds are one-sided: the supporting or the refuting sentence alone, each among two
sentences of the same page (or, where it has none, of another) that were written down for other claims; now and then one
of these takes a side, too. What makes a claim DISPUTED was chosen on fold 7; figures are of fold 8.
"""

from __future__ import annotations

import collections
import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from aver.models import Judge
from aver.verify import Passage, Retrieved, Settings, Verdict, check_passages

__all__ = ["EvidenceSet", "evidence_sets", "judged"]

OTHERS = 2


class EvidenceSet(NamedTuple):
    """A claim and sentences; `disputed` where one of them supports it and another refutes it."""

    claim: str
    page: str
    sentences: tuple[str, ...]
    disputed: bool


def evidence_sets(data: Path, fold: int, limit: int) -> Iterator[EvidenceSet]:
    """Three sets for each of `limit` claims of a fold that have evidence for and against."""
    by_claim: dict[tuple[str, str], dict[str, str]] = collections.defaultdict(dict)
    by_page: dict[str, dict[str, str]] = collections.defaultdict(dict)
    with gzip.open(data / "vitaminc" / "real.jsonl.gz") as file:
        for row in map(json.loads, file):
            if row["fold"] == fold:
                by_claim[row["page"], row["claim"]].setdefault(row["label"], row["evidence"])
                by_page[row["page"]].setdefault(row["case_id"], row["evidence"])
    chance = random.Random(fold)
    pages = sorted(by_page)
    both = sorted(key for key, said in by_claim.items() if {"SUPPORTS", "REFUTES"} <= said.keys())
    for page, claim in chance.sample(both, min(limit, len(both))):
        supports, refutes = by_claim[page, claim]["SUPPORTS"], by_claim[page, claim]["REFUTES"]
        others = [text for text in by_page[page].values() if text not in (supports, refutes)]
        chance.shuffle(others)
        while len(others) < OTHERS:
            others.append(chance.choice(list(by_page[chance.choice(pages)].values())))
        rest = tuple(others[:OTHERS])
        yield EvidenceSet(claim, page, (supports, refutes, *rest), True)
        yield EvidenceSet(claim, page, (supports, *rest), False)
        yield EvidenceSet(claim, page, (refutes, *rest), False)


def judged(judge: Judge, one: EvidenceSet, settings: Settings) -> Verdict:
    """The verdict over a set, as evidence that was handed in."""
    passages = tuple(
        Passage(f"{one.page} {at}", "", None, at, text, 0, len(text), "", 0.0) for at, text in enumerate(one.sentences)
    )
    return check_passages(one.claim, Retrieved(passages, (), len(passages)), judge, settings=settings)
