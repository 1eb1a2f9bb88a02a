"""Texts as vectors: what sentence selection and dense search compare by."""

from __future__ import annotations

import abc
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aver.errors import ModelError
from aver.models._folder import ModelFolder, installed, open_folder
from aver.models._pieces import readable

__all__ = ["MOST_CHARACTERS", "Encoder", "Vectors", "load_encoder", "open_pieces", "unit_rows"]

Vectors = NDArray[np.float32]

MOST_CHARACTERS = 20_000
"""Of a text; what comes behind is not looked at. A vector is one summary, and a longer text has none worth comparing:
it is split into sentences first, as collections do."""

_LOADED: dict[str, Encoder] = {}
_LOCK = threading.Lock()


class Encoder(abc.ABC):
    """Turns texts into vectors whose inner product says how near they are; `load_encoder` gives you one.

    An encoder is safe to use from several threads at once. A text's vector does not depend on the other texts.
    """

    name: str
    """As it is asked for."""
    model: str
    """Name and content hash: `name@0123456789ab`."""
    dimensions: int

    @abc.abstractmethod
    def encode(self, texts: Sequence[str]) -> Vectors:
        """A row of length 1 for each text, or of zeros where a text has no word that is known."""


def load_encoder(name: str | os.PathLike[str] = "static") -> Encoder:
    """The encoder of that name: `static` comes with aver; a folder holds another.

    A folder is one that `aver train embed` made, or any sentence encoder as ONNX: `tokenizer.json` and `model.onnx`
    (or `onnx/model.onnx`), pooled by the mean. Each is loaded once and shared.

    >>> encoder = load_encoder("static")
    >>> texts = ["The ship sank in 1912.", "A vessel that had sunk.", "Tea is grown in Asia."]
    >>> claim, near, far = encoder.encode(texts)
    >>> bool(claim @ near > claim @ far)
    True
    >>> load_encoder("statik")
    Traceback (most recent call last):
    aver.errors.ModelError: there is no encoder 'statik'; installed: static. A folder with tokenizer.json and \
model.onnx can be named too
    """
    spec = os.fspath(name)
    models = installed(kind="encoder")
    if spec in models:
        path = models[spec].path
    elif Path(spec).exists() or os.sep in spec:
        path = Path(spec)
    else:
        names, others = ", ".join(models) or "none", "A folder with tokenizer.json and model.onnx can be named too"
        if spec == "default" or spec in installed():
            raise ModelError(f"there is no encoder {spec!r}: it is a judge; encoders: {names}. {others}")
        raise ModelError(f"there is no encoder {spec!r}; installed: {names}. {others}")
    key = _state(path)
    with _LOCK:
        if key not in _LOADED:
            _LOADED[key] = _opened(path)
        return _LOADED[key]


def _opened(path: Path) -> Encoder:
    from aver.models._encoder_onnx import OnnxEncoder
    from aver.models._encoder_static import StaticEncoder

    if (path / "card.json").is_file():
        folder = open_folder(path)
        if folder.kind != "encoder":
            raise ModelError(f"{path}: is a {folder.kind}, not an encoder; `aver models list` says which is which")
        return StaticEncoder(folder)
    return OnnxEncoder(path)


def _state(path: Path) -> str:
    """What has to be the same for an encoder that is loaded already to be the one that is asked for."""
    files = [path / name for name in ("card.json", "model.onnx", "onnx/model.onnx", "tokenizer.json")]
    stats = [(file.stat().st_mtime_ns, file.stat().st_size) for file in files if file.is_file()]
    return f"{path.resolve()} {stats}"


def open_pieces(folder: ModelFolder) -> Any:
    """A folder's tokenizer."""
    tokenizer = folder.read_tokenizer()
    tokenizer.no_padding()
    # "[SEP]" in a text is five characters of text
    tokenizer.encode_special_tokens = True
    return tokenizer


def shortened(texts: Sequence[str]) -> list[str]:
    """The texts as a tokenizer takes them."""
    return [readable(text[:MOST_CHARACTERS]) for text in texts]


def unit_rows(rows: Vectors) -> Vectors:
    """Rows of length 1; zeros stay zeros."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    unit: Vectors = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit
