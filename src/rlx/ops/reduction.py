"""Reductions over axes, softmax, and running sums and products.

References accumulate floats in f64 and round once, so they are the true value to the last bit or so. Ints sum in their
result dtype and wrap.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlx.core.dim import product
from rlx.core.dtype import boolean, i32, promote
from rlx.core.shape import is_zero
from rlx.ir.emit import constant, size_scalar
from rlx.ir.tolerance import Tolerance, summed
from rlx.ir.value import one
from rlx.ops.elementwise.binary import div, max_, where
from rlx.ops.elementwise.unary import abs_, exp, log
from rlx.ops.inference import compute_common, compute_float, floating, numeric, per_operand_element, real, require
from rlx.ops.movement.shape import expand, transpose
from rlx.ops.record import (
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
    exact,
    sample,
)
from rlx.transforms.rules.batching import along_axes
from rlx.transforms.rules.derivative import Derivative
from rlx.transforms.rules.formulas import by_transposition, conj, linear, unary, zeros

FLOATS = ("f32", "f64", "f16", "bf16")


def wide(x: Array) -> Array:
    """Converts floats to f64 and complex numbers to c128, in which references accumulate."""
    dtype = DType.of(x.dtype)
    if dtype.is_complex:
        return x.astype(np.complex128)
    return x.astype(np.float64) if dtype.is_float else x


def sum_dtype(*dtypes: DType) -> DType:
    """The dtype of a sum or product: i32 for bools and ints; i64, u64, u32, floats and complex stay."""
    common = promote(*dtypes)
    return i32 if common.is_bool or (common.is_integer and common.name not in ("i64", "u64", "u32")) else common


def is_number(dtype: DType) -> bool:
    """Whether a dtype can be summed: numbers, and bools as 0 and 1."""
    return numeric(dtype) or dtype.is_bool


def to_boolean(*_: DType) -> DType:
    """Converts numbers to bools by `!= 0`."""
    return boolean


def widen(x: Value) -> Value:
    """Casts an operand to the dtype a reduction computes in: f32 for ints and 16-bit floats."""
    return as_dtype(x, floating(x.dtype).compute)


def terms_of(axes: Callable[[Op], Sequence[int]]) -> Callable[[Op, Sequence[Array | None]], int]:
    """The number of elements of operand 0 in each sum, for tolerances."""

    def count(op: Op, operands: Sequence[Array | None]) -> int:
        x = operands[0]
        assert x is not None
        return int(np.prod([x.shape[axis] for axis in axes(op)], dtype=np.int64))

    return count


_axes_terms = terms_of(lambda op: op.attrs["axes"])
axis_terms = terms_of(lambda op: (op.attrs["axis"],))


# -- the family -------------------------------------------------------------------------------------------------
def _all_axes(call: Call) -> Op:
    """Normalizes a reduction without axes to all axes."""
    return call.op if call.op.attrs["axes"] is not None else call.op.with_attrs(axes=tuple(range(call.given[0].rank)))


def reduced_dims(dims: Sequence[Size], axes: Sequence[int], keep_dim: bool) -> tuple[Size, ...]:
    """The dims of a reduction's result: these axes removed, or kept as 1."""
    return tuple(1 if axis in axes else size for axis, size in enumerate(dims) if keep_dim or axis not in axes)


def _reduce_cases(low: float, high: float, dtypes: tuple[str, ...], empty: bool) -> Callable[[], list[Case]]:
    def rows() -> list[Case]:
        lines = [
            case(sample(4, 9, low=low, high=high), note="the last axis", dtypes=dtypes, axes=-1),
            case(sample(3, 5, 2, 7, low=low, high=high), note="two axes apart, odd", axes=(0, 2), dtypes=dtypes),
            case(sample(3, 5, 2, low=low, high=high), note="odd axis, kept", axes=1, keep_dim=True),
            case(sample(2, 3, low=low, high=high), note="all axes"),
            case(sample(low=low, high=high), note="rank 0"),
            case(sample(0, 3, low=low, high=high), note="size 0 beside the axis", axes=1),
        ]
        return [*lines, case(sample(2, 0), note="nothing to reduce: the identity", axes=1)] if empty else lines

    return rows


