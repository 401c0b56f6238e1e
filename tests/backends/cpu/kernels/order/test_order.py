"""Sorting and extremes against NumPy: NaN, infinities, both zeros, ties, every dtype, any axis and view."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from rlx.backends.cpu.kernels.sorting import FEW, LOWER
from rlx.backends.cpu.target import Target
from tests.backends.cpu.levels import OTHERS, TARGETS
from tests.backends.cpu.lowered import Array, Lowered, op_for, tensor_of

ALONG_AXIS = [name for name in LOWER if name != "searchsorted"]

DTYPES = [
    np.float32,
    np.float64,
    np.float16,
    ml_dtypes.bfloat16,
    np.int8,
    np.uint8,
    np.int16,
    np.uint16,
    np.int32,
    np.uint32,
    np.int64,
    np.uint64,
    np.bool_,
]


def call(name: str, x: Array, target: Target | None = None, **attrs: Any) -> list[Array]:
    """The results; splits give the same bits."""
    made = Lowered(LOWER[name], op_for(name, [tensor_of(x)], **attrs), [tensor_of(x)], target)
    results = made.call([x])
    for split in ({"split": 1}, {"split": 2, "threads": 2}):
        for again, first in zip(made.call([x], **split), results, strict=True):
            np.testing.assert_array_equal(again.reshape(-1).view(np.uint8), first.reshape(-1).view(np.uint8))
    return results


def order(line: Array, descending: bool) -> list[int]:
    """Python's stable sort by (NaN or not, value): the rule in words."""
    sign = -1 if descending else 1
    values = [int(v) if np.dtype(line.dtype).kind in "iub" else float(v) for v in line]
    return sorted(
        range(len(line)), key=lambda i: (sign * (values[i] != values[i]), sign * values[i] if values[i] == values[i] else 0)
    )


def total_order(line: Array) -> list[int]:
    """Descending, by sign, then by bits: the total order of floats in words."""
    if np.dtype(line.dtype).kind in "iub":
        return order(line, True)
    bits = line.view(f"u{line.dtype.itemsize}").astype(object)
    sizes = [int(b) & (2 ** (8 * line.dtype.itemsize - 1) - 1) for b in bits]
    return sorted(range(len(line)), key=lambda i: (np.signbit(line[i]), sizes[i] if np.signbit(line[i]) else -sizes[i]))


def along(function: Any, x: Array, axis: int) -> Array:
    return np.apply_along_axis(function, axis, x)


