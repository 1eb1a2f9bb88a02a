"""A static encoder: a table of word-piece vectors. A text's vector is the sum of its pieces', made as long as 1.

There is no network to run: a look-up and an addition for each piece. The table is kept in eight bits with a factor for
each piece, which holds the learned weight of the piece too: "the" is nearly nothing, a name a great deal.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np

from aver.errors import ModelError
from aver.models._encoder import Encoder, Vectors, open_pieces, shortened, unit_rows
from aver.models._folder import ModelFolder

__all__ = ["StaticEncoder", "packed_table"]

_BATCH = 4096


class StaticEncoder(Encoder):
    """An encoder from a folder whose card says `"kind": "encoder"`."""

    def __init__(self, folder: ModelFolder) -> None:
        data, digest = folder.read_weights()
        self.name, self.model = folder.name, f"{folder.name}@{digest[:12]}"
        self._table = _unpacked(data, folder)
        self.dimensions = int(self._table.shape[1])
        self._tokenizer = open_pieces(folder)
        self._tokenizer.no_truncation()
        if self._tokenizer.get_vocab_size() > len(self._table):
            raise ModelError(
                f"{folder.path}: the tokenizer has {self._tokenizer.get_vocab_size():,} pieces and the table "
                f"{len(self._table):,}; they do not belong together: install the model again"
            )

    def encode(self, texts: Sequence[str]) -> Vectors:
        made = np.zeros((len(texts), self.dimensions), np.float32)
        for start in range(0, len(texts), _BATCH):
            part = shortened(texts[start : start + _BATCH])
            ids = [found.ids for found in self._tokenizer.encode_batch_fast(part, add_special_tokens=False)]
            held = [row for row, pieces in enumerate(ids) if pieces]
            if not held:
                continue
            # each text's pieces are added up in their order: its vector does not depend on the other texts
            pieces = np.concatenate([np.asarray(ids[row], np.int64) for row in held])
            ends = np.cumsum([len(ids[row]) for row in held])
            sums = np.add.reduceat(self._table[pieces], np.r_[0, ends[:-1]], axis=0)
            made[start + np.array(held)] = unit_rows(sums)
        return made


def packed_table(table: Vectors) -> bytes:
    """A table in eight bits, as a StaticEncoder reads it: an uncompressed .npz without any pickle.

    >>> from pathlib import Path
    >>> data = packed_table(np.array([[1.0, -0.5], [0.0, 0.0]], np.float32))
    >>> _unpacked(data, ModelFolder(Path("table"), {})).round(2).tolist()
    [[1.0, -0.5], [0.0, 0.0]]
    """
    largest = np.abs(table).max(axis=1)
    scales = (largest / 127).astype(np.float16)
    safe = np.where(scales > 0, scales.astype(np.float32), 1)[:, None]
    codes = np.clip(np.rint(table / safe), -127, 127).astype(np.int8)
    codes[scales == 0] = 0
    file = io.BytesIO()
    np.savez(file, codes=codes, scales=scales)
    return file.getvalue()


def _unpacked(data: bytes, folder: ModelFolder) -> Vectors:
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            codes, scales = arrays["codes"], arrays["scales"]
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise ModelError(f"{folder.path}: the table cannot be read: {error}; install the model again") from error
    if codes.dtype != np.int8 or codes.ndim != 2 or scales.shape != codes.shape[:1]:
        raise ModelError(f"{folder.path}: is no table of word-piece vectors; install the model again")
    table: Vectors = codes.astype(np.float32) * scales.astype(np.float32)[:, None]
    return table
