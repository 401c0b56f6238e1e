"""What random JAX programs (`tests/fuzz/jax_programs.py`) showed to differ, one test each; JAX gives the expected values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rlx
import rlx.numpy as rnp
from rlx import lax

jax = pytest.importorskip("jax")
jnp = jax.numpy


def same(actual: Any, expected: Any) -> None:
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(actual.astype(np.float64), expected.astype(np.float64), rtol=1e-6, atol=1e-6)


# -- integers in vjp, jvp, linearize ----------------------------------------------------------------------------
def scaled(x: Any, n: Any, np_: Any) -> Any:
    return np_.sin(x) * n


X, N = np.float32([1, 2]), np.int32(3)


@pytest.mark.parametrize("jitted", [False, True])
def test_vjp_by_an_integer_argument(jitted: bool) -> None:
    wanted = jax.vjp(lambda x, n: scaled(x, n, jnp), X, N)[1](jnp.ones(2))[0]
    call = lambda x, n: rlx.vjp(lambda x, n: scaled(x, n, rnp), x, n)[1](np.ones(2, np.float32))  # noqa: E731
    dx, dn = (rlx.jit(call) if jitted else call)(X, N)
    same(dx, wanted)
    same(dn, np.int32(0))  # float0 in JAX


def test_vjp_by_integers_alone() -> None:
    value, back = rlx.vjp(lambda n: rnp.sum(n * 2.0), rnp.array([1, 2]))
    assert float(value) == 6.0
    same(back(np.float32(1))[0], np.int32([0, 0]))


@pytest.mark.parametrize("jitted", [False, True])
def test_jvp_and_linearize_of_an_integer_argument(jitted: bool) -> None:
    nothing = np.zeros((), jax.dtypes.float0)
    wanted = jax.jvp(lambda x, n: scaled(x, n, jnp), (X, N), (X, nothing))[1]
    pushed = lambda x, n: rlx.jvp(lambda x, n: scaled(x, n, rnp), (x, n), (x, n))[1]  # noqa: E731
    linear = lambda x, n: rlx.linearize(lambda x, n: scaled(x, n, rnp), x, n)[1](x, n)  # noqa: E731
    for call in (pushed, linear):
        same((rlx.jit(call) if jitted else call)(X, N), wanted)


def test_the_tangent_of_an_integer_result_is_zero() -> None:
    _, tangent = rlx.jvp(lambda x: (x * 2, rnp.argmax(x)), (X,), (X,))
    same(tangent[0], 2 * X)
    same(tangent[1], np.int32(0))


@pytest.mark.parametrize("name", ["ceil", "round", "sign"])
def test_nothing_behind_an_op_without_slope_needs_a_rule(name: str) -> None:
    """`spacing` has no derivative; that of what is rounded before is 0 (seed 90101270318)."""
    mine = rlx.grad(lambda x: rnp.sum(rnp.spacing(getattr(rnp, name)(x)) + x))(X)
    same(mine, jax.grad(lambda x: jnp.sum(jnp.spacing(getattr(jnp, name)(x)) + x))(X))
    with pytest.raises(rlx.RlxError, match="RLX601"):
        rlx.grad(lambda x: rnp.sum(rnp.spacing(x)))(X)


def test_checkpoint_of_an_op_without_a_rule() -> None:
    """It can be called, and differentiated by what does not pass the op (seed 90103270532)."""

    def made(np_: Any) -> Any:
        return lambda x, y: np_.sum(x * x) + np_.sum(np_.spacing(y))

    mine, theirs = rlx.checkpoint(made(rnp)), jax.checkpoint(made(jnp))
    y = X + 2
    same(mine(X, y), theirs(X, y))
    same(rlx.jit(rlx.grad(mine))(X, y), jax.grad(theirs)(X, y))
    same(rlx.jvp(lambda x: mine(x, y), (X,), (X,))[1], jax.jvp(lambda x: theirs(x, y), (X,), (X,))[1])
    with pytest.raises(rlx.RlxError, match="RLX601"):
        rlx.grad(mine, argnums=1)(X, y)


def test_checkpoint_of_a_while_loop_without_a_bound() -> None:
    """Its gradient is needed only by the second argument (seed 90107270371)."""

    def made(np_: Any, lax_: Any) -> Any:
        return lambda x, y: np_.sum(x * x * lax_.while_loop(lambda v: v[0] > 1, lambda v: v * 0.5, y))

    mine, theirs = rlx.checkpoint(made(rnp, lax)), jax.checkpoint(made(jnp, jax.lax))
    y = X + 2
    same(mine(X, y), theirs(X, y))
    same(rlx.grad(mine)(X, y), jax.grad(theirs)(X, y))
    same(rlx.jvp(lambda y: mine(X, y), (y,), (X,))[1], jax.jvp(lambda y: theirs(X, y), (y,), (X,))[1])
    with pytest.raises(rlx.RlxError, match="RLX604"):
        rlx.grad(mine, argnums=1)(X, y)


def test_grad_by_an_integer_stays_an_error() -> None:
    with pytest.raises(rlx.RlxError, match="RLX602"):
        rlx.grad(lambda n: n * 2.0)(N)


# -- numpy and lax ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("weights", [None, "float16", "int32"])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "int32"])
def test_dtypes_of_histogram(dtype: str, weights: str | None) -> None:
    found = []
    for np_ in (rnp, jnp):
        x = np_.array([0.0, 1.0, 1.5, 3.0]).astype(getattr(np_, dtype))
        w = None if weights is None else np_.array([1, 2, 3, 4]).astype(getattr(np_, weights))
        found.append(np_.histogram(x, bins=3, range=(0.0, 3.0), weights=w))
    same(found[0][0], found[1][0])
    same(found[0][1], found[1][1])


@pytest.mark.parametrize("axis", [0, -1, 1])
@pytest.mark.parametrize("name", ["repeat", "cumsum", "cumprod", "nancumsum"])
def test_one_number_counts_as_an_axis_of_one(name: str, axis: int) -> None:
    """Seed 90103270454; NumPy has it too. Axis 1 is an error, as in NumPy."""
    counts = (2,) if name == "repeat" else ()
    if axis == 1:
        with pytest.raises(rlx.RlxError, match="RLX104"):
            getattr(rnp, name)(rnp.asarray(5.0), *counts, axis=axis)
    else:
        same(getattr(rnp, name)(rnp.asarray(5.0), *counts, axis=axis), getattr(jnp, name)(jnp.asarray(5.0), *counts, axis=axis))


@pytest.mark.parametrize("name", ["add", "mul", "max", "min"])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int32"])
def test_lax_reduce(name: str, dtype: str) -> None:
    x, start = np.arange(-5, 7).reshape(3, 4), {"add": 10, "mul": 2, "max": 3, "min": -2}[name]
    mine = lax.reduce(rnp.array(x).astype(getattr(rnp, dtype)), start, getattr(lax, name), (0,))
    theirs = jnp.array(x).astype(dtype)
    same(mine, jax.lax.reduce(theirs, theirs.dtype.type(start), getattr(jax.lax, name), (0,)))


def test_gradient_of_lax_reduce() -> None:
    x = np.float32([[1, 2], [3, 4]])
    for name, start in (("add", 0.0), ("max", -np.inf), ("min", np.inf)):
        mine = rlx.grad(lambda x: lax.reduce(x, start, getattr(lax, name), (0,)).sum())(x)  # noqa: B023
        same(mine, jax.grad(lambda x: jax.lax.reduce(x, start, getattr(jax.lax, name), (0,)).sum())(x))  # noqa: B023


def test_lax_split_stack_unstack_tile() -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    for mine, theirs in zip(lax.split(x, (1, 3), 1), jax.lax.split(x, (1, 3), 1), strict=True):
        same(mine, theirs)
    same(lax.stack([x, x], 1), jnp.stack([x, x], 1))
    for mine, theirs in zip(lax.unstack(x, 1), jnp.unstack(jnp.asarray(x), axis=1), strict=True):
        same(mine, theirs)
    same(lax.tile(x, (2, 1)), jax.lax.tile(x, (2, 1)))
    assert lax.broadcast_shapes((3, 1), (4,)) == jax.lax.broadcast_shapes((3, 1), (4,))
    with pytest.raises(rlx.RlxError, match="RLX102"):
        lax.split(x, (1, 2), 1)
