"""NumPy formulas in double precision of the activations and special functions that need care: the oracle of every implementation.

In the tail of gelu the result is an exponential of about x²/2, so rounding the exponent alone costs x²/2 units in the last
place. The exponent is therefore computed in two parts, and its low part corrects the result to first order.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
_ROOT_HALF = (0.7071067811865476, -4.833646656726457e-17)  # 1/√2, and 2·√(2/π), each in two parts
_RATE = (1.5957691216057308, -9.96930880911092e-17)
_CUBIC = 0.044715
_LARGEST = 1e5  # beyond it the results are x, 0 and NaN, whatever the low part


def erf(x: Array) -> Array:
    """erf in double precision; f32 operands are rounded by the caller."""
    wide = np.asarray(x, np.float64)
    return np.vectorize(math.erf, otypes=[np.float64])(wide) if wide.size else wide


def sigmoid(x: Array) -> Array:
    """1/(1 + e^−x) in double precision, by the exponential that does not overflow."""
    wide = np.asarray(x, np.float64)
    power = np.exp(-np.abs(wide))
    return np.asarray(np.where(wide < 0, power, 1.0) / (1.0 + power))


def gelu(x: Array) -> Array:
    """x·erfc(z)/2 with z = −x/√2 in double precision: 1 + erf would cancel for negative x."""
    wide = np.asarray(x, np.float64)
    if not wide.size:
        return wide
    small = np.clip(wide, -_LARGEST, _LARGEST)
    z, lost = _exact_product(small, -_ROOT_HALF[0])
    low = lost - small * _ROOT_HALF[1]
    slope = -2 / math.sqrt(math.pi) * np.exp(-z * z)  # of erfc at z
    return np.asarray(0.5 * wide * (np.vectorize(math.erfc, otypes=[np.float64])(z) + slope * low))


def gelu_approx(x: Array) -> Array:
    """(1 + tanh(u))/2 as sigmoid(2u), which does not cancel; 2u = rate·x·(1 + 0.044715·x²)."""
    wide = np.asarray(x, np.float64)
    small = np.clip(wide, -_LARGEST, _LARGEST)
    square, square_low = _exact_product(small, small)
    cubic, cubic_low = _exact_product(square, _CUBIC)
    factor = 1.0 + cubic
    factor_low = np.where(cubic > 1.0, (cubic - factor) + 1.0, (1.0 - factor) + cubic) + cubic_low + square_low * _CUBIC
    scaled, scaled_low = _exact_product(small, _RATE[0])
    twice, lost = _exact_product(scaled, factor)
    low = lost + scaled * factor_low + (scaled_low + small * _RATE[1]) * factor
    share = sigmoid(twice)
    return np.asarray(wide * (share + share * sigmoid(-twice) * low))


def _exact_product(a: Array, b: Array | float) -> tuple[Array, Array]:
    """The rounded product and its rounding error (Dekker), for magnitudes below 2^500."""
    product = a * b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    return product, ((a_high * b_high - product + a_high * b_low) + a_low * b_high) + a_low * b_low


def _halves(x: Array | float) -> tuple[Any, Any]:
    """Splits a float into its upper and lower digits (Veltkamp)."""
    spread = x * (2.0**27 + 1.0)
    high = spread - (spread - x)
    return high, x - high


def log1p(x: Array) -> Array:
    """log(1 + x). NumPy's complex log1p rounds |1 + z| first and loses small ones; this one is log1p(|1 + z|² − 1)/2."""
    if not np.iscomplexobj(x):
        return np.asarray(np.log1p(x))
    shifted = np.empty(x.shape, x.dtype)
    shifted.real, shifted.imag = 1 + x.real, x.imag  # a sum of complex numbers would lose the sign of −0
    result = np.log(shifted)
    near = np.log1p(x.real * (2 + x.real) + x.imag * x.imag) / 2
    is_small = (np.abs(x.real) < 0.5) & (np.abs(x.imag) < 0.5)
    result.real = np.where(is_small, near, result.real)
    return result


def expm1(x: Array) -> Array:
    """exp(x) − 1. For complex numbers that are not finite it is exp less 1, as in the Array API; NumPy's is NaN if exp is not."""
    if not np.iscomplexobj(x):
        return np.asarray(np.expm1(x))
    result = np.where(np.isfinite(x), np.expm1(x), np.exp(x))
    result.real = np.where(np.isfinite(x), result.real + 0.0, result.real - 1.0)
    return result


# -- special functions


if TYPE_CHECKING:
    from fractions import Fraction

_ROOT_2 = math.sqrt(2)
_ROOT_2PI = math.sqrt(2 * math.pi)
_EULER = 0.5772156649015329
_DIGAMMA_ROOT = (1.4616321449683622, 9.549995429965697e-17)  # in two parts
_ROOT_HALF_LOW = -4.833646656726457e-17  # 1/√2 less its f64


