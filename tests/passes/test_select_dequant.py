"""Packed params taken apart: what reads them, what they are stored as, and which readings are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rlx.core.errors import RlxError
from rlx.core.quant_scheme import QuantScheme, part_name
from rlx.core.shape import Shape
from rlx.ir.evaluate import evaluate_graph
from rlx.ir.graph import Graph
from rlx.ir.op import OPS
from rlx.ir.value import Value
from rlx.ir.verify import verify
from rlx.ops.quantized.stored_weights import PARTS, dequantize, random_operands
from rlx.passes.entry import Context
from rlx.passes.select_dequant import select_dequant
from tests.ops.running import place

RANDOM = np.random.default_rng(0)
SCHEMES = ("gguf_q4_0", "int8/32", "int8_asym/32", "int4/32", "fp8_e4m3", "nvfp4")


class NoBackend:
    name = "none"

    def claims(self, *_: Any) -> str | None:
        return None

    def layout_for(self, *_: Any) -> None:
        return None


def packed(graph: Graph, dims: tuple[int, ...], scheme: str, dtype: str = "f32") -> Value:
    return Value(graph, graph.add_node(OPS["param"].op(name="w", shape=Shape(dims, dtype), scheme=scheme)).ref)


def selected(graph: Graph, *outputs: Value) -> Graph:
    graph.set_output_refs({f"y{i}": value.ref for i, value in enumerate(outputs)})
    made, _ = select_dequant(graph, Context(NoBackend()))  # type: ignore[arg-type]
    verify(made)
    assert [made.shape(ref) for ref in made.output_refs.values()] == [value.type for value in outputs]
    return made


def arrays(scheme: str, k: int, n: int, *lead: int) -> tuple[dict[str, Any], Any]:
    """The parts by name, and the weight they stand for."""
    parts = [None if s is None else s.array(RANDOM) for s in random_operands(scheme, k, n, *lead)]
    whole = dequantize(QuantScheme.parse(scheme), k, n, *parts)  # type: ignore[arg-type]
    return {part_name("w", name): part for name, part in zip(PARTS, parts, strict=False) if part is not None}, whole


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_products(scheme: str, dtype: str) -> None:
    graph = Graph("test")
    x = place(graph, "x", (3, 64), dtype)
    made = selected(graph, OPS["matmul"](x, packed(graph, (64, 8), scheme)))
    parts, whole = arrays(scheme, 64, 8)
    data = RANDOM.standard_normal((3, 64)).astype(x.dtype.numpy)
    found = evaluate_graph(made, {"x": data, **parts})["y0"]
    step = 1e-5 if dtype == "f32" else 2e-2
    np.testing.assert_allclose(found, data.astype(np.float32) @ whole, rtol=step, atol=step * np.abs(whole).max() * 10)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_rows_by_expert_and_tables(scheme: str) -> None:
    graph = Graph("test")
    x, experts = place(graph, "x", (3, 64)), place(graph, "e", (3,), "i32")
    made = selected(graph, OPS["grouped_matmul"](x, packed(graph, (2, 64, 8), scheme), experts))
    parts, whole = arrays(scheme, 64, 8, 2)
    data, chosen = RANDOM.standard_normal((3, 64)).astype(np.float32), np.array([1, 0, 1], np.int32)
    found = evaluate_graph(made, {"x": data, "e": chosen, **parts})["y0"]
    np.testing.assert_allclose(found, np.einsum("mk,mkn->mn", data, whole[chosen]), rtol=1e-4, atol=1e-3)
    graph = Graph("test")
    table = (6, 64)
    made = selected(graph, OPS["gather"](packed(graph, table, scheme, "bf16"), place(graph, "i", (2, 2), "i32"), axis=0))
    gguf = scheme.startswith("gguf")
    parts, whole = arrays(scheme, 64, 6) if gguf else arrays(scheme, 6, 64)
    ids = np.array([[0, 5], [2, -1]], np.int32)
    found = evaluate_graph(made, {"i": ids, **parts})["y0"]
    np.testing.assert_array_equal(found, (whole.T if gguf else whole)[ids].astype(found.dtype))


def test_one_order_serves_gather_and_lm_head() -> None:
    graph = Graph("test")
    w = packed(graph, (32, 6), "gguf_q8_0")
    logits = OPS["matmul"](place(graph, "x", (2, 32)), w)
    rows = OPS["gather"](w, place(graph, "i", (3,), "i32"), axis=1)
    made = selected(graph, logits, OPS["transpose"](rows, perm=(1, 0)))
    parts, whole = arrays("gguf_q8_0", 32, 6)
    assert [node.op["name"] for node in made.nodes if node.op.name == "param"] == ["w"]
    found = evaluate_graph(made, {"x": np.eye(2, 32, dtype=np.float32), "i": np.array([5, 0, 1], np.int32), **parts})
    np.testing.assert_array_equal(found["y1"], whole.T[[5, 0, 1]])
    np.testing.assert_allclose(found["y0"], whole[:2], rtol=1e-6)


def test_a_graph_without_packed_params_is_left_alone() -> None:
    graph = Graph("test")
    x = place(graph, "x", (3, 4))
    graph.set_output_refs({"y": (x @ x.T).ref})
    made, found = select_dequant(graph, Context(NoBackend()))  # type: ignore[arg-type]
    assert made is graph and all(old == new for old, new in found.items())


def test_two_orders_of_one_param_are_an_error() -> None:
    graph = Graph("test")
    w = packed(graph, (32, 32), "gguf_q8_0")
    product, rows = (OPS["matmul"](place(graph, "x", (2, 32)), w), OPS["gather"](w, place(graph, "i", (3,), "i32"), axis=0))
    with pytest.raises(RlxError, match=r"(?s)\[RLX112\] the packed param 'w' is gathered by rows and multiplied.*axis=1"):
        selected(graph, product, rows)
