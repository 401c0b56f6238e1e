"""`checkpoint` with policies: the same gradients, and no more computed again than the policy says."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.ad_checkpoint import checkpoint_name as jax_checkpoint_name

import rlx
from rlx import checkpoint_policies as policies
from rlx.ir.graph import Graph
from rlx.ir.op import OPS

F32 = np.float32


def draw(*dims: int, seed: int = 0) -> Any:
    return np.random.default_rng([seed, *dims]).uniform(-1, 1, dims).astype(F32)


def count(graph: Graph, name: str) -> int:
    """How often an op stands in a graph and its bodies."""
    inside = sum(count(body, name) for node in graph.nodes for _, body in node.op.graphs())
    return sum(node.op.name == name for node in graph.nodes) + inside


def block(x: Any, w: Any) -> Any:
    """Two products; the second is of the sine of the first."""
    before = rlx.checkpoint_name(x @ w, "before")
    hidden = rlx.checkpoint_name(OPS["sin"](before), "hidden")
    return OPS["tanh"](rlx.checkpoint_name(hidden @ w, "after"))


def theirs(x: Any, w: Any) -> Any:
    before = jax_checkpoint_name(x @ w, "before")
    hidden = jax_checkpoint_name(jnp.sin(before), "hidden")
    return jnp.tanh(jax_checkpoint_name(hidden @ w, "after"))


CUSTOM = lambda value: value.op.name == "sin" and value.shape.rank == 2  # noqa: E731
POLICIES: dict[str, tuple[Any, int]] = {
    # of the two products of the way there, how many are computed again on the way back
    "none": (None, 2),
    "nothing": (policies.nothing_saveable, 2),
    "dots": (policies.dots_saveable, 0),
    "dots by JAX's other name": (policies.checkpoint_dots, 0),
    "weights": (policies.dots_with_no_batch_dims_saveable, 0),
    "everything": (policies.everything_saveable, 0),
    "before": (policies.save_only_these_names("before"), 1),
    "before and after": (policies.save_only_these_names("before", "after"), 0),
    "hidden": (policies.save_only_these_names("hidden"), 2),
    "all names but one": (policies.save_any_names_but_these("before"), 1),
    "all but one": (policies.save_anything_except_these_names("before"), 1),
    "both": (
        policies.save_from_both_policies(policies.save_only_these_names("before"), policies.save_only_these_names("after")),
        0,
    ),
    "one of the user": (CUSTOM, 2),
}


def gradients(function: Any, policy: Any, device: str = "reference") -> Any:
    layer = rlx.checkpoint(function, policy=policy)
    return rlx.jit(rlx.value_and_grad(lambda x, w: layer(layer(x, w), w).sum(), (0, 1)), device=device)


SHORT = ["none", "dots", "before", "all but one", "one of the user"]


@pytest.mark.parametrize("name", [name if name in SHORT else pytest.param(name, marks=pytest.mark.long) for name in POLICIES])
def test_gradients_are_the_same_and_no_more_is_computed_again_than_needed(name):
    policy, again = POLICIES[name]
    x, w = draw(3, 6), draw(6, 6, seed=1)
    f = gradients(block, policy)
    value, found = f(x, w)
    wanted_value, wanted = jax.jit(jax.value_and_grad(lambda x, w: theirs(theirs(x, w), w).sum(), (0, 1)))(x, w)
    np.testing.assert_allclose(value, wanted_value, rtol=1e-5)
    for mine, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-4, atol=1e-5)
    # two blocks: two products there and four back, for x and for w
    lowered = gradients(block, policy, "cpu").lower(x, w)  # the list of passes that merges equal values
    assert count(lowered._lir.graph, "matmul") == 2 * (2 + 4 + again)


@pytest.mark.parametrize("name", ["dots", pytest.param("before", marks=pytest.mark.long)])
def test_on_the_cpu_with_symbolic_sizes(name):
    policy, _ = POLICIES[name]
    w = draw(6, 6, seed=1)
    f, plain = gradients(block, policy, "cpu"), gradients(block, policies.everything_saveable)
    for rows in (3, 4, 9):
        for mine, other in zip(f(draw(rows, 6), w)[1], plain(draw(rows, 6), w)[1], strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-4, atol=1e-5)
    assert f.traces == 2


@pytest.mark.parametrize("name", ["before", *(pytest.param(name, marks=pytest.mark.long) for name in ("dots", "all but one"))])
def test_second_derivatives_batching_and_forward_mode(name):
    policy, _ = POLICIES[name]
    x, w, v = draw(3, 4), draw(4, 4, seed=1), draw(3, 4, seed=2)
    layer = rlx.checkpoint(block, policy=policy)
    on = lambda f, *given: rlx.jit(f, device="reference")(*given)  # noqa: E731
    loss, theirs_loss = (lambda x, w: layer(x, w).sum()), (lambda x, w: theirs(x, w).sum())
    product = lambda m, loss: lambda x, w: (m.grad(loss)(x, w) * v).sum()  # noqa: E731
    pairs = [
        (on(rlx.grad(product(rlx, loss)), x, w), jax.jit(jax.grad(product(jax, theirs_loss)))(x, w)),
        (
            on(rlx.vmap(rlx.grad(loss, 1), (0, None)), x[:, None], w),
            jax.jit(jax.vmap(jax.grad(theirs_loss, 1), (0, None)))(x[:, None], w),
        ),
        (on(lambda x: rlx.jvp(lambda x: layer(x, w), (x,), (v,))[1], x), jax.jvp(lambda x: theirs(x, w), (x,), (v,))[1]),
        (on(rlx.hessian(lambda w: loss(x, w)), w), jax.jit(jax.hessian(lambda w: theirs_loss(x, w)))(w)),
    ]
    for found, wanted in pairs:
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


def test_results_of_loops_can_be_kept_by_name():
    def looped(x: Any, w: Any) -> Any:
        last, _ = rlx.lax.scan(lambda c, _: (OPS["tanh"](c @ w), None), x, length=3)
        return OPS["sin"](rlx.checkpoint_name(last, "last") @ w)

    x, w = draw(3, 4), draw(4, 4, seed=1)
    plain = gradients(looped, policies.everything_saveable)(x, w)[1]
    kept = gradients(looped, policies.save_only_these_names("last"))(x, w)[1]
    for mine, other in zip(kept, plain, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-4, atol=1e-5)


def test_what_a_pullback_keeps_follows_the_policy():
    x, w = draw(3, 6), draw(6, 6, seed=1)
    kept = {}
    for name in ("nothing", "dots", "before"):
        layer = rlx.checkpoint(block, policy=POLICIES[name][0])
        kept[name] = len(rlx.vjp(lambda x, w, layer=layer: layer(x, w), x, w)[1].residuals)
    assert kept["nothing"] == 2 and kept["before"] == 3 and kept["dots"] == 4


def test_remat_is_checkpoint_and_static_arguments_stay_python_values():
    assert rlx.remat is rlx.checkpoint
    power = rlx.checkpoint(lambda x, n: x**n if n > 1 else x, static_argnums=1, prevent_cse=False)
    x = F32([1, 2])
    np.testing.assert_array_equal(power(x, 3), x**3)
    np.testing.assert_array_equal(rlx.grad(lambda x: power(x, 3).sum())(x), 3 * x**2)


def test_a_name_outside_of_a_checkpoint_changes_nothing():
    assert rlx.checkpoint_name(3, "n") == 3
    f = rlx.jit(lambda x: rlx.checkpoint_name({"a": x}, "n")["a"] + 1, device="reference")
    np.testing.assert_array_equal(f(F32([1])), [2])
    assert len(f.executable.graph.nodes) == 3


def test_wrong_policies_and_names_are_errors():
    with pytest.raises(rlx.RlxError, match="RLX105"):
        rlx.checkpoint(block, policy="dots")
    with pytest.raises(rlx.RlxError, match="RLX109"):
        rlx.checkpoint_name(F32(1), 3)
