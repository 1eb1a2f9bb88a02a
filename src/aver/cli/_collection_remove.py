"""`aver collection remove`: a shell over `aver.Collection.remove` and `delete`."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from aver.cli._output import json_option, print_json
from aver.errors import InputError, count_of

__all__ = ["command"]


@click.command("remove")
@click.argument("name")
@click.argument("documents", nargs=-1)
@click.option("--yes", is_flag=True, help="Delete the whole collection without asking.")
@json_option
def command(name: str, documents: tuple[str, ...], yes: bool, as_json: bool) -> None:
    """Remove documents, or a whole collection.

    DOCUMENTS are keys, or files that documents came from; all their revisions go with them. Without any the whole
    collection is deleted from the disk, after a question, also where it is damaged; where the answer is no, the exit
    code is 1. The files it was made from are never touched.

    \b
    aver collection remove archive ~/articles/old.txt
    aver collection remove archive --yes
    """
    from aver.collection import Collection, collection_folder, delete_damaged
    from aver.collection._schema import is_damaged

    if not documents and is_damaged(collection_folder(name)):
        if not yes and not _agreed(f"Delete the collection {name}, which is damaged?"):
            _leave(name, as_json)
        delete_damaged(name)
        if as_json:
            print_json({"collection": name, "removed": None, "deleted": True})
        else:
            click.echo(f"{name}: deleted; it was damaged")
        return
    with Collection(name) as collection:
        if documents:
            count = collection.remove(documents)
        else:
            count = len(collection)
            if not yes and not _agreed(f"Delete the collection {name} with {count_of(count, 'document')}?"):
                _leave(name, as_json)
            collection.delete()
    if as_json:
        print_json({"collection": name, "removed": count, "deleted": not documents})
    elif documents:
        click.echo(f"{name}: {count:,} removed")
    else:
        click.echo(f"{name}: deleted, with {count_of(count, 'document')}")


def _agreed(question: str) -> bool:
    unanswered = InputError("nothing removed: there is nobody to answer; --yes deletes without asking")
    if sys.stdin is None:  # closed, as a service's may be
        raise unanswered
    try:
        return click.confirm(question, err=True)
    except click.Abort as stop:
        if isinstance(stop.__context__, EOFError):
            click.echo(err=True)
            raise unanswered from None
        raise  # interrupted


def _leave(name: str, as_json: bool) -> NoReturn:
    if as_json:
        print_json({"collection": name, "removed": 0, "deleted": False})
    else:
        click.echo(f"{name}: nothing removed")
    click.get_current_context().exit(1)
