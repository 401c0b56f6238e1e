"""Writing by index: the other direction of `gather`.

Positions follow the rule of `rlx.ops.indexing.gather`: a negative index counts from the end, once; what is still outside is
clamped (`clip`) or its update is dropped (`fill`); `check_bounds` makes it an error. Updates for one position are
combined in the order of their indices, so the result is the same on every run and for every number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from rlx.ir.tolerance import summed
from rlx.ops.elementwise.binary import max_, where
from rlx.ops.indexing.gather import (
    IndexMode,
    gather,
    index_attrs,
    iota_like,
    move_block,
    resolve_positions,
    side_by_side,
    take_or_zero,
)
from rlx.ops.inference import define_movement, numeric, require, require_integers
from rlx.ops.movement.shape import replace_size
from rlx.ops.record import Array, Attr, Call, Choice, DType, Op, Shape, Size, Value, as_dtype, case, sample
from rlx.ops.reduction import wide
from rlx.transforms.rules.batching import Axis, Batched, Operands, again, all_in_front, move_axis, positions_of_all, with_batch_axis
from rlx.transforms.rules.derivative import Derivative, Maybe, Values
from rlx.transforms.rules.formulas import by_transposition, linear, one_result, zeros, zeros_like

SUMMED = ("f32", "f64", "f16", "bf16", "i32", "u8")


class ScatterMode(Choice):
    """How an update is combined with the element at its index."""

    Set = "set"
    Add = "add"
    Max = "max"
    Min = "min"
    Mul = "mul"


# -- shapes -----------------------------------------------------------------------------------------------------
def _check_updates(call: Call, updates: Shape, indices: Shape, axis: int, around: Sequence[Size]) -> None:
    """Checks that updates are `[before the axis…, indices…, behind it…]`."""
    wanted = (*around[:axis], *indices.dims, *around[axis + 1 :])
    fix = f"updates [{', '.join(map(str, wanted))}]: the axes of the indices stand for axis {axis}"
    if updates.rank != len(wanted):
        raise call.error("RLX102", f"updates have rank {updates.rank} instead of {len(wanted)}", fix=fix)
    for position, (mine, other) in enumerate(zip(updates.dims, wanted, strict=True)):
        call.check_same(mine, other, f"sizes of the updates at axis {position}", fix=fix if isinstance(mine, int) else None)


def _add_shape(call: Call) -> Shape:
    updates, indices = call.given
    require(call, numeric, "numbers")
    require_integers(call)
    if updates.rank < indices.rank:
        message = f"updates have rank {updates.rank}, the indices {indices.rank}"
        raise call.error("RLX102", message, fix="the first axes of the updates are those of the indices")
    for axis, (mine, other) in enumerate(zip(updates.dims, indices.dims, strict=False)):
        call.check_same(mine, other, f"sizes of updates and indices at axis {axis}")
    call.check_at_most(0, call.out_dim, "out_dim", code="RLX105")
    return updates.with_dims((call.out_dim, *updates.dims[indices.rank :]))


def _backward_shape(call: Call) -> Shape:
    dy, indices = call.given
    require(call, numeric, "numbers")
    require_integers(call)
    axis, behind = call.axis, call.axis + indices.rank
    if dy.rank < behind:
        message = f"dy has rank {dy.rank}: no {indices.rank} axes from axis {axis} on"
        raise call.error("RLX102", message, fix="dy is what gather gave: the axes of the indices at the axis")
    for mine, other in zip(dy.dims[axis:behind], indices.dims, strict=True):
        call.check_same(mine, other, f"sizes of dy and the indices from axis {axis} on:")
    call.check_at_most(0, call.size, "size", code="RLX105")
    return dy.with_dims((*dy.dims[:axis], call.size, *dy.dims[behind:]))


def _scatter_shape(call: Call) -> Shape:
    x, indices, updates = call.given
    require_integers(call)
    if updates.dtype is not x.dtype:
        raise call.error("RLX103", f"updates of {updates.dtype} for {x.dtype}", fix=f"updates.astype('{x.dtype}')")
    ordered = x.dtype.is_integer or x.dtype.is_float or x.dtype.is_bool
    takes = {"set": True, "add": numeric(x.dtype), "mul": numeric(x.dtype) and not x.dtype.is_complex}
    if not takes.get(call.mode, ordered):
        raise call.error("RLX103", f"{x.dtype} with mode {call.mode!r}", fix="cast first; mode='set' takes every dtype")
    _check_updates(call, updates, indices, call.axis, x.dims)
    return x


# -- meaning ----------------------------------------------------------------------------------------------------
_COMBINE = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


def _combine_updates(
    target: Array, indices: Array, updates: Array, axis: int, mode: str, outside: str, check: bool, what: str
) -> Array:
    """Combines updates into the target in index order; the updates' index axes at `axis` are flattened to one."""
    size = target.shape[axis]
    positions, dropped = resolve_positions(indices.reshape(-1), size, check, what)
    lines = updates.reshape(*updates.shape[:axis], indices.size, *updates.shape[axis + indices.ndim :])
    keep = ~dropped if outside == "fill" or size == 0 else np.ones(indices.size, bool)
    rows, source = np.moveaxis(target, axis, 0), np.moveaxis(lines, axis, 0)[keep]
    if mode == "set":
        for position, update in zip(positions[keep], source, strict=True):  # the last update wins
            rows[position] = update
    else:
        _COMBINE[mode].at(rows, positions[keep], source)
    return target


