"""A change of any one attribute of any op changes the fingerprint, and the text of every case comes back."""

from __future__ import annotations

from typing import Any

import pytest

from rlx.core.dtype import DType
from rlx.core.enums import MaskKind
from rlx.ir.attributes import ArrayValue, Attr
from rlx.ir.emit import normalize
from rlx.ir.evaluate import shape_of
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, Op
from rlx.ir.parse import parse_graph

RECORDS = [record for record in OPS if record.level == "mir" and callable(record.cases)]


def graph_of(op: Op, shapes: list[Any], results: Any) -> Graph:
    g = Graph("one")
    inputs = [
        None if shape is None else g.add_node(OPS["input"].op(name=f"x{i}", shape=shape)).ref for i, shape in enumerate(shapes)
    ]
    node = g.add_node(op, inputs, results=results)
    g.set_output_refs({f"y{i}": ref for i, ref in enumerate(node.outputs)})
    return g


def another(value: Any, attr: Attr) -> Any:
    """Some other value of the same kind, None where there is no simple one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, DType):
        return DType.of("f64" if value.name != "f64" else "f32")
    if isinstance(value, MaskKind):
        return MaskKind("none" if value.kind != "none" else "causal")
    if isinstance(value, tuple) and value and isinstance(value[0], (int, float)):
        return (value[0] + 1, *value[1:])
    if isinstance(value, ArrayValue) or value is None or not isinstance(value, str):
        return None
    return value + "x"


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: r.name)
def test_every_attribute_counts(record):
    for row in record.cases()[:2]:
        shapes = [None if array is None else shape_of(array) for array in row.arrays()]
        op = normalize(record.op(**row.attrs), shapes)
        results = op.infer(shapes)
        base = graph_of(op, shapes, results)
        assert parse_graph(str(base)) == base
        for name, attr in record.attrs.items():
            changed = another(op.attrs[name], attr)
            if changed is None:
                continue
            other = graph_of(op.with_attrs(**{name: changed}), shapes, results)
            assert other.fingerprint() != base.fingerprint(), name
            assert other != base
