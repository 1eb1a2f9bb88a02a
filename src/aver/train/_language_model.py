"""The small language model that writes claims, and reads them: which one it is, and whether it can be computed here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from aver.errors import ModelError
from aver.text import MARKS
from aver.train._base import fetched
from aver.train._packed import Layout

__all__ = [
    "LANGUAGE_MODEL",
    "READERS",
    "SAID",
    "SCORES",
    "LanguageModel",
    "has_biases",
    "open_language_model",
    "reader_layout",
    "suited",
]

LANGUAGE_MODEL = "HuggingFaceTB/SmolLM2-135M-Instruct"
READERS, SCORES, SAID = ("reader-rows.npz", "reader-evaluation.npz"), "reader.evaluation.npz", "reader.judgements.npz"
"""A reader's files: the rows in its pieces, what it says of those to report on, and of those it is asked about."""
_NEEDED = (
    "eos_token_id", "hidden_size", "intermediate_size", "num_attention_heads", "num_hidden_layers", "rms_norm_eps",
    "vocab_size",
)  # fmt: skip


class LanguageModel(NamedTuple):
    """A Llama or Qwen2 with tied embeddings: its folder and its configuration."""

    folder: Path
    config: dict[str, Any]

    @property
    def name(self) -> str:
        return self.folder.resolve().name


def open_language_model(spec: str) -> LanguageModel:
    """A folder's model, checked; what is no folder and reads like `owner/name` is brought from the hub."""
    folder = fetched(spec)
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise ModelError(f"{folder / 'config.json'}: cannot be read: {error}") from error
    known = isinstance(config, dict) and config.get("model_type") in ("llama", "qwen2")
    if not known or not config.get("tie_word_embeddings"):
        raise ModelError(
            f"{folder}: a writer or reader is a Llama or Qwen2 whose word embeddings are tied, such as {LANGUAGE_MODEL}"
        )
    missing = [name for name in _NEEDED if config.get(name) is None]
    if missing:
        raise ModelError(f"{folder / 'config.json'}: has no {', '.join(missing)}")
    rope = config.get("rope_parameters") or config.get("rope_scaling") or {}
    other = {
        "hidden_act": config.get("hidden_act", "silu") != "silu",
        "attention_bias": bool(config.get("attention_bias")),
        "mlp_bias": bool(config.get("mlp_bias")),
        "rope_type": rope.get("rope_type", rope.get("type", "default")) != "default",
        "use_sliding_window": bool(config.get("use_sliding_window")),
    }
    if any(other.values()):
        named = ", ".join(name for name, is_other in other.items() if is_other)
        raise ModelError(
            f"{folder / 'config.json'}: {named} is none that is computed here; name a model such as {LANGUAGE_MODEL}"
        )
    return LanguageModel(folder, {"num_key_value_heads": config["num_attention_heads"]} | config)


def has_biases(config: Mapping[str, Any]) -> bool:
    """Whether the projections to queries, keys and values have them: a Qwen2's do, a Llama's here do not."""
    return bool(config["model_type"] == "qwen2")


def suited(rate: float, config: Mapping[str, Any]) -> float:
    """A rate that was found for a network 576 wide, for one of another width: less for a wider one.

    >>> round(suited(2e-4, {"hidden_size": 1536}), 6)
    2.8e-05
    """
    return rate * min(1.0, (576 / int(config["hidden_size"])) ** 2)


def reader_layout(config: Mapping[str, Any]) -> Layout:
    """How pairs are laid out: between the model's own marks of begin and end; its last pieces, which hardly occur in a
    text, are the marks of compared figures."""
    end = _first(config["eos_token_id"])
    begin = end if config.get("bos_token_id") is None else _first(config["bos_token_id"])
    return Layout(begin, end, end, first_mark=int(config["vocab_size"]) - MARKS)


def _first(found: int | Sequence[int]) -> int:
    return int(found if isinstance(found, int) else found[0])