def _by_element(function: Callable[[float], float]) -> Callable[[Array], Array]:
    def apply(x: Array) -> Array:
        wide = np.asarray(x, np.float64)
        return np.vectorize(function, otypes=[np.float64])(wide) if wide.size else wide

    return apply


@cache
def _zeta_less_one(s: int) -> float:
    """ζ(s) − 1, accurate to its last digit."""
    start, numbers = 12, bernoulli(24)
    tail = [
        float(numbers[2 * j] * math.prod(range(s, s + 2 * j - 1)) / math.factorial(2 * j)) * start ** (1.0 - s - 2 * j)
        for j in range(1, 13)
    ]
    return math.fsum([*(n ** -float(s) for n in range(2, start)), 0.5 * start ** -float(s), start ** (1.0 - s) / (s - 1), *tail])


def _log_gamma_beside_two(f: float) -> float:
    """lgamma(2 + f) for |f| ≤ ½ by its series, accurate to the last digit near the zero."""
    terms = [(-f) ** n * _zeta_less_one(n) / n for n in range(2, 40)]
    return math.fsum([f * (1 - _EULER), *terms])


def _log_gamma(x: float) -> float:
    if math.isinf(x) or (x <= 0 and x == math.floor(x)):
        return math.inf
    if 1.5 <= x <= 2.5:
        return _log_gamma_beside_two(x - 2)
    if 0.5 <= x < 1.5:
        return _log_gamma_beside_two(x - 1) - math.log1p(x - 1)
    if 0 < x < 0.5:
        return _log_gamma(x + 1) - math.log(x)
    if 2.5 < x < 12:
        product = 1.0
        while x > 2.5:
            x -= 1
            product *= x
        return math.log(product) + _log_gamma_beside_two(x - 2)
    return math.lgamma(x)


erfc = _by_element(math.erfc)
lgamma = _by_element(_log_gamma)


# -- the normal distribution
def _ndtr(x: float) -> float:
    """erfc(z)/2 at z = −x/√2 in two parts: the rounding of z alone would cost z² units in the last place."""
    if not abs(x) < 40:
        return math.nan if math.isnan(x) else float(x > 0)
    from fractions import Fraction  # with `decimal`, which few processes need

    high = Fraction(-x) * (Fraction(math.sqrt(0.5)) + Fraction(_ROOT_HALF_LOW))
    z = float(high)
    low = float(high - Fraction(z))
    return 0.5 * (math.erfc(z) - 2 / math.sqrt(math.pi) * math.exp(-z * z) * low)


def _scaled_tail(a: float) -> float:
    """e^(a²/2)·Φ(−a) for a ≥ 10, by its continued fraction."""
    fraction = 0.0
    for step in range(60, 0, -1):
        fraction = step / (a + fraction)
    return 1 / (_ROOT_2PI * (a + fraction))


def _log_ndtr(x: float) -> float:
    if x < -10:
        return -x * x / 2 + math.log(_scaled_tail(-x)) if x > -1e150 else -math.inf
    return math.log(_ndtr(x)) if x < -1 else math.log1p(-_ndtr(-x))


def _upper_quantile(q: float) -> float:
    """The z with Φ(−z) = q ≤ ½: Newton on log Φ, which is nearly a parabola."""
    goal, z = math.log(q), math.sqrt(max(-2 * math.log(2 * q), 0.0))
    for _ in range(30):
        value = _log_ndtr(-z)
        step = (value - goal) * math.exp(value + z * z / 2) * _ROOT_2PI
        z += step
        if abs(step) <= 1e-17 * abs(z):
            break
    return z


def _erfinv(x: float) -> float:
    if not abs(x) < 1:
        return math.copysign(math.inf, x) if abs(x) == 1 else math.nan
    if abs(x) > 0.5:
        return math.copysign(_upper_quantile((1 - abs(x)) / 2) / _ROOT_2, x)
    y = x * math.sqrt(math.pi) / 2
    for _ in range(30):
        step = (math.erf(y) - x) * math.exp(y * y) * math.sqrt(math.pi) / 2
        y -= step
        if abs(step) <= 1e-17 * abs(y):
            break
    return y


def _ndtri(p: float) -> float:
    if not 0 < p < 1:
        return -math.inf if p == 0 else math.inf if p == 1 else math.nan
    if 0.25 <= p <= 0.75:
        return _ROOT_2 * _erfinv(2 * p - 1)
    return -_upper_quantile(p) if p < 0.5 else _upper_quantile(1 - p)


ndtr = _by_element(_ndtr)
log_ndtr = _by_element(_log_ndtr)
erfinv = _by_element(_erfinv)
ndtri = _by_element(_ndtri)


