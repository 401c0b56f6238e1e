"""What an op is made of computes the op: every record with a decomposition, on its own cases, by the reference."""

from __future__ import annotations

import pytest

from rlx.backends.conformance.cases import Row, build, records, rows_of, shapes_of
from rlx.backends.conformance.supported import agree
from tests.ops.running import decomposed

ROWS = [row for record in records() if record.decompose is not None for row in rows_of(record)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.record.name}-{row.number}-{row.dtype}")
def test_decompositions_are_within_tolerance(row: Row) -> None:
    operands = row.case.arrays(0, row.dtype)
    found = decomposed(row.record, *operands, **row.case.attrs)
    op = build(row.record, shapes_of(operands), row.case.attrs).op
    agree(op, operands, found if isinstance(found, tuple) else (found,), str(row), drawn=False)
