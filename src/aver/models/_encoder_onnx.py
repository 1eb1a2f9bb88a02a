"""Any sentence encoder as ONNX: a transformer whose token vectors are averaged."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from aver.errors import ModelError
from aver.models._encoder import Encoder, Vectors, open_pieces, shortened, unit_rows
from aver.models._folder import ModelFolder
from aver.models._windowed import thread_count

__all__ = ["OnnxEncoder"]

_TOKENS = 256
"""Of a text that are read; sentences are shorter."""
_BATCH_TOKENS = 2048


class OnnxEncoder(Encoder):
    """An encoder from a folder with `tokenizer.json` and `model.onnx` (or `onnx/model.onnx`), as the hub has them.

    A graph that gives one vector for a text (an output named `sentence_embedding`) is taken at its word; of any other
    the token vectors are averaged. A batch holds texts of one length, so that none needs padding.
    """

    def __init__(self, folder: Path, *, threads: int | None = None) -> None:
        import onnxruntime

        file = next((path for path in (folder / "model.onnx", folder / "onnx" / "model.onnx") if path.is_file()), None)
        if file is None or not (folder / "tokenizer.json").is_file():
            raise ModelError(f"{folder}: is no encoder: it needs tokenizer.json, and model.onnx or onnx/model.onnx")
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        self.name, self.model = str(folder), f"{folder.resolve().name}@{digest[:12]}"
        self._tokenizer = open_pieces(ModelFolder(folder, {}))
        self._tokenizer.enable_truncation(_TOKENS)
        self._threads = thread_count(threads)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            # by name and not by content: a large model keeps its weights in a second file beside the graph
            self._session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime raises types of its own making, not importable by name
            raise ModelError(f"{file}: no ONNX graph that this onnxruntime runs: {error}") from error
        self._inputs = {given.name for given in self._session.get_inputs()}
        outputs = [output.name for output in self._session.get_outputs()]
        self._output = "sentence_embedding" if "sentence_embedding" in outputs else outputs[0]
        if unknown := self._inputs - {"input_ids", "attention_mask", "token_type_ids"}:
            raise ModelError(f"{file}: wants {', '.join(sorted(unknown))}, which a sentence encoder does not")
        self.dimensions = int(self._run(self._pieces(["a"])).shape[1])

    def encode(self, texts: Sequence[str]) -> Vectors:
        made = np.zeros((len(texts), self.dimensions), np.float32)
        pieces = self._pieces(texts)
        batches = list(_same_length(pieces))
        with ThreadPoolExecutor(self._threads) as pool:
            found = pool.map(self._run, [[pieces[row] for row in rows] for rows in batches])
            for rows, vectors in zip(batches, found, strict=True):
                made[rows] = vectors
        blank = [row for row, text in enumerate(texts) if not any(c.isalnum() for c in text)]
        made[blank] = 0
        return made

    def _pieces(self, texts: Sequence[str]) -> list[list[int]]:
        return [found.ids for found in self._tokenizer.encode_batch(shortened(texts))]

    def _run(self, pieces: Sequence[Sequence[int]]) -> Vectors:
        ids = np.array(pieces, np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        (found,) = self._session.run([self._output], {k: v for k, v in feed.items() if k in self._inputs})
        vectors = np.asarray(found, np.float32)
        if vectors.ndim == 3:
            vectors = vectors.mean(axis=1)
        if vectors.ndim != 2 or len(vectors) != len(pieces):
            raise ModelError(f"{self.name}: the output {self._output} has the shape {vectors.shape}; no text vectors")
        return unit_rows(vectors)


def _same_length(pieces: Sequence[Sequence[int]]) -> list[list[int]]:
    """Rows of one length each, as many as a batch holds."""
    batches: list[list[int]] = []
    for row in sorted(range(len(pieces)), key=lambda r: (len(pieces[r]), r)):
        length = max(1, len(pieces[row]))
        last = batches[-1] if batches else []
        if last and len(pieces[last[0]]) == len(pieces[row]) and (len(last) + 1) * length <= _BATCH_TOKENS:
            last.append(row)
        else:
            batches.append([row])
    return batches
