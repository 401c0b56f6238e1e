"""Gamma, the normal distribution and Bessel: one formula each, for every device.

Gamma and Bessel compute f32 in f64. Large x by Stirling's series; small ones are brought to [1, 2] or away from it by the recurrence
Γ(x + 1) = x·Γ(x), where a rational with the function's zero as a factor keeps every digit; negative ones by reflection. Tails of the
normal distribution are e^(−a²/2)·m(a), the square in two parts; inverses are a rational of x² in the middle, and of r = √(−log q) for
a tail of q.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps

from rlx.formulas import coefficients as table
from rlx.formulas.algebra import SQUARE_LIMIT, Algebra, Number, Polynomials, V, horner, paired
from rlx.ops.elementwise.references import bernoulli, cotangent_derivative

FAR = 8.0  # from here on Stirling's series, and Bessel's asymptotic one
NEAR_ONE = (0.7, 1.5)  # where lgamma is taken from its zero at 1; below from x + 1, above from its zero at 2
ROOT = (1.4616321449683622, 9.549995429965697e-17)  # of digamma, in two parts
ERFC_LIMIT = {"f32": 10.1, "f64": 27.3}  # beyond these the tails of erfc and ndtr are 0
NDTR_LIMIT = {"f32": 14.3, "f64": 38.6}
MIDDLE = 0.85  # erfinv is a rational of x² up to it


def _in_f64(formula: Callable[..., Number]) -> Callable[..., Number]:
    @wraps(formula)
    def wide(m: Algebra, x: Number, **attributes: Number) -> Number:
        return m.in_f64(lambda x: formula(m, x, **attributes), x)

    return wide


# -- gamma
def _mixed(m: Algebra, first: Number, x: Number, a: tuple[float, ...], b: tuple[float, ...]) -> Number:
    """Evaluates one polynomial where `first` holds, else the other."""
    result = m.select(first, m.constant(a[-1], x), b[-1])
    for left, right in zip(a[-2::-1], b[-2::-1], strict=True):
        result = m.fma(result, x, m.select(first, m.constant(left, x), right))
    return result


def _log_gamma_positive(m: Algebra, x: Number) -> Number:
    """lgamma(x) for x ≥ 0: with Γ(x) = p·Γ(y), y near 1 or 2, and one logarithm for all ranges."""
    small, far = x < NEAR_ONE[0], x >= FAR
    y, product = m.select(small, x + 1.0, x), m.constant(1.0, x)
    for _ in range(int(FAR) - 2):
        above = y > 2.5
        y = m.select(above, y - 1.0, y)
        product = m.select(above, product * y, product)
    near_one = y < NEAR_ONE[1]
    f = y - m.select(near_one, m.constant(1.0, x), 2.0)
    top = _mixed(m, near_one, f, table.LGAMMA_ONE_TOP["f64"], table.LGAMMA_TWO_TOP["f64"])
    bottom = _mixed(m, near_one, f, table.LGAMMA_ONE_BOTTOM["f64"], table.LGAMMA_TWO_BOTTOM["f64"])
    logarithm = m.log(m.select(far | small, x, product))
    near = m.fma(f, top / bottom, m.select(small, -logarithm, logarithm))
    inverse = 1.0 / x
    rest = m.fma(inverse, horner(m, inverse * inverse, table.STIRLING["f64"]), 0.5 * math.log(2 * math.pi) - 0.5)
    return m.select(far, m.fma(x - 0.5, logarithm - 1.0, rest), near)


def _sin_and_cos_of_turns(m: Algebra, x: Number) -> tuple[Number, Number]:
    """sin(πx) and cos(πx) up to a common sign: of the distance of x from the nearest integer, or half of it."""
    rest = x - m.round_even(x)
    size = m.abs(rest)
    steep = size > 0.25
    angle = m.select(steep, 0.5 - size, size) * math.pi
    z = angle * angle
    sine = m.fma(angle * z, horner(m, z, table.SIN["f64"]), angle)
    cosine = m.fma(z * z, horner(m, z, table.COS["f64"]), 1.0 - z * 0.5)
    return m.copysign(m.select(steep, cosine, sine), rest), m.select(steep, sine, cosine)


@_in_f64
def lgamma(m: Algebra, x: Number) -> Number:
    """log |Γ(x)|: infinite at 0, −1, −2 …; below 0 log(π/|x·sin πx|) − lgamma(−x), good to the size of its terms."""
    positive = _log_gamma_positive(m, m.abs(x))

    def reflected() -> Number:
        sine, _ = _sin_and_cos_of_turns(m, x)
        result = m.log(math.pi / m.abs(x * sine)) - positive
        return m.select((sine == 0.0) | (x == -math.inf), math.inf, result)

    return m.rarely(x < 0.0, reflected, positive)


def _digamma_positive(m: Algebra, x: Number) -> Number:
    """ψ(x) for x > 0: ψ(x + 1) = ψ(x) + 1/x down or up to [1, 2]; the reciprocals are added as one fraction."""
    below = x < 1.0
    y = m.select(below, x + 1.0, x)
    top = m.select(below, m.constant(-1.0, x), 0.0)
    bottom = m.select(below, x, 1.0)
    for _ in range(int(FAR) - 2):
        above = y > 2.0
        y = m.select(above, y - 1.0, y)
        top, bottom = m.select(above, m.fma(top, y, bottom), top), m.select(above, bottom * y, bottom)
    t = y - 1.5
    factor = horner(m, t, table.DIGAMMA_TOP["f64"]) / horner(m, t, table.DIGAMMA_BOTTOM["f64"])
    near = m.fma(m.as_is(y - ROOT[0]) - ROOT[1], factor, top / bottom)
    inverse = 1.0 / x
    z = inverse * inverse
    far = m.fma(-z, horner(m, z, table.DIGAMMA_FAR["f64"]), m.fma(inverse, -0.5, m.log(x)))
    return m.select(x >= FAR, far, near)


@_in_f64
def digamma(m: Algebra, x: Number) -> Number:
    """The derivative of lgamma: −∞ at 0 (∞ at −0), NaN at −1, −2 …; below 0 ψ(1 − x) − π/tan πx."""
    negative = x < 0.0
    positive = _digamma_positive(m, m.select(negative, 1.0 - x, x))

    def reflected() -> Number:
        sine, cosine = _sin_and_cos_of_turns(m, x)
        return m.select(sine == 0.0, math.nan, positive - math.pi * cosine / sine)

    result = m.rarely(negative, reflected, positive)
    return m.select(x == 0.0, m.copysign(m.constant(math.inf, x), -x), result)


def _tail_coefficients(s: int, terms: int) -> tuple[float, ...]:
    """Coefficients of ζ(s, x) = x^(1−s)/(s − 1) + x^(−s)/2 + x^(−s−1)·Σ c_j·x^(−2j) (Euler and Maclaurin)."""
    numbers = bernoulli(2 * terms)
    return tuple(float(numbers[2 * j] * math.prod(range(s, s + 2 * j - 1)) / math.factorial(2 * j)) for j in range(1, terms + 1))


def _power(x: Number, exponent: int) -> Number:
    """x to an integer power ≥ 1."""
    if exponent == 1:
        return x
    half = _power(x, exponent // 2)
    return half * half * x if exponent % 2 else half * half


def _zeta(m: Algebra, s: int, x: Number) -> Number:
    """Σ (x + i)^(−s) over i ≥ 0, for x > 0: the first terms one by one, the rest by its series."""
    steps, total = 9 + s, m.constant(0.0, x)
    for _ in range(steps):
        near = x < float(steps)
        total = total + m.select(near, _power(1.0 / x, s), 0.0)
        x = m.select(near, x + 1.0, x)
    inverse = 1.0 / x
    power = _power(inverse, s)
    rest = x * (1 / (s - 1)) + m.fma(inverse, horner(m, inverse * inverse, _tail_coefficients(s, 10)), 0.5)
    return m.fma(power, rest, total)


@_in_f64
def polygamma(m: Algebra, x: Number, order: int) -> Number:
    """The derivative of digamma of an order ≥ 1: (−1)^(order+1)·order!·ζ(order + 1, x), below 0 by reflection."""
    negative, odd = x < 0.0, order % 2 == 1
    positive = _zeta(m, order + 1, m.select(negative, 1.0 - x, x)) * float(math.factorial(order))

    def reflected() -> Number:
        sine, cosine = _sin_and_cos_of_turns(m, x)
        cotangent = horner(m, cosine / sine, cotangent_derivative(order)) * math.pi ** (order + 1)
        return m.select(sine == 0.0, math.inf if odd else math.nan, -cotangent - positive)

    result = m.rarely(negative, reflected, positive if odd else -positive)
    return m.select(x == math.inf, 0.0, result)


# -- the normal distribution
def mills(m: Polynomials[V], kind: str, a: V, square: V, unit: float = 1.0, factor: float = 1.0) -> tuple[V, V]:
    """Numerator and denominator of the Mills ratio factor·e^(z²/2)·Φ(−z) at z = unit·a."""
    top = [factor * c * unit**n for n, c in enumerate(table.MILLS_TOP[kind])]
    bottom = [c * unit**n for n, c in enumerate(table.MILLS_BOTTOM[kind])]
    return paired(m, a, square, top), paired(m, a, square, bottom)


def _tail(m: Algebra, a: Number, unit: float) -> Number:
    """The normal tail Φ(−unit·a) for a ≥ 0, where unit is 1 or √2."""
    square, lost = m.exact_product(a, a)
    scale = -0.5 * unit * unit if unit == 1.0 else -1.0
    top, bottom = mills(m, m.kind(a), a, square, unit)
    return (top / bottom) * m.exp_parts(square * scale, lost * scale)


def erfc(m: Algebra, x: Number) -> Number:
    """1 − erf(x), accurate where the result is small."""
    tail = 2.0 * _tail(m, m.minimum_fast(ERFC_LIMIT[m.kind(x)], m.abs(x)), math.sqrt(2))
    return m.select(x < 0.0, 2.0 - tail, tail)


def ndtr(m: Algebra, x: Number) -> Number:
    """Φ(x), accurate where the result is small."""
    tail = _tail(m, m.minimum_fast(NDTR_LIMIT[m.kind(x)], m.abs(x)), 1.0)
    return m.select(x > 0.0, 1.0 - tail, tail)


@_in_f64
def log_ndtr(m: Algebra, x: Number) -> Number:
    """log Φ(x): log m(a) − a²/2 below −1, which never underflows, else log1p(−Φ(−x))."""
    size = m.abs(x)
    a = m.minimum_fast(1e20, size)  # beyond, a²/2 is all that counts
    top, bottom = mills(m, m.kind(a), a, a * a)
    far = m.log(top / bottom) - (size * size) * 0.5
    tail = _tail(m, m.minimum_fast(NDTR_LIMIT["f64"], size), 1.0)
    near = m.log1p(m.select(x < 0.0, tail - 1.0, -tail))
    return m.select(x < -1.0, far, near)


def _rational(m: Algebra, x: Number, top: dict[str, tuple[float, ...]], bottom: dict[str, tuple[float, ...]]) -> Number:
    return horner(m, x, top[m.kind(x)]) / horner(m, x, bottom[m.kind(x)])


def _upper_quantile(m: Algebra, q: Number) -> Number:
    """The z with Φ(−z) = q, for q up to 0.075."""
    r = m.sqrt(-m.log(q))
    near = _rational(m, m.minimum_fast(5.0, r), table.QUANTILE_TOP, table.QUANTILE_BOTTOM)
    far = _rational(m, r, table.QUANTILE_FAR_TOP, table.QUANTILE_FAR_BOTTOM)
    return m.select(q == 0.0, math.inf, m.select(r > 5.0, far, near))


def _middle(m: Algebra, x: Number) -> Number:
    """erfinv(x) up to ±0.85."""
    return x * _rational(m, m.fma(-x, x, 0.7225), table.ERFINV_TOP, table.ERFINV_BOTTOM)


def erfinv(m: Algebra, x: Number) -> Number:
    """The inverse of erf: infinite at ±1, NaN beyond."""
    size = m.abs(x)
    far = _upper_quantile(m, (1.0 - size) * 0.5) * math.sqrt(0.5)
    return m.select(size <= MIDDLE, _middle(m, x), m.copysign(far, x))


def ndtri(m: Algebra, p: Number) -> Number:
    """The inverse of Φ: infinite at 0 and 1, NaN outside."""
    x = m.fma(p, 2.0, -1.0)
    far = _upper_quantile(m, m.minimum_fast(1.0 - p, p))
    near = _middle(m, x) * math.sqrt(2)
    return m.select(m.abs(x) <= MIDDLE, near, m.copysign(far, x))


def gelu(m: Algebra, x: Number) -> Number:
    """x·Φ(x), accurate relative to its own size."""
    a = m.minimum_fast(SQUARE_LIMIT[m.kind(x)], m.abs(x))
    square = a * a
    top, bottom = mills(m, m.kind(a), a, square)
    tail = (top / bottom) * m.exp_of_square(a, square)
    return x * m.select(x < 0.0, tail, 1.0 - tail)


# -- Bessel
def _bessel(m: Algebra, x: Number, near: tuple[float, ...], far: tuple[float, ...], odd: bool) -> Number:
    """Bessel functions: e^−|x| times a polynomial of x² up to 8, else a polynomial of 16/x − 1 over √x."""
    size = m.abs(x)
    a = m.minimum_fast(FAR, size)
    small = m.exp_negative(-a) * horner(m, a * a, near)
    large = horner(m, 16.0 / m.maximum_fast(FAR, size) - 1.0, far) / m.sqrt(size)
    result = m.select(size > FAR, large, small * a if odd else small)
    return m.copysign(result, x) if odd else result


@_in_f64
def i0e(m: Algebra, x: Number) -> Number:
    """e^−|x|·I₀(x)."""
    return _bessel(m, x, table.BESSEL_0["f64"], table.BESSEL_0_FAR["f64"], odd=False)


@_in_f64
def i1e(m: Algebra, x: Number) -> Number:
    """e^−|x|·I₁(x)."""
    return _bessel(m, x, table.BESSEL_1["f64"], table.BESSEL_1_FAR["f64"], odd=True)
