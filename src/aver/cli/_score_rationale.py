"""`aver score rationale`: marked words against the words that decide."""

from __future__ import annotations

import click

from aver.cli._output import json_option, print_json, print_notes, print_table

__all__ = ["command"]


@click.command("rationale")
@click.argument("predictions", type=click.Path(), metavar="PREDICTIONS")
@click.argument("references", type=click.Path(), metavar="REFERENCES")
@click.option(
    "--vitaminc", is_flag=True, help="Count as the VitaminC code does: a mark on an unlabelled word is wrong, 0/0 is 1."
)
@click.option("--per-row", metavar="FILE", help="Write each row's own figures there, as JSON lines.")
@json_option
def command(predictions: str, references: str, vitaminc: bool, per_row: str | None, as_json: bool) -> None:
    """Words marked as deciding against the words that do.

    Each line of both files marks words of an evidence: by `rationale` (or `masked_inds`: word numbers from 0),
    `mask` (1, 0, or -1 for unlabelled, per word), or `spans` (characters [first, past-the-last] of `evidence`).
    Lines belong together by `id` where both files have one, else by position.

    \b
    aver score rationale predictions.jsonl references.jsonl
    """
    from aver.cli._score_generation import print_status
    from aver.metrics import Rationale, read_rationales
    from aver.records import write_records

    if predictions == references == "-":
        raise click.UsageError("only one of the two files can come from standard input")
    if per_row == "-":
        raise click.UsageError("--per-row needs a file: standard output has the figures of all rows together")
    measure = Rationale("vitaminc" if vitaminc else "words")
    found = read_rationales(predictions, references)
    columns = (found.predictions, found.references, found.unlabelled)
    score = measure.score(*columns)
    if per_row is not None:
        rows = zip(found.ids, measure.rows(*columns), strict=True)
        write_records(per_row, ({"id": name, str(measure): figures} for name, figures in rows))
    if as_json:
        told = {"task": "rationale", "status": dict(found.status), "scores": [score.as_dict()]}
        print_json(told | ({"notes": found.notes} if found.notes else {}))
        return
    lines = [(score.measure, name, value) for name, value in score.values.items()]
    print_table(("measure", "figure", "value"), lines)
    print_notes((*found.notes, *score.notes))
    print_status(found.status)
