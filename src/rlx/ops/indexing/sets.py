"""Functions whose result would have a size that depends on the numbers, with a size that is given: positions of what is not zero, different
elements, and counts. They are composed of ops, so they compile, batch and differentiate like any graph.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rlx.core.dtype import i32
from rlx.core.errors import RlxError
from rlx.ir.value import one
from rlx.ops.indexing.gather import iota_like
from rlx.ops.indexing.order import argsort
from rlx.ops.record import Size, Value, as_dtype


def _flat(x: Value) -> Value:
    return x if x.rank == 1 else x.reshape(-1)


def _positions(chosen: Value, size: Size, fill_value: Any) -> Value:
    """The positions of what is true in a mask [n], in order: each goes where the running count of those before it says."""
    found = as_dtype(chosen, i32)
    place = one("cumsum", found, axis=0) - 1
    place = one("where", chosen, place, size)  # outside: dropped
    positions = one("scatter_add", iota_like(chosen, chosen.shape, 0), place, out_dim=size, mode="fill")
    return one("where", iota_like(chosen, (size,), 0) < found.sum(), positions, fill_value)


def nonzero(x: Value, *, size: Size, fill_value: int = 0) -> tuple[Value, ...]:
    """The positions (i32) of the elements that are not 0, one array of `size` for each axis of x, in row-major order.

    Positions beyond `size` are left out; missing ones are `fill_value` on every axis.
    """
    if not x.rank:
        raise RlxError("RLX102", "nonzero of a scalar", fix="reshape it to [1]")
    flat = _flat(x)
    chosen = flat if flat.dtype.is_bool else flat != 0
    rest = _positions(chosen, size, -1)
    missing, found = rest < 0, []
    for axis in range(x.rank - 1, 0, -1):
        count = x.shape[axis]
        found.append(one("mod", rest, count))
        rest = one("floor_div", rest, count)
    return tuple(one("where", missing, fill_value, index) for index in (rest, *reversed(found)))


class Unique(NamedTuple):
    """What `unique` finds: `inverse` has an entry for each element of x, the others one for each different element."""

    values: Value
    indices: Value
    inverse: Value
    counts: Value


def unique(x: Value, *, size: Size, fill_value: Any = None) -> Unique:
    """The different elements of x in ascending order, where each is first met, which of them each element is, and how often it occurs.

    The first `size` of them; missing values are `fill_value` (the smallest element unless it is given), with position 0 and
    count 0. All NaN count as one.
    """
    flat = _flat(x)
    order = argsort(flat, axis=0)
    ordered = one("gather", flat, order, axis=0)
    before, after = ordered[:-1], ordered[1:]
    differs = after != before
    if x.dtype.is_float:
        differs = differs & ~(one("is_nan", after) & one("is_nan", before))
    start = iota_like(flat, (1,), 0) == 0
    first = one("concat", start, differs, axis=0)
    group = one("cumsum", as_dtype(first, i32), axis=0) - 1
    counts = one("scatter_add", group * 0 + 1, group, out_dim=size, mode="fill")
    places = _positions(first, size, 0)
    missing = iota_like(flat, (size,), 0) > group[-1]
    values = one("gather", ordered, places, axis=0)
    values = one("where", missing, ordered[0] if fill_value is None else fill_value, values)
    indices = one("where", missing, 0, one("gather", order, places, axis=0))
    inverse = one("scatter_add", group, order, out_dim=flat.shape[0])
    return Unique(values, indices, inverse, counts)


def bincount(x: Value, *, length: Size, weights: Value | None = None) -> Value:
    """How often each of 0 … length − 1 occurs in the integers x, or the sums of their weights.

    Negative integers count as 0, larger ones are left out.
    """
    if not x.dtype.is_integer:
        raise RlxError("RLX103", f"bincount of {x.dtype}", fix="it takes integers: .astype('i32')")
    places = one("max", _flat(x), 0)
    terms = as_dtype(places * 0 + 1, i32) if weights is None else _flat(weights)
    return one("scatter_add", terms, places, out_dim=length, mode="fill")
