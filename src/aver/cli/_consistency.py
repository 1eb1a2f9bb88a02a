"""`aver consistency`: is a text true to its source? One pair, or a file of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from aver.cli._output import Finite, json_option, model_option, print_json, progress
from aver.cli._resume import refuse_input

if TYPE_CHECKING:
    from aver.consistency import Assessment, Metric

__all__ = ["command"]


@click.command("consistency")
@click.argument("rows", metavar="[FILE.jsonl]", required=False)
@click.option("--text", "text_file", metavar="FILE", help="The text in a file, HTML and PDF too; - is standard input.")
@click.option("--source", "source_file", metavar="FILE", help="What it must be true to, in a file of the same kinds.")
@click.option("--metric", "metric_name", default="aver", show_default=True, help="A name; see --list.")
@model_option(
    "What reads: a name, a folder, hf:ID, t5:ID or llm:MODEL; unieval-fact: its checkpoint.", name="judge", default=None
)
@click.option("--threshold", type=Finite(0, 1), help="Exit with 1 where a score is lower or a row unread.")
@click.option("--output", type=click.Path(dir_okay=False), help="Append JSON lines to this file; run again to go on.")
@click.option("--reference-behaviour", is_flag=True, help="unieval-fact: cut long prompts and fail as the original.")
@click.option("--list", "list_all", is_flag=True, help="List the metrics.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, rows: str | None, text_file: str | None, source_file: str | None, metric_name: str,
    judge: str | None, threshold: float | None, output: str | None, reference_behaviour: bool, list_all: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Is a text true to its source? A score, verdicts, the offending words.

    FILE.jsonl has one JSON object a line with `text` and `source` (a string, or a list of strings that are joined); -
    reads standard input. The usual names of other files are known too: summary, system_output, response or answer for
    the text; article, document, doc, context or knowledge for the source. Each output line has score, status (scored,
    no_claims, abstained or error), sentences, spans and coverage, and the fields of its input but the source. A text
    that states nothing has the status no_claims and no score; the mean is that of the scored rows.

    With --output the work can be stopped at any time: the same command goes on behind the last whole line. Rows that
    could not be scored are named on standard error, and make the exit code 2, with --threshold 1.
    """
    if list_all:
        _list(as_json)
        return
    one = text_file is not None or source_file is not None
    if one and (text_file is None or source_file is None):
        raise click.UsageError("--text and --source go together")
    if one == (rows is not None):
        raise click.UsageError("give FILE.jsonl, or --text and --source")
    if one and output is not None:
        raise click.UsageError("--output is for a file of rows; write the answer with: --json > FILE")
    if text_file == "-" and source_file == "-":
        raise click.UsageError("only one of --text and --source can be standard input")
    if reference_behaviour and metric_name != "unieval-fact":
        raise click.UsageError("--reference-behaviour belongs to --metric unieval-fact")
    options: dict[str, Any] = {"reference_behaviour": True} if reference_behaviour else {}
    from aver.collection.readers import read_prose
    from aver.consistency import metric as named

    if rows is not None:
        from aver.cli._consistency_rows import score_rows

        refuse_input(output, rows)
        metric = named(metric_name, judge=judge, **options)
        failed = score_rows(rows, metric, output=output, threshold=threshold, as_json=as_json)
    else:
        assert text_file is not None
        assert source_file is not None
        rows_go = "texts and sources in rows go in as FILE.jsonl, without --text and --source"
        text, source = read_prose(text_file, rows=rows_go), read_prose(source_file, rows=rows_go)
        failed = _one(text, source, named(metric_name, judge=judge, **options), threshold, as_json)
    if failed:
        ctx.exit(1)


def _one(text: str, source: str, metric: Metric, threshold: float | None, as_json: bool) -> bool:
    from aver.cli._consistency_report import print_report
    from aver.consistency import assess_all

    with progress("scoring") as advance:
        found: Assessment = assess_all([text], [source], metric=metric, progress=advance)[0]
    if as_json:
        print_json(found.as_dict())
    else:
        print_report(found)
    # a text that states nothing cannot be false; one that could not be read is not called true
    low = found.score is not None and threshold is not None and found.score < threshold
    unread = threshold is not None and found.status in ("abstained", "error")
    if low:
        click.echo(f"aver: the score {found.score:.4f} is below the threshold {threshold:g}", err=True)
    elif unread:
        click.echo("aver: there is no score to hold against the threshold", err=True)
    return low or unread


def _list(as_json: bool) -> None:
    from aver.cli._output import print_table
    from aver.consistency import describe_metrics

    lines = describe_metrics()
    if as_json:
        print_json(lines)
    else:
        print_table(["metric", "what it is"], list(lines.items()))
