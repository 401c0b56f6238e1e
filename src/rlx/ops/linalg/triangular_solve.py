"""Systems of linear equations with a triangular matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

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
    upper_part,
)
from rlx.ops.record import Array, Attr, Call, OpKind, Shape, Size, Value, as_dtype, case, define, sample
from rlx.transforms.rules.batch_formulas import again, batched, leading
from rlx.transforms.rules.batching import Axis, Batched, Operands, batch_size
from rlx.transforms.rules.derivative import Derivative, Maybe, Values, total
from rlx.transforms.rules.formulas import matched, swapped


def _shape(call: Call) -> Shape:
    found = check_matrices(call, square=True)
    a, b = call.given
    if b.rank != a.rank:
        fix = "b has the batch axes of a and is a matrix: reshape a vector to [n, 1], or [1, n] on the left of a"
        raise call.error("RLX102", f"a has rank {a.rank} and b rank {b.rank}", fix=fix)
    for axis, size in enumerate(a.dims[:-2]):
        call.check_same(size, b.dims[axis], f"sizes at axis {axis}")
    if call.left_side:
        call.check_same(a.dims[-1], b.dims[-2], "size of a and rows of b")
    else:
        call.check_same(a.dims[-1], b.dims[-1], "size of a and columns of b", fix="left_side=True solves a @ x = b")
    return b.with_dtype(found.dtype)


def _solve(a: Array, b: Array, lower: bool, transpose: bool, unit_diagonal: bool, left_side: bool) -> Array:
    """Substitution row by row, so that a zero on the diagonal gives infinities and NaN as in the definition."""
    matrix, x = double(a), double(b).copy()
    if not left_side:
        x, transpose = np.ascontiguousarray(np.swapaxes(x, -1, -2)), not transpose
    if transpose:
        matrix, lower = np.swapaxes(matrix, -1, -2), not lower
    n = matrix.shape[-1]
    with np.errstate(all="ignore"):
        for row in range(n) if lower else reversed(range(n)):
            done = slice(0, row) if lower else slice(row + 1, n)
            x[..., row, :] -= (matrix[..., row, None, done] @ x[..., done, :])[..., 0, :]
            if not unit_diagonal:
                x[..., row, :] /= matrix[..., row, row, None]
    return x if left_side else np.swapaxes(x, -1, -2)


def _again(call: Call, a: Value, b: Value, **changes: Any) -> Value:
    found: Value = triangular_solve(a, b, **{**call.op.attrs, **changes})
    return found


def _triangle(call: Call, value: Value) -> Value:
    """The part of a matrix that the op reads."""
    offset = 1 if call.unit_diagonal else 0
    return lower_part(value, -offset) if call.lower else upper_part(value, offset)


def _vjp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
    """db solves the transposed system; da = -db·xᵀ in the triangle, transposed and with sides changed as the op says."""
    (a, b), (x,), (dx,) = operands, results, cotangents
    db = _again(call, as_dtype(a, x.dtype), dx, transpose=not call.transpose)
    da: Maybe = None
    if call.wanted[0]:
        left, right = (db, swapped(x)) if call.left_side else (swapped(x), db)
        product = matmul(left, right)
        da = matched(_triangle(call, -(swapped(product) if call.transpose else product)), a)
    return [da, matched(db, b)]


def _jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    """The same system with tb - ta·x on the right, or tb - x·ta"""
    (a, _), (x,), (ta, tb) = operands, results, tangents
    terms: list[Maybe] = [None if tb is None else as_dtype(tb, x.dtype)]
    if ta is not None:
        moved = _triangle(call, as_dtype(ta, x.dtype))
        moved = swapped(moved) if call.transpose else moved
        terms.append(-(matmul(moved, x) if call.left_side else matmul(x, moved)))
    whole = total(terms)
    assert whole is not None
    return [_again(call, as_dtype(a, x.dtype), whole)]


def _batch(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """One matrix for all examples solves the columns, or rows, of all of them at once; else a system for each."""
    a, b = operands
    assert a is not None and b is not None
    if axes[0] is not None or call.given[0].rank > 2:
        return leading(call, operands, axes)
    size, (rows, columns) = batch_size(operands, axes), call.given[1].dims
    if call.left_side:
        (found,) = again(call, (a, b.transpose(1, 0, 2).reshape(rows, size * columns)))
        return batched([found.reshape(rows, size, columns)], 1)
    (found,) = again(call, (a, b.reshape(size * rows, columns)))
    return batched([found.reshape(size, rows, columns)])


def _cost(call: Call, results: tuple[Shape, ...]) -> Size:
    return results[0].num_elements * call.given[0].dims[-1]


def _cases() -> list[Any]:
    both = ("f32", "f64")
    return [
        case(given_matrix(dominant(5, 5)), sample(5, 3), note="plain: upper", dtypes=("f32", "f64", "f16")),
        case(given_matrix(dominant(2, 17, 17)), sample(2, 17, 19), note="lower, odd sizes", lower=True, dtypes=both),
        case(given_matrix(dominant(6, 6)), sample(6, 2), note="transposed, odd", lower=True, transpose=True),
        case(given_matrix(dominant(6, 6)), sample(4, 6), note="from the right", left_side=False, lower=True),
        case(
            given_matrix(dominant(3, 7, 7)),
            sample(3, 2, 7),
            note="from the right, transposed, odd",
            left_side=False,
            transpose=True,
        ),
        case(
            given_matrix(dominant(4, 4) / 8),
            sample(4, 5),
            note="ones on the diagonal",
            lower=True,
            transpose=True,
            unit_diagonal=True,
        ),
        case(given_matrix(np.zeros((0, 0))), sample(0, 2), note="size 0"),
    ]


triangular_solve = define(
    "triangular_solve",
    "a, b",
    infer=_shape,
    reference=_solve,
    kind=OpKind.Compute,
    attrs={
        "lower": Attr("bool", False, help="a is lower triangular; what is above its diagonal is not read"),
        "transpose": Attr("bool", False, help="solve with aᵀ"),
        "unit_diagonal": Attr("bool", False, help="the diagonal is ones and not read"),
        "left_side": Attr("bool", True, help="a @ x = b; else x @ a = b"),
    },
    compute_dtype=factored_dtype,
    keeps_f32="a system of equations",
    decompose=computed_in_float("triangular_solve"),
    doc="x with a @ x = b for a triangular matrix, upper unless `lower`; b is a matrix `[…, n, k]`, "
    "with left_side=False `[…, k, n]`. A zero on the diagonal divides as floats do: infinities and NaN.",
    tolerance=ELIMINATION,
    cost=_cost,
    vjp=_vjp,
    jvp=_jvp,
    batch=_batch,
    cases=_cases,
)
