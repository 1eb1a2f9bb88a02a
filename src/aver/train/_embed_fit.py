"""A table of word-piece vectors, learnt: near for a claim and its evidence, far for what only looks like it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from aver.models._encoder import Vectors, unit_rows
from aver.train._embed_pairs import Example

__all__ = ["fit_table", "leading", "piece_vectors", "pieces_of", "ranked_first"]

BATCH, NEGATIVES = 256, 4
POOL = 5
"""Hard negatives of a claim that the four of each round are drawn from."""
RATE, WEIGHT_RATE = 1e-3, 2e-2
SHARPNESS = 20.0
"""Cosines are multiplied by this before they compete."""


def pieces_of(tokenizer: Any, texts: Sequence[str]) -> list[list[int]]:
    """The word pieces of each text, without the ends of a sequence; one unknown piece where there is none."""
    found = tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
    unknown = [tokenizer.token_to_id("[UNK]")]
    return [encoding.ids or unknown for encoding in found]


def piece_vectors(weights: Path) -> Vectors:
    """What the base knows of each word piece: its embeddings, centred and of length 1."""
    from safetensors.numpy import load_file

    tensors = load_file(str(weights))
    embeddings = next(value for name, value in tensors.items() if name.endswith("word_embeddings.weight"))
    return unit_rows((embeddings - embeddings.mean(axis=0, dtype=np.float64)).astype(np.float32))


def leading(pieces: Vectors, dimensions: int) -> Vectors:
    """The directions in which pieces differ most, as columns: where the projection starts."""
    values, directions = np.linalg.eigh(pieces.astype(np.float64).T @ pieces)
    return np.asarray(directions[:, np.argsort(-values)[:dimensions]], np.float32)


def rarity(pieces: Sequence[Sequence[int]], count: int) -> Vectors:
    """How much a piece counts to begin with: its inverse document frequency among these texts, at most 1."""
    holding = np.zeros(count)
    for found in pieces:
        holding[np.unique(np.asarray(found, np.int64))] += 1
    weights = np.log(1 + len(pieces) / (1 + holding))
    return np.asarray(weights / weights.max(), np.float32)


def fit_table(
    known: Vectors, found: Sequence[Example], tokenizer: Any, *, dimensions: int, epochs: int, seed: int,
    say: Callable[[str], None],
) -> tuple[Vectors, Vectors]:  # fmt: skip
    """The table before and after learning: what is known of each piece, projected, times the weight of the piece.

    A claim must be nearer to its own evidence than to that of the other claims of its batch and to everybody's hard
    negatives there. Only the projection and one weight for each piece are learnt, by Adam, its rate falling to nothing:
    tables whose every row was learnt got the training claims right and no others. A CPU is enough.
    """
    import torch
    from torch.nn import functional as f

    torch.manual_seed(seed)
    claims = pieces_of(tokenizer, [example.claim for example in found])
    positives = pieces_of(tokenizer, [example.positive for example in found])
    negatives = [pieces_of(tokenizer, example.negatives[:POOL]) if example.negatives else [] for example in found]
    start = rarity(positives + [pieces for each in negatives for pieces in each[:1]], len(known))
    vectors = torch.from_numpy(known)
    projection = torch.nn.Parameter(torch.from_numpy(leading(known, dimensions)))
    weights = torch.nn.Parameter(torch.log(torch.from_numpy(start) + 1e-3))
    before = _table(known, projection, weights)
    adam = torch.optim.Adam([{"params": [projection], "lr": RATE}, {"params": [weights], "lr": WEIGHT_RATE}])
    batch = min(BATCH, len(found))
    steps = epochs * (len(found) // batch)
    falling = torch.optim.lr_scheduler.LambdaLR(adam, lambda at: min(1.0, (at + 1) / 30) * max(0.0, 1 - at / steps))

    def embed(rows: Sequence[Sequence[int]]) -> Any:
        flat = torch.tensor([piece for row in rows for piece in row])
        starts = torch.tensor(np.cumsum([0, *map(len, rows)])[:-1])
        each = torch.exp(weights)[flat]
        sums = f.embedding_bag(flat, vectors, starts, mode="sum", per_sample_weights=each)
        return f.normalize(sums @ projection, dim=1)

    rng, began = random.Random(seed), time.monotonic()
    for epoch in range(epochs):
        order = rng.sample(range(len(found)), len(found))
        losses = []
        for at in range(0, len(order) - batch + 1, batch):
            chosen = order[at : at + batch]
            hard = [row for n in chosen for row in rng.sample(negatives[n], min(NEGATIVES, len(negatives[n])))]
            others = embed([positives[n] for n in chosen] + hard)
            scores = SHARPNESS * embed([claims[n] for n in chosen]) @ others.T
            loss = f.cross_entropy(scores, torch.arange(batch))
            adam.zero_grad()
            loss.backward()
            adam.step()
            falling.step()
            losses.append(loss.item())
        say(f"epoch {epoch + 1} of {epochs}: loss {np.mean(losses):.3f}, {time.monotonic() - began:.0f} s")
    return before, _table(known, projection, weights)


def _table(known: Vectors, projection: Any, weights: Any) -> Vectors:
    factors = np.exp(weights.detach().numpy())[:, None]
    return np.asarray(known @ projection.detach().numpy() * factors, np.float32)


def ranked_first(encode: Callable[[Sequence[str]], Vectors], held: Sequence[Example]) -> float:
    """The share of claims whose evidence comes before all of its negatives."""
    right = []
    for example in held:
        if example.negatives:
            rows = encode([example.claim, example.positive, *example.negatives])
            scores = rows[1:] @ rows[0]
            right.append(scores[0] > scores[1:].max())
    return float(np.mean(right)) if right else 0.0
