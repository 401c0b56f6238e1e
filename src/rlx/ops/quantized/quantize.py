"""Floats to quantized integers and back. Rounding is half to even."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from rlx.core.dtype import f32, f64, i32
from rlx.ir.emit import constant
from rlx.ir.tolerance import ulps
from rlx.ops.elementwise.binary import clamp
from rlx.ops.elementwise.unary import round_
from rlx.ops.inference import per_operand_element
from rlx.ops.movement.shape import expand
from rlx.ops.record import Array, Attr, Call, DType, Shape, Size, Value, as_dtype, case, define, exact, sample
from rlx.transforms.rules.batching import (
    Axis,
    Batched,
    Operands,
    Rule,
    again,
    batch_size,
    in_front,
    merge_batch,
    move_axis,
    with_batch_axis,
)

# -- one scale for a tensor, or one for each channel: how scales are checked, broadcast, and batched -----------------


_BY_CHANNEL = ("scale", "zero_point")


def check_channels(call: Call, x: Shape, index: int) -> None:
    """Checks a scale or zero point: a scalar, or one entry for each position of `axis`."""
    shape, name = call.shape(index), call.op.definition.operands[index].name
    if shape is None or shape.rank == 0:
        return
    if call.axis is None or shape.rank != 1:
        raise call.error("RLX102", f"{name} has rank {shape.rank}", fix="a scalar, or with axis=… one entry for each channel")
    call.check_same(shape.dims[0], x.dims[call.axis], f"entries of {name} and channels")


def by_channel(values: Array, x: Array, axis: int | None) -> Array:
    """Reshapes NumPy scales to broadcast along one axis of x."""
    return values if values.ndim == 0 or axis is None else values.reshape([-1 if a == axis else 1 for a in range(x.ndim)])


def channel_value(values: Value, x: Value, axis: int | None) -> Value:
    """Reshapes a Value of scales to broadcast along one axis of x."""
    if values.rank == 0 or axis is None:
        return values
    return values.reshape(values.shape[0], *(1,) * (x.rank - axis - 1))


# -- batches: the channels of all examples are channels of one tensor -------------------------------------------
def by_channels(*results: str, reduces: bool = False) -> Rule:
    """A batching rule for ops with one scale for the tensor or for each channel; `results` are like "x" or like "scale".

    Scales shared by all examples stay, unless the op `reduces`: computes a scale for each example.
    """

    def rule(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
        names = [operand.name for operand in call.op.definition.operands]
        shared = all(axis is None for name, axis in zip(names, axes, strict=False) if name in _BY_CHANNEL)
        if shared and not reduces:
            return _shared_scales(call, operands, axes)
        size, channel = batch_size(operands, axes), call.op.attrs["axis"]
        given = []
        for name, value, axis in zip(names, operands, axes, strict=False):
            if value is not None:
                whole = in_front(value, axis, size)
                value = _scales(whole, call, size) if name in _BY_CHANNEL else _channels_first(whole, channel, size)
            given.append(value)
        values = again(call, given, axis=0)
        examples = call.op.infer(call.shapes, call.assumptions)
        return with_batch_axis(
            [
                value.reshape(size, *example.dims) if kind == "scale" else _channels_back(value, call, size)
                for kind, value, example in zip(results, values, examples, strict=True)
            ]
        )

    return rule


def _shared_scales(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches a quantized op with shared scales: x (and dy) are batched, the channel axis moves by one."""
    names = [operand.name for operand in call.op.definition.operands]
    size, channel = batch_size(operands, axes), call.op.attrs["axis"]
    given = [
        value if value is None or name in _BY_CHANNEL else in_front(value, axis, size)
        for name, value, axis in zip(names, operands, axes, strict=False)
    ]
    return with_batch_axis(again(call, given, axis=None if channel is None else channel + 1))


def _channels_first(x: Value, channel: int | None, size: Size) -> Value:
    """Moves the batch and channel axes of a quantized op to the front: `[n, …]` without channels, else `[n·C, …]`."""
    return x if channel is None else merge_batch(move_axis(x, channel + 1, 1), 0, size)


def _channels_back(x: Value, call: Call, size: Size) -> Value:
    channel = call.op.attrs["axis"]
    if channel is None:
        return x
    return move_axis(x.reshape(size, call.given[0].dims[channel], *x.shape[1:]), 1, channel + 1)


def _scales(scale: Value, call: Call, size: Size) -> Value:
    """The scales of all examples: `[n]`, or `[n·C]` where there are channels."""
    channel = call.op.attrs["axis"]
    if channel is None:
        return scale
    if scale.rank == 1:
        scale = expand(scale.reshape(size, 1), shape=(size, call.given[0].dims[channel]))
    return merge_batch(scale, 0, size)


def limits(dtype: DType) -> tuple[int, int]:
    """The smallest and largest number of an int dtype."""
    info = np.iinfo(dtype.numpy)  # type: ignore[type-var]
    return int(info.min), int(info.max)


def _check_settings(call: Call, x: Shape) -> None:
    """Checks scale and integer zero point, operands 1 and 2: one for all of x, or one for each channel."""
    zero = call.shape(2)
    if zero is not None and not zero.dtype.is_integer:
        raise call.error("RLX103", f"zero_point is {zero.dtype}", fix="an integer: .astype('i32')")
    check_channels(call, x, 1)
    check_channels(call, x, 2)


