"""Sixteen and more rows of x times packed weights, with tiles of bytes: sums of 32 bits of 16 rows and 16 columns by one instruction.

A weight of up to 16 bits is two bytes, each a tile of its own: its scale is multiplied in, so that the sums of one step of x are
those of one tile. The integers are the same as those of `dot_rows.py` and become floats in the same order, so no bit of a row depends
on which of them multiplies it. Signed weights, whose x has 16 bits, have products of their own (`tiled_rows_function`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rlx.backends.cpu.emit import tiles
from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.tiles import ROW_BYTES, TILE_BYTES, Tiles
from rlx.backends.cpu.emit.values import F32, I8, I32, I64, PTR, Operand, Value
from rlx.backends.cpu.kernels.quantized.activations import GROUP_ROWS, TiledGroup
from rlx.backends.cpu.kernels.quantized.dot_rows import DotScratch, RowsByWords
from rlx.backends.cpu.kernels.quantized.grid_words import interleaved_block
from rlx.backends.cpu.kernels.quantized.integer_dot import Factors, IntegerDot
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
    """Byte offsets in scratch of a product by tiles, after those of `DotScratch`: the rows' masks, tiles of the weight, and of sums."""

    masks: int = -(-DotScratch.total // ROW_BYTES) * ROW_BYTES
    weights: int = masks + PANEL_ROWS
    tiles: int = weights + 2 * TILE_BYTES
    total: int = tiles + 2 * _SLOT


def tile_rows_function(module: Module, name: str) -> Function:
    """The function (eight columns, eight columns, quantized rows, blocks, bytes of a row, how many, scratch): sums of adjacent rows."""
    weights = [("weight", PTR), ("beside", PTR)]
    more = [("x", PTR), ("blocks", I64), ("row", I64), ("count", I64), ("scratch", PTR)]

    def emit(k: Function) -> None:
        addresses, (x, blocks, row, count, scratch) = k.parameters[:2], k.parameters[2:]
        _RowsByTiles(k, name).emit(addresses, x, blocks, row, count, scratch)

    return module.shared(f"tile_rows_{name}", [*weights, *more], emit)


@dataclass(frozen=True)
class _Image:
    """Some bytes of a span of the weight as a tile: its rows, and whether its bytes are signed."""

    rows: list[Value]
    sign: str


class _RowsByTiles(RowsByWords):
    """Multiplies sixteen and more rows by the words of a block as byte tiles."""

    def __init__(self, k: Function, name: str) -> None:
        super().__init__(k, name, 2 * ROWS)
        self.rounds = len(self.order.words) // self.span
        self.tiles = Tiles(k, bytes_of_k=4 * self.span)

    def _all_blocks(self) -> None:
        k, layout, scratch = self.k, TileScratch(), self.scratch
        self.masks, self.images, self.tiles_of_sums = (
            k.pointer(scratch, offset, I8) for offset in (layout.masks, layout.weights, layout.tiles)
        )
        for at in range(0, PANEL_ROWS, _MASKS.lanes):
            k.store(k.constant(0, _MASKS), self.masks, at)
        with self.tiles.configured():
            super()._all_blocks()

    def _only_round(self, block: Value, factors: Factors) -> None:
        self._span(block, self.k.index(0), factors)

    def _round(self, block: Value, number: Value) -> None:
        self._span(block, number, None)

    # -- a span
    def _span(self, block: Value, number: Value, factors: Factors | None) -> None:
        """Multiply a span of words by all rows; a block of one span is added with its factors to the sums of all blocks."""
        k, first = self.k, number * self.span
        offset = block * self.block_bytes + number * self._stored_bytes(self.span)
        eight = self._at(offset, prefetches=True)
        pair = first.udiv(self.pair_words)
        images = self._images(list(eight.quads(self.span)), self._load_scale(pair) if self.order.pairs else None)
        for index, image in enumerate(images):
            for row_of_image, line in enumerate(image.rows):
                k.store(line, self.images, index * TILE_BYTES + row_of_image * ROW_BYTES)
            self.tiles.load(_RIGHT + index, k.pointer(self.images, index * TILE_BYTES, I8), ROW_BYTES)
        rows = k.pointer(self.x, block * self.rounded.stride + k.load(self.offsets, 0, I64), I8)
        x = k.pointer(rows, first * 4, I8)
        ahead = first * 4 + self._bytes_ahead(number)  # the last byte that the next span reads of a row

        def to_floats(tiles: list[Value], line: Operand, row: Value) -> None:
            self._to_floats(tiles, k.index(line), row, rows, pair, ahead, factors)

        each = 2 // len(images) * TILE_ROWS  # rows of a round, which has two tiles of sums
        full = self.count.udiv(each) * each
        with k.when(full > 0):
            for tile in range(2):
                self._multiply_of_round(images, x, k.index(0), tile)
        for at in k.range(0, full, each):  # the next tiles are multiplied while the sums of these become floats
            for tile, some in enumerate((range(_FIRST_ROWS), range(_FIRST_ROWS, each))):
                with k.when(at + each < full):
                    self._multiply_of_round(images, x, at + each, tile)
                for row in some:
                    to_floats(self._tiles_of_round(images, at, row // TILE_ROWS), row % TILE_ROWS, at + row)
        for at in k.range(full, self.count, TILE_ROWS):
            # A tile always has sixteen rows: the last one begins earlier, and only its rows that are left are used.
            base, tiles = k.minimum(at, self.count - TILE_ROWS), self._tiles_of_round(images, k.index(0), 0)
            for index, image in enumerate(images):
                self._multiply(image, x, base, index, index, tiles[index])
            for last in k.range(at, k.minimum(at + TILE_ROWS, self.count)):
                to_floats(tiles, last - base, last)

    def _images(self, quads: list[Value], scale: Value | None) -> list[_Image]:
        """The tiles of some quads: one of unscaled bytes, or two of the lower and the upper bytes of 16 bits."""
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
        """The distance from a span's start in a row of x to the last byte of the next span, which may be in the next block."""
        inside = (self.rounds - 1) * self.tiles.depth
        distance = self.k.select(number == self.rounds - 1, self.rounded.stride - inside, self.tiles.depth)
        return distance + (self.tiles.depth - 1)

    def _tiles_of_round(self, images: list[_Image], at: Value, side: int) -> list[Value]:
        """The addresses of the tiles of sums of sixteen rows of a round; rounds alternate between two buffers."""
        k, each = self.k, 2 // len(images) * TILE_ROWS
        slot = k.pointer(self.tiles_of_sums, (at & each) * (_SLOT // each), I8)
        return [k.pointer(slot, (side + index) * TILE_BYTES, I8) for index in range(len(images))]

    def _multiply_of_round(self, images: list[_Image], x: Value, at: Value, tile: int) -> None:
        """Multiply one of the two tiles of a round: of the other image, or of the other sixteen rows."""
        index, side = (tile, 0) if len(images) == 2 else (0, tile)
        into = self._tiles_of_round(images, at, side)[index]
        self._multiply(images[index], x, at + side * TILE_ROWS, index, tile, into)

    def _multiply(self, image: _Image, x: Value, at: Value, index: int, total: int, into: Value) -> None:
        """Multiply sixteen rows of x by an image of the weight, into a tile in scratch."""
        if index == 0:
            self.tiles.load(_LEFT, self.k.pointer(x, at * self.row, I8), self.row)
        self.tiles.zero(total)
        self.tiles.dot_bytes(total, _LEFT, _RIGHT + index, "s", image.sign)
        self.tiles.store(total, into, ROW_BYTES)

    def _to_floats(
        self, tiles: list[Value], line: Value, row: Value, rows: Value, pair: Value, ahead: Value, factors: Factors | None
    ) -> None:
        """Convert a row of some tiles of sums to floats, times the step of x, and add it to the sums of the block or of all blocks."""
        k = self.k
        parts = [k.load(tile, line * self.columns, self.words) for tile in tiles]
        total = k.convert(parts[0] if len(parts) == 1 else parts[0] + (parts[1] << 8), F32)
        x = k.pointer(rows, row * self.row, I8)
        k.prefetch(x, ahead)
        at, step = row * self.columns, self._step(x, pair)
        if factors is None:
            k.store(k.fma(total, step, k.load(self.block_sums, at, self.floats)), self.block_sums, at)
        else:
            value = self._add(k.load(self.sums, at, self.floats), x, total * step, factors)
            k.store(value, self.sums, at)

    # -- second bytes
    def _residuals(self, first: Value) -> None:
        """Add second bytes as in `RowsByWords`, with the masks of all rows side by side: each pair visits only the rows that have it."""
        k = self.k
        at_mask = self.rounded.masks(self.blocks) + first.udiv(self.each)
        base, marked = k.pointer(self.x, at_mask, I8), k.var(0, I8)
        for at in k.range(self.count):
            own = k.load(base, k.load(self.offsets, at, I64), I8)
            k.store(own, self.masks, at)
            marked.set(marked.get() | own)
        mask = k.convert(marked.get(), I32, signed=False)
        with k.when(mask != 0):
            for block, pair in self._pairs_of_mask(mask):
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


# -- sixteen and more rows of x times packed weights of signed bytes, with tiles --------------------------------------
#
# x has 16 bits there, and its rows are stored as tiles read them: of each sixteen rows and block the lower and the upper bytes, in
# order, a cache line per row, then the steps. So the weight is a tile as it is stored, and
#
#     Σ w·x = Σ w·lower + 256 · Σ w·upper
#
# needs no other. A unit is 64 rows and 32 columns: what is loaded of x serves two panels, and a block of both panels stays in registers for
# all rows, for a product that waits for a load takes twice as long. The integers are those of the other products and become floats in the
# same order.
#
# Multiplying tiles takes as long as making floats of their sums, so both go on side by side: while the sums of sixteen rows become floats,
# the next sixteen are multiplied, a tile at a time, for a core does not look far ahead; after the last ones the first of the next block.
# The tiles that wait in memory are four and four: more would not stay in the first cache, beside all else.


_SIZE = 32
"""Values of a block."""
GROUP = TiledGroup(_SIZE)
"""A block of sixteen rows of x."""
PART_ROWS, PART_COLUMNS = 64, 32
"""Of a unit."""
_PANELS, _COLUMNS = PART_COLUMNS // tiles.COLUMNS, tiles.COLUMNS
_X, _WEIGHT = 4, 6
"""The first of the tiles of x (its lower bytes, its upper ones) and of the weight (a panel each); sums are in those from 0 on."""
_SIGNS = ("u", "s")
"""Of the lower and the upper bytes."""
_IMAGE = _SIZE // 4 * ROW_BYTES
"""Bytes of a tile of the weight."""
_PRODUCTS = tuple((side, panel) for side in range(2) for panel in range(_PANELS))
"""(whether of the upper bytes, panel) of what sixteen rows are multiplied by."""
_TURN_BYTES = len(_PRODUCTS) * TILE_BYTES
"""Tiles of sums of sixteen rows."""
_ROWS_EACH = GROUP_ROWS // len(_PRODUCTS)
"""Rows whose sums become floats beside one product of tiles."""


def has_tiled_rows(target: Target, name: str) -> bool:
    """Whether products of a type of signed numbers use tiles, with sixteen and more rows of x stored in tile order."""
    numbers, order = NUMBERS[name], ORDERS[name]
    is_plain = numbers.signed and numbers.scales is None and bool(order.planes) and order.size == _SIZE
    return is_plain and target.has_tiles("int8") and target.has_dot_products(_COLUMNS)


@dataclass(frozen=True)
class TiledScratch:
    """Byte offsets in scratch of rows in tile order: sums of all blocks, and double buffers of weight tiles, scales, tiles of sums."""

    sums: int = 0
    images: int = PART_ROWS * PART_COLUMNS * 4
    scales: int = images + 2 * _PANELS * _IMAGE
    slots: int = scales + 2 * _PANELS * ROW_BYTES
    total: int = slots + 2 * _TURN_BYTES


def tiled_rows_function(module: Module, name: str) -> Function:
    """The function (eight columns four times, groups of rows, blocks, group count, scratch): sums of up to 64 rows, 32 floats each."""
    weights = [(f"weight{number}", PTR) for number in range(PART_COLUMNS // ROWS)]
    more = [("x", PTR), ("blocks", I64), ("groups", I64), ("scratch", PTR)]

    def emit(k: Function) -> None:
        addresses, (x, blocks, groups, scratch) = k.parameters[: len(weights)], k.parameters[len(weights) :]
        _TiledRows(k, name, addresses, x, blocks, groups, scratch).emit()

    return module.shared(f"tiled_rows_{name}", [*weights, *more], emit)


class _TiledRows(IntegerDot):
    """Multiplies rows in tile order by blocks of signed bytes as tiles."""

    def __init__(
        self, k: Function, name: str, weights: Sequence[Value], x: Value, blocks: Value, groups: Value, scratch: Value
    ) -> None:
        super().__init__(k, name, _COLUMNS)
        self.panels = [weights[first : first + 2] for first in range(0, len(weights), 2)]
        self.x, self.blocks, self.groups = x, blocks, groups
        layout = TiledScratch()
        self.sums, self.images, self.scales, self.slots = (
            k.pointer(scratch, offset, I8) for offset in (layout.sums, layout.images, layout.scales, layout.slots)
        )
        self.tiles = Tiles(k, bytes_of_k=_SIZE)

    def emit(self) -> None:
        """Multiply block by block, each by all rows: the next tiles are multiplied while sums become floats."""
        k, first = self.k, self.k.index(0)
        for row in k.range(self.groups * GROUP_ROWS):
            for panel in range(_PANELS):
                k.store(k.constant(0.0, self.floats), self.sums, row * PART_COLUMNS + panel * _COLUMNS)
        with self.tiles.configured():
            self._weights(first)
            for side, panel in _PRODUCTS:
                self._multiply(first, first, side, panel, first)
            turn = k.var(0)
            for block in k.range(self.blocks):
                with k.when(block + 1 < self.blocks):
                    self._weights(block + 1)
                scales = [k.load(self._scales(block, panel), 0, self.floats) for panel in range(_PANELS)]
                for group in k.range(self.groups):
                    this, following = turn.get(), turn.get() + 1
                    is_last = group + 1 == self.groups
                    next_block, next_group = k.select(is_last, block + 1, block), k.select(is_last, first, group + 1)
                    for line in range(GROUP_ROWS):
                        number, rest = divmod(line, _ROWS_EACH)
                        if rest == 0 and number < len(_PRODUCTS):
                            with k.when(next_block < self.blocks):
                                self._multiply(next_block, next_group, *_PRODUCTS[number], following)
                        self._to_floats(block, group, line, scales, this)
                    turn.set(following)

    # -- the weight
    def _weights(self, block: Value) -> None:
        """Store a block of both panels as tiles in scratch, and their scales."""
        k, offset = self.k, block * self.block_bytes
        for panel, weights in enumerate(self.panels):
            bases = [k.pointer(weight, offset, I8) for weight in weights]
            ahead = self._ahead(len(bases) * _PANELS, offset, self.blocks)
            eight = interleaved_block(k, self.name, bases[0], ahead, *bases[1:])
            image = self._image(block, panel)
            for number, word in enumerate(eight.words()):
                k.store(word, image, number * ROW_BYTES)
            scales, minimums = eight.scale_pairs()
            k.store(self._factors(eight, scales, minimums).d, self._scales(block, panel), 0)

    def _image(self, block: Value, panel: int) -> Value:
        """The address of the tile of a block of a panel; blocks alternate between two buffers."""
        return self.k.pointer(self.images, ((block & 1) * _PANELS + panel) * _IMAGE, I8)

    def _scales(self, block: Value, panel: int) -> Value:
        return self.k.pointer(self.scales, ((block & 1) * _PANELS + panel) * ROW_BYTES, I8)

    # -- rows
    def _rows(self, block: Value, group: Value) -> Value:
        """The address of a block of sixteen rows of x."""
        return self.k.pointer(self.x, (group * self.blocks + block) * GROUP.stride, I8)

    def _slot(self, turn: Value, side: int, panel: int) -> Value:
        """The address of a tile of sums; sixteens of rows alternate between two buffers."""
        return self.k.pointer(self.slots, (turn & 1) * _TURN_BYTES + (side * _PANELS + panel) * TILE_BYTES, I8)

    def _multiply(self, block: Value, group: Value, side: int, panel: int, turn: Value) -> None:
        """The lower or the upper bytes of sixteen rows times a block of a panel, into a tile in scratch.

        For the first panel the rows are loaded, and for the first rows of a block that of both panels.
        """
        k, total, x = self.k, side * _PANELS + panel, _X + side
        if (side, panel) == _PRODUCTS[0]:
            with k.when(group == 0):
                for each in range(_PANELS):
                    self.tiles.load(_WEIGHT + each, self._image(block, each), ROW_BYTES)
        if panel == 0:
            self.tiles.load(x, k.pointer(self._rows(block, group), side * _SIZE, I8), GROUP.row)
        self.tiles.zero(total)
        self.tiles.dot_bytes(total, x, _WEIGHT + panel, _SIGNS[side], "s")
        self.tiles.store(total, self._slot(turn, side, panel), ROW_BYTES)

    def _to_floats(self, block: Value, group: Value, row: int, scales: list[Value], turn: Value) -> None:
        """Convert a row of the tiles of sums to floats, times the step of x and the weight's scales, added to the sums of all blocks."""
        k, rows = self.k, self._rows(block, group)
        k.prefetch(rows, GROUP.stride + row * ROW_BYTES)  # what the next block reads of x
        step = k.splat(k.load(k.pointer(rows, GROUP.steps, I8), row, F32), _COLUMNS)
        for panel, scale in enumerate(scales):
            lower, upper = (k.load(self._slot(turn, side, panel), row * _COLUMNS, self.words) for side in range(2))
            at = (group * GROUP_ROWS + row) * PART_COLUMNS + panel * _COLUMNS
            products = k.convert(lower + (upper << 8), F32) * step
            k.store(k.fma(scale, products, k.load(self.sums, at, self.floats)), self.sums, at)
