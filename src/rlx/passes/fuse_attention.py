"""fuse attention: softmax(q·kᵀ·scale + mask)·v written in primitives becomes one `attention` node, with memory O(S) instead of O(S·T)."""

from __future__ import annotations

from dataclasses import replace

from rlx.core.report import Report
from rlx.ir.graph import Graph
from rlx.ir.pattern import Rewriter, Rules, Site, compose, identity, op, rewrites
from rlx.ir.value import Value, one
from rlx.passes.attention_build import attend
from rlx.passes.attention_match import AttentionMatch, Finder, Miss
from rlx.passes.canonicalize import canonicalize
from rlx.passes.context import Context
from rlx.passes.entry import PassResult
from rlx.passes.simplify import dce

STAGE = "fuse attention"
SHARES = op(("softmax", "exp"))


def fuse_attention(graph: Graph, context: Context) -> PassResult:
    """matmul(softmax(matmul(q, kᵀ)·scale + mask), v)  ->  attention(q, k, v, mask)

    A score or weight that is an output or has another reader keeps its value: nothing is fused then, and the report says so.
    """
    if not context.options.fuse or not any(SHARES.made_by(node) for node in graph.nodes):
        return graph, identity(graph)
    plain, first = (
        PLAIN.apply(graph, STAGE) if any(PLAIN.of(node.op.definition) for node in graph.nodes) else (graph, identity(graph))
    )
    finder = Finder(plain, context)
    found: dict[int, AttentionMatch] = {}
    for node in plain.nodes:
        match = finder.match(node)
        if isinstance(match, AttentionMatch) and not context.options.excess_precision and node.shape.dtype.is_low_float:
            message = f"excess_precision=False rounds the ops that this attention in {node.shape.dtype} is written in"
            context.not_fused(STAGE, "RoundedOps", message, node)
        elif isinstance(match, AttentionMatch):
            found[node.id] = match
        elif isinstance(match, Miss):
            context.not_fused(STAGE, match.reason, match.what, node)
    if not found:
        return graph, identity(graph)
    rewriter = Rewriter(plain, STAGE)
    for node in plain.nodes:
        if node.id not in found:
            rewriter.copy(node)
            continue
        rewriter.replace(node, rewriter.build(node, attend, rewriter, found[node.id]))
        context.fused(STAGE, f"attention of {_description(plain, found[node.id])}", node)
    made, step = rewriter.finish()
    total = compose(first, step)
    for tidy in (canonicalize, dce):  # views of views, and the scores
        made, step = tidy(made, replace(context, report=Report()))
        total = compose(total, step)
    return made, total


@rewrites(op("dot_general", "x", "y"))
def dot_as_matmul(at: Site, x: Value, y: Value) -> Value | None:
    """dot_general("bkgsd,bktd->bkgst")  ->  matmul(x[b, k, g, s, d], y[b, k, 1, d, t])        products over batch axes"""
    dot = at.node.op
    inner, outer = (dot["lhs_contract"], dot["rhs_contract"]), (dot["lhs_batch"], dot["rhs_batch"])
    rows, columns = ([axis for axis in range(v.rank) if axis not in (*inner[i], *outer[i])] for i, v in enumerate((x, y)))
    if len(inner[0]) != 1 or not outer[0] or len(columns) != 1 or len(rows) not in (1, 2):
        return None
    left, right = _turned(x, (*outer[0], *rows, *inner[0])), _turned(y, (*outer[1], *inner[1], *columns))
    if len(rows) == 2:
        count = len(outer[1])
        right = right.reshape(*right.shape[:count], 1, *right.shape[count:])
    return one("matmul", left, right)


PLAIN = Rules(dot_as_matmul)


def _turned(x: Value, perm: tuple[int, ...]) -> Value:
    return x if perm == tuple(range(x.rank)) else x.transpose(perm)


def _description(graph: Graph, match: AttentionMatch) -> str:
    scores = match.scores
    masks = ["causal"] * (scores.band.offset is not None) + ["bias"] * (bool(scores.biases) or bool(scores.band.rest))
    return f"{graph.shape(scores.product.refs[0])} on {graph.shape(match.values)}" + (f", {' and '.join(masks)}" if masks else "")
