"""layout: weights that products read are packed into the layouts that the backend names for them.

    matmul(x, w)                     ->  packed_matmul(x, pack(w))                       w from params, also inside fused contractions
    grouped_matmul(x, w, e)          ->  packed_grouped_matmul(x, pack(w), e)
    conv(x, w, b)                    ->  packed_conv(x, pack(w as matrices), b)
    dequant_matmul(x, w)             ->  packed_matmul(x, pack(w))                       w the stored blocks of a packed param
    dequant_grouped_matmul(x, w, e)  ->  packed_grouped_matmul(x, pack(w), e)
    dequant_gather(w, i)             ->  packed_gather(pack(w), i)                       where w is multiplied as well

What is packed depends on params alone, so `split_prepare` cuts it off. Whether x is rounded to integers in products with stored blocks is
the option `quant_mode`; the report says it for each product.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlx.core.dim import product
from rlx.core.shape import Shape
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS, Op
from rlx.ir.pattern import Pattern, Rewriter, Rules, Site, op, rewrites
from rlx.ir.value import Value
from rlx.layouts.weight_layout import WeightLayout
from rlx.ops.conv.conv import shifted_products
from rlx.ops.conv.packed import weight_matrices
from rlx.passes.entry import Context, PassResult
from rlx.passes.prepared_analysis import prepared_nodes

STAGE = "layout"
_STORED = {"dequant_matmul": "packed_matmul", "dequant_grouped_matmul": "packed_grouped_matmul"}


def layout(graph: Graph, context: Context) -> PassResult:
    """matmul(x, w)  ->  packed_matmul(x, pack(w))        for weights that come from params"""
    return _Layout(graph, context).run()


class _Layout:
    """Applies the pass `layout` in one walk over a graph."""

    def __init__(self, graph: Graph, context: Context) -> None:
        self.graph, self.context = graph, context
        self.rewriter = Rewriter(graph, STAGE)
        self.prepared = prepared_nodes(graph)
        self.low: dict[tuple[Ref, ...], list[Ref]] = {}  # weights in their stored dtype
        self.packs: dict[tuple[Ref, ...], Ref] = {}
        self.stored: dict[int, tuple[Op, WeightLayout]] = {}
        """By reader of stored blocks, the op in its place and the layout of its weight."""

    def run(self) -> PassResult:
        users = self.graph.users()
        for node in self.graph.nodes:
            self.stored |= self._stored_readers(node, users.get(node.ref, []))
        for node in self.graph.nodes:
            if node.id in self.stored:
                self._stored_product(node)
            elif node.id in self.prepared or not (self._experts(node) or self._products(node) or self._convolution(node)):
                self.rewriter.copy(node)
        return self.rewriter.finish()

    def _pack(self, weights: tuple[Ref, ...], sources: Sequence[Ref], layout: WeightLayout, node: Node) -> Ref:
        """Emits `pack` of some weights, once for all readers."""
        if weights not in self.packs:
            self.packs[weights] = self.rewriter.emit(OPS["pack"].op(layout=layout), sources, node).ref
            shape = self.rewriter.graph.shape(sources[0])
            self.context.report.add(STAGE, "packed", f"{shape} as {layout}", node.origin)
        return self.packs[weights]

    # -- dense weights
    def _dense(self, weights: tuple[Ref, ...], node: Node) -> tuple[Ref, WeightLayout] | None:
        """Packs dense weights that come from params alone; returns them with the layout, or None for row-major."""
        shapes = tuple(self.graph.shape(ref) for ref in weights)
        fits = all(ref.node in self.prepared for ref in weights) and all(shape.dtype.is_float for shape in shapes)
        if not fits or self.context.backend.layout_for(shapes, None) is None:
            return None
        if weights not in self.low:
            sources_now = [self.rewriter.ref(ref) for ref in weights]
            low = [stored_low(self.rewriter, ref, node) for ref in sources_now]
            self.low[weights] = sources_now if None in low else [ref for ref in low if ref is not None]
        sources = self.low[weights]
        layout = self.context.backend.layout_for(tuple(map(self.rewriter.graph.shape, sources)), None)
        return None if layout is None else (self._pack(weights, sources, layout, node), layout)

    def _experts(self, node: Node) -> bool:
        """grouped_matmul(x, w, e)  ->  packed_grouped_matmul(x, pack(w), e)"""
        packed = self._dense(node.refs[1:2], node) if node.op.name == "grouped_matmul" else None
        if packed is None:
            return False
        x, experts = (self.rewriter.value(node.refs[index]) for index in (0, 2))
        operands = x, Value(self.rewriter.graph, packed[0]), experts
        attrs = {**node.op.attrs, "layout": packed[1], "n": node.shape.dims[1]}
        self.rewriter.replace(node, self.rewriter.build(node, OPS["packed_grouped_matmul"], *operands, **attrs))
        return True

    def _products(self, node: Node) -> bool:
        """matmul(x, w)  ->  packed_matmul(x, pack(w))        or the same in the body of a contraction"""
        products = _products(node)
        weights = tuple(_outer(node, inner.refs[1]) for inner in products)
        if not weights or any(self.graph.shape(ref).rank != 2 for ref in weights):
            return False
        if self.graph.shape(_outer(node, products[0].refs[0])).rank < 2:
            return False
        packed = self._dense(weights, node)
        if packed is None:
            return False
        panels, layout = packed
        attrs = {"layout": layout, "n": self.graph.shape(weights[0]).dims[1]}
        if node.op.name == "matmul":
            operands = self.rewriter.value(node.refs[0]), Value(self.rewriter.graph, panels)
            self.rewriter.replace(node, self.rewriter.build(node, OPS["packed_matmul"], *operands, **attrs))
            return True
        op = OPS["packed_matmul" if len(products) == 1 else "packed_pair_matmul"].op(**attrs)
        body, reads = _packed_body(node, products, op, self.rewriter.graph.shape(panels))
        self._emit_product(node, OPS["fused"].op(kind="contraction", body=body), reads, panels)
        return True

    def _convolution(self, node: Node) -> bool:
        """conv(x, w, b)  ->  packed_conv(x, pack(w as matrices), b)        or the same in the body of a contraction"""
        convolutions = _products(node, "conv")
        if not convolutions:
            return False
        (inner,) = convolutions
        x, weight = (_outer(node, ref) for ref in inner.refs[:2])
        shape, groups = self.graph.shape(weight), inner.op["groups"]
        if weight.node not in self.prepared or not shape.is_static or self.graph.shape(x).dtype is not shape.dtype:
            return False
        columns = int(shape.dims[0]) // groups
        matrices = shape.with_dims((groups, product(shape.dims[1:]), columns))
        layout = self.context.backend.layout_for((matrices,), None)
        if layout is None:
            return False
        op = OPS["packed_conv"].op(**inner.op.attrs, layout=layout, n=columns)
        (packed,) = OPS["pack"].op(layout=layout).infer((matrices,))
        reads = [None if ref == weight else ref for ref in node.inputs if ref is not None]
        if node.op.is_fused:
            body, reads = _packed_body(node, convolutions, op, packed)
            op = OPS["fused"].op(kind="contraction", body=body)
        operands = tuple(packed if ref is None else self.graph.shape(ref) for ref in reads)
        if self.context.backend.claims(op, operands, node.results) is not None:
            return False
        pieces = self.rewriter.build(node, weight_matrices, self.rewriter.value(weight), groups)
        self._emit_product(node, op, reads, self._pack((weight,), [pieces.ref], layout, node))
        return True

    def _emit_product(self, node: Node, op: Op, reads: Sequence[Ref | None], packed: Ref) -> None:
        """Replaces a node by an op; `reads` are its operands, None for the packed weight."""
        refs = [packed if ref is None else self.rewriter.ref(ref) for ref in reads]
        self.rewriter.replace(node, self.rewriter.emit(op, refs, node, node.name).ref)

    # -- stored blocks
    def _stored_readers(self, weight: Node, users: list[Node]) -> dict[int, tuple[Op, WeightLayout]]:
        """Maps each reader of a packed param to its op on the packed layout; empty if one of them has none."""
        if not weight.op.is_param or weight.op["name"] not in self.context.packed or not weight.shape.is_static:
            return {}
        product = next((user for user in users if user.op.name in _STORED), None)
        layout = None if product is None else self.context.backend.layout_for((weight.shape,), product.op["scheme"])
        if layout is None:
            return {}
        packing = OPS["pack"].op(layout=layout)
        (packed,) = packing.infer((weight.shape,))
        if self.context.backend.claims(packing, (weight.shape,), (packed,)) is not None:
            return {}
        forms: dict[int, tuple[Op, WeightLayout]] = {}
        for user in users:
            form = self._stored_form(user, weight, layout, packed)
            if form is None:
                return {}
            forms[user.id] = form, layout
        return forms

    def _stored_form(self, user: Node, weight: Node, layout: WeightLayout, packed: Shape) -> Op | None:
        """The op on the packed layout that replaces a reader of the weight, if the backend has it."""
        attrs = user.op.attrs
        shared = {name: attrs[name] for name in ("mode", "check_bounds", "dtype") if name in attrs}
        if user.op.name in _STORED and user.refs[1] == weight.ref:
            exact = self.context.options.quant_mode == "exact"
            op = OPS[_STORED[user.op.name]].op(layout=layout, n=user.shape.dims[-1], exact=exact, **shared)
        elif user.op.name == "dequant_gather" and user.refs[0] == weight.ref:
            op = OPS["packed_gather"].op(layout=layout, n=weight.shape.dims[0], **shared)
        else:
            return None
        shapes = tuple(packed if ref == weight.ref else self.graph.shape(ref) for ref in user.refs)
        return op if self.context.backend.claims(op, shapes, user.results) is None else None

    def _stored_product(self, node: Node) -> None:
        op, layout = self.stored[node.id]
        weight = node.refs[1 if node.op.name in _STORED else 0]
        packed = self._pack((weight,), [self.rewriter.ref(weight)], layout, node)
        self._emit_product(node, op, [None if ref == weight else ref for ref in node.refs], packed)
        if node.op.name in _STORED:
            matrix = f"{node.op['scheme']} [{self.graph.shape(node.refs[0]).dims[-1]}, {node.shape.dims[-1]}]"
            how = "activations unchanged" if op["exact"] else "activations rounded to integers of 8 bits or more"
            self.context.report.add(STAGE, "exact" if op["exact"] else "fast", f"{matrix}: {how}", node.origin)


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


def _products(node: Node, name: str = "matmul") -> list[Node]:
    """The matmuls, or the ops of another name, of a node: the node itself, or those inside a contraction."""
    if node.op.name == name:
        return [node]
    if node.op.is_fused and node.op["kind"] == "contraction":
        return [inner for inner in node.op["body"].nodes if inner.op.name == name]
    return []


def _outer(node: Node, ref: Ref) -> Ref:
    """The value outside a fused node that one of its body's inputs refers to."""
    if not node.op.is_fused:
        return ref
    position = [leaf.ref for leaf in node.op["body"].inputs.values()].index(ref)
    outer = node.inputs[position]
    assert outer is not None
    return outer


