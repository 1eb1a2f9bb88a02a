"""`aver score extraction`: extracted claims against references."""

from __future__ import annotations

from typing import Any

import click

from aver.cli._score_generation import generation_options, score_files

__all__ = ["command"]


@click.command("extraction")
@generation_options
def command(**options: Any) -> None:
    """Extracted claims against references: ROUGE, BLEU, support.

    PREDICTIONS has the extracted claim as `prediction` on each line (null: none was found). REFERENCES has the
    `references` (a list), one `reference` or `claim`, and the sentence `after` the edit, which SARI takes as the
    source and --model as the evidence. Lines belong together by `id` where both files have one, else by position.
    Figures run from 0 to 100.

    \b
    aver score extraction predictions.jsonl references.jsonl
    aver score extraction predictions.jsonl references.jsonl --per-row rows.jsonl --json
    """
    score_files("extraction", **options)
