"""Factorizations, systems, and Fourier transforms."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from rlx.backends.xla.site import Lowering, LoweringSite


def _cholesky(at: LoweringSite, a: Any) -> Any:
    """Cholesky factor from the lower triangle, or the upper one; NaN in the triangle of a matrix that is not positive definite."""
    lower = jnp.swapaxes(a, -1, -2) if at["upper"] else a
    factor = jnp.tril(lax.linalg.cholesky(lower, symmetrize_input=False))
    return jnp.swapaxes(factor, -1, -2) if at["upper"] else factor


def _triangular_solve(at: LoweringSite, a: Any, b: Any) -> Any:
    return lax.linalg.triangular_solve(
        a, b, left_side=at["left_side"], lower=at["lower"], transpose_a=at["transpose"], unit_diagonal=at["unit_diagonal"]
    )


def _lu(at: LoweringSite, a: Any) -> tuple[Any, Any, Any]:
    packed, pivots, permutation = lax.linalg.lu(a)
    return packed, pivots.astype(jnp.int32), permutation.astype(jnp.int32)


def _solve(at: LoweringSite, a: Any, b: Any) -> Any:
    """Solves by LU. A zero on U's diagonal means a singular matrix, which raises an error at run time."""
    columns = b[..., None] if b.ndim < a.ndim else b
    if a.shape[-1] == 0 or columns.size == 0:
        return jnp.zeros(at.dims, a.dtype)
    packed, _, permutation = lax.linalg.lu(a)
    fix = "the matrix has no inverse: check the data, or add a small number to its diagonal"
    diagonal = jnp.diagonal(packed, axis1=-2, axis2=-1)
    at.require(diagonal != 0, "RLX511", f"{at.op.name} of {list(a.shape)}: a matrix is singular", fix)
    rows = jnp.take_along_axis(columns, permutation[..., None], axis=-2)
    below = lax.linalg.triangular_solve(packed, rows, left_side=True, lower=True, unit_diagonal=True)
    solution = lax.linalg.triangular_solve(packed, below, left_side=True, lower=False)
    return solution[..., 0] if b.ndim < a.ndim else solution


def _qr(at: LoweringSite, a: Any) -> tuple[Any, Any]:
    if a.size == 0:
        q, r = (tuple(int(size) for size in shape.dims) for shape in at.results)
        return jnp.broadcast_to(jnp.eye(q[-2], q[-1], dtype=a.dtype), q), jnp.zeros(r, a.dtype)
    factors = jnp.linalg.qr(a, at["mode"])
    return factors[0], factors[1]


# -- decompositions, in double precision and rounded once
def _in_double(function: Any) -> Lowering:
    """Lowers a decomposition of matrices, computed in f64; NaN for a matrix that is not finite."""

    def lower(at: LoweringSite, a: Any) -> tuple[Any, ...]:
        dims = [tuple(int(size) for size in shape.dims) for shape in at.results]
        if a.size == 0:
            return _of_nothing(at, dims)
        wide = a.astype(jnp.complex128 if jnp.issubdtype(a.dtype, jnp.complexfloating) else jnp.float64)
        finite = jnp.all(jnp.isfinite(a), axis=(-2, -1), keepdims=True)
        results = function(at, jnp.where(finite, wide, 0))
        shown = [finite.reshape(finite.shape[: x.ndim]) if x.ndim < a.ndim else finite for x in results]
        return tuple(jnp.where(known, x, jnp.nan) for known, x in zip(shown, results, strict=True))

    return lower


def _of_nothing(at: LoweringSite, dims: list[tuple[int, ...]]) -> tuple[Any, ...]:
    """The results NumPy returns for matrices without elements."""
    from rlx.ir.evaluate import evaluate_op

    shape = at.operands[0]
    assert shape is not None
    empty = np.zeros([int(size) for size in shape.dims], shape.dtype.numpy)
    return tuple(jnp.asarray(array) for array in evaluate_op(at.op, [empty], at.results))


def _eigh(at: LoweringSite, a: Any) -> tuple[Any, ...]:
    """Eigenvalues and eigenvectors from the lower triangle."""
    vectors, values = lax.linalg.eigh(a, lower=True, symmetrize_input=False)
    return (values, vectors) if at["compute_v"] else (values,)


def _svd(at: LoweringSite, a: Any) -> tuple[Any, ...]:
    if not at["compute_uv"]:
        return (jnp.linalg.svd(a, compute_uv=False),)
    return tuple(jnp.linalg.svd(a, full_matrices=at["full_matrices"]))


def _complex_qr(at: LoweringSite, a: Any) -> tuple[Any, ...]:
    q, r = jnp.linalg.qr(a, at["mode"])
    return q, jnp.triu(r)


def _fft(at: LoweringSite, x: Any) -> Any:
    return (jnp.fft.ifft if at["inverse"] else jnp.fft.fft)(x, norm=at["norm"])


def _several(function: Any) -> Lowering:
    """Applies a function along several axes one after the other, also along one that is named twice."""

    def lower(at: LoweringSite, x: Any) -> Any:
        for axis in at["axes"]:
            x = function(x, axis=axis, norm=at["norm"])
        return x.astype(at.dtype)

    return lower


def _rfft(at: LoweringSite, x: Any) -> Any:
    return jnp.fft.rfft(x, at["n"], norm=at["norm"])


def _irfft(at: LoweringSite, x: Any) -> Any:
    complex_type = jnp.complex128 if at.dtype == np.float64 else jnp.complex64
    return jnp.fft.irfft(x.astype(complex_type), at["n"], norm=at["norm"])


LOWERINGS: dict[str, Lowering] = {
    "cholesky": _cholesky,
    "triangular_solve": _triangular_solve,
    "lu": _lu,
    "dense_solve": _solve,
    "batched_dense_solve": _solve,
    "qr": _qr,
    "eigh": _in_double(_eigh),
    "svd": _in_double(_svd),
    "complex_qr": _in_double(_complex_qr),
    "complex_slogdet": _in_double(lambda at, a: tuple(jnp.linalg.slogdet(a))),
    "fft": _fft,
    "fftn": _several(jnp.fft.fft),
    "ifftn": _several(jnp.fft.ifft),
    "rfft": _rfft,
    "irfft": _irfft,
}
