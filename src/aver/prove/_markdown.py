"""A report as Markdown, for documentation and code reviews."""

from __future__ import annotations

from aver.errors import count_of
from aver.prove._report import Part, Report, Table, Value

__all__ = ["is_numeric", "markdown", "written"]

SMALLEST_P = 0.001


def markdown(report: Report, *, level: int = 1) -> str:
    """The report as a Markdown page; `level` is that of its main heading.

    >>> from aver.prove import prove
    >>> report = prove(lambda texts, sources: [0.5] * len(texts), name="half", parts=["repeat"], resamples=0)
    >>> print(markdown(report).splitlines()[0])
    # Trust report: half
    """
    top = "#" * level
    lines = [f"{top} Trust report: {_plain(report.metric)}", ""]
    if report.what:
        lines += [_plain(report.what), ""]
    facts = [f"{report.kind} metric"]
    if report.model:
        facts.append(f"model `{report.model}`")
    facts.append(f"aver {report.version}")
    limit = report.settings.get("limit")
    facts.append("every row" if limit is None else f"samples of about {limit:,} rows, seed {report.settings['seed']}")
    facts.append(f"{report.seconds:,.0f} s")
    lines += ["; ".join(facts) + ".", ""]
    if report.command:
        lines += [f"    {report.command}", ""]
    lines += ["| part | finding |", "|---|---|"]
    lines += [f"| {_cell(part.title)} | {_cell(_finding(part))} |" for part in report.parts]
    lines.append("")
    for part in report.parts:
        if part.status == "done":
            lines += _section(part, top + "#")
    return "\n".join(lines).rstrip() + "\n"


def written(value: Value, column: str = "") -> str:
    """A value as it stands in a table for people; a p-value below a thousandth says so.

    >>> written(0.51234), written(None), written(1234), written(0.00001, "p"), written(True)
    ('0.512', '–', '1,234', '< .001', 'yes')
    """
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if column == "p":
        return "< .001" if value < SMALLEST_P else f"{value:.3f}".removeprefix("0")
    if column == "lead":
        return f"{value:+.3f}"
    if isinstance(value, int):
        return f"{value:,}"
    if value and abs(value) < SMALLEST_P:
        return f"{value:.2g}"
    decimals = 3 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return f"{value:,.{decimals}f}"


def is_numeric(table: Table, column: int) -> bool:
    """Whether a column holds numbers and intervals only: those are aligned right and never broken."""
    words = [value for value in (row[column] for row in table.rows) if isinstance(value, str)]
    return all(set(word) <= set("0123456789.-… ") for word in words)


def _section(part: Part, mark: str) -> list[str]:
    lines = [f"{mark} {_plain(part.title)}", "", f"*{_plain(part.question)}* {_plain(part.finding)}", ""]
    for table in part.tables:
        lines += [f"**{_plain(table.title)}**", "", *_table(table), ""]
        if table.note:
            lines += [_plain(table.note), ""]
    lines += [_plain(part.rule), ""]
    unscored = [f"{part.unscored:,} of {count_of(part.n, 'row')} got no score."] if part.unscored else []
    lines += [f"- {_plain(note)}" for note in (*unscored, *part.notes)]
    if unscored or part.notes:
        lines.append("")
    return lines


def _table(table: Table) -> list[str]:
    numeric = [is_numeric(table, i) for i in range(len(table.columns))]
    return [
        "| " + " | ".join(_cell(column) for column in table.columns) + " |",
        "|" + "|".join("---:" if right else "---" for right in numeric) + "|",
        *(
            "| " + " | ".join(_cell(written(v, c)) for v, c in zip(row, table.columns, strict=True)) + " |"
            for row in table.rows
        ),
    ]


def _finding(part: Part) -> str:
    return part.finding if part.status == "done" else f"skipped: {part.reason}"


def _cell(text: str) -> str:
    return _plain(text).replace("|", "\\|").replace("\n", " ")


def _plain(text: str) -> str:
    """Text that stands for itself in Markdown."""
    return text.replace("<", "&lt;").replace("*", "\\*") if "<" in text or "*" in text else text
