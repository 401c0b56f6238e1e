"""The public Graph: builders against NumPy, leaves, outputs, updates, bodies, and what they refuse."""

from __future__ import annotations

import ast
import inspect
import keyword
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rlx.numpy as rnp
from rlx.compat.hir import ARGUMENTS, HirModule, words_of
from rlx.core.dim import Dim
from rlx.core.enums import Activation, BinaryOp, CompareOp, ReduceOp
from rlx.core.errors import RlxError
from rlx.core.quant_scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.evaluate import evaluate_body, evaluate_graph
from rlx.ir.graph import Graph as BaseGraph
from rlx.ir.op import OPS
from rlx.ir.value import Value
from rlx.ir.verify import verify
from rlx.module import Graph, GraphModule
from rlx.module.builders.by_record import BLOCKS
from tests.ops.running import draw

ROOT = Path(__file__).resolve().parents[2]


def value_of(graph: Graph, value: Any, **arrays: Any) -> Any:
    graph.set_outputs({"y": value})
    verify(graph)
    return evaluate_graph(graph, arrays)["y"]


# -- made from records ------------------------------------------------------------------------------------------
def test_checkers_read_the_signatures_that_methods_have() -> None:
    """The stub is built with the package and is not in git: scripts/builders_stub.py."""
    tree = ast.parse(runpy.run_path(str(ROOT / "scripts" / "builders_stub.py"))["stub"]())
    classes = {node.name: node.body for node in tree.body if isinstance(node, ast.ClassDef)}
    names = [method.name for method in classes["OpMethods"] if isinstance(method, ast.FunctionDef)]
    assert len(names) > 200 and {"gelu", "sum", "reduce_sum", "and_", "mm"} <= set(names)
    assert len(classes["BlockMethods"]) == len(BLOCKS) and len(classes["HirMethods"]) == len(ARGUMENTS)
    for owner, public in (("OpMethods", Graph), ("BlockMethods", GraphModule), ("HirMethods", HirModule)):
        for method in classes[owner]:
            assert isinstance(method, ast.FunctionDef)
            built = getattr(public, method.name)
            words = {word.rstrip("?") for part in words_of(method.name) for word in part} if public is HirModule else set()
            expected = {"self", *words, "out_shape", "name"} if words else set(inspect.signature(built).parameters)
            assert expected == {name.arg for name in ast.walk(method.args) if isinstance(name, ast.arg)}, method.name
            assert inspect.getdoc(built) == ast.get_docstring(method), method.name


def test_methods_of_ops_are_found_by_name_and_show_their_text() -> None:
    assert {"gelu", "and_", "sum", "reshape_"} <= set(dir(Graph)) and not {"if_", "while_", "param_"} & set(dir(Graph))
    assert Graph.gelu is Graph.gelu and "self._one('gelu', (x, )" in inspect.getsource(Graph.gelu)
    for missing in ("geluu", "if_", "hir.linear"):
        with pytest.raises(AttributeError):
            getattr(Graph, missing)


# Their builders take functions and count operands themselves: module/builders/.
WITH_BODIES = {"scan": "scan_general", "if": "cond", "while": "while_loop", "custom_fn": "custom_fn_multi"}


def test_ops_with_bodies_have_builders() -> None:
    for name, builder in WITH_BODIES.items():
        assert name in OPS and getattr(Graph, builder).__doc__


def test_every_op_has_a_typed_builder_with_its_operands_and_attributes() -> None:
    for record in OPS:
        if record.level != "mir" or record.leaf or record.name in WITH_BODIES:
            continue
        name = record.name + ("_" if keyword.iskeyword(record.name) else "")
        method = getattr(Graph, name)
        parameters = inspect.signature(method).parameters
        assert set(record.attrs) - set(parameters) == set(), f"{name} lacks attributes"
        for operand in record.operands:
            assert operand.name in parameters
        assert method.__doc__ and parameters["name"].default is None and method.__annotations__["return"]


def test_keywords_get_an_underscore_and_other_names_stay() -> None:
    g = Graph("g")
    a, b = g.input("a", (3,), "bool"), g.input("b", (3,), "bool")
    arrays = {"a": np.array([True, False, True]), "b": np.array([True, True, False])}
    assert value_of(g, g.and_(a, g.not_(b)), **arrays).tolist() == [False, False, True]
    assert value_of(g, g.or_(a, b), **arrays).tolist() == [True, True, True]


