"""The normal distribution and the complement of the error function: erfc, ndtr, log_ndtr, and the inverses erfinv, ndtri.

Tails are e^(−a²/2)·m(a), as in `error_function`; the square goes into the exponential in two parts, so that no digits are lost.
Inverses are a rational of x² in the middle, and of r = √(−log q) for a tail of q.
"""

from __future__ import annotations

import math

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.math.error_function import mills
from rlx.backends.cpu.emit.math.exponential import exp
from rlx.backends.cpu.emit.math.logarithm import log, log1p
from rlx.backends.cpu.emit.math.polynomial import horner, multiply_exactly
from rlx.backends.cpu.emit.types import F64
from rlx.backends.cpu.emit.values import Value
from rlx.backends.special_coefficients import (
    ERFINV_BOTTOM,
    ERFINV_TOP,
    QUANTILE_BOTTOM,
    QUANTILE_FAR_BOTTOM,
    QUANTILE_FAR_TOP,
    QUANTILE_TOP,
)

# Beyond these the tails of erfc and ndtr are 0.
_ERFC_LIMIT = {"f32": 10.1, "f64": 27.3}
_NDTR_LIMIT = {"f32": 14.3, "f64": 38.6}
_MIDDLE = 0.85  # erfinv is a rational of x² up to it


def _tail(k: Function, a: Value, unit: float) -> Value:
    """Φ(−unit·a) for a ≥ 0, where unit is 1 or √2."""
    square, lost = multiply_exactly(k, a, a)
    scale = -0.5 * unit * unit if unit == 1.0 else -1.0
    top, bottom = mills(k, a, square, unit)
    return (top / bottom) * exp(k, square * scale, lost * scale)


def erfc(k: Function, x: Value) -> Value:
    """1 − erf(x), accurate where it is small."""
    tail = 2.0 * _tail(k, k.minimum_fast(_ERFC_LIMIT[x.type.name], k.abs(x)), math.sqrt(2))
    return k.select(x < 0.0, 2.0 - tail, tail)


def ndtr(k: Function, x: Value) -> Value:
    """Φ(x), accurate where it is small."""
    tail = _tail(k, k.minimum_fast(_NDTR_LIMIT[x.type.name], k.abs(x)), 1.0)
    return k.select(x > 0.0, 1.0 - tail, tail)


def log_ndtr(k: Function, x: Value) -> Value:
    """log Φ(x): log m(a) − a²/2 below −1, which never underflows, else log1p(−Φ(−x)). f32 is computed in f64."""
    if x.type.bits == 32:
        return k.convert(log_ndtr(k, k.convert(x, F64)), x.type)
    size = k.abs(x)
    a = k.minimum_fast(1e20, size)  # beyond, a²/2 is all that counts
    top, bottom = mills(k, a, a * a)
    far = log(k, top / bottom) - (size * size) * 0.5
    tail = _tail(k, k.minimum_fast(_NDTR_LIMIT[x.type.name], size), 1.0)
    near = log1p(k, k.select(x < 0.0, tail - 1.0, -tail))
    return k.select(x < -1.0, far, near)


def _rational(k: Function, x: Value, top: dict[str, tuple[float, ...]], bottom: dict[str, tuple[float, ...]]) -> Value:
    return horner(k, x, top[x.type.name]) / horner(k, x, bottom[x.type.name])


def _upper_quantile(k: Function, q: Value) -> Value:
    """The z with Φ(−z) = q, for q up to 0.075."""
    r = k.sqrt(-log(k, q))
    near = _rational(k, k.minimum_fast(5.0, r), QUANTILE_TOP, QUANTILE_BOTTOM)
    far = _rational(k, r, QUANTILE_FAR_TOP, QUANTILE_FAR_BOTTOM)
    return k.select(q == 0.0, math.inf, k.select(r > 5.0, far, near))


def _middle(k: Function, x: Value) -> Value:
    """erfinv(x) up to ±0.85."""
    return x * _rational(k, k.fma(-x, x, 0.7225), ERFINV_TOP, ERFINV_BOTTOM)


def erfinv(k: Function, x: Value) -> Value:
    """The inverse of erf: infinite at ±1, NaN beyond."""
    size = k.abs(x)
    far = _upper_quantile(k, (1.0 - size) * 0.5) * math.sqrt(0.5)
    return k.select(size <= _MIDDLE, _middle(k, x), k.copysign(far, x))


def ndtri(k: Function, p: Value) -> Value:
    """The inverse of Φ: infinite at 0 and 1, NaN outside."""
    x = k.fma(p, 2.0, -1.0)
    far = _upper_quantile(k, k.minimum_fast(1.0 - p, p))
    near = _middle(k, x) * math.sqrt(2)
    return k.select(k.abs(x) <= _MIDDLE, near, k.copysign(far, x))
