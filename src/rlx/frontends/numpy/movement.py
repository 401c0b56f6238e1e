"""Functions that rearrange elements: reshaping, permuting axes, flipping, rolling, repeating."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlx.core.dim import Dim, Size
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_array, as_value, axes_of, axis_of, emit, size_of, sizes_of
from rlx.ir.array_methods import Array
from rlx.ir.questions import known_int
from rlx.ir.value import Value

__all__ = [
    "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "expand_dims", "flip",
    "fliplr", "flipud", "matrix_transpose", "moveaxis", "permute_dims", "ravel", "repeat", "reshape", "resize", "roll", "rollaxis",
    "rot90", "squeeze", "swapaxes", "tile", "transpose",
]  # fmt: skip


Axis = int | Sequence[int] | None


@array_function
def reshape(x: ArrayLike, /, shape: Size | Sequence[Size], order: str = "C", *, copy: bool | None = None) -> Value:
    """Another shape with the same elements; one size may be -1."""
    if order not in ("C", "F"):
        raise RlxError("RLX109", f"reshape with order={order!r}", fix="'C' or 'F'")
    value, sizes = as_value(x), sizes_of(shape)
    if order == "C":
        return value.reshape(sizes)
    return value.T.reshape(tuple(reversed(sizes))).T


@array_function
def ravel(x: ArrayLike, order: str = "C") -> Value:
    """One axis with all elements."""
    value = as_value(x)
    return (value.T if order == "F" else value).reshape(size_of(value.shape))


@array_function
def permute_dims(x: ArrayLike, /, axes: Sequence[int] | None = None) -> Value:
    """Axes in another order; reversed by default."""
    value = as_value(x)
    order = tuple(reversed(range(value.rank))) if axes is None else axes_of(tuple(axes), value.rank, "transpose")
    if len(order) != value.rank:
        raise RlxError("RLX104", f"transpose of {value.type} with axes {axes}", fix="name every axis once")
    return value if order == tuple(range(value.rank)) else emit("transpose", value, perm=order)


transpose = permute_dims


@array_function
def matrix_transpose(x: ArrayLike, /) -> Array:
    """The last two axes swapped."""
    value = as_value(x)
    if value.rank < 2:
        raise RlxError("RLX102", f"matrix_transpose of {value.type}", fix="an array of at least two axes")
    return swapaxes(value, -1, -2)


@array_function
def swapaxes(x: ArrayLike, axis1: int, axis2: int) -> Array:
    """Two axes exchanged."""
    value = as_value(x)
    first, second = axis_of(axis1, value.rank, "swapaxes"), axis_of(axis2, value.rank, "swapaxes")
    order = list(range(value.rank))
    order[first], order[second] = second, first
    return permute_dims(value, tuple(order))


@array_function
def moveaxis(x: ArrayLike, /, source: int | Sequence[int], destination: int | Sequence[int]) -> Array:
    """Axes moved to other places; the others keep their order."""
    value = as_value(x)
    come, go = axes_of(source, value.rank, "moveaxis"), axes_of(destination, value.rank, "moveaxis")
    if len(come) != len(go):
        raise RlxError("RLX104", f"moveaxis from {source} to {destination}", fix="as many places as axes")
    order = [axis for axis in range(value.rank) if axis not in come]
    for target, axis in sorted(zip(go, come, strict=True)):
        order.insert(target, axis)
    return permute_dims(value, tuple(order))


@array_function
def rollaxis(x: ArrayLike, axis: int, start: int = 0) -> Array:
    """Moves an axis before another."""
    value = as_value(x)
    axis = axis_of(axis, value.rank, "rollaxis")
    start = start + value.rank if start < 0 else start
    return moveaxis(value, axis, start - (start > axis))


@array_function
def expand_dims(x: ArrayLike, /, axis: int | Sequence[int] = 0) -> Value:
    """New axes of size 1, at these places of the result."""
    value = as_value(x)
    count = len(axis) if isinstance(axis, (tuple, list)) else 1
    places = axes_of(axis, value.rank + count, "expand_dims")
    left = iter(value.shape)
    return value.reshape(tuple(1 if i in places else next(left) for i in range(value.rank + count)))


@array_function
def squeeze(x: ArrayLike, /, axis: Axis = None) -> Value:
    """Removes axes of size 1: the given ones, or all of them."""
    value = as_value(x)
    if axis is None:
        gone = tuple(i for i, size in enumerate(value.shape) if isinstance(size, int) and size == 1)
    else:
        gone = axes_of(axis, value.rank, "squeeze")
        for i in gone:
            if value.shape[i] != 1:
                raise RlxError("RLX102", f"squeeze of axis {i}, which has size {value.shape[i]}", fix="axes of size 1")
    return value.reshape(tuple(size for i, size in enumerate(value.shape) if i not in gone)) if gone else value


@array_function
def broadcast_to(x: ArrayLike, /, shape: Size | Sequence[Size]) -> Value:
    """The array repeated along axes of size 1 and new leading ones."""
    value, sizes = as_value(x), sizes_of(shape)
    return value if value.shape == sizes else emit("expand", value, shape=sizes)


@array_function
def broadcast_arrays(*arrays: ArrayLike) -> list[Array]:
    """Arrays broadcast to their common shape."""
    values = _together(arrays)
    shape = broadcast_sizes(*(value.shape for value in values))
    return [as_value(broadcast_to(value, shape)) for value in values]


def _together(arrays: Sequence[Any]) -> list[Value]:
    like = next(each for each in arrays if isinstance(each, Value))
    return [as_value(each, like) for each in arrays]


def broadcast_sizes(*shapes: Sequence[Size]) -> tuple[Size, ...]:
    """The shape to which these shapes broadcast."""
    rank = builtins.max((len(shape) for shape in shapes), default=0)
    sizes: list[Size] = [1] * rank
    for shape in shapes:
        for i, size in enumerate(shape, rank - len(shape)):
            if sizes[i] == 1:
                sizes[i] = size
            elif size != 1 and size != sizes[i]:
                raise RlxError("RLX102", f"shapes {list(shapes)} do not broadcast", fix="equal sizes, or 1")
    return tuple(sizes)


def broadcast_shapes(*shapes: Any) -> tuple[Size, ...]:
    """The shape to which these shapes broadcast; each is a tuple or a single size."""
    return broadcast_sizes(*(sizes_of(shape) for shape in shapes))


@array_function
def flip(x: ArrayLike, /, axis: Axis = None) -> Value:
    """Elements in reverse order along axes, all by default."""
    value = as_value(x)
    axes = axes_of(axis, value.rank, "flip")
    return emit("flip", value, axes=axes) if axes else value


@array_function
def flipud(x: ArrayLike) -> Array:
    """Rows in reverse order."""
    return flip(as_value(x), 0)


@array_function
def fliplr(x: ArrayLike) -> Array:
    """Columns in reverse order."""
    return flip(as_value(x), 1)


@array_function
def roll(x: ArrayLike, /, shift: int | Sequence[int], axis: Axis = None) -> Array:
    """Shifts elements along axes; those shifted past the end wrap around to the start."""
    value = as_value(x)
    if axis is None:
        total = int(np.sum(shift))
        return roll(value.reshape(size_of(value.shape)), total, 0).reshape(value.shape)
    places: tuple[Any, ...] = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    shifts: tuple[Any, ...] = tuple(shift) if isinstance(shift, (tuple, list)) else (shift,) * len(places)
    if len(shifts) == 1:
        shifts *= len(places)
    places = places * len(shifts) if len(places) == 1 else places
    if len(shifts) != len(places):
        raise RlxError("RLX104", f"roll by {shift} along axes {axis}", fix="as many shifts as axes")
    rolled = value
    for by, along in zip(shifts, places, strict=True):
        rolled = emit("roll", rolled, shift=(int(by),), axes=(axis_of(along, value.rank, "roll"),))
    return rolled


@array_function
def rot90(m: ArrayLike, k: int = 1, axes: Sequence[int] = (0, 1)) -> Array:
    """Rotates by 90 degrees k times, from the first axis toward the second."""
    value = as_value(m)
    first, second = axes_of(tuple(axes), value.rank, "rot90")
    turns = k % 4
    if turns == 0:
        return value
    if turns == 2:
        return flip(value, (first, second))
    if turns == 1:
        return swapaxes(flip(value, second), first, second)
    return flip(swapaxes(value, first, second), second)


@array_function
def atleast_1d(*arrays: ArrayLike) -> Array | Any:
    """Arrays with at least one axis."""
    raised = [value.reshape(1) if value.rank == 0 else value for value in _together(arrays)]
    return raised[0] if len(raised) == 1 else raised


@array_function
def atleast_2d(*arrays: ArrayLike) -> Array | Any:
    """Arrays with at least two axes, new ones in front."""
    raised = [value.reshape((1,) * (2 - value.rank) + value.shape) if value.rank < 2 else value for value in _together(arrays)]
    return raised[0] if len(raised) == 1 else raised


@array_function
def atleast_3d(*arrays: ArrayLike) -> Array | Any:
    """Arrays with at least three axes, as NumPy places them."""
    shapes: dict[int, Callable[[Any], Any]] = {0: lambda s: (1, 1, 1), 1: lambda s: (1, s[0], 1), 2: lambda s: (*s, 1)}
    raised = [value.reshape(shapes[value.rank](value.shape)) if value.rank < 3 else value for value in _together(arrays)]
    return raised[0] if len(raised) == 1 else raised


# -- repeated elements and arrays ----------------------------------------------------------------------------------


@array_function
def tile(x: ArrayLike, /, reps: Size | Sequence[Size]) -> Value:
    """The array tiled `reps[i]` times along axis i."""
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
    """Repeats each element. Counts that are traced need `total_repeat_length`."""
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
    """The array and the axis to repeat along; a number counts as an axis of one."""
    value = as_value(x)
    if axis is None or not value.rank:
        value, axis = value.reshape(size_of(value.shape)), axis or 0
    return value, axis_of(axis, value.rank, "repeat")


@array_function
def _repeat_times(x: ArrayLike, times: Size, axis: int | None) -> Value:

    value, axis = _along(x, axis)
    apart = expand_dims(value, axis + 1)
    spread = tuple(times if i == axis + 1 else size for i, size in enumerate(apart.shape))
    merged = tuple(size * times if i == axis else size for i, size in enumerate(value.shape))
    return emit("expand", apart, shape=spread).reshape(merged)


@array_function
def _repeat_by_index(x: ArrayLike, index: ArrayLike, axis: int | None, size: int) -> Value:
    """Gathers the repeated elements by index, along an axis of this size."""
    value, axis = _along(x, axis)
    if value.shape[axis] != size:
        raise RlxError("RLX102", f"repeat with {size} counts for {value.shape[axis]} elements", fix="one for each")
    return emit("gather", value, as_value(index, value), axis=axis)


@array_function
def _repeat_by_counts(x: ArrayLike, repeats: ArrayLike, axis: int | None, total: int) -> Value:
    """Repeats by traced counts: each output is the element whose last copy is the first not before it."""
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
    """Changes the shape; too few elements are repeated in order."""
    value, sizes = as_value(x), sizes_of(new_shape)
    wanted, have = size_of(sizes), size_of(value.shape)
    if not isinstance(wanted, int) or not isinstance(have, int):
        raise RlxError("RLX202", "resize of symbolic sizes", fix="static sizes")
    flat = value.reshape(have)
    if have == 0:
        raise RlxError("RLX102", f"resize of no elements to {list(sizes)}", fix="an array with elements")
    times = -(-wanted // have)
    return (tile(flat, builtins.max(times, 1)) if times != 1 else flat)[:wanted].reshape(sizes)
