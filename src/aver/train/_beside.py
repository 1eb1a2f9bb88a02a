"""A reader beside the other teachers: made, asked, and heard together with them. Needs torch."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from aver.records import writing
from aver.train._answers import softmax
from aver.train._fit import Targets
from aver.train._language_model import READERS, SAID, SCORES, LanguageModel
from aver.train._llama import Llama, load_llama, load_taught, save_taught
from aver.train._packed import Array, Packed
from aver.train._reader import Reader, read, taught_reader
from aver.train._recipe import Course
from aver.train._written import told_apart

__all__ = ["made_reader", "read_rows", "with_reader"]

Say = Callable[[str], None]


def made_reader(
    out: Path, reader: LanguageModel, course: Course, *, seed: int, device: torch.device, seconds: float, say: Say
) -> tuple[Reader, Packed]:
    """The reader, taught on the rows that are packed in its pieces, and these; it is not taught again where it is."""
    path, rows = out / "reader.safetensors", Packed.load(out / READERS[0])
    if path.exists():
        say(f"{path.name} is there")
        return load_taught(path, Reader(Llama(reader.config))), rows
    say(f"reader: {reader.name} on {device}")
    llama = load_llama(reader.folder, reader.config)
    model = taught_reader(llama, rows, course, seed=seed, device=device, seconds=seconds, say=say)
    with writing(path) as file:
        file.write(save_taught(model))
    return model, rows


def read_rows(out: Path, model: Reader, rows: Packed, asked: Array, *, device: torch.device, say: Say) -> None:
    """Keeps what it says of the rows to choose and report on, and of those it is asked about."""
    for path, some, more in (
        (out / SCORES, Packed.load(out / READERS[1]), {}),
        (out / SAID, rows.chosen(asked), {"asked": asked}),
    ):
        answers = read(model, some, device=device)
        with writing(path) as file:
            np.savez(file, **(answers | more))
    say(f"reader: judged {len(asked):,} rows")


def with_reader(out: Path, rows: Packed, said: Targets, share: float) -> tuple[Packed, Targets]:
    """What others said and what the reader did, together; and the rows, with those told apart where they differ."""
    with np.load(out / SAID) as found:
        asked, verdict = found["asked"], softmax(found["verdict"].astype(np.float64))
        relevance = 0.5 * (1 + np.tanh(0.5 * found["relevance"].astype(np.float64)))
    theirs, near = said.verdict.astype(np.float64), said.relevance.astype(np.float64)
    second = theirs.copy()
    second[asked] = verdict
    rows = told_apart(rows, theirs, second)
    near[asked] += share * (relevance - near[asked])
    mixed = (1 - share) * theirs + share * second
    return rows, dataclasses.replace(said, verdict=mixed.astype(np.float16), relevance=near.astype(np.float16))
