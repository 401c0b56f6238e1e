"""Whole graphs on the fake driver equal the reference: a small Llama at several sizes, random graphs."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.module.modules import as_mir_graph
from tests.backends.cuda.device import NEEDS_TRITON
from tests.fuzz.running import Trial
from tests.fuzz.test_graphs import made
from tests.small_llama import random_params, small_llama

pytestmark = NEEDS_TRITON


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setenv("RLX_CUDA", "interpret")


def test_a_llama_at_two_sizes_of_one_bucket():
    module = small_llama(layers=1)
    exe, other = rlx.compile(module, "cuda"), rlx.compile(module, "reference")
    params = random_params(as_mir_graph(module))
    ids = np.random.default_rng(0).integers(0, 64, (2, 7)).astype(np.int32)
    for each in (exe, other):
        each.session.set_params(params)
    wanted = other.run({"ids": ids})["logits"]
    np.testing.assert_allclose(np.asarray(exe.run({"ids": ids})["logits"]), wanted, rtol=2e-4, atol=2e-5)
    assert any("captured: yes" in entry.message for entry in exe.report)


@pytest.mark.parametrize("seed", range(4))
def test_a_random_graph(seed: int) -> None:
    Trial(made(seed)).check_whole("cuda")


@pytest.mark.long
@pytest.mark.parametrize("first", range(4, 104, 10))
def test_random_graphs(first: int) -> None:
    for seed in range(first, first + 10):
        Trial(made(seed)).check_whole("cuda")


def test_an_engine_writes_the_same_tokens_as_on_the_cpu():
    from rlx.generate.engine import Engine
    from rlx.runtime.session import Session
    from tests.generate.tiny import attention_model

    written = [
        Engine(attention_model(session=Session(device))).generate("Hi", max_tokens=3, ignore_eos=True).ids
        for device in ("cpu", "cuda")
    ]
    assert written[0] == written[1]


def classifier() -> rlx.Graph:
    g = rlx.Graph("classifier")
    x, y = g.input("x", ("n", 12)), g.input("y", ("n",), "i32")
    h = g.layer_norm(x, g.param("scale", (12,), "f32"), g.param("shift", (12,), "f32"))
    h = g.gelu(g.matmul(h, g.param("w1", (12, 24), "f32")) + g.param("b1", (24,), "f32"))
    logits = g.matmul(h, g.param("w2", (24, 5), "f32"))
    g.set_outputs({"loss": g.reduce_mean(g.softmax_cross_entropy_with_logits(logits, y), axes=0)})
    return g


def test_training_steps_equal_the_reference():
    random = np.random.default_rng(0)
    shapes = {name: node.shape.dims for name, node in classifier().params.items()}
    start = {name: (random.normal(size=dims) * 0.3).astype(np.float32) for name, dims in shapes.items()}
    losses = {}
    for device in ("reference", "cuda"):
        training = rlx.train.compile_training(classifier(), "loss", rlx.train.AdamW(lr=0.01), device=device)
        training.set_params(start)
        found = []
        for seed in range(3):
            batch = np.random.default_rng(seed)
            inputs = {"x": batch.normal(size=(6, 12)).astype(np.float32), "y": batch.integers(0, 5, 6).astype(np.int32)}
            found.append(float(np.asarray(training.step(inputs)["loss"])))
        losses[device] = found
    np.testing.assert_allclose(losses["cuda"], losses["reference"], rtol=1e-5)
