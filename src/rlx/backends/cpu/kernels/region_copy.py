"""Strided copies: a view made dense. Elements move as integers of their size, so every dtype takes the same code.

Where source and target are contiguous along different axes, small square blocks are transposed in registers, so both
sides are touched a vector at a time; any other copy is a region of one load.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from rlx.backends.cpu.builder import Function, Type, Value, type_of
from rlx.backends.cpu.kernel import KernelCode, Lowering, Stage, Tensor
from rlx.backends.cpu.kernels.region_columns import ColumnCode
from rlx.backends.cpu.kernels.region_plan import Plan, plan_of
from rlx.backends.cpu.kernels.region_space import Axis, Output, Space, Term, merged
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, maximum, product
from rlx.core.dtype import DType

__all__ = ["lower_copy"]

_INTEGERS = {1: "i8", 2: "i16", 4: "i32", 8: "i64"}
_DEEP, _WIDE = 64, 256  # elements of a tile along the source's and the target's contiguous axis


def lower_copy(source: Tensor, into: Tensor, target: Target) -> Lowering:
    """Copy between two strided tensors of the same dims."""
    space = _space(source, into)
    tile = _Tile.of(space, target)
    if tile is not None:
        emit = partial(_emit_transpose, tile=tile)
        return Lowering((Stage("transpose", ("transpose", source, into), (0, 1), tile.units, emit),))
    plan = plan_of(space, target)
    stage = Stage("copy", ("copy", source, into), (0, 1), plan.units, partial(_emit_copy, plan=plan), plan.scratch)
    return Lowering((stage,))


def _emit_copy(code: KernelCode, plan: Plan) -> None:
    ColumnCode(code, plan, (0, 1)).emit()


def _space(source: Tensor, into: Tensor) -> Space:
    """One load and one output; an element of 16 bytes is an axis of two."""
    size = source.dtype.size
    rows = [
        (dim, a, b) for dim, a, b in zip(into.dims, source.strides, into.strides, strict=True)
        if not (isinstance(dim, int) and dim == 1)
    ]  # fmt: skip
    if size == 16:
        rows = [*((dim, a * 2, b * 2) for dim, a, b in rows), (2, 1, 1)]
    dtype = DType.of(_INTEGERS[min(size, 8)])
    axes = tuple(Axis(dim) for dim, _, _ in rows)
    reads, writes = tuple(a for _, a, _ in rows), tuple(b for _, _, b in rows)
    varying = tuple(axis for axis, stride in enumerate(reads) if not (isinstance(stride, int) and stride == 0))
    load = Term("load", dtype, varying, tensor=0, strides=reads)
    return merged(Space(axes, (load,), (Output(0, 1, tuple(range(len(axes))), writes, dtype),)))


def _is_one(size: Size) -> bool:
    return isinstance(size, int) and size == 1


@dataclass(frozen=True)
class _Tile:
    """A transposing copy: `deep` is the axis the source is contiguous along, `wide` the target's."""

    kind: Type
    block: int
    sizes: tuple[Size, ...]
    reads: tuple[Size, ...]
    writes: tuple[Size, ...]
    deep: int
    wide: int

    @staticmethod
    def of(space: Space, target: Target) -> _Tile | None:
        """The transposing form of a copy, None where another is better."""
        (load,), (output,) = space.terms, space.outputs
        deep = next((axis for axis, stride in enumerate(load.strides) if _is_one(stride)), None)
        wide = next((axis for axis, stride in enumerate(output.strides) if _is_one(stride)), None)
        if deep is None or wide is None or deep == wide:
            return None
        kind = type_of(load.dtype.name)
        block = min(target.vector_bytes, 32 if kind.size >= 4 else 16) // kind.size
        sizes = tuple(axis.size for axis in space.axes)
        if any(isinstance(size, int) and size < block for size in (sizes[deep], sizes[wide])):
            return None
        return _Tile(kind, block, sizes, load.strides, output.strides, deep, wide)

    @property
    def outer(self) -> list[int]:
        """All other axes."""
        return [axis for axis in range(len(self.sizes)) if axis not in (self.deep, self.wide)]

    @property
    def units(self) -> Size:
        """One tile each."""
        tiles = ceildiv(self.sizes[self.deep], _DEEP) * ceildiv(self.sizes[self.wide], _WIDE)
        return maximum(1, tiles * product(self.sizes[axis] for axis in self.outer))


def _emit_transpose(code: KernelCode, tile: _Tile) -> None:
    k = code.code

    def size(value: Size) -> Value:
        return k.index(code.size(value))

    source, into = code.pointer(0), code.pointer(1)
    deep_size, wide_size = size(tile.sizes[tile.deep]), size(tile.sizes[tile.wide])
    wide_tiles = size(ceildiv(tile.sizes[tile.wide], _WIDE))
    deep_tiles = size(ceildiv(tile.sizes[tile.deep], _DEEP))
    count = size(product(tile.sizes[axis] for axis in tile.outer) * ceildiv(tile.sizes[tile.deep], _DEEP)
                 * ceildiv(tile.sizes[tile.wide], _WIDE))  # fmt: skip
    for unit in k.range(k.begin, k.minimum(k.end, count)):
        wide, rest = unit.urem(wide_tiles) * _WIDE, unit.udiv(wide_tiles)
        deep, rest = rest.urem(deep_tiles) * _DEEP, rest.udiv(deep_tiles)
        read, write = k.index(0), k.index(0)
        for axis in reversed(tile.outer):
            position, rest = rest.urem(size(tile.sizes[axis])), rest.udiv(size(tile.sizes[axis]))
            read = read + position * size(tile.reads[axis])
            write = write + position * size(tile.writes[axis])
        ends = k.minimum(deep + _DEEP, deep_size), k.minimum(wide + _WIDE, wide_size)
        places = k.pointer(source, read, tile.kind), k.pointer(into, write, tile.kind)
        _tile(k, tile, places, (deep, wide), ends, (size(tile.reads[tile.wide]), size(tile.writes[tile.deep])))


def _tile(
    k: Function, tile: _Tile, places: tuple[Value, Value], starts: tuple[Value, Value], ends: tuple[Value, Value],
    steps: tuple[Value, Value],
) -> None:  # fmt: skip
    """Square blocks in registers, then the edges element by element."""
    (source, into), (deep, wide), (deep_end, wide_end), (read_step, write_step) = places, starts, ends, steps
    block, vector = tile.block, tile.kind.vector(tile.block)
    deep_whole = deep + (deep_end - deep) // block * block
    wide_whole = wide + (wide_end - wide) // block * block
    for d in k.range(deep, deep_whole, block):
        for w in k.range(wide, wide_whole, block):
            rows = [k.load(source, (w + row) * read_step + d, vector) for row in range(block)]
            for row, value in enumerate(k.transpose(rows)):
                k.store(value, into, (d + row) * write_step + w)
    for d_start, d_end, w_start, w_end in (
        (deep, deep_whole, wide_whole, wide_end), (deep_whole, deep_end, wide, wide_end),
    ):  # fmt: skip
        for d in k.range(d_start, d_end):
            for w in k.range(w_start, w_end):
                k.store(k.load(source, w * read_step + d, tile.kind), into, d * write_step + w)
