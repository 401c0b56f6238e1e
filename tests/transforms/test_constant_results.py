"""Derivatives of functions whose result does not depend on the argument are zero, as in JAX."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import jax
import numpy as np
import pytest

import rlx
import rlx.numpy

Text = Callable[[Any], Any]
"""A function of an array, written for either library: `lib` has numpy, lax and tree."""

OURS = SimpleNamespace(numpy=rlx.numpy, lax=rlx.lax, api=rlx)
THEIRS = SimpleNamespace(numpy=jax.numpy, lax=jax.lax, api=jax)
X = np.arange(1, 5, dtype=np.float32)
C = np.ones(3, np.float32)

ARRAYS: dict[str, Callable[[Any], Text]] = {
    "an array of NumPy": lambda lib: lambda x: C,
    "an array": lambda lib: lambda x: lib.numpy.asarray(C),
    "computed from an array": lambda lib: lambda x: lib.numpy.sin(lib.numpy.asarray(C)) * 2,
    "a tuple, one of two depends": lambda lib: lambda x: (lib.numpy.asarray(C), x * x),
    "a dict, nested": lambda lib: lambda x: {"a": [lib.numpy.asarray(C)], "b": (x[1:] * 3, lib.numpy.ones(()))},
    "the argument stopped": lambda lib: lambda x: lib.lax.stop_gradient(x) * 2,
    "a branch of switch": lambda lib: (
        lambda x: lib.lax.switch(1, [lambda x: x * 2, lambda x: lib.numpy.asarray(np.float32([1, 2, 3, 4]))], x)
    ),
    "a branch of a traced switch": lambda lib: (
        lambda x: lib.lax.switch(
            (x[0] > 0).astype("int32"), [lambda x: x * 2, lambda x: lib.numpy.asarray(np.float32([1, 2, 3, 4]))], x
        )
    ),
    "a branch of cond": lambda lib: lambda x: lib.lax.cond(x[0] > 0, lambda x: lib.numpy.ones(4), lambda x: x, x),
}
SCALARS: dict[str, Callable[[Any], Text]] = {
    "a number": lambda lib: lambda x: 2.5,
    "a number of NumPy": lambda lib: lambda x: np.float32(2.5),
    "a sum of an array": lambda lib: lambda x: lib.numpy.sum(lib.numpy.asarray(C)),
    "a scalar array of NumPy": lambda lib: lambda x: np.array(2.5, np.float32),
}


def same(ours: Any, theirs: Any) -> None:
    """The same containers with the same numbers."""
    ours, theirs = jax.tree.map(np.asarray, ours), jax.tree.map(np.asarray, theirs)
    assert jax.tree.structure(ours) == jax.tree.structure(theirs)
    for mine, other in zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-5)


def ones(lib: Any, tree: Any) -> Any:
    """Cotangents for a value."""
    return jax.tree.map(lambda leaf: np.ones(np.shape(leaf), np.float32), tree)


TAKEN: dict[str, Callable[[Any, Text], Any]] = {
    "jacfwd": lambda api, f: api.jacfwd(f)(X),
    "jacrev": lambda api, f: api.jacrev(f)(X),
    "jacfwd in jit": lambda api, f: api.jit(api.jacfwd(f))(X),
    "jvp": lambda api, f: api.jvp(f, (X,), (X,)),
    "linearize": lambda api, f: (lambda found: (found[0], found[1](X)))(api.linearize(f, X)),
    "vjp": lambda api, f: (lambda found: (found[0], found[1](ones(api, f(X)))))(api.vjp(f, X)),
    "vjp in jit": lambda api, f: api.jit(lambda x: (lambda found: found[1](ones(api, found[0])))(api.vjp(f, x)))(X),
}
OF_SCALARS: dict[str, Callable[[Any, Text], Any]] = {
    **TAKEN,
    "grad": lambda api, f: api.grad(f)(X),
    "value_and_grad": lambda api, f: api.value_and_grad(f)(X),
    "grad with aux": lambda api, f: api.grad(lambda x: (f(x), {"x": x}), has_aux=True)(X),
    "grad in jit": lambda api, f: api.jit(api.grad(f))(X),
    "grad of grad": lambda api, f: api.grad(lambda x: api.grad(f)(x).sum() + x.sum())(X),
    "hessian": lambda api, f: api.hessian(f)(X),
    "vmap of grad": lambda api, f: api.vmap(api.grad(f))(X),
}


@pytest.mark.parametrize("how", TAKEN)
@pytest.mark.parametrize("what", ARRAYS)
def test_arrays_that_do_not_depend_on_the_argument(what: str, how: str) -> None:
    """Jacobians, tangents and gradients of such results are zeros in the containers of the result."""
    same(TAKEN[how](rlx, ARRAYS[what](OURS)), TAKEN[how](jax, ARRAYS[what](THEIRS)))


@pytest.mark.parametrize("how", OF_SCALARS)
@pytest.mark.parametrize("what", SCALARS)
def test_scalars_that_do_not_depend_on_the_argument(what: str, how: str) -> None:
    """The gradient of a constant loss is zero, not an error."""
    same(OF_SCALARS[how](rlx, SCALARS[what](OURS)), OF_SCALARS[how](jax, SCALARS[what](THEIRS)))
