"""Solving on the CPU against NumPy: pivots, batches, views, singular matrices, symbolic sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rlx.backends.cpu.emit.kernel import Lowering
from rlx.backends.cpu.kernels.linalg.lu import SINGULAR
from rlx.backends.cpu.kernels.linalg.systems import LOWER
from rlx.backends.cpu.target import Target
from rlx.ir.op import OPS
from tests.backends.cpu.levels import HOST, OTHERS, TARGETS
from tests.backends.cpu.lowered import Lowered, op_for, tensor_of

RANDOM = np.random.default_rng(0)


def lowered(arrays: list[Any], target: Target | None = None) -> Lowered:
    tensors = [tensor_of(array) for array in arrays]
    name = "dense_solve" if arrays[0].ndim == 2 else "batched_dense_solve"
    return Lowered(LOWER[name], op_for(name, tensors), tensors, target)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [0, 2, 16, 67])
def test_solutions(target: Target, dtype: Any, n: int) -> None:
    a = RANDOM.standard_normal((n, n)).astype(dtype) + np.eye(n, dtype=dtype)[::-1] * dtype(2 * n**0.5)
    for b in (RANDOM.standard_normal(n).astype(dtype), RANDOM.standard_normal((n, 9)).astype(dtype)):
        (found,) = lowered([a, b], target).call([a, b])
        rtol = 1e-3 if dtype == np.float32 else 1e-10
        np.testing.assert_allclose(found, np.linalg.solve(a.astype(np.float64), b), rtol=rtol, atol=rtol)


def test_batches_and_views() -> None:
    a = (RANDOM.standard_normal((3, 2, 6, 6)) + 8 * np.eye(6)).transpose(1, 0, 3, 2)
    b = RANDOM.standard_normal((2, 3, 6, 8))[..., ::2]
    made = lowered([a, b])
    (found,) = made.call([a, b])
    np.testing.assert_allclose(found, np.linalg.solve(a, b), rtol=1e-10)
    np.testing.assert_array_equal(made.call([a, b], split=1, threads=2)[0], found)


def test_a_singular_matrix_is_reported() -> None:
    a, b = np.array([[[1.0, 2], [2, 4]], [[1, 0], [0, 1]]], np.float32), np.ones((2, 2), np.float32)
    made = lowered([a, b])
    made.call([a, b])
    assert (made.status[0] >> 32, made.status[0] & 0xFFFFFFFF) == (7, SINGULAR)
    made.call([a[1:].repeat(2, 0), b])
    assert made.status[0] == 0


def test_complex_systems_are_refused_and_decompose() -> None:
    a, b = tensor_of(np.zeros((2, 2), np.complex64)), tensor_of(np.zeros(2, np.complex64))
    assert a is not None and b is not None
    found = LOWER["dense_solve"](op_for("dense_solve", [a, b]), (a, b), (b,), HOST)
    assert not isinstance(found, Lowering) and "c64" in found and OPS["dense_solve"].decompose is not None


def test_symbolic_sizes_compile_once() -> None:
    made: Lowered | None = None
    for n, columns in [(3, 2), (10, 1), (1, 5)]:
        a, b = RANDOM.standard_normal((n, n)) + 5 * np.eye(n), RANDOM.standard_normal((n, columns))
        if made is None:
            tensors = [tensor_of(a, ("n", "n")), tensor_of(b, ("n", "c"))]
            made = Lowered(LOWER["dense_solve"], op_for("dense_solve", tensors), tensors)
        np.testing.assert_allclose(made.call([a, b])[0], np.linalg.solve(a, b), rtol=1e-9)


@pytest.mark.parametrize("target", OTHERS, ids=lambda t: t.cpu)
def test_cross_compiles(target: Target) -> None:
    assert all(len(stage.object) > 500 for stage in lowered([np.eye(4, dtype=np.float32), np.ones(4, np.float32)], target).stages)
