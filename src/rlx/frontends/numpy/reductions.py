"""Reductions and what accumulates along an axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rlx.core.dtype import DType, DTypeLike, boolean, f32, i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import (
    ArrayLike,
    array_function,
    as_value,
    axes_of,
    axis_of,
    count_along,
    emit,
    floating,
    full_value,
    promote_values,
    size_of,
)
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.frontends.numpy.elementwise import extreme, parts
from rlx.ir.array_methods import Array
from rlx.ir.value import Value, as_dtype

__all__ = [
    "all", "amax", "amin", "any", "argmax", "argmin", "average", "count_nonzero", "cumprod", "cumsum", "cumulative_prod",
    "cumulative_sum", "logsumexp", "max", "mean", "min", "nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean",
    "nanmin", "nanprod", "nanstd", "nansum", "nanvar", "prod", "ptp", "std", "sum", "var",
]  # fmt: skip


Axis = int | Sequence[int] | None


def reduce(op: str, x: Any, axis: Axis, dtype: DTypeLike | None, keepdims: bool, initial: Any, where: Any, neutral: Any) -> Value:
    """Emits a reduction with NumPy's arguments; `neutral` replaces elements where the mask is false."""
    value = as_value(x)
    if dtype is not None:
        value = as_dtype(value, named_dtype(dtype))
    if where is not None:
        if neutral is None and initial is None:
            raise RlxError("RLX109", f"{op} with where= has no number for what is left out", fix="give initial=")
        value = emit("where", as_dtype(as_value(where, value), boolean), value, neutral if neutral is not None else initial)
    axes = axes_of(axis, value.rank, op)
    if value.dtype.is_complex and op in ("reduce_max", "reduce_min"):
        return _complex_extreme(op, value, axes, keepdims)
    reduced: Value = emit(op, value, axes=axes, keep_dim=keepdims)
    return reduced if dtype is None else as_dtype(reduced, named_dtype(dtype))


def _complex_extreme(op: str, x: Value, axes: tuple[int, ...], keepdims: bool) -> Value:
    """The largest or smallest complex number: by real part, then by imaginary part; NaN if an element is."""
    re, im = parts(x)
    top = emit(op, re, axes=axes, keep_dim=True)
    least = -math.inf if op == "reduce_max" else math.inf
    beside = emit(op, emit("where", re == top, im, least), axes=axes, keep_dim=True)
    unknown = emit("reduce_any", emit("is_nan", x), axes=axes, keep_dim=True)
    extreme_value: Value = emit("where", unknown, math.nan, emit("complex", top, beside))
    kept = tuple(size for axis, size in enumerate(x.shape) if axis not in axes)
    return extreme_value if keepdims else extreme_value.reshape(kept)


def _wide_enough(x: Any, dtype: DTypeLike | None) -> DTypeLike | None:
    """The dtype in which integers are summed or multiplied: at least 32 bits."""
    own = as_value(x).dtype
    if dtype is not None or not (own.is_bool or (own.is_integer and own.size < 4)):
        return dtype
    return "u32" if own.category == "uint" else "i32"


def _join_initial(op: str, reduced: Value, initial: Any) -> Value:
    if initial is None:
        return reduced
    pair = promote_values(reduced, initial)
    return extreme(op, *pair) if op in ("max", "min") else emit(op, *pair)


