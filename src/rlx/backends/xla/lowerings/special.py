"""Special functions, where XLA's own are not accurate to their last digits: of the normal distribution, gamma, and Bessel's.

Tails of the normal distribution are e^(−a²/2)·m(a) with a rational m, the square in two parts. Inverses are a rational of x² in the
middle, and of r = √(−log q) for a tail of q. Gamma's and Bessel's functions compute f32 in f64.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
from jax import lax

from rlx.backends.xla.lowerings.transcendental import log1p
from rlx.backends.xla.site import Lowering, LoweringSite, plain
from rlx.backends.xla.two_parts import exact_product, exp_of_two_parts, horner, kind_of
from rlx.formulas import coefficients as table
from rlx.formulas.coefficients import MILLS_BOTTOM, MILLS_TOP
from rlx.ops.elementwise.references import bernoulli, cotangent_derivative

_MIDDLE = 0.85  # erfinv is a rational of x² up to it
_NDTR_LIMIT = {"f32": 14.3, "f64": 38.6}  # beyond these the tail of ndtr is 0
_FAR = 8.0  # from here on Stirling's series, and Bessel's asymptotic one
_ROOT = (1.4616321449683622, 9.549995429965697e-17)  # of digamma, in two parts


def _in_f64(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of f64, of f32 too."""
    return lambda x, *settings: function(x.astype(jnp.float64), *settings).astype(x.dtype)


# -- the normal distribution
def _mills(a: Any) -> Any:
    """e^(a²/2)·Φ(−a)."""
    kind = kind_of(a)
    return horner(a, MILLS_TOP[kind]) / horner(a, MILLS_BOTTOM[kind])


def normal_tail(a: Any) -> Any:
    """Φ(−a) for a ≥ 0."""
    a = jnp.minimum(a, _NDTR_LIMIT[kind_of(a)])
    square, lost = exact_product(a, a)
    return _mills(a) * exp_of_two_parts(square * -0.5, lost * -0.5)


def _ndtr(x: Any) -> Any:
    tail = normal_tail(jnp.abs(x))
    return jnp.where(x > 0, 1 - tail, tail)


def _log_ndtr(x: Any) -> Any:
    """log m(a) − a²/2 below −1, which never underflows, else log1p(−Φ(−x))."""
    size = jnp.abs(x)
    far = jnp.log(_mills(jnp.minimum(size, 1e20))) - size * size * 0.5
    tail = normal_tail(size)
    return jnp.where(x < -1, far, log1p(jnp.where(x < 0, tail - 1, -tail)))


def _rational(x: Any, top: dict[str, tuple[float, ...]], bottom: dict[str, tuple[float, ...]]) -> Any:
    return horner(x, top[kind_of(x)]) / horner(x, bottom[kind_of(x)])


def _upper_quantile(q: Any) -> Any:
    """The z with Φ(−z) = q, for q up to 0.075."""
    r = jnp.sqrt(-jnp.log(q))
    near = _rational(jnp.minimum(r, 5.0), table.QUANTILE_TOP, table.QUANTILE_BOTTOM)
    far = _rational(r, table.QUANTILE_FAR_TOP, table.QUANTILE_FAR_BOTTOM)
    return jnp.where(q == 0, jnp.inf, jnp.where(r > 5, far, near))


def _middle(x: Any) -> Any:
    """erfinv(x) up to ±0.85."""
    return x * _rational(0.7225 - x * x, table.ERFINV_TOP, table.ERFINV_BOTTOM)


def _erfinv(x: Any) -> Any:
    size = jnp.abs(x)
    far = _upper_quantile((1 - size) * 0.5) * math.sqrt(0.5)
    return jnp.where(size <= _MIDDLE, _middle(x), jnp.copysign(far, x))


def _ndtri(p: Any) -> Any:
    x = p * 2 - 1
    far = _upper_quantile(jnp.minimum(1 - p, p))
    return jnp.where(jnp.abs(x) <= _MIDDLE, _middle(x) * math.sqrt(2), jnp.copysign(far, x))


# -- gamma
def _log_gamma_positive(x: Any) -> Any:
    """lgamma(x) for x ≥ 0: with Γ(x) = p·Γ(y), y near 1 or 2, and one logarithm for all ranges."""
    small, far = x < 0.7, x >= _FAR
    y, product = jnp.where(small, x + 1, x), jnp.ones_like(x)
    for _ in range(int(_FAR) - 2):
        above = y > 2.5
        y = jnp.where(above, y - 1, y)
        product = jnp.where(above, product * y, product)
    near_one = y < 1.5
    f = y - jnp.where(near_one, 1.0, 2.0)
    by_one, by_two = (
        horner(f, top["f64"]) / horner(f, bottom["f64"])
        for top, bottom in ((table.LGAMMA_ONE_TOP, table.LGAMMA_ONE_BOTTOM), (table.LGAMMA_TWO_TOP, table.LGAMMA_TWO_BOTTOM))
    )
    logarithm = jnp.log(jnp.where(far | small, x, product))
    near = f * jnp.where(near_one, by_one, by_two) + jnp.where(small, -logarithm, logarithm)
    inverse = 1 / x
    rest = inverse * horner(inverse * inverse, table.STIRLING["f64"]) + (0.5 * math.log(2 * math.pi) - 0.5)
    return jnp.where(far, (x - 0.5) * (logarithm - 1) + rest, near)


