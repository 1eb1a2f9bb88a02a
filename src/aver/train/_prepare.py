"""From the data folder to packed rows: mixed, leaks removed, tokenised. Needs no GPU and no torch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from aver.errors import Problems
from aver.train._mix import FILES, evaluation_rows, labelled_rows, pool_rows
from aver.train._pack import pack
from aver.train._packed import Packed
from aver.train._recipe import LABELLED_PAGES, POOL_PAGES

__all__ = ["check_data", "prepare"]


def prepare(
    data: Path,
    tokenizer: Any,
    *,
    shift: int = 0,
    seed: int = 1,
    limit: int | None = None,
    say: Callable[[str], None] = print,
) -> tuple[Packed, Packed]:
    """The rows to train on, and those to choose and report on; `limit` cuts every source, for a quick try."""
    check_data(data)
    labelled = labelled_rows(data, seed=seed, pages=LABELLED_PAGES, limit=limit)
    say(f"{len(labelled):,} labelled rows from {len({row.source for row in labelled})} sources, leaks removed")
    pool = pool_rows(data, seed=seed, pages=POOL_PAGES, limit=limit)
    say(f"{len(pool):,} rows more for a student")
    rows = pack(labelled + pool, tokenizer, shift=shift)
    sets = evaluation_rows(data)
    held = pack([row for found in sets.values() for row in found[:limit]], tokenizer, shift=shift)
    say(f"packed {len(rows):,} rows in {len(rows.tokens):,} tokens, and {len(held):,} to choose and report on")
    return rows, held


def check_data(data: Path) -> None:
    """Names every file of the data folder that is missing, before any of them is read."""
    problems = Problems()
    for name in FILES:
        if not (data / name).is_file():
            problems.add(str(data / name), "there is no such file")
    problems.raise_if_any("the data folder lacks files; name it with --data or AVER_DATA")
