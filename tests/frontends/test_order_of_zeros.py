"""The order of -0, 0 and NaN of both signs is JAX's, to the bit: sorting, partitions, the largest elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import rlx
import rlx.numpy as rnp

NAN = float("nan")
NUMBERS = [1, -NAN, -0.0, 0.0, np.inf, NAN, -1, NAN, -0.0, 0.0, -np.inf, -NAN, 1]


class Ours:
    np, lax, ops = rnp, rlx.lax, rlx.ops


class Theirs:
    np, lax, ops = jnp, jax.lax, jax.ops


Function = Callable[..., Any]
ORDERED: dict[str, Function] = {
    "top_k of all": lambda m, x: m.lax.top_k(x, x.shape[0]),
    "top_k of few": lambda m, x: m.lax.top_k(x, 5),
    "top_k along axis 0": lambda m, x: m.lax.top_k(m.np.stack([x, x[::-1]], 1), 9, axis=0),
    "top_k of many equal": lambda m, x: m.lax.top_k(m.np.tile(x, 100), 1000),
    "sort": lambda m, x: m.np.sort(x),
    "sort, descending": lambda m, x: m.np.sort(x, descending=True),
    "argsort": lambda m, x: m.np.argsort(x),
    "argsort, descending": lambda m, x: m.np.argsort(x, descending=True),
    "argsort, descending, not stable": lambda m, x: m.np.argsort(x, descending=True, stable=False),
    "lax.sort": lambda m, x: m.lax.sort(x),
    "lax.sort by two keys": lambda m, x: m.lax.sort((x, m.np.arange(13, 0, -1), m.np.arange(13)), num_keys=2),
    "sort_key_val": lambda m, x: m.lax.sort_key_val(x, m.np.arange(13)),
    "lexsort": lambda m, x: m.np.lexsort((m.np.arange(13)[::-1], x)),
    "partition": lambda m, x: m.np.partition(x, 4),
    "partition around the last but two": lambda m, x: m.np.partition(m.np.stack([x, x[::-1]], 1), -3, axis=0),
    "argpartition": lambda m, x: m.np.argpartition(x, 4),
    "unique": lambda m, x: m.np.unique(x, size=8, fill_value=7, return_index=True, return_inverse=True, return_counts=True),
    "searchsorted": lambda m, x: [m.np.searchsorted(m.np.sort(x), x, side=side) for side in ("left", "right")],
    "median": lambda m, x: m.np.median(x[2:4]),
    "argmax": lambda m, x: (m.np.argmax(x), m.np.argmin(x), m.np.argmax(x[2:4]), m.np.argmin(x[3:1:-1]), m.np.nanargmax(x)),
}
DTYPES = (np.float32, ml_dtypes.bfloat16, np.float16, np.float64)


def assert_same_bits(actual: Any, expected: Any) -> None:
    mine, other = ([np.asarray(leaf) for leaf in jax.tree.leaves(jax.tree.map(np.asarray, each))] for each in (actual, expected))
    assert len(mine) == len(other)
    for x, y in zip(mine, other, strict=True):
        np.testing.assert_array_equal(x.astype(np.float64), y.astype(np.float64))
        if x.dtype.kind != "i":
            assert x.dtype == y.dtype
            np.testing.assert_array_equal(np.signbit(x)[~np.isnan(x)], np.signbit(y)[~np.isnan(y)])


def check(function: Function, *numbers: list[float], dtype: Any) -> None:
    arrays = [np.array(each, np.float64).astype(dtype) for each in numbers]
    with jax.enable_x64(dtype is np.float64):
        expected = jax.tree.map(np.asarray, function(Theirs, *map(jnp.asarray, arrays)))
    for device in ("cpu", "reference"):
        assert_same_bits(rlx.jit(lambda *xs: function(Ours, *xs), device=device)(*arrays), expected)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("name", ORDERED)
def test_zeros_and_nan_are_ordered_as_jax_orders_them(name: str, dtype: Any) -> None:
    check(ORDERED[name], NUMBERS, dtype=dtype)
