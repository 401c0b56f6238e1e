"""Quantization against formulas, torch and loops: rounding, channels, straight-through gradients, learned steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import rlx
from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ops.quantized.byte_layers import q_conv2d, q_matmul
from rlx.ops.quantized.fake_quantize import (
    ScaleMode,
    fake_quantize,
    fake_quantize_backward,
    fake_quantize_lsq,
    fake_quantize_lsq_backward_scale,
    fake_quantize_lsq_backward_x,
)
from rlx.ops.quantized.quantize import dequantize, quantize
from tests.ops.running import decomposed, draw, infer, place, run, symbolic

BATCH, SIZE = Dim("batch", min=1, max=8), Dim("size", min=4, max=64)


def test_quantize_by_channel() -> None:
    x, scale, zero = draw((3, 5, 4)), draw((5,), low=0.01, high=0.1), draw((5,), "i32", -5, 5)
    for apply in (run, decomposed):
        found = apply(quantize, x, scale, zero, axis=1)
        np.testing.assert_array_equal(found, np.clip(np.rint(x / scale[:, None]) + zero[:, None], -128, 127))
        back = apply(dequantize, found, scale, zero, axis=1)
        np.testing.assert_allclose(back, (found.astype(np.float32) - zero[:, None]) * scale[:, None], rtol=1e-6)


def test_halves_round_to_even_and_numbers_saturate() -> None:
    x = np.array([0.5, 1.5, 2.5, -0.5, -2.5, 1e9, -1e9, np.inf], np.float32)
    for apply in (run, decomposed):
        np.testing.assert_array_equal(apply(quantize, x, np.float32(1)), [0, 2, 2, 0, -2, 127, -128, 127])


@given(st.integers(1, 5), st.integers(1, 40), st.integers(1, 5), st.integers(-3, 3), st.integers(-3, 3), st.integers(-9, 9))
def test_q_matmul_is_exact(m: int, k: int, n: int, x_zp: int, w_zp: int, out_zp: int) -> None:
    x, w, bias = draw((m, k), "i8", -128, 127), draw((k, n), "i8", -128, 127), draw((n,), "i32", -999, 999)
    total = (x.astype(object) - x_zp) @ (w.astype(object) - w_zp) + bias.astype(object)
    wanted = np.array([[max(-128, min(127, round(float(t) * 0.0125) + out_zp)) for t in row] for row in total])
    for apply in (run, decomposed):
        np.testing.assert_array_equal(apply(q_matmul, x, w, bias, x_zp=x_zp, w_zp=w_zp, out_zp=out_zp, mult=0.0125), wanted)


def test_q_conv2d_as_the_convolution_of_what_the_numbers_stand_for() -> None:
    x, w = draw((2, 4, 6, 7), "i8", -128, 127), draw((6, 2, 3, 2), "i8", -128, 127)
    attrs = {"stride": (2, 1), "padding": (1, 0), "dilation": (1, 2), "groups": 2}
    shifted = torch.nn.functional.pad(torch.from_numpy(x.astype(np.float64) - 5), (0, 0, 1, 1))
    total = torch.nn.functional.conv2d(shifted, torch.from_numpy(w.astype(np.float64) + 2), None, (2, 1), 0, (1, 2), 2).numpy()
    wanted = np.clip(np.rint(total * 0.001) - 7, -128, 127)
    for apply in (run, decomposed):
        np.testing.assert_array_equal(apply(q_conv2d, x, w, x_zp=5, w_zp=-2, out_zp=-7, mult=0.001, **attrs), wanted)


# -- fake quantization ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("bits", "top"), [(8, 127), (4, 7), (2, 1)])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_fake_quantize_by_its_formula(bits: int, top: int, axis: int | None) -> None:
    x = draw((4, 6), "f64")
    largest = np.abs(x).max(None if axis is None else 1 - axis)
    used = largest / top
    spread = used if axis is None else used.reshape((-1, 1) if axis == 0 else (1, -1))
    wanted = np.clip(np.rint(x / spread), -top, top) * spread
    for apply in (run, decomposed):
        found, scale = apply(fake_quantize, x, bits=bits, axis=axis)
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
        np.testing.assert_allclose(scale, used, rtol=1e-12)
        old = np.full(np.shape(used), 0.5)
        moved, average = apply(fake_quantize, x, old, bits=bits, axis=axis, scale_mode="ema(0.75)")
        np.testing.assert_allclose(average, 0.75 * old + 0.25 * used, rtol=1e-12)
        fixed, same = apply(fake_quantize, x, average, bits=bits, axis=axis, scale_mode="fixed")
        np.testing.assert_allclose(fixed, moved, rtol=1e-12)
        np.testing.assert_array_equal(same, average)


def test_straight_through_gradients() -> None:
    x, dy, s, top = draw((50,), "f64"), draw((50,), "f64"), 0.2, 7
    wanted = {
        "identity": dy,
        "clipped_identity": dy * (np.abs(x) <= top * s),
        "tanh": dy * (1 - np.tanh(x / s) ** 2),
        "hard_tanh": dy * np.maximum(0, 1 - np.abs(x) / (top * s)),
    }
    for ste, answer in wanted.items():
        for apply in (run, decomposed):
            found = apply(fake_quantize_backward, x, np.float64(s), dy, bits=4, ste=ste)
            np.testing.assert_allclose(found, answer, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("axis", [None, 1])
def test_learned_steps_as_the_paper(axis: int | None) -> None:
    x, dy, top = draw((4, 6), "f64"), draw((4, 6), "f64"), 7
    scale = np.float64(0.3) if axis is None else draw((6,), "f64", 0.1, 0.4)
    t, s = torch.from_numpy(x).requires_grad_(), torch.from_numpy(np.asarray(scale)).requires_grad_()
    ratio = (t / s).clamp(-top, top)
    rounded = ratio + (ratio.round() - ratio).detach()
    y = rounded * s
    dx, ds = torch.autograd.grad(y, (t, s), torch.from_numpy(dy))
    for apply in (run, decomposed):
        np.testing.assert_allclose(apply(fake_quantize_lsq, x, scale, bits=4, axis=axis), y.detach().numpy(), rtol=1e-12)
        np.testing.assert_allclose(apply(fake_quantize_lsq_backward_x, x, scale, dy, bits=4, axis=axis), dx.numpy(), rtol=1e-12)
        found = apply(fake_quantize_lsq_backward_scale, x, scale, dy, bits=4, axis=axis)
        np.testing.assert_allclose(found, ds.numpy(), rtol=1e-9)
        count = 24 if axis is None else 4
        weighed = apply(fake_quantize_lsq_backward_scale, x, scale, dy, bits=4, axis=axis, grad_scale=True)
        np.testing.assert_allclose(weighed, ds.numpy() / np.sqrt(count * top), rtol=1e-9)


def test_scale_modes_print_and_parse() -> None:
    for mode in (ScaleMode("per_batch"), ScaleMode("fixed"), ScaleMode("ema", 0.9)):
        assert ScaleMode.parse(str(mode)) == mode
    assert ScaleMode.parse("EMA(0.5)") == ScaleMode("ema", 0.5)


def test_symbolic() -> None:
    sizes = {"batch": 2, "size": 5}
    for decompose in (False, True):
        symbolic(quantize, [Shape((BATCH, SIZE)), Shape((SIZE,))], sizes, {"axis": 1}, decompose)
        symbolic(fake_quantize, [Shape((BATCH, SIZE))], sizes, {"axis": 0}, decompose)
        shapes = [Shape((BATCH, SIZE)), Shape(()), Shape((BATCH, SIZE))]
        symbolic(fake_quantize_lsq_backward_scale, shapes, sizes, {"grad_scale": True}, decompose)
    assert infer(q_matmul, Shape((BATCH, SIZE), "i8"), Shape((SIZE, 3), "i8")).dims == (BATCH, 3)


MESSAGES = [
    (lambda x, s: quantize(x, s), "RLX102", "scale has rank 1", "axis=…"),
    (lambda x, s: quantize(x, s, axis=0), "RLX102", "entries of scale and channels 6 and 4 differ", ""),
    (lambda x, s: quantize(x, s, axis=1, dtype="f32"), "RLX103", "dtype is f32", "i8"),
    (lambda x, s: quantize(x, s, s, axis=1), "RLX103", "zero_point is f32", "i32"),
    (lambda x, s: fake_quantize(x, bits=1), "RLX105", "bits is 1", "2 to 16"),
    (lambda x, s: fake_quantize(x, s, axis=1), "RLX101", "per_batch finds the scale itself", "ema(decay)"),
    (lambda x, s: fake_quantize(x, scale_mode="fixed"), "RLX101", "fixed needs the operand scale", "fixed"),
    (lambda x, s: fake_quantize(x, scale_mode="ema(2)"), "RLX105", "'ema(2)' is not a scale mode", "from 0 to 1"),
    (lambda x, s: q_matmul(x, x), "RLX103", "x is f32", "i8"),
]


@pytest.mark.parametrize(("make", "code", "fact", "fix"), MESSAGES)
def test_messages(make: Any, code: str, fact: str, fix: str) -> None:
    graph = Graph("test")
    with pytest.raises(RlxError) as caught:
        make(place(graph, "x", (4, 6)), place(graph, "s", (6,)))
    assert caught.value.code == code and fact in str(caught.value) and fix in caught.value.fix


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_an_averaged_scale_is_kept_in_a_state(device: str) -> None:
    """The first run takes its own scale; later ones move the average."""
    g = rlx.Graph("ema")
    y, used = g.fake_quantize(g.input("x", (5, 3)), axis=1, bits=4, scale_mode="ema(0.75)", name="act")
    g.set_outputs({"y": y, "used": used})
    exe = rlx.compile(g, device)
    average = None
    for seed in range(3):
        x = np.random.default_rng(seed).standard_normal((5, 3)).astype(np.float32)
        own = np.abs(x).max(0) / 7
        average = own if average is None else 0.75 * average + 0.25 * own
        found = exe.run({"x": x})
        np.testing.assert_allclose(found["used"], average, rtol=1e-6)
        np.testing.assert_allclose(exe.state("act_scale"), average, rtol=1e-6)
        np.testing.assert_allclose(found["y"], np.clip(np.rint(x / average), -7, 7) * average, rtol=1e-5, atol=1e-6)


def test_an_averaged_scale_needs_a_name() -> None:
    g = rlx.Graph("ema")
    with pytest.raises(rlx.RlxError, match="needs a name"):
        g.fake_quantize(g.input("x", (5, 3)), scale_mode="ema(0.75)")
