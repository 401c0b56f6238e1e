"""log, log1p, log2, log10, softplus and pow.

x = 2^e · m,  m in [1/√2, √2)      log x = e·log 2 + log m
"""

from __future__ import annotations

import math

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.math.exponential import LOG_2, exp, exp_negative
from rlx.backends.cpu.emit.math.polynomial import (
    add_exactly,
    exponent_bias,
    fraction_bits,
    horner,
    minimum_normal,
    multiply_exactly,
)
from rlx.backends.cpu.emit.types import F64
from rlx.backends.cpu.emit.values import Value
from rlx.backends.elementary_coefficients import ATANH, ATANH_REST, LOG

_ROOT_HALF_BITS = {"f32": 0x3F3504F3, "f64": 0x3FE6A09E667F3BCD}
# log10(2) in two parts, as log 2.
_LOG10_2 = {"f32": (0.301025390625, 4.605038981195214e-06), "f64": (0.30102999566383914, 1.42050232272661e-13)}
_TWO_THIRDS = (0.6666666666666666, 3.700743415417188e-17)


def _split(k: Function, x: Value) -> tuple[Value, Value]:
    """(e as an integer, m) of a positive normal number."""
    root_half, width = _ROOT_HALF_BITS[x.type.name], fraction_bits(x.type)
    above = k.bitcast(x, x.type.integer) - root_half
    return above >> width, k.bitcast((above & ((1 << width) - 1)) + root_half, x.type)


def split_any(k: Function, x: Value) -> tuple[Value, Value]:
    """(e as a float, m) of a positive number that may be denormal."""
    denormal = x < minimum_normal(x.type)
    e, m = _split(k, k.select(denormal, x * 2.0**54, x))
    return _float_of(k, e, x) - k.select(denormal, k.constant(54.0, x.type), 0.0), m


def _float_of(k: Function, e: Value, like: Value) -> Value:
    """An exponent as a float: by adding 1.5·2^52 for f64, which AVX2 cannot convert."""
    if like.type.bits == 32:
        return k.convert(e, like.type)
    big = 1.5 * 2.0**52
    return k.bitcast(e + 0x4338000000000000, like.type) - big


def _log_sum(k: Function, e: Value, f: Value) -> Value:
    """e·log 2 + log(1 + f) for the reduced f."""
    high, low = LOG_2[f.type.name]
    half_square = f * f * 0.5
    if f.type.bits == 32:
        rest = k.fma(f * f * f, horner(k, f, LOG["f32"]), e * low)
        return k.fma(e, high, f + (rest - half_square))
    s = f / (f + 2.0)
    z = s * s
    rest = k.fma(s, k.fma(z, horner(k, z, ATANH["f64"]), half_square), e * low)
    return k.fma(e, high, f + (rest - half_square))


def _log_edges(k: Function, x: Value, result: Value, zero: float = 0.0) -> Value:
    """−∞ at `zero`, NaN below it, infinity and NaN kept."""
    outside = k.select(x == zero, k.constant(-math.inf, x.type), math.nan)
    return k.select(x == math.inf, x, k.select(x > zero, result, outside))


def log(k: Function, x: Value) -> Value:
    """The natural logarithm."""
    e, m = split_any(k, x)
    return _log_edges(k, x, _log_sum(k, e, m - 1.0))


def log2(k: Function, x: Value) -> Value:
    """The logarithm to base 2, exact for powers of 2."""
    e, m = split_any(k, x)
    part = _log_sum(k, k.constant(0.0, x.type), m - 1.0)
    return _log_edges(k, x, k.fma(part, 1 / math.log(2), e))


def log10(k: Function, x: Value) -> Value:
    """The logarithm to base 10."""
    e, m = split_any(k, x)
    part = _log_sum(k, k.constant(0.0, x.type), m - 1.0)
    high, low = _LOG10_2[x.type.name]
    return _log_edges(k, x, k.fma(e, high, k.fma(part, 1 / math.log(10), e * low)))


def log1p(k: Function, x: Value) -> Value:
    """log(1 + x), accurate near 0: the rounding error of 1 + x is added back to the reduced number."""
    total, lost = add_exactly(k.constant(1.0, x.type), x)
    e, m = _split(k, total)
    inverse = k.bitcast(k.maximum(-e + exponent_bias(x.type), 0) << fraction_bits(x.type), x.type)
    f = k.fma(lost, inverse, m - 1.0)
    return _log_edges(k, x, k.copysign(_log_sum(k, _float_of(k, e, x), f), x), -1.0)


def softplus(k: Function, x: Value) -> Value:
    """log(1 + e^x) = max(x, 0) + log1p(e^−|x|)."""
    return k.maximum_fast(x, 0.0) + log1p(k, exp_negative(k, -k.abs(x)))


def _log_twofold(k: Function, x: Value) -> tuple[Value, Value]:
    """log x of a positive f64 as an unevaluated sum of two, good to 2^-65 relative."""
    e, m = split_any(k, x)
    f = m - 1.0
    below = m + 1.0
    below_lost = m - (below - 1.0)
    s = f / below
    product, lost = multiply_exactly(k, s, below)
    s_low = (((f - product) - lost) - s * below_lost) / below
    z, z_lost = multiply_exactly(k, s, s)
    z_low = k.fma(s * 2.0, s_low, z_lost)
    factor, factor_low = add_exactly(k.constant(_TWO_THIRDS[0], x.type), z * horner(k, z, ATANH_REST["f64"]))
    factor_low = factor_low + _TWO_THIRDS[1]
    cube, cube_low = multiply_exactly(k, s, z)
    cube_low = cube_low + (s * z_low + s_low * z)
    third, third_low = multiply_exactly(k, cube, factor)
    third_low = third_low + (cube * factor_low + cube_low * factor)
    high, low = LOG_2["f64"]
    total, error_one = add_exactly(e * high, s * 2.0)
    total, error_two = add_exactly(total, third)
    rest = ((error_one + error_two) + (s_low * 2.0 + third_low)) + e * low
    result = total + rest
    return result, rest - (result - total)


def pow_(k: Function, x: Value, y: Value) -> Value:
    """x to the y as in C and NumPy. f32 is computed in f64, so within 0.51 ulp; f64 by a twofold logarithm."""
    kind = x.type
    wide_x, wide_y = k.convert(x, F64), k.convert(y, F64)
    magnitude = _pow_positive(k, k.abs(wide_x), wide_y, kind.bits == 32)
    result = k.convert(magnitude, kind)
    whole, half = k.floor(y) == y, y * 0.5
    odd = whole & (k.floor(half) != half)
    negative = k.bitcast(x, kind.integer) < 0
    result = k.select(negative & odd, -result, result)
    result = k.select((x < 0.0) & (x > -math.inf) & ~whole, math.nan, result)
    one = (y == 0.0) | (x == 1.0) | ((x == -1.0) & (k.abs(y) == math.inf))
    return k.select(one, k.constant(1.0, kind), result)


def _pow_positive(k: Function, x: Value, y: Value, single: bool) -> Value:
    """x to the y for f64 x ≥ 0; `single`: precise enough for an f32 result."""
    if single:
        return exp(k, log(k, x) * y)
    high, low = _log_twofold(k, x)
    edge = _log_edges(k, x, high)
    product, lost = multiply_exactly(k, edge, y)
    tail = k.fma(low, y, lost)
    return exp(k, product, k.select(k.abs(tail) < 1e-10, tail, 0.0))  # larger ones are beyond overflow
