"""More elements around an array."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value, axis_of, emit, promote_values
from rlx.frontends.numpy.elementwise import rint
from rlx.frontends.numpy.histograms import median
from rlx.frontends.numpy.insertion import concat
from rlx.frontends.numpy.movement import broadcast_to
from rlx.frontends.numpy.reductions import max as largest
from rlx.frontends.numpy.reductions import mean
from rlx.frontends.numpy.reductions import min as smallest
from rlx.ir.array_methods import Array
from rlx.ir.emit import constant
from rlx.ir.value import Value, as_dtype

__all__ = ["pad"]


def _pad_widths(width: Any, rank: int) -> list[tuple[int, int]]:
    """Reads (before, after) of each axis from a number, a pair, or pairs."""
    if isinstance(width, dict):
        chosen = {axis_of(axis, rank, "pad"): pair for axis, pair in width.items()}
        return [tuple(np.broadcast_to(chosen.get(axis, 0), 2).tolist()) for axis in range(rank)]
    pairs = np.asarray(width)
    if pairs.shape == (1,) or pairs.ndim == 0:
        pairs = np.broadcast_to(pairs.reshape(()), (rank, 2))
    elif pairs.shape in ((2,), (1, 2)):
        pairs = np.broadcast_to(pairs.reshape(1, 2), (rank, 2))
    elif pairs.shape == (rank, 1):
        pairs = np.broadcast_to(pairs, (rank, 2))
    if pairs.shape != (rank, 2):
        raise RlxError("RLX109", f"pad of {rank} axes by {width}", fix="a number, (before, after), or a pair for each axis")
    return [(int(low), int(high)) for low, high in pairs.tolist()]


_OWN_ELEMENTS = ("edge", "reflect", "symmetric", "wrap")
_STATISTICS: dict[str, Callable[..., Array]] = {"maximum": largest, "mean": mean, "median": median, "minimum": smallest}
_MODES = ("constant", "empty", "linear_ramp", *_OWN_ELEMENTS, *_STATISTICS)


@array_function
def pad(
    x: ArrayLike,
    pad_width: Any,
    mode: str = "constant",
    *,
    constant_values: ArrayLike = 0,
    end_values: ArrayLike = 0,
    stat_length: Any = None,
    reflect_type: str = "even",
) -> Value:
    """More elements before and after along each axis.

    A number, a ramp to one, the edge, what is mirrored or comes around, or the largest, smallest, mean or median of the axis.
    """
    value = as_value(x)
    widths = _pad_widths(pad_width, value.rank)
    _check_mode(mode, reflect_type)
    if mode in ("constant", "empty") and not (isinstance(constant_values, Value) and constant_values.rank):
        return _pad_constant(value, widths, constant_values if mode == "constant" else 0)
    odd = mode in ("reflect", "symmetric") and reflect_type == "odd"
    lengths = [None] * value.rank if stat_length is None else _pad_widths(stat_length, value.rank)
    ends = _ends(value, constant_values if mode == "constant" else end_values)
    padded = value
    for axis, (low, high) in enumerate(widths):
        if mode in _OWN_ELEMENTS:
            padded = as_value(_pad_from_inside(padded, axis, low, high, mode, odd)) if low or high else padded
        elif mode in _STATISTICS:
            padded = _pad_statistic(padded, axis, (low, high), mode, lengths[axis])
        else:
            padded = _pad_towards(padded, axis, (low, high), ends[axis], mode)
    return padded


def _check_mode(mode: str, reflect_type: str) -> None:
    if mode not in _MODES or reflect_type not in ("even", "odd"):
        message = f"pad with mode={mode!r}, reflect_type={reflect_type!r}"
        raise RlxError("RLX109", message, fix=f"one of {', '.join(_MODES)}; 'even' or 'odd'")


def _ends(value: Value, numbers: Any) -> Value:
    """Reads a pad value before and one after each axis."""
    given = as_dtype(promote_values(value, numbers)[1], value.dtype)
    return as_value(broadcast_to(given, (value.rank, 2)))


def _slab(value: Value, axis: int, size: int) -> tuple[Any, ...]:
    return tuple(size if i == axis else each for i, each in enumerate(value.shape))


def _pad_towards(value: Value, axis: int, widths: tuple[int, int], ends: Value, mode: str) -> Value:
    """Pads with numbers, or ramps from the edge to them."""
    slabs = []
    for side, width in enumerate(widths):
        shape = _slab(value, axis, width)
        slab = broadcast_to(ends[side], shape)
        if mode == "linear_ramp" and width:
            at = slice(0, 1) if side == 0 else slice(-1, None)
            edge = value[(*(slice(None),) * axis, at)]
            share = np.arange(width) / width if side == 0 else np.arange(width - 1, -1, -1) / width
            along = share.reshape(tuple(width if i == axis else 1 for i in range(value.rank))).astype(np.float32)
            ramp = slab + (edge - slab) * constant(value.graph, along)
            slab = as_dtype(emit("floor", ramp) if value.dtype.is_integer else ramp, value.dtype)
        slabs.append(slab)
    return as_value(concat([slabs[0], value, slabs[1]], axis))


def _pad_statistic(value: Value, axis: int, widths: tuple[int, int], mode: str, lengths: tuple[int, int] | None) -> Value:
    """Pads with the largest, smallest, mean or median of the axis, or of so many elements at its ends."""
    slabs = []
    for side, width in enumerate(widths):
        part = value
        if lengths is not None:
            at = slice(0, lengths[side]) if side == 0 else slice(-lengths[side], None)
            part = value[(*(slice(None),) * axis, at)]
        number = as_value(_STATISTICS[mode](part, axis=axis, keepdims=True))
        whole = as_value(rint(number)) if value.dtype.is_integer and number.dtype.is_float else number
        slabs.append(broadcast_to(as_dtype(whole, value.dtype), _slab(value, axis, width)))
    return as_value(concat([slabs[0], value, slabs[1]], axis))


def _pad_constant(value: Value, widths: Sequence[tuple[int, int]], number: Any) -> Value:
    low, high = tuple(pair[0] for pair in widths), tuple(pair[1] for pair in widths)
    if isinstance(number, (int, float)) and not value.dtype.is_complex:
        return emit("pad", value, low=low, high=high, mode="constant", value=float(number))
    apart, filled = promote_values(value, number)
    mask = emit("pad", emit("eq", value, value) | True, low=low, high=high, mode="constant", value=0.0)
    inside = emit("pad", apart.astype(value.dtype), low=low, high=high, mode="constant", value=0.0)
    return emit("where", mask, inside, filled.astype(value.dtype))


def _pad_from_inside(value: Value, axis: int, low: int, high: int, mode: str, odd: bool) -> Array:
    """Pads one axis with elements of its own, by their indices."""
    size = value.shape[axis]
    if not isinstance(size, int):
        raise RlxError("RLX202", f"pad with mode={mode!r} of a symbolic axis", fix="a static size, or mode='constant'")
    numpy_mode: Any = mode
    places = np.pad(np.arange(size, dtype=np.int32), (low, high), mode=numpy_mode)
    padded = emit("gather", value, places, axis=axis)
    return _reflect_around_edges(value, padded, axis, low) if odd else padded


def _reflect_around_edges(value: Value, mirrored: Value, axis: int, low: int) -> Array:
    """Reflects mirrored elements around the edge (odd reflection): twice the edge less the element."""
    size = int(value.shape[axis])
    before, behind = (slice(None),) * axis, int(mirrored.shape[axis]) - low - size
    parts = [value]
    if low:
        parts.insert(0, 2 * value[(*before, slice(0, 1))] - mirrored[(*before, slice(0, low))])
    if behind:
        parts.append(2 * value[(*before, slice(-1, None))] - mirrored[(*before, slice(low + size, None))])
    return concat(parts, axis)