@array_function
def sum(
    x: ArrayLike,
    /,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Value:
    """Sum over axes, all by default; of small integers and bools as i32, of small unsigned ones as u32."""
    return _join_initial("add", reduce("reduce_sum", x, axis, _wide_enough(x, dtype), keepdims, initial, where, 0), initial)


@array_function
def prod(
    x: ArrayLike,
    /,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Value:
    """Product over axes; of small integers and bools as i32, of small unsigned ones as u32."""
    return _join_initial("mul", reduce("reduce_prod", x, axis, _wide_enough(x, dtype), keepdims, initial, where, 1), initial)


@array_function
def max(
    x: ArrayLike, /, axis: Axis = None, keepdims: bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None
) -> Value:
    """Maximum over axes."""
    return _join_initial("max", reduce("reduce_max", x, axis, None, keepdims, initial, where, None), initial)


@array_function
def min(
    x: ArrayLike, /, axis: Axis = None, keepdims: bool = False, initial: ArrayLike | None = None, where: ArrayLike | None = None
) -> Value:
    """Minimum over axes."""
    return _join_initial("min", reduce("reduce_min", x, axis, None, keepdims, initial, where, None), initial)


amax, amin = max, min


@array_function
def any(x: ArrayLike, /, axis: Axis = None, keepdims: bool = False, *, where: ArrayLike | None = None) -> Value:
    """Whether any element is not zero."""
    return reduce("reduce_any", as_dtype(as_value(x), boolean), axis, None, keepdims, None, where, False)


@array_function
def all(x: ArrayLike, /, axis: Axis = None, keepdims: bool = False, *, where: ArrayLike | None = None) -> Value:
    """Whether all elements are not zero."""
    return reduce("reduce_all", as_dtype(as_value(x), boolean), axis, None, keepdims, None, where, True)


@array_function
def mean(
    x: ArrayLike, /, axis: Axis = None, dtype: DTypeLike | None = None, keepdims: bool = False, *, where: ArrayLike | None = None
) -> Value:
    """Mean over axes; of integers as f32, of nothing NaN. With an integer `dtype` the sum is divided towards zero."""
    value = floating(x) if dtype is None else as_dtype(as_value(x), named_dtype(dtype))
    axes = axes_of(axis, value.rank, "mean")
    if value.dtype.is_integer:
        return _whole_mean(value, axes, keepdims, where)
    if where is None and size_of([value.shape[axis] for axis in axes]) != 0:
        return reduce("reduce_mean", value, axes, None, keepdims, None, None, None)
    total = reduce("reduce_sum", value, axes, None, keepdims, None, where, 0)
    if where is None:
        return total / count_along(value, axes, total.dtype)  # 0 / 0: the mean of nothing is NaN
    return total / _count_where(value, where, axis, keepdims, total.dtype)


def _whole_mean(x: Value, axes: tuple[int, ...], keepdims: bool, where: Any) -> Value:
    total = as_dtype(reduce("reduce_sum", x, axes, None, keepdims, None, where, 0), x.dtype)
    count = count_along(x, axes, x.dtype) if where is None else _count_where(x, where, axes, keepdims, x.dtype)
    return emit("floor_div", emit("abs", total), as_dtype(count, x.dtype)) * emit("sign", total)


def _count_where(x: Value, where: Any, axis: Axis, keepdims: bool, dtype: DType) -> Value:
    """The number of elements that a mask selects."""
    mask = emit("expand", as_dtype(as_value(where, x), boolean), shape=x.shape) if x.rank else as_dtype(as_value(where, x), boolean)
    return emit("reduce_sum", as_dtype(mask, dtype), axes=axes_of(axis, x.rank, "mean"), keep_dim=keepdims)


@array_function
def var(
    x: ArrayLike,
    /,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    correction: float | None = None,
    where: ArrayLike | None = None,
) -> Value:
    """Variance over axes; the sum of squares is divided by the count less `ddof` (`correction` in the Array API)."""
    value = floating(x) if dtype is None else as_dtype(as_value(x), named_dtype(dtype))
    axes = axes_of(axis, value.rank, "var")
    freedom = ddof if correction is None else correction
    apart = value - mean(value, axes, keepdims=True, where=where)
    squares = emit("complex_norm_sq", apart) if apart.dtype.is_complex else apart * apart
    total = reduce("reduce_sum", squares, axes, None, keepdims, None, where, 0)
    count = count_along(value, axes, total.dtype) if where is None else _count_where(value, where, axes, keepdims, total.dtype)
    return total / (emit("max", count - freedom, 0) if freedom else count)


@array_function
def std(
    x: ArrayLike,
    /,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    correction: float | None = None,
    where: ArrayLike | None = None,
) -> Value:
    """Standard deviation over axes: the root of `var`."""
    return emit("sqrt", var(x, axis, dtype, ddof, keepdims, correction=correction, where=where))


@array_function
def ptp(x: ArrayLike, /, axis: Axis = None, keepdims: bool = False) -> Array:
    """Maximum less minimum."""
    return max(x, axis, keepdims) - min(x, axis, keepdims)


def _position_of_extreme(op: str, x: Any, axis: int | None, keepdims: bool) -> Value:
    value = as_value(x)
    if value.dtype.is_bool:
        value = value.astype(i32)
    if axis is not None:
        return emit(op, value, axis=axis_of(axis, value.rank, op), keep_dim=keepdims)
    index: Value = emit(op, value.reshape(size_of(value.shape)), axis=0, keep_dim=False)
    return index.reshape((1,) * value.rank) if keepdims else index


@array_function
def argmax(x: ArrayLike, /, axis: int | None = None, keepdims: bool = False) -> Value:
    """The index of the first maximum along an axis, of the flattened array by default."""
    return _position_of_extreme("argmax", x, axis, keepdims)


@array_function
def argmin(x: ArrayLike, /, axis: int | None = None, keepdims: bool = False) -> Value:
    """The index of the first minimum."""
    return _position_of_extreme("argmin", x, axis, keepdims)


@array_function
def count_nonzero(x: ArrayLike, /, axis: Axis = None, keepdims: bool = False) -> Value:
    """How many elements are not zero."""
    return reduce("reduce_sum", as_dtype(as_dtype(as_value(x), boolean), i32), axis, None, keepdims, None, None, None)


@array_function
def average(
    x: ArrayLike, /, axis: Axis = None, weights: ArrayLike | None = None, returned: bool = False, keepdims: bool = False
) -> Array | Any:
    """Mean with weights; with `returned` also the sum of them."""
    value = floating(x)
    axes = axes_of(axis, value.rank, "average")
    if weights is None:
        mean_value = as_value(mean(value, axes, keepdims=keepdims))
        count = count_along(value, axes, mean_value.dtype)
        return (mean_value, emit("expand", count, shape=mean_value.shape) if mean_value.rank else count) if returned else mean_value
    scale = floating(as_value(weights, value))
    if scale.rank != value.rank:
        if scale.rank != 1 or len(axes) != 1:
            raise RlxError(
                "RLX102", f"average of {value.type} with weights {scale.type}", fix="weights of the same shape, or one axis"
            )
        scale = scale.reshape(tuple(scale.shape[0] if i == axes[0] else 1 for i in range(value.rank)))
        scale = emit("expand", scale, shape=value.shape)
    total = sum(scale, axes, keepdims=keepdims)
    weighted = sum(value * scale, axes, keepdims=keepdims) / total
    return (weighted, total) if returned else weighted


@array_function
def logsumexp(x: ArrayLike, /, axis: Axis = None, keepdims: bool = False) -> Value:
    """log(sum(exp(x))), without overflow."""
    value = floating(x)
    return emit("reduce_log_sum_exp", value, axes=axes_of(axis, value.rank, "logsumexp"), keep_dim=keepdims)


# -- along an axis ------------------------------------------------------------------------------------------------
def _accumulate(op: str, x: Any, axis: int | None, dtype: DTypeLike | None, include_initial: bool = False) -> Value:
    """Accumulates in the dtype of x unless another is named; bools as i32."""
    value = as_value(x)
    wide = i32 if dtype is None and value.dtype.is_bool else value.dtype if dtype is None else dtype
    if wide != value.dtype:
        value = as_dtype(value, named_dtype(wide))
    if axis is None or not value.rank:  # one number counts as an axis of one
        value, axis = value.reshape(size_of(value.shape)), axis or 0
    along = axis_of(axis, value.rank, op)
    sums: Value = emit(op, value, axis=along)
    sums = as_dtype(sums, named_dtype(wide))
    if not include_initial:
        return sums
    first = full_value(value, [1 if i == along else size for i, size in enumerate(value.shape)], int(op == "cumprod"), sums.dtype)
    return emit("concat", first, sums, axis=along)


@array_function
def cumsum(x: ArrayLike, /, axis: int | None = None, dtype: DTypeLike | None = None) -> Value:
    """Sums of what comes before and the element itself, of the flattened array by default."""
    return _accumulate("cumsum", x, axis, dtype)


@array_function
def cumprod(x: ArrayLike, /, axis: int | None = None, dtype: DTypeLike | None = None) -> Value:
    """Products of what comes before and the element itself."""
    return _accumulate("cumprod", x, axis, dtype)


def _one_axis(x: Any, axis: int | None, name: str) -> int | None:
    if axis is None and as_value(x).rank > 1:
        raise RlxError("RLX109", f"{name} of {as_value(x).rank} axes without axis=", fix="name the axis")
    return axis


@array_function
def cumulative_sum(
    x: ArrayLike, /, *, axis: int | None = None, dtype: DTypeLike | None = None, include_initial: bool = False
) -> Value:
    """As `cumsum`, with the Array API's arguments: the axis is required beyond one, and small integers become i32 or u32."""
    return _accumulate("cumsum", x, _one_axis(x, axis, "cumulative_sum"), _wide_enough(x, dtype), include_initial)


@array_function
def cumulative_prod(
    x: ArrayLike, /, *, axis: int | None = None, dtype: DTypeLike | None = None, include_initial: bool = False
) -> Value:
    """As `cumprod`, with the Array API's arguments and dtypes."""
    return _accumulate("cumprod", x, _one_axis(x, axis, "cumulative_prod"), _wide_enough(x, dtype), include_initial)


# -- reductions that leave out NaN -----------------------------------------------------------------------------------


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
    result = reduce(op, _without_nan(value, start), axis, None, keepdims, None, None, None)
    if not value.dtype.is_float:
        return result
    return emit("where", _not_nan(value, axis, keepdims, f32) == 0, math.nan, result)


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
    index: Value = find(_without_nan(x, start), axis, keepdims)
    if not x.dtype.is_float:
        return index
    return emit("where", _not_nan(x, axis, keepdims, i32) == 0, -1, index)


@array_function
def nancumsum(x: ArrayLike, /, axis: int | None = None, dtype: DTypeLike | None = None) -> Array:
    """`cumsum` with NaN as 0."""
    return cumsum(_without_nan(as_value(x), 0), axis, dtype)


@array_function
def nancumprod(x: ArrayLike, /, axis: int | None = None, dtype: DTypeLike | None = None) -> Array:
    """`cumprod` with NaN as 1."""
    return cumprod(_without_nan(as_value(x), 1), axis, dtype)
