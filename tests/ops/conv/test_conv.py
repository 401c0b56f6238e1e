"""Convolutions and their gradients against torch, over random windows."""

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
from rlx.ops.conv.backward import conv2d_backward_input, conv2d_backward_weight, conv_transpose
from rlx.ops.conv.conv import conv
from tests.ops.running import decomposed, draw, infer, place, run, symbolic

CONV = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
TRANSPOSED = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}
BATCH, SIZE = Dim("batch", min=1, max=8), Dim("size", min=8, max=64)


def close(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(found, wanted.numpy(), rtol=1e-10, atol=1e-10)


@st.composite
def windows(draw_: Any, axes: int | None = None) -> dict[str, Any]:
    count = axes or draw_(st.integers(1, 3))
    ints = lambda low, high: tuple(draw_(st.integers(low, high)) for _ in range(count))  # noqa: E731
    kernel, dilation, padding = ints(1, 3), ints(1, 2), ints(0, 2)
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilation, strict=True)]
    size = tuple(draw_(st.integers(max(r - 2 * p, 1), 7)) for r, p in zip(reach, padding, strict=True))
    return {
        "kernel": kernel,
        "stride": ints(1, 3),
        "padding": padding,
        "dilation": dilation,
        "size": size,
        "groups": draw_(st.integers(1, 3)),
        "each": draw_(st.integers(1, 2)),
        "out": draw_(st.integers(1, 2)),
        "batch": draw_(st.integers(1, 2)),
    }


@given(windows(), st.booleans())
def test_conv_as_torch(w: dict[str, Any], with_bias: bool) -> None:
    channels, outputs = w["groups"] * w["each"], w["groups"] * w["out"]
    x = draw((w["batch"], channels, *w["size"]), "f64", seed=1)
    weight, bias = (draw((outputs, w["each"], *w["kernel"]), "f64", seed=2), draw((outputs,), "f64", seed=3) if with_bias else None)
    attrs = {name: w[name] for name in ("stride", "padding", "dilation", "groups")}
    given_bias = None if bias is None else torch.from_numpy(bias)
    wanted = CONV[len(w["kernel"])](torch.from_numpy(x), torch.from_numpy(weight), given_bias, **attrs)
    for apply in (run, decomposed):
        close(apply(conv, x, weight, bias, **attrs), wanted)


@given(windows(), st.data())
def test_conv_transpose_as_torch(w: dict[str, Any], data: st.DataObject) -> None:
    channels = w["groups"] * w["each"]
    x = draw((w["batch"], channels, *w["size"]), "f64", seed=1)
    weight = draw((channels, w["out"], *w["kernel"]), "f64", seed=2)
    extra = tuple(data.draw(st.integers(0, max(s, d) - 1)) for s, d in zip(w["stride"], w["dilation"], strict=True))
    attrs = {**{name: w[name] for name in ("stride", "padding", "dilation", "groups")}, "output_padding": extra}
    sizes = [
        (n - 1) * s - 2 * p + d * (k - 1) + e + 1
        for n, s, p, d, k, e in zip(w["size"], w["stride"], w["padding"], w["dilation"], w["kernel"], extra, strict=True)
    ]
    if min(sizes) < 1:
        with pytest.raises(RlxError, match="RLX102"):
            run(conv_transpose, x, weight, **attrs)
        return
    wanted = TRANSPOSED[len(w["kernel"])](torch.from_numpy(x), torch.from_numpy(weight), **attrs)
    for apply in (run, decomposed):
        close(apply(conv_transpose, x, weight, **attrs), wanted)


@given(windows(axes=2))
def test_gradients_as_torch(w: dict[str, Any]) -> None:
    channels, outputs = w["groups"] * w["each"], w["groups"] * w["out"]
    x = torch.from_numpy(draw((w["batch"], channels, *w["size"]), "f64", seed=1)).requires_grad_()
    weight = torch.from_numpy(draw((outputs, w["each"], *w["kernel"]), "f64", seed=2)).requires_grad_()
    attrs = {name: w[name] for name in ("stride", "padding", "dilation", "groups")}
    y = F.conv2d(x, weight, **attrs)
    dy = draw(tuple(y.shape), "f64", seed=3)
    dx, dw = torch.autograd.grad(y, (x, weight), torch.from_numpy(dy))
    for apply in (run, decomposed):
        close(apply(conv2d_backward_input, dy, weight.detach().numpy(), input_size=w["size"], **attrs), dx)
        close(apply(conv2d_backward_weight, x.detach().numpy(), dy, kernel_size=w["kernel"], **attrs), dw)


