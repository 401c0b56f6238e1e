"""The device `xla` against the same Llama written in JAX: prefill of 128 tokens, one token after 128 in a cache.

Both are compiled by XLA for the same sizes on the same platform: the ratio is what RLX's graph and its runner add.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from bench import ours, peers
from bench.harness import Contender, Settings, Workload
from bench.suites.llama import CAPACITY, CONFIG, PAST, Peers, given, races


def workloads(settings: Settings) -> Iterator[Workload]:
    """Prefill, then decode; products of f32 in full precision on both sides, which accelerators else leave out."""
    peers.need("jax").config.update("jax_default_matmul_precision", "highest")
    weights, ids = given()
    suite = Peers(weights, ids, settings)
    prefill = [("rlx", lambda: _prefill(weights, ids[:, :PAST])), ("XLA", lambda: suite.xla_prefill("XLA", False))]
    decode = [("rlx", lambda: _decode(weights, ids)), ("XLA", lambda: suite.xla_decode("XLA", False))]
    return races(weights, ids, prefill, decode)


def _finished(executable: Any, inputs: dict[str, Any]) -> Contender:
    """Runs that are over when the device is done."""
    found: dict[str, Any] = {}

    def run() -> None:
        found.update(executable.run(inputs))
        found["logits"].handle.block_until_ready()

    return Contender("rlx", run, lambda: np.asarray(found["logits"]))


def _prefill(weights: dict[str, np.ndarray], ids: np.ndarray) -> Contender:
    executable = peers.need("rlx").compile(ours.prefill_module(CONFIG, weights, *ids.shape), device="xla")
    executable.set_params(weights)
    return _finished(executable, {"ids": executable.session.to_device(ids.astype(np.int32))})


def _decode(weights: dict[str, np.ndarray], ids: np.ndarray) -> Contender:
    """Two executables share weights and caches: one fills the cache, the other is timed."""
    session = peers.need("rlx").Session("xla")
    batch = ids.shape[0]
    modules = (ours.cached_module(CONFIG, weights, batch, count, CAPACITY) for count in (PAST, 1))
    fill, decode = (session.compile(module) for module in modules)
    session.set_params(weights)
    fill.run({"ids": ids[:, :PAST].astype(np.int32), "length": np.zeros(batch, np.int32)})
    step = {"ids": ids[:, PAST:].astype(np.int32), "length": np.full(batch, PAST, np.int32)}
    return _finished(decode, {name: session.to_device(array) for name, array in step.items()})