def _add_in_f64(updates: Array, indices: Array, dims: Sequence[int], axis: int, mode: str, check: bool, what: str) -> Array:
    """Scatter-adds floats in f64, whatever their dtype, and rounds once."""
    low = DType.of(updates.dtype).is_low_float
    terms = updates.astype(np.float64) if low else wide(updates)
    return _combine_updates(np.zeros(dims, terms.dtype), indices, terms, axis, "add", mode, check, what)


def _scatter_add(updates: Array, indices: Array, out_dim: int, mode: str, check_bounds: bool) -> Array:
    dims = (out_dim, *updates.shape[indices.ndim :])
    return _add_in_f64(updates, indices, dims, 0, mode, check_bounds, "scatter_add")


def _gather_backward(dy: Array, indices: Array, axis: int, size: int, mode: str, check_bounds: bool) -> Array:
    dims = (*dy.shape[:axis], size, *dy.shape[axis + indices.ndim :])
    return _add_in_f64(dy, indices, dims, axis, mode, check_bounds, "gather_backward")


def _scatter(x: Array, indices: Array, updates: Array, axis: int, mode: str, outside: str, check_bounds: bool) -> Array:
    if mode in ("add", "mul"):
        low = DType.of(x.dtype).is_low_float
        target, terms = (a.astype(np.float64) if low else wide(a) for a in (x, updates))
        return _combine_updates(target.copy(), indices, terms, axis, mode, outside, check_bounds, "scatter")
    return _combine_updates(x.copy(), indices, updates, axis, mode, outside, check_bounds, "scatter")


# -- in terms of scatter ----------------------------------------------------------------------------------------
def _add_by_scatter(updates: Value, indices: Value, *, out_dim: Size, mode: str, check_bounds: bool) -> Any:
    target = zeros(updates, (out_dim, *updates.shape[indices.rank :]))
    return scatter(target, indices, updates, axis=0, mode="add", outside=mode, check_bounds=check_bounds)


def _backward_by_scatter(dy: Value, indices: Value, *, axis: int, size: Size, mode: str, check_bounds: bool) -> Any:
    target = zeros(dy, replace_size((*dy.shape[: axis + 1], *dy.shape[axis + indices.rank :]), axis, size))
    if indices.rank == 0:
        target = zeros(dy, (*dy.shape[:axis], size, *dy.shape[axis:]))
    return scatter(target, indices, dy, axis=axis, mode="add", outside=mode, check_bounds=check_bounds)


def _count_updates(op: Op, operands: Sequence[Array | None]) -> int:
    assert operands[1] is not None
    return int(operands[1].size)


def _one_for_each_update(call: Call, results: tuple[Shape, ...]) -> Size:
    return call.given[2 if len(call.given) > 2 else 0].num_elements


# -- derivatives and batches of scatter -------------------------------------------------------------------------
def _beside(mask: Value, updates: Value, axis: int, rank: int) -> Value:
    """Reshapes a mask over the indices to broadcast with the updates."""
    return mask.reshape(*mask.shape, *(1,) * (updates.rank - axis - rank))


def _last_ones(call: Derivative, x: Value, indices: Value, updates: Value) -> Value:
    """The mask of updates that win when several are set at one index: the last of each."""
    numbers = iota_like(x, (indices.type.num_elements,), 0).reshape(indices.shape)
    nobody = zeros(numbers, (x.shape[call.axis],))
    winners = scatter(nobody, indices, numbers, axis=0, outside=call.outside)
    return _beside(gather(winners, indices, axis=0) == numbers, updates, call.axis, indices.rank)


