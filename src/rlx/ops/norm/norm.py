"""Normalization over axes: layer norm and RMS norm. Both compute in f32 at least."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rlx.core.dtype import promote
from rlx.core.shape import is_zero
from rlx.ir.tolerance import Tolerance
from rlx.ops.elementwise.unary import rsqrt
from rlx.ops.inference import compute_common, per_operand_element, require
from rlx.ops.record import OPS, Array, Attr, Call, DType, Op, OpKind, Shape, Size, Value, as_dtype, case, define, sample
from rlx.ops.reduction.reduce import FLOATS, reduce_mean, terms_of, wide, wide_mean
from rlx.transforms.rules.batch_formulas import axes_of_x
from rlx.transforms.rules.derivative import Derivative, Maybe, Rule, Values


def _norm_shape(call: Call, axes: Sequence[int]) -> Shape:
    """x's dims; gamma and beta have the sizes of the normalized axes."""
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
        for wanted, found in zip(sizes, shape.dims, strict=True):
            call.check_same(wanted, found, f"sizes of x and {operand.name}", fix=fix)
    return Shape.make(x.dims, promote(*(shape.dtype for shape in call.given)))


def aligned(sizes: Sequence[Size], rank: int, axes: Sequence[int]) -> tuple[Size, ...]:
    """The dims of gamma that broadcast with x: its sizes at the axes, 1 between and after them."""
    place = dict(zip(axes, sizes, strict=True))
    return tuple(place.get(axis, 1) for axis in range(axes[0], rank)) if axes else ()


def _scaled(x: Array, gamma: Array, beta: Array | None, axes: Sequence[int]) -> Array:
    result = x * wide(gamma).reshape(aligned(gamma.shape, x.ndim, axes))
    return result if beta is None else result + wide(beta).reshape(aligned(beta.shape, x.ndim, axes))


def _scaled_values(x: Value, gamma: Value, beta: Value | None, axes: Sequence[int]) -> Value:
    result = x * as_dtype(gamma, x.dtype).reshape(aligned(gamma.shape, x.rank, axes))
    return result if beta is None else result + as_dtype(beta, x.dtype).reshape(aligned(beta.shape, x.rank, axes))


def _common(*values: Value | None) -> DType:
    """The dtype of the result."""
    return promote(*(value.dtype for value in values if value is not None))


def _gradients(backward: str) -> Rule:
    """The vjp of a normalization: one backward op, whose results are the gradients of x, gamma and beta."""

    def rule(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
        found = OPS[backward](operands[0], operands[1], cotangents[0], **call.op.attrs)
        return [None if x is None else as_dtype(dx, x.dtype) for x, dx in zip(operands, found, strict=False)]

    return rule


# -- layer norm -------------------------------------------------------------------------------------------------
def _sorted_axes(call: Call) -> Op:
    """Axes in the order of x, which is the order of gamma's."""
    if not call.axes:
        raise call.error("RLX105", "axes is empty", fix="name the axes to normalize over, e.g. axes=-1")
    return call.op.with_attrs(axes=tuple(sorted(call.axes)))


def _layer_norm(x: Array, gamma: Array, beta: Array | None = None, *, axes: tuple[int, ...], eps: float) -> Array:
    centered = wide(x) - wide_mean(x, axes, True)
    variance = wide_mean(np.square(centered), axes, True)
    return _scaled(centered / np.sqrt(variance + eps), gamma, beta, [axis % x.ndim for axis in axes])


def _layer_norm_by_mean(x: Value, gamma: Value, beta: Value | None = None, *, axes: tuple[int, ...], eps: float) -> Value:
    """(x - mean)·rsqrt(mean((x - mean)²) + eps)·gamma + beta"""
    dtype = _common(x, gamma, beta)
    if any(is_zero(x.shape[axis]) for axis in axes):
        return as_dtype(x, dtype)
    x = as_dtype(x, dtype.compute)
    centered = x - reduce_mean(x, axes=axes, keep_dim=True)
    scale = rsqrt(reduce_mean(centered * centered, axes=axes, keep_dim=True) + eps)
    return as_dtype(_scaled_values(centered * scale, gamma, beta, axes), dtype)


class _Centered(Tolerance):
    """The mean rounds with the size of x, however little of x is left after it is taken away."""

    def scale_of(self, op: Op, operands: Sequence[Array | None], expected: Array) -> Array:
        """(|x| + |mean|)/sqrt(variance + eps)·|gamma| + |beta|"""
        x, gamma, *rest = (None if array is None else np.abs(array.astype(np.float64)) for array in operands)
        assert operands[0] is not None and x is not None and gamma is not None
        if x.size == 0:
            return x
        axes = tuple(axis % x.ndim for axis in op.attrs["axes"])
        given = operands[0].astype(np.float64)
        mean, spread = given.mean(axes, keepdims=True), given.std(axes, keepdims=True)
        return _scaled((x + np.abs(mean)) / np.sqrt(spread**2 + op.attrs["eps"]), gamma, rest[0] if rest else None, axes)


layer_norm = define(
    "layer_norm",
    "x, gamma, beta?",
    infer=lambda call: _norm_shape(call, call.axes),
    normalize=_sorted_axes,
    reference=_layer_norm,
    kind=OpKind.Reduction,
    attrs={"axes": Attr("axes", (-1,), help="the axes normalized together"), "eps": Attr("float", 1e-5)},
    doc="(x - mean)/sqrt(variance + eps)·gamma + beta, the variance biased; gamma and beta have the sizes of the axes.",
    compute_dtype=compute_common,
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
    return _scaled(wide(x) / np.sqrt(mean_square + eps), gamma, beta, [axis % x.ndim])


def _rms_norm_by_mean(x: Value, gamma: Value, beta: Value | None = None, *, axis: int, eps: float) -> Value:
    """x·rsqrt(mean(x²) + eps)·gamma + beta"""
    dtype = _common(x, gamma, beta)
    if is_zero(x.shape[axis]):
        return as_dtype(x, dtype)
    x = as_dtype(x, dtype.compute)
    scale = rsqrt(reduce_mean(x * x, axes=axis, keep_dim=True) + eps)
    return as_dtype(_scaled_values(x * scale, gamma, beta, (axis,)), dtype)


rms_norm = define(
    "rms_norm",
    "x, gamma, beta?",
    infer=lambda call: _norm_shape(call, (call.axis,)),
    reference=_rms_norm,
    kind=OpKind.Reduction,
    attrs={"axis": Attr("axis", -1), "eps": Attr("float", 1e-6)},
    doc="x/sqrt(mean(x²) + eps)·gamma + beta along one axis.",
    compute_dtype=compute_common,
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
