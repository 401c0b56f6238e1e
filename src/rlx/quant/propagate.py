"""propagate_qdq: moves quantize up and dequantize down, through ops that give the same bits on integers, until they meet a layer or each
other.

Every rule is exact: rounding is elementwise and monotonic, so it commutes with movement, maximum and clamping.
(Except for NaN, which has no integer.)
"""

from __future__ import annotations

from typing import Any

from rlx.core.dtype import DType
from rlx.ir.emit import constant
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS
from rlx.ir.pattern import Rule, Rules, Site, ValueMap, compose, identity, op, rewrites
from rlx.ir.value import Value
from rlx.ops.elementwise.binary import clamp, max_
from rlx.ops.quantized.quantize import dequantize, limits, quantize
from rlx.passes.canonicalize import cse, dce
from rlx.quant.layers import new_context

STAGE = "propagate_qdq"
MOVEMENT = {record.name for record in OPS if record.moves_elements}
PART_OR_COPIES = {"narrow", "slice", "expand"}
_MOST_ROUNDS = 100


# -- what the rules ask about grids -----------------------------------------------------------------------------
def number(graph: Graph, ref: Ref) -> float | None:
    """The value of a constant with one element, else None."""
    made = graph.node(ref).op
    return float(made["value"].array.reshape(())) if made.is_constant and made["value"].array.size == 1 else None


def grid_key(graph: Graph, node: Node) -> tuple[Any, ...]:
    """A key that is equal for equal grids: the content of constants, the refs of other values."""
    parts = (made["value"] if (made := graph.node(ref).op).is_constant else ref for ref in node.refs[1:])
    return (node.op["axis"], *parts)


def rises(graph: Graph, node: Node) -> bool:
    """Whether a grid is increasing: its scale is one number, known to be above 0."""
    scale = number(graph, node.refs[1])
    return node.op["axis"] is None and scale is not None and scale > 0


def zero_point(graph: Graph, node: Node, dtype: DType, *, rounds: bool = False) -> int | None:
    """The integer that a quantize maps 0 to, if it is one known number in range."""
    zero = number(graph, node.refs[2]) if len(node.refs) > 2 else 0.0
    if zero is None or node.op["axis"] is not None:
        return None
    low, high = limits(dtype)
    inside = int(min(max(zero, low), high))
    return inside if rounds or inside == zero else None


def _grid(at: Site, node: Node) -> tuple[Value, Value | None]:
    """The scale and zero point of a quantize or dequantize, in the new graph."""
    return at.value(node.refs[1]), at.value(node.refs[2]) if len(node.refs) > 2 else None


def _quantize(at: Site, x: Value) -> Value:
    """Emits the site's quantize on another value."""
    return quantize(x, *_grid(at, at.node), **at.node.op.attrs)


def _dequantize(at: Site, back: Node, q: Value, axis: int | None = None) -> Value:
    """Emits the same dequantize on another value."""
    return dequantize(q, *_grid(at, back), axis=axis)


def _again(node: Node, *operands: Value, **changes: Any) -> Value:
    """Emits the same op on other operands."""
    return node.op.definition(*operands, **{**node.op.attrs, **changes})


# -- meeting ----------------------------------------------------------------------------------------------------
@rewrites(op("quantize", op("dequantize", "q", capture="back")))
def cancel_pair(at: Site, back: Node, q: Value) -> Value | None:
    """quantize(dequantize(q))  ->  q        of one grid"""
    return q if grid_key(at.graph, back) == grid_key(at.graph, at.node) and q.dtype is at.node.shape.dtype else None


# -- quantize goes up -------------------------------------------------------------------------------------------
@rewrites(
    op("quantize", op(MOVEMENT - PART_OR_COPIES, "x", alone=True, capture="move"), axis=None),
    op("quantize", op(PART_OR_COPIES, op(capture="x", alone=True), alone=True, capture="move"), axis=None),
)
def quantize_before_movement(at: Site, move: Node, x: Value) -> Value:
    """quantize(move(x))  ->  move(quantize(x))        for one reader; of a part, when nobody reads the rest"""
    return _again(move, _quantize(at, x))


@rewrites(op("quantize", op("pad", "x", value=0, alone=True, capture="move")))
def quantize_before_pad(at: Site, move: Node, x: Value) -> Value | None:
    """quantize(pad(x, 0))  ->  pad(quantize(x), zero)"""
    zero = zero_point(at.graph, at.node, at.node.shape.dtype, rounds=True)
    return None if zero is None else _again(move, _quantize(at, x), value=float(zero))


@rewrites(op("quantize", op("concat", alone=True, capture="move"), axis=None))
def quantize_before_concat(at: Site, move: Node) -> Value:
    """quantize(concat(a, b))  ->  concat(quantize(a), quantize(b))"""
    return _again(move, *(_quantize(at, at.value(ref)) for ref in move.refs))


@rewrites(op("quantize", op("pool", "x", kind=lambda kind: kind in ("max", "min"), alone=True, capture="pool")))
def quantize_before_max_pool(at: Site, pool: Node, x: Value) -> Value | None:
    """quantize(max_pool(x))  ->  max_pool(quantize(x))"""
    return _again(pool, _quantize(at, x)) if rises(at.graph, at.node) else None


