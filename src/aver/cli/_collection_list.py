"""`aver collection list`: a shell over `aver.collection.collection_names`."""

from __future__ import annotations

import click

from aver.cli._output import json_option, print_json, print_notes, print_table

__all__ = ["command"]


@click.command("list")
@json_option
def command(as_json: bool) -> None:
    """All collections there are.

    Those under $AVER_HOME/collections or the platform's usual place for data; a collection made elsewhere is known
    by its path only.
    """
    from aver.collection import Collection, collection_names, home
    from aver.errors import AverError

    rows: list[dict[str, object]] = []
    notes: list[str] = []
    for name in collection_names():
        try:
            with Collection(name) as collection:
                info = collection.info()
            rows.append({"name": name, "documents": info.documents, "bytes": info.bytes, "changed": info.changed})
            notes += [f"{name}: {note}" for note in info.notes]
        except AverError as error:
            rows.append({"name": name, "documents": None, "bytes": None, "changed": None, "error": str(error)})
    if as_json:
        print_json({"home": str(home()), "collections": rows, "notes": notes})
        return
    if not rows:
        click.echo(f"no collections in {home()}; make one with: aver collection add NAME PATHS…")
        return
    print_table(["name", "documents", "bytes", "changed"], [list(row.values())[:4] for row in rows])
    print_notes(notes)
    for row in rows:
        if "error" in row:
            click.echo(f"aver: {row['error']}", err=True)
