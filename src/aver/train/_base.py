"""The general encoder a judge is trained from: a folder, or a hub id that becomes one."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

from aver.errors import BackendError, MissingExtra, ModelError, Problems

__all__ = ["DEFAULT_BASE", "FAST_BASE", "Base", "fetched", "licence_of", "open_base", "open_tokenizer", "same_pieces"]

DEFAULT_BASE = "sentence-transformers/all-mpnet-base-v2"
FAST_BASE = "sentence-transformers/all-MiniLM-L6-v2"

# What their pages on the hub say; a folder of files alone says nothing of it.
_LICENCES = {"all-mpnet-base-v2": "Apache-2.0", "all-MiniLM-L6-v2": "Apache-2.0"}
_FILES = ("config.json", "model.safetensors", "tokenizer.json")
_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")


@dataclasses.dataclass(frozen=True, slots=True)
class Base:
    """A BERT or MPNet encoder with BERT's uncased word pieces."""

    name: str
    """As it was asked for, or the last part of a folder's path."""
    folder: Path
    config: dict[str, Any]
    licence: str

    @property
    def mpnet(self) -> bool:
        return bool(self.config["model_type"] == "mpnet")

    @property
    def shift(self) -> int:
        """How much higher than BERT's this vocabulary counts: MPNet puts four special tokens before BERT's."""
        return 4 if self.mpnet else 0


def open_base(spec: str) -> Base:
    """A folder's encoder, checked; what is no folder and reads like `owner/name` is brought from the hub.

    >>> open_base("no such folder")
    Traceback (most recent call last):
    aver.errors.ModelError: no such folder: there is no such folder, and it is no hub id like owner/name
    """
    folder = fetched(spec)
    name = Path(spec).resolve().name if Path(spec).is_dir() else spec
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise ModelError(f"{folder / 'config.json'}: cannot be read: {error}") from error
    _check(folder, config)
    return Base(name, folder, config, licence_of(folder, name))


def fetched(spec: str) -> Path:
    """The folder of a base, which is `spec` itself or comes from the hub; it has the files a base needs."""
    if Path(spec).is_dir():
        folder = Path(spec)
    elif _HUB_ID.fullmatch(spec) and not spec.startswith("."):
        folder = _from_hub(spec)
    else:
        raise ModelError(f"{spec}: there is no such folder, and it is no hub id like owner/name")
    missing = [file for file in _FILES if not (folder / file).is_file()]
    if missing:
        raise ModelError(f"{folder}: lacks {', '.join(missing)}; a base needs {', '.join(_FILES)}")
    return folder


def open_tokenizer(folder: Path) -> Any:
    """The base's tokenizer, as the shipped models carry it: nothing cut, nothing padded."""
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception as error:  # `tokenizers` raises bare Exceptions
        raise ModelError(f"{folder / 'tokenizer.json'}: cannot be read: {error}") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    # "[SEP]" in a text is five characters of text, to the judge at work as well
    tokenizer.encode_special_tokens = True
    return tokenizer


def same_pieces(one: Base, other: Base) -> bool:
    """Whether rows packed for one can be read by the other: the same word pieces, up to the family's shift."""
    first, second = (open_tokenizer(base.folder).get_vocab() for base in (one, other))
    left, right = (
        {piece: number - base.shift for piece, number in vocabulary.items() if not re.fullmatch(r"</?\w+>", piece)}
        for base, vocabulary in ((one, first), (other, second))
    )
    return left == right


def _from_hub(spec: str) -> Path:
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        raise MissingExtra("train", "huggingface_hub") from None
    try:
        return Path(snapshot_download(spec, allow_patterns=[*_FILES, "README.md"]))
    except Exception as error:  # the hub's errors are many, and some come from the network layer below it
        raise BackendError(
            f"{spec}: cannot be brought from the hub ({type(error).__name__}); is the name right, is there a network? "
            "A folder with the base's files can be named instead"
        ) from error


def _check(folder: Path, config: dict[str, Any]) -> None:
    """Refuses what the encoder or the packing does not know, before hours are spent on it."""
    problems = Problems()
    kind = config.get("model_type")
    if kind not in ("bert", "mpnet"):
        problems.add("config.json", f"model_type is {kind!r}; it must be bert or mpnet")
    if config.get("hidden_act", "gelu") != "gelu":
        problems.add("config.json", f"hidden_act is {config['hidden_act']!r}; it must be gelu")
    if config.get("position_embedding_type", "absolute") != "absolute":
        problems.add("config.json", "position_embedding_type must be absolute")
    tokenizer = open_tokenizer(folder)
    shift = 4 if kind == "mpnet" else 0
    wanted = {"[unused0]": 1 + shift, "[unused23]": 24 + shift, "[UNK]": 100 + shift}
    wanted |= {"<s>": 0, "<pad>": 1, "</s>": 2} if shift else {"[PAD]": 0, "[CLS]": 101, "[SEP]": 102}
    for piece, number in wanted.items():
        found = tokenizer.token_to_id(piece)
        if found != number:
            problems.add("tokenizer.json", f"{piece} is {found}; in BERT's uncased vocabulary it is {number}")
    problems.raise_if_any(f"{folder}: is no base for a judge; it must be BERT or MPNet with BERT's uncased word pieces")


def licence_of(folder: Path, name: str) -> str:
    """From the front matter of the folder's README, where there is one."""
    readme = folder / "README.md"
    if readme.is_file():
        found = re.search(r"^license:\s*([\w.-]+)", readme.read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
        if found:
            return found[1]
    return _LICENCES.get(name.rsplit("/", 1)[-1], "not stated with the files")
