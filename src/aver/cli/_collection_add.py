"""`aver collection add`: a shell over `aver.Collection.add`."""

from __future__ import annotations

import sys

import click

from aver.cli._collection_report import adding, finish
from aver.cli._output import json_option

__all__ = ["command"]


@click.command("add")
@click.argument("name")
@click.argument("paths", nargs=-1, required=True)
@click.option("--format", "format_", metavar="FORMAT", help="Read every file as this; default: by name and content.")
@click.option("--id-field", metavar="FIELD", help="The field of a row that names the document.")
@click.option("--title-field", metavar="FIELD", help="The field of a row that is its title.")
@click.option("--text-field", metavar="FIELD", help="The field of a row that is its text.")
@click.option("--encoding", help="Of text files; default: UTF-8, or what the file says.")
@click.option(
    "--namespace", "namespaces", type=int, multiple=True, metavar="N", help="Of a MediaWiki dump; default: 0, articles."
)
@json_option
def command(
    name: str,
    paths: tuple[str, ...],
    format_: str | None,
    id_field: str | None,
    title_field: str | None,
    text_field: str | None,
    encoding: str | None,
    namespaces: tuple[int, ...],
    as_json: bool,
) -> None:
    """Add files and folders to a collection; make it where there is none.

    Takes plain text, Markdown, HTML, PDF, JSON lines, CSV, Parquet, FEVER's wiki-pages and MediaWiki XML dumps,
    compressed or not; - is standard input, JSON lines or with --format csv a table. A document that is there already is
    left alone or, where its text has changed, gets a new revision beside the old one. Two files that say different
    things under one id are a fault, unless one was added before: then the later one counts. Interrupt it at any moment:
    the same command does the rest. A file that cannot be read fails alone; the command then exits with 1, or with 2 if
    nothing could be read.

    \b
    aver collection add archive ~/articles notes.pdf
    aver collection add wiki wiki-pages/ enwiki-latest-pages-articles.xml.bz2
    aver collection add news news.jsonl --id-field url --title-field headline --text-field body
    """
    from aver.collection import AddReport, Collection, ReadOptions, collection_folder
    from aver.collection._home import DATABASE
    from aver.collection.readers import FORMATS, read_lines, read_table
    from aver.errors import InputError

    if format_ is not None and format_ not in FORMATS:
        raise InputError(f"there is no format {format_!r}; there are: {', '.join(FORMATS)}")
    if "-" in paths and format_ not in (None, "csv", "jsonl"):
        raise InputError(
            f"standard input is read as JSON lines or, with --format csv, as a table; save what is {format_} to a "
            "file, and name that"
        )
    if encoding is not None:
        try:
            "".encode(encoding)
        except LookupError:
            raise InputError(f"there is no encoding {encoding!r}") from None
    options = ReadOptions(
        format=format_,
        id_field=id_field,
        title_field=title_field,
        text_field=text_field,
        encoding=encoding,
        namespaces=namespaces or (0,),
    )
    files = [path for path in paths if path != "-"]
    existed = (collection_folder(name) / DATABASE).is_file()
    with Collection(name, create=True) as collection:
        try:
            with adding(files) as progress:
                reports = collection.add(files, options=options, progress=progress).files if files else ()
                if len(files) < len(paths):
                    read = read_table if format_ == "csv" else read_lines
                    rows = read(sys.stdin.buffer, "standard input", options)
                    reports += (collection.add_documents(rows, name="standard input", progress=progress),)
        finally:
            if not existed and not len(collection) and not collection.info().aliases:
                # nothing went in: leave nothing behind
                collection.delete()
    finish(name, AddReport(reports), as_json=as_json)
