"""Images in other sizes: the nearest pixel, or linear between pixels."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.ir.emit import constant, emit, size_scalar
from rlx.ir.tolerance import Tolerance, exact
from rlx.ir.value import Value, as_dtype
from rlx.ops.conv.windows import Ints
from rlx.ops.elementwise.binary import max_, min_
from rlx.ops.elementwise.select import clamp
from rlx.ops.elementwise.unary import floor
from rlx.ops.indexing.gather import gather
from rlx.ops.inference import no_arithmetic, per_operand_element
from rlx.ops.movement.shape import expand, reshape
from rlx.ops.record import OPS, Array, Attr, Call, Choice, DType, Op, OpKind, Shape, Size, case, define, sample
from rlx.ops.reduction.reduce import FLOATS, wide
from rlx.transforms.rules.batch_formulas import in_rows


class ResizeMode(Choice):
    """Where a pixel between others comes from."""

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


resize_nearest_2x = define(
    "resize_nearest_2x",
    "x",
    infer=_double_shape,
    kind=OpKind.DataMovement,
    reference=lambda x: x.repeat(2, axis=2).repeat(2, axis=3),
    decompose=_double_by_expand,
    doc="Each pixel of `[N, C, H, W]` twice along both axes.",
    tolerance=exact(),
    cost=no_arithmetic,
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
    """Where each new pixel lies between the old ones, counted in f32, as torch does."""
    places = np.arange(new, dtype=np.float32)
    if align_corners:
        return places * np.float32((old - 1) / (new - 1) if new > 1 else 0)
    found: Array = np.maximum((places + np.float32(0.5)) * (np.float32(old) / np.float32(new)) - np.float32(0.5), 0)
    return found


def _resize(x: Array, size: Ints, mode: str, align_corners: bool) -> Array:
    found = x
    for axis, new in enumerate(size, 2):
        old = x.shape[axis]
        if mode == "nearest":
            places = np.arange(new, dtype=np.float32)
            near = np.minimum(np.floor(places * (np.float32(old) / np.float32(new))).astype(np.int64), old - 1)
            found = np.take(found, near, axis=axis)
            continue
        source = _sources(old, new, align_corners)
        low = np.minimum(source.astype(np.int64), old - 1)
        weight = (source - low.astype(np.float32)).reshape([-1 if a == axis else 1 for a in range(x.ndim)])
        first, second = (wide(np.take(found, place, axis=axis)) for place in (low, np.minimum(low + 1, old - 1)))
        found = first * (1 - weight.astype(np.float64)) + second * weight
    return found


def _resize_by_gather(x: Value, *, size: tuple[Size, ...], mode: str, align_corners: bool) -> Value:
    """Positions counted in f32, as torch does, then gathered; linear: two neighbours weighed."""
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
