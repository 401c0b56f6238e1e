"""`jax.scipy.linalg`: factorizations and systems with SciPy's arguments, matrix functions, and matrices of a known structure.

SciPy's arguments that only save memory or checks (`overwrite_a`, `check_finite`, …) change nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np

from rlx.core.dtype import DTypeLike, f32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value, emit, floating, promote_values
from rlx.frontends.numpy import linalg
from rlx.frontends.numpy.contraction import matmul
from rlx.frontends.numpy.creation import asarray, triu
from rlx.frontends.numpy.indexing import getitem
from rlx.frontends.numpy.insertion import concatenate
from rlx.frontends.numpy.movement import broadcast_sizes, broadcast_to, matrix_transpose
from rlx.frontends.numpy.padding import pad
from rlx.ir.array_methods import Array
from rlx.ir.value import Value, as_dtype

__all__ = [
    "block_diag", "cho_factor", "cho_solve", "cholesky", "circulant", "companion", "det", "dft", "eigh", "expm", "hadamard",
    "hankel", "hilbert", "inv", "lu", "lu_factor", "lu_solve", "polar", "qr", "solve", "solve_triangular", "svd", "toeplitz",
]  # fmt: skip

Trans = Literal[0, 1, 2, "N", "T", "C"]


# -- systems of equations -------------------------------------------------------------------------------------------
def _columns(a: Value, b: Value) -> tuple[Value, Value, bool]:
    """Broadcasts matrices and columns to the same batch axes; returns also whether b was a vector."""
    vector = b.rank == 1
    columns = b.reshape((*b.shape, 1)) if vector else b
    batch = broadcast_sizes(a.shape[:-2], columns.shape[:-2])
    wide = (broadcast_to(x, (*batch, *x.shape[-2:])) for x in (a, columns))
    return as_value(next(wide)), as_value(next(wide)), vector


def _triangular(a: Value, b: Value, trans: Trans, lower: bool, unit_diagonal: bool = False) -> Value:
    transposed = {0: 0, 1: 1, 2: 2, "N": 0, "T": 1, "C": 2}.get(trans)
    if transposed is None:
        raise RlxError("RLX109", f"solve_triangular with trans={trans!r}", fix="0, 1, 2, 'N', 'T' or 'C'")
    a, b, vector = _columns(a, b)
    if transposed == 2 and a.dtype.is_complex:
        a = emit("conjugate", a)
    solution: Value = emit("triangular_solve", a, b, lower=lower, transpose=bool(transposed), unit_diagonal=unit_diagonal)
    return solution[..., 0] if vector else solution


@array_function
def solve_triangular(
    a: ArrayLike,
    b: ArrayLike,
    trans: Trans = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    debug: Any = None,
    check_finite: bool = True,
) -> Value:
    """x with a @ x = b for a triangular a, of which the other triangle is not read; `trans=1` solves aᵀ @ x = b."""
    matrix, columns = promote_values(floating(a), b)
    return _triangular(matrix, columns, trans, lower, unit_diagonal)


@array_function
def solve(
    a: ArrayLike,
    b: ArrayLike,
    lower: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    debug: bool = False,
    check_finite: bool = True,
    assume_a: str = "gen",
) -> Array:
    """x with a @ x = b; `assume_a='pos'` says that a is positive definite, and reads one triangle of it."""
    left, right = promote_values(floating(a), b)
    if assume_a not in ("gen", "sym", "her", "pos"):
        raise RlxError("RLX109", f"solve with assume_a={assume_a!r}", fix="'gen', 'sym', 'her' or 'pos'")
    if assume_a != "pos":
        return linalg.solve(left, right)
    return _cho_solve(as_value(_cholesky(left, lower)), right, lower)


def _adjoint(x: Value) -> Array:
    turned = matrix_transpose(x)
    return emit("conjugate", turned) if x.dtype.is_complex else turned


def _cholesky(a: Value, lower: bool) -> Array:
    """The Cholesky factor of the matrix that one triangle of a describes."""
    return linalg.cholesky(a if lower else _adjoint(a), upper=not lower, symmetrize_input=False)


@array_function
def cholesky(a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """The upper triangle u with uᴴ @ u = a, or with `lower` the lower one with l @ lᴴ = a."""
    return linalg.cholesky(floating(a), upper=not lower)


def cho_factor(a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Array, bool]:
    """(factor, lower) of a positive definite matrix, for `cho_solve`."""
    return cholesky(a, lower=lower), lower


def cho_solve(c_and_lower: tuple[ArrayLike, bool], b: ArrayLike, overwrite_b: bool = False, check_finite: bool = True) -> Array:
    """x with a @ x = b from what `cho_factor(a)` gave.

    >>> import rlx.numpy as rnp
    >>> from rlx.scipy.linalg import cho_factor, cho_solve
    >>> cho_solve(cho_factor(rnp.asarray([[4.0, 0.0], [0.0, 2.0]])), rnp.asarray([8.0, 2.0]))
    Array([2., 1.], dtype=float32)
    """
    factor, lower = c_and_lower
    return _solve_by_cholesky(factor, b, lower=bool(lower))


@array_function
def _solve_by_cholesky(factor: ArrayLike, b: ArrayLike, lower: bool) -> Value:
    triangle, columns = promote_values(floating(factor), b)
    return _cho_solve(triangle, columns, lower)


def _cho_solve(factor: Value, b: Value, lower: bool) -> Value:
    between = _triangular(factor, b, 0 if lower else 2, lower)
    return _triangular(factor, between, 2 if lower else 0, lower)


@array_function
def inv(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """The inverse, by `rlx.numpy.linalg.inv`."""
    return linalg.inv(floating(a))


@array_function
def det(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """The determinant, by `rlx.numpy.linalg.det`."""
    return linalg.det(floating(a))


# -- factorizations -------------------------------------------------------------------------------------------------
def _packed_lu(a: Any) -> tuple[Value, Value, Value]:
    value = floating(a)
    if value.dtype.is_complex:
        raise RlxError("RLX103", f"lu of {value.type}", fix="real matrices; rlx.numpy.linalg.solve takes complex ones")
    return emit("lu", value)


@array_function
def lu_factor(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Array, Array]:
    """(both factors in one matrix, the row each row changed places with), for `lu_solve`; a is square."""
    return _packed_lu(a)[:2]


def lu_solve(
    lu_and_piv: tuple[ArrayLike, ArrayLike], b: ArrayLike, trans: int = 0, overwrite_b: bool = False, check_finite: bool = True
) -> Array:
    """x with a @ x = b from what `lu_factor(a)` gave; `trans=1` solves aᵀ @ x = b."""
    return _solve_by_lu(*lu_and_piv, b, trans=trans)


@array_function
def _solve_by_lu(factors: ArrayLike, pivots: ArrayLike, b: ArrayLike, trans: int) -> Value:
    factors, b = promote_values(floating(factors), b)
    if factors.rank != 2:
        raise RlxError("RLX102", f"lu_solve of {factors.type}", fix="one matrix; rlx.vmap for several")
    order = range(factors.shape[-1])
    if trans == 0:
        b = _exchange_rows(b, pivots, order)
        between = _triangular(factors, b, 0, lower=True, unit_diagonal=True)
        return _triangular(factors, between, 0, lower=False)
    between = _triangular(factors, b, trans, lower=False)  # type: ignore[arg-type]
    solution = _triangular(factors, between, trans, lower=True, unit_diagonal=True)  # type: ignore[arg-type]
    return _exchange_rows(solution, pivots, reversed(order))


def _exchange_rows(b: Value, pivots: Any, order: Any) -> Value:
    """Exchanges rows of b as the factorization did, in an order of steps."""
    rows = emit("iota", shape=(b.shape[0],), axis=0, dtype=pivots.dtype, graph=b.graph)
    permutation = rows
    for step in order:
        here, there = permutation[step], getitem(permutation, pivots[step])
        permutation = emit("where", rows == step, there, emit("where", rows == pivots[step], here, permutation))
    return getitem(b, permutation)


def lu(a: ArrayLike, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Array, ...]:
    """(p, l, u) with p @ l @ u = a; with `permute_l` (p @ l, u). a is square.

    >>> import rlx.numpy as rnp
    >>> from rlx.scipy.linalg import lu
    >>> p, l, u = lu(rnp.asarray([[1.0, 2.0], [4.0, 2.0]]))
    >>> p @ l @ u
    Array([[1., 2.],
           [4., 2.]], dtype=float32)
    """
    permutation, lower, upper = _lu(a)
    return (matmul(permutation, lower), upper) if permute_l else (permutation, lower, upper)


@array_function
def _lu(a: ArrayLike) -> tuple[Value, Value, Value]:
    factors, _, order = _packed_lu(a)
    rows, columns = (
        emit("iota", shape=factors.shape, axis=axis, dtype=order.dtype, graph=order.graph)
        for axis in (factors.rank - 2, factors.rank - 1)
    )
    lower = emit("where", rows > columns, factors, as_dtype(rows == columns, factors.dtype))
    permutation = as_dtype(order.reshape((*order.shape[:-1], 1, order.shape[-1])) == rows, factors.dtype)
    return permutation, lower, as_value(triu(factors))


@overload
def eigh(a: ArrayLike, b: None = ..., lower: bool = ..., eigvals_only: Literal[False] = ...) -> tuple[Array, Array]: ...
@overload
def eigh(a: ArrayLike, b: None = ..., lower: bool = ..., *, eigvals_only: Literal[True]) -> Array: ...
def eigh(a: ArrayLike, b: Any = None, lower: bool = True, eigvals_only: bool = False, **options: Any) -> Any:
    """(eigenvalues in ascending order, eigenvectors) of Hermitian matrices, of which one triangle is read.

    >>> from rlx.scipy.linalg import eigh
    >>> import rlx.numpy as rnp
    >>> eigh(rnp.asarray([[2.0, 0.0], [0.0, 1.0]]), eigvals_only=True)
    Array([1., 2.], dtype=float32)
    """
    if b is not None or options.keys() - {"overwrite_a", "overwrite_b", "turbo", "check_finite"}:
        raise RlxError("RLX109", f"eigh with {'b' if b is not None else ', '.join(options)}", fix="eigh(a, lower=…)")
    pairs = linalg.eigh(a, UPLO="L" if lower else "U", symmetrize_input=False)
    return pairs.eigenvalues if eigvals_only else tuple(pairs)


def qr(
    a: ArrayLike, overwrite_a: bool = False, lwork: Any = None, mode: str = "full", pivoting: bool = False, **_: Any
) -> tuple[Array, ...]:
    """(q, r) with orthonormal columns q and upper triangular r; mode 'full', 'economic', or 'r' for (r,)."""
    modes = {"full": "complete", "economic": "reduced", "r": "r"}
    if mode not in modes or pivoting:
        raise RlxError("RLX109", f"qr with mode={mode!r}, pivoting={pivoting}", fix="'full', 'economic' or 'r'")
    q, r = linalg.qr(a, mode="complete" if mode == "r" else modes[mode])
    return (r,) if mode == "r" else (q, r)


@overload
def svd(a: ArrayLike, full_matrices: bool = True, compute_uv: Literal[True] = True, **_: Any) -> tuple[Array, Array, Array]: ...
@overload
def svd(a: ArrayLike, full_matrices: bool = True, *, compute_uv: Literal[False], **_: Any) -> Array: ...
def svd(a: ArrayLike, full_matrices: bool = True, compute_uv: bool = True, **_: Any) -> Any:
    """The singular values and vectors, by `rlx.numpy.linalg.svd`: (u, s, vh), or s alone without `compute_uv`."""
    factors = linalg.svd(a, full_matrices=full_matrices, compute_uv=compute_uv)
    return tuple(factors) if compute_uv else factors


def polar(a: ArrayLike, side: str = "right", **_: Any) -> tuple[Array, Array]:
    """(u, p) with a = u @ p, u with orthonormal columns and p positive semidefinite; p @ u with side 'left'."""
    if side not in ("left", "right"):
        raise RlxError("RLX109", f"polar with side={side!r}", fix="'left' or 'right'")
    return _polar(a, left=side == "left")


@array_function
def _polar(a: ArrayLike, left: bool) -> tuple[Array, Array]:
    value = floating(a)
    factors: Any = linalg.svd(value, full_matrices=False)
    u, s, vh = factors
    side = u if left else as_value(_adjoint(vh))
    scaled = side * as_dtype(s, side.dtype).reshape((*s.shape[:-1], 1, s.shape[-1]))
    return matmul(u, vh), matmul(scaled, _adjoint(side))


# -- matrix functions -----------------------------------------------------------------------------------------------
_PADE = (
    64764752532480000,
    32382376266240000,
    7771770303897600,
    1187353796428800,
    129060195264000,
    10559470521600,
    670442572800,
    33522128640,
    1323241920,
    40840800,
    960960,
    16380,
    182,
    1,
)
_PADE_LIMIT = 5.37


@array_function
def expm(A: ArrayLike, *, upper_triangular: bool = False, max_squarings: int = 16) -> Value:
    """The matrix exponential, by Padé's approximant of degree 13 and squaring; NaN where more squarings are needed."""
    value = floating(A)
    if value.rank < 2 or value.shape[-1] != value.shape[-2]:
        raise RlxError("RLX102", f"expm of {value.type}", fix="square matrices in the last two axes")
    sums = emit("reduce_sum", emit("abs", value), axes=(value.rank - 2,), keep_dim=True)
    norm = emit("stop_gradient", emit("reduce_max", sums, axes=(value.rank - 1,), keep_dim=True))
    count = emit("max", emit("ceil", emit("log2", norm / _PADE_LIMIT)), 0.0)
    scaled = value * as_dtype(emit("exp2", -emit("min", count, float(max_squarings))), value.dtype)
    power = _pade(scaled)
    for index in range(max_squarings):
        power = emit("where", count > float(index), matmul(power, power), power)
    return emit("where", count > float(max_squarings), math.nan, power)


