"""Normalization: layer norm and RMS norm over axes, group norm and batch norm over channels. All compute in f32 at least.

The gradients of layer norm and RMS norm are ops with several results:

n = (x - mean)·scale        scale = 1/sqrt(variance + eps)        g = dy·gamma
layer norm   dx = scale·(g - mean(g) - n·mean(g·n))
RMS norm     dx = scale·(g - n·mean(g·n)), without the mean in n
dgamma = Σ dy·n, dbeta = Σ dy over the axes that are not normalized
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from rlx.core.dim import exact_division
from rlx.core.dtype import promote
from rlx.core.shape import is_zero
from rlx.ir.tolerance import Tolerance
from rlx.ops.elementwise.unary import rsqrt
from rlx.ops.inference import compute_common, per_operand_element, require
from rlx.ops.record import (
    OPS,
    Array,
    Attr,
    Call,
    Case,
    DType,
    Op,
    OpDef,
    OpKind,
    Shape,
    Size,
    Value,
    as_dtype,
    case,
    define,
    sample,
)
from rlx.ops.reduction import FLOATS, reduce_mean, reduce_sum, terms_of, wide, wide_mean
from rlx.transforms.rules.batching import axes_of_x, in_rows
from rlx.transforms.rules.derivative import Derivative, Maybe, Rule, Values
from rlx.transforms.rules.formulas import zeros


def _norm_shape(call: Call, axes: Sequence[int]) -> Shape:
    """The result shape of a normalization: x's dims. Checks that gamma and beta have the sizes of the normalized axes."""
    require(call, lambda dtype: dtype.is_float, "floats (f8 and ints: cast first)")
    x = call.given[0]
    sizes = tuple(x.dims[axis] for axis in axes)
    for operand, shape in zip(call.op.definition.operands[1:], call.shapes[1:], strict=False):
        if shape is None:
            continue
        fix = f"{operand.name} has one entry for each element normalized together: [{', '.join(map(str, sizes))}]"
        if shape.rank != len(sizes):
            message = f"{operand.name} has rank {shape.rank} for {len(sizes)} normalized axes"
            raise call.error("RLX102", message, fix=fix)
        for wanted, actual in zip(sizes, shape.dims, strict=True):
            call.check_same(wanted, actual, f"sizes of x and {operand.name}", fix=fix)
    return Shape.make(x.dims, promote(*(shape.dtype for shape in call.given)))


def align_dims(sizes: Sequence[Size], rank: int, axes: Sequence[int]) -> tuple[Size, ...]:
    """The dims of gamma that broadcast with x: its sizes at the normalized axes, 1 between and after them."""
    size_of_axis = dict(zip(axes, sizes, strict=True))
    return tuple(size_of_axis.get(axis, 1) for axis in range(axes[0], rank)) if axes else ()


def _scale(x: Array, gamma: Array, beta: Array | None, axes: Sequence[int]) -> Array:
    result = x * wide(gamma).reshape(align_dims(gamma.shape, x.ndim, axes))
    return result if beta is None else result + wide(beta).reshape(align_dims(beta.shape, x.ndim, axes))


def _scaled_values(x: Value, gamma: Value, beta: Value | None, axes: Sequence[int]) -> Value:
    result = x * as_dtype(gamma, x.dtype).reshape(align_dims(gamma.shape, x.rank, axes))
    return result if beta is None else result + as_dtype(beta, x.dtype).reshape(align_dims(beta.shape, x.rank, axes))


def _common(*values: Value | None) -> DType:
    """The promoted dtype of a normalization's operands."""
    return promote(*(value.dtype for value in values if value is not None))


