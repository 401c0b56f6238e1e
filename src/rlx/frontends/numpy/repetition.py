"""Elements and arrays over again."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dim import Dim, Size
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_array, as_value
from rlx.frontends.numpy.movement import expand_dims
from rlx.frontends.numpy.values import axis_of, emit, size_of, sizes_of
from rlx.ir.array_methods import Array
from rlx.ir.questions import known_int
from rlx.ir.value import Value

__all__ = ["repeat", "resize", "tile"]


@array_function
def tile(x: ArrayLike, /, reps: Size | Sequence[Size]) -> Value:
    """The array put side by side so many times along each axis."""
    value = as_value(x)
    times = sizes_of(reps)
    rank = builtins.max(len(times), value.rank)
    times = (1,) * (rank - len(times)) + tuple(times)
    shape = (1,) * (rank - value.rank) + tuple(value.shape)
    if builtins.all(isinstance(count, int) and count == 1 for count in times):
        return value.reshape(shape)
    apart = value.reshape(tuple(size for each in shape for size in (1, each)))
    spread = emit("expand", apart, shape=tuple(size for pair in zip(times, shape, strict=True) for size in pair))
    return spread.reshape(tuple(count * size for count, size in zip(times, shape, strict=True)))


def repeat(x: ArrayLike, /, repeats: Any, axis: int | None = None, *, total_repeat_length: int | None = None) -> Array:
    """Each element so many times. Counts of their own for each, where they are traced, need `total_repeat_length`."""
    if isinstance(repeats, Dim) or (isinstance(repeats, int) and repeats >= 0):
        return _repeat_times(x, times=repeats, axis=axis)
    if total_repeat_length is not None:
        return _repeat_by_counts(x, repeats, axis=axis, total=total_repeat_length)
    if isinstance(repeats, Value):
        total = known_int(repeats.sum()) if repeats.rank else known_int(repeats)
        if total is not None and repeats.rank:
            return _repeat_by_counts(x, repeats, axis=axis, total=total)
        if total is not None:
            return _repeat_times(x, times=total, axis=axis)
        message = "repeat with a count for each element has a size that is not known before the run"
        raise RlxError("RLX202", message, fix="give total_repeat_length=, or an int")
    counts = np.asarray(as_array(repeats))
    if counts.dtype.kind not in "iu" or counts.ndim > 1 or (counts < 0).any():
        raise RlxError("RLX109", f"repeat with counts {repeats!r:.60}", fix="an int, or one for each element")
    if counts.size == 1:
        return _repeat_times(x, times=int(counts.item()), axis=axis)
    index = np.repeat(np.arange(counts.size, dtype=np.int32), counts)
    return _repeat_by_index(x, index, axis=axis, size=counts.size)


def _along(x: Any, axis: int | None) -> tuple[Value, int]:
    """The array and the axis; one number counts as an axis of one."""
    value = as_value(x)
    if axis is None or not value.rank:
        value, axis = value.reshape(size_of(value.shape)), axis or 0
    return value, axis_of(axis, value.rank, "repeat")


@array_function
def _repeat_times(x: ArrayLike, times: Size, axis: int | None) -> Value:

    value, place = _along(x, axis)
    apart = expand_dims(value, place + 1)
    spread = tuple(times if i == place + 1 else size for i, size in enumerate(apart.shape))
    merged = tuple(size * times if i == place else size for i, size in enumerate(value.shape))
    return emit("expand", apart, shape=spread).reshape(merged)


@array_function
def _repeat_by_index(x: ArrayLike, index: ArrayLike, axis: int | None, size: int) -> Value:
    """The elements at positions along an axis of this size."""
    value, place = _along(x, axis)
    if value.shape[place] != size:
        raise RlxError("RLX102", f"repeat with {size} counts for {value.shape[place]} elements", fix="one for each")
    return emit("gather", value, as_value(index, value), axis=place)


@array_function
def _repeat_by_counts(x: ArrayLike, repeats: ArrayLike, axis: int | None, total: int) -> Value:
    """The element of a place is the one whose last copy is the first not before it."""
    value, axis = _along(as_value(x, repeats if isinstance(repeats, Value) else None), axis)
    counts = as_value(repeats, value)
    if counts.rank == 0 or counts.shape == (1,):
        counts = emit("expand", counts, shape=(value.shape[axis],))
    ends = emit("cumsum", counts, axis=0)
    places = emit("iota", shape=(total,), axis=0, dtype=ends.dtype, graph=value.graph)
    source = emit(
        "reduce_sum", (places.reshape((total, 1)) >= ends.reshape((1, ends.shape[0]))).astype("i32"), axes=(1,), keep_dim=False
    )
    source = emit("min", source, value.shape[axis] - 1) if isinstance(value.shape[axis], int) else source
    return emit("gather", value, source, axis=axis)


@array_function
def resize(x: ArrayLike, new_shape: Size | Sequence[Size]) -> Array:
    """Another shape, with the elements over again where there are too few."""
    value, sizes = as_value(x), sizes_of(new_shape)
    wanted, have = size_of(sizes), size_of(value.shape)
    if not isinstance(wanted, int) or not isinstance(have, int):
        raise RlxError("RLX202", "resize of symbolic sizes", fix="static sizes")
    flat = value.reshape(have)
    if have == 0:
        raise RlxError("RLX102", f"resize of no elements to {list(sizes)}", fix="an array with elements")
    times = -(-wanted // have)
    return (tile(flat, builtins.max(times, 1)) if times != 1 else flat)[:wanted].reshape(sizes)
