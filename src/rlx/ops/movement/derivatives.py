"""Derivatives of movement: shapes, borders, positions, order. All are linear; reading by index is transposed by adding at the index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlx.core.dim import Size, product
from rlx.core.dtype import i32
from rlx.ir.emit import emit, size_scalar
from rlx.ir.op import complete
from rlx.ir.value import Value, as_dtype
from rlx.ops.elementwise.binary import max_
from rlx.ops.elementwise.select import clamp, where
from rlx.ops.indexing import gather as index
from rlx.ops.indexing import order, scatter
from rlx.ops.movement import pad, shape
from rlx.ops.movement.shape import replaced
from rlx.transforms.rules.derivative import Derivative, Maybe, differentiable, vjp_by_parts
from rlx.transforms.rules.formulas import (
    at_least_zero,
    by_transposition,
    given,
    linear,
    matched,
    one,
    zeros,
    zeros_like,
)


# -- the same elements ------------------------------------------------------------------------------------------
def _inverse(perm: Sequence[int]) -> tuple[int, ...]:
    return tuple(perm.index(axis) for axis in range(len(perm)))


complete(shape.reshape, vjp=one(lambda call, dy, x: [shape.reshape(dy, shape=x.shape)]), jvp=linear(0))
complete(shape.transpose, vjp=one(lambda call, dy, x: [shape.transpose(dy, perm=_inverse(call.perm))]), jvp=linear(0))
complete(shape.expand, vjp=one(lambda call, dy, x: [matched(dy, x)]), jvp=linear(0))


# -- parts ------------------------------------------------------------------------------------------------------
def _between(dy: Value, axis: int, start: Size, whole: Size) -> Value:
    """dy with zeros around it on one axis, `whole` positions in all."""
    rest = at_least_zero(dy.graph, whole - start - dy.shape[axis])
    none: tuple[Size, ...] = (0,) * dy.rank
    found: Value = pad.pad(dy, low=replaced(none, axis, start), high=replaced(none, axis, rest))
    return found


def _apart(dy: Value, axis: int, step: int) -> Value:
    """step - 1 zeros behind each position of one axis, but for the last."""
    dims = dy.shape
    count = dims[axis]
    cut = shape.reshape(dy, shape=(*dims[: axis + 1], 1, *dims[axis + 1 :]))
    none: tuple[Size, ...] = (0,) * cut.rank
    filled = pad.pad(cut, low=none, high=replaced(none, axis + 1, step - 1))
    joined = shape.reshape(filled, shape=replaced(dims, axis, count * step))
    found: Value = shape.narrow(joined, axis=axis, start=0, length=at_least_zero(dy.graph, (count - 1) * step + 1))
    return found


def _slice_vjp(call: Derivative, dy: Value, x: Value) -> list[Maybe]:
    """Back to the places it was read from: reversed where the step is negative, spread out where it is not 1."""
    for axis, (start, step) in enumerate(zip(call.start, call.step, strict=True)):
        count = dy.shape[axis]
        if isinstance(count, int) and count == 0:
            return [zeros_like(x)]
        first: Size = start
        if step < 0:
            dy, first = pad.flip(dy, axes=(axis,)), start + (count - 1) * step
        if abs(step) > 1 and not (isinstance(count, int) and count == 1):
            dy = _apart(dy, axis, abs(step))
        dy = _between(dy, axis, first, x.shape[axis])
    return [dy]


def _concat_vjp(call: Derivative, dy: Value, *xs: Value) -> list[Maybe]:
    found: list[Maybe] = []
    start: Size = 0
    for x in xs:
        part = shape.narrow(dy, axis=call.axis, start=start, length=x.shape[call.axis])
        found.append(as_dtype(part, x.dtype) if differentiable(x.dtype) else None)
        start = start + x.shape[call.axis]
    return found


def _split_vjp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], cotangents: Sequence[Maybe]
) -> list[Maybe]:
    parts = [given(dy, result) for dy, result in zip(cotangents, results, strict=True)]
    return [shape.concat(*parts, axis=call.axis)]


def _concat_jvp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]
) -> list[Maybe]:
    dtype = results[0].dtype
    parts = [as_dtype(given(t, x), dtype) for t, x in zip(tangents, operands, strict=True)]
    return [shape.concat(*parts, axis=call.axis)]


complete(
    shape.narrow, vjp=one(lambda call, dy, x: [_between(dy, call.axis, call.start, x.shape[call.axis])]), jvp=linear(0)
)
complete(shape.slice_, vjp=one(_slice_vjp), jvp=linear(0))
complete(shape.concat, vjp=one(_concat_vjp), jvp=_concat_jvp)
complete(shape.split, vjp=_split_vjp, jvp=linear(0))


# -- borders and order ------------------------------------------------------------------------------------------
def _pad_vjp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], cotangents: Sequence[Maybe]
) -> Sequence[Maybe]:
    (x,), (dy,) = operands, cotangents
    if call.mode != "constant":
        return vjp_by_parts()(call, operands, results, cotangents)
    for axis, low in enumerate(call.low):
        dy = shape.narrow(dy, axis=axis, start=low, length=x.shape[axis])
    return [dy]


def _roll_vjp(call: Derivative, dy: Value, x: Value) -> list[Maybe]:
    return [pad.roll(dy, shift=tuple(-by for by in call.shift), axes=call.axes)]


complete(pad.pad, vjp=_pad_vjp, jvp=linear(0, value=0.0))
complete(pad.flip, vjp=one(lambda call, dy, x: [pad.flip(dy, axes=call.axes)]), jvp=linear(0))
complete(pad.roll, vjp=one(_roll_vjp), jvp=linear(0))


# -- by index ---------------------------------------------------------------------------------------------------
def counted(indices: Value, size: Value) -> tuple[Value, Value]:
    """Indices counted from the front, i32, and which of them lie inside: the rule of `rlx.ops.indexing.gather`."""
    places = as_dtype(indices, i32)
    places = where(places < 0, places + size, places)
    return places, (places >= 0) & (places < size)


def taken(x: Value, indices: Value, axis: int, mode: str) -> Value:
    """`gather` that reads 0 where `fill` reads NaN: the transpose of adding at the index."""
    found: Value = index.gather(x, indices, axis=axis)
    if mode == "fill":
        _, inside = counted(indices, size_scalar(x, x.shape[axis]))
        found = where(inside.reshape(*indices.shape, *(1,) * (x.rank - axis - 1)), found, 0.0)
    return found


def _gather_vjp(call: Derivative, dy: Value, x: Value, indices: Value) -> list[Maybe]:
    return [scatter.gather_backward(dy, indices, axis=call.axis, size=x.shape[call.axis], mode=call.mode), None]


def _gather_jvp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]
) -> list[Maybe]:
    (_, indices), t = operands, tangents[0]
    assert t is not None
    if call.mode == "clip":
        return [index.gather(t, indices, axis=call.axis)]
    return [taken(t, indices, call.axis, call.mode)]


def _iota(like: Value, dims: Sequence[Size], axis: int) -> Value:
    found: Value = emit(shape.iota, (), {"shape": tuple(dims), "axis": axis}, graph=like.graph)
    return found


def _flat_places(x: Value, indices: Value, dims: Sequence[Size], axis: int, mode: str) -> Value:
    """For each element that take_along_axis gave, its place among the flat elements of x; past the end if it was filled."""
    places, inside = counted(indices, size_scalar(x, x.shape[axis]))
    places = clamp(places, 0, size_scalar(x, x.shape[axis] - 1))
    stride: Size = 1
    found: Value | None = None
    for a in reversed(range(x.rank)):
        place = places if a == axis else None if isinstance(x.shape[a], int) and x.shape[a] == 1 else _iota(x, dims, a)
        if place is not None:
            term = place * size_scalar(x, stride)
            found = term if found is None else found + term
        stride = stride * x.shape[a]
    assert found is not None
    if mode == "fill":
        found = where(inside, found, size_scalar(x, x.type.num_elements))
    whole: Value = shape.expand(found, shape=tuple(dims))
    return whole.reshape(product(dims))


def added_along(dy: Value, x: Value, indices: Value, axis: int, mode: str) -> Value:
    """dy added into zeros of x's shape at its own places of each line: the transpose of take_along_axis."""
    places = _flat_places(x, indices, dy.shape, axis, mode)
    summed = scatter.scatter_add(dy.reshape(product(dy.shape)), places, out_dim=x.type.num_elements, mode="fill")
    found: Value = summed.reshape(x.shape)
    return found


