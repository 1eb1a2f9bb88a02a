"""`aver train embed`: the static encoder that comes with aver, from data to card, on a CPU.

Stages, each with its file in OUT, and not run again where that is there: `examples.jsonl` (claims, evidence, hard
negatives; needs no torch), `table.npz` (the vectors), `static/` (the model's folder).
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from aver.errors import InputError
from aver.models import StaticEncoder, open_folder
from aver.models._encoder import Vectors
from aver.models._encoder_static import packed_table
from aver.records import writing
from aver.train._asked import same_choices
from aver.train._base import FAST_BASE, Base, open_base, open_tokenizer
from aver.train._embed_fit import BATCH, NEGATIVES, RATE, SHARPNESS, WEIGHT_RATE, fit_table, piece_vectors, ranked_first
from aver.train._embed_pairs import Example, examples, introductions
from aver.train._prepare import check_data, needed
from aver.train._sources import data_sources, non_commercial

__all__ = ["DIMENSIONS", "EPOCHS", "train_encoder"]

DIMENSIONS = 128
EPOCHS = 1


def train_encoder(
    *,
    data: str | Path,
    out: str | Path,
    base: str = FAST_BASE,
    dimensions: int | None = None,
    epochs: int = EPOCHS,
    limit: int | None = None,
    seed: int = 1,
    say: Callable[[str], None] = print,
) -> Path:
    """Makes a static encoder and says where its folder is; `aver.models.load_encoder` takes that.

    `base` gives the word pieces and the vectors that learning starts from: a folder, or a hub id. `dimensions` are 128,
    or as many as the base has where it has fewer. `limit` takes so many claims of every source: a trial. What a stage
    made is kept in `out`, and running again goes on from there.

    >>> train_encoder(data="no such folder", out="out")
    Traceback (most recent call last):
    aver.errors.InputError: no such folder: there is no such folder; name the data folder with --data or AVER_DATA
    """
    for name, number in (("limit", limit), ("dimensions", dimensions), ("epochs", epochs)):
        if number is not None and number < 1:
            raise InputError(f"{name} is {number}; it must be more than 0")
    data, out = Path(data), Path(out)
    check_data(data)
    needed("torch", "safetensors")
    opened = open_base(base)
    width = int(opened.config["hidden_size"])
    dimensions = min(DIMENSIONS, width) if dimensions is None else dimensions
    if dimensions > width:
        raise InputError(f"dimensions is {dimensions}; {opened.name} has {width}")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{out}: cannot be made: {error.strerror}") from error
    chosen = {
        "base": opened.name, "dimensions": dimensions, "epochs": epochs, "limit": limit, "seed": seed,
    }  # fmt: skip
    same_choices(out / "embed.json", chosen)
    train, held = _examples(data, out, seed, limit, say)
    if not train:
        raise InputError(f"{data}: no claim with evidence is left to learn from")
    start, table = _tables(out, train, opened, dimensions, epochs, seed, say)
    return _folder(out / "static", table, start, train, held, opened, data, chosen, say)


def _examples(
    data: Path, out: Path, seed: int, limit: int | None, say: Callable[[str], None]
) -> tuple[list[Example], list[Example]]:
    file = out / "examples.jsonl"
    if not file.is_file():
        say("introductions: the collection that negatives are searched in")
        with introductions(data, out / "introductions", limit=limit) as collection:
            train, held = examples(data, collection, seed=seed, limit=limit, say=say)
        with writing(file) as opened:
            for part, rows in (("train", train), ("held", held)):
                for row in rows:
                    opened.write(orjson.dumps(dataclasses.asdict(row) | {"part": part}) + b"\n")
    found: dict[str, list[Example]] = {"train": [], "held": []}
    with file.open("rb") as opened:
        for row in map(orjson.loads, opened):
            found[row["part"]].append(
                Example(row["claim"], row["positive"], tuple(row["negatives"]), row["source"])
            )  # fmt: skip
    say(f"{len(found['train']):,} claims to learn from, {len(found['held']):,} to report on")
    return found["train"], found["held"]


def _tables(
    out: Path, train: Sequence[Example], base: Base, dimensions: int, epochs: int, seed: int, say: Callable[[str], None]
) -> tuple[Vectors, Vectors]:
    """The table before and after learning."""
    file = out / "table.npz"
    if not file.is_file():
        known = piece_vectors(base.folder / "model.safetensors")
        tokenizer = open_tokenizer(base.folder)
        before, after = fit_table(known, train, tokenizer, dimensions=dimensions, epochs=epochs, seed=seed, say=say)
        with writing(file) as opened:
            np.savez(opened, before=before, after=after)
    with np.load(file, allow_pickle=False) as found:
        return found["before"], found["after"]


def _folder(
    folder: Path, table: Vectors, start: Vectors, train: Sequence[Example], held: Sequence[Example], base: Base,
    data: Path, chosen: dict[str, Any], say: Callable[[str], None],
) -> Path:  # fmt: skip
    scores = {}
    for name, rows in (("before learning", start), ("learnt, eight bits", table)):
        _write(folder, packed_table(rows), base, {"name": "static", "kind": "encoder"})
        scores[name] = ranked_first(StaticEncoder(open_folder(folder)).encode, held)
        say(f"{name}: the evidence before all its negatives for {scores[name]:.4f} of {len(held):,} claims")
    sources = data_sources(data, Counter(example.source for example in train))
    closed = non_commercial(sources)
    card = {
        "name": "static",
        "kind": "encoder",
        "version": "1",
        "summary": f"{chosen['dimensions']} numbers for each of {len(table):,} word pieces, int8; a text is their sum",
        "dimensions": chosen["dimensions"],
        "base": {"name": base.name, "licence": base.licence, "part": "its word-piece embeddings"},
        "training": {
            "learnt": "a projection of the base's word-piece embeddings, and a weight for each piece",
            "claims": len(train), "epochs": chosen["epochs"], "batch": BATCH, "hard_negatives": NEGATIVES,
            "learning_rate": RATE, "learning_rate_of_weights": WEIGHT_RATE,
            "cosines_times": SHARPNESS, "seed": chosen["seed"], "device": "CPU",
        },
        "scores": {
            "what": f"evidence ranked before all its hard negatives; VitaminC real, fold 8, {len(held):,} claims",
            **{name.replace(",", "").replace(" ", "_"): round(value, 4) for name, value in scores.items()},
        },
        "data": sources,
        "limits": [
            "English only; lower-cased word pieces: capitals and the order of words are not seen.",
            "A vector says what a text is about, not what it says of it: for choosing what to read, not for a verdict.",
            *([f"Some training rows are licensed for non-commercial use only: {', '.join(closed)}."] if closed else []),
            *([f"A trial: at most {chosen['limit']} claims of each source."] if chosen["limit"] else []),
        ],
    }  # fmt: skip
    _write(folder, packed_table(table), base, card)
    return folder


def _write(folder: Path, data: bytes, base: Base, card: dict[str, Any]) -> None:
    """Writes the folder whole; the card comes last, and with it the folder is a model."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "card.json").unlink(missing_ok=True)
    with writing(folder / "vectors.npz") as file:
        file.write(data)
    with writing(folder / "tokenizer.json") as file:
        file.write(open_tokenizer(base.folder).to_str().encode())
    full = {
        **card, "parts": ["vectors.npz"], "sha256": hashlib.sha256(data).hexdigest(),
        "size": f"{len(data) / 1e6:.1f} MB",
    }  # fmt: skip
    with writing(folder / "card.json") as file:
        file.write(orjson.dumps(full, option=orjson.OPT_INDENT_2))
