"""Factorizations of real matrices: Cholesky, LU and QR."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.core.dim import minimum
from rlx.core.dtype import i32
from rlx.ops.contraction.matmul import identity, matmul
from rlx.ops.fft import double
from rlx.ops.indexing.gather import take_along_axis
from rlx.ops.indexing.order import argsort
from rlx.ops.linalg.solve import (
    check_matrices,
    computed_in_float,
    define_elimination,
    dominant,
    given_matrix,
    half_diagonal,
    lower_part,
    order,
    positive_definite,
    triangular_solve,
    upper_part,
)
from rlx.ops.movement.parts import concat, narrow
from rlx.ops.movement.shape import expand
from rlx.ops.record import Array, Attr, Call, Choice, Shape, Value, as_dtype, case
from rlx.transforms.rules.derivative import Derivative, Maybe, Values
from rlx.transforms.rules.formulas import match_type, or_zeros, swap_last_axes, zeros

# -- Cholesky: the factor of a symmetric positive definite matrix


def _cholesky(a: Array, upper: bool) -> Array:
    """Factors one matrix after the other: NumPy raises for all of them where one is not positive definite."""
    wide = double(a)
    flat = np.swapaxes(wide, -1, -2) if upper else wide
    factors = np.zeros_like(flat)
    for index in np.ndindex(flat.shape[:-2]):
        try:
            factors[index] = np.linalg.cholesky(flat[index])
        except np.linalg.LinAlgError:
            factors[index] = np.tril(np.full(flat.shape[-2:], np.nan))
    return np.swapaxes(factors, -1, -2) if upper else factors


def _as_lower(call: Call, value: Value) -> Value:
    """Transposes an upper Cholesky factor to the lower one, or back; returns lower factors unchanged."""
    return swap_last_axes(value) if call.upper else value


def _cholesky_vjp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
    """The vjp of Cholesky: s = l⁻ᵀ·Φ(lᵀ·dl)·l⁻¹, and da is the lower triangle of s + sᵀ with its diagonal once."""
    factor, seed = _as_lower(call, results[0]), _as_lower(call, cotangents[0])
    middle = half_diagonal(matmul(swap_last_axes(factor), lower_part(seed)))
    left = triangular_solve(factor, middle, lower=True, transpose=True)
    slope = triangular_solve(factor, left, lower=True, left_side=False)
    return [match_type(_as_lower(call, half_diagonal(slope + swap_last_axes(slope))), operands[0])]


def _cholesky_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    """The jvp of Cholesky: l·Φ(l⁻¹·ta·l⁻ᵀ), with the lower triangle of ta on both sides."""
    factor = _as_lower(call, results[0])
    below = half_diagonal(_as_lower(call, as_dtype(tangents[0], factor.dtype)))
    left = triangular_solve(factor, below + swap_last_axes(below), lower=True)
    inner = triangular_solve(factor, left, lower=True, transpose=True, left_side=False)
    return [_as_lower(call, matmul(factor, half_diagonal(inner)))]


def _cholesky_cases() -> list[Any]:
    return [
        case(given_matrix(positive_definite(5, 5)), note="plain", dtypes=("f32", "f64", "f16")),
        case(given_matrix(positive_definite(2, 3, 17, 17)), note="batches, odd size", dtypes=("f32", "f64")),
        case(given_matrix(positive_definite(3, 6, 6)), note="the upper factor", upper=True, dtypes=("f32", "f64")),
        case(given_matrix(np.zeros((3, 0, 0))), note="size 0"),
    ]


cholesky = define_elimination(
    "cholesky",
    "a",
    infer=lambda call: check_matrices(call, square=True),
    reference=_cholesky,
    attrs={"upper": Attr("bool", False, help="the upper factor u, with uᵀ @ u = a, from the upper triangle")},
    keeps_f32="a factorization",
    decompose=computed_in_float("cholesky"),
    doc="The lower triangular l with l @ lᵀ = a, for each matrix of `[…, n, n]`; only the lower triangle of a is read. "
    "A matrix that is not positive definite gives NaN in its triangle, as JAX.",
    cost=lambda call, results: results[0].num_elements * results[0].dims[-1] // 3,
    vjp=_cholesky_vjp,
    jvp=_cholesky_jvp,
    cases=_cholesky_cases,
)


# -- LU with partial pivoting


def _lu_shapes(call: Call) -> tuple[Shape, Shape, Shape]:
    packed = check_matrices(call)
    *batch, rows, columns = packed.dims
    return packed, Shape.make((*batch, minimum(rows, columns)), i32), Shape.make((*batch, rows), i32)


def _eliminate(a: Array, pivots: Array, permutation: Array) -> None:
    """Factors one matrix in place (LU); NaN counts as the largest magnitude, the first of equal pivots wins."""
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
    for index in np.ndindex(*batch):
        _eliminate(packed[index], pivots[index], permutation[index])
    return packed, pivots, permutation


# -- derivatives ------------------------------------------------------------------------------------------------
# A tall factorization [l₁; l₂]·u is the first columns of the square one [[l₁, 0], [l₂, 1]]·[[u, 0], [0, 1]], a wide one the
# first rows of its like: the formulas are those of square matrices.
def _extend_to_square(call: Call, value: Value, *, with_ones: bool) -> Value:
    """Extends `[…, m, n]` to a square with rows or columns of zeros, or with ones on their diagonal."""
    rows, columns = value.shape[-2:]
    if call.same(rows, columns):
        return value
    tall = order(call, columns, rows)
    missing = rows - columns if tall else columns - rows
    corner = identity(value.graph, value, missing) if with_ones else zeros(value, (missing, missing))
    beside = (zeros(value, (columns, missing)), corner) if tall else (zeros(value, (missing, rows)), corner)
    piece = concat(*beside, axis=0 if tall else 1)
    shape = (*value.shape[:-2], *piece.shape)
    return concat(value, expand(piece, shape=shape), axis=-1 if tall else -2)


def _cut(value: Value, like: Value) -> Value:
    """Cuts a square matrix to the first rows and columns that `like` has."""
    for axis in (-2, -1):
        value = narrow(value, axis=axis, start=0, length=like.shape[axis])
    return value


def _take_rows(x: Value, places: Value) -> Value:
    """Permutes the rows of each matrix: row i is row places[i] of x."""
    index = expand(places.reshape(*places.shape, 1), shape=x.shape)
    return take_along_axis(x, index, axis=-2)


def _lu_vjp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
    """The vjp of LU: p·da = l⁻ᵀ·(tril(lᵀ·dl, -1) + triu(du·uᵀ))·u⁻ᵀ"""
    packed, _, permutation = results
    if cotangents[0] is None:
        return [None]
    factors = _extend_to_square(call, packed, with_ones=True)
    seed = _extend_to_square(call, cotangents[0], with_ones=False)
    below, above = lower_part(seed, -1), upper_part(seed)
    lower = lower_part(factors, -1)
    left = lower_part(below + matmul(swap_last_axes(lower), below), -1)
    middle = left + upper_part(matmul(above, swap_last_axes(upper_part(factors))))
    inner = triangular_solve(factors, middle, lower=True, transpose=True, unit_diagonal=True)
    gradient = _cut(triangular_solve(factors, inner, transpose=True, left_side=False), packed)
    return [match_type(_take_rows(gradient, argsort(permutation, axis=-1)), operands[0])]


def _lu_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    """The jvp of LU: with s = l⁻¹·p·ta·u⁻¹, l·tril(s, -1) and triu(s)·u"""
    packed, _, permutation = results
    factors = _extend_to_square(call, packed, with_ones=True)
    moved = _extend_to_square(call, _take_rows(as_dtype(tangents[0], packed.dtype), permutation), with_ones=False)
    inner = triangular_solve(factors, moved, lower=True, unit_diagonal=True)
    slope = triangular_solve(factors, inner, left_side=False)
    below, above = lower_part(slope, -1), upper_part(slope)
    lower = below + matmul(lower_part(factors, -1), below)
    return [_cut(lower + matmul(above, upper_part(factors)), packed), None, None]


def _lu_cases() -> list[Any]:
    swaps = np.array([[0.0, 2.0, 1.0], [3.0, 1.0, 0.5], [1.0, -4.0, 2.0]])
    return [
        case(given_matrix(dominant(5, 5)), note="plain", dtypes=("f32", "f64", "f16")),
        case(given_matrix(np.broadcast_to(swaps, (2, 3, 3))), note="odd: rows change places", dtypes=("f32", "f64")),
        case(given_matrix(dominant(2, 19, 6)), note="tall, odd sizes"),
        case(given_matrix(dominant(2, 3, 7)), note="wide"),
        case(given_matrix(np.zeros((2, 0, 0))), note="size 0"),
    ]


lu = define_elimination(
    "lu",
    "a",
    infer=_lu_shapes,
    reference=_lu,
    results=("lu", "pivots", "permutation"),
    keeps_f32="a factorization",
    decompose=computed_in_float("lu"),
    doc="The factors l (ones on its diagonal) and u of a with its rows permuted, in one matrix, for each of `[…, m, n]`; pivots (i32): "
    "the row that row i changed places with; permutation (i32): `a[permutation] = l @ u`. As jax.lax.linalg.lu. "
    "A singular matrix has a zero on the diagonal of u.",
    cost=lambda call, results: results[0].num_elements * results[1].dims[-1],
    vjp=_lu_vjp,
    jvp=_lu_jvp,
    cases=_lu_cases,
)


# -- QR by Householder reflections


class QrMode(Choice):
    """The number of columns of q in a QR factorization: min(m, n), or all m."""

    Reduced = "reduced"
    Complete = "complete"


QR_MODE = Attr("tag", "reduced", parse=QrMode.parse, annotation="QrMode | str", help="reduced or complete, as NumPy's")


def _qr_shapes(call: Call) -> tuple[Shape, Shape]:
    a = check_matrices(call)
    *batch, rows, columns = a.dims
    inner = rows if call.mode == "complete" else minimum(rows, columns)
    return a.with_dims((*batch, rows, inner)), a.with_dims((*batch, inner, columns))


def _qr(a: Array, mode: str) -> tuple[Array, Array]:
    wide = double(a)
    rows, columns = wide.shape[-2:]
    if wide.size == 0:  # NumPy's has no q without columns
        inner = rows if mode == "complete" else min(rows, columns)
        q = np.broadcast_to(np.eye(rows, inner), (*wide.shape[:-2], rows, inner)).copy()
        return q, np.zeros((*wide.shape[:-2], inner, columns), wide.dtype)
    q, r = np.linalg.qr(wide, mode)  # type: ignore[call-overload]
    return q, r


# -- derivatives ------------------------------------------------------------------------------------------------
def _check_differentiable(call: Call) -> bool:
    """Whether a QR input is tall or square; raises for a complete q of a tall input: its extra columns have no derivative."""
    rows, columns = call.given[0].dims[-2:]
    tall = call.same(rows, columns) or order(call, columns, rows)
    if tall and call.mode == "complete" and not call.same(rows, columns):
        fix = "mode='reduced': the other columns of q are any basis of the rest, and have no derivative"
        raise call.error("RLX601", "the derivative of a complete q with more rows than columns", fix=fix)
    return tall


def _symmetric(x: Value) -> Value:
    """Mirrors the lower triangle of x to both sides of its diagonal."""
    return lower_part(x) + swap_last_axes(lower_part(x, -1))


def _square_vjp(q: Value, r: Value, dq: Value, dr: Value) -> Value:
    """The vjp of tall or square QR: (dq + q·sym(r·drᵀ - dqᵀ·q))·r⁻ᵀ"""
    inner = matmul(r, swap_last_axes(dr)) - matmul(swap_last_axes(dq), q)
    return triangular_solve(r, dq + matmul(q, _symmetric(inner)), transpose=True, left_side=False)


def _qr_vjp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
    """The vjp of QR; for a wide a = [x, y] with q·[u, v] = a: v = qᵀ·y, so dy = q·dv and dq gets y·dvᵀ added."""
    (a,), (q, r) = operands, results
    dq, dr = (or_zeros(seed, result) for seed, result in zip(cotangents, results, strict=True))
    dr = upper_part(dr)
    if _check_differentiable(call):
        return [match_type(_square_vjp(q, r, dq, dr), a)]
    rows, columns = a.shape[-2:]
    square, rest = ({"axis": -1, "start": start, "length": length} for start, length in ((0, rows), (rows, columns - rows)))
    y, dv = narrow(as_dtype(a, q.dtype), **rest), narrow(dr, **rest)
    dx = _square_vjp(q, narrow(r, **square), dq + matmul(y, swap_last_axes(dv)), narrow(dr, **square))
    return [match_type(concat(dx, matmul(q, dv), axis=-1), a)]


def _square_jvp(q: Value, r: Value, ta: Value) -> tuple[Value, Value]:
    """The jvp of tall or square QR: q·(o - s) + ta·r⁻¹ and (s - o)·r, s = qᵀ·ta·r⁻¹, o its lower triangle less the transpose."""
    scaled = triangular_solve(r, ta, left_side=False)
    slope = matmul(swap_last_axes(q), scaled)
    below = lower_part(slope, -1)
    turned = below - swap_last_axes(below)
    return matmul(q, turned - slope) + scaled, upper_part(matmul(slope - turned, r))


def _qr_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    """The jvp of QR; for a wide a = [x, y]: tv = tqᵀ·y + qᵀ·ty"""
    (a,), (q, r) = operands, results
    ta = as_dtype(tangents[0], q.dtype)
    if _check_differentiable(call):
        return list(_square_jvp(q, r, ta))
    rows, columns = a.shape[-2:]
    square, rest = ({"axis": -1, "start": start, "length": length} for start, length in ((0, rows), (rows, columns - rows)))
    tq, tu = _square_jvp(q, narrow(r, **square), narrow(ta, **square))
    tv = matmul(swap_last_axes(tq), narrow(as_dtype(a, q.dtype), **rest)) + matmul(swap_last_axes(q), narrow(ta, **rest))
    return [tq, concat(tu, tv, axis=-1)]


def _qr_cases() -> list[Any]:
    both = ("f32", "f64")
    return [
        case(given_matrix(dominant(5, 5)), note="plain", dtypes=("f32", "f64", "f16")),
        case(given_matrix(dominant(2, 19, 6)), note="tall, odd sizes", dtypes=both),
        case(given_matrix(dominant(2, 3, 7)), note="wide", dtypes=both),
        case(given_matrix(dominant(4, 7)), note="wide and complete", mode="complete"),
        case(given_matrix(np.zeros((2, 0, 0))), note="size 0"),
    ]


qr = define_elimination(
    "qr",
    "a",
    infer=_qr_shapes,
    reference=_qr,
    results=("q", "r"),
    attrs={"mode": QR_MODE},
    keeps_f32="a factorization",
    decompose=computed_in_float("qr"),
    doc="q with orthonormal columns and upper triangular r with q @ r = a, for each matrix of `[…, m, n]`; reduced: q is `[…, m, k]` "
    "with k = min(m, n), complete: `[…, m, m]`. The signs on the diagonal of r are LAPACK's.",
    cost=lambda call, results: call.given[0].num_elements * results[0].dims[-1] * 4,
    vjp=_qr_vjp,
    jvp=_qr_jvp,
    cases=_qr_cases,
)
