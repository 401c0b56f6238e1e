"""The Cholesky factor of symmetric positive definite matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.ops.contraction.matmul import matmul
from rlx.ops.fft.fft import double
from rlx.ops.linalg.factorizations import (
    ELIMINATION,
    check_matrices,
    computed_in_float,
    factored_dtype,
    given_matrix,
    half_diagonal,
    lower_part,
    positive_definite,
)
from rlx.ops.linalg.triangular_solve import triangular_solve
from rlx.ops.record import Array, Attr, Call, OpKind, Shape, Size, Value, as_dtype, case, define
from rlx.transforms.rules.batch_formulas import leading
from rlx.transforms.rules.derivative import Derivative, Maybe, Values
from rlx.transforms.rules.formulas import matched, swapped


def _cholesky(a: Array, upper: bool) -> Array:
    """One matrix after the other: NumPy raises for all of them where one is not positive definite."""
    wide = double(a)
    flat = np.swapaxes(wide, -1, -2) if upper else wide
    found = np.zeros_like(flat)
    for place in np.ndindex(flat.shape[:-2]):
        try:
            found[place] = np.linalg.cholesky(flat[place])
        except np.linalg.LinAlgError:
            found[place] = np.tril(np.full(flat.shape[-2:], np.nan))
    return np.swapaxes(found, -1, -2) if upper else found


def _cost(call: Call, results: tuple[Shape, ...]) -> Size:
    return results[0].num_elements * results[0].dims[-1] // 3


def _lower(call: Call, value: Value) -> Value:
    """A factor as the lower one, or the lower one as what the op gives."""
    return swapped(value) if call.upper else value


def _vjp(call: Derivative, operands: Values, results: Values, cotangents: Values) -> list[Maybe]:
    """s = l⁻ᵀ·Φ(lᵀ·dl)·l⁻¹, and da is the lower triangle of s + sᵀ with its diagonal once: the upper one is not read."""
    factor, seed = _lower(call, results[0]), _lower(call, cotangents[0])
    middle = half_diagonal(matmul(swapped(factor), lower_part(seed)))
    left = triangular_solve(factor, middle, lower=True, transpose=True)
    slope = triangular_solve(factor, left, lower=True, left_side=False)
    return [matched(_lower(call, half_diagonal(slope + swapped(slope))), operands[0])]


def _jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    """l·Φ(l⁻¹·ta·l⁻ᵀ), with the lower triangle of ta on both sides."""
    factor = _lower(call, results[0])
    below = half_diagonal(_lower(call, as_dtype(tangents[0], factor.dtype)))
    left = triangular_solve(factor, below + swapped(below), lower=True)
    inner = triangular_solve(factor, left, lower=True, transpose=True, left_side=False)
    return [_lower(call, matmul(factor, half_diagonal(inner)))]


def _cases() -> list[Any]:
    return [
        case(given_matrix(positive_definite(5, 5)), note="plain", dtypes=("f32", "f64", "f16")),
        case(given_matrix(positive_definite(2, 3, 17, 17)), note="batches, odd size", dtypes=("f32", "f64")),
        case(given_matrix(positive_definite(3, 6, 6)), note="the upper factor", upper=True, dtypes=("f32", "f64")),
        case(given_matrix(np.zeros((3, 0, 0))), note="size 0"),
    ]


cholesky = define(
    "cholesky",
    "a",
    infer=lambda call: check_matrices(call, square=True),
    reference=_cholesky,
    kind=OpKind.Compute,
    attrs={"upper": Attr("bool", False, help="the upper factor u, with uᵀ @ u = a, from the upper triangle")},
    compute_dtype=factored_dtype,
    keeps_f32="a factorization",
    decompose=computed_in_float("cholesky"),
    doc="The lower triangular l with l @ lᵀ = a, for each matrix of `[…, n, n]`; only the lower triangle of a is read. "
    "A matrix that is not positive definite gives NaN in its triangle, as JAX.",
    tolerance=ELIMINATION,
    cost=_cost,
    vjp=_vjp,
    jvp=_jvp,
    batch=leading,
    cases=_cases,
)
