"""Batches of rows through one function: read as JSON lines, answered one by one, written as they come, resumed."""

from __future__ import annotations

import collections
import itertools
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import orjson

from aver.cli._output import progress
from aver.cli._resume import (
    changed,
    count_lines,
    cut_torn_line,
    name_every_fault,
    open_to_append,
    refuse_input,
    resumed_from,
)
from aver.errors import AverError, BackendError, InputError, MissingExtra, ModelError, count_of
from aver.records import Record, iter_records, place_name

__all__ = ["guarded", "run_rows"]

Row = dict[str, Any]


def run_rows(
    path: str,
    answer: Callable[[list[Row]], list[Row]],
    *,
    what: str,
    ours: Collection[str],
    taken: Callable[[Row], Row] = dict,
    output: str | None,
    as_json: bool,
    readable: Callable[[Row], str],
    made: Mapping[str, str | int],
    chunk: int = 4,
) -> None:
    """Answers each row of a file (`-`: standard input), keeping its fields and adding the answer's.

    `answer` takes some rows and gives as many; a row it cannot use comes back with status `error`, is named, and makes
    the command end with 2. A row of an earlier, interrupted run is known again by all its fields but `ours`, which
    answers write over; `taken` says which fields an answer gives it. `made` says what answers are made with (`model`,
    for instance): it stands in every line, and a run that was made with something else is not gone on with. A line
    that is no JSON ends the run, once what came before it is written; of a file every such line is named.
    """
    refuse_input(output, path)
    records = iter_records(path)
    counts: collections.Counter[str] = collections.Counter()
    resumed = 0
    if (there := resumed_from(output)) is not None:
        for line in _go_on(there, records, ours, taken, made):
            counts[line["status"]] += 1
            resumed += 1
    start = time.perf_counter()
    broken: AverError | None = None
    with open_to_append(output) as file, progress(what, count_lines(path)) as advance:
        advance(resumed)
        while broken is None:
            batch: list[Record] = []
            try:
                for record in itertools.islice(records, chunk):
                    batch.append(record)
            except AverError as error:
                broken = error
            if not batch:
                break
            for record, found in zip(batch, answer([record.fields for record in batch]), strict=True):
                line = {**record.fields, **found, **made}
                counts[line["status"]] += 1
                _name_error(line, record.place)
                if file is not None:
                    file.write(orjson.dumps(line) + b"\n")
                elif as_json:
                    click.echo(orjson.dumps(line).decode())
                else:
                    click.echo(readable(line))
            advance(len(batch))
    done = sum(counts.values()) - resumed
    seconds = max(time.perf_counter() - start, 1e-9)
    before = f", {count_of(resumed, 'was', 'were')} there already" if resumed else ""
    click.echo(f"{count_of(done, 'row')} in {seconds:.1f} s ({done / seconds:.1f}/s){before}", err=True)
    if counts:
        click.echo("status: " + ", ".join(f"{name} {n:,}" for name, n in sorted(counts.items())), err=True)
    if broken is not None:
        name_every_fault(path, "the rows before its first fault were answered")
        raise broken
    if not counts:
        raise InputError(f"{place_name(path)}: has no rows")
    if failed := counts["error"]:
        raise InputError(f"{count_of(failed, 'row, named above,', 'rows, named above,')} could not be answered")


def _name_error(line: Row, place: str) -> None:
    """Names a row that could not be used on standard error: into a file nobody looks."""
    if line["status"] == "error":
        named = place if line.get("id") is None else f"{place} (id {line['id']})"
        click.echo(f"{named}: error: {line.get('reason', 'not answered')}", err=True)


def guarded(answer: Callable[[Row], Row], row: Row) -> Row:
    """The answer to one row. What is wrong with the row becomes its status; what would stop every row is raised."""
    try:
        return answer(row)
    except (BackendError, MissingExtra, ModelError):
        raise
    except AverError as error:
        reason = error.problems[0] if isinstance(error, InputError) and error.problems else str(error)
        return {"prediction": None, "status": "error", "reason": reason}


def _go_on(
    path: Path,
    records: Iterator[Record],
    ours: Collection[str],
    taken: Callable[[Row], Row],
    made: Mapping[str, str | int],
) -> Iterator[Row]:
    """The lines that are written already, after a torn last one is cut off; they must be answers to the same rows."""
    cut_torn_line(path)
    for done in iter_records(path):
        if "status" not in done.fields:
            raise InputError(f"{done.place}: is no line of this command; name another file with --output")
        record = next(records, None)
        if record is None:
            raise InputError(f"{done.place}: comes from another input; name another file with --output, or remove it")
        if difference := changed(done.fields, taken(record.fields), record.place, ours=ours):
            remedy = "name another file with --output, or remove it"
            raise InputError(f"{done.place}: comes from another input, or {difference}; {remedy}")
        for name, now in made.items():
            if (was := done.fields.get(name, now)) != now:
                remedy = "name another file with --output, or remove it"
                raise InputError(f"{done.place}: was made with the {name.replace('_', ' ')} {was}, not {now}; {remedy}")
        _name_error(done.fields, record.place)
        yield done.fields
