"""The recurrences in native code: every case, both targets, any split of the work, odd sizes, extremes, whole graphs.

`python -m tests.backends.cpu.kernels.recurrence.test_forward` measures them.
"""

from __future__ import annotations

import itertools
import time
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rlx
from rlx.backends.cpu.kernels.recurrence import delta_net, selective_scan
from rlx.backends.cpu.run.thread_pool import set_threads
from rlx.backends.cpu.target import Target
from rlx.ir.evaluate import evaluate_op
from rlx.ir.op import OPS
from tests.backends.cpu.levels import OTHERS
from tests.backends.cpu.lowered import Lowered, assert_close, op_for, run, tensor_of
from tests.ops.recurrence.test_recurrence import delta_inputs, scan_inputs

KERNELS = {"selective_scan": selective_scan.lower, "gated_delta_net": delta_net.lower}
BOTH = pytest.mark.parametrize("name", list(KERNELS))


def check(name: str, arrays: list[Any], size: int, splits: bool = False, **options: Any) -> None:
    """Run and compare with the reference in f64; every split must give the same bits."""
    tensors = [tensor_of(array) for array in arrays]
    op = op_for(name, tensors, state_size=size)
    lowered = Lowered(KERNELS[name], op, tensors, options.get("target"))
    found = lowered.call(arrays)
    wanted = evaluate_op(op, arrays, wide=True)
    for one, other in zip(found, wanted, strict=True):
        assert_close(one, other, op.definition.tolerance.bound(op, arrays, other, rlx.DType.of(one.dtype)), name)  # type: ignore[union-attr]
    for split in ({"split": 1}, {"split": 3}, {"split": 1, "threads": 2}) if splits else ():
        for one, other in zip(lowered.call(arrays, **split), found, strict=True):
            np.testing.assert_array_equal(one.view(np.uint8), other.view(np.uint8))


@BOTH
@pytest.mark.parametrize("target", OTHERS, ids=lambda t: t.cpu)
def test_compiles_for_other_targets(name: str, target: Target) -> None:
    arrays = scan_inputs(1, 4, 20, 5) if name == "selective_scan" else delta_inputs(1, 4, 2, 20)
    tensors = [tensor_of(array) for array in arrays]
    assert Lowered(KERNELS[name], op_for(name, tensors, state_size=arrays[2].shape[-1]), tensors, target).stages[0].object


@pytest.mark.parametrize("states", [1, 2, 7, 8, 16, 17, 33, 64])
@pytest.mark.parametrize("channels", [1, 16, 31, 100])
def test_scan_sizes(states: int, channels: int) -> None:
    check("selective_scan", scan_inputs(2, 5, channels, states), states, splits=True)


@pytest.mark.parametrize("size", [1, 2, 8, 31, 32, 33, 64, 100, 128])
@pytest.mark.parametrize("steps", [1, 2, 7])
def test_delta_sizes(size: int, steps: int) -> None:
    check("gated_delta_net", delta_inputs(2, steps, 2, size), size, splits=True)


@BOTH
@settings(deadline=None, max_examples=15)
@given(st.integers(0, 3), st.integers(0, 6), st.integers(1, 40), st.integers(1, 20), st.booleans(), st.integers(0, 99))
def test_any_shape(name: str, batch: int, steps: int, width: int, size: int, ragged: bool, seed: int) -> None:
    random = np.random.default_rng(seed)
    length = random.integers(-1, steps + 2, batch).astype(np.int32) if ragged else None
    if name == "selective_scan":
        state = random.standard_normal((batch, width, size)).astype(np.float32)
        check(name, [*scan_inputs(batch, steps, width, size, seed), None, state, length], size)
    else:
        state = random.standard_normal((batch, width % 3, size, size)).astype(np.float32)
        check(name, [*delta_inputs(batch, steps, width % 3, size, seed), state, length], size)


