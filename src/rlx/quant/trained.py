"""What rounding costs each layer and the complete graph; and the integer graph of a graph trained with fake quantization."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlx.core.aligned import Array
from rlx.core.dtype import f64
from rlx.core.errors import RlxError
from rlx.core.report import Report
from rlx.ir.emit import constant
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.pattern import Rewriter, ValueMap, compose, op
from rlx.ir.value import Value, as_dtype
from rlx.module.graph import Graph as BuilderGraph
from rlx.ops.elementwise.binary import clamp
from rlx.ops.quantized.fake_quantize import largest
from rlx.ops.quantized.quantize import dequantize, quantize
from rlx.passes.canonicalize import dce
from rlx.quant.convert import convert
from rlx.quant.grid import Grid, decibels, round_operands, signal_to_noise
from rlx.quant.layers import StaticValues, find_layers, new_context, own_name, params_of, plain_graph, with_outputs
from rlx.quant.nan_marks import mark_nan
from rlx.quant.post_training import LayerResult, Quantized
from rlx.quant.propagate import propagate_qdq
from rlx.runtime.compile import compile_module
from rlx.runtime.executable import Executable
from rlx.runtime.session import Session


@dataclass(frozen=True)
class Comparison:
    """Signal-to-noise ratios in dB of a quantized graph: of each layer alone, worst first, and of the graph's outputs.

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
        outputs = [f"{name:{width}}  {value:6.1f} dB" for name, value in self.outputs.items()]
        return "\n".join(["each layer alone", *rows, "outputs", *outputs])


def compare(quantized: Quantized, inputs: Mapping[str, Any] | None = None) -> Comparison:
    """Runs the float graph and the integer graph on the same inputs (default: the first calibration batch).

    For a layer alone, its result from a rounded input and weight is compared with the float result, both after float layers. States
    are those of the float graph's session, and do not change.

    >>> import rlx
    >>> g = rlx.Graph("one"); x = g.input("x", (8, 4)); g.set_outputs({"y": x @ g.param("w", (4, 2))})
    >>> random = np.random.default_rng(0)
    >>> weights, data = {"w": random.standard_normal((4, 2), np.float32)}, random.standard_normal((8, 4), np.float32)
    >>> calibration = rlx.quant.calibrate(g, [data], params=weights, device="reference")
    >>> compare(rlx.quant.quantize(g, calibration)).outputs["y"] > 30
    True
    """
    inputs_used = quantized.sample if inputs is None else inputs
    chosen = {layer.name: layer for layer in quantized.layers if layer.grids is not None}
    nodes = {name: layer.node for name, layer in chosen.items()}
    grids = {layer.node: layer.grids for layer in chosen.values() if layer.grids is not None}
    powers = compile_module(_powers(quantized.source, nodes, grids), session=quantized.session).run(inputs_used)
    own = {name: decibels(float(powers[f"signal{index}"]), float(powers[f"noise{index}"])) for index, name in enumerate(nodes)}
    refs = list(quantized.source.output_refs.values())
    exact = compile_module(with_outputs(quantized.source, refs, f"{quantized.source.name}.float"), session=quantized.session).run(
        inputs_used
    )
    integers = quantized.compile()
    for name in integers.graph.states:
        if quantized.session.entries[name].is_set:
            integers.session.set_state(name, quantized.session.state(name))
    results = integers.run(inputs_used)
    outputs = {
        name: signal_to_noise(np.asarray(exact[f"v{index}"]), np.asarray(results[name]))
        for index, name in enumerate(quantized.source.output_refs)
        if quantized.source.shape(refs[index]).dtype.is_float
    }
    return Comparison(dict(sorted(own.items(), key=lambda row: row[1])), outputs)


def _powers(graph: Graph, nodes: Mapping[str, int], grids: Mapping[int, tuple[Grid, Grid]]) -> Graph:
    """For each layer, Σ y² and Σ (y - rounded y)² with only its own operands rounded."""
    rewriter = Rewriter(graph, "compare", name=f"{graph.name}.compare")
    for node in graph.nodes:
        rewriter.copy(node)
    outputs = {}
    for index, layer in enumerate(nodes.values()):
        node = graph.nodes[layer]
        exact = as_dtype(rewriter.value(node.ref), f64)
        noise = exact - as_dtype(round_operands(rewriter, node, grids[layer]), f64)
        outputs[f"signal{index}"], outputs[f"noise{index}"] = ((value * value).sum().ref for value in (exact, noise))
    rewriter.graph.output_refs = outputs
    return rewriter.graph


# -- quantize_trained: a graph trained with fake quantization becomes the integer graph of the grids it learned ------


STAGE = "quantize_trained"

CHOICE = op("where")