def _product_of_others(call: Derivative, x: Value, indices: Value, updates: Value) -> Value:
    """For each update of a scatter_mul, the product of the others at its index; zeros are counted apart from the product."""
    where_to: dict[str, Any] = {"axis": call.axis, "outside": call.outside}
    is_zero = updates == 0.0
    factors = where(is_zero, 1.0, updates)
    product = scatter(zeros_like(x) + 1.0, indices, factors, mode="mul", **where_to)
    zero_count = scatter(zeros_like(x), indices, as_dtype(is_zero, x.dtype), mode="add", **where_to)
    other_zeros = take_or_zero(zero_count, indices, call.axis, call.outside) - as_dtype(is_zero, x.dtype)
    return where(other_zeros == 0.0, take_or_zero(product, indices, call.axis, call.outside) / factors, 0.0)


def _scatter_vjp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
    (x, indices, updates), (y,), (dy,) = operands, results, cotangents
    assert dy is not None
    where_to: dict[str, Any] = {"axis": call.axis, "outside": call.outside}
    if call.mode == "add":
        return [dy, None, take_or_zero(dy, indices, call.axis, call.outside)]
    if call.mode == "set":
        kept = scatter(dy, indices, zeros_like(updates), **where_to)
        return [kept, None, where(_last_ones(call, x, indices, updates), take_or_zero(dy, indices, call.axis, call.outside), 0.0)]
    if call.mode == "mul":
        return [
            scatter(dy, indices, updates, mode="mul", **where_to),
            None,
            take_or_zero(dy * x, indices, call.axis, call.outside) * _product_of_others(call, x, indices, updates),
        ]
    mine = updates == take_or_zero(y, indices, call.axis, call.outside)
    ours = x == y
    count = scatter(as_dtype(ours, dy.dtype), indices, as_dtype(mine, dy.dtype), mode="add", **where_to)
    share = dy / max_(count, 1.0)
    return [where(ours, share, 0.0), None, where(mine, take_or_zero(share, indices, call.axis, call.outside), 0.0)]


def _scatter_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> Sequence[Maybe]:
    if call.mode in ("add", "set"):
        return linear(0, 2)(call, operands, results, tangents)
    return by_transposition(call, operands, results, tangents)


