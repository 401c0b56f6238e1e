"""Arrays put together, and taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dtype import DTypeLike
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_array, as_value
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.frontends.numpy.movement import atleast_1d, atleast_2d, atleast_3d, expand_dims, moveaxis
from rlx.frontends.numpy.values import axis_of, emit, promoted, same_dtype, size_of
from rlx.ir.array_methods import Array
from rlx.ir.value import Value

__all__ = [
    "append",
    "array_split",
    "block",
    "column_stack",
    "concat",
    "concatenate",
    "dsplit",
    "dstack",
    "hsplit",
    "hstack",
    "row_stack",
    "split",
    "stack",
    "unstack",
    "vsplit",
    "vstack",
]


def _as_one_dtype(arrays: Sequence[Any], dtype: DTypeLike | None) -> list[Value]:
    if not arrays:
        raise RlxError("RLX109", "no arrays to put together", fix="at least one")
    return promoted(*arrays) if dtype is None else same_dtype(arrays, named_dtype(dtype))


@array_function
def concat(arrays: Sequence[ArrayLike], /, axis: int | None = 0, dtype: DTypeLike | None = None) -> Value:
    """Arrays one after the other along an axis; flattened first with None."""
    values = _as_one_dtype(arrays, dtype)
    if axis is None:
        values, axis = [value.reshape(size_of(value.shape)) for value in values], 0
    place = axis_of(axis, values[0].rank, "concat")
    return values[0] if len(values) == 1 else emit("concat", *values, axis=place)


concatenate = concat


@array_function
def stack(arrays: Sequence[ArrayLike], /, axis: int = 0, dtype: DTypeLike | None = None) -> Array:
    """Arrays of one shape along a new axis."""
    values = _as_one_dtype(arrays, dtype)
    shapes = {value.shape for value in values}
    if len(shapes) > 1:
        raise RlxError("RLX102", f"stack of shapes {sorted(map(list, shapes), key=str)}", fix="arrays of one shape")
    place = axis_of(axis, values[0].rank + 1, "stack")
    return concat([expand_dims(value, place) for value in values], place)


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
    place = axis_of(axis, value.rank, "split")
    size = value.shape[place]
    if isinstance(indices_or_sections, int):
        if isinstance(size, int) and size % indices_or_sections:
            message = f"split of size {size} into {indices_or_sections} equal parts"
            raise RlxError("RLX102", message, fix="array_split, or places to split at")
        return _parts(value, place, [size // indices_or_sections * i for i in range(1, indices_or_sections)])
    return _parts(value, place, list(np.asarray(indices_or_sections).tolist()))


def _parts(value: Value, axis: int, places: Sequence[Any]) -> list[Array]:
    found: list[Array] = []
    for low, high in zip([0, *places], [*places, value.shape[axis]], strict=True):
        window = tuple(slice(low, high) if i == axis else slice(None) for i in range(value.rank))
        found.append(value[window])
    return found


@array_function
def array_split(x: ArrayLike, indices_or_sections: Any, axis: int = 0) -> list[Array]:
    """As `split`; the first parts are one longer where sizes do not divide."""
    value = as_value(x)
    place = axis_of(axis, value.rank, "array_split")
    if not isinstance(indices_or_sections, int):
        return _parts(value, place, list(np.asarray(indices_or_sections).tolist()))
    size = value.shape[place]
    if not isinstance(size, int):
        raise RlxError("RLX202", "array_split of a symbolic axis", fix="split into parts that divide, or static sizes")
    each, more = divmod(size, indices_or_sections)
    lengths = [each + 1] * more + [each] * (indices_or_sections - more)
    return _parts(value, place, np.cumsum(lengths)[:-1].tolist())


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
        raise RlxError("RLX202", "unstack of a symbolic axis", fix="rlx.scan, or a static size")
    return tuple(front[i] for i in range(front.shape[0]))
