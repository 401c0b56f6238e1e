"""Functions with a loop: the remainder of floats, powers and greatest common divisors of integers."""

from __future__ import annotations

import math

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.math.exact import exponent_bias, fraction_bits, multiply_exactly
from rlx.backends.cpu.emit.values import F64, Value

# Quotients below it are found by one division; the product with the divisor is exact.
_QUOTIENT_LIMIT = {"f32": 2.0**22, "f64": 2.0**50}
_DIVISOR_LIMIT = {"f32": 2.0**126, "f64": 2.0**900}


def _remainder(k: Function, x: Value, y: Value) -> Value:
    """fmod of magnitudes x ≥ 0, y ≥ 0: exact."""
    kind = x.type
    quotient = k.trunc(x / y)
    rest = _subtract_product(k, x, quotient, y)
    rest = k.select(rest < 0.0, rest + y, rest)  # the quotient was rounded up to the next integer
    easy = (quotient < _QUOTIENT_LIMIT[kind.name]) & (y < _DIVISOR_LIMIT[kind.name])
    proper = (y > 0.0) & (x < math.inf)
    hard = proper & (x > y) & ~easy
    result = k.var(rest)
    with k.when(k.any_lane(hard) if kind.lanes else hard):
        result.set(k.select(hard, _long_division(k, x, y), rest))
    remainder = k.select(x < y, x, k.select(x == y, 0.0, result.get()))
    return k.select(proper, remainder, math.nan)


def _subtract_product(k: Function, x: Value, quotient: Value, y: Value) -> Value:
    """x − quotient·y, exact when it is representable."""
    if k.target.has("fma"):
        return k.fma(-quotient, y, x)
    if x.type.bits == 32:
        wide = [k.convert(value, F64) for value in (x, quotient, y)]
        return k.convert(wide[0] - wide[1] * wide[2], x.type)
    product, lost = multiply_exactly(k, quotient, y)
    return (x - product) - lost


def _long_division(k: Function, x: Value, y: Value) -> Value:
    """The remainder of x ≥ y > 0, digit by digit: as many steps as the exponents differ."""
    width = fraction_bits(x.type)
    (x_digits, x_exponent), (y_digits, y_exponent) = _digits(k, x), _digits(k, y)
    steps = x_exponent - y_exponent
    rest, left = k.var(x_digits), k.var(steps)
    with k.loop() as loop:
        now, todo = rest.get(), left.get()
        now = k.select(now >= y_digits, now - y_digits, now)
        active = todo > 0
        rest.set(k.select(active, now << 1, now))
        left.set(k.select(active, todo - 1, todo))
        loop.stop(~(k.any_lane(active) if active.type.lanes else active))
    # digits · 2^exponent, in two factors since the exponent may be below the normal range
    half = y_exponent >> 1
    bias = exponent_bias(x.type)
    factors = [k.bitcast((part + bias) << width, x.type) for part in (half, y_exponent - half)]
    value = k.convert(rest.get(), x.type) if x.type.bits == 32 else _exact_float(k, rest.get(), x)
    return value * factors[0] * factors[1]


def _digits(k: Function, x: Value) -> tuple[Value, Value]:
    """A positive number as (integer digits with the leading one set, exponent of the last digit)."""
    width, bias = fraction_bits(x.type), exponent_bias(x.type)
    denormal = x < 2.0 ** (1 - bias)
    normal = k.select(denormal, x * 2.0 ** (width + 2), x)
    bits = k.bitcast(normal, x.type.integer)
    exponent = bits.ushr(width) - k.select(denormal, k.constant(bias + 2 * width + 2, bits.type), bias + width)
    return (bits & ((1 << width) - 1)) | (1 << width), exponent


def _exact_float(k: Function, digits: Value, like: Value) -> Value:
    """An integer below 2^53 as an f64, without the conversion AVX2 lacks."""
    upper = k.bitcast(digits.ushr(32) | 0x4530000000000000, like.type) - 2.0**84
    lower = k.bitcast((digits & 0xFFFFFFFF) | 0x4330000000000000, like.type) - 2.0**52
    return upper + lower


def fmod(k: Function, x: Value, y: Value) -> Value:
    """Emits np.fmod: x − trunc(x/y)·y with the sign of x, exact; NaN for a divisor of 0."""
    return k.copysign(_remainder(k, k.abs(x), k.abs(y)), x)


def integer_pow(k: Function, x: Value, y: Value) -> Value:
    """Emits x to the y ≥ 0 for integers, wrapping."""
    result, base, left = k.var(k.constant(1, x.type)), k.var(x), k.var(y)
    with k.loop() as loop:
        todo, factor = left.get(), base.get()
        loop.stop(~(k.any_lane(todo != 0) if todo.type.lanes else todo != 0))
        result.set(k.select((todo & 1) == 0, result.get(), result.get() * factor))
        base.set(factor * factor)
        left.set(todo.ushr(1))
    return result.get()


def gcd(k: Function, x: Value, y: Value, signed: bool) -> Value:
    """Emits the greatest common divisor, by Euclid's algorithm until every lane is done."""
    first, second = (k.abs(value) if signed else value for value in (x, y))
    large, small = k.var(first), k.var(second)
    with k.loop() as loop:
        a, b = large.get(), small.get()
        active = b != 0
        loop.stop(~(k.any_lane(active) if active.type.lanes else active))
        large.set(k.select(active, b, a))
        small.set(k.select(active, a.urem(k.select(active, b, 1)), b))
    return large.get()
