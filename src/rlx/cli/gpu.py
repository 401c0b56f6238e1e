"""What rlx doctor shows of a GPU: its description, and what it reaches by programs of ours."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from rlx.backends.registry import find_backend
from rlx.core.dtype import DType
from rlx.module.graph import Graph
from rlx.runtime.compile import compile_module

_BYTES, _SIDE, _CALLS = 1 << 28, 8192, 200
_SMALL_BYTES, _SMALL_SIDE, _SMALL_CALLS = 1 << 12, 64, 2


def gpu_rows() -> dict[str, str]:
    """The GPU in words, then copying, a bf16 product and a call, measured; on small sizes where the kernels are interpreted."""
    backend: Any = find_backend("cuda")
    driver = backend.driver
    small = driver.checks
    size, side, calls = (_SMALL_BYTES, _SMALL_SIDE, _SMALL_CALLS) if small else (_BYTES, _SIDE, _CALLS)
    return {
        **backend.describe(),
        "copying (read and written)": f"{2e-9 * size / _copy_seconds(driver, size):.0f} GB/s",
        f"bf16 product of {side}³": f"{2e-12 * side**3 / _product_seconds(driver, side):.0f} TFLOP/s",
        "call of a tiny graph": f"{1e6 * _call_seconds(driver, calls):.1f} µs",
    }


def _best(call: Callable[[], object], driver: Any, times: int) -> float:
    """Seconds of one of some calls between two waits: the best of three rounds, after one that makes what is kept."""
    found = []
    for _ in range(4):
        driver.synchronize()
        start = time.perf_counter()
        for _ in range(times):
            call()
        driver.synchronize()
        found.append((time.perf_counter() - start) / times)
    return min(found[1:])


def _copy_seconds(driver: Any, size: int) -> float:
    source, target = (driver.allocate(size, "a copy") for _ in range(2))
    try:
        return _best(lambda: driver.copy(target, source, size), driver, 8)
    finally:
        driver.free(source)
        driver.free(target)


def _run_seconds(driver: Any, graph: Graph, inputs: dict[str, Any], times: int) -> float:
    exe = compile_module(graph, "cuda")
    given = {name: exe.session.to_device(array) for name, array in inputs.items()}
    out = exe.run(given)
    return _best(lambda: exe.run(given, out=out), driver, times)


def _product_seconds(driver: Any, side: int) -> float:
    """Of random numbers: a GPU multiplies zeros faster."""
    g = Graph("product")
    g.set_outputs({"z": g.matmul(g.input("x", (side, side), "bf16"), g.input("y", (side, side), "bf16"))})
    block = np.random.default_rng(0).standard_normal(min(side * side, 1 << 20)).astype(np.float32)
    array = np.resize(block, (side, side)).astype(DType.of("bf16").numpy)
    return _run_seconds(driver, g, {"x": array, "y": array}, 5)


def _call_seconds(driver: Any, calls: int) -> float:
    g = Graph("tiny")
    g.set_outputs({"y": g.input("x", (8,), "f32") + 1.0})
    return _run_seconds(driver, g, {"x": np.ones(8, np.float32)}, calls)
