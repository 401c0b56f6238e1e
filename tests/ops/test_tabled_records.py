"""The text of every record's cases."""

from __future__ import annotations

import pytest

from rlx.ir.emit import emit
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, OpDef
from rlx.ir.parse import parse_graph
from rlx.ir.verify import verify
from tests.ops.running import place

RECORDS = [record for record in OPS if callable(record.cases)]


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
