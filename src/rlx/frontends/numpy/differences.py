"""Differences, slopes and areas along an axis; interpolation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rlx.core.dtype import f32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.joining import concat
from rlx.frontends.numpy.movement import broadcast_to
from rlx.frontends.numpy.reductions import cumsum
from rlx.frontends.numpy.reductions import sum as total
from rlx.frontends.numpy.search import positions
from rlx.frontends.numpy.values import axes_of, axis_of, emit, floating, promoted, size_of
from rlx.ir.array_methods import Array
from rlx.ir.emit import size_scalar
from rlx.ir.value import Value

__all__ = ["diff", "ediff1d", "gradient", "interp", "trapezoid", "unwrap"]


def part(x: Value, axis: int, start: Any, stop: Any, step: int | None = None) -> Value:
    """A slice of one axis."""
    return x[(*(slice(None),) * axis, slice(start, stop, step))]


def _step(x: Value, axis: int) -> Value:
    """Each element less the one before; of bools whether they differ."""
    return emit("ne" if x.dtype.is_bool else "sub", part(x, axis, 1, None), part(x, axis, None, -1))


@array_function
def diff(a: ArrayLike, n: int = 1, axis: int = -1, prepend: ArrayLike | None = None, append: ArrayLike | None = None) -> Array:
    """Each element less the one before it along an axis, n times over."""
    value = as_value(a)
    if n < 0:
        raise RlxError("RLX105", f"diff with n={n}", fix="0 or more")
    place = axis_of(axis, value.rank, "diff")
    ends = [each if each is None else _as_slab(value, each, place) for each in (prepend, append)]
    values = [each for each in (ends[0], value, ends[1]) if each is not None]
    found = as_value(concat(values, place)) if len(values) > 1 else value
    for _ in range(n):
        if found.shape[place] == 0:
            return found
        found = _step(found, place)
    return found


def _as_slab(value: Value, each: Any, axis: int) -> Array:
    """What is put before or behind an axis; a number is one slab."""
    end = promoted(value, each)[1]
    if end.rank:
        return end
    return broadcast_to(end, tuple(1 if i == axis else size for i, size in enumerate(value.shape)))


@array_function
def ediff1d(ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None) -> Array:
    """The differences of the flattened elements, with numbers before and behind them."""
    value = as_value(ary)
    found = _step(value.reshape(size_of(value.shape)), 0)
    ends = [None if each is None else as_value(each, value).astype(found.dtype) for each in (to_begin, to_end)]
    flat = [None if each is None else each.reshape(size_of(each.shape)) for each in ends]
    return concat([each for each in (flat[0], found, flat[1]) if each is not None], 0)


@array_function
def trapezoid(y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: int = -1) -> Array:
    """The area below a line through points along an axis, at places x or at distance dx."""
    value = floating(as_value(y, x if isinstance(x, Value) else None))
    place = axis_of(axis, value.rank, "trapezoid")
    pairs = (part(value, place, 1, None) + part(value, place, None, -1)) * 0.5
    if x is None:
        return total(pairs, place) * dx
    places = floating(as_value(x, value))
    if places.rank == 1:
        steps = _step(places, 0).reshape(tuple(-1 if i == place else 1 for i in range(value.rank)))
    else:
        steps = _step(places, axis_of(axis, places.rank, "trapezoid"))
    return total(emit("mul", *promoted(pairs, steps)), place)


@array_function
def unwrap(p: ArrayLike, discont: float | None = None, axis: int = -1, period: float = 2 * math.pi) -> Array:
    """Angles without jumps along an axis: steps larger than half a period are taken the other way round."""
    value = as_value(p)
    if not (value.dtype.is_integer and isinstance(period, int)):
        value = floating(value)
    place = axis_of(axis, value.rank, "unwrap")
    if value.shape[place] == 0:
        return value
    around = promoted(value, period)[1]
    whole = value.dtype.is_integer
    half = emit("floor_div", around, 2) if whole else around / 2
    step = _step(value, place)
    folded = emit("mod", step + half, around) - half
    if not whole or period % 2 == 0:
        folded = emit("where", (folded == -half) & (step > 0), half, folded)
    limit = half if discont is None else emit("max", *promoted(half, discont))
    change = emit("where", emit("abs", step) < limit, folded * 0, folded - step)
    return concat([part(value, place, 0, 1), part(value, place, 1, None) + cumsum(change, place)], place)


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
    found = [_slope(value, place, spacing) for place, spacing in zip(axes, spacings, strict=True)]
    return found[0] if len(found) == 1 else found


def _slope(x: Value, axis: int, spacing: Any) -> Array:

    size = x.shape[axis]
    if isinstance(size, int) and size < 2:
        raise RlxError("RLX102", f"gradient along an axis of size {size}", fix="at least 2")
    steps = _step(x, axis)
    if isinstance(spacing, Value) and spacing.rank:
        widths = promoted(x, _step(spacing, 0))[1].reshape(tuple(-1 if i == axis else 1 for i in range(x.rank)))
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
    at, places = promoted(x, xp, least=f32)
    heights = promoted(floating(as_value(fp, at)), at)[0]
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
    found = emit("where", flat, low_y, low_y + share * (high_y - low_y))
    if period is not None:
        return found
    ends = ((at < places[0], heights[0] if left is None else left), (at > places[-1], heights[-1] if right is None else right))
    for outside, end in ends:
        found = emit("where", outside, *promoted(end, found))
    return found


def _around(x: Value, places: Value, heights: Value, period: float) -> tuple[Value, Value, Value]:
    """Places inside one period, sorted, with a point of the neighbouring periods at each end."""
    x, places = emit("mod", x, period), emit("mod", places, period)
    order = emit("argsort", places, axis=0, descending=False)
    places, heights = emit("gather", places, order, axis=0), emit("gather", heights, order, axis=0)
    places = as_value(concat([places[-1:] - period, places, places[:1] + period], 0))
    return x, places, as_value(concat([heights[-1:], heights, heights[:1]], 0))
