"""Rows as arrays of tokens: made once on the CPU, small enough to carry to a GPU, whole on it while training.

The two families of base models share BERT's uncased word pieces (MPNet's ids are four higher), so one packing
serves both. Marks of compared figures (see `aver.text`) stand in the token stream as BERT's unused ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from aver.errors import InputError
from aver.labels import Label
from aver.text import MARKS, Mark, compare_figures, mark_places
from aver.train._mix import Row
from aver.train._packed import FIRST_MARK, IGNORE, Array, Packed

__all__ = ["LABELS", "pack", "with_marks"]

LABELS = (Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO)
CLAIM_TOKENS, PAIR_TOKENS = 96, 250


def pack(
    rows: Sequence[Row], tokenizer: Any, *, marks: bool = True, shift: int = 0, first_mark: int = FIRST_MARK
) -> Packed:
    """Tokenises rows (with a `tokenizers.Tokenizer`); long evidence is cut for training.

    `shift` is taken off the ids: 4 where the tokenizer is MPNet's. Marks of compared figures begin at `first_mark`.
    """
    if not rows:
        raise InputError("there are no rows to pack")
    sources = sorted({row.source for row in rows})
    number = {name: index for index, name in enumerate(sources)}
    tokens: list[Array] = []
    rationale: list[Array] = []
    lengths = np.zeros((2, len(rows)), np.uint16)
    kind = np.uint16 if max(tokenizer.get_vocab_size(), first_mark + MARKS) <= 2**16 else np.uint32
    for start in range(0, len(rows), 4096):
        chunk = rows[start : start + 4096]
        claims = tokenizer.encode_batch([row.claim for row in chunk], add_special_tokens=False)
        evidences = tokenizer.encode_batch([row.evidence for row in chunk], add_special_tokens=False)
        for at, (row, claim, evidence) in enumerate(zip(chunk, claims, evidences, strict=True), start):
            on_claim, on_evidence = compare_figures(row.claim, row.evidence) if marks else ([], [])
            first, claim_origin = with_marks([i - shift for i in claim.ids], claim.offsets, on_claim, first_mark)
            second, origin = with_marks([i - shift for i in evidence.ids], evidence.offsets, on_evidence, first_mark)
            first = first[:CLAIM_TOKENS]
            second = second[: PAIR_TOKENS - len(first)]
            lengths[:, at] = len(first), len(second)
            tokens.append(np.array(first + second, kind))
            decides = np.full(len(first) + len(second), IGNORE, np.uint8)
            if row.claim_spans is not None:
                decides[: len(first)] = _told(row.claim_spans, claim.offsets, claim_origin)[: len(first)]
            if row.spans is not None:
                decides[len(first) :] = _told(row.spans, evidence.offsets, origin)[: len(second)]
            rationale.append(decides)
    return Packed(
        tokens=np.concatenate(tokens),
        rationale=np.concatenate(rationale),
        claim_length=lengths[0],
        evidence_length=lengths[1],
        label=np.array([-1 if r.label is None else LABELS.index(r.label) for r in rows], np.int8),
        relevant=np.array([-1 if r.relevant is None else int(r.relevant) for r in rows], np.int8),
        factual_edit=np.array([-1 if r.factual_edit is None else int(r.factual_edit) for r in rows], np.int8),
        source=np.array([number[r.source] for r in rows], np.int16),
        sources=sources,
    )


def _told(spans: Sequence[tuple[int, int]], offsets: Sequence[tuple[int, int]], origin: Sequence[int]) -> list[int]:
    """For each token whether it stands in one of the spans; a mark's is not known."""
    inside = {i for i, (a, b) in enumerate(offsets) if any(x < b and a < y for x, y in spans)}
    return [IGNORE if token < 0 else int(token in inside) for token in origin]


def with_marks(
    ids: Sequence[int],
    offsets: Sequence[tuple[int, int]],
    marks: Sequence[Mark],
    first_mark: int = FIRST_MARK,
) -> tuple[list[int], list[int]]:
    """Puts each mark behind the last token that ends by its place.

    Comes back with the token each position came from, -1 for a mark.

    >>> with_marks([50, 60, 70], [(0, 2), (3, 5), (6, 7)], [Mark(5, 2)])
    ([50, 60, 3, 70], [0, 1, -1, 2])
    """
    out, origin = list(ids), list(range(len(ids)))
    places = mark_places(offsets, marks)
    # from the end, so that earlier places stay true; marks of one place keep their order
    for place, mark in zip(reversed(places), reversed(marks), strict=True):
        out.insert(place, first_mark + mark.mark)
        origin.insert(place, -1)
    return out, origin
