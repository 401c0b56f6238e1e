"""The meaning of the stored words of eight interleaved rows: integers, their scales, and their arithmetic.

The order of the bytes is data in `rlx.layouts.block_order`; this file defines, per type, how its integers become values. A lane is a
row. `InterleavedBlock` reads one block of eight rows: integers as bytes of 32-bit words, scales as pairs of 16 bits, floats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.values import BF16, F16, F32, I8, I16, I32, Operand, Type, Value
from rlx.layouts.block_order import ORDERS, ROWS, BlockOrder
from rlx.layouts.gguf_blocks import E2M1, NONLINEAR, Table

WORDS, BYTES, PAIRS = I32.vector(ROWS), I8.vector(4 * ROWS), I16.vector(2 * ROWS)
_LINE = 64
_IN_PLACE = 'call void asm sideeffect "", "~{memory}"()'
"""A compiler barrier without an instruction. Without it all prefetches of a block are issued at once and stall."""
_BYTE, _WIDE = 127, 32767
"""The largest quantized activations."""

Words = Sequence[Value]
Scales = Callable[[Words], tuple[list[Value], list[Value]]]
"""Items of 32 bits → words of four scales of 8 bits, and of four minimums."""


@dataclass(frozen=True)
class Numbers:
    """value = d · scale · (q - zero) plus or minus its minimum; q is a byte or an entry of a table."""

    d: int  # which item is the scale of the block
    zero: int = 0
    table: Table | None = None
    signed: bool = False  # q is from -128 to 127
    most: int = 0  # the largest q
    scales: Scales | None = None
    scale_items: int = 0  # how many items hold the integer scales
    scale_zero: int = 0
    scales_signed: bool = False
    m: int | None = None  # which item scales the minimums (or is the minimum itself)
    power: bool = False  # d is a power of two, stored as its exponent
    factor: float = 1.0  # of d: a power of two

    @property
    def steps(self) -> int:
        """The largest quantized activation: of 8 bits, or of 16 such that 256 products fit 32 bits."""
        if not self.signed:
            return _BYTE
        return _WIDE if self.scales is None else (1 << 31) // (128 * 256 * self.scale_zero) - 1

    @property
    def depth(self) -> int:
        """How many words of byte products can be accumulated in 16 bits: a power of two."""
        fits = 32767 // (2 * _BYTE * self.most)
        return 1 << (fits.bit_length() - 1)


def _spread(high: Value, first: int) -> Value:
    """Spread the bits 4b + first and the next one of a word to bits 4 and 5 of byte b."""
    return (
        ((high << (4 - first)) & 0x30)
        | ((high << (8 - first)) & 0x3000)
        | ((high << (12 - first)) & 0x300000)
        | ((high << (16 - first)) & 0x30000000)
    )


_NIBBLES, _SIXES, _UPPER = 0x0F0F0F0F, 0x3F3F3F3F, 0x30303030


def _six_bits(w: Words) -> tuple[list[Value], list[Value]]:
    """Unpack the scales and minimums of Q4_K and Q5_K: four pairs of 6 bits plainly, four with their upper bits beside the first."""
    scales = [w[0] & _SIXES, (w[2] & _NIBBLES) | ((w[0] >> 2) & _UPPER)]
    return scales, [w[1] & _SIXES, ((w[2] >> 4) & _NIBBLES) | ((w[1] >> 2) & _UPPER)]


def _four_bits(w: Words) -> tuple[list[Value], list[Value]]:
    """Unpack the scales and minimums of Q2_K: a scale and a minimum in a byte."""
    return [word & _NIBBLES for word in w], [(word >> 4) & _NIBBLES for word in w]


def _q3_k(w: Words) -> tuple[list[Value], list[Value]]:
    """Unpack the 16 scales of Q3_K, of 6 bits: nibbles in two words, their upper bits in the third."""
    return [
        (w[0] & _NIBBLES) | ((w[2] << 4) & _UPPER),
        (w[1] & _NIBBLES) | ((w[2] << 2) & _UPPER),
        ((w[0] >> 4) & _NIBBLES) | (w[2] & _UPPER),
        ((w[1] >> 4) & _NIBBLES) | ((w[2] >> 2) & _UPPER),
    ], []


def _iq4_xs(w: Words) -> tuple[list[Value], list[Value]]:
    """Unpack the eight scales of IQ4_XS, of 6 bits: nibbles of even groups below those of odd ones, the upper bits in 16 more."""
    return [(w[0] & _NIBBLES) | _spread(w[1], 0), ((w[0] >> 4) & _NIBBLES) | _spread(w[1], 2)], []


NUMBERS: dict[str, Numbers] = {
    "Q4_0": Numbers(0, zero=8, most=15),
    "Q4_1": Numbers(0, most=15, m=1),
    "Q5_0": Numbers(0, zero=16, most=31),
    "Q5_1": Numbers(0, most=31, m=1),
    "Q8_0": Numbers(0, signed=True),
    "IQ4_NL": Numbers(0, table=NONLINEAR, signed=True),
    "MXFP4": Numbers(0, zero=12, table=Table("e2m1_from_0", tuple(12 + value for value in E2M1.values)), most=24, power=True),
    "TQ2_0": Numbers(0, zero=1, most=3),
    "Q2_K": Numbers(4, most=3, scales=_four_bits, scale_items=4, m=5),
    "Q3_K": Numbers(3, zero=4, most=7, scales=_q3_k, scale_items=3, scale_zero=32),
    "Q4_K": Numbers(3, most=15, scales=_six_bits, scale_items=3, m=4),
    "Q5_K": Numbers(3, most=31, scales=_six_bits, scale_items=3, m=4),
    "Q6_K": Numbers(4, zero=32, most=63, scales=lambda w: (list(w), []), scale_items=4, scales_signed=True),
    "IQ2_XXS": Numbers(0, zero=43, most=86, factor=0.125),
    "IQ2_XS": Numbers(0, zero=43, most=86, factor=0.125),
    "IQ2_S": Numbers(0, zero=43, most=86, factor=0.125),
    "IQ3_XXS": Numbers(0, zero=31, most=62, factor=0.5),
    "IQ3_S": Numbers(0, zero=15, most=30),
    "IQ1_S": Numbers(0, zero=9, most=18, factor=0.125),
    "IQ1_M": Numbers(0, zero=9, most=18, factor=0.125),
    "TQ1_0": Numbers(0, zero=1, most=3),
    "IQ4_XS": Numbers(2, table=NONLINEAR, signed=True, scales=_iq4_xs, scale_items=2, scale_zero=32),
}
"""The types whose products can use integers."""


# -- bytes ------------------------------------------------------------------------------------------------------
def look_up(k: Function, table: Table, index: Value) -> Value:
    """Look up entries of a table of 16 by the bytes of a vector, each below 16."""
    entries = k.vector_of([*table.values] * (index.type.lanes // 16), I8)
    if k.target.is_x86 and k.target.has("avx2"):
        name = {32: "avx2.pshuf.b", 64: "avx512.pshuf.b.512"}[index.type.lanes]
        return k.intrinsic(f"llvm.x86.{name}", index.type, [entries, index])
    if k.target.is_aarch64:
        parts = [
            k.intrinsic("llvm.aarch64.neon.tbl1.v16i8", half.type, [k.slice(entries, 0, 16), half]) for half in k.halves(index)
        ]
        return k.concat(*parts)
    chosen = k.constant(table.values[0], index.type)
    for number, value in enumerate(table.values[1:], 1):
        chosen = k.select(index == number, k.constant(value, index.type), chosen)
    return chosen


# -- a block of eight rows --------------------------------------------------------------------------------------
class InterleavedBlock:
    """One block of eight rows at an address; prefetches at distance `ahead` (0: not at all), a cache line at a time.

    With an address `beside`, the block of eight more rows: vectors are twice as long.
    """

    def __init__(self, k: Function, name: str, base: Value, ahead: Operand = 0, beside: Value | None = None) -> None:
        self.k, self.ahead = k, k.index(ahead)
        self.bases = [base] if beside is None else [base, beside]
        self.pairs, self.bytes = (kind.vector(each * ROWS * len(self.bases)) for kind, each in ((I16, 2), (I8, 4)))
        self.order: BlockOrder = ORDERS[name]
        self.numbers = NUMBERS.get(name)

    def item(self, index: int) -> Value:
        """Load an item of the eight rows as 32-bit integers, or as stored if they are floats."""
        size = self.order.items[index][1]
        offset = ROWS * sum(bytes_ for _, bytes_ in self.order.items[:index])
        return self._read(offset, {1: I8, 2: I16, 4: I32}[size].vector(ROWS))

    def _read(self, offset: int, kind: Type) -> Value:
        """Load the vectors at an offset of all eights, side by side."""
        k = self.k
        vectors = [k.load(k.pointer(base, offset, I8), 0, kind, align=1) for base in self.bases]
        return vectors[0] if len(vectors) == 1 else k.concat(*vectors)

    def real(self, index: int) -> Value:
        """Load an item that is a 16-bit float, in f32."""
        kind = BF16 if self.order.name == "BF16" else F16
        return self.k.convert(self.k.bitcast(self.item(index), kind.vector(ROWS * len(self.bases))), F32)

    def scale(self) -> Value:
        """The block scale d in f32."""
        assert self.numbers is not None
        if not self.numbers.power:
            d = self.real(self.numbers.d)
            return d if self.numbers.factor == 1.0 else d * self.numbers.factor
        k = self.k
        e = k.convert(self.item(self.numbers.d), I32, signed=False)  # 2^(e - 128), of which two are denormal
        bits = k.select(e < 2, (e + 1) * 0x200000, (e - 1) << 23)
        return k.bitcast(bits, F32.vector(ROWS * len(self.bases)))

    def minimum(self) -> Value | None:
        """The factor of the minimums, or the minimum itself, in f32; None if the type has none."""
        assert self.numbers is not None
        return None if self.numbers.m is None else self.real(self.numbers.m)

    def scale_pairs(self) -> tuple[list[Value], list[Value]]:
        """For each pair of groups their scales as adjacent 16-bit values, and their minimums."""
        numbers, k = self.numbers, self.k
        assert numbers is not None
        if numbers.scales is None:
            return [], []
        items = [self.item(index) for index in range(numbers.scale_items)]
        words = [k.convert(item, I32, signed=False) for item in items]
        scales, minimums = numbers.scales(words)
        return [pair for word in scales for pair in self._halves(word, numbers)], [
            pair for word in minimums for pair in self._plain(word)
        ]

    def _plain(self, word: Value) -> list[Value]:
        return [self.k.bitcast(half, self.pairs) for half in (word & 0x00FF00FF, word.ushr(8) & 0x00FF00FF)]

    def _halves(self, word: Value, numbers: Numbers) -> list[Value]:
        if numbers.scales_signed:
            both = self.k.bitcast(word, self.pairs)
            return [(both << 8) >> 8, both >> 8]
        halves = self._plain(word)
        return [half - numbers.scale_zero for half in halves] if numbers.scale_zero else halves

    def collect_indices(self) -> None:
        """Store the codebook indices of a block in memory before its numbers are looked up; nothing for other types."""

    def take_indices(self, block: InterleavedBlock, segment: Value) -> None:
        """Use the indices that another block has collected, from a segment on."""

    def words(self, count: int | None = None) -> Iterator[Value]:
        """The unpacked words in order, all of them or the first ones, each as 32 bytes: four values of each row."""
        k, order = self.k, self.order
        start, row, prefetched = ROWS * order.item_bytes, 0, 0
        for _ in range(0, len(order.words) if count is None else count, order.unit):
            planes: list[list[Value]] = []
            for bits in order.planes:
                planes.append([])
                for _ in range(order.unit * bits // 8):
                    at = start + row * 4 * ROWS
                    prefetched = self._prefetch(prefetched, at + 4 * ROWS)
                    planes[-1].append(self._read(at, WORDS))
                    row += 1
            for index in range(order.unit):
                yield self._number(k.bitcast(self._join_planes(planes, index), self.bytes))

    def quads(self, count: int | None = None) -> Iterator[Value]:
        """The unpacked words as quads, four values of one group each: of a group and of its partner in turn."""
        words = self.words(count)
        if not self.order.pairs:
            yield from words
            return
        for first in words:
            yield from self._regroup(first, next(words))

    def _regroup(self, first: Value, second: Value) -> list[Value]:
        """Regroup two words of two and two values as the four of either group; or the other way around."""
        k = self.k
        if k.target.is_aarch64:  # `trn1` and `trn2`
            left, right = (k.bitcast(word, self.pairs) for word in (first, second))
            lanes = self.pairs.lanes
            orders = ([lane for at in range(start, lanes, 2) for lane in (at, at + lanes)] for start in range(2))
            return [k.bitcast(k.shuffle(left, right, order), self.bytes) for order in orders]
        left, right = (k.bitcast(word, I32.vector(ROWS * len(self.bases))) for word in (first, second))
        return [k.bitcast(word, self.bytes) for word in ((left & 0xFFFF) | (right << 16), left.ushr(16) | (right & -0x10000))]

    def _prefetch(self, first: int, end: int) -> int:
        """Prefetch the cache lines from `first` on that start before `end`, at distance `ahead`; returns the next line."""
        k = self.k
        while self.ahead.constant != 0 and first < end:
            k.line(_IN_PLACE)
            for base in self.bases:
                (k.prefetch_once if len(self.bases) == 1 else k.prefetch)(base, self.ahead + first)
            first += _LINE
        return first

    def _join_planes(self, planes: list[list[Value]], index: int) -> Value:
        """Combine the bits of all planes of one unpacked word."""
        joined: Value | None = None
        taken = 0
        for bits, stored in zip(self.order.planes, planes, strict=True):
            word, shift = stored[index * bits // 8], index * bits % 8
            mask = ((1 << bits) - 1) * 0x01010101 << taken
            moved = word if shift == taken else word.ushr(shift - taken) if shift > taken else word << (taken - shift)
            part = moved if bits == 8 else moved & mask
            joined = part if joined is None else joined | part
            taken += bits
        assert joined is not None
        return joined

    def _number(self, word: Value) -> Value:
        table = self.numbers.table if self.numbers is not None else None
        return word if table is None else look_up(self.k, table, word)
