"""`aver watch log`: a shell over `aver.Watch.log`."""

from __future__ import annotations

import click

from aver.cli._output import json_option, print_jsonl
from aver.cli._watch_report import print_entry
from aver.errors import InputError

__all__ = ["command"]


@click.command("log")
@click.option("--in", "collection", metavar="COLLECTION", required=True, help="The collection: a name or a path.")
@click.option("--claim", metavar="CLAIM", help="Only this claim: its id, yours, its text, or words of it.")
@click.option("--since", metavar="DATE", help="Only from then on: 2026-03-01, a time, or 7d, 24h, 30m back.")
@click.option("--changes", is_flag=True, help="Only flips, disputes and lost evidence.")
@click.option("--every", is_flag=True, help="Also verifications that changed nothing.")
@json_option
def command(collection: str, claim: str | None, since: str | None, changes: bool, every: bool, as_json: bool) -> None:
    """The timeline: what changed, when, and through which edit.

    The oldest first; times are UTC. With --json, one object a line. Nothing is ever taken out of it.

    \b
    aver watch log --in archive --since 7d
    aver watch log --in archive --claim "Nora Stein" --json
    """
    from aver.revisions.watch import Watch

    if changes and every:
        raise click.UsageError("--changes and --every exclude each other")
    with Watch(collection) as watch:
        if not watch.exists:
            raise InputError(
                f'{collection}: no claims are watched; begin with: aver watch add "CLAIM" --in {collection}'
            )
        entries = watch.log(claim=claim, since=since, every=every)
    if changes:
        entries = [entry for entry in entries if entry.kind in ("flip", "dispute", "stale")]
    if as_json:
        print_jsonl(entry.as_dict() for entry in entries)
        return
    if not entries:
        click.echo("nothing happened" + (f" since {since}" if since else ""))
    for entry in entries:
        print_entry(entry)
