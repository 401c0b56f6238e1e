"""Order and search: sorting, positions, what is taken along an axis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from rlx.core.dim import Size
from rlx.core.dtype import boolean, i32, i64
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value, axis_of, emit, floating, full_value, promote_values, size_of
from rlx.frontends.numpy.elementwise import zero_like
from rlx.frontends.numpy.movement import broadcast_to
from rlx.ir.array_methods import Array
from rlx.ir.emit import size_scalar
from rlx.ir.questions import known_int
from rlx.ir.value import Value, as_dtype
from rlx.runtime.array import ConcreteArray

__all__ = [
    "argpartition", "argsort", "digitize", "lexsort", "nonzero", "partition", "searchsorted", "sort", "sort_complex", "take",
    "take_along_axis",
]  # fmt: skip


def _along(x: Any, axis: int | None, what: str) -> tuple[Value, int]:
    value = as_value(x)
    if axis is None:
        return value.reshape(size_of(value.shape)), 0
    return value, axis_of(axis, value.rank, what)


def _complex_order(x: Value, axis: int, descending: bool) -> Value:
    """Orders complex numbers by real parts, equal ones by imaginary parts."""
    order = emit("argsort", emit("imag", x), axis=axis, descending=descending)
    real = emit("take_along_axis", emit("real", x), order, axis=axis)
    return emit("take_along_axis", order, emit("argsort", real, axis=axis, descending=descending), axis=axis)


@array_function
def sort(
    x: ArrayLike, /, axis: int | None = -1, *, stable: bool = True, descending: bool = False, kind: str | None = None
) -> Value:
    """Sorted along an axis, smallest first; complex numbers by real, then imaginary parts. Descending, it is mirrored."""
    value, axis = _along(x, axis, "sort")
    if value.dtype.is_complex:
        rising = emit("take_along_axis", value, _complex_order(value, axis, False), axis=axis)
    elif value.dtype.is_bool:
        rising = emit("sort", value.astype("u8"), axis=axis, descending=False).astype(value.dtype)
    else:
        rising = emit("sort", value, axis=axis, descending=False)
    return emit("flip", rising, axes=(axis,)) if descending else rising


@array_function
def argsort(
    x: ArrayLike, /, axis: int | None = -1, *, stable: bool = True, descending: bool = False, kind: str | None = None
) -> Value:
    """The order that sorts along an axis; equal elements keep theirs, but descending with stable=False they are mirrored."""
    if descending and not stable:
        return emit("flip", argsort(x, axis), axes=(0 if axis is None else axis,))
    value, axis = _along(x, axis, "argsort")
    if value.dtype.is_complex:
        return _complex_order(value, axis, descending)
    value = value.astype("u8") if value.dtype.is_bool else value
    return emit("argsort", value, axis=axis, descending=descending)


@array_function
def take(
    x: ArrayLike,
    /,
    indices: ArrayLike,
    axis: int | None = None,
    mode: str | None = None,
    fill_value: float | None = None,
    **hints: bool,
) -> Value:
    """Elements at positions along an axis, of the flattened array by default.

    A position outside reads NaN (integers: the one furthest from zero) or the fill value; with mode='wrap' it counts around. mode='clip'
    reads the nearest element inside, also for negative positions, which otherwise count from the end.
    """
    check_mode("take", mode, ("fill", "clip", "wrap"), hints)
    like = next(each for each in (x, indices) if isinstance(each, Value))
    value, axis = _along(as_value(x, like), axis, "take")
    index = as_value(indices, like)
    index = as_dtype(index, i32) if not index.dtype.is_integer else index
    size = size_scalar(value, value.shape[axis])
    if mode in (None, "fill"):
        taken = emit("gather", value, index, axis=axis, mode="fill")
        shape = (*index.shape, *(1,) * (value.rank - axis - 1))
        return _or_fill(taken, index, value.shape[axis], shape, fill_value)
    if mode == "wrap":
        index = emit("mod", index, as_dtype(size, index.dtype))
    else:
        index = emit("clamp", index, 0, emit("max", as_dtype(size, index.dtype) - 1, 0))
    return emit("gather", value, index, axis=axis)


_HINTS = {"unique_indices", "indices_are_sorted"}


def check_mode(what: str, mode: str | None, modes: Sequence[str], hints: Iterable[str]) -> None:
    """Checks that the function has this mode, and gets no keywords but JAX's hints."""
    if mode is not None and mode not in modes:
        raise RlxError("RLX109", f"{what} with mode={mode!r}", fix=f"one of: {', '.join(map(repr, modes))}")
    if unknown := set(hints) - _HINTS:
        fix = f"one of: mode, fill_value, {', '.join(sorted(_HINTS))}"
        raise RlxError("RLX109", f"{what} got an unexpected keyword argument {min(unknown)!r}", fix=fix)


