"""fuse attention: a pass of this device. A step of decode takes rope and the writing of the caches along."""

from __future__ import annotations

from rlx.backends.cuda.kernels.step_body import AttentionStep, find_step
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS
from rlx.ir.pattern import Rewriter, Uses, extract, op
from rlx.passes.entry import Context, Pass, PassResult

STAGE = "fuse attention"
ATTENTION = op("attention")


def fuse_attention(graph: Graph, context: Context) -> PassResult:
    """attention(rope(q), write(keys, rope(k)), write(values, v))  ->  attention_step(q, k, v, keys, values, …)        of one token"""
    uses = context.uses(graph)
    taken: dict[int, tuple[AttentionStep, Graph, list[Ref]]] = {}
    for node in graph.nodes:
        if ATTENTION.made_by(node):
            step = _step(graph, uses, node)
            if step is not None:
                body, reads = _body(graph, step)
                fused = OPS["fused"].op(kind="attention_step", body=body)
                shapes = tuple(graph.shape(ref) for ref in reads)
                results = tuple(body.shape(ref) for ref in body.output_refs.values())
                if context.backend.claims(fused, shapes, results) is None:
                    taken[node.id] = step, body, reads
    skipped = {number for step, _, _ in taken.values() for number in step.nodes}
    for number in sorted({number for step, _, _ in taken.values() for number in step.length}, reverse=True):
        node = graph.node(number)
        if node.ref not in uses.escapes and all(user.id in skipped for user in uses.of(node.ref)):
            skipped.add(number)
    rewriter = Rewriter(graph, STAGE)
    for node in graph.nodes:
        if node.id in taken:
            step, body, reads = taken[node.id]
            fused = OPS["fused"].op(kind="attention_step", body=body)
            made = rewriter.emit(fused, [rewriter.ref(ref) for ref in reads], node, node.name)
            for old, new in zip((step.keys, step.values, node), made.outputs, strict=True):
                rewriter.replace(old, new)
            context.fused(STAGE, "rope and the caches' new rows into attention", node)
        elif node.id not in skipped:
            rewriter.copy(node)
    return rewriter.finish()


def _step(graph: Graph, uses: Uses, node: Node) -> AttentionStep | None:
    """A step whose parts nobody else reads; the caches may leave the graph."""
    step = find_step(graph, node, lambda ref: len(uses.of(ref)) == 1 and ref not in uses.escapes)
    if step is None or any(uses.of(each.ref) != [node] for each in (step.keys, step.values)):
        return None
    return step


def _body(graph: Graph, step: AttentionStep) -> tuple[Graph, list[Ref]]:
    """The step's nodes on inputs, and what it reads."""
    own = [node for node in graph.nodes if node.id in step.nodes or node.id in step.length]
    return extract(graph, own, (step.keys.ref, step.values.ref, step.attention.ref), "attention_step")


FUSE_ATTENTION = Pass(STAGE, fuse_attention, version="1", needed="for speed")
"""The entry of the list."""
