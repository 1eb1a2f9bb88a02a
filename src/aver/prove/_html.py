"""The report as one HTML file: nothing is fetched, it fits a phone, follows the dark theme, and can be read aloud."""

from __future__ import annotations

import os
from html import escape

from aver.errors import count_of
from aver.prove._charts import drawn
from aver.prove._markdown import is_numeric, written
from aver.prove._report import Part, Report, Table
from aver.records import writing

__all__ = ["html", "write_html"]

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

_STYLE = """
:root{--ink:#1b1b1b;--soft:#595959;--paper:#fff;--line:#d6d6d6;--shade:#f3f4f6;--one:#00639c;--two:#b35c00;
--good:#17692f;color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{--ink:#ededed;--soft:#adadad;--paper:#15171b;--line:#3b3e45;--shade:#21242a;
--one:#62b8ee;--two:#f0a94b;--good:#7fd69a}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:62rem;padding:1rem;font:16px/1.55 system-ui,sans-serif;color:var(--ink);
background:var(--paper)}
h1,h2,h3,p,li,dd{overflow-wrap:anywhere}
h1{font-size:1.7rem;line-height:1.2;margin:.4rem 0}h2{font-size:1.3rem;margin:0 0 .2rem}
h3{font-size:1rem;margin:1.2rem 0 .4rem}
p{margin:.45rem 0;max-width:46rem}.soft{color:var(--soft)}a{color:var(--one)}
.question{color:var(--soft);font-style:italic;margin:0}.finding{font-size:1.08rem}
section{border-top:1px solid var(--line);padding-top:1.2rem;margin-top:1.6rem}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:6px}
.scroll:focus-visible{outline:2px solid var(--one)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:.94rem}
caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
th,td{padding:.4rem .6rem;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}
tbody tr:last-child>*{border-bottom:0}
thead th{background:var(--shade);font-weight:600}td.n,th.n{text-align:right}td.n{white-space:nowrap}
tbody th{font-weight:400;min-width:6.5rem;position:sticky;left:0;background:var(--paper)}tr.ours>*{font-weight:700}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr));gap:1rem;margin:.8rem 0;
align-items:start}
figure{margin:0;border:1px solid var(--line);border-radius:6px;padding:.7rem;min-width:0}
figcaption{font-weight:600;font-size:.94rem;margin-bottom:.3rem}
svg{display:block;width:100%;max-width:26rem;height:auto;fill:currentColor;font:11px system-ui,sans-serif}
.axis{stroke:var(--soft);fill:none;stroke-width:1}.ideal{stroke:var(--soft);fill:none;stroke-dasharray:4 4}
.line{stroke:var(--ink);fill:none;stroke-width:1.6}.halo{stroke:var(--paper);fill:none;stroke-width:4}
.dot{fill:var(--paper);stroke:var(--one);stroke-width:2}.mine{fill:var(--two);stroke:var(--ink);stroke-width:.8}
.bar{fill:var(--one);stroke:var(--ink);stroke-width:.6}text.ours{font-weight:700}
details{margin:.7rem 0}summary{cursor:pointer;color:var(--soft)}
dt{font-weight:600;margin-top:.5rem}dd{margin:0}
code{font:.86em ui-monospace,monospace;overflow-wrap:anywhere}
.skipped{color:var(--soft)}
@media (max-width:30rem){body{padding:.7rem}th,td{padding:.35rem .4rem}table{font-size:.88rem}figure{padding:.5rem}}
@media print{.scroll{overflow:visible}figure,section{break-inside:avoid}}
"""


def html(report: Report) -> str:
    """The whole page.

    >>> from aver.prove import prove
    >>> report = prove(lambda texts, sources: [0.5] * len(texts), name="<half>", parts=["repeat"], resamples=0)
    >>> page = html(report)
    >>> page.startswith("<!doctype html>"), "&lt;half&gt;" in page, "<half>" in page
    (True, True, False)
    """
    title = f"Trust report: {report.metric}"
    body = [_head(report), _summary(report), *(_section(part, report) for part in report.parts), _made(report)]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body><main>{''.join(body)}</main></body></html>\n"
    )


def write_html(report: Report, path: str | os.PathLike[str]) -> None:
    """Writes the page, whole or not at all.

    >>> import pathlib, tempfile
    >>> from aver.prove import prove
    >>> report = prove(lambda texts, sources: [0.5] * len(texts), name="half", parts=["repeat"], resamples=0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_html(report, f"{folder}/half.html")
    ...     pathlib.Path(f"{folder}/half.html").read_text().endswith("</html>\\n")
    True
    """
    with writing(path) as file:
        file.write(html(report).encode())


