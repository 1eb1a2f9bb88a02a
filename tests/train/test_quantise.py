"""Eight-bit graphs: near the exact ones, and the same whatever stands beside a pair in its batch. No torch."""

from __future__ import annotations

import importlib.util
import sys

import numpy as np
import pytest

from aver.errors import MissingExtra
from aver.train._quantise import COPIES, parity, quantise
from aver.train._rounding import Inputs, rounded

if importlib.util.find_spec("onnx") is None:
    pytest.skip("needs onnx, which is not installed", allow_module_level=True)

import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

VOCABULARY, HIDDEN, INNER = 1600, 64, 128


@pytest.fixture(scope="module")
def graph() -> bytes:
    """Embeddings, a block with a GELU, a mean, a head: with a few tokens of massive activation, as MPNet has."""
    rng = np.random.default_rng(0)
    table = rng.normal(0, 1, (VOCABULARY, HIDDEN))
    table[::97, 5] *= 60
    arrays = {
        "table": table, "up": rng.normal(0, 0.15, (HIDDEN, INNER)), "down": rng.normal(0, 0.15, (INNER, HIDDEN)),
        "head": rng.normal(0, 0.5, (HIDDEN, 3)), "root": np.array(2**0.5), "one": np.array(1.0), "half": np.array(0.5),
    }  # fmt: skip
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["x"]),
        helper.make_node("MatMul", ["x", "up"], ["u"]),
        helper.make_node("Div", ["u", "root"], ["u.r"]),
        helper.make_node("Erf", ["u.r"], ["u.e"]),
        helper.make_node("Add", ["u.e", "one"], ["u.1"]),
        helper.make_node("Mul", ["u", "u.1"], ["u.2"]),
        helper.make_node("Mul", ["u.2", "half"], ["g"]),
        helper.make_node("MatMul", ["g", "down"], ["d"]),
        helper.make_node("ReduceMean", ["d"], ["m"], axes=[1], keepdims=0),
        helper.make_node("MatMul", ["m", "head"], ["verdict"]),
    ]
    made = helper.make_graph(
        nodes,
        "block",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["pairs", "tokens"])],
        [helper.make_tensor_value_info("verdict", TensorProto.FLOAT, ["pairs", 3])],
        [numpy_helper.from_array(array.astype(np.float32), name) for name, array in arrays.items()],
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def _session(graph: bytes) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])


def _feeds(count: int) -> list[dict[str, np.ndarray]]:
    rng = np.random.default_rng(1)
    return [{"input_ids": rng.integers(0, VOCABULARY, (1, int(rng.integers(4, 40))))} for _ in range(count)]


def test_near_and_smaller(graph: bytes) -> None:
    small = quantise(graph)
    report = parity(graph, small, _feeds(200))
    assert report.pairs == 200
    assert report.same_label > 0.97
    assert report.probability_mean < 0.01
    assert report.bytes_after < 0.35 * report.bytes_before


def test_the_products_are_near(graph: bytes) -> None:
    report = parity(graph, quantise(graph, table=10**9), _feeds(200))
    assert report.logit_rms_over_std < 0.05


def test_a_table_in_six_bits_is_off_by_half_a_step_at_most(graph: bytes) -> None:
    before = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load_from_string(graph).graph.initializer}
    after = onnx.load_from_string(quantise(graph)).graph.initializer
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in after}
    tables = [name for name in before if f"{name}.q" in arrays and arrays[f"{name}.scale"].shape[-1] == 1]
    assert tables
    for name in tables:
        whole, scale = arrays[f"{name}.q"], arrays[f"{name}.scale"]
        assert np.abs(whole).max() == 31
        assert (np.abs(whole * scale - before[name]) <= 0.5001 * scale).all()


def test_with_itself_nothing_differs(graph: bytes) -> None:
    report = parity(graph, graph, _feeds(5))
    assert (report.same_label, report.logit_rms, report.probability_max) == (1.0, 0.0, 0.0)


