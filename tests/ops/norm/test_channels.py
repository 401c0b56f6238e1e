"""Group norm, layer norm over channels and batch norm against torch; grouped and low-rank products against loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ops.contraction.grouped import grouped_matmul, lora_matmul
from rlx.ops.norm import batch_norm, group_norm, layer_norm_2d
from tests.ops.running import decomposed, draw, infer, place, run, symbolic

BATCH, SIZE = Dim("batch", min=1, max=8), Dim("size", min=1, max=64)


def close(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-10)


@given(st.integers(1, 3), st.integers(1, 3), st.lists(st.integers(1, 4), max_size=3), st.sampled_from([1e-5, 0.1]))
def test_group_norm_as_torch(groups: int, each: int, rest: list[int], eps: float) -> None:
    channels = groups * each
    x, gamma, beta = draw((2, channels, *rest), "f64"), draw((channels,), "f64"), draw((channels,), "f64")
    t, g, b = (torch.from_numpy(a) for a in (x, gamma, beta))
    for apply in (run, decomposed):
        close(apply(group_norm, x, gamma, beta, num_groups=groups, eps=eps), F.group_norm(t, groups, g, b, eps).numpy())
        close(apply(group_norm, x, num_groups=groups, eps=eps), F.group_norm(t, groups, eps=eps).numpy())


def test_channel_norms_as_torch() -> None:
    x, gamma, beta = draw((2, 6, 3, 5), "f64"), draw((6,), "f64"), draw((6,), "f64")
    mean, variance = draw((6,), "f64"), draw((6,), "f64", 0.1, 2)
    t, g, b, m, v = (torch.from_numpy(a) for a in (x, gamma, beta, mean, variance))
    layered = F.layer_norm(t.permute(0, 2, 3, 1), (6,), g, b, 1e-3).permute(0, 3, 1, 2)
    for apply in (run, decomposed):
        close(apply(layer_norm_2d, x, gamma, beta, eps=1e-3), layered.numpy())
        close(apply(batch_norm, x, gamma, beta, mean, variance, eps=1e-3), F.batch_norm(t, m, v, g, b, eps=1e-3).numpy())
        close(apply(batch_norm, x[:, :, 0, 0], gamma, beta, mean, variance), F.batch_norm(t[:, :, 0, 0], m, v, g, b).numpy())


@given(st.integers(0, 9), st.integers(1, 5), st.integers(1, 5), st.integers(1, 4))
def test_grouped_matmul_is_a_product_for_each_row(rows: int, k: int, n: int, experts: int) -> None:
    x, w, chosen = (
        draw((rows, k), "f64", seed=1),
        draw((experts, k, n), "f64", seed=2),
        draw((rows,), "i32", -experts, experts - 1, seed=3),
    )
    for apply in (run, decomposed):
        found = apply(grouped_matmul, x, w, chosen)
        assert found.shape == (rows, n)
        for row in range(rows):
            close(found[row], x[row] @ w[chosen[row]])


def test_lora_matmul_by_its_formula() -> None:
    x, w, a, b = draw((2, 3, 8), "f64"), draw((8, 5), "f64"), draw((8, 2), "f64"), draw((2, 5), "f64")
    for apply in (run, decomposed):
        close(apply(lora_matmul, x, w, a, b, scale=0.25), x @ w + 0.25 * (x @ a @ b))


def test_symbolic() -> None:
    sizes = {"batch": 2, "size": 5}
    for decompose in (False, True):
        symbolic(group_norm, [Shape((BATCH, 6, SIZE)), Shape((6,))], sizes, {"num_groups": 2}, decompose)
        symbolic(layer_norm_2d, [Shape((BATCH, SIZE, 3, 2)), Shape((SIZE,))], sizes, {}, decompose)
        symbolic(grouped_matmul, [Shape((BATCH, SIZE)), Shape((3, SIZE, 4)), Shape((BATCH,), "i32")], sizes, {}, decompose)
    assert infer(lora_matmul, Shape((BATCH, SIZE)), Shape((SIZE, 4)), Shape((SIZE, 2)), Shape((2, 4))).dims == (BATCH, 4)


MESSAGES = [
    (lambda x, g: group_norm(x, g, num_groups=4), "RLX102", "6 channels do not divide into 4 groups", "divides"),
    (lambda x, g: group_norm(x, x, num_groups=2), "RLX102", "gamma has rank 3", "[6]"),
    (lambda x, g: batch_norm(x, g, g, g, g[:5]), "RLX102", "channels of x and entries of variance 6 and 5 differ", "[6]"),
    (lambda x, g: layer_norm_2d(x.astype("i32"), g), "RLX103", "i32 is not accepted", "floats"),
    (lambda x, g: grouped_matmul(x, x, [0]), "RLX102", "x has rank 3", "[M, K]"),
    (lambda x, g: grouped_matmul(x[0], x[:, :, :3], [0] * 6), "RLX102", "the inner sizes 4 and 6 differ", "[E, K, N]"),
]


@pytest.mark.parametrize(("make", "code", "fact", "fix"), MESSAGES)
def test_messages(make: Any, code: str, fact: str, fix: str) -> None:
    graph = Graph("test")
    with pytest.raises(RlxError) as caught:
        make(place(graph, "x", (2, 6, 4)), place(graph, "g", (6,)))
    assert caught.value.code == code and fact in str(caught.value) and fix in caught.value.fix


@pytest.mark.parametrize("dims", [(0, 4, 2, 2), (2, 0, 3, 3), (2, 4, 0, 3)])
@pytest.mark.filterwarnings("error")
def test_norms_of_nothing_are_nothing_and_say_nothing(dims: tuple[int, ...]) -> None:
    x, channel = np.zeros(dims, np.float32), np.ones(dims[1], np.float32)
    assert run(layer_norm_2d, x, channel, channel).shape == dims
    assert run(group_norm, x, channel, channel, num_groups=1).shape == dims
    assert run(batch_norm, x, channel, channel, channel, channel).shape == dims
