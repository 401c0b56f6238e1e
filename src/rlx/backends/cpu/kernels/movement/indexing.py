"""Elements read and written by integer indices: gather, take_along_axis, dynamic slices; scatter, scatter_add, gather_backward.

One rule for positions: a negative index counts from the end, once; if it is still outside it is clamped (`clip`), or reads
as NaN or 0 (`fill`); with `check_bounds` it is reported, and the run raises an error. Starts of dynamic slices are clamped so
that the window fits.

**Scatter.** A unit owns some columns of the result, all positions of the indexed axis, and processes every index in order: updates
of the same position are combined in index order, whatever the number of threads. Sums and products of 16-bit floats are accumulated in
a separate f32 buffer and rounded once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import F32, I64, Type, Value, type_of
from rlx.backends.cpu.kernels.movement.runs import (
    Elements,
    broadcast_strides,
    copy_elements,
    copy_run,
    each_run,
    fill_run,
    index_of,
    merge_axes,
    offset_of,
    shares,
    unit_count,
    unravel,
    walk_runs,
)
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, product, proves_at_most
from rlx.core.dtype import DType
from rlx.ir.graph import dense_strides
from rlx.ir.op import Op

OUT_OF_BOUNDS = 508
"""The number reported for an index outside its axis: error RLX508."""


def load_integer(code: KernelCode, base: Value, index: Value, dtype: DType) -> Value:
    """Load an element of an integer operand as an i64; a larger u64 saturates."""
    k = code.code
    loaded = k.load(base, index, type_of(dtype.name))
    if dtype.name == "u64":
        return k.unsigned_minimum(loaded, (1 << 63) - 1)
    return k.convert(loaded, I64, signed=dtype.category == "int")


def read_position(code: KernelCode, base: Value, index: Value, dtype: DType, size: Size) -> tuple[Value, Value]:
    """Load an index as a position clamped into the axis, and whether it was outside."""
    k, length = code.code, index_of(code, size)
    position = load_integer(code, base, index, dtype)
    counted = k.select(position < 0, position + length, position)
    return k.maximum(k.minimum(counted, length - 1), 0), counted.uge(length)


@dataclass(frozen=True)
class GatherSource:
    """The operands of a gather: position p of the result reads x at `p · x_strides` plus the stride of the indexed axis times
    the index at `p · index_strides`."""

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
        """The position of an index, and whether it is outside the axis; reports that if the op checks."""
        position, outside = read_position(code, code.pointer(1), index, self.index_dtype, self.axis_size)
        if self.check:
            with code.code.when(outside):
                code.fail(OUT_OF_BOUNDS)
        return position, index_of(code, self.axis_size) < 1 if self.clamps else outside


def _fill_bits(op: Op, dtype: DType, size: Size) -> int | None:
    """A gather's fill value: NaN for floats and both parts of complex numbers, else 0; None if indices clamp in a non-empty axis."""
    if op.attrs["mode"] != "fill" and proves_at_most(1, size):
        return None
    single = 0x7FC00000
    bits = {"f64": 0x7FF8 << 48, "f32": single, "f16": 0x7E00, "bf16": 0x7FC0, "f8e4m3": 0x7F, "f8e5m2": 0x7E}
    return bits.get(dtype.name, single if dtype.name == "c64" else 0)


def _emit_rows(code: KernelCode, source: GatherSource) -> None:
    """Emit a gather whose last axis is one of x: copied in runs, one index for each."""
    k, kind = code.code, source.kind
    for indices, count in each_run(code, source.dims, kind.size):
        position, outside = source.position(code, offset_of(code, indices[:-1], source.index_strides[:-1]))
        target = k.pointer(code.pointer(2), offset_of(code, indices, dense_strides(source.dims)), kind)
        start = offset_of(code, indices, source.x_strides) + position * code.size(source.axis_stride)
        origin = k.pointer(code.pointer(0), start, kind)
        if source.fill is None:
            copy_run(code, kind, target, origin, source.x_strides[-1], count)
            continue
        with k.when(outside):
            fill_run(code, target, k.constant(source.fill, kind), count)
        with k.otherwise():
            copy_run(code, kind, target, origin, source.x_strides[-1], count)


