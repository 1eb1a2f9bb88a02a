"""`aver watch`: a sub-command each for what `aver.Watch` can do."""

from __future__ import annotations

import click

from aver.cli._lazy import LazyGroup

__all__ = ["VERBS", "command"]

VERBS: dict[str, tuple[str, str]] = {
    "add": ("aver.cli._watch_add", "Verify claims against a collection and watch them."),
    "feed": ("aver.cli._watch_feed", "Write an Atom feed of every verdict that changed."),
    "list": ("aver.cli._watch_list", "The claims that are watched, and where they stand."),
    "log": ("aver.cli._watch_log", "The timeline: what changed, when, and through which edit."),
    "remove": ("aver.cli._watch_remove", "Watch claims no longer; their history stays."),
    "run": ("aver.cli._watch_run", "Verify again what the latest edits may concern, and report what changed."),
}


@click.group("watch", cls=LazyGroup, verbs=VERBS)
def command() -> None:
    """Keep verdicts true while the documents change: notice the edit, say what it flips.

    \b
    aver watch add --claims claims.jsonl --in archive
    aver collection update archive
    aver watch run --in archive
    """
