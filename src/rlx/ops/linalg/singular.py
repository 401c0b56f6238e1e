"""Singular values and eigenvalues: `svd`, `eigh`, `eig` by NumPy's LAPACK, and what is composed of singular values."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from rlx.core.dim import Dim, maximum, minimum, proves_at_most
from rlx.core.dtype import i32, promote
from rlx.ir.emit import emit, size_scalar
from rlx.ir.tolerance import Tolerance, epsilon
from rlx.ir.value import one
from rlx.ops.contraction.matmul import matmul
from rlx.ops.elementwise.complex import complex_, complex_type, part_type
from rlx.ops.fft import double, transformed_dtype
from rlx.ops.linalg.complex_matrices import (
    adjoint,
    as_column,
    as_row,
    check_matrix,
    decomposition_cost,
    define_decomposition,
    diagonal,
    eye,
    in_double,
    real_part,
    rounding,
    solve,
)
from rlx.ops.movement.parts import narrow
from rlx.ops.record import OPS, Array, Attr, Call, Case, DType, OpKind, Shape, Size, Value, as_dtype, case, define, exact, sample
from rlx.transforms.rules.derivative import Both, Derivative, Maybe, Values
from rlx.transforms.rules.formulas import by_transposed_jvp, conj


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
    def factorize(x: Array) -> Any:
        if not compute_uv:
            return np.linalg.svd(x, compute_uv=False)
        return tuple(np.linalg.svd(x, full_matrices=full_matrices))

    return in_double("svd", factorize)(a)


def _thin(a: Value) -> tuple[Value, Value, Value]:
    return svd(a, full_matrices=False, compute_uv=True)


def _svd_saving(call: Derivative, operands: Sequence[Any]) -> tuple[Sequence[Value], Sequence[Value]]:
    """Emits `svd` and saves the singular vectors, which the derivative of the values reads."""
    if call.compute_uv:
        return svd(*operands, **call.op.attrs), ()
    u, s, vh = _thin(operands[0])
    return (s,), (u, vh)


def _inverse(x: Value) -> Value:
    """Returns 1 / x, and 0 for 0."""
    nothing = as_dtype(x == 0, x.dtype)
    return 1.0 / (x + nothing) - nothing


def _columns(x: Value, first: Size, count: Size) -> Value:
    return narrow(x, axis=-1, start=first, length=count)


def _svd_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> Both:
    """The jvp of thin SVD factors as in JAX: infinite where two singular values are equal, or 0 in a matrix that is not square.

    In full factors, vectors without a singular value rotate only to stay orthogonal to the others.
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
    """Extends the tangent of a unitary matrix's first columns to all columns."""
    size, k = full.shape[-1], thin.shape[-1]
    if size == k:
        return tangent
    rest = _columns(full, k, size - k)
    moved = -matmul(thin, matmul(adjoint(tangent), rest))
    return OPS["concat"](tangent, moved, axis=-1)


def _matrix(*dims: int) -> Array:
    """Test matrices whose singular values are far apart."""
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


svd = define_decomposition(
    "svd",
    "a",
    infer=_svd_shapes,
    reference=_svd,
    attrs={
        "full_matrices": Attr("bool", True, "u is [m, m] and vh [n, n]; else both have min(m, n) vectors"),
        "compute_uv": Attr("bool", True, "the vectors too; without, the singular values are the only result"),
    },
    results=("factors*",),
    compute_dtype=transformed_dtype,
    doc="""u, s, vh with a = u · diag(s) · vh for each matrix, s descending, as np.linalg.svd.

    Runs on the host, in NumPy's LAPACK.""",
    tolerance=rounding(1.0),
    jvp=_svd_jvp,
    vjp=by_transposed_jvp,
    saving=_svd_saving,
    cases=_svd_cases,
)


# -- eigenvalues and eigenvectors: `eigh` of Hermitian matrices, `eig` of any square ones. Host calls to NumPy's LAPACK


def _eigen_shapes(call: Call, values: DType, vectors: DType) -> tuple[Shape, ...]:
    a = call.given[0]
    values_shape = Shape.make(a.dims[:-1], values)
    return (values_shape, Shape.make(a.dims, vectors)) if call.compute_v else (values_shape,)


def _eigh_shapes(call: Call) -> tuple[Shape, ...]:
    dtype = check_matrix(call, square=True).dtype
    return _eigen_shapes(call, part_type(dtype), dtype)


