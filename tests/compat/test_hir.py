"""HirModule, its nodes and ops in the original's words, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rlx
from rlx import Graph, RlxError, Shape
from rlx.compat import (
    Activation,
    FusionPolicy,
    HirModule,
    HirNode,
    HirNodeId,
    HirOp,
    LowerError,
    MaskKind,
    lower_llama_decoder_block,
    lower_qwen35_mtp_head,
)
from rlx.ir.op import OPS
from tests.compat import weights
from tests.compat.running import delta_net, draw, heads_attention, llama, near, rms, run, silu, turned
from tests.compat.weights import FF, HEADS, LLAMA, MTP, SIZE, E, S, V

X, W, B = draw(2, 4), draw(4, 3, seed=1), draw(3, seed=2)


def leaves(hir: Any, shapes: dict[str, tuple[int, ...]]) -> list[Any]:
    return [
        hir.input(name, Shape(dims, "i32" if name in ("input_ids", "last_token_idx") else "f32")) for name, dims in shapes.items()
    ]


def built(shapes: dict[str, tuple[int, ...]], build: Any) -> Any:
    """What a block gives on drawn arrays, and these."""
    hir = HirModule("m")
    found = build(hir, *leaves(hir, shapes))
    hir.set_outputs(found if isinstance(found, tuple) else [found])
    given = {name: draw(*dims, seed=seed) for seed, (name, dims) in enumerate(shapes.items())}
    return hir, run(hir, **given), *given.values()


def test_a_module_is_built_and_run():
    hir = HirModule.new("mlp")  # item: HirModule.new
    assert hir.is_empty() and hir.len() == 0  # item: HirModule.is_empty, HirModule.len
    x = hir.input("x", Shape((2, 4)))  # item: HirModule.input
    w = hir.param("w", Shape((4, 3)))  # item: HirModule.param
    b = hir.param("b", Shape((3,)))
    y = hir.linear(x, w, b, Activation.Relu, Shape((2, 3)))  # item: HirModule.linear
    hir.set_outputs([y])  # item: HirModule.set_outputs
    near(run(hir, x=X, w=W, b=B), np.maximum(X @ W + B, 0))
    assert [hir.node(id).id.index for id in hir.outputs] == [3]  # item: HirModule.outputs, HirNodeId.index
    assert str(hir).startswith("hir @mlp {") and hir.name == "mlp"  # item: HirModule.name
    text = str(hir)  # item: HirModule.to_string
    assert rlx.graphs.parse(text) == hir.graph and "// linear" in text
    assert [str(node.id) for node in hir.nodes()] == ["h0", "h1", "h2", "h3"]  # item: HirNodeId.to_string, HirModule.nodes
    assert isinstance(y, HirNodeId) and run(GraphOf(hir, y + 1), x=X, w=W, b=B).min() >= 1  # item: HirNodeId
    with pytest.raises(RlxError, match="RLX102"):
        hir.linear(x, w, b, None, Shape((2, 4)))


def GraphOf(hir: HirModule, value: Any) -> Graph:
    """The module with one output."""
    hir.graph.set_outputs([value])
    return hir.graph


def test_batch_and_sequence():
    hir = HirModule("m")
    x = hir.input_batch_seq("x", "batch", "seq", 4, "f32")  # item: HirModule.input_batch_seq
    hir.set_outputs([hir.linear(x, hir.param("w", Shape((4, 3))))])
    found = hir.lower_to_mir().graph.bind({"batch": 2, "seq": 5})
    near(run(found, x=draw(2, 5, 4), w=W), draw(2, 5, 4) @ W)


def test_products():
    shapes = {"x": (2, 4), "w": (4, 3), "b": (3,)}
    _, y, x, w, b = built(shapes, lambda hir, x, w, b: hir.linear_fused(x, w, b, "silu"))  # item: HirModule.linear_fused
    near(y, silu(x @ w + b))
    shapes = {"x": (2, 4), "a": (4, 3), "b": (4, 3)}
    hir, (first, second), x, a, b = built(
        shapes, lambda hir, x, a, b: hir.shared_linear_pair(x, a, b)
    )  # item: HirModule.shared_linear_pair
    near(first, x @ a)
    near(second, x @ b)
    assert [node.name for node in hir.nodes()][3:] == ["shared_linear_pair[0]", "shared_linear_pair[1]"]
    assert [node.op for node in hir.nodes()][3:] == [
        HirOp.SharedLinearPair(0),
        HirOp.SharedLinearPair(1),
    ]  # item: HirOp.SharedLinearPair
    shapes = {"x": (2, 4), "up": (4, 6), "gate": (4, 6), "down": (6, 4)}
    _, y, x, up, gate, down = built(shapes, lambda hir, *given: hir.swiglu_ffn(*given, Shape((2, 4))))  # item: HirModule.swiglu_ffn
    near(y, (silu(x @ gate) * (x @ up)) @ down)


def test_a_dequantizing_product():
    hir = HirModule("m")
    x, w, s = hir.input("x", Shape((2, 32))), hir.input("w", Shape((32, 3), "i8")), hir.input("s", Shape((1, 3)))
    y = hir.dequant_matmul(x, w, s, None, "int8/32", Shape((2, 3)))  # item: HirModule.dequant_matmul
    hir.set_outputs([y])
    numbers = np.random.default_rng(0).integers(-100, 100, (32, 3)).astype("i1")
    near(run(hir, x=draw(2, 32), w=numbers, s=draw(1, 3)), draw(2, 32) @ (numbers * draw(1, 3)))
    assert hir.node(y).op == HirOp.DequantMatMul(rlx.QuantScheme.parse("int8/32"))  # item: HirOp.DequantMatMul
    assert hir.node(y).name == "dequant_matmul(int8/32)"


def test_norms_and_attention():
    shapes = {"x": (2, 8), "r": (2, 8), "g": (8,), "b": (8,)}
    _, y, x, _, g, b = built(shapes, lambda hir, x, r, g, b: hir.rms_norm(x, g, b, 1e-5))  # item: HirModule.rms_norm
    near(y, rms(x, g, 1e-5) + b)
    _, y, x, r, g, _ = built(
        shapes, lambda hir, x, r, g, b: hir.residual_rms_norm(x, r, g, None, 1e-5)
    )  # item: HirModule.residual_rms_norm
    near(y, rms(x + r, g, 1e-5))
    shapes = dict.fromkeys("qkv", (1, 5, 8))
    _, y, *qkv = built(
        shapes, lambda hir, q, k, v: hir.attention(q, k, v, None, 2, 4, MaskKind.Causal)
    )  # item: HirModule.attention
    near(y, heads_attention(*qkv, 2, True))
    shapes = {"x": (1, 5, 8), "c": (5, 2), "s": (5, 2)}
    _, y, x, c, s = built(shapes, lambda hir, x, c, s: hir.rope(x, c, s, 4, 4, Shape((1, 5, 8))))  # item: HirModule.rope
    near(y, turned(x, c, s, 2))


def test_recurrences():
    shapes = {"x": (1, 5, 3), "w": (3, 1, 1, 2), "p": (1, 1, 3)}
    _, y, x, w, p = built(
        shapes, lambda hir, x, w, p: hir.depthwise_conv1d_causal(x, w, p, 2)
    )  # item: HirModule.depthwise_conv1d_causal
    rows = np.concatenate([p, x], axis=1)
    near(y, rows[:, :-1] * w[:, 0, 0, 0] + rows[:, 1:] * w[:, 0, 0, 1])
    net = {**dict.fromkeys("qkv", (1, 4, 2, 3)), "g": (1, 4, 2), "b": (1, 4, 2), "s": (1, 2, 3, 3)}
    _, y, *given = built(
        net, lambda hir, q, k, v, g, b, s: hir.gated_delta_net(q, k, v, g, b, 3)
    )  # item: HirModule.gated_delta_net
    near(y, delta_net(*given[:5], np.zeros((1, 2, 3, 3)))[0])
    _, both, *given = built(
        net, lambda hir, *inputs: hir.gated_delta_net_carry(*inputs, 3)
    )  # item: HirModule.gated_delta_net_carry
    for mine, wanted in zip(both, delta_net(*given), strict=True):
        near(mine, wanted)


def test_whole_layers():
    given = weights.arrays(LLAMA)
    wanted = llama(given["x"], given, HEADS, 1e-5)
    rest = (None, HEADS, SIZE, HEADS, 1e-5, MaskKind.Causal, Shape((1, S, E)))
    hir = HirModule("m")
    inputs = leaves(hir, LLAMA)
    first = hir.llama_decoder_block(*inputs, *rest)  # item: HirModule.llama_decoder_block
    second = hir.transformer_block(*inputs, *rest)  # item: HirModule.transformer_block
    hir.graph.set_outputs({"a": first, "b": second})
    for found in run(hir, **given):
        near(found, wanted)
    assert [hir.node(id).name for id in (first, second)] == ["llama_decoder_block", "transformer_block"]
    g = Graph("own")
    values = [g.input(name, dims) for name, dims in LLAMA.items()]
    y = lower_llama_decoder_block(
        g, values, HEADS, SIZE, HEADS, 1e-5, "causal", Shape((1, S, E))
    )  # item: lower_llama_decoder_block
    g.set_outputs([y])
    near(run(g, **given), wanted)
    with pytest.raises(RlxError, match="lacks num_heads"):
        hir.llama_decoder_block(*inputs)


def mtp(w: dict[str, Any]) -> Any:
    """The head in NumPy."""
    eps = 1e-6
    e = rms(w["embed_w"][w["input_ids"]], w["enorm_w"], eps)
    cur = np.concatenate([e, rms(w["h_pre_norm"], w["hnorm_w"], eps)], -1) @ w["eh_w"]
    n = rms(cur, w["fa_attn_norm_w"], eps)
    both = (n @ w["fa_q_gate_w"]).reshape(1, S, HEADS, 2 * SIZE)
    q = rms(both[..., :SIZE], w["fa_q_norm_w"], eps).reshape(1, S, E)
    k = rms((n @ w["fa_k_w"]).reshape(1, S, HEADS, SIZE), w["fa_k_norm_w"], eps).reshape(1, S, E)
    q, k = (turned(part, w["cos"], w["sin"], HEADS) for part in (q, k))
    mixed = heads_attention(q, k, n @ w["fa_v_w"], HEADS, True) / (1 + np.exp(-both[..., SIZE:].reshape(1, S, E)))
    cur = cur + mixed @ w["fa_o_w"]
    n = rms(cur, w["fa_post_norm_w"], eps)
    cur = cur + (silu(n @ w["fa_gate_w"]) * (n @ w["fa_up_w"])) @ w["fa_down_w"]
    return rms(cur[:, w["last_token_idx"]], w["head_norm_w"], eps) @ w["lm_head_w"]


def test_the_prediction_head():
    given = weights.arrays(MTP)
    rest = (HEADS, HEADS, SIZE, SIZE, E, FF, V, 1e-6)
    hir = HirModule("m")
    y = hir.qwen35_mtp_head(*leaves(hir, MTP), *rest)  # item: HirModule.qwen35_mtp_head
    hir.set_outputs([y])
    near(run(hir, **given), mtp(given))
    assert isinstance(hir.node(y).op, HirOp.Qwen35MtpHead) and hir.node(y).op.n_ff == FF  # item: HirOp.Qwen35MtpHead
    g = Graph("own")
    z = lower_qwen35_mtp_head(g, leaves(g, MTP), *rest, Shape((1, 1, V)))  # item: lower_qwen35_mtp_head
    g.set_outputs([z])
    near(run(g, **given), mtp(given))


def test_any_op_and_scopes():
    hir = HirModule("m")
    x, w = hir.input("x", Shape((2, 4))), hir.param("w", Shape((4, 3)))
    y = hir.mir(OPS["exp"].op(), [x], Shape((2, 4)))  # item: HirModule.mir
    z = hir.named("layers.3", lambda hir: hir.named("attn", lambda hir: hir.linear(y, w)))  # item: HirModule.named
    hir.set_outputs([z])
    near(run(hir, x=X, w=W), np.exp(X) @ W)
    assert hir.node(z).name == "layers.3/attn" and hir.node(y).name == "mir"
    with pytest.raises(RlxError, match="RLX102"):
        hir.mir("exp", [x], Shape((2, 5)))


def test_policies_and_lowering():
    hir = HirModule("m")
    x, w, b = hir.input("x", Shape((2, 4))), hir.param("w", Shape((4, 3))), hir.param("b", Shape((3,)))
    hir.set_outputs([hir.linear(x, w, b)])

    def ops(module: Any) -> list[str]:
        near(run(module, x=X, w=W, b=B), X @ W + B)
        return [node.op.name for node in module.graph.nodes[3:]]

    assert ops(hir.lower_to_mir()) == ["fused"]  # item: HirModule.lower_to_mir
    assert ops(hir.lower_for_autodiff()) == ["matmul", "add"]  # item: HirModule.lower_for_autodiff
    fusable = hir.with_fusion_policy(FusionPolicy.Fusable)  # item: HirModule.with_fusion_policy
    assert ops(fusable.lower_to_mir()) == ["matmul", "add"]
    hir.fusion_policy = FusionPolicy.Fusable  # item: HirModule.fusion_policy
    assert ops(hir.lower_to_mir()) == ["matmul", "add"]
    g = Graph("plain")
    g.set_outputs([g.exp(g.input("x", (2, 4)))])
    again = HirModule.wrap_mir_graph(g)  # item: HirModule.wrap_mir_graph
    again.set_outputs([again.linear(again.outputs[0], again.param("w", Shape((4, 3))))])
    near(run(again, x=X, w=W), np.exp(X) @ W)


def test_nodes_and_what_can_be_changed():
    hir = HirModule("m")
    x, w = hir.input("x", Shape((2, 4))), hir.param("w", Shape((4, 3)))
    y = hir.linear(x, w)
    hir.set_outputs([y])
    node = hir.node(y)  # item: HirModule.node
    assert isinstance(node, HirNode) and node.shape.dims == run(hir, x=X, w=W).shape  # item: HirNode, HirNode.shape
    assert run(GraphOf(hir, node.id), x=X, w=W).shape == (2, 3)  # item: HirNode.id
    assert [id.index for id in node.inputs] == [0, 1]  # item: HirNode.inputs
    assert node.name == "linear" and hir.node(0).name == "x"  # item: HirNode.name
    assert node.op == HirOp.Linear(activation=None, has_bias=False)  # item: HirNode.op
    hir.node_mut(0).shape = Shape((5, 4))  # item: HirModule.node_mut
    hir.node_mut(y).name = "head"
    hir.set_outputs([y])
    assert list(hir.graph.outputs) == ["head"] and hir.node(y).shape == Shape((5, 3))
    near(run(hir, x=draw(5, 4), w=W), draw(5, 4) @ W)
    hir.node_mut(0).name = "data"
    near(run(hir, data=draw(5, 4), w=W), draw(5, 4) @ W)
    for field, value in (("op", node.op), ("inputs", ()), ("name", "data"), ("shape", Shape((1, 1)))):
        with pytest.raises(RlxError):
            setattr(hir.node_mut(1 if field == "name" else 2), field, value)
    with pytest.raises(RlxError):
        hir.node_mut(0).shape = Shape((5, 7))
    assert hir.node(0).shape == Shape((5, 4)), "what is refused changes nothing"


def test_ops_match():
    """A `match` on HirOp tells every kind, and what it reads out builds the same value again."""
    hir = HirModule("m")
    x, w, b = hir.input("x", Shape((1, 5, 8))), hir.param("w", Shape((8, 8))), hir.param("b", Shape((8,)))
    t, k = hir.param("t", Shape((5, 2))), hir.param("k", Shape((8, 1, 1, 2)))
    q = hir.param("q", Shape((1, 5, 2, 4)))
    g = hir.param("g", Shape((1, 5, 2)))
    one = HirNodeId(hir.graph, hir.graph.constant(1.0).ref)
    built = {
        "linear": hir.linear(x, w, b, "gelu"),
        "linear_fused": hir.linear_fused(x, w, b, "relu"),
        "swiglu_ffn": hir.swiglu_ffn(x, w, w, w),
        "residual_rms_norm": hir.residual_rms_norm(x, x, b, None, 1e-3),
        "attention": hir.attention(x, x, x, None, 2, 4, "causal"),
        "depthwise_conv1d_causal": hir.depthwise_conv1d_causal(x, k, hir.param("p", Shape((1, 1, 8))), 2),
        "gated_delta_net": hir.gated_delta_net(q, q, q, g, g, 4),
        "rope": hir.rope(x, t, t, 4),
        "rms_norm": hir.rms_norm(x, b, None, 1e-4),
        "llama_decoder_block": hir.llama_decoder_block(x, b, b, w, w, w, w, b, b, w, w, w, t, t, None, 2, 4, 2, 1e-5, "causal"),
        "mir": hir.mir("exp", [x]),
    }
    carry = hir.gated_delta_net_carry(q, q, q, g, g, hir.param("s", Shape((1, 2, 4, 4))), 4)[0]

    def told(id: HirNodeId) -> Any:
        match hir.node(id).op:
            case HirOp.Input(name):  # item: HirOp.Input
                return name
            case HirOp.Param(name):  # item: HirOp.Param
                return name
            case HirOp.Constant(value):  # item: HirOp.Constant
                return value.array.item()
            case HirOp.Linear(activation, has_bias):  # item: HirOp.Linear
                return activation, has_bias
            case HirOp.LinearFused(activation):  # item: HirOp.LinearFused
                return activation
            case HirOp.SwiGLU():  # item: HirOp.SwiGLU
                return "swiglu"
            case HirOp.ResidualRmsNorm(eps):  # item: HirOp.ResidualRmsNorm
                return eps
            case HirOp.Attention(num_heads, head_dim, mask):  # item: HirOp.Attention
                return num_heads, head_dim, str(mask)
            case HirOp.DepthwiseConv1dCausal(kernel_size):  # item: HirOp.DepthwiseConv1dCausal
                return kernel_size
            case HirOp.GatedDeltaNet(state_size, carry_state):  # item: HirOp.GatedDeltaNet
                return state_size, carry_state
            case HirOp.RoPE(head_dim, n_rot):  # item: HirOp.RoPE
                return head_dim, n_rot
            case HirOp.RmsNorm(eps):  # item: HirOp.RmsNorm
                return eps
            case HirOp.LlamaDecoderBlock(num_heads=heads, eps=eps, mask=mask):  # item: HirOp.LlamaDecoderBlock
                return heads, eps, str(mask)
            case HirOp.Mir(op):  # item: HirOp.Mir
                return op.name
        return None

    assert [told(id) for id in (x, w, one)] == ["x", "w", 1.0]
    assert [told(id) for id in built.values()] == [
        *(("gelu", True), "relu", "swiglu", 1e-3, (2, 4, "causal"), 2, (4, False), (4, 4), 1e-4, (2, 1e-5, "causal"), "exp")
    ]
    assert told(carry) == (4, True) and hir.node(carry).name == "gated_delta_net_carry"
    assert [hir.node(id).name for id in built.values()] == list(built)  # item: HirModule.labels
    assert all(isinstance(node.op, HirOp) for node in hir.nodes())  # item: HirOp


def test_a_wrong_number_of_inputs_is_a_lower_error():
    hir = HirModule("m")
    x = hir.input("x", Shape((2, 4)))
    with pytest.raises(LowerError, match="linear_fused"):  # item: LowerError
        hir.linear_fused(x, None, None)  # type: ignore[arg-type]


def test_the_module_is_a_builder_and_one_graph_with_its_graph_module():
    hir = HirModule("m")  # item: HirModule
    module = rlx.GraphModule(hir)
    y = hir.linear(hir.input("x", Shape((2, 4))), hir.param("w", Shape((4, 3))))
    module.set_outputs({"y": module.exp(y)})
    near(run(hir, x=X, w=W), np.exp(X @ W))
