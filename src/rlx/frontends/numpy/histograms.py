"""How often numbers fall into bins."""

from __future__ import annotations

import builtins
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dtype import f32, i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import (
    ArrayLike,
    array_function,
    as_array,
    as_value,
    axes_of,
    count_along,
    emit,
    floating,
    full_value,
    promote_values,
    size_of,
)
from rlx.frontends.numpy.contraction import matmul
from rlx.frontends.numpy.creation import linspace
from rlx.frontends.numpy.dtypes import isdtype, result_type
from rlx.frontends.numpy.insertion import concat
from rlx.frontends.numpy.movement import moveaxis
from rlx.frontends.numpy.ordering import positions
from rlx.frontends.numpy.reductions import sum as total
from rlx.ir.array_methods import Array
from rlx.ir.emit import size_scalar
from rlx.ir.questions import known_int
from rlx.ir.value import Value, as_dtype

__all__ = [
    "bincount", "convolve", "corrcoef", "correlate", "cov", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd",
    "median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile",
]  # fmt: skip


def bincount(x: ArrayLike, weights: ArrayLike | None = None, minlength: int = 0, *, length: int | None = None) -> Array:
    """How often each of 0, 1, … occurs, or the sums of their weights. Traced, `length` says how many are counted.

    Negative numbers count as 0; those from `length` on are left out.
    """
    if length is None:
        largest = known_int(x.max()) if isinstance(x, Value) else None
        if isinstance(x, Value) and largest is None:
            fix = "bincount(x, length=n): counts of 0 to n - 1"
            raise RlxError("RLX202", "the largest number in x is known only in a run", fix=fix)
        known = np.asarray(as_array(x)) if largest is None else np.asarray(largest)
        length = max(minlength, int(known.max()) + 1 if known.size else 0)
    return _bincount(x, weights, length=length)


@array_function
def _bincount(x: ArrayLike, weights: ArrayLike | None, length: int) -> Value:

    like = x if isinstance(x, Value) else weights
    value = as_value(x, like)
    if not value.dtype.is_integer:
        raise RlxError("RLX103", f"bincount of {value.dtype}", fix="integers")
    flat = value.reshape(size_of(value.shape))
    terms = emit("eq", flat, flat).astype("i32") if weights is None else as_value(weights, flat)
    if terms.dtype.is_bool:
        terms = terms.astype("i32")
    places = emit("max", as_dtype(flat, i32), 0)
    return emit("scatter_add", terms, places, out_dim=length, mode="fill")


# -- edges ----------------------------------------------------------------------------------------------------------
Range = Sequence[float] | None


def histogram_bin_edges(a: ArrayLike, bins: Any = 10, range: Range = None, weights: ArrayLike | None = None) -> Array:
    """The edges of bins: so many of equal width over the range of a, or those that are given."""
    if isinstance(bins, str):
        raise RlxError("RLX109", f"bins={bins!r}", fix="a number of bins, or their edges")
    if not isinstance(bins, (int, np.integer)):
        return bins if isinstance(bins, Value) else as_array(bins)
    return _even_edges(a, range_=None if range is None else tuple(map(float, range)), bins=int(bins))


@array_function
def _even_edges(a: ArrayLike, range_: tuple[float, ...] | None, bins: int) -> Value:

    value = floating(a)
    flat = value.reshape(size_of(value.shape))
    if range_ is not None or flat.shape[0] == 0:
        low, high = (0.0, 1.0) if range_ is None else range_
        low, high = (low - 0.5, high + 0.5) if low == high else (low, high)
        return as_value(linspace(low, high, bins + 1, dtype=value.dtype), value)
    low = emit("reduce_min", flat, axes=(0,), keep_dim=False)
    high = emit("reduce_max", flat, axes=(0,), keep_dim=False)
    same = low == high
    low, high = emit("where", same, low - 0.5, low), emit("where", same, high + 0.5, high)
    return linspace(low, high, bins + 1)  # type: ignore[return-value]


def _bin_of(x: Value, edges: Value) -> Value:
    """The histogram bin of each element of x; the number of bins for what is in none. The last bin includes its end."""
    line, queries = promote_values(edges, x)
    count = int(line.shape[0]) - 1
    index = positions(line, queries, "right") - 1
    index = emit("where", queries == line[-1], count - 1, index)
    return emit("where", (queries >= line[0]) & (queries <= line[-1]), index, count)


