"""Exact sums and products, and the digits of floats."""

from __future__ import annotations

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.values import Type, Value
from rlx.formulas.algebra import FLOATS


def add_exactly(a: Value, b: Value) -> tuple[Value, Value]:
    """The rounded sum and its rounding error, for any magnitudes."""
    total = a + b
    b_part = total - a
    return total, (a - (total - b_part)) + (b - b_part)


def multiply_exactly(k: Function, a: Value, b: Value) -> tuple[Value, Value]:
    """The rounded product and its rounding error; without FMA by splitting (magnitudes below 2^900)."""
    product = a * b
    if k.target.has("fma"):
        return product, k.fma(a, b, -product)
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    lost = a_high * b_high - product
    return product, ((lost + a_high * b_low) + a_low * b_high) + a_low * b_low


def cancel(k: Function, a: Value, b: Value, c: Value) -> Value:
    """a·b + c rounded once, given that the two nearly cancel (or that one is 0)."""
    if k.target.has("fma"):
        return k.fma(a, b, c)
    product, lost = multiply_exactly(k, a, b)
    return (product + c) + lost


def _halves(x: Value) -> tuple[Value, Value]:
    """Splits a float into the upper and the lower half of its digits."""
    spread = x * (2.0**27 + 1.0 if x.type.bits == 64 else 2.0**12 + 1.0)
    high = spread - (spread - x)
    return high, x - high


def fraction_bits(kind: Type) -> int:
    """The width of the stored fraction: 23 for f32, 52 for f64."""
    return FLOATS[kind.name].fraction


def exponent_bias(kind: Type) -> int:
    """The exponent bias of a float type: 127 for f32, 1023 for f64."""
    return FLOATS[kind.name].bias
