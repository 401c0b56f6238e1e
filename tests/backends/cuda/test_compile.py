"""Kernels compile for a GPU that is not there; what is on disk needs no compiler."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import rlx
from rlx.backends.conformance.cases import build, in_one_type, records, rows_of, shapes_of
from rlx.backends.cuda.backend import CudaBackend
from rlx.backends.cuda.driver_interface import GpuTarget
from rlx.backends.cuda.fake_driver import FakeDriver
from rlx.backends.cuda.kernel_data import KernelSource
from rlx.backends.cuda.triton_compile import compile_ahead, compile_here, compiled
from rlx.core.report import Report
from rlx.ir.graph import Graph
from rlx.passes.entry import Options
from tests.backends.cuda.device import NEEDS_TRITON
from tests.backends.cuda.resources import resources_of

pytestmark = NEEDS_TRITON
LARGEST_STACK = 1024  # bytes of a thread: arguments of libdevice's slow paths and a few spilled registers


def kernels(graph: Graph, options: Options | None = None):
    backend, options = CudaBackend(FakeDriver()), options or Options()
    code = backend.compile(backend.lower(graph, options, Report()), options, Report())
    return [kernel for program in code.programs for kernel in program.kernels]


def layer() -> Graph:
    g = rlx.Graph("layer")
    x = g.input("x", (rlx.Dim("n", max=64), 256), "bf16")
    h = g.matmul(x, g.param("w", (256, 512), "bf16"))
    g.set_outputs({"y": g.softmax(h * 0.5, axis=-1), "g": g.gelu(h)})
    return g


def test_kernels_compile_without_a_gpu(tmp_path, monkeypatch):
    monkeypatch.setenv("RLX_CACHE_DIR", str(tmp_path))
    for kernel in kernels(layer()):
        found = compiled(kernel, GpuTarget(90))
        assert found.code[:4] == b"\x7fELF" and found.warps == kernel.warps and found.global_scratch == 0
        assert found.shared <= 227 << 10
        assert resources_of(found).fits and resources_of(found).stack == 0


def product(rows: int, columns: int, depth: int, pair: bool = False) -> Graph:
    g = rlx.Graph("product")
    x = g.input("x", (rows, depth), "bf16")
    h = g.matmul(x, g.param("w", (depth, columns), "bf16"))
    if pair:
        h = g.silu(h) * g.matmul(x, g.param("u", (depth, columns), "bf16"))
    g.set_outputs({"y": h})
    return g


def attention(dim: int, causal: bool) -> Graph:
    g = rlx.Graph("attention")
    q, k, v = (g.input(name, (1, 2048, 2048), "bf16") for name in "qkv")
    g.set_outputs({"y": g.attention(q, k, v, num_heads=2048 // dim, head_dim=dim, causal=causal)})
    return g


def check_tensor_cores(graph: Graph, name: str, registers: int) -> None:
    """A kernel of the graph by its name: nothing spilled, and no more registers than so many."""
    (kernel,) = [kernel for kernel in kernels(graph) if kernel.name == name]
    cubin = compiled(kernel, GpuTarget(90))
    found = resources_of(cubin)
    assert found.fits and found.stack == 0 and found.registers <= registers, found
    assert cubin.shared <= 227 << 10


def test_a_large_product_spills_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("RLX_CACHE_DIR", str(tmp_path))
    check_tensor_cores(product(2048, 3072, 2048), "product", 128)


@pytest.mark.long
@pytest.mark.parametrize(("rows", "pair"), [(128, False), (4096, False), (4096, True)])
def test_products_of_every_size_spill_nothing(rows: int, pair: bool, tmp_path, monkeypatch):
    monkeypatch.setenv("RLX_CACHE_DIR", str(tmp_path))
    check_tensor_cores(product(rows, 16384, 2048, pair), "product", 255)


@pytest.mark.long
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("dim", [32, 64, 128])
def test_attention_of_many_queries_spills_nothing(dim: int, causal: bool, tmp_path, monkeypatch):
    monkeypatch.setenv("RLX_CACHE_DIR", str(tmp_path))
    check_tensor_cores(attention(dim, causal), "flash", 255)


FROM_DISK = """
import sys
from tests.backends.cuda.test_compile import compiled, kernels, layer, GpuTarget
assert all(compiled(kernel, GpuTarget(90)).code for kernel in kernels(layer()))
assert "triton" not in sys.modules and "torch" not in sys.modules
"""


def test_from_disk_nothing_imports_triton(tmp_path, monkeypatch):
    monkeypatch.setenv("RLX_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("rlx.backends.cuda.triton_compile._recent", {})
    for kernel in kernels(layer()):
        compiled(kernel, GpuTarget(90))
    subprocess.run([sys.executable, "-c", FROM_DISK], check=True)


def test_processes_compile_side_by_side_and_say_what_failed(tmp_path, monkeypatch):
    monkeypatch.setenv("RLX_CACHE_DIR", str(tmp_path))
    probes = []
    for number in range(4):
        text = f"def probe(p0):\n    launch_dependents()\n    wait_for_previous()\n    tl.store(p0 + tl.arange(0, 4), {number}.0)\n"
        probes.append(KernelSource("probe", text, ("fp32",), (True,)))
    assert compile_ahead(probes, GpuTarget(90)) == 4
    assert compile_ahead(probes, GpuTarget(90)) == 0
    assert len({compiled(kernel, GpuTarget(90)).code for kernel in probes}) == 4
    wrong = [KernelSource("probe", f"def probe(p0):\n    tl.nothing({n})\n", ("fp32",), (True,)) for n in range(3)]
    with pytest.raises(RuntimeError, match="nothing"):
        compile_ahead(wrong, GpuTarget(90))


def test_processes_find_the_functions_that_kernels_call(tmp_path, monkeypatch):
    monkeypatch.setenv("RLX_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("rlx.backends.cuda.triton_compile._recent", {})
    calling = [kernel for kernel in kernels(layer()) if kernel.functions]
    assert len(calling) >= 3
    assert compile_ahead(calling, GpuTarget(90)) == len(calling)
    assert compile_ahead(calling, GpuTarget(90)) == 0


def test_a_kernel_that_calls_other_functions_is_another_kernel():
    kernel = next(kernel for kernel in kernels(layer()) if kernel.functions)
    assert replace(kernel, functions="those of another version").key != kernel.key


def test_an_error_in_a_generated_function_shows_its_line():
    head = "@jit\ndef epilogue(x):\n    y = x + 1\n    return tl.nothing(y)\n\n"
    body = "def probe(p0):\n    launch_dependents()\n    wait_for_previous()\n    tl.store(p0, epilogue(tl.load(p0)))\n"
    with pytest.raises(Exception, match="probe") as caught:  # Triton's compiler raises many kinds
        compile_here(KernelSource("probe", head + body, ("fp32",), (True,)), GpuTarget(90))
    assert "return tl.nothing(y)" in str(caught.value.__cause__)


@pytest.mark.long
@pytest.mark.parametrize("capability", (80, 90, 100))
def test_every_kernel_of_the_op_table_compiles(capability: int, tmp_path, monkeypatch):
    """The first case of each op in each dtype, registers and stack bounded; sm_80 has no dependent launches."""
    monkeypatch.setenv("RLX_CACHE_DIR", str(tmp_path))
    failed, seen = {}, set()
    for record in records():
        for row in {row.kind: row for row in rows_of(record)}.values():
            operands = in_one_type(record, row.case.arrays(0, row.dtype))
            for kernel in kernels(build(record, shapes_of(operands), row.case.attrs).graph):
                if kernel.key in seen:
                    continue
                seen.add(kernel.key)
                try:
                    found = resources_of(compiled(kernel, GpuTarget(capability)))
                    if not found.fits or found.stack > LARGEST_STACK:
                        failed[str(row)] = f"{kernel.name}: {found}"
                except Exception as error:  # Triton's compiler raises many kinds
                    failed[str(row)] = f"{type(error).__name__}: {error!s:.300}"
    assert not failed, failed
    assert len(seen) > 500 and np.all([len(key) == 32 for key in seen])
