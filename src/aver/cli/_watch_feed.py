"""`aver watch feed`: a shell over `aver.Watch.feed`."""

from __future__ import annotations

import click

from aver.cli._output import json_option, print_json
from aver.errors import InputError, count_of

__all__ = ["command"]


@click.command("feed")
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("--in", "collection", metavar="COLLECTION", required=True, help="The collection: a name or a path.")
@json_option
def command(file: str, collection: str, as_json: bool) -> None:
    """Write an Atom feed of every verdict that changed.

    The newest 500. The same events have the same ids whenever it is written, so a reader shows each once.
    `aver watch run --feed FILE` writes it after every run.

    \b
    aver watch feed archive.atom --in archive
    """
    from aver.revisions.watch import Watch

    with Watch(collection) as watch:
        if not watch.exists:
            raise InputError(
                f'{collection}: no claims are watched; begin with: aver watch add "CLAIM" --in {collection}'
            )
        count = watch.feed(file)
    if as_json:
        print_json({"collection": collection, "feed": file, "events": count})
    else:
        click.echo(f"{file}: {count_of(count, 'event')}")
