"""propagate_qdq: quantize moves up and dequantize down, through what gives the same bits on integers, until they meet a layer or each
other.

Every rule is exact for numbers: rounding is elementwise and monotonous, so it commutes with movement, with a maximum, and with a bound.
(A NaN, which has no integer, is not carried along.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rlx.ir.emit import constant
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS, Op
from rlx.ir.rewrite import Rewriter, ValueMap, compose
from rlx.ir.value import Value
from rlx.ops.elementwise.binary import max_
from rlx.ops.elementwise.select import clamp
from rlx.ops.quantized.quantize import dequantize, limits, quantize
from rlx.passes.simplify import cse, dce
from rlx.quant.layers import new_context

STAGE = "propagate_qdq"
_MOST_ROUNDS = 100

Rule = Callable[[Node, "Step"], "Value | None"]


class Step:
    """One walk over a graph: what a rule asks about the old nodes, and the new values it builds on."""

    def __init__(self, graph: Graph, rewriter: Rewriter) -> None:
        self.graph, self.rewriter = graph, rewriter
        self.users = graph.users()
        self.results = {ref for _, ref in graph.results()}

    def only_reader(self, ref: Ref, reader: Node) -> bool:
        """Whether nobody else sees a value."""
        return self.users.get(ref) == [reader] and ref not in self.results

    def source(self, node: Node, op: str, operand: int = 0) -> Node | None:
        """What makes an operand, when it is this op."""
        made = self.graph.node(node.refs[operand])
        return made if made.op.name == op else None

    def value(self, ref: Ref) -> Value:
        """A value in the new graph."""
        return self.rewriter.value(ref)

    def grid(self, node: Node) -> tuple[Value, Value | None]:
        """Scale and zero point of a quantize or dequantize, in the new graph."""
        return self.value(node.refs[1]), self.value(node.refs[2]) if len(node.refs) > 2 else None

    def grid_key(self, node: Node) -> tuple[Any, ...]:
        """Equal for equal grids: the content of constants, the values of others."""
        return (node.op["axis"], *(self._content(ref) for ref in node.refs[1:]))

    def _content(self, ref: Ref) -> Any:
        node = self.graph.node(ref)
        return node.op["value"] if node.op.name == "constant" else ref

    def zero_point(self, node: Node) -> int | None:
        """The integer that stands for 0 in a quantize or dequantize, when it is one known number."""
        found = self.number(node.refs[2]) if len(node.refs) > 2 else 0.0
        if found is None or node.op["axis"] is not None:
            return None
        low, high = limits(node.shape.dtype if node.op.name == "quantize" else self.graph.shape(node.refs[0]).dtype)
        inside = int(min(max(found, low), high))
        return inside if inside == found or node.op.name == "quantize" else None

    def rises(self, node: Node) -> bool:
        """Whether larger numbers have larger integers: one scale, known to be above 0."""
        scale = self.number(node.refs[1])
        return node.op["axis"] is None and scale is not None and scale > 0

    def number(self, ref: Ref) -> float | None:
        """A constant of one element."""
        made = self.graph.node(ref)
        return (
            float(made.op["value"].array.reshape(()))
            if made.op.name == "constant" and made.op["value"].array.size == 1
            else None
        )


# -- meeting ----------------------------------------------------------------------------------------------------
def cancel_pair(node: Node, step: Step) -> Value | None:
    """quantize(dequantize(q))  ->  q        of one grid"""
    back = step.source(node, "dequantize")
    if (
        back is None
        or step.grid_key(back) != step.grid_key(node)
        or step.graph.shape(back.refs[0]).dtype is not node.shape.dtype
    ):
        return None
    return step.value(back.refs[0])


# -- quantize goes up -------------------------------------------------------------------------------------------
def quantize_before_movement(node: Node, step: Step) -> Value | None:
    """quantize(move(x))  ->  move(quantize(x))        for one reader; of a part, when nobody reads the rest"""
    move = step.graph.node(node.refs[0])
    if not move.op.definition.moves_elements or node.op["axis"] is not None or not step.only_reader(move.ref, node):
        return None
    if move.op.name in ("narrow", "slice", "expand") and not step.only_reader(move.refs[0], move):
        return None
    return _again(move, [_quantized(step, node, move.refs[0])])


def quantize_before_pad(node: Node, step: Step) -> Value | None:
    """quantize(pad(x, 0))  ->  pad(quantize(x), zero)"""
    move, zero = step.source(node, "pad"), step.zero_point(node)
    if move is None or zero is None or not step.only_reader(move.ref, node) or move.op["value"] != 0:
        return None
    return _again(move, [_quantized(step, node, move.refs[0])], value=float(zero))


def quantize_before_concat(node: Node, step: Step) -> Value | None:
    """quantize(concat(a, b))  ->  concat(quantize(a), quantize(b))"""
    move = step.source(node, "concat")
    if move is None or node.op["axis"] is not None or not step.only_reader(move.ref, node):
        return None
    return _again(move, [_quantized(step, node, ref) for ref in move.refs])


def quantize_before_max_pool(node: Node, step: Step) -> Value | None:
    """quantize(max_pool(x))  ->  max_pool(quantize(x))"""
    pool = step.source(node, "pool")
    if (
        pool is None
        or pool.op["kind"] not in ("max", "min")
        or not step.rises(node)
        or not step.only_reader(pool.ref, node)
    ):
        return None
    return _again(pool, [_quantized(step, node, pool.refs[0])])


def quantize_before_relu(node: Node, step: Step) -> Value | None:
    """quantize(relu(x))  ->  max(quantize(x), zero)        without the max where zero is the least integer"""
    relu, zero = step.source(node, "relu"), step.zero_point(node)
    if relu is None or zero is None or not step.rises(node) or not step.only_reader(relu.ref, node):
        return None
    found = _quantized(step, node, relu.refs[0])
    return found if zero == limits(found.dtype)[0] else max_(found, constant(found.graph, zero, found.dtype))


def quantize_before_clamp(node: Node, step: Step) -> Value | None:
    """quantize(clamp(x, low, high))  ->  clamp(quantize(x), quantize(low), quantize(high))        for bounds that are numbers"""
    bounded = step.source(node, "clamp")
    if bounded is None or not step.rises(node) or not step.only_reader(bounded.ref, node):
        return None
    if step.graph.shape(bounded.refs[0]).dims != bounded.shape.dims or any(
        step.number(ref) is None for ref in bounded.refs[1:]
    ):
        return None
    low, high = (_quantized(step, node, ref) for ref in bounded.refs[1:])
    found: Value = clamp(_quantized(step, node, bounded.refs[0]), low, high)
    return found


def _quantized(step: Step, node: Node, ref: Ref) -> Value:
    """The same quantize of another value."""
    found: Value = quantize(step.value(ref), *step.grid(node), **node.op.attrs)
    return found


# -- dequantize goes down ---------------------------------------------------------------------------------------
def movement_before_dequantize(node: Node, step: Step) -> Value | None:
    """move(dequantize(q))  ->  dequantize(move(q))        channels move along with a transpose"""
    back = step.source(node, "dequantize")
    if back is None:
        return None
    axis = back.op["axis"]
    if axis is not None:
        if node.op.name != "transpose":
            return None
        axis = tuple(node.op["perm"]).index(axis)
    return _dequantized(step, back, _again(node, [step.value(back.refs[0])]), axis)


def pad_before_dequantize(node: Node, step: Step) -> Value | None:
    """pad(dequantize(q), 0)  ->  dequantize(pad(q, zero))"""
    back = step.source(node, "dequantize")
    zero = None if back is None else step.zero_point(back)
    if back is None or zero is None or node.op["value"] != 0:
        return None
    return _dequantized(step, back, _again(node, [step.value(back.refs[0])], value=float(zero)))


def concat_before_dequantize(node: Node, step: Step) -> Value | None:
    """concat(dequantize(a), dequantize(b))  ->  dequantize(concat(a, b))        of one grid"""
    backs = [step.source(node, "dequantize", index) for index in range(len(node.refs))]
    known = [back for back in backs if back is not None]
    if len(known) < len(backs) or known[0].op["axis"] is not None:
        return None
    if (
        len({step.grid_key(back) for back in known}) > 1
        or len({step.graph.shape(back.refs[0]).dtype for back in known}) > 1
    ):
        return None
    return _dequantized(step, known[0], _again(node, [step.value(back.refs[0]) for back in known]))


def max_pool_before_dequantize(node: Node, step: Step) -> Value | None:
    """max_pool(dequantize(q))  ->  dequantize(max_pool(q))        for a scale that is a number above 0"""
    back = step.source(node, "dequantize")
    if back is None or node.op["kind"] not in ("max", "min") or not step.rises(back):
        return None
    return _dequantized(step, back, _again(node, [step.value(back.refs[0])]))


def relu_before_dequantize(node: Node, step: Step) -> Value | None:
    """relu(dequantize(q))  ->  dequantize(max(q, zero))        for a scale that is a number above 0"""
    back = step.source(node, "dequantize")
    zero = None if back is None else step.zero_point(back)
    if back is None or zero is None or not step.rises(back):
        return None
    q = step.value(back.refs[0])
    return _dequantized(step, back, max_(q, constant(q.graph, zero, q.dtype)))


def _dequantized(step: Step, back: Node, q: Value, axis: int | None = None) -> Value:
    found: Value = dequantize(q, *step.grid(back), axis=axis)
    return found


def _again(node: Node, operands: Sequence[Value], **changes: Any) -> Value:
    """The same op on other operands."""
    found: Value = OPS[node.op.name](*operands, **{**node.op.attrs, **changes})
    return found


RULES: dict[str, tuple[Rule, ...]] = {
    "quantize": (
        cancel_pair,
        quantize_before_movement,
        quantize_before_pad,
        quantize_before_concat,
        quantize_before_max_pool,
        quantize_before_relu,
        quantize_before_clamp,
    ),
    "pad": (pad_before_dequantize,),
    "concat": (concat_before_dequantize,),
    "pool": (max_pool_before_dequantize,),
    "relu": (relu_before_dequantize,),
}
"""By the op they begin at; the first that answers holds."""


def _rules_of(op: Op) -> tuple[Rule, ...]:
    return RULES.get(op.name, (movement_before_dequantize,) if op.definition.moves_elements else ())


def propagate_qdq(graph: Graph) -> tuple[Graph, ValueMap]:
    """Apply the rules until none answers. The graph gives the same bits as before.

    >>> import numpy as np, rlx
    >>> g = rlx.Graph("g"); scale = g.constant(np.float32(0.1))
    >>> codes = g.quantize(g.input("x", (8, 4)), scale)
    >>> g.set_outputs({"y": g.dequantize(codes, scale).reshape(4, 8)})
    >>> [node.op.name for node in propagate_qdq(g)[0].nodes if not node.op.definition.leaf]
    ['quantize', 'reshape', 'dequantize']
    """
    total: ValueMap = {ref: ref for node in graph.nodes for ref in node.outputs}
    context = new_context()
    for _ in range(_MOST_ROUNDS):
        rewriter = Rewriter(graph, STAGE)
        step, changed = Step(graph, rewriter), False
        for node in graph.nodes:
            answers = (rewriter.build(node, rule, node, step) for rule in _rules_of(node.op))
            found = next((answer for answer in answers if answer is not None), None)
            if found is None:
                rewriter.copy(node)
            else:
                rewriter.replace(node, found)
                changed = True
        graph, moved = rewriter.finish()
        total = compose(total, moved)
        for clean in (cse, dce):
            graph, moved = clean(graph, context)
            total = compose(total, moved)
        if not changed:
            break
    return graph, total
