"""Every op of the committed list has its record, reference, tolerance, cost and cases; absence is written down."""

from __future__ import annotations

import pytest

from rlx.ir.op import OPS, PENDING

# The ops of the first step. A record that goes missing fails here, not silently.
FIRST_OPS = [
    "input",
    "param",
    "constant",
    "state",
    "gelu",
    "gelu_approx",
    "silu",
    "relu",
    "sigmoid",
    "tanh",
    "exp",
    "log",
    "sqrt",
    "rsqrt",
    "neg",
    "abs",
    "sin",
    "cos",
    "tan",
    "atan",
    "round",
    "erf",
    "log1p",
    "expm1",
    "floor",
    "ceil",
    "sign",
    "softplus",
    "elu",
    "relu2",
    "hard_swish",
    "not",
    "is_nan",
    "add",
    "sub",
    "mul",
    "div",
    "max",
    "min",
    "pow",
    "floor_div",
    "mod",
    "atan2",
    "and",
    "or",
    "xor",
    "shl",
    "shr",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "where",
    "clamp",
    "cast",
    "reshape",
    "transpose",
    "narrow",
    "slice",
    "concat",
    "split",
    "expand",
    "pad",
    "flip",
    "roll",
    "iota",
    "gather",
    "take_along_axis",
    "dynamic_slice",
    "dynamic_update_slice",
    "top_k",
    "sort",
    "argsort",
    "argmax",
    "argmin",
    "matmul",
    "dot_general",
    "pack",
    "packed_matmul",
    "packed_pair_matmul",
    "reduce_sum",
    "reduce_mean",
    "reduce_max",
    "reduce_min",
    "reduce_prod",
    "reduce_any",
    "reduce_all",
    "reduce_log_sum_exp",
    "softmax",
    "log_softmax",
    "cumsum",
    "cumprod",
    "layer_norm",
    "rms_norm",
    "attention",
    "rope",
    "softmax_cross_entropy_with_logits",
    "random_uniform",
    "random_normal",
    "dropout",
    "sample",
    "fused",
]

COMPUTING = [record for record in OPS if record.level == "mir" and not record.leaf]


@pytest.mark.parametrize("name", FIRST_OPS)
def test_op_has_a_record(name):
    assert name in OPS


@pytest.mark.parametrize("record", COMPUTING, ids=lambda r: r.name)
def test_record_is_complete(record):
    assert record.doc and record.doc.strip()[-1] in ".)", record.doc
    assert record.reference is not None or record.name == "fused"
    assert record.tolerance is not None
    assert record.cost is not None
    for facet in (record.vjp, record.jvp, record.batch):
        assert callable(facet) or (isinstance(facet, str) and facet)


@pytest.mark.parametrize("record", COMPUTING, ids=lambda r: r.name)
def test_record_has_cases_with_an_odd_one(record):
    if isinstance(record.cases, str):
        assert len(record.cases) > 10, f"{record.name}: the reason for no cases is too short"
        return
    rows = record.cases()
    assert len(rows) >= 3
    assert any(word in row.note for row in rows for word in ("broadcast", "axis", "axes", "odd")), [
        row.note for row in rows
    ]


def test_pending_is_the_only_placeholder():
    for record in OPS:
        for facet in (record.vjp, record.jvp, record.batch):
            if isinstance(facet, str) and "pending" in facet.lower():
                assert facet == PENDING
