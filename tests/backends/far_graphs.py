"""Small graphs for the device `far`."""

from __future__ import annotations

import numpy as np

import rlx


def random(*dims: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(dims).astype(np.float32)


def layer(device: str = "far", **options) -> rlx.Executable:
    """y = tanh(x @ w + b) [n, 4]."""
    g = rlx.Graph("layer")
    x, w, b = g.input("x", ("n", 4)), g.param("w", (4, 4)), g.param("b", (4,))
    g.set_outputs({"y": g.tanh(x @ w + b)})
    return rlx.compile(g, device, **options)


def counter(device: str = "far") -> rlx.Executable:
    """total += x; y = total * w."""
    g = rlx.Graph("counter")
    total = g.state("total", (3,), "f32")
    new = total + g.input("x", (3,))
    g.update(total, new)
    g.set_outputs({"y": new * g.param("w", (3,))})
    return rlx.compile(g, device)


WEIGHTS = {"w": random(4, 4, seed=1), "b": random(4, seed=2)}


def expected(x: np.ndarray) -> np.ndarray:
    return np.tanh(x @ WEIGHTS["w"] + WEIGHTS["b"])
