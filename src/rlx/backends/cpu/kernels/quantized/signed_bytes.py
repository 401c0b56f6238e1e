"""Signed weights times rows of 16-bit values on Arm, by dot products of bytes.

A value of x is 256·h + l + 128 with signed bytes h and l, its lower byte with the highest bit turned over. So

    Σ w·x = 256 · Σ w·h + Σ w·l + 128 · Σ w

whose last sum is the same for all rows. The integers are those of products of 16 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.types import I8, I32
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.quantized.byte_matrices import FOUR_WORDS, ByteMatrices
from rlx.layouts.block_order import ROWS

SignedProducts = Callable[[Sequence[Value]], list[Value]]
"""The addresses of rows → their sums."""
_PLACES = (0, 2, 1, 3)
"""Where the values of a word lie in a row (see `activations.py`)."""
_BYTES = I8.vector(4 * ROWS)


def signed_products(k: Function, words: Sequence[Value], matrices: ByteMatrices | None) -> SignedProducts:
    """The products with some words of a weight, a multiple of four; what depends on the words alone is done at once."""
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
        split = [[_split(k, x, start) for start in range(0, len(words), 4)] for x in xs]
        lower, upper = (of_parts([[parts[side] for parts in row] for row in split]) for side in range(2))
        return [(high << 8) + low + offset for low, high in zip(lower, upper, strict=True)]

    return products


def _split(k: Function, x: Value, first: int) -> tuple[Value, Value]:
    """The lower and the upper bytes of sixteen values of a row, as four words each."""
    near, far = (k.load(k.pointer(x, 8 * first + more, I8), 0, I8.vector(16), align=1) for more in (0, 16))
    order = [2 * (4 * word + place) for word in range(4) for place in _PLACES]
    low, high = (k.shuffle(near, far, [at + side for at in order]) for side in range(2))
    return k.bitcast(low ^ -128, FOUR_WORDS), k.bitcast(high, FOUR_WORDS)


def _by_words(k: Function, words: Sequence[Value], row: Sequence[Value]) -> Value:
    """The sum of the products of words with those of one row."""
    total: Value = k.constant(0, I32.vector(ROWS))
    for index, word in enumerate(words):
        four = k.shuffle(row[index // 4], None, [index % 4] * ROWS)
        total = k.dot_signed_bytes(total, word, k.bitcast(four, _BYTES))
    return total
