"""The weights of finished models, read back out of their graphs; needs no torch."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aver.errors import ModelError
from aver.models import installed

onnx = pytest.importorskip("onnx")


@pytest.mark.parametrize(("name", "layers", "hidden"), [("default", 12, 768), ("fast", 6, 384)])
def test_a_shipped_model_has_all_its_weights(name: str, layers: int, hidden: int) -> None:
    from aver.train._unpack import unpacked

    found = unpacked(installed()[name])
    assert found["verdict.weight"].shape == (3, hidden)
    assert found["rationale.weight"].shape == (1, hidden)
    for layer in range(layers):
        assert found[f"encoder.layers.{layer}.qkv.weight"].shape == (3 * hidden, hidden)
        assert found[f"encoder.layers.{layer}.down.weight"].shape == (hidden, 4 * hidden)
    assert f"encoder.layers.{layers}.qkv.weight" not in found
    assert found["encoder.words.weight"].shape[1] == hidden
    assert all(array.dtype == np.float32 and np.isfinite(array).all() for array in found.values())


def test_a_graph_of_another_make_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from aver.train._unpack import unpacked

    helper = onnx.helper
    value = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1])
    graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "other", [value], [
        helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [1])
    ])  # fmt: skip
    folder = dataclasses.replace(installed()["fast"], path=Path("elsewhere"))
    data = helper.make_model(graph).SerializeToString()
    monkeypatch.setattr(type(folder), "read_weights", lambda self: (data, ""))
    with pytest.raises(ModelError, match="elsewhere: its weights cannot be read back"):
        unpacked(folder)


def test_mistakes_of_the_command(run_cli: Callable[..., Any], tmp_path: Path) -> None:
    done = run_cli("train", "embed", "--data", tmp_path, "--out", tmp_path / "o", "--from", "fast")
    assert (done.code, "takes no --from" in done.err) == (2, True)
    done = run_cli("train", "judge", "--data", tmp_path, "--out", tmp_path / "o", "--from", "fast")
    assert (done.code, "only default and fast can be taught on" in done.err) == (2, True)
    done = run_cli("train", "fast", "--data", tmp_path, "--out", tmp_path / "o", "--from", "fast", "--keep", "1")
    assert (done.code, "--keep" in done.err) == (2, True)
    done = run_cli("train", "default", "--data", tmp_path, "--out", tmp_path / "o", "--from", "default", "--fresh", "0")
    assert (done.code, "or 0 with a reader" in done.err) == (2, True)
    assert not (tmp_path / "o").exists()
