"""Every figure a judge is held to, through the runtime that users have, beside the bar it must reach.

    python benchmarks/judge.py [--model default|fast|FOLDER] [--only NAMES] [--limit N] [--json]

The data sets are looked for in the folder AVER_DATA names, else in ../shared/data beside the checkout. VitaminC is
scored on fold 8, which nothing was trained or chosen on. "Two-way" is the likelier of the two classes that a set has.
Flip rate: claims with two gold labels (same case and claim), every verdict right; and as VitaminC's paper counts it,
the verdicts differ where the labels do. CLIMATE-FEVER's claims: the five
sentences' verdicts become a claim label by its own rule, DISPUTED gold labels left out. Rationales: the non-stop words
that the counterpart evidence deletes or replaces, as in VitaminC's section on rationales, against the words the judge's
token head gives at least the card's threshold. Intervals: 95 %, bootstrap over claims (VitaminC: over cases).
Speed: pairs of 64 tokens a second with two threads; `fast` must also need no more than a quarter of `default`'s time.
Exit code 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from aver.errors import AverError
from aver.models import load_judge
from aver.train import FIGURES, Figure, evaluate, machine, pairs_per_second

ROOT = Path(__file__).resolve().parent.parent
Say = Callable[[str], None]
SPEED = {"default": 25.0, "fast": 100.0}
BEHIND, QUARTER = 0.06, 4.0
"""How far `fast` may stand behind `default` on VitaminC real, and how many times faster it must be."""


def main() -> int:
    """Prints the figures; 0 where every bar is reached."""
    asked = arguments()
    data = Path(os.environ.get("AVER_DATA", ROOT.parent / "shared" / "data"))
    names = [name for name in asked.only.split(",") if name] if asked.only else [*FIGURES, "speed"]
    began = time.monotonic()

    def say(line: str) -> None:
        print(f"{time.monotonic() - began:6.0f} s  {line}", file=sys.stderr)

    try:
        judge = load_judge(asked.model)
        figures = evaluate(
            judge, data, only=[name for name in names if name != "speed"], limit=asked.limit, seed=asked.seed, say=say
        )
        if asked.model == "fast":
            figures = fast_bars(figures, data, asked, say)
        if "speed" in names:
            figures += speed(asked.model)
    except AverError as error:
        print(f"judge.py: {error}", file=sys.stderr)
        return 2
    setting = {
        "model": judge.model, "data": data.name, "fold": 8, "limit": asked.limit, "seed": asked.seed,
        "resamples": 1000, "machine": machine(), "seconds": round(time.monotonic() - began),
    }  # fmt: skip
    if asked.json:
        print(json.dumps({"setting": setting, "figures": [figure.as_dict() for figure in figures]}, indent=2))
    else:
        show(figures, setting)
    return int(any(figure.passed is False for figure in figures))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", default="default", help="default, fast, or a folder that aver train made")
    parser.add_argument("--only", metavar="NAMES", help=f"comma-separated, of: {', '.join(FIGURES)}, speed")
    parser.add_argument("--limit", type=int, metavar="N", help="so many rows of every set")
    parser.add_argument("--seed", type=int, default=0, help="of the bootstrap")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    if asked.limit is not None and asked.limit < 1:
        parser.error("--limit must be 1 or more")
    return asked


def fast_bars(figures: list[Figure], data: Path, asked: argparse.Namespace, say: Say) -> list[Figure]:
    """`fast` has one bar of its own among these: not far behind `default` on VitaminC real."""
    free = [replaced(figure, bar=None) for figure in figures]
    if not any(figure.name == "vitaminc_real" for figure in figures):
        return free
    default = load_judge("default")
    ahead = evaluate(default, data, only=["vitaminc_real"], limit=asked.limit, seed=asked.seed, say=say)[0]
    note = f"default has {100 * ahead.value:.1f}; at most {100 * BEHIND:.0f} points behind"
    return [
        replaced(figure, bar=ahead.value - BEHIND, notes=note) if figure.name == "vitaminc_real" else figure
        for figure in free
    ]


def replaced(figure: Figure, **changes: object) -> Figure:
    return dataclasses.replace(figure, **changes)  # type: ignore[arg-type]


def speed(model: str) -> list[Figure]:
    """Pairs a second; for `fast` also how many times as fast as `default`, measured in turns in this run."""
    rates: dict[str, float] = {}
    for _ in range(3):
        for name in [model] + (["default"] if model == "fast" else []):
            rates[name] = max(rates.get(name, 0.0), pairs_per_second(load_judge(name, threads=2)))
    title = "pairs of 64 tokens a second, two threads"
    found = [plain("speed", title, rates[model], SPEED.get(model))]
    if model == "fast":
        found.append(plain("speed_ratio", "times as fast as default", rates[model] / rates["default"], QUARTER))
    return found


def plain(name: str, title: str, value: float, bar: float | None) -> Figure:
    return Figure(name, title, value, value, value, 128, "pairs", bar, notes="the best of nine runs; no interval")


def show(figures: list[Figure], setting: dict[str, object]) -> None:
    print("  ".join(f"{name}: {value}" for name, value in setting.items() if value is not None))
    print()
    print(f"{'figure':56} {'value':>8}  {'95 % interval':>15} {'bar':>8} {'':6} {'n':>7}")
    said = ""
    for figure in figures:
        plainly = figure.name.startswith("speed") or figure.name == "ece"
        factor, digits = (1.0, 1 if figure.name.startswith("speed") else 4) if plainly else (100.0, 1)
        value, low, high = (f"{factor * number:.{digits}f}" for number in (figure.value, figure.low, figure.high))
        interval = "" if figure.name.startswith("speed") else f"{low}–{high}"
        sign = "≥" if figure.higher_is_better else "≤"
        bar = "" if figure.bar is None else f"{sign} {factor * figure.bar:.{digits}f}"
        verdict = {None: "", True: "yes", False: "MISSED"}[figure.passed]
        print(f"{figure.title:56} {value:>8}  {interval:>15} {bar:>8} {verdict:6} {figure.n:>7,} {figure.unit}")
        if figure.notes and figure.notes != said:
            print(f"    {figure.notes}")
        said = figure.notes


if __name__ == "__main__":
    sys.exit(main())
