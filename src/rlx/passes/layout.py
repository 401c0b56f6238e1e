"""layout: weights that matmuls read are packed into panels, the width named by the backend."""

from __future__ import annotations

from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS
from rlx.ir.rewrite import Rewriter
from rlx.ir.value import Value
from rlx.passes.context import Context, PassResult
from rlx.passes.prepared import prepared_nodes

STAGE = "layout"


def layout(graph: Graph, context: Context) -> PassResult:
    """matmul(x, w)  ->  packed_matmul(x, pack(w))        for weights that come from params, also inside fused contractions"""
    prepared = prepared_nodes(graph)
    rewriter = Rewriter(graph, STAGE)
    packs: dict[tuple[Ref, ...], Ref] = {}

    def packed(weights: tuple[Ref, ...], kind: str, node: Node) -> Ref:
        if weights not in packs:
            stored = [stored_low(rewriter, rewriter.ref(ref), node) for ref in weights]
            sources = [
                rewriter.ref(ref) if low is None or None in stored else low
                for ref, low in zip(weights, stored, strict=True)
            ]
            shape = rewriter.graph.shape(sources[0])
            width = context.backend.pack_width(shape.dtype)
            op = OPS["pack"].op(layout=f"{kind}{width}")
            packs[weights] = rewriter.emit(op, sources, node).ref
            context.report.add(STAGE, "packed", f"{shape} in panels of {width} columns", node.origin)
        return packs[weights]

    def wants_panels(weights: tuple[Ref, ...]) -> bool:
        return all(context.backend.pack_width(graph.shape(ref).dtype) > 1 for ref in weights)

    for node in graph.nodes:
        if _has_packable_experts(node, graph, prepared) and wants_panels(node.refs[1:2]):
            _pack_experts(node, rewriter, packed(node.refs[1:2], "panel", node))
            continue
        products = _products(node)
        weights = tuple(_outer(node, ref) for ref in _weights(node, products))
        fits = weights and all(
            ref.node in prepared and graph.shape(ref).rank == 2 and graph.shape(ref).dtype.is_float for ref in weights
        )
        if (
            not fits
            or not wants_panels(weights)
            or node.id in prepared
            or graph.shape(_outer(node, _left(node, products))).rank < 2
        ):
            rewriter.copy(node)
            continue
        panels = packed(weights, "panel" if len(weights) == 1 else "pair", node)
        if node.op.name == "matmul":
            operands = rewriter.value(node.refs[0]), Value(rewriter.graph, panels)
            rewriter.replace(node, rewriter.build(node, OPS["packed_matmul"], *operands, n=node.shape.dims[-1]))
        else:
            body, reads = _packed_body(node, products, graph.shape(weights[0]).dims[1], rewriter.graph.shape(panels))
            inputs = [panels if ref is None else rewriter.ref(ref) for ref in reads]
            made_node = rewriter.emit(OPS["fused"].op(kind="contraction", body=body), inputs, node, node.name)
            rewriter.replace(node, made_node.ref)
    return rewriter.finish()


def _has_packable_experts(node: Node, graph: Graph, prepared: set[int]) -> bool:
    """Whether a node multiplies rows by experts' weights that come from params alone."""
    if node.op.name != "grouped_matmul" or node.id in prepared:
        return False
    weights = node.refs[1]
    return weights.node in prepared and graph.shape(weights).dtype.is_float


def _pack_experts(node: Node, rewriter: Rewriter, panels: Ref) -> None:
    """grouped_matmul(x, w, e)  ->  packed_grouped_matmul(x, pack(w), e)"""
    x, experts = (rewriter.value(node.refs[index]) for index in (0, 2))
    attrs = {**node.op.attrs, "n": node.shape.dims[1]}
    rewriter.replace(
        node, rewriter.build(node, OPS["packed_grouped_matmul"], x, Value(rewriter.graph, panels), experts, **attrs)
    )


def stored_low(rewriter: Rewriter, weight: Ref, like: Node) -> Ref | None:
    """cast(w16, f32)  ->  w16;  concat(cast(a16, f32), cast(b16, f32))  ->  concat(a16, b16)        what `store_params` keeps low"""
    node, graph = rewriter.graph.node(weight), rewriter.graph
    if node.op.name == "cast" and node.shape.dtype.name == "f32" and graph.shape(node.refs[0]).dtype.is_low_float:
        return node.refs[0]
    if node.op.name == "concat":
        parts = [stored_low(rewriter, ref, like) for ref in node.refs]
        if None not in parts and len({graph.shape(part).dtype for part in parts if part is not None}) == 1:
            return rewriter.emit(node.op, parts, like).ref
    return None


def _products(node: Node) -> list[Node]:
    """The matmuls of a node: itself, or those inside a contraction."""
    if node.op.name == "matmul":
        return [node]
    if node.op.name == "fused" and node.op["kind"] == "contraction":
        return [inner for inner in node.op["body"].nodes if inner.op.name == "matmul"]
    return []


def _weights(node: Node, products: list[Node]) -> list[Ref]:
    return [inner.refs[1] for inner in products]


def _left(node: Node, products: list[Node]) -> Ref:
    return products[0].refs[0]


def _outer(node: Node, ref: Ref) -> Ref:
    """The value outside a fused node that a body input stands for."""
    if node.op.name == "matmul":
        return ref
    position = [leaf.ref for leaf in node.op["body"].inputs.values()].index(ref)
    found = node.inputs[position]
    assert found is not None
    return found


def _packed_body(
    node: Node, products: list[Node], columns: object, panel_shape: object
) -> tuple[Graph, list[Ref | None]]:
    """The body with its matmuls replaced by one packed product; reads name outer values, None where the panels go."""
    old: Graph = node.op["body"]
    weights = {inner.refs[1] for inner in products}
    body = Graph(old.name, "mir")
    body.assumptions = list(old.assumptions)
    mapped: dict[Ref, Ref] = {}
    reads: list[Ref | None] = []
    for leaf in old.inputs.values():
        if leaf.ref in weights:
            continue
        mapped[leaf.ref] = body.add_node(
            OPS["input"].op(name=f"x{len(reads)}", shape=leaf.shape), origin=leaf.origin
        ).ref
        reads.append(_outer(node, leaf.ref))
    panels = body.add_node(OPS["input"].op(name=f"x{len(reads)}", shape=panel_shape), origin=node.origin).ref
    reads.append(None)
    record = OPS["packed_matmul" if len(products) == 1 else "packed_pair_matmul"]
    done = False
    for inner in old.nodes:
        if inner.op.name == "input":
            continue
        if inner.op.name == "matmul":
            if not done:
                made = body.add_node(record.op(n=columns), [mapped[inner.refs[0]], panels], origin=inner.origin)
                results = dict(zip((product.ref for product in products), made.outputs, strict=True))
                mapped.update(results)
                done = True
            continue
        again = body.add_node(
            inner.op,
            [None if ref is None else mapped[ref] for ref in inner.inputs],
            results=inner.results,
            origin=inner.origin,
        )
        mapped.update(zip(inner.outputs, again.outputs, strict=True))
    body.outputs = {name: mapped[ref] for name, ref in old.outputs.items()}
    return body.freeze(), reads
