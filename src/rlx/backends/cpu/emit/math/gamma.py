"""lgamma, digamma and polygamma. f32 is computed in f64.

Large x by Stirling's series; small ones are brought to [1, 2] or away from it by the recurrence Γ(x + 1) = x·Γ(x), where a rational
with the function's zero as a factor keeps every digit; negative ones by reflection.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.math.logarithm import log
from rlx.backends.cpu.emit.math.polynomial import horner
from rlx.backends.cpu.emit.types import F64
from rlx.backends.cpu.emit.values import Value
from rlx.backends.elementary_coefficients import COS, SIN
from rlx.backends.special_coefficients import (
    DIGAMMA_BOTTOM,
    DIGAMMA_FAR,
    DIGAMMA_TOP,
    LGAMMA_ONE_BOTTOM,
    LGAMMA_ONE_TOP,
    LGAMMA_TWO_BOTTOM,
    LGAMMA_TWO_TOP,
    STIRLING,
)
from rlx.ops.elementwise.references import bernoulli, cotangent_derivative

_FAR = 8.0  # from here on Stirling's series
_NEAR_ONE = (0.7, 1.5)  # where lgamma is taken from its zero at 1; below from x + 1, above from its zero at 2
_ROOT = (1.4616321449683622, 9.549995429965697e-17)  # of digamma, in two parts


def _in_f64(emit: Callable[[Function, Value], Value]) -> Callable[[Function, Value], Value]:
    """A function of f64, of f32 too."""

    def wide(k: Function, x: Value) -> Value:
        return emit(k, x) if x.type.bits == 64 else k.convert(emit(k, k.convert(x, F64)), x.type)

    return wide


def _mixed(k: Function, chosen: Value, x: Value, first: tuple[float, ...], second: tuple[float, ...]) -> Value:
    """One polynomial where it is chosen, else the other."""
    kind = x.type
    result = k.select(chosen, k.constant(first[-1], kind), second[-1])
    for a, b in zip(first[-2::-1], second[-2::-1], strict=True):
        result = k.fma(result, x, k.select(chosen, k.constant(a, kind), b))
    return result


def _log_gamma_positive(k: Function, x: Value) -> Value:
    """lgamma(x) for x ≥ 0: with Γ(x) = p·Γ(y), y near 1 or 2, and one logarithm for all ranges."""
    kind = x.type
    small, far = x < _NEAR_ONE[0], x >= _FAR
    y, product = k.select(small, x + 1.0, x), k.constant(1.0, kind)
    for _ in range(int(_FAR) - 2):
        above = y > 2.5
        y = k.select(above, y - 1.0, y)
        product = k.select(above, product * y, product)
    near_one = y < _NEAR_ONE[1]
    f = y - k.select(near_one, k.constant(1.0, kind), 2.0)
    top = _mixed(k, near_one, f, LGAMMA_ONE_TOP["f64"], LGAMMA_TWO_TOP["f64"])
    bottom = _mixed(k, near_one, f, LGAMMA_ONE_BOTTOM["f64"], LGAMMA_TWO_BOTTOM["f64"])
    logarithm = log(k, k.select(far | small, x, product))
    near = k.fma(f, top / bottom, k.select(small, -logarithm, logarithm))
    inverse = 1.0 / x
    rest = k.fma(inverse, horner(k, inverse * inverse, STIRLING["f64"]), 0.5 * math.log(2 * math.pi) - 0.5)
    return k.select(far, k.fma(x - 0.5, logarithm - 1.0, rest), near)


def _sin_and_cos_of_turns(k: Function, x: Value) -> tuple[Value, Value]:
    """sin(πx) and cos(πx) up to a common sign: of what is left of x beside the nearest whole number, or half of it."""
    rest = x - k.round_even(x)
    size = k.abs(rest)
    steep = size > 0.25
    angle = k.select(steep, 0.5 - size, size) * math.pi
    z = angle * angle
    sine = k.fma(angle * z, horner(k, z, SIN["f64"]), angle)
    cosine = k.fma(z * z, horner(k, z, COS["f64"]), 1.0 - z * 0.5)
    return k.copysign(k.select(steep, cosine, sine), rest), k.select(steep, sine, cosine)


@_in_f64
def lgamma(k: Function, x: Value) -> Value:
    """log |Γ(x)|: infinite at 0, −1, −2 …; below 0 log(π/|x·sin πx|) − lgamma(−x), good to the size of its terms."""
    positive = _log_gamma_positive(k, k.abs(x))
    result = k.var(positive)
    negative = x < 0.0
    with k.when(k.any_lane(negative) if negative.type.lanes else negative):
        sine, _ = _sin_and_cos_of_turns(k, x)
        reflected = log(k, math.pi / k.abs(x * sine)) - positive
        reflected = k.select((sine == 0.0) | (x == -math.inf), math.inf, reflected)
        result.set(k.select(negative, reflected, positive))
    return result.get()


def _digamma_positive(k: Function, x: Value) -> Value:
    """ψ(x) for x > 0: ψ(x + 1) = ψ(x) + 1/x down or up to [1, 2]; the reciprocals are added as one fraction."""
    kind = x.type
    below = x < 1.0
    y = k.select(below, x + 1.0, x)
    top = k.select(below, k.constant(-1.0, kind), 0.0)
    bottom = k.select(below, x, 1.0)
    for _ in range(int(_FAR) - 2):
        above = y > 2.0
        y = k.select(above, y - 1.0, y)
        top, bottom = k.select(above, k.fma(top, y, bottom), top), k.select(above, bottom * y, bottom)
    t = y - 1.5
    factor = horner(k, t, DIGAMMA_TOP["f64"]) / horner(k, t, DIGAMMA_BOTTOM["f64"])
    near = k.fma((y - _ROOT[0]) - _ROOT[1], factor, top / bottom)
    inverse = 1.0 / x
    z = inverse * inverse
    far = k.fma(-z, horner(k, z, DIGAMMA_FAR["f64"]), k.fma(inverse, -0.5, log(k, x)))
    return k.select(x >= _FAR, far, near)


@_in_f64
def digamma(k: Function, x: Value) -> Value:
    """The derivative of lgamma: −∞ at 0 (∞ at −0), NaN at −1, −2 …; below 0 ψ(1 − x) − π/tan πx."""
    negative = x < 0.0
    positive = _digamma_positive(k, k.select(negative, 1.0 - x, x))
    result = k.var(positive)
    with k.when(k.any_lane(negative) if negative.type.lanes else negative):
        sine, cosine = _sin_and_cos_of_turns(k, x)
        reflected = k.select(sine == 0.0, math.nan, positive - math.pi * cosine / sine)
        result.set(k.select(negative, reflected, positive))
    return k.select(x == 0.0, k.copysign(k.constant(math.inf, x.type), -x), result.get())


# -- the derivatives of digamma
def _tail_coefficients(s: int, terms: int) -> tuple[float, ...]:
    """Of ζ(s, x) = x^(1−s)/(s − 1) + x^(−s)/2 + x^(−s−1)·Σ c_j·x^(−2j) (Euler and Maclaurin)."""
    numbers = bernoulli(2 * terms)
    return tuple(float(numbers[2 * j] * math.prod(range(s, s + 2 * j - 1)) / math.factorial(2 * j)) for j in range(1, terms + 1))


def _power(x: Value, exponent: int) -> Value:
    """x to a whole power ≥ 1."""
    if exponent == 1:
        return x
    half = _power(x, exponent // 2)
    return half * half * x if exponent % 2 else half * half


def _zeta(k: Function, s: int, x: Value) -> Value:
    """Σ (x + i)^(−s) over i ≥ 0, for x > 0: the first terms one by one, the rest by its series."""
    steps, total = 9 + s, k.constant(0.0, x.type)
    for _ in range(steps):
        near = x < float(steps)
        total = total + k.select(near, _power(1.0 / x, s), 0.0)
        x = k.select(near, x + 1.0, x)
    inverse = 1.0 / x
    power = _power(inverse, s)
    series = horner(k, inverse * inverse, _tail_coefficients(s, 10))
    rest = x * (1 / (s - 1)) + k.fma(inverse, series, 0.5)
    return k.fma(power, rest, total)


def polygamma(k: Function, x: Value, order: int) -> Value:
    """The derivative of digamma of an order ≥ 1: (−1)^(order+1)·order!·ζ(order + 1, x), below 0 by reflection."""
    if x.type.bits == 32:
        return k.convert(polygamma(k, k.convert(x, F64), order), x.type)
    negative = x < 0.0
    odd = order % 2 == 1
    positive = _zeta(k, order + 1, k.select(negative, 1.0 - x, x)) * float(math.factorial(order))
    result = k.var(positive if odd else -positive)
    with k.when(k.any_lane(negative) if negative.type.lanes else negative):
        sine, cosine = _sin_and_cos_of_turns(k, x)
        turned = horner(k, cosine / sine, cotangent_derivative(order)) * math.pi ** (order + 1)
        reflected = k.select(sine == 0.0, math.inf if odd else math.nan, -turned - positive)
        result.set(k.select(negative, reflected, result.get()))
    return k.select(x == math.inf, 0.0, result.get())
