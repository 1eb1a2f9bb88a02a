"""A small language model that gives verdicts: a teacher with another upbringing than the encoders'.

It reads a pair in order, as it has always read: the claim, then the evidence, each piece of which sees the claim, then
the claim once more, which sees the evidence. Marks of compared figures stand among its pieces as the encoders have
them, and it learns in the same way from labels alone.
Networks that grew up alike err alike; answers of one that grew up otherwise are worth more beside theirs than those of
another seed.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from aver.train._fit import Shelf, fit, predict
from aver.train._language_model import reader_layout, suited
from aver.train._llama import Llama
from aver.train._packed import Packed, claim_again
from aver.train._recipe import Course
from aver.train._teach import settings_of

__all__ = ["Reader", "read", "taught_reader"]

DROPOUT = 0.05


class Reader(nn.Module):  # type: ignore[misc,unused-ignore]
    """A Llama with the heads of a judge, but for the rationale's, which is left at nothing."""

    def __init__(self, llama: Llama, *, dropout: float = DROPOUT) -> None:
        super().__init__()
        self.llama, self.dropout = llama, dropout
        for layer in llama.layers:
            layer.dropout = dropout  # type: ignore[assignment,unused-ignore]
        width = int(llama.config["hidden_size"])
        self.mix = nn.Linear(2 * width, width)
        with torch.no_grad():  # a language model's last norm may be loud, and what follows it here must not saturate
            self.mix.weight /= llama.last.square().mean().sqrt().clamp(min=1.0)
        self.verdict = nn.Linear(width, 3)
        self.relevance = nn.Linear(width, 1)
        self.edit = nn.Linear(width, 1)

    def forward(
        self, ids: Tensor, mask: Tensor, segments: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        x = self.llama(ids)
        weights = mask[:, :, None].to(x.dtype)
        mean = (x * weights).sum(1) / weights.sum(1)
        last = x[torch.arange(len(x), device=x.device), mask.sum(1) - 1]
        pooled = torch.tanh(self.mix(torch.cat([last, mean], -1)))
        pooled = nn.functional.dropout(pooled, self.dropout, self.training)
        relevance, edit = self.relevance(pooled)[:, 0], self.edit(pooled)[:, 0]
        return self.verdict(pooled), relevance, edit, torch.zeros_like(ids, dtype=x.dtype)


def taught_reader(
    llama: Llama,
    rows: Packed,
    course: Course,
    *,
    seed: int,
    device: torch.device,
    seconds: float = math.inf,
    say: Callable[[str], None] = print,
) -> Reader:
    """A reader, made of a language model by a course."""
    torch.manual_seed(seed)
    model = Reader(llama)
    model.to(device)
    if device.type == "cuda":
        for layer in model.llama.layers:
            layer.compile(dynamic=True)
    course = dataclasses.replace(course, rate=suited(course.rate, llama.config))
    settings = settings_of(course, seed=seed, device=device, seconds=seconds)
    fit(model, _shelf(rows, llama, device), settings, say=say)
    return model


def read(model: Reader, rows: Packed, *, device: torch.device) -> dict[str, Any]:
    """What a reader says about rows: logits of the verdict, of relevance and of a factual edit."""
    shelf = _shelf(rows, model.llama, device)
    answers: dict[str, Any] = predict(model.to(device), shelf, batch_tokens=131_072 if device.type == "cuda" else 8_192)
    return answers


def _shelf(rows: Packed, llama: Llama, device: torch.device) -> Shelf:
    layout = reader_layout(llama.config)
    return Shelf(claim_again(rows, layout.behind), layout=layout, device=device, original=rows)