# -- counts ---------------------------------------------------------------------------------------------------------
def histogram(
    a: ArrayLike, bins: Any = 10, range: Range = None, weights: ArrayLike | None = None, density: bool | None = None
) -> tuple[Array, Array]:
    """How many elements are in each bin, or the sums of their weights; and the edges of the bins.

    Both have the dtype that the elements and weights have together, f32 for integers.
    """
    arrays = [each if isinstance(each, Value) else as_array(each) for each in (a, weights) if each is not None]
    common = result_type(*arrays)
    kind = common if isdtype(common, ("real floating", "complex floating")) else f32
    elements = arrays[0].astype(kind)
    edges = histogram_bin_edges(elements, bins, range, weights)
    counts = _counts([elements], [edges], weights, density=bool(density))
    return counts.astype(kind), edges


def histogram2d(
    x: ArrayLike,
    y: ArrayLike,
    bins: Any = 10,
    range: Sequence[Range] | None = None,
    weights: ArrayLike | None = None,
    density: bool | None = None,
) -> tuple[Array, Array, Array]:
    """How many pairs are in each bin of a plane, and the edges of both axes."""
    both = bins if isinstance(bins, (list, tuple)) and len(bins) == 2 else [bins, bins]
    edges = [
        histogram_bin_edges(each, own, limits)
        for each, own, limits in zip((x, y), both, (None, None) if range is None else range, strict=True)
    ]
    return _counts([x, y], edges, weights, density=bool(density)), edges[0], edges[1]


def histogramdd(
    sample: ArrayLike,
    bins: Any = 10,
    range: Sequence[Range] | None = None,
    weights: ArrayLike | None = None,
    density: bool | None = None,
) -> tuple[Array, list[Array]]:
    """How many of the points `[n, d]` are in each bin of a space, and the edges of all axes."""
    points = sample if isinstance(sample, Value) else as_array(sample)
    if len(points.shape) != 2:
        raise RlxError("RLX102", f"histogramdd of points of shape {points.shape}", fix="[points, coordinates]")
    count = int(points.shape[1])
    own = list(bins) if isinstance(bins, (list, tuple)) else [bins] * count
    limits = [None] * count if range is None else list(range)
    columns = [points[:, i] for i in builtins.range(count)]
    edges = [histogram_bin_edges(*each) for each in zip(columns, own, limits, strict=True)]
    return _counts(columns, edges, weights, density=bool(density)), edges


@array_function
def _counts(xs: Sequence[ArrayLike], edges: Sequence[ArrayLike], weights: ArrayLike | None, density: bool) -> Value:

    like = next(each for each in (*xs, *edges) if isinstance(each, Value))
    lines = [as_value(each, like) for each in edges]
    values = [as_value(each, like) for each in xs]
    values = [value.reshape(size_of(value.shape)) for value in values]
    sizes = [int(line.shape[0]) - 1 for line in lines]
    index: Value | None = None
    outside: Value | None = None
    for value, line, size in zip(values, lines, sizes, strict=True):
        here = _bin_of(value, line)
        out = here == size
        index = here if index is None else index * size + here
        outside = out if outside is None else outside | out
    assert index is not None
    total = int(np.prod(sizes))
    if weights is None:
        terms = emit("eq", index, index).astype("i32")
    else:
        terms = floating(as_value(weights, index))
        terms = terms.reshape(size_of(terms.shape))
    flat = emit("scatter_add", terms, emit("where", outside, total, index), out_dim=total, mode="fill")
    counts = flat.reshape(tuple(sizes))
    return _per_volume(counts.astype("f32") if weights is None else counts, lines) if density else counts


def _per_volume(counts: Value, edges: Sequence[Value]) -> Value:
    """Normalizes counts to a density: divided by their sum and the size of each bin."""
    density = counts / emit("reduce_sum", counts, axes=tuple(range(counts.rank)), keep_dim=False)
    for axis, line in enumerate(edges):
        widths = as_dtype(line[1:] - line[:-1], density.dtype)
        density = density / widths.reshape(tuple(-1 if i == axis else 1 for i in range(counts.rank)))
    return density


# -- medians and quantiles: elements of the sorted axis, and what lies between two of them ---------------------------


Axis = int | Sequence[int] | None
_METHODS = ("linear", "lower", "higher", "midpoint", "nearest")


def _quantile(x: Any, q: Any, axis: Axis, method: str, keepdims: bool, without_nan: bool, what: str) -> Array:
    """Quantiles over several axes as one; the axes of q come first in the result."""
    if method not in _METHODS:
        raise RlxError("RLX109", f"{what} with method={method!r}", fix=f"one of {', '.join(_METHODS)}")
    like = x if isinstance(x, Value) else q
    value = floating(as_value(x, like))
    if value.dtype.is_complex:
        raise RlxError("RLX103", f"{what} of {value.dtype}", fix="real numbers")
    wanted = as_dtype(floating(as_value(q, value)), value.dtype)
    axes = axes_of(axis, value.rank, what)
    rows = as_value(_as_last(value, axes))
    flat = wanted.reshape(size_of(wanted.shape))
    quantiles = _of_rows(rows, flat, method, without_nan)
    kept = tuple(1 if i in axes else size for i, size in enumerate(value.shape)) if keepdims else rows.shape[:-1]
    return moveaxis(quantiles, -1, 0).reshape((*wanted.shape, *kept))


