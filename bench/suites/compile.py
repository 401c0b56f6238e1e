"""From tracing to something that runs, in fresh processes: the Llama (prefill, decode) and the encoder, cold and warm from disk.

Then chains of elementwise ops, cold: how the time grows with a graph.

Ours has symbolic batch and length, XLA the sizes it is run with. What counts is measured by `bench.compiling` in its own process.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from bench import compiling, peers
from bench.harness import Contender, Seconds, Settings, Workload

MOST_OF_XLA = 1000  # ops of a chain: it takes minutes for ten thousand
FOLDER = Path(__file__).resolve().parents[2]


def workloads(settings: Settings) -> Iterator[Workload]:
    """Each model cold, then from a cache on disk."""
    for model in compiling.MODELS:
        for cold in (True, False):
            yield _workload(model, cold)
    for chain, (count, _) in compiling.CHAINS.items():
        yield _workload(chain, True, alone=count > MOST_OF_XLA)


def _workload(model: str, cold: bool, *, alone: bool = False) -> Workload:
    contenders: list[tuple[str, Callable[[], Contender]]] = [("rlx", partial(_contender, "rlx", "rlx", model, cold))]
    if not alone:
        contenders.append(("XLA", partial(_contender, "XLA", "jax", model, cold)))
    return Workload(
        f"{model}, {'cold' if cold else 'warm from disk'}",
        flops=0.0,
        bytes_from_memory=0.0,
        reference=partial(compiling.reference, model),
        contenders=contenders,
        rate="",
        tolerance=1e-4,
    )


def _contender(name: str, library: str, model: str, cold: bool) -> Contender:
    """A child process per call, which says how long it took; the first call of a warm one fills its cache."""
    peers.need(library)
    room = tempfile.TemporaryDirectory(prefix="rlx-bench-")
    result = Path(room.name) / "result.npy"
    cache = Path(room.name) / "cache"
    cache.mkdir(mode=0o700)
    settings = {"RLX_CACHE": "0" if cold else "1", "RLX_CACHE_DIR": str(cache)}
    if not cold and library == "jax":
        settings |= {
            "JAX_COMPILATION_CACHE_DIR": str(cache),
            "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
            "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        }
    command = [sys.executable, "-m", "bench.compiling", library, model, str(result)]

    def call() -> Seconds:
        done = subprocess.run(command, cwd=FOLDER, env={**os.environ, **settings}, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "the child process failed")
        return Seconds(done.stdout.split()[-1])

    def read() -> np.ndarray:
        assert room  # the folder lives as long as its contender
        return np.load(result)

    if not cold:
        call()
    return Contender(name, call, read)
