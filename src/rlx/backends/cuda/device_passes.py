"""The passes of this device: short loops become nodes, norms go into products, rope and cache updates into attention.

A longer loop, and one whose length is a symbol, runs on the host, as branches and loops of unknown length do; as the report shows.
"""

from __future__ import annotations

from typing import Any

from rlx.backends.cuda.kernels.attention_step import AttentionStep, find_step
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS
from rlx.ir.pattern import Rewriter, Uses, compose, extract, identity, op
from rlx.ir.value import Value
from rlx.ops.control.fused import inline
from rlx.ops.movement.parts import concat, narrow
from rlx.passes.entry import Context, Pass, PassResult

PROLOGUE = "fuse prologue"
_PRODUCT = op("packed_matmul")


def fuse_prologue(graph: Graph, context: Context) -> PassResult:
    """contraction(region(x, g), w)  ->  contraction{ region; product; … }(x, g, w)        where nobody else reads the region"""
    uses = context.uses(graph)
    taken: dict[int, Node] = {}
    for node in graph.nodes:
        for ref in node.refs if _multiplies(node) else ():
            region = graph.node(ref)
            if not region.op.is_fused or region.op["kind"] != "region" or len(region.outputs) != 1:
                continue
            alone = len(uses.of(ref)) == 1 and ref not in uses.escapes and node.refs.count(ref) == 1
            if alone and _folds(region) and _claimed(graph, region, node, context):
                taken[node.id] = region
    skipped = {region.id for region in taken.values()}
    rewriter = Rewriter(graph, PROLOGUE)
    for node in graph.nodes:
        if node.id in skipped:
            continue
        if node.id not in taken:
            rewriter.copy(node)
            continue
        body, reads = _join_bodies(graph, taken[node.id], node)
        fused = OPS["fused"].op(kind="contraction", body=body)
        made = rewriter.emit(fused, [rewriter.ref(ref) for ref in reads], node, node.name)
        rewriter.replace(node, made.ref)
        context.report_fusion(PROLOGUE, "a norm into the product that reads it", node)
    return rewriter.finish()


def _multiplies(node: Node) -> bool:
    return _PRODUCT.made_by(node) or (node.op.is_fused and node.op["kind"] == "contraction")


def _folds(region: Node) -> bool:
    return any(node.op.definition.family == "reduce" for node in region.op["body"].nodes)


def _claimed(graph: Graph, region: Node, node: Node, context: Context) -> bool:
    body, reads = _join_bodies(graph, region, node)
    fused = OPS["fused"].op(kind="contraction", body=body)
    return context.backend.claims(fused, tuple(graph.shape(ref) for ref in reads), node.results) is None


def _join_bodies(graph: Graph, region: Node, node: Node) -> tuple[Graph, list[Ref]]:
    """Joins two bodies into one, and returns what it reads."""
    body, reads, places = Graph("contraction"), list[Ref](), dict[Ref, Ref]()

    def leaf(ref: Ref) -> Ref:
        if ref not in places:
            made = body.add_node(OPS["input"].op(name=f"x{len(reads)}", shape=graph.shape(ref)))
            places[ref] = made.ref
            reads.append(ref)
        return places[ref]

    def inlined(inner: Graph, operands: list[Ref]) -> list[Ref]:
        known = dict(zip((each.ref for each in inner.inputs.values()), operands, strict=True))
        for each in inner.nodes:
            if not each.op.is_input:
                made = body.copy_node(each, tuple(None if ref is None else known[ref] for ref in each.inputs))
                known.update(zip(each.outputs, made.outputs, strict=True))
        return [known[ref] for ref in inner.output_refs.values()]

    before = [leaf(ref) for ref in region.refs]
    others = {ref: leaf(ref) for ref in node.refs if ref != region.ref}
    (left,) = inlined(region.op["body"], before)
    operands = [left if ref == region.ref else others[ref] for ref in node.refs]
    result = inlined(node.op["body"], operands)[0] if node.op.is_fused else body.copy_node(node, tuple(operands)).ref
    body.set_output_refs({"y0": result})
    return body.freeze(), reads


