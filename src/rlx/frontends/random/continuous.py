"""Continuous distributions that are formulas of uniform and normal numbers; gradients go through their parameters."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from rlx.core.dim import Size
from rlx.core.dtype import DType, DTypeLike, f32, f64, i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value, emit, sizes_of
from rlx.frontends.numpy.contraction import einsum
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.frontends.numpy.elementwise import complex_of
from rlx.frontends.numpy.movement import broadcast_to, moveaxis
from rlx.frontends.random.source import KeySource, float_dtype, full_shape, in_dtype, parameters, wide_float
from rlx.functions.control_flow import scan, while_loop
from rlx.functions.derivatives import custom_jvp
from rlx.ir.array_methods import Array
from rlx.ir.emit import constant
from rlx.ir.value import Value, as_dtype

__all__ = [
    "ball", "beta", "cauchy", "chisquare", "dirichlet", "double_sided_maxwell", "exponential", "f", "gamma", "generalized_normal",
    "gumbel", "laplace", "loggamma", "logistic", "lognormal", "maxwell", "multivariate_normal", "normal", "orthogonal", "pareto",
    "rayleigh", "t", "triangular", "truncated_normal", "uniform", "wald", "weibull_min",
]  # fmt: skip

ShapeLike: TypeAlias = int | Sequence[int]


def _formula(
    what: str,
    key: ArrayLike,
    shape: ShapeLike,
    dtype: DTypeLike | None,
    body: Callable[[KeySource, tuple[Size, ...], DType], Value],
) -> Value:
    """Makes a sampler without parameters: computed in f32 or f64, then cast."""
    kind = float_dtype(dtype, what)
    return as_dtype(body(KeySource(key, what), sizes_of(shape), wide_float(kind)), kind)


@array_function
def uniform(
    key: ArrayLike, shape: ShapeLike = (), dtype: DTypeLike | None = None, minval: ArrayLike = 0.0, maxval: ArrayLike = 1.0
) -> Value:
    """Uniform in [minval, maxval): multiples of 2^-24 of the width in f32, of 2^-53 in f64.

    >>> import rlx
    >>> rlx.random.uniform(rlx.random.key(0), (3,), minval=-1, maxval=1)
    Array([-0.20190716,  0.76104033,  0.47142553], dtype=float32)
    """
    kind = float_dtype(dtype, "uniform", minval, maxval)
    source = KeySource(key, "uniform", minval, maxval)
    sizes = sizes_of(shape)
    if isinstance(minval, (int, float)) and isinstance(maxval, (int, float)) and (minval, maxval) == (0, 1):
        return source.uniform(sizes, kind)
    low, high = parameters("uniform", sizes, kind, source.key, minval, maxval)
    return emit("max", low, source.uniform(sizes, kind) * (high - low) + low)


@array_function
def normal(key: ArrayLike, shape: ShapeLike = (), dtype: DTypeLike | None = None) -> Array:
    """Normal with mean 0 and variance 1; complex dtypes have it half in each part.

    >>> import rlx
    >>> rlx.random.normal(rlx.random.key(0), (3,))
    Array([ 0.73792565, -0.68843365, -1.2860192 ], dtype=float32)
    """
    kind = f32 if dtype is None else named_dtype(dtype)
    source, sizes = KeySource(key, "normal"), sizes_of(shape)
    if kind.is_complex:
        part = f64 if kind.size == 16 else f32
        real, imaginary = (source.normal(sizes, part) * math.sqrt(0.5) for _ in range(2))
        return complex_of(real, imaginary)
    return source.normal(sizes, float_dtype(kind, "normal"))


@array_function
def exponential(key: ArrayLike, shape: ShapeLike = (), dtype: DTypeLike | None = None) -> Value:
    """Exponential with mean 1.

    >>> import rlx
    >>> rlx.random.exponential(rlx.random.key(0))
    Array(0.5092376, dtype=float32)
    """
    return _formula("exponential", key, shape, dtype, _exponential)


def _exponential(source: KeySource, sizes: Sequence[Size], dtype: DType) -> Value:
    return -emit("log1p", -source.uniform(sizes, dtype))


@array_function
def gumbel(key: ArrayLike, shape: ShapeLike = (), dtype: DTypeLike | None = None, mode: str | None = None) -> Value:
    """Gumbel with location 0 and scale 1. Either mode is drawn alike.

    >>> import rlx
    >>> rlx.random.gumbel(rlx.random.key(0))
    Array(0.08482026, dtype=float32)
    """
    if mode not in (None, "low", "high"):
        raise RlxError("RLX109", f"gumbel with mode {mode!r}", fix="None, 'low' or 'high'")
    return _formula("gumbel", key, shape, dtype, gumbel_numbers)


def gumbel_numbers(source: KeySource, sizes: Sequence[Size], dtype: DType) -> Value:
    """-log(-log(u)) of u in (0, 1)."""
    return -emit("log", -emit("log", source.inside(sizes, dtype)))


@array_function
def laplace(key: ArrayLike, shape: ShapeLike = (), dtype: DTypeLike | None = None) -> Value:
    """Laplace with mean 0 and scale 1.

    >>> import rlx
    >>> rlx.random.laplace(rlx.random.key(0))
    Array(-0.22553019, dtype=float32)
    """

    def body(source: KeySource, sizes: Sequence[Size], dtype: DType) -> Value:
        u = 2.0 * source.inside(sizes, dtype) - 1.0
        return emit("sign", u) * emit("log1p", -emit("abs", u)) * -1.0

    return _formula("laplace", key, shape, dtype, body)


@array_function
def logistic(key: ArrayLike, shape: ShapeLike = (), dtype: DTypeLike | None = None) -> Value:
    """Logistic with mean 0 and scale 1.

    >>> import rlx
    >>> rlx.random.logistic(rlx.random.key(0))
    Array(-0.40943968, dtype=float32)
    """

    def body(source: KeySource, sizes: Sequence[Size], dtype: DType) -> Value:
        u = source.inside(sizes, dtype)
        return emit("log", u) - emit("log1p", -u)

    return _formula("logistic", key, shape, dtype, body)


@array_function
def cauchy(key: ArrayLike, shape: ShapeLike = (), dtype: DTypeLike | None = None) -> Value:
    """Cauchy with location 0 and scale 1.

    >>> import rlx
    >>> rlx.random.cauchy(rlx.random.key(0))
    Array(-0.32823476, dtype=float32)
    """

    def body(source: KeySource, sizes: Sequence[Size], dtype: DType) -> Value:
        return emit("tan", math.pi * (source.inside(sizes, dtype) - 0.5))

    return _formula("cauchy", key, shape, dtype, body)


@array_function
def maxwell(key: ArrayLike, shape: ShapeLike = (), dtype: DTypeLike | None = None) -> Value:
    """Maxwell with scale 1: the length of three normal numbers.

    >>> import rlx
    >>> rlx.random.maxwell(rlx.random.key(0))
    Array(1.6347234, dtype=float32)
    """
    return _formula("maxwell", key, shape, dtype, _maxwell)


def _maxwell(source: KeySource, sizes: Sequence[Size], dtype: DType) -> Value:
    z = source.normal((*sizes, 3), dtype)
    return emit("sqrt", emit("reduce_sum", z * z, axes=(len(sizes),), keep_dim=False))


@array_function
def double_sided_maxwell(
    key: ArrayLike, loc: ArrayLike, scale: ArrayLike, shape: ShapeLike = (), dtype: DTypeLike | None = None
) -> Value:
    """loc + scale · Maxwell with either sign; the result has the shape of loc and scale behind `shape`.

    >>> import rlx
    >>> rlx.random.double_sided_maxwell(rlx.random.key(0), 1.0, 2.0).shape
    ()
    """
    kind = float_dtype(dtype, "double_sided_maxwell", loc, scale)
    source = KeySource(key, "double_sided_maxwell", loc, scale)
    center, width = (in_dtype(x, kind, source.key) for x in (loc, scale))
    sizes = (*sizes_of(shape), *full_shape("double_sided_maxwell", None, center, width))
    sign = as_dtype(source.words(sizes) >> np.uint32(31), kind) * 2.0 - 1.0
    return center + width * sign * as_dtype(_maxwell(source, sizes, wide_float(kind)), kind)


# -- with parameters ----------------------------------------------------------------------------------------------
@array_function
def truncated_normal(
    key: ArrayLike, lower: ArrayLike, upper: ArrayLike, shape: ShapeLike | None = None, dtype: DTypeLike | None = None
) -> Value:
    """Normal with mean 0 and variance 1 under the condition that it lies between lower and upper.

    >>> import rlx
    >>> rlx.random.truncated_normal(rlx.random.key(0), -2, 2, (2,))
    Array([1.0948391, 0.2551138], dtype=float32)
    """
    kind = float_dtype(dtype, "truncated_normal", lower, upper)
    source = KeySource(key, "truncated_normal", lower, upper)
    low, high = parameters("truncated_normal", shape, f64, source.key, lower, upper)
    left, right = emit("ndtr", low), emit("ndtr", high)
    u = source.inside(low.shape, f64)
    numbers = emit("ndtri", left + u * (right - left))
    return as_dtype(emit("max", low, emit("min", high, numbers)), kind)


@array_function
def lognormal(key: ArrayLike, sigma: ArrayLike = 1.0, shape: ShapeLike | None = None, dtype: DTypeLike | None = None) -> Value:
    """exp(sigma · z) of normal z.

    >>> import rlx
    >>> rlx.random.lognormal(rlx.random.key(0), 0.5)
    Array(1.4462337, dtype=float32)
    """
    kind = float_dtype(dtype, "lognormal", sigma)
    source = KeySource(key, "lognormal", sigma)
    (width,) = parameters("lognormal", shape, kind, source.key, sigma)
    return emit("exp", width * source.normal(width.shape, kind))


@array_function
def rayleigh(key: ArrayLike, scale: ArrayLike, shape: ShapeLike | None = None, dtype: DTypeLike | None = None) -> Value:
    """Rayleigh: scale · sqrt(2 e) of exponential e.

    >>> import rlx
    >>> rlx.random.rayleigh(rlx.random.key(0), 1.0)
    Array(1.0091953, dtype=float32)
    """
    kind = float_dtype(dtype, "rayleigh", scale)
    source = KeySource(key, "rayleigh", scale)
    (width,) = parameters("rayleigh", shape, wide_float(kind), source.key, scale)
    return as_dtype(width * emit("sqrt", 2.0 * _exponential(source, width.shape, width.dtype)), kind)


@array_function
def pareto(key: ArrayLike, b: ArrayLike, shape: ShapeLike | None = None, dtype: DTypeLike | None = None) -> Value:
    """Pareto with least value 1 and shape b: exp(e / b) of exponential e.

    >>> import rlx
    >>> rlx.random.pareto(rlx.random.key(0), 2.0)
    Array(1.2899698, dtype=float32)
    """
    kind = float_dtype(dtype, "pareto", b)
    source = KeySource(key, "pareto", b)
    (exponent,) = parameters("pareto", shape, wide_float(kind), source.key, b)
    return as_dtype(emit("exp", _exponential(source, exponent.shape, exponent.dtype) / exponent), kind)


@array_function
def weibull_min(
    key: ArrayLike, scale: ArrayLike, concentration: ArrayLike, shape: ShapeLike = (), dtype: DTypeLike | None = None
) -> Value:
    """Weibull: scale · e^(1 / concentration) of exponential e; the parameters broadcast with `shape`.

    >>> import rlx
    >>> rlx.random.weibull_min(rlx.random.key(0), 1.0, 2.0)
    Array(0.71360886, dtype=float32)
    """
    kind = float_dtype(dtype, "weibull_min", scale, concentration)
    source = KeySource(key, "weibull_min", scale, concentration)
    width, power = (in_dtype(x, wide_float(kind), source.key) for x in (scale, concentration))
    return as_dtype(width * emit("pow", _exponential(source, sizes_of(shape), width.dtype), 1.0 / power), kind)


@array_function
def triangular(
    key: ArrayLike,
    left: ArrayLike,
    mode: ArrayLike,
    right: ArrayLike,
    shape: ShapeLike | None = None,
    dtype: DTypeLike | None = None,
) -> Value:
    """A density that rises from left to mode and falls to right.

    >>> import rlx
    >>> rlx.random.triangular(rlx.random.key(0), 0.0, 1.0, 2.0)
    Array(0.89336044, dtype=float32)
    """
    kind = float_dtype(dtype, "triangular", left, mode, right)
    source = KeySource(key, "triangular", left, mode, right)
    low, top, high = parameters("triangular", shape, kind, source.key, left, mode, right)
    u, width = source.uniform(low.shape, kind), high - low
    rising = low + emit("sqrt", u * width * (top - low))
    falling = high - emit("sqrt", (1.0 - u) * width * (high - top))
    return emit("where", u * width < top - low, rising, falling)


@array_function
def wald(key: ArrayLike, mean: ArrayLike, shape: ShapeLike | None = None, dtype: DTypeLike | None = None) -> Value:
    """Wald, the inverse Gaussian with scale 1, by the two roots of Michael, Schucany and Haas.

    >>> import rlx
    >>> rlx.random.wald(rlx.random.key(0), 1.0)
    Array(0.4857154, dtype=float32)
    """
    kind = float_dtype(dtype, "wald", mean)
    source = KeySource(key, "wald", mean)
    (middle,) = parameters("wald", shape, wide_float(kind), source.key, mean)
    z, u = source.normal(middle.shape, middle.dtype), source.uniform(middle.shape, middle.dtype)
    square = z * z
    product = middle * square
    root = emit("sqrt", 4.0 * product + product * product)
    first = 2.0 * middle / (2.0 + product + root)
    return as_dtype(emit("where", u * (middle + first) <= middle, first, middle * middle / first), kind)


# -- vectors with a covariance, and orthogonal matrices --------------------------------------------------------------


def _places(like: Value, size: Size) -> Value:
    return emit("iota", shape=(size,), axis=0, dtype=i32, graph=like.graph)


@array_function
def orthogonal(key: ArrayLike, n: int, shape: ShapeLike = (), dtype: DTypeLike | None = None, m: int | None = None) -> Value:
    """Orthogonal matrices [*shape, n, n], each as likely as any other; [*shape, n, m] with orthonormal rows or columns.

    >>> import rlx
    >>> q = rlx.random.orthogonal(rlx.random.key(0), 3)
    >>> abs(q @ q.T - rlx.numpy.eye(3)).max() < 1e-6
    Array(True, dtype=bool)
    """
    kind, columns = float_dtype(dtype, "orthogonal"), n if m is None else m
    if min(n, columns) < 0:
        raise RlxError("RLX105", f"orthogonal matrices of sizes {n} and {columns}", fix="sizes of at least 0")
    source, sizes = KeySource(key, "orthogonal"), sizes_of(shape)
    tall = _multiply_reflections(source, sizes, max(n, columns), min(n, columns), wide_float(kind))
    return as_dtype(tall if n >= columns else as_value(moveaxis(tall, -1, -2)), kind)


def _multiply_reflections(source: KeySource, batch: tuple[Size, ...], rows: int, columns: int, dtype: DType) -> Value:
    """The first columns of a product of reflections by normal vectors, one in each dimension, with random signs (Stewart, 1980)."""
    normals = source.normal((columns, *batch, rows), dtype)
    places = _places(source.key, rows)
    identity = as_dtype(places.reshape((rows, 1)) == _places(source.key, columns).reshape((1, columns)), dtype)
    start = broadcast_to(identity, (*batch, rows, columns))

    def step(matrix: Value, row: tuple[Value, Value]) -> tuple[Value, Value]:
        x, index = row
        x = emit("where", places >= index, x, 0.0)
        at = places == index
        pivot = emit("reduce_sum", emit("where", at, x, 0.0), axes=(len(batch),), keep_dim=True)
        sign = emit("where", pivot < 0.0, -1.0, as_dtype(pivot * 0.0, dtype) + 1.0)
        length = emit("sqrt", emit("reduce_sum", x * x, axes=(len(batch),), keep_dim=True))
        v = x + emit("where", at, sign * length, 0.0)
        scale = 2.0 / emit("reduce_sum", v * v, axes=(len(batch),), keep_dim=True)
        reflected = matrix - (scale * v).reshape((*batch, rows, 1)) * einsum("...i,...ij->...j", v, matrix).reshape(
            (*batch, 1, columns)
        )
        return reflected, -sign

    matrix, signs = scan(step, start, (normals, _places(source.key, columns)), reverse=True)
    return matrix * moveaxis(signs, 0, -1)


@array_function
def multivariate_normal(
    key: ArrayLike,
    mean: ArrayLike,
    cov: ArrayLike,
    shape: ShapeLike | None = None,
    dtype: DTypeLike | None = None,
    method: str = "cholesky",
) -> Value:
    """Normal vectors with a mean [..., n] and a covariance [..., n, n]; `shape` is that of the axes before n.

    >>> import rlx
    >>> rlx.random.multivariate_normal(rlx.random.key(0), [0.0, 1.0], [[2.0, 1.0], [1.0, 2.0]], (5,)).shape
    (5, 2)
    """
    if method != "cholesky":
        raise RlxError("RLX109", f"multivariate_normal by {method!r}", fix="method='cholesky'")
    kind = float_dtype(dtype, "multivariate_normal", mean, cov)
    source = KeySource(key, "multivariate_normal", mean, cov)
    middle, spread = (in_dtype(x, wide_float(kind), source.key) for x in (mean, cov))
    if middle.rank < 1 or spread.rank < 2 or spread.shape[-2:] != (middle.shape[-1],) * 2:
        message = f"multivariate_normal of mean {middle.type} and cov {spread.type}"
        raise RlxError("RLX102", message, fix="mean [..., n] and cov [..., n, n]")
    size = middle.shape[-1]
    batch = full_shape("multivariate_normal", shape, middle[..., 0], spread[..., 0, 0])
    z = source.normal((*batch, size), middle.dtype)
    return as_dtype(middle + einsum("...ij,...j->...i", emit("cholesky", spread), z), kind)


# -- the gamma distribution, by rejection, and those made of it ------------------------------------------------------


# -- how a gamma number moves with its shape, the probability below it fixed (implicit differentiation; Figurnov et al., 2018)
#
# With P(a, x) the share below x,  dx/da = -(dP/da) / (dP/dx).  From the series P = x^a e^-x Σ x^k / Γ(a + k + 1):
#
# d(log x)/da = Σ_k  x^k / (a (a + 1) … (a + k)) · (ψ(a) + 1/a + … + 1/(a + k) - log x)
#
# computed in f64, its terms by a loop that ends when they no longer count. Beyond a = 200 the series is long; there the cube of a
# normal number (Wilson and Hilferty, 1931) gives the derivative to some 1e-4 of its size.


_SERIES_UP_TO = 200.0
_MOST_TERMS = 2000


@custom_jvp
def with_derivative(a: Value, log_x: Value) -> Value:
    """Attaches the derivative to the logarithm of a gamma number, as a function of its shape parameter."""
    return log_x * 1.0


@with_derivative.defjvp
def _rule(primals: tuple[Value, Value], tangents: tuple[Any, Any]) -> tuple[Value, Any]:
    a, log_x = primals
    return with_derivative(a, log_x), as_dtype(log_slope(as_dtype(a, f64), as_dtype(log_x, f64)), a.dtype) * tangents[0]


def log_slope(a: Value, log_x: Value) -> Value:
    """d(log x)/da with the probability below x fixed, in f64."""
    few = a < _SERIES_UP_TO
    near = _series(emit("where", few, a, 1.0), emit("where", few, log_x, 0.0))
    return emit("where", few, near, _wilson_hilferty(emit("where", few, _SERIES_UP_TO, a), log_x))


def _series(a: Value, log_x: Value) -> Value:
    x = emit("exp", log_x)

    def is_unfinished(carry: tuple[Value, ...]) -> Value:
        k, term, factor, total = carry
        counts = emit("abs", term * factor) > 1e-13 * emit("abs", total)
        counts = counts | (a + k < x)  # terms grow until then
        axes = tuple(range(counts.rank))
        return emit("reduce_any", counts, axes=axes, keep_dim=False) if axes else counts

    def body(carry: tuple[Value, ...]) -> tuple[Value, ...]:
        k, term, factor, total = carry
        k = k + 1.0
        term, factor = term * x / (a + k), factor + 1.0 / (a + k)
        return k, term, factor, total + term * factor

    term, factor = 1.0 / a, emit("digamma", a) + 1.0 / a - log_x
    start = constant(a.graph, 0.0, f64), term, factor, term * factor
    return while_loop(is_unfinished, body, start, max_iterations=_MOST_TERMS)[3]


def _wilson_hilferty(a: Value, log_x: Value) -> Value:
    """x = a (1 - 1/(9 a) + z / (3 sqrt(a)))³ for a fixed z."""
    root = emit("exp", (log_x - emit("log", a)) / 3.0)
    shift = 1.0 / (9.0 * a)
    inner = shift / a - 0.5 * (root - 1.0 + shift) / a
    return 1.0 / a + 3.0 * inner / root


def _log_gamma_numbers(source: KeySource, a: Value) -> Value:
    """Draws logarithms of gamma numbers with shapes a, in a's dtype, with their derivative by a."""
    return with_derivative(a, emit("stop_gradient", _rejection(source, emit("stop_gradient", a))))


