"""GraphModule in the original's words, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rlx
from rlx import Graph, GraphModule, RlxError, Shape
from rlx.compat import FusionPolicy, GraphStage, HirModule, LirModule, MirModule
from tests.compat.running import delta_net, draw, heads_attention, near, rms, run, silu, turned

X, W, B = draw(2, 4), draw(4, 3, seed=1), draw(3, seed=2)


def hir() -> GraphModule:
    module = GraphModule.hir("m")  # item: GraphModule.hir
    x = module.input("x", Shape((2, 4)))  # item: GraphModule.input
    w, b = module.param("w", Shape((4, 3))), module.param("b", Shape((3,)))  # item: GraphModule.param
    y = module.linear(x, w, b, activation="relu", out_shape=Shape((2, 3)))  # item: GraphModule.linear
    module.set_outputs([y])  # item: GraphModule.set_outputs
    return module


def lir() -> GraphModule:
    return GraphModule.from_lir(rlx.graphs.lower(hir(), "reference"))  # item: GraphModule.from_lir


def right(module: Any) -> bool:
    near(run(module, x=X, w=W, b=B), np.maximum(X @ W + B, 0))
    return True


def built(shapes: dict[str, tuple[int, ...]], build: Any) -> Any:
    module = GraphModule.hir("m")
    found = build(module, *(module.input(name, dims) for name, dims in shapes.items()))
    module.set_outputs(list(found) if isinstance(found, tuple) else [found])
    given = {name: draw(*dims, seed=seed) for seed, (name, dims) in enumerate(shapes.items())}
    return run(module, **given), *given.values()


def test_ways_to_make_one():
    defined = GraphModule.define("m", lambda hir: hir.relu(hir.input("x", (2, 4))))  # item: GraphModule.define
    near(run(defined, x=X), np.maximum(X, 0))
    handed: list[Any] = []
    GraphModule.define("m", lambda hir: handed.append(hir) or hir.input("x", (2, 4)))  # type: ignore[func-returns-value]
    assert isinstance(handed[0], HirModule)
    mir = GraphModule.mir("m")  # item: GraphModule.mir
    mir.set_outputs([mir.input("x", (2, 4)) * 2])
    near(run(mir, x=X), X * 2)
    module = hir()
    assert right(GraphModule.from_hir(module.into_hir()))  # item: GraphModule.from_hir
    assert right(GraphModule.from_mir(module.into_mir()))  # item: GraphModule.from_mir
    assert right(GraphModule.from_graph(module.into_graph()))  # item: GraphModule.from_graph
    assert right(lir()) and isinstance(lir(), GraphModule)  # item: GraphModule.GraphModule


def test_conversions():
    graph = hir().into_graph()  # item: GraphModule.into(Graph)
    assert right(graph) and isinstance(graph, Graph)
    made = [
        GraphModule(graph),  # item: GraphModule.from(Graph)
        GraphModule(MirModule(graph)),  # item: GraphModule.from(MirModule)
        GraphModule(hir().into_hir()),  # item: GraphModule.from(HirModule)
    ]
    assert all(right(module) for module in made)


def test_stages():
    module = hir()
    assert module.stage is GraphStage.Hir  # item: GraphStage.Hir, GraphModule.stage
    assert module.lower().stage is GraphStage.Mir and right(module.lower())  # item: GraphStage.Mir, GraphModule.lower
    assert lir().stage is GraphStage.Lir  # item: GraphStage.Lir
    assert lir().lower().stage is GraphStage.Lir, "past HIR lower() is the module itself"


def test_into_each_level():
    module, low = hir(), lir()
    assert right(module.into_hir()) and low.into_hir() is None  # item: GraphModule.into_hir
    assert right(module.into_mir()) and right(low.into_mir())  # item: GraphModule.into_mir
    assert right(low.into_lir()) and module.into_lir() is None  # item: GraphModule.into_lir
    assert right(module.into_graph()) and right(low.into_graph())  # item: GraphModule.into_graph


def test_looking_at_each_level():
    module, low = hir(), lir()
    assert right(module.as_hir()) and low.as_hir() is None  # item: GraphModule.as_hir
    module.as_hir_mut().fusion_policy = "fusable"  # item: GraphModule.as_hir_mut
    assert right(module) and module.fusion_policy is FusionPolicy.Fusable, "it is the module itself"
    assert right(low.as_mir()) and module.as_mir() is None  # item: GraphModule.as_mir
    assert right(low.as_graph()) and right(module.lower().as_graph())  # item: GraphModule.as_graph
    assert isinstance(low.as_lir(), LirModule) and right(low.as_lir())  # item: GraphModule.as_lir


def test_policies():
    module = hir()
    assert module.fusion_policy is FusionPolicy.Direct and lir().fusion_policy is None  # item: GraphModule.fusion_policy
    fusable = module.with_fusion_policy(FusionPolicy.Fusable)  # item: GraphModule.with_fusion_policy
    assert [node.op.name for node in module.lower().nodes()[3:]] == ["fused"]
    assert [node.op.name for node in fusable.lower().nodes()[3:]] == ["matmul", "add", "relu"]
    assert right(fusable)


def test_outputs_at_hir():
    module = GraphModule.hir("m")
    x = module.input("x", (2, 4))
    module.set_hir_outputs([x + 1])  # item: GraphModule.set_hir_outputs
    near(run(module, x=X), X + 1)
    near(run(module.finish_hir([x + 2]), x=X), X + 2)  # item: GraphModule.finish_hir
    for wrong in (lambda: module.lower().set_hir_outputs([x]), lambda: lir().input("z", (2,)), lambda: lir().set_outputs([])):
        with pytest.raises(RlxError, match="RLX402"):
            wrong()


def test_scopes():
    for start in (GraphModule.hir("m"), HirModule("m")):
        x, w = start.input("x", Shape((2, 4))), start.param("w", Shape((4, 3)))
        y = GraphModule.block(start, "layers.0", lambda hir, x=x, w=w: hir.linear(x, w))  # item: GraphModule.block
        start.set_outputs([y])
        near(run(start, x=X, w=W), X @ W)
        assert y.graph.node(y.ref).origin.label == "layers.0"
    module = GraphModule.hir("m")
    x, w = module.input("x", (2, 4)), module.param("w", (4, 3))
    y = module.named("head", lambda m: m.linear(x, w))  # item: GraphModule.named
    module.set_outputs([y])
    near(run(module, x=X, w=W), X @ W)
    assert [node.origin.label for node in module.lower().nodes()][-1] == "head"


def test_ops_at_hir():
    module = GraphModule.hir("m")
    x = module.input("x", (2, 4))
    module.set_outputs([module.hir_mir("exp", [x], Shape((2, 4)))])  # item: GraphModule.hir_mir
    near(run(module, x=X), np.exp(X))
    with pytest.raises(RlxError, match="RLX102"):
        module.hir_mir("exp", [x], Shape((2, 5)))


def test_products():
    shapes = {"x": (2, 4), "w": (4, 3), "b": (3,)}
    y, x, w, b = built(shapes, lambda m, x, w, b: m.linear_fused(x, w, b, activation="silu"))  # item: GraphModule.linear_fused
    near(y, silu(x @ w + b))
    shapes, s = {"x": (2, 4), "a": (4, 3), "b": (4, 3)}, Shape((2, 3))
    (first, second), x, a, b = built(
        shapes, lambda m, *given: m.shared_linear_pair(*given, s)
    )  # item: GraphModule.shared_linear_pair
    near(first, x @ a)
    near(second, x @ b)
    shapes = {"x": (2, 4), "up": (4, 6), "gate": (4, 6), "down": (6, 4)}
    y, x, up, gate, down = built(shapes, lambda m, *given: m.swiglu_ffn(*given))  # item: GraphModule.swiglu_ffn
    near(y, (silu(x @ gate) * (x @ up)) @ down)
    module = GraphModule.hir("m")
    x, w, s = module.input("x", (2, 32)), module.input("w", (32, 3), "i8"), module.input("s", (1, 3))
    module.set_outputs([module.dequant_matmul(x, w, s, scheme="int8/32")])  # item: GraphModule.dequant_matmul
    numbers = np.random.default_rng(0).integers(-100, 100, (32, 3)).astype("i1")
    near(run(module, x=draw(2, 32), w=numbers, s=draw(1, 3)), draw(2, 32) @ (numbers * draw(1, 3)))


def test_norms_attention_and_recurrences():
    shapes = {"x": (2, 8), "r": (2, 8), "g": (8,)}
    y, x, _, g = built(shapes, lambda m, x, r, g: m.rms_norm(x, g, eps=1e-5))  # item: GraphModule.rms_norm
    near(y, rms(x, g, 1e-5))
    y, x, r, g = built(shapes, lambda m, *given: m.residual_rms_norm(*given, eps=1e-5))  # item: GraphModule.residual_rms_norm
    near(y, rms(x + r, g, 1e-5))
    heads: Any = {"num_heads": 2, "head_dim": 4, "mask_kind": "causal"}
    y, *qkv = built(dict.fromkeys("qkv", (1, 5, 8)), lambda m, *qkv: m.attention(*qkv, **heads))  # item: GraphModule.attention
    near(y, heads_attention(*qkv, 2, True))
    shapes = {"x": (1, 5, 8), "c": (5, 2), "s": (5, 2)}
    y, x, c, s = built(shapes, lambda m, *given: m.rope(*given, head_dim=4))  # item: GraphModule.rope
    near(y, turned(x, c, s, 2))
    shapes = {"x": (1, 5, 3), "w": (3, 1, 1, 2), "p": (1, 1, 3)}
    y, x, w, p = built(
        shapes, lambda m, *g: m.depthwise_conv1d_causal(*g, kernel_size=2)
    )  # item: GraphModule.depthwise_conv1d_causal
    rows = np.concatenate([p, x], axis=1)
    near(y, rows[:, :-1] * w[:, 0, 0, 0] + rows[:, 1:] * w[:, 0, 0, 1])
    net, s = {**dict.fromkeys("qkv", (1, 4, 2, 3)), "g": (1, 4, 2), "b": (1, 4, 2)}, Shape((1, 4, 2, 3))
    y, *given = built(net, lambda m, *g: m.gated_delta_net(*g, state_size=3, out_shape=s))  # item: GraphModule.gated_delta_net
    near(y, delta_net(*given, np.zeros((1, 2, 3, 3)))[0])
    net["s"] = (1, 2, 3, 3)
    both, *given = built(net, lambda m, *g: m.gated_delta_net_carry(*g, state_size=3))  # item: GraphModule.gated_delta_net_carry
    for mine, wanted in zip(both, delta_net(*given), strict=True):
        near(mine, wanted)
    with pytest.raises(RlxError, match="RLX102"):
        built(net, lambda m, *g: m.gated_delta_net_carry(*g, state_size=3, out_shape=Shape((1, 4, 2, 4))))


def test_reading_through_to_the_graph():
    for module in (hir(), hir().lower(), lir()):
        assert right(module) and list(module.outputs) == list(module.into_graph().outputs)  # item: GraphModule.deref
        assert list(module.inputs) == ["x"] and list(module.params) == ["w", "b"] and module.symbols == {}
        assert len(module.fingerprint()) == 64 and module.bind({}).output_refs == module.into_graph().output_refs
        assert module.name == "m"  # item: GraphModule.name
    module = hir().lower()
    module.update("b", module.exp(module.constant(B)))  # item: GraphModule.deref_mut
    found = rlx.ir.evaluate.evaluate_graph(module.into_graph(), {"x": X, "w": W, "b": B})
    near(found["update:b"], np.exp(B))


def test_texts():
    module = hir()
    text = str(module)  # item: GraphModule.to_string
    assert right(rlx.graphs.parse(text))
    assert repr(module) == "<GraphModule HIR @m: 4 nodes>"  # item: GraphModule.debug
    assert module.inspect().histogram["hir.linear"] == 1 and lir().inspect().plan is not None  # item: GraphModule.inspect
