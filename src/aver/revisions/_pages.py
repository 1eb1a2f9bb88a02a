"""Pages to make pairs from: JSON lines with a title and a text, or a plain text file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from aver.collection.readers import decompressed, prose_of, refuse_rows
from aver.errors import InputError, Problems
from aver.records import bad_byte, iter_records, place_name, read_bytes
from aver.revisions._synthesise import Passage
from aver.text import split_sentences

__all__ = ["read_pages"]

_JSON = (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz", ".json", ".json.gz")


def read_pages(path: str | os.PathLike[str], *, problems: Problems | None = None) -> Iterator[Passage]:
    """The pages of a file: a JSON object a line with `title` and `text` or `sentences`, or one page of text.

    A file is read as JSON lines where its name says so (.jsonl, .jsonl.gz …); anything else is a text, titled by
    the file's name; of HTML, Markdown and PDF what a reader sees. Standard input (`-`) is JSON lines where it begins
    with `{`, else a text without a title. A page that cannot be used raises an InputError, or is noted in
    `problems` and passed over.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "Mount_Fuji.txt")
    ...     _ = file.write_text("Mount Fuji is 3,776 m high. It last erupted in 1707.")
    ...     list(read_pages(file))
    [Passage(title='Mount Fuji', sentences=['Mount Fuji is 3,776 m high.', 'It last erupted in 1707.'])]
    """
    own = Problems() if problems is None else problems
    name = place_name(path)
    if name.lower().endswith(_JSON):
        found = 0
        for place, fields in iter_records(path, problems=problems):
            page = _page(place, fields, own)
            if problems is None:
                own.raise_if_any("these pages cannot be used")
            found += 1
            if page is not None:
                yield page
        if not found and not len(own):
            raise InputError(f"{name}: is empty; a page a line is wanted, with `title` and `text` or `sentences`")
        return
    rows = "pages in rows go in as JSON lines (.jsonl), with `title` and `text`"
    refuse_rows(path, rows=rows)
    data = decompressed(read_bytes(path), name)
    if name == "standard input" and data.lstrip()[:1] == b"{":
        yield from _from_bytes(data, name, own)
        if problems is None:
            own.raise_if_any("these pages cannot be used")
        return
    seen = prose_of(data, path, rows=rows)
    try:
        text = data.decode("utf-8-sig") if seen is None else seen
    except UnicodeDecodeError as error:
        byte = bad_byte(data, error)
        start = data.rfind(b"\n", 0, byte - 1) + 1
        line = data[:start].count(b"\n") + 1
        raise InputError(
            f"{name} line {line}: not UTF-8 at byte {byte - start} of the line; save the file as UTF-8"
        ) from error
    if not text.strip():
        raise InputError(f"{name}: is empty; there is nothing to make pairs from")
    title = "" if name == "standard input" else Path(name).name.removesuffix(".gz").rsplit(".", 1)[0].replace("_", " ")
    yield Passage(title.strip(), [sentence.text for sentence in split_sentences(text)])


def _from_bytes(data: bytes, name: str, problems: Problems) -> Iterator[Passage]:
    import orjson

    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            fields = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            problems.add(f"{name} line {number}", f"broken JSON at column {error.colno}: {error.msg}")
            continue
        if not isinstance(fields, dict):
            problems.add(f"{name} line {number}", "expected a JSON object")
            continue
        page = _page(f"{name} line {number}", fields, problems)
        if page is not None:
            yield page


def _page(place: str, fields: dict[str, Any], problems: Problems) -> Passage | None:
    title, text, sentences = fields.get("title", ""), fields.get("text"), fields.get("sentences")
    if not isinstance(title, str):
        problems.add(place, f"`title` must be a text, not {title!r:.40}")
    elif sentences is not None:
        if isinstance(sentences, list) and all(isinstance(s, str) for s in sentences) and sentences:
            return Passage(title, sentences)
        problems.add(place, "`sentences` must be a list of texts, with at least one in it")
    elif text is None:
        problems.add(place, "has neither `text` nor `sentences`")
    elif not isinstance(text, str) or not text.strip():
        problems.add(place, f"`text` must be a text with something in it, not {text!r:.40}")
    else:
        return Passage(title, [sentence.text for sentence in split_sentences(text)])
    return None