def _rejection(source: KeySource, a: Value) -> Value:
    """Draws log gamma numbers (Marsaglia and Tsang, 2000): accepts d · (1 + c z)³ of normal z; for a below 1, a + 1 times u^(1 / a).

    Each round draws for all elements, with the round as counter, and those that are not yet accepted take it: an element's number
    does not depend on the others. What no shape can be (0, negative, infinite, NaN) is NaN.
    """
    dtype, valid = a.dtype, (a > 0) & (a < float("inf"))
    small = a < 1
    raised = emit("where", valid, emit("where", small, a + 1.0, a), 1.0)
    d = raised - 1.0 / 3.0
    c = emit("rsqrt", 9.0 * d)
    normals, uniforms = source.take_stream(), source.take_stream()

    def body(carry: tuple[Value, Value, Value]) -> tuple[Value, Value, Value]:
        number, waiting, kept = carry
        z = source.normal(a.shape, dtype, stream=normals, counter=number)
        u = source.inside(a.shape, dtype, stream=uniforms, counter=number)
        side = 1.0 + c * z
        positive = side > 0
        cube = emit("where", positive, side * side * side, 1.0)
        accepted = positive & (emit("log", u) < 0.5 * z * z + d * (1.0 - cube + emit("log", cube)))
        kept = emit("where", waiting & accepted, cube, kept)
        return number + np.uint64(1), waiting & ~accepted, kept

    def is_unfinished(carry: tuple[Value, Value, Value]) -> Value:
        axes = tuple(range(carry[1].rank))
        return emit("reduce_any", carry[1], axes=axes, keep_dim=False) if axes else carry[1]

    start = constant(a.graph, np.uint64(0)), valid, a * 0.0 + 1.0
    _, _, kept = while_loop(is_unfinished, body, start)
    logs = emit("log", d) + emit("log", kept)
    boost = emit("log", source.inside(a.shape, dtype)) / emit("where", valid, a, 1.0)
    return emit("where", valid, emit("where", small, logs + boost, logs), float("nan"))