def _pade(a: Value) -> Array:
    """The Padé approximant of `expm`, its numbers scaled so that the first is 1."""
    b = [number / _PADE[0] for number in _PADE]
    identity = as_dtype(as_value(broadcast_to(_is_diagonal(a), a.shape)), a.dtype)
    a2 = matmul(a, a)
    a4 = matmul(a2, a2)
    a6 = matmul(a2, a4)
    odd = matmul(a6, b[13] * a6 + b[11] * a4 + b[9] * a2) + b[7] * a6 + b[5] * a4 + b[3] * a2 + b[1] * identity
    even = matmul(a6, b[12] * a6 + b[10] * a4 + b[8] * a2) + b[6] * a6 + b[4] * a4 + b[2] * a2 + b[0] * identity
    upper = matmul(a, odd)
    return linalg.solve(even - upper, even + upper)


def _is_diagonal(a: Value) -> Value:
    """Mask of the diagonal of a square matrix."""
    rows, columns = (emit("iota", shape=a.shape[-2:], axis=axis, dtype=f32, graph=a.graph) for axis in (0, 1))
    return rows == columns


# -- matrices of a known structure ----------------------------------------------------------------------------------
def block_diag(*arrs: ArrayLike) -> Array:
    """Matrices along the diagonal of one, zeros elsewhere.

    >>> import rlx.numpy as rnp
    >>> from rlx.scipy.linalg import block_diag
    >>> block_diag(rnp.asarray([[1.0]]), rnp.asarray([[2.0, 3.0]]))
    Array([[1., 0., 0.],
           [0., 2., 3.]], dtype=float32)
    """
    return _block_diagonal(list(arrs) or [asarray(np.zeros((1, 0), np.float32))])