def test_examples_of_the_spec() -> None:
    g = Graph("spec")
    x, w, i = g.input("x", (2, 3)), g.input("w", (3, 4)), g.input("i", (2,), "i32")
    built = [
        g.matmul(x, w),
        g.gather(w, i, axis=1),
        g.cast(x, "i32"),
        g.softmax(x, axis=-1),
        g.transpose(x, (1, 0)),
        g.gelu(x),
        g.add(x, 1),
        g.lt(x, 0.5),
        g.sum(g.reshape(x, (1, 2, 3)), axes=(0, 2), keep_dim=False),
        g.concat([x, x], axis=0),
        g.concat(x, x, axis=1),
        g.where(x > 0, x, 0.0),
        g.clamp(x, -1, 1),
        g.narrow(x, axis=1, start=1, len=2),
        g.narrow(x, 1, 0, 2),
        g.where(g.is_nan(x), 0.0, x),
    ]
    assert [str(value.type) for value in built] == [
        "f32[2, 4]",
        "f32[3, 2]",
        "i32[2, 3]",
        "f32[2, 3]",
        "f32[3, 2]",
        "f32[2, 3]",
        "f32[2, 3]",
        "bool[2, 3]",
        "f32[2]",
        "f32[4, 3]",
        "f32[2, 6]",
        "f32[2, 3]",
        "f32[2, 3]",
        "f32[2, 2]",
        "f32[2, 2]",
        "f32[2, 3]",
    ]
    values, indices = g.top_k(x, k=2)
    assert values.shape == (2, 2) and indices.dtype.name == "i32"
    first, second = g.split(x, (1, 2), axis=1)
    assert first.shape == (2, 1) and second.shape == (2, 2)


def test_by_kind() -> None:
    g = Graph("kinds")
    x, y = draw((4, 5), seed=1, low=0.5, high=2), draw((5,), seed=2, low=0.5, high=2)
    a, b = g.input("x", (4, 5)), g.input("y", (5,))
    for kind in Activation:
        if kind is not Activation.Not:
            assert g.activation(kind, a).shape == (4, 5)
    for binary in BinaryOp:
        operands = (a, b) if binary.value not in ("and", "or", "xor", "shl", "shr") else (a.astype("i32"), b.astype("i32"))
        assert g.binary(binary, *operands).shape == (4, 5)
    for compare in CompareOp:
        assert g.compare(compare, a, b).dtype.name == "bool"
    for reduce in ReduceOp:
        assert g.reduce(reduce, a, axes=-1, keep_dim=True).shape == (4, 1)
        assert g.reduce(reduce.value, a).shape == ()
    np.testing.assert_allclose(value_of(g, g.activation("GeluApprox", a), x=x, y=y), value_of(g, g.gelu_approx(a), x=x, y=y))
    np.testing.assert_allclose(value_of(g, g.binary("sub", a, b), x=x, y=y), x - y)
    np.testing.assert_allclose(value_of(g, g.reduce("mean", a, axes=0), x=x, y=y), x.mean(0), rtol=1e-6)
    with pytest.raises(RlxError, match="'swish' is not a Activation"):
        g.activation("swish", a)


def test_max_and_min_of_one_operand_reduce() -> None:
    g = Graph("extremes")
    x = draw((4, 5), seed=1)
    a = g.input("x", (4, 5))
    np.testing.assert_array_equal(value_of(g, g.max(a, axes=1), x=x), x.max(1))
    np.testing.assert_array_equal(value_of(g, g.reduce_max(a, axes=1, keep_dim=True), x=x), x.max(1, keepdims=True))
    np.testing.assert_array_equal(value_of(g, g.min(a), x=x), x.min())
    np.testing.assert_array_equal(value_of(g, g.max(a, 0.5), x=x), np.maximum(x, np.float32(0.5)))
    with pytest.raises(RlxError, match="max of two values with axes"):
        g.max(a, a, axes=0)


def test_literals_arrays_and_lists_are_operands() -> None:
    g = Graph("literals")
    x = g.input("x", (3,))
    assert g.add(x, 1).dtype.name == "f32" and g.add(x, [1, 2, 3]).shape == (3,)
    assert g.gather(np.eye(3, dtype=np.float32), [0, 2], axis=0).shape == (2, 3)
    assert g.add(1, 2).dtype.name == "i32"
    assert g.iota((2, "n"), axis=1).type == Shape((2, "n"), "i32")
    with pytest.raises(RlxError, match="narrow needs the number of positions once"):
        g.narrow(x, 0, 1)


def test_node_names_and_lines() -> None:
    g = Graph("names")
    y = g.exp(g.input("x", (3,)), name="weights")
    node = g.node(y.ref)
    assert node.name == "weights" and node.origin.location is not None and node.origin.location.file == __file__


