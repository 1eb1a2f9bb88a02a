"""`aver models`: which models there are, and their cards."""

from __future__ import annotations

import click

from aver.cli._lazy import LazyGroup

__all__ = ["MODELS", "command"]

MODELS: dict[str, tuple[str, str]] = {
    "list": ("aver.cli._models_list", "The models that came with aver."),
    "show": ("aver.cli._models_show", "A model's card: data, scores, size, speed, licence and limits."),
}


@click.group("models", cls=LazyGroup, verbs=MODELS)
def command() -> None:
    """Which models there are, and their cards."""
