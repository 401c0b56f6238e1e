"""Arrays as sets. How many elements a result has depends on the numbers: on arrays it is known, traced it is given as `size=`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from rlx.core.dtype import DType, f32, i32, promote
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import (
    ArrayLike,
    array_function,
    as_array,
    as_value,
    axes_of,
    axis_of,
    emit,
    floating,
    promote_values,
    size_of,
)
from rlx.frontends.numpy.insertion import concat
from rlx.frontends.numpy.movement import broadcast_to
from rlx.frontends.numpy.ordering import nonzero, positions
from rlx.frontends.numpy.reductions import cumsum
from rlx.frontends.numpy.reductions import sum as total
from rlx.ir.array_methods import Array
from rlx.ir.emit import constant, size_scalar
from rlx.ir.questions import known_int
from rlx.ir.value import Value
from rlx.runtime.array import ConcreteArray

__all__ = [
    "diff", "ediff1d", "gradient", "interp", "intersect1d", "isin", "setdiff1d", "setxor1d", "trapezoid", "union1d", "unique",
    "unique_all", "unique_counts", "unique_inverse", "unique_values", "unwrap",
]  # fmt: skip


class UniqueAllResult(NamedTuple):
    """What `unique_all` finds."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """What `unique_counts` finds."""

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """What `unique_inverse` finds."""

    values: Array
    inverse_indices: Array


def need_size(name: str) -> RlxError:
    """Returns the error of a function on Values whose result has a size that depends on numbers."""
    fix = f"{name}(…, size=n): the first n, then fill_value"
    return RlxError("RLX202", f"how many elements {name} finds is known only in a run", fix=fix)


# -- in a trace: sorted elements, the first of each kind, and so many of them ---------------------------------------
class _Sorted(NamedTuple):
    """Sorted elements, which of them are the first of equal ones, and their original positions."""

    values: Value
    first: Value
    order: Value


def _sort_values(x: Value, equal_nan: bool) -> _Sorted:

    flat = x.reshape(size_of(x.shape))
    plain = flat.astype("u8") if flat.dtype.is_bool else flat
    order = emit("argsort", plain, axis=0, descending=False)
    ordered = emit("gather", plain, order, axis=0)
    here, before = ordered[1:], ordered[:-1]
    differs = emit("ne", here, before)
    if equal_nan and flat.dtype.is_float:
        differs = differs & emit("not", emit("is_nan", here) & emit("is_nan", before))
    start = constant(x.graph, np.ones(1, bool))
    return _Sorted(emit("gather", flat, order, axis=0), as_value(concat([start, differs], 0)), order)


def _first_of(mask: Value, size: int) -> tuple[Value, Value]:
    """The indices of the first `size` true elements, and which of these exist."""
    count = emit("reduce_sum", mask.astype("i32"), axes=(0,), keep_dim=False)
    there = emit("iota", shape=(size,), axis=0, dtype=i32, graph=mask.graph) < count
    return as_value(nonzero(mask, size=size)[0]), there


def _take_where(values: Value, mask: Value, size: int, fill_value: Any) -> Value:
    """Selects the first `size` elements where a mask is true; then the fill value, by default the first of them."""
    places, there = _first_of(mask, size)
    elements = emit("gather", values, places, axis=0)
    fill = elements[0] if fill_value is None else promote_values(elements, fill_value)[1].astype(elements.dtype)
    return emit("where", there, elements, fill)


@array_function
def _unique(x: ArrayLike, size: int, fill_value: Any, equal_nan: bool) -> tuple[Value, ...]:
    """Finds unique elements in a trace: (values, indices, inverse, counts) of a fixed size."""
    value = as_value(x)
    if value.dtype.is_complex:
        raise RlxError("RLX103", f"unique of {value.dtype} in a trace", fix="real numbers")
    ordered = _sort_values(value, equal_nan)
    places, there = _first_of(ordered.first, size)
    values = _take_where(ordered.values, ordered.first, size, fill_value)
    group = emit("cumsum", ordered.first.astype("i32"), axis=0) - 1
    inverse = emit("scatter", group * 0, ordered.order, group, axis=0, mode="set")
    counts = emit("scatter_add", group * 0 + 1, group, out_dim=size, mode="fill")
    indices = emit("gather", ordered.order, places, axis=0)
    indices = emit("where", there, indices, indices[0])
    return values, indices, inverse.reshape(value.shape), counts


# -- unique ---------------------------------------------------------------------------------------------------------
def _find_unique(x: ArrayLike, axis: int | None, equal_nan: bool, size: int | None, fill_value: Any, name: str) -> tuple[Any, ...]:
    """Finds unique elements on Values or on the host: (values, indices, inverse, counts)."""
    if isinstance(x, Value):
        if size is None:
            size = known_int(_sort_values(x, equal_nan).first.astype("i32").sum())
        if size is None:
            raise need_size(name)
        if axis is not None:
            raise RlxError("RLX105", f"{name} with axis={axis} in a trace", fix="without axis: of the flattened array")
        return _unique(x, size=size, fill_value=fill_value, equal_nan=equal_nan)
    host = np.asarray(as_array(x))
    if axis is None:
        values, indices, inverse, counts = np.unique(_as_sortable(host), True, True, True, equal_nan=equal_nan)
    else:
        values, indices, inverse, counts = _unique_parts(_as_sortable(host), axis, equal_nan)
    values = values.astype(host.dtype)
    if size is not None:
        along = 0 if axis is None else axis
        values = _to_size(values, size, fill_value, along)
        indices, counts = _to_size(indices, size, None, 0), _to_size(counts, size, 0, 0)
    positions = (indices, inverse.reshape(host.shape) if axis is None else inverse, counts)
    return (ConcreteArray(values), *(ConcreteArray(np.asarray(each).astype(np.int32)) for each in positions))


def _as_sortable(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Converts an array to a dtype that NumPy sorts: short floats of `ml_dtypes` as f32, which represents them exactly."""
    kept = x.dtype.kind in "biuc" or x.dtype.type.__module__ == "numpy"
    return x if kept else x.astype(np.float32 if DType.of(x.dtype).is_float else np.int32)


