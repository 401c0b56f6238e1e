"""Remainders and floor division, of floats as NumPy computes them and of integers without traps."""

from __future__ import annotations

import math

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.math.polynomial import exponent_bias, fraction_bits, multiply_exactly
from rlx.backends.cpu.emit.types import F64
from rlx.backends.cpu.emit.values import Value

# Quotients below it are found by one division; the product with the divisor is exact.
_QUOTIENT_LIMIT = {"f32": 2.0**22, "f64": 2.0**50}
_DIVISOR_LIMIT = {"f32": 2.0**126, "f64": 2.0**900}


def rsqrt(k: Function, x: Value) -> Value:
    """1/sqrt(x): two correctly rounded steps."""
    return 1.0 / k.sqrt(x)


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
    found = k.select(x < y, x, k.select(x == y, 0.0, result.get()))
    return k.select(proper, found, math.nan)


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


def _modulo(k: Function, x: Value, y: Value) -> tuple[Value, Value, Value]:
    """(fmod(x, y), whether it is on the wrong side, the remainder with the sign of y)."""
    rest = k.copysign(_remainder(k, k.abs(x), k.abs(y)), x)
    wrong = (rest != 0.0) & ((rest < 0.0) ^ (y < 0.0))
    adjusted = k.select(wrong, rest + y, rest)
    return rest, wrong, k.select(rest == 0.0, k.copysign(rest, y), adjusted)


def fmod(k: Function, x: Value, y: Value) -> Value:
    """x − trunc(x/y)·y with the sign of x, exact; NaN for a divisor of 0 (np.fmod)."""
    return k.copysign(_remainder(k, k.abs(x), k.abs(y)), x)


def mod(k: Function, x: Value, y: Value) -> Value:
    """x − floor(x/y)·y with the sign of y; NaN for a divisor of 0 (np.mod)."""
    return _modulo(k, x, y)[2]


def floor_div(k: Function, x: Value, y: Value) -> Value:
    """floor(x/y) (np.floor_divide): from the exact remainder, so never off by one."""
    rest, wrong, _ = _modulo(k, x, y)
    quotient = (x - rest) / y
    quotient = k.select(wrong, quotient - 1.0, quotient)
    down = k.floor(quotient)
    down = k.select(quotient - down > 0.5, down + 1.0, down)
    whole = k.select(quotient == 0.0, k.copysign(k.constant(0.0, x.type), x / y), down)
    return k.select(y == 0.0, x / y, whole)


def _safe(k: Function, y: Value, signed: bool) -> Value:
    """The divisor, 1 in the lanes where the machine's division would trap."""
    traps = y == 0
    if signed:
        traps = traps | (y == -1)
    return k.select(traps, 1, y)


def integer_floor_div(k: Function, x: Value, y: Value, signed: bool) -> Value:
    """floor(x/y); 0 for a divisor of 0."""
    safe = _safe(k, y, signed)
    if not signed:
        return k.select(y == 0, 0, x.udiv(safe))
    return k.select(y == 0, 0, k.select(y == -1, -x, k.floor_divide(x, safe)))


def integer_mod(k: Function, x: Value, y: Value, signed: bool) -> Value:
    """x − floor(x/y)·y; 0 for a divisor of 0."""
    safe = _safe(k, y, signed)
    rest = k.floor_modulo(x, safe) if signed else x.urem(safe)
    return k.select(safe == y, rest, 0)


def integer_fmod(k: Function, x: Value, y: Value, signed: bool) -> Value:
    """x − trunc(x/y)·y; 0 for a divisor of 0."""
    safe = _safe(k, y, signed)
    rest = x.srem(safe) if signed else x.urem(safe)
    return k.select(safe == y, rest, 0)


def integer_pow(k: Function, x: Value, y: Value, signed: bool) -> Value:
    """x to the y, wrapping; a negative power is 0 but for ±1."""
    exponent = k.select(y < 0, 0, y) if signed else y
    result, base, left = k.var(k.constant(1, x.type)), k.var(x), k.var(exponent)
    with k.loop() as loop:
        todo, factor = left.get(), base.get()
        loop.stop(~(k.any_lane(todo != 0) if todo.type.lanes else todo != 0))
        result.set(k.select((todo & 1) == 0, result.get(), result.get() * factor))
        base.set(factor * factor)
        left.set(todo.ushr(1))
    if not signed:
        return result.get()
    odd = (y & 1) != 0
    inverse = k.select(x == 1, 1, k.select(x == -1, k.select(odd, k.constant(-1, x.type), 1), 0))
    return k.select(y < 0, inverse, result.get())
