"""Slicing at dynamic indices, and data-movement functions with `jax.lax`'s names and signatures."""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Sequence
from typing import Any

from rlx.core.dim import Size
from rlx.core.dtype import DTypeLike, i32, i64
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_array, as_value, axes_of, axis_of, emit, promote_values, sizes_of
from rlx.frontends.numpy import insertion as joining
from rlx.frontends.numpy import movement, ordering
from rlx.frontends.numpy.creation import arange
from rlx.frontends.numpy.indexing import getitem
from rlx.ir.array_methods import Array
from rlx.ir.emit import constant, size_scalar
from rlx.ir.value import Value, as_dtype

__all__ = [
    "broadcast", "broadcast_in_dim", "broadcast_shapes", "broadcasted_iota", "collapse", "concatenate", "dynamic_index_in_dim",
    "dynamic_slice", "dynamic_slice_in_dim", "dynamic_update_index_in_dim", "dynamic_update_slice", "dynamic_update_slice_in_dim",
    "expand_dims", "index_in_dim", "index_take", "iota", "pad", "reshape", "rev", "slice", "slice_in_dim", "sort", "sort_key_val",
    "split", "squeeze", "stack", "tile", "top_k", "transpose", "unstack",
]  # fmt: skip


def _starts(x: Value, starts: Sequence[Any], axes: Sequence[int], wraps: bool | Sequence[bool]) -> list[Value]:
    """Converts starts along axes, negative ones counted from the end as JAX does; the op clamps what is still outside."""
    given = [wraps] * len(starts) if isinstance(wraps, bool) else list(wraps)
    return [_start(x, each, x.shape[axis], wrap) for each, axis, wrap in zip(starts, axes, given, strict=True)]


def _start(x: Value, start: Any, size: Size, wraps: bool) -> Value:
    if isinstance(start, int) and (start >= 0 or isinstance(size, int)):
        return constant(x.graph, start + size if start < 0 and wraps else start, i32)
    value = as_value(start, x)
    if value.dtype.category == "uint":
        return value
    wide = value if value.dtype in (i32, i64) else as_dtype(value, i32)
    return emit("where", wide < 0, wide + size_scalar(x, size, wide.dtype), wide) if wraps else wide


def _each_start(start_indices: Any) -> Sequence[Any]:
    """Reads starts given as separate arguments, or as one array of them."""
    if isinstance(start_indices, (tuple, list)):
        return start_indices
    return [start_indices[i] for i in range(start_indices.shape[0])]


def dynamic_slice(
    operand: ArrayLike, start_indices: Any, slice_sizes: Sequence[int], *, allow_negative_indices: bool | Sequence[bool] = True
) -> Array:
    """A slice of static size at dynamic start indices. Negative starts count from the end; all are then clamped to be in bounds.

    >>> import rlx, rlx.numpy as rnp
    >>> rlx.lax.dynamic_slice(rnp.arange(5), (3,), (3,)), rlx.lax.dynamic_slice(rnp.arange(5), (-4,), (2,))
    (Array([2, 3, 4], dtype=int32), Array([1, 2], dtype=int32))
    """
    starts, wraps = _each_start(start_indices), _as_key(allow_negative_indices)
    return _dynamic_slice(operand, *starts, sizes=tuple(slice_sizes), wraps=wraps)


def _as_key(wraps: bool | Sequence[bool]) -> bool | tuple[bool, ...]:
    return wraps if isinstance(wraps, bool) else tuple(wraps)


@array_function
def _dynamic_slice(x: ArrayLike, *starts: ArrayLike, sizes: tuple[int, ...], wraps: bool | tuple[bool, ...]) -> Value:
    like = next(each for each in (x, *starts) if isinstance(each, Value))
    value = as_value(x, like)
    _check_count("dynamic_slice", value, starts, sizes)
    axes = tuple(range(value.rank))
    return emit("dynamic_slice", value, *_starts(value, starts, axes, wraps), axes=axes, sizes=sizes)


def _check_count(what: str, value: Value, starts: Sequence[Any], sizes: Sequence[Any]) -> None:
    if len(starts) != value.rank or len(sizes) != value.rank:
        message = f"{what} of {value.type} with {len(starts)} starts and {len(sizes)} sizes"
        raise RlxError("RLX109", message, fix="a start and a size for each axis")


def dynamic_update_slice(
    operand: ArrayLike, update: ArrayLike, start_indices: Any, *, allow_negative_indices: bool | Sequence[bool] = True
) -> Array:
    """The array with the slice at dynamic start indices replaced by `update`; starts as in `dynamic_slice`."""
    starts, wraps = _each_start(start_indices), _as_key(allow_negative_indices)
    return _dynamic_update_slice(operand, update, *starts, wraps=wraps)


