"""`aver prove METRIC`. In Python: `aver.prove`."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from aver.cli._output import json_option, model_option, print_json, print_table

if TYPE_CHECKING:
    from aver.prove import Report

__all__ = ["command"]


@click.command("prove")
@click.argument("metric", metavar="METRIC")
@click.option("--part", "parts", multiple=True, metavar="NAME", help="Only this part (repeat); --list names them.")
@click.option("--list", "list_all", is_flag=True, is_eager=True, expose_value=False,
              callback=lambda ctx, _, on: _list(ctx, on), help="List the built-in metrics and the parts, and stop.")
@click.option("--quick", is_flag=True, help="Samples of about 120 rows of each data set, and 200 bootstrap samples.")
@click.option("--limit", type=int, metavar="N", help="A sample of about N rows of each data set; else every row.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the samples and the bootstrap.")
@click.option("--resamples", type=int, metavar="N",
              help="Bootstrap samples for the intervals; 0 for none.  [default: 1000]")
@click.option("--data", metavar="DIR", help="The folder of the data sets; else AVER_DATA.")
@model_option("The judge that a built-in metric reads with; see `aver models list`.", name="judge", default=None)
@click.option("--call", type=click.Choice(["auto", "batch", "pair"]), default="auto", show_default=True,
              help="How a function is called: with lists of texts and sources, or with one of each.")
@click.option("--name", metavar="NAME", help="What the report calls the metric.")
@click.option("--key", default="score", show_default=True, help="The field of a scores file that holds the score.")
@click.option("--work", metavar="DIR", help="Keep every score in this folder; a proof that was stopped goes on.")
@click.option("--html", "html_file", metavar="FILE", help="Write the report as one self-contained HTML file.")
@click.option("--markdown", "markdown_file", metavar="FILE", help="Write it as Markdown.")
@json_option
def command(
    metric: str,
    parts: tuple[str, ...],
    quick: bool,
    limit: int | None,
    seed: int,
    resamples: int | None,
    html_file: str | None,
    markdown_file: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Whether a metric of factual consistency deserves trust, in one report.

    METRIC is a built-in name (rouge-l, aver, …), a function as module:function or file.py:function, or a file of
    scores for FRANK's rows in the form that `aver frank check` takes. A function gets texts and sources and returns
    as many numbers, higher for texts that are truer to their source; or one of each and returns one number.

    The report: FRANK, QAGS and SummEval (does it follow people?), XSumFaith, SummEdits and VitaminC (does it tell
    right from wrong, and follow a changed fact?), what is left without the source (does it read?), calibration,
    repeatability, odd input, speed and memory. A data set that is not at hand is skipped and the report says so; a
    sample written for aver always runs.
    """
    from aver.prove import QUICK, markdown, prove, write_html
    from aver.records import writing

    if quick and limit is not None:
        raise click.UsageError("--quick is a --limit of its own; give one of them")
    if quick:
        limit = QUICK
    draws = resamples if resamples is not None else 200 if quick else 1000
    said = _command(metric, parts=parts, limit=limit, seed=seed, resamples=draws, **options)
    with _progress() as done:
        report = prove(metric, parts=parts or None, limit=limit, seed=seed, resamples=draws, progress=done,
                       command=said, **options)  # fmt: skip
    if html_file is not None:
        write_html(report, html_file)
    if markdown_file is not None:
        with writing(markdown_file) as file:
            file.write(markdown(report).encode())
    if as_json:
        print_json(report.as_dict())
        return
    _print(report)
    for path in filter(None, (html_file, markdown_file)):
        click.echo(f"written: {path}", err=True)


def _print(report: Report) -> None:
    head = f"{report.metric}: {report.what}" if report.what else report.metric
    click.echo(head + (f" [{report.model}]" if report.model else ""))
    click.echo()
    rows = []
    for part in report.parts:
        done = part.status == "done"
        taken = f"{part.n:,}" if part.n == part.of else f"{part.n:,} of {part.of:,}"
        rows.append((part.title, taken if done else "–", part.finding if done else f"skipped: {part.reason}"))
    print_table(["part", "rows", "finding"], rows)
    click.echo()
    click.echo(f"{report.seconds:,.1f} s; --json has every figure, --html FILE the tables and charts.")


def _command(metric: str, **options: Any) -> str:
    """The command that makes this report again; folders and other paths of this machine are left out of it."""
    words = ["aver", "prove", metric.rsplit("/", 1)[-1]]
    for part in options.pop("parts"):
        words += ["--part", part]
    defaults = {"seed": 0, "resamples": 1000, "call": "auto", "key": "score"}
    for name, value in options.items():
        if name not in ("data", "work") and value is not None and defaults.get(name) != value:
            words += ["--model" if name == "judge" else f"--{name}", str(value)]
    return shlex.join(words)


def _list(ctx: click.Context, on: bool) -> None:
    if not on or ctx.resilient_parsing:
        return
    from aver.consistency import metrics
    from aver.prove import PARTS

    click.echo("metrics: " + ", ".join(metrics()))
    click.echo("parts: " + ", ".join(PARTS))
    ctx.exit()


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None]]:
    """A bar for each thing that is scored, on standard error and on a terminal only."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        current: dict[str, Any] = {}

        def done(what: str, at: int, total: int) -> None:
            if current.get("what") != what or at < current["at"]:
                if "task" in current:
                    bar.remove_task(current["task"])
                current["what"], current["task"] = what, bar.add_task(what, total=total)
            current["at"] = at
            bar.update(current["task"], completed=at, total=total)

        yield done
