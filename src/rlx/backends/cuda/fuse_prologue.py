"""fuse prologue: a pass of this device. A product whose left operand is a norm takes it along, for where rows are few."""

from __future__ import annotations

from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS
from rlx.ir.pattern import Rewriter, op
from rlx.passes.entry import Context, Pass, PassResult

STAGE = "fuse prologue"
PRODUCT = op("packed_matmul")


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
    rewriter = Rewriter(graph, STAGE)
    for node in graph.nodes:
        if node.id in skipped:
            continue
        if node.id not in taken:
            rewriter.copy(node)
            continue
        body, reads = _joined(graph, taken[node.id], node)
        fused = OPS["fused"].op(kind="contraction", body=body)
        made = rewriter.emit(fused, [rewriter.ref(ref) for ref in reads], node, node.name)
        rewriter.replace(node, made.ref)
        context.fused(STAGE, "a norm into the product that reads it", node)
    return rewriter.finish()


def _multiplies(node: Node) -> bool:
    return PRODUCT.made_by(node) or (node.op.is_fused and node.op["kind"] == "contraction")


def _folds(region: Node) -> bool:
    return any(node.op.definition.family == "reduce" for node in region.op["body"].nodes)


def _claimed(graph: Graph, region: Node, node: Node, context: Context) -> bool:
    body, reads = _joined(graph, region, node)
    fused = OPS["fused"].op(kind="contraction", body=body)
    return context.backend.claims(fused, tuple(graph.shape(ref) for ref in reads), node.results) is None


def _joined(graph: Graph, region: Node, node: Node) -> tuple[Graph, list[Ref]]:
    """One body of both, and what it reads."""
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


FUSE_PROLOGUE = Pass(STAGE, fuse_prologue, version="1", needed="for speed")
"""The entry of the list."""
