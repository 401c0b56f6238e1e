"""fuse attention: softmax(q·kᵀ·scale + mask)·v written in primitives becomes one `attention` node, with memory O(S) instead of O(S·T)."""

from __future__ import annotations

from dataclasses import replace

from rlx.core.report import Report
from rlx.ir.graph import Graph, Node
from rlx.ir.op import OPS
from rlx.ir.rewrite import Rewriter, compose
from rlx.ir.value import Value
from rlx.passes.attention_build import attend
from rlx.passes.attention_match import Finder, Match, Miss
from rlx.passes.canonicalize import canonicalize
from rlx.passes.context import Context, PassResult
from rlx.passes.simplify import dce

STAGE = "fuse attention"


def fuse_attention(graph: Graph, context: Context) -> PassResult:
    """matmul(softmax(matmul(q, kᵀ)·scale + mask), v)  ->  attention(q, k, v, mask)

    A score or weight that is an output or has another reader keeps its value: nothing is fused then, and the report says so.
    """
    identity = {ref: ref for node in graph.nodes for ref in node.outputs}
    if not context.options.fuse or not any(node.op.name in ("softmax", "exp") for node in graph.nodes):
        return graph, identity
    plain, first = dot_as_matmul(graph)
    finder = Finder(plain)
    found: dict[int, Match] = {}
    for node in plain.nodes:
        match = finder.match(node)
        if isinstance(match, Match):
            found[node.id] = match
        elif isinstance(match, Miss):
            context.not_fused(STAGE, match.reason, match.what, node)
    if not found:
        return graph, identity
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


def dot_as_matmul(graph: Graph) -> PassResult:
    """dot_general("bkgsd,bktd->bkgst")  ->  matmul(x[b, k, g, s, d], y[b, k, 1, d, t])        products over batch axes"""
    if not any(node.op.name == "dot_general" for node in graph.nodes):
        return graph, {ref: ref for node in graph.nodes for ref in node.outputs}
    rewriter = Rewriter(graph, STAGE)
    for node in graph.nodes:
        made = rewriter.build(node, _as_matmul, node, rewriter) if node.op.name == "dot_general" else None
        if made is None:
            rewriter.copy(node)
        else:
            rewriter.replace(node, made)
    return rewriter.finish()


def _as_matmul(node: Node, rewriter: Rewriter) -> Value | None:
    x, y = (rewriter.value(ref) for ref in node.refs)
    inner, outer = (node.op["lhs_contract"], node.op["rhs_contract"]), (node.op["lhs_batch"], node.op["rhs_batch"])
    rows, columns = (
        [axis for axis in range(v.rank) if axis not in (*inner[i], *outer[i])] for i, v in enumerate((x, y))
    )
    if len(inner[0]) != 1 or not outer[0] or len(columns) != 1 or len(rows) not in (1, 2):
        return None
    left, right = _turned(x, (*outer[0], *rows, *inner[0])), _turned(y, (*outer[1], *inner[1], *columns))
    if len(rows) == 2:
        count = len(outer[1])
        right = right.reshape(*right.shape[:count], 1, *right.shape[count:])
    found: Value = OPS["matmul"](left, right)
    return found


def _turned(x: Value, perm: tuple[int, ...]) -> Value:
    return x if perm == tuple(range(x.rank)) else x.transpose(perm)


def _description(graph: Graph, match: Match) -> str:
    scores = match.scores
    masks = ["causal"] * (scores.band.offset is not None) + ["bias"] * (bool(scores.biases) or bool(scores.band.rest))
    return f"{graph.shape(scores.product.refs[0])} on {graph.shape(match.values)}" + (
        f", {' and '.join(masks)}" if masks else ""
    )
