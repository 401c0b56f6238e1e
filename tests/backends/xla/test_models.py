"""Models and training on `xla`: the runner against formulas in NumPy, packed weights against the CPU, a training step against it."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.core.quant_scheme import QuantScheme
from rlx.generate.runner import Runner
from rlx.layouts.gguf_blocks import random_rows
from rlx.runtime.session import Session
from rlx.train import AdamW, compile_training
from tests.generate.test_runner import close, some_ids
from tests.generate.tiny import attention_logits, attention_model, recurrent_logits, recurrent_model
from tests.small_llama import random_params, small_llama

KINDS = {"attention": (attention_model, attention_logits), "recurrent": (recurrent_model, recurrent_logits)}


@pytest.mark.parametrize("kind", KINDS)
def test_prompts_then_steps_in_few_programs(kind):
    """Prompts are padded to powers of two, where every length would be a program of its own."""
    make, formula = KINDS[kind]
    ids = some_ids(40)
    wanted = formula(ids)
    runner = Runner(make(session=Session("xla")), chunk=16)
    done = 0
    for count in (5, 7, 6, 11):
        close(runner.prefill([ids[done : done + count]])[0], wanted[done + count - 1])
        done += count
    for place in range(done, 32):
        close(runner.decode([ids[place]])[0], wanted[place])
    assert runner.tokens == [ids[:32]]
    prompts = runner._steps.executable(False, "last")
    assert len(prompts.code.programs) == 2  # of 8 tokens and of 16


def test_ragged_batches_and_going_back():
    rows = [some_ids(count, seed=count) for count in (3, 12, 8)]
    runner = Runner(attention_model(session=Session("xla")), batch=3)
    logits = runner.prefill(rows)
    for row, ids in enumerate(rows):
        close(logits[row], attention_logits(ids)[-1])
    runner.truncate(1, 5)
    close(runner.prefill([[], rows[1][5:9], []])[1], attention_logits(rows[1][:9])[-1])


@pytest.mark.parametrize("name", ["Q4_K", "Q6_K", "Q8_0", "IQ2_XXS"])
def test_packed_weights_are_read_inside_the_program(name):
    scheme = QuantScheme.gguf(name)
    g = rlx.Graph("packed")
    x = g.input("x", (3, 512))
    g.set_outputs({"y": x @ g.param("w", (512, 6), "f32", scheme=scheme)})
    given, rows = np.random.default_rng(0).standard_normal((3, 512)).astype(np.float32), random_rows(name, 6, 512)
    found = {}
    for device in ("reference", "xla"):
        exe = rlx.compile(g, device, quant_mode="exact")
        exe.set_param("w", rows)
        found[device] = np.asarray(exe.run({"x": given})["y"])
        assert exe.param("w").tobytes() == rows.tobytes()
    np.testing.assert_allclose(found["xla"], found["reference"], rtol=1e-4, atol=1e-4)


def test_a_training_step_is_that_of_the_reference():
    module = small_llama(layers=2, batch=2, seq=8)
    graph = module.lower().as_graph() if hasattr(module, "lower") else module.as_graph()
    loss_graph = rlx.GraphModule.from_graph(_with_loss(graph))
    random = np.random.default_rng(0)
    batches = [
        {"ids": random.integers(0, 64, (2, 8), np.int32), "labels": random.integers(0, 64, (2, 8), np.int32)} for _ in range(3)
    ]
    curves = {}
    for device in ("reference", "xla"):
        training = compile_training(loss_graph, "loss", AdamW(lr=1e-2), device=device, clip_norm=1.0)
        training.set_params(random_params(graph))
        curves[device] = [float(training.step(batch)["loss"]) for batch in batches]
    np.testing.assert_allclose(curves["xla"], curves["reference"], rtol=2e-5)
    assert curves["xla"][-1] != curves["xla"][0]


def _with_loss(graph):
    from rlx.ir.pattern import Rewriter

    rewriter = Rewriter(graph, "test")
    for node in graph.nodes:
        rewriter.copy(node)
    made = rlx.Graph.adopt(rewriter.finish()[0])
    labels = made.input("labels", (2, 8), "i32").reshape(16)
    logits = made.outputs["logits"].reshape(16, 64)
    made.set_outputs({"loss": made.softmax_cross_entropy_with_logits(logits, labels).mean()})
    return made
