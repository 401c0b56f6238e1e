"""Sixteen and more rows of x times packed weights, with tiles of bytes: sums of 32 bits of 16 rows and 16 columns by one instruction.

A weight of up to 16 bits is two bytes, each a tile of its own: its scale is multiplied in, so that the sums of one step of x are
those of one tile. The integers are the same as those of `dot_rows.py` and become floats in the same order, so no bit of a row depends
on which of them multiplies it. Signed weights, whose x has 16 bits, have products of their own (`tiled_rows.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.block_order import ORDERS, ROWS
from rlx.backends.cpu.emit import tiles
from rlx.backends.cpu.emit.builder import F32, I8, I32, I64, PTR, Function, Module, Value
from rlx.backends.cpu.emit.tiles import ROW_BYTES, TILE_BYTES, Tiles
from rlx.backends.cpu.kernels.quantized.dot_rows import DotScratch, RowsByWords
from rlx.backends.cpu.kernels.quantized.integer_dot import Factors
from rlx.backends.cpu.kernels.quantized.many_rows import COLUMNS, PANEL_ROWS
from rlx.backends.cpu.kernels.quantized.stored_words import NUMBERS
from rlx.backends.cpu.target import Target

__all__ = ["TILE_ROWS", "TileScratch", "has_tiles", "tile_rows_function"]

TILE_ROWS = tiles.ROWS
"""The least number of rows."""
_LEFT, _RIGHT = 4, 6
"""The first tiles of x and of the weight; sums are in those from 0 on."""
_UNROLLED = 4
"""Rows of sums that become floats in one round of a loop."""
_SLOT = 4 * TILE_BYTES
"""Tiles of sums of 32 rows."""
_MASKS = I8.vector(32)


def has_tiles(target: Target, name: str) -> bool:
    """Whether the products of a type of unsigned numbers can use tiles: what becomes a float together fits one.

    Types whose numbers are looked up, in codebooks or as digits, do not.
    """
    if NUMBERS[name].signed or not ORDERS[name].planes:
        return False
    if not target.has_tiles("int8") or not target.has_dot_products(COLUMNS):
        return False
    return 4 * RowsByWords(Module(target).function("probe", []), name, COLUMNS).span <= ROW_BYTES


@dataclass(frozen=True)
class TileScratch:
    """Byte offsets in scratch after those of `DotScratch`: the rows' masks, tiles of the weight, and of sums."""

    masks: int = -(-DotScratch.total // ROW_BYTES) * ROW_BYTES
    weights: int = masks + PANEL_ROWS
    tiles: int = weights + 2 * TILE_BYTES
    total: int = tiles + 2 * _SLOT


def tile_rows_function(module: Module, name: str) -> Function:
    """(eight columns, eight columns, quantized rows, blocks, bytes of a row, how many, scratch): the sums of adjacent rows."""
    title = f"tile_rows_{name}"
    known = module.functions.get(title)
    if known is not None:
        return known
    weights = [("weight", PTR), ("beside", PTR)]
    more = [("x", PTR), ("blocks", I64), ("row", I64), ("count", I64), ("scratch", PTR)]
    k = module.function(title, [*weights, *more], internal=True)
    given, (x, blocks, row, count, scratch) = k.parameters[:2], k.parameters[2:]
    _RowsByTiles(k, name).emit(given, x, blocks, row, count, scratch)
    return k


@dataclass(frozen=True)
class _Image:
    """Some bytes of a span of the weight: the rows of a tile, and how its bytes are signed."""

    rows: list[Value]
    sign: str


class _RowsByTiles(RowsByWords):
    """Emits the function of a type."""

    def __init__(self, k: Function, name: str) -> None:
        super().__init__(k, name, 2 * ROWS)
        self.spans = len(self.order.words) // self.span
        self.tiles = Tiles(k, bytes_of_k=4 * self.span)

    def _all_blocks(self) -> None:
        k, place, scratch = self.k, TileScratch(), self.scratch
        self.masks, self.images, self.found_tiles = (
            k.pointer(scratch, offset, I8) for offset in (place.masks, place.weights, place.tiles)
        )
        for at in range(0, PANEL_ROWS, _MASKS.lanes):
            k.store(k.constant(0, _MASKS), self.masks, at)
        with self.tiles.configured():
            super()._all_blocks()

    def _block(self, block: Value) -> None:
        """Span by span, each times all rows."""
        k = self.k
        eight = self._at(block * self.block_bytes)
        scales, minimums = eight.scale_pairs()
        for index, pair in enumerate(scales):
            k.store(pair, self.kept, index * self.pairs.lanes)
        factors = self._factors(eight, scales, minimums)
        if self.spans == 1:
            self._span(block, k.index(0), factors)
            return
        for number in k.range(self.spans):
            self._span(block, number, None)
        self._finish_block(block, factors)

    # -- a span
    def _span(self, block: Value, number: Value, factors: Factors | None) -> None:
        """Some words of a block times all rows; a block of one span goes with its factors into the sums of all blocks."""
        k, first = self.k, number * self.span
        offset = block * self.block_bytes + number * self._stored_bytes(self.span)
        eight = self._at(offset, prefetches=True)
        pair = first.udiv(self.pair_words)
        images = self._images(list(eight.quads(self.span)), self._kept(pair) if self.order.pairs else None)
        for index, image in enumerate(images):
            for place, line in enumerate(image.rows):
                k.store(line, self.images, index * TILE_BYTES + place * ROW_BYTES)
            self.tiles.load(_RIGHT + index, k.pointer(self.images, index * TILE_BYTES, I8), ROW_BYTES)
        rows = k.pointer(self.x, block * self.rounded.stride + k.load(self.offsets, 0, I64), I8)
        x, pairs = k.pointer(rows, first * 4, I8), self.count & -2 * TILE_ROWS
        ahead = first * 4 + self._bytes_ahead()  # the last byte that the next span reads of a row
        with k.when(pairs > 0):
            self._multiply_two(images, x, k.index(0))
        for at in k.range(0, pairs, 2 * TILE_ROWS):
            with k.when(
                at + 2 * TILE_ROWS < pairs
            ):  # the next tiles are multiplied while the sums of these become floats
                self._multiply_two(images, x, at + 2 * TILE_ROWS)
            for side in range(2):
                for row in k.range(0, TILE_ROWS, _UNROLLED):
                    for more in range(_UNROLLED):
                        here = row + more
                        row_of_x = at + here + side * TILE_ROWS
                        self._to_floats(images, self._tiles_of(at, side), here, row_of_x, rows, pair, ahead, factors)
        for at in k.range(pairs, self.count, TILE_ROWS):
            # A tile always has sixteen rows: the last one begins earlier, and only its rows that are left are used.
            base = k.minimum(at, self.count - TILE_ROWS)
            self._multiply(images, x, base, 0, self._tiles_of(k.index(0), 0))
            for row in k.range(at, k.minimum(at + TILE_ROWS, self.count)):
                self._to_floats(images, self._tiles_of(k.index(0), 0), row - base, row, rows, pair, ahead, factors)

    def _images(self, quads: list[Value], scale: Value | None) -> list[_Image]:
        """The tiles of some quads: one of bytes as they are, or the lower and the upper bytes of 16 bits."""
        k = self.k
        if scale is None:
            return [_Image(quads, "u")]
        both = k.bitcast(scale, self.words)
        sides = [(both & 0xFFFF) | (both << 16), both.ushr(16) | (both & -0x10000)]
        factors = [k.bitcast(side, self.pairs) for side in sides]
        lower, upper = [], []
        for index, quad in enumerate(quads):
            numbers, factor = k.bitcast(quad, self.pairs), factors[index % 2]
            even, odd = (numbers & 0xFF) * factor, numbers.ushr(8) * factor
            lower.append((even & 0xFF) | (odd << 8))
            upper.append(even.ushr(8) | (odd & -0x100))
        return [_Image(self._as_bytes(lower), "u"), _Image(self._as_bytes(upper), "s")]

    def _as_bytes(self, parts: list[Value]) -> list[Value]:
        return [self.k.bitcast(part, self.bytes) for part in parts]

    def _bytes_ahead(self) -> int:
        """From where a span begins in a row of x to the last byte of the next one."""
        next_span = self.rounded.stride if self.spans == 1 else self.tiles.depth
        return next_span + self.tiles.depth - 1

    def _tiles_of(self, at: Value, side: int) -> Value:
        """Where the sums of sixteen rows are, of those from a row on: every other 32 rows have a place of their own."""
        return self.k.pointer(
            self.found_tiles, (at & 2 * TILE_ROWS) * (_SLOT // (2 * TILE_ROWS)) + side * _SLOT // 2, I8
        )

    def _multiply_two(self, images: list[_Image], x: Value, at: Value) -> None:
        """Both sixteens of 32 rows."""
        for side in range(2):
            self._multiply(images, x, at + side * TILE_ROWS, side, self._tiles_of(at, side))

    def _multiply(self, images: list[_Image], x: Value, at: Value, side: int, into: Value) -> None:
        """Sixteen rows from one on, into tiles in scratch."""
        k, sums = self.k, [2 * side + index for index in range(len(images))]
        self.tiles.load(_LEFT + side, k.pointer(x, at * self.row, I8), self.row)
        for index, image in enumerate(images):
            self.tiles.zero(sums[index])
            self.tiles.dot_bytes(sums[index], _LEFT + side, _RIGHT + index, "s", image.sign)
        for index, total in enumerate(sums):
            self.tiles.store(total, k.pointer(into, index * TILE_BYTES, I8), ROW_BYTES)

    def _to_floats(
        self,
        images: list[_Image],
        tiles: Value,
        row: Value,
        at: Value,
        rows: Value,
        pair: Value,
        ahead: Value,
        factors: Factors | None,
    ) -> None:
        """A row of the tiles of sums: times the step of x, to the sums of the block, or of all blocks."""
        k = self.k
        parts = [
            k.load(k.pointer(tiles, index * TILE_BYTES, I8), row * self.columns, self.words)
            for index in range(len(images))
        ]
        total = k.convert(parts[0] if len(parts) == 1 else parts[0] + (parts[1] << 8), F32)
        x = k.pointer(rows, at * self.row, I8)
        k.prefetch(x, ahead)
        place, step = at * self.columns, self._step(x, pair)
        if factors is None:
            k.store(k.fma(total, step, k.load(self.found, place, self.floats)), self.found, place)
        else:
            value = self._added(k.load(self.sums, place, self.floats), x, total * step, factors)
            k.store(value, self.sums, place)

    # -- second bytes
    def _residuals(self, first: Value) -> None:
        """As in `RowsByWords`, with the masks of all rows side by side: each pair visits only the rows that have it."""
        k = self.k
        at_mask = self.rounded.masks(self.blocks) + first.udiv(self.each)
        base, marked = k.pointer(self.x, at_mask, I8), k.var(0, I8)
        for at in k.range(self.count):
            own = k.load(base, k.load(self.offsets, at, I64), I8)
            k.store(own, self.masks, at)
            marked.set(marked.get() | own)
        mask = k.convert(marked.get(), I32, signed=False)
        with k.when(mask != 0):
            for block, pair in self._marked(mask):
                weights = self._pair_weights(first + block, pair)
                bit = k.splat(k.convert(k.index(1) << (block + pair), I8), _MASKS.lanes)
                for part in k.range(0, self.count, _MASKS.lanes):
                    left = k.var(k.mask_bits((k.load(self.masks, part, _MASKS) & bit) != 0))
                    with k.loop() as loop:
                        loop.stop(left.get() == 0)
                        at = part + k.convert(k.count_trailing_zeros(left.get()), I64, signed=False)
                        left.set(left.get() & (left.get() - 1))
                        row = k.pointer(self.x, k.load(self.offsets, at, I64), I8)
                        self._second_bytes(weights, row, first + block, pair, at * self.columns)
