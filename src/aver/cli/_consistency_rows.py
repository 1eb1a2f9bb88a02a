"""A file of texts and their sources, scored as a stream that can be stopped and gone on with."""

from __future__ import annotations

import collections
import itertools
import time
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import click
import orjson

from aver.cli._consistency_report import offending
from aver.cli._output import progress
from aver.cli._resume import changed, cut_torn_line, name_every_fault, open_to_append, resumed_from
from aver.consistency import Assessment, Metric, assess_all
from aver.errors import AverError, InputError, count_of, kind_of
from aver.records import Record, iter_records

__all__ = ["score_rows"]

TEXTS = ("text", "summary", "system_output", "response", "answer")
SOURCES = ("source", "article", "document", "doc", "context", "knowledge")
OURS = frozenset({
    "score", "status", "metric", "model", "spans", "sentences", "coverage", "notes", "seconds", "reason", "input"
})  # fmt: skip
"""What a line has beside the fields of its row."""
CHUNK = 32
"""Rows whose pairs share the judge's batches."""


def score_rows(rows: str, metric: Metric, *, output: str | None, threshold: float | None, as_json: bool) -> bool:
    """Scores and writes every row; whether any has to be told of under the threshold."""
    records: Iterator[Record] = iter_records(rows)
    tally = _Tally(threshold)
    if (there := resumed_from(output)) is not None:
        _go_on(there, records, metric, tally)
    with open_to_append(output) as file, progress("scoring") as advance:
        advance(tally.resumed)
        while chunk := list(_until_broken(itertools.islice(records, CHUNK), tally)):
            for record, line, found in _scored(chunk, metric):
                tally.add(line, record)
                if file is not None:
                    file.write(orjson.dumps(line) + b"\n")
                elif as_json:
                    click.echo(orjson.dumps(line).decode())
                else:
                    click.echo(_readable(record, line, found))
            advance(len(chunk))
            if tally.broken is not None:
                break
    if not sum(tally.statuses.values()) and tally.broken is None:
        raise InputError(f"{rows}: there is no row in it; each line is an object with text and source")
    click.echo(tally.summary(), err=True)
    if tally.broken is not None:
        name_every_fault(rows, "the rows before its first fault were scored")
        raise tally.broken
    if (failed := tally.statuses["error"]) and threshold is None:
        raise InputError(f"{count_of(failed, 'row, named above,', 'rows, named above,')} could not be scored")
    return tally.failed


def _scored(chunk: list[Record], metric: Metric) -> Iterator[tuple[Record, dict[str, Any], Assessment | None]]:
    pairs = [_pair(record) for record in chunk]
    fit = [pair for pair in pairs if not isinstance(pair, str)]
    found = iter(assess_all([text for text, _ in fit], [source for _, source in fit], metric=metric))
    for record, pair in zip(chunk, pairs, strict=True):
        kept = _kept(record.fields)
        if isinstance(pair, str):
            empty = {"score": None, "status": "error", "metric": metric.name, "model": metric.model, "reason": pair}
            yield record, kept | empty | {"input": _digest(record.fields)}, None
        else:
            assessment = next(found)
            yield record, kept | assessment.as_dict() | {"input": _digest(record.fields)}, assessment


def _kept(fields: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if key not in SOURCES}


def _pair(record: Record) -> tuple[str, str] | str:
    """The text and the source of a row, or why there are none."""
    got: list[str] = []
    for what, names in (("text", TEXTS), ("source", SOURCES)):
        name = next((name for name in names if name in record.fields), None)
        if name is None:
            return f"{record.place}: there is no {what}; it can be called: {', '.join(names)}"
        value = record.fields[name]
        if isinstance(value, list):
            for number, part in enumerate(value, 1):
                if not isinstance(part, str):
                    return f"{record.place}: {name} is a list, and item {number} in it is {kind_of(part)}, not a text"
            value = "\n\n".join(value)
        if not isinstance(value, str):
            return f"{record.place}: {name} is {kind_of(value)}, not a text"
        got.append(value)
    return got[0], got[1]


