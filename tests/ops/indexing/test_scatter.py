"""Scatter, scatter_add and gather_backward against loops, torch and JAX; their messages."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ops.indexing.gather import gather
from rlx.ops.indexing.scatter import gather_backward, scatter, scatter_add
from tests.ops.running import decomposed, draw, infer, place, run, symbolic

ROWS, WIDTH = Dim("rows", min=1, max=64), Dim("width", min=1, max=64)


def position(index: int, size: int, outside: str) -> int | None:
    index = int(index) + size if index < 0 else int(index)
    if 0 <= index < size:
        return index
    return None if outside == "fill" else min(max(index, 0), size - 1)


COMBINE = {"set": lambda a, b: b, "add": lambda a, b: a + b, "max": max, "min": min}


@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple),
    st.lists(st.integers(0, 4), max_size=2).map(tuple),
    st.sampled_from(["set", "add", "max", "min"]),
    st.sampled_from(["clip", "fill"]),
    st.data(),
)
def test_scatter_is_a_loop_in_index_order(dims: Any, index_dims: Any, mode: str, outside: str, data: st.DataObject) -> None:
    axis = data.draw(st.integers(0, len(dims) - 1))
    x, indices = draw(dims, "i32", -9, 9, seed=1), draw(index_dims, "i32", -7, 7, seed=2)
    updates = draw((*dims[:axis], *index_dims, *dims[axis + 1 :]), "i32", -9, 9, seed=3)
    wanted = x.copy()
    for at in np.ndindex(index_dims):
        found = position(indices[at], dims[axis], outside)
        if found is None:
            continue
        for before in np.ndindex(dims[:axis]):
            for behind in np.ndindex(dims[axis + 1 :]):
                target = (*before, found, *behind)
                wanted[target] = COMBINE[mode](wanted[target], updates[(*before, *at, *behind)])
    found_array = run(
        scatter, x, indices, updates, axis=axis - data.draw(st.sampled_from([0, len(dims)])), mode=mode, outside=outside
    )
    np.testing.assert_array_equal(found_array, wanted)


def test_scatter_add_as_torch_index_add() -> None:
    updates, indices = draw((50, 7)), draw((50,), "i64", 0, 8)
    wanted = torch.zeros(9, 7).index_add_(0, torch.from_numpy(indices), torch.from_numpy(updates))
    for apply in (run, decomposed):
        np.testing.assert_allclose(apply(scatter_add, updates, indices, out_dim=9), wanted.numpy(), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("mode", ["clip", "fill"])
def test_gather_backward_is_the_transpose_of_gather(axis: int, mode: str) -> None:
    x, indices = draw((3, 4, 5), "f64"), draw((2, 3), "i32", -7, 7)
    dy = draw(run(gather, x, indices, axis=axis).shape, "f64")
    dx = run(gather_backward, dy, indices, axis=axis, size=x.shape[axis], mode=mode)
    assert dx.shape == x.shape
    y = np.nan_to_num(run(gather, x, indices, axis=axis, mode=mode))
    scale = np.abs(y * dy).sum()  # the sum itself may cancel
    np.testing.assert_allclose((y * dy).sum(), (x * dx).sum(), rtol=1e-12, atol=1e-13 * float(scale))
    if mode == "clip":
        with jax.enable_x64(True):
            reduced = np.clip(np.where(indices < 0, indices + x.shape[axis], indices), 0, x.shape[axis] - 1)
            wanted = jax.vjp(lambda a: jax.numpy.take(a, reduced, axis=axis), x)[1](dy)[0]
        np.testing.assert_allclose(dx, wanted, rtol=1e-12)


def test_the_sum_of_low_floats_is_rounded_once() -> None:
    updates = np.full((300, 1), 1.0, np.float16)
    assert run(scatter_add, np.full(4000, 1, np.float16), np.zeros(4000, np.int32), out_dim=1)[0] == 4000
    assert run(scatter_add, updates, np.zeros(300, np.int32), out_dim=1)[0, 0] == 300


def test_bounds_are_checked() -> None:
    for make in (
        lambda: run(scatter_add, draw((2, 3)), np.array([0, 4]), out_dim=4, check_bounds=True),
        lambda: run(scatter, draw((4, 3)), np.array([0, -5]), draw((2, 3)), check_bounds=True),
        lambda: run(gather_backward, draw((2, 3)), np.array([0, 9]), axis=0, size=4, check_bounds=True),
    ):
        with pytest.raises(RlxError, match=r"\[RLX508\] .*: index (4|-5|9) is outside an axis of size 4"):
            make()


def test_symbolic() -> None:
    symbolic(scatter_add, [Shape((ROWS, WIDTH)), Shape((ROWS,), "i32")], {"rows": 5, "width": 3}, {"out_dim": 4}, decompose=True)
    symbolic(gather_backward, [Shape((ROWS, WIDTH)), Shape((ROWS,), "i32")], {"rows": 5, "width": 3}, {"axis": 0, "size": WIDTH})
    assert infer(scatter, Shape((ROWS, 4)), Shape((WIDTH,), "i32"), Shape((WIDTH, 4))).dims == (ROWS, 4)


MESSAGES = [
    (lambda x, i: scatter(x, i, x[0]), "RLX102", "updates have rank 1 instead of 2", "updates [3, 6]"),
    (lambda x, i: scatter_add(x, i, out_dim=2), "RLX102", "updates and indices at axis 0 4 and 3 differ", "one of them"),
    (lambda x, i: scatter(x, i, x.astype("f16")), "RLX103", "updates of f16 for f32", "astype('f32')"),
    (lambda x, i: gather_backward(x, i, axis=1, size=4), "RLX102", "6 and 3 differ", "reshape"),
    (lambda x, i: scatter_add(x, x, out_dim=2), "RLX103", "indices of f32", "i32"),
    (lambda x, i: scatter(x, i, x[:3], mode="mean"), "RLX105", "'mean' is not a ScatterMode", "set, add, max, min"),
]


@pytest.mark.parametrize(("make", "code", "fact", "fix"), MESSAGES)
def test_messages(make: Any, code: str, fact: str, fix: str) -> None:
    graph = Graph("test")
    with pytest.raises(RlxError) as caught:
        make(place(graph, "x", (4, 6)), place(graph, "i", (3,), "i32"))
    assert caught.value.code == code and fact in str(caught.value) and fix in caught.value.fix
