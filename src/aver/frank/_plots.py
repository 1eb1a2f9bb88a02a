"""Plots as files: bars of the ablation, dots with intervals, a metric against people. SVG, PNG or PDF.

Colours are Okabe and Ito's, chosen for colour-blind readers; every series also has its own hatching or marker, and
the colours differ in lightness, so the plots can be read in grey.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from aver.errors import InputError, MissingExtra, count_of
from aver.frank._ablation import Ablation
from aver.frank._benchmark import Benchmark
from aver.frank._correlation import Correlation, control_name, partial_values
from aver.frank._style import COLOURS, pretty, shortened
from aver.frank._svg_bars import grouped_bars
from aver.records import writing

__all__ = ["check_plot", "plot_ablation", "plot_correlations", "plot_scatter"]

HATCHES = ("", "///", "...", "xxx", "\\\\\\", "++", "oo", "--")
MARKERS = ("o", "s", "^", "D")
LABEL = 32  # characters of a name


def plot_ablation(found: Ablation, path: str | os.PathLike[str], *, title: str = "") -> None:
    """As in FRANK's paper: for every metric a bar for each category's contribution; whiskers where resampled.

    An SVG is written directly and needs no plotting library; PNG and PDF are drawn with matplotlib.

    >>> import tempfile
    >>> from aver.frank import ablate, load_example
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_ablation(ablate(load_example()), f"{folder}/bars.svg", title="What each metric notices")
    ...     Path(f"{folder}/bars.svg").read_text()[:4]
    '<svg'
    """
    if Path(path).suffix.lower() == ".svg":
        with writing(path) as file:
            file.write(grouped_bars(found, title=title).encode())
        return
    figure, axes = _figure(max(6.0, 1.0 * len(found.metrics) + 1.5), 4.2, path)
    width = 0.8 / len(found.categories)
    for i, category in enumerate(found.categories):
        rows = [found.contribution(metric, category) for metric in found.metrics]
        places = np.arange(len(rows)) + (i - (len(found.categories) - 1) / 2) * width
        heights = [row.contribution or 0.0 for row in rows]
        axes.bar(
            places,
            heights,
            width,
            label=pretty(category),
            color=COLOURS[i % len(COLOURS)],
            hatch=HATCHES[(i + i // len(COLOURS)) % len(HATCHES)],  # a ninth category: the first colour, other marks
            edgecolor="black",
            linewidth=0.6,
        )
        whiskers = [(p, r) for p, r in zip(places, rows, strict=True) if r.low is not None and r.high is not None]
        for place, row in whiskers:
            # black within white: to be seen on dark bars and on paper
            axes.plot([place, place], [row.low, row.high], color="white", linewidth=2.6, solid_capstyle="butt")
            axes.plot([place, place], [row.low, row.high], color="black", linewidth=1)
    axes.axhline(0, color="black", linewidth=0.8)
    labels = [shortened(name, LABEL) for name in found.metrics]
    axes.set_xticks(np.arange(len(labels)), labels, rotation=30, ha="right")
    axes.set_ylabel(f"contribution to {found.method} r")
    axes.legend(frameon=False, fontsize=9, ncols=min(4, len(found.categories)), loc="lower left", bbox_to_anchor=(0, 1))
    _save(figure, path, title)


def plot_correlations(rows: Sequence[Correlation], path: str | os.PathLike[str], *, title: str = "") -> None:
    """Every metric's correlation as a dot with its interval, best on top; one marker a method."""
    methods = list(dict.fromkeys(row.method for row in rows))
    first = {row.metric: row.r for row in rows if row.method == methods[0]}
    metrics = sorted(first, key=lambda name: -9.0 if first[name] is None else float(first[name] or 0.0))
    figure, axes = _figure(6.4, 0.9 + 0.38 * len(metrics), path)
    for i, method in enumerate(methods):
        shift = ((len(methods) - 1) / 2 - i) * 0.22
        for row in rows:
            if row.method != method or row.r is None:
                continue
            y = metrics.index(row.metric) + shift
            low, high = (row.low, row.high) if row.low is not None else (row.analytic_low, row.analytic_high)
            if low is not None and high is not None:
                # colour within black: yellow alone is hard to see on paper
                axes.plot([low, high], [y, y], color="black", linewidth=2.4)
                axes.plot([low, high], [y, y], color=COLOURS[i], linewidth=1.4)
            axes.plot(row.r, y, MARKERS[i], color=COLOURS[i], markersize=6, markeredgecolor="black",
                      markeredgewidth=0.5)  # fmt: skip
        axes.plot([], [], MARKERS[i], color=COLOURS[i], markeredgecolor="black", label=method)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_yticks(range(len(metrics)), [shortened(name, LABEL) for name in metrics])
    axes.set_xlabel("correlation with people, 95% interval" if rows[0].level == 0.95 else "correlation with people")
    if len(methods) > 1:
        axes.legend(frameon=False, fontsize=9, ncols=len(methods), loc="lower left", bbox_to_anchor=(0, 1))
    _save(figure, path, title)


def plot_scatter(
    benchmark: Benchmark,
    metric: str,
    path: str | os.PathLike[str],
    *,
    human: str | None = None,
    control: str | Sequence[str] | None = "system",
    title: str = "",
) -> None:
    """One metric against people, both less their group's mean: what the partial correlation looks at."""
    scores, people, codes = benchmark.metric_scores(metric), benchmark.human_scores(human), benchmark.codes(control)
    keep = np.isfinite(scores) & np.isfinite(people)
    if keep.sum() < 2:
        raise InputError(f"{metric!r} and the human scores share {count_of(int(keep.sum()), 'row')}: nothing to draw")
    x, y = (partial_values(v[keep], codes[keep], "pearson") for v in (scores, people))
    figure, axes = _figure(4.6, 4.0, path)
    axes.plot(x, y, "o", color=COLOURS[0], markersize=3, alpha=0.35, markeredgewidth=0)
    if np.ptp(x) > 0:
        slope, height = np.polyfit(x, y, 1)
        ends = np.array([x.min(), x.max()])
        axes.plot(ends, slope * ends + height, color="black", linewidth=1.5)
    less = ", less its group's mean" if control_name(control) else ""
    axes.set_xlabel(shortened(metric, LABEL) + less)
    axes.set_ylabel(shortened(human or benchmark.main_human, LABEL) + less)
    _save(figure, path, title)


def check_plot(path: str | os.PathLike[str] | None) -> None:
    """Says what is wrong with a plot's name before the work for it is done."""
    if path is not None and Path(path).suffix.lower() not in (".svg", ".png", ".pdf"):
        raise InputError(f"{path}: a plot's name ends in .svg, .png or .pdf")
    if path is not None and not Path(path).absolute().parent.is_dir():
        raise InputError(f"{path}: cannot be written: there is no folder {Path(path).parent}")


def _figure(width: float, height: float, path: str | os.PathLike[str]) -> tuple[Any, Any]:
    check_plot(path)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("plots", "matplotlib") from None
    # a Figure of its own, never pyplot: no window system, no state left behind
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure, axes


def _save(figure: Any, path: str | os.PathLike[str], title: str) -> None:
    import matplotlib

    if title:
        figure.suptitle(title, fontsize=8, x=0.01, ha="left", wrap=True)
    # text stays text, and ids and dates do not change from run to run
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "aver"}), writing(path) as file:
        kind = Path(path).suffix.lower()[1:]
        nothing: dict[str, None] = {"Date": None} if kind == "svg" else {"CreationDate": None} if kind == "pdf" else {}
        figure.savefig(file, format=kind, dpi=200, metadata=nothing or None)
