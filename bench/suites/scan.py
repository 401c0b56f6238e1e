"""Recurrences of f32: a selective scan (1024 steps, 1024 channels, 16 states), a gated delta net (1024 steps, 8 heads of 128), and the
causal convolution in front of them (1024 steps, 2048 channels, 4 taps)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from bench import arrays, ours, peers, plain_c
from bench.harness import Contender, Settings, Workload
from bench.models import recurrences

STEPS, CHANNELS, STATES = 1024, 1024, 16
HEADS, HEAD = 8, 128
WIDE, TAPS = 2048, 4


def workloads(settings: Settings) -> Iterator[Workload]:
    """Both recurrences, and the convolution."""
    yield _selective(settings)
    yield _delta(settings)
    yield _causal(settings)


def _selective(settings: Settings) -> Workload:
    random = np.random.default_rng(0)
    given = {
        "x": arrays.normal(random, 1, STEPS, CHANNELS),
        "delta": arrays.aligned(np.log1p(np.exp(arrays.normal(random, 1, STEPS, CHANNELS) - 3))),
        "A": arrays.aligned(-np.exp(arrays.normal(random, CHANNELS, STATES, scale=0.5))),
        "B": arrays.normal(random, 1, STEPS, STATES),
        "C": arrays.normal(random, 1, STEPS, STATES),
    }
    shape = (1, STEPS, CHANNELS)
    contenders = [
        ("rlx", lambda: ours.recurrence("selective_scan", given, STATES, shape)),
        ("XLA scan, state [h, n]", lambda: _xla("XLA scan, state [h, n]", recurrences.jax_scan_rows, given)),
        ("XLA scan, state [n, h]", lambda: _xla("XLA scan, state [n, h]", recurrences.jax_scan_columns, given)),
        ("torch loop", lambda: _torch("torch loop", recurrences.torch_scan, given, settings)),
        (
            "plain C",
            lambda: plain_c.contender(
                "selective_scan", list(given.values()), shape, (STEPS, CHANNELS), CHANNELS // 8, settings.threads
            ),
        ),
    ]
    return Workload(
        f"selective scan, s {STEPS} h {CHANNELS} n {STATES}",
        flops=7.0 * STEPS * CHANNELS * STATES,
        bytes_from_memory=0.0,
        reference=lambda: recurrences.scan_reference(**given),
        contenders=contenders,
        tolerance=1e-4,
    )


def _delta(settings: Settings) -> Workload:
    random = np.random.default_rng(1)
    q, k, v = (arrays.normal(random, 1, STEPS, HEADS, HEAD) for _ in range(3))
    for vectors in (q, k):
        vectors /= np.linalg.norm(vectors, axis=-1, keepdims=True)
    given = {
        "q": q,
        "k": k,
        "v": v,
        "g": arrays.aligned(-np.abs(arrays.normal(random, 1, STEPS, HEADS, scale=0.1))),
        "beta": arrays.aligned(1 / (1 + np.exp(-arrays.normal(random, 1, STEPS, HEADS)))),
    }
    shape = (1, STEPS, HEADS, HEAD)
    units = HEADS * HEAD // 32
    contenders = [
        ("rlx", lambda: ours.recurrence("gated_delta_net", given, HEAD, shape)),
        ("XLA scan", lambda: _xla("XLA scan", recurrences.jax_delta_steps, given)),
        ("XLA chunked", lambda: _xla("XLA chunked", recurrences.jax_delta_chunks, given)),
        ("torch chunked", lambda: _torch("torch chunked", recurrences.torch_delta_chunks, given, settings)),
        (
            "plain C",
            lambda: plain_c.contender("gated_delta_net", list(given.values()), shape, (STEPS, HEADS), units, settings.threads),
        ),
    ]
    if settings.torch_compile:
        name = "torch.compile chunked"
        contenders.append((name, lambda: _torch(name, recurrences.torch_delta_chunks, given, settings, True)))
    return Workload(
        f"gated delta net, s {STEPS}, {HEADS} heads of {HEAD}",
        flops=7.0 * STEPS * HEADS * HEAD * HEAD,
        bytes_from_memory=0.0,
        reference=lambda: recurrences.delta_reference(**given),
        contenders=contenders,
        tolerance=1e-4,
    )


def _causal(settings: Settings) -> Workload:
    random = np.random.default_rng(2)
    given = {
        "x": arrays.normal(random, 1, STEPS, WIDE),
        "w": arrays.normal(random, WIDE, 1, 1, TAPS),
        "left": arrays.normal(random, 1, TAPS - 1, WIDE),
    }
    contenders = [
        ("rlx", lambda: ours.causal_convolution(given, TAPS)),
        ("rlx, shifted products", lambda: ours.causal_convolution(given, TAPS, written_out=True)),
        ("XLA", lambda: _xla("XLA", recurrences.jax_causal, given)),
        ("torch", lambda: _torch("torch", recurrences.torch_causal, given, settings)),
    ]
    return Workload(
        f"depthwise_conv1d_causal, s {STEPS} c {WIDE} k {TAPS}",
        flops=2.0 * STEPS * WIDE * TAPS,
        bytes_from_memory=0.0,
        reference=lambda: recurrences.causal_reference(**given),
        contenders=contenders,
    )


def _xla(name: str, function: Callable[..., Any], given: dict[str, np.ndarray]) -> Contender:
    jax = peers.need("jax")
    run = jax.jit(partial(function, jax))
    on_device = [jax.numpy.asarray(array) for array in given.values()]
    return peers.from_numpy_function(name, lambda: run(*on_device).block_until_ready())


def _torch(
    name: str, function: Callable[..., Any], given: dict[str, np.ndarray], settings: Settings, compiled: bool = False
) -> Contender:
    library = peers.torch(settings.threads)
    run: Any = partial(function, library)
    if compiled:
        run = library.compile(run, dynamic=False)
    tensors = [library.from_numpy(array) for array in given.values()]
    return peers.from_torch_function(name, lambda: run(*tensors), settings.threads)
