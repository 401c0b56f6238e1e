"""Optimizers on trees: the updates of optax and of torch, eager and traced, on containers of all kinds."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import optax
import pytest

import rlx
from rlx import RlxError, tree
from rlx.train import SGD, Adam, AdamW, Lion, apply_updates, chain, clip_by_global_norm, cosine, linear

STEPS = 4


@dataclasses.dataclass
class Layer:
    w: Any
    b: Any


def params_of(dtype=np.float32, rng=None):
    rng = rng or np.random.default_rng(1)

    def array(*shape):
        return rng.normal(size=shape).astype(dtype)

    return {"layers": [{"w": array(5, 5), "b": array(5)}, {"w": array(5, 5), "b": array(5)}], "gain": (array(), None)}


def gradients_of(params, step):
    rng = np.random.default_rng(100 + step)
    return tree.map(lambda x: rng.normal(size=x.shape).astype(x.dtype), params)


def everything(*_):
    return True


def optax_cosine(count):
    """Our schedule: warm-up over 2 steps, then half a cosine down to 0.001 at 6."""
    rising = jnp.minimum((count + 1) / 2, 1.0)
    part = jnp.clip((count - 2) / 4, 0.0, 1.0)
    return (0.001 + (0.1 - 0.001) * (jnp.cos(part * jnp.pi) + 1) / 2) * rising


PAIRS = {
    "sgd": (SGD(lr=0.1), optax.sgd(0.1)),
    "momentum": (SGD(lr=0.1, momentum=0.9), optax.sgd(0.1, momentum=0.9)),
    "nesterov": (SGD(lr=0.1, momentum=0.9, nesterov=True), optax.sgd(0.1, momentum=0.9, nesterov=True)),
    "adam": (Adam(lr=0.01, betas=(0.8, 0.95)), optax.adam(0.01, 0.8, 0.95)),
    "adamw": (AdamW(lr=0.01, weight_decay=0.1, decays=everything), optax.adamw(0.01, weight_decay=0.1)),
    "adamw of matrices": (
        AdamW(lr=0.01, weight_decay=0.1),
        optax.adamw(0.01, weight_decay=0.1, mask=lambda p: tree.map(lambda x: x.ndim >= 2, p)),
    ),
    "adamw of a tree": (
        AdamW(lr=0.01, weight_decay=0.1, decays={"layers": [True, {"w": False, "b": True}], "gain": False}),
        optax.adamw(
            0.01, weight_decay=0.1, mask={"layers": [{"w": True, "b": True}, {"w": False, "b": True}], "gain": (False, None)}
        ),
    ),
    "adamw by path": (
        AdamW(lr=0.01, weight_decay=0.1, decays=lambda name, dims: name == "layers.1.w"),
        optax.adamw(
            0.01, weight_decay=0.1, mask={"layers": [{"w": False, "b": False}, {"w": True, "b": False}], "gain": (False, None)}
        ),
    ),
    "decay in sgd": (  # added to the gradient
        SGD(lr=0.1, momentum=0.9, weight_decay=0.1, decays=everything),
        optax.chain(optax.add_decayed_weights(0.1), optax.sgd(0.1, momentum=0.9)),
    ),
    "decay in adam": (
        Adam(lr=0.1, weight_decay=0.1, decays=everything),
        optax.chain(optax.add_decayed_weights(0.1), optax.adam(0.1)),
    ),
    "lion": (Lion(lr=0.01, weight_decay=0.1, decays=everything), optax.lion(0.01, weight_decay=0.1)),
    "cosine": (Adam(lr=cosine(0.1, steps=6, warmup=2, floor=0.001)), optax.adam(optax_cosine)),
    "linear": (SGD(lr=linear(0.1, steps=4)), optax.sgd(optax.linear_schedule(0.1, 0.0, 4))),
    "clipped": (
        chain(clip_by_global_norm(0.5), AdamW(lr=0.01, weight_decay=0.1, decays=everything)),
        optax.chain(optax.clip_by_global_norm(0.5), optax.adamw(0.01, weight_decay=0.1)),
    ),
}


def run(optimizer, params, update, apply, steps=STEPS):
    state = optimizer.init(params)
    for step in range(steps):
        updates, state = update(gradients_of(params, step), state, params)
        params = apply(params, updates)
    return params


def assert_close(found, expected, rtol=2e-5, atol=2e-6):
    assert tree.structure(found) == tree.structure(expected)
    for ours, theirs in zip(tree.leaves(found), tree.leaves(expected), strict=True):
        np.testing.assert_allclose(np.float32(ours), np.float32(theirs), rtol=rtol, atol=atol)


@pytest.mark.parametrize("name", PAIRS)
def test_as_optax(name):
    ours, theirs = PAIRS[name]
    expected = run(theirs, params_of(), jax.jit(theirs.update), optax.apply_updates)
    eager = run(ours, params_of(), ours.update, apply_updates)
    assert_close(eager, expected)


def test_traced_as_eager():
    optimizer, _ = PAIRS["clipped"]
    eager = run(optimizer, params_of(), optimizer.update, apply_updates)
    assert_close(run(optimizer, params_of(), rlx.jit(optimizer.update), rlx.jit(apply_updates)), eager, rtol=0, atol=0)


@pytest.mark.parametrize("name", ["momentum", "clipped"])
def test_bf16_params(name):
    """Computed in f32 from what is stored, so within the rounding of storing of optax on f32 params."""
    ours, theirs = PAIRS[name]
    params = params_of(ml_dtypes.bfloat16)
    found = run(ours, params, ours.update, apply_updates, steps=3)
    assert {str(leaf.dtype) for leaf in tree.leaves(found)} == {"bfloat16"}
    exact, update = tree.map(np.float32, params), jax.jit(theirs.update)
    state = theirs.init(exact)
    for step in range(3):
        updates, state = update(tree.map(np.float32, gradients_of(params, step)), state, exact)
        exact = optax.apply_updates(exact, updates)
    assert_close(found, exact, rtol=2e-2, atol=1e-2)
    kept = tree.leaves(ours.init(params))
    assert {str(leaf.dtype) for leaf in kept} == {"int32", "bfloat16"}


def test_as_the_compiled_training_step():
    """One formula: a loop by hand gives the params of `compile_training`, to rounding."""
    w, x = np.float32([[1, -2], [0.5, 3]]), np.float32([[1, 2], [3, 4], [-1, 0.5]])
    optimizer = AdamW(lr=0.1, weight_decay=0.2)
    g = rlx.Graph("square")
    out = g.input("x", (3, 2)) @ g.param("w", (2, 2))
    g.set_outputs({"loss": (out * out).mean()})
    training = rlx.train.compile_training(g, "loss", optimizer, clip_norm=1.0)
    training.set_params({"w": w})
    by_hand = chain(clip_by_global_norm(1.0), optimizer)
    params = {"w": w}
    state = by_hand.init(params)

    @rlx.jit
    def step(params, state, x):
        loss, gradients = rlx.value_and_grad(lambda p: ((x @ p["w"]) * (x @ p["w"])).mean())(params)
        updates, state = by_hand.update(gradients, state, params)
        return apply_updates(params, updates), state, loss

    for _ in range(4):
        expected = training.step({"x": x})["loss"]
        params, state, loss = step(params, state, x)
        np.testing.assert_allclose(loss, expected, rtol=1e-5)
    np.testing.assert_allclose(params["w"], training.param("w"), rtol=1e-5)
    assert step.traces == 1 and int(state[1].count) == 4


def test_params_in_a_dataclass_and_an_update_in_a_loop():
    params = Layer(np.float32([1, 2]), np.float32(3))
    optimizer = SGD(lr=0.1, momentum=0.5)

    def steps(params, state):
        def one(carry, _):
            params, state = carry
            gradients = rlx.grad(lambda p: (p.w * p.w).sum() + p.b * p.b)(params)
            updates, state = optimizer.update(gradients, state, params)
            return (apply_updates(params, updates), state), None

        return rlx.lax.scan(one, (params, state), length=3)[0]

    found, state = rlx.jit(steps)(params, optimizer.init(params))
    theirs = optax.sgd(0.1, momentum=0.5)
    expected = [params.w, params.b]
    kept = theirs.init(expected)
    for _ in range(3):
        updates, kept = theirs.update([2 * leaf for leaf in expected], kept)
        expected = optax.apply_updates(expected, updates)
    assert type(found) is Layer and type(state.slots["velocity"]) is Layer and int(state.count) == 3
    assert_close([found.w, found.b], expected)


def test_adam_without_params_and_an_unchanged_optimizer_is_not_compiled_again():
    optimizer = Adam(lr=0.1)
    gradients = {"w": np.ones(3, np.float32)}
    state = optimizer.init(gradients)
    for _ in range(3):
        updates, state = optimizer.update(gradients, state)
    np.testing.assert_allclose(updates["w"], -0.1, rtol=1e-4)
    for other in (copy.deepcopy(optimizer), pickle.loads(pickle.dumps(optimizer))):
        assert other == optimizer and vars(other) == {
            name: vars(optimizer)[name] for name in ("lr", "weight_decay", "decays", "betas", "eps")
        }


def test_global_norm():
    found = rlx.train.global_norm(params_of())
    np.testing.assert_allclose(found, np.sqrt(sum((leaf**2).sum() for leaf in tree.leaves(params_of()))), rtol=1e-6)
    assert rlx.train.global_norm([]) == 0


def test_wrong_use_is_an_error():
    params = {"w": np.ones((2, 2), np.float32), "b": [np.ones(2, np.float32)]}
    optimizer = AdamW()
    state = optimizer.init(params)
    with pytest.raises(RlxError, match=r"RLX114.*at \['b'\]: expected a tuple of 1, got a list of 1"):
        optimizer.update({**params, "b": (params["b"][0],)}, state, params)
    with pytest.raises(RlxError, match=r"RLX105.*needs the params"):
        optimizer.update(params, state)
    with pytest.raises(RlxError, match=r"RLX114.*the state of adamw"):
        optimizer.update(params, SGD(momentum=0.9).init(params), params)
    with pytest.raises(RlxError, match=r"RLX114.*chain of 2"):
        chain(clip_by_global_norm(1.0), optimizer).update(params, state, params)
    with pytest.raises(RlxError, match=r"RLX105.*chain of 'adam'"):
        chain("adam")
    for norm in (0, -1, True, "1", float("nan")):
        with pytest.raises(RlxError, match=r"RLX105.*max_norm"):
            clip_by_global_norm(norm)
    with pytest.raises(RlxError, match=r"RLX114.*expected a dict"):
        apply_updates(params, [1, 2])
    g = rlx.Graph("square")
    w = g.param("w", ())
    g.set_outputs({"loss": w * w})
    with pytest.raises(RlxError, match=r"RLX105.*decays"):
        rlx.train.compile_training(g, "loss", AdamW(decays={"w": True}), device="reference")
