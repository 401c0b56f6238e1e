"""What gradients keep: attention in O(S), scans with checkpoints, checkpointed functions. Arenas as the plan counts them; nothing runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rlx
from rlx.core.dim import evaluate
from rlx.core.shape import Shape
from rlx.ir.op import OPS
from rlx.trace.tracer import trace


def arena(module: Any, **sizes: int) -> int:
    return evaluate(rlx.graphs.lower(module, "cpu").lir.arena, sizes)


def test_attention_gradient_needs_memory_in_proportion_to_the_sequence():
    g = rlx.Graph("attention")
    q, k, v = (g.input(name, (1, rlx.Dim("seq", max=8192), 128)) for name in "qkv")
    g.set_outputs({"loss": g.sin(g.attention(q, k, v, num_heads=4, head_dim=32, mask_kind="causal")).sum()})
    gradient = rlx.autodiff.grad(g, ["q", "k", "v"])
    large = arena(gradient, seq=8192)
    assert large < 4.2 * arena(gradient, seq=2048)
    assert large < 8192 * 8192 * 4  # a quarter of the scores of four heads


def test_checkpoints_of_a_scan_save_memory():
    def needed(checkpoints: int | None) -> int:
        g = rlx.Graph("chain")
        h = g.input("h", (4096,))
        step = OPS["sin"]
        y = g.scan(h, step, 256) if checkpoints is None else g.scan_checkpointed(h, step, 256, num_checkpoints=checkpoints)
        g.set_outputs({"loss": y.sum()})
        return arena(rlx.autodiff.grad(g, "h"))

    assert needed(None) > 256 * 4096 * 4  # each carry
    assert needed(16) < (16 + 16 + 4) * 4096 * 4  # 16 kept, 16 of a segment, and what one step needs


@pytest.mark.parametrize("checkpoints", [1, 2, 3, 7, 15, 240])
def test_memory_of_a_checkpointed_scan_is_k_plus_length_over_k_carries(checkpoints):
    """240 steps of a carry of 4000 bytes: what is kept, the carries of one segment, and no more than four beside them."""
    steps, carry = 240, 4000
    g = rlx.Graph("chain")
    h, w = g.input("h", (1000,)), g.input("w", (1000,))
    g.set_outputs({"loss": g.scan_checkpointed(h, lambda c: OPS["sin"](c * w), steps, num_checkpoints=checkpoints).sum()})
    found = arena(rlx.autodiff.grad(g, ["h", "w"])) / carry
    kept = steps if checkpoints == steps else checkpoints + steps // checkpoints
    assert kept <= found <= kept + 4.1  # a tail keeps the carry before it; slots are rounded up to whole cache lines


def test_a_checkpointed_function_keeps_its_arguments_alone():
    def block(x, w):
        return OPS["tanh"](OPS["sin"](OPS["exp"](x @ w) @ w) @ w)

    def needed(layer: Any) -> int:
        def loss(x, w):
            for _ in range(8):
                x = layer(x, w)
            return x.sum()

        arrays = (np.zeros((512, 64), np.float32), np.zeros((64, 64), np.float32))
        shapes = {"0.0": Shape((512, 64), "f32"), "0.1": Shape((64, 64), "f32")}
        return arena(trace(rlx.grad(loss), arrays, {}, shapes).graph)

    kept = 8 * 512 * 64 * 4
    assert needed(block) > 3 * kept
    assert needed(rlx.checkpoint(block)) < 2 * kept
