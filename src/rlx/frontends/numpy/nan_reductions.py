"""Reductions that leave out NaN."""

from __future__ import annotations

import math
from typing import Any

from rlx.core.dtype import DType, DTypeLike, f32, i32
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.frontends.numpy.reductions import Axis, argmax, argmin, cumprod, cumsum, prod, reduce, sum
from rlx.frontends.numpy.values import axes_of, emit, floating
from rlx.ir.array_methods import Array
from rlx.ir.value import Value, as_dtype

__all__ = [
    "nanargmax",
    "nanargmin",
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmin",
    "nanprod",
    "nanstd",
    "nansum",
    "nanvar",
]


def _without_nan(x: Value, number: float) -> Value:
    return emit("where", emit("is_nan", x), number, x) if x.dtype.is_float or x.dtype.is_complex else x


def _not_nan(x: Value, axis: Axis, keepdims: bool, dtype: DType) -> Value:
    return emit(
        "reduce_sum", as_dtype(emit("not", emit("is_nan", x)), dtype), axes=axes_of(axis, x.rank, "nanmean"), keep_dim=keepdims
    )


@array_function
def nansum(x: ArrayLike, /, axis: Axis = None, dtype: DTypeLike | None = None, keepdims: bool = False) -> Array:
    """Sum of what is not NaN."""
    return sum(_without_nan(as_value(x), 0), axis, dtype, keepdims)


@array_function
def nanprod(x: ArrayLike, /, axis: Axis = None, dtype: DTypeLike | None = None, keepdims: bool = False) -> Array:
    """Product of what is not NaN."""
    return prod(_without_nan(as_value(x), 1), axis, dtype, keepdims)


def _nan_extreme(op: str, x: Any, axis: Axis, keepdims: bool, start: float) -> Value:
    value = as_value(x)
    found = reduce(op, _without_nan(value, start), axis, None, keepdims, None, None, None)
    if not value.dtype.is_float:
        return found
    return emit("where", _not_nan(value, axis, keepdims, f32) == 0, math.nan, found)


@array_function
def nanmax(x: ArrayLike, /, axis: Axis = None, keepdims: bool = False) -> Value:
    """Maximum of what is not NaN; NaN where there is nothing else."""
    return _nan_extreme("reduce_max", x, axis, keepdims, -math.inf)


@array_function
def nanmin(x: ArrayLike, /, axis: Axis = None, keepdims: bool = False) -> Value:
    """Minimum of what is not NaN."""
    return _nan_extreme("reduce_min", x, axis, keepdims, math.inf)


@array_function
def nanmean(x: ArrayLike, /, axis: Axis = None, dtype: DTypeLike | None = None, keepdims: bool = False) -> Value:
    """Mean of what is not NaN."""
    value = floating(x) if dtype is None else as_dtype(as_value(x), named_dtype(dtype))
    total = as_value(sum(_without_nan(value, 0), axis, None, keepdims))
    return total / _not_nan(value, axis, keepdims, total.dtype)


@array_function
def nanvar(x: ArrayLike, /, axis: Axis = None, dtype: DTypeLike | None = None, ddof: float = 0, keepdims: bool = False) -> Value:
    """Variance of what is not NaN."""
    value = floating(x) if dtype is None else as_dtype(as_value(x), named_dtype(dtype))
    apart = emit("where", emit("is_nan", value), 0, value - nanmean(value, axis, keepdims=True))
    squares = emit("complex_norm_sq", apart) if apart.dtype.is_complex else apart * apart
    total = as_value(sum(squares, axis, None, keepdims))
    left = _not_nan(value, axis, keepdims, total.dtype) - ddof
    return emit("where", left > 0, total / left, math.nan)


@array_function
def nanstd(x: ArrayLike, /, axis: Axis = None, dtype: DTypeLike | None = None, ddof: float = 0, keepdims: bool = False) -> Value:
    """Standard deviation of what is not NaN."""
    return emit("sqrt", nanvar(x, axis, dtype, ddof, keepdims))


@array_function
def nanargmax(x: ArrayLike, /, axis: int | None = None, keepdims: bool = False) -> Value:
    """The index of the first maximum that is not NaN; -1 where all are."""
    return _nan_position(argmax, as_value(x), -math.inf, axis, keepdims)


@array_function
def nanargmin(x: ArrayLike, /, axis: int | None = None, keepdims: bool = False) -> Value:
    """The index of the first minimum that is not NaN; -1 where all are."""
    return _nan_position(argmin, as_value(x), math.inf, axis, keepdims)


def _nan_position(find: Any, x: Value, start: float, axis: int | None, keepdims: bool) -> Value:
    found: Value = find(_without_nan(x, start), axis, keepdims)
    if not x.dtype.is_float:
        return found
    return emit("where", _not_nan(x, axis, keepdims, i32) == 0, -1, found)


@array_function
def nancumsum(x: ArrayLike, /, axis: int | None = None, dtype: DTypeLike | None = None) -> Array:
    """`cumsum` with NaN as 0."""
    return cumsum(_without_nan(as_value(x), 0), axis, dtype)


@array_function
def nancumprod(x: ArrayLike, /, axis: int | None = None, dtype: DTypeLike | None = None) -> Array:
    """`cumprod` with NaN as 1."""
    return cumprod(_without_nan(as_value(x), 1), axis, dtype)
