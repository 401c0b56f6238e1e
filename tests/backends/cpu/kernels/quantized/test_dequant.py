"""Packed weights on the CPU against the references; every scheme, dtype of x, views, many rows, rows by expert."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from rlx.backends.cpu.kernels.quantized.dequant import LOWER
from rlx.backends.cpu.target import Target
from rlx.ir.evaluate import evaluate_op
from rlx.ops.quantized.stored_weights import BLOCKS, PLAIN, dequantize, random_operands
from tests.backends.cpu.levels import OTHERS, TARGETS
from tests.backends.cpu.lowered import Lowered, op_for, tensor_of

RANDOM = np.random.default_rng(0)


def operands(text: str, k: int, n: int, *lead: int) -> list[Any]:
    return [None if s is None else s.array(RANDOM) for s in random_operands(text, k, n, *lead)]


def check(name: str, arrays: list[Any], rtol: float, **attrs: Any) -> None:
    tensors = [tensor_of(array) for array in arrays]
    op = op_for(name, tensors, **attrs)
    made = Lowered(LOWER[name], op, tensors)
    (found,) = made.call(arrays)
    wanted = evaluate_op(op, arrays, wide=True)[0]
    scale = np.abs(wanted[np.isfinite(wanted)]).max() if wanted.size else 1
    np.testing.assert_allclose(found.astype(np.float64), wanted, rtol=rtol, atol=rtol * scale)
    for split in ({"split": 1}, {"split": 2, "threads": 2}):
        np.testing.assert_array_equal(made.call(arrays, **split)[0].view(np.uint8), found.view(np.uint8))


@pytest.mark.parametrize("text", BLOCKS)
def test_numbers_of_blocks_are_exact(text: str) -> None:
    """The same bits as the reference, which has the bits of the `gguf` package."""
    w = operands(text, 512, 5)[0]
    indices = np.arange(5, dtype=np.int32)
    tensors = [tensor_of(w), tensor_of(indices)]
    op = op_for("dequant_gather", tensors, scheme=text)
    (found,) = Lowered(LOWER["dequant_gather"], op, tensors).call([w, indices])
    np.testing.assert_array_equal(found.view(np.uint32), evaluate_op(op, [w, indices])[0].view(np.uint32))


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("text", [text for text in BLOCKS if text not in ("gguf_f16", "gguf_bf16")])
def test_a_product_with_the_identity_is_the_weight(text: str, target: Target) -> None:
    """The numbers unpacked for products, eight at a time: the same bits again."""
    w, x = operands(text, 256, 19)[0], np.eye(256, dtype=np.float32)
    tensors = [tensor_of(x), tensor_of(w)]
    op = op_for("dequant_matmul", tensors, scheme=text)
    (found,) = Lowered(LOWER["dequant_matmul"], op, tensors, target).call([x, w])
    np.testing.assert_array_equal(found, dequantize(op.attrs["scheme"], 256, 19, w))


@pytest.mark.parametrize("text", [*PLAIN, "gguf_q4k", "gguf_q8_0"])
@pytest.mark.parametrize("rows", [1, 7, 100])
def test_products_of_many_rows(text: str, rows: int) -> None:
    k, n = 768, 37
    x = RANDOM.standard_normal((rows, k)).astype(np.float32)
    check("dequant_matmul", [x, *operands(text, k, n)], 1e-5, scheme=text)


@pytest.mark.parametrize("dtype", [np.float64, np.float16, ml_dtypes.bfloat16])
def test_dtypes_of_x(dtype: Any) -> None:
    x = RANDOM.standard_normal((3, 5, 64)).astype(dtype)[:, ::2]
    rtol = {np.float64: 1e-6, np.float16: 1e-3}.get(dtype, 1e-2)
    check("dequant_matmul", [x, *operands("int8/32", 64, 19)], rtol, scheme="int8/32")


def test_bounds_are_checked() -> None:
    x, w = np.zeros((2, 32), np.float32), operands("gguf_q8_0", 32, 2, 3)[0]
    for experts, fails in ((np.array([0, 2]), False), (np.array([0, 3]), True)):
        tensors = [tensor_of(a) for a in (x, w, experts)]
        op = op_for("dequant_grouped_matmul", tensors, scheme="gguf_q8_0", check_bounds=True)
        made = Lowered(LOWER["dequant_grouped_matmul"], op, tensors)
        made.call([x, w, experts])
        assert (made.status[0] != 0) == fails


def test_symbolic_rows_compile_once() -> None:
    w = operands("gguf_q6k", 256, 21)[0]
    made: Lowered | None = None
    for rows in (1, 5, 60, 0):
        x = RANDOM.standard_normal((rows, 256)).astype(np.float32)
        if made is None:
            tensors = [tensor_of(x, ("r", 256)), tensor_of(w)]
            made = Lowered(LOWER["dequant_matmul"], op_for("dequant_matmul", tensors, scheme="gguf_q6k"), tensors)
        op = op_for("dequant_matmul", [tensor_of(x), tensor_of(w)], scheme="gguf_q6k")
        np.testing.assert_allclose(made.call([x, w])[0], evaluate_op(op, [x, w])[0], rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("target", OTHERS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("text", ["int4/32", "nvfp4", "gguf_iq2_s"])
def test_cross_compiles(target: Target, text: str) -> None:
    arrays = [np.zeros((4, 256), np.float32), *operands(text, 256, 9)]
    tensors = [tensor_of(array) for array in arrays]
    made = Lowered(LOWER["dequant_matmul"], op_for("dequant_matmul", tensors, scheme=text), tensors, target)
    assert all(len(stage.object) > 500 for stage in made.stages)
