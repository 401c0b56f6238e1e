"""Traps of fusion: a value that is also an output, has another reader, or broadcasts oddly keeps its value."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special as sp
import torch

import rlx
from tests.traps.running import draw, near, outputs, wide


def gelu(x):
    return 0.5 * x * sp.erfc(-x / np.sqrt(2))


def silu(x):
    return x * sp.expit(x)


def rms(x, gamma, eps=1e-6):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps) * gamma


def layer(x, gamma, beta, eps=1e-5):
    centered = x - x.mean(-1, keepdims=True)
    return centered / np.sqrt((centered**2).mean(-1, keepdims=True) + eps) * gamma + beta


@pytest.fixture(params=["param", "input"])
def owner(request):
    """Weights as params are packed and hoisted; as inputs they are read as they come."""
    return request.param


def split(owner, arrays, names):
    params = {name: arrays[name] for name in names} if owner == "param" else {}
    return {name: array for name, array in arrays.items() if name not in params}, params


def test_matmul_own_value_is_an_output_while_a_fused_form_exists(device, owner):
    arrays = {"x": draw(5, 24), "w": draw(24, 19, seed=1), "b": draw(19, seed=2)}

    def make(g, x, w, b):
        h = x @ w
        return {"h": h, "biased": h + b, "y": g.gelu(h + b), "fused": g.fused_matmul_bias_act(x, w, b, "gelu")}

    found = outputs(device, make, *split(owner, arrays, ["w", "b"]))
    x, w, b = wide(*arrays.values())
    near(found["h"], x @ w, 24)
    near(found["biased"], x @ w + b, 24)
    for name in ("y", "fused"):
        near(found[name], gelu(x @ w + b), 24)


@pytest.mark.parametrize("dims", [(1,), (), (1, 1)])
@pytest.mark.parametrize("columns", [1, 2, 16, 21])
def test_bias_of_one_element(device, owner, dims, columns):
    arrays = {"x": draw(3, 7), "w": draw(7, columns, seed=1), "b": draw(*dims, seed=2, low=1, high=2)}
    found = outputs(device, lambda g, x, w, b: {"y": g.relu(x @ w + b)}, *split(owner, arrays, ["w", "b"]))
    x, w, b = wide(*arrays.values())
    near(found["y"], np.maximum(x @ w + b, 0), 7)


@pytest.mark.parametrize("bias", [(6,), (4, 1, 6), (1, 1, 6), (3, 1), (4, 3, 6), (1,)])
def test_batched_weights_under_bias_fusion(device, owner, bias):
    arrays = {"x": draw(4, 3, 5), "w": draw(4, 5, 6, seed=1), "b": draw(*bias, seed=2)}
    found = outputs(device, lambda g, x, w, b: {"y": g.tanh(x @ w + b)}, *split(owner, arrays, ["w", "b"]))
    x, w, b = wide(*arrays.values())
    near(found["y"], np.tanh(x @ w + b), 5)


def test_batched_weights_with_a_fused_bias_node(device):
    arrays = {"x": draw(2, 3, 5), "w": draw(2, 5, 4, seed=1), "b": draw(4, seed=2)}
    found = outputs(device, lambda g, x, w, b: {"y": g.fused_matmul_bias_act(x, w, b, "silu")}, arrays)
    x, w, b = wide(*arrays.values())
    near(found["y"], silu(x @ w + b), 5)


@pytest.mark.parametrize("residual", [(1, 1, 9), (4, 1, 9), (1, 3, 1), (9,), (1,), (), (3, 9)])
@pytest.mark.parametrize("fused", [False, True])
def test_residual_add_with_a_broadcast_operand_before_a_norm(device, residual, fused):
    arrays = {"x": draw(4, 3, 9), "r": draw(*residual, seed=1), "gamma": draw(9, seed=2), "beta": draw(9, seed=3)}

    def make(g, x, r, gamma, beta):
        if fused:
            return {"rms": g.fused_residual_rms_norm(x, r, gamma), "layer": g.fused_residual_layer_norm(x, r, gamma, beta)}
        return {"rms": g.rms_norm(x + r, gamma), "layer": g.layer_norm(x + r, gamma, beta)}

    found = outputs(device, make, arrays)
    x, r, gamma, beta = wide(*arrays.values())
    near(found["rms"], rms(x + r, gamma), 9)
    near(found["layer"], layer(x + r, gamma, beta), 9)


def test_a_residual_larger_than_x_before_a_norm(device):
    arrays = {"x": draw(1, 9), "r": draw(4, 9, seed=1), "gamma": draw(9, seed=2)}
    found = outputs(device, lambda g, x, r, gamma: {"y": g.rms_norm(x + r, gamma), "sum": x + r}, arrays)
    x, r, gamma = wide(*arrays.values())
    near(found["y"], rms(x + r, gamma), 9)
    near(found["sum"], x + r)


@pytest.mark.parametrize("reused", ["gate", "silu", "up", "both", "product"])
def test_gate_reused_outside_swiglu(device, owner, reused):
    arrays = {"x": draw(5, 12), "gate": draw(12, 18, seed=1), "up": draw(12, 18, seed=2), "down": draw(18, 12, seed=3)}

    def make(g, x, gate, up, down):
        a, b = x @ gate, x @ up
        s = g.silu(a)
        y = s * b
        extra = {"gate": a, "silu": s, "up": b, "both": a + b, "product": y}[reused]
        return {"y": y @ down, "extra": extra * 2.0, "plain": extra}

    found = outputs(device, make, *split(owner, arrays, ["gate", "up", "down"]))
    x, gate, up, down = wide(*arrays.values())
    a, b = x @ gate, x @ up
    extra = {"gate": a, "silu": silu(a), "up": b, "both": a + b, "product": silu(a) * b}[reused]
    near(found["y"], (silu(a) * b) @ down, 30)
    near(found["plain"], extra, 12)
    near(found["extra"], 2 * extra, 12)


@pytest.mark.parametrize("gate_first", [False, True])
def test_swiglu_knows_which_half_is_the_gate(device, gate_first):
    x = draw(3, 2, 14)
    found = outputs(device, lambda g, x: {"y": g.fused_swiglu(x, gate_first=gate_first)}, {"x": x})
    low, high = wide(x)[..., :7], wide(x)[..., 7:]
    near(found["y"], high * silu(low) if gate_first else low * silu(high))


def test_swapped_roles_of_gate_and_up(device, owner):
    """up is built first, the gate is the left operand, and one weight serves as both."""
    arrays = {"x": draw(5, 12), "a": draw(12, 18, seed=1), "b": draw(12, 18, seed=2)}

    def make(g, x, a, b):
        up, gate = x @ a, x @ b
        return {"y": g.silu(gate) * up, "z": up * g.silu(gate), "own": g.silu(gate) * gate}

    found = outputs(device, make, *split(owner, arrays, ["a", "b"]))
    x, a, b = wide(*arrays.values())
    for name in ("y", "z"):
        near(found[name], silu(x @ b) * (x @ a), 12)
    near(found["own"], silu(x @ b) * (x @ b), 12)


def test_gate_and_up_of_different_widths_broadcast(device, owner):
    arrays = {"x": draw(5, 12), "a": draw(12, 1, seed=1), "b": draw(12, 18, seed=2)}
    found = outputs(device, lambda g, x, a, b: {"y": g.silu(x @ a) * (x @ b)}, *split(owner, arrays, ["a", "b"]))
    x, a, b = wide(*arrays.values())
    near(found["y"], silu(x @ a) * (x @ b), 12)


def test_shared_operand_matmuls_one_of_which_is_an_output(device, owner):
    arrays = {"x": draw(2, 5, 12), "q": draw(12, 8, seed=1), "k": draw(12, 4, seed=2), "v": draw(12, 6, seed=3)}

    def make(g, x, q, k, v):
        a, b, c = x @ q, x @ k, x @ v
        return {"q": a, "k": g.exp(b), "v": c.transpose(0, 2, 1), "sum": a.sum(axes=-1) + c.max(axes=-1)}

    found = outputs(device, make, *split(owner, arrays, ["q", "k", "v"]))
    x, q, k, v = wide(*arrays.values())
    near(found["q"], x @ q, 12)
    near(found["k"], np.exp(x @ k), 12)
    near(found["v"], (x @ v).transpose(0, 2, 1), 12)
    near(found["sum"], (x @ q).sum(-1) + (x @ v).max(-1), 24)


@pytest.mark.parametrize("dims", [(5, 1), (1, 11), (5, 11), (1, 1), ()])
def test_an_epilogue_operand_may_broadcast_any_way(device, owner, dims):
    arrays = {"x": draw(5, 7), "w": draw(7, 11, seed=1), "s": draw(*dims, seed=2)}
    found = outputs(device, lambda g, x, w, s: {"y": g.sigmoid((x @ w) * s - s)}, *split(owner, arrays, ["w"]))
    x, w, s = wide(*arrays.values())
    near(found["y"], sp.expit((x @ w) * s - s), 7)


def test_an_epilogue_that_grows_the_result(device, owner):
    arrays = {"x": draw(5, 7), "w": draw(7, 11, seed=1), "s": draw(3, 1, 11, seed=2)}
    found = outputs(device, lambda g, x, w, s: {"y": (x @ w) + s}, *split(owner, arrays, ["w"]))
    x, w, s = wide(*arrays.values())
    near(found["y"], x @ w + s, 7)


def test_a_transposed_residual_in_an_epilogue(device, owner):
    arrays = {"x": draw(5, 7), "w": draw(7, 5, seed=1), "r": draw(5, 5, seed=2)}
    found = outputs(device, lambda g, x, w, r: {"y": x @ w + r.T, "z": (x @ w).T + r}, *split(owner, arrays, ["w"]))
    x, w, r = wide(*arrays.values())
    near(found["y"], x @ w + r.T, 7)
    near(found["z"], (x @ w).T + r, 7)


def test_two_matmuls_that_want_the_same_add(device, owner):
    arrays = {"x": draw(5, 7), "w": draw(7, 11, seed=1), "z": draw(5, 4, seed=2), "v": draw(4, 11, seed=3)}

    def make(g, x, w, z, v):
        return {"sum": g.gelu(x @ w + z @ v), "gated": (x @ w) * g.sigmoid(z @ v), "twice": (x @ w) + (x @ w)}

    found = outputs(device, make, *split(owner, arrays, ["w", "v"]))
    x, w, z, v = wide(*arrays.values())
    near(found["sum"], gelu(x @ w + z @ v), 11)
    near(found["gated"], (x @ w) * sp.expit(z @ v), 11)
    near(found["twice"], 2 * (x @ w), 7)


def test_an_epilogue_that_reads_its_own_input(device, owner):
    """y = x @ w + x: the residual is the left operand itself, and the result may not overwrite it while it is read."""
    arrays = {"x": draw(33, 24), "w": draw(24, 24, seed=1)}

    def make(g, x, w):
        y = g.exp(x) @ w + g.exp(x)
        return {"y": y, "z": y @ w + y}

    found = outputs(device, make, *split(owner, arrays, ["w"]))
    x, w = wide(*arrays.values())
    y = np.exp(x) @ w + np.exp(x)
    near(found["y"], y, 24)
    near(found["z"], y @ w + y, 48)


def test_a_region_is_not_closed_over_a_path_that_leaves_and_returns(device, owner):
    """exp and add have one iteration space, but the matmul between them must come after the one and before the other."""
    arrays = {"x": draw(6, 6), "w": draw(6, 6, seed=1)}

    def make(g, x, w):
        a = g.exp(x)
        return {"y": a + g.tanh(a @ w), "z": g.log(a) * g.softmax(a @ w, axis=-1).sum(axes=-1, keep_dim=True)}

    found = outputs(device, make, *split(owner, arrays, ["w"]))
    x, w = wide(*arrays.values())
    near(found["y"], np.exp(x) + np.tanh(np.exp(x) @ w), 6)
    near(found["z"], x, 16)


def test_a_reduction_read_inside_and_outside_its_region(device):
    x = draw(5, 33)

    def make(g, x):
        top = x.max(axes=-1, keep_dim=True)
        shifted = g.exp(x - top)
        total = shifted.sum(axes=-1, keep_dim=True)
        return {"y": shifted / total, "top": top, "total": total, "flat": total.reshape(5) * 2.0, "shifted": shifted}

    found = outputs(device, make, {"x": x})
    x = wide(x)
    shifted = np.exp(x - x.max(-1, keepdims=True))
    near(found["y"], shifted / shifted.sum(-1, keepdims=True), 33)
    near(found["top"], x.max(-1, keepdims=True))
    near(found["total"], shifted.sum(-1, keepdims=True), 33)
    near(found["flat"], 2 * shifted.sum(-1), 33)
    near(found["shifted"], shifted)


def test_reductions_over_different_axes_of_one_value(device):
    x = draw(5, 7, 3)

    def make(g, x):
        y = x * 2.0
        return {
            "rows": y.sum(axes=0, keep_dim=True) + y,
            "columns": y.sum(axes=(1, 2), keep_dim=True) * y,
            "all": y - y.mean(),
            "middle": y.max(axes=1, keep_dim=True) + y.min(axes=(0, 2), keep_dim=True),
        }

    found = outputs(device, make, {"x": x})
    y = 2 * wide(x)
    near(found["rows"], y.sum(0, keepdims=True) + y, 5)
    near(found["columns"], y.sum((1, 2), keepdims=True) * y, 21)
    near(found["all"], y - y.mean(), 105)
    near(found["middle"], y.max(1, keepdims=True) + y.min((0, 2), keepdims=True))


def test_a_reduced_value_that_broadcasts_back_beside_another_shape(device):
    """mean over rows feeds a row operand: [5, 1] and [1, 7] meet in one region."""
    x = draw(5, 7)
    found = outputs(device, lambda g, x: {"y": x.mean(axes=0, keep_dim=True) * x.mean(axes=1, keep_dim=True)}, {"x": x})
    x = wide(x)
    near(found["y"], x.mean(0, keepdims=True) * x.mean(1, keepdims=True), 7)


def test_an_intermediate_that_is_an_output_twice_and_read_in_place(device):
    x = draw(4, 9)

    def make(g, x):
        a = x + 1.0
        b = a * 2.0
        c = b - 3.0
        return {"a": a, "again": a, "b": b, "c": c, "d": c * a}

    found = outputs(device, make, {"x": x})
    a = wide(x) + 1
    for name, expected in (("a", a), ("again", a), ("b", 2 * a), ("c", 2 * a - 3), ("d", (2 * a - 3) * a)):
        near(found[name], expected)


@pytest.mark.parametrize("policy", ["Direct", "Fusable"])
def test_both_policies_give_torch_swiglu(device, policy):
    m = rlx.Graph.hir("ffn").with_fusion_policy(getattr(rlx.compat.FusionPolicy, policy))
    arrays = {"x": draw(2, 3, 8), "up": draw(8, 12, seed=1), "gate": draw(8, 12, seed=2), "down": draw(12, 8, seed=3)}
    x = m.input("x", arrays["x"].shape)
    up, gate, down = (m.param(name, arrays[name].shape) for name in ("up", "gate", "down"))
    m.set_outputs({"y": m.swiglu_ffn(x, up, gate, down)})
    exe = rlx.compile(m, device)
    exe.set_params({name: arrays[name] for name in ("up", "gate", "down")})
    t = {name: torch.tensor(array, dtype=torch.float64) for name, array in arrays.items()}
    expected = (t["x"] @ t["up"] * torch.nn.functional.silu(t["x"] @ t["gate"])) @ t["down"]
    near(exe(x=arrays["x"]), expected.numpy(), 30)


# -- found by tests/fuzz ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("bias", [(3,), (4, 3), (1,), (4, 1)])
def test_the_product_with_a_vector_has_no_columns_for_a_bias(device, owner, bias):
    """[4, 3, 5] @ [5] is [4, 3]: its last axis are rows, so a bias of 3 is one number per row, not one per column."""
    arrays = {"x": draw(4, 3, 5), "w": draw(5, seed=1), "b": draw(*bias, seed=2)}
    found = outputs(device, lambda g, x, w, b: {"y": g.tanh(x @ w + b)}, *split(owner, arrays, ["w", "b"]))
    x, w, b = wide(*arrays.values())
    near(found["y"], np.tanh(x @ w + b), 5)


@pytest.mark.parametrize("bias", [(6,), (4, 6), (1,), (4, 1)])
def test_the_product_of_a_vector_with_matrices_and_a_bias(device, owner, bias):
    arrays = {"x": draw(5), "w": draw(4, 5, 6, seed=1), "b": draw(*bias, seed=2)}
    found = outputs(device, lambda g, x, w, b: {"y": g.tanh(x @ w + b)}, *split(owner, arrays, ["w", "b"]))
    x, w, b = wide(*arrays.values())
    near(found["y"], np.tanh(x @ w + b), 5)


@pytest.mark.parametrize("side", ["left", "right", "both"])
def test_a_matmul_with_a_constant_of_one_element_takes_an_epilogue(device, side):
    """A scalar constant belongs into the epilogue as a number, but not when it is what is multiplied."""
    x, b = draw(1, 8) if side == "left" else draw(8, 1), draw(8, seed=1) if side == "left" else draw(1, seed=1)

    def make(g, x, b):
        two = g.constant(np.full((1, 1), 2, np.float32))
        product = two @ x if side == "left" else x @ two if side == "right" else two @ two
        return {"y": g.relu(product + b), "z": product * two + two}

    found = outputs(device, make, {"x": x, "b": b})
    x, b = wide(x, b)
    product = np.full((1, 1), 4.0) if side == "both" else 2 * x
    near(found["y"], np.maximum(product + b.reshape(1, -1), 0))
    near(found["z"], 2 * product + 2)


def test_values_of_params_alone_may_have_symbolic_sizes(device):
    """exp(expand(w, [n, 3])) depends on no input, but its size does: it is not computed once per param."""
    g = rlx.Graph("symbolic")
    n = rlx.Dim("n", 1, 9)
    x, w = g.input("x", (n,)), g.param("w", (3,))
    wide_w = g.expand(w, (n, 3))
    g.set_outputs({"y": g.exp(wide_w) + x.reshape(n, 1), "z": g.sort(wide_w * 2.0, axis=0), "n": wide_w.sum(axes=0)})
    exe = rlx.compile(g, device)
    exe.set_param("w", np.array([1, 2, 3], np.float32))
    for size in (2, 5, 1):
        found = exe.run({"x": np.arange(size, dtype=np.float32)})
        near(found["y"], np.exp([1.0, 2, 3]) + np.arange(size)[:, None])
        near(found["z"], np.tile([2.0, 4, 6], (size, 1)))
        near(found["n"], size * np.array([1.0, 2, 3]))
