"""Sixteen and more rows of x times packed weights, with tiles of bytes: sums of 32 bits of 16 rows and 16 columns by one instruction.

A weight of up to 16 bits is two bytes, each a tile of its own: its scale is multiplied in, so that the sums of one step of x are
those of one tile. The integers are the same as those of `dot_rows.py` and become floats in the same order, so no bit of a row depends
on which of them multiplies it. Signed weights, whose x has 16 bits, have products of their own (`tiled_rows.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit import tiles
from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.tiles import ROW_BYTES, TILE_BYTES, Tiles
from rlx.backends.cpu.emit.types import F32, I8, I32, I64, PTR
from rlx.backends.cpu.emit.values import Operand, Value
from rlx.backends.cpu.kernels.quantized.dot_rows import DotScratch, RowsByWords
from rlx.backends.cpu.kernels.quantized.integer_dot import Factors
from rlx.backends.cpu.kernels.quantized.many_rows import COLUMNS, PANEL_ROWS
from rlx.backends.cpu.kernels.quantized.stored_words import NUMBERS
from rlx.backends.cpu.target import Target
from rlx.layouts.block_order import ORDERS, ROWS

TILE_ROWS = tiles.ROWS
"""The least number of rows."""
_LEFT, _RIGHT = 4, 6
"""The tile of x and the first of the weight; sums are in those from 0 on."""
_SLOT = 2 * TILE_BYTES
"""Tiles of sums of a round."""
_FIRST_ROWS = 8
"""Rows of a round whose sums become floats before its second tile is multiplied."""
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
    weights = [("weight", PTR), ("beside", PTR)]
    more = [("x", PTR), ("blocks", I64), ("row", I64), ("count", I64), ("scratch", PTR)]

    def emit(k: Function) -> None:
        given, (x, blocks, row, count, scratch) = k.parameters[:2], k.parameters[2:]
        _RowsByTiles(k, name).emit(given, x, blocks, row, count, scratch)

    return module.shared(f"tile_rows_{name}", [*weights, *more], emit)


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
        x = k.pointer(rows, first * 4, I8)
        ahead = first * 4 + self._bytes_ahead(number)  # the last byte that the next span reads of a row

        def to_floats(tiles: list[Value], place: Operand, row: Value) -> None:
            self._to_floats(tiles, k.index(place), row, rows, pair, ahead, factors)

        each = 2 // len(images) * TILE_ROWS  # rows of a round, which has two tiles of sums
        full = self.count.udiv(each) * each
        with k.when(full > 0):
            for tile in range(2):
                self._multiply_of_round(images, x, k.index(0), tile)
        for at in k.range(0, full, each):  # the next tiles are multiplied while the sums of these become floats
            for tile, some in enumerate((range(_FIRST_ROWS), range(_FIRST_ROWS, each))):
                with k.when(at + each < full):
                    self._multiply_of_round(images, x, at + each, tile)
                for place in some:
                    to_floats(self._tiles_of_round(images, at, place // TILE_ROWS), place % TILE_ROWS, at + place)
        for at in k.range(full, self.count, TILE_ROWS):
            # A tile always has sixteen rows: the last one begins earlier, and only its rows that are left are used.
            base, tiles = k.minimum(at, self.count - TILE_ROWS), self._tiles_of_round(images, k.index(0), 0)
            for index, image in enumerate(images):
                self._multiply(image, x, base, index, index, tiles[index])
            for row in k.range(at, k.minimum(at + TILE_ROWS, self.count)):
                to_floats(tiles, row - base, row)

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

    def _bytes_ahead(self, number: Value) -> Value:
        """From where a span begins in a row of x to the last byte of the next one, which may be of the next block."""
        inside = (self.spans - 1) * self.tiles.depth
        distance = self.k.select(number == self.spans - 1, self.rounded.stride - inside, self.tiles.depth)
        return distance + (self.tiles.depth - 1)

    def _tiles_of_round(self, images: list[_Image], at: Value, side: int) -> list[Value]:
        """Where the tiles of sums are of sixteen rows of the round from a row on: every other round has a place of its own."""
        k, each = self.k, 2 // len(images) * TILE_ROWS
        slot = k.pointer(self.found_tiles, (at & each) * (_SLOT // each), I8)
        return [k.pointer(slot, (side + index) * TILE_BYTES, I8) for index in range(len(images))]

    def _multiply_of_round(self, images: list[_Image], x: Value, at: Value, tile: int) -> None:
        """One of the two tiles of a round: of the other image, or of the other sixteen rows."""
        index, side = (tile, 0) if len(images) == 2 else (0, tile)
        into = self._tiles_of_round(images, at, side)[index]
        self._multiply(images[index], x, at + side * TILE_ROWS, index, tile, into)

    def _multiply(self, image: _Image, x: Value, at: Value, index: int, total: int, into: Value) -> None:
        """Sixteen rows of x from one on times an image of the weight, into a tile in scratch."""
        if index == 0:
            self.tiles.load(_LEFT, self.k.pointer(x, at * self.row, I8), self.row)
        self.tiles.zero(total)
        self.tiles.dot_bytes(total, _LEFT, _RIGHT + index, "s", image.sign)
        self.tiles.store(total, into, ROW_BYTES)

    def _to_floats(
        self, tiles: list[Value], place: Value, row: Value, rows: Value, pair: Value, ahead: Value, factors: Factors | None
    ) -> None:
        """A row of some tiles of sums: times the step of x, to the sums of the block, or of all blocks."""
        k = self.k
        parts = [k.load(tile, place * self.columns, self.words) for tile in tiles]
        total = k.convert(parts[0] if len(parts) == 1 else parts[0] + (parts[1] << 8), F32)
        x = k.pointer(rows, row * self.row, I8)
        k.prefetch(x, ahead)
        at, step = row * self.columns, self._step(x, pair)
        if factors is None:
            k.store(k.fma(total, step, k.load(self.found, at, self.floats)), self.found, at)
        else:
            value = self._added(k.load(self.sums, at, self.floats), x, total * step, factors)
            k.store(value, self.sums, at)

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
