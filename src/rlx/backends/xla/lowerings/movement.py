"""Data movement: views, gathers and scatters by index, sorts."""

from __future__ import annotations

import itertools
import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from rlx.backends.xla.site import Lowering, LoweringSite, plain
from rlx.core.dtype import DType
from rlx.ops.indexing.gather import fill_value


def _narrow(at: LoweringSite, x: Any) -> Any:
    return lax.slice_in_dim(x, at["start"], at["start"] + at["length"], axis=at["axis"])


def _slice(at: LoweringSite, x: Any) -> Any:
    ends = zip(at["start"], at["stop"], at["step"], strict=True)
    return x[tuple(slice(first, None if last < 0 else last, by) for first, last, by in ends)]


def _split(at: LoweringSite, x: Any) -> tuple[Any, ...]:
    stops = list(itertools.accumulate(at["sizes"]))
    return tuple(lax.slice_in_dim(x, stop - size, stop, axis=at["axis"]) for stop, size in zip(stops, at["sizes"], strict=True))


def _iota(at: LoweringSite) -> Any:
    wide = lax.broadcasted_iota(jnp.int64, at.dims, at["axis"])
    return lax.convert_element_type(wide, at.dtype)


def _pad(at: LoweringSite, x: Any) -> Any:
    widths = list(zip(at["low"], at["high"], strict=True))
    if not widths:
        return x
    if at["mode"] == "constant":
        return jnp.pad(x, widths, constant_values=np.asarray(at["value"]).astype(x.dtype))
    return jnp.pad(x, widths, mode=at["mode"])


def positions_in(at: LoweringSite, indices: Any, size: int) -> tuple[Any, Any]:
    """Indices as positions in `[0, size)`, and which were outside; an error of the run where these are checked."""
    if indices.dtype == jnp.uint64:
        indices = jnp.minimum(indices, np.iinfo(np.int64).max)
    wide = indices.astype(jnp.int64)
    counted = jnp.where(wide < 0, wide + size, wide)
    outside = (counted < 0) | (counted >= size)
    if at["check_bounds"]:
        message = f"{at.op.name}: an index is outside an axis of size {size}"
        at.require(~outside, "RLX508", message, f"indices run from {-size} to {size - 1}")
    return jnp.clip(counted, 0, max(size - 1, 0)), outside


def filled(values: Any, outside: Any) -> Any:
    """Replaces elements whose index was outside by NaN or 0."""
    return jnp.where(outside, np.asarray(fill_value(DType.of(values.dtype))).astype(values.dtype), values)


def _gather(at: LoweringSite, x: Any, indices: Any) -> Any:
    axis = at["axis"] % x.ndim
    size = x.shape[axis]
    positions, outside = positions_in(at, indices, size)
    outside = outside.reshape(*outside.shape, *(1,) * (x.ndim - axis - 1))
    if size == 0:
        return filled(jnp.zeros(at.dims, x.dtype), outside)
    result = jnp.take(x, positions, axis=axis, mode="clip")
    return filled(result, outside) if at["mode"] == "fill" else result


def _take_along_axis(at: LoweringSite, x: Any, indices: Any) -> Any:
    axis = at["axis"] % x.ndim
    size = x.shape[axis]
    positions, outside = positions_in(at, indices, size)
    if size == 0:
        return filled(jnp.zeros(at.dims, x.dtype), outside)
    others = [(*array.shape[:axis], 1, *array.shape[axis + 1 :]) for array in (x, positions)]
    around = np.broadcast_shapes(*others)
    x = jnp.broadcast_to(x, (*around[:axis], size, *around[axis + 1 :]))
    positions = jnp.broadcast_to(positions, at.dims)
    result = jnp.take_along_axis(x, positions, axis, mode="clip")
    return filled(result, outside) if at["mode"] == "fill" else result


# -- windows
def _starts(x: Any, lengths: Any, axes: Any, starts: Any) -> list[Any]:
    """The start of a window along each axis, clamped so that the window fits."""
    clipped = [jnp.zeros((), jnp.int64)] * x.ndim
    for axis, length, start in zip(axes, lengths, starts, strict=True):
        if start.dtype == jnp.uint64:
            start = jnp.minimum(start, np.iinfo(np.int64).max)
        clipped[axis % x.ndim] = jnp.clip(start.astype(jnp.int64), 0, x.shape[axis] - length)
    return clipped


def _dynamic_slice(at: LoweringSite, x: Any, *starts: Any) -> Any:
    places = _starts(x, at["sizes"], at["axes"], starts)
    if x.shape[:1] == (1,) or not any(start.ndim for start in starts):
        return lax.dynamic_slice(x, [_scalar(place) for place in places], at.dims)
    rows = [jnp.broadcast_to(place, x.shape[:1]) for place in places[1:]]
    return jax.vmap(lambda row, *own: lax.dynamic_slice(row, own, at.dims[1:]))(x, *rows)


def _dynamic_update_slice(at: LoweringSite, x: Any, update: Any, *starts: Any) -> Any:
    places = _starts(x, [update.shape[axis] for axis in at["axes"]], at["axes"], starts)
    if x.shape[:1] == (1,) or not any(start.ndim for start in starts):
        return lax.dynamic_update_slice(x, update, [_scalar(place) for place in places])
    rows = [jnp.broadcast_to(place, x.shape[:1]) for place in places[1:]]
    return jax.vmap(lambda row, new, *own: lax.dynamic_update_slice(row, new, own))(x, update, *rows)