def _unique_parts(x: np.ndarray[Any, Any], axis: int, equal_nan: bool) -> tuple[np.ndarray[Any, Any], ...]:
    """Runs `np.unique` on slices along an axis; 0 equals -0 and, with `equal_nan`, NaN equals NaN."""
    rows = np.moveaxis(x, axis, 0).reshape(x.shape[axis], -1)
    keys = np.concatenate([rows.real, rows.imag], 1) if np.iscomplexobj(rows) else rows
    order = np.lexsort(keys.T[::-1]) if keys.size else np.arange(len(rows))
    here, before = keys[order][1:], keys[order][:-1]
    same = (here == before) | ((here != here) & (before != before) & equal_nan)
    first = np.concatenate([np.ones(min(len(rows), 1), bool), ~same.all(1)])
    inverse = np.empty(len(rows), np.int32)
    inverse[order] = np.cumsum(first) - 1
    indices = order[first]  # the sort is stable: the first of equal parts
    return np.take(x, indices, axis), indices, inverse, np.bincount(inverse, minlength=len(indices))


def _to_size(values: np.ndarray[Any, Any], size: int, fill_value: Any, axis: int) -> np.ndarray[Any, Any]:
    """Cuts or pads to `size`: pads with the fill value, by default the first element."""
    kept = np.take(values, np.arange(min(size, values.shape[axis])), axis)
    missing = size - kept.shape[axis]
    if not missing:
        return kept
    first = np.take(values, [0] * missing, axis)
    return np.concatenate([kept, first if fill_value is None else np.full_like(first, fill_value)], axis)


def unique(
    ar: ArrayLike,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    size: int | None = None,
    fill_value: Any = None,
    sorted: bool = True,
) -> Array | Any:
    """The different elements, sorted; where each is first, which of them each element is, how often each occurs.

    Traced, `size` says how many are returned: missing ones are `fill_value`, by default the smallest element.
    """
    parts = _find_unique(ar, axis, equal_nan, size, fill_value, "unique")
    wanted = (True, return_index, return_inverse, return_counts)
    kept = tuple(each for each, take in zip(parts, wanted, strict=True) if take)
    return kept[0] if len(kept) == 1 else kept


def unique_all(x: ArrayLike, /, *, size: int | None = None, fill_value: Any = None) -> UniqueAllResult:
    """The different elements (each NaN is one), where each is first, which each element is, and how often each occurs."""
    return UniqueAllResult(*_find_unique(x, None, False, size, fill_value, "unique_all"))


