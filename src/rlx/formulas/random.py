"""Random numbers: Philox4x32-10, the same bits on every device, and uniform and normal numbers made of its words.

The bits are those of `rlx.ops.random`: element i is word i % 4 of the block with the counter (i // 4, stream, counter low, counter high).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rlx.core.dtype import DType
from rlx.formulas.algebra import Algebra, Number
from rlx.ops.random import PHILOX_KEY_STEPS, PHILOX_MULTIPLIERS, PHILOX_ROUNDS

_I32 = DType.of("i32")


def philox(m: Algebra, block: Number, stream: int, key: Sequence[Number], counter: Sequence[Number]) -> list[Number]:
    """The four random words of each Philox block, from the two words of a key and of a counter."""
    c0, c1 = block, m.constant(stream, block)
    c2, c3 = (m.spread(word, block) for word in counter)
    for _ in range(PHILOX_ROUNDS):
        first, second = (m.spread(m.constant(number, block), block) for number in PHILOX_MULTIPLIERS)
        left = m.multiply_high(c2, second) ^ c1 ^ m.spread(key[0], block)
        right = m.multiply_high(c0, first) ^ c3 ^ m.spread(key[1], block)
        c0, c1, c2, c3 = left, c2 * second, right, c0 * first
        key = [word + m.constant(step, word) for word, step in zip(key, PHILOX_KEY_STEPS, strict=True)]
    return [c0, c1, c2, c3]


def uniform(m: Algebra, bits: Number, dtype: DType) -> Number:
    """Uniform numbers in [0, 1) from random bits: (bits >> 8)·2⁻²⁴ in f32 or f64."""
    return m.cast(m.logical_shift(bits, 8), _I32, dtype) * 2.0**-24


def cos_and_sin_of_turns(m: Algebra, u: Number) -> tuple[Number, Number]:
    """cos and sin of u turns. u has 24 digits, so the quarter turns come off exactly and series of the rest suffice."""
    quarters = m.round_even(u * 4.0)
    angle = m.fma(quarters, -0.25, u) * (2 * math.pi)
    square = angle * angle
    terms = 5 if m.kind(u) == "f32" else 9
    cosine, sine = (m.constant(0, u) for _ in range(2))
    for n in range(terms - 1, -1, -1):
        sign = -1.0 if n % 2 else 1.0
        cosine = m.fma(cosine, square, sign / math.factorial(2 * n))
        sine = m.fma(sine, square, sign / math.factorial(2 * n + 1))
    sine = sine * angle
    number = m.cast(quarters, DType.of(m.kind(u)), _I32)
    odd = (number & 1) != 0
    cosine, sine = m.select(odd, sine, cosine), m.select(odd, cosine, sine)
    # after 0, 1, 2, 3 quarters: (c, s), (-s, c), (-c, -s), (s, -c)
    return m.select(((number + 1) & 2) != 0, -cosine, cosine), m.select((number & 2) != 0, -sine, sine)


def normal_pair(m: Algebra, dtype: DType, a: Number, b: Number) -> tuple[Number, Number]:
    """Two normal numbers from two random words (Box and Muller)."""
    radius = m.sqrt(m.log(1.0 - uniform(m, a, dtype)) * -2.0)
    cosine, sine = cos_and_sin_of_turns(m, uniform(m, b, dtype))
    return radius * cosine, radius * sine
