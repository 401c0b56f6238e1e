"""Decompositions on the host against JAX: matrices put together again, derivatives of what no sign or phase changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.ir.op import OPS

Array = Any


def op(name: str, **attrs: Any) -> Any:
    """A record as a function, compiled for its operands."""
    return rlx.jit(lambda *values: OPS[name](*values, **attrs))


def random(*dims: int, dtype: str = "f4", seed: int = 0) -> Array:
    """Normal numbers of any dtype."""
    source = np.random.default_rng(seed)
    made = source.normal(size=dims)
    return (made + 1j * source.normal(size=dims) if dtype.startswith("c") else made).astype(dtype)


def hermitian(*dims: int, dtype: str = "f4", seed: int = 0) -> Array:
    noise = random(*dims, dtype=dtype, seed=seed)
    return (noise + adjoint(noise)) / 2


def adjoint(x: Array) -> Array:
    return np.conj(np.swapaxes(x, -1, -2))


def close(found: Array, wanted: Array, ulps: float = 300) -> None:
    wanted = np.asarray(wanted)
    eps = float(np.finfo(np.asarray(found).dtype).eps)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=ulps * eps * max(1.0, float(np.abs(wanted).max(initial=0))))


DTYPES = ("f4", "f8", "c8", "c16")


# -- values -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("dims", [(1, 1), (2, 3, 5, 5), (2, 0, 3, 3)])
def test_eigh_puts_the_matrix_together(dims: tuple[int, ...], dtype: str) -> None:
    a = hermitian(*dims, dtype=dtype)
    w, v = op("eigh")(a)
    assert w.dtype == np.linalg.eigvalsh(a).dtype and v.dtype == a.dtype
    close(v * w[..., None, :] @ adjoint(v), a)
    close(adjoint(v) @ v, np.broadcast_to(np.eye(dims[-1]), a.shape))
    close(w, np.linalg.eigvalsh(a))
    close(op("eigh", compute_v=False)(a)[0], np.linalg.eigvalsh(a))


def test_eigh_reads_the_lower_triangle() -> None:
    a = random(5, 5)
    close(op("eigh")(a)[0], np.linalg.eigvalsh(a, "L"))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("dims, full", [((4, 7), True), ((3, 6, 2), False), ((2, 0, 3), False)])
def test_svd_puts_the_matrix_together(dims: tuple[int, ...], full: bool, dtype: str) -> None:
    a = random(*dims, dtype=dtype)
    u, s, vh = op("svd", full_matrices=full)(a)
    wanted = np.linalg.svd(a, full_matrices=full)
    assert (u.shape, s.shape, vh.shape) == tuple(x.shape for x in wanted)
    k = s.shape[-1]
    close(u[..., :k] * s[..., None, :] @ vh[..., :k, :], a)
    close(s, wanted[1])
    close(op("svd", compute_uv=False)(a)[0], wanted[1])


@pytest.mark.parametrize("dtype", DTYPES)
def test_eig_gives_values_and_vectors_of_any_matrix(dtype: str) -> None:
    a = random(2, 6, 6, dtype=dtype)
    w, v = op("eig")(a)
    assert w.dtype == v.dtype == (np.complex64 if dtype in ("f4", "c8") else np.complex128)
    close(a @ v, v * w[..., None, :])
    alone = op("eig", compute_v=False)(a)[0]
    distance = np.abs(alone[..., None] - np.linalg.eigvals(a)[..., None, :]).min(-1)
    assert distance.max() < 1e-4


@pytest.mark.parametrize("dims, dtype", [((5, 3), "f4"), ((2, 3, 4), "c8")])
def test_pinv_and_rank_are_jax_s(dims: tuple[int, ...], dtype: str) -> None:
    a = random(*dims, dtype=dtype)
    a[..., -1] = a[..., 0] * 2
    for limit in ({}, {"rtol": 0.3}):
        close(op("pinv", **limit)(a), jnp.linalg.pinv(a, **limit), 2000)
        np.testing.assert_array_equal(op("matrix_rank", **limit)(a), np.linalg.matrix_rank(a, **limit))


@pytest.mark.parametrize(
    "rows, columns, many, dtype", [(6, 3, False, "f4"), (3, 6, True, "f4"), (4, 4, True, "c8"), (5, 2, False, "c8")]
)
def test_lstsq_is_jax_s(rows: int, columns: int, many: bool, dtype: str) -> None:
    a, b = random(rows, columns, dtype=dtype), random(rows, *(2,) * many, dtype=dtype, seed=1)
    found, wanted = op("lstsq")(a, b), jnp.linalg.lstsq(a, b)
    for mine, other in zip(found, wanted, strict=True):
        assert mine.shape == other.shape and mine.dtype == other.dtype
        np.testing.assert_allclose(mine, other, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", ["eigh", "svd", "eig"])
def test_a_matrix_that_is_not_finite_gives_nan_alone(name: str) -> None:
    a = hermitian(3, 4, 4)
    a[1, 2, 0] = np.nan
    a[2, 0, 0] = np.inf
    for found in op(name)(a):
        assert np.isfinite(found[0]).all() and np.isnan(found[1:]).all()


@pytest.mark.parametrize("name", ["eigh", "svd", "pinv"])
def test_one_version_serves_all_sizes(name: str) -> None:
    function = op(name)
    wanted = {"eigh": np.linalg.eigvalsh, "svd": lambda a: np.linalg.svd(a)[1], "pinv": np.linalg.pinv}[name]
    for size in (3, 5, 2, 9):
        a = hermitian(size, size, seed=size)
        found = function(a)
        close(found if name == "pinv" else found[name == "svd"], wanted(a), 5000)
    assert function.traces == 2


# -- where they run ---------------------------------------------------------------------------------------------
def test_the_report_says_that_it_runs_on_the_host_and_save_refuses(tmp_path: Path) -> None:
    g = rlx.Graph("spectrum")
    g.set_outputs(list(OPS["eigh"](g.input("a", (4, 4)))))
    exe = rlx.compile(g, "cpu")
    assert "eigh runs in NumPy's LAPACK, on the calling thread" in str(exe.report)
    with pytest.raises(RlxError, match=r"calls Python \(eigh\); only compiled code can be saved") as raised:
        exe.save(tmp_path / "spectrum.rlx")
    assert raised.value.code == "RLX403"


@pytest.mark.parametrize(
    "name, dims, message",
    [
        ("eigh", (3, 4), "rows and columns 3 and 4 differ"),
        ("eig", (2, 3, 1), "rows and columns 3 and 1 differ"),
        ("svd", (3,), "a has rank 1"),
        ("matrix_rank", (), "a has rank 0"),
    ],
)
def test_what_is_no_matrix_is_an_error(name: str, dims: tuple[int, ...], message: str) -> None:
    with pytest.raises(RlxError, match=message):
        op(name)(np.zeros(dims, np.float32))


def test_lstsq_of_rows_that_differ_is_an_error() -> None:
    with pytest.raises(RlxError, match="rows of a and of b 3 and 4 differ"):
        op("lstsq")(np.zeros((3, 2), np.float32), np.zeros(4, np.float32))


# -- derivatives ------------------------------------------------------------------------------------------------
def turned(x: Any) -> Any:
    """The adjoint, of a Value or of an array of JAX."""
    if not isinstance(x, rlx.Value):
        return jnp.conj(jnp.swapaxes(x, -1, -2))
    other = x.transpose((*range(x.rank - 2), x.rank - 1, x.rank - 2))
    return OPS["conjugate"](other) if other.dtype.is_complex else other


def total(x: Any) -> Any:
    """A real scalar."""
    if isinstance(x, rlx.Value):
        return (OPS["real"](x) if x.dtype.is_complex else x).sum()
    return jnp.real(x).sum()


def of_spectrum(eigh: Callable[..., Any], sin: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a Hermitian matrix by its spectrum: no sign or phase of a vector changes it."""

    def function(a: Any, weights: Any) -> Any:
        w, v = eigh((a + turned(a)) * 0.5)
        return ((v * sin(w)[..., None, :]) @ turned(v)) * weights

    return function


