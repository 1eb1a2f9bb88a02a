"""Packed rows: the flat arrays that training reads, and their file."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from aver.records import writing

__all__ = ["FIRST_MARK", "IGNORE", "Array", "Layout", "Packed", "claim_again", "layout_of"]

FIRST_MARK = 1
"""[unused0] in BERT's vocabulary; [unused0]…[unused23] carry the marks of compared figures."""
IGNORE = 2
"""In `rationale`: whether this token decides is not known."""

Array = npt.NDArray[Any]


class Layout(NamedTuple):
    """How a family of models has its pairs, claim first: the pieces in front, between and behind, and of padding."""

    front: int
    behind: int
    pad: int
    shift: int = 0
    """Added to the ids of packed rows."""
    between: int = 1
    """How often `behind` stands between claim and evidence."""
    first_mark: int = FIRST_MARK
    """The id of the first mark of compared figures in packed rows."""


def layout_of(mpnet: bool) -> Layout:
    """`<s> claim </s></s> evidence </s>` or, for BERT, `[CLS] claim [SEP] evidence [SEP]`."""
    return Layout(0, 2, 1, shift=4, between=2) if mpnet else Layout(101, 102, 0)


@dataclasses.dataclass(slots=True)
class Packed:
    """Rows as flat arrays; -1 stands for a target a row does not have."""

    tokens: Array  # uint16, uint32 for many pieces: claims and evidences one after the other, without special tokens
    rationale: Array  # uint8 beside `tokens`: 1 decides, 0 does not, 2 is not known
    claim_length: Array
    evidence_length: Array
    label: Array
    relevant: Array
    factual_edit: Array
    source: Array  # index into `sources`
    sources: list[str]

    def __len__(self) -> int:
        return len(self.label)

    def counts(self) -> dict[str, int]:
        """How many rows each source has."""
        found = np.bincount(self.source, minlength=len(self.sources)).tolist()
        return dict(zip(self.sources, found, strict=True))

    def of(self, prefixes: str | tuple[str, ...]) -> Array:
        """Of each row whether its source's name begins with one of these."""
        return np.array([name.startswith(prefixes) for name in self.sources] or [False])[self.source]

    def all_but(self, prefixes: tuple[str, ...]) -> tuple[str, ...]:
        """The sources whose name begins with none of these."""
        return tuple(name for name in self.sources if not name.startswith(prefixes))

    def chosen(self, index: Array) -> Packed:
        """Some of the rows, by number, in that order; the sources stay as they are."""
        length = self.claim_length.astype(np.int64) + self.evidence_length
        start = np.cumsum(length) - length
        flat = np.concatenate([np.arange(start[i], start[i] + length[i]) for i in index] or [np.zeros(0, np.int64)])
        return Packed(
            self.tokens[flat], self.rationale[flat], self.claim_length[index], self.evidence_length[index],
            self.label[index], self.relevant[index], self.factual_edit[index], self.source[index], self.sources,
        )  # fmt: skip

    def save(self, path: Path) -> None:
        with writing(path) as file:
            np.savez(file, **{f.name: getattr(self, f.name) for f in dataclasses.fields(self)})

    @classmethod
    def load(cls, path: Path) -> Packed:
        with np.load(path) as arrays:
            found = {f.name: arrays[f.name] for f in dataclasses.fields(cls)}
        return cls(**(found | {"sources": [str(name) for name in found["sources"]]}))


def claim_again(rows: Packed, between: int) -> Packed:
    """The same rows with the claim once more behind the evidence, and the piece `between` before it.

    For a network that reads in order: the evidence is read with the claim in mind, and the claim with the evidence.
    Which pieces decide is not told.
    """
    claim, evidence = rows.claim_length.astype(np.int64), rows.evidence_length.astype(np.int64)
    length = claim + evidence
    start, longer = np.cumsum(length) - length, length + 1 + claim
    begin = np.cumsum(longer) - longer
    tokens = np.full(int(longer.sum()), between, rows.tokens.dtype)
    tokens[np.repeat(begin - start, length) + np.arange(len(rows.tokens))] = rows.tokens
    inside = np.arange(int(claim.sum())) - np.repeat(np.cumsum(claim) - claim, claim)
    tokens[np.repeat(begin + length + 1, claim) + inside] = rows.tokens[np.repeat(start, claim) + inside]
    unknown = np.full(len(tokens), IGNORE, np.uint8)
    return dataclasses.replace(rows, tokens=tokens, rationale=unknown, evidence_length=evidence + 1 + claim)
