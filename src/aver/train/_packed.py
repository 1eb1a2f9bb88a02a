"""Packed rows: the flat arrays that training reads, and their file."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["IGNORE", "Array", "Packed"]

IGNORE = 2
"""In `rationale`: whether this token decides is not known."""

Array = npt.NDArray[Any]


@dataclasses.dataclass(slots=True)
class Packed:
    """Rows as flat arrays; -1 stands for a target a row does not have."""

    tokens: Array  # uint16, claims and evidences one after the other, without special tokens
    rationale: Array  # uint8 beside `tokens`: 1 decides, 0 does not, 2 is not known
    claim_length: Array
    evidence_length: Array
    label: Array
    relevant: Array
    factual_edit: Array
    source: Array  # index into `sources`
    sources: list[str]

    def save(self, path: Path) -> None:
        np.savez(path, **{f.name: getattr(self, f.name) for f in dataclasses.fields(self)})

    @classmethod
    def load(cls, path: Path) -> Packed:
        with np.load(path) as arrays:
            found = {f.name: arrays[f.name] for f in dataclasses.fields(cls)}
        return cls(**(found | {"sources": [str(name) for name in found["sources"]]}))
