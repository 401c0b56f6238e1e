"""Complex derivatives of functions are JAX's: programs written once, run with either library's transforms, at any depth.

JAX's convention: a pullback multiplies by f'(z), not by its conjugate; the gradient of a real loss is dL/dRe - i·dL/dIm.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import rlx
import rlx.numpy as rnp
from rlx.core.errors import RlxError

_NAMES = "grad value_and_grad vjp jvp linearize vmap jit checkpoint custom_vjp custom_jvp jacfwd jacrev hessian"
TRANSFORMS = _NAMES.split(" ")
OURS = SimpleNamespace(np=rnp, lax=rlx.lax, **{name: getattr(rlx, name) for name in TRANSFORMS})
JAX = SimpleNamespace(np=jnp, lax=jax.lax, **{name: getattr(jax, name) for name in TRANSFORMS})

Z = np.complex64([1 + 2j, 3 - 1j, -0.5 + 0.25j])
W = np.complex64([0.5 - 1j, 1j, 2 + 1j])
X = np.float32([0.5, -1.5, 2])
A = (np.random.default_rng(0).normal(size=(3, 3)) + 1j * np.random.default_rng(1).normal(size=(3, 3))).astype("c8")
C = np.complex64(1)


def same(program: Callable[..., Any], *args: Any, rtol: float = 2e-5) -> None:
    """The program gives JAX's numbers, leaf by leaf."""
    found, wanted = rlx.tree.leaves(program(OURS, *args)), jax.tree.leaves(program(JAX, *args))
    assert len(found) == len(wanted) > 0
    for mine, its in zip(found, wanted, strict=True):
        mine, its = np.asarray(mine), np.asarray(its)
        assert (mine.dtype, mine.shape) == (its.dtype, its.shape)
        np.testing.assert_allclose(mine, its, rtol=rtol, atol=rtol * float(np.abs(its).max(initial=1e-3)))


def test_the_gradient_of_a_complex_number_as_jax_s_cookbook_has_it() -> None:
    z = np.complex64(1 + 2j)
    assert rlx.grad(lambda z: rnp.real(z * z))(z) == 2 + 4j
    assert rlx.vjp(lambda z: z * z, z)[1](C) == (2 + 4j,)
    assert rlx.grad(lambda z: z * z * z, holomorphic=True)(z) == 3 * z**2


# -- one derivative -----------------------------------------------------------------------------------------------
LOSSES: dict[str, Callable[[Any, Any], Any]] = {  # real numbers of a complex vector
    "square": lambda m, z: m.np.real(z * z).sum(),
    "modulus": lambda m, z: m.np.abs(z).sum(),
    "squared modulus": lambda m, z: m.np.real(z * m.np.conj(z * z)).sum(),
    "functions": lambda m, z: m.np.imag(m.np.exp(0.1 * z) * m.np.sin(z) / m.np.sqrt(z) + m.np.log(z) * m.np.tanh(z)).sum(),
    "powers": lambda m, z: m.np.real(z**3 + z ** (0.5 + 0.5j) + 2.0 ** m.np.conj(z)).sum(),
    "parts": lambda m, z: (m.np.real(z) * m.np.imag(z) + m.np.angle(z)).sum(),
    "of reals": lambda m, z: m.np.abs(m.lax.complex(m.np.real(z), m.np.real(z) ** 2) * z).sum(),
    "fft": lambda m, z: m.np.abs(m.np.fft.fft(z) + m.np.fft.rfft(m.np.imag(z), 4)).sum(),
    "products": lambda m, z: m.np.real(m.np.outer(z, m.np.conj(z)) @ z + m.np.vdot(z, z * z) + m.np.prod(z)).sum(),
    "choices": lambda m, z: m.np.real(m.np.where(m.np.real(z) > 0, z * z, 1j * z) + m.np.cumsum(z)[::-1] * z[0]).sum(),
    "scan": lambda m, z: m.np.imag(m.lax.scan(lambda c, x: (c * x + m.np.conj(x), c), m.np.ones_like(z[0]), z)[0]),
    "loop": lambda m, z: m.np.abs(m.lax.fori_loop(0, 3, lambda i, c: c * c * 0.3 + z, z)).sum(),
    "branch": lambda m, z: m.np.real(m.lax.cond(m.np.real(z[0]) > 0, lambda: z * z, lambda: m.np.conj(z))).sum(),
}