def reduction(
    name: str,
    reference: Callable[..., Array],
    *,
    compute: Callable[..., DType],
    accepts: Callable[[DType], bool] = is_number,
    what: str = "numbers",
    tolerance: Tolerance | None = None,
    identity: bool = True,
    domain: tuple[float, float] = (-3.0, 3.0),
    dtypes: tuple[str, ...] = (*FLOATS, "i32", "u8", "bool"),
    flops: int = 1,
    doc: str,
    **facets: Any,
) -> OpDef:
    """Defines a reduction over axes; `compute` gives the dtype of its result (16-bit floats are summed in f32 and rounded)."""

    def infer(call: Call) -> Shape:
        require(call, accepts, what)
        (x,) = call.given
        if not identity and is_zero(product(x.dims[axis] for axis in call.axes)):
            fix = f"{name} of no elements has no value"
            raise call.error("RLX102", f"nothing to reduce over axes {call.axes}", fix=fix)
        return Shape.make(reduced_dims(x.dims, call.axes, call.keep_dim), compute(x.dtype))

    return define(
        name,
        "x",
        infer=infer,
        normalize=_all_axes,
        reference=reference,
        kind=OpKind.Reduction,
        family="reduce",
        doc=doc,
        attrs={"axes": Attr("axes", None, help="the axes; all when not given"), "keep_dim": Attr("bool", False)},
        compute_dtype=compute,
        tolerance=tolerance or exact(),
        cost=per_operand_element(flops),
        cases=_reduce_cases(*domain, dtypes, identity),
        batch=along_axes,
        **facets,
    )


def _sum(x: Array, axes: tuple[int, ...], keep_dim: bool) -> Array:
    wide_x = wide(x)
    return np.asarray(np.sum(wide_x, axis=axes, keepdims=keep_dim, dtype=wide_x.dtype))


def wide_mean(x: Array, axes: tuple[int, ...], keep_dim: bool) -> Array:
    """The mean in f64; NaN for no elements."""
    count = int(np.prod([x.shape[axis] for axis in axes], dtype=np.int64))
    return _sum(x, axes, keep_dim) / np.float64(count)


def _extreme_or_identity(find: Callable[..., Array], sign: float) -> Callable[..., Array]:
    """Reduces to the maximum (sign -1: its identity is the smallest number) or minimum (sign 1)."""

    def reference(x: Array, axes: tuple[int, ...], keep_dim: bool) -> Array:
        identity: Any = sign * np.inf
        if x.dtype == np.bool_:
            identity = sign > 0
        elif np.issubdtype(x.dtype, np.integer):
            identity = np.iinfo(x.dtype).max if sign > 0 else np.iinfo(x.dtype).min
        return np.asarray(find(x, axis=axes, keepdims=keep_dim, initial=identity))

    return reference


def _log_sum_exp(x: Array, axes: tuple[int, ...], keep_dim: bool) -> Array:
    wide_x = wide(x)
    top = np.max(wide_x, axis=axes, keepdims=True, initial=-np.inf)
    shift = np.where(np.isfinite(top), top, 0)
    total = np.log(np.sum(np.exp(wide_x - shift), axis=axes, keepdims=True)) + shift
    return np.asarray(total if keep_dim else np.squeeze(total, axis=axes))


def _mean_by_sum(x: Value, *, axes: tuple[int, ...], keep_dim: bool) -> Value:
    """Decomposes the mean: Σx / n. A 16-bit float is summed in f32 so that it does not overflow."""
    dtype = floating(x.dtype)
    x = widen(x)
    total = reduce_sum(x, axes=axes, keep_dim=keep_dim)
    return as_dtype(div(total, size_scalar(x, product(x.shape[axis] for axis in axes), x.dtype)), dtype)


def _log_sum_exp_by_max(x: Value, *, axes: tuple[int, ...], keep_dim: bool) -> Value:
    """Decomposes log-sum-exp: log Σ exp(x - m) + m with m the maximum, 0 where that is infinite."""
    dtype = floating(x.dtype)
    x = widen(x)
    if is_zero(product(x.shape[axis] for axis in axes)):
        nothing = constant(x.graph, -np.inf, dtype)
        return expand(nothing, shape=reduced_dims(x.shape, axes, keep_dim))
    top = reduce_max(x, axes=axes, keep_dim=True)
    shift = where(abs_(top) < np.inf, top, 0.0)
    total = log(reduce_sum(exp(x - shift), axes=axes, keep_dim=True)) + shift
    return as_dtype(total if keep_dim else total.reshape(reduced_dims(x.shape, axes, False)), dtype)


