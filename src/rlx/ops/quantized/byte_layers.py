"""Products and convolutions of 8-bit numbers, scaled and rounded half to even. They are made of `q_product`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlx.core.dim import ceildiv, exact_division, product
from rlx.core.dtype import f32, f64, i8, i32
from rlx.ir.emit import constant
from rlx.ops.contraction.matmul import matmul, matmul_dims
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
from rlx.ops.elementwise.binary import clamp
from rlx.ops.elementwise.unary import round_
from rlx.ops.movement.pad import pad
from rlx.ops.movement.parts import concat, narrow
from rlx.ops.movement.shape import reshape, transpose
from rlx.ops.quantized.quantize import by_channel
from rlx.ops.record import Array, Attr, Call, DType, Op, OpKind, Shape, Size, Value, as_dtype, case, define, exact, sample
from rlx.transforms.rules.batching import in_rows, rows_of_x

# -- the product of bytes that `q_matmul` and `q_conv2d` are made of: what differs from layer to layer is an operand, not an attribu


COLUMNS = 16
"""Of a panel."""
STEPS = 4
"""Steps of k come in multiples of so many."""


def requantize(total: Array, factors: Array, out_zp: int, dtype: DType) -> Array:
    """Rounds i32 sums to i8, clamp(round(total·factors) + out_zp), or returns total·factors as f32; the f64 product rounds once."""
    scaled = total.astype(np.float64) * factors
    return np.asarray(scaled.astype(np.float32) if dtype is f32 else np.clip(np.rint(scaled) + out_zp, -128, 127).astype(np.int8))


# -- panels -----------------------------------------------------------------------------------------------------
def panels_of(w: Value) -> Value:
    """Packs w `[K, N]` into column panels `[⌈N/16⌉, 2⌈K/4⌉, 16, 2]` with pairs along k side by side, padded with zeros."""
    k, n = w.shape
    fours, panels = ceildiv(k, STEPS), ceildiv(n, COLUMNS)
    filled = pad(w, low=(0, 0), high=(fours * STEPS - k, panels * COLUMNS - n))
    return transpose(reshape(filled, shape=(fours * (STEPS // 2), 2, panels, COLUMNS)), perm=(2, 0, 3, 1))


def _matrix(panels: Array, k: int, n: int) -> Array:
    """Unpacks column panels to the matrix `[k, n]`."""
    count, pairs = panels.shape[:2]
    return panels.transpose(1, 3, 0, 2).reshape(2 * pairs, count * COLUMNS)[:k, :n]


def _matrix_value(panels: Value, k: Size, n: Size) -> Value:
    count, pairs = panels.shape[:2]
    whole = reshape(transpose(panels, perm=(1, 3, 0, 2)), shape=(pairs * 2, count * COLUMNS))
    return narrow(narrow(whole, axis=0, start=0, length=k), axis=1, start=0, length=n)


# -- the record -------------------------------------------------------------------------------------------------
def _product_shape(call: Call) -> Shape:
    x, panels, factors, zeros = call.given[:4]
    for name, shape, wanted in (("x", x, i8), ("panels", panels, i8), ("factors", factors, f64), ("zeros", zeros, i32)):
        if shape.dtype is not wanted:
            raise call.error("RLX103", f"{name} is {shape.dtype}", fix=str(wanted))
    if not x.rank or panels.rank != 4 or factors.rank > 1 or zeros.dims != (3,):
        message = f"x {x}, panels {panels}, factors {factors}, zeros {zeros}"
        raise call.error("RLX102", message, fix="x […, K], panels of rank 4, factors [] or [N], zeros [3]")
    wanted_dims = (ceildiv(call.n, COLUMNS), ceildiv(x.dims[-1], STEPS) * (STEPS // 2), COLUMNS, 2)
    for mine, other in zip(panels.dims, wanted_dims, strict=True):
        call.check_same(mine, other, "sizes of the panels and those of x and n:")
    for shape in call.given[4:] + ((factors,) if factors.rank else ()):
        call.check_same(shape.dims[0], call.n, "entries of bias or factors and columns")
    return Shape.make((*x.dims[:-1], call.n), call.dtype)


def _multiply_panels(
    x: Array, panels: Array, factors: Array, zeros: Array, bias: Array | None = None, *, n: int, dtype: DType
) -> Array:
    w = _matrix(panels, x.shape[-1], n)
    total = np.matmul(x.astype(np.int32) - zeros[0], w.astype(np.int32) - zeros[1], dtype=np.int32)
    return requantize(total if bias is None else total + bias, factors, int(zeros[2]), dtype)


def _product_by_matmul(
    x: Value, panels: Value, factors: Value, zeros: Value, bias: Value | None = None, *, n: Size, dtype: DType
) -> Value:
    """Decomposes the i8 product: an i32 matmul, then scaled and rounded."""
    x_zp, w_zp, out_zp = (narrow(zeros, axis=0, start=index, length=1) for index in range(3))
    total = matmul(as_dtype(x, i32) - x_zp, as_dtype(_matrix_value(panels, x.shape[-1], n), i32) - w_zp)
    scaled = as_dtype(total if bias is None else total + bias, f64) * factors
    return as_dtype(scaled if dtype is f32 else clamp(round_(scaled) + as_dtype(out_zp, f64), -128.0, 127.0), dtype)


def _sample_bytes(*dims: int) -> Any:
    return sample(*dims, dtype="i8", low=-128, high=127)


_ZEROS = sample(3, dtype="i32", fixed=[3, -2, 5])
q_product = define(
    "q_product",
    "x, panels, factors, zeros:index, bias:index?",
    infer=_product_shape,
    reference=_multiply_panels,
    kind=OpKind.Compute,
    attrs={
        "n": Attr("size", help="columns of the result"),
        "dtype": Attr("dtype", "i8", help="i8; or f32: the sums times the factors, not rounded"),
    },
    doc="""`q_matmul` with w in panels, its factors and zero points operands: clamp(round((bias + Σ(x - z₀)(w - z₁))·factors) + z₂).

    w `[K, N]` is stored as `[⌈N/16⌉, 2⌈K/4⌉, 16, 2]`; factors are f64, one or one for each column; zeros are those of x, w, the result.""",
    tolerance=exact(),
    decompose=_product_by_matmul,
    cost=lambda call, results: results[0].num_elements * call.given[0].dims[-1] * 2,
    batch=rows_of_x,
    cases=lambda: [
        case(_sample_bytes(7, 70), _sample_bytes(3, 36, 16, 2), sample(dtype="f64", fixed=0.003), _ZEROS, note="odd sizes", n=35),
        case(
            _sample_bytes(2, 3, 33),
            _sample_bytes(5, 18, 16, 2),
            sample(80, dtype="f64", low=0.001, high=0.01),
            _ZEROS,
            sample(80, dtype="i32", low=-9999, high=9999),
            note="a batch, a factor for each column, a bias",
            n=80,
        ),
        case(
            _sample_bytes(1, 1041),
            _sample_bytes(5, 522, 16, 2),
            sample(dtype="f64", fixed=0.001),
            sample(3, dtype="i32", fixed=[-128, 127, 0]),
            note="odd: a long row, as floats",
            n=67,
            dtype="f32",
        ),
        case(
            _sample_bytes(101, 5),
            _sample_bytes(1, 4, 16, 2),
            sample(dtype="f64", fixed=0.02),
            _ZEROS,
            note="odd: few columns, many rows",
            n=3,
        ),
        case(_sample_bytes(9), _sample_bytes(2, 6, 16, 2), sample(dtype="f64", fixed=0.02), _ZEROS, note="a vector, odd", n=20),
        case(_sample_bytes(3, 0), _sample_bytes(1, 0, 16, 2), sample(dtype="f64", fixed=0.5), _ZEROS, note="nothing to sum", n=2),
        case(_sample_bytes(0, 4), _sample_bytes(1, 2, 16, 2), sample(dtype="f64", fixed=1.0), _ZEROS, note="size 0", n=3),
    ],
    no_gradient="integer operands",
)


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
        raise call.error("RLX105", f"out_zp is {call.out_zp} of a result in f32", fix="floats have no zero point: leave it out")


def _check_multiples(call: Call, channels: Size) -> None:
    if len(call.mult) != 1:
        call.check_same(len(call.mult), channels, "entries of mult and output channels")
    bias = call.shape(2)
    if bias is not None and (bias.rank != 1 or not call.same(bias.dims[0], channels)):
        raise call.error("RLX102", f"bias is {bias} for {channels} output channels", fix=f"i32[{channels}]")


def _requantize_channels(total: Array, mult: Sequence[float], out_zp: int, axis: int, dtype: DType) -> Array:
    return requantize(total, by_channel(np.asarray(mult[0] if len(mult) == 1 else mult), total, axis), out_zp, dtype)


# -- products ---------------------------------------------------------------------------------------------------
def _q_matmul_shape(call: Call) -> Shape:
    _check_bytes(call)
    x, w = call.given[:2]
    if w.rank != 2:
        raise call.error("RLX102", f"w has rank {w.rank}", fix="[K, N]")
    dims = matmul_dims(call, x.dims, w.dims)
    _check_multiples(call, w.dims[1])
    return Shape.make(dims, call.dtype)


def _q_matmul(
    x: Array, w: Array, bias: Array | None = None, *, x_zp: int, w_zp: int, out_zp: int, mult: tuple[float, ...], dtype: DType
) -> Array:
    total = np.matmul(x.astype(np.int32) - x_zp, w.astype(np.int32) - w_zp, dtype=np.int32)
    total = total if bias is None else total + bias
    return _requantize_channels(total, mult, out_zp, total.ndim - 1, dtype)


def _q_matmul_by_product(
    x: Value, w: Value, bias: Value | None = None, *, x_zp: int, w_zp: int, out_zp: int, mult: tuple[float, ...], dtype: DType
) -> Any:
    """Decomposes `q_matmul`: w becomes panels (once for a param); factors and zero points are operands, so layers share code."""
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
    batch=rows_of_x,
    cases=lambda: [
        case(sample(4, 7, dtype="i8", low=-128, high=127), sample(7, 5, dtype="i8", low=-128, high=127), note="plain", mult=0.01),
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
        case(sample(2, 4, dtype="i8"), sample(4, 3, dtype="i8"), note="odd: a factor for each column", mult=(0.5, 0.25, 1.5)),
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
    no_gradient="integer output",
)


# -- convolutions -----------------------------------------------------------------------------------------------
def _q_conv_shape(call: Call) -> Shape:
    _check_bytes(call)
    x, w = call.given[:2]
    if x.rank != 4 or w.rank != 4:
        raise call.error("RLX102", f"ranks {x.rank} and {w.rank}", fix="x [N, Cin, H, W] and w [Cout, Cin/groups, kh, kw]")
    call.check_same(w.dims[1] * call.groups, x.dims[1], "input channels of all groups and those of x")
    check_groups(call, w.dims[0], "output channels")
    _check_multiples(call, w.dims[0])
    return Shape.make((x.dims[0], w.dims[0], *output_dims(call, x.dims[2:], w.dims[2:])), call.dtype)


def _normal_q_conv(call: Call) -> Op:
    window = static_window(call, call.given[1].dims[2:])
    names = {"stride": 1, "padding": 0, "dilation": 1}
    return call.op.with_attrs(kernel_size=window, **{name: spread(call, name, 2, least) for name, least in names.items()})


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
    patches = patch_arrays(padded_array(x.astype(np.int32) - x_zp, padding, padding), kernel_size, stride, dilation, groups)
    rows = (w.astype(np.int32) - w_zp).reshape(groups, w.shape[0] // groups, -1)
    total = np.matmul(rows, flat_patches(patches, 2)).reshape(x.shape[0], w.shape[0], *patches.shape[5:])
    total = total if bias is None else total + bias.reshape(-1, 1, 1)
    return _requantize_channels(total, mult, out_zp, 1, dtype)


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
    """Decomposes `q_conv2d`: im2col patches of bytes, one product for each group; padding is the zero point."""
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
        factors = mult if len(mult) == 1 else mult[group * int(each) : (group + 1) * int(each)]  # as many as channels: static
        part = q_matmul(channels.of(rows, 1), channels.of(weights, 0), channels.entries(bias), mult=factors, **zeros)
        parts.append(transpose(part, perm=(0, 2, 1)))
    out = parts[0] if groups == 1 else concat(*parts, axis=1)
    return reshape(out, shape=(x.shape[0], w.shape[0], *outputs))


@dataclass(frozen=True)
class _Channels:
    """One group of an i8 convolution and its output channels."""

    group: int
    each: Size

    def of(self, x: Value, axis: int) -> Value:
        """Slices this group from the axis of groups and removes the axis."""
        one: Value = narrow(x, axis=axis, start=self.group, length=1)
        return one.reshape(*x.shape[:axis], *x.shape[axis + 1 :])

    def entries(self, bias: Value | None) -> Value | None:
        """Slices this group's channels from a bias."""
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
    batch=in_rows(1, 2),
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
    no_gradient="integer output",
)
