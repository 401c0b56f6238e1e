"""quantize_trained: a graph trained with fake quantization becomes the integer graph of the grids it learned."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

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
from rlx.quant.layers import StaticValues, find_layers, new_context, own_name, params_of, plain_graph
from rlx.quant.nan_marks import mark_nan
from rlx.quant.post_training import LayerResult, Quantized
from rlx.quant.propagate import propagate_qdq
from rlx.runtime.executable import Executable
from rlx.runtime.session import Session

Array = npt.NDArray[Any]
STAGE = "quantize_trained"

CHOICE = op("where")


def quantize_trained(exe: Executable) -> Quantized:
    """The integer graph of a forward graph with `fake_quantize` or `fake_quantize_lsq`, with the scales of the executable's session.

    Learned steps and fixed scales are read from params, averaged ones from their states; a weight's own scale (per_batch) is computed from
    the weight. An activation with a per-run scale stays unchanged.

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
    """Integers cannot hold the NaN of a weight."""
    if ref in static and not np.isfinite(static[ref].astype(np.float32)).all():
        name = "+".join(params_of(graph, ref)) or own_name(graph.node(ref))
        raise RlxError("RLX623", f"the weight {name!r} is not finite", fix="train again from a step before it was NaN")


def _pair(x: Value, scale: Array, bits: int, axis: int | None) -> tuple[Value, Value]:
    """The pair and its scale. Integers of fewer bits are i8 within bounds; more than 8 bits do not fit."""
    step, top = constant(x.graph, scale.astype(np.float32)), largest(bits)
    q = quantize(x, step, axis=axis, dtype="i8" if bits <= 8 else "i16")
    bound = [constant(x.graph, value, q.dtype) for value in (-top, top)]
    return as_dtype(dequantize(clamp(q, *bound), step, axis=axis), x.dtype), as_dtype(step, x.dtype.compute)


def _scale(graph: Graph, node: Node, static: StaticValues, session: Session) -> tuple[Array, str | None] | None:
    """The trained scale of a fake_quantize, and the state that holds it; None if it is computed in each run."""
    mode = node.op.attrs.get("scale_mode")
    if mode is not None and mode.kind == "per_batch":
        if node.refs[0] not in static:
            return None
        x, axis = static[node.refs[0]], node.op["axis"]
        others = None if axis is None else tuple(a for a in range(x.ndim) if a != axis)
        return _above_zero(np.max(np.abs(x), axis=others, initial=0) / largest(node.op["bits"])), None
    if node.refs[1] in static:
        return _above_zero(static[node.refs[1]]), None
    state = _kept(graph, node.refs[1])
    return None if state is None else (_above_zero(session.state(state)), state)


def _kept(graph: Graph, scale: Ref) -> str | None:
    """The state of an averaged scale: itself, or where(state == 0, own, state) as the builder writes it."""
    node = graph.node(scale)
    if CHOICE.made_by(node):
        node = graph.node(node.refs[2])
    return str(node.op["name"]) if node.op.is_state else None


def _above_zero(scale: Array) -> Array:
    """A channel of zeros has scale 0: any other works, so it gets the largest."""
    return np.where(scale == 0, float(np.max(scale, initial=0)) or 1.0, scale)
