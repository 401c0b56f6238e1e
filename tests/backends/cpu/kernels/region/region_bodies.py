"""Regions as the kernel tests run them: bodies compiled for some shapes, held against the body's reference and a formula in f64."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from rlx.backends.cpu.emit.kernel import Tensor
from rlx.backends.cpu.kernels.region.region import lower_region
from rlx.backends.cpu.target import Target
from rlx.core.dim import Dim
from rlx.core.dtype import DType
from rlx.core.shape import Shape
from rlx.ir.evaluate import evaluate_body
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, Op
from rlx.ops.control.fused import make_body
from tests.backends.cpu.lowered import TARGETS, Lowered, tensor_of

BATCH, SEQ = Dim("batch", min=0), Dim("seq", min=0)
both_targets = pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)


def region(make: Callable[..., Any], shapes: Sequence[Shape]) -> tuple[Graph, Op]:
    """A function of Values as a body, and the op that holds it."""
    body = make_body("body", {f"x{i}": shape for i, shape in enumerate(shapes)}, make)
    return body, OPS["fused"].op(kind="region", body=body)


def compiled(
    make: Callable[..., Any], shapes: Sequence[Shape], target: Target | None = None, tensors: Sequence[Tensor] | None = None
) -> tuple[Lowered, Graph]:
    """The kernel of a region, and its body."""
    body, op = region(make, shapes)
    return Lowered(lower_region, op, tensors or [Tensor.dense(shape) for shape in shapes], target), body


def draw(shape: Sequence[int], dtype: str = "f32", seed: int = 0) -> np.ndarray:
    """Random numbers near 0 of any dtype."""
    random, kind = np.random.default_rng(seed), DType.of(dtype)
    if kind.is_bool:
        return random.random(shape) < 0.4
    if kind.is_integer:
        return random.integers(0 if kind.category == "uint" else -9, 10, shape).astype(kind.numpy)
    return random.standard_normal(shape).astype(kind.numpy)


def close(actual: np.ndarray, expected: np.ndarray, ulps: float = 32.0) -> None:
    """Within some units in the last place of the largest element; exact for ints and bools."""
    assert actual.shape == expected.shape
    dtype = DType.of(actual.dtype)
    if not dtype.is_float:
        np.testing.assert_array_equal(actual, expected)
        return
    eps = {"f64": 2.0**-52, "f32": 2.0**-23, "f16": 2.0**-10, "bf16": 2.0**-7}[dtype.name]
    wide, wanted = actual.astype(np.float64), np.asarray(expected, np.float64)
    np.testing.assert_array_equal(np.isnan(wide), np.isnan(wanted))
    finite = np.isfinite(wanted)
    np.testing.assert_array_equal(wide[~finite & ~np.isnan(wanted)], wanted[~finite & ~np.isnan(wanted)])
    scale = np.max(np.abs(wanted[finite]), initial=0.0)
    bound = ulps * eps if dtype.size >= 4 else 1.01 * eps + ulps * 2.0**-23
    np.testing.assert_allclose(wide[finite], wanted[finite], rtol=0, atol=bound * max(scale, 1e-30))


def check(
    make: Callable[..., Any],
    *arrays: np.ndarray,
    formula: Callable[..., Any] | None = None,
    target: Target | None = None,
    views: bool = False,
    ulps: float = 32.0,
) -> Lowered:
    """The kernel against the body's reference, and against an independent formula in f64."""
    shapes = [Shape(array.shape, DType.of(array.dtype)) for array in arrays]
    tensors = [tensor_of(array) for array in arrays] if views else None
    kernel, body = compiled(make, shapes, target, tensors)
    found = kernel.call(arrays)
    for actual, expected in zip(found, evaluate_body(body, arrays, wide=True), strict=True):
        close(actual, expected, ulps)
    if formula is not None:
        given = [a.astype(np.float64) if DType.of(a.dtype).is_float else a for a in arrays]
        wanted = formula(*given)
        for actual, expected in zip(found, wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
            close(actual, np.asarray(expected), ulps)
    for split, threads in ((1, 1), (3, 2)):
        for first, second in zip(found, kernel.call(arrays, split=split, threads=threads), strict=True):
            assert first.tobytes() == second.tobytes()
    return kernel


# -- bodies that several tests use, and what they mean ------------------------------------------------------------
def softmax(x: Any, axis: int = -1) -> Any:
    powers = OPS["exp"](x - OPS["reduce_max"](x, axes=axis, keep_dim=True))
    return powers / OPS["reduce_sum"](powers, axes=axis, keep_dim=True)


def np_softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    powers = np.exp(x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def layer_norm(x: Any, gamma: Any, beta: Any, axes: Any = -1) -> Any:
    centered = x - OPS["reduce_mean"](x, axes=axes, keep_dim=True)
    variance = OPS["reduce_mean"](centered * centered, axes=axes, keep_dim=True)
    return centered * OPS["rsqrt"](variance + 1e-5) * gamma + beta


def np_layer_norm(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray, axes: Any = -1) -> np.ndarray:
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + 1e-5) * gamma + beta
