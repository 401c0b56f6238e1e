"""Every record's vjp on symbolic sizes, in every float dtype, and differentiated once more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.ir.evaluate import evaluate_body, evaluate_graph
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, OpDef
from rlx.ir.verify import verify
from rlx.transforms.rules.derivative import differentiable
from rlx.transforms.rules.tape import pull, push
from tests.conformance.checking import symbolic
from tests.transforms.checking import body_of_op, check_body, place, random_like, wide_arrays
from tests.transforms.test_rules import BOTH, STRAIGHT_THROUGH

FLAT = {"floor", "ceil", "sign", "trunc", "floor_div", "stop_gradient"}  # no gradient at all
HELD = {"scan", "if", "while", "custom_fn", "fused"}
SYMBOLIC = [record for record in BOTH if record.name not in HELD]


def flags(record: OpDef, arrays: Any) -> list[bool]:
    """Which operands want a gradient: packed weights do not."""
    packed = [record.name.startswith("dequant_") and record.operand(i).role == "packed" for i in range(len(arrays))]
    return [not flag for flag, a in zip(packed, arrays, strict=True) if a is not None]


def pull_graph(body: Graph, wanted: list[bool]) -> tuple[Graph, list[Any]]:
    """A graph of the gradients of a body's inputs: its inputs are the body's, then a seed for each output that can have one."""
    graph = Graph("gradients")
    values = [place(graph, name, node.shape) for name, node in body.inputs.items()]
    shapes = [body.shape(ref) for ref in body.output_refs.values()]
    seeds = [place(graph, f"u{i}", shape) if differentiable(shape.dtype) else None for i, shape in enumerate(shapes)]
    found = pull(body, values, seeds, wanted)
    graph.set_output_refs({f"d{i}": value.ref for i, value in enumerate(found) if value is not None})
    return graph, seeds


@pytest.mark.parametrize("record", SYMBOLIC, ids=lambda record: record.name)
def test_gradients_on_symbolic_sizes_are_those_on_static_ones(record):
    made = 0
    for row in record.cases()[:2]:
        built = symbolic(record, row, "f32")
        arrays = row.arrays()
        if built is None or sum(a.size for a in arrays if a is not None) > 20000:
            continue
        sizes = {str(dim): size for size, dim in built.sizes.items()}
        names = list(built.graph.inputs)
        static = body_of_op(record, arrays, row.attrs)
        wanted = flags(record, arrays)
        graph, seeds = pull_graph(built.graph.freeze(), [*wanted, *[False] * (len(names) - len(wanted))])
        if not any(seed is not None for seed in seeds) or not graph.outputs:
            continue
        verify(graph)
        operands = [a for a in arrays if a is not None]
        results = evaluate_body(static, operands)
        random = np.random.default_rng(3)
        given = {f"u{i}": random_like(y, random) for i, y in enumerate(results) if differentiable(DType.of(y.dtype))}
        plain, _ = pull_graph(static, wanted)
        expected = evaluate_graph(plain, {**dict(zip(static.inputs, operands, strict=True)), **given})
        feed = dict(zip(names, operands, strict=False)) | {
            n: np.zeros(sizes[n[5:]], np.uint8) for n in names if n.startswith("size_")
        }
        found = evaluate_graph(graph, {**feed, **given}, sizes)
        for name, array in expected.items():
            np.testing.assert_allclose(found[name], array, rtol=1e-4, atol=1e-4 * max(float(np.abs(array).max(initial=0)), 1e-6))
        made += 1
    assert made or record.name in FLAT


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f64"])
@pytest.mark.parametrize("record", SYMBOLIC, ids=lambda record: record.name)
def test_gradients_and_tangents_have_the_types_of_their_values(record, dtype):
    """The engine refuses a gradient of another type: building is the test. One operand is left f32: mixed dtypes."""
    rows = [row for row in record.cases() if dtype in row.dtypes][:2]
    for row in rows:
        arrays = row.arrays(dtype=dtype)
        for mixed in (False, True):
            given = list(arrays)
            if mixed and given and given[0] is not None and given[0].dtype == DType.of(dtype).numpy:
                given[0] = given[0].astype(np.float32)
            try:
                body = body_of_op(record, given, row.attrs)
            except RlxError:  # not every op mixes dtypes
                continue
            pull_graph(body, flags(record, given))
            graph = Graph("tangents")
            values = [place(graph, name, node.shape) for name, node in body.inputs.items()]
            wanted = flags(record, given)
            chosen = [flag and differentiable(value.dtype) for flag, value in zip(wanted, values, strict=True)]
            push(body, values, [place(graph, f"t{i}", value.type) if chosen[i] else None for i, value in enumerate(values)])


ROUGH = STRAIGHT_THROUGH | {"relu2", "scatter", "sort", "top_k", "reduce_max", "reduce_min", "max", "min", "clamp", "pool"}
SMOOTH = [record for record in SYMBOLIC if record.name not in ROUGH and not record.name.startswith("dequant_")]


@pytest.mark.parametrize("record", SMOOTH, ids=lambda record: record.name)
def test_second_derivatives(record):
    """The gradient itself, as a function of operands and seeds, against differences."""
    row = record.cases()[0]
    arrays = [a for a in wide_arrays(row) if a is not None]
    body = body_of_op(record, wide_arrays(row), row.attrs)
    graph, seeds = pull_graph(body, [True] * len(arrays))
    if not graph.outputs or sum(a.size for a in arrays) > 3000:
        return
    results = evaluate_body(body, arrays)
    random = np.random.default_rng(4)
    given = [random_like(y, random) for y, seed in zip(results, seeds, strict=True) if seed is not None]
    narrow = any(
        differentiable(node.shape.dtype) and node.shape.dtype.name not in ("f64", "c128") for node in graph.inputs.values()
    )
    check_body(
        graph.freeze(), [*arrays, *given], true_slope=not narrow, tolerance=1e-5, agreement=1e-2 if narrow else 1e-8, each=False
    )


def test_the_table_of_records_was_read():
    assert len(SYMBOLIC) > 90 and len(SMOOTH) > 70 and len(OPS.records) > 150