@array_function
def _dynamic_update_slice(x: ArrayLike, update: ArrayLike, *starts: ArrayLike, wraps: bool | tuple[bool, ...]) -> Value:
    like = next(each for each in (x, update, *starts) if isinstance(each, Value))
    value, new = as_value(x, like), as_value(update, like)
    _check_count("dynamic_update_slice", value, starts, new.shape)
    axes = tuple(range(value.rank))
    places = _starts(value, starts, axes, wraps)
    return emit("dynamic_update_slice", value, as_dtype(new, value.dtype), *places, axes=axes)


@array_function
def dynamic_slice_in_dim(
    operand: ArrayLike, start_index: ArrayLike, slice_size: int, axis: int = 0, *, allow_negative_indices: bool = True
) -> Value:
    """`dynamic_slice` along one axis."""
    like = next(each for each in (operand, start_index) if isinstance(each, Value))
    value = as_value(operand, like)
    axis = axis_of(axis, value.rank, "dynamic_slice_in_dim")
    return emit(
        "dynamic_slice", value, *_starts(value, [start_index], (axis,), allow_negative_indices), axes=(axis,), sizes=(slice_size,)
    )


@array_function
def dynamic_index_in_dim(
    operand: ArrayLike, index: ArrayLike, axis: int = 0, keepdims: bool = True, *, allow_negative_indices: bool = True
) -> Value:
    """The slice at one dynamic index along an axis."""
    like = next(each for each in (operand, index) if isinstance(each, Value))
    value = as_value(operand, like)
    axis = axis_of(axis, value.rank, "dynamic_index_in_dim")
    row: Value = emit("dynamic_slice", value, *_starts(value, [index], (axis,), allow_negative_indices), axes=(axis,), sizes=(1,))
    return row if keepdims else row.reshape(tuple(size for i, size in enumerate(row.shape) if i != axis))


@array_function
def dynamic_update_slice_in_dim(
    operand: ArrayLike, update: ArrayLike, start_index: ArrayLike, axis: int, *, allow_negative_indices: bool = True
) -> Value:
    """`dynamic_update_slice` along one axis."""
    like = next(each for each in (operand, update, start_index) if isinstance(each, Value))
    value = as_value(operand, like)
    axis = axis_of(axis, value.rank, "dynamic_update_slice_in_dim")
    new = as_dtype(as_value(update, like), value.dtype)
    return emit("dynamic_update_slice", value, new, *_starts(value, [start_index], (axis,), allow_negative_indices), axes=(axis,))


@array_function
def dynamic_update_index_in_dim(
    operand: ArrayLike, update: ArrayLike, index: ArrayLike, axis: int, *, allow_negative_indices: bool = True
) -> Value:
    """The array with the slice at one index along an axis replaced."""
    like = next(each for each in (operand, update, index) if isinstance(each, Value))
    value, new = as_value(operand, like), as_value(update, like)
    axis = axis_of(axis, value.rank, "dynamic_update_index_in_dim")
    if new.rank == value.rank - 1:
        new = new.reshape((*new.shape[:axis], 1, *new.shape[axis:]))
    return emit(
        "dynamic_update_slice",
        value,
        as_dtype(new, value.dtype),
        *_starts(value, [index], (axis,), allow_negative_indices),
        axes=(axis,),
    )


@array_function
def slice(
    operand: ArrayLike, start_indices: Sequence[int], limit_indices: Sequence[int], strides: Sequence[int] | None = None
) -> Value:
    """A static slice from `start_indices` to `limit_indices`, with optional strides."""
    value = as_value(operand)
    steps = tuple(strides) if strides is not None else (1,) * value.rank
    return emit("slice", value, start=tuple(start_indices), stop=tuple(limit_indices), step=steps)


@array_function
def slice_in_dim(operand: ArrayLike, start_index: int | None, limit_index: int | None, stride: int = 1, axis: int = 0) -> Value:
    """`slice` along one axis."""
    value = as_value(operand)
    axis = axis_of(axis, value.rank, "slice_in_dim")
    window = builtins.slice(start_index, limit_index, stride)
    return value[tuple(window if i == axis else builtins.slice(None) for i in range(value.rank))]


