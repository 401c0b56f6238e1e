"""Writing by index: scatter, scatter_add, gather_backward.

A unit owns some columns of the result, all positions of the indexed axis, and processes every index in order: updates
of the same position are combined in index order, whatever the number of threads. Sums and products of 16-bit floats are kept in a
separate f32 buffer and rounded once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.types import F32, Type, type_of
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.movement.gather import OUT_OF_BOUNDS, read_position
from rlx.backends.cpu.kernels.movement.runs import (
    Elements,
    fill_run,
    index_of,
    merged,
    offset_of,
    shares,
    unit_count,
    unravel,
    walk_runs,
)
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, product
from rlx.core.dtype import DType
from rlx.ir.graph import dense_strides
from rlx.ir.op import Op

_COLUMNS = 1024
"""Columns of the result a unit owns."""


@dataclass(frozen=True)
class MachineTensor:
    """A tensor as numbers of a machine type; a complex one has an extra axis of two."""

    kind: Type
    dims: tuple[Size, ...]
    strides: tuple[Size, ...]

    @staticmethod
    def of(tensor: Tensor, moved: bool) -> MachineTensor:
        """As integers of the element's size when it is only `moved`."""
        if tensor.dtype.is_complex and not (moved and tensor.dtype.size == 8):
            part = type_of("f32" if tensor.dtype.name == "c64" else "f64")
            return MachineTensor(part, (*tensor.dims, 2), (*(stride * 2 for stride in tensor.strides), 1))
        if moved or tensor.dtype.is_bool:
            whole = Elements.of(tensor)
            return MachineTensor(whole.kind, whole.dims, whole.strides)
        return MachineTensor(type_of(tensor.dtype.name), tensor.dims, tensor.strides)


@dataclass(frozen=True)
class Scattering:
    """One scatter: the layouts of results, updates and indices, and how updates are combined."""

    mode: str
    drops: bool
    checks: bool
    unsigned: bool
    updates: MachineTensor
    out: MachineTensor
    axis: int
    index_dtype: DType
    index_dims: tuple[Size, ...]
    index_strides: tuple[Size, ...]

    @property
    def outer(self) -> tuple[Size, ...]:
        """The axes before the indexed one."""
        return self.out.dims[: self.axis]

    @property
    def inner(self) -> tuple[Size, ...]:
        """The axes after it."""
        return self.out.dims[self.axis + 1 :]

    def combined(self, k: Function, there: Value, new: Value) -> Value:
        """The combined value: both operands in the type of the sums."""
        if self.mode == "add":
            return there + new
        if self.mode == "mul":
            return there * new
        if self.unsigned:
            return k.unsigned_maximum(there, new) if self.mode == "max" else k.unsigned_minimum(there, new)
        return k.maximum(there, new) if self.mode == "max" else k.minimum(there, new)


def _wide(kind: Type) -> Type:
    return F32 if kind.is_low_float else kind


# -- the initial value ------------------------------------------------------------------------------------------
def _emit_start(code: KernelCode, x: MachineTensor, out: MachineTensor) -> None:
    """x in the type of the result, unless they are the same memory."""
    k = code.code
    with k.when(code.pointer(0) != code.pointer(1)):
        first, last = shares(code, product(out.dims), out.kind.size)
        dims, (to, of) = merged(out.dims, out.strides, x.strides)
        for positions, column, count in walk_runs(code, dims, first, last):
            places = [*positions, column]
            target = k.pointer(code.pointer(1), offset_of(code, places, to), out.kind)
            source = k.pointer(code.pointer(0), offset_of(code, places, of), x.kind)
            for at in k.range(count):
                value = k.load(source, at * code.size(of[-1]), x.kind)
                k.store(value if x.kind == out.kind else k.convert(value, out.kind), target, at * code.size(to[-1]))


def _emit_zeros(code: KernelCode, out: MachineTensor) -> None:
    k = code.code
    first, last = shares(code, product(out.dims), out.kind.size)
    fill_run(code, k.pointer(code.pointer(0), first, out.kind), k.constant(0, out.kind), k.maximum(last - first, 0))


def _emit_rounding(code: KernelCode, sums: MachineTensor, out: MachineTensor) -> None:
    k = code.code
    first, last = shares(code, product(out.dims), out.kind.size)
    for at in k.range(first, last):
        k.store(k.convert(k.load(code.pointer(0), at, sums.kind), out.kind), code.pointer(1), at)


# -- the updates ------------------------------------------------------------------------------------------------
def _each_index(code: KernelCode, scattering: Scattering, strides: Sequence[Size], visit: Callable[[Value, Value], None]) -> None:
    """Call `visit(index offset, update offset)` for every index, in order."""
    dims, (own, updates) = merged(scattering.index_dims, scattering.index_strides, strides)

    def level(axis: int, at: Value, update: Value) -> None:
        if axis == len(dims):
            visit(at, update)
            return
        for position in code.code.range(index_of(code, dims[axis])):
            level(axis + 1, at + position * code.size(own[axis]), update + position * code.size(updates[axis]))

    level(0, index_of(code, 0), index_of(code, 0))