def _hermitian(a: Array) -> Any:
    return tuple(np.linalg.eigh(a))


def _eig_shapes(call: Call) -> tuple[Shape, ...]:
    dtype = complex_type(check_matrix(call, square=True).dtype)
    return _eigen_shapes(call, dtype, dtype)


def _eig(a: Array, compute_v: bool) -> tuple[Array, ...]:
    decompose = in_double("eig", _general if compute_v else np.linalg.eigvals)(a)
    return tuple(x.astype(np.complex128) for x in decompose)


def _general(a: Array) -> Any:
    return tuple(np.linalg.eig(a))


# -- the derivative of eigh -------------------------------------------------------------------------------------
def _from_lower(x: Value) -> Value:
    """The Hermitian matrix with this lower triangle: a tangent as `eigh` reads it."""
    rows, columns = (emit(OPS["iota"], (), {"shape": x.shape[-2:], "axis": axis}, graph=x.graph) for axis in (0, 1))
    below: Value = OPS["where"](rows > columns, x, 0.0)
    middle: Value = OPS["where"](rows == columns, (x + adjoint(x)) * 0.5, 0.0)
    return below + adjoint(below) + middle


def _eigh_saving(call: Derivative, operands: Sequence[Any]) -> tuple[Sequence[Value], Sequence[Value]]:
    """Emits `eigh` and saves the eigenvectors, which the derivative of the values reads."""
    values, vectors = eigh(operands[0])
    return ((values, vectors), ()) if call.compute_v else ((values,), (vectors,))


def _eigh_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> Both:
    """The jvp of eigh: dw = diag(vᴴ·da·v), dv = v·(F ∘ vᴴ·da·v), F = 1 / (wⱼ - wᵢ), infinite for equal eigenvalues as in JAX."""
    w, v = results if len(results) == 2 else eigh(operands[0])
    turned = matmul(adjoint(v), matmul(_from_lower(as_dtype(tangents[0], v.dtype)), v))
    moved_parts = [real_part(diagonal(turned))]
    if call.compute_v:
        one = eye(w, w.shape[-1])
        apart = 1.0 / (one + as_row(w) - as_column(w)) - one
        moved_parts.append(matmul(v, as_dtype(apart, v.dtype) * turned))
    return Both((w, v) if call.compute_v else (w,), moved_parts)


# -- the derivative of eig --------------------------------------------------------------------------------------
def _eig_saving(call: Derivative, operands: Sequence[Any]) -> tuple[Sequence[Value], Sequence[Value]]:
    """Emits `eig` and saves the eigenvectors, which the derivative of the values reads."""
    values, vectors = eig(operands[0])
    return ((values, vectors), ()) if call.compute_v else ((values,), (vectors,))


def _eig_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> Both:
    """The jvp of eig: p = v⁻¹·da·v, dw = diag(p), and dv = u + v·c for u = v·(F ∘ p), F = 1 / (wⱼ - wᵢ).

    LAPACK's eigenvectors have norm 1 and a real largest component; c preserves this.
    """
    w, v = results if len(results) == 2 else eig(operands[0])
    turned = solve(v, matmul(as_dtype(tangents[0], v.dtype), v))
    moved_parts = [diagonal(turned)]
    if call.compute_v and w.shape[-1] == 0:
        moved_parts.append(v)
    elif call.compute_v:
        one = eye(w, w.shape[-1])
        u = matmul(v, (1.0 / (one + as_row(w) - as_column(w)) - one) * turned)
        axis = v.rank - 2
        places = emit(OPS["iota"], (), {"shape": v.shape[-2:], "axis": 0}, graph=v.graph)
        largest = places == as_row(OPS["argmax"](OPS["abs"](v), axis=axis))
        along = -OPS["real"](conj(v) * u).sum(axes=axis)
        turn = -_chosen_part("imag", u, largest, axis) / _chosen_part("real", v, largest, axis)
        moved_parts.append(u + v * as_row(complex_(along, turn)))
    return Both((w, v) if call.compute_v else (w,), moved_parts)


def _chosen_part(part: str, x: Value, chosen: Value, axis: int) -> Value:
    """The real or imaginary part of the one chosen element of each column."""
    return OPS["where"](chosen, OPS[part](x), 0.0).sum(axes=axis)


