"""convert: products between quantize/dequantize pairs become integer ops, with i8 weights and i32 biases."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rlx.core.aligned import Array
from rlx.core.dtype import DType, f32, i8
from rlx.core.shape import Shape
from rlx.ir.attributes import ArrayValue
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS
from rlx.ir.pattern import Rewriter, Uses, ValueMap, compose, op
from rlx.ir.value import Value, as_dtype
from rlx.ops.quantized.byte_layers import q_conv2d, q_matmul
from rlx.passes.canonicalize import dce
from rlx.quant.layers import Layer, StaticValues, find_layers, new_context, params_of, without_unread_params
from rlx.runtime.session import Session

STAGE = "convert"
_MOST = 2**31 - 1


@dataclass(frozen=True)
class IntegerTensor:
    """i8 values with a zero point and a scale, or a scale per channel: the input of a dequantize."""

    q: Ref
    scale: Array
    zero: int
    axis: int | None


@dataclass(frozen=True)
class IntegerLayer:
    """A matmul or convolution with an integer form, and the nodes fused into it: [bias] and [quantize]."""

    layer: Layer
    x: IntegerTensor
    w: IntegerTensor
    weight: Array
    nodes: tuple[Node, ...]  # the replaced nodes; the last one's value is the layer's result
    bias: Array | None = None  # in units of the accumulator
    bias_of: Ref | None = None
    out: IntegerTensor | None = None  # the grid of the result, None: floats

    @property
    def end(self) -> Node:
        """The last node that the integer op replaces."""
        return self.nodes[-1]

    @property
    def factors(self) -> Array:
        """The accumulator's scale: one number, or one for each output channel."""
        return np.asarray(self.x.scale, np.float64) * self.w.scale.astype(np.float64)

    @property
    def channels(self) -> int:
        """The number of output channels."""
        return int(self.weight.shape[self.layer.channel_axis])

    def mult(self) -> tuple[float, ...]:
        """The accumulator's scale over the result's scale."""
        factors = self.factors if self.out is None else self.factors / np.asarray(self.out.scale, np.float64)
        return tuple(float(factor) for factor in np.atleast_1d(factors))


@dataclass(frozen=True)
class Converted:
    """The integer graph, the value map, the arrays of its new params, and the outcome of each layer.

    >>> import rlx
    >>> Converted(rlx.Graph("g"), {}, {}, {"w": "f32"}).outcome["w"]
    'f32'
    """

    graph: Graph
    value_map: ValueMap
    params: dict[str, Array]
    outcome: dict[str, str] = field(default_factory=dict)  # "i8", "f32", or why not


def convert(graph: Graph, session: Session) -> Converted:
    """dequantize → product → [bias] → [quantize]  ->  q_matmul or q_conv2d        for products whose operands are dequantized

    The session has the graph's params; the new graph has i8 params instead, whose arrays are in `params`.

    >>> import rlx
    >>> from rlx.quant import Grid, insert_qdq
    >>> g = rlx.Graph("one"); x = g.input("x", (8, 4)); g.set_outputs({"y": x @ g.param("w", (4, 2))})
    >>> exe = rlx.compile(g, "reference")
    >>> exe.set_param("w", np.ones((4, 2), np.float32))
    >>> grid = Grid(np.float32(0.1))
    >>> found = convert(insert_qdq(g, {2: (grid, grid)})[0], exe.session)
    >>> found.outcome, [array.dtype.name for array in found.params.values()]
    ({'w': 'f32'}, ['int8'])
    """
    matcher = _Matcher(graph, StaticValues(graph, session))
    outcome: dict[str, str] = {}
    products: dict[int, IntegerLayer] = {}
    absorbed: set[int] = set()
    for layer in find_layers(graph):
        match = layer.reason or matcher.product(layer)
        if isinstance(match, IntegerLayer):
            products[match.end.id] = match
            absorbed.update(node.id for node in match.nodes)
            outcome[layer.name] = "f32" if match.out is None else "i8"
        else:
            outcome[layer.name] = match
    rewriter, params = Rewriter(graph, STAGE), dict[str, Array]()
    for node in graph.nodes:
        if node.id in products:
            rewriter.replace(node, rewriter.build(node, _emit_layer, products[node.id], rewriter, params))
        elif node.id not in absorbed:
            rewriter.copy(node)
    made, total = rewriter.finish()
    context = new_context()
    made, step = dce(made, context)
    total = compose(total, step)
    made, step = without_unread_params(made)
    return Converted(made, compose(total, step), params, outcome)


FLOAT_CAST = op("cast", where=lambda node: node.shape.dtype.is_float)
BACK = op("dequantize")
BIASED = op("add", "product", "bias", swaps=True)
ROUNDED = op("quantize", "sums")


