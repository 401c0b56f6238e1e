"""Complex params: fifty steps beside torch, whose optimizers step real and imaginary parts apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import optax
import pytest
import torch

import rlx
import rlx.numpy as rnp
from rlx.train import SGD, Adam, AdamW, Lion, apply_updates, chain, clip_by_global_norm

STEPS = 50
RNG = np.random.default_rng(3)


def draw(*dims: int) -> Any:
    return (RNG.normal(size=dims) + 1j * RNG.normal(size=dims)).astype(np.complex64)


X, Y, START, GAIN = draw(8, 4), draw(8, 3), draw(4, 3), RNG.normal(size=3).astype(np.float32)
PAIRS: dict[str, tuple[Any, Any]] = {
    "sgd": (SGD(lr=0.02), lambda p: torch.optim.SGD(p, lr=0.02)),
    "nesterov": (
        SGD(lr=0.01, momentum=0.9, nesterov=True, weight_decay=0.1, decays=lambda *_: True),
        lambda p: torch.optim.SGD(p, lr=0.01, momentum=0.9, nesterov=True, weight_decay=0.1),
    ),
    "adam": (Adam(lr=0.03, betas=(0.8, 0.95)), lambda p: torch.optim.Adam(p, lr=0.03, betas=(0.8, 0.95))),
    "adamw": (AdamW(lr=0.03, weight_decay=0.1, decays=lambda *_: True), lambda p: torch.optim.AdamW(p, lr=0.03, weight_decay=0.1)),
}


def torch_run(make: Any, clip: float | None) -> tuple[Any, Any, list[float]]:
    params = [torch.tensor(START, requires_grad=True), torch.tensor(GAIN, requires_grad=True)]
    optimizer, losses = make(params), []
    for _ in range(STEPS):
        error = (torch.tensor(X) @ params[0]) * params[1] - torch.tensor(Y)
        loss = (error.abs() ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        if clip is not None:
            torch.nn.utils.clip_grad_norm_(params, clip)
        optimizer.step()
        losses.append(float(loss.detach()))
    return params[0].detach().numpy(), params[1].detach().numpy(), losses


def loss_of(params: Any, x: Any, y: Any) -> Any:
    error = (x @ params["w"]) * params["gain"] - y
    return rnp.mean(rnp.abs(error) ** 2)


@pytest.mark.parametrize("clip", [None, 0.1])
@pytest.mark.parametrize("name", PAIRS)
def test_fifty_steps_are_torch_s(name: str, clip: float | None) -> None:
    optimizer, make = PAIRS[name]
    chosen = optimizer if clip is None else chain(clip_by_global_norm(clip), optimizer)

    @rlx.jit
    def step(params: Any, state: Any) -> Any:
        loss, gradient = rlx.value_and_grad(loss_of)(params, X, Y)
        updates, state = chosen.update(gradient, state, params)
        return apply_updates(params, updates), state, loss

    params: Any = {"w": START, "gain": GAIN}
    state, losses = chosen.init(params), []
    for _ in range(STEPS):
        params, state, loss = step(params, state)
        losses.append(float(loss))
    w, gain, wanted = torch_run(make, clip)
    np.testing.assert_allclose(losses, wanted, rtol=1e-3)
    np.testing.assert_allclose(params["w"], w, rtol=0, atol=2e-3)
    np.testing.assert_allclose(params["gain"], gain, rtol=0, atol=2e-3)
    assert losses[-1] < losses[0]


@pytest.mark.parametrize("name", PAIRS)
def test_fifty_compiled_steps_of_a_graph_are_torch_s(name: str) -> None:
    graph = rlx.Graph("complex")
    x, y = graph.input("x", (8, 4), "c64"), graph.input("y", (8, 3), "c64")
    error = (x @ graph.param("w", (4, 3), "c64")) * graph.param("gain", (3,)) - y
    graph.set_outputs({"loss": graph.complex_norm_sq(error).mean()})
    training = rlx.train.compile_training(graph, "loss", PAIRS[name][0], guard=True, clip_norm=0.5)
    training.set_params({"w": START, "gain": GAIN})
    losses = [float(training.step({"x": X, "y": Y})["loss"]) for _ in range(STEPS)]
    w, gain, wanted = torch_run(PAIRS[name][1], 0.5)
    np.testing.assert_allclose(losses, wanted, rtol=1e-3)
    np.testing.assert_allclose(training.param("w"), w, rtol=0, atol=2e-3)
    np.testing.assert_allclose(training.param("gain"), gain, rtol=0, atol=2e-3)


def test_lion_steps_the_parts_apart() -> None:
    """torch has no Lion: optax's on the parts as real params."""
    ours, theirs = Lion(lr=0.01, weight_decay=0.1, decays=lambda *_: True), optax.lion(0.01, weight_decay=0.1)
    params, parts = START, np.stack([START.real, START.imag])
    state, other = ours.init(params), theirs.init(parts)
    for _ in range(5):
        gradient = draw(4, 3)
        updates, state = ours.update(gradient, state, params)
        params = apply_updates(params, updates)
        changes, other = theirs.update(np.stack([gradient.real, -gradient.imag]), other, parts)
        parts = np.asarray(optax.apply_updates(parts, changes))
    np.testing.assert_allclose(np.stack([np.real(params), np.imag(params)]), parts, rtol=1e-5, atol=1e-6)


def test_the_norm_of_complex_gradients() -> None:
    assert float(rlx.train.global_norm({"a": np.complex64([3 + 4j]), "b": np.float32([12])})) == pytest.approx(13)