# -- leaves -----------------------------------------------------------------------------------------------------
def test_leaves() -> None:
    g = Graph("leaves")
    seq = Dim("seq", 1, 64)
    assert g.input("a", Shape((2, seq), "i32")).type == Shape((2, seq), "i32")
    assert g.input("b", ("batch", 3)).type == Shape((Dim("batch"), 3), "f32")
    assert g.input("c", 4, "f16").type == Shape((4,), "f16")
    assert g.input("d", Shape((2,), "f32"), "bf16").dtype.name == "bf16"
    assert g.param("w", (4, 256), scheme="gguf_q4k").dtype.name == "f32"
    assert g.node(g.param("v", (2,), "f16", scheme=None).ref).op["scheme"] is None
    assert g.node(g.leaf("param", "w")).op["scheme"] == QuantScheme.gguf("Q4_K")  # type: ignore[arg-type]
    assert g.node(g.state("s", (), "i64", init=3).ref).op["init"] == 3.0
    assert g.constant(2.5).dtype.name == "f32" and g.constant([1, 2]).dtype.name == "i32"
    assert g.constant(np.ones(2)).dtype.name == "f64" and g.constant(1, "bf16").dtype.name == "bf16"
    assert list(g.inputs) == ["a", "b", "c", "d"] and list(g.params) == ["w", "v"] and list(g.states) == ["s"]


