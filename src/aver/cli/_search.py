"""`aver search`: a shell over `aver.Collection.search`, `.bm25`, `.dense` and `.hybrid`."""

from __future__ import annotations

import click

from aver.cli._output import json_option, on_one_line, print_json

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
@click.option("--dense", "by_vectors", is_flag=True, help="Rank by the vectors that `aver collection embed` made.")
@click.option("--hybrid", is_flag=True, help="Rank by words, names and vectors together.")
@click.option("--exact", is_flag=True, help="With --dense: look at every vector, though FAISS has an index.")
@click.option("--model", metavar="ENCODER", help="The encoder of the vectors.  [default: static]")
@json_option
def command(
    query: str, name: str, limit: int, sentences: int, follow: int, words_only: bool, by_vectors: bool, hybrid: bool,
    exact: bool, model: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Find documents and sentences in a collection.

    Documents are ranked by BM25 over title and text together with the names of the collection that stand in the
    query; under each are the sentences that hold most of the query's words. With --dense they are ranked by the
    vectors of their sentences, and with --hybrid by both.

    \b
    aver search "Who founded Telemundo?" --in wiki
    aver search "broadcaster in Spanish" --in wiki --dense
    """
    from aver.collection import Collection
    from aver.errors import InputError
    from aver.models import load_encoder

    if not query.strip():
        raise InputError("the query is empty")
    if sum((words_only, by_vectors, hybrid)) > 1:
        raise click.UsageError("--bm25, --dense and --hybrid exclude each other")
    if (exact and not by_vectors) or (model is not None and not (by_vectors or hybrid)):
        raise click.UsageError("--exact goes with --dense, and --model with --dense or --hybrid")
    encoder = load_encoder(model or "static") if by_vectors or hybrid else None
    with Collection(name) as collection:
        if words_only:
            hits = collection.bm25(query, limit=limit)
        elif encoder is not None and by_vectors:
            hits = collection.dense(query, encoder, limit=limit, sentences=sentences, exact=exact)
        elif encoder is not None:
            hits = collection.hybrid(query, encoder, limit=limit, sentences=sentences)
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
        score = f"{hit.score:.4f}" if hybrid else f"{hit.score:.2f}"
        click.echo(f"{place:>2}. {click.style(hit.document.title, bold=True)}  {score}{because}")
        for found in hit.sentences:
            if found.score > 0:
                click.echo(f"      {found.sentence.number + 1}: {on_one_line(found.sentence.text)}")
