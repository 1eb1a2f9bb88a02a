"""A model's folder: the card, the weights in parts, the tokenizer. What `aver.models` loads."""

from __future__ import annotations

import hashlib
import os
import platform
import time
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from aver.models import Judge
from aver.records import writing
from aver.text import MARKS
from aver.train._base import Base, open_tokenizer
from aver.train._pack import LABELS
from aver.train._packed import FIRST_MARK
from aver.train._sources import non_commercial

__all__ = ["MAX_TOKENS", "PART_BYTES", "machine", "pairs_per_second", "runtime_card", "write_folder", "written_limits"]

PART_BYTES = 50_000_000
MAX_TOKENS = 256


def runtime_card(
    name: str,
    base: Base,
    calibration: Mapping[str, Any],
    threshold: float,
    *,
    version: str,
) -> dict[str, Any]:
    """What the runtime must know to answer as the model was trained."""
    heads = ("verdict", "relevance", "edit", "rationale")
    layers = base.config["num_hidden_layers"]
    return {
        "name": name,
        "version": version,
        "summary": f"{layers} layers of {base.name}, int8",
        "layers": layers,
        "max_tokens": MAX_TOKENS,
        "labels": [label.value for label in LABELS],
        "pair": "claim_first",
        "heads": {head: head for head in heads},
        "marks": {"first_id": FIRST_MARK + base.shift, "count": MARKS, "units": True, "periods": True},
        "temperature": calibration["temperature"],
        "rationale_threshold": threshold,
        "claim_marks": True,  # on the claim's side the rationale head says what the evidence does not bear out
        "base": {"name": base.name, "licence": base.licence, "layers": list(range(layers))},
    }


def write_folder(folder: Path, graph: bytes, base: Base, card: Mapping[str, Any]) -> dict[str, Any]:
    """Writes the folder whole; the card comes last, and with it the folder is a model."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "card.json").unlink(missing_ok=True)
    for old in folder.glob("model.onnx*"):
        old.unlink()
    packed = zlib.compress(graph, 9)  # weights of seven bits in bytes of eight: a fifth is air
    pieces = [packed[start : start + PART_BYTES] for start in range(0, len(packed), PART_BYTES)]
    names = ["model.onnx.z"] if len(pieces) == 1 else [f"model.onnx.z{number}" for number in range(len(pieces))]
    for part, piece in zip(names, pieces, strict=True):
        with writing(folder / part) as file:
            file.write(piece)
    tokenizer = open_tokenizer(base.folder).to_str().encode()
    with writing(folder / "tokenizer.json") as file:
        file.write(tokenizer)
    full = {
        **card,
        "parts": names,
        "compression": "zlib",
        "sha256": hashlib.sha256(graph).hexdigest(),
        "tokenizer_sha256": hashlib.sha256(tokenizer).hexdigest(),
        "size": f"{len(packed) / 1e6:.1f} MB, {len(graph) / 1e6:.1f} MB in memory",
    }
    with writing(folder / "card.json") as file:
        file.write(orjson.dumps(full, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY))
    return full


def written_limits(sources: list[dict[str, Any]], *, limit: int | None) -> list[str]:
    """What a user should know before trusting the model."""
    said = [
        "English only; lower-cased word pieces: the model does not see capitals.",
        f"Reads {MAX_TOKENS} tokens at once; longer texts are read in windows.",
        "Trained mostly on sentences of Wikipedia and on pairs made from them; other kinds of text are further away.",
        "Compares numbers and dates by rule before it reads, units, decades and centuries too; a figure the rule does "
        "not find is read as word pieces.",
    ]
    closed = non_commercial(sources)
    if closed:
        said.append(f"Some training rows are licensed for non-commercial use only: {', '.join(closed)}.")
    if limit is not None:
        said.append(f"A trial: at most {limit} rows of each source were used, for training and for every score.")
    return said


def pairs_per_second(judge: Judge, *, pairs: int = 128, repeats: int = 3) -> float:
    """Pairs of 64 tokens a second, the best of some runs (the first of which warms up)."""
    # common words are one token each: 20 + 40 of them, and three or four special tokens
    rows = [("the " * 20, "of " * 40)] * pairs
    best = 0.0
    for _ in range(repeats):
        began = time.perf_counter()
        judge.judge(rows)
        best = max(best, pairs / (time.perf_counter() - began))
    return best


def machine() -> str:
    """The processor and how many of them, in words."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        lines = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = lines[0].partition(":")[2].strip() if lines else model
    return f"{os.cpu_count()} × {model}, {platform.system()}, Python {platform.python_version()}"
