"""`aver collection info`: a shell over `aver.Collection.info`."""

from __future__ import annotations

import click

from aver.cli._output import json_option, print_json, print_notes, print_table
from aver.errors import count_of

__all__ = ["command"]


@click.command("info")
@click.argument("name")
@json_option
def command(name: str, as_json: bool) -> None:
    """What is in a collection.

    Counts of documents, revisions, sentences and aliases, its place and size, what was embedded, and the files it was
    made from.
    """
    from aver.collection import Collection

    with Collection(name) as collection:
        info = collection.info()
        sources = [source.as_dict() for source in collection.sources()]
    fields = info.as_dict()
    if as_json:
        print_json(fields | {"files": sources})
        return
    settings, vectors = fields.pop("settings"), fields.pop("vectors")
    rows = [*fields.items(), *((f"setting {key}", value) for key, value in settings.items())]
    # a count and a date in one column: format here, or all would be aligned as numbers
    print_table([name, ""], [(key, f"{value:,}" if isinstance(value, int) else value) for key, value in rows])
    if vectors:
        click.echo()
        columns = ["model", "dimensions", "documents", "sentences", "behind", "bytes"]
        unknown = {"dimensions": None, "documents": None, "sentences": None, "behind": None}
        shown = [found if found["error"] is None else found | unknown for found in vectors]
        print_table(["vectors of", *columns[1:]], [[found[column] for column in columns] for found in shown])
        print_notes(info.notes)
    if sources:
        click.echo()
        again = "is read again at the next update"
        shown = [(s["path"], s["format"], s["documents"], "" if s["whole"] else again) for s in sources]
        print_table(["file", "format", "documents", "note"], shown[:30])
        if len(shown) > 30:
            click.echo(f"… and {count_of(len(shown) - 30, 'file')} more")
