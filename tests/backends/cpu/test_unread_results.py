"""Ops of several results of which some are read by nobody: what computes only these is no kernel."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from tests.backends.cuda.training import losses, recorded

WIDTH = 12


@pytest.mark.parametrize("rows", [7, "n"])
@pytest.mark.parametrize("result", [0, 1, 2])
def test_one_gradient_of_a_norm_and_not_the_others(result: int, rows: int | str) -> None:
    """Rows that are a symbol may be long enough for chunks: a region without results had none to fold. It failed with a KeyError."""
    g = rlx.Graph("gradient")
    x, gamma, w = g.input("x", (rows, WIDTH)), g.input("gamma", (WIDTH,)), g.input("w", (WIDTH, WIDTH))
    dy = g.matmul(g.layer_norm(x, gamma, g.constant(np.zeros(WIDTH, np.float32)), axes=-1, eps=1e-5), w)
    g.set_outputs({"y": g.layer_norm_backward(x, gamma, dy, axes=-1, eps=1e-5)[result]})
    random = np.random.default_rng(3)
    given = {name: random.normal(size=dims) for name, dims in (("x", (7, WIDTH)), ("gamma", WIDTH), ("w", (WIDTH, WIDTH)))}
    found = rlx.compile(g, "cpu").run({name: array.astype(np.float32) for name, array in given.items()})["y"]
    centered = given["x"] - given["x"].mean(1, keepdims=True)
    scale = 1 / np.sqrt((centered**2).mean(1, keepdims=True) + 1e-5)
    n = centered * scale
    dy = (n * given["gamma"]) @ given["w"]
    scaled = dy * given["gamma"]
    dx = scale * (scaled - scaled.mean(1, keepdims=True) - n * (scaled * n).mean(1, keepdims=True))
    wanted = (dx, (dy * n).sum(0), dy.sum(0))[result]
    np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-4, atol=1e-5)


def test_training_behind_a_norm_of_the_input_with_any_number_of_rows() -> None:
    np.testing.assert_allclose(losses("cpu", 3), recorded()[:3], rtol=1e-5)