def _emit_elements(code: KernelCode, source: GatherSource) -> None:
    """Emit a gather with an index for each element."""
    k, kind, x = code.code, source.kind, code.pointer(0)
    for indices, count in each_run(code, source.dims, kind.size):
        target = k.pointer(code.pointer(2), offset_of(code, indices, dense_strides(source.dims)), kind)
        base, index = (offset_of(code, indices, own) for own in (source.x_strides, source.index_strides))
        for at in k.range(count):
            position, outside = source.position(code, index + at * code.size(source.index_strides[-1]))
            element = base + at * code.size(source.x_strides[-1]) + position * code.size(source.axis_stride)
            if source.fill is None:
                k.store(k.load(x, element, kind), target, at)
                continue
            with k.when(outside):
                k.store(source.fill, target, at, kind)
            with k.otherwise():
                k.store(k.load(x, element, kind), target, at)


def lower_gather(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `gather`: any axis, any rank and integer dtype of the indices, any views."""
    x, indices = inputs
    assert x is not None and indices is not None
    axis, rank = op.attrs["axis"], len(indices.dims)
    inner_dims: tuple[Size, ...] = ()
    inner_strides: tuple[Size, ...] = ()
    if axis < len(x.dims) - 1:
        inner_dims, (inner_strides,) = merge_axes(x.dims[axis + 1 :], x.strides[axis + 1 :])
    dims = (*x.dims[:axis], *indices.dims, *inner_dims)
    x_strides = (*x.strides[:axis], *(0,) * rank, *inner_strides) or (0,)
    index_strides = (*(0,) * axis, *indices.strides, *(0,) * len(inner_dims)) or (0,)
    return _gather_lowering(op, x, indices, (dims or (1,), x_strides, index_strides), _emit_rows if inner_dims else _emit_elements)


def lower_take_along_axis(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `take_along_axis`: any axis; the other axes of x and the indices broadcast."""
    x, indices = inputs
    assert x is not None and indices is not None
    x_strides = tuple(0 if axis == op["axis"] else stride for axis, stride in enumerate(broadcast_strides(x.dims, x.strides)))
    index_strides = broadcast_strides(indices.dims, indices.strides)
    return _gather_lowering(op, x, indices, (outputs[0].dims, x_strides, index_strides), _emit_elements)


def _gather_lowering(
    op: Op, x: Tensor, indices: Tensor, walk: tuple[tuple[Size, ...], ...], emit: Callable[[KernelCode, GatherSource], None]
) -> Lowering | str:
    """Build the lowering of a gather. `walk`: the dims of the result, and the strides of x and of the indices along them."""
    if x.dtype.size == 16:
        return f"{op.name} of {x.dtype}"
    axis, (dims, x_strides, index_strides) = op["axis"], walk
    source = GatherSource(
        Elements.of(x).kind,
        dims,
        x_strides,
        x.strides[axis],
        x.dims[axis],
        indices.dtype,
        index_strides,
        _fill_bits(op, x.dtype, x.dims[axis]),
        op["check_bounds"],
        op["mode"] != "fill",
    )
    units = unit_count(product(dims), source.kind.size)
    return Lowering((Stage(op.name, (op.name, source), (0, 1, 2), units, lambda code: emit(code, source)),))


# -- windows that move ------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Window:
    """A window of a strided tensor whose starts are read at run time, as scalars or one for each row of axis 0."""

    tensor: Elements
    dims: tuple[Size, ...]  # of the window
    starts: tuple[tuple[int, DType, Size | None, int], ...]  # (stage operand, dtype, stride or None for a scalar, axis)

    def offset(self, code: KernelCode, row: Value | None) -> Value:
        """The element offset at which the window starts; `row` is the position on axis 0."""
        k, total = code.code, index_of(code, 0)
        for operand, dtype, stride, axis in self.starts:
            at = index_of(code, 0) if stride is None or row is None else row * code.size(stride)
            start = load_integer(code, code.pointer(operand), at, dtype)
            last = index_of(code, self.tensor.dims[axis]) - code.size(self.dims[axis])
            total = total + k.minimum(k.maximum(start, 0), last) * code.size(self.tensor.strides[axis])
        return total

    @property
    def by_row(self) -> bool:
        """Whether each row of axis 0 has its own start."""
        return any(stride is not None for _, _, stride, _ in self.starts)


def _emit_window(code: KernelCode, window: Window, other: Elements, tensor: int, part: int, *, write: bool) -> None:
    """Emit a copy of the window out of the tensor, or into it; the other operand is as large as the window."""
    k, kind = code.code, window.tensor.kind
    first, last = shares(code, product(window.dims), kind.size)
    axis = 1 if window.by_row else 0  # starts by row: axis 0 stays separate
    dims, (inside, outside) = merge_axes(window.dims[axis:], window.tensor.strides[axis:], other.strides[axis:])
    dims = (*window.dims[:axis], *dims)
    inside, outside = (*window.tensor.strides[:axis], *inside), (*other.strides[:axis], *outside)
    fixed = None if window.by_row else window.offset(code, None)
    for positions, column, count in walk_runs(code, dims, first, last):
        start = fixed if fixed is not None else window.offset(code, positions[0])
        indices = [*positions, column]
        in_window = k.pointer(code.pointer(tensor), offset_of(code, indices, inside) + start, kind)
        of_part = k.pointer(code.pointer(part), offset_of(code, indices, outside), kind)
        if write:
            copy_run(code, kind, in_window, of_part, outside[-1], count, inside[-1])
        else:
            copy_run(code, kind, of_part, in_window, inside[-1], count)


def _starts(op: Op, inputs: Sequence[Tensor | None], first: int) -> tuple[tuple[int, DType, Size | None, int], ...]:
    starts = []
    for operand, axis in enumerate(op.attrs["axes"], first):
        tensor = inputs[operand]
        assert tensor is not None
        starts.append((operand, tensor.dtype, tensor.strides[0] if tensor.dims else None, axis))
    return tuple(starts)


def lower_dynamic_slice(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `dynamic_slice`: a dense copy of the window of any view."""
    x = inputs[0]
    assert x is not None
    out = Elements.of(outputs[0])
    if not out.dims:
        return "dynamic_slice of a scalar"
    window = Window(Elements.of(x), out.dims, _starts(op, inputs, 1))
    emit = partial(_emit_window, window=window, other=out, tensor=0, part=len(inputs), write=False)
    units = unit_count(product(out.dims), out.kind.size)
    return Lowering((Stage("dynamic_slice", window, tuple(range(len(inputs) + 1)), units, emit),))


def lower_dynamic_update_slice(
    op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target
) -> Lowering | str:
    """Lower `dynamic_update_slice`: copy x unless it shares memory with the result, then store the update into its window."""
    x, update = inputs[0], inputs[1]
    assert x is not None and update is not None
    source, out, part = Elements.of(x), Elements.of(outputs[0]), Elements.of(update)
    if not out.dims:
        return "dynamic_update_slice of a scalar"
    window = Window(out, part.dims, _starts(op, inputs, 2))

    def emit_rest(code: KernelCode) -> None:
        k = code.code
        with k.when(code.pointer(0) != code.pointer(1)):
            copy_elements(code, 1, out, 0, source, k.begin, k.end)

    last, units = len(inputs), [unit_count(product(dims), out.kind.size) for dims in (out.dims, part.dims)]
    rest = Stage("update_rest", "update_rest", (0, last), units[0], emit_rest, idle_in_place=True)
    write = partial(_emit_window, window=window, other=part, tensor=last, part=1, write=True)
    return Lowering(
        (rest, Stage("update_window", window, tuple(range(last + 1)), units[1], write)), in_place=((0, 0),) if x.is_dense else ()
    )


# -- writing by index ------------------------------------------------------------------------------------------------
_COLUMNS = 1024
"""Columns of the result a unit owns."""


def _numbers(tensor: Tensor, *, only_moved: bool) -> Elements:
    """A tensor as elements of a machine type, a complex one with an extra axis of two; as integers of the same size if `only_moved`."""
    if tensor.dtype.is_complex and not (only_moved and tensor.dtype.size == 8):
        part = type_of("f32" if tensor.dtype.name == "c64" else "f64")
        return Elements(part, (*tensor.dims, 2), (*(stride * 2 for stride in tensor.strides), 1))
    if only_moved or tensor.dtype.is_bool:
        return Elements.of(tensor)
    return Elements(type_of(tensor.dtype.name), tensor.dims, tensor.strides)


@dataclass(frozen=True)
class Scattering:
    """One scatter: the layouts of results, updates and indices, and how updates are combined."""

    mode: str
    drops: bool
    checks: bool
    unsigned: bool
    updates: Elements
    out: Elements
    axis: int
    index_dtype: DType
    index_dims: tuple[Size, ...]
    index_strides: tuple[Size, ...]

    @property
    def outer(self) -> tuple[Size, ...]:
        """The dims before the indexed axis."""
        return self.out.dims[: self.axis]

    @property
    def inner(self) -> tuple[Size, ...]:
        """The dims after the indexed axis."""
        return self.out.dims[self.axis + 1 :]

    def combine(self, k: Function, old: Value, new: Value) -> Value:
        """Combine two values in the accumulator type by the scatter's mode."""
        if self.mode == "add":
            return old + new
        if self.mode == "mul":
            return old * new
        if self.unsigned:
            return k.unsigned_maximum(old, new) if self.mode == "max" else k.unsigned_minimum(old, new)
        return k.maximum(old, new) if self.mode == "max" else k.minimum(old, new)


def _wide(kind: Type) -> Type:
    return F32 if kind.is_low_float else kind


# -- the initial value of a scatter ------------------------------------------------------------------------------------------
def _emit_start(code: KernelCode, x: Elements, out: Elements) -> None:
    """Copy x into the result, in its type, unless both are the same memory."""
    k = code.code
    with k.when(code.pointer(0) != code.pointer(1)):
        dims, (to, of) = merge_axes(out.dims, out.strides, x.strides)
        for indices, count in each_run(code, dims, out.kind.size):
            target = k.pointer(code.pointer(1), offset_of(code, indices, to), out.kind)
            source = k.pointer(code.pointer(0), offset_of(code, indices, of), x.kind)
            for at in k.range(count):
                value = k.load(source, at * code.size(of[-1]), x.kind)
                k.store(value if x.kind == out.kind else k.convert(value, out.kind), target, at * code.size(to[-1]))


def _emit_zeros(code: KernelCode, out: Elements) -> None:
    k = code.code
    first, last = shares(code, product(out.dims), out.kind.size)
    fill_run(code, k.pointer(code.pointer(0), first, out.kind), k.constant(0, out.kind), k.maximum(last - first, 0))


def _emit_rounding(code: KernelCode, sums: Elements, out: Elements) -> None:
    k = code.code
    first, last = shares(code, product(out.dims), out.kind.size)
    for at in k.range(first, last):
        k.store(k.convert(k.load(code.pointer(0), at, sums.kind), out.kind), code.pointer(1), at)


# -- the updates ------------------------------------------------------------------------------------------------
def _each_index(code: KernelCode, scattering: Scattering, strides: Sequence[Size], visit: Callable[[Value, Value], None]) -> None:
    """Call `visit(index offset, update offset)` for every index of a scatter, in order."""
    dims, (own, updates) = merge_axes(scattering.index_dims, scattering.index_strides, strides)

    def level(axis: int, at: Value, update: Value) -> None:
        if axis == len(dims):
            visit(at, update)
            return
        for position in code.code.range(index_of(code, dims[axis])):
            level(axis + 1, at + position * code.size(own[axis]), update + position * code.size(updates[axis]))

    level(0, index_of(code, 0), index_of(code, 0))


def _emit_updates(code: KernelCode, scattering: Scattering) -> None:
    """Emit the updates of a scatter. Tensors: indices, updates, result."""
    k, out, updates, axis = code.code, scattering.out, scattering.updates, scattering.axis
    rank = len(scattering.index_dims)
    behind = updates.strides[axis + rank :]
    inner, (to, of) = merge_axes(scattering.inner, out.strides[axis + 1 :], behind)
    columns = index_of(code, product(inner))
    blocks = index_of(code, ceildiv(product(inner), _COLUMNS))
    for unit in k.range(k.begin, k.end):
        first = unit.urem(blocks) * _COLUMNS
        last = k.minimum(first + _COLUMNS, columns)
        outer = unravel(code, unit.udiv(blocks), scattering.outer)
        base = offset_of(code, outer, out.strides[:axis])
        source = offset_of(code, outer, updates.strides[:axis])

        def visit(
            at: Value, update: Value, first: Value = first, last: Value = last, base: Value = base, source: Value = source
        ) -> None:
            position, outside = read_position(code, code.pointer(0), at, scattering.index_dtype, out.dims[axis])
            if scattering.checks:
                with k.when(outside):
                    code.fail(OUT_OF_BOUNDS)
            empty = index_of(code, out.dims[axis]) == 0
            with k.when(~(outside if scattering.drops else empty)):
                row = base + position * code.size(out.strides[axis])
                for positions, column, count in walk_runs(code, inner, first, last):
                    indices = [*positions, column]
                    target = k.pointer(code.pointer(2), row + offset_of(code, indices, to), out.kind)
                    new = k.pointer(code.pointer(1), source + update + offset_of(code, indices, of), updates.kind)
                    _combine_run(code, scattering, target, to[-1], new, of[-1], count)

        _each_index(code, scattering, updates.strides[axis : axis + rank], visit)


def _combine_run(
    code: KernelCode, scattering: Scattering, target: Value, step: Size, source: Value, stride: Size, count: Value
) -> None:
    k, kind, update_kind = code.code, scattering.out.kind, scattering.updates.kind
    done = k.index(0)

    def write(at: Value, to: Value, lanes: int) -> None:
        new = k.load(source, at, update_kind.vector(lanes))
        if scattering.mode == "set":
            k.store(new, target, to)
            return
        wide = _wide(kind)
        old = k.convert(k.load(target, to, kind.vector(lanes)), wide)
        k.store(k.convert(scattering.combine(k, old, k.convert(new, wide)), kind), target, to)

    if all(isinstance(size, int) and size == 1 for size in (step, stride)):
        lanes = code.target.vector_bytes // _wide(kind).size
        done = count // lanes * lanes
        for at in k.range(0, done, lanes):
            write(at, at, lanes)
    for at in k.range(done, count):
        write(at * code.size(stride), at * code.size(step), 0)


def _scatter_lowering(
    mode: str,
    op: Op,
    fills: bool,
    x: Tensor | None,
    indices: Tensor,
    updates: Tensor,
    out: Tensor,
    operands: tuple[int, int, int, int],
) -> Lowering | str:
    """The lowering of a scatter. `operands`: the numbers of x (-1: zeros), indices, updates and the result."""
    if not out.is_dense:
        return f"scatter into a {out.dtype} result with gaps"
    only_moved, axis = mode == "set", op.attrs.get("axis", 0)
    result, news = _numbers(out, only_moved=only_moved), _numbers(updates, only_moved=only_moved)
    has_sums = mode in ("add", "mul") and result.kind.is_low_float
    sums = Elements(F32, result.dims, dense_strides(result.dims)) if has_sums else result
    unsigned = updates.dtype.category in ("uint", "bool")
    scattering = Scattering(
        mode, fills, op["check_bounds"], unsigned, news, sums, axis, indices.dtype, indices.dims, indices.strides
    )
    start, at_indices, at_updates, target = operands
    total = target + 1 if has_sums else target
    size, blocks = unit_count(product(sums.dims), sums.kind.size), ceildiv(product(scattering.inner), _COLUMNS)
    if x is None:
        first = Stage("scatter_zeros", ("scatter_zeros", sums), (total,), size, partial(_emit_zeros, out=sums))
    else:
        own = _numbers(x, only_moved=only_moved)
        first = Stage("scatter_start", ("scatter_start", own, sums), (start, total), size, partial(_emit_start, x=own, out=sums))
    update = partial(_emit_updates, scattering=scattering)
    key, units = ("scatter", scattering), product(scattering.outer) * blocks
    stages = (first, Stage("scatter", key, (at_indices, at_updates, total), units, update))
    if not has_sums:
        return Lowering(stages, in_place=((0, 0),) if x is not None and x.is_dense else ())
    rounding = partial(_emit_rounding, sums=sums, out=result)
    last = Stage("scatter_round", ("scatter_round", result), (total, target), size, rounding)
    return Lowering((*stages, last), (Tensor(DType.of("f32"), out.dims, dense_strides(out.dims)),))


def lower_scatter(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower `scatter`: every mode, any axis, views of all operands."""
    x, indices, updates = inputs
    assert x is not None and indices is not None and updates is not None
    return _scatter_lowering(op["mode"], op, op["outside"] == "fill", x, indices, updates, outputs[0], (0, 1, 2, 3))


def lower_scatter_add(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower scatter_add and gather_backward: sums starting at zero."""
    updates, indices = inputs
    assert updates is not None and indices is not None
    return _scatter_lowering("add", op, op["mode"] == "fill", None, indices, updates, outputs[0], (-1, 1, 0, 2))


LOWER: dict[str, Lower] = {
    "gather": lower_gather,
    "take_along_axis": lower_take_along_axis,
    "dynamic_slice": lower_dynamic_slice,
    "dynamic_update_slice": lower_dynamic_update_slice,
    "scatter": lower_scatter,
    "scatter_add": lower_scatter_add,
    "gather_backward": lower_scatter_add,
}
"""The ops of this file by name."""
