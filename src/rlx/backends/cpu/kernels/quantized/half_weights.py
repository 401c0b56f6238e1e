"""Matrix products with 16-bit float weights interleaved in groups of eight columns: vectors for a few rows, bf16 tiles from 16 rows on.

Unpacking a panel pays off if many rows of x use it. For a few rows, the weight is streamed with prefetches,
one cache line of each group of eight columns in turn, and converted in registers.
"""

from __future__ import annotations

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.kernel import KernelCode, Tensor
from rlx.backends.cpu.emit.tiles import COLUMNS, ROW_BYTES, TILE_BYTES, Tiles
from rlx.backends.cpu.emit.tiles import ROWS as TILE_ROWS
from rlx.backends.cpu.emit.values import BF16, F16, F32, I8, I16, I32, I64, PTR, Value, type_of
from rlx.backends.cpu.kernels.matmul.blocking import PAIRED_STEP
from rlx.backends.cpu.kernels.movement.runs import index_of, merge_axes, offset_of, unravel
from rlx.backends.cpu.kernels.quantized.dequant_values import InterleavedRows
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, minimum, product
from rlx.core.dtype import bf16, i32
from rlx.core.shape import Shape
from rlx.layouts.block_order import ROWS

FEW = (1, 2, 4)
"""Row counts that one pass over the weight serves."""
_SUMS = 8
"""Independent accumulators that keep the multipliers busy."""
_STEP = 4
"""Steps of k in a cache line of eight columns."""
_AHEAD = 1024
"""Prefetch distance in bytes; targets with `stream_locality` use their own."""
_IN_PLACE = 'call void asm sideeffect "", "~{memory}"()'
"""A compiler barrier without an instruction: loads and prefetches are not moved across it."""
_BYTES = 2 * ROWS
_FLOATS = F32.vector(ROWS)


