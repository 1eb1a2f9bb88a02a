"""`aver search`: a shell over `aver.Collection.search`."""

from __future__ import annotations

import click

from aver.cli._output import json_option, print_json

__all__ = ["command"]


@click.command("search")
@click.argument("query")
@click.option("--in", "name", required=True, metavar="COLLECTION", help="The collection to search: a name or a path.")
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, help="How many documents.")
@click.option("--sentences", type=click.IntRange(min=0), default=3, show_default=True, help="How many of each.")
@click.option(
    "--follow", type=click.IntRange(min=0), default=0, metavar="N", help="Places for documents the first ones name."
)
@click.option("--bm25", "words_only", is_flag=True, help="Rank by BM25 alone, without the names in the query.")
@json_option
def command(query: str, name: str, limit: int, sentences: int, follow: int, words_only: bool, as_json: bool) -> None:
    """Find documents and sentences in a collection.

    Documents are ranked by BM25 over title and text together with the names of the collection that stand in the
    query; under each are the sentences that hold most of the query's words.

    \b
    aver search "Who founded Telemundo?" --in wiki
    """
    from aver.collection import Collection
    from aver.errors import InputError

    if not query.strip():
        raise InputError("the query is empty")
    with Collection(name) as collection:
        if words_only:
            hits = collection.bm25(query, limit=limit)
        else:
            hits = collection.search(query, limit=limit, sentences=sentences, follow=follow)
    if as_json:
        print_json({"query": query, "collection": name, "hits": [hit.as_dict() for hit in hits]})
        return
    if not hits:
        click.echo("nothing found")
    for place, hit in enumerate(hits, 1):
        because = f"  “{hit.mention.text}”" if hit.mention is not None else ""
        because += f" in: {hit.via.text}" if hit.via is not None else ""
        click.echo(f"{place:>2}. {click.style(hit.document.title, bold=True)}  {hit.score:.2f}{because}")
        for found in hit.sentences:
            if found.score > 0:
                click.echo(f"      {found.sentence.number}: {found.sentence.text}")
