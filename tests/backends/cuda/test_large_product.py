"""Products of many rows in 16 bits against NumPy: odd sizes, weights as they lie and as rows, pairs, batches, rows that are a symbol."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.backends.cuda.kernels.tiles import LARGE, DotTile, ProductSizes, large_tile, trying
from rlx.core.dtype import DType
from tests.backends.cuda.device import NEEDS_TRITON, Running

pytestmark = NEEDS_TRITON
BF16 = DType.of("bf16").numpy


def drawn(*dims: int, dtype=BF16) -> np.ndarray:
    return np.random.default_rng(sum(dims)).normal(size=dims).astype(np.float32).astype(dtype)


def close(found: np.ndarray, wanted: np.ndarray, size: np.ndarray) -> None:
    """Rounded once to the result's type, and sums in f32, relative to the sum of the absolute terms."""
    step = 2.0**-7 if found.dtype == BF16 else 2.0**-10
    error = np.abs(found.astype(np.float64) - wanted)
    assert (error <= 0.51 * step * np.abs(wanted) + 1e-5 * size + 1e-7).all(), error.max()


def check(run: Running, sizes: dict[str, int], x: np.ndarray, w: np.ndarray, **more: np.ndarray) -> None:
    found = run(sizes, x=x, w=w, **more)["y"]
    wide = [array.astype(np.float64) for array in (x, w)]
    wanted = wide[0] @ wide[1] + more.get("b", np.zeros(1)).astype(np.float64)
    close(found, wanted, np.abs(wide[0]) @ np.abs(wide[1]))
    assert any("def product(" in text for text in run.texts)


@pytest.mark.parametrize(("rows", "columns", "depth"), [(65, 33, 40), (128, 64, 128), (130, 72, 17), (300, 16, 64)])
@pytest.mark.parametrize("dtype", ["bf16", "f16"])
def test_a_product_with_a_bias(rows: int, columns: int, depth: int, dtype: str) -> None:
    g = rlx.Graph("product")
    x, w, b = g.input("x", (rows, depth), dtype), g.input("w", (depth, columns), dtype), g.input("b", (columns,), dtype)
    g.set_outputs({"y": g.matmul(x, w) + b})
    kind = DType.of(dtype).numpy
    run = Running(g, as_planned=False)
    given = drawn(rows, depth, dtype=kind), drawn(depth, columns, dtype=kind)
    found = run({}, x=given[0], w=given[1], b=drawn(columns, dtype=kind))["y"]
    wide = [array.astype(np.float64) for array in given]
    product = (wide[0] @ wide[1]).astype(np.float32).astype(kind).astype(np.float64)
    wanted = product + drawn(columns, dtype=kind).astype(np.float64)
    step = 2.0**-7 if dtype == "bf16" else 2.0**-10
    size = np.abs(wide[0]) @ np.abs(wide[1])
    assert (np.abs(found.astype(np.float64) - wanted) <= step * (np.abs(wanted) + np.abs(product)) + 1e-5 * size).all()


@pytest.mark.parametrize("tile", LARGE, ids=lambda tile: f"{tile.rows}x{tile.columns}")
def test_every_tile(tile: DotTile) -> None:
    g = rlx.Graph("product")
    g.set_outputs({"y": g.matmul(g.input("x", (200, 70), "bf16"), g.input("w", (70, 90), "bf16"))})
    with trying({ProductSizes(256, 90, 70, 1, 2): tile}):
        run = Running(g)
    check(run, {}, drawn(200, 70), drawn(70, 90))


def test_a_batch_of_products() -> None:
    g = rlx.Graph("batch")
    g.set_outputs({"y": g.matmul(g.input("x", ("b", 70, 40), "bf16"), g.input("w", ("b", 40, 24), "bf16"))})
    run = Running(g)
    for batch in (1, 3):  # of the bucket of 4: one block is past the end
        check(run, {"b": batch}, drawn(batch, 70, 40), drawn(batch, 40, 24))


@pytest.mark.parametrize("rows", [5, 60, 65, 300, 1100])
def test_rows_that_are_a_symbol_have_a_kernel_for_each_range(rows: int) -> None:
    g = rlx.Graph("rows")
    g.set_outputs({"y": g.matmul(g.input("x", ("n", 32), "bf16"), g.input("w", (32, 24), "bf16"))})
    run = Running(g)
    before = run.driver.launches
    check(run, {"n": rows}, drawn(rows, 32), drawn(32, 24))
    assert run.driver.launches == before + 1


@pytest.mark.parametrize("rows", [70, "n"])
def test_gate_and_up_behind_a_norm(rows: int | str) -> None:
    """Two products of one left operand; with rows that are a symbol the norm is a kernel before them."""
    from rlx.backends.cuda.backend import CudaBackend
    from rlx.backends.cuda.fake_driver import FakeDriver
    from rlx.core.report import Report
    from rlx.passes.entry import Options

    g = rlx.Graph("gated")
    x = g.input("x", (rows, 32), "bf16")
    h = g.rms_norm(x, g.param("norm", (32,), "bf16"))
    gate, up = (g.matmul(h, g.param(name, (32, 40), "bf16")) for name in ("gate", "up"))
    g.set_outputs({"y": g.silu(gate) * up})
    backend = CudaBackend(FakeDriver())
    code = backend.compile(backend.lower(g, Options(), Report()), Options(), Report())
    assert any(kernel.name == "product" and "sums[1]" in kernel.text for kernel in code.programs[0].kernels)
    weights = {"norm": np.ones(32, BF16), "gate": drawn(32, 40), "up": drawn(32, 40) * BF16.type(0.5)}
    given = drawn(70, 32)
    results = {}
    for device in ("cuda", "reference"):
        exe = rlx.compile(g, device) if device == "reference" else _interpreted(g)
        exe.session.set_params(weights)
        results[device] = np.asarray(exe.run({"x": given})["y"]).astype(np.float64)
    scale = np.abs(results["reference"]).max()
    np.testing.assert_allclose(results["cuda"], results["reference"], rtol=2.0**-6, atol=2.0**-8 * scale)


def _interpreted(graph: rlx.Graph) -> rlx.Executable:
    import os
    from unittest.mock import patch

    with patch.dict(os.environ, {"RLX_CUDA": "interpret"}):
        return rlx.compile(graph, "cuda")


def test_large_shapes_have_large_tiles_and_few_rows_spread_over_the_processors() -> None:
    large = large_tile(ProductSizes(4096, 16384, 2048, 1, 2))
    assert (large.rows, large.columns) == (128, 256)
    small = large_tile(ProductSizes(128, 2048, 8192, 1, 2))
    assert 100 <= (128 // small.rows) * (2048 // small.columns) <= 132
