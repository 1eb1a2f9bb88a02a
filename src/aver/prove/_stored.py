"""Figures of proofs that were made, kept with the package: what a metric's card shows of them."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from importlib import resources
from typing import Any

import orjson

from aver.errors import InputError
from aver.prove._markdown import written
from aver.prove._report import Report

__all__ = ["HEADLINES", "headline", "stored_figures", "stored_names", "trust_section"]

HEADLINES: tuple[tuple[str, str, str], ...] = (
    ("frank", "pearson", "FRANK, partial Pearson with people, all rows"),
    ("frank", "pearson_cnndm", "FRANK, CNN/DM"),
    ("frank", "pearson_xsum", "FRANK, XSum"),
    ("frank", "baselines_beaten", "FRANK's ten baselines it beats beyond chance"),
    ("qags", "pearson_cnndm", "QAGS CNN/DM, Pearson"),
    ("qags", "pearson_xsum", "QAGS XSum, Pearson"),
    ("summeval", "pearson", "SummEval, Pearson"),
    ("summeval", "summary_spearman", "SummEval, Spearman within documents"),
    ("xsumfaith", "balanced_accuracy", "XSumFaith, balanced accuracy"),
    ("summedits", "balanced_accuracy", "SummEdits, balanced accuracy"),
    ("vitaminc", "order_rate", "VitaminC, supporting evidence scores higher"),
    ("vitaminc", "flip_rate", "VitaminC, both verdicts right"),
    ("sample", "auc", "Built-in sample, AUC"),
    ("reading", "kept_without_source", "Skill left without the source"),
    ("calibration", "ece", "Calibration error (ECE) on VitaminC"),
    ("calibration", "brier", "Brier score on VitaminC"),
    ("repeat", "largest_difference", "Largest difference between repeats"),
    ("edges", "as_wanted", "Odd inputs that end as they should"),
    ("speed", "short_per_s", "Short pairs a second"),
    ("speed", "long_s", "Seconds for 800 words and three sentences"),
    ("speed", "peak_mb", "Peak memory, MB"),
)
"""What a card shows: the part, the figure, and its name for people."""


def headline(report: Report) -> dict[str, Any]:
    """What is kept of a report: who was proved, on how much, and the figures a card shows."""
    done = {part.name: part for part in report.parts if part.status == "done"}
    return {
        "metric": report.metric,
        "model": report.model,
        "version": report.version,
        "limit": report.settings.get("limit"),
        "seed": report.settings.get("seed"),
        "command": report.command,
        "figures": {
            f"{part}.{name}": done[part].figures[name]
            for part, name, _ in HEADLINES
            if part in done and name in done[part].figures
        },
        "n": {name: part.n for name, part in done.items()},
    }


@functools.cache
def _stored() -> Mapping[str, dict[str, Any]]:
    file = resources.files("aver.prove").joinpath("trust.json")
    if not file.is_file():
        return {}
    kept = orjson.loads(file.read_bytes())
    return {entry["metric"]: entry for entry in kept["metrics"]}


def stored_names() -> tuple[str, ...]:
    """The metrics whose figures are kept.

    >>> "rouge-l" in stored_names()
    True
    """
    return tuple(_stored())


def stored_figures(metric: str) -> dict[str, Any] | None:
    """The kept figures of a metric, or None where it was not proved.

    >>> figures = stored_figures("rouge-l")["figures"]
    >>> 0 < figures["frank.pearson"] < 1, figures["repeat.largest_difference"]
    (True, 0.0)
    >>> stored_figures("nobody's metric") is None
    True
    """
    return _stored().get(metric)


def trust_section(metric: str | None = None, *, level: int = 2) -> str:
    """A section for a card, as Markdown: the kept figures of a metric, or of all metrics side by side.

    >>> print(trust_section("rouge-l").splitlines()[0])
    ## Does it deserve trust?
    """
    entries = list(_stored().values())
    if metric is not None:
        kept = stored_figures(metric)
        if kept is None:
            raise InputError(f"no proof of {metric!r} is kept; there are: {', '.join(stored_names())}")
        entries = [kept]
    lines = [f"{'#' * level} Does it deserve trust?", ""]
    if len(entries) == 1:
        [kept] = entries
        model = f", model `{kept['model']}`" if kept["model"] else ""
        page = f"[the whole report](../trust/{slug(kept['metric'])}.md)"
        lines.append(f"From `{kept['command']}` ({_rows(kept)}{model}); {page}.")
    else:
        lines.append("From `aver prove NAME` for each; [the whole reports](../trust/README.md) say how they were made.")
    names = [entry["metric"] if len(entries) > 1 else "value" for entry in entries]
    lines += ["", f"| figure | {' | '.join(names)} |", f"|---|{'---:|' * len(names)}"]
    if len(entries) > 1:
        lines.append(f"| rows of each data set | {' | '.join(_few(entry) for entry in entries)} |")
    for part, name, title in HEADLINES:
        values = [entry["figures"].get(f"{part}.{name}") for entry in entries]
        if any(f"{part}.{name}" in entry["figures"] for entry in entries):
            lines.append(f"| {title} | {' | '.join(written(value) for value in values)} |")
    return "\n".join(lines) + "\n"


def _rows(kept: dict[str, Any]) -> str:
    limit = kept["limit"]
    return "every row of each data set" if limit is None else f"samples of about {limit:,} rows, seed {kept['seed']}"


def _few(kept: dict[str, Any]) -> str:
    return "all" if kept["limit"] is None else f"about {kept['limit']:,}"


def slug(metric: str) -> str:
    """What a metric's report is called as a file.

    >>> slug("rouge-l"), slug("mine.py:score")
    ('rouge-l', 'mine.py-score')
    """
    return "".join(c if c.isalnum() or c in "._-" else "-" for c in metric)
