"""Functions of the digits of a number: the next float, the exponent, and the greatest common divisor."""

from __future__ import annotations

import math

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.math.polynomial import exponent_bias, fraction_bits, minimum_normal
from rlx.backends.cpu.emit.types import I32, Type
from rlx.backends.cpu.emit.values import Value


def next_after(k: Function, x: Value, y: Value, stored: Type) -> Value:
    """The float of a storage type next to x towards y: one more or less in its bits, which are ordered as the magnitudes are."""
    kind = stored.like(x.type)
    bits = k.bitcast(k.convert(x, stored), kind.integer)
    sign_bit = -(1 << (kind.bits - 1))
    away = (x < y) ^ (x < 0.0)
    moved = k.select(away, bits + 1, bits - 1)
    from_zero = (k.bitcast(k.convert(y, stored), kind.integer) & sign_bit) | 1
    found = k.select(x == 0.0, from_zero, moved)
    found = k.bitcast(found, kind)
    target = k.convert(y, stored)
    found = _chosen(k, x == y, target, found, kind)
    broken = _chosen(k, k.is_nan(x), k.convert(x, stored), target, kind)
    return _chosen(k, k.is_nan(x) | k.is_nan(y), broken, found, kind)


def _chosen(k: Function, condition: Value, a: Value, b: Value, kind: Type) -> Value:
    """A selection of floats that may be held as integers."""
    picked = k.select(condition, k.bitcast(a, kind.integer), k.bitcast(b, kind.integer))
    return k.bitcast(picked, kind)


def exponent(k: Function, x: Value) -> Value:
    """The e with |x| = m·2^e, ½ ≤ m < 1, as an i32; 0 for 0, infinities and NaN."""
    kind, width = x.type, fraction_bits(x.type)
    size = k.abs(x)
    denormal = size < minimum_normal(kind)
    bits = k.bitcast(k.select(denormal, size * 2.0**54, size), kind.integer)
    found = bits.ushr(width) - k.select(denormal, k.constant(exponent_bias(kind) + 53, bits.type), exponent_bias(kind) - 1)
    usual = (size > 0.0) & (size < math.inf)
    return k.convert(k.select(usual, found, 0), I32)


def gcd(k: Function, x: Value, y: Value, signed: bool) -> Value:
    """The greatest common divisor, by Euclid's algorithm until every lane is done."""
    first, second = (k.abs(value) if signed else value for value in (x, y))
    large, small = k.var(first), k.var(second)
    with k.loop() as loop:
        a, b = large.get(), small.get()
        active = b != 0
        loop.stop(~(k.any_lane(active) if active.type.lanes else active))
        large.set(k.select(active, b, a))
        small.set(k.select(active, a.urem(k.select(active, b, 1)), b))
    return large.get()
