"""A small Llama in torch: for teaching, for writing (word after word for many texts at a time), and for reading.

A Qwen2 is a Llama whose queries, keys and values have biases. Each place sees those before it; what pads a text stands
behind it, and so is not seen.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from aver.errors import ModelError
from aver.train._language_model import has_biases

__all__ = ["Llama", "load_llama", "load_taught", "save_taught"]

Cache = list[tuple[Tensor, Tensor]]
_Model = TypeVar("_Model", bound=nn.Module)


class _Layer(nn.Module):  # type: ignore[misc,unused-ignore]
    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        width, inner = int(config["hidden_size"]), int(config["intermediate_size"])
        self.heads, self.groups = int(config["num_attention_heads"]), int(config["num_key_value_heads"])
        self.size = int(config.get("head_dim") or width // self.heads)
        self.eps = float(config["rms_norm_eps"])
        self.input = nn.Linear(width, (self.heads + 2 * self.groups) * self.size, bias=has_biases(config))
        self.output = nn.Linear(self.heads * self.size, width, bias=False)
        self.rise = nn.Linear(width, 2 * inner, bias=False)
        self.fall = nn.Linear(inner, width, bias=False)
        self.before, self.after = nn.Parameter(torch.ones(width)), nn.Parameter(torch.ones(width))
        self.dropout = 0.0

    def forward(
        self,
        x: Tensor,
        turn: tuple[Tensor, Tensor],
        cache: tuple[Tensor, Tensor] | None = None,
        at: int = 0,
    ) -> Tensor:
        rows, length, width = x.shape
        p = self.dropout if self.training else 0.0
        made = self.input(F.rms_norm(x, (width,), self.before.to(x.dtype), self.eps))
        made = made.view(rows, length, self.heads + 2 * self.groups, self.size).transpose(1, 2)
        query, key, value = made.split((self.heads, self.groups, self.groups), 1)
        query, key = _turned(query, turn), _turned(key, turn)
        if cache is not None:
            cache[0][:, :, at : at + length], cache[1][:, :, at : at + length] = key, value
            key, value = cache[0][:, :, : at + length], cache[1][:, :, : at + length]
        each = self.heads // self.groups
        if cache is not None and length == 1:
            # one new place, which sees all before it: the queries that share a key stand side by side
            weight = query.reshape(rows, self.groups, each, self.size) @ key.transpose(-1, -2)
            weight = (weight * self.size**-0.5).softmax(-1, dtype=torch.float32).to(value.dtype)
            seen = (weight @ value).reshape(rows, self.heads, 1, self.size)
        else:
            key, value = key.repeat_interleave(each, 1), value.repeat_interleave(each, 1)
            seen = F.scaled_dot_product_attention(query, key, value, dropout_p=p, is_causal=True)
        x = x + F.dropout(self.output(seen.transpose(1, 2).reshape(rows, length, -1)), p, self.training)
        gate, up = self.rise(F.rms_norm(x, (width,), self.after.to(x.dtype), self.eps)).chunk(2, -1)
        return x + F.dropout(self.fall(F.silu(gate) * up), p, self.training)


class Llama(nn.Module):  # type: ignore[misc,unused-ignore]
    """A decoder whose output embeddings are its input embeddings."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        self.config = config
        self.words = nn.Embedding(int(config["vocab_size"]), int(config["hidden_size"]))
        self.layers = nn.ModuleList(_Layer(config) for _ in range(int(config["num_hidden_layers"])))
        self.last = nn.Parameter(torch.ones(int(config["hidden_size"])))

    def forward(self, ids: Tensor, cache: Cache | None = None, at: int = 0) -> Tensor:
        """What stands behind each place; `cache` holds what came before place `at`."""
        kind = torch.bfloat16 if torch.is_autocast_enabled(ids.device.type) else self.words.weight.dtype
        x = self.words(ids).to(kind)
        turn = self._turn(at, at + ids.shape[1], x)
        for number, layer in enumerate(self.layers):
            x = layer(x, turn, None if cache is None else cache[number], at)
        return F.rms_norm(x, (x.shape[-1],), self.last.to(x.dtype), float(self.config["rms_norm_eps"]))

    def room(self, rows: int, length: int) -> Cache:
        """An empty cache."""
        layer: Any = self.layers[0]
        shape, like = (rows, layer.groups, length, layer.size), self.words.weight
        return [(like.new_empty(shape), like.new_empty(shape)) for _ in self.layers]

    def _turn(self, start: int, end: int, like: Tensor) -> tuple[Tensor, Tensor]:
        layer: Any = self.layers[0]
        rope = self.config.get("rope_parameters") or self.config
        step = torch.arange(0, layer.size, 2, device=like.device).float() / layer.size
        fast = float(rope.get("rope_theta", 10_000.0)) ** -step
        angle = torch.arange(start, end, device=like.device).float()[:, None] * fast[None]
        angle = torch.cat((angle, angle), -1)
        return angle.cos().to(like), angle.sin().to(like)


def _turned(x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
    one, two = x.chunk(2, -1)
    return x * turn[0] + torch.cat((-two, one), -1) * turn[1]


def load_llama(folder: Path, config: dict[str, Any]) -> Llama:
    """A model as the hub has it: `model.safetensors` beside `config.json`."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    model = Llama(config)
    try:
        found = load_file(folder / "model.safetensors")
        state = {"words.weight": found["model.embed_tokens.weight"], "last": found["model.norm.weight"]}
        for number in range(len(model.layers)):
            here = f"model.layers.{number}"
            part = {name: found[f"{here}.{name}.weight"] for name in _PARTS}
            joined = {
                "input.weight": torch.cat([part[f"self_attn.{name}_proj"] for name in "qkv"]),
                "output.weight": part["self_attn.o_proj"],
                "rise.weight": torch.cat([part["mlp.gate_proj"], part["mlp.up_proj"]]),
                "fall.weight": part["mlp.down_proj"],
                "before": part["input_layernorm"],
                "after": part["post_attention_layernorm"],
            }
            if has_biases(config):
                joined["input.bias"] = torch.cat([found[f"{here}.self_attn.{name}_proj.bias"] for name in "qkv"])
            state |= {f"layers.{number}.{name}": tensor for name, tensor in joined.items()}
        model.load_state_dict({name: tensor.float() for name, tensor in state.items()})
    except (KeyError, RuntimeError, SafetensorError) as error:
        raise ModelError(f"{folder}: its weights are no Llama's of this configuration: {error}") from error
    return model


_PARTS = (
    "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "mlp.gate_proj", "mlp.up_proj",
    "mlp.down_proj", "input_layernorm", "post_attention_layernorm",
)  # fmt: skip


def save_taught(model: nn.Module) -> bytes:
    """The weights in 16 bits, as one safetensors file."""
    from safetensors.torch import save

    weights = model.state_dict().items()
    return bytes(save({name: tensor.detach().to("cpu", torch.bfloat16).contiguous() for name, tensor in weights}))


def load_taught(path: Path, model: _Model) -> _Model:
    """The model, with weights that `save_taught` wrote."""
    from safetensors.torch import load_file

    model.load_state_dict({name: tensor.float() for name, tensor in load_file(path).items()})
    return model