def _packed_body(node: Node, products: list[Node], op: Op, packed: Shape) -> tuple[Graph, list[Ref | None]]:
    """Replaces the matmuls of a body by one packed matmul; `reads` are outer values, None for the packed weight."""
    old: Graph = node.op["body"]
    weights = {inner.refs[1] for inner in products}
    body = Graph(old.name, "mir")
    body.assumptions = list(old.assumptions)
    mapped: dict[Ref, Ref] = {}
    reads: list[Ref | None] = []
    for leaf in old.inputs.values():
        if leaf.ref in weights:
            continue
        mapped[leaf.ref] = body.add_node(OPS["input"].op(name=f"x{len(reads)}", shape=leaf.shape), origin=leaf.origin).ref
        reads.append(_outer(node, leaf.ref))
    panels = body.add_node(OPS["input"].op(name=f"x{len(reads)}", shape=packed), origin=node.origin).ref
    reads.append(None)
    done = False
    for inner in old.nodes:
        if inner.op.is_input:
            continue
        if inner in products:
            if not done:
                others = [mapped[ref] for ref in inner.refs[2:]]  # a convolution's bias
                made = body.add_node(op, [mapped[inner.refs[0]], panels, *others], origin=inner.origin)
                results = dict(zip((product.ref for product in products), made.outputs, strict=True))
                mapped.update(results)
                done = True
            continue
        again = body.add_node(
            inner.op, [None if ref is None else mapped[ref] for ref in inner.inputs], results=inner.results, origin=inner.origin
        )
        mapped.update(zip(inner.outputs, again.outputs, strict=True))
    body.output_refs = {name: mapped[ref] for name, ref in old.output_refs.items()}
    return body.freeze(), reads