def halves_function(module: Module, name: str, rows: int, eights: int, chains: int | None = None) -> Function:
    """(eight columns, …, depth, row, …, sums): stores the dot products of some rows of x in f32, `[rows, groups, 8]`.

    Each dot product has `chains` independent accumulators along k; None: as many as keep the FMA units busy.
    """
    chains = chains or max(1, min(_STEP, _SUMS // (eights * rows)))
    parameters = [*((f"eight{i}", PTR) for i in range(eights)), ("depth", I64)]
    parameters += [*((f"row{i}", PTR) for i in range(rows)), ("sums", PTR)]

    def emit(k: Function) -> None:
        weights, (depth, *xs, sums) = k.parameters[:eights], k.parameters[eights:]
        _HalfStream(k, name, list(weights), xs, chains).emit(depth, sums)

    return module.shared(f"halves_{name}_{rows}_{eights}_{chains}", parameters, emit)


class _HalfStream:
    """Emits the product of a few rows with streamed 16-bit floats, in one function."""

    def __init__(self, k: Function, name: str, weights: list[Value], rows: list[Value], chains: int) -> None:
        self.k, self.weights, self.rows, self.chains = k, weights, rows, chains
        self.ahead = k.target.prefetch_distance if k.target.stream_locality else _AHEAD
        self.kind = (BF16 if name == "BF16" else F16).vector(ROWS)
        self.totals = [[[k.var(0.0, _FLOATS) for _ in range(self.chains)] for _ in weights] for _ in rows]

    def emit(self, depth: Value, sums: Value) -> None:
        """Multiply full cache lines, then the remainder."""
        k = self.k
        full = depth & -_STEP
        for start in k.range(0, full, _STEP):
            for weight in self.weights:
                k.line(_IN_PLACE)
                k.prefetch_once(weight, start * _BYTES + self.ahead)
            for step in range(_STEP):
                self._step(start + step, step % self.chains)
        for at in k.range(full, depth):
            self._step(at, 0)
        for i, row in enumerate(self.totals):
            for j, chain in enumerate(row):
                total = chain[0].get()
                for other in chain[1:]:
                    total = total + other.get()
                k.store(total, sums, (i * len(self.weights) + j) * ROWS)

    def _step(self, step: Value, chain: int) -> None:
        """Multiply one step of k of every row and column."""
        k = self.k
        numbers = [k.convert(k.load(k.pointer(weight, step * _BYTES, I8), 0, self.kind, align=2), F32) for weight in self.weights]
        for row, totals in zip(self.rows, self.totals, strict=True):
            x = k.splat(k.load(row, step, F32), ROWS)
            for number, total in zip(numbers, totals, strict=True):
                total[chain].set(k.fma(x, number, total[chain].get()))


# -- 16 rows of x and more: bf16 tiles, with the precision of f32 -----------------------------------------------------
#
# An f32 is the sum of three bf16: its upper eight significand bits, the bf16 nearest to the remainder, and what then remains. An f16 is
# the sum of two. Products of bf16 are exact in f32, so three of them for a bf16 weight, and five for an f16 one, equal the f32 product to
# a relative error of 2^-24. x is split once, in the layout that tile loads read; the weight is split panel by panel, once per 256 rows.
#
# Inf and NaN cannot be split. x and each panel of the weight are checked while they are split; an x or a panel with a non-finite value is
# multiplied by the code without tiles.


_X_PARTS = 3
_PRODUCTS = {"F16": ((0, 0), (0, 1), (1, 1), (1, 0), (2, 0)), "BF16": ((0, 0), (1, 0), (2, 0))}
"""(part of x, part of the weight), in an order in which neighbours share one of them."""
_EXPONENTS = {"F16": 0x0400, "BF16": 0x0080}
"""The lowest bit of the exponent."""
_SIDES = 2
"""Column tiles of a panel."""
_CHUNK_STEPS = 8
"""Steps of k per chunk, so that a panel's tiles stay in L1."""
_GROUPS = 16
"""Groups of 16 rows in a block, so that their sums stay in L2."""
_UPPER = -0x10000
"""Mask of the bits of an f32 that form a bf16."""
_HALF = 0x8000
_TILE_FLOATS, _WORDS, _HALVES = F32.vector(COLUMNS), I32.vector(COLUMNS), I16.vector(COLUMNS)
_LARGEST = 0x7F7FFFFF
"""The bits of the largest finite number."""


def has_parts(weight: object, x: Tensor, target: Target) -> bool:
    """Whether a product can split floats into bf16 parts: dense rows of x, interleaved weights of 16-bit floats, and tiles."""
    if not isinstance(weight, InterleavedRows) or weight.order.name not in _PRODUCTS or not target.has_tiles("bf16"):
        return False
    return x.dtype.name != "f64" and isinstance(x.strides[-1], int) and x.strides[-1] == 1


# -- rows of x
def parts_of_rows(x: Tensor) -> tuple[Tensor, Tensor]:
    """The temporaries of x's bf16 parts: tiles `[groups of 16 rows, steps of k, parts, rows, values]`, and a non-finite flag per group."""
    groups, steps = ceildiv(product(x.dims[:-1]), TILE_ROWS), ceildiv(x.dims[-1], PAIRED_STEP)
    tiles = Shape.make((groups, steps, _X_PARTS, TILE_ROWS, PAIRED_STEP), bf16)
    return Tensor.dense(tiles), Tensor.dense(Shape.make((groups,), i32))


def part_units(x: Tensor) -> Size:
    """The unit count of splitting x: sixteen rows each; none if x has fewer."""
    rows = product(x.dims[:-1])
    return ceildiv(rows, TILE_ROWS) * minimum(rows // TILE_ROWS, 1)


def part_rows(code: KernelCode, x: Tensor) -> None:
    """Split x into bf16 parts. Tensors: x, its tiles, and a flag per group of 16 rows that is set for Inf or NaN."""
    k, kind = code.code, type_of(x.dtype.name)
    rows, depth = index_of(code, product(x.dims[:-1])), index_of(code, x.dims[-1])
    steps = (depth + (PAIRED_STEP - 1)).udiv(PAIRED_STEP)
    outer, (strides,) = merge_axes(x.dims[:-1], x.strides[:-1]) if len(x.dims) > 1 else ((1,), ((0,),))
    for unit in k.range(k.begin, k.end):
        largest = k.var(0, _WORDS)
        first = unit * TILE_ROWS
        for row in k.range(k.minimum(TILE_ROWS, rows - first)):
            base = offset_of(code, unravel(code, first + row, outer), strides)
            source = k.pointer(code.pointer(0), base, kind)
            for step in k.range(steps):
                tile = (unit * steps + step) * (_X_PARTS * TILE_ROWS * PAIRED_STEP) + row * PAIRED_STEP
                for half in range(0, PAIRED_STEP, COLUMNS):
                    at = step * PAIRED_STEP + half
                    stored = k.load_masked(source, at, k.maximum(depth - at, 0), kind.vector(COLUMNS))
                    number = k.convert(stored, F32)
                    largest.set(k.maximum(largest.get(), k.bitcast(number, _WORDS) & 0x7FFFFFFF))
                    for part in range(_X_PARTS):
                        bits = _upper(k, number, nearest=part == 1)
                        into = tile + part * (TILE_ROWS * PAIRED_STEP) + half
                        k.store(k.convert(bits.ushr(16), _HALVES), code.pointer(1), into)
                        number = number - k.bitcast(bits, _TILE_FLOATS)
        strange = k.any_lane(largest.get() > _LARGEST)
        k.store(k.select(strange, k.constant(1, I32), k.constant(0, I32)), code.pointer(2), unit)


def _upper(k: Function, number: Value, *, nearest: bool) -> Value:
    """Round f32 to the bits of a bf16: to nearest (infinity for the largest numbers), or towards zero."""
    bits = k.bitcast(number, _WORDS)
    return (bits + _HALF if nearest else bits) & _UPPER


# -- the product
def parts_scratch() -> int:
    """Bytes of scratch of a product of bf16 parts: the tiles of a chunk of a panel, and those of the sums of a block."""
    return _SIDES * TILE_BYTES * (_CHUNK_STEPS * 2 + _GROUPS)


class PartsProduct:
    """Emits the units of one product of bf16 parts: a unit is a panel of columns, times all rows."""

    def __init__(
        self, code: KernelCode, weight: InterleavedRows, sizes: tuple[Size, Size, Size], tensors: tuple[int, int, int]
    ) -> None:
        """`sizes`: rows, k and columns; `tensors`: the positions of x's tiles, of its flags for not finite, and of the result."""
        self.code, self.k, self.weight = code, code.code, weight
        self.m, self.depth, self.n = (index_of(code, size) for size in sizes)
        self.x, self.strange, self.out = tensors
        self.products = _PRODUCTS[weight.order.name]
        self.parts = 1 + max(part for _, part in self.products)
        self.steps = (self.depth + (PAIRED_STEP - 1)).udiv(PAIRED_STEP)
        self.groups = (self.m + (TILE_ROWS - 1)).udiv(TILE_ROWS)
        self.tiles = Tiles(self.k, bytes_of_k=2 * PAIRED_STEP)
        self.strange_words = self.k.var(0, _WORDS)
        self.panel = self.k.scratch
        self.sums = self.k.pointer(self.k.scratch, _SIDES * TILE_BYTES * _CHUNK_STEPS * 2, I8)

    def fits(self) -> Value:
        """Whether there are enough rows for tiles, and all of x is finite."""
        k, unfit = self.k, self.k.var(1, I32)
        with k.when(self.m >= TILE_ROWS):
            unfit.set(0)
            for group in k.range(self.groups):
                unfit.set(unfit.get() | k.load(self.code.pointer(self.strange), group, I32))
        return unfit.get() == 0

    def unit(self, column: Value) -> Value:
        """Multiply the panel that starts at a column. Returns whether the panel was all finite; if not, the result is invalid."""
        k = self.k
        self.strange_words.set(k.constant(0, _WORDS))
        with self.tiles.configured():
            for first in k.range(0, self.groups, _GROUPS):
                count = k.minimum(self.groups - first, _GROUPS)
                for start in k.range(0, self.steps, _CHUNK_STEPS):
                    steps = k.minimum(self.steps - start, _CHUNK_STEPS)
                    self._take_apart(column, start, steps)
                    paired = count & -2
                    for group in k.range(0, paired, 2):
                        self._multiply(first, group, 2, start, steps)
                    with k.when(paired < count):
                        self._multiply(first, paired, 1, start, steps)
                for group in k.range(count):
                    self._store(first + group, group, column)
        return ~k.any_lane(self.strange_words.get() != 0)

    # -- the weight
    def _take_apart(self, column: Value, start: Value, steps: Value) -> None:
        """Split a chunk of the panel into tiles `[step, part, side]`, two steps of k of a column adjacent; zeros past the last one."""
        k, size = self.k, 2 * ROWS
        last, total = (self.n - 1).udiv(ROWS), self.depth
        length = k.minimum(total - start * PAIRED_STEP, steps * PAIRED_STEP)
        base = self.code.pointer(self.weight.position)
        for side in range(_SIDES):
            eights = [k.minimum(column.udiv(ROWS) + side * 2 + i, last) for i in range(2)]
            lines = [k.pointer(base, (eight * total + start * PAIRED_STEP) * size, I8) for eight in eights]

            def read(step: Value, lines: list[Value] = lines) -> Value:
                pair = [k.load(k.pointer(line, step * size, I8), 0, I16.vector(ROWS), align=2) for line in lines]
                return k.concat(pair[0], pair[1])

            def write(at: Value, words: list[Value], side: int = side) -> None:
                step, pair = at.udiv(PAIRED_STEP), at.urem(PAIRED_STEP).udiv(2)
                for part, word in enumerate(words):
                    tile = (step * self.parts + part) * _SIDES + side
                    k.store(word, self.panel, tile * (TILE_BYTES // 4) + pair * COLUMNS)

            paired, zeros = length & -2, k.constant(0, _HALVES)
            for step in k.range(0, paired, 2):
                write(step, self._words(read(step), read(step + 1)))
            with k.when(paired < length):
                write(paired, self._words(read(paired), zeros))
            for step in k.range((length + 1) & -2, steps * PAIRED_STEP, 2):
                write(step, [k.constant(0, _WORDS)] * self.parts)

    def _words(self, even: Value, odd: Value) -> list[Value]:
        """Split two steps of sixteen columns into parts, in the lower and the upper half of words; checks that all numbers are finite."""
        k = self.k
        lower, upper = (k.convert(half, I32, signed=False) for half in (even, odd))
        both, exponent = lower | (upper << 16), _EXPONENTS[self.weight.order.name]
        # Inf and NaN have all exponent bits set: only there, adding the exponent's lowest bit carries into the cleared sign bit.
        carried = (both & 0x7FFF7FFF) + (exponent | exponent << 16)
        self.strange_words.set(self.strange_words.get() | (carried & -0x7FFF8000))
        if self.parts == 1:
            return [both]
        words, numbers = [], [k.convert(k.bitcast(half, F16.vector(COLUMNS)), F32) for half in (even, odd)]
        for _ in range(self.parts):
            bits = [_upper(k, number, nearest=True) for number in numbers]
            words.append(bits[0].ushr(16) | bits[1])
            numbers = [number - k.bitcast(own, _TILE_FLOATS) for number, own in zip(numbers, bits, strict=True)]
        return words

    # -- tiles
    def _multiply(self, first: Value, group: Value, count: int, start: Value, steps: Value) -> None:
        """Multiply one or two sixteens of rows by both sides of the panel, added to the sums of earlier chunks."""
        k, tiles = self.k, self.tiles
        sums = [
            (2 * i + side, k.pointer(self.sums, ((group + i) * _SIDES + side) * TILE_BYTES, I8))
            for i in range(count)
            for side in range(_SIDES)
        ]
        with k.when(start == 0):
            for tile, _ in sums:
                tiles.zero(tile)
        with k.otherwise():
            for tile, slot in sums:
                tiles.load(tile, slot, ROW_BYTES)
        for step in k.range(steps):
            held: tuple[int, int] = (-1, -1)
            for part, weight_part in self.products:
                if part != held[0]:
                    for i in range(count):
                        at = ((first + group + i) * self.steps + start + step) * _X_PARTS + part
                        of_x = k.pointer(self.code.pointer(self.x), at * TILE_BYTES, I8)
                        tiles.load(4 + i, of_x, ROW_BYTES)
                        tiles.prefetch(4 + i, k.pointer(of_x, _X_PARTS * TILE_BYTES, I8), ROW_BYTES)
                if weight_part != held[1]:
                    for side in range(_SIDES):
                        at = (step * self.parts + weight_part) * _SIDES + side
                        tiles.load(6 + side, k.pointer(self.panel, at * TILE_BYTES, I8), ROW_BYTES)
                held = (part, weight_part)
                for i in range(count):
                    for side in range(_SIDES):
                        tiles.dot_bf16(2 * i + side, 4 + i, 6 + side)
        for tile, slot in sums:
            tiles.store(tile, slot, ROW_BYTES)

    def _store(self, number: Value, group: Value, column: Value) -> None:
        """Store the sums of sixteen rows to the result."""
        k, tensor = self.k, self.code.tensors[self.out]
        assert tensor is not None
        out, kind = self.code.pointer(self.out), type_of(tensor.dtype.name)
        start = number * TILE_ROWS
        for row in k.range(k.minimum(self.m - start, TILE_ROWS)):
            for side in range(_SIDES):
                left = self.n - column - side * COLUMNS
                at = (group * _SIDES + side) * (TILE_BYTES // 4) + row * COLUMNS
                value = k.convert(k.load(self.sums, at, _TILE_FLOATS), kind)
                with k.when(left > 0):
                    k.store_masked(value, out, (start + row) * self.n + column + side * COLUMNS, left)
