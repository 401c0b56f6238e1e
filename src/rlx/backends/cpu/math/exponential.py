"""exp and what is made of it: expm1, sigmoid, silu, tanh, elu.

    x = n·log 2 + r,  |r| ≤ log(2)/2      e^x = 2^n · (1 + r + r²·p(r))

n comes from adding a number so large that the fraction falls off; the low bits of the sum then hold n plus a bias.
"""

from __future__ import annotations

import math

from rlx.backends.cpu.builder import Function, Value
from rlx.backends.cpu.math.coefficients import EXP
from rlx.backends.cpu.math.polynomial import cancel, exponent_bias, fraction_bits, horner

__all__ = ["LOG_2", "elu", "exp", "exp_between", "exp_of_product", "expm1", "sigmoid", "silu", "tanh"]

# log 2 in two parts; the first has few enough digits that its product with any n is exact.
LOG_2 = {"f32": (0.693145751953125, 1.4286068203094173e-06), "f64": (0.6931471805598903, 5.497923018708371e-14)}
# At the first both factors of e^x are 0; above the second it is infinite.
_RANGE = {"f32": (-176.1, 89.0), "f64": (-1418.2, 710.0)}
# tanh is ±1 above it.
_TANH_LIMIT = {"f32": 10.0, "f64": 20.0}


def _reduce(k: Function, x: Value, bias: int, tail: Value | None = None) -> tuple[Value, Value]:
    """(n + bias in the low bits of an integer, r) with x + tail = n·log 2 + r."""
    big = 1.5 * 2.0 ** fraction_bits(x) + bias
    shifted = k.fma(x, 1 / math.log(2), big)
    n = shifted - big
    high, low = LOG_2[x.type.name]
    r = k.fma(n, -high, x)
    return k.bitcast(shifted, x.type.integer), k.fma(n, -low, r if tail is None else r + tail)


def _exp_reduced(k: Function, r: Value, scale: float = 1.0) -> Value:
    """e^(scale·r) for the reduced r."""
    coefficients = (1.0, 1.0, *EXP[r.type.name])
    return horner(k, r, [coefficient * scale**power for power, coefficient in enumerate(coefficients)])


def _expm1_reduced(k: Function, r: Value) -> Value:
    """e^r − 1 for the reduced r."""
    return k.fma(r * r, horner(k, r, EXP[r.type.name]), r)


def _scaled(k: Function, value: Value, bits: Value, like: Value) -> Value:
    """value·2^n where the bits hold n + twice the bias: two factors, as n may exceed the range of one."""
    half = bits.ushr(1)
    first = k.bitcast(half << fraction_bits(like), like.type)
    second = k.bitcast((bits - half) << fraction_bits(like), like.type)
    return value * first * second


def exp(k: Function, x: Value, tail: Value | None = None, *, negative: bool = False) -> Value:
    """e^x, or e^(x + tail) where x alone is not precise enough; right where it is denormal, too. `negative`: x ≤ 0."""
    low, high = _RANGE[x.type.name]
    x = k.maximum_fast(low, x)  # in this order of operands NaN stays
    if not negative:
        x = k.minimum_fast(high, x)
    bits, r = _reduce(k, x, 2 * exponent_bias(x), tail)
    return _scaled(k, _exp_reduced(k, r), bits, x)


def exp_between(k: Function, x: Value) -> Value:
    """e^x for x between -88 (f64: -709), where it is exactly 0, and 88 (709). Anything outside gives nonsense."""
    bits, r = _reduce(k, x, exponent_bias(x))
    return _exp_reduced(k, r) * k.bitcast(bits << fraction_bits(x), x.type)


def exp_of_product(
    k: Function, a: Value, b: Value, rate: float, period: tuple[float, float], *, low: Value | None = None,
    denormal: bool = False,
) -> Value:  # fmt: skip
    """e^(−rate·a·(b + low)) without the error of rounding a·b; `period` is log(2)/rate in two parts, the product of the
    first with any n being exact. a·b ≥ 0 is limited so that the exponent is at least -88 (-709), at which the result is
    exactly 0; `denormal`: at least -176 (-1418)."""
    bias = exponent_bias(a) * (2 if denormal else 1)
    big = 1.5 * 2.0 ** fraction_bits(a) + bias
    shifted = k.fma(a * b, -rate / math.log(2), big)
    n = shifted - big
    r = k.fma(n, period[1], cancel(k, a, b, n * period[0]))
    if low is not None:
        r = k.fma(a, low, r)
    value, bits = _exp_reduced(k, r, -rate), k.bitcast(shifted, a.type.integer)
    return _scaled(k, value, bits, a) if denormal else value * k.bitcast(bits << fraction_bits(a), a.type)


def expm1(k: Function, x: Value) -> Value:
    """e^x − 1, accurate near 0."""
    _, high = _RANGE[x.type.name]
    bias, width = exponent_bias(x), fraction_bits(x)
    given = x
    x = k.minimum_fast(high, k.maximum_fast(-50.0, x))
    bits, r = _reduce(k, x, bias)
    n = (bits & (2 * bias + 1)) - bias
    most = k.minimum(n, bias)  # 2^n as 2^most · 2^over, so that the factors are finite
    over = n - most
    factor = k.bitcast((most + bias) << width, x.type)
    one = k.bitcast((-over + bias) << width, x.type)
    result = k.fma(_expm1_reduced(k, r), factor, factor - one) * k.bitcast((over + bias) << width, x.type)
    return k.copysign(result, given)


def sigmoid(k: Function, x: Value) -> Value:
    """1/(1 + e^−x) = e^x/(1 + e^x): the form whose exponential does not overflow."""
    e = exp(k, -k.abs(x), negative=True)
    return k.select(x < 0.0, e, 1.0) / (e + 1.0)


def silu(k: Function, x: Value) -> Value:
    """x·sigmoid(x)."""
    e = exp(k, -k.abs(x), negative=True)
    return k.select(x < 0.0, x * e, x) / (e + 1.0)


def tanh(k: Function, x: Value) -> Value:
    """m/(m + 2) with m = e^2|x| − 1, and the sign of x."""
    doubled = k.minimum_fast(2 * _TANH_LIMIT[x.type.name], k.abs(x) * 2.0)
    bits, r = _reduce(k, doubled, exponent_bias(x))
    factor = k.bitcast(bits << fraction_bits(x), x.type)
    m = k.fma(_expm1_reduced(k, r), factor, factor - 1.0)
    return k.copysign(m / (m + 2.0), x)


def elu(k: Function, x: Value) -> Value:
    """x above 0, e^x − 1 below."""
    return k.select(x > 0.0, x, expm1(k, x))
