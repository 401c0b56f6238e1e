"""Whole graphs on the fake driver equal the reference: a small Llama at several sizes, random graphs."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.module.modules import as_mir_graph
from tests.backends.cuda.device import NEEDS_TRITON
from tests.backends.cuda.training import STEPS, losses, recorded
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


def test_training_steps_equal_the_recorded_curve():
    np.testing.assert_allclose(losses("cuda", 4), recorded()[:4], rtol=1e-5)


def test_the_recorded_curve_is_that_of_the_reference_and_falls():
    curve = recorded()
    np.testing.assert_allclose(losses("reference", 5), curve[:5], rtol=1e-5)
    assert len(curve) == STEPS and np.mean(curve[-20:]) < 0.5 * np.mean(curve[:20])
