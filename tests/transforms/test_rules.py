"""Every record's vjp and jvp on its own cases: f64 central differences, and ⟨u, Jv⟩ = ⟨Jᵀu, v⟩."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
from rlx.ir.evaluate import evaluate_body, evaluate_graph, shape_of
from rlx.ir.graph import Graph
from rlx.ir.op import OPS
from rlx.transforms.rules.derivative import differentiable
from rlx.transforms.rules.tape import pull
from tests.transforms.checking import body_of, body_of_op, check_body, has_derivative, place, pulled, random_like, wide_arrays

# the gradient is a convention here, not the slope: rounding passes straight through
STRAIGHT_THROUGH = {
    "round",
    "fake_quantize",
    "fake_quantize_lsq",
    "fake_quantize_backward",
    "fake_quantize_lsq_backward_x",
    "fake_quantize_lsq_backward_scale",
    "stop_gradient",
    "custom_fn",
}
JUMPS = {"eig"}  # near one point LAPACK may give a vector either sign; test_decompositions.py compares with JAX
RECORDS = [record for record in OPS if record.level == "mir" and not record.leaf and callable(record.cases)]
BOTH = [record for record in RECORDS if record.has("vjp")]
ROWS = [
    pytest.param(record, row, number == 0, id=f"{record.name}-{number}")
    for record in BOTH
    for number, row in enumerate(record.cases())  # type: ignore[operator]
    if not (record.name.startswith("dequant_") and number % 8)  # their rows differ in how the weight is stored
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_every_op_has_both_derivatives_or_says_why_not(record):
    assert record.has("vjp") == record.has("jvp")


@pytest.mark.parametrize("record, row, each", ROWS)
def test_derivatives_of_cases(record, row, each):
    """In one direction of all operands; in the first case also of each operand alone."""
    # bodies and scales of packed weights are typed f32: declared so, evaluated in f64
    held = any(attr.kind == "graph" for attr in record.attrs.values()) or record.name.startswith("dequant_")
    arrays = row.arrays() if held else wide_arrays(row)
    if sum(a.size for a in arrays if a is not None) > 20000:
        pytest.skip("a case for speed")
    body = body_of_op(record, arrays, row.attrs)
    types = [*(node.shape for node in body.inputs.values()), *(body.shape(ref) for ref in body.output_refs.values())]
    low = any(shape.dtype.is_low_float for shape in types)
    narrow = low or (not held and any(differentiable(shape.dtype) and shape.dtype.name not in ("f64", "c128") for shape in types))
    true_slope = (
        record.name not in STRAIGHT_THROUGH | JUMPS and not narrow and not any(word in row.note for word in ("ties", "phase"))
    )
    packed = [record.name.startswith("dequant_") and record.operand(i).role == "packed" for i in range(len(arrays))]
    frozen = [flag for flag, array in zip(packed, arrays, strict=True) if array is not None]
    reverse = record.name != "while" or row.attrs.get("max_iterations") is not None
    check_body(
        body,
        [a for a in arrays if a is not None],
        true_slope=true_slope,
        agreement=1e-2 if narrow else 1e-9,
        wide=held,
        frozen=frozen,
        reverse=reverse,
        each=each,
    )


# -- closed forms and their compositions ------------------------------------------------------------------------
# conventions of their own at ties and roundings, and what the composition only approximates
OWN = STRAIGHT_THROUGH | {"pool", "fused"}
SHARED = [record for record in BOTH if record.decompose is not None and record.name not in OWN]
CLOSED = [record for record in SHARED if callable(record.vjp) and "by_parts" not in record.vjp.__qualname__]


@pytest.mark.parametrize("record", CLOSED, ids=lambda record: record.name)
def test_closed_forms_are_the_gradients_of_the_decomposition(record):
    for row in record.cases()[:3]:
        if "filled" in row.note:  # the composition reads NaN
            continue
        arrays = wide_arrays(row)
        given = [a for a in arrays if a is not None]
        body = body_of_op(record, arrays, row.attrs)
        op = body.nodes[-1].op
        parts = body_of(lambda *xs, op=op, record=record: record.decompose(*xs, **op.attrs), arrays)
        random = np.random.default_rng(5)
        seeds = [random_like(y, random) for y in evaluate_body(body, given)]
        wanted = [has_derivative(a) for a in given]
        found, expected = (pulled(graph, given, seeds, wanted) for graph in (body, parts))
        for mine, other in zip(found, expected, strict=True):
            if other is not None:
                np.testing.assert_allclose(mine, other, rtol=1e-6, atol=1e-6 * max(float(np.abs(other).max(initial=0)), 1e-9))


# -- on the cpu -------------------------------------------------------------------------------------------------
NATIVE = [record for record in BOTH if record.family != "custom" and record.name not in ("while", "custom_fn", "scan", "if")]
GROUPS = [NATIVE[start : start + 12] for start in range(0, len(NATIVE), 12)]


@pytest.mark.parametrize("records", GROUPS, ids=lambda records: records[0].name)
def test_native_gradients_are_the_reference_s(records):
    """The vjp of the first case of each op, f32, compiled in one graph and compared with its evaluation in f64."""
    graph, arrays, outputs = Graph("native"), {}, {}
    for record in records:
        row = record.cases()[0]
        given = row.arrays()
        body = body_of_op(record, given, row.attrs)
        packed = [record.name.startswith("dequant_") and record.operand(i).role == "packed" for i in range(len(given))]
        wanted = [not flag for flag, a in zip(packed, given, strict=True) if a is not None]
        operands = [a for a in given if a is not None]
        seeds = [random_like(y, np.random.default_rng(2)) for y in evaluate_body(body, operands)]
        values = [place(graph, f"{record.name}_x{i}", shape_of(a)) for i, a in enumerate(operands)]
        cotangents = [None if u is None else place(graph, f"{record.name}_u{i}", shape_of(u)) for i, u in enumerate(seeds)]
        arrays |= {f"{record.name}_x{i}": a for i, a in enumerate(operands)}
        arrays |= {f"{record.name}_u{i}": u for i, u in enumerate(seeds) if u is not None}
        if all(u is None for u in cotangents):
            continue
        found = pull(body, values, cotangents, wanted)
        outputs |= {f"{record.name}_{i}": value.ref for i, value in enumerate(found) if value is not None}
    graph.set_output_refs(outputs)
    expected = evaluate_graph(graph, arrays, wide=True)
    found = rlx.compile(graph, "cpu").run(arrays)
    for name, array in expected.items():
        scale = max(float(np.abs(array).max(initial=0)), 1e-6)
        np.testing.assert_allclose(found[name], array, rtol=0, atol=2e-4 * scale, err_msg=name)