def draw(dims: tuple[int, ...], dtype: Any, seed: int = 0) -> Array:
    """Numbers with many ties; floats with NaN, infinities and zeros of both signs."""
    random = np.random.default_rng(seed)
    kind = np.dtype(dtype)
    if kind.kind == "b":
        return random.random(dims) < 0.5
    if kind.kind in "iu":
        info = np.iinfo(dtype)
        return random.choice(np.array([info.min, info.max, 0, 1, 2, 3, info.max // 2], dtype), dims)
    pool = np.array([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1, 1.5, -2, 3, 1e-3, -7], np.float64)
    x = np.where(random.random(dims) < 0.5, random.choice(pool, dims), random.standard_normal(dims))
    return x.astype(dtype)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", DTYPES)
def test_extremes(target: Target, dtype: Any) -> None:
    for dims in ((3, 1), (2, 71)):
        for seed, quiet in ((0, False), (1, True)):
            x = draw(dims, dtype, seed)
            if quiet and np.dtype(dtype).kind not in "iub":
                x = np.where(np.isnan(x.astype(np.float64)), 0, x.astype(np.float64)).astype(dtype)
            wide = x.astype(np.float64) if np.dtype(dtype).kind not in "iub" else x
            for axis in (0, 1):
                np.testing.assert_array_equal(call("argmax", x, target, axis=axis)[0], np.argmax(wide, axis))
                np.testing.assert_array_equal(
                    call("argmin", x, target, axis=axis, keep_dim=True)[0], np.argmin(wide, axis, keepdims=True)
                )


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("length", [1, 32, 33, 300])
def test_sorting(target: Target, dtype: Any, length: int) -> None:
    x = draw((3, length), dtype)
    for descending in (False, True):
        places = along(lambda line, d=descending: order(line, d), x, 1)
        np.testing.assert_array_equal(call("argsort", x, target, descending=descending)[0], places)
        if not descending:
            totally = along(lambda line: [len(line) - 1 - i for i in total_order(line[::-1])[::-1]], x, 1)
            np.testing.assert_array_equal(call("argsort", x, target, total=True)[0], totally)
        (actual,) = call("sort", x, target, descending=descending)
        np.testing.assert_array_equal(actual.astype(np.float64), np.take_along_axis(x, places, 1).astype(np.float64))


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("count", [1, FEW, FEW + 1, 300])
def test_top_k(target: Target, dtype: Any, count: int) -> None:
    x = draw((2, 300), dtype)
    places = along(lambda line: total_order(line)[:count], x, 1)
    values, indices = call("top_k", x, target, k=count)
    np.testing.assert_array_equal(indices, places)
    np.testing.assert_array_equal(values.astype(np.float64), np.take_along_axis(x, places, 1).astype(np.float64))


@pytest.mark.parametrize("name", ALONG_AXIS)
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_axes_and_views(name: str, axis: int) -> None:
    x = draw((10, 41, 12), np.float32)[::2, 1:, ::-1].transpose(2, 0, 1)
    attrs = {"k": 3} if name == "top_k" else {}
    actual = call(name, x, axis=axis, **attrs)
    dense = call(name, x.copy(), axis=axis, **attrs)
    for mine, other in zip(actual, dense, strict=True):
        np.testing.assert_array_equal(mine, other)
    if name == "argsort":
        np.testing.assert_array_equal(actual[0], along(lambda line: order(line, False), x, axis))


def test_long_rows() -> None:
    """Logits of a large vocabulary, in ascending order too, which is the worst case."""
    random = np.random.default_rng(0)
    for x in (random.standard_normal((2, 50_001)).astype(np.float32), np.arange(20_000, dtype=np.float32)[None]):
        for count in (1, 40, 500):
            values, indices = call("top_k", x, k=count)
            wanted = np.argsort(-x, axis=1, kind="stable")[:, :count]
            np.testing.assert_array_equal(indices, wanted)
            np.testing.assert_array_equal(values, np.take_along_axis(x, wanted, 1))
        np.testing.assert_array_equal(call("argmax", x, axis=1)[0], np.argmax(x, 1))


def test_symbolic_sizes_compile_once() -> None:
    made: dict[str, Lowered] = {}
    for rows, length in [(1, 4), (3, 33), (2, 1000), (40, 9), (0, 5)]:
        x = np.random.default_rng(0).standard_normal((rows, length)).astype(np.float32)
        for name, attrs in (("argsort", {}), ("argmax", {"axis": 1}), ("top_k", {"k": 4})):
            if name not in made:
                tensor = tensor_of(x, ("r", "n"))
                from rlx.backends.cpu.emit.kernel import Tensor
                from rlx.core.shape import Shape

                assert tensor is not None
                dims = {"argsort": tensor.dims, "argmax": tensor.dims[:1], "top_k": (tensor.dims[0], 4)}[name]
                outputs = [Tensor.dense(Shape(dims, dtype)) for dtype in (("f32", "i32") if name == "top_k" else ("i32",))]
                made[name] = Lowered(LOWER[name], op_for(name, [tensor_of(x)], **attrs), [tensor], outputs=outputs)
            actual = made[name].call([x])[-1]
            wanted = {
                "argsort": np.argsort(x, 1, kind="stable"),
                "argmax": np.argmax(x, 1),
                "top_k": np.argsort(-x, 1, kind="stable")[:, :4],
            }[name]
            np.testing.assert_array_equal(actual, wanted)


@pytest.mark.parametrize("target", OTHERS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("name", ALONG_AXIS)
def test_cross_compiles(target: Target, name: str) -> None:
    for dtype in (np.float32, np.uint64, ml_dtypes.bfloat16):
        tensor = tensor_of(np.zeros((3, 300), dtype))
        attrs = {"k": 200} if name == "top_k" else {"axis": 1}
        made = Lowered(LOWER[name], op_for(name, [tensor], **attrs), [tensor], target)
        assert len(made.stages[0].object) > 500
