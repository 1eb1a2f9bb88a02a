"""Handing pairs to a judge in blocks: batched across rows, the same pair read once, memory bounded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from aver.consistency._source import LONGEST, pieces
from aver.models import Judge
from aver.results import Judgement
from aver.text import Sentence, split_sentences
from aver.verify import verifiability

__all__ = ["BLOCK", "claims_of", "cut_in", "read_in_blocks", "why_no_claim"]

BLOCK = 1024
"""Pairs read before what they belong to is put together; a judge batches them by length."""

Key = TypeVar("Key")

_NO_CLAIM = {"no_words": "there is no word in it", "question": "it asks and does not state"}


def why_no_claim(sentence: str) -> str:
    """Why a sentence states nothing, or "".

    Less is left out than where a claim stands alone (`aver.verify.verifiability`): a summary may say “He did so.”, and
    must still be true to its source.

    >>> why_no_claim("Is it safe?"), why_no_claim("He did so.")
    ('it asks and does not state', '')
    """
    return next((_NO_CLAIM[code] for code in verifiability(sentence) if code in _NO_CLAIM), "")


def claims_of(text: str) -> list[tuple[Sentence, str]]:
    """The sentences of a text, each with the reason why it states nothing, or ""."""
    found = [piece for sentence in split_sentences(text) for piece in pieces(sentence)]
    return [(sentence, why_no_claim(sentence.text)) for sentence in found]


def cut_in(text: str) -> int:
    """How many sentences of a text `claims_of` gives in parts.

    >>> cut_in("Tea is hot. " * 1_000), cut_in("Tea is hot " * 1_000)
    (0, 1)
    """
    return sum(len(s.text) > LONGEST for s in split_sentences(text)) if len(text) > LONGEST else 0


def read_in_blocks(
    judge: Judge, asked: Iterable[tuple[Key, str, str]], *, block: int = BLOCK, marks: bool = False
) -> Iterator[tuple[Key, Judgement]]:
    """What the judge says of each (key, claim, evidence), in their order; a pair that comes twice in a block is read
    once. `marks`: with the words of the claim that are not borne out, from a judge that tells."""
    ask = judge.judge_marking if marks and judge.marks_claims else judge.judge
    left = iter(asked)
    while some := list(islice(left, block)):
        unique: dict[tuple[str, str], int] = {}
        for _, claim, evidence in some:
            unique.setdefault((claim, evidence), len(unique))
        found: Sequence[Judgement] = ask(list(unique))
        for key, claim, evidence in some:
            yield key, found[unique[claim, evidence]]
