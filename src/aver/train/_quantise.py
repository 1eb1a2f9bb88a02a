"""A graph in 32-bit floats becomes one in 8-bit integers, and a report says how far its answers moved.

Every activation row (one token of one pair) is divided by its own largest magnitude before a QuantizeLinear with a
constant scale, and the product's row is multiplied by it again. Nothing is shared between the rows of a batch, so a
pair's answer does not depend on its batch mates, as it would with one dynamic scale for the whole tensor; and the few
tokens with massive activations that MPNet has spoil no other token. Weights get a scale per output column, and seven
bits: then two u8 x s8 products never overflow 16 bits on processors without VNNI (255 * 64 * 2 < 2^15), and the
integers are the same on every machine. They are rounded with regard to what they are multiplied by, and a row's loudest
channels are told in several parts (`_rounding`). Behind a GELU a row is shifted by GELU's minimum, so that all eight
bits serve. Large embedding tables get a scale per row and six bits, which pack small. Heads and the products inside the
attention stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from aver.errors import MissingExtra
from aver.train._rounding import Inputs, measured, rounded

__all__ = ["Parity", "parity", "quantise"]

LOW = 0.17
"""GELU's minimum is -0.16997: shifted by this it is never negative."""
TOP = 64.0
"""Seven bits of weight."""
TABLE_TOP = 31.0
"""Six bits of an embedding: a thirtieth of its spread is well below what the model tells apart."""
SMALLEST = 64
"""A weight with a side below this, such as a head's, is left alone."""
TABLE = 100_000
"""An embedding table with fewer numbers than this is left alone."""
COPIES = 8
"""Parts more in which the loudest channels of an activation row are told."""

Array = npt.NDArray[Any]


class Parity(NamedTuple):
    """How far the small graph's answers are from the large one's, pair by pair."""

    pairs: int
    same_label: float
    """Share of pairs with the same verdict."""
    logit_rms: float
    logit_rms_over_std: float
    """The root mean square of the difference, over the spread of the logits themselves."""
    probability_mean: float
    probability_max: float
    bytes_before: int
    bytes_after: int


def quantise(
    graph: bytes, feeds: Sequence[Mapping[str, Array]] = (), *, smallest: int = SMALLEST, table: int = TABLE
) -> bytes:
    """The same graph with its large products in 8-bit integers.

    `feeds` are inputs of the kind it will have, on which it is seen what its weights are multiplied by. Without any,
    weights are rounded to the nearest number, and no channel is taken for louder than others.
    """
    try:
        import onnx
    except ImportError:
        raise MissingExtra("train", "onnx") from None
    rewriter = _Rewriter(onnx, onnx.load_from_string(graph), smallest, table)
    if feeds:
        rewriter.inputs = measured(graph, rewriter.multiplied(), feeds)
    rewriter.rewrite()
    done: bytes = rewriter.model.SerializeToString()
    return done