def test_low_floats_and_ints() -> None:
    x, w = draw((1, 2, 5, 5), "i8", -128, 127), draw((3, 2, 3, 3), "i8", -128, 127)
    wanted = F.conv2d(torch.from_numpy(x.astype(np.float64)), torch.from_numpy(w.astype(np.float64)))
    np.testing.assert_array_equal(run(conv, x.astype(np.int32), w.astype(np.int32)), wanted.numpy().astype(np.int32))
    half = run(conv, draw((1, 8, 6, 6), "f16"), draw((2, 8, 3, 3), "f16"))
    assert half.dtype == np.float16


def test_symbolic() -> None:
    shapes = [Shape((BATCH, 4, SIZE, 9)), Shape((6, 2, 3, 3)), Shape((6,))]
    for decompose in (False, True):
        symbolic(conv, shapes, {"batch": 2, "size": 11}, {"padding": 1, "stride": (2, 1), "groups": 2}, decompose=decompose)
        symbolic(conv_transpose, [shapes[0], Shape((4, 3, 3, 2))], {"batch": 2, "size": 8}, {"stride": 2}, decompose=decompose)
    dy = infer(conv, shapes[0], Shape((6, 4, 3, 3)), stride=2, padding=1)
    for decompose in (False, True):
        for size in (8, 9, 11):
            attrs = {"input_size": (SIZE, 9), "stride": 2, "padding": 1}
            symbolic(conv2d_backward_input, [dy, Shape((6, 4, 3, 3))], {"batch": 2, "size": size}, attrs, decompose=decompose)
            attrs = {"kernel_size": 3, "stride": 2, "padding": 1}
            symbolic(conv2d_backward_weight, [shapes[0], dy], {"batch": 2, "size": size}, attrs, decompose=decompose)
    assert infer(conv, *shapes[:2], groups=2).dims == (BATCH, 6, SIZE - 2, 7)


MESSAGES = [
    (lambda x, w: conv(x, w, groups=2), "RLX102", "3 input channels do not divide into 2 groups", "divides both"),
    (lambda x, w: conv(x, w[:, :2]), "RLX102", "input channels of a group and those of the weight 3 and 2 differ", ""),
    (lambda x, w: conv(x, w, kernel_size=5), "RLX102", "kernel_size and the weight's window: 5 and 3 differ", ""),
    (lambda x, w: conv(x, w, dilation=9), "RLX102", "19 is more than 8", ""),
    (lambda x, w: conv(x, w, stride=0), "RLX105", "stride is (0,)", "at least 1"),
    (lambda x, w: conv(x, w, padding=(1, 2, 3)), "RLX105", "padding has 3 entries for 2 axes", "one entry"),
    (lambda x, w: conv(x[0], w), "RLX102", "ranks 3 and 4", "[N, Cin, …]"),
    (lambda x, w: conv(x, w, w[0, 0]), "RLX102", "bias has rank 2", "[5]"),
    (lambda x, w: conv_transpose(x, w[:3], output_padding=1), "RLX105", "output_padding is 1", "less than the stride"),
    (lambda x, w: conv2d_backward_weight(x, w), "RLX105", "kernel_size is missing", "kernel_size=(3, 3)"),
]


@pytest.mark.parametrize(
    ("make", "code", "fact", "fix"), MESSAGES, ids=lambda v: v if isinstance(v, str) and v.startswith("RLX") else ""
)
def test_messages(make: Any, code: str, fact: str, fix: str) -> None:
    graph = Graph("test")
    with pytest.raises(RlxError) as caught:
        make(place(graph, "x", (2, 3, 8, 9)), place(graph, "w", (5, 3, 3, 3)))
    assert caught.value.code == code and fact in str(caught.value) and fix in caught.value.fix
