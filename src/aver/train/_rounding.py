"""Weights rounded with regard to what they are multiplied by, and channels that are too loud for eight bits.

Rounding to the nearest makes every weight's own error small. What counts is the error of the product: with inputs that
go up and down together, what one weight was rounded off can be made up for by those that come after it (GPTQ, Frantar
et al., 2023). Activation rows get eight bits each by their largest number; where one channel is far louder than the
rest, it is told in several parts, so that the others keep more of the bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Inputs", "measured", "rounded"]

Array = npt.NDArray[Any]
DAMPING = 0.01
"""Of the mean energy, added to every input's: inputs that never varied could not be told apart otherwise."""
BLOCK = 128
"""Weights whose errors are carried on one by one; to those behind them all at once."""
ROWS = 2_000
"""Activation rows that are kept to look for loud channels in."""


class Inputs(NamedTuple):
    """What a product was multiplied by, over many rows."""

    energy: Array
    """The sum of every row's products of two channels, channels by channels."""
    rows: Array
    """Some of the rows' magnitudes."""

    def loud(self, copies: int) -> Array:
        """Channels to be told in one part more, as often as they stand here: those of the peaks that weigh most."""
        parts = np.ones(self.rows.shape[1])
        found = []
        for _ in range(copies):
            heard = self.rows / parts
            top = heard.argmax(1)
            peak = heard[np.arange(len(heard)), top]
            channel = int(np.bincount(top, peak**2, len(parts)).argmax())
            parts[channel] += 1
            found.append(channel)
        return np.array(found, np.int64)


def measured(graph: bytes, names: Sequence[str], feeds: Sequence[Mapping[str, Array]]) -> dict[str, Inputs]:
    """Runs the graph and looks at what it has under these names."""
    if not names:
        return {}
    import onnx
    import onnxruntime

    model = onnx.load_from_string(graph)
    there = {output.name for output in model.graph.output}
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names if name not in there)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    energy: dict[str, Array] = {}
    kept: dict[str, list[Array]] = {name: [] for name in names}
    each = max(1, ROWS // max(1, len(feeds)))
    for feed in feeds:
        for name, found in zip(names, session.run(list(names), dict(feed)), strict=True):
            rows = found.reshape(-1, found.shape[-1])
            energy[name] = energy.get(name, 0.0) + rows.T @ rows
            kept[name].append(np.abs(rows[:: max(1, len(rows) // each)]))
    return {name: Inputs(energy[name], np.concatenate(kept[name])) for name in energy}


def rounded(weight: Array, scale: Array, top: float, energy: Array) -> Array:
    """Whole numbers, at most `top`, for a weight (inputs by outputs) with a scale for each output.

    The loudest inputs come first, whose errors can still be made up for by most others.
    """
    order = np.argsort(-np.diag(energy), kind="stable")
    left = (weight / scale)[order]
    energy = energy[np.ix_(order, order)].astype(np.float64)
    energy[np.diag_indices_from(energy)] += DAMPING * np.diag(energy).mean() + 1e-12
    # what is left of each input once those before it are known; its rows say how an error is made up for
    carry = np.linalg.cholesky(np.linalg.inv(energy)).T
    whole = np.empty_like(left)
    for begin in range(0, len(left), BLOCK):
        end = min(begin + BLOCK, len(left))
        errors = np.empty((end - begin, left.shape[1]))
        for at in range(begin, end):
            whole[at] = np.clip(np.rint(left[at]), -top, top)
            errors[at - begin] = (left[at] - whole[at]) / carry[at, at]
            left[at + 1 : end] -= np.outer(carry[at, at + 1 : end], errors[at - begin])
        left[end:] -= carry[begin:end, end:].T @ errors
    back = np.empty_like(whole)
    back[order] = whole
    return back
