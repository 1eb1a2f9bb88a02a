"""Makes every trust report that stands in the documentation, and the figures that cards embed.

    python benchmarks/prove.py [--only NAMES] [--limit N] [--judge NAME] [--part NAMES] [--work DIR] [--cache FILE]
    python benchmarks/prove.py --pages

Proves the lexical family on every row, aver's own metrics on samples of `--own-limit` rows of each data set (default
120) and our judge under each peer's rule on samples of `--limit` rows (default 40; 0: every row), since a row costs a
judge a hundred times as much, and under a peer's rule, which reads the whole source, a thousand times. Writes
`docs/trust/<metric>.json`, `.md` and `README.md`, and `src/aver/prove/trust.json`, which goes with the package; then
run `make docs`. `--pages` makes the pages again from the JSON that is there, without proving anything. Data sets are
looked for in the folder AVER_DATA names, else in ../shared/data beside the checkout; a report lacks what is not there.

A judge's scores are kept in `--work` (default: .trust in the checkout's .venv), so that a run that was stopped goes
on; another model has other scores, and so has changed code of aver's. What the judge said of each pair is kept in
`--cache` (default: judge.sqlite in there; the same kind of file as benchmarks/consistency.py's), so that `aver-strict`
costs nothing after `aver`, and neither does a proof after aver's code has changed; repeats and speed are asked of the
judge itself. How long it took stands at the end of the README it writes. In processor time, on two cores of 2.8 GHz:
the lexical family 80 s; aver's own metric with `fast` 3.4 minutes for 120 rows of each data set. A judge five times as
slow takes five times as long.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import sys
import time
from pathlib import Path
from typing import Any

import orjson

from _consistency_sets import CachedJudge
from aver.consistency import metrics
from aver.errors import AverError
from aver.prove import PARTS, Report, headline, markdown, prove, slug
from aver.records import writing

ROOT = Path(__file__).resolve().parent.parent
TRUST = ROOT / "docs" / "trust"
KEPT = ROOT / "src" / "aver" / "prove" / "trust.json"
LEXICAL = ("rouge-1", "rouge-2", "rouge-l", "bleu", "overlap", "copied-3")
OWN = ("aver", "aver-strict")
AFRESH = ("repeat", "speed")
"""Parts that kept answers would make worthless."""
COLUMNS = (
    ("frank.pearson", "FRANK r"),
    ("frank.baselines_beaten", "baselines beaten"),
    ("qags.pearson_cnndm", "QAGS CNN/DM"),
    ("qags.pearson_xsum", "QAGS XSum"),
    ("summeval.pearson", "SummEval"),
    ("xsumfaith.balanced_accuracy", "XSumFaith"),
    ("summedits.balanced_accuracy", "SummEdits"),
    ("vitaminc.order_rate", "VitaminC order"),
    ("vitaminc.flip_rate", "both right"),
    ("reading.kept_without_source", "left without source"),
    ("calibration.ece", "ECE"),
    ("repeat.largest_difference", "repeat difference"),
    ("speed.short_per_s", "short pairs/s"),
    ("speed.long_s", "s per article"),
    ("speed.peak_mb", "MB"),
)
MADE = "<!-- made by benchmarks/prove.py; run it again rather than editing this page -->\n\n"


def main() -> None:
    asked = _arguments()
    names = asked.only or [name for name in metrics() if name not in asked.leave]
    for name in names if not asked.pages else ():
        limit = asked.lexical_limit if name in LEXICAL else asked.own_limit if name in OWN else asked.limit
        judge = None if name in LEXICAL else asked.judge
        command = " ".join(
            ["aver prove", name, *(f"--part {part}" for part in asked.part or ()),
             *(["--judge", judge] if judge else []), *(["--limit", str(limit)] if limit else [])]
        )
        start = time.perf_counter()
        try:
            report = _proved(name, limit or None, judge, command, asked)
        except AverError as error:
            print(f"{name}: left out: {error}", file=sys.stderr)
            continue
        _write(TRUST / f"{slug(name)}.json", orjson.dumps(report.as_dict(), option=orjson.OPT_INDENT_2) + b"\n")
        print(f"{name}: {time.perf_counter() - start:,.0f} s", flush=True)
    _pages(names)


def _proved(name: str, limit: int | None, judge: str | None, command: str, asked: Any) -> Report:
    options = {"limit": limit, "work": asked.work, "command": command, "progress": _told(name)}
    parts = [part for part in PARTS if part in (asked.part or PARTS)]
    if name in LEXICAL:
        return prove(name, parts=parts, **options)
    Path(asked.work).mkdir(parents=True, exist_ok=True)
    kept = CachedJudge(judge or "default", asked.cache or Path(asked.work) / "judge.sqlite")
    reports = [
        prove(name, parts=some, judge=by, **options)
        for some, by in (([p for p in parts if p not in AFRESH], kept), ([p for p in parts if p in AFRESH], judge))
        if some
    ]
    found = {part.name: part for report in reports for part in report.parts}
    return dataclasses.replace(
        reports[0], parts=tuple(found[part] for part in parts), seconds=sum(report.seconds for report in reports),
        settings=dict(reports[0].settings) | {"parts": parts},
    )  # fmt: skip


def _arguments() -> Any:
    reader = argparse.ArgumentParser(description="Make the trust reports of the documentation.")
    reader.add_argument("--only", nargs="+", metavar="NAME", help="only these metrics; the others' pages stay")
    reader.add_argument("--leave", nargs="+", default=["unieval-fact"], metavar="NAME",
                        help="leave these out (default: unieval-fact, which needs a checkpoint of 3 GB)")  # fmt: skip
    reader.add_argument("--limit", type=int, default=40, help="rows of each data set for the peers' rules")
    reader.add_argument("--own-limit", type=int, default=120, help="the same for aver's own metrics")
    reader.add_argument("--lexical-limit", type=int, default=0, help="the same for the lexical family; 0: every row")
    reader.add_argument("--judge", default=None, help="the judge to read with (default: the package's default)")
    reader.add_argument("--work", default=ROOT / ".venv" / "trust", help="where scores are kept between runs")
    reader.add_argument("--cache", type=Path, help="a file that keeps what the judge said of each pair")
    reader.add_argument("--part", nargs="+", metavar="NAME", help="only these parts; a report then holds no others")
    reader.add_argument("--pages", action="store_true", help="only make the pages from the JSON that is there")
    return reader.parse_args()


def _told(name: str) -> Any:
    last = {"at": 0.0}

    def done(what: str, at: int, total: int) -> None:
        if (now := time.perf_counter()) - last["at"] > 15 or at == total:
            last["at"] = now
            print(f"  {name}: {what} {at:,} of {total:,}", file=sys.stderr, flush=True)

    return done


def _pages(names: list[str]) -> None:
    """The pages and the figures of every report there is, whichever run made it."""
    found = {}
    for path in sorted(TRUST.glob("*.json")):
        report = Report.from_dict(orjson.loads(path.read_bytes()), place=path.name)
        found[report.metric] = report
        _write(path.with_suffix(".md"), (MADE + markdown(report)).encode())
    order = [name for name in metrics() if name in found] + [name for name in found if name not in metrics()]
    kept = [headline(found[name]) for name in order]
    _write(KEPT, orjson.dumps({"metrics": kept}, option=orjson.OPT_INDENT_2) + b"\n")
    _write(TRUST / "README.md", _readme([found[name] for name in order], kept).encode())


def _readme(reports: list[Report], kept: list[dict[str, Any]]) -> str:
    from aver.prove import written

    lines = [
        "# Trust reports", "",
        "What `aver prove` finds out about the metrics that come with aver. [What the figures mean](../prove.md). A "
        "metric that reads with a judge is proved on samples, the lexical ones on every row; each report says which.",
        "",
        "| metric | rows | " + " | ".join(title for _, title in COLUMNS) + " |",
        "|---|---|" + "---:|" * len(COLUMNS),
    ]  # fmt: skip
    for report, entry in zip(reports, kept, strict=True):
        rows = "all" if entry["limit"] is None else f"about {entry['limit']:,}"
        cells = [written(entry["figures"].get(key)) for key, _ in COLUMNS]
        lines.append(f"| [{report.metric}]({slug(report.metric)}.md) | {rows} | " + " | ".join(cells) + " |")
    models = sorted({report.model for report in reports if report.model})
    total = sum(report.seconds for report in reports)
    machine = reports[-1].machine if reports else {}
    lines += [
        "",
        "FRANK r: partial Pearson with people, the system held fixed. XSumFaith, SummEdits: balanced accuracy. "
        "VitaminC order: how often the supporting evidence scores above the refuting one; both right: with one "
        "threshold. Left without source: the share of the skill that remains. A dash: that part was not asked, or the "
        "figure is not defined.",
        "",
        (f"Judge: {', '.join(f'`{model}`' for model in models)}. " if models else "")
        + f"Made by `python benchmarks/prove.py` in {total / 60:,.0f} minutes on {machine.get('processors')} "
        f"processors ({machine.get('processor')}); seconds and pairs a second are of that machine, which may have been "
        "busy.",
    ]
    return MADE + "\n".join(lines) + "\n"


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with writing(os.fspath(path)) as file:
        file.write(data)


if __name__ == "__main__":
    main()
