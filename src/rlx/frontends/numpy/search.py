"""Places in sorted axes and orders by several keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlx.core.dtype import i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.elementwise import zero_like
from rlx.frontends.numpy.ordering import argsort, sort, take_along_axis
from rlx.frontends.numpy.values import axis_of, emit, floating, full_value, promoted
from rlx.ir.array_methods import Array
from rlx.ir.emit import size_scalar
from rlx.ir.value import Value

__all__ = ["argpartition", "digitize", "lexsort", "partition", "searchsorted", "sort_complex"]


def before(x: Value, y: Value) -> Value:
    """Whether x is sorted before y: NaN comes last."""
    found: Value = emit("lt", x, y)
    if x.dtype.is_float:
        found = found | (emit("is_nan", y) & emit("not", emit("is_nan", x)))
    return found


def positions(line: Value, queries: Value, side: str) -> Value:
    """Where queries belong in a sorted line `[n]`."""
    return emit("searchsorted", line, queries, side=side)


@array_function
def searchsorted(a: ArrayLike, v: ArrayLike, side: str = "left", sorter: ArrayLike | None = None, *, method: str = "scan") -> Value:
    """The places (i32) where v would be put into sorted a, before equal elements or, with side='right', behind them."""
    if side not in ("left", "right"):
        raise RlxError("RLX109", f"searchsorted with side={side!r}", fix="'left' or 'right'")
    line, queries = promoted(a, v)
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
    queries, edges = promoted(x, bins)
    count = edges.shape[0]
    if count == 0:
        return full_value(queries, queries.shape, 0, i32)
    rising = positions(edges, queries, "left" if right else "right")
    mirrored = positions(emit("flip", edges, axes=(0,)), queries, "right" if right else "left")
    falling = size_scalar(edges, count, i32) - mirrored
    return emit("where", edges[0] <= edges[-1], rising, falling)


@array_function
def partition(a: ArrayLike, kth: int | Sequence[int], axis: int | None = -1) -> Array:
    """Elements around the kth along an axis: smaller ones before, larger ones behind. They are sorted, which is one such order."""
    return sort(_checked(a, kth, axis, "partition"), axis)


@array_function
def argpartition(a: ArrayLike, kth: int | Sequence[int], axis: int | None = -1) -> Array:
    """The order that `partition` puts elements in."""
    return argsort(_checked(a, kth, axis, "argpartition"), axis)


def _checked(a: Any, kth: int | Sequence[int], axis: int | None, what: str) -> Value:

    value = as_value(a)
    if axis is not None and value.rank:
        size = value.shape[axis_of(axis, value.rank, what)]
        for each in kth if isinstance(kth, (tuple, list)) else (kth,):
            if isinstance(size, int) and not -size <= int(each) < size:
                raise RlxError("RLX115", f"{what} around place {each} of {size}", fix=f"{-size} to {size - 1}")
    return value


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
