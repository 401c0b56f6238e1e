"""The programs of examples/jax_ports: one text for both libraries, with the imports of either, and the arrays their steps are run on."""

from __future__ import annotations

import itertools
import re
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "jax_ports"
IMPORTS = (
    (r"^import rlx as jax$", "import jax"),
    (r"^import rlx\.numpy as jnp$", "import jax.numpy as jnp"),
    (r"^from rlx import (.+)$", r"from jax import \1"),
)
"""The lines that differ between a program for RLX and the same for JAX."""


def text(name: str, library: str) -> str:
    """The source of a program, for "rlx" or with the imports of "jax"."""
    source = (FOLDER / f"{name}.py").read_text()
    if library == "jax":
        for ours, theirs in IMPORTS:
            source = re.sub(ours, theirs, source, flags=re.MULTILINE)
    return source


def load(name: str, library: str) -> types.ModuleType:
    """A program as a module, made anew: nothing in it is compiled yet."""
    module = types.ModuleType(f"{name}_on_{library}")
    module.__file__ = str(FOLDER / f"{name}.py")
    sys.path.insert(0, str(FOLDER))  # for what the programs share
    try:
        exec(compile(text(name, library), module.__file__, "exec"), module.__dict__)
    finally:
        sys.path.remove(str(FOLDER))
    return module


class Noise:
    """Arrays of f32 from a fixed seed."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)

    def normal(self, *shape: int, scale: float = 1.0) -> np.ndarray:
        return (scale * self.rng.standard_normal(shape)).astype(np.float32)

    def uniform(self, *shape: int, low: float = 0.0, high: float = 1.0) -> np.ndarray:
        return self.rng.uniform(low, high, shape).astype(np.float32)

    def gumbel(self, *shape: int) -> np.ndarray:
        return self.rng.gumbel(size=shape).astype(np.float32)

    def dense(self, fan_in: int, fan_out: int) -> np.ndarray:
        return self.normal(fan_in, fan_out, scale=fan_in**-0.5)

    def digits(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Pictures of 64 points and labels; what is on them does not matter here."""
        return self.uniform(count, 64), self.rng.integers(0, 10, count).astype(np.int32)


def zeros(*shape: int) -> np.ndarray:
    return np.zeros(shape, np.float32)