def unique_counts(x: ArrayLike, /, *, size: int | None = None, fill_value: Any = None) -> UniqueCountsResult:
    """The different elements and how often each occurs."""
    values, _, _, counts = _find_unique(x, None, False, size, fill_value, "unique_counts")
    return UniqueCountsResult(values, counts)


def unique_inverse(x: ArrayLike, /, *, size: int | None = None, fill_value: Any = None) -> UniqueInverseResult:
    """The different elements and which of them each element is."""
    values, _, inverse, _ = _find_unique(x, None, False, size, fill_value, "unique_inverse")
    return UniqueInverseResult(values, inverse)


def unique_values(x: ArrayLike, /, *, size: int | None = None, fill_value: Any = None) -> Array:
    """The different elements, sorted."""
    return _find_unique(x, None, False, size, fill_value, "unique_values")[0]


# -- of two sets ----------------------------------------------------------------------------------------------------
def _of_two(name: str, ar1: ArrayLike, ar2: ArrayLike, on_host: Callable[..., Any], size: int | None, fill_value: Any) -> Any:

    if isinstance(ar1, Value) or isinstance(ar2, Value):
        if size is None:
            raise need_size(name)
        return _combine_sets(ar1, ar2, name=name, size=size, fill_value=fill_value)
    common, (first, second) = _on_host(ar1, ar2)
    elements = on_host(first, second).astype(common)
    return ConcreteArray(elements if size is None else _to_size(elements, size, fill_value, 0))


def _on_host(*xs: ArrayLike) -> tuple[Any, list[np.ndarray[Any, Any]]]:
    """Promotes arrays on the host: their common dtype, and each in it as NumPy sorts it."""
    hosts = [np.asarray(as_array(x)) for x in xs]
    common = promote(*(DType.of(host.dtype) for host in hosts)).numpy
    return common, [_as_sortable(host.astype(common)) for host in hosts]


@array_function
def _combine_sets(ar1: ArrayLike, ar2: ArrayLike, name: str, size: int, fill_value: Any) -> Value:

    first, second = (each.reshape(size_of(each.shape)) for each in promote_values(ar1, ar2))
    both = _sort_values(as_value(concat([first, second], 0)), equal_nan=True)
    in_first, in_second = isin(both.values, first), isin(both.values, second)
    kept = {
        "union1d": in_first | in_second | emit("ne", both.values, both.values),
        "intersect1d": in_first & in_second,
        "setdiff1d": in_first & emit("not", in_second),
        "setxor1d": emit("xor", in_first, in_second),
    }[name]
    return _take_where(both.values, both.first & kept, size, fill_value)


def union1d(ar1: ArrayLike, ar2: ArrayLike, *, size: int | None = None, fill_value: Any = None) -> Array:
    """The different elements of both, sorted."""
    return _of_two("union1d", ar1, ar2, np.union1d, size, fill_value)


def setdiff1d(
    ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, *, size: int | None = None, fill_value: Any = None
) -> Array:
    """The different elements of the first that are not in the second, sorted."""
    return _of_two("setdiff1d", ar1, ar2, np.setdiff1d, size, fill_value)


def setxor1d(
    ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, *, size: int | None = None, fill_value: Any = None
) -> Array:
    """The different elements that are in one of both only, sorted."""
    return _of_two("setxor1d", ar1, ar2, np.setxor1d, size, fill_value)


def intersect1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = False,
    return_indices: bool = False,
    *,
    size: int | None = None,
    fill_value: Any = None,
) -> Array | Any:
    """The different elements of both that are in each, sorted; and where each of them is first in both."""
    if not return_indices:
        return _of_two("intersect1d", ar1, ar2, np.intersect1d, size, fill_value)
    if isinstance(ar1, Value) or isinstance(ar2, Value):
        fix = "intersect1d(…, size=n), then searchsorted in what argsort gives"
        raise RlxError("RLX105", "intersect1d with return_indices in a trace", fix=fix)
    common, (first, second) = _on_host(ar1, ar2)
    values, *places = np.intersect1d(first, second, assume_unique, return_indices=True)
    parts = (values.astype(common), *places)
    fills = (fill_value, 0, 0)
    sized = parts if size is None else [_to_size(x, size, fill, 0) for x, fill in zip(parts, fills, strict=True)]
    return (ConcreteArray(sized[0]), *(ConcreteArray(np.asarray(each).astype(np.int32)) for each in sized[1:]))


_COMPARED = 32  # so few elements are compared with each; more are sorted and searched


