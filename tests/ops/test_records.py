"""Every record of the movement, reduction, norm and contraction ops: complete, and its text.

Their numbers are checked in tests/backends/test_contract.py, their decompositions in test_decompositions.py.
"""

from __future__ import annotations

import pytest

from rlx.core.dim import Dim, evaluate
from rlx.core.enums import OpKind
from rlx.ir.emit import emit
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, Call, OpDef
from rlx.ir.parse import parse_graph
from rlx.ir.verify import verify
from rlx.ops import norm
from rlx.ops import reduction as cumulative
from rlx.ops import reduction as reduce
from rlx.ops import reduction as softmax
from rlx.ops.contraction import matmul, packed
from rlx.ops.elementwise import binary, unary
from rlx.ops.elementwise import binary as select
from rlx.ops.indexing import dynamic_slice, order
from rlx.ops.indexing import gather as index
from rlx.ops.movement import pad, parts, shape
from rlx.ops.movement import pad as sizes
from tests.ops.running import place

MODULES = (
    *(unary, binary, select, shape, parts, sizes, pad, index, dynamic_slice, order),
    *(reduce, softmax, cumulative, norm, matmul, packed),
)
RECORDS = [record for record in OPS if any(record in vars(module).values() for module in MODULES)]
MOVEMENT = {
    "cast",
    "reshape",
    "transpose",
    "expand",
    "narrow",
    "slice",
    "split",
    "concat",
    "iota",
    "size_value",
    "pad",
    "flip",
    "roll",
    "gather",
    "take_along_axis",
    "searchsorted",
    "dynamic_slice",
    "dynamic_update_slice",
    "sort",
    "argsort",
    "top_k",
    "argmax",
    "argmin",
    "pack",
}


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: r.name)
def test_record_is_complete(record: OpDef) -> None:
    assert callable(record.cases)
    rows = record.cases()
    assert len(rows) >= 3
    assert any(word in row.note for row in rows for word in ("broadcast", "axis", "odd"))
    assert record.tolerance is not None and record.cost is not None and record.doc.endswith(".")
    assert (record.kind is OpKind.DataMovement) == (record.name in MOVEMENT)


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: r.name)
def test_cases_print_parse_and_verify(record: OpDef) -> None:
    for row in record.cases():  # type: ignore[operator]
        graph = Graph("test")
        given = [a if a is None else place(graph, f"x{i}", a.shape, a.dtype) for i, a in enumerate(row.arrays())]
        found = emit(record, given, dict(row.attrs), graph=graph)
        values = found if isinstance(found, tuple) else (found,)
        graph.set_output_refs({f"y{i}": value.ref for i, value in enumerate(values)})
        verify(graph)
        assert parse_graph(str(graph)) == graph


def test_cost_counts_products() -> None:
    m, k, n = Dim("m"), Dim("k"), Dim("n")
    graph = Graph("test")
    call = (place(graph, "x", (2, m, k)), place(graph, "y", (k, n)))
    result = matmul.matmul(*call)
    node = graph.node(result.ref)
    flops = matmul.matmul.cost(Call(node.op, [v.type for v in call]), node.results)  # type: ignore[misc]
    assert evaluate(flops, {"m": 3, "k": 5, "n": 7}) == 2 * 2 * 3 * 5 * 7
