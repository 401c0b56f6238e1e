"""calibrate: the range of every layer's input over some batches, from one executable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.errors import RlxError
from rlx.ir.graph import Graph, Ref
from rlx.ir.pattern import ValueMap
from rlx.quant.layers import Layer, find_layers, plain_graph, with_outputs
from rlx.quant.observers import Observer, observer_factory
from rlx.runtime.compile import compile_module
from rlx.runtime.executable import Executable
from rlx.runtime.session import Session

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Calibration:
    """The ranges of a graph's layer inputs, and everything needed to quantize it: the graph itself, and its params.

    >>> import rlx
    >>> g = rlx.Graph("one"); x = g.input("x", (8, 4)); g.set_outputs({"y": x @ g.param("w", (4, 2))})
    >>> random = np.random.default_rng(0)
    >>> weights, data = {"w": random.standard_normal((4, 2), np.float32)}, random.standard_normal((8, 4), np.float32)
    >>> calibration = rlx.quant.calibrate(g, [data], params=weights, device="reference")
    >>> [layer.name for layer in calibration.layers], calibration.batches
    (['w'], 1)
    """

    graph: Graph = field(repr=False)
    value_map: ValueMap = field(repr=False)  # from the module given to its plain graph
    layers: tuple[Layer, ...]
    session: Session = field(repr=False)
    ranges: Mapping[Ref, tuple[float, float]]
    sample: Mapping[str, Array] = field(repr=False)  # the first batch
    batches: int

    def range_of(self, layer: Layer) -> tuple[float, float]:
        """The range of a layer's input, or an error if it was not observed."""
        if layer.x not in self.ranges:
            message = f"the input of {layer.name!r} was not observed in {self.batches} batches: it had no elements"
            raise RlxError("RLX622", message, fix=f"use batches that are not empty, or skip={layer.name!r}", at=None)
        return self.ranges[layer.x]

    def __repr__(self) -> str:
        return f"<Calibration of {self.graph.name}: {len(self.layers)} layers, {self.batches} batches>"

    def __str__(self) -> str:
        rows = [
            f"{layer.name}: {self.ranges[layer.x][0]:.6g} to {self.ranges[layer.x][1]:.6g}"
            for layer in self.layers
            if layer.x in self.ranges
        ]
        return "\n".join([f"{self.batches} batches", *rows])


def calibrate(
    module: Any,
    batches: Iterable[Mapping[str, Any] | Any],
    *,
    params: Mapping[str, Any] | None = None,
    observer: str | Callable[[], Observer] = "min_max",
    device: str = "cpu",
) -> Calibration:
    """Run batches through a graph and observe the input of every layer that can be quantized.

    module: a Graph or module with its `params`, or an Executable, whose session has them. batches: dicts of input arrays; plain arrays
    if there is one input. observer: min_max, moving_average, percentile, mean_square, or a function that makes one for each value.

    >>> from rlx import Graph
    >>> g = Graph("one"); x = g.input("x", (2, 2)); g.set_outputs({"y": x @ g.param("w", (2, 3))})
    >>> data = [np.array([[0, 1], [2, 3]], np.float32), np.array([[-1, 0], [0, 5]], np.float32)]
    >>> print(calibrate(g, data, params={"w": np.ones((2, 3), np.float32)}, device="reference"))
    2 batches
    w: -1 to 5
    """
    graph, value_map = plain_graph(module)
    layers = find_layers(graph)
    observed = list(dict.fromkeys(layer.x for layer in layers if layer.reason is None))
    if not observed:
        reasons = "; ".join(f"{layer.name}: {layer.reason}" for layer in layers) or "it has no matmul and no conv"
        raise RlxError("RLX623", f"nothing to quantize in graph {graph.name!r}: {reasons}")
    session = module.session if isinstance(module, Executable) else Session(device)
    exe = compile_module(with_outputs(graph, observed, f"{graph.name}.observed"), session=session)
    if params is not None:
        session.set_params(params)
    observers = {ref: observer_factory(observer)() for ref in observed}
    names = {ref: next(layer.name for layer in layers if layer.x == ref) for ref in observed}
    seen, sample, count = _observe(exe, batches, observers, names)
    ranges = {ref: observers[ref].range() for ref in observed if ref in seen}
    return Calibration(graph, value_map, tuple(layers), session, ranges, sample, count)


def _observe(
    exe: Executable, batches: Iterable[Mapping[str, Any] | Any], observers: Mapping[Ref, Observer], names: Mapping[Ref, str]
) -> tuple[set[Ref], dict[str, Array], int]:
    """Shows every batch's values to their observers; returns which had elements, a copy of the first batch, and how many there were."""
    seen: set[Ref] = set()
    sample: dict[str, Array] = {}
    count = 0
    for count, batch in enumerate(batches, 1):
        inputs = _by_name(batch, exe)
        sample = sample or {name: np.array(array) for name, array in inputs.items()}
        for ref, array in zip(observers, map(np.asarray, exe.run(inputs).values()), strict=True):
            if array.size:
                observers[ref].observe(_check_finite(array, names[ref], count))
                seen.add(ref)
    if count == 0:
        fix = "pass an iterable of input dicts with at least one in it: a few hundred examples are enough"
        raise RlxError("RLX621", "there are no batches", fix=fix)
    return seen, sample, count


def _by_name(batch: Mapping[str, Any] | Any, exe: Executable) -> Mapping[str, Any]:
    if isinstance(batch, Mapping):
        return batch
    if len(exe.inputs) != 1:
        message = f"a batch is a {type(batch).__name__}, but the graph has {len(exe.inputs)} inputs"
        raise RlxError("RLX621", message, fix=f"a dict of arrays by name: {', '.join(exe.inputs)}")
    return {next(iter(exe.inputs)): batch}


def _check_finite(array: Array, name: str, batch: int) -> Array:
    wide = array if array.dtype in (np.float32, np.float64) else array.astype(np.float32)
    if not np.isfinite(wide).all():
        what = "NaN" if np.isnan(wide).any() else "infinity"
        message = f"the input of {name!r} has {what} in batch {batch}"
        raise RlxError("RLX621", message, fix="check the data; rlx.compile(…, trap_nan=True) names the op", at=None)
    return wide