@array_function
def _block_diagonal(blocks: Sequence[ArrayLike]) -> Array:
    values = promote_values(*blocks)
    if any(value.rank > 2 for value in values):
        raise RlxError("RLX102", "block_diag of arrays with more than two axes", fix="numbers, vectors or matrices")
    values = [value.reshape((1,) * (2 - value.rank) + tuple(value.shape)) for value in values]
    width, rows = sum(value.shape[1] for value in values), []
    left: Any = 0
    for value in values:
        rows.append(pad(value, ((0, 0), (left, width - left - value.shape[1]))))
        left += value.shape[1]
    return concatenate(rows, axis=0)


def _length(x: Value) -> int:
    """The size of the last axis, which is part of the program."""
    size = x.shape[-1]
    if not isinstance(size, int):
        fix = "a fixed size: jit with dims= that names no symbol there"
        raise RlxError("RLX105", f"a matrix made of {x.type}, whose size is known only in a run", fix=fix)
    return size


def _by_index(values: Value, index: Any) -> Value:
    return getitem(values, (..., np.asarray(index, np.int32)))


def toeplitz(c: ArrayLike, r: ArrayLike | None = None) -> Array:
    """The matrix with first column c and first row r (c's conjugate by default), constant along its diagonals."""
    return _toeplitz(c, r)


