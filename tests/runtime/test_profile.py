"""exe.profile: every command timed, with its share of what the machine can do."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.backends.base import Limits
from rlx.runtime.executable import ProfileLine, RunProfile


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_every_command_is_there(device):
    g = rlx.Graph("work")
    x = g.input("x", ("n", 256), "f32")
    g.set_outputs({"y": g.softmax(x @ g.param("w", (256, 256), "f32"), axis=-1)})
    exe = rlx.compile(g, device)
    exe.set_param("w", np.ones((256, 256), np.float32))
    profile = exe.profile({"x": np.ones((64, 256), np.float32)}, runs=3)
    assert len(profile.lines) >= 2 and profile.seconds > 0
    assert (profile.limits is not None) == (device == "cpu")
    assert ("% of the limit" in str(profile)) == (device == "cpu")
    assert any("test_profile.py" in line.origin for line in profile.lines)


def test_the_share_of_the_limit_is_the_least_time_over_the_time():
    lines = (
        ProfileLine("matmul", "", 2e-6, 100_000, 1000),
        ProfileLine("copy", "", 1e-6, 0, 20_000),
        ProfileLine("copy", "", 1e-6, 0, 20_000),
    )
    profile = RunProfile(lines, Limits(100.0, 40.0, 2))
    assert profile.share_of_limit("matmul") == pytest.approx(0.5)
    assert profile.share_of_limit("copy") == pytest.approx(0.5)
    assert RunProfile(lines).share_of_limit("copy") is None
    assert profile.by_kernel()["copy"] == (2, pytest.approx(2e-6))


def test_a_profile_prints_the_spread_of_its_limits_and_warns_where_it_is_large():
    """`profile` said 577 GFLOP/s, `doctor` 287: neither said that its runs differed by as much."""
    line = ProfileLine("matmul", "", 2e-6, 100_000, 1000)
    quiet, busy = (str(RunProfile((line,), Limits(100.0, 40.0, 2, 0.01, spread))) for spread in (0.02, 0.45))
    assert "100 GFLOP/s (spread 1 %), 40 GB/s (spread 2 %)" in quiet and "careful" not in quiet
    assert "40 GB/s (spread 45 %)" in busy and "careful: the speed varied by 45 %" in busy


def test_profile_doctor_and_bench_measure_their_limits_in_one_function(monkeypatch):
    from bench.limits import LimitMeter
    from rlx.backends.cpu import machine
    from rlx.cli.app import speed_table
    from rlx.runtime.executable import measured_limits

    known = Limits(123.0, 45.0, 2, 0.01, 0.3)
    monkeypatch.setattr(machine.SpeedMeter, "limits", property(lambda self: known))
    monkeypatch.setattr(machine.SpeedMeter, "sample", lambda self, seconds=0.0: None)
    assert measured_limits.__wrapped__("cpu") == known
    assert LimitMeter(2).sample().measured == known
    text = "".join(str(cell) for column in speed_table(known).columns for cell in column.cells)
    assert "123.0 GFLOP/s" in text and "45.0 GB/s" in text and "30 %" in text


def test_the_best_run_counts_and_the_median_tells_the_spread(monkeypatch):
    from rlx.backends.cpu.machine import SpeedMeter

    meter = SpeedMeter(1)
    times = iter([1.0, 1.0, 2.0, 2.0, 4.0, 2.0] + [2.0] * 6)  # arithmetic and reading in turn
    monkeypatch.setattr(meter, "_seconds", lambda job, part=None: next(times))
    meter.sample(0.0)
    found = meter.limits
    assert found.gigabytes == pytest.approx(meter.memory[0].nbytes * 1e-9)
    assert found.gflops_spread == pytest.approx(0.5) and found.gigabytes_spread == pytest.approx(0.5)
    assert found.warning is not None


@pytest.mark.parametrize(("queries", "doing"), [(1, "attention_chunks"), (2, "attention_chunks"), (100, "attention")])
def test_work_is_counted_where_it_is_done(queries, doing):
    keys = 700
    g = rlx.Graph("attention")
    q, k, v = (g.input(name, (1, size, 64), "f32") for name, size in (("q", "s"), ("k", "t"), ("v", "t")))
    g.set_outputs({"y": g.attention(q, k, v, num_heads=2, head_dim=32, mask_kind="none")})
    arrays = {
        "q": np.ones((1, queries, 64), np.float32),
        "k": np.ones((1, keys, 64), np.float32),
        "v": np.ones((1, keys, 64), np.float32),
    }
    lines = rlx.compile(g, "cpu").profile(arrays, runs=1, limits=False).lines
    found = {line.kernel: line.operations for line in lines if line.operations}
    assert found == {doing: 2 * queries * keys * (4 * 32 + 8)}
    assert {line.kernel for line in lines if line.bytes and "attention" in line.kernel} == {doing}


def test_where_of_bench_names_the_kernels_and_leaves_run_as_it_was():
    from bench import where
    from bench.harness import Contender, Workload
    from bench.limits import LimitMeter
    from rlx.runtime.executable import Executable

    plain = Executable.run
    g = rlx.Graph("double")
    g.set_outputs({"y": g.input("x", (64,), "f32") * 2})
    exe = rlx.compile(g, "cpu")
    given = {"x": np.arange(64, dtype=np.float32)}
    contender = Contender("rlx", lambda: exe.run(given), lambda: np.empty(0))
    workload = Workload("doubling", 64.0, 0.0, lambda: np.empty(0), [("peer", lambda: contender), ("rlx", lambda: contender)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(where, "SECONDS", 0.01)
        first, *rest = where.describe(workload, LimitMeter(1))
    assert Executable.run is plain
    assert first.startswith("doubling: ") and "limit" in first and len(rest) == 1 and "1 x region" in rest[0]
