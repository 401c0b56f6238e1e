"""exp and functions based on it: exp2, expm1, sinh, cosh, sigmoid, silu, tanh, elu.

    x = n·log 2 + r,  |r| ≤ log(2)/2      e^x = 2^n · (1 + r + r²·p(r))

n comes from adding a number so large that the fraction is dropped; the low bits of the sum then hold n plus a bias.
"""

from __future__ import annotations

import math

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.math.polynomial import by_squares, cancel, exponent_bias, fraction_bits, horner
from rlx.backends.cpu.emit.types import Type
from rlx.backends.cpu.emit.values import Value
from rlx.backends.elementary_coefficients import EXP
from rlx.backends.special_coefficients import SINH

# log 2 in two parts; the first has few enough digits that its product with any n is exact.
LOG_2 = {"f32": (0.693145751953125, 1.4286068203094173e-06), "f64": (0.6931471805598903, 5.497923018708371e-14)}
# At the first both factors of e^x are 0; above the second it is infinite.
_RANGE = {"f32": (-176.1, 89.0), "f64": (-1418.2, 710.0)}
# The same of 2^x, and for e^x/2 the upper one.
_RANGE_OF_TWO = {"f32": (-254.0, 129.0), "f64": (-2046.0, 1025.0)}
_HALF_LIMIT = {"f32": 90.0, "f64": 711.0}
# Below the first e^x rounds to 0; 2^n times this power of two is in range from there to 1.
_NEGATIVE = {"f32": (-105.0, 64), "f64": (-746.0, 512)}
# With e^−x smaller by this power of two it is finite as long as 1/(1 + e^−x) is not 0.
LOGISTIC_SHIFT = {"f32": 24, "f64": 53}
# Below the first sigmoid is 0 (2^n is still finite there), above the second 1 (2^n is 0).
_LOGISTIC_RANGE = {"f32": (-104.87, 71.7), "f64": (-746.03, 672.1)}
# tanh is ±1 above it.
_TANH_LIMIT = {"f32": 10.0, "f64": 20.0}


def _reduce(k: Function, x: Value, bias: int, tail: Value | None = None) -> tuple[Value, Value]:
    """(n + bias in the low bits of an integer, r) with x + tail = n·log 2 + r."""
    big = 1.5 * 2.0 ** fraction_bits(x.type) + bias
    shifted = k.fma(x, 1 / math.log(2), big)
    n = shifted - big
    high, low = LOG_2[x.type.name]
    r = k.fma(n, -high, x)
    return k.bitcast(shifted, x.type.integer), k.fma(n, -low, r if tail is None else r + tail)


def expm1_reduced(k: Function, r: Value, scale: float = 1.0) -> Value:
    """e^(scale·r) − 1 for the reduced r."""
    coefficients = [c * scale ** (power + 2) for power, c in enumerate(EXP[r.type.name])]
    square = r * r
    return k.fma(square, by_squares(k, r, square, coefficients), r if scale == 1.0 else r * scale)


def power_of_two(k: Function, bits: Value, kind: Type) -> Value:
    """2^n where the low bits hold n + the bias; the least n gives 0."""
    return k.bitcast(bits << fraction_bits(kind), kind)


def exp(k: Function, x: Value, tail: Value | None = None) -> Value:
    """e^x, or e^(x + tail) if x alone is not precise enough; also correct for denormal results: the factor 2^n is applied
    in two halves, since n may exceed the range of one."""
    low, high = _RANGE[x.type.name]
    x = k.minimum_fast(high, k.maximum_fast(low, x))  # this order of operands keeps NaN
    bits, r = _reduce(k, x, 2 * exponent_bias(x.type), tail)
    half = bits.ushr(1)
    factor = power_of_two(k, half, x.type)
    return k.fma(expm1_reduced(k, r), factor, factor) * power_of_two(k, bits - half, x.type)


def exp2(k: Function, x: Value) -> Value:
    """2^x, exact for whole x."""
    low, high = _RANGE_OF_TWO[x.type.name]
    x = k.minimum_fast(high, k.maximum_fast(low, x))
    big = 1.5 * 2.0 ** fraction_bits(x.type) + 2 * exponent_bias(x.type)
    shifted = x + big
    r = x - (shifted - big)
    return _two_factors(k, expm1_reduced(k, r, math.log(2)), k.bitcast(shifted, x.type.integer))


def _two_factors(k: Function, power: Value, bits: Value) -> Value:
    """(1 + power)·2^n where the bits hold n + twice the bias: 2^n in two halves, since n may exceed the range of one."""
    half = bits.ushr(1)
    factor = power_of_two(k, half, power.type)
    return k.fma(power, factor, factor) * power_of_two(k, bits - half, power.type)


def _half_exp(k: Function, x: Value) -> Value:
    """e^x/2 for x ≥ 0, finite as long as it fits."""
    bits, r = _reduce(k, k.minimum_fast(_HALF_LIMIT[x.type.name], x), 2 * exponent_bias(x.type) - 1)
    return _two_factors(k, expm1_reduced(k, r), bits)


