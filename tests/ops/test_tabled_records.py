"""The records of convolutions, scatters, transforms, solves and quantization: their own cases, decompositions and text."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from rlx.ir.emit import emit
from rlx.ir.evaluate import shape_of
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, OpDef
from rlx.ir.parse import parse_graph
from rlx.ir.verify import verify
from tests.ops.running import decomposed, op_for, place, run
from tests.ops.test_records import close

NAMES = (
    "scatter", "conv", "conv_backward", "pool", "norm_extra", "grouped", "complex", "fft", "fft_signal", "linalg", "quantize",
    "fake_quantize", "dequant",
)  # fmt: skip
MODULES = [importlib.import_module(f"rlx.ops.{name}") for name in NAMES]
EARLIER_NAMES = ("elementwise", "shape", "pad", "index", "reduce", "norm", "contract", "rope")
EARLIER = [importlib.import_module(f"rlx.ops.{name}") for name in EARLIER_NAMES]


def among(record: OpDef, modules: list[Any]) -> bool:
    return any(record in vars(module).values() for module in modules)


RECORDS = [record for record in OPS if among(record, MODULES) and not among(record, EARLIER)]
ROWS = [
    pytest.param(record, row, dtype, id=f"{record.name}-{number}-{dtype}")
    for record in RECORDS
    for number, row in enumerate(record.cases())  # type: ignore[operator]
    for dtype in row.dtypes
]


@pytest.mark.parametrize(("record", "row", "dtype"), ROWS)
def test_reference_and_decomposition_are_within_tolerance(record: OpDef, row: Any, dtype: str) -> None:
    operands = row.arrays(0, dtype)
    shapes = [None if a is None else shape_of(a) for a in operands]
    op = op_for(record, shapes, **row.attrs)
    answers = [run(record, *operands, **row.attrs)]
    if record.decompose is not None:
        answers.append(decomposed(record, *operands, **row.attrs))
    expected = run(record, *operands, wide=True, **row.attrs)
    for answer in answers:
        pairs = zip(answer, expected, strict=True) if isinstance(answer, tuple) else [(answer, expected)]
        for (found, wanted), result in zip(pairs, op.infer(shapes), strict=True):
            assert found.dtype == result.dtype.numpy and found.shape == wanted.shape
            close(op, operands, found, wanted, result)


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
