"""The gradients of the recurrences as ops: against torch's differentiation of the steps in f64, chunk borders, and what they keep."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

import rlx
from rlx.backends.cpu.run.thread_pool import set_threads
from rlx.ir.op import OPS
from tests.ops.running import decomposed, draw, run


def scan_inputs(b: int, s: int, h: int, n: int) -> list[Any]:
    """x, delta, A, B, C."""
    return [
        draw((b, s, h)),
        abs(draw((b, s, h), seed=1)) / 2,
        -abs(draw((h, n), seed=2)),
        draw((b, s, n), seed=3),
        draw((b, s, n), seed=4),
    ]


def delta_inputs(b: int, s: int, h: int, n: int) -> list[Any]:
    """q, k, v, g, beta: keys of about norm 1."""
    q, k = (draw((b, s, h, n), seed=seed) / math.sqrt(n) for seed in (1, 2))
    return [q, k, draw((b, s, h, n), seed=3), -abs(draw((b, s, h), seed=4)) / 2, abs(draw((b, s, h), seed=5)) / 2]


def torch_scan(x: Any, delta: Any, a: Any, b: Any, c: Any, d: Any, state: Any, active: Any) -> tuple[Any, Any]:
    ys = []
    for t in range(x.shape[1]):
        after = torch.exp(delta[:, t, :, None] * a) * state + (delta[:, t] * x[:, t])[..., None] * b[:, t, None, :]
        state = torch.where((t < active)[:, None, None], after, state)
        ys.append((state * c[:, t, None, :]).sum(-1) + d * x[:, t])
    return torch.stack(ys, 1), state


def torch_delta(q: Any, k: Any, v: Any, g: Any, beta: Any, state: Any, active: Any) -> tuple[Any, Any]:
    ys = []
    for t in range(q.shape[1]):
        decayed = state * torch.exp(g[:, t, :, None, None])
        change = (v[:, t] - torch.einsum("bhij,bhi->bhj", decayed, k[:, t])) * beta[:, t, :, None]
        after = decayed + k[:, t, :, :, None] * change[:, :, None, :]
        state = torch.where((t < active)[:, None, None, None], after, state)
        ys.append(torch.einsum("bhij,bhi->bhj", state, q[:, t]) / math.sqrt(q.shape[-1]))
    return torch.stack(ys, 1), state


@pytest.mark.parametrize("name", ["selective_scan", "gated_delta_net"])
@pytest.mark.parametrize("steps", [1, 5, 64, 65, 150])
@pytest.mark.parametrize("lengths", [False, True])
def test_gradients_are_those_of_the_steps(name: str, steps: int, lengths: bool) -> None:
    """By every operand, from both results; with lengths one row stops early, one at once."""
    b, h, n = 2, 3, 4
    length = np.array([steps // 2, 0], np.int32) if lengths else None
    active = torch.tensor(np.full(b, steps) if length is None else length)
    if name == "selective_scan":
        operands = [*scan_inputs(b, steps, h, n), draw((h,), seed=8)]
        state, steps_of = draw((b, h, n), seed=6), torch_scan
    else:
        operands, state, steps_of = delta_inputs(b, steps, h, n), draw((b, h, n, n), seed=6), torch_delta
    dy, d_state = draw(operands[0].shape, seed=7), draw(state.shape, seed=9)
    leaves = [torch.tensor(array.astype(np.float64), requires_grad=True) for array in (*operands, state)]
    torch.autograd.backward(steps_of(*leaves, active), [torch.tensor(seed.astype(np.float64)) for seed in (dy, d_state)])
    given = [*operands[:5], dy, *operands[5:], state, d_state, length]
    for apply in (run, decomposed):
        found = apply(OPS[f"{name}_backward"], *given, state_size=n)
        for mine, leaf in zip(found, leaves, strict=True):
            wanted = leaf.grad.numpy()
            assert mine.dtype == np.float32
            np.testing.assert_allclose(mine, wanted, rtol=0, atol=2e-5 * max(1.0, np.abs(wanted).max()))


@pytest.fixture
def two_threads():
    """Each thread has scratch of its own."""
    set_threads(2)
    yield
    set_threads(None)


@pytest.mark.parametrize("name", ["selective_scan", "gated_delta_net"])
def test_a_gradient_keeps_states_at_the_borders_of_chunks(name: str, two_threads: None) -> None:
    """1024 steps: all states are 1024 of them; kept are 16, and 64 at a time are computed again."""
    steps = 1024
    arrays = scan_inputs(1, steps, 64, 16) if name == "selective_scan" else delta_inputs(1, steps, 2, 32)
    g = rlx.Graph(name)
    values = [g.input(f"x{index}", array.shape) for index, array in enumerate(arrays)]
    y = getattr(g, name)(*values, state_size=16 if name == "selective_scan" else 32)
    g.set_outputs({"loss": (y * y).sum()})
    exe = rlx.compile(rlx.autodiff.grad(g, values), "cpu")
    state = 4 * (64 * 16 if name == "selective_scan" else 2 * 32 * 32)
    rows = sum(array.nbytes for array in arrays)
    assert exe.memory.parts["working"] < (16 + 64 + 8) * state + 4 * rows < steps * state