def of_singular_values(svd: Callable[..., Any], sin: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a matrix by its singular values."""

    def function(a: Any, weights: Any) -> Any:
        u, s, vh = svd(a)
        return ((u * sin(s)[..., None, :]) @ vh) * weights

    return function


def same_derivatives(mine: Callable[..., Any], theirs: Callable[..., Any], *arrays: Array) -> None:
    """Reverse and forward derivatives of two functions by the first argument."""
    direction = random(*arrays[0].shape, dtype=arrays[0].dtype.str[1:], seed=9)

    def both(module: Any, function: Callable[..., Any]) -> Callable[..., Any]:
        def found(direction: Any, x: Any, *rest: Any) -> Any:
            slope = module.jvp(lambda x: function(x, *rest), (x,), (direction,))[1]
            return module.grad(lambda x: total(function(x, *rest)))(x), slope

        return found

    found = rlx.jit(both(rlx, mine), device="reference")(direction, *arrays)
    wanted = jax.jit(both(jax, theirs))(direction, *arrays)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=2e-4 * float(np.abs(other).max()))


@pytest.mark.parametrize("dims, dtype", [((5, 5), "f4"), ((3, 4, 4), "c8")])
def test_derivatives_of_eigh_are_jax_s(dims: tuple[int, ...], dtype: str) -> None:
    a = hermitian(*dims, dtype=dtype) + np.diag(2 * np.arange(dims[-1])).astype(dtype)
    weights = random(*dims, dtype=dtype, seed=4)
    same_derivatives(of_spectrum(OPS["eigh"], OPS["sin"]), of_spectrum(jnp.linalg.eigh, jnp.sin), a, weights)


@pytest.mark.parametrize("dims, dtype", [((5, 3), "c8"), ((3, 5), "f4"), ((2, 4, 4), "f4")])
def test_derivatives_of_svd_are_jax_s(dims: tuple[int, ...], dtype: str) -> None:
    a, weights = random(*dims, dtype=dtype), random(*dims, dtype=dtype, seed=4)
    same_derivatives(
        of_singular_values(lambda x: OPS["svd"](x, full_matrices=False), OPS["sin"]),
        of_singular_values(lambda x: jnp.linalg.svd(x, full_matrices=False), jnp.sin),
        a,
        weights,
    )


@pytest.mark.parametrize("name, attrs", [("eigh", {"compute_v": False}), ("svd", {"compute_uv": False})])
def test_derivatives_of_values_alone(name: str, attrs: dict[str, Any]) -> None:
    theirs = {"eigh": lambda a: jnp.linalg.eigh(a)[0], "svd": lambda a: jnp.linalg.svd(a, compute_uv=False)}[name]
    same_derivatives(
        lambda a, w: OPS[name]((a + turned(a)) * 0.5, **attrs)[0] * w,
        lambda a, w: theirs((a + turned(a)) * 0.5) * w,
        hermitian(5, 5),
        random(5, seed=4),
    )


def test_derivatives_of_pinv_and_lstsq_are_jax_s() -> None:
    a, b, weights = random(5, 3), random(5, seed=3), random(3, 5, seed=4)
    same_derivatives(lambda a, w: OPS["pinv"](a) * w, lambda a, w: jnp.linalg.pinv(a) * w, a, weights)
    same_derivatives(lambda a, b: OPS["lstsq"](a, b)[0], lambda a, b: jnp.linalg.lstsq(a, b)[0], a, b)


def test_equal_eigenvalues_have_the_derivatives_of_jax() -> None:
    a = np.diag([1.0, 1.0, 3.0]).astype(np.float32)
    direction = hermitian(3, 3)
    for mine, theirs in ((OPS["eigh"], jnp.linalg.eigh), (OPS["svd"], jnp.linalg.svd)):
        found = rlx.jit(lambda x, t, mine=mine: rlx.jvp(mine, (x,), (t,))[1], device="reference")(a, direction)
        wanted = jax.jit(lambda x, t, theirs=theirs: jax.jvp(theirs, (x,), (t,))[1])(a, direction)
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(np.isfinite(one), np.isfinite(other))


def test_the_second_derivative_of_eigh() -> None:
    a = hermitian(4, 4) + np.diag(2 * np.arange(4)).astype(np.float32)
    direction, weights = hermitian(4, 4, seed=5), random(4, 4, seed=4)
    mine, theirs = of_spectrum(OPS["eigh"], OPS["sin"]), of_spectrum(jnp.linalg.eigh, jnp.sin)
    product = rlx.jit(lambda x, t: rlx.jvp(rlx.grad(lambda x: total(mine(x, weights))), (x,), (t,))[1], device="reference")
    slope = jax.grad(lambda x: total(theirs(x, weights)))
    found, wanted = product(a, direction), jax.jit(lambda x, t: jax.jvp(slope, (x,), (t,))[1])(a, direction)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=5e-4 * float(np.abs(wanted).max()))


def test_the_gradient_of_eigenvalues_of_real_matrices_is_jax_s() -> None:
    a, weights = random(2, 4, 4), random(2, 4, seed=1) + 1j * random(2, 4, seed=2)
    wanted = jax.grad(lambda a: jnp.real(jnp.linalg.eigvals(a) ** 3 * weights).sum())(a)
    found = rlx.grad(lambda a: OPS["real"](OPS["eig"](a, compute_v=False)[0] ** 3 * weights).sum())(a)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-3 * float(np.abs(wanted).max()))


def test_decompositions_under_vmap() -> None:
    a, b = hermitian(6, 4, 4), random(5, 4)
    close(rlx.vmap(lambda x: OPS["eigh"](x)[0])(a), np.linalg.eigvalsh(a))
    found = rlx.vmap(lambda x, b: OPS["lstsq"](x, b)[0], in_axes=(None, 0))(a[0], b)
    close(found, np.linalg.solve(a[0], b.T).T, 5000)
