"""Starts of `lax.dynamic_*` as JAX reads them: negative ones count from the end, once; then they are clamped."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

import rlx
import rlx.numpy as rnp

X = np.arange(1, 7, dtype=np.float32)
M = np.arange(20, dtype=np.float32).reshape(4, 5)
STARTS = (-9, -6, -2, -1, 0, 3, 5, 9)


def slices(lib: Any, x: Any, m: Any, i: Any) -> list[Any]:
    """Every function of the family at a start."""
    lax, one = lib.lax, i * 0 + 1
    return [
        lax.dynamic_slice(x, (i,), (2,)),
        lax.dynamic_slice(m, (i, one), (2, 3)),
        lax.dynamic_slice(m, (one, i), (2, 3)),
        lax.dynamic_slice_in_dim(m, i, 2, axis=1),
        lax.dynamic_index_in_dim(m, i, 0, keepdims=False),
        lax.dynamic_update_slice(x, x[:2] * 10, (i,)),
        lax.dynamic_update_slice(m, m[:2, :2] * 10, (i, i)),
        lax.dynamic_update_slice_in_dim(m, m[:, :2] * 10, i, axis=1),
        lax.dynamic_update_index_in_dim(m, m[0] * 10, i, 0),
    ]


def assert_same(found: Any, expected: Any) -> None:
    jax.tree.map(lambda mine, other: np.testing.assert_array_equal(np.asarray(mine), other), found, expected)


def test_starts_that_are_known() -> None:
    found, expected = (lib.jit(lambda x, m, lib=lib: [slices(lib, x, m, start) for start in STARTS])(X, M) for lib in (rlx, jax))
    assert_same(found, expected)
    assert_same(slices(rlx, rnp.asarray(X), rnp.asarray(M), -2), slices(jax, X, M, -2))


@pytest.mark.parametrize("dtype", ["int32", "int8", "uint8", "int64"])
def test_starts_that_are_traced(dtype: str) -> None:
    mine, other = (lib.jit(lambda x, m, i, lib=lib: slices(lib, x, m, i)) for lib in (rlx, jax))
    for start in STARTS:
        i = np.array(start % 256 if dtype == "uint8" else start).astype(dtype)
        assert_same(mine(X, M, i), other(X, M, i))


def test_starts_of_each_example_and_their_gradients() -> None:
    starts = np.int32(STARTS)

    def taken(lib: Any) -> Any:
        def loss(x: Any, i: Any) -> Any:
            changed = lib.lax.dynamic_update_slice(x, x[:2] * 3, (i,))
            return (lib.lax.dynamic_slice(changed, (i - 1,), (3,)) ** 2).sum()

        return lib.vmap(lib.value_and_grad(loss), in_axes=(None, 0))(X, starts)

    assert_same(taken(rlx), taken(jax))


def test_one_array_of_starts() -> None:
    starts = np.int32([-2, -3])
    assert_same(rlx.lax.dynamic_slice(M, starts, (1, 2)), jax.lax.dynamic_slice(M, starts, (1, 2)))
    assert_same(rlx.lax.dynamic_slice(rnp.asarray(M), rnp.asarray(starts), (1, 2)), M[2:3, 2:4])


def test_negative_starts_that_do_not_count_from_the_end() -> None:
    def first(lib: Any) -> Any:
        return lib.jit(lambda x, i: lib.lax.dynamic_slice(x, (i,), (2,), allow_negative_indices=False))

    assert_same(first(rlx)(X, np.int32(-1)), first(jax)(X, np.int32(-1)))