def test_scan_steps_that_leave_the_exponent_range() -> None:
    """Rates whose decay underflows, overflows, is infinite or NaN: as the full exponential has it."""
    x, dt, a, b, c = scan_inputs(1, 6, 24, 3)
    a[:8] *= 1e4
    a[8:12] = -np.inf
    a[12:14] = 300.0
    dt[0, 3, 16:] = 500.0
    dt[0, 4, 20] = np.nan
    arrays = [x, dt, a, b, c]
    op = op_for("selective_scan", [tensor_of(v) for v in arrays], state_size=3)
    found = run(selective_scan.lower, op, arrays)
    with np.errstate(all="ignore"):
        wanted = evaluate_op(op, arrays)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(np.isnan(one), np.isnan(other))
        np.testing.assert_array_equal(np.isinf(one), np.isinf(other))
        finite = np.isfinite(other)
        np.testing.assert_allclose(one[finite], other[finite], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("rate", [-0.0, -1e-3, -3.0, -60.0, -np.inf, 0.7])
def test_delta_decays_of_any_strength(rate: float) -> None:
    """The decay is kept apart from the state: weak, strong, total and growing ones must not show it."""
    arrays = delta_inputs(1, 80, 1, 16)
    arrays[3][:] = rate
    arrays[3][0, ::7] = -0.5
    if rate > 0:
        arrays = [array[:, :40] for array in arrays]
    state = np.random.default_rng(5).standard_normal((1, 1, 16, 16)).astype(np.float32)
    check("gated_delta_net", [*arrays, state, None], 16)


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_low_floats_with_a_state_in_f32(dtype: Any) -> None:
    arrays = [array.astype(dtype) for array in delta_inputs(2, 20, 2, 40)]
    check("gated_delta_net", [*arrays, np.zeros((2, 2, 40, 40), np.float32), None], 40)
    arrays = [array.astype(dtype) for array in scan_inputs(2, 20, 40, 5)]
    check("selective_scan", [*arrays, None, np.zeros((2, 40, 5), np.float32), None], 5)


def test_views_are_read_in_place() -> None:
    """q, k, v as parts of one projection; B and C as parts of another; A transposed; steps in front of the batch."""
    q, k, v, g, beta = delta_inputs(2, 9, 3, 16)
    joined = np.concatenate([q, k, v], -1)
    parts = [joined[..., at : at + 16] for at in (0, 16, 32)]
    check("gated_delta_net", [*parts, np.swapaxes(np.ascontiguousarray(np.swapaxes(g, 0, 1)), 0, 1), beta], 16)
    x, dt, a, b, c = scan_inputs(2, 9, 20, 6)
    both = np.concatenate([b, c], -1)
    turned = np.swapaxes(np.ascontiguousarray(np.swapaxes(x, 0, 1)), 0, 1)
    check("selective_scan", [turned, dt, np.ascontiguousarray(a.T).T, both[..., :6], both[..., 6:]], 6)


@BOTH
def test_the_state_may_be_updated_in_place(name: str) -> None:
    random = np.random.default_rng(0)
    if name == "selective_scan":
        arrays = [*scan_inputs(2, 3, 40, 5), None, random.standard_normal((2, 40, 5)).astype(np.float32), None]
        size = 5
    else:
        arrays = [*delta_inputs(2, 1, 2, 36), random.standard_normal((2, 2, 36, 36)).astype(np.float32), None]
        size = 36
    tensors = [tensor_of(array) for array in arrays]
    lowered = Lowered(KERNELS[name], op_for(name, tensors, state_size=size), tensors)
    for one, other in zip(lowered.call(arrays), lowered.call(arrays, in_place=True), strict=True):
        np.testing.assert_array_equal(one, other)


def test_symbolic_sizes_compile_once() -> None:
    g = rlx.Graph("decode")
    q, k, v = (g.input(name, ("batch", "seq", 2, 24)) for name in "qkv")
    gate, beta = (g.input(name, ("batch", "seq", 2)) for name in ("g", "beta"))
    state = g.state("state", ("batch", 2, 24, 24))
    o, after = g.gated_delta_net_carry(q, k, v, gate, beta, state, state_size=24)
    g.update("state", after)
    g.set_outputs({"o": o})
    session = rlx.Session("cpu")
    exe = rlx.compile(g, session=session)
    session.init_state(batch=2)
    arrays = delta_inputs(2, 12, 2, 24)
    wanted = evaluate_op(OPS["gated_delta_net"].op(state_size=24), arrays)[0]
    cuts = [0, 1, 6, 7, 12]
    parts = []
    for start, stop in itertools.pairwise(cuts):
        named = dict(zip(("q", "k", "v", "g", "beta"), (array[:, start:stop] for array in arrays), strict=True))
        parts.append(exe.run(named)["o"].copy())
    np.testing.assert_allclose(np.concatenate(parts, 1), wanted, rtol=1e-4, atol=1e-5)


def test_one_and_two_threads_give_the_same_bits() -> None:
    x, dt, a, b, c = scan_inputs(1, 64, 300, 16)
    g = rlx.Graph("scan")
    named = dict(zip(("x", "dt", "a", "b", "c"), (x, dt, a, b, c), strict=True))
    g.set_outputs([g.selective_scan(*(g.input(name, array.shape) for name, array in named.items()), state_size=16)])
    found = []
    try:
        for threads in (1, 2):
            set_threads(threads)
            found.append(np.array(rlx.compile(g)(**named)))
    finally:
        set_threads(None)
    np.testing.assert_array_equal(*found)


def _measure() -> None:
    """Both workloads of the shared bench, best of twenty."""
    for name, arrays in (("selective_scan", scan_inputs(1, 1024, 1024, 16)), ("gated_delta_net", delta_inputs(1, 1024, 8, 128))):
        g = rlx.Graph(name)
        values = [g.input(f"x{i}", array.shape) for i, array in enumerate(arrays)]
        g.set_outputs([getattr(g, name)(*values, state_size=16 if name == "selective_scan" else 128)])
        exe, named, best = rlx.compile(g), {f"x{i}": array for i, array in enumerate(arrays)}, 1e9
        for _ in range(20):
            start = time.perf_counter()
            exe.run(named)
            best = min(best, time.perf_counter() - start)
        print(f"{name:16s} {best * 1e3:7.2f} ms")


if __name__ == "__main__":
    _measure()
