"""The gradients of recurrences on the CPU against their references: sizes, chunk borders, lengths, dtypes, symbols, any split."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from rlx.backends.cpu.kernels.recurrence import delta_net, selective_scan
from rlx.backends.cpu.target import Target
from rlx.ir.evaluate import evaluate_op
from tests.backends.cpu.levels import OTHERS, TARGETS
from tests.backends.cpu.lowered import Array, Lowered, op_for, tensor_of

KERNELS = {"selective_scan_backward": selective_scan.lower_backward, "gated_delta_net_backward": delta_net.lower_backward}
EPS = {"float64": 2.0**-52, "float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}


def scan_inputs(b: int, s: int, h: int, n: int, *, full: bool = True, length: Any = None, dtype: Any = np.float32) -> list[Any]:
    """x, delta, A, B, C, dy, D, state, d_state, length."""
    random = np.random.default_rng([b, s, h, n])
    draw = lambda *dims: random.uniform(-1, 1, dims).astype(dtype)  # noqa: E731
    arrays = [draw(b, s, h), abs(draw(b, s, h)) / 2, -4 * abs(draw(h, n)), draw(b, s, n), draw(b, s, n), draw(b, s, h)]
    more = [draw(h), draw(b, h, n), draw(b, h, n)] if full else [None] * 3
    return [*arrays, *more, None if length is None else np.array(length, np.int32)]


def delta_inputs(b: int, s: int, h: int, n: int, *, full: bool = True, length: Any = None, dtype: Any = np.float32) -> list[Any]:
    """q, k, v, g, beta, do, state, d_state, length; keys of about norm 1."""
    random = np.random.default_rng([b, s, h, n])
    draw = lambda *dims: random.uniform(-1, 1, dims).astype(dtype)  # noqa: E731
    small = np.asarray(1.5 / np.sqrt(n), dtype)
    q, k, v, do = (draw(b, s, h, n) for _ in range(4))
    arrays = [q * small, k * small, v, -abs(draw(b, s, h)) / 2, abs(draw(b, s, h)), do]
    more = [draw(b, h, n, n), draw(b, h, n, n)] if full else [None] * 2
    arrays = [array.astype(dtype) for array in arrays]
    return [*arrays, *more, None if length is None else np.array(length, np.int32)]


INPUTS = {"selective_scan": scan_inputs, "gated_delta_net": delta_inputs}
BOTH = pytest.mark.parametrize("name", list(INPUTS))


def check(name: str, arrays: list[Any], size: int, *, target: Target | None = None, splits: bool = False) -> None:
    """Within 16 roundings, and one for each √step, of the largest element of a gradient; every split gives the same bits."""
    tensors = [tensor_of(array) for array in arrays]
    op = op_for(f"{name}_backward", tensors, state_size=size)
    lowered = Lowered(KERNELS[op.name], op, tensors, target)
    found = lowered.call(arrays)
    compare(op, arrays, found)
    for split in ({"split": 1}, {"split": 2, "threads": 2}) if splits else ():
        for mine, again in zip(found, lowered.call(arrays, **split), strict=True):
            np.testing.assert_array_equal(mine.view(np.uint8), again.view(np.uint8))


def compare(op: Any, arrays: list[Any], found: list[Array]) -> None:
    steps = max(arrays[0].shape[1], 1)
    for index, (mine, wanted) in enumerate(zip(found, evaluate_op(op, arrays, wide=True), strict=True)):
        assert mine.dtype == arrays[0].dtype
        largest = float(np.abs(wanted).max(initial=0.0))
        bound = EPS[mine.dtype.name] * largest if mine.dtype.itemsize == 2 else 0.0
        bound += (16 + 4 * np.sqrt(steps)) * EPS["float64" if mine.dtype == np.float64 else "float32"] * largest
        assert np.abs(mine.astype(np.float64) - wanted).max(initial=0.0) <= bound, index


@pytest.mark.parametrize("channels, states", [(1, 1), (16, 16), (37, 3), (70, 16), (130, 20)])
@pytest.mark.parametrize("full", [False, True])
def test_sizes_of_a_selective_scan(channels: int, states: int, full: bool) -> None:
    check("selective_scan", scan_inputs(2, 5, channels, states, full=full), states, splits=True)


@pytest.mark.parametrize("size", [1, 5, 8, 16, 37, 64])
@pytest.mark.parametrize("full", [False, True])
def test_sizes_of_a_delta_net(size: int, full: bool) -> None:
    check("gated_delta_net", delta_inputs(2, 5, 3, size, full=full), size, splits=True)


@BOTH
@pytest.mark.parametrize("steps", [0, 1, 31, 32, 33, 64, 65, 200])
def test_borders_of_chunks(name: str, steps: int) -> None:
    check(name, INPUTS[name](1, steps, 20, 4), 4)


@BOTH
@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
def test_lengths_freeze_the_state(name: str, target: Target) -> None:
    for full in (False, True):
        check(name, INPUTS[name](6, 130, 3, 5, full=full, length=(130, 0, 64, 65, -3, 500)), 5, target=target)


@BOTH
@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", [np.float64, np.float16, ml_dtypes.bfloat16])
def test_dtypes(name: str, target: Target, dtype: Any) -> None:
    check(name, INPUTS[name](2, 9, 20, 5, dtype=dtype), 5, target=target)


@BOTH
def test_symbolic_sizes_compile_once(name: str) -> None:
    rows, gates, per_step = ("b", "s", "h"), ("b", "s", "h"), ("b", "s", 4)
    dims: list[Any] = [rows, rows, ("h", 4), per_step, per_step, rows, ("h",), ("b", "h", 4), ("b", "h", 4), ("b",)]
    if name == "gated_delta_net":
        dims = [*[("b", "s", "h", 4)] * 3, gates, gates, ("b", "s", "h", 4), *[("b", "h", 4, 4)] * 2, ("b",)]
    compiled: Lowered | None = None
    for b, s, h in ((1, 1, 1), (2, 70, 40), (3, 9, 100), (1, 0, 5)):
        arrays = INPUTS[name](b, s, h, 4, length=[max(s - 1, 0)] * b)
        if compiled is None:
            tensors = [tensor_of(array, names) for array, names in zip(arrays, dims, strict=True)]
            compiled = Lowered(KERNELS[f"{name}_backward"], op_for(f"{name}_backward", tensors, state_size=4), tensors)
        op = op_for(f"{name}_backward", [tensor_of(array) for array in arrays], state_size=4)
        compare(op, arrays, compiled.call(arrays))


@BOTH
@pytest.mark.parametrize("target", OTHERS, ids=lambda t: t.cpu)
def test_it_compiles_for_other_machines(name: str, target: Target) -> None:
    tensors = [tensor_of(array) for array in INPUTS[name](1, 4, 20, 5)]
    assert Lowered(KERNELS[f"{name}_backward"], op_for(f"{name}_backward", tensors, state_size=5), tensors, target).stages
