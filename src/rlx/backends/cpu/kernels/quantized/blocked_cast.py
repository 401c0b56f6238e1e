"""Floats to 8 and 4 bits with a scale for each block of (rows, cols), and back.

Columns are processed in cells. If the columns of a block divide a vector, a cell is a vector with one or more blocks side by side, else it
is one block. The largest magnitudes are compared by the bits of f32, in the order of integers: infinities and NaN, the largest ones, do
not count. Maxima go down the rows; then those of several cells are joined in one vector, so that one division makes all their scales.
The second sweep reads from the cache what the first one read. The last block of an axis may be partial: lanes past its end are masked.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Protocol

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.math import f32_to_float8, float8_to_f32
from rlx.backends.cpu.emit.values import F32, I8, I32, Type, Value, type_of
from rlx.backends.cpu.kernels.movement.runs import index_of, offset_of, shares, unit_count, walk_runs
from rlx.backends.cpu.target import Target
from rlx.core.dim import product
from rlx.ir.op import Op
from rlx.ops.quantized.blocked_cast import SMALLEST_SCALE, largest_of

_TOGETHER = 16
"""Vectors of a row processed together: whole cache lines, and maxima and scales that do not wait for each other."""
_MOST_CELLS = 16
_INFINITY = 0x7F800000
_POWER_OF_TWO = 0x7FFFFF
"""Added to the bits of a positive number, it carries into the exponent unless the fraction is 0."""


@dataclass(frozen=True)
class Blocked:
    """A cast to a blocked dtype or its inverse: elements in floats and in storage, and their scales."""

    floats: Tensor
    stored: Tensor
    scales: Tensor
    rows: int
    cols: int
    rounds: bool = False

    @property
    def name(self) -> str:
        """The name of the storage dtype."""
        return self.stored.dtype.name

    @property
    def kind(self) -> Type:
        """The type of the floats in memory."""
        return type_of(self.floats.dtype.name)

    def tiling(self, target: Target) -> Tiling:
        """The tiling of the cast's columns."""
        return Tiling(self.cols, target.lanes(F32))


