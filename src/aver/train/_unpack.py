"""The weights of a finished model, read back out of its graph: what `_export` and `_quantise` did, undone."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aver.errors import MissingExtra, ModelError
from aver.models._folder import ModelFolder

__all__ = ["unpacked"]

Array = npt.NDArray[Any]
_PRODUCTS = ("MatMul", "MatMulIntegerToFloat")
_OURS, _PRODUCT = "model.", "/MatMul_output_0"


def unpacked(folder: ModelFolder) -> dict[str, Array]:
    """The weights by their names in `_encoder.Judge`, in 32-bit floats; what was rounded to integers stays rounded."""
    try:
        import onnx
    except ImportError:
        raise MissingExtra("train", "onnx") from None
    graph = onnx.load_from_string(folder.read_weights()[0]).graph
    found = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}

    def whole(name: str) -> Array:
        if f"{name}.scale" in found:
            return np.asarray(found[f"{name}.q"].astype(np.float32) * found[f"{name}.scale"], np.float32)
        return np.array(found[name], np.float32)

    names = {name.removesuffix(".q") for name in found if name.startswith(_OURS) and not name.endswith(".scale")}
    weights = {name.removeprefix(_OURS): whole(name) for name in names}
    for node in graph.node:
        # a product's weight lost its name in the export and was turned; what it makes still says whose it is
        made = node.output[0].removesuffix(".product")
        if node.op_type in _PRODUCTS and made.endswith(_PRODUCT):
            name = node.input[1].removesuffix(".q")
            if name in found or f"{name}.q" in found:
                whose = made.removesuffix(_PRODUCT).removeprefix("/model/").replace("/", ".")
                copies = found.get(f"{node.input[0].removesuffix('.q')}.loud", ())  # of loud channels, behind the rest
                weight = whole(name)
                weights[f"{whose}.weight"] = np.ascontiguousarray(weight[: len(weight) - len(copies)].T)
    if "verdict.weight" not in weights:
        raise ModelError(f"{folder.path}: its weights cannot be read back; it was not made by `aver train`")
    return weights
