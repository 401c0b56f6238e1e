"""Attention of bf16 by tiles: against NumPy, with every operation on tiles as a loop, and as instructions where the CPU has them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from rlx.backends.cpu.compile.codegen import assembly
from rlx.backends.cpu.emit.builder import Module
from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Tensor
from rlx.backends.cpu.kernels.attention.forward import lower
from rlx.backends.cpu.target import Target
from rlx.core.shape import Shape
from tests.backends.cpu.kernels.attention.test_forward import SPLITS, check, expected, heads_last, i32
from tests.backends.cpu.levels import HOST
from tests.backends.cpu.lowered import Lowered, op_for, run, tensor_of

BF16 = ml_dtypes.bfloat16
AMX = Target.named("x86_64-amx")
LOOPS = replace(HOST, features=HOST.features + ",+amx-tile,+amx-int8,+amx-bf16", tiles_as_loops=True)
TILED: dict[str, Any] = {"target": LOOPS, "dtype": BF16}

needs_vectors = pytest.mark.skipif(HOST.vector_bytes != 64, reason="tiles are loops over vectors of 64 bytes")


def code_of(target: Target, dtype: str = "bf16", head_dim: int = 64) -> str:
    sizes = [(1, 96, 4 * head_dim), (1, 96, 2 * head_dim), (1, 96, 2 * head_dim)]
    tensors = [Tensor.dense(Shape(dims, dtype)) for dims in sizes]
    op = op_for("attention", tensors, num_heads=4, num_kv_heads=2, head_dim=head_dim, mask_kind="causal")
    lowering = lower(op, tuple(tensors), (tensors[0],), target)
    assert isinstance(lowering, Lowering)
    (stage,) = lowering.stages
    module = Module(target)
    stage.emit(KernelCode(module, "run", [(*tensors, tensors[0])[index] for index in stage.operands]))
    return assembly(module.text(), target)


def test_with_amx_attention_of_bf16_is_made_of_tiles() -> None:
    code = code_of(AMX)
    for instruction in ("ldtilecfg", "tileloadd", "tdpbf16ps", "tilestored", "tilerelease"):
        assert instruction in code


@pytest.mark.parametrize("options", [{"dtype": "f32"}, {"dtype": "f16"}, {"head_dim": 48}])
def test_other_heads_are_not(options: dict[str, Any]) -> None:
    assert "tdpbf16ps" not in code_of(AMX, **options)


def test_nor_are_those_whose_rows_must_not_depend_on_others() -> None:
    assert "tdpbf16ps" not in code_of(replace(AMX, batch_invariant=True))
    assert "tdpbf16ps" not in code_of(Target.named("x86_64-avx512"))


@needs_vectors
@pytest.mark.parametrize("mask_kind", ["none", "causal", "sliding_window(19)"])
@pytest.mark.parametrize("sizes", [(1, 4, 2, 50, 50, 32), (1, 2, 1, 70, 330, 64), (2, 2, 2, 40, 23, 96), (1, 3, 3, 150, 150, 128)])
def test_masks_by_position(mask_kind: str, sizes: tuple[int, int, int, int, int, int]) -> None:
    check(sizes, mask_kind=mask_kind, **TILED)


@needs_vectors
@pytest.mark.parametrize("layout", ["bshd", "bhsd"])
def test_layouts_and_splits(layout: str) -> None:
    check((1, 6, 2, 67, 90, 32), mask_kind="causal", layout=layout, splits=SPLITS, **TILED)


@needs_vectors
def test_ragged_lengths() -> None:
    lengths = i32(0, 1, 64, 65, 200)
    check((5, 4, 2, 30, 200, 32), None, None, lengths, mask_kind="causal", **TILED)
    check((5, 4, 2, 30, 200, 32), None, i32(0, 3, 199, -5, 40), lengths, mask_kind="sliding_window(33)", **TILED)


@needs_vectors
def test_masks_biases_and_caps() -> None:
    random = np.random.default_rng(0)
    mask = random.random((3, 150)) < 0.5
    mask[1] = False
    check((3, 2, 2, 40, 150, 32), mask, mask_kind="custom", causal=True, **TILED)
    bias = random.standard_normal((37, 90)).astype(np.float32)
    check((2, 4, 2, 37, 90, 32), bias, mask_kind="bias", **TILED)
    check((1, 2, 1, 37, 77, 32), mask_kind="causal", softcap=2.0, score_scale=-0.7, **TILED)


@needs_vectors
def test_what_lies_past_the_lengths_has_no_effect() -> None:
    """Not even NaN, nor what a custom mask hides: its weights are zero, and zero times NaN is not."""
    random = np.random.default_rng(0)
    q, k, v = (random.standard_normal((2, n, 64)).astype(BF16) for n in (40, 200, 200))
    lengths, mask = i32(150, 70), random.random((2, 200)) < 0.7

    def result(kind: str, given: Any) -> np.ndarray:
        op = op_for("attention", [tensor_of(x) for x in (q, k, v, given)], num_heads=2, head_dim=32, mask_kind=kind)
        return run(lower, op, [q, k, v, given, None, lengths], target=LOOPS)[0]

    wanted, masked = result("causal", None), result("custom", mask)
    for row, length in enumerate(lengths):
        k[row, length:] = v[row, length:] = np.nan
    np.testing.assert_array_equal(result("causal", None).view(np.uint16), wanted.view(np.uint16))
    k[~mask] = v[~mask] = np.nan
    np.testing.assert_array_equal(result("custom", mask).view(np.uint16), masked.view(np.uint16))


@needs_vectors
def test_nan_in_what_is_seen_comes_out() -> None:
    q, k, v = (np.ones((1, n, 32), BF16) for n in (20, 30, 30))
    k[0, 3] = np.nan
    op = op_for("attention", [tensor_of(x) for x in (q, k, v)], num_heads=1, head_dim=32)
    assert np.isnan(run(lower, op, [q, k, v], target=LOOPS)[0].astype(np.float32)).all()


@needs_vectors
def test_sizes_known_at_run_time() -> None:
    compiled: Lowered | None = None
    random = np.random.default_rng(0)
    for queries, keys in [(1, 70), (9, 100), (50, 50), (33, 300)]:
        q, k, v = (random.standard_normal((1, h, n, 32)).astype(BF16) for h, n in ((4, queries), (2, keys), (2, keys)))
        arrays = [heads_last(x, "packed") for x in (q, k, v)]
        if compiled is None:
            dims: list[Any] = [(1, "s", 128), (1, "t", 64), (1, "t", 64)]
            tensors = [tensor_of(array, sizes) for array, sizes in zip(arrays, dims, strict=True)]
            op = op_for("attention", tensors, num_heads=4, num_kv_heads=2, head_dim=32, mask_kind="causal")
            compiled = Lowered(lower, op, tensors, LOOPS)
        (actual,) = compiled.call(arrays)
        wanted = heads_last(expected(q, k, v, mask_kind="causal"), "packed")
        np.testing.assert_allclose(actual.astype(np.float64), wanted, rtol=2e-2, atol=2e-2)
