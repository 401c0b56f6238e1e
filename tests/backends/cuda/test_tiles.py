"""Tiles of products: whatever the table says, the product is the same; candidates compile."""

from __future__ import annotations

import re

import numpy as np
import pytest

import rlx
from rlx.backends.cuda.backend import CudaBackend
from rlx.backends.cuda.driver_interface import GpuTarget
from rlx.backends.cuda.fake_driver import FakeDriver
from rlx.backends.cuda.kernels.tiles import TUNED, DotTile, ProductSizes, Tile, WalkTile, candidates, tile_of, trying
from rlx.backends.cuda.triton_compile import compile_here
from rlx.core.report import Report
from rlx.passes.entry import Options
from tests.backends.cuda.device import NEEDS_TRITON

pytestmark = NEEDS_TRITON

DEPTH, COLUMNS = 256, 48


def layer(rows: int | str, pair: bool) -> rlx.Graph:
    g = rlx.Graph("layer")
    x, r = g.input("x", (rows, DEPTH), "bf16"), g.input("r", (rows, COLUMNS), "bf16")
    y = g.matmul(x, g.param("w", (DEPTH, COLUMNS), "bf16"))
    if pair:
        y = g.silu(y) * g.matmul(x, g.param("u", (DEPTH, COLUMNS), "bf16"))
    g.set_outputs({"y": r + y})
    return g


def numbers(rows: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(rows)
    dims = {"x": (rows, DEPTH), "r": (rows, COLUMNS), "w": (DEPTH, COLUMNS), "u": (DEPTH, COLUMNS)}
    bf16 = rlx.Graph("types").input("x", (1,), "bf16").dtype.numpy
    return {name: random.normal(size=each).astype(np.float32).astype(bf16) for name, each in dims.items()}


@pytest.mark.parametrize(
    ("rows", "pair", "tile"),
    [
        (1, False, WalkTile(2, 8)),
        (3, True, WalkTile(16, 2)),
        (5, False, DotTile(16, 16, 64)),
        (7, True, DotTile(16, 16, 32, splits=4)),
        (20, False, DotTile(32, 64, 64, splits=2)),
        (33, True, DotTile(64, 32, 128, splits=8)),  # more splits than the depth has tiles
        (20, False, None),
    ],
)
def test_a_product_by_a_tile(rows: int, pair: bool, tile: Tile | None, monkeypatch) -> None:
    monkeypatch.setenv("RLX_CUDA", "interpret")
    shape = ProductSizes(1 << (rows - 1).bit_length(), COLUMNS, DEPTH, 2 if pair else 1, 2)
    given = numbers(rows)
    with trying({shape: tile} if tile is not None else {}):
        exe = rlx.compile(layer(rows, pair), "cuda")
    exe.session.set_params({name: given[name] for name in ("w", "u")[: 1 + pair]})
    found = np.asarray(exe.run({"x": given["x"], "r": given["r"]})["y"]).astype(np.float64)
    wide = {name: array.astype(np.float64) for name, array in given.items()}
    product = wide["x"] @ wide["w"]
    if pair:
        product = product / (1 + np.exp(-product)) * (wide["x"] @ wide["u"])
    np.testing.assert_allclose(found, wide["r"] + product, rtol=2e-2, atol=2e-2 * np.abs(product).max())
    texts = [step.kernel.text for step in exe._runner.program.steps]
    assert ("products.multiply_tiles(" in texts[0]) == (not isinstance(tile, WalkTile))
    even = isinstance(tile, DotTile) and COLUMNS % tile.columns == 0
    ahead = re.findall(r"PREFETCHED=(\d+)", texts[0])
    assert (ahead not in ([], ["0"])) == even  # tiles that stick out ask for nothing ahead
    if isinstance(tile, DotTile) and tile.splits > 1:
        assert exe._runner.program.steps[1].kernel.name == "contraction_join"


def test_rows_that_are_a_symbol_have_tiles_for_few_and_for_many(monkeypatch) -> None:
    monkeypatch.setenv("RLX_CUDA", "interpret")
    exe = rlx.compile(layer("n", False), "cuda")
    exe.session.set_params({"w": numbers(1)["w"]})
    driver = CudaBackend.shared().driver
    np.asarray(exe.run({name: numbers(1)[name] for name in ("x", "r")})["y"])  # weights are prepared
    for rows in (2, 16, 50):
        given = numbers(rows)
        before = driver.launches
        found = np.asarray(exe.run({"x": given["x"], "r": given["r"]})["y"]).astype(np.float64)
        assert driver.launches - before == 1
        product = given["x"].astype(np.float64) @ numbers(1)["w"].astype(np.float64)
        np.testing.assert_allclose(found, given["r"].astype(np.float64) + product, rtol=2e-2, atol=0.5)


def test_the_table_and_the_rule() -> None:
    for shape, tile in TUNED.items():
        assert tile_of(shape) == tile
    assert isinstance(tile_of(ProductSizes(1, 4096, 4096, 1, 2)), WalkTile)
    assert isinstance(tile_of(ProductSizes(8, 4096, 4096, 1, 2)), DotTile)
    assert tile_of(ProductSizes(64, 2048, 8192, 1, 2)).splits > 1
    assert tile_of(ProductSizes(1, 4096, 4096, 1, 4)) is None and tile_of(ProductSizes(256, 64, 64, 1, 2)) is None
    for rows in (1, 8, 32, 64):
        assert len(candidates(ProductSizes(rows, 2048, 8192, 1, 2))) >= 4


@pytest.mark.parametrize("tile", [DotTile(16, 16, 128, splits=2), WalkTile(8, 2)])
def test_tiles_compile_for_a_gpu(tile: Tile) -> None:
    backend = CudaBackend(FakeDriver())
    rows = 16 if isinstance(tile, DotTile) else 1
    with trying({ProductSizes(rows, COLUMNS, DEPTH, 1, 2): tile}):
        code = backend.compile(backend.lower(layer(rows, False), Options(), Report()), Options(), Report())
    for kernel in code.programs[0].kernels:
        assert compile_here(kernel, GpuTarget(90)).global_scratch == 0
        assert compile_here(kernel, GpuTarget(80)).global_scratch == 0
