"""`aver train search`: FEVER's training claims with the sentences that aver's own search finds for them.

A judge reads what a search brings up, and most of that has nothing to say. FEVER's people said of each claim whether an
encyclopedia decides it, and by which sentences; where the search finds one of these, the sentences it comes with are
evidence with a known verdict, and what is found for a claim that nothing decides leaves it open.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from aver.collection import Collection
from aver.collection._lock import locked
from aver.errors import InputError
from aver.labels import Label
from aver.models import Judge, load_judge
from aver.train._asked import Say, same_choices
from aver.train._embed_pairs import introductions
from aver.train._fever_text import FEVER_TEXT, Marked, marked_claims
from aver.train._mix import held_out_claims, normalised
from aver.train._prepare import check_data
from aver.verify import Passage, find_documents, read_sentences, select_sentences

__all__ = ["asked_claims", "search_claims", "searched"]

CLAIMS = 60_000
"""Claims that are searched for, at most."""
READ, KEPT = 16, 8
"""Of the sentences that are found, those nearest to the claim are read; the best of these are kept."""
_SAME, _WHOLE = 0.85, 0.5
"""The share of a sentence's words that a marked one must have, and of the marked one's that it must have: the
encyclopedias are of different years, and a few common words are no sentence."""
_LABELS = (Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO)
_WORD = re.compile(r"\w+")


def search_claims(
    *, data: str | Path, out: str | Path, limit: int | None = None, seed: int = 1, say: Say = print
) -> Path:
    """Searches Wikipedia's introductions for FEVER's training claims, and says where the sentences are.

    `out` gets the collection (made where it is not there) and `found.jsonl`, which `train` takes as `found`; a search
    that was stopped goes on where it was. `limit` takes so many claims, and few introductions: a trial.

    >>> search_claims(data="no such folder", out="out")
    Traceback (most recent call last):
    aver.errors.InputError: no such folder: there is no such folder; name the data folder with --data or AVER_DATA
    """
    if limit is not None and not limit > 0:
        raise InputError(f"limit is {limit}; it must be more than 0")
    data, out = Path(data), Path(out)
    check_data(data)
    if not (data / FEVER_TEXT).is_file():
        raise InputError(
            f"{data / FEVER_TEXT}: there is no such file; FEVER's training claims are what is searched for, and "
            "docs/training.md says under Data folder where they are"
        )
    file, begun = out / "found.jsonl", out / "found.part.jsonl"
    ranker = load_judge("fast")
    try:
        out.mkdir(parents=True, exist_ok=True)
        with (data / FEVER_TEXT).open("rb") as opened:
            claimed = hashlib.file_digest(opened, "sha256").hexdigest()[:12]
        same_choices(out / "search.json", {"limit": limit, "seed": seed, "claims": claimed, "ranker": ranker.model})
        if file.is_file():
            say(f"{file.name} is there")
            return file
        with locked(out, f"searching in {out}"):
            claims = asked_claims(data, count=min(CLAIMS, limit or CLAIMS), seed=seed)
            say("introductions: the collection that is searched")
            with introductions(data, out / "introductions", limit=limit) as collection, begun.open("ab") as opened:
                done = _whole_lines(begun)
                for number, row in enumerate(searched(collection, ranker, claims[done:]), done + 1):
                    opened.write(orjson.dumps(row) + b"\n")
                    if number % 500 == 0:
                        opened.flush()
                        say(f"{number:,} of {len(claims):,} claims")
            begun.replace(file)
    except OSError as error:
        raise InputError(f"{error.filename or out}: cannot be written: {error.strerror}") from error
    return file


def asked_claims(data: Path, *, count: int, seed: int = 1) -> list[Marked]:
    """FEVER's training claims, those that are supported, refuted and left open by turns; none of sets we report on.

    What was marked for a claim that stands there several times is put together; one with two labels is left out.
    """
    held_out, rng = held_out_claims(data), random.Random(seed)
    claims: dict[str, list[Marked]] = defaultdict(list)
    for row in marked_claims(data):
        claims[normalised(row.claim)].append(row)
    kinds: dict[Label, list[Marked]] = {label: [] for label in _LABELS}
    for name, rows in claims.items():
        if name not in held_out and len({row.label for row in rows}) == 1:
            marked = tuple(dict.fromkeys(sentence for row in rows for sentence in row.sentences))
            kinds[rows[0].label].append(rows[0]._replace(sentences=marked))
    for label, found in kinds.items():
        if not found:
            raise InputError(f"{data / FEVER_TEXT}: no claim with the label {label} is left to search for")
        rng.shuffle(found)
    return [claim for turn in zip(*kinds.values(), strict=False) for claim in turn][:count]


def searched(collection: Collection, ranker: Judge, claims: Iterable[Marked]) -> Iterator[dict[str, Any]]:
    """What is found for each claim, as a line of the file: sentences with title and number, and whether they are gold.

    Where people marked sentences and none of them is among those found, nothing is kept: what is found then decides
    nothing, or something else does.
    """
    for asked in claims:
        passages = select_sentences(collection, asked.claim, find_documents(collection, asked.claim)).passages
        alone, gold = len(asked.sentences) == 1, _gold(passages, asked.sentences)
        if alone and gold:
            gold = {max(gold, key=lambda hash_: gold[hash_]): 1.0}
        kept: list[list[Any]] = []
        if gold or asked.label is Label.NOT_ENOUGH_INFO:
            readings = read_sentences(ranker, asked.claim, passages[:READ])[:KEPT]
            kept = [[p.title, p.number, p.text, p.hash in gold] for p in (r.passage for r in readings)]
        yield {"claim": asked.claim, "label": asked.label, "alone": alone, "sentences": kept}


def _gold(passages: Sequence[Passage], marked: Sequence[str]) -> dict[str, float]:
    """Which of the passages people marked, by hash, each with how much of a marked sentence it holds."""
    wanted = [frozenset(_words(text)) for text in marked]
    found: dict[str, float] = {}
    for passage in passages:
        words = _words(passage.text)
        for held in wanted:
            there = sum(word in held for word in words)
            whole = len(held & set(words)) / max(1, len(held))
            if len(words) >= 4 and there >= _SAME * len(words) and whole >= _WHOLE:
                found[passage.hash] = max(whole, found.get(passage.hash, 0.0))
    return found


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _whole_lines(path: Path) -> int:
    """How many lines there are; what an interruption left of one more is cut off."""
    text = path.read_bytes()
    end = text.rfind(b"\n") + 1
    with path.open("r+b") as file:
        file.truncate(end)
    return text[:end].count(b"\n")
