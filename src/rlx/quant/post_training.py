"""quantize: from a calibrated float graph to an integer one, in one call, with a report on every layer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from rlx.core.aligned import Array
from rlx.core.errors import RlxError, check_is
from rlx.core.report import Report
from rlx.ir.graph import Graph
from rlx.ir.pattern import ValueMap, compose
from rlx.module.graph import Graph as BuilderGraph
from rlx.quant.calibrate import Calibration
from rlx.quant.convert import Converted, convert
from rlx.quant.grid import Grid, insert_qdq, signal_to_noise
from rlx.quant.layers import Layer, StaticValues, plain_graph
from rlx.quant.nan_marks import mark_nan
from rlx.quant.propagate import propagate_qdq
from rlx.runtime.compile import compile_module
from rlx.runtime.executable import Executable
from rlx.runtime.session import Session

_INTEGER = ("i8", "f32")
"""The results of integer ops."""


@dataclass(frozen=True)
class QuantConfig:
    """What `quantize` converts, and on which grids. Layers are named after their weights; patterns are globs (`layers.0.*`).

    >>> QuantConfig(skip=("layers.0.*",), keep_last=True).per_channel
    True
    """

    symmetric: bool = False  # activations without a zero point
    per_channel: bool = True  # a scale for each output channel of a weight, else one for all
    skip: tuple[str, ...] = ()  # layers that stay in floats
    only: tuple[str, ...] | None = None  # if set, all others stay in floats
    keep_first: bool = False  # the first layer stays in floats
    keep_last: bool = False

    def reason(self, layer: Layer, possible: list[Layer]) -> str | None:
        """The reason why a layer is not quantized; None if it is."""
        if layer.reason is not None:
            return layer.reason
        if any(fnmatchcase(layer.name, pattern) for pattern in self.skip):
            return "skipped by name"
        if self.only is not None and not any(fnmatchcase(layer.name, pattern) for pattern in self.only):
            return "not listed in `only`"
        if self.keep_first and layer == possible[0]:
            return "the first layer stays in floats"
        if self.keep_last and layer == possible[-1]:
            return "the last layer stays in floats"
        return None


@dataclass(frozen=True)
class LayerResult:
    """A layer's outcome: `kind` is i8 or f32 (the result of its integer op), or "float" with a `reason`.

    >>> print(LayerResult("w", "matmul", "f32", weight_sqnr=41.0))
    w (matmul): integer, result f32, weight 41.0 dB
    """

    name: str
    op: str
    kind: str
    reason: str = ""
    weight_sqnr: float | None = None  # dB
    node: int = -1  # in the float graph
    grids: tuple[Grid, Grid] | None = field(default=None, repr=False, compare=False)

    @property
    def is_integer(self) -> bool:
        """Whether the layer became an integer op."""
        return self.kind in _INTEGER

    def __str__(self) -> str:
        if not self.is_integer:
            return f"{self.name} ({self.op}): float: {self.reason}"
        step = f", input step {float(self.grids[0].scale):.4g}" if self.grids is not None else ""
        weight = f", weight {self.weight_sqnr:.1f} dB" if self.weight_sqnr is not None else ""
        return f"{self.name} ({self.op}): integer, result {self.kind}{step}{weight}"


@dataclass(frozen=True, eq=False)
class Quantized:
    """An integer graph with the arrays of its params, and the original float graph.

    >>> import rlx
    >>> g = rlx.Graph("one"); x = g.input("x", (8, 4)); g.set_outputs({"y": x @ g.param("w", (4, 2))})
    >>> random = np.random.default_rng(0)
    >>> weights, data = {"w": random.standard_normal((4, 2), np.float32)}, random.standard_normal((8, 4), np.float32)
    >>> calibration = rlx.quant.calibrate(g, [data], params=weights, device="reference")
    >>> quantized = rlx.quant.quantize(g, calibration)
    >>> float(np.abs(quantized.compile()(data) - data @ weights["w"]).max()) < 0.1
    True
    """

    graph: BuilderGraph
    value_map: ValueMap = field(repr=False)
    params: Mapping[str, Any] = field(repr=False)
    layers: tuple[LayerResult, ...]
    report: Report = field(repr=False)
    source: Graph = field(repr=False)  # the float graph
    session: Session = field(repr=False)  # the session of the float params
    sample: Mapping[str, Array] = field(repr=False, default_factory=dict)

    def __repr__(self) -> str:
        return f"<Quantized {self.graph.name}: {len(self.layers)} layers, {len(self.params)} params>"

    def compile(self, device: str | None = None, **options: Any) -> Executable:
        """Compiles the integer graph, with its params set."""
        exe = compile_module(self.graph, device or self.session.device, **options)
        exe.set_params(self.params)
        return exe

    def __str__(self) -> str:
        done = sum(layer.is_integer for layer in self.layers)
        return "\n".join([f"{done} of {len(self.layers)} layers in integers", *(f"  {layer}" for layer in self.layers)])


def quantize(module: Any, calibration: Calibration, config: QuantConfig | None = None) -> Quantized:
    """Quantizes a calibrated graph after training: weights to i8, matmuls to integer ops. Inputs, outputs and states stay.

    >>> import rlx
    >>> g = rlx.Graph("two"); x = g.input("x", ("n", 4))
    >>> g.set_outputs({"y": g.relu(x @ g.param("a", (4, 8))) @ g.param("b", (8, 2))})
    >>> random = np.random.default_rng(0)
    >>> weights = {"a": random.standard_normal((4, 8), np.float32), "b": random.standard_normal((8, 2), np.float32)}
    >>> calibration = rlx.quant.calibrate(g, [random.standard_normal((64, 4), np.float32)], params=weights, device="reference")
    >>> quantized = rlx.quant.quantize(g, calibration)
    >>> [node.op.name for node in quantized.graph.nodes if node.op.name.startswith("q")]
    ['quantize', 'q_matmul', 'q_matmul']
    """
    config = config or QuantConfig()
    check_is(calibration, Calibration, "RLX622", "the calibration", "rlx.quant.calibrate(module, batches)")
    graph, first = plain_graph(module)
    if graph.fingerprint() != calibration.graph.fingerprint():
        message = f"graph {graph.name!r} is not the one that was calibrated, {calibration.graph.name!r}"
        raise RlxError("RLX622", message, fix="pass the module that was passed to calibrate")
    reasons, grids, noise = _choose(calibration, config)
    converted, step = _convert_graph(graph, grids, calibration.session)
    refused = [layer for layer in calibration.layers if layer.node in grids and converted.outcome[layer.name] not in _INTEGER]
    if refused:  # again without them: a pair that does not end in an integer op only loses accuracy
        reasons |= {layer.name: converted.outcome[layer.name] for layer in refused}
        for layer in refused:
            del grids[layer.node]
        converted, step = _convert_graph(graph, grids, calibration.session)
    results = tuple(
        _result(layer, reasons[layer.name] or converted.outcome[layer.name], grids.get(layer.node), noise.get(layer.name))
        for layer in calibration.layers
    )
    report = Report()
    for result in results:
        report.add("quantize", "quantized" if result.is_integer else "not quantized", str(result), graph.nodes[result.node].origin)
    session = calibration.session
    params = {name: converted.params[name] if name in converted.params else session.param(name) for name in converted.graph.params}
    public = BuilderGraph.adopt(converted.graph)
    return Quantized(public, compose(first, step), params, results, report, graph, session, calibration.sample)


def _convert_graph(graph: Graph, grids: Mapping[int, tuple[Grid, Grid]], session: Session) -> tuple[Converted, ValueMap]:
    """Runs all steps of the conversion, and combines their value maps."""
    paired, total = insert_qdq(graph, grids)
    moved, step = propagate_qdq(paired)
    converted = convert(moved, session)
    marked, last = mark_nan(converted.graph)
    total = compose(compose(compose(total, step), converted.value_map), last)
    return replace(converted, graph=marked), total


def _choose(
    calibration: Calibration, config: QuantConfig
) -> tuple[dict[str, str | None], dict[int, tuple[Grid, Grid]], dict[str, float]]:
    """Chooses grids by node for layers to quantize, and the noise of their weights; for the others, the reasons by name."""
    _check_names(calibration, config)
    possible = [layer for layer in calibration.layers if layer.reason is None]
    static = StaticValues(calibration.graph, calibration.session)
    reasons = {layer.name: config.reason(layer, possible) for layer in calibration.layers}
    grids: dict[int, tuple[Grid, Grid]] = {}
    noise: dict[str, float] = {}
    for layer in possible:
        if reasons[layer.name] is None and layer.w is not None:
            weight = static[layer.w].astype(np.float32)
            if not np.isfinite(weight).all():
                raise RlxError(
                    "RLX623", f"the weight of {layer.name!r} is not finite", fix=f"check it, or skip={layer.name!r}", at=None
                )
            own = Grid.of_weight(weight, layer.channel_axis if config.per_channel else None)
            grids[layer.node] = (Grid.of_range(*calibration.range_of(layer), symmetric=config.symmetric), own)
            noise[layer.name] = signal_to_noise(weight, own.rounded(weight))
    return reasons, grids, noise


def _check_names(calibration: Calibration, config: QuantConfig) -> None:
    """Checks that every pattern matches a layer, and that layers in `only` can be quantized."""
    names = [layer.name for layer in calibration.layers]
    for pattern in (*config.skip, *(config.only or ())):
        if not any(fnmatchcase(name, pattern) for name in names):
            raise RlxError("RLX623", f"no layer is named {pattern!r}", fix=f"the layers: {', '.join(names)}")
    for layer in calibration.layers:
        if layer.reason is not None and layer.name in (config.only or ()):
            raise RlxError("RLX623", f"layer {layer.name!r} ({layer.op}): {layer.reason}", fix="remove it from `only`")


def _result(layer: Layer, outcome: str, grids: tuple[Grid, Grid] | None, noise: float | None) -> LayerResult:
    if outcome in _INTEGER:
        return LayerResult(layer.name, layer.op, outcome, "", noise, layer.node, grids)
    return LayerResult(layer.name, layer.op, "float", outcome, None, layer.node)
