"""The proof itself: every part that was asked for, in order, each done or skipped with its reason."""

from __future__ import annotations

import dataclasses
import os
import platform
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from aver.errors import InputError, Problems
from aver.models import Judge
from aver.prove._context import Context
from aver.prove._data import Absent, data_folder
from aver.prove._report import Part, Report
from aver.prove._scorer import Progress, Scorer
from aver.prove._subject import Call, open_subject

__all__ = ["PARTS", "QUICK", "prove"]

QUICK = 120
"""Rows of each data set that `--quick` takes."""

PARTS: dict[str, tuple[str, str, str]] = {
    "sample": ("aver.prove._labelled", "sample_part", "Built-in sample"),
    "frank": ("aver.prove._frank", "frank_part", "FRANK"),
    "qags": ("aver.prove._people", "qags_part", "QAGS"),
    "summeval": ("aver.prove._people", "summeval_part", "SummEval"),
    "xsumfaith": ("aver.prove._labelled", "xsumfaith_part", "XSumFaith"),
    "summedits": ("aver.prove._labelled", "summedits_part", "SummEdits"),
    "vitaminc": ("aver.prove._labelled", "vitaminc_part", "VitaminC"),
    "reading": ("aver.prove._reading", "reading_part", "Does it read?"),
    "calibration": ("aver.prove._calibrated", "calibration_part", "Calibration"),
    "repeat": ("aver.prove._repeat", "repeat_part", "Repeatability"),
    "edges": ("aver.prove._edges", "edges_part", "Odd input"),
    "speed": ("aver.prove._speed", "speed_part", "Speed and memory"),
}
"""The parts by name, in the order of the report: the module, the function, the title."""


def prove(
    metric: object,
    *,
    parts: Sequence[str] | None = None,
    data: str | os.PathLike[str] | None = None,
    limit: int | None = None,
    seed: int = 0,
    resamples: int = 1000,
    judge: str | Judge | None = None,
    call: Call = "auto",
    name: str | None = None,
    key: str = "score",
    work: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    command: str = "",
) -> Report:
    """Puts a metric of factual consistency to the proof and reports what was found.

    `metric` is a built-in name (`aver.consistency.metrics()`), `module:function` or `file.py:function`, a file of
    scores for FRANK's rows, a function, or an object with `.score(texts, sources)`. A function takes lists of texts
    and sources and returns as many scores, or one of each and returns one (`call`); a higher score is a more
    consistent text, None is no score. `judge` is for a built-in metric: a name, or a judge that is at hand. `limit`
    takes a sample of about so many rows of every data set, the same for a `seed`. `data` is the folder of the data sets
    (else AVER_DATA); what is not there is skipped with the reason. A folder `work` keeps every score, so that a proof
    that was stopped goes on. `progress` is called with what is being done, how much of it is done, and how much there
    is.

    >>> def overlap(texts: list[str], sources: list[str]) -> list[float]:
    ...     pairs = [(set(t.lower().split()), set(s.lower().split())) for t, s in zip(texts, sources)]
    ...     return [len(a & b) / max(len(a), 1) for a, b in pairs]
    >>> report = prove(overlap, parts=["sample", "repeat"], resamples=0)
    >>> report["sample"].status, report["repeat"].figures["largest_difference"]
    ('done', 0.0)
    """
    wanted = _wanted(parts)
    _check(limit, seed, resamples)
    subject = open_subject(metric, judge=judge, call=call, name=name, key=key)
    folder = data_folder(data)
    scorer = Scorer(subject, work=work, progress=progress)
    context = Context(subject, scorer, folder, limit, seed, resamples)
    start = time.perf_counter()
    found = []
    for part in wanted:
        began = time.perf_counter()
        made = _part(part, context)
        found.append(dataclasses.replace(made, seconds=time.perf_counter() - began))
    if subject.raw is None and not any(part.status == "done" for part in found):
        why = next((part.reason for part in found if part.name == "frank"), "FRANK was not among the parts asked for")
        raise InputError(f"{metric}: a file of scores can be proved on FRANK alone; {why}")
    from aver import __version__

    return Report(
        metric=subject.name, kind=subject.kind, model=subject.model, what=subject.what, parts=tuple(found),
        settings={"limit": limit, "seed": seed, "resamples": resamples, "parts": list(wanted)},
        machine=_machine(), command=command, version=__version__, seconds=time.perf_counter() - start,
    )  # fmt: skip


def _part(name: str, context: Context) -> Part:
    import importlib

    module, function, title = PARTS[name]
    made: Callable[[Context], Part] = getattr(importlib.import_module(module), function)
    if not context.subject.callable and name != "frank":
        reason = "the metric is a file of scores for FRANK's rows; this part needs to ask it for others"
        return Part(name, title, "", "skipped", reason)
    try:
        return made(context)
    except Absent as absent:
        return Part(name, title, "", "skipped", str(absent))


def _wanted(parts: Sequence[str] | None) -> tuple[str, ...]:
    if parts is None or not len(parts):
        return tuple(PARTS)
    problems = Problems()
    for part in parts:
        if part not in PARTS:
            problems.add("", f"unknown part {part!r}", hint=f"the parts are: {', '.join(PARTS)}")
    problems.raise_if_any("these parts cannot be proved")
    return tuple(part for part in PARTS if part in parts)


def _check(limit: int | None, seed: int, resamples: int) -> None:
    if limit is not None and limit < 1:
        raise InputError(f"limit is {limit}; it must be 1 or more, or left out for every row")
    if seed < 0:
        raise InputError(f"seed is {seed}; it must be 0 or more")
    if resamples < 0:
        raise InputError(f"resamples is {resamples}; it must be 0 (no intervals) or more")


def _machine() -> dict[str, Any]:
    """What the speed was measured on; nothing that names the machine."""
    processor = platform.processor() or platform.machine()
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
        processor = next(line.split(":", 1)[1].strip() for line in told.splitlines() if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return {
        "processors": os.cpu_count(),
        "processor": processor,
        "system": platform.system(),
        "python": platform.python_version(),
    }
