"""Rows that are held against each other: those of one claim or of one evidence, with other verdicts.

A claim with two evidences shows what a difference between evidences does, an evidence with two claims what a difference
between claims does (bundles of instances, Dua et al., 2021). VitaminC has both: a case is two claims about two versions
of a sentence.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from aver.text import MARKS
from aver.train._packed import FIRST_MARK, Array, Packed

__all__ = ["Bundles", "bundled", "rivals"]


@dataclasses.dataclass(frozen=True, slots=True)
class Bundles:
    """Numbers, by row: rows with the same text have the same one, rows that stand by themselves -1."""

    claim: Array
    evidence: Array
    unit: Array
    """Of what has to come in one batch: rows that share a claim or an evidence, one with the next."""


def bundled(rows: Packed, prefixes: tuple[str, ...], first_mark: int = FIRST_MARK) -> Bundles:
    """The bundles of some sources.

    Marks of compared figures are left out of the texts: beside another evidence a claim has other marks.
    """
    length = rows.claim_length.astype(np.int64) + rows.evidence_length
    start = np.cumsum(length) - length
    claim, evidence, unit = (np.full(len(rows), -1, np.int64) for _ in range(3))
    numbers: dict[tuple[bool, bytes], int] = {}
    above: list[int] = []  # the number that a number has been joined to, itself where it has not

    def first(number: int) -> int:
        while above[number] != number:
            above[number] = number = above[above[number]]
        return number

    chosen = np.flatnonzero(rows.of(prefixes))
    for row in chosen.tolist():
        begin, middle, end = start[row], start[row] + rows.claim_length[row], start[row] + length[row]
        for is_claim, part in ((True, rows.tokens[begin:middle]), (False, rows.tokens[middle:end])):
            words = part[(part < first_mark) | (part >= first_mark + MARKS)]
            number = numbers.setdefault((is_claim, words.tobytes()), len(numbers))
            if number == len(above):
                above.append(number)
            (claim if is_claim else evidence)[row] = number
        above[first(int(evidence[row]))] = first(int(claim[row]))
    unit[chosen] = [first(number) for number in claim[chosen].tolist()]
    return Bundles(claim, evidence, unit)


def rivals(key: Array, label: Array) -> Array:
    """Places in a batch, two and two, that have one text and two verdicts; of a text with many rows not every two."""
    order = np.argsort(key, kind="stable")
    found = []
    for step in (1, 2, 3):
        one, two = order[:-step], order[step:]
        found.append(np.stack([one, two])[:, (key[one] == key[two]) & (key[one] >= 0) & (label[one] != label[two])])
    pairs: Array = np.concatenate(found, 1)
    return pairs[:, (label[pairs] >= 0).all(0)]
