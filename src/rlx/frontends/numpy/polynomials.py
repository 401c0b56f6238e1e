"""Polynomials by their coefficients, the highest power first."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.core.dtype import f32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_array, as_value, emit, floating, full_value, promote_values
from rlx.frontends.numpy.contraction import diag, matmul
from rlx.frontends.numpy.dtypes import finfo
from rlx.frontends.numpy.histograms import convolve
from rlx.frontends.numpy.insertion import concat, stack, trim_zeros
from rlx.ir.array_methods import Array
from rlx.ir.value import Value, as_dtype
from rlx.runtime.array import ConcreteArray

__all__ = ["poly", "polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polysub", "polyval", "roots", "vander"]


def _coefficients(*given: Any) -> list[Value]:
    """Converts coefficients to Values of one axis and one dtype."""
    values = [value.reshape(1) if value.rank == 0 else value for value in promote_values(*given)]
    for value in values:
        if value.rank != 1 or not isinstance(value.shape[0], int):
            raise RlxError("RLX102", f"coefficients {value.type}", fix="one axis of a static size")
    return values


@array_function
def polyval(p: ArrayLike, x: ArrayLike, *, unroll: int = 16) -> Value:
    """The polynomial at x."""
    coefficients, at = promote_values(p, x)
    (coefficients,) = _coefficients(coefficients)
    total = full_value(at, at.shape, 0, at.dtype)
    for i in range(int(coefficients.shape[0])):
        total = total * at + coefficients[i]
    return total


@array_function
def polyadd(a1: ArrayLike, a2: ArrayLike) -> Value:
    """The sum of two polynomials."""
    return emit("add", *_same_length(*_coefficients(a1, a2)))


@array_function
def polysub(a1: ArrayLike, a2: ArrayLike) -> Value:
    """The difference of two polynomials."""
    return emit("sub", *_same_length(*_coefficients(a1, a2)))


def _same_length(x: Value, y: Value) -> list[Value]:

    length = max(int(x.shape[0]), int(y.shape[0]))
    return [emit("pad", each, low=(length - int(each.shape[0]),), high=(0,)) for each in (x, y)]


def _trim(x: ArrayLike, trim: bool) -> Any:
    """Trims leading zeros of coefficients, which must be known numbers."""
    return trim_zeros(x, "f") if trim else x


def polymul(a1: ArrayLike, a2: ArrayLike, *, trim_leading_zeros: bool = False) -> Array:
    """The product of two polynomials."""
    return _multiply(_trim(a1, trim_leading_zeros), _trim(a2, trim_leading_zeros))


@array_function
def _multiply(a1: ArrayLike, a2: ArrayLike) -> Array:

    x, y = _coefficients(a1, a2)
    one = full_value(x, (1,), 0, x.dtype)
    return convolve(x if x.shape[0] else one, y if y.shape[0] else one)


def polydiv(u: ArrayLike, v: ArrayLike, *, trim_leading_zeros: bool = False) -> tuple[Array, Array]:
    """(quotient, remainder) of two polynomials; v starts with a coefficient that is not zero."""
    quotient, rest = _divide(u, v)
    return quotient, _trim(rest, trim_leading_zeros)


@array_function
def _divide(u: ArrayLike, v: ArrayLike) -> tuple[Value, Value]:

    x, y = _coefficients(*promote_values(u, v, least=f32))
    steps = int(x.shape[0]) - int(y.shape[0]) + 1
    if steps <= 0:
        return full_value(x, (1,), 0, x.dtype), x
    width, parts = int(y.shape[0]), []
    for i in range(steps):
        part = x[i] / y[0]
        parts.append(part)
        x = as_value(concat([x[:i], x[i : i + width] - part * y, x[i + width :]], 0))
    return as_value(stack(parts)), x


@array_function
def polyder(p: ArrayLike, m: int = 1) -> Value:
    """The mth derivative of a polynomial."""
    (value,) = _coefficients(as_value(p))
    if m < 0:
        raise RlxError("RLX105", f"polyder with m={m}", fix="0 or more")
    for _ in range(m):
        count = int(value.shape[0])
        powers = as_dtype(as_value(np.arange(count - 1, 0, -1, dtype=np.int32), value), value.dtype)
        value = value[:-1] * powers
    return value


@array_function
def polyint(p: ArrayLike, m: int = 1, k: ArrayLike | None = None) -> Value:
    """The mth integral of a polynomial with constants k, one for all or one each."""
    (value,) = _coefficients(floating(p))
    constants = full_value(value, (1,), 0, value.dtype) if k is None else floating(as_value(k, value))
    constants = constants.reshape(1) if constants.rank == 0 else constants
    if m < 0 or constants.shape[0] not in (1, m):
        raise RlxError("RLX105", f"polyint with m={m} and {constants.type} constants", fix="one, or m of them")
    for i in range(m):
        count = int(value.shape[0])
        powers = as_dtype(as_value(np.arange(count, 0, -1, dtype=np.int32), value), value.dtype)
        own = constants[i : i + 1] if constants.shape[0] == m else constants
        value = as_value(concat([value / powers, as_dtype(own, value.dtype)], 0))
    return value


@array_function
def vander(x: ArrayLike, N: int | None = None, increasing: bool = False) -> Array:
    """The powers of each element as rows, falling by default."""
    value = as_value(x)
    if value.rank != 1:
        raise RlxError("RLX102", f"vander of {value.type}", fix="one axis")
    count = value.shape[0] if N is None else N
    if not isinstance(count, int):
        raise RlxError("RLX202", "vander of a symbolic size", fix="N=, how many powers")
    powers = [full_value(value, value.shape, 1, value.dtype)]
    for _ in range(count - 1):
        powers.append(powers[-1] * value)
    if count == 0:
        return full_value(value, (value.shape[0], 0), 0, value.dtype)
    return stack(powers if increasing else powers[::-1], axis=1)


# -- through matrices -----------------------------------------------------------------------------------------------
@array_function
def poly(seq_of_zeros: ArrayLike) -> Value:
    """The coefficients of the polynomial with these zeros, or, complex, the characteristic polynomial of a square matrix."""
    value = floating(seq_of_zeros)
    if value.rank == 2:
        return _from_zeros(emit("eig", value)[0])
    return _from_zeros(value.reshape(1) if value.rank == 0 else value)


def _from_zeros(zeros: Value) -> Value:

    polynomial = full_value(zeros, (1,), 1, zeros.dtype)
    for i in range(int(zeros.shape[0])):
        none = full_value(zeros, (1,), 0, zeros.dtype)
        polynomial = as_value(concat([polynomial, none], 0)) - concat([none, polynomial * zeros[i]], 0)
    return polynomial


def roots(p: ArrayLike, *, strip_zeros: bool = True) -> Array:
    """The zeros of a polynomial, complex: the eigenvalues of its companion matrix. Traced, with strip_zeros=False."""
    if not strip_zeros:
        return _roots(p, behind=0)
    if isinstance(p, Value):
        fix = "strip_zeros=False, with a first and a last coefficient that are not zero"
        raise RlxError("RLX202", "how many coefficients are zero is known only in a run", fix=fix)
    kept = np.trim_zeros(np.asarray(as_array(p)), "f")
    inner = np.trim_zeros(kept, "b")
    if inner.size < 2:
        return ConcreteArray(np.zeros(kept.size - inner.size if inner.size else 0, np.complex64))
    return _roots(ConcreteArray(inner), behind=kept.size - inner.size)


@array_function
def _roots(p: ArrayLike, behind: int) -> Array:

    (value,) = _coefficients(floating(p))
    size = int(value.shape[0]) - 1
    first = -value[1:] / value[0]
    below = diag(full_value(value, (size - 1,), 1, value.dtype), -1) if size > 1 else None
    matrix = first.reshape((1, size)) if below is None else concat([first.reshape((1, size)), below[1:]], 0)
    eigenvalues = emit("eig", matrix)[0]
    return concat([eigenvalues, full_value(eigenvalues, (behind,), 0, eigenvalues.dtype)], 0) if behind else eigenvalues


@array_function
def polyfit(
    x: ArrayLike,
    y: ArrayLike,
    deg: int,
    rcond: float | None = None,
    full: bool = False,
    w: ArrayLike | None = None,
    cov: bool | str = False,
) -> Array | Any:
    """The coefficients of the polynomial nearest to points, by least squares; y may have several columns.

    With `full` also residuals, rank, singular values and rcond; with `cov` the covariance of the coefficients.
    """
    places, heights = promote_values(x, y, least=f32)
    powers = vander(places, deg + 1)
    if w is not None:
        weight = as_dtype(floating(as_value(w, places)), places.dtype)
        powers = powers * weight.reshape((-1, 1))
        heights = heights * (weight.reshape((-1, 1)) if heights.rank == 2 else weight)
    scale = emit("sqrt", emit("reduce_sum", powers * powers, axes=(0,), keep_dim=False))
    limit = rcond if rcond is not None else finfo(places.dtype).eps * int(places.shape[0])
    solved, residuals, rank, singular = emit("lstsq", powers / scale, heights, rcond=limit)
    coefficients = solved / (scale.reshape((-1, 1)) if heights.rank == 2 else scale)
    if full:
        return coefficients, residuals, rank, singular, limit
    if not cov:
        return coefficients
    inverse = emit("pinv", matmul(powers.T, powers))
    if cov != "unscaled":
        count = int(places.shape[0]) - (deg + 1)
        inverse = inverse * (residuals / count if heights.rank == 2 else residuals.reshape(()) / count)
    return coefficients, inverse