def _as_last(x: Value, axes: Sequence[int]) -> Array:
    """Merges axes into one, the last."""
    others = [i for i in range(x.rank) if i not in axes]
    back = moveaxis(x, tuple(others), tuple(range(len(others)))) if others else x
    return back.reshape((*(x.shape[i] for i in others), size_of([x.shape[i] for i in axes])))


def _of_rows(rows: Value, q: Value, method: str, without_nan: bool) -> Value:
    """Quantiles of each row: `[…, n]` and `[k]` give `[…, k]`."""
    dtype, count = rows.dtype, rows.shape[-1]
    shape = (*rows.shape[:-1], q.shape[0])
    if count == 0:
        return full_value(rows, shape, math.nan, dtype)
    ordered = emit("sort", rows, axis=rows.rank - 1, descending=False)  # NaN last
    is_nan = emit("is_nan", rows)
    total = size_scalar(rows, count, i32)
    if without_nan:
        present = emit("reduce_sum", emit("not", is_nan).astype("i32"), axes=(rows.rank - 1,), keep_dim=True)
    else:
        present = total
    last = emit("max", present - 1, 0)
    position = emit("expand", q, shape=shape) * last.astype(dtype)
    missing = (present == 0 if without_nan else emit("reduce_any", is_nan, axes=(rows.rank - 1,), keep_dim=True)) | emit(
        "expand", (q < 0) | (q > 1) | emit("is_nan", q), shape=shape
    )
    return emit("where", missing, math.nan, _between(ordered, position, last, method))


def _between(ordered: Value, position: Value, last: Value, method: str) -> Value:
    """Interpolates at fractional indices, between two sorted elements."""

    def at(place: Value) -> Value:
        index = emit("min", emit("max", place.astype("i32"), 0), last)
        return emit("take_along_axis", ordered, index, axis=ordered.rank - 1)

    still = emit("stop_gradient", position)
    if method == "nearest":
        return at(emit("round", still))
    if method == "lower":
        return at(emit("floor", still))
    if method == "higher":
        return at(emit("ceil", still))
    low, high = at(emit("floor", still)), at(emit("ceil", still))
    if method == "midpoint":
        return low * 0.5 + high * 0.5
    share = position - emit("floor", still)
    return emit("where", share == 0, low, low * (1 - share) + high * share)


@array_function
def quantile(a: ArrayLike, q: ArrayLike, axis: Axis = None, *, method: str = "linear", keepdims: bool = False) -> Array:
    """The number that a share q of the elements along axes does not exceed, between two of them by `method`; NaN if one is."""
    return _quantile(a, q, axis, method, keepdims, False, "quantile")


@array_function
def nanquantile(a: ArrayLike, q: ArrayLike, axis: Axis = None, *, method: str = "linear", keepdims: bool = False) -> Array:
    """`quantile` of what is not NaN."""
    return _quantile(a, q, axis, method, keepdims, True, "nanquantile")


def _share(q: Any, like: Any) -> Value:
    return floating(as_value(q, like if isinstance(like, Value) else None)) / 100


@array_function
def percentile(a: ArrayLike, q: ArrayLike, axis: Axis = None, *, method: str = "linear", keepdims: bool = False) -> Array:
    """`quantile` with q in percent."""
    return _quantile(a, _share(q, a), axis, method, keepdims, False, "percentile")


@array_function
def nanpercentile(a: ArrayLike, q: ArrayLike, axis: Axis = None, *, method: str = "linear", keepdims: bool = False) -> Array:
    """`percentile` of what is not NaN."""
    return _quantile(a, _share(q, a), axis, method, keepdims, True, "nanpercentile")


