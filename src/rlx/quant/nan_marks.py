"""mark_nan: NaN passes through the integer part of a graph beside the integers, as a factor for each row: 1, or NaN."""

from __future__ import annotations

import math

from rlx.core.dtype import f32
from rlx.core.enums import OpKind
from rlx.ir.emit import constant
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.pattern import Rewriter, ValueMap, compose, op
from rlx.ir.value import Value, as_dtype
from rlx.ops.elementwise.binary import where
from rlx.ops.elementwise.unary import is_nan
from rlx.ops.movement.shape import transpose
from rlx.ops.reduction import reduce_max
from rlx.passes.canonicalize import dce
from rlx.quant.layers import new_context

STAGE = "mark_nan"
INTO = op(where=lambda node: node.op.definition.grid == "into")
ROWS = op("q_matmul")
MOVED = op("transpose")
FIRST_AXIS = op(["reshape", "pool", "q_conv2d"])
"""Ops that do not mix rows of the first axis if its size stays the same."""


def mark_nan(graph: Graph) -> tuple[Graph, ValueMap]:
    """f(quantize(x))  ->  f(quantize(x))·mark        where x has NaN, mark is NaN for the row, else 1; f returns floats

    A mark covers a row of the last axis. It follows products, elementwise ops and transposes; other ops merge marks, to one for each
    element of the first axis (convolutions, pooling, reshapes) or to one for all. Results without NaN keep their bits.

    >>> import numpy as np, rlx
    >>> g = rlx.Graph("g"); scale = g.constant(np.float32(0.1))
    >>> g.set_outputs({"y": g.dequantize(g.quantize(g.input("x", (2, 2)), scale), scale)})
    >>> exe = rlx.compile(mark_nan(g)[0], "reference")
    >>> exe(np.float32([[1, np.nan], [2, 3]]))
    array([[nan, nan],
           [ 2.,  3.]], dtype=float32)
    """
    rewriter, marks = Rewriter(graph, STAGE), dict[Ref, Value]()
    for node in graph.nodes:
        made = [Value(rewriter.graph, ref) for ref in rewriter.copy(node).outputs]
        if INTO.made_by(node):
            mark = rewriter.build(node, _mark_of, rewriter.value(node.refs[0]))
        else:
            mark = rewriter.build(node, _carry, graph, node, marks)
        if mark is not None:
            rewriter.replace(node, [rewriter.build(node, _apply_mark, value, mark) for value in made])
            marks |= {ref: mark for ref, value in zip(node.outputs, made, strict=True) if not value.dtype.is_float}
    done, total = rewriter.finish()
    clean, step = dce(done, new_context())
    return clean, compose(total, step)


def _mark_of(x: Value) -> Value:
    """Emits a mark: NaN for each row of the last axis that has a NaN, else 1."""
    top = _merge(x, (x.rank - 1,)) if x.rank else x
    return where(is_nan(top), constant(x.graph, math.nan, f32), constant(x.graph, 1.0, f32))


def _merge(x: Value, axes: tuple[int, ...]) -> Value:
    """Merges a mark over axes: NaN if any index has one; the axes stay, with size 1. An axis without elements has none."""
    if any(x.shape[axis] == 0 for axis in axes):
        return constant(x.graph, 1.0, f32)
    return reduce_max(x, axes=axes, keep_dim=True) if axes else x


def _carry(graph: Graph, node: Node, marks: dict[Ref, Value]) -> Value | None:
    """The mark of a node's results; None if no operand has one."""
    parts = [_through(graph, node, ref, marks[ref]) for ref in node.refs if ref in marks]
    if not parts:
        return None
    mark = parts[0]
    for part in parts[1:]:
        mark = mark * part
    return mark


def _through(graph: Graph, node: Node, ref: Ref, mark: Value) -> Value:
    """Reshapes an operand's mark to broadcast over the results."""
    if node.op.definition.kind is OpKind.Elementwise:
        return mark
    rank, dims = graph.shape(ref).rank, graph.shape(ref).dims
    if mark.rank == rank > 0:
        if ROWS.made_by(node) and ref == node.refs[0]:
            return mark if mark.shape[-1] == 1 else _merge(mark, (rank - 1,))
        if MOVED.made_by(node):
            return transpose(mark, perm=node.op["perm"])
        if FIRST_AXIS.made_by(node) and node.shape.rank and node.shape.dims[0] == dims[0]:
            return _merge(mark, tuple(range(1, rank))).reshape(mark.shape[0], *[1] * (node.shape.rank - 1))
    return _merge(mark, tuple(range(mark.rank))).reshape()


def _apply_mark(value: Value, mark: Value) -> Value:
    """Multiplies a float result by its mark; integers have no NaN, so their readers get the mark."""
    return as_dtype(value * as_dtype(mark, value.dtype), value.dtype) if value.dtype.is_float else value