@dataclass(frozen=True)
class Tiling:
    """How a blocked cast processes columns: cells are vectors of one or more full blocks, or else blocks; some cells together."""

    cols: int
    lanes: int

    @property
    def cell(self) -> int:
        """Columns of a cell."""
        return self.lanes if self.lanes % self.cols == 0 else self.cols

    @property
    def within(self) -> int:
        """The number of neighboring lanes that belong to one block."""
        return self.cols if self.cell == self.lanes else self.lanes

    @property
    def cells(self) -> int:
        """The number of cells processed together, a power of two."""
        most = min(max(_TOGETHER * self.lanes // self.cell, 1), _MOST_CELLS)
        return int(1 << (most.bit_length() - 1))


class _CellSweep(Protocol):
    """What a sweep does with the columns of one row of blocks."""

    def cells(self, at: Value, number: int, width: Value | int) -> None:
        """Process some adjacent cells from `at` on, each of `width` columns."""


class _Strip:
    """One row of blocks in a blocked cast: its pointers, how many rows it has, and how its elements are loaded and stored."""

    def __init__(self, code: KernelCode, blocked: Blocked, block: list[Value], tensors: tuple[int, int, int]) -> None:
        self.code, self.k, self.blocked = code, code.code, blocked
        k, row = self.k, block[-1] * blocked.rows
        kinds = (blocked.kind, I8, type_of(blocked.scales.dtype.name))
        starts = ([*block[:-1], row], [*block[:-1], row], block)
        self.floats, self.stored, self.scales = (
            k.pointer(code.pointer(index), offset_of(code, start, tensor.strides[:-1]), kind)
            for index, start, tensor, kind in zip(
                tensors, starts, (blocked.floats, blocked.stored, blocked.scales), kinds, strict=True
            )
        )
        self.height = k.minimum(index_of(code, blocked.floats.dims[-2]) - row, blocked.rows)
        self.tiling = blocked.tiling(code.target)
        self.lanes = self.tiling.lanes

    def walk(self, sweep: _CellSweep, begin: Value, end: Value) -> None:
        """Sweep the columns from `begin` to `end`, where blocks start; the last block may be partial."""
        k, cell, at = self.k, self.tiling.cell, begin
        for number in (self.tiling.cells, 1) if self.tiling.cells > 1 else (1,):
            full = at + (end - at) // (number * cell) * (number * cell)
            for column in k.range(at, full, number * cell):
                sweep.cells(column, number, cell)
            at = full
        with k.when(at < end):
            sweep.cells(at, 1, end - at)

    def rows(self) -> Generator[tuple[Value, Value]]:
        """For each row of the blocks, its addresses in floats and in storage."""
        code, blocked = self.code, self.blocked
        strides = [code.size(tensor.strides[-2]) for tensor in (blocked.floats, blocked.stored)]
        rows = self.k.range(self.height) if blocked.rows > 1 else [self.k.index(0)]
        for row in rows:
            yield row * strides[0], row * strides[1]

    def steps(self, width: Value | int) -> Generator[tuple[Value, Value | int | None]]:
        """For each vector of a cell of `width` columns, its start and how many lanes it has; None: all."""
        k, lanes = self.k, self.lanes
        if isinstance(width, int) and width <= _TOGETHER * lanes:
            for start in range(0, width, lanes):
                yield k.index(start), None if start + lanes <= width else width - start
            return
        full = k.index(width) // lanes * lanes
        for at in k.range(0, full, lanes):
            yield at, None
        rest = k.index(width) - full
        if rest.constant is None:
            with k.when(rest > 0):
                yield full, rest
        elif rest.constant:
            yield full, int(rest.constant)

    def load(self, base: Value, at: Value, kind: Type, count: Value | int | None) -> Value:
        """Load a vector, zeros past `count`."""
        wide = kind.vector(self.lanes)
        return self.k.load(base, at, wide) if count is None else self.k.load_masked(base, at, count, wide)

    def store(self, value: Value, base: Value, at: Value, count: Value | int | None) -> None:
        """Store a vector up to `count`."""
        if count is None:
            self.k.store(value, base, at)
        else:
            self.k.store_masked(value, base, at, count)


# -- to the storage dtype ---------------------------------------------------------------------------------------
class _Rounding:
    """Casts one row of blocks: computes the scales, then rounds."""

    def __init__(self, strip: _Strip) -> None:
        self.strip, self.k, self.blocked, self.lanes = strip, strip.k, strip.blocked, strip.lanes
        self.within = strip.tiling.within

    def cells(self, at: Value, number: int, width: Value | int) -> None:
        strip = self.strip
        starts = [at + index * strip.tiling.cell for index in range(number)]
        factors = self._scales(self._tops(starts, width), at.udiv(self.blocked.cols), width)
        for row, stored in strip.rows():
            for start, factor in zip(starts, factors, strict=True):
                for step, count in strip.steps(width):
                    x = self._read(row + start + step, count)
                    scaled = x * factor if self.blocked.rounds else x / factor
                    elements = f32_to_float8(self.k, scaled, self.blocked.name, saturates=True)
                    strip.store(elements, strip.stored, stored + start + step, count)

    def _read(self, at: Value, count: Value | int | None) -> Value:
        return self.k.convert(self.strip.load(self.strip.floats, at, self.blocked.kind, count), F32)

    def _tops(self, starts: list[Value], width: Value | int) -> list[Value]:
        """For each cell the bits of the largest finite |x|, lane by lane."""
        k, kind = self.k, I32.vector(self.lanes)
        tops = [k.var(0, kind) for _ in starts]
        for row, _ in self.strip.rows():
            for start, top in zip(starts, tops, strict=True):
                for step, count in self.strip.steps(width):
                    bits = k.bitcast(self._read(row + start + step, count), kind) & 0x7FFFFFFF
                    top.set(k.maximum(top.get(), k.select(bits < _INFINITY, bits, 0)))
        return [top.get() for top in tops]

    def _scales(self, tops: list[Value], block: Value, width: Value | int) -> list[Value]:
        """Store the scales of the cells' blocks; returns each cell's divisor, or its factor where multiplying is exact."""
        k, cells = self.k, len(tops)
        segment = self.within
        while segment > 1 and len(tops) > 1:
            tops = [_join(k, a, b, segment) for a, b in zip(tops[::2], tops[1::2], strict=True)]
            segment //= 2
        blocks, together = self.lanes // self.within, cells // len(tops)
        factors = []
        for index, top in enumerate(tops):
            scale = self._scale(_top_of_segments(k, top, segment))
            firsts = k.shuffle(scale, None, range(0, self.lanes, segment)) if segment > 1 else scale
            count = None if isinstance(width, int) else (width + (self.blocked.cols - 1)).udiv(self.blocked.cols)
            self.strip.store(firsts, self.strip.scales, block + index * together * blocks, count)
            factor = self._inverse(scale) if self.blocked.rounds else scale
            for cell in range(together):
                lanes = [(cell * blocks + lane // self.within) * segment for lane in range(self.lanes)]
                factors.append(factor if self.within == 1 else k.shuffle(factor, None, lanes))
        return factors

    def _scale(self, top: Value) -> Value:
        """The scales for the bits of the largest magnitudes."""
        k, wide = self.k, F32.vector(self.lanes)
        scale = k.bitcast(top, wide) / largest_of(self.blocked.stored.dtype)
        scale = k.maximum_fast(scale, SMALLEST_SCALE)
        if self.blocked.rounds:
            scale = k.bitcast((k.bitcast(scale, top.type) + _POWER_OF_TWO) & _INFINITY, wide)
        return k.select(top == 0, 1.0, scale)

    def _inverse(self, scale: Value) -> Value:
        """The inverse of a scale that is a power of two: exact, and multiplying is faster than dividing."""
        k, bits = self.k, I32.like(scale.type)
        return k.bitcast(k.constant(254 << 23, bits) - k.bitcast(scale, bits), scale.type)


def _join(k: Function, a: Value, b: Value, segment: int) -> Value:
    """Join the segments of `a` and `b` in half as many lanes: the maximum of a lane and its counterpart in the segment's other half."""
    lanes = range(0, 2 * a.type.lanes, segment)
    halves = [
        k.shuffle(a, b, [start + half + lane for start in lanes for lane in range(segment // 2)]) for half in (0, segment // 2)
    ]
    return k.maximum(*halves)


def _top_of_segments(k: Function, tops: Value, segment: int) -> Value:
    """In every lane the maximum of its segment."""
    distance = 1
    while distance < segment:
        others = k.shuffle(tops, None, [lane ^ distance for lane in range(tops.type.lanes)])
        tops, distance = k.maximum(tops, others), distance * 2
    return tops


# -- and back ---------------------------------------------------------------------------------------------------
class _Scaling:
    """Casts one row of blocks back to floats."""

    def __init__(self, strip: _Strip) -> None:
        self.strip, self.k, self.blocked, self.lanes = strip, strip.k, strip.blocked, strip.lanes
        self.compute = F32 if self.blocked.kind.is_low_float else self.blocked.kind

    def cells(self, at: Value, number: int, width: Value | int) -> None:
        strip = self.strip
        starts = [at + index * strip.tiling.cell for index in range(number)]
        scales = [self._spread(start.udiv(self.blocked.cols), width) for start in starts]
        for row, stored in strip.rows():
            for start, scale in zip(starts, scales, strict=True):
                for step, count in strip.steps(width):
                    self._scale(row + start + step, stored + start + step, scale, count)

    def _spread(self, block: Value, width: Value | int) -> Value:
        """Spread the scales of a cell's blocks, each to all lanes of its block."""
        k, cols, kind = self.k, self.blocked.cols, self.blocked.kind
        blocks = self.lanes // self.strip.tiling.within
        if blocks == 1:
            return k.splat(k.convert(k.load(self.strip.scales, block, kind), self.compute), self.lanes)
        wide = kind.vector(blocks)
        if isinstance(width, int):
            loaded = k.load(self.strip.scales, block, wide)
        else:
            loaded = k.load_masked(self.strip.scales, block, (width + (cols - 1)).udiv(cols), wide)
        scales = k.convert(loaded, self.compute)
        return scales if cols == 1 else k.shuffle(scales, None, [lane // cols for lane in range(self.lanes)])

    def _scale(self, into: Value, at: Value, scale: Value, count: Value | int | None) -> None:
        k = self.k
        number = float8_to_f32(k, self.strip.load(self.strip.stored, at, I8, count), self.blocked.name)
        scaled = k.convert(number, self.compute) * scale
        self.strip.store(k.convert(scaled, self.blocked.kind), self.strip.floats, into, count)


# -- the kernels ------------------------------------------------------------------------------------------------
def _emit_strips(code: KernelCode, blocked: Blocked, tensors: tuple[int, int, int], sweep: Callable[[_Strip], _CellSweep]) -> None:
    """Emit the cast of rows of blocks: units are equal shares of the blocks, in runs along a row of blocks."""
    k, cols = code.code, blocked.cols
    width = index_of(code, blocked.floats.dims[-1])
    tiling = blocked.tiling(code.target)
    align = tiling.cell // cols * tiling.cells
    first, last = shares(code, product(blocked.scales.dims), _block_bytes(blocked), align=align)
    for positions, column, count in walk_runs(code, blocked.scales.dims, first, last):
        strip = _Strip(code, blocked, positions, tensors)
        strip.walk(sweep(strip), column * cols, k.minimum((column + count) * cols, width))


def _block_bytes(blocked: Blocked) -> int:
    return blocked.rows * blocked.cols * blocked.floats.dtype.size


def _lowering(op: Op, blocked: Blocked, tensors: tuple[int, int, int], sweep: Callable[[_Strip], _CellSweep]) -> Lowering | str:
    for tensor in (blocked.floats, blocked.stored, blocked.scales):
        if not (isinstance(tensor.strides[-1], int) and tensor.strides[-1] == 1):
            return "an operand whose last axis is not dense"
    units = unit_count(product(blocked.scales.dims), _block_bytes(blocked))
    key = (op.name, blocked)
    return Lowering((Stage(op.name, key, (0, 1, 2), units, lambda code: _emit_strips(code, blocked, tensors, sweep)),))


def lower_cast(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower the cast to a blocked dtype: every dtype and block; x may have gaps between rows."""
    (x,), (elements, scales), (rows, cols) = inputs, outputs, op["sf_block"]
    assert x is not None
    return _lowering(op, Blocked(x, elements, scales, rows, cols, op["round_sf"]), (0, 1, 2), _Rounding)


def lower_dequantize(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower the cast from a blocked dtype: every dtype and block; operands may have gaps between rows."""
    (elements, scales), (out,), (rows, cols) = inputs, outputs, op["sf_block"]
    assert elements is not None and scales is not None
    return _lowering(op, Blocked(out, elements, scales, rows, cols), (2, 0, 1), _Scaling)


LOWER: dict[str, Lower] = {"blocked_cast": lower_cast, "blocked_dequantize": lower_dequantize}
"""The ops of this file by name."""
