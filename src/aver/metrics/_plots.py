"""The pictures: confusion matrices, reliability, risk against coverage.

Readable in grey and by colour-blind people: lightness carries the values, and lines differ in dash and mark
as well as in colour. The same input gives the same bytes: no date, no random ids, fonts that come with
matplotlib.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from aver.errors import InputError, MissingExtra
from aver.metrics._calibration import CalibrationReport
from aver.metrics._classification import ClassificationReport
from aver.records import writing

__all__ = ["check_plot", "plot_confusion", "plot_reliability", "plot_risk_coverage"]

# Okabe and Ito's colours that differ most in lightness, with a dash and a mark each.
LINES = (("#0072B2", "-", "o"), ("#D55E00", "--", "s"), ("#000000", ":", "^"), ("#56B4E9", "-.", "D"))
STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "svg.hashsalt": "aver",
    "figure.facecolor": "white",
}


def plot_confusion(
    path: str | os.PathLike[str], reports: Sequence[ClassificationReport], *, titles: Sequence[str] = ()
) -> None:
    """Row-normalised confusion matrices side by side, as SVG or PNG by the file's ending."""
    most = max(len(report.labels) for report in reports)
    side = min(max(1.15 * most, 3.4), 24.0)
    with _figure(path, width=(side + 1.5) * len(reports), height=side + 1.0) as figure:
        for number, report in enumerate(reports):
            axes = figure.add_subplot(1, len(reports), number + 1)
            shares = [[share or 0.0 for share in row] for row in report.confusion_normalised]
            axes.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="equal")
            names = ["NOT\nENOUGH INFO" if label == "NOT_ENOUGH_INFO" else label for label in report.labels]
            axes.set_xticks(range(len(names)), names, fontsize=8, rotation=90 if most > 8 else 0)
            axes.set_yticks(range(len(names)), names, fontsize=8)
            axes.set_xlabel("predicted")
            axes.set_ylabel("gold")
            axes.tick_params(length=0)
            axes.spines[:].set_visible(False)
            if most <= 30:  # beyond that the texts would run into each other
                _write_cells(axes, report)
            axes.set_title(_title(titles, number, f"accuracy {report.accuracy:.1%}, n = {report.n:,}"))


def _write_cells(axes: Any, report: ClassificationReport) -> None:
    for row, (counts, shares) in enumerate(zip(report.confusion, report.confusion_normalised, strict=True)):
        for column, (count, share) in enumerate(zip(counts, shares, strict=True)):
            text = "–" if share is None else f"{share:.1%}\n{count:,}"
            colour = "white" if share is not None and share > 0.55 else "black"
            axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=9)


def plot_reliability(
    path: str | os.PathLike[str], reports: Sequence[CalibrationReport], *, titles: Sequence[str] = ()
) -> None:
    """Accuracy against confidence, bin by bin, above the number of rows in each bin."""
    with _figure(path, width=4.4 * len(reports) + 0.3, height=5.2) as figure:
        grid = figure.add_gridspec(2, len(reports), height_ratios=[3, 1])
        for number, report in enumerate(reports):
            axes = figure.add_subplot(grid[0, number])
            below = figure.add_subplot(grid[1, number], sharex=axes)
            filled = [b for b in report.bins if b.accuracy is not None]
            places, widths = [b.low for b in filled], [b.high - b.low for b in filled]
            accuracy = [b.accuracy for b in filled]
            style = {"align": "edge", "edgecolor": "black", "linewidth": 0.6}
            axes.bar(places, accuracy, widths, color="#9ecae1", label="accuracy in the bin", **style)
            axes.plot([0, 1], [0, 1], "--", color="black", linewidth=1, label="perfectly calibrated")
            confidence = [b.confidence for b in filled]
            axes.plot(confidence, accuracy, "o", color="black", markersize=4, clip_on=False, zorder=5,
                      label="at the bin's mean confidence")  # fmt: skip
            axes.set_xlim(0, 1)
            axes.set_ylim(0, 1)
            axes.set_ylabel("accuracy")
            axes.legend(loc="upper left", fontsize=8, framealpha=0.9, edgecolor="none")
            kind = f"{len(report.bins)} bins of equal {report.binning}"
            axes.set_title(_title(titles, number, f"ECE {report.ece:.3f} ({kind}), n = {report.n:,}"))
            below.bar(places, [b.n for b in filled], widths, color="#bdbdbd", **style)
            below.set_xlabel("confidence in the predicted label")
            below.set_ylabel("rows")


def plot_risk_coverage(
    path: str | os.PathLike[str], reports: Sequence[CalibrationReport], *, titles: Sequence[str] = ()
) -> None:
    """The error rate among the most confident share of rows, against that share."""
    with _figure(path, width=5.4, height=4.0) as figure:
        axes = figure.add_subplot()
        top = 0.0
        for number, report in enumerate(reports):
            colour, dash, mark = LINES[number % len(LINES)]
            # Long curves are drawn at 500 evenly spaced coverages: nobody can see more, and the file stays small.
            count = min(report.n, 500)
            places = [report.n * (step + 1) // count for step in range(count)]
            risk = [report.risk[place - 1] for place in places]
            top = max(top, *risk)
            label = f"AURC {report.aurc:.3f}"
            if number < len(titles):
                label = f"{titles[number]}: {label}"
            coverage = [place / report.n for place in places]
            axes.plot(coverage, risk, color=colour, linestyle=dash, marker=mark, markevery=max(count // 8, 1),
                      markersize=4, linewidth=1.6, label=label)  # fmt: skip
        axes.set_xlim(0, 1)
        axes.set_ylim(0, min(1.0, top * 1.15) or 1.0)
        axes.set_xlabel("coverage: share of rows answered, the most confident first")
        axes.set_ylabel("risk: share of wrong answers")
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.legend(fontsize=9, framealpha=0.9, edgecolor="none", loc="best")


def check_plot(path: str | os.PathLike[str]) -> str:
    """`svg` or `png`, by the file's ending; so that a wrong one is told before any work is done."""
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in ("svg", "png"):
        raise InputError(f"{os.fspath(path)}: a plot is written as .svg or .png; end the file's name with one of them")
    return ending


def _title(titles: Sequence[str], number: int, figures: str) -> str:
    return f"{titles[number]}\n{figures}" if number < len(titles) else figures


@contextlib.contextmanager
def _figure(path: str | os.PathLike[str], *, width: float, height: float) -> Iterator[Any]:
    """A figure in our style, written when the block ends without an error."""
    ending = check_plot(path)
    try:
        from matplotlib import rc_context
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("plots", "matplotlib") from None
    nothing = {"Date": None, "Creator": None} if ending == "svg" else {"Software": None}
    with rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(figure)
        yield figure
        with writing(path) as file:
            figure.savefig(file, format=ending, dpi=150, metadata=nothing)