def _digest(fields: dict[str, Any]) -> str:
    """What a row is known again by; the source itself is not written out with every line."""
    kept = {key: value for key, value in fields.items() if key in (*TEXTS, *SOURCES)}
    return blake2b(orjson.dumps(kept, option=orjson.OPT_SORT_KEYS), digest_size=8).hexdigest()


class _Tally:
    """Counts for the last lines, and the input error that ended the stream, if one did."""

    def __init__(self, threshold: float | None) -> None:
        self.start = time.perf_counter()
        self.threshold = threshold
        self.resumed = self.low = 0
        self.total = 0.0
        self.statuses: collections.Counter[str] = collections.Counter()
        self.broken: AverError | None = None

    def add(self, line: dict[str, Any], row: Record) -> None:
        """Counts the line of a row; one that could not be scored is named on standard error."""
        self.statuses[line["status"]] += 1
        if line["status"] == "error":
            place = row.place if line.get("id") is None else f"{row.place} (id {line['id']})"
            notes = line.get("notes") or ["not scored"]
            reason = str(line.get("reason") or notes[0]).removeprefix(f"{row.place}: ")
            click.echo(f"{place}: error: {reason}", err=True)
        if line["score"] is not None:
            self.total += line["score"]
            self.low += self.threshold is not None and line["score"] < self.threshold

    @property
    def failed(self) -> bool:
        """A row is below the threshold, or could not be held against it."""
        return self.threshold is not None and bool(self.low or self.statuses["error"] or self.statuses["abstained"])

    def summary(self) -> str:
        done = sum(self.statuses.values())
        seconds = max(time.perf_counter() - self.start, 1e-9)
        fresh = done - self.resumed
        lines = [f"{count_of(fresh, 'row')} in {seconds:.1f} s ({fresh / seconds:.1f}/s)"]
        if self.resumed:
            lines[0] += f", {count_of(self.resumed, 'was', 'were')} there already"
        if done:
            lines.append("status: " + ", ".join(f"{name} {n:,}" for name, n in sorted(self.statuses.items())))
        if scored := self.statuses["scored"]:
            lines.append(f"mean score: {self.total / scored:.4f} (of the {scored:,} scored)")
            if self.threshold is not None:
                lines.append(f"below {self.threshold:g}: {self.low:,}")
        return "\n".join(lines)


def _readable(record: Record, line: dict[str, Any], found: Assessment | None) -> str:
    score = "  –   " if line["score"] is None else f"{line['score']:.4f}"
    name = line.get("id", record.place.rpartition(" ")[2])
    text = " ".join(str(next((line[key] for key in TEXTS if key in line), "")).split())
    if found is None:
        return f"{score}  {line['status']:<9}  {name}  [{line['reason']}]"
    words = offending(found.spans)
    shown = words if words else text if len(text) <= 80 else text[:79] + "…"
    note = f"  [{found.notes[0]}]" if found.notes else ""
    return f"{score}  {line['status']:<9}  {name}  {shown}{note}"


def _until_broken(records: Iterable[Record], tally: _Tally) -> Iterator[Record]:
    """The records before one that cannot be read: what came before it is scored and written first."""
    try:
        yield from records
    except AverError as error:
        tally.broken = error


def _go_on(path: Path, records: Iterator[Record], metric: Metric, tally: _Tally) -> None:
    """Cuts a torn last line off, and passes over the rows that are done, checking that they are the same ones."""
    cut_torn_line(path)
    for done in iter_records(path):
        if not {"status", "score", "input", "metric", "model"} <= done.fields.keys():
            raise InputError(f"{done.place}: is no line of aver consistency; name another file with --output")
        record = next(records, None)
        by = (done.fields["metric"], done.fields["model"])
        if record is None or done.fields["input"] != _digest(record.fields):
            raise InputError(f"{done.place}: comes from another input; name another file with --output, or remove it")
        if difference := changed(done.fields, _kept(record.fields), record.place, ours=OURS):
            raise InputError(f"{done.place}: {difference}; name another file with --output, or remove it")
        if by != (metric.name, metric.model):
            was, now = (" ".join(filter(None, pair)) for pair in (by, (metric.name, metric.model)))
            raise InputError(f"{done.place}: was scored by {was}, not {now}; name another file with --output")
        tally.add(done.fields, record)
        tally.resumed += 1
