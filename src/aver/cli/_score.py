"""`aver score`: one sub-command a task; the measures themselves live in `aver.metrics`."""

from __future__ import annotations

import click

from aver.cli._lazy import LazyGroup
from aver.cli._output import json_option, print_json, print_table

__all__ = ["SCORES", "command"]

SCORES: dict[str, tuple[str, str]] = {
    "classification": ("aver.cli._score_classification", "Precision, recall, F1, confusion, calibration, flips."),
    "extraction": ("aver.cli._score_generation", "Extracted claims against references: ROUGE, BLEU, support."),
    "fever": ("aver.cli._score_fever", "FEVER: labels and evidence, by the card or the shared task."),
    "flagging": ("aver.cli._score_flagging", "Flagged factual edits: AUC, precision, recall, F1."),
    "rationale": ("aver.cli._score_rationale", "Words marked as deciding against the words that do."),
    "revision": ("aver.cli._score_generation", "Revised sentences against references: SARI, ROUGE, BLEU."),
}


@click.group("score", cls=LazyGroup, verbs=SCORES, invoke_without_command=True)
@click.option("--list", "list_all", is_flag=True, help="List every measure with its canonical name.")
@click.option("--card", metavar="MEASURE", help="Print a measure's card, as Markdown.")
@json_option
@click.pass_context
def command(ctx: click.Context, list_all: bool, card: str | None, as_json: bool) -> None:
    """Score predictions with the field's own measures."""
