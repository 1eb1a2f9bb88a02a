"""`aver collection`: a sub-command each for what `aver.Collection` can do with files."""

from __future__ import annotations

import click

from aver.cli._lazy import LazyGroup

__all__ = ["VERBS", "command"]

VERBS: dict[str, tuple[str, str]] = {
    "add": ("aver.cli._collection_add", "Add files and folders to a collection; make it where there is none."),
    "embed": ("aver.cli._collection_embed", "Give every sentence a vector, for dense search."),
    "info": ("aver.cli._collection_info", "What is in a collection."),
    "list": ("aver.cli._collection_list", "All collections there are."),
    "remove": ("aver.cli._collection_remove", "Remove documents, or a whole collection."),
    "update": ("aver.cli._collection_update", "Read the files of a collection again where they changed."),
}


@click.group("collection", cls=LazyGroup, verbs=VERBS)
def command() -> None:
    """Make and keep collections of documents to verify claims against.

    NAME is a collection's name, or a path where it has a separator in it. Named collections live in
    $AVER_HOME/collections or, where AVER_HOME is not set, in the platform's usual place for data.
    """
