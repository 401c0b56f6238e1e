"""Singular values and vectors: `svd`, a host call to NumPy's LAPACK."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dim import minimum, proves_at_most
from rlx.ops.contraction.matmul import matmul
from rlx.ops.elementwise.complex import part_type
from rlx.ops.fft.fft import transformed_dtype
from rlx.ops.linalg.matrices import (
    HOST,
    adjoint,
    as_column,
    as_row,
    check_matrix,
    decomposition_cost,
    diagonal,
    eye,
    in_double,
    real_part,
    rounding,
)
from rlx.ops.movement.parts import narrow
from rlx.ops.record import OPS, Array, Attr, Call, Case, OpKind, Shape, Size, Value, as_dtype, case, define, sample
from rlx.transforms.rules.batch_formulas import leading
from rlx.transforms.rules.derivative import Both, Derivative, Values
from rlx.transforms.rules.formulas import by_transposed_jvp


# -- svd --------------------------------------------------------------------------------------------------------
def _svd_shapes(call: Call) -> tuple[Shape, ...]:
    a = check_matrix(call)
    (*batch, m, n), k = a.dims, minimum(*a.dims[-2:])
    values = Shape.make((*batch, k), part_type(a.dtype))
    if not call.compute_uv:
        return (values,)
    left, right = (m, n) if call.full_matrices else (k, k)
    return Shape.make((*batch, m, left), a.dtype), values, Shape.make((*batch, right, n), a.dtype)


def _svd(a: Array, full_matrices: bool, compute_uv: bool) -> tuple[Array, ...]:
    def found(x: Array) -> Any:
        if not compute_uv:
            return np.linalg.svd(x, compute_uv=False)
        return tuple(np.linalg.svd(x, full_matrices=full_matrices))

    return in_double("svd", found)(a)


def _thin(a: Value) -> tuple[Value, Value, Value]:
    found: tuple[Value, Value, Value] = svd(a, full_matrices=False, compute_uv=True)
    return found


def _svd_saving(call: Derivative, operands: Sequence[Any]) -> tuple[Sequence[Value], Sequence[Value]]:
    """With the vectors, which the derivative of the values reads."""
    if call.compute_uv:
        return svd(*operands, **call.op.attrs), ()
    u, s, vh = _thin(operands[0])
    return (s,), (u, vh)


def _inverse(x: Value) -> Value:
    """1 / x, and 0 for 0."""
    nothing = as_dtype(x == 0, x.dtype)
    return 1.0 / (x + nothing) - nothing


def _columns(x: Value, first: Size, count: Size) -> Value:
    found: Value = narrow(x, axis=-1, start=first, length=count)
    return found


def _svd_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> Both:
    """The tangents of thin factors as JAX's: infinite where two singular values are equal, or 0 in a matrix that is not square.

    Of full factors, the vectors that belong to no singular value turn only as far as the others make them.
    """
    if not call.compute_uv:
        u, s, vh = _thin(operands[0]) if len(results) == 1 else (results[1], results[0], results[2])
        moved = matmul(adjoint(u), matmul(as_dtype(tangents[0], u.dtype), adjoint(vh)))
        return Both((s,), (real_part(diagonal(moved)),))
    (full_u, s, full_vh), da = results, as_dtype(tangents[0], results[0].dtype)
    k = s.shape[-1]
    u, v = _columns(full_u, 0, k), _columns(adjoint(full_vh), 0, k)
    ds, du, dv = _thin_tangents(u, s, v, da)
    if call.full_matrices:
        du, dv = _with_rest(full_u, u, du), _with_rest(adjoint(full_vh), v, dv)
    return Both(results, (du, ds, adjoint(dv)))


def _thin_tangents(u: Value, s: Value, v: Value, da: Value) -> tuple[Value, Value, Value]:
    m, n, k = u.shape[-2], v.shape[-2], s.shape[-1]
    moved = matmul(adjoint(u), matmul(da, v))
    across, down = as_dtype(as_row(s), u.dtype), as_dtype(as_column(s), u.dtype)
    one = eye(s, k)
    squares = (as_row(s) + as_column(s)) * (as_row(s) - as_column(s))
    apart = as_dtype(1.0 / (squares + one) - one, u.dtype)
    right, left = across * moved, down * moved
    turn = (moved - adjoint(moved)) * as_dtype(one * as_row(_inverse(s)), u.dtype) * 0.5
    du = matmul(u, apart * (right + adjoint(right)) + turn)
    dv = matmul(v, apart * (left + adjoint(left)))
    if proves_at_most(m, n, u.graph.assumptions) is not True:  # rows beyond the space that u spans
        outside = matmul(da, v)
        du = du + (outside - matmul(u, matmul(adjoint(u), outside))) / across
    if proves_at_most(n, m, u.graph.assumptions) is not True:
        outside = matmul(adjoint(da), u)
        dv = dv + (outside - matmul(v, matmul(adjoint(v), outside))) / across
    return real_part(diagonal(moved)), du, dv


def _with_rest(full: Value, thin: Value, tangent: Value) -> Value:
    """The tangent of a whole unitary matrix from that of its first columns."""
    size, k = full.shape[-1], thin.shape[-1]
    if size == k:
        return tangent
    rest = _columns(full, k, size - k)
    moved = -matmul(thin, matmul(adjoint(tangent), rest))
    found: Value = OPS["concat"](tangent, moved, axis=-1)
    return found


def _matrix(*dims: int) -> Array:
    """Matrices whose singular values are far apart."""
    random = np.random.default_rng(3)
    size = min(dims[-2:])
    spread = np.zeros(dims)
    spread[..., np.arange(size), np.arange(size)] = 2.0 + 3.0 * np.arange(size)
    return random.normal(size=dims) / 4 + spread


def _svd_cases() -> list[Case]:
    def matrix(*dims: int, dtype: str = "f32") -> Any:
        content = _matrix(*dims) + (1j * _matrix(*dims)[..., ::-1, :] / 5 if dtype == "c64" else 0)
        return sample(*dims, dtype=dtype, fixed=content)

    return [
        case(matrix(5, 3), note="thin factors of a tall matrix", full_matrices=False, dtypes=("f32", "f64", "f16")),
        case(matrix(2, 3, 4, 6), note="odd: several wide ones", full_matrices=False, dtypes=("f32", "f64")),
        case(matrix(4, 4), note="square"),
        case(matrix(5, 3), note="full factors: the phase of the last columns is free"),
        case(matrix(3, 4), note="values alone", compute_uv=False),
        case(matrix(4, 3, dtype="c64"), note="complex: the phase of a vector is free", full_matrices=False),
        case(sample(2, 0, 3), note="size 0", full_matrices=False),
    ]


svd = define(
    "svd",
    "a",
    infer=_svd_shapes,
    reference=_svd,
    kind=OpKind.Compute,
    attrs={
        "full_matrices": Attr("bool", True, "u is [m, m] and vh [n, n]; else both have min(m, n) vectors"),
        "compute_uv": Attr("bool", True, "the vectors too; without, the singular values are the only result"),
    },
    results=("factors*",),
    compute_dtype=transformed_dtype,
    keeps_f32="a decomposition",
    doc="""u, s, vh with a = u · diag(s) · vh for each matrix, s descending, as np.linalg.svd.

    Runs on the host, in NumPy's LAPACK.""",
    tolerance=rounding(1.0),
    cost=decomposition_cost,
    can_fail=True,
    host=HOST,
    jvp=_svd_jvp,
    vjp=by_transposed_jvp,
    saving=_svd_saving,
    batch=leading,
    cases=_svd_cases,
)
