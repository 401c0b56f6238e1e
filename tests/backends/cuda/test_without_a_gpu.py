"""The device `cuda` on a machine without a GPU: it says why it is not there, and planning for it imports neither Triton nor torch."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import rlx
from rlx.backends.cuda.cuda_driver import CudaDriver


def scale() -> rlx.Graph:
    g = rlx.Graph("scale")
    x = g.input("x", ("n", 3))
    g.set_outputs({"y": x * 2.0})
    return g


@pytest.fixture
def no_gpu(monkeypatch):
    """As on a machine without the driver's library, also where there is one."""
    from rlx.backends.cuda import backend

    def missing(self: CudaDriver, name: str, *arguments: object) -> None:
        raise RuntimeError("libcuda.so.1 is not there")

    monkeypatch.delenv("RLX_CUDA", raising=False)
    monkeypatch.setattr("rlx.backends.cuda.cuda_driver._bindings", lambda: object())
    monkeypatch.setattr(CudaDriver, "_call", missing)
    backend._chosen.cache_clear()
    yield
    backend._chosen.cache_clear()


@pytest.mark.usefixtures("no_gpu")
def test_devices_says_why_it_is_not_there():
    assert rlx.devices()["cuda"] == ("device 'cuda' is not available: no NVIDIA driver answers: libcuda.so.1 is not there")


@pytest.mark.usefixtures("no_gpu")
def test_compiling_for_it_names_the_device_the_reason_and_the_fix():
    with pytest.raises(rlx.RlxError, match=r"cuda.*libcuda") as caught:
        rlx.compile(scale(), device="cuda")
    assert caught.value.code == "RLX404" and "rlx[cuda]" in (caught.value.fix or "")


def test_without_the_bindings_the_reason_names_the_package(monkeypatch):
    from rlx.backends.cuda import backend

    monkeypatch.setitem(sys.modules, "cuda.bindings", None)
    monkeypatch.delenv("RLX_CUDA", raising=False)
    backend._chosen.cache_clear()
    assert "cuda-bindings cannot be imported" in rlx.devices()["cuda"]
    backend._chosen.cache_clear()


def test_a_wrong_flag_is_refused(monkeypatch):
    monkeypatch.setenv("RLX_CUDA", "fastest")
    with pytest.raises(rlx.RlxError, match="RLX_CUDA=fastest") as caught:
        rlx.compile(scale(), device="cuda")
    assert caught.value.code == "RLX406"


LEAN = """
import sys
import rlx
from rlx.backends.cuda.backend import CudaBackend
from rlx.backends.cuda.driver_interface import GpuTarget
from rlx.core.report import Report
from rlx.passes.entry import Options

class Unused:
    target = GpuTarget(90)
    checks = False

    def prepare(self, kernels):
        pass

g = rlx.Graph("layer")
x = g.input("x", ("n", 64))
g.set_outputs({"y": g.softmax(x @ g.param("w", (64, 32), "f32"), axis=-1)})
backend = CudaBackend(Unused())
code = backend.compile(backend.lower(g, Options(), Report()), Options(), Report())
names = [step.name for step in code.programs[0].steps]
assert names == ["packed_matmul"] * 5 + ["region"], names  # for 1, 2, 4, 8 and more rows
loaded = {name.split(".")[0] for name in sys.modules}
assert not loaded & {"triton", "torch", "llvmlite", "cuda"}, loaded & {"triton", "torch", "llvmlite", "cuda"}
"""


def test_planning_for_it_imports_neither_triton_nor_torch_nor_llvm():
    subprocess.run([sys.executable, "-c", LEAN], check=True)


def test_planned_memory_is_known_before_a_run():
    from rlx.backends.cuda.backend import CudaBackend
    from rlx.backends.cuda.fake_driver import FakeDriver
    from rlx.core.report import Report
    from rlx.passes.entry import Options

    g = rlx.Graph("two")
    x = g.input("x", (4, 8))
    g.set_outputs({"y": g.matmul(g.matmul(x, g.param("a", (8, 8), "f32")), g.param("b", (8, 2), "f32"))})
    backend = CudaBackend(FakeDriver())
    code = backend.compile(backend.lower(g, Options(), Report()), Options(), Report())
    assert code.memory["arena"] == 4 * 8 * np.dtype(np.float32).itemsize