@array_function
def _toeplitz(c: ArrayLike, r: ArrayLike | None) -> Value:
    c, r = promote_values(c, c if r is None else r)
    r = emit("conjugate", r) if c.dtype.is_complex and r is c else r
    c, r = (x.reshape((1,)) if x.rank == 0 else x for x in (c, r))
    rows, columns = _length(c), _length(r)
    both = as_value(concatenate([c, r[..., 1:]], axis=-1))
    offset = np.arange(rows)[:, None] - np.arange(columns)
    return _by_index(both, np.where(offset >= 0, offset, rows - 1 - offset))


def hankel(c: ArrayLike, r: ArrayLike | None = None) -> Array:
    """The matrix with first column c and last row r (zeros by default), constant along its other diagonals."""
    return _hankel(c, r)


@array_function
def _hankel(c: ArrayLike, r: ArrayLike | None) -> Value:
    c, r = promote_values(c, c if r is None else r) if r is not None else (promote_values(c)[0], promote_values(c)[0] * 0)
    both = as_value(concatenate([c, r[..., 1:]], axis=-1))
    return _by_index(both, np.arange(_length(c))[:, None] + np.arange(_length(r)))


@array_function
def circulant(c: ArrayLike) -> Value:
    """The matrix with first column c, each column the one before turned by one."""
    (value,) = promote_values(c)
    size = _length(value)
    return _by_index(value, (np.arange(size)[:, None] - np.arange(size)) % size)


