"""The cube root.

x = 8^q · m,  m in [1/(2√2), 2√2)      ∛x = 2^q · ∛m, from a cubic polynomial by steps of Halley and one of Newton
"""

from __future__ import annotations

import math

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.math.logarithm import split_any
from rlx.backends.cpu.emit.math.polynomial import cancel, exponent_bias, fraction_bits, horner, multiply_exactly
from rlx.backends.cpu.emit.values import Value

_FIRST = (0.48202832, 0.72899253, -0.24491054, 0.03698379)  # within 0.6 % of the root


def cbrt(k: Function, x: Value) -> Value:
    """The cube root, with the sign of x."""
    kind, bias = x.type, exponent_bias(x.type)
    size = k.abs(x)
    e, m = split_any(k, size)
    q = k.round_even(e * (1 / 3))
    m = m * _power_of_two(k, e - q * 3.0, bias)
    y = horner(k, m, _FIRST)
    for _ in range(1 if kind.bits == 32 else 2):
        cube = y * y * y
        y = y * ((cube + m * 2.0) / (cube * 2.0 + m))
    square, lost = multiply_exactly(k, y, y)
    y = y - (cancel(k, square, y, -m) + lost * y) / (square * 3.0)
    root = k.copysign(y * _power_of_two(k, q, bias), x)
    return k.select((size > 0.0) & (size < math.inf), root, x)


def _power_of_two(k: Function, exponent: Value, bias: int) -> Value:
    """2^n for a small whole n, held in the low bits of a sum with a large number."""
    width = fraction_bits(exponent.type)
    shifted = exponent + (1.5 * 2.0**width + bias)
    return k.bitcast(k.bitcast(shifted, exponent.type.integer) << width, exponent.type)
