"""Floats to quantized integers and back. Rounding is half to even."""

from __future__ import annotations

import numpy as np

from rlx.core.dtype import f32, f64, i32
from rlx.ir.emit import constant
from rlx.ir.tolerance import ulps
from rlx.ops.elementwise.select import clamp
from rlx.ops.elementwise.unary import round_
from rlx.ops.inference import per_operand_element
from rlx.ops.quantized.channels import by_channel, by_channels, channel_value, check_channels
from rlx.ops.record import Array, Attr, Call, DType, OpKind, Shape, Value, as_dtype, case, define, exact, sample


def limits(dtype: DType) -> tuple[int, int]:
    """The smallest and largest number of an int dtype."""
    info = np.iinfo(dtype.numpy)  # type: ignore[type-var]
    return int(info.min), int(info.max)


def _check_settings(call: Call, x: Shape) -> None:
    """The scale and the integer zero point, operands 1 and 2: one for all of x, or one for each channel."""
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
    """x/s in f32 (f64 of f64), so that ties fall as on every backend."""
    rounded = np.rint(x / by_channel(scale, x, axis)).astype(np.float64)
    shifted = rounded if zero_point is None else rounded + by_channel(zero_point.astype(np.float64), x, axis)
    return np.clip(np.nan_to_num(shifted, nan=0.0), *limits(dtype)).astype(dtype.numpy)


def _known(value: Value, dtype: DType) -> Value:
    """A constant in another dtype, without a cast in each run; other values are cast."""
    op = value.graph.node(value.ref).op
    return constant(value.graph, op["value"].array, dtype) if op.name == "constant" else as_dtype(value, dtype)


def _quantize_by_round(x: Value, scale: Value, zero_point: Value | None = None, *, axis: int | None, dtype: DType) -> Value:
    """clamp(round(x/s) + zp): the cast to an int saturates and reads NaN as 0."""
    kind = f64 if f64 in (x.dtype, scale.dtype) else f32
    found = round_(as_dtype(x, kind) / channel_value(as_dtype(scale, kind), x, axis))
    if zero_point is not None:
        found = found + channel_value(_known(zero_point, kind), x, axis)
    low, high = limits(dtype)
    if dtype is not i32:
        found = clamp(found, float(low), float(high))
    return as_dtype(found, dtype)


quantize = define(
    "quantize",
    "x, scale, zero_point:index?",
    infer=_quantize_shape,
    reference=_quantize,
    kind=OpKind.Elementwise,
    attrs={
        "axis": Attr("axis", None, help="the axis of channels with a scale each; None: one scale"),
        "dtype": Attr("dtype", "i8", help="the integers to make"),
    },
    keeps_f32="its grid follows the scale",
    doc="clamp(round(x/scale) + zero_point) as integers, rounding half to even; NaN becomes 0.",
    tolerance=exact(),
    cost=per_operand_element(3),
    decompose=_quantize_by_round,
    grid="into",
    batch=by_channels("x"),
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
    vjp="integer output",
    jvp="integer output",
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
    """(q - zp)·s"""
    kind = scale.dtype.compute
    whole = as_dtype(q, kind)
    if zero_point is not None:
        wider = as_dtype(q, i32) - channel_value(as_dtype(zero_point, i32), q, axis)
        whole = as_dtype(wider, kind)
    return as_dtype(whole * channel_value(as_dtype(scale, kind), q, axis), scale.dtype)


dequantize = define(
    "dequantize",
    "q:packed, scale, zero_point:index?",
    infer=_dequantize_shape,
    reference=_dequantize,
    kind=OpKind.Elementwise,
    attrs={"axis": Attr("axis", None, help="the axis of channels with a scale each; None: one scale")},
    keeps_f32="its grid follows the scale",
    doc="(q - zero_point)·scale, in the dtype of scale.",
    tolerance=ulps(2),
    cost=per_operand_element(2),
    decompose=_dequantize_by_mul,
    grid="from",
    batch=by_channels("x"),
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
