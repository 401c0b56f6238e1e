"""Derivatives of ops that hold bodies: custom_fn with rules by name, fused nodes, packed weights, and compositions with vmap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rlx
from rlx.core.enums import FusionPolicy
from rlx.core.errors import RlxError
from rlx.ir.op import OPS

F32 = np.float32
DEVICES = pytest.mark.parametrize("device", ["reference", "cpu"])


def draw(*dims: int, seed: int = 0) -> Any:
    return np.random.default_rng([seed, *dims]).uniform(-1, 1, dims).astype(F32)


def run(
    module: Any, inputs: dict[str, Any], device: str = "reference", params: dict[str, Any] | None = None, **options: Any
) -> dict[str, Any]:
    exe = rlx.compile(module, device, **options)
    exe.set_params(params or {})
    return exe.run(inputs)


# -- custom_fn --------------------------------------------------------------------------------------------------
@DEVICES
def test_vjp_body_reads_primals_output_and_seed_by_name(device):
    """The rule says 10·y·dy·x, whatever the slope is; it finds its values by name in any order."""
    g = rlx.Graph("custom")
    x = g.input("x", ("n",))
    (y,) = g.custom_fn_multi([x], lambda x: x * x, lambda d_output, x, primal_output: primal_output * d_output * x * 10.0)
    g.set_outputs({"loss": (y * 2.0).sum()})
    a = draw(5)
    np.testing.assert_allclose(run(rlx.autodiff.grad(g, x), {"x": a}, device)["grad_x"], 20 * a**3, rtol=1e-5)


def test_vjp_body_with_two_results_and_an_integer_primal():
    g = rlx.Graph("custom")
    x, n, y = g.input("x", (4,)), g.input("n", (4,), "i32"), g.input("y", (4,))

    def back(x, n, y, primal_output_0, primal_output_1, d_output_0, d_output_1):
        return d_output_0 * 3.0, d_output_1 * 5.0 + d_output_0 * 0.0

    both = g.custom_fn_multi([x, n, y], lambda x, n, y: (x * y, y + n.astype("f32")), back)
    g.set_outputs({"loss": both[1].sum()})
    found = run(rlx.autodiff.grad(g, [x, y]), {"x": draw(4), "n": np.arange(4, dtype=np.int32), "y": draw(4, seed=1)})
    np.testing.assert_array_equal([found["grad_x"], found["grad_y"]], [np.zeros(4), np.full(4, 5)])


def test_jvp_body_alone_serves_reverse_mode():
    g = rlx.Graph("custom")
    x, y = g.input("x", (3,)), g.input("y", (3,))
    (z,) = g.custom_fn_multi(
        [x, y], lambda x, y: x * y, None, lambda x, y, tangent_0, tangent_1: tangent_0 * y * 2.0 + tangent_1 * x
    )
    g.set_outputs({"loss": z.sum()})
    a, b = draw(3), draw(3, seed=1)
    found = run(rlx.autodiff.grad(g, [x, y]), {"x": a, "y": b})
    np.testing.assert_allclose([found["grad_x"], found["grad_y"]], [2 * b, a], rtol=1e-6)


def test_vjp_body_alone_serves_forward_mode():
    g = rlx.Graph("custom")
    x = g.input("x", (3,))
    (y,) = g.custom_fn_multi([x], lambda x: x * x, lambda x, primal_output, d_output: d_output * x * 7.0)
    g.set_outputs({"y": y})
    a, t = draw(3), draw(3, seed=1)
    np.testing.assert_allclose(run(rlx.autodiff.jvp(g, x), {"x": a, "tangent_x": t})["tangent_y"], 7 * a * t, rtol=1e-6)


# -- fused nodes and packed weights -----------------------------------------------------------------------------
@DEVICES
@pytest.mark.parametrize("policy", [FusionPolicy.Direct, FusionPolicy.Fusable])
def test_gradients_do_not_depend_on_how_blocks_were_lowered(device, policy):
    module = rlx.GraphModule.hir("m")
    x, names = module.input("x", (3, 8)), {"w": (8, 8), "b": (8,), "up": (8, 12), "gate": (8, 12), "down": (12, 8)}
    w, b, up, gate, down = (module.param(name, dims) for name, dims in names.items())
    h = module.swiglu_ffn(module.linear(x, w, b, activation="gelu"), up, gate, down)
    module.set_outputs({"loss": (h * h).sum()})
    params = {name: draw(*dims, seed=i) for i, (name, dims) in enumerate(names.items())}
    lowered = module.with_fusion_policy(policy).lower()
    found = run(rlx.autodiff.grad(lowered, list(names)), {"x": draw(3, 8)}, device, params)
    plain = run(rlx.autodiff.grad(module, list(names)), {"x": draw(3, 8)}, "reference", params)
    for name, array in plain.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-3, atol=1e-4 * np.abs(array).max())


@DEVICES
def test_gradients_pass_a_packed_weight_to_x(device):
    g = rlx.Graph("lora")
    x, w = g.input("x", (3, 64)), g.param("w", (64, 16), scheme="gguf_q8_0")
    a, b = g.param("a", (64, 2)), g.param("b", (2, 16))
    g.set_outputs({"loss": OPS["sin"](x @ w + x @ a @ b).sum()})
    packed = np.random.default_rng(0).integers(-100, 100, (16, 2, 32)).astype(np.int8)
    rows = np.concatenate([np.full((16, 2, 1), 0.01, np.float16).view(np.uint8), packed.view(np.uint8)], -1).reshape(16, -1)
    dense = (packed.astype(float) * float(np.float16(0.01))).reshape(16, 64).T
    params = {"a": draw(64, 2, seed=1), "b": draw(2, 16, seed=2)}
    inputs = {"x": draw(3, 64)}
    found = run(rlx.autodiff.grad(g, ["x", "a"]), inputs, device, {**params, "w": rows}, quant_mode="exact")
    wide = {name: array.astype(float) for name, array in {**params, **inputs}.items()}
    dy = np.cos(wide["x"] @ dense + wide["x"] @ wide["a"] @ wide["b"])
    np.testing.assert_allclose(found["grad_x"], dy @ (dense + wide["a"] @ wide["b"]).T, rtol=0, atol=1e-4)
    np.testing.assert_allclose(found["grad_a"], wide["x"].T @ (dy @ wide["b"].T), rtol=0, atol=1e-4)
    with pytest.raises(RlxError, match="packed param") as caught:
        rlx.autodiff.grad(g, "w")
    assert caught.value.code == "RLX602"


# -- compositions -----------------------------------------------------------------------------------------------
def test_vmap_of_the_gradient_of_attention_is_a_loop():
    def loss(q, k, v):
        return OPS["sin"](OPS["attention"](q, k, v, num_heads=2, head_dim=4, mask_kind="causal")).sum()

    examples = [draw(3, 1, 5, 8, seed=i) for i in range(3)]
    many = rlx.jit(lambda q, k, v: rlx.vmap(rlx.grad(loss, (0, 1, 2)))(q, k, v), device="reference")(*examples)
    one = rlx.jit(rlx.grad(loss, (0, 1, 2)), device="reference")
    for index in range(3):
        for mine, other in zip(many, one(*(e[index] for e in examples)), strict=True):
            np.testing.assert_allclose(mine[index], other, rtol=1e-4, atol=1e-5)


def test_vmap_of_the_gradient_of_a_norm_and_a_loss():
    def loss(x, gamma, labels):
        logits = OPS["rms_norm"](x, gamma)
        return OPS["softmax_cross_entropy_with_logits"](logits, labels).sum()

    x, gamma, labels = draw(3, 2, 6), draw(6, seed=1), np.int32([[0, 5], [1, 1], [2, 3]])
    many = rlx.jit(lambda x, g, n: rlx.vmap(rlx.grad(loss, (0, 1)), in_axes=(0, None, 0))(x, g, n), device="reference")(
        x, gamma, labels
    )
    one = rlx.jit(rlx.grad(loss, (0, 1)), device="reference")
    for index in range(3):
        for mine, other in zip(many, one(x[index], gamma, labels[index]), strict=True):
            np.testing.assert_allclose(mine[index], other, rtol=1e-5, atol=1e-6)
