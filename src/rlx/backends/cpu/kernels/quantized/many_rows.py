"""Many rows of x times packed weights: a panel of 16 columns is unpacked into scratch, then used by four rows at a time.

unpack    a block of eight columns into scratch: one side of a panel
tiles     all rows of a unit times the blocks of the panel
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.values import F32, I8, I32, I64, PTR, Value
from rlx.backends.cpu.kernels.quantized.activations import CHUNK, SAFE_WORDS
from rlx.backends.cpu.kernels.quantized.grid_words import interleaved_block
from rlx.backends.cpu.kernels.quantized.integer_dot import FLOATS, IntegerDot, plus_in_order
from rlx.backends.cpu.kernels.quantized.stored_words import BYTES, NUMBERS, PAIRS, WORDS
from rlx.layouts.block_order import ORDERS, ROWS

COLUMNS = 2 * ROWS
"""Of a panel."""
PANEL_ROWS = 128
"""The maximum number of rows of x per panel."""
TILE = 4
"""Rows of x per tile."""
_WIDE_STEP = 8
"""Words of 16-bit values per round of the inner loop."""
Found = Callable[[int], list[Value]]
"""A row of a tile → the sums of a block times the steps of x, eight columns of each side."""


@dataclass(frozen=True)
class UnpackedPanel:
    """Byte offsets in scratch: the row indices, their sums, those of a tile, the panel's blocks; and within a block.

    A block holds the words (two each for signed weights: their even bytes, then their odd ones), scales, minimums and floats.
    """

    sums: int
    tile: int
    first: int
    scales: int
    minimums: int
    floats: int
    block: int
    blocks: int

    @staticmethod
    def of(name: str) -> UnpackedPanel:
        """The scratch layout of a panel of a packed type."""
        order = ORDERS[name]
        sums = 8 * PANEL_ROWS
        tile = sums + (PANEL_ROWS + TILE) * COLUMNS * 4
        first = tile + TILE * COLUMNS * 4
        scales = len(order.words) * (2 if NUMBERS[name].signed else 1) * 2 * BYTES.lanes
        minimums = scales + len(order.pairs) * 2 * BYTES.lanes
        floats = minimums + order.groups * 2 * BYTES.lanes
        return UnpackedPanel(sums, tile, first, scales, minimums, floats, floats + 4 * BYTES.lanes, CHUNK // order.size)

    @property
    def total(self) -> int:
        """Bytes of scratch of an unpacked panel."""
        return self.first + self.block * self.blocks


def unpack_function(module: Module, name: str, side: int) -> Function:
    """The function (a block of eight columns, a block of the panel): unpacks one side of the panel."""

    def emit(k: Function) -> None:
        weight, block = k.parameters
        _Tiles(k, name).unpack(weight, block, side)

    return module.shared(f"unpack_{name}_{side}", [("weight", PTR), ("block", PTR)], emit)


def tiles_function(module: Module, name: str) -> Function:
    """The function (quantized rows, first block, total blocks, bytes of a row, how many, scratch): adds a panel to all rows' sums."""
    parameters = [("x", PTR), ("first", I64), ("length", I64), ("row", I64), ("count", I64), ("scratch", PTR)]
    return module.shared(f"tiles_{name}", parameters, lambda k: _Tiles(k, name).tiles(*k.parameters))


