"""Elements put into places, taken out and put between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dtype import DTypeLike, boolean, i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import (
    ArrayLike,
    array_function,
    as_array,
    as_value,
    axis_of,
    emit,
    graph_of,
    promote_values,
    same_dtype,
    size_of,
)
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.frontends.numpy.movement import atleast_1d, atleast_2d, atleast_3d, broadcast_to, expand_dims, moveaxis
from rlx.frontends.numpy.ordering import take
from rlx.ir.array_methods import Array
from rlx.ir.emit import size_scalar
from rlx.ir.value import Value, as_dtype
from rlx.runtime.array import ConcreteArray

__all__ = [
    "append", "array_split", "block", "column_stack", "concat", "concatenate", "delete", "dsplit", "dstack", "fill_diagonal",
    "hsplit", "hstack", "insert", "place", "put", "put_along_axis", "row_stack", "split", "stack", "trim_zeros", "unstack",
    "vsplit", "vstack",
]  # fmt: skip


# -- arrays put together, and taken apart ----------------------------------------------------------------------------


def _as_one_dtype(arrays: Sequence[Any], dtype: DTypeLike | None) -> list[Value]:
    if not arrays:
        raise RlxError("RLX109", "no arrays to put together", fix="at least one")
    return promote_values(*arrays) if dtype is None else same_dtype(arrays, named_dtype(dtype))


@array_function
def concat(arrays: Sequence[ArrayLike], /, axis: int | None = 0, dtype: DTypeLike | None = None) -> Value:
    """Arrays one after the other along an axis; flattened first with None."""
    values = _as_one_dtype(arrays, dtype)
    if axis is None:
        values, axis = [value.reshape(size_of(value.shape)) for value in values], 0
    along = axis_of(axis, values[0].rank, "concat")
    return values[0] if len(values) == 1 else emit("concat", *values, axis=along)


concatenate = concat


@array_function
def stack(arrays: Sequence[ArrayLike], /, axis: int = 0, dtype: DTypeLike | None = None) -> Array:
    """Arrays of one shape along a new axis."""
    values = _as_one_dtype(arrays, dtype)
    shapes = {value.shape for value in values}
    if len(shapes) > 1:
        raise RlxError("RLX102", f"stack of shapes {sorted(map(list, shapes), key=str)}", fix="arrays of one shape")
    axis = axis_of(axis, values[0].rank + 1, "stack")
    return concat([expand_dims(value, axis) for value in values], axis)


@array_function
def hstack(arrays: Sequence[ArrayLike], /, dtype: DTypeLike | None = None) -> Array:
    """Arrays side by side: along the second axis, or the first where there is one only."""
    values = [as_value(atleast_1d(value)) for value in _as_one_dtype(arrays, dtype)]
    return concat(values, 0 if values[0].rank == 1 else 1)


@array_function
def vstack(arrays: Sequence[ArrayLike], /, dtype: DTypeLike | None = None) -> Array:
    """Arrays as rows below one another."""
    return concat([atleast_2d(value) for value in _as_one_dtype(arrays, dtype)], 0)


row_stack = vstack


@array_function
def dstack(arrays: Sequence[ArrayLike], /, dtype: DTypeLike | None = None) -> Array:
    """Arrays along the third axis."""
    return concat([atleast_3d(value) for value in _as_one_dtype(arrays, dtype)], 2)


@array_function
def column_stack(arrays: Sequence[ArrayLike], /) -> Array:
    """Arrays of one axis as columns."""
    values = _as_one_dtype(arrays, None)
    return concat([value.reshape((size_of(value.shape), 1)) if value.rank < 2 else value for value in values], 1)


def block(arrays: Any) -> Array:
    """Arrays put together from nested lists of blocks, the innermost along the last axis."""
    return _block(arrays, _depth(arrays))


def _depth(arrays: Any) -> int:
    return 1 + max((_depth(each) for each in arrays), default=0) if isinstance(arrays, list) else 0


def _block(arrays: Any, depth: int) -> Any:
    if not isinstance(arrays, list):
        return _with_rank(arrays, depth)
    rank = depth
    parts = [_block_at(each, 1, rank) for each in arrays]
    return concatenate(parts, axis=-rank) if rank else parts[0]


def _block_at(arrays: Any, level: int, depth: int) -> Any:
    if not isinstance(arrays, list):
        return _with_rank(arrays, depth)
    return concatenate([_block_at(each, level + 1, depth) for each in arrays], axis=-(depth - level))


@array_function
def _with_rank(x: ArrayLike, rank: int) -> Value:
    value = as_value(x)
    return value.reshape((1,) * (rank - value.rank) + value.shape) if value.rank < rank else value


@array_function
def append(x: ArrayLike, values: ArrayLike, axis: int | None = None) -> Array:
    """`concat` of two; flattened without an axis."""
    return concat([x, values], axis)


# -- apart --------------------------------------------------------------------------------------------------------
@array_function
def split(x: ArrayLike, /, indices_or_sections: Any, axis: int = 0) -> list[Array]:
    """Parts along an axis: so many equal ones, or between the places given."""
    value = as_value(x)
    axis = axis_of(axis, value.rank, "split")
    size = value.shape[axis]
    if isinstance(indices_or_sections, int):
        if isinstance(size, int) and size % indices_or_sections:
            message = f"split of size {size} into {indices_or_sections} equal parts"
            raise RlxError("RLX102", message, fix="array_split, or places to split at")
        return _cut_windows(value, axis, [size // indices_or_sections * i for i in range(1, indices_or_sections)])
    return _cut_windows(value, axis, list(np.asarray(indices_or_sections).tolist()))


def _cut_windows(value: Value, axis: int, places: Sequence[Any]) -> list[Array]:
    parts: list[Array] = []
    for low, high in zip([0, *places], [*places, value.shape[axis]], strict=True):
        window = tuple(slice(low, high) if i == axis else slice(None) for i in range(value.rank))
        parts.append(value[window])
    return parts


@array_function
def array_split(x: ArrayLike, indices_or_sections: Any, axis: int = 0) -> list[Array]:
    """As `split`; the first parts are one longer where sizes do not divide."""
    value = as_value(x)
    axis = axis_of(axis, value.rank, "array_split")
    if not isinstance(indices_or_sections, int):
        return _cut_windows(value, axis, list(np.asarray(indices_or_sections).tolist()))
    size = value.shape[axis]
    if not isinstance(size, int):
        raise RlxError("RLX202", "array_split of a symbolic axis", fix="split into parts that divide, or static sizes")
    each, more = divmod(size, indices_or_sections)
    lengths = [each + 1] * more + [each] * (indices_or_sections - more)
    return _cut_windows(value, axis, np.cumsum(lengths)[:-1].tolist())


@array_function
def hsplit(x: ArrayLike, indices_or_sections: Any) -> list[Array]:
    """`split` along the second axis, or the first where there is one only."""
    value = as_value(x)
    return split(value, indices_or_sections, 0 if value.rank == 1 else 1)


@array_function
def vsplit(x: ArrayLike, indices_or_sections: Any) -> list[Array]:
    """`split` along the first axis."""
    return split(as_value(x), indices_or_sections, 0)


@array_function
def dsplit(x: ArrayLike, indices_or_sections: Any) -> list[Array]:
    """`split` along the third axis."""
    return split(as_value(x), indices_or_sections, 2)


def unstack(x: ArrayLike, /, *, axis: int = 0) -> tuple[Array, ...]:
    """The parts of an axis, without it."""
    value = as_value(x) if isinstance(x, Value) else as_array(x)
    if value.ndim == 0:
        raise RlxError("RLX102", "unstack of an array without axes", fix="an array with at least one")
    front: Any = moveaxis(value, axis, 0)
    if not isinstance(front.shape[0], int):
        raise RlxError("RLX202", "unstack of a symbolic axis", fix="rlx.lax.scan, or a static size")
    return tuple(front[i] for i in range(front.shape[0]))


# -- changed copies -------------------------------------------------------------------------------------------------
def _refuse_in_place(name: str, inplace: bool) -> None:

    if inplace:
        raise RlxError("RLX109", f"{name} in place: arrays do not change", fix=f"{name}(…, inplace=False) returns a copy")


def put(a: ArrayLike, ind: ArrayLike, v: ArrayLike, mode: str | None = None, *, inplace: bool = True) -> Array:
    """A copy with elements v, over again where there are too few, at places of the flattened array."""
    _refuse_in_place("put", inplace)
    return _put(a, ind, v, mode=mode)


@array_function
def _put(a: ArrayLike, ind: ArrayLike, v: ArrayLike, mode: str | None) -> Value:

    like = next(each for each in (a, ind, v) if isinstance(each, Value))
    value, index = as_value(a, like), as_value(ind, like)
    new = as_dtype(promote_values(value, v)[1], value.dtype)
    total = size_of(value.shape)
    places = as_dtype(index, i32).reshape(size_of(index.shape))
    if mode == "wrap":
        places = emit("mod", places, size_scalar(value, total))
    elif mode == "clip":
        places = emit("clamp", places, 0, emit("max", size_scalar(value, total) - 1, 0))
    updates = _over_again(new, places)
    flat = value.reshape(total)
    return emit("scatter", flat, places, updates, axis=0, mode="set", outside="fill").reshape(value.shape)


def _over_again(new: Value, places: Value) -> Value:
    """Cycles elements to as many as there are positions."""
    flat = new.reshape(size_of(new.shape))
    turns = emit("iota", shape=places.shape, axis=0, dtype=i32, graph=places.graph)
    return emit("gather", flat, emit("mod", turns, size_scalar(flat, flat.shape[0])), axis=0)


def place(arr: ArrayLike, mask: ArrayLike, vals: ArrayLike, *, inplace: bool = True) -> Array:
    """A copy with elements of vals, in order and over again, where a mask holds."""
    _refuse_in_place("place", inplace)
    return _place(arr, mask, vals)


@array_function
def _place(arr: ArrayLike, mask: ArrayLike, vals: ArrayLike) -> Value:

    like = next(each for each in (arr, mask, vals) if isinstance(each, Value))
    value, chosen = as_value(arr, like), as_dtype(as_value(mask, like), boolean)
    new = as_dtype(promote_values(value, vals)[1], value.dtype)
    flat = new.reshape(size_of(new.shape))
    number = emit("cumsum", chosen.reshape(size_of(chosen.shape)).astype("i32"), axis=0) - 1
    turn = emit("mod", emit("max", number, 0), size_scalar(flat, flat.shape[0]))
    return emit("where", chosen, emit("gather", flat, turn, axis=0).reshape(value.shape), value)


def put_along_axis(arr: ArrayLike, indices: ArrayLike, values: ArrayLike, axis: int | None, inplace: bool = True) -> Array:
    """A copy with values at places of their own along an axis, those that `take_along_axis` reads."""
    _refuse_in_place("put_along_axis", inplace)
    return _put_along_axis(arr, indices, values, axis=axis)


@array_function
def _put_along_axis(arr: ArrayLike, indices: ArrayLike, values: ArrayLike, axis: int | None) -> Value:

    like = next(each for each in (arr, indices, values) if isinstance(each, Value))
    value, index = as_value(arr, like), as_dtype(as_value(indices, like), i32)
    shape, total = value.shape, size_of(value.shape)
    if axis is None:
        value, at = value.reshape(total), 0
    else:
        at = axis_of(axis, value.rank, "put_along_axis")
    new = as_dtype(promote_values(value, values)[1], value.dtype)
    around = tuple(mine if i == at else size for i, (mine, size) in enumerate(zip(index.shape, value.shape, strict=True)))
    index = as_value(broadcast_to(index, around))
    flat_place = emit("where", index < 0, index + size_scalar(value, value.shape[at]), index)
    number: Value | None = None
    for i, size in enumerate(value.shape):
        along = flat_place if i == at else emit("iota", shape=around, axis=i, dtype=i32, graph=value.graph)
        number = along if number is None else number * size_scalar(value, size) + along
    assert number is not None
    updates = broadcast_to(new, around)
    updated = emit(
        "scatter",
        value.reshape(total),
        number.reshape(size_of(around)),
        updates.reshape(size_of(around)),
        axis=0,
        mode="set",
        outside="fill",
    )
    return updated.reshape(shape)


def fill_diagonal(a: ArrayLike, val: ArrayLike, wrap: bool = False, *, inplace: bool = True) -> Array:
    """A copy with these values, over again, on the diagonal; with `wrap` again below where there are more rows."""
    _refuse_in_place("fill_diagonal", inplace)
    return _fill_diagonal(a, val, wrap=wrap)


@array_function
def _fill_diagonal(a: ArrayLike, val: ArrayLike, wrap: bool) -> Array:

    like = next(each for each in (a, val) if isinstance(each, Value))
    value = as_value(a, like)
    sizes = value.shape
    if value.rank < 2 or not all(isinstance(size, int) for size in sizes):
        raise RlxError("RLX102", f"fill_diagonal of {value.type}", fix="at least two axes of static sizes")
    if value.rank > 2 and len(set(sizes)) > 1:
        raise RlxError("RLX102", f"fill_diagonal of {value.type}", fix="equal sizes of all axes")
    host = np.zeros(sizes, bool)
    np.fill_diagonal(host, True, wrap=wrap)
    return _place(value, host, as_dtype(promote_values(value, val)[1], value.dtype))


# -- axes made shorter and longer -----------------------------------------------------------------------------------
def _numpy_index(obj: Any) -> Any:
    """Converts positions to what NumPy takes: numbers, slices, arrays of integers or a mask."""
    return np.asarray(obj) if isinstance(obj, (ConcreteArray, list, tuple)) and np.size(np.asarray(obj)) else obj


def delete(arr: ArrayLike, obj: Any, axis: int | None = None, *, assume_unique_indices: bool = False) -> Array:
    """Without the parts of an axis at these places; of the flattened array by default."""
    value = arr if isinstance(arr, Value) else as_array(arr)
    if axis is None:
        value, axis = value.reshape(-1), 0
    at = axis_of(axis, len(value.shape), "delete")
    size = value.shape[at]
    if isinstance(obj, Value):
        if obj.rank:
            raise RlxError("RLX202", "delete at traced places: how many differ is known only in a run", fix="one place")
        return _without_one(value, obj, axis=at)
    if not isinstance(size, int):
        raise RlxError("RLX202", "delete along a symbolic axis", fix="a static size")
    kept = np.delete(np.arange(size, dtype=np.int32), _numpy_index(obj))
    return take(value, kept, at)


@array_function
def _without_one(arr: ArrayLike, obj: ArrayLike, axis: int) -> Value:

    like = next(each for each in (arr, obj) if isinstance(each, Value))
    value, index = as_value(arr, like), as_dtype(as_value(obj, like), i32)
    size = value.shape[axis]
    index = emit("where", index < 0, index + size_scalar(value, size), index)
    places = emit("iota", shape=(size - 1,), axis=0, dtype=i32, graph=value.graph)
    return emit("gather", value, emit("where", places >= index, places + 1, places), axis=axis)


def insert(arr: ArrayLike, obj: Any, values: ArrayLike, axis: int | None = None) -> Array:
    """With values before these places of an axis; of the flattened array by default."""
    if graph_of(obj) is not None:
        raise RlxError("RLX202", "insert at traced places", fix="ints, slices or arrays that are known")
    return _insert(arr, values, places=_numpy_index(obj), axis=axis)


@array_function
def _insert(arr: ArrayLike, values: ArrayLike, places: Any, axis: int | None) -> Value:

    like = next(each for each in (arr, values) if isinstance(each, Value))
    value = as_value(arr, like)
    new = as_dtype(promote_values(value, values)[1], value.dtype)
    if axis is None:
        value, axis = value.reshape(size_of(value.shape)), 0
    at = axis_of(axis, value.rank, "insert")
    size = value.shape[at]
    if not isinstance(size, int):
        raise RlxError("RLX202", "insert along a symbolic axis", fix="a static size")
    rest = tuple(each for i, each in enumerate(value.shape) if i != at)
    new = new.reshape((1,) * (value.rank - new.rank) + new.shape) if new.rank < value.rank else new
    if np.ndim(places) == 0 and not isinstance(places, slice):
        slabs = moveaxis(new, 0, at) if value.rank > 1 else new
        count = slabs.shape[at]
    else:
        slabs, count = new, len(np.insert(np.zeros(size, np.int32), places, 0)) - size
    front = broadcast_to(moveaxis(slabs, at, 0), (count, *rest))
    order = np.insert(np.arange(size, dtype=np.int32), places, size + np.arange(int(count), dtype=np.int32))
    both = as_value(concat([value, moveaxis(front, 0, at)], at))
    return emit("gather", both, as_value(order, both), axis=at)


def trim_zeros(filt: ArrayLike, trim: str = "fb") -> Array:
    """Without zeros at the front and the back of an array of one axis that is there."""
    if isinstance(filt, Value):
        raise RlxError("RLX202", "how many zeros are trimmed is known only in a run", fix="slices, or rnp.where")
    value = as_array(filt)
    there = np.flatnonzero(np.asarray(value))
    if not there.size:
        return value[:0]
    return value[there[0] if "f" in trim.lower() else 0 : there[-1] + 1 if "b" in trim.lower() else None]