def _head(report: Report) -> str:
    limit = report.settings.get("limit")
    taken = "every row of each data set" if limit is None else (
        f"samples of about {limit:,} rows of each data set, seed {report.settings.get('seed')}"
    )  # fmt: skip
    model = f" Model <code>{escape(report.model)}</code>." if report.model else ""
    what = f"<p>{escape(report.what)}</p>" if report.what else ""
    return (
        f"<h1>Trust report: {escape(report.metric)}</h1>{what}"
        f'<p class="soft">A {escape(report.kind)} metric.{model} Made by aver {escape(report.version)} from '
        f"{escape(taken)}, in {report.seconds:,.0f} s.</p>"
    )


def _summary(report: Report) -> str:
    rows = "".join(_found(part) for part in report.parts)
    return (
        '<nav aria-label="Findings"><div class="scroll" tabindex="0" role="region" aria-label="Findings">'
        "<table><caption>What was found, part by part</caption>"
        f'<thead><tr><th scope="col">Part</th><th scope="col">Finding</th></tr></thead><tbody>{rows}</tbody></table>'
        "</div></nav>"
    )


def _found(part: Part) -> str:
    title = escape(part.title)
    if part.status != "done":
        return f'<tr class="skipped"><th scope="row">{title}</th><td>skipped: {escape(part.reason)}</td></tr>'
    return f'<tr><th scope="row"><a href="#{part.name}">{title}</a></th><td>{escape(part.finding)}</td></tr>'


def _section(part: Part, report: Report) -> str:
    if part.status != "done":
        return ""
    charts = "".join(
        f"<figure><figcaption>{escape(chart.title)}</figcaption>{drawn(chart)}</figure>" for chart in part.charts
    )
    unscored = f"{part.unscored:,} of {count_of(part.n, 'row')} got no score." if part.unscored else ""
    notes = "".join(f"<li>{escape(note)}</li>" for note in (unscored, *part.notes) if note)
    files = "".join(f"<li>{escape(name)} <code>sha256 {escape(digest)}</code></li>" for name, digest in part.sources)
    return (
        f'<section id="{part.name}"><h2>{escape(part.title)}</h2>'
        f'<p class="question">{escape(part.question)}</p><p class="finding">{escape(part.finding)}</p>'
        + (f'<div class="charts">{charts}</div>' if charts else "")
        + "".join(_table(table, report.metric) for table in part.tables)
        + (f"<ul>{notes}</ul>" if notes else "")
        + f"<details><summary>How this was made</summary><p>{escape(part.rule)}</p>"
        f"<p>{count_of(part.n, 'row')}, {part.seconds:,.1f} s.</p>"
        f"{f'<ul>{files}</ul>' if files else ''}</details></section>"
    )


def _table(table: Table, metric: str) -> str:
    numeric = [is_numeric(table, i) for i in range(len(table.columns))]
    mark = [' class="n"' if right else "" for right in numeric]
    head = "".join(f'<th scope="col"{m}>{escape(c)}</th>' for c, m in zip(table.columns, mark, strict=True))
    body = []
    for row in table.rows:
        cells = [escape(written(v, c)) for v, c in zip(row, table.columns, strict=True)]
        rest = "".join(f"<td{m}>{cell}</td>" for cell, m in zip(cells[1:], mark[1:], strict=True))
        ours = ' class="ours"' if metric in row else ""
        body.append(f'<tr{ours}><th scope="row"{mark[0]}>{cells[0]}</th>{rest}</tr>')
    note = f'<p class="soft">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<h3>{escape(table.title)}</h3><div class="scroll" tabindex="0" role="region" '
        f'aria-label="{escape(table.title)}"><table><caption>{escape(table.title)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>{note}"
    )


def _made(report: Report) -> str:
    machine = report.machine
    facts = [
        ("Command", f"<code>{escape(report.command)}</code>" if report.command else "called from Python"),
        ("Metric", f"{escape(report.metric)} ({escape(report.kind)})"),
        *([("Model", f"<code>{escape(report.model)}</code>")] if report.model else []),
        ("Machine", escape(f"{machine.get('processors')} × {machine.get('processor')}, {machine.get('system')}, "
                           f"Python {machine.get('python')}")),
        ("Intervals", f"95%, from {report.settings.get('resamples', 0):,} bootstrap samples of documents, seed "
                      f"{report.settings.get('seed')}"),
    ]  # fmt: skip
    inside = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)
    return f"<section><h2>How the report was made</h2><dl>{inside}</dl></section>"
