"""Activations quantized to integers: once per product, row by row, in the order in which the weight's words are unpacked.

Unsigned weights are multiplied by bytes. Values whose sums are scaled together (a block, or a pair of its groups) share a step,
max|x| / 127. A few of them cause most of a row's error: those whose maximum is more than twice the row's mean of maxima. They get a
second byte, the residual of the first, in steps 254 times finer; a mask of 8 bits per 256 values marks them. A quantized row is

    blocks    bytes, steps in f32, the sum of each group in f32 (to be multiplied by zero points and minimums), bits of pairs
    masks     a byte for each 256 values
    residuals the second bytes of all blocks, zeros if there are none

Signed weights are multiplied by 16-bit values, first and third of every four before the second and fourth, one step per block; sixteen
and more rows that are multiplied by tiles are in another order (`TiledGroup`).
Values below 2^-120 become zero, since the inverse of their step is not finite.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from rlx.backends.cpu.emit import tiles
from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.kernel import KernelCode, Tensor
from rlx.backends.cpu.emit.values import F32, I1, I8, I16, I32, I64, Value, type_of
from rlx.backends.cpu.kernels.experts import RowTable
from rlx.backends.cpu.kernels.movement.runs import index_of, merge_axes, offset_of, share_of, unravel
from rlx.backends.cpu.kernels.quantized.stored_words import NUMBERS, Numbers
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, minimum, product
from rlx.layouts.block_order import ROWS, BlockOrder

CHUNK = 256
"""Values that share a byte of the mask."""
FINER = 254
"""Steps of a residual per step of its byte: a residual is at most half a step, 127 of its own."""
T = TypeVar("T", int, Value)
GROUP_ROWS = tiles.ROWS
"""Rows that are stored together in the order of tiles; the least number of rows that are in it."""
_LINE = 64
_GAPS = 1.125
"""How many times as long an aligned block may be."""


def _lines(count: T) -> T:
    """Round a number of bytes up to full cache lines."""
    return (count + (_LINE - 1)) // _LINE * _LINE


@dataclass(frozen=True)
class Rounded:
    """The layout of a quantized row of x: byte offsets within a block, and of the parts after the blocks."""

    order: BlockOrder
    aligned: bool = False
    """Whether blocks begin on cache lines: a tile whose rows cross them takes four times as long to load."""
    marks_saturating: bool = False
    """Whether a block says which of its pairs saturate."""

    @staticmethod
    def of(order: BlockOrder, target: Target) -> Rounded:
        """The layout that a target's products read: aligned for tiles, unless the gaps between small blocks waste much of the cache."""
        plain = Rounded(order)
        by_tiles = target.has_tiles("int8") and not plain.numbers.signed and bool(order.planes)
        aligned = by_tiles and _lines(plain.stride) <= plain.stride * _GAPS
        return Rounded(order, aligned, marks_saturating_pairs(target, order))

    @property
    def numbers(self) -> Numbers:
        """The arithmetic of the weight's type."""
        return NUMBERS[self.order.name]

    @property
    def pairs(self) -> int:
        """The number of steps of a block, one per pair of groups."""
        return 1 if self.numbers.signed else max(len(self.order.pairs), 1)

    @property
    def steps(self) -> int:
        """The offset in a block of its steps."""
        return self.order.size * (2 if self.numbers.signed else 1)

    @property
    def sums(self) -> int:
        """The offset in a block of the sums of its groups."""
        return self.steps + 4 * self.pairs

    @property
    def saturating(self) -> int:
        """The offset in a block of the bits of its saturating pairs."""
        groups = 0 if self.numbers.signed else self.order.groups or 1
        return self.sums + 4 * groups

    @property
    def stride(self) -> int:
        """Bytes from one quantized block to the next."""
        used = self.saturating + (4 if self.marks_saturating else 0)
        return _lines(used) if self.aligned else used

    def masks(self, length: T) -> T:
        """The offset in a row of `length` blocks of its masks."""
        return length * self.stride

    def residuals(self, length: T) -> T:
        """The offset in a row of its second bytes (residuals): after a multiple of eight masks."""
        each = CHUNK // self.order.size
        return self.masks(length) + (length + (8 * each - 1)) // (8 * each) * 8

    def row(self, length: T) -> T:
        """Bytes of a quantized row."""
        if self.numbers.signed:
            return self.masks(length)
        used = self.residuals(length) + length * self.order.size
        # an odd number of lines: those of sixteen rows do not meet in the same places of a cache
        return _lines(used) | _LINE if self.aligned else used


