"""The LU factorization with partial pivoting."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.core.dim import minimum
from rlx.core.dtype import i32
from rlx.ops.contraction.matmul import identity, matmul
from rlx.ops.fft.fft import double
from rlx.ops.indexing.gather import take_along_axis
from rlx.ops.indexing.order import argsort
from rlx.ops.linalg.factorizations import (
    ELIMINATION,
    check_matrices,
    computed_in_float,
    dominant,
    factored_dtype,
    given_matrix,
    lower_part,
    order,
    upper_part,
)
from rlx.ops.linalg.triangular_solve import triangular_solve
from rlx.ops.movement.parts import concat, narrow
from rlx.ops.movement.shape import expand
from rlx.ops.record import Array, Call, OpKind, Shape, Size, Value, as_dtype, case, define
from rlx.transforms.rules.batch_formulas import leading
from rlx.transforms.rules.derivative import Derivative, Maybe, Values
from rlx.transforms.rules.formulas import matched, swapped, zeros


def _shapes(call: Call) -> tuple[Shape, Shape, Shape]:
    packed = check_matrices(call)
    *batch, rows, columns = packed.dims
    return packed, Shape.make((*batch, minimum(rows, columns)), i32), Shape.make((*batch, rows), i32)


def _eliminate(a: Array, pivots: Array, permutation: Array) -> None:
    """Gaussian elimination of one matrix in place; NaN counts as the largest magnitude, the first of equals wins."""
    for step in range(len(pivots)):
        chosen = step + int(np.argmax(np.abs(a[step:, step])))
        pivots[step] = chosen
        for rows in (a, permutation):
            rows[[step, chosen]] = rows[[chosen, step]]
        if a[step, step] != 0:
            a[step + 1 :, step] /= a[step, step]
        a[step + 1 :, step + 1 :] -= np.outer(a[step + 1 :, step], a[step, step + 1 :])


def _lu(a: Array) -> tuple[Array, Array, Array]:
    packed = double(a).copy()
    *batch, rows, columns = packed.shape
    pivots = np.zeros((*batch, min(rows, columns)), np.int32)
    permutation = np.broadcast_to(np.arange(rows, dtype=np.int32), (*batch, rows)).copy()
    for place in np.ndindex(*batch):
        _eliminate(packed[place], pivots[place], permutation[place])
    return packed, pivots, permutation


def _cost(call: Call, results: tuple[Shape, ...]) -> Size:
    return results[0].num_elements * results[1].dims[-1]


# -- derivatives ------------------------------------------------------------------------------------------------
# A tall factorization [l₁; l₂]·u is the first columns of the square one [[l₁, 0], [l₂, 1]]·[[u, 0], [0, 1]], a wide one the
# first rows of its like: the formulas are those of square matrices.
def _squared(call: Call, value: Value, *, with_ones: bool) -> Value:
    """`[…, m, n]` with rows or columns behind it up to a square: zeros, or ones on its diagonal."""
    rows, columns = value.shape[-2:]
    if call.same(rows, columns):
        return value
    tall = order(call, columns, rows)
    missing = rows - columns if tall else columns - rows
    corner = identity(value.graph, value, missing) if with_ones else zeros(value, (missing, missing))
    beside = (zeros(value, (columns, missing)), corner) if tall else (zeros(value, (missing, rows)), corner)
    piece = concat(*beside, axis=0 if tall else 1)
    shape = (*value.shape[:-2], *piece.shape)
    return concat(value, expand(piece, shape=shape), axis=-1 if tall else -2)  # type: ignore[no-any-return]


def _cut(value: Value, like: Value) -> Value:
    """The first rows and columns of a square."""
    for axis in (-2, -1):
        value = narrow(value, axis=axis, start=0, length=like.shape[axis])
    return value


def _rows(x: Value, places: Value) -> Value:
    """Row places[i] of x as row i, for each matrix."""
    index = expand(places.reshape(*places.shape, 1), shape=x.shape)
    found: Value = take_along_axis(x, index, axis=-2)
    return found


def _vjp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
    """p·da = l⁻ᵀ·(tril(lᵀ·dl, -1) + triu(du·uᵀ))·u⁻ᵀ"""
    packed, _, permutation = results
    if cotangents[0] is None:
        return [None]
    factors = _squared(call, packed, with_ones=True)
    seed = _squared(call, cotangents[0], with_ones=False)
    below, above = lower_part(seed, -1), upper_part(seed)
    lower = lower_part(factors, -1)
    left = lower_part(below + matmul(swapped(lower), below), -1)
    middle = left + upper_part(matmul(above, swapped(upper_part(factors))))
    inner = triangular_solve(factors, middle, lower=True, transpose=True, unit_diagonal=True)
    found = _cut(triangular_solve(factors, inner, transpose=True, left_side=False), packed)
    return [matched(_rows(found, argsort(permutation, axis=-1)), operands[0])]


def _jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    """With s = l⁻¹·p·ta·u⁻¹: l·tril(s, -1) and triu(s)·u"""
    packed, _, permutation = results
    factors = _squared(call, packed, with_ones=True)
    moved = _squared(call, _rows(as_dtype(tangents[0], packed.dtype), permutation), with_ones=False)
    inner = triangular_solve(factors, moved, lower=True, unit_diagonal=True)
    slope = triangular_solve(factors, inner, left_side=False)
    below, above = lower_part(slope, -1), upper_part(slope)
    lower = below + matmul(lower_part(factors, -1), below)
    return [_cut(lower + matmul(above, upper_part(factors)), packed), None, None]


def _cases() -> list[Any]:
    swaps = np.array([[0.0, 2.0, 1.0], [3.0, 1.0, 0.5], [1.0, -4.0, 2.0]])
    return [
        case(given_matrix(dominant(5, 5)), note="plain", dtypes=("f32", "f64", "f16")),
        case(given_matrix(np.broadcast_to(swaps, (2, 3, 3))), note="odd: rows change places", dtypes=("f32", "f64")),
        case(given_matrix(dominant(2, 19, 6)), note="tall, odd sizes"),
        case(given_matrix(dominant(2, 3, 7)), note="wide"),
        case(given_matrix(np.zeros((2, 0, 0))), note="size 0"),
    ]


lu = define(
    "lu",
    "a",
    infer=_shapes,
    reference=_lu,
    kind=OpKind.Compute,
    results=("lu", "pivots", "permutation"),
    compute_dtype=factored_dtype,
    keeps_f32="a factorization",
    decompose=computed_in_float("lu"),
    doc="The factors l (ones on its diagonal) and u of a with its rows permuted, in one matrix, for each of `[…, m, n]`; pivots (i32): "
    "the row that row i changed places with; permutation (i32): `a[permutation] = l @ u`. As jax.lax.linalg.lu. "
    "A singular matrix has a zero on the diagonal of u.",
    tolerance=ELIMINATION,
    cost=_cost,
    vjp=_vjp,
    jvp=_jvp,
    batch=leading,
    cases=_cases,
)
