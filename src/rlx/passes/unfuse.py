"""unfuse: inline every `fused` body, so graphs built directly, for autodiff, or imported take one path."""

from __future__ import annotations

from rlx.ir.graph import Graph
from rlx.ir.rewrite import Rewriter, ValueMap, compose
from rlx.passes.context import Context, PassResult


def unfuse(graph: Graph, context: Context) -> PassResult:
    """fused[kind](x, …){ body }  ->  body's nodes on x, …        repeated until no fused node is left"""
    total: ValueMap = {ref: ref for node in graph.nodes for ref in node.outputs}
    while any(node.op.name == "fused" for node in graph.nodes):
        rewriter = Rewriter(graph, "unfuse")
        for node in graph.nodes:
            if node.op.name == "fused":
                rewriter.replace(
                    node,
                    rewriter.inline(
                        node.op["body"], [None if r is None else rewriter.ref(r) for r in node.inputs], node
                    ),
                )
            else:
                rewriter.copy(node)
        graph, step = rewriter.finish()
        total = compose(total, step)
    return graph, total