class _Rewriter:
    """Goes through the nodes once, in order, and writes the new list."""

    def __init__(self, onnx: Any, model: Any, smallest: int, table: int) -> None:
        self.onnx, self.model, self.graph = onnx, model, model.graph
        self.smallest, self.table = smallest, table
        self.constants = {tensor.name: tensor for tensor in self.graph.initializer}
        self.after_gelu = _gelu_outputs(self.graph)
        self.nodes: list[Any] = []
        self.added: dict[str, Any] = {}
        self.rows: set[str] = set()
        self.inputs: Mapping[str, Inputs] = {}

    def multiplied(self) -> list[str]:
        """What the large products are products of."""
        return list(dict.fromkeys(node.input[0] for node in self.graph.node if self._is_product(node)))

    def rewrite(self) -> None:
        for node in self.graph.node:
            if self._is_product(node):
                self._product(node)
            elif self._is_table(node):
                self._lookup(node)
            else:
                self.nodes.append(node)
        used = {name for node in self.nodes for name in node.input}
        kept = [tensor for tensor in self.graph.initializer if tensor.name in used]
        del self.graph.node[:], self.graph.initializer[:], self.graph.value_info[:]
        self.graph.node.extend(self.nodes)
        self.graph.initializer.extend([*kept, *self.added.values()])
        if self.rows and not any(opset.domain == "com.microsoft" for opset in self.model.opset_import):
            self.model.opset_import.append(self.onnx.helper.make_opsetid("com.microsoft", 1))

    def _product(self, node: Any) -> None:
        x, name, y = node.input[0], node.input[1], node.output[0]
        rows, gelu = f"int8.{x}", x in self.after_gelu
        if x not in self.rows:
            self._quantised_rows(x, rows, gelu)
            self.rows.add(x)
        weight = self._array(name).astype(np.float64)
        scale = np.maximum(np.abs(weight).max(0), 1e-12) / TOP
        if x in self.inputs:
            whole = rounded(weight, scale, TOP, self.inputs[x].energy)
        else:
            whole = np.clip(np.rint(weight / scale), -TOP, TOP)
        kind = "u" if gelu else "s"
        parts = np.concatenate([whole, whole[self._array(f"{rows}.loud")]]) if f"{rows}.loud" in self.added else whole
        inputs = [
            f"{rows}.q", self._constant(f"{name}.q", parts.astype(np.int8)), f"scale.{kind}",
            self._constant(f"{name}.scale", scale.astype(np.float32)), f"zero.{kind}",
        ]  # fmt: skip
        product = self._op("MatMulIntegerToFloat", inputs, f"{y}.product", domain="com.microsoft")
        if not gelu:
            self._op("Mul", [product, f"{rows}.top"], y)
            return
        # (x + low) W = x W + low * (the sum over W's rows): taken off again, with the weights as they compute
        shift = self._constant(f"{name}.shift", (LOW * (whole * scale).sum(0)).astype(np.float32))
        self._op("Sub", [self._op("Mul", [product, f"{rows}.top"], f"{y}.rows"), shift], y)

    def _quantised_rows(self, x: str, rows: str, gelu: bool) -> None:
        kind, scale, zero = ("u", 1 / 255, 0) if gelu else ("s", 1 / 127, 128)
        if gelu:
            x = self._op("Add", [x, self._constant("gelu.low", np.array(LOW, np.float32))], f"{rows}.shifted")
        elif x in self.inputs:
            x = self._in_parts(x, rows)
        size = x if gelu else self._op("Abs", [x], f"{rows}.abs")
        peak = self._op("ReduceMax", [size], f"{rows}.peak", axes=[-1], keepdims=1)
        peak = self._op("Max", [peak, self._constant("tiny", np.array(1e-9, np.float32))], f"{rows}.top")
        unit = self._op("Div", [x, peak], f"{rows}.unit")
        constants = (
            self._constant(f"scale.{kind}", np.array(scale, np.float32)),
            self._constant(f"zero.{kind}", np.array(zero, np.uint8)),
        )
        self._op("QuantizeLinear", [unit, *constants], f"{rows}.q")

    def _in_parts(self, x: str, rows: str) -> str:
        """Every loud channel's share, and behind the row its other parts."""
        loud = self.inputs[x].loud(COPIES)
        share = 1 / (1 + np.bincount(loud, minlength=self.inputs[x].rows.shape[1]))
        copies = self._op("Gather", [x, self._constant(f"{rows}.loud", loud)], f"{rows}.copies", axis=-1)
        whole = self._op("Concat", [x, copies], f"{rows}.whole", axis=-1)
        shares = self._constant(f"{rows}.shares", np.concatenate([share, share[loud]]).astype(np.float32))
        return self._op("Mul", [whole, shares], f"{rows}.parts")

    def _lookup(self, node: Any) -> None:
        name, y = node.input[0], node.output[0]
        table = self._array(name)
        scale = np.maximum(np.abs(table).max(1, keepdims=True), 1e-12) / TABLE_TOP
        numbers = self._constant(f"{name}.q", np.rint(table / scale).astype(np.int8))
        whole = self._op("Gather", [numbers, node.input[1]], f"{y}.q")
        scales = self._constant(f"{name}.scale", scale.astype(np.float32))
        factor = self._op("Gather", [scales, node.input[1]], f"{y}.scale")
        self._op("Mul", [self._op("Cast", [whole], f"{y}.f", to=self.onnx.TensorProto.FLOAT), factor], y)

    def _op(self, kind: str, inputs: Sequence[str], output: str, **attributes: object) -> str:
        node = self.onnx.helper.make_node(kind, list(inputs), [output], name=f"{output}.node", **attributes)
        self.nodes.append(node)
        return output

    def _constant(self, name: str, array: Array) -> str:
        if name not in self.added:
            self.added[name] = self.onnx.numpy_helper.from_array(array, name)
        return name

    def _array(self, name: str) -> Array:
        array: Array = self.onnx.numpy_helper.to_array(
            self.constants[name] if name in self.constants else self.added[name]
        )
        return array

    def _is_product(self, node: Any) -> bool:
        if node.op_type != "MatMul" or node.input[1] not in self.constants:
            return False
        sides = self.constants[node.input[1]].dims
        return len(sides) == 2 and min(sides) >= self.smallest

    def _is_table(self, node: Any) -> bool:
        if node.op_type != "Gather" or node.input[0] not in self.constants:
            return False
        if any(attribute.name == "axis" and attribute.i != 0 for attribute in node.attribute):
            return False
        table = self.constants[node.input[0]]
        large = len(table.dims) == 2 and int(np.prod(table.dims)) > self.table
        return large and table.data_type == self.onnx.TensorProto.FLOAT


def _gelu_outputs(graph: Any) -> set[str]:
    """What comes out of an erf-GELU, 0.5 x (1 + erf(x / sqrt 2)), in whichever order the exporter multiplies."""
    users: dict[str, list[Any]] = {}
    for node in graph.node:
        for name in node.input:
            users.setdefault(name, []).append(node)
    found = set()
    for node in graph.node:
        if node.op_type == "Erf":
            out = node.output[0]
            while len(after := users.get(out, [])) == 1 and after[0].op_type in ("Add", "Mul"):
                out = after[0].output[0]
            found.add(out)
    return found


def parity(before: bytes, after: bytes, feeds: Sequence[Mapping[str, Array]]) -> Parity:
    """Runs both graphs on the same pairs, each pair alone."""
    import onnxruntime

    answers = []
    for graph in (before, after):
        session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
        answers.append(np.array([session.run(["verdict"], dict(feed))[0][0] for feed in feeds], np.float64))
    large, small = answers
    powers = [np.exp(logits - logits.max(-1, keepdims=True)) for logits in answers]
    p, q = (power / power.sum(-1, keepdims=True) for power in powers)
    rms = float(np.sqrt(((large - small) ** 2).mean()))
    return Parity(
        pairs=len(feeds),
        same_label=float((large.argmax(-1) == small.argmax(-1)).mean()),
        logit_rms=rms,
        logit_rms_over_std=rms / max(float(large.std(0).mean()), 1e-12),
        probability_mean=float(np.abs(p - q).mean()),
        probability_max=float(np.abs(p - q).max()),
        bytes_before=len(before),
        bytes_after=len(after),
    )
