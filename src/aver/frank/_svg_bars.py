"""The ablation's bars as one standing SVG file, written by hand: no plotting library to install or to wait for."""

from __future__ import annotations

import math
from html import escape

from aver.frank._ablation import Ablation
from aver.frank._style import COLOURS, pretty, shortened

__all__ = ["grouped_bars"]

PLOT, LEFT, TOP = 260, 64, 64  # the height of the bars' field, and the margins beside and above it
LETTER = 7.4  # about the width of one
LABEL = 32  # characters of a metric's name


def grouped_bars(found: Ablation, *, title: str = "") -> str:
    """For every metric a bar for each category's contribution, with whiskers where it was resampled."""
    kinds = len(found.categories)
    group = max(64, 14 * kinds + 18)
    names = [shortened(name, LABEL) for name in found.metrics]
    # the names stand aslant below their bars (30°): long ones need room to the left of the first bar and below all
    left = max(float(LEFT), *(0.87 * LETTER * len(name) - (m + 0.5) * group + 8 for m, name in enumerate(names)))
    height = TOP + PLOT + max(96, round(0.5 * LETTER * max(map(len, names))) + 32)
    width = left + group * len(names) + 12
    ends = [v for row in found.rows for v in (row.low, row.high, row.contribution) if v is not None]
    step = _step(min([0.0, *ends]), max([0.0, *ends]))
    low = step * math.floor(min([0.0, *ends]) / step)
    high = step * math.ceil(max([0.0, *ends, step / 2]) / step)

    def at(value: float) -> float:
        return TOP + PLOT * (high - value) / (high - low)

    parts = [f'<text x="8" y="16" font-size="11">{escape(title)}</text>' if title else ""]
    x = left
    for i, category in enumerate(found.categories):
        parts.append(f'<rect x="{x:.0f}" y="28" width="26" height="12" {_paint(i)}/>')
        parts.append(f'<text x="{x + 32:.0f}" y="39">{escape(pretty(category))}</text>')
        x += 52 + LETTER * len(pretty(category))
    for tick in range(round((high - low) / step) + 1):
        value = low + tick * step
        parts.append(f'<path d="M{left - 5:.1f} {at(value):.1f}h5"/>')
        parts.append(f'<text x="{left - 9:.1f}" y="{at(value) + 4:.1f}" text-anchor="end">{value:.2g}</text>')
    bar = (group - 16) / kinds
    for m, metric in enumerate(found.metrics):
        start = left + m * group + 8
        for i, category in enumerate(found.categories):
            row = found.contribution(metric, category)
            if row.contribution is None:
                continue
            top, foot = sorted((at(row.contribution), at(0)))
            parts.append(
                f'<rect x="{start + i * bar:.1f}" y="{top:.1f}" width="{bar:.1f}" height="{foot - top:.1f}" '
                f"{_paint(i)}>"
                f"<title>{escape(metric)}, {escape(pretty(category))}: {row.contribution:+.3f}</title></rect>"
            )
            if row.low is not None and row.high is not None:
                line = f"M{start + (i + 0.5) * bar:.1f} {at(row.low):.1f}V{at(row.high):.1f}"
                parts.append(
                    f'<path d="{line}" stroke="#fff" stroke-width="3.4"/><path d="{line}" stroke-width="1.2"/>'
                )
        middle = start + bar * kinds / 2
        parts.append(
            f'<text transform="translate({middle:.1f} {TOP + PLOT + 16}) rotate(-30)" text-anchor="end">'
            f"{escape(names[m])}</text>"
        )
    parts.append(f'<path d="M{left:.1f} {TOP}v{PLOT}M{left:.1f} {at(0):.1f}H{width - 4:.1f}"/>')
    parts.append(
        f'<text transform="translate({left - 49:.0f} {TOP + PLOT / 2:.0f}) rotate(-90)" text-anchor="middle">'
        f"contribution to {escape(found.method)} r</text>"
    )
    wide = math.ceil(max(width, x, 16 + 6.2 * len(title)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {height}" width="{wide}" height="{height}" '
        'font-family="DejaVu Sans, Verdana, sans-serif" font-size="13" role="img" '
        f'aria-label="Contribution of each kind of error to each metric">{_patterns(kinds)}'
        f'<rect width="{wide}" height="{height}" fill="#fff"/>'
        f'<g stroke="none">{"".join(p for p in parts if p.startswith("<text"))}</g>'
        f'<g fill="none" stroke="#000">{"".join(p for p in parts if not p.startswith("<text"))}</g></svg>\n'
    )


def _paint(i: int) -> str:
    return f'fill="url(#k{i})" stroke="#000" stroke-width="0.8"'


def _patterns(kinds: int) -> str:
    """A fill for each category: its colour, and over it marks of its own, so that they are told apart in grey."""
    marks = (
        "",
        "M0 8L8 0",
        "M2 2h.01M6 6h.01",
        "M0 8L8 0M0 0L8 8",
        "M0 0L8 8",
        "M4 0V8M0 4H8",
        "M4 4m-2 0a2 2 0 1 0 4 0a2 2 0 1 0 -4 0",
        "M0 4H8",
    )
    made = []
    for i in range(kinds):
        # beyond eight categories the colours begin again, with the next marks
        colour, mark = COLOURS[i % len(COLOURS)], marks[(i + i // len(COLOURS)) % len(marks)]
        ink = "#fff" if colour == "#333333" else "#000"
        made.append(
            f'<pattern id="k{i}" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8" '
            f'fill="{colour}"/><path d="{mark}" fill="none" stroke="{ink}" stroke-linecap="round" stroke-width="1.2"/>'
            "</pattern>"
        )
    return f"<defs>{''.join(made)}</defs>"


def _step(low: float, high: float) -> float:
    """A round distance between ticks: about six of them."""
    rough = max(high - low, 1e-6) / 6
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
