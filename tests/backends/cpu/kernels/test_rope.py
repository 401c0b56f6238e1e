"""Rope against NumPy: both pairings, partial turns, tables by position and per token, views, symbolic sizes."""

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from rlx.backends.cpu.kernels.rope import lower
from rlx.backends.cpu.target import Target
from tests.backends.cpu.levels import HOST, OTHERS, TARGETS
from tests.backends.cpu.lowered import Array, Lowered, op_for, run, tensor_of

TOLERANCE = {"float64": 1e-14, "float32": 1e-6, "float16": 2e-3, "bfloat16": 2e-2}


def expected(x: Array, cos: Array, sin: Array, positions: Any = None, *, head_dim: int, n_rot: int, interleaved: bool) -> Array:
    """Complex numbers turned: pair (a, b) is a + ib, times cos + i sin."""
    batch, tokens = x.shape[:2]
    out = x.astype(np.float64).reshape(batch, tokens, math.prod(x.shape[2:]) // head_dim, head_dim)
    for b in range(batch):
        for s in range(tokens):
            if cos.ndim == 3:
                c, n = (table[b if len(table) > 1 else 0, s].astype(np.float64) for table in (cos, sin))
            else:
                place = s if positions is None else int(positions[b, s])
                place = min(max(place + len(cos) if place < 0 else place, 0), len(cos) - 1)
                c, n = (table[place].astype(np.float64) for table in (cos, sin))
            turning = out[b, s, :, :n_rot]
            a, b_ = (turning[:, ::2], turning[:, 1::2]) if interleaved else (turning[:, : n_rot // 2], turning[:, n_rot // 2 :])
            turned = (a + 1j * b_) * (c + 1j * n)
            if interleaved:
                turning[:, ::2], turning[:, 1::2] = turned.real, turned.imag
            else:
                turning[:, : n_rot // 2], turning[:, n_rot // 2 :] = turned.real, turned.imag
    return out.reshape(x.shape)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("head_dim, n_rot", [(2, 2), (8, 8), (64, 64), (64, 32), (67, 66), (80, 20), (6, 0), (128, 96)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, ml_dtypes.bfloat16])
def test_pairs(target: Target, interleaved: bool, head_dim: int, n_rot: int, dtype: Any) -> None:
    random = np.random.default_rng(0)
    x = random.standard_normal((2, 5, 3 * head_dim)).astype(dtype)
    cos, sin = (random.uniform(-1, 1, (9, n_rot // 2)).astype(dtype) for _ in range(2))
    positions = np.array([[0, 8, -1, -9, 4], [99, -99, 3, 3, 1]], np.int64)
    attrs = {"head_dim": head_dim, "n_rot": n_rot, "interleaved": interleaved}
    op = op_for("rope", [tensor_of(a) for a in (x, cos, sin, positions)], **attrs)
    lowered = Lowered(lower, op, [tensor_of(a) for a in (x, cos, sin, positions)], target)
    (actual,) = lowered.call([x, cos, sin, positions])
    wanted = expected(x, cos, sin, positions, **attrs)
    bound = TOLERANCE[np.dtype(dtype).name]
    np.testing.assert_allclose(actual.astype(np.float64), wanted, rtol=bound, atol=bound)
    np.testing.assert_array_equal(lowered.call([x, cos, sin, positions], split=1)[0].view(np.uint8), actual.view(np.uint8))
    in_place = lowered.call([x, cos, sin, positions], in_place=True)[0]
    np.testing.assert_array_equal(in_place.view(np.uint8), actual.view(np.uint8))


@pytest.mark.parametrize("interleaved", [False, True])
def test_views_and_tables_per_token(interleaved: bool) -> None:
    """x as a part of a fused projection, f32 tables beside a 16-bit x."""
    random = np.random.default_rng(0)
    fused = random.standard_normal((2, 11, 100)).astype(np.float16)
    x = fused[..., 10:74]
    for rows in (1, 2):
        cos, sin = (random.uniform(-1, 1, (rows, 11, 8)).astype(np.float32) for _ in range(2))
        attrs = {"head_dim": 16, "n_rot": 16, "interleaved": interleaved}
        op = op_for("rope", [tensor_of(a) for a in (x, cos, sin)], **attrs)
        (actual,) = run(lower, op, [x, cos, sin])
        np.testing.assert_allclose(actual, expected(x, cos, sin, **attrs), rtol=2e-3, atol=2e-3)
    heads = fused[..., 10:74].reshape(2, 11, 4, 16).transpose(0, 2, 1, 3).copy().transpose(0, 2, 1, 3)
    op = op_for("rope", [tensor_of(a) for a in (heads, cos, sin)], **attrs)
    np.testing.assert_array_equal(run(lower, op, [heads, cos, sin])[0].reshape(2, 11, 64), actual)


def test_symbolic_sizes_compile_once() -> None:
    random = np.random.default_rng(0)
    compiled: Lowered | None = None
    attrs = {"head_dim": 8, "n_rot": 6, "interleaved": False}
    for batch, tokens, rows in [(1, 1, 1), (3, 7, 9), (2, 40, 40), (1, 0, 5)]:
        x = random.standard_normal((batch, tokens, 24)).astype(np.float32)
        cos, sin = (random.uniform(-1, 1, (rows, 3)).astype(np.float32) for _ in range(2))
        positions = random.integers(-rows, rows, (batch, tokens)).astype(np.int32)
        arrays = [x, cos, sin, positions]
        if compiled is None:
            dims = [("b", "s", 24), ("p", 3), ("p", 3), ("b", "s")]
            tensors = [tensor_of(array, size) for array, size in zip(arrays, dims, strict=True)]
            compiled = Lowered(lower, op_for("rope", tensors, **attrs), tensors)
        (actual,) = compiled.call(arrays)
        np.testing.assert_allclose(actual, expected(x, cos, sin, positions, **attrs), atol=1e-6)


def test_what_it_refuses_says_why() -> None:
    x, table = np.zeros((1, 4, 16), np.float32), np.zeros((4, 4), np.float32)
    op = op_for("rope", [tensor_of(a) for a in (x, table, table)], head_dim=8)
    strided = tuple(tensor_of(a) for a in (np.zeros((1, 4, 32), np.float32)[..., ::2], table, table))
    assert lower(op, strided, (tensor_of(x),), HOST) == "the last axis of x is not dense"  # type: ignore[arg-type]


@pytest.mark.parametrize("target", OTHERS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("interleaved", [False, True])
def test_cross_compiles(target: Target, interleaved: bool) -> None:
    arrays = [np.zeros((1, 3, 67), ml_dtypes.bfloat16), *(np.zeros((3, 33), np.float32) for _ in range(2))]
    tensors = [tensor_of(array) for array in arrays]
    op = op_for("rope", tensors, head_dim=67, n_rot=66, interleaved=interleaved)
    assert len(Lowered(lower, op, tensors, target).stages[0].object) > 500
