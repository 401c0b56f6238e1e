"""How often numbers fall into bins."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dtype import f32, i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_array, as_value
from rlx.frontends.numpy.creation import linspace
from rlx.frontends.numpy.dtypes import isdtype, result_type
from rlx.frontends.numpy.search import positions
from rlx.frontends.numpy.values import emit, floating, promoted, size_of
from rlx.ir.array_methods import Array
from rlx.ir.questions import known_int
from rlx.ir.value import Value, as_dtype

__all__ = ["bincount", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]


def bincount(x: ArrayLike, weights: ArrayLike | None = None, minlength: int = 0, *, length: int | None = None) -> Array:
    """How often each of 0, 1, … occurs, or the sums of their weights. Traced, `length` says how many are counted.

    Negative numbers count as 0; those from `length` on are left out.
    """
    if length is None:
        largest = known_int(x.max()) if isinstance(x, Value) else None
        if isinstance(x, Value) and largest is None:
            fix = "bincount(x, length=n): counts of 0 to n - 1"
            raise RlxError("RLX202", "the largest number in x is known only in a run", fix=fix)
        known = np.asarray(as_array(x)) if largest is None else np.asarray(largest)
        length = max(minlength, int(known.max()) + 1 if known.size else 0)
    return _bincount(x, weights, length=length)


@array_function
def _bincount(x: ArrayLike, weights: ArrayLike | None, length: int) -> Value:

    like = x if isinstance(x, Value) else weights
    value = as_value(x, like)
    if not value.dtype.is_integer:
        raise RlxError("RLX103", f"bincount of {value.dtype}", fix="integers")
    flat = value.reshape(size_of(value.shape))
    terms = emit("eq", flat, flat).astype("i32") if weights is None else as_value(weights, flat)
    if terms.dtype.is_bool:
        terms = terms.astype("i32")
    places = emit("max", as_dtype(flat, i32), 0)
    return emit("scatter_add", terms, places, out_dim=length, mode="fill")


# -- edges ----------------------------------------------------------------------------------------------------------
Range = Sequence[float] | None


def histogram_bin_edges(a: ArrayLike, bins: Any = 10, range: Range = None, weights: ArrayLike | None = None) -> Array:
    """The edges of bins: so many of equal width over the range of a, or those that are given."""
    if isinstance(bins, str):
        raise RlxError("RLX109", f"bins={bins!r}", fix="a number of bins, or their edges")
    if not isinstance(bins, (int, np.integer)):
        return bins if isinstance(bins, Value) else as_array(bins)
    return _even_edges(a, range_=None if range is None else tuple(map(float, range)), bins=int(bins))


@array_function
def _even_edges(a: ArrayLike, range_: tuple[float, ...] | None, bins: int) -> Value:

    value = floating(a)
    flat = value.reshape(size_of(value.shape))
    if range_ is not None or flat.shape[0] == 0:
        low, high = (0.0, 1.0) if range_ is None else range_
        low, high = (low - 0.5, high + 0.5) if low == high else (low, high)
        return as_value(linspace(low, high, bins + 1, dtype=value.dtype), value)
    low = emit("reduce_min", flat, axes=(0,), keep_dim=False)
    high = emit("reduce_max", flat, axes=(0,), keep_dim=False)
    same = low == high
    low, high = emit("where", same, low - 0.5, low), emit("where", same, high + 0.5, high)
    return linspace(low, high, bins + 1)  # type: ignore[return-value]


def _bin_of(x: Value, edges: Value) -> Value:
    """The bin of each element of x; the number of bins for what is in none. The last bin includes its end."""
    line, queries = promoted(edges, x)
    count = int(line.shape[0]) - 1
    place = positions(line, queries, "right") - 1
    place = emit("where", queries == line[-1], count - 1, place)
    return emit("where", (queries >= line[0]) & (queries <= line[-1]), place, count)


# -- counts ---------------------------------------------------------------------------------------------------------
def histogram(
    a: ArrayLike, bins: Any = 10, range: Range = None, weights: ArrayLike | None = None, density: bool | None = None
) -> tuple[Array, Array]:
    """How many elements are in each bin, or the sums of their weights; and the edges of the bins.

    Both have the dtype that the elements and weights have together, f32 for integers.
    """
    arrays = [each if isinstance(each, Value) else as_array(each) for each in (a, weights) if each is not None]
    common = result_type(*arrays)
    kind = common if isdtype(common, ("real floating", "complex floating")) else f32
    elements = arrays[0].astype(kind)
    edges = histogram_bin_edges(elements, bins, range, weights)
    found = _counts([elements], [edges], weights, density=bool(density))
    return found.astype(kind), edges


def histogram2d(
    x: ArrayLike,
    y: ArrayLike,
    bins: Any = 10,
    range: Sequence[Range] | None = None,
    weights: ArrayLike | None = None,
    density: bool | None = None,
) -> tuple[Array, Array, Array]:
    """How many pairs are in each bin of a plane, and the edges of both axes."""
    both = bins if isinstance(bins, (list, tuple)) and len(bins) == 2 else [bins, bins]
    edges = [
        histogram_bin_edges(each, own, limits)
        for each, own, limits in zip((x, y), both, (None, None) if range is None else range, strict=True)
    ]
    return _counts([x, y], edges, weights, density=bool(density)), edges[0], edges[1]


def histogramdd(
    sample: ArrayLike,
    bins: Any = 10,
    range: Sequence[Range] | None = None,
    weights: ArrayLike | None = None,
    density: bool | None = None,
) -> tuple[Array, list[Array]]:
    """How many of the points `[n, d]` are in each bin of a space, and the edges of all axes."""
    points = sample if isinstance(sample, Value) else as_array(sample)
    if len(points.shape) != 2:
        raise RlxError("RLX102", f"histogramdd of points of shape {points.shape}", fix="[points, coordinates]")
    count = int(points.shape[1])
    own = list(bins) if isinstance(bins, (list, tuple)) else [bins] * count
    limits = [None] * count if range is None else list(range)
    columns = [points[:, i] for i in builtins.range(count)]
    edges = [histogram_bin_edges(*each) for each in zip(columns, own, limits, strict=True)]
    return _counts(columns, edges, weights, density=bool(density)), edges


@array_function
def _counts(xs: Sequence[ArrayLike], edges: Sequence[ArrayLike], weights: ArrayLike | None, density: bool) -> Value:

    like = next(each for each in (*xs, *edges) if isinstance(each, Value))
    lines = [as_value(each, like) for each in edges]
    values = [as_value(each, like) for each in xs]
    values = [value.reshape(size_of(value.shape)) for value in values]
    sizes = [int(line.shape[0]) - 1 for line in lines]
    place: Value | None = None
    outside: Value | None = None
    for value, line, size in zip(values, lines, sizes, strict=True):
        here = _bin_of(value, line)
        out = here == size
        place = here if place is None else place * size + here
        outside = out if outside is None else outside | out
    assert place is not None
    total = int(np.prod(sizes))
    if weights is None:
        terms = emit("eq", place, place).astype("i32")
    else:
        terms = floating(as_value(weights, place))
        terms = terms.reshape(size_of(terms.shape))
    flat = emit("scatter_add", terms, emit("where", outside, total, place), out_dim=total, mode="fill")
    found = flat.reshape(tuple(sizes))
    return _per_volume(found.astype("f32") if weights is None else found, lines) if density else found


def _per_volume(counts: Value, edges: Sequence[Value]) -> Value:
    """Counts divided by their sum and the size of each bin."""
    found = counts / emit("reduce_sum", counts, axes=tuple(range(counts.rank)), keep_dim=False)
    for axis, line in enumerate(edges):
        widths = as_dtype(line[1:] - line[:-1], found.dtype)
        found = found / widths.reshape(tuple(-1 if i == axis else 1 for i in range(counts.rank)))
    return found
