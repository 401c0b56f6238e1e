"""Scatter, complex parts and pooling gradients on the CPU: the records' cases, views, units in pieces, other targets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rlx.backends.cpu.kernels import complex as complex_kernels
from rlx.backends.cpu.kernels import max_pool_backward as pool
from rlx.backends.cpu.kernels.movement import indexing as scatter
from rlx.backends.cpu.target import Target
from rlx.ir.evaluate import evaluate_op
from tests.backends.cpu.levels import OTHERS
from tests.backends.cpu.lowered import Lowered, op_for, tensor_of

LOWER = {**scatter.LOWER, **complex_kernels.LOWER, **pool.LOWER}
RANDOM = np.random.default_rng(0)


def lowered(name: str, arrays: list[Any], target: Target | None = None, **attrs: Any) -> Lowered:
    tensors = [tensor_of(array) for array in arrays]
    return Lowered(LOWER[name], op_for(name, tensors, **attrs), tensors, target)


def check(name: str, arrays: list[Any], target: Target | None = None, rtol: float = 0.0, **attrs: Any) -> None:
    """As the reference; the same bits whatever the pieces."""
    made = lowered(name, arrays, target, **attrs)
    (found,) = made.call(arrays)
    op = op_for(name, [tensor_of(array) for array in arrays], **attrs)
    np.testing.assert_allclose(found, evaluate_op(op, arrays)[0], rtol=rtol, atol=rtol)
    for split in ({"split": 1}, {"split": 3, "threads": 2}):
        np.testing.assert_array_equal(made.call(arrays, **split)[0].view(np.uint8), found.view(np.uint8))


@pytest.mark.parametrize("mode", ["set", "add", "max", "min"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_scatter_of_views(mode: str, axis: int) -> None:
    x = RANDOM.standard_normal((8, 6, 10)).astype(np.float32)[::2, 1:, ::-1]
    indices = RANDOM.integers(-9, 9, (6, 4)).astype(np.int64)[::2, ::-1]
    updates = RANDOM.standard_normal((*x.shape[:axis], 3, 8, *x.shape[axis + 1 :])).astype(np.float32)
    updates = updates[tuple(slice(None, None, 2) if a == axis + 1 else slice(None) for a in range(updates.ndim))]
    for outside in ("clip", "fill"):
        check("scatter", [x, indices, updates], axis=axis, mode=mode, outside=outside, rtol=1e-5 if mode == "add" else 0)


def test_an_embedding_gradient() -> None:
    """Many columns, several units, many tokens for a few rows."""
    dy, ids = RANDOM.standard_normal((7, 60, 2500)).astype(np.float32), RANDOM.integers(0, 11, (7, 60)).astype(np.int32)
    check("gather_backward", [dy, ids], axis=0, size=11, rtol=1e-4)
    check("scatter_add", [dy, ids], out_dim=11, rtol=1e-4)


def test_sums_of_low_floats_are_rounded_once() -> None:
    ones, ids = np.ones((4000, 3), np.float16), np.zeros(4000, np.int32)
    (found,) = lowered("scatter_add", [ones, ids], out_dim=2).call([ones, ids])
    np.testing.assert_array_equal(found, [[4000] * 3, [0] * 3])


def test_in_place_and_bounds() -> None:
    x, ids, updates = (
        np.zeros((4, 3), np.float32),
        np.array([0, 2, 2], np.int32),
        RANDOM.standard_normal((3, 3)).astype(np.float32),
    )
    made = lowered("scatter", [x, ids, updates], mode="add")
    (found,) = made.call([x, ids, updates], in_place=True)
    op = op_for("scatter", [tensor_of(a) for a in (x, ids, updates)], mode="add")
    np.testing.assert_allclose(found, evaluate_op(op, [x, ids, updates])[0])
    for bad, fails in ((ids, False), (ids + 2, True)):
        made = lowered("scatter", [x, bad, updates], check_bounds=True)
        made.call([x, bad, updates])
        assert (made.status[0] != 0) == fails


def test_complex_scatter_and_views() -> None:
    z = (RANDOM.standard_normal((5, 40)) + 1j * RANDOM.standard_normal((5, 40))).astype(np.complex64)
    ids = np.array([1, 1, 0, 1, 1], np.int32)
    check("scatter_add", [z, ids], out_dim=2, rtol=1e-5)
    for dtype in (np.complex64, np.complex128):
        view = z.astype(dtype)[::-2, 3::2].T
        for name in ("conjugate", "real", "imag"):
            check(name, [view])
        check("complex_norm_sq", [view], rtol=1e-6)
        check("complex_norm_sq_backward", [view, view.real.copy()], rtol=1e-6, conjugated=True)
    check("complex", [z.real[:, None, :], np.float32(2).reshape(1, 1)])


def test_pool_gradients_with_ties_and_nan() -> None:
    x = RANDOM.integers(0, 3, (2, 3, 9, 8)).astype(np.float32)
    x[0, 0, 3, 3] = np.nan
    dy = RANDOM.standard_normal((2, 3, 5, 4)).astype(np.float32)
    check("max_pool2d_backward", [x, dy], kernel_size=3, stride=2, padding=1, rtol=1e-6)
    check("max_pool2d_backward", [x[..., ::-1], dy[:, :, :3]], kernel_size=(4, 2), stride=(2, 2), rtol=1e-6)


def test_symbolic_sizes_compile_once() -> None:
    made: Lowered | None = None
    for rows, tokens, width in [(3, 5, 7), (1, 1, 1), (40, 300, 33), (2, 0, 4)]:
        x, ids = np.zeros((rows, width), np.float32), RANDOM.integers(0, rows, tokens).astype(np.int32)
        updates = RANDOM.standard_normal((tokens, width)).astype(np.float32)
        if made is None:
            tensors = [tensor_of(a, d) for a, d in ((x, ("r", "w")), (ids, ("t",)), (updates, ("t", "w")))]
            made = Lowered(LOWER["scatter"], op_for("scatter", tensors, mode="add"), tensors)
        wanted = x.copy()
        np.add.at(wanted, ids, updates)
        np.testing.assert_allclose(made.call([x, ids, updates])[0], wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("target", OTHERS, ids=lambda t: t.cpu)
def test_cross_compiles(target: Target) -> None:
    x, ids = np.zeros((4, 6), np.float32), np.zeros(3, np.int32)
    z = np.zeros((3, 4), np.complex64)
    for name, arrays, attrs in [
        ("scatter", [x, ids, x[:3]], {"mode": "max"}),
        ("scatter_add", [x.astype(np.float16)[:3], ids], {"out_dim": 2}),
        ("complex_norm_sq", [z], {}),
        ("max_pool2d_backward", [x[None, None], x[None, None, :2, :3]], {"kernel_size": 2}),
    ]:
        assert all(len(stage.object) > 500 for stage in lowered(name, arrays, target, **attrs).stages)