def zeros_like(tree: Any) -> Any:
    """A tree of dictionaries, lists and tuples with zeros for its arrays."""
    if isinstance(tree, dict):
        return {name: zeros_like(value) for name, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return type(tree)(zeros_like(value) for value in tree)
    return np.zeros_like(tree)


def leaves(module: types.ModuleType, tree: Any) -> np.ndarray:
    """All numbers in what a program's function returned, one after the other."""
    return np.concatenate([np.ravel(np.asarray(leaf)).astype(np.float64) for leaf in module.jax.tree.leaves(tree)])


@dataclass(frozen=True)
class Port:
    """A program's step: the function, its arguments (state first, which results replace), and how many of them are state."""

    name: str
    step: str
    arguments: Callable[[Noise], tuple[Any, ...]]
    state: int = 1
    donates: bool = False  # whether the step takes the memory of its state, so that results must be given to the next

    def run(self, module: types.ModuleType, steps: int) -> list[np.ndarray]:
        """All arrays that a few steps returned, in order."""
        step, arguments = getattr(module, self.step), self.arguments(Noise())
        results: list[np.ndarray] = []
        for _ in range(steps):
            found = step(*arguments)
            results += [np.array(leaf) for leaf in module.jax.tree.leaves(found)]  # copies: the next step may be given them
            arguments = (*found[: self.state], *arguments[self.state :])
        return results


def _mlp(noise: Noise) -> tuple[Any, ...]:
    sizes = (64, 128, 64, 10)
    layers = [{"w": noise.dense(m, n), "b": zeros(n)} for m, n in itertools.pairwise(sizes)]
    return (layers, *noise.digits(64))


def _cnn(noise: Noise) -> tuple[Any, ...]:
    params = {
        "conv1": {"w": noise.normal(3, 3, 1, 16, scale=0.4), "b": zeros(16)},
        "conv2": {"w": noise.normal(3, 3, 16, 32, scale=0.1), "b": zeros(32)},
        "dense": {"w": noise.dense(128, 10), "b": zeros(10)},
    }
    return (params, (np.int32(0), zeros_like(params), zeros_like(params)), *noise.digits(64))


def _gpt(noise: Noise) -> tuple[Any, ...]:
    width, vocabulary = 64, 28

    def norm() -> dict[str, np.ndarray]:
        return {"scale": np.ones(width, np.float32), "bias": zeros(width)}

    def block() -> dict[str, Any]:
        shapes = {"qkv": (width, 3 * width), "proj": (width, width), "up": (width, 4 * width), "down": (4 * width, width)}
        return {name: noise.normal(*s, scale=0.1) for name, s in shapes.items()} | {"norm1": norm(), "norm2": norm()}

    params = {"tokens": noise.normal(vocabulary, width, scale=0.1), "places": noise.normal(32, width, scale=0.1)}
    params |= {"blocks": [block(), block()], "norm": norm()}
    state = {"m": zeros_like(params), "v": zeros_like(params), "t": zeros()}
    return params, state, noise.rng.integers(0, vocabulary, (16, 33)).astype(np.int32)


def _vae(noise: Noise) -> tuple[Any, ...]:
    def dense(m: int, n: int) -> tuple[np.ndarray, np.ndarray]:
        return noise.dense(m, n), zeros(n)

    params = {"encoder": dense(64, 128), "mean": dense(128, 8), "log_variance": dense(128, 8)}
    params |= {"decoder": (dense(8, 128), dense(128, 64))}
    return params, zeros_like(params), noise.digits(64)[0], noise.normal(64, 8)


def _neural_ode(noise: Noise) -> tuple[Any, ...]:
    params = {"w1": noise.normal(2, 32, scale=0.5), "b1": zeros(32), "w2": noise.normal(32, 2, scale=0.1), "b2": zeros(2)}
    times = np.linspace(0, 2, 40, dtype=np.float32)
    return params, zeros_like(params), noise.uniform(16, 2, low=-1), times, noise.uniform(16, 40, 2, low=-1)


def _pinn(noise: Noise) -> tuple[Any, ...]:
    params = [(noise.dense(m, n), zeros(n)) for m, n in ((2, 32), (32, 32), (32, 1))]
    state = (zeros_like(params), zeros_like(params), np.float32(0))
    return params, state, noise.uniform(128), noise.uniform(128, high=0.3)


def _kalman(noise: Noise) -> tuple[Any, ...]:
    return {"move": np.float32(0), "see": np.float32(0)}, noise.normal(200, 2).cumsum(axis=0) * np.float32(0.1)


def _hmc(noise: Noise) -> tuple[Any, ...]:
    x, y = noise.normal(200, 3), (noise.uniform(200) > 0.4).astype(np.float32)
    return zeros(3), x, y, noise.normal(30, 3), noise.uniform(30)


def _gaussian_process(noise: Noise) -> tuple[Any, ...]:
    params = {"length": np.float32(1.0), "height": np.float32(0.5), "noise": np.float32(-1.0)}
    x = noise.uniform(60, 1, low=-3, high=3)
    return params, zeros_like(params), x, np.sin(2 * x[:, 0]) + noise.normal(60, scale=0.1)


def _rnn(noise: Noise) -> tuple[Any, ...]:
    gates = {name: {"x": noise.dense(2, 32), "h": noise.dense(32, 32), "b": zeros(32)} for name in ("reset", "update", "new")}
    params = {"gates": gates, "out": noise.dense(32, 1)}
    return params, zeros_like(params), noise.uniform(64, 12, 2), noise.uniform(64)


def _policy_gradient(noise: Noise) -> tuple[Any, ...]:
    params = {"w1": noise.normal(4, 32, scale=0.5), "b1": zeros(32), "w2": noise.normal(32, 2, scale=0.1)}
    return params, noise.uniform(32, 4, low=-0.05, high=0.05), noise.gumbel(32, 64, 2)


def _implicit_layer(noise: Noise) -> tuple[Any, ...]:
    cell = {"w": noise.normal(24, 24, scale=0.1), "u": noise.normal(2, 24), "b": zeros(24)}
    params = {"cell": cell, "out": noise.normal(24, scale=0.2)}
    return params, noise.uniform(128, 2, low=-1), noise.uniform(128, low=-1)


PORTS = [
    Port("mlp_digits", "update", _mlp),
    Port("cnn", "update", _cnn, state=2),
    Port("gpt", "update", _gpt, state=2, donates=True),
    Port("vae", "update", _vae, state=2),
    Port("neural_ode", "update", _neural_ode, state=2),
    Port("pinn", "update", _pinn, state=2),
    Port("kalman", "update", _kalman),
    Port("hmc", "sample", _hmc, state=0),
    Port("gaussian_process", "update", _gaussian_process, state=2),
    Port("rnn", "update", _rnn, state=2),
    Port("policy_gradient", "update", _policy_gradient),
    Port("implicit_layer", "update", _implicit_layer),
]
BY_NAME = {port.name: port for port in PORTS}
