"""A model's folder: its card, its tokenizer, its weights, and whether they are what the card says."""

from __future__ import annotations

import dataclasses
import hashlib
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from aver.errors import ModelError
from aver.models._judge import ORDER

__all__ = ["WEIGHTS", "ModelFolder", "installed", "open_folder"]

WEIGHTS = Path(__file__).parent / "weights"


@dataclasses.dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model on disk."""

    path: Path
    card: Mapping[str, Any]

    @property
    def name(self) -> str:
        return str(self.card.get("name", self.path.name))

    @property
    def kind(self) -> str:
        """`judge`, or `encoder` for what turns texts into vectors."""
        return str(self.card.get("kind", "judge"))

    @property
    def parts(self) -> tuple[Path, ...]:
        return tuple(self.path / part for part in self.card.get("parts", ["model.onnx"]))

    @property
    def size(self) -> int:
        """Bytes of the weights and the tokenizer."""
        return sum(p.stat().st_size for p in (*self.parts, self.path / "tokenizer.json") if p.is_file())

    def read_weights(self) -> tuple[bytes, str]:
        """The file of weights, joined from its parts and unpacked, and its SHA-256; a ModelError where it is not
        the card's."""
        data = bytearray()
        for part in self.parts:
            try:
                data += part.read_bytes()
            except OSError as error:
                raise ModelError(f"{part}: cannot be read: {error.strerror}; install the model again") from error
        if self.card.get("compression") == "zlib":
            try:
                data = bytearray(zlib.decompress(data))
            except zlib.error as error:
                raise ModelError(f"{self.path}: the weights are damaged ({error}): install the model again") from error
        digest = hashlib.sha256(data).hexdigest()
        said = self.card.get("sha256")
        if said is not None and said != digest:
            raise ModelError(
                f"{self.path}: the weights have the hash {digest[:12]} and the card says {str(said)[:12]}; "
                "the files are damaged or mixed: install the model again"
            )
        return bytes(data), digest

    def read_tokenizer(self) -> Any:
        """The tokenizer; a ModelError where the card knows another, which would give other answers under the same
        name. A card that does not say is taken at its word."""
        from tokenizers import Tokenizer

        file = self.path / "tokenizer.json"
        try:
            data = file.read_bytes()
            tokenizer = Tokenizer.from_str(data.decode())
        except Exception as error:  # `tokenizers` raises bare Exceptions
            raise ModelError(f"{file} cannot be read: {error}") from error
        digest = hashlib.sha256(data).hexdigest()
        said = self.card.get("tokenizer_sha256")
        if said is not None and said != digest:
            raise ModelError(
                f"{file}: has the hash {digest[:12]} and the card says {str(said)[:12]}; the files are damaged or "
                "mixed: install the model again, or train a model with this tokenizer"
            )
        return tokenizer


def open_folder(path: Path) -> ModelFolder:
    """Reads a folder's card and checks that everything the card needs is there."""
    file = path / "card.json"
    if not path.is_dir():
        raise ModelError(f"{path}: there is no such folder")
    try:
        card = orjson.loads(file.read_bytes())
    except OSError:
        raise ModelError(f"{path}: has no card.json, so it is no model of aver's; "
                         "for a Hugging Face model write hf: before the folder") from None  # fmt: skip
    except orjson.JSONDecodeError as error:
        raise ModelError(f"{file}: broken JSON: {error.msg}") from error
    if not isinstance(card, dict):
        raise ModelError(f"{file}: expected a JSON object")
    folder = ModelFolder(path, card)
    missing = [p.name for p in (*folder.parts, path / "tokenizer.json") if not p.is_file()]
    if missing:
        raise ModelError(f"{path}: lacks {', '.join(missing)}; install the model again")
    labels = card.get("labels", [label.value for label in ORDER])
    if sorted(map(str, labels)) != sorted(label.value for label in ORDER):
        raise ModelError(f"{file}: labels are {labels}; they must be SUPPORTS, REFUTES, NOT_ENOUGH_INFO in any order")
    order = card.get("pair", "evidence_first")
    if order not in ("evidence_first", "claim_first"):
        raise ModelError(f"{file}: pair is {order!r}; it must be evidence_first or claim_first")
    return folder


def installed(*, kind: str | None = "judge") -> dict[str, ModelFolder]:
    """The models of a kind (None: of every kind) that came with aver, by name, the default first."""
    if not WEIGHTS.is_dir():
        return {}
    found = {path.name: open_folder(path) for path in sorted(WEIGHTS.iterdir()) if (path / "card.json").is_file()}
    wanted = {name: folder for name, folder in found.items() if kind in (None, folder.kind)}
    return dict(sorted(wanted.items(), key=lambda item: (item[1].kind != "judge", item[0] != "default", item[0])))
