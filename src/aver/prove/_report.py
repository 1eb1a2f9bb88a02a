"""What a trust report holds: parts, each with its figures, tables and charts; the same in JSON and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal

from aver.errors import InputError

__all__ = ["FORMAT", "Chart", "ChartKind", "Part", "Report", "Table"]

FORMAT = "aver trust report 1"
"""The first field of the JSON: what it is, and the version of its schema (docs/prove.md)."""

Value = float | int | str | bool | None
ChartKind = Literal["intervals", "bars", "reliability"]
Status = Literal["done", "skipped"]


@dataclasses.dataclass(frozen=True, slots=True)
class Table:
    """Rows for people; a None is a dash."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "columns": list(self.columns),
            "rows": [list(row) for row in self.rows],
            "note": self.note,
        }


@dataclasses.dataclass(frozen=True, slots=True)
class Chart:
    """What is drawn, as numbers: `rows` of a name, a value and, where there are any, the ends of its interval.

    `reliability` has rows of a bin: its name, the mean score, the share that is consistent, and how many rows.
    `mark` names the row to be set off from the others, `base` is the value a line is drawn at: 0, or what chance gives.
    """

    kind: ChartKind
    title: str
    alt: str
    rows: tuple[tuple[Value, ...], ...]
    mark: str = ""
    base: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "title": self.title,
            "alt": self.alt,
            "mark": self.mark,
            "base": self.base,
            "rows": [list(row) for row in self.rows],
        }


@dataclasses.dataclass(frozen=True, slots=True)
class Part:
    """One question about the metric and its answer, or why there is none."""

    name: str
    title: str
    question: str
    status: Status = "done"
    reason: str = ""
    """Why it was skipped."""
    finding: str = ""
    """The answer in a sentence."""
    figures: Mapping[str, float | int | None] = dataclasses.field(default_factory=dict)
    """The numbers by name, the main one first; docs/prove.md says what each means."""
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    rule: str = ""
    """How the numbers were made: the rows, the threshold's choice, the sampling."""
    notes: tuple[str, ...] = ()
    n: int = 0
    """Rows that were scored for it."""
    of: int = 0
    """Rows the data set has; more than `n` where a sample was taken."""
    unscored: int = 0
    """Rows that the metric gave no score."""
    seconds: float = 0.0
    sources: tuple[tuple[str, str], ...] = ()
    """The files it read: name and SHA-256."""

    @property
    def main(self) -> float | int | None:
        """The first figure."""
        return next(iter(self.figures.values()), None)

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        simple = ("name", "title", "question", "status", "reason", "finding")
        return {key: getattr(self, key) for key in simple} | {
            "figures": dict(self.figures),
            "n": self.n,
            "of": self.of,
            "unscored": self.unscored,
            "seconds": self.seconds,
            "rule": self.rule,
            "notes": list(self.notes),
            "tables": [table.as_dict() for table in self.tables],
            "charts": [chart.as_dict() for chart in self.charts],
            "sources": [{"name": name, "sha256": digest} for name, digest in self.sources],
        }


@dataclasses.dataclass(frozen=True, slots=True)
class Report:
    """Everything that was found out about one metric."""

    metric: str
    kind: str
    """`built-in`, `function` or `scores`."""
    model: str
    """Name and content hash of the model behind it; empty where there is none."""
    what: str
    parts: tuple[Part, ...]
    settings: Mapping[str, Any]
    """What it was made with: limit, seed, resamples, the parts asked for."""
    machine: Mapping[str, Any]
    command: str
    version: str
    seconds: float

    def __getitem__(self, name: str) -> Part:
        for part in self.parts:
            if part.name == name:
                return part
        raise InputError(f"this report has no part {name!r}; it has: {', '.join(part.name for part in self.parts)}")

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON; `Report.from_dict` reads it back."""
        return {
            "format": FORMAT,
            "metric": self.metric,
            "kind": self.kind,
            "model": self.model,
            "what": self.what,
            "version": self.version,
            "command": self.command,
            "settings": dict(self.settings),
            "machine": dict(self.machine),
            "seconds": self.seconds,
            "parts": [part.as_dict() for part in self.parts],
        }

    @classmethod
    def from_dict(cls, fields: Any, *, place: str = "this report") -> Report:
        """The report that `as_dict` wrote.

        >>> Report.from_dict({"format": "something else"})
        Traceback (most recent call last):
        aver.errors.InputError: this report: not a trust report: its 'format' is 'something else', not \
'aver trust report 1'
        """
        found = fields.get("format") if isinstance(fields, dict) else None
        if found != FORMAT:
            raise InputError(f"{place}: not a trust report: its 'format' is {found!r}, not {FORMAT!r}")
        try:
            return cls(
                **{key: fields[key] for key in ("metric", "kind", "model", "what", "version", "command", "seconds")},
                settings=fields["settings"],
                machine=fields["machine"],
                parts=tuple(_part(part) for part in fields["parts"]),
            )
        except (KeyError, TypeError) as error:
            raise InputError(f"{place}: a trust report with a field missing or of another kind: {error}") from error


def _part(fields: dict[str, Any]) -> Part:
    kept = {key: value for key, value in fields.items() if key not in ("tables", "charts", "sources", "notes")}
    return Part(
        **kept,
        notes=tuple(fields["notes"]),
        tables=tuple(
            Table(t["title"], tuple(t["columns"]), tuple(tuple(row) for row in t["rows"]), t["note"])
            for t in fields["tables"]
        ),
        charts=tuple(
            Chart(c["kind"], c["title"], c["alt"], tuple(tuple(row) for row in c["rows"]), c["mark"], c["base"])
            for c in fields["charts"]
        ),
        sources=tuple((source["name"], source["sha256"]) for source in fields["sources"]),
    )
