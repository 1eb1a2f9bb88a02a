"""`aver models list`."""

from __future__ import annotations

from collections.abc import Mapping

import click

from aver.cli._output import json_option, print_json, print_table

__all__ = ["command"]


@click.command("list")
@json_option
def command(as_json: bool) -> None:
    """The models that came with aver."""
    from aver.models import installed

    rows = [
        {
            "name": name,
            "kind": folder.kind,
            "version": folder.card.get("version"),
            "hash": str(folder.card.get("sha256", ""))[:12] or None,
            "megabytes": folder.size / 1e6,
            "base": _base(folder.card.get("base")),
            "summary": folder.card.get("summary"),
        }
        for name, folder in installed(kind=None).items()
    ]
    if as_json:
        print_json(rows)
        return
    if not rows:
        click.echo("no models are installed; name a folder, hf:ID, t5:ID or llm:MODEL instead", err=True)
        return
    names = ["name", "kind", "version", "hash", "megabytes", "base", "summary"]
    print_table(names, [[row[name] for name in names] for row in rows], decimals=1)


def _base(said: object) -> str | None:
    """The base's name; a card may say its licence and layers beside it."""
    named = said.get("name") if isinstance(said, Mapping) else said
    return None if named is None else str(named)
