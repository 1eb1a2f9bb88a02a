"""`aver score revision`: revised sentences against references."""

from __future__ import annotations

from typing import Any

import click

from aver.cli._score_generation import generation_options, score_files

__all__ = ["command"]


@click.command("revision")
@generation_options
def command(**options: Any) -> None:
    """Revised sentences against references: SARI, ROUGE, BLEU.

    PREDICTIONS has a `prediction` on each line (null: the system gave none). REFERENCES has the `source` that was
    revised, the `references` (a list) or one `reference`, and for --model the `claim` that the revision should agree
    with. Lines belong together by `id` where both files have one, else by position. Figures run from 0 to 100.

    \b
    aver score revision predictions.jsonl references.jsonl
    aver score revision predictions.jsonl references.jsonl --measure "SARI(hf)" --measure "SARI(easse)"
    """
    score_files("revision", **options)
