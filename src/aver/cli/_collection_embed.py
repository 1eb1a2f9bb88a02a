"""`aver collection embed`: a shell over `aver.Collection.embed`."""

from __future__ import annotations

import time

import click

from aver.cli._output import json_option, print_json, print_notes, progress
from aver.errors import count_of

__all__ = ["command"]


@click.command("embed")
@click.argument("name")
@click.option("--model", default="static", show_default=True, help="The encoder: a name, or a folder with an ONNX one.")
@click.option("--index/--no-index", default=None, help="Have FAISS index the vectors.  [default: where it pays]")
@json_option
def command(name: str, model: str, index: bool | None, as_json: bool) -> None:
    """Give every sentence a vector, for dense search.

    Only what is new or has changed is embedded; what was removed loses its vectors. Stopped at any moment, it goes on
    when it is run again. The vectors lie in the collection's folder, those of every encoder by themselves. Without
    FAISS (extra `dense`) a search looks at every vector, which is exact; with it, at an index of them.

    \b
    aver collection embed archive
    aver search "ships that hit ice" --in archive --dense
    """
    from aver.collection import Collection
    from aver.models import load_encoder

    began = time.monotonic()
    encoder = load_encoder(model)
    with Collection(name) as collection, progress("embedding documents", len(collection)) as advance:
        report = collection.embed(encoder, progress=advance, index=index)
    if as_json:
        print_json({"collection": name} | report.as_dict())
        return
    counts = f"{count_of(report.documents, 'document')} embedded ({count_of(report.sentences, 'sentence')})"
    counts += f", {report.unchanged:,} unchanged"
    gone = f", {report.forgotten:,} removed or changed" if report.forgotten else ""
    indexed = f"; FAISS has {count_of(report.indexed, 'row')}" if report.indexed else ""
    click.echo(f"{name}: {counts}{gone} in {time.monotonic() - began:.1f} s with {report.model}{indexed}")
    if report.damage is not None:
        print_notes([f"the vectors that were there could not be read: {report.damage}; all were made anew"])
