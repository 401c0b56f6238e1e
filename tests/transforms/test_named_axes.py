"""`vmap(axis_name=…)` with psum, pmean, pmax, pmin, axis_index, axis_size and all_gather: JAX's numbers."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import jax
import jax.lax
import numpy as np
import pytest

import rlx
import rlx.numpy
from rlx.core.errors import RlxError

NAMES = ("vmap", "grad", "value_and_grad", "vjp", "jvp", "linearize", "jacfwd", "jacrev", "hessian", "jit", "checkpoint")
OURS = SimpleNamespace(np=rlx.numpy, lax=rlx.lax, **{name: getattr(rlx, name) for name in NAMES})
THEIRS = SimpleNamespace(np=jax.numpy, lax=jax.lax, **{name: getattr(jax, name) for name in NAMES})
M = np.float32([[1, -2, 3], [4, 0.5, -6]])
X = np.float32([1, 2, 5])


def loss(lib: Any, a: Any) -> Any:
    """A loss of one example that depends on all."""
    total = lib.lax.psum(lib.np.sin(a) * a, "i")
    return (total * a**2).sum() + lib.lax.pmean((a * a).sum(), "i") ** 2


def batch_norm(lib: Any, a: Any) -> Any:
    """The statistics of a batch."""
    mean = lib.lax.pmean(a, "b")
    return (a - mean) / lib.np.sqrt(lib.lax.pmean((a - mean) ** 2, "b") + 1e-5)


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "psum": lambda lib: lib.vmap(lambda a: a / lib.lax.psum(a, "i"), axis_name="i")(X),
    "psum of a tree": lambda lib: lib.vmap(lambda a: lib.lax.psum({"x": a, "y": (a * 2, a.sum())}, "i"), axis_name="i")(M),
    "psum of what is shared": lambda lib: lib.vmap(lambda a: lib.lax.psum(lib.np.ones(2), "i") * a, axis_name="i")(X),
    "psum of 1": lambda lib: lib.vmap(lambda a: a * lib.lax.psum(1, "i"), axis_name="i")(X),
    "pmean": lambda lib: lib.vmap(lambda a: lib.lax.pmean(a, "i") - a, axis_name="i")(M),
    "pmax and pmin": lambda lib: lib.vmap(lambda a: lib.lax.pmax(a, "i") - lib.lax.pmin(a, "i") * a, axis_name="i")(M),
    "of integers": lambda lib: lib.vmap(lambda a: lib.lax.pmax(a, "i") + lib.lax.psum(a, "i"), axis_name="i")(np.int32([3, 1])),
    "axis_index": lambda lib: lib.vmap(lambda a: a * lib.lax.axis_index("i"), axis_name="i")(X),
    "axis_size": lambda lib: lib.vmap(lambda a: a * lib.lax.axis_size("i"), axis_name="i")(X),
    "all_gather": lambda lib: lib.vmap(lambda a: lib.lax.all_gather(a, "i") * a.sum(), axis_name="i")(M),
    "all_gather along 1": lambda lib: lib.vmap(lambda a: lib.lax.all_gather(a, "i", axis=1) + 1, axis_name="i")(M),
    "all_gather, tiled": lambda lib: lib.vmap(lambda a: lib.lax.all_gather(a, "i", tiled=True) * a[0], axis_name="i")(M),
    "in_axes and out_axes": lambda lib: lib.vmap(
        lambda a, b: a * lib.lax.psum(b * a.sum(), "i"), in_axes=(1, None), out_axes=1, axis_name="i"
    )(M, X[:2]),
    "axis_size given": lambda lib: lib.vmap(lambda: lib.lax.axis_index("i") * 2.0, axis_name="i", axis_size=4)(),
    "two names": lambda lib: lib.vmap(
        lambda a: lib.vmap(lambda b: b - lib.lax.psum(b, "j") * lib.lax.pmean(b, "i"), axis_name="j")(a), axis_name="i"
    )(M),
    "both at once": lambda lib: lib.vmap(
        lambda a: lib.vmap(lambda b: b / lib.lax.psum(b, ("i", "j")), axis_name="j")(a), axis_name="i"
    )(M),
    "a name twice": lambda lib: lib.vmap(
        lambda a: lib.vmap(lambda b: b - lib.lax.psum(b, "i"), axis_name="i")(a) + lib.lax.psum(a, "i"), axis_name="i"
    )(M),
    "inside an unnamed one": lambda lib: lib.vmap(lib.vmap(lambda a: a - lib.lax.pmax(a, "i"), axis_name="i"))(M),
    "around an unnamed one": lambda lib: lib.vmap(lambda a: lib.vmap(lambda b: lib.lax.all_gather(b, "i") * b)(a), axis_name="i")(
        M
    ),
    "batch norm": lambda lib: lib.vmap(lambda a: batch_norm(lib, a), axis_name="b")(M),
    "grad inside": lambda lib: lib.vmap(lib.grad(lambda a: loss(lib, a)), axis_name="i")(M),
    "value_and_grad inside": lambda lib: lib.vmap(lib.value_and_grad(lambda a: loss(lib, a)), axis_name="i")(M),
    "jvp inside": lambda lib: lib.vmap(lambda a: lib.jvp(lambda b: loss(lib, b), (a,), (a * 2,)), axis_name="i")(M),
    "vjp of gather inside": lambda lib: lib.vmap(
        lambda a: lib.vjp(lambda b: lib.lax.all_gather(b, "i") ** 2, a)[1](np.arange(6, dtype=np.float32).reshape(2, 3))[0],
        axis_name="i",
    )(M),
    "jacfwd inside": lambda lib: lib.vmap(lib.jacfwd(lambda a: lib.lax.psum(a * a, "i") * a), axis_name="i")(M),
    "checkpoint inside": lambda lib: lib.vmap(lib.grad(lib.checkpoint(lambda a: loss(lib, a))), axis_name="i")(M),
    "grad outside": lambda lib: lib.grad(lambda m: lib.vmap(lambda a: loss(lib, a), axis_name="i")(m).sum())(M),
    "grad outside of a gather": lambda lib: lib.grad(
        lambda m: (lib.vmap(lambda a: lib.lax.all_gather(a, "i") * a, axis_name="i")(m) ** 2).sum()
    )(M),
    "hessian outside": lambda lib: lib.hessian(
        lambda x: (lib.vmap(lambda a: a / lib.lax.psum(a * a, "i"), axis_name="i")(x) ** 2).sum()
    )(X),
    "jit around": lambda lib: lib.jit(lib.vmap(lambda a: batch_norm(lib, a), axis_name="b"))(M),
    "jit inside": lambda lib: lib.vmap(lib.jit(lambda a: batch_norm(lib, a)), axis_name="b")(M),
    "scan inside": lambda lib: lib.vmap(
        lambda a: lib.lax.scan(lambda c, r: (c * 0.5 + lib.lax.psum(r, "i"), lib.lax.pmean(c, "i")), 0.0, a), axis_name="i"
    )(M),
    "cond inside": lambda lib: lib.vmap(
        lambda a: lib.lax.cond(lib.lax.pmax(a, "i").sum() > 0, lambda b: b * lib.lax.psum(b, "i"), lambda b: b, a), axis_name="i"
    )(M),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_collectives_of_a_named_vmap(name: str) -> None:
    """Values, derivatives inside and outside, nested names."""
    mine, theirs = PROGRAMS[name](OURS), PROGRAMS[name](THEIRS)
    assert jax.tree.structure(jax.tree.map(np.asarray, mine)) == jax.tree.structure(jax.tree.map(np.asarray, theirs))
    for one, other in zip(jax.tree.leaves(jax.tree.map(np.asarray, mine)), jax.tree.leaves(theirs), strict=True):
        np.testing.assert_allclose(one, np.asarray(other), rtol=2e-5, atol=1e-5)


def test_the_derivative_of_an_extremum() -> None:
    """JAX has none inside `vmap`; it belongs to the example that has the largest value, and equal ones share it."""
    slope = rlx.vmap(rlx.grad(lambda a: rlx.lax.pmax(a * a, "i")), axis_name="i")
    np.testing.assert_allclose(slope(np.float32([1, -3, 2])), [0, -18, 0])
    np.testing.assert_allclose(slope(np.float32([2, 2])), [4, 4])


def test_any_batch_size_runs_the_same_version() -> None:
    """The size of a named axis may be a symbol."""
    centered = rlx.jit(rlx.vmap(lambda a: a - rlx.lax.pmean(a, "i") * rlx.lax.psum(1, "i"), axis_name="i"))
    for n in (2, 3, 4, 5):
        x = np.arange(n, dtype=np.float32)
        np.testing.assert_allclose(centered(x), x - x.sum(), rtol=1e-6)
    assert centered.traces == 2


@pytest.mark.parametrize("call", [rlx.lax.psum, rlx.lax.pmean, rlx.lax.pmax, rlx.lax.pmin, rlx.lax.all_gather])
def test_a_name_that_is_not_bound_is_an_error(call: Any) -> None:
    """It names the axis, the names there are, and what to write."""
    with pytest.raises(RlxError, match=r"RLX612.*'i'"):
        call(np.float32(1), "i")
    with pytest.raises(RlxError, match=r"(?s)'i'.*the names here: batch"):
        rlx.vmap(lambda a: call(a, "i"), axis_name="batch")(X)
    for other in (rlx.lax.axis_index, rlx.lax.axis_size):
        with pytest.raises(RlxError, match="RLX612"):
            other("i")