def _begin_draw(what: str, key: Any, shape: Any, dtype: DTypeLike | None, *given: Any) -> tuple[KeySource, list[Value], DType]:
    """Begins a draw: the source, the parameters in f32 or f64 with the shape of the result, and the dtype of the result."""
    kind = float_dtype(dtype, what, *given)
    source = KeySource(key, what, *given)
    return source, parameters(what, shape, wide_float(kind), source.key, *given), kind


@array_function
def loggamma(key: ArrayLike, a: ArrayLike, shape: ShapeLike | None = None, dtype: DTypeLike | None = None) -> Value:
    """Logarithms of gamma numbers, which do not underflow where a is small.

    >>> import rlx
    >>> rlx.random.loggamma(rlx.random.key(0), 1e-6) < -1000
    Array(True, dtype=bool)
    """
    source, (a,), kind = _begin_draw("loggamma", key, shape, dtype, a)
    return as_dtype(_log_gamma_numbers(source, a), kind)


@array_function
def gamma(key: ArrayLike, a: ArrayLike, shape: ShapeLike | None = None, dtype: DTypeLike | None = None) -> Value:
    """Gamma with shape a and scale 1. Its derivative by a is that of the number with the same probability below it.

    >>> import rlx
    >>> rlx.random.gamma(rlx.random.key(0), 3.0, (2,)).shape
    (2,)
    """
    source, (a,), kind = _begin_draw("gamma", key, shape, dtype, a)
    return as_dtype(emit("exp", _log_gamma_numbers(source, a)), kind)


