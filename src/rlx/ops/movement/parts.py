"""Parts of an axis, and parts joined: narrow, slice, split, concat."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from rlx.core.shape import is_zero
from rlx.ops.inference import compute_common, define_movement
from rlx.ops.movement.shape import MOVED, define_move, per_axis, replace_size, reshape, view_narrow, view_slice, view_split
from rlx.ops.record import OPS, Array, Attr, Call, Op, Shape, Size, Value, as_dtype, case, sample
from rlx.transforms.rules.batching import Axis, Batched, Operands, again, along_axes, with_batch_axis
from rlx.transforms.rules.derivative import Derivative, Maybe, Values, differentiable
from rlx.transforms.rules.formulas import at_least_zero, linear, one_result, or_zeros, zeros_like


# -- narrow -----------------------------------------------------------------------------------------------------
def _narrow_shape(call: Call) -> Shape:
    (x,) = call.given
    call.check_at_most(0, call.start, "start")
    call.check_at_most(0, call.length, "length")
    call.check_at_most(call.start + call.length, x.dims[call.axis], f"start + length against axis {call.axis}")
    return x.with_dims(replace_size(x.dims, call.axis, call.length))


def _narrow(x: Array, axis: int, start: int, length: int) -> Array:
    index: list[slice] = [slice(None)] * x.ndim
    index[axis] = slice(start, start + length)
    return x[tuple(index)]


def _between(dy: Value, axis: int, start: Size, whole: Size) -> Value:
    """Pads dy of `narrow` with zeros to `whole` positions on one axis."""
    rest = at_least_zero(dy.graph, whole - start - dy.shape[axis])
    none: tuple[Size, ...] = (0,) * dy.rank
    return OPS["pad"](dy, low=replace_size(none, axis, start), high=replace_size(none, axis, rest))


narrow = define_move(
    "narrow",
    "x",
    infer=_narrow_shape,
    reference=_narrow,
    attrs={"axis": Attr("axis"), "start": Attr("size", help="first position"), "length": Attr("size", help="number of positions")},
    doc="`length` positions of one axis from `start` on.",
    view=view_narrow,
    vjp=one_result(lambda call, dy, x: [_between(dy, call.axis, call.start, x.shape[call.axis])]),
    batch=along_axes,
    cases=lambda: [
        case(sample(5, 7), note="plain", dtypes=MOVED, axis=1, start=2, length=4),
        case(sample(3, 6, 2), note="odd axis from the end", axis=-2, start=1, length=5),
        case(sample(4), note="size 0", axis=0, start=4, length=0),
    ],
)


# -- slice ------------------------------------------------------------------------------------------------------
def _length(start: Size, stop: Size, step: int) -> Size:
    """The number of positions from `start` up to, not including, `stop`."""
    if isinstance(start, int) and isinstance(stop, int):
        return len(range(start, stop, step))
    forward = (stop - start) if step > 0 else (start - stop)
    return (forward + (abs(step) - 1)) // abs(step)


def _canonical_slice(call: Call) -> Op:
    """Normalizes `slice` to one entry for each axis; static stops follow the last position, empty slices go from 0 to 0."""
    starts, steps = per_axis(call, "start", 0), per_axis(call, "step", 1)
    stops = call.given[0].dims if call.stop is None else per_axis(call, "stop", 0)
    ends: list[tuple[Size, Size]] = []
    for start, stop, step in zip(starts, stops, steps, strict=True):
        if step == 0:
            raise call.error("RLX105", "a step is 0", fix="steps are positive or negative")
        length = _length(start, stop, int(step))
        if is_zero(length):
            start, stop = 0, 0
        elif isinstance(length, int):
            stop = start + (length - 1) * step + (1 if step > 0 else -1)
        ends.append((start, stop))
    return call.op.with_attrs(start=tuple(a for a, _ in ends), stop=tuple(b for _, b in ends), step=steps)


def _slice_shape(call: Call) -> Shape:
    (x,) = call.given
    dims: list[Size] = []
    for axis, (size, start, stop, step) in enumerate(zip(x.dims, call.start, call.stop, call.step, strict=True)):
        dims.append(_length(start, stop, step))
        if is_zero(dims[-1]):
            continue
        order = (0, start, stop, size) if step > 0 else (-1, stop, start, size - 1)
        for low, high in pairwise(order):
            fix = "positions count from the front and are not clipped; x[...] reads them as Python does"
            call.check_at_most(low, high, f"positions {start} to {stop} of axis {axis}, size {size}", fix=fix)
    return x.with_dims(dims)


def _slice(x: Array, start: tuple[int, ...], stop: tuple[int, ...], step: tuple[int, ...]) -> Array:
    ends = zip(start, stop, step, strict=True)
    return x[tuple(slice(first, None if last < 0 else last, by) for first, last, by in ends)]


def apart(dy: Value, axis: int, step: int) -> Value:
    """Inserts step - 1 zeros after each position of one axis except the last."""
    dims = dy.shape
    count = dims[axis]
    cut = reshape(dy, shape=(*dims[: axis + 1], 1, *dims[axis + 1 :]))
    none: tuple[Size, ...] = (0,) * cut.rank
    filled = OPS["pad"](cut, low=none, high=replace_size(none, axis + 1, step - 1))
    joined = reshape(filled, shape=replace_size(dims, axis, count * step))
    return narrow(joined, axis=axis, start=0, length=at_least_zero(dy.graph, (count - 1) * step + 1))


def _slice_vjp(call: Derivative, dy: Value, x: Value) -> list[Maybe]:
    """The vjp of `slice`: writes dy back where it was read, reversed for a negative step and dilated for a larger one."""
    for axis, (start, step) in enumerate(zip(call.start, call.step, strict=True)):
        count = dy.shape[axis]
        if isinstance(count, int) and count == 0:
            return [zeros_like(x)]
        first: Size = start
        if step < 0:
            dy, first = OPS["flip"](dy, axes=(axis,)), start + (count - 1) * step
        if abs(step) > 1 and not (isinstance(count, int) and count == 1):
            dy = apart(dy, axis, abs(step))
        dy = _between(dy, axis, first, x.shape[axis])
    return [dy]


def _batch_slice(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `slice`: reads all of the batch axis."""
    (x,) = operands
    assert x is not None
    return with_batch_axis(again(call, operands, start=(0, *call.start), stop=(x.shape[0], *call.stop), step=(1, *call.step)))