# -- depthwise convolutions of rows with the channels last: what they multiply lies side by side already -------------
#
# No copy turns the operands or the result, and the products fuse with the elementwise work around them. For few taps alone.


_MOST_TAPS = 16
_TURN = (0, 2, 1)
_PLAIN: dict[str, Any] = {
    "stride": (1,),
    "padding": (0,),
    "kernel_size": lambda window: len(window) == 1 and window[0] <= _MOST_TAPS,
}


def _channels_first(what: Pattern | str) -> Pattern:
    return op("transpose", what, perm=_TURN)


def _mixes_no_channels(window: Node, w: Value) -> bool:
    return bool(w.shape[1] == 1 and window.op["groups"] == w.shape[0])


@rewrites(_channels_first(op("conv", _channels_first("x"), "w", alone=True, capture="window", **_PLAIN)))
def depthwise_as_shifted_products(at: Site, x: Value, w: Value, window: Node) -> Value | None:
    """transpose(conv(transpose(x), w, groups=C))  ->  x[:, 0:n] · w[0] + x[:, 1:n+1] · w[1] + …"""
    if not _mixes_no_channels(window, w) or len(window.refs) > 2 or x.dtype is not w.dtype:
        return None
    taps = w.reshape(w.shape[0], w.shape[2])
    return shifted_products(x, taps, window.op["dilation"][0], at.node.shape.dims[1])


