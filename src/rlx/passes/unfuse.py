"""unfuse: inline every `fused` body, so graphs built directly, for autodiff, or imported take one path."""

from __future__ import annotations

from rlx.ir.graph import Graph, Ref
from rlx.ir.pattern import Rules, Site, compose, identity, rewrites
from rlx.passes.context import Context
from rlx.passes.entry import PassResult


@rewrites("fused")
def inline_body(at: Site) -> list[Ref]:
    """fused[kind](x, …){ body }  ->  body's nodes on x, …"""
    operands = [None if ref is None else at.rewriter.ref(ref) for ref in at.node.inputs]
    return at.rewriter.inline(at.node.op["body"], operands, at.node)


RULES = Rules(inline_body)


def unfuse(graph: Graph, context: Context) -> PassResult:
    """fused[kind](x, …){ body }  ->  body's nodes on x, …        repeated until no fused node is left"""
    total = identity(graph)
    while any(node.op.is_fused for node in graph.nodes):
        graph, step = RULES.apply(graph, "unfuse")
        total = compose(total, step)
    return graph, total
