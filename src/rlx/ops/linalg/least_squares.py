"""What is composed of singular values: `pinv`, `lstsq` and `matrix_rank`."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.core.dim import Dim, maximum, minimum
from rlx.core.dtype import i32, promote
from rlx.ir.emit import size_scalar
from rlx.ir.tolerance import Tolerance, epsilon
from rlx.ir.value import one
from rlx.ops.contraction.matmul import matmul
from rlx.ops.elementwise.complex import part_type
from rlx.ops.fft import double, transformed_dtype
from rlx.ops.linalg.complex_matrices import adjoint, as_column, check_matrix, decomposition_cost, real_part
from rlx.ops.linalg.singular import svd
from rlx.ops.record import Array, Attr, Call, DType, OpKind, Shape, Size, Value, as_dtype, case, define, exact, sample
from rlx.transforms.rules.derivative import Derivative, Maybe, Values
from rlx.transforms.rules.formulas import by_transposed_jvp

_RTOL = Attr("float", None, "singular values below it times the largest count as 0; None: by sizes and rounding, as JAX")


def _limit(a: Value, rtol: float | None, factor: float) -> Any:
    """The relative limit of singular values: `factor` · max(m, n) · eps where none is given."""
    if rtol is not None:
        return rtol
    longer, step = maximum(*a.shape[-2:]), factor * epsilon(a.dtype)
    return size_scalar(a, longer, part_type(a.dtype)) * step if isinstance(longer, Dim) else longer * step


def _relative(a: Array, rtol: float | None, factor: float) -> float:
    if rtol is not None:
        return rtol
    return float(factor * max(a.shape[-2:]) * np.finfo(a.dtype).eps)


def _numbers(a: Value) -> Value:
    return as_dtype(a, transformed_dtype(a.dtype))


def _largest(s: Value) -> Value:
    """The first singular value, with an axis; that of an empty matrix is 0."""
    if isinstance(s.shape[-1], int) and s.shape[-1] == 0:
        return s.sum(axes=(s.rank - 1,), keep_dim=True)
    return s.max(axes=(s.rank - 1,), keep_dim=True)


# -- pinv -------------------------------------------------------------------------------------------------------
def _pinv_shape(call: Call) -> Shape:
    a = check_matrix(call)
    return a.with_dims((*a.dims[:-2], a.dims[-1], a.dims[-2]))


def _pinv_parts(a: Value, rtol: float | None) -> Value:
    """v · diag(1 / s) · uᴴ, 0 for the singular values that count as 0."""
    a = _numbers(a)
    u, s, vh = svd(a, full_matrices=False)
    counts = s > _largest(s) * _limit(a, rtol, 10.0)
    inverse = one("where", counts, 1.0 / one("where", counts, s, 1.0), 0.0)
    result: Value = matmul(adjoint(vh), as_dtype(as_column(inverse), a.dtype) * adjoint(u))
    return result


def _pinv_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    """-p·da·p + p·pᴴ·daᴴ·(1 - a·p) + (1 - p·a)·daᴴ·pᴴ·p (Golub and Pereyra 1973), which equal singular values do not disturb."""
    p = results[0]
    a, da = as_dtype(operands[0], p.dtype), as_dtype(tangents[0], p.dtype)
    rows = matmul(matmul(p, adjoint(p)), adjoint(da))
    columns = matmul(adjoint(da), matmul(adjoint(p), p))
    right = rows - matmul(matmul(rows, a), p)
    left = columns - matmul(p, matmul(a, columns))
    return [right + left - matmul(p, matmul(da, p))]


def _tall(*dims: int, dtype: str = "f32") -> Any:
    random = np.random.default_rng(11)
    content = random.normal(size=dims) + 3.0 * np.eye(dims[-2], dims[-1])
    return sample(*dims, dtype=dtype, fixed=content + (0.5j * random.normal(size=dims) if dtype == "c64" else 0))


pinv = define(
    "pinv",
    "a",
    infer=_pinv_shape,
    reference=lambda a, rtol: np.linalg.pinv(double(a), rcond=_relative(a, rtol, 10.0)),
    decompose=_pinv_parts,
    kind=OpKind.Compute,
    attrs={"rtol": _RTOL},
    compute_dtype=transformed_dtype,
    keeps_f32="a decomposition",
    doc="The pseudo-inverse of each matrix, as jnp.linalg.pinv: from its singular values, those below rtol times the largest being 0.",
    tolerance=Tolerance(ulps=64.0, factor=64.0, scale="max", length=lambda op, operands: max(operands[0].shape[-2:])),  # type: ignore[union-attr]
    cost=decomposition_cost,
    jvp=_pinv_jvp,
    vjp=by_transposed_jvp,
    cases=lambda: [
        case(_tall(5, 3), note="tall", dtypes=("f32", "f64")),
        case(_tall(2, 3, 4), note="odd: several wide ones"),
        case(_tall(3, 3, dtype="c64"), note="complex"),
        case(sample(3, 3, fixed=np.diag([2.0, 2.0, 4.0])), note="equal singular values"),
    ],
)


# -- matrix_rank ------------------------------------------------------------------------------------------------
def _rank_parts(a: Value, rtol: float | None) -> Value:
    a = _numbers(a)
    (s,) = svd(a, compute_uv=False)
    counts = s > _largest(s) * _limit(a, rtol, 1.0)
    return as_dtype(counts, i32).sum(axes=(s.rank - 1,))


matrix_rank = define(
    "matrix_rank",
    "a",
    infer=lambda call: Shape.make(check_matrix(call).dims[:-2], i32),
    reference=lambda a, rtol: np.linalg.matrix_rank(double(a), rtol=_relative(a, rtol, 1.0)),
    decompose=_rank_parts,
    kind=OpKind.Compute,
    attrs={"rtol": _RTOL},
    compute_dtype=transformed_dtype,
    keeps_f32="a decomposition",
    doc="How many singular values of each matrix are above rtol times the largest, as np.linalg.matrix_rank.",
    tolerance=exact(),
    cost=decomposition_cost,
    no_gradient="integer output",
    cases=lambda: [
        case(_tall(5, 3), note="full rank", dtypes=("f32", "f64")),
        case(sample(2, 3, 3, fixed=np.ones((2, 3, 3))), note="odd: several of rank 1"),
        case(sample(4, 4, fixed=np.diag([3.0, 2.0, 1e-3, 0.0])), note="a limit of its own", rtol=0.01),
        case(sample(3, 2, fixed=np.zeros((3, 2))), note="nothing"),
    ],
)


# -- lstsq ------------------------------------------------------------------------------------------------------
def _common(*dtypes: DType) -> DType:
    return transformed_dtype(promote(*dtypes))


def _lstsq_shapes(call: Call) -> tuple[Shape, ...]:
    check_matrix(call)
    a, b = call.given
    (*batch, m, n), dtype = a.dims, _common(a.dtype, b.dtype)
    if b.rank not in (a.rank - 1, a.rank):
        raise call.error("RLX102", f"b has rank {b.rank}", fix="a vector […, m] or columns […, m, k] for each matrix")
    for axis, size in enumerate(batch):
        call.check_same(size, b.dims[axis], f"sizes at axis {axis}")
    call.check_same(m, b.dims[a.rank - 2], "rows of a and of b")
    columns: tuple[Size, ...] = b.dims[a.rank - 1 :]
    return (
        Shape.make((*batch, n, *columns), dtype),
        Shape.make((*batch, *(columns or (1,))), part_type(dtype)),
        Shape.make(batch, i32),
        Shape.make((*batch, minimum(m, n)), part_type(dtype)),
    )


def _lstsq(a: Array, b: Array, rcond: float | None) -> tuple[Array, ...]:
    limit = _relative(a, rcond, 1.0)
    columns = double(b if b.ndim == a.ndim else b[..., None])
    u, s, vh = np.linalg.svd(double(a), full_matrices=False)
    counts = (s > 0) & (s >= limit * s[..., :1])
    inverse = np.where(counts, 1 / np.where(counts, s, 1), 0)[..., None]
    x = np.conj(np.swapaxes(vh, -1, -2)) @ (inverse * (np.conj(np.swapaxes(u, -1, -2)) @ columns))
    left = (np.abs(columns - double(a) @ x) ** 2).sum(-2)
    return x if b.ndim == a.ndim else x[..., 0], left, counts.sum(-1), s


def _lstsq_parts(a: Value, b: Value, rcond: float | None) -> tuple[Value, ...]:
    """v · diag(1 / s) · uᴴ · b, 0 for the singular values that count as 0."""
    dtype = _common(a.dtype, b.dtype)
    a, b = as_dtype(a, dtype), as_dtype(b, dtype)
    columns = b if b.rank == a.rank else as_column(b)
    u, s, vh = svd(a, full_matrices=False)
    counts = (s > 0.0) & (s >= _largest(s) * _limit(a, rcond, 1.0))
    inverse = one("where", counts, 1.0 / one("where", counts, s, 1.0), 0.0)
    x = matmul(adjoint(vh), as_dtype(as_column(inverse), dtype) * matmul(adjoint(u), columns))
    left = columns - matmul(a, x)
    squares = real_part(left * one("conjugate", left)) if dtype.is_complex else left * left
    residuals = squares.sum(axes=(left.rank - 2,))
    rank = as_dtype(counts, i32).sum(axes=(s.rank - 1,))
    return x if b.rank == a.rank else x.reshape(*x.shape[:-1]), residuals, rank, s


lstsq = define(
    "lstsq",
    "a, b",
    infer=_lstsq_shapes,
    reference=_lstsq,
    decompose=_lstsq_parts,
    kind=OpKind.Compute,
    attrs={"rcond": _RTOL},
    results=("x", "residuals", "rank", "singular_values"),
    compute_dtype=_common,
    keeps_f32="a decomposition",
    doc="""x that makes |a·x - b| smallest, the squares of what is left for each column, the rank of a, and its singular values.

    As jnp.linalg.lstsq, for each matrix of `[…, m, n]`; b is `[…, m]` or `[…, m, k]`.""",
    tolerance=Tolerance(ulps=64.0, factor=64.0, scale="max", length=lambda op, operands: max(operands[0].shape[-2:])),  # type: ignore[union-attr]
    cost=decomposition_cost,
    cases=lambda: [
        case(_tall(6, 3), sample(6), note="a vector", dtypes=("f32", "f64")),
        case(_tall(2, 5, 3), sample(2, 5, 2), note="odd: columns, several tall ones"),
        case(_tall(4, 2), sample(4, 1), note="one column"),
        case(_tall(5, 3, dtype="c64"), sample(5, dtype="c64"), note="complex"),
    ],
)
