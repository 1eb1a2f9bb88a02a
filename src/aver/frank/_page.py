"""The leaderboard as HTML: one file, no network, readable on a phone, sortable by a few lines of script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["page", "table"]

# nothing may be fetched: the page says so itself, and the browser holds it to that
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"

_STYLE = r"""
:root{--ink:#1a1a1a;--soft:#5a5a5a;--paper:#fff;--line:#d5d5d5;--shade:#f4f5f7;--one:#0072b2;--two:#e69f00;
--three:#999}
@media (prefers-color-scheme:dark){:root{--ink:#eee;--soft:#aaa;--paper:#16181c;--line:#3a3d44;--shade:#22252b;
--one:#56b4e9;--two:#e69f00;--three:#888}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:70rem;padding:1rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);
background:var(--paper)}
h1,h2,h3,p,li{overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.2;margin:.5rem 0}h2{font-size:1.25rem;margin:2rem 0 .5rem}
h3{font-size:1.05rem;margin:0}p{margin:.4rem 0;max-width:46rem}.soft{color:var(--soft)}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:6px}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.45rem .6rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap;
vertical-align:top}
tr:last-child>*{border-bottom:0}
.pairs th:nth-child(2),.pairs td:nth-child(2){text-align:left;white-space:normal;min-width:6.5rem}
th:first-child,td:first-child{text-align:left;position:sticky;left:0;background:var(--paper);white-space:normal;
min-width:6.5rem}
thead th{background:var(--shade)}thead th:first-child{background:var(--shade)}
th button{font:inherit;font-weight:600;color:inherit;background:none;border:0;padding:.3rem 0;cursor:pointer}
th button::after{content:"\00a0↕";content:"\00a0↕" / "";color:var(--soft)}
th[aria-sort=ascending] button::after{content:"\00a0↑";content:"\00a0↑" / ""}
th[aria-sort=descending] button::after{content:"\00a0↓";content:"\00a0↓" / ""}
small{display:block;color:var(--soft);font-size:.8rem}
a{color:inherit}.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr));gap:1rem}
.card{border:1px solid var(--line);border-radius:6px;padding:.8rem;min-width:0}
svg{display:block;width:100%;height:auto;fill:currentColor;font:11px system-ui,sans-serif}
svg.ci{width:6rem;margin-left:auto}svg.plot{max-width:26rem}
.zero,.axis{stroke:var(--soft);fill:none;stroke-width:1}.line,.whisker{stroke:var(--ink);fill:none;stroke-width:1.6}
.halo{stroke:var(--paper);fill:none;stroke-width:4}.dot{fill:var(--one);stroke:var(--ink);stroke-width:.8}
.dots{stroke:var(--one);stroke-linecap:round;stroke-opacity:.5;fill:none}
.s0{stroke-width:2.6}.s1{stroke-width:4}.s2{stroke-width:6}.s3{stroke-width:9}
.fit{stroke:var(--ink);stroke-width:1.8;fill:none}.bar{stroke:var(--ink);stroke-width:.6}
.k0{fill:var(--one)}.k1{fill:var(--two)}.k2{fill:var(--three)}
details{border:1px solid var(--line);border-radius:6px;padding:.5rem .8rem;margin:.8rem 0}summary{cursor:pointer}
details .scroll{margin-top:.6rem}
dt{font-weight:600;margin-top:.6rem}dd{margin:0;overflow-wrap:anywhere}
code{font:.85em ui-monospace,monospace;overflow-wrap:anywhere}
@media (max-width:30rem){body{padding:.6rem}.card{padding:.5rem}
th,td{padding:.4rem .35rem}th:first-child,td:first-child{min-width:5.4rem}
small{font-size:.7rem}svg.ci{width:5.4rem}}
@media print{.scroll{overflow:visible}details{break-inside:avoid}.card{break-inside:avoid}}
"""

_SCRIPT = """
document.querySelectorAll('table.sortable').forEach(function (table) {
  table.querySelectorAll('thead button').forEach(function (button, column) {
    button.addEventListener('click', function () {
      var head = button.parentElement, body = table.tBodies[0], rows = Array.from(body.rows);
      var down = head.getAttribute('aria-sort') ? head.getAttribute('aria-sort') === 'ascending'
                                                : head.dataset.first === 'down';
      table.querySelectorAll('th').forEach(function (th) { th.removeAttribute('aria-sort'); });
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      function value(row) {
        var text = row.cells[column].dataset.value, number = Number(text);  // "3-gram overlap" is no number
        return text === '' || isNaN(number) ? text : number;
      }
      rows.sort(function (a, b) {
        var x = value(a), y = value(b);
        if (x === '' || y === '') { return (x === '') - (y === ''); }  // what is not defined stays below
        var order = typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y));
        return down ? -order : order;
      });
      rows.forEach(function (row) { body.appendChild(row); });
    });
  });
});
"""

Cell = tuple[str, str]
"""What a cell shows (HTML) and what it is sorted by."""


def table(
    heads: Sequence[tuple[str, str]], rows: Iterable[Sequence[Cell]], *, sorted_by: int | None = None, kind: str = ""
) -> str:
    """A sortable table; a head is its text and whether a first click sorts `up` or `down`; `kind` is for the style."""
    top = []
    for i, (text, first) in enumerate(heads):
        state = ' aria-sort="descending"' if i == sorted_by else ""
        top.append(f'<th scope="col" data-first="{first}"{state}><button type="button">{escape(text)}</button></th>')
    body = []
    for row in rows:
        cells = [f'<td data-value="{escape(value)}">{shown}</td>' for shown, value in row]
        body.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f'<div class="scroll"><table class="{f"sortable {kind}".strip()}"><thead><tr>{"".join(top)}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def page(title: str, parts: Iterable[str]) -> str:
    """The whole page around its parts."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body><main>{''.join(parts)}</main><script>{_SCRIPT}</script></body></html>\n"
    )
