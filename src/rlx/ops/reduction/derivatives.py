"""Derivatives of reductions, softmax and running sums and products."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rlx.core.dim import product
from rlx.ir.emit import size_scalar
from rlx.ir.op import complete
from rlx.ir.value import Value, as_dtype
from rlx.ops.control.control import scan_values
from rlx.ops.elementwise import elementwise as e
from rlx.ops.movement.pad import flip
from rlx.ops.movement.shape import expand, transpose
from rlx.ops.reduction import reduce as r
from rlx.transforms.rules.derivative import Derivative, Maybe
from rlx.transforms.rules.formulas import by_transposition, conj, linear, one, zeros


def _kept(value: Value, x: Value, axes: Sequence[int]) -> Value:
    """A reduced value with its axes back as 1."""
    return value.reshape(r.reduced_dims(x.shape, axes, True))


def _spread(dy: Value, x: Value, axes: Sequence[int]) -> Value:
    found: Value = expand(_kept(dy, x, axes), shape=x.shape)
    return found


def _mean_vjp(call: Derivative, dy: Value, x: Value) -> list[Maybe]:
    count = size_scalar(x, product(x.shape[axis] for axis in call.axes), dy.dtype)
    return [as_dtype(_spread(dy / count, x, call.axes), x.dtype)]


def _chosen(call: Derivative, x: Value, y: Value) -> tuple[Value, Value]:
    """Where the extreme stands, and how many times."""
    here = x == _kept(y, x, call.axes)
    count = r.reduce_sum(as_dtype(here, y.dtype), axes=call.axes, keep_dim=True)
    return here, e.max_(count, 1.0)


def _extreme_vjp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], cotangents: Sequence[Maybe]
) -> list[Maybe]:
    """dy shared evenly by all that are equal to the extreme."""
    (x,), (y,), (dy,) = operands, results, cotangents
    here, count = _chosen(call, x, y)
    assert dy is not None
    return [e.where(here, _kept(dy, x, call.axes) / count, 0.0)]


def _extreme_jvp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]
) -> list[Maybe]:
    (x,), (y,) = operands, results
    here, count = _chosen(call, x, y)
    moved = r.reduce_sum(e.where(here, tangents[0], 0.0), axes=call.axes, keep_dim=True) / count
    return [moved.reshape(y.shape)]


def _prod_slope(call: Derivative, x: Value) -> Value:
    """The product of all other elements: what stands before times what stands behind. Right at zeros."""
    rest = [axis for axis in range(x.rank) if axis not in call.axes]
    perm = (*rest, *call.axes)
    dims = [x.shape[axis] for axis in perm]
    line = transpose(x, perm=perm).reshape(*dims[: len(rest)], product(dims[len(rest) :]))
    before = r.cumprod(line, axis=-1, exclusive=True)
    behind = r.cumprod(line, axis=-1, exclusive=True, reverse=True)
    others = (before * behind).reshape(*dims)
    found: Value = transpose(others, perm=tuple(perm.index(axis) for axis in range(x.rank)))
    return found


def _prod_jvp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]
) -> list[Maybe]:
    (x,) = operands
    return [r.reduce_sum(_prod_slope(call, x) * tangents[0], axes=call.axes, keep_dim=call.keep_dim)]


def _shares(call: Derivative, x: Value, y: Value) -> Value:
    """exp(x - y): the softmax behind a log-sum-exp; zeros where all is -inf."""
    shift = _kept(y, x, call.axes)
    found: Value = e.exp(x - e.where(e.abs_(shift) < math.inf, shift, 0.0))
    return found


def _log_sum_exp_vjp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], seeds: Sequence[Maybe]
) -> list[Maybe]:
    (x,), (y,), (dy,) = operands, results, seeds
    assert dy is not None
    return [_kept(dy, x, call.axes) * _shares(call, x, y)]


def _log_sum_exp_jvp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]
) -> list[Maybe]:
    (x,), (y,) = operands, results
    return [r.reduce_sum(tangents[0] * _shares(call, x, y), axes=call.axes, keep_dim=call.keep_dim)]


complete(r.reduce_sum, vjp=one(lambda call, dy, x: [_spread(dy, x, call.axes)]), jvp=linear(0))
complete(r.reduce_mean, vjp=one(_mean_vjp), jvp=linear(0))
for record in (r.reduce_max, r.reduce_min):
    complete(record, vjp=_extreme_vjp, jvp=_extreme_jvp)
complete(
    r.reduce_prod, jvp=_prod_jvp, vjp=one(lambda call, dy, x: [_kept(dy, x, call.axes) * conj(_prod_slope(call, x))])
)
complete(r.reduce_log_sum_exp, vjp=_log_sum_exp_vjp, jvp=_log_sum_exp_jvp)


# -- softmax ----------------------------------------------------------------------------------------------------
def _softmax(call: Derivative, y: Value, t: Value) -> list[Maybe]:
    """y·(t - Σ y·t): the slope of softmax is symmetric."""
    return [y * (t - r.reduce_sum(y * t, axes=call.axis, keep_dim=True))]


def _log_softmax_vjp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], seeds: Sequence[Maybe]
) -> list[Maybe]:
    (y,), (dy,) = results, seeds
    return [dy - e.exp(y) * r.reduce_sum(dy, axes=call.axis, keep_dim=True)]


def _log_softmax_jvp(
    call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]
) -> list[Maybe]:
    (y,), (t,) = results, tangents
    return [t - r.reduce_sum(e.exp(y) * t, axes=call.axis, keep_dim=True)]


complete(
    r.softmax,
    vjp=lambda call, operands, results, seeds: _softmax(call, results[0], seeds[0]),
    jvp=lambda call, operands, results, tangents: _softmax(call, results[0], tangents[0]),
)
complete(r.log_softmax, vjp=_log_softmax_vjp, jvp=_log_softmax_jvp)


# -- running sums and products ----------------------------------------------------------------------------------
def _cumsum_vjp(call: Derivative, dy: Value, x: Value) -> list[Maybe]:
    return [r.cumsum(dy, axis=call.axis, exclusive=call.exclusive, reverse=not call.reverse)]


def _cumprod_vjp(call: Derivative, dy: Value, x: Value) -> list[Maybe]:
    """P_i·S_i, P_i the product before i and S_i = Σ_{k ≥ i} dy_k·x_{i+1}…x_k, by a loop from the end. Right at zeros.

    Exclusive: S_i = Σ_{k > i} dy_k·x_{i+1}…x_{k-1}.
    """
    axis, exclusive = call.axis, call.exclusive
    x = conj(x)
    if call.reverse:
        x, dy = flip(x, axes=(axis,)), flip(dy, axes=(axis,))
    perm = (axis, *(a for a in range(x.rank) if a != axis))
    rows, seeds = transpose(x, perm=perm), transpose(dy, perm=perm)

    def step(later: Value, row: Value, seed: Value) -> tuple[Value, Value]:
        sum_here = later if exclusive else seed + later
        return (seed + row * later if exclusive else row * sum_here), sum_here

    _, sums = scan_values(step, (zeros(dy, rows.shape[1:]),), (rows, seeds), length=rows.shape[0], reverse=True)
    found = transpose(sums, perm=tuple(perm.index(a) for a in range(x.rank))) * r.cumprod(x, axis=axis, exclusive=True)
    return [flip(found, axes=(axis,)) if call.reverse else found]


complete(r.cumsum, vjp=one(_cumsum_vjp), jvp=linear(0))
complete(r.cumprod, vjp=one(_cumprod_vjp), jvp=by_transposition)
