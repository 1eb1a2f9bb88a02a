"""What `train` can be asked for: choices that are none, or do not go together, are refused before anything is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import orjson

from aver.errors import InputError
from aver.records import writing
from aver.train._recipe import RECIPES, STAGES

__all__ = ["Device", "Say", "check_choices", "same_choices", "same_rows"]

Device = Literal["auto", "cpu", "cuda"]
Say = Callable[[str], None]
"""Tells a line of progress."""


def check_choices(
    recipe: str, *, limit: int | None, seconds: float | None, device: str, stage: str | None, start: str | None,
    teacher: str | None, keep: float | None, fresh: float | None, written: str | Path | None,
    found: str | Path | None, reader: str | None,
) -> None:  # fmt: skip
    """Raises an InputError that says which choice cannot be, and what can."""
    if recipe not in RECIPES:
        raise InputError(f"there is no recipe {recipe!r}; there are: {', '.join(RECIPES)}")
    if stage is not None and stage not in STAGES:
        raise InputError(f"there is no stage {stage!r}; there are: {', '.join(STAGES)}")
    if device not in get_args(Device):
        raise InputError(f"device is {device!r}; it can be: {', '.join(get_args(Device))}")
    for name, number in (("limit", limit), ("seconds", seconds)):
        if number is not None and not number > 0:
            raise InputError(f"{name} is {number}; it must be more than 0")
    if start is not None and recipe not in ("default", "fast"):
        raise InputError(f"only default and fast can be taught on, and the recipe is {recipe}")
    for name, given in (("teacher", teacher), ("keep", keep), ("fresh", fresh)):
        if given is not None and start is None:
            raise InputError(f"{name} belongs to a model that is taught on; name that model with --from")
    if keep is not None and not 0 <= keep < 1:
        raise InputError(f"keep is {keep}; it must be at least 0 and less than 1")
    if fresh is not None:
        if recipe != "default":
            raise InputError("only default can be renewed: newcomers are made from its base; leave fresh out")
        if teacher is not None:
            raise InputError("newcomers teach a model that is renewed; leave out teacher, or fresh")
        if not 0 <= fresh <= 1 or (fresh == 0 and reader is None):
            raise InputError(f"fresh is {fresh}; it must be more than 0 and at most 1, or 0 with a reader")
    if reader is not None and fresh is None:
        raise InputError(
            "a reader teaches a model that is renewed; name that one with --from, and --fresh (0 makes no newcomer)"
        )
    for file, maker in ((written, "write"), (found, "search")):
        if file is not None and not Path(file).is_file():
            raise InputError(f"{file}: there is no such file; `aver train {maker}` makes one")


def same_choices(file: Path, chosen: Mapping[str, Any]) -> None:
    """A folder belongs to one set of choices, which this file of it keeps: what others made must not be mixed in."""
    if file.is_file() and (before := orjson.loads(file.read_bytes())) != chosen:
        other = [
            f"{name}: {before.get(name)!r} there, {value!r} now"
            for name, value in chosen.items()
            if before.get(name) != value
        ]
        raise InputError(f"{file.parent} was made with other choices; name another --out, or remove it", other)
    with writing(file) as opened:
        opened.write(orjson.dumps(chosen))


def same_rows(out: Path, now: Mapping[str, Any]) -> dict[str, Any]:
    """The choices of a folder of `train`, those before and those now; an InputError where they differ."""
    absent: dict[str, Any] = {"units": False, "periods": False}
    packed = (out / "rows.npz").exists()
    if packed:
        absent |= {"written": None, "found": None, "reader": None}
    path = out / "run.json"
    # rows that were packed when figures were compared without units or periods do not say so
    before = absent | orjson.loads(path.read_bytes()) if path.exists() else {}
    if not packed:  # nothing was packed yet with what is not given any more
        gone = {"written", "found", "reader"} - set(now)
        before = {key: value for key, value in before.items() if key not in gone}
    differing = [key for key in now if before.get(key, now[key]) != now[key]]
    other = [f"{key}: {before[key]!r} there, {now[key]!r} now" for key in differing]
    if other:
        raise InputError(f"{out} was made with other choices; name another --out, or remove it", other)
    return {**before, **now}