def _gradients(backward: str) -> Rule:
    """The vjp of a normalization: one backward op, whose results are the gradients of x, gamma and beta."""

    def rule(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
        gradients = OPS[backward](operands[0], operands[1], cotangents[0], **call.op.attrs)
        return [None if x is None else as_dtype(dx, x.dtype) for x, dx in zip(operands, gradients, strict=False)]

    return rule


# -- layer norm -------------------------------------------------------------------------------------------------
def _sorted_axes(call: Call) -> Op:
    """Sorts the axes of a normalization in the order of x, which is the order of gamma's."""
    if not call.axes:
        raise call.error("RLX105", "axes is empty", fix="name the axes to normalize over, e.g. axes=-1")
    return call.op.with_attrs(axes=tuple(sorted(call.axes)))


def _layer_norm(x: Array, gamma: Array, beta: Array | None = None, *, axes: tuple[int, ...], eps: float) -> Array:
    centered = wide(x) - wide_mean(x, axes, True)
    variance = wide_mean(np.square(centered), axes, True)
    return _scale(centered / np.sqrt(variance + eps), gamma, beta, [axis % x.ndim for axis in axes])


def _layer_norm_by_mean(x: Value, gamma: Value, beta: Value | None = None, *, axes: tuple[int, ...], eps: float) -> Value:
    """Decomposes layer norm: (x - mean)·rsqrt(mean((x - mean)²) + eps)·gamma + beta"""
    dtype = _common(x, gamma, beta)
    if any(is_zero(x.shape[axis]) for axis in axes):
        return as_dtype(x, dtype)
    x = as_dtype(x, dtype.compute)
    centered = x - reduce_mean(x, axes=axes, keep_dim=True)
    scale = rsqrt(reduce_mean(centered * centered, axes=axes, keep_dim=True) + eps)
    return as_dtype(_scaled_values(centered * scale, gamma, beta, axes), dtype)


class _Centered(Tolerance):
    """Tolerance of layer norm: the mean is rounded relative to x, however small x - mean is."""

    def scale_of(self, op: Op, operands: Sequence[Array | None], expected: Array) -> Array:
        """The scale of layer norm's error: (|x| + |mean|)/sqrt(variance + eps)·|gamma| + |beta|"""
        x, gamma, *rest = (None if array is None else np.abs(array.astype(np.float64)) for array in operands)
        assert operands[0] is not None and x is not None and gamma is not None
        if x.size == 0:
            return x
        axes = tuple(axis % x.ndim for axis in op.attrs["axes"])
        given = operands[0].astype(np.float64)
        mean, spread = given.mean(axes, keepdims=True), given.std(axes, keepdims=True)
        return _scale((x + np.abs(mean)) / np.sqrt(spread**2 + op.attrs["eps"]), gamma, rest[0] if rest else None, axes)


_define_norm = partial(define, kind=OpKind.Reduction, compute_dtype=compute_common)

layer_norm = _define_norm(
    "layer_norm",
    "x, gamma, beta?",
    infer=lambda call: _norm_shape(call, call.axes),
    normalize=_sorted_axes,
    reference=_layer_norm,
    attrs={"axes": Attr("axes", (-1,), help="the axes normalized together"), "eps": Attr("float", 1e-5)},
    doc="(x - mean)/sqrt(variance + eps)·gamma + beta, the variance biased; gamma and beta have the sizes of the axes.",
    tolerance=_Centered(16.0, 2.0, length=terms_of(lambda op: op.attrs["axes"]), biased=True),
    cost=per_operand_element(8),
    decompose=_layer_norm_by_mean,
    cases=lambda: [
        case(sample(4, 9), sample(9), sample(9), note="plain", dtypes=FLOATS),
        case(sample(3, 5, 2), sample(5), note="odd axis, no beta", axes=1, dtypes=("f32", "bf16")),
        case(sample(3, 4, 5), sample(3, 5), sample(3, 5), note="two axes apart, odd", axes=(2, 0), eps=1e-3),
        case(sample(2, 3, 67), sample(3, 67), sample(3, 67), note="two last axes, odd length", axes=(-2, -1)),
        case(sample(0, 5), sample(5), note="size 0"),
    ],
    vjp=_gradients("layer_norm_backward"),
    batch=axes_of_x,
)


# -- RMS norm ---------------------------------------------------------------------------------------------------
def _rms_norm(x: Array, gamma: Array, beta: Array | None = None, *, axis: int, eps: float) -> Array:
    mean_square = wide_mean(np.square(wide(x)), (axis,), True)
    return _scale(wide(x) / np.sqrt(mean_square + eps), gamma, beta, [axis % x.ndim])


def _rms_norm_by_mean(x: Value, gamma: Value, beta: Value | None = None, *, axis: int, eps: float) -> Value:
    """Decomposes RMS norm: x·rsqrt(mean(x²) + eps)·gamma + beta"""
    dtype = _common(x, gamma, beta)
    if is_zero(x.shape[axis]):
        return as_dtype(x, dtype)
    x = as_dtype(x, dtype.compute)
    scale = rsqrt(reduce_mean(x * x, axes=axis, keep_dim=True) + eps)
    return as_dtype(_scaled_values(x * scale, gamma, beta, (axis,)), dtype)


rms_norm = _define_norm(
    "rms_norm",
    "x, gamma, beta?",
    infer=lambda call: _norm_shape(call, (call.axis,)),
    reference=_rms_norm,
    attrs={"axis": Attr("axis", -1), "eps": Attr("float", 1e-6)},
    doc="x/sqrt(mean(x²) + eps)·gamma + beta along one axis.",
    tolerance=Tolerance(16.0, 2.0, "abs", terms_of(lambda op: (op.attrs["axis"],)), biased=True),
    cost=per_operand_element(6),
    decompose=_rms_norm_by_mean,
    cases=lambda: [
        case(sample(4, 9), sample(9), note="plain", dtypes=FLOATS),
        case(sample(3, 5, 2), sample(5), sample(5), note="odd axis, beta", axis=1, eps=1e-2, dtypes=("f32", "bf16")),
        case(sample(2, 3, 67), sample(67), note="odd length with a vector tail"),
        case(sample(0, 5), sample(5), note="size 0"),
    ],
    vjp=_gradients("rms_norm_backward"),
    batch=axes_of_x,
)


# -- gradients of layer norm and RMS norm


Axes = tuple[int, ...]


def _gradient_shapes(call: Call, axes: Sequence[int]) -> tuple[Shape, Shape, Shape]:
    """Shapes of a norm's gradients: dx is like x, dgamma and dbeta like gamma. Checks that dy has x's dims."""
    require(call, lambda dtype: dtype.is_float, "floats (f8 and ints: cast first)")
    x, gamma, dy = call.given
    dtype = promote(x.dtype, gamma.dtype, dy.dtype)
    if dy.rank != x.rank or gamma.rank != len(axes):
        raise call.error(
            "RLX102", f"ranks {x.rank}, {gamma.rank} and {dy.rank}", fix="dy has x's dims, gamma one size for each axis"
        )
    for axis, (mine, other) in enumerate(zip(x.dims, dy.dims, strict=True)):
        call.check_same(mine, other, f"sizes of x and dy at axis {axis}")
    for axis, size in zip(axes, gamma.dims, strict=True):
        call.check_same(x.dims[axis], size, f"size of x at axis {axis} and of gamma")
    return Shape.make(x.dims, dtype), Shape.make(gamma.dims, dtype), Shape.make(gamma.dims, dtype)


def _others(rank: int, axes: Sequence[int]) -> Axes:
    return tuple(axis for axis in range(rank) if axis not in axes)


def _reference(x: Array, gamma: Array, dy: Array, axes: Axes, eps: float, centered: bool) -> tuple[Array, Array, Array]:
    whole = wide(x) - (wide_mean(x, axes, True) if centered else 0.0)
    scale = 1 / np.sqrt(wide_mean(np.square(whole), axes, True) + eps)
    n, g = whole * scale, wide(dy) * wide(gamma).reshape(align_dims(gamma.shape, x.ndim, axes))
    inner = g - n * wide_mean(g * n, axes, True) - (wide_mean(g, axes, True) if centered else 0.0)
    rest = _others(x.ndim, axes)
    return scale * inner, (wide(dy) * n).sum(rest), wide(dy).sum(rest)


def _by_mean(x: Value, gamma: Value, dy: Value, axes: Axes, eps: float, centered: bool) -> tuple[Value, Value, Value]:
    """The gradients of layer norm and RMS norm on Values by the formulas above, in f32 or wider."""
    dtype = promote(x.dtype, gamma.dtype, dy.dtype)
    if any(is_zero(x.shape[axis]) for axis in axes):
        nothing = zeros(as_dtype(dy, dtype), gamma.shape)
        return as_dtype(dy, dtype), nothing, nothing
    x, gamma, dy = (as_dtype(value, dtype.compute) for value in (x, gamma, dy))
    whole = x - reduce_mean(x, axes=axes, keep_dim=True) if centered else x
    scale = rsqrt(reduce_mean(whole * whole, axes=axes, keep_dim=True) + eps)
    n, g = whole * scale, dy * gamma.reshape(align_dims(gamma.shape, x.rank, axes))
    inner = g - n * reduce_mean(g * n, axes=axes, keep_dim=True)
    if centered:
        inner = inner - reduce_mean(g, axes=axes, keep_dim=True)
    rest = _others(x.rank, axes)
    sums = [reduce_sum(value, axes=rest, keep_dim=False) if rest else value for value in (dy * n, dy)]
    return as_dtype(scale * inner, dtype), as_dtype(sums[0], dtype), as_dtype(sums[1], dtype)


def _record(name: str, of: OpDef, attr: str, centered: bool, cases: Callable[[], list[Case]]) -> OpDef:
    def axes_of(value: Any) -> Axes:
        return value if isinstance(value, tuple) else (value,)

    return _define_norm(
        name,
        "x, gamma, dy",
        infer=lambda call: _gradient_shapes(call, axes_of(call.op.attrs[attr])),
        normalize=of.normalize,
        results=("dx", "dgamma", "dbeta"),
        attrs=dict(of.attrs),
        reference=lambda x, gamma, dy, **a: _reference(x, gamma, dy, axes_of(a[attr]), a["eps"], centered),
        decompose=lambda x, gamma, dy, **a: _by_mean(x, gamma, dy, axes_of(a[attr]), a["eps"], centered),
        doc=f"The gradients of `{of.name}` with respect to x, gamma and beta, in one pass.",
        tolerance=Tolerance(32.0, 4.0, "max", _terms(attr), biased=True),
        cost=per_operand_element(16),
        cases=cases,
    )


def _terms(attr: str) -> Callable[[Op, Sequence[Array | None]], int]:
    """The longer of both sums in a norm's gradients: over the normalized axes, or over all others."""
    count = terms_of(lambda op: op.attrs[attr] if isinstance(op.attrs[attr], tuple) else (op.attrs[attr],))

    def terms(op: Op, operands: Sequence[Array | None]) -> int:
        x = operands[0]
        assert x is not None
        each = count(op, operands)
        return max(each, x.size // max(each, 1))

    return terms


layer_norm_backward = _record(
    "layer_norm_backward",
    layer_norm,
    "axes",
    True,
    lambda: [
        case(sample(4, 9), sample(9), sample(4, 9), note="plain", dtypes=FLOATS),
        case(sample(3, 4, 5), sample(3, 5), sample(3, 4, 5), note="two axes apart, odd", axes=(2, 0), eps=1e-3),
        case(sample(2, 3, 67), sample(67), sample(2, 3, 67), note="odd length with a vector tail"),
        case(sample(0, 5), sample(5), sample(0, 5), note="size 0"),
    ],
)
rms_norm_backward = _record(
    "rms_norm_backward",
    rms_norm,
    "axis",
    False,
    lambda: [
        case(sample(4, 9), sample(9), sample(4, 9), note="plain", dtypes=FLOATS),
        case(sample(3, 5, 2), sample(5), sample(3, 5, 2), note="odd axis", axis=1, eps=1e-2),
        case(sample(2, 3, 67), sample(67), sample(2, 3, 67), note="odd length with a vector tail"),
        case(sample(0, 5), sample(5), sample(0, 5), note="size 0"),
    ],
)


# -- channels: group norm, layer norm over channels, batch norm at inference


def _channels_shape(call: Call) -> Shape:
    """The result shape of a channel norm: x is `[N, C, …]`; every other operand is `[C]`."""
    require(call, lambda dtype: dtype.is_float, "floats (f8 and ints: cast first)")
    x = call.given[0]
    if x.rank < 2:
        raise call.error("RLX102", f"x has rank {x.rank}", fix="[N, C, …]: channels are axis 1")
    for operand, shape in zip(call.op.definition.operands[1:], call.shapes[1:], strict=False):
        if shape is None:
            continue
        fix = f"{operand.name} has one entry for each channel: [{x.dims[1]}]"
        if shape.rank != 1:
            raise call.error("RLX102", f"{operand.name} has rank {shape.rank}", fix=fix)
        call.check_same(x.dims[1], shape.dims[0], f"channels of x and entries of {operand.name}", fix=fix)
    return Shape.make(x.dims, promote(*(shape.dtype for shape in call.given)))


def _by_channel(values: Array, x: Array) -> Array:
    return wide(values).reshape(-1, *(1,) * (x.ndim - 2))


def _channel_value(values: Value, x: Value) -> Value:
    return as_dtype(values, x.dtype).reshape(values.shape[0], *(1,) * (x.rank - 2))


def _affine(x: Array, gamma: Array | None, beta: Array | None) -> Array:
    x = x if gamma is None else x * _by_channel(gamma, x)
    return x if beta is None else x + _by_channel(beta, x)


def _affine_value(x: Value, gamma: Value | None, beta: Value | None) -> Value:
    x = x if gamma is None else x * _channel_value(gamma, x)
    return x if beta is None else x + _channel_value(beta, x)


# -- tolerance against f64 --------------------------------------------------------------------------------------
class _ChannelCentered(Tolerance):
    """Tolerance of channel norms: the mean is rounded relative to x, however small x - mean is."""

    def scale_of(self, op: Op, operands: Sequence[Array | None], expected: Array) -> Array:
        """The scale (|x| + |mean|)/sqrt(variance + eps)·|gamma| + |beta| for each group of channels; one group by default."""
        assert operands[0] is not None
        x = operands[0].astype(np.float64)
        gamma, beta = (None if array is None else np.abs(array.astype(np.float64)) for array in (*operands[1:], None, None)[:2])
        if x.size == 0:
            return x
        by_group = "num_groups" in op.attrs
        groups = x.reshape(x.shape[0], op.attrs["num_groups"], -1) if by_group else x
        axis = -1 if by_group else 1
        mean, spread = groups.mean(axis, keepdims=True), groups.std(axis, keepdims=True)
        size = (np.abs(groups) + np.abs(mean)) / np.sqrt(spread**2 + op.attrs["eps"])
        return _affine(size.reshape(x.shape), gamma, beta)


class _Shifted(Tolerance):
    """Tolerance of batch norm: x and the running mean are rounded relative to themselves, however small x - mean is."""

    def scale_of(self, op: Op, operands: Sequence[Array | None], expected: Array) -> Array:
        """The scale of batch norm's error: (|x| + |mean|)/sqrt(variance + eps)·|gamma| + |beta|"""
        x, gamma, beta, mean, variance = (np.asarray(array, np.float64) for array in operands)
        return _batch_norm(np.abs(x), np.abs(gamma), np.abs(beta), -np.abs(mean), variance, op.attrs["eps"])


# -- group norm -------------------------------------------------------------------------------------------------
def _group_shape(call: Call) -> Shape:
    shape, groups = _channels_shape(call), call.num_groups
    if groups < 1:
        raise call.error("RLX105", f"num_groups is {groups}", fix="at least 1")
    if exact_division(shape.dims[1], groups) is None:
        message = f"{shape.dims[1]} channels do not divide into {groups} groups"
        raise call.error("RLX102", message, fix="num_groups divides the number of channels")
    return shape


def _group_norm(x: Array, gamma: Array | None = None, beta: Array | None = None, *, num_groups: int, eps: float) -> Array:
    if x.size == 0:
        return x
    groups = wide(x).reshape(x.shape[0], num_groups, -1)
    centered = groups - groups.mean(-1, keepdims=True)
    normal = centered / np.sqrt(np.square(centered).mean(-1, keepdims=True) + eps)
    return _affine(normal.reshape(x.shape), gamma, beta)


def _group_norm_by_mean(x: Value, gamma: Value | None = None, beta: Value | None = None, *, num_groups: int, eps: float) -> Value:
    """Decomposes group norm: normalizes each group of channels as one axis, then scales by channel."""
    dtype = promote(*(value.dtype for value in (x, gamma, beta) if value is not None))
    batch, channels, *rest = x.shape
    each = exact_division(channels, num_groups)
    assert each is not None
    inner: Size = each
    for size in rest:
        inner = inner * size
    if is_zero(inner) or is_zero(batch):
        return as_dtype(x, dtype)
    groups = as_dtype(x, dtype.compute).reshape(batch, num_groups, inner)
    centered = groups - reduce_mean(groups, axes=2, keep_dim=True)
    scale = rsqrt(reduce_mean(centered * centered, axes=2, keep_dim=True) + eps)
    return as_dtype(_affine_value((centered * scale).reshape(x.shape), gamma, beta), dtype)


def _group_size(op: Op, operands: Any) -> int:
    return int(np.prod(operands[0].shape[1:], dtype=np.int64)) // int(op.attrs["num_groups"])


group_norm = _define_norm(
    "group_norm",
    "x, gamma?, beta?",
    infer=_group_shape,
    reference=_group_norm,
    attrs={"num_groups": Attr("int", help="how many groups the channels fall into"), "eps": Attr("float", 1e-5)},
    doc="(x - mean)/sqrt(variance + eps)·gamma + beta over each group of channels of `[N, C, …]`, as torch's group_norm.",
    tolerance=_ChannelCentered(16.0, 2.0, length=_group_size, biased=True),
    cost=per_operand_element(8),
    decompose=_group_norm_by_mean,
    cases=lambda: [
        case(sample(2, 6, 4, 5), sample(6), sample(6), note="an image", dtypes=FLOATS, num_groups=3),
        case(sample(3, 4), sample(4), note="odd: no axes behind the channels, no beta", num_groups=2),
        case(sample(2, 5, 7), note="odd: one channel to a group, nothing learned", num_groups=5, eps=1e-3),
        case(sample(0, 4, 3), sample(4), sample(4), note="size 0", num_groups=2),
    ],
    batch=in_rows(1, 2, 3, 4),
)


# -- layer norm over channels -----------------------------------------------------------------------------------
def _layer_norm_2d(x: Array, gamma: Array, beta: Array | None = None, *, eps: float) -> Array:
    if x.size == 0:
        return x
    centered = wide(x) - wide(x).mean(1, keepdims=True)
    return _affine(centered / np.sqrt(np.square(centered).mean(1, keepdims=True) + eps), gamma, beta)


def _channels(op: Op, operands: Any) -> int:
    return int(operands[0].shape[1])


layer_norm_2d = _define_norm(
    "layer_norm_2d",
    "x, gamma, beta?",
    infer=_channels_shape,
    reference=_layer_norm_2d,
    attrs={"eps": Attr("float", 1e-6)},
    doc="Layer norm over the channels of `[N, C, H, W]` (axis 1), each pixel by itself.",
    tolerance=_ChannelCentered(16.0, 2.0, length=_channels, biased=True),
    cost=per_operand_element(8),
    decompose=lambda x, gamma, beta=None, *, eps: layer_norm(x, gamma, beta, axes=1, eps=eps),
    cases=lambda: [
        case(sample(2, 6, 3, 5), sample(6), sample(6), note="an image", dtypes=FLOATS),
        case(sample(1, 33, 2, 2), sample(33), note="odd number of channels, no beta", eps=1e-3),
        case(sample(0, 4, 2, 2), sample(4), sample(4), note="size 0"),
    ],
    batch=in_rows(1, 2, 3, 4),
)


# -- batch norm at inference ------------------------------------------------------------------------------------
def _batch_norm(x: Array, gamma: Array, beta: Array, mean: Array, variance: Array, eps: float) -> Array:
    normal = (wide(x) - _by_channel(mean, x)) / np.sqrt(_by_channel(variance, x) + eps)
    return _affine(normal, gamma, beta)


def _batch_norm_by_rsqrt(x: Value, gamma: Value, beta: Value, mean: Value, variance: Value, *, eps: float) -> Value:
    """Decomposes batch norm: (x - mean)·rsqrt(variance + eps)·gamma + beta, each by channel"""
    dtype = promote(*(value.dtype for value in (x, gamma, beta, mean, variance)))
    x = as_dtype(x, dtype.compute)
    scale = rsqrt(_channel_value(variance, x) + eps)
    return as_dtype(_affine_value((x - _channel_value(mean, x)) * scale, gamma, beta), dtype)


batch_norm = _define_norm(
    "batch_norm",
    "x, gamma, beta, mean, variance",
    infer=_channels_shape,
    reference=_batch_norm,
    attrs={"eps": Attr("float", 1e-5)},
    doc="(x - mean)/sqrt(variance + eps)·gamma + beta with running statistics by channel of `[N, C, …]`: inference.",
    tolerance=_Shifted(ulps=16.0),
    cost=per_operand_element(4),
    decompose=_batch_norm_by_rsqrt,
    cases=lambda: [
        case(sample(2, 3, 4, 5), sample(3), sample(3), sample(3), sample(3, low=0.1), note="an image", dtypes=FLOATS),
        case(sample(4, 7), sample(7), sample(7), sample(7), sample(7, low=0.1), note="odd: no axes behind the channels"),
        case(sample(0, 2, 3), sample(2), sample(2), sample(2), sample(2, low=0.1), note="size 0"),
    ],
    batch=in_rows(1, 2, 3, 4),
)
