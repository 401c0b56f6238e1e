"""The integer arithmetic shared by both kinds of products.

Unsigned weights: products of two bytes are accumulated in 16 bits as long as they fit, then scaled by group in 32, and by the step
of x in floats. Products of two signed bytes leave no room to add in 16 bits: such weights become 16-bit values, times the
scale of their group, and so do the rows of x. All kinds (`few_rows.py`, `many_rows.py`, `dot_rows.py`) add the same integers and then
the same floats block by block, and after every 256 values of k the contribution of the second bytes of x: a row of the result does
not depend on how many rows there are.

With VNNI the instruction that multiplies also adds, in 32 bits (`vpdpbusd`, `vpdpwssd`): the same integers. `vpdpbusd` adds the
products of all four bytes of a word, which must then be of one group: words of two groups are regrouped
(`InterleavedBlock.quads`), and the bytes of x are stored in that order; codebooks have them so from the start. A row that is the only one
streams the weight without that.

Arm's `sdot` does what `vpdpbusd` does, here also for one row, and with i8mm `smmla` for two rows at once. There are none for 16-bit values:
where weights are bytes, those of x are split (`signed_products`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.values import F32, I8, I16, I32, I64, Operand, Value
from rlx.backends.cpu.kernels.quantized.activations import CHUNK, FINER, Rounded
from rlx.backends.cpu.kernels.quantized.stored_words import NUMBERS, InterleavedBlock
from rlx.layouts.block_order import ORDERS, ROWS

FLOATS = F32.vector(ROWS)
_SPAN, _SPAN_OF_TILES = 8, 16
"""The minimum number of words whose sums are converted to floats together; for CPUs with tiles, in all their products, a whole tile."""


@dataclass(frozen=True)
class Factors:
    """The factors from the integer sums of a block to floats: d, pairs of scales, and the factors of the sums of x."""

    d: Value
    scales: list[Value]
    m: Value | None
    minimums: list[Value]


class IntegerDot:
    """Integer arithmetic shared by products with a packed type: emits into one function, for so many columns side by side."""

    def __init__(self, k: Function, name: str, columns: int = ROWS, is_alone: bool = False) -> None:
        self.k, self.name, self.columns = k, name, columns
        self.floats, self.words = F32.vector(columns), I32.vector(columns)
        self.pairs, self.bytes = I16.vector(2 * columns), I8.vector(4 * columns)
        self.order, self.numbers, self.rounded = ORDERS[name], NUMBERS[name], Rounded.of(ORDERS[name], k.target)
        self.each = CHUNK // self.order.size  # blocks that share a byte of the mask
        self.block_bytes = self.order.scheme.block_bytes() * ROWS
        self.pair_words = len(self.order.words) // self.rounded.pairs
        self.step = len(self.order.words) if self.numbers.signed else min(self.numbers.depth, self.pair_words)
        by_tiles = k.target.has_tiles("int8") and k.target.vector_bytes == 64 and bool(self.order.planes)
        least = _SPAN_OF_TILES if by_tiles else _SPAN
        self.span = min(max(self.step, least), self.pair_words)
        regroups = self.order.weaves and not self.numbers.signed
        self.has_dots = k.target.has_dot_products(columns) and not (is_alone and regroups)
        self.sides = len(self.order.pairs[0]) if self.order.pairs else 1
        by_matrices = k.target.has_byte_matrices and columns == ROWS and self.span % 4 == 0
        self.matrices = ByteMatrices(k, self.sides) if by_matrices else None
        self.splits_x = k.target.is_aarch64 and self.has_dots and self.numbers.signed and self.numbers.scales is None

    def _factors(self, eight: InterleavedBlock, scales: list[Value], minimums: list[Value]) -> Factors:
        """The factors of a block; zero points are converted to minimums: zero point times scale."""
        k, d, m = self.k, eight.scale(), eight.minimum()
        if self.numbers.zero:
            m, minimums = d * float(-self.numbers.zero), scales
        elif m is not None and minimums:
            m = -m
        words = [k.bitcast(pair, self.words) for pair in minimums]
        floats = [
            k.convert(part, F32)
            for word, groups in zip(words, self.order.pairs, strict=False)
            for part in ((word << 16) >> 16, word >> 16)[-len(groups) :]
        ]
        return Factors(d, scales, m, floats)

    def _add(self, total: Value, x: Value, value: Value, factors: Factors) -> Value:
        """Add a block's value times d, and its minimums times the sums of x, to a total."""
        k = self.k
        total = k.fma(factors.d, value, total)
        if factors.m is None:
            return total
        if not factors.minimums:
            return k.fma(factors.m, self._sum(x, 0), total)
        products: Value | None = None
        for group, minimum in enumerate(factors.minimums):
            products = self._plus_product(products, self._sum(x, group), minimum)
        assert products is not None
        return k.fma(factors.m, products, total)

    def _scale_of(self, scales: list[Value], word: int) -> Value | None:
        """The scales of the pair that a word belongs to, if there are any."""
        return scales[word * len(scales) // len(self.order.words)] if scales else None

    def _plus_product(self, total: Value | None, a: Value, b: Value) -> Value:
        """Add a product to a sum, or start the sum."""
        return a * b if total is None else self.k.fma(a, b, total)

    def _by_scale(self, part: Value, scale: Value | None) -> Value:
        """Multiply sums in 16 bits by the scales of their groups, into 32 bits."""
        return self.k.multiply_add_words(part, self.k.constant(1, self.pairs) if scale is None else scale)

    # -- with dot products
    def _no_sums(self, rows: int) -> list[list[Value]]:
        """Zero sums for each row: of both groups of a pair, or of all numbers."""
        return [[self.k.constant(0, self.words)] * self.sides for _ in range(rows)]

    def _add_quad(self, sums: list[list[Value]], side: int, quad: Value, xs: Sequence[Value], index: Operand) -> None:
        """Add the products of a quad and a word of every row to the sums."""
        for x, line in zip(xs, sums, strict=True):
            line[side] = self.k.dot_bytes(line[side], quad, self._four(x, index))

    def _scale_sums(self, sums: list[list[Value]], scale: Value | None) -> list[Value]:
        """Convert the sums of a span of quads to floats, each group's times its scale."""
        k = self.k
        if scale is None:
            return [k.convert(total, F32) for (total,) in sums]
        if len(sums[0]) == 1:
            factor = k.bitcast(scale, self.words) >> 16
            return [k.convert(total * factor, F32) for (total,) in sums]
        if 2 * self.span * self.numbers.most * self.numbers.steps < 1 << 15:
            both = [(left & 0xFFFF) | _opaque(k, right << 16) for left, right in sums]
            return [k.convert(k.multiply_add_words(k.bitcast(pair, self.pairs), scale), F32) for pair in both]
        factors = k.bitcast(scale, self.words)
        of_left, of_right = (factors << 16) >> 16, factors >> 16
        return [k.convert(left * of_left + right * of_right, F32) for left, right in sums]

    def _dots(self, quads: Sequence[Value], xs: Sequence[Value], first: Operand, scale: Value | None) -> list[Value]:
        """Multiply a span of quads by the words of every row from `first` on; returns floats."""
        sums = self._no_sums(len(xs))
        for index, quad in enumerate(quads):
            self._add_quad(sums, index % len(sums[0]), quad, xs, self.k.index(first) + index)
        return self._scale_sums(sums, scale)

    def _dots_by_matrices(
        self, matrices: Sequence[Sequence[Value]], xs: Sequence[Value], first: Operand, scale: Value | None
    ) -> list[Value]:
        """Multiply a span of quads by an even number of rows with byte matrices (`smmla`); returns floats."""
        assert self.matrices is not None
        k, at = self.k, self.k.index(first) * 4
        starts = range(0, 8 * len(matrices), 16)
        rows = [[k.load(k.pointer(x, at + start, I8), 0, FOUR_WORDS, align=4) for start in starts] for x in xs]
        return self._scale_sums(self.matrices.sums(matrices, rows), scale)

    def _step(self, x: Value, pair: Operand) -> Value:
        """Load the step of a pair of a block of x, in every lane."""
        return self.k.splat(self.k.load(self.k.pointer(x, self.rounded.steps, I8), pair, F32), self.columns)

    def _sum(self, x: Value, group: int) -> Value:
        """Load the sum of a group of a block of x, in every lane."""
        return self.k.splat(self.k.load(self.k.pointer(x, self.rounded.sums, I8), group, F32), self.columns)

    def _ahead(self, streams: int, offset: Value, blocks: Value) -> Operand:
        """The prefetch distance from an offset in rows of so many blocks. Rows of eight columns read side by side are stored one
        after the other: past the end of one are the others, which are being read already, and then the next ones."""
        distance = self.k.target.prefetch_distance
        if streams == 1 or not distance:
            return distance
        length = blocks * self.block_bytes
        return self.k.select(offset + distance < length, 0, length * (streams - 1)) + distance

    def _stored_bytes(self, words: int) -> int:
        """Bytes of so many words of eight columns in the packed weight."""
        return self.order.stored_bytes(words)

    def _four(self, x: Value, index: Operand) -> Value:
        """Load four adjacent bytes of a quantized row, in every lane."""
        return self.k.bitcast(self._lanes(x, index), self.bytes)

    def _two(self, x: Value, index: Operand) -> Value:
        """Load two adjacent 16-bit values of a quantized row, in every lane."""
        return self.k.bitcast(self._lanes(x, index), self.pairs)

    def _lanes(self, x: Value, index: Operand) -> Value:
        return self.k.splat(self.k.load(x, index, I32), self.columns)

    def _widen(self, word: Value, scale: Value | None) -> list[Value]:
        """Widen a word: unsigned bytes unchanged; signed bytes (the even, then the odd) as 16 bits times the scale of their group."""
        if not self.numbers.signed:
            return [word]
        pairs = self.k.bitcast(word, self.pairs)
        wide = [(pairs << 8) >> 8, pairs >> 8]
        return wide if scale is None else [part * scale for part in wide]

    # -- second bytes
    def _mask(self, rows: Sequence[Value], first: Value, blocks: Value) -> Value:
        """The mask of the pairs in the 256 values from a block on that have second bytes in any row."""
        k = self.k
        at = self.rounded.masks(blocks) + first.udiv(self.each)
        mask = k.convert(k.load(rows[0], at, I8), I32, signed=False)
        for row in rows[1:]:
            mask = mask | k.convert(k.load(row, at, I8), I32, signed=False)
        return mask

    def _pairs_of_mask(self, mask: Value) -> Iterator[tuple[Value, Value]]:
        """Visit (block, pair) of every set bit of a mask."""
        k, zero = self.k, self.k.index(0)
        left = k.var(mask)
        with k.loop() as loop:
            number = k.convert(k.count_trailing_zeros(left.get()), I64, signed=False)
            yield (zero, number) if self.order.pairs else (number, zero)
            left.set(left.get() & (left.get() - 1))
            loop.stop(left.get() == 0)

    def _residual(self, row: Value, block: Value, pair: Value, blocks: Value) -> Value:
        """The address of the second bytes of a pair."""
        k, rounded = self.k, self.rounded
        return k.pointer(row, rounded.residuals(blocks) + block * self.order.size + pair * (4 * self.pair_words), I8)

    def _finer(self, row: Value, block: Value, pair: Value) -> Value:
        """The step of the second bytes of a pair."""
        return self._step(self.k.pointer(row, block * self.rounded.stride, I8), pair) * (1.0 / FINER)


def plus_in_order(k: Function, total: Value | None, more: Value) -> Value:
    """Add in source order, held by an empty asm statement: LLVM would reassociate the chain into a tree and spill registers."""
    if total is None:
        return more
    total = total + more
    return _opaque(k, total)


def _opaque(k: Function, value: Value) -> Value:
    """Pass a value through an empty asm statement with AVX2 and later, so that LLVM does not combine it with others."""
    if not (k.target.is_x86 and k.target.has("avx2")):
        return value
    register = "v" if value.type.size * value.type.lanes == 64 else "x"
    return k.instruction(value.type, f'call {value.type.text} asm "", "={register},0"({value.type.text} {value.text})')


# -- signed weights times rows of 16-bit values on Arm, by dot products of bytes --------------------------------------
#
# A value of x is 256·h + l + 128 with signed bytes h and l, its lower byte with the highest bit turned over. So
#
#     Σ w·x = 256 · Σ w·h + Σ w·l + 128 · Σ w
#
# whose last sum is the same for all rows. The integers are those of products of 16 bits.


SignedProducts = Callable[[Sequence[Value]], list[Value]]
"""The addresses of rows → their sums."""
_ORDER = (0, 2, 1, 3)
"""The order of a word's values in a row (see `activations.py`)."""
_BYTES = I8.vector(4 * ROWS)


def signed_products(k: Function, words: Sequence[Value], matrices: ByteMatrices | None) -> SignedProducts:
    """The function that multiplies rows by some words of a weight, a multiple of four; what depends on the words alone is hoisted."""
    total: Value = k.constant(0, I32.vector(ROWS))
    for word in words:
        total = k.dot_signed_bytes(total, word, k.constant(1, _BYTES))
    offset = total << 7
    prepared = None if matrices is None else matrices.of_weight(words)

    def of_parts(rows: list[list[Value]]) -> list[Value]:
        if matrices is not None and prepared is not None and len(rows) % 2 == 0:
            return [sums[0] for sums in matrices.sums(prepared, rows)]
        return [_by_words(k, words, row) for row in rows]

    def products(xs: Sequence[Value]) -> list[Value]:
        split = [[_split_bytes(k, x, start) for start in range(0, len(words), 4)] for x in xs]
        lower, upper = (of_parts([[parts[side] for parts in row] for row in split]) for side in range(2))
        return [(high << 8) + low + offset for low, high in zip(lower, upper, strict=True)]

    return products


def _split_bytes(k: Function, x: Value, first: int) -> tuple[Value, Value]:
    """Split sixteen values of a row into lower and upper bytes, as four words each."""
    near, far = (k.load(k.pointer(x, 8 * first + more, I8), 0, I8.vector(16), align=1) for more in (0, 16))
    order = [2 * (4 * word + number) for word in range(4) for number in _ORDER]
    low, high = (k.shuffle(near, far, [at + side for at in order]) for side in range(2))
    return k.bitcast(low ^ -128, FOUR_WORDS), k.bitcast(high, FOUR_WORDS)


def _by_words(k: Function, words: Sequence[Value], row: Sequence[Value]) -> Value:
    """Add up the products of words with those of one row."""
    total: Value = k.constant(0, I32.vector(ROWS))
    for index, word in enumerate(words):
        four = k.shuffle(row[index // 4], None, [index % 4] * ROWS)
        total = k.dot_signed_bytes(total, word, k.bitcast(four, _BYTES))
    return total


# -- products of bytes by small matrices, `smmla`: two rows of x times two columns of a weight, eight values of k at once
#
# Quads have four values of k for each column; two of one group, side by side in every column, are the matrices of a weight. The words
# of two rows of x are brought together in the same way. Sums are integers, so they are those of any other order.


FOUR_WORDS, _MATRIX_BYTES = I32.vector(4), I8.vector(16)


@dataclass(frozen=True)
class ByteMatrices:
    """Emits products of byte matrices (`smmla`) into one function; quads of so many groups alternate, and are multiples of four."""

    k: Function
    sides: int

    def of_weight(self, quads: Sequence[Value]) -> list[list[Value]]:
        """Arrange every two quads of a group as matrices of two columns each: sixteen bytes."""
        k = self.k
        words = [k.bitcast(quad, I32.vector(ROWS)) for quad in quads]
        matrices = []
        for start in range(0, len(words), 4):
            for number in range(2):
                first, second = (words[start + index] for index in self._words_of_matrix(number))
                both = k.shuffle(first, second, [lane for column in range(ROWS) for lane in (column, column + ROWS)])
                matrices.append([k.bitcast(k.slice(both, at, 4), _MATRIX_BYTES) for at in range(0, 2 * ROWS, 4)])
        return matrices

    def sums(self, matrices: Sequence[Sequence[Value]], rows: Sequence[Sequence[Value]]) -> list[list[Value]]:
        """The products of the matrices with an even number of rows, each given by vectors of four words: [row][side]."""
        sums = []
        for first, second in zip(rows[::2], rows[1::2], strict=True):
            sums += self._two_rows(matrices, first, second)
        return sums

    def _two_rows(self, matrices: Sequence[Sequence[Value]], first: Sequence[Value], second: Sequence[Value]) -> list[list[Value]]:
        k = self.k
        totals = [[k.constant(0, FOUR_WORDS)] * (ROWS // 2) for _ in range(self.sides)]
        for index, columns in enumerate(matrices):
            mine = self._words_of_matrix(index % 2)
            words = k.shuffle(first[index // 2], second[index // 2], [*mine, *(word + 4 for word in mine)])
            x, side = k.bitcast(words, _MATRIX_BYTES), totals[index % self.sides]
            side[:] = [k.dot_byte_matrices(total, weight, x) for total, weight in zip(side, columns, strict=True)]
        halves = [(k.concat(*side[:2]), k.concat(*side[2:])) for side in totals]
        return [[k.shuffle(left, right, range(row, 2 * ROWS, 2)) for left, right in halves] for row in range(2)]

    def _words_of_matrix(self, number: int) -> tuple[int, int]:
        """Select the two of four adjacent words that make a matrix."""
        return (number, number + 2) if self.sides == 2 else (2 * number, 2 * number + 1)