# -- derivatives ------------------------------------------------------------------------------------------------
def _restore_axes(value: Value, x: Value, axes: Sequence[int]) -> Value:
    """Reshapes a reduced value to have its axes as 1 again."""
    return value.reshape(reduced_dims(x.shape, axes, True))


def _sum_vjp(call: Derivative, dy: Value, y: Value, x: Value) -> Value:
    return one("expand", _restore_axes(dy, x, call.axes), shape=x.shape)


def _mean_vjp(call: Derivative, dy: Value, y: Value, x: Value) -> Value:
    count = size_scalar(x, product(x.shape[axis] for axis in call.axes), dy.dtype)
    return as_dtype(_sum_vjp(call, dy / count, y, x), x.dtype)


def _find_extreme(call: Derivative, x: Value, y: Value) -> tuple[Value, Value]:
    """The mask of elements equal to the extreme, and their number."""
    here = x == _restore_axes(y, x, call.axes)
    count = reduce_sum(as_dtype(here, y.dtype), axes=call.axes, keep_dim=True)
    return here, max_(count, 1.0)


def _extreme_vjp(call: Derivative, dy: Value, y: Value, x: Value) -> Value:
    """The vjp of max and min: dy divided evenly among all elements equal to the extreme."""
    here, count = _find_extreme(call, x, y)
    return one("where", here, _restore_axes(dy, x, call.axes) / count, 0.0)


def _extreme_jvp(call: Derivative, t: Value, y: Value, x: Value) -> Value:
    here, count = _find_extreme(call, x, y)
    moved: Value = reduce_sum(where(here, t, 0.0), axes=call.axes, keep_dim=True) / count
    return moved.reshape(y.shape)


def _prod_slope(call: Derivative, x: Value) -> Value:
    """The slope of a product by each element: the product of those before times those after. Correct at zeros."""
    rest = [axis for axis in range(x.rank) if axis not in call.axes]
    perm = (*rest, *call.axes)
    dims = [x.shape[axis] for axis in perm]
    line = transpose(x, perm=perm).reshape(*dims[: len(rest)], product(dims[len(rest) :]))
    before = one("cumprod", line, axis=-1, exclusive=True)
    behind = one("cumprod", line, axis=-1, exclusive=True, reverse=True)
    others = (before * behind).reshape(*dims)
    return one("transpose", others, perm=tuple(perm.index(axis) for axis in range(x.rank)))


def _shares(call: Derivative, x: Value, y: Value) -> Value:
    """The slope of log-sum-exp, exp(x - y): a softmax; zeros where all is -inf, NaN for an element of +inf."""
    shift = _restore_axes(y, x, call.axes)
    return one("exp", x - where(shift == -math.inf, 0.0, shift))


def _reduce_like_op(call: Derivative, terms: Value) -> Value:
    """Sums terms of the operand's shape over the axes of the reduction."""
    return one("reduce_sum", terms, axes=call.axes, keep_dim=call.keep_dim)


