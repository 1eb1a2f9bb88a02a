"""`train`: what can be asked for, checked before anything is read; the stages are in `_run`."""

from __future__ import annotations

import math
from pathlib import Path

from aver.train._asked import Device, Say, check_choices
from aver.train._base import DEFAULT_BASE, FAST_BASE
from aver.train._language_model import READERS, open_language_model
from aver.train._onwards import Onwards
from aver.train._prepare import check_data, needed
from aver.train._recipe import STAGES
from aver.train._run import PACKED, Run

__all__ = ["train"]


def train(
    recipe: str,
    *,
    data: str | Path,
    out: str | Path,
    base: str = DEFAULT_BASE,
    fast_base: str = FAST_BASE,
    limit: int | None = None,
    seed: int = 1,
    seconds: float | None = None,
    device: Device = "auto",
    stage: str | None = None,
    start: str | None = None,
    teacher: str | None = None,
    keep: float | None = None,
    fresh: float | None = None,
    written: str | Path | None = None,
    found: str | Path | None = None,
    reader: str | None = None,
    say: Say = print,
) -> dict[str, Path]:
    """Makes the models of a recipe and says where their folders are, by name.

    `recipe` is teacher, default, fast or judge (everything). `base` is the encoder of the teachers and so of `default`,
    `fast_base` that of `fast`: a folder, or a hub id. `limit` takes so many rows of every source and set and trains on
    them for one epoch: a trial. `seconds` bounds each training run; where the time runs out first, its rate falls with
    it. `stage` is the last stage to run. What a stage made is kept in `out`, and running again goes on from there.

    With `start`, `default` or `fast` is not made anew but taught on: from that model (one that comes with aver, or a
    folder), by itself or by the model `teacher`: `default` hears it on VitaminC's rows and on those without a label,
    `fast` on every row that we did not make. `keep` is the share of the weights it started from in those it ends with;
    the recipe has its own.

    With `fresh` as well, `default` is renewed: a few newcomers are made from the base first. The mean of their weights
    is this share of what is started from, and they are the teachers.

    `written` is a file that `write_claims` made: rows without a label, which the teachers are asked about. Newcomers
    learn from them too, as the model that is renewed judges them.

    `found` is a file that `search_claims` made: FEVER's training claims with what aver's own search finds for them.

    `reader` is a small language model (a Llama or Qwen2 with tied embeddings, a folder or a hub id) that learns to give
    verdicts; it belongs to a model that is renewed. The mean of what that model and the reader say then teaches: one
    newcomer first, and the student in the newcomers' place. Where `fresh` is 0 there is no newcomer.

    >>> train("chef", data="data", out="out")
    Traceback (most recent call last):
    aver.errors.InputError: there is no recipe 'chef'; there are: teacher, default, fast, judge
    """
    check_choices(
        recipe, limit=limit, seconds=seconds, device=device, stage=stage, start=start, teacher=teacher, keep=keep,
        fresh=fresh, written=written, found=found, reader=reader,
    )  # fmt: skip
    last = STAGES.index(stage or STAGES[-1])
    if last > STAGES.index("pack"):
        needed("torch", "safetensors", "onnx")
        if device == "cuda":
            from aver.train._teach import device_named

            device_named(device)  # refuses it where there is none
    # the stages between packing and the figures need the packed rows alone: a machine with a GPU need not have the data
    packed = all((Path(out) / name).is_file() for name in (*PACKED, *(READERS if reader else ())))
    if not packed or last >= STAGES.index("rationale"):
        check_data(Path(data))
    run = Run(
        recipe, Path(data), Path(out), base, fast_base, limit=limit, seed=seed,
        seconds=math.inf if seconds is None else seconds, device=device, say=say,
        onwards=None if start is None else Onwards(start, teacher, keep, fresh),
        written=None if written is None else Path(written),
        found=None if found is None else Path(found),
        reader=None if reader is None else open_language_model(reader),
    )  # fmt: skip
    return run.until(last)