@array_function
def isin(
    element: ArrayLike, test_elements: ArrayLike, assume_unique: bool = False, invert: bool = False, *, method: str = "auto"
) -> Value:
    """Whether each element is one of the test elements."""
    value, others = promote_values(element, test_elements)
    line = others.reshape(size_of(others.shape))
    count = line.shape[0]
    if value.dtype.is_complex or (isinstance(count, int) and count <= _COMPARED) or value.dtype.is_bool:
        same = emit("eq", value.reshape((*value.shape, 1)), line)
        contained = emit("reduce_any", same, axes=(value.rank,), keep_dim=False)
    else:
        ordered = emit("sort", line, axis=0, descending=False)
        index = emit("min", positions(ordered, value, "left"), size_scalar(line, count) - 1)
        contained = emit("eq", emit("gather", ordered, index, axis=0), value)
    return emit("not", contained) if invert else contained


# -- differences, slopes and areas along an axis; interpolation ------------------------------------------------------


def part(x: Value, axis: int, start: Any, stop: Any, step: int | None = None) -> Value:
    """Slices one axis."""
    return x[(*(slice(None),) * axis, slice(start, stop, step))]


def _step(x: Value, axis: int) -> Value:
    """Subtracts from each element the one before; for bools, whether they differ."""
    return emit("ne" if x.dtype.is_bool else "sub", part(x, axis, 1, None), part(x, axis, None, -1))


@array_function
def diff(a: ArrayLike, n: int = 1, axis: int = -1, prepend: ArrayLike | None = None, append: ArrayLike | None = None) -> Array:
    """Each element less the one before it along an axis, n times over."""
    value = as_value(a)
    if n < 0:
        raise RlxError("RLX105", f"diff with n={n}", fix="0 or more")
    axis = axis_of(axis, value.rank, "diff")
    ends = [each if each is None else _as_slab(value, each, axis) for each in (prepend, append)]
    values = [each for each in (ends[0], value, ends[1]) if each is not None]
    differences = as_value(concat(values, axis)) if len(values) > 1 else value
    for _ in range(n):
        if differences.shape[axis] == 0:
            return differences
        differences = _step(differences, axis)
    return differences


def _as_slab(value: Value, each: Any, axis: int) -> Array:
    """Converts what is put before or behind an axis; a number is one slab."""
    end = promote_values(value, each)[1]
    if end.rank:
        return end
    return broadcast_to(end, tuple(1 if i == axis else size for i, size in enumerate(value.shape)))


@array_function
def ediff1d(ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None) -> Array:
    """The differences of the flattened elements, with numbers before and behind them."""
    value = as_value(ary)
    differences = _step(value.reshape(size_of(value.shape)), 0)
    ends = [None if each is None else as_value(each, value).astype(differences.dtype) for each in (to_begin, to_end)]
    flat = [None if each is None else each.reshape(size_of(each.shape)) for each in ends]
    return concat([each for each in (flat[0], differences, flat[1]) if each is not None], 0)


@array_function
def trapezoid(y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: int = -1) -> Array:
    """The area below a line through points along an axis, at places x or at distance dx."""
    value = floating(as_value(y, x if isinstance(x, Value) else None))
    along = axis_of(axis, value.rank, "trapezoid")
    pairs = (part(value, along, 1, None) + part(value, along, None, -1)) * 0.5
    if x is None:
        return total(pairs, along) * dx
    places = floating(as_value(x, value))
    if places.rank == 1:
        steps = _step(places, 0).reshape(tuple(-1 if i == along else 1 for i in range(value.rank)))
    else:
        steps = _step(places, axis_of(axis, places.rank, "trapezoid"))
    return total(emit("mul", *promote_values(pairs, steps)), along)


@array_function
def unwrap(p: ArrayLike, discont: float | None = None, axis: int = -1, period: float = 2 * math.pi) -> Array:
    """Angles without jumps along an axis: steps larger than half a period are taken the other way round."""
    value = as_value(p)
    if not (value.dtype.is_integer and isinstance(period, int)):
        value = floating(value)
    axis = axis_of(axis, value.rank, "unwrap")
    if value.shape[axis] == 0:
        return value
    around = promote_values(value, period)[1]
    whole = value.dtype.is_integer
    half = emit("floor_div", around, 2) if whole else around / 2
    step = _step(value, axis)
    folded = emit("mod", step + half, around) - half
    if not whole or period % 2 == 0:
        folded = emit("where", (folded == -half) & (step > 0), half, folded)
    limit = half if discont is None else emit("max", *promote_values(half, discont))
    change = emit("where", emit("abs", step) < limit, folded * 0, folded - step)
    return concat([part(value, axis, 0, 1), part(value, axis, 1, None) + cumsum(change, axis)], axis)


