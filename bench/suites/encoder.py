"""A sentence encoder of MiniLM's shape in f32: 128 tokens, batch 1 and 8."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from bench import ours, peers
from bench.harness import Contender, Settings, Workload
from bench.models import encoder as model

LENGTH = 128
CONFIG = model.EncoderConfig()


def workloads(settings: Settings) -> Iterator[Workload]:
    """One workload per batch size."""
    weights = model.weights(CONFIG)
    for batch in (1,) if settings.quick else (1, 8):
        yield _workload(batch, weights, settings)


def _workload(batch: int, weights: dict[str, np.ndarray], settings: Settings) -> Workload:
    ids = np.random.default_rng(1).integers(0, CONFIG.vocab, (batch, LENGTH))
    checked = sorted({0, batch - 1})  # rows of a batch do not depend on each other
    threads = settings.threads

    @cache
    def network() -> Any:
        peers.torch(threads)
        from bench.models.encoder_torch import TorchEncoder

        return TorchEncoder(CONFIG, weights).eval()

    def tokens() -> Any:
        return peers.torch(threads).from_numpy(ids)

    def eager() -> Contender:
        run, given = network(), tokens()
        return peers.from_torch_function("torch", lambda: run(given), threads)

    def compiled() -> Contender:
        run, given = peers.torch_compiled(network(), threads), tokens()
        return peers.from_torch_function("torch.compile", lambda: run(given), threads)

    def exported() -> Any:
        sources = "bench.models.encoder_torch", "bench.models.encoder"
        return peers.exported(f"encoder_{batch}", network(), (tokens(),), *sources)

    def xla() -> Contender:
        jax = peers.need("jax")
        from bench.models import encoder_jax

        run = jax.jit(encoder_jax.forward(CONFIG))
        on_device, given = {n: jax.numpy.asarray(v) for n, v in weights.items()}, jax.numpy.asarray(ids)
        return peers.from_numpy_function("XLA", lambda: run(on_device, given).block_until_ready())

    contenders = [
        ("rlx", lambda: ours.encoder(CONFIG, weights, ids)),
        ("torch", eager),
        ("XLA", xla),
        ("onnxruntime", lambda: peers.onnxruntime(exported(), [ids], threads)),
        ("OpenVINO", lambda: peers.openvino(exported(), [ids], threads)),
    ]
    return Workload(
        f"batch {batch} x {LENGTH}",
        flops=CONFIG.flops(batch, LENGTH),
        bytes_from_memory=0.0,
        reference=lambda: model.reference(CONFIG, weights, ids[checked]),
        contenders=[*contenders, ("torch.compile", compiled)] if settings.torch_compile else contenders,
        tolerance=1e-4,
        select=lambda result: result[checked],
    )