@rewrites(op("quantize", op("relu", "x", alone=True)))
def quantize_before_relu(at: Site, x: Value) -> Value | None:
    """quantize(relu(x))  ->  max(quantize(x), zero)        without the max where zero is the least integer"""
    zero = zero_point(at.graph, at.node, at.node.shape.dtype, rounds=True)
    if zero is None or not rises(at.graph, at.node):
        return None
    rounded = _quantize(at, x)
    return rounded if zero == limits(rounded.dtype)[0] else max_(rounded, constant(rounded.graph, zero, rounded.dtype))


@rewrites(op("quantize", op("clamp", "x", alone=True, capture="bounded")))
def quantize_before_clamp(at: Site, bounded: Node, x: Value) -> Value | None:
    """quantize(clamp(x, low, high))  ->  clamp(quantize(x), quantize(low), quantize(high))        for bounds that are numbers"""
    known = all(number(at.graph, ref) is not None for ref in bounded.refs[1:])
    if not known or not rises(at.graph, at.node) or x.shape != bounded.shape.dims:
        return None
    low, high = (_quantize(at, at.value(ref)) for ref in bounded.refs[1:])
    return clamp(_quantize(at, x), low, high)


# -- dequantize goes down ---------------------------------------------------------------------------------------
@rewrites(op(MOVEMENT, op("dequantize", "q", axis=None, capture="back")), op("transpose", op("dequantize", "q", capture="back")))
def movement_before_dequantize(at: Site, back: Node, q: Value) -> Value:
    """move(dequantize(q))  ->  dequantize(move(q))        channels move along with a transpose"""
    axis = back.op["axis"]
    return _dequantize(at, back, _again(at.node, q), None if axis is None else at.node.op["perm"].index(axis))


@rewrites(op("pad", op("dequantize", "q", capture="back"), value=0))
def pad_before_dequantize(at: Site, back: Node, q: Value) -> Value | None:
    """pad(dequantize(q), 0)  ->  dequantize(pad(q, zero))"""
    zero = zero_point(at.graph, back, q.dtype)
    return None if zero is None else _dequantize(at, back, _again(at.node, q, value=float(zero)))


@rewrites(op("concat", op("dequantize", axis=None, capture="back")))
def concat_before_dequantize(at: Site, back: Node) -> Value | None:
    """concat(dequantize(a), dequantize(b))  ->  dequantize(concat(a, b))        of one grid"""
    backs = [at.graph.node(ref) for ref in at.node.refs]
    if any(other.op.definition is not back.op.definition for other in backs):
        return None
    grids = {(grid_key(at.graph, other), at.graph.shape(other.refs[0]).dtype) for other in backs}
    return _dequantize(at, back, _again(at.node, *(at.value(other.refs[0]) for other in backs))) if len(grids) == 1 else None


@rewrites(op("pool", op("dequantize", "q", capture="back"), kind=lambda kind: kind in ("max", "min")))
def max_pool_before_dequantize(at: Site, back: Node, q: Value) -> Value | None:
    """max_pool(dequantize(q))  ->  dequantize(max_pool(q))        for a scale that is a number above 0"""
    return _dequantize(at, back, _again(at.node, q)) if rises(at.graph, back) else None


@rewrites(op("relu", op("dequantize", "q", capture="back")))
def relu_before_dequantize(at: Site, back: Node, q: Value) -> Value | None:
    """relu(dequantize(q))  ->  dequantize(max(q, zero))        for a scale that is a number above 0"""
    zero = zero_point(at.graph, back, q.dtype)
    if zero is None or not rises(at.graph, back):
        return None
    return _dequantize(at, back, max_(q, constant(q.graph, zero, q.dtype)))


RULES = Rules(
    cancel_pair,
    quantize_before_movement,
    quantize_before_pad,
    quantize_before_concat,
    quantize_before_max_pool,
    quantize_before_relu,
    quantize_before_clamp,
    movement_before_dequantize,
    pad_before_dequantize,
    concat_before_dequantize,
    max_pool_before_dequantize,
    relu_before_dequantize,
)


def propagate_qdq(graph: Graph) -> tuple[Graph, ValueMap]:
    """Applies the rules until none matches. The graph gives the same bits as before.

    >>> import numpy as np, rlx
    >>> g = rlx.Graph("g"); scale = g.constant(np.float32(0.1))
    >>> codes = g.quantize(g.input("x", (8, 4)), scale)
    >>> g.set_outputs({"y": g.dequantize(codes, scale).reshape(4, 8)})
    >>> [node.op.name for node in propagate_qdq(g)[0].nodes if not node.op.definition.leaf]
    ['quantize', 'reshape', 'dequantize']
    """
    total, context = identity(graph), new_context()
    for _ in range(_MOST_ROUNDS):
        applied: list[tuple[Rule, Node]] = []
        graph, moved = RULES.apply(graph, STAGE, context.uses(graph), applied)
        total = compose(total, moved)
        for clean in (cse, dce):
            graph, moved = clean(graph, context)
            total = compose(total, moved)
        if not applied:
            break
    return graph, total