def test_an_answer_does_not_depend_on_the_batch(graph: bytes) -> None:
    session = _session(quantise(graph))
    ids = np.random.default_rng(2).integers(0, VOCABULARY, (16, 20))
    ids[3] = 97  # a row of massive activations among the others
    together = session.run(["verdict"], {"input_ids": ids})[0]
    alone = np.concatenate([session.run(["verdict"], {"input_ids": ids[i : i + 1]})[0] for i in range(16)])
    # the head's sums, in 32-bit floats, are made in another order for one row: the last digit may differ
    np.testing.assert_allclose(together, alone, rtol=1e-6, atol=1e-6)


def test_what_is_rewritten(graph: bytes) -> None:
    model = onnx.load_from_string(quantise(graph))
    kinds = [node.op_type for node in model.graph.node]
    assert kinds.count("MatMulIntegerToFloat") == 2
    assert kinds.count("MatMul") == 1, "the head stays as it is"
    weights = {tensor.name: tensor for tensor in model.graph.initializer}
    assert {"table", "up", "down"} & set(weights) == set(), "the exact weights are gone"
    assert weights["table.q"].data_type == TensorProto.INT8
    for name in ("up.q", "down.q"):
        whole = numpy_helper.to_array(weights[name])
        assert np.abs(whole).max() == 64, "seven bits"
    # one zero point for signed rows; behind the GELU none is needed
    assert int(numpy_helper.to_array(weights["zero.s"])) == 128
    assert int(numpy_helper.to_array(weights["zero.u"])) == 0


def test_rounding_looks_at_what_is_multiplied() -> None:
    rng = np.random.default_rng(3)
    inputs = rng.normal(size=(500, 12)) @ rng.normal(size=(12, 96))  # they go up and down together
    weight = rng.normal(size=(96, 20))
    scale = np.abs(weight).max(0) / 8
    whole = rounded(weight, scale, 8.0, inputs.T @ inputs)
    nearest = np.rint(weight / scale)
    assert (whole == np.rint(whole)).all()
    assert np.abs(whole).max() <= 8

    def error(found: np.ndarray) -> float:
        return float(np.linalg.norm(inputs @ (found * scale - weight)))

    assert error(whole) < 0.4 * error(nearest)


def test_inputs_that_have_nothing_to_do_with_each_other_are_rounded_to_the_nearest() -> None:
    weight = np.random.default_rng(4).normal(size=(150, 5))
    scale = np.abs(weight).max(0) / 64
    np.testing.assert_array_equal(rounded(weight, scale, 64.0, np.eye(150)), np.rint(weight / scale))


def test_loud_channels_are_told_in_parts() -> None:
    rows = np.ones((10, 6))
    rows[:, 2], rows[:, 4] = 7.9, 2.5
    assert Inputs(np.eye(6), rows).loud(5).tolist() == [2, 2, 2, 4, 2]


def test_with_feeds_it_is_nearer(graph: bytes) -> None:
    feeds = _feeds(200)
    before = parity(graph, quantise(graph, table=10**9), feeds)
    small = quantise(graph, _feeds(120)[:100], table=10**9)
    assert parity(graph, small, feeds).logit_rms < 0.7 * before.logit_rms
    weights = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load_from_string(small).graph.initializer}
    assert weights["up.q"].shape == (HIDDEN + COPIES, INNER)
    np.testing.assert_array_equal(weights["up.q"][HIDDEN:], weights["up.q"][weights["int8.x.loud"]])
    assert weights["down.q"].shape == (INNER, HIDDEN), "behind a GELU no channel is told in parts"
    assert set(weights["int8.x.loud"]) == {5}


def test_a_graph_with_nothing_large_is_left_alone(graph: bytes) -> None:
    for feeds in ([], _feeds(3)):
        same = onnx.load_from_string(quantise(graph, feeds, smallest=10_000, table=10**9))
        assert same.graph == onnx.load_from_string(graph).graph


def test_without_onnx(graph: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingExtra, match="onnx"):
        quantise(graph)