@array_function
def beta(key: ArrayLike, a: ArrayLike, b: ArrayLike, shape: ShapeLike | None = None, dtype: DTypeLike | None = None) -> Value:
    """Beta with shapes a and b: x / (x + y) of gamma numbers.

    >>> import rlx
    >>> rlx.random.beta(rlx.random.key(0), 2.0, [1.0, 3.0]).shape
    (2,)
    """
    source, (a, b), kind = _begin_draw("beta", key, shape, dtype, a, b)
    return as_dtype(emit("sigmoid", _log_gamma_numbers(source, a) - _log_gamma_numbers(source, b)), kind)


@array_function
def chisquare(key: ArrayLike, df: ArrayLike, shape: ShapeLike | None = None, dtype: DTypeLike | None = None) -> Value:
    """Chi-square with df degrees of freedom.

    >>> import rlx
    >>> rlx.random.chisquare(rlx.random.key(0), 4.0) > 0
    Array(True, dtype=bool)
    """
    source, (df,), kind = _begin_draw("chisquare", key, shape, dtype, df)
    return as_dtype(2.0 * emit("exp", _log_gamma_numbers(source, 0.5 * df)), kind)


@array_function
def f(key: ArrayLike, dfnum: ArrayLike, dfden: ArrayLike, shape: ShapeLike | None = None, dtype: DTypeLike | None = None) -> Value:
    """F: the ratio of two chi-squares, each over its degrees of freedom.

    >>> import rlx
    >>> rlx.random.f(rlx.random.key(0), 4.0, 6.0) > 0
    Array(True, dtype=bool)
    """
    source, (above, below), kind = _begin_draw("f", key, shape, dtype, dfnum, dfden)
    logs = _log_gamma_numbers(source, 0.5 * above) - _log_gamma_numbers(source, 0.5 * below)
    return as_dtype(emit("exp", logs) * below / above, kind)


