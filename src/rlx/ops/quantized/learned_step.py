"""Fake quantization with a learned step size (LSQ), and its gradients by x and by the step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rlx.core.dtype import promote
from rlx.ir.emit import size_scalar
from rlx.ir.tolerance import Tolerance, ulps
from rlx.ops.elementwise.binary import max_
from rlx.ops.elementwise.select import where
from rlx.ops.elementwise.unary import abs_, round_, sqrt
from rlx.ops.inference import per_operand_element
from rlx.ops.quantized.channels import by_channel, by_channels, channel_value
from rlx.ops.quantized.fake_quantize import (
    AXIS,
    BITS,
    backward_shape,
    check_scaled,
    fake_backward_by,
    grid_value,
    largest,
    on_grid,
    others,
    passed,
    seed_jvp,
    seed_vjp,
)
from rlx.ops.record import Array, Attr, Call, OpKind, Shape, Size, Value, as_dtype, case, define, sample
from rlx.ops.reduction.reduce import reduce_sum, wide
from rlx.transforms.rules.derivative import Derivative, Maybe
from rlx.transforms.rules.formulas import by_transposition, one


def _lsq_shape(call: Call) -> Shape:
    check_scaled(call, 1)
    return call.given[0]


def _lsq(x: Array, scale: Array, bits: int, axis: int | None) -> Array:
    return on_grid(x, by_channel(scale.astype(x.dtype), x, axis), largest(bits))


def _lsq_by_round(x: Value, scale: Value, *, bits: int, axis: int | None) -> Value:
    dtype = x.dtype
    x = as_dtype(x, dtype.compute)
    return as_dtype(grid_value(x, channel_value(as_dtype(scale, x.dtype), x, axis), largest(bits)), dtype)


def _lsq_vjp(call: Derivative, dy: Any, x: Any, scale: Any) -> list[Maybe]:
    attrs = {"bits": call.bits, "axis": call.axis}
    back = [fake_quantize_lsq_backward_x(x, scale, dy, **attrs), fake_quantize_lsq_backward_scale(x, scale, dy, **attrs)]
    return [as_dtype(gradient, operand.dtype) for gradient, operand in zip(back, (x, scale), strict=True)]


fake_quantize_lsq = define(
    "fake_quantize_lsq",
    "x, scale:packed",
    infer=_lsq_shape,
    reference=_lsq,
    kind=OpKind.Elementwise,
    attrs={"bits": BITS, "axis": AXIS},
    keeps_f32="its grid follows the scale",
    doc="x on the grid of a learned step size (LSQ): clamp(round(x/scale), ±q_max)·scale.",
    tolerance=Tolerance(ulps=4.0, scale="max"),
    cost=per_operand_element(5),
    decompose=_lsq_by_round,
    grid="onto",
    vjp=one(_lsq_vjp),
    jvp=by_transposition,
    batch=by_channels("x"),
    cases=lambda: [
        case(sample(4, 7), sample(fixed=0.21), note="one scale", dtypes=("f32", "f64"), bits=4),
        case(sample(3, 5, 2), sample(5, low=0.01, high=0.1), note="channels on an odd axis", axis=1),
        case(sample(0, 3), sample(fixed=0.1), note="size 0"),
    ],
)


# -- by x -------------------------------------------------------------------------------------------------------
def _lsq_backward_x(x: Array, scale: Array, dy: Array, bits: int, axis: int | None) -> Array:
    return np.asarray(dy * passed(x, by_channel(scale, x, axis), "clipped_identity", largest(bits)))


def _lsq_backward_x_by(x: Value, scale: Value, dy: Value, *, bits: int, axis: int | None) -> Value:
    return fake_backward_by(x, scale, dy, bits=bits, axis=axis, ste="clipped_identity")


def _lsq_cases(tail: Callable[[], dict[str, Any]] = dict) -> Any:
    return lambda: [
        case(sample(4, 7), sample(fixed=0.21), sample(4, 7), note="one scale", dtypes=("f32", "f64"), bits=4),
        case(sample(3, 5, 2), sample(5, low=0.01, high=0.1), sample(3, 5, 2), note="channels on an odd axis", axis=1, **tail()),
        case(sample(0, 3), sample(fixed=0.1), sample(0, 3), note="size 0"),
    ]


fake_quantize_lsq_backward_x = define(
    "fake_quantize_lsq_backward_x",
    "x, scale:packed, dy",
    infer=backward_shape,
    reference=_lsq_backward_x,
    kind=OpKind.Elementwise,
    attrs={"bits": BITS, "axis": AXIS},
    keeps_f32="its grid follows the scale",
    doc="The gradient of `fake_quantize_lsq` by x: dy inside the grid, 0 outside.",
    tolerance=ulps(2),
    cost=per_operand_element(2),
    decompose=_lsq_backward_x_by,
    vjp=seed_vjp,
    jvp=seed_jvp,
    batch=by_channels("x"),
    cases=_lsq_cases(),
)


# -- by the step ------------------------------------------------------------------------------------------------
def _scale_shape(call: Call) -> Shape:
    dtype = backward_shape(call).dtype
    scale = call.given[1]
    return scale.with_dtype(promote(scale.dtype, dtype))


def _lsq_backward_scale(x: Array, scale: Array, dy: Array, bits: int, axis: int | None, grad_scale: bool) -> Array:
    top = largest(bits)
    ratio = wide(x) / wide(by_channel(scale, x, axis))
    slope = np.where(np.abs(ratio) <= top, np.rint(ratio) - ratio, np.sign(ratio) * top)
    total = np.asarray((wide(dy) * slope).sum(axis=others(x, axis)))
    count = x.size // max(total.size, 1)
    return np.asarray(total / np.sqrt(max(count, 1) * top) if grad_scale else total)


def _lsq_backward_scale_by(x: Value, scale: Value, dy: Value, *, bits: int, axis: int | None, grad_scale: bool) -> Value:
    """Σ dy·(round(x/s) - x/s) inside the grid, ±q_max outside."""
    top, dtype = largest(bits), promote(x.dtype, scale.dtype, dy.dtype)
    x, step, dy = (as_dtype(value, dtype.compute) for value in (x, scale, dy))
    ratio = x / channel_value(step, x, axis)
    edge = where(ratio < 0.0, float(-top), float(top))
    slope = where(abs_(ratio) <= float(top), round_(ratio) - ratio, edge)
    axes = others(x, axis)
    total: Value = reduce_sum(dy * slope, axes=axes, keep_dim=False) if axes else dy * slope
    if grad_scale:
        count: Size = 1
        for a in axes:
            count = count * x.shape[a]
        total = total / sqrt(max_(size_scalar(x, count, x.dtype) * float(top), 1.0))
    return as_dtype(total, dtype)


fake_quantize_lsq_backward_scale = define(
    "fake_quantize_lsq_backward_scale",
    "x, scale:packed, dy",
    infer=_scale_shape,
    reference=_lsq_backward_scale,
    kind=OpKind.Elementwise,
    attrs={
        "bits": BITS,
        "axis": AXIS,
        "grad_scale": Attr("bool", False, help="divide by sqrt(N·q_max), N the elements with one scale, as the paper does"),
    },
    keeps_f32="its grid follows the scale",
    doc="The gradient of `fake_quantize_lsq` by its scale: Σ dy·(round(x/s) - x/s) inside the grid, dy·±q_max outside.",
    tolerance=Tolerance(ulps=64.0, factor=64.0, scale="max", length=lambda op, operands: operands[0].size),  # type: ignore[union-attr]
    cost=per_operand_element(6),
    decompose=_lsq_backward_scale_by,
    vjp=seed_vjp,
    jvp=seed_jvp,
    batch=by_channels("scale", reduces=True),
    cases=_lsq_cases(lambda: {"grad_scale": True}),
)
