"""rlx.Array: what goes in as one comes out as one; memory, protocols and numbers of it."""

from __future__ import annotations

import copy
import pickle

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
import torch

import rlx
import rlx.numpy as rnp
from rlx import Array, RlxError


def square(x):
    return x * x


CALLS = {
    "jit": lambda x: rlx.jit(square)(x),
    "grad": lambda x: rlx.grad(lambda v: square(v).sum())(x),
    "value_and_grad": lambda x: rlx.value_and_grad(lambda v: square(v).sum())(x)[1],
    "vmap": lambda x: rlx.vmap(square)(x),
    "jvp": lambda x: rlx.jvp(square, (x,), (x,))[1],
    "vjp": lambda x: rlx.vjp(square, x)[1](x)[0],
    "linearize": lambda x: rlx.linearize(square, x)[1](x),
    "jacrev": lambda x: rlx.jacrev(square)(x),
    "hessian": lambda x: rlx.hessian(lambda v: square(v).sum())(x),
    "scan": lambda x: rlx.lax.scan(lambda c, v: (c + v, c), x[0] * 0, x)[1],
    "cond": lambda x: rlx.lax.cond(True, square, square, x),
}
EXPECTED = {
    "jit": lambda x: x * x,
    "grad": lambda x: 2 * x,
    "value_and_grad": lambda x: 2 * x,
    "vmap": lambda x: x * x,
    "jvp": lambda x: 2 * x * x,
    "vjp": lambda x: 2 * x * x,
    "linearize": lambda x: 2 * x * x,
    "jacrev": lambda x: np.diag(2 * x),
    "hessian": lambda x: 2 * np.eye(len(x), dtype=np.float32),
    "scan": lambda x: np.cumsum(x) - x,
    "cond": lambda x: x * x,
}


@pytest.mark.parametrize("name", CALLS)
def test_arrays_come_back_whatever_was_given(name: str) -> None:
    numbers = np.float32([1, 2, 4])
    for given in (numbers, rnp.asarray(numbers)):
        found = CALLS[name](given)
        assert isinstance(found, Array) and not isinstance(found, rlx.Value)
        assert found.block_until_ready() is found and np.shares_memory(np.asarray(found), np.asarray(found))
        np.testing.assert_allclose(np.asarray(found), EXPECTED[name](numbers))


def test_results_in_containers_are_arrays() -> None:
    for x in (rnp.ones(1), np.ones(1, np.float32)):
        found = rlx.jit(lambda p, x: {"y": p["w"] * x, "n": None})({"w": np.float32([2])}, x)
        assert isinstance(found["y"], Array) and found["n"] is None


def test_a_traced_value_is_an_array() -> None:
    """`rlx.Array` is the one name to annotate, and to ask for."""
    seen = []

    def f(x: Array) -> Array:
        seen.append((isinstance(x, Array), isinstance(x * 2, Array), x.block_until_ready() is x))
        return x * 2

    for call in (f, rlx.jit(f), rlx.vmap(f), rlx.jacfwd(f), rlx.checkpoint(f), lambda x: rlx.jvp(f, (x,), (x,))):
        assert call(rnp.ones(2)) is not None
    assert len(seen) >= 6 and all(all(each) for each in seen)
    with pytest.raises(RlxError, match="asarray"):
        Array(np.ones(2))


def test_calls_on_arrays_and_on_arrays_of_numpy_share_a_version() -> None:
    double = rlx.jit(lambda x, y: x + y)
    for x, y in [(rnp.ones(2), rnp.ones(2)), (np.ones(2, np.float32), rnp.ones(2)), (np.ones(2, np.float32),) * 2]:
        assert double(x, y).tolist() == [2, 2]
    assert double.traces == 1


