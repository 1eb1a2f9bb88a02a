"""`aver train`. In Python: `aver.train.train`, `train_encoder`, `write_claims` and `search_claims`."""

from __future__ import annotations

import time
from typing import Any

import click
from click.core import ParameterSource

from aver.cli._output import Finite, json_option, print_json

__all__ = ["command"]

RECIPES = ("teacher", "default", "fast", "judge")
STAGES = ("pack", "teacher", "targets", "student", "export", "quantise", "calibrate", "rationale", "evaluate", "card")

_TAKES = {
    "embed": {"data", "out", "limit", "seed", "fast_base"},
    "search": {"data", "out", "limit", "seed"},
    "write": {"data", "out", "limit", "seed", "seconds", "device", "writer"},
}
"""The options of recipes that make no judge; a judge's takes all but --writer."""


@click.command("train")
@click.argument("recipe", type=click.Choice((*RECIPES, "embed", "search", "write")), metavar="RECIPE")
@click.option("--data", required=True, envvar="AVER_DATA", metavar="DIR", help="The data folder; else AVER_DATA.")
@click.option("--out", required=True, metavar="DIR", help="Where every stage leaves its files, and the models.")
@click.option(
    "--base",
    default="sentence-transformers/all-mpnet-base-v2",
    show_default=True,
    metavar="FOLDER_OR_ID",
    help="Encoder of the teachers, and so of `default`: a folder or a hub id.",
)
@click.option(
    "--fast-base",
    default="sentence-transformers/all-MiniLM-L6-v2",
    show_default=True,
    metavar="FOLDER_OR_ID",
    help="Encoder of `fast`, and what `embed` starts from.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="So many rows of every source and set: a trial.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the first teacher and everything random.")
@click.option("--seconds", type=Finite(0, min_open=True), metavar="N", help="At most so long for each training run.")
@click.option(
    "--device",
    type=click.Choice(["auto", "cpu", "cuda"]),
    default="auto",
    show_default=True,
    help="auto: the GPU where there is one.",
)
@click.option(
    "--from", "start", metavar="MODEL", help="Teach this model on, in place of making one anew: a name or a folder."
)
@click.option("--teacher", metavar="MODEL", help="With --from, who teaches it.  [default: itself]")
@click.option(
    "--keep",
    type=Finite(0, 1, max_open=True),
    metavar="SHARE",
    help="With --from, the share of its old weights in the new ones.  [default: 0.15; 0.5 for fast, 0.2 with --fresh]",
)
@click.option(
    "--fresh",
    type=Finite(0, 1),
    metavar="SHARE",
    help="With --from, renew `default`: the share of newcomers' weights in those it starts from; with --reader it can "
    "be 0.",
)
@click.option("--written", metavar="FILE.jsonl", help="What `aver train write` wrote, for the teachers to judge.")
@click.option("--found", metavar="FILE.jsonl", help="What `aver train search` found for FEVER's training claims.")
@click.option(
    "--reader",
    metavar="FOLDER_OR_ID",
    help="With --fresh: a language model that learns to give verdicts and teaches with the model that is renewed.",
)
@click.option(
    "--writer",
    default="HuggingFaceTB/SmolLM2-135M-Instruct",
    show_default=True,
    metavar="FOLDER_OR_ID",
    help="With `write`: the language model that learns to write.",
)
@click.option("--stage", type=click.Choice(STAGES), metavar="STAGE", help="Stop after this stage.")
@json_option
@click.pass_context
def command(context: click.Context, /, recipe: str, as_json: bool, **options: Any) -> None:
    """Train a judge again: from data to card.

    \b
    RECIPE is one of
      teacher   two teachers, and what they say about every row
      default   the teachers, then the larger student: the better teacher, taught on by both
      fast      the teachers, then the small student from a base of its own
      judge     everything: the teachers and both students
      search    FEVER's training claims with the sentences that aver finds for them, for --found; takes --data, --out,
                --limit (so many claims) and --seed, and needs no extra
      embed     the static encoder, on a CPU; takes --data, --out, --fast-base, --limit and --seed
      write     claims and changed evidence by a small language model that learnt from people's, for --written; takes
                --data, --out, --writer, --limit, --seed, --seconds and --device

    With --from, `default` or `fast` is taught on from a model that is there, by itself or by --teacher where labels
    are missing or soon known by heart, and by the labels. With --fresh too, newcomers are made from the base first:
    they are the teachers, and the mean of their weights goes into what is started from. With --reader a language model
    and the model that is renewed are the teachers, of one newcomer too (with --fresh 0 there is none).

    Stages of a judge, in order: pack, teacher, targets, student, export, quantise, calibrate, rationale, evaluate,
    card. Each leaves a file in --out and is not run again where its file is there, so a run that was stopped goes on
    from there, and one machine can go on where another left off. Needs the extra `train`.
    """
    from aver.train import search_claims, train, train_encoder, write_claims

    began = time.monotonic()

    def say(line: str) -> None:
        click.echo(f"{time.monotonic() - began:7.0f} s  {line}", err=True)

    takes = _TAKES.get(recipe, set(options) - {"writer"})
    for name in options:
        if name not in takes and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = {"start": "from", "fast_base": "fast-base"}.get(name, name)
            raise click.UsageError(f"`aver train {recipe}` takes no --{option}")
    kept = {name: options[name] for name in takes}
    if recipe == "embed":
        made = {"static": train_encoder(base=kept.pop("fast_base"), say=say, **kept)}
    elif recipe == "search":
        made = {"found": search_claims(say=say, **kept)}
    elif recipe == "write":
        made = {"written": write_claims(say=say, **kept)}
    else:
        made = train(recipe, say=say, **kept)
    if as_json:
        print_json({name: str(folder) for name, folder in made.items()})
        return
    for name, folder in made.items():
        click.echo(f"{name}: {folder}")
    if not made:
        click.echo(f"done; the files are in {options['out']}")
