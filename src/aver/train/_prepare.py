"""From the data folder to packed rows: mixed, leaks removed, tokenised. Needs no GPU and no torch."""

from __future__ import annotations

import importlib.util
import itertools
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from aver.errors import InputError, MissingExtra, Problems
from aver.train._fever_text import FEVER_TEXT
from aver.train._found import found_rows
from aver.train._mix import (
    FILES,
    MORE_FILES,
    Row,
    evaluation_rows,
    held_out_claims,
    labelled_rows,
    pool_rows,
    read,
)
from aver.train._pack import pack
from aver.train._packed import FIRST_MARK, Packed
from aver.train._recipe import LABELLED_PAGES, POOL_PAGES
from aver.train._written import written_rows

__all__ = ["Pieces", "check_data", "needed", "prepare"]

PAIR = ("claim", "evidence", "label")
FIELDS = {
    "vitaminc/real.jsonl.gz": (*PAIR, "case_id", "page", "fold"),
    "vitaminc/synthetic.jsonl.gz": (*PAIR, "case_id", "page", "fold"),
    "vitaminc/revision_pairs.jsonl.gz": ("a", "b", "fold"),
    "wiki_intros/wiki_intros.jsonl.gz": ("title", "text"),
    "climate_fever/climate-fever.jsonl": ("claim_id", "claim", "claim_label", "evidences"),
    "xsumfaith/xsumfaith_with_docs.jsonl": ("bbcid", "system", "summary", "article", "types", "faithful_majority"),
    "qags/mturk_xsum.jsonl": ("article",),
    FEVER_TEXT: PAIR,
}
"""What a row must have, beyond the claim that every set has."""


class Pieces(NamedTuple):
    """How a family of models has its words in pieces, and its marks of compared figures."""

    tokenizer: Any
    shift: int = 0
    first_mark: int = FIRST_MARK

    def pack(self, rows: Sequence[Row]) -> Packed:
        return pack(rows, self.tokenizer, shift=self.shift, first_mark=self.first_mark)


def prepare(
    data: Path,
    families: Sequence[Pieces],
    *,
    seed: int = 1,
    limit: int | None = None,
    written: Path | None = None,
    found: Path | None = None,
    say: Callable[[str], None] = print,
) -> list[tuple[Packed, Packed]]:
    """For each family the rows to train on, and those to choose and report on, in the same order for all.

    `limit` cuts every source, for a quick try.

    `written` is a file of `aver train write`: its rows come to those of the students' pool. `found` is one of `aver
    train search`.
    """
    check_data(data)
    labelled = labelled_rows(data, seed=seed, pages=LABELLED_PAGES, limit=limit)
    say(f"{len(labelled):,} labelled rows from {len({row.source for row in labelled})} sources, leaks removed")
    pool = pool_rows(data, seed=seed, pages=POOL_PAGES, limit=limit)
    held_out, taken = held_out_claims(data), Counter[str]()
    more = [] if written is None else [written_rows(written, held_out)]
    more += [] if found is None else [found_rows(found, held_out, random.Random(seed))]
    for row in itertools.chain(*more):
        taken[row.source] += 1
        if limit is None or taken[row.source] <= limit:
            pool.append(row)
    say(f"{len(pool):,} rows more for a student")
    held_rows = [row for found in evaluation_rows(data).values() for row in found[:limit]]
    packed = []
    for family in families:
        rows, held = family.pack(labelled + pool), family.pack(held_rows)
        say(f"packed {len(rows):,} rows in {len(rows.tokens):,} tokens, and {len(held):,} to choose and report on")
        packed.append((rows, held))
    return packed


def check_data(data: Path) -> None:
    """Names every file of the data folder that is missing or of another shape, before any of them is used."""
    if not data.is_dir():
        raise InputError(f"{data}: there is no such folder; name the data folder with --data or AVER_DATA")
    problems = Problems()
    for name in (*FILES, *(name for name in MORE_FILES if (data / name).is_file())):
        path = data / name
        if not path.is_file():
            problems.add(str(path), "there is no such file")
        elif ".jsonl" in name:
            wanted = FIELDS.get(name, PAIR if name.startswith("pairs/") else ("claim",))
            try:
                missing = [field for field in wanted if field not in next(read(path), {})]
            except InputError as error:
                problems.add("", str(error))
                continue
            if missing:
                problems.add(str(path), f"its first row has no {', '.join(missing)}")
    problems.raise_if_any("the data folder cannot be used; name it with --data or AVER_DATA")


def needed(*packages: str) -> None:
    """Raises a MissingExtra where one of these packages is not there."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise MissingExtra("train", package)
