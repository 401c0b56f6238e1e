"""The programs of examples/jax_ports beside JAX, which runs the same text: the first call of each step in a new process, and later ones.

Also `a + b` of 8 numbers outside of jit. What is right is what JAX computes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from bench import peers
from bench.harness import Contender, Seconds, Settings, Workload
from bench.models.ports import PORTS, Noise, Port, leaves, load

FOLDER = Path(__file__).resolve().parents[2]
QUICK = ("mlp_digits", "gpt", "hmc", "implicit_layer")


def workloads(settings: Settings) -> Iterator[Workload]:
    """Eager addition; each step warm; each step cold."""
    yield _workload("a + b of 8 numbers, eager", lambda: np.arange(8.0) + 1, _eager)
    for port in PORTS:
        if not settings.quick or port.name in QUICK:
            reference = cache(partial(_first_step, port))
            yield _workload(f"{port.name}, warm", reference, partial(_warm, port))
            yield _workload(f"{port.name}, cold", reference, partial(_cold, port))


def _workload(name: str, reference: Callable[[], np.ndarray], build: Callable[[str, str], Contender]) -> Workload:
    contenders = [("rlx", partial(build, "rlx", "rlx")), ("XLA", partial(build, "XLA", "jax"))]
    return Workload(name, flops=0.0, bytes_from_memory=0.0, reference=reference, contenders=contenders, rate="", tolerance=1e-3)


def _first_step(port: Port) -> np.ndarray:
    peers.need("jax")
    module = load(port.name, "jax")
    return leaves(module, getattr(module, port.step)(*port.arguments(Noise())))


def _eager(name: str, library: str) -> Contender:
    functions: Any = peers.need(f"{library}.numpy")
    a, b = functions.arange(8.0), functions.ones(8)
    return peers.from_numpy_function(name, lambda: (a + b).block_until_ready())


def _warm(port: Port, name: str, library: str) -> Contender:
    """Calls on arrays of the library; a step that takes the memory of its state gets the state it returned."""
    peers.need(library)
    module = load(port.name, library)
    step, jax = getattr(module, port.step), module.jax
    arguments = jax.tree.map(module.jnp.asarray, port.arguments(Noise()))
    found = step(*arguments)
    first = leaves(module, found)
    state = list(found[: port.state] if port.donates else arguments[: port.state])
    others = arguments[port.state :]

    def call() -> None:
        found = step(*state, *others)
        for leaf in jax.tree.leaves(found):
            leaf.block_until_ready()
        if port.donates:
            state[:] = found[: port.state]

    return Contender(name, call, lambda: first)


def _cold(port: Port, name: str, library: str) -> Contender:
    """A child process per call, which says how long the first step took."""
    peers.need(library)
    room = tempfile.TemporaryDirectory(prefix="rlx-bench-")
    result = Path(room.name) / "result.npy"
    command = [sys.executable, "-m", "bench.first_step", library, port.name, str(result)]

    def call() -> Seconds:
        settings = {**os.environ, "RLX_CACHE": "0"}
        done = subprocess.run(command, cwd=FOLDER, env=settings, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError((done.stderr.strip().splitlines() or ["the child process failed"])[-1])
        return Seconds(done.stdout.split()[-1])

    def read() -> np.ndarray:
        assert room  # the folder lives as long as its contender
        return np.load(result)

    return Contender(name, call, read)