@dataclass(frozen=True)
class TiledGroup:
    """The layout of a block of sixteen quantized rows in tile order: a row's lower bytes, its upper ones, …, then the steps."""

    size: int

    @property
    def row(self) -> int:
        """Bytes of a row of the tiled block."""
        return 2 * self.size

    @property
    def steps(self) -> int:
        """The offset in a tiled block of its steps."""
        return GROUP_ROWS * self.row

    @property
    def stride(self) -> int:
        """Bytes of a tiled block of all sixteen rows: as many as in row order."""
        return self.steps + 4 * GROUP_ROWS


# -- which values of x are too large for products of two words to be added in 16 bits ---------------------------------
#
# The bytes of IQ2 are up to 86, so 16 bits hold the products of one word with any x, 2 · 86 · 127, and of two words with most: if the four
# values of x that meet in a sum come to no more than 381, their signs left out. Values share a step that makes the largest of them 127;
# of normally distributed ones about one pair of groups in sixty has a sum above that. Such a pair is *saturating*, others are *safe*.
# Rows are quantized once and multiplied by all columns, so a bit for each pair is stored with x, and a tile none of whose rows saturates
# there adds two words before it multiplies by their scales: 12 multiplications instead of 16. The sums are the same integers.


SAFE_WORDS = 2
"""Words of a safe pair whose products are added in 16 bits."""
_PAIR_WORDS = 8
_BYTES = I8.vector(4 * _PAIR_WORDS)


def marks_saturating_pairs(target: Target, order: BlockOrder) -> bool:
    """Whether quantized rows mark saturating pairs: 16 bits hold the products of one word, and there are no dot products."""
    numbers = NUMBERS[order.name]
    unpacks = target.is_x86 and target.vector_bytes == 32 and target.has("avx2") and not target.has_dot_products(ROWS)
    return unpacks and bool(order.pairs) and not numbers.signed and numbers.depth == 1


def store_saturating_pairs(k: Function, order: BlockOrder, block: Value, offset: int) -> None:
    """Store a bit for each saturating pair of a block of x, computed from its bytes, at an offset."""
    assert order.size == len(order.pairs) * _BYTES.lanes
    limit, bits = 32767 // NUMBERS[order.name].most, k.var(0, I32)
    for pair in k.range(len(order.pairs)):
        values = k.load(k.pointer(block, pair * _BYTES.lanes, I8), 0, _BYTES, align=1)
        sums = k.multiply_add_bytes(k.constant(1, _BYTES), k.abs(values))
        words = k.bitcast(sums, I32.vector(_PAIR_WORDS))
        others = k.shuffle(words, None, [word ^ 1 for word in range(_PAIR_WORDS)])
        saturates = k.any_lane(sums + k.bitcast(others, sums.type) > limit)
        bits.set(bits.get() | k.convert(saturates, I32, signed=False) << k.convert(pair, I32))
    k.store(bits.get(), k.pointer(block, offset, I8), 0)


# -- rounding ----------------------------------------------------------------------------------------------------------
_FAR = 2.0
"""A block whose maximum exceeds this many times the row's mean of maxima gets a second byte."""
_SMALLEST = 2.0**-120
_MAGIC = 1.5 * 2.0**23
"""Added to a number below 2^22, it leaves the nearest integer, ties to even, in the lowest bits."""
_ZEROS = I8.vector(32)
_UNIT_ROWS_BYTES, _UNIT_BLOCKS = 1 << 14, 8
_MOST_UNITS = 256
_TABLE = 1
"""Which tensor of the stage is the table of the experts' rows."""


def rows_with_room(rows: Size, tiled: bool, table: RowTable | None) -> Size:
    """The number of rows that the quantized x has memory for: in tile order, sixteen in the last group as well."""
    if table is not None:
        return table.length
    return ceildiv(rows, GROUP_ROWS) * GROUP_ROWS if tiled else rows


def streams_words(target: Target, order: BlockOrder) -> bool:
    """Whether a single row of x is multiplied by words as they are stored; more rows have the words regrouped."""
    return target.is_x86 and target.has_dot_products(ROWS) and order.weaves