@array_function
def companion(a: ArrayLike) -> Array:
    """The companion matrix of a polynomial whose highest coefficient comes first."""
    value = floating(a)
    if not isinstance(value.shape[-1], int) or value.shape[-1] < 2:
        raise RlxError("RLX102", f"companion of {value.type}", fix="two or more coefficients")
    size = value.shape[-1] - 1
    first = (-value[..., 1:] / value[..., :1]).reshape((*value.shape[:-1], 1, size))
    square = as_value(matmul(matrix_transpose(first), first))
    below = as_dtype(as_value(broadcast_to(_is_diagonal(square), square.shape)), value.dtype)
    return concatenate([first, below[..., : size - 1, :]], axis=-2)


def hilbert(n: int) -> Array:
    """The matrix with entries 1 / (i + j + 1)."""
    return asarray((1 / (np.arange(n)[:, None] + np.arange(n) + 1.0)).astype(np.float32))


def hadamard(n: int, dtype: DTypeLike = np.int32) -> Array:
    """Sylvester's matrix of 1 and -1 with orthogonal rows, for n a power of two."""
    if n < 1 or n & (n - 1):
        raise RlxError("RLX105", f"hadamard of {n}", fix="a power of two")
    matrix = np.ones((1, 1), np.int32)
    while len(matrix) < n:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return asarray(matrix, dtype=dtype)


def dft(n: int, scale: str | None = None, *, dtype: DTypeLike | None = None) -> Array:
    """The matrix of the discrete Fourier transform; `scale` is None, 'sqrtn' or 'n'."""
    divisors = {None: 1.0, "sqrtn": math.sqrt(n), "n": float(n)}
    if scale not in divisors:
        raise RlxError("RLX109", f"dft with scale={scale!r}", fix="None, 'sqrtn' or 'n'")
    matrix = np.exp(-2j * np.pi * (np.arange(n)[:, None] * np.arange(n) % n) / n) / divisors[scale]
    return asarray(matrix.astype(np.complex64) if dtype is None else matrix, dtype=dtype)
