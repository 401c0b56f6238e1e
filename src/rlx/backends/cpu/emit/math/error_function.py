"""erf and the two forms of gelu.

Both tails come from Φ(−a) = e^(−a²/2) · m(a) with a rational m whose coefficients are all positive, so no digits
cancel; the rounding error of a² goes into the exponential as its tail.
"""

from __future__ import annotations

import math

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.math.exponential import LOGISTIC_SHIFT, exp_between, exp_of_square, expm1_reduced, one_over_one_plus
from rlx.backends.cpu.emit.math.polynomial import cancel, exponent_bias, fraction_bits, horner, multiply_exactly, paired
from rlx.backends.cpu.emit.values import Value
from rlx.backends.elementary_coefficients import ERF, MILLS_BOTTOM, MILLS_TOP

# erf is ±1 above the first; at the second the exponential of gelu is 0.
_ERF_LIMIT = {"f32": 4.0, "f64": 6.0}
_GELU_LIMIT = {"f32": 13.27, "f64": 37.655}
_ERF_POLYNOMIAL = 0.9
# gelu_tanh: below the first it is 0, above the second x; 2·sqrt(2/π)/log 2 and 0.044715 times it in two parts, the first
# of them with so few digits that its difference from the sum is exact
_TANH_RANGE = {"f32": (-10.715, 9.262), "f64": (-21.5256, 20.769)}
_LINEAR = {"f32": (2.3017578125, 0.0004503856471274048), "f64": (2.3022081981434894, 8.354631319883755e-13)}
_CUBIC = {"f32": (0.10294324159622192, -2.016198541454628e-09), "f64": (0.10294323958002348, 2.843912529053798e-18)}


def mills(k: Function, a: Value, square: Value, unit: float = 1.0, factor: float = 1.0) -> tuple[Value, Value]:
    """Numerator and denominator of factor·e^(z²/2)·Φ(−z) at z = unit·a."""
    top = [factor * c * unit**n for n, c in enumerate(MILLS_TOP[a.type.name])]
    bottom = [c * unit**n for n, c in enumerate(MILLS_BOTTOM[a.type.name])]
    return paired(k, a, square, top), paired(k, a, square, bottom)


def erf(k: Function, x: Value) -> Value:
    """The error function: x + x·p(x²) near 0, else 1 − 2Φ(−√2·|x|)."""
    a = k.minimum_fast(_ERF_LIMIT[x.type.name], k.abs(x))
    square = a * a
    top, bottom = mills(k, a, square, math.sqrt(2), 2.0)
    far = 1.0 - (top / bottom) * exp_between(k, -square)
    near = k.fma(x, horner(k, square, ERF[x.type.name]), x)
    return k.select(k.abs(x) < _ERF_POLYNOMIAL, near, k.copysign(far, x))


def gelu(k: Function, x: Value) -> Value:
    """x·Φ(x), accurate relative to its own size; below −13.2 (f64: −37.6), where it would be denormal, it is 0."""
    a = k.minimum_fast(_GELU_LIMIT[x.type.name], k.abs(x))
    square = a * a
    top, bottom = mills(k, a, square)
    tail = (top / bottom) * exp_of_square(k, a, square)
    return x * k.select(x < 0.0, tail, 1.0 - tail)


def gelu_tanh(k: Function, x: Value) -> Value:
    """x·(1 + tanh(u))/2 = x/(1 + 2^−t) with t = x·(linear + cubic·x²).

    The factor is carried in two parts, as the error of t is the relative error of the result where that is small."""
    kind = x.type.name
    (linear, linear_low), (cubic, cubic_low) = _LINEAR[kind], _CUBIC[kind]
    lowest, highest = _TANH_RANGE[kind]
    a = k.minimum_fast(highest, k.maximum_fast(lowest, x))
    square, square_low = multiply_exactly(k, a, a)
    factor = k.fma(square, cubic, linear)
    factor_low = k.fma(square_low, cubic, k.fma(square, cubic_low, linear_low))
    factor_low = factor_low + cancel(k, square, k.constant(cubic, x.type), linear - factor)  # its rounding error
    big = 1.5 * 2.0 ** fraction_bits(x.type) + (exponent_bias(x.type) - LOGISTIC_SHIFT[kind])
    shifted = k.fma(-a, factor, big)
    r = k.fma(a, factor_low, cancel(k, a, factor, shifted - big))
    return x * one_over_one_plus(k, expm1_reduced(k, r, -math.log(2)), k.bitcast(shifted, x.type.integer))