def _sin_and_cos_of_turns(x: Any) -> tuple[Any, Any]:
    """sin(πx) and cos(πx) up to a common sign: of what is left of x beside the nearest whole number, or half of it."""
    rest = x - jnp.round(x)
    size = jnp.abs(rest)
    steep = size > 0.25
    angle = jnp.where(steep, 0.5 - size, size) * math.pi
    sine, cosine = jnp.sin(angle), jnp.cos(angle)
    return jnp.copysign(jnp.where(steep, cosine, sine), rest), jnp.where(steep, sine, cosine)


@_in_f64
def _lgamma(x: Any) -> Any:
    """Below 0 log(π/|x·sin πx|) − lgamma(−x), good to the size of its terms."""
    positive = _log_gamma_positive(jnp.abs(x))
    sine, _ = _sin_and_cos_of_turns(x)
    reflected = jnp.log(math.pi / jnp.abs(x * sine)) - positive
    reflected = jnp.where((sine == 0) | (x == -jnp.inf), jnp.inf, reflected)
    return jnp.where(x < 0, reflected, positive)


def _digamma_positive(x: Any) -> Any:
    """ψ(x) for x > 0: ψ(x + 1) = ψ(x) + 1/x down or up to [1, 2]; the reciprocals are added as one fraction."""
    below = x < 1
    y = jnp.where(below, x + 1, x)
    top, bottom = jnp.where(below, -1.0, 0.0), jnp.where(below, x, 1.0)
    for _ in range(int(_FAR) - 2):
        above = y > 2
        y = jnp.where(above, y - 1, y)
        top, bottom = jnp.where(above, top * y + bottom, top), jnp.where(above, bottom * y, bottom)
    t = y - 1.5
    factor = horner(t, table.DIGAMMA_TOP["f64"]) / horner(t, table.DIGAMMA_BOTTOM["f64"])
    near = (y - _ROOT[0]) * factor + (top / bottom - _ROOT[1] * factor)  # XLA would add two constants in a row
    inverse = 1 / x
    z = inverse * inverse
    far = (jnp.log(x) - inverse * 0.5) - z * horner(z, table.DIGAMMA_FAR["f64"])
    return jnp.where(x >= _FAR, far, near)


@_in_f64
def _digamma(x: Any) -> Any:
    """−∞ at 0 (∞ at −0), NaN at −1, −2 …; below 0 ψ(1 − x) − π/tan πx."""
    negative = x < 0
    positive = _digamma_positive(jnp.where(negative, 1 - x, x))
    sine, cosine = _sin_and_cos_of_turns(x)
    reflected = jnp.where(sine == 0, jnp.nan, positive - math.pi * cosine / sine)
    found = jnp.where(negative, reflected, positive)
    return jnp.where(x == 0, jnp.copysign(jnp.inf, -x), found)


def _zeta(s: int, x: Any) -> Any:
    """Σ (x + i)^(−s) over i ≥ 0, for x > 0: the first terms one by one, the rest by Euler and Maclaurin."""
    steps, total = 9 + s, jnp.zeros_like(x)
    for _ in range(steps):
        near = x < steps
        total = total + jnp.where(near, lax.integer_pow(1 / x, s), 0)
        x = jnp.where(near, x + 1, x)
    numbers = bernoulli(20)
    terms = [float(numbers[2 * j] * math.prod(range(s, s + 2 * j - 1)) / math.factorial(2 * j)) for j in range(1, 11)]
    inverse = 1 / x
    rest = x * (1 / (s - 1)) + (inverse * horner(inverse * inverse, terms) + 0.5)
    return lax.integer_pow(inverse, s) * rest + total


@_in_f64
def _polygamma(x: Any, order: int) -> Any:
    """(−1)^(order+1)·order!·ζ(order + 1, x), below 0 by reflection."""
    negative, odd = x < 0, order % 2 == 1
    positive = _zeta(order + 1, jnp.where(negative, 1 - x, x)) * float(math.factorial(order))
    sine, cosine = _sin_and_cos_of_turns(x)
    turned = horner(cosine / sine, cotangent_derivative(order)) * math.pi ** (order + 1)
    reflected = jnp.where(sine == 0, jnp.inf if odd else jnp.nan, -turned - positive)
    found = jnp.where(negative, reflected, positive if odd else -positive)
    return jnp.where(x == jnp.inf, 0, found)


# -- Bessel
@_in_f64
def _bessel(x: Any, near: tuple[float, ...], far: tuple[float, ...], odd: bool) -> Any:
    """e^−|x| times a polynomial of x² up to 8, else a polynomial of 16/x − 1 over √x."""
    size = jnp.abs(x)
    a = jnp.minimum(size, _FAR)
    small = jnp.exp(-a) * horner(a * a, near)
    large = horner(16 / jnp.maximum(size, _FAR) - 1, far) / jnp.sqrt(size)
    found = jnp.where(size > _FAR, large, small * a if odd else small)
    return jnp.copysign(found, x) if odd else found


def _polygamma_of(at: LoweringSite, x: Any) -> Any:
    return _polygamma(x, at["order"])


LOWERINGS: dict[str, Lowering] = {
    "erf": plain(lax.erf),
    "erfc": plain(lax.erfc),
    "erfinv": plain(_erfinv),
    "ndtr": plain(_ndtr),
    "log_ndtr": plain(_in_f64(_log_ndtr)),
    "ndtri": plain(_ndtri),
    "lgamma": plain(_lgamma),
    "digamma": plain(_digamma),
    "polygamma": _polygamma_of,
    "i0e": plain(lambda x: _bessel(x, table.BESSEL_0["f64"], table.BESSEL_0_FAR["f64"], False)),
    "i1e": plain(lambda x: _bessel(x, table.BESSEL_1["f64"], table.BESSEL_1_FAR["f64"], True)),
}
