"""erf and the two forms of gelu.

Both tails come from Φ(−a) = e^(−a²/2) · m(a) with a rational m whose coefficients are all positive, so no digits
cancel; what squaring a loses goes into the exponential as its tail.
"""

from __future__ import annotations

import math

from rlx.backends.cpu.builder import Function, Value
from rlx.backends.cpu.math.coefficients import ERF, MILLS_BOTTOM, MILLS_TOP
from rlx.backends.cpu.math.exponential import LOG_2, exp_between, exp_of_product
from rlx.backends.cpu.math.polynomial import cancel, horner, multiply_exactly, paired

__all__ = ["erf", "gelu", "gelu_tanh"]

# erf is ±1 above the first; at the others the exponentials of the gelus are 0.
_ERF_LIMIT = {"f32": 4.0, "f64": 6.0}
_GELU_LIMIT = {"f32": 13.27, "f64": 37.655}
_TANH_LIMIT = {"f32": 12.96, "f64": 26.8}
_ERF_POLYNOMIAL = 0.9
# gelu_tanh: 2·sqrt(2/π), log 2 over it in two parts, and 0.044715 in two parts
_RATE = 1.5957691216057308
_PERIOD = {"f32": (0.434356689453125, 8.890864954570915e-06), "f64": (0.4343655803179445, 1.3509348639514272e-13)}
_CUBIC = {"f32": (0.044714998453855515, 1.5461444832776117e-09), "f64": (0.044715, 0.0)}


def _mills(k: Function, a: Value, square: Value, unit: float = 1.0, factor: float = 1.0) -> tuple[Value, Value]:
    """Numerator and denominator of factor·e^(z²/2)·Φ(−z) at z = unit·a."""
    top = [factor * c * unit**n for n, c in enumerate(MILLS_TOP[a.type.name])]
    bottom = [c * unit**n for n, c in enumerate(MILLS_BOTTOM[a.type.name])]
    return paired(k, a, square, top), paired(k, a, square, bottom)


def erf(k: Function, x: Value) -> Value:
    """The error function: x + x·p(x²) near 0, else 1 − 2Φ(−√2·|x|)."""
    a = k.minimum_fast(_ERF_LIMIT[x.type.name], k.abs(x))
    square = a * a
    top, bottom = _mills(k, a, square, math.sqrt(2), 2.0)
    far = 1.0 - (top / bottom) * exp_between(k, -square)
    near = k.fma(x, horner(k, square, ERF[x.type.name]), x)
    return k.select(k.abs(x) < _ERF_POLYNOMIAL, near, k.copysign(far, x))


def gelu(k: Function, x: Value) -> Value:
    """x·Φ(x), accurate relative to its own size; below −13.2 (f64: −37.6), where it would be denormal, it is 0."""
    a = k.minimum_fast(_GELU_LIMIT[x.type.name], k.abs(x))
    top, bottom = _mills(k, a, a * a)
    high, low = LOG_2[x.type.name]
    tail = (top / bottom) * exp_of_product(k, a, a, 0.5, (2 * high, 2 * low))
    return x * k.select(x < 0.0, tail, 1.0 - tail)


def gelu_tanh(k: Function, x: Value) -> Value:
    """x·(1 + tanh(u))/2 = x/(1 + e^(−2u)) with 2u = rate·x·(1 + 0.044715·x²).

    The exponent is carried in two parts, as its error is the relative error of the result where that is small."""
    cubic, cubic_low = _CUBIC[x.type.name]
    a = k.minimum_fast(_TANH_LIMIT[x.type.name], k.abs(x))
    square, square_low = multiply_exactly(k, a, a)
    factor = k.fma(square, cubic, 1.0)
    factor_low = cancel(k, square, k.constant(cubic, x.type), 1.0 - factor)  # what rounding the factor lost
    factor_low = k.fma(square_low, cubic, k.fma(square, cubic_low, factor_low))
    e = exp_of_product(k, a, factor, _RATE, _PERIOD[x.type.name], low=factor_low, denormal=True)
    return k.select(x < 0.0, x * e, x) / (e + 1.0)
