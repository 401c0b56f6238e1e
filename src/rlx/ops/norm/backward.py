"""The gradients of layer norm and RMS norm as records of several results.

n = (x - mean)·scale        scale = 1/sqrt(variance + eps)        g = dy·gamma
layer norm   dx = scale·(g - mean(g) - n·mean(g·n))
RMS norm     dx = scale·(g - n·mean(g·n)), without the mean in n
dgamma = Σ dy·n, dbeta = Σ dy over the axes that are not normalized
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlx.core.dtype import promote
from rlx.core.shape import is_zero
from rlx.ir.tolerance import Tolerance
from rlx.ops.elementwise.unary import rsqrt
from rlx.ops.inference import compute_common, per_operand_element, require
from rlx.ops.norm import norm
from rlx.ops.record import Array, Call, Case, Op, OpDef, OpKind, Shape, Value, as_dtype, case, define, sample
from rlx.ops.reduction.reduce import FLOATS, reduce_mean, reduce_sum, terms_of, wide, wide_mean
from rlx.transforms.rules.formulas import zeros

Axes = tuple[int, ...]


def _shapes(call: Call, axes: Sequence[int]) -> tuple[Shape, Shape, Shape]:
    """dx as x, dgamma and dbeta as gamma; dy has x's dims."""
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
    n, g = whole * scale, wide(dy) * wide(gamma).reshape(norm.aligned(gamma.shape, x.ndim, axes))
    inner = g - n * wide_mean(g * n, axes, True) - (wide_mean(g, axes, True) if centered else 0.0)
    rest = _others(x.ndim, axes)
    return scale * inner, (wide(dy) * n).sum(rest), wide(dy).sum(rest)


def _by_mean(x: Value, gamma: Value, dy: Value, axes: Axes, eps: float, centered: bool) -> tuple[Value, Value, Value]:
    """The formulas above on Values, in f32 at least."""
    dtype = promote(x.dtype, gamma.dtype, dy.dtype)
    if any(is_zero(x.shape[axis]) for axis in axes):
        nothing = zeros(as_dtype(dy, dtype), gamma.shape)
        return as_dtype(dy, dtype), nothing, nothing
    x, gamma, dy = (as_dtype(value, dtype.compute) for value in (x, gamma, dy))
    whole = x - reduce_mean(x, axes=axes, keep_dim=True) if centered else x
    scale = rsqrt(reduce_mean(whole * whole, axes=axes, keep_dim=True) + eps)
    n, g = whole * scale, dy * gamma.reshape(norm.aligned(gamma.shape, x.rank, axes))
    inner = g - n * reduce_mean(g * n, axes=axes, keep_dim=True)
    if centered:
        inner = inner - reduce_mean(g, axes=axes, keep_dim=True)
    rest = _others(x.rank, axes)
    sums = [reduce_sum(value, axes=rest, keep_dim=False) if rest else value for value in (dy * n, dy)]
    return as_dtype(scale * inner, dtype), as_dtype(sums[0], dtype), as_dtype(sums[1], dtype)


def _record(name: str, of: OpDef, attr: str, centered: bool, cases: Callable[[], list[Case]]) -> OpDef:
    def axes_of(value: Any) -> Axes:
        return value if isinstance(value, tuple) else (value,)

    return define(
        name,
        "x, gamma, dy",
        infer=lambda call: _shapes(call, axes_of(call.op.attrs[attr])),
        normalize=of.normalize,
        kind=OpKind.Reduction,
        results=("dx", "dgamma", "dbeta"),
        attrs=dict(of.attrs),
        compute_dtype=compute_common,
        reference=lambda x, gamma, dy, **a: _reference(x, gamma, dy, axes_of(a[attr]), a["eps"], centered),
        decompose=lambda x, gamma, dy, **a: _by_mean(x, gamma, dy, axes_of(a[attr]), a["eps"], centered),
        doc=f"The gradients of `{of.name}` by x, gamma and beta in one pass.",
        tolerance=Tolerance(32.0, 4.0, "max", _terms(attr), biased=True),
        cost=per_operand_element(16),
        cases=cases,
    )


def _terms(attr: str) -> Callable[[Op, Sequence[Array | None]], int]:
    """The longer of both sums: over the normalized axes, or over all others."""
    count = terms_of(lambda op: op.attrs[attr] if isinstance(op.attrs[attr], tuple) else (op.attrs[attr],))

    def terms(op: Op, operands: Sequence[Array | None]) -> int:
        x = operands[0]
        assert x is not None
        each = count(op, operands)
        return max(each, x.size // max(each, 1))

    return terms


layer_norm_backward = _record(
    "layer_norm_backward",
    norm.layer_norm,
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
    norm.rms_norm,
    "axis",
    False,
    lambda: [
        case(sample(4, 9), sample(9), sample(4, 9), note="plain", dtypes=FLOATS),
        case(sample(3, 5, 2), sample(5), sample(3, 5, 2), note="odd axis", axis=1, eps=1e-2),
        case(sample(2, 3, 67), sample(67), sample(2, 3, 67), note="odd length with a vector tail"),
        case(sample(0, 5), sample(5), sample(0, 5), note="size 0"),
    ],
)