def quantize_trained(exe: Executable) -> Quantized:
    """Converts a forward graph with `fake_quantize` or `fake_quantize_lsq` to integers, with the session's scales.

    Learned steps and fixed scales are read from params, averaged scales from their states; a weight's per_batch scale is computed
    from the weight. An activation with a per-run scale stays unchanged.

    >>> import numpy as np, rlx
    >>> g = rlx.Graph("one"); x = g.input("x", (8, 4)); w = g.param("w", (4, 2))
    >>> scales = g.constant(np.float32(0.02)), g.constant(np.float32(0.02))
    >>> g.set_outputs({"y": g.fake_quantize_lsq(x, scales[0], bits=8) @ g.fake_quantize_lsq(w, scales[1], bits=8)})
    >>> exe = rlx.compile(g, "reference")
    >>> exe.set_param("w", np.ones((4, 2), np.float32))
    >>> print(quantize_trained(exe))
    1 of 1 layers in integers
      w (matmul): integer, result f32
    """
    graph, first = plain_graph(exe)
    if not any(node.op.definition.grid == "onto" for node in graph.nodes):
        raise RlxError(
            "RLX623", f"graph {graph.name!r} has no fake_quantize", fix="use rlx.quant.calibrate and quantize, which need none"
        )
    report = Report()
    paired, step = real_pairs(graph, exe.session, report)
    total = compose(first, step)
    moved, step = propagate_qdq(paired)
    converted = convert(moved, exe.session)
    marked, last = mark_nan(converted.graph)
    total = compose(compose(compose(total, step), converted.value_map), last)
    results = []
    for layer in find_layers(moved):
        outcome = converted.outcome[layer.name]
        kind, reason = (outcome, "") if outcome in ("i8", "f32") else ("float", outcome)
        results.append(LayerResult(layer.name, layer.op, kind, reason))
        report.add(STAGE, "not quantized" if reason else "quantized", str(results[-1]))
    params = {name: converted.params[name] if name in converted.params else exe.session.param(name) for name in marked.params}
    return Quantized(BuilderGraph.adopt(marked), total, params, tuple(results), report, graph, exe.session)


def real_pairs(graph: Graph, session: Session, report: Report) -> tuple[Graph, ValueMap]:
    """fake_quantize(x, s)  ->  dequantize(clamp(quantize(x, s), ±q_max), s)        where s is known; its average is no longer kept"""
    static, rewriter = StaticValues(graph, session), Rewriter(graph, STAGE)
    stopped: set[str] = set()
    for node in graph.nodes:
        scale = _scale(graph, node, static, session) if node.op.definition.grid == "onto" else None
        if scale is None:
            rewriter.copy(node)
            continue
        array, state = scale
        _check_finite(graph, node.refs[0], static)
        made, used = rewriter.build(node, _pair, rewriter.value(node.refs[0]), array, node.op["bits"], node.op["axis"])
        rewriter.replace(node, (made, used) if len(node.results) > 1 else made)
        if state is not None:
            stopped.add(state)
    made_graph, mapping = rewriter.finish()
    made_graph.updates = {name: ref for name, ref in made_graph.updates.items() if name not in stopped}
    clean, step = dce(made_graph, new_context())
    for node in clean.nodes:
        if node.op.definition.grid == "onto":
            report.add(STAGE, "kept", "fake_quantize with a per-run scale", node.origin)
    return clean, compose(mapping, step)


def _check_finite(graph: Graph, ref: Ref, static: StaticValues) -> None:
    """Rejects NaN in a weight: integers cannot represent it."""
    if ref in static and not np.isfinite(static[ref].astype(np.float32)).all():
        name = "+".join(params_of(graph, ref)) or own_name(graph.node(ref))
        raise RlxError("RLX623", f"the weight {name!r} is not finite", fix="train again from a step before it was NaN")


def _pair(x: Value, scale: Array, bits: int, axis: int | None) -> tuple[Value, Value]:
    """Emits the quantize and dequantize of a fake_quantize. Fewer bits are i8 within bounds; more than 8 are an error."""
    step, top = constant(x.graph, scale.astype(np.float32)), largest(bits)
    q = quantize(x, step, axis=axis, dtype="i8" if bits <= 8 else "i16")
    bound = [constant(x.graph, value, q.dtype) for value in (-top, top)]
    return as_dtype(dequantize(clamp(q, *bound), step, axis=axis), x.dtype), as_dtype(step, x.dtype.compute)


def _scale(graph: Graph, node: Node, static: StaticValues, session: Session) -> tuple[Array, str | None] | None:
    """The trained scale of a fake_quantize, and the state that holds it; None if each run computes it."""
    mode = node.op.attrs.get("scale_mode")
    if mode is not None and mode.kind == "per_batch":
        if node.refs[0] not in static:
            return None
        x, axis = static[node.refs[0]], node.op["axis"]
        others = None if axis is None else tuple(a for a in range(x.ndim) if a != axis)
        return _above_zero(np.max(np.abs(x), axis=others, initial=0) / largest(node.op["bits"])), None
    if node.refs[1] in static:
        return _above_zero(static[node.refs[1]]), None
    state = _averaging_state(graph, node.refs[1])
    return None if state is None else (_above_zero(session.state(state)), state)


def _averaging_state(graph: Graph, scale: Ref) -> str | None:
    """The state of an averaged scale: the operand itself, or the state in where(state == 0, own, state)."""
    node = graph.node(scale)
    if CHOICE.made_by(node):
        node = graph.node(node.refs[2])
    return str(node.op["name"]) if node.op.is_state else None


def _above_zero(scale: Array) -> Array:
    """Replaces scale 0, of a channel of zeros, by the largest scale: any positive one works."""
    return np.where(scale == 0, float(np.max(scale, initial=0)) or 1.0, scale)
