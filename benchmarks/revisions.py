"""Living verdicts, measured: flagging, mining, watching, revising and extracting beside the bars they must reach.

    python benchmarks/revisions.py [--only flagging,mining,watch,revise,extract] [--model default|fast|FOLDER]
                                   [--judge fast] [--independent default] [--limit N] [--seed N] [--json]
    python benchmarks/revisions.py --fit [--model …]     the flagger's small table, fitted anew (prints the entry)
    python benchmarks/revisions.py --fit --only revise [--judge …]     the reviser's

The data sets are looked for in the folder AVER_DATA names, else in ../shared/data beside the checkout. VitaminC is
scored on fold 8, which nothing was trained or chosen on. Each part says in its own module (`_flagging.py`,
`_mining.py`, `_watching.py`, `_revising.py`) what it is measured on. Intervals: 95 %, bootstrap over pages unless a
part says else. Exit code 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from aver.errors import AverError
from aver.train import Figure, machine

ROOT = Path(__file__).resolve().parent.parent

# part -> the module beside this one that measures it, and the function: `(asked) -> list[Figure]`.
# `asked` has: model, limit (None: all), seed, data (a Path), say (prints a line of progress on standard error).
# A figure is in the unit it is shown in: 0.92 for an AUC, 83.2 for an F1 in points, 20 for MB/s.
PARTS = {
    "flagging": ("_flagging", "flagging"),
    "mining": ("_mining", "mining"),
    "watch": ("_watching", "watch"),
    "revise": ("_revising", "revise"),
    "extract": ("_revising", "extract"),
}


def main() -> int:
    """Prints the figures; 0 where every bar is reached."""
    asked = arguments()
    began = time.monotonic()
    asked.data = Path(os.environ.get("AVER_DATA", ROOT.parent / "shared" / "data"))
    asked.say = lambda line: print(f"{time.monotonic() - began:6.0f} s  {line}", file=sys.stderr, flush=True)
    try:
        if asked.fit:
            # both `revise` and `flagging` have a small table; flagging's is fitted unless revise is asked for
            importlib.import_module("_revising" if asked.only == "revise" else "_flagging").fit(asked)
            return 0
        figures: dict[str, list[Figure]] = {}
        for part in asked.parts:
            module, function = PARTS[part]
            figures[part] = getattr(importlib.import_module(module), function)(asked)
    except AverError as error:
        print(f"revisions.py: {error}", file=sys.stderr)
        return 2
    setting = {
        "model": asked.model, "data": asked.data.name, "limit": asked.limit, "seed": asked.seed, "machine": machine(),
        "seconds": round(time.monotonic() - began),
    }  # fmt: skip
    if asked.json:
        found = {part: [figure.as_dict() for figure in rows] for part, rows in figures.items()}
        print(json.dumps({"setting": setting, "figures": found}, indent=2))
    else:
        print("  ".join(f"{name}: {value}" for name, value in setting.items() if value is not None))
        for part, rows in figures.items():
            show(part, rows)
    return int(any(figure.passed is False for rows in figures.values() for figure in rows))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help=f"some of {', '.join(PARTS)}, with commas; all unless given")
    parser.add_argument("--model", default="default")
    parser.add_argument("--judge", default="fast", help="who searches, in revise and extract")
    parser.add_argument("--independent", default="default", help="who measures them; must be another model")
    parser.add_argument("--limit", type=int, help="so many rows of each set instead of all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fit", action="store_true", help="fit the flagger of edits on VitaminC's folds 0 to 6")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    if asked.limit is not None and asked.limit < 1:
        parser.error("--limit must be 1 or more")
    asked.parts = [part.strip() for part in asked.only.split(",") if part.strip()] or list(PARTS)
    unknown = [part for part in asked.parts if part not in PARTS]
    if unknown:
        parser.error(f"--only: there is no part {', '.join(unknown)}; there are: {', '.join(PARTS)}")
    return asked


def show(part: str, figures: Sequence[Figure]) -> None:
    print(f"\n{part:68} {'value':>8}  {'95 % interval':>15} {'bar':>9} {'':6} {'n':>9}")
    said = ""
    for figure in figures:
        bare = figure.low == figure.high == figure.value  # a rate, a size: measured once
        interval = "" if bare else f"{written(figure.low)}–{written(figure.high)}"
        bar = "" if figure.bar is None else f"{'≥' if figure.higher_is_better else '≤'} {written(figure.bar)}"
        verdict = {None: "", True: "yes", False: "MISSED"}[figure.passed]
        line = f"{figure.title:68} {written(figure.value):>8}  {interval:>15} {bar:>9} {verdict:6} {figure.n:>9,}"
        print(f"{line} {figure.unit}")
        if figure.notes and figure.notes != said:
            print(f"    {figure.notes}")
        said = figure.notes


def written(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.4f}" if abs(number) < 1.5 else f"{number:.2f}"


if __name__ == "__main__":
    sys.exit(main())