@pytest.mark.parametrize("name", LOSSES)
def test_gradients_of_real_losses(name: str) -> None:
    loss = LOSSES[name]
    same(lambda m, z: m.jit(m.value_and_grad(lambda z: loss(m, z)))(z), Z)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "holomorphic": lambda m, z, x: z * z * z + m.np.exp(0.1 * z) * x,
    "antiholomorphic": lambda m, z, x: m.np.conj(z * z) + x,
    "mixed": lambda m, z, x: m.np.real(z) * z + 1j * m.np.abs(z * x),
    "to reals": lambda m, z, x: m.np.imag(z * z) * x,
    "of reals": lambda m, z, x: m.np.exp(1j * x) * x,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_vjp_jvp_and_linearize(name: str) -> None:
    function, seeds = FUNCTIONS[name], {"to reals": X}.get(name, W)
    same(lambda m: m.vjp(lambda *a: function(m, *a), Z, X)[1](seeds))
    same(lambda m: m.jvp(lambda *a: function(m, *a), (Z, X), (W, X)))
    same(lambda m: m.linearize(lambda *a: function(m, *a), Z, X)[1](W, X))
    same(lambda m: m.jit(lambda seeds: m.vmap(m.vjp(lambda *a: function(m, *a), Z, X)[1])(seeds))(np.stack([seeds, seeds * 2])))


def test_real_arguments_beside_complex_ones() -> None:
    def loss(m: Any, tree: Any) -> Any:
        return m.np.abs(tree["z"] * tree["x"] + 1j * tree["x"] ** 2).sum() + tree["w"][0].real

    same(lambda m: m.grad(lambda tree: loss(m, tree))({"z": Z, "x": X, "w": W}))


def test_complex_and_real_numbers_meet_inside_a_checkpoint_under_jit() -> None:
    """The body of a checkpoint is inlined where promotion has been through already."""
    same(lambda m: m.jit(lambda z, x: m.checkpoint(lambda z, x: m.np.abs(z) * z + x * z)(z, x) * 2)(Z, X))


# -- derivatives inside derivatives -------------------------------------------------------------------------------
def loss(m: Any, z: Any) -> Any:
    """Neither holomorphic nor symmetric in its parts."""
    return m.np.real(z * z * m.np.conj(z)).sum() + (m.np.abs(z) * m.np.imag(z * z)).sum()


