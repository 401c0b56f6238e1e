"""erf and the two forms of gelu.

Both tails come from Φ(−a) = e^(−a²/2) · m(a) with a rational m whose coefficients are all positive, so no digits
cancel; what squaring a loses goes into the exponential as its tail.
"""

from __future__ import annotations

import math

from rlx.backends.cpu.builder import Function, Value
from rlx.backends.cpu.math.coefficients import ERF, MILLS_BOTTOM, MILLS_TOP
from rlx.backends.cpu.math.exponential import exp, exp_between
from rlx.backends.cpu.math.polynomial import add_exactly, horner, multiply_exactly, paired

__all__ = ["erf", "gelu", "gelu_tanh"]

# erf is ±1 above the first; at the others the exponentials of the gelus are 0.
_ERF_LIMIT = {"f32": 4.0, "f64": 6.0}
_GELU_LIMIT = {"f32": 13.27, "f64": 37.655}
_TANH_LIMIT = {"f32": 13.0, "f64": 26.9}
_ERF_POLYNOMIAL = 0.9
# −2·sqrt(2/π) and 0.044715 times it, each in two parts
_GELU_TANH = {
    "f32": ((-1.5957691669464111, 4.534068042105272e-08), (-0.07135481387376785, -2.398832392488793e-09)),
    "f64": ((-1.5957691216057308, 9.96930880911092e-17), (-0.07135481627260025, 4.1218577217431825e-18)),
}


def _mills(k: Function, a: Value, square: Value) -> tuple[Value, Value]:
    """Numerator and denominator of e^(a²/2)·Φ(−a)."""
    return paired(k, a, square, MILLS_TOP[a.type.name]), paired(k, a, square, MILLS_BOTTOM[a.type.name])


def erf(k: Function, x: Value) -> Value:
    """The error function: x + x·p(x²) near 0, else 1 − 2Φ(−√2·|x|)."""
    a = k.minimum_fast(_ERF_LIMIT[x.type.name], k.abs(x))
    square = a * a
    near = k.fma(x, horner(k, square, ERF[x.type.name]), x)
    top, bottom = _mills(k, a * math.sqrt(2), square * 2.0)
    far = 1.0 - exp_between(k, -square) * 2.0 * top / bottom
    return k.select(k.abs(x) < _ERF_POLYNOMIAL, near, k.copysign(far, x))


def gelu(k: Function, x: Value) -> Value:
    """x·Φ(x), accurate relative to its own size; below −13.2 (f64: −37.6), where it would be denormal, it is 0."""
    a = k.minimum_fast(_GELU_LIMIT[x.type.name], k.abs(x))
    square, lost = multiply_exactly(k, a, a)
    top, bottom = _mills(k, a, square)
    tail = (exp_between(k, square, lost, scale=-0.5) * top) / bottom
    return x * k.select(x < 0.0, tail, 1.0 - tail)


def gelu_tanh(k: Function, x: Value) -> Value:
    """x·(1 + tanh(u))/2 = x/(1 + e^(−2u)) with 2u = x·(linear + cubic·x²).

    The exponent is carried in two parts, as its error is the relative error of the result where that is small."""
    (linear, linear_low), (cubic, cubic_low) = _GELU_TANH[x.type.name]
    a = k.minimum_fast(_TANH_LIMIT[x.type.name], k.abs(x))
    square, square_low = multiply_exactly(k, a, a)
    product, product_low = multiply_exactly(k, square, k.constant(cubic, x.type))
    factor, factor_low = add_exactly(product, k.constant(linear, x.type))
    factor_low = factor_low + k.fma(square, cubic_low, product_low + linear_low)
    factor_low = k.fma(square_low, cubic, factor_low)
    exponent, exponent_low = multiply_exactly(k, a, factor)
    e = exp(k, exponent, k.fma(a, factor_low, exponent_low), negative=True)
    return k.select(x < 0.0, x * e, x) / (e + 1.0)
