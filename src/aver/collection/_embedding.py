"""Embedding a collection: every sentence gets a vector, what is gone loses its own, and a stopped run goes on."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from aver.collection._dense import FAISS_FROM, Rows, build_faiss, faiss_there
from aver.collection._documents import Document, VectorInfo
from aver.collection._lock import locked
from aver.collection._reading import Tables
from aver.collection._vectors import (
    DamagedVectors,
    Encoder,
    StoreWriter,
    clear,
    folder_name,
    how_to_embed,
    stores,
)
from aver.errors import InputError

__all__ = ["EmbedReport", "embed", "titled", "vector_info"]

_SENTENCES = 8_192
"""How many are embedded and stored at once."""


@dataclasses.dataclass(frozen=True, slots=True)
class EmbedReport:
    """What embedding did."""

    model: str
    documents: int
    """Documents whose sentences were embedded now."""
    sentences: int
    unchanged: int
    """Documents that had their vectors already."""
    forgotten: int
    """Documents that were removed or changed, whose vectors went."""
    indexed: int
    """Rows in FAISS's index; 0 without one, and then every row is looked at."""
    damage: str | None = None
    """Why vectors that were there could not be read; they were removed, and all are made anew."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self)


def titled(title: str, sentence: str) -> str:
    """What is embedded of a sentence: a pronoun says little without the title it stands under."""
    return f"{title}: {sentence}" if title else sentence


def embed(
    vectors: Path, tables: Tables, encoder: Encoder, *, progress: Callable[[int], None] | None, index: bool | None
) -> EmbedReport:
    """Brings the vectors of an encoder to what the tables say; `progress` is told of documents done."""
    folder = vectors / folder_name(encoder.model)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror}") from error
    with locked(folder, "embedding this collection with the same encoder"), contextlib.ExitStack() as opened:
        writer, damage = _writer(folder, encoder)
        opened.callback(writer.close)
        held = writer.held()
        current = dict(tables.connection.execute("SELECT id, revision FROM documents").fetchall())
        gone = [number for number, revision in held.items() if current.get(number) != revision]
        if gone:
            writer.forget(gone)
        wanted = sorted(number for number, revision in current.items() if held.get(number) != revision)
        if progress is not None:
            progress(len(current) - len(wanted))
        documents = sentences = 0
        for batch in _batches(tables, wanted):
            texts = [titled(document.title, text) for document, found in batch for text in found]
            made = encoder.encode(texts) if texts else np.zeros((0, encoder.dimensions), np.float32)
            writer.append([(document.id, document.revision, len(found)) for document, found in batch], made)
            documents, sentences = documents + len(batch), sentences + len(texts)
            if progress is not None:
                progress(len(batch))
        writer.compact()
    total = Rows(folder).count
    wanted_index = index if index is not None else faiss_there() and total >= FAISS_FROM
    indexed = build_faiss(folder) if wanted_index and total else 0
    return EmbedReport(encoder.model, documents, sentences, len(current) - len(wanted), len(gone), indexed, damage)


def _writer(folder: Path, encoder: Encoder) -> tuple[StoreWriter, str | None]:
    """Who writes the vectors; and why those that were there could not be read, where they had to go."""
    try:
        return StoreWriter(folder, encoder.model, encoder.dimensions), None
    except DamagedVectors as error:
        clear(folder)
        return StoreWriter(folder, encoder.model, encoder.dimensions), error.reason


def _batches(tables: Tables, numbers: list[int]) -> Iterator[list[tuple[Document, list[str]]]]:
    batch: list[tuple[Document, list[str]]] = []
    count = 0
    for start in range(0, len(numbers), 500):
        found = tables.documents(numbers[start : start + 500])
        for number in numbers[start : start + 500]:
            document = found.get(number)
            if document is None:
                continue  # it was removed a moment ago
            texts = [s.text for s in tables.sentences(document.revision, document.id, document.text)]
            batch.append((document, texts))
            count += len(texts)
            if count >= _SENTENCES:
                yield batch
                batch, count = [], 0
    if batch:
        yield batch


def vector_info(vectors: Path, tables: Tables, name: str) -> tuple[VectorInfo, ...]:
    """All vectors of a collection; those that cannot be read with the reason."""
    found = []
    current: dict[int, int] | None = None
    for folder in stores(vectors):
        if current is None:
            current = dict(tables.connection.execute("SELECT id, revision FROM documents").fetchall())
        size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
        try:
            rows = Rows(folder)
        except InputError as error:
            why = str(error).removeprefix(f"{folder}: the vectors ")
            if isinstance(error, DamagedVectors):
                why += f"; make them anew with: {how_to_embed(name, folder)}, or remove {folder}"
            found.append(VectorInfo(folder.name, 0, 0, 0, len(current), size, why))
            continue
        right = [row.sentences for row in rows.held.values() if current.get(row.document) == row.revision]
        found.append(VectorInfo(rows.model, rows.dimensions, len(right), sum(right), len(current) - len(right), size))
    return tuple(found)