def round_units(order: BlockOrder, x: Tensor, tiled: bool, table: RowTable | None) -> Size:
    """The unit count of the quantization of x: some rows each, or in tile order some blocks of sixteen rows."""
    rows = product(x.dims[:-1])
    units = minimum(minimum(ceildiv(product(x.dims) * 4, _UNIT_ROWS_BYTES), _MOST_UNITS), rows)
    if not tiled or table is not None:
        return units
    is_tiled = minimum(rows // GROUP_ROWS, 1)
    chunks = ceildiv(x.dims[-1] // order.size, _UNIT_BLOCKS)
    return units * (1 - is_tiled) + ceildiv(rows, GROUP_ROWS) * chunks * is_tiled


def round_rows(code: KernelCode, order: BlockOrder, x: Tensor, tiled: bool, table: RowTable | None) -> None:
    """Quantize the rows of x. Tensors: x, the table of its experts' rows if there is one, and the quantized rows, contiguous, in
    the order of the table. If `tiled`, sixteen and more rows are in tile order."""
    k, rows, units = code.code, _SourceRows(code, order, x, table), round_units(order, x, tiled, table)
    if not tiled:
        _round_by_rows(rows, units)
    elif table is not None:
        _round_by_experts(rows, table, units)
    elif isinstance(rows.count, int):
        _round_by_groups(rows)
    else:
        with k.when(index_of(code, rows.count) >= GROUP_ROWS):
            _round_by_groups(rows)
        with k.otherwise():
            _round_by_rows(rows, units)


class _SourceRows:
    """The rows of x to be quantized."""

    def __init__(self, code: KernelCode, order: BlockOrder, x: Tensor, table: RowTable | None) -> None:
        self.code, self.k, self.order, self.x, self.table = code, code.code, order, x, table
        self.count = product(x.dims[:-1])
        self.length = index_of(code, x.dims[-1] // order.size)
        self.outer, (self.strides,) = merge_axes(x.dims[:-1], x.strides[:-1]) if len(x.dims) > 1 else ((1,), ((0,),))

    def row(self, number: Value, lanes: int) -> _ActivationRow:
        """One row of x, quantized `lanes` values at a time."""
        base = offset_of(self.code, unravel(self.code, number, self.outer), self.strides)
        source = self.k.pointer(self.code.pointer(0), base, type_of(self.x.dtype.name))
        index = number if self.table is None else self.table.index_of_row(self.code, _TABLE, number)
        return _ActivationRow(self.code, Rounded.of(self.order, self.code.target), self.length, self.x, source, index, lanes)


def _round_by_rows(rows: _SourceRows, units: Size) -> None:
    k = rows.k
    first, last = share_of(rows.code, rows.count, units, 1, k.begin, k.end)
    for number in k.range(first, last):
        rows.row(number, min(rows.code.target.lanes(F32), 8)).emit()


def _round_by_experts(rows: _SourceRows, table: RowTable, units: Size) -> None:
    """Quantize row by row: in tile order if the row's expert has sixteen rows. These start at a multiple of sixteen, and take as
    many bytes in either order."""
    k = rows.k
    first, last = share_of(rows.code, rows.count, units, 1, k.begin, k.end)
    for number in k.range(first, last):
        with k.when(table.rows_beside(rows.code, _TABLE, number) >= GROUP_ROWS):
            row = rows.row(number, rows.code.target.lanes(F32))
            for block in k.range(rows.length):
                row.emit_for_tiles(block)
        with k.otherwise():
            rows.row(number, min(rows.code.target.lanes(F32), 8)).emit()


def _round_by_groups(rows: _SourceRows) -> None:
    """Quantize in tile order: the rows of a group share cache lines, so a unit has all sixteen."""
    k, count = rows.k, index_of(rows.code, rows.count)
    chunks = (rows.length + (_UNIT_BLOCKS - 1)).udiv(_UNIT_BLOCKS)
    for unit in k.range(k.begin, k.end):
        group, start = unit.udiv(chunks), unit.urem(chunks) * _UNIT_BLOCKS
        first = group * GROUP_ROWS
        for number in k.range(first, k.minimum(first + GROUP_ROWS, count)):
            row = rows.row(number, rows.code.target.lanes(F32))
            for block in k.range(start, k.minimum(start + _UNIT_BLOCKS, rows.length)):
                row.emit_for_tiles(block)


class _ActivationRow:
    """Quantizes one row of x."""

    def __init__(
        self, code: KernelCode, rounded: Rounded, length: Value, x: Tensor, source: Value, number: Value, lanes: int
    ) -> None:
        self.code, self.k, self.rounded, self.order = code, code.code, rounded, rounded.order
        self.source, self.number, self.length, self.lanes = source, number, length, lanes
        self.results = code.pointer(len(code.tensors) - 1)
        self.target = self.k.pointer(self.results, number * rounded.row(length), I8)
        self.inner, self.kind = x.strides[-1], type_of(x.dtype.name)
        has_dots = code.target.has_dot_products(ROWS)
        self.by_two = self.k.constant(not has_dots, I1)
        if streams_words(code.target, self.order):
            self.by_two = index_of(code, product(x.dims[:-1])) == 1

    def emit(self) -> None:
        """Quantize the row: signed weights block by block; others after the maximum of every pair, since their mean selects outliers."""
        if self.rounded.numbers.signed:
            for block in self.k.range(self.length):
                self._wide_block(block)
        else:
            self._bytes_of_pairs(self._largest_of_pairs() * _FAR)
            if self.rounded.marks_saturating:
                for block in self.k.range(self.length):
                    into = self.k.pointer(self.target, block * self.rounded.stride, I8)
                    store_saturating_pairs(self.k, self.order, into, self.rounded.saturating)

    def emit_for_tiles(self, block: Value) -> None:
        """Quantize one block in tile order: the lower bytes of 16 bits, then the upper ones."""
        k, layout, size = self.k, TiledGroup(self.order.size), self.order.size
        group, number = self.number.udiv(GROUP_ROWS), self.number.urem(GROUP_ROWS)
        into = k.pointer(self.results, (group * self.length + block) * layout.stride, I8)
        parts = [self._read(block, k.index(at)) for at in range(0, size, self.lanes)]
        largest = k.constant(0.0, parts[0].type)
        for part in parts:
            largest = k.maximum(k.abs(part), largest)
        step, inverse = self._step(k.reduce_max(largest))
        k.store(step, k.pointer(into, layout.steps, I8), number)
        line = k.pointer(into, number * layout.row, I8)
        for index, part in enumerate(parts):
            integers = self._whole(part, inverse)
            for side, half in enumerate((integers, integers >> 8)):
                k.store(k.convert(half, I8), line, side * size + index * self.lanes, align=1)

    def _wide_block(self, block: Value) -> None:
        """Quantize one block to 16 bits."""
        k, order, layout = self.k, self.order, self.rounded
        into = k.pointer(self.target, block * layout.stride, I8)
        step, inverse = self._step(self._largest(block, [0], order.size))
        k.store(step, k.pointer(into, layout.steps, I8), 0)
        for index in range(max(len(order.pairs), 1)):
            starts, count = self._segments(index)
            words = k.pointer(into, 2 * len(starts) * count * index, I8)
            for at in k.range(0, count, self.lanes):
                parts = [k.convert(self._whole(self._read(block, start + at), inverse), I16) for start in starts]
                k.store(_interleave(k, parts, 1), words, at * len(starts), align=2)

    def _largest_of_pairs(self) -> Value:
        """Store the maximum of each pair in place of its step; returns their mean."""
        k, layout = self.k, self.rounded
        total = k.var(0.0, F32)
        for block in k.range(self.length):
            steps = k.pointer(self.target, block * layout.stride + layout.steps, I8)
            for index in range(layout.pairs):
                top = self._largest(block, *self._segments(index))
                k.store(top, steps, index)
                total.set(total.get() + top)
        return total.get() * (1.0 / k.convert(self.length * layout.pairs, F32))

    def _bytes_of_pairs(self, far: Value) -> None:
        """Store the bytes of all pairs, second bytes for pairs with outliers, and the masks."""
        k, layout = self.k, self.rounded
        mask, bits = k.var(0, I8), CHUNK // self.order.size * layout.pairs
        for block in k.range(self.length):
            for index in range(layout.pairs):
                number = (block * layout.pairs + index).urem(bits)
                bit = k.convert(k.convert(self._pair(block, index, far), I64, signed=False) << number, I8)
                mask.set(k.select(number == 0, bit, mask.get() | bit))
            k.store(mask.get(), k.pointer(self.target, layout.masks(self.length), I8), (block * self.order.size).udiv(CHUNK))

    def _pair(self, block: Value, index: int, far: Value) -> Value:
        """Store the step of a pair, its bytes, its sums, and second bytes or zeros; returns whether it has second bytes."""
        k, layout = self.k, self.rounded
        into = k.pointer(self.target, block * layout.stride, I8)
        top = k.load(k.pointer(into, layout.steps, I8), index, F32)
        step, inverse = self._step(top)
        k.store(step, k.pointer(into, layout.steps, I8), index)
        starts, count = self._segments(index)
        first, size = len(starts) * count * index, len(starts) * count
        sums = [total * step for total in self._bytes(block, starts, count, k.pointer(into, first, I8), inverse)]
        totals = [k.var(value) for value in sums]
        residuals = k.pointer(self.target, block * self.order.size + layout.residuals(self.length) + first, I8)
        with k.when(top > far):
            finer = (step, inverse)
            for total, more in zip(
                totals, self._bytes(block, starts, count, residuals, inverse * float(FINER), finer), strict=True
            ):
                total.set(k.fma(more, step * (1.0 / FINER), total.get()))
        with k.otherwise():
            for at in range(0, size, _ZEROS.lanes):
                k.store(k.constant(0, _ZEROS), k.pointer(residuals, at, I8), 0, align=1)
        for side, total in enumerate(totals):
            k.store(total.get(), k.pointer(into, layout.sums, I8), len(starts) * index + side)
        return top > far

    def _bytes(
        self, block: Value, starts: list[int], count: int, into: Value, inverse: Value, earlier: tuple[Value, Value] | None = None
    ) -> list[Value]:
        """Store the bytes of a pair, or of its residual after the first bytes with (step, inverse); returns each group's sum in f32."""
        k = self.k
        sums = [k.var(0, I32.vector(self.lanes)) for _ in starts]
        for at in k.range(0, count, self.lanes):
            parts = []
            for start, total in zip(starts, sums, strict=True):
                number = self._read(block, start + at)
                if earlier is not None:
                    step, first = earlier
                    integers = k.convert(self._whole(number, first), F32)
                    number = k.fma(-integers, k.splat(step, self.lanes), number)
                part = self._whole(number, inverse)
                total.set(total.get() + part)
                parts.append(k.convert(part, I8))
            k.store(self._order_bytes(parts), into, at * len(starts), align=1)
        return [k.convert(k.reduce_add(total.get()), F32) for total in sums]

    def _order_bytes(self, parts: list[Value]) -> Value:
        """Interleave the bytes of both groups: by twos, or with dot products by fours unless a single row streams words."""
        if len(parts) == 1 or self.by_two.constant is not None:
            return _interleave(self.k, parts, 2 if self.by_two.constant else 4)
        return self.k.select(self.by_two, _interleave(self.k, parts, 2), _interleave(self.k, parts, 4))

    # -- numbers
    def _segments(self, pair: int) -> tuple[list[int], int]:
        """The segments of a pair in a block: their offsets, and their length."""
        if not self.order.pairs:
            return [0], self.order.size
        return [number * self.order.group for number in self.order.pairs[pair]], self.order.group

    def _read(self, block: Value, at: Value) -> Value:
        """Load adjacent values of a block in f32."""
        k, index = self.k, block * self.order.size + at
        if isinstance(self.inner, int) and self.inner == 1:
            return k.convert(k.load(self.source, index, self.kind.vector(self.lanes)), F32)
        stride = self.code.size(self.inner)
        return k.convert(k.gather_strided(self.source, index * stride, stride, self.kind.vector(self.lanes)), F32)

    def _largest(self, block: Value, starts: list[int], count: int) -> Value:
        """The largest |x| of some segments."""
        k = self.k
        largest = k.var(0.0, F32.vector(self.lanes))
        for start in starts:
            for at in k.range(0, count, self.lanes):
                largest.set(k.maximum(k.abs(self._read(block, start + at)), largest.get()))
        return k.reduce_max(largest.get())

    def _step(self, top: Value) -> tuple[Value, Value]:
        """The quantization step for a maximum, and its inverse."""
        k, steps = self.k, self.rounded.numbers.steps
        return top * (1.0 / steps), k.select(top < _SMALLEST, 0.0, k.constant(float(steps), F32) / top)

    def _whole(self, numbers: Value, inverse: Value) -> Value:
        """Round scaled numbers to integers of 32 bits."""
        k = self.k
        bits = k.bitcast(numbers * k.splat(inverse, self.lanes) + _MAGIC, I32.vector(self.lanes))
        return bits - k.bitcast(k.constant(_MAGIC, F32.vector(self.lanes)), bits.type)


def _interleave(k: Function, parts: list[Value], run: int) -> Value:
    """Interleave two groups by `run` values each; or in one group of 16 bits, put the first and third of every four before the others."""
    if len(parts) == 2:
        lanes = parts[0].type.lanes
        order = [base + i for start in range(0, lanes, run) for base in (start, start + lanes) for i in range(run)]
        return k.shuffle(parts[0], parts[1], order)
    if run > 1:
        return parts[0]
    return k.shuffle(parts[0], parts[0], [i + j for i in range(0, parts[0].type.lanes, 4) for j in (0, 2, 1, 3)])