@array_function
def index_in_dim(operand: ArrayLike, index: int, axis: int = 0, keepdims: bool = True) -> Value:
    """The slice at one static index along an axis."""
    value = as_value(operand)
    axis = axis_of(axis, value.rank, "index_in_dim")
    size = value.shape[axis]
    start = index if index >= 0 else size + index
    row: Value = emit("narrow", value, axis=axis, start=start, length=1)
    return row if keepdims else row.reshape(tuple(size for i, size in enumerate(row.shape) if i != axis))


@array_function
def index_take(src: ArrayLike, idxs: ArrayLike, axes: Sequence[int]) -> Value:
    """Gathers elements by index: `idxs[i]` holds the indices along `axes[i]`."""
    value, places = as_value(src), as_value(idxs)
    at = dict(zip(axes_of(tuple(axes), value.rank, "index_take"), range(len(tuple(axes))), strict=True))
    return getitem(value, tuple(places[at[i]] if i in at else builtins.slice(None) for i in range(value.rank)))


@array_function
def rev(operand: ArrayLike, dimensions: Sequence[int]) -> Value:
    """Reverses the array along axes."""
    return emit("flip", as_value(operand), axes=tuple(dimensions))


@array_function
def expand_dims(array: ArrayLike, dimensions: Sequence[int]) -> Array:
    """New axes of size 1."""
    return movement.expand_dims(as_value(array), tuple(dimensions))


@array_function
def broadcast(operand: ArrayLike, sizes: Sequence[int]) -> Value:
    """New leading axes of these sizes."""
    value = as_value(operand)
    return emit("expand", value, shape=(*sizes, *value.shape))


@array_function
def broadcast_in_dim(operand: ArrayLike, shape: Sequence[int], broadcast_dimensions: Sequence[int]) -> Value:
    """Broadcasts to a shape: axis i of the operand becomes axis `broadcast_dimensions[i]`."""
    value = as_value(operand)
    places = tuple(broadcast_dimensions)
    thin = value.reshape(tuple(value.shape[places.index(i)] if i in places else 1 for i in range(len(shape))))
    return emit("expand", thin, shape=tuple(shape)) if shape else thin


@array_function
def collapse(operand: ArrayLike, start_dimension: int, stop_dimension: int | None = None) -> Value:
    """Merges consecutive axes into one."""
    value = as_value(operand)
    stop = value.rank if stop_dimension is None else stop_dimension
    stop = stop + value.rank if stop < 0 else stop
    start = start_dimension + value.rank if start_dimension < 0 else start_dimension
    return value.reshape((*value.shape[:start], -1, *value.shape[stop:]))


def iota(dtype: DTypeLike, size: int) -> Array:
    """The integers 0 to `size` - 1 in a dtype."""
    return arange(size, dtype=dtype)


def broadcasted_iota(dtype: DTypeLike, shape: Sequence[int], dimension: int) -> Array:
    """An array of a shape that holds each element's index along `dimension`."""
    sizes = sizes_of(shape)
    dimension = axis_of(dimension, len(sizes), "broadcasted_iota")
    line = arange(sizes[dimension], dtype=dtype).reshape(
        tuple(sizes[dimension] if i == dimension else 1 for i in range(len(sizes)))
    )
    return movement.broadcast_to(line, sizes)


@array_function
def pad(operand: ArrayLike, padding_value: ArrayLike, padding_config: Sequence[tuple[int, int, int]]) -> Value:
    """Pads each axis by (low, high, interior) elements: before, after and between. Negative low or high crops."""
    value = as_value(operand)
    padded = value
    for axis, (low, high, between) in enumerate(padding_config):
        padded = _pad_axis(padded, promote_values(value, padding_value)[1], axis, low, high, between)
    return padded


def _pad_axis(x: Value, number: Value, axis: int, low: int, high: int, between: int) -> Value:
    def block(size: Any) -> Value:
        return emit("expand", number.reshape((1,) * x.rank), shape=tuple(size if i == axis else s for i, s in enumerate(x.shape)))

    size = x.shape[axis]
    if between and size != 0:  # an empty axis has no gaps to fill
        apart = x.reshape((*x.shape[: axis + 1], 1, *x.shape[axis + 1 :]))
        gaps = emit("expand", number.reshape((1,) * apart.rank), shape=(*x.shape[: axis + 1], between, *x.shape[axis + 1 :]))
        joined = emit("concat", apart, gaps, axis=axis + 1)
        x = joined.reshape((*x.shape[:axis], size * (between + 1), *x.shape[axis + 1 :]))
        x = emit("narrow", x, axis=axis, start=0, length=size * (between + 1) - between)
    parts = ([block(low)] if low > 0 else []) + [x] + ([block(high)] if high > 0 else [])
    padded = x if len(parts) == 1 else emit("concat", *parts, axis=axis)
    cut = max(-low, 0)
    length = padded.shape[axis] - cut - max(-high, 0)
    return emit("narrow", padded, axis=axis, start=cut, length=length) if cut or high < 0 else padded


