"""A convolution with the elementwise work that follows it: their operands, and the work on one vector of the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from rlx.backends.cpu.emit.kernel import KernelCode, Tensor
from rlx.backends.cpu.emit.types import type_of
from rlx.backends.cpu.emit.values import Operand, Value
from rlx.backends.cpu.kernels.region.elementwise import carried_type, find_emit, refusal, widened
from rlx.core.shape import is_one
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import Op
from rlx.ir.pattern import op as pattern

CONVOLUTION = pattern(("conv", "packed_conv"))

Finish: TypeAlias = Callable[[Value, Value, Value, Operand], Value]
"""`finish(sums, channel, place, count)`: from sums of one channel to what is stored from element `place` of the result on; `count`
lanes exist."""


@dataclass(frozen=True)
class ConvForm:
    """The convolution and where its operands are among the node's; the body of a fused node, and the operands its epilogue reads."""

    op: Op
    x: int
    w: int
    bias: int | None
    body: Graph | None = None
    product: Node | None = None
    extra: Mapping[Ref, int] = field(default_factory=dict)

    def epilogue(self) -> list[Node]:
        """The elementwise nodes after the convolution."""
        return [] if self.body is None else [node for node in self.body.nodes if node.op.definition.is_pointwise]

    def staged(self, *first: int) -> tuple[int, ...]:
        """The operands of a command that begins with some: then the bias, then those of the epilogue."""
        return (*first, *(() if self.bias is None else (self.bias,)), *self.extra.values())

    def name(self, first: str) -> str:
        """What a profile says."""
        return "+".join([first, *(node.op.name for node in self.epilogue())])


def holds_convolution(op: Op) -> bool:
    """Whether a contraction begins with a convolution."""
    return any(CONVOLUTION.made_by(node) for node in op["body"].nodes)


def take_apart(op: Op, inputs: tuple[Tensor | None, ...], output: Tensor) -> ConvForm | str:
    """A convolution by itself, or one that begins a contraction."""
    if not op.is_fused:
        return ConvForm(op, 0, 1, 2 if len(inputs) > 2 and inputs[2] is not None else None)
    body: Graph = op["body"]
    found = [node for node in body.nodes if CONVOLUTION.made_by(node)]
    if len(found) != 1 or len(body.output_refs) != 1:
        return f"a contraction of {len(found)} convolutions and {len(body.output_refs)} results"
    places = {leaf.ref: position for position, leaf in enumerate(body.inputs.values())}
    x, w, *bias = (places[ref] for ref in found[0].refs)
    form = ConvForm(found[0].op, x, w, bias[0] if bias else None, body, found[0])
    read = {ref for node in form.epilogue() for ref in node.refs}
    extra = {ref: position for ref, position in places.items() if ref in read}
    for position in extra.values():
        tensor = inputs[position]
        assert tensor is not None
        if not _fits(tensor, output):
            return "an epilogue operand that is not dense"
    for node in form.epilogue():
        reason = refusal(node.op.name, [body.shape(ref).dtype for ref in node.refs] + [node.shape.dtype])
        if reason is not None:
            return reason
    return replace(form, extra=extra)


def _fits(tensor: Tensor, output: Tensor) -> bool:
    """A scalar, an element for each channel, or a whole tensor laid out like the result."""
    if not tensor.is_dense:
        return False
    return all(map(is_one, tensor.dims)) or _is_per_channel(tensor, output) or tensor.dims == output.dims


def _is_per_channel(tensor: Tensor, output: Tensor) -> bool:
    axis = len(tensor.dims) - len(output.dims) + 1
    return axis >= 0 and all(size == output.dims[1] if place == axis else is_one(size) for place, size in enumerate(tensor.dims))


def finish_of(code: KernelCode, form: ConvForm) -> Finish | None:
    """The epilogue in a kernel whose last tensors are its operands and the result; None where sums are stored as they are."""
    if form.body is None:
        return None
    first = len(code.tensors) - 1 - len(form.extra)
    return _ChannelEpilogue(code, form, {ref: first + number for number, ref in enumerate(form.extra)})


class _ChannelEpilogue:
    """Evaluates the body's elementwise nodes on a vector of sums."""

    def __init__(self, code: KernelCode, form: ConvForm, places: Mapping[Ref, int]) -> None:
        self.code, self.form, self.places = code, form, places

    def __call__(self, sums: Value, channel: Value, place: Value, count: Operand) -> Value:
        body, product, k = self.form.body, self.form.product, self.code.code
        assert body is not None and product is not None
        known, lanes = {product.ref: sums}, sums.type.lanes
        for node in body.nodes:
            if node.ref in self.places:
                known[node.ref] = self._load(self.places[node.ref], lanes, channel, place, count)
            elif node.op.is_constant:
                number = node.op["value"].array.ravel()[0]
                value = float(number) if node.shape.dtype.is_float else int(number)
                known[node.ref] = k.constant(value, carried_type(node.shape.dtype).vector(lanes))
            elif node.op.definition.is_pointwise:
                operands, emit = [widened(k, known[ref]) for ref in node.refs], find_emit(node.op.name)
                assert emit is not None, node.op.name
                known[node.ref] = emit(k, operands, node.op.attrs, body.shape(node.refs[-1]).dtype)
        (result,) = body.output_refs.values()
        return known[result]

    def _load(self, index: int, lanes: int, channel: Value, place: Value, count: Operand) -> Value:
        k, tensor, base = self.code.code, self.code.tensors[index], self.code.pointer(index)
        output = self.code.tensors[-1]
        assert tensor is not None and output is not None
        kind = type_of(tensor.dtype.name)
        if all(map(is_one, tensor.dims)):
            return k.splat(widened(k, k.load(base, 0, kind)), lanes)
        if _is_per_channel(tensor, output):
            return k.splat(widened(k, k.load(base, channel, kind)), lanes)
        return widened(k, k.load_masked(base, place, count, kind.vector(lanes)))