@array_function
def t(key: ArrayLike, df: ArrayLike, shape: ShapeLike | None = None, dtype: DTypeLike | None = None) -> Value:
    """Student's t with df degrees of freedom.

    >>> import rlx
    >>> rlx.random.t(rlx.random.key(0), 5.0, (3,)).shape
    (3,)
    """
    source, (df,), kind = _begin_draw("t", key, shape, dtype, df)
    half = 0.5 * df
    z = source.normal(df.shape, df.dtype)
    return as_dtype(z * emit("sqrt", half) * emit("exp", -0.5 * _log_gamma_numbers(source, half)), kind)


@array_function
def dirichlet(key: ArrayLike, alpha: ArrayLike, shape: ShapeLike | None = None, dtype: DTypeLike | None = None) -> Value:
    """Dirichlet: shares along the last axis of alpha that sum to 1; `shape` is that of the axes before it.

    >>> import rlx
    >>> rlx.random.dirichlet(rlx.random.key(0), [1.0, 2.0, 3.0], (5,)).shape
    (5, 3)
    """
    kind = float_dtype(dtype, "dirichlet", alpha)
    source = KeySource(key, "dirichlet", alpha)
    weights = in_dtype(alpha, wide_float(kind), source.key)
    if not weights.rank:
        raise RlxError("RLX102", "dirichlet of a single number", fix="alpha with at least one axis")
    batch = full_shape("dirichlet", shape, weights[..., 0])
    logs = _log_gamma_numbers(source, as_value(broadcast_to(weights, (*batch, weights.shape[-1]))))
    return as_dtype(emit("softmax", logs, axis=len(batch)), kind)


