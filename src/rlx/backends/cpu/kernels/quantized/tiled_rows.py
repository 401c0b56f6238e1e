"""Sixteen and more rows of x times packed weights of signed bytes, with tiles.

x has 16 bits there, and its rows lie as tiles read them: of each sixteen rows and block the lower and the upper bytes, in order, a cache
line per row, then the steps. So the weight is a tile as it is stored, and

    Σ w·x = Σ w·lower + 256 · Σ w·upper

needs no other. A unit is 64 rows and 32 columns: what is read of x serves two panels, and the sums of two blocks go to memory together.
The integers are those of the other products and become floats in the same order.

Multiplying tiles takes as long as making floats of their sums, so both go on side by side: while the sums of sixteen rows become floats,
the next sixteen are multiplied, piece by piece, for a core does not look far ahead; after the last ones the first of the next blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rlx.backends.cpu.block_order import ORDERS, ROWS
from rlx.backends.cpu.emit import tiles
from rlx.backends.cpu.emit.builder import F32, I8, I64, PTR, Function, Module, Value
from rlx.backends.cpu.emit.tiles import ROW_BYTES, TILE_BYTES, Tiles
from rlx.backends.cpu.kernels.quantized.activations import GROUP_ROWS, TiledGroup
from rlx.backends.cpu.kernels.quantized.grid_words import block_of_eight
from rlx.backends.cpu.kernels.quantized.integer_dot import IntegerDot
from rlx.backends.cpu.kernels.quantized.stored_words import NUMBERS
from rlx.backends.cpu.target import Target

__all__ = ["GROUP", "PART_COLUMNS", "PART_ROWS", "TiledScratch", "has_tiled_rows", "tiled_rows_function"]

_SIZE = 32
"""Values of a block."""
GROUP = TiledGroup(_SIZE)
"""A block of sixteen rows of x."""
PART_ROWS, PART_COLUMNS = 64, 32
"""Of a unit."""
_PANELS, _COLUMNS = PART_COLUMNS // tiles.COLUMNS, tiles.COLUMNS
_BLOCKS = 2
"""Whose sums go to memory together."""
_LOWER, _UPPER, _WEIGHT = 4, 5, 6
"""The tiles of x, and the first of the weight; sums are in those from 0 on."""
_IMAGE = _SIZE // 4 * ROW_BYTES
"""Bytes of a tile of the weight."""
_PIECES = tuple((number, panel) for number in range(_BLOCKS) for panel in range(_PANELS))
"""(block, panel) of what sixteen rows are multiplied by."""
_SLOT = len(_PIECES) * 2 * TILE_BYTES
"""Tiles of sums of sixteen rows."""


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
    scales: int = images + 2 * len(_PIECES) * _IMAGE
    slots: int = scales + 2 * len(_PIECES) * ROW_BYTES
    total: int = slots + 2 * _SLOT


def tiled_rows_function(module: Module, name: str) -> Function:
    """(eight columns four times, groups of rows, blocks, how many groups, scratch): the sums of up to 64 rows, 32 floats each."""
    title = f"tiled_rows_{name}"
    known = module.functions.get(title)
    if known is not None:
        return known
    weights = [(f"weight{number}", PTR) for number in range(PART_COLUMNS // ROWS)]
    k = module.function(
        title, [*weights, ("x", PTR), ("blocks", I64), ("groups", I64), ("scratch", PTR)], internal=True
    )
    given, (x, blocks, groups, scratch) = k.parameters[: len(weights)], k.parameters[len(weights) :]
    _TiledRows(k, name, given, x, blocks, groups, scratch).emit()
    return k


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
        """Two blocks at a time, each time all rows; then a last one."""
        k = self.k
        for row in k.range(self.groups * GROUP_ROWS):
            for panel in range(_PANELS):
                k.store(k.constant(0.0, self.floats), self.sums, row * PART_COLUMNS + panel * _COLUMNS)
        even = self.blocks & -_BLOCKS
        with self.tiles.configured():
            with k.when(even > 0):
                self._pairs_of_blocks(even)
            with k.when(even < self.blocks):
                self._last_block(even)

    def _pairs_of_blocks(self, end: Value) -> None:
        """The blocks up to one: what comes next is multiplied while sums become floats."""
        k, first = self.k, self.k.index(0)
        self._weights(first, _BLOCKS)
        for number, panel in _PIECES:
            self._multiply(first, first, number, panel, first)
        turn = k.var(0)
        for block in k.range(0, end, _BLOCKS):
            with k.when(block + _BLOCKS < end):
                self._weights(block + _BLOCKS, _BLOCKS)
            factors = self._kept_scales(block, _BLOCKS)
            for group in k.range(self.groups):
                this, following = turn.get(), turn.get() + 1
                is_last = group + 1 == self.groups
                next_block, next_group = (
                    k.select(is_last, block + _BLOCKS, block),
                    k.select(is_last, first, group + 1),
                )
                each = GROUP_ROWS // len(_PIECES)
                for place, (number, panel) in enumerate(_PIECES):
                    with k.when(next_block < end):
                        self._multiply(next_block, next_group, number, panel, following)
                    for row in range(place * each, (place + 1) * each):
                        self._to_floats(block, group, row, factors, this)
                turn.set(following)

    def _last_block(self, block: Value) -> None:
        """One block alone."""
        k, turn = self.k, self.k.index(0)
        self._weights(block, 1)
        factors = self._kept_scales(block, 1)
        for group in k.range(self.groups):
            for panel in range(_PANELS):
                self._multiply(block, group, 0, panel, turn)
            for row in range(GROUP_ROWS):
                self._to_floats(block, group, row, factors, turn)

    # -- the weight
    def _weights(self, block: Value, count: int) -> None:
        """Some blocks of both panels as tiles in scratch, and their scales."""
        k = self.k
        for number in range(count):
            for panel, weights in enumerate(self.panels):
                bases = [k.pointer(weight, (block + number) * self.block_bytes, I8) for weight in weights]
                eight = block_of_eight(k, self.name, bases[0], k.target.prefetch_distance, *bases[1:])
                image = self._image(block, number, panel)
                for place, word in enumerate(eight.words()):
                    k.store(word, image, place * ROW_BYTES)
                scales, minimums = eight.scale_pairs()
                k.store(self._factors(eight, scales, minimums).d, self._scales(block, number, panel), 0)

    def _image(self, block: Value, number: int, panel: int) -> Value:
        """The tile of a block of a panel: every other two blocks have a place of their own."""
        place = (block.udiv(_BLOCKS) & 1) * len(_PIECES) + (number * _PANELS + panel)
        return self.k.pointer(self.images, place * _IMAGE, I8)

    def _scales(self, block: Value, number: int, panel: int) -> Value:
        place = (block.udiv(_BLOCKS) & 1) * len(_PIECES) + (number * _PANELS + panel)
        return self.k.pointer(self.scales, place * ROW_BYTES, I8)

    def _kept_scales(self, block: Value, count: int) -> list[list[Value]]:
        """Of some blocks, panel by panel."""
        return [
            [self.k.load(self._scales(block, number, panel), 0, self.floats) for panel in range(_PANELS)]
            for number in range(count)
        ]

    # -- rows
    def _rows(self, block: Value, group: Value) -> Value:
        """Where sixteen rows have a block."""
        return self.k.pointer(self.x, (group * self.blocks + block) * GROUP.stride, I8)

    def _slot(self, turn: Value) -> Value:
        """Where the sums of sixteen rows are: every other turn has a place of its own."""
        return self.k.pointer(self.slots, (turn & 1) * _SLOT, I8)

    def _multiply(self, block: Value, group: Value, number: int, panel: int, turn: Value) -> None:
        """Sixteen rows times a block of a panel, into tiles in scratch; for the first panel the rows are loaded."""
        k, slot = self.k, self._slot(turn)
        if panel == 0:
            x = k.pointer(self._rows(block, group), number * GROUP.stride, I8)
            self.tiles.load(_LOWER, x, GROUP.row)
            self.tiles.load(_UPPER, k.pointer(x, _SIZE, I8), GROUP.row)
        first, weight, place = 2 * panel, _WEIGHT + panel, number * _PANELS + panel
        self.tiles.load(weight, self._image(block, number, panel), ROW_BYTES)
        for total in (first, first + 1):
            self.tiles.zero(total)
        self.tiles.dot_bytes(first, _LOWER, weight, "u", "s")
        self.tiles.dot_bytes(first + 1, _UPPER, weight, "s", "s")
        for side in range(2):
            self.tiles.store(first + side, k.pointer(slot, (2 * place + side) * TILE_BYTES, I8), ROW_BYTES)

    def _to_floats(self, block: Value, group: Value, row: int, factors: list[list[Value]], turn: Value) -> None:
        """A row of the tiles of sums, times the steps of x and the scales of the weight, to the sums of all blocks."""
        k, slot, rows, count = self.k, self._slot(turn), self._rows(block, group), len(factors)
        for line in range(count):  # what the next blocks read of x
            k.prefetch(rows, count * GROUP.stride + (row * count + line) * ROW_BYTES)
        steps = [self._row_step(rows, number, row) for number in range(count)]
        for panel in range(_PANELS):
            place = (group * GROUP_ROWS + row) * PART_COLUMNS + panel * _COLUMNS
            total = k.load(self.sums, place, self.floats)
            for number, step in enumerate(steps):
                at = (number * _PANELS + panel) * 2
                lower, upper = (
                    k.load(k.pointer(slot, (at + side) * TILE_BYTES, I8), row * _COLUMNS, self.words)
                    for side in range(2)
                )
                whole = k.convert(lower + (upper << 8), F32)
                total = k.fma(factors[number][panel], whole * step, total)
            k.store(total, self.sums, place)

    def _row_step(self, rows: Value, number: int, row: int) -> Value:
        steps = self.k.pointer(rows, number * GROUP.stride + GROUP.steps, I8)
        return self.k.splat(self.k.load(steps, row, F32), _COLUMNS)
