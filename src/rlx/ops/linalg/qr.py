"""The QR factorization by Householder reflections."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.core.dim import minimum
from rlx.ops.contraction.matmul import matmul
from rlx.ops.fft.fft import double
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
from rlx.ops.record import Array, Attr, Call, Choice, OpKind, Shape, Size, Value, as_dtype, case, define
from rlx.transforms.rules.batch_formulas import leading
from rlx.transforms.rules.derivative import Derivative, Maybe, Values
from rlx.transforms.rules.formulas import given, matched, swapped


class QrMode(Choice):
    """How many columns q has: min(m, n), or all m."""

    Reduced = "reduced"
    Complete = "complete"


QR_MODE = Attr("tag", "reduced", parse=QrMode.parse, annotation="QrMode | str", help="reduced or complete, as NumPy's")


def _shapes(call: Call) -> tuple[Shape, Shape]:
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


def _cost(call: Call, results: tuple[Shape, ...]) -> Size:
    return call.given[0].num_elements * results[0].dims[-1] * 4


# -- derivatives ------------------------------------------------------------------------------------------------
def _check_differentiable(call: Call) -> bool:
    """Whether a is tall or square; a complete q of a tall a has columns that the formulas leave open."""
    rows, columns = call.given[0].dims[-2:]
    tall = call.same(rows, columns) or order(call, columns, rows)
    if tall and call.mode == "complete" and not call.same(rows, columns):
        fix = "mode='reduced': the other columns of q are any basis of the rest, and have no derivative"
        raise call.error("RLX601", "the derivative of a complete q with more rows than columns", fix=fix)
    return tall


def _symmetric(x: Value) -> Value:
    """The lower triangle of x on both sides of its diagonal."""
    return lower_part(x) + swapped(lower_part(x, -1))


def _square_vjp(q: Value, r: Value, dq: Value, dr: Value) -> Value:
    """(dq + q·sym(r·drᵀ - dqᵀ·q))·r⁻ᵀ"""
    inner = matmul(r, swapped(dr)) - matmul(swapped(dq), q)
    found: Value = triangular_solve(r, dq + matmul(q, _symmetric(inner)), transpose=True, left_side=False)
    return found


def _vjp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
    """Of a wide a = [x, y] with q·[u, v] = a: v = qᵀ·y, so dy = q·dv and q has y·dvᵀ more."""
    (a,), (q, r) = operands, results
    dq, dr = (given(seed, result) for seed, result in zip(cotangents, results, strict=True))
    dr = upper_part(dr)
    if _check_differentiable(call):
        return [matched(_square_vjp(q, r, dq, dr), a)]
    rows, columns = a.shape[-2:]
    square, rest = ({"axis": -1, "start": start, "length": length} for start, length in ((0, rows), (rows, columns - rows)))
    y, dv = narrow(as_dtype(a, q.dtype), **rest), narrow(dr, **rest)
    dx = _square_vjp(q, narrow(r, **square), dq + matmul(y, swapped(dv)), narrow(dr, **square))
    return [matched(concat(dx, matmul(q, dv), axis=-1), a)]


def _square_jvp(q: Value, r: Value, ta: Value) -> tuple[Value, Value]:
    """With s = qᵀ·ta·r⁻¹ and o its lower triangle less that transposed: q·(o - s) + ta·r⁻¹, and (s - o)·r"""
    scaled = triangular_solve(r, ta, left_side=False)
    slope = matmul(swapped(q), scaled)
    below = lower_part(slope, -1)
    turned = below - swapped(below)
    return matmul(q, turned - slope) + scaled, upper_part(matmul(slope - turned, r))


def _jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    """Of a wide a = [x, y]: tv = tqᵀ·y + qᵀ·ty"""
    (a,), (q, r) = operands, results
    ta = as_dtype(tangents[0], q.dtype)
    if _check_differentiable(call):
        return list(_square_jvp(q, r, ta))
    rows, columns = a.shape[-2:]
    square, rest = ({"axis": -1, "start": start, "length": length} for start, length in ((0, rows), (rows, columns - rows)))
    tq, tu = _square_jvp(q, narrow(r, **square), narrow(ta, **square))
    tv = matmul(swapped(tq), narrow(as_dtype(a, q.dtype), **rest)) + matmul(swapped(q), narrow(ta, **rest))
    return [tq, concat(tu, tv, axis=-1)]


def _cases() -> list[Any]:
    both = ("f32", "f64")
    return [
        case(given_matrix(dominant(5, 5)), note="plain", dtypes=("f32", "f64", "f16")),
        case(given_matrix(dominant(2, 19, 6)), note="tall, odd sizes", dtypes=both),
        case(given_matrix(dominant(2, 3, 7)), note="wide", dtypes=both),
        case(given_matrix(dominant(4, 7)), note="wide and complete", mode="complete"),
        case(given_matrix(np.zeros((2, 0, 0))), note="size 0"),
    ]


qr = define(
    "qr",
    "a",
    infer=_shapes,
    reference=_qr,
    kind=OpKind.Compute,
    results=("q", "r"),
    attrs={"mode": QR_MODE},
    compute_dtype=factored_dtype,
    keeps_f32="a factorization",
    decompose=computed_in_float("qr"),
    doc="q with orthonormal columns and upper triangular r with q @ r = a, for each matrix of `[…, m, n]`; reduced: q is `[…, m, k]` "
    "with k = min(m, n), complete: `[…, m, m]`. The signs on the diagonal of r are LAPACK's.",
    tolerance=ELIMINATION,
    cost=_cost,
    vjp=_vjp,
    jvp=_jvp,
    batch=leading,
    cases=_cases,
)
