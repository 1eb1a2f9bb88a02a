"""Dense search: the sentences of a whole collection nearest to a query, by their vectors.

Without FAISS every row is looked at, straight from the file and in blocks, so that memory stays small: exact, and fast
enough for a million sentences. With FAISS (extra `dense`) and an index over the rows, a few cells of it are looked at,
and the nearest of those are measured again on the rows themselves.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aver.collection._vectors import (
    DamagedVectors,
    Held,
    Vectors,
    check_files,
    file_names,
    open_rows,
    reading,
    settings_of,
)
from aver.errors import MissingExtra

__all__ = ["FAISS_FROM", "Near", "Rows", "build_faiss", "faiss_there"]

_BLOCK = 32_768
FAISS_FROM = 50_000
"""Rows from which on an index is worth its making."""
_PROBES = 128
_SAMPLE = 48
"""Rows for each cell that the cells are placed by."""


class Near(NamedTuple):
    """A row found: its document, the revision it was embedded at, which of its sentences, and the cosine."""

    document: int
    revision: int
    sentence: int
    """Which of the revision's sentences, counted from 0 in their order."""
    cosine: float


class Rows:
    """An encoder's vectors as they stood when this was made, for reading."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for attempt in range(5):
            try:
                with reading(folder):
                    self._load()
                return
            except FileNotFoundError:
                # they were moved together between our reading of the table and of the files
                if attempt == 4:
                    raise DamagedVectors(folder, "their files are not there") from None

    def _load(self) -> None:
        connection = open_rows(self._folder)
        try:
            connection.execute("BEGIN")
            said = settings_of(connection)
            held = connection.execute("SELECT document, revision, start, count FROM embedded ORDER BY start").fetchall()
        finally:
            connection.close()
        self.model = said["model"]
        self.generation = int(said["generation"])
        self.dimensions, self.count, self._number = int(said["dimensions"]), int(said["rows"]), int(said["file"])
        table = np.array(held, np.int64).reshape(-1, 4)
        if len(table) and (table[:, 2:].min() < 0 or (table[:, 2] + table[:, 3]).max() > self.count):
            raise DamagedVectors(self._folder, "their table is damaged")
        self._table, self._empty = table[table[:, 3] > 0], table[table[:, 3] == 0]
        codes, scales = file_names(self._folder, self._number)
        shape = (self.count, self.dimensions)
        if self.count:
            check_files(self._folder, self._number, self.count, self.dimensions)
            self._codes: NDArray[np.int8] = np.memmap(codes, np.int8, "r", shape=shape)
            self._scales: Vectors = np.memmap(scales, np.float32, "r", shape=(self.count,))
        else:
            self._codes, self._scales = np.zeros(shape, np.int8), np.zeros(0, np.float32)
        self._living = _covered(self._table, self.count)
        self._faiss: Any = None
        self._indexed = 0

    @property
    def held(self) -> dict[int, Held]:
        """What is embedded, by document, those without sentences too."""
        return {row[0]: Held(*row) for table in (self._table, self._empty) for row in table.tolist()}

    @property
    def living(self) -> int:
        """How many rows are some document's."""
        return int(self._living.sum())

    def of(self, document: int, revision: int) -> Vectors | None:
        """The vectors of a document's sentences, where they are there and of this revision."""
        found = np.flatnonzero(self._table[:, 0] == document)
        if not len(found) or self._table[found[0], 1] != revision:
            return None
        start, count = self._table[found[0], 2:]
        part = slice(int(start), int(start + count))
        return self._codes[part].astype(np.float32) * self._scales[part, None]

    def nearest(self, query: Vectors, limit: int, *, exact: bool = False) -> list[Near]:
        """The rows nearest to a query's vector, the nearest first."""
        if not self.count or limit < 1:
            return []
        search = self._approximate if not exact and self._open_faiss() else self._exact
        rows, scores = search(query, limit)
        # the row number decides between equals, so that the same query has the same answer
        order = np.lexsort((rows, -scores))[:limit]
        return [self._near(int(rows[at]), float(scores[at])) for at in order]

    def _near(self, row: int, score: float) -> Near:
        at = int(np.searchsorted(self._table[:, 2], row, side="right")) - 1
        document, revision, start, _ = map(int, self._table[at])
        return Near(document, revision, row - start, score)

    def _exact(self, query: Vectors, limit: int, first: int = 0) -> tuple[NDArray[np.int64], Vectors]:
        rows, scores = np.zeros(0, np.int64), np.zeros(0, np.float32)
        for start in range(first, self.count, _BLOCK):
            part = slice(start, min(start + _BLOCK, self.count))
            found = (self._codes[part].astype(np.float32) @ query) * self._scales[part]
            found[~self._living[part]] = -np.inf
            best = np.argpartition(-found, limit)[:limit] if len(found) > limit else np.arange(len(found))
            rows, scores = np.r_[rows, best + start], np.r_[scores, found[best]]
            if len(rows) > 8 * limit:
                best = np.argpartition(-scores, limit)[:limit]
                rows, scores = rows[best], scores[best]
        good = np.isfinite(scores)
        return rows[good], scores[good]

    # --- FAISS ---

    def _open_faiss(self) -> bool:
        if self._faiss is None:
            path, indexed = _newest(self._folder, self._number)
            if path is None or indexed > self.count or not faiss_there():
                return False
            import faiss

            try:
                self._faiss = faiss.read_index(str(path), faiss.IO_FLAG_MMAP)
            except RuntimeError:
                return False  # it is damaged, or gone this moment, and only a shortcut
            self._faiss.nprobe = _PROBES
            self._indexed = indexed
        return True

    def _approximate(self, query: Vectors, limit: int) -> tuple[NDArray[np.int64], Vectors]:
        _, found = self._faiss.search(query[None].astype(np.float32), 4 * limit + 32)
        rows = found[0][found[0] >= 0]
        rows = np.sort(rows[self._living[rows]])
        scores = (self._codes[rows].astype(np.float32) @ query) * self._scales[rows]
        # what was embedded since the index was made is looked at row by row
        late = self._exact(query, limit, first=self._indexed)
        return np.r_[rows, late[0]], np.r_[scores, late[1]]

    def blocks(self, first: int = 0) -> Iterator[tuple[int, Vectors]]:
        """All rows from a number on, dead ones too, in blocks: (first row, vectors)."""
        for start in range(first, self.count, _BLOCK):
            part = slice(start, min(start + _BLOCK, self.count))
            yield start, self._codes[part].astype(np.float32) * self._scales[part, None]

    def take(self, rows: Sequence[int] | NDArray[np.int64]) -> Vectors:
        """These rows."""
        return self._codes[rows].astype(np.float32) * self._scales[rows, None]


