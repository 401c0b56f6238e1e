"""unroll scans: the steps of a short loop become nodes of the graph, so that their kernels are launches of one CUDA graph.

A longer loop, and one whose length is a symbol, runs on the host, as branches and loops of unknown length do; the report says so.
"""

from __future__ import annotations

from typing import Any

from rlx.ir.graph import Graph, Node
from rlx.ir.pattern import Rewriter, compose, identity, op
from rlx.ir.value import Value
from rlx.ops.control.fused import inline
from rlx.ops.movement.parts import concat, narrow
from rlx.passes.entry import Context, Pass, PassResult

STAGE = "unroll scans"
MOST_NODES = 1024  # of all steps together
SCAN = op("scan")


def unroll_scans(graph: Graph, context: Context) -> PassResult:
    """scan(carry, xs){ body }  ->  body(… body(carry, xs[0]) …, xs[length - 1])        up to 1024 nodes, loops inside loops too"""
    total = identity(graph)
    while any(_is_short(node) for node in graph.nodes):
        rewriter = Rewriter(graph, STAGE)
        for node in graph.nodes:
            if not _is_short(node):
                rewriter.copy(node)
                continue
            found = rewriter.build(node, _unrolled, *rewriter.values(node), **node.op.attrs)
            rewriter.replace(node, found)
            steps = f"{node.op['length']} steps of {len(node.op['body'].nodes)} nodes"
            context.report.add(STAGE, "decomposed", f"{node.op.name}: {steps} are part of the graph", node.origin)
        graph, step = rewriter.finish()
        total = compose(total, step)
    return graph, total


def _is_short(node: Node) -> bool:
    """A scan of a known number of steps whose nodes are not too many; what a body does besides stays in its order on the host."""
    if not SCAN.made_by(node) or node.op.has_effect:
        return False
    length = node.op["length"]
    return isinstance(length, int) and bool(node.inputs) and 0 < length * _nodes(node.op["body"]) <= MOST_NODES


def _nodes(body: Graph) -> int:
    """Those of a body, and of the short loops in it."""
    return sum(_nodes(node.op["body"]) * node.op["length"] if _is_short(node) else 1 for node in body.nodes if node.inputs)


def _unrolled(
    *operands: Value, body: Graph, length: int, num_carry: int, num_bcast: int, reverse: bool, **others: Any
) -> list[Value]:
    """The last carries, then what the steps stacked."""
    carries, fixed = list(operands[:num_carry]), operands[num_carry : num_carry + num_bcast]
    kept: list[list[Value]] = []
    for step in reversed(range(length)) if reverse else range(length):
        rows = [_row(value, step) for value in operands[num_carry + num_bcast :]]
        found = inline(*carries, *fixed, *rows, body=body)
        carries = list(found[:num_carry])
        kept.append([value.reshape((1, *value.shape)) for value in found[num_carry:]])
    if reverse:
        kept.reverse()
    stacked = [parts[0] if length == 1 else concat(*parts, axis=0) for parts in zip(*kept, strict=True)]
    return [*carries, *stacked]


def _row(value: Value, step: int) -> Value:
    row: Value = narrow(value, axis=0, start=step, length=1)
    return row.reshape(value.shape[1:])


UNROLL_SCANS = Pass(STAGE, unroll_scans, version="1", needed="for speed")
"""The entry of the list."""
