"""Every op by its batching rule against a loop over examples: each operand batched alone, and all together."""

from __future__ import annotations

import pytest

from rlx.core.dim import Dim
from rlx.ir.op import OPS
from tests.transforms.examples import check, check_nested

RECORDS = [record for record in OPS if record.level == "mir" and callable(record.cases) and record.operands]


def rows_of(record):
    """Of many rows, such as one for each packed scheme, some."""
    rows = [row for row in record.cases() if any(sample is not None for sample in row.operands)]
    return rows if len(rows) <= 20 else [*rows[:8], *rows[8::4]]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_each_operand_alone_and_all_together(record):
    for number, row in enumerate(rows_of(record)):
        places = [index for index, sample in enumerate(row.operands) if sample is not None]
        everything = [0 if index in places else None for index in range(len(row.operands))]
        check(record, row, everything)
        for index in places if len(places) > 1 else []:
            axes = [None] * len(row.operands)
            axes[index] = -1 if (index + number) % 2 else 0
            check(record, row, axes)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_the_last_axis_and_a_symbolic_number_of_examples(record):
    for row in rows_of(record)[:3]:
        check(record, row, [-1] * len(row.operands), size=Dim("examples"), count=3)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_nested(record):
    check_nested(record, rows_of(record)[0])


def test_every_op_says_how_it_is_batched():
    """By a rule, by its decomposition, or a reason; ops without operands have nothing to batch."""
    silent = [record.name for record in OPS if record.level == "mir" and not (record.has("batch") or record.batch)]
    refused = [record.name for record in OPS if record.level == "mir" and isinstance(record.batch, str) and record.operands]
    assert not silent
    assert all(OPS[name].decompose is not None for name in refused), refused
