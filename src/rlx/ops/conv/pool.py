"""Windows over images without weights: pooling, and rotary positions on a grid."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlx.ir.emit import constant, emit, size_scalar
from rlx.ir.tolerance import Tolerance, summed
from rlx.ops.conv.conv import Ints, spread, take_taps, taps, window_size, within_axis
from rlx.ops.elementwise.binary import add, clamp, max_, min_, where
from rlx.ops.elementwise.unary import floor, not_
from rlx.ops.indexing.gather import gather
from rlx.ops.inference import define_movement, per_operand_element
from rlx.ops.movement.pad import pad
from rlx.ops.movement.parts import slice_
from rlx.ops.movement.shape import expand, replace_size, reshape
from rlx.ops.record import OPS, Array, Attr, Call, Choice, DType, Op, OpKind, Shape, Size, Value, as_dtype, case, define, sample
from rlx.ops.reduction import FLOATS, reduce_max, reduce_min, reduce_sum, wide
from rlx.transforms.rules.batching import in_rows
from rlx.transforms.rules.derivative import Derivative, Maybe, Values, vjp_by_parts
from rlx.transforms.rules.formulas import linear, one_result, zeros_like


class PoolKind(Choice):
    """The reduction of a pooling window."""

    Max = "max"
    Mean = "mean"
    Sum = "sum"
    Min = "min"


# -- pooling ----------------------------------------------------------------------------------------------------
def _normal_pool(call: Call) -> Op:
    x = call.given[0]
    if not 3 <= x.rank <= 5:
        raise call.error("RLX102", f"x has rank {x.rank}", fix="[N, C, …] with 1 to 3 window axes")
    axes = x.rank - 2
    kernel = spread(call, "kernel_size", axes, 1)
    stride = kernel if call.stride is None else spread(call, "stride", axes, 1)
    return call.op.with_attrs(kernel_size=kernel, stride=stride, padding=spread(call, "padding", axes, 0))


def _pool_shape(call: Call) -> Shape:
    x = call.given[0]
    accepts = x.dtype.is_float or (x.dtype.is_integer and call.op.attrs.get("kind") != "mean")
    if not accepts:
        raise call.error("RLX103", f"{x.dtype} is not accepted", fix="floats, and ints for max, min and sum")
    dims: list[Size] = list(x.dims[:2])
    for axis, (size, kernel, stride, padding) in enumerate(
        zip(x.dims[2:], call.kernel_size, call.stride, call.padding, strict=True)
    ):
        if 2 * padding > kernel:
            message = f"padding {padding} is more than half the window of {kernel}"
            raise call.error("RLX105", message, fix="then a window may hold nothing but padding; pad x first")
        call.check_at_most(kernel, size + 2 * padding, f"window against the padded axis {axis + 2}", code="RLX102")
        dims.append(window_size(size, kernel, stride, padding))
    return x.with_dims(dims)


def border(kind: str, dtype: DType) -> float:
    """The padding value of a pooling op: the identity of its reduction."""
    if kind in ("sum", "mean"):
        return 0
    if dtype.is_integer:
        info = np.iinfo(dtype.numpy)  # type: ignore[type-var]
        return int(info.min if kind == "max" else info.max)
    return -math.inf if kind == "max" else math.inf


def _windows_with_border(x: Array, kernel: Ints, stride: Ints, padding: Ints, value: float) -> Array:
    """The windows `[N, C, outputs…, taps…]` of a padded array."""
    x = np.pad(x, [(0, 0), (0, 0), *((p, p) for p in padding)], constant_values=np.asarray(value).astype(x.dtype))
    views = np.lib.stride_tricks.sliding_window_view(x, kernel, tuple(range(2, x.ndim)))
    return views[(slice(None), slice(None), *(slice(None, None, s) for s in stride))]


def _pool(x: Array, kind: str, kernel_size: Ints, stride: Ints, padding: Ints) -> Array:
    wider = wide(x) if kind in ("sum", "mean") else x
    views = _windows_with_border(wider, kernel_size, stride, padding, border(kind, DType.of(x.dtype)))
    reduce: Callable[..., Array] = {"max": np.max, "min": np.min}.get(kind, np.sum)
    reduced = reduce(views, axis=tuple(range(x.ndim, x.ndim + len(kernel_size))))
    return reduced / math.prod(kernel_size) if kind == "mean" else reduced.astype(wider.dtype)


def _pool_by_axis(x: Value, *, kind: str, kernel_size: Ints, stride: Ints, padding: Ints) -> Value:
    """Pools one axis after the other: windows that do not overlap become an axis of their own, others combine shifted slices."""
    dtype = x.dtype
    if dtype.is_float:
        x = as_dtype(x, dtype.compute)
    if any(padding):
        amounts = (0, 0, *padding)
        x = pad(x, low=amounts, high=amounts, value=border(kind, x.dtype))
    combine, reduce = {"max": (max_, reduce_max), "min": (min_, reduce_min)}.get(kind, (add, reduce_sum))
    for axis, (kernel, step) in enumerate(zip(kernel_size, stride, strict=True), 2):
        size = x.shape[axis]
        outputs = window_size(size, kernel, step, 0)
        if kernel > 1 and isinstance(size, int) and kernel in (step, size):
            count = int(outputs) * kernel
            part = slice_(x, start=(0,) * x.rank, stop=replace_size(x.shape, axis, count), step=(1,) * x.rank)
            cut = reshape(part, shape=(*x.shape[:axis], outputs, kernel, *x.shape[axis + 1 :]))
            x = as_dtype(reduce(cut, axes=axis + 1, keep_dim=False), x.dtype)
            continue
        reduced: Value | None = None
        for tap in range(kernel):
            start, steps = replace_size((0,) * x.rank, axis, tap), [1] * x.rank
            steps[axis] = step
            stop = replace_size(x.shape, axis, within_axis(x, axis, tap + (outputs - 1) * step + 1))
            part = slice_(x, start=start, stop=stop, step=tuple(steps))
            reduced = part if reduced is None else combine(reduced, part)
        assert reduced is not None
        x = reduced
    if kind == "mean":
        x = x * (1 / math.prod(kernel_size))
    return as_dtype(x, dtype)


_TOLERANCE = summed(1.0, lambda op, operands: math.prod(op.attrs["kernel_size"]))


_POOL_ATTRS = {
    "kernel_size": Attr("ints", help="the window; one entry counts for all axes"),
    "stride": Attr("ints", None, help="distance of windows; kernel_size"),
    "padding": Attr("ints", (0,), help="on both sides of each axis, at most half the window"),
}


def _pool_vjp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> Sequence[Maybe]:
    (x,), (dy,) = operands, cotangents
    if call.kind in ("mean", "sum"):
        return vjp_by_parts()(call, operands, results, cotangents)
    names = {name: call.op.attrs[name] for name in ("kernel_size", "stride", "padding")}
    return [max_pool2d_backward(x if call.kind == "max" else -x, dy, **names)]


def _pool_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> Sequence[Maybe]:
    (x,), (t,) = operands, tangents
    if call.kind in ("mean", "sum"):
        return linear(0)(call, operands, results, tangents)
    assert t is not None
    return [_at_first_maximum(call, x if call.kind == "max" else -x, t)]


pool = define(
    "pool",
    "x",
    infer=_pool_shape,
    normalize=_normal_pool,
    reference=_pool,
    kind=OpKind.DataMovement,
    attrs={"kind": Attr("tag", parse=PoolKind.parse, annotation="PoolKind | str", help="max, mean, sum or min"), **_POOL_ATTRS},
    doc="""Each window of `[N, C, …]` becomes its maximum, mean, sum or minimum, as torch's pools over 1, 2 or 3 axes.

    The mean divides by the whole window, padding included; max and min ignore padding.""",
    tolerance=_TOLERANCE,
    decompose=_pool_by_axis,
    cost=lambda call, results: results[0].num_elements * math.prod(call.kernel_size),
    vjp=_pool_vjp,
    jvp=_pool_jvp,
    batch=in_rows(),
    cases=lambda: [
        *(
            case(sample(2, 3, 7, 8), note=f"{kind}, an odd image", dtypes=FLOATS, kind=kind, kernel_size=3, stride=2, padding=1)
            for kind in ("max", "mean", "sum", "min")
        ),
        case(sample(2, 3, 9), note="one axis, side by side, odd rest", kind="mean", kernel_size=4),
        case(sample(1, 2, 4, 5, 6), note="three axes", kind="max", kernel_size=(2, 1, 3), stride=(1, 2, 2)),
        case(sample(2, 3, 5, 6, dtype="i32"), note="ints, odd", kind="min", kernel_size=(2, 3), stride=1, padding=1),
        case(sample(0, 3, 4, 4), note="size 0", kind="max", kernel_size=2),
    ],
)


# -- the gradient of the maximum --------------------------------------------------------------------------------
def _max_backward_shape(call: Call) -> Shape:
    x, dy = call.given
    outputs = _pool_shape(call).dims
    if dy.rank != x.rank or dy.dtype is not x.dtype:
        raise call.error("RLX102", f"dy is {dy}", fix="the shape and dtype of what the pool gave")
    for axis, (mine, other) in enumerate(zip(outputs, dy.dims, strict=True)):
        call.check_same(mine, other, f"windows and the size of dy at axis {axis},")
    return x


def _max_pool_backward(x: Array, dy: Array, kernel_size: Ints, stride: Ints, padding: Ints) -> Array:
    views = _windows_with_border(x, kernel_size, stride, padding, border("max", DType.of(x.dtype)))
    flat = views.reshape(*dy.shape, math.prod(kernel_size))
    flat = np.where(np.isnan(flat), np.inf, flat) if np.issubdtype(x.dtype, np.floating) else flat
    chosen = np.unravel_index(np.argmax(flat, -1), kernel_size) if dy.size else tuple(np.zeros((len(kernel_size), *dy.shape), int))
    sizes = [n + 2 * p for n, p in zip(x.shape[2:], padding, strict=True)]
    total = np.zeros((*x.shape[:2], *sizes), wide(dy).dtype)
    grid = np.indices(dy.shape)
    places = [grid[axis + 2] * stride[axis] + chosen[axis] for axis in range(len(kernel_size))]
    np.add.at(total, (grid[0], grid[1], *places), wide(dy))
    return total[(slice(None), slice(None), *(slice(p, p + n) for p, n in zip(padding, x.shape[2:], strict=True)))]


def _at_first_maximum(call: Derivative, x: Value, t: Value) -> Value:
    """Reads t at the first maximum of each window of x: the jvp of a max pool."""
    amounts = (0, 0, *call.padding)
    values, moved = (
        pad(value, low=amounts, high=amounts, value=number) for value, number in ((x, border("max", x.dtype)), (t, 0.0))
    )
    outputs = [window_size(n, k, s, 0) for n, k, s in zip(values.shape[2:], call.kernel_size, call.stride, strict=True)]
    offsets = list(taps(call.kernel_size, (1,) * len(call.kernel_size)))
    windows = [take_taps(values, offset, outputs, call.stride) for offset in offsets]
    top = windows[0]
    for window in windows[1:]:
        top = max_(top, window)
    gradient, open_ = zeros_like(top), top == top
    for offset, window in zip(offsets, windows, strict=True):
        here = open_ & (window == top)
        gradient = where(here, take_taps(moved, offset, outputs, call.stride), gradient)
        open_ = open_ & not_(here)
    return gradient


def _max_pool_backward_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    t = tangents[1]
    return [None if t is None else max_pool2d_backward(operands[0], t, **call.op.attrs)]


max_pool2d_backward = define(
    "max_pool2d_backward",
    "x, dy",
    infer=_max_backward_shape,
    normalize=_normal_pool,
    reference=_max_pool_backward,
    kind=OpKind.DataMovement,
    attrs=_POOL_ATTRS,
    doc="The gradient of a max pool: dy of each window goes to its first maximum in row-major order.",
    tolerance=_TOLERANCE,
    cost=per_operand_element(2),
    vjp=one_result(lambda call, ct, x, dy: [None, _at_first_maximum(call, x, ct)]),
    jvp=_max_pool_backward_jvp,
    batch=in_rows(),
    cases=lambda: [
        case(
            sample(2, 3, 7, 8),
            sample(2, 3, 4, 4),
            note="overlapping windows, an odd image",
            dtypes=FLOATS,
            kernel_size=3,
            stride=2,
            padding=1,
        ),
        case(sample(1, 1, 4, 4, fixed=np.ones((4, 4))), sample(1, 1, 2, 2), note="odd: ties go to the first", kernel_size=2),
        case(sample(2, 2, 5, 6), sample(2, 2, 2, 2), note="side by side, odd rest", kernel_size=(2, 3)),
        case(sample(0, 3, 4, 4), sample(0, 3, 2, 2), note="size 0", kernel_size=2),
    ],
)


# -- images in other sizes: the nearest pixel, or linear between pixels ----------------------------------------------


class ResizeMode(Choice):
    """The interpolation of `resize`."""

    Nearest = "nearest"
    Linear = "linear"


# -- twice as large ---------------------------------------------------------------------------------------------
def _double_shape(call: Call) -> Shape:
    x = call.given[0]
    if x.rank != 4:
        raise call.error("RLX102", f"x has rank {x.rank}", fix="[N, C, H, W]")
    return x.with_dims((*x.dims[:2], x.dims[2] * 2, x.dims[3] * 2))


def _double_by_expand(x: Value) -> Any:
    batch, channels, height, width = x.shape
    repeated = expand(reshape(x, shape=(batch, channels, height, 1, width, 1)), shape=(batch, channels, height, 2, width, 2))
    return reshape(repeated, shape=(batch, channels, height * 2, width * 2))


resize_nearest_2x = define_movement(
    "resize_nearest_2x",
    "x",
    infer=_double_shape,
    reference=lambda x: x.repeat(2, axis=2).repeat(2, axis=3),
    decompose=_double_by_expand,
    doc="Each pixel of `[N, C, H, W]` twice along both axes.",
    moves_elements=True,
    batch=in_rows(),
    cases=lambda: [
        case(sample(2, 3, 4, 5), note="an image", dtypes=("f32", "bf16", "i32", "u8")),
        case(sample(1, 1, 1, 3), note="odd: one row"),
        case(sample(0, 2, 3, 3), note="size 0"),
    ],
)


# -- any size ---------------------------------------------------------------------------------------------------
def _normal_resize(call: Call) -> Op:
    if call.given[0].rank < 3 or len(call.size) not in (1, call.given[0].rank - 2):
        message = f"size has {len(call.size)} entries for rank {call.given[0].rank}"
        raise call.error("RLX105", message, fix="[N, C, …], and one size for each axis behind the channels")
    return call.op.with_attrs(size=call.size * (call.given[0].rank - 2) if len(call.size) == 1 else call.size)


def _resize_shape(call: Call) -> Shape:
    x = call.given[0]
    if call.mode == "linear" and not x.dtype.is_float:
        raise call.error("RLX103", f"{x.dtype} is not accepted", fix="floats; mode='nearest' takes every dtype")
    for axis, (old, new) in enumerate(zip(x.dims[2:], call.size, strict=True)):
        call.check_at_most(1, old, f"pixels of axis {axis + 2}", code="RLX102")
        call.check_at_most(1, new, f"new size of axis {axis + 2}", code="RLX105")
    return x.with_dims((*x.dims[:2], *call.size))


def _sources(old: int, new: int, align_corners: bool) -> Array:
    """Source coordinates of the resized pixels, computed in f32 as torch does."""
    places = np.arange(new, dtype=np.float32)
    if align_corners:
        return places * np.float32((old - 1) / (new - 1) if new > 1 else 0)
    return np.maximum((places + np.float32(0.5)) * (np.float32(old) / np.float32(new)) - np.float32(0.5), 0)


def _resize(x: Array, size: Ints, mode: str, align_corners: bool) -> Array:
    resized = x
    for axis, new in enumerate(size, 2):
        old = x.shape[axis]
        if mode == "nearest":
            places = np.arange(new, dtype=np.float32)
            near = np.minimum(np.floor(places * (np.float32(old) / np.float32(new))).astype(np.int64), old - 1)
            resized = np.take(resized, near, axis=axis)
            continue
        source = _sources(old, new, align_corners)
        low = np.minimum(source.astype(np.int64), old - 1)
        weight = (source - low.astype(np.float32)).reshape([-1 if a == axis else 1 for a in range(x.ndim)])
        first, second = (wide(np.take(resized, index, axis=axis)) for index in (low, np.minimum(low + 1, old - 1)))
        resized = first * (1 - weight.astype(np.float64)) + second * weight
    return resized


def _resize_by_gather(x: Value, *, size: tuple[Size, ...], mode: str, align_corners: bool) -> Value:
    """`resize` by gathers at f32 coordinates, as in torch; linear weighs two neighbors."""
    dtype, f32 = x.dtype, DType.of("f32")
    x = as_dtype(x, dtype.compute) if mode == "linear" else x
    for axis, new in enumerate(size, 2):
        old = x.shape[axis]
        places = emit(OPS["iota"], (), {"shape": (new,), "dtype": "f32"}, graph=x.graph)
        scale = size_scalar(x, old, f32) / size_scalar(x, new, f32)
        if isinstance(old, int) and isinstance(new, int):
            scale = constant(x.graph, np.float32(old) / np.float32(new), f32)
        last = size_scalar(x, old - 1)
        if mode == "nearest":
            x = gather(x, min_(as_dtype(floor(places * scale), DType.of("i32")), last), axis=axis)
            continue
        if isinstance(old, int) and isinstance(new, int):  # known now: no device rounds them in its own way
            source = constant(x.graph, _sources(old, new, align_corners), f32)
        elif align_corners:
            steps = max_(size_scalar(x, new - 1, f32), 1.0)
            source = places * (size_scalar(x, old - 1, f32) / steps)
        else:
            source = max_((places + 0.5) * scale - 0.5, 0.0)
        low = clamp(as_dtype(source, DType.of("i32")), 0, last)
        weight = as_dtype(source - as_dtype(low, f32), x.dtype).reshape(new, *(1,) * (x.rank - axis - 1))
        first, second = gather(x, low, axis=axis), gather(x, min_(low + 1, last), axis=axis)
        x = first * (1.0 - weight) + second * weight
    return as_dtype(x, dtype)


resize = define(
    "resize",
    "x",
    infer=_resize_shape,
    normalize=_normal_resize,
    reference=_resize,
    kind=OpKind.DataMovement,
    attrs={
        "size": Attr("sizes", help="the new sizes of the axes behind the channels"),
        "mode": Attr("tag", "nearest", parse=ResizeMode.parse, annotation="ResizeMode | str", help="nearest or linear"),
        "align_corners": Attr("bool", False, help="linear: the corner pixels stay where they are"),
    },
    doc="`[N, C, …]` in other sizes, as torch's interpolate: the nearest pixel, or linear (bilinear, trilinear) between pixels.",
    tolerance=Tolerance(ulps=16.0, scale="max"),
    cost=per_operand_element(6),
    decompose=_resize_by_gather,
    batch=in_rows(),
    cases=lambda: [
        case(sample(2, 3, 4, 5), note="nearest, odd sizes", dtypes=("f32", "bf16", "i32"), size=(7, 3)),
        case(sample(2, 3, 4, 5), note="bilinear, odd sizes", dtypes=FLOATS, size=(7, 3), mode="linear"),
        case(sample(1, 2, 6), note="one axis, corners kept, odd", size=11, mode="linear", align_corners=True),
        case(sample(1, 1, 3, 2, 4), note="three axes", size=(2, 5, 4), mode="linear"),
        case(sample(0, 2, 3), note="size 0", size=5),
    ],
)
