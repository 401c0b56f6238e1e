"""The gradient of experts' weights as one op, and the gradients of grouped_matmul, against sums over rows in f64."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rlx
from rlx.ir.op import OPS
from tests.ops.running import decomposed, draw, run

DEVICES = pytest.mark.parametrize("device", ["reference", "cpu"])


def by_rows(x: Any, dy: Any, experts: Any, count: int) -> Any:
    """Σ x[i]ᵀ·dy[i], row by row."""
    found = np.zeros((count, x.shape[1], dy.shape[1]))
    for row, seed, expert in zip(x.astype(np.float64), dy.astype(np.float64), experts, strict=True):
        if 0 <= expert < count:
            found[expert] += np.outer(row, seed)
    return found


@pytest.mark.parametrize("experts", [[0, 0, 1, 3, 3], [3, 1, 3, 0, 1], [9, -1, 2, 2, 2]])
def test_each_expert_sums_over_its_rows(experts: list[int]) -> None:
    """An expert without rows has zeros; a row without an expert adds nothing."""
    x, dy, chosen = draw((5, 7)), draw((5, 3), seed=1), np.array(experts, np.int32)
    for apply in (run, decomposed):
        found = np.asarray(apply(OPS["grouped_matmul_backward_weight"], x, dy, chosen, num_experts=4)).reshape(4, 7, 3)
        np.testing.assert_allclose(found, by_rows(x, dy, experts, 4), rtol=1e-5, atol=1e-6)


@DEVICES
@pytest.mark.parametrize("mode", ["clip", "fill"])
def test_gradients_of_grouped_matmul(device: str, mode: str) -> None:
    """Rows of an expert outside: clipped ones count for the nearest expert, filled ones for none."""
    x, w, seed = draw((130, 9)), draw((5, 9, 20), seed=1), draw((130, 20), seed=2)
    experts = np.random.default_rng(3).integers(0, 6, 130).astype(np.int32)
    g = rlx.Graph("experts")
    values = [g.input(name, array.shape) for name, array in (("x", x), ("w", w), ("seed", seed))]
    y = g.grouped_matmul(values[0], values[1], g.input("experts", (130,), "i32"), mode=mode)
    chosen = y if mode == "clip" else OPS["where"](y == y, y, 0.0)
    g.set_outputs({"loss": (chosen * values[2]).sum()})
    exe = rlx.compile(rlx.autodiff.grad(g, ["x", "w"]), device)
    found = exe.run({"x": x, "w": w, "seed": seed, "experts": experts})
    inside = experts < 5
    places, seeds = np.minimum(experts, 4), seed if mode == "clip" else np.where(inside[:, None], seed, 0)
    np.testing.assert_allclose(found["grad_w"], by_rows(x, seeds, places, 5), rtol=1e-4, atol=1e-5)
    wanted = np.einsum("in,ikn->ik", seeds.astype(np.float64), w[places].astype(np.float64))
    np.testing.assert_allclose(found["grad_x"], wanted, rtol=1e-4, atol=1e-5)


def test_the_gradient_costs_as_much_as_the_product() -> None:
    """One product of all rows, whatever the number of experts."""
    for count in (2, 64):
        g = rlx.Graph("cost")
        x, dy, experts = g.input("x", (512, 32)), g.input("dy", (512, 16)), g.input("experts", (512,), "i32")
        g.set_outputs({"y": g.grouped_matmul_backward_weight(x, dy, experts, num_experts=count)})
        lir = rlx.graphs.lower(g, "cpu").lir
        assert [command.stage.name for command in lir.commands] == ["grouped_weights"]
