"""The records of convolutions, scatters, transforms, solves and quantization: their text."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from rlx.ir.emit import emit
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, OpDef
from rlx.ir.parse import parse_graph
from rlx.ir.verify import verify
from tests.ops.running import place

NAMES = (
    "scatter",
    "conv",
    "conv_backward",
    "pool",
    "norm_extra",
    "grouped",
    "complex",
    "fft",
    "fft_signal",
    "linalg",
    "quantize",
    "fake_quantize",
    "dequant",
)
MODULES = [importlib.import_module(f"rlx.ops.{name}") for name in NAMES]
EARLIER_NAMES = ("elementwise", "shape", "pad", "index", "reduce", "norm", "contract", "rope")
EARLIER = [importlib.import_module(f"rlx.ops.{name}") for name in EARLIER_NAMES]


def among(record: OpDef, modules: list[Any]) -> bool:
    return any(record in vars(module).values() for module in modules)


RECORDS = [record for record in OPS if among(record, MODULES) and not among(record, EARLIER)]


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
