"""Any number of rows of x times packed weights, with dot products: some words are unpacked into registers and multiplied by all rows.

A sum needs no register between two words: the instruction that multiplies also adds, in 32 bits. So the registers hold words, as many
as there is room for (a round), and a loop over the rows multiplies each by all of them. A weight is unpacked once for up to 128 rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.values import F32, I8, I32, I64, PTR, Value
from rlx.backends.cpu.kernels.quantized.grid_words import interleaved_block
from rlx.backends.cpu.kernels.quantized.integer_dot import Factors, IntegerDot, signed_products
from rlx.backends.cpu.kernels.quantized.many_rows import COLUMNS, PANEL_ROWS
from rlx.backends.cpu.kernels.quantized.stored_words import InterleavedBlock
from rlx.layouts.block_order import ORDERS, ROWS

_WORD_REGISTERS = 2
"""One of so many vector registers holds a word."""
_TILE = 4
"""Rows at a time: sums that do not wait for each other."""
_SCALES = 512
"""Bytes for the scales of a block."""

RowProducts = Callable[[Sequence[Value], Value], list[Value]]
"""The addresses of some rows and the first of their words → their products."""


def dot_columns(k: Function, name: str) -> int:
    """Columns of a weight side by side, if the target has dot products and they pay; else 0.

    A round must hold what becomes a float together. Small blocks end after every round; with vectors of 64 bytes it is faster to
    keep their sums in registers, by eight rows.
    """
    columns = COLUMNS if k.target.vector_bytes == 64 else ROWS
    if not k.target.has_dot_products(columns) or (columns == COLUMNS and not ORDERS[name].pairs):
        return 0
    dot = RowsByWords(k, name, columns)
    return columns if dot.numbers.signed or dot.round % dot.span == 0 else 0


@dataclass(frozen=True)
class DotScratch:
    """Byte offsets in scratch of `RowsByWords`: row indices, their sums over all blocks and over one, rows' offsets, a block's scales."""

    sums: int = 8 * PANEL_ROWS
    block: int = sums + (PANEL_ROWS + _TILE) * COLUMNS * 4
    offsets: int = block + (PANEL_ROWS + _TILE) * COLUMNS * 4
    scales: int = offsets + 8 * (PANEL_ROWS + _TILE)
    total: int = scales + _SCALES


@dataclass(frozen=True)
class PairWeights:
    """The weights that a pair's second bytes are multiplied by: the block's scale, the numbers as quads, the scales of the groups."""

    d: Value
    quads: list[Value]
    scale: Value | None


def dot_rows_function(module: Module, name: str, columns: int) -> Function:
    """The function (eight columns, …, quantized rows, blocks, bytes of a row, how many, scratch): sums of the rows listed in scratch."""
    weights = [(f"weight{i}", PTR) for i in range(columns // ROWS)]
    more = [("x", PTR), ("blocks", I64), ("row", I64), ("count", I64), ("scratch", PTR)]

    def emit(k: Function) -> None:
        addresses, (x, blocks, row, count, scratch) = k.parameters[: len(weights)], k.parameters[len(weights) :]
        RowsByWords(k, name, columns).emit(addresses, x, blocks, row, count, scratch)

    return module.shared(f"dot_rows_{name}_{columns}", [*weights, *more], emit)


class RowsByWords(IntegerDot):
    """Multiplies any number of rows: the words of a block are unpacked into registers, then used by all rows."""

    def __init__(self, k: Function, name: str, columns: int) -> None:
        super().__init__(k, name, columns)
        registers = max(4 * columns // k.target.vector_bytes, 1)
        registers *= 2 if self.numbers.signed and not self.splits_x else 1
        self.round = min(k.target.vector_registers // _WORD_REGISTERS // registers, len(self.order.words))
        self.rounds = len(self.order.words) // self.round
        self.layout = DotScratch()

    def emit(self, weights: Sequence[Value], x: Value, blocks: Value, row: Value, count: Value, scratch: Value) -> None:
        """Multiply all blocks by the rows listed in scratch."""
        k = self.k
        self.weights, self.x, self.blocks, self.row, self.count, self.scratch = weights, x, blocks, row, count, scratch
        self.sums, self.block_sums, self.offsets, self.scales = (
            k.pointer(scratch, offset, I8)
            for offset in (self.layout.sums, self.layout.block, self.layout.offsets, self.layout.scales)
        )
        for at in k.range((count + (_TILE - 1)).udiv(_TILE) * _TILE):
            k.store(k.load(scratch, k.minimum(at, count - 1), I64) * row, self.offsets, at)
            for sums in (self.sums, self.block_sums):
                k.store(k.constant(0.0, self.floats), sums, at * self.columns)
        self._all_blocks()

    def _all_blocks(self) -> None:
        """Multiply block by block; after each 256 values of k add the contribution of second bytes."""
        k, each = self.k, self.each
        for first in k.range(0, self.blocks, each):
            for block in [first] if each == 1 else k.range(first, k.minimum(first + each, self.blocks)):
                self._block(block)
            if not self.numbers.signed:
                self._residuals(first)

    def _tiles(self, offset: Value) -> Iterator[tuple[list[Value], list[Value]]]:
        """Visit a tile of rows at a time: the indices of their sums, and the addresses of their bytes at an offset."""
        k = self.k
        base = k.pointer(self.x, offset, I8)
        for at in k.range(0, self.count, _TILE):
            numbers = [at + index for index in range(_TILE)]
            xs = [k.pointer(base, k.load(self.offsets, number, I64), I8) for number in numbers]
            yield [number * self.columns for number in numbers], xs

    def _rows(self, offset: Value) -> Iterator[tuple[Value, Value]]:
        """Visit row by row: the index of its sums, and the address of its bytes at an offset."""
        k = self.k
        base = k.pointer(self.x, offset, I8)
        for at in k.range(self.count):
            yield at * self.columns, k.pointer(base, k.load(self.offsets, at, I64), I8)

    def _at(self, offset: Value, *, prefetches: bool = False) -> InterleavedBlock:
        """The block of all columns at an offset of the weights."""
        bases = [self.k.pointer(weight, offset, I8) for weight in self.weights]
        ahead = self._ahead(len(bases), offset, self.blocks) if prefetches else 0
        return interleaved_block(self.k, self.name, bases[0], ahead, *bases[1:])

    def _block(self, block: Value) -> None:
        """Add the words of a block to its sums, round by round, then the sums times the block's factors to the sums of all blocks."""
        k = self.k
        eight = self._at(block * self.block_bytes)
        scales, minimums = eight.scale_pairs()
        for index, pair in enumerate(scales):
            k.store(pair, self.scales, index * self.pairs.lanes)
        factors = self._factors(eight, scales, minimums)
        if self.rounds == 1:
            self._only_round(block, factors)
            return
        for number in k.range(self.rounds):
            self._round(block, number)
        self._finish_block(block, factors)

    def _finish_block(self, block: Value, factors: Factors) -> None:
        """Add the sums of a block times its factors to the sums of all blocks."""
        k = self.k
        kind = self.words if self.numbers.signed else self.floats
        for offsets, xs in self._tiles(block * self.rounded.stride):
            for at, x in zip(offsets, xs, strict=True):
                value = k.load(self.block_sums, at, kind)
                if self.numbers.signed:
                    value = k.convert(value, F32) * self._step(x, 0)
                k.store(k.constant(0, self.words), self.block_sums, at)
                k.store(self._add(k.load(self.sums, at, self.floats), x, value, factors), self.sums, at)

    def _only_round(self, block: Value, factors: Factors) -> None:
        """Multiply a block whose words fit the registers at once: its sums stay in registers as well."""
        k = self.k
        words = list(self._at(block * self.block_bytes, prefetches=True).words())
        dots = self._multiplier_of_signed(words) if self.numbers.signed else self._multiplier(words, None)
        for offsets, xs in self._tiles(block * self.rounded.stride):
            totals = dots(xs, k.index(0))
            for at, x, total in zip(offsets, xs, totals, strict=True):
                value = total * self._step(x, 0)
                k.store(self._add(k.load(self.sums, at, self.floats), x, value, factors), self.sums, at)

    def _round(self, block: Value, number: Value) -> None:
        """Multiply some words of a block by all rows."""
        k, first = self.k, number * self.round
        offset = block * self.block_bytes + number * self._stored_bytes(self.round)
        eight = self._at(offset, prefetches=True)
        start = block * self.rounded.stride
        if self.numbers.signed:
            self._signed_round(eight, first, start)
            return
        quads, spans = list(eight.quads(self.round)), range(0, self.round, self.span)
        pairs = [(first + index).udiv(self.pair_words) for index in spans]
        scales = [self._load_scale(pair) if self.order.pairs else None for pair in pairs]
        multipliers = [
            self._multiplier(quads[index : index + self.span], scale) for index, scale in zip(spans, scales, strict=True)
        ]
        for offsets, xs in self._tiles(start):
            values = [k.load(self.block_sums, at, self.floats) for at in offsets]
            for index, pair, dots in zip(spans, pairs, multipliers, strict=True):
                totals = dots(xs, first + index)
                values = [k.fma(total, self._step(x, pair), value) for total, x, value in zip(totals, xs, values, strict=True)]
            for at, value in zip(offsets, values, strict=True):
                k.store(value, self.block_sums, at)

    def _signed_round(self, eight: InterleavedBlock, first: Value, start: Value) -> None:
        """Multiply some signed words, from `first` on, by all rows' blocks at `start`."""
        k = self.k
        words = list(eight.words(self.round))
        parts = [part for index, word in enumerate(words) for part in self._scaled_word(word, first + index)]
        for offsets, xs in self._tiles(start + first * 8):
            totals = [k.load(self.block_sums, at, self.words) for at in offsets]
            for at, total in zip(offsets, self._plus_pairs(totals, parts, xs), strict=True):
                k.store(total, self.block_sums, at)

    def _multiplier(self, quads: Sequence[Value], scale: Value | None) -> RowProducts:
        """The function that multiplies rows by quads; what depends on the quads alone is computed at once."""
        if self.matrices is None:
            return lambda xs, first: self._dots(quads, xs, first, scale)
        matrices = self.matrices.of_weight(quads)
        return lambda xs, first: self._dots_by_matrices(matrices, xs, first, scale)

    def _multiplier_of_signed(self, words: Sequence[Value]) -> RowProducts:
        """The function that multiplies rows by all signed words of a block without scales."""
        k = self.k
        if self.splits_x:
            products = signed_products(k, words, self.matrices)
            return lambda xs, first: [k.convert(total, F32) for total in products(xs)]
        parts, nothing = [part for word in words for part in self._widen(word, None)], k.constant(0, self.words)
        return lambda xs, first: [k.convert(total, F32) for total in self._plus_pairs([nothing] * len(xs), parts, xs)]

    def _plus_pairs(self, totals: list[Value], parts: Sequence[Value], xs: Sequence[Value]) -> list[Value]:
        """Add the products of words of 16-bit values to the sums of some rows."""
        for index, part in enumerate(parts):
            totals = [self.k.dot_words(total, part, self._two(x, index)) for total, x in zip(totals, xs, strict=True)]
        return totals

    def _scaled_word(self, word: Value, index: Value) -> list[Value]:
        """Widen a word of signed bytes to 16-bit values, times the scale of its group if it has one."""
        pairs = len(self.order.pairs)
        scale = self._load_scale(index.udiv(len(self.order.words) // pairs)) if pairs else None
        return self._widen(word, scale)

    def _load_scale(self, pair: Value) -> Value:
        """Load the scales of a pair of groups."""
        return self.k.load(self.scales, pair * self.pairs.lanes, self.pairs)

    def _residuals(self, first: Value) -> None:
        """Multiply the pairs that have second bytes in any of the rows by those bytes, for the rows that have them."""
        k = self.k
        at_mask = self.rounded.masks(self.blocks) + first.udiv(self.each)
        marked = k.var(0, I8)
        for _, x in self._rows(at_mask):
            marked.set(marked.get() | k.load(x, 0, I8))
        mask = k.convert(marked.get(), I32, signed=False)
        with k.when(mask != 0):
            for block, pair in self._pairs_of_mask(mask):
                bit, weights = k.convert(block + pair, I32), self._pair_weights(first + block, pair)
                for at, row in self._rows(k.index(0)):
                    own = k.convert(k.load(row, at_mask, I8), I32, signed=False)
                    with k.when((own.ushr(bit) & 1) != 0):
                        self._second_bytes(weights, row, first + block, pair, at)

    def _pair_weights(self, block: Value, pair: Value) -> PairWeights:
        """The weights that the second bytes of a pair are multiplied by."""
        offset = block * self.block_bytes
        eight = self._at(offset + pair * self._stored_bytes(self.pair_words))
        scale = self._load_scale(pair) if self.order.pairs else None
        return PairWeights(self._at(offset).scale(), list(eight.quads(self.pair_words)), scale)

    def _second_bytes(self, weights: PairWeights, row: Value, block: Value, pair: Value, at: Value) -> None:
        """Add the products of the second bytes of a pair of one row."""
        k, quads = self.k, weights.quads
        x, step = self._residual(row, block, pair, self.blocks), self._finer(row, block, pair)
        value: Value | None = None
        for index in range(0, len(quads), self.span):
            (total,) = self._dots(quads[index : index + self.span], [x], index, weights.scale)
            value = self._plus_product(value, total, step)
        assert value is not None
        k.store(k.fma(weights.d, value, k.load(self.sums, at, self.floats)), self.sums, at)
