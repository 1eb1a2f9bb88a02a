"""Documents by their vectors, and by vectors and words together."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from aver.collection._dense import Near, Rows
from aver.collection._documents import Document, Hit, ScoredSentence
from aver.collection._reading import Tables
from aver.collection._vectors import (
    DamagedVectors,
    Vectors,
    folder_name,
    how_to_embed,
    open_rows,
    reading,
    settings_of,
    stores,
)
from aver.errors import InputError

__all__ = ["OpenRows", "dense", "fused"]

_FIRST = 60
"""As in the paper that introduced reciprocal rank fusion (Cormack and others, 2009)."""


class OpenRows:
    """The vectors of a collection that are open, each as of its last change."""

    def __init__(self, vectors: Path) -> None:
        self._vectors = vectors
        self._open: dict[str, Rows] = {}
        self._lock = threading.Lock()

    def get(self, model: str, name: str) -> Rows:
        """The vectors of an encoder; where there are none, or damaged ones, an error that says how they are made."""
        folder = self._vectors / folder_name(model)
        if not (folder / "rows.sqlite").is_file():
            others = [path.name for path in stores(self._vectors)]
            has = f" (it has those of {', '.join(others)}: name that encoder)" if others else ""
            raise InputError(f"{name} has no vectors of {model}{has}; make them with: aver collection embed {name}")
        try:
            with reading(folder), closing(open_rows(folder)) as connection:
                generation = int(settings_of(connection)["generation"])
            with self._lock:
                rows = self._open.get(model)
                if rows is None or rows.generation != generation:
                    rows = self._open[model] = Rows(folder)
                return rows
        except DamagedVectors as error:
            raise InputError(f"{error}; make them anew with: {how_to_embed(name, folder)}") from error


def dense(tables: Tables, rows: Rows, query: Vectors, limit: int, sentences: int, *, exact: bool = False) -> list[Hit]:
    """The documents with the sentences nearest to the query; a document is as near as its nearest sentence.

    What was removed or changed since it was embedded is left out.
    """
    wanted = 8 * limit
    while True:
        found = rows.nearest(query, wanted, exact=exact)
        documents = tables.documents({near.document for near in found})
        best: dict[int, Near] = {}
        for near in found:
            document = documents.get(near.document)
            if document is not None and document.revision == near.revision:
                best.setdefault(near.document, near)
        if len(best) >= limit or len(found) < wanted:
            break
        wanted *= 4
    return [
        Hit(documents[number], near.cosine, 0.0, None, _sentences(tables, rows, query, documents[number], sentences))
        for number, near in list(best.items())[:limit]
    ]


def _sentences(
    tables: Tables, rows: Rows, query: Vectors, document: Document, count: int
) -> tuple[ScoredSentence, ...]:
    vectors = rows.of(document.id, document.revision) if count > 0 else None
    if vectors is None:
        return ()
    stored = tables.sentences(document.revision, document.id, document.text)
    cosines = vectors @ query
    order = np.argsort(-cosines, kind="stable")[:count]
    return tuple(ScoredSentence(stored[at], float(cosines[at])) for at in order)


def fused(rankings: Sequence[Sequence[Hit]], limit: int) -> list[Hit]:
    """Several rankings made one by the places documents have in them: each adds 1 / (60 + place).

    A document's other fields are those of the first ranking that has it; its score is the sum.
    """
    scores: dict[int, float] = {}
    hits: dict[int, Hit] = {}
    for ranking in rankings:
        for place, hit in enumerate(ranking, 1):
            scores[hit.document.id] = scores.get(hit.document.id, 0.0) + 1 / (_FIRST + place)
            hits.setdefault(hit.document.id, hit)
    order = sorted(scores, key=lambda number: (-scores[number], number))[:limit]
    return [dataclasses.replace(hits[number], score=scores[number]) for number in order]
