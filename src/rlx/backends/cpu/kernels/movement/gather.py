"""Elements selected by integer indices: gather, take_along_axis, dynamic_slice, dynamic_update_slice.

One rule for positions: a negative index counts from the end, once; if it is still outside it is clamped (`clip`), or reads
as NaN or 0 (`fill`); with `check_bounds` it is reported, and the run raises an error. Starts of dynamic slices are clamped so
that the window fits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.types import I64, Type, type_of
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.movement.runs import (
    Elements,
    copy_run,
    copy_strided,
    fill_run,
    index_of,
    merged,
    offset_of,
    repeated,
    shares,
    unit_count,
    walk_runs,
)
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, product, proves_at_most
from rlx.core.dtype import DType
from rlx.ir.graph import dense_strides
from rlx.ir.op import Op

OUT_OF_BOUNDS = 508
"""The number reported for an index outside its axis: error RLX508."""


def load_integer(code: KernelCode, base: Value, index: Value, dtype: DType) -> Value:
    """An integer operand's element as an i64; a larger u64 saturates."""
    k = code.code
    loaded = k.load(base, index, type_of(dtype.name))
    if dtype.name == "u64":
        return k.unsigned_minimum(loaded, (1 << 63) - 1)
    return k.convert(loaded, I64, signed=dtype.category == "int")


def read_position(code: KernelCode, base: Value, index: Value, dtype: DType, size: Size) -> tuple[Value, Value]:
    """The position of an index, clamped into the axis, and whether it was outside."""
    k, length = code.code, index_of(code, size)
    wanted = load_integer(code, base, index, dtype)
    counted = k.select(wanted < 0, wanted + length, wanted)
    return k.maximum(k.minimum(counted, length - 1), 0), counted.uge(length)


@dataclass(frozen=True)
class GatherSource:
    """Where the elements of a result come from: position p of the result reads x at `p · x_strides` plus the stride of
    the indexed axis times the index at `p · index_strides`."""

    kind: Type
    dims: tuple[Size, ...]
    x_strides: tuple[Size, ...]
    axis_stride: Size
    axis_size: Size
    index_dtype: DType
    index_strides: tuple[Size, ...]
    fill: int | None  # the bits an index outside reads; None: it is clamped
    check: bool
    clamps: bool = False  # filled only because the axis may be empty

    def position(self, code: KernelCode, index: Value) -> tuple[Value, Value]:
        """The position of an index, and whether it is outside; reports that if the op checks."""
        position, outside = read_position(code, code.pointer(1), index, self.index_dtype, self.axis_size)
        if self.check:
            with code.code.when(outside):
                code.fail(OUT_OF_BOUNDS)
        return position, index_of(code, self.axis_size) < 1 if self.clamps else outside


def _fill_bits(op: Op, dtype: DType, size: Size) -> int | None:
    """NaN for floats, in both parts for complex numbers, else 0; None if indices are clamped. An axis that may be empty is filled."""
    if op.attrs["mode"] != "fill" and proves_at_most(1, size):
        return None
    single = 0x7FC00000
    bits = {"f64": 0x7FF8 << 48, "f32": single, "f16": 0x7E00, "bf16": 0x7FC0, "f8e4m3": 0x7F, "f8e5m2": 0x7E}
    return bits.get(dtype.name, single if dtype.name == "c64" else 0)


def _emit_rows(code: KernelCode, choice: GatherSource) -> None:
    """The last axis of the result is one of x: copied in runs, one index for each."""
    k, kind = code.code, choice.kind
    first, last = shares(code, product(choice.dims), kind.size)
    strides = dense_strides(choice.dims)
    for positions, column, count in walk_runs(code, choice.dims, first, last):
        position, outside = choice.position(code, offset_of(code, positions, choice.index_strides[:-1]))
        target = k.pointer(code.pointer(2), offset_of(code, [*positions, column], strides), kind)
        start = offset_of(code, [*positions, column], choice.x_strides) + position * code.size(choice.axis_stride)
        source = k.pointer(code.pointer(0), start, kind)
        if choice.fill is None:
            copy_run(code, kind, target, source, choice.x_strides[-1], count)
            continue
        with k.when(outside):
            fill_run(code, target, k.constant(choice.fill, kind), count)
        with k.otherwise():
            copy_run(code, kind, target, source, choice.x_strides[-1], count)