@rewrites(_channels_first(op("conv2d_backward_input", _channels_first("dy"), "w", alone=True, capture="window", **_PLAIN)))
def depthwise_backward_input_as_shifted_products(at: Site, dy: Value, w: Value, window: Node) -> Value | None:
    """transpose(conv2d_backward_input(transpose(dy), w, groups=C))  ->  dy[:, 0:n] · w[k-1] + …        dy with zeros around it"""
    if not _mixes_no_channels(window, w) or dy.dtype is not w.dtype:
        return None
    distance = window.op["dilation"][0]
    around = (0, (w.shape[2] - 1) * distance, 0)
    padded = OPS["pad"](dy, low=around, high=around)
    taps = OPS["flip"](w.reshape(w.shape[0], w.shape[2]), axes=(1,))
    return shifted_products(padded, taps, distance, at.node.shape.dims[1])


@rewrites(op("conv2d_backward_weight", _channels_first("x"), _channels_first("dy"), **_PLAIN))
def depthwise_backward_weight_as_sums(at: Site, x: Value, dy: Value) -> Value | None:
    """conv2d_backward_weight(transpose(x), transpose(dy), groups=C)  ->  [Σ x[:, 0:n] · dy, Σ x[:, 1:n+1] · dy, …]"""
    channels, each, taps = at.node.shape.dims
    if each != 1 or at.node.op["groups"] != channels or x.dtype is not dy.dtype or x.dtype.is_low_float:
        return None
    (distance,) = at.node.op["dilation"]
    sums = [
        OPS["reduce_sum"](
            OPS["narrow"](x, axis=1, start=tap * distance, length=dy.shape[1]) * dy, axes=(0, 1), keep_dim=False
        ).reshape(channels, 1)
        for tap in range(int(taps))
    ]
    gradient: Value = OPS["concat"](*sums, axis=1)
    return gradient.reshape(channels, 1, taps)


CHANNELS_LAST = Rules(
    depthwise_as_shifted_products, depthwise_backward_input_as_shifted_products, depthwise_backward_weight_as_sums
)
