"""`aver watch remove`: a shell over `aver.Watch.remove`."""

from __future__ import annotations

import click

from aver.cli._output import json_option, print_json

__all__ = ["command"]


@click.command("remove")
@click.argument("claims", nargs=-1, required=True)
@click.option("--in", "collection", metavar="COLLECTION", required=True, help="The collection: a name or a path.")
@json_option
def command(claims: tuple[str, ...], collection: str, as_json: bool) -> None:
    """Watch claims no longer; their history stays.

    A claim is its text, its id (or the first six digits and more), or the id it had in your file. Where one of them is
    not watched, none is removed.

    \b
    aver watch remove 7d1680b2 --in archive
    """
    from aver.revisions.watch import Watch

    with Watch(collection) as watch:
        count = watch.remove(claims)
    if as_json:
        print_json({"collection": collection, "removed": count})
    else:
        click.echo(f"{collection}: {count:,} removed; `aver watch log` still has their history")