@array_function
def generalized_normal(key: ArrayLike, p: float, shape: ShapeLike = (), dtype: DTypeLike | None = None) -> Value:
    """A density proportional to exp(-|x|^p).

    >>> import rlx
    >>> rlx.random.generalized_normal(rlx.random.key(0), 1.0, (2,)).shape
    (2,)
    """
    kind = float_dtype(dtype, "generalized_normal")
    return as_dtype(_draw_generalized(KeySource(key, "generalized_normal"), p, sizes_of(shape), wide_float(kind)), kind)


def _draw_generalized(source: KeySource, p: float, sizes: tuple[Any, ...], dtype: DType) -> Value:
    if not p > 0:
        raise RlxError("RLX109", f"p is {p}", fix="above 0")
    (shapes,) = parameters("generalized_normal", sizes, dtype, source.key, 1 / p)
    size = emit("exp", _rejection(source, shapes) / p)
    return emit("where", as_dtype(source.words(sizes) >> np.uint32(31), dtype) > 0, size, -size)


@array_function
def ball(key: ArrayLike, d: int, p: float = 2, shape: ShapeLike = (), dtype: DTypeLike | None = None) -> Value:
    """Points in d dimensions, uniform where the p-norm is below 1.

    >>> import rlx
    >>> rlx.random.ball(rlx.random.key(0), 3, shape=(5,)).shape
    (5, 3)
    """
    kind = float_dtype(dtype, "ball")
    source, sizes, wide = KeySource(key, "ball"), sizes_of(shape), wide_float(kind)
    x = source.normal((*sizes, d), wide) * np.sqrt(0.5).item() if p == 2 else _draw_generalized(source, p, (*sizes, d), wide)
    powers = x * x if p == 2 else emit("pow", emit("abs", x), float(p))
    total = emit("reduce_sum", powers, axes=(len(sizes),), keep_dim=True) - emit("log1p", -source.uniform((*sizes, 1), wide))
    return as_dtype(x * emit("pow", total, -1.0 / p), kind)