def _emit_elements(code: KernelCode, choice: GatherSource) -> None:
    """An index for each element."""
    k, kind, x = code.code, choice.kind, code.pointer(0)
    first, last = shares(code, product(choice.dims), kind.size)
    strides = dense_strides(choice.dims)
    for positions, column, count in walk_runs(code, choice.dims, first, last):
        places = [*positions, column]
        target = k.pointer(code.pointer(2), offset_of(code, places, strides), kind)
        base, index = (offset_of(code, places, own) for own in (choice.x_strides, choice.index_strides))
        for at in k.range(count):
            position, outside = choice.position(code, index + at * code.size(choice.index_strides[-1]))
            source = base + at * code.size(choice.x_strides[-1]) + position * code.size(choice.axis_stride)
            if choice.fill is None:
                k.store(k.load(x, source, kind), target, at)
                continue
            with k.when(outside):
                k.store(choice.fill, target, at, kind)
            with k.otherwise():
                k.store(k.load(x, source, kind), target, at)


def lower_gather(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Any axis, any rank and integer dtype of the indices, any views."""
    x, indices = inputs
    assert x is not None and indices is not None
    if x.dtype.size == 16:
        return f"gather of {x.dtype}"
    axis, rank = op.attrs["axis"], len(indices.dims)
    inner_dims: tuple[Size, ...] = ()
    inner_strides: tuple[Size, ...] = ()
    if axis < len(x.dims) - 1:
        inner_dims, (inner_strides,) = merged(x.dims[axis + 1 :], x.strides[axis + 1 :])
    dims = (*x.dims[:axis], *indices.dims, *inner_dims)
    choice = GatherSource(
        Elements.of(x).kind,
        dims or (1,),
        (*x.strides[:axis], *(0,) * rank, *inner_strides) or (0,),
        x.strides[axis],
        x.dims[axis],
        indices.dtype,
        (*(0,) * axis, *indices.strides, *(0,) * len(inner_dims)) or (0,),
        _fill_bits(op, x.dtype, x.dims[axis]),
        op.attrs["check_bounds"],
        op.attrs["mode"] != "fill",
    )
    return _chosen("gather", choice, _emit_rows if inner_dims else _emit_elements)


def lower_take_along_axis(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Any axis; the other axes of x and the indices broadcast."""
    x, indices = inputs
    assert x is not None and indices is not None
    if x.dtype.size == 16:
        return f"take_along_axis of {x.dtype}"
    axis, dims = op.attrs["axis"], outputs[0].dims
    own = [0 if a == axis else stride for a, stride in enumerate(repeated(x.dims, x.strides))]
    choice = GatherSource(
        Elements.of(x).kind,
        dims,
        tuple(own),
        x.strides[axis],
        x.dims[axis],
        indices.dtype,
        repeated(indices.dims, indices.strides),
        _fill_bits(op, x.dtype, x.dims[axis]),
        op.attrs["check_bounds"],
        op.attrs["mode"] != "fill",
    )
    return _chosen("take_along_axis", choice, _emit_elements)


def _chosen(name: str, choice: GatherSource, emit: Callable[[KernelCode, GatherSource], None]) -> Lowering:
    units = unit_count(product(choice.dims), choice.kind.size)
    return Lowering((Stage(name, (name, choice), (0, 1, 2), units, lambda code: emit(code, choice)),))


# -- windows that move ------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Window:
    """A window of a strided tensor whose starts are read at run time, as scalars or one for each row of axis 0."""

    whole: Elements
    dims: tuple[Size, ...]  # of the window
    starts: tuple[tuple[int, DType, Size | None, int], ...]  # (stage operand, dtype, stride or None for a scalar, axis)

    def offset(self, code: KernelCode, row: Value | None) -> Value:
        """Where the window starts; `row` is the position on axis 0."""
        k, total = code.code, index_of(code, 0)
        for operand, dtype, stride, axis in self.starts:
            place = index_of(code, 0) if stride is None or row is None else row * code.size(stride)
            wanted = load_integer(code, code.pointer(operand), place, dtype)
            most = index_of(code, self.whole.dims[axis]) - code.size(self.dims[axis])
            total = total + k.minimum(k.maximum(wanted, 0), most) * code.size(self.whole.strides[axis])
        return total

    @property
    def by_row(self) -> bool:
        """Whether each row of axis 0 has its own start."""
        return any(stride is not None for _, _, stride, _ in self.starts)


def _emit_window(code: KernelCode, window: Window, other: Elements, whole: int, part: int, *, write: bool) -> None:
    """Copy the window out of the whole tensor, or into it."""
    k, kind = code.code, window.whole.kind
    first, last = shares(code, product(window.dims), kind.size)
    axis = 1 if window.by_row else 0  # starts by row: axis 0 stays separate
    dims, (inside, outside) = merged(window.dims[axis:], window.whole.strides[axis:], other.strides[axis:])
    dims = (*window.dims[:axis], *dims)
    inside, outside = (*window.whole.strides[:axis], *inside), (*other.strides[:axis], *outside)
    fixed = None if window.by_row else window.offset(code, None)
    for positions, column, count in walk_runs(code, dims, first, last):
        start = fixed if fixed is not None else window.offset(code, positions[0])
        places = [*positions, column]
        there = k.pointer(code.pointer(whole), offset_of(code, places, inside) + start, kind)
        here = k.pointer(code.pointer(part), offset_of(code, places, outside), kind)
        if write:
            copy_run(code, kind, there, here, outside[-1], count, inside[-1])
        else:
            copy_run(code, kind, here, there, inside[-1], count)


def _starts(op: Op, inputs: Sequence[Tensor | None], first: int) -> tuple[tuple[int, DType, Size | None, int], ...]:
    found = []
    for operand, axis in enumerate(op.attrs["axes"], first):
        tensor = inputs[operand]
        assert tensor is not None
        found.append((operand, tensor.dtype, tensor.strides[0] if tensor.dims else None, axis))
    return tuple(found)


def lower_dynamic_slice(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """The window of any view, made dense."""
    x = inputs[0]
    assert x is not None
    out = Elements.of(outputs[0])
    if not out.dims:
        return "dynamic_slice of a scalar"
    window = Window(Elements.of(x), out.dims, _starts(op, inputs, 1))
    emit = partial(_emit_window, window=window, other=out, whole=0, part=len(inputs), write=False)
    units = unit_count(product(out.dims), out.kind.size)
    return Lowering((Stage("dynamic_slice", window, tuple(range(len(inputs) + 1)), units, emit),))


def _emit_rest(code: KernelCode, x: Elements, out: Elements) -> None:
    """x into the result, unless they are the same memory."""
    k = code.code
    with k.when(code.pointer(0) != code.pointer(1)):
        copy_strided(code, 1, out, 0, x, k.begin, k.end)


def lower_dynamic_update_slice(
    op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target
) -> Lowering | str:
    """Copies x unless it shares memory with the result, then writes the update into its window."""
    x, update = inputs[0], inputs[1]
    assert x is not None and update is not None
    whole, out, part = Elements.of(x), Elements.of(outputs[0]), Elements.of(update)
    if not out.dims:
        return "dynamic_update_slice of a scalar"
    window = Window(out, part.dims, _starts(op, inputs, 2))
    last = len(inputs)
    rest = Stage(
        "update_rest",
        "update_rest",
        (0, last),
        unit_count(product(out.dims), out.kind.size),
        partial(_emit_rest, x=whole, out=out),
        idle_in_place=True,
    )
    write = Stage(
        "update_window",
        window,
        tuple(range(last + 1)),
        unit_count(product(part.dims), out.kind.size),
        partial(_emit_window, window=window, other=part, whole=last, part=1, write=True),
    )
    return Lowering((rest, write), in_place=((0, 0),) if x.is_dense else ())


LOWER: dict[str, Lower] = {
    "gather": lower_gather,
    "take_along_axis": lower_take_along_axis,
    "dynamic_slice": lower_dynamic_slice,
    "dynamic_update_slice": lower_dynamic_update_slice,
}
"""The ops of this file by name."""
