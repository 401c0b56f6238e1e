"""Normalization of images and of groups of channels: group norm, layer norm over channels, batch norm at inference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dim import exact_division
from rlx.core.dtype import promote
from rlx.core.shape import is_zero
from rlx.ir.tolerance import Tolerance
from rlx.ops.elementwise.unary import rsqrt
from rlx.ops.inference import compute_common, per_operand_element, require
from rlx.ops.norm.norm import layer_norm
from rlx.ops.record import Array, Attr, Call, Op, OpKind, Shape, Size, Value, as_dtype, case, define, sample
from rlx.ops.reduction.reduce import FLOATS, reduce_mean, wide
from rlx.transforms.rules.batch_formulas import in_rows


def _channels_shape(call: Call) -> Shape:
    """x is `[N, C, …]`; every other operand is `[C]`."""
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


# -- how far a result may be from f64 ---------------------------------------------------------------------------
class _ChannelCentered(Tolerance):
    """The mean rounds with the size of x, however little of x is left after it is taken away."""

    def scale_of(self, op: Op, operands: Sequence[Array | None], expected: Array) -> Array:
        """(|x| + |mean|)/sqrt(variance + eps)·|gamma| + |beta| over each group of channels; all are one group where none are named."""
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
    """x and the running mean round with their own sizes, however little their difference is."""

    def scale_of(self, op: Op, operands: Sequence[Array | None], expected: Array) -> Array:
        """(|x| + |mean|)/sqrt(variance + eps)·|gamma| + |beta|"""
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
    """Each group of channels as one axis, normalized, then scaled by channel."""
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


group_norm = define(
    "group_norm",
    "x, gamma?, beta?",
    infer=_group_shape,
    reference=_group_norm,
    kind=OpKind.Reduction,
    attrs={"num_groups": Attr("int", help="how many groups the channels fall into"), "eps": Attr("float", 1e-5)},
    doc="(x - mean)/sqrt(variance + eps)·gamma + beta over each group of channels of `[N, C, …]`, as torch's group_norm.",
    compute_dtype=compute_common,
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


layer_norm_2d = define(
    "layer_norm_2d",
    "x, gamma, beta?",
    infer=_channels_shape,
    reference=_layer_norm_2d,
    kind=OpKind.Reduction,
    attrs={"eps": Attr("float", 1e-6)},
    doc="Layer norm over the channels of `[N, C, H, W]` (axis 1), each pixel by itself.",
    compute_dtype=compute_common,
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
    """(x - mean)·rsqrt(variance + eps)·gamma + beta, each by channel"""
    dtype = promote(*(value.dtype for value in (x, gamma, beta, mean, variance)))
    x = as_dtype(x, dtype.compute)
    scale = rsqrt(_channel_value(variance, x) + eps)
    return as_dtype(_affine_value((x - _channel_value(mean, x)) * scale, gamma, beta), dtype)


batch_norm = define(
    "batch_norm",
    "x, gamma, beta, mean, variance",
    infer=_channels_shape,
    reference=_batch_norm,
    kind=OpKind.Reduction,
    attrs={"eps": Attr("float", 1e-5)},
    doc="(x - mean)/sqrt(variance + eps)·gamma + beta with running statistics by channel of `[N, C, …]`: inference.",
    compute_dtype=compute_common,
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