def _emit_updates(code: KernelCode, scattering: Scattering) -> None:
    """Tensors: indices, updates, result."""
    k, out, updates, axis = code.code, scattering.out, scattering.updates, scattering.axis
    rank = len(scattering.index_dims)
    behind = updates.strides[axis + rank :]
    inner, (to, of) = merged(scattering.inner, out.strides[axis + 1 :], behind)
    columns = index_of(code, product(inner))
    blocks = index_of(code, ceildiv(product(inner), _COLUMNS))
    for unit in k.range(k.begin, k.end):
        first = unit.urem(blocks) * _COLUMNS
        last = k.minimum(first + _COLUMNS, columns)
        places = unravel(code, unit.udiv(blocks), scattering.outer)
        base = offset_of(code, places, out.strides[:axis])
        source = offset_of(code, places, updates.strides[:axis])

        def visit(
            at: Value, update: Value, first: Value = first, last: Value = last, base: Value = base, source: Value = source
        ) -> None:
            position, outside = read_position(code, code.pointer(0), at, scattering.index_dtype, out.dims[axis])
            if scattering.checks:
                with k.when(outside):
                    code.fail(OUT_OF_BOUNDS)
            empty = index_of(code, out.dims[axis]) == 0
            dropped = outside if scattering.drops else empty
            with k.when(~dropped):
                row = base + position * code.size(out.strides[axis])
                for positions, column, count in walk_runs(code, inner, first, last):
                    where = [*positions, column]
                    target = k.pointer(code.pointer(2), row + offset_of(code, where, to), out.kind)
                    given = k.pointer(code.pointer(1), source + update + offset_of(code, where, of), updates.kind)
                    _combine_run(code, scattering, target, to[-1], given, of[-1], count)

        _each_index(code, scattering, updates.strides[axis : axis + rank], visit)


def _combine_run(
    code: KernelCode, scattering: Scattering, target: Value, step: Size, source: Value, stride: Size, count: Value
) -> None:
    k, kind, given = code.code, scattering.out.kind, scattering.updates.kind
    whole = k.index(0)

    def write(at: Value, to: Value, lanes: int) -> None:
        new = k.load(source, at, given.vector(lanes))
        if scattering.mode == "set":
            k.store(new, target, to)
            return
        wide = _wide(kind)
        there = k.convert(k.load(target, to, kind.vector(lanes)), wide)
        k.store(k.convert(scattering.combined(k, there, k.convert(new, wide)), kind), target, to)

    if all(isinstance(size, int) and size == 1 for size in (step, stride)):
        lanes = code.target.vector_bytes // _wide(kind).size
        whole = count // lanes * lanes
        for at in k.range(0, whole, lanes):
            write(at, at, lanes)
    for at in k.range(whole, count):
        write(at * code.size(stride), at * code.size(step), 0)


# -- lowering ---------------------------------------------------------------------------------------------------
def _lower(
    mode: str,
    outside: str,
    check: bool,
    axis: int,
    x: Tensor | None,
    indices: Tensor,
    updates: Tensor,
    out: Tensor,
    operands: tuple[int, int, int, int],
) -> Lowering | str:
    """`operands`: positions of x (-1: zeros), indices, updates and the result."""
    if not out.is_dense:
        return f"scatter into a {out.dtype} result with gaps"
    moved = mode == "set"
    result, given = MachineTensor.of(out, moved), MachineTensor.of(updates, moved)
    apart = mode in ("add", "mul") and result.kind.is_low_float
    sums = MachineTensor(F32, result.dims, dense_strides(result.dims)) if apart else result
    scattering = Scattering(
        mode,
        outside == "fill",
        check,
        updates.dtype.category in ("uint", "bool"),
        given,
        sums,
        axis,
        indices.dtype,
        indices.dims,
        indices.strides,
    )
    place = operands[3] + 1 if apart else operands[3]
    size = unit_count(product(sums.dims), sums.kind.size)
    if x is None:
        start = Stage("scatter_zeros", ("scatter_zeros", sums), (place,), size, lambda code: _emit_zeros(code, sums))
    else:
        own = MachineTensor.of(x, moved)
        start = Stage(
            "scatter_start", ("scatter_start", own, sums), (operands[0], place), size, lambda code: _emit_start(code, own, sums)
        )
    units = product(scattering.outer) * ceildiv(product(scattering.inner), _COLUMNS)
    write = Stage(
        "scatter", ("scatter", scattering), (operands[1], operands[2], place), units, lambda code: _emit_updates(code, scattering)
    )
    stages = [start, write]
    temporaries: tuple[Tensor, ...] = ()
    if apart:
        temporaries = (Tensor(DType.of("f32"), out.dims, dense_strides(out.dims)),)
        rounding = Stage(
            "scatter_round", ("scatter_round", result), (place, operands[3]), size, lambda code: _emit_rounding(code, sums, result)
        )
        stages.append(rounding)
    shared = ((0, 0),) if x is not None and x.is_dense and not apart else ()
    return Lowering(tuple(stages), temporaries, shared)


def lower_scatter(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Every mode, any axis, views of all operands."""
    x, indices, updates = inputs
    assert x is not None and indices is not None and updates is not None
    attrs = op.attrs
    return _lower(
        attrs["mode"], attrs["outside"], attrs["check_bounds"], attrs["axis"], x, indices, updates, outputs[0], (0, 1, 2, 3)
    )


def lower_added(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """scatter_add and gather_backward: sums starting at zero."""
    updates, indices = inputs
    assert updates is not None and indices is not None
    axis = op.attrs.get("axis", 0)
    return _lower("add", op.attrs["mode"], op.attrs["check_bounds"], axis, None, indices, updates, outputs[0], (-1, 1, 0, 2))


LOWER: dict[str, Lower] = {"scatter": lower_scatter, "scatter_add": lower_added, "gather_backward": lower_added}
"""The ops of this file by name."""
