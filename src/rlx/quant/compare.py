"""compare: how much each layer, and the whole graph, loses to rounding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlx.core.dtype import f64
from rlx.ir.graph import Graph
from rlx.ir.pattern import Rewriter
from rlx.ir.value import as_dtype
from rlx.quant.grid import Grid, decibels, signal_to_noise
from rlx.quant.insert import paired
from rlx.quant.layers import with_outputs
from rlx.quant.post_training import Quantized
from rlx.runtime.compile import compile_module


@dataclass(frozen=True)
class Comparison:
    """Signal-to-noise ratios in dB: of each layer on its own, worst first, and of the outputs of the whole graph.

    >>> print(Comparison({"w": 41.25}, {"y": 40.0}))
    each layer alone
    w    41.2 dB
    outputs
    y    40.0 dB
    """

    layers: dict[str, float]
    outputs: dict[str, float]

    def __str__(self) -> str:
        width = max((len(name) for name in (*self.layers, *self.outputs)), default=0)
        rows = [f"{name:{width}}  {value:6.1f} dB" for name, value in self.layers.items()]
        whole = [f"{name:{width}}  {value:6.1f} dB" for name, value in self.outputs.items()]
        return "\n".join(["each layer alone", *rows, "outputs", *whole])


def compare(quantized: Quantized, inputs: Mapping[str, Any] | None = None) -> Comparison:
    """Run the float graph and the integer graph on the same inputs (default: the first calibration batch).

    A layer on its own: its result from a rounded input and weight compared with the float result, both after float layers. States are
    those of the float graph's session, and do not change.

    >>> import rlx
    >>> g = rlx.Graph("one"); x = g.input("x", (8, 4)); g.set_outputs({"y": x @ g.param("w", (4, 2))})
    >>> random = np.random.default_rng(0)
    >>> weights, data = {"w": random.standard_normal((4, 2), np.float32)}, random.standard_normal((8, 4), np.float32)
    >>> calibration = rlx.quant.calibrate(g, [data], params=weights, device="reference")
    >>> compare(rlx.quant.quantize(g, calibration)).outputs["y"] > 30
    True
    """
    given = quantized.sample if inputs is None else inputs
    chosen = {layer.name: layer for layer in quantized.layers if layer.grids is not None}
    nodes = {name: layer.node for name, layer in chosen.items()}
    grids = {layer.node: layer.grids for layer in chosen.values() if layer.grids is not None}
    powers = compile_module(_powers(quantized.source, nodes, grids), session=quantized.session).run(given)
    own = {name: decibels(float(powers[f"signal{index}"]), float(powers[f"noise{index}"])) for index, name in enumerate(nodes)}
    refs = list(quantized.source.output_refs.values())
    wanted = compile_module(with_outputs(quantized.source, refs, f"{quantized.source.name}.float"), session=quantized.session).run(
        given
    )
    integers = quantized.compile()
    for name in integers.graph.states:
        if quantized.session.entries[name].is_set:
            integers.session.set_state(name, quantized.session.state(name))
    found = integers.run(given)
    outputs = {
        name: signal_to_noise(np.asarray(wanted[f"v{index}"]), np.asarray(found[name]))
        for index, name in enumerate(quantized.source.output_refs)
        if quantized.source.shape(refs[index]).dtype.is_float
    }
    return Comparison(dict(sorted(own.items(), key=lambda row: row[1])), outputs)


def _powers(graph: Graph, nodes: Mapping[str, int], grids: Mapping[int, tuple[Grid, Grid]]) -> Graph:
    """For each layer Σ y² and Σ (y - rounded y)², with only its own operands rounded."""
    rewriter = Rewriter(graph, "compare", name=f"{graph.name}.compare")
    for node in graph.nodes:
        rewriter.copy(node)
    outputs = {}
    for index, layer in enumerate(nodes.values()):
        node = graph.nodes[layer]
        exact = as_dtype(rewriter.value(node.ref), f64)
        noise = exact - as_dtype(paired(rewriter, node, grids[layer]), f64)
        outputs[f"signal{index}"], outputs[f"noise{index}"] = ((value * value).sum().ref for value in (exact, noise))
    rewriter.graph.output_refs = outputs
    return rewriter.graph