class _Tiles(IntegerDot):
    """Emits the functions that unpack a panel of a type and multiply rows by it."""

    def __init__(self, k: Function, name: str) -> None:
        super().__init__(k, name)
        self.panel = UnpackedPanel.of(name)

    def unpack(self, weight: Value, block: Value, side: int) -> None:
        """Unpack the words of eight columns and their scales; the two sides of a panel are interleaved."""
        k, panel, width = self.k, self.panel, BYTES.lanes
        eight = interleaved_block(k, self.name, weight, k.target.prefetch_distance)
        eight.collect_indices()
        factors = self._factors(eight, *eight.scale_pairs())
        for index, word in enumerate(eight.words()):
            parts = self._widen(word, self._scale_of(factors.scales, index))
            for place_of_part, part in enumerate(parts, len(parts) * index):
                k.store(part, k.pointer(block, (2 * place_of_part + side) * width, I8), 0)
        for offset, values in ((panel.scales, factors.scales), (panel.minimums, factors.minimums)):
            for index, value in enumerate(values):
                k.store(value, k.pointer(block, offset + (2 * index + side) * width, I8), 0)
        k.store(factors.d, k.pointer(block, panel.floats + side * width, I8), 0)
        if factors.m is not None:
            k.store(factors.m, k.pointer(block, panel.floats + (2 + side) * width, I8), 0)

    def tiles(self, x: Value, first: Value, length: Value, row: Value, count: Value, scratch: Value) -> None:
        """Multiply four rows at a time by the panel; the last row is repeated to fill the tile."""
        k = self.k
        blocks = k.minimum(length - first, self.panel.blocks)
        for start in k.range(0, count, TILE):
            numbers = [k.load(scratch, k.minimum(start + i, count - 1), I64) for i in range(TILE)]
            rows = [k.pointer(x, number * row, I8) for number in numbers]
            sums = k.pointer(scratch, start * (COLUMNS * 4) + self.panel.sums, I8)
            for block in k.range(blocks):
                stored = k.pointer(scratch, block * self.panel.block + self.panel.first, I8)
                self._tile([k.pointer(at, (first + block) * self.rounded.stride, I8) for at in rows], sums, scratch, stored)
            if not self.numbers.signed:
                self._tile_residuals(rows, first, length, sums, scratch)

    def _tile(self, xs: list[Value], sums: Value, scratch: Value, block: Value) -> None:
        """Multiply one block of the panel by four rows."""
        k = self.k
        products = self._wide_tile(xs, block) if self.numbers.signed else self._byte_tile(xs, scratch, block)
        lower = self._lower(xs, block)
        factors = [self._floats(block, self.panel.floats, side) for side in range(2)]
        ms = [self._floats(block, self.panel.floats + 2 * BYTES.lanes, side) for side in range(2)]
        for i in range(TILE):
            values, less = products(i), lower(i)
            for side in range(2):
                at = i * COLUMNS + side * ROWS
                total = k.fma(factors[side], values[side], k.load(sums, at, FLOATS))
                k.store(total if less is None else k.fma(ms[side], less[side], total), sums, at)

    def _byte_tile(self, xs: list[Value], scratch: Value, block: Value) -> Found:
        """Multiply a block of bytes by a tile of rows, scaled by group: products are accumulated in 16 bits as long as they fit."""
        k = self.k
        if len(self.order.words) == self.step:
            parts = list(self._panel_products(xs, k.index(0), block, self.step))

            def sums_of_row(i: int) -> list[Value]:
                step = self._step(xs[i], 0)
                return [k.convert(self._by_scale(part, None), F32) * step for part in parts[i]]

            return sums_of_row
        totals = k.pointer(scratch, self.panel.tile, I8)  # in memory: the registers are for the 16-bit accumulators
        for at in range(0, TILE * COLUMNS, ROWS):
            k.store(k.constant(0.0, FLOATS), totals, at)
        saturating = self._saturating_pairs(xs) if self.rounded.marks_saturating else None
        for start in k.range(0, len(self.order.words), self.span):
            if saturating is None:
                self._add_span(xs, start, block, totals, self.step)
                continue
            with k.when((saturating.ushr(k.convert(start.udiv(self.pair_words), I32)) & 1) == 0):
                self._add_span(xs, start, block, totals, SAFE_WORDS)
            with k.otherwise():
                self._add_span(xs, start, block, totals, self.step)
        return lambda i: [k.load(totals, (2 * i + side) * ROWS, FLOATS) for side in range(2)]

    def _saturating_pairs(self, xs: list[Value]) -> Value:
        """The mask of pairs that saturate in any of the rows."""
        k = self.k
        bits = [k.load(k.pointer(x, self.rounded.saturating, I8), 0, I32) for x in xs]
        return bits[0] | bits[1] | bits[2] | bits[3]

    def _add_span(self, xs: list[Value], start: Value, block: Value, totals: Value, step: int) -> None:
        """Multiply a span of words, whose sums are converted to floats together, by a tile of rows; so many are added in 16 bits."""
        k, pair = self.k, start.udiv(self.pair_words)
        totals_of_span = self._panel_sums(xs, start, block, self._scales(pair, block), step)
        for i, x in enumerate(xs):
            scale = self._step(x, pair)
            for side in range(2):
                at = (2 * i + side) * ROWS
                k.store(k.fma(totals_of_span[i][side], scale, k.load(totals, at, FLOATS)), totals, at)

    def _wide_tile(self, xs: list[Value], block: Value) -> Found:
        """Multiply a block of 16-bit values by a tile of rows: scales are multiplied in, and 32 bits hold all sums of a block."""
        k = self.k
        totals = [[k.var(0, WORDS) for _ in range(2)] for _ in xs]
        for start in k.range(0, 2 * len(self.order.words), _WIDE_STEP):
            for index in range(_WIDE_STEP):
                words = k.pointer(block, (start + index) * (2 * BYTES.lanes), I8)
                sides = [k.load(words, side * PAIRS.lanes, PAIRS) for side in range(2)]
                for x, line in zip(xs, totals, strict=True):
                    pair = self._two(x, start + index)
                    for word, total in zip(sides, line, strict=True):
                        total.set(plus_in_order(k, total.get(), k.multiply_add_words(word, pair)))

        def sums_of_row(i: int) -> list[Value]:
            step = self._step(xs[i], 0)
            return [k.convert(total.get(), F32) * step for total in totals[i]]

        return sums_of_row

    def _lower(self, xs: list[Value], block: Value) -> Callable[[int], list[Value] | None]:
        """Multiply the sums of x by group by the minimums."""
        groups = self.order.groups
        if self.numbers.signed:
            return lambda i: None
        if not groups:
            return lambda i: [self._sum(xs[i], 0)] * 2
        lowered: list[list[Value | None]] = [[None, None] for _ in xs]
        for group in range(groups):
            minimums = [self._floats(block, self.panel.minimums + 2 * group * BYTES.lanes, side) for side in range(2)]
            for x, line in zip(xs, lowered, strict=True):
                total = self._sum(x, group)
                for side, (minimum, earlier) in enumerate(zip(minimums, line, strict=True)):
                    line[side] = self._plus_product(earlier, total, minimum)
        return lambda i: [value for value in lowered[i] if value is not None]

    def _tile_residuals(self, rows: list[Value], first: Value, length: Value, sums: Value, scratch: Value) -> None:
        """Multiply the pairs that have second bytes in any of the rows by those bytes; they are zeros in the other rows."""
        k = self.k
        mask = self._mask(rows, first, length)
        with k.when(mask != 0):
            for block, pair in self._pairs_of_mask(mask):
                stored = k.pointer(scratch, block * self.panel.block + self.panel.first, I8)
                xs = [self._residual(row, first + block, pair, length) for row in rows]
                words = k.pointer(stored, pair * (self.pair_words * 2 * BYTES.lanes), I8)
                scales = self._scales(pair, stored)
                results: list[list[Value | None]] = [[None, None] for _ in rows]
                for start in range(0, self.pair_words, self.span):
                    totals = self._panel_sums(xs, k.index(start), words, scales, self.step)
                    for i, row in enumerate(rows):
                        step = self._finer(row, first + block, pair)
                        for side, earlier in enumerate(results[i]):
                            results[i][side] = self._plus_product(earlier, totals[i][side], step)
                factors = [self._floats(stored, self.panel.floats, side) for side in range(2)]
                for i, line in enumerate(results):
                    for side, value in enumerate(line):
                        at = i * COLUMNS + side * ROWS
                        assert value is not None
                        k.store(k.fma(factors[side], value, k.load(sums, at, FLOATS)), sums, at)

    def _panel_sums(
        self, xs: list[Value], start: Value, words: Value, scales: Sequence[Value | None], step: int
    ) -> list[list[Value]]:
        """Multiply a span of the panel's words, whose sums are converted to floats together, by every row: [row][side]."""
        k = self.k
        sums: list[list[Value | None]] = [[None, None] for _ in xs]
        for more in range(0, self.span, step):
            parts = self._panel_products(xs, start + more, words, step)
            for part, line in zip(parts, sums, strict=True):
                for side, earlier in enumerate(line):
                    line[side] = plus_in_order(k, earlier, self._by_scale(part[side], scales[side]))
        return [[k.convert(value, F32) for value in line if value is not None] for line in sums]

    def _panel_products(self, xs: list[Value], start: Value, words: Value, step: int) -> Iterable[list[Value]]:
        """So many words of the panel, accumulated in 16 bits, times every row: for each row both sides.

        Of one word or two, a row's products are scaled before the next row's begin: all rows' at once would spill.
        """
        k = self.k
        words = k.pointer(words, start * (2 * BYTES.lanes), I8)
        return (self._row_by_row if step <= 2 else self._of_many_words)(xs, start, words, step)

    def _row_by_row(self, xs: list[Value], start: Value, words: Value, step: int) -> Iterator[list[Value]]:
        k, both = self.k, [self._both_sides(words, index) for index in range(step)]
        for x in xs:
            running: list[Value | None] = [None, None]
            for index, sides in enumerate(both):
                four = self._four(x, start + index)
                running = [
                    plus_in_order(k, total, k.multiply_add_bytes(word, four)) for word, total in zip(sides, running, strict=True)
                ]
            yield [total for total in running if total is not None]

    def _of_many_words(self, xs: list[Value], start: Value, words: Value, step: int) -> list[list[Value]]:
        k = self.k
        running: list[list[Value | None]] = [[None, None] for _ in xs]
        for index in range(step):
            sides = self._both_sides(words, index)
            for x, line in zip(xs, running, strict=True):
                four = self._four(x, start + index)
                line[:] = [
                    plus_in_order(k, total, k.multiply_add_bytes(word, four)) for word, total in zip(sides, line, strict=True)
                ]
        return [[total for total in line if total is not None] for line in running]

    def _both_sides(self, words: Value, index: int) -> list[Value]:
        return [self.k.load(words, (2 * index + side) * BYTES.lanes, BYTES) for side in range(2)]

    def _scales(self, pair: Value, block: Value) -> list[Value | None]:
        """Load the scales of a pair of groups, for both sides of the panel."""
        k = self.k
        if not self.order.pairs:
            return [None, None]
        scales = k.pointer(block, pair * (2 * BYTES.lanes) + self.panel.scales, I8)
        return [k.load(scales, side * PAIRS.lanes, PAIRS) for side in range(2)]

    def _floats(self, block: Value, offset: int, side: int) -> Value:
        return self.k.load(self.k.pointer(block, offset + side * BYTES.lanes, I8), 0, FLOATS)
