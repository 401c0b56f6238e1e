"""Windows along the axes of an image; and a convolution with the elementwise work after it: operands, and the work on a vector."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from rlx.backends.cpu.emit.kernel import KernelCode, Tensor
from rlx.backends.cpu.emit.values import Operand, Value, type_of
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.backends.cpu.kernels.region.elementwise import carried_type, find_emit, refusal, widened
from rlx.core.dim import Size
from rlx.core.shape import is_one
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import Op
from rlx.ir.pattern import op as pattern


@dataclass(frozen=True)
class WindowAxis:
    """One spatial axis of a convolution or pool: its size, its number of windows, and the positions of a window's taps."""

    size: Size
    outputs: Size
    kernel: int = 1
    stride: int = 1
    padding: int = 0
    dilation: int = 1

    @property
    def reach(self) -> int:
        """Elements from the first tap of a window to its last."""
        return (self.kernel - 1) * self.dilation + 1

    @property
    def is_plain(self) -> bool:
        """Whether each window of the axis is one element, in order."""
        return self.kernel == 1 and self.stride == 1 and self.padding == 0

    def span(self, outputs: int) -> int:
        """Elements covered by so many neighboring windows."""
        return (outputs - 1) * self.stride + self.reach

    def valid(self, code: KernelCode, start: Value, count: Value) -> tuple[Value, Value]:
        """Of `count` elements from `start`, which may be outside the axis, the range [first, last) inside it."""
        k = code.code
        first = k.minimum(k.maximum(-start, 0), count)
        last = k.maximum(k.minimum(count, index_of(code, self.size) - start), first)
        return first, last


def window_axes(op: Op, sizes: Sequence[Size], outputs: Sequence[Size]) -> tuple[WindowAxis, ...]:
    """The window axes of a convolution or pool, outermost first."""
    kernel, stride, padding = (op.attrs[name] for name in ("kernel_size", "stride", "padding"))
    dilation = op.attrs.get("dilation", (1,) * len(kernel))
    return tuple(WindowAxis(*each) for each in zip(sizes, outputs, kernel, stride, padding, dilation, strict=True))


def as_planes(axes: tuple[WindowAxis, ...]) -> tuple[WindowAxis, WindowAxis] | None:
    """One or two window axes as rows and columns; None for more."""
    if len(axes) == 1:
        return WindowAxis(1, 1), axes[0]
    return (axes[0], axes[1]) if len(axes) == 2 else None


def even_share(total: int, limit: int) -> int:
    """The largest share of `total`, at most `limit`, that makes all shares about equal."""
    limit = max(1, min(limit, total))
    return -(-total // -(-total // limit)) if total else 1


# -- a convolution and its epilogue --------------------------------------------------------------------------------
CONVOLUTION = pattern(("conv", "packed_conv"))

Finish: TypeAlias = Callable[[Value, Value, Value, Operand], Value]
"""`finish(sums, channel, element, count)`: from sums of one channel to what is stored from an element of the result on; `count` lanes
exist."""


@dataclass(frozen=True)
class ConvForm:
    """A convolution, by itself or in a fused node: its operand numbers, the fused body, and the operands its epilogue reads."""

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

    def epilogue_refs(self) -> set[Ref]:
        """The values that the epilogue reads."""
        return {ref for node in self.epilogue() for ref in node.refs}

    def operands(self, *first: int) -> tuple[int, ...]:
        """The operand numbers of a command: `first`, then the bias, then those of the epilogue."""
        return (*first, *(() if self.bias is None else (self.bias,)), *self.extra.values())

    def name(self, first: str) -> str:
        """The name of the convolution in a profile."""
        return "+".join([first, *(node.op.name for node in self.epilogue())])


def holds_convolution(op: Op) -> bool:
    """Whether a fused contraction starts with a convolution."""
    return any(CONVOLUTION.made_by(node) for node in op["body"].nodes)


def take_apart(op: Op, inputs: tuple[Tensor | None, ...], output: Tensor) -> ConvForm | str:
    """The `ConvForm` of a convolution by itself, or of one that starts a fused contraction."""
    if not op.is_fused:
        return ConvForm(op, 0, 1, 2 if len(inputs) > 2 and inputs[2] is not None else None)
    body: Graph = op["body"]
    convolutions = [node for node in body.nodes if CONVOLUTION.made_by(node)]
    if len(convolutions) != 1 or len(body.output_refs) != 1:
        return f"a contraction of {len(convolutions)} convolutions and {len(body.output_refs)} results"
    numbers = {leaf.ref: number for number, leaf in enumerate(body.inputs.values())}
    x, w, *bias = (numbers[ref] for ref in convolutions[0].refs)
    form = ConvForm(convolutions[0].op, x, w, bias[0] if bias else None, body, convolutions[0])
    read = form.epilogue_refs()
    form = replace(form, extra={ref: number for ref, number in numbers.items() if ref in read})
    return _refuse_epilogue(form, body, inputs, output) or form


def _refuse_epilogue(form: ConvForm, body: Graph, inputs: tuple[Tensor | None, ...], output: Tensor) -> str | None:
    """Why an epilogue cannot run on vectors of sums, or None: operands are scalars, one number per channel, or dense like the result."""
    for number in form.extra.values():
        tensor = inputs[number]
        assert tensor is not None
        is_known = all(map(is_one, tensor.dims)) or _is_per_channel(tensor, output) or tensor.dims == output.dims
        if not (tensor.is_dense and is_known):
            return "an epilogue operand that is not dense"
    reasons = (refusal(node.op.name, [body.shape(r).dtype for r in node.refs] + [node.shape.dtype]) for node in form.epilogue())
    return next((reason for reason in reasons if reason is not None), None)


def _is_per_channel(tensor: Tensor, output: Tensor) -> bool:
    axis = len(tensor.dims) - len(output.dims) + 1
    return axis >= 0 and all(size == output.dims[1] if index == axis else is_one(size) for index, size in enumerate(tensor.dims))


def finish_of(code: KernelCode, form: ConvForm) -> Finish | None:
    """The epilogue of a kernel whose last tensors are its operands and the result; None where sums are stored unchanged."""
    if form.body is None:
        return None
    first = len(code.tensors) - 1 - len(form.extra)
    return _ChannelEpilogue(code, form, {ref: first + number for number, ref in enumerate(form.extra)})


class _ChannelEpilogue:
    """Evaluates a convolution's epilogue on a vector of sums."""

    def __init__(self, code: KernelCode, form: ConvForm, numbers: Mapping[Ref, int]) -> None:
        self.code, self.form, self.numbers = code, form, numbers

    def __call__(self, sums: Value, channel: Value, element: Value, count: Operand) -> Value:
        body, product, k = self.form.body, self.form.product, self.code.code
        assert body is not None and product is not None
        known, lanes = {product.ref: sums}, sums.type.lanes
        for node in body.nodes:
            if node.ref in self.numbers:
                known[node.ref] = self._load(self.numbers[node.ref], lanes, channel, element, count)
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

    def _load(self, index: int, lanes: int, channel: Value, element: Value, count: Operand) -> Value:
        k, tensor, base = self.code.code, self.code.tensors[index], self.code.pointer(index)
        output = self.code.tensors[-1]
        assert tensor is not None and output is not None
        kind = type_of(tensor.dtype.name)
        if all(map(is_one, tensor.dims)):
            return k.splat(widened(k, k.load(base, 0, kind)), lanes)
        if _is_per_channel(tensor, output):
            return k.splat(widened(k, k.load(base, channel, kind)), lanes)
        return widened(k, k.load_masked(base, element, count, kind.vector(lanes)))