def _scalar(place: Any) -> Any:
    """The window start as a scalar, where there is one row: XLA makes no scatter of it."""
    return place.reshape(())


# -- writing
def _written(at: LoweringSite, target: Any, indices: Any, updates: Any, axis: int, mode: str, outside: str) -> Any:
    """Combines updates into a target at positions of one axis; of several set at one position the last stays."""
    size = target.shape[axis]
    positions, dropped = positions_in(at, indices.reshape(-1), size)
    if size == 0 or indices.size == 0:
        return target
    if outside == "fill":
        positions = jnp.where(dropped, size, positions)  # past the end: dropped
    rows = jnp.moveaxis(target, axis, 0)
    lines = updates.reshape(*updates.shape[:axis], indices.size, *updates.shape[axis + indices.ndim :])
    lines = jnp.moveaxis(lines, axis, 0)
    if mode == "set":
        numbers = jnp.zeros((size,), jnp.int32).at[positions].max(jnp.arange(1, indices.size + 1, dtype=jnp.int32), mode="drop")
        chosen = jnp.take(lines, jnp.maximum(numbers - 1, 0), axis=0, mode="clip")
        written = (numbers > 0).reshape(size, *(1,) * (rows.ndim - 1))
        return jnp.moveaxis(jnp.where(written, chosen, rows), 0, axis)
    return jnp.moveaxis(getattr(rows.at[positions], mode)(lines, mode="drop"), 0, axis)


def _summing(x: Any) -> Any:
    """Widens 16-bit floats to f32 for scatters that sum or multiply; the result is rounded once."""
    return x.astype(jnp.float32) if DType.of(x.dtype).is_low_float else x


def _scatter(at: LoweringSite, x: Any, indices: Any, updates: Any) -> Any:
    if at["mode"] in ("add", "mul"):
        x, updates = _summing(x), _summing(updates)
    return _written(at, x, indices, updates, at["axis"] % x.ndim, at["mode"], at["outside"])


def _scatter_add(at: LoweringSite, updates: Any, indices: Any) -> Any:
    updates = _summing(updates)
    return _written(at, jnp.zeros(at.dims, updates.dtype), indices, updates, 0, "add", at["mode"])


def _gather_backward(at: LoweringSite, dy: Any, indices: Any) -> Any:
    dy = _summing(dy)
    return _written(at, jnp.zeros(at.dims, dy.dtype), indices, dy, at["axis"], "add", at["mode"])


# -- order
def _argsort(at: LoweringSite, x: Any) -> Any:
    if at["total"] and jnp.issubdtype(x.dtype, jnp.floating):
        bits = lax.bitcast_convert_type(x, jnp.dtype(f"int{8 * x.dtype.itemsize}"))
        x = jnp.where(bits < 0, bits ^ jnp.iinfo(bits.dtype).max, bits)
    return jnp.argsort(x, axis=at["axis"], stable=True, descending=at["descending"]).astype(jnp.int32)


def _sort(at: LoweringSite, x: Any) -> Any:
    order = jnp.argsort(x, axis=at["axis"], stable=True, descending=at["descending"]).astype(jnp.int32)
    return jnp.take_along_axis(x, order, at["axis"])


def _top_k(at: LoweringSite, x: Any) -> tuple[Any, Any]:
    values, indices = lax.top_k(jnp.moveaxis(x, at["axis"], -1), at["k"])
    return jnp.moveaxis(values, -1, at["axis"]), jnp.moveaxis(indices, -1, at["axis"])


def _extreme(function: Any) -> Lowering:
    return lambda at, x: function(x, axis=at["axis"], keepdims=at["keep_dim"]).astype(jnp.int32)


def _searchsorted(at: LoweringSite, line: Any, queries: Any) -> Any:
    """Searches each row of queries in its sorted line, by bisection."""
    lead = line.shape[:-1]
    count = math.prod(lead)
    rows, wanted = line.reshape(count, line.shape[-1]), queries.reshape(count, -1)
    index = jax.vmap(lambda row, own: jnp.searchsorted(row, own, side=at["side"]))(rows, wanted)
    return index.reshape(queries.shape).astype(jnp.int32)


LOWERINGS: dict[str, Lowering] = {
    "reshape": lambda at, x: jnp.reshape(x, at.dims),
    "transpose": lambda at, x: jnp.transpose(x, at["perm"]),
    "expand": lambda at, x: jnp.broadcast_to(x, at.dims),
    "narrow": _narrow,
    "slice": _slice,
    "split": _split,
    "concat": lambda at, *xs: jnp.concatenate(xs, at["axis"]),
    "iota": _iota,
    "size_value": lambda at: jnp.asarray(np.asarray(at["size"]).astype(at.dtype)),
    "pad": _pad,
    "flip": lambda at, x: jnp.flip(x, at["axes"]),
    "stop_gradient": plain(lambda x: x),
    "gather": _gather,
    "take_along_axis": _take_along_axis,
    "dynamic_slice": _dynamic_slice,
    "dynamic_update_slice": _dynamic_update_slice,
    "scatter": _scatter,
    "scatter_add": _scatter_add,
    "gather_backward": _gather_backward,
    "argsort": _argsort,
    "sort": _sort,
    "top_k": _top_k,
    "argmax": _extreme(jnp.argmax),
    "argmin": _extreme(jnp.argmin),
    "searchsorted": _searchsorted,
}
