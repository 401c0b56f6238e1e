"""Products of bytes with sums in i32, as quantized graphs have them, beside the same product in f32."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import rlx
from bench import arrays
from bench.harness import Contender, Settings, Workload

# m, n, k
SHAPES = ((1, 4096, 4096), (8, 2048, 2048), (128, 4096, 1024), (1024, 1024, 1024), (512, 384, 384))
QUICK = ((1, 4096, 4096), (128, 1024, 1024))


def workloads(settings: Settings) -> Iterator[Workload]:
    """One workload per shape."""
    for m, n, k in QUICK if settings.quick else SHAPES:
        yield product(m, n, k)


def product(m: int, n: int, k: int) -> Workload:
    """x in i8 times one weight in i8; the contenders in f32 multiply the same numbers, exactly where sums stay below 2²⁴."""
    random = np.random.default_rng(0)
    x, w = (random.integers(-128, 128, dims).astype(np.int8) for dims in ((m, k), (k, n)))

    def ours() -> Contender:
        graph = rlx.Graph("bytes")
        given, weight = graph.input("x", (m, k), "i8"), graph.param("w", (k, n), "i8")
        graph.set_outputs({"y": graph.q_matmul(given, weight, dtype="f32")})
        return _contender("rlx, i8", graph, x, w)

    def floats() -> Contender:
        graph = rlx.Graph("floats")
        graph.set_outputs({"y": graph.input("x", (m, k)) @ graph.param("w", (k, n))})
        return _contender("rlx, f32", graph, x.astype(np.float32), w.astype(np.float32))

    def openblas() -> Contender:
        left, right, out = x.astype(np.float32), w.astype(np.float32), arrays.empty((m, n))
        return Contender("OpenBLAS, f32", lambda: np.matmul(left, right, out=out), lambda: out)

    return Workload(
        f"{m} x {n} x {k}",
        flops=2.0 * m * n * k,
        bytes_from_memory=0.0,
        reference=lambda: x.astype(np.float64) @ w.astype(np.float64),
        contenders=[("rlx, i8", ours), ("rlx, f32", floats), ("OpenBLAS, f32", openblas)],
        rate="GFLOP/s",
        arithmetic="int8",
    )


def _contender(name: str, graph: rlx.Graph, x: np.ndarray, w: np.ndarray) -> Contender:
    exe = rlx.compile(graph)
    exe.set_param("w", w)
    out = {"y": arrays.empty((x.shape[0], w.shape[1]))}
    return Contender(name, lambda: exe.run({"x": x}, out=out), lambda: out["y"])