NESTED: dict[str, Callable[[Any, Any], Any]] = {
    "grad of grad": lambda m, z: m.grad(lambda z: m.np.real(m.grad(lambda z: loss(m, z))(z) * W).sum())(z),
    "three deep": lambda m, z: m.grad(
        lambda z: m.np.imag(m.grad(lambda z: m.np.abs(m.grad(lambda z: loss(m, z))(z)).sum())(z) * W).sum()
    )(z),
    "jvp of grad": lambda m, z: m.jvp(m.grad(lambda z: loss(m, z)), (z,), (W,)),
    "grad of jvp": lambda m, z: m.grad(lambda z: m.np.real(m.jvp(lambda z: z**3 * m.np.conj(z), (z,), (W,))[1]).sum())(z),
    "vjp of grad": lambda m, z: m.vjp(m.grad(lambda z: loss(m, z)), z)[1](W),
    "vjp of vjp": lambda m, z: m.vjp(lambda c: m.vjp(lambda z: z * m.np.conj(z) * z, z)[1](c)[0], W)[1](1j * W),
    "linearize of grad": lambda m, z: m.linearize(m.grad(lambda z: loss(m, z)), z)[1](W),
    "vmap of grad": lambda m, z: m.vmap(m.grad(lambda z: loss(m, z * W[0])))(z),
    "grad of vmap of grad": lambda m, z: m.grad(lambda z: m.np.imag(m.vmap(m.grad(lambda z: loss(m, z)))(z)).sum())(z),
    "grad in scan": lambda m, z: m.grad(
        lambda z: m.np.abs(m.lax.scan(lambda c, x: (c - 0.1 * m.grad(lambda c: loss(m, c * x))(c), c), z[0], z)[0])
    )(z),
    "grad in jit": lambda m, z: m.grad(lambda z: m.np.real(m.jit(m.grad(lambda z: loss(m, z)))(z) * z).sum())(z),
    "grad of a checkpoint of grad": lambda m, z: m.grad(
        lambda z: m.np.real(m.checkpoint(m.grad(lambda z: loss(m, z)))(z) * z).sum()
    )(z),
    "a pullback that is closed over": lambda m, z: m.grad(
        (lambda pullback: lambda c: m.np.real(pullback(c)[0] * c).sum())(m.vjp(lambda z: z * z, z)[1])
    )(W),
    "jacrev to reals": lambda m, z: m.jacrev(lambda z: m.np.abs(m.np.cumsum(z * z)))(z),
    "jacfwd of reals": lambda m, z: m.jacfwd(lambda x: m.np.exp(1j * x) * m.np.sum(x * z))(X),
    "holomorphic jacobians": lambda m, z: [
        by(lambda z: m.np.cumsum(z * z) * z[0], holomorphic=True)(z) for by in (m.jacrev, m.jacfwd)
    ],
    "holomorphic gradients": lambda m, z: m.grad(
        lambda z: m.grad(lambda z: (z**3).sum(), holomorphic=True)(z)[1], holomorphic=True
    )(z),
    "holomorphic hessian": lambda m, z: m.hessian(lambda z: (z**3).sum() * z[0], holomorphic=True)(z),
}


@pytest.mark.parametrize("name", NESTED)
def test_derivatives_inside_derivatives(name: str) -> None:
    if name in ("grad of grad", "vjp of vjp", "a pullback that is closed over", "holomorphic jacobians"):
        same(NESTED[name], Z, rtol=1e-4)
    same(lambda m, z: m.jit(lambda z: NESTED[name](m, z))(z), Z, rtol=1e-4)


# -- rules of users -----------------------------------------------------------------------------------------------
def with_vjp(m: Any) -> Any:
    """A function whose gradient is not its own, so that a conjugate too many or too few shows."""

    @m.custom_vjp
    def function(z: Any, x: Any) -> Any:
        return z * z + x

    function.defvjp(
        lambda z, x: (function(z, x), (z, x)), lambda kept, c: ((3 + 1j) * c * kept[0] * kept[0], m.np.real(c * 1j) * kept[1])
    )
    return function


def with_jvp(m: Any) -> Any:
    @m.custom_jvp
    def function(z: Any, x: Any) -> Any:
        return z * z + x

    @function.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        (z, x), (t, s) = primals, tangents
        return function(z, x), (3 + 1j) * t * z * z + 1j * s * x

    return function


@pytest.mark.parametrize("make", [with_vjp, with_jvp])
def test_rules_of_users(make: Callable[[Any], Any]) -> None:
    same(lambda m: m.vjp(make(m), Z, X)[1](W))
    same(lambda m: m.grad(lambda z, x: m.np.abs(make(m)(z, x)).sum(), argnums=(0, 1))(Z, X))
    same(lambda m: m.grad(lambda z: m.np.abs(m.grad(lambda z: m.np.imag(make(m)(z, X)).sum())(z)).sum())(Z))
    same(lambda m: m.vjp(m.grad(lambda z: m.np.abs(m.vmap(make(m))(z, X)).sum()), Z)[1](W), rtol=1e-4)
    same(lambda m: m.grad(lambda z: m.np.real(m.checkpoint(make(m))(z, X) * W).sum())(Z))
    same(lambda m: m.grad(lambda z: m.lax.scan(lambda c, y: (c + m.np.imag(make(m)(y, 0.5) * c), c), 1.0, z)[0])(Z))


