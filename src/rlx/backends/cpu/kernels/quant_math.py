"""The arithmetic of products by integers: three functions per type, written once into an object and called by its kernels.

    stream    a few rows of x times eight columns, the weight unpacked word by word in registers
    unpack    a block of eight columns into scratch: one side of a panel of 16
    tiles     all rows of a unit over some blocks of the panel, four at a time

Both ways add the same integers and then the same floats block by block, so a row of the result does not depend on how many
there are. Products of two bytes with signs leave no room to add in 16 bits: a panel holds such weights as numbers of 16 bits, times the
scale of their group, and so are the rows of x.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rlx.backends.cpu.builder import F32, I8, I32, I64, PTR, Function, Module, Operand, Value
from rlx.backends.cpu.kernels.quant_activations import Rounded
from rlx.backends.cpu.kernels.quant_numbers import BYTES, NUMBERS, PAIRS, WORDS, Eight, apply_sign
from rlx.ops.block_order import ORDERS, ROWS

__all__ = ["COLUMNS", "FLOATS", "PANEL_ROWS", "TILE", "Panel", "stream_function", "tiles_function", "unpack_function"]

COLUMNS = 2 * ROWS
"""Of a panel."""
PANEL_ROWS = 128
"""The most rows of x that go over a panel."""
FLOATS = F32.vector(ROWS)
TILE = 4
"""Rows of x that go over a panel together."""
_AHEAD = 1792
"""Bytes ahead the weight is asked for."""
_PANEL_DEPTH = 256
"""Steps of k in a panel: a multiple of every block size."""
_WIDE_STEP = 8
"""Words of 16-bit numbers in a round of the inner loop."""
Integers = Callable[[int, int], Value]
"""(row of a tile, side of the panel) → the sums of a block, eight columns."""


@dataclass(frozen=True)
class Panel:
    """Byte offsets in scratch: the numbers of the rows, their sums, those of a tile, the panel's blocks; and within a block.

    A block holds the words (of weights with signs two for one: their even bytes, then their odd ones), scales, minimums and floats.
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
    def of(name: str) -> Panel:
        """The panel of a type."""
        order = ORDERS[name]
        sums = 8 * PANEL_ROWS
        tile = sums + (PANEL_ROWS + TILE) * COLUMNS * 4
        first = tile + TILE * COLUMNS * 4
        scales = len(order.words) * (2 if NUMBERS[name].signed else 1) * 2 * BYTES.lanes
        minimums = scales + len(order.pairs) * 2 * BYTES.lanes
        floats = minimums + len(order.pairs) * 2 * BYTES.lanes
        return Panel(sums, tile, first, scales, minimums, floats, floats + 4 * BYTES.lanes, _PANEL_DEPTH // order.size)

    @property
    def total(self) -> int:
        """Bytes of scratch."""
        return self.first + self.block * self.blocks


# -- functions of the object ------------------------------------------------------------------------------------
def stream_function(module: Module, name: str, rows: int) -> Function:
    """(eight columns, blocks, sums, row, …): the sums of so many rows of x, eight floats each."""
    parameters = [("weight", PTR), ("blocks", I64), ("sums", PTR), *((f"row{i}", PTR) for i in range(rows))]
    known = module.functions.get(f"stream_{name}_{rows}")
    if known is not None:
        return known
    k = module.function(f"stream_{name}_{rows}", parameters, internal=True)
    weight, blocks, sums, *given = k.parameters
    _Arithmetic(k, name).stream(weight, blocks, sums, given)
    return k


def unpack_function(module: Module, name: str, side: int) -> Function:
    """(a block of eight columns, a block of the panel): one side of it."""
    known = module.functions.get(f"unpack_{name}_{side}")
    if known is not None:
        return known
    k = module.function(f"unpack_{name}_{side}", [("weight", PTR), ("block", PTR)], internal=True)
    _Arithmetic(k, name).unpack(k.parameters[0], k.parameters[1], side)
    return k


def tiles_function(module: Module, name: str) -> Function:
    """(rounded rows at a block, bytes of a row, how many, scratch, blocks): the sums of all rows go on by so many blocks."""
    known = module.functions.get(f"tiles_{name}")
    if known is not None:
        return known
    parameters = [("x", PTR), ("row", I64), ("count", I64), ("scratch", PTR), ("blocks", I64)]
    k = module.function(f"tiles_{name}", parameters, internal=True)
    _Arithmetic(k, name).tiles(*k.parameters)
    return k


@dataclass(frozen=True)
class _Factors:
    """What turns the integer sums of a block into floats."""

    d: Value
    m: Value | None
    minimums: list[Value]
    scales: list[Value]


class _Arithmetic:
    """Emits into one function."""

    def __init__(self, k: Function, name: str) -> None:
        self.k, self.name = k, name
        self.order, self.numbers = ORDERS[name], NUMBERS[name]
        self.rounded, self.panel = Rounded(self.order), Panel.of(name)
        self.block_bytes = self.order.scheme.block_bytes() * ROWS
        self.pair_words = self.order.group // 2 if self.order.pairs else len(self.order.words)
        self.step = min(self.numbers.depth, self.pair_words)

    # -- few rows
    def stream(self, weight: Value, blocks: Value, sums: Value, rows: Sequence[Value]) -> None:
        """Block by block, every word used by all rows at once."""
        k = self.k
        totals = [k.var(0.0, FLOATS) for _ in rows]
        for block in k.range(blocks):
            eight = Eight(k, self.name, k.pointer(weight, block * self.block_bytes, I8), _AHEAD)
            xs = [k.pointer(row, block * self.rounded.stride, I8) for row in rows]
            factors = self._factors(eight)
            for total, x, integer in zip(totals, xs, self._integers(eight, xs, factors.scales), strict=True):
                total.set(self._added(total.get(), x, integer, factors))
        for index, total in enumerate(totals):
            k.store(total.get(), sums, index * ROWS)

    def _integers(self, eight: Eight, xs: list[Value], scales: list[Value]) -> list[Value]:
        """The sums of a block's products, scaled by group, straight from its words."""
        k = self.k
        totals = [self._offset(x) for x in xs]
        running: list[Value | None] = [None] * len(xs)
        for index, word in enumerate(eight.words()):
            for i, x in enumerate(xs):
                product = self._times(word, self._four(x, index))
                earlier = running[i]
                running[i] = product if earlier is None else earlier + product
            if (index + 1) % self.step == 0:
                scale = scales[index // self.pair_words] if scales else k.constant(1, PAIRS)
                for i, part in enumerate(running):
                    assert part is not None
                    totals[i] = totals[i] + k.multiply_add_words(part, scale)
                running = [None] * len(xs)
        return totals

    # -- what both share
    def _factors(self, eight: Eight) -> _Factors:
        scales, minimums = eight.scale_pairs()
        return _Factors(eight.scale(), eight.minimum(), minimums, scales)

    def _offset(self, x: Value) -> Value:
        """What the sum of a block's products starts from: less its zero point where that is the same for all of it."""
        k = self.k
        if not self.numbers.zero or self.order.pairs:
            return k.constant(0, WORDS)
        return k.splat(k.load(k.pointer(x, self.rounded.sums, I8), 0, I32), ROWS)

    def _four(self, x: Value, index: Operand) -> Value:
        """Four neighbours of a rounded row, in every lane."""
        k = self.k
        return k.bitcast(k.splat(k.load(x, index, I32), ROWS), BYTES)

    def _times(self, word: Value, four: Value) -> Value:
        """Sums of two products in 16 bits."""
        k = self.k
        if self.numbers.signed:
            return k.multiply_add_bytes(k.abs(word), apply_sign(k, four, word))
        return k.multiply_add_bytes(word, four)

    def _added(self, total: Value, x: Value, integer: Value, factors: _Factors) -> Value:
        """The floats of a block added: zero points of groups first, then d, then minimums."""
        k, numbers, place = self.k, self.numbers, self.rounded
        step = k.splat(k.load(k.pointer(x, place.step, I8), 0, F32), ROWS)
        sums = k.pointer(x, place.sums, I8)
        if numbers.zero and factors.scales:
            integer = integer - self._by_group(sums, factors.scales) * numbers.zero
        total = k.fma(factors.d * step, k.convert(integer, F32), total)
        if factors.m is None:
            return total
        if factors.minimums:
            return k.fma(-(factors.m * step), k.convert(self._by_group(sums, factors.minimums), F32), total)
        return k.fma(factors.m, k.splat(k.load(sums, 0, F32), ROWS), total)

    def _by_group(self, sums: Value, pairs: list[Value]) -> Value:
        """The groups' sums times what each row has for the group."""
        k = self.k
        found: Value | None = None
        for index, pair in enumerate(pairs):
            both = k.bitcast(k.splat(k.load(sums, index, I32), ROWS), PAIRS)
            product = k.multiply_add_words(pair, both)
            found = product if found is None else found + product
        assert found is not None
        return found

    # -- many rows
    def unpack(self, weight: Value, block: Value, side: int) -> None:
        """The words of eight columns, and what scales them; the two sides of a panel lie side by side."""
        k, place, width = self.k, self.panel, BYTES.lanes
        eight = Eight(k, self.name, weight, _AHEAD)
        factors = self._factors(eight)
        for index, word in enumerate(eight.words()):
            parts = self._widened(word, factors.scales[index // self.pair_words] if factors.scales else None)
            for place_of_part, part in enumerate(parts, len(parts) * index):
                k.store(part, k.pointer(block, (2 * place_of_part + side) * width, I8), 0)
        for offset, pairs in ((place.scales, factors.scales), (place.minimums, factors.minimums)):
            for index, pair in enumerate(pairs):
                k.store(pair, k.pointer(block, offset + (2 * index + side) * width, I8), 0)
        k.store(factors.d, k.pointer(block, place.floats + side * width, I8), 0)
        if factors.m is not None:
            k.store(factors.m, k.pointer(block, place.floats + (2 + side) * width, I8), 0)

    def _widened(self, word: Value, scale: Value | None) -> list[Value]:
        """Bytes as they are; those with signs, the even and then the odd ones, as 16 bits times the scale of their group."""
        if not self.numbers.signed:
            return [word]
        pairs = self.k.bitcast(word, PAIRS)
        wide = [(pairs << 8) >> 8, pairs >> 8]
        return wide if scale is None else [part * scale for part in wide]

    def tiles(self, x: Value, row: Value, count: Value, scratch: Value, blocks: Value) -> None:
        """Four rows at a time; past the last, that one again."""
        k = self.k
        for first in k.range(0, count, TILE):
            numbers = [k.load(scratch, k.minimum(first + i, count - 1), I64) for i in range(TILE)]
            rows = [k.pointer(x, number * row, I8) for number in numbers]
            sums = k.pointer(scratch, first * (COLUMNS * 4) + self.panel.sums, I8)
            for block in k.range(blocks):
                place = k.pointer(scratch, block * self.panel.block + self.panel.first, I8)
                self._tile([k.pointer(at, block * self.rounded.stride, I8) for at in rows], sums, scratch, place)

    def _tile(self, xs: list[Value], sums: Value, scratch: Value, block: Value) -> None:
        """One block of the panel times four rows."""
        k = self.k
        integers = self._wide_totals(xs, block) if self.numbers.signed else self._totals(xs, scratch, block)
        for side in range(2):
            factors = self._loaded(side, block)
            for i, x in enumerate(xs):
                at = i * COLUMNS + side * ROWS
                k.store(self._added(k.load(sums, at, FLOATS), x, integers(i, side), factors), sums, at)

    def _totals(self, xs: list[Value], scratch: Value, block: Value) -> Integers:
        """The block's sums of products scaled by group: added up in 16 bits as long as they fit."""
        k = self.k
        steps = len(self.order.words) // self.step
        if steps == 1:
            parts, scales = self._panel_products(xs, k.index(0), block), self._scales(k.index(0), block)
            return lambda i, side: self._offset(xs[i]) + k.multiply_add_words(parts[i][side], scales[side])
        totals = k.pointer(scratch, self.panel.tile, I8)  # in memory: the registers are for the sums in 16 bits
        for i, x in enumerate(xs):
            for side in range(2):
                k.store(self._offset(x), totals, (2 * i + side) * ROWS)
        for start in k.range(0, len(self.order.words), self.step):
            parts, scales = self._panel_products(xs, start, block), self._scales(start, block)
            for i in range(TILE):
                for side in range(2):
                    at = (2 * i + side) * ROWS
                    k.store(k.load(totals, at, WORDS) + k.multiply_add_words(parts[i][side], scales[side]), totals, at)
        return lambda i, side: k.load(totals, (2 * i + side) * ROWS, WORDS)

    def _wide_totals(self, xs: list[Value], block: Value) -> Integers:
        """The same of a panel of 16 bits: scales are in the numbers, and 32 bits hold all sums of a block."""
        k = self.k
        totals = [[k.var(0, WORDS) for _ in range(2)] for _ in xs]
        for start in k.range(0, 2 * len(self.order.words), _WIDE_STEP):
            for index in range(_WIDE_STEP):
                words = k.pointer(block, (start + index) * (2 * BYTES.lanes), I8)
                sides = [k.load(words, side * PAIRS.lanes, PAIRS) for side in range(2)]
                for x, line in zip(xs, totals, strict=True):
                    pair = k.splat(k.load(k.pointer(x, self.rounded.wide, I8), start + index, I32), ROWS)
                    for word, total in zip(sides, line, strict=True):
                        total.set(_plus(k, total.get(), k.multiply_add_words(word, k.bitcast(pair, PAIRS))))
        return lambda i, side: totals[i][side].get()

    def _panel_products(self, xs: list[Value], start: Value, block: Value) -> list[list[Value]]:
        """As many words of the panel as can be added in 16 bits, times every row: [row][side]."""
        k = self.k
        words = k.pointer(block, start * (2 * BYTES.lanes), I8)
        running: list[list[Value | None]] = [[None, None] for _ in xs]
        for index in range(self.step):
            sides = [k.load(words, (2 * index + side) * BYTES.lanes, BYTES) for side in range(2)]
            for x, line in zip(xs, running, strict=True):
                four = self._four(x, start + index)
                line[:] = [_plus(k, total, k.multiply_add_bytes(word, four)) for word, total in zip(sides, line, strict=True)]
        return [[total for total in line if total is not None] for line in running]

    def _scales(self, word: Value, block: Value) -> list[Value]:
        """The scales of the pair of groups a word belongs to, for both sides."""
        k = self.k
        if not self.order.pairs:
            return [k.constant(1, PAIRS)] * 2
        place = k.pointer(block, word.udiv(self.pair_words) * (2 * BYTES.lanes) + self.panel.scales, I8)
        return [k.load(place, side * PAIRS.lanes, PAIRS) for side in range(2)]

    def _loaded(self, side: int, block: Value) -> _Factors:
        k, place, numbers = self.k, self.panel, self.numbers

        def pairs(offset: int, there: bool) -> list[Value]:
            count = len(self.order.pairs) if there else 0
            return [k.load(k.pointer(block, offset + (2 * i + side) * BYTES.lanes, I8), 0, PAIRS) for i in range(count)]

        d = k.load(k.pointer(block, place.floats + side * BYTES.lanes, I8), 0, FLOATS)
        m = None if numbers.m is None else k.load(k.pointer(block, place.floats + (2 + side) * BYTES.lanes, I8), 0, FLOATS)
        return _Factors(d, m, pairs(place.minimums, m is not None), pairs(place.scales, bool(numbers.zero)))


def _plus(k: Function, total: Value | None, more: Value) -> Value:
    """A sum in the order it is written, by an instruction that is none: LLVM would make a tree of the chain, and run out of registers."""
    if total is None:
        return more
    total = total + more
    if not (k.target.is_x86 and k.target.has("avx2")):
        return total
    return k.instruction(total.type, f'call {total.type.text} asm "", "=x,0"({total.type.text} {total.text})')
