"""The report's drawings: small SVG written by hand, narrow enough for a phone; nothing hangs on colour alone."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from aver.prove._report import Chart, Value

__all__ = ["drawn"]

WIDTH = 320
"""Units across; the text is 11 of them high, so that a phone shows it at about its own size."""


def drawn(chart: Chart) -> str:
    """The chart as an SVG element with its description.

    >>> drawn(Chart("bars", "Two", "a is 1, b is 2", (("a", 1.0, None, None), ("b", 2.0, None, None))))[:60]
    '<svg class="plot" viewBox="0 0 320 76" role="img" aria-label'
    """
    return _reliability(chart) if chart.kind == "reliability" else _lanes(chart)


def _lanes(chart: Chart) -> str:
    """A lane for each row: its name above, a bar or a dot with its interval below, the number at the end."""
    step, top = 34, 4
    height = top + step * len(chart.rows) + 4
    left, right = 8, WIDTH - 58
    ends = [_float(v) for row in chart.rows for v in row[1:4] if v is not None]
    low, high = min([chart.base, *ends]), max([chart.base, *ends])

    def at(value: float) -> float:
        return left + (right - left) * (value - low) / ((high - low) or 1)

    parts = []
    for i, row in enumerate(chart.rows):
        name, value = str(row[0]), _float(row[1])
        begins, stops = (row[2], row[3]) if len(row) > 3 else (None, None)
        y = top + i * step
        ours = bool(chart.mark) and (name == chart.mark or name.endswith(f": {chart.mark}"))
        kind = ' class="ours"' if ours else ""
        parts.append(f'<text{kind} x="{left}" y="{y + 11}">{escape(_short(name))}</text>')
        sign = f"{value:+.3f}" if chart.kind == "bars" else f"{value:.3f}"
        parts.append(f'<path class="axis" d="M{at(chart.base):.1f} {y + 14}v16"/>')
        parts.append(f'<text{kind} x="{WIDTH - 4}" y="{y + 26}" text-anchor="end">{sign}</text>')
        span = ""
        if begins is not None and stops is not None:
            line = f"M{at(_float(begins)):.1f} {y + 22}H{at(_float(stops)):.1f}"
            span = f'<path class="halo" d="{line}"/><path class="line" d="{line}"/>'
        if chart.kind == "bars":
            start, end = sorted((at(chart.base), at(value)))
            size = f'width="{max(end - start, 0.5):.1f}" height="12"'
            parts.append(f'<rect class="bar" x="{start:.1f}" y="{y + 16}" {size}/>{span}')
        else:
            # ours is a filled square, the others open circles: told apart without colour
            mark = (
                f'<rect class="mine" x="{at(value) - 4.5:.1f}" y="{y + 17.5}" width="9" height="9"/>'
                if ours
                else f'<circle class="dot" cx="{at(value):.1f}" cy="{y + 22}" r="4"/>'
            )
            parts.append(span + mark)
    return _svg(height, chart.alt, parts)


def _reliability(chart: Chart) -> str:
    """Share of consistent rows against the mean score of each bin; a dot is as large as its bin is full."""
    height, left, bottom, top, right = 262, 38, 36, 8, 12
    wide, tall = WIDTH - left - right, height - top - bottom

    def place(x: Value, y: Value) -> tuple[float, float]:
        return left + wide * _float(x), top + tall * (1 - _float(y))

    start, end = place(0, 0), place(1, 1)
    parts = [
        f'<path class="axis" d="M{left} {top}V{height - bottom}H{WIDTH - right}"/>',
        f'<path class="ideal" d="M{start[0]:.1f} {start[1]:.1f}L{end[0]:.1f} {end[1]:.1f}"/>',
    ]
    most = max((_float(row[3]) for row in chart.rows), default=1.0)
    points = [place(row[1], row[2]) for row in chart.rows]
    if len(points) > 1:
        parts.append('<path class="line" d="M' + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + '"/>')
    for (x, y), row in zip(points, chart.rows, strict=True):
        size = 3 + 6 * (_float(row[3]) / most) ** 0.5
        told = f"score {row[0]}: {_float(row[2]):.2f} consistent, n = {row[3]}"
        spot = f'cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}"'
        parts.append(f'<circle class="dot" {spot}><title>{escape(told)}</title></circle>')
    for value in (0, 0.5, 1):
        x, y = place(value, value)
        parts.append(f'<text x="{x:.0f}" y="{height - bottom + 14}" text-anchor="middle">{value:g}</text>')
        parts.append(f'<text x="{left - 5}" y="{y + 4:.0f}" text-anchor="end">{value:g}</text>')
    middle = top + tall // 2
    parts.append(f'<text x="{left + wide / 2:.0f}" y="{height - 6}" text-anchor="middle">mean score of the bin</text>')
    parts.append(f'<text transform="translate(10 {middle}) rotate(-90)" text-anchor="middle">share consistent</text>')
    return _svg(height, chart.alt, parts)


def _svg(height: int, alt: str, parts: Sequence[str]) -> str:
    inside = "".join(parts)
    return f'<svg class="plot" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(alt)}">{inside}</svg>'


def _float(value: Value) -> float:
    assert isinstance(value, (int, float))
    return float(value)


def _short(name: str, most: int = 46) -> str:
    return name if len(name) <= most else name[: most - 1].rstrip() + "…"
