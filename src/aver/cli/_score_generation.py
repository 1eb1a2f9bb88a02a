"""What `aver score revision` and `aver score extraction` share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from aver.cli._output import json_option, model_option, print_json, print_notes, print_table, progress
from aver.errors import InputError
from aver.labels import Label
from aver.measures import Measure
from aver.metrics import Judge, Task

__all__ = ["generation_options", "load_judge", "print_status", "score_files"]


def generation_options(function: Callable[..., None]) -> Callable[..., None]:
    """The arguments and options of both commands."""
    for decorate in reversed(
        (
            click.argument("predictions", type=click.Path(), metavar="PREDICTIONS"),
            click.argument("references", type=click.Path(), metavar="REFERENCES"),
            click.option(
                "--measure", "names", multiple=True, metavar="NAME",
                help="A measure by its canonical name, such as 'SARI(hf)'; may be repeated. "
                "Default: ROUGE(2), BLEU, SARI(easse), and Support where --model is given.",
            ),
            model_option("The model that says whether a text supports a claim.", name="judge", default=None),
            click.option("--bleurt", metavar="FOLDER", help="Add BLEURT, by the checkpoint in this folder."),
            click.option("--per-row", metavar="FILE", help="Write each row's own figures there, as JSON lines."),
            json_option,
        )
    ):
        function = decorate(function)
    return function


def score_files(
    task: Task,
    predictions: str,
    references: str,
    names: tuple[str, ...],
    judge: str | None,
    bleurt: str | None,
    per_row: str | None,
    as_json: bool,
) -> None:
    """Reads the two files, scores, writes and prints."""
    from aver.metrics import Support, read_generation, score_generation
    from aver.records import write_records

    if predictions == references == "-":
        raise click.UsageError("only one of the two files can come from standard input")
    if per_row == "-":
        raise click.UsageError("--per-row needs a file: standard output has the figures of all rows together")
    measures, judge = _measures(names, judge, bleurt)
    notes: list[str] = []
    rows = read_generation(task, predictions, references, notes=notes)
    if not names and all(row.source is None for row in rows):
        measures = [measure for measure in measures if measure.name != "SARI"]
        notes.append("the references have no 'source', which SARI reads; it is left out")
    judged_by = None
    if judge is not None:
        model, judged_by = load_judge(judge)
        measures = [Support(_plain(model)) if isinstance(one, Support) else one for one in measures]
    with progress("measures", total=len(measures)) as done:
        report = score_generation(
            rows, measures, judge=judged_by, folder=bleurt, per_row=per_row is not None, progress=done
        )
    if per_row is not None:
        write_records(per_row, (dict(row) for row in report.rows))
    if as_json:
        print_json({"task": task, **report.as_dict()} | ({"notes": notes} if notes else {}))
        return
    lines = [(score.measure, name, value) for score in report.scores for name, value in score.values.items()]
    print_table(("measure", "figure", "value"), lines, decimals=2)
    print_notes((*notes, *(f"{score.measure}: {note}" for score in report.scores for note in score.notes)))
    print_status(report.status)


def print_status(status: Any) -> None:
    """What became of the rows, in one line."""
    click.echo("rows: " + ", ".join(f"{count:,} {name}" for name, count in status.items()))


def _measures(
    names: tuple[str, ...], judge: str | None, bleurt: str | None
) -> tuple[list[Measure], str | None]:
    from aver import measure
    from aver.metrics import BLEURT, GENERATION_MEASURES, Support

    wrong, chosen = [], []
    for name in names:
        try:
            chosen.append(measure(name))
        except InputError as error:
            wrong.append(str(error))
    if wrong:
        raise InputError("these measures cannot be read", wrong) if len(wrong) > 1 else InputError(wrong[0])
    measures = list(dict.fromkeys(chosen)) or list(GENERATION_MEASURES)
    for one in measures:
        if isinstance(one, Support) and one.judge is not None:
            if judge not in (None, one.judge):
                raise InputError(f"--model {judge} and --measure '{one}' name different judges")
            judge = one.judge
    measures = [one for one in measures if str(one) != "Support"]
    if judge is not None and not any(isinstance(one, Support) for one in measures):
        measures.append(Support(judge))
    elif judge is None and Support() in chosen:
        raise InputError("--measure Support needs a judge: add --model NAME")
    if bleurt is not None:
        measures = [one for one in measures if not isinstance(one, BLEURT)]
        measures.append(BLEURT(_plain(Path(bleurt).resolve().name)))
    return measures, judge


def _plain(name: str) -> str:
    # a name inside a measure's name can hold neither brackets nor commas
    return "".join("-" if letter in "(),=" else letter for letter in name)


def load_judge(name: str) -> tuple[str, Judge]:
    """A model's full name, with its content hash, and the model as `Support` asks it: a label a pair, or None."""
    from aver import models

    judge = models.load_judge(name)

    def labels(claims: Sequence[str], evidences: Sequence[str]) -> list[Label | None]:
        return [judgement.label for judgement in judge.judge(zip(claims, evidences, strict=True))]

    return judge.model, labels