def _batch_scatter(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `scatter`: shared indices write along the axis; else targets are concatenated, an example writes to its own."""
    if axes[1] is None:
        x, indices, updates = operands
        whole = all_in_front((x, updates), (axes[0], axes[2]))
        return with_batch_axis(again(call, (whole[0], indices, whole[1]), axis=call.axis + 1))
    x, indices, updates = all_in_front(operands, axes)
    assert x is not None and indices is not None and updates is not None
    size = x.shape[0]
    places = positions_of_all(indices, call.given[0].dims[call.axis], keep_outside=call.outside == "fill" or call.check_bounds)
    lines = move_block(updates, 1 + call.axis, indices.rank - 1, 1)
    target = side_by_side(x, call.axis)
    (written,) = again(call, [target, places, lines], axis=0)
    dims = call.given[0].dims
    parts = written.reshape(size, dims[call.axis], *dims[: call.axis], *dims[call.axis + 1 :])
    return with_batch_axis([move_axis(parts, 1, call.axis + 1)])


# -- records ----------------------------------------------------------------------------------------------------
_SUM = summed(1.0, _count_updates)

_define_scatter = partial(define_movement, tolerance=_SUM, cost=_one_for_each_update)

scatter = _define_scatter(
    "scatter",
    "x, indices:index, updates",
    infer=_scatter_shape,
    reference=_scatter,
    attrs={
        "axis": Attr("axis", 0),
        "mode": Attr("tag", "set", parse=ScatterMode.parse, annotation="ScatterMode | str", help="set, add, max, min or mul"),
        "outside": Attr(
            "tag",
            "clip",
            parse=IndexMode.parse,
            annotation="IndexMode | str",
            help="an index outside: clip clamps it, fill drops its update",
        ),
        "check_bounds": Attr("bool", False, help="an index outside the axis is an error at run time"),
    },
    doc="""x with updates written, added, multiplied, or compared at positions of one axis: the reverse of `gather`.

    Updates have the axes of the indices in place of the axis. Several for one position combine in index order: with
    `set` the last one stays.""",
    vjp=_scatter_vjp,
    jvp=_scatter_jvp,
    batch=_batch_scatter,
    cases=lambda: [
        case(
            sample(6, 4),
            sample(5, dtype="i32", fixed=[1, -1, 1, 9, 0]),
            sample(5, 4),
            note="rows set, the last stays",
            dtypes=("f32", "f64", "f16", "bf16", "i32", "u8", "bool"),
        ),
        case(
            sample(3, 7, 2),
            sample(2, 3, dtype="i64", low=-7, high=6),
            sample(3, 2, 3, 2),
            note="odd axis, indices of rank 2",
            dtypes=SUMMED,
            axis=1,
            mode="add",
        ),
        *(
            case(
                sample(5, 33),
                sample(9, dtype="i32", low=0, high=4),
                sample(9, 33),
                note=f"{mode}, odd length",
                mode=mode,
                dtypes=("f32", "bf16", "i32", "u8"),
            )
            for mode in ("max", "min", "mul")
        ),
        case(
            sample(2, 5),
            sample(6, dtype="i32", fixed=[-9, -6, -5, 4, 5, 99]),
            sample(2, 6),
            note="outside, dropped, odd axis",
            axis=-1,
            mode="add",
            outside="fill",
        ),
        case(sample(4, 3), sample(dtype="i32", fixed=2), sample(3), note="a scalar index"),
        case(sample(4, 3), sample(0, dtype="i32"), sample(0, 3), note="size 0"),
    ],
)

scatter_add = _define_scatter(
    "scatter_add",
    "updates, indices:index",
    infer=_add_shape,
    reference=_scatter_add,
    attrs={"out_dim": Attr("size", help="positions of the result"), **index_attrs()},
    doc="""Sums of updates `[indices…, rest…]` by position, in zeros of `[out_dim, rest…]`.

    An index outside is clamped; with mode='fill' its update is dropped.""",
    decompose=_add_by_scatter,
    vjp=one_result(lambda call, dy, updates, indices: [take_or_zero(dy, indices, 0, call.mode), None]),
    jvp=linear(0),
    cases=lambda: [
        case(sample(6, 4), sample(6, dtype="i32", low=-5, high=4), note="plain", dtypes=SUMMED, out_dim=5),
        case(sample(2, 3, 7), sample(2, 3, dtype="i64", low=0, high=3), note="indices of rank 2, odd length", out_dim=4),
        case(
            sample(40), sample(40, dtype="i32", low=0, high=2), note="many for one position, odd", out_dim=3, dtypes=("f32", "bf16")
        ),
        case(sample(4, 2), sample(4, dtype="i32", fixed=[5, -9, 1, 1]), note="outside, dropped", out_dim=3, mode="fill"),
        case(sample(0, 3), sample(0, dtype="i32"), note="size 0: zeros", out_dim=2),
    ],
)

gather_backward = _define_scatter(
    "gather_backward",
    "dy, indices:index",
    infer=_backward_shape,
    reference=_gather_backward,
    attrs={"axis": Attr("axis", 0), "size": Attr("size", help="the size of the gathered axis"), **index_attrs()},
    doc="The gradient of `gather`: dy summed into zeros at the positions it was read from; what was filled has none.",
    decompose=_backward_by_scatter,
    vjp=one_result(lambda call, dx, dy, indices: [take_or_zero(dx, indices, call.axis, call.mode), None]),
    jvp=linear(0),
    cases=lambda: [
        case(sample(5, 4), sample(5, dtype="i32", low=0, high=8), note="rows of a table", dtypes=SUMMED, axis=0, size=9),
        case(sample(3, 2, 4, 2), sample(2, 4, dtype="i32", low=-7, high=6), note="odd axis, outer rows", axis=1, size=7),
        case(sample(2, 6), sample(6, dtype="i64", fixed=[-9, -6, -5, 4, 5, 99]), note="outside, clamped", axis=-1, size=5),
        case(
            sample(2, 6),
            sample(6, dtype="i32", fixed=[-9, -6, -5, 4, 5, 99]),
            note="outside, dropped",
            axis=-1,
            size=5,
            mode="fill",
        ),
        case(sample(3), sample(dtype="i32", fixed=2), note="a scalar index", axis=0, size=4),
        case(sample(0, 3), sample(0, dtype="i32"), note="size 0", axis=0, size=4),
    ],
)