class _Matcher:
    """Matches matmuls and convolutions, and the nodes fused into them."""

    def __init__(self, graph: Graph, static: StaticValues) -> None:
        self.graph, self.static = graph, static
        self.uses = Uses(graph)

    def product(self, layer: Layer) -> IntegerLayer | str:
        """Matches a layer's product; returns the integer layer, or the reason why it cannot be converted."""
        node = self.graph.nodes[layer.node]
        assert node.op.definition.integer_form and layer.w is not None
        x, w = self._integers(layer.x), self._integers(layer.w)
        if isinstance(x, str) or isinstance(w, str):
            return f"its input {x}" if isinstance(x, str) else f"its weight {w}"
        if x.axis is not None:
            return "its input has a scale for each channel"
        if w.axis not in (None, layer.channel_axis) or w.q not in self.static:
            return "the scales of its weight are not per output channel"
        product = IntegerLayer(layer, x, w, self.static[w.q], (node,))
        if len(node.refs) > 2:
            if node.refs[2] not in self.static:
                return "its bias changes from run to run"
            product = self._with_bias(product, node.refs[2])
        else:
            product = self._absorb_add(product, node)
        return self._with_quantize(product) if _sums_fit(product) else "its sums may overflow 32 bits"

    def _integers(self, ref: Ref) -> IntegerTensor | str:
        node = self.graph.node(ref)
        if FLOAT_CAST.made_by(node):
            node = self.graph.node(node.refs[0])
        if not BACK.made_by(node):
            return "is not dequantized"
        return self._grid(node, node.refs[0])

    def _grid(self, node: Node, q: Ref) -> IntegerTensor | str:
        """The scale and zero point of a quantize or dequantize, with its i8 values."""
        if self.graph.shape(q).dtype is not i8:
            return f"is {self.graph.shape(q).dtype}, not i8"
        if any(ref not in self.static for ref in node.refs[1:]):
            return "has a scale that changes from run to run"
        scale = self.static[node.refs[1]].astype(np.float32)
        zeros = np.unique(self.static[node.refs[2]]) if len(node.refs) > 2 else np.zeros(1, np.int64)
        if len(zeros) > 1:
            return "has a zero point for each channel"
        if not (np.isfinite(scale).all() and (scale > 0).all()):
            return "has a scale that is not above 0"
        return IntegerTensor(q, scale, int(zeros[0]), node.op["axis"] if scale.ndim else None)

    def _absorb_add(self, product: IntegerLayer, node: Node) -> IntegerLayer:
        """Fuses the bias added by the layer's only user."""
        reader = self.uses.only_reader(node.ref)
        match = None if reader is None else BIASED.match(self.uses, reader, product=node.ref)
        if reader is None or match is None or reader.shape != node.shape:
            return product
        source = match["bias"]
        if source not in self.static or not _along_channels(self.graph.shape(source), product):
            return product
        return self._with_bias(replace(product, nodes=(node, reader)), source)

    def _with_bias(self, product: IntegerLayer, source: Ref) -> IntegerLayer:
        """Adds a bias in units of the accumulator to the layer."""
        array = self.static[source].astype(np.float64).reshape(-1)
        steps = np.rint(np.broadcast_to(array, (product.channels,)) / product.factors)
        return replace(product, bias=steps, bias_of=source)

    def _with_quantize(self, product: IntegerLayer) -> IntegerLayer:
        """Fuses the quantize of the result, if it is the only user."""
        reader = self.uses.only_reader(product.end.ref)
        if reader is None or ROUNDED.match(self.uses, reader, sums=product.end.ref) is None:
            return product
        grid = self._grid(reader, reader.ref)
        if isinstance(grid, str) or grid.axis is not None:
            return product
        return replace(product, nodes=(*product.nodes, reader), out=grid)


def _along_channels(shape: Shape, product: IntegerLayer) -> bool:
    """Whether the added value is a scalar, or one number per output channel."""
    if not shape.is_static:
        return False
    if shape.num_elements == 1:
        return True
    behind = 0 if product.layer.op == "matmul" else 2
    return (
        shape.num_elements == product.channels and shape.rank > behind and shape.dims[shape.rank - 1 - behind] == product.channels
    )


def _sums_fit(product: IntegerLayer) -> bool:
    """Whether no sum of this weight and bias overflows 32 bits, for any input."""
    axes = tuple(axis for axis in range(product.weight.ndim) if axis != product.layer.channel_axis)
    farthest = max(abs(-128 - product.x.zero), abs(127 - product.x.zero))
    sums = np.abs(product.weight.astype(np.int64) - product.w.zero).sum(axes) * farthest
    return bool((sums + (0 if product.bias is None else np.abs(product.bias)) <= _MOST).all())


def _emit_layer(product: IntegerLayer, rewriter: Rewriter, params: dict[str, Array]) -> Value:
    """Emits the integer op, with leaves for its weight and bias."""
    graph, layer, out = rewriter.source, product.layer, product.out
    w = _leaf(rewriter, product.weight.astype(np.int8), f"{layer.name}.i8", product.w.q, params)
    bias = None
    if product.bias is not None and product.bias_of is not None:
        bias = _leaf(rewriter, product.bias.astype(np.int32), f"{layer.name}.bias.i32", product.bias_of, params)
    attrs: dict[str, Any] = {
        "x_zp": product.x.zero,
        "w_zp": product.w.zero,
        "out_zp": out.zero if out else 0,
        "mult": product.mult(),
        "dtype": i8 if out else f32,
    }
    node = graph.nodes[layer.node]
    x = rewriter.value(product.x.q)
    if layer.op == "conv":
        result: Value = q_conv2d(x, w, bias, **attrs, **node.op.attrs, name=layer.name)
    else:
        result = q_matmul(x, w, bias, **attrs, name=layer.name)
    return result if out else as_dtype(result, product.end.shape.dtype)


def _leaf(rewriter: Rewriter, array: Array, name: str, source: Ref, params: dict[str, Array]) -> Value:
    """Declares a param if the array depends on params, else a constant."""
    if params_of(rewriter.source, source):
        params[name] = array
        op = OPS["param"].op(name=name, shape=Shape(array.shape, DType.of(array.dtype)))
    else:
        op = OPS["constant"].op(value=ArrayValue(array))
    return Value(rewriter.graph, rewriter.graph.add_node(op).ref)
