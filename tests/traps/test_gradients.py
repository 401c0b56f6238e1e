"""Gradients that real systems got wrong, one by one, on both devices, against torch and formulas in f64."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

import rlx
from tests.traps.running import F32, draw, near, wide


def gradients(device: str, make: Any, inputs: dict[str, Any], by: list[str] | None = None) -> dict[str, Any]:
    """`make(graph, **values)` gives a scalar; its gradients by the float inputs, by name."""
    g = rlx.Graph("trap")
    values = {name: g.input(name, array.shape, array.dtype) for name, array in inputs.items()}
    g.set_outputs({"loss": make(g, **values)})
    wrt = by or [name for name, array in inputs.items() if array.dtype == F32]
    found = rlx.compile(rlx.autodiff.grad(g, wrt), device).run(inputs)
    return {name: found[f"grad_{name}"] for name in wrt}


def tangent(device: str, make: Any, x: Any, t: Any, **more: Any) -> Any:
    """The tangent of `make(graph, x)` in the direction t."""
    g = rlx.Graph("trap")
    values = {name: g.input(name, array.shape, array.dtype) for name, array in {"x": x, **more}.items()}
    g.set_outputs({"y": make(g, **values)})
    return rlx.compile(rlx.autodiff.jvp(g, "x"), device).run({"x": x, "tangent_x": t, **more})["tangent_y"]


def torch_gradients(make: Any, inputs: dict[str, Any]) -> dict[str, Any]:
    given = {
        n: torch.tensor(a.astype(np.float64) if a.dtype == F32 else a, requires_grad=a.dtype == F32) for n, a in inputs.items()
    }
    make(**given).backward()
    return {name: t.grad.numpy() for name, t in given.items() if t.requires_grad}


def agree(found: dict[str, Any], wanted: dict[str, Any], terms: int = 64) -> None:
    for name, array in wanted.items():
        near(found[name], array, terms=terms, ulps=64)


# -- norms, softmax, activations --------------------------------------------------------------------------------
def test_rms_norm_input_gradient_when_rms_is_not_one(device):
    x, gamma, u = draw(3, 8) * F32(5), draw(8, seed=1), draw(3, 8, seed=2)
    found = gradients(device, lambda g, x, gamma, u: (g.rms_norm(x, gamma, eps=1e-3) * u).sum(), {"x": x, "gamma": gamma, "u": u})
    wanted = torch_gradients(
        lambda x, gamma, u: (x / torch.sqrt((x * x).mean(-1, keepdim=True) + 1e-3) * gamma * u).sum(),
        {"x": x, "gamma": gamma, "u": u},
    )
    agree(found, wanted)


def test_layer_norm_gradients_over_two_axes_apart(device):
    x, gamma, beta, u = draw(3, 4, 5), draw(3, 5, seed=1), draw(3, 5, seed=2), draw(3, 4, 5, seed=3)
    given = {"x": x, "gamma": gamma, "beta": beta, "u": u}
    found = gradients(device, lambda g, x, gamma, beta, u: (g.layer_norm(x, gamma, beta, axes=(0, 2)) * u).sum(), given)

    def norm(x, gamma, beta, u):
        y = torch.nn.functional.layer_norm(x.transpose(1, 2).transpose(0, 1).permute(2, 1, 0), (3, 5), gamma, beta, 1e-5)
        return (y * u.permute(1, 0, 2)).sum()

    agree(found, torch_gradients(norm, given))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_softmax_tangent_and_gradient_on_every_axis(device, axis):
    x, t = draw(3, 4, 5), draw(3, 4, 5, seed=1)
    y = np.exp(wide(x)) / np.exp(wide(x)).sum(axis, keepdims=True)
    wanted = y * (wide(t) - (y * wide(t)).sum(axis, keepdims=True))
    near(tangent(device, lambda g, x: g.softmax(x, axis=axis), x, t), wanted)
    near(gradients(device, lambda g, x, t: (g.softmax(x, axis=axis) * t).sum(), {"x": x, "t": t})["x"], wanted)


def test_norm_tangent(device):
    x, t, gamma = draw(3, 8), draw(3, 8, seed=1), draw(8, seed=2)
    h = 1e-6
    norm = lambda x: x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-3) * wide(gamma)  # noqa: E731
    wanted = (norm(wide(x) + h * wide(t)) - norm(wide(x) - h * wide(t))) / (2 * h)
    near(tangent(device, lambda g, x, gamma: g.rms_norm(x, gamma, eps=1e-3), x, t, gamma=gamma), wanted, ulps=64)


@pytest.mark.parametrize("interleaved", [False, True])
def test_rope_tangent_and_gradient_are_rotations(device, interleaved):
    x, t = draw(2, 5, 16), draw(2, 5, 16, seed=1)
    angle = draw(5, 4, seed=2)
    tables = {"cos": np.cos(angle), "sin": np.sin(angle)}
    make = lambda g, x, cos, sin: g.rope(x, cos, sin, head_dim=8, interleaved=interleaved)  # noqa: E731
    moved = tangent(device, make, x, t, **tables)
    found = gradients(device, lambda g, x, t, cos, sin: (make(g, x, cos, sin) * t).sum(), {"x": x, "t": t, **tables}, ["x"])["x"]
    heads, seeds = wide(t).reshape(2, 5, 2, 8), wide(t).reshape(2, 5, 2, 8)
    a, b = (slice(0, 8, 2), slice(1, 8, 2)) if interleaved else (slice(0, 4), slice(4, 8))
    c, s = np.cos(wide(angle))[None, :, None], np.sin(wide(angle))[None, :, None]
    forward, back = np.zeros_like(heads), np.zeros_like(heads)
    forward[..., a], forward[..., b] = heads[..., a] * c - heads[..., b] * s, heads[..., b] * c + heads[..., a] * s
    back[..., a], back[..., b] = seeds[..., a] * c + seeds[..., b] * s, seeds[..., b] * c - seeds[..., a] * s
    near(moved, forward.reshape(x.shape))
    near(found, back.reshape(x.shape))


@pytest.mark.parametrize("kind", ["gelu", "gelu_approx", "silu", "softplus", "elu", "tanh", "sigmoid"])
def test_activation_slopes_far_from_zero(device, kind):
    x = F32([-30, -8, -3, -1, -0.0, 1e-3, 0.5, 2, 8, 30])
    name = {"gelu_approx": "gelu"}.get(kind, kind)
    function = getattr(torch.nn.functional, name)
    more = {"approximate": "tanh"} if kind == "gelu_approx" else {}
    wanted = torch_gradients(lambda x: function(x, **more).sum(), {"x": x})["x"]
    near(gradients(device, lambda g, x: getattr(g, kind)(x).sum(), {"x": x})["x"], wanted)
    near(tangent(device, lambda g, x: getattr(g, kind)(x), x, np.ones_like(x)), wanted)


def test_hessian_product_through_tanh(device):
    g = rlx.Graph("trap")
    x = g.input("x", (6,))
    g.set_outputs({"loss": g.tanh(x).sum()})
    a, v = draw(6), draw(6, seed=1)
    found = rlx.compile(rlx.autodiff.hvp(g, x), device).run({"x": a, "tangent_x": v})["hvp_x"]
    y = np.tanh(wide(a))
    near(found, -2 * y * (1 - y * y) * wide(v))


# -- reductions and ties ----------------------------------------------------------------------------------------
def test_gradient_of_a_two_axis_reduction_in_the_middle_of_a_graph(device):
    x, u = draw(3, 4, 5), draw(4, seed=1)
    found = gradients(device, lambda g, x, u: (g.sin(g.mean(x * x, axes=(0, 2))) * u).sum(), {"x": x, "u": u})
    agree(found, torch_gradients(lambda x, u: (torch.sin((x * x).mean((0, 2))) * u).sum(), {"x": x, "u": u}))


def test_ties_share_the_gradient_evenly(device):
    x = F32([[1, 3, 3, 2], [5, 5, 5, 5]])
    found = gradients(device, lambda g, x: g.max(x, axes=1).sum(), {"x": x})["x"]
    np.testing.assert_array_equal(found, [[0, 0.5, 0.5, 0], [0.25] * 4])
    pair = gradients(
        device,
        lambda g, x, y: g.binary("max", x, y).sum() + g.binary("min", x, y).sum() * 10.0,
        {"x": F32([1, 2, 3]), "y": F32([1, 3, 2])},
    )
    np.testing.assert_array_equal(pair["x"], [5.5, 10, 1])
    np.testing.assert_array_equal(pair["y"], [5.5, 1, 10])


def test_product_gradient_at_zeros(device):
    x = F32([[2, 0, 3, 4], [0, 5, 0, 1], [1, 2, 3, 4]])
    found = gradients(device, lambda g, x: g.reduce_prod(x, axes=1).sum(), {"x": x})["x"]
    np.testing.assert_allclose(found, [[0, 24, 0, 0], [0, 0, 0, 0], [24, 12, 8, 6]])
    running = gradients(device, lambda g, x: g.cumprod(x, axis=1).sum(), {"x": x})["x"]
    agree({"x": running}, torch_gradients(lambda x: x.cumprod(1).sum(), {"x": x}))


def test_round_passes_gradients_straight_through_and_floor_none(device):
    x = F32([0.5, 2.5, -1.2])
    found = gradients(device, lambda g, x: (g.round(x) * 3.0 + g.floor(x) * 100.0).sum(), {"x": x})["x"]
    np.testing.assert_array_equal(found, [3, 3, 3])


def test_gradient_stops_at_a_cast_to_an_integer(device):
    x = F32([1.5, 2.5])
    found = gradients(device, lambda g, x: (g.cast(g.cast(x, "i32"), "f32") * x).sum(), {"x": x})["x"]
    np.testing.assert_array_equal(found, [1, 2])


def test_where_does_not_let_nan_through(device):
    """The branch not taken is infinite at 0; its gradient must not be 0·inf."""
    x = F32([0.0, 4.0])
    found = gradients(device, lambda g, x: g.where(x > 0.0, g.sqrt(g.where(x > 0.0, x, 1.0)), 0.0).sum(), {"x": x})["x"]
    np.testing.assert_array_equal(found, [0, 0.25])


def test_gather_on_axis_1_with_outer_rows_adds_up_duplicates(device):
    x, u = draw(2, 5, 3), draw(2, 4, 3, seed=1)
    index = np.int32([1, 4, 1, -1])
    found = gradients(device, lambda g, x, u: (g.gather(x, index, axis=1) * u).sum(), {"x": x, "u": u})["x"]
    wanted = np.zeros((2, 5, 3))
    for place, row in zip([1, 4, 1, 4], range(4), strict=True):
        wanted[:, place] += u[:, row]
    near(found, wanted)


# -- attention --------------------------------------------------------------------------------------------------
def torch_attention(q, k, v, heads, kv_heads, size, scale, softcap, visible, bias=None):
    """Packed heads one by one; rows without a visible key are zeros."""
    b, s, t = q.shape[0], q.shape[1], k.shape[1]
    rows = []
    for head in range(heads):
        g = head // (heads // kv_heads)
        scores = q[..., head * size : (head + 1) * size] @ k[..., g * size : (g + 1) * size].transpose(1, 2) * scale
        if softcap:
            scores = softcap * torch.tanh(scores / softcap)
        if bias is not None:
            scores = scores + bias[:, head]
        seen = torch.as_tensor(visible).expand(b, s, t)
        shares = torch.softmax(torch.where(seen, scores, torch.tensor(-1e30, dtype=scores.dtype)), -1)
        shares = torch.where(seen.any(-1, keepdim=True), shares, torch.zeros((), dtype=scores.dtype))
        rows.append(shares @ v[..., g * size : (g + 1) * size])
    return torch.cat(rows, -1)


def attention_case(device, s, t, mask_kind, visible, bias=None, softcap=None, scale=None, lengths=None):
    heads, kv_heads, size = 4, 2, 8
    inputs = {"q": draw(2, s, 32), "k": draw(2, t, 16, seed=1), "v": draw(2, t, 16, seed=2), "u": draw(2, s, 32, seed=3)}
    if bias is not None:
        inputs["bias"] = bias
    attrs: dict[str, Any] = {"num_heads": heads, "head_dim": size, "num_kv_heads": kv_heads, "mask_kind": mask_kind}
    attrs |= {"softcap": softcap, "score_scale": scale}

    def ours(g, q, k, v, u, bias=None):
        kv_length = None if lengths is None else np.int32(lengths)
        return (g.attention(q, k, v, bias, None, kv_length, **attrs) * u).sum()

    def theirs(q, k, v, u, bias=None):
        return (torch_attention(q, k, v, heads, kv_heads, size, scale or 1 / math.sqrt(size), softcap, visible, bias) * u).sum()

    agree(gradients(device, ours, inputs), torch_gradients(theirs, inputs))


def test_attention_scale_and_softcap_gradients(device):
    attention_case(device, 5, 5, "none", np.ones((5, 5), bool), softcap=2.0, scale=0.7)


def test_attention_bias_gradient(device):
    attention_case(device, 4, 6, "bias", np.ones((4, 6), bool), bias=draw(2, 4, 4, 6, seed=5))


def test_attention_causal_gradient_with_more_keys_than_queries(device):
    attention_case(device, 3, 7, "causal", np.tril(np.ones((3, 7), bool), 4))


def test_attention_gradient_of_a_row_that_sees_nothing_is_zero(device):
    attention_case(device, 4, 2, "causal", np.tril(np.ones((4, 2), bool), -2))


def test_attention_gradient_in_chunks_of_queries(device):
    s = 300
    attention_case(device, s, s, "causal", np.tril(np.ones((s, s), bool)))


def test_attention_gradient_with_a_row_bias_in_chunks(device):
    s = 150
    attention_case(device, s, 20, "bias", np.ones((s, 20), bool), bias=draw(2, 4, s, 20, seed=5))


# -- quantization -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("ste", ["identity", "clipped_identity", "tanh", "hard_tanh"])
def test_fake_quantize_passes_gradients_by_its_kind(device, ste):
    x, s, top = draw(4, 6) * F32(2), F32(0.2), 7
    found = gradients(device, lambda g, x: (g.fake_quantize(x, s, bits=4, ste=ste, scale_mode="fixed")[0] * 3.0).sum(), {"x": x})[
        "x"
    ]
    ratio = wide(x) / float(s)
    passed = {
        "identity": np.ones_like(ratio),
        "clipped_identity": abs(ratio) <= top,
        "tanh": 1 - np.tanh(ratio) ** 2,
        "hard_tanh": np.maximum(0, 1 - abs(ratio) / top),
    }[ste]
    near(found, 3.0 * passed, ulps=256)


def test_learned_step_size_gradients(device):
    x, s, top = draw(3, 5) * F32(2), np.float32(0.3), 7
    found = gradients(device, lambda g, x, s: g.fake_quantize_lsq(x, s, bits=4).sum(), {"x": x, "s": np.asarray(s)})
    ratio = wide(x) / float(s)
    near(found["x"], (abs(ratio) <= top).astype(float))
    slope = np.where(abs(ratio) <= top, np.rint(ratio) - ratio, np.sign(ratio) * top)
    near(found["s"], slope.sum(), terms=15, ulps=64)


# -- windows ----------------------------------------------------------------------------------------------------
def test_convolution_gradients_with_stride_padding_dilation_and_groups(device):
    given = {"x": draw(2, 4, 7, 8), "w": draw(6, 2, 3, 2, seed=1), "b": draw(6, seed=2)}
    how: dict[str, Any] = {"stride": (2, 1), "padding": (1, 2), "dilation": (1, 2), "groups": 2}
    found = gradients(device, lambda g, x, w, b: g.sin(g.conv(x, w, b, **how)).sum(), given)
    agree(found, torch_gradients(lambda x, w, b: torch.sin(torch.nn.functional.conv2d(x, w, b, **how)).sum(), given), terms=256)


@pytest.mark.parametrize("kind", ["max", "mean"])
def test_pool_gradients_are_torch_s(device, kind):
    x = draw(2, 3, 7, 8)
    pools = {"max": torch.nn.functional.max_pool2d, "mean": torch.nn.functional.avg_pool2d}
    found = gradients(device, lambda g, x: g.sin(g.pool(x, kind=kind, kernel_size=3, stride=2, padding=1)).sum(), {"x": x})
    agree(found, torch_gradients(lambda x: torch.sin(pools[kind](x, 3, 2, 1)).sum(), {"x": x}))


def test_cross_entropy_gradient_ignores_rows(device):
    logits, labels = draw(4, 7), np.int32([3, -100, 6, 0])
    found = gradients(
        device,
        lambda g, logits, labels: g.softmax_cross_entropy_with_logits(logits, labels, ignore_index=-100).sum(),
        {"logits": logits, "labels": labels},
    )
    rows = torch.tensor(labels).long()
    wanted = torch_gradients(lambda logits: torch.nn.functional.cross_entropy(logits, rows, reduction="sum"), {"logits": logits})
    agree(found, wanted)


@pytest.mark.parametrize("op", ["selective_scan", "gated_delta_net"])
def test_recurrence_gradients_are_those_of_their_steps(device, op):
    b, s, h, n = 2, 5, 3, 4
    if op == "selective_scan":
        given = {
            "x": draw(b, s, h),
            "dt": abs(draw(b, s, h, seed=1)),
            "a": -abs(draw(h, n, seed=2)),
            "bb": draw(b, s, n, seed=3),
            "c": draw(b, s, n, seed=4),
        }

        def steps(x, dt, a, bb, c):
            state, total = torch.zeros(b, h, n, dtype=torch.float64), 0.0
            for t in range(s):
                state = torch.exp(dt[:, t, :, None] * a) * state + (dt[:, t] * x[:, t])[..., None] * bb[:, t, None, :]
                total = total + torch.sin((state * c[:, t, None, :]).sum(-1)).sum()
            return total
    else:
        given = {
            "q": draw(b, s, h, n),
            "k": draw(b, s, h, n, seed=1),
            "v": draw(b, s, h, n, seed=2),
            "g_": -abs(draw(b, s, h, seed=3)),
            "beta": abs(draw(b, s, h, seed=4)) / 2,
        }

        def steps(q, k, v, g_, beta):
            state, total = torch.zeros(b, h, n, n, dtype=torch.float64), 0.0
            for t in range(s):
                state = state * torch.exp(g_[:, t, :, None, None])
                d = (v[:, t] - torch.einsum("bhij,bhi->bhj", state, k[:, t])) * beta[:, t, :, None]
                state = state + k[:, t, :, :, None] * d[:, :, None, :]
                total = total + torch.sin(torch.einsum("bhij,bhi->bhj", state, q[:, t]) / math.sqrt(n)).sum()
            return total

    found = gradients(device, lambda g, **xs: g.sin(getattr(g, op)(*xs.values(), state_size=n)).sum(), given)
    agree(found, torch_gradients(steps, given), terms=256)
