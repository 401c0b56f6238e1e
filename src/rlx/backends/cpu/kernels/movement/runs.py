"""Shared by all kernels that move elements: how work is split into units, and how it walks over a result.

A walk visits the elements of a result in row-major order, in runs along its last axis; units are equal shares of the
elements. Elements are moved as integers of their size, so all dtypes share the code.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import partial

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.kernel import KernelCode, Tensor
from rlx.backends.cpu.emit.values import I8, I16, I32, I64, PTR, Type, Value, Variable
from rlx.core.dim import Size, ceildiv, minimum, product, same

_UNIT_BYTES = 1 << 15
_UNITS_LIMIT = 256


@dataclass(frozen=True)
class Elements:
    """A strided set of elements of one machine type."""

    kind: Type
    dims: tuple[Size, ...]
    strides: tuple[Size, ...]
    offset: Size = 0

    @staticmethod
    def of(tensor: Tensor) -> Elements:
        """The elements of a tensor as integers; a 16-byte element is an axis of two."""
        size = tensor.dtype.size
        if size == 16:
            return Elements(I64, (*tensor.dims, 2), (*(stride * 2 for stride in tensor.strides), 1))
        return Elements({1: I8, 2: I16, 4: I32, 8: I64}[size], tensor.dims, tensor.strides)

    def part(self, axis: int, start: Size, length: Size, step: int = 1) -> Elements:
        """The part of `length` positions of one axis starting at `start`, `step` apart."""
        dims, strides = list(self.dims), list(self.strides)
        offset = self.offset + start * strides[axis]
        dims[axis], strides[axis] = length, strides[axis] * step
        return Elements(self.kind, tuple(dims), tuple(strides), offset)


# -- units and runs ---------------------------------------------------------------------------------------------
def unit_count(items: Size, size: Size) -> Size:
    """The unit count of a movement of `items` items of `size` bytes: a function of shapes only."""
    return minimum(ceildiv(items * size, _UNIT_BYTES), _UNITS_LIMIT)


def shares(code: KernelCode, items: Size, size: Size, *, align: int = 64) -> tuple[Value, Value]:
    """The items [first, last) that the units of this kernel call move; shares are multiples of `align`."""
    return share_of(code, items, unit_count(items, size), align, code.code.begin, code.code.end)


def share_of(code: KernelCode, items: Size, units: Size, align: int, begin: Value, end: Value) -> tuple[Value, Value]:
    """The items that the units [begin, end) of `units` move."""
    k, total = code.code, index_of(code, items)
    number = k.maximum(index_of(code, units), 1)
    share = ((total + number - 1).udiv(number) + (align - 1)) // align * align
    return begin * share, k.minimum(end * share, total)


def index_of(code: KernelCode, size: Size) -> Value:
    """Load a size as an i64."""
    return code.code.index(code.size(size))


def merge_axes(dims: Sequence[Size], *strides: Sequence[Size]) -> tuple[tuple[Size, ...], tuple[tuple[Size, ...], ...]]:
    """Merge axes into the fewest that visit the same elements in the same order in every operand; at least one."""
    axes: list[tuple[Size, list[Size]]] = []
    for axis, size in enumerate(dims):
        own = [stride[axis] for stride in strides]
        if isinstance(size, int) and size == 1:
            continue
        if axes and all(same(before, size * after) for before, after in zip(axes[-1][1], own, strict=True)):
            axes[-1] = (axes[-1][0] * size, own)
        else:
            axes.append((size, own))
    if not axes:
        axes = [(1, [1] * len(strides))]
    return tuple(size for size, _ in axes), tuple(tuple(own[i] for _, own in axes) for i in range(len(strides)))


def broadcast_strides(dims: Sequence[Size], strides: Sequence[Size]) -> tuple[Size, ...]:
    """Strides under broadcasting: an axis of size 1 has stride 0."""
    return tuple(0 if isinstance(n, int) and n == 1 else stride for n, stride in zip(dims, strides, strict=True))


def walk_runs(code: KernelCode, dims: Sequence[Size], first: Value, last: Value) -> Generator[tuple[list[Value], Value, Value]]:
    """Visit the elements [first, last) of a row-major space: (indices on all axes but the last, column, count)."""
    k = code.code
    sizes = [index_of(code, size) for size in dims]
    with k.when(first < last):
        counters: list[Variable] = []
        rest = first.udiv(sizes[-1])
        for size in reversed(sizes[:-1]):
            counters.insert(0, k.var(rest.urem(size)))
            rest = rest.udiv(size)
        column, position = k.var(first.urem(sizes[-1])), k.var(first)
        with k.loop() as loop:
            count = k.minimum(sizes[-1] - column.get(), last - position.get())
            yield [counter.get() for counter in counters], column.get(), count
            position.set(position.get() + count)
            column.set(0)

            def advance(axis: int) -> None:
                following = counters[axis].get() + 1
                wraps = following == sizes[axis]
                counters[axis].set(k.select(wraps, 0, following))
                if axis:
                    with k.when(wraps):
                        advance(axis - 1)

            if counters:
                advance(len(counters) - 1)
            loop.stop(position.get() >= last)


def each_run(code: KernelCode, dims: Sequence[Size], size: Size) -> Generator[tuple[list[Value], Value]]:
    """Visit the elements that the units of this call move, `size` bytes each: (indices of a run's first element, count)."""
    first, last = shares(code, product(dims), size)
    for indices, column, count in walk_runs(code, dims, first, last):
        yield [*indices, column], count


def unravel(code: KernelCode, flat: Value, dims: Sequence[Size]) -> list[Value]:
    """The index on each axis of an element counted in row-major order."""
    indices: list[Value] = []
    for size in reversed(dims):
        indices.insert(0, flat.urem(index_of(code, size)))
        flat = flat.udiv(index_of(code, size))
    return indices


def offset_of(code: KernelCode, positions: Sequence[Value], strides: Sequence[Size], start: Size = 0) -> Value:
    """The offset of the element at some positions."""
    offset = index_of(code, start)
    for position, stride in zip(positions, strides, strict=True):
        offset = offset + position * code.size(stride)
    return offset


def copy_run(code: KernelCode, kind: Type, target: Value, source: Value, stride: Size, count: Value, into: Size = 1) -> None:
    """Copy `count` elements, `stride` apart in the source and `into` apart in the target."""
    k = code.code
    lanes = code.target.vector_bytes // kind.size
    wide = kind.vector(lanes)
    distance = stride if isinstance(stride, int) and isinstance(into, int) and into == 1 else None
    if distance == 1:
        _copy_dense(k, kind, target, source, count)
        return
    done = k.index(0)
    if distance in (-1, 0):
        done = count // lanes * lanes
        same_value = k.splat(k.load(source, 0, kind), lanes) if distance == 0 else None
        for at in k.range(0, done, lanes):
            value = same_value
            if value is None:
                value = k.shuffle(k.load(source, -at - (lanes - 1), wide), None, range(lanes - 1, -1, -1))
            k.store(value, target, at)
    for at in k.range(done, count):
        k.store(k.load(source, at * code.size(stride), kind), target, at * code.size(into))


def _copy_dense(k: Function, kind: Type, target: Value, source: Value, count: Value) -> None:
    """Copy `count` adjacent elements."""
    lanes = k.target.vector_bytes // kind.size
    done = count // lanes * lanes
    for at in k.range(0, done, lanes):
        k.store(k.load(source, at, kind.vector(lanes)), target, at)
    for at in k.range(done, count):
        k.store(k.load(source, at, kind), target, at)


def fill_run(code: KernelCode, target: Value, value: Value, count: Value) -> None:
    """Store the same value `count` times."""
    k, kind = code.code, value.type
    lanes = code.target.vector_bytes // kind.size
    done, wide = count // lanes * lanes, k.splat(value, lanes)
    for at in k.range(0, done, lanes):
        k.store(wide, target, at)
    for at in k.range(done, count):
        k.store(value, target, at)


# -- strided copies ---------------------------------------------------------------------------------------------
def copy_elements(
    code: KernelCode, target: int, into: Elements, source: int, out_of: Elements, begin: Value, end: Value, *, shared: bool = False
) -> None:
    """Copy between two strided sets of the same dims: the elements of the units [begin, end) of `unit_count`.

    `shared`: for one of several copies; those of dense rows are calls of one subroutine, whatever their sizes.
    """
    k, kind = code.code, into.kind
    dims, (to, of) = merge_axes(into.dims, into.strides, out_of.strides)
    bases = (
        k.pointer(code.pointer(target), index_of(code, into.offset), kind),
        k.pointer(code.pointer(source), index_of(code, out_of.offset), kind),
    )
    units = unit_count(product(dims), kind.size)
    axis = _transposed_axis(to, of)
    if axis is not None:
        _transpose_copy(code, kind, bases, dims, to, of, axis, units, begin, end)
        return
    first, last = share_of(code, product(dims), units, 64, begin, end)
    if shared and len(dims) <= 2 and _is_dense(to) and _is_dense(of):
        rows = (0, 0) if len(dims) == 1 else (to[0], of[0])
        _copy_rows(code, kind, bases, dims[-1], rows, first, last)
        return
    for positions, column, count in walk_runs(code, dims, first, last):
        start, origin = (
            k.pointer(base, offset_of(code, [*positions, column], strides), kind)
            for base, strides in zip(bases, (to, of), strict=True)
        )
        copy_run(code, kind, start, origin, of[-1], count, to[-1])


def _is_dense(strides: Sequence[Size]) -> bool:
    """Whether the elements of a run are adjacent."""
    return isinstance(strides[-1], int) and strides[-1] == 1


def _copy_rows(
    code: KernelCode, kind: Type, bases: tuple[Value, Value], length: Size, rows: tuple[Size, Size], first: Value, last: Value
) -> None:
    """Copy the elements [first, last) of dense rows of `length` elements; `rows`: the row strides of the target and of the source."""
    names = (("length", I64), ("to", I64), ("of", I64), ("first", I64), ("last", I64))
    parameters = (("target", PTR), ("source", PTR), *names)
    name = code.module.subroutine(("copy rows", kind), parameters, partial(_emit_rows, kind=kind))
    code.code.call_subroutine(name, *bases, *(code.size(size) for size in (length, *rows)), first, last)


def _emit_rows(k: Function, kind: Type) -> None:
    target, source, length, to, of, first, last = k.parameters
    with k.when(first < last):
        row, column, position = k.var(first.udiv(length)), k.var(first.urem(length)), k.var(first)
        with k.loop() as loop:
            count = k.minimum(length - column.get(), last - position.get())
            start, origin = (
                k.pointer(base, row.get() * distance + column.get(), kind) for base, distance in ((target, to), (source, of))
            )
            _copy_dense(k, kind, start, origin, count)
            position.set(position.get() + count)
            column.set(0)
            row.set(row.get() + 1)
            loop.stop(position.get() >= last)


def _transposed_axis(to: Sequence[Size], of: Sequence[Size]) -> int | None:
    """The axis along which the source is dense, if the target is dense along the last axis."""
    copies_runs = isinstance(of[-1], int) and of[-1] in (-1, 0, 1)
    if copies_runs or not (isinstance(to[-1], int) and to[-1] == 1):
        return None
    return next((axis for axis, stride in enumerate(of[:-1]) if isinstance(stride, int) and stride == 1), None)


def _transpose_copy(
    code: KernelCode,
    kind: Type,
    bases: tuple[Value, Value],
    dims: Sequence[Size],
    to: Sequence[Size],
    of: Sequence[Size],
    axis: int,
    units: Size,
    begin: Value,
    end: Value,
) -> None:
    """Copy a transposition: squares of elements are transposed in registers. An item is a strip of squares along the last axis."""
    k = code.code
    side = min(8, code.target.vector_bytes // kind.size)
    others = [a for a in range(len(dims) - 1) if a != axis]
    strips = [*(dims[a] for a in others), ceildiv(dims[axis], side)]
    first, last = share_of(code, product(strips), units, 1, begin, end)
    height, length = index_of(code, dims[axis]), index_of(code, dims[-1])
    for positions, column, count in walk_runs(code, strips, first, last):
        target, source = (
            k.pointer(base, offset_of(code, positions, [strides[a] for a in others]), kind)
            for base, strides in zip(bases, (to, of), strict=True)
        )
        for strip in k.range(column, column + count):
            top = strip * side
            start = k.pointer(target, top * code.size(to[axis]), kind)
            origin = k.pointer(source, top, kind)
            done = k.select(top + side <= height, length // side * side, 0)
            for at in k.range(0, done, side):
                wide = kind.vector(side)
                rows = [k.load(origin, (at + i) * code.size(of[-1]), wide) for i in range(side)]
                for i, row in enumerate(k.transpose(rows)):
                    k.store(row, start, at + i * code.size(to[axis]))
            for number in k.range(k.minimum(height - top, side)):
                line, from_ = k.pointer(start, number * code.size(to[axis]), kind), k.pointer(origin, number, kind)
                for at in k.range(done, length):
                    k.store(k.load(from_, at * code.size(of[-1]), kind), line, at)
