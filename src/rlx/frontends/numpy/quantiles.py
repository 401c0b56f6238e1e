"""Medians and quantiles: elements of the sorted axis, and what lies between two of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rlx.core.dtype import i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.movement import moveaxis
from rlx.frontends.numpy.values import axes_of, emit, floating, full_value, size_of
from rlx.ir.array_methods import Array
from rlx.ir.emit import size_scalar
from rlx.ir.value import Value, as_dtype

__all__ = ["median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile"]

Axis = int | Sequence[int] | None
_METHODS = ("linear", "lower", "higher", "midpoint", "nearest")


def _quantile(x: Any, q: Any, axis: Axis, method: str, keepdims: bool, without_nan: bool, what: str) -> Array:
    """Quantiles of the axes as one; the axes of q come first in the result."""
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
    found = _of_rows(rows, flat, method, without_nan)
    kept = tuple(1 if i in axes else size for i, size in enumerate(value.shape)) if keepdims else rows.shape[:-1]
    return moveaxis(found, -1, 0).reshape((*wanted.shape, *kept))


def _as_last(x: Value, axes: Sequence[int]) -> Array:
    """Axes as one, the last."""
    others = [i for i in range(x.rank) if i not in axes]
    back = moveaxis(x, tuple(others), tuple(range(len(others)))) if others else x
    return back.reshape((*(x.shape[i] for i in others), size_of([x.shape[i] for i in axes])))


def _of_rows(rows: Value, q: Value, method: str, without_nan: bool) -> Value:
    """`[…, n]` and `[k]` give `[…, k]`."""
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
    """What is at places that may lie between two elements."""

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