def _taken_along(x: Value, indices: Value, axis: int, mode: str) -> Value:
    found: Value = index.take_along_axis(x, indices, axis=axis)
    if mode == "fill":
        found = where(counted(indices, size_scalar(x, x.shape[axis]))[1], found, 0.0)
    return found


def _take_along_jvp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]
) -> list[Maybe]:
    t = tangents[0]
    assert t is not None
    return [_taken_along(t, operands[1], call.axis, call.mode)]


def _update_vjp(call: Derivative, dy: Value, x: Value, update: Value, *starts: Value) -> list[Maybe]:
    """x keeps dy outside the window, the update has what is inside."""
    sizes = tuple(update.shape[axis] for axis in call.axes)
    outside = index.dynamic_update_slice(dy, zeros_like(update), *starts, axes=call.axes)
    return [outside, index.dynamic_slice(dy, *starts, axes=call.axes, sizes=sizes), *(None for _ in starts)]


def _slice_back(call: Derivative, dy: Value, x: Value, *starts: Value) -> list[Maybe]:
    return [index.dynamic_update_slice(zeros_like(x), dy, *starts, axes=call.axes), *(None for _ in starts)]


complete(index.gather, vjp=one(_gather_vjp), jvp=_gather_jvp)
complete(
    index.take_along_axis,
    jvp=_take_along_jvp,
    vjp=one(lambda call, dy, x, indices: [added_along(dy, x, indices, call.axis, call.mode), None]),
)
complete(index.dynamic_slice, vjp=one(_slice_back), jvp=linear(0))
complete(index.dynamic_update_slice, vjp=one(_update_vjp), jvp=linear(0, 1))