WRONG: list[tuple[str, Callable[[Graph], Any], str]] = [
    ("name taken", lambda g: g.param("x", (2,)), "the graph has a input named 'x' already"),
    ("negative size", lambda g: g.input("y", (-1,)), "size -1 is negative"),
    ("bounds", lambda g: g.input("y", (Dim("n", 1, 4), Dim("n", 1, 5))), "symbol n has bounds 1..4 and 1..5"),
    ("unknown update", lambda g: g.update("nothing", 1.0), "there is no state or param 'nothing' to update"),
    ("update shape", lambda g: g.update("s", g.constant([1.0, 2.0])), "update of 's' : f32[3] with a value of f32[2]"),
    ("update dtype", lambda g: g.update("s", g.constant(np.zeros(3, np.float64))), "with a value of f64[3]"),
    (
        "update twice",
        lambda g: [g.update("s", np.zeros(3, np.float32))] * 2 and g.update("s", np.zeros(3, np.float32)),
        "updated twice",
    ),
    ("update packed", lambda g: g.update("packed", np.zeros((256, 4), np.float32)), "update of the packed param 'packed'"),
    ("nested outputs", lambda g: g.set_outputs([g.top_k(g.input("v", (4,)), k=2)]), "output 0 is a tuple of 2"),  # type: ignore[list-item]
    ("number output", lambda g: g.set_outputs([1.0]), "output 0 is 1.0, not a Value"),  # type: ignore[list-item]
    ("nested dict", lambda g: g.set_outputs({"a": {"b": 1}}), "output 'a' is a dict of 1"),  # type: ignore[dict-item]
    ("no outputs", lambda g: g.set_outputs([]), "no outputs and no updates"),
    ("a string", lambda g: g.set_outputs("x"), "outputs are a str"),  # type: ignore[arg-type]
    ("other graph", lambda g: g.set_outputs([Graph("other").input("x", (2,))]), "a value of graph 'other' is used in graph 'g'"),
    ("mixed graphs", lambda g: g.add(1.0, Graph("other").input("x", (2,))), "a value of graph 'other' is used in graph 'g'"),
    ("packed use", lambda g: g.exp(Value(g, g.leaf("param", "packed"))), "exp of the packed param 'packed'"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("build", "message"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_errors_say_both_facts_the_line_and_a_fix(build: Callable[[Graph], Any], message: str) -> None:
    g = Graph("g")
    g.input("x", (2,))
    g.state("s", (3,))
    g.param("packed", (256, 4), scheme="gguf_q8_0")
    with pytest.raises(RlxError) as raised:
        build(g)
    text = str(raised.value)
    assert message in text and "fix:" in text and "test_graph.py" in text


def test_outputs_take_names() -> None:
    g = Graph("outputs")
    x = g.input("x", (3,))
    y = g.exp(x, name="y")
    g.set_outputs([y, y, x + 1, x])
    assert list(g.outputs) == ["y", "output_1", "output_2", "x"]
    g.set_outputs({"logits": y})
    assert list(g.outputs) == ["logits"]
    g.set_outputs(y)
    assert list(g.outputs) == ["y"]
    g.freeze()
    with pytest.raises(RlxError, match="graph 'outputs' is frozen"):
        g.set_outputs(y)


def test_updates_run() -> None:
    g = Graph("updates")
    x, s, w = g.input("x", (3,)), g.state("s", (3,)), g.param("w", (3,))
    g.update("s", s + x)
    g.update(w, w * 2)
    g.set_outputs([s * 1])
    found = evaluate_graph(g, {"x": np.ones(3, np.float32), "s": np.ones(3, np.float32), "w": np.ones(3, np.float32)})
    assert (
        found["update:s"].tolist() == [2, 2, 2]
        and found["update:w"].tolist() == [2, 2, 2]
        and found["output_0"].tolist() == [1, 1, 1]
    )


# -- bodies -----------------------------------------------------------------------------------------------------
def test_trace_body_captures_outer_values_in_order() -> None:
    g = Graph("outer")
    x, scale, shift = g.input("x", (3,)), g.input("scale", (3,)), g.input("shift", (3,))
    body, captured = g.trace_body(lambda a: (g.exp(a) * scale + shift, scale), [x.type], names=["carry"])
    assert list(body.inputs) == ["carry", "captured_0", "captured_1"] and list(body.outputs) == ["y0", "y1"]
    assert [value.ref for value in captured] == [scale.ref, shift.ref] and body.frozen
    verify(body)
    a, b, c = (draw((3,), seed=s) for s in (1, 2, 3))
    first, second = evaluate_body(body, [a, b, c])
    np.testing.assert_allclose(first, np.exp(a) * b + c, rtol=1e-5)
    np.testing.assert_array_equal(second, b)


def test_trace_body_of_numbers_dicts_and_graphs() -> None:
    g = Graph("outer")
    body, captured = g.trace_body(lambda a: {"double": a + a, "one": 1.0}, [Shape((2,))])
    assert list(body.outputs) == ["double", "one"] and captured == ()
    assert g.trace_body(body, [Shape((2,))]) == (body, ())
    with pytest.raises(RlxError, match="result y0 of the body 'body' is None"):
        g.trace_body(lambda a: None, [Shape((2,))])


def test_bodies_hold_no_leaves_of_their_own() -> None:
    g = Graph("outer")
    s = g.state("s", (2,))

    def body_with_param(a: Value) -> Any:
        inner = a.graph
        assert isinstance(inner, Graph)
        return a + inner.param("w", (2,))

    with pytest.raises(RlxError, match="the param 'w' in the body 'body'") as raised:
        g.trace_body(body_with_param, [Shape((2,))])
    assert raised.value.code == "RLX116"
    body, captured = g.trace_body(lambda a: a * s, [Shape((2,))])
    assert len(captured) == 1 and not body.states


def test_nested_bodies_capture_through() -> None:
    g = Graph("outer")
    x, w = g.input("x", (2,)), g.input("w", (2,))
    (y,) = g.fused(x, kind="outer", body=lambda a: a.graph.fused(a, kind="inner", body=lambda b: b * w)[0] + 1.0)
    np.testing.assert_allclose(value_of(g, y, x=np.full(2, 3, np.float32), w=np.full(2, 5, np.float32)), [16, 16])


def test_adopt_gives_builders_to_a_plain_graph() -> None:
    plain = BaseGraph("plain")
    x = plain.add_node(OPS["input"].op(name="x", shape=Shape((2,))))
    g = Graph.adopt(plain)
    g.set_outputs([g.exp(Value(g, x.ref))])
    assert g == Graph.adopt(g) and len(g) == 2


def test_rng_in_a_body_is_refused() -> None:
    g = Graph("outer")
    with pytest.raises(RlxError, match="the state 'r' in the body"):
        g.trace_body(lambda a: a + a.graph.rng("r").uniform((2,)), [Shape((2,))])


def test_outputs_are_values_to_build_on() -> None:
    """Not Refs, which a builder took for the constant array of their two integers."""
    g = Graph("g")
    g.set_outputs({"y": g.input("x", (4,)) * 3.0})
    squared = g.mul(g.outputs["y"], g.outputs["y"])
    np.testing.assert_array_equal(value_of(g, squared, x=np.ones(4, np.float32)), [9, 9, 9, 9])
    with pytest.raises(TypeError):
        g.outputs["z"] = squared  # type: ignore[index]


@pytest.mark.parametrize(
    "build",
    [
        lambda g, x, ref: g.mul(ref, ref),
        lambda g, x, ref: g.add(x, ref),
        lambda g, x, ref: g.concat([x, ref]),
        lambda g, x, ref: g.where(x > 0, ref, x),
        lambda g, x, ref: g.constant(ref),
        lambda g, x, ref: g.constant([ref, ref]),
        lambda g, x, ref: g.set_outputs({"z": ref}),
        lambda g, x, ref: g.update("s", ref),
        lambda g, x, ref: g.scan(ref, lambda carry: carry, 3),
        lambda g, x, ref: g.cond(x.sum() > 0, lambda a: a, lambda a: a, ref),
        lambda g, x, ref: g.concat(ref),
        lambda g, x, ref: g.set_outputs(ref),
        lambda g, x, ref: rnp.add(x, ref),
    ],
)
def test_a_ref_handed_to_a_builder_is_refused_by_name(build: Callable[..., Any]) -> None:
    g = Graph("g")
    x = g.input("x", (2,))
    g.state("s", (2,), "i32")
    with pytest.raises(RlxError, match=r"is a Ref, .* not a Value") as raised:
        build(g, x, (x * 3.0).ref)
    assert "graph.outputs" in str(raised.value)