# -- cases ------------------------------------------------------------------------------------------------------
def _spread(*dims: int, complex_numbers: bool = False) -> Array:
    """Hermitian test matrices with eigenvalues far apart."""
    random = np.random.default_rng(7)
    noise = random.normal(size=dims) + (1j * random.normal(size=dims) if complex_numbers else 0)
    return (noise + np.conj(np.swapaxes(noise, -1, -2))) / 4 + np.diag(3.0 * np.arange(dims[-1]))


def _eigen_cases(both: tuple[str, ...]) -> list[Case]:
    return [
        case(sample(4, 4, fixed=_spread(4, 4)), note="values and vectors", dtypes=both),
        case(sample(2, 3, 5, 5, fixed=_spread(2, 3, 5, 5)), note="odd: several in two axes", dtypes=("f32", "f64")),
        case(sample(3, 3, fixed=_spread(3, 3)), note="values alone", compute_v=False),
        case(sample(3, 3, dtype="c64", fixed=_spread(3, 3, complex_numbers=True)), note="complex: the phase of a vector is free"),
        case(sample(1, 1), note="one number"),
        case(sample(2, 0, 0), note="size 0"),
    ]


_define_eigen = partial(
    define_decomposition,
    operands="a",
    attrs={"compute_v": Attr("bool", True, "the vectors too; without, the values are the only result")},
    results=("values*",),
    compute_dtype=transformed_dtype,
    tolerance=rounding(1.0),
    vjp=by_transposed_jvp,
)

eigh = _define_eigen(
    "eigh",
    infer=_eigh_shapes,
    reference=lambda a, compute_v: in_double("eigh", _hermitian if compute_v else np.linalg.eigvalsh)(a),
    doc="""The eigenvalues of each Hermitian matrix in ascending order, and its eigenvectors as columns, as np.linalg.eigh.

    Of the matrix the lower triangle is read. Runs on the host, in NumPy's LAPACK.""",
    jvp=_eigh_jvp,
    saving=_eigh_saving,
    cases=lambda: _eigen_cases(("f32", "f64", "f16")),
)

eig = _define_eigen(
    "eig",
    infer=_eig_shapes,
    reference=_eig,
    doc="""The eigenvalues of each square matrix, and its eigenvectors as columns, as np.linalg.eig; both complex.

    They are in the order LAPACK finds them, each vector with norm 1 and a real largest component. Runs on the host, in NumPy's LAPACK.""",
    jvp=_eig_jvp,
    saving=_eig_saving,
    cases=lambda: [
        *_eigen_cases(("f32", "f64")),
        case(sample(2, 2, fixed=np.array([[0, 1], [-1, 0]])), note="odd: a turn, whose values are imaginary"),
    ],
)


# -- what is composed of singular values: `pinv`, `lstsq` and `matrix_rank` ------------------------------------------


_RTOL = Attr("float", None, "singular values below it times the largest count as 0; None: by sizes and rounding, as JAX")


def _limit(a: Value, rtol: float | None, factor: float) -> Any:
    """The relative cutoff of singular values: `factor` · max(m, n) · eps by default."""
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
    """The largest singular value, with its axis; 0 for an empty matrix."""
    if isinstance(s.shape[-1], int) and s.shape[-1] == 0:
        return s.sum(axes=(s.rank - 1,), keep_dim=True)
    return s.max(axes=(s.rank - 1,), keep_dim=True)


# -- pinv -------------------------------------------------------------------------------------------------------
def _pinv_shape(call: Call) -> Shape:
    a = check_matrix(call)
    return a.with_dims((*a.dims[:-2], a.dims[-1], a.dims[-2]))


def _pinv_parts(a: Value, rtol: float | None) -> Value:
    """The pseudoinverse v · diag(1 / s) · uᴴ; singular values below the cutoff give 0."""
    a = _numbers(a)
    u, s, vh = svd(a, full_matrices=False)
    counts = s > _largest(s) * _limit(a, rtol, 10.0)
    inverse = one("where", counts, 1.0 / one("where", counts, s, 1.0), 0.0)
    return matmul(adjoint(vh), as_dtype(as_column(inverse), a.dtype) * adjoint(u))


def _pinv_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> list[Maybe]:
    """The jvp of pinv, even for equal singular values: -p·da·p + p·pᴴ·daᴴ·(1 - a·p) + (1 - p·a)·daᴴ·pᴴ·p (Golub, Pereyra 1973)."""
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
    """The least-squares solution v · diag(1 / s) · uᴴ · b; singular values below the cutoff give 0."""
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
