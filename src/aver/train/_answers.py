"""Packed rows through an ONNX graph: how the recipe looks at what it has exported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from aver.train._packed import Array, Packed, layout_of

__all__ = ["accuracies", "answers", "feeds", "kept_shares", "softmax"]


def feeds(rows: Packed, *, mpnet: bool, batch_tokens: int = 0) -> Iterator[tuple[Array, dict[str, Array]]]:
    """Row numbers and what the graph is fed for them; `batch_tokens` 0 gives each row alone, in order."""
    first, last, pad, shift, between, _ = layout_of(mpnet)
    claim, evidence = rows.claim_length.astype(np.int64), rows.evidence_length.astype(np.int64)
    length = claim + evidence + 2 + between
    start = np.cumsum(claim + evidence) - claim - evidence
    order = np.argsort(length, kind="stable") if batch_tokens else np.arange(len(rows))
    begin = 0
    while begin < len(order):
        count = max(1, batch_tokens // int(length[order[begin]]))
        batch = order[begin : begin + count]
        width = int(length[batch].max())
        ids = np.full((len(batch), width), pad, np.int64)
        segments = np.zeros_like(ids)
        for at, row in enumerate(batch):
            tokens = rows.tokens[start[row] : start[row] + claim[row] + evidence[row]].astype(np.int64) + shift
            parts = ([first], tokens[: claim[row]], [last] * between, tokens[claim[row] :], [last])
            ids[at, : length[row]] = np.concatenate(parts)
            segments[at, claim[row] + 1 + between : length[row]] = 1
        mask = (np.arange(width)[None] < length[batch][:, None]).astype(np.int64)
        feed = {"input_ids": ids, "attention_mask": mask}
        yield batch, feed if mpnet else feed | {"token_type_ids": segments}
        begin += count


def answers(graph: bytes, rows: Packed, *, mpnet: bool, batch_tokens: int = 2048) -> Mapping[str, Array]:
    """Logits of the verdict, of relevance and of a factual edit, by row."""
    import onnxruntime

    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    found = {"verdict": np.zeros((len(rows), 3)), "relevance": np.zeros(len(rows)), "edit": np.zeros(len(rows))}
    for batch, feed in feeds(rows, mpnet=mpnet, batch_tokens=batch_tokens):
        for name, value in zip(found, session.run(list(found), feed), strict=True):
            found[name][batch] = value
    return found


def softmax(logits: Array) -> Array:
    """Probabilities from logits, row by row.

    >>> softmax(np.array([[0.0, 0.0]])).tolist()
    [[0.5, 0.5]]
    """
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True))


def kept_shares(path: Path) -> Array:
    """The probabilities of the verdicts, from a file of what a model said."""
    with np.load(path) as found:
        return softmax(found["verdict"].astype(np.float64))


def accuracies(probabilities: Array, rows: Packed) -> dict[str, float]:
    """The share of right verdicts of every source, among the classes that it has."""
    found = {}
    for number, name in enumerate(rows.sources):
        own = rows.source == number
        if own.any():
            gold, said = rows.label[own], probabilities[own].copy()
            said[:, [column for column in range(3) if column not in gold]] = -1
            found[name] = float((said.argmax(1) == gold).mean())
    return found
