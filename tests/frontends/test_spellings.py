"""Arguments by the names and places that users of JAX and NumPy give them, and NumPy's functions on arrays."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import rlx
import rlx.numpy as rnp

X = np.float32([[1, -2, 3], [4, 0.5, -6]])
KEYS = np.int32([2, 1, 2])

CALLS = {
    "tril": lambda np_, lax: np_.tril(X, 1),
    "triu": lambda np_, lax: np_.triu(X, -1),
    "arange": lambda np_, lax: np_.arange(start=1, stop=7, step=2),
    "linspace": lambda np_, lax: np_.linspace(start=0, stop=1, num=5),
    "eye": lambda np_, lax: np_.eye(N=2, M=3),
    "tri": lambda np_, lax: np_.tri(2, M=3, k=1),
    "moveaxis": lambda np_, lax: np_.moveaxis(X, source=0, destination=1),
    "tile": lambda np_, lax: np_.tile(X, reps=(2, 1)),
    "repeat": lambda np_, lax: np_.repeat(X, repeats=2, axis=0),
    "split": lambda np_, lax: np_.split(X, indices_or_sections=3, axis=1),
    "take": lambda np_, lax: np_.take(X, indices=np.array([1, 0]), axis=0),
    "take_along_axis": lambda np_, lax: np_.take_along_axis(X, indices=np.array([[1], [0]]), axis=1),
    "lax.concatenate": lambda np_, lax: lax.concatenate([X, X], dimension=1),
    "lax.reshape": lambda np_, lax: lax.reshape(X, new_sizes=(6,), dimensions=(1, 0)),
    "lax.squeeze": lambda np_, lax: lax.squeeze(X[None], dimensions=(0,)),
    "lax.transpose": lambda np_, lax: lax.transpose(X, permutation=(1, 0)),
    "lax.sort": lambda np_, lax: lax.sort(X, dimension=0),
    "lax.sort by two keys": lambda np_, lax: lax.sort((KEYS, KEYS[::-1] * 3 + np.arange(3, dtype=np.int32), KEYS + 7), num_keys=2),
    "lax.lgamma": lambda np_, lax: (lax.lgamma(abs(X)), lax.digamma(abs(X)), lax.erfc(X), lax.erf_inv(X / 7)),
    "lax.sinh": lambda np_, lax: (lax.sinh(X), lax.cbrt(X), lax.asin(X / 7), lax.full((2,), 3), lax.population_count(KEYS)),
    "lax.while_loop": lambda np_, lax: lax.while_loop(lambda x: x.sum() < 90, lambda x: x * 2, init_val=np.abs(X)),
}


@pytest.mark.parametrize("name", CALLS)
def test_arguments_of_jax(name):
    found, expected = CALLS[name](rnp, rlx.lax), CALLS[name](jnp, jax.lax)
    for mine, right in zip(rlx.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        np.testing.assert_allclose(mine, right, rtol=1e-5, atol=1e-6)


def test_jacobian_and_block_until_ready_are_names_at_the_top():
    found = rlx.block_until_ready(rlx.jacrev(lambda x: x * x)(X[0]))
    np.testing.assert_array_equal(found, np.diag(2 * X[0]))


def test_numpy_functions_call_methods_of_arrays():
    x = rnp.asarray(X)
    for function in (np.sum, np.mean, np.std, np.var, np.max, np.min, np.argmax, np.round, np.cumsum, np.all, np.prod):
        found = function(x)
        assert isinstance(found, rlx.Array)
        np.testing.assert_allclose(found, function(X), rtol=1e-6)
    np.testing.assert_allclose(np.clip(x, 0, 1), np.clip(X, 0, 1))
    with pytest.raises(rlx.RlxError, match="returns"):
        np.sum(x, out=np.zeros(()))


def test_the_number_of_elements_is_an_int_and_torch_may_call_it():
    x = rnp.asarray(X)
    assert x.size == 6 and x.size(1) == 3 and x.size() == (2, 3)
    assert rlx.jit(lambda x: x + x.size(-1))(X)[0, 0] == 4


def test_real_and_imaginary_parts_are_attributes():
    z = (X + 2j * X).astype(np.complex64)
    found = rlx.jit(lambda z: (z.real, z.imag))(z)
    np.testing.assert_array_equal(found[0], X)
    np.testing.assert_array_equal(rnp.asarray(z).imag, 2 * X)


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("sin", r"rlx\.numpy\.sin"),
        ("relu", r"rlx\.nn\.relu"),
        ("dynamic_slice", r"rlx\.lax\.dynamic_slice"),
        ("PRNGKey", r"rlx\.random\.PRNGKey"),
        ("float32", r"rlx\.numpy\.float32"),
        ("pmap", "vmap"),
        ("from_onnx", "load_model"),
        ("jitt", "jit"),
    ],
)
def test_names_that_live_elsewhere(name, way):
    with pytest.raises(AttributeError, match=way):
        getattr(rlx, name)


def test_a_body_of_a_loop_has_the_builders_of_its_graph():
    def body(c, x):
        inner = rlx.lax.scan(lambda d, y: (d.graph.sin(d), y), c, np.zeros(2, np.float32))[0]
        return c.graph.add(inner, x), x

    found = rlx.jit(lambda x: rlx.lax.scan(body, x, np.ones(2, np.float32))[0])(X)
    expected = np.sin(np.sin(np.sin(np.sin(X)) + 1)) + 1
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    with pytest.raises(AttributeError, match=r"rlx\.numpy"):
        rlx.jit(lambda x: rlx.lax.scan(lambda c, y: (c.graph.nothing(c), y), x, x)[0])(X)
