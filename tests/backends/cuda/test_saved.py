"""Programs on disk and saved executables: the same results, without a pass and without Triton."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import rlx
from rlx.backends.cuda.backend import CudaBackend
from rlx.backends.cuda.fake_driver import FakeDriver
from rlx.backends.cuda.program import pack_program, unpack_program
from rlx.runtime import compile as compiling
from tests.backends.cuda.device import NEEDS_TRITON

pytestmark = NEEDS_TRITON


@pytest.fixture(autouse=True)
def interpreted(monkeypatch, tmp_path):
    monkeypatch.setenv("RLX_CUDA", "interpret")
    monkeypatch.setenv("RLX_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(compiling, "_memory", type(compiling._memory)(8))


def layer(rows: int | str = "n") -> rlx.Graph:
    """A prepared weight, symbolic rows, a constant, a state that is updated."""
    g = rlx.Graph("layer")
    x = g.input("x", (rows, 8))
    h = g.softmax(g.matmul(x, g.param("w", (8, 6), "f32")) + g.constant(np.arange(6, dtype=np.float32)), axis=-1)
    total = g.state("total", (6,), "f32")
    g.update(total, total + g.reduce_sum(h, axes=0))
    g.set_outputs({"y": h})
    return g


W = np.random.default_rng(0).normal(size=(8, 6)).astype(np.float32)
X = np.random.default_rng(1).normal(size=(3, 8)).astype(np.float32)


def ran(exe: rlx.Executable) -> list[np.ndarray]:
    exe.set_param("w", W)
    found = [np.asarray(exe.run({"x": X[:rows]})["y"]) for rows in (3, 1)]
    return [*found, np.asarray(exe.state("total"))]


def formula() -> np.ndarray:
    scores = X.astype(np.float64) @ W + np.arange(6)
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def test_a_program_from_the_cache_has_the_same_bits(monkeypatch):
    first = rlx.compile(layer(), "cuda")
    assert any(entry.message == "compiled and stored" for entry in first.report)
    monkeypatch.setattr(compiling, "_memory", type(compiling._memory)(8))
    second = rlx.compile(layer(), "cuda")
    assert any(entry.message == "loaded from disk" for entry in second.report)
    assert any("captured: yes" in entry.message for entry in second.report)
    wanted, found = ran(first), ran(second)
    np.testing.assert_allclose(wanted[0], formula(), rtol=1e-5)
    for a, b in zip(wanted, found, strict=True):
        np.testing.assert_array_equal(a, b)
    assert first.code.memory == second.code.memory and first.code.summary() == second.code.summary()


def test_a_saved_executable_runs_again(tmp_path):
    exe = rlx.compile(layer(), "cuda")
    wanted = ran(exe)
    exe.save(tmp_path / "layer.rlxe", params=True)
    loaded = rlx.load_executable(tmp_path / "layer.rlxe")
    for a, b in zip(wanted, ran(loaded), strict=True):
        np.testing.assert_array_equal(a, b)


def test_another_architecture_is_refused(tmp_path, monkeypatch):
    rlx.compile(layer(), "cuda").save(tmp_path / "layer.rlxe")
    monkeypatch.setattr("rlx.backends.cuda.backend._chosen", lambda name: CudaBackend(FakeDriver(80)))
    with pytest.raises(rlx.RlxError, match=r"sm_90.*sm_80") as caught:
        rlx.load_executable(tmp_path / "layer.rlxe")
    assert caught.value.code == "RLX407"


def test_steps_on_the_host_are_not_stored(tmp_path):
    g = rlx.Graph("spectrum")
    values, _ = g.eigh(g.input("x", (3, 3)))
    g.set_outputs({"y": values})
    exe = rlx.compile(g, "cuda")
    assert any("not stored" in entry.message and "eigh" in entry.message for entry in exe.report)
    with pytest.raises(rlx.RlxError, match="eigh") as caught:
        exe.save(tmp_path / "spectrum.rlxe")
    assert caught.value.code == "RLX403"


LAUNCHED = """
import sys
sys.modules["triton"] = None  # as where it is not installed
import numpy as np
import rlx
from rlx.backends.cuda import backend
from rlx.backends.cuda.triton_compile import compiled
from rlx.backends.cuda.fake_driver import FakeDriver
from rlx.backends.cuda.program import pack_program, unpack_program
from tests.backends.cuda.test_saved import W, X

class Recording(FakeDriver):
    '''Loads cubins as a GPU would, and notes what is launched.'''

    def load(self, kernel):
        return compiled(kernel, self.target)

    def launch(self, graph):
        launched.extend(node.function.code[:4] for node in graph.nodes)

launched = []
only = backend.CudaBackend(Recording())
backend._chosen = lambda name: only
exe = rlx.load_executable(sys.argv[1])
exe.set_param("w", W)
exe.run({"x": X})
assert launched and set(launched) == {b"\\x7fELF"}, launched
assert sys.modules["triton"] is None and "torch" not in sys.modules
"""


def test_a_saved_executable_reaches_its_launch_where_triton_is_not_installed(tmp_path, monkeypatch):
    """Its cubins travel with it: the other process has an empty cache."""
    from rlx.backends.cuda.triton_compile import compiled

    monkeypatch.setattr(FakeDriver, "machine_code", lambda self, kernel: compiled(kernel, self.target))
    rlx.compile(layer(3), "cuda").save(tmp_path / "layer.rlxe")
    monkeypatch.setenv("RLX_CACHE_DIR", str(tmp_path / "empty"))
    subprocess.run([sys.executable, "-c", LAUNCHED, str(tmp_path / "layer.rlxe")], check=True)


def test_a_stored_program_keeps_how_its_kernels_are_compiled():
    g = rlx.Graph("rounded one by one")
    g.set_outputs({"y": g.gelu_approx(g.input("x", (5,)))})
    program = rlx.compile(g, "cuda")._runner.program
    assert any(kernel.as_written for kernel in program.kernels)
    again, _ = unpack_program(pack_program(program, lambda kernel: None), program.symbols)
    assert again.kernels == program.kernels
