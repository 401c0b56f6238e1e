"""searchsorted, and the functions with a given size: against NumPy, on the reference and the CPU."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import rlx
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.op import OPS
from rlx.ops.indexing.order import bincount, nonzero, unique
from tests.ops.running import infer

DEVICES = pytest.mark.parametrize("device", ["reference", "cpu"])
ORDERED = ("bool", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64")


def compiled(device: str, build: Any, *arrays: Any) -> Any:
    g = rlx.Graph("sets")
    values = [g.input(f"x{i}", array.shape, DType.of(array.dtype).name) for i, array in enumerate(arrays)]
    found = build(*values)
    g.set_outputs({f"y{i}": value for i, value in enumerate(found)})
    return tuple(rlx.compile(g, device).run({f"x{i}": array for i, array in enumerate(arrays)}).values())


@pytest.mark.parametrize("dtype", ORDERED)
def test_searchsorted_in_every_dtype(dtype: str) -> None:
    kind = DType.of(dtype).numpy
    random = np.random.default_rng(0)
    line = np.sort(random.integers(0, 2 if dtype == "bool" else 100, 61).astype(kind).astype(np.float64)).astype(kind)
    queries = random.integers(0, 2 if dtype == "bool" else 110, (7, 9)).astype(kind)
    found = compiled("cpu", lambda a, q: [OPS["searchsorted"](a, q, side=s) for s in ("left", "right")], line, queries)
    for side, result in zip(("left", "right"), found, strict=True):
        wanted = np.searchsorted(line.astype(np.float64), queries.astype(np.float64), side)
        np.testing.assert_array_equal(result, wanted)
        assert result.dtype == np.int32


@DEVICES
def test_searchsorted_of_nan_infinities_and_zeros(device: str) -> None:
    line = np.array([-np.inf, -1, -0.0, 0.0, 1, np.inf, np.nan, np.nan], np.float32)
    queries = np.array([np.nan, -np.inf, np.inf, 0.0, -0.0, 0.5, -2], np.float32)
    found = compiled(device, lambda a, q: [OPS["searchsorted"](a, q, side=s) for s in ("left", "right")], line, queries)
    for side, result in zip(("left", "right"), found, strict=True):
        np.testing.assert_array_equal(result, np.searchsorted(line, queries, side))


@DEVICES
def test_searchsorted_of_batches_on_any_stride(device: str) -> None:
    random = np.random.default_rng(1)
    lines, queries = np.sort(random.normal(size=(4, 33)), axis=-1), random.normal(size=(4, 5, 3))
    turned = lines.T.copy()  # its axis of lines is not the innermost in memory
    found = compiled(device, lambda a, q: [OPS["searchsorted"](a.transpose(1, 0), q)], turned, queries)[0]
    wanted = np.stack([np.searchsorted(line, row) for line, row in zip(lines, queries, strict=True)])
    np.testing.assert_array_equal(found, wanted)


def test_searchsorted_batched_over_queries_alone() -> None:
    line, queries = np.arange(5, dtype=np.float32), np.random.default_rng(2).uniform(-1, 6, (3, 7)).astype(np.float32)
    found = rlx.vmap(lambda a, q: OPS["searchsorted"](a, q), in_axes=(None, 0))(line, queries)
    np.testing.assert_array_equal(found, np.searchsorted(line, queries))


def test_searchsorted_says_what_is_wrong() -> None:
    with pytest.raises(RlxError, match="sizes at axis 0"):
        infer(OPS["searchsorted"], Shape((3, 4), "f32"), Shape((2, 4), "f32"))
    with pytest.raises(RlxError, match="no sorted axis"):
        infer(OPS["searchsorted"], Shape((), "f32"), Shape((2,), "f32"))


@DEVICES
@pytest.mark.parametrize("size", [1, 7, 40])
def test_nonzero(device: str, size: int) -> None:
    x = np.random.default_rng(3).integers(0, 3, (3, 2, 5)).astype(np.float32)
    found = compiled(device, lambda v: nonzero(v, size=size, fill_value=-7), x)
    for mine, wanted in zip(found, jnp.nonzero(x, size=size, fill_value=-7), strict=True):
        np.testing.assert_array_equal(mine, wanted)


@DEVICES
@pytest.mark.parametrize("dtype", ["i32", "f32", "u8", "bool"])
@pytest.mark.parametrize("size", [2, 12])
def test_unique(device: str, size: int, dtype: str) -> None:
    x = np.random.default_rng(4).integers(0, 9, (5, 7)).astype(DType.of(dtype).numpy)
    values, indices, inverse, counts = compiled(device, lambda v: unique(v, size=size), x)
    wanted = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    count = min(size, len(wanted[0]))
    np.testing.assert_array_equal(values[:count], wanted[0][:count])
    np.testing.assert_array_equal(indices[:count], wanted[1][:count])
    np.testing.assert_array_equal(inverse, wanted[2].ravel())
    np.testing.assert_array_equal(counts[:count], wanted[3][:count])
    assert (values[count:] == wanted[0][0]).all() and not counts[count:].any() and not indices[count:].any()


@DEVICES
def test_unique_counts_every_nan_as_one(device: str) -> None:
    x = np.array([np.nan, 2, 1, np.nan, 2, -0.0, 0.0], np.float32)
    values, _, _, counts = compiled(device, lambda v: unique(v, size=6, fill_value=9), x)
    np.testing.assert_array_equal(values, np.array([0, 1, 2, np.nan, 9, 9], np.float32))
    np.testing.assert_array_equal(counts, [2, 1, 2, 2, 0, 0])


@DEVICES
def test_bincount(device: str) -> None:
    x = np.random.default_rng(5).integers(0, 12, (40,)).astype(np.int32)
    weights = np.random.default_rng(6).normal(size=40)
    plain, weighted = compiled(device, lambda v, w: [bincount(v, length=9), bincount(v, length=15, weights=w)], x, weights)
    np.testing.assert_array_equal(plain, np.bincount(x, minlength=12)[:9])
    np.testing.assert_allclose(weighted, np.bincount(x, weights, minlength=15), rtol=1e-12)


def test_a_symbolic_length() -> None:
    n = rlx.Dim("n", min=1, max=64)
    g = rlx.Graph("symbolic")
    x = g.input("x", (n,), "i32")
    g.set_outputs({"positions": nonzero(x, size=5, fill_value=-1)[0], "values": unique(x, size=4).values})
    exe = rlx.compile(g, "cpu")
    for count in (1, 6, 33):
        array = np.random.default_rng(count).integers(0, 3, count).astype(np.int32)
        found = exe.run({"x": array})
        wanted = np.flatnonzero(array)[:5]
        np.testing.assert_array_equal(found["positions"], [*wanted, *[-1] * (5 - len(wanted))])
        different = np.unique(array)
        np.testing.assert_array_equal(found["values"][: len(different)], different)
