"""GraphModule: its whole surface at each stage, scopes, inspection, compatibility names, and the calls it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rlx.compat import HirModule
from rlx.core.dim import Dim
from rlx.core.enums import FusionPolicy
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.evaluate import evaluate_graph
from rlx.ir.graph import Graph as BaseGraph
from rlx.ir.op import OPS
from rlx.ir.parse_lir import Buffer, Command, Lir
from rlx.ir.verify import verify
from rlx.module import Graph, GraphModule, GraphStage, LirModule, MirModule
from rlx.module.modules import as_mir_graph
from rlx.module.parse_and_load import load, parse
from tests.ops.running import draw


def tiny() -> GraphModule:
    return Graph.define("tiny", lambda m: m.linear(m.input("x", (2, 4)), m.param("w", (4, 3)), m.param("b", (3,)), name="y"))


def lir_module() -> LirModule:
    """A plan made by hand: one kernel that fills one output, one arena slot shared by two buffers."""
    graph = tiny().into_graph()
    buffers = (Buffer("arena", "a", 64, 0, 0, 1), Buffer("arena", "b", 128, 0, 1, 2), Buffer("output", "y", 24))
    node = next(node.id for node in graph.nodes if node.op.name == "fused")
    command = Command("contraction", node, (None,), 1, 1, 0, False)
    return LirModule(Lir(graph, "cpu", buffers, (128,), (command,), ((node, 0),), 2))


# -- stages -----------------------------------------------------------------------------------------------------
def test_hir_surface() -> None:
    module = tiny()
    assert module.stage is GraphStage.HIR and module.name == "tiny" and len(module) == 4
    assert module.fusion_policy is FusionPolicy.Direct
    assert isinstance(module.as_hir(), HirModule) and module.as_hir_mut() is module.as_hir() is module.into_hir()
    assert module.as_mir() is None and module.as_lir() is None and module.as_graph() is None and module.into_lir() is None
    assert [node.op.name for node in module.nodes()] == ["input", "param", "param", "hir.linear"]
    assert module.node(3).op.name == "hir.linear" and module.node(module.nodes()[3].ref).id == 3
    assert str(module).startswith("hir @tiny {") and repr(module) == "<GraphModule HIR @tiny: 4 nodes>"


def test_a_name_that_is_a_block_and_an_op_is_the_op_past_hir():
    """`dequant_matmul` was RLX402 on a MIR module, though it is an op too."""
    module = GraphModule.mir("m")
    x, w, s = module.input("x", (2, 32)), module.input("w", (32, 3), "i8"), module.input("s", (1, 3))
    module.set_outputs([module.dequant_matmul(x, w, s, scheme="int8/32")])
    assert module.nodes()[-1].op.name == "dequant_matmul"
    with pytest.raises(RlxError, match="RLX402"):
        module.linear(x, w)


def test_mir_surface() -> None:
    module = tiny().lower()
    assert module.stage is GraphStage.MIR and module.fusion_policy is None
    assert isinstance(module.as_mir(), MirModule) and module.as_graph() is module.into_graph()
    assert module.as_hir() is None and module.into_hir() is None and module.as_lir() is None
    assert module.lower() is module and module.lower_for_autodiff() is module and str(module).startswith("mir @tiny {")


def test_lir_surface() -> None:
    lir = lir_module()
    module = GraphModule.from_lir(lir)
    assert module.stage is GraphStage.LIR and module.as_lir() is lir is module.into_lir()
    assert (
        module.as_hir() is None and module.as_mir() is not None and module.as_graph() == lir.graph and module.fusion_policy is None
    )
    assert module.lower() is module and module.into_mir().graph == lir.graph and module.into_graph() == lir.graph
    assert str(module) == str(lir.lir) and len(module) == len(lir.graph) and module.name == lir.name == "tiny"
    assert GraphModule.from_lir(lir.lir).stage is GraphStage.LIR


def test_constructors() -> None:
    assert GraphModule.hir("a").stage is Graph.hir("a").stage is GraphStage.HIR
    assert GraphModule.mir("a").stage is GraphStage.MIR
    hir, mir = tiny().into_hir(), tiny().into_mir()
    assert hir is not None
    assert GraphModule.from_hir(hir).stage is GraphStage.HIR and GraphModule.from_mir(mir).stage is GraphStage.MIR
    assert GraphModule.from_graph(hir.graph).stage is GraphStage.HIR
    assert GraphModule.from_graph(mir.graph).stage is GraphStage.MIR
    assert GraphModule.define("b", lambda m: m.set_outputs([m.input("x", (2,)) + 1])).name == "b"


def test_policies() -> None:
    module = tiny()
    fusable = module.with_fusion_policy("Fusable")
    assert fusable.fusion_policy is FusionPolicy.Fusable is FusionPolicy.for_autodiff()
    assert module.fusion_policy is FusionPolicy.Direct, "the first module keeps its own"

    def ops(lowered: GraphModule) -> list[str]:
        return [node.op.name for node in lowered.nodes() if not node.op.definition.leaf]

    assert ops(module.lower()) == ["fused"]
    assert ops(fusable.lower()) == ops(module.lower_for_autodiff()) == ops(module.lower_to_mir("fusable")) == ["matmul", "add"]
    hir = module.as_hir()
    assert hir is not None and len(hir.lower_for_autodiff()) == 5 and len(hir.lower_to_mir("direct")) == 4
    with pytest.raises(RlxError, match="'eager' is not a FusionPolicy"):
        module.with_fusion_policy("eager")


def test_wrap_mir_graph_allows_blocks_again() -> None:
    graph = Graph("plain")
    graph.set_outputs({"y": graph.input("x", (2, 4)) + 1})
    module = GraphModule.wrap_mir_graph(graph)
    assert module.stage is GraphStage.HIR and graph.level == "mir"
    y = module.linear(module.exp(np.ones((2, 4), np.float32)), module.param("w", (4, 3)))
    module.set_hir_outputs({"z": y})
    verify(module.into_graph(), "mir")


def test_as_mir_graph_takes_whatever_holds_a_graph() -> None:
    module = tiny()
    hir = module.as_hir()
    assert hir is not None
    for thing in (module, hir, hir.graph, module.lower(), module.into_mir(), module.into_graph(), lir_module(), lir_module().lir):
        graph = as_mir_graph(thing)
        assert isinstance(graph, BaseGraph) and graph.level == "mir"
        verify(graph, "mir")
    with pytest.raises(RlxError, match="a int is not a graph"):
        as_mir_graph(3)


# -- calls at the wrong stage -----------------------------------------------------------------------------------
def test_blocks_past_hir_say_the_stage_and_the_way() -> None:
    module = tiny().lower()
    x = module.constant(np.ones((2, 4), np.float32))
    calls: list[tuple[Any, str]] = [
        (lambda: module.linear(x, x), "the block linear"),
        (lambda: module.swiglu_ffn(x, x, x, x), "the block swiglu_ffn"),
        (lambda: module.emit_block("rms_norm", (x, x)), "the block rms_norm"),
        (lambda: module.set_hir_outputs([x]), "set_hir_outputs"),
        (lambda: module.finish_hir([x]), "set_hir_outputs"),
        (lambda: module.with_fusion_policy("direct"), "with_fusion_policy"),
    ]
    for call, what in calls:
        with pytest.raises(RlxError) as raised:
            call()
        text = str(raised.value)
        assert (
            f"{what} needs HIR, module 'tiny' is at MIR" in text
            and "GraphModule.hir(name)" in text
            and raised.value.code == "RLX402"
        )


def test_building_on_lir_is_refused() -> None:
    module = GraphModule.from_lir(lir_module())
    for call in (lambda: module.input("x", (2,)), lambda: module.exp(1.0), lambda: module.set_outputs([])):
        with pytest.raises(RlxError, match="which is at LIR") as raised:
            call()
        assert raised.value.code == "RLX402" and ".into_mir()" in str(raised.value)


def test_a_name_of_block_and_op_is_the_block_at_hir_and_the_op_at_mir() -> None:
    for module, expected in ((GraphModule.hir("h"), "hir."), (GraphModule.mir("m"), "")):
        x, g = module.input("x", (2, 3, 8)), module.param("g", (8,))
        t = module.input("t", (3, 2))
        built = [
            module.rms_norm(x, g),
            module.rope(x, t, t, head_dim=4),
            module.attention(x, x, x, num_heads=2, head_dim=4, mask_kind="causal", softcap=3.0),
        ]
        assert [module.node(v).op.name for v in built] == [f"{expected}{n}" for n in ("rms_norm", "rope", "attention")]
        assert module.node(built[2]).op["softcap"] == 3.0
        assert module.node(module.hir_mir("rms_norm", (x, g), axis=2, name="n")).op.name == "rms_norm"
        assert module.node(module.hir_mir(OPS["exp"], (x,))).op.name == "exp"
        assert module.node(module.hir_mir(OPS["softmax"].op(axis=1), (x,))).op["axis"] == 1
        assert module.node(module.add_node(OPS["exp"].op(), [x], Shape((2, 3, 8)))).op.name == "exp"
    with pytest.raises(RlxError, match=r"exp gives f32\[2, 3, 8\], out_shape is f32\[2, 3, 9\]"):
        module.add_node(OPS["exp"].op(), [x], Shape((2, 3, 9)))
    hir = GraphModule.hir("axis")
    with pytest.raises(RlxError, match="the block rms_norm along axis 0"):
        hir.rms_norm(hir.input("x", (8, 8)), hir.param("g", (8,)), axis=0)


def test_blocks_by_op_and_name() -> None:
    module = GraphModule.hir("blocks")
    x, w = module.input("x", (2, 4)), module.param("w", (4, 4))
    by_name = module.emit_block("linear", (x, w), activation="gelu")
    by_op = module.emit_block(OPS["hir.linear"].op(activation="gelu"), (x, w))
    assert module.node(by_name).op == module.node(by_op).op
    first, second = module.emit_block("shared_linear_pair", (x, w, w))
    assert first.type == second.type


def test_ops_and_operators_work_at_every_building_stage() -> None:
    for module in (GraphModule.hir("h"), GraphModule.mir("m")):
        x = module.input_batch_seq("x", "batch", Dim("seq", 1, 8), 4)
        y = module.softmax(module.max(x * 2, 0.0), axis=-1) @ module.param("w", (4, 3))
        (z,) = module.fused(y, kind="mine", body=module.exp)
        module.set_outputs({"z": z, "r": module.rng("r").uniform((2,))})
        graph = module.into_graph()
        verify(graph)
        arrays = {"x": draw((2, 5, 4)), "w": draw((4, 3)), "r": np.uint64(0)}
        assert evaluate_graph(graph, arrays, {"batch": 2, "seq": 5})["z"].shape == (2, 5, 3)


# -- names, values, files ---------------------------------------------------------------------------------------
def test_scopes_nest_and_named_relabels() -> None:
    module = GraphModule.hir("scopes")
    x, w = module.input("x", (2, 4)), module.param("w", (4, 4))

    def layer(m: GraphModule) -> Any:
        h = m.linear(x, w)
        return m.named("attn", lambda m: m.linear(h, w)), m.named("ffn", lambda m: m.exp(m.linear(h, w)))

    module.named("layers.3", layer)
    labels = [node.origin.label for node in module.nodes()]
    assert labels == ["", "", "layers.3/linear", "layers.3/attn", "layers.3/ffn/linear", "layers.3/ffn"]
    assert module._graph().scope == []
    with pytest.raises(ZeroDivisionError):
        module.named("broken", lambda m: 1 / 0)
    assert module._graph().scope == []


def test_resolve_finds_values_after_lowering() -> None:
    module = tiny()
    (ref,) = module.nodes()[-1].outputs
    value = module.hir_mir("exp", (np.ones(2, np.float32),))
    lowered = module.lower()
    for node in module.nodes():
        if node.op.definition.level == "mir":
            from rlx.ir.value import Value

            assert lowered.node(lowered.resolve(Value(module._graph(), node.ref))).op == node.op
    assert lowered.node(lowered.resolve(value)).op.name == "exp" and lowered.as_mir().value_map[ref]  # type: ignore[union-attr]


def test_save_and_load(tmp_path: Path) -> None:
    for module in (tiny(), tiny().lower(), GraphModule.from_lir(lir_module())):
        module.save(tmp_path / "module.rlx")
        found = load(tmp_path / "module.rlx")
        assert found.stage is module.stage and str(found).splitlines()[0] == str(module).splitlines()[0]
        assert found.nodes()[0].op == module.nodes()[0].op


def test_blocks_print_and_parse() -> None:
    module = GraphModule.hir("text")
    x, w, t = module.input("x", ("batch", 4, 8)), module.param("w", (8, 8)), module.param("t", (4, 2))
    y = module.llama_decoder_block(
        x, w[0], None, w, w, w, w, w[0], None, w, w, w, t, t, num_heads=2, head_dim=4, mask_kind="sliding_window(3)"
    )
    first, second = module.shared_linear_pair(module.linear(y, w, activation="gelu"), w, w)
    module.set_outputs({"a": first, "b": second, "c": module.dequant_matmul(x, w, scheme="int8/32")})
    graph = module._graph()
    assert parse(str(graph)) == graph and parse(str(graph)).fingerprint() == graph.fingerprint()  # type: ignore[union-attr]


# -- inspection -------------------------------------------------------------------------------------------------
def test_inspect_hir_and_mir() -> None:
    module = GraphModule.hir("look")
    x, w, s = module.input("x", (2, 4)), module.param("w", (4, 4)), module.state("s", (2, 4))
    y = module.linear(module.linear(x, w), w, name="second")
    module.update("s", s + y)
    module.set_outputs({"y": y})
    view = module.inspect()
    assert view.stage == "hir" and view.histogram == {"hir.linear": 2, "add": 1, "input": 1, "param": 1, "state": 1}
    node = view.nodes[y.ref.node]
    assert (node.name, node.outputs, node.label, node.shapes) == ("second", ("y",), "linear", (Shape((2, 4)),))
    assert node.location.startswith("test_modules.py:") and view.plan is None
    text = str(view)
    assert "hir @look: 6 nodes" in text and "hir.linear 2" in text and '"second"' in text and "→ y" in text and "→ update s" in text
    assert module.lower().inspect().histogram["matmul"] == 2


def test_inspect_lir() -> None:
    view = GraphModule.from_lir(lir_module()).inspect()
    assert view.plan is not None and view.plan.arena == 128 and view.plan.saved == 64 and view.plan.views == 2
    assert [str(kernel) for kernel in view.plan.kernels] == ["contraction: matmul + add"]
    assert "arena: 128 bytes, 64 saved by sharing" in str(view) and len(view.plan.in_place) == 1


# -- compatibility ----------------------------------------------------------------------------------------------
def test_rust_names() -> None:
    g = Graph("rust")
    x, w, i = g.input("x", (2, 8)), g.input("w", (8, 8)), g.input("i", (3,), "i32")
    q, t, bias = g.input("q", (1, 4, 8)), g.input("t", (4, 1)), g.input("bias", (4, 4))
    pairs = [
        (g.mm(x, w), g.matmul(x, w)),
        (g.reshape_(x, (4, 4)), g.reshape(x, (4, 4))),
        (g.gather_(w, i, 1), g.gather(w, i, axis=1)),
        (g.transpose_(x, (1, 0)), g.transpose(x, (1, 0))),
        (g.narrow_(x, 1, 2, 3), g.narrow(x, 1, 2, 3)),
        (g.cast_(x, "i32"), g.cast(x, "i32")),
        (g.concat_([x, x], 0), g.concat(x, x, axis=0)),
        (g.expand_(x, (3, 2, 8)), g.expand(x, (3, 2, 8))),
        (g.softmax_(x, 1), g.softmax(x, 1)),
        (g.sum_(x, (1,), True), g.sum(x, (1,), True)),
        (g.mean_(x, (0,), False), g.mean(x, 0)),
        (g.rope_n(q, t, t, 4, 2), g.rope(q, t, t, head_dim=4, n_rot=2)),
        (g.attention_kind(q, q, q, 2, 4, "causal"), g.attention(q, q, q, num_heads=2, head_dim=4, mask_kind="causal")),
        (g.attention_bias(q, q, q, bias, 2, 4), g.attention(q, q, q, bias, num_heads=2, head_dim=4, mask_kind="bias")),
    ]
    for ours, theirs in pairs:
        assert g.node(ours.ref).op == g.node(theirs.ref).op and g.node(ours.ref).inputs == g.node(theirs.ref).inputs
    module = GraphModule.hir("rust")
    q = module.input("q", (1, 4, 8))
    assert module.node(module.attention_kind(q, q, q, 2, 4, "none")).op.name == "hir.attention"