slice_ = define_move(
    "slice",
    "x",
    infer=_slice_shape,
    normalize=_canonical_slice,
    reference=_slice,
    attrs={
        "start": Attr("sizes", help="first position of each axis"),
        "stop": Attr("sizes", None, help="position after the last (-1: before the first, for negative steps); the sizes of x"),
        "step": Attr("ints", None, help="distance of positions, not 0; 1"),
    },
    doc="Every `step`-th position of each axis from `start` to before `stop`, counted from the front.",
    view=view_slice,
    vjp=one_result(_slice_vjp),
    batch=_batch_slice,
    cases=lambda: [
        case(sample(5, 7), note="plain", dtypes=MOVED, start=(1, 2), stop=(4, 7), step=(1, 1)),
        case(sample(6, 7), note="steps, odd length", start=(0, 1), stop=(6, 7), step=(3, 2)),
        case(sample(5, 4), note="a negative step over the whole axis, odd", start=(4, 3), stop=(-1, 0), step=(-1, -2)),
        case(sample(3, 4), note="size 0", start=(2, 0), stop=(2, 4), step=(1, 1)),
    ],
)


# -- split ------------------------------------------------------------------------------------------------------
def _split_shape(call: Call) -> tuple[Shape, ...]:
    (x,) = call.given
    if not call.sizes:
        raise call.error("RLX105", "sizes is empty", fix="one size for each part")
    for size in call.sizes:
        call.check_at_most(0, size, "size of a part", code="RLX105")
    total: Size = 0
    for size in call.sizes:
        total = total + size
    call.check_same(total, x.dims[call.axis], f"the sum of the sizes and the size of axis {call.axis},")
    return tuple(x.with_dims(replace_size(x.dims, call.axis, part)) for part in call.sizes)


def _split_vjp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
    parts = [or_zeros(dy, result) for dy, result in zip(cotangents, results, strict=True)]
    return [concat(*parts, axis=call.axis)]


split = define_movement(
    "split",
    "x",
    infer=_split_shape,
    reference=lambda x, sizes, axis: tuple(np.split(x, np.cumsum(sizes)[:-1], axis=axis)),
    results=("parts*",),
    attrs={"sizes": Attr("sizes", help="the size of each part"), "axis": Attr("axis", 0)},
    doc="Consecutive parts of one axis, as np.split; always a tuple.",
    view=view_split,
    vjp=_split_vjp,
    jvp=linear(0),
    batch=along_axes,
    cases=lambda: [
        case(sample(6, 4), note="plain", dtypes=MOVED, sizes=(2, 4), axis=0),
        case(sample(2, 9, 3), note="odd axis, uneven parts", sizes=(1, 5, 0, 3), axis=-2),
        case(sample(5), note="one part", sizes=(5,), axis=0),
    ],
)


# -- concat -----------------------------------------------------------------------------------------------------
def _concat_shape(call: Call) -> Shape:
    shapes = call.given
    if not shapes:
        raise call.error("RLX101", "there is nothing to join", fix="pass at least one value")
    first = shapes[0]
    joined: Size = 0
    for shape in shapes:
        if shape.rank != first.rank:
            raise call.error("RLX102", f"ranks {first.rank} and {shape.rank} differ", fix="reshape to one rank")
        for axis in range(first.rank):
            if axis != call.axis:
                call.check_same(first.dims[axis], shape.dims[axis], f"sizes at axis {axis}")
        joined = joined + shape.dims[call.axis]
    dtype = compute_common(*(shape.dtype for shape in shapes))
    return Shape.make(replace_size(first.dims, call.axis, joined), dtype)


def _concat_vjp(call: Derivative, dy: Value, *xs: Value) -> list[Maybe]:
    gradients: list[Maybe] = []
    start: Size = 0
    for x in xs:
        part = narrow(dy, axis=call.axis, start=start, length=x.shape[call.axis])
        gradients.append(as_dtype(part, x.dtype) if differentiable(x.dtype) else None)
        start = start + x.shape[call.axis]
    return gradients


def _concat_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    dtype = results[0].dtype
    parts = [as_dtype(or_zeros(t, x), dtype) for t, x in zip(tangents, operands, strict=True)]
    return [concat(*parts, axis=call.axis)]


concat = define_movement(
    "concat",
    "xs*",
    infer=_concat_shape,
    attrs={"axis": Attr("axis", 0)},
    compute_dtype=compute_common,
    reference=lambda *xs, axis: np.concatenate(xs, axis=axis),
    doc="Joined along one axis, as np.concatenate.",
    vjp=one_result(_concat_vjp),
    jvp=_concat_jvp,
    batch=along_axes,
    cases=lambda: [
        case(sample(2, 3), sample(4, 3), note="plain", dtypes=MOVED, axis=0),
        case(sample(2, 3, 2), sample(2, 1, 2), sample(2, 4, 2), note="odd axis, three parts", axis=-2),
        case(sample(3, 2), sample(3, 0), note="size 0", axis=1),
        case(sample(3), sample(2, dtype="i32"), note="promotes, broadcast of nothing"),
    ],
)
