"""Derivatives of graphs: names, handles, states, symbols, errors, and every gradient of a Llama against torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import rlx
from rlx.core.errors import RlxError
from rlx.ir.verify import verify
from tests.blocks.test_llama import ATTRS, EMBED, EPS, HEADS, KV, SIZE, SIZES, weights
from tests.blocks.torch_models import LLAMA, llama_row, tensors

F32 = np.float32


def draw(*dims: int, seed: int = 0) -> Any:
    return np.random.default_rng([seed, *dims]).uniform(-1, 1, dims).astype(F32)


def regression() -> tuple[rlx.Graph, dict[str, Any]]:
    """mean((tanh(x·w + b) - y)²) with its values by name."""
    g = rlx.Graph("regression")
    x, y = g.input("x", ("batch", 3)), g.input("y", ("batch", 2))
    w, b = g.param("w", (3, 2)), g.param("b", (2,))
    h = g.tanh(x @ w + b, name="h")
    g.set_outputs({"loss": ((h - y) * (h - y)).mean()})
    return g, {"x": x, "y": y, "w": w, "b": b, "h": h}


def run(module: Any, inputs: dict[str, Any], params: dict[str, Any] | None = None, device: str = "reference") -> dict[str, Any]:
    exe = rlx.compile(module, device)
    exe.set_params(params or {})
    return exe.run(inputs)


def oracle(x: Any, y: Any, w: Any, b: Any) -> tuple[Any, Any, Any]:
    """dw, db and dh of the regression by formula."""
    h = np.tanh(x @ w + b)
    dh = 2 * (h - y) / h.size
    d = dh * (1 - h * h)
    return x.T @ d, d.sum(0), dh


DATA = {"x": draw(5, 3), "y": draw(5, 2, seed=1)}
PARAMS = {"w": draw(3, 2, seed=2), "b": draw(2, seed=3)}


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_grad_by_names_and_values(device):
    g, values = regression()
    for wrt in (["w", "b", "h"], [values["w"], values["b"], values["h"]]):
        made = rlx.autodiff.grad(g, wrt)
        verify(made.as_graph())
        found = run(made, DATA, PARAMS, device)
        assert list(found) == ["grad_w", "grad_b", "grad_h"]
        for mine, wanted in zip(found.values(), oracle(**DATA, **PARAMS), strict=True):
            np.testing.assert_allclose(mine, wanted, rtol=1e-5, atol=1e-6)


def test_grad_with_loss_keeps_the_outputs_in_front():
    g, _ = regression()
    found = run(rlx.autodiff.grad_with_loss(g, "w"), DATA, PARAMS)
    assert list(found) == ["loss", "grad_w"]
    h = np.tanh(DATA["x"] @ PARAMS["w"] + PARAMS["b"])
    np.testing.assert_allclose(found["loss"], np.mean((h - DATA["y"]) ** 2), rtol=1e-6)


def test_one_compiled_gradient_serves_every_batch():
    g, _ = regression()
    exe = rlx.compile(rlx.autodiff.grad(g, "w"), "cpu")
    exe.set_params(PARAMS)
    for batch in (1, 4, 9):
        data = {"x": draw(batch, 3), "y": draw(batch, 2, seed=1)}
        np.testing.assert_allclose(exe.run(data)["grad_w"], oracle(**data, **PARAMS)[0], rtol=1e-5, atol=1e-6)


def test_vjp_takes_seeds_by_output_and_jvp_tangents_by_name():
    g = rlx.Graph("two")
    x, n = g.input("x", (3,)), g.input("n", (3,), "i32")
    g.set_outputs({"square": x * x, "count": n + 1, "sine": g.sin(x)})
    back = rlx.autodiff.vjp(g, "x")
    assert [name for name in back.as_graph().inputs if name.startswith("d_")] == ["d_square", "d_sine"]
    a, u, v = draw(3), draw(3, seed=1), draw(3, seed=2)
    found = run(back, {"x": a, "n": np.arange(3, dtype=np.int32), "d_square": u, "d_sine": v})
    np.testing.assert_allclose(found["grad_x"], 2 * a * u + np.cos(a) * v, rtol=1e-6)
    forward = run(rlx.autodiff.jvp(g, "x"), {"x": a, "n": np.arange(3, dtype=np.int32), "tangent_x": u})
    assert set(forward) == {"square", "count", "sine", "tangent_square", "tangent_sine"}
    np.testing.assert_allclose(forward["tangent_sine"], np.cos(a) * u, rtol=1e-6)


def test_hvp_of_a_quartic():
    g = rlx.Graph("quartic")
    x = g.input("x", (4,))
    g.set_outputs({"loss": (x * x * x * x).sum()})
    a, v = draw(4), draw(4, seed=1)
    np.testing.assert_allclose(run(rlx.autodiff.hvp(g, x), {"x": a, "tangent_x": v})["hvp_x"], 12 * a * a * v, rtol=1e-6)


def test_states_are_inputs_and_updates_stay_updates():
    g = rlx.Graph("counter")
    x, s = g.input("x", (2,)), g.state("s", (2,), init=3)
    g.update("s", s + x)
    g.set_outputs({"loss": (s * x).sum()})
    made = rlx.autodiff.grad(g, ["x", "s"])
    assert list(made.as_graph().updates) == ["s"]
    exe = rlx.compile(made, "reference")
    first, second = exe.run({"x": F32([1, 2])}), exe.run({"x": F32([1, 2])})
    np.testing.assert_array_equal(first["grad_x"], [3, 3])
    np.testing.assert_array_equal(second["grad_x"], [4, 5])
    np.testing.assert_array_equal(second["grad_s"], [1, 2])


def test_a_gradient_that_is_not_there_is_zeros():
    g = rlx.Graph("unused")
    x, y = g.input("x", (2,)), g.input("y", (3,))
    g.set_outputs({"loss": (x * 1.0).sum()})
    np.testing.assert_array_equal(run(rlx.autodiff.grad(g, [x, y]), {"x": F32([1, 2]), "y": F32([1, 2, 3])})["grad_y"], np.zeros(3))


def test_wrt_handles_survive_lowering_and_a_second_transform():
    module = rlx.GraphModule.hir("m")
    x, w = module.input("x", (2, 3)), module.param("w", (3, 4))
    h = module.linear(x, w, activation="gelu")
    module.set_outputs({"loss": (h * h).sum()})
    once = rlx.autodiff.grad(module, [w, h])
    assert once.resolve(w).name == "w"
    again = rlx.autodiff.jvp(once, [x])  # a Value of the HIR graph, two graphs ago
    assert "tangent_x" in again.as_graph().inputs
    verify(again.as_graph())


def test_errors_say_what_and_how():
    g = rlx.Graph("bad")
    x, n = g.input("x", (2,)), g.input("n", (2,), "i32")
    g.set_outputs({"y": x * 2.0, "loss": x.sum()})
    cases = [
        (lambda: rlx.autodiff.grad(g, x), "RLX603"),
        (lambda: rlx.autodiff.grad(g, x, output="y"), "RLX603"),
        (lambda: rlx.autodiff.grad(g, n, output="loss"), "RLX602"),
        (lambda: rlx.autodiff.grad(g, "nobody", output="loss"), "RLX602"),
        (lambda: rlx.autodiff.grad(rlx.graphs.lower(g, "cpu"), "x"), "RLX402"),
    ]
    for make, code in cases:
        with pytest.raises(RlxError) as caught:
            make()
        assert caught.value.code == code


def test_an_op_of_the_user_without_a_rule_is_named():
    mystery = rlx.register_op("test_mystery", "x", infer=lambda call: call.given[0], reference=lambda x: x**3)
    try:
        g = rlx.Graph("g")
        x = g.input("x", (2,))
        g.set_outputs({"loss": mystery(x).sum()})
        with pytest.raises(RlxError, match="test_mystery has no vjp") as caught:
            rlx.autodiff.grad(g, x)
        assert caught.value.code == "RLX601"
    finally:
        rlx.graphs.unregister_op("test_mystery")


def test_an_op_of_the_user_with_a_vjp_has_its_jvp_too():
    cube = rlx.register_op(
        "test_cube",
        "x",
        infer=lambda call: call.given[0],
        reference=lambda x: x**3,
        vjp=lambda call, operands, results, seeds: [seeds[0] * operands[0] * operands[0] * 3.0],
    )
    try:
        g = rlx.Graph("g")
        x = g.input("x", (3,))
        g.set_outputs({"y": cube(x)})
        a, t = draw(3), draw(3, seed=1)
        np.testing.assert_allclose(run(rlx.autodiff.jvp(g, x), {"x": a, "tangent_x": t})["tangent_y"], 3 * a * a * t, rtol=1e-6)
        np.testing.assert_allclose(run(rlx.autodiff.vjp(g, x), {"x": a, "d_y": t})["grad_x"], 3 * a * a * t, rtol=1e-6)
    finally:
        rlx.graphs.unregister_op("test_cube")


def test_a_rule_of_the_user_with_the_wrong_type_is_named():
    wrong = rlx.register_op(
        "test_wrong",
        "x",
        infer=lambda call: call.given[0],
        reference=lambda x: x,
        vjp=lambda call, operands, results, seeds: [seeds[0].sum()],
    )
    try:
        g = rlx.Graph("g")
        x = g.input("x", (2,))
        g.set_outputs({"loss": wrong(x).sum()})
        with pytest.raises(RlxError) as caught:
            rlx.autodiff.grad(g, x)
        assert caught.value.code == "RLX605"
    finally:
        rlx.graphs.unregister_op("test_wrong")


# -- a Llama ----------------------------------------------------------------------------------------------------
def torch_gradients(x: Any, arrays: dict[str, Any], layers: int) -> dict[str, Any]:
    given = {n: t.requires_grad_(True) for n, t in tensors({**arrays, "x": x}).items()}
    rows = []
    for b in range(x.shape[0]):
        h = given["x"][b]
        for layer in range(layers):
            w = {name: given[f"{name}{layer}"] for name in LLAMA}
            seen = torch.ones(x.shape[1], x.shape[1]).tril() > 0
            h = llama_row(h, w, given["cos"], given["sin"], torch.arange(x.shape[1]), HEADS, KV, SIZE, EPS, seen)
        rows.append(h)
    torch.sin(torch.stack(rows)).mean().backward()
    return {name: tensor.grad.numpy() for name, tensor in given.items()}


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_every_gradient_of_a_small_llama_is_torch_s(device):
    layers, sizes = 2, weights(6)
    arrays = {
        f"{n}{i}": np.roll(a, i, 0) * F32(1 + 0.1 * i) for i in range(layers) for n, a in sizes.items() if n not in ("cos", "sin")
    }
    arrays |= {"cos": sizes["cos"], "sin": sizes["sin"]}
    module = rlx.GraphModule.hir("llama")
    h = module.input("x", ("batch", "seq", EMBED))
    module.assume(h.shape[1] <= 12)
    cos, sin = module.param("cos", sizes["cos"].shape), module.param("sin", sizes["sin"].shape)
    for layer in range(layers):
        params = [module.param(f"{name}{layer}", SIZES[name]) for name in LLAMA]
        h = module.llama_decoder_block(h, *params, cos, sin, mask_kind="causal", **ATTRS)
    module.set_outputs({"loss": module.hir_mir("sin", [h]).mean()})
    x = draw(2, 7, EMBED)
    wanted = torch_gradients(x, arrays, layers)
    found = run(rlx.autodiff.grad(module, list(wanted)), {"x": x}, arrays, device)
    assert set(found) == {f"grad_{name}" for name in wanted}
    for name, other in wanted.items():
        scale = np.abs(other).max()
        np.testing.assert_allclose(found[f"grad_{name}"], other, rtol=0, atol=2e-5 * scale, err_msg=name)
