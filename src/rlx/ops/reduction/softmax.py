"""Softmax and its logarithm along one axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rlx.core.shape import is_zero
from rlx.ir.tolerance import Tolerance
from rlx.ir.value import one
from rlx.ops.elementwise.unary import exp, log
from rlx.ops.inference import compute_float, floating, per_operand_element, real, require
from rlx.ops.record import Array, Attr, Call, OpDef, OpKind, Shape, Value, as_dtype, case, define, sample
from rlx.ops.reduction.reduce import FLOATS, axis_terms, reduce_max, reduce_sum, wide, widened
from rlx.transforms.rules.batch_formulas import along_axes
from rlx.transforms.rules.formulas import unary


def _float_shape(call: Call) -> Shape:
    require(call, real, "real numbers")
    (x,) = call.given
    return x.with_dtype(floating(x.dtype))


def _shifted(x: Array, axis: int) -> Array:
    wide_x = wide(x)
    return np.asarray(wide_x - np.max(wide_x, axis=axis, keepdims=True, initial=-np.inf))


def _softmax(x: Array, axis: int) -> Array:
    powers = np.exp(_shifted(x, axis))
    return np.asarray(powers / np.sum(powers, axis=axis, keepdims=True))


def _log_softmax(x: Array, axis: int) -> Array:
    shifted = _shifted(x, axis)
    return np.asarray(shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True)))


def _softmax_by_max(x: Value, *, axis: int) -> Value:
    """exp(x - max) / Σ exp(x - max)"""
    dtype = floating(x.dtype)
    if is_zero(x.shape[axis]):
        return as_dtype(x, dtype)
    x = widened(x)
    powers = exp(x - reduce_max(x, axes=axis, keep_dim=True))
    return as_dtype(powers / reduce_sum(powers, axes=axis, keep_dim=True), dtype)


def _log_softmax_by_max(x: Value, *, axis: int) -> Value:
    """(x - max) - log Σ exp(x - max)"""
    dtype = floating(x.dtype)
    if is_zero(x.shape[axis]):
        return as_dtype(x, dtype)
    x = widened(x)
    shifted = x - reduce_max(x, axes=axis, keep_dim=True)
    return as_dtype(shifted - log(reduce_sum(exp(shifted), axes=axis, keep_dim=True)), dtype)


def _softmax_slope(call: Call, t: Value, y: Value, x: Value) -> Value:
    """y·(t - Σ y·t): the slope of softmax is symmetric."""
    return y * (t - one("reduce_sum", y * t, axes=call.axis, keep_dim=True))


def _softmax_op(name: str, reference: Callable[..., Array], decompose: Callable[..., Value], doc: str, **derivatives: Any) -> OpDef:
    return define(
        name,
        "x",
        infer=_float_shape,
        reference=reference,
        kind=OpKind.Reduction,
        attrs={"axis": Attr("axis", -1)},
        doc=doc,
        compute_dtype=compute_float,
        tolerance=Tolerance(8.0, 1.0, "max", axis_terms, biased=True),
        cost=per_operand_element(12),
        decompose=decompose,
        cases=lambda: [
            case(sample(4, 9), note="plain", dtypes=FLOATS),
            case(sample(2, 5, 3, low=-30, high=30), note="odd axis", axis=1, dtypes=("f32", "bf16")),
            case(sample(3, 67, low=900, high=1000), note="large numbers, odd length"),
            case(sample(4, fixed=[1.0, -float("inf"), 2.0, -float("inf")]), note="masked positions", axis=0),
            case(sample(2, 0), note="size 0"),
        ],
        batch=along_axes,
        **derivatives,
    )


softmax = _softmax_op(
    "softmax",
    _softmax,
    _softmax_by_max,
    "exp(x)/Σ exp(x) along one axis; a line of -inf alone gives NaN.",
    vjp=unary(_softmax_slope),
    jvp=unary(_softmax_slope),
)
log_softmax = _softmax_op(
    "log_softmax",
    _log_softmax,
    _log_softmax_by_max,
    "The logarithm of softmax along one axis.",
    vjp=unary(lambda call, dy, y, x: dy - exp(y) * reduce_sum(dy, axes=call.axis, keep_dim=True)),
    jvp=unary(lambda call, t, y, x: t - reduce_sum(exp(y) * t, axes=call.axis, keep_dim=True)),
)
