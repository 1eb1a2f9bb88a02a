"""FEVER's whole training set, where the data folder has it: claims with every sentence that people marked for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from aver.errors import InputError
from aver.labels import Label
from aver.records import iter_records

__all__ = ["FEVER_TEXT", "Marked", "marked_claims", "verdict_of"]

FEVER_TEXT = "fever/train_text.jsonl.gz"
"""A line has `claim`, `label`, and `evidence`, a list of sentences, which is empty where nothing decides."""


class Marked(NamedTuple):
    """A claim, its verdict, and the sentences that people marked as evidence."""

    claim: str
    label: Label
    sentences: tuple[str, ...]


def marked_claims(data: Path) -> Iterator[Marked]:
    """The claims whose evidence and verdict agree: none of what decides nothing, some of what decides."""
    for place, row in iter_records(data / FEVER_TEXT):
        try:
            claim, label, evidence = row["claim"], verdict_of(row["label"]), row["evidence"]
            if not isinstance(claim, str):
                raise ValueError("claim is no text")
            if not isinstance(evidence, list) or not all(isinstance(sentence, str) for sentence in evidence):
                raise ValueError("evidence is no list of sentences")
        except (KeyError, ValueError) as error:
            raise InputError(f"{place}: is no claim of FEVER's training set: {error}") from error
        if bool(evidence) == (label is not Label.NOT_ENOUGH_INFO):
            yield Marked(claim, label, tuple(evidence))


def verdict_of(name: Any) -> Label:
    """A label that a single evidence can give; a ValueError where it is another, or none.

    >>> verdict_of("DISPUTED")
    Traceback (most recent call last):
    ValueError: a label of DISPUTED is none that evidence gives
    """
    label = Label(name)
    if label is Label.DISPUTED:
        raise ValueError(f"a label of {label} is none that evidence gives")
    return label
