"""The network that is trained: a BERT or MPNet encoder written out plainly, with aver's heads on it.

Written here rather than taken from `transformers` for three reasons: half the kernel launches (a small model on a
large GPU is bound by them), one code path for both families, and an export to ONNX without surprises. Weights
come from, and go back to, the usual safetensors names; the tests compare it with `transformers` to 1e-5.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812  (the name everyone knows it by)

__all__ = ["Encoder", "Judge", "from_weights", "load_encoder"]


class _Layer(nn.Module):  # type: ignore[misc,unused-ignore]
    def __init__(self, hidden: int, heads: int, inner: int, eps: float, dropout: float) -> None:
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.qkv = nn.Linear(hidden, 3 * hidden)
        self.out = nn.Linear(hidden, hidden)
        self.norm1 = nn.LayerNorm(hidden, eps)
        self.up = nn.Linear(hidden, inner)
        self.down = nn.Linear(inner, hidden)
        self.norm2 = nn.LayerNorm(hidden, eps)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        batch, length, hidden = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, hidden // self.heads).permute(2, 0, 3, 1, 4)
        p = self.dropout if self.training else 0.0
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=bias, dropout_p=p)
        mixed = self.out(mixed.transpose(1, 2).reshape(batch, length, hidden))
        x = self.norm1(x + F.dropout(mixed, p, self.training))
        fed = self.down(F.gelu(self.up(x)))
        return self.norm2(x + F.dropout(fed, p, self.training))


class Encoder(nn.Module):  # type: ignore[misc,unused-ignore]
    """BERT (absolute positions, two segments) or MPNet (relative position buckets shared by all layers)."""

    def __init__(self, config: dict[str, Any], *, dropout: float = 0.1) -> None:
        super().__init__()
        self.config = config
        self.mpnet = config["model_type"] == "mpnet"
        hidden, eps = config["hidden_size"], config["layer_norm_eps"]
        self.dropout = dropout
        self.words = nn.Embedding(config["vocab_size"], hidden)
        self.positions = nn.Embedding(config["max_position_embeddings"], hidden)
        self.segments = None if self.mpnet else nn.Embedding(config["type_vocab_size"], hidden)
        self.norm = nn.LayerNorm(hidden, eps)
        heads, inner = config["num_attention_heads"], config["intermediate_size"]
        self.layers = nn.ModuleList(
            _Layer(hidden, heads, inner, eps, dropout) for _ in range(config["num_hidden_layers"])
        )
        self.relative = nn.Embedding(config["relative_attention_num_buckets"], heads) if self.mpnet else None

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor | None = None) -> Tensor:
        length = ids.shape[1]
        first = 2 if self.mpnet else 0  # MPNet numbers its positions after the padding index, as RoBERTa does
        x = self.words(ids) + self.positions(torch.arange(first, first + length, device=ids.device))
        if self.segments is not None:
            x = x + self.segments(segments if segments is not None else torch.zeros_like(ids))
        x = F.dropout(self.norm(x), self.dropout, self.training)
        bias = (1.0 - mask[:, None, None, :].to(x.dtype)) * -1e4
        if self.relative is not None:
            bias = bias + self.relative(_buckets(length, ids.device)).permute(2, 0, 1)[None].to(x.dtype)
        else:
            bias = bias.expand(-1, 1, length, -1)
        for layer in self.layers:
            # Under autocast the stream is bfloat16 and the bias must match the queries'.
            x = layer(x, bias.to(torch.get_autocast_dtype("cuda")) if torch.is_autocast_enabled("cuda") else bias)
        return x


def _buckets(length: int, device: torch.device, buckets: int = 32, far: int = 128) -> Tensor:
    """T5-style buckets: exact for near neighbours, logarithmic further out, one half for each direction."""
    at = torch.arange(length, device=device)
    distance = at[:, None] - at[None, :]
    half = buckets // 2
    side = (distance < 0).long() * half
    distance = distance.abs()
    exact = half // 2
    log = exact + (torch.log(distance.clamp(min=1).float() / exact) / math.log(far / exact) * (half - exact)).long()
    return side + torch.where(distance < exact, distance, log.clamp(max=half - 1))


class Judge(nn.Module):  # type: ignore[misc,unused-ignore]
    """An encoder with aver's heads: verdict (three-way), relevance, factual edit, and a rationale per token."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        hidden = encoder.config["hidden_size"]
        self.mix = nn.Linear(2 * hidden, hidden)
        self.verdict = nn.Linear(hidden, 3)
        self.relevance = nn.Linear(hidden, 1)
        self.edit = nn.Linear(hidden, 1)
        self.rationale = nn.Linear(hidden, 1)

    def forward(
        self, ids: Tensor, mask: Tensor, segments: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        x = self.encoder(ids, mask, segments)
        weights = mask[:, :, None].to(x.dtype)
        mean = (x * weights).sum(1) / weights.sum(1)
        pooled = torch.tanh(self.mix(torch.cat([x[:, 0], mean], -1)))
        pooled = F.dropout(pooled, self.encoder.dropout, self.training)
        relevance, edit = self.relevance(pooled)[:, 0], self.edit(pooled)[:, 0]
        return self.verdict(pooled), relevance, edit, self.rationale(x)[:, :, 0]


def load_encoder(folder: str | Path, *, layers: list[int] | None = None, dropout: float = 0.1) -> Encoder:
    """Reads a Hugging Face folder (config.json and model.safetensors); `layers` keeps only those, in that order."""
    from safetensors.torch import load_file

    folder = Path(folder)
    config = json.loads((folder / "config.json").read_text())
    weights = load_file(folder / "model.safetensors")
    return from_weights(config, weights, layers=layers, dropout=dropout)


def from_weights(
    config: dict[str, Any], weights: dict[str, Tensor], *, layers: list[int] | None = None, dropout: float = 0.1
) -> Encoder:
    """Renames a checkpoint's tensors to ours; the three attention projections become one."""
    kept = list(range(config["num_hidden_layers"])) if layers is None else layers
    encoder = Encoder({**config, "num_hidden_layers": len(kept)}, dropout=dropout)
    names = {name.removeprefix("bert.").removeprefix("mpnet."): tensor.float() for name, tensor in weights.items()}
    attention = "attention.attn" if encoder.mpnet else "attention.self"
    q, k, v = ("q", "k", "v") if encoder.mpnet else ("query", "key", "value")
    out = "attention.attn.o" if encoder.mpnet else "attention.output.dense"
    norm1 = "attention.LayerNorm" if encoder.mpnet else "attention.output.LayerNorm"
    state = {
        "words.weight": names["embeddings.word_embeddings.weight"],
        "positions.weight": names["embeddings.position_embeddings.weight"],
        "norm.weight": names["embeddings.LayerNorm.weight"],
        "norm.bias": names["embeddings.LayerNorm.bias"],
    }
    if encoder.mpnet:
        state["relative.weight"] = names["encoder.relative_attention_bias.weight"]
    else:
        state["segments.weight"] = names["embeddings.token_type_embeddings.weight"]
    for new, old in enumerate(kept):
        for part in ("weight", "bias"):
            there, here = f"encoder.layer.{old}", f"layers.{new}"
            state[f"{here}.qkv.{part}"] = torch.cat([names[f"{there}.{attention}.{p}.{part}"] for p in (q, k, v)])
            state[f"{here}.out.{part}"] = names[f"{there}.{out}.{part}"]
            state[f"{here}.norm1.{part}"] = names[f"{there}.{norm1}.{part}"]
            state[f"{here}.up.{part}"] = names[f"{there}.intermediate.dense.{part}"]
            state[f"{here}.down.{part}"] = names[f"{there}.output.dense.{part}"]
            state[f"{here}.norm2.{part}"] = names[f"{there}.output.LayerNorm.{part}"]
    encoder.load_state_dict(state)
    return encoder
