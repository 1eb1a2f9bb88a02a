"""How weights are taught: which of them how fast, and which of them are kept."""

from __future__ import annotations

import dataclasses
import importlib.util
import math

import numpy as np
import pytest

from aver.labels import Label
from aver.text import MARKS
from aver.train._mix import Row
from aver.train._pack import pack

needs_torch = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("torch", "safetensors", "onnx")),
    reason="needs the extra `train` (torch, safetensors, onnx), which is not installed",
)


class _Words:
    """A tokenizer of as many pieces as it is said to have."""

    def __init__(self, count: int) -> None:
        self.count = count

    def get_vocab_size(self) -> int:
        return self.count

    def encode_batch(self, texts: list[str], *, add_special_tokens: bool) -> list[object]:
        kind = dataclasses.make_dataclass("Encoding", ["ids", "offsets"])
        return [kind([self.count - 1] * len(text.split()), [(0, 1)] * len(text.split())) for text in texts]


@pytest.mark.parametrize(("count", "kind"), [(30_527, np.uint16), (151_936, np.uint32)])
def test_many_pieces_have_room(count: int, kind: type) -> None:
    rows = [Row("a b .", "c d e .", Label.SUPPORTS, source="x")]
    packed = pack(rows, _Words(count), marks=False)
    assert packed.tokens.dtype == kind
    assert packed.tokens.max() == count - 1
    packed = pack(rows, _Words(60_000), marks=False, first_mark=2**16 - MARKS + 1)
    assert packed.tokens.dtype == np.uint32, "the marks need room, too"


@needs_torch
def test_heads_learn_faster() -> None:
    from torch import nn

    from aver.train._fit import Settings, _groups

    model = nn.ModuleDict({"encoder": nn.ModuleDict({"a": nn.Linear(3, 3)}), "verdict": nn.Linear(3, 3)})
    groups = _groups(model, Settings(({},), heads=8.0, decay=0.25))
    found = {(group["faster"], group["weight_decay"]): [tuple(p.shape) for p in group["params"]] for group in groups}
    assert found == {(1.0, 0.25): [(3, 3)], (1.0, 0.0): [(3,)], (8.0, 0.25): [(3, 3)], (8.0, 0.0): [(3,)]}


def test_a_wide_language_model_learns_slowly() -> None:
    from aver.train._language_model import suited

    assert suited(2e-4, {"hidden_size": 576}) == suited(2e-4, {"hidden_size": 64}) == 2e-4
    assert math.isclose(suited(2e-4, {"hidden_size": 1152}), 5e-5)


def test_sources_by_their_prefix() -> None:
    rows = pack([Row("a", "b", source=name) for name in ("found_other", "found_gold", "written_x")], _Words(9))
    assert rows.all_but(("found_other", "written")) == ("found_gold",)
    assert rows.of(("found_other", "written")).tolist() == [True, False, True]
    assert rows.of("found").tolist() == [True, True, False]
    assert not rows.of(()).any()
