"""What is made of singular values above a tolerance: one number for all matrices, or an array with one for each."""

from __future__ import annotations

from rlx.core.dtype import i32
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.contraction import matmul
from rlx.frontends.numpy.elementwise import conj
from rlx.frontends.numpy.movement import matrix_transpose
from rlx.frontends.numpy.values import emit, floating
from rlx.ir.array_methods import Array
from rlx.ir.value import Value, as_dtype


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
    """v · diag(1 / s) · uᴴ, 0 for the singular values that count as 0."""
    value = floating(a)
    u, s, vh = emit("svd", value, full_matrices=False, compute_uv=True)
    counts = _above(s, as_value(rtol, value))
    inverse = emit("where", counts, 1.0 / emit("where", counts, s, 1.0), 0.0)
    column = as_dtype(inverse, value.dtype).reshape((*inverse.shape, 1))
    return matmul(matrix_transpose(conj(vh)), column * matrix_transpose(conj(u)))


def _above(singular: Value, rtol: Value) -> Value:
    """Which singular values, in descending order, are above the tolerance of their matrix times the largest."""
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
    return _counted(_singular_values(value) > tol)


@array_function
def _rank_each(M: ArrayLike, rtol: ArrayLike) -> Value:
    value = floating(M)
    return _counted(_above(_singular_values(value), as_value(rtol, value)))


def _singular_values(x: Value) -> Value:
    found: tuple[Value, ...] = emit("svd", x, full_matrices=False, compute_uv=False)
    return found[0]


def _counted(chosen: Value) -> Value:
    return emit("reduce_sum", as_dtype(chosen, i32), axes=(chosen.rank - 1,), keep_dim=False)
