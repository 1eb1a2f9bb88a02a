"""`aver score fever`: a shell over `aver.metrics.fever` and `explain_fever`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from aver.cli._output import json_option, print_json, print_notes, print_table
from aver.errors import count_of

if TYPE_CHECKING:
    from aver.measures import Score

__all__ = ["command"]


@click.command("fever")
@click.argument("predictions", type=click.Path(allow_dash=True))
@click.argument("references", type=click.Path(allow_dash=True), required=False)
@click.option("--official", is_flag=True, help="Score as the FEVER shared task does, not as the metric card.")
@click.option("--at", type=click.IntRange(min=0), metavar="N", help="Count the first N predicted sentences; 0: all.")
@click.option("--explain", is_flag=True, help="Say for every claim which points it lost, and why.")
@click.option("--explain-to", type=click.Path(), metavar="FILE", help="Write that into FILE, a JSON object a claim.")
@json_option
def command(
    predictions: str,
    references: str | None,
    official: bool,
    at: int | None,
    explain: bool,
    explain_to: str | None,
    as_json: bool,
) -> None:
    """FEVER: labels and evidence, by the card or the shared task.

    PREDICTIONS and REFERENCES are files of JSON lines (- is standard input): predictions with `predicted_label`
    and `predicted_evidence` (or `label` and `evidence`), references with `label` and `evidence_sets` (or
    `evidence`). Rows match by `id` where both files have ids, else by position. Without REFERENCES every row
    carries its own gold.

    \b
    aver score fever predictions.jsonl gold.jsonl
    aver score fever predictions.jsonl gold.jsonl --official --explain | less
    """
    from aver.metrics import explain_fever, fever
    from aver.records import write_records

    if predictions == "-" and references == "-":
        raise click.UsageError("only one of the two files can come from standard input")
    if not explain and explain_to is None:
        score = fever(predictions, references, official=official, at=at)
        if as_json:
            print_json(score.as_dict())
        else:
            _print(score)
        return
    explained = explain_fever(predictions, references, official=official, at=at)
    score = explained.score
    if explain_to is not None:
        write_records(explain_to, (claim.as_dict() for claim in explained.claims))
    if as_json:
        claims = {"claims": [claim.as_dict() for claim in explained.claims]} if explain else {}
        print_json(score.as_dict() | {"lost": explained.summary()} | claims)
        return
    _print(score)
    click.echo()
    losses = explained.summary()
    if losses:
        rows = [(kind.replace("_", " "), count) for kind, count in losses.items()]
        print_table(["points lost through", "claims"], rows)
    else:
        click.echo("No points were lost.")
    if explain:
        for claim in explained.claims:
            if claim.lost:
                name = f"claim {claim.id}" if claim.id is not None else f"row {claim.number}"
                click.echo(f"\n{name}  gold {claim.label}, predicted {claim.predicted_label or 'no label'}")
                for loss in claim.lost:
                    click.echo(f"  {loss.kind.replace('_', ' ')}: {loss.why}")
    if explain_to is not None:
        click.echo(f"\n{count_of(len(explained.claims), 'claim')} explained in {explain_to}", err=True)


def _print(score: Score) -> None:
    title = f"{score.measure} of {count_of(score.n, 'claim')}"
    print_table(["figure", "value"], list(score.values.items()), title=title)
    print_notes(score.notes)
