"""The table of rows by expert, part by part as its docstring lists them, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rlx.backends.cpu.emit.kernel import Lowering
from rlx.backends.cpu.kernels.experts import RowTable
from tests.backends.cpu.levels import HOST
from tests.backends.cpu.lowered import Array, Lowered, op_for, tensor_of

COUNT = 5
CASES: dict[str, Array] = {
    "no rows": np.zeros(0, np.int32),
    "one row": np.array([3]),
    "one of each": np.arange(COUNT)[::-1],
    "all of one": np.full(70, 2),
    "in any order": np.random.default_rng(0).integers(-COUNT, COUNT, 300),
    "whole and partial groups of sixteen": np.random.default_rng(1).permutation(np.repeat(range(5), (16, 17, 0, 15, 1))),
    "outside": np.arange(100) % 23 - 11,
    "all outside": np.full(20, COUNT, np.int8),
}


def written(experts: Array, table: RowTable, checks: bool) -> tuple[Array, bool]:
    """The table, and whether an error was reported; for any number of rows."""
    arrays = [np.zeros((len(experts), 1), np.float32), np.zeros((COUNT, 1, 1), np.float32), experts]
    dims: list[Any] = [("rows", 1), None, ("rows",)]
    tensors = [tensor_of(array, own) for array, own in zip(arrays, dims, strict=True)]
    op = op_for("grouped_matmul", tensors, mode="fill" if table.fills else "clip", check_bounds=checks)
    rows = tensors[0].dims[0]  # type: ignore[union-attr]
    symbolic = RowTable(rows, COUNT, table.fills, table.align)
    assert symbolic == RowTable.of(op, tensors[0], tensors[1], table.align)  # type: ignore[arg-type]

    def lower(op: Any, inputs: Any, outputs: Any, target: Any) -> Lowering:
        return Lowering((symbolic.stage(op, inputs, 3),))

    made = Lowered(lower, op, tensors, HOST, [symbolic.tensor])
    (found,) = made.call(arrays)
    return found, bool(made.status[0])


@pytest.mark.parametrize("checks", [False, True])
@pytest.mark.parametrize("fills", [False, True])
@pytest.mark.parametrize("align", [1, 16])
@pytest.mark.parametrize("case", CASES)
def test_every_part(case: str, align: int, fills: bool, checks: bool) -> None:
    experts = CASES[case]
    table = RowTable(len(experts), COUNT, fills, align)
    found, failed = written(experts, table, checks)
    sizes = (COUNT + 3, COUNT, 1, len(experts), len(experts), table.length)
    bounds, used, count, groups, places, listed = np.split(found, np.cumsum(sizes)[:-1])
    counted = np.where(experts < 0, experts.astype(np.int64) + COUNT, experts)
    outside = (counted < 0) | (counted >= COUNT)
    own = np.where(outside, COUNT, counted) if fills else np.clip(counted, 0, COUNT - 1)
    assert failed == (checks and bool(outside.any()))
    np.testing.assert_array_equal(groups, own)
    np.testing.assert_array_equal(used[: count[0]], np.unique(own[own < COUNT]))
    before = 0
    for expert in range(COUNT + 1):
        first, last = -(-bounds[expert] // align) * align, bounds[expert + 1]
        assert before <= first <= last <= table.length
        np.testing.assert_array_equal(listed[first:last], np.flatnonzero(own == expert))
        np.testing.assert_array_equal(places[listed[first:last]], np.arange(first, last))
        before = last
