"""Each block under both policies against torch, its labels, its counts, and what lowering keeps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from rlx.blocks import BLOCKS, lower_to_mir
from rlx.core.dim import Dim
from rlx.core.enums import FusionPolicy
from rlx.core.errors import LowerError, RlxError
from rlx.core.shape import Shape
from rlx.ir.evaluate import evaluate_graph
from rlx.ir.op import OPS
from rlx.ir.verify import verify
from rlx.module import GraphModule
from tests.ops.running import draw

POLICIES = [FusionPolicy.Direct, FusionPolicy.Fusable]


def both_policies(arrays: dict[str, Any], build: Any) -> dict[str, list[str]]:
    """Build a module of `build(module, *inputs)`, evaluate it at HIR and lowered by both policies; the ops of each."""
    module = GraphModule.hir("block")
    made = build(module, *(module.input(name, a.shape, a.dtype) for name, a in arrays.items()))
    module.set_outputs(list(made) if isinstance(made, tuple) else [made])
    hir = module.as_hir()
    assert hir is not None
    verify(hir.graph)
    wanted = evaluate_graph(hir.graph, arrays)
    ops = {}
    for policy in POLICIES:
        graph, values = lower_to_mir(hir.graph, policy)
        verify(graph, "mir")
        assert set(values) == {ref for node in hir.graph.nodes for ref in node.outputs}
        found = evaluate_graph(graph, arrays)
        for name, array in wanted.items():
            np.testing.assert_allclose(found[name], array, rtol=1e-5, atol=1e-5)
        ops[policy.value] = [node.op.name for node in graph.nodes if not node.op.definition.leaf]
    ops["values"] = list(wanted.values())
    return ops


def torched(arrays: dict[str, Any]) -> list[Any]:
    return [torch.tensor(array) for array in arrays.values()]


def test_every_block_of_the_table_is_there() -> None:
    table = """linear linear_fused shared_linear_pair swiglu_ffn residual_rms_norm attention depthwise_conv1d_causal
        dequant_matmul gated_delta_net gated_delta_net_carry rope rms_norm llama_decoder_block qwen35_mtp_head"""
    assert {f"hir.{name}" for name in table.split()} == set(BLOCKS)
    for name in BLOCKS:
        assert OPS[name].level == "hir" and OPS[name].label is not None and OPS[name].doc.endswith(".")


@pytest.mark.parametrize("activation", [None, "gelu"])
@pytest.mark.parametrize("bias", [True, False])
def test_linear(activation: str | None, bias: bool) -> None:
    arrays = {"x": draw((2, 3, 4), seed=1), "w": draw((4, 5), seed=2)} | ({"b": draw((5,), seed=3)} if bias else {})
    ops = both_policies(arrays, lambda m, *xs: m.linear(*xs, activation=activation))
    plain = ["matmul", *(["add"] if bias else []), *(["gelu"] if activation else [])]
    assert ops["fusable"] == plain
    assert ops["direct"] == (["fused"] if bias else plain)
    x, w, *b = torched(arrays)
    wanted = x @ w + (b[0] if bias else 0)
    np.testing.assert_allclose(ops["values"][0], F.gelu(wanted) if activation else wanted, atol=1e-4)


def test_linear_fused_is_fused_under_both_policies() -> None:
    arrays = {"x": draw((3, 4)), "w": draw((4, 5)), "b": draw((5,))}
    ops = both_policies(arrays, lambda m, x, w, b: m.linear_fused(x, w, b, activation="relu"))
    assert ops["direct"] == ops["fusable"] == ["fused"]


def test_shared_linear_pair_is_emitted_once() -> None:
    arrays = {"x": draw((3, 4)), "u": draw((4, 5)), "v": draw((4, 6))}

    def build(m: Any, x: Any, u: Any, v: Any) -> Any:
        first, second = m.shared_linear_pair(x, u, v)
        again, _ = m.shared_linear_pair(x, u, v)
        other, _ = m.shared_linear_pair(x, v, u)
        return first, second, again, other

    ops = both_policies(arrays, build)
    assert ops["direct"] == ops["fusable"] == ["matmul"] * 4, "two for the pair built twice, two for the other order"
    x, u, v = arrays.values()
    np.testing.assert_allclose(ops["values"][0], x @ u, rtol=1e-5)
    np.testing.assert_allclose(ops["values"][3], x @ v, rtol=1e-5)


def test_swiglu_ffn() -> None:
    arrays = {"x": draw((2, 3, 4), seed=1), "up": draw((4, 6), seed=2), "gate": draw((4, 6), seed=3), "down": draw((6, 4), seed=4)}
    ops = both_policies(arrays, lambda m, *xs: m.swiglu_ffn(*xs))
    assert ops["direct"] == ["concat", "matmul", "fused", "matmul"]
    assert ops["fusable"] == ["matmul", "silu", "matmul", "mul", "matmul"]
    x, up, gate, down = torched(arrays)
    np.testing.assert_allclose(ops["values"][0], (F.silu(x @ gate) * (x @ up)) @ down, atol=1e-3, rtol=1e-4)


@pytest.mark.parametrize("beta", [True, False])
def test_norms(beta: bool) -> None:
    arrays = {"x": draw((2, 3, 8), seed=1), "r": draw((2, 3, 8), seed=2), "g": draw((8,), seed=3)}
    arrays |= {"b": draw((8,), seed=4)} if beta else {}
    ops = both_policies(arrays, lambda m, x, r, *gb: (m.residual_rms_norm(x, r, *gb, eps=1e-3), m.rms_norm(x, *gb, eps=1e-3)))
    assert ops["direct"] == ["fused", "rms_norm"] and ops["fusable"] == ["add", "rms_norm", "rms_norm"]
    x, r, g, *b = torched(arrays)
    for found, given in zip(ops["values"], (x + r, x), strict=True):
        wanted = F.rms_norm(given, (8,), g, 1e-3) + (b[0] if beta else 0)
        np.testing.assert_allclose(found, wanted, atol=1e-5)


def test_attention_and_rope_are_their_ops() -> None:
    arrays = {"q": draw((2, 3, 16)), "k": draw((2, 3, 8)), "cos": draw((3, 2)), "sin": draw((3, 2)), "p": np.zeros((2,), np.int32)}

    def build(m: Any, q: Any, k: Any, cos: Any, sin: Any, p: Any) -> Any:
        turned = m.rope(q, cos, sin, head_dim=4)
        attrs = {"num_heads": 4, "head_dim": 4, "num_kv_heads": 2, "mask_kind": "causal"}
        return m.attention(turned, k, k, positions=p, lengths=p + 3, attn_logit_softcap=2.0, **attrs)

    ops = both_policies(arrays, build)
    assert ops["direct"] == ops["fusable"] == ["rope", "add", "attention"]


@pytest.mark.parametrize("kernel", [1, 4])
def test_depthwise_conv1d_causal(kernel: int) -> None:
    arrays = {"x": draw((2, 5, 3), seed=1), "w": draw((3, 1, 1, kernel), seed=2), "left": draw((2, kernel - 1, 3), seed=3)}
    ops = both_policies(arrays, lambda m, *xs: m.depthwise_conv1d_causal(*xs, kernel_size=kernel))
    x, w, left = torched(arrays)
    assert ops["direct"] == ops["fusable"] == ["concat", "transpose", "reshape", "conv", "transpose"]
    padded = torch.cat((left, x), 1).transpose(1, 2)
    wanted = F.conv1d(padded, w.reshape(3, 1, kernel), groups=3).transpose(1, 2)
    np.testing.assert_allclose(ops["values"][0], wanted, atol=1e-5)


def test_depthwise_conv1d_with_symbolic_sizes() -> None:
    module = GraphModule.hir("conv")
    x, left = module.input("x", ("batch", "seq", 3)), module.input("left", ("batch", 2, 3))
    y = module.depthwise_conv1d_causal(x, module.input("w", (3, 1, 1, 3)), left, kernel_size=3, name="conv")
    module.set_outputs([y])
    assert y.type == Shape((Dim("batch"), Dim("seq"), 3))
    arrays = {"x": draw((2, 4, 3)), "left": draw((2, 2, 3)), "w": draw((3, 1, 1, 3))}
    found = evaluate_graph(module.into_graph(), arrays, {"batch": 2, "seq": 4})["conv"]
    padded = np.concatenate((arrays["left"], arrays["x"]), 1)
    wanted = sum(padded[:, j : j + 4] * arrays["w"][:, 0, 0, j] for j in range(3))
    np.testing.assert_allclose(found, wanted, atol=1e-5)


# -- packed weights ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("policy", POLICIES)
def test_packed_weights_are_left_to_matmul(policy: FusionPolicy) -> None:
    module = GraphModule.hir("packed").with_fusion_policy(policy)
    x = module.input("x", (2, 256))
    weights = [module.param(name, (256, 256), scheme="gguf_q4k") for name in ("up", "gate", "down", "w")]
    b = module.param("b", (256,))
    module.set_outputs(
        {
            "ffn": module.swiglu_ffn(x, *weights[:3]),
            "linear": module.linear(x, weights[3], b),
            "fused": module.linear_fused(x, weights[3], b),
            "dequant": module.dequant_matmul(x, weights[3], scheme="gguf_q4k"),
        }
    )
    graph = module.into_graph()
    verify(graph)
    readers = {node.op.name for node in graph.nodes for ref in node.refs if graph.node(ref).op.attrs.get("scheme")}
    assert readers == {"dequant_matmul", "matmul"}


@pytest.mark.parametrize(
    ("scheme", "shapes", "result"),
    [
        ("gguf_q4k", [((256, 512), "f32")], 512),
        ("gguf_q8_0", [((512, 272), "u8")], 512),
        ("int8/32", [((256, 512), "i8"), ((8, 512), "f32")], 512),
        ("int4/32", [((256 * 512 // 2,), "u8"), ((8, 512), "f32")], 512),
        ("fp8_e4m3", [((256, 512), "f8e4m3"), ((512,), "f32")], 512),
    ],
)
def test_dequant_matmul_shapes_and_label(scheme: str, shapes: Any, result: int) -> None:
    module = GraphModule.hir("dequant")
    operands = [module.input(f"w{i}", dims, dtype) for i, (dims, dtype) in enumerate(shapes)]
    y = module.dequant_matmul(module.input("x", ("rows", 256)), *operands, scheme=scheme)
    assert y.type == Shape((Dim("rows"), result))
    assert module.node(y).origin.label == f"dequant_matmul({scheme})"


def test_dequant_matmul_checks_sizes() -> None:
    module = GraphModule.hir("dequant")
    x = module.input("x", (2, 256))
    with pytest.raises(RlxError, match="last size of x and first of w: 256 and 128 differ"):
        module.dequant_matmul(x, module.input("w", (128, 4)), scheme="gguf_q4k")
    with pytest.raises(RlxError, match="elements and bytes of a row"):
        module.dequant_matmul(x, module.input("bytes", (4, 99), "u8"), scheme="gguf_q8_0")
    with pytest.raises(RlxError, match="int4/32 needs the operand scale"):
        module.dequant_matmul(x, module.input("flat", (99,), "u8"), scheme="int4/32")


def test_gated_delta_net_infers_and_says_what_is_missing() -> None:
    module = GraphModule.hir("delta")
    heads = [module.input(name, ("batch", "seq", 2, 4)) for name in "qkv"]
    gates = [module.input(name, ("batch", "seq", 2)) for name in ("g", "beta")]
    state = module.input("state", ("batch", 2, 4, 4))
    y = module.gated_delta_net(*heads, *gates, state_size=4)
    o, after = module.gated_delta_net_carry(*heads, *gates, state, state_size=4)
    assert y.type == o.type == heads[0].type and after.type == state.type
    module.set_outputs([y])
    if "gated_delta_net" not in OPS:
        with pytest.raises(RlxError, match="gated_delta_net is not available until"):
            module.lower()
    with pytest.raises(RlxError, match="last size of q and state_size: 4 and 8 differ"):
        module.gated_delta_net(*heads, *gates, state_size=8)
    with pytest.raises(LowerError) as raised:
        module.gated_delta_net(*heads, state_size=4)
    assert (raised.value.op, raised.value.expected, raised.value.got) == ("gated_delta_net", 5, 3)


# -- counts and messages ----------------------------------------------------------------------------------------
def test_wrong_counts_are_lower_errors() -> None:
    module = GraphModule.hir("counts")
    x, w = module.input("x", (2, 4)), module.param("w", (4, 4))
    rows: list[tuple[Any, str, int, int]] = [
        (lambda: module.linear_fused(x, w), "linear_fused", 3, 2),
        (lambda: module.linear(x), "linear", 2, 1),
        (lambda: module.swiglu_ffn(x, w, w), "swiglu_ffn", 4, 3),
        (lambda: module.shared_linear_pair(x, w), "shared_linear_pair", 3, 2),
        (lambda: module.residual_rms_norm(x, x), "residual_rms_norm", 3, 2),
        (lambda: module.emit_block("rms_norm", (x, w, w, w)), "rms_norm", 3, 4),
        (lambda: module.emit_block("rope", (x, None, w)), "rope", 3, 2),
        (lambda: module.llama_decoder_block(*[x] * 13, num_heads=2, head_dim=2), "llama_decoder_block", 14, 13),
        (lambda: module.llama_decoder_block(*[x] * 14, num_heads=2, head_dim=2, mask_kind="custom"), "llama_decoder_block", 15, 14),
        (lambda: module.llama_decoder_block(*[x] * 15, num_heads=2, head_dim=2), "llama_decoder_block", 14, 15),
    ]
    for build, op, expected, got in rows:
        with pytest.raises(LowerError) as raised:
            build()
        assert (raised.value.op, raised.value.expected, raised.value.got) == (op, expected, got)
        assert raised.value.code == "RLX401" and f"{op} takes {expected} inputs, got {got}" in str(raised.value)


def test_raw_records_check_counts_too() -> None:
    module = GraphModule.hir("counts")
    x = module.input("x", (2, 4))
    with pytest.raises(LowerError):
        OPS["hir.linear_fused"](x, x)
    with pytest.raises(LowerError):
        OPS["hir.llama_decoder_block"](*[x] * 12, num_heads=2, head_dim=2)


def test_errors_inside_a_block_name_it_and_the_user_line() -> None:
    module = GraphModule.hir("wrong")
    x, w = module.input("x", (2, 4)), module.param("w", (5, 4))
    with pytest.raises(RlxError) as raised:
        module.swiglu_ffn(x, w, w, w)
    text = str(raised.value)
    assert "in swiglu_ffn: matmul of f32[2, 4] and f32[5, 4]" in text and "test_blocks.py" in text and "fix:" in text


def test_out_shape_is_checked() -> None:
    module = GraphModule.hir("checked")
    x, w = module.input("x", ("rows", 4)), module.param("w", (4, 5))
    module.linear(x, w, out_shape=("rows", 5))
    module.linear(x, w, out_shape=Shape(("rows", 5), "f32"))
    with pytest.raises(RlxError, match=r"linear gives f32\[rows, 5\], out_shape is f32\[rows, 6\]"):
        module.linear(x, w, out_shape=("rows", 6))


# -- labels and origins -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("policy", POLICIES)
def test_labels_and_lines_follow_the_nodes(policy: FusionPolicy) -> None:
    module = GraphModule.hir("labels").with_fusion_policy(policy)
    x, w, b = module.input("x", (2, 4)), module.param("w", (4, 4)), module.param("b", (4,))
    line = module.linear(x, w, b, name="first")
    with module.scope("layers.3"):
        pair = module.shared_linear_pair(x, w, w)
        attn = module.named("attn", lambda m: m.linear(pair[0] + pair[1], w, b))
    module.set_outputs([line, attn])
    lowered = module.lower()
    labels = {node.origin.label for node in lowered.nodes() if not node.op.definition.leaf}
    assert labels == {"linear", "layers.3/shared_linear_pair[0]", "layers.3/shared_linear_pair[1]", "layers.3/attn"}
    for node in lowered.nodes():
        if node.origin.made_by == "lower":
            assert node.origin.location is not None and node.origin.location.file.endswith("test_blocks.py")
    assert lowered.node(lowered.resolve(line)).name == "first" and list(lowered.into_graph().outputs) == ["first", "output_1"]


def test_blocks_inside_bodies_are_lowered() -> None:
    module = GraphModule.hir("outer")
    x, w, b = module.input("x", (2, 4)), module.input("w", (4, 4)), module.input("b", (4,))
    (y,) = module.fused(x, kind="mine", body=lambda a: module.linear(a, w, b))
    module.set_outputs([y])
    verify(module.as_hir().graph)  # type: ignore[union-attr]
    graph = module.into_graph()
    verify(graph, "mir")
    arrays = {"x": draw((2, 4)), "w": draw((4, 4)), "b": draw((4,))}
    found = evaluate_graph(graph, arrays)["output_0"]
    np.testing.assert_allclose(found, arrays["x"] @ arrays["w"] + arrays["b"], rtol=1e-4, atol=1e-5)


def test_updates_states_and_assumptions_survive_lowering() -> None:
    module = GraphModule.hir("kept")
    seq = Dim("seq")
    module.assume(seq <= 8)
    x = module.input("x", (seq, 4))
    state = module.state("s", (4,))
    module.update("s", state + 1)
    module.set_outputs({"y": module.rms_norm(x, state)})
    graph = module.into_graph()
    assert list(graph.updates) == ["s"] and graph.assumptions == [seq <= 8] and list(graph.states) == ["s"]
    verify(graph, "mir")
