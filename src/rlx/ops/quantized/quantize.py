"""Quantized integers: to and from floats, and products and convolutions of 8-bit numbers.

Rounding is half to even everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Size, exact_division, product
from rlx.core.dtype import DType, f32, f64, i8, i32
from rlx.core.kinds import OpKind
from rlx.core.shape import Shape
from rlx.ir.attributes import Attr
from rlx.ir.case import case, sample
from rlx.ir.emit import constant
from rlx.ir.op import Call, Op, define
from rlx.ir.tolerance import exact, ulps
from rlx.ir.value import Value, as_dtype
from rlx.ops.contraction.contract import matmul_dims
from rlx.ops.conv.conv import (
    Ints,
    check_groups,
    flat_patches,
    output_dims,
    padded_array,
    patch_arrays,
    patch_values,
    spread,
    static_window,
    window_attrs,
)
from rlx.ops.elementwise.select import clamp
from rlx.ops.elementwise.unary import round_
from rlx.ops.inference import per_operand_element
from rlx.ops.movement.pad import pad
from rlx.ops.movement.shape import concat, narrow, reshape, transpose
from rlx.ops.quantized.byte_product import panels_of, q_product, requantized

Array = npt.NDArray[Any]


# -- per tensor or per channel ----------------------------------------------------------------------------------
def check_channels(call: Call, x: Shape, index: int) -> None:
    """An operand that is a scalar, or has one entry for each position of `axis`."""
    shape, name = call.shape(index), call.op.definition.operands[index].name
    if shape is None or shape.rank == 0:
        return
    if call.axis is None or shape.rank != 1:
        raise call.error(
            "RLX102", f"{name} has rank {shape.rank}", fix="a scalar, or with axis=… one entry for each channel"
        )
    call.check_same(shape.dims[0], x.dims[call.axis], f"entries of {name} and channels")


def by_channel(values: Array, x: Array, axis: int | None) -> Array:
    """Broadcast along one axis of x."""
    return (
        values if values.ndim == 0 or axis is None else values.reshape([-1 if a == axis else 1 for a in range(x.ndim)])
    )


def channel_value(values: Value, x: Value, axis: int | None) -> Value:
    """The same on Values."""
    if values.rank == 0 or axis is None:
        return values
    return values.reshape(values.shape[0], *(1,) * (x.rank - axis - 1))


def limits(dtype: DType) -> tuple[int, int]:
    """The smallest and largest number of an int dtype."""
    info = np.iinfo(dtype.numpy)  # type: ignore[type-var]
    return int(info.min), int(info.max)


# -- quantize and dequantize ------------------------------------------------------------------------------------
def _check_settings(call: Call, x: Shape) -> None:
    """The scale and the integer zero point, operands 1 and 2: one for all of x, or one for each channel."""
    zero = call.shape(2)
    if zero is not None and not zero.dtype.is_integer:
        raise call.error("RLX103", f"zero_point is {zero.dtype}", fix="an integer: .astype('i32')")
    check_channels(call, x, 1)
    check_channels(call, x, 2)


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


def _quantize_by_round(
    x: Value, scale: Value, zero_point: Value | None = None, *, axis: int | None, dtype: DType
) -> Value:
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
    doc="clamp(round(x/scale) + zero_point) as integers, rounding half to even; NaN becomes 0.",
    tolerance=exact(),
    cost=per_operand_element(3),
    decompose=_quantize_by_round,
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
    doc="(q - zero_point)·scale, in the dtype of scale.",
    tolerance=ulps(2),
    cost=per_operand_element(2),
    decompose=_dequantize_by_mul,
    cases=lambda: [
        case(
            sample(4, 7, dtype="i8", low=-128, high=127),
            sample(fixed=0.05),
            note="one scale",
            dtypes=("f32", "f64", "bf16"),
        ),
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


# -- 8-bit products ---------------------------------------------------------------------------------------------
_ROUNDED = {
    "x_zp": Attr("int", 0, help="the zero point of x"),
    "w_zp": Attr("int", 0, help="the zero point of w"),
    "out_zp": Attr("int", 0, help="the zero point of the result"),
    "mult": Attr("floats", (1.0,), help="x's scale · w's scale / the result's; one, or one for each output channel"),
    "dtype": Attr("dtype", "i8", help="i8; or f32: the sums times mult, not rounded, for readers that take floats"),
}


def _check_bytes(call: Call) -> None:
    for name, shape in zip(("x", "w"), call.given, strict=False):
        if shape.dtype is not i8:
            raise call.error("RLX103", f"{name} is {shape.dtype}", fix="i8; quantize makes them")
    bias = call.shape(2)
    if bias is not None and bias.dtype is not i32:
        raise call.error("RLX103", f"bias is {bias.dtype}", fix="i32, in units of x's scale · w's scale")
    if call.dtype not in (i8, f32):
        raise call.error("RLX103", f"dtype is {call.dtype}", fix="i8 or f32")
    if call.dtype is f32 and call.out_zp:
        raise call.error(
            "RLX105", f"out_zp is {call.out_zp} of a result in f32", fix="floats have no zero point: leave it out"
        )


def _check_multiples(call: Call, channels: Size) -> None:
    if len(call.mult) != 1:
        call.check_same(len(call.mult), channels, "entries of mult and output channels")
    bias = call.shape(2)
    if bias is not None and (bias.rank != 1 or not call.same(bias.dims[0], channels)):
        raise call.error("RLX102", f"bias is {bias} for {channels} output channels", fix=f"i32[{channels}]")


def _requantized(total: Array, mult: Sequence[float], out_zp: int, axis: int, dtype: DType) -> Array:
    return requantized(total, by_channel(np.asarray(mult[0] if len(mult) == 1 else mult), total, axis), out_zp, dtype)


def _q_matmul_shape(call: Call) -> Shape:
    _check_bytes(call)
    x, w = call.given[:2]
    if w.rank != 2:
        raise call.error("RLX102", f"w has rank {w.rank}", fix="[K, N]")
    dims = matmul_dims(call, x.dims, w.dims)
    _check_multiples(call, w.dims[1])
    return Shape.make(dims, call.dtype)


def _q_matmul(
    x: Array,
    w: Array,
    bias: Array | None = None,
    *,
    x_zp: int,
    w_zp: int,
    out_zp: int,
    mult: tuple[float, ...],
    dtype: DType,
) -> Array:
    total = np.matmul(x.astype(np.int32) - x_zp, w.astype(np.int32) - w_zp, dtype=np.int32)
    total = total if bias is None else total + bias
    return _requantized(total, mult, out_zp, total.ndim - 1, dtype)


def _q_matmul_by_product(
    x: Value,
    w: Value,
    bias: Value | None = None,
    *,
    x_zp: int,
    w_zp: int,
    out_zp: int,
    mult: tuple[float, ...],
    dtype: DType,
) -> Any:
    """w in panels, made once where it is a weight; factors and zero points as operands, so that products of one shape share their code."""
    factors = constant(x.graph, np.asarray(mult[0] if len(mult) == 1 else mult), f64)
    zeros = constant(x.graph, np.asarray([x_zp, w_zp, out_zp], np.int32))
    return q_product(x, panels_of(w), factors, zeros, bias, n=w.shape[1], dtype=dtype)


q_matmul = define(
    "q_matmul",
    "x, w, bias:index?",
    infer=_q_matmul_shape,
    reference=_q_matmul,
    kind=OpKind.Compute,
    attrs=_ROUNDED,
    doc="""clamp(round((bias + Σ(x - x_zp)(w - w_zp))·mult) + out_zp) as i8, for i8 x `[…, K]` and w `[K, N]` and i32 bias.

    As f32 it is (bias + Σ(x - x_zp)(w - w_zp))·mult: what a reader of floats takes.""",
    tolerance=exact(),
    decompose=_q_matmul_by_product,
    cost=lambda call, results: results[0].num_elements * call.given[0].dims[-1] * 2,
    cases=lambda: [
        case(
            sample(4, 7, dtype="i8", low=-128, high=127),
            sample(7, 5, dtype="i8", low=-128, high=127),
            note="plain",
            mult=0.01,
        ),
        case(
            sample(2, 3, 33, dtype="i8", low=-99, high=99),
            sample(33, 17, dtype="i8", low=-99, high=99),
            sample(17, dtype="i32", low=-999, high=999),
            note="broadcast over a batch, odd sizes, a bias",
            x_zp=3,
            w_zp=-2,
            out_zp=5,
            mult=0.003,
        ),
        case(
            sample(2, 4, dtype="i8"),
            sample(4, 3, dtype="i8"),
            note="odd: a factor for each column",
            mult=(0.5, 0.25, 1.5),
        ),
        case(
            sample(7, 70, dtype="i8", low=-128, high=127),
            sample(70, 35, dtype="i8", low=-128, high=127),
            sample(35, dtype="i32", low=-9999, high=9999),
            note="odd sizes, as floats",
            x_zp=-128,
            w_zp=127,
            mult=0.001,
            dtype="f32",
        ),
        case(
            sample(1, 33, dtype="i8", low=-128, high=127),
            sample(33, 131, dtype="i8", low=-128, high=127),
            note="odd: one row",
            x_zp=-5,
            mult=0.002,
        ),
        case(sample(0, 4, dtype="i8"), sample(4, 3, dtype="i8"), note="size 0"),
    ],
    vjp="integer output",
    jvp="integer output",
)


def _q_conv_shape(call: Call) -> Shape:
    _check_bytes(call)
    x, w = call.given[:2]
    if x.rank != 4 or w.rank != 4:
        raise call.error(
            "RLX102", f"ranks {x.rank} and {w.rank}", fix="x [N, Cin, H, W] and w [Cout, Cin/groups, kh, kw]"
        )
    call.check_same(w.dims[1] * call.groups, x.dims[1], "input channels of all groups and those of x")
    check_groups(call, w.dims[0], "output channels")
    _check_multiples(call, w.dims[0])
    return Shape.make((x.dims[0], w.dims[0], *output_dims(call, x.dims[2:], w.dims[2:])), call.dtype)


def _normal_q_conv(call: Call) -> Op:
    window = static_window(call, call.given[1].dims[2:])
    names = {"stride": 1, "padding": 0, "dilation": 1}
    return call.op.with_attrs(
        kernel_size=window, **{name: spread(call, name, 2, least) for name, least in names.items()}
    )


def _q_conv(
    x: Array,
    w: Array,
    bias: Array | None = None,
    *,
    x_zp: int,
    w_zp: int,
    out_zp: int,
    mult: tuple[float, ...],
    dtype: DType,
    kernel_size: Ints,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
) -> Array:
    patches = patch_arrays(
        padded_array(x.astype(np.int32) - x_zp, padding, padding), kernel_size, stride, dilation, groups
    )
    rows = (w.astype(np.int32) - w_zp).reshape(groups, w.shape[0] // groups, -1)
    total = np.matmul(rows, flat_patches(patches, 2)).reshape(x.shape[0], w.shape[0], *patches.shape[5:])
    total = total if bias is None else total + bias.reshape(-1, 1, 1)
    return _requantized(total, mult, out_zp, 1, dtype)


def _q_conv_by_matmul(
    x: Value,
    w: Value,
    bias: Value | None = None,
    *,
    mult: tuple[float, ...],
    kernel_size: Ints,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
    **zeros: Any,
) -> Any:
    """Patches as rows of bytes, one product for each group; padding stands for the zero point."""
    if any(padding):
        x = pad(x, low=(0, 0, *padding), high=(0, 0, *padding), value=float(zeros["x_zp"]))
    patches, outputs = patch_values(x, kernel_size, stride, dilation, groups)
    rows = transpose(patches, perm=(0, 1, 3, 2))
    each = exact_division(w.shape[0], groups)
    assert each is not None
    weights = transpose(reshape(w, shape=(groups, each, product(w.shape[1:]))), perm=(0, 2, 1))
    parts = []
    for group in range(groups):
        channels = _Channels(group, each)
        factors = (
            mult if len(mult) == 1 else mult[group * int(each) : (group + 1) * int(each)]
        )  # as many as channels: static
        part = q_matmul(channels.of(rows, 1), channels.of(weights, 0), channels.entries(bias), mult=factors, **zeros)
        parts.append(transpose(part, perm=(0, 2, 1)))
    found = parts[0] if groups == 1 else concat(*parts, axis=1)
    return reshape(found, shape=(x.shape[0], w.shape[0], *outputs))


@dataclass(frozen=True)
class _Channels:
    """One group of a convolution, and the channels it makes."""

    group: int
    each: Size

    def of(self, x: Value, axis: int) -> Value:
        """Its part of the axis of groups, without that axis."""
        one: Value = narrow(x, axis=axis, start=self.group, length=1)
        return one.reshape(*x.shape[:axis], *x.shape[axis + 1 :])

    def entries(self, bias: Value | None) -> Value | None:
        """Its part of what has an entry for each channel."""
        return None if bias is None else narrow(bias, axis=0, start=self.each * self.group, length=self.each)


q_conv2d = define(
    "q_conv2d",
    "x, w, bias:index?",
    infer=_q_conv_shape,
    normalize=_normal_q_conv,
    reference=_q_conv,
    kind=OpKind.Compute,
    attrs={**_ROUNDED, **window_attrs("on both sides of each axis, with x's zero point")},
    doc="`conv` of i8 x `[N, Cin, H, W]` and w `[Cout, Cin/groups, kh, kw]`, scaled, rounded and clamped as `q_matmul`.",
    tolerance=exact(),
    decompose=_q_conv_by_matmul,
    cost=lambda call, results: results[0].num_elements * product(call.given[1].dims[1:]) * 2,
    cases=lambda: [
        case(
            sample(2, 3, 6, 7, dtype="i8", low=-128, high=127),
            sample(4, 3, 3, 3, dtype="i8", low=-128, high=127),
            sample(4, dtype="i32", low=-99, high=99),
            note="an image",
            padding=1,
            mult=0.002,
            x_zp=7,
            out_zp=-3,
        ),
        case(
            sample(1, 4, 5, 5, dtype="i8", low=-9, high=9),
            sample(6, 2, 2, 3, dtype="i8", low=-9, high=9),
            note="groups, odd windows",
            groups=2,
            stride=(2, 1),
            dilation=(1, 2),
            mult=(0.1, 0.2, 0.3, 0.4, 0.5, 0.6),
            w_zp=1,
        ),
        case(
            sample(2, 4, 5, 3, dtype="i8", low=-99, high=99),
            sample(4, 1, 2, 2, dtype="i8", low=-99, high=99),
            sample(4, dtype="i32", low=-99, high=99),
            note="odd: each channel by itself, as floats",
            groups=4,
            padding=1,
            x_zp=-9,
            mult=0.5,
            dtype="f32",
        ),
        case(sample(0, 2, 3, 3, dtype="i8"), sample(2, 2, 2, 2, dtype="i8"), note="size 0"),
    ],
    vjp="integer output",
    jvp="integer output",
)
