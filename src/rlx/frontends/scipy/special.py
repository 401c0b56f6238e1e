"""`jax.scipy.special`: gamma and beta functions, entropies, the normal distribution, and names of functions that live elsewhere.

What sums logarithms of gamma functions does it in f64, so that f32 results are exact to their last bits where terms cancel.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Literal, overload

import numpy as np

from rlx.core.dtype import DType, f64
from rlx.core.errors import RlxError, check_is
from rlx.frontends.dispatch import ArrayFunction, ArrayLike, array_function, axes_of, emit, floating, promote_values
from rlx.frontends.lax.operators import digamma as digamma
from rlx.frontends.lax.operators import erf as erf
from rlx.frontends.lax.operators import erf_inv, erfc, lgamma
from rlx.frontends.nn.activations import log_softmax, sigmoid, softmax
from rlx.frontends.nn.activations import logsumexp as logsumexp_without_sign
from rlx.frontends.numpy.creation import asarray
from rlx.frontends.numpy.elementwise import i0, make_function
from rlx.frontends.random.continuous import log_slope
from rlx.functions.control_flow import while_loop
from rlx.functions.derivatives import custom_jvp, jvp
from rlx.ir.array_methods import Array
from rlx.ir.emit import constant
from rlx.ir.value import Value, as_dtype

__all__ = [
    "bernoulli", "beta", "betainc", "betaln", "boxcox", "boxcox1p", "comb", "digamma", "entr", "erf", "erfc", "erfinv", "expit",
    "factorial", "gamma", "gammainc", "gammaincc", "gammaln", "gammasgn", "i0", "i0e", "i1", "i1e", "kl_div", "log_ndtr",
    "log_softmax", "loggamma", "logit", "logsumexp", "multigammaln", "ndtr", "ndtri", "poch", "polygamma", "rel_entr", "softmax",
    "xlog1py", "xlogy", "zeta",
]  # fmt: skip

expit, erfinv = sigmoid, erf_inv
gammaln = loggamma = lgamma


def _of_floats(name: str, doc: str) -> ArrayFunction[..., Array]:
    def body(x: ArrayLike) -> Value:
        return emit(name, floating(x))

    return make_function(body, name, doc)


i0e = _of_floats("i0e", "exp(-|x|) times the modified Bessel function of the first kind and order 0.")
i1e = _of_floats("i1e", "exp(-|x|) times the modified Bessel function of the first kind and order 1.")
ndtr = _of_floats("ndtr", "The normal distribution function Φ(x).")
ndtri = _of_floats("ndtri", "The inverse of `ndtr`: infinite at 0 and 1, NaN outside.")


@array_function
def i1(x: ArrayLike) -> Value:
    """The modified Bessel function of the first kind and order 1."""
    value = floating(x)
    return emit("i1e", value) * emit("exp", emit("abs", value))


@array_function
def log_ndtr(x: ArrayLike, series_order: int = 3) -> Value:
    """log Φ(x), for x far below 0 too; `series_order` changes nothing."""
    return emit("log_ndtr", floating(x))


@array_function
def logit(x: ArrayLike) -> Value:
    """log(x / (1 - x)), the inverse of `expit`."""
    value = floating(x)
    return emit("log", value) - emit("log1p", -value)


Axis = int | tuple[int, ...] | None


@overload
def logsumexp(
    a: ArrayLike,
    axis: Axis = None,
    b: ArrayLike | None = None,
    keepdims: bool = False,
    return_sign: Literal[False] = False,
    where: ArrayLike | None = None,
) -> Array: ...
@overload
def logsumexp(
    a: ArrayLike,
    axis: Axis = None,
    b: ArrayLike | None = None,
    keepdims: bool = False,
    *,
    return_sign: Literal[True],
    where: ArrayLike | None = None,
) -> tuple[Array, Array]: ...
def logsumexp(
    a: ArrayLike,
    axis: Axis = None,
    b: ArrayLike | None = None,
    keepdims: bool = False,
    return_sign: bool = False,
    where: ArrayLike | None = None,
) -> Any:
    """log(sum(b * exp(a))) without overflow; with `return_sign` (log |sum|, the sum's sign).

    >>> import rlx.numpy as rnp
    >>> from rlx.scipy.special import logsumexp
    >>> logsumexp(rnp.asarray([3.0, -rnp.inf]))
    Array(3., dtype=float32)
    """
    if not return_sign:
        return logsumexp_without_sign(a, axis=axis, b=b, keepdims=keepdims, where=where)
    return _signed_logsumexp(a, 1.0 if b is None else b, True if where is None else where, axis=axis, keepdims=keepdims)


@array_function
def _signed_logsumexp(a: ArrayLike, b: ArrayLike, where: ArrayLike, axis: Any, keepdims: bool) -> tuple[Value, Value]:
    value, factor = promote_values(floating(a), b)
    value = emit("where", where, value, -math.inf)
    axes = axes_of(axis, value.rank, "logsumexp")
    top = emit("stop_gradient", emit("reduce_max", value, axes=axes, keep_dim=True))
    top = emit("where", emit("is_finite", top), top, 0.0)
    total = emit("reduce_sum", factor * emit("exp", value - top), axes=axes, keep_dim=keepdims)
    top = top if keepdims else top.reshape(total.shape)
    return emit("log", emit("abs", total)) + top, emit("sign", total)


# -- entropies ------------------------------------------------------------------------------------------------------
def _times_log(log: Callable[[Value], Value], argument: Callable[[Value], Value]) -> Callable[[Value, Value], Value]:
    """Emits x · log(y), 0 where x is 0 and y not NaN; its derivative by x is log(y) there too, as in JAX."""

    @custom_jvp
    def product(x: Value, y: Value) -> Value:
        return emit("where", (x == 0) & (y == y), 0.0, x * log(y))

    @product.defjvp
    def _rule(primals: tuple[Value, Value], tangents: tuple[Any, Any]) -> tuple[Value, Any]:
        x, y = primals
        return product(x, y), tangents[0] * log(y) + tangents[1] * (x / argument(y))

    return product


_x_log_y = _times_log(lambda y: emit("log", y), lambda y: y)
_x_log1p_y = _times_log(lambda y: emit("log1p", y), lambda y: y + 1.0)


@array_function
def xlogy(x: ArrayLike, y: ArrayLike) -> Value:
    """x · log(y), 0 where x is 0."""
    return _x_log_y(*promote_values(floating(x), y))


@array_function
def xlog1py(x: ArrayLike, y: ArrayLike) -> Value:
    """x · log(1 + y), 0 where x is 0."""
    return _x_log1p_y(*promote_values(floating(x), y))


@array_function
def entr(x: ArrayLike) -> Value:
    """-x · log(x); 0 at 0, -∞ below."""
    value = floating(x)
    return emit("where", value < 0, -math.inf, -_x_log_y(value, value))


@array_function
def rel_entr(p: ArrayLike, q: ArrayLike) -> Value:
    """p · log(p / q); 0 where p is 0 and q is not negative, ∞ where one is negative or q is 0."""
    p, q = promote_values(floating(p), q)
    both, zero = (p > 0) & (q > 0), (p == 0) & (q >= 0)
    safe_p, safe_q = emit("where", both, p, 1.0), emit("where", both, q, 1.0)
    entropy = safe_p * emit("log", safe_p) - _x_log_y(safe_p, safe_q)
    return emit("where", both, entropy, emit("where", zero, 0.0, math.inf))


@array_function
def kl_div(p: ArrayLike, q: ArrayLike) -> Value:
    """p · log(p / q) - p + q."""
    p, q = promote_values(floating(p), q)
    return rel_entr(p, q) - p + q


@array_function
def boxcox(x: ArrayLike, lmbda: ArrayLike) -> Value:
    """(x^lmbda - 1) / lmbda, log(x) where lmbda is 0."""
    x, power = promote_values(floating(x), lmbda)
    return _power_transform(emit("log", x), power)


@array_function
def boxcox1p(x: ArrayLike, lmbda: ArrayLike) -> Value:
    """((1 + x)^lmbda - 1) / lmbda, log(1 + x) where lmbda is 0."""
    x, power = promote_values(floating(x), lmbda)
    return _power_transform(emit("log1p", x), power)


def _power_transform(log: Value, power: Value) -> Value:
    safe = emit("where", power == 0, 1.0, power)
    return emit("where", power == 0, log, emit("expm1", safe * log) / safe)


# -- gamma and beta -------------------------------------------------------------------------------------------------
@array_function
def gammasgn(x: ArrayLike) -> Value:
    """The sign of Γ(x): NaN at -1, -2, …"""
    return _gamma_sign(floating(x))


def _gamma_sign(x: Value) -> Value:
    floor = emit("floor", x)
    odd = emit("mod", floor, 2.0) != 0
    sign = emit("where", (x < 0) & odd, -1.0, emit("copysign", x * 0.0 + 1.0, emit("where", x == 0, x, 1.0)))
    return emit("where", (x < 0) & (floor == x), math.nan, sign)


def _gamma(x: Value) -> Value:
    return _gamma_sign(x) * emit("exp", emit("lgamma", x))


@array_function
def gamma(x: ArrayLike) -> Value:
    """Γ(x)."""
    (value,), dtype = wide(x)
    return as_dtype(_gamma(value), dtype)


@array_function
def factorial(n: ArrayLike, exact: bool = False) -> Value:
    """Γ(n + 1), 0 for negative n."""
    if exact:
        raise RlxError("RLX109", "factorial with exact=True", fix="exact=False, or math.factorial")
    (value,), dtype = wide(n)
    return as_dtype(emit("where", value < 0, 0.0, _gamma(emit("where", value < 0, 0.0, value) + 1.0)), dtype)


@array_function
def beta(a: ArrayLike, b: ArrayLike) -> Value:
    """Γ(a) Γ(b) / Γ(a + b)."""
    (a, b), dtype = wide(a, b)
    sign = _gamma_sign(a) * _gamma_sign(b) * _gamma_sign(a + b)
    return as_dtype(sign * emit("exp", log_beta(a, b)), dtype)


@array_function
def betaln(a: ArrayLike, b: ArrayLike) -> Value:
    """log |Γ(a) Γ(b) / Γ(a + b)|."""
    (a, b), dtype = wide(a, b)
    return as_dtype(log_beta(a, b), dtype)


@array_function
def poch(z: ArrayLike, m: ArrayLike) -> Value:
    """Γ(z + m) / Γ(z), the rising factorial."""
    (z, m), dtype = wide(z, m)
    ratio = emit("exp", emit("lgamma", z + m) - emit("lgamma", z)) * _gamma_sign(z + m) * _gamma_sign(z)
    return as_dtype(emit("where", m == 0, 1.0, ratio), dtype)


@array_function
def comb(N: ArrayLike, k: ArrayLike, *, repetition: bool = False) -> Value:
    """How many ways there are to choose k of N; with `repetition` each may be chosen again."""
    (n, k), dtype = wide(N, k)
    if repetition:
        n = emit("where", k == 0, n, n + k - 1.0)
    possible = (k >= 0) & (k <= n)
    n, k = emit("where", possible, n, 1.0), emit("where", possible, k, 0.0)
    logs = emit("lgamma", n + 1.0) - emit("lgamma", k + 1.0) - emit("lgamma", n - k + 1.0)
    return as_dtype(emit("where", possible, emit("exp", logs), 0.0), dtype)


@array_function
def multigammaln(a: ArrayLike, d: int) -> Value:
    """The logarithm of the gamma function of dimension d."""
    (a,), dtype = wide(a)
    total = a * 0.0 + d * (d - 1) / 4 * math.log(math.pi)
    for index in range(d):
        total = total + emit("lgamma", a - 0.5 * index)
    return as_dtype(total, dtype)


@array_function
def gammainc(a: ArrayLike, x: ArrayLike) -> Value:
    """The share of Γ(a)'s integral that lies below x."""
    (a, x), dtype = wide(a, x)
    return as_dtype(incomplete_gamma(a, x), dtype)


@array_function
def gammaincc(a: ArrayLike, x: ArrayLike) -> Value:
    """The share of Γ(a)'s integral that lies above x, exact where it is small."""
    (a, x), dtype = wide(a, x)
    return as_dtype(incomplete_gamma(a, x, above=True), dtype)


@array_function
def betainc(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Value:
    """The share of the beta integral that lies below x."""
    (a, b, x), dtype = wide(a, b, x)
    return as_dtype(incomplete_beta(a, b, x), dtype)


def polygamma(n: ArrayLike, x: ArrayLike) -> Array:
    """The n-th derivative of `digamma`; n is an int or an array of them, known only in a run too.

    >>> from rlx.scipy.special import polygamma
    >>> round(float(polygamma(1, 1.0)), 4)
    1.6449
    """
    if isinstance(n, (int, np.integer)):
        return _polygamma_of_order(x, order=int(n))
    return _polygamma(n, x)


@array_function
def _polygamma_of_order(x: ArrayLike, order: int) -> Value:
    value = floating(x)
    return emit("polygamma", value, order=order) if order else emit("digamma", value)


@array_function
def _polygamma(n: ArrayLike, x: ArrayLike) -> Value:
    """Polygamma for integer n as (-1)^(n + 1) n! ζ(n + 1, x)."""
    (n, x), dtype = wide(n, x)
    order = emit("where", n == 0, 1.0, n)
    sign = emit("where", emit("mod", order, 2.0) == 0, -1.0, 1.0)
    derivative = sign * emit("exp", emit("lgamma", order + 1.0)) * _zeta(order + 1.0, x)
    return as_dtype(emit("where", n == 0, emit("digamma", x), derivative), dtype)


def zeta(x: ArrayLike, q: ArrayLike | None = None) -> Array:
    """Hurwitz's zeta function Σ (q + k)^-x over k = 0, 1, … for x above 1 and q above 0; Riemann's without q.

    >>> from rlx.scipy.special import zeta
    >>> round(float(zeta(2.0, 1.0)), 4)
    1.6449
    """
    return _hurwitz(x, 1.0 if q is None else q)


@array_function
def _hurwitz(x: ArrayLike, q: ArrayLike) -> Value:
    (x, q), dtype = wide(x, q)
    total = emit("where", q <= 0, emit("where", q == emit("floor", q), math.inf, math.nan), _zeta(x, q))
    return as_dtype(emit("where", x == 1, math.inf, emit("where", x < 1, math.nan, total)), dtype)


_TERMS, _CORRECTIONS = 10, 12


def _zeta(x: Value, q: Value) -> Value:
    """Hurwitz's zeta function by Euler and Maclaurin: the first terms, the integral of the others, and Bernoulli corrections."""
    fits = (x > 1) & (q > 0)
    x, q = emit("where", fits, x, 2.0), emit("where", fits, q, 1.0)
    base = q + float(_TERMS)
    last = emit("pow", base, -x)
    total = sum((emit("pow", q + float(k), -x) for k in range(_TERMS)), last * base / (x - 1.0) + 0.5 * last)
    factor = x * last / base
    for j in range(1, _CORRECTIONS + 1):
        total = total + factor * float(_bernoulli_numbers(2 * j)[2 * j] / math.factorial(2 * j))
        factor = factor * (x + (2.0 * j - 1)) * (x + 2.0 * j) / (base * base)
    return total


def _bernoulli_numbers(n: int) -> list[Fraction]:
    """B₀ … Bₙ with B₁ = -1/2."""
    numbers = [Fraction(1)]
    for m in range(1, n + 1):
        numbers.append(-sum((math.comb(m + 1, k) * numbers[k] for k in range(m)), Fraction(0)) / (m + 1))
    return numbers


def bernoulli(n: int) -> Array:
    """Bernoulli's numbers B₀ … Bₙ with B₁ = -1/2.

    >>> from rlx.scipy.special import bernoulli
    >>> bernoulli(4)
    Array([ 1.        , -0.5       ,  0.16666667,  0.        , -0.03333334], dtype=float32)
    """
    check_is(n, int, "RLX105", "n of bernoulli", "an int from 0")
    return asarray(np.array([float(number) for number in _bernoulli_numbers(n)], np.float32))


# -- the incomplete gamma and beta functions, in f64: series and continued fractions in loops that end when their terms no longer count


_MOST_TERMS = 3000
_SMALL, _TINY = 1e-15, 1e-300


def wide(*xs: Any) -> tuple[list[Value], DType]:
    """Converts arguments to f64 of one shape; returns also the result's dtype: that of all of them, f32 for integers."""
    values = promote_values(floating(xs[0]), *xs[1:])
    dtype = values[0].dtype
    zero = sum((value * 0 for value in values[1:]), values[0] * 0)
    values = [value if value.shape == zero.shape else emit("expand", value, shape=zero.shape) for value in values]
    return [as_dtype(value, f64) for value in values], dtype


def log_beta(a: Value, b: Value) -> Value:
    """log |Γ(a) Γ(b) / Γ(a + b)|."""
    return emit("lgamma", a) + emit("lgamma", b) - emit("lgamma", a + b)


def _any(x: Value) -> Value:
    return emit("reduce_any", x, axes=tuple(range(x.rank)), keep_dim=False) if x.rank else x


def _iterate(step: Callable[[Value, Any], tuple[Any, Value]], start: Any, like: Value) -> Any:
    """Iterates `step(k, state) -> (state, change)` for k = 1, 2, … until no change is above the smallest relative one."""

    def body(carry: tuple[Value, Any, Value]) -> tuple[Value, Any, Value]:
        state, change = step(carry[0], carry[1])
        return carry[0] + 1.0, state, _any(emit("abs", change) > _SMALL)

    start = constant(like.graph, 1.0, f64), start, _any(like == like)
    return while_loop(lambda carry: carry[2], body, start, max_iterations=_MOST_TERMS)[1]


# -- gamma ----------------------------------------------------------------------------------------------------------
def incomplete_gamma(a: Value, x: Value, above: bool = False) -> Value:
    """The share of Γ(a)'s integral below x, or above it."""
    return _gamma_above(a, x) if above else _gamma_below(a, x)


def _share_of_gamma(a: Value, x: Value, above: bool) -> Value:
    """The incomplete gamma function: below a + 1 by the series of the lower part, else by the continued fraction of the upper one."""
    inside = (a > 0) & (x > 0) & (x < math.inf)
    lower = inside & (x < a + 1.0)
    upper = inside & (x >= a + 1.0)
    low = _series(emit("where", lower, a, 1.0), emit("where", lower, x, 0.5))
    high = _fraction(emit("where", upper, a, 1.0), emit("where", upper, x, 3.0))
    ends = emit("where", x == 0, float(above), emit("where", x == math.inf, float(not above), math.nan))
    ends = emit("where", a > 0, ends, math.nan)
    parts = (1.0 - low, high) if above else (low, 1.0 - high)
    return emit("where", lower, parts[0], emit("where", upper, parts[1], ends))


def _series(a: Value, x: Value) -> Value:
    def step(k: Value, state: tuple[Value, Value]) -> tuple[Any, Value]:
        term, total = state
        term = term * x / (a + k)
        return (term, total + term), term / (total + term)

    one = x * 0.0 + 1.0
    _, total = _iterate(step, (one, one), x)
    return total * emit("exp", a * emit("log", x) - x - emit("lgamma", a + 1.0))


def _fraction(a: Value, x: Value) -> Value:
    def step(k: Value, state: tuple[Value, ...]) -> tuple[Any, Value]:
        b, c, d, h = state
        top = -k * (k - a)
        b = b + 2.0
        d = 1.0 / (top * d + b)
        c = b + top / c
        return (b, c, d, h * c * d), c * d - 1.0

    b = x + 1.0 - a
    *_, h = _iterate(step, (b, b * 0.0 + 1 / _TINY, 1.0 / b, 1.0 / b), x)
    return h * emit("exp", a * emit("log", x) - x - emit("lgamma", a))


def _gamma_slopes(a: Value, x: Value) -> tuple[Value, Value]:
    """Derivatives of the lower incomplete gamma function by a and by x."""
    inside = (a > 0) & (x > 0) & (x < math.inf)
    a, x = emit("where", inside, a, 1.0), emit("where", inside, x, 1.0)
    log_x = emit("log", x)
    density = emit("exp", (a - 1.0) * log_x - x - emit("lgamma", a))
    return emit("where", inside, -density * x * log_slope(a, log_x), 0.0), emit("where", inside, density, 0.0)


@custom_jvp
def _gamma_below(a: Value, x: Value) -> Value:
    return _share_of_gamma(a, x, above=False)


@_gamma_below.defjvp
def _below_rule(primals: tuple[Value, Value], tangents: tuple[Any, Any]) -> tuple[Value, Any]:
    by_a, by_x = _gamma_slopes(*primals)
    return _gamma_below(*primals), by_a * tangents[0] + by_x * tangents[1]


@custom_jvp
def _gamma_above(a: Value, x: Value) -> Value:
    return _share_of_gamma(a, x, above=True)


@_gamma_above.defjvp
def _above_rule(primals: tuple[Value, Value], tangents: tuple[Any, Any]) -> tuple[Value, Any]:
    by_a, by_x = _gamma_slopes(*primals)
    return _gamma_above(*primals), -(by_a * tangents[0] + by_x * tangents[1])


# -- beta -----------------------------------------------------------------------------------------------------------
def _share_of_beta(a: Value, b: Value, x: Value) -> Value:
    inside = (a > 0) & (b > 0) & (x > 0) & (x < 1)
    a, b = emit("where", inside, a, 1.0), emit("where", inside, b, 1.0)
    ends = emit("where", x == 0, 0.0, emit("where", x == 1, 1.0, math.nan))
    x = emit("where", inside, x, 0.5)
    turned = x > (a + 1.0) / (a + b + 2.0)  # the fraction converges fast below that
    logs = a * emit("log", x) + b * emit("log1p", -x) - log_beta(a, b)
    first, second = emit("where", turned, b, a), emit("where", turned, a, b)
    part = emit("exp", logs) * _beta_fraction(first, second, emit("where", turned, 1.0 - x, x)) / first
    return emit("where", inside, emit("where", turned, 1.0 - part, part), ends)


def _beta_fraction(a: Value, b: Value, x: Value) -> Value:
    def step(k: Value, state: tuple[Value, ...]) -> tuple[Any, Value]:
        c, d, h = state
        for top in (
            k * (b - k) * x / ((a + 2.0 * k - 1.0) * (a + 2.0 * k)),
            -(a + k) * (a + b + k) * x / ((a + 2.0 * k) * (a + 2.0 * k + 1.0)),
        ):
            d = 1.0 / _not_zero(1.0 + top * d)
            c = _not_zero(1.0 + top / c)
            h = h * c * d
        return (c, d, h), c * d - 1.0

    d = 1.0 / _not_zero(1.0 - (a + b) * x / (a + 1.0))
    *_, h = _iterate(step, (d * 0.0 + 1.0, d, d), x)
    return h


def _not_zero(x: Value) -> Value:
    return emit("where", emit("abs", x) < _TINY, _TINY, x)


@custom_jvp
def incomplete_beta(a: Value, b: Value, x: Value) -> Value:
    """The share of the beta integral below x."""
    return _share_of_beta(a, b, x)


@incomplete_beta.defjvp
def _beta_rule(primals: tuple[Value, ...], tangents: tuple[Any, ...]) -> tuple[Value, Any]:
    a, b, x = primals
    inside = (x > 0) & (x < 1)
    safe = emit("where", inside, x, 0.5)
    density = emit("exp", (a - 1.0) * emit("log", safe) + (b - 1.0) * emit("log1p", -safe) - log_beta(a, b))
    moved = emit("where", inside, density, 0.0) * tangents[2]
    by_a = jvp(lambda a: _share_of_beta(a, b, x), (a,), (a * 0.0 + 1.0,))[1]
    by_b = jvp(lambda b: _share_of_beta(a, b, x), (b,), (b * 0.0 + 1.0,))[1]
    return incomplete_beta(a, b, x), moved + by_a * tangents[0] + by_b * tangents[1]
