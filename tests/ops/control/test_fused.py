"""`fused` and the builders of its known kinds: values against torch, text, inlining, and the traps of fusion."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F

import rlx
from rlx.core.errors import RlxError
from rlx.ir.evaluate import evaluate_graph
from rlx.ir.parse import parse_graph
from rlx.ir.verify import verify
from rlx.module import Graph
from rlx.ops.control.fused import inline
from tests.ops.running import draw


def build(arrays: dict[str, Any], make: Any) -> tuple[Graph, Any]:
    """A graph of `make(graph, *inputs)` and its outputs; also checks verification, text, and the inlined body."""
    graph = Graph("fusing")
    made = make(graph, *(graph.input(name, array.shape, array.dtype) for name, array in arrays.items()))
    graph.set_outputs(list(made) if isinstance(made, tuple) else [made])
    verify(graph)
    assert parse_graph(str(graph)) == graph
    found = tuple(evaluate_graph(graph, arrays).values())
    node = next(node for node in graph.nodes if node.op.name == "fused")
    plain = Graph("plain")
    values = [plain.input(name, array.shape, array.dtype) for name, array in arrays.items()]
    plain.set_outputs(list(inline(*values, **node.op.attrs)))
    verify(plain)
    assert not any(node.op.name == "fused" for node in plain.nodes)
    for one, other in zip(found, evaluate_graph(plain, arrays).values(), strict=True):
        np.testing.assert_array_equal(one, other)
    return graph, found if len(found) > 1 else found[0]


def torched(arrays: dict[str, Any]) -> list[Any]:
    return [torch.tensor(array) for array in arrays.values()]


@pytest.mark.parametrize("activation", [None, "gelu", "relu"])
@pytest.mark.parametrize("bias", [(6,), (1,)], ids=["bias", "trap: bias of one element"])
@pytest.mark.parametrize("weight", [(5, 6), (3, 5, 6)], ids=["weight", "trap: batched weights"])
def test_matmul_bias_act(activation: str | None, bias: Any, weight: Any) -> None:
    arrays = {"x": draw((3, 4, 5), seed=1), "w": draw(weight, seed=2), "b": draw(bias, seed=3)}
    graph, found = build(arrays, lambda g, x, w, b: g.fused_matmul_bias_act(x, w, b, activation))
    x, w, b = torched(arrays)
    wanted = x @ w + b
    wanted = F.gelu(wanted) if activation == "gelu" else F.relu(wanted) if activation == "relu" else wanted
    np.testing.assert_allclose(found, wanted, atol=1e-4)
    assert [node.op["kind"] for node in graph.nodes if node.op.name == "fused"] == ["fused_matmul_bias_act"]


@pytest.mark.parametrize("gate_first", [False, True])
def test_swiglu(gate_first: bool) -> None:
    arrays = {"x": draw((3, 10), seed=1)}
    _, found = build(arrays, lambda g, x: g.fused_swiglu(x, gate_first, cast_to="bf16"))
    low, high = torched(arrays)[0].chunk(2, -1)
    wanted = high * F.silu(low) if gate_first else low * F.silu(high)
    assert found.dtype.name == "bfloat16"
    np.testing.assert_allclose(found.astype(np.float32), wanted, atol=0.05)
    with pytest.raises(RlxError, match="the last size does not halve"):
        Graph("g").fused_swiglu(np.zeros((2, 3), np.float32))


def casting(make: Any, device: str, arrays: dict[str, Any], config: rlx.compat.CastConfig) -> tuple[Any, Any, rlx.Executable]:
    """The results of a fused op that casts, those of the cast behind it, and the executable of the first."""
    fused, apart = Graph("fused"), Graph("apart")
    fused.set_outputs(list(make(fused, *(fused.input(name, x.shape) for name, x in arrays.items()), cast_to=config)))
    plain = make(apart, *(apart.input(name, x.shape) for name, x in arrays.items()))
    attrs = {"out_dtype": config.out_dtype, "sf_block": config.sf_block, "round_sf": config.round_sf}
    apart.set_outputs(list(apart.blocked_cast(plain, **attrs)))
    assert parse_graph(str(fused)) == fused
    exe = rlx.compile(fused, device)
    return exe(**arrays), rlx.compile(apart, device)(**arrays), exe


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_epilogues_cast_with_a_scale_for_each_block(device: str) -> None:
    """Two results: what the cast gives on the plain result, to the bit. Behind a product it is a command of its own."""
    config = rlx.compat.CastConfig("f8e4m3", (2, 32), round_sf=True)
    arrays = {"x": draw((5, 9), seed=1), "w": draw((9, 70), seed=2), "b": draw((70,), seed=3)}
    product = casting(Graph.fused_matmul_bias_act, device, arrays, config)
    gated = casting(Graph.fused_swiglu, device, {"x": draw((5, 140), seed=4)}, config)
    for found, wanted, _ in (product, gated):
        assert found[0].dtype == config.out_dtype.numpy and found[1].shape == (3, 3)
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(one.view(np.uint8), other.view(np.uint8))
    if device == "cpu":
        (missed,) = product[2].report.of("not fused")
        assert "blocked_cast" in missed.message and "a separate command" in missed.message


@pytest.mark.parametrize("residual", [(2, 3, 8), (8,), (3, 1)], ids=["same", "trap: a row", "trap: a column"])
def test_residual_norms(residual: Any) -> None:
    arrays = {"x": draw((2, 3, 8), seed=1), "r": draw(residual, seed=2), "g": draw((8,), seed=3), "b": draw((8,), seed=4)}
    _, found = build(arrays, lambda g, x, r, gamma, beta: g.fused_residual_rms_norm(x, r, gamma, beta, eps=1e-3))
    x, r, g, b = torched(arrays)
    np.testing.assert_allclose(found, F.rms_norm(x + r, (8,), g, 1e-3) + b, atol=1e-5)
    _, found = build(arrays, lambda g, x, r, gamma, beta: g.fused_residual_layer_norm(x, r, gamma, beta, eps=1e-3))
    np.testing.assert_allclose(found, F.layer_norm(x + r, (8,), g, b, 1e-3), atol=1e-5)


def test_elementwise_region() -> None:
    arrays = {"x": draw((3, 1, 5), seed=1), "y": draw((4, 1), seed=2)}
    _, found = build(arrays, lambda g, x, y: g.elementwise_region(x, y, body=lambda x, y: (x * y + 1.0, g.tanh(x))))
    np.testing.assert_allclose(found[0], arrays["x"] * arrays["y"] + 1, atol=1e-6)
    np.testing.assert_allclose(found[1], np.tanh(arrays["x"]), atol=1e-6)
    with pytest.raises(RlxError, match="matmul in an elementwise region"):
        g = Graph("g")
        g.elementwise_region(g.input("x", (3, 3)), body=lambda x: x @ x)


def torch_attention_block(hidden: Any, qkv_w: Any, out_w: Any, mask: Any, qkv_b: Any, out_b: Any, heads: int) -> Any:
    qkv = (hidden @ qkv_w + qkv_b).reshape(*hidden.shape[:2], 3, heads, -1).permute(2, 0, 3, 1, 4)
    mixed = F.scaled_dot_product_attention(*qkv, attn_mask=mask[:, None, None, :])
    return mixed.transpose(1, 2).reshape(hidden.shape) @ out_w + out_b


def test_attention_block_and_transformer_layer() -> None:
    e, f = 12, 20
    sizes: dict[str, tuple[int, ...]] = {
        "hidden": (2, 5, e),
        "qkv_w": (e, 3 * e),
        "qkv_b": (3 * e,),
        "out_w": (e, e),
        "out_b": (e,),
        "g1": (e,),
        "b1": (e,),
        "fc1_w": (e, f),
        "fc1_b": (f,),
        "fc2_w": (f, e),
        "fc2_b": (e,),
        "g2": (e,),
        "b2": (e,),
    }
    arrays = {name: draw(dims, seed=i, low=-0.5, high=0.5) for i, (name, dims) in enumerate(sizes.items())}
    arrays["mask"] = np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], bool)
    names = ["hidden", "qkv_w", "out_w", "mask", "qkv_b", "out_b"]
    part = {name: arrays[name] for name in names}
    _, found = build(part, lambda g, *xs: g.fused_attention_block(*xs, num_heads=3, head_dim=4))
    wanted = torch_attention_block(*torched(part), heads=3)
    np.testing.assert_allclose(found, wanted, atol=1e-5)

    _, found = build(arrays, lambda g, *xs: g.fused_transformer_layer(*xs, num_heads=3, head_dim=4, eps=1e-5))
    t = dict(zip(arrays, torched(arrays), strict=True))
    h = F.layer_norm(t["hidden"] + wanted, (e,), t["g1"], t["b1"], 1e-5)
    inner = F.gelu(h @ t["fc1_w"] + t["fc1_b"]) @ t["fc2_w"] + t["fc2_b"]
    np.testing.assert_allclose(found, F.layer_norm(h + inner, (e,), t["g2"], t["b2"], 1e-5), atol=1e-5)


def test_attention_block_turns_heads_by_tables() -> None:
    arrays = {
        "hidden": draw((1, 4, 8), seed=1),
        "qkv_w": draw((8, 24), seed=2),
        "out_w": draw((8, 8), seed=3),
        "cos": draw((4, 2), seed=4),
        "sin": draw((4, 2), seed=5),
    }

    def block(g: Graph, hidden: Any, qkv_w: Any, out_w: Any, cos: Any, sin: Any) -> Any:
        return g.fused_attention_block(hidden, qkv_w, out_w, None, None, None, cos, sin, num_heads=2, head_dim=4)

    def parts(g: Graph, hidden: Any, qkv_w: Any, out_w: Any, cos: Any, sin: Any) -> Any:
        q, k, v = g.split(hidden @ qkv_w, (8, 8, 8), -1)
        q, k = (g.rope(x, cos, sin, head_dim=4) for x in (q, k))
        return g.attention(q, k, v, num_heads=2, head_dim=4) @ out_w

    _, found = build(arrays, block)
    graph = Graph("parts")
    graph.set_outputs([parts(graph, *(graph.input(name, array.shape) for name, array in arrays.items()))])
    np.testing.assert_allclose(found, evaluate_graph(graph, arrays)["output_0"], atol=1e-6)


def test_symbolic_body_binds_with_the_graph() -> None:
    graph = Graph("symbolic")
    x, w, b = graph.input("x", ("batch", "seq", 4)), graph.param("w", (4, 3)), graph.param("b", (3,))
    graph.set_outputs([graph.fused_matmul_bias_act(x, w, b, "silu")])
    verify(graph)
    arrays = {"x": draw((2, 5, 4)), "w": draw((4, 3)), "b": draw((3,))}
    (found,) = evaluate_graph(graph, arrays, {"batch": 2, "seq": 5}).values()
    y = torch.tensor(arrays["x"]) @ torch.tensor(arrays["w"]) + torch.tensor(arrays["b"])
    np.testing.assert_allclose(found, F.silu(y), atol=1e-5)


def test_function_body_closes_over_outer_values() -> None:
    graph = Graph("closing")
    x, scale = graph.input("x", (3,)), graph.input("scale", (1,))
    (y,) = graph.fused(x, kind="mine", body=lambda a: graph.exp(a) * scale)
    assert list(graph.node(y.ref).op["body"].inputs) == ["x0", "captured_0"]
    graph.set_outputs([y])
    arrays = {"x": draw((3,)), "scale": draw((1,))}
    np.testing.assert_allclose(evaluate_graph(graph, arrays)["output_0"], np.exp(arrays["x"]) * arrays["scale"], rtol=1e-6)


def test_equal_bodies_are_equal_ops() -> None:
    def make() -> Any:
        graph = Graph("one")
        y = graph.fused_swiglu(graph.input("x", (2, 6)))
        return graph.node(y.ref).op

    assert make() == make() and hash(make()) == hash(make())


def test_wrong_operands_are_refused() -> None:
    graph = Graph("g")
    x = graph.input("x", (2, 6))
    body = graph.node(graph.fused_swiglu(x).ref).op["body"]
    with pytest.raises(RlxError, match="the body has 1 inputs, got 2 operands"):
        graph.fused(x, x, kind="k", body=body)
    with pytest.raises(RlxError, match=r"operand i32\[2, 6\] for the body's input x : f32\[2, 6\]"):
        graph.fused(x.astype("i32"), kind="k", body=body)
    with pytest.raises(RlxError, match="sizes of the body's input x and its operand: 2 and 3 differ"):
        graph.fused(graph.input("y", (3, 6)), kind="k", body=body)