def _covered(table: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
    edges = np.zeros(count + 1, np.int32)
    np.add.at(edges, table[:, 2], 1)
    np.add.at(edges, table[:, 2] + table[:, 3], -1)
    return np.cumsum(edges)[:count] > 0


def faiss_there() -> bool:
    """Whether FAISS is installed."""
    try:
        import faiss  # noqa: F401
    except ImportError:
        return False
    return True


def build_faiss(folder: Path) -> int:
    """Makes FAISS's index over a store's rows, or adds new rows to the one that is there; says how many it holds."""
    if not faiss_there():
        raise MissingExtra("dense", "faiss")
    import faiss

    rows = Rows(folder)
    path, indexed = _newest(folder, rows._number)
    index: Any = None
    # cells are placed by the rows that were there: once as many have come again, they are placed anew
    if path is not None and indexed <= rows.count <= 2 * indexed:
        with contextlib.suppress(RuntimeError):  # it is damaged
            index = faiss.read_index(str(path), faiss.IO_FLAG_MMAP if indexed == rows.count else 0)
    if index is not None and indexed == rows.count:
        return indexed
    if index is None:
        cells = max(1, min(int(rows.count**0.5), rows.count // _SAMPLE))
        index = faiss.IndexIVFScalarQuantizer(
            faiss.IndexFlatIP(rows.dimensions), rows.dimensions, cells, faiss.ScalarQuantizer.QT_8bit,
            faiss.METRIC_INNER_PRODUCT,
        )  # fmt: skip
        chosen = np.sort(np.random.default_rng(0).choice(rows.count, min(rows.count, _SAMPLE * cells), replace=False))
        index.train(rows.take(chosen))
        indexed = 0
    for start, block in rows.blocks(indexed):
        index.add_with_ids(block, np.arange(start, start + len(block)))
    made = folder / f"faiss-{rows._number}-{rows.count}.index"
    faiss.write_index(index, f"{made}.new")
    Path(f"{made}.new").replace(made)
    if path is not None and path != made:
        path.unlink(missing_ok=True)
    return rows.count


def _newest(folder: Path, number: int) -> tuple[Path | None, int]:
    """The index over the most rows of these files, and over how many."""
    found = [(int(path.stem.rsplit("-", 1)[1]), path) for path in folder.glob(f"faiss-{number}-*.index")]
    count, path = max(found, default=(0, None))
    return path, count
