"""`aver frank`: is this metric really better? The work is done in `aver.frank`."""

from __future__ import annotations

import click

from aver.cli._lazy import LazyGroup

__all__ = ["MODES", "command"]

MODES: dict[str, tuple[str, str]] = {
    "ablate": ("aver.cli._frank_ablate", "Which kinds of error each metric notices."),
    "check": ("aver.cli._frank_check", "What is wrong with a submission, row by row."),
    "compare": ("aver.cli._frank_compare", "Which metrics are really better: Williams's test for every pair."),
    "correlate": ("aver.cli._frank_correlate", "How well each metric follows people, with intervals."),
    "leaderboard": ("aver.cli._frank_leaderboard", "One self-contained page with everything on it."),
}


@click.group("frank", cls=LazyGroup, verbs=MODES)
def command() -> None:
    """How well metrics follow people: FRANK and any benchmark of its shape.

    A BENCHMARK is FRANK's folder (or its human_annotations.json), a JSON-lines file of rows like
    {"doc": "d1", "system": "bart", "human": {"Factuality": 0.5}, "metrics": {"Mine": 0.7}}, SummEval or QAGS as
    released, UniEval's predictions, or the word `example` for a small invented one.
    """