def test_numpy_sees_its_memory_and_cannot_change_it() -> None:
    x = rnp.arange(6.0).reshape(2, 3)
    view = np.asarray(x)
    assert np.shares_memory(view, np.asarray(x)) and not view.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 1
    with pytest.raises(RlxError, match=r"x\.at\[0\]\.set"):
        x[0] = 1
    changed = np.array(x)
    changed[:] = 9
    assert float(x.sum()) == 15


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float16", "float32", "int8", "bool"])
def test_numpy_sees_the_dtype_of_every_array(name: str) -> None:
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    numbers = np.array([1, 0, 2]).astype(dtype)
    x = rnp.asarray(numbers).reshape(3)
    seen = np.asarray(x)
    assert seen.dtype == dtype and seen.tobytes() == numbers.tobytes() and np.shares_memory(seen, np.asarray(x))
    assert np.asarray(x, np.float32).tolist() == numbers.astype(np.float32).tolist()
    assert np.array_equal(np.asarray(jnp.asarray(x)), numbers) and jnp.asarray(x).dtype == dtype


def test_an_array_that_its_owner_changes_later_is_copied() -> None:
    own = np.ones(3, np.float32)
    x = rnp.asarray(own)
    own[:] = 7
    assert x.tolist() == [1, 1, 1]


def test_other_libraries_take_it_and_give_it() -> None:
    x = rnp.asarray([1.0, 2.0])
    assert torch.from_dlpack(x).tolist() == [1, 2] and jnp.from_dlpack(x).tolist() == [1, 2]
    given = torch.tensor([3.0, 4.0])
    assert rnp.from_dlpack(given).tolist() == [3, 4] and rnp.asarray(given).dtype == np.float32
    assert np.shares_memory(np.asarray(rnp.from_dlpack(given)), given.numpy())


def test_operators_with_numpy_give_arrays_from_both_sides() -> None:
    x, y = rnp.asarray([1.0, 2.0]), np.float32([10, 20])
    for found in (x + y, y + x, np.float32(1) + x, 1 + x, x @ y, y @ x):
        assert isinstance(found, Array)
    assert (y - x).tolist() == [9, 18] and (2**x).tolist() == [2, 4] and divmod(x, 2)[0].tolist() == [0, 1]


def test_numbers_keep_the_dtype_of_arrays() -> None:
    for dtype in (rnp.float16, rnp.bfloat16, rnp.int8, rnp.float64):
        x = rnp.ones(2, dtype)
        assert (x * 2).dtype == dtype and (2 + x).dtype == dtype
    assert (rnp.ones(2, rnp.int32) * 1.5).dtype == np.float32 and (rnp.ones(2) * 1j).dtype == np.complex64
    assert rnp.asarray([1, 2]).dtype == np.int32 and rnp.asarray([1.5]).dtype == np.float32
    assert rnp.asarray(np.arange(2)).dtype == np.int64 and rnp.asarray(np.ones(1)).dtype == np.float64


def test_numbers_of_an_array() -> None:
    x = rnp.asarray(3)
    assert (int(x), float(x), bool(x), [10, 20, 30, 40][x], x.item(), f"{x:03d}") == (3, 3.0, True, 40, 3, "003")
    with pytest.raises(ValueError, match=r"\.any\(\)"):
        bool(rnp.ones(2))
    with pytest.raises(TypeError, match="integer"):
        [0, 1][rnp.asarray(1.0)]
    assert len(rnp.ones((4, 2))) == 4 and [float(r.sum()) for r in rnp.ones((2, 3))] == [3, 3] and 1 in rnp.ones(2)


def test_copies_and_pickles() -> None:
    x = rnp.asarray([1.0, 2.0])
    for again in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x), x.copy()):
        assert again.tolist() == [1, 2] and not np.shares_memory(np.asarray(again), np.asarray(x))
    assert repr(x) == "Array([1., 2.], dtype=float32)" and str(x) == "[1. 2.]" and x.block_until_ready() is x
    assert x.device == "cpu" and x.to_device("cpu") is x
    with pytest.raises(RlxError, match="cuda"):
        x.to_device("cuda")


def test_an_array_and_a_list_are_not_compared_silently() -> None:
    """Python would answer False; JAX raises TypeError too."""
    x = rnp.asarray([1, 2])
    for compare in (lambda v: v == [1, 2], lambda v: v != (1, 2)):
        with pytest.raises(TypeError, match=r"rlx\.numpy\.asarray"):
            compare(x)
        with pytest.raises(TypeError, match=r"rlx\.numpy\.asarray"):
            rlx.jit(compare)(x)
    assert (x == None) is False  # noqa: E711