def _or_fill(taken: Value, indices: Value, size: Size, shape: Sequence[Size], fill_value: Any) -> Value:
    """Replaces NaN that the op's `fill` mode read outside, if another value is wanted or the dtype has no NaN."""
    if fill_value is None and taken.dtype.is_float:
        return taken
    limit = as_dtype(size_scalar(taken, size), i32)
    places = as_dtype(indices, i32) if indices.dtype is not i64 else indices
    there = (places >= -limit) & (places < limit)
    return or_fill(taken, there.reshape(tuple(shape)), fill_value)


def or_fill(elements: Value, there: Value, fill_value: Any) -> Value:
    """Selects elements, and the fill value where they do not exist: by default NaN, the integer furthest from zero, or True."""
    if fill_value is None:
        kind = elements.dtype
        fill_value = not kind.is_integer or int(np.iinfo(kind.numpy).min or np.iinfo(kind.numpy).max)  # type: ignore[type-var]
        fill_value = np.nan if kind.is_float or kind.is_complex else fill_value
    fill = as_dtype(promote_values(elements, fill_value)[1], elements.dtype)
    return emit("where", there, elements, fill)


@array_function
def take_along_axis(
    x: ArrayLike, /, indices: ArrayLike, axis: int | None = -1, mode: str | None = None, fill_value: float | None = None
) -> Value:
    """Elements at positions of their own for each place along an axis.

    A position outside reads NaN (integers: the one furthest from zero) or the fill value; with mode='clip' the nearest element inside.
    """
    check_mode("take_along_axis", mode, ("fill", "drop", "clip", "promise_in_bounds"), ())
    like = next(each for each in (x, indices) if isinstance(each, Value))
    value, axis = _along(as_value(x, like), axis, "take_along_axis")
    index = as_value(indices, like)
    if index.rank != value.rank:
        raise RlxError("RLX102", f"take_along_axis of {value.type} at {index.type}", fix="as many axes")
    around = tuple(1 if i == axis else size for i, size in enumerate(value.shape))
    wanted = tuple(mine if i == axis or around[i] == 1 else around[i] for i, mine in enumerate(index.shape))
    spread = tuple(size if i == axis or wanted[i] == size else wanted[i] for i, size in enumerate(value.shape))
    lines, places = broadcast_to(value, spread), as_value(broadcast_to(index, wanted))
    if mode in ("clip", "promise_in_bounds"):
        return emit("take_along_axis", lines, places, axis=axis)
    taken = emit("take_along_axis", lines, places, axis=axis, mode="fill")
    return _or_fill(taken, places, value.shape[axis], wanted, fill_value)


# -- positions of what is not zero ----------------------------------------------------------------------------------
def nonzero(x: ArrayLike, /, *, size: int | None = None, fill_value: Any = None) -> tuple[Array, ...]:
    """The positions of elements that are not zero, by axis; traced, `size` says how many are returned."""
    if size is None and not isinstance(x, Value):
        from rlx.frontends.numpy.creation import asarray

        return tuple(ConcreteArray(part.astype(np.int32)) for part in np.nonzero(np.asarray(asarray(x))))
    if size is None:
        size = known_int(as_dtype(x, boolean).astype("i32").sum())
    if size is None:
        fix = "nonzero(x, size=n): the first n, then fill_value"
        raise RlxError("RLX202", "how many elements are not zero is known only in a run", fix=fix)
    return _first_nonzero(x, size=size, fill_value=fill_value)


@array_function
def _first_nonzero(x: ArrayLike, size: int, fill_value: Any) -> tuple[Value, ...]:
    """The first positions where an element is not zero, by a stable sort on whether it is."""
    value = as_value(x)
    total = size_of(value.shape)
    flags = as_dtype(value.reshape(total), boolean)
    order = emit("argsort", emit("not", flags).astype("i32"), axis=0, descending=False)
    count = emit("reduce_sum", flags.astype("i32"), axes=(0,), keep_dim=False)
    places = emit("iota", shape=(size,), axis=0, dtype=i32, graph=value.graph)
    taken = emit("gather", order, places, axis=0)
    coordinates = []
    for axis in reversed(range(value.rank)):
        length = size_scalar(value, value.shape[axis])
        coordinates.append(emit("mod", taken, length))
        taken = emit("floor_div", taken, length)
    fills = fill_value if isinstance(fill_value, (tuple, list)) else [0 if fill_value is None else fill_value] * value.rank
    pairs = zip(reversed(coordinates), fills, strict=True)
    return tuple(emit("where", places < count, part, fill) for part, fill in pairs)


# -- places in sorted axes and orders by several keys ----------------------------------------------------------------


