"""Windows that move: a slice of fixed size at positions known at run time, read or written. Starts are clamped as XLA does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.ops.inference import define_movement, require_integers
from rlx.ops.movement.shape import MOVED
from rlx.ops.record import OPS, Array, Attr, Call, Shape, Value, case, sample
from rlx.transforms.rules.batching import (
    Axis,
    Batched,
    Operands,
    again,
    batch_size,
    in_front,
    merge_batch,
    split_batch,
    with_batch_axis,
)
from rlx.transforms.rules.derivative import Derivative, Maybe
from rlx.transforms.rules.formulas import linear, one_result, zeros_like


def _check_starts(call: Call, x: Shape, starts: Sequence[Shape]) -> None:
    """Checks that each axis has one integer start: a scalar, or one for each row of axis 0."""
    require_integers(call)
    if len(starts) != len(call.axes):
        raise call.error(
            "RLX101", f"{len(starts)} starts for {len(call.axes)} axes", fix="one start for each axis, in the order of `axes`"
        )
    for start in starts:
        if start.rank == 0:
            continue
        if start.rank > 1:
            fix = "a start is a scalar, or [B] with one entry for each row of axis 0"
            raise call.error("RLX102", f"a start of rank {start.rank}", fix=fix)
        if 0 in call.axes:
            fix = "use scalar starts, or leave axis 0 out"
            raise call.error("RLX104", "starts for each row of axis 0 while axis 0 itself is sliced", fix=fix)
        call.check_same(start.dims[0], x.dims[0], "the number of starts and the size of axis 0,")


def _clamp_windows(x: Array, lengths: Sequence[int], axes: Sequence[int], starts: Sequence[Array]) -> list[tuple[Any, ...]]:
    """NumPy indices of each window after clamping: one for all of x, or one for each row of axis 0."""
    axes = [axis % x.ndim for axis in axes]
    each_row = any(start.ndim for start in starts)
    windows = []
    for row in range(x.shape[0]) if each_row else (None,):
        index: list[Any] = [slice(None)] * x.ndim
        for axis, length, start in zip(axes, lengths, starts, strict=True):
            wanted = int(start[row]) if start.ndim else int(start)
            first = min(max(wanted, 0), x.shape[axis] - length)
            index[axis] = slice(first, first + length)
        if row is not None:
            index[0] = slice(row, row + 1)
        windows.append(tuple(index))
    return windows


def _batch_windows(call: Call, operands: Operands, axes: Sequence[Axis], count: int) -> Batched:
    """Batches the starts of a slice: scalar starts become one for each example, starts by row one for each row of every example.

    `count`: the number of operands in front of the starts.
    """
    size = batch_size(operands, axes)
    pairs = [(value, axis) for value, axis in zip(operands, axes, strict=True) if value is not None]
    tensors, starts = pairs[:count], pairs[count:]
    if all(shape.rank == 0 for shape in call.given[count:]):
        values = [in_front(value, axis, size) for value, axis in tensors]
        return with_batch_axis(again(call, [*values, *(start for start, _ in starts)], axes=tuple(axis + 1 for axis in call.axes)))
    rows = call.given[0].dims[0]
    values = [merge_batch(value, axis, size) for value, axis in tensors]
    for (start, axis), shape in zip(starts, call.given[count:], strict=True):
        if axis is not None and shape.rank == 0:
            start = OPS["expand"](start.reshape(size, 1), shape=(size, rows))
        values.append(start if axis is None and shape.rank == 0 else merge_batch(start, axis, size))
    return split_batch(call, again(call, values), size)


# -- reading ----------------------------------------------------------------------------------------------------
def _dynamic_slice_shape(call: Call) -> Shape:
    x, *starts = call.given
    _check_starts(call, x, starts)
    if len(call.sizes) != len(call.axes):
        raise call.error("RLX105", f"{len(call.sizes)} sizes for {len(call.axes)} axes", fix="one size for each axis")
    dims = list(x.dims)
    for axis, size in zip(call.axes, call.sizes, strict=True):
        call.check_at_most(0, size, f"size of axis {axis}", code="RLX105")
        call.check_at_most(size, x.dims[axis], f"size against axis {axis}", code="RLX102")
        dims[axis] = size
    return x.with_dims(dims)


def _dynamic_slice(x: Array, *starts: Array, axes: tuple[int, ...], sizes: tuple[int, ...]) -> Array:
    windows = _clamp_windows(x, sizes, axes, starts)
    if not windows:  # no rows
        return x[tuple(slice(0, sizes[axes.index(a)]) if a in axes else slice(None) for a in range(x.ndim))]
    return np.concatenate([x[window] for window in windows]) if len(windows) > 1 else x[windows[0]]


def _slice_vjp(call: Derivative, dy: Value, x: Value, *starts: Value) -> list[Maybe]:
    return [dynamic_update_slice(zeros_like(x), dy, *starts, axes=call.axes), *(None for _ in starts)]


dynamic_slice = define_movement(
    "dynamic_slice",
    "x, starts:index*",
    infer=_dynamic_slice_shape,
    reference=_dynamic_slice,
    attrs={"axes": Attr("axes", help="the sliced axes"), "sizes": Attr("sizes", help="the size of each of them")},
    doc="A window of fixed size at positions known at run time; a start is clamped so that the window fits, as in XLA.",
    vjp=one_result(_slice_vjp),
    jvp=linear(0),
    batch=lambda call, operands, axes: _batch_windows(call, operands, axes, 1),
    cases=lambda: [
        case(sample(6, 5), sample(dtype="i32", fixed=2), note="plain", dtypes=MOVED, axes=0, sizes=3),
        case(
            sample(3, 7, 4),
            sample(3, dtype="i32", fixed=[-2, 3, 9]),
            note="a start for each row, odd axis, clamped",
            axes=1,
            sizes=2,
        ),
        case(
            sample(3, 7, 4),
            sample(3, dtype="i32", fixed=[0, 4, 5]),
            sample(dtype="i64", fixed=1),
            note="a row start broadcast with a scalar",
            axes=(1, -1),
            sizes=(2, 2),
        ),
        case(sample(4, 3), sample(dtype="i32", fixed=7), note="size 0", axes=1, sizes=0),
    ],
)


# -- writing ----------------------------------------------------------------------------------------------------
def _update_shape(call: Call) -> Shape:
    x, update, *starts = call.given
    _check_starts(call, x, starts)
    if update.rank != x.rank:
        raise call.error("RLX102", f"ranks {x.rank} and {update.rank} differ", fix="the update has the rank of x")
    if update.dtype is not x.dtype:
        raise call.error("RLX103", f"an update of {update.dtype} for {x.dtype}", fix=f"update.astype('{x.dtype}')")
    for axis, (whole, part) in enumerate(zip(x.dims, update.dims, strict=True)):
        if axis in call.axes:
            call.check_at_most(part, whole, f"size of the update at axis {axis}", code="RLX102")
        else:
            call.check_same(whole, part, f"sizes at axis {axis}", fix="name the axis in `axes` to write a part of it")
    return x


def _dynamic_update(x: Array, update: Array, *starts: Array, axes: tuple[int, ...]) -> Array:
    result = x.copy()
    windows = _clamp_windows(x, [update.shape[axis] for axis in axes], axes, starts)
    each_row = any(start.ndim for start in starts)
    for row, window in enumerate(windows):
        result[window] = update[row : row + 1] if each_row else update
    return result


def _update_vjp(call: Derivative, dy: Value, x: Value, update: Value, *starts: Value) -> list[Maybe]:
    """The vjp of a slice update: x gets dy outside the window, the update gets dy inside."""
    sizes = tuple(update.shape[axis] for axis in call.axes)
    outside = dynamic_update_slice(dy, zeros_like(update), *starts, axes=call.axes)
    return [outside, dynamic_slice(dy, *starts, axes=call.axes, sizes=sizes), *(None for _ in starts)]


dynamic_update_slice = define_movement(
    "dynamic_update_slice",
    "x, update, starts:index*",
    infer=_update_shape,
    reference=_dynamic_update,
    attrs={"axes": Attr("axes", help="the axes with a start")},
    doc="x with a window at positions known at run time replaced by `update`; starts clamp as in dynamic_slice.",
    vjp=one_result(_update_vjp),
    jvp=linear(0, 1),
    batch=lambda call, operands, axes: _batch_windows(call, operands, axes, 2),
    cases=lambda: [
        case(sample(6, 5), sample(2, 5), sample(dtype="i32", fixed=3), note="plain", dtypes=MOVED, axes=0),
        case(
            sample(3, 7, 2),
            sample(3, 2, 2),
            sample(3, dtype="i32", fixed=[-1, 4, 7]),
            note="a cache: a start for each row, odd axis",
            axes=1,
        ),
        case(
            sample(4, 6),
            sample(2, 3),
            sample(dtype="i32", fixed=9),
            sample(dtype="i32", fixed=-4),
            note="two axes, both clamped, odd",
            axes=(0, 1),
        ),
        case(sample(4, 3), sample(4, 0), sample(dtype="i32", fixed=1), note="size 0", axes=1),
    ],
)
