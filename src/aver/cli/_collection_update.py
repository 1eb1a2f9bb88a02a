"""`aver collection update`: a shell over `aver.Collection.update`."""

from __future__ import annotations

import click

from aver.cli._collection_report import adding, finish
from aver.cli._output import json_option

__all__ = ["command"]


@click.command("update")
@click.argument("name")
@click.argument("paths", nargs=-1)
@click.option("--prune", is_flag=True, help="Remove documents whose file is gone, or that no longer stand in it.")
@json_option
def command(name: str, paths: tuple[str, ...], prune: bool, as_json: bool) -> None:
    """Read the files of a collection again where they changed.

    With PATHS, only those of its files that lie there. Every file is read as it was when it was added; a document
    whose text has changed gets a new revision, and the old one is kept. A file that is gone fails, and documents that
    no longer stand in their file are counted and stay, unless --prune says that they may go too; of a file that could
    not be read to its end without a fault nothing is removed. `add` takes new files in.

    \b
    aver collection update archive
    """
    from aver.collection import Collection

    with Collection(name) as collection:
        with adding(paths) as progress:
            report = collection.update(paths, prune=prune, progress=progress)
        finish(name, report, as_json=as_json, changed_only=True)
