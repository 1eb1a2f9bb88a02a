"""A trained model as an ONNX graph: token ids in, the four heads' logits out."""

from __future__ import annotations

import io
import warnings

import torch
from torch import Tensor, nn

from aver.train._encoder import Judge

__all__ = ["HEADS", "OPSET", "export"]

HEADS = ("verdict", "relevance", "edit", "rationale")
OPSET = 17


class _Exported(nn.Module):  # type: ignore[misc,unused-ignore]
    """The judge in 32-bit floats, whatever it was trained in; MPNet has no segments to be told of."""

    def __init__(self, model: Judge) -> None:
        super().__init__()
        self.model = model.float().cpu().eval()

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        found: tuple[Tensor, Tensor, Tensor, Tensor] = self.model(input_ids, attention_mask, token_type_ids)
        return found


def export(model: Judge) -> bytes:
    """The graph, with batch and length left open."""
    names = ["input_ids", "attention_mask"] + ([] if model.encoder.mpnet else ["token_type_ids"])
    ids = torch.arange(110, 142).reshape(2, 16)
    example = (ids, torch.ones_like(ids), torch.zeros_like(ids))[: len(names)]
    axes = {name: {0: "pairs", 1: "tokens"} for name in (*names, "rationale")}
    axes |= {name: {0: "pairs"} for name in HEADS[:3]}
    file = io.BytesIO()
    with warnings.catch_warnings():
        # tracing warns of every shape that turns into a number; the tests run other shapes through the graph
        warnings.simplefilter("ignore")
        torch.onnx.export(
            _Exported(model).eval(), example, file, input_names=names, output_names=list(HEADS), dynamic_axes=axes,
            opset_version=OPSET, dynamo=False,
        )  # fmt: skip
    return file.getvalue()
