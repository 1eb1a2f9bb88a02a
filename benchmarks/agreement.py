"""Krippendorff's alpha on CLIMATE-FEVER's votes: our time against the `krippendorff` package's, in one run.

    python benchmarks/agreement.py

The peer is installed into a folder of its own for the run. The votes are CLIMATE-FEVER's where the data sets are at
hand (AVER_DATA, else ../shared/data beside the checkout), otherwise random ones of the same shape: 7,675 pairs, five
places, 2.4 votes each.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from aver import Label
from aver.agreement import alpha, read_votes

ROOT = Path(__file__).resolve().parent.parent
LEVELS = ("nominal", "ordinal", "interval", "ratio")
CODES: dict[Any, float] = {None: np.nan, Label.SUPPORTS: 0, Label.REFUTES: 1, Label.NOT_ENOUGH_INFO: 2}


def main() -> int:
    """Prints a table of times; 0 when we are at least as fast at the nominal level, else 1."""
    votes, source = load_votes()
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", folder]
        subprocess.run([*pip, "--no-deps", "krippendorff", "typing_extensions"], check=True)
        sys.path.append(folder)
        ratios = compare(votes, source)
    return 0 if ratios[0] >= 1 else 1


def load_votes() -> tuple[list[tuple[Any, ...]], str]:
    """A row of votes per pair, and where they come from."""
    folder = Path(os.environ.get("AVER_DATA", ROOT.parent / "shared" / "data"))
    path = folder / "climate_fever" / "climate-fever.jsonl"
    if path.exists():
        return [item.votes for item in read_votes(path)], "CLIMATE-FEVER"
    chance = np.random.default_rng(0)
    labels = [label for label in CODES if label is not None]
    rows = []
    for _ in range(7675):
        cast = int(chance.choice([2, 2, 2, 3, 4]))
        rows.append(tuple(labels[int(c)] for c in chance.integers(0, 3, cast)) + (None,) * (5 - cast))
    return rows, "random votes of CLIMATE-FEVER's shape"


def compare(votes: list[tuple[Any, ...]], source: str) -> list[float]:
    """Times both on the same table, level by level, and on the votes as they come from the file."""
    import krippendorff

    table = np.array([[CODES[vote] for vote in row] for row in votes])
    by_voter = np.ascontiguousarray(table.T)  # the peer wants a row per voter

    def peer_from_labels() -> float:
        coded = np.array([[CODES[vote] for vote in row] for row in votes]).T
        return float(krippendorff.alpha(reliability_data=coded, level_of_measurement="nominal"))

    print(f"alpha over {table.shape[0]:,} items, {int((~np.isnan(table)).sum()):,} votes ({source}), best of 30")
    print(f"{'job':<24}{'alpha':>10}{'aver ms':>10}{'peer ms':>10}{'ratio':>8}")
    ratios = []
    for level in LEVELS:
        ours = best(lambda level=level: alpha(table, level=level))
        theirs = best(lambda level=level: krippendorff.alpha(reliability_data=by_voter, level_of_measurement=level))
        ratios.append(report(f"a table, {level}", ours, theirs))
    ratios.append(report("labels, nominal", best(lambda: alpha(votes)), best(peer_from_labels)))
    return ratios


def best(job: Callable[[], Any]) -> tuple[float, float]:
    """The answer and the shortest of thirty times, in milliseconds."""
    times = []
    for _ in range(30):
        start = time.perf_counter()
        answer = job()
        times.append(time.perf_counter() - start)
    return float(answer), 1000 * min(times)


def report(job: str, ours: tuple[float, float], theirs: tuple[float, float]) -> float:
    """Prints a line; both must have answered the same."""
    if abs(ours[0] - theirs[0]) > 1e-9:
        raise SystemExit(f"{job}: aver says {ours[0]}, the peer {theirs[0]}")
    ratio = theirs[1] / ours[1]
    print(f"{job:<24}{ours[0]:>10.6f}{ours[1]:>10.3f}{theirs[1]:>10.3f}{ratio:>7.1f}x")
    return ratio


if __name__ == "__main__":
    sys.exit(main())