# -- digamma and its derivatives
@cache
def bernoulli(count: int) -> tuple[Fraction, ...]:
    """B₀ … B_count by their recurrence."""
    from fractions import Fraction

    numbers = [Fraction(1)]
    for m in range(1, count + 1):
        numbers.append(-sum((math.comb(m + 1, j) * numbers[j] for j in range(m)), Fraction(0)) / (m + 1))
    return tuple(numbers)


def cotangent_derivative(order: int) -> tuple[int, ...]:
    """The polynomial P, lowest power first, with (d/dt)^order cot t = P(cot t)."""
    coefficients = [0, 1]
    for _ in range(order):
        slope = [power * c for power, c in enumerate(coefficients)][1:]
        coefficients = [0] * (len(slope) + 2)
        for power, c in enumerate(slope):
            coefficients[power] -= c
            coefficients[power + 2] -= c
    return tuple(coefficients)


def _cotangent_of_turns(x: float) -> float:
    """cot(πx), from the difference of x and the nearest integer."""
    rest = x - round(x)
    angle = math.pi * rest if abs(rest) <= 0.25 else math.pi * (0.5 - abs(rest))
    if abs(rest) <= 0.25:
        return math.cos(angle) / math.sin(angle)
    return math.copysign(math.tan(angle), rest)


@cache
def _digamma_beside_root() -> tuple[float, ...]:
    """The Taylor coefficients of ψ at its zero, from the first power on."""
    return tuple(_polygamma(_DIGAMMA_ROOT[0], n) / math.factorial(n) for n in range(1, 45))


def _digamma(x: float) -> float:
    if 1 <= x <= 2:
        f = (x - _DIGAMMA_ROOT[0]) - _DIGAMMA_ROOT[1]
        return math.fsum(c * f ** (n + 1) for n, c in enumerate(_digamma_beside_root()))
    if x == 0:
        return math.copysign(math.inf, -x)
    if math.isinf(x) or (x < 0 and x == math.floor(x)):
        return x if x == math.inf else math.nan
    if x < 0:
        return _digamma(1 - x) - math.pi * _cotangent_of_turns(x)
    terms = []
    while x < 12:
        terms.append(-1 / x)
        x += 1
    numbers = bernoulli(24)
    series = [-float(numbers[2 * j] / (2 * j)) * x ** (-2 * j) for j in range(12, 0, -1)]
    return math.fsum([*series, -0.5 / x, math.log(x), *terms])


def _polygamma(x: float, order: int) -> float:
    odd = order % 2 == 1
    if x == 0:
        return math.inf if odd else math.copysign(math.inf, -x)
    if math.isinf(x) or (x < 0 and x == math.floor(x)):
        return 0.0 if x == math.inf else math.inf if odd and x > -math.inf else math.nan
    if x > 0:
        return _polygamma_of_positive(x, order)
    cotangent = _cotangent_of_turns(x)
    derivative = math.fsum(c * cotangent**power for power, c in enumerate(cotangent_derivative(order)))
    return -derivative * math.pi ** (order + 1) - (1 if odd else -1) * _polygamma(1 - x, order)


def _polygamma_of_positive(x: float, order: int) -> float:
    s, terms = order + 1, []
    while x < 12 + s:
        terms.append(x**-s)
        x += 1
    numbers = bernoulli(24)
    rising = [math.prod(range(s, s + 2 * j - 1)) for j in range(13)]
    series = [float(numbers[2 * j] * rising[j] / math.factorial(2 * j)) * x ** (1 - s - 2 * j) for j in range(12, 0, -1)]
    total = math.fsum([*series, 0.5 * x**-s, x ** (1 - s) / (s - 1), *terms]) * math.factorial(order)
    return total if order % 2 else -total


digamma = _by_element(_digamma)


def polygamma(x: Array, order: int) -> Array:
    """The derivative of digamma of an order ≥ 1: sums the first terms, then the Euler-Maclaurin formula."""
    return _by_element(lambda number: math.nan if math.isnan(number) else _polygamma(number, order))(x)


# -- Bessel functions
def _bessel(x: float, order: int) -> float:
    """e^−|x|·I(x): the power series up to 30, the asymptotic one beyond."""
    a = abs(x)
    if math.isnan(x) or a == math.inf:
        return math.nan if math.isnan(x) else math.copysign(0.0, x) if order else 0.0
    if a <= 30:
        term = (a / 2) ** order
        terms = [term]
        for m in range(1, 100):
            term *= (a / 2) ** 2 / (m * (m + order))
            terms.append(term)
        size = math.fsum(terms) * math.exp(-a)
    else:
        term, terms = 1.0, [1.0]
        for m in range(1, 25):
            term *= -(4 * order * order - (2 * m - 1) ** 2) / (m * 8 * a)
            terms.append(term)
        size = math.fsum(terms) / math.sqrt(2 * math.pi * a)
    return math.copysign(size, x) if order else size


i0e = _by_element(lambda x: _bessel(x, 0))
i1e = _by_element(lambda x: _bessel(x, 1))
