"""Contractions: a matrix product with its elementwise epilogue, from the graph to the product kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import Value, type_of
from rlx.backends.cpu.kernels.matmul.blocking import (
    blocking,
    multiplies_pairs,
    panel_width,
    runs_per_thread,
    side_by_side,
    units,
    wants_packing,
)
from rlx.backends.cpu.kernels.matmul.loops import ProductLoops
from rlx.backends.cpu.kernels.matmul.operands import scratch_bytes
from rlx.backends.cpu.kernels.matmul.pack import PackSpec, emit_packing, pack_units
from rlx.backends.cpu.kernels.matmul.paired import PairedProduct
from rlx.backends.cpu.kernels.matmul.spec import Epilogue, EpiloguePlace, MatMulSpec, SizeSlot
from rlx.backends.cpu.kernels.matmul.thin import ThinProduct
from rlx.backends.cpu.kernels.region.elementwise import carried_type, find_emit, refusal, widened
from rlx.backends.cpu.target import Target
from rlx.core.dim import Dim, Size, ceildiv, product
from rlx.core.shape import Shape, is_one
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import Op
from rlx.layouts.panels import Panels
from rlx.layouts.weight_layout import WeightLayout

_PRODUCTS = ("matmul", "packed_matmul", "packed_pair_matmul")
_TYPES = ("f32", "f64", "f16", "bf16", "i32", "i64", "u32", "u64", "i16", "u16", "i8", "u8")


@dataclass(frozen=True)
class _Form:
    """A fused contraction taken apart: the product, its operands, and the body whose other nodes are the epilogue."""

    op: Op
    left: int
    right: int
    body: Graph | None = None
    product: Node | None = None

    @property
    def kind(self) -> str:
        """The kind of product the contraction starts with."""
        return self.op.name

    @property
    def layout(self) -> WeightLayout | None:
        """The layout of a packed right operand."""
        return self.op.attrs.get("layout")

    def epilogue(self) -> list[Node]:
        """The elementwise nodes after the product."""
        return [] if self.body is None else [node for node in self.body.nodes if node.op.definition.is_pointwise]

    def extra(self) -> dict[Ref, int]:
        """The operands the epilogue reads: body value -> position. The product's own operands may be among them."""
        if self.body is None:
            return {}
        read = {ref for node in self.epilogue() for ref in node.refs}
        return {leaf.ref: position for position, leaf in enumerate(self.body.inputs.values()) if leaf.ref in read}


def _take_apart(op: Op) -> _Form | str:
    if op.name in ("matmul", "packed_matmul"):
        return _Form(op, 0, 1)
    if not op.is_fused:
        return "a pair product outside a fused contraction"
    body: Graph = op["body"]
    products = [node for node in body.nodes if node.op.name in _PRODUCTS]
    if len(products) != 1 or len(body.output_refs) != 1:
        return f"a contraction of {len(products)} products and {len(body.output_refs)} results"
    (node,) = products
    leaves = {leaf.ref: position for position, leaf in enumerate(body.inputs.values())}
    return _Form(node.op, leaves[node.refs[0]], leaves[node.refs[1]], body, node)


