"""How adding and updating show their progress and their outcome."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aver.cli._output import print_json, print_notes, print_table
from aver.errors import count_of

if TYPE_CHECKING:
    from aver.collection import AddReport, FileReport

__all__ = ["adding", "finish"]

_MOST_ROWS = 30
_MOST_REASONS = 20


@contextlib.contextmanager
def adding(paths: Sequence[str]) -> Iterator[Callable[[FileReport], None]]:
    """A bar over the bytes of all files, with the documents stored so far; on a terminal only."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    from aver.collection.readers import find_files

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda report: None
        return
    found = [file.path for file in find_files(paths)]
    total = sum(path.stat().st_size for path in found if os.path.isfile(path))  # noqa: PTH113
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("adding", total=total or None)
        sizes: dict[str, int] = {}
        stored: dict[str, int] = {}

        def show(report: FileReport) -> None:
            sizes[report.path] = report.read
            stored[report.path] = report.documents
            read, count = sum(sizes.values()), count_of(sum(stored.values()), "document")
            # what follows the last byte may take a while: a run that doubles a collection makes one part of its index
            what = Path(report.path).name or "documents" if read < total or not total else "putting the index in order"
            bar.update(task, completed=read, description=f"{what} · {count}")

        yield show


def finish(
    name: str, report: AddReport, *, as_json: bool, started: float | None = None, changed_only: bool = False
) -> None:
    """Prints what was done, names what failed, and exits with 1 or 2 where something did.

    With `changed_only` files of which all is as it was are counted, and not listed.
    """
    if as_json:
        print_json({"collection": name} | report.as_dict())
    else:
        _print(name, report, None if started is None else time.monotonic() - started, changed_only)
    for file in report.files:
        for reason in file.reasons[:_MOST_REASONS]:
            click.echo(f"aver: {reason}", err=True)
        if file.failed > min(len(file.reasons), _MOST_REASONS):
            click.echo(f"aver: {file.path}: … {file.failed:,} failed in all", err=True)
        if file.error is not None:
            click.echo(f"aver: {file.path}: {file.error}", err=True)
    if report.is_broken:
        sys.exit(1 if report.added + report.updated + report.unchanged + report.aliases else 2)


def _is_as_it_was(file: FileReport) -> bool:
    from aver.collection._adding import NO_FILE, UNKNOWN_KIND

    news = file.added + file.updated + file.overtaken + file.missing + file.removed + file.failures
    return not news and file.skipped not in (NO_FILE, UNKNOWN_KIND)


def _print(name: str, report: AddReport, seconds: float | None, changed_only: bool) -> None:
    from aver.collection._adding import NO_FILE, UNKNOWN_KIND

    shown = [file for file in report.files if not (changed_only and _is_as_it_was(file))]
    same = len(report.files) - len(shown)
    if len(shown) > _MOST_ROWS:
        shown = [file for file in shown if file.is_broken][:_MOST_ROWS]
    if len(report.files) > 1 and shown:
        columns = ["file", "format", "added", "updated", "unchanged", "empty", "failed", "note"]
        print_table(
            columns,
            [
                (f.path, f.format, f.added, f.updated, f.unchanged, f.empty, f.failures, f.error or f.skipped or "")
                for f in shown
            ],
        )
    counts = f"{report.added:,} added, {report.updated:,} updated, {report.unchanged:,} unchanged"
    more = [
        f"{count:,} {what}"
        for count, what in (
            (report.moved, "now from another file"),
            (report.overtaken, "with a later text in another file"),
            (report.removed, "removed"),
            (report.aliases, "alias" if report.aliases == 1 else "aliases"),
            (report.empty, "without text"),
            (report.failed, "failed"),
        )
        if count
    ]
    skipped = Counter(file.skipped for file in report.files)
    if skipped[UNKNOWN_KIND]:
        more.append(f"{count_of(skipped[UNKNOWN_KIND], 'file')} of an unknown kind left out")
    if skipped[NO_FILE]:
        more.append(f"{count_of(skipped[NO_FILE], 'pipe, socket or device', 'pipes, sockets or devices')} left out")
    if same:
        more.append(f"nothing new in {count_of(same, 'file')}")
    took = f" in {seconds:.1f} s" if seconds is not None else ""
    click.echo(f"{name}: {', '.join([counts, *more])}{took}")
    if report.missing:
        gone = count_of(report.missing, "document is no longer in its file", "documents are no longer in their files")
        what = "it" if report.missing == 1 else "them"
        print_notes([f"{gone}; `aver collection update {name} --prune` removes {what}"])