# -- the records ------------------------------------------------------------------------------------------------
reduce_sum = reduction(
    "reduce_sum",
    _sum,
    compute=sum_dtype,
    tolerance=summed(1.0, _axes_terms),
    doc="Sum over axes. Ints and bools give i32 (i64, u32 and u64 stay) and wrap; nothing sums to 0.",
    vjp=unary(_sum_vjp),
    jvp=linear(0),
)
reduce_mean = reduction(
    "reduce_mean",
    wide_mean,
    compute=compute_float,
    tolerance=summed(1.0, _axes_terms),
    identity=False,
    decompose=_mean_by_sum,
    doc="Mean over axes; ints and bools give f32.",
    vjp=unary(_mean_vjp),
    jvp=linear(0),
)
reduce_max = reduction(
    "reduce_max",
    _extreme_or_identity(np.max, -1.0),
    compute=compute_common,
    accepts=real,
    what="real numbers and bools",
    identity=False,
    doc="Maximum over axes; NaN if one is. A symbolic axis that turns out empty gives the smallest number.",
    vjp=unary(_extreme_vjp),
    jvp=unary(_extreme_jvp),
)
reduce_min = reduction(
    "reduce_min",
    _extreme_or_identity(np.min, 1.0),
    compute=compute_common,
    accepts=real,
    what="real numbers and bools",
    identity=False,
    doc="Minimum over axes; NaN if one is. A symbolic axis that turns out empty gives the largest number.",
    vjp=unary(_extreme_vjp),
    jvp=unary(_extreme_jvp),
)
reduce_prod = reduction(
    "reduce_prod",
    lambda x, axes, keep_dim: np.prod(wide(x), axis=axes, keepdims=keep_dim, dtype=wide(x).dtype),
    compute=sum_dtype,
    domain=(0.5, 1.5),
    tolerance=Tolerance(2.0, 1.0, length=_axes_terms, biased=True),
    doc="Product over axes, in the dtypes of reduce_sum; the product of nothing is 1.",
    vjp=unary(lambda call, dy, y, x: _restore_axes(dy, x, call.axes) * conj(_prod_slope(call, x))),
    jvp=unary(lambda call, t, y, x: _reduce_like_op(call, _prod_slope(call, x) * t)),
)
reduce_any = reduction(
    "reduce_any",
    lambda x, axes, keep_dim: np.asarray(np.any(x, axis=axes, keepdims=keep_dim)),
    compute=to_boolean,
    doc="Whether one element is not 0; false for nothing.",
    no_gradient="bool output",
)
reduce_all = reduction(
    "reduce_all",
    lambda x, axes, keep_dim: np.asarray(np.all(x, axis=axes, keepdims=keep_dim)),
    compute=to_boolean,
    doc="Whether no element is 0; true for nothing.",
    no_gradient="bool output",
)
reduce_log_sum_exp = reduction(
    "reduce_log_sum_exp",
    _log_sum_exp,
    compute=compute_float,
    accepts=real,
    what="real numbers",
    tolerance=Tolerance(8.0, 1.0, "abs", _axes_terms, biased=True),
    dtypes=FLOATS,
    flops=12,
    decompose=_log_sum_exp_by_max,
    doc="log Σ exp(x) over axes, without overflow; -inf for nothing.",
    vjp=unary(lambda call, dy, y, x: _restore_axes(dy, x, call.axes) * _shares(call, x, y)),
    jvp=unary(lambda call, t, y, x: _reduce_like_op(call, t * _shares(call, x, y))),
)


# -- softmax and its logarithm


def _float_shape(call: Call) -> Shape:
    require(call, real, "real numbers")
    (x,) = call.given
    return x.with_dtype(floating(x.dtype))


def _shift_by_max(x: Array, axis: int) -> Array:
    wide_x = wide(x)
    return np.asarray(wide_x - np.max(wide_x, axis=axis, keepdims=True, initial=-np.inf))


def _softmax(x: Array, axis: int) -> Array:
    powers = np.exp(_shift_by_max(x, axis))
    return np.asarray(powers / np.sum(powers, axis=axis, keepdims=True))


def _log_softmax(x: Array, axis: int) -> Array:
    shifted = _shift_by_max(x, axis)
    return np.asarray(shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True)))


def _softmax_by_max(x: Value, *, axis: int) -> Value:
    """Decomposes softmax: exp(x - max) / Σ exp(x - max)"""
    dtype = floating(x.dtype)
    if is_zero(x.shape[axis]):
        return as_dtype(x, dtype)
    x = widen(x)
    powers = exp(x - reduce_max(x, axes=axis, keep_dim=True))
    return as_dtype(powers / reduce_sum(powers, axes=axis, keep_dim=True), dtype)


def _log_softmax_by_max(x: Value, *, axis: int) -> Value:
    """Decomposes log-softmax: (x - max) - log Σ exp(x - max)"""
    dtype = floating(x.dtype)
    if is_zero(x.shape[axis]):
        return as_dtype(x, dtype)
    x = widen(x)
    shifted = x - reduce_max(x, axes=axis, keep_dim=True)
    return as_dtype(shifted - log(reduce_sum(exp(shifted), axes=axis, keep_dim=True)), dtype)


def _softmax_slope(call: Call, t: Value, y: Value, x: Value) -> Value:
    """The derivative of softmax, which is symmetric: y·(t - Σ y·t)"""
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


