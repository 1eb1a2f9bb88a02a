"""How watching looks on a terminal: old verdict → new verdict, and the sentence with the changed words marked."""

from __future__ import annotations

import contextlib
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

from aver.errors import count_of
from aver.labels import Label

if TYPE_CHECKING:
    from aver.revisions.watch import Cause, Event, EventKind, Failure, LogEntry, Outcome, RunReport

__all__ = ["bar", "print_entry", "print_event", "print_failures", "print_run"]

_COLOURS = {
    Label.SUPPORTS: "green", Label.REFUTES: "red", Label.DISPUTED: "magenta", Label.NOT_ENOUGH_INFO: "yellow",
}  # fmt: skip
_WIDTH = 96
_LONGEST = 1_200
_MOST_FAILURES = 20


@contextlib.contextmanager
def bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar over claims, on standard error and on a terminal only; call it with how many are done, and of how many."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        task = shown.add_task(what, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)


def print_run(report: RunReport) -> None:
    """The whole report for people."""
    for event in report.events:
        print_event(event)
        click.echo()
    if report.resumed:
        click.echo("went on with a run that was stopped, or in which a claim failed")
    pages = [
        f"{count:,} {what}"
        for count, what in ((report.new, "new"), (report.changed, "changed"), (report.removed, "removed"))
        if count
    ]
    kinds: tuple[tuple[EventKind, str], ...] = (
        ("flip", "flipped"),
        ("dispute", "newly disputed"),
        ("stale", "lost evidence"),
    )
    counts = [f"{len(report.of(kind)):,} {what}" for kind, what in kinds if report.of(kind)]
    seen = f"pages: {', '.join(pages)}" if pages else "no page changed"
    again = f"{report.verified:,} of {count_of(report.claims, 'claim')} verified again"
    told = click.style(", ".join(counts), bold=True) if counts else "every verdict stands"
    click.echo(f"{report.collection}: {seen}; {again}; {told}")
    for note in report.notes:
        click.echo(f"note: {note}")


def print_failures(failures: Sequence[Failure]) -> None:
    """Claims that could not be verified, on standard error."""
    for failure in failures[:_MOST_FAILURES]:
        click.echo(f"aver: {failure.text[:80]}: could not be verified: {failure.reason}", err=True)
    if len(failures) > _MOST_FAILURES:
        click.echo(f"aver: … {len(failures):,} could not be verified in all", err=True)


def print_event(event: Event) -> None:
    """One event: the verdicts, the claim, the edits."""
    _print(event.kind, event.before, event.after, event.text, event.causes, event.reason)


def print_entry(entry: LogEntry) -> None:
    """One line of the timeline, with the edits below."""
    click.secho(entry.at.replace("T", " ").removesuffix("+00:00"), dim=True)
    if entry.kind in ("added", "removed"):
        now = "" if entry.after is None else f" {_outcome(entry.after)}"
        click.echo(f"{entry.kind}{now}")
        _wrapped(entry.text)
    elif entry.before is not None and entry.after is not None:
        _print(entry.kind, entry.before, entry.after, entry.text, entry.causes, entry.reason)


def _print(kind: str, before: Outcome, after: Outcome, text: str, causes: Sequence[Cause], reason: str) -> None:
    if kind in ("stale", "same"):
        what = "evidence changed, verdict stands" if kind == "stale" else "verified again, nothing changed"
        click.echo(f"{_outcome(after)}  {what}")
    else:
        click.echo(f"{_outcome(before)} → {_outcome(after)}" + ("  the sources disagree" if kind == "dispute" else ""))
    _wrapped(text)
    for cause in causes:
        _print_cause(cause)
    if "model" in reason:
        click.echo(
            f"    {'also, ' if reason != 'model' else ''}another model read it: {before.model}, then {after.model}"
        )
    elif reason == "ranking":
        click.echo("    no page it looked into changed; other pages were found")


def _outcome(outcome: Outcome) -> str:
    label = click.style(outcome.label.fever, fg=_COLOURS[outcome.label], bold=True)
    return f"{label} {outcome.confidence:.2f}"


def _wrapped(text: str) -> None:
    for line in textwrap.wrap(text, _WIDTH - 2, break_long_words=False) or [text]:
        click.echo(f"  {click.style(line, bold=True)}")


def _print_cause(cause: Cause) -> None:
    what = {"changed": "", "new": " · new page", "removed": " · page removed"}[cause.kind]
    revision = "" if cause.revision is None else f" · revision {cause.origin or cause.revision}"
    when = f" · {cause.at.replace('T', ' ').removesuffix('+00:00').removesuffix('Z')}" if cause.at else ""
    near = "" if cause.direct else " · nearby"
    key = f" · {cause.page}" if cause.page != cause.title else ""
    click.echo(f"    {click.style(cause.title, underline=True)}{key}{what}{revision}{when}{near}")
    spans = _spans(cause)
    if cause.before:
        _print_sentence("−", cause.before, spans[0], "red", "[-", "-]")
    if cause.after:
        _print_sentence("+", cause.after, spans[1], "green", "{+", "+}")


def _spans(cause: Cause) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The words that differ, of the sentence before and the one after; none where one of the two is missing."""
    if not cause.before or not cause.after:
        return [], []
    from aver.revisions._word_diff import diff_words

    edits = diff_words(cause.before, cause.after)
    return (
        [edit.before_span for edit in edits if edit.before_span[0] < edit.before_span[1]],
        [edit.after_span for edit in edits if edit.after_span[0] < edit.after_span[1]],
    )


def _print_sentence(
    sign: str, text: str, spans: Sequence[tuple[int, int]], colour: str, opening: str, closing: str
) -> None:
    """The sentence in lines, its changed words coloured, and in marks as well, for whoever sees no colours."""
    pieces, last = [], 0
    for start, end in spans:
        pieces += [text[last:start], f"{opening}\ue000", text[start:end], f"\ue001{closing}"]
        last = end
    flat = " ".join("".join([*pieces, text[last:]]).split())
    if len(flat) > _LONGEST:
        flat = flat[:_LONGEST] + " …"
    inside = False
    for number, line in enumerate(textwrap.wrap(flat, _WIDTH - 8, break_long_words=False, break_on_hyphens=False)):
        shown = ""
        for part in line.replace("\ue000", "\x00\ue000\x00").replace("\ue001", "\x00\ue001\x00").split("\x00"):
            if part in ("\ue000", "\ue001"):
                inside = part == "\ue000"
            else:
                shown += click.style(part, fg=colour, bold=True) if inside and part else part
        mark = click.style(sign, fg=colour, bold=True) if number == 0 else " "
        click.echo(f"      {mark} {shown}")
