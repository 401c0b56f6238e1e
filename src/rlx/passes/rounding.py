"""rounding: without excess precision each result of 16 bits is rounded, also where one kernel computes several ops."""

from __future__ import annotations

from rlx.core.enums import OpKind
from rlx.core.errors import counted
from rlx.ir.graph import Graph, Node
from rlx.ir.pattern import Rewriter, identity, op
from rlx.ir.value import Value, one
from rlx.passes.entry import Context, PassResult

STAGE = "rounding"
EXACT = op(
    [
        *("cast", "round_to_dtype", "neg", "abs", "relu", "max", "min", "where", "copysign"),
        *("sign", "floor", "ceil", "trunc", "round"),
    ]
)
"""Ops whose result needs no rounding when their operands are rounded; a cast rounds by itself."""


def rounding(graph: Graph, context: Context) -> PassResult:
    """add(mul(x, y), x)  ->  add(round_to_dtype(mul(x, y)), x)        f16 and bf16, under excess_precision=False

    Compositions are expanded later, so what is rounded is what the program says: a softmax is one op. Its sums, and those of products
    and reductions, stay f32.
    """
    if context.options.excess_precision or not context.options.fuse:
        return graph, identity(graph)
    uses = context.uses(graph)
    rewriter = Rewriter(graph, STAGE)
    rounded = 0
    for node in graph.nodes:
        made = rewriter.copy(node)
        if not _computes(node) or not any(graph.shape(ref).dtype.is_low_float and uses.of(ref) for ref in node.outputs):
            continue
        results = [Value(rewriter.graph, ref) for ref in made.outputs]
        rewriter.replace(node, rewriter.build(node, list, map(_rounded, results)))
        rounded += 1
    if rounded:
        context.report.add(STAGE, "rounded", f"the results of {counted(rounded, 'op')}, each to its dtype: excess_precision=False")
    return rewriter.finish()


def _computes(node: Node) -> bool:
    """Whether a kernel may hold the op's result in f32 when the next op reads it."""
    record = node.op.definition
    moves = record.leaf or record.kind is OpKind.DataMovement or any(True for _ in node.op.graphs())
    return not moves and not EXACT.made_by(node)


def _rounded(value: Value) -> Value:
    return one("round_to_dtype", value) if value.dtype.is_low_float else value