@array_function
def top_k(operand: ArrayLike, k: int, *, axis: int = -1) -> tuple[Array, Array]:
    """The k largest elements along an axis in descending order, and their indices."""
    value = as_value(operand)
    return emit("top_k", value, k=k, axis=axis_of(axis, value.rank, "top_k"))


@array_function
def sort_key_val(keys: ArrayLike, values: ArrayLike, dimension: int = -1, is_stable: bool = True) -> tuple[Array, Array]:
    """Keys sorted along an axis, and values in the same order."""
    like = next(each for each in (keys, values) if isinstance(each, Value))
    key, value = as_value(keys, like), as_value(values, like)
    dimension = axis_of(dimension, key.rank, "sort_key_val")
    order = emit("argsort", key, axis=dimension, descending=False)
    return emit("take_along_axis", key, order, axis=dimension), emit("take_along_axis", value, order, axis=dimension)


# -- functions of `rlx.numpy` that order and arrange elements, with the arguments that `jax.lax` gives them ----------


broadcast_shapes = movement.broadcast_shapes


def concatenate(operands: Sequence[ArrayLike], dimension: int) -> Array:
    """Arrays one after the other along an axis."""
    return joining.concatenate(operands, axis=dimension)


def split(operand: ArrayLike, sizes: Sequence[int], axis: int = 0) -> list[Array]:
    """Splits an axis into parts of these sizes, which sum to its length.

    >>> import numpy as np
    >>> split(np.int32([1, 2, 3]), (1, 2))
    [Array([1], dtype=int32), Array([2, 3], dtype=int32)]
    """
    value = operand if isinstance(operand, Value) else as_array(operand)
    length = value.shape[axis]
    if isinstance(length, int) and sum(sizes) != length:
        raise RlxError("RLX102", f"split of an axis of {length} into {tuple(sizes)}", fix="sizes whose sum is the axis")
    return joining.split(value, list(itertools.accumulate(sizes[:-1])), axis=axis)


def stack(operands: Sequence[ArrayLike], axis: int = 0) -> Array:
    """`rlx.numpy.stack`."""
    return joining.stack(operands, axis=axis)


def unstack(operand: ArrayLike, axis: int = 0) -> tuple[Array, ...]:
    """`rlx.numpy.unstack`."""
    return joining.unstack(operand, axis=axis)


def tile(operand: ArrayLike, reps: Sequence[int]) -> Array:
    """The array repeated `reps[i]` times along axis i."""
    return movement.tile(operand, tuple(reps))


def reshape(operand: ArrayLike, new_sizes: Sequence[Size], dimensions: Sequence[int] | None = None) -> Array:
    """Reshapes the array; `dimensions` permutes the axes first."""
    read = operand if dimensions is None else movement.permute_dims(operand, tuple(dimensions))
    return movement.reshape(read, tuple(new_sizes))


def squeeze(array: ArrayLike, dimensions: Sequence[int]) -> Array:
    """Without axes of size 1."""
    return movement.squeeze(array, tuple(dimensions))


def transpose(operand: ArrayLike, permutation: Sequence[int]) -> Array:
    """Axes in another order."""
    return movement.permute_dims(operand, tuple(permutation))


def sort(operand: ArrayLike | Sequence[ArrayLike], dimension: int = -1, is_stable: bool = True, num_keys: int = 1) -> Array | Any:
    """Sorts along an axis. Several arrays are sorted together, lexicographically by the first `num_keys` of them.

    >>> import numpy as np
    >>> sort((np.int32([2, 1, 2]), np.int32([5, 4, 3])), num_keys=2)
    (Array([1, 2, 2], dtype=int32), Array([4, 3, 5], dtype=int32))
    """
    if not isinstance(operand, (tuple, list)):
        return ordering.sort(operand, axis=dimension, stable=is_stable)
    if not 1 <= num_keys <= len(operand):
        raise RlxError("RLX109", f"sort of {len(operand)} arrays by {num_keys} keys", fix="1 to as many as there are")
    order = ordering.lexsort(tuple(operand[:num_keys])[::-1], axis=dimension)
    return tuple(ordering.take_along_axis(each, order, axis=dimension) for each in operand)
