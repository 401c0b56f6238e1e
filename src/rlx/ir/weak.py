"""Python numbers as values: kept in full width until combined with a tensor, whose dtype they take, as literals do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlx.core.dtype import DType, c64, c128, f32, f64, i32, i64
from rlx.core.errors import RlxError
from rlx.ir.graph import Graph, Node
from rlx.ir.op import OPS, OpDef
from rlx.ir.value import Value, WeakValue
from rlx.ir.whole import WholeNumbers

WIDE = (i64, f64, c128)  # from the narrowest kind to the widest
PLAIN = {i64: i32, f64: f32, c128: c64}


def literal_like(value: WeakValue) -> int | float | complex:
    """A literal of the same kind."""
    return {i64: 0, f64: 0.0, c128: 0j}[value.dtype]


def wide_dtype(operands: Sequence[Any]) -> DType:
    """The full-width dtype in which numbers are combined."""
    return max((number.dtype if isinstance(number, WeakValue) else _wide(number) for number in operands), key=WIDE.index)


def _wide(literal: Any) -> DType:
    return c128 if isinstance(literal, complex) else f64 if isinstance(literal, float) else i64


def taken_as(value: WeakValue, dtype: DType) -> Value:
    """The number in a tensor's dtype, in the number's own graph; an integer must fit it, which is checked at each call."""
    if value.dtype is i64 and dtype.is_integer and dtype is not i64:
        whole = _whole_numbers(value.graph)
        if whole is not None:
            whole.use(value.places, dtype)
    plain = Value(value.graph, value.ref)
    if plain.dtype is dtype:
        return plain
    found: Value = OPS["cast"](plain, to=dtype)
    return found


def places_of_result(record: OpDef, operands: Sequence[Any], node: Node, graph: Graph) -> tuple[int, ...]:
    """The integers behind the result of an op of Python numbers only, for the check at each call; empty if it is not an integer."""
    whole = _whole_numbers(graph)
    if whole is None or node.results[0].dtype is not i64:
        return ()
    values = [operand for i, operand in enumerate(operands) if operand is not None and record.operand(i).role == "value"]
    return whole.combine(record.name, [each.places if isinstance(each, WeakValue) else each for each in values], str(node.origin))


def plain_value(value: WeakValue) -> Value:
    """The number on its own, like a literal without a tensor: i32, f32 or c64."""
    return taken_as(value, PLAIN[value.dtype])


def check_role(value: WeakValue, dtype: DType, what: str) -> None:
    """Only integers can be indices."""
    if dtype.is_integer and value.dtype is not i64:
        raise RlxError("RLX110", f"{what}: a number of {value.dtype} is not an integer", fix="pass an integer")


def _whole_numbers(graph: Graph) -> WholeNumbers | None:
    """Those of the function being traced."""
    while graph.parent is not None:
        graph = graph.parent
    return getattr(graph, "whole_numbers", None)
