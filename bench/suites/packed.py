"""Products with packed weights, GGUF bytes: one row reads weights that no cache holds, 128 rows are bound by arithmetic."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import rlx
from bench import arrays
from bench.harness import Contender, Settings, Workload
from rlx.layouts.gguf_blocks import dequantize_rows, random_rows

SCHEMES = (
    "gguf_q4k",
    "gguf_q6k",
    "gguf_q8_0",
    "gguf_q4_0",
    "gguf_q4_1",
    "gguf_q5k",
    "gguf_q5_0",
    "gguf_q5_1",
    "gguf_iq4_nl",
    "gguf_iq4_xs",
    "gguf_q2k",
    "gguf_q3k",
    "gguf_mxfp4",
    "gguf_tq2_0",
    "gguf_tq1_0",
    "gguf_iq2_xxs",
    "gguf_iq2_xs",
    "gguf_iq2_s",
    "gguf_iq3_xxs",
    "gguf_iq3_s",
    "gguf_iq1_s",
    "gguf_iq1_m",
    "gguf_f16",
)
QUICK = ("gguf_q4k", "gguf_q6k", "gguf_q8_0", "gguf_q4_0")
SIZE = 4096
ROTATED_BYTES = 96 << 20
DISTINCT_ROWS = 64  # of a weight; they repeat


def workloads(settings: Settings) -> Iterator[Workload]:
    """Each scheme with one row, then with 128."""
    for scheme in QUICK if settings.quick else SCHEMES:
        for rows in (1, 128):
            yield products(scheme, rows)


def products(scheme: str, rows: int) -> Workload:
    """x times as many weights of 4096 x 4096 as it takes to leave the caches; of 128 rows one weight is enough."""
    kind = rlx.QuantScheme.parse(scheme)
    weight_bytes = SIZE * SIZE // kind.block_size() * kind.block_bytes()
    copies = -(-ROTATED_BYTES // weight_bytes) if rows == 1 else 1
    x = arrays.normal(np.random.default_rng(0), rows, SIZE)
    distinct = random_rows(kind.detail, DISTINCT_ROWS, SIZE)
    stored = np.tile(distinct, (SIZE // DISTINCT_ROWS, 1))

    def reference() -> np.ndarray:
        return np.asarray(x.astype(np.float64) @ dequantize_rows(kind.detail, distinct).T.astype(np.float64))

    def ours(mode: str) -> Contender:
        graph = rlx.Graph("products")
        given = graph.input("x", (rows, SIZE))
        graph.set_outputs({f"y{i}": given @ graph.param(f"w{i}", (SIZE, SIZE), scheme=scheme) for i in range(copies)})
        exe = rlx.compile(graph, quant_mode=mode)
        for i in range(copies):
            exe.set_param(f"w{i}", stored)
        out = {name: np.empty((rows, SIZE), np.float32) for name in exe.outputs}
        return Contender(f"rlx, {mode}", lambda: exe.run({"x": x}, out=out), lambda: out["y0"])

    return Workload(
        f"{scheme}, {rows} x {SIZE} x {SIZE}" + (f", {copies} weights in turn" if copies > 1 else ""),
        flops=2.0 * rows * SIZE * SIZE * copies,
        bytes_from_memory=float(weight_bytes * copies) if rows == 1 else 0.0,
        reference=reference,
        contenders=[(f"rlx, {mode}", lambda mode=mode: ours(mode)) for mode in ("fast", "exact")],
        rate="GB/s" if rows == 1 else "GFLOP/s",
        tolerance=2e-2,
        arithmetic="int8",
        select=lambda result: result[:, :DISTINCT_ROWS],
    )
