"""Every op of the committed list has its record, reference, tolerance, cost and cases; absence is written down."""

from __future__ import annotations

import pytest

from rlx.ir.op import OPS

COMPUTING = [record for record in OPS if record.level == "mir" and not record.leaf]


@pytest.mark.parametrize("record", COMPUTING, ids=lambda r: r.name)
def test_record_is_complete(record):
    assert record.doc and record.doc.strip()[-1] in ".)", record.doc
    assert record.reference is not None or record.name == "fused"
    assert record.tolerance is not None
    assert record.cost is not None
    for facet in ("vjp", "jvp", "batch"):
        assert record.has(facet) or getattr(record, facet), f"{facet}: a rule, a reason, or a decomposition"


@pytest.mark.parametrize("record", COMPUTING, ids=lambda r: r.name)
def test_record_has_cases_with_an_odd_one(record):
    if isinstance(record.cases, str):
        assert len(record.cases) > 10, f"{record.name}: the reason for no cases is too short"
        return
    rows = record.cases()
    assert len(rows) >= 3
    assert any(word in row.note for row in rows for word in ("broadcast", "axis", "axes", "odd")), [row.note for row in rows]


def test_facets_of_quantization_name_what_there_is():
    for record in OPS:
        assert not record.integer_form or record.integer_form in OPS, record.name
        assert record.packed_operand is None or record.packed_operand < len(record.operands), record.name
        assert record.grid in (None, "into", "from", "onto") and (not record.grid or record.operands[1].name == "scale")
        assert not record.moves_elements or (len(record.operands) == 1 and record.results == ("result",)), record.name