# -- slopes ---------------------------------------------------------------------------------------------------------
@array_function
def gradient(
    f: ArrayLike, *varargs: ArrayLike, axis: int | Sequence[int] | None = None, edge_order: int | None = None
) -> Array | Any:
    """Slopes along axes from both neighbours, from one at the ends; spacings are numbers or places. One axis, one array."""
    if edge_order not in (None, 1):
        raise RlxError("RLX105", f"gradient with edge_order={edge_order}", fix="1")
    value = floating(f)
    axes = axes_of(axis, value.rank, "gradient")
    if len(varargs) not in (0, 1, len(axes)):
        raise RlxError("RLX109", f"gradient with {len(varargs)} spacings for {len(axes)} axes", fix="none, one, or one each")
    spacings = [1.0] * len(axes) if not varargs else list(varargs) * len(axes) if len(varargs) == 1 else list(varargs)
    slopes = [_slope(value, along, spacing) for along, spacing in zip(axes, spacings, strict=True)]
    return slopes[0] if len(slopes) == 1 else slopes


def _slope(x: Value, axis: int, spacing: Any) -> Array:

    size = x.shape[axis]
    if isinstance(size, int) and size < 2:
        raise RlxError("RLX102", f"gradient along an axis of size {size}", fix="at least 2")
    steps = _step(x, axis)
    if isinstance(spacing, Value) and spacing.rank:
        widths = promote_values(x, _step(spacing, 0))[1].reshape(tuple(-1 if i == axis else 1 for i in range(x.rank)))
        slopes = steps / widths
        before, behind = part(widths, axis, None, -1), part(widths, axis, 1, None)
        inner = (part(slopes, axis, None, -1) * behind + part(slopes, axis, 1, None) * before) / (before + behind)
    else:
        slopes = steps / spacing
        inner = (part(slopes, axis, None, -1) + part(slopes, axis, 1, None)) * 0.5
    return concat([part(slopes, axis, 0, 1), inner, part(slopes, axis, -1, None)], axis)


# -- interpolation --------------------------------------------------------------------------------------------------
@array_function
def interp(
    x: ArrayLike,
    xp: ArrayLike,
    fp: ArrayLike,
    left: ArrayLike | None = None,
    right: ArrayLike | None = None,
    period: float | None = None,
) -> Value:
    """The line through the points (xp, fp), xp rising, at places x; outside of them the ends, or `left` and `right`."""
    at, places = promote_values(x, xp, least=f32)
    heights = promote_values(floating(as_value(fp, at)), at)[0]
    if places.rank != 1 or heights.rank != 1:
        raise RlxError("RLX102", f"interp between {places.type} and {heights.type}", fix="two arrays of one axis")
    if period is not None:
        at, places, heights = _around(at, places, heights, abs(period))
    right_place = emit("clamp", positions(places, at, "right"), 1, emit("max", size_scalar(places, places.shape[0]) - 1, 1))
    low_x, high_x = (emit("gather", places, right_place - by, axis=0) for by in (1, 0))
    low_y, high_y = (emit("gather", heights, right_place - by, axis=0) for by in (1, 0))
    width = high_x - low_x
    flat = width == 0
    share = (at - low_x) / emit("where", flat, 1, width)
    y = emit("where", flat, low_y, low_y + share * (high_y - low_y))
    if period is not None:
        return y
    ends = ((at < places[0], heights[0] if left is None else left), (at > places[-1], heights[-1] if right is None else right))
    for outside, end in ends:
        y = emit("where", outside, *promote_values(end, y))
    return y


def _around(x: Value, places: Value, heights: Value, period: float) -> tuple[Value, Value, Value]:
    """Reduces points to one period, sorted, with a point of the neighboring periods at each end."""
    x, places = emit("mod", x, period), emit("mod", places, period)
    order = emit("argsort", places, axis=0, descending=False)
    places, heights = emit("gather", places, order, axis=0), emit("gather", heights, order, axis=0)
    places = as_value(concat([places[-1:] - period, places, places[:1] + period], 0))
    return x, places, as_value(concat([heights[-1:], heights, heights[:1]], 0))
