"""`aver score`: one sub-command a task; the measures themselves live in `aver.metrics`."""

from __future__ import annotations

import click

from aver.cli._lazy import LazyGroup
from aver.cli._output import json_option, print_json, print_table

__all__ = ["SCORES", "command"]

SCORES: dict[str, tuple[str, str]] = {
    "classification": ("aver.cli._score_classification", "Precision, recall, F1, confusion, calibration, flips."),
    "extraction": ("aver.cli._score_extraction", "Extracted claims against references: ROUGE, BLEU, support."),
    "fever": ("aver.cli._score_fever", "FEVER: labels and evidence, by the card or the shared task."),
    "flagging": ("aver.cli._score_flagging", "Flagged factual edits: AUC, precision, recall, F1."),
    "rationale": ("aver.cli._score_rationale", "Words marked as deciding against the words that do."),
    "revision": ("aver.cli._score_revision", "Revised sentences against references: SARI, ROUGE, BLEU."),
}


@click.group("score", cls=LazyGroup, verbs=SCORES, invoke_without_command=True)
@click.option("--list", "list_all", is_flag=True, help="List every measure with its canonical name.")
@click.option("--card", metavar="MEASURE", help="Print a measure's card, as Markdown.")
@json_option
@click.pass_context
def command(ctx: click.Context, list_all: bool, card: str | None, as_json: bool) -> None:
    """Score predictions with the field's own measures.

    A measure's name means the same here, in Python (`aver.measure(NAME)`), in JSON and in tables.
    """
    if ctx.invoked_subcommand is not None:
        if list_all or card is not None or as_json:
            raise click.UsageError(
                f"--list, --card and --json stand alone; an option of '{ctx.invoked_subcommand}' comes after its name"
            )
        return
    if list_all and card is not None:
        raise click.UsageError("give --list or --card, not both")
    if card is not None:
        _print_card(card, as_json)
    elif list_all:
        _print_list(as_json)
    else:
        click.echo(ctx.get_help())


def _print_list(as_json: bool) -> None:
    from aver import measures
    from aver._cards import card_fields, variants

    kinds = sorted(measures(), key=lambda kind: kind.name.casefold())
    every = [measure for kind in kinds for measure in variants(kind)]
    if as_json:
        print_json([card_fields(measure) for measure in every])
        return
    rows = [(str(m), m.card.title, m.card.direction, next(iter(m.card.values))) for m in every]
    print_table(["measure", "what it is", "better", "main figure"], rows)


def _print_card(name: str, as_json: bool) -> None:
    from aver import measure, measures
    from aver._cards import card_fields, card_page
    from aver.consistency import metrics

    # a metric of consistency may be named as `aver consistency` and `aver prove` call it, unless a measure is called so
    taken = {kind.name.casefold() for kind in measures()}
    found = measure(f"Consistency({name})" if name in metrics() and name not in taken else name)
    if as_json:
        print_json(card_fields(found))
    else:
        click.echo(card_page(found), nl=False)
