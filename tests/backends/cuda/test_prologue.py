"""A norm goes into the product that reads it: few rows compute it in each block, many by a kernel before them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

import rlx
from bench.cuda_decode import DecoderShape, check, decode_graph
from rlx.backends.cuda.backend import CudaBackend
from rlx.backends.cuda.driver_interface import GpuTarget
from rlx.backends.cuda.fake_driver import FakeDriver
from rlx.backends.cuda.triton_compile import compile_here
from rlx.core.report import Report
from rlx.passes.entry import Options
from tests.backends.cuda.compiled_forms import ptx
from tests.backends.cuda.device import NEEDS_TRITON

pytestmark = NEEDS_TRITON

WEIGHT = np.random.default_rng(1).normal(size=(40, 24)).astype(np.float32)
SCALE = np.random.default_rng(2).normal(size=40).astype(np.float32)


def expected(x: np.ndarray) -> np.ndarray:
    wide = x.astype(np.float64)
    return (wide / np.sqrt((wide * wide).mean(-1, keepdims=True) + 1e-5) * SCALE) @ WEIGHT


@pytest.mark.parametrize("rank", [2, 3])
@pytest.mark.parametrize("rows", [1, 3, 8, 12])
def test_rows_that_are_a_symbol(rank: int, rows: int, monkeypatch) -> None:
    monkeypatch.setenv("RLX_CUDA", "interpret")
    g = rlx.Graph("layer")
    x = g.input("x", ("n", 40) if rank == 2 else (1, "n", 40))
    norm = g.rms_norm(x, g.param("scale", (40,), "f32"), eps=1e-5)
    g.set_outputs({"y": g.matmul(norm, g.param("w", (40, 24), "f32"))})
    exe = rlx.compile(g, "cuda")
    exe.session.set_params({"scale": SCALE, "w": WEIGHT})
    given = np.random.default_rng(rows).normal(size=(rows, 40) if rank == 2 else (1, rows, 40)).astype(np.float32)
    driver = CudaBackend.shared().driver
    np.asarray(exe.run({"x": given})["y"])
    before = driver.launches
    np.testing.assert_allclose(np.asarray(exe.run({"x": given})["y"]), expected(given), rtol=1e-5, atol=1e-5)
    assert driver.launches - before == (1 if rows <= 8 else 2)


def test_a_norm_that_is_read_twice_stays_apart(monkeypatch) -> None:
    monkeypatch.setenv("RLX_CUDA", "interpret")
    g = rlx.Graph("layer")
    x = g.input("x", (2, 40))
    norm = g.rms_norm(x, g.param("scale", (40,), "f32"), eps=1e-5)
    g.set_outputs({"y": g.matmul(norm, g.param("w", (40, 24), "f32")), "norm": norm})
    exe = rlx.compile(g, "cuda")
    exe.session.set_params({"scale": SCALE, "w": WEIGHT})
    given = np.random.default_rng(0).normal(size=(2, 40)).astype(np.float32)
    found = exe.run({"x": given})
    np.testing.assert_allclose(np.asarray(found["y"]), expected(given), rtol=1e-5, atol=1e-5)
    assert [step.name for step in exe._runner.program.steps] == ["region", "packed_matmul"]


@pytest.mark.parametrize("rows", [2, 12])
def test_weights_that_are_not_packed_are_read_by_complete_columns(rows: int, monkeypatch) -> None:
    """Compiling failed: the block walked parts of the columns, and read the norm from memory that few rows do not have."""
    monkeypatch.setenv("RLX_CUDA", "interpret")
    g = rlx.Graph("layer")
    norm = g.rms_norm(g.input("x", (rows, 200)), g.param("scale", (200,), "f32"), eps=1e-5)
    g.set_outputs({"y": g.relu(g.matmul(norm, g.input("w", (200, 48))) + g.input("b", (48,)))})
    exe = rlx.compile(g, "cuda")
    random = np.random.default_rng(rows)
    scale, b = (random.normal(size=size).astype(np.float32) for size in (200, 48))
    x, w = (random.normal(size=dims).astype(np.float32) for dims in ((rows, 200), (200, 48)))
    exe.session.set_params({"scale": scale})
    wide = x.astype(np.float64)
    wanted = np.maximum(wide / np.sqrt((wide * wide).mean(-1, keepdims=True) + 1e-5) * scale @ w + b, 0)
    np.testing.assert_allclose(np.asarray(exe.run({"x": x, "w": w, "b": b})["y"]), wanted, rtol=1e-5, atol=1e-4)


def test_decode_steps_equal_the_reference(monkeypatch) -> None:
    monkeypatch.setenv("RLX_CUDA", "interpret")
    assert check("cuda") < 1e-6


def decode_kernels():
    backend = CudaBackend(FakeDriver())
    lir = backend.lower(decode_graph(DecoderShape(layers=1)), Options(), Report())
    return backend.compile(lir, Options(), Report()).programs[0]


def test_a_layer_of_decode_is_six_kernels_and_products_read_weights_before_they_wait() -> None:
    program = decode_kernels()
    names = [step.name for step in program.steps]
    layer = ["contraction", "attention", "attention", "contraction", "contraction", "contraction"]
    assert sorted(names) == sorted(["gather", *layer, "contraction"])
    assert not program.host_steps
    for step in program.steps:
        if step.name == "contraction":
            before, _, after = ptx(step.kernel).partition("griddepcontrol.wait")
            assert "evict_first" in before and "evict_first" not in after, step.kernel.text


@pytest.mark.long
def test_kernels_of_decode_keep_everything_in_registers(tmp_path: Path) -> None:
    import triton

    tool = Path(triton.__file__).parent / "backends/nvidia/bin/cuobjdump"
    for kernel in decode_kernels().kernels:
        file = tmp_path / f"{kernel.key}.cubin"
        file.write_bytes(compile_here(kernel, GpuTarget(90)).code)
        told = subprocess.run([tool, "-res-usage", file], capture_output=True, text=True, check=True)
        usage = next(line for line in (told.stdout + told.stderr).splitlines() if "REG:" in line)
        assert "STACK:0 " in usage and "LOCAL:0 " in usage, usage
        most = 255 if kernel.name == "attention_step" else 192
        assert int(usage.split("REG:")[1].split()[0]) <= most, usage


def test_a_norm_that_is_added_to_its_own_product_stays_apart(monkeypatch) -> None:
    """norm + norm·W: the product's body reads the norm a second time, behind the product."""
    monkeypatch.setenv("RLX_CUDA", "interpret")
    g = rlx.Graph("layer")
    norm = g.rms_norm(g.input("x", (2, 40)), g.param("scale", (40,), "f32"), eps=1e-5)
    g.set_outputs({"y": norm + g.matmul(norm, g.param("w", (40, 40), "f32"))})
    exe = rlx.compile(g, "cuda")
    square = np.random.default_rng(3).normal(size=(40, 40)).astype(np.float32)
    exe.session.set_params({"scale": SCALE, "w": square})
    given = np.random.default_rng(0).normal(size=(2, 40)).astype(np.float32)
    wide = given.astype(np.float64)
    normed = wide / np.sqrt((wide * wide).mean(-1, keepdims=True) + 1e-5) * SCALE
    wanted = normed + normed @ square
    np.testing.assert_allclose(np.asarray(exe.run({"x": given})["y"]), wanted, rtol=1e-5, atol=1e-5)