FUSE_PROLOGUE = Pass(PROLOGUE, fuse_prologue, version="1", needed="for speed")
"""The entry of the list."""


ATTENTION_STEP = "fuse attention"
_ATTENTION = op("attention")


def fuse_attention(graph: Graph, context: Context) -> PassResult:
    """attention(rope(q), write(keys, rope(k)), write(values, v))  ->  attention_step(q, k, v, keys, values, …)        of one token"""
    uses = context.uses(graph)
    taken: dict[int, tuple[AttentionStep, Graph, list[Ref]]] = {}
    for node in graph.nodes:
        if _ATTENTION.made_by(node):
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
    rewriter = Rewriter(graph, ATTENTION_STEP)
    for node in graph.nodes:
        if node.id in taken:
            step, body, reads = taken[node.id]
            fused = OPS["fused"].op(kind="attention_step", body=body)
            made = rewriter.emit(fused, [rewriter.ref(ref) for ref in reads], node, node.name)
            for old, new in zip((step.keys, step.values, node), made.outputs, strict=True):
                rewriter.replace(old, new)
            context.report_fusion(ATTENTION_STEP, "rope and the caches' new rows into attention", node)
        elif node.id not in skipped:
            rewriter.copy(node)
    return rewriter.finish()


def _step(graph: Graph, uses: Uses, node: Node) -> AttentionStep | None:
    """The attention step that a node ends, if nobody else reads its parts; the caches may leave the graph."""
    step = find_step(graph, node, lambda ref: len(uses.of(ref)) == 1 and ref not in uses.escapes)
    if step is None or any(uses.of(each.ref) != [node] for each in (step.keys, step.values)):
        return None
    return step


def _body(graph: Graph, step: AttentionStep) -> tuple[Graph, list[Ref]]:
    """The attention step's nodes as a body on inputs, and what it reads."""
    own = [node for node in graph.nodes if node.id in step.nodes or node.id in step.length]
    return extract(graph, own, (step.keys.ref, step.values.ref, step.attention.ref), "attention_step")


FUSE_ATTENTION = Pass(ATTENTION_STEP, fuse_attention, version="1", needed="for speed")
"""The entry of the list."""


UNROLL = "unroll scans"
MOST_NODES = 1024  # of all steps together
_SCAN = op("scan")


def unroll_scans(graph: Graph, context: Context) -> PassResult:
    """scan(carry, xs){ body }  ->  body(… body(carry, xs[0]) …, xs[length - 1])        up to 1024 nodes, loops inside loops too"""
    total = identity(graph)
    while any(_is_short(node) for node in graph.nodes):
        rewriter = Rewriter(graph, UNROLL)
        for node in graph.nodes:
            if not _is_short(node):
                rewriter.copy(node)
                continue
            found = rewriter.build(node, _unrolled, *rewriter.values(node), **node.op.attrs)
            rewriter.replace(node, found)
            steps = f"{node.op['length']} steps of {len(node.op['body'].nodes)} nodes"
            context.report.add(UNROLL, "decomposed", f"{node.op.name}: {steps} are part of the graph", node.origin)
        graph, step = rewriter.finish()
        total = compose(total, step)
    return graph, total


def _is_short(node: Node) -> bool:
    """Whether a scan has a known number of steps and not too many nodes; effects of a body stay in their order on the host."""
    if not _SCAN.made_by(node) or node.op.has_effect:
        return False
    length = node.op["length"]
    return isinstance(length, int) and bool(node.inputs) and 0 < length * _nodes(node.op["body"]) <= MOST_NODES


def _nodes(body: Graph) -> int:
    """The number of nodes of a body and of the short loops in it."""
    return sum(_nodes(node.op["body"]) * node.op["length"] if _is_short(node) else 1 for node in body.nodes if node.inputs)


def _unrolled(
    *operands: Value, body: Graph, length: int, num_carry: int, num_bcast: int, reverse: bool, **others: Any
) -> list[Value]:
    """The unrolled results of a scan: the last carries, then the stacked outputs of its steps."""
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


UNROLL_SCANS = Pass(UNROLL, unroll_scans, version="1", needed="for speed")
"""The entry of the list."""
