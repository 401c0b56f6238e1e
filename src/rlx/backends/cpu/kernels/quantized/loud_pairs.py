"""Which values of x are too large for products of two words to be added in 16 bits.

The bytes of IQ2 are up to 86, so 16 bits hold the products of one word with any x, 2 · 86 · 127, and of two words with most: if the four
values of x that meet in a sum come to no more than 381, their signs left out. Values share a step that makes the largest of them 127;
of normally distributed ones about one pair of groups in sixty has a sum above that. A pair is *loud* if it does. Rows are quantized once
and multiplied by all columns, so a bit for each pair is stored with x, and a tile whose rows are all quiet there adds two words
before it multiplies by their scales: 12 multiplications instead of 16. The sums are the same integers.
"""

from __future__ import annotations

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.types import I8, I32
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.quantized.stored_words import NUMBERS
from rlx.backends.cpu.target import Target
from rlx.layouts.block_order import ROWS, BlockOrder

QUIET_WORDS = 2
"""Words of a quiet pair whose products are added in 16 bits."""
_PAIR_WORDS = 8
_BYTES = I8.vector(4 * _PAIR_WORDS)


def marks_loud_pairs(target: Target, order: BlockOrder) -> bool:
    """Whether rows of x say so: where 16 bits hold the products of one word, and the target unpacks panels and has no dot products."""
    numbers = NUMBERS[order.name]
    unpacks = target.is_x86 and target.vector_bytes == 32 and target.has("avx2") and not target.has_dot_products(ROWS)
    return unpacks and bool(order.pairs) and not numbers.signed and numbers.depth == 1


def store_loud_pairs(k: Function, order: BlockOrder, block: Value, offset: int) -> None:
    """A bit for each pair of a block of x, from its bytes, at an offset."""
    assert order.size == len(order.pairs) * _BYTES.lanes
    limit, found = 32767 // NUMBERS[order.name].most, k.var(0, I32)
    for pair in k.range(len(order.pairs)):
        values = k.load(k.pointer(block, pair * _BYTES.lanes, I8), 0, _BYTES, align=1)
        sums = k.multiply_add_bytes(k.constant(1, _BYTES), k.abs(values))
        words = k.bitcast(sums, I32.vector(_PAIR_WORDS))
        others = k.shuffle(words, None, [word ^ 1 for word in range(_PAIR_WORDS)])
        is_loud = k.any_lane(sums + k.bitcast(others, sums.type) > limit)
        found.set(found.get() | k.convert(is_loud, I32, signed=False) << k.convert(pair, I32))
    k.store(found.get(), k.pointer(block, offset, I8), 0)
