"""Pools, resizing and rotary positions on a grid against torch and formulas."""

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
from rlx.ops.attention.rope import axial_rope_2d
from rlx.ops.conv.pool import max_pool2d_backward, pool, resize, resize_nearest_2x
from tests.ops.running import decomposed, draw, place, run, symbolic

MAX = {1: F.max_pool1d, 2: F.max_pool2d, 3: F.max_pool3d}
MEAN = {1: F.avg_pool1d, 2: F.avg_pool2d, 3: F.avg_pool3d}
BATCH, SIZE = Dim("batch", min=1, max=8), Dim("size", min=8, max=64)


@given(st.integers(1, 3), st.data())
def test_pools_as_torch(axes: int, data: st.DataObject) -> None:
    ints = lambda low, high: tuple(data.draw(st.integers(low, high)) for _ in range(axes))  # noqa: E731
    kernel = ints(1, 4)
    padding = tuple(data.draw(st.integers(0, k // 2)) for k in kernel)
    size = tuple(data.draw(st.integers(k, 7)) for k in kernel)
    stride = data.draw(st.sampled_from([None, ints(1, 3)]))
    x = draw((2, 2, *size), "f64", seed=1)
    attrs = {"kernel_size": kernel, "stride": stride, "padding": padding}
    t = torch.from_numpy(x)
    window = int(np.prod(kernel))
    wanted = {
        "max": MAX[axes](t, kernel, stride, padding),
        "min": -MAX[axes](-t, kernel, stride, padding),
        "mean": MEAN[axes](t, kernel, stride, padding),
        "sum": MEAN[axes](t, kernel, stride, padding) * window,
    }
    for kind, answer in wanted.items():
        for apply in (run, decomposed):
            np.testing.assert_allclose(apply(pool, x, kind=kind, **attrs), answer.numpy(), rtol=1e-12, atol=1e-12)


def test_min_pool_ignores_padding() -> None:
    x = np.full((1, 1, 2, 2), 5.0, np.float32)
    for apply in (run, decomposed):
        np.testing.assert_array_equal(apply(pool, x, kind="min", kernel_size=2, stride=1, padding=1), np.full((1, 1, 3, 3), 5.0))
        assert apply(pool, x.astype(np.int32), kind="min", kernel_size=2, stride=1, padding=1).min() == 5


@given(st.data())
def test_max_pool_backward_as_torch(data: st.DataObject) -> None:
    kernel = (data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3)))
    padding = tuple(data.draw(st.integers(0, k // 2)) for k in kernel)
    stride = (data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3)))
    x = torch.from_numpy(draw((2, 2, 6, 7), "i32", 0, 3, seed=4).astype(np.float64)).requires_grad_()  # many ties
    y = F.max_pool2d(x, kernel, stride, padding)
    dy = draw(tuple(y.shape), "f64", seed=5)
    (dx,) = torch.autograd.grad(y, x, torch.from_numpy(dy))
    found = run(max_pool2d_backward, x.detach().numpy(), dy, kernel_size=kernel, stride=stride, padding=padding)
    np.testing.assert_allclose(found, dx.numpy(), rtol=1e-12)


@given(st.integers(1, 3), st.sampled_from(["nearest", "linear"]), st.booleans(), st.data())
def test_resize_as_torch(axes: int, mode: str, corners: bool, data: st.DataObject) -> None:
    old = tuple(data.draw(st.integers(1, 14)) for _ in range(axes))
    new = tuple(data.draw(st.integers(1, 17)) for _ in range(axes))
    x = draw((2, 2, *old), seed=6)
    corners = corners and mode == "linear"
    name = mode if mode == "nearest" else ["linear", "bilinear", "trilinear"][axes - 1]
    wanted = F.interpolate(torch.from_numpy(x), new, mode=name, align_corners=corners if mode == "linear" else None).numpy()
    for apply in (run, decomposed):
        found = apply(resize, x, size=new, mode=mode, align_corners=corners)
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=2e-5)


def test_nearest_counts_in_f32_as_torch() -> None:
    for old in range(1, 41):
        x = np.arange(old, dtype=np.float32)[None, None]
        for new in (7, 14, 29, 49, 63):
            wanted = F.interpolate(torch.from_numpy(x), new, mode="nearest").numpy()
            np.testing.assert_array_equal(run(resize, x, size=new), wanted)


def test_doubling_as_torch() -> None:
    x = draw((2, 3, 4, 5))
    for apply in (run, decomposed):
        np.testing.assert_array_equal(apply(resize_nearest_2x, x), F.interpolate(torch.from_numpy(x), scale_factor=2).numpy())


def test_axial_rope_by_its_formula() -> None:
    end_x, heads, head_dim, repeat, theta = 3, 2, 8, 2, 100.0
    x = draw((2, 12, heads * head_dim), "f64")
    wanted = x.copy().reshape(2, 12, heads, head_dim)
    for t in range(12):
        for half, place_of in enumerate(((t // repeat) % end_x, (t // repeat) // end_x)):
            for i in range(head_dim // 4):
                angle = place_of * theta ** (-4 * i / head_dim)
                turn = np.exp(1j * angle)
                at = half * head_dim // 2 + 2 * i
                pair = (x.reshape(wanted.shape)[:, t, :, at] + 1j * x.reshape(wanted.shape)[:, t, :, at + 1]) * turn
                wanted[:, t, :, at], wanted[:, t, :, at + 1] = pair.real, pair.imag
    attrs = {"end_x": end_x, "end_y": 2, "head_dim": head_dim, "num_heads": heads, "theta": theta, "repeat_factor": repeat}
    for apply in (run, decomposed):
        np.testing.assert_allclose(apply(axial_rope_2d, x, **attrs), wanted.reshape(x.shape), rtol=1e-12, atol=1e-12)


def test_symbolic() -> None:
    for decompose in (False, True):
        symbolic(
            pool, [Shape((BATCH, 2, SIZE, 9))], {"batch": 2, "size": 11}, {"kind": "max", "kernel_size": 3, "stride": 2}, decompose
        )
        symbolic(resize, [Shape((BATCH, 2, SIZE))], {"batch": 2, "size": 9}, {"size": SIZE * 2, "mode": "linear"}, decompose)
        symbolic(resize_nearest_2x, [Shape((BATCH, 2, SIZE, SIZE))], {"batch": 2, "size": 9}, {}, decompose)
        grid = {"end_x": 4, "end_y": 16, "head_dim": 8, "num_heads": 1}
        symbolic(axial_rope_2d, [Shape((BATCH, SIZE, 8))], {"batch": 2, "size": 9}, grid, decompose)


MESSAGES = [
    (lambda x: pool(x, kind="median", kernel_size=2), "RLX105", "'median' is not a PoolKind", "max, mean, sum, min"),
    (
        lambda x: pool(x, kind="max", kernel_size=3, padding=2),
        "RLX105",
        "padding 2 is more than half the window of 3",
        "pad x first",
    ),
    (lambda x: pool(x, kind="max", kernel_size=11), "RLX102", "11 is more than 8", ""),
    (lambda x: pool(x[0, 0], kind="max", kernel_size=2), "RLX102", "x has rank 2", "[N, C, …]"),
    (lambda x: resize(x, size=(2, 3, 4)), "RLX105", "size has 3 entries for rank 4", "one size for each axis"),
    (lambda x: resize(x, size=0), "RLX105", "new size of axis 2", ""),
    (lambda x: axial_rope_2d(x[0], end_x=1, end_y=1, head_dim=6, num_heads=1), "RLX105", "head_dim is 6", "multiple of 4"),
]


@pytest.mark.parametrize(
    ("make", "code", "fact", "fix"), MESSAGES, ids=lambda v: v if isinstance(v, str) and v.startswith("RLX") else ""
)
def test_messages(make: Any, code: str, fact: str, fix: str) -> None:
    graph = Graph("test")
    with pytest.raises(RlxError) as caught:
        make(place(graph, "x", (2, 3, 8, 9)))
    assert caught.value.code == code and fact in str(caught.value) and fix in caught.value.fix