def lower_contraction(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower matmul, packed_matmul, packed_pair_matmul, and fused contractions that start with them."""
    tensors, output = [tensor for tensor in inputs if tensor is not None], outputs[0]
    form = _take_apart(op)
    if isinstance(form, str):
        return form
    left, right = tensors[form.left], tensors[form.right]
    refusal = _refuse_operands(form, left, right, target)
    if refusal is not None:
        return refusal
    shape = _Shape.of(form.kind, left, right, output)
    if isinstance(shape, str):
        return shape
    refusal = _refuse_epilogue(form, tensors, output)
    if refusal is not None:
        return refusal
    steps = form.layout.steps if isinstance(form.layout, Panels) else 1
    contraction = _Contraction(form, replace(shape, b_steps=steps, in_order=target.batch_invariant), tensors, output)
    operands = tuple(range(len(tensors) + 1))
    if not contraction.packs_right(target):
        return Lowering((contraction.stage(op, operands, target),))
    panels, packing = _pack_operand(contraction.shape, right, target, (form.right, len(operands)))
    operands = tuple(len(operands) if position == form.right else position for position in operands)
    steps = side_by_side(right.dtype.name, shape.k, target)
    packed = replace(contraction, shape=replace(contraction.shape, b_form="panels", b_row=None, b_steps=steps), packs=True)
    return Lowering((packing, packed.stage(op, operands, target)), (panels,))


def _refuse_operands(form: _Form, left: Tensor, right: Tensor, target: Target) -> str | None:
    """Why these operands have no product kernel: their types, or a layout that is not the CPU's; None if they have one."""
    if left.dtype.name not in _TYPES or right.dtype.name not in _TYPES:
        return f"a product of {left.dtype} and {right.dtype}"
    if form.kind == "matmul":
        return None if left.dtype is right.dtype else f"a product of {left.dtype} and {right.dtype}"
    fits = (
        isinstance(form.layout, Panels)
        and _steps_fit(form.layout, right, target)
        and len(right.dims) == 3
        and len(left.dims) >= 2
        and right.dims[-1] == panel_width(target, right.dtype.name)
    )
    return None if fits else f"panels {right.shape} for {left.shape}"


def _refuse_epilogue(form: _Form, tensors: Sequence[Tensor], output: Tensor) -> str | None:
    """Why the epilogue cannot run on the accumulators in registers; None if it can."""
    reasons = [_refuse_extra(tensors[position], output) for position in form.extra().values()]
    if form.body is not None:
        for node in form.epilogue():
            reasons.append(refusal(node.op.name, [form.body.shape(ref).dtype for ref in node.refs] + [node.shape.dtype]))
    return next((reason for reason in reasons if reason is not None), None)


@dataclass(frozen=True)
class _Contraction:
    """A contraction with its sizes and tensors; `packs`: a command before it packs the right operand."""

    form: _Form
    shape: _Shape
    tensors: Sequence[Tensor]
    output: Tensor
    packs: bool = False

    def packs_right(self, target: Target) -> bool:
        """Whether a command packs the right operand before: it is one matrix, not a weight, and the epilogue does not read it."""
        form = self.form
        if form.kind != "matmul" or not self.shape.is_static_matrix or form.right in form.extra().values():
            return False
        return wants_packing(self.spec(_static_or_slot), target)

    def stage(self, op: Op, operands: tuple[int, ...], target: Target) -> Stage:
        """The command that multiplies."""
        spec, shape = self.spec(_static_or_slot), self.shape
        total = units(spec, target, m=shape.m, n=shape.n, batch=product(shape.batch))
        name, key = "+".join(["matmul", *(node.op.name for node in self.form.epilogue())]), ("contraction", op, self.packs)
        return Stage(name, key, operands, total, self.emit, scratch_bytes(spec, target), runs=runs_per_thread(spec, target))

    def emit(self, code: KernelCode) -> None:
        """Emit the product and its epilogue."""
        spec = self.spec(lambda size: size if isinstance(size, int) else SizeSlot(code.entry(size)), code)
        matmul_into(code.code, spec, None if self.form.body is None else _Epilogue(code, self))

    def spec(self, size: Callable[[Size], int | SizeSlot], code: KernelCode | None = None) -> MatMulSpec:
        """The `MatMulSpec` of the product, with sizes through `size`."""
        shape, left, right = self.shape, self.tensors[self.form.left], self.tensors[self.form.right]
        c_batch: list[Size] = []
        step = shape.m * shape.n
        for extent in reversed(shape.batch):
            c_batch.insert(0, step)
            step = step * extent
        return MatMulSpec(
            size(shape.m),
            size(shape.n),
            size(shape.k),
            left.dtype.name,
            right.dtype.name,
            self.output.dtype.name,
            a_row=size(shape.a_row),
            a_inner=size(shape.a_inner),
            b_form=shape.b_form,
            b_steps=shape.b_steps,
            b_row=None if shape.b_row is None else size(shape.b_row),
            c_row=size(shape.n),
            batch=tuple(map(size, shape.batch)),
            a_batch=tuple(map(size, shape.a_batch)),
            b_batch=tuple(map(size, shape.b_batch)),
            c_batch=tuple(map(size, c_batch)),
            pair=self.form.kind == "packed_pair_matmul",
            in_order=shape.in_order,
            a=code.address(self.form.left) if code else 0,
            b=code.address(self.form.right) if code else 1,
            c=code.address(len(self.tensors)) if code else 2,
        )


def _steps_fit(panels: Panels, right: Tensor, target: Target) -> bool:
    """Whether the kernel can read so many interleaved steps of k: one always, two of bf16 where the target has the instructions."""
    return panels.steps == 1 or side_by_side(right.dtype.name, right.dims[-2], target) == panels.steps


def _static_or_slot(size: Size) -> int | SizeSlot:
    """A size for planning only: a symbolic one is a slot of any index."""
    return size if isinstance(size, int) else SizeSlot(0)


def _pack_operand(shape: _Shape, right: Tensor, target: Target, operands: tuple[int, int]) -> tuple[Tensor, Stage]:
    """The command that packs a right operand that is not a weight into panels, in each run."""
    dtype = right.dtype.name
    steps = side_by_side(dtype, shape.k, target)
    spec = PackSpec(shape.n, shape.k, shape.b_form, shape.b_row, dtype, dtype, dtype, steps=steps, panels=1)  # type: ignore[arg-type]
    width = panel_width(target, right.dtype.name)
    panels = Tensor.dense(Shape((ceildiv(shape.n, width), shape.k, width), right.dtype))
    return panels, Stage("pack", ("pack", shape), operands, pack_units(spec, target), partial(emit_packing, spec=spec))


@dataclass(frozen=True)
class _Shape:
    """The product's sizes, with leading axes of A folded into its rows where their strides allow."""

    m: Size
    n: Size
    k: Size
    a_row: Size
    a_inner: Size
    b_form: Literal["panels", "rows", "columns"]
    b_row: Size | None
    batch: tuple[Size, ...]
    a_batch: tuple[Size, ...]
    b_batch: tuple[Size, ...]
    b_steps: int = 1
    in_order: bool = False

    @property
    def is_static_matrix(self) -> bool:
        """Whether B is one matrix of static size."""
        sizes = (self.n, self.k, self.b_row)
        return all(isinstance(stride, int) and stride == 0 for stride in self.b_batch) and not any(
            isinstance(size, Dim) for size in sizes
        )

    @staticmethod
    def of(kind: str, left: Tensor, right: Tensor, output: Tensor) -> _Shape | str:
        a_dims, a_strides = _matrix(left, leading=True)
        m, k, a_row, a_inner = a_dims[-2], a_dims[-1], a_strides[-2], a_strides[-1]
        if kind != "matmul":
            return _Shape._rows(a_dims, a_strides, output.dims[-1], "panels", None)
        b_dims, b_strides = _matrix(right, leading=False)
        n = b_dims[-1]
        b_form: Literal["rows", "columns"]
        if b_strides[-1] == 1 or is_one(n):
            b_form, b_row = "rows", b_strides[-2]
        elif b_strides[-2] == 1 or is_one(k):
            b_form, b_row = "columns", b_strides[-1]
        else:
            return "the right operand has no axis of stride 1"
        if len(b_dims) == 2:
            return _Shape._rows(a_dims, a_strides, n, b_form, b_row)
        rank = max(len(a_dims), len(b_dims)) - 2
        out = output.dims[:rank]
        a_batch = _batch_strides(a_dims[:-2], a_strides[:-2], out)
        b_batch = _batch_strides(b_dims[:-2], b_strides[:-2], out)
        return _Shape(m, n, k, a_row, a_inner, b_form, b_row, out, a_batch, b_batch)

    @staticmethod
    def _rows(
        dims: tuple[Size, ...], strides: tuple[Size, ...], n: Size, b_form: Literal["panels", "rows", "columns"], b_row: Size | None
    ) -> _Shape:
        """The shape where B is one matrix: leading axes of A fold into rows as far as strides allow, the others are batches."""
        m, row = dims[-2], strides[-2]
        first = len(dims) - 2
        while first > 0 and (is_one(dims[first - 1]) or is_one(m) or strides[first - 1] == row * m):
            if is_one(m) and not is_one(dims[first - 1]):
                row = strides[first - 1]
            m = m * dims[first - 1]
            first -= 1
        batch = dims[:first]
        return _Shape(m, n, dims[-1], row, strides[-1], b_form, b_row, batch, strides[:first], (0,) * first)


def _matrix(tensor: Tensor, leading: bool) -> tuple[tuple[Size, ...], tuple[Size, ...]]:
    """Dims and strides of at least rank 2: a vector is a row on the left, a column on the right."""
    if len(tensor.dims) > 1:
        return tensor.dims, tensor.strides
    (size,), (stride,) = tensor.dims, tensor.strides
    return ((1, size), (0, stride)) if leading else ((size, 1), (stride, 1))


def _batch_strides(dims: tuple[Size, ...], strides: tuple[Size, ...], out: tuple[Size, ...]) -> tuple[Size, ...]:
    missing = len(out) - len(dims)
    return (0,) * missing + tuple(0 if is_one(size) else stride for size, stride in zip(dims, strides, strict=True))


# -- epilogue ---------------------------------------------------------------------------------------------------
def _refuse_extra(tensor: Tensor, output: Tensor) -> str | None:
    """Why an epilogue operand is refused, or None: it must be a scalar, a row, or a full tensor laid out like the result."""
    if all(is_one(size) for size in tensor.dims):
        return None
    if all(is_one(size) for size in tensor.dims[:-1]) and tensor.dims[-1:] == output.dims[-1:]:
        return None if tensor.strides[-1] == 1 else "an epilogue row with gaps"
    return None if tensor.dims == output.dims and tensor.is_dense else "an epilogue operand that is not dense"


class _Epilogue:
    """Evaluates a contraction's epilogue on the accumulators of one row of a panel."""

    def __init__(self, code: KernelCode, contraction: _Contraction) -> None:
        self.code, self.form, self.shape, self.tensors = code, contraction.form, contraction.shape, contraction.tensors
        self.extra = self.form.extra()

    def __call__(self, k: Function, values: list[Value], place: EpiloguePlace) -> list[Value]:
        form = self.form
        assert form.body is not None and form.product is not None
        if form.kind == "packed_pair_matmul":
            known = dict(zip(form.product.outputs, values, strict=True))
            return [self._vector(k, known, place, 0)]
        return [self._vector(k, {form.product.ref: value}, place, index) for index, value in enumerate(values)]

    def _vector(self, k: Function, known: dict[Ref, Value], place: EpiloguePlace, index: int) -> Value:
        body = self.form.body
        assert body is not None
        lanes = next(iter(known.values())).type.lanes
        for node in body.nodes:
            if node.ref in known or node.op.name == self.form.kind:
                continue
            if node.op.is_input:
                position = self.extra.get(node.ref)
                if position is not None:
                    known[node.ref] = self._load(k, position, place, index, lanes)
            elif node.op.is_constant:
                known[node.ref] = _immediate(k, node, lanes)
            else:
                operands, emit = [widened(k, known[ref]) for ref in node.refs], find_emit(node.op.name)
                assert emit is not None, node.op.name
                known[node.ref] = emit(k, operands, node.op.attrs, body.shape(node.refs[-1]).dtype)
        (result,) = body.output_refs.values()
        return known[result]

    def _load(self, k: Function, position: int, place: EpiloguePlace, index: int, lanes: int) -> Value:
        tensor, base = self.tensors[position], self.code.pointer(position)
        kind = type_of(tensor.dtype.name)
        if all(is_one(size) for size in tensor.dims):
            return k.splat(widened(k, k.load(base, 0, kind)), lanes)
        if all(is_one(size) for size in tensor.dims[:-1]):
            return widened(k, place.load(k, base, place.column, kind.vector(lanes), index))
        n, m = self.code.size(self.shape.n), self.code.size(self.shape.m)
        row = place.row if not self.shape.batch else place.batch * m + place.row
        return widened(k, place.load(k, base, row * n + place.column, kind.vector(lanes), index))


def _immediate(k: Function, node: Node, lanes: int) -> Value:
    """A scalar constant in the type that its dtype has in registers."""
    number = node.op["value"].array.ravel()[0]
    return k.constant(float(number) if node.shape.dtype.is_float else int(number), carried_type(node.shape.dtype).vector(lanes))


# -- packing ----------------------------------------------------------------------------------------------------
def lower_pack(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `pack`: a weight, the weights of experts, or a gate/up pair of weights, into panels."""
    sources = [tensor for tensor in inputs if tensor is not None]
    source, panels = sources[0], op["layout"]
    if (
        not isinstance(panels, Panels)
        or source.dtype.is_complex
        or panels.width != panel_width(target, source.dtype.name)
        or not _steps_fit(panels, source, target)
        or len(source.dims) not in (2, 3)
        or any(other.strides != source.strides for other in sources)
    ):
        return f"{source.dtype} as {op['layout']}"
    *batch, depth, columns = source.dims
    *apart, along_k, along_n = source.strides
    if along_n == 1:
        form, row = "rows", along_k
    elif along_k == 1:
        form, row = "columns", along_n
    else:
        return "a weight with no axis of stride 1"
    if any(isinstance(size, Dim) for size in (*batch, *apart, depth, columns, row)):
        return "a weight of symbolic size"
    dtype = source.dtype.name
    apart_by = apart[0] if apart else 0
    layout = (columns, depth, form, row, dtype, dtype, dtype, product(batch), apart_by, len(sources) > 1)
    spec = PackSpec(*layout, steps=panels.steps, panels=len(sources))  # type: ignore[arg-type]
    operands, emit = tuple(range(len(sources) + 1)), partial(emit_packing, spec=spec)
    return Lowering((Stage("pack", ("pack", op), operands, pack_units(spec, target), emit),))


# -- the kernel of one product
def matmul(module: Module, name: str, spec: MatMulSpec, epilogue: Epilogue | None = None) -> Function:
    """Build a new kernel for one product."""
    k = module.kernel(name)
    matmul_into(k, spec, epilogue)
    return k


def matmul_into(k: Function, spec: MatMulSpec, epilogue: Epilogue | None = None) -> None:
    """Emit the units [begin, end) of a product into a kernel."""
    emitter = ThinProduct if spec.is_thin else PairedProduct if multiplies_pairs(spec, k.target) else ProductLoops
    emitter(k, spec, blocking(spec, k.target), epilogue).units(k.begin, k.end)
