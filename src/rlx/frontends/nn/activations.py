"""Activations, with `jax.nn`'s names and arguments."""

from __future__ import annotations

import math
from typing import Any

from rlx.core.dtype import DTypeLike, f32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value, axes_of, axis_of, emit, floating, promote_values
from rlx.frontends.numpy.dtypes import as_dtype as named_dtype
from rlx.frontends.numpy.movement import expand_dims
from rlx.frontends.numpy.reductions import Axis
from rlx.frontends.numpy.reductions import mean as mean_of
from rlx.ir.array_methods import Array
from rlx.ir.value import Value, as_dtype

__all__ = [
    "celu", "elu", "gelu", "glu", "hard_sigmoid", "hard_silu", "hard_swish", "hard_tanh", "identity", "leaky_relu", "log1mexp",
    "log_sigmoid", "log_softmax", "logmeanexp", "logsumexp", "mish", "one_hot", "relu", "relu6", "selu", "sigmoid", "silu",
    "soft_sign", "softmax", "softplus", "sparse_plus", "sparse_sigmoid", "squareplus", "standardize", "swish", "tanh",
]  # fmt: skip


def _select(condition: Value, x: Value | float, y: Value | float) -> Value:
    return emit("where", condition, x, y)


@array_function
def identity(x: ArrayLike) -> Value:
    """The array itself."""
    return as_value(x)


@array_function
def relu(x: ArrayLike) -> Value:
    """max(x, 0); its gradient at 0 is 0."""
    return emit("relu", as_value(x))


@array_function
def relu6(x: ArrayLike) -> Value:
    """min(max(x, 0), 6)."""
    return emit("clamp", as_value(x), 0, 6)


@array_function
def sigmoid(x: ArrayLike) -> Value:
    """1 / (1 + exp(-x))."""
    return emit("sigmoid", floating(x))


@array_function
def silu(x: ArrayLike) -> Value:
    """x * sigmoid(x)."""
    return emit("silu", floating(x))


swish = silu


@array_function
def gelu(x: ArrayLike, approximate: bool = True) -> Value:
    """x * Phi(x): by tanh, as `jax.nn` does by default, or by the error function."""
    return emit("gelu_approx" if approximate else "gelu", floating(x))


@array_function
def softplus(x: ArrayLike) -> Value:
    """log(1 + exp(x))."""
    return emit("softplus", floating(x))


@array_function
def log_sigmoid(x: ArrayLike) -> Value:
    """log(sigmoid(x))."""
    return -emit("softplus", -floating(x))


@array_function
def soft_sign(x: ArrayLike) -> Value:
    """x / (|x| + 1)."""
    value = floating(x)
    return value / (emit("abs", value) + 1)


@array_function
def tanh(x: ArrayLike) -> Value:
    """The hyperbolic tangent."""
    return emit("tanh", floating(x))


@array_function
def elu(x: ArrayLike, alpha: ArrayLike = 1.0) -> Value:
    """x above 0, alpha * (exp(x) - 1) below."""
    value = floating(x)
    below = emit("expm1", _select(value > 0, 0.0, value))
    return _select(value > 0, value, promote_values(value, alpha)[1] * below)


@array_function
def celu(x: ArrayLike, alpha: ArrayLike = 1.0) -> Value:
    """x above 0, alpha * (exp(x / alpha) - 1) below."""
    value = floating(x)
    scale = promote_values(value, alpha)[1]
    return _select(value > 0, value, scale * emit("expm1", _select(value > 0, 0.0, value) / scale))


@array_function
def selu(x: ArrayLike) -> Array:
    """The scaled elu that keeps mean 0 and variance 1."""
    return 1.0507009873554804934193349852946 * elu(floating(x), 1.6732632423543772848170429916717)


@array_function
def leaky_relu(x: ArrayLike, negative_slope: ArrayLike = 0.01) -> Value:
    """x above 0, negative_slope * x below."""
    value = floating(x)
    return _select(value >= 0, value, promote_values(value, negative_slope)[1] * value)


@array_function
def hard_tanh(x: ArrayLike) -> Value:
    """x between -1 and 1."""
    value = floating(x)
    return _select(value > 1, 1.0, _select(value < -1, -1.0, value))


@array_function
def hard_sigmoid(x: ArrayLike) -> Array:
    """relu6(x + 3) / 6."""
    return relu6(floating(x) + 3) / 6


@array_function
def hard_silu(x: ArrayLike) -> Value:
    """x * hard_sigmoid(x)."""
    value = floating(x)
    return value * hard_sigmoid(value)


hard_swish = hard_silu


@array_function
def mish(x: ArrayLike) -> Value:
    """x * tanh(softplus(x))."""
    value = floating(x)
    return value * emit("tanh", emit("softplus", value))


@array_function
def squareplus(x: ArrayLike, b: ArrayLike = 4) -> Value:
    """(x + sqrt(x² + b)) / 2."""
    value = floating(x)
    return 0.5 * (value + emit("sqrt", value * value + promote_values(value, b)[1]))


@array_function
def sparse_plus(x: ArrayLike) -> Value:
    """0 up to -1, x from 1 on, (x + 1)² / 4 between."""
    value = floating(x)
    return _select(value <= -1, 0.0, _select(value >= 1, value, (value + 1) * (value + 1) * 0.25))


@array_function
def sparse_sigmoid(x: ArrayLike) -> Value:
    """0 up to -1, 1 from 1 on, a line between."""
    return 0.5 * emit("clamp", floating(x) + 1, 0.0, 2.0)


