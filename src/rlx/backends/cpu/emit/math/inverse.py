"""Functions composed of others: the inverse circular and hyperbolic ones, hypot and logaddexp."""

from __future__ import annotations

import math

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.math.arctangent import atan2
from rlx.backends.cpu.emit.math.exponential import exp_negative
from rlx.backends.cpu.emit.math.logarithm import log1p
from rlx.backends.cpu.emit.math.polynomial import fraction_bits
from rlx.backends.cpu.emit.values import Value


def asin(k: Function, x: Value) -> Value:
    """The inverse sine; NaN beyond ±1."""
    return atan2(k, x, k.sqrt((1.0 - x) * (1.0 + x)))


def acos(k: Function, x: Value) -> Value:
    """The inverse cosine; NaN beyond ±1."""
    return atan2(k, k.sqrt((1.0 - x) * (1.0 + x)), x)


def _log_of_double(k: Function, size: Value, sum_less_one: Value) -> Value:
    """log(1 + `sum_less_one`), which for large sizes is log(2·size)."""
    far = size > 2.0 ** (fraction_bits(size.type) // 2 + 4)
    found = log1p(k, k.select(far, size - 1.0, sum_less_one))
    return found + k.select(far, k.constant(math.log(2), size.type), 0.0)


def asinh(k: Function, x: Value) -> Value:
    """The inverse hyperbolic sine: log(a + √(a² + 1)) of a = |x|, with the sign of x."""
    size = k.abs(x)
    square = size * size
    return k.copysign(_log_of_double(k, size, size + square / (1.0 + k.sqrt(1.0 + square))), x)


def acosh(k: Function, x: Value) -> Value:
    """The inverse hyperbolic cosine: log(x + √(x² − 1)); NaN below 1."""
    above = x - 1.0
    found = _log_of_double(k, x, above + k.sqrt(above * (above + 2.0)))
    return k.select(x < 1.0, math.nan, found)


def atanh(k: Function, x: Value) -> Value:
    """The inverse hyperbolic tangent: log((1 + a)/(1 − a))/2 of a = |x|, with the sign of x; NaN beyond ±1."""
    size = k.abs(x)
    return k.copysign(0.5 * log1p(k, (size + size) / (1.0 - size)), x)


def hypot(k: Function, x: Value, y: Value) -> Value:
    """√(x² + y²) that does not overflow on the way; infinite as soon as one of them is."""
    a, b = k.abs(x), k.abs(y)
    large, small = k.maximum(a, b), k.minimum(a, b)
    ratio = k.select(large == 0.0, 0.0, small / large)
    infinite = (a == math.inf) | (b == math.inf)
    return k.select(infinite, math.inf, large * k.sqrt(k.fma(ratio, ratio, 1.0)))


def logaddexp(k: Function, x: Value, y: Value) -> Value:
    """log(e^x + e^y) = max + log1p(e^−|x − y|)."""
    gap = k.select(x == y, 0.0, -k.abs(x - y))
    return k.maximum(x, y) + log1p(k, exp_negative(k, gap))