# -- running sums and products


def _running_shape(call: Call) -> Shape:
    require(call, is_number, "numbers")
    (x,) = call.given
    return x.with_dtype(sum_dtype(x.dtype))


def _running(accumulate: Callable[..., Array], identity: int) -> Callable[..., Array]:
    def reference(x: Array, axis: int, exclusive: bool, reverse: bool) -> Array:
        x = np.flip(wide(x), axis) if reverse else wide(x)
        if exclusive:
            first = np.full_like(np.take(x, [0] if x.shape[axis] else [], axis=axis), identity)
            x = np.concatenate([first, np.take(x, np.arange(x.shape[axis] - 1), axis=axis)], axis=axis)
        result = accumulate(x, axis=axis, dtype=x.dtype)
        return np.flip(result, axis) if reverse else result

    return reference


def _running_op(
    name: str, reference: Callable[..., Array], tolerance: Tolerance, domain: tuple[float, float], doc: str, **derivatives: Any
) -> OpDef:
    low, high = domain
    return define(
        name,
        "x",
        infer=_running_shape,
        reference=reference,
        kind=OpKind.Reduction,
        doc=doc,
        attrs={
            "axis": Attr("axis"),
            "exclusive": Attr("bool", False, help="without the element at the position"),
            "reverse": Attr("bool", False, help="from the end"),
        },
        compute_dtype=sum_dtype,
        tolerance=tolerance,
        cost=per_operand_element(1),
        cases=lambda: [
            case(sample(4, 9, low=low, high=high), note="plain", dtypes=(*FLOATS, "i32", "bool"), axis=-1),
            case(sample(3, 7, 2, low=low, high=high), note="odd axis, exclusive", axis=1, exclusive=True),
            case(sample(3, 7, 2, low=low, high=high), note="odd axis, from the end", axis=0, reverse=True),
            case(sample(3, 7, low=low, high=high), note="both, odd", axis=1, exclusive=True, reverse=True),
            case(sample(2, 0), note="size 0", axis=1, exclusive=True),
        ],
        batch=along_axes,
        **derivatives,
    )


def _cumprod_vjp(call: Derivative, dy: Value, y: Value, x: Value) -> Value:
    """The vjp of cumprod, correct at zeros: P_i·S_i, P_i the product before i, S_i = Σ_{k ≥ i} dy_k·x_{i+1}…x_k by a reverse loop.

    Exclusive: S_i = Σ_{k > i} dy_k·x_{i+1}…x_{k-1}.
    """
    from rlx.ops.control.control import scan_values

    axis, exclusive = call.axis, call.exclusive
    x = conj(x)
    if call.reverse:
        x, dy = one("flip", x, axes=(axis,)), one("flip", dy, axes=(axis,))
    perm = (axis, *(a for a in range(x.rank) if a != axis))
    rows, seeds = transpose(x, perm=perm), transpose(dy, perm=perm)

    def step(later: Value, row: Value, seed: Value) -> tuple[Value, Value]:
        sum_here = later if exclusive else seed + later
        return (seed + row * later if exclusive else row * sum_here), sum_here

    _, sums = scan_values(step, (zeros(dy, rows.shape[1:]),), (rows, seeds), length=rows.shape[0], reverse=True)
    gradient = transpose(sums, perm=tuple(perm.index(a) for a in range(x.rank))) * one("cumprod", x, axis=axis, exclusive=True)
    return one("flip", gradient, axes=(axis,)) if call.reverse else gradient


cumsum = _running_op(
    "cumsum",
    _running(np.cumsum, 0),
    summed(1.0, axis_terms),
    (-3.0, 3.0),
    "Running sums along one axis, in the dtypes of reduce_sum.",
    vjp=unary(lambda call, dy, y, x: one("cumsum", dy, axis=call.axis, exclusive=call.exclusive, reverse=not call.reverse)),
    jvp=linear(0),
)
cumprod = _running_op(
    "cumprod",
    _running(np.cumprod, 1),
    Tolerance(2.0, 1.0, length=axis_terms, biased=True),
    (0.5, 1.5),
    "Running products along one axis, in the dtypes of reduce_sum.",
    vjp=unary(_cumprod_vjp),
    jvp=by_transposition,
)
