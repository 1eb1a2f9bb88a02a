"""`aver watch list`: a shell over `aver.Watch.claims`."""

from __future__ import annotations

from collections import Counter

import click

from aver.cli._output import json_option, print_json, print_table
from aver.errors import AverError

__all__ = ["command"]


@click.command("list")
@click.option("--in", "collection", metavar="COLLECTION", help="The collection; without it, all that have claims.")
@json_option
def command(collection: str | None, as_json: bool) -> None:
    """The claims that are watched, and where they stand.

    \b
    aver watch list
    aver watch list --in archive
    """
    from aver.collection import collection_names
    from aver.revisions.watch import Watch

    if collection is None:
        rows = []
        for name in collection_names():
            try:
                with Watch(name) as watch:
                    if watch.exists:
                        claims = watch.claims()
                        rows.append((name, len(claims), Counter(str(c.outcome.label) for c in claims)))
            except AverError as error:
                # one that cannot be opened does not hide the others
                click.echo(f"aver: {error}", err=True)
        if as_json:
            print_json([{"collection": name, "claims": count, "labels": labels} for name, count, labels in rows])
        elif rows:
            named = ("SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO", "DISPUTED")
            columns = ["collection", "claims", *(label.replace("_", " ") for label in named)]
            print_table(columns, [(name, n, *(labels[label] for label in named)) for name, n, labels in rows])
        else:
            click.echo('no claims are watched; begin with: aver watch add "CLAIM" --in COLLECTION')
        return
    with Watch(collection) as watch:
        claims = watch.claims()
    if as_json:
        print_json([claim.as_dict() for claim in claims])
    elif claims:
        print_table(
            ["id", "verdict", "sure", "verified", "claim"],
            [
                (c.id, c.outcome.label.fever, c.outcome.confidence, c.verified[:16].replace("T", " "), c.text)
                for c in claims
            ],
            decimals=2,
        )
    else:
        click.echo(f'{collection}: no claims are watched; begin with: aver watch add "CLAIM" --in {collection}')
