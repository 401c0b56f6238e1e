"""Order and search: sorting, positions, what is taken along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.core.dtype import boolean, i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.values import axis_of, emit, promoted, size_of
from rlx.ir.emit import size_scalar
from rlx.ir.value import Value, as_dtype
from rlx.runtime.array import Array

__all__ = [
    "argsort",
    "nonzero",
    "sort",
    "take",
    "take_along_axis",
]


def _along(x: Any, axis: int | None, what: str) -> tuple[Value, int]:
    value = as_value(x)
    if axis is None:
        return value.reshape(size_of(value.shape)), 0
    return value, axis_of(axis, value.rank, what)


def _complex_order(x: Value, axis: int, descending: bool) -> Value:
    """By real parts, equal ones by imaginary parts."""
    order = emit("argsort", emit("imag", x), axis=axis, descending=descending)
    real = emit("take_along_axis", emit("real", x), order, axis=axis)
    return emit("take_along_axis", order, emit("argsort", real, axis=axis, descending=descending), axis=axis)


@array_function
def sort(
    x: ArrayLike, /, axis: int | None = -1, *, stable: bool = True, descending: bool = False, kind: str | None = None
) -> Value:
    """Sorted along an axis, smallest first; complex numbers by real, then by imaginary parts."""
    value, place = _along(x, axis, "sort")
    if value.dtype.is_complex:
        return emit("take_along_axis", value, _complex_order(value, place, descending), axis=place)
    if value.dtype.is_bool:
        return emit("sort", value.astype("u8"), axis=place, descending=descending).astype(value.dtype)
    return emit("sort", value, axis=place, descending=descending)


@array_function
def argsort(
    x: ArrayLike, /, axis: int | None = -1, *, stable: bool = True, descending: bool = False, kind: str | None = None
) -> Value:
    """The order that sorts along an axis; equal elements keep theirs."""
    value, place = _along(x, axis, "argsort")
    if value.dtype.is_complex:
        return _complex_order(value, place, descending)
    value = value.astype("u8") if value.dtype.is_bool else value
    return emit("argsort", value, axis=place, descending=descending)


@array_function
def take(
    x: ArrayLike,
    /,
    indices: ArrayLike,
    axis: int | None = None,
    mode: str | None = None,
    fill_value: float | None = None,
) -> Value:
    """Elements at positions along an axis, of the flattened array by default.

    Outside they are clamped; with mode='wrap' counted around, with 'fill' NaN (0 for integers) or the fill value. With 'clip' negative
    positions are clamped too, and do not count from the end.
    """
    like = next(each for each in (x, indices) if isinstance(each, Value))
    value, place = _along(as_value(x, like), axis, "take")
    found = as_value(indices, like)
    found = as_dtype(found, i32) if not found.dtype.is_integer else found
    size = size_scalar(value, value.shape[place])
    if mode == "fill":
        return _or_fill(value, found, place, fill_value)
    if mode == "wrap":
        found = emit("mod", found, as_dtype(size, found.dtype))
    elif mode == "clip":
        found = emit("clamp", found, 0, emit("max", as_dtype(size, found.dtype) - 1, 0))
    return emit("gather", value, found, axis=place)


def _or_fill(value: Value, indices: Value, axis: int, fill_value: float | None) -> Value:
    """What is outside as a number, NaN or 0 by default."""
    found: Value = emit("gather", value, indices, axis=axis, mode="fill")
    if fill_value is None:
        return found
    size = as_dtype(size_scalar(value, value.shape[axis]), indices.dtype)
    inside = (indices >= -size) & (indices < size)
    mask = inside.reshape((*indices.shape, *(1,) * (value.rank - axis - 1)))
    return emit("where", mask, found, as_dtype(promoted(value, fill_value)[1], value.dtype))


@array_function
def take_along_axis(x: ArrayLike, /, indices: ArrayLike, axis: int | None = -1) -> Value:
    """Elements at positions of their own for each place along an axis."""
    like = next(each for each in (x, indices) if isinstance(each, Value))
    value, place = _along(as_value(x, like), axis, "take_along_axis")
    found = as_value(indices, like)
    if found.rank != value.rank:
        raise RlxError("RLX102", f"take_along_axis of {value.type} at {found.type}", fix="as many axes")
    around = tuple(1 if i == place else size for i, size in enumerate(value.shape))
    wanted = tuple(mine if i == place or around[i] == 1 else around[i] for i, mine in enumerate(found.shape))
    from rlx.frontends.numpy.movement import broadcast_to

    spread = tuple(size if i == place or wanted[i] == size else wanted[i] for i, size in enumerate(value.shape))
    return emit("take_along_axis", broadcast_to(value, spread), broadcast_to(found, wanted), axis=place)


# -- positions of what is not zero ----------------------------------------------------------------------------------
def nonzero(x: ArrayLike, /, *, size: int | None = None, fill_value: Any = None) -> tuple[Any, ...]:
    """The positions of elements that are not zero, by axis; traced, `size` says how many are returned."""
    if size is None and not isinstance(x, Value):
        from rlx.frontends.numpy.creation import asarray

        return tuple(Array(part.astype(np.int32)) for part in np.nonzero(asarray(x)._array))
    if size is None:
        fix = "nonzero(x, size=n): the first n, then fill_value"
        raise RlxError("RLX202", "how many elements are not zero is known only in a run", fix=fix)
    return _first_nonzero(x, size=size, fill_value=fill_value)


@array_function
def _first_nonzero(x: ArrayLike, size: int, fill_value: Any) -> tuple[Value, ...]:
    """The first positions where an element is not zero: the order of a stable sort by whether it is."""
    value = as_value(x)
    total = size_of(value.shape)
    flags = as_dtype(value.reshape(total), boolean)
    order = emit("argsort", emit("not", flags).astype("i32"), axis=0, descending=False)
    count = emit("reduce_sum", flags.astype("i32"), axes=(0,), keep_dim=False)
    places = emit("iota", shape=(size,), axis=0, dtype=i32, graph=value.graph)
    taken = emit("gather", order, places, axis=0)
    found = []
    for axis in reversed(range(value.rank)):
        length = size_scalar(value, value.shape[axis])
        found.append(emit("mod", taken, length))
        taken = emit("floor_div", taken, length)
    fills = (
        fill_value if isinstance(fill_value, (tuple, list)) else [0 if fill_value is None else fill_value] * value.rank
    )
    pairs = zip(reversed(found), fills, strict=True)
    return tuple(emit("where", places < count, part, fill) for part, fill in pairs)
