"""`aver score flagging`: flagged factual edits."""

from __future__ import annotations

import click

from aver.cli._output import Finite, json_option, print_json, print_notes, print_table
from aver.errors import count_of

__all__ = ["command"]


@click.command("flagging")
@click.argument("predictions", type=click.Path(), metavar="PREDICTIONS")
@click.argument("references", type=click.Path(), metavar="REFERENCES")
@click.option("--threshold", type=Finite(), help="Flag a revision whose score is at least this.  [default: 0.5]")
@click.option(
    "--tune", nargs=2, type=click.Path(), metavar="PREDICTIONS REFERENCES",
    help="Take the threshold that gives the best macro F1 on these two files instead.",
)  # fmt: skip
@json_option
def command(
    predictions: str, references: str, threshold: float | None, tune: tuple[str, str] | None, as_json: bool
) -> None:
    """Flagged factual edits: AUC, precision, recall, F1.

    PREDICTIONS has a `score` on each line, higher for factual (or, without scores, a `label`); REFERENCES has the
    `label`: factual or not factual, true or false, 1 or 0. Lines belong together by `id` (or `case_id`) where both
    files have one, else by position. The threshold is stated (--threshold) or tuned on other rows (--tune).

    \b
    aver score flagging test_scores.jsonl test.jsonl --tune dev_scores.jsonl dev.jsonl
    """
    from aver.cli._score_generation import print_status
    from aver.metrics import Flagging, read_flags

    if threshold is not None and tune is not None:
        raise click.UsageError("give --threshold or --tune, not both")
    if [predictions, references, *(tune or ())].count("-") > 1:
        raise click.UsageError("only one of the files can come from standard input")
    found = read_flags(predictions, references)
    origin = "the default" if threshold is None else "as given"
    measure = Flagging() if threshold is None else Flagging(threshold)
    if tune is not None:
        held_out = read_flags(*tune)
        measure = Flagging.tuned(held_out.scores, held_out.labels)
        origin = f"best macro F1 on the {count_of(len(held_out.labels), 'row')} of {tune[1]}"
    score = measure.score(found.scores, found.labels)
    if as_json:
        settings = {"threshold": measure.threshold, "threshold_origin": origin}
        told = {"task": "flagging", **settings, "status": dict(found.status), "scores": [score.as_dict()]}
        print_json(told | ({"notes": found.notes} if found.notes else {}))
        return
    lines = [(score.measure, name, value) for name, value in score.values.items()]
    print_table(("measure", "figure", "value"), lines)
    print_notes((*found.notes, *score.notes))
    click.echo(f"threshold: {measure.threshold:g} ({origin})")
    print_status(found.status)
