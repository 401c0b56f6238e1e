"""Runs on the device: what goes to the host and is said so, failures at run time, memory, sessions."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.backends.cuda.backend import CudaBackend
from rlx.backends.cuda.fake_driver import FakeDriver
from tests.backends.cuda.device import NEEDS_TRITON, Running

pytestmark = NEEDS_TRITON


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setenv("RLX_CUDA", "interpret")


def eigenvalues() -> rlx.Graph:
    g = rlx.Graph("spectrum")
    x = g.input("x", (3, 3))
    values, _ = g.eigh(x + g.transpose(x, (1, 0)))
    g.set_outputs({"y": g.exp(values)})
    return g


def test_an_op_without_a_kernel_runs_on_the_host_with_a_line_in_the_report():
    exe = rlx.compile(eigenvalues(), "cuda")
    x = np.random.default_rng(0).normal(size=(3, 3)).astype(np.float32)
    found = np.asarray(exe.run({"x": x})["y"])
    np.testing.assert_allclose(found, np.exp(np.linalg.eigvalsh(x + x.T)), rtol=1e-5)
    assert any(entry.kind == "host call" and "eigh" in entry.message for entry in exe.report)
    assert any("captured: in parts" in entry.message and "eigh" in entry.message for entry in exe.report)


def test_strict_refuses_what_would_run_on_the_host():
    with pytest.raises(rlx.RlxError, match="eigh") as caught:
        rlx.compile(eigenvalues(), "cuda", strict=True)
    assert caught.value.code == "RLX405"


def test_a_graph_of_kernels_alone_is_strict_and_captured():
    g = rlx.Graph("rows")
    x = g.input("x", ("n", 8))
    g.set_outputs({"y": g.softmax(x, axis=-1)})
    exe = rlx.compile(g, "cuda", strict=True)
    assert any("captured: yes, 1 kernel" in entry.message for entry in exe.report)


def test_trap_nan_names_the_op_that_made_it():
    g = rlx.Graph("bad")
    x = g.input("x", (4,))
    g.set_outputs({"y": g.log(x) + 1.0})
    exe = rlx.compile(g, "cuda", trap_nan=True)
    np.asarray(exe.run({"x": np.ones(4, np.float32)})["y"])
    with pytest.raises(rlx.RlxError, match="log") as caught:
        exe.run({"x": np.array([1, -1, 1, 1], np.float32)})
    assert caught.value.code == "RLX510"


def test_indices_that_are_to_be_checked_are():
    g = rlx.Graph("rows")
    x, i = g.input("x", (4, 2)), g.input("i", (2,), "i32")
    g.set_outputs({"y": g.gather(x, i, axis=0, check_bounds=True)})
    exe = rlx.compile(g, "cuda")
    x = np.arange(8, dtype=np.float32).reshape(4, 2)
    np.testing.assert_array_equal(np.asarray(exe.run({"x": x, "i": np.array([3, 0], np.int32)})["y"]), x[[3, 0]])
    with pytest.raises(rlx.RlxError, match="outside") as caught:
        exe.run({"x": x, "i": np.array([4, 0], np.int32)})
    assert caught.value.code == "RLX508"


def test_states_are_updated_in_place_and_stay_on_the_device():
    g = rlx.Graph("cache")
    cache = g.state("cache", (1, 6, 2), "f32")
    step, at = g.input("step", (1, 1, 2)), g.input("at", (1,), "i32")
    now = g.dynamic_update_slice(cache, step, at, axes=1)
    g.update(cache, now)
    g.set_outputs({"total": g.reduce_sum(now, axes=(0, 1, 2))})
    exe = rlx.compile(g, "cuda")
    for place in range(3):
        total = exe.run({"step": np.full((1, 1, 2), 2.0**place, np.float32), "at": np.array([place], np.int32)})
    assert float(total["total"]) == 14.0
    wanted = np.zeros((1, 6, 2), np.float32)
    wanted[0, :3] = [[1, 1], [2, 2], [4, 4]]
    np.testing.assert_array_equal(exe.state("cache"), wanted)
    steps = [step.name for step in exe._runner.program.steps]
    assert steps.count("dynamic_update_slice") == 1, "the copy of the whole cache falls away"


def test_too_little_memory_is_an_error_with_the_plan_and_the_process_goes_on():
    g = rlx.Graph("wide")
    x = g.input("x", ("n", 4))
    g.set_outputs({"y": g.matmul(g.matmul(x, g.input("a", (4, 4096))), g.input("b", (4096, 2)))})
    run = Running(g)
    run.driver.memory = 1 << 20
    given = {"a": np.ones((4, 4096), np.float32), "b": np.ones((4096, 2), np.float32)}
    with pytest.raises(rlx.RlxError, match="arena of 'wide' for n = 1024 takes") as caught:
        run({"n": 1000}, x=np.ones((1000, 4), np.float32), **given)
    assert caught.value.code == "RLX514"
    found = run({"n": 2}, x=np.ones((2, 4), np.float32), **given)["y"]
    np.testing.assert_array_equal(found, np.full((2, 2), 4.0 * 4096, np.float32))


def test_memory_is_given_back():
    driver = FakeDriver()
    arrays = CudaBackend(driver).arrays
    kept = arrays.upload(np.zeros(100, np.float32))
    assert driver.held == 400
    del kept
    assert driver.held == 0


def test_the_doctor_measures_the_gpu():
    from rlx.cli.app import gpu_rows

    rows = gpu_rows()
    assert "interpreter" in rows["GPU"]
    assert rows["copying (read and written)"].endswith("GB/s") and rows["call of a tiny graph"].endswith("µs")
    assert any(name.startswith("bf16 product") for name in rows)


def test_the_doctor_and_the_device_describe_themselves():
    assert "interpreter" in CudaBackend.shared().describe()["GPU"]
    assert rlx.devices()["cuda"] == "available"
