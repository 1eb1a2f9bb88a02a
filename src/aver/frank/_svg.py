"""The drawings of the leaderboard page: small SVG written by hand, so that the page needs nothing else.

They are narrow (320 units) with text of 11 units: on a phone they are shown at about their own size and can be
read. Colours come from the page's CSS classes and follow its light or dark theme; every bar carries its name, so
nothing hangs on colour alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

import numpy as np

from aver.frank._ablation import Contribution
from aver.frank._benchmark import Floats
from aver.frank._style import pretty

__all__ = ["bars", "interval_bar", "scatter"]

WIDTH = 320
MOST_DOTS = 3000


def interval_bar(r: float, low: float | None, high: float | None, reach: tuple[float, float]) -> str:
    """A dot with its interval on a scale shared by all rows; a tick marks zero."""

    def at(value: float) -> float:
        return round(2 + 96 * (value - reach[0]) / ((reach[1] - reach[0]) or 1), 1)

    zero = f'<path class="zero" d="M{at(0)} 0V12"/>' if reach[0] <= 0 <= reach[1] else ""
    line = "" if low is None or high is None else f'<path class="line" d="M{at(low)} 6H{at(high)}"/>'
    dot = f'<circle class="dot" cx="{at(r)}" cy="6" r="3"/>'
    return f'<svg class="ci" viewBox="0 0 100 12" aria-hidden="true">{zero}{line}{dot}</svg>'


def scatter(x: Floats, y: Floats, *, label_x: str, label_y: str, alt: str) -> str:
    """Dots and the least-squares line; dots are zero-length strokes with round ends, ten bytes each."""
    height, left, bottom, top, right = 220, 40, 36, 8, 8
    note = ""
    if len(x) > MOST_DOTS:
        chosen = np.linspace(0, len(x) - 1, MOST_DOTS).astype(int)
        note = f" ({MOST_DOTS:,} of {len(x):,} rows drawn)"
    else:
        chosen = np.arange(len(x))
    low_x, high_x, low_y, high_y = *_ends(x), *_ends(y)

    def across(value: Floats | float) -> Floats:
        return np.asarray(left + (WIDTH - left - right) * (value - low_x) / (high_x - low_x))

    def up(value: Floats | float) -> Floats:
        return np.asarray(height - bottom - (height - bottom - top) * (value - low_y) / (high_y - low_y))

    # dots on the same spot become one, larger by how many there are: otherwise a thousand rows look like one
    spots = Counter(zip(np.rint(across(x[chosen])), np.rint(up(y[chosen])), strict=True))
    parts = []
    for size, (least, most) in enumerate(((1, 2), (3, 7), (8, 24), (25, MOST_DOTS))):
        path = "".join(f"M{a:.0f} {b:.0f}h0" for (a, b), n in sorted(spots.items()) if least <= n <= most)
        parts += [f'<path class="dots s{size}" d="{path}"/>'] if path else []
    if float(np.ptp(x)) > 0:
        slope, base = np.polyfit(x, y, 1)
        ends = np.clip(np.array([slope * low_x + base, slope * high_x + base]), low_y, high_y)
        parts.append(
            f'<path class="fit" d="M{across(low_x):.1f} {up(float(ends[0])):.1f}'
            f'L{across(high_x):.1f} {up(float(ends[1])):.1f}"/>'
        )
    parts.append(f'<path class="axis" d="M{left} {top}V{height - bottom}H{WIDTH - right}"/>')
    for value, anchor in ((low_x, "start"), (high_x, "end")):
        parts.append(
            f'<text x="{across(value):.0f}" y="{height - bottom + 13}" text-anchor="{anchor}">{value:.3g}</text>'
        )
    for value in (low_y, high_y):
        place = min(max(float(up(value)) + 4, top + 8), height - bottom)
        parts.append(f'<text x="{left - 4}" y="{place:.0f}" text-anchor="end">{value:.2g}</text>')
    middle = (height - bottom + top) // 2
    parts.append(
        f'<text x="{(left + WIDTH) // 2}" y="{height - 8}" text-anchor="middle">{escape(label_x + note)}</text>'
    )
    parts.append(f'<text transform="translate(11 {middle}) rotate(-90)" text-anchor="middle">{escape(label_y)}</text>')
    return _svg("plot", height, alt, parts)


def bars(rows: Sequence[Contribution], *, reach: tuple[float, float], alt: str) -> str:
    """A bar for each category's contribution, with its name, its number and its interval."""
    step, top = 34, 4
    height = top + step * len(rows) + 4
    left, right = 8, WIDTH - 62

    def at(value: float) -> float:
        return left + (right - left) * (value - reach[0]) / ((reach[1] - reach[0]) or 1)

    parts = []
    for i, row in enumerate(rows):
        y = top + i * step
        value = row.contribution
        parts.append(f'<text x="{left}" y="{y + 10}">{escape(pretty(row.category))}</text>')
        shown = "not defined" if value is None else f"{value:+.3f}"
        parts.append(f'<text x="{WIDTH - 4}" y="{y + 25}" text-anchor="end">{shown}</text>')
        if value is None:
            continue
        parts.append(f'<path class="axis" d="M{at(0):.1f} {y + 13}v16"/>')
        start, end = sorted((at(0), at(value)))
        parts.append(
            f'<rect class="bar k{i % 3}" x="{start:.1f}" y="{y + 15}" width="{max(end - start, 0.5):.1f}" height="12"/>'
        )
        if row.low is not None and row.high is not None:
            parts.append(f'<path class="halo" d="M{at(row.low):.1f} {y + 21}H{at(row.high):.1f}"/>')
            parts.append(f'<path class="whisker" d="M{at(row.low):.1f} {y + 21}H{at(row.high):.1f}"/>')
    return _svg("plot", height, alt, parts)


def _ends(values: Floats) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    return (low, high) if high > low else (low - 1, high + 1)


def _svg(kind: str, height: int, alt: str, parts: Sequence[str]) -> str:
    inside = "".join(parts)
    return f'<svg class="{kind}" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(alt)}">{inside}</svg>'