def sinh(k: Function, x: Value) -> Value:
    """x + x³·p(x²) up to 1, else (e^|x| − e^−|x|)/2 with the sign of x."""
    size, square = k.abs(x), x * x
    half = _half_exp(k, size)
    near = k.fma(x * square, horner(k, square, SINH[x.type.name]), x)
    return k.select(size < 1.0, near, k.copysign(half - 0.25 / half, x))


def cosh(k: Function, x: Value) -> Value:
    """(e^|x| + e^−|x|)/2."""
    half = _half_exp(k, k.abs(x))
    return half + 0.25 / half


def exp_negative(k: Function, x: Value) -> Value:
    """e^x for x ≤ 0 or NaN, also correct for denormal results: n is shifted into the range of one factor."""
    low, shift = _NEGATIVE[x.type.name]
    bits, r = _reduce(k, k.maximum_fast(low, x), exponent_bias(x.type) + shift)
    factor = power_of_two(k, bits, x.type)
    return k.fma(expm1_reduced(k, r), factor, factor) * 2.0**-shift


def exp_between(k: Function, x: Value) -> Value:
    """e^x for x between -88 (f64: -709), where it is exactly 0, and 88 (709). Anything outside is undefined."""
    bits, r = _reduce(k, x, exponent_bias(x.type))
    factor = power_of_two(k, bits, x.type)
    return k.fma(expm1_reduced(k, r), factor, factor)


def exp_of_square(k: Function, a: Value, square: Value) -> Value:
    """e^(−a²/2) without the error of rounding a² to `square`; a is limited so that the exponent is at least -88 (-709), at
    which the result is exactly 0."""
    big = 1.5 * 2.0 ** fraction_bits(a.type) + exponent_bias(a.type)
    shifted = k.fma(square, -0.5 / math.log(2), big)
    n = shifted - big
    high, low = LOG_2[a.type.name]
    r = k.fma(n, 2 * low, cancel(k, a, a, n * (2 * high)))
    coefficients = [c * (-0.5) ** power for power, c in enumerate((1.0, 1.0, *EXP[a.type.name]))]
    return horner(k, r, coefficients) * power_of_two(k, k.bitcast(shifted, a.type.integer), a.type)


def expm1(k: Function, x: Value) -> Value:
    """e^x − 1, accurate near 0."""
    _, high = _RANGE[x.type.name]
    bias, width = exponent_bias(x.type), fraction_bits(x.type)
    given = x
    x = k.minimum_fast(high, k.maximum_fast(-50.0, x))
    bits, r = _reduce(k, x, bias)
    n = (bits & (2 * bias + 1)) - bias
    most = k.minimum(n, bias)  # 2^n as 2^most · 2^over, so that the factors are finite
    over = n - most
    factor = k.bitcast((most + bias) << width, x.type)
    one = k.bitcast((-over + bias) << width, x.type)
    result = k.fma(expm1_reduced(k, r), factor, factor - one) * k.bitcast((over + bias) << width, x.type)
    return k.copysign(result, given)


def sigmoid(k: Function, x: Value) -> Value:
    """1/(1 + e^−x)."""
    low, high = _LOGISTIC_RANGE[x.type.name]
    bias = exponent_bias(x.type) - LOGISTIC_SHIFT[x.type.name]
    bits, r = _reduce(k, -k.minimum_fast(high, k.maximum_fast(low, x)), bias)
    return one_over_one_plus(k, expm1_reduced(k, r), bits)


def one_over_one_plus(k: Function, power: Value, bits: Value) -> Value:
    """1/(1 + (1 + power)·2^n) where the bits hold n + the bias − `LOGISTIC_SHIFT`: both sides of the fraction are scaled,
    so that no denormal result is lost to an infinite 2^n."""
    scale = 2.0 ** -LOGISTIC_SHIFT[power.type.name]
    factor = power_of_two(k, bits, power.type)
    return scale / k.fma(power, factor, factor + scale)


def silu(k: Function, x: Value) -> Value:
    """x·sigmoid(x)."""
    return x * sigmoid(k, x)


def tanh(k: Function, x: Value) -> Value:
    """m/(m + 2) with m = e^2|x| − 1, and the sign of x."""
    doubled = k.minimum_fast(2 * _TANH_LIMIT[x.type.name], k.abs(x) * 2.0)
    bits, r = _reduce(k, doubled, exponent_bias(x.type))
    factor = power_of_two(k, bits, x.type)
    m = k.fma(expm1_reduced(k, r), factor, factor - 1.0)
    return k.copysign(m / (m + 2.0), x)


def elu(k: Function, x: Value) -> Value:
    """x above 0, e^x − 1 below."""
    return k.select(x > 0.0, x, expm1(k, x))