# -- quantize ---------------------------------------------------------------------------------------------------
def _quantize_shape(call: Call) -> Shape:
    x, scale = call.given[:2]
    dtype = call.op.attrs["dtype"]
    if not x.dtype.is_float or not scale.dtype.is_float:
        raise call.error("RLX103", f"x is {x.dtype} and scale {scale.dtype}", fix="floats")
    if dtype.name not in ("i8", "u8", "i16", "u16", "i32"):
        raise call.error("RLX103", f"dtype is {dtype}", fix="i8, u8, i16, u16 or i32")
    _check_settings(call, x)
    return x.with_dtype(dtype)


def _quantize(x: Array, scale: Array, zero_point: Array | None = None, *, axis: int | None, dtype: DType) -> Array:
    """The NumPy reference of `quantize`: x/s in f32 (f64 for f64), so that ties round as on every backend."""
    rounded = np.rint(x / by_channel(scale, x, axis)).astype(np.float64)
    shifted = rounded if zero_point is None else rounded + by_channel(zero_point.astype(np.float64), x, axis)
    return np.clip(np.nan_to_num(shifted, nan=0.0), *limits(dtype)).astype(dtype.numpy)


def _cast_constant(value: Value, dtype: DType) -> Value:
    """Casts a constant at trace time, which saves a cast in each run; emits a cast for other Values."""
    op = value.graph.node(value.ref).op
    return constant(value.graph, op["value"].array, dtype) if op.name == "constant" else as_dtype(value, dtype)


def _quantize_by_round(x: Value, scale: Value, zero_point: Value | None = None, *, axis: int | None, dtype: DType) -> Value:
    """Decomposes `quantize`: clamp(round(x/s) + zp). The cast to an int saturates and converts NaN to 0."""
    kind = f64 if f64 in (x.dtype, scale.dtype) else f32
    rounded = round_(as_dtype(x, kind) / channel_value(as_dtype(scale, kind), x, axis))
    if zero_point is not None:
        rounded = rounded + channel_value(_cast_constant(zero_point, kind), x, axis)
    low, high = limits(dtype)
    if dtype is not i32:
        rounded = clamp(rounded, float(low), float(high))
    return as_dtype(rounded, dtype)


define_on_grid = partial(define, keeps_f32="its grid follows the scale", batch=by_channels("x"))

quantize = define_on_grid(
    "quantize",
    "x, scale, zero_point:index?",
    infer=_quantize_shape,
    reference=_quantize,
    attrs={
        "axis": Attr("axis", None, help="the axis of channels with a scale each; None: one scale"),
        "dtype": Attr("dtype", "i8", help="the integers to make"),
    },
    doc="clamp(round(x/scale) + zero_point) as integers, rounding half to even; NaN becomes 0.",
    tolerance=exact(),
    cost=per_operand_element(3),
    decompose=_quantize_by_round,
    grid="into",
    cases=lambda: [
        case(sample(4, 7, low=-9, high=9), sample(fixed=0.05), note="one scale", dtypes=("f32", "f64", "f16", "bf16")),
        case(
            sample(3, 5, 2),
            sample(5, low=0.01, high=0.1),
            sample(5, dtype="i32", low=-9, high=9),
            note="channels, odd axis",
            axis=1,
        ),
        case(
            sample(4, fixed=[0.5, 1.5, 2.5, -0.5]),
            sample(fixed=1.0),
            sample(dtype="i32", fixed=128),
            note="odd: halves to even",
            dtype="u8",
        ),
        case(sample(0, 3), sample(fixed=1.0), note="size 0"),
    ],
    no_gradient="integer output",
)


# -- dequantize -------------------------------------------------------------------------------------------------
def _dequantize_shape(call: Call) -> Shape:
    q, scale = call.given[:2]
    if not q.dtype.is_integer or not scale.dtype.is_float:
        raise call.error("RLX103", f"q is {q.dtype} and scale {scale.dtype}", fix="integers, and a float scale")
    _check_settings(call, q)
    return q.with_dtype(scale.dtype)


def _dequantize(q: Array, scale: Array, zero_point: Array | None = None, *, axis: int | None) -> Array:
    whole = q.astype(np.float64)
    whole = whole if zero_point is None else whole - by_channel(zero_point.astype(np.float64), q, axis)
    return whole * by_channel(scale.astype(np.float64), q, axis)


def _dequantize_by_mul(q: Value, scale: Value, zero_point: Value | None = None, *, axis: int | None) -> Value:
    """Decomposes `dequantize`: (q - zp)·s"""
    kind = scale.dtype.compute
    whole = as_dtype(q, kind)
    if zero_point is not None:
        wider = as_dtype(q, i32) - channel_value(as_dtype(zero_point, i32), q, axis)
        whole = as_dtype(wider, kind)
    return as_dtype(whole * channel_value(as_dtype(scale, kind), q, axis), scale.dtype)


dequantize = define_on_grid(
    "dequantize",
    "q:packed, scale, zero_point:index?",
    infer=_dequantize_shape,
    reference=_dequantize,
    attrs={"axis": Attr("axis", None, help="the axis of channels with a scale each; None: one scale")},
    doc="(q - zero_point)·scale, in the dtype of scale.",
    tolerance=ulps(2),
    cost=per_operand_element(2),
    decompose=_dequantize_by_mul,
    grid="from",
    cases=lambda: [
        case(sample(4, 7, dtype="i8", low=-128, high=127), sample(fixed=0.05), note="one scale", dtypes=("f32", "f64", "bf16")),
        case(
            sample(3, 5, 2, dtype="u8", low=0, high=255),
            sample(5, low=0.01, high=0.1),
            sample(5, dtype="i32", low=0, high=255),
            note="channels on an odd axis",
            axis=1,
        ),
        case(sample(0, 3, dtype="i8"), sample(fixed=1.0), note="size 0"),
    ],
)
