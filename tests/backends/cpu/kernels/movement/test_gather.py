"""Index kernels against NumPy: every axis and rank, negative and far indices, windows with starts of their own."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from rlx.backends.cpu.kernels.movement.indexing import LOWER, OUT_OF_BOUNDS
from rlx.backends.cpu.target import Target
from tests.backends.cpu.levels import OTHERS, TARGETS
from tests.backends.cpu.lowered import Array, Lowered, op_for, tensor_of

DTYPES = [np.float32, np.float64, np.float16, ml_dtypes.bfloat16, np.int8, np.uint32, np.int64, np.bool_, np.complex64]


def lowered(name: str, arrays: list[Array], target: Target | None = None, **attrs: Any) -> Lowered:
    tensors = [tensor_of(array) for array in arrays]
    return Lowered(LOWER[name], op_for(name, tensors, **attrs), tensors, target)


def call(name: str, arrays: list[Array], target: Target | None = None, **attrs: Any) -> Array:
    """The result; splits give the same bits, and the operands do not change."""
    made = lowered(name, arrays, target, **attrs)
    (actual,) = made.call(arrays)
    for split in ({"split": 1}, {"split": 2, "threads": 2}):
        np.testing.assert_array_equal(made.call(arrays, **split)[0].view(np.uint8), actual.view(np.uint8))
    return actual


def numbers(*dims: int, dtype: Any = np.float32) -> Array:
    return (np.arange(1, 1 + np.prod(dims)) * 7 % 101).reshape(dims).astype(dtype)


def resolve(indices: Array, size: int) -> tuple[Array, Array]:
    counted = np.array([int(i) + size if i < 0 else min(int(i), 2**62) for i in indices.flat], np.int64).reshape(indices.shape)
    return np.clip(counted, 0, max(size - 1, 0)), (counted < 0) | (counted >= size)


def fill(dtype: Any) -> Any:
    return np.asarray(np.nan if np.dtype(dtype).kind not in "iub" else 0).astype(dtype)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("mode", ["clip", "fill"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_gather(target: Target, mode: str, dtype: Any) -> None:
    x = numbers(5, 7, 3, dtype=dtype)
    for axis in range(3):
        size = x.shape[axis]
        for indices in (np.array([0, -1, size, -size, -size - 1, 99, 1]), np.array(2), np.array([[1, -2]]), np.zeros((2, 0), int)):
            actual = call("gather", [x, indices.astype(np.int32)], target, axis=axis, mode=mode)
            places, outside = resolve(indices, size)
            wanted = np.take(x, places, axis)
            if mode == "fill":
                shape = (*(1,) * axis, *indices.shape, *(1,) * (2 - axis))
                wanted = np.where(outside.reshape(shape), fill(dtype), wanted)
            np.testing.assert_array_equal(actual.astype(complex), wanted.astype(complex))


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_index_dtypes(kind: Any) -> None:
    x = numbers(9, 40)
    info = np.iinfo(kind)
    indices = np.array([0, 8, 9, info.max, info.min, 100], kind)
    places, outside = resolve(indices, 9)
    np.testing.assert_array_equal(call("gather", [x, indices], axis=0), x[places])
    filled = call("gather", [x, indices], axis=0, mode="fill")
    np.testing.assert_array_equal(filled, np.where(outside[:, None], np.nan, x[places]))


def test_gather_of_views() -> None:
    x = numbers(6, 8, 10)[::2, 1:, ::-1].transpose(1, 0, 2)
    indices = np.arange(12).reshape(3, 4)[:, ::2] - 6
    for axis in range(3):
        places, _ = resolve(indices, x.shape[axis])
        np.testing.assert_array_equal(call("gather", [x, indices], axis=axis), np.take(x, places, axis))


def test_gather_of_many_rows() -> None:
    """An embedding: long rows, several units."""
    x = np.random.default_rng(0).standard_normal((300, 515)).astype(np.float32)
    indices = np.random.default_rng(1).integers(-300, 300, (7, 60)).astype(np.int32)
    np.testing.assert_array_equal(call("gather", [x, indices], axis=0), x[indices])


@pytest.mark.parametrize("name", ["gather", "take_along_axis"])
@pytest.mark.parametrize("axis", [0, 1])
def test_bounds_are_checked(name: str, axis: int) -> None:
    x, good = numbers(4, 4), np.array([[0, -4, 3, 1]], np.int32)
    for indices, outside in ((good, False), (good + 1, True), (good - 1, True)):
        made = lowered(name, [x, indices], axis=axis, check_bounds=True)
        made.call([x, indices])
        assert (made.status[0] != 0) == outside
        if outside:
            assert (made.status[0] >> 32, made.status[0] & 0xFFFFFFFF) == (7, OUT_OF_BOUNDS)


@pytest.mark.parametrize("mode", ["clip", "fill"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_take_along_axis(mode: str, axis: int) -> None:
    random = np.random.default_rng(0)
    x = random.standard_normal((4, 5, 6)).astype(np.float32)
    for dims in ((4, 5, 6), (1, 5, 6), (4, 1, 1), (1, 1, 1)):
        shape = [9 if a == axis else n for a, n in enumerate(dims)]
        indices = random.integers(-8, 8, shape).astype(np.int64)
        places, outside = resolve(indices, x.shape[axis])
        wide = [9 if a == axis else n for a, n in enumerate(x.shape)]
        wanted = np.take_along_axis(x, np.broadcast_to(places, wide), axis)
        if mode == "fill":
            wanted = np.where(np.broadcast_to(outside, wide), np.nan, wanted)
        np.testing.assert_array_equal(call("take_along_axis", [x, indices], axis=axis, mode=mode), wanted)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", [*DTYPES, np.complex128])
def test_dynamic_slices(target: Target, dtype: Any) -> None:
    x = numbers(3, 9, 20, dtype=dtype)
    for start in (-5, 0, 4, 7, 99):
        window = slice(min(max(start, 0), 5), min(max(start, 0), 5) + 4)
        scalar = np.array(start, np.int64)
        actual = call("dynamic_slice", [x, scalar], target, axes=(1,), sizes=(4,))
        np.testing.assert_array_equal(actual, x[:, window])
        update = numbers(3, 4, 20, dtype=dtype)[:, ::-1]
        wanted = x.copy()
        wanted[:, window] = update
        np.testing.assert_array_equal(call("dynamic_update_slice", [x, update, scalar], target, axes=(1,)), wanted)


def test_starts_of_each_row() -> None:
    """A cache [B, heads, capacity, D]: each sequence writes at its own length; another axis has a scalar start."""
    cache, new = numbers(4, 2, 30, 19), -numbers(4, 2, 3, 19)
    lengths, scalar = np.array([0, 5, 28, -3], np.int32), np.array(1, np.int8)
    wanted = cache.copy()
    for b, start in enumerate((0, 5, 27, 0)):
        wanted[b, :, start : start + 3] = new[b]
    made = lowered("dynamic_update_slice", [cache, new, lengths], axes=(2,))
    np.testing.assert_array_equal(made.call([cache, new, lengths])[0], wanted)
    np.testing.assert_array_equal(made.call([cache, new, lengths], in_place=True)[0], wanted)
    np.testing.assert_array_equal(made.call([cache, new, lengths], split=1, in_place=True)[0], wanted)
    part = call("dynamic_slice", [cache, lengths, scalar], axes=(2, 1), sizes=(3, 1))
    np.testing.assert_array_equal(part[1], cache[1, 1:2, 5:8])
    strided = cache.transpose(0, 2, 1, 3)
    part = call("dynamic_slice", [strided, lengths], axes=(1,), sizes=(3,))
    np.testing.assert_array_equal(part[2], strided[2, 27:30])


def test_symbolic_sizes_compile_once() -> None:
    makers: dict[str, Lowered] = {}
    for batch, capacity, tokens in [(1, 8, 1), (3, 50, 7), (2, 300, 300), (1, 5, 0)]:
        cache, new = numbers(batch, capacity, 6), -numbers(batch, tokens, 6)
        starts = np.arange(batch, dtype=np.int32) * 3
        indices = np.arange(tokens * 2, dtype=np.int32).reshape(tokens, 2) - tokens
        wanted = cache.copy()
        for b in range(batch):
            first = min(int(starts[b]), capacity - tokens)
            wanted[b, first : first + tokens] = new[b]
        rows: dict[str, tuple[list[Array], list[Any], dict[str, Any]]] = {
            "dynamic_update_slice": ([cache, new, starts], [("b", "c", 6), ("b", "s", 6), ("b",)], {"axes": (1,)}),
            "gather": ([cache, indices], [("b", "c", 6), ("s", 2)], {"axis": 1}),
        }
        for name, (arrays, dims, attrs) in rows.items():
            if name not in makers:
                tensors = [tensor_of(array, size) for array, size in zip(arrays, dims, strict=True)]
                op = op_for(name, [tensor_of(array) for array in arrays], **attrs)
                from rlx.backends.cpu.emit.kernel import Tensor
                from rlx.core.shape import Shape

                shape = tensors[0].dims if name != "gather" else (*tensors[0].dims[:1], *tensors[1].dims, 6)  # type: ignore[union-attr]
                outputs = [Tensor.dense(Shape.make(shape, tensors[0].dtype))]  # type: ignore[union-attr]
                makers[name] = Lowered(LOWER[name], op, tensors, outputs=outputs)
            (actual,) = makers[name].call(arrays)
            if name == "gather":
                places, _ = resolve(indices, capacity)
                np.testing.assert_array_equal(actual, cache[:, places])
            else:
                np.testing.assert_array_equal(actual, wanted)


@pytest.mark.parametrize("target", OTHERS, ids=lambda t: t.cpu)
def test_cross_compiles(target: Target) -> None:
    x, start = numbers(4, 6), np.array(1, np.int32)
    index = np.zeros((2, 3), np.int32)
    for name, arrays, attrs in [
        ("gather", [x, index], {"axis": 0, "mode": "fill", "check_bounds": True}),
        ("take_along_axis", [x, index[:, :1]], {"axis": 0}),
        ("dynamic_slice", [x, start], {"axes": (1,), "sizes": (2,)}),
        ("dynamic_update_slice", [x, x[:2], start], {"axes": (0,)}),
    ]:
        if name == "take_along_axis":
            arrays = [x[:, :1], index[:, :1]]
        assert all(len(stage.object) > 500 for stage in lowered(name, arrays, target, **attrs).stages)


def test_windows_of_one_column() -> None:
    """The last axis of the window has size 1: its elements are apart in the whole tensor."""
    x, column, start = numbers(5, 8), -numbers(5, 1), np.array(3, np.int32)
    wanted = x.copy()
    wanted[:, 3:4] = column
    np.testing.assert_array_equal(call("dynamic_update_slice", [x, column, start], axes=(1,)), wanted)
    np.testing.assert_array_equal(call("dynamic_slice", [x, start], axes=(1,), sizes=(1,)), x[:, 3:4])
