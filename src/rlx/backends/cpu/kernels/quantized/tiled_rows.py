"""Sixteen and more rows of x times packed weights of signed bytes, with tiles.

x has 16 bits there, and its rows lie as tiles read them: of each sixteen rows and block the lower and the upper bytes, in order, a cache
line per row, then the steps. So the weight is a tile as it is stored, and

    Σ w·x = Σ w·lower + 256 · Σ w·upper

needs no other. A unit is 64 rows and 32 columns: what is loaded of x serves two panels, and a block of both panels stays in registers for
all rows, for a product that waits for a load takes twice as long. The integers are those of the other products and become floats in the
same order.

Multiplying tiles takes as long as making floats of their sums, so both go on side by side: while the sums of sixteen rows become floats,
the next sixteen are multiplied, a tile at a time, for a core does not look far ahead; after the last ones the first of the next block.
The tiles that wait in memory are four and four: more would not stay in the first cache, beside all else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rlx.backends.cpu.emit import tiles
from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.tiles import ROW_BYTES, TILE_BYTES, Tiles
from rlx.backends.cpu.emit.types import F32, I8, I64, PTR
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.quantized.grid_words import block_of_eight
from rlx.backends.cpu.kernels.quantized.integer_dot import IntegerDot
from rlx.backends.cpu.kernels.quantized.rounded import GROUP_ROWS, TiledGroup
from rlx.backends.cpu.kernels.quantized.stored_words import NUMBERS
from rlx.backends.cpu.target import Target
from rlx.layouts.block_order import ORDERS, ROWS

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
_SLOT = len(_PRODUCTS) * TILE_BYTES
"""Tiles of sums of sixteen rows."""
_ROWS_EACH = GROUP_ROWS // len(_PRODUCTS)
"""Rows whose sums become floats beside one product of tiles."""


def has_tiled_rows(target: Target, name: str) -> bool:
    """Whether the products of a type of signed numbers use tiles, and its rows of x, if there are sixteen, lie as these read them."""
    numbers, order = NUMBERS[name], ORDERS[name]
    is_plain = numbers.signed and numbers.scales is None and bool(order.planes) and order.size == _SIZE
    return is_plain and target.has_tiles("int8") and target.has_dot_products(_COLUMNS)


@dataclass(frozen=True)
class TiledScratch:
    """Byte offsets in scratch: sums of all blocks, and each twice, used in turn: tiles of the weight, its scales, tiles of sums."""

    sums: int = 0
    images: int = PART_ROWS * PART_COLUMNS * 4
    scales: int = images + 2 * _PANELS * _IMAGE
    slots: int = scales + 2 * _PANELS * ROW_BYTES
    total: int = slots + 2 * _SLOT


def tiled_rows_function(module: Module, name: str) -> Function:
    """(eight columns four times, groups of rows, blocks, how many groups, scratch): the sums of up to 64 rows, 32 floats each."""
    weights = [(f"weight{number}", PTR) for number in range(PART_COLUMNS // ROWS)]
    more = [("x", PTR), ("blocks", I64), ("groups", I64), ("scratch", PTR)]

    def emit(k: Function) -> None:
        given, (x, blocks, groups, scratch) = k.parameters[: len(weights)], k.parameters[len(weights) :]
        _TiledRows(k, name, given, x, blocks, groups, scratch).emit()

    return module.shared(f"tiled_rows_{name}", [*weights, *more], emit)


class _TiledRows(IntegerDot):
    """Emits the function of a type."""

    def __init__(
        self, k: Function, name: str, weights: Sequence[Value], x: Value, blocks: Value, groups: Value, scratch: Value
    ) -> None:
        super().__init__(k, name, _COLUMNS)
        self.panels = [weights[first : first + 2] for first in range(0, len(weights), 2)]
        self.x, self.blocks, self.groups = x, blocks, groups
        place = TiledScratch()
        self.sums, self.images, self.scales, self.slots = (
            k.pointer(scratch, offset, I8) for offset in (place.sums, place.images, place.scales, place.slots)
        )
        self.tiles = Tiles(k, bytes_of_k=_SIZE)

    def emit(self) -> None:
        """Block by block, each time all rows: what comes next is multiplied while sums become floats."""
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
                    for place in range(GROUP_ROWS):
                        number, rest = divmod(place, _ROWS_EACH)
                        if rest == 0 and number < len(_PRODUCTS):
                            with k.when(next_block < self.blocks):
                                self._multiply(next_block, next_group, *_PRODUCTS[number], following)
                        self._to_floats(block, group, place, scales, this)
                    turn.set(following)

    # -- the weight
    def _weights(self, block: Value) -> None:
        """A block of both panels as tiles in scratch, and their scales."""
        k, offset = self.k, block * self.block_bytes
        for panel, weights in enumerate(self.panels):
            bases = [k.pointer(weight, offset, I8) for weight in weights]
            ahead = self._ahead(len(bases) * _PANELS, offset, self.blocks)
            eight = block_of_eight(k, self.name, bases[0], ahead, *bases[1:])
            image = self._image(block, panel)
            for place, word in enumerate(eight.words()):
                k.store(word, image, place * ROW_BYTES)
            scales, minimums = eight.scale_pairs()
            k.store(self._factors(eight, scales, minimums).d, self._scales(block, panel), 0)

    def _image(self, block: Value, panel: int) -> Value:
        """The tile of a block of a panel: every other block has a place of its own."""
        return self.k.pointer(self.images, ((block & 1) * _PANELS + panel) * _IMAGE, I8)

    def _scales(self, block: Value, panel: int) -> Value:
        return self.k.pointer(self.scales, ((block & 1) * _PANELS + panel) * ROW_BYTES, I8)

    # -- rows
    def _rows(self, block: Value, group: Value) -> Value:
        """Where sixteen rows have a block."""
        return self.k.pointer(self.x, (group * self.blocks + block) * GROUP.stride, I8)

    def _slot(self, turn: Value, side: int, panel: int) -> Value:
        """Where a tile of sums is: every other sixteen rows have places of their own."""
        return self.k.pointer(self.slots, (turn & 1) * _SLOT + (side * _PANELS + panel) * TILE_BYTES, I8)

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
        """A row of the tiles of sums, times the step of x and the scales of the weight, to the sums of all blocks."""
        k, rows = self.k, self._rows(block, group)
        k.prefetch(rows, GROUP.stride + row * ROW_BYTES)  # what the next block reads of x
        step = k.splat(k.load(k.pointer(rows, GROUP.steps, I8), row, F32), _COLUMNS)
        for panel, scale in enumerate(scales):
            lower, upper = (k.load(self._slot(turn, side, panel), row * _COLUMNS, self.words) for side in range(2))
            place = (group * GROUP_ROWS + row) * PART_COLUMNS + panel * _COLUMNS
            whole = k.convert(lower + (upper << 8), F32) * step
            k.store(k.fma(scale, whole, k.load(self.sums, place, self.floats)), self.sums, place)