@array_function
def glu(x: ArrayLike, axis: int = -1) -> Value:
    """The first half along an axis times the sigmoid of the second."""
    value = floating(x)
    axis = axis_of(axis, value.rank, "glu")
    size = value.shape[axis]
    if isinstance(size, int) and size % 2:
        raise RlxError("RLX102", f"glu along an axis of size {size}", fix="an even size")
    half = size // 2
    first, second = emit("split", value, sizes=(half, half), axis=axis)
    return first * emit("sigmoid", second)


@array_function
def log1mexp(x: ArrayLike) -> Value:
    """log(1 - exp(-x)) for x above 0, exact near 0 and far from it."""
    value = floating(x)
    near = emit("log", -emit("expm1", -value))
    return _select(value < math.log(2), near, emit("log1p", -emit("exp", -value)))


# -- over axes ----------------------------------------------------------------------------------------------------
def _fill_unmasked(x: ArrayLike, where: ArrayLike | None) -> Value:
    value = floating(x)
    return value if where is None else _select(as_dtype(as_value(where, value), named_dtype(bool)), value, -math.inf)


@array_function
def softmax(x: ArrayLike, axis: int | tuple[int, ...] | None = -1, where: ArrayLike | None = None) -> Value:
    """exp(x), so that the sum over axes is 1; elements where the mask is false count nothing."""
    return _over_axes("softmax", _fill_unmasked(x, where), axis, where)


@array_function
def log_softmax(x: ArrayLike, axis: int | tuple[int, ...] | None = -1, where: ArrayLike | None = None) -> Value:
    """The logarithm of `softmax`."""
    return _over_axes("log_softmax", _fill_unmasked(x, where), axis, None)


def _over_axes(op: str, value: Value, axis: int | tuple[int, ...] | None, where: ArrayLike | None) -> Value:
    axes = axes_of(axis, value.rank, op)
    if len(axes) == 1:
        result: Value = emit(op, value, axis=axes[0])
    else:
        total = emit("reduce_log_sum_exp", value, axes=axes, keep_dim=True)
        result = value - total
        result = result if op == "log_softmax" else emit("exp", result)
    if where is None:
        return result
    return _select(as_dtype(as_value(where, value), named_dtype(bool)), result, 0.0)


@array_function
def logsumexp(
    x: ArrayLike,
    axis: Axis = None,
    b: ArrayLike | None = None,
    keepdims: bool = False,
    return_sign: bool = False,
    where: ArrayLike | None = None,
) -> Array | Any:
    """log(sum(b * exp(x))), without overflow; with `return_sign`, of the absolute value, and the sign of the sum.

    >>> import numpy as np, rlx.nn as nn
    >>> nn.logsumexp(np.float32([0, 0]), b=np.float32([1, -3]), return_sign=True)
    (Array(0.6931472, dtype=float32), Array(-1., dtype=float32))
    """
    value = _fill_unmasked(x, where)
    if b is None and not return_sign:
        axes = axes_of(axis, value.rank, "logsumexp")
        return emit("reduce_log_sum_exp", value, axes=axes, keep_dim=keepdims)
    scale = promote_values(value, 1 if b is None else b)[1]
    value = _select(scale == 0, -math.inf, value)
    axes = axes_of(axis, value.rank, "logsumexp")
    top = emit("stop_gradient", emit("reduce_max", value, axes=axes, keep_dim=True))
    top = _select(emit("is_finite", top), top, 0.0)
    total = emit("reduce_sum", scale * emit("exp", value - top), axes=axes, keep_dim=keepdims)
    back = top if keepdims else top.reshape(total.shape)
    if not return_sign:
        return emit("log", total) + back
    return emit("log", emit("abs", total)) + back, emit("sign", total)


@array_function
def logmeanexp(x: ArrayLike, axis: Axis = None, where: ArrayLike | None = None, keepdims: bool = False) -> Value:
    """log(mean(exp(x)))."""
    value = _fill_unmasked(x, where)
    axes = axes_of(axis, value.rank, "logmeanexp")
    total = emit("reduce_log_sum_exp", value, axes=axes, keep_dim=keepdims)
    counted = value * 0 + 1 if where is None else as_dtype(as_value(where, value), value.dtype) + value * 0
    count = emit("reduce_sum", emit("stop_gradient", _select(emit("is_nan", counted), 0.0, counted)), axes=axes, keep_dim=keepdims)
    return total - emit("log", count)


@array_function
def standardize(
    x: ArrayLike,
    axis: int | tuple[int, ...] | None = -1,
    mean: ArrayLike | None = None,
    variance: ArrayLike | None = None,
    epsilon: ArrayLike = 1e-5,
    where: ArrayLike | None = None,
) -> Value:
    """Less the mean, divided by the root of the variance, over axes."""
    value = floating(x)
    axes = axes_of(axis, value.rank, "standardize")
    middle = mean_of(value, axes, keepdims=True, where=where) if mean is None else as_value(mean, value)
    if variance is None:
        squares = mean_of(value * value, axes, keepdims=True, where=where) - middle * middle
        spread = emit("max", squares, 0.0)
    else:
        spread = as_value(variance, value)
    return (value - middle) * emit("rsqrt", spread + promote_values(value, epsilon)[1])


@array_function
def one_hot(x: ArrayLike, num_classes: int, *, dtype: DTypeLike | None = None, axis: int = -1) -> Value:
    """1 at the class of each element, 0 elsewhere; a class outside is all 0."""
    value = as_value(x)
    axis = axis_of(axis, value.rank + 1, "one_hot")
    classes = emit("iota", shape=(num_classes,), axis=0, dtype=value.dtype if value.dtype.is_integer else f32, graph=value.graph)
    classes = classes.reshape(tuple(num_classes if i == axis else 1 for i in range(value.rank + 1)))
    hit = emit("eq", expand_dims(value, axis), classes)
    return as_dtype(hit, f32 if dtype is None else named_dtype(dtype))
