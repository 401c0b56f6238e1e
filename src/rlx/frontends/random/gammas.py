"""The gamma distribution, by rejection, and those made of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.core.dtype import DType, DTypeLike, f64
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.movement import broadcast_to
from rlx.frontends.numpy.values import emit, sizes_of
from rlx.frontends.random.continuous import ShapeLike
from rlx.frontends.random.source import KeySource, float_dtype, full_shape, in_dtype, parameters, wide_float
from rlx.functions.control_flow import while_loop
from rlx.functions.derivatives import custom_jvp
from rlx.ir.emit import constant
from rlx.ir.value import Value, as_dtype

__all__ = ["ball", "beta", "chisquare", "dirichlet", "f", "gamma", "generalized_normal", "loggamma", "t"]


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
    """The logarithm of a gamma number, as a function of its shape."""
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

    def unfinished(carry: tuple[Value, ...]) -> Value:
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
    return while_loop(unfinished, body, start, max_iterations=_MOST_TERMS)[3]


def _wilson_hilferty(a: Value, log_x: Value) -> Value:
    """x = a (1 - 1/(9 a) + z / (3 sqrt(a)))³ for a fixed z."""
    root = emit("exp", (log_x - emit("log", a)) / 3.0)
    shift = 1.0 / (9.0 * a)
    inner = shift / a - 0.5 * (root - 1.0 + shift) / a
    return 1.0 / a + 3.0 * inner / root


def _log_gamma_numbers(source: KeySource, a: Value) -> Value:
    """Logarithms of gamma numbers with shapes a, in a's dtype, with their derivative by a."""
    return with_derivative(a, emit("stop_gradient", _rejection(source, emit("stop_gradient", a))))


def _rejection(source: KeySource, a: Value) -> Value:
    """Marsaglia and Tsang (2000): d · (1 + c z)³ of normal z, accepted with high probability; below 1, of a + 1 times u^(1 / a).

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

    def unfinished(carry: tuple[Value, Value, Value]) -> Value:
        axes = tuple(range(carry[1].rank))
        return emit("reduce_any", carry[1], axes=axes, keep_dim=False) if axes else carry[1]

    start = constant(a.graph, np.uint64(0)), valid, a * 0.0 + 1.0
    _, _, kept = while_loop(unfinished, body, start)
    found = emit("log", d) + emit("log", kept)
    boost = emit("log", source.inside(a.shape, dtype)) / emit("where", valid, a, 1.0)
    return emit("where", valid, emit("where", small, found + boost, found), float("nan"))


def _prepared(what: str, key: Any, shape: Any, dtype: DTypeLike | None, *given: Any) -> tuple[KeySource, list[Value], DType]:
    """The source, the parameters in f32 or f64 with the shape of the result, and the dtype of the result."""
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
    source, (a,), kind = _prepared("loggamma", key, shape, dtype, a)
    return as_dtype(_log_gamma_numbers(source, a), kind)


@array_function
def gamma(key: ArrayLike, a: ArrayLike, shape: ShapeLike | None = None, dtype: DTypeLike | None = None) -> Value:
    """Gamma with shape a and scale 1. Its derivative by a is that of the number with the same probability below it.

    >>> import rlx
    >>> rlx.random.gamma(rlx.random.key(0), 3.0, (2,)).shape
    (2,)
    """
    source, (a,), kind = _prepared("gamma", key, shape, dtype, a)
    return as_dtype(emit("exp", _log_gamma_numbers(source, a)), kind)


@array_function
def beta(key: ArrayLike, a: ArrayLike, b: ArrayLike, shape: ShapeLike | None = None, dtype: DTypeLike | None = None) -> Value:
    """Beta with shapes a and b: x / (x + y) of gamma numbers.

    >>> import rlx
    >>> rlx.random.beta(rlx.random.key(0), 2.0, [1.0, 3.0]).shape
    (2,)
    """
    source, (a, b), kind = _prepared("beta", key, shape, dtype, a, b)
    return as_dtype(emit("sigmoid", _log_gamma_numbers(source, a) - _log_gamma_numbers(source, b)), kind)


@array_function
def chisquare(key: ArrayLike, df: ArrayLike, shape: ShapeLike | None = None, dtype: DTypeLike | None = None) -> Value:
    """Chi-square with df degrees of freedom.

    >>> import rlx
    >>> rlx.random.chisquare(rlx.random.key(0), 4.0) > 0
    Array(True, dtype=bool)
    """
    source, (df,), kind = _prepared("chisquare", key, shape, dtype, df)
    return as_dtype(2.0 * emit("exp", _log_gamma_numbers(source, 0.5 * df)), kind)


@array_function
def f(key: ArrayLike, dfnum: ArrayLike, dfden: ArrayLike, shape: ShapeLike | None = None, dtype: DTypeLike | None = None) -> Value:
    """F: the ratio of two chi-squares, each over its degrees of freedom.

    >>> import rlx
    >>> rlx.random.f(rlx.random.key(0), 4.0, 6.0) > 0
    Array(True, dtype=bool)
    """
    source, (above, below), kind = _prepared("f", key, shape, dtype, dfnum, dfden)
    logs = _log_gamma_numbers(source, 0.5 * above) - _log_gamma_numbers(source, 0.5 * below)
    return as_dtype(emit("exp", logs) * below / above, kind)


@array_function
def t(key: ArrayLike, df: ArrayLike, shape: ShapeLike | None = None, dtype: DTypeLike | None = None) -> Value:
    """Student's t with df degrees of freedom.

    >>> import rlx
    >>> rlx.random.t(rlx.random.key(0), 5.0, (3,)).shape
    (3,)
    """
    source, (df,), kind = _prepared("t", key, shape, dtype, df)
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
    return as_dtype(_generalized(KeySource(key, "generalized_normal"), p, sizes_of(shape), wide_float(kind)), kind)


def _generalized(source: KeySource, p: float, sizes: tuple[Any, ...], dtype: DType) -> Value:
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
    x = source.normal((*sizes, d), wide) * np.sqrt(0.5).item() if p == 2 else _generalized(source, p, (*sizes, d), wide)
    powers = x * x if p == 2 else emit("pow", emit("abs", x), float(p))
    total = emit("reduce_sum", powers, axes=(len(sizes),), keep_dim=True) - emit("log1p", -source.uniform((*sizes, 1), wide))
    return as_dtype(x * emit("pow", total, -1.0 / p), kind)
