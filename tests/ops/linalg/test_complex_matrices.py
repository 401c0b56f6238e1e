"""Factorizations of complex matrices: against NumPy, and their derivatives against JAX."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import rlx
import rlx.numpy as rnp
from rlx.core.errors import RlxError


def random(*dims: int, dtype: str = "c8", seed: int = 0) -> Any:
    source = np.random.default_rng(seed)
    return (source.normal(size=dims) + 1j * source.normal(size=dims)).astype(dtype)


@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("mode", ["reduced", "complete"])
@pytest.mark.parametrize("dims", [(4, 4), (2, 5, 3), (3, 5), (2, 0)])
def test_qr_puts_a_complex_matrix_together(dims: tuple[int, ...], mode: str, dtype: str) -> None:
    a = random(*dims, dtype=dtype)
    q, r = map(np.asarray, rnp.linalg.qr(a, mode=mode))
    close = 100 * np.finfo(dtype).eps
    np.testing.assert_allclose(q @ r, a, atol=close)
    np.testing.assert_allclose(np.conj(np.swapaxes(q, -1, -2)) @ q - np.eye(q.shape[-1]), 0, atol=close)
    np.testing.assert_array_equal(r, np.triu(r))
    assert q.dtype == r.dtype == np.dtype(dtype)


@pytest.mark.parametrize("dims", [(1, 1), (3, 3), (2, 6, 6), (2, 0, 0), (0, 4, 4)])
def test_determinants_of_complex_matrices(dims: tuple[int, ...]) -> None:
    a = random(*dims, dtype="c16")
    np.testing.assert_allclose(rnp.linalg.det(a), np.linalg.det(a), rtol=1e-12)
    for found, wanted in zip(rnp.linalg.slogdet(a), np.linalg.slogdet(a), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("upper", [False, True])
def test_cholesky_of_complex_matrices(upper: bool) -> None:
    half = random(2, 5, 5, dtype="c16")
    a = half @ np.conj(np.swapaxes(half, -1, -2)) + 5 * np.eye(5)
    wanted = np.linalg.cholesky(a)
    wanted = np.conj(np.swapaxes(wanted, -1, -2)) if upper else wanted
    np.testing.assert_allclose(rnp.linalg.cholesky(a, upper=upper), wanted, rtol=1e-12, atol=1e-12)


def test_cholesky_of_a_complex_matrix_that_is_not_positive_definite_is_nan_alone() -> None:
    found = np.asarray(rnp.linalg.cholesky(np.stack([-np.eye(2), np.eye(2)]).astype(np.complex64)))
    assert np.isnan(found[0][np.tril_indices(2)]).all()
    np.testing.assert_array_equal(found[1], np.eye(2))


def test_a_singular_complex_matrix_has_determinant_zero() -> None:
    a = np.ones((5, 5), np.complex64)
    assert complex(rnp.linalg.det(a)) == 0
    sign, size = rnp.linalg.slogdet(a)
    assert (complex(sign), float(size)) == (0, -np.inf)


def _weighed(module: Any, a: Any) -> Any:
    """A real number of the factors and the determinant of a tall complex matrix."""
    q, r = module.linalg.qr(a)
    top = a[:4]
    sign, size = module.linalg.slogdet(top)
    turn = module.asarray(random(*a.shape, seed=3))
    lower = module.linalg.cholesky(top @ module.conj(top).T + 4.0 * module.eye(4))
    return (
        module.real(module.sum(turn * q) + module.sum(r * r) + module.sum(lower * turn[:4]) + sign * 2.0 + module.linalg.det(top))
        + size
    )


def test_derivatives_of_complex_factorizations_are_jax_s() -> None:
    a, direction = random(6, 4), random(6, 4, seed=1)

    def both(module: Any, functions: Any) -> Any:
        def slopes(a: Any, t: Any) -> Any:
            function = lambda a: _weighed(functions, a)  # noqa: E731
            return module.grad(function)(a), module.jvp(function, (a,), (t,))[1]

        return slopes

    found = rlx.jit(both(rlx, rnp), device="reference")(a, direction)
    gradient, slope = jax.jit(both(jax, jnp))(a, direction)
    np.testing.assert_allclose(found[0], gradient, rtol=0, atol=1e-3 * float(np.abs(gradient).max()))
    np.testing.assert_allclose(found[1], slope, rtol=1e-3)


def test_the_derivative_of_a_wide_complex_matrix_is_an_error() -> None:
    with pytest.raises(RlxError, match="columns that q or r leave open"):
        rlx.grad(lambda a: rnp.real(rnp.sum(rnp.linalg.qr(a)[1])))(random(2, 3))