@array_function
def median(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Array:
    """The middle of the sorted elements along axes, or the mean of the two in the middle."""
    return _quantile(a, 0.5, axis, "linear", keepdims, False, "median")


@array_function
def nanmedian(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Array:
    """`median` of what is not NaN."""
    return _quantile(a, 0.5, axis, "linear", keepdims, True, "nanmedian")


# -- covariance, correlation and convolution -------------------------------------------------------------------------


def _conjugate(x: Value) -> Value:

    return emit("conjugate", x) if x.dtype.is_complex else x


def _variables_as_rows(m: Any, y: Any, rowvar: bool) -> Array:
    """Arranges variables as rows, observations as columns."""
    values = promote_values(*(each for each in (m, y) if each is not None), least=f32)
    rows = []
    for value in values:
        if value.rank > 2:
            raise RlxError("RLX102", f"the covariance of {value.type}", fix="one or two axes")
        row = value.reshape((1, value.shape[0] if value.rank else 1)) if value.rank < 2 else value
        rows.append(row if rowvar or row.shape[0] == 1 or value.rank < 2 else row.T)
    return concat(rows, 0) if len(rows) > 1 else rows[0]


@array_function
def cov(
    m: ArrayLike,
    y: ArrayLike | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: ArrayLike | None = None,
    aweights: ArrayLike | None = None,
) -> Array:
    """The covariance of variables, rows (or columns) of observations; weights count observations or say what each is worth."""
    rows = as_value(_variables_as_rows(m, y, rowvar))
    less = (0 if bias else 1) if ddof is None else ddof
    weights = None if fweights is None else floating(as_value(fweights, rows))
    factor = count_along(rows, (1,), f32) if weights is None else total(weights)
    worth = None if aweights is None else floating(as_value(aweights, rows))
    if worth is not None:
        weights = worth if weights is None else weights * worth
    if weights is None:
        mean = total(rows, 1, keepdims=True) / factor.astype(rows.dtype)
        share = factor - less
    else:
        whole = total(weights)
        mean = total(rows * weights.astype(rows.dtype), 1, keepdims=True) / whole.astype(rows.dtype)
        share = whole - less if worth is None else whole - less * total(weights * worth) / whole
    apart = rows - mean
    scaled = apart if weights is None else apart * weights.astype(rows.dtype)
    products = matmul(scaled, _conjugate(as_value(apart)).T) / share.astype(rows.dtype)
    return products.reshape(()) if products.shape == (1, 1) else products


@array_function
def corrcoef(x: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True) -> Array:
    """The correlation of variables, -1 to 1: their covariance over both standard deviations."""
    matrix = as_value(cov(x, y, rowvar))
    if matrix.rank == 0:
        return matrix / matrix
    size = matrix.shape[0]
    flat = matrix.reshape(size * size)
    variance = flat[:: size + 1]
    deviation = emit("sqrt", emit("real", variance) if matrix.dtype.is_complex else variance)
    matrix = matrix / deviation.reshape((size, 1)).astype(matrix.dtype) / deviation.reshape((1, size)).astype(matrix.dtype)
    if matrix.dtype.is_complex:
        re, im = (emit("clamp", emit(name, matrix), -1.0, 1.0) for name in ("real", "imag"))
        return emit("complex", re, im)
    return emit("clamp", matrix, -1.0, 1.0)


# -- one axis along another -----------------------------------------------------------------------------------------
def _slid(a: Value, v: Value, mode: str, what: str) -> Value:
    """Sums products of a with v at every shift, v not reversed."""
    if a.rank != 1 or v.rank != 1 or 0 in (a.shape[0], v.shape[0]):
        raise RlxError("RLX102", f"{what} of {a.type} and {v.type}", fix="two arrays of one axis with elements")
    n, size = a.shape[0], v.shape[0]
    pads = {"full": (size - 1, size - 1), "valid": (0, 0), "same": (size // 2, size - size // 2 - 1)}
    if mode not in pads:
        raise RlxError("RLX109", f"{what} with mode={mode!r}", fix="'full', 'same' or 'valid'")
    low, high = pads[mode]
    padded = a if mode == "valid" else emit("pad", a, low=(low,), high=(high,))
    sums = emit("conv", padded.reshape((1, 1, low + n + high)), v.reshape((1, 1, size)))
    return sums.reshape((low + n + high - size + 1,))


@array_function
def convolve(a: ArrayLike, v: ArrayLike, mode: str = "full", *, precision: Any = None) -> Value:
    """The convolution of two arrays of one axis: sums of products where v runs backwards over a."""
    x, y = promote_values(a, v)
    if isinstance(x.shape[0], int) and isinstance(y.shape[0], int) and x.shape[0] < y.shape[0]:
        x, y = y, x
    return _slid(x, emit("flip", y, axes=(0,)), mode, "convolve")


@array_function
def correlate(a: ArrayLike, v: ArrayLike, mode: str = "valid", *, precision: Any = None) -> Value:
    """The correlation of two arrays of one axis: sums of products of a with v, conjugated, at every shift."""
    x, y = promote_values(a, v)
    y = _conjugate(y)
    if isinstance(x.shape[0], int) and isinstance(y.shape[0], int) and x.shape[0] < y.shape[0]:
        return emit("flip", _slid(y, x, mode, "correlate"), axes=(0,))
    return _slid(x, y, mode, "correlate")
