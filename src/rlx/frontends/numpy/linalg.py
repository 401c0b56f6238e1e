"""`rlx.numpy.linalg`: factorizations are ops, looked up when they are called; the rest is made of them.

cholesky, qr, solve, det and inv run as kernels; eigh, eig, svd and what needs them call NumPy's LAPACK on the host, and so do qr, det
and slogdet of complex matrices.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, overload

import numpy as np

from rlx.core.dtype import DTypeLike, f32, i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_array, as_value, axes_of, emit, floating, promote_values
from rlx.frontends.numpy.contraction import cross as cross_along
from rlx.frontends.numpy.contraction import diagonal as diagonal_of
from rlx.frontends.numpy.contraction import matmul, tensordot, vecdot
from rlx.frontends.numpy.contraction import outer as outer_of
from rlx.frontends.numpy.contraction import trace as trace_of
from rlx.frontends.numpy.creation import eye
from rlx.frontends.numpy.elementwise import conj
from rlx.frontends.numpy.insertion import stack
from rlx.frontends.numpy.movement import broadcast_sizes, broadcast_to, matrix_transpose, moveaxis
from rlx.ir.array_methods import Array
from rlx.ir.value import Value, as_dtype
from rlx.runtime.array import ConcreteArray

__all__ = [
    "cholesky", "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "lstsq", "matmul", "matrix_norm",
    "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot", "norm", "outer", "pinv", "qr", "slogdet", "solve", "svd",
    "svdvals", "tensordot", "tensorinv", "tensorsolve", "trace", "vecdot", "vector_norm",
]  # fmt: skip

# -- norms of vectors and matrices -----------------------------------------------------------------------------------


Axis = int | Sequence[int] | None


def _reduce_axes(op: str, x: Value, axes: Sequence[int], keepdims: bool) -> Value:
    return emit(op, x, axes=tuple(axes), keep_dim=keepdims)


def _of_vectors(x: Value, order: Any, axes: Sequence[int], keepdims: bool) -> Value:
    if order in (None, 2):
        squares = emit("complex_norm_sq", x) if x.dtype.is_complex else x * x
        return emit("sqrt", _reduce_axes("reduce_sum", squares, axes, keepdims))
    size = emit("abs", x)
    if order == math.inf:
        return emit("max", _reduce_axes("reduce_max", size, axes, keepdims), 0.0)  # the norm of nothing is 0
    if order == -math.inf:
        return _reduce_axes("reduce_min", size, axes, keepdims)
    if order == 0:
        return _reduce_axes("reduce_sum", as_dtype(size != 0, size.dtype), axes, keepdims)
    if order == 1:
        return _reduce_axes("reduce_sum", size, axes, keepdims)
    if isinstance(order, str):
        raise RlxError("RLX109", f"the norm {order!r} of vectors", fix="a number, or inf")
    powers = _reduce_axes("reduce_sum", emit("pow", size, float(order)), axes, keepdims)
    return emit("pow", powers, 1.0 / order)


def _of_matrices(x: Value, order: Any, axes: Sequence[int], keepdims: bool) -> Value:
    row, column = axes
    if order in (None, "fro"):
        return _of_vectors(x, 2, axes, keepdims)
    if order in (1, -1, math.inf, -math.inf):
        along, across = (row, column) if order in (1, -1) else (column, row)
        sums = _reduce_axes("reduce_sum", emit("abs", x), (along,), True)
        norms = _reduce_axes("reduce_max" if order > 0 else "reduce_min", sums, (across,), True)
    elif order in ("nuc", 2, -2):
        last = moveaxis(x, (row, column), (-2, -1))
        (singular,) = _as_tuple(emit("svd", last, full_matrices=False, compute_uv=False))
        op = {"nuc": "reduce_sum", 2: "reduce_max", -2: "reduce_min"}[order]
        flat = _reduce_axes(op, singular, (singular.rank - 1,), False)
        kept = tuple(1 if i in axes else size for i, size in enumerate(x.shape))
        norms = flat.reshape(kept)
    else:
        raise RlxError("RLX109", f"the norm {order!r} of matrices", fix="'fro', 'nuc', 1, -1, 2, -2, inf or -inf")
    if keepdims:
        return norms
    return norms.reshape(tuple(size for i, size in enumerate(norms.shape) if i not in axes))


def _as_tuple(results: Any) -> tuple[Value, ...]:
    return results if isinstance(results, tuple) else (results,)


@array_function
def norm(x: ArrayLike, ord: Any = None, axis: Axis = None, keepdims: bool = False) -> Value:
    """The norm of vectors along one axis, of matrices along two; without an axis of all elements, or of the array as one of both."""
    value = floating(x)
    if axis is None and (ord is None or value.rank not in (1, 2)):
        if ord is not None:
            raise RlxError("RLX102", f"norm with ord={ord!r} of {value.type}", fix="one or two axes, or axis=")
        return _of_vectors(value, 2, range(value.rank), keepdims)
    axes = axes_of(axis, value.rank, "norm")
    if len(axes) not in (1, 2):
        raise RlxError("RLX104", f"norm along {len(axes)} axes", fix="one axis for vectors, two for matrices")
    return (_of_vectors if len(axes) == 1 else _of_matrices)(value, ord, axes, keepdims)


@array_function
def vector_norm(x: ArrayLike, /, *, axis: Axis = None, keepdims: bool = False, ord: Any = 2) -> Value:
    """The norm of vectors along axes, of all elements by default."""
    value = floating(as_value(x))
    return _of_vectors(value, ord, axes_of(axis, value.rank, "vector_norm"), keepdims)


@array_function
def matrix_norm(x: ArrayLike, /, *, keepdims: bool = False, ord: Any = "fro") -> Value:
    """The norm of matrices in the last two axes."""
    value = floating(as_value(x))
    return _of_matrices(value, ord, axes_of((-2, -1), value.rank, "matrix_norm"), keepdims)


# -- what is made of singular values above a tolerance: one number for all matrices, or an array with one for each ---


def _is_one_number(tolerance: ArrayLike | None) -> bool:
    return tolerance is None or isinstance(tolerance, (int, float))


def pinv(a: ArrayLike, /, rtol: ArrayLike | None = None, hermitian: bool = False, *, rcond: ArrayLike | None = None) -> Array:
    """The pseudo-inverse; singular values below rtol times the largest count as 0."""
    tolerance = rtol if rcond is None else rcond
    return _pinv(a, rtol=tolerance) if _is_one_number(tolerance) else _pinv_each(a, tolerance)


@array_function
def _pinv(a: ArrayLike, *, rtol: float | None) -> Value:
    return emit("pinv", floating(a), rtol=rtol)


@array_function
def _pinv_each(a: ArrayLike, rtol: ArrayLike) -> Array:
    value = floating(a)
    u, s, vh = emit("svd", value, full_matrices=False, compute_uv=True)
    counts = _above(s, as_value(rtol, value))
    inverse = emit("where", counts, 1.0 / emit("where", counts, s, 1.0), 0.0)
    column = as_dtype(inverse, value.dtype).reshape((*inverse.shape, 1))
    return matmul(matrix_transpose(conj(vh)), column * matrix_transpose(conj(u)))


def _above(singular: Value, rtol: Value) -> Value:
    """Mask of the singular values, in descending order, above the tolerance of their matrix times the largest."""
    limit = as_dtype(rtol, singular.dtype)
    return singular > singular[..., :1] * limit.reshape((*limit.shape, 1))


def matrix_rank(M: ArrayLike, /, rtol: ArrayLike | None = None, *, hermitian: bool = False, tol: float | None = None) -> Array:
    """How many singular values are above rtol times the largest, or above tol."""
    return _rank(M, rtol=rtol, tol=tol) if _is_one_number(rtol) else _rank_each(M, rtol)


@array_function
def _rank(M: ArrayLike, *, rtol: float | None, tol: float | None) -> Value:
    value = floating(M)
    if value.rank < 2:
        return as_dtype(emit("reduce_any", value != 0, axes=tuple(range(value.rank)), keep_dim=False), i32)
    if tol is None:
        return emit("matrix_rank", value, rtol=rtol)
    return _count_chosen(_singular_values(value) > tol)


@array_function
def _rank_each(M: ArrayLike, rtol: ArrayLike) -> Value:
    value = floating(M)
    return _count_chosen(_above(_singular_values(value), as_value(rtol, value)))


def _singular_values(x: Value) -> Value:
    factors: tuple[Value, ...] = emit("svd", x, full_matrices=False, compute_uv=False)
    return factors[0]


def _count_chosen(chosen: Value) -> Value:
    return emit("reduce_sum", as_dtype(chosen, i32), axes=(chosen.rank - 1,), keep_dim=False)


# -- the Cholesky factor of complex matrices by real ones ------------------------------------------------------------
#
# Each element a + bi becomes the block [[a, -b], [b, a]]. Sums, products and adjoints of such matrices are those of the complex ones,
# and triangles with a real, positive diagonal stay triangles with a positive diagonal. The factor with one is unique: it is the same on
# both sides, and the complex one is read from the blocks.


def _as_blocks(x: Value) -> Array:
    """Converts complex `[…, m, n]` to real blocks `[…, 2m, 2n]`."""
    re, im = emit("real", x), emit("imag", x)
    rows = stack([stack([re, -im], axis=-1), stack([im, re], axis=-1)], axis=-3)  # […, m, 2, n, 2]
    *batch, m, n = x.shape
    return rows.reshape((*batch, 2 * m, 2 * n))


def _from_blocks(x: Value) -> Value:
    """Reads the complex matrix from its real blocks: their first columns."""
    return emit("complex", x[..., ::2, ::2], x[..., 1::2, ::2])


def cholesky_of_complex(a: Value) -> Value:
    """The lower Cholesky factor of Hermitian matrices."""
    return _from_blocks(emit("cholesky", _as_blocks(a), upper=False))


class EigResult(NamedTuple):
    """Eigenvalues, and eigenvectors as columns."""

    eigenvalues: Array
    eigenvectors: Array


class EighResult(NamedTuple):
    """Eigenvalues in ascending order, and eigenvectors as columns."""

    eigenvalues: Array
    eigenvectors: Array


class QRResult(NamedTuple):
    """Orthonormal columns and an upper triangle."""

    Q: Array
    R: Array


class SlogdetResult(NamedTuple):
    """The sign of a determinant and the logarithm of its size."""

    sign: Array
    logabsdet: Array


class SVDResult(NamedTuple):
    """Singular values S, descending, between U and Vh."""

    U: Array
    S: Array
    Vh: Array


def _matrices(x: Any, what: str, square: bool = False) -> Value:

    value = floating(x)
    if value.rank < 2 or (square and value.shape[-1] != value.shape[-2]):
        fix = "square matrices in the last two axes" if square else "matrices in the last two axes"
        raise RlxError("RLX102", f"{what} of {value.type}", fix=fix)
    return value


def _adjoint(x: Value) -> Array:

    turned = matrix_transpose(x)
    return emit("conjugate", turned) if x.dtype.is_complex else turned


def _hermitian(x: Value, symmetrize: bool, upper: bool = False) -> Array:
    """Symmetrizes: the mean with its adjoint, as JAX takes it; else the matrix of which one triangle is read."""
    if symmetrize:
        return (x + _adjoint(x)) * 0.5
    return _adjoint(x) if upper else x


# -- factorizations -------------------------------------------------------------------------------------------------
@array_function
def cholesky(a: ArrayLike, /, *, upper: bool = False, symmetrize_input: bool = True) -> Array:
    """The lower triangle l with l @ lᴴ = a, or the upper one with uᴴ @ u = a, of positive definite matrices."""
    value = as_value(_hermitian(_matrices(a, "cholesky", square=True), symmetrize_input, upper))
    lower = cholesky_of_complex(value) if value.dtype.is_complex else emit("cholesky", value, upper=False)
    return _adjoint(lower) if upper else lower


@overload
def qr(a: ArrayLike, /, mode: Literal["reduced", "complete"] = "reduced") -> QRResult: ...
@overload
def qr(a: ArrayLike, /, mode: Literal["r"]) -> Array: ...
@overload
def qr(a: ArrayLike, /, mode: str) -> Any: ...
def qr(a: ArrayLike, /, mode: str = "reduced") -> Any:
    """(q, r) with orthonormal columns q and upper triangular r; mode 'reduced', 'complete' or 'r'."""
    if mode not in ("reduced", "complete", "r"):
        raise RlxError("RLX109", f"qr with mode={mode!r}", fix="'reduced', 'complete' or 'r'")
    q, r = _qr(a, mode="reduced" if mode == "r" else mode)
    return r if mode == "r" else QRResult(q, r)


@array_function
def _qr(a: ArrayLike, mode: str) -> tuple[Value, Value]:
    value = _matrices(a, "qr")
    return emit("complex_qr" if value.dtype.is_complex else "qr", value, mode=mode)


def eigh(a: ArrayLike, /, UPLO: str | None = None, symmetrize_input: bool = True) -> EighResult:
    """(eigenvalues, eigenvectors) of Hermitian matrices, values in ascending order."""
    return EighResult(*_eigh(a, upper=_is_upper(UPLO), symmetrize=symmetrize_input))


def _is_upper(UPLO: str | None) -> bool:

    if UPLO not in (None, "L", "U"):
        raise RlxError("RLX109", f"UPLO={UPLO!r}", fix="'L' or 'U'")
    return UPLO == "U"


@array_function
def _eigh(a: ArrayLike, upper: bool, symmetrize: bool) -> tuple[Value, Value]:

    value = _hermitian(_matrices(a, "eigh", square=True), symmetrize, upper)
    return emit("eigh", value)


@array_function
def eigvalsh(a: ArrayLike, /, UPLO: str | None = "L", *, symmetrize_input: bool = True) -> Value:
    """The eigenvalues of Hermitian matrices in ascending order."""
    return _eigh(a, upper=_is_upper(UPLO), symmetrize=symmetrize_input)[0]


def eig(a: ArrayLike, /) -> EigResult:
    """(eigenvalues, eigenvectors), both complex, of square matrices."""
    return EigResult(*_eig(a))


@array_function
def _eig(a: ArrayLike) -> tuple[Value, Value]:

    return emit("eig", _matrices(a, "eig", square=True))


@array_function
def eigvals(a: ArrayLike, /) -> Value:
    """The eigenvalues, complex, of square matrices."""
    return _eig(a)[0]


@overload
def svd(a: ArrayLike, /, full_matrices: bool = True, compute_uv: Literal[True] = True, hermitian: bool = False) -> SVDResult: ...
@overload
def svd(a: ArrayLike, /, full_matrices: bool = True, *, compute_uv: Literal[False], hermitian: bool = False) -> Array: ...
@overload
def svd(a: ArrayLike, /, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any: ...
def svd(a: ArrayLike, /, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """(u, s, vh) with a = u · diag(s) · vh and s descending; s alone without `compute_uv`."""
    return SVDResult(*_svd(a, full_matrices=full_matrices)) if compute_uv else svdvals(a)


@array_function
def _svd(a: ArrayLike, full_matrices: bool) -> tuple[Value, ...]:

    return emit("svd", _matrices(a, "svd"), full_matrices=full_matrices)


@array_function
def svdvals(x: ArrayLike, /) -> Value:
    """The singular values, descending."""
    factors = emit("svd", _matrices(x, "svdvals"), full_matrices=False, compute_uv=False)
    return factors[0] if isinstance(factors, tuple) else factors


# -- systems of equations -------------------------------------------------------------------------------------------
@array_function
def solve(a: ArrayLike, b: ArrayLike, /) -> Value:
    """x with a @ x = b for square matrices; b has one axis for a vector, else columns in the last two."""
    left, right = promote_values(a, b, least=f32)
    left = _matrices(left, "solve", square=True)
    if right.rank == 0:
        raise RlxError("RLX102", f"solve with {right.type}", fix="a vector, or columns")
    if right.rank > 1:
        return _solve_columns(left, right)
    return _solve_columns(left, right.reshape((*right.shape, 1))).reshape((*left.shape[:-2], *right.shape))


def _solve_columns(a: Value, b: Value) -> Value:
    """Solves for columns b; stacks of matrices are broadcast."""
    batch = broadcast_sizes(a.shape[:-2], b.shape[:-2])
    if not batch:
        return emit("dense_solve", a, b)
    return emit("batched_dense_solve", broadcast_to(a, (*batch, *a.shape[-2:])), broadcast_to(b, (*batch, *b.shape[-2:])))


def _identity(x: Value) -> Value:

    size = x.shape[-1]
    one = as_dtype(as_value(eye(size), x), x.dtype)
    return as_value(broadcast_to(one, x.shape))


@array_function
def inv(a: ArrayLike, /) -> Value:
    """The inverse of square matrices."""
    value = _matrices(a, "inv", square=True)
    return _solve_columns(value, _identity(value))


def lstsq(a: ArrayLike, b: ArrayLike, /, rcond: float | None = None, *, numpy_resid: bool = False) -> tuple[Array, ...]:
    """(x, residuals, rank, singular values) with the smallest |a @ x - b|; NumPy has no residuals where x is not the only one."""
    solution: tuple[Any, ...] = _lstsq(a, b, rcond=rcond)
    x, residuals, rank, singular = solution
    if numpy_resid:
        if isinstance(rank, Value):
            raise RlxError("RLX202", "whether there are residuals is known only in a run", fix="numpy_resid=False")
        rows, columns = as_array(a).shape
        if int(rank) < columns or rows <= columns:
            residuals = ConcreteArray(np.zeros(0, residuals.dtype))
    return x, residuals, rank, singular


@array_function
def _lstsq(a: ArrayLike, b: ArrayLike, rcond: float | None) -> tuple[Value, ...]:

    return emit("lstsq", *promote_values(a, b, least=f32), rcond=rcond)


# -- determinants ---------------------------------------------------------------------------------------------------
def _last_diagonal(x: Value) -> Value:

    return as_value(diagonal_of(x, 0, x.rank - 2, x.rank - 1))


def _turns(pivots: Value, like: Value) -> Value:
    """The sign of the row exchanges: 1 if their number is even, else -1."""
    rows = emit("iota", shape=pivots.shape, axis=pivots.rank - 1, dtype=i32, graph=pivots.graph)
    count = emit("reduce_sum", as_dtype(pivots != rows, i32), axes=(pivots.rank - 1,), keep_dim=False)
    return as_dtype(1 - 2 * emit("mod", count, 2), like.dtype)


@array_function
def det(a: ArrayLike, /) -> Value:
    """The determinant of square matrices."""
    value = _matrices(a, "det", square=True)
    size = value.shape[-1]
    if isinstance(size, int) and size <= 3:
        return _small_determinant(value, size)
    if value.dtype.is_complex:
        sign, log_size = emit("complex_slogdet", value)
        return sign * as_dtype(emit("exp", log_size), value.dtype)
    factors, pivots, _ = emit("lu", value)
    own = _last_diagonal(factors)
    return emit("reduce_prod", own, axes=(own.rank - 1,), keep_dim=False) * _turns(pivots, own)


def _small_determinant(x: Value, size: int) -> Value:
    """Determinant of a small matrix by its formula, which has derivatives at singular matrices too."""
    if size == 0:
        return emit("reduce_prod", x, axes=(x.rank - 2, x.rank - 1), keep_dim=False)
    m = [[x[..., i, j] for j in range(size)] for i in range(size)]
    if size == 1:
        return m[0][0]
    if size == 2:
        return m[0][0] * m[1][1] - m[0][1] * m[1][0]
    return (
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
        - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    )


def slogdet(a: ArrayLike, /, *, method: str | None = None) -> SlogdetResult:
    """(sign, log of the size) of the determinant of square matrices."""
    return SlogdetResult(*_slogdet(a))


@array_function
def _slogdet(a: ArrayLike) -> tuple[Value, Value]:

    value = _matrices(a, "slogdet", square=True)
    if value.dtype.is_complex:
        return emit("complex_slogdet", value)
    factors, pivots, _ = emit("lu", value)
    own = _last_diagonal(factors)
    sizes = emit("abs", own)
    sign = emit("reduce_prod", emit("sign", own), axes=(own.rank - 1,), keep_dim=False) * _turns(pivots, own)
    return sign, emit("reduce_sum", emit("log", sizes), axes=(own.rank - 1,), keep_dim=False)


@array_function
def cond(x: ArrayLike, /, p: Any = None) -> Array:
    """The condition number: the norm times the norm of the inverse; by default the largest over the smallest singular value."""
    value = _matrices(x, "cond")
    if p in (None, 2, -2):
        singular = svdvals(value)
        high, low = singular[..., 0], singular[..., -1]
        return low / high if p == -2 else high / low
    return matrix_norm(value, ord=p) * matrix_norm(inv(value), ord=p)


# -- products -------------------------------------------------------------------------------------------------------
@array_function
def matrix_power(a: ArrayLike, n: int, /) -> Array:
    """A square matrix times itself, n times; of the inverse for negative n."""
    value = _matrices(a, "matrix_power", square=True) if n < 0 else as_value(a)
    base = inv(value) if n < 0 else value
    left, power = abs(n), None
    while left:
        if left & 1:
            power = base if power is None else matmul(power, base)
        left >>= 1
        base = matmul(base, base) if left else base
    return _identity(value) if power is None else power


# -- tensors --------------------------------------------------------------------------------------------------------
@array_function
def tensorinv(a: ArrayLike, ind: int = 2) -> Array:
    """The inverse of what `tensordot(a, x, ind)` does; the first `ind` axes have as many elements as the others."""
    value = floating(a)
    if ind <= 0:
        raise RlxError("RLX105", f"tensorinv with ind={ind}", fix="1 or more")
    first, others = value.shape[:ind], value.shape[ind:]
    flat = value.reshape((math.prod(first), math.prod(others)))
    return inv(flat).reshape((*others, *first))


@array_function
def tensorsolve(a: ArrayLike, b: ArrayLike, axes: Sequence[int] | None = None) -> Value:
    """x with tensordot(a, x, x.ndim) = b; `axes` of a are moved behind the others first."""
    left, right = promote_values(a, b, least=f32)
    if axes is not None:
        left = as_value(moveaxis(left, tuple(axes), tuple(range(left.rank - len(axes), left.rank))))
    shape = left.shape[right.rank :]
    count = math.prod(shape)
    return _solve_columns(left.reshape((-1, count)), right.reshape((-1, 1))).reshape(shape)


# -- products of matrices and vectors as `rlx.numpy.linalg` has them: of the last two axes ---------------------------


@array_function
def multi_dot(arrays: Sequence[ArrayLike], *, precision: Any = None) -> Array:
    """The product of several matrices, in the order that takes the fewest multiplications; the ends may be vectors."""
    values = promote_values(*arrays)
    if len(values) < 2:
        raise RlxError("RLX109", f"multi_dot of {len(values)} arrays", fix="at least two")
    first, last = values[0].rank == 1, values[-1].rank == 1
    if first:
        values[0] = values[0].reshape((1, values[0].shape[0]))
    if last:
        values[-1] = values[-1].reshape((values[-1].shape[0], 1))
    product = _multiply_chain(values, _best_order([value.shape for value in values]), 0, len(values) - 1)
    kept = (() if first else (product.shape[0],)) + (() if last else (product.shape[1],))
    return product.reshape(kept) if first or last else product


def _best_order(shapes: Sequence[Sequence[Any]]) -> dict[tuple[int, int], int]:
    """The cheapest split of each run of a matrix chain."""
    sizes = [shape[0] for shape in shapes] + [shapes[-1][1]]
    plain = [size if isinstance(size, int) else 128 for size in sizes]
    count = len(shapes)
    cost = {(i, i): 0 for i in range(count)}
    split: dict[tuple[int, int], int] = {}
    for length in range(2, count + 1):
        for i in range(count - length + 1):
            j = i + length - 1
            options = [(cost[i, k] + cost[k + 1, j] + plain[i] * plain[k + 1] * plain[j + 1], k) for k in range(i, j)]
            cost[i, j], split[i, j] = min(options)
    return split


def _multiply_chain(values: Sequence[Value], split: dict[tuple[int, int], int], i: int, j: int) -> Array:
    if i == j:
        return values[i]
    k = split[i, j]
    return matmul(_multiply_chain(values, split, i, k), _multiply_chain(values, split, k + 1, j))


@array_function
def outer(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """All products of two vectors."""
    x, y = promote_values(x1, x2)
    if x.rank != 1 or y.rank != 1:
        raise RlxError("RLX102", f"outer of {x.type} and {y.type}", fix="two vectors; rlx.numpy.outer flattens")
    return outer_of(x, y)


@array_function
def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> Array:
    """The cross product of vectors of three elements along an axis."""
    return cross_along(x1, x2, axis=axis)


@array_function
def diagonal(x: ArrayLike, /, *, offset: int = 0) -> Array:
    """The diagonal of matrices in the last two axes."""
    value = as_value(x)
    return diagonal_of(value, offset, value.rank - 2, value.rank - 1)


@array_function
def trace(x: ArrayLike, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Array:
    """The sum of the diagonal of matrices in the last two axes."""
    value = as_value(x)
    return trace_of(value, offset, value.rank - 2, value.rank - 1, dtype)
