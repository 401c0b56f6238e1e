"""Kernels compile for a GPU that is not there; what is on disk needs no compiler."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import rlx
from rlx.backends.conformance.cases import build, in_one_type, records, rows_of, shapes_of
from rlx.backends.cuda.backend import CudaBackend
from rlx.backends.cuda.compile import compiled
from rlx.backends.cuda.driver import GpuTarget
from rlx.backends.cuda.fake_driver import FakeDriver
from rlx.core.report import Report
from rlx.ir.graph import Graph
from rlx.passes.context import Options
from tests.backends.cuda.device import NEEDS_TRITON

pytestmark = NEEDS_TRITON


def kernels(graph: Graph):
    backend = CudaBackend(FakeDriver())
    code = backend.compile(backend.lower(graph, Options(), Report()), Options(), Report())
    return [kernel for program in code.programs for kernel in program.kernels]


def layer() -> Graph:
    g = rlx.Graph("layer")
    x = g.input("x", ("n", 256), "bf16")
    h = g.matmul(x, g.param("w", (256, 512), "bf16"))
    g.set_outputs({"y": g.softmax(h * 0.5, axis=-1), "g": g.gelu(h)})
    return g


def test_kernels_compile_without_a_gpu(tmp_path, monkeypatch):
    monkeypatch.setenv("RLX_CACHE_DIR", str(tmp_path))
    for kernel in kernels(layer()):
        found = compiled(kernel, GpuTarget(90))
        assert found.code[:4] == b"\x7fELF" and found.warps == kernel.warps and found.global_scratch == 0
        assert found.shared <= 227 << 10


FROM_DISK = """
import sys
from tests.backends.cuda.test_compile import compiled, kernels, layer, GpuTarget
assert all(compiled(kernel, GpuTarget(90)).code for kernel in kernels(layer()))
assert "triton" not in sys.modules and "torch" not in sys.modules
"""


def test_from_disk_nothing_imports_triton(tmp_path, monkeypatch):
    monkeypatch.setenv("RLX_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("rlx.backends.cuda.compile._recent", {})
    for kernel in kernels(layer()):
        compiled(kernel, GpuTarget(90))
    subprocess.run([sys.executable, "-c", FROM_DISK], check=True)


def test_processes_compile_side_by_side_and_say_what_failed(tmp_path, monkeypatch):
    from rlx.backends.cuda.compilers import compile_ahead
    from rlx.backends.cuda.kernel import KernelSource

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


@pytest.mark.long
@pytest.mark.parametrize("capability", (80, 90, 100))
def test_every_kernel_of_the_op_table_compiles(capability: int, tmp_path, monkeypatch):
    """The first case of each op in each dtype; sm_80 has no dependent launches."""
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
                    compiled(kernel, GpuTarget(capability))
                except Exception as error:  # Triton's compiler raises many kinds
                    failed[str(row)] = f"{type(error).__name__}: {error!s:.300}"
    assert not failed, failed
    assert len(seen) > 500 and np.all([len(key) == 32 for key in seen])