# -- writing by index -------------------------------------------------------------------------------------------
def _beside(mask: Value, updates: Value, axis: int, rank: int) -> Value:
    """A mask over the indices that broadcasts with the updates."""
    return mask.reshape(*mask.shape, *(1,) * (updates.rank - axis - rank))


def _last_ones(call: Derivative, x: Value, indices: Value, updates: Value) -> Value:
    """Which updates stay when several are set at one position: the last."""
    numbers = _iota(x, (indices.type.num_elements,), 0).reshape(indices.shape)
    nobody = zeros(numbers, (x.shape[call.axis],))
    winners = scatter.scatter(nobody, indices, numbers, axis=0, outside=call.outside)
    return _beside(index.gather(winners, indices, axis=0) == numbers, updates, call.axis, indices.rank)


def _scatter_vjp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], cotangents: Sequence[Maybe]
) -> list[Maybe]:
    (x, indices, updates), (y,), (dy,) = operands, results, cotangents
    assert dy is not None
    where_to: dict[str, Any] = {"axis": call.axis, "outside": call.outside}
    if call.mode == "add":
        return [dy, None, taken(dy, indices, call.axis, call.outside)]
    if call.mode == "set":
        kept = scatter.scatter(dy, indices, zeros_like(updates), **where_to)
        return [
            kept,
            None,
            where(_last_ones(call, x, indices, updates), taken(dy, indices, call.axis, call.outside), 0.0),
        ]
    mine = updates == taken(y, indices, call.axis, call.outside)
    ours = x == y
    count = scatter.scatter(as_dtype(ours, dy.dtype), indices, as_dtype(mine, dy.dtype), mode="add", **where_to)
    share = dy / max_(count, 1.0)
    return [where(ours, share, 0.0), None, where(mine, taken(share, indices, call.axis, call.outside), 0.0)]


def _scatter_jvp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]
) -> Sequence[Maybe]:
    if call.mode in ("add", "set"):
        return linear(0, 2)(call, operands, results, tangents)
    return by_transposition(call, operands, results, tangents)


complete(scatter.scatter, vjp=_scatter_vjp, jvp=_scatter_jvp)
complete(
    scatter.scatter_add,
    vjp=one(lambda call, dy, updates, indices: [taken(dy, indices, 0, call.mode), None]),
    jvp=linear(0),
)
complete(
    scatter.gather_backward,
    jvp=linear(0),
    vjp=one(lambda call, dx, dy, indices: [taken(dx, indices, call.axis, call.mode), None]),
)


# -- order ------------------------------------------------------------------------------------------------------
def _sort_vjp(call: Derivative, dy: Value, x: Value) -> list[Maybe]:
    """The order's own order leads back."""
    back = order.argsort(order.argsort(x, axis=call.axis, descending=call.descending), axis=call.axis)
    return [index.take_along_axis(dy, back, axis=call.axis)]


def _sort_jvp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]
) -> list[Maybe]:
    places = order.argsort(operands[0], axis=call.axis, descending=call.descending)
    return [index.take_along_axis(tangents[0], places, axis=call.axis)]


complete(order.sort, vjp=one(_sort_vjp), jvp=_sort_jvp)
complete(
    order.top_k,
    vjp=lambda call, operands, results, seeds: [added_along(seeds[0], operands[0], results[1], call.axis, "clip")],
    jvp=lambda call, operands, results, tangents: [
        index.take_along_axis(tangents[0], results[1], axis=call.axis),
        None,
    ],
)
