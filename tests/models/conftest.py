"""Small models made here: real ONNX graphs and a real WordPiece tokenizer whose answers can be worked out by hand."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

WORDS = "the a of in town river bridge tower is was has it more than copies sold by 1 2 3 4 5 6 7 8 9".split()
# What a word adds to the logits of SUPPORTS, REFUTES, NOT_ENOUGH_INFO. NOT_ENOUGH_INFO starts with 2.
DECISIVE = {"yes": (6.0, 0.0, 0.0), "no": (0.0, 6.0, 0.0), "maybe": (1.5, 0.0, 0.0), "hmm": (0.0, 0.0, 1.0)}
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
VOCABULARY = [
    *SPECIAL, *WORDS, *DECISIVE, *".,!?;:()[]", *LETTERS[1:],
    *(f"##{c}" for c in LETTERS + "0123456789"),
]  # fmt: skip
LABELS = ["SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO"]


def make_tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece({w: i for i, w in enumerate(VOCABULARY)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(SPECIAL)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return tokenizer


def make_graph(*, dynamic: bool = False, columns: list[str] = LABELS, heads: bool = True) -> bytes:
    """verdict = sum over tokens of table[token], masked; `dynamic` quantises it with one scale for the batch."""
    rng = np.random.default_rng(7)
    table = rng.normal(0, 0.01, (len(VOCABULARY), 3)).astype(np.float32)
    for word, logits in DECISIVE.items():
        table[VOCABULARY.index(word)] = logits
    table[: len(SPECIAL)] = 0
    table[VOCABULARY.index("[PAD]")] = 50  # whoever forgets the mask sees it
    start = np.array([0, 0, 2], np.float32)
    order = [LABELS.index(c) for c in columns]
    constants = {
        "table": table, "start": start[order], "turn": np.eye(3, dtype=np.float32)[:, order],
        "last": np.array([2], np.int64), "middle": np.array([1], np.int64), "low": np.array(1.5, np.float32),
    }  # fmt: skip
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["each"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "last"], ["column"]),
        helper.make_node("Mul", ["each", "column"], ["masked"]),
        helper.make_node("ReduceSum", ["masked", "middle"], ["sum"], keepdims=0),
    ]
    if dynamic:
        whole = (rng.normal(0, 0.3, (3, 3)) * 40).round().astype(np.int8)
        constants |= {"whole": whole, "whole.zero": np.array(0, np.int8), "unit": np.array(0.02, np.float32)}
        nodes += [
            helper.make_node("DynamicQuantizeLinear", ["sum"], ["q", "scale", "zero"]),
            helper.make_node("MatMulInteger", ["q", "whole", "zero", "whole.zero"], ["product"]),
            helper.make_node("Cast", ["product"], ["real"], to=TensorProto.FLOAT),
            helper.make_node("Mul", ["real", "scale"], ["scaled"]),
            helper.make_node("Mul", ["scaled", "unit"], ["turned"]),
        ]
    else:
        nodes.append(helper.make_node("MatMul", ["sum", "turn"], ["turned"]))
    nodes.append(helper.make_node("Add", ["turned", "start"], ["verdict"]))
    outputs = [helper.make_tensor_value_info("verdict", TensorProto.FLOAT, ["b", 3])]
    if heads:
        nodes += [
            helper.make_node("ReduceMax", ["masked"], ["relevance"], axes=[1, 2], keepdims=0),
            helper.make_node("ReduceMax", ["each"], ["best"], axes=[2], keepdims=0),
            helper.make_node("Sub", ["best", "low"], ["rationale"]),
        ]
        outputs.append(helper.make_tensor_value_info("relevance", TensorProto.FLOAT, ["b"]))
        outputs.append(helper.make_tensor_value_info("rationale", TensorProto.FLOAT, ["b", "t"]))
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["b", "t"]) for n in ("input_ids", "attention_mask")]
    graph = helper.make_graph(
        nodes, "tiny", inputs, outputs, [numpy_helper.from_array(v, k) for k, v in constants.items()]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    return bytes(model.SerializeToString())


@pytest.fixture
def make_model(tmp_path: Path) -> Callable[..., Path]:
    """A model's folder: `make_model(max_tokens=32, labels=[...], dynamic=True, parts=3, card={...})`."""

    def make(
        name: str = "tiny", *, dynamic: bool = False, heads: bool = True, parts: int = 1, labels: list[str] = LABELS,
        card: dict[str, Any] | None = None,
    ) -> Path:  # fmt: skip
        folder = tmp_path / name
        folder.mkdir()
        data = make_graph(dynamic=dynamic, columns=labels, heads=heads)
        step = -(-len(data) // parts)
        names = ["model.onnx"] if parts == 1 else [f"model.onnx.{i:02}" for i in range(parts)]
        for index, part in enumerate(names):
            (folder / part).write_bytes(data[index * step : (index + 1) * step])
        make_tokenizer().save(str(folder / "tokenizer.json"))
        fields = {
            "name": name, "version": "1", "sha256": hashlib.sha256(data).hexdigest(), "parts": names,
            "max_tokens": 64, "labels": labels, "temperature": 1.0, "pair": "evidence_first",
        }  # fmt: skip
        (folder / "card.json").write_text(json.dumps(fields | (card or {})), encoding="utf-8")
        return folder

    return make
