"""The cast with a scale for each block, and its inverse, on the CPU: the bits of the references at every level, dtype and block."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rlx.backends.cpu.kernels.quantized.blocked_cast import LOWER
from rlx.backends.cpu.target import Target
from rlx.core.dtype import DType
from rlx.ir.evaluate import evaluate_op
from tests.backends.cpu.levels import OTHERS, TARGETS
from tests.backends.cpu.lowered import Lowered, op_for, tensor_of

NAMES = ("f8e4m3", "f8e5m2", "f4e2m1")
BLOCKS = [(1, 1), (1, 16), (1, 32), (1, 100), (16, 1), (2, 2), (3, 5), (4, 8), (7, 300)]
CASTS = [
    pytest.param(name, block, id=f"{name}-{block}", marks=[] if index % 3 == NAMES.index(name) else pytest.mark.long)
    for index, block in enumerate(BLOCKS)
    for name in NAMES
]
SPECIALS = np.array([0.0, -0.0, 1e-45, -3e-39, 3.4e38, np.inf, -np.inf, np.nan, -np.nan, 448.0, 6.0], np.float32)


def numbers(*dims: int, seed: int = 0) -> Any:
    """Of all sizes, some of them special."""
    random = np.random.default_rng([seed, *dims])
    x = (random.normal(size=dims) * 2.0 ** random.integers(-30, 30, dims)).astype(np.float32)
    return np.where(random.random(dims) < 0.05, random.choice(SPECIALS, dims), x)


def check(name: str, arrays: list[Any], target: Target, dims: Any = None, **attrs: Any) -> list[Any]:
    """The bits of the reference, also when units run one by one and side by side."""
    tensors = [tensor_of(array, dims if index == 0 else None) for index, array in enumerate(arrays)]
    op = op_for(name, [tensor_of(array) for array in arrays], **attrs)
    made = Lowered(LOWER[name], op, tensors, target)
    found = made.call(arrays)
    for actual, wanted in zip(found, evaluate_op(op, arrays), strict=True):
        assert actual.dtype == wanted.dtype
        np.testing.assert_array_equal(actual.view(np.uint8), wanted.view(np.uint8))
    for split in ({"split": 1}, {"split": 2, "threads": 2}):
        for once, again in zip(found, made.call(arrays, **split), strict=True):
            np.testing.assert_array_equal(again.view(np.uint8), once.view(np.uint8))
    return found


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize(("name", "block"), CASTS)
def test_casts_and_their_inverse_have_the_bits_of_the_reference(name: str, block: Any, target: Target) -> None:
    for x, round_sf in ((numbers(9, 275), False), (numbers(2, 5, 70, seed=1), True)):
        elements, scales = check("blocked_cast", [x], target, out_dtype=name, sf_block=block, round_sf=round_sf)
        check("blocked_dequantize", [elements, scales], target, sf_block=block)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", ["f64", "f16", "bf16"])
def test_other_floats(dtype: str, target: Target) -> None:
    x = numbers(5, 83)
    with np.errstate(all="ignore"):
        x = x.astype(DType.of(dtype).numpy)
    elements, scales = check("blocked_cast", [x], target, sf_block=(2, 32), round_sf=True)
    tidy = np.where(np.isnan(elements.astype(np.float32)), 0, elements.astype(np.float32)).astype(elements.dtype)
    check("blocked_dequantize", [tidy, scales.astype(x.dtype)], target, sf_block=(2, 32))


@pytest.mark.parametrize("block", [(1, 32), (3, 4), (2, 1)], ids=str)
def test_symbolic_sizes_and_rows_with_gaps(block: Any) -> None:
    for dims in ((1, 3, 1), (2, 5, 67), (1, 0, 9), (3, 4, 0)):
        check("blocked_cast", [numbers(*dims)], TARGETS[0], ("b", "m", "n"), sf_block=block)
    wide = numbers(3, 9, 90)
    check("blocked_cast", [wide[::2, 1:8, 3:77]], TARGETS[0], sf_block=block)


def test_many_units() -> None:
    x = numbers(70, 1030)
    for block in ((1, 128), (64, 1), (16, 16), (1 << 40, 1 << 40)):
        check("blocked_cast", [x], TARGETS[0], out_dtype="f8e5m2", sf_block=block)


@pytest.mark.parametrize("target", OTHERS, ids=lambda t: t.cpu)
def test_compiles_for_other_cpus(target: Target) -> None:
    x = tensor_of(numbers(5, 70))
    op = op_for("blocked_cast", [x], out_dtype="f4e2m1", sf_block=(2, 8))
    Lowered(LOWER["blocked_cast"], op, [x], target)
