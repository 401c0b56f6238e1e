"""exp and what is made of it: expm1, sigmoid, silu, tanh, elu.

    x = n·log 2 + r,  |r| ≤ log(2)/2      e^x = 2^n · (1 + r + r²·p(r))

n comes from adding a number so large that the fraction falls off; the low bits of the sum then hold n plus a bias.
"""

from __future__ import annotations

import math

from rlx.backends.cpu.builder import Function, Value
from rlx.backends.cpu.math.coefficients import EXP
from rlx.backends.cpu.math.polynomial import exponent_bias, fraction_bits, horner

__all__ = ["LOG_2", "elu", "exp", "exp_between", "exp_parts", "expm1", "sigmoid", "silu", "tanh"]

# log 2 in two parts; the first has few enough digits that its product with any n is exact.
LOG_2 = {"f32": (0.693145751953125, 1.4286068203094173e-06), "f64": (0.6931471805598903, 5.497923018708371e-14)}
# At the first both factors of e^x are 0; above the second it is infinite.
_RANGE = {"f32": (-176.1, 89.0), "f64": (-1418.2, 710.0)}
# tanh is ±1 above it.
_TANH_LIMIT = {"f32": 10.0, "f64": 20.0}


def _reduce(k: Function, x: Value, bias: int, tail: Value | None = None) -> tuple[Value, Value]:
    """(n + bias in the low bits of an integer, e^r − 1) for x + tail."""
    big = 1.5 * 2.0 ** fraction_bits(x) + bias
    shifted = k.fma(x, 1 / math.log(2), big)
    n = shifted - big
    high, low = LOG_2[x.type.name]
    r = k.fma(n, -high, x)
    r = k.fma(n, -low, r if tail is None else r + tail)
    return k.bitcast(shifted, x.type.integer), k.fma(r * r, horner(k, r, EXP[r.type.name]), r)


def exp_parts(k: Function, x: Value, tail: Value | None = None) -> tuple[Value, Value]:
    """Two factors of e^(x + tail): a normal number and a power of two. Their product is e^x, rounded once even where
    it is denormal; multiplying something large in between keeps its digits."""
    low, high = _RANGE[x.type.name]
    x = k.minimum_fast(high, k.maximum_fast(low, x))  # in this order of operands NaN stays
    bits, expm1_r = _reduce(k, x, 2 * exponent_bias(x), tail)
    half = bits.ushr(1)  # n may exceed the exponent range of one factor
    first = k.bitcast(half << fraction_bits(x), x.type)
    second = k.bitcast((bits - half) << fraction_bits(x), x.type)
    return (expm1_r + 1.0) * first, second


def exp(k: Function, x: Value, tail: Value | None = None) -> Value:
    """e^x, or e^(x + tail) where x alone is not precise enough."""
    first, second = exp_parts(k, x, tail)
    return first * second


def exp_between(k: Function, x: Value, tail: Value | None = None) -> Value:
    """e^x where it is known to be a normal number (f32: -87 ≤ x ≤ 88); anything else gives nonsense."""
    bits, expm1_r = _reduce(k, x, exponent_bias(x), tail)
    return (expm1_r + 1.0) * k.bitcast(bits << fraction_bits(x), x.type)


def expm1(k: Function, x: Value) -> Value:
    """e^x − 1, accurate near 0."""
    _, high = _RANGE[x.type.name]
    bias, width = exponent_bias(x), fraction_bits(x)
    given = x
    x = k.minimum_fast(high, k.maximum_fast(-50.0, x))
    bits, expm1_r = _reduce(k, x, bias)
    n = (bits & (2 * bias + 1)) - bias
    most = k.minimum(n, bias)  # 2^n as 2^most · 2^over, so that the factors are finite
    over = n - most
    factor = k.bitcast((most + bias) << width, x.type)
    one = k.bitcast((-over + bias) << width, x.type)
    result = k.fma(expm1_r, factor, factor - one) * k.bitcast((over + bias) << width, x.type)
    return k.copysign(result, given)


def sigmoid(k: Function, x: Value) -> Value:
    """1/(1 + e^−x) = e^x/(1 + e^x): the form whose exponential does not overflow."""
    e = exp(k, -k.abs(x))
    return k.select(x < 0.0, e, 1.0) / (e + 1.0)


def silu(k: Function, x: Value) -> Value:
    """x·sigmoid(x)."""
    first, second = exp_parts(k, -k.abs(x))
    return k.select(x < 0.0, (x * first) * second, x) / (first * second + 1.0)


def tanh(k: Function, x: Value) -> Value:
    """m/(m + 2) with m = e^2|x| − 1, and the sign of x."""
    doubled = k.minimum_fast(2 * _TANH_LIMIT[x.type.name], k.abs(x) * 2.0)
    bits, expm1_r = _reduce(k, doubled, exponent_bias(x))
    factor = k.bitcast(bits << fraction_bits(x), x.type)
    m = k.fma(expm1_r, factor, factor - 1.0)
    return k.copysign(m / (m + 2.0), x)


def elu(k: Function, x: Value) -> Value:
    """x above 0, e^x − 1 below."""
    return k.select(x > 0.0, x, expm1(k, x))