def before(x: Value, y: Value) -> Value:
    """Whether x is sorted before y: NaN comes last."""
    is_less: Value = emit("lt", x, y)
    if x.dtype.is_float:
        is_less = is_less | (emit("is_nan", y) & emit("not", emit("is_nan", x)))
    return is_less


def positions(line: Value, queries: Value, side: str) -> Value:
    """The insertion positions of queries in a sorted line `[n]`."""
    return emit("searchsorted", line, queries, side=side)


@array_function
def searchsorted(a: ArrayLike, v: ArrayLike, side: str = "left", sorter: ArrayLike | None = None, *, method: str = "scan") -> Value:
    """The places (i32) where v would be put into sorted a, before equal elements or, with side='right', behind them."""
    if side not in ("left", "right"):
        raise RlxError("RLX109", f"searchsorted with side={side!r}", fix="'left' or 'right'")
    line, queries = promote_values(a, v)
    if line.rank != 1:
        raise RlxError("RLX102", f"searchsorted in {line.type}", fix="one sorted axis; rlx.vmap for more")
    if sorter is not None:
        line = emit("gather", line, as_value(sorter, line), axis=0)
    if line.dtype.is_bool:
        line, queries = line.astype("u8"), queries.astype("u8")
    return positions(line, queries, side)


@array_function
def digitize(x: ArrayLike, bins: ArrayLike, right: bool = False, *, method: str | None = None) -> Value:
    """The number of the bin of each element; bins rise or fall."""
    queries, edges = promote_values(x, bins)
    count = edges.shape[0]
    if count == 0:
        return full_value(queries, queries.shape, 0, i32)
    rising = positions(edges, queries, "left" if right else "right")
    mirrored = positions(emit("flip", edges, axes=(0,)), queries, "right" if right else "left")
    falling = size_scalar(edges, count, i32) - mirrored
    return emit("where", edges[0] <= edges[-1], rising, falling)


@array_function
def partition(a: ArrayLike, kth: int | Sequence[int], axis: int | None = -1) -> Array:
    """Elements around the kth along an axis: it and smaller ones before, ascending; larger ones behind, descending.

    Floats are in `lax.top_k`'s total order, -NaN < -inf < … < -0 < 0 < … < inf < NaN. Around several places, the array is sorted.
    """
    value, axis = _along(a, axis, "partition")
    before, behind = _order_around(value, kth, axis, "partition")
    order = emit("concat", before, emit("flip", behind, axes=(axis,)), axis=axis) if behind is not None else before
    return emit("take_along_axis", value, order, axis=axis)


@array_function
def argpartition(a: ArrayLike, kth: int | Sequence[int], axis: int | None = -1) -> Array:
    """An order around the kth element: as `partition` before it, rising positions behind it."""
    value, axis = _along(a, axis, "argpartition")
    before, behind = _order_around(value, kth, axis, "argpartition")
    if behind is None:
        return before
    return emit("concat", before, emit("sort", behind, axis=axis, descending=False), axis=axis)


def _order_around(value: Value, kth: int | Sequence[int], axis: int, what: str) -> tuple[Value, Value | None]:
    """The order up to the kth element and behind it; for several places and complex numbers the full order, and None."""
    size = value.shape[axis]
    places = tuple(kth) if isinstance(kth, (tuple, list)) else (kth,)
    for each in places:
        if isinstance(size, int) and not -size <= int(each) < size:
            raise RlxError("RLX115", f"{what} around place {each} of {size}", fix=f"{-size} to {size - 1}")
    if len(places) > 1 or value.dtype.is_complex:
        return as_value(argsort(value, axis)), None
    order = emit("argsort", value, axis=axis, descending=False, total=True)
    count = int(places[0]) + 1 + (size if int(places[0]) < 0 else 0)
    return emit("narrow", order, axis=axis, start=0, length=count), emit(
        "narrow", order, axis=axis, start=count, length=size - count
    )


@array_function
def lexsort(keys: Sequence[ArrayLike], axis: int = -1) -> Array:
    """The order that sorts by the last key, equal ones by the key before, and so on."""
    if not keys:
        raise RlxError("RLX109", "lexsort without keys", fix="at least one")
    like = next(each for each in keys if isinstance(each, Value))
    values = [as_value(each, like) for each in keys]
    order = argsort(values[0], axis)
    for value in values[1:]:
        sorted_so_far = take_along_axis(value, order, axis)
        order = take_along_axis(order, argsort(sorted_so_far, axis), axis)
    return order


@array_function
def sort_complex(a: ArrayLike, /) -> Array:
    """Sorted as complex numbers: by real parts, equal ones by imaginary parts."""
    value = floating(a)
    ordered = as_value(sort(value))
    return ordered if value.dtype.is_complex else emit("complex", ordered, zero_like(ordered))
