"""Index ops: elements chosen by integer values at run time.

One rule for positions everywhere: a negative index counts from the end, once; what is still outside is clamped
(`clip`) or reads as NaN, 0 for ints and bools (`fill`); `check_bounds` makes it an error at run time. Dynamic slices
clamp their starts as XLA does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Size
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.kinds import Choice, OpKind
from rlx.core.shape import Shape, is_zero
from rlx.ir.attributes import Attr
from rlx.ir.case import case, sample
from rlx.ir.op import Call, define
from rlx.ir.tolerance import exact
from rlx.ops.inference import broadcast_dims, no_arithmetic, require_integers
from rlx.ops.movement.shape import MOVED, replaced

Array = npt.NDArray[Any]


class IndexMode(Choice):
    """What an index outside the axis reads."""

    Clip = "clip"
    Fill = "fill"


def index_attrs() -> dict[str, Attr]:
    """The attributes of every op that takes positions."""
    return {
        "mode": Attr(
            "tag", "clip", parse=IndexMode.parse, annotation="IndexMode | str", help="clip: clamp; fill: NaN or 0"
        ),
        "check_bounds": Attr("bool", False, help="an index outside the axis is an error at run time"),
    }


def resolve_positions(indices: Array, size: int, check_bounds: bool, what: str) -> tuple[Array, Array]:
    """Positions in `[0, size)`, and which indices were outside: the rule above, in NumPy."""
    largest = np.iinfo(np.int64).max
    wide = np.minimum(indices, largest).astype(np.int64) if indices.dtype == np.uint64 else indices.astype(np.int64)
    counted = np.where(wide < 0, wide + size, wide)
    outside = (counted < 0) | (counted >= size)
    if check_bounds and outside.any():
        first = indices[outside].flat[0]
        raise RlxError(
            "RLX508",
            f"{what}: index {first} is outside an axis of size {size}",
            fix=f"indices run from {-size} to {size - 1}",
            at=None,
        )
    return np.clip(counted, 0, max(size - 1, 0)), outside


def fill_value(dtype: DType) -> Any:
    """What `fill` reads outside: NaN for floats and complex numbers, else 0."""
    return 0 if dtype.is_integer or dtype.is_bool else np.nan


def _masked(values: Array, outside: Array, mode: str, empty: bool) -> Array:
    """The gathered values with those outside replaced; an empty axis has nothing to clamp to."""
    if mode == "fill" or empty:
        values = np.where(outside, np.asarray(fill_value(DType.of(values.dtype))).astype(values.dtype), values)
    return values


def _refuse_empty(call: Call, size: Size, taken: Size) -> None:
    """Clamping needs a position to clamp to."""
    if call.mode == "clip" and is_zero(size) and isinstance(taken, int) and taken > 0:
        raise call.error("RLX102", f"{taken} indices into axis {call.axis} of size 0", fix="mode='fill' reads NaN or 0")


# -- choosing by index ------------------------------------------------------------------------------------------
def _gather_shape(call: Call) -> Shape:
    x, indices = call.given
    require_integers(call)
    _refuse_empty(call, x.dims[call.axis], indices.num_elements)
    return x.with_dims((*x.dims[: call.axis], *indices.dims, *x.dims[call.axis + 1 :]))


def _gather(x: Array, indices: Array, axis: int, mode: str, check_bounds: bool) -> Array:
    axis, size = axis % x.ndim, x.shape[axis]
    positions, outside = resolve_positions(indices, size, check_bounds, "gather")
    dims = (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :])
    taken = np.take(x, positions, axis=axis) if size else np.zeros(dims, x.dtype)
    return _masked(taken, outside.reshape(outside.shape + (1,) * (x.ndim - axis - 1)), mode, size == 0)


gather = define(
    "gather",
    "x, indices:index",
    infer=_gather_shape,
    reference=_gather,
    kind=OpKind.DataMovement,
    attrs={"axis": Attr("axis"), **index_attrs()},
    doc="Slices of x at positions of one axis, as np.take: the axis is replaced by the axes of the indices.",
    tolerance=exact(),
    cost=no_arithmetic,
    cases=lambda: [
        case(
            sample(9, 4),
            sample(5, dtype="i32", low=0, high=8),
            note="rows of a table",
            dtypes=(*MOVED, "c64", "c128"),
            axis=0,
        ),
        case(sample(3, 7, 2), sample(2, 4, dtype="i32", low=-7, high=6), note="odd axis, outer rows, negative", axis=1),
        case(sample(2, 5), sample(6, dtype="i64", fixed=[-9, -6, -5, 4, 5, 99]), note="outside, clamped", axis=-1),
        case(
            sample(2, 5),
            sample(6, dtype="i32", fixed=[-9, -6, -5, 4, 5, 99]),
            note="outside, filled",
            axis=-1,
            mode="fill",
            dtypes=("f32", "bf16", "i32", "bool"),
        ),
        case(sample(4, 3), sample(dtype="i32", fixed=2), note="a scalar index drops the axis", axis=0),
        case(sample(4, 3), sample(0, dtype="i32"), note="size 0", axis=0),
    ],
)


def _take_along_shape(call: Call) -> Shape:
    x, indices = call.given
    require_integers(call)
    if x.rank != indices.rank:
        raise call.error(
            "RLX102",
            f"ranks {x.rank} and {indices.rank} differ",
            fix="indices have the rank of x; gather takes any rank",
        )
    _refuse_empty(call, x.dims[call.axis], indices.num_elements)
    others = [replaced(shape.dims, call.axis, 1) for shape in (x, indices)]
    dims = broadcast_dims(call, *others)
    return x.with_dims(replaced(dims, call.axis, indices.dims[call.axis]))


def _take_along(x: Array, indices: Array, axis: int, mode: str, check_bounds: bool) -> Array:
    size = x.shape[axis]
    positions, outside = resolve_positions(indices, size, check_bounds, "take_along_axis")
    if size == 0:
        x = np.zeros([1 if a == axis % x.ndim else n for a, n in enumerate(x.shape)], x.dtype)
    return _masked(np.take_along_axis(x, positions, axis), outside, mode, size == 0)


take_along_axis = define(
    "take_along_axis",
    "x, indices:index",
    infer=_take_along_shape,
    reference=_take_along,
    kind=OpKind.DataMovement,
    attrs={"axis": Attr("axis"), **index_attrs()},
    doc="For each line along one axis, the elements at its own positions, as np.take_along_axis; other axes broadcast.",
    tolerance=exact(),
    cost=no_arithmetic,
    cases=lambda: [
        case(
            sample(4, 7),
            sample(4, 3, dtype="i32", low=-7, high=6),
            note="plain",
            dtypes=(*MOVED, "c64", "c128"),
            axis=1,
        ),
        case(sample(5, 3, 2), sample(2, 3, 2, dtype="i64", low=0, high=4), note="odd axis", axis=0),
        case(
            sample(4, 7),
            sample(1, 2, dtype="i32", fixed=[1, 9]),
            note="broadcast of the indices, one outside",
            axis=1,
            mode="fill",
        ),
        case(sample(4, 7), sample(4, 0, dtype="i32"), note="size 0", axis=1),
    ],
)


# -- windows that move ------------------------------------------------------------------------------------------
def _check_starts(call: Call, x: Shape, starts: Sequence[Shape]) -> None:
    """One integer start for each axis: a scalar, or one for each row of axis 0."""
    require_integers(call)
    if len(starts) != len(call.axes):
        raise call.error(
            "RLX101",
            f"{len(starts)} starts for {len(call.axes)} axes",
            fix="one start for each axis, in the order of `axes`",
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


def _windows(x: Array, lengths: Sequence[int], axes: Sequence[int], starts: Sequence[Array]) -> list[tuple[Any, ...]]:
    """The index of each window after clamping: one for all of x, or one for each row of axis 0."""
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
    windows = _windows(x, sizes, axes, starts)
    if not windows:  # no rows
        return x[tuple(slice(0, sizes[axes.index(a)]) if a in axes else slice(None) for a in range(x.ndim))]
    return np.concatenate([x[window] for window in windows]) if len(windows) > 1 else x[windows[0]]


dynamic_slice = define(
    "dynamic_slice",
    "x, starts:index*",
    infer=_dynamic_slice_shape,
    reference=_dynamic_slice,
    kind=OpKind.DataMovement,
    attrs={"axes": Attr("axes", help="the sliced axes"), "sizes": Attr("sizes", help="the size of each of them")},
    doc="A window of fixed size at positions known at run time; a start is clamped so that the window fits, as in XLA.",
    tolerance=exact(),
    cost=no_arithmetic,
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
    windows = _windows(x, [update.shape[axis] for axis in axes], axes, starts)
    each_row = any(start.ndim for start in starts)
    for row, window in enumerate(windows):
        result[window] = update[row : row + 1] if each_row else update
    return result


dynamic_update_slice = define(
    "dynamic_update_slice",
    "x, update, starts:index*",
    infer=_update_shape,
    reference=_dynamic_update,
    kind=OpKind.DataMovement,
    attrs={"axes": Attr("axes", help="the axes with a start")},
    doc="x with a window at positions known at run time replaced by `update`; starts clamp as in dynamic_slice.",
    tolerance=exact(),
    cost=no_arithmetic,
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