# -- decompositions: numbers that do not depend on the phase of a vector ------------------------------------------
def _positive(m: Any, a: Any) -> Any:
    return a @ m.np.conj(a).T + 3.0 * m.np.eye(3)


def eig(m: Any, a: Any) -> Any:
    """JAX differentiates the vectors only where it is told to."""
    return jax.lax.linalg.eig(a, compute_left_eigenvectors=False, enable_eigvec_derivs=True) if m is JAX else m.np.linalg.eig(a)


LINEAR_ALGEBRA: dict[str, Callable[[Any, Any], Any]] = {
    "solve": lambda m, a: m.np.linalg.solve(a, W * a[0]),
    "inv": lambda m, a: m.np.linalg.inv(a)[0],
    "det": lambda m, a: m.np.linalg.det(a),
    "slogdet": lambda m, a: m.np.linalg.slogdet(a)[0] * m.np.linalg.slogdet(a)[1],
    "cholesky": lambda m, a: m.np.linalg.cholesky(_positive(m, a)),
    "qr": lambda m, a: m.np.linalg.qr(a)[0] * m.np.linalg.qr(a)[1],
    "eigvals": lambda m, a: m.np.sum(m.np.linalg.eigvals(a) ** 3),
    "eig": lambda m, a: (lambda w, v: w**2 * v[0] + v[2] * v[1])(*eig(m, a)),
    "eigh": lambda m, a: (lambda w, v: (v * w**2) @ m.np.conj(v).T @ a)(*m.np.linalg.eigh(_positive(m, a))),
    "eigvalsh": lambda m, a: m.np.linalg.eigvalsh(_positive(m, a)) * (1 + 2j),
    "svdvals": lambda m, a: m.np.linalg.svd(a, compute_uv=False) * (1 - 1j),
    "svd": lambda m, a: (lambda u, s, v: (u * s**2) @ v @ a)(*m.np.linalg.svd(a)),
    "pinv": lambda m, a: m.np.linalg.pinv(a[:, :2]),
    "norm": lambda m, a: m.np.linalg.norm(a) * a,
    "matrix_power": lambda m, a: m.np.linalg.matrix_power(a, 3),
}


@pytest.mark.parametrize("name", LINEAR_ALGEBRA)
def test_linear_algebra(name: str) -> None:
    function = LINEAR_ALGEBRA[name]
    weights = A.T + 1j * A

    def weighed(m: Any, a: Any) -> Any:
        found = function(m, a)
        return (found * weights.reshape(-1)[: np.size(found)].reshape(found.shape)).sum()

    same(lambda m: m.jit(lambda a, c: m.vjp(lambda a: weighed(m, a), a)[1](c))(A, np.complex64(0.5 + 2j)), rtol=2e-3)


# -- refusals, and the graph's own convention ---------------------------------------------------------------------
@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: rlx.grad(lambda z: z * z)(Z[0]), "holomorphic=True"),
        (lambda: rlx.grad(lambda z: z * z, holomorphic=True)(X[0]), "argument is f32"),
        (lambda: rlx.grad(abs, holomorphic=True)(Z[0]), "result is f32"),
        (lambda: rlx.jacrev(lambda z: z * z)(Z), "result"),
        (lambda: rlx.jacfwd(lambda z: z * z)(Z), "argument"),
        (lambda: rlx.hessian(lambda z: rnp.abs(z).sum())(Z), "argument"),
    ],
)
def test_what_jax_refuses_is_refused(call: Callable[[], Any], text: str) -> None:
    with pytest.raises(RlxError, match=text):
        call()


def test_graphs_keep_torch_s_convention() -> None:
    graph = rlx.Graph("square")
    z = graph.input("z", (3,), "c64")
    graph.set_outputs({"loss": graph.real(z * z).sum()})
    found = rlx.compile(rlx.autodiff.grad(graph, "z"))(z=Z)
    np.testing.assert_allclose(found, np.conj(2 * Z), rtol=1e-6)
    np.testing.assert_allclose(found, np.conj(rlx.grad(lambda z: rnp.real(z * z).sum())(Z)), rtol=1e-6)
