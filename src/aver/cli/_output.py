"""How every verb prints: a table for people, JSON for programs, progress on standard error."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import click
import orjson

__all__ = [
    "Finite",
    "json_option",
    "model_option",
    "on_one_line",
    "print_json",
    "print_jsonl",
    "print_notes",
    "print_table",
    "progress",
]


class Finite(click.FloatRange):
    """A number in a range; nan, which passes every comparison of click's, and infinity are none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number


def json_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--json`, passed on as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Write JSON instead of a table.")(function)


def model_option(
    help_: str = "A name, a folder, hf:ID, t5:ID or llm:MODEL.",
    *,
    name: str = "model",
    default: str | None = "default",
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds `--model`, passed on as `name`: the judge that reads, which every command also takes as `--judge`."""
    return click.option(
        "--model", "--judge", name, default=default, show_default=default is not None, metavar="MODEL", help=help_
    )


def on_one_line(text: str, most: int = 4_000) -> str:
    """A text as a list shows it: its lines joined, and no longer than a page.

    >>> on_one_line("Tea\\r\\n  is hot."), on_one_line("Tea is hot.", 6)
    ('Tea is hot.', 'Tea is …')
    """
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[:most].rstrip()} …"


def print_json(value: Any) -> None:
    """One indented JSON document on standard output."""
    options = orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY
    try:
        text = orjson.dumps(value, option=options).decode()
    except TypeError:  # an id of more than 64 bits
        text = json.dumps(value, ensure_ascii=False, indent=2)
    click.echo(text)


def print_jsonl(rows: Iterable[Any]) -> None:
    """One JSON object a line."""
    for row in rows:
        click.echo(orjson.dumps(row, option=orjson.OPT_SERIALIZE_NUMPY).decode())


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str | None = None, decimals: int = 4
) -> None:
    """A table on standard output; numbers are aligned right, None is a dash."""
    from rich.console import Console
    from rich.table import Table

    kept = [list(row) for row in rows]
    table = Table(header_style="bold", box=None, pad_edge=False)
    for index, column in enumerate(columns):
        numeric = all(_is_number(row[index]) for row in kept) and any(row[index] != "" for row in kept)
        table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in kept:
        table.add_row(*(_cell(value, decimals) for value in row))
    # A pipe has no width: never fold a table that a program may read.
    console = Console(highlight=False, markup=False)
    if title is not None:
        # not the table's own title, which is folded to the table's width
        console.print(title, style="bold", soft_wrap=True)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, width=200)
    console.print(table)


def print_notes(notes: Iterable[str]) -> None:
    """What should be known about the figures above, a line each; in JSON they stand under `notes`."""
    for note in notes:
        click.echo(f"note: {note}")


def _is_number(value: object) -> bool:
    # also one that is written out already: 66.67, 1,381 or 66.67 (38.05)
    return value is None or isinstance(value, (int, float)) or (isinstance(value, str) and set(value) <= _WRITTEN)


_WRITTEN = frozenset("0123456789.,-–() ")


def _cell(value: object, decimals: int) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.{decimals}f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return str(value)


@contextlib.contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """A progress bar with the rate, on standard error and on a terminal only; call it with the number of items done."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    rate = TextColumn("{task.fields[rate]}")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=total, rate="")

        def advance(done: int) -> None:
            bar.advance(task, done)
            speed = bar.tasks[0].speed
            bar.update(task, rate="" if speed is None else f"{speed:,.1f}/s")

        yield advance
